// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flag parser: every type, both styles, flag files, suggestions, help that reads back, mutated
// input.

#include "base/flags.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"

typedef struct values_t {
  bool verbose;
  int32_t count;
  int64_t size;
  double rate;
  iree_string_view_t name;
  int32_t mode;
  flag_list_t input;
  flag_list_t backends;
  flag_option_t list_devices;
  iree_string_view_t output;
} values_t;

enum { MODE_FAST, MODE_SAFE };

static const flag_t k_flags[] = {
    FLAG_BOOL(values_t, verbose, "verbose", "false", "Says more."),
    FLAG_I32(values_t, count, "count", "1", "How often.\nSecond line."),
    FLAG_I64(values_t, size, "size", "4294967296", "Bytes."),
    FLAG_F64(values_t, rate, "rate", "0.5", "Rate."),
    FLAG_STRING(values_t, name, "name", "", "Name."),
    FLAG_CHOICE(values_t, mode, "mode", "fast", "fast|safe", "Mode."),
    FLAG_LIST(values_t, input, "input", "Inputs."),
    FLAG_COMMA_LIST(values_t, backends, "backends", "Backends."),
    FLAG_OPTION(values_t, list_devices, "list_devices", "Lists."),
    FLAG_STRING(values_t, output, "o", "-", "Output."),
    FLAG_ABSENT("cuda_tracing", "2", "no CUDA here"),
    FLAG_ABSENT("dump", "", "nothing to dump"),
};
static const flag_group_t k_group = FLAG_GROUP("test", k_flags);

typedef struct fixture_t {
  values_t values;
  flag_binding_t binding;
  flags_t flags;
} fixture_t;

static iree_status_t parse(fixture_t *f, flag_style_t style, const char *const *arguments) {
  f->binding = (flag_binding_t){&k_group, &f->values};
  iree_status_t status = flags_init(&f->binding, 1, style, iree_allocator_system(), &f->flags);
  if (!iree_status_is_ok(status)) return status;
  char *argv[32] = {(char *)"tool"};
  int argc = 1;
  for (; arguments[argc - 1]; ++argc) argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
  return flags_parse(&f->flags, argc, argv);
}
#define PARSE(f, style, ...) parse(f, FLAG_STYLE_##style, (const char *const[]){__VA_ARGS__, NULL})

static bool status_has(iree_status_t status, const char *text) {
  const iree_string_view_t message = iree_status_message(status);
  bool found = false;
  for (iree_host_size_t i = 0; i < message.size && !found; ++i) {
    found = iree_string_view_starts_with(iree_string_view_remove_prefix(message, i),
                                         iree_make_cstring_view(text));
  }
  if (!found) printf("  message: %.*s\n", IREE_SV_ARGS(message));
  iree_status_free(status);
  return found;
}

TEST(absent_flags_take_their_default_only) {
  fixture_t f;
  ASSERT_OK(PARSE(&f, GNU, "--cuda_tracing=2", "--cuda_tracing=\"2\"", "--dump="));
  flags_deinit(&f.flags);
  EXPECT(status_has(PARSE(&f, GNU, "--cuda_tracing=1"), "flag '--cuda_tracing': no CUDA here"));
  flags_deinit(&f.flags);
  EXPECT(status_has(PARSE(&f, GNU, "--dump"), "nothing to dump"));
  flags_deinit(&f.flags);
}

static int n_warned;
static void count_warning(const flag_t *flag) { n_warned += flag->type == FLAG_TYPE_HINT; }

TEST(hints_are_taken_with_a_warning) {
  static const flag_t rows[] = {FLAG_HINT("tile", "false", "no tiles"), FLAG_HINT("tile_size", "8", "no tiles")};
  static const flag_group_t group = FLAG_GROUP("Hints", rows);
  const flag_binding_t binding = {&group, NULL};
  flags_t flags;
  ASSERT_OK(flags_init(&binding, 1, FLAG_STYLE_LLVM, iree_allocator_system(), &flags));
  flags.warn = count_warning;
  char *silent[] = {"t", "--tile=false", "--tile=0", "-tile_size", "8", "--tile_size=8"};
  ASSERT_OK(flags_parse(&flags, 6, silent));
  EXPECT(n_warned == 0 && flags.positional.count == 0);
  char *loud[] = {"t", "--tile", "--tile=1", "-tile_size", "9", "x"};
  ASSERT_OK(flags_parse(&flags, 6, loud));
  EXPECT(n_warned == 3 && flags.positional.count == 1);
  flags_deinit(&flags);
}

TEST(version_is_noted) {
  fixture_t f;
  ASSERT_OK(PARSE(&f, GNU, "--version"));
  EXPECT(f.flags.version_requested && !f.flags.help_requested);
  flags_deinit(&f.flags);
}

TEST(defaults) {
  fixture_t f;
  ASSERT_OK(parse(&f, FLAG_STYLE_GNU, (const char *const[]){NULL}));
  EXPECT(!f.values.verbose && f.values.count == 1 && f.values.size == 4294967296 &&
         f.values.rate == 0.5);
  EXPECT(f.values.mode == MODE_FAST && f.values.input.count == 0 && !f.values.list_devices.is_set);
  EXPECT_SV(f.values.output, "-");
  flags_deinit(&f.flags);
}

TEST(every_type) {
  fixture_t f;
  ASSERT_OK(PARSE(&f, GNU, "--verbose", "--count=-3", "--size=9000000000", "--rate=2.5e-1",
                  "--name=\"a b\"", "--mode=safe", "--input=1", "--input=", "--input=4xf32=1,2",
                  "--backends=a,b", "--backends=c", "--list_devices=x", "left", "-"));
  EXPECT(f.values.verbose && f.values.count == -3 && f.values.size == 9000000000 &&
         f.values.rate == 0.25);
  EXPECT_SV(f.values.name, "a b");
  EXPECT_EQ(f.values.mode, MODE_SAFE);
  ASSERT_EQ(f.values.input.count, 3);
  EXPECT_SV(f.values.input.values[1], "");
  EXPECT_SV(f.values.input.values[2], "4xf32=1,2");
  ASSERT_EQ(f.values.backends.count, 3);
  EXPECT_SV(f.values.backends.values[2], "c");
  EXPECT(f.values.list_devices.is_set);
  EXPECT_SV(f.values.list_devices.value, "x");
  ASSERT_EQ(f.flags.positional.count, 2);
  EXPECT_SV(f.flags.positional.values[1], "-");
  flags_deinit(&f.flags);
}

TEST(later_flags_win) {
  fixture_t f;
  ASSERT_OK(PARSE(&f, GNU, "--verbose", "--count=1", "--verbose=false", "--count=2"));
  EXPECT(!f.values.verbose && f.values.count == 2);
  flags_deinit(&f.flags);
}

TEST(compiler_style) {
  fixture_t f;
  ASSERT_OK(PARSE(&f, LLVM, "in.mlir", "-o", "out.vmfb", "-verbose", "--mode", "safe", "--",
                  "--count=9"));
  EXPECT_SV(f.values.output, "out.vmfb");
  EXPECT(f.values.verbose && f.values.mode == MODE_SAFE && f.values.count == 1);
  ASSERT_EQ(f.flags.positional.count, 2);
  EXPECT_SV(f.flags.positional.values[1], "--count=9");
  flags_deinit(&f.flags);
  EXPECT(status_has(PARSE(&f, LLVM, "-o"), "'--o' expects a value"));
  flags_deinit(&f.flags);
}

TEST(bad_values) {
  static const struct {
    const char *argument, *message;
  } k_cases[] = {
      {"--count=", "expects a 32-bit integer"},
      {"--count=2147483648", "expects a 32-bit integer"},
      {"--count=1x", "expects a 32-bit integer"},
      {"--rate=fast", "expects a number"},
      {"--verbose=maybe", "expects true or false"},
      {"--mode=quick", "expects one of fast|safe"},
      {"--conut=1", "did you mean '--count'?"},
      {"--list-devices", "did you mean '--list_devices'?"},
      {"--hlep", "did you mean '--help'?"},
      {"--something_else_entirely", "--help lists all flags"},
      {"--=1", "not recognized"},
      {"--flagfile=", "expects a path"},
      {"--flagfile=/nonexistent/flags", "/nonexistent/flags"},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
    fixture_t f;
    EXPECT(status_has(PARSE(&f, GNU, k_cases[i].argument), k_cases[i].message));
    flags_deinit(&f.flags);
  }
}

TEST(flag_text) {
  fixture_t f;
  ASSERT_OK(parse(&f, FLAG_STYLE_GNU, (const char *const[]){NULL}));
  EXPECT_OK(flags_parse_text(&f.flags, IREE_SV("# comment\n\n  --count=7 \r\n// more\n--input=a"),
                             IREE_SV("f")));
  EXPECT(f.values.count == 7 && f.values.input.count == 1);
  iree_status_t status = flags_parse_text(&f.flags, IREE_SV("--count=7\nword\n"), IREE_SV("f"));
  EXPECT(status_has(status, "f:2: only flags"));
  EXPECT_STATUS(INVALID_ARGUMENT, flags_parse_text(&f.flags, IREE_SV("--nope"), IREE_SV("f")));
  flags_deinit(&f.flags);
}

TEST(flag_files) {
  char path[] = "/tmp/flags_test_XXXXXX";
  const int fd = mkstemp(path);
  ASSERT(fd >= 0);
  char text[128], argument[64];
  // A file that names itself must end.
  int length = snprintf(text, sizeof(text), "--count=5\n--name=kept\n--flagfile=%s\n", path);
  EXPECT_EQ(write(fd, text, (size_t)length), length);
  snprintf(argument, sizeof(argument), "--flagfile=%s", path);
  fixture_t f;
  EXPECT_STATUS(INVALID_ARGUMENT, PARSE(&f, GNU, argument));
  flags_deinit(&f.flags);
  EXPECT_EQ(ftruncate(fd, 22), 0);
  EXPECT_OK(PARSE(&f, GNU, argument, "--count=6"));
  EXPECT_EQ(f.values.count, 6);
  EXPECT_SV(f.values.name, "kept");
  flags_deinit(&f.flags);
  close(fd);
  unlink(path);
}

TEST(help_is_a_flag_file) {
  fixture_t f;
  ASSERT_OK(PARSE(&f, GNU, "--count=4", "--mode=safe", "--input=a", "--input=b", "--help"));
  EXPECT(f.flags.help_requested);
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  EXPECT_OK(flags_append_help(&f.flags, "tool", "Does things.", &builder));
  fixture_t again;
  ASSERT_OK(parse(&again, FLAG_STYLE_GNU, (const char *const[]){NULL}));
  EXPECT_OK(flags_parse_text(&again.flags, iree_string_builder_view(&builder), IREE_SV("help")));
  EXPECT(again.values.count == 4 && again.values.mode == MODE_SAFE &&
         again.values.input.count == 2);
  EXPECT_EQ(again.values.size, 4294967296);
  flags_deinit(&again.flags);
  flags_deinit(&f.flags);
  iree_string_builder_deinitialize(&builder);
}

// Any text gives a value or an error, and no leak.
TEST(mutated_text) {
  static const char k_text[] =
      "--count=7\n--mode=safe\n--backends=a,b\n--rate=1e3\n--verbose\n--list_devices=q\n";
  static const char k_bytes[] = {'\0', '\n', '-', '=', ',', '"', ' ', '9', '\xFF'};
  for (size_t i = 0; i + 1 < sizeof(k_text); ++i) {
    for (size_t j = 0; j < sizeof(k_bytes); ++j) {
      char text[sizeof(k_text)];
      memcpy(text, k_text, sizeof(text));
      text[i] = k_bytes[j];
      fixture_t f;
      ASSERT_OK(parse(&f, FLAG_STYLE_GNU, (const char *const[]){NULL}));
      iree_status_ignore(
          flags_parse_text(&f.flags, iree_make_string_view(text, sizeof(text) - 1), IREE_SV("f")));
      flags_deinit(&f.flags);
    }
  }
}

TEST_MAIN(CASE(defaults) CASE(absent_flags_take_their_default_only) CASE(hints_are_taken_with_a_warning) CASE(version_is_noted) CASE(every_type) CASE(later_flags_win) CASE(compiler_style)
              CASE(bad_values) CASE(flag_text) CASE(flag_files) CASE(help_is_a_flag_file)
                  CASE(mutated_text))
