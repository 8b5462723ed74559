// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Invocations: a compilation_t, where it stands, and where its messages go.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/api/api.h"
#include "compiler/dialects/ops.h"
#include "compiler/pass.h"
#include "compiler/streams.h"

typedef enum iree_compiler_diagnostic_severity_t severity_t;

struct iree_compiler_invocation_t {
  api_options_t options;
  char *unusable;        // as of the session
  char *from, *to;       // phases as set; NULL: what the flags say
  char *dump_phases_to;
  iree_compiler_source_t *source;
  compile_io_t io;
  compilation_t *compilation;  // NULL: nothing is parsed
  bool failed;                 // the program is in no state to go on with
  compile_phase_t at;          // the last phase that ran
  bool on_console;
  void (*on_message)(severity_t severity, const char *message, size_t size, void *user_data);
  void *message_data;
  bool local_reproducer;
  iree_compiler_error_t *(*on_crash)(iree_compiler_output_t **out_output, void *user_data);
  void *crash_data;
};
typedef iree_compiler_invocation_t invocation_t;

//===-- messages -----------------------------------------------------------------------------------

static void on_message(void *self, ir_severity_t severity, iree_string_view_t text) {
  static const severity_t severities[] = {
      [IR_ERROR] = IREE_COMPILER_DIAGNOSTIC_SEVERITY_ERROR,
      [IR_WARNING] = IREE_COMPILER_DIAGNOSTIC_SEVERITY_WARNING,
      [IR_NOTE] = IREE_COMPILER_DIAGNOSTIC_SEVERITY_NOTE,
      [IR_REMARK] = IREE_COMPILER_DIAGNOSTIC_SEVERITY_REMARK,
  };
  const invocation_t *inv = self;
  if (inv->on_console) stream_message(NULL, severity, text);
  size_t size = text.size && text.data[text.size - 1] == '\n' ? text.size - 1 : text.size;
  if (inv->on_message) inv->on_message(severities[severity], text.data, size, inv->message_data);
}

IREE_PRINTF_ATTRIBUTE(3, 4)
static void tell(invocation_t *inv, ir_severity_t severity, const char *format, ...) {
  char text[1024];
  int n = snprintf(text, sizeof text, "%s: ", severity == IR_ERROR ? "error" : "warning");
  va_list arguments;
  va_start(arguments, format);
  n += vsnprintf(text + n, sizeof text - (size_t)n, format, arguments);
  va_end(arguments);
  if ((size_t)n > sizeof text - 2) n = sizeof text - 2;
  text[n++] = '\n';
  on_message(inv, severity, iree_make_string_view(text, (size_t)n));
}

// True if |status|, which is consumed and was told, is ok.
static bool passed(invocation_t *inv, iree_status_t status) {
  if (iree_status_is_ok(status)) return true;
  iree_status_ignore(status);
  inv->failed = true;
  return false;
}

void ireeCompilerInvocationEnableCallbackDiagnostics(iree_compiler_invocation_t *inv, int flags,
                                                     void (*callback)(severity_t severity, const char *message,
                                                                      size_t messageSize, void *userData),
                                                     void *userData) {
  (void)flags;
  inv->on_message = callback;
  inv->message_data = userData;
}

void ireeCompilerInvocationEnableConsoleDiagnostics(iree_compiler_invocation_t *inv) { inv->on_console = true; }

//===-- lifetime and settings ----------------------------------------------------------------------

iree_compiler_invocation_t *ireeCompilerInvocationCreate(iree_compiler_session_t *session) {
  invocation_t *inv = api_alloc(sizeof *inv);
  iree_compiler_error_t *error = api_error_from_status(api_options_init(&session->flags, &inv->options));
  const char *why = session->unusable ? session->unusable : error ? ireeCompilerErrorGetMessage(error) : NULL;
  if (why) inv->unusable = api_copy(iree_make_cstring_view(why));
  ireeCompilerErrorDestroy(error);
  return inv;
}

void ireeCompilerInvocationDestroy(iree_compiler_invocation_t *inv) {
  if (!inv) return;
  compilation_destroy(inv->compilation);
  api_options_deinit(&inv->options);
  free(inv->unusable);
  free(inv->from);
  free(inv->to);
  free(inv->dump_phases_to);
  free(inv);
}

static void set_text(char **text, const char *value) {
  free(*text);
  *text = value ? api_copy(iree_make_cstring_view(value)) : NULL;
}
void ireeCompilerInvocationSetCompileFromPhase(iree_compiler_invocation_t *inv, const char *phase) { set_text(&inv->from, phase); }
void ireeCompilerInvocationSetCompileToPhase(iree_compiler_invocation_t *inv, const char *phase) { set_text(&inv->to, phase); }
void ireeCompilerInvocationSetDumpCompilationPhasesTo(iree_compiler_invocation_t *inv, const char *path) {
  set_text(&inv->dump_phases_to, path);
  inv->options.values.dump_phases_to = iree_make_cstring_view(inv->dump_phases_to);
}

void ireeCompilerInvocationSetVerifyIR(iree_compiler_invocation_t *inv, bool enable) {
  inv->options.values.verify_each = enable;
}

void ireeCompilerInvocationSetupRemarks(iree_compiler_invocation_t *inv, const char *remarksFilter,
                                        const char *remarksOutputFile) {
  (void)remarksFilter, (void)remarksOutputFile;
  tell(inv, IR_WARNING, "remarks are not recorded; the flag --compile-report=FILE tells what was fused and what it costs");
}

void ireeCompilerInvocationSetCrashHandler(iree_compiler_invocation_t *inv, bool genLocalReproducer,
                                           iree_compiler_error_t *(*onCrashCallback)(iree_compiler_output_t **outOutput,
                                                                                     void *userData),
                                           void *userData) {
  inv->local_reproducer = genLocalReproducer;
  inv->on_crash = onCrashCallback;
  inv->crash_data = userData;
}

//===-- parsing ------------------------------------------------------------------------------------

bool ireeCompilerInvocationParseSource(iree_compiler_invocation_t *inv, iree_compiler_source_t *source) {
  compilation_destroy(inv->compilation);
  inv->compilation = NULL;
  inv->failed = false;
  inv->source = source;
  inv->at = PHASE_START;
  if (inv->unusable) {
    tell(inv, IR_ERROR, "%s", inv->unusable);
    return false;
  }
  inv->io = (compile_io_t){.source = source->text, .source_name = source->name, .message = on_message, .message_self = inv,
                           .dump = stream_dump, .file = stream_file};
  iree_status_t status = compilation_create(&inv->options.values, &inv->io, &inv->compilation);
  if (iree_status_is_ok(status)) status = compilation_parse(inv->compilation);
  return passed(inv, status);
}

static bool is_ready(invocation_t *inv) {
  if (inv->compilation && !inv->failed) return true;
  tell(inv, IR_ERROR, inv->compilation ? "the program failed before; parse it again" : "no program: ireeCompilerInvocationParseSource comes first");
  return false;
}

//===-- pipelines ----------------------------------------------------------------------------------

static bool find_phase(invocation_t *inv, const char *name, int32_t otherwise, compile_phase_t *out_phase) {
  *out_phase = (compile_phase_t)otherwise;
  if (!name) return true;
  for (int i = 0; i < PHASE_COUNT; ++i) {
    *out_phase = (compile_phase_t)i;
    if (!strcmp(name, phase_name(*out_phase))) return true;
  }
  tell(inv, IR_ERROR, "no phase named '%.100s'; the flag --compile-to lists them", name);
  return false;
}

static iree_status_t append_text(void *self, const void *data, size_t n) {
  return iree_string_builder_append_string(self, iree_make_string_view(data, n));
}
static iree_status_t append_flag(void *self, iree_string_view_t text) {
  return iree_string_builder_append_format(self, " '%.*s'", (int)text.size, text.data);
}
static iree_status_t append_command(invocation_t *inv, compile_phase_t from, compile_phase_t to, iree_string_builder_t *out) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(out, "// iree-compile FILE -o /dev/null"));
  IREE_RETURN_IF_ERROR(flags_visit(&inv->options.flags, true, append_flag, out));
  return iree_string_builder_append_format(out, " --compile-from=%s --compile-to=%s\n", phase_name(from), phase_name(to));
}

// What the crash handler's file holds: a command as a comment (bytecode has none), the program.
static iree_status_t write_reproducer(invocation_t *inv, compile_phase_t from, compile_phase_t to, const char *ir,
                                      iree_compiler_output_t *output) {
  iree_string_view_t text = ir ? iree_make_cstring_view(ir) : inv->source->text;
  bool is_bytecode = iree_string_view_starts_with(text, IREE_SV("ML\xefR"));
  iree_string_builder_t command;
  iree_string_builder_initialize(iree_allocator_system(), &command);
  iree_status_t status = is_bytecode ? iree_ok_status() : append_command(inv, from, to, &command);
  if (iree_status_is_ok(status))
    status = api_output_write(output, iree_string_builder_buffer(&command), iree_string_builder_size(&command));
  if (iree_status_is_ok(status)) status = api_output_write(output, text.data, text.size);
  iree_string_builder_deinitialize(&command);
  return status;
}

static void on_crash(invocation_t *inv, compile_phase_t from, compile_phase_t to, const char *ir) {
  iree_compiler_output_t *output = NULL;
  iree_compiler_error_t *error = inv->on_crash(&output, inv->crash_data);
  if (!error && output) {
    error = api_error_from_status(write_reproducer(inv, from, to, ir, output));
    ireeCompilerOutputKeep(output);
  }
  if (error) tell(inv, IR_ERROR, "cannot write a file that reproduces the failure: %s", ireeCompilerErrorGetMessage(error));
  ireeCompilerErrorDestroy(error);
  ireeCompilerOutputDestroy(output);
}

// Runs phases one by one, each after a copy of the program if a crash handler wants one.
static bool run_phases(invocation_t *inv, compile_phase_t from, compile_phase_t to) {
  iree_string_builder_t before;
  iree_string_builder_initialize(iree_allocator_system(), &before);
  bool local = inv->on_crash && inv->local_reproducer, ok = true;
  for (int phase = (int)from; ok && phase < (int)to; ++phase) {
    iree_status_t status = iree_ok_status();
    iree_string_builder_reset(&before);
    if (local) status = compilation_print(inv->compilation, true, append_text, &before);
    if (iree_status_is_ok(status))
      status = compilation_run_phases(inv->compilation, (compile_phase_t)phase, (compile_phase_t)(phase + 1));
    ok = passed(inv, status);
    if (ok) inv->at = (compile_phase_t)(phase + 1);
    else if (inv->on_crash) on_crash(inv, local ? (compile_phase_t)phase : from, to, local ? iree_string_builder_buffer(&before) : NULL);
  }
  iree_string_builder_deinitialize(&before);
  return ok;
}

bool ireeCompilerInvocationPipeline(iree_compiler_invocation_t *inv, enum iree_compiler_pipeline_t pipeline) {
  const compile_options_t *options = &inv->options.values;
  const iree_string_view_t serialize = IREE_SV("codegen-serialize-executables");
  compile_phase_t from, to;
  if (!is_ready(inv) || !find_phase(inv, inv->from, options->compile_from, &from) ||
      !find_phase(inv, inv->to, options->compile_to, &to))
    return false;
  switch (pipeline) {
    case IREE_COMPILER_PIPELINE_STD: break;
    case IREE_COMPILER_PIPELINE_PRECOMPILE:
      if (to > PHASE_GLOBAL_OPTIMIZATION) to = PHASE_GLOBAL_OPTIMIZATION;
      break;
    case IREE_COMPILER_PIPELINE_VM:
      from = PHASE_HAL;
      to = PHASE_VM;
      break;
    case IREE_COMPILER_PIPELINE_HAL_EXECUTABLE:
      return run_phases(inv, PHASE_EXECUTABLE_SOURCES, PHASE_EXECUTABLE_TARGETS) &&
             passed(inv, compilation_run_passes(inv->compilation, &serialize, 1));
  }
  if (from > to) {
    tell(inv, IR_ERROR, "the first phase, %s, is after the last, %s", phase_name(from), phase_name(to));
    return false;
  }
  return run_phases(inv, from, to);
}

bool ireeCompilerInvocationRunPassPipeline(iree_compiler_invocation_t *inv, const char *textPassPipeline) {
  enum { MAX_PASSES = 128 };
  iree_string_view_t names[MAX_PASSES];
  size_t n = 0;
  if (!is_ready(inv)) return false;
  iree_compiler_error_t *error =
      api_error_from_status(compile_split_pipeline(iree_make_cstring_view(textPassPipeline), names, MAX_PASSES, &n));
  if (error) {
    tell(inv, IR_ERROR, "%s", ireeCompilerErrorGetMessage(error));
    ireeCompilerErrorDestroy(error);
    return false;
  }
  return passed(inv, compilation_run_passes(inv->compilation, names, n));
}

//===-- outputs ------------------------------------------------------------------------------------

static iree_compiler_error_t *check_ready(const invocation_t *inv) {
  if (!inv->compilation) return api_error("no program: ireeCompilerInvocationParseSource comes first");
  return inv->failed ? api_error("the program failed before; there is nothing to write") : NULL;
}

iree_compiler_error_t *ireeCompilerInvocationOutputIR(iree_compiler_invocation_t *inv, iree_compiler_output_t *output) {
  iree_compiler_error_t *error = check_ready(inv);
  return error ? error : api_error_from_status(compilation_print(inv->compilation, false, api_output_write, output));
}

static const ir_op_t *first_of_kind(const ir_op_t *parent, ir_kind_t kind) {
  const ir_op_t *op = ir_body(parent) ? ir_body(parent)->first : NULL;
  while (op && op->kind != kind) op = op->next;
  return op;
}

iree_compiler_error_t *ireeCompilerInvocationOutputVMBytecode(iree_compiler_invocation_t *inv,
                                                              iree_compiler_output_t *output) {
  iree_compiler_error_t *error = check_ready(inv);
  if (error) return error;
  if (!first_of_kind(compilation_module(inv->compilation), OP_VM_MODULE))
    return api_error("no vm.module: the program stands at phase %s; run IREE_COMPILER_PIPELINE_STD to its end first", phase_name(inv->at));
  // Programs that are parsed as vm, or compiled to that phase, lack the last step.
  if (inv->at != PHASE_END && !run_phases(inv, PHASE_VM, PHASE_END))
    return api_error("the vm.module is not valid; the messages say why");
  iree_status_t status = compilation_emit(inv->compilation, api_output_write, output);
  if (iree_status_is_ok(status)) status = compilation_report(inv->compilation);
  return api_error_from_status(status);
}

iree_compiler_error_t *ireeCompilerInvocationOutputHALExecutable(iree_compiler_invocation_t *inv,
                                                                 iree_compiler_output_t *output) {
  iree_compiler_error_t *error = check_ready(inv);
  if (error) return error;
  const ir_op_t *executable = first_of_kind(compilation_module(inv->compilation), OP_HAL_EXECUTABLE);
  const ir_op_t *binary = executable ? first_of_kind(executable, OP_HAL_EXECUTABLE_BINARY) : NULL;
  if (!binary) return api_error("no hal.executable.binary; IREE_COMPILER_PIPELINE_HAL_EXECUTABLE makes one");
  for (const ir_op_t *op = executable->next; op; op = op->next)
    if (op->kind == OP_HAL_EXECUTABLE) return api_error("more than one hal.executable");
  for (const ir_op_t *op = binary->next; op; op = op->next)
    if (op->kind == OP_HAL_EXECUTABLE_BINARY) return api_error("the executable has more than one variant");
  ir_attr_t data = ir_op_attr(binary, "data");
  if (!ir_is(data, IR_A_DENSE) || ir_dense_is_splat(data)) return api_error("the binary has no data");
  return api_error_from_status(api_output_write(output, ir_dense_data(data), ir_dense_bytes(data)));
}

iree_compiler_error_t *ireeCompilerInvocationOutputIRBytecode(iree_compiler_invocation_t *inv,
                                                              iree_compiler_output_t *output, int bytecodeVersion) {
  (void)inv, (void)output, (void)bytecodeVersion;
  return api_error("MLIR bytecode is read but not written; ireeCompilerInvocationOutputIR writes text");
}

iree_compiler_error_t *ireeCompilerInvocationOutputVMCSource(iree_compiler_invocation_t *inv,
                                                             iree_compiler_output_t *output) {
  (void)inv, (void)output;
  return api_error("no C code is made of vm programs; ireeCompilerInvocationOutputVMBytecode writes a module file");
}
