// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The head of every refcounted HAL object: a count and the table of its operations.
//
// A type's vtable starts with its destroy function, so that one release function serves all.
#ifndef IREE_HAL_RESOURCE_H_
#define IREE_HAL_RESOURCE_H_

#include <stddef.h>

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_resource_t {
  iree_atomic_ref_count_t ref_count;
  const void *vtable;
} iree_hal_resource_t;

typedef struct iree_hal_resource_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_resource_t *resource);
} iree_hal_resource_vtable_t;

#define IREE_HAL_ASSERT_VTABLE_LAYOUT(vtable_type) \
  static_assert(offsetof(vtable_type, destroy) == 0, "destroy comes first in " #vtable_type)

// Starts a resource with one reference.
//   errors: none
static inline void iree_hal_resource_initialize(const void *vtable,
                                                iree_hal_resource_t *out_resource) {
  iree_atomic_ref_count_init(&out_resource->ref_count);
  out_resource->vtable = vtable;
}

// Adds a reference; null is ignored.
//   errors: none
static inline void iree_hal_resource_retain(const void *any_resource) {
  iree_hal_resource_t *resource = (iree_hal_resource_t *)any_resource;
  if (resource) iree_atomic_ref_count_inc(&resource->ref_count);
}

// Drops a reference and destroys the resource with the last one; null is ignored.
//   errors: none
static inline void iree_hal_resource_release(const void *any_resource) {
  iree_hal_resource_t *resource = (iree_hal_resource_t *)any_resource;
  if (resource && iree_atomic_ref_count_dec(&resource->ref_count) == 1) {
    ((const iree_hal_resource_vtable_t *)resource->vtable)->destroy(resource);
  }
}

// True if the resource is of the class that the vtable names.
//   errors: none
static inline bool iree_hal_resource_is(const void *resource, const void *vtable) {
  return resource && ((const iree_hal_resource_t *)resource)->vtable == vtable;
}

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_RESOURCE_H_
