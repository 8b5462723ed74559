// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel IR -> object -> packed ELF -> mapped as an embedded loader would -> called.
#include "compiler/codegen/llvm/elf_pack.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/test.h"
#include "compiler/codegen/llvm/library.h"
#include "compiler/codegen/llvm/machine.h"

typedef struct {
  uint8_t *bytes;
  size_t size;
} image_t;

// i32 kernel(env, state, workgroup): out[0..4] = a[0..4] + b[0..4] (+ table[0..4] from memory).
static void build_add(LLVMModuleRef module, bool use_table, const char *undefined,
                      LLVMValueRef *out_function) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0), i64 = LLVMInt64TypeInContext(c);
  LLVMTypeRef f32 = LLVMFloatTypeInContext(c), v4 = LLVMVectorType(f32, 4);
  LLVMValueRef function = LLVMAddFunction(module, "add_dispatch_0", llvm_kernel_type(c));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  llvm_set_function_attributes(function, false);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, function, ""));
  LLVMValueRef at = LLVMConstInt(i64, 32, 0);
  LLVMValueRef field =
      LLVMBuildGEP2(b, LLVMInt8TypeInContext(c), LLVMGetParam(function, 1), &at, 1, "");
  LLVMValueRef bindings = LLVMBuildLoad2(b, pointer, field, "");
  LLVMValueRef p[3];
  for (unsigned i = 0; i < 3; ++i) {
    LLVMValueRef index = LLVMConstInt(i64, i, 0);
    p[i] = LLVMBuildLoad2(b, pointer, LLVMBuildGEP2(b, pointer, bindings, &index, 1, ""), "");
  }
  LLVMValueRef x = LLVMBuildLoad2(b, v4, p[0], ""), y = LLVMBuildLoad2(b, v4, p[1], "");
  LLVMSetAlignment(x, 4), LLVMSetAlignment(y, 4);
  LLVMValueRef sum = LLVMBuildFAdd(b, x, y, "");
  if (use_table) {
    // A constant reached through a stored pointer: needs a RELATIVE relocation.
    LLVMValueRef e[4];
    for (int i = 0; i < 4; ++i) e[i] = LLVMConstReal(f32, 100.0 * (i + 1));
    LLVMValueRef data = LLVMAddGlobal(module, v4, "data");
    LLVMSetInitializer(data, LLVMConstVector(e, 4));
    LLVMSetLinkage(data, LLVMInternalLinkage);
    LLVMSetGlobalConstant(data, 1);
    LLVMValueRef slot = LLVMAddGlobal(module, pointer, "slot");
    LLVMSetInitializer(slot, data);
    LLVMSetLinkage(slot, LLVMInternalLinkage);
    LLVMValueRef loaded = LLVMBuildLoad2(b, pointer, slot, "");
    LLVMSetVolatile(loaded, 1);
    sum = LLVMBuildFAdd(b, sum, LLVMBuildLoad2(b, v4, loaded, ""), "");
  }
  LLVMSetAlignment(LLVMBuildStore(b, sum, p[2]), 4);
  if (undefined) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0);
    LLVMBuildCall2(b, type, LLVMAddFunction(module, undefined, type), NULL, 0, "");
  }
  LLVMBuildRet(b, LLVMConstInt(LLVMInt32TypeInContext(c), 0, 0));
  LLVMDisposeBuilder(b);
  *out_function = function;
}

static iree_status_t make_image(const char *triple, const char *features, bool use_table,
                                const char *undefined, image_t *out_image) {
  codegen_target_options_t options = {iree_make_cstring_view(triple), iree_string_view_empty(),
                                      iree_make_cstring_view(features), CODEGEN_LINK_EMBEDDED,
                                      iree_string_view_empty()};
  codegen_target_t *target = NULL;
  IREE_RETURN_IF_ERROR(codegen_target_create(&options, &target));
  llvm_session_t session;
  llvm_session_init(&session);
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", session.context);
  LLVMSetTarget(module, target->triple);
  LLVMSetDataLayout(module, target->data_layout);
  llvm_library_export_t export = {.name = "add", .binding_count = 3};
  build_add(module, use_table, undefined, &export.function);
  llvm_library_params_t params = {.exports = &export, .export_count = 1};
  iree_status_t status = llvm_library_build(module, &params);
  LLVMTargetMachineRef machine = NULL;
  if (iree_status_is_ok(status)) status = llvm_machine_create(target, &machine);
  LLVMMemoryBufferRef object = NULL;
  if (iree_status_is_ok(status)) {
    status = llvm_emit(&session, machine, module, LLVM_OUTPUT_OBJECT, &object);
  }
  if (iree_status_is_ok(status)) {
    iree_const_byte_span_t span =
        iree_make_const_byte_span(LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    elf_pack_params_t pack = {
        .objects = &span,
        .object_count = 1,
        .export_symbol = LLVM_LIBRARY_QUERY_SYMBOL,
        .processor_words = target->processor,
        .processor_word_count = CODEGEN_PROCESSOR_WORDS,
    };
    status = elf_pack(&pack, &out_image->bytes, &out_image->size);
  }
  if (object) LLVMDisposeMemoryBuffer(object);
  if (machine) LLVMDisposeTargetMachine(machine);
  LLVMDisposeModule(module);
  llvm_session_deinit(&session);
  codegen_target_free(target);
  return status;
}

// One of two objects: a kernel with a table, or a library that knows the kernel by name alone and
// has locals of the same names.
static iree_status_t make_half(const char *triple, bool is_library, LLVMMemoryBufferRef *out) {
  codegen_target_options_t options = {iree_make_cstring_view(triple), iree_string_view_empty(),
                                      iree_string_view_empty(), CODEGEN_LINK_EMBEDDED,
                                      iree_string_view_empty()};
  codegen_target_t *target = NULL;
  IREE_RETURN_IF_ERROR(codegen_target_create(&options, &target));
  llvm_session_t session;
  llvm_session_init(&session);
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", session.context);
  LLVMSetTarget(module, target->triple);
  LLVMSetDataLayout(module, target->data_layout);
  LLVMValueRef kernel = NULL;
  build_add(module, true, NULL, &kernel);
  iree_status_t status = iree_ok_status();
  if (is_library) {
    LLVMSetValueName2(kernel, "unused", 6);
    kernel = LLVMAddFunction(module, "add_dispatch_0", llvm_kernel_type(session.context));
    llvm_library_export_t export = {.name = "add", .binding_count = 3, .function = kernel};
    llvm_library_params_t params = {.exports = &export, .export_count = 1};
    status = llvm_library_build(module, &params);
  }
  LLVMSetLinkage(kernel, LLVMExternalLinkage);
  LLVMSetVisibility(kernel, LLVMHiddenVisibility);
  LLVMTargetMachineRef machine = NULL;
  if (iree_status_is_ok(status)) status = llvm_machine_create(target, &machine);
  if (iree_status_is_ok(status))
    status = llvm_emit(&session, machine, module, LLVM_OUTPUT_OBJECT, out);
  if (machine) LLVMDisposeTargetMachine(machine);
  LLVMDisposeModule(module);
  llvm_session_deinit(&session);
  codegen_target_free(target);
  return status;
}

static iree_status_t pack_buffers(const LLVMMemoryBufferRef *buffers, size_t count,
                                  image_t *out_image) {
  iree_const_byte_span_t spans[4];
  for (size_t i = 0; i < count; ++i) {
    spans[i] =
        iree_make_const_byte_span(LLVMGetBufferStart(buffers[i]), LLVMGetBufferSize(buffers[i]));
  }
  elf_pack_params_t pack = {
      .objects = spans, .object_count = count, .export_symbol = LLVM_LIBRARY_QUERY_SYMBOL};
  return elf_pack(&pack, &out_image->bytes, &out_image->size);
}

static uint64_t u(const uint8_t *p, int bytes) {
  uint64_t v = 0;
  for (int i = 0; i < bytes; ++i) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

// Maps |image| as a loader does and returns its base; NULL on failure.
static uint8_t *map_image(const image_t *image, size_t *out_span) {
  const uint8_t *file = image->bytes;
  size_t count = (size_t)u(file + 56, 2), span = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t *ph = file + 64 + 56 * i;
    if (u(ph, 4) == 1 && u(ph + 16, 8) + u(ph + 40, 8) > span) span = u(ph + 16, 8) + u(ph + 40, 8);
  }
  span = (span + 4095) & ~(size_t)4095;
  uint8_t *base = mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return NULL;
  uint64_t rela = 0, rela_size = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t *ph = file + 64 + 56 * i;
    if (u(ph, 4) == 1) memcpy(base + u(ph + 16, 8), file + u(ph + 8, 8), u(ph + 32, 8));
    if (u(ph, 4) != 2) continue;
    const uint8_t *dyn = file + u(ph + 8, 8);
    for (size_t d = 0; d < u(ph + 32, 8) / 16; ++d) {
      if (u(dyn + 16 * d, 8) == 7) rela = u(dyn + 16 * d + 8, 8);
      if (u(dyn + 16 * d, 8) == 8) rela_size = u(dyn + 16 * d + 8, 8);
    }
  }
  for (uint64_t r = 0; r < rela_size; r += 24) {
    const uint8_t *e = file + rela + r;
    uint64_t value = (uint64_t)(uintptr_t)base + u(e + 16, 8);
    memcpy(base + u(e, 8), &value, 8);
  }
  for (size_t i = 0; i < count; ++i) {
    const uint8_t *ph = file + 64 + 56 * i;
    if (u(ph, 4) == 1 && (u(ph + 4, 4) & 1)) {
      if (mprotect(base, (u(ph + 40, 8) + 4095) & ~4095ull, PROT_READ | PROT_EXEC)) return NULL;
    }
  }
  *out_span = span;
  return base;
}

static uint64_t exported_address(const image_t *image) {
  const uint8_t *file = image->bytes;
  for (size_t i = 0; i < u(file + 56, 2); ++i) {
    const uint8_t *ph = file + 64 + 56 * i;
    if (u(ph, 4) != 2) continue;
    for (size_t d = 0; d < u(ph + 32, 8) / 16; ++d) {
      const uint8_t *dyn = file + u(ph + 8, 8) + 16 * d;
      if (u(dyn, 8) == 6) return u(file + u(dyn + 8, 8) + 24 + 8, 8);
    }
  }
  return 0;
}

typedef const void *(*query_fn_t)(uint32_t, const void *);
typedef int (*kernel_fn_t)(const void *, const void *, const void *);

static void run_image(test_t *test, const image_t *image, const float *expected) {
#if defined(__x86_64__)
  size_t span = 0;
  uint8_t *base = map_image(image, &span);
  ASSERT(base != NULL);
  query_fn_t query;
  void *address = base + exported_address(image);
  memcpy(&query, &address, sizeof(query));
  EXPECT(query(5, NULL) == NULL);
  const uint8_t *library = query(6, NULL);
  ASSERT(library != NULL);
  const uint8_t *header, *attributes;
  char *const *names;
  kernel_fn_t *kernels;
  memcpy(&header, library, 8);
  memcpy(&kernels, library + 32, 8);
  memcpy(&attributes, library + 40, 8);
  memcpy(&names, library + 64, 8);
  EXPECT_EQ(u(header, 4), 6);
  EXPECT_EQ(u(library + 24, 4), 1);
  EXPECT_EQ(attributes[11], 3);
  EXPECT_EQ(attributes[10], 0);
  EXPECT(strcmp(names[0], "add") == 0);
  float a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40}, c[4] = {0};
  void *bindings[3] = {a, b, c};
  uint8_t state[48] = {0};
  void *table = bindings;
  memcpy(state + 32, &table, 8);
  EXPECT_EQ(kernels[0](NULL, state, NULL), 0);
  for (int i = 0; i < 4; ++i) EXPECT(c[i] == expected[i]);
  munmap(base, span);
#else
  (void)image, (void)expected;
  test->skip_reason = "runs x86-64 code";
#endif
}

TEST(add_runs) {
  image_t image = {0};
  EXPECT_OK(make_image("x86_64", "", false, NULL, &image));
  ASSERT(image.bytes != NULL);
  printf("  add: %zu bytes\n", image.size);
  EXPECT(image.size <= 900);
  run_image(test, &image, (const float[4]){11, 22, 33, 44});
  free(image.bytes);
}

TEST(features_are_noted) {
  image_t image = {0};
  EXPECT_OK(make_image("x86_64", "+avx2,+fma", false, NULL, &image));
  ASSERT(image.bytes != NULL);
  printf("  add with features: %zu bytes\n", image.size);
  EXPECT(image.size <= 900);
  uint64_t bits = 0;
  for (size_t i = 0; i + 28 < image.size; ++i) {
    if (memcmp(image.bytes + i, "iree-c", 7) == 0) bits = u(image.bytes + i + 8, 8);
  }
  EXPECT_EQ(bits, 1 | 2 | 4 | 8 | 1 << 10 | 1 << 11 | 1 << 15);
  free(image.bytes);
}

TEST(stored_pointers_become_relative) {
  image_t image = {0};
  EXPECT_OK(make_image("x86_64", "", true, NULL, &image));
  ASSERT(image.bytes != NULL);
  run_image(test, &image, (const float[4]){111, 222, 333, 444});
  free(image.bytes);
}

TEST(arm_64_packs) {
  image_t image = {0};
  EXPECT_OK(make_image("aarch64", "", true, NULL, &image));
  ASSERT(image.bytes != NULL);
  EXPECT_EQ(u(image.bytes + 18, 2), 183);
  free(image.bytes);
}

TEST(two_objects_become_one) {
  LLVMMemoryBufferRef kernel = NULL, library = NULL;
  EXPECT_OK(make_half("x86_64", false, &kernel));
  EXPECT_OK(make_half("x86_64", true, &library));
  ASSERT(kernel && library);
  image_t one = {0}, image = {0};
  EXPECT_OK(make_image("x86_64", "", true, NULL, &one));
  const LLVMMemoryBufferRef orders[2][2] = {{kernel, library}, {library, kernel}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(pack_buffers(orders[i], 2, &image));
    ASSERT(image.bytes != NULL);
    // What only the library's object has, and nothing reaches, is not there.
    EXPECT(image.size <= one.size + 16);
    run_image(test, &image, (const float[4]){111, 222, 333, 444});
    free(image.bytes);
  }
  free(one.bytes);
  LLVMDisposeMemoryBuffer(kernel);
  LLVMDisposeMemoryBuffer(library);
}

TEST(objects_that_do_not_fit_are_errors) {
  LLVMMemoryBufferRef kernel = NULL, library = NULL, other = NULL;
  EXPECT_OK(make_half("aarch64", false, &kernel));
  EXPECT_OK(make_half("aarch64", true, &library));
  EXPECT_OK(make_half("x86_64", false, &other));
  ASSERT(kernel && library && other);
  image_t image = {0};
  EXPECT_OK(pack_buffers((LLVMMemoryBufferRef[]){kernel, library}, 2, &image));
  free(image.bytes);
  EXPECT_STATUS(INVALID_ARGUMENT,
                pack_buffers((LLVMMemoryBufferRef[]){other, library}, 2, &image));
  EXPECT_STATUS(INVALID_ARGUMENT,
                pack_buffers((LLVMMemoryBufferRef[]){kernel, kernel, library}, 3, &image));
  EXPECT_STATUS(NOT_FOUND, pack_buffers(&library, 1, &image));
  EXPECT_STATUS(NOT_FOUND, pack_buffers(&kernel, 1, &image));
  EXPECT_STATUS(INVALID_ARGUMENT, pack_buffers(NULL, 0, &image));
  EXPECT(image.bytes == NULL);
  LLVMDisposeMemoryBuffer(kernel);
  LLVMDisposeMemoryBuffer(library);
  LLVMDisposeMemoryBuffer(other);
}

TEST(undefined_symbol_is_an_error) {
  image_t image = {0};
  EXPECT_STATUS(NOT_FOUND, make_image("x86_64", "", false, "memcpy", &image));
  EXPECT(image.bytes == NULL);
}

TEST(damaged_objects_are_errors) {
  uint8_t junk[256] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  iree_const_byte_span_t span = iree_make_const_byte_span(junk, sizeof(junk));
  elf_pack_params_t params = {.objects = &span, .object_count = 1, .export_symbol = "f"};
  image_t image = {0};
  junk[16] = 1, junk[18] = 62;
  for (size_t at = 16; at < 64; ++at) {
    for (int value = 1; value < 256; value += 84) {
      uint8_t old = junk[at];
      junk[at] = (uint8_t)value;
      iree_status_t status = elf_pack(&params, &image.bytes, &image.size);
      EXPECT(!iree_status_is_ok(status));
      iree_status_free(status);
      junk[at] = old;
    }
  }
}

TEST_MAIN(CASE(add_runs) CASE(features_are_noted) CASE(stored_pointers_become_relative)
              CASE(arm_64_packs) CASE(two_objects_become_one)
                  CASE(objects_that_do_not_fit_are_errors) CASE(undefined_symbol_is_an_error)
                      CASE(damaged_objects_are_errors))
