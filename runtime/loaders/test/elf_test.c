// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ELF loader on a file built here, then on every damaged form of it: each byte changed, each
// length cut, and headers with absurd numbers. Nothing may crash; what still loads must still run.
#include <elf.h>

#include "abi/elf_note.h"
#include "abi/executable_library.h"
#include "base/test.h"
#include "iree/hal/api.h"
#include "iree/hal/local/loaders/embedded_elf_loader.h"
#include "iree/hal/local/loaders/registration/init.h"
#include "runtime/hal/local/executable.h"
#include "runtime/hal/local/processor.h"
#include "runtime/loaders/elf_image.h"
#include "runtime/loaders/loader.h"

#if defined(__x86_64__)

//===-- a kernel library by hand --------------------------------------------------------------===//

// Two segments of one page each: code and tables that need no relocation, and tables that do.
//   0x0000 R X  headers, dynamic strings, symbols, hash, code
//   0x1000 RW   library structs, relocated; the relocations; the dynamic table
enum {
  CODE = 0x400,    // query: lea rax,[library]; cmp edi,6; jne fail; ret; fail: xor eax,eax; ret
  KERNEL = 0x440,  // xor eax,eax; ret
  STRINGS = 0x480,
  SYMBOLS = 0x500,
  HASH = 0x560,
  NOTE = 0x580,
  DATA = 0x1000,
  LIBRARY = DATA,
  HEADER = DATA + 0x80,
  PTRS = DATA + 0xA0,
  NAMES = DATA + 0xA8,
  ATTRS = DATA + 0xC0,
  NAME_TEXT = DATA + 0x100,
  RELA = DATA + 0x120,
  DYNAMIC = DATA + 0x200,
  FILE_SIZE = DATA + 0x300,
};
#define RELOCATION_COUNT 7

static uint8_t image[FILE_SIZE];
static iree_host_size_t image_size;

static void put(uint64_t offset, const void *data, size_t size) {
  memcpy(image + offset, data, size);
}
#define PUT(offset, T, ...)                       \
  do {                                            \
    T put_value_ = __VA_ARGS__;                   \
    put(offset, &put_value_, sizeof(put_value_)); \
  } while (0)

static void put_headers(void) {
  Elf64_Ehdr header = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                       .e_type = ET_DYN,
                       .e_machine = EM_X86_64,
                       .e_version = EV_CURRENT,
                       .e_phoff = sizeof(Elf64_Ehdr),
                       .e_ehsize = sizeof(Elf64_Ehdr),
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = 4};
  put(0, &header, sizeof(header));
  Elf64_Phdr segments[4] = {
      {.p_type = PT_LOAD,
       .p_flags = PF_R | PF_X,
       .p_filesz = DATA,
       .p_memsz = DATA,
       .p_align = 4096},
      {.p_type = PT_LOAD,
       .p_flags = PF_R | PF_W,
       .p_offset = DATA,
       .p_vaddr = DATA,
       .p_filesz = FILE_SIZE - DATA,
       .p_memsz = FILE_SIZE - DATA + 64,
       .p_align = 4096},
      {.p_type = PT_DYNAMIC,
       .p_flags = PF_R,
       .p_offset = DYNAMIC,
       .p_vaddr = DYNAMIC,
       .p_filesz = 10 * sizeof(Elf64_Dyn),
       .p_memsz = 10 * sizeof(Elf64_Dyn)},
      {.p_type = PT_NOTE, .p_flags = PF_R, .p_offset = NOTE, .p_filesz = 28, .p_align = 4},
  };
  put(sizeof(header), segments, sizeof(segments));
}

static void put_code(void) {
  uint8_t query[] = {0x48, 0x8D, 0x05, 0, 0, 0, 0,  // lea rax, [rip + library]
                     0x83, 0xFF, 0x06,              // cmp edi, 6
                     0x75, 0x01,                    // jne +1
                     0xC3,                          // ret
                     0x31, 0xC0, 0xC3};             // xor eax, eax; ret
  int32_t distance = LIBRARY - (CODE + 7);
  memcpy(query + 3, &distance, sizeof(distance));
  put(CODE, query, sizeof(query));
  const uint8_t kernel[] = {0x31, 0xC0, 0xC3};
  put(KERNEL, kernel, sizeof(kernel));
}

static void put_tables(void) {
  put(STRINGS + 1, IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME,
      sizeof(IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME));
  PUT(SYMBOLS + sizeof(Elf64_Sym), Elf64_Sym,
      {.st_name = 1, .st_info = STB_GLOBAL << 4 | STT_FUNC, .st_shndx = 1, .st_value = CODE});
  PUT(HASH + 4, uint32_t, 2);
  PUT(HEADER, uint32_t, IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST);
  PUT(LIBRARY + offsetof(iree_hal_executable_library_v0_t, exports.count), uint32_t, 1);
  PUT(ATTRS, iree_hal_executable_dispatch_attrs_v0_t, {.binding_count = 2, .constant_count = 1});
  put(NAME_TEXT, "kernel", 7);
  const uint64_t relocations[RELOCATION_COUNT][2] = {
      {LIBRARY, HEADER},
      {HEADER + 8, NAME_TEXT},
      {LIBRARY + offsetof(iree_hal_executable_library_v0_t, exports.ptrs), PTRS},
      {LIBRARY + offsetof(iree_hal_executable_library_v0_t, exports.attrs), ATTRS},
      {LIBRARY + offsetof(iree_hal_executable_library_v0_t, exports.names), NAMES},
      {PTRS, KERNEL},
      {NAMES, NAME_TEXT},
  };
  for (int i = 0; i < RELOCATION_COUNT; ++i) {
    PUT(RELA + (uint64_t)i * sizeof(Elf64_Rela), Elf64_Rela,
        {.r_offset = relocations[i][0], .r_info = 8, .r_addend = (int64_t)relocations[i][1]});
  }
  const Elf64_Dyn dynamic[10] = {
      {DT_STRTAB, {STRINGS}},
      {DT_STRSZ, {64}},
      {DT_SYMTAB, {SYMBOLS}},
      {DT_SYMENT, {sizeof(Elf64_Sym)}},
      {DT_HASH, {HASH}},
      {DT_RELA, {RELA}},
      {DT_RELASZ, {RELOCATION_COUNT * sizeof(Elf64_Rela)}},
      {DT_RELAENT, {sizeof(Elf64_Rela)}},
      {DT_NULL, {0}},
      {DT_NULL, {0}},
  };
  put(DYNAMIC, dynamic, sizeof(dynamic));
}

static void put_note(uint64_t required_bits) {
  PUT(NOTE, uint32_t, IREE_ELF_NOTE_NAME_SIZE);
  PUT(NOTE + 4, uint32_t, 8);
  PUT(NOTE + 8, uint32_t, IREE_ELF_NOTE_TYPE_PROCESSOR);
  put(NOTE + 12, IREE_ELF_NOTE_NAME, IREE_ELF_NOTE_NAME_SIZE);
  PUT(NOTE + 20, uint64_t, required_bits);
}

static void build_image(void) {
  memset(image, 0, sizeof(image));
  image_size = sizeof(image);
  put_headers();
  put_code();
  put_tables();
  put_note(0);
}

// Loads on |processor|, or on this one.
static iree_status_t load_with(const iree_hal_executable_params_t *params,
                               const iree_hal_processor_v0_t *processor,
                               iree_hal_executable_t **out_executable) {
  iree_hal_executable_loader_t *loader = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_embedded_elf_loader_create(NULL, iree_allocator_system(), &loader));
  if (processor) ((native_loader_t *)loader)->host.processor = *processor;
  iree_status_t status = iree_hal_executable_loader_try_load(loader, params, 1, out_executable);
  iree_hal_executable_loader_release(loader);
  return status;
}

static iree_status_t load(iree_const_byte_span_t data, iree_hal_executable_t **out_executable) {
  iree_hal_executable_params_t params;
  iree_hal_executable_params_initialize(&params);
  params.executable_format = IREE_SV("embedded-elf-x86_64");
  params.executable_data = data;
  return load_with(&params, NULL, out_executable);
}

static iree_status_code_t load_image(void) {
  iree_hal_executable_t *executable = NULL;
  iree_status_t status = load(iree_make_const_byte_span(image, image_size), &executable);
  iree_hal_executable_release(executable);
  return iree_status_consume_code(status);
}

//===-- cases ---------------------------------------------------------------------------------===//

TEST(loads) {
  build_image();
  iree_hal_executable_t *executable = NULL;
  ASSERT_OK(load(iree_make_const_byte_span(image, image_size), &executable));
  iree_hal_executable_function_t function;
  EXPECT_OK(iree_hal_executable_lookup_function_by_name(executable, IREE_SV("kernel"), &function));
  iree_hal_executable_function_info_t info;
  EXPECT_OK(iree_hal_executable_function_info(executable, function, &info));
  EXPECT_EQ(info.binding_count, 2);
  EXPECT_EQ(info.constant_count, 1);
  EXPECT_STATUS(NOT_FOUND, iree_hal_executable_lookup_function_by_name(
                               executable, IREE_SV("kernels"), &function));
  iree_hal_executable_release(executable);
}

TEST(refuses_missing_cpu_features) {
  build_image();
  put_note(1ull << 52 | 1ull << 63);  // amx-bf16 and a bit without a name
  iree_hal_processor_v0_t none = {{0}};
  iree_hal_executable_params_t params;
  iree_hal_executable_params_initialize(&params);
  params.executable_data = iree_make_const_byte_span(image, image_size);
  iree_hal_executable_t *executable = NULL;
  iree_status_t status = load_with(&params, &none, &executable);
  EXPECT(iree_string_view_match_pattern(
      iree_status_message(status),
      IREE_SV("*lacks: amx-bf16 word 0 bits 8000000000000000h; recompile with*")));
  EXPECT_STATUS(INCOMPATIBLE, status);
  PUT(NOTE + 4, uint32_t, 12);
  EXPECT_EQ(load_image(), IREE_STATUS_INVALID_ARGUMENT);
}

TEST(refuses_other_machines_and_versions) {
  build_image();
  PUT(offsetof(Elf64_Ehdr, e_machine), uint16_t, EM_AARCH64);
  EXPECT_EQ(load_image(), IREE_STATUS_INCOMPATIBLE);
  build_image();
  image[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(load_image(), IREE_STATUS_INCOMPATIBLE);
  build_image();
  image[CODE + 9] = 5;  // the library answers to version 5 only
  EXPECT_EQ(load_image(), IREE_STATUS_FAILED_PRECONDITION);
  build_image();
  PUT(HEADER, uint32_t, 5);
  EXPECT_EQ(load_image(), IREE_STATUS_FAILED_PRECONDITION);
  build_image();
  PUT(HEADER + 20, uint32_t, 1);
  EXPECT_EQ(load_image(), IREE_STATUS_FAILED_PRECONDITION);
}

TEST(refuses_writable_code) {
  build_image();
  PUT(sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_flags), uint32_t, PF_R | PF_W | PF_X);
  EXPECT_EQ(load_image(), IREE_STATUS_INVALID_ARGUMENT);
  build_image();  // two segments on one page would add up to it
  PUT(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_vaddr), uint64_t, 0x800);
  EXPECT_EQ(load_image(), IREE_STATUS_INVALID_ARGUMENT);
}

TEST(refuses_relocations_outside) {
  build_image();
  PUT(RELA, uint64_t, 0x100000);
  EXPECT_EQ(load_image(), IREE_STATUS_INVALID_ARGUMENT);
  build_image();
  PUT(RELA, uint64_t, UINT64_MAX - 3);
  EXPECT_EQ(load_image(), IREE_STATUS_INVALID_ARGUMENT);
  build_image();
  PUT(RELA + 16, uint64_t, 0x100000);
  EXPECT_EQ(load_image(), IREE_STATUS_INVALID_ARGUMENT);
  build_image();
  PUT(RELA + 8, uint32_t, 37);  // IRELATIVE
  EXPECT_EQ(load_image(), IREE_STATUS_UNIMPLEMENTED);
  build_image();
  PUT(SYMBOLS + sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_shndx), uint16_t, SHN_UNDEF);
  EXPECT_EQ(load_image(), IREE_STATUS_UNAVAILABLE);
}

TEST(picks_from_fatelf) {
  build_image();
  static uint8_t fat[64 + FILE_SIZE];
  memset(fat, 0, sizeof(fat));
  const uint32_t magic = 0x1F0E70FA;
  const uint64_t range[2] = {64, FILE_SIZE};
  memcpy(fat, &magic, 4);
  fat[4] = 1;
  fat[6] = 2;
  fat[8] = EM_AARCH64, fat[12] = 2, fat[13] = 1;
  fat[32] = EM_X86_64, fat[36] = 2, fat[37] = 1;
  memcpy(fat + 40, range, sizeof(range));
  memcpy(fat + 64, image, FILE_SIZE);
  iree_hal_executable_t *executable = NULL;
  EXPECT_OK(load(iree_make_const_byte_span(fat, sizeof(fat)), &executable));
  iree_hal_executable_release(executable);
  EXPECT_STATUS(INVALID_ARGUMENT,
                load(iree_make_const_byte_span(fat, sizeof(fat) - 1), &executable));
  fat[32] = EM_AARCH64;
  EXPECT_STATUS(INCOMPATIBLE, load(iree_make_const_byte_span(fat, sizeof(fat)), &executable));
}

// Damage may turn the query function into other code; only what is not run is changed here.
static bool is_run(iree_host_size_t offset) { return offset >= CODE && offset < KERNEL; }
// The entry address must stay at the query function, and initializers are code too.
static bool names_code(iree_host_size_t offset) {
  iree_host_size_t value = SYMBOLS + sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_value);
  return (offset >= value && offset < value + 8) || (offset >= DYNAMIC && offset < DYNAMIC + 160);
}
// Moving a load segment moves the code under a fixed entry address.
static bool moves_code(iree_host_size_t offset) { return offset < 64 + 2 * sizeof(Elf64_Phdr); }

TEST(damage_is_an_error_and_not_a_crash) {
  int loaded_count = 0, refused_count = 0;
  static const uint8_t changes[] = {0x01, 0x80, 0xFF};
  for (iree_host_size_t i = 0; i < FILE_SIZE; ++i) {
    if (is_run(i) || names_code(i) || moves_code(i)) continue;
    if (i > 0x600 && i < DATA) i = DATA;  // nothing there
    for (size_t j = 0; j < sizeof(changes); ++j) {
      build_image();
      image[i] ^= changes[j];
      ++*(load_image() == IREE_STATUS_OK ? &loaded_count : &refused_count);
    }
  }
  EXPECT(loaded_count > 0);
  EXPECT(refused_count > 200);
}

TEST(cut_files_are_refused) {
  build_image();
  for (image_size = 0; image_size < FILE_SIZE; image_size += image_size < 0x600 ? 1 : 64) {
    EXPECT(load_image() != IREE_STATUS_OK);
  }
}

TEST(absurd_headers_are_refused) {
  static const uint64_t values[] = {UINT64_MAX, UINT64_MAX - 4095, 1ull << 63, 1ull << 40,
                                    1ull << 33};
  // Every 8-byte field of the program headers but the ones that are not read for their kind.
  for (int segment = 0; segment < 3; ++segment) {
    for (size_t field = 8; field < sizeof(Elf64_Phdr); field += 8) {
      if (field == offsetof(Elf64_Phdr, p_paddr)) continue;
      if (segment == 2 && field != offsetof(Elf64_Phdr, p_offset) &&
          field != offsetof(Elf64_Phdr, p_filesz)) {
        continue;
      }
      for (size_t i = 0; i < IREE_ARRAYSIZE(values); ++i) {
        build_image();
        put(sizeof(Elf64_Ehdr) + (size_t)segment * sizeof(Elf64_Phdr) + field, &values[i], 8);
        EXPECT(load_image() != IREE_STATUS_OK);
      }
    }
  }
  for (size_t entry = 0; entry < 8; ++entry) {
    for (size_t i = 0; i < IREE_ARRAYSIZE(values); ++i) {
      build_image();
      put(DYNAMIC + entry * sizeof(Elf64_Dyn) + 8, &values[i], 8);
      EXPECT(load_image() != IREE_STATUS_OK);
    }
  }
}

TEST(finds_loaders_by_format) {
  static const struct {
    const char *format, *loader;
  } rows[] = {{"embedded-elf-x86_64", "embedded-elf"}, {"system-elf-x86_64", "system-library"},
              {"vmvx-bytecode-fb", "vmvx-module"},     {"embedded-elf-arm_64", NULL},
              {"vulkan-spirv-fb", NULL},               {"", NULL}};
  static const char *const names[] = {"embedded-elf", "system-library", "vmvx-module"};
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    for (size_t j = 0; j < IREE_ARRAYSIZE(names); ++j) {
      iree_hal_executable_loader_t *loader = NULL;
      ASSERT_OK(iree_hal_create_executable_loader_by_name(
          iree_make_cstring_view(names[j]), NULL, iree_allocator_system(), &loader));
      EXPECT_EQ(iree_hal_executable_loader_query_support(loader, 0,
                                                         iree_make_cstring_view(rows[i].format)),
                rows[i].loader && strcmp(rows[i].loader, names[j]) == 0);
      iree_hal_executable_loader_release(loader);
    }
  }
  iree_hal_executable_loader_t *loader = NULL;
  EXPECT_STATUS(NOT_FOUND, iree_hal_create_executable_loader_by_name(
                               IREE_SV("x"), NULL, iree_allocator_system(), &loader));
}

// What each loader makes of data: the formats that it infers, and an error for what it cannot load.
TEST(data_of_no_loader) {
  iree_hal_executable_loader_t *loaders[LOADERS_MAX_COUNT] = {NULL};
  iree_host_size_t count = 0;
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_create_all_available_executable_loaders(
                                  NULL, 1, &count, loaders, iree_allocator_system()));
  ASSERT_OK(iree_hal_create_all_available_executable_loaders(
      NULL, IREE_ARRAYSIZE(loaders), &count, loaders, iree_allocator_system()));
  iree_hal_executable_params_t params;
  iree_hal_executable_params_initialize(&params);
  params.executable_data = iree_make_const_byte_span("not an executable of any kind", 29);
  for (iree_host_size_t i = 0; i < count; ++i) {
    char format[32];
    iree_host_size_t length = 0;
    iree_hal_executable_t *executable = NULL;
    EXPECT_STATUS(INCOMPATIBLE, iree_hal_executable_loader_infer_format(
                                    loaders[i], 0, params.executable_data, sizeof(format), format,
                                    &length));
    EXPECT_STATUS(INVALID_ARGUMENT,
                  iree_hal_executable_loader_try_load(loaders[i], &params, 1, &executable));
    EXPECT(!executable);
    iree_hal_executable_loader_release(loaders[i]);
  }
}

TEST_MAIN(CASE(loads) CASE(refuses_missing_cpu_features) CASE(refuses_other_machines_and_versions)
              CASE(refuses_writable_code) CASE(refuses_relocations_outside) CASE(picks_from_fatelf)
                  CASE(damage_is_an_error_and_not_a_crash) CASE(cut_files_are_refused)
                      CASE(absurd_headers_are_refused) CASE(finds_loaders_by_format)
                          CASE(data_of_no_loader))

#else

TEST(image_is_for_x86_64) { SKIP("the test's kernel is x86-64 code"); }
TEST_MAIN(CASE(image_is_for_x86_64))

#endif
