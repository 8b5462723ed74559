// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/bisect.h"
#include "compiler/dump.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/pass.h"
#include "compiler/report.h"
#include "compiler/vm/emit.h"


// ---- messages
typedef struct messages {
  const compile_io_t *io;
  iree_arena_t *arena;
  int n_errors, n_lines;
} messages_t;

struct compilation {
  pass_t pass;
  const compile_io_t *io;
  iree_arena_t scratch;
  messages_t messages;
  pass_timing_t timing;
  iree_time_t start;
  uint64_t bytes;  // of the module file
  ir_op_t *module;
};
ir_op_t *compilation_module(const compilation_t *compilation) { return compilation->module; }

ir_loc_t compile_file_loc(ir_loc_t loc) {
  switch (loc->kind) {
    case IR_L_FILE: return loc;
    case IR_L_NAME: return ir_kid(loc, 0) ? compile_file_loc(ir_kid(loc, 0)) : NULL;
    case IR_L_CALLSITE: return compile_file_loc(ir_kid(loc, 0));
    case IR_L_FUSED:
      for (uint32_t i = 1; i < loc->n_kids; ++i) {
        ir_loc_t found = compile_file_loc(ir_kid(loc, i));
        if (found) return found;
      }
      return NULL;
    default: return NULL;
  }
}

iree_string_view_t compile_source_line(iree_string_view_t source, int64_t line) {
  const char *at = source.data, *end = source.data + source.size;
  for (int64_t i = 1; i < line && at; ++i) {
    at = memchr(at, '\n', (size_t)(end - at));
    if (at) ++at;
  }
  if (!at || at >= end) return iree_string_view_empty();
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return iree_make_string_view(at, (size_t)((newline ? newline : end) - at));
}

static void on_message(void *self, ir_severity_t severity, ir_loc_t loc, const char *text) {
  enum { LINE_MAX_SHOWN = 160, LINES_MAX = 6 };
  messages_t *m = self;
  static const char *const words[] = {"error", "warning", "note", "remark"};
  if (severity == IR_ERROR) m->n_errors++;
  if (!m->io->message) return;
  size_t cap = strlen(text) + strlen(m->io->source_name) + 1024, n = 0;
  ir_loc_t at = compile_file_loc(loc);
  if (at) cap += at->n_bytes;
  char *out = iree_arena_alloc(m->arena, cap);
  if (at) {
    n += (size_t)snprintf(out, cap, "%s:%" PRId64 ":%" PRId64 ": %s: %s\n", ir_bytes(at), ir_int(at, 0), ir_int(at, 1),
                          words[severity], text);
    // Locations in the input name any file; none of them begins a line of its own.
    for (size_t i = 0; i < n && i < at->n_bytes; ++i)
      if ((unsigned char)out[i] < ' ') out[i] = '?';
    iree_string_view_t line = !strcmp(ir_bytes(at), m->io->source_name)
                                  ? compile_source_line(m->io->source, ir_int(at, 0))
                                  : iree_string_view_empty();
    int64_t column = ir_int(at, 1) - 1;
    if (line.size && column >= 0 && column <= (int64_t)line.size) {
      // Of a long line, what is around the place.
      size_t from = line.size > LINE_MAX_SHOWN && column > LINE_MAX_SHOWN / 2 ? (size_t)column - LINE_MAX_SHOWN / 2 : 0;
      size_t shown = line.size - from < LINE_MAX_SHOWN ? line.size - from : LINE_MAX_SHOWN;
      n += (size_t)snprintf(out + n, cap - n, "%.*s\n", (int)shown, line.data + from);
      n += (size_t)snprintf(out + n, cap - n, "%*s^\n", (int)column - (int)from, "");
    }
  } else {
    n += (size_t)snprintf(out, cap, "%s: %s: %s\n", m->io->source_name, words[severity], text);
  }
  // What fits a glance; what follows from a first mistake is seldom worth reading.
  for (size_t i = 0; i < n; ++i) m->n_lines += out[i] == '\n';
  if (severity == IR_ERROR && m->n_errors > 1 && m->n_lines > LINES_MAX) return;
  m->io->message(m->io->message_self, severity, iree_make_string_view(out, n));
}

// ---- steps
// Tells a failure that arose outside the IR (no memory, a write): nobody has yet.
static iree_status_t told(compilation_t *c, iree_status_t status) {
  if (iree_status_is_ok(status) || c->messages.n_errors) return status;
  char *text = NULL;
  iree_host_size_t n = 0;
  iree_allocator_t allocator = iree_allocator_system();
  if (iree_status_to_string(status, &allocator, &text, &n)) {
    on_message(&c->messages, IR_ERROR, ir_loc_unknown(c->pass.ctx), text);
    iree_allocator_free(allocator, text);
  }
  return status;
}

iree_status_t compilation_create(const compile_options_t *options, const compile_io_t *io, compilation_t **out_compilation) {
  *out_compilation = NULL;
  ir_tables_t tables = dialect_tables();
  ir_ctx_t *ctx = NULL;
  IREE_RETURN_IF_ERROR(ir_ctx_create(&tables, &ctx));
  compilation_t *c = IREE_ARENA_NEW(ir_arena(ctx), compilation_t);
  c->io = io;
  c->start = iree_time_now();
  iree_arena_init(&c->scratch);
  c->messages = (messages_t){.io = io, .arena = ir_arena(ctx)};
  c->pass = (pass_t){.ctx = ctx, .options = options, .scratch = &c->scratch, .io = io};
  ir_ctx_set_diag(ctx, on_message, &c->messages);
  bool reports = options->report.size && io->file && options->compile_to == PHASE_END && !io->print_ir && !io->n_passes;
  if (((options->timing || options->statistics) && io->dump) || reports) c->pass.timing = &c->timing;
  if (reports) c->pass.report = report_create(ctx, io->source, io->source_name);
  bisect_install(&c->pass);
  *out_compilation = c;
  return iree_ok_status();
}

void compilation_destroy(compilation_t *compilation) {
  if (!compilation) return;
  iree_arena_deinit(&compilation->scratch);
  ir_ctx_destroy(compilation->pass.ctx);  // and |compilation|, which lies in its arena
}

// The compiled module as it lies in files: a zip archive, or the FlatBuffer inside.
static bool is_module(iree_string_view_t source) {
  return (source.size >= 4 && !memcmp(source.data, "PK\3\4", 4)) || (source.size >= 12 && !memcmp(source.data + 8, "IREE", 4));
}

static iree_status_t parse(compilation_t *c) {
  IREE_RETURN_IF_ERROR(dump_check_options(c->pass.options));
  iree_time_t start = iree_time_now();
  ir_op_t *module = NULL;
  if (is_module(c->io->source))
    return ir_error(c->pass.ctx, ir_loc_unknown(c->pass.ctx), "the input is a compiled module, not a program; iree-run-module runs it, iree-dump-module shows it");
  IREE_RETURN_IF_ERROR(ir_parse(c->pass.ctx, c->io->source, c->io->source_name, &module));
  pass_timing_add(c->pass.timing, "(parse)", iree_time_now() - start);
  IREE_RETURN_IF_ERROR(ir_verify(module));
  c->module = module;
  return iree_ok_status();
}
iree_status_t compilation_parse(compilation_t *compilation) { return told(compilation, parse(compilation)); }

void compile_base_name(const compile_io_t *io, char *out, size_t size) {
  const char *slash = strrchr(io->source_name, '/'), *name = slash ? slash + 1 : io->source_name;
  snprintf(out, size, "%.200s", *name && *name != '<' ? name : "module");
  char *dot = strrchr(out, '.');
  if (dot && dot != out) *dot = 0;
}

static iree_status_t dump_phase(compilation_t *c, compile_phase_t phase) {
  const compile_options_t *options = c->pass.options;
  if (!options->dump_phases_to.size || !c->io->file) return iree_ok_status();
  ir_print_options_t printing = dump_print_options(options, false);
  char base[256], name[320];
  compile_base_name(c->io, base, sizeof base);
  snprintf(name, sizeof name, "%s.%d.%s.mlir", base, (int)phase, phase_name(phase));
  return c->io->file(c->io->file_self, options->dump_phases_to, name, ir_print_to(c->pass.scratch, c->module, &printing));
}

static iree_status_t run_phases(compilation_t *c, compile_phase_t from, compile_phase_t to) {
  if (from > to)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--compile-from=%s is after --compile-to=%s", phase_name(from), phase_name(to));
  for (int phase = (int)from + 1; phase <= (int)to; ++phase) {
    IREE_RETURN_IF_ERROR(pipeline_run(&c->pass, c->module, (compile_phase_t)(phase - 1), (compile_phase_t)phase));
    if (c->pass.report) report_phase(c->pass.report, c->module, (compile_phase_t)phase);
    if (phase != PHASE_END) IREE_RETURN_IF_ERROR(dump_phase(c, (compile_phase_t)phase));
  }
  return iree_ok_status();
}
iree_status_t compilation_run_phases(compilation_t *compilation, compile_phase_t from, compile_phase_t to) {
  return told(compilation, run_phases(compilation, from, to));
}

iree_status_t compilation_run_passes(compilation_t *compilation, const iree_string_view_t *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    IREE_RETURN_IF_ERROR(told(compilation, pipeline_run_pass(&compilation->pass, compilation->module, names[i])));
  return iree_ok_status();
}

iree_status_t compile_split_pipeline(iree_string_view_t text, iree_string_view_t *out, size_t max, size_t *n) {
  if (iree_string_view_consume_prefix(&text, IREE_SV("builtin.module("))) {
    if (!text.size || text.data[text.size - 1] != ')')
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--pass-pipeline: missing ')'");
    text.size--;
  }
  while (text.size) {
    iree_string_view_t name;
    iree_string_view_split(text, ',', &name, &text);
    if (*n == max) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "more than %zu passes", max);
    out[(*n)++] = iree_string_view_trim(name);
  }
  return iree_ok_status();
}

// Hands written pieces on and counts them.
typedef struct sink {
  compile_write_fn_t write;
  void *self;
  uint64_t bytes;
} sink_t;
static iree_status_t write_counted(void *self, const void *data, size_t n) {
  sink_t *sink = self;
  sink->bytes += n;
  return sink->write(sink->self, data, n);
}
static iree_status_t write_text(void *self, const char *text, size_t n) { return write_counted(self, text, n); }

iree_status_t compilation_print(compilation_t *compilation, bool debuginfo, compile_write_fn_t write, void *self) {
  ir_print_options_t printing = dump_print_options(compilation->pass.options, debuginfo);
  sink_t sink = {.write = write, .self = self};
  return told(compilation, ir_print(compilation->module, &printing, write_text, &sink));
}

iree_status_t compilation_emit(compilation_t *compilation, compile_write_fn_t write, void *self) {
  sink_t sink = {.write = write, .self = self};
  iree_time_t start = iree_time_now();
  iree_status_t status = vm_emit_module(&compilation->pass, compilation->module, write_counted, &sink);
  pass_timing_add(compilation->pass.timing, "(emit)", iree_time_now() - start);
  compilation->bytes = sink.bytes;
  return told(compilation, status);
}

// ---- what is told of the whole
static iree_status_t print_timing(const pass_t *pass, int64_t total_ns) {
  iree_string_builder_t text;
  iree_string_builder_initialize(iree_allocator_system(), &text);
  iree_status_t status = pass->options->statistics ? pass_timing_print_statistics(pass->timing, &text) : iree_ok_status();
  if (iree_status_is_ok(status) && pass->options->timing) status = pass_timing_print(pass->timing, total_ns, pass->options, &text);
  if (iree_status_is_ok(status))
    status = pass->io->dump(pass->io->dump_self, iree_make_string_view(iree_string_builder_buffer(&text), iree_string_builder_size(&text)));
  iree_string_builder_deinitialize(&text);
  return status;
}

static iree_status_t print_report(compilation_t *c, int64_t total_ns) {
  iree_string_view_t name = c->pass.options->report;
  bool as_json = iree_string_view_ends_with(name, IREE_SV(".json"));
  iree_string_view_t text = report_print(c->pass.report, &c->timing, total_ns, c->bytes, as_json, ir_arena(c->pass.ctx));
  char path[4096];
  if (name.size >= sizeof path) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--compile-report: name of the file too long");
  snprintf(path, sizeof path, "%.*s", (int)name.size, name.data);
  return c->io->file(c->io->file_self, iree_string_view_empty(), path, text);
}

iree_status_t compilation_report(compilation_t *compilation) {
  int64_t total = iree_time_now() - compilation->start;
  const compile_options_t *options = compilation->pass.options;
  if (compilation->pass.report) IREE_RETURN_IF_ERROR(told(compilation, print_report(compilation, total)));
  if ((!options->timing && !options->statistics) || !compilation->io->dump) return iree_ok_status();
  return told(compilation, print_timing(&compilation->pass, total));
}

// Executables that are not compiled yet say by themselves how far their program is.
static compile_phase_t phase_of_input(const compilation_t *c) {
  const compile_options_t *options = c->pass.options;
  if (options->compile_from != PHASE_START) return (compile_phase_t)options->compile_from;
  if (options->compile_mode == MODE_VM) return PHASE_VM;
  for (const ir_op_t *op = ir_body(c->module)->first; op; op = op->next)
    if (op->kind == OP_HAL_EXECUTABLE) return PHASE_EXECUTABLE_SOURCES;
  return PHASE_START;
}

// --compile-mode=hal-executable
static iree_status_t emit_executable(compilation_t *c) {
  ir_op_t *module = c->module, *binary = NULL;
  compile_phase_t from = phase_of_input(c);
  if (from < PHASE_EXECUTABLE_TARGETS) IREE_RETURN_IF_ERROR(run_phases(c, from, PHASE_EXECUTABLE_TARGETS));
  IREE_RETURN_IF_ERROR(pipeline_run_pass(&c->pass, module, IREE_SV("codegen-serialize-executables")));
  size_t n = 0;
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    for (ir_op_t *b = op->kind == OP_HAL_EXECUTABLE ? ir_body(op)->first : NULL; b; b = b->next)
      if (b->kind == OP_HAL_EXECUTABLE_BINARY) binary = b, ++n;
  if (n != 1) return ir_op_error(module, "has %zu executables for --compile-mode=hal-executable, which makes a file of one", n);
  ir_attr_t data = ir_op_attr(binary, "data");
  if (!ir_is(data, IR_A_DENSE)) return ir_op_error(binary, "has no data");
  return c->io->write(c->io->write_self, ir_dense_data(data), ir_dense_bytes(data));
}

static iree_status_t run_steps(compilation_t *c) {
  const compile_io_t *io = c->io;
  const compile_options_t *options = c->pass.options;
  IREE_RETURN_IF_ERROR(compilation_parse(c));
  if (io->n_passes) {
    IREE_RETURN_IF_ERROR(compilation_run_passes(c, io->passes, io->n_passes));
  } else if (!io->print_ir && options->compile_mode == MODE_HAL_EXECUTABLE) {
    return told(c, emit_executable(c));
  } else if (!io->print_ir) {
    IREE_RETURN_IF_ERROR(compilation_run_phases(c, phase_of_input(c), (compile_phase_t)options->compile_to));
  }
  if (io->print_ir || options->compile_to != PHASE_END)
    IREE_RETURN_IF_ERROR(compilation_print(c, !io->print_ir, io->write, io->write_self));
  else
    IREE_RETURN_IF_ERROR(compilation_emit(c, io->write, io->write_self));
  return compilation_report(c);
}

iree_status_t compile_run(const compile_options_t *options, const compile_io_t *io) {
  compilation_t *compilation = NULL;
  IREE_RETURN_IF_ERROR(compilation_create(options, io, &compilation));
  iree_status_t status = run_steps(compilation);
  compilation_destroy(compilation);
  return status;
}
