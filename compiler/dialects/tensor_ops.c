// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tensor: texts of the reshapes, splat, checks of shapes, folds.
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/fold.h"

static bool is_tensor(ir_type_t type) { return ir_is(type, IR_T_TENSOR); }

// ---- reassociation: `[[0, 1], [2]]`, kept as an array of arrays of i64
static void print_reassociation(ir_printer_t *p, ir_attr_t groups) {
  pr_raw(p, " [");
  for (uint32_t g = 0; g < groups->n_kids; ++g) {
    if (g) pr_text(p, ",");
    pr_text(p, "[");
    for (uint32_t i = 0; i < ir_kid(groups, g)->n_kids; ++i) {
      if (i) pr_text(p, ",");
      pr_int(p, ir_int(ir_kid(ir_kid(groups, g), i), 0));
    }
    pr_text(p, "]");
  }
  pr_text(p, "]");
}
static iree_status_t check_reassociation(ir_op_t *op, ir_type_t wide, ir_type_t narrow) {
  ir_attr_t groups = ir_op_attr(op, "reassociation");
  if (!is_tensor(wide) || !is_tensor(narrow)) return iree_ok_status();  // memrefs of the same names
  if (!ir_is(groups, IR_A_ARRAY) || groups->n_kids != ir_type_rank(narrow))
    return ir_op_error(op, "needs one group of dimensions per dimension of the smaller rank");
  size_t next = 0;
  for (uint32_t g = 0; g < groups->n_kids; ++g) {
    ir_attr_t group = ir_kid(groups, g);
    int64_t product = 1;
    if (!ir_is(group, IR_A_ARRAY)) return ir_op_error(op, "has a group that is not a list");
    for (uint32_t i = 0; i < group->n_kids; ++i, ++next) {
      if (!ir_is(ir_kid(group, i), IR_A_INT) || ir_int(ir_kid(group, i), 0) != (int64_t)next ||
          next >= ir_type_rank(wide))
        return ir_op_error(op, "has groups that do not list all dimensions in order");
      int64_t dim = ir_type_dim(wide, next);
      product = dim == IR_DYNAMIC || product == IR_DYNAMIC ? IR_DYNAMIC : product * dim;
    }
    int64_t have = ir_type_dim(narrow, g);
    if (product != IR_DYNAMIC && have != IR_DYNAMIC && have != product)
      return ir_op_error(op, "group %u holds %lld elements, the dimension %lld", g,
                         (long long)product, (long long)have);
  }
  if (next != ir_type_rank(wide) &&
      (groups->n_kids || !ir_type_is_static(wide) || ir_type_n_elements(wide) != 1))
    return ir_op_error(op, "has groups that leave dimensions out");
  return iree_ok_status();
}

static bool expand_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t groups;
  ir_type_t from, to;
  int64_t sizes[64];
  size_t n = 0;
  if (!p_operand(p, &s->operands[0]) || !p_attr(p, &groups) ||
      !p_set_attr(p, s, "reassociation", groups) || !p_expect(p, "output_shape") ||
      !p_expect(p, "["))
    return false;
  if (!p_at(p, "]")) {
    do {
      if (n == 64) return p_error(p, "more than 64 dimensions");
      sizes[n] = IR_DYNAMIC;
      if (p_at_operand(p) ? !p_operand(p, &s->operands[1]) : !p_expect_int(p, &sizes[n]))
        return false;
      ++n;
    } while (p_accept(p, ","));
  }
  if (!p_expect(p, "]") ||
      !p_set_attr(p, s, "static_output_shape", ir_attr_i64s(p_ctx(p), sizes, n)) ||
      !p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &from) || !p_expect(p, "into") ||
      !p_type(p, &to))
    return false;
  p_list_set_type(p, &s->operands[0], from);
  p_list_set_type(p, &s->operands[1], ir_type_index(p_ctx(p)));
  p_types_push(p, &s->results[0], to);
  return true;
}
static void expand_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"reassociation", "static_output_shape", NULL};
  ir_attr_t sizes = ir_op_attr(op, "static_output_shape");
  uint32_t next = 1;
  pr_value(p, ir_operand(op, 0));
  print_reassociation(p, ir_op_attr(op, "reassociation"));
  pr_raw(p, " output_shape [");
  for (uint32_t i = 0; i < sizes->n_ints; ++i) {
    if (i) pr_text(p, ",");
    if (ir_int(sizes, i) == IR_DYNAMIC && next < op->n_operands)
      pr_value(p, ir_operand(op, next++));
    else
      pr_int(p, ir_int(sizes, i));
  }
  pr_text(p, "]");
  pr_attr_dict(p, op, skip);
  pr_text(p, ":");
  pr_type(p, ir_operand(op, 0)->type);
  pr_text(p, "into");
  pr_type(p, ir_result(op, 0)->type);
}
static iree_status_t expand_verify(ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  ir_attr_t sizes = ir_op_attr(op, "static_output_shape");
  uint32_t n_dynamic = 0;
  if (sizes->n_ints != ir_type_rank(type))
    return ir_op_error(op, "gives %u sizes for rank %zu", sizes->n_ints, ir_type_rank(type));
  for (uint32_t i = 0; i < sizes->n_ints; ++i) n_dynamic += ir_int(sizes, i) == IR_DYNAMIC;
  if (op->n_operands != n_dynamic + 1) return ir_op_error(op, "needs one operand per dynamic size");
  return check_reassociation(op, type, ir_operand(op, 0)->type);
}
static bool reshape_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  ir_value_t *source = ir_operand(op, 0);
  ir_type_t type = ir_result(op, 0)->type;
  if (source->type == type && ir_type_is_static(type)) return out_values[0] = source, true;
  ir_attr_t value = ir_constant_of(source);
  if (ir_is(value, IR_A_DENSE) && ir_type_is_static(type)) {
    out_attrs[0] = ir_attr_dense(ir_op_ctx(op), type, ir_dense_data(value), ir_dense_bytes(value),
                                 ir_dense_is_splat(value), false);
    return true;
  }
  // A chain of reshapes that ends in the shape it started from.
  enum { MAX_CHAIN = 8 };
  for (int i = 0; i < MAX_CHAIN && ir_type_is_static(type); ++i) {
    const ir_op_t *def = ir_def(source);
    if (!ir_op_is(def, OP_TENSOR_EXPAND_SHAPE) && !ir_op_is(def, OP_TENSOR_COLLAPSE_SHAPE)) break;
    source = ir_operand(def, 0);
    if (source->type == type) return out_values[0] = source, true;
  }
  return false;
}
const ir_op_hooks_t tensor_expand_hooks = {
    .verify = expand_verify, .fold = reshape_fold, .parse = expand_parse, .print = expand_print};

static bool collapse_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t groups;
  ir_type_t from, to;
  if (!p_operand(p, &s->operands[0]) || !p_attr(p, &groups) ||
      !p_set_attr(p, s, "reassociation", groups) || !p_attr_dict(p, s) || !p_expect(p, ":") ||
      !p_type(p, &from) || !p_expect(p, "into") || !p_type(p, &to))
    return false;
  p_list_set_type(p, &s->operands[0], from);
  p_types_push(p, &s->results[0], to);
  return true;
}
static void collapse_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"reassociation", NULL};
  pr_value(p, ir_operand(op, 0));
  print_reassociation(p, ir_op_attr(op, "reassociation"));
  pr_attr_dict(p, op, skip);
  pr_text(p, ":");
  pr_type(p, ir_operand(op, 0)->type);
  pr_text(p, "into");
  pr_type(p, ir_result(op, 0)->type);
}
static iree_status_t collapse_verify(ir_op_t *op) {
  return check_reassociation(op, ir_operand(op, 0)->type, ir_result(op, 0)->type);
}
const ir_op_hooks_t tensor_reshape_hooks = {.verify = collapse_verify,
                                            .fold = reshape_fold,
                                            .parse = collapse_parse,
                                            .print = collapse_print};

// ---- splat: `tensor.splat %x[%n] : tensor<?xf32>`
static bool splat_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t type;
  if (!p_operand(p, &s->operands[0])) return false;
  if (p_accept(p, "[") && !p_operands_until(p, &s->operands[1], "]")) return false;
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type)) return false;
  p_list_set_type(p, &s->operands[0], ir_type_element(type));
  p_list_set_type(p, &s->operands[1], ir_type_index(p_ctx(p)));
  p_types_push(p, &s->results[0], type);
  return true;
}
static void splat_print(ir_printer_t *p, const ir_op_t *op) {
  pr_value(p, ir_operand(op, 0));
  if (op->n_operands > 1) {
    pr_text(p, "[");
    pr_values(p, op, (ir_group_t){1, op->n_operands - 1});
    pr_text(p, "]");
  }
  pr_attr_dict(p, op, NULL);
  pr_text(p, ":");
  pr_type(p, ir_result(op, 0)->type);
}
static iree_status_t splat_verify(ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  if (ir_operand(op, 0)->type != ir_type_element(type))
    return ir_op_error(op, "takes a scalar of the element type");
  if (op->n_operands - 1 != ir_type_n_dynamic(type))
    return ir_op_error(op, "needs one size per dynamic dimension");
  return iree_ok_status();
}
const ir_op_hooks_t tensor_splat_hooks = {
    .verify = splat_verify, .parse = splat_parse, .print = splat_print};

// ---- empty, generate
static iree_status_t empty_verify(ir_op_t *op) {
  if (op->n_operands != ir_type_n_dynamic(ir_result(op, 0)->type))
    return ir_op_error(op, "has %u sizes for %zu dynamic dimensions", op->n_operands,
                       ir_type_n_dynamic(ir_result(op, 0)->type));
  return iree_ok_status();
}
const ir_op_hooks_t tensor_empty_hooks = {.verify = empty_verify};
static iree_status_t generate_verify(ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  if (op->n_operands != ir_type_n_dynamic(type))
    return ir_op_error(op, "needs one size per dynamic dimension");
  if (!ir_body(op) || ir_body(op)->n_args != ir_type_rank(type))
    return ir_op_error(op, "needs a body of one index per dimension");
  return iree_ok_status();
}
const ir_op_hooks_t tensor_generate_hooks = {.verify = generate_verify};

// ---- dim
// The extent of dimension |i| of |v| where the defining op tells it.
static bool dim_of(ir_ctx_t *ctx, ir_value_t *v, size_t i, ir_attr_t *attr, ir_value_t **value) {
  for (int depth = 0; depth < 64; ++depth) {
    if (!is_tensor(v->type) || i >= ir_type_rank(v->type)) return false;
    int64_t dim = ir_type_dim(v->type, i);
    if (dim != IR_DYNAMIC) return *attr = ir_attr_index(ctx, dim), true;
    ir_op_t *def = ir_def(v);
    if (!def) return false;
    if (def->kind == OP_TENSOR_EMPTY || def->kind == OP_TENSOR_SPLAT) {
      size_t k = def->kind == OP_TENSOR_SPLAT;
      for (size_t d = 0; d < i; ++d) k += ir_type_dim(v->type, d) == IR_DYNAMIC;
      return *value = ir_operand(def, k), true;
    }
    if (def->kind == OP_TENSOR_EXPAND_SHAPE) {
      size_t k = 1;
      ir_attr_t sizes = ir_op_attr(def, "static_output_shape");
      for (size_t d = 0; d < i; ++d) k += ir_int(sizes, d) == IR_DYNAMIC;
      if (ir_int(sizes, i) != IR_DYNAMIC) return *attr = ir_attr_index(ctx, ir_int(sizes, i)), true;
      return *value = ir_operand(def, k), true;
    }
    if (def->kind == OP_TENSOR_EXTRACT_SLICE) {
      ir_attr_t sizes = ir_op_attr(def, "static_sizes");
      if (sizes->n_ints != ir_type_rank(v->type)) return false;
      ir_group_t g = ir_operand_group(def, "sizes");
      size_t k = g.first;
      for (size_t d = 0; d < i; ++d) k += ir_int(sizes, d) == IR_DYNAMIC;
      if (ir_int(sizes, i) != IR_DYNAMIC) return *attr = ir_attr_index(ctx, ir_int(sizes, i)), true;
      return *value = ir_operand(def, k), true;
    }
    if (def->kind == OP_TENSOR_CAST)
      v = ir_operand(def, 0);
    else if (def->kind == OP_TENSOR_INSERT_SLICE || def->kind == OP_TENSOR_INSERT)
      v = ir_operand(def, 1);
    else if (def->n_regions == 1 && ir_operand_group(def, "outputs").n &&
             !strncmp(ir_op_name(def), "linalg.", 7))
      v = ir_operand(def, ir_operand_group(def, "outputs").first +
                              v->index);  // results have their outputs' shapes
    else
      return false;
  }
  return false;
}
static bool dim_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  int64_t i;
  if (!ir_constant_int(ir_operand(op, 1), &i) || i < 0) return false;
  return dim_of(ir_op_ctx(op), ir_operand(op, 0), (size_t)i, out_attrs, out_values);
}
static iree_status_t dim_verify(ir_op_t *op) {
  int64_t i;
  ir_type_t type = ir_operand(op, 0)->type;
  if (is_tensor(type) && ir_constant_int(ir_operand(op, 1), &i) &&
      (i < 0 || (size_t)i >= ir_type_rank(type)))
    return ir_op_error(op, "asks for dimension %lld of rank %zu", (long long)i, ir_type_rank(type));
  return iree_ok_status();
}
const ir_op_hooks_t tensor_dim_hooks = {.verify = dim_verify, .fold = dim_fold};

// ---- cast
static iree_status_t cast_verify(ir_op_t *op) {
  ir_type_t from = ir_operand(op, 0)->type, to = ir_result(op, 0)->type;
  if (!is_tensor(from) || !is_tensor(to)) return iree_ok_status();
  if (ir_type_element(from) != ir_type_element(to) || ir_type_rank(from) != ir_type_rank(to))
    return ir_op_error(op, "keeps element type and rank");
  for (size_t i = 0; i < ir_type_rank(from); ++i)
    if (ir_type_dim(from, i) != ir_type_dim(to, i) && ir_type_dim(from, i) != IR_DYNAMIC &&
        ir_type_dim(to, i) != IR_DYNAMIC)
      return ir_op_error(op, "changes extent %zu from %lld to %lld", i,
                         (long long)ir_type_dim(from, i), (long long)ir_type_dim(to, i));
  return iree_ok_status();
}
static bool cast_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  (void)out_attrs;
  ir_value_t *source = ir_operand(op, 0);
  ir_type_t type = ir_result(op, 0)->type;
  if (source->type == type) return out_values[0] = source, true;
  if (ir_value_is(source, OP_TENSOR_CAST) && ir_operand(ir_def(source), 0)->type == type)
    return out_values[0] = ir_operand(ir_def(source), 0), true;
  return false;
}
const ir_op_hooks_t tensor_cast_hooks = {.verify = cast_verify, .fold = cast_fold};

// ---- extract, insert, from_elements
static iree_status_t element_verify(ir_op_t *op) {
  ir_value_t *tensor = ir_operand(op, op->kind == OP_TENSOR_INSERT);
  ir_group_t g = ir_operand_group(op, "indices");
  if (is_tensor(tensor->type) && g.n != ir_type_rank(tensor->type))
    return ir_op_error(op, "has %u indices for rank %zu", g.n, ir_type_rank(tensor->type));
  return iree_ok_status();
}
static bool linear_index(const ir_op_t *op, ir_type_t type, int64_t *out) {
  ir_group_t g = ir_operand_group(op, "indices");
  if (!ir_type_is_static(type)) return false;
  *out = 0;
  for (uint32_t i = 0; i < g.n; ++i) {
    int64_t index, dim = ir_type_dim(type, i);
    if (!ir_constant_int(ir_operand(op, g.first + i), &index) || index < 0 || index >= dim)
      return false;
    *out = *out * dim + index;
  }
  return true;
}
static bool extract_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  ir_value_t *source = ir_operand(op, 0);
  int64_t index;
  ir_op_t *def = ir_def(source);
  if (ir_op_is(def, OP_TENSOR_SPLAT)) return out_values[0] = ir_operand(def, 0), true;
  if (!is_tensor(source->type)) return false;
  ir_attr_t value = ir_constant_of(source);
  if (value && ir_is(value, IR_A_DENSE) && ir_dense_is_splat(value))
    return (out_attrs[0] = ir_dense_element(ir_op_ctx(op), value, 0)) != NULL;
  if (!linear_index(op, source->type, &index)) return false;
  if (ir_op_is(def, OP_TENSOR_FROM_ELEMENTS))
    return out_values[0] = ir_operand(def, (size_t)index), true;
  if (!ir_is(value, IR_A_DENSE)) return false;
  return (out_attrs[0] = ir_dense_element(ir_op_ctx(op), value, (size_t)index)) != NULL;
}
const ir_op_hooks_t tensor_extract_hooks = {.verify = element_verify, .fold = extract_fold};
const ir_op_hooks_t tensor_insert_hooks = {.verify = element_verify};

static iree_status_t from_elements_verify(ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  if (!is_tensor(type) || ir_type_n_elements(type) != (int64_t)op->n_operands)
    return ir_op_error(op, "has %u elements for a tensor of %lld", op->n_operands,
                       (long long)ir_type_n_elements(type));
  return iree_ok_status();
}
static bool from_elements_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  (void)out_values;
  ir_type_t type = ir_result(op, 0)->type;
  if (!op->n_operands) return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!ir_constant_of(ir_operand(op, i))) return false;
  return (out_attrs[0] = ir_dense_of_constants(ir_op_ctx(op), type, op)) != NULL;
}
const ir_op_hooks_t tensor_from_elements_hooks = {.verify = from_elements_verify,
                                                  .fold = from_elements_fold};

// ---- slices, pad, concat
static iree_status_t check_list(ir_op_t *op, const char *values, const char *list, size_t rank) {
  ir_attr_t a = ir_op_attr(op, list);
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->n_ints; ++i) n += ir_int(a, i) == IR_DYNAMIC;
  if (a->n_ints != rank)
    return ir_op_error(op, "gives %u %s for rank %zu", a->n_ints, values, rank);
  if (n != ir_operand_group(op, values).n)
    return ir_op_error(op, "has %u dynamic %s and %u operands for them", n, values,
                       ir_operand_group(op, values).n);
  return iree_ok_status();
}
static iree_status_t slice_verify(ir_op_t *op) {
  bool extract = op->kind == OP_TENSOR_EXTRACT_SLICE;
  ir_type_t whole = ir_operand(op, extract ? 0 : 1)->type,
            part = extract ? ir_result(op, 0)->type : ir_operand(op, 0)->type;
  size_t rank = ir_type_rank(whole);
  if (ir_type_element(whole) != ir_type_element(part) || ir_type_rank(part) > rank)
    return ir_op_error(op, "takes part of a tensor of the same element type and no smaller rank");
  IREE_RETURN_IF_ERROR(check_list(op, "offsets", "static_offsets", rank));
  IREE_RETURN_IF_ERROR(check_list(op, "sizes", "static_sizes", rank));
  IREE_RETURN_IF_ERROR(check_list(op, "strides", "static_strides", rank));
  ir_attr_t offsets = ir_op_attr(op, "static_offsets"), sizes = ir_op_attr(op, "static_sizes"),
            strides = ir_op_attr(op, "static_strides");
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t o = ir_int(offsets, i), n = ir_int(sizes, i), s = ir_int(strides, i),
            dim = ir_type_dim(whole, i);
    if (o == IR_DYNAMIC || n == IR_DYNAMIC || s == IR_DYNAMIC || dim == IR_DYNAMIC) continue;
    if (n < 0 || o < 0 || (n > 0 && (o >= dim || (s > 0 && (n - 1) > (dim - 1 - o) / s))))
      return ir_op_error(op, "leaves dimension %u of extent %lld", i, (long long)dim);
  }
  return iree_ok_status();
}
static bool all_are(ir_attr_t list, int64_t value) {
  for (uint32_t i = 0; i < list->n_ints; ++i)
    if (ir_int(list, i) != value) return false;
  return true;
}
static bool slice_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  (void)out_attrs;
  ir_value_t *source = ir_operand(op, 0);
  ir_type_t type = ir_result(op, 0)->type;
  // A box of everything.
  if (source->type == type && ir_type_is_static(type) &&
      all_are(ir_op_attr(op, "static_offsets"), 0) && all_are(ir_op_attr(op, "static_strides"), 1))
    return out_values[0] = source, true;
  if (op->kind == OP_TENSOR_EXTRACT_SLICE) {
    ir_attr_t value = ir_constant_of(source);
    if (ir_is(value, IR_A_DENSE) && ir_dense_is_splat(value) && ir_type_is_static(type)) {
      out_attrs[0] = ir_attr_dense(ir_op_ctx(op), type, ir_dense_data(value), ir_dense_bytes(value),
                                   true, false);
      return true;
    }
  }
  return false;
}
const ir_op_hooks_t tensor_slice_hooks = {.verify = slice_verify, .fold = slice_fold};

static iree_status_t pad_verify(ir_op_t *op) {
  ir_type_t from = ir_operand(op, 0)->type, to = ir_result(op, 0)->type;
  size_t rank = ir_type_rank(from);
  if (ir_type_rank(to) != rank || ir_type_element(from) != ir_type_element(to))
    return ir_op_error(op, "keeps element type and rank");
  IREE_RETURN_IF_ERROR(check_list(op, "low", "static_low", rank));
  IREE_RETURN_IF_ERROR(check_list(op, "high", "static_high", rank));
  if (!ir_body(op) || ir_body(op)->n_args != rank || !ir_op_is(ir_body(op)->last, OP_TENSOR_YIELD))
    return ir_op_error(op, "needs a body of %zu indices that yields the padding", rank);
  return iree_ok_status();
}
static bool pad_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  (void)out_attrs;
  ir_type_t type = ir_result(op, 0)->type;
  if (ir_operand(op, 0)->type != type || !ir_type_is_static(type)) return false;
  if (ir_op_flag(op, "nofold") || !all_are(ir_op_attr(op, "static_low"), 0) ||
      !all_are(ir_op_attr(op, "static_high"), 0))
    return false;
  return out_values[0] = ir_operand(op, 0), true;
}
const ir_op_hooks_t tensor_pad_hooks = {.verify = pad_verify, .fold = pad_fold};

static iree_status_t concat_verify(ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  int64_t dim = ir_op_int(op, "dim", -1);
  if (!op->n_operands) return ir_op_error(op, "needs an input");
  if (dim < 0 || (size_t)dim >= ir_type_rank(type))
    return ir_op_error(op, "has no dimension %lld", (long long)dim);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_type_rank(ir_operand(op, i)->type) != ir_type_rank(type))
      return ir_op_error(op, "has inputs of different rank");
  return iree_ok_status();
}
static bool concat_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  (void)out_attrs;
  if (op->n_operands != 1 || ir_operand(op, 0)->type != ir_result(op, 0)->type) return false;
  return out_values[0] = ir_operand(op, 0), true;
}
const ir_op_hooks_t tensor_concat_hooks = {.verify = concat_verify, .fold = concat_fold};
