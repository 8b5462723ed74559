// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products summed over dimensions. Narrow floats are summed in f32 and rounded once.
#include <string.h>

#include "compiler/input/lower.h"

static ir_type_t accumulator(lowering_t *l, ir_type_t element) {
  return ir_type_is_float(element) && ir_type_width(element) < 32 ? ir_type_float(l->ctx, IR_F32)
                                                                  : element;
}
// |from| are the inputs' element types with signs, |to| the result's.
static ir_value_t *finish(lowering_t *l, ir_value_t *v, ir_type_t type) {
  if (ir_type_element(v->type) == ir_type_element(type)) return v;
  sizes_t sizes = low_sizes_like(l, type, v);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, &v, 1);
  return low_pointwise_end(
      l, &p, low_convert(&p.b, p.body->args[0], ir_type_element(v->type), ir_type_element(type)));
}
ir_value_t *low_contraction(lowering_t *l, ir_op_t *op, ir_value_t *const *inputs, ir_type_t type,
                            const sizes_t *sizes, const ir_attr_t *maps, const bool *parallel,
                            size_t n_loops) {
  ir_type_t to = ir_type_element(ir_result(op, 0)->type),
            sum = accumulator(l, low_type(l->ctx, to));
  ir_type_t semantic = ir_is(to, IR_T_INTEGER) ? to : sum;
  low_require_product(l, op, type, sizes);
  ir_value_t *out =
      low_filled(l, ir_type_with_element(l->ctx, type, sum), sizes, low_zero(&l->b, sum));
  ir_op_t *g = linalg_build_generic(&l->b, inputs, 2, &out, 1, maps, parallel, n_loops);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *x =
      low_convert(&b, ir_body(g)->args[0], ir_type_element(ir_operand(op, 0)->type), semantic);
  ir_value_t *y =
      low_convert(&b, ir_body(g)->args[1], ir_type_element(ir_operand(op, 1)->type), semantic);
  ir_value_t *r = low_add(&b, ir_body(g)->args[2], low_mul(&b, x, y));
  linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
  return finish(l, ir_result(g, 0), type);
}

static iree_status_t contract(lowering_t *l, ir_op_t *op, const hlo_dims_t *lb,
                              const hlo_dims_t *rb, const hlo_dims_t *lc, const hlo_dims_t *rc) {
  ir_value_t *inputs[2] = {lowered_operand(l, op, 0), lowered_operand(l, op, 1)};
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  ir_expr_t lhs[HLO_MAX_RANK], rhs[HLO_MAX_RANK], out[HLO_MAX_RANK];
  bool parallel[2 * HLO_MAX_RANK];
  sizes_t sizes = {.at = {0}};
  size_t n = 0, rank = ir_type_rank(type);
  for (size_t i = 0; i < lb->n; ++i)
    low_check_extents(l, op, inputs[0], (size_t)lb->at[i], inputs[1], (size_t)rb->at[i]);
  for (size_t i = 0; i < lc->n; ++i)
    low_check_extents(l, op, inputs[0], (size_t)lc->at[i], inputs[1], (size_t)rc->at[i]);
  // Loops: batch, free of lhs, free of rhs (the result's dimensions), then contracting.
  for (size_t i = 0; i < lb->n; ++i, ++n) {
    if (ir_type_dim(type, n) == IR_DYNAMIC)
      sizes.at[n] = low_dim_value(l, inputs[0], (size_t)lb->at[i]);
    lhs[lb->at[i]] = rhs[rb->at[i]] = ir_expr_dim(l->ctx, n);
  }
  for (size_t side = 0; side < 2; ++side) {
    const hlo_dims_t *batch = side ? rb : lb, *contracting = side ? rc : lc;
    for (size_t i = 0; i < ir_type_rank(inputs[side]->type); ++i) {
      if (hlo_has(batch, (int64_t)i) || hlo_has(contracting, (int64_t)i)) continue;
      if (ir_type_dim(type, n) == IR_DYNAMIC) sizes.at[n] = low_dim_value(l, inputs[side], i);
      (side ? rhs : lhs)[i] = ir_expr_dim(l->ctx, n++);
    }
  }
  for (size_t i = 0; i < rank; ++i) out[i] = ir_expr_dim(l->ctx, i), parallel[i] = true;
  for (size_t i = 0; i < lc->n; ++i, ++n) {
    lhs[lc->at[i]] = rhs[rc->at[i]] = ir_expr_dim(l->ctx, n);
    parallel[n] = false;
  }
  ir_attr_t maps[3] = {ir_attr_map(l->ctx, n, 0, lhs, ir_type_rank(inputs[0]->type)),
                       ir_attr_map(l->ctx, n, 0, rhs, ir_type_rank(inputs[1]->type)),
                       ir_attr_map(l->ctx, n, 0, out, rank)};
  return input_lower_result(l, op, low_contraction(l, op, inputs, type, &sizes, maps, parallel, n));
}
iree_status_t input_lower_dot_general(lowering_t *l, ir_op_t *op) {
  ir_attr_t numbers = ir_op_attr(op, "dot_dimension_numbers");
  hlo_dims_t lb = hlo_list(numbers, "lhs_batching_dimensions"),
             rb = hlo_list(numbers, "rhs_batching_dimensions");
  hlo_dims_t lc = hlo_list(numbers, "lhs_contracting_dimensions"),
             rc = hlo_list(numbers, "rhs_contracting_dimensions");
  return contract(l, op, &lb, &rb, &lc, &rc);
}
iree_status_t input_lower_dot(lowering_t *l, ir_op_t *op) {
  size_t r = ir_type_rank(ir_operand(op, 0)->type), s = ir_type_rank(ir_operand(op, 1)->type);
  if (r < 1 || r > 2 || s < 1 || s > 2 || ir_type_rank(ir_result(op, 0)->type) != r + s - 2)
    return ir_op_error(op, "takes vectors and matrices");
  hlo_dims_t none = {.n = 0}, lc = {{(int64_t)r - 1}, 1}, rc = {{0}, 1};
  return contract(l, op, &none, &none, &lc, &rc);
}

// ---- einsum: `ab,bc->ac`; loops are the result's letters, then those summed over
iree_status_t input_lower_einsum(lowering_t *l, ir_op_t *op) {
  enum { MAX_LETTERS = 2 * HLO_MAX_RANK };
  ir_attr_t config = ir_op_attr(op, "einsum_config");
  const char *parts[3] = {ir_bytes(config), NULL, NULL}, *comma = strchr(parts[0], ','),
             *arrow = strstr(parts[0], "->");
  ir_value_t *inputs[2] = {lowered_operand(l, op, 0), lowered_operand(l, op, 1)};
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  if (!comma || !arrow || comma > arrow)
    return ir_op_error(op, "needs a configuration such as \"ab,bc->ac\"");
  parts[1] = comma + 1, parts[2] = arrow + 2;
  size_t lengths[3] = {(size_t)(comma - parts[0]), (size_t)(arrow - comma - 1), strlen(arrow + 2)},
         n = 0;
  ir_type_t types[3] = {inputs[0]->type, inputs[1]->type, type};
  char letters[MAX_LETTERS];
  bool parallel[MAX_LETTERS];
  ir_attr_t maps[3];
  sizes_t sizes = sizes_none();
  for (size_t k = 0; k < 3; ++k) {
    size_t part = k == 0 ? 2 : k - 1;  // the result's letters first
    if (!ir_is(types[part], IR_T_TENSOR) || ir_type_rank(types[part]) != lengths[part] ||
        lengths[part] > HLO_MAX_RANK)
      return ir_op_error(op, "names as many letters as a tensor has dimensions");
    ir_expr_t exprs[HLO_MAX_RANK];
    for (size_t i = 0; i < lengths[part]; ++i) {
      char c = parts[part][i];
      size_t at = 0;
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) || memchr(parts[part], c, i))
        return ir_op_error(op, "supports single letters, each once per tensor");
      while (at < n && letters[at] != c) ++at;
      if (at == MAX_LETTERS) return ir_op_error(op, "has too many letters");
      if (at == n) letters[n] = c, parallel[n++] = k == 0;
      exprs[i] = ir_expr_dim(l->ctx, at);
    }
    maps[part] = (ir_attr_t)NULL;
    for (size_t i = 0; k && i < lengths[part]; ++i) {  // extents of dynamic results, and equal ones
      for (size_t d = 0; d < lengths[2]; ++d)
        if (parts[2][d] == parts[part][i] && ir_type_dim(type, d) == IR_DYNAMIC && !sizes.at[d])
          sizes.at[d] = low_dim_value(l, inputs[part], i);
      for (size_t d = 0; part == 1 && d < lengths[0]; ++d) {
        if (parts[0][d] != parts[1][i]) continue;
        int64_t x = ir_type_dim(types[0], d), y = ir_type_dim(types[1], i);
        if (x != y && x != IR_DYNAMIC && y != IR_DYNAMIC)
          return ir_op_error(op, "gives letter %c two extents", parts[1][i]);
        low_check_extents(l, op, inputs[0], d, inputs[1], i);
      }
    }
    maps[part] = ir_attr_map(l->ctx, MAX_LETTERS, 0, exprs, lengths[part]);
  }
  for (size_t k = 0; k < 3; ++k)
    maps[k] =
        ir_attr_map(l->ctx, n, 0, ir_kids(maps[k]), maps[k]->n_kids);  // now that |n| is known
  for (size_t d = 0; d < lengths[2]; ++d)
    if (!memchr(parts[0], parts[2][d], lengths[0]) && !memchr(parts[1], parts[2][d], lengths[1]))
      return ir_op_error(op, "has letter %c in the result only", parts[2][d]);
  return input_lower_result(l, op, low_contraction(l, op, inputs, type, &sizes, maps, parallel, n));
}
