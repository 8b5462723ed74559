// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups and lists of devices.
#include "iree/hal/device_group.h"

struct iree_hal_device_group_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  iree_host_size_t count;
  iree_hal_device_t *devices[];
};

static void device_group_destroy(iree_hal_resource_t *resource) {
  iree_hal_device_group_t *group = (iree_hal_device_group_t *)resource;
  for (iree_host_size_t i = 0; i < group->count; ++i) iree_hal_device_release(group->devices[i]);
  iree_allocator_free(group->host_allocator, group);
}

static const iree_hal_resource_vtable_t device_group_vtable = {.destroy = device_group_destroy};

void iree_hal_device_group_builder_initialize(iree_hal_device_group_builder_t *builder,
                                              iree_async_frontier_tracker_t *frontier_tracker) {
  memset(builder, 0, sizeof(*builder));
  builder->frontier_tracker = frontier_tracker;
}

void iree_hal_device_group_builder_deinitialize(iree_hal_device_group_builder_t *builder) {
  for (iree_host_size_t i = 0; i < builder->count; ++i) {
    iree_hal_device_release(builder->devices[i]);
  }
  memset(builder, 0, sizeof(*builder));
}

iree_status_t iree_hal_device_group_builder_add_device(iree_hal_device_group_builder_t *builder,
                                                       iree_hal_device_t *device) {
  if (builder->count == IREE_HAL_DEVICE_GROUP_MAX_DEVICE_COUNT) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "a group has at most %d devices",
                            IREE_HAL_DEVICE_GROUP_MAX_DEVICE_COUNT);
  }
  for (iree_host_size_t i = 0; i < builder->count; ++i) {
    if (builder->devices[i] != device) continue;
    return iree_make_status(IREE_STATUS_ALREADY_EXISTS, "the device is in the group already");
  }
  iree_hal_device_retain(device);
  builder->devices[builder->count++] = device;
  return iree_ok_status();
}

iree_status_t iree_hal_device_group_builder_finalize(iree_hal_device_group_builder_t *builder,
                                                     iree_allocator_t host_allocator,
                                                     iree_hal_device_group_t **out_group) {
  *out_group = NULL;
  if (!builder->count) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "a group needs at least one device");
  }
  iree_hal_device_group_t *group = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_struct_array(
      host_allocator, sizeof(*group), builder->count, sizeof(group->devices[0]), (void **)&group));
  iree_hal_resource_initialize(&device_group_vtable, &group->resource);
  group->host_allocator = host_allocator;
  group->count = builder->count;
  memcpy(group->devices, builder->devices, builder->count * sizeof(group->devices[0]));
  builder->count = 0;  // the references moved
  *out_group = group;
  return iree_ok_status();
}

iree_status_t iree_hal_device_group_create_from_device(
    iree_hal_device_t *device, iree_async_frontier_tracker_t *frontier_tracker,
    iree_allocator_t host_allocator, iree_hal_device_group_t **out_group) {
  iree_hal_device_group_builder_t builder;
  iree_hal_device_group_builder_initialize(&builder, frontier_tracker);
  iree_status_t status = iree_hal_device_group_builder_add_device(&builder, device);
  if (iree_status_is_ok(status)) {
    status = iree_hal_device_group_builder_finalize(&builder, host_allocator, out_group);
  }
  iree_hal_device_group_builder_deinitialize(&builder);
  return status;
}

void iree_hal_device_group_retain(iree_hal_device_group_t *group) {
  iree_hal_resource_retain(group);
}
void iree_hal_device_group_release(iree_hal_device_group_t *group) {
  iree_hal_resource_release(group);
}

iree_host_size_t iree_hal_device_group_device_count(const iree_hal_device_group_t *group) {
  return group->count;
}

iree_hal_device_t *iree_hal_device_group_device_at(const iree_hal_device_group_t *group,
                                                   iree_host_size_t index) {
  return index < group->count ? group->devices[index] : NULL;
}

//===-- lists ---------------------------------------------------------------------------------===//

iree_status_t iree_hal_device_list_allocate(iree_host_size_t capacity,
                                            iree_allocator_t host_allocator,
                                            iree_hal_device_list_t **out_list) {
  *out_list = NULL;
  iree_hal_device_list_t *list = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_struct_array(
      host_allocator, sizeof(*list), capacity, sizeof(list->devices[0]), (void **)&list));
  list->host_allocator = host_allocator;
  list->capacity = capacity;
  *out_list = list;
  return iree_ok_status();
}

void iree_hal_device_list_free(iree_hal_device_list_t *list) {
  if (!list) return;
  for (iree_host_size_t i = 0; i < list->count; ++i) iree_hal_device_release(list->devices[i]);
  iree_allocator_free(list->host_allocator, list);
}

iree_status_t iree_hal_device_list_push_back(iree_hal_device_list_t *list,
                                             iree_hal_device_t *device) {
  if (list->count == list->capacity) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "the list has room for %zu devices",
                            list->capacity);
  }
  iree_hal_device_retain(device);
  list->devices[list->count++] = device;
  return iree_ok_status();
}

iree_hal_device_t *iree_hal_device_list_at(const iree_hal_device_list_t *list, iree_host_size_t i) {
  return i < list->count ? list->devices[i] : NULL;
}
