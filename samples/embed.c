// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs samples/add.mlir from a C program: `embed add.vmfb [DRIVER]`, DRIVER by default local-sync.
//
//   instance   the process: types and drivers          session   one program's state on one device
//   device     where buffers and kernels live          call      arguments and results of one function
#include <stdio.h>

#include "iree/runtime/api.h"

// Appends a vector to the arguments of |call|.
static iree_status_t push_vector(iree_runtime_session_t *session, iree_runtime_call_t *call, const float *values,
                                 iree_host_size_t count) {
  const iree_hal_dim_t shape[] = {count};
  const iree_hal_buffer_params_t params = {.usage = IREE_HAL_BUFFER_USAGE_DEFAULT,
                                           .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_allocate_buffer_copy(
      iree_runtime_session_device(session), iree_runtime_session_device_allocator(session), 1, shape,
      IREE_HAL_ELEMENT_TYPE_FLOAT_32, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, params,
      iree_make_const_byte_span(values, count * sizeof(float)), &view));
  iree_status_t status = iree_runtime_call_inputs_push_back_buffer_view(call, view);
  iree_hal_buffer_view_release(view);
  return status;
}

// Invokes a call that has its arguments and prints its result.
static iree_status_t invoke_and_print(iree_runtime_session_t *session, iree_runtime_call_t *call) {
  IREE_RETURN_IF_ERROR(iree_runtime_call_invoke(call, 0));
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_runtime_call_outputs_pop_front_buffer_view(call, &view));
  iree_status_t status =
      iree_hal_buffer_view_fprint(stdout, view, 1024, iree_runtime_session_host_allocator(session));
  iree_hal_buffer_view_release(view);
  if (iree_status_is_ok(status)) fputc('\n', stdout);
  return status;
}

static iree_status_t add(iree_runtime_session_t *session) {
  static const float lhs[] = {1, 2, 3, 4}, rhs[] = {5, 6, 7, 8};
  iree_runtime_call_t call;
  IREE_RETURN_IF_ERROR(
      iree_runtime_call_initialize_by_name(session, iree_make_cstring_view("module.add"), &call));
  iree_status_t status = push_vector(session, &call, lhs, 4);
  if (iree_status_is_ok(status)) status = push_vector(session, &call, rhs, 4);
  if (iree_status_is_ok(status)) status = invoke_and_print(session, &call);
  iree_runtime_call_deinitialize(&call);
  return status;
}

static iree_status_t run(const char *path, const char *driver) {
  iree_runtime_instance_options_t instance_options;
  iree_runtime_instance_options_initialize(&instance_options);
  iree_runtime_instance_options_use_all_available_drivers(&instance_options);
  iree_runtime_instance_t *instance = NULL;
  IREE_RETURN_IF_ERROR(iree_runtime_instance_create(&instance_options, iree_allocator_system(), &instance));

  iree_hal_device_t *device = NULL;
  iree_status_t status =
      iree_runtime_instance_try_create_default_device(instance, iree_make_cstring_view(driver), &device);

  iree_runtime_session_options_t session_options;
  iree_runtime_session_options_initialize(&session_options);
  iree_runtime_session_t *session = NULL;
  if (iree_status_is_ok(status)) {
    status = iree_runtime_session_create_with_device(instance, &session_options, device,
                                                     iree_runtime_instance_host_allocator(instance), &session);
  }
  if (iree_status_is_ok(status)) status = iree_runtime_session_append_bytecode_module_from_file(session, path);
  if (iree_status_is_ok(status)) status = add(session);

  iree_runtime_session_release(session);
  iree_hal_device_release(device);
  iree_runtime_instance_release(instance);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: %s add.vmfb [DRIVER]\n", argv[0]);
    return 1;
  }
  iree_status_t status = run(argv[1], argc == 3 ? argv[2] : "local-sync");
  if (iree_status_is_ok(status)) return 0;
  iree_status_fprint(stderr, status);
  iree_status_ignore(status);
  return 1;
}
