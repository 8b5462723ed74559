// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocator that keeps freed blocks for the next allocation of their size class.
//
// Invoking a program makes the same short-lived objects again and again: fences, semaphores, views,
// submissions, transient memory. From the second call on they come from here without a call to the
// system. All blocks are aligned to RECYCLER_ALIGNMENT.
//
//   block = [header, 64 bytes][payload, size rounded up to its class]
//
// What is held back never exceeds |max_cached_bytes| or what would bring the total back to its
// peak, so that a large program reuses its memory from call to call and takes no more than its
// busiest moment.
//
// Each live block keeps the recycler alive, so objects may outlive the device that made them. Under
// AddressSanitizer nothing is kept, so that a use after free shows.
#ifndef RUNTIME_HAL_RECYCLER_H_
#define RUNTIME_HAL_RECYCLER_H_

#include "iree/base/api.h"

#define RECYCLER_ALIGNMENT 64

typedef struct recycler_t recycler_t;

// Makes a recycler that may hold back |max_cached_bytes| of freed blocks whatever the peak was.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t recycler_create(iree_allocator_t parent, iree_host_size_t max_cached_bytes,
                              recycler_t **out_recycler);
void recycler_release(recycler_t *recycler);

// Makes |count| blocks for allocations of |bytes| and holds them back, within the limit.
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t recycler_reserve(recycler_t *recycler, iree_host_size_t bytes, uint32_t count);

// Frees all blocks that are held back.
void recycler_trim(recycler_t *recycler);

// The recycler as an allocator.
//   owns:   borrowed from |recycler|; blocks made by it keep it alive
iree_allocator_t recycler_allocator(recycler_t *recycler);

#endif  // RUNTIME_HAL_RECYCLER_H_
