// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Size classes are powers of two split in four, so a block wastes at most a quarter.
#include "runtime/hal/recycler.h"

#include "base/threads.h"
#include "iree/base/internal/atomics.h"

#define CLASS_COUNT 192  // up to 2^54 bytes
#define MIN_PAYLOAD 64   // class 0
#define LARGE_BYTES ((iree_host_size_t)1 << 20)

#if defined(__SANITIZE_ADDRESS__)
#define RECYCLER_CACHES false
#else
#define RECYCLER_CACHES true
#endif

typedef struct block_t {
  struct block_t *next;
  recycler_t *owner;
  void *raw;  // what the parent gave
  iree_host_size_t payload_bytes;
  uint32_t class_index;
} block_t;
static_assert(sizeof(block_t) <= RECYCLER_ALIGNMENT, "the header fits in one alignment unit");

struct recycler_t {
  iree_allocator_t parent;
  iree_host_size_t max_cached_bytes;
  spinlock_t lock;
  iree_host_size_t cached_bytes;
  iree_host_size_t live_bytes;
  iree_host_size_t peak_bytes;       // of live bytes
  iree_host_size_t reference_count;  // the owner's and one per live block
  bool is_closed;
  block_t *free_blocks[CLASS_COUNT];
};

// Rounds a size up to its class. Classes: 64, 80, 96, 112, 128, 160, ...
static uint32_t size_class(iree_host_size_t bytes, iree_host_size_t *out_payload_bytes) {
  if (bytes <= MIN_PAYLOAD) {
    *out_payload_bytes = MIN_PAYLOAD;
    return 0;
  }
  // log2 of the power of two below |bytes|, and of a quarter of it
  uint32_t shift = 63 - (uint32_t)__builtin_clzll((unsigned long long)bytes - 1);
  uint32_t step_shift = shift - 2;
  iree_host_size_t step = (iree_host_size_t)1 << step_shift;
  iree_host_size_t quarter = (bytes - ((iree_host_size_t)1 << shift) + step - 1) >> step_shift;
  *out_payload_bytes = ((iree_host_size_t)1 << shift) + (quarter << step_shift);
  return (shift - 6) * 4 + (uint32_t)quarter;
}

static block_t *block_of(void *payload) {
  return (block_t *)((uint8_t *)payload - RECYCLER_ALIGNMENT);
}

iree_status_t recycler_create(iree_allocator_t parent, iree_host_size_t max_cached_bytes,
                              recycler_t **out_recycler) {
  *out_recycler = NULL;
  recycler_t *recycler = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(parent, sizeof(*recycler), (void **)&recycler));
  recycler->reference_count = 1;
  recycler->parent = parent;
  recycler->max_cached_bytes = max_cached_bytes;
  *out_recycler = recycler;
  return iree_ok_status();
}

// Drops a reference with the lock held, and lets go of the lock.
static void drop_and_unlock(recycler_t *recycler) {
  bool is_last = --recycler->reference_count == 0;
  spinlock_unlock(&recycler->lock);
  if (is_last) iree_allocator_free(recycler->parent, recycler);
}

void recycler_release(recycler_t *recycler) {
  if (!recycler) return;
  spinlock_lock(&recycler->lock);
  recycler->is_closed = true;
  spinlock_unlock(&recycler->lock);
  recycler_trim(recycler);
  spinlock_lock(&recycler->lock);
  drop_and_unlock(recycler);
}

void recycler_trim(recycler_t *recycler) {
  block_t *chain = NULL;
  spinlock_lock(&recycler->lock);
  for (uint32_t i = 0; i < CLASS_COUNT; ++i) {
    while (recycler->free_blocks[i]) {
      block_t *block = recycler->free_blocks[i];
      recycler->free_blocks[i] = block->next;
      block->next = chain;
      chain = block;
    }
  }
  recycler->cached_bytes = 0;
  spinlock_unlock(&recycler->lock);
  while (chain) {
    block_t *block = chain;
    chain = block->next;
    iree_allocator_free(recycler->parent, block->raw);
  }
}

// A block of a class that is held back; null when there is none. Counts it, or the one to come, as
// live.
static block_t *take_cached(recycler_t *recycler, uint32_t class_index,
                            iree_host_size_t payload_bytes, bool *out_is_over_peak) {
  spinlock_lock(&recycler->lock);
  block_t *block = recycler->free_blocks[class_index];
  if (block) {
    recycler->free_blocks[class_index] = block->next;
    recycler->cached_bytes -= payload_bytes;
  }
  ++recycler->reference_count;
  recycler->live_bytes += payload_bytes;
  if (block) recycler->peak_bytes = iree_max(recycler->peak_bytes, recycler->live_bytes);
  *out_is_over_peak = recycler->cached_bytes + recycler->live_bytes >
                      recycler->peak_bytes + recycler->max_cached_bytes;
  spinlock_unlock(&recycler->lock);
  return block;
}

// Puts a freed block with the others of its class, or gives it back to the parent.
static void give_back(recycler_t *recycler, block_t *block) {
  spinlock_lock(&recycler->lock);
  recycler->live_bytes -= block->payload_bytes;
  iree_host_size_t limit =
      iree_max(recycler->max_cached_bytes, recycler->peak_bytes - recycler->live_bytes);
  bool is_kept = RECYCLER_CACHES && !recycler->is_closed && recycler->cached_bytes <= limit &&
                 block->payload_bytes <= limit - recycler->cached_bytes;
  if (IREE_LIKELY(is_kept)) {
    block->next = recycler->free_blocks[block->class_index];
    recycler->free_blocks[block->class_index] = block;
    recycler->cached_bytes += block->payload_bytes;
    --recycler->reference_count;  // the owner has one: it is not closed
    spinlock_unlock(&recycler->lock);
    return;
  }
  spinlock_unlock(&recycler->lock);
  iree_allocator_free(recycler->parent, block->raw);
  spinlock_lock(&recycler->lock);
  drop_and_unlock(recycler);
}

static iree_status_t recycler_malloc(recycler_t *recycler, iree_host_size_t bytes, void **out_ptr) {
  if (bytes > IREE_HOST_SIZE_MAX / 1024) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "cannot allocate %zu bytes", bytes);
  }
  iree_host_size_t payload_bytes = 0;
  bool is_over_peak = false;
  uint32_t class_index = size_class(bytes, &payload_bytes);
  block_t *block = take_cached(recycler, class_index, payload_bytes, &is_over_peak);
  if (!block) {
    // Sizes have changed: blocks of other classes make room.
    if (is_over_peak && payload_bytes >= LARGE_BYTES) recycler_trim(recycler);
    void *raw = NULL;
    iree_status_t status = iree_allocator_malloc_uninitialized(
        recycler->parent, payload_bytes + 2 * RECYCLER_ALIGNMENT, &raw);
    spinlock_lock(&recycler->lock);
    if (!iree_status_is_ok(status)) {
      recycler->live_bytes -= payload_bytes;
      drop_and_unlock(recycler);
      return status;
    }
    recycler->peak_bytes = iree_max(recycler->peak_bytes, recycler->live_bytes);
    spinlock_unlock(&recycler->lock);
    uintptr_t payload = ((uintptr_t)raw + 2 * RECYCLER_ALIGNMENT - 1) & ~(uintptr_t)63;
    block = block_of((void *)payload);
    block->owner = recycler;
    block->raw = raw;
    block->payload_bytes = payload_bytes;
    block->class_index = class_index;
  }
  *out_ptr = (uint8_t *)block + RECYCLER_ALIGNMENT;
  return iree_ok_status();
}

static void recycler_free(void *payload) {
  if (!payload) return;
  block_t *block = block_of(payload);
  give_back(block->owner, block);
}

iree_status_t recycler_reserve(recycler_t *recycler, iree_host_size_t bytes, uint32_t count) {
  void *chain = NULL;
  iree_status_t status = iree_ok_status();
  for (uint32_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    void *payload = NULL;
    status = recycler_malloc(recycler, bytes, &payload);
    if (!payload) break;
    *(void **)payload = chain;
    chain = payload;
  }
  while (chain) {
    void *next = *(void **)chain;
    recycler_free(chain);
    chain = next;
  }
  return status;
}

static iree_status_t recycler_realloc(recycler_t *recycler, iree_host_size_t bytes,
                                      void **inout_ptr) {
  void *old_payload = *inout_ptr;
  if (old_payload && block_of(old_payload)->payload_bytes >= bytes) return iree_ok_status();
  void *new_payload = NULL;
  IREE_RETURN_IF_ERROR(recycler_malloc(recycler, bytes, &new_payload));
  if (old_payload) {
    memcpy(new_payload, old_payload, block_of(old_payload)->payload_bytes);
    recycler_free(old_payload);
  }
  *inout_ptr = new_payload;
  return iree_ok_status();
}

static iree_status_t recycler_ctl(void *self, iree_allocator_command_t command, const void *params,
                                  void **inout_ptr) {
  recycler_t *recycler = (recycler_t *)self;
  switch (command) {
    case IREE_ALLOCATOR_COMMAND_MALLOC:
      return recycler_malloc(recycler, ((const iree_allocator_alloc_params_t *)params)->byte_length,
                             inout_ptr);
    case IREE_ALLOCATOR_COMMAND_CALLOC: {
      iree_host_size_t bytes = ((const iree_allocator_alloc_params_t *)params)->byte_length;
      IREE_RETURN_IF_ERROR(recycler_malloc(recycler, bytes, inout_ptr));
      memset(*inout_ptr, 0, bytes);
      return iree_ok_status();
    }
    case IREE_ALLOCATOR_COMMAND_REALLOC:
      return recycler_realloc(
          recycler, ((const iree_allocator_alloc_params_t *)params)->byte_length, inout_ptr);
    case IREE_ALLOCATOR_COMMAND_FREE:
      recycler_free(*inout_ptr);
      *inout_ptr = NULL;
      return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "unknown allocator command %d", (int)command);
}

iree_allocator_t recycler_allocator(recycler_t *recycler) {
  iree_allocator_t allocator = {recycler, recycler_ctl};
  return allocator;
}
