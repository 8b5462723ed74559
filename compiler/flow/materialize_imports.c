// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives functions of other modules, which have no body, the calling convention of the runtime.
//   in:  calls of util.func without a body on tensors      out: ... on !hal.buffer_view, scalars as they are
//   relies on: names of the form module.function telling whose they are (vm/convert_module.c)
//
//   %r = util.call @other.f(%t) : (tensor<?xi32>) -> tensor<?xi32>
//   ->
//   %v = hal.tensor.export %t : tensor<?xi32>{%d} -> !hal.buffer_view
//   %w = util.call @other.f(%v) : (!hal.buffer_view) -> !hal.buffer_view
//   %e = hal.buffer_view.dim<%w : !hal.buffer_view>[0] : index
//   %r = hal.tensor.import %w : !hal.buffer_view -> tensor<?xi32>{%e}
//
// With iree.abi.model = "coarse-fences" two fences follow the arguments: the callee waits for the first,
// which the arguments' work signals, and signals the second, for which users of its results wait. A callee
// that may have effects besides (no `nosideeffects`) is awaited.
#include "compiler/flow/shapes.h"
#include "compiler/pass.h"

typedef struct import {
  pass_t *pass;
  ir_op_t *func;
  ir_type_t view, fence;
  bool fences, is_pure;
} import_t;

static bool is_tensor(ir_type_t type) { return ir_is(type, IR_T_TENSOR); }

static ir_value_t *build_fence(const import_t *m, ir_builder_t *b) {
  ir_value_t *zero = build_index(b, 0);
  ir_value_t *device = ir_build1(b, OP_HAL_DEVICES_GET, ir_type_dialect(b->ctx, "hal.device", NULL, 0), zero, NULL, NULL);
  return ir_build_attr(b, OP_HAL_FENCE_CREATE, m->fence, "flags", ir_attr_i64(b->ctx, 0), device, NULL);
}

// A fence that is signaled once the tensors in |values|, which become what they are then, are there; a null
// one without tensors.
static ir_value_t *join_arguments(const import_t *m, ir_builder_t *b, ir_value_t **values, uint32_t n) {
  ir_value_t **sources = IREE_ARENA_ARRAY(m->pass->scratch, ir_value_t *, n + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(m->pass->scratch, ir_type_t, n + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (is_tensor(values[i]->type)) types[count] = values[i]->type, sources[count++] = values[i];
  if (!count) return ir_build1(b, OP_UTIL_NULL, m->fence, NULL, NULL, NULL);
  ir_value_t *fence = sources[count] = build_fence(m, b);
  ir_op_t *barrier = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_BARRIER, .operands = sources, .n_operands = count + 1,
                                                 .results = types, .n_results = count});
  for (uint32_t i = 0, k = 0; i < n; ++i)
    if (is_tensor(values[i]->type)) values[i] = ir_result(barrier, k++);
  return fence;
}

static ir_value_t *export_argument(const import_t *m, ir_builder_t *b, ir_value_t *value) {
  ir_type_t type = value->type;
  ir_value_t **operands = IREE_ARENA_ARRAY(m->pass->scratch, ir_value_t *, ir_type_rank(type) + 1);
  uint32_t n = 0;
  operands[n++] = value;
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC)
      operands[n++] = ir_build1(b, OP_TENSOR_DIM, ir_type_index(b->ctx), value, build_index(b, (int64_t)i), NULL);
  ir_named_t encoding = {"source_encoding", type};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_EXPORT, .operands = operands, .n_operands = n,
                                               .results = &m->view, .n_results = 1, .attrs = &encoding, .n_attrs = 1}), 0);
}

static ir_value_t *import_result(const import_t *m, ir_builder_t *b, ir_value_t *view, ir_type_t type, ir_value_t *wait) {
  ir_value_t **operands = IREE_ARENA_ARRAY(m->pass->scratch, ir_value_t *, ir_type_rank(type) + 2);
  uint32_t n = 0;
  operands[n++] = view;
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC)
      operands[n++] = ir_build_attr(b, OP_HAL_BUFFER_VIEW_DIM, ir_type_index(b->ctx), "index", ir_attr_index(b->ctx, (int64_t)i), view, NULL);
  uint32_t n_dims = n - 1;
  if (wait) operands[n++] = wait;
  ir_named_t encoding = {"target_encoding", type};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_IMPORT, .operands = operands, .n_operands = n,
                                               .segments = (uint32_t[]){1, n_dims, wait ? 1 : 0, 0}, .results = &type, .n_results = 1,
                                               .attrs = &encoding, .n_attrs = 1}), 0);
}

static void build_await(ir_builder_t *b, ir_value_t *fence) {
  ir_value_t *forever = ir_build_attr(b, OP_ARITH_CONSTANT, ir_type_i(b->ctx, 32), "value", ir_attr_i32(b->ctx, -1), NULL, NULL);
  ir_named_t flags = {"flags", ir_attr_i64(b->ctx, 0)};
  ir_type_t i32 = ir_type_i(b->ctx, 32);
  ir_value_t *status = ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_FENCE_AWAIT, .operands = (ir_value_t *[]){forever, fence},
                                                             .n_operands = 2, .results = &i32, .n_results = 1, .attrs = &flags, .n_attrs = 1}), 0);
  ir_named_t message = {"message", ir_attr_str(b->ctx, "an imported function failed")};
  ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_STATUS_CHECK_OK, .operands = &status, .n_operands = 1, .attrs = &message, .n_attrs = 1});
}

static void rewrite_call(const import_t *m, ir_op_t *call) {
  ir_builder_t b = ir_builder_before(m->pass->ctx, call);
  uint32_t n = call->n_operands;
  ir_value_t **values = IREE_ARENA_ARRAY(m->pass->scratch, ir_value_t *, n + call->n_results + 2), *signal = NULL;
  ir_type_t *types = IREE_ARENA_ARRAY(m->pass->scratch, ir_type_t, call->n_results + 1);
  for (uint32_t i = 0; i < n; ++i) values[i] = ir_operand(call, i);
  ir_value_t *wait = m->fences ? join_arguments(m, &b, values, n) : NULL;
  for (uint32_t i = 0; i < n; ++i)
    if (is_tensor(values[i]->type)) values[i] = export_argument(m, &b, values[i]);
  if (m->fences) {
    values[n++] = wait;
    values[n++] = signal = build_fence(m, &b);
  }
  for (uint32_t i = 0; i < call->n_results; ++i)
    types[i] = is_tensor(ir_result(call, i)->type) ? m->view : ir_result(call, i)->type;
  ir_named_t callee = {"callee", ir_op_attr(call, "callee")};
  ir_op_t *made = ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_CALL, .operands = values, .n_operands = n, .results = types,
                                               .n_results = call->n_results, .attrs = &callee, .n_attrs = 1});
  if (signal && !m->is_pure) build_await(&b, signal);
  for (uint32_t i = 0; i < call->n_results; ++i) {
    ir_type_t type = ir_result(call, i)->type;
    values[i] = is_tensor(type) ? import_result(m, &b, ir_result(made, i), type, signal) : ir_result(made, i);
  }
  ir_op_replace(call, values);
}

static void rewrite_calls_in(import_t *m, ir_op_t *op) {
  for (uint32_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *block = op->regions[r]->first; block; block = block->next)
      for (ir_op_t *inner = block->first, *next; inner; inner = next) {
        next = inner->next;
        rewrite_calls_in(m, inner);
        if (inner->kind == OP_UTIL_CALL && iree_string_view_equal(ir_symref_leaf(ir_op_attr(inner, "callee")), ir_op_sym_name(m->func)))
          rewrite_call(m, inner);
      }
}

static void rewrite_signature(const import_t *m) {
  ir_ctx_t *ctx = m->pass->ctx;
  ir_type_t old = ir_op_attr(m->func, "function_type");
  size_t n = ir_fn_n_inputs(old), n_results = ir_fn_n_results(old);
  ir_type_t *types = IREE_ARENA_ARRAY(m->pass->scratch, ir_type_t, n + n_results + 2), *results;
  for (size_t i = 0; i < n; ++i) types[i] = is_tensor(ir_fn_input(old, i)) ? m->view : ir_fn_input(old, i);
  if (m->fences) types[n++] = m->fence, types[n++] = m->fence;
  results = types + n;
  for (size_t i = 0; i < n_results; ++i) results[i] = is_tensor(ir_fn_result(old, i)) ? m->view : ir_fn_result(old, i);
  ir_op_set_attr(ctx, m->func, "function_type", ir_type_function(ctx, types, n, results, n_results));
  ir_op_set_attr(ctx, m->func, "arg_attrs", NULL);
  ir_op_set_attr(ctx, m->func, "res_attrs", NULL);
  ir_op_set_attr(ctx, m->func, "iree.abi.model", NULL);
}

iree_status_t flow_materialize_imports(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind != OP_UTIL_FUNC || ir_body(op)) continue;
    ir_type_t type = ir_op_attr(op, "function_type");
    ir_attr_t model = ir_op_attr(op, "iree.abi.model");
    import_t m = {.pass = pass, .func = op, .view = ir_type_dialect(pass->ctx, "hal.buffer_view", NULL, 0),
                  .fence = ir_type_dialect(pass->ctx, "hal.fence", NULL, 0), .fences = model && ir_str_is(model, "coarse-fences"),
                  .is_pure = ir_op_flag(op, "nosideeffects")};
    bool has_tensors = false;
    for (uint32_t i = 0; i < type->n_kids; ++i) has_tensors = has_tensors || is_tensor(ir_kid(type, i));
    if (!has_tensors && !m.fences) continue;
    rewrite_calls_in(&m, module);
    rewrite_signature(&m);
  }
  return iree_ok_status();
}
