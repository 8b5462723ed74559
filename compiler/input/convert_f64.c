// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  the program as written, under --iree-input-demote-f64-to-f32.
// Out: f32 wherever f64 stood: types, constants, function types. What takes the bits of an f64 is
// an error.
//
//   stablehlo.constant dense<0.1> : tensor<4xf64>   becomes   stablehlo.constant dense<0.1> :
//   tensor<4xf32>
#include <string.h>

#include "compiler/ir/fold.h"
#include "compiler/pass.h"

static ir_attr_t narrowed(ir_ctx_t *ctx, ir_attr_t a);

static bool is_f64(ir_type_t type) {
  return ir_is(type, IR_T_FLOAT) && ir_float_kind(type) == IR_F64;
}
static bool holds_f64(ir_type_t element) {
  return is_f64(element) || (ir_is(element, IR_T_COMPLEX) && is_f64(ir_kid(element, 0)));
}

static ir_attr_t narrowed_dense(ir_ctx_t *ctx, ir_type_t type, const void *data, size_t n_bytes,
                                bool splat) {
  size_t n = n_bytes / sizeof(double);
  float *out = iree_arena_alloc(ir_arena(ctx), n * sizeof *out + 1);
  for (size_t i = 0; i < n; ++i) {
    double v;
    memcpy(&v, (const char *)data + i * sizeof v, sizeof v);
    uint32_t bits = (uint32_t)ir_float_from_double(IR_F32, v);
    memcpy(&out[i], &bits, sizeof bits);
  }
  return ir_attr_dense(ctx, type, out, n * sizeof *out, splat, false);
}
// The same term with every f64 below it an f32.
static ir_attr_t narrowed(ir_ctx_t *ctx, ir_attr_t a) {
  if (!a) return NULL;
  if (is_f64(a)) return ir_type_float(ctx, IR_F32);
  if (ir_is(a, IR_A_FLOAT) && is_f64(ir_kid(a, 0))) {
    double v = ir_float_to_double(IR_F64, (uint64_t)ir_int(a, 0));
    return ir_attr_float_bits(ctx, ir_type_float(ctx, IR_F32), ir_float_from_double(IR_F32, v));
  }
  if (ir_is(a, IR_A_DENSE) && holds_f64(ir_type_element(ir_dense_type(a))))
    return narrowed_dense(ctx, narrowed(ctx, ir_dense_type(a)), ir_dense_data(a), ir_dense_bytes(a),
                          ir_dense_is_splat(a));
  if (ir_is(a, IR_A_RESOURCE) && holds_f64(ir_type_element(ir_kid(a, 0)))) {
    const ir_resource_t *r = ir_ctx_find_resource(ctx, ir_bytes(a));
    return r ? narrowed_dense(ctx, narrowed(ctx, ir_kid(a, 0)), r->data, r->n_bytes, false) : a;
  }
  const ir_term_t **kids = NULL;
  for (uint32_t i = 0; i < a->n_kids; ++i) {
    ir_attr_t kid = ir_kid(a, i), n = narrowed(ctx, kid);
    if (n == kid) continue;
    if (!kids) {
      kids = IREE_ARENA_ARRAY(ir_arena(ctx), const ir_term_t *, a->n_kids);
      memcpy(kids, ir_kids(a), a->n_kids * sizeof *kids);
    }
    kids[i] = n;
  }
  return kids ? ir_term(ctx, (ir_term_kind_t)a->kind, ir_ints(a), a->n_ints, kids, a->n_kids,
                        ir_bytes(a), a->n_bytes)
              : a;
}

static iree_status_t narrow_op(ir_op_t *op, void *self) {
  ir_ctx_t *ctx = self;
  if (op->kind == OP_HLO_BITCAST_CONVERT || op->kind == OP_ARITH_BITCAST) {
    ir_type_t from = ir_type_element(ir_operand(op, 0)->type),
              to = ir_type_element(ir_result(op, 0)->type);
    // Operands have been narrowed before their uses: only the result still tells.
    bool from_narrowed =
        ir_is(from, IR_T_FLOAT) && ir_float_kind(from) == IR_F32 && ir_type_width(to) == 64 &&
        ir_type_rank(ir_operand(op, 0)->type) == ir_type_rank(ir_result(op, 0)->type);
    if (holds_f64(from) || holds_f64(to) || from_narrowed)
      return ir_op_error(op,
                         "takes the bits of an f64, which --iree-input-demote-f64-to-f32 narrows; "
                         "compile without that flag");
  }
  for (uint32_t i = 0; i < op->n_results; ++i)
    op->results[i].type = narrowed(ctx, op->results[i].type);
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (uint32_t i = 0; i < b->n_args; ++i) b->args[i]->type = narrowed(ctx, b->args[i]->type);
  const ir_op_info_t *info = ir_op_info(op);
  for (const char *name = info->attrs; *name;) {  // the row's attributes, by name
    size_t n = strcspn(name, ":? =");
    const char *interned = ir_intern(ctx, name, n);
    ir_attr_t value = ir_op_attr(op, interned);
    bool own = op->kind == OP_HLO_BATCH_NORM_INFERENCE || op->kind == OP_HLO_BATCH_NORM_TRAINING ||
               op->kind == OP_HLO_BATCH_NORM_GRAD;
    if (value && !own) ir_op_set_attr(ctx, op, interned, narrowed(ctx, value));
    name += strcspn(name, " ");
    while (*name == ' ') ++name;
  }
  if ((op->kind == OP_ARITH_EXTF || op->kind == OP_ARITH_TRUNCF) &&
      ir_operand(op, 0)->type == ir_result(op, 0)->type)
    ir_op_replace(op, (ir_value_t *[]){ir_operand(op, 0)});
  return iree_ok_status();
}
iree_status_t input_convert_f64(pass_t *pass, ir_op_t *module) {
  if (!pass->options->demote_f64_to_f32) return iree_ok_status();
  return ir_walk(module, narrow_op, pass->ctx);
}
