// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/options.h"

#define PHASE(ID, name, doc) "|" name
#define PASS(...)
static const char phase_choices[] =
#include "compiler/pipeline.def"
    ;
#undef PASS
#undef PHASE

#define O compile_options_t
static const flag_t flags[] = {
    FLAG_COMMA_LIST(O, target_backends, "iree-hal-target-backends",
                    "Target backends by name (llvm-cpu, vmvx); implies a local device."),
    FLAG_LIST(O, target_devices, "iree-hal-target-device",
              "Device to compile for: local, or name=local. Repeat for several devices."),
    FLAG_COMMA_LIST(O, local_backends, "iree-hal-local-target-device-backends",
                    "Backends that generate code for the local device (llvm-cpu, vmvx)."),
    FLAG_BOOL(O, list_target_backends, "iree-hal-list-target-backends", "false",
              "Print the target backends and exit."),
    FLAG_STRING(O, triple, "iree-llvmcpu-target-triple", "", "LLVM target triple; empty: this machine's."),
    FLAG_STRING(O, cpu, "iree-llvmcpu-target-cpu", "", "generic, host, or an LLVM CPU name; empty: generic."),
    FLAG_STRING(O, cpu_features, "iree-llvmcpu-target-cpu-features", "",
                "host, or LLVM features: +avx2,-fma."),
    FLAG_BOOL(O, llvmcpu_debug_symbols, "iree-llvmcpu-debug-symbols", "true",
              "Keep symbols of kernels for debuggers."),
    FLAG_BOOL(O, llvmcpu_link_embedded, "iree-llvmcpu-link-embedded", "true",
              "Pack kernels as embedded ELF images, which load on every OS; else as shared libraries of the system."),
    FLAG_BOOL(O, llvmcpu_link_static, "iree-llvmcpu-link-static", "false",
              "Put kernels into an object file, for programs that are linked with it."),
    FLAG_STRING(O, llvmcpu_static_output, "iree-llvmcpu-static-library-output-path", "",
                "Path of that object file; its header lies beside it (.h for .o)."),
    FLAG_CHOICE(O, input_type, "iree-input-type", "auto", "auto|none|stablehlo|stablehlo_xla",
                "Input dialect; all that are known are recognised whatever is said."),
    FLAG_BOOL(O, demote_f64_to_f32, "iree-input-demote-f64-to-f32", "false",
              "Compute f64 as f32. Off by default, other than upstream."),
    FLAG_CHOICE(O, execution_model, "iree-execution-model", "async-internal",
                "async-internal|async-external|host-only",
                "Whether calls return when done or hand out fences, or do without a device: scalars only."),
    FLAG_BOOL(O, strip_assertions, "iree-opt-strip-assertions", "false", "Drop run-time checks of arguments."),
    FLAG_BOOL(O, const_eval, "iree-opt-const-eval", "true", "Evaluate constant expressions when compiling."),
    FLAG_BOOL(O, const_expr_hoisting, "iree-opt-const-expr-hoisting", "true",
              "Compute constant expressions once per module instead of per call."),
    FLAG_CHOICE(O, opt_level, "iree-opt-level", "O1", "O0|O1|O2|O3", "Every level is the same so far."),
    FLAG_BOOL(O, polyglot_zip, "iree-vm-emit-polyglot-zip", "true",
              "Make the module a zip archive too, so that unzip can look inside."),
    FLAG_BOOL(O, strip_source_map, "iree-vm-bytecode-module-strip-source-map", "false",
              "Leave out the map from bytecode to source lines."),
    FLAG_BOOL(O, strip_debug_ops, "iree-vm-bytecode-module-strip-debug-ops", "false",
              "Leave out trace, print and break instructions."),
    FLAG_I32(O, executable_debug_level, "iree-hal-executable-debug-level", "2",
             "0: no source locations in executables; 3: sources too."),
    FLAG_CHOICE(O, compile_from, "compile-from", "start", phase_choices + 1, "Phase that the input stands at the end of."),
    FLAG_CHOICE(O, compile_to, "compile-to", "end", phase_choices + 1, "Phase to stop after, printing the IR."),
    FLAG_STRING(O, dump_phases_to, "dump-compilation-phases-to", "", "Folder that gets the IR after each phase."),
    FLAG_STRING(O, report, "compile-report", "",
                "File that gets a report: passes, dispatches and the ops they come from, memory, bytes; JSON if it\n"
                "ends with .json; - is stderr."),
    FLAG_I32(O, n_threads, "iree-compile-threads", "0", "Threads that generate code; 0: one per core."),
    FLAG_BOOL(O, disable_threading, "mlir-disable-threading", "false", "Compile on one thread."),
    FLAG_BOOL(O, print_generic, "mlir-print-op-generic", "false", "Print ops in the generic form."),
    FLAG_OPTION(O, print_debuginfo, "mlir-print-debuginfo",
                "Print locations. --compile-to= does so unless told =false, so that compiling on gives\n"
                "the same bytes."),
    FLAG_BOOL(O, print_before_all, "mlir-print-ir-before-all", "false", "Print the IR before every pass."),
    FLAG_BOOL(O, print_after_all, "mlir-print-ir-after-all", "false", "Print the IR after every pass."),
    FLAG_COMMA_LIST(O, print_before, "mlir-print-ir-before", "Print the IR before these passes."),
    FLAG_COMMA_LIST(O, print_after, "mlir-print-ir-after", "Print the IR after these passes."),
    FLAG_BOOL(O, print_after_change, "mlir-print-ir-after-change", "false", "Of the IR after passes, print only what has changed."),
    FLAG_BOOL(O, print_after_failure, "mlir-print-ir-after-failure", "false", "Print the IR after a pass only if it failed."),
    FLAG_BOOL(O, print_module_scope, "mlir-print-ir-module-scope", "false",
              "Print the whole module around passes. Always so: every pass is one over the module."),
    FLAG_STRING(O, print_tree_dir, "mlir-print-ir-tree-dir", "", "Folder that gets the IR around passes, a file each, instead of stderr."),
    FLAG_COMMA_LIST(O, print_funcs, "filter-print-funcs", "Around passes, print only these symbols: f,g."),
    FLAG_BOOL(O, print_local_scope, "mlir-print-local-scope", "false", "Print without aliases, locations in place."),
    FLAG_BOOL(O, timing, "mlir-timing", "false", "Report the time of each pass on stderr."),
    FLAG_CHOICE(O, timing_display, "mlir-timing-display", "tree", "list|tree", "By time, or in the order of passes."),
    FLAG_CHOICE(O, timing_format, "mlir-output-format", "text", "text|json", "Form of the timing report."),
    FLAG_I64(O, bisect_limit, "opt-bisect-limit", "-1",
             "Do only the first N of the rewrites that could be left out (folds, fusions, ...); -1: all."),
    FLAG_BOOL(O, bisect_verbose, "opt-bisect-verbose", "false", "Tell each of them on stderr; always done if there is a limit."),
    FLAG_BOOL(O, verify, "verify", "true", "Verify the IR after each phase."),
    FLAG_BOOL(O, verify_each, "verify-each", "false", "Verify the IR after each pass, too."),
    FLAG_I64(O, elide_larger_than, "mlir-elide-elementsattrs-if-larger", "0",
             "Print constants of more elements as a placeholder; 0: never."),
    FLAG_I64(O, elide_resources_larger_than, "mlir-elide-resource-strings-if-larger", "0",
             "Leave out resources whose text is longer; 0: never."),
};
#undef O
const flag_group_t compile_flag_group = FLAG_GROUP("compiler", flags);
