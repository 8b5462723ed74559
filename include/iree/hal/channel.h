// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective channels: groups of devices that exchange data. No local device has them yet; creation
// fails with UNIMPLEMENTED.
#ifndef IREE_HAL_CHANNEL_H_
#define IREE_HAL_CHANNEL_H_

#include "iree/base/api.h"
#include "iree/hal/queue.h"
#include "iree/hal/resource.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_device_t iree_hal_device_t;
typedef struct iree_hal_channel_t iree_hal_channel_t;

enum iree_hal_channel_flag_bits_t {
  IREE_HAL_CHANNEL_FLAG_NONE = 0u,
};
typedef uint64_t iree_hal_channel_flags_t;

#define IREE_HAL_CHANNEL_RANK_DEFAULT ((int32_t)-1)
#define IREE_HAL_CHANNEL_COUNT_DEFAULT ((int32_t)-1)
#define IREE_HAL_CHANNEL_NO_COLOR ((int32_t)-1)

typedef struct iree_hal_channel_params_t {
  iree_hal_channel_flags_t flags;
  iree_const_byte_span_t id;
  iree_string_view_t group;
  int32_t rank;
  int32_t count;
} iree_hal_channel_params_t;

// Makes a channel.
//   owns:   transfers ownership to the caller
//   errors: UNIMPLEMENTED  the device has no collectives
IREE_API_EXPORT iree_status_t iree_hal_channel_create(iree_hal_device_t *device,
                                                      iree_hal_queue_affinity_t queue_affinity,
                                                      iree_hal_channel_params_t params,
                                                      iree_hal_channel_t **out_channel);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_channel_retain(iree_hal_channel_t *channel);
IREE_API_EXPORT void iree_hal_channel_release(iree_hal_channel_t *channel);

// Splits a channel by color; members are ordered by key.
//   owns:   transfers ownership to the caller
//   errors: those of the implementation
IREE_API_EXPORT iree_status_t iree_hal_channel_split(iree_hal_channel_t *base_channel,
                                                     int32_t color, int32_t key,
                                                     iree_hal_channel_flags_t flags,
                                                     iree_hal_channel_t **out_split_channel);

// The caller's place in the channel and its size.
//   errors: none
IREE_API_EXPORT void iree_hal_channel_query_rank_and_count(const iree_hal_channel_t *channel,
                                                           int32_t *out_rank, int32_t *out_count);

typedef struct iree_hal_channel_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_channel_t *channel);
  iree_status_t(IREE_API_PTR *split)(iree_hal_channel_t *base_channel, int32_t color, int32_t key,
                                     iree_hal_channel_flags_t flags,
                                     iree_hal_channel_t **out_split_channel);
  void(IREE_API_PTR *query_rank_and_count)(const iree_hal_channel_t *channel, int32_t *out_rank,
                                           int32_t *out_count);
} iree_hal_channel_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_channel_vtable_t);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_CHANNEL_H_
