// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views, their layout and their text.
#include "iree/hal/api.h"

#include "base/test.h"

static iree_hal_allocator_t *allocator;

static iree_hal_buffer_view_t *parse(test_t *test, const char *text) {
  iree_hal_buffer_view_t *view = NULL;
  EXPECT_OK(iree_hal_buffer_view_parse(iree_make_cstring_view(text), NULL, allocator, &view));
  return view;
}

static void expect_round_trip(test_t *test, const char *text, const char *expected) {
  iree_hal_buffer_view_t *view = parse(test, text);
  if (!view) return;
  char buffer[256];
  iree_host_size_t length = 0;
  EXPECT_OK(iree_hal_buffer_view_format(view, 1024, sizeof(buffer), buffer, &length));
  EXPECT_STR(buffer, expected);
  EXPECT_EQ(length, strlen(expected));
  iree_hal_buffer_view_release(view);
}

TEST(text_round_trips) {
  expect_round_trip(test, "4xf32=1,2 3.5,-4", "4xf32=1 2 3.5 -4");
  expect_round_trip(test, "2x2xi32=[1 2][3 4]", "2x2xi32=[1 2][3 4]");
  expect_round_trip(test, "f32=3", "f32=3");
  expect_round_trip(test, "3xf64=7", "3xf64=7 7 7");
  expect_round_trip(test, "2xf16", "2xf16=0 0");
  expect_round_trip(test, "2xbf16=1.5 -2", "2xbf16=1.5 -2");
  expect_round_trip(test, "4xi1=01 00 01 00", "4xi1=01 00 01 00");
  expect_round_trip(test, "2xi8=-128 255", "2xi8=-128 -1");
  expect_round_trip(test, "1xui64=18446744073709551615", "1xui64=18446744073709551615");
  expect_round_trip(test, "1xi64=-9223372036854775808", "1xi64=-9223372036854775808");
  expect_round_trip(test, "1x2x2xui8=1 2 3 4", "1x2x2xui8=[[1 2][3 4]]");
  expect_round_trip(test, "0x4xf32", "0x4xf32=");
  expect_round_trip(test, "1xcf64=ABCDEF0000000000", "1xcf64=ABCDEF0000000000");
  expect_round_trip(test, "2xf8E4M3FN=1.75 448", "2xf8E4M3FN=1.75 448");
  expect_round_trip(test, "2x*16=0102 0304", "2x*16=0102 0304");
}

TEST(bad_text_is_refused) {
  const struct {
    const char *text;
    iree_status_code_t code;
  } rows[] = {
      {"", IREE_STATUS_INVALID_ARGUMENT},
      {"4", IREE_STATUS_INVALID_ARGUMENT},
      {"4x", IREE_STATUS_INVALID_ARGUMENT},
      {"xxf32", IREE_STATUS_INVALID_ARGUMENT},
      {"4xq32=1", IREE_STATUS_INVALID_ARGUMENT},
      {"-1xf32", IREE_STATUS_INVALID_ARGUMENT},
      {"4xf32=1 2", IREE_STATUS_OUT_OF_RANGE},
      {"2xf32=1 2 3", IREE_STATUS_OUT_OF_RANGE},
      {"2xf32=1 a", IREE_STATUS_INVALID_ARGUMENT},
      {"1xui8=256", IREE_STATUS_INVALID_ARGUMENT},
      {"1xui8=-1", IREE_STATUS_INVALID_ARGUMENT},
      {"1xsi8=128", IREE_STATUS_INVALID_ARGUMENT},
      {"1xi8=-129", IREE_STATUS_INVALID_ARGUMENT},
      {"2xi1=g", IREE_STATUS_INVALID_ARGUMENT},
      {"99999999999x99999999999xf32", IREE_STATUS_OUT_OF_RANGE},
      {"0x4611686018427387904xf32", IREE_STATUS_OUT_OF_RANGE},
      {"1xi300", IREE_STATUS_INVALID_ARGUMENT},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    iree_hal_buffer_view_t *view = NULL;
    iree_status_t status =
        iree_hal_buffer_view_parse(iree_make_cstring_view(rows[i].text), NULL, allocator, &view);
    if (!EXPECT_EQ(iree_status_code(status), rows[i].code)) printf("  text: %s\n", rows[i].text);
    iree_status_free(status);
    EXPECT(!view);
  }
}

TEST(long_tensors_are_cut) {
  iree_hal_buffer_view_t *view = parse(test, "2x3xi32=1 2 3 4 5 6");
  char buffer[64];
  EXPECT_OK(iree_hal_buffer_view_format(view, 2, sizeof(buffer), buffer, NULL));
  EXPECT_STR(buffer, "2x3xi32=[1 2...][...]");
  iree_host_size_t length = 0;
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_buffer_view_format(view, 2, 4, buffer, &length));
  EXPECT_EQ(length, strlen("2x3xi32=[1 2...][...]"));
  iree_hal_buffer_view_release(view);
}

TEST(layout) {
  const iree_hal_dim_t shape[] = {2, 3, 4}, index[] = {1, 2, 3}, lengths[] = {1, 1, 2};
  const iree_hal_dim_t begin[] = {1, 1, 2}, wide[] = {1, 2, 2}, outside[] = {2, 0, 0};
  iree_device_size_t offset = 0, length = 0;
  EXPECT_OK(iree_hal_buffer_compute_view_size(3, shape, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                              IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &length));
  EXPECT_EQ(length, 96);
  EXPECT_OK(iree_hal_buffer_compute_view_size(3, shape, IREE_HAL_ELEMENT_TYPE_INT_4,
                                              IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &length));
  EXPECT_EQ(length, 12);
  EXPECT_OK(iree_hal_buffer_compute_view_offset(3, shape, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                                IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, 3, index,
                                                &offset));
  EXPECT_EQ(offset, 92);
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_buffer_compute_view_offset(
                                  3, shape, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                  IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, 3, outside, &offset));
  EXPECT_OK(iree_hal_buffer_compute_view_range(3, shape, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                               IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, 3, begin, 3,
                                               lengths, &offset, &length));
  EXPECT_EQ(offset, 72);
  EXPECT_EQ(length, 8);
  EXPECT_STATUS(UNIMPLEMENTED,
                iree_hal_buffer_compute_view_range(3, shape, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                                   IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, 3, begin,
                                                   3, wide, &offset, &length));
}

TEST(views_do_not_leave_their_buffer) {
  iree_hal_buffer_view_t *view = parse(test, "4xf32");
  iree_hal_buffer_t *buffer = iree_hal_buffer_view_buffer(view);
  const iree_hal_dim_t five = 5, two_two[] = {2, 2};
  iree_hal_buffer_view_t *other = NULL;
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_hal_buffer_view_create(buffer, 1, &five, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                            IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR,
                                            iree_allocator_system(), &other));
  EXPECT_OK(iree_hal_buffer_view_create(buffer, 2, two_two, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
                                        IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR,
                                        iree_allocator_system(), &other));
  EXPECT_EQ(iree_hal_buffer_view_element_count(other), 4);
  EXPECT_EQ(iree_hal_buffer_view_shape_dim(other, 1), 2);
  EXPECT_EQ(iree_hal_buffer_view_shape_dim(other, 2), 0);
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_buffer_view_reshape(other, &five, 1));
  iree_hal_buffer_view_release(other);
  iree_hal_buffer_view_release(view);
}

int main(int argc, char **argv) {
  static const test_case_t cases[] = {CASE(text_round_trips) CASE(bad_text_is_refused) CASE(
      long_tensors_are_cut) CASE(layout) CASE(views_do_not_leave_their_buffer)};
  IREE_CHECK_OK(iree_hal_allocator_create_heap(IREE_SV("test"), iree_allocator_system(),
                                               iree_allocator_system(), &allocator));
  int result = test_main(cases, IREE_ARRAYSIZE(cases), argc, argv);
  iree_hal_allocator_release(allocator);
  return result;
}
