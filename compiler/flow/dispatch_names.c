// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of dispatches: the costliest op, its loops and types. Upstream's manner, so that profiles and
// dumps of both compare.
#include "compiler/flow/dispatch_names.h"

#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/ir/printer.h"

enum { MAX_LOOPS = 32, DYNAMIC_GUESS = 1024, EXTERNAL_FACTOR = 10 };

static int64_t saturating(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}
static int64_t volume(const int64_t *sizes, size_t n) {
  int64_t product = 1;
  for (size_t i = 0; i < n; ++i) product = saturating(product, sizes[i] == IR_DYNAMIC ? DYNAMIC_GUESS : sizes[i] > 0 ? sizes[i] : 1);
  return product;
}
static size_t loop_sizes(ir_ctx_t *ctx, const ir_op_t *op, int64_t *sizes) {
  size_t n = linalg_n_loops(ctx, op);
  if (n > MAX_LOOPS) n = MAX_LOOPS;
  for (size_t i = 0; i < n; ++i) sizes[i] = IR_DYNAMIC;
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    ir_type_t type = ir_operand(op, k)->type;
    ir_attr_t map = linalg_map(ctx, op, k);
    for (uint32_t d = 0; d < map->n_kids && ir_is(type, IR_T_TENSOR) && d < ir_type_rank(type); ++d) {
      if (ir_kid(map, d)->kind != IR_E_DIM) continue;
      if (ir_int(ir_kid(map, d), 0) >= MAX_LOOPS) continue;
      int64_t *size = &sizes[ir_int(ir_kid(map, d), 0)];
      if (*size == IR_DYNAMIC) *size = ir_type_dim(type, d);
    }
  }
  return n;
}

static void add_sizes(text_t *t, const int64_t *sizes, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (sizes[i] == IR_DYNAMIC) text_add(t, "%sD", i ? "x" : "");
    else text_add(t, "%s%lld", i ? "x" : "", (long long)sizes[i]);
  }
}
// Characters that symbols do without become '_'.
static void add_type(text_t *t, ir_type_t type) {
  for (const char *c = ir_print_term_to(t->arena, ir_type_element(type)); *c; ++c) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    text_add(t, "%c", plain ? *c : '_');
  }
}
static void add_types(text_t *t, const ir_op_t *op) {
  bool same = true;
  ir_type_t first = ir_type_element(ir_operand(op, 0)->type);
  for (uint32_t i = 1; i < op->n_operands; ++i) same = same && ir_type_element(ir_operand(op, i)->type) == first;
  for (uint32_t i = 0; i < (same ? 1 : op->n_operands); ++i) {
    if (i) text_add(t, "x");
    add_type(t, ir_operand(op, i)->type);
  }
}

// ---- kinds of generics
static bool projects(ir_attr_t map) {  // distinct dims (constants aside)
  uint32_t seen = 0;
  if (ir_map_n_dims(map) > MAX_LOOPS) return false;
  for (uint32_t i = 0; i < map->n_kids; ++i) {
    if (ir_kid(map, i)->kind == IR_E_CONST) continue;
    if (ir_kid(map, i)->kind != IR_E_DIM || (seen >> ir_int(ir_kid(map, i), 0) & 1)) return false;
    seen |= 1u << ir_int(ir_kid(map, i), 0);
  }
  return true;
}
static bool permutes(ir_attr_t map) {
  for (uint32_t i = 0; i < map->n_kids; ++i)
    if (ir_kid(map, i)->kind != IR_E_DIM) return false;
  return map->n_kids == ir_map_n_dims(map) && projects(map);
}
static const char *generic_kind(ir_ctx_t *ctx, const ir_op_t *op) {
  uint32_t n_in = linalg_inputs(op).n, identity_in = 0, permuted_in = 0;
  bool identity_out = true, permuted_out = true, projected_in = true;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_attr_t map = linalg_map(ctx, op, i);
    if (i >= n_in) {
      identity_out = identity_out && ir_map_is_identity(map);
      permuted_out = permuted_out && permutes(map);
      continue;
    }
    identity_in += ir_map_is_identity(map);
    permuted_in += permutes(map);
    projected_in = projected_in && projects(map);
  }
  bool only_yield = ir_body(op) && ir_body(op)->first == ir_body(op)->last;
  if (only_yield && permuted_in == n_in && permuted_out) return "transpose";
  bool rooted = identity_in > 0 && identity_in == permuted_in;
  if (identity_out && projected_in && rooted) return "elementwise";
  if (permuted_out && projected_in && ((rooted && !identity_out) || permuted_in > identity_in)) return "elementwise_transpose";
  if (permuted_out && projected_in && !permuted_in) return "elementwise_broadcast";
  size_t n = linalg_n_loops(ctx, op), parallel = linalg_n_parallel(ctx, op);
  if (parallel == n) return "generic";
  if (!projected_in) return "conv";
  bool contracts = n_in == 2;
  for (uint32_t i = 0; i < n_in; ++i) contracts = contracts && ir_map_n_results(linalg_map(ctx, op, i)) < n;
  return !contracts ? "reduction" : parallel >= 2 ? "matmul_like" : "matvec_like";
}

static int64_t cost_of(ir_ctx_t *ctx, const ir_op_t *op) {
  if (linalg_is_structured(op)) {
    int64_t sizes[MAX_LOOPS];
    size_t n = loop_sizes(ctx, op, sizes);
    int64_t cost = volume(sizes, n);
    return linalg_n_parallel(ctx, op) < linalg_n_loops(ctx, op) ? saturating(cost, 2) : cost;
  }
  if (strncmp(ir_op_name(op), "iree_linalg_ext.", 16) && strcmp(ir_op_name(op), "linalg.softmax")) return -1;
  if (!op->n_results) return -1;
  int64_t best = 1;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    int64_t v = ir_is(type, IR_T_TENSOR) ? volume(ir_type_dims(type), ir_type_rank(type)) : 1;
    if (v > best) best = v;
  }
  return saturating(best, EXTERNAL_FACTOR);
}

static void add_external(text_t *t, const ir_op_t *op) {
  ir_type_t main = NULL;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (!ir_is(type, IR_T_TENSOR)) continue;
    if (!main || volume(ir_type_dims(type), ir_type_rank(type)) > volume(ir_type_dims(main), ir_type_rank(main))) main = type;
  }
  text_add(t, "_%s", strchr(ir_op_name(op), '.') + 1);
  if (!main) return;
  text_add(t, "_");
  add_sizes(t, ir_type_dims(main), ir_type_rank(main));
  text_add(t, "x");
  add_type(t, main);
}

void dispatch_add_summary(text_t *t, ir_ctx_t *ctx, ir_block_t *body) {
  const ir_op_t *best = NULL;
  int64_t best_cost = -1;
  bool copies = false;
  for (const ir_op_t *op = body->first; op; op = op->next) {
    int64_t cost = cost_of(ctx, op);
    if (cost >= 0 && cost >= best_cost) best_cost = cost, best = op;
    copies |= op->kind == OP_TEXT_TENSOR_STORE && ir_value_is(ir_operand(op, 0), OP_TEXT_TENSOR_LOAD);
  }
  if (!best) {
    if (copies) text_add(t, "_slow_memcpy");
    return;
  }
  if (!linalg_is_structured(best)) {
    add_external(t, best);
    return;
  }
  int64_t sizes[MAX_LOOPS];
  size_t n = loop_sizes(ctx, best, sizes);
  text_add(t, "_%s", best->kind == OP_LINALG_GENERIC ? generic_kind(ctx, best) : strchr(ir_op_name(best), '.') + 1);
  if (!n) return;
  text_add(t, "_");
  add_sizes(t, sizes, n);
  text_add(t, "_");
  add_types(t, best);
}
