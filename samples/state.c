// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two counters of samples/state.mlir that do not know of each other: `state state.vmfb`.
// A session has the program's variables; sessions share the device and the instance.
#include <stdio.h>

#include "iree/runtime/api.h"

static iree_status_t add(iree_runtime_session_t *session, int32_t amount, int32_t *out_count) {
  iree_runtime_call_t call;
  IREE_RETURN_IF_ERROR(iree_runtime_call_initialize_by_name(session, iree_make_cstring_view("module.add"), &call));
  const iree_hal_buffer_params_t params = {.usage = IREE_HAL_BUFFER_USAGE_DEFAULT, .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_device_t *device = iree_runtime_session_device(session);
  iree_hal_buffer_view_t *argument = NULL, *result = NULL;
  iree_status_t status = iree_hal_buffer_view_allocate_buffer_copy(
      device, iree_runtime_session_device_allocator(session), 0, NULL, IREE_HAL_ELEMENT_TYPE_SINT_32,
      IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, params, iree_make_const_byte_span(&amount, sizeof(amount)), &argument);
  if (iree_status_is_ok(status)) status = iree_runtime_call_inputs_push_back_buffer_view(&call, argument);
  if (iree_status_is_ok(status)) status = iree_runtime_call_invoke(&call, 0);
  if (iree_status_is_ok(status)) status = iree_runtime_call_outputs_pop_front_buffer_view(&call, &result);
  if (iree_status_is_ok(status))
    status = iree_hal_device_transfer_d2h(device, iree_hal_buffer_view_buffer(result), 0, out_count, sizeof(*out_count),
                                          IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT, iree_infinite_timeout());
  iree_hal_buffer_view_release(result);
  iree_hal_buffer_view_release(argument);
  iree_runtime_call_deinitialize(&call);
  return status;
}

static iree_status_t open_session(iree_runtime_instance_t *instance, iree_hal_device_t *device, const char *path,
                                  iree_runtime_session_t **out_session) {
  iree_runtime_session_options_t options;
  iree_runtime_session_options_initialize(&options);
  IREE_RETURN_IF_ERROR(iree_runtime_session_create_with_device(instance, &options, device,
                                                               iree_runtime_instance_host_allocator(instance), out_session));
  return iree_runtime_session_append_bytecode_module_from_file(*out_session, path);
}

static iree_status_t run(const char *path) {
  iree_runtime_instance_options_t options;
  iree_runtime_instance_options_initialize(&options);
  iree_runtime_instance_options_use_all_available_drivers(&options);
  iree_runtime_instance_t *instance = NULL;
  IREE_RETURN_IF_ERROR(iree_runtime_instance_create(&options, iree_allocator_system(), &instance));
  iree_hal_device_t *device = NULL;
  iree_runtime_session_t *sessions[2] = {NULL, NULL};
  int32_t first = 0, second = 0;
  iree_status_t status = iree_runtime_instance_try_create_default_device(instance, iree_make_cstring_view("local-sync"), &device);
  for (int i = 0; i < 2 && iree_status_is_ok(status); ++i) status = open_session(instance, device, path, &sessions[i]);
  for (int i = 1; i <= 3 && iree_status_is_ok(status); ++i) status = add(sessions[0], i, &first);
  if (iree_status_is_ok(status)) status = add(sessions[1], 10, &second);
  if (iree_status_is_ok(status)) printf("first %d, second %d\n", (int)first, (int)second);
  for (int i = 0; i < 2; ++i) iree_runtime_session_release(sessions[i]);
  iree_hal_device_release(device);
  iree_runtime_instance_release(instance);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s state.vmfb\n", argv[0]);
    return 1;
  }
  iree_status_t status = run(argv[1]);
  if (iree_status_is_ok(status)) return 0;
  iree_status_fprint(stderr, status);
  iree_status_ignore(status);
  return 1;
}
