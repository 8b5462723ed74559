// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool that devices are created with: one entry per NUMA node.
//
// Elsewhere each entry drives I/O and waits of the node's devices. Devices here wait on timelines of
// their own and read files on the thread that asks for it, so a pool holds its nodes and no threads.
#ifndef IREE_ASYNC_UTIL_PROACTOR_POOL_H_
#define IREE_ASYNC_UTIL_PROACTOR_POOL_H_

#include "iree/base/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_async_proactor_pool_t iree_async_proactor_pool_t;

// Nothing can be chosen so far.
typedef struct iree_async_proactor_pool_options_t {
  uint32_t reserved;
} iree_async_proactor_pool_options_t;

static inline iree_async_proactor_pool_options_t iree_async_proactor_pool_options_default(void) {
  iree_async_proactor_pool_options_t options = {0};
  return options;
}

// Makes a pool of |node_count| entries, at least one; |node_ids| may be NULL: 0, 1, 2, ...
//   owns:   transfers |out_pool| to the caller; |node_ids| is copied
//   errors: INVALID_ARGUMENT    no nodes
//           RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_async_proactor_pool_create(iree_host_size_t node_count,
                                                              const uint32_t *node_ids,
                                                              iree_async_proactor_pool_options_t options,
                                                              iree_allocator_t allocator,
                                                              iree_async_proactor_pool_t **out_pool);

// Reference counting; null is ignored.
//   thread: any thread
//   errors: none
IREE_API_EXPORT void iree_async_proactor_pool_retain(iree_async_proactor_pool_t *pool);
IREE_API_EXPORT void iree_async_proactor_pool_release(iree_async_proactor_pool_t *pool);

// The number of entries, and the node of one (0 if there is no such entry).
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_async_proactor_pool_count(const iree_async_proactor_pool_t *pool);
IREE_API_EXPORT uint32_t iree_async_proactor_pool_node_id(const iree_async_proactor_pool_t *pool,
                                                          iree_host_size_t index);

#ifdef __cplusplus
}
#endif

#endif  // IREE_ASYNC_UTIL_PROACTOR_POOL_H_
