// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type table of an instance: a fixed array, entries counted by registration. The lock is a spin
// flag: it is held for a scan of a few entries only.
#include "iree/vm/instance.h"

#include <stdatomic.h>

#include "base/threads.h"
#include "iree/vm/buffer.h"
#include "iree/vm/list.h"
#include "runtime/vm/builtin_types.h"

typedef struct instance_type_t {
  const iree_vm_ref_type_descriptor_t *descriptor;
  int32_t registration_count;
} instance_type_t;

struct iree_vm_instance_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t allocator;
  const iree_trace_sink_t *trace_sink;
  atomic_flag lock;
  iree_host_size_t type_count;
  iree_host_size_t type_capacity;
  instance_type_t types[];
};

static void instance_lock(iree_vm_instance_t *instance) {
  while (atomic_flag_test_and_set_explicit(&instance->lock, memory_order_acquire)) {
  }
}
static void instance_unlock(iree_vm_instance_t *instance) {
  atomic_flag_clear_explicit(&instance->lock, memory_order_release);
}

static void instance_destroy(iree_vm_instance_t *instance) {
  iree_allocator_free(instance->allocator, instance);
}

iree_status_t iree_vm_instance_create(iree_host_size_t type_capacity, iree_allocator_t allocator,
                                      iree_vm_instance_t **out_instance) {
  *out_instance = NULL;
  // Room for the built-in types beside the ones asked for.
  type_capacity = iree_max(type_capacity, (iree_host_size_t)IREE_VM_TYPE_CAPACITY_DEFAULT);
  iree_vm_instance_t *instance = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_struct_array(
      allocator, sizeof(*instance), type_capacity, sizeof(instance->types[0]), (void **)&instance));
  iree_atomic_ref_count_init(&instance->ref_count);
  atomic_flag_clear(&instance->lock);
  instance->allocator = allocator;
  instance->type_capacity = type_capacity;
  iree_status_t status = iree_vm_buffer_register_type(instance);
  if (iree_status_is_ok(status)) status = iree_vm_list_register_type(instance);
  if (!iree_status_is_ok(status)) {
    instance_destroy(instance);
    return status;
  }
  *out_instance = instance;
  return iree_ok_status();
}

void iree_vm_instance_retain(iree_vm_instance_t *instance) {
  if (instance) iree_atomic_ref_count_inc(&instance->ref_count);
}

void iree_vm_instance_release(iree_vm_instance_t *instance) {
  if (instance && iree_atomic_ref_count_dec(&instance->ref_count) == 1) instance_destroy(instance);
}

iree_allocator_t iree_vm_instance_allocator(iree_vm_instance_t *instance) {
  return instance->allocator;
}

void iree_vm_instance_set_trace_sink(iree_vm_instance_t *instance, const iree_trace_sink_t *sink) {
  instance->trace_sink = sink;
}
const iree_trace_sink_t *iree_vm_instance_trace_sink(const iree_vm_instance_t *instance) {
  return instance->trace_sink;
}

static instance_type_t *instance_find(iree_vm_instance_t *instance, iree_string_view_t name) {
  for (iree_host_size_t i = 0; i < instance->type_count; ++i) {
    instance_type_t *type = &instance->types[i];
    if (iree_string_view_equal(type->descriptor->type_name, name)) return type;
  }
  return NULL;
}

static iree_status_t instance_add(iree_vm_instance_t *instance,
                                  const iree_vm_ref_type_descriptor_t *descriptor) {
  iree_string_view_t name = descriptor->type_name;
  instance_type_t *type = instance_find(instance, name);
  if (type && type->descriptor != descriptor) {
    return iree_make_status(IREE_STATUS_ALREADY_EXISTS,
                            "type `%.*s` is registered with another descriptor",
                            IREE_SV_ARGS(name));
  }
  if (!type && instance->type_count == instance->type_capacity) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "no room for type `%.*s`; create the instance with a capacity above "
                            "%" PRIhsz,
                            IREE_SV_ARGS(name), instance->type_capacity);
  }
  if (!type) {
    type = &instance->types[instance->type_count++];
    type->descriptor = descriptor;
    type->registration_count = 0;
  }
  ++type->registration_count;
  return iree_ok_status();
}

// Registrations are the process's: instances that threads create side by side give them the same
// value. Whoever reads one has gone through here, or was handed objects by someone who has.
static void set_registration(iree_vm_ref_type_t *registration, iree_vm_ref_type_t type) {
  static spinlock_t lock;
  spinlock_lock(&lock);
  if (*registration != type) *registration = type;
  spinlock_unlock(&lock);
}

iree_status_t iree_vm_instance_register_type(iree_vm_instance_t *instance,
                                             const iree_vm_ref_type_descriptor_t *descriptor,
                                             iree_vm_ref_type_t *out_registration) {
  instance_lock(instance);
  iree_status_t status = instance_add(instance, descriptor);
  instance_unlock(instance);
  IREE_RETURN_IF_ERROR(status);
  set_registration(out_registration, iree_vm_make_ref_type(descriptor));
  return iree_ok_status();
}

void iree_vm_instance_unregister_type(iree_vm_instance_t *instance,
                                      const iree_vm_ref_type_descriptor_t *descriptor) {
  instance_lock(instance);
  instance_type_t *type = instance_find(instance, descriptor->type_name);
  if (type && type->descriptor == descriptor && --type->registration_count == 0) {
    *type = instance->types[--instance->type_count];
  }
  instance_unlock(instance);
}

iree_vm_ref_type_t iree_vm_instance_lookup_type(iree_vm_instance_t *instance,
                                                iree_string_view_t full_name) {
  instance_lock(instance);
  const instance_type_t *type = instance_find(instance, full_name);
  iree_vm_ref_type_t result =
      type ? iree_vm_make_ref_type(type->descriptor) : IREE_VM_REF_TYPE_NULL;
  instance_unlock(instance);
  return result;
}

iree_status_t iree_vm_resolve_builtin_types(iree_vm_instance_t *instance) {
  set_registration(&iree_vm_buffer_registration,
                   iree_vm_instance_lookup_type(instance, IREE_SV("vm.buffer")));
  set_registration(&iree_vm_list_registration,
                   iree_vm_instance_lookup_type(instance, IREE_SV("vm.list")));
  return iree_ok_status();
}
