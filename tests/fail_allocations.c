// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a module, calls a function and unloads, with the n-th allocation failing, for every n:
//
//   fail_allocations DEVICE FILE FUNCTION INPUT...      16 or 1x784: ones in f32 of that shape; i32=3: a scalar
//
// Each run has to fail as RESOURCE_EXHAUSTED, or do without what it could not get, and leave no block behind.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iree/runtime/api.h"

typedef struct counter_t {
  long allocations, live, fail_at;
} counter_t;

static iree_status_t counter_ctl(void *self, iree_allocator_command_t command, const void *params, void **inout_ptr) {
  counter_t *counter = self;
  iree_allocator_t system = iree_allocator_system();
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    if (*inout_ptr) __atomic_sub_fetch(&counter->live, 1, __ATOMIC_RELAXED);
    return system.ctl(system.self, command, params, inout_ptr);
  }
  if (__atomic_add_fetch(&counter->allocations, 1, __ATOMIC_RELAXED) == counter->fail_at)
    return iree_status_from_code(IREE_STATUS_RESOURCE_EXHAUSTED);
  int is_new = command != IREE_ALLOCATOR_COMMAND_REALLOC || !*inout_ptr;
  iree_status_t status = system.ctl(system.self, command, params, inout_ptr);
  if (iree_status_is_ok(status) && is_new) __atomic_add_fetch(&counter->live, 1, __ATOMIC_RELAXED);
  return status;
}

// "4" or "1x784": ones of that shape; "i32=10": a scalar tensor.
static iree_status_t push_input(iree_runtime_session_t *session, iree_runtime_call_t *call, const char *text) {
  iree_hal_dim_t shape[8];
  iree_host_size_t rank = 0, count = 1;
  int is_scalar = !strncmp(text, "i32=", 4);
  for (const char *p = text; !is_scalar && *p && rank < 8; p += strcspn(p, "x"), p += *p == 'x')
    count *= (shape[rank++] = strtoul(p, NULL, 10));
  float *ones = malloc(count * sizeof(float));
  if (!ones) abort();
  for (iree_host_size_t i = 0; i < count; ++i) ones[i] = 1;
  int32_t scalar = is_scalar ? (int32_t)strtol(text + 4, NULL, 10) : 0;
  iree_hal_buffer_view_t *view = NULL;
  iree_status_t status = iree_hal_buffer_view_allocate_buffer_copy(
      iree_runtime_session_device(session), iree_runtime_session_device_allocator(session), rank, shape,
      is_scalar ? IREE_HAL_ELEMENT_TYPE_INT_32 : IREE_HAL_ELEMENT_TYPE_FLOAT_32, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR,
      (iree_hal_buffer_params_t){.type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL, .access = IREE_HAL_MEMORY_ACCESS_ALL, .usage = IREE_HAL_BUFFER_USAGE_DEFAULT},
      is_scalar ? iree_make_const_byte_span(&scalar, 4) : iree_make_const_byte_span(ones, count * sizeof(float)), &view);
  if (iree_status_is_ok(status)) status = iree_runtime_call_inputs_push_back_buffer_view(call, view);
  iree_hal_buffer_view_release(view);
  free(ones);
  return status;
}

static iree_status_t call_function(iree_runtime_session_t *session, char **args) {
  iree_runtime_call_t call;
  IREE_RETURN_IF_ERROR(iree_runtime_call_initialize_by_name(session, iree_make_cstring_view(args[3]), &call));
  iree_status_t status = iree_ok_status();
  for (char **arg = args + 4; *arg && iree_status_is_ok(status); ++arg) status = push_input(session, &call, *arg);
  if (iree_status_is_ok(status)) status = iree_runtime_call_invoke(&call, 0);
  iree_runtime_call_deinitialize(&call);
  return status;
}

static iree_status_t load_call_unload(char **args, iree_allocator_t allocator) {
  iree_runtime_instance_options_t options;
  iree_runtime_instance_options_initialize(&options);
  iree_runtime_instance_options_use_all_available_drivers(&options);
  iree_runtime_instance_t *instance = NULL;
  iree_hal_device_t *device = NULL;
  iree_runtime_session_t *session = NULL;
  iree_status_t status = iree_runtime_instance_create(&options, allocator, &instance);
  if (iree_status_is_ok(status))
    status = iree_runtime_instance_try_create_default_device(instance, iree_make_cstring_view(args[1]), &device);
  iree_runtime_session_options_t session_options;
  iree_runtime_session_options_initialize(&session_options);
  if (iree_status_is_ok(status))
    status = iree_runtime_session_create_with_device(instance, &session_options, device, allocator, &session);
  if (iree_status_is_ok(status)) status = iree_runtime_session_append_bytecode_module_from_file(session, args[2]);
  if (iree_status_is_ok(status)) status = call_function(session, args);
  iree_runtime_session_release(session);
  iree_hal_device_release(device);
  iree_runtime_instance_release(instance);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  counter_t counter = {0};
  iree_allocator_t allocator = {&counter, counter_ctl};
  iree_status_t status = load_call_unload(argv, allocator);
  if (!iree_status_is_ok(status) || counter.live) {
    iree_status_fprint(stderr, status);
    fprintf(stderr, "%ld blocks are left of a run without failures\n", counter.live);
    return 1;
  }
  long count = counter.allocations, failed = 0;
  for (long n = 1; n <= count; ++n) {
    counter = (counter_t){.fail_at = n};
    iree_status_code_t code = iree_status_consume_code(load_call_unload(argv, allocator));
    failed += code != IREE_STATUS_OK;
    if ((code != IREE_STATUS_RESOURCE_EXHAUSTED && code != IREE_STATUS_OK) || counter.live) {
      fprintf(stderr, "failure %ld of %ld: code %d, %ld blocks left\n", n, count, (int)code, counter.live);
      return 1;
    }
  }
  printf("%ld allocations, %ld of them needed\n", count, failed);
  return 0;
}
