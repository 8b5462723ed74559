// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statuses, string views, allocators, checked arithmetic, string builders.
#include "base/test.h"

static iree_status_t fails(void) {
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no `%s`", "thing");
}
static iree_status_t passes_on(void) {
  IREE_RETURN_IF_ERROR(fails(), "looking for %d things", 3);
  return iree_ok_status();
}

TEST(status_is_its_code) {
  EXPECT(iree_status_is_ok(iree_ok_status()));
  iree_status_t bare = iree_status_from_code(IREE_STATUS_DEFERRED);
  EXPECT_EQ(iree_status_code(bare), 17);
  EXPECT(iree_status_is_deferred(bare));
  iree_status_t plain = iree_make_status(IREE_STATUS_INTERNAL);
  EXPECT_EQ(iree_status_consume_code(plain), 13);
  EXPECT_STR(iree_status_code_string(IREE_STATUS_INCOMPATIBLE), "INCOMPATIBLE");
}

TEST(status_prints_place_text_and_notes) {
  iree_status_t status = passes_on();
  iree_allocator_t allocator = iree_allocator_system();
  char *text = NULL;
  iree_host_size_t size = 0;
  EXPECT(iree_status_to_string(status, &allocator, &text, &size));
  const char *tail = strstr(text, ": NOT_FOUND");
  ASSERT(tail);
  EXPECT_STR(tail, ": NOT_FOUND; no `thing`; looking for 3 things");
  EXPECT(strncmp(text, "base/test/base_test.c:", 22) == 0);
  EXPECT_EQ(strlen(text), size);
  iree_allocator_free(allocator, text);
  char little[12];
  EXPECT(!iree_status_format(status, sizeof(little), little, &size));
  EXPECT_STR(little, "base/test/b");
  iree_status_t clone = iree_status_clone(status);
  EXPECT_SV(iree_status_message(clone), "no `thing`");
  EXPECT_EQ(iree_status_source_location(clone).line, iree_status_source_location(status).line);
  EXPECT_EQ(iree_status_code(iree_status_join(status, clone)), IREE_STATUS_NOT_FOUND);
  iree_status_free(status);
}

TEST(status_keeps_the_first_of_two) {
  iree_status_t status = iree_status_join(iree_ok_status(), fails());
  status = iree_status_join(status, iree_make_status(IREE_STATUS_ABORTED, "second"));
  EXPECT_STATUS(NOT_FOUND, status);
}

TEST(views_compare_and_cut) {
  EXPECT(iree_string_view_equal(iree_string_view_empty(), IREE_SV("")));
  EXPECT(iree_string_view_compare(IREE_SV("ab"), IREE_SV("abc")) < 0);
  EXPECT(iree_string_view_compare(IREE_SV("b"), IREE_SV("abc")) > 0);
  EXPECT(iree_string_view_equal_case(IREE_SV("AbC"), IREE_SV("aBc")));
  iree_string_view_t l, r;
  EXPECT_EQ(iree_string_view_split(IREE_SV("hal.fence.create"), '.', &l, &r), 3);
  EXPECT_SV(l, "hal");
  EXPECT_SV(r, "fence.create");
  EXPECT_EQ(iree_string_view_split(IREE_SV("hal"), '.', &l, &r), -1);
  EXPECT_SV(l, "hal");
  EXPECT_SV(r, "");
  EXPECT_SV(iree_string_view_trim(IREE_SV(" \t x y \n")), "x y");
  EXPECT_SV(iree_string_view_trim(IREE_SV("  ")), "");
  EXPECT_EQ(iree_string_view_find_last_of(IREE_SV("a/b/c"), IREE_SV("/"), 99), 3);
  EXPECT_EQ(iree_string_view_find_first_of(IREE_SV("a/b/c"), IREE_SV("/."), 2), 3);
  EXPECT_SV(iree_string_view_substr(IREE_SV("abc"), 1, 99), "bc");
  EXPECT_SV(iree_string_view_substr(IREE_SV("abc"), 9, 1), "");
}

TEST(views_match_patterns) {
  EXPECT(iree_string_view_match_pattern(IREE_SV("local-sync"), IREE_SV("local*")));
  EXPECT(iree_string_view_match_pattern(IREE_SV("local-sync"), IREE_SV("*-s?nc")));
  EXPECT(!iree_string_view_match_pattern(IREE_SV("local-sync"), IREE_SV("vulkan*")));
  EXPECT(!iree_string_view_match_pattern(IREE_SV("abcx"), IREE_SV("a*c")));
  EXPECT(iree_string_view_match_pattern(IREE_SV(""), IREE_SV("**")));
}

TEST(views_parse_numbers) {
  int32_t i32 = 0;
  uint64_t u64 = 0;
  int64_t i64 = 0;
  EXPECT(iree_string_view_atoi_int32(IREE_SV("-2147483648"), &i32) && i32 == INT32_MIN);
  EXPECT(!iree_string_view_atoi_int32(IREE_SV("2147483648"), &i32));
  EXPECT(!iree_string_view_atoi_int32(IREE_SV("12x"), &i32));
  EXPECT(!iree_string_view_atoi_int32(IREE_SV(""), &i32));
  EXPECT(iree_string_view_atoi_uint64(IREE_SV("18446744073709551615"), &u64) && u64 == UINT64_MAX);
  EXPECT(!iree_string_view_atoi_uint64(IREE_SV("18446744073709551616"), &u64));
  EXPECT(iree_string_view_atoi_int64_base(IREE_SV("-0x10"), 0, &i64) && i64 == -16);
  float f = 0;
  EXPECT(iree_string_view_atof(IREE_SV("1.5e3"), &f) && f == 1500.0f);
  EXPECT(!iree_string_view_atof(IREE_SV("1.5q"), &f));
  iree_device_size_t size = 0;
  EXPECT_OK(iree_string_view_parse_device_size(IREE_SV("2 MiB"), &size));
  EXPECT_EQ(size, 2 << 20);
  EXPECT_STATUS(OUT_OF_RANGE, iree_string_view_parse_device_size(IREE_SV("99999999999gib"), &size));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_string_view_parse_device_size(IREE_SV("x"), &size));
  uint8_t bytes[3];
  EXPECT(iree_string_view_parse_hex_bytes(IREE_SV("01-fFa0"), 3, bytes) && bytes[1] == 0xFF);
  EXPECT(!iree_string_view_parse_hex_bytes(IREE_SV("01ff"), 3, bytes));
}

TEST(allocators_check_sizes) {
  iree_allocator_t heap = iree_allocator_system();
  void *p = NULL;
  EXPECT_STATUS(OUT_OF_RANGE, iree_allocator_malloc_array(heap, SIZE_MAX / 2, 3, &p));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_allocator_malloc(heap, 0, &p));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_allocator_malloc(iree_allocator_null(), 4, &p));
  ASSERT_OK(iree_allocator_malloc_aligned(heap, 100, 64, 8, &p));
  EXPECT_EQ(((uintptr_t)p + 8) % 64, 0);
  iree_allocator_free_aligned(heap, p);
  iree_host_size_t capacity = 0, limit = 0;
  p = NULL;
  ASSERT_OK(iree_allocator_grow_array(heap, 3, 8, &capacity, &p));
  ASSERT_OK(iree_allocator_grow_array(heap, capacity + 1, 8, &capacity, &p));
  EXPECT_EQ(((uint64_t *)p)[capacity - 1], 0);
  iree_allocator_free(heap, p);
  EXPECT(!iree_host_size_checked_mul_add(1, SIZE_MAX, 1, &limit));
  EXPECT(!iree_host_size_checked_align(SIZE_MAX - 3, 16, &limit));
  EXPECT(iree_range_is_within(3, 5, 8) && !iree_range_is_within(4, 5, 8));
  EXPECT(!iree_range_is_within(UINT64_MAX, 2, 8));
}

TEST(inline_arena_is_bounded) {
  IREE_ALLOCATOR_INLINE_STORAGE(storage, 64);
  iree_allocator_t arena = iree_allocator_inline_arena(&storage);
  void *a = NULL, *b = NULL, *c = NULL;
  ASSERT_OK(iree_allocator_malloc(arena, 10, &a));
  ASSERT_OK(iree_allocator_malloc(arena, 10, &b));
  ASSERT_OK(iree_allocator_realloc(arena, 30, &b));
  EXPECT_STATUS(RESOURCE_EXHAUSTED, iree_allocator_malloc(arena, 40, &c));
  iree_allocator_free(arena, b);
  ASSERT_OK(iree_allocator_malloc(arena, 40, &c));
  EXPECT(c == b);
}

TEST(builder_grows_and_measures) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  for (int i = 0; i < 100; ++i) ASSERT_OK(iree_string_builder_append_format(&builder, "%d,", i));
  EXPECT_EQ(iree_string_builder_size(&builder), 290);
  EXPECT_EQ(strlen(iree_string_builder_buffer(&builder)), 290);
  iree_string_builder_deinitialize(&builder);
  iree_string_builder_initialize(iree_allocator_null(), &builder);
  EXPECT_OK(iree_string_builder_append_cstring(&builder, "count me"));
  EXPECT_EQ(iree_string_builder_size(&builder), 8);
  char fixed[4];
  iree_string_builder_initialize_with_storage(fixed, sizeof(fixed), &builder);
  EXPECT_OK(iree_string_builder_append_cstring(&builder, "abc"));
  EXPECT_STATUS(RESOURCE_EXHAUSTED, iree_string_builder_append_cstring(&builder, "d"));
  EXPECT_SV(iree_string_builder_view(&builder), "abc");
}

static bool take_text(iree_string_view_t text, void *user_data) {
  *(iree_host_size_t *)user_data = text.size;
  return text.size > 0;
}

TEST(builder_takes_statuses_and_raw_text) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  iree_status_t status = iree_make_status_with_location("f.c", 7, IREE_STATUS_ABORTED, "x%d", 1);
  EXPECT_OK(iree_string_builder_append_status(&builder, status));
  char *room = NULL;
  iree_host_size_t capacity = 0, size = 0;
  ASSERT_OK(iree_string_builder_reserve_for_append(&builder, 10, &room, &capacity));
  EXPECT(capacity >= 10);
  memcpy(room, " end", 4);
  iree_string_builder_commit_append(&builder, 4);
  EXPECT_SV(iree_string_builder_view(&builder), "f.c:7: ABORTED; x1 end");
  EXPECT(iree_status_format_to(status, take_text, &size));
  EXPECT_EQ(size, 18);
  iree_status_free(iree_status_freeze(status));
  iree_string_builder_deinitialize(&builder);
  EXPECT_EQ(iree_device_size_lcm(12, 18), 36);
}

TEST(timeouts_keep_never_and_now) {
  EXPECT(iree_timeout_is_infinite(iree_make_timeout_ms(INT64_MAX)));
  EXPECT(iree_timeout_is_immediate(iree_make_timeout_ms(0)));
  EXPECT_EQ(iree_timeout_as_deadline_ns(iree_infinite_timeout()), IREE_TIME_INFINITE_FUTURE);
  iree_time_t soon = iree_timeout_as_deadline_ns(iree_make_timeout_ms(1000));
  EXPECT(soon > iree_time_now() && soon < iree_time_now() + 2000000000ll);
  EXPECT_EQ(iree_timeout_min(iree_make_deadline(5), iree_infinite_timeout()).nanos, 5);
}

TEST_MAIN(CASE(status_is_its_code) CASE(status_prints_place_text_and_notes)
              CASE(status_keeps_the_first_of_two) CASE(views_compare_and_cut)
                  CASE(views_match_patterns) CASE(views_parse_numbers) CASE(allocators_check_sizes)
                      CASE(inline_arena_is_bounded) CASE(builder_grows_and_measures)
                          CASE(builder_takes_statuses_and_raw_text)
                              CASE(timeouts_keep_never_and_now))
