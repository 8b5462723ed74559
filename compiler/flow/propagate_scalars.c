// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets kernels read the single numbers that the host has no registers for: f16, bf16, f8, complex,
// integers of less than a byte.
//   in:  tensor.extract of such elements, used by linalg.fill, by structured ops or in their bodies
//   out: structured ops that read the tensor themselves      relies on: host arithmetic having moved
//
//   %x = tensor.extract %p[] : tensor<bf16>       linalg.fill ins(%x : bf16) outs(%e)
//   ->
//   linalg.generic ins(%p : tensor<bf16>) outs(%e) {yield %in}
#include "compiler/dialects/linalg.h"
#include "compiler/flow/shapes.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

static bool host_reads(ir_type_t type) {
  if (ir_is(type, IR_T_INDEX)) return true;
  if (ir_is(type, IR_T_INTEGER)) return ir_type_width(type) == 1 || ir_type_width(type) % 8 == 0;
  return ir_is(type, IR_T_FLOAT) && (ir_float_kind(type) == IR_F32 || ir_float_kind(type) == IR_F64);
}

// The structured op that |op| stands in, which may be |op| itself.
static ir_op_t *structured_around(ir_op_t *op) {
  for (; op; op = op->block && op->block->region ? op->block->region->op : NULL)
    if (linalg_is_structured(op)) return op;
  return NULL;
}
static ir_value_t *extract_again(ir_builder_t *b, ir_op_t *extract) {
  ir_value_t *operands[SHAPE_MAX_RANK + 1];
  for (uint32_t i = 0; i < extract->n_operands; ++i) operands[i] = ir_operand(extract, i);
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_EXTRACT, .operands = operands, .n_operands = extract->n_operands,
                                               .results = &ir_result(extract, 0)->type, .n_results = 1}), 0);
}
// |output| with |scalar|, a tensor of rank 0, everywhere; if NULL, with what |extract| reads.
static ir_value_t *broadcast(ir_builder_t *b, ir_value_t *scalar, ir_op_t *extract, ir_value_t *output) {
  size_t rank = ir_type_rank(output->type);
  bool parallel[SHAPE_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) parallel[i] = true;
  ir_attr_t maps[2] = {ir_attr_map(b->ctx, rank, 0, NULL, 0), ir_attr_identity_map(b->ctx, rank)};
  ir_op_t *g = linalg_build_generic(b, &scalar, scalar ? 1 : 0, &output, 1, scalar ? maps : maps + 1, parallel, rank);
  ir_builder_t in = ir_builder_at_end(b->ctx, ir_body(g));
  in.loc = b->loc;
  ir_value_t *v = scalar ? ir_body(g)->args[0] : extract_again(&in, extract);
  linalg_build_yield(b->ctx, g, &v, 1, b->loc);
  return ir_result(g, 0);
}
// The element that |extract| reads, as a tensor of rank 0.
static ir_value_t *as_tensor(ir_builder_t *b, ir_op_t *extract) {
  ir_value_t *from = ir_operand(extract, 0);
  if (!ir_type_rank(from->type)) return from;
  ir_type_t type = ir_type_tensor(b->ctx, NULL, 0, ir_type_element(from->type), NULL);
  ir_op_t *empty = ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY, .results = &type, .n_results = 1});
  return broadcast(b, NULL, extract, ir_result(empty, 0));
}

static void move_use(ir_ctx_t *ctx, ir_op_t *extract, ir_use_t *use) {
  ir_op_t *user = use->user, *structured = structured_around(user);
  if (user->kind == OP_LINALG_FILL) {
    ir_builder_t b = ir_builder_before(ctx, user);
    ir_value_t *filled = broadcast(&b, as_tensor(&b, extract), extract, ir_operand(user, 1));
    ir_op_replace(user, &filled);
  } else if (structured == user) {
    ir_builder_t b = ir_builder_before(ctx, user);
    ir_use_set(use, as_tensor(&b, extract));
  } else if (structured) {
    ir_builder_t b = ir_builder_at_start(ctx, ir_body(structured));
    b.loc = extract->loc;
    ir_use_set(use, extract_again(&b, extract));
  } else if (user->kind == OP_TENSOR_FROM_ELEMENTS && user->n_operands == 1) {
    ir_builder_t b = ir_builder_before(ctx, user);
    ir_type_t type = ir_result(user, 0)->type;
    ir_op_t *empty = ir_build(&b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY, .results = &type, .n_results = 1});
    ir_value_t *filled = broadcast(&b, as_tensor(&b, extract), extract, ir_result(empty, 0));
    ir_op_replace(user, &filled);
  }
}
typedef struct extracts {
  pass_t *pass;
  ir_op_t **ops;
  uint32_t n, cap;
} extracts_t;
static iree_status_t collect(ir_op_t *op, void *self) {
  extracts_t *e = self;
  if (op->kind != OP_TENSOR_EXTRACT || host_reads(ir_result(op, 0)->type) || structured_around(op)) return iree_ok_status();
  IREE_RETURN_IF_ERROR(shape_check_rank(op));
  for (ir_use_t *use = ir_result(op, 0)->uses; use; use = use->next) IREE_RETURN_IF_ERROR(shape_check_rank(use->user));
  IREE_ARENA_PUSH(e->pass->scratch, e->ops, e->n, e->cap, op);
  return iree_ok_status();
}

iree_status_t flow_propagate_scalars(pass_t *pass, ir_op_t *module) {
  extracts_t e = {.pass = pass};
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, collect, &e));
  for (uint32_t i = 0; i < e.n; ++i) {
    for (ir_use_t *use = ir_result(e.ops[i], 0)->uses, *next; use; use = next) {
      next = use->next;
      move_use(pass->ctx, e.ops[i], use);
    }
    // Else folding would find that the bodies read again what is known outside.
    if (ir_unused(ir_result(e.ops[i], 0))) ir_op_erase(e.ops[i]);
  }
  return e.n ? ir_simplify(pass->ctx, module) : iree_ok_status();
}
