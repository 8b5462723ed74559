// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npy arrays: what NumPy writes, byte and element orders, malformed and mutated headers, and the
// writer read back.

#include "tooling/npy.h"

#include <stdlib.h>

#include "base/test.h"

// Builds version |major| with |dict| and |data|; returns the length.
static iree_host_size_t build(uint8_t *out, int major, const char *dict, const void *data,
                              iree_host_size_t data_length) {
  const iree_host_size_t dict_length = strlen(dict);
  const uint8_t prefix[12] = {0x93,
                              'N',
                              'U',
                              'M',
                              'P',
                              'Y',
                              (uint8_t)major,
                              0,
                              (uint8_t)dict_length,
                              (uint8_t)(dict_length >> 8),
                              0,
                              0};
  const iree_host_size_t prefix_length = major == 1 ? 10 : 12;
  memcpy(out, prefix, prefix_length);
  memcpy(out + prefix_length, dict, dict_length);
  if (data_length) memcpy(out + prefix_length + dict_length, data, data_length);
  return prefix_length + dict_length + data_length;
}

static iree_status_t parse(const uint8_t *bytes, iree_host_size_t length, npy_array_t *out_array) {
  return npy_parse(iree_make_const_byte_span(bytes, length), out_array);
}

TEST(plain_arrays) {
  static const struct {
    int major;
    const char *dict;
    iree_hal_element_type_t type;
    iree_host_size_t rank, bytes;
  } k_cases[] = {
      {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n",
       IREE_HAL_ELEMENT_TYPE_FLOAT_32, 2, 24},
      {2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\n",
       IREE_HAL_ELEMENT_TYPE_FLOAT_32, 2, 24},
      {3, "{'shape': (5,), 'descr': '|b1', 'fortran_order': False}", IREE_HAL_ELEMENT_TYPE_BOOL_8,
       1, 5},
      {1, "{\"descr\": \"<i8\", \"fortran_order\": False, \"shape\": ()}",
       IREE_HAL_ELEMENT_TYPE_SINT_64, 0, 8},
      {1, "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 7), }",
       IREE_HAL_ELEMENT_TYPE_UINT_8, 2, 0},
      {1, "{'descr': '<c8', 'fortran_order': True, 'shape': (2L, 1L), }",
       IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_64, 2, 16},
      {1, "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }",
       IREE_HAL_ELEMENT_TYPE_FLOAT_16, 1, 6},
      {1, "{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }",
       IREE_HAL_ELEMENT_TYPE_OPAQUE_16, 1, 6},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
    uint8_t bytes[256], data[64] = {0};
    const iree_host_size_t length =
        build(bytes, k_cases[i].major, k_cases[i].dict, data, k_cases[i].bytes);
    npy_array_t array;
    if (!EXPECT_OK(parse(bytes, length, &array))) continue;
    EXPECT_EQ(array.element_type, k_cases[i].type);
    EXPECT_EQ(array.rank, k_cases[i].rank);
    EXPECT_EQ(array.data.data_length, k_cases[i].bytes);
    EXPECT_EQ(array.stored_length, length);
    if (k_cases[i].bytes) EXPECT_STATUS(OUT_OF_RANGE, parse(bytes, length - 1, &array));
  }
}

TEST(malformed_headers) {
  static const char *const k_dicts[] = {
      "",
      "{",
      "{}",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
      "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 4}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_dicts); ++i) {
    uint8_t bytes[256], data[16] = {0};
    npy_array_t array;
    const iree_host_size_t length = build(bytes, 1, k_dicts[i], data, sizeof(data));
    if (!EXPECT_STATUS(INVALID_ARGUMENT, parse(bytes, length, &array)))
      printf("  %s\n", k_dicts[i]);
  }
  static const char *const k_kinds[] = {"<f3", "<f16", "|O", "<U4", "<i16",
                                        "<c4", "<V32", "",   "f",   "<M8[ns]"};
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_kinds); ++i) {
    char dict[128];
    uint8_t bytes[256];
    npy_array_t array;
    snprintf(dict, sizeof(dict), "{'descr': '%s', 'fortran_order': False, 'shape': (0,)}",
             k_kinds[i]);
    if (!EXPECT_STATUS(UNIMPLEMENTED, parse(bytes, build(bytes, 1, dict, NULL, 0), &array))) {
      printf("  %s\n", k_kinds[i]);
    }
  }
}

TEST(prefix) {
  uint8_t bytes[256];
  npy_array_t array;
  const iree_host_size_t length =
      build(bytes, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "x", 1);
  EXPECT_STATUS(OUT_OF_RANGE, parse(bytes, 0, &array));
  EXPECT_STATUS(INVALID_ARGUMENT, parse(bytes, 9, &array));
  EXPECT_STATUS(OUT_OF_RANGE, parse(bytes, 20, &array));
  bytes[6] = 4;
  EXPECT_STATUS(UNIMPLEMENTED, parse(bytes, length, &array));
  bytes[6] = 1;
  bytes[8] = bytes[9] = 0xFF;
  EXPECT_STATUS(OUT_OF_RANGE, parse(bytes, length, &array));
}

TEST(orders) {
  // 2x3 of 0..5, first dimension fastest, big-endian.
  static const uint8_t k_data[12] = {0, 0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5};
  uint8_t bytes[256];
  uint16_t out[6];
  npy_array_t array;
  iree_host_size_t length =
      build(bytes, 1, "{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }", k_data,
            sizeof(k_data));
  ASSERT_OK(parse(bytes, length, &array));
  EXPECT_STATUS(INVALID_ARGUMENT, npy_copy_elements(&array, iree_make_byte_span(out, 10)));
  ASSERT_OK(npy_copy_elements(&array, iree_make_byte_span(out, sizeof(out))));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(out[i], i);
  // Complex numbers swap each half.
  static const uint8_t k_complex[8] = {0x3F, 0x80, 0, 0, 0x40, 0, 0, 0};
  float parts[2];
  length = build(bytes, 1, "{'descr': '>c8', 'fortran_order': False, 'shape': (), }", k_complex, 8);
  ASSERT_OK(parse(bytes, length, &array));
  ASSERT_OK(npy_copy_elements(&array, iree_make_byte_span(parts, sizeof(parts))));
  EXPECT(parts[0] == 1.0f && parts[1] == 2.0f);
}

TEST(written_headers_read_back) {
  static const struct {
    iree_hal_element_type_t type;
    const char *descr;
  } k_cases[] = {
      {IREE_HAL_ELEMENT_TYPE_FLOAT_32, "'<f4'"},
      {IREE_HAL_ELEMENT_TYPE_INT_8, "'|i1'"},
      {IREE_HAL_ELEMENT_TYPE_SINT_64, "'<i8'"},
      {IREE_HAL_ELEMENT_TYPE_UINT_16, "'<u2'"},
      {IREE_HAL_ELEMENT_TYPE_BOOL_8, "'|b1'"},
      {IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_128, "'<c16'"},
      {IREE_HAL_ELEMENT_TYPE_BFLOAT_16, "'<V2'"},
      {IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2, "'|V1'"},
  };
  static const iree_hal_dim_t k_shape[3] = {2, 0, 12345678901};
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
    for (iree_host_size_t rank = 0; rank <= 3; ++rank) {
      iree_string_builder_t builder;
      iree_string_builder_initialize(iree_allocator_system(), &builder);
      EXPECT_OK(npy_append_header(k_cases[i].type, rank, k_shape, &builder));
      EXPECT_EQ(builder.size % 64, 0);
      EXPECT(strstr(builder.buffer + 10, k_cases[i].descr) != NULL);
      EXPECT_EQ(builder.buffer[builder.size - 1], '\n');
      // Enough bytes for the elements of the small shapes.
      EXPECT_OK(iree_string_builder_append_string(&builder,
                                                  iree_make_string_view((const char[64]){0}, 64)));
      npy_array_t array;
      EXPECT_OK(parse((const uint8_t *)builder.buffer, builder.size, &array));
      EXPECT_EQ(array.rank, rank);
      for (iree_host_size_t d = 0; d < rank; ++d) EXPECT_EQ(array.shape[d], k_shape[d]);
      iree_string_builder_deinitialize(&builder);
    }
  }
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  EXPECT_STATUS(UNIMPLEMENTED, npy_append_header(IREE_HAL_ELEMENT_TYPE_INT_4, 0, NULL, &builder));
  iree_string_builder_deinitialize(&builder);
}

// Any single byte may be wrong, any tail missing: a status, and copies stay inside.
TEST(mutations) {
  uint8_t bytes[256], copy[256];
  static const uint8_t k_data[24] = {1, 2, 3};
  const iree_host_size_t length =
      build(bytes, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", k_data,
            sizeof(k_data));
  int accepted = 0;
  for (iree_host_size_t i = 0; i < length; ++i) {
    for (int value = 0; value < 256; ++value) {
      // In a block of its own, so that a sanitizer sees a read past the end.
      uint8_t *block = (uint8_t *)malloc(length);
      ASSERT(block != NULL);
      memcpy(block, bytes, length);
      block[i] = (uint8_t)value;
      npy_array_t array;
      iree_status_t status = parse(block, length, &array);
      if (iree_status_is_ok(status)) {
        ++accepted;
        EXPECT(array.data.data_length <= sizeof(copy));
        EXPECT_OK(npy_copy_elements(&array, iree_make_byte_span(copy, array.data.data_length)));
      }
      iree_status_ignore(status);
      free(block);
    }
    npy_array_t array;
    EXPECT(!iree_status_is_ok(
        iree_status_from_code(iree_status_consume_code(parse(bytes, i, &array)))));
  }
  EXPECT(accepted > 0);
}

TEST_MAIN(CASE(plain_arrays) CASE(malformed_headers) CASE(prefix) CASE(orders)
              CASE(written_headers_read_back) CASE(mutations))
