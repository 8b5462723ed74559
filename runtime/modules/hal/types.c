// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HAL objects as VM types: all start with their reference count.
#include "iree/modules/hal/types.h"

static void destroy_resource(void *ptr) {
  ((const iree_hal_resource_vtable_t *)((iree_hal_resource_t *)ptr)->vtable)
      ->destroy((iree_hal_resource_t *)ptr);
}
static void destroy_fence(void *ptr) { iree_hal_fence_destroy((iree_hal_fence_t *)ptr); }

#define HAL_TYPES(ROW)                                                                            \
  ROW(iree_hal_allocator, iree_hal_allocator_t, "hal.allocator", destroy_resource)                \
  ROW(iree_hal_buffer, iree_hal_buffer_t, "hal.buffer", destroy_resource)                         \
  ROW(iree_hal_buffer_view, iree_hal_buffer_view_t, "hal.buffer_view", destroy_resource)          \
  ROW(iree_hal_channel, iree_hal_channel_t, "hal.channel", destroy_resource)                      \
  ROW(iree_hal_command_buffer, iree_hal_command_buffer_t, "hal.command_buffer", destroy_resource) \
  ROW(iree_hal_device, iree_hal_device_t, "hal.device", destroy_resource)                         \
  ROW(iree_hal_executable, iree_hal_executable_t, "hal.executable", destroy_resource)             \
  ROW(iree_hal_fence, iree_hal_fence_t, "hal.fence", destroy_fence)                               \
  ROW(iree_hal_file, iree_hal_file_t, "hal.file", destroy_resource)                               \
  ROW(iree_hal_semaphore, iree_hal_semaphore_t, "hal.semaphore", destroy_resource)

#define DEFINE_ADAPTERS(name, T, text, destroy) IREE_VM_DEFINE_TYPE_ADAPTERS(name, T);
HAL_TYPES(DEFINE_ADAPTERS)

#define DEFINE_DESCRIPTOR(name, T, text, destroy_fn)               \
  static const iree_vm_ref_type_descriptor_t name##_descriptor = { \
      .destroy = destroy_fn, .type_name = {text, sizeof(text) - 1}};
HAL_TYPES(DEFINE_DESCRIPTOR)

iree_status_t iree_hal_module_register_all_types(iree_vm_instance_t *instance) {
#define REGISTER(name, T, text, destroy) \
  IREE_RETURN_IF_ERROR(                  \
      iree_vm_instance_register_type(instance, &name##_descriptor, &name##_registration));
  HAL_TYPES(REGISTER)
#undef REGISTER
  return iree_ok_status();
}

static iree_status_t resolve(iree_vm_instance_t *instance, iree_string_view_t name,
                             iree_vm_ref_type_t *out_type) {
  *out_type = iree_vm_instance_lookup_type(instance, name);
  if (*out_type) return iree_ok_status();
  return iree_make_status(IREE_STATUS_NOT_FOUND,
                          "type '%.*s' is not registered; call iree_hal_module_register_all_types "
                          "in the program that made the instance",
                          IREE_SV_ARGS(name));
}

iree_status_t iree_hal_module_resolve_all_types(iree_vm_instance_t *instance) {
#define RESOLVE(name, T, text, destroy) \
  IREE_RETURN_IF_ERROR(resolve(instance, IREE_SV(text), &name##_registration));
  HAL_TYPES(RESOLVE)
#undef RESOLVE
  return iree_vm_resolve_builtin_types(instance);
}

iree_status_t iree_hal_module_register_inline_types(iree_vm_instance_t *instance) {
  return iree_hal_module_register_all_types(instance);
}
iree_status_t iree_hal_module_register_loader_types(iree_vm_instance_t *instance) {
  return iree_hal_module_register_all_types(instance);
}
iree_status_t iree_hal_module_resolve_inline_types(iree_vm_instance_t *instance) {
  return iree_hal_module_resolve_all_types(instance);
}
iree_status_t iree_hal_module_resolve_loader_types(iree_vm_instance_t *instance) {
  return iree_hal_module_resolve_all_types(instance);
}

#define DEFINE_LIST_ACCESS(name, T)                                                                  \
  T *iree_vm_list_get_##name##_assign(const iree_vm_list_t *list, iree_host_size_t i) {              \
    return (T *)iree_vm_list_get_ref_deref(list, i, iree_hal_##name##_type());                       \
  }                                                                                                  \
  T *iree_vm_list_get_##name##_retain(const iree_vm_list_t *list, iree_host_size_t i) {              \
    T *value = iree_vm_list_get_##name##_assign(list, i);                                            \
    iree_hal_##name##_retain(value);                                                                 \
    return value;                                                                                    \
  }                                                                                                  \
  iree_status_t iree_vm_list_set_##name##_retain(iree_vm_list_t *list, iree_host_size_t i, T *value) { \
    iree_vm_ref_t ref = iree_hal_##name##_retain_ref(value);                                         \
    return iree_vm_list_set_ref_move(list, i, &ref);                                                 \
  }
DEFINE_LIST_ACCESS(buffer, iree_hal_buffer_t)
DEFINE_LIST_ACCESS(buffer_view, iree_hal_buffer_view_t)
DEFINE_LIST_ACCESS(fence, iree_hal_fence_t)
