// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check module: an expectation that does not hold becomes a text with its place in the source.
#include "iree/modules/check/module.h"

#include <math.h>

#include "iree/hal/api.h"
#include "iree/modules/hal/types.h"
#include "iree/vm/shims.h"
#include "runtime/hal/text.h"
#include "runtime/modules/create.h"

#define MAX_PRINTED_ELEMENTS 1024

typedef struct check_module_t {
  iree_allocator_t allocator;
  iree_check_module_sink_t sink;
} check_module_t;

//===-- failures ------------------------------------------------------------------------------===//

// Where the calling program is; nothing when it does not say.
static void append_location(iree_vm_stack_t *stack, iree_string_builder_t *builder) {
  iree_vm_stack_frame_t *caller = iree_vm_stack_parent_frame(stack);
  if (!caller || !caller->function.module) return;
  iree_vm_source_location_t location;
  iree_status_t status = iree_vm_module_resolve_source_location(
      caller->function.module, caller->function, caller->pc, &location);
  if (iree_status_is_ok(status)) {
    status = iree_vm_source_location_format(
        &location, IREE_VM_SOURCE_LOCATION_FORMAT_FLAG_SINGLE_LINE, builder);
  }
  if (!iree_status_is_ok(status)) iree_string_builder_reset(builder);
  iree_status_ignore(status);
}

// Tells what did not hold, or fails the call with it.
static iree_status_t report(check_module_t *module, iree_vm_stack_t *stack,
                            iree_string_view_t text) {
  if (!module->sink.fn) {
    return iree_make_status(IREE_STATUS_ABORTED, "expectation failed: %.*s",
                            (int)iree_min(text.size, (iree_host_size_t)4096), text.data);
  }
  iree_string_builder_t location;
  iree_string_builder_initialize(module->allocator, &location);
  append_location(stack, &location);
  module->sink.fn(module->sink.user_data, iree_string_builder_view(&location), text);
  iree_string_builder_deinitialize(&location);
  return iree_ok_status();
}

static iree_status_t report_scalar(check_module_t *module, iree_vm_stack_t *stack, int32_t value,
                                   const char *wanted) {
  char text[64];
  snprintf(text, sizeof(text), "Expected %d to be %s.", value, wanted);
  return report(module, stack, iree_make_cstring_view(text));
}

static iree_status_t append_view(const char *name, iree_hal_buffer_view_t *view,
                                 iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, "\n  %s:\n    ", name));
  return iree_hal_buffer_view_append_to_builder(view, MAX_PRINTED_ELEMENTS, builder);
}

//===-- comparison ----------------------------------------------------------------------------===//

// Two views whose contents the host can read.
typedef struct pair_t {
  iree_hal_buffer_view_t *views[2];
  iree_hal_buffer_mapping_t mappings[2];
  bool same_type;
  bool same_shape;
} pair_t;

static iree_status_t map_view(const iree_hal_buffer_view_t *view,
                              iree_hal_buffer_mapping_t *out_mapping) {
  return iree_hal_buffer_map_range(iree_hal_buffer_view_buffer(view), IREE_HAL_MAPPING_MODE_SCOPED,
                                   IREE_HAL_MEMORY_ACCESS_READ, 0,
                                   iree_hal_buffer_view_byte_length(view), out_mapping);
}

static bool shapes_match(const iree_hal_buffer_view_t *a, const iree_hal_buffer_view_t *b) {
  iree_host_size_t rank = iree_hal_buffer_view_shape_rank(a);
  return rank == iree_hal_buffer_view_shape_rank(b) &&
         (!rank || memcmp(iree_hal_buffer_view_shape_dims(a), iree_hal_buffer_view_shape_dims(b),
                          rank * sizeof(iree_hal_dim_t)) == 0);
}

static iree_status_t pair_map(iree_vm_ref_t lhs, iree_vm_ref_t rhs, pair_t *pair) {
  memset(pair, 0, sizeof(*pair));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_check_deref(lhs, &pair->views[0]));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_check_deref(rhs, &pair->views[1]));
  pair->same_type = iree_hal_buffer_view_element_type(pair->views[0]) ==
                    iree_hal_buffer_view_element_type(pair->views[1]);
  pair->same_shape = shapes_match(pair->views[0], pair->views[1]);
  IREE_RETURN_IF_ERROR(map_view(pair->views[0], &pair->mappings[0]));
  iree_status_t status = map_view(pair->views[1], &pair->mappings[1]);
  if (iree_status_is_ok(status)) return status;
  return iree_status_join(status, iree_hal_buffer_unmap_range(&pair->mappings[0]));
}

static iree_status_t pair_unmap(pair_t *pair) {
  return iree_status_join(iree_hal_buffer_unmap_range(&pair->mappings[0]),
                          iree_hal_buffer_unmap_range(&pair->mappings[1]));
}

static iree_status_t report_pair(check_module_t *module, iree_vm_stack_t *stack, const pair_t *pair,
                                 const char *relation, iree_string_view_t difference) {
  iree_string_builder_t text;
  iree_string_builder_initialize(module->allocator, &text);
  iree_status_t status = iree_string_builder_append_format(
      &text, "Expected %s of these values.%s%s%.*s", relation,
      pair->same_type ? "" : " Element types do not match.",
      pair->same_shape ? "" : " Shapes do not match.", IREE_SV_ARGS(difference));
  if (iree_status_is_ok(status)) status = append_view("lhs", pair->views[0], &text);
  if (iree_status_is_ok(status)) status = append_view("rhs", pair->views[1], &text);
  if (iree_status_is_ok(status)) {
    status = report(module, stack, iree_string_builder_view(&text));
  }
  iree_string_builder_deinitialize(&text);
  return status;
}

// As upstream's test programs count it: NaN equals NaN, infinities only themselves.
static bool is_close(double actual, double expected, double atol, double rtol) {
  if (actual == expected || (isnan(actual) && isnan(expected))) return true;
  return isfinite(expected) && fabs(actual - expected) <= atol + rtol * fabs(expected);
}

// The first pair of elements that are not close; the count when all are.
static iree_status_t find_far(const pair_t *pair, double atol, double rtol,
                              iree_host_size_t *out_index, double out_values[2]) {
  iree_hal_element_type_t type = iree_hal_buffer_view_element_type(pair->views[0]);
  iree_host_size_t element_size = iree_hal_element_dense_byte_count(type);
  iree_host_size_t count = element_size ? pair->mappings[0].contents.data_length / element_size : 0;
  for (*out_index = 0; *out_index < count; ++*out_index) {
    for (int side = 0; side < 2; ++side) {
      const uint8_t *data = pair->mappings[side].contents.data + *out_index * element_size;
      if (element_float_value(type, data, &out_values[side])) continue;
      char text[32] = {0};
      IREE_RETURN_IF_ERROR(iree_hal_format_element_type(type, sizeof(text), text, NULL));
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "check.expect_almost_eq compares floats, not %s; check.expect_eq "
                              "compares all",
                              text);
    }
    if (!is_close(out_values[0], out_values[1], atol, rtol)) return iree_ok_status();
  }
  return iree_ok_status();
}

//===-- functions -----------------------------------------------------------------------------===//

// clang-format off
IREE_VM_ABI_FIXED_STRUCT(rrrff, { iree_vm_ref_t r0; iree_vm_ref_t r1; iree_vm_ref_t r2; float f3;
    float f4; })
// clang-format on
static IREE_VM_ABI_DEFINE_SHIM(rrrff, v);
static IREE_VM_ABI_DEFINE_SHIM(rrr, v);

#define CHECK_FUNCTION(name, arg_types)                                                  \
  static iree_status_t name(iree_vm_stack_t *stack, check_module_t *module, void *state, \
                            const IREE_VM_ABI_TYPE_NAME(arg_types) * args, iree_vm_abi_v_t * rets)
#define CHECK_UNUSED (void)stack, (void)state, (void)rets

CHECK_FUNCTION(expect_true, i) {
  CHECK_UNUSED;
  return args->i0 ? iree_ok_status() : report_scalar(module, stack, args->i0, "nonzero");
}

CHECK_FUNCTION(expect_false, i) {
  CHECK_UNUSED;
  return args->i0 ? report_scalar(module, stack, args->i0, "zero") : iree_ok_status();
}

// Elements are true when any of their bits is set; negative zero is false, as it equals zero.
static iree_status_t find_false(const iree_hal_buffer_view_t *view, iree_host_size_t *out_index,
                                iree_host_size_t *out_count) {
  iree_hal_element_type_t type = iree_hal_buffer_view_element_type(view);
  iree_host_size_t size = iree_hal_element_dense_byte_count(type);
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(map_view(view, &mapping));
  *out_count = size ? mapping.contents.data_length / size : 0;
  for (*out_index = 0; *out_index < *out_count; ++*out_index) {
    const uint8_t *data = mapping.contents.data + *out_index * size;
    double value = 0;
    bool is_true = false;
    if (element_float_value(type, data, &value)) {
      is_true = value != 0;
    } else {
      for (iree_host_size_t i = 0; i < size; ++i) is_true |= data[i] != 0;
    }
    if (!is_true) break;
  }
  return iree_hal_buffer_unmap_range(&mapping);
}

CHECK_FUNCTION(expect_all_true, rr) {
  CHECK_UNUSED;
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_check_deref(args->r1, &view));
  iree_host_size_t index = 0, count = 0;
  IREE_RETURN_IF_ERROR(find_false(view, &index, &count));
  if (index == count) return iree_ok_status();
  iree_string_builder_t text;
  iree_string_builder_initialize(module->allocator, &text);
  iree_status_t status = iree_string_builder_append_format(
      &text, "Expected all elements to be nonzero. The first that is zero has index %zu.", index);
  if (iree_status_is_ok(status)) status = append_view("operand", view, &text);
  if (iree_status_is_ok(status)) {
    status = report(module, stack, iree_string_builder_view(&text));
  }
  iree_string_builder_deinitialize(&text);
  return status;
}

CHECK_FUNCTION(expect_eq, rrr) {
  CHECK_UNUSED;
  pair_t pair;
  IREE_RETURN_IF_ERROR(pair_map(args->r1, args->r2, &pair));
  iree_byte_span_t lhs = pair.mappings[0].contents, rhs = pair.mappings[1].contents;
  bool same_contents = lhs.data_length == rhs.data_length &&
                       (!lhs.data_length || memcmp(lhs.data, rhs.data, lhs.data_length) == 0);
  IREE_RETURN_IF_ERROR(pair_unmap(&pair));
  if (pair.same_type && pair.same_shape && same_contents) return iree_ok_status();
  return report_pair(
      module, stack, &pair, "equality",
      same_contents ? iree_string_view_empty() : IREE_SV(" Contents does not match."));
}

CHECK_FUNCTION(expect_almost_eq, rrrff) {
  CHECK_UNUSED;
  pair_t pair;
  IREE_RETURN_IF_ERROR(pair_map(args->r1, args->r2, &pair));
  iree_host_size_t index = 0, count = iree_hal_buffer_view_element_count(pair.views[0]);
  double values[2] = {0, 0};
  bool is_far = false;
  iree_status_t status = iree_ok_status();
  if (pair.same_type && pair.same_shape) {
    status = find_far(&pair, (double)args->f3, (double)args->f4, &index, values);
    is_far = index < count;
  }
  status = iree_status_join(status, pair_unmap(&pair));
  if (!iree_status_is_ok(status) || (pair.same_type && pair.same_shape && !is_far)) return status;
  char text[256] = {0};
  if (is_far) {
    snprintf(text, sizeof(text),
             " Contents does not match to tolerance parameters atol=%g, rtol=%g. The first failure "
             "occurs at index %zu as the lhs value %g differs from the rhs value %g by %.3e.",
             (double)args->f3, (double)args->f4, index, values[0], values[1],
             values[1] - values[0]);
  }
  return report_pair(module, stack, &pair, "near equality", iree_make_cstring_view(text));
}

//===-- module --------------------------------------------------------------------------------===//

static const iree_vm_native_export_descriptor_t exports[] = {
#define CHECK_IMPORT(name, cconv, arguments, doc) \
  {.local_name = {name, sizeof(name) - 1}, .calling_convention = {cconv, sizeof(cconv) - 1}},
#include "abi/check_imports.def"
#undef CHECK_IMPORT
};

// In the same order; a function that does not fit its convention fails each call.
static const iree_vm_native_function_ptr_t functions[] = {
#define CHECK_EXPORT(function, arg_types)                                        \
  {.shim = (iree_vm_native_function_shim_t)(void *)iree_vm_shim_##arg_types##_v, \
   .target = (iree_vm_native_function_target_t)(void *)function}
    CHECK_EXPORT(expect_all_true, rr),
    CHECK_EXPORT(expect_almost_eq, rrrff),
    CHECK_EXPORT(expect_eq, rrr),
    CHECK_EXPORT(expect_false, i),
    CHECK_EXPORT(expect_true, i),
#undef CHECK_EXPORT
};
static_assert(IREE_ARRAYSIZE(exports) == IREE_ARRAYSIZE(functions), "the tables go row by row");

static const iree_vm_native_module_descriptor_t descriptor = {
    .name = {"check", 5},
    .version = 0,
    .export_count = IREE_ARRAYSIZE(exports),
    .exports = exports,
    .function_count = IREE_ARRAYSIZE(functions),
    .functions = functions,
};

iree_status_t iree_check_module_create_with_sink(iree_vm_instance_t *instance,
                                                 iree_check_module_sink_t sink,
                                                 iree_allocator_t allocator,
                                                 iree_vm_module_t **out_module) {
  const iree_vm_module_t interface = {0};
  check_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(native_module_create(&descriptor, interface, sizeof(*module), instance,
                                            allocator, (void **)&module, out_module));
  module->allocator = allocator;
  module->sink = sink;
  return iree_ok_status();
}

iree_status_t iree_check_module_create(iree_vm_instance_t *instance, iree_allocator_t allocator,
                                       iree_vm_module_t **out_module) {
  return iree_check_module_create_with_sink(instance, (iree_check_module_sink_t){NULL, NULL},
                                            allocator, out_module);
}
