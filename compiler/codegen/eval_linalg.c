// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured ops: an element of the result is the body on the mapped elements of the operands; over
// reduction dimensions it is a loop that carries the accumulators.
//
// A reduction whose result varies by lane carries vectors. One that does not may itself be spread
// over lanes, if its combiner can be regrouped: partial results per lane, combined after the loop
// by a fixed tree. The lane count is what costs least by a small model of latency and tail.
#include <math.h>
#include <string.h>

#include "compiler/codegen/eval_internal.h"
#include "compiler/dialects/linalg.h"

enum { MAX_OPERANDS = 48 };

typedef struct {
  ir_op_t *op;
  size_t n_dims, n_in, n_out;
  size_t n_acc;  // values carried by a reduction: two per complex result
  ir_group_t inputs, outputs;
  ir_attr_t maps[MAX_OPERANDS];
  bool is_reduction[KERNEL_MAX_RANK];
  kidx_t dims[KERNEL_MAX_RANK];
  bool is_set[KERNEL_MAX_RANK];
  kidx_t result_idx[KERNEL_MAX_RANK];  // of the asked result
  size_t rank;
} nest_t;

static kval_t fail(eval_t *e, const ir_op_t *op, const char *what) {
  kernel_fail(&e->k, ir_op_error(op, "%s", what));
  return kval(kernel_index_constant(&e->k, 0));
}

static bool open_nest(eval_t *e, nest_t *nest, ir_op_t *op) {
  ir_ctx_t *ctx = e->k.ctx;
  *nest = (nest_t){.op = op, .inputs = linalg_inputs(op), .outputs = linalg_outputs(op)};
  nest->n_in = nest->inputs.n;
  nest->n_out = nest->outputs.n;
  nest->n_dims = linalg_n_loops(ctx, op);
  if (nest->n_in + nest->n_out > MAX_OPERANDS || nest->n_dims > KERNEL_MAX_RANK) {
    fail(e, op, "has too many operands or loops");
    return false;
  }
  ir_attr_t maps = linalg_maps(ctx, op);
  for (size_t i = 0; i < nest->n_in + nest->n_out; ++i) nest->maps[i] = ir_kid(maps, i);
  for (size_t i = 0; i < nest->n_out; ++i)
    nest->n_acc += eval_parts(ir_operand(op, nest->outputs.first + i)->type);
  for (size_t d = 0; d < nest->n_dims; ++d) nest->is_reduction[d] = !linalg_is_parallel(ctx, op, d);
  return true;
}

// Binds parallel dimensions by the map of result |result|.
static bool bind_result(eval_t *e, nest_t *nest, size_t result, const kidx_t *idx, size_t rank) {
  ir_attr_t map = nest->maps[nest->n_in + result];
  nest->rank = rank;
  if (rank) memcpy(nest->result_idx, idx, rank * sizeof(*idx));
  for (size_t i = 0; i < rank; ++i) {
    ir_expr_t expr = ir_kid(map, i);
    if (ir_is(expr, IR_E_CONST)) continue;
    if (!ir_is(expr, IR_E_DIM)) {
      fail(e, nest->op, "writes its result through a map that is not a permutation");
      return false;
    }
    size_t d = (size_t)ir_int(expr, 0);
    nest->dims[d] = idx[i];
    nest->is_set[d] = true;
  }
  return true;
}

static ir_value_t *nest_operand(const nest_t *nest, size_t i) {
  size_t at = i < nest->n_in ? nest->inputs.first + i : nest->outputs.first + i - nest->n_in;
  return ir_operand(nest->op, at);
}

static kidx_t loop_extent(eval_t *e, const nest_t *nest, size_t d) {
  kidx_t dynamic = {0};
  bool found = false;
  for (size_t i = 0; i < nest->n_in + nest->n_out; ++i) {
    ir_value_t *operand = nest_operand(nest, i);
    if (!ir_is(operand->type, IR_T_TENSOR)) continue;
    for (size_t r = 0; r < ir_map_n_results(nest->maps[i]); ++r) {
      ir_expr_t expr = ir_kid(nest->maps[i], r);
      if (!ir_is(expr, IR_E_DIM) || (size_t)ir_int(expr, 0) != d) continue;
      kidx_t extent = eval_extent(e, operand, r);
      if (kidx_is_const(extent)) return extent;
      if (!found) dynamic = extent;
      found = true;
    }
  }
  if (!found) fail(e, nest->op, "has a loop whose extent no operand tells");
  return found ? dynamic : kidx_const(1);
}

static kval_t operand_at(eval_t *e, const nest_t *nest, size_t i) {
  ir_value_t *operand = nest_operand(nest, i);
  if (!ir_is(operand->type, IR_T_TENSOR)) return eval_scalar(e, operand);
  kidx_t idx[KERNEL_MAX_RANK];
  size_t rank = ir_map_n_results(nest->maps[i]);
  for (size_t r = 0; r < rank && r < KERNEL_MAX_RANK; ++r) {
    idx[r] = kidx_expr(&e->k, ir_kid(nest->maps[i], r), nest->dims, nest->n_dims);
  }
  return eval_tensor(e, operand, idx, rank);
}

// The body at the bound dimensions, with |acc| as the outputs' elements (NULL: the operands').
static void run_body(eval_t *e, const nest_t *nest, ir_value_t *const *acc, kval_t *out) {
  ir_block_t *block = ir_body(nest->op);
  kval_t args[MAX_OPERANDS];
  size_t slot = 0;
  if (!block || block->n_args < nest->n_in + nest->n_out) {
    fail(e, nest->op, "has no body");
    return;
  }
  for (size_t i = 0; i < nest->n_in + nest->n_out; ++i) {
    bool is_unused = ir_unused(block->args[i]);
    if (is_unused) {
      args[i] = (kval_t){.index = kidx_const(0)};
    } else if (i >= nest->n_in && acc) {
      args[i] = kval(acc[slot]);
      if (eval_is_complex(nest_operand(nest, i)->type)) args[i].imag = acc[slot + 1];
    } else {
      args[i] = operand_at(e, nest, i);
    }
    if (!kernel_ok(&e->k)) return;
    if (i >= nest->n_in) slot += eval_parts(nest_operand(nest, i)->type);
  }
  eval_body(e, block, args, nest->dims, nest->n_dims, out, nest->n_out);
}

//===-- combiners ----------------------------------------------------------------------------------

typedef struct {
  ir_op_t *op;           // acc = op(acc, x)
  const char *kind;      // vector.reduction's word
  double neutral;        // float
  int64_t neutral_bits;  // integer; smallest and largest by flag
  int limit;             // 0: neutral_bits, 1: signed smallest, 2: signed largest, 3: all ones
} combiner_t;

static const struct {
  uint16_t op;
  const char *kind;
  double neutral;
  int64_t bits;
  int limit;
} combiner_rows[] = {
    {OP_ARITH_ADDF, "add", -0.0, 0, 0},
    {OP_ARITH_MULF, "mul", 1, 0, 0},
    {OP_ARITH_MAXIMUMF, "maximumf", -INFINITY, 0, 0},
    {OP_ARITH_MINIMUMF, "minimumf", INFINITY, 0, 0},
    {OP_ARITH_MAXNUMF, "maxnumf", -INFINITY, 0, 0},
    {OP_ARITH_MINNUMF, "minnumf", INFINITY, 0, 0},
    {OP_ARITH_ADDI, "add", 0, 0, 0},
    {OP_ARITH_MULI, "mul", 0, 1, 0},
    {OP_ARITH_ANDI, "and", 0, 0, 3},
    {OP_ARITH_ORI, "or", 0, 0, 0},
    {OP_ARITH_XORI, "xor", 0, 0, 0},
    {OP_ARITH_MAXSI, "maxsi", 0, 0, 1},
    {OP_ARITH_MINSI, "minsi", 0, 0, 2},
    {OP_ARITH_MAXUI, "maxui", 0, 0, 0},
    {OP_ARITH_MINUI, "minui", 0, 0, 3},
};

// True if the body only combines: yields op(acc, x) with x independent of acc.
static bool find_combiner(const nest_t *nest, combiner_t *out) {
  ir_block_t *block = ir_body(nest->op);
  if (nest->n_out != 1 || !block || !block->last || block->last->n_operands != 1) return false;
  ir_value_t *acc = block->args[nest->n_in], *yielded = ir_operand(block->last, 0);
  ir_op_t *op = ir_def(yielded);
  if (!op || op->block != block || op->n_operands != 2 || !ir_has_one_use(acc)) return false;
  if (ir_operand(op, 0) != acc && ir_operand(op, 1) != acc) return false;
  for (size_t i = 0; i < sizeof(combiner_rows) / sizeof(combiner_rows[0]); ++i) {
    if (combiner_rows[i].op != op->kind) continue;
    *out = (combiner_t){op, combiner_rows[i].kind, combiner_rows[i].neutral, combiner_rows[i].bits,
                        combiner_rows[i].limit};
    return true;
  }
  return false;
}

// |value|; where the type has no infinity the finite number nearest to it.
static uint64_t neutral_float(ir_type_t element, double value) {
  ir_float_t kind = ir_float_kind(element);
  uint64_t bits = ir_float_from_double(kind, value);
  if (!isinf(value) || isinf(ir_float_to_double(kind, bits))) return bits;
  uint64_t sign = 1ull << (ir_type_width(element) - 1), largest = sign - 1;
  while (isnan(ir_float_to_double(kind, largest))) --largest;
  return value < 0 ? largest | sign : largest;
}

static ir_value_t *neutral_element(eval_t *e, const combiner_t *c, ir_type_t element) {
  kernel_t *k = &e->k;
  if (ir_type_is_float(element)) {
    uint64_t bits = neutral_float(element, c->neutral);
    return kernel_constant(k, ir_attr_float_bits(k->ctx, element, bits), element);
  }
  if (ir_is(element, IR_T_INDEX)) return kernel_index_constant(k, c->neutral_bits);
  unsigned width = ir_type_width(element);
  int64_t value = c->neutral_bits, top = (int64_t)(1ull << (width - 1));
  if (c->limit == 1) value = width == 64 ? INT64_MIN : -top;
  if (c->limit == 2) value = width == 64 ? INT64_MAX : top - 1;
  if (c->limit == 3) value = -1;
  ir_attr_t attr =
      width == 1 ? ir_attr_bool(k->ctx, value & 1) : ir_attr_int(k->ctx, element, value);
  return kernel_constant(k, attr, element);
}

//===-- choosing lanes for a reduction -------------------------------------------------------------

// How operand |i| moves along dimension |d|: 0 not at all, 1 contiguously, 2 otherwise.
static int motion(const nest_t *nest, size_t i, size_t d) {
  ir_attr_t map = nest->maps[i];
  int result = 0;
  if (!ir_is(nest_operand(nest, i)->type, IR_T_TENSOR)) return 0;
  for (size_t r = 0; r < ir_map_n_results(map); ++r) {
    ir_expr_t expr = ir_kid(map, r);
    bool uses = ir_is(expr, IR_E_DIM) && (size_t)ir_int(expr, 0) == d;
    if (!uses && !ir_is(expr, IR_E_DIM) && !ir_is(expr, IR_E_CONST)) {
      // A sum such as y + Ky: contiguous if it is the last and both have factor 1; taken as not.
      for (size_t kid = 0; kid < expr->n_kids; ++kid) {
        ir_expr_t part = ir_kid(expr, kid);
        if (ir_is(part, IR_E_DIM) && (size_t)ir_int(part, 0) == d) uses = true;
      }
    }
    if (!uses) continue;
    result = r + 1 == ir_map_n_results(map) ? 1 : 2;
  }
  return result;
}

static unsigned element_bytes(ir_type_t element) {
  if (ir_is(element, IR_T_INDEX)) return 8;
  unsigned bytes = (ir_type_width(element) + 7) / 8;
  if (ir_type_is_float(element) && bytes < 4) bytes = 4;
  return bytes ? bytes : 1;
}

// The dimension to spread over lanes and how many; 1 lane if it does not pay. The partial results
// of |rows| reductions stay in registers together.
static size_t choose_reduction_lanes(eval_t *e, const nest_t *nest, size_t rows,
                                     unsigned *out_lanes) {
  size_t best = 0;
  int best_score = -1;
  *out_lanes = 1;
  for (size_t d = 0; d < nest->n_dims; ++d) {
    if (!nest->is_reduction[d]) continue;
    int score = 0;
    for (size_t i = 0; i < nest->n_in; ++i) {
      int m = motion(nest, i, d);
      if (m == 1) score += 2;
      if (m == 2) score -= 4;
    }
    if (score >= best_score) best = d, best_score = score;
  }
  if (best_score <= 0 || e->k.target->max_lanes < 2) return best;
  unsigned bytes = 1;
  for (size_t i = 0; i < nest->n_in + nest->n_out; ++i) {
    unsigned b = element_bytes(ir_type_element(nest_operand(nest, i)->type));
    if (b > bytes) bytes = b;
  }
  unsigned native = e->k.target->vector_bytes / bytes;
  kidx_t extent = loop_extent(e, nest, best);
  if (!kidx_is_const(extent)) {
    *out_lanes = rows * 2 > e->k.target->vector_registers / 2 ? native : native * 2;
    return best;
  }
  double best_cost = (double)extent.add * 4;
  for (unsigned lanes = native * 4; lanes >= 2; lanes /= 2) {
    if ((int64_t)lanes > extent.add) continue;
    if (lanes > native && rows * (lanes / native) > e->k.target->vector_registers / 2) continue;
    // Registers in flight hide an add's latency of about 4; the final tree costs its depth.
    double parts = lanes > native ? (double)lanes / native : 1, step = parts > 4 ? parts : 4;
    double tree = 0;
    for (unsigned l = lanes; l > 1; l /= 2) tree += 3;
    double cost = (double)(extent.add / lanes) * step + (double)(extent.add % lanes) * 4 + tree;
    if (cost < best_cost) best_cost = cost, *out_lanes = lanes;
  }
  return best;
}

//===-- reductions ---------------------------------------------------------------------------------

static bool varies_by_lane(const kidx_t *idx, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (!kidx_is_uniform(idx[i])) return true;
  }
  return false;
}

// Rows of a reduction that are computed side by side; they differ in where their result lies.
typedef struct {
  nest_t *rows;
  size_t count;
  size_t n_acc;  // accumulators of all rows
} batch_t;

static void set_dim(batch_t *batch, size_t d, kidx_t value) {
  for (size_t i = 0; i < batch->count; ++i) batch->rows[i].dims[d] = value;
}

static void reduce_dims(eval_t *e, batch_t *batch, size_t d, size_t lane_dim, ir_value_t **acc);

static void reduce_body(eval_t *e, batch_t *batch, ir_value_t **acc) {
  for (size_t r = 0; r < batch->count && kernel_ok(&e->k); ++r) {
    kval_t yields[MAX_OPERANDS] = {0};
    const nest_t *row = &batch->rows[r];
    ir_value_t **own = acc + r * row->n_acc;
    run_body(e, row, own, yields);
    for (size_t i = 0, slot = 0; i < row->n_out && kernel_ok(&e->k); ++i, ++slot) {
      ir_value_t *value = kval_get(&e->k, yields[i]);
      own[slot] = kernel_is_vector(own[slot]) ? kernel_broadcast(&e->k, value) : value;
      if (!yields[i].imag) continue;
      ++slot;
      own[slot] =
          kernel_is_vector(own[slot]) ? kernel_broadcast(&e->k, yields[i].imag) : yields[i].imag;
    }
  }
}

static void reduce_loop(eval_t *e, batch_t *batch, size_t d, size_t next, size_t lane_dim,
                        kidx_t hi, unsigned lanes, ir_value_t **acc) {
  kernel_t *k = &e->k;
  kernel_loop_t loop;
  kernel_begin_loop(k, &loop, kidx_const(0), hi, lanes, acc, batch->n_acc, 64.0 / lanes + 1);
  if (!kernel_ok(k)) return;
  kidx_t at = loop.iv;
  if (lanes > 1) at.lane = 1;
  set_dim(batch, d, at);
  ir_value_t *inner[KERNEL_MAX_CARRIED];
  memcpy(inner, loop.carried, batch->n_acc * sizeof(*inner));
  reduce_dims(e, batch, next, lane_dim, inner);
  kernel_end_loop(k, &loop, inner, acc);
}

// Loops over the reduction dimensions from |d| on, |lane_dim| (none if past the end) innermost and
// in whole vectors only, around the body.
static void reduce_dims(eval_t *e, batch_t *batch, size_t d, size_t lane_dim, ir_value_t **acc) {
  const nest_t *nest = &batch->rows[0];
  while (d < nest->n_dims && (!nest->is_reduction[d] || d == lane_dim)) ++d;
  if (!kernel_ok(&e->k)) return;
  if (d < nest->n_dims) {
    kidx_t extent = loop_extent(e, nest, d);
    if (kidx_is_const(extent) && extent.add == 0) return;
    reduce_loop(e, batch, d, d + 1, lane_dim, extent, 1, acc);
    return;
  }
  if (lane_dim >= nest->n_dims) {
    reduce_body(e, batch, acc);
    return;
  }
  kidx_t extent = loop_extent(e, nest, lane_dim), lanes = kidx_const(e->k.lanes);
  kidx_t main = kidx_mul(&e->k, kidx_binary(&e->k, OP_ARITH_DIVSI, extent, lanes), lanes);
  if (kidx_is_const(main) && main.add == 0) return;
  reduce_loop(e, batch, lane_dim, nest->n_dims, nest->n_dims, main, e->k.lanes, acc);
}

// The part of the spread dimension that does not fill a vector, one element at a time.
static void reduce_tail(eval_t *e, batch_t *batch, size_t d, size_t lane_dim, unsigned lanes,
                        ir_value_t **acc) {
  const nest_t *nest = &batch->rows[0];
  while (d < nest->n_dims && (!nest->is_reduction[d] || d == lane_dim)) ++d;
  kernel_t *k = &e->k;
  kernel_loop_t loop;
  bool is_inner = d >= nest->n_dims;
  size_t dim = is_inner ? lane_dim : d;
  kidx_t extent = loop_extent(e, nest, dim), lo = kidx_const(0);
  if (is_inner) {
    kidx_t count = kidx_const(lanes);
    lo = kidx_mul(k, kidx_binary(k, OP_ARITH_DIVSI, extent, count), count);
  }
  kernel_begin_loop(k, &loop, lo, extent, 1, acc, batch->n_acc, 8);
  if (!kernel_ok(k)) return;
  set_dim(batch, dim, loop.iv);
  ir_value_t *inner[KERNEL_MAX_CARRIED];
  memcpy(inner, loop.carried, batch->n_acc * sizeof(*inner));
  if (is_inner) {
    reduce_body(e, batch, inner);
  } else {
    reduce_tail(e, batch, d + 1, lane_dim, lanes, inner);
  }
  kernel_end_loop(k, &loop, inner, acc);
}

static void reduce_over_lanes(eval_t *e, batch_t *batch, const combiner_t *c, size_t lane_dim,
                              unsigned lanes, ir_value_t **acc) {
  kernel_t *k = &e->k;
  unsigned outer_lanes = k->lanes;
  ir_type_t element = acc[0]->type;
  k->lanes = lanes;
  ir_value_t *partial[KERNEL_MAX_CARRIED];
  for (size_t i = 0; i < batch->n_acc; ++i)
    partial[i] = kernel_broadcast(k, neutral_element(e, c, element));
  reduce_dims(e, batch, 0, lane_dim, partial);
  k->lanes = outer_lanes;
  for (size_t i = 0; i < batch->n_acc && kernel_ok(k); ++i) {
    if (!kernel_is_vector(partial[i])) continue;
    kernel_attr_t attr = {"kind", ir_attr_keyword(k->ctx, c->kind)};
    ir_value_t *reduced = kernel_op(k, OP_VECTOR_REDUCTION, element, &partial[i], 1, &attr, 1);
    k->cost += k->scopes[k->depth].trips * 8;
    acc[i] = kernel_op2(k, c->op->kind, acc[i], reduced);
  }
  kidx_t extent = loop_extent(e, &batch->rows[0], lane_dim);
  if (!kidx_is_const(extent) || extent.add % lanes) reduce_tail(e, batch, 0, lane_dim, lanes, acc);
}

// Row |row| of the batch: where indices name the rows' base, moved to that row.
static kidx_t at_row(const kernel_t *k, kidx_t i, unsigned row) {
  if (i.base && i.base == k->row_base && !i.vector) i.add += (int64_t)row - (int64_t)k->row;
  return i;
}

static void make_row(const kernel_t *k, const nest_t *from, unsigned row, nest_t *out) {
  *out = *from;
  for (size_t i = 0; i < from->rank; ++i) out->result_idx[i] = at_row(k, from->result_idx[i], row);
  for (size_t d = 0; d < from->n_dims; ++d) {
    if (from->is_set[d]) out->dims[d] = at_row(k, from->dims[d], row);
  }
}

static bool names_rows(const kernel_t *k, const nest_t *nest) {
  for (size_t i = 0; i < nest->rank; ++i) {
    if (nest->result_idx[i].base && nest->result_idx[i].base == k->row_base &&
        !nest->result_idx[i].vector)
      return true;
  }
  return false;
}

static int idx_depth(kernel_t *k, const kidx_t *idx, size_t n) {
  int depth = 0;
  for (size_t i = 0; i < n; ++i) {
    int d = kidx_depth(k, idx[i]);
    if (d > depth) depth = d;
  }
  // Nothing moves out of a condition.
  for (int d = k->depth; d > depth; --d) {
    if (k->scopes[d].is_conditional) return d;
  }
  return depth;
}

static void reduce(eval_t *e, nest_t *nest, size_t result, kval_t *out) {
  kernel_t *k = &e->k;
  kernel_saved_t saved;
  bool by_lane = varies_by_lane(nest->result_idx, nest->rank);
  batch_t batch = {.count = 1};
  if (k->row_base && k->row_count * nest->n_acc <= KERNEL_MAX_CARRIED && names_rows(k, nest))
    batch.count = k->row_count;
  bool is_batch = batch.count > 1;
  batch.n_acc = batch.count * nest->n_acc;
  if (batch.n_acc > KERNEL_MAX_CARRIED) {
    fail(e, nest->op, "carries too many values");
    return;
  }
  batch.rows = IREE_ARENA_ARRAY(k->arena, nest_t, batch.count);
  for (unsigned r = 0; r < batch.count; ++r)
    make_row(k, nest, is_batch ? r : k->row, &batch.rows[r]);
  kernel_enter(k, idx_depth(k, nest->result_idx, nest->rank), &saved);
  ir_value_t *acc[KERNEL_MAX_CARRIED];
  for (size_t r = 0, slot = 0; r < batch.count && kernel_ok(k); ++r) {
    for (size_t i = 0; i < nest->n_out && kernel_ok(k); ++i) {
      kval_t init = operand_at(e, &batch.rows[r], nest->n_in + i);
      acc[slot++] = kval_get(k, init);
      if (init.imag) acc[slot++] = init.imag;
    }
  }
  for (size_t i = 0; by_lane && i < batch.n_acc && kernel_ok(k); ++i)
    acc[i] = kernel_broadcast(k, acc[i]);
  combiner_t combiner = {0};
  unsigned lanes = 1;
  size_t lane_dim = nest->n_dims;
  if (kernel_ok(k) && !by_lane && k->depth < KERNEL_MAX_DEPTH - 8 &&
      find_combiner(nest, &combiner)) {
    lane_dim = choose_reduction_lanes(e, nest, batch.count, &lanes);
  }
  // Rows are this reduction's affair; what it asks for is asked row by row.
  ir_value_t *row_base = k->row_base;
  if (is_batch) k->row_base = NULL;
  if (kernel_ok(k) && lanes > 1) {
    reduce_over_lanes(e, &batch, &combiner, lane_dim, lanes, acc);
  } else if (kernel_ok(k)) {
    unsigned outer_lanes = k->lanes;
    if (!by_lane) k->lanes = 1;
    reduce_dims(e, &batch, 0, nest->n_dims, acc);
    k->lanes = outer_lanes;
  }
  k->row_base = row_base;
  for (size_t r = 0; r < batch.count && kernel_ok(k); ++r) {
    for (size_t i = 0, slot = r * nest->n_acc; i < nest->n_out; ++i) {
      kval_t value = kval(acc[slot++]);
      if (eval_is_complex(nest_operand(nest, nest->n_in + i)->type)) value.imag = acc[slot++];
      if (!is_batch || r == k->row) out[i] = value;
      bool alike = nest->maps[nest->n_in + i] == nest->maps[nest->n_in + result] &&
                   i < nest->op->n_results;
      if (is_batch && alike)
        kernel_remember(k, ir_result(nest->op, i), batch.rows[r].result_idx, nest->rank, value);
    }
  }
  kernel_leave(k, &saved);
}

kval_t eval_linalg(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  nest_t nest;
  kval_t out[MAX_OPERANDS] = {0};
  if (!linalg_is_structured(op)) return fail(e, op, "has no lowering inside a kernel");
  if (!open_nest(e, &nest, op) || !bind_result(e, &nest, result, idx, rank))
    return kval(kernel_index_constant(&e->k, 0));
  bool has_reduction = false;
  for (size_t d = 0; d < nest.n_dims; ++d) {
    has_reduction |= nest.is_reduction[d];
    if (!nest.is_set[d] && !nest.is_reduction[d]) {
      kidx_t extent = loop_extent(e, &nest, d);
      if (!kidx_is_const(extent) || extent.add > 1)
        return fail(e, op, "has a parallel loop that the result does not show");
      nest.dims[d] = kidx_const(0);
    }
  }
  if (has_reduction) {
    reduce(e, &nest, result, out);
  } else {
    run_body(e, &nest, NULL, out);
  }
  if (!kernel_ok(&e->k)) return kval(kernel_index_constant(&e->k, 0));
  // All results come at once; those with the same indices are remembered too.
  for (size_t i = 0; i < nest.n_out && op->n_results == nest.n_out; ++i) {
    if (i == result || nest.maps[nest.n_in + i] != nest.maps[nest.n_in + result]) continue;
    kernel_remember(&e->k, ir_result(op, i), idx, rank, out[i]);
  }
  return out[result];
}
