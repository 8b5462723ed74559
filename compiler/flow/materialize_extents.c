// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of dynamic shape that pass through control flow take their extents with them.
//   in:   scf ops over tensors      out: each dynamic extent of their values is an index value beside it
//   relies on: nothing; folding drops the extents that turn out to be the same on all ways
//
//   %r = scf.if %c -> tensor<?xf32>          %r, %n = scf.if %c -> tensor<?xf32>, index
//     scf.yield %a                             scf.yield %a, tensor.dim %a
//   else                                ->   else
//     scf.yield %b                             scf.yield %b, tensor.dim %b
//                                            flow.tensor.tie_shape %r : tensor<?xf32>{%n} for all uses of %r
#include "compiler/flow/control.h"
#include "compiler/flow/shapes.h"
#include "compiler/pass.h"

static uint32_t n_dynamic(ir_type_t type) {
  return ir_is(type, IR_T_TENSOR) ? (uint32_t)ir_type_n_dynamic(type) : 0;
}
static uint32_t count_extents(const ir_value_t *results, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; ++i) sum += n_dynamic(results[i].type);
  return sum;
}

// Appends tensor.dim of each dynamic extent of the operands from |first| on to |op|'s operands.
static void append_extents(ir_ctx_t *ctx, ir_op_t *op, uint32_t first) {
  ir_builder_t b = ir_builder_before(ctx, op);
  for (uint32_t i = first, n = op->n_operands; i < n; ++i) {
    ir_value_t *v = ir_operand(op, i);
    for (size_t d = 0; n_dynamic(v->type) && d < ir_type_rank(v->type); ++d)
      if (ir_type_dim(v->type, d) == IR_DYNAMIC)
        ir_op_append_operand(ctx, op, ir_build1(&b, OP_TENSOR_DIM, ir_type_index(ctx), v, build_index(&b, (int64_t)d), NULL));
  }
}
// From |b| on |v| is known by its shape: |extents| in order. Returns how many those are.
static uint32_t tie(ir_builder_t *b, ir_value_t *v, ir_value_t *const *extents) {
  uint32_t n = n_dynamic(v->type);
  if (!n) return 0;
  ir_value_t *operands[1 + SHAPE_MAX_RANK] = {v};
  for (uint32_t i = 0; i < n; ++i) operands[1 + i] = extents[i];
  ir_op_t *op = ir_op_create(b->ctx, &(ir_op_desc_t){.kind = OP_FLOW_TENSOR_TIE_SHAPE, .loc = b->loc, .operands = operands,
                                                     .n_operands = 1 + n, .results = &v->type, .n_results = 1});
  ir_insert(b, op);
  for (ir_use_t *use = v->uses, *next; use; use = next) {
    next = use->next;
    if (use->user != op) ir_use_set(use, ir_result(op, 0));
  }
  return n;
}
// New arguments for the extents of those from |first| on, which are tied at once.
static void tie_args(ir_ctx_t *ctx, ir_block_t *block, uint32_t first) {
  ir_builder_t b = ir_builder_at_start(ctx, block);
  for (uint32_t i = first, n = block->n_args; i < n; ++i) {
    ir_value_t *extents[SHAPE_MAX_RANK];
    for (uint32_t k = 0; k < n_dynamic(block->args[i]->type); ++k) extents[k] = ir_block_add_arg(ctx, block, ir_type_index(ctx));
    tie(&b, block->args[i], extents);
  }
}
// |op| with its extents as further results, tied.
static ir_op_t *tie_results(ir_ctx_t *ctx, ir_op_t *op, uint32_t n_extents) {
  iree_arena_t *arena = ir_arena(ctx);
  uint32_t n = op->n_results;
  ir_value_t **operands = IREE_ARENA_ARRAY(arena, ir_value_t *, op->n_operands + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(arena, ir_type_t, n + n_extents);
  int64_t *from = IREE_ARENA_ARRAY(arena, int64_t, n + n_extents);
  for (uint32_t i = 0; i < op->n_operands; ++i) operands[i] = ir_operand(op, i);
  for (uint32_t i = 0; i < n + n_extents; ++i) {
    types[i] = i < n ? ir_result(op, i)->type : ir_type_index(ctx);
    from[i] = i < n ? (int64_t)i : CONTROL_NEW;
  }
  op = control_rebuild(ctx, op, operands, op->n_operands, types, from, n + n_extents);
  ir_builder_t b = ir_builder_after(ctx, op);
  ir_value_t *extents[SHAPE_MAX_RANK];
  for (uint32_t i = 0, k = n; i < n; ++i) {
    uint32_t count = n_dynamic(ir_result(op, i)->type);
    for (uint32_t j = 0; j < count; ++j) extents[j] = ir_result(op, k + j);
    k += tie(&b, ir_result(op, i), extents);
  }
  return op;
}

static void convert_branches(ir_ctx_t *ctx, ir_op_t *op) {
  uint32_t n = count_extents(op->results, op->n_results);
  if (!n) return;
  for (uint16_t r = 0; r < op->n_regions; ++r) append_extents(ctx, op->regions[r]->first->last, 0);
  tie_results(ctx, op, n);
}
static void convert_for(ir_ctx_t *ctx, ir_op_t *op) {
  enum { INITS = 3 };
  uint32_t n = count_extents(op->results, op->n_results);
  if (!n) return;
  append_extents(ctx, ir_body(op)->last, 0);
  tie_args(ctx, ir_body(op), 1);
  append_extents(ctx, op, INITS);
  tie_results(ctx, op, n);
}
static void convert_while(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *before = op->regions[0]->first, *after = op->regions[1]->first;
  uint32_t n = count_extents(op->results, op->n_results), n_in = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i) n_in += n_dynamic(ir_operand(op, i)->type);
  if (n_in) {
    append_extents(ctx, after->last, 0);
    append_extents(ctx, op, 0);
    tie_args(ctx, before, 0);
  }
  if (!n) return;
  append_extents(ctx, before->last, 1);
  tie_args(ctx, after, 0);
  tie_results(ctx, op, n);
}

// Inner ops first, so that an outer one sees inner results with their shapes.
static iree_status_t convert_in(ir_ctx_t *ctx, ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r)
    for (ir_block_t *block = parent->regions[r]->first; block; block = block->next)
      for (ir_op_t *op = block->first, *next; op; op = next) {
        next = op->next;
        if (op->kind == OP_FLOW_DISPATCH_REGION) continue;  // loops of kernels change no extents
        IREE_RETURN_IF_ERROR(convert_in(ctx, op));
        if (!control_is_simple(op)) continue;
        IREE_RETURN_IF_ERROR(shape_check_rank(op));
        switch ((op_kind_t)op->kind) {
          case OP_SCF_IF:
          case OP_SCF_INDEX_SWITCH:
          case OP_SCF_EXECUTE_REGION: convert_branches(ctx, op); break;
          case OP_SCF_FOR: convert_for(ctx, op); break;
          case OP_SCF_WHILE: convert_while(ctx, op); break;
          default: break;
        }
      }
  return iree_ok_status();
}

iree_status_t flow_materialize_extents(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(convert_in(pass->ctx, op));
  return iree_ok_status();
}
