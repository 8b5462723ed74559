// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CHLO's implicit broadcasts, written out. Dimensions align at the end, or as broadcast_dimensions
// says; extents that are known at run time only are compared there.
#include "compiler/input/build_hlo.h"

static const struct {
  ir_kind_t from, to;
} broadcasts[] = {
    {OP_CHLO_BROADCAST_ADD, OP_HLO_ADD},
    {OP_CHLO_BROADCAST_AND, OP_HLO_AND},
    {OP_CHLO_BROADCAST_ATAN2, OP_HLO_ATAN2},
    {OP_CHLO_BROADCAST_COMPLEX, OP_HLO_COMPLEX},
    {OP_CHLO_BROADCAST_DIVIDE, OP_HLO_DIVIDE},
    {OP_CHLO_BROADCAST_MAXIMUM, OP_HLO_MAXIMUM},
    {OP_CHLO_BROADCAST_MINIMUM, OP_HLO_MINIMUM},
    {OP_CHLO_BROADCAST_MULTIPLY, OP_HLO_MULTIPLY},
    {OP_CHLO_BROADCAST_NEXT_AFTER, OP_CHLO_NEXT_AFTER},
    {OP_CHLO_BROADCAST_OR, OP_HLO_OR},
    {OP_CHLO_BROADCAST_POLYGAMMA, OP_CHLO_POLYGAMMA},
    {OP_CHLO_BROADCAST_POWER, OP_HLO_POWER},
    {OP_CHLO_BROADCAST_REMAINDER, OP_HLO_REMAINDER},
    {OP_CHLO_BROADCAST_SHIFT_LEFT, OP_HLO_SHIFT_LEFT},
    {OP_CHLO_BROADCAST_SHIFT_RIGHT_ARITHMETIC, OP_HLO_SHIFT_RIGHT_ARITHMETIC},
    {OP_CHLO_BROADCAST_SHIFT_RIGHT_LOGICAL, OP_HLO_SHIFT_RIGHT_LOGICAL},
    {OP_CHLO_BROADCAST_SUBTRACT, OP_HLO_SUBTRACT},
    {OP_CHLO_BROADCAST_XOR, OP_HLO_XOR},
    {OP_CHLO_BROADCAST_ZETA, OP_CHLO_ZETA},
    {OP_CHLO_BROADCAST_COMPARE, OP_HLO_COMPARE},
    {OP_CHLO_BROADCAST_SELECT, OP_HLO_SELECT},
};
static ir_kind_t plain_of(ir_kind_t kind) {
  for (size_t i = 0; i < sizeof broadcasts / sizeof *broadcasts; ++i)
    if (broadcasts[i].from == kind) return broadcasts[i].to;
  return OP_NONE;
}
bool input_is_broadcast(ir_kind_t kind) { return plain_of(kind) != OP_NONE; }

enum { MAX_OPERANDS = 3 };
typedef struct broadcast {
  ir_type_t type;  // of the result
  size_t rank, n;
  ir_value_t *operands[MAX_OPERANDS];
  int64_t dims[MAX_OPERANDS][HLO_MAX_RANK];  // where each dimension goes
} broadcast_t;

static iree_status_t read_broadcast(ir_op_t *op, broadcast_t *c) {
  hlo_dims_t given = hlo_dims(op, "broadcast_dimensions", 0, 0);
  *c = (broadcast_t){.type = ir_result(op, 0)->type, .n = op->n_operands};
  if (!ir_is(c->type, IR_T_TENSOR) || ir_type_rank(c->type) > HLO_MAX_RANK || c->n > MAX_OPERANDS)
    return ir_op_error(op, "needs a ranked result");
  c->rank = ir_type_rank(c->type);
  for (uint32_t i = 0; i < c->n; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) > c->rank)
      return ir_op_error(op, "operand %u does not fit the result's rank", i);
    size_t r = ir_type_rank(type);
    c->operands[i] = ir_operand(op, i);
    for (size_t d = 0; d < r; ++d) {
      int64_t to = given.n == r && r < c->rank ? given.at[d] : (int64_t)(d + c->rank - r);
      if (to < 0 || to >= (int64_t)c->rank)
        return ir_op_error(op, "names dimension %lld of rank %zu", (long long)to, c->rank);
      c->dims[i][d] = to;
      int64_t from = ir_type_dim(type, d), want = ir_type_dim(c->type, (size_t)to);
      if (from != want && from != 1 && from != IR_DYNAMIC && want != IR_DYNAMIC)
        return ir_op_error(op, "cannot broadcast extent %lld of operand %u", (long long)from, i);
    }
  }
  return iree_ok_status();
}
// Does operand |i| say all extents, the others being scalars?
static bool says_all(const broadcast_t *c, size_t i) {
  if (ir_type_rank(c->operands[i]->type) != c->rank) return false;
  for (size_t k = 0; k < c->n; ++k)
    if (k != i && ir_type_rank(c->operands[k]->type)) return false;
  return true;
}

static ir_value_t *compare(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  ir_type_t i1 = ir_type_tensor(b->ctx, NULL, 0, ir_type_i(b->ctx, 1), NULL);
  return ir_build_attr(b, OP_HLO_COMPARE, i1, "comparison_direction", ir_attr_keyword(b->ctx, "EQ"),
                       x, y);
}
// Dimension |d| of the result: the extent that is not 1; two that are not must agree.
static ir_value_t *common_extent(ir_builder_t *b, const broadcast_t *c, size_t d) {
  ir_value_t *extent = NULL, *one = NULL;
  for (size_t i = 0; i < c->n; ++i)
    for (size_t k = 0; k < ir_type_rank(c->operands[i]->type); ++k) {
      if (c->dims[i][k] != (int64_t)d || ir_type_dim(c->operands[i]->type, k) == 1) continue;
      ir_value_t *own = hlo_extent(b, c->operands[i], k);
      if (!extent) {
        extent = own;
        continue;
      }
      if (!one) one = hlo_i32(b, 1);
      ir_value_t *grows = compare(b, extent, one);
      hlo_assert(b,
                 hlo2(b, OP_HLO_OR, hlo2(b, OP_HLO_OR, grows, compare(b, own, one)),
                      compare(b, extent, own)),
                 "extents of operands neither agree nor are 1");
      extent = ir_build1(b, OP_HLO_SELECT, extent->type, grows, own, extent);
    }
  return extent ? extent : hlo_i32(b, 1);
}
static ir_value_t *common_shape(ir_builder_t *b, const broadcast_t *c) {
  ir_value_t *extents[HLO_MAX_RANK];
  for (size_t i = 0; i < c->n; ++i)
    if (says_all(c, i)) return hlo_shape_of(b, c->operands[i]);
  for (size_t d = 0; d < c->rank; ++d) extents[d] = common_extent(b, c, d);
  return hlo_shape(b, extents, c->rank);
}

iree_status_t input_decompose_broadcast(ir_ctx_t *ctx, ir_op_t *op) {
  broadcast_t c;
  IREE_RETURN_IF_ERROR(read_broadcast(op, &c));
  ir_builder_t b = ir_builder_before(ctx, op);
  bool is_static = ir_type_is_static(c.type);
  ir_value_t *shape = NULL, *operands[MAX_OPERANDS];
  for (size_t i = 0; i < c.n; ++i) {
    ir_type_t from = c.operands[i]->type;
    operands[i] = c.operands[i];
    bool is_select = op->kind == OP_CHLO_BROADCAST_SELECT && i == 0 && !ir_type_rank(from);
    if (is_select || (!is_static && says_all(&c, i))) continue;
    ir_type_t want = ir_type_with_element(ctx, c.type, ir_type_element(from));
    if (is_static && from == want) continue;
    bool known = is_static && ir_type_is_static(from);
    if (!known && !shape) shape = common_shape(&b, &c);
    operands[i] = known ? hlo_broadcast(&b, operands[i], want, c.dims[i], NULL)
                        : hlo_dynamic_broadcast(&b, operands[i], want, c.dims[i], shape);
  }
  ir_kind_t kind = plain_of(op->kind);
  ir_named_t attrs[2] = {{"comparison_direction", ir_op_attr(op, "comparison_direction")},
                         {"compare_type", ir_op_attr(op, "compare_type")}};
  ir_op_t *made = ir_build(&b, &(ir_op_desc_t){.kind = kind,
                                               .loc = op->loc,
                                               .operands = operands,
                                               .n_operands = c.n,
                                               .results = &c.type,
                                               .n_results = 1,
                                               .attrs = attrs,
                                               .n_attrs = kind == OP_HLO_COMPARE ? 2 : 0});
  ir_op_replace(op, (ir_value_t *[]){ir_result(made, 0)});
  return iree_ok_status();
}
