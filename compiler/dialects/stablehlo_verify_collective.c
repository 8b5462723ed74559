// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of collectives and of channels: groups of replicas, roots, and what results follow.
#include <string.h>

#include "compiler/dialects/stablehlo_verify.h"

typedef long long ll;

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
  ir_attr_t mesh = ir_is(a, IR_A_DIALECT) ? ir_attr_param(a, "mesh") : NULL;
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
// One root per result, as the last operand, where the text says so.
static iree_status_t check_rooted(ir_op_t *op) {
  bool dynamic_root = ir_op_attr(op, "has_dynamic_root") != NULL;
  if (op->n_operands < 1 + (uint32_t)dynamic_root || op->n_results + dynamic_root != op->n_operands)
    return ir_op_error(op, "has %u operands and %u results; it must have one at least, and %s", op->n_operands,
                       op->n_results, dynamic_root ? "the roots as last operand" : "as many of both");
  if (dynamic_root) {
    ir_type_t roots = hlo_in(op, op->n_results);
    if (ir_type_rank(roots) != 1 || !ir_type_is_int(ir_type_element(roots), 32) ||
        !hlo_agree(ir_type_dim(roots, 0), op->n_results))
      return ir_op_error(op, "has the roots %s; they must be %u numbers of i32", hlo_text(op, roots), op->n_results);
  }
  return iree_ok_status();
}
iree_status_t hlo_check_collective_broadcast(ir_op_t *op) {
  groups_t g;
  IREE_RETURN_IF_ERROR(check_groups(op, true, &g));
  IREE_RETURN_IF_ERROR(check_rooted(op));
  for (uint32_t i = 0; i < op->n_results; ++i) IREE_RETURN_IF_ERROR(hlo_expect_type(op, i, hlo_in(op, i)));
  return iree_ok_status();
}
iree_status_t hlo_check_collective_reduce(ir_op_t *op) {
  groups_t g;
  IREE_RETURN_IF_ERROR(check_groups(op, true, &g));
  IREE_RETURN_IF_ERROR(check_rooted(op));
  for (uint32_t i = 0; i < op->n_results; ++i) {
    IREE_RETURN_IF_ERROR(hlo_check_reducer(op, 0, i, i, 1));
    IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, ir_type_dims(hlo_in(op, i)), ir_type_rank(hlo_in(op, i))));
  }
  return iree_ok_status();
}

// ---- channels to the host and to other devices: 1 between devices, 2 to the host, 3 from it
iree_status_t hlo_check_infeed(ir_op_t *op) {
  ir_attr_t layout = ir_op_attr(op, "layout");
  if (!op->n_results) return ir_op_error(op, "has no result; a token is the least");
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_type_is(hlo_out(op, i), "stablehlo.token") != (i + 1 == op->n_results))
      return ir_op_error(op, "result %u is %s; a token must be the last result, and no other", i, hlo_text(op, hlo_out(op, i)));
  for (uint32_t i = 0; ir_is(layout, IR_A_ARRAY) && i < layout->n_kids; ++i) {
    ir_attr_t list = ir_kid(layout, i);
    bool fits = ir_is(list, IR_A_ARRAY);
    for (uint32_t k = 0; fits && k < list->n_kids; ++k) fits = ir_is(ir_kid(list, k), IR_A_INT);
    if (!fits) return ir_op_error(op, "attribute 'layout' has %s at %u; a layout is a list of integers", hlo_text(op, list), i);
  }
  if (ir_is(layout, IR_A_ARRAY) && layout->n_kids && layout->n_kids != op->n_results - 1)
    return ir_op_error(op, "attribute 'layout' has %u layouts for %u tensors", layout->n_kids, op->n_results - 1);
  return iree_ok_status();
}
iree_status_t hlo_check_channel(ir_op_t *op) {
  bool host = ir_op_flag(op, "is_host_transfer"), send = op->kind == OP_HLO_SEND;
  int64_t type = hlo_number(ir_op_attr(op, "channel_handle"), "type", 0), want = !host ? 1 : send ? 2 : 3;
  if (type != want)
    return ir_op_error(op, "has a channel of type %lld; %s takes type %lld", (ll)type,
                       !host ? "a transfer between devices" : send ? "one to the host" : "one from the host", (ll)want);
  return send ? iree_ok_status() : hlo_check_infeed(op);
}
iree_status_t hlo_check_async_start(ir_op_t *op) {
  ir_block_t *b = op->n_regions == 1 ? ir_body(op) : NULL;
  if (!b || b->next || !ir_op_is(b->last, OP_HLO_RETURN) || !b->first || b->first->next != b->last)
    return ir_op_error(op, "region 'body' must hold one op and what returns its results");
  if (b->n_args != op->n_operands)
    return ir_op_error(op, "region 'body' takes %u arguments, %u are given", b->n_args, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!hlo_types_agree(op, b->args[i]->type, hlo_in(op, i)))
      return ir_op_error(op, "operand %u is %s, the region takes %s", i, hlo_text(op, hlo_in(op, i)), hlo_text(op, b->args[i]->type));
  switch (b->first->kind) {
    case OP_HLO_ALL_GATHER: case OP_HLO_ALL_REDUCE: case OP_HLO_ALL_TO_ALL: case OP_HLO_COLLECTIVE_BROADCAST:
    case OP_HLO_COLLECTIVE_PERMUTE: case OP_HLO_COLLECTIVE_REDUCE: case OP_HLO_REDUCE_SCATTER: case OP_HLO_SLICE:
    case OP_HLO_DYNAMIC_SLICE: case OP_HLO_DYNAMIC_UPDATE_SLICE: break;
    default: return ir_op_error(op, "region 'body' holds '%s'; only collectives and slices are started", ir_op_name(b->first));
  }
  ir_type_t future = hlo_out(op, 0);
  bool fits = future->n_kids == b->last->n_operands;
  for (uint32_t i = 0; fits && i < future->n_kids; ++i) fits = hlo_types_agree(op, ir_kid(future, i), ir_operand(b->last, i)->type);
  if (!fits) return ir_op_error(op, "gives %s, which are not the types that the region returns", hlo_text(op, future));
  return iree_ok_status();
}
iree_status_t hlo_check_async_done(ir_op_t *op) {
  ir_type_t future = hlo_in(op, 0);
  if (future->n_kids != op->n_results)
    return ir_op_error(op, "has %u results of %s", op->n_results, hlo_text(op, future));
  for (uint32_t i = 0; i < op->n_results; ++i) IREE_RETURN_IF_ERROR(hlo_expect_type(op, i, ir_kid(future, i)));
  return iree_ok_status();
}
