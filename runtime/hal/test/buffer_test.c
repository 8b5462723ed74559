// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers, spans, mappings, host memory and the recycler under them.
#include "iree/hal/api.h"

#include "base/test.h"
#include "runtime/hal/recycler.h"

static iree_hal_allocator_t *make_allocator(test_t *test) {
  iree_hal_allocator_t *allocator = NULL;
  EXPECT_OK(iree_hal_allocator_create_heap(IREE_SV("test"), iree_allocator_system(),
                                           iree_allocator_system(), &allocator));
  return allocator;
}

static iree_hal_buffer_t *make_buffer(test_t *test, iree_hal_allocator_t *allocator,
                                      iree_device_size_t size) {
  iree_hal_buffer_params_t params = {.type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_buffer_t *buffer = NULL;
  EXPECT_OK(iree_hal_allocator_allocate_buffer(allocator, params, size, &buffer));
  return buffer;
}

TEST(ranges) {
  iree_device_size_t offset = 0, length = 0;
  EXPECT_OK(iree_hal_buffer_calculate_range(100, 10, 2, IREE_HAL_WHOLE_BUFFER, &offset, &length));
  EXPECT_EQ(offset, 102);
  EXPECT_EQ(length, 8);
  EXPECT_OK(iree_hal_buffer_calculate_range(0, 10, 10, 0, &offset, &length));
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_buffer_calculate_range(0, 10, 11, 0, &offset, NULL));
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_buffer_calculate_range(0, 10, 4, 7, &offset, NULL));
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_hal_buffer_calculate_range(0, 10, 4, UINT64_MAX - 3, &offset, NULL));
}

TEST(host_access) {
  iree_hal_allocator_t *allocator = make_allocator(test);
  iree_hal_buffer_t *buffer = make_buffer(test, allocator, 64);
  const uint32_t pattern = 0x01020304;
  EXPECT_OK(iree_hal_buffer_map_zero(buffer, 0, IREE_HAL_WHOLE_BUFFER));
  EXPECT_OK(iree_hal_buffer_map_fill(buffer, 4, 12, &pattern, sizeof(pattern)));
  uint32_t words[16] = {0};
  EXPECT_OK(iree_hal_buffer_map_read(buffer, 0, words, sizeof(words)));
  EXPECT_EQ(words[0], 0);
  EXPECT_EQ(words[1], pattern);
  EXPECT_EQ(words[3], pattern);
  EXPECT_EQ(words[4], 0);
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_buffer_map_fill(buffer, 2, 8, &pattern, 4));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_buffer_map_fill(buffer, 0, 9, &pattern, 3));
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_buffer_map_read(buffer, 60, words, 8));
  EXPECT_OK(iree_hal_buffer_map_copy(buffer, 4, buffer, 32, 8));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_buffer_map_copy(buffer, 4, buffer, 8, 8));
  iree_hal_buffer_release(buffer);
  iree_hal_allocator_release(allocator);
}

TEST(spans_share_storage_and_outlive_their_parent) {
  iree_hal_allocator_t *allocator = make_allocator(test);
  iree_hal_buffer_t *buffer = make_buffer(test, allocator, 64);
  iree_hal_buffer_t *span = NULL, *inner = NULL, *none = NULL;
  ASSERT_OK(iree_hal_buffer_subspan(buffer, 16, 32, iree_allocator_system(), &span));
  ASSERT_OK(
      iree_hal_buffer_subspan(span, 8, IREE_HAL_WHOLE_BUFFER, iree_allocator_system(), &inner));
  EXPECT_EQ(iree_hal_buffer_byte_offset(inner), 24);
  EXPECT_EQ(iree_hal_buffer_byte_length(inner), 24);
  EXPECT(iree_hal_buffer_allocated_buffer(inner) == buffer);
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_buffer_subspan(span, 0, 33, iree_allocator_system(), &none));
  EXPECT_EQ(iree_hal_buffer_test_overlap(span, 0, 8, inner, 0, 8),
            IREE_HAL_BUFFER_OVERLAP_DISJOINT);
  EXPECT_EQ(iree_hal_buffer_test_overlap(span, 8, 8, inner, 0, 8),
            IREE_HAL_BUFFER_OVERLAP_COMPLETE);
  EXPECT_EQ(iree_hal_buffer_test_overlap(span, 4, 8, inner, 0, 8), IREE_HAL_BUFFER_OVERLAP_PARTIAL);
  iree_hal_buffer_t *whole = NULL;
  ASSERT_OK(
      iree_hal_buffer_subspan(buffer, 0, IREE_HAL_WHOLE_BUFFER, iree_allocator_system(), &whole));
  EXPECT(whole == buffer);
  iree_hal_buffer_release(whole);
  iree_hal_buffer_release(buffer);
  iree_hal_buffer_release(span);
  const uint8_t byte = 7;
  uint8_t read = 0;
  EXPECT_OK(iree_hal_buffer_map_write(inner, 23, &byte, 1));
  EXPECT_OK(iree_hal_buffer_map_read(inner, 23, &read, 1));
  EXPECT_EQ(read, 7);
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_buffer_map_write(inner, 24, &byte, 1));
  iree_hal_buffer_release(inner);
  iree_hal_allocator_release(allocator);
}

static void count_release(void *user_data, iree_hal_buffer_t *buffer) {
  (void)buffer;
  ++*(int *)user_data;
}

TEST(imports_respect_access) {
  iree_hal_allocator_t *allocator = make_allocator(test);
  iree_alignas(64) uint8_t memory[128] = {1, 2, 3};
  iree_hal_external_buffer_t external = {.type = IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
                                         .size = 64,
                                         .handle.host_allocation.ptr = memory};
  int release_count = 0;
  iree_hal_buffer_release_callback_t release = {count_release, &release_count};
  iree_hal_buffer_params_t params = {.access = IREE_HAL_MEMORY_ACCESS_READ};
  iree_hal_buffer_t *buffer = NULL;
  ASSERT_OK(iree_hal_allocator_import_buffer(allocator, params, &external, release, &buffer));
  uint8_t bytes[3] = {0};
  EXPECT_OK(iree_hal_buffer_map_read(buffer, 0, bytes, 3));
  EXPECT_EQ(bytes[2], 3);
  EXPECT_STATUS(PERMISSION_DENIED, iree_hal_buffer_map_write(buffer, 0, bytes, 3));
  iree_hal_external_buffer_t exported;
  EXPECT_OK(iree_hal_allocator_export_buffer(
      allocator, buffer, IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION, 0, &exported));
  EXPECT(exported.handle.host_allocation.ptr == memory);
  EXPECT_STATUS(UNIMPLEMENTED,
                iree_hal_allocator_export_buffer(
                    allocator, buffer, IREE_HAL_EXTERNAL_BUFFER_TYPE_OPAQUE_FD, 0, &exported));
  EXPECT_EQ(release_count, 0);
  iree_hal_buffer_release(buffer);
  EXPECT_EQ(release_count, 1);
  external.handle.host_allocation.ptr = memory + 4;
  EXPECT_STATUS(INVALID_ARGUMENT,
                iree_hal_allocator_import_buffer(allocator, params, &external, release, &buffer));
  EXPECT_EQ(release_count, 1);
  iree_hal_allocator_release(allocator);
}

TEST(checks_name_what_is_missing) {
  iree_status_t status = iree_hal_buffer_validate_usage(IREE_HAL_BUFFER_USAGE_TRANSFER,
                                                        IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE);
  iree_string_view_t message = iree_status_message(status);
  EXPECT(iree_string_view_match_pattern(message,
                                        IREE_SV("*have TRANSFER but need DISPATCH_STORAGE*")));
  EXPECT_STATUS(PERMISSION_DENIED, status);
  EXPECT_STATUS(PERMISSION_DENIED,
                iree_hal_buffer_validate_memory_type(IREE_HAL_MEMORY_TYPE_HOST_VISIBLE,
                                                     IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE));
  EXPECT_STATUS(PERMISSION_DENIED, iree_hal_buffer_validate_access(IREE_HAL_MEMORY_ACCESS_READ,
                                                                   IREE_HAL_MEMORY_ACCESS_WRITE));
}

TEST(bit_names) {
  iree_bitfield_string_temp_t temp;
  EXPECT_SV(iree_hal_memory_type_format(48, &temp), "DEVICE_LOCAL");
  EXPECT_SV(iree_hal_buffer_usage_format(3075, &temp), "TRANSFER|DISPATCH_STORAGE");
  EXPECT_SV(iree_hal_memory_access_format(0, &temp), "NONE");
  iree_hal_buffer_usage_t usage = 0;
  EXPECT_OK(iree_hal_buffer_usage_parse(IREE_SV("TRANSFER|DISPATCH_STORAGE"), &usage));
  EXPECT_EQ(usage, 3075);
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_buffer_usage_parse(IREE_SV("TRANSFER|X"), &usage));
}

TEST(huge_sizes_are_refused) {
  iree_hal_allocator_t *allocator = make_allocator(test);
  iree_hal_buffer_params_t params = {0};
  iree_hal_buffer_t *buffer = NULL;
  EXPECT_STATUS(RESOURCE_EXHAUSTED,
                iree_hal_allocator_allocate_buffer(allocator, params, UINT64_MAX, &buffer));
  EXPECT_STATUS(RESOURCE_EXHAUSTED,
                iree_hal_allocator_allocate_buffer(allocator, params, UINT64_MAX / 4, &buffer));
  params.min_alignment = 4096;
  EXPECT_STATUS(INVALID_ARGUMENT,
                iree_hal_allocator_allocate_buffer(allocator, params, 64, &buffer));
  iree_hal_allocator_release(allocator);
}

TEST(statistics_count) {
  iree_hal_allocator_t *allocator = make_allocator(test);
  iree_hal_buffer_t *a = make_buffer(test, allocator, 1000);
  iree_hal_buffer_release(a);
  iree_hal_buffer_t *b = make_buffer(test, allocator, 500);
  iree_hal_allocator_statistics_t statistics;
  iree_hal_allocator_query_statistics(allocator, &statistics);
  EXPECT_EQ(statistics.device_bytes_allocated, 1500);
  EXPECT_EQ(statistics.device_bytes_freed, 1000);
  EXPECT_EQ(statistics.device_bytes_peak, 1000);
  iree_hal_buffer_release(b);
  iree_hal_allocator_release(allocator);
}

//===-- recycler ------------------------------------------------------------------------------===//

typedef struct counting_allocator_t {
  int live_count;
  int malloc_count;
} counting_allocator_t;

static iree_status_t counting_ctl(void *self, iree_allocator_command_t command, const void *params,
                                  void **inout_ptr) {
  counting_allocator_t *counts = (counting_allocator_t *)self;
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    if (*inout_ptr) --counts->live_count;
  } else if (command != IREE_ALLOCATOR_COMMAND_REALLOC || !*inout_ptr) {
    ++counts->live_count;
    ++counts->malloc_count;
  }
  return iree_allocator_libc_ctl(NULL, command, params, inout_ptr);
}

TEST(recycler_reuses_blocks_and_gives_all_back) {
  counting_allocator_t counts = {0, 0};
  iree_allocator_t parent = {&counts, counting_ctl};
  recycler_t *recycler = NULL;
  ASSERT_OK(recycler_create(parent, 1 << 20, &recycler));
  iree_allocator_t allocator = recycler_allocator(recycler);
  for (int round = 0; round < 3; ++round) {
    void *blocks[3];
    const iree_host_size_t sizes[3] = {1, 300, 5000};
    for (int i = 0; i < 3; ++i) {
      ASSERT_OK(iree_allocator_malloc(allocator, sizes[i], &blocks[i]));
      EXPECT_EQ((uintptr_t)blocks[i] % RECYCLER_ALIGNMENT, 0);
      EXPECT_EQ(((uint8_t *)blocks[i])[sizes[i] - 1], 0);
      memset(blocks[i], 0xAB, sizes[i]);
    }
    ASSERT_OK(iree_allocator_realloc(allocator, 6000, &blocks[1]));
    EXPECT_EQ(((uint8_t *)blocks[1])[299], 0xAB);
    for (int i = 0; i < 3; ++i) iree_allocator_free(allocator, blocks[i]);
  }
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(counts.malloc_count, 1 + 4);
#endif
  void *survivor = NULL;
  ASSERT_OK(iree_allocator_malloc(allocator, 100, &survivor));
  recycler_release(recycler);
  EXPECT_EQ(counts.live_count, 2);  // the block and the recycler it keeps alive
  iree_allocator_free(allocator, survivor);
  EXPECT_EQ(counts.live_count, 0);
}

TEST(recycler_reserves_blocks) {
#if defined(__SANITIZE_ADDRESS__)
  SKIP("freed blocks are not kept under AddressSanitizer");
#endif
  counting_allocator_t counts = {0, 0};
  iree_allocator_t parent = {&counts, counting_ctl};
  recycler_t *recycler = NULL;
  ASSERT_OK(recycler_create(parent, 1 << 20, &recycler));
  ASSERT_OK(recycler_reserve(recycler, 200, 3));
  EXPECT_EQ(counts.malloc_count, 1 + 3);
  void *blocks[3] = {NULL, NULL, NULL};
  for (int i = 0; i < 3; ++i)
    ASSERT_OK(iree_allocator_malloc(recycler_allocator(recycler), 200, &blocks[i]));
  EXPECT_EQ(counts.malloc_count, 1 + 3);
  for (int i = 0; i < 3; ++i) iree_allocator_free(recycler_allocator(recycler), blocks[i]);
  recycler_release(recycler);
  EXPECT_EQ(counts.live_count, 0);
}

TEST(recycler_holds_no_more_than_the_peak) {
#if defined(__SANITIZE_ADDRESS__)
  SKIP("freed blocks are not kept under AddressSanitizer");
#endif
  counting_allocator_t counts = {0, 0};
  iree_allocator_t parent = {&counts, counting_ctl};
  recycler_t *recycler = NULL;
  ASSERT_OK(recycler_create(parent, 0, &recycler));
  iree_allocator_t allocator = recycler_allocator(recycler);
  const iree_host_size_t size = 2 << 20;
  void *blocks[2] = {NULL, NULL}, *larger = NULL;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i)
      ASSERT_OK(iree_allocator_malloc_uninitialized(allocator, size, &blocks[i]));
    for (int i = 0; i < 2; ++i) iree_allocator_free(allocator, blocks[i]);
  }
  EXPECT_EQ(counts.malloc_count, 1 + 2);  // reused in every round
  EXPECT_EQ(counts.live_count, 1 + 2);
  // Another size does not come on top of what is held back.
  ASSERT_OK(iree_allocator_malloc_uninitialized(allocator, 3 * size / 2, &larger));
  EXPECT_EQ(counts.live_count, 1 + 1);
  iree_allocator_free(allocator, larger);
  EXPECT_EQ(counts.live_count, 1 + 1);
  void *huge = NULL;
  EXPECT_STATUS(RESOURCE_EXHAUSTED,
                iree_allocator_malloc(allocator, IREE_HOST_SIZE_MAX / 2, &huge));
  recycler_trim(recycler);
  EXPECT_EQ(counts.live_count, 1);
  recycler_release(recycler);
  EXPECT_EQ(counts.live_count, 0);
}

TEST_MAIN(CASE(ranges) CASE(host_access) CASE(spans_share_storage_and_outlive_their_parent)
              CASE(imports_respect_access) CASE(checks_name_what_is_missing) CASE(bit_names)
                  CASE(huge_sizes_are_refused) CASE(statistics_count)
                      CASE(recycler_reuses_blocks_and_gives_all_back) CASE(recycler_reserves_blocks)
                          CASE(recycler_holds_no_more_than_the_peak))
