// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit test harness of one header: each test file lists its cases in TEST_MAIN.
//
//   TEST(adds) { EXPECT_EQ(1 + 1, 2); }
//   TEST_MAIN(CASE(adds) CASE(subtracts))
//
// Prints `ok NAME`, `FAIL NAME` or `skip NAME (reason)` per case and last one line
// `N passed, N failed, N skipped`; the exit status is 1 when a case failed. An argument runs only
// the cases whose name contains it. EXPECT_* goes on after a failure, ASSERT_* returns from the
// case.
#ifndef BASE_TEST_H_
#define BASE_TEST_H_

#include <stdio.h>
#include <string.h>

#include "iree/base/api.h"

typedef struct test_t {
  const char *name;
  int failures;
  const char *skip_reason;
} test_t;

#define TEST(name) static void name(test_t *test)

static inline bool test_check(test_t *test, bool ok, const char *file, int line, const char *what) {
  if (ok) return true;
  ++test->failures;
  printf("%s:%d: %s: %s\n", file, line, test->name, what);
  return false;
}

static inline bool test_check_int(test_t *test, long long a, long long b, const char *file,
                                  int line, const char *what) {
  if (a == b) return true;
  test_check(test, false, file, line, what);
  printf("  %lld (0x%llx) is not %lld (0x%llx)\n", a, (unsigned long long)a, b,
         (unsigned long long)b);
  return false;
}

static inline bool test_check_text(test_t *test, iree_string_view_t a, iree_string_view_t b,
                                   const char *file, int line, const char *what) {
  if (iree_string_view_equal(a, b)) return true;
  test_check(test, false, file, line, what);
  printf("  \"%.*s\"\n  is not \"%.*s\"\n", IREE_SV_ARGS(a), IREE_SV_ARGS(b));
  return false;
}

// Takes ownership of |status|.
static inline bool test_check_status(test_t *test, iree_status_t status, iree_status_code_t code,
                                     const char *file, int line, const char *what) {
  bool ok = iree_status_code(status) == code;
  if (!ok) {
    test_check(test, false, file, line, what);
    printf("  expected %s, got: ", iree_status_code_string(code));
    iree_status_fprint(stdout, status);
  }
  iree_status_free(status);
  return ok;
}

#define EXPECT(x) test_check(test, (x), __FILE__, __LINE__, #x)
#define EXPECT_EQ(a, b) \
  test_check_int(test, (long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)
#define EXPECT_STR(a, b)                                                                          \
  test_check_text(test, iree_make_cstring_view(a), iree_make_cstring_view(b), __FILE__, __LINE__, \
                  #a " == " #b)
#define EXPECT_SV(a, b) \
  test_check_text(test, (a), iree_make_cstring_view(b), __FILE__, __LINE__, #a " == " #b)
#define EXPECT_OK(x) test_check_status(test, (x), IREE_STATUS_OK, __FILE__, __LINE__, #x)
#define EXPECT_STATUS(code, x) \
  test_check_status(test, (x), IREE_STATUS_##code, __FILE__, __LINE__, #x)
#define ASSERT(x)           \
  do {                      \
    if (!EXPECT(x)) return; \
  } while (0)
#define ASSERT_EQ(a, b)           \
  do {                            \
    if (!EXPECT_EQ(a, b)) return; \
  } while (0)
#define ASSERT_OK(x)           \
  do {                         \
    if (!EXPECT_OK(x)) return; \
  } while (0)
#define SKIP(reason)              \
  do {                            \
    test->skip_reason = (reason); \
    return;                       \
  } while (0)

typedef struct test_case_t {
  const char *name;
  void (*run)(test_t *test);
} test_case_t;

static inline int test_main(const test_case_t *cases, size_t n_cases, int argc, char **argv) {
  int n_passed = 0, n_failed = 0, n_skipped = 0;
  for (size_t i = 0; i < n_cases; ++i) {
    if (argc > 1 && !strstr(cases[i].name, argv[1])) continue;
    test_t test = {cases[i].name, 0, NULL};
    cases[i].run(&test);
    if (test.failures) {
      ++n_failed;
      printf("FAIL %s\n", test.name);
    } else if (test.skip_reason) {
      ++n_skipped;
      printf("skip %s (%s)\n", test.name, test.skip_reason);
    } else {
      ++n_passed;
      printf("ok %s\n", test.name);
    }
    fflush(stdout);
  }
  printf("%d passed, %d failed, %d skipped\n", n_passed, n_failed, n_skipped);
  return n_failed != 0;
}

#define CASE(name) {#name, name},
#define TEST_MAIN(cases_)                                                  \
  int main(int argc, char **argv) {                                        \
    static const test_case_t cases[] = {cases_};                           \
    return test_main(cases, sizeof(cases) / sizeof(cases[0]), argc, argv); \
  }

#endif  // BASE_TEST_H_
