// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of tuples, of calls of something outside the module, and of collectives.
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
    ir_attr_t to = hlo_param(a, "output_tuple_indices");
    if (operand < 0 || operand >= (int64_t)op->n_operands)
      return ir_op_error(op, "alias %u names operand %lld of %u", i, (ll)operand, op->n_operands);
    bool several = op->n_results != 1 && ir_is(to, IR_A_ARRAY) && to->n_kids == 1;
    int64_t k = several && ir_is(ir_kid(to, 0), IR_A_INT) ? ir_int(ir_kid(to, 0), 0) : 0;
    ir_type_t from_type = type_at(hlo_in(op, (size_t)operand), hlo_param(a, "operand_tuple_indices"));
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
  if (!ir_op_attr(op, "operand_layouts") != !ir_op_attr(op, "result_layouts"))
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

// ---- collectives
typedef struct groups {
  int64_t n, size;  // of groups, and members of each; IR_DYNAMIC if a mesh says so
  const char *data;
  bool splat;
} groups_t;
static int64_t id_at(const groups_t *g, int64_t i) {
  int64_t id;
  memcpy(&id, g->data + (g->splat ? 0 : (size_t)i * 8), 8);
  return id;
}
// Each replica from 0 up is in one place; -1 fills groups up if |uneven|.
static iree_status_t check_ids(ir_op_t *op, const groups_t *g, bool uneven) {
  int64_t n = g->n * g->size, used = 0;
  char *seen = IREE_ARENA_ARRAY(ir_arena(ir_op_ctx(op)), char, (size_t)n + 1);
  memset(seen, 0, (size_t)n + 1);
  for (int64_t i = 0; i < n; ++i) {
    int64_t id = id_at(g, i);
    if (id == -1 && uneven) continue;
    if (id < 0 || id >= n) return ir_op_error(op, "'replica_groups' has replica %lld of %lld", (ll)id, (ll)n);
    if (seen[id]) return ir_op_error(op, "'replica_groups' has replica %lld twice", (ll)id);
    seen[id] = 1;
    ++used;
  }
  for (int64_t id = 0; id < used; ++id)
    if (!seen[id]) return ir_op_error(op, "'replica_groups' lacks replica %lld", (ll)id);
  return iree_ok_status();
}
// Does the module hold ops of other dialects that may define symbols?
static bool has_foreign_symbols(const ir_op_t *op) {
  const ir_op_t *module = op;
  while (ir_op_parent(module)) module = ir_op_parent(module);
  for (const ir_op_t *o = ir_body(module) ? ir_body(module)->first : NULL; o; o = o->next)
    if (!o->kind) return true;
  return false;
}
static iree_status_t check_groups(ir_op_t *op, bool uneven, groups_t *out) {
  ir_attr_t a = ir_op_attr(op, "replica_groups");
  *out = (groups_t){.n = IR_DYNAMIC, .size = IR_DYNAMIC};
  bool global = ir_op_attr(op, "use_global_device_ids") != NULL;
  int64_t handle = hlo_number(ir_op_attr(op, "channel_handle"), "handle", 0);
  if (global && handle <= 0)
    return ir_op_error(op, "uses global device ids with channel %lld; it must be positive", (ll)handle);
  if (ir_op_attr(op, "channel_handle") && handle < 0)
    return ir_op_error(op, "has the channel %lld; it must not be negative", (ll)handle);
  ir_attr_t mesh = ir_is(a, IR_A_DIALECT) ? hlo_param(a, "mesh") : NULL;
  if (ir_is(mesh, IR_A_SYMREF) && !ir_symbol_resolve(op, mesh) && !has_foreign_symbols(op))
    return ir_op_error(op, "'replica_groups' names the mesh @%s, which is not here", ir_bytes(ir_kid(mesh, 0)));
  if (!ir_is(a, IR_A_DENSE)) return iree_ok_status();
  ir_type_t type = ir_dense_type(a);
  if (!ir_type_is_int(ir_type_element(type), 64) || ir_type_rank(type) != 2)
    return ir_op_error(op, "'replica_groups' is a %s; it must be a tensor of i64 of rank 2", hlo_text(op, type));
  *out = (groups_t){ir_type_dim(type, 0), ir_type_dim(type, 1), ir_dense_data(a), ir_dense_is_splat(a)};
  if (global && (!out->n || !out->size)) return ir_op_error(op, "uses global device ids without replica groups");
  return check_ids(op, out, uneven);
}
// Results are the operands but for the extent of |dim|.
static iree_status_t expect_but(ir_op_t *op, const char *name, int64_t dim, int64_t (*extent)(ir_op_t *, int64_t)) {
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = hlo_in(op, i);
    hlo_dims_t want = {.n = ir_type_rank(type)};
    IREE_RETURN_IF_ERROR(hlo_check_dim(op, name, dim, want.n));
    for (size_t k = 0; k < want.n; ++k) want.at[k] = ir_type_dim(type, k);
    if (want.at[dim] == 0) return ir_op_error(op, "operand %u has no elements along dimension %lld", i, (ll)dim);
    if (want.at[dim] != IR_DYNAMIC) want.at[dim] = extent(op, want.at[dim]);
    IREE_RETURN_IF_ERROR(hlo_expect_element(op, i, ir_type_element(type)));
    IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, want.at, want.n));
  }
  return iree_ok_status();
}
static iree_status_t check_counts(ir_op_t *op) {
  if (op->n_operands && op->n_results == op->n_operands) return iree_ok_status();
  return ir_op_error(op, "has %u results for %u operands; it must have as many, and one at least", op->n_results,
                     op->n_operands);
}
static int64_t any_extent(ir_op_t *op, int64_t extent) {
  (void)op, (void)extent;
  return IR_DYNAMIC;
}
// The result has |times| the operand's extent along |dim|, |times| being a group's size or its inverse.
static iree_status_t check_multiple(ir_op_t *op, int64_t dim, const groups_t *g, bool grows) {
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    int64_t less = ir_type_dim(grows ? hlo_in(op, i) : hlo_out(op, i), (size_t)dim);
    int64_t more = ir_type_dim(grows ? hlo_out(op, i) : hlo_in(op, i), (size_t)dim);
    if (less == 0)
      return ir_op_error(op, "%s %u has no elements along dimension %lld", grows ? "operand" : "result", i, (ll)dim);
    if (less == IR_DYNAMIC || more == IR_DYNAMIC) continue;
    if (more % less)
      return ir_op_error(op, "goes from extent %lld to %lld along dimension %lld with groups of %lld",
                         (ll)(grows ? less : more), (ll)(grows ? more : less), (ll)dim, (ll)g->size);
  }
  return iree_ok_status();
}
iree_status_t hlo_check_all_reduce(ir_op_t *op) {
  groups_t g;
  IREE_RETURN_IF_ERROR(check_groups(op, true, &g));
  IREE_RETURN_IF_ERROR(check_counts(op));
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = hlo_in(op, i);
    IREE_RETURN_IF_ERROR(hlo_check_reducer(op, 0, i, i, 1));
    IREE_RETURN_IF_ERROR(hlo_expect_element(op, i, ir_type_element(ir_region(op, 0)->first->args[0]->type)));
    IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, ir_type_dims(type), ir_type_rank(type)));
  }
  return iree_ok_status();
}
iree_status_t hlo_check_reduce_scatter(ir_op_t *op) {
  groups_t g;
  int64_t dim = ir_op_int(op, "scatter_dimension", 0);
  IREE_RETURN_IF_ERROR(check_groups(op, false, &g));
  IREE_RETURN_IF_ERROR(check_counts(op));
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = hlo_in(op, i);
    hlo_dims_t want = {.n = ir_type_rank(type)};
    IREE_RETURN_IF_ERROR(hlo_check_dim(op, "scatter_dimension", dim, want.n));
    IREE_RETURN_IF_ERROR(hlo_check_reducer(op, 0, i, i, 1));
    for (size_t k = 0; k < want.n; ++k) want.at[k] = (int64_t)k == dim ? IR_DYNAMIC : ir_type_dim(type, k);
    if (ir_type_dim(type, (size_t)dim) == 0)
      return ir_op_error(op, "operand %u has no elements along dimension %lld", i, (ll)dim);
    IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, want.at, want.n));
  }
  return check_multiple(op, dim, &g, false);
}
iree_status_t hlo_check_all_gather(ir_op_t *op) {
  groups_t g;
  int64_t dim = ir_op_int(op, "all_gather_dim", 0);
  IREE_RETURN_IF_ERROR(check_groups(op, false, &g));
  IREE_RETURN_IF_ERROR(check_counts(op));
  IREE_RETURN_IF_ERROR(expect_but(op, "all_gather_dim", dim, any_extent));
  return check_multiple(op, dim, &g, true);
}
iree_status_t hlo_check_all_to_all(ir_op_t *op) {
  groups_t g;
  int64_t split = ir_op_int(op, "split_dimension", 0), concat = ir_op_int(op, "concat_dimension", 0),
          count = ir_op_int(op, "split_count", 1);
  IREE_RETURN_IF_ERROR(check_groups(op, false, &g));
  IREE_RETURN_IF_ERROR(check_counts(op));
  if (g.n != IR_DYNAMIC && (g.n ? g.size : 0) != count)
    return ir_op_error(op, "has groups of %lld replicas and splits in %lld", (ll)g.size, (ll)count);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = hlo_in(op, i);
    hlo_dims_t want = {.n = ir_type_rank(type)};
    IREE_RETURN_IF_ERROR(hlo_check_dim(op, "split_dimension", split, want.n));
    IREE_RETURN_IF_ERROR(hlo_check_dim(op, "concat_dimension", concat, want.n));
    for (size_t k = 0; k < want.n; ++k) want.at[k] = ir_type_dim(type, k);
    if (want.at[split] != IR_DYNAMIC && want.at[split] % count)
      return ir_op_error(op, "splits extent %lld of dimension %lld in %lld", (ll)want.at[split], (ll)split, (ll)count);
    if (split != concat) {
      if (want.at[split] != IR_DYNAMIC) want.at[split] /= count;
      if (want.at[concat] != IR_DYNAMIC && __builtin_mul_overflow(want.at[concat], count, &want.at[concat]))
        want.at[concat] = IR_DYNAMIC;
    }
    IREE_RETURN_IF_ERROR(hlo_expect_element(op, i, ir_type_element(type)));
    IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, want.at, want.n));
  }
  return iree_ok_status();
}
iree_status_t hlo_check_collective_permute(ir_op_t *op) {
  ir_attr_t a = ir_op_attr(op, "source_target_pairs");
  IREE_RETURN_IF_ERROR(hlo_check_pairwise(op));
  if (!ir_is(a, IR_A_DENSE)) return iree_ok_status();
  ir_type_t type = ir_dense_type(a);
  if (!ir_type_is_int(ir_type_element(type), 64) || ir_type_rank(type) != 2 || ir_type_dim(type, 1) != 2)
    return ir_op_error(op, "'source_target_pairs' is a %s; it must have shape [N, 2] of i64", hlo_text(op, type));
  groups_t g = {ir_type_dim(type, 0), 2, ir_dense_data(a), ir_dense_is_splat(a)};
  for (int64_t i = 0; i < 2 * g.n; ++i) {
    if (id_at(&g, i) < 0) return ir_op_error(op, "'source_target_pairs' has replica %lld", (ll)id_at(&g, i));
    for (int64_t k = i & 1; k < i; k += 2)
      if (id_at(&g, k) == id_at(&g, i))
        return ir_op_error(op, "'source_target_pairs' has %s %lld twice", i & 1 ? "target" : "source", (ll)id_at(&g, i));
  }
  return iree_ok_status();
}
iree_status_t hlo_check_collective_broadcast(ir_op_t *op) {
  groups_t g;
  bool dynamic_root = ir_op_attr(op, "has_dynamic_root") != NULL;
  IREE_RETURN_IF_ERROR(check_groups(op, true, &g));
  if (op->n_operands < 1 + (uint32_t)dynamic_root || op->n_results + dynamic_root != op->n_operands)
    return ir_op_error(op, "has %u operands and %u results; it must have one at least, and %s", op->n_operands,
                       op->n_results, dynamic_root ? "the roots as last operand" : "as many of both");
  if (dynamic_root) {
    ir_type_t roots = hlo_in(op, op->n_results);
    if (ir_type_rank(roots) != 1 || !ir_type_is_int(ir_type_element(roots), 32) ||
        !hlo_agree(ir_type_dim(roots, 0), op->n_results))
      return ir_op_error(op, "has the roots %s; they must be %u numbers of i32", hlo_text(op, roots), op->n_results);
  }
  for (uint32_t i = 0; i < op->n_results; ++i) IREE_RETURN_IF_ERROR(hlo_expect_type(op, i, hlo_in(op, i)));
  return iree_ok_status();
}
