// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/version.h"
#include "base/file.h"
#include "base/flags.h"
#include "base/progress.h"
#include "compiler/codegen/target.h"
#include "compiler/absent.h"
#include "compiler/driver.h"
#include "compiler/pass.h"
#include "compiler/tool_bisect.h"
#include "compiler/tool_disassemble.h"
#include "compiler/streams.h"

typedef struct tool_flags {
  iree_string_view_t output;
  iree_string_view_t pass_pipeline;
  iree_string_view_t bisect_test;
  iree_string_view_t disassemble;
  int32_t bisect_timeout;
} tool_flags_t;
static const flag_t tool_flag_rows[] = {
    FLAG_STRING(tool_flags_t, output, "o", "-", "Output file; - is stdout."),
    FLAG_STRING(tool_flags_t, pass_pipeline, "pass-pipeline", "", "Passes to run: builtin.module(a,b)."),
    FLAG_STRING(tool_flags_t, bisect_test, "opt-bisect-test", "",
                "Search for the first rewrite that makes this shell command fail: it looks at the output file."),
    FLAG_STRING(tool_flags_t, disassemble, "iree-disassemble", "",
                "x86-64 or AArch64: the input is machine code, a function per line: address and bytes in hexadecimal\n"
                "digits. iree-dump-module uses it for reports."),
    FLAG_I32(tool_flags_t, bisect_timeout, "opt-bisect-timeout", "60", "... seconds that it and each compilation may take."),
};
static const flag_group_t tool_group = FLAG_GROUP("tool", tool_flag_rows);

// ---- output: collected, then written whole
typedef struct output {
  char *data;
  size_t n, cap;
  iree_string_view_t path;
} output_t;

static iree_status_t collect(void *self, const void *data, size_t n) {
  output_t *out = self;
  if (out->cap - out->n < n) {
    size_t cap = out->cap ? out->cap : 65536;
    while (cap - out->n < n) cap *= 2;
    char *grown = realloc(out->data, cap);
    if (!grown) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for %zu bytes of output", cap);
    out->data = grown;
    out->cap = cap;
  }
  memcpy(out->data + out->n, data, n);
  out->n += n;
  return iree_ok_status();
}

static iree_status_t write_output(const output_t *out) {
  if (iree_string_view_equal(out->path, IREE_SV("-"))) {
    bool ok = fwrite(out->data, 1, out->n, stdout) == out->n && fflush(stdout) == 0;
    return ok ? iree_ok_status() : iree_make_status(IREE_STATUS_UNKNOWN, "cannot write to stdout: %s", strerror(errno));
  }
  char path[4096];
  if (out->path.size >= sizeof path) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "output path too long");
  memcpy(path, out->path.data, out->path.size);
  path[out->path.size] = 0;
  return stream_replace_file(path, out->data, out->n);
}

// ---- arguments
// Takes `--pass-name` arguments out of argv; what is left is flags and the input.
static size_t take_passes(int *argc, char **argv, iree_string_view_t *out, size_t max) {
  size_t n = 0;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const char *a = argv[i];
    size_t dashes = strspn(a, "-");
    iree_string_view_t name = iree_make_cstring_view(a + dashes);
    if (dashes && dashes <= 2 && n < max && pipeline_has_pass(name)) out[n++] = name;
    else argv[kept++] = argv[i];
  }
  *argc = kept;
  return n;
}

// ---- one compilation
typedef struct job {
  const compile_options_t *options;
  compile_io_t *io;
  iree_string_view_t output;
} job_t;
static iree_status_t compile_and_write(const job_t *job) {
  output_t out = {.path = job->output};
  job->io->write = collect;
  job->io->write_self = &out;
  iree_status_t status = compile_run(job->options, job->io);
  if (iree_status_is_ok(status)) {
    status = write_output(&out);
  } else {
    iree_status_ignore(status);
    status = iree_status_from_code(IREE_STATUS_CANCELLED);  // told already
  }
  free(out.data);
  return status;
}
static iree_status_t compile_limited(void *self, int64_t limit, int64_t *out_count) {
  const job_t *job = self;
  compile_options_t options = *job->options;
  options.bisect_limit = limit;
  job->io->n_rewrites = out_count;
  return compile_and_write(&(job_t){&options, job->io, job->output});
}

static iree_status_t disassemble(iree_string_view_t machine, iree_string_view_t text, iree_string_view_t path) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  iree_status_t status = tool_disassemble(machine, text, &builder);
  output_t out = {.data = (char *)iree_string_builder_buffer(&builder), .n = iree_string_builder_size(&builder), .path = path};
  if (iree_status_is_ok(status)) status = write_output(&out);
  iree_string_builder_deinitialize(&builder);
  return status;
}

// ---- what goes to the terminal while there may be a line of progress
static void note_progress(void *self, const char *what, int64_t done, int64_t total) {
  progress_note(self, what, done, total);
}
static void write_message(void *self, ir_severity_t severity, iree_string_view_t text) {
  progress_clear(self);
  stream_message(NULL, severity, text);
}
static iree_status_t write_dump(void *self, iree_string_view_t text) {
  progress_clear(self);
  return stream_dump(NULL, text);
}

static iree_status_t run(const flags_t *flags, const compile_options_t *options, const tool_flags_t *tool_flags,
                         compile_tool_t tool, iree_string_view_t *passes, size_t n_passes) {
  enum { MAX_PASSES = 128 };
  IREE_RETURN_IF_ERROR(compile_split_pipeline(tool_flags->pass_pipeline, passes, MAX_PASSES, &n_passes));
  if (flags->positional.count > 1)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "one input file expected, %zu given", flags->positional.count);
  iree_string_view_t input = flags->positional.count ? flags->positional.values[0] : IREE_SV("-");
  iree_allocator_t allocator = iree_allocator_system();
  file_contents_t contents = {0};
  IREE_RETURN_IF_ERROR(file_contents_map(input, allocator, &contents), "cannot open the input file");
  if (tool_flags->disassemble.size) {
    iree_string_view_t text = {(const char *)contents.data.data, contents.data.data_length};
    iree_status_t done = disassemble(tool_flags->disassemble, text, tool_flags->output);
    file_contents_release(&contents);
    return done;
  }
  bool is_stdin = iree_string_view_equal(input, IREE_SV("-"));
  char name[1024];
  snprintf(name, sizeof name, "%.*s", (int)input.size, input.data);
  if (is_stdin) snprintf(name, sizeof name, "<stdin>");
  compile_io_t io = {.source = {(const char *)contents.data.data, contents.data.data_length}, .source_name = name,
                     .message = write_message, .dump = write_dump, .file = stream_file, .read = stream_read,
                     .passes = passes, .n_passes = n_passes, .print_ir = tool == COMPILE_TOOL_IR};
  progress_t progress = {0};
  io.progress = note_progress;
  io.progress_self = io.message_self = io.dump_self = &progress;
  job_t job = {options, &io, tool_flags->output};
  tool_bisect_t bisect = {compile_limited, &job, tool_flags->bisect_test, (int64_t)tool_flags->bisect_timeout * 1000};
  if (!bisect.command.size) progress_start(&progress);  // a bisection compiles in processes of its own
  iree_status_t status = bisect.command.size ? tool_bisect_run(&bisect) : compile_and_write(&job);
  progress_stop(&progress);
  file_contents_release(&contents);
  return status;
}

// Tuning hints of upstream's stay usable in command lines that both compilers are given.
static void warn_hint(const flag_t *flag) {
  fprintf(stderr, "warning: flag '--%s' changes nothing here: %s\n", flag->name, flag->choices);
}

int compile_tool_main(int argc, char **argv, compile_tool_t tool) {
  enum { MAX_PASSES = 128 };
  static const char *const names[] = {"iree-compile", "iree-opt"};
  iree_string_view_t passes[MAX_PASSES];
  size_t n_passes = tool == COMPILE_TOOL_IR ? take_passes(&argc, argv, passes, MAX_PASSES) : 0;
  compile_options_t options = {0};
  tool_flags_t tool_flags = {0};
  const flag_binding_t bindings[] = {{&tool_group, &tool_flags}, {&compile_flag_group, &options}, {&compile_absent_flag_group, NULL}};
  flags_t flags;
  iree_allocator_t allocator = iree_allocator_system();
  iree_status_t status = flags_init(bindings, IREE_ARRAYSIZE(bindings), FLAG_STYLE_LLVM, allocator, &flags);
  flags.warn = warn_hint;
  if (iree_status_is_ok(status)) status = flags_parse(&flags, argc, argv);
  if (iree_status_is_ok(status) && flags.help_requested) {
    iree_string_builder_t builder;
    iree_string_builder_initialize(allocator, &builder);
    status = flags_append_help(&flags, names[tool], "[flags] <input file or ->", &builder);
    if (iree_status_is_ok(status)) fputs(iree_string_builder_buffer(&builder), stdout);
    iree_string_builder_deinitialize(&builder);
  } else if (iree_status_is_ok(status) && flags.version_requested) {
    puts(ABI_VERSION_TEXT);
  } else if (iree_status_is_ok(status) && options.list_target_backends) {
    puts("Registered target backends:");
    for (const char *const *b = codegen_backends; *b; ++b) printf("  %s\n", *b);
  } else if (iree_status_is_ok(status)) {
    status = run(&flags, &options, &tool_flags, tool, passes, n_passes);
  }
  flags_deinit(&flags);
  return stream_finish(status, names[tool]);
}
