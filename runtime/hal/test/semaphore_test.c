// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timelines across threads, failure, timepoints, fences.
#include "iree/hal/api.h"

#include <pthread.h>

#include "base/test.h"
#include "iree/base/internal/atomics.h"
#include "runtime/hal/timeline.h"

static iree_hal_semaphore_t *make(test_t *test, uint64_t value) {
  iree_hal_semaphore_t *semaphore = NULL;
  EXPECT_OK(timeline_semaphore_create(value, (timeline_helper_t){NULL, NULL, NULL},
                                      iree_allocator_system(), &semaphore));
  return semaphore;
}

TEST(values_only_grow) {
  iree_hal_semaphore_t *semaphore = make(test, 3);
  uint64_t value = 0;
  EXPECT_OK(iree_hal_semaphore_query(semaphore, &value));
  EXPECT_EQ(value, 3);
  EXPECT_OK(iree_hal_semaphore_signal(semaphore, 5, NULL));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_semaphore_signal(semaphore, 5, NULL));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_semaphore_signal(semaphore, 4, NULL));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_semaphore_signal(semaphore, UINT64_MAX, NULL));
  EXPECT_OK(iree_hal_semaphore_wait(semaphore, 5, iree_immediate_timeout(), 0));
  EXPECT_STATUS(DEADLINE_EXCEEDED,
                iree_hal_semaphore_wait(semaphore, 6, iree_immediate_timeout(), 0));
  EXPECT_STATUS(DEADLINE_EXCEEDED,
                iree_hal_semaphore_wait(semaphore, 6, iree_make_timeout_ms(2), 0));
  iree_hal_semaphore_release(semaphore);
}

TEST(failure_is_sticky_and_keeps_its_text) {
  iree_hal_semaphore_t *semaphore = make(test, 0);
  iree_hal_semaphore_fail(semaphore, iree_make_status(IREE_STATUS_DATA_LOSS, "first"));
  iree_hal_semaphore_fail(semaphore, iree_make_status(IREE_STATUS_ABORTED, "second"));
  iree_status_t status = iree_hal_semaphore_wait(semaphore, 1, iree_infinite_timeout(), 0);
  EXPECT_SV(iree_status_message(status), "first");
  EXPECT_STATUS(DATA_LOSS, status);
  EXPECT_STATUS(DATA_LOSS, iree_hal_semaphore_signal(semaphore, 1, NULL));
  uint64_t value = 0;
  EXPECT_STATUS(DATA_LOSS, iree_hal_semaphore_query(semaphore, &value));
  EXPECT(value >= IREE_HAL_SEMAPHORE_FAILURE_VALUE);
  iree_hal_semaphore_release(semaphore);
}

static void *signal_later(void *arg) {
  iree_wait_until(iree_time_now() + 2000000);
  iree_status_ignore(iree_hal_semaphore_signal((iree_hal_semaphore_t *)arg, 1, NULL));
  return NULL;
}

TEST(wait_wakes_up_across_threads) {
  for (int i = 0; i < 5; ++i) {
    iree_hal_semaphore_t *semaphore = make(test, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, signal_later, semaphore);
    EXPECT_OK(iree_hal_semaphore_wait(semaphore, 1, iree_infinite_timeout(), 0));
    pthread_join(thread, NULL);
    iree_hal_semaphore_release(semaphore);
  }
}

TEST(wait_any_takes_the_first) {
  iree_hal_semaphore_t *semaphores[2] = {make(test, 0), make(test, 0)};
  uint64_t values[2] = {1, 1};
  iree_hal_semaphore_list_t list = {2, semaphores, values};
  EXPECT_STATUS(DEADLINE_EXCEEDED,
                iree_hal_device_wait_semaphores(NULL, IREE_ASYNC_WAIT_MODE_ANY, list,
                                                iree_make_timeout_ms(2), 0));
  pthread_t thread;
  pthread_create(&thread, NULL, signal_later, semaphores[1]);
  EXPECT_OK(iree_hal_device_wait_semaphores(NULL, IREE_ASYNC_WAIT_MODE_ANY, list,
                                            iree_infinite_timeout(), 0));
  pthread_join(thread, NULL);
  EXPECT_STATUS(DEADLINE_EXCEEDED,
                iree_hal_device_wait_semaphores(NULL, IREE_ASYNC_WAIT_MODE_ALL, list,
                                                iree_make_timeout_ms(2), 0));
  EXPECT(!iree_hal_semaphore_list_poll(list));
  EXPECT_OK(iree_hal_semaphore_signal(semaphores[0], 7, NULL));
  EXPECT(iree_hal_semaphore_list_poll(list));
  EXPECT_OK(iree_hal_device_wait_semaphores(NULL, IREE_ASYNC_WAIT_MODE_ANY, list,
                                            iree_immediate_timeout(), 0));
  iree_hal_semaphore_release(semaphores[0]);
  iree_hal_semaphore_release(semaphores[1]);
}

typedef struct seen_t {
  int count;
  iree_status_code_t code;
} seen_t;

static void see(void *user_data, iree_hal_semaphore_timepoint_t *timepoint, iree_status_t status) {
  (void)timepoint;
  seen_t *seen = (seen_t *)user_data;
  ++seen->count;
  seen->code = iree_status_consume_code(status);
}

TEST(timepoints_fire_once_or_not_at_all) {
  iree_hal_semaphore_t *semaphore = make(test, 1);
  seen_t seen[3] = {{0, 0}, {0, 0}, {0, 0}};
  iree_hal_semaphore_timepoint_t timepoints[3];
  iree_status_t status = iree_ok_status();
  EXPECT(
      !iree_hal_semaphore_acquire_timepoint(semaphore, 1, see, &seen[0], &timepoints[0], &status));
  EXPECT_OK(status);
  for (int i = 0; i < 3; ++i) {
    EXPECT(iree_hal_semaphore_acquire_timepoint(semaphore, (uint64_t)i + 2, see, &seen[i],
                                                &timepoints[i], &status));
  }
  EXPECT(iree_hal_semaphore_cancel_timepoint(semaphore, &timepoints[1]));
  EXPECT(!iree_hal_semaphore_cancel_timepoint(semaphore, &timepoints[1]));
  EXPECT_OK(iree_hal_semaphore_signal(semaphore, 3, NULL));
  EXPECT_EQ(seen[0].count, 1);
  EXPECT_EQ(seen[1].count, 0);
  EXPECT_EQ(seen[2].count, 0);
  iree_hal_semaphore_fail(semaphore, iree_status_from_code(IREE_STATUS_CANCELLED));
  EXPECT_EQ(seen[0].count, 1);
  EXPECT_EQ(seen[2].count, 1);
  EXPECT_EQ(seen[2].code, IREE_STATUS_CANCELLED);
  EXPECT(
      !iree_hal_semaphore_acquire_timepoint(semaphore, 9, see, &seen[0], &timepoints[0], &status));
  EXPECT_STATUS(CANCELLED, status);
  iree_hal_semaphore_release(semaphore);
}

TEST(fences_join) {
  iree_hal_semaphore_t *a = make(test, 0), *b = make(test, 0);
  iree_hal_fence_t *first = NULL, *second = NULL, *both = NULL, *none = NULL;
  ASSERT_OK(iree_hal_fence_create_at(a, 1, iree_allocator_system(), &first));
  ASSERT_OK(iree_hal_fence_create(2, iree_allocator_system(), &second));
  EXPECT_OK(iree_hal_fence_insert(second, b, 2));
  EXPECT_OK(iree_hal_fence_insert(second, a, 3));
  EXPECT_OK(iree_hal_fence_insert(second, b, 1));
  EXPECT_EQ(iree_hal_fence_timepoint_count(second), 2);
  iree_hal_semaphore_t *c = make(test, 0);
  EXPECT_STATUS(RESOURCE_EXHAUSTED, iree_hal_fence_insert(second, c, 1));
  iree_hal_fence_t *fences[3] = {first, NULL, second};
  ASSERT_OK(iree_hal_fence_join(3, fences, iree_allocator_system(), &both));
  EXPECT_EQ(iree_hal_fence_timepoint_count(both), 2);
  EXPECT_OK(iree_hal_fence_join(1, &fences[1], iree_allocator_system(), &none));
  EXPECT(!none);
  EXPECT_STATUS(DEFERRED, iree_hal_fence_query(both));
  EXPECT_OK(iree_hal_fence_signal(second));
  EXPECT_OK(iree_hal_fence_query(both));
  EXPECT_OK(iree_hal_fence_wait(both, iree_infinite_timeout(), 0));
  EXPECT_OK(iree_hal_fence_wait(NULL, iree_infinite_timeout(), 0));
  iree_hal_fence_fail(both, iree_status_from_code(IREE_STATUS_DATA_LOSS));
  EXPECT_STATUS(DATA_LOSS, iree_hal_fence_query(first));
  iree_hal_fence_release(both);
  iree_hal_fence_release(second);
  iree_hal_fence_release(first);
  iree_hal_semaphore_release(a);
  iree_hal_semaphore_release(b);
  iree_hal_semaphore_release(c);
}

TEST_MAIN(CASE(values_only_grow) CASE(failure_is_sticky_and_keeps_its_text)
              CASE(wait_wakes_up_across_threads) CASE(wait_any_takes_the_first)
                  CASE(timepoints_fire_once_or_not_at_all) CASE(fences_join))
