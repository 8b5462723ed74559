// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --compile-report=FILE: what became of a program. Looks at the IR at the end of phases and at the
// tables of the module file; changes nothing, and costs nothing where it is not asked for.
#ifndef COMPILER_REPORT_H_
#define COMPILER_REPORT_H_

#include "compiler/emit/vmfb.h"
#include "compiler/pass.h"

typedef struct report report_t;

// Why two ops are not in one dispatch.
typedef enum fusion_stop {
  FUSION_JOINS,
#define STOP(ID, name, sentence) FUSION_##ID,
#include "compiler/flow/fusion_stops.def"
#undef STOP
} fusion_stop_t;
// Says why the op at |reader| did not join what the op at |producer| is in; the last word counts.
void report_fusion_stop(report_t *report, ir_loc_t producer, ir_loc_t reader, fusion_stop_t stop);

// |source| is borrowed: names of ops are read from it by location.
report_t *report_create(ir_ctx_t *ctx, iree_string_view_t source, const char *source_name);
void report_phase(report_t *report, ir_op_t *module, compile_phase_t phase);
void report_file(report_t *report, const vmfb_module_t *file);
// The report as JSON or text for people, in |arena|. |file_bytes| is the size of what was written.
iree_string_view_t report_print(const report_t *report, const pass_timing_t *timing, int64_t total_ns,
                                uint64_t file_bytes, bool as_json, iree_arena_t *arena);

#endif  // COMPILER_REPORT_H_
