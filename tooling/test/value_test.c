// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values from and to text and files, and their comparison: conventions, file positions, printing,
// mismatches, mutated input.

#include "tooling/value.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/test.h"
#include "tooling/compare.h"

typedef struct fixture_t {
  iree_vm_instance_t *instance;
  value_target_t target;
  char folder[32];
} fixture_t;

static bool begin(test_t *test, fixture_t *f) {
  const iree_allocator_t allocator = iree_allocator_system();
  memset(f, 0, sizeof(*f));
  f->target.host_allocator = allocator;
  strcpy(f->folder, "/tmp/value_test_XXXXXX");
  return EXPECT(mkdtemp(f->folder) != NULL) &&
         EXPECT_OK(
             iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, allocator, &f->instance)) &&
         EXPECT_OK(iree_hal_module_register_all_types(f->instance)) &&
         EXPECT_OK(iree_hal_allocator_create_heap(IREE_SV("heap"), allocator, allocator,
                                                  &f->target.allocator));
}

static void end(fixture_t *f) {
  iree_hal_allocator_release(f->target.allocator);
  iree_vm_instance_release(f->instance);
  rmdir(f->folder);
}

// Replaces each ~ in |spec| by the folder of |f|.
static void expand(const fixture_t *f, const char *spec, char *out, size_t size) {
  size_t length = 0;
  for (; *spec && length + sizeof(f->folder) < size; ++spec) {
    if (*spec == '~') {
      length += (size_t)snprintf(out + length, size - length, "%s", f->folder);
    } else {
      out[length++] = *spec;
    }
  }
  out[length] = 0;
}

enum { MAX_SPECS = 8, SPEC_SIZE = 160 };

typedef struct specs_t {
  char text[MAX_SPECS][SPEC_SIZE];
  iree_string_view_t views[MAX_SPECS];
} specs_t;

static iree_string_view_list_t make_specs(const fixture_t *f, const char *const *texts,
                                          specs_t *specs) {
  iree_host_size_t count = 0;
  for (; count < MAX_SPECS && texts[count]; ++count) {
    expand(f, texts[count], specs->text[count], SPEC_SIZE);
    specs->views[count] = iree_make_cstring_view(specs->text[count]);
  }
  return (iree_string_view_list_t){count, specs->views};
}

static iree_status_t parse(const fixture_t *f, const char *cconv, const char *const *texts,
                           iree_vm_list_t **out_list) {
  specs_t specs;
  const iree_string_view_list_t list = make_specs(f, texts, &specs);
  return value_parse_list(iree_make_cstring_view(cconv), list, &f->target, out_list);
}
#define SPECS(...) \
  (const char *const[]) { __VA_ARGS__, NULL }

static void expect_printed(test_t *test, const fixture_t *f, const char *cconv,
                           const char *const *texts, const char *expected) {
  iree_vm_list_t *list = NULL;
  if (!EXPECT_OK(parse(f, cconv, texts, &list))) return;
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  EXPECT_OK(value_append_list(IREE_SV("v"), list, 1024, &builder));
  EXPECT_SV(iree_string_builder_view(&builder), expected);
  iree_string_builder_deinitialize(&builder);
  iree_vm_list_release(list);
}

TEST(scalars_and_tensors) {
  fixture_t f;
  if (begin(test, &f)) {
    expect_printed(test, &f, "iIfF", SPECS("0x10", "-2", "+3.5", "1e300"),
                   "v[0]: i32=16\nv[1]: i64=-2\nv[2]: f32=3.5\nv[3]: f64=1e+300\n");
    expect_printed(test, &f, "rr", SPECS(" 2x2xf32=[1 2][3 4] ", "i64=7"),
                   "v[0]: hal.buffer_view\n2x2xf32=[1 2][3 4]\nv[1]: hal.buffer_view\ni64=7\n");
    expect_printed(test, &f, "ri", SPECS("(null)", "(ignored)"), "v[0]: (null)\nv[1]: i32=0\n");
    expect_printed(test, &f, "rr", SPECS("&4xi8=1", "2x*16=1234"),
                   "v[0]: hal.buffer\n(no printer)\nv[1]: hal.buffer_view\n2x*16=1234 1234\n");
    expect_printed(test, &f, "r", SPECS("*8=7f"), "v[0]: hal.buffer_view\n*8=7F\n");
  }
  end(&f);
}

TEST(wrong_values) {
  static const struct {
    const char *cconv, *text;
    iree_status_code_t code;
  } k_cases[] = {
      {"", "1", IREE_STATUS_INVALID_ARGUMENT},
      {"i", "one", IREE_STATUS_INVALID_ARGUMENT},
      {"i", "99999999999", IREE_STATUS_INVALID_ARGUMENT},
      {"r", "4", IREE_STATUS_INVALID_ARGUMENT},
      {"r", "", IREE_STATUS_INVALID_ARGUMENT},
      {"r", "4xf32=1 2", IREE_STATUS_OUT_OF_RANGE},
      {"r", "4xq32=1", IREE_STATUS_INVALID_ARGUMENT},
      {"r", "9223372036854775807x16xf32", IREE_STATUS_OUT_OF_RANGE},
      {"i", "&4xf32", IREE_STATUS_INVALID_ARGUMENT},
      {"r", "@~/none.npy", IREE_STATUS_NOT_FOUND},
      {"r", "@~/none.bin", IREE_STATUS_UNIMPLEMENTED},
      {"r", "4xf32=@~/none.bin", IREE_STATUS_NOT_FOUND},
      {"r", "@~.npy", IREE_STATUS_NOT_FOUND},
  };
  fixture_t f;
  if (begin(test, &f)) {
    for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
      iree_vm_list_t *list = NULL;
      iree_status_t status = parse(&f, k_cases[i].cconv, SPECS(k_cases[i].text), &list);
      if (!EXPECT_EQ(iree_status_consume_code(status), k_cases[i].code))
        printf("  %s\n", k_cases[i].text);
      EXPECT(list == NULL);
    }
  }
  end(&f);
}

static void write_list(test_t *test, const fixture_t *f, const char *cconv,
                       const char *const *values, const char *const *outputs, const char *printed) {
  iree_vm_list_t *list = NULL;
  if (!EXPECT_OK(parse(f, cconv, values, &list))) return;
  specs_t specs;
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  EXPECT_OK(value_write_list(list, make_specs(f, outputs, &specs), 1024, iree_allocator_system(),
                             &builder));
  EXPECT_SV(iree_string_builder_view(&builder), printed);
  iree_string_builder_deinitialize(&builder);
  iree_vm_list_release(list);
}

static void remove_file(const fixture_t *f, const char *name) {
  char path[SPEC_SIZE];
  expand(f, name, path, sizeof(path));
  unlink(path);
}

TEST(files) {
  fixture_t f;
  if (begin(test, &f)) {
    write_list(test, &f, "rri", SPECS("2xf32=1 2", "i64=7", "5"),
               SPECS("@~/a.npy", "+~/a.npy", "-"), "i32=5\n");
    // + goes on, * takes the rest, @ starts again.
    expect_printed(test, &f, "rr", SPECS("@~/a.npy", "+~/a.npy"),
                   "v[0]: hal.buffer_view\n2xf32=1 2\nv[1]: hal.buffer_view\nsi64=7\n");
    expect_printed(
        test, &f, "rri", SPECS("*~/a.npy", "5"),
        "v[0]: hal.buffer_view\n2xf32=1 2\nv[1]: hal.buffer_view\nsi64=7\nv[2]: i32=5\n");
    expect_printed(test, &f, "rr", SPECS("@~/a.npy", "@~/a.npy"),
                   "v[0]: hal.buffer_view\n2xf32=1 2\nv[1]: hal.buffer_view\n2xf32=1 2\n");
    iree_vm_list_t *list = NULL;
    EXPECT_STATUS(OUT_OF_RANGE, parse(&f, "rrr", SPECS("@~/a.npy", "+~/a.npy", "+~/a.npy"), &list));
    EXPECT_STATUS(INVALID_ARGUMENT, parse(&f, "r", SPECS("*~/a.npy"), &list));
    write_list(test, &f, "rrr", SPECS("2xf32=1 2", "&i16=5", "(null)"),
               SPECS("@~/a.bin", "+~/a.bin", ""), "");
    expect_printed(test, &f, "rr", SPECS("1xf32=@~/a.bin", "3xi16=+~/a.bin"),
                   "v[0]: hal.buffer_view\n1xf32=1\nv[1]: hal.buffer_view\n3xi16=0 16384 5\n");
    EXPECT_STATUS(OUT_OF_RANGE, parse(&f, "r", SPECS("3xf32=@~/a.bin"), &list));
    remove_file(&f, "~/a.npy");
    remove_file(&f, "~/a.bin");
  }
  end(&f);
}

TEST(wrong_outputs) {
  fixture_t f;
  if (begin(test, &f)) {
    iree_vm_list_t *list = NULL;
    iree_string_builder_t builder;
    iree_string_builder_initialize(iree_allocator_system(), &builder);
    EXPECT_OK(parse(&f, "r", SPECS("4xi4=1"), &list));
    static const struct {
      const char *spec;
      iree_status_code_t code;
    } k_cases[] = {{"file.npy", IREE_STATUS_UNIMPLEMENTED},
                   {"@~/no/such/folder.bin", IREE_STATUS_NOT_FOUND},
                   {"@~/packed.npy", IREE_STATUS_UNIMPLEMENTED}};
    for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
      specs_t specs;
      iree_status_t status = value_write_list(list, make_specs(&f, SPECS(k_cases[i].spec), &specs),
                                              1024, iree_allocator_system(), &builder);
      if (!EXPECT_EQ(iree_status_consume_code(status), k_cases[i].code))
        printf("  %s\n", k_cases[i].spec);
    }
    specs_t specs;
    EXPECT_STATUS(OUT_OF_RANGE, value_write_list(list, make_specs(&f, SPECS("-", "-"), &specs),
                                                 1024, iree_allocator_system(), &builder));
    iree_string_builder_deinitialize(&builder);
    iree_vm_list_release(list);
  }
  end(&f);
}

// Compares |expected| with |actual| under |flag_text|; |report| is the first line.
static void expect_comparison(test_t *test, const fixture_t *f, const char *flag_text,
                              const char *cconv, const char *const *expected,
                              const char *const *actual, const char *report) {
  compare_flags_t values;
  const flag_binding_t binding = {&compare_flag_group, &values};
  flags_t flags;
  EXPECT_OK(flags_init(&binding, 1, FLAG_STYLE_GNU, iree_allocator_system(), &flags));
  EXPECT_OK(flags_parse_text(&flags, iree_make_cstring_view(flag_text), IREE_SV("test")));
  iree_vm_list_t *expected_list = NULL, *actual_list = NULL;
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  comparison_t comparison = {.flags = &values, .max_element_count = 16, .report = &builder};
  if (EXPECT_OK(parse(f, cconv, expected, &expected_list)) &&
      EXPECT_OK(parse(f, cconv, actual, &actual_list))) {
    EXPECT_OK(compare_lists(&comparison, expected_list, actual_list));
    iree_string_view_t line;
    iree_string_view_split(iree_string_builder_view(&builder), '\n', &line, NULL);
    EXPECT_SV(line, report);
    EXPECT_EQ(comparison.is_match, report[0] == 0);
  }
  iree_string_builder_deinitialize(&builder);
  iree_vm_list_release(expected_list);
  iree_vm_list_release(actual_list);
  flags_deinit(&flags);
}

TEST(comparison) {
  static const struct {
    const char *flags, *cconv, *expected, *actual, *report;
  } k_cases[] = {
      {"", "r", "2xf32=1 nan", "2xf32=1.00005 nan", ""},
      {"", "r", "2xf32=1 2", "2xf32=1 2.1",
       "[FAILED] result[0]: element at index 1 (2.1) does not match the expected (2); expected "
       "that the view is equal "
       "to contents of a view of 2xf32"},
      {"--equality_mode=exact", "r", "1xf32=1", "1xf32=1.00005",
       "[FAILED] result[0]: element at index 0 (1.00005) does not match the expected (1); expected "
       "that the view is "
       "equal to contents of a view of 1xf32"},
      {"--expected_f32_threshold=1", "r", "1xf32=1", "1xf32=1.9", ""},
      {"--expected_rtol=0.5", "r", "1xf32=-100", "1xf32=-149", ""},
      {"", "r", "1xf32=inf", "1xf32=3e38",
       "[FAILED] result[0]: element at index 0 (3E+38) does not match the expected (INF); expected "
       "that the view is "
       "equal to contents of a view of 1xf32"},
      {"", "r", "1xf16=1", "1xf16=1.001", ""},
      {"", "r", "1xbf16=1", "1xbf16=1.008", ""},
      {"", "r", "1xcf64=0000803F00000040", "1xcf64=0100803F00000040", ""},
      {"", "r", "1xi32=1", "1xsi32=1", ""},
      {"", "r", "3xi4=1 2 3", "3xi4=1 2 3", ""},
      {"", "r", "1x*16=803f", "1xbf16=1", ""},
      {"", "r", "2xf32=1", "1x2xf32=1",
       "[FAILED] result[0]: metadata is 1x2xf32; expected that the view matches 2xf32; expected "
       "that the view is equal "
       "to contents of a view of 2xf32"},
      {"", "r", "(ignored)", "2xf32=1", ""},
      {"", "r", "2xf32=1", "(null)",
       "[FAILED] result[0]: variant types mismatch; expected hal.buffer_view but got null"},
      {"", "i", "3", "3", ""},
      {"", "i", "3", "4", "[FAILED] result[0]: i32 values differ"},
      {"", "F", "3", "3.00001", ""},
  };
  fixture_t f;
  if (begin(test, &f)) {
    for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
      expect_comparison(test, &f, k_cases[i].flags, k_cases[i].cconv, SPECS(k_cases[i].expected),
                        SPECS(k_cases[i].actual), k_cases[i].report);
    }
    expect_comparison(test, &f, "", "ii", SPECS("1"), SPECS("1", "2"),
                      "[FAILED] expected 1 list elements but 2 provided");
  }
  end(&f);
}

TEST(mutations) {
  static const char k_text[] = "&2x2xf32=[1 2][3e1 nan]";
  fixture_t f;
  if (begin(test, &f)) {
    for (size_t i = 0; i + 1 < sizeof(k_text); ++i) {
      for (int c = 1; c < 128; ++c) {
        char text[sizeof(k_text)];
        memcpy(text, k_text, sizeof(text));
        text[i] = (char)c;
        iree_vm_list_t *list = NULL;
        iree_status_ignore(parse(&f, "r", SPECS(text), &list));
        iree_vm_list_release(list);
      }
    }
  }
  end(&f);
}

// Counts live blocks and fails the |fail_at|-th allocation (from 1; 0 never).
typedef struct counter_t {
  long allocations, live, fail_at;
} counter_t;

static iree_status_t counter_ctl(void *self, iree_allocator_command_t command, const void *params,
                                 void **inout_ptr) {
  counter_t *counter = (counter_t *)self;
  const iree_allocator_t system = iree_allocator_system();
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    counter->live -= *inout_ptr != NULL;
    return system.ctl(system.self, command, params, inout_ptr);
  }
  if (++counter->allocations == counter->fail_at)
    return iree_status_from_code(IREE_STATUS_RESOURCE_EXHAUSTED);
  const bool is_new = command != IREE_ALLOCATOR_COMMAND_REALLOC || !*inout_ptr;
  iree_status_t status = system.ctl(system.self, command, params, inout_ptr);
  if (iree_status_is_ok(status)) counter->live += is_new;
  return status;
}

static iree_status_t parse_print_compare(const fixture_t *f) {
  static const compare_flags_t k_flags = {.relative = 0.1};
  iree_vm_list_t *list = NULL;
  IREE_RETURN_IF_ERROR(parse(f, "riri", SPECS("2x2xf32=1", "3", "&4xi8=1", "(null)"), &list));
  iree_string_builder_t text;
  iree_string_builder_initialize(f->target.host_allocator, &text);
  comparison_t comparison = {.flags = &k_flags, .max_element_count = 16, .report = &text};
  iree_status_t status = value_append_list(IREE_SV("v"), list, 16, &text);
  if (iree_status_is_ok(status)) status = compare_lists(&comparison, list, list);
  iree_string_builder_deinitialize(&text);
  iree_vm_list_release(list);
  return status;
}

TEST(each_allocation_fails_once) {
  fixture_t f;
  if (begin(test, &f)) {
    counter_t counter = {0};
    f.target.host_allocator = (iree_allocator_t){&counter, counter_ctl};
    EXPECT_OK(parse_print_compare(&f));
    EXPECT_EQ(counter.live, 0);
    const long count = counter.allocations;
    for (long i = 1; i <= count; ++i) {
      counter = (counter_t){.fail_at = i};
      EXPECT_STATUS(RESOURCE_EXHAUSTED, parse_print_compare(&f));
      EXPECT_EQ(counter.live, 0);
    }
  }
  end(&f);
}

TEST_MAIN(CASE(scalars_and_tensors) CASE(wrong_values) CASE(files) CASE(wrong_outputs)
              CASE(comparison) CASE(mutations) CASE(each_allocation_fails_once))
