// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct iree_arena_block {
  iree_arena_block_t *next;
  size_t size_bytes;
};
enum { BLOCK_BYTES = 64 * 1024, MAX_BLOCK_BYTES = 1024 * 1024, ALIGN = 16 };

static char *block_begin(iree_arena_block_t *block) {
  return (char *)(((uintptr_t)(block + 1) + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
}

void iree_arena_init(iree_arena_t *arena) { memset(arena, 0, sizeof *arena); }

void iree_arena_deinit(iree_arena_t *arena) {
  for (iree_arena_block_t *block = arena->blocks; block;) {
    iree_arena_block_t *next = block->next;
    free(block);
    block = next;
  }
  memset(arena, 0, sizeof *arena);
}

void iree_arena_reset(iree_arena_t *arena) { iree_arena_deinit(arena); }

void *iree_arena_alloc(iree_arena_t *arena, size_t size_bytes) {
  if (size_bytes > SIZE_MAX - BLOCK_BYTES) abort();
  size_bytes = (size_bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if ((size_t)(arena->end - arena->next) < size_bytes) {
    // A large request gets a block of its own behind the current one, whose rest stays usable.
    // Blocks grow with the arena, so that large modules need few.
    size_t usual = arena->total_bytes / 8;
    usual = usual < BLOCK_BYTES ? BLOCK_BYTES : usual > MAX_BLOCK_BYTES ? MAX_BLOCK_BYTES : usual;
    size_t want = size_bytes > BLOCK_BYTES / 4 ? size_bytes : usual;
    iree_arena_block_t *block = calloc(1, sizeof *block + ALIGN + want);
    if (!block) abort();
    block->size_bytes = want;
    if (want == size_bytes && arena->blocks) {
      block->next = arena->blocks->next;
      arena->blocks->next = block;
      arena->total_bytes += size_bytes;
      return block_begin(block);
    }
    block->next = arena->blocks;
    arena->blocks = block;
    arena->next = block_begin(block);
    arena->end = arena->next + want;
  }
  void *result = arena->next;
  arena->next += size_bytes;
  arena->total_bytes += size_bytes;
  return result;
}

char *iree_arena_copy(iree_arena_t *arena, const void *data, size_t size_bytes) {
  char *copy = iree_arena_alloc(arena, size_bytes + 1);
  if (size_bytes) memcpy(copy, data, size_bytes);
  return copy;
}

void *iree_arena_grow(iree_arena_t *arena, const void *old, size_t old_bytes, size_t new_bytes) {
  void *grown = iree_arena_alloc(arena, new_bytes);
  if (old_bytes) memcpy(grown, old, old_bytes);
  return grown;
}
