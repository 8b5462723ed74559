// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/driver.h"
#include "compiler/stream/peak.h"

enum { MAX_SOURCES = 16 };  // of one dispatch, by name; the rest is a number

typedef struct dispatch {
  iree_string_view_t name;
  const char *sources[MAX_SOURCES];  // "stablehlo.add add.mlir:3"
  uint32_t n_sources, n_more;
  uint32_t n_dynamic;  // extents that are arguments
} dispatch_t;

typedef struct stop {
  ir_loc_t producer, reader;
  fusion_stop_t why;
  size_t before;  // the stop of this reader before this one, + 1
} stop_t;
typedef struct pair {  // dispatches: one makes what the other reads
  iree_string_view_t producer, reader;
  ir_loc_t producer_loc, reader_loc;  // of all their ops together
} pair_t;

typedef struct function {
  iree_string_view_t name;
  uint32_t n_dispatches;
  uint32_t n_shape_ops, n_checks;  // host work that only extents known at run time need
  int64_t memory_bytes;            // allocated on the device while it runs, results included
  bool is_memory_dynamic;
  stream_peak_t peak;
  bool records_per_call;  // its commands are not recorded once and replayed
} function_t;

typedef struct row {
  iree_string_view_t name;
  uint64_t bytes;
} row_t;

struct report {
  iree_arena_t *arena;
  ir_ctx_t *ctx;
  iree_string_view_t source;
  const char *source_name;
  dispatch_t *dispatches;
  size_t n_dispatches, cap_dispatches;
  function_t *functions;
  size_t n_functions, cap_functions;
  row_t *bytes;
  size_t n_bytes, cap_bytes;
  stop_t *stops;
  size_t n_stops, cap_stops;
  ir_map_t *stop_of;  // reader -> its last stop
  pair_t *pairs;
  size_t n_pairs, cap_pairs;
};

report_t *report_create(ir_ctx_t *ctx, iree_string_view_t source, const char *source_name) {
  iree_arena_t *arena = ir_arena(ctx);
  report_t *r = IREE_ARENA_NEW(arena, report_t);
  *r = (report_t){.arena = arena, .ctx = ctx, .source = source, .source_name = source_name, .stop_of = ir_map_create(arena)};
  return r;
}

static iree_string_view_t keep(report_t *r, iree_string_view_t s) {
  return iree_make_string_view(iree_arena_copy(r->arena, s.data, s.size), s.size);
}
static function_t *function_named(report_t *r, iree_string_view_t name) {
  for (size_t i = 0; i < r->n_functions; ++i)
    if (iree_string_view_equal(r->functions[i].name, name)) return &r->functions[i];
  function_t f = {.name = keep(r, name)};
  IREE_ARENA_PUSH(r->arena, r->functions, r->n_functions, r->cap_functions, f);
  return &r->functions[r->n_functions - 1];
}

//===-- dispatches, at the end of flow --------------------------------------------------------------

// The word with a dot at a place of the source: an op's name.
static iree_string_view_t op_at(const report_t *r, int64_t line, int64_t column) {
  iree_string_view_t text = compile_source_line(r->source, line);
  if (column < 1 || (uint64_t)column > text.size) return iree_string_view_empty();
  const char *stop = text.data + text.size;
  for (const char *p = text.data + column - 1; p < stop; ++p) {
    const char *q = p;
    bool has_dot = false;
    while (q < stop && ((*q >= 'a' && *q <= 'z') || (*q >= '0' && *q <= '9') || *q == '_' || *q == '.')) has_dot |= *q++ == '.';
    if (has_dot && *p >= 'a' && *p <= 'z') return iree_make_string_view(p, (size_t)(q - p));
    if (q > p) p = q;
  }
  return iree_string_view_empty();
}
static void add_source(report_t *r, dispatch_t *d, ir_map_t *seen, ir_loc_t loc) {
  if (ir_map_get(seen, loc)) return;  // ops share locations, and locations parts
  ir_map_set(seen, loc, r);
  if (loc->kind == IR_L_FUSED || loc->kind == IR_L_NAME || loc->kind == IR_L_CALLSITE) {
    for (uint32_t i = 0; i < loc->n_kids && (loc->kind != IR_L_CALLSITE || i == 0); ++i)
      if (ir_kid(loc, i) && ir_kid(loc, i)->kind >= IR_L_UNKNOWN) add_source(r, d, seen, ir_kid(loc, i));
    return;
  }
  if (loc->kind != IR_L_FILE) return;
  iree_string_view_t op = strcmp(ir_bytes(loc), r->source_name) ? iree_string_view_empty() : op_at(r, ir_int(loc, 0), ir_int(loc, 1));
  char text[256];
  int n = snprintf(text, sizeof text, "%.*s%s%.100s:%" PRId64, (int)(op.size < 100 ? op.size : 100), op.data ? op.data : "",
                   op.size ? " " : "", ir_bytes(loc), ir_int(loc, 0));
  for (uint32_t i = 0; i < d->n_sources; ++i)
    if (!strcmp(d->sources[i], text)) return;
  if (d->n_sources == MAX_SOURCES) ++d->n_more;
  else d->sources[d->n_sources++] = iree_arena_copy(r->arena, text, (size_t)n);
}

typedef struct visit {
  report_t *r;
  dispatch_t *d;
  function_t *f;
  ir_map_t *seen;  // locations
} visit_t;
static bool computes(const ir_op_t *op) {  // says something of where a kernel comes from
  const char *name = ir_op_name(op);
  return !strncmp(name, "linalg.", 7) || !strncmp(name, "arith.", 6) || !strncmp(name, "math.", 5) || !strncmp(name, "complex.", 8) ||
         !strncmp(name, "iree_linalg_ext.", 16);
}
static iree_status_t visit_kernel(ir_op_t *op, void *self) {
  visit_t *v = self;
  if (computes(op) && op->kind != OP_ARITH_CONSTANT) add_source(v->r, v->d, v->seen, op->loc);
  return iree_ok_status();
}
static void add_executable(report_t *r, const ir_op_t *executable) {
  for (ir_op_t *op = ir_body(executable)->first; op; op = op->next) {
    if (op->kind != OP_BUILTIN_MODULE || !ir_body(op)) continue;
    for (ir_op_t *f = ir_body(op)->first; f; f = f->next) {
      if (f->kind != OP_FUNC_FUNC || !ir_body(f)) continue;
      dispatch_t d = {.name = keep(r, ir_op_sym_name(f))};
      for (uint32_t i = 0; i < ir_body(f)->n_args; ++i) d.n_dynamic += ir_is(ir_body(f)->args[i]->type, IR_T_INDEX);
      visit_t v = {.r = r, .d = &d, .seen = ir_map_create(r->arena)};
      iree_status_ignore(ir_walk(f, visit_kernel, &v));
      if (!d.n_sources) add_source(r, &d, v.seen, f->loc);  // moves data only
      IREE_ARENA_PUSH(r->arena, r->dispatches, r->n_dispatches, r->cap_dispatches, d);
    }
  }
}

//===-- why neighbours are two dispatches -----------------------------------------------------------

void report_fusion_stop(report_t *r, ir_loc_t producer, ir_loc_t reader, fusion_stop_t why) {
  stop_t stop = {producer, reader, why, (size_t)(uintptr_t)ir_map_get(r->stop_of, reader)};
  IREE_ARENA_PUSH(r->arena, r->stops, r->n_stops, r->cap_stops, stop);
  ir_map_set(r->stop_of, reader, (void *)(uintptr_t)r->n_stops);
}
static iree_string_view_t kernel_of(const ir_op_t *dispatch) {
  ir_attr_t entry = ir_op_attr(dispatch, "entry_points");
  if (ir_is(entry, IR_A_ARRAY) && entry->n_kids) entry = ir_kid(entry, 0);
  return ir_is(entry, IR_A_SYMREF) ? ir_symref_leaf(entry) : iree_string_view_empty();
}
static void add_pairs(report_t *r, const ir_op_t *dispatch) {
  for (uint32_t i = 0; i < dispatch->n_operands; ++i) {
    const ir_op_t *def = ir_def(ir_operand(dispatch, i));
    while (ir_op_is(def, OP_FLOW_TENSOR_RESHAPE)) def = ir_def(ir_operand(def, 0));
    if (!ir_op_is(def, OP_FLOW_DISPATCH)) continue;
    pair_t pair = {keep(r, kernel_of(def)), keep(r, kernel_of(dispatch)), def->loc, dispatch->loc};
    bool is_known = false;  // equal kernels are called from many places
    for (size_t k = r->n_pairs > 64 ? r->n_pairs - 64 : 0; k < r->n_pairs; ++k)
      is_known |= iree_string_view_equal(r->pairs[k].producer, pair.producer) && iree_string_view_equal(r->pairs[k].reader, pair.reader);
    if (!is_known) IREE_ARENA_PUSH(r->arena, r->pairs, r->n_pairs, r->cap_pairs, pair);
  }
}
static bool holds_loc(ir_loc_t all, ir_loc_t one, uint32_t *budget) {
  if (all == one) return true;
  if (all->kind != IR_L_FUSED || !*budget) return false;
  --*budget;
  for (uint32_t i = 0; i < all->n_kids; ++i)
    if (ir_kid(all, i) && ir_kid(all, i)->kind >= IR_L_UNKNOWN && holds_loc(ir_kid(all, i), one, budget)) return true;
  return false;
}
// The last stop of a reader among the ops of |loc|, of a producer that is one of the pair's.
static const stop_t *stop_in(const report_t *r, const pair_t *pair, ir_loc_t loc, uint32_t *budget) {
  const stop_t *found = NULL;
  for (size_t i = (size_t)(uintptr_t)ir_map_get(r->stop_of, loc); i && !found && *budget; i = r->stops[i - 1].before) {
    --*budget;
    if (holds_loc(pair->producer_loc, r->stops[i - 1].producer, budget)) found = &r->stops[i - 1];
  }
  for (uint32_t i = 0; loc->kind == IR_L_FUSED && i < loc->n_kids && *budget; ++i) {
    if (!ir_kid(loc, i) || ir_kid(loc, i)->kind < IR_L_UNKNOWN) continue;
    const stop_t *stop = stop_in(r, pair, ir_kid(loc, i), budget);
    if (stop && stop > found) found = stop;
  }
  return found;
}
static fusion_stop_t stop_between(const report_t *r, const pair_t *pair) {
  uint32_t budget = 1 << 14;
  const stop_t *stop = stop_in(r, pair, pair->reader_loc, &budget);
  return stop ? stop->why : FUSION_MOVES;
}
static const char *const stop_names[] = {"",
#define STOP(ID, name, sentence) name,
#include "compiler/flow/fusion_stops.def"
#undef STOP
};
static const char *const stop_sentences[] = {"",
#define STOP(ID, name, sentence) sentence,
#include "compiler/flow/fusion_stops.def"
#undef STOP
};

// Host work for extents: arithmetic on index values and checks.
static iree_status_t visit_host(ir_op_t *op, void *self) {
  function_t *f = ((visit_t *)self)->f;
  if (op->kind == OP_FLOW_DISPATCH) ++f->n_dispatches, add_pairs(((visit_t *)self)->r, op);
  if (op->kind == OP_CF_ASSERT) ++f->n_checks;
  bool is_index = op->n_results == 1 && ir_is(ir_result(op, 0)->type, IR_T_INDEX);
  if (is_index && op->kind != OP_ARITH_CONSTANT) ++f->n_shape_ops;
  return iree_ok_status();
}

//===-- memory and recording ------------------------------------------------------------------------

static iree_status_t visit_memory(ir_op_t *op, void *self) {
  function_t *f = ((visit_t *)self)->f;
  if (op->kind != OP_STREAM_RESOURCE_ALLOCA && op->kind != OP_STREAM_RESOURCE_ALLOC) return iree_ok_status();
  ir_op_t *size = ir_def(ir_operand(op, 0));
  ir_attr_t value = ir_op_is(size, OP_ARITH_CONSTANT) ? ir_op_attr(size, "value") : NULL;
  if (ir_is(value, IR_A_INT)) f->memory_bytes += ir_int(value, 0);
  else f->is_memory_dynamic = true;
  return iree_ok_status();
}
static iree_status_t visit_recording(ir_op_t *op, void *self) {
  if (op->kind == OP_HAL_COMMAND_BUFFER_CREATE) ((visit_t *)self)->f->records_per_call = true;
  return iree_ok_status();
}

void report_phase(report_t *r, ir_op_t *module, compile_phase_t phase) {
  ir_walk_fn_t visit = phase == PHASE_FLOW ? visit_host : phase == PHASE_STREAM ? visit_memory : phase == PHASE_HAL ? visit_recording : NULL;
  if (!visit) return;
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (phase == PHASE_FLOW && op->kind == OP_FLOW_EXECUTABLE) add_executable(r, op);
    if (op->kind != OP_UTIL_FUNC || !ir_body(op)) continue;
    visit_t v = {.r = r, .f = function_named(r, ir_op_sym_name(op))};
    iree_status_ignore(ir_walk(op, visit, &v));
    if (phase == PHASE_STREAM) stream_peak(r->ctx, op, &v.f->peak);
  }
}

void report_file(report_t *r, const vmfb_module_t *file) {
  for (size_t i = 0; i < file->function_count; ++i) {
    row_t row = {keep(r, file->functions[i].name), file->functions[i].bytecode_length};
    IREE_ARENA_PUSH(r->arena, r->bytes, r->n_bytes, r->cap_bytes, row);
  }
  for (size_t i = 0; i < file->rodata_count; ++i) {
    row_t row = {keep(r, file->rodata[i].name), file->rodata[i].length};
    IREE_ARENA_PUSH(r->arena, r->bytes, r->n_bytes, r->cap_bytes, row);
  }
}

//===-- printing ------------------------------------------------------------------------------------

typedef struct out {
  iree_arena_t *arena;
  char *data;
  size_t n, cap;
} out_t;
static void put(out_t *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(out_t *o, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (int i = 0; i < n && i < (int)sizeof text - 1; ++i) IREE_ARENA_PUSH(o->arena, o->data, o->n, o->cap, text[i]);
}
static void put_string(out_t *o, iree_string_view_t s) {  // as JSON
  put(o, "\"");
  for (size_t i = 0; i < s.size; ++i) {
    unsigned char c = (unsigned char)s.data[i];
    if (c == '"' || c == '\\') put(o, "\\%c", c);
    else if (c < ' ') put(o, "\\u%04x", c);
    else put(o, "%c", c);
  }
  put(o, "\"");
}
static uint64_t rest_of(const report_t *r, uint64_t file_bytes) {
  for (size_t i = 0; i < r->n_bytes; ++i) file_bytes -= r->bytes[i].bytes < file_bytes ? r->bytes[i].bytes : file_bytes;
  return file_bytes;
}

static void print_json(const report_t *r, const pass_timing_t *t, int64_t total_ns, uint64_t file_bytes, out_t *o) {
  put(o, "{\n  \"passes\": [");
  for (size_t i = 0; i < t->n; ++i) {
    put(o, "%s\n    {\"name\": ", i ? "," : "");
    put_string(o, iree_make_cstring_view(t->rows[i].name));
    put(o, ", \"ms\": %.3f}", (double)t->rows[i].ns * 1e-6);
  }
  put(o, "\n  ],\n  \"total_ms\": %.3f,\n  \"dispatches\": [", (double)total_ns * 1e-6);
  for (size_t i = 0; i < r->n_dispatches; ++i) {
    const dispatch_t *d = &r->dispatches[i];
    put(o, "%s\n    {\"name\": ", i ? "," : "");
    put_string(o, d->name);
    put(o, ", \"dynamic_extents\": %u, \"sources\": [", d->n_dynamic);
    for (uint32_t k = 0; k < d->n_sources; ++k) {
      if (k) put(o, ", ");
      put_string(o, iree_make_cstring_view(d->sources[k]));
    }
    put(o, "], \"more_sources\": %u}", d->n_more);
  }
  put(o, "\n  ],\n  \"neighbours\": [");
  for (size_t i = 0; i < r->n_pairs; ++i) {
    fusion_stop_t why = stop_between(r, &r->pairs[i]);
    put(o, "%s\n    {\"producer\": ", i ? "," : "");
    put_string(o, r->pairs[i].producer);
    put(o, ", \"reader\": ");
    put_string(o, r->pairs[i].reader);
    put(o, ", \"stop\": \"%s\", \"reason\": ", stop_names[why]);
    put_string(o, iree_make_cstring_view(stop_sentences[why]));
    put(o, "}");
  }
  put(o, "\n  ],\n  \"functions\": [");
  for (size_t i = 0; i < r->n_functions; ++i) {
    const function_t *f = &r->functions[i];
    put(o, "%s\n    {\"name\": ", i ? "," : "");
    put_string(o, f->name);
    put(o, ", \"dispatches\": %u, \"shape_ops\": %u, \"shape_checks\": %u, \"memory_bytes\": %" PRId64 ", \"memory_is_dynamic\": %s, \"records_per_call\": %s",
        f->n_dispatches, f->n_shape_ops, f->n_checks, f->memory_bytes, f->is_memory_dynamic ? "true" : "false",
        f->records_per_call ? "true" : "false");
    put(o, ", \"peak_bytes\": %" PRId64 ", \"peak_inexact\": ", f->peak.bytes);
    if (f->peak.inexact) put_string(o, iree_make_cstring_view(f->peak.inexact));
    else put(o, "null");
    put(o, ", \"live_at_peak\": [");
    for (uint32_t k = 0; k < f->peak.n_live; ++k)
      put(o, "%s{\"kind\": \"%s\", \"bytes\": %" PRId64 "}", k ? ", " : "", f->peak.live[k].lifetime, f->peak.live[k].bytes);
    put(o, "], \"more_live_at_peak\": %u}", f->peak.n_more);
  }
  put(o, "\n  ],\n  \"bytes\": [");
  for (size_t i = 0; i < r->n_bytes; ++i) {
    put(o, "%s\n    {\"name\": ", i ? "," : "");
    put_string(o, r->bytes[i].name);
    put(o, ", \"bytes\": %" PRIu64 "}", r->bytes[i].bytes);
  }
  put(o, "\n  ],\n  \"table_bytes\": %" PRIu64 ",\n  \"file_bytes\": %" PRIu64 "\n}\n", rest_of(r, file_bytes), file_bytes);
}

static void print_text(const report_t *r, const pass_timing_t *t, int64_t total_ns, uint64_t file_bytes, out_t *o) {
  put(o, "passes\n");
  for (size_t i = 0; i < t->n; ++i)
    put(o, "  %9.3f ms %5.1f%%  %s\n", (double)t->rows[i].ns * 1e-6, 100.0 * (double)t->rows[i].ns / (double)(total_ns ? total_ns : 1), t->rows[i].name);
  put(o, "  %9.3f ms         total\n\ndispatches: each becomes one kernel\n", (double)total_ns * 1e-6);
  for (size_t i = 0; i < r->n_dispatches; ++i) {
    const dispatch_t *d = &r->dispatches[i];
    put(o, "  %.*s\n", (int)d->name.size, d->name.data);
    if (d->n_dynamic) put(o, "    %u extents known at run time only: passed in each call, loops not specialised\n", d->n_dynamic);
    for (uint32_t k = 0; k < d->n_sources; ++k) put(o, "    %s\n", d->sources[k]);
    if (d->n_more) put(o, "    and %u more\n", d->n_more);
  }
  if (r->n_pairs) put(o, "\nneighbours: why one reads from the other through memory\n");
  for (size_t i = 0; i < r->n_pairs; ++i) {
    fusion_stop_t why = stop_between(r, &r->pairs[i]);
    put(o, "  %.*s\n    -> %.*s\n    %s: %s\n", (int)r->pairs[i].producer.size, r->pairs[i].producer.data, (int)r->pairs[i].reader.size,
        r->pairs[i].reader.data, stop_names[why], stop_sentences[why]);
  }
  put(o, "\nfunctions: host work, and device memory while one runs\n");
  for (size_t i = 0; i < r->n_functions; ++i) {
    const function_t *f = &r->functions[i];
    put(o, "  %.*s: %u dispatches, %s%" PRId64 " bytes%s\n", (int)f->name.size, f->name.data, f->n_dispatches,
        f->is_memory_dynamic ? "at least " : "", f->memory_bytes, f->is_memory_dynamic ? ", more by its extents" : "");
    if (f->peak.bytes) put(o, "    peak: %s%" PRId64 " bytes at once%s%s\n", f->peak.inexact ? "at least " : "exactly ", f->peak.bytes,
                           f->peak.inexact ? "; " : "", f->peak.inexact ? f->peak.inexact : "");
    for (uint32_t k = 0; k < f->peak.n_live; ++k) put(o, "      %9" PRId64 "  %s\n", f->peak.live[k].bytes, f->peak.live[k].lifetime);
    if (f->peak.n_more) put(o, "      and %u more\n", f->peak.n_more);
    if (f->n_shape_ops || f->n_checks)
      put(o, "    open dimensions cost %u host ops and %u checks in each call; bounds or static shapes take them away\n", f->n_shape_ops, f->n_checks);
    if (f->records_per_call) put(o, "    commands are recorded anew in each call\n");
  }
  put(o, "\nbytes of the file\n");
  for (size_t i = 0; i < r->n_bytes; ++i) put(o, "  %9" PRIu64 "  %.*s\n", r->bytes[i].bytes, (int)r->bytes[i].name.size, r->bytes[i].name.data);
  put(o, "  %9" PRIu64 "  tables and containers\n  %9" PRIu64 "  total\n", rest_of(r, file_bytes), file_bytes);
}

iree_string_view_t report_print(const report_t *r, const pass_timing_t *timing, int64_t total_ns, uint64_t file_bytes, bool as_json,
                                iree_arena_t *arena) {
  out_t o = {.arena = arena};
  (as_json ? print_json : print_text)(r, timing, total_ns, file_bytes, &o);
  return iree_make_string_view(o.data, o.n);
}
