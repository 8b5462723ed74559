// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's C API: flags, messages, pipelines, outputs, several threads.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "iree/compiler/embedding_api.h"

static const char k_add[] =
    "func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.add %a, %b : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n";
static const char *const k_target[] = {"--iree-hal-target-backends=llvm-cpu"};

// Whether |error|, which is consumed, has |text| in it; NULL: there is no error.
static bool error_is(iree_compiler_error_t *error, const char *text) {
  bool ok = !error ? !text : text && strstr(ireeCompilerErrorGetMessage(error), text);
  if (!ok) printf("error: %s\n", error ? ireeCompilerErrorGetMessage(error) : "none");
  ireeCompilerErrorDestroy(error);
  return ok;
}
#define EXPECT_ERROR(error, text) EXPECT(error_is(error, text))
#define EXPECT_NO_ERROR(error) EXPECT(error_is(error, NULL))

typedef struct messages_t {
  int count;
  enum iree_compiler_diagnostic_severity_t severity;
  char text[512];  // of the last
} messages_t;
static void on_message(enum iree_compiler_diagnostic_severity_t severity, const char *message, size_t size, void *self) {
  messages_t *messages = self;
  messages->count++;
  messages->severity = severity;
  snprintf(messages->text, sizeof messages->text, "%.*s", (int)size, message);
}

typedef struct fixture_t {
  iree_compiler_session_t *session;
  iree_compiler_invocation_t *inv;
  iree_compiler_source_t *source;
  messages_t messages;
} fixture_t;

static bool open(fixture_t *f, const char *text) {
  memset(f, 0, sizeof *f);
  ireeCompilerGlobalInitialize();
  f->session = ireeCompilerSessionCreate();
  iree_compiler_error_t *error = ireeCompilerSessionSetFlags(f->session, 1, k_target);
  if (!error) error = ireeCompilerSourceWrapBuffer(f->session, "test.mlir", text, strlen(text) + 1, true, &f->source);
  f->inv = ireeCompilerInvocationCreate(f->session);
  ireeCompilerInvocationEnableCallbackDiagnostics(f->inv, 0, on_message, &f->messages);
  return error_is(error, NULL) && ireeCompilerInvocationParseSource(f->inv, f->source);
}
static void close_all(fixture_t *f) {
  ireeCompilerInvocationDestroy(f->inv);
  ireeCompilerSourceDestroy(f->source);
  ireeCompilerSessionDestroy(f->session);
  ireeCompilerGlobalShutdown();
}

// What |write| gives in memory, as a view of |output|; empty after an error that is not |expected|.
static iree_string_view_t written(iree_compiler_error_t *(*write)(iree_compiler_invocation_t *, iree_compiler_output_t *),
                                  fixture_t *f, iree_compiler_output_t **output) {
  void *data = NULL;
  uint64_t size = 0;
  if (!error_is(ireeCompilerOutputOpenMembuffer(output), NULL) || !error_is(write(f->inv, *output), NULL) ||
      !error_is(ireeCompilerOutputMapMemory(*output, &data, &size), NULL))
    return iree_string_view_empty();
  return iree_make_string_view(data, (size_t)size);
}
static bool has(iree_string_view_t text, const char *part) {
  return memmem(text.data, text.size, part, strlen(part)) != NULL;
}

TEST(version) {
  EXPECT_EQ(ireeCompilerGetAPIVersion(), 1 << 16 | 4);
  EXPECT(*ireeCompilerGetRevision());
}

TEST(a_program_becomes_a_module) {
  fixture_t f;
  iree_compiler_output_t *output = NULL;
  EXPECT(open(&f, k_add));
  EXPECT(ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD));
  iree_string_view_t module = written(ireeCompilerInvocationOutputVMBytecode, &f, &output);
  EXPECT(module.size > 1000 && has(iree_string_view_substr(module, 0, 128), "IREE"));
  EXPECT_EQ((uintptr_t)module.data % 64, 0);
  EXPECT_EQ(f.messages.count, 0);
  ireeCompilerOutputDestroy(output);
  close_all(&f);
}

TEST(phases_print_and_go_on) {
  fixture_t f, g;
  iree_compiler_output_t *output = NULL, *module = NULL;
  EXPECT(open(&f, k_add));
  ireeCompilerInvocationSetCompileToPhase(f.inv, "flow");
  EXPECT(ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD));
  iree_string_view_t text = written(ireeCompilerInvocationOutputIR, &f, &output);
  EXPECT(has(text, "flow.dispatch"));
  EXPECT_ERROR(ireeCompilerInvocationOutputVMBytecode(f.inv, output), "stands at phase flow");
  char *copy = strndup(text.data, text.size);
  EXPECT(open(&g, copy));
  ireeCompilerInvocationSetCompileFromPhase(g.inv, "flow");
  EXPECT(ireeCompilerInvocationPipeline(g.inv, IREE_COMPILER_PIPELINE_STD));
  EXPECT(written(ireeCompilerInvocationOutputVMBytecode, &g, &module).size > 1000);
  free(copy);
  ireeCompilerOutputDestroy(output);
  ireeCompilerOutputDestroy(module);
  close_all(&g);
  close_all(&f);
}

TEST(passes_run_by_name) {
  fixture_t f;
  iree_compiler_output_t *output = NULL;
  EXPECT(open(&f, k_add));
  EXPECT(ireeCompilerInvocationRunPassPipeline(f.inv, "builtin.module(input-convert-stablehlo)"));
  EXPECT(has(written(ireeCompilerInvocationOutputIR, &f, &output), "linalg.generic"));
  EXPECT(!ireeCompilerInvocationRunPassPipeline(f.inv, "no-such-pass"));
  EXPECT(has(iree_make_cstring_view(f.messages.text), "no-such-pass"));
  ireeCompilerOutputDestroy(output);
  close_all(&f);
}

TEST(an_executable_becomes_machine_code) {
  static const char program[] =
      "#target = #hal.executable.target<\"llvm-cpu\", \"embedded-elf-x86_64\", {target_triple = \"x86_64-unknown-unknown-eabi-elf\"}>\n"
      "#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>\n"
      "hal.executable private @e {\n"
      "  hal.executable.variant public @v target(#target) {\n"
      "    hal.executable.export public @k ordinal(0) layout(#layout) count(%d: !hal.device) -> (index, index, index) {\n"
      "      %c1 = arith.constant 1 : index\n      hal.return %c1, %c1, %c1 : index, index, index\n    }\n"
      "    builtin.module {\n      func.func @k() {\n        return\n      }\n    }\n  }\n}\n";
  fixture_t f;
  iree_compiler_output_t *output = NULL;
  EXPECT(open(&f, program));
  EXPECT_ERROR(ireeCompilerInvocationOutputHALExecutable(f.inv, NULL), "no hal.executable.binary");
  EXPECT(ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_HAL_EXECUTABLE));
  EXPECT(has(iree_string_view_substr(written(ireeCompilerInvocationOutputHALExecutable, &f, &output), 0, 4), "ELF"));
  ireeCompilerOutputDestroy(output);
  close_all(&f);
}

TEST(messages_name_the_place) {
  fixture_t f;
  EXPECT(!open(&f, "func.func @f() {\n  stablehlo.nonsense\n}\n"));
  EXPECT(f.messages.count >= 1);
  EXPECT_EQ(f.messages.severity, IREE_COMPILER_DIAGNOSTIC_SEVERITY_ERROR);
  EXPECT(has(iree_make_cstring_view(f.messages.text), "test.mlir:2:3: error: "));
  EXPECT(!ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD));
  EXPECT(has(iree_make_cstring_view(f.messages.text), "parse it again"));
  EXPECT_ERROR(ireeCompilerInvocationOutputIR(f.inv, NULL), "failed before");
  close_all(&f);
}

TEST(phases_are_checked) {
  fixture_t f;
  EXPECT(open(&f, k_add));
  ireeCompilerInvocationSetCompileToPhase(f.inv, "flwo");
  EXPECT(!ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD));
  EXPECT(has(iree_make_cstring_view(f.messages.text), "flwo"));
  ireeCompilerInvocationSetCompileFromPhase(f.inv, "vm");
  ireeCompilerInvocationSetCompileToPhase(f.inv, "flow");
  EXPECT(!ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD));
  EXPECT(has(iree_make_cstring_view(f.messages.text), "after"));
  close_all(&f);
}

static void count_flag(const char *flag, size_t length, void *count) {
  if (length > 2 && flag[0] == '-' && flag[1] == '-') ++*(int *)count;
}

TEST(flags) {
  int count = 0;
  const char *good[] = {"--iree-input-type=stablehlo"}, *bad[] = {"--iree-opt-level=O1", "--iree-hal-target-backend=x"},
             *word[] = {"add.mlir"};
  ireeCompilerGlobalInitialize();
  iree_compiler_session_t *session = ireeCompilerSessionCreate();
  ireeCompilerSessionGetFlags(session, false, count_flag, &count);
  EXPECT(count > 10);
  ireeCompilerSessionGetFlags(session, true, count_flag, (count = 0, &count));
  EXPECT_EQ(count, 0);
  EXPECT_NO_ERROR(ireeCompilerSessionSetFlags(session, 1, good));
  EXPECT_ERROR(ireeCompilerSessionSetFlags(session, 2, bad), "did you mean '--iree-hal-target-backends'");
  EXPECT_ERROR(ireeCompilerSessionSetFlags(session, 1, word), "'add.mlir' is no flag");
  ireeCompilerSessionGetFlags(session, true, count_flag, &count);
  EXPECT_EQ(count, 1);
  ireeCompilerSessionDestroy(session);
  ireeCompilerGlobalShutdown();
}

TEST(global_flags_reach_sessions) {
  const char *good[] = {"tool", k_target[0]}, *bad[] = {"tool", "--nonsense=1"};
  fixture_t f;
  int count = 0;
  ireeCompilerGlobalInitialize();
  ireeCompilerSetupGlobalCL(2, good, "", false);
  iree_compiler_session_t *session = ireeCompilerSessionCreate();
  ireeCompilerSessionGetFlags(session, true, count_flag, &count);
  EXPECT_EQ(count, 1);
  ireeCompilerSessionDestroy(session);
  ireeCompilerSetupGlobalCL(2, bad, "", false);
  EXPECT(!open(&f, k_add));
  EXPECT(has(iree_make_cstring_view(f.messages.text), "--nonsense"));
  close_all(&f);
  ireeCompilerGlobalShutdown();
}

typedef struct parts_t {
  int count;
  iree_compiler_source_t *sources[4];
} parts_t;
static void keep_part(iree_compiler_source_t *source, void *self) {
  parts_t *parts = self;
  parts->sources[parts->count++] = source;
}
TEST(sources_split) {
  static const char text[] = "module @a {}\n// -----\nmodule @b {}\n// ----- more\nmodule @c {}";
  parts_t parts = {0};
  fixture_t f;
  EXPECT(open(&f, k_add));
  iree_compiler_source_t *source = NULL;
  EXPECT_ERROR(ireeCompilerSourceWrapBuffer(f.session, "x", text, 4, true, &source), "does not end in NUL");
  EXPECT_NO_ERROR(ireeCompilerSourceWrapBuffer(f.session, "x", text, sizeof text - 1, false, &source));
  EXPECT_NO_ERROR(ireeCompilerSourceSplit(source, keep_part, &parts));
  ireeCompilerSourceDestroy(source);  // parts live on
  EXPECT_EQ(parts.count, 3);
  for (int i = 0; i < parts.count; ++i) {
    iree_compiler_output_t *output = NULL;
    EXPECT(ireeCompilerInvocationParseSource(f.inv, parts.sources[i]));
    EXPECT(has(written(ireeCompilerInvocationOutputIR, &f, &output), (const char *[]){"@a", "@b", "@c"}[i]));
    ireeCompilerOutputDestroy(output);
  }
  EXPECT_NO_ERROR(ireeCompilerSourceWrapBuffer(f.session, "empty", "", 1, true, &source));
  EXPECT(ireeCompilerInvocationParseSource(f.inv, source));
  ireeCompilerInvocationDestroy(f.inv);
  f.inv = NULL;
  ireeCompilerSourceDestroy(source);
  for (int i = 0; i < parts.count; ++i) ireeCompilerSourceDestroy(parts.sources[i]);
  close_all(&f);
}

TEST(files_stay_if_kept) {
  char path[] = "/tmp/iree-api-test-XXXXXX";
  iree_compiler_output_t *output = NULL;
  iree_compiler_source_t *source = NULL;
  close(mkstemp(path));
  for (int keep = 1; keep >= 0; --keep) {
    EXPECT_NO_ERROR(ireeCompilerOutputOpenFile(path, &output));
    EXPECT_NO_ERROR(ireeCompilerOutputWrite(output, "module {}", 9));
    if (keep) ireeCompilerOutputKeep(output);
    ireeCompilerOutputDestroy(output);
    EXPECT_EQ(access(path, R_OK), keep ? 0 : -1);
  }
  EXPECT_ERROR(ireeCompilerSourceOpenFile(NULL, path, &source), path);
  EXPECT_ERROR(ireeCompilerOutputOpenFile("/no/such/folder/x", &output), "/no/such/folder/x");
  EXPECT_NO_ERROR(ireeCompilerOutputOpenFile("/dev/full", &output));
  EXPECT_ERROR(ireeCompilerOutputWrite(output, "x", 1), "cannot write");
  ireeCompilerOutputDestroy(output);
}

static iree_compiler_error_t *crash_output(iree_compiler_output_t **out_output, void *path) {
  return ireeCompilerOutputOpenFile(path, out_output);
}
TEST(a_failing_pipeline_leaves_a_reproducer) {
  static const char program[] =
      "func.func @f(%a: tensor<4x!quant.uniform<i8:f32, 1.0>>) -> tensor<4xf32> {\n"
      "  %0 = \"stablehlo.custom_call\"(%a) {call_target_name = \"nobody\"} : (tensor<4x!quant.uniform<i8:f32, 1.0>>) -> tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n";
  char path[] = "/tmp/iree-api-test-XXXXXX";
  close(mkstemp(path));
  for (int local = 0; local < 2; ++local) {
    fixture_t f;
    EXPECT(open(&f, program));
    ireeCompilerInvocationSetCrashHandler(f.inv, local, crash_output, path);
    EXPECT(!ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD));
    ireeCompilerInvocationSetCrashHandler(f.inv, false, NULL, NULL);
    iree_compiler_source_t *again = NULL;
    EXPECT_NO_ERROR(ireeCompilerSourceOpenFile(f.session, path, &again));
    EXPECT(ireeCompilerInvocationParseSource(f.inv, again));
    EXPECT(!ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD));
    ireeCompilerInvocationDestroy(f.inv);
    f.inv = NULL;
    ireeCompilerSourceDestroy(again);
    close_all(&f);
  }
  remove(path);
}

static void *compile_many(void *size) {
  for (int i = 0; i < 3; ++i) {
    fixture_t f;
    iree_compiler_output_t *output = NULL;
    if (!open(&f, k_add) || !ireeCompilerInvocationPipeline(f.inv, IREE_COMPILER_PIPELINE_STD)) return NULL;
    *(size_t *)size = written(ireeCompilerInvocationOutputVMBytecode, &f, &output).size;
    ireeCompilerOutputDestroy(output);
    close_all(&f);
  }
  return size;
}
TEST(threads_compile_side_by_side) {
  enum { N = 6 };
  pthread_t threads[N];
  size_t sizes[N] = {0};
  for (int i = 0; i < N; ++i) ASSERT_EQ(pthread_create(&threads[i], NULL, compile_many, &sizes[i]), 0);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < N; ++i) EXPECT(sizes[i] > 0 && sizes[i] == sizes[0]);
}

TEST_MAIN(CASE(version) CASE(a_program_becomes_a_module) CASE(phases_print_and_go_on) CASE(passes_run_by_name)
              CASE(an_executable_becomes_machine_code)
              CASE(messages_name_the_place) CASE(phases_are_checked) CASE(flags) CASE(global_flags_reach_sessions)
                  CASE(sources_split) CASE(files_stay_if_kept) CASE(a_failing_pipeline_leaves_a_reproducer)
                      CASE(threads_compile_side_by_side))
