// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a size-prefixed FlatBuffer front to back.
//
// References must point forward, so parents come before children and strings, which are shared,
// come last. Positions count from the length prefix, which is also the frame of all alignment: the
// file places the prefix at a multiple of 64. Equal vtables are stored once.
#ifndef IREE_COMPILER_EMIT_FLATBUF_H_
#define IREE_COMPILER_EMIT_FLATBUF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iree/base/api.h"

typedef struct {
  uint32_t at;
  iree_string_view_t text;
} flatbuf_pending_t;

typedef struct {
  uint8_t *data;
  size_t size, capacity;
  uint32_t *vtables;  // positions
  size_t vtable_count, vtable_capacity;
  flatbuf_pending_t *pending;  // strings to write at the end
  size_t pending_count, pending_capacity;
} flatbuf_t;

// One field of a table. |at| is set to where its bytes lie.
typedef struct {
  uint16_t slot;
  uint8_t size;  // 1, 2, 4 or 8; 4 for references
  uint64_t value;
  uint32_t at;
} flatbuf_field_t;

// Starts a buffer: prefix, root reference (unset), |identifier| of four characters.
void flatbuf_init(flatbuf_t *fb, const char *identifier);
void flatbuf_deinit(flatbuf_t *fb);

// Adds a table with the given fields, in any order; returns its position.
uint32_t flatbuf_add_table(flatbuf_t *fb, flatbuf_field_t *fields, size_t count);

// Adds a vector of |count| references (4 bytes each, set with flatbuf_link); returns its position.
uint32_t flatbuf_add_references(flatbuf_t *fb, size_t count);

// Adds a vector of |count| elements of |element_size| bytes whose first byte is aligned to
// |alignment| (4 or more); returns its position. |data| may be NULL for zeros.
uint32_t flatbuf_add_vector(flatbuf_t *fb, const void *data, size_t count, size_t element_size,
                            size_t alignment);

// Makes the reference at |at| point to |target|, which lies behind it.
void flatbuf_link(flatbuf_t *fb, uint32_t at, uint32_t target);

// Makes the reference at |at| point to a string; |text| is borrowed until flatbuf_finish.
void flatbuf_link_string(flatbuf_t *fb, uint32_t at, iree_string_view_t text);

// Writes the pending strings, each distinct one once.
void flatbuf_add_strings(flatbuf_t *fb);

// Sets the root and the length prefix, padding so that prefix and content end on |end_alignment|.
void flatbuf_finish(flatbuf_t *fb, uint32_t root, size_t end_alignment);

#endif  // IREE_COMPILER_EMIT_FLATBUF_H_
