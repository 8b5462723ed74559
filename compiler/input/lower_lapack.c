// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The LAPACK routines that JAX calls by name on CPU, one row of a table each. What they overwrite
// without JAX reading it is given back as it came; a status is 0 or what LAPACK's would be.
#include <string.h>

#include "compiler/input/lower_matrix.h"

typedef struct call {
  lowering_t *l;
  ir_op_t *op;
  const char *name;
  matrices_t m;
  ir_value_t *a;
} call_t;
typedef iree_status_t (*routine_fn_t)(call_t *c);

static char option(const call_t *c, const char *name, char absent) {
  ir_attr_t config = ir_op_attr(c->op, "mhlo.backend_config");
  if (!config) config = ir_op_attr(c->op, "backend_config");
  ir_attr_t value = ir_is(config, IR_A_DICT) ? ir_dict_get(config, name) : NULL;
  return ir_is(value, IR_A_INT) ? (char)ir_int(value, 0) : absent;
}
static ir_type_t result_type(const call_t *c, uint32_t i) {
  return low_type(c->l->ctx, ir_result(c->op, i)->type);
}
static iree_status_t give(call_t *c, uint32_t i, ir_value_t *v) {
  ir_type_t to = result_type(c, i), from = v->type;
  bool fits = ir_is(to, IR_T_TENSOR) && ir_type_element(to) == ir_type_element(from) &&
              ir_type_rank(to) == ir_type_rank(from);
  for (size_t d = 0; fits && d < ir_type_rank(to); ++d) {
    int64_t x = ir_type_dim(from, d), y = ir_type_dim(to, d);
    fits = x == y || x == IR_DYNAMIC || y == IR_DYNAMIC;
  }
  if (!fits)
    return ir_op_error(c->op, "calls '%s', whose result %u is a %s here", c->name, i,
                       ir_print_term_to(ir_arena(c->l->ctx), from));
  set_lowered(c->l, ir_result(c->op, i), low_tensor_cast(c->l, v, to));
  return iree_ok_status();
}
// Zeros: a status, or what was not asked for.
static iree_status_t give_zeros(call_t *c, uint32_t i) {
  ir_type_t type = result_type(c, i);
  sizes_t sizes = sizes_none();
  if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) < c->m.n_batch)
    return ir_op_error(c->op, "calls '%s' for a result of too few dimensions", c->name);
  for (size_t d = 0; d < ir_type_rank(type); ++d)
    if (ir_type_dim(type, d) == IR_DYNAMIC)
      sizes.at[d] = d < c->m.n_batch ? c->m.batch[d].v : low_extent(c->l, c->a, 0).v;
  ir_value_t *zero = low_zero(&c->l->b, ir_type_element(type));
  set_lowered(c->l, ir_result(c->op, i), low_filled(c->l, type, &sizes, zero));
  return iree_ok_status();
}
static iree_status_t check_square(call_t *c) {
  return low_check_equal(c->l, c->op, c->a, c->m.n_batch, c->a, c->m.n_batch + 1);
}
static iree_status_t operand(call_t *c, uint32_t i, size_t rank, ir_value_t **out) {
  *out = lowered_operand(c->l, c->op, i);
  ir_type_t type = (*out)->type;
  if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) != c->m.n_batch + rank ||
      ir_type_element(type) != c->m.f)
    return ir_op_error(c->op, "calls '%s' with an operand %u of another rank or type", c->name, i);
  for (size_t d = 0; d < c->m.n_batch; ++d)
    IREE_RETURN_IF_ERROR(low_check_equal(c->l, c->op, c->a, d, *out, d));
  return iree_ok_status();
}

// ---- LU
// The row of the largest element at or below the diagonal of column |k|.
static ir_value_t *find_pivot(const matrices_t *m, ir_value_t *lu, ir_value_t *k) {
  ir_type_t i64 = ir_type_i(m->l->ctx, 64);
  extent_t rows = low_extent(m->l, lu, 1);
  nest_out_t outs[2] = {{m->real, -1}, {i64, 0}};
  nest_t n = low_nest_begin(m, own_none(), &rows, outs, 2);
  ir_value_t *size = low_size(&n.b, low_at(&n, lu, n.k, k)), *r[2];
  ir_value_t *take =
      low_both(&n.b, low_cmpi(&n.b, "sge", n.k, k), low_cmpf(&n.b, "ogt", size, n.acc[0]));
  low_nest_end(&n,
               (ir_value_t *[]){low_select(&n.b, take, size, n.acc[0]),
                                low_select(&n.b, take, low_from_index(&n.b, n.k, i64), n.acc[1])},
               r);
  nest_t c = low_cells_begin(m, own_none(), i64);  // no number was larger: NaN
  return low_cells_end(&c, low_op2(&c.b, OP_ARITH_MAXSI, low_at(&c, r[1], NULL, NULL),
                                   low_from_index(&c.b, k, i64)));
}
static iree_status_t lower_getrf(call_t *c) {
  const matrices_t *m = &c->m;
  lowering_t *l = c->l;
  extent_t rows = low_extent(l, c->a, 1), columns = low_extent(l, c->a, 0),
           steps = low_least(l, rows, columns);
  ir_type_t i32 = ir_type_i(l->ctx, 32), i64 = ir_type_i(l->ctx, 64);
  ir_value_t *init[3] = {c->a, low_constant(m, own1(steps), i32, 0),
                         low_constant(m, own_none(), i32, 0)},
             *next[3];
  host_loop_t h = low_loop_begin(l, low_index(&l->b, 0), steps.v, init, 3);
  ir_value_t *k = h.i, *lu = h.carried[0], *pivot = find_pivot(m, lu, k);
  // Rows k and p change places; rows below lose their multiple of row k.
  nest_t n = low_cells_begin(m, own2(rows, columns), m->f);
  ir_value_t *top = low_to_index(&n.b, low_at(&n, pivot, NULL, NULL), i64);
  ir_value_t *from = low_select(&n.b, low_cmpi(&n.b, "eq", n.i, k), top,
                                low_select(&n.b, low_cmpi(&n.b, "eq", n.i, top), k, n.i));
  ir_value_t *own = low_at(&n, lu, from, n.j), *head = low_at(&n, lu, from, k);
  ir_value_t *diagonal = low_at(&n, lu, top, k), *zero = low_zero(&n.b, m->real);
  ir_value_t *singular = low_cmpf(&n.b, "oeq", low_size(&n.b, diagonal), zero);
  ir_value_t *multiple = low_select(&n.b, singular, head, low_div(&n.b, head, diagonal));
  ir_value_t *rest = low_sub(&n.b, own, low_mul(&n.b, multiple, low_at(&n, lu, top, n.j)));
  ir_value_t *v = low_select(&n.b, low_cmpi(&n.b, "eq", n.j, k), multiple, rest);
  ir_value_t *below = low_both(&n.b, low_cmpi(&n.b, "sgt", n.i, k), low_cmpi(&n.b, "sge", n.j, k));
  next[0] = low_cells_end(&n, low_select(&n.b, below, v, own));
  n = low_cells_begin(m, own1(steps), i32);  // counted from 1
  ir_value_t *number =
      low_op2(&n.b, OP_ARITH_ADDI, low_at(&n, pivot, NULL, NULL), low_int(&n.b, i64, 1));
  number = low_convert(&n.b, number, i64, i32);
  next[1] = low_cells_end(&n, low_select(&n.b, low_cmpi(&n.b, "eq", n.i, k), number,
                                         low_at(&n, h.carried[1], n.i, NULL)));
  n = low_cells_begin(m, own_none(), i32);
  ir_value_t *before = low_at(&n, h.carried[2], NULL, NULL);
  ir_value_t *size =
      low_size(&n.b, low_at(&n, lu, low_to_index(&n.b, low_at(&n, pivot, NULL, NULL), i64), k));
  ir_value_t *fails = low_both(&n.b, low_cmpf(&n.b, "oeq", size, low_zero(&n.b, m->real)),
                               low_cmpi(&n.b, "eq", before, low_int(&n.b, i32, 0)));
  number = low_from_index(&n.b, low_op2(&n.b, OP_ARITH_ADDI, k, low_index(&n.b, 1)), i32);
  next[2] = low_cells_end(&n, low_select(&n.b, fails, number, before));
  low_loop_end(l, &h, next);
  for (uint32_t i = 0; i < 3; ++i) IREE_RETURN_IF_ERROR(give(c, i, ir_result(h.op, i)));
  return iree_ok_status();
}

// ---- triangles
static iree_status_t lower_potrf(call_t *c) {
  ir_value_t *info;
  IREE_RETURN_IF_ERROR(check_square(c));
  IREE_RETURN_IF_ERROR(give(c, 0, low_cholesky(&c->m, c->a, option(c, "uplo", 'L') != 'U', &info)));
  return give(c, 1, info);
}
static iree_status_t lower_trsm(call_t *c) {
  ir_value_t *rhs;
  triangular_t how = {.left = option(c, "side", 'L') != 'R',
                      .lower = option(c, "uplo", 'L') != 'U',
                      .unit = option(c, "diag", 'N') == 'U',
                      .transposed = option(c, "trans_x", 'N') != 'N',
                      .conjugate = option(c, "trans_x", 'N') == 'C'};
  IREE_RETURN_IF_ERROR(check_square(c));
  IREE_RETURN_IF_ERROR(operand(c, 1, 2, &rhs));
  IREE_RETURN_IF_ERROR(
      low_check_equal(c->l, c->op, c->a, c->m.n_batch, rhs, c->m.n_batch + !how.left));
  return give(c, 0, low_triangular_solve(&c->m, c->a, rhs, how));
}

// ---- reflections
static iree_status_t lower_geqrf(call_t *c) {
  reflections_t r = low_reflections(&c->m, c->a, REFLECT_LEFT);
  IREE_RETURN_IF_ERROR(give(c, 0, r.packed));
  return give(c, 1, r.tau);
}
static iree_status_t lower_geqp3(call_t *c) {
  ir_value_t *fixed = low_splat_of(c->l, lowered_operand(c->l, c->op, 1));
  ir_attr_t value = fixed ? ir_constant_of(fixed) : NULL;
  if (!ir_is(value, IR_A_INT) || ir_int(value, 0))
    return ir_op_error(c->op, "calls '%s' with columns that come first; give it zeros", c->name);
  reflections_t r = low_reflections(&c->m, c->a, REFLECT_PIVOTED);
  ir_type_t i32 = ir_type_i(c->l->ctx, 32), i64 = ir_type_i(c->l->ctx, 64);
  nest_t n = low_cells_begin(&c->m, own1(low_extent(c->l, c->a, 0)), i32);
  ir_value_t *number =
      low_op2(&n.b, OP_ARITH_ADDI, low_at(&n, r.pivots, n.i, NULL), low_int(&n.b, i64, 1));
  IREE_RETURN_IF_ERROR(give(c, 0, r.packed));
  IREE_RETURN_IF_ERROR(give(c, 1, low_cells_end(&n, low_convert(&n.b, number, i64, i32))));
  return give(c, 2, r.tau);
}
static iree_status_t lower_orgqr(call_t *c) {
  ir_value_t *tau;
  IREE_RETURN_IF_ERROR(operand(c, 1, 1, &tau));
  extent_t rows = low_extent(c->l, c->a, 1), columns = low_extent(c->l, c->a, 0),
           n = low_extent(c->l, tau, 0);
  if (n.n != IR_DYNAMIC && columns.n != IR_DYNAMIC &&
      (n.n > columns.n || (rows.n != IR_DYNAMIC && columns.n > rows.n)))
    return ir_op_error(c->op, "calls '%s' with shapes that do not fit", c->name);
  return give(c, 0, low_reflections_product(&c->m, c->a, tau, rows, columns, false));
}
static iree_status_t lower_gehrd(call_t *c) {
  IREE_RETURN_IF_ERROR(check_square(c));
  extent_t n = low_extent(c->l, c->a, 0);
  ir_attr_t config = ir_op_attr(c->op, "mhlo.backend_config");
  ir_attr_t low = ir_is(config, IR_A_DICT) ? ir_dict_get(config, "low") : NULL,
            high = ir_is(config, IR_A_DICT) ? ir_dict_get(config, "high") : NULL;
  if ((low && ir_int(low, 0) > 1) || (high && n.n != IR_DYNAMIC && ir_int(high, 0) < n.n))
    return ir_op_error(c->op, "calls '%s' on a part of the matrix; balance it to the whole",
                       c->name);
  reflections_t r = low_reflections(&c->m, c->a, REFLECT_BOTH);
  IREE_RETURN_IF_ERROR(give(c, 0, r.packed));
  IREE_RETURN_IF_ERROR(give(c, 1, r.tau));
  return give_zeros(c, 2);
}

static iree_status_t lower_sytrd(call_t *c) {
  IREE_RETURN_IF_ERROR(check_square(c));
  tridiagonal_t r = low_tridiagonal(&c->m, c->a, option(c, "uplo", 'L') != 'U');
  IREE_RETURN_IF_ERROR(give(c, 0, r.packed));
  IREE_RETURN_IF_ERROR(give(c, 1, r.diagonal));
  IREE_RETURN_IF_ERROR(give(c, 2, r.beside));
  IREE_RETURN_IF_ERROR(give(c, 3, r.tau));
  return give_zeros(c, 4);
}
static iree_status_t solve_tridiagonal(call_t *c, bool perturb, ir_value_t **out,
                                       ir_value_t **out_info) {
  ir_value_t *diagonals[3];
  for (uint32_t i = 0; i < 3; ++i) {
    IREE_RETURN_IF_ERROR(operand(c, i, 1, &diagonals[i]));
    IREE_RETURN_IF_ERROR(
        low_check_equal(c->l, c->op, c->a, c->m.n_batch, diagonals[i], c->m.n_batch));
  }
  *out = low_tridiagonal_solve(&c->m, diagonals, c->a, perturb, out_info);
  return iree_ok_status();
}
static iree_status_t lower_gtsv(call_t *c) {
  ir_value_t *x, *info;
  IREE_RETURN_IF_ERROR(solve_tridiagonal(c, false, &x, &info));
  for (uint32_t i = 0; i < 3; ++i)
    IREE_RETURN_IF_ERROR(give(c, i, lowered_operand(c->l, c->op, i)));
  IREE_RETURN_IF_ERROR(give(c, 3, x));
  return give(c, 4, info);
}
static iree_status_t lower_perturbed(call_t *c) {
  ir_value_t *x;
  IREE_RETURN_IF_ERROR(solve_tridiagonal(c, true, &x, NULL));
  return give(c, 0, x);
}

// ---- eigenvalues and singular values
static iree_status_t lower_syevd(call_t *c) {
  bool vectors = option(c, "mode", 'V') == 'V';
  IREE_RETURN_IF_ERROR(check_square(c));
  eigh_t r = low_eigh(&c->m, c->a, option(c, "uplo", 'L') != 'U', vectors);
  IREE_RETURN_IF_ERROR(give(c, 0, vectors ? r.vectors : c->a));
  IREE_RETURN_IF_ERROR(give(c, 1, r.values));
  return give(c, 2, r.info);
}
static iree_status_t lower_gesdd(call_t *c) {
  char mode = option(c, "mode", 'A');
  if (!strchr("ASN", mode))
    return ir_op_error(c->op, "calls '%s' in a mode that it does not have", c->name);
  svd_t r = low_svd(&c->m, c->a, mode);
  IREE_RETURN_IF_ERROR(give(c, 0, c->a));
  IREE_RETURN_IF_ERROR(give(c, 1, r.values));
  IREE_RETURN_IF_ERROR(mode == 'N' ? give_zeros(c, 2) : give(c, 2, r.u));
  IREE_RETURN_IF_ERROR(mode == 'N' ? give_zeros(c, 3) : give(c, 3, r.vh));
  return give(c, 4, r.info);
}

static iree_status_t give_values(call_t *c, uint32_t *at, ir_value_t *const *values) {
  for (size_t i = 0; i < 2 && values[i]; ++i) IREE_RETURN_IF_ERROR(give(c, (*at)++, values[i]));
  return iree_ok_status();
}
static iree_status_t lower_geev(call_t *c) {
  bool left = option(c, "compute_left", 'N') == 'V', right = option(c, "compute_right", 'V') == 'V';
  uint32_t at = 0;
  IREE_RETURN_IF_ERROR(check_square(c));
  eig_t r = low_eig(&c->m, c->a, right, left);
  IREE_RETURN_IF_ERROR(give_values(c, &at, r.values));
  IREE_RETURN_IF_ERROR(left ? give(c, at, r.left) : give_zeros(c, at));
  IREE_RETURN_IF_ERROR(right ? give(c, at + 1, r.right) : give_zeros(c, at + 1));
  return give(c, at + 2, r.info);
}
static iree_status_t lower_gees(call_t *c) {
  uint32_t at = 2;
  ir_value_t *values[2];
  IREE_RETURN_IF_ERROR(check_square(c));
  if (option(c, "sort", 'N') != 'N')
    return ir_op_error(c->op, "calls '%s' to sort by a function; leave them as they come", c->name);
  schur_t s = low_schur(&c->m, c->a);
  low_schur_values(&c->m, s.t, values);
  IREE_RETURN_IF_ERROR(give(c, 0, s.t));
  IREE_RETURN_IF_ERROR(give(c, 1, s.q));
  IREE_RETURN_IF_ERROR(give_values(c, &at, values));
  IREE_RETURN_IF_ERROR(give_zeros(c, at));
  return give(c, at + 1, s.info);
}

// ---- one row per routine
typedef struct routine {
  const char *name;     // for real numbers
  const char *complex;  // NULL: the same
  uint32_t n_operands, n_results, n_complex_results;
  uint32_t matrix;  // operand
  routine_fn_t fn;
} routine_t;
static const routine_t routines[] = {
    {"getrf", NULL, 1, 3, 3, 0, lower_getrf},    {"potrf", NULL, 1, 2, 2, 0, lower_potrf},
    {"trsm", NULL, 2, 1, 1, 0, lower_trsm},      {"geqrf", NULL, 1, 2, 2, 0, lower_geqrf},
    {"geqp3", NULL, 2, 3, 3, 0, lower_geqp3},    {"orgqr", "ungqr", 2, 1, 1, 0, lower_orgqr},
    {"syevd", "heevd", 1, 3, 3, 0, lower_syevd}, {"gesdd", NULL, 1, 5, 5, 0, lower_gesdd},
    {"gesvd", NULL, 1, 5, 5, 0, lower_gesdd},    {"geev", NULL, 1, 5, 4, 0, lower_geev},
    {"gees", NULL, 1, 6, 5, 0, lower_gees},      {"gehrd", NULL, 1, 3, 3, 0, lower_gehrd},
    {"sytrd", "hetrd", 1, 5, 5, 0, lower_sytrd}, {"gtsv", NULL, 4, 5, 5, 3, lower_gtsv},
};
// JAX's own, named without a letter for the type.
static const routine_t perturbed = {
    "tridiagonal_solve_perturbed_ffi", NULL, 4, 1, 1, 3, lower_perturbed};

static iree_status_t find_routine(const call_t *c, const routine_t **out) {
  *out = !strcmp(c->name, perturbed.name) ? &perturbed : NULL;
  if (*out || strncmp(c->name, "lapack_", 7) || !c->name[7] || !strchr("sdcz", c->name[7]))
    return iree_ok_status();
  for (size_t i = 0; i < sizeof routines / sizeof *routines; ++i) {
    bool is_complex = c->name[7] == 'c' || c->name[7] == 'z';
    const char *name = is_complex && routines[i].complex ? routines[i].complex : routines[i].name;
    size_t n = strlen(name);
    if (strncmp(c->name + 8, name, n)) continue;
    if (!c->name[8 + n])
      return ir_op_error(
          c->op, "calls '%s' as JAX did before 2025; export the program with a newer JAX", c->name);
    if (!strcmp(c->name + 8 + n, "_ffi")) *out = routines + i;
  }
  return iree_ok_status();
}
iree_status_t low_lapack(lowering_t *l, ir_op_t *op, bool *out_done) {
  call_t c = {.l = l, .op = op, .name = ir_bytes(ir_op_attr(op, "call_target_name"))};
  const routine_t *r;
  *out_done = false;
  IREE_RETURN_IF_ERROR(find_routine(&c, &r));
  if (!r) return iree_ok_status();
  *out_done = true;
  if (op->n_operands < r->n_operands)
    return ir_op_error(op, "calls '%s', which takes %u operands", c.name, r->n_operands);
  c.a = lowered_operand(l, op, r->matrix);
  IREE_RETURN_IF_ERROR(low_check_matrix(op, c.a->type));
  c.m = low_matrices(l, c.a);
  bool is_complex = c.m.f != c.m.real, is_double = ir_type_width(c.m.real) == 64;
  if (r != &perturbed &&
      c.name[7] != (is_complex ? (is_double ? 'z' : 'c') : (is_double ? 'd' : 's')))
    return ir_op_error(op, "calls '%s' on matrices of another type", c.name);
  if (op->n_results != (is_complex ? r->n_complex_results : r->n_results))
    return ir_op_error(op, "calls '%s' with results that it does not have", c.name);
  return r->fn(&c);
}
