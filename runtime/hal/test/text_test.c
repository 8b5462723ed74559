// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of shapes, types, elements and buffers: every element type both ways, packed ones, limits,
// malformed and mutated text.
#include "iree/hal/string_util.h"

#include <math.h>
#include <stdlib.h>

#include "base/test.h"

static iree_status_t parse_type(const char *text, iree_hal_element_type_t *out_type) {
  return iree_hal_parse_element_type(iree_make_cstring_view(text), out_type);
}

TEST(element_types) {
  static const struct {
    const char *text;
    iree_hal_element_type_t type;
    const char *printed;
  } k_cases[] = {
      {"i1", IREE_HAL_ELEMENT_TYPE_BOOL_8, "i1"},
      {"i8", IREE_HAL_ELEMENT_TYPE_INT_8, "i8"},
      {"si16", IREE_HAL_ELEMENT_TYPE_SINT_16, "si16"},
      {"ui64", IREE_HAL_ELEMENT_TYPE_UINT_64, "ui64"},
      {"i4", IREE_HAL_ELEMENT_TYPE_INT_4, "i4"},
      {"f32", IREE_HAL_ELEMENT_TYPE_FLOAT_32, "f32"},
      {"bf16", IREE_HAL_ELEMENT_TYPE_BFLOAT_16, "bf16"},
      {"cf64", IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_64, "cf64"},
      {"x32", IREE_HAL_ELEMENT_TYPE_OPAQUE_32, "*32"},
      {"*8", IREE_HAL_ELEMENT_TYPE_OPAQUE_8, "*8"},
      {"f8E4M3FNUZ", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FNUZ, "f8E4M3FNUZ"},
      {"f8E8M0FNU", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E8M0_FNU, "f8E8M0FNU"},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
    iree_hal_element_type_t type;
    char text[16];
    EXPECT_OK(parse_type(k_cases[i].text, &type));
    EXPECT_EQ(type, k_cases[i].type);
    EXPECT_OK(iree_hal_format_element_type(type, sizeof(text), text, NULL));
    EXPECT_STR(text, k_cases[i].printed);
  }
  static const char *const k_bad[] = {"",     "i",   "q32", "f8E4M3",     "i0",
                                      "i256", "f-1", "32",  "f8E4M3FNUZZ"};
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_bad); ++i) {
    iree_hal_element_type_t type;
    if (!EXPECT_STATUS(INVALID_ARGUMENT, parse_type(k_bad[i], &type))) printf("  %s\n", k_bad[i]);
  }
}

TEST(shapes_and_types) {
  static const struct {
    const char *text;
    iree_host_size_t rank;
    iree_hal_dim_t last;
    iree_hal_element_type_t type;
  } k_cases[] = {
      {"4xf32", 1, 4, IREE_HAL_ELEMENT_TYPE_FLOAT_32},
      {"f32", 0, 0, IREE_HAL_ELEMENT_TYPE_FLOAT_32},
      {"xf32=1", 0, 0, IREE_HAL_ELEMENT_TYPE_FLOAT_32},
      {" \"2x0x5xi8=1 2\" ", 3, 5, IREE_HAL_ELEMENT_TYPE_INT_8},
      {"2x*32", 1, 2, IREE_HAL_ELEMENT_TYPE_OPAQUE_32},
      {"3xx32", 1, 3, IREE_HAL_ELEMENT_TYPE_OPAQUE_32},
      {"x32", 0, 0, IREE_HAL_ELEMENT_TYPE_OPAQUE_32},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
    iree_hal_dim_t shape[4] = {0};
    iree_host_size_t rank = 99;
    iree_hal_element_type_t type;
    EXPECT_OK(iree_hal_parse_shape_and_element_type(iree_make_cstring_view(k_cases[i].text), 4,
                                                    &rank, shape, &type));
    EXPECT_EQ(rank, k_cases[i].rank);
    EXPECT_EQ(type, k_cases[i].type);
    if (rank && rank <= 4) EXPECT_EQ(shape[rank - 1], k_cases[i].last);
  }
  static const char *const k_bad[] = {"",         "=",     "4x",     "4",
                                      "4x-1xf32", "axf32", "4xxf32", "99999999999999999999xf32"};
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_bad); ++i) {
    iree_hal_dim_t shape[4];
    iree_host_size_t rank;
    iree_hal_element_type_t type;
    if (!EXPECT_STATUS(INVALID_ARGUMENT,
                       iree_hal_parse_shape_and_element_type(iree_make_cstring_view(k_bad[i]), 4,
                                                             &rank, shape, &type))) {
      printf("  %s\n", k_bad[i]);
    }
  }
  iree_hal_dim_t shape[2];
  iree_host_size_t rank;
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_parse_shape(IREE_SV("1x2x3"), 2, &rank, shape));
  EXPECT_EQ(rank, 3);
  char text[4];
  iree_host_size_t length;
  static const iree_hal_dim_t k_shape[2] = {12, 34};
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_format_shape(2, k_shape, sizeof(text), text, &length));
  EXPECT_EQ(length, 5);
}

// Parses |values| into |count| elements and prints them again.
static void round_trip(test_t *test, const char *type_name, iree_hal_dim_t count,
                       const char *values, const char *printed) {
  iree_hal_element_type_t type;
  ASSERT_OK(parse_type(type_name, &type));
  iree_device_size_t size = 0;
  ASSERT_OK(iree_hal_buffer_compute_view_size(1, &count, type,
                                              IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &size));
  uint8_t *data = (uint8_t *)malloc(size + 1);
  char text[256];
  iree_status_t status = iree_hal_parse_buffer_elements(iree_make_cstring_view(values), type,
                                                        iree_make_byte_span(data, size));
  if (iree_status_is_ok(status)) {
    status = iree_hal_format_buffer_elements(iree_make_const_byte_span(data, size), 1, &count, type,
                                             1024, sizeof(text), text, NULL);
  }
  if (!EXPECT_OK(status) || !EXPECT_STR(text, printed)) printf("  %s %s\n", type_name, values);
  free(data);
}

TEST(round_trips) {
  round_trip(test, "i8", 4, "-128 255 0x10 010", "-128 -1 16 8");
  round_trip(test, "ui8", 2, "255,0", "255 0");
  round_trip(test, "i16", 2, "[65535][-32768]", "-1 -32768");
  round_trip(test, "i32", 2, "4294967295 -2147483648", "-1 -2147483648");
  round_trip(test, "ui32", 1, "4294967295", "4294967295");
  round_trip(test, "i64", 2, "18446744073709551615 -9223372036854775808",
             "-1 -9223372036854775808");
  round_trip(test, "ui64", 1, "18446744073709551615", "18446744073709551615");
  round_trip(test, "f32", 6, "nan -nan inf -inf 1e10 3.14159265",
             "NAN -NAN INF -INF 1E+10 3.14159");
  round_trip(test, "f64", 3, "1e300 -0 0.1", "1E+300 -0 0.1");
  round_trip(test, "f16", 5, "nan 65504 65520 1e-8 0.1", "NAN 65504 INF 0 0.0999756");
  round_trip(test, "bf16", 3, "-nan 65520 0.1", "NAN 65536 0.100098");
  round_trip(test, "f8E5M2", 3, "57344 65520 0.1", "57344 INF 0.09375");
  round_trip(test, "f8E4M3FN", 3, "448 65520 0.1", "448 NAN 0.101562");
  round_trip(test, "f8E8M0FNU", 2, "4 0.25", "4 0.25");
  round_trip(test, "cf64", 2, "0000803F00000040 1122334455667788",
             "0000803F00000040 1122334455667788");
  round_trip(test, "i1", 5, "01 00 1 false ff", "01 00 01 00 FF");
  round_trip(test, "*32", 2, "1a2b3c4d", "1A2B3C4D 1A2B3C4D");
  round_trip(test, "*4", 3, "1 f 0", "1 F 0");
  round_trip(test, "f32", 4, "2", "2 2 2 2");
  round_trip(test, "f32", 3, "", "0 0 0");
  round_trip(test, "f32", 0, "", "");
}

// Two i4 or four i2 in a byte, the first in the low bits; a last byte may be half full.
TEST(packed_elements) {
  round_trip(test, "i4", 4, "1 -8 15 7", "1 -8 -1 7");
  round_trip(test, "ui4", 3, "15 0 9", "15 0 9");
  round_trip(test, "i2", 5, "1 -2 0 1 -1", "1 -2 0 1 -1");
  round_trip(test, "si1", 3, "-1", "-1 -1 -1");
  uint8_t bytes[2];
  EXPECT_OK(iree_hal_parse_buffer_elements(IREE_SV("1 2 3"), IREE_HAL_ELEMENT_TYPE_INT_4,
                                           iree_make_byte_span(bytes, 2)));
  EXPECT_EQ(bytes[0], 0x21);
  EXPECT_EQ(bytes[1], 0x03);
}

TEST(wrong_values) {
  static const struct {
    const char *type, *values;
    iree_status_code_t code;
  } k_cases[] = {
      {"i8", "-129 0", IREE_STATUS_INVALID_ARGUMENT},
      {"i8", "256 0", IREE_STATUS_INVALID_ARGUMENT},
      {"si8", "128 0", IREE_STATUS_INVALID_ARGUMENT},
      {"si8", "-129 0", IREE_STATUS_INVALID_ARGUMENT},
      {"ui8", "-1 0", IREE_STATUS_INVALID_ARGUMENT},
      {"i64", "18446744073709551616 0", IREE_STATUS_INVALID_ARGUMENT},
      {"f32", "1 x", IREE_STATUS_INVALID_ARGUMENT},
      {"f32", "1;2", IREE_STATUS_INVALID_ARGUMENT},
      {"i1", "2 0", IREE_STATUS_INVALID_ARGUMENT},
      {"i1", "zz 00", IREE_STATUS_INVALID_ARGUMENT},
      {"*16", "123 1234", IREE_STATUS_INVALID_ARGUMENT},
      {"*4", "1 1f", IREE_STATUS_INVALID_ARGUMENT},
      {"f32", "1 2 3", IREE_STATUS_OUT_OF_RANGE},
      {"i3", "1 2", IREE_STATUS_UNIMPLEMENTED},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
    iree_hal_element_type_t type;
    uint8_t data[16];
    EXPECT_OK(parse_type(k_cases[i].type, &type));
    iree_status_t status = iree_hal_parse_buffer_elements(
        iree_make_cstring_view(k_cases[i].values), type,
        iree_make_byte_span(data, 2 * iree_hal_element_dense_byte_count(type)));
    if (!EXPECT_EQ(iree_status_consume_code(status), k_cases[i].code))
      printf("  %s\n", k_cases[i].values);
  }
  float three[3];
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_hal_parse_buffer_elements(IREE_SV("1 2"), IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                               iree_make_byte_span(three, sizeof(three))));
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_hal_parse_buffer_elements(IREE_SV("1"), IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                               iree_make_byte_span(three, 0)));
}

static void expect_printed(test_t *test, iree_host_size_t rank, const iree_hal_dim_t *shape,
                           iree_host_size_t limit, const char *printed) {
  int32_t data[16];
  for (int i = 0; i < 16; ++i) data[i] = i;
  char text[128];
  iree_host_size_t length = 0;
  EXPECT_OK(iree_hal_format_buffer_elements(iree_make_const_byte_span(data, sizeof(data)), rank,
                                            shape, IREE_HAL_ELEMENT_TYPE_INT_32, limit,
                                            sizeof(text), text, &length));
  EXPECT_STR(text, printed);
  EXPECT_EQ(length, strlen(printed));
}

TEST(nesting_and_limits) {
  expect_printed(test, 0, NULL, 10, "0");
  expect_printed(test, 0, NULL, 0, "...");
  expect_printed(test, 1, (const iree_hal_dim_t[]){3}, 2, "0 1...");
  expect_printed(test, 1, (const iree_hal_dim_t[]){0}, 2, "");
  expect_printed(test, 2, (const iree_hal_dim_t[]){2, 2}, 10, "[0 1][2 3]");
  expect_printed(test, 3, (const iree_hal_dim_t[]){2, 2, 2}, 5, "[[0 1][2 3]][[4...][...]]");
  expect_printed(test, 3, (const iree_hal_dim_t[]){2, 0, 2}, 5, "[][]");
  iree_hal_dim_t too_many[1] = {5};
  char text[8];
  static const int32_t k_data[4] = {0};
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_format_buffer_elements(
                                  iree_make_const_byte_span(k_data, 16), 1, too_many,
                                  IREE_HAL_ELEMENT_TYPE_INT_32, 10, sizeof(text), text, NULL));
}

// Any text is a value or an error; nothing is written past the elements.
TEST(mutations) {
  static const char k_text[] = "[[1 -2][0x3 4.5]] nan 00ff";
  static const char *const k_types[] = {"i8", "ui64", "f32", "f16", "f8E5M2",
                                        "i1", "*16",  "i4",  "cf64"};
  for (size_t t = 0; t < IREE_ARRAYSIZE(k_types); ++t) {
    iree_hal_element_type_t type;
    ASSERT_OK(parse_type(k_types[t], &type));
    for (size_t i = 0; i + 1 < sizeof(k_text); ++i) {
      for (int c = 0; c < 256; ++c) {
        char *text = (char *)malloc(sizeof(k_text) - 1);
        uint8_t *data = (uint8_t *)malloc(12);
        memcpy(text, k_text, sizeof(k_text) - 1);
        text[i] = (char)c;
        iree_status_ignore(iree_hal_parse_buffer_elements(
            iree_make_string_view(text, sizeof(k_text) - 1), type, iree_make_byte_span(data, 12)));
        iree_status_ignore(iree_hal_parse_element(iree_make_string_view(text, i), type,
                                                  iree_make_byte_span(data, 12)));
        free(data);
        free(text);
      }
    }
  }
}

TEST_MAIN(CASE(element_types) CASE(shapes_and_types) CASE(round_trips) CASE(packed_elements)
              CASE(wrong_values) CASE(nesting_and_limits) CASE(mutations))
