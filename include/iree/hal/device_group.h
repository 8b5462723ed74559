// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordered, immutable set of devices that a program may use together.
#ifndef IREE_HAL_DEVICE_GROUP_H_
#define IREE_HAL_DEVICE_GROUP_H_

#include "iree/base/api.h"
#include "iree/hal/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_device_group_t iree_hal_device_group_t;

// Makes a group of one device. |frontier_tracker| is null.
//   owns:   transfers ownership to the caller; retains the device
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_device_group_create_from_device(
    iree_hal_device_t *device, iree_async_frontier_tracker_t *frontier_tracker,
    iree_allocator_t host_allocator, iree_hal_device_group_t **out_group);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_device_group_retain(iree_hal_device_group_t *group);
IREE_API_EXPORT void iree_hal_device_group_release(iree_hal_device_group_t *group);

// The devices; null outside the count.
//   owns:   borrowed from |group| until it is released
//   errors: none
IREE_API_EXPORT iree_host_size_t
iree_hal_device_group_device_count(const iree_hal_device_group_t *group);
IREE_API_EXPORT iree_hal_device_t *iree_hal_device_group_device_at(
    const iree_hal_device_group_t *group, iree_host_size_t index);

#define IREE_HAL_DEVICE_GROUP_MAX_DEVICE_COUNT 64

// Collects devices for a group; on the caller's stack.
typedef struct iree_hal_device_group_builder_t {
  iree_async_frontier_tracker_t *frontier_tracker;
  iree_host_size_t count;
  iree_hal_device_t *devices[IREE_HAL_DEVICE_GROUP_MAX_DEVICE_COUNT];
} iree_hal_device_group_builder_t;

// Builder operations. Finalize empties the builder; deinitialize drops what is left.
//   owns:   add retains; finalize transfers ownership of the group to the caller
//   errors: RESOURCE_EXHAUSTED  too many devices, no host memory
//           ALREADY_EXISTS      the device is in the group
//           INVALID_ARGUMENT    finalize without a device
IREE_API_EXPORT void iree_hal_device_group_builder_initialize(
    iree_hal_device_group_builder_t *builder, iree_async_frontier_tracker_t *frontier_tracker);
IREE_API_EXPORT void iree_hal_device_group_builder_deinitialize(
    iree_hal_device_group_builder_t *builder);
IREE_API_EXPORT iree_status_t iree_hal_device_group_builder_add_device(
    iree_hal_device_group_builder_t *builder, iree_hal_device_t *device);
IREE_API_EXPORT iree_status_t iree_hal_device_group_builder_finalize(
    iree_hal_device_group_builder_t *builder, iree_allocator_t host_allocator,
    iree_hal_device_group_t **out_group);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_DEVICE_GROUP_H_
