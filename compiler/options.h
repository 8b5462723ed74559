// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation can be told: one struct, filled from flags (flags.c) or by an embedder.
// Zero is not the default everywhere: start from compile_options_init.
#ifndef COMPILER_OPTIONS_H_
#define COMPILER_OPTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "iree/base/api.h"

typedef enum compile_phase {
#define PHASE(ID, name, doc) PHASE_##ID,
#include "compiler/pipeline.def"
#undef PHASE
  PHASE_COUNT
} compile_phase_t;

enum { COMPILE_MAX_LIST = 8 };
typedef struct compile_options {
  // Targets.
  const char *target_backends[COMPILE_MAX_LIST];  // --iree-hal-target-backends (legacy)
  const char *target_devices[COMPILE_MAX_LIST];   // --iree-hal-target-device
  const char *local_backends[COMPILE_MAX_LIST];   // --iree-hal-local-target-device-backends
  int n_target_backends, n_target_devices, n_local_backends;
  const char *cpu, *cpu_features, *triple;        // --iree-llvmcpu-target-*; NULL: default
  bool llvmcpu_debug_symbols;                     // true
  // Input.
  const char *input_type;                         // auto
  bool demote_f64_to_f32;                         // --iree-input-demote-f64-to-f32: false (upstream: true)
  // Model.
  const char *execution_model;                    // async-internal
  bool strip_assertions;                          // --iree-opt-strip-assertions
  bool const_eval, const_expr_hoisting;           // true
  int opt_level;
  // Emission.
  bool polyglot_zip;                              // true
  bool strip_source_map, strip_debug_ops;         // false
  int executable_debug_level;                     // 2
  // Driver.
  compile_phase_t compile_from, compile_to;       // PHASE_START, PHASE_END
  const char *dump_phases_to;                     // folder or NULL
  const char *input_name;                         // as shown in messages and names
  int n_threads;                                  // 0: as many as the machine has
} compile_options_t;

void compile_options_init(compile_options_t *options);

#endif  // COMPILER_OPTIONS_H_
