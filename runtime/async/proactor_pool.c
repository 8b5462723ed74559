// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "iree/async/util/proactor_pool.h"

#include "iree/base/internal/atomics.h"

struct iree_async_proactor_pool_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t allocator;
  iree_host_size_t node_count;
  uint32_t node_ids[];
};

iree_status_t iree_async_proactor_pool_create(iree_host_size_t node_count, const uint32_t *node_ids,
                                              iree_async_proactor_pool_options_t options, iree_allocator_t allocator,
                                              iree_async_proactor_pool_t **out_pool) {
  (void)options;
  *out_pool = NULL;
  if (!node_count) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "a proactor pool needs at least one node");
  iree_host_size_t size = 0;
  if (!iree_host_size_checked_mul(node_count, sizeof(*node_ids), &size) ||
      !iree_host_size_checked_add(size, sizeof(iree_async_proactor_pool_t), &size))
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "%zu nodes are too many for a proactor pool", node_count);
  iree_async_proactor_pool_t *pool = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, size, (void **)&pool));
  iree_atomic_ref_count_init(&pool->ref_count);
  pool->allocator = allocator;
  pool->node_count = node_count;
  for (iree_host_size_t i = 0; i < node_count; ++i) pool->node_ids[i] = node_ids ? node_ids[i] : (uint32_t)i;
  *out_pool = pool;
  return iree_ok_status();
}

void iree_async_proactor_pool_retain(iree_async_proactor_pool_t *pool) {
  if (pool) iree_atomic_ref_count_inc(&pool->ref_count);
}
void iree_async_proactor_pool_release(iree_async_proactor_pool_t *pool) {
  if (pool && iree_atomic_ref_count_dec(&pool->ref_count) == 1) iree_allocator_free(pool->allocator, pool);
}

iree_host_size_t iree_async_proactor_pool_count(const iree_async_proactor_pool_t *pool) { return pool->node_count; }
uint32_t iree_async_proactor_pool_node_id(const iree_async_proactor_pool_t *pool, iree_host_size_t index) {
  return index < pool->node_count ? pool->node_ids[index] : 0;
}
