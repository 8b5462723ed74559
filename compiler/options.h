// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation can be told: one struct, filled from flags by the table in options.c. Bind it
// with flags_init (base/flags.h): that stores the defaults.
#ifndef COMPILER_OPTIONS_H_
#define COMPILER_OPTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/flags.h"

typedef enum compile_phase {
#define PHASE(ID, name, doc) PHASE_##ID,
#define PASS(...)
#include "compiler/pipeline.def"
#undef PASS
#undef PHASE
  PHASE_COUNT
} compile_phase_t;

enum { MODE_STD, MODE_VM, MODE_HAL_EXECUTABLE };
enum { MODEL_ASYNC_INTERNAL, MODEL_ASYNC_EXTERNAL, MODEL_HOST_ONLY };

typedef struct compile_options {
  // Targets.
  flag_list_t target_backends;     // --iree-hal-target-backends, the older way to name a target
  flag_list_t target_devices;      // --iree-hal-target-device: [name=]device
  flag_list_t local_backends;      // --iree-hal-local-target-device-backends
  iree_string_view_t cpu, cpu_features, triple;  // --iree-llvmcpu-target-*; empty: default
  bool llvmcpu_debug_symbols;
  bool llvmcpu_link_embedded, llvmcpu_link_static;
  iree_string_view_t llvmcpu_static_output;
  // Input.
  int32_t input_type;              // choice; every known input dialect is recognised whatever it says
  bool demote_f64_to_f32;          // default false: upstream demotes unless told not to
  // Model.
  int32_t execution_model;         // MODEL_...
  int32_t vm_index_bits;           // 0: 64, 1: 32
  bool strip_assertions;
  bool const_eval, const_expr_hoisting;
  int32_t opt_level;
  // Parameters: archives to read, to write, and to write without contents, [scope=]path.
  flag_list_t parameter_import, parameter_import_keys;
  int64_t parameter_import_maximum_size, parameter_export_minimum_size;
  iree_string_view_t parameter_export, parameter_splat;
  // Emission.
  bool polyglot_zip;
  bool strip_source_map, strip_debug_ops;
  int32_t executable_debug_level;
  // Debugging of dispatches.
  iree_string_view_t break_dispatch, trace_dispatch;  // @function:N, or part of a name
  bool trace_dispatch_tensors;
  // Files on the side; folders, "-" is stdout.
  iree_string_view_t dump_files_to, dump_sources_to, dump_configurations_to, dump_benchmarks_to, dump_intermediates_to, dump_binaries_to;
  bool link_executables;
  flag_list_t substitute_sources, substitute_configurations, substitute_objects;  // NAME=FILE
  iree_string_view_t substitute_sources_from, substitute_configurations_from, substitute_objects_from;
  // Driver.
  int32_t compile_mode;              // MODE_...
  int32_t compile_from, compile_to;  // compile_phase_t
  iree_string_view_t dump_phases_to;
  iree_string_view_t report;         // file, "-" for stderr; JSON by its ending
  int32_t n_threads;                 // 0: as many as the machine has
  bool print_generic, print_local_scope, timing, statistics, disable_threading;
  bool print_before_all, print_after_all, print_after_change, print_after_failure, print_module_scope;
  iree_string_view_t print_tree_dir;
  flag_list_t print_funcs;           // symbols to print; none: all
  int32_t timing_display, timing_format;  // timing.h
  bool verify, verify_each;
  int64_t bisect_limit;              // optional rewrites to do; -1: all
  bool bisect_verbose;
  flag_option_t print_debuginfo;     // unset: phases print locations, passes do not
  flag_list_t print_before, print_after;
  int64_t elide_larger_than, elide_resources_larger_than;
  bool list_target_backends;
} compile_options_t;

// The flags of the compiler library, for a binding {&compile_flag_group, &options}.
extern const flag_group_t compile_flag_group;

#endif  // COMPILER_OPTIONS_H_
