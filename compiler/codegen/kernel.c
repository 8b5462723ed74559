// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes, placement, numbering and indices of the kernel under construction.
#include "compiler/codegen/kernel.h"

#include <string.h>

struct kernel_memo_t {
  kernel_memo_t *next;
  uint64_t hash;
  const void *key;  // op kind (small number) or a caller's pointer
  size_t n;
  const kidx_t *idx;            // of remembered results
  ir_value_t *const *operands;  // of numbered ops
  const kernel_attr_t *attrs;
  size_t n_attrs;
  ir_type_t type;
  kval_t value;
};

//===-- scopes -------------------------------------------------------------------------------------

static void open_scope(kernel_t *k, ir_block_t *block, ir_op_t *loop, double trips,
                       bool conditional) {
  kernel_scope_t *scope = &k->scopes[k->depth];
  *scope =
      (kernel_scope_t){.block = block, .loop = loop, .trips = trips, .is_conditional = conditional};
  scope->memo = IREE_ARENA_ARRAY(k->arena, kernel_memo_t *, KERNEL_MEMO_BUCKETS);
}

void kernel_init(kernel_t *k, ir_ctx_t *ctx, iree_arena_t *arena, const codegen_target_t *target,
                 ir_op_t *func, ir_block_t *block) {
  memset(k, 0, sizeof(*k));
  k->ctx = ctx;
  k->arena = arena;
  k->target = target;
  k->func = func;
  k->loc = func->loc;
  k->lanes = k->row_count = 1;
  k->index_type = ir_type_index(ctx);
  k->i1_type = ir_type_i(ctx, 1);
  open_scope(k, block, NULL, 1, false);
}

void kernel_fail(kernel_t *k, iree_status_t status) {
  if (iree_status_is_ok(k->status)) {
    k->status = status;
  } else {
    iree_status_free(status);
  }
}

static int depth_of(const ir_value_t *value) { return (int)value->mark; }

void kernel_enter(kernel_t *k, int depth, kernel_saved_t *saved) {
  saved->depth = k->depth;
  memcpy(saved->scopes, k->scopes, sizeof(k->scopes[0]) * (size_t)(k->depth + 1));
  if (depth < k->depth) k->scopes[depth].before = k->scopes[depth + 1].loop;
  k->depth = depth;
}

void kernel_leave(kernel_t *k, const kernel_saved_t *saved) {
  int depth = k->depth;
  k->depth = saved->depth;
  k->scopes[depth].before = saved->scopes[depth].before;
  memcpy(&k->scopes[depth + 1], &saved->scopes[depth + 1],
         sizeof(k->scopes[0]) * (size_t)(saved->depth - depth));
}

// A builder at the place for ops of scope |depth|.
static ir_builder_t builder_at(kernel_t *k, int depth) {
  kernel_scope_t *scope = &k->scopes[depth];
  ir_op_t *before = depth < k->depth ? k->scopes[depth + 1].loop : scope->before;
  return (ir_builder_t){.ctx = k->ctx, .block = scope->block, .before = before, .loc = k->loc};
}

//===-- numbering ----------------------------------------------------------------------------------

static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9E3779B97F4A7C15ull + (h << 6) + (h >> 2);
  return h * 0xFF51AFD7ED558CCDull;
}

static uint64_t hash_op(ir_kind_t kind, ir_type_t type, ir_value_t *const *operands, size_t n,
                        const kernel_attr_t *attrs, size_t n_attrs) {
  uint64_t h = mix(kind, (uint64_t)(uintptr_t)type);
  for (size_t i = 0; i < n; ++i) h = mix(h, (uint64_t)(uintptr_t)operands[i]);
  for (size_t i = 0; i < n_attrs; ++i) h = mix(h, (uint64_t)(uintptr_t)attrs[i].value);
  return h ? h : 1;
}

static bool same_attrs(const kernel_attr_t *a, const kernel_attr_t *b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (a[i].value != b[i].value || strcmp(a[i].name, b[i].name) != 0) return false;
  }
  return true;
}

static double op_weight(const kernel_t *k, ir_type_t type) {
  if (!ir_is(type, IR_T_VECTOR)) return 1;
  ir_type_t element = ir_type_element(type);
  double bits = ir_is(element, IR_T_INDEX) ? 64 : ir_type_width(element);
  if (bits < 32 && ir_type_is_float(element)) bits = 32;
  double parts = (double)ir_type_n_elements(type) * bits / 8 / (double)k->target->vector_bytes;
  return parts < 1 ? 1 : parts;
}

static bool is_free(ir_kind_t kind) {
  return kind == OP_ARITH_CONSTANT || kind == OP_VECTOR_BROADCAST || kind == OP_VECTOR_STEP;
}

static bool is_load(ir_kind_t kind) {
  return kind == OP_MEMREF_LOAD || kind == OP_VECTOR_LOAD || kind == OP_VECTOR_GATHER;
}

static ir_value_t *build_at(kernel_t *k, int depth, ir_kind_t kind, ir_type_t result,
                            ir_value_t *const *operands, size_t n, const kernel_attr_t *attrs,
                            size_t n_attrs) {
  uint64_t hash = hash_op(kind, result, operands, n, attrs, n_attrs);
  kernel_memo_t **bucket = &k->scopes[depth].memo[hash % KERNEL_MEMO_BUCKETS];
  bool is_fresh = k->fresh_loads && is_load(kind);
  for (kernel_memo_t *m = *bucket; m && !is_fresh; m = m->next) {
    if (m->hash == hash && m->key == (const void *)(uintptr_t)kind && m->type == result &&
        m->n == n && m->n_attrs == n_attrs && m->operands &&
        (!n || memcmp(m->operands, operands, n * sizeof(*operands)) == 0) &&
        same_attrs(m->attrs, attrs, n_attrs)) {
      return m->value.value;
    }
  }
  ir_named_t named[4];
  for (size_t i = 0; i < n_attrs; ++i) named[i] = (ir_named_t){attrs[i].name, attrs[i].value};
  ir_builder_t b = builder_at(k, depth);
  ir_op_t *op = ir_build(&b, &(ir_op_desc_t){.kind = kind,
                                             .loc = k->loc,
                                             .operands = operands,
                                             .n_operands = n,
                                             .results = &result,
                                             .n_results = 1,
                                             .attrs = named,
                                             .n_attrs = n_attrs});
  ir_value_t *value = ir_result(op, 0);
  value->mark = (uint32_t)depth;
  if (!is_free(kind)) k->cost += k->scopes[depth].trips * op_weight(k, result);
  if (is_fresh) return value;
  kernel_memo_t *m = IREE_ARENA_NEW(k->arena, kernel_memo_t);
  ir_value_t **kept = IREE_ARENA_ARRAY(k->arena, ir_value_t *, n + 1);
  kernel_attr_t *kept_attrs = IREE_ARENA_ARRAY(k->arena, kernel_attr_t, n_attrs + 1);
  if (n) memcpy(kept, operands, n * sizeof(*kept));
  if (n_attrs) memcpy(kept_attrs, attrs, n_attrs * sizeof(*kept_attrs));
  *m = (kernel_memo_t){.next = *bucket,
                       .hash = hash,
                       .key = (const void *)(uintptr_t)kind,
                       .n = n,
                       .operands = kept,
                       .attrs = kept_attrs,
                       .n_attrs = n_attrs,
                       .type = result,
                       .value = kval(value)};
  *bucket = m;
  return value;
}

ir_value_t *kernel_op(kernel_t *k, ir_kind_t kind, ir_type_t result, ir_value_t *const *operands,
                      size_t n, const kernel_attr_t *attrs, size_t n_attrs) {
  int depth = 0;
  for (size_t i = 0; i < n; ++i) {
    if (depth_of(operands[i]) > depth) depth = depth_of(operands[i]);
  }
  return build_at(k, depth, kind, result, operands, n, attrs, n_attrs);
}

ir_value_t *kernel_op1(kernel_t *k, ir_kind_t kind, ir_type_t result, ir_value_t *x) {
  return kernel_op(k, kind, result, &x, 1, NULL, 0);
}

ir_value_t *kernel_op2(kernel_t *k, ir_kind_t kind, ir_value_t *x, ir_value_t *y) {
  if (kernel_is_vector(x) != kernel_is_vector(y)) {
    if (!kernel_is_vector(x)) x = kernel_broadcast(k, x);
    if (!kernel_is_vector(y)) y = kernel_broadcast(k, y);
  }
  return kernel_op(k, kind, x->type, (ir_value_t *[]){x, y}, 2, NULL, 0);
}

ir_op_t *kernel_effect(kernel_t *k, ir_kind_t kind, ir_value_t *const *operands, size_t n,
                       const uint32_t *segments) {
  ir_builder_t b = builder_at(k, k->depth);
  k->cost += k->scopes[k->depth].trips;
  return ir_build(&b, &(ir_op_desc_t){.kind = kind,
                                      .loc = k->loc,
                                      .operands = operands,
                                      .n_operands = n,
                                      .segments = segments});
}

bool kernel_recall(kernel_t *k, const void *key, const kidx_t *idx, size_t n, kval_t *out) {
  uint64_t hash = mix(n, (uint64_t)(uintptr_t)key);
  for (size_t i = 0; i < n; ++i) {
    hash = mix(hash, (uint64_t)(uintptr_t)idx[i].base ^ (uint64_t)(uintptr_t)idx[i].vector);
    hash = mix(hash, (uint64_t)idx[i].add * 31 + (uint64_t)idx[i].lane);
  }
  for (int d = k->depth; d >= 0; --d) {
    for (kernel_memo_t *m = k->scopes[d].memo[hash % KERNEL_MEMO_BUCKETS]; m; m = m->next) {
      if (m->hash != hash || m->key != key || m->n != n || !m->idx) continue;
      bool same = true;
      for (size_t i = 0; i < n && same; ++i) same = kidx_equal(m->idx[i], idx[i]);
      if (!same) continue;
      *out = m->value;
      return true;
    }
  }
  return false;
}

void kernel_remember(kernel_t *k, const void *key, const kidx_t *idx, size_t n, kval_t value) {
  uint64_t hash = mix(n, (uint64_t)(uintptr_t)key);
  int depth = value.value ? depth_of(value.value) : kidx_depth(k, value.index);
  if (value.imag && depth_of(value.imag) > depth) depth = depth_of(value.imag);
  for (size_t i = 0; i < n; ++i) {
    hash = mix(hash, (uint64_t)(uintptr_t)idx[i].base ^ (uint64_t)(uintptr_t)idx[i].vector);
    hash = mix(hash, (uint64_t)idx[i].add * 31 + (uint64_t)idx[i].lane);
    int d = kidx_depth(k, idx[i]);
    if (d > depth) depth = d;
  }
  if (depth > k->depth) depth = k->depth;
  kernel_memo_t *m = IREE_ARENA_NEW(k->arena, kernel_memo_t);
  kidx_t *kept = IREE_ARENA_ARRAY(k->arena, kidx_t, n + 1);
  if (n) memcpy(kept, idx, n * sizeof(*kept));
  kernel_memo_t **bucket = &k->scopes[depth].memo[hash % KERNEL_MEMO_BUCKETS];
  *m = (kernel_memo_t){
      .next = *bucket, .hash = hash, .key = key, .n = n, .idx = kept, .value = value};
  *bucket = m;
}

//===-- constants and vectors ----------------------------------------------------------------------

ir_value_t *kernel_constant(kernel_t *k, ir_attr_t value, ir_type_t type) {
  kernel_attr_t attr = {"value", value};
  return build_at(k, 0, OP_ARITH_CONSTANT, type, NULL, 0, &attr, 1);
}

ir_value_t *kernel_index_constant(kernel_t *k, int64_t value) {
  return kernel_constant(k, ir_attr_index(k->ctx, value), k->index_type);
}

ir_type_t kernel_vector_type(kernel_t *k, ir_type_t element) {
  int64_t lanes = k->lanes;
  return ir_type_vector(k->ctx, &lanes, 1, element);
}

ir_value_t *kernel_broadcast(kernel_t *k, ir_value_t *value) {
  if (kernel_is_vector(value)) return value;
  return kernel_op1(k, OP_VECTOR_BROADCAST, kernel_vector_type(k, value->type), value);
}

ir_value_t *kernel_select(kernel_t *k, ir_value_t *c, ir_value_t *a, ir_value_t *b) {
  if (kernel_is_vector(c) || kernel_is_vector(a) || kernel_is_vector(b)) {
    a = kernel_broadcast(k, a);
    b = kernel_broadcast(k, b);
    c = kernel_broadcast(k, c);
  }
  return kernel_op(k, OP_ARITH_SELECT, a->type, (ir_value_t *[]){c, a, b}, 3, NULL, 0);
}

ir_value_t *kernel_compare(kernel_t *k, int predicate, ir_value_t *a, ir_value_t *b) {
  bool is_vector = kernel_is_vector(a) || kernel_is_vector(b);
  if (is_vector) {
    a = kernel_broadcast(k, a);
    b = kernel_broadcast(k, b);
  }
  static const char *const words[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  kernel_attr_t attr = {"predicate", ir_attr_keyword(k->ctx, words[predicate])};
  ir_type_t type = is_vector ? kernel_vector_type(k, k->i1_type) : k->i1_type;
  return kernel_op(k, OP_ARITH_CMPI, type, (ir_value_t *[]){a, b}, 2, &attr, 1);
}

ir_value_t *kernel_elementwise(kernel_t *k, const ir_op_t *op, kval_t *const operands, size_t n,
                               size_t result) {
  ir_value_t *values[8];
  if (n > 8 || op->n_results > 2) {
    kernel_fail(k, ir_op_error(op, "has more operands than an elementwise op may have"));
    return NULL;
  }
  bool is_vector = false;
  for (size_t i = 0; i < n; ++i) {
    values[i] = kval_get(k, operands[i]);
    if (!values[i]) return NULL;
    is_vector |= kernel_is_vector(values[i]);
  }
  int depth = 0;
  for (size_t i = 0; i < n; ++i) {
    if (is_vector) values[i] = kernel_broadcast(k, values[i]);
    if (depth_of(values[i]) > depth) depth = depth_of(values[i]);
  }
  // The row's attributes travel as they are; numbering looks at the op they come from.
  kernel_attr_t attrs[4];
  size_t n_attrs = 0;
  static const char *const kept[] = {"predicate", "value", "fastmath", "overflowFlags"};
  for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i) {
    ir_attr_t attr = ir_op_attr(op, kept[i]);
    if (attr) attrs[n_attrs++] = (kernel_attr_t){kept[i], attr};
  }
  if (op->n_results == 1) {
    ir_type_t element = ir_type_element(ir_result(op, 0)->type);
    ir_type_t type = is_vector ? kernel_vector_type(k, element) : element;
    return build_at(k, depth, op->kind, type, values, n, attrs, n_attrs);
  }
  ir_type_t types[2];
  for (size_t i = 0; i < op->n_results; ++i) {
    ir_type_t element = ir_type_element(ir_result(op, i)->type);
    types[i] = is_vector ? kernel_vector_type(k, element) : element;
  }
  ir_builder_t b = builder_at(k, depth);
  ir_op_t *copy = ir_build(&b, &(ir_op_desc_t){.kind = op->kind,
                                               .loc = k->loc,
                                               .operands = values,
                                               .n_operands = n,
                                               .results = types,
                                               .n_results = op->n_results});
  for (size_t i = 0; i < op->n_results; ++i) ir_result(copy, i)->mark = (uint32_t)depth;
  k->cost += k->scopes[depth].trips * op_weight(k, types[0]);
  return ir_result(copy, result);
}

//===-- indices ------------------------------------------------------------------------------------

kidx_t kidx_value(ir_value_t *value) {
  ir_op_t *def = ir_def(value);
  if (def && def->kind == OP_ARITH_CONSTANT && !kernel_is_vector(value)) {
    ir_attr_t attr = ir_op_attr(def, "value");
    if (ir_is(attr, IR_A_INT)) return kidx_const(ir_int(attr, 0));
  }
  if (kernel_is_vector(value)) return (kidx_t){.vector = value};
  return (kidx_t){.base = value};
}

bool kidx_equal(kidx_t a, kidx_t b) {
  return a.base == b.base && a.add == b.add && a.lane == b.lane && a.vector == b.vector;
}

int kidx_depth(const kernel_t *k, kidx_t i) {
  (void)k;
  int depth = i.base ? depth_of(i.base) : 0;
  if (i.vector && depth_of(i.vector) > depth) depth = depth_of(i.vector);
  return depth;
}

ir_value_t *kidx_scalar(kernel_t *k, kidx_t i) {
  if (!i.base) return kernel_index_constant(k, i.add);
  if (!i.add) return i.base;
  return kernel_op2(k, OP_ARITH_ADDI, i.base, kernel_index_constant(k, i.add));
}

ir_value_t *kidx_get(kernel_t *k, kidx_t i) {
  if (i.vector) return i.vector;
  ir_value_t *scalar = kidx_scalar(k, (kidx_t){.base = i.base, .add = i.add});
  if (!i.lane) return scalar;
  ir_value_t *step =
      kernel_op(k, OP_VECTOR_STEP, kernel_vector_type(k, k->index_type), NULL, 0, NULL, 0);
  if (i.lane != 1) {
    step =
        kernel_op2(k, OP_ARITH_MULI, step, kernel_broadcast(k, kernel_index_constant(k, i.lane)));
  }
  return kernel_op2(k, OP_ARITH_ADDI, step, kernel_broadcast(k, scalar));
}

ir_value_t *kval_get(kernel_t *k, kval_t v) { return v.value ? v.value : kidx_get(k, v.index); }

kidx_t kval_index(kernel_t *k, kval_t v) {
  if (!v.value) return v.index;
  ir_value_t *value = v.value;
  ir_type_t element = ir_type_element(value->type);
  if (!ir_is(element, IR_T_INDEX)) {
    ir_type_t type = kernel_is_vector(value) ? kernel_vector_type(k, k->index_type) : k->index_type;
    value = kernel_op1(k, OP_ARITH_INDEX_CAST, type, value);
  }
  return kidx_value(value);
}

static kidx_t from_value(kernel_t *k, ir_kind_t kind, kidx_t a, kidx_t b) {
  return kidx_value(kernel_op2(k, kind, kidx_get(k, a), kidx_get(k, b)));
}

kidx_t kidx_add(kernel_t *k, kidx_t a, kidx_t b) {
  if (a.vector || b.vector) {
    if (kidx_is_const(b) && !b.add) return a;
    if (kidx_is_const(a) && !a.add) return b;
    return from_value(k, OP_ARITH_ADDI, a, b);
  }
  kidx_t r = {.add = a.add + b.add, .lane = a.lane + b.lane, .base = a.base ? a.base : b.base};
  if (a.base && b.base) r.base = kernel_op2(k, OP_ARITH_ADDI, a.base, b.base);
  return r;
}

kidx_t kidx_mul(kernel_t *k, kidx_t a, kidx_t b) {
  if (kidx_is_const(a)) {
    kidx_t t = a;
    a = b;
    b = t;
  }
  if (kidx_is_const(b)) {
    if (b.add == 0) return kidx_const(0);
    if (b.add == 1) return a;
    if (!a.vector) {
      kidx_t r = {.add = a.add * b.add, .lane = a.lane * b.add};
      if (a.base) r.base = kernel_op2(k, OP_ARITH_MULI, a.base, kernel_index_constant(k, b.add));
      return r;
    }
  }
  if (!a.vector && !a.lane && !b.vector && !b.lane) {
    return (kidx_t){.base = kernel_op2(k, OP_ARITH_MULI, kidx_scalar(k, a), kidx_scalar(k, b))};
  }
  return from_value(k, OP_ARITH_MULI, a, b);
}

kidx_t kidx_sub(kernel_t *k, kidx_t a, kidx_t b) {
  if (kidx_equal(a, b) && !a.vector) return kidx_const(0);
  if (!a.vector && !b.vector && (!b.base || a.base == b.base)) {
    return (kidx_t){.base = b.base ? NULL : a.base, .add = a.add - b.add, .lane = a.lane - b.lane};
  }
  if (!a.vector && !b.vector) {
    ir_value_t *zero = kernel_index_constant(k, 0);
    ir_value_t *base = kernel_op2(k, OP_ARITH_SUBI, a.base ? a.base : zero, b.base);
    return (kidx_t){.base = base, .add = a.add - b.add, .lane = a.lane - b.lane};
  }
  return from_value(k, OP_ARITH_SUBI, a, b);
}

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
}

kidx_t kidx_binary(kernel_t *k, ir_kind_t kind, kidx_t a, kidx_t b) {
  if (kidx_is_const(a) && kidx_is_const(b)) {
    int64_t x = a.add, y = b.add;
    bool divides = y != 0;
    if (kind == OP_ARITH_DIVSI && divides) return kidx_const(x / y);
    if (kind == OP_ARITH_REMSI && divides) return kidx_const(x % y);
    if (kind == OP_ARITH_FLOORDIVSI && divides) return kidx_const(floor_div(x, y));
    if (kind == OP_ARITH_CEILDIVSI && divides) return kidx_const(-floor_div(-x, y));
    if (kind == OP_ARITH_MINSI) return kidx_const(x < y ? x : y);
    if (kind == OP_ARITH_MAXSI) return kidx_const(x > y ? x : y);
  }
  bool by_one = kidx_is_const(b) && b.add == 1;
  if (by_one &&
      (kind == OP_ARITH_DIVSI || kind == OP_ARITH_FLOORDIVSI || kind == OP_ARITH_CEILDIVSI))
    return a;
  if (by_one && kind == OP_ARITH_REMSI) return kidx_const(0);
  return from_value(k, kind, a, b);
}

// x mod c is in [0, c) for positive c.
static kidx_t modulo(kernel_t *k, kidx_t a, kidx_t b) {
  kidx_t q = kidx_binary(k, OP_ARITH_FLOORDIVSI, a, b);
  return kidx_sub(k, a, kidx_mul(k, q, b));
}

kidx_t kidx_expr(kernel_t *k, ir_expr_t expr, const kidx_t *dims, size_t n_dims) {
  switch ((ir_term_kind_t)expr->kind) {
    case IR_E_DIM:
      if ((size_t)ir_int(expr, 0) < n_dims) return dims[ir_int(expr, 0)];
      break;
    case IR_E_CONST:
      return kidx_const(ir_int(expr, 0));
    case IR_E_ADD:
    case IR_E_MUL:
    case IR_E_MOD:
    case IR_E_FLOORDIV:
    case IR_E_CEILDIV: {
      kidx_t a = kidx_expr(k, ir_kid(expr, 0), dims, n_dims);
      kidx_t b = kidx_expr(k, ir_kid(expr, 1), dims, n_dims);
      if (expr->kind == IR_E_ADD) return kidx_add(k, a, b);
      if (expr->kind == IR_E_MUL) return kidx_mul(k, a, b);
      if (expr->kind == IR_E_MOD) return modulo(k, a, b);
      return kidx_binary(k, expr->kind == IR_E_FLOORDIV ? OP_ARITH_FLOORDIVSI : OP_ARITH_CEILDIVSI,
                         a, b);
    }
    default:
      break;
  }
  kernel_fail(k, ir_error(k->ctx, k->loc, "indexing map uses a symbol or an unknown expression"));
  return kidx_const(0);
}

//===-- loops --------------------------------------------------------------------------------------

void kernel_begin_loop(kernel_t *k, kernel_loop_t *loop, kidx_t lo, kidx_t hi, int64_t step,
                       ir_value_t *const *inits, size_t n, double trips) {
  *loop = (kernel_loop_t){.n_carried = n};
  bool is_const = kidx_is_const(lo) && kidx_is_const(hi);
  if (n > KERNEL_MAX_CARRIED || k->depth + 1 >= KERNEL_MAX_DEPTH) {
    kernel_fail(k, ir_error(k->ctx, k->loc, "kernel nests or carries too much"));
    loop->iv = lo;
    return;
  }
  if (is_const && hi.add > lo.add && hi.add - lo.add <= step) {
    loop->iv = lo;
    for (size_t i = 0; i < n; ++i) loop->carried[i] = inits[i];
    return;
  }
  ir_value_t *operands[3 + KERNEL_MAX_CARRIED] = {kidx_scalar(k, lo), kidx_scalar(k, hi),
                                                  kernel_index_constant(k, step)};
  ir_type_t types[KERNEL_MAX_CARRIED];
  for (size_t i = 0; i < n; ++i) {
    operands[3 + i] = inits[i];
    types[i] = inits[i]->type;
  }
  ir_builder_t b = builder_at(k, k->depth);
  loop->op = ir_build(&b, &(ir_op_desc_t){.kind = OP_SCF_FOR,
                                          .loc = k->loc,
                                          .operands = operands,
                                          .n_operands = 3 + n,
                                          .results = types,
                                          .n_results = n,
                                          .n_regions = 1});
  loop->is_built = true;
  ir_block_t *body = ir_block_create(k->ctx, ir_region(loop->op, 0));
  double outer = k->scopes[k->depth].trips;
  if (is_const) trips = (double)((hi.add - lo.add + step - 1) / step);
  k->cost += outer * 2;
  ++k->depth;
  open_scope(k, body, loop->op, outer * trips, false);
  ir_value_t *iv = ir_block_add_arg(k->ctx, body, k->index_type);
  iv->mark = (uint32_t)k->depth;
  loop->iv = (kidx_t){.base = iv};
  for (size_t i = 0; i < n; ++i) {
    loop->carried[i] = ir_block_add_arg(k->ctx, body, types[i]);
    loop->carried[i]->mark = (uint32_t)k->depth;
  }
  k->cost += k->scopes[k->depth].trips;
}

static void add_terminator(kernel_t *k, ir_value_t *const *yields, size_t n) {
  ir_builder_t b = {.ctx = k->ctx, .block = k->scopes[k->depth].block, .loc = k->loc};
  ir_build(&b, &(ir_op_desc_t){
                   .kind = OP_SCF_YIELD, .loc = k->loc, .operands = yields, .n_operands = n});
}

void kernel_end_loop(kernel_t *k, kernel_loop_t *loop, ir_value_t *const *yields,
                     ir_value_t **out) {
  size_t n = loop->n_carried;
  if (!loop->is_built) {
    for (size_t i = 0; i < n; ++i) out[i] = yields[i];
    return;
  }
  add_terminator(k, yields, n);
  --k->depth;
  for (size_t i = 0; i < n; ++i) {
    out[i] = ir_result(loop->op, i);
    out[i]->mark = (uint32_t)k->depth;
  }
}

void kernel_begin_if(kernel_t *k, ir_value_t *condition) {
  if (k->depth + 1 >= KERNEL_MAX_DEPTH) {
    kernel_fail(k, ir_error(k->ctx, k->loc, "kernel nests too deep"));
    return;
  }
  ir_builder_t b = builder_at(k, k->depth);
  ir_op_t *op = ir_build(&b, &(ir_op_desc_t){.kind = OP_SCF_IF,
                                             .loc = k->loc,
                                             .operands = &condition,
                                             .n_operands = 1,
                                             .n_regions = 2});
  ir_block_t *body = ir_block_create(k->ctx, ir_region(op, 0));
  double outer = k->scopes[k->depth].trips;
  ++k->depth;
  open_scope(k, body, op, outer, true);
}

void kernel_end_if(kernel_t *k) {
  if (!kernel_ok(k)) return;
  add_terminator(k, NULL, 0);
  --k->depth;
}

//===-- memory -------------------------------------------------------------------------------------

// A read is placed where its index lives, but never moved out of a condition.
static int memory_depth(kernel_t *k, const ir_value_t *buffer, kidx_t at) {
  int depth = kidx_depth(k, at);
  if (k->fresh_loads) return k->depth;
  if (depth_of(buffer) > depth) depth = depth_of(buffer);
  for (int d = k->depth; d > depth; --d) {
    if (k->scopes[d].is_conditional) return d;
  }
  return depth;
}

static ir_value_t *all_true(kernel_t *k) {
  uint8_t one = 1;
  ir_type_t type = kernel_vector_type(k, k->i1_type);
  return kernel_constant(k, ir_attr_dense(k->ctx, type, &one, 1, true, true), type);
}

static ir_value_t *zero_vector(kernel_t *k, ir_type_t element) {
  uint8_t zeros[16] = {0};
  ir_type_t type = kernel_vector_type(k, element);
  return kernel_constant(
      k, ir_attr_dense(k->ctx, type, zeros, ir_type_storage_bytes(element), true, true), type);
}

ir_value_t *kernel_load(kernel_t *k, ir_value_t *buffer, kidx_t at) {
  ir_type_t element = ir_type_element(buffer->type);
  int depth = memory_depth(k, buffer, at);
  if (kidx_is_uniform(at)) {
    ir_value_t *operands[] = {buffer, kidx_scalar(k, at)};
    return build_at(k, depth, OP_MEMREF_LOAD, element, operands, 2, NULL, 0);
  }
  ir_type_t type = kernel_vector_type(k, element);
  if (!at.vector && at.lane == 1) {
    ir_value_t *operands[] = {buffer, kidx_scalar(k, (kidx_t){.base = at.base, .add = at.add})};
    return build_at(k, depth, OP_VECTOR_LOAD, type, operands, 2, NULL, 0);
  }
  ir_value_t *operands[] = {buffer, kernel_index_constant(k, 0), kidx_get(k, at), all_true(k),
                            zero_vector(k, element)};
  k->cost += k->scopes[depth].trips * 2 * k->lanes;
  return build_at(k, depth, OP_VECTOR_GATHER, type, operands, 5, NULL, 0);
}

void kernel_store(kernel_t *k, ir_value_t *buffer, kidx_t at, ir_value_t *value) {
  if (kidx_is_uniform(at) && !kernel_is_vector(value)) {
    ir_value_t *operands[] = {value, buffer, kidx_scalar(k, at)};
    kernel_effect(k, OP_MEMREF_STORE, operands, 3, NULL);
    return;
  }
  value = kernel_broadcast(k, value);
  if (!at.vector && at.lane == 1) {
    ir_value_t *operands[] = {value, buffer,
                              kidx_scalar(k, (kidx_t){.base = at.base, .add = at.add})};
    kernel_effect(k, OP_VECTOR_STORE, operands, 3, NULL);
    return;
  }
  ir_value_t *operands[] = {buffer, kernel_index_constant(k, 0), kidx_get(k, at), all_true(k),
                            value};
  k->cost += k->scopes[k->depth].trips * 2 * k->lanes;
  kernel_effect(k, OP_VECTOR_SCATTER, operands, 5, NULL);
}
