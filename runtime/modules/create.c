// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/modules/create.h"

iree_status_t native_module_create(const iree_vm_native_module_descriptor_t *descriptor,
                                   iree_vm_module_t interface, iree_host_size_t self_bytes,
                                   iree_vm_instance_t *instance, iree_allocator_t host_allocator,
                                   void **out_self, iree_vm_module_t **out_module) {
  *out_self = NULL;
  *out_module = NULL;
  iree_host_size_t header_bytes = iree_host_align(iree_vm_native_module_size(), 16);
  uint8_t *block = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(host_allocator, header_bytes + self_bytes, (void **)&block));
  iree_vm_module_t table;
  iree_status_t status = iree_vm_module_initialize(&table, block + header_bytes);
  table.destroy = interface.destroy;
  table.alloc_state = interface.alloc_state;
  table.free_state = interface.free_state;
  table.fork_state = interface.fork_state;
  table.notify = interface.notify;
  if (iree_status_is_ok(status)) {
    status = iree_vm_native_module_initialize(&table, descriptor, instance, host_allocator,
                                              (iree_vm_module_t *)(void *)block);
  }
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(host_allocator, block);
    return status;
  }
  *out_self = block + header_bytes;
  *out_module = (iree_vm_module_t *)(void *)block;
  return iree_ok_status();
}
