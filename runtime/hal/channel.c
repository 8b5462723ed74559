// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels: the public functions in front of every implementation.
#include "iree/hal/channel.h"

#include "iree/hal/device.h"

#define VTABLE(channel) \
  ((const iree_hal_channel_vtable_t *)((const iree_hal_resource_t *)(channel))->vtable)
#define DEVICE_VTABLE(device) \
  ((const iree_hal_device_vtable_t *)((const iree_hal_resource_t *)(device))->vtable)

iree_status_t iree_hal_channel_create(iree_hal_device_t *device,
                                      iree_hal_queue_affinity_t queue_affinity,
                                      iree_hal_channel_params_t params,
                                      iree_hal_channel_t **out_channel) {
  *out_channel = NULL;
  return DEVICE_VTABLE(device)->create_channel(device, queue_affinity, params, out_channel);
}

void iree_hal_channel_retain(iree_hal_channel_t *channel) { iree_hal_resource_retain(channel); }
void iree_hal_channel_release(iree_hal_channel_t *channel) { iree_hal_resource_release(channel); }

iree_status_t iree_hal_channel_split(iree_hal_channel_t *base_channel, int32_t color, int32_t key,
                                     iree_hal_channel_flags_t flags,
                                     iree_hal_channel_t **out_split_channel) {
  *out_split_channel = NULL;
  return VTABLE(base_channel)->split(base_channel, color, key, flags, out_split_channel);
}

void iree_hal_channel_query_rank_and_count(const iree_hal_channel_t *channel, int32_t *out_rank,
                                           int32_t *out_count) {
  VTABLE(channel)->query_rank_and_count(channel, out_rank, out_count);
}
