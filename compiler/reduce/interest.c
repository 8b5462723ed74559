// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/reduce/interest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/driver.h"
#include "compiler/reduce/strategy.h"
#include "compiler/streams.h"

static const char *const file_names[] = {"candidate.mlir", "a.vmfb", "b.vmfb"};

iree_status_t interest_init(interest_t *in) {
  const char *base = getenv("TMPDIR");
  in->first_message = NULL;
  in->has_run = false;
  int n = snprintf(in->folder, sizeof in->folder, "%s/iree-reduce-XXXXXX", base && *base ? base : "/tmp");
  if (n < 0 || (size_t)n >= sizeof in->folder) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "TMPDIR is too long");
  if (!mkdtemp(in->folder)) {
    iree_status_t status = iree_make_status(iree_status_code_from_errno(errno), "cannot make folder '%s': %s", in->folder, strerror(errno));
    *in->folder = 0;
    return status;
  }
  return iree_ok_status();
}
static void path_of(const interest_t *in, const char *name, char *out, size_t size) { snprintf(out, size, "%s/%s", in->folder, name); }
void interest_deinit(interest_t *in) {
  char path[512];
  if (!*in->folder) return;
  for (size_t i = 0; i < sizeof file_names / sizeof *file_names; ++i) path_of(in, file_names[i], path, sizeof path), remove(path);
  for (int i = 0; i < 64; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d.npy", i);
    path_of(in, name, path, sizeof path);
    remove(path);
  }
  rmdir(in->folder);
  free(in->first_message);
  in->first_message = NULL;
}

// ---- compiling in a child
typedef struct job {
  const interest_t *in;
  const compile_options_t *options;
  iree_string_view_t text;
  const char *output;  // NULL: dropped
  FILE *file;
} job_t;
static iree_status_t write_job(void *self, const void *data, size_t n) {
  job_t *job = self;
  if (job->file && fwrite(data, 1, n, job->file) != n) return iree_make_status(IREE_STATUS_UNKNOWN, "cannot write '%s'", job->output);
  return iree_ok_status();
}
static int compile_job(void *self) {
  job_t *job = self;
  if (job->output && !(job->file = fopen(job->output, "wb"))) return 2;
  compile_io_t io = {.source = job->text, .source_name = "candidate.mlir", .write = write_job, .write_self = job, .message = stream_message};
  iree_status_t status = compile_run(job->options, &io);
  bool is_ok = iree_status_is_ok(status) && (!job->file || fclose(job->file) == 0);
  iree_status_ignore(status);
  return is_ok ? 0 : 1;
}
static iree_status_t compile(const interest_t *in, const compile_options_t *options, iree_string_view_t text, const char *output,
                             process_result_t *out) {
  job_t job = {.in = in, .options = options, .text = text, .output = output};
  return process_run(compile_job, &job, in->timeout_ms, out);
}

// ---- "error": the first message without its place, numbers and names of values being what changes
static char *message_of(const char *text) {
  const char *at = text ? strstr(text, ": error: ") : NULL;
  if (!at) return NULL;
  at += 9;
  size_t n = strcspn(at, "\n"), k = 0;
  char *out = malloc(n + 1);
  for (size_t i = 0; out && i < n; ++i) {
    bool is_digit = at[i] >= '0' && at[i] <= '9';
    if (!is_digit) out[k++] = at[i];
    else if (!k || out[k - 1] != '#') out[k++] = '#';
  }
  if (out) out[k] = 0;
  return out;
}
static bool contains(const char *text, iree_string_view_t part) {
  return iree_string_view_find_first_of(iree_make_cstring_view(text), iree_string_view_substr(part, 0, 1), 0) != IREE_STRING_VIEW_NPOS &&
         memmem(text, strlen(text), part.data, part.size) != NULL;
}
static bool is_same_error(interest_t *in, const process_result_t *r) {
  if (r->exit_code != 1 || r->is_timed_out) return false;
  if (in->message.size) return r->text && contains(r->text, in->message);
  char *message = message_of(r->text);
  bool is_same = message && (!in->first_message || !strcmp(message, in->first_message));
  if (message && !in->first_message) in->first_message = message;
  else free(message);
  return is_same;
}

// ---- "differ": both files, called with made-up arguments
typedef struct line {
  char *data;
  size_t n, cap;
} line_t;
static void put(line_t *l, const char *text) {
  size_t n = strlen(text);
  if (l->n + n + 1 > l->cap) {
    char *grown = realloc(l->data, l->cap = (l->n + n + 1) * 2);
    if (!grown) abort();
    l->data = grown;
  }
  memcpy(l->data + l->n, text, n + 1);
  l->n += n;
}
enum { MAX_WRITTEN = 512 };  // elements given one by one; larger tensors have equal ones
static void put_argument(line_t *l, ir_type_t type, uint32_t number) {
  char text[64];
  ir_type_t element = ir_type_element(type);
  int64_t n = 1;
  put(l, " '--input=");
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    int64_t d = ir_type_dim(type, i) == IR_DYNAMIC ? 3 : ir_type_dim(type, i);
    n = n > MAX_WRITTEN || d > MAX_WRITTEN ? MAX_WRITTEN + 1 : n * d;
    snprintf(text, sizeof text, "%" PRId64 "x", d);
    put(l, text);
  }
  bool is_float = ir_type_is_float(element), is_bool = ir_type_is_int(element, 1), is_complex = ir_is(element, IR_T_COMPLEX);
  if (is_complex) snprintf(text, sizeof text, "cf%u=", ir_type_width(element));
  else if (is_float) snprintf(text, sizeof text, "%s=", ir_float_spelling(ir_float_kind(element)));
  else snprintf(text, sizeof text, "%si%u=", ir_is(element, IR_T_INTEGER) && ir_int_sign(element) == IR_UNSIGNED ? "u" : "", ir_type_width(element));
  put(l, text);
  for (int64_t i = 0; i < (n > MAX_WRITTEN ? 1 : n) && !is_complex; ++i) {
    int64_t v = (i * 7 + 3 + number * 5) % 13;
    if (is_float) snprintf(text, sizeof text, "%g ", (double)v * 0.25 - 1.0);
    else snprintf(text, sizeof text, "%" PRId64 " ", is_bool ? v % 2 : v % 5 + 1);
    put(l, text);
  }
  put(l, "'");
}
static void put_call(line_t *l, const interest_t *in, const ir_op_t *function, bool is_second, size_t n_results) {
  char path[512], text[640];
  path_of(in, is_second ? "b.vmfb" : "a.vmfb", path, sizeof path);
  snprintf(text, sizeof text, "'%s' '--module=%s' '--device=%.*s' '--function=%.*s'", in->run_module, path, (int)in->device.size, in->device.data,
           (int)(ir_op_sym_name(function).size < 200 ? ir_op_sym_name(function).size : 200), ir_op_sym_name(function).data);
  put(l, text);
  for (uint32_t i = 0; i < ir_body(function)->n_args; ++i) put_argument(l, ir_body(function)->args[i]->type, i);
  for (size_t i = 0; i < n_results; ++i) {
    snprintf(text, sizeof text, " '--%s=@%s/%zu.npy'", is_second ? "expected_output" : "output", in->folder, i);
    put(l, text);
  }
}
// Does one function of the two files give results that differ?
static iree_status_t function_differs(const interest_t *in, const ir_op_t *function, bool *out_differs) {
  size_t n_results = ir_fn_n_results(ir_op_attr(function, "function_type"));
  for (int is_second = 0; is_second < 2; ++is_second) {
    line_t line = {0};
    put_call(&line, in, function, is_second, n_results < 64 ? n_results : 64);
    process_result_t r;
    iree_status_t status = process_run_shell(line.data, in->timeout_ms, &r);
    free(line.data);
    IREE_RETURN_IF_ERROR(status);
    bool is_bad = r.exit_code || r.is_timed_out;
    // A call that the second file refuses, and another type, are other failures than a wrong value.
    if (is_second) *out_differs |= is_bad && strstr(r.text, "[FAILED]") && !strstr(r.text, "metadata is");
    process_result_deinit(&r);
    if (is_bad) return iree_ok_status();
  }
  return iree_ok_status();
}
static iree_status_t differs(const interest_t *in, iree_string_view_t text, const ir_op_t *module, bool *out) {
  const compile_options_t *options[] = {in->options, in->other_options};
  for (int i = 0; i < 2; ++i) {
    char path[512];
    process_result_t r;
    path_of(in, file_names[1 + i], path, sizeof path);
    IREE_RETURN_IF_ERROR(compile(in, options[i], text, path, &r));
    bool is_bad = r.exit_code || r.is_timed_out;
    process_result_deinit(&r);
    if (is_bad) return iree_ok_status();
  }
  for (const ir_op_t *f = ir_body(module)->first; f && !*out; f = f->next) {
    ir_attr_t visibility = reduce_is_function(f) ? ir_op_attr(f, "sym_visibility") : NULL;
    if (!reduce_is_function(f) || (visibility && ir_str_is(visibility, "private"))) continue;
    IREE_RETURN_IF_ERROR(function_differs(in, f, out));
  }
  return iree_ok_status();
}

// ---- a command
typedef struct script_job {
  const char *script, *file;
} script_job_t;
static int exec_script(void *self) {
  const script_job_t *job = self;
  execlp(job->script, job->script, job->file, (char *)NULL);
  fprintf(stderr, "cannot run '%s': %s\n", job->script, strerror(errno));
  return 127;
}
static iree_status_t run_script(interest_t *in, iree_string_view_t text, bool *out) {
  char path[512];
  path_of(in, file_names[0], path, sizeof path);
  IREE_RETURN_IF_ERROR(stream_write_file(path, text.data, text.size));
  process_result_t r;
  script_job_t job = {in->script, path};
  IREE_RETURN_IF_ERROR(process_run(exec_script, &job, in->timeout_ms, &r));
  *out = !r.exit_code && !r.is_timed_out;
  iree_status_t status = iree_ok_status();
  if (r.exit_code == 127)
    status = iree_make_status(IREE_STATUS_NOT_FOUND, "the test cannot be run; its script comes before the input file: %.300s", r.text);
  else if (r.is_timed_out && !in->has_run)  // later on it is what an uninteresting program does
    status = iree_make_status(IREE_STATUS_DEADLINE_EXCEEDED, "the test script '%s' does not end within %" PRId64 " s for the input; --timeout= gives it longer", in->script, in->timeout_ms / 1000);
  in->has_run = true;
  process_result_deinit(&r);
  return status;
}

iree_status_t interest_test(void *self, iree_string_view_t text, const ir_op_t *module, bool *out_is_interesting) {
  interest_t *in = self;
  *out_is_interesting = false;
  if (in->kind == INTEREST_SCRIPT) return run_script(in, text, out_is_interesting);
  if (in->kind == INTEREST_DIFFER) return differs(in, text, module, out_is_interesting);
  process_result_t r;
  IREE_RETURN_IF_ERROR(compile(in, in->options, text, NULL, &r));
  if (in->kind == INTEREST_CRASH) *out_is_interesting = r.signal || r.is_timed_out || r.exit_code > 2;
  else *out_is_interesting = is_same_error(in, &r);
  process_result_deinit(&r);
  return iree_ok_status();
}
