// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FlatBuffer writing: one growing byte array. Out of memory ends the process, as everywhere in the
// compiler.
#include "compiler/emit/flatbuf.h"

#include <stdlib.h>
#include <string.h>

static void *grow(void *old, size_t bytes) {
  void *p = realloc(old, bytes);
  if (!p) abort();
  return p;
}

static uint8_t *append(flatbuf_t *fb, size_t bytes) {
  if (fb->capacity - fb->size < bytes) {
    size_t capacity = fb->capacity * 2 + 1024;
    if (capacity < fb->size + bytes) capacity = fb->size + bytes;
    fb->data = grow(fb->data, capacity);
    fb->capacity = capacity;
  }
  uint8_t *at = fb->data + fb->size;
  memset(at, 0, bytes);
  fb->size += bytes;
  return at;
}

// Pads so that |bytes_ahead| bytes from here on lies a multiple of |alignment|.
static void align(flatbuf_t *fb, size_t alignment, size_t bytes_ahead) {
  size_t rest = (fb->size + bytes_ahead) % alignment;
  if (rest) append(fb, alignment - rest);
}

static void store(uint8_t *p, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) p[i] = (uint8_t)(value >> (8 * i));
}

void flatbuf_init(flatbuf_t *fb, const char *identifier) {
  *fb = (flatbuf_t){0};
  append(fb, 8);  // prefix, root
  memcpy(append(fb, 4), identifier, 4);
}

void flatbuf_deinit(flatbuf_t *fb) {
  free(fb->data);
  free(fb->vtables);
  free(fb->pending);
  *fb = (flatbuf_t){0};
}

static uint32_t add_vtable(flatbuf_t *fb, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < fb->vtable_count; ++i) {
    uint32_t at = fb->vtables[i];
    if (at + size <= fb->size && memcmp(fb->data + at, bytes, size) == 0) return at;
  }
  align(fb, 2, 0);
  uint32_t at = (uint32_t)fb->size;
  memcpy(append(fb, size), bytes, size);
  if (fb->vtable_count == fb->vtable_capacity) {
    fb->vtable_capacity = fb->vtable_capacity * 2 + 16;
    fb->vtables = grow(fb->vtables, fb->vtable_capacity * sizeof(uint32_t));
  }
  fb->vtables[fb->vtable_count++] = at;
  return at;
}

uint32_t flatbuf_add_table(flatbuf_t *fb, flatbuf_field_t *fields, size_t count) {
  enum { MAX_SLOTS = 32 };
  uint8_t vtable[4 + 2 * MAX_SLOTS] = {0};
  uint16_t slots = 0;
  bool has_wide = false;
  for (size_t i = 0; i < count; ++i) {
    IREE_ASSERT(fields[i].slot < MAX_SLOTS);
    if (fields[i].slot >= slots) slots = (uint16_t)(fields[i].slot + 1);
    if (fields[i].size == 8) has_wide = true;
  }
  // Widest fields first: no padding inside but before a leading 8-byte field, which the table's own
  // placement avoids.
  uint32_t cursor = 4;
  for (uint8_t size = 8; size; size = (uint8_t)(size / 2)) {
    for (size_t i = 0; i < count; ++i) {
      if (fields[i].size != size) continue;
      store(vtable + 4 + 2 * fields[i].slot, cursor, 2);
      fields[i].at = cursor;
      cursor += size;
    }
  }
  store(vtable, 4u + 2u * slots, 2);
  store(vtable + 2, cursor, 2);
  uint32_t vtable_at = add_vtable(fb, vtable, 4u + 2u * slots);
  align(fb, has_wide ? 8 : 4, has_wide ? 4 : 0);
  uint32_t table = (uint32_t)fb->size;
  uint8_t *bytes = append(fb, cursor);
  store(bytes, table - vtable_at, 4);
  for (size_t i = 0; i < count; ++i) {
    store(bytes + fields[i].at, fields[i].value, fields[i].size);
    fields[i].at += table;
  }
  return table;
}

uint32_t flatbuf_add_references(flatbuf_t *fb, size_t count) {
  return flatbuf_add_vector(fb, NULL, count, 4, 4);
}

uint32_t flatbuf_add_vector(flatbuf_t *fb, const void *data, size_t count, size_t element_size,
                            size_t alignment) {
  align(fb, 4, 0);
  align(fb, alignment < 4 ? 4 : alignment, 4);
  uint32_t at = (uint32_t)fb->size;
  uint8_t *bytes = append(fb, 4 + count * element_size);
  store(bytes, count, 4);
  if (data && count) memcpy(bytes + 4, data, count * element_size);
  return at;
}

void flatbuf_link(flatbuf_t *fb, uint32_t at, uint32_t target) {
  IREE_ASSERT(target > at);
  store(fb->data + at, target - at, 4);
}

void flatbuf_link_string(flatbuf_t *fb, uint32_t at, iree_string_view_t text) {
  if (fb->pending_count == fb->pending_capacity) {
    fb->pending_capacity = fb->pending_capacity * 2 + 64;
    fb->pending = grow(fb->pending, fb->pending_capacity * sizeof(flatbuf_pending_t));
  }
  fb->pending[fb->pending_count++] = (flatbuf_pending_t){at, text};
}

static uint64_t hash_text(iree_string_view_t text) {
  uint64_t hash = 1469598103934665603ull;
  for (size_t i = 0; i < text.size; ++i) hash = (hash ^ (uint8_t)text.data[i]) * 1099511628211ull;
  return hash;
}

void flatbuf_add_strings(flatbuf_t *fb) {
  size_t buckets = 16;
  while (buckets < fb->pending_count * 2) buckets *= 2;
  typedef struct {
    iree_string_view_t text;
    uint32_t at;
  } entry_t;
  entry_t *table = calloc(buckets, sizeof(entry_t));
  if (!table) abort();
  for (size_t i = 0; i < fb->pending_count; ++i) {
    iree_string_view_t text = fb->pending[i].text;
    size_t slot = (size_t)hash_text(text) & (buckets - 1);
    while (table[slot].at && !iree_string_view_equal(table[slot].text, text)) {
      slot = (slot + 1) & (buckets - 1);
    }
    if (!table[slot].at) {
      align(fb, 4, 0);
      table[slot] = (entry_t){text, (uint32_t)fb->size};
      uint8_t *bytes = append(fb, 4 + text.size + 1);
      store(bytes, text.size, 4);
      if (text.size) memcpy(bytes + 4, text.data, text.size);
    }
    flatbuf_link(fb, fb->pending[i].at, table[slot].at);
  }
  free(table);
  fb->pending_count = 0;
}

void flatbuf_finish(flatbuf_t *fb, uint32_t root, size_t end_alignment) {
  align(fb, end_alignment, 0);
  store(fb->data, fb->size - 4, 4);
  store(fb->data + 4, root - 4, 4);
}
