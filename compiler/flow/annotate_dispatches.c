// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows at run time what dispatches read and write, or stops after one: --iree-flow-trace-dispatch-tensors,
// --iree-flow-trace-dispatch=, --iree-flow-break-dispatch=.
//   in, out:  flow.dispatch in functions that take and return buffer views
//
//   %1 = flow.dispatch @d::@f(%0)
//   ->
//   %v = hal.tensor.export %0                   hal.buffer_view.trace "d::f inputs" = %v
//   %1 = flow.dispatch @d::@f(%0)
//   %w = hal.tensor.export %1                   hal.buffer_view.trace "d::f outputs" = %w
//
// A target is @function:N, the N-th dispatch of the function before equal ones are merged, or an extended regular
// expression that is searched for in `executable::export` after that. A break returns the results of the dispatch.
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/flow/text.h"
#include "compiler/pass.h"

typedef struct target {
  const char *flag;
  iree_string_view_t text;
  iree_string_view_t function;  // of @function:N
  int64_t ordinal;              // -1: |text| is an expression
  regex_t regex;
  bool has_regex, found;
} target_t;

static iree_status_t target_init(target_t *t, const pass_t *pass, const char *flag, iree_string_view_t text) {
  *t = (target_t){.flag = flag, .text = text, .ordinal = -1};
  if (!text.size) return iree_ok_status();
  iree_string_view_t number;
  iree_string_view_t rest = text;
  if (iree_string_view_consume_prefix(&rest, IREE_SV("@")) && iree_string_view_split(rest, ':', &t->function, &number) >= 0) {
    uint32_t n = 0;
    if (!iree_string_view_atoi_uint32(number, &n))
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--%s=%.*s: @function:N expected, N being a number", flag, (int)text.size, text.data);
    t->ordinal = n;
    return iree_ok_status();
  }
  char *pattern = iree_arena_copy(pass->scratch, text.data, text.size);  // ends with NUL
  t->has_regex = regcomp(&t->regex, pattern, REG_EXTENDED | REG_NOSUB) == 0;
  if (!t->has_regex) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--%s=%s is no regular expression", flag, pattern);
  return iree_ok_status();
}
static void target_deinit(target_t *t) {
  if (t->has_regex) regfree(&t->regex);
}
static iree_status_t target_check(const target_t *t, const ir_op_t *module, bool by_ordinal) {
  if (!t->text.size || t->found || (t->ordinal >= 0) != by_ordinal) return iree_ok_status();
  return ir_op_error(module, "has no dispatch that --%s=%.*s means; --compile-to=flow shows all", t->flag, (int)t->text.size, t->text.data);
}

static const char *entry_name(const pass_t *pass, const ir_op_t *dispatch) {
  ir_attr_t entries = ir_op_attr(dispatch, "entry_points");
  ir_attr_t entry = ir_is(entries, IR_A_ARRAY) && entries->n_kids ? ir_kid(entries, 0) : entries;
  text_t name = {.arena = pass->scratch};
  for (uint32_t i = 0; ir_is(entry, IR_A_SYMREF) && i < entry->n_kids; ++i) text_add(&name, "%s%s", i ? "::" : "", ir_bytes(ir_kid(entry, i)));
  return name.data ? name.data : "";
}

// ---- views of tensors
static ir_value_t *export_tensor(ir_builder_t *b, ir_value_t *tensor, ir_value_t *const *dims) {
  uint32_t n = (uint32_t)ir_type_n_dynamic(tensor->type);
  ir_value_t *operands[65] = {tensor};
  for (uint32_t i = 0; i < n && i < 64; ++i) operands[1 + i] = dims[i];
  ir_named_t encoding = {"source_encoding", tensor->type};
  ir_type_t view = ir_type_dialect(b->ctx, "hal.buffer_view", NULL, 0);
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_EXPORT, .operands = operands, .n_operands = n + 1, .results = &view,
                                               .n_results = 1, .attrs = &encoding, .n_attrs = 1}), 0);
}
// Views of the tensors among |n| values, whose dynamic extents stand one after the other in |dims|.
static size_t export_all(const pass_t *pass, ir_builder_t *b, ir_op_t *op, bool results, ir_value_t ***out) {
  ir_group_t arguments = ir_operand_group(op, "arguments"), dims = ir_operand_group(op, results ? "result_dims" : "argument_dims");
  uint32_t n = results ? op->n_results : arguments.n, at = 0;
  ir_value_t **views = IREE_ARENA_ARRAY(pass->scratch, ir_value_t *, n + 1), **extents = IREE_ARENA_ARRAY(pass->scratch, ir_value_t *, dims.n + 1);
  for (uint32_t i = 0; i < dims.n; ++i) extents[i] = ir_operand(op, dims.first + i);
  size_t n_views = 0;
  for (uint32_t i = 0; i < n; ++i) {
    ir_value_t *v = results ? ir_result(op, i) : ir_operand(op, arguments.first + i);
    if (!ir_is(v->type, IR_T_TENSOR)) continue;
    uint32_t dynamic = (uint32_t)ir_type_n_dynamic(v->type);
    if (dynamic <= 64 && at + dynamic <= dims.n) views[n_views++] = export_tensor(b, v, extents + at);
    at += dynamic;
  }
  *out = views;
  return n_views;
}

static void trace_side(const pass_t *pass, ir_op_t *op, bool results, const char *name) {
  ir_builder_t b = results ? ir_builder_after(pass->ctx, op) : ir_builder_before(pass->ctx, op);
  b.loc = op->loc;
  ir_value_t **views;
  size_t n = export_all(pass, &b, op, results, &views);
  text_t key = {.arena = pass->scratch};
  text_add(&key, "%s %s", name, results ? "outputs" : "inputs");
  ir_named_t attr = {"key", ir_attr_str(pass->ctx, key.data)};
  if (n) ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_BUFFER_VIEW_TRACE, .operands = views, .n_operands = n, .attrs = &attr, .n_attrs = 1});
}
static void trace(const pass_t *pass, ir_op_t *op, const char *name) {
  trace_side(pass, op, false, name);
  trace_side(pass, op, true, name);
}

// ---- break
static iree_status_t break_after(pass_t *pass, ir_op_t *op) {
  ir_op_t *function = ir_op_parent(op);
  if (function->kind != OP_UTIL_FUNC || op->block != ir_body(function) || op->block->next)
    return ir_op_error(op, "cannot be broken after: it stands inside of control flow or of an initializer");
  if (pass->options->execution_model == MODEL_ASYNC_EXTERNAL)
    return ir_op_error(op, "cannot be broken after in --iree-execution-model=async-external, whose caller waits for a fence");
  ir_op_t *end = op->block->last;
  ir_builder_t b = ir_builder_before(pass->ctx, end);
  b.loc = op->loc;
  ir_value_t **views;
  size_t n = export_all(pass, &b, op, true, &views);
  ir_op_set_operands(pass->ctx, end, views, n, NULL);
  ir_type_t old = ir_op_attr(function, "function_type");
  ir_type_t *types = IREE_ARENA_ARRAY(pass->scratch, ir_type_t, ir_fn_n_inputs(old) + n + 1);
  for (size_t i = 0; i < ir_fn_n_inputs(old); ++i) types[i] = ir_fn_input(old, i);
  for (size_t i = 0; i < n; ++i) types[ir_fn_n_inputs(old) + i] = views[i]->type;
  ir_op_set_attr(pass->ctx, function, "function_type",
                 ir_type_function(pass->ctx, types, ir_fn_n_inputs(old), types + ir_fn_n_inputs(old), n));
  ir_op_set_attr(pass->ctx, function, "res_attrs", NULL);
  ir_op_set_attr(pass->ctx, function, "tied_operands", NULL);
  ir_op_set_attr(pass->ctx, function, "iree.reflection", NULL);  // it speaks of other results
  return iree_ok_status();
}

// ---- the passes
typedef struct dispatches {
  iree_arena_t *arena;
  ir_op_t **v;
  size_t n, cap;
} dispatches_t;
static iree_status_t collect(ir_op_t *op, void *self) {
  dispatches_t *d = self;
  if (op->kind == OP_FLOW_DISPATCH) IREE_ARENA_PUSH(d->arena, d->v, d->n, d->cap, op);
  return iree_ok_status();
}

static iree_status_t annotate_ordinals(pass_t *pass, ir_op_t *function, const dispatches_t *d, target_t *traced, target_t *broken) {
  target_t *targets[] = {traced, broken};
  for (size_t i = 0; i < 2; ++i) {
    target_t *t = targets[i];
    if (t->ordinal < 0 || (size_t)t->ordinal >= d->n || !iree_string_view_equal(t->function, ir_op_sym_name(function))) continue;
    ir_op_t *op = d->v[t->ordinal];
    t->found = true;
    text_t name = {.arena = pass->scratch};
    text_add(&name, "%s::%d", entry_name(pass, op), (int)t->ordinal);
    if (t == traced) trace(pass, op, name.data);
    else IREE_RETURN_IF_ERROR(break_after(pass, op));
  }
  return iree_ok_status();
}
static iree_status_t annotate_symbols(pass_t *pass, const dispatches_t *d, target_t *traced, target_t *broken) {
  ir_op_t *break_at = NULL;
  for (size_t i = 0; i < d->n; ++i) {
    const char *name = entry_name(pass, d->v[i]);
    bool is_traced = traced->has_regex && !regexec(&traced->regex, name, 0, NULL, 0);
    traced->found |= is_traced;
    if (is_traced || pass->options->trace_dispatch_tensors) trace(pass, d->v[i], name);
    if (broken->has_regex && !break_at && !regexec(&broken->regex, name, 0, NULL, 0)) break_at = d->v[i];
  }
  broken->found |= break_at != NULL;
  return break_at ? break_after(pass, break_at) : iree_ok_status();
}

static iree_status_t annotate(pass_t *pass, ir_op_t *module, bool by_ordinal, target_t *traced, target_t *broken) {
  for (ir_op_t *f = ir_body(module)->first; f; f = f->next) {
    if (f->kind != OP_UTIL_FUNC && (by_ordinal || f->kind != OP_UTIL_INITIALIZER)) continue;
    dispatches_t d = {.arena = pass->scratch};
    IREE_RETURN_IF_ERROR(ir_walk(f, collect, &d));
    IREE_RETURN_IF_ERROR(by_ordinal ? annotate_ordinals(pass, f, &d, traced, broken) : annotate_symbols(pass, &d, traced, broken));
  }
  IREE_RETURN_IF_ERROR(target_check(traced, module, by_ordinal));
  return target_check(broken, module, by_ordinal);
}
static iree_status_t run(pass_t *pass, ir_op_t *module, bool by_ordinal) {
  const compile_options_t *o = pass->options;
  if (!o->trace_dispatch.size && !o->break_dispatch.size && !o->trace_dispatch_tensors) return iree_ok_status();
  target_t traced, broken;
  iree_status_t status = target_init(&traced, pass, "iree-flow-trace-dispatch", o->trace_dispatch);
  if (!iree_status_is_ok(status)) return status;
  status = target_init(&broken, pass, "iree-flow-break-dispatch", o->break_dispatch);
  if (iree_status_is_ok(status)) status = annotate(pass, module, by_ordinal, &traced, &broken);
  target_deinit(&traced);
  target_deinit(&broken);
  return status;
}

iree_status_t flow_annotate_dispatch_ordinals(pass_t *pass, ir_op_t *module) { return run(pass, module, true); }
iree_status_t flow_annotate_dispatches(pass_t *pass, ir_op_t *module) { return run(pass, module, false); }
