// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on short vectors of host numbers, which is how StableHLO computes shapes, goes element by
// element: scalars of the host, which then needs no kernel and no wait for one.
//   in:  linalg.generic over one short loop, of tensor.from_elements and constants, whose elements are extracted
//   out: arith on scalars, tensor.from_elements      relies on: folding of tensor.extract
//
//   %n = tensor.from_elements %a, %b : tensor<2xi32>      %s = arith.subi %a, %c1;  %t = arith.subi %b, %c1
//   %m = linalg.generic ins(%n) {x -> x - 1}         ->   %m = tensor.from_elements %s, %t
//   %d = tensor.extract %m[%c0]                           %d = tensor.extract %m[%c0]
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/flow/shapes.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum { MAX_ELEMENTS = 16 };  // more is data, not a shape

static bool is_host_int(ir_type_t type) {
  return ir_is(type, IR_T_INDEX) || (ir_is(type, IR_T_INTEGER) && (ir_type_width(type) == 1 || ir_type_width(type) == 32 || ir_type_width(type) == 64));
}
static bool is_short_vector(ir_type_t type) {
  if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) > 1 || !is_host_int(ir_type_element(type))) return false;
  return !ir_type_rank(type) || (ir_type_dim(type, 0) > 0 && ir_type_dim(type, 0) <= MAX_ELEMENTS);
}
static bool is_known(const ir_value_t *v) {
  const ir_op_t *op = ir_def(v);
  return op && is_short_vector(v->type) && (op->kind == OP_TENSOR_FROM_ELEMENTS || op->kind == OP_ARITH_CONSTANT);
}
static bool is_scalar_body(const ir_op_t *generic) {
  ir_block_t *body = ir_body(generic);
  for (ir_op_t *op = body->first; op != body->last; op = op->next) {
    bool is_arith = !strncmp(ir_op_name(op), "arith.", 6) && !op->n_regions && op->n_results == 1;
    if (!is_arith || !is_host_int(ir_result(op, 0)->type)) return false;
    for (uint32_t i = 0; i < op->n_operands; ++i)
      if (!is_host_int(ir_operand(op, i)->type)) return false;
  }
  return true;
}
static bool is_shape_arithmetic(ir_ctx_t *ctx, const ir_op_t *op) {
  if (linalg_n_loops(ctx, op) != 1 || !linalg_is_parallel(ctx, op, 0) || op->n_results != 1) return false;
  if (!is_short_vector(ir_result(op, 0)->type) || !ir_type_rank(ir_result(op, 0)->type)) return false;
  ir_group_t inputs = linalg_inputs(op);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_attr_t map = linalg_map(ctx, op, i);
    bool is_input = i >= inputs.first && i < inputs.first + inputs.n;
    bool is_broadcast = map == ir_attr_map(ctx, 1, 0, NULL, 0);
    if (map != ir_attr_identity_map(ctx, 1) && !(is_input && is_broadcast)) return false;
    if (is_input ? !is_known(ir_operand(op, i)) : linalg_operand_is_read(op, i)) return false;
  }
  return true;
}

static void convert(pass_t *pass, ir_op_t *op) {
  ir_ctx_t *ctx = pass->ctx;
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_type_t type = ir_result(op, 0)->type;
  ir_group_t inputs = linalg_inputs(op);
  ir_value_t *elements[MAX_ELEMENTS];
  int64_t n = ir_type_dim(type, 0);
  for (int64_t k = 0; k < n; ++k) {
    ir_map_t *map = ir_map_create(pass->scratch);
    for (uint32_t i = 0; i < inputs.n; ++i) {
      ir_value_t *vector = ir_operand(op, inputs.first + i);
      ir_value_t *at = ir_type_rank(vector->type) ? build_index(&b, k) : NULL;
      ir_map_set(map, ir_body(op)->args[inputs.first + i],
                 ir_build1(&b, OP_TENSOR_EXTRACT, ir_type_element(vector->type), vector, at, NULL));
    }
    for (ir_op_t *o = ir_body(op)->first; o != ir_body(op)->last; o = o->next) ir_insert(&b, ir_op_clone(ctx, o, map));
    ir_value_t *yielded = ir_operand(ir_body(op)->last, 0), *to = ir_map_get(map, yielded);
    elements[k] = to ? to : yielded;
  }
  ir_op_t *made = ir_build(&b, &(ir_op_desc_t){.kind = OP_TENSOR_FROM_ELEMENTS, .operands = elements, .n_operands = (size_t)n,
                                               .results = &type, .n_results = 1});
  ir_op_replace(op, (ir_value_t *[]){ir_result(made, 0)});
}

typedef struct finder {
  pass_t *pass;
  ir_op_t **ops;  // bodies that the host can run, in order
  size_t n, cap;
} finder_t;
static iree_status_t collect(ir_op_t *op, void *self) {
  finder_t *f = self;
  if (op->kind == OP_LINALG_GENERIC && is_scalar_body(op)) IREE_ARENA_PUSH(f->pass->scratch, f->ops, f->n, f->cap, op);
  return iree_ok_status();
}
// Is the vector wanted by the host, at least in part? What only kernels read is theirs to compute.
// |wanted| has the answer for later ops.
static bool is_read_by_host(const ir_map_t *wanted, const ir_op_t *op) {
  for (uint32_t r = 0; r < op->n_results; ++r)
    for (ir_use_t *use = ir_result(op, r)->uses; use; use = use->next)
      if (ir_op_is(use->user, OP_TENSOR_EXTRACT) || ir_map_get(wanted, use->user)) return true;
  return false;
}

iree_status_t flow_convert_shape_arithmetic(pass_t *pass, ir_op_t *module) {
  finder_t f = {.pass = pass};
  IREE_RETURN_IF_ERROR(ir_walk(module, collect, &f));
  ir_map_t *wanted = ir_map_create(pass->scratch);
  for (size_t i = f.n; i-- > 0;)
    if (is_read_by_host(wanted, f.ops[i])) ir_map_set(wanted, f.ops[i], f.ops[i]);
  for (size_t i = 0; i < f.n; ++i)
    if (ir_map_get(wanted, f.ops[i]) && is_shape_arithmetic(pass->ctx, f.ops[i])) convert(pass, f.ops[i]);
  return ir_simplify(pass->ctx, module);
}
