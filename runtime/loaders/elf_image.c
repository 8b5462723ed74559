// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses in the file ("virtual") start anywhere; |bias| + virtual is the real address. Every
// access through a virtual address goes through image_at, which checks it against the mapped range.
// Gaps between segments are mapped without rights once loading is done.
#include "runtime/loaders/elf_image.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/loaders/elf_file.h"
#include "runtime/loaders/elf_relocate.h"

#define MAX_SYMBOLS (1u << 24)
#define MAX_INIT_FUNCTIONS 1024

typedef struct segment_range_t {
  uint64_t begin, end;  // virtual
  uint32_t flags;
} segment_range_t;

struct elf_image_t {
  iree_allocator_t host_allocator;
  uint64_t page_bytes;
  uint64_t address_begin;  // virtual
  uint64_t byte_length;
  uint8_t *base;                   // real address of address_begin
  uint64_t strings, string_bytes;  // virtual address
  uint64_t symbols;
  uint32_t symbol_count;
  uint64_t relocations, relocation_bytes;
  uint64_t plt_relocations, plt_relocation_bytes;
  uint64_t init, init_array, init_array_bytes;
  uint32_t range_count;
  segment_range_t ranges[];
};

#if ELF_HOST_USES_RELA
typedef ElfW(Rela) elf_relocation_t;
#define TAG_RELOCATIONS DT_RELA
#define TAG_RELOCATION_BYTES DT_RELASZ
#define TAG_RELOCATION_ENTRY DT_RELAENT
#define TAG_OTHER_KIND DT_REL
#else
typedef ElfW(Rel) elf_relocation_t;
#define TAG_RELOCATIONS DT_REL
#define TAG_RELOCATION_BYTES DT_RELSZ
#define TAG_RELOCATION_ENTRY DT_RELENT
#define TAG_OTHER_KIND DT_RELA
#endif

static iree_status_t malformed(const char *what) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "malformed ELF executable: %s", what);
}

// The real address of a virtual range, null when it leaves the image.
static uint8_t *image_at(const elf_image_t *image, uint64_t address, uint64_t length) {
  if (address < image->address_begin ||
      !iree_range_is_within(address - image->address_begin, length, image->byte_length)) {
    return NULL;
  }
  return image->base + (address - image->address_begin);
}

static uint64_t bias_of(const elf_image_t *image) {
  return (uint64_t)(uintptr_t)image->base - image->address_begin;
}

// Whether one segment with the rights holds all of a virtual range.
static bool segment_holds(const elf_image_t *image, uint64_t address, uint64_t length,
                          uint32_t flags) {
  for (uint32_t i = 0; i < image->range_count; ++i) {
    const segment_range_t *range = &image->ranges[i];
    if ((range->flags & flags) == flags && address >= range->begin &&
        iree_range_is_within(address - range->begin, length, range->end - range->begin)) {
      return true;
    }
  }
  return false;
}

static bool is_readable(const elf_image_t *image, uint64_t address, uint64_t length) {
  return segment_holds(image, address, length, PF_R) && image_at(image, address, length);
}

//===-- mapping -------------------------------------------------------------------------------===//

static iree_status_t map_segments(elf_image_t *image, const elf_file_t *file) {
  image->address_begin = file->address_begin;
  image->byte_length = file->address_end - file->address_begin;
  void *base = mmap(NULL, (size_t)image->byte_length, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    return iree_make_status(iree_status_code_from_errno(errno),
                            "cannot map %" PRIu64 " bytes for an ELF executable",
                            image->byte_length);
  }
  image->base = (uint8_t *)base;
  for (uint32_t i = 0; i < file->segment_count; ++i) {
    elf_segment_t segment = elf_file_segment(file, i);
    if (segment.p_type != PT_LOAD || !segment.p_memsz) continue;
    uint8_t *target = image_at(image, segment.p_vaddr, segment.p_memsz);
    if (!target) return malformed("a segment leaves the image");
    memcpy(target, file->data.data + segment.p_offset, (size_t)segment.p_filesz);
    image->ranges[image->range_count++] = (segment_range_t){
        segment.p_vaddr, (uint64_t)segment.p_vaddr + segment.p_memsz, segment.p_flags};
  }
  return iree_ok_status();
}

// The rights of a page: those of all segments that touch it.
static uint32_t page_flags(const elf_image_t *image, uint64_t page) {
  uint32_t flags = 0;
  for (uint32_t i = 0; i < image->range_count; ++i) {
    const segment_range_t *range = &image->ranges[i];
    if (range->begin < page + image->page_bytes && range->end > page) flags |= range->flags;
  }
  return flags;
}

static iree_status_t protect_range(elf_image_t *image, uint64_t begin, uint64_t end,
                                   uint32_t flags) {
  if ((flags & PF_W) && (flags & PF_X)) {
    return malformed("a page would be both writable and executable");
  }
  int protection = (flags & PF_R ? PROT_READ : 0) | (flags & PF_W ? PROT_WRITE : 0) |
                   (flags & PF_X ? PROT_READ | PROT_EXEC : 0);
  if (mprotect(image_at(image, begin, 0), (size_t)(end - begin), protection) == 0) {
    return iree_ok_status();
  }
  return iree_make_status(iree_status_code_from_errno(errno),
                          "cannot protect the pages of an ELF executable; the system may forbid "
                          "code made at run time");
}

// Takes write access from the pages that RELRO covers whole.
static uint32_t without_relro(const elf_file_t *file, uint64_t page, uint64_t page_bytes,
                              uint32_t flags) {
  for (uint32_t i = 0; i < file->segment_count; ++i) {
    elf_segment_t segment = elf_file_segment(file, i);
    if (segment.p_type != PT_GNU_RELRO) continue;
    if (segment.p_vaddr <= page && page + page_bytes - segment.p_vaddr <= segment.p_memsz) {
      flags &= ~(uint32_t)PF_W;
    }
  }
  return flags;
}

static iree_status_t protect_pages(elf_image_t *image, const elf_file_t *file) {
  uint64_t end = image->address_begin + image->byte_length;
  uint64_t run_begin = image->address_begin;
  uint32_t run_flags = 0;
  for (uint64_t page = image->address_begin; page < end; page += image->page_bytes) {
    uint32_t flags = without_relro(file, page, image->page_bytes, page_flags(image, page));
    if (page != run_begin && flags != run_flags) {
      IREE_RETURN_IF_ERROR(protect_range(image, run_begin, page, run_flags));
      run_begin = page;
    }
    run_flags = flags;
  }
  return protect_range(image, run_begin, end, run_flags);
}

//===-- dynamic table -------------------------------------------------------------------------===//

static iree_status_t read_tag(elf_image_t *image, const elf_dynamic_t *entry, uint64_t *inout_hash,
                              uint64_t *inout_plt_kind) {
  uint64_t value = entry->d_un.d_val;
  switch ((int64_t)entry->d_tag) {
    case DT_STRTAB:
      image->strings = value;
      break;
    case DT_STRSZ:
      image->string_bytes = value;
      break;
    case DT_SYMTAB:
      image->symbols = value;
      break;
    case DT_HASH:
      *inout_hash = value;
      break;
    case DT_SYMENT:
      if (value != sizeof(elf_symbol_t)) return malformed("symbol size");
      break;
    case TAG_RELOCATIONS:
      image->relocations = value;
      break;
    case TAG_RELOCATION_BYTES:
      image->relocation_bytes = value;
      break;
    case TAG_RELOCATION_ENTRY:
      if (value != sizeof(elf_relocation_t)) return malformed("relocation size");
      break;
    case TAG_OTHER_KIND:
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                              "ELF executable has relocations of a kind that this machine does not "
                              "use");
    case DT_JMPREL:
      image->plt_relocations = value;
      break;
    case DT_PLTRELSZ:
      image->plt_relocation_bytes = value;
      break;
    case DT_PLTREL:
      *inout_plt_kind = value;
      break;
    case DT_INIT:
      image->init = value;
      break;
    case DT_INIT_ARRAY:
      image->init_array = value;
      break;
    case DT_INIT_ARRAYSZ:
      image->init_array_bytes = value;
      break;
    default:
      break;
  }
  return iree_ok_status();
}

static iree_status_t read_dynamic(elf_image_t *image, const elf_file_t *file) {
  uint64_t count = file->dynamic.p_filesz / sizeof(elf_dynamic_t);
  uint64_t hash = 0, plt_kind = TAG_RELOCATIONS;
  for (uint64_t i = 0; i < count; ++i) {
    elf_dynamic_t entry;
    memcpy(&entry, file->data.data + file->dynamic.p_offset + i * sizeof(entry), sizeof(entry));
    if (entry.d_tag == DT_NULL) break;
    IREE_RETURN_IF_ERROR(read_tag(image, &entry, &hash, &plt_kind));
  }
  if (image->plt_relocation_bytes && plt_kind != TAG_RELOCATIONS) {
    return malformed("kind of PLT relocations");
  }
  // Strings and symbols are read after pages are protected too: a segment must make them readable.
  if (!image->string_bytes || !is_readable(image, image->strings, image->string_bytes)) {
    return malformed("string table");
  }
  const uint8_t *hash_words = image_at(image, hash, 8);
  if (!hash || !hash_words) return malformed("no symbol hash table (DT_HASH)");
  image->symbol_count = iree_unaligned_load_le_u32(hash_words + 4);
  if (image->symbol_count <= 1) return iree_ok_status();
  uint64_t first = 0, bytes = (uint64_t)(image->symbol_count - 1) * sizeof(elf_symbol_t);
  if (image->symbol_count > MAX_SYMBOLS ||
      !iree_device_size_checked_add(image->symbols, sizeof(elf_symbol_t), &first) ||
      !is_readable(image, first, bytes)) {
    return malformed("symbol table");
  }
  return iree_ok_status();
}

//===-- symbols and relocations ---------------------------------------------------------------===//

static elf_symbol_t symbol_at(const elf_image_t *image, uint32_t i) {
  elf_symbol_t symbol;
  memcpy(&symbol, image_at(image, image->symbols + (uint64_t)i * sizeof(symbol), sizeof(symbol)),
         sizeof(symbol));
  return symbol;
}

// A name of the string table; null when it is not terminated inside.
static const char *symbol_name(const elf_image_t *image, const elf_symbol_t *symbol) {
  if (symbol->st_name >= image->string_bytes) return NULL;
  uint64_t rest = image->string_bytes - symbol->st_name;
  const char *name = (const char *)image_at(image, image->strings + symbol->st_name, rest);
  return name && memchr(name, 0, (size_t)rest) ? name : NULL;
}

// Symbol 0 is never read: compact files let it overlap other data.
static iree_status_t check_symbols(const elf_image_t *image) {
  for (uint32_t i = 1; i < image->symbol_count; ++i) {
    elf_symbol_t symbol = symbol_at(image, i);
    if (symbol.st_shndx != SHN_UNDEF) continue;
    const char *name = symbol_name(image, &symbol);
    return iree_make_status(
        IREE_STATUS_UNAVAILABLE,
        "ELF imports one or more symbols; kernels cannot call outside: '%.256s'",
        name ? name : "?");
  }
  return iree_ok_status();
}

static iree_status_t symbol_address(const elf_image_t *image, uint32_t i, uint64_t *out_address) {
  *out_address = 0;
  if (i == 0) return iree_ok_status();
  if (i >= image->symbol_count) return malformed("a relocation names no symbol");
  elf_symbol_t symbol = symbol_at(image, i);
  if (!image_at(image, symbol.st_value, 0)) return malformed("a symbol leaves the image");
  *out_address = bias_of(image) + symbol.st_value;
  return iree_ok_status();
}

static iree_status_t store_checked(uint8_t *target, uint64_t value, bool fits, bool is_word) {
  if (!fits) return malformed("a relocation does not fit its field");
  if (is_word) {
    uintptr_t word = (uintptr_t)value;
    memcpy(target, &word, sizeof(word));
  } else {
    iree_unaligned_store_le_u32(target, (uint32_t)value);
  }
  return iree_ok_status();
}

static iree_status_t relocate_one(elf_image_t *image, const elf_relocation_t *relocation) {
#if UINTPTR_MAX > 0xFFFFFFFFu
  uint32_t type = ELF64_R_TYPE(relocation->r_info);
  uint32_t symbol_index = (uint32_t)ELF64_R_SYM(relocation->r_info);
#else
  uint32_t type = ELF32_R_TYPE(relocation->r_info);
  uint32_t symbol_index = ELF32_R_SYM(relocation->r_info);
#endif
  elf_relocation_form_t form = elf_relocation_form(type);
  if (!form) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "ELF executable has a relocation of type %u, which kernels cannot use",
                            type);
  }
  if (form == ELF_RELOCATION_NONE) return iree_ok_status();
  bool is_word = form == ELF_RELOCATION_WORD || form == ELF_RELOCATION_SYMBOL ||
                 form == ELF_RELOCATION_RELATIVE;
  uint8_t *target = image_at(image, relocation->r_offset, is_word ? sizeof(void *) : 4);
  if (!target) return malformed("a relocation leaves the image");
  uint64_t symbol = 0;
  IREE_RETURN_IF_ERROR(symbol_address(image, symbol_index, &symbol));
#if ELF_HOST_USES_RELA
  uint64_t addend = (uint64_t)(int64_t)relocation->r_addend;
#else
  uint64_t addend = (uint64_t)(int64_t)(int32_t)iree_unaligned_load_le_u32(target);
#endif
  uint64_t value = 0;
  switch (form) {
    case ELF_RELOCATION_NONE:
      return iree_ok_status();
    case ELF_RELOCATION_WORD:
      return store_checked(target, symbol + addend, true, true);
    case ELF_RELOCATION_SYMBOL:
      return store_checked(target, symbol, true, true);
    case ELF_RELOCATION_RELATIVE:
      if (!image_at(image, addend, 0)) return malformed("a relative relocation leaves the image");
      return store_checked(target, bias_of(image) + addend, true, true);
    case ELF_RELOCATION_32:
      value = symbol + addend;
      return store_checked(target, value, value <= UINT32_MAX, false);
    case ELF_RELOCATION_32_SIGNED:
      value = symbol + addend;
      return store_checked(target, value, (int64_t)value == (int32_t)value, false);
    case ELF_RELOCATION_PC_RELATIVE_32:
      value = symbol + addend - (uint64_t)(uintptr_t)target;
      return store_checked(target, value, sizeof(void *) == 4 || (int64_t)value == (int32_t)value,
                           false);
  }
  return malformed("relocation form");
}

static iree_status_t relocate_table(elf_image_t *image, uint64_t address, uint64_t byte_length) {
  if (!byte_length) return iree_ok_status();
  if (byte_length % sizeof(elf_relocation_t) || !image_at(image, address, byte_length)) {
    return malformed("relocation table");
  }
  for (uint64_t offset = 0; offset < byte_length; offset += sizeof(elf_relocation_t)) {
    elf_relocation_t relocation;
    memcpy(&relocation, image_at(image, address + offset, sizeof(relocation)), sizeof(relocation));
    IREE_RETURN_IF_ERROR(relocate_one(image, &relocation));
  }
  return iree_ok_status();
}

//===-- image ---------------------------------------------------------------------------------===//

static iree_status_t run_initializers(elf_image_t *image) {
  if (image->init) {
    void *code = image_at(image, image->init, 1);
    if (!elf_image_contains_code(image, code)) return malformed("initializer outside the code");
    ((void (*)(void))(uintptr_t)code)();
  }
  uint64_t count = image->init_array_bytes / sizeof(void *);
  if (!count) return iree_ok_status();
  const uint8_t *table = image_at(image, image->init_array, image->init_array_bytes);
  if (!table || count > MAX_INIT_FUNCTIONS) return malformed("table of initializers");
  for (uint64_t i = 0; i < count; ++i) {
    uintptr_t code = 0;
    memcpy(&code, table + i * sizeof(code), sizeof(code));
    if (code == 0 || code == UINTPTR_MAX) continue;
    if (!elf_image_contains_code(image, (const void *)code)) {
      return malformed("initializer outside the code");
    }
    ((void (*)(void))code)();
  }
  return iree_ok_status();
}

static iree_status_t load_into(elf_image_t *image, const elf_file_t *file) {
  IREE_RETURN_IF_ERROR(map_segments(image, file));
  IREE_RETURN_IF_ERROR(read_dynamic(image, file));
  IREE_RETURN_IF_ERROR(check_symbols(image));
  IREE_RETURN_IF_ERROR(relocate_table(image, image->relocations, image->relocation_bytes));
  IREE_RETURN_IF_ERROR(relocate_table(image, image->plt_relocations, image->plt_relocation_bytes));
  IREE_RETURN_IF_ERROR(protect_pages(image, file));
  __builtin___clear_cache((char *)image->base, (char *)image->base + image->byte_length);
  return run_initializers(image);
}

iree_status_t elf_image_load(iree_const_byte_span_t data, iree_allocator_t host_allocator,
                             elf_image_t **out_image) {
  *out_image = NULL;
  uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
  elf_file_t file;
  IREE_RETURN_IF_ERROR(elf_file_parse(data, page_bytes, &file));
  elf_image_t *image = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_struct_array(host_allocator, sizeof(*image), file.segment_count,
                                         sizeof(image->ranges[0]), (void **)&image));
  image->host_allocator = host_allocator;
  image->page_bytes = page_bytes;
  iree_status_t status = load_into(image, &file);
  if (!iree_status_is_ok(status)) {
    elf_image_free(image);
    return status;
  }
  *out_image = image;
  return iree_ok_status();
}

void elf_image_free(elf_image_t *image) {
  if (!image) return;
  if (image->base) munmap(image->base, (size_t)image->byte_length);
  iree_allocator_free(image->host_allocator, image);
}

bool elf_image_contains(void *image, const void *ptr, iree_host_size_t length) {
  uint64_t address = (uint64_t)(uintptr_t)ptr - bias_of((const elf_image_t *)image);
  return segment_holds((const elf_image_t *)image, address, length, PF_R);
}

bool elf_image_contains_code(void *image, const void *ptr) {
  uint64_t address = (uint64_t)(uintptr_t)ptr - bias_of((const elf_image_t *)image);
  return ptr && segment_holds((const elf_image_t *)image, address, 1, PF_X);
}

iree_status_t elf_image_lookup_function(elf_image_t *image, const char *name, void **out_address) {
  *out_address = NULL;
  for (uint32_t i = image->symbol_count; i > 1; --i) {
    elf_symbol_t symbol = symbol_at(image, i - 1);
    unsigned binding = symbol.st_info >> 4;
    if ((binding != STB_GLOBAL && binding != STB_WEAK) || !symbol.st_name) continue;
    const char *candidate = symbol_name(image, &symbol);
    if (!candidate || strcmp(candidate, name) != 0) continue;
    void *address = image_at(image, symbol.st_value, 1);
    if (!elf_image_contains_code(image, address)) {
      return malformed("an exported function is not in an executable segment");
    }
    *out_address = address;
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND, "ELF executable does not export '%s'", name);
}
