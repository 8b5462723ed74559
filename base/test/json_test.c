// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON strings: escapes, UTF-8 kept, anything else replaced.
#include "base/json.h"

#include "base/test.h"

static bool is_written(test_t *test, iree_string_view_t text, const char *expected) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  EXPECT_OK(json_append_string(text, &builder));
  const iree_string_view_t result = iree_string_builder_view(&builder);
  const bool is_equal = iree_string_view_equal(result, iree_make_cstring_view(expected));
  if (!is_equal) printf("  %.*s\n", IREE_SV_ARGS(result));
  iree_string_builder_deinitialize(&builder);
  return is_equal;
}

TEST(escapes) {
  EXPECT(is_written(test, IREE_SV(""), "\"\""));
  EXPECT(is_written(test, IREE_SV("add.mlir:3:4"), "\"add.mlir:3:4\""));
  EXPECT(is_written(test, IREE_SV("a\"b\\c\nd\te\x01"), "\"a\\\"b\\\\c\\nd\\te\\u0001\""));
  EXPECT(is_written(test, iree_make_string_view("a\0b", 3), "\"a\\u0000b\""));
}

TEST(characters) {
  EXPECT(is_written(test, IREE_SV("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x91\xBB"),
                    "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x91\xBB\""));
  // Alone, cut off, overlong, surrogate, past the end.
  EXPECT(is_written(test, IREE_SV("a\x80z"), "\"a\\ufffdz\""));
  EXPECT(is_written(test, IREE_SV("\xE2\x82"), "\"\\ufffd\\ufffd\""));
  EXPECT(is_written(test, IREE_SV("\xC0\xAF"), "\"\\ufffd\\ufffd\""));
  EXPECT(is_written(test, IREE_SV("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\""));
  EXPECT(is_written(test, IREE_SV("\xF4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\""));
}

TEST_MAIN(CASE(escapes) CASE(characters))
