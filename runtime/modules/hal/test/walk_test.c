// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions of the hal module, older forms too, with arguments that are cut off, null, or refs
// of every other kind: an error or a result, never a crash or a leak.
#include "iree/modules/hal/types.h"
#include "runtime/modules/hal/test/hal_env.h"
#include "runtime/vm/cconv.h"

#define AREA_BYTES 1024
#define GROUP_COUNT 2

static iree_string_view_t fragment(iree_string_view_t cconv, bool is_result) {
  iree_string_view_t arguments, results;
  iree_string_view_split(iree_string_view_remove_prefix(cconv, 1), '_', &arguments, &results);
  iree_string_view_t side = is_result ? results : arguments;
  return iree_string_view_equal(side, IREE_SV("v")) ? iree_string_view_empty() : side;
}

// Where members of arguments are filled from.
typedef struct fill_t {
  iree_vm_ref_t ref;
  uint64_t value;
  uint32_t group_count;
} fill_t;

static void put_member(uint8_t *area, iree_host_size_t *offset, char letter, const fill_t *fill) {
  *offset = iree_host_align(*offset, cconv_alignment(letter));
  bool is_ref = letter == IREE_VM_CCONV_TYPE_REF;
  memcpy(area + *offset, is_ref ? (const void *)&fill->ref : &fill->value, cconv_size(letter));
  *offset += cconv_size(letter);
}

static iree_host_size_t put_arguments(iree_string_view_t letters, const fill_t *fill,
                                      uint8_t *area) {
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < letters.size;) {
    if (letters.data[i] != IREE_VM_CCONV_TYPE_SPAN_START) {
      put_member(area, &offset, letters.data[i++], fill);
      continue;
    }
    iree_string_view_t group = cconv_take_group(letters, &i);
    offset = iree_host_align(offset, 4);
    memcpy(area + offset, &fill->group_count, 4);
    offset = iree_host_align(offset + 4, fill->group_count ? cconv_group_alignment(group) : 4);
    for (uint32_t t = 0; t < fill->group_count; ++t) {
      for (iree_host_size_t k = 0; k < group.size; ++k) {
        put_member(area, &offset, group.data[k], fill);
      }
    }
  }
  return iree_host_align(offset, CCONV_AREA_ALIGNMENT);
}

// Calls export |ordinal| with as many bytes of the arguments; results are dropped.
static iree_status_code_t call_with(test_t *test, fixture_t *fixture, iree_vm_stack_t *stack,
                                    iree_host_size_t ordinal, uint8_t *area,
                                    iree_host_size_t size) {
  iree_vm_function_t function;
  iree_vm_function_signature_t signature;
  EXPECT_OK(fixture->module->get_function(fixture->module->self, IREE_VM_FUNCTION_LINKAGE_EXPORT,
                                          ordinal, &function, NULL, &signature));
  iree_alignas(16) uint8_t results[64] = {0};
  iree_vm_function_call_t request = {
      .function = function,
      .arguments = iree_make_byte_span(area, size),
      .results = iree_make_byte_span(results, sizeof(results)),
  };
  iree_status_code_t code =
      iree_status_consume_code(fixture->module->begin_call(fixture->module->self, stack, request));
  if (code == IREE_STATUS_OK) {
    cconv_release_refs(fragment(signature.calling_convention, true), results);
  }
  iree_vm_stack_reset(stack);
  return code;
}

static iree_string_view_t letters_of(fixture_t *fixture, iree_host_size_t ordinal) {
  iree_vm_function_signature_t signature = {iree_string_view_empty()};
  iree_status_ignore(fixture->module->get_function(
      fixture->module->self, IREE_VM_FUNCTION_LINKAGE_EXPORT, ordinal, NULL, NULL, &signature));
  return fragment(signature.calling_convention, false);
}

TEST(cut_off_arguments_are_refused) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  OPEN_STACK(fixture, stack);
  iree_host_size_t count = iree_vm_module_signature(fixture.module).export_function_count;
  EXPECT(count > 60);
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_string_view_t letters = letters_of(&fixture, i);
    if (letters.size == 0) continue;
    iree_alignas(16) uint8_t area[AREA_BYTES] = {0};
    fill_t fill = {iree_vm_ref_null(), 0, GROUP_COUNT};
    iree_host_size_t size = put_arguments(letters, &fill, area);
    for (iree_host_size_t cut = 0; cut + CCONV_AREA_ALIGNMENT <= size; cut += 4) {
      iree_status_code_t code = call_with(test, &fixture, stack, i, area, cut);
      EXPECT_EQ(code, IREE_STATUS_INVALID_ARGUMENT);
    }
  }
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

// A function with a ref argument refuses null for its first one, but for fences (null: no wait).
TEST(null_and_foreign_refs_are_refused) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  OPEN_STACK(fixture, stack);
  iree_vm_buffer_t *bytes = NULL;
  EXPECT_OK(iree_vm_buffer_create(IREE_VM_BUFFER_ACCESS_MUTABLE | IREE_VM_BUFFER_ACCESS_ORIGIN_HOST,
                                  64, 16, iree_allocator_system(), &bytes));
  iree_vm_ref_t refs[] = {iree_vm_ref_null(), iree_hal_device_retain_ref(fixture.device),
                          iree_hal_allocator_retain_ref(iree_hal_device_allocator(fixture.device)),
                          iree_vm_buffer_move_ref(bytes)};
  static const uint64_t values[] = {0, 1, UINT64_MAX, UINT64_MAX >> 1};
  iree_host_size_t count = iree_vm_module_signature(fixture.module).export_function_count;
  uint32_t refused = 0, calls = 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_string_view_t letters = letters_of(&fixture, i);
    for (size_t r = 0; r < IREE_ARRAYSIZE(refs); ++r) {
      for (size_t v = 0; v < IREE_ARRAYSIZE(values); ++v, ++calls) {
        iree_alignas(16) uint8_t area[AREA_BYTES] = {0};
        fill_t fill = {refs[r], values[v], GROUP_COUNT};
        iree_host_size_t size = put_arguments(letters, &fill, area);
        refused += call_with(test, &fixture, stack, i, area, size) != IREE_STATUS_OK;
      }
    }
  }
  EXPECT(refused > calls / 2);
  for (size_t r = 0; r < IREE_ARRAYSIZE(refs); ++r) iree_vm_ref_release(&refs[r]);
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

TEST_MAIN(CASE(cut_off_arguments_are_refused) CASE(null_and_foreign_refs_are_refused))
