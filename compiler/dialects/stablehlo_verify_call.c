// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of tuples and of calls of something outside the module.
#include <string.h>

#include "compiler/dialects/stablehlo_verify.h"

typedef long long ll;

// ---- tuples
iree_status_t hlo_check_tuple(ir_op_t *op) {
  ir_type_t type = hlo_out(op, 0);
  if (type->n_kids != op->n_operands)
    return ir_op_error(op, "makes %s of %u values", hlo_text(op, type), op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!hlo_types_agree(op, ir_kid(type, i), hlo_in(op, i)))
      return ir_op_error(op, "has %s as value %u; the tuple has %s", hlo_text(op, hlo_in(op, i)), i,
                         hlo_text(op, ir_kid(type, i)));
  return iree_ok_status();
}
iree_status_t hlo_check_get_tuple_element(ir_op_t *op) {
  ir_type_t type = hlo_in(op, 0);
  int64_t index = ir_op_int(op, "index", 0);
  if (index >= (int64_t)type->n_kids)
    return ir_op_error(op, "takes member %lld of %s", (ll)index, hlo_text(op, type));
  return hlo_expect_type(op, 0, ir_kid(type, (size_t)index));
}

// ---- custom calls
static iree_status_t check_layouts(ir_op_t *op, const char *name, bool of_results, size_t n) {
  ir_attr_t list = ir_op_attr(op, name);
  bool members = of_results && n == 1 && ir_is(hlo_out(op, 0), IR_T_TUPLE);
  ir_type_t tuple = members ? hlo_out(op, 0) : NULL;
  if (members) n = tuple->n_kids;
  if (!ir_is(list, IR_A_ARRAY)) return iree_ok_status();
  if (list->n_kids != n)
    return ir_op_error(op, "attribute '%s' has %u layouts for %zu value%s", name, list->n_kids, n, n == 1 ? "" : "s");
  for (uint32_t i = 0; i < n; ++i) {
    ir_type_t type = members ? ir_kid(tuple, i) : of_results ? hlo_out(op, i) : hlo_in(op, i);
    ir_attr_t layout = ir_kid(list, i);
    if (!ir_is(layout, IR_A_DENSE) || ir_type_rank(ir_dense_type(layout)) != 1)
      return ir_op_error(op, "attribute '%s' has %s at %u; a layout is a list of index", name, hlo_text(op, layout), i);
    int64_t n_dims = ir_type_dim(ir_dense_type(layout), 0);
    if (ir_is(type, IR_T_TUPLE))
      return ir_op_error(op, "attribute '%s' gives a layout to %s; tuples within tuples have none", name,
                         hlo_text(op, type));
    if (!ir_is(type, IR_T_TENSOR)) {
      if (n_dims && !ir_is(type, IR_T_UNRANKED_TENSOR) && !ir_is(type, IR_T_MEMREF))
        return ir_op_error(op, "attribute '%s' gives a layout to %s", name, hlo_text(op, type));
      continue;
    }
    hlo_dims_t dims = {.n = 0};
    size_t size = ir_type_storage_bytes(ir_type_element(ir_dense_type(layout)));
    for (int64_t k = 0; k < n_dims && dims.n < HLO_MAX_RANK && size <= 8; ++k) {
      int64_t dim = 0;
      memcpy(&dim, (const char *)ir_dense_data(layout) + (ir_dense_is_splat(layout) ? 0 : (size_t)k * size), size);
      dims.at[dims.n++] = dim;
    }
    if (dims.n != ir_type_rank(type))
      return ir_op_error(op, "attribute '%s' has a layout of %zu dimensions for %s", name, dims.n, hlo_text(op, type));
    IREE_RETURN_IF_ERROR(hlo_check_dims(op, name, &dims, ir_type_rank(type), false));
  }
  return iree_ok_status();
}
// The type at |path|, a list of member numbers, in |type|; NULL if there is none.
static ir_type_t type_at(ir_type_t type, ir_attr_t path) {
  for (uint32_t i = 0; ir_is(path, IR_A_ARRAY) && i < path->n_kids; ++i) {
    int64_t k = ir_is(ir_kid(path, i), IR_A_INT) ? ir_int(ir_kid(path, i), 0) : -1;
    if (!ir_is(type, IR_T_TUPLE) || k < 0 || k >= (int64_t)type->n_kids) return NULL;
    type = ir_kid(type, (size_t)k);
  }
  return type;
}
static iree_status_t check_aliases(ir_op_t *op) {
  ir_attr_t list = ir_op_attr(op, "output_operand_aliases");
  for (uint32_t i = 0; ir_is(list, IR_A_ARRAY) && i < list->n_kids; ++i) {
    ir_attr_t a = ir_kid(list, i);
    int64_t operand = hlo_number(a, "operand_index", 0);
    ir_attr_t to = ir_attr_param(a, "output_tuple_indices");
    if (operand < 0 || operand >= (int64_t)op->n_operands)
      return ir_op_error(op, "alias %u names operand %lld of %u", i, (ll)operand, op->n_operands);
    bool several = op->n_results != 1 && ir_is(to, IR_A_ARRAY) && to->n_kids == 1;
    int64_t k = several && ir_is(ir_kid(to, 0), IR_A_INT) ? ir_int(ir_kid(to, 0), 0) : 0;
    ir_type_t from_type = type_at(hlo_in(op, (size_t)operand), ir_attr_param(a, "operand_tuple_indices"));
    ir_type_t to_type = k < 0 || k >= (int64_t)op->n_results ? NULL
                        : several ? hlo_out(op, (size_t)k) : type_at(hlo_out(op, 0), to);
    if (!from_type || !to_type)
      return ir_op_error(op, "alias %u names a member that its %s does not have", i, from_type ? "result" : "operand");
    if (from_type != to_type)
      return ir_op_error(op, "alias %u is of %s, the result's part is %s", i, hlo_text(op, from_type), hlo_text(op, to_type));
  }
  return iree_ok_status();
}
iree_status_t hlo_check_custom_call(ir_op_t *op) {
  enum { STATUS_RETURNING_UNIFIED = 3, TYPED_FFI = 4 };
  ir_attr_t config = ir_op_attr(op, "backend_config");
  int64_t version = ir_op_int(op, "api_version", 1);
  if (config && version == TYPED_FFI && !ir_is(config, IR_A_DICT))
    return ir_op_error(op, "attribute 'backend_config' is %s; with api_version %d it must be a dictionary",
                       hlo_text(op, config), TYPED_FFI);
  if (config && version != TYPED_FFI && !ir_is(config, IR_A_STRING))
    return ir_op_error(op, "attribute 'backend_config' is a dictionary; only api_version %d takes one, this is %lld",
                       TYPED_FFI, (ll)version);
  // Artefacts leave out what is empty.
  bool no_result = !op->n_results || (ir_is(hlo_out(op, 0), IR_T_TUPLE) && !hlo_out(op, 0)->n_kids);
  bool of_operands = ir_op_attr(op, "operand_layouts") != NULL, of_results = ir_op_attr(op, "result_layouts") != NULL;
  if ((of_operands && !of_results && !no_result) || (of_results && !of_operands && op->n_operands))
    return ir_op_error(op, "has layouts of operands or of results; it must have both or none");
  IREE_RETURN_IF_ERROR(check_layouts(op, "operand_layouts", false, op->n_operands));
  IREE_RETURN_IF_ERROR(check_layouts(op, "result_layouts", true, op->n_results));
  return check_aliases(op);
}
static bool is_namespaced(iree_string_view_t name) {  // letters, digits, _ and $, parted by dots
  bool dot = false;
  for (size_t i = 0; i < name.size; ++i) {
    char c = name.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && (!i || !strchr("0123456789_$.", c))) return false;
    dot = dot || (c == '.' && i + 1 < name.size);
  }
  return dot && name.size && name.data[name.size - 1] != '.';
}
iree_status_t hlo_check_composite(ir_op_t *op) {
  ir_attr_t name = ir_op_attr(op, "name"), symbol = ir_op_attr(op, "decomposition");
  if (!is_namespaced(ir_str(name)))
    return ir_op_error(op, "attribute 'name' is \"%s\"; it must be a name within a namespace, as in \"my.op\"", ir_bytes(name));
  ir_op_t *fn = ir_symbol_resolve(op, symbol);
  if (!ir_op_is(fn, OP_FUNC_FUNC))
    return ir_op_error(op, "attribute 'decomposition' names @%s, which is no function here", ir_bytes(ir_kid(symbol, 0)));
  ir_type_t type = ir_op_attr(fn, "function_type");
  if (ir_fn_n_inputs(type) != op->n_operands || ir_fn_n_results(type) != op->n_results)
    return ir_op_error(op, "has %u operands and %u results, its decomposition %s", op->n_operands, op->n_results,
                       hlo_text(op, type));
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_fn_input(type, i) != hlo_in(op, i))
      return ir_op_error(op, "operand %u is %s, its decomposition takes %s", i, hlo_text(op, hlo_in(op, i)),
                         hlo_text(op, ir_fn_input(type, i)));
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_fn_result(type, i) != hlo_out(op, i))
      return ir_op_error(op, "result %u is %s, its decomposition gives %s", i, hlo_text(op, hlo_out(op, i)),
                         hlo_text(op, ir_fn_result(type, i)));
  return iree_ok_status();
}
