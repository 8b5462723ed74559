// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/process.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/test.h"

static int talk(void *self) {
  printf("out %d", *(int *)self);
  fflush(stdout);
  fprintf(stderr, " err");
  return 3;
}
TEST(result_and_text) {
  process_result_t r;
  int n = 7;
  ASSERT_OK(process_run(talk, &n, 10000, &r));
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_EQ(r.signal, 0);
  EXPECT_STR(r.text, "out 7 err");
  process_result_deinit(&r);
}

static int die(void *self) {
  (void)self;
  raise(SIGKILL);
  return 0;
}
TEST(signal_is_told) {
  process_result_t r;
  ASSERT_OK(process_run(die, NULL, 10000, &r));
  EXPECT_EQ(r.signal, SIGKILL);
  EXPECT_EQ(r.exit_code, 128 + SIGKILL);
  process_result_deinit(&r);
}

TEST(time_limit_ends_grandchildren_too) {
  process_result_t r;
  ASSERT_OK(process_run_shell("echo begun; sleep 100 & wait", 200, &r));
  EXPECT(r.is_timed_out);
  EXPECT_STR(r.text, "begun\n");
  process_result_deinit(&r);
}

TEST(long_text_is_cut) {
  process_result_t r;
  ASSERT_OK(process_run_shell("head -c 3000000 /dev/zero | tr '\\0' x", 20000, &r));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.text_length, (iree_host_size_t)PROCESS_TEXT_MAX);
  process_result_deinit(&r);
}
TEST_MAIN(CASE(result_and_text) CASE(signal_is_told) CASE(time_limit_ends_grandchildren_too) CASE(long_text_is_cut))
