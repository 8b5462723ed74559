// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The FlatBuffer verifier on a hand-written buffer: fields read back, every kind of damage refused,
// no byte outside the buffer touched whatever is changed in it.
#include <stdlib.h>

#include "base/flatbuf.h"
#include "base/test.h"

// table Node { name: string (required); value: u32; children: [Node]; data: [u8]; big: u64;
//              pairs: [struct of 8]; kinds: [u8]; any: [union of Node] }
static const flatbuf_field_t k_fields[] = {
    {"name", 0, 0, FLATBUF_STRING, true},      {"value", 1, 0, FLATBUF_U32, false},
    {"children", 2, 0, FLATBUF_TABLES, false}, {"data", 3, 0, FLATBUF_BYTES, false},
    {"big", 4, 0, FLATBUF_U64, false},         {"pairs", 5, 8, FLATBUF_STRUCTS, false},
    {"kinds", 6, 0, FLATBUF_BYTES, false},     {"any", 7, 0, FLATBUF_UNIONS, false},
    {"next", 8, 0, FLATBUF_TABLE, false},
};
static const flatbuf_table_schema_t k_tables[] = {{"Node", 0, IREE_ARRAYSIZE(k_fields)}};
static const flatbuf_union_member_t k_members[] = {{0, 1, 0}};
static const flatbuf_schema_t k_schema = {"TEST", k_tables, k_fields, k_members, 1, 0};

// Little-endian words and bytes of the buffer; offsets are relative to the field that holds them.
static const uint8_t k_buffer[] = {
    32, 0, 0,  0, 'T', 'E', 'S', 'T',                // 0: root at 32
    22, 0, 40, 0, 4,   0,   8,   0,   12, 0, 16, 0,  // 8: vtable: 9 slots, table of 40 bytes
    32, 0, 20, 0, 24,  0,   28,  0,   0,  0, 0,  0,  // 20
    24, 0, 0,  0,                                    // 32: root: vtable 24 bytes before
    36, 0, 0,  0,                                    // 36: name -> 72
    7,  0, 0,  0,                                    // 40: value
    36, 0, 0,  0,                                    // 44: children -> 80
    56, 0, 0,  0,                                    // 48: data -> 104
    60, 0, 0,  0,                                    // 52: pairs -> 112
    68, 0, 0,  0,                                    // 56: kinds -> 124
    72, 0, 0,  0,                                    // 60: any -> 132
    1,  2, 3,  4, 5,   6,   7,   8,                  // 64: big
    3,  0, 0,  0, 'a', 'b', 'c', 0,                  // 72
    1,  0, 0,  0, 12,  0,   0,   0,                  // 80: one child -> 96
    6,  0, 8,  0, 4,   0,   0,   0,                  // 88: vtable of the child: name
    8,  0, 0,  0, 228, 255, 255, 255,                // 96: child; its name is patched below
    3,  0, 0,  0, 9,   8,   7,   0,                  // 104
    1,  0, 0,  0, 1,   1,   1,   1,   2,  2, 2,  2,  // 112
    2,  0, 0,  0, 1,   9,   0,   0,                  // 124
    2,  0, 0,  0, 12,  0,   0,   0,   8,  0, 0,  0,  // 132: two: a Node -> 148, an unknown one
    0,  0, 0,  0,                                    // 144
    60, 0, 0,  0, 4,   0,   0,   0,                  // 148: Node with the child's vtable
    1,  0, 0,  0, 'z', 0,   0,   0,                  // 156: its name is at 156
};

static iree_const_byte_span_t good_buffer(uint8_t *storage) {
  memcpy(storage, k_buffer, sizeof(k_buffer));
  storage[100] = 56;  // name of the child: 100 + 56 = 156
  memset(storage + 101, 0, 3);
  return iree_make_const_byte_span(storage, sizeof(k_buffer));
}

TEST(fields_read_back) {
  uint8_t storage[sizeof(k_buffer)];
  iree_const_byte_span_t buffer = good_buffer(storage);
  ASSERT_OK(flatbuf_verify(buffer, &k_schema));
  flatbuf_table_t root = flatbuf_root(buffer);
  EXPECT_SV(flatbuf_string(root, 0), "abc");
  EXPECT_EQ(flatbuf_u32(root, 1, 0), 7);
  EXPECT_EQ(flatbuf_u64(root, 4, 0), 0x0807060504030201);
  flatbuf_vector_t children = flatbuf_vector(root, 2);
  ASSERT_EQ(children.count, 1);
  flatbuf_table_t child = flatbuf_vector_table(children, 0);
  EXPECT_SV(flatbuf_string(child, 0), "z");
  EXPECT_EQ(flatbuf_u32(child, 1, 42), 42);  // slot beyond its vtable
  EXPECT_EQ(flatbuf_bytes(root, 3).data[2], 7);
  EXPECT_EQ(flatbuf_vector(root, 5).count, 1);
  EXPECT(flatbuf_table(root, 8) == NULL);
  EXPECT_EQ(flatbuf_u32(NULL, 1, 5), 5);
}

TEST(damage_is_refused) {
  static const struct {
    int at;
    uint8_t value;
    const char *what;
  } damages[] = {
      {4, 'X', "identifier mismatch"},     {3, 1, "root table out of bounds"},
      {0, 0, "root table out of bounds"},  {32, 200, "vtable out of bounds"},
      {8, 3, "vtable out of bounds"},      {9, 1, "vtable out of bounds"},
      {10, 200, "table out of bounds"},    {12, 0, "required but absent"},
      {12, 39, "field out of bounds"},     {12, 2, "field out of bounds"},
      {39, 1, "offset out of bounds"},     {74, 1, "content out of bounds"},
      {79, 'x', "not NUL-terminated"},     {81, 1, "content out of bounds"},
      {86, 1, "element out of bounds"},    {112, 30, "content out of bounds"},
      {124, 1, "types and values differ"}, {139, 1, "element out of bounds"},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(damages); ++i) {
    uint8_t storage[sizeof(k_buffer)];
    iree_const_byte_span_t buffer = good_buffer(storage);
    storage[damages[i].at] = damages[i].value;
    iree_status_t status = flatbuf_verify(buffer, &k_schema);
    iree_string_view_t message = iree_status_message(status);
    bool ok = iree_status_is_invalid_argument(status) &&
              (IREE_STATUS_MODE < 2 || strstr(message.data, damages[i].what));
    if (!EXPECT(ok)) printf("  byte %d: %.*s\n", damages[i].at, IREE_SV_ARGS(message));
    iree_status_free(status);
  }
}

// Reads everything a verified buffer offers.
static uint64_t visit(flatbuf_table_t node, int depth) {
  uint64_t sum = flatbuf_u32(node, 1, 1) + flatbuf_u64(node, 4, 0);
  iree_string_view_t name = flatbuf_string(node, 0);
  for (iree_host_size_t i = 0; i <= name.size; ++i) sum += (uint8_t)name.data[i];
  iree_const_byte_span_t data = flatbuf_bytes(node, 3);
  for (iree_host_size_t i = 0; i < data.data_length; ++i) sum += data.data[i];
  flatbuf_vector_t pairs = flatbuf_vector(node, 5);
  for (uint32_t i = 0; i < 8 * pairs.count; ++i) sum += pairs.data[i];
  flatbuf_vector_t children = flatbuf_vector(node, 2);
  for (uint32_t i = 0; i < children.count && depth < 20; ++i) {
    sum += visit(flatbuf_vector_table(children, i), depth + 1);
  }
  if (flatbuf_table(node, 8) && depth < 20) sum += visit(flatbuf_table(node, 8), depth + 1);
  return sum;
}

TEST(changed_bytes_do_no_harm) {
  uint32_t passed = 0, tried = 0;
  uint64_t sum = 0;
  for (size_t n = 0; n <= sizeof(k_buffer); ++n) {
    for (size_t i = 0; i < n; ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        if (n != sizeof(k_buffer) && bit) continue;
        uint8_t full[sizeof(k_buffer)];
        (void)good_buffer(full);
        full[i] ^= (uint8_t)(1 << bit);
        uint8_t *exact = malloc(n);
        memcpy(exact, full, n);
        iree_const_byte_span_t buffer = iree_make_const_byte_span(exact, n);
        iree_status_t status = flatbuf_verify(buffer, &k_schema);
        ++tried;
        if (iree_status_is_ok(status)) {
          ++passed;
          sum += visit(flatbuf_root(buffer), 0);
        }
        iree_status_free(status);
        free(exact);
      }
    }
  }
  printf("  %u of %u pass (%llu)\n", passed, tried, (unsigned long long)sum);
  EXPECT(passed > 0 && passed < tried);
}

// n vectors of n references to the next: a few kilobytes that describe n^k tables.
TEST(sharing_does_not_explode) {
  enum { LEVELS = 8, FAN = 64 };
  static uint8_t data[LEVELS * (16 + 4 + 4 * FAN + 16) + 256];
  memset(data, 0, sizeof(data));
  memcpy(data + 4, "TEST", 4);
  // One vtable at 8: name in slot 0 at 4, children in slot 2 at 8.
  static const uint8_t vtable[] = {10, 0, 12, 0, 4, 0, 0, 0, 8, 0};
  memcpy(data + 8, vtable, sizeof(vtable));
  uint32_t at = 20, name_at = (uint32_t)sizeof(data) - 8;
  data[0] = (uint8_t)at;
  for (int level = 0; level < LEVELS; ++level) {
    int32_t back = (int32_t)at - 8;
    uint32_t name = name_at - (at + 4), children = 4, count = level + 1 < LEVELS ? FAN : 0;
    memcpy(data + at, &back, 4);
    memcpy(data + at + 4, &name, 4);
    memcpy(data + at + 8, &children, 4);
    memcpy(data + at + 12, &count, 4);
    uint32_t next = at + 16 + 4 * count;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t offset = next - (at + 16 + 4 * i);
      memcpy(data + at + 16 + 4 * i, &offset, 4);
    }
    at = next;
  }
  EXPECT_STATUS(INVALID_ARGUMENT,
                flatbuf_verify(iree_make_const_byte_span(data, sizeof(data)), &k_schema));
}

TEST_MAIN(CASE(fields_read_back) CASE(damage_is_refused) CASE(changed_bytes_do_no_harm)
              CASE(sharing_does_not_explode))
