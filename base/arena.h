// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arena: bump allocation over chained blocks, freed all at once.
//
// The compiler's memory model: everything that belongs to a module lives in one arena and goes with
// it. Running out of memory is fatal; nothing below needs a failure path.
#ifndef BASE_ARENA_H_
#define BASE_ARENA_H_

#include <stddef.h>
#include <stdint.h>

typedef struct iree_arena_block iree_arena_block_t;
typedef struct iree_arena {
  iree_arena_block_t *blocks;
  char *next, *end;
  size_t total_bytes;  // handed out, for reports
} iree_arena_t;

void iree_arena_init(iree_arena_t *arena);
void iree_arena_deinit(iree_arena_t *arena);
// Frees all blocks but the first; every pointer into the arena dies.
void iree_arena_reset(iree_arena_t *arena);
// Returns zeroed memory aligned to 16 bytes; never NULL. Owned by the arena.
void *iree_arena_alloc(iree_arena_t *arena, size_t size_bytes);
// Copies |size_bytes| and appends a NUL.
char *iree_arena_copy(iree_arena_t *arena, const void *data, size_t size_bytes);

#define IREE_ARENA_NEW(arena, type) ((type *)iree_arena_alloc((arena), sizeof(type)))
#define IREE_ARENA_ARRAY(arena, type, n) ((type *)iree_arena_alloc((arena), (size_t)(n) * sizeof(type)))

// Growable array in an arena: pushes |value|, doubling the storage (the old one is left behind).
#define IREE_ARENA_PUSH(arena, ptr, count, capacity, value)                                  \
  do {                                                                                       \
    if ((count) == (capacity)) {                                                             \
      (capacity) = (capacity) ? (capacity) * 2 : 8;                                          \
      (ptr) = iree_arena_grow((arena), (ptr), (size_t)(count) * sizeof *(ptr),               \
                              (size_t)(capacity) * sizeof *(ptr));                           \
    }                                                                                        \
    (ptr)[(count)++] = (value);                                                              \
  } while (0)
void *iree_arena_grow(iree_arena_t *arena, const void *old, size_t old_bytes, size_t new_bytes);

#endif  // BASE_ARENA_H_
