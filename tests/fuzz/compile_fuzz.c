// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole compiler, from programs and from the text of any later phase: it refuses with a message or gives a module.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/driver.h"
#include "compiler/pass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Texts of later phases name what only those phases have; a few inputs go to a phase that they are not of.
static compile_phase_t phase_of(iree_string_view_t text) {
  static const struct {
    const char *mark;
    compile_phase_t phase;
  } rows[] = {
      {"vm.module", PHASE_VM},
      {"hal.executable.binary", PHASE_HAL},
      {"vector.", PHASE_EXECUTABLE_TARGETS},
      {"iree_codegen.translation_info", PHASE_EXECUTABLE_CONFIGURATIONS},
      {"hal.executable.variant", PHASE_EXECUTABLE_SOURCES},
      {"stream.executable", PHASE_STREAM},
      {"flow.executable", PHASE_FLOW},
      {"flow.dispatch.workgroups", PHASE_DISPATCH_CREATION},
      {"iree.abi.stub", PHASE_PREPROCESSING},
      {"stablehlo.", PHASE_START},
      {"linalg.", PHASE_INPUT},
  };
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < text.size; ++i) hash = (hash ^ (uint8_t)text.data[i]) * 16777619u;
  if (hash % 16 == 0) return (compile_phase_t)(hash / 16 % PHASE_END);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (text.size && memmem(text.data, text.size, rows[i].mark, strlen(rows[i].mark))) return rows[i].phase;
  return PHASE_START;
}

typedef struct result {
  bool told, written;
} result_t;

static iree_status_t on_write(void *self, const void *data, size_t size) {
  (void)data, (void)size;
  ((result_t *)self)->written = true;
  return iree_ok_status();
}

static void on_message(void *self, ir_severity_t severity, iree_string_view_t text) {
  if (severity != IR_ERROR) return;
  result_t *result = self;
  if (!result->told && getenv("FUZZ_SHOW")) fwrite(text.data, 1, text.size, stderr);
  result->told = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  iree_string_view_t text = iree_make_string_view((const char *)data, size);
  char from[64];
  snprintf(from, sizeof from, "--compile-from=%s", phase_name(phase_of(text)));
  char *argv[] = {"compile_fuzz", "--iree-hal-target-backends=llvm-cpu", "--mlir-disable-threading", from, NULL};
  compile_options_t options = {0};
  const flag_binding_t bindings[] = {{&compile_flag_group, &options}};
  flags_t flags;
  IREE_CHECK_OK(flags_init(bindings, 1, FLAG_STYLE_LLVM, iree_allocator_system(), &flags));
  IREE_CHECK_OK(flags_parse(&flags, 4, argv));
  result_t result = {0};
  compile_io_t io = {.source = text, .source_name = "fuzz.mlir", .write = on_write, .write_self = &result,
                     .message = on_message, .message_self = &result};
  iree_status_t status = compile_run(&options, &io);
  bool ok = iree_status_is_ok(status);
  if (getenv("FUZZ_SHOW") && ok) fprintf(stderr, "fuzz: compiled (%s)\n", from);
  iree_status_ignore(status);
  flags_deinit(&flags);
  if (ok ? result.told || !result.written : !result.told || result.written) {
    fprintf(stderr, "fuzz: %s, yet %s and %s\n", ok ? "compiled" : "refused", result.told ? "an error was told" : "no error was told",
            result.written ? "a module written" : "nothing written");
    abort();
  }
  return 0;
}
