// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/reduce/tool.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/version.h"
#include "base/file.h"
#include "base/flags.h"
#include "compiler/reduce/interest.h"
#include "compiler/streams.h"

typedef struct reduce_flags {
  iree_string_view_t output, message, differ_flags, run_module, device;
  int32_t interesting, timeout;
  int64_t max_tests;
  bool use_bytecode, output_bytecode, quiet;
} reduce_flags_t;
#define R reduce_flags_t
static const flag_t rows[] = {
    FLAG_STRING(R, output, "o", "-", "File for the reduced program; - is stdout."),
    FLAG_CHOICE(R, interesting, "interesting", "script", "script|error|crash|differ",
                "What makes a program interesting. script: a command, named before the input, exits with 0 when it is given\n"
                "the program's file. error: it does not compile, with the same message as the input. crash: the compiler\n"
                "crashes on it, or does not end. differ: its results depend on --differ-flags."),
    FLAG_STRING(R, message, "error-message", "", "Part of the message that --interesting=error looks for; empty: the input's."),
    FLAG_STRING(R, differ_flags, "differ-flags", "", "Flags of the second compilation of --interesting=differ, separated by blanks."),
    FLAG_STRING(R, device, "device", "local-sync", "Device that --interesting=differ runs on."),
    FLAG_STRING(R, run_module, "run-module", "", "iree-run-module to use; empty: the one beside this program."),
    FLAG_I32(R, timeout, "timeout", "20", "Seconds that a compilation or a command may take."),
    FLAG_I64(R, max_tests, "max-tests", "0", "Stop after this many programs, with the best so far; 0: go on to the end."),
    FLAG_BOOL(R, quiet, "quiet", "false", "Do not tell each step on stderr."),
    FLAG_BOOL(R, use_bytecode, "use-bytecode", "false", "Refused: programs are written as text."),
    FLAG_BOOL(R, output_bytecode, "output-bytecode", "false", "Refused: programs are written as text."),
};
#undef R
static const flag_group_t reduce_group = FLAG_GROUP("reducer", rows);

// ---- flags, once per setting
typedef struct setting {
  reduce_flags_t reduce;
  compile_options_t compile;
  flag_binding_t bindings[2];
  flags_t flags;
} setting_t;
static iree_status_t setting_parse(setting_t *s, int argc, char **argv) {
  s->bindings[0] = (flag_binding_t){&reduce_group, &s->reduce};
  s->bindings[1] = (flag_binding_t){&compile_flag_group, &s->compile};
  IREE_RETURN_IF_ERROR(flags_init(s->bindings, 2, FLAG_STYLE_LLVM, iree_allocator_system(), &s->flags));
  return flags_parse(&s->flags, argc, argv);
}
// The same command line with more flags behind it; the words of |more| become arguments in place.
static iree_status_t setting_parse_more(setting_t *s, int argc, char **argv, char *more) {
  enum { MAX_MORE = 256 };
  char **all = calloc((size_t)argc + MAX_MORE, sizeof *all);
  if (!all) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for flags");
  // Behind the program's name, where a -- of the user's is not yet.
  int n = 0;
  all[n++] = argv[0];
  for (int i = 1; i < argc && strcmp(argv[i], "--"); ++i) all[n++] = argv[i];
  for (char *word = strtok(more, " \t\n"); word && n < argc + MAX_MORE - 1; word = strtok(NULL, " \t\n")) all[n++] = word;
  iree_status_t status = setting_parse(s, n, all);
  free(all);
  return status;
}

static bool find_run_module(iree_string_view_t given, char *out, size_t size) {
  if (given.size) {
    snprintf(out, size, "%.*s", (int)(given.size < 3000 ? given.size : 3000), given.data);
  } else {
    ssize_t n = readlink("/proc/self/exe", out, size - 32);
    if (n <= 0) return false;
    out[n] = 0;
    char *slash = strrchr(out, '/');
    strcpy(slash ? slash + 1 : out, "iree-run-module");
  }
  return access(out, X_OK) == 0;
}

// A file is run as named, not looked up on PATH.
static iree_status_t find_script(iree_string_view_t given, char *out, size_t size) {
  if (given.size + 3 > size) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "the name of the test script is too long");
  snprintf(out, size, "%.*s", (int)given.size, given.data);
  if (!strchr(out, '/')) {
    if (access(out, F_OK) != 0) return iree_ok_status();  // exec looks for it
    snprintf(out, size, "./%.*s", (int)given.size, given.data);
  }
  if (access(out, X_OK) == 0) return iree_ok_status();
  return iree_make_status(iree_status_code_from_errno(errno), "cannot run '%s' as the test script, which comes before the input file: %s; --interesting=error|crash|differ need none", out, strerror(errno));
}

static void on_progress(void *self, const char *strategy, size_t n_ops, size_t n_bytes, int64_t n_tests) {
  (void)self;
  fprintf(stderr, "iree-reduce: %5zu ops, %7zu bytes, %5" PRId64 " tests (%s)\n", n_ops, n_bytes, n_tests, strategy);
}

static iree_status_t write_result(iree_string_view_t path, iree_string_view_t text) {
  if (!iree_string_view_equal(path, IREE_SV("-"))) {
    char name[4096];
    if (path.size >= sizeof name) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "output path too long");
    snprintf(name, sizeof name, "%.*s", (int)path.size, path.data);
    return stream_replace_file(name, text.data, text.size);
  }
  bool ok = fwrite(text.data, 1, text.size, stdout) == text.size && fflush(stdout) == 0;
  return ok ? iree_ok_status() : iree_make_status(IREE_STATUS_UNKNOWN, "cannot write to stdout: %s", strerror(errno));
}

// Messages about the input itself: candidates are judged in silence.
static iree_status_t check_input(const compile_options_t *options, iree_string_view_t source, const char *name) {
  compile_io_t io = {.source = source, .source_name = name, .message = stream_message};
  compilation_t *compilation = NULL;
  IREE_RETURN_IF_ERROR(compilation_create(options, &io, &compilation));
  iree_status_t status = compilation_parse(compilation);
  compilation_destroy(compilation);
  if (iree_status_is_ok(status)) return status;
  iree_status_ignore(status);
  return iree_status_from_code(IREE_STATUS_CANCELLED);  // told already
}

static iree_status_t reduce(const setting_t *s, interest_t *in, iree_string_view_t input) {
  file_contents_t contents = {0};
  IREE_RETURN_IF_ERROR(file_contents_map(input, iree_allocator_system(), &contents), "cannot open the input file");
  iree_string_view_t source = {(const char *)contents.data.data, contents.data.data_length};
  char name[1024];
  snprintf(name, sizeof name, "%.*s", (int)input.size, input.data);
  iree_arena_t arena;
  iree_arena_init(&arena);
  reduce_options_t options = {.test = interest_test, .test_self = in, .max_tests = s->reduce.max_tests,
                              .progress = s->reduce.quiet ? NULL : on_progress};
  reduce_result_t result = {.text = source};
  iree_status_t status = check_input(&s->compile, source, name);
  if (iree_status_is_ok(status)) status = interest_init(in);
  if (iree_status_is_ok(status)) status = reduce_program(source, name, &options, &arena, &result);
  if (iree_status_is_ok(status)) status = write_result(s->reduce.output, result.text);
  if (iree_status_is_ok(status) && !s->reduce.quiet)
    fprintf(stderr, "iree-reduce: %zu of %zu ops are left after %" PRId64 " tests\n", result.n_ops, result.n_ops_before, result.n_tests);
  interest_deinit(in);
  iree_arena_deinit(&arena);
  file_contents_release(&contents);
  return status;
}

static iree_status_t run(setting_t *s, int argc, char **argv) {
  const flag_list_t *positional = &s->flags.positional;
  bool is_script = s->reduce.interesting == INTEREST_SCRIPT;
  if (s->reduce.timeout <= 0) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--timeout=%d: seconds are expected, one at least", s->reduce.timeout);
  if (s->reduce.max_tests < 0) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--max-tests=%" PRId64 ": a number of programs is expected, or 0 for no limit", s->reduce.max_tests);
  if (s->reduce.use_bytecode || s->reduce.output_bytecode)
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "bytecode is read, but not written; leave --use-bytecode and --output-bytecode out");
  if (positional->count < (is_script ? 1u : 0u) || positional->count > (is_script ? 2u : 1u))
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, is_script ? "a test script and an input file expected, %zu arguments given; or --interesting=error|crash|differ"
                                                                    : "one input file expected, %zu given", positional->count);
  iree_string_view_t input = positional->count > (is_script ? 1u : 0u) ? positional->values[is_script] : IREE_SV("-");
  char script[PATH_MAX] = "", run_module[PATH_MAX] = "", more[4096] = "";
  if (is_script) IREE_RETURN_IF_ERROR(find_script(positional->values[0], script, sizeof script));
  if (!iree_string_view_equal(s->reduce.output, IREE_SV("-"))) IREE_RETURN_IF_ERROR(file_check_writable(s->reduce.output));
  bool differs = s->reduce.interesting == INTEREST_DIFFER;
  if (differs && !find_run_module(s->reduce.run_module, run_module, sizeof run_module))
    return iree_make_status(IREE_STATUS_NOT_FOUND, "no iree-run-module at '%s'; --run-module= says where it is", run_module);
  if (s->reduce.differ_flags.size >= sizeof more) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--differ-flags is too long");
  snprintf(more, sizeof more, "%.*s", (int)s->reduce.differ_flags.size, s->reduce.differ_flags.data);
  setting_t other = {0};
  iree_status_t status = differs ? setting_parse_more(&other, argc, argv, more) : iree_ok_status();
  interest_t in = {.kind = s->reduce.interesting, .options = &s->compile, .other_options = &other.compile, .script = script, .run_module = run_module,
                   .device = s->reduce.device, .message = s->reduce.message, .timeout_ms = (int64_t)s->reduce.timeout * 1000};
  if (iree_status_is_ok(status)) status = reduce(s, &in, input);
  if (differs) flags_deinit(&other.flags);
  return status;
}

int reduce_tool_main(int argc, char **argv) {
  setting_t s = {0};
  iree_allocator_t allocator = iree_allocator_system();
  iree_status_t status = setting_parse(&s, argc, argv);
  if (iree_status_is_ok(status) && s.flags.help_requested) {
    iree_string_builder_t builder;
    iree_string_builder_initialize(allocator, &builder);
    status = flags_append_help(&s.flags, "iree-reduce", "[flags] [test script] <input file or ->", &builder);
    if (iree_status_is_ok(status)) fputs(iree_string_builder_buffer(&builder), stdout);
    iree_string_builder_deinitialize(&builder);
  } else if (iree_status_is_ok(status) && s.flags.version_requested) {
    puts(ABI_VERSION_TEXT);
  } else if (iree_status_is_ok(status)) {
    status = run(&s, argc, argv);
  }
  flags_deinit(&s.flags);
  return stream_finish(status, "iree-reduce");
}
