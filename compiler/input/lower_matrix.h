// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix algorithms as loops on the host around generics. A routine works on matrices_t: any number
// of matrices of one shape, of real or complex floats, whose extents may be known at run time only.
// What a generic computes is written once for one matrix; batch dimensions are added by the nest.
#ifndef COMPILER_INPUT_LOWER_MATRIX_H_
#define COMPILER_INPUT_LOWER_MATRIX_H_

#include "compiler/input/lower.h"

typedef struct extent {
  int64_t n;      // IR_DYNAMIC if not known
  ir_value_t *v;  // as index
} extent_t;
typedef struct matrices {
  lowering_t *l;
  size_t n_batch;
  extent_t batch[HLO_MAX_RANK];
  ir_type_t f, real;  // elements; their parts if complex
} matrices_t;
matrices_t low_matrices(lowering_t *l, ir_value_t *like);  // a tensor of matrices
extent_t low_extent(lowering_t *l, ir_value_t *tensor, size_t from_last);
extent_t low_extent_of(lowering_t *l, int64_t n);
extent_t low_least(lowering_t *l, extent_t x, extent_t y);
extent_t low_less_one(lowering_t *l, extent_t x);  // at least 0
iree_status_t low_check_matrix(ir_op_t *op, ir_type_t type);
// Dimension |i| of |x| is as long as dimension |k| of |y|: an error now or, if not known, at run
// time.
iree_status_t low_check_equal(lowering_t *l, ir_op_t *op, ir_value_t *x, size_t i, ir_value_t *y,
                              size_t k);
double low_epsilon(const matrices_t *m);  // half the distance of 1 to the next number

// A generic over batch, up to two own dimensions and perhaps one that is reduced.
enum { NEST_MAX_OUTS = 5 };
typedef struct nest_out {
  ir_type_t type;
  double first;  // where reduced
} nest_out_t;
typedef struct nest {
  const matrices_t *m;
  ir_op_t *op;
  ir_builder_t b;                // in the body
  ir_value_t *at[HLO_MAX_RANK];  // batch indices
  ir_value_t *i, *j, *k;         // own indices; the reduced one
  ir_value_t *acc[NEST_MAX_OUTS];
  size_t n_outs;
} nest_t;
typedef struct own {
  size_t n;
  extent_t e[2];
} own_t;
nest_t low_nest_begin(const matrices_t *m, own_t own, const extent_t *over, const nest_out_t *outs,
                      size_t n_outs);
void low_nest_end(nest_t *n, ir_value_t *const *values, ir_value_t **out);
// One result of type |type|.
nest_t low_cells_begin(const matrices_t *m, own_t own, ir_type_t type);
nest_t low_sum_begin(const matrices_t *m, own_t own, extent_t over, ir_type_t type);
ir_value_t *low_cells_end(nest_t *n, ir_value_t *v);
ir_value_t *low_sum_end(nest_t *n, ir_value_t *v);  // adds |v|
// The element of |tensor| in this batch; |i|, |j| NULL where it has none.
ir_value_t *low_at(nest_t *n, ir_value_t *tensor, ir_value_t *i, ir_value_t *j);
static inline own_t own_none(void) { return (own_t){.n = 0}; }
static inline own_t own1(extent_t x) { return (own_t){1, {x}}; }
static inline own_t own2(extent_t x, extent_t y) { return (own_t){2, {x, y}}; }

ir_value_t *low_constant(const matrices_t *m, own_t own, ir_type_t type, double value);
ir_value_t *low_identity(const matrices_t *m, extent_t rows, extent_t columns);
ir_value_t *low_adjoint(const matrices_t *m, ir_value_t *a);  // the transpose, conjugate
ir_value_t *low_swapped(lowering_t *l, ir_value_t *v);        // the transpose
ir_value_t *low_complex_of(const matrices_t *m, ir_value_t *a, matrices_t *out_m);
ir_value_t *low_product(const matrices_t *m, ir_value_t *x, ir_value_t *y);
// All elements of a tensor folded by |kind|, read by the host.
ir_value_t *low_reduce_all(lowering_t *l, ir_value_t *v, ir_kind_t kind, int64_t first);

// ---- loops of the host; l->b is in the body until the end is built
enum { LOOP_MAX_CARRIED = 8 };
typedef struct host_loop {
  ir_op_t *op;
  ir_value_t *i, *carried[LOOP_MAX_CARRIED];
  size_t n;
  ir_value_t *limit;
  ir_builder_t saved;
} host_loop_t;
// From |first| below |end|.
host_loop_t low_loop_begin(lowering_t *l, ir_value_t *first, ir_value_t *end,
                           ir_value_t *const *init, size_t n_init);
void low_loop_end(lowering_t *l, host_loop_t *h, ir_value_t *const *next);
// While |go| and less than |limit| rounds: begin, code that computes |go|, do, the body, end.
// Result 0 is the number of rounds, then come those carried.
host_loop_t low_while_begin(lowering_t *l, ir_value_t *limit, ir_value_t *const *init,
                            size_t n_init);
void low_while_do(lowering_t *l, host_loop_t *h, ir_value_t *go);
void low_while_end(lowering_t *l, host_loop_t *h, ir_value_t *const *next);

// ---- numbers of either kind, at |b|
ir_value_t *low_number(ir_builder_t *b, ir_type_t type, double value);  // of any element type
ir_value_t *low_sub(ir_builder_t *b, ir_value_t *x, ir_value_t *y);
ir_value_t *low_neg(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_conj(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_real(ir_builder_t *b, ir_value_t *x);                     // the real part
ir_value_t *low_size(ir_builder_t *b, ir_value_t *x);                     // |re| + |im|
ir_value_t *low_norm2(ir_builder_t *b, ir_value_t *x);                    // |x|^2
ir_value_t *low_scaled(ir_builder_t *b, ir_value_t *x, ir_value_t *by);   // by a real
ir_value_t *low_of_real(ir_builder_t *b, ir_type_t type, ir_value_t *x);  // a real as |type|
// Does |x| come before |y|, from small to large, NaN last?
ir_value_t *low_precedes(ir_builder_t *b, ir_value_t *x, ir_value_t *y);

// ---- algorithms
ir_value_t *low_cholesky(const matrices_t *m, ir_value_t *a, bool lower, ir_value_t **out_info);
typedef struct triangular {
  bool left, lower, unit, transposed, conjugate;
} triangular_t;
ir_value_t *low_triangular_solve(const matrices_t *m, ir_value_t *a, ir_value_t *rhs,
                                 triangular_t how);
// Reflections I - tau v v*, v one at row |offset| + k and below it the rest of column k.
typedef struct reflections {
  ir_value_t *packed, *tau, *pivots;  // pivots: of columns, counted from 0
} reflections_t;
typedef enum { REFLECT_LEFT, REFLECT_BOTH, REFLECT_PIVOTED } reflect_t;
reflections_t low_reflections(const matrices_t *m, ir_value_t *a, reflect_t how);
// The first |columns| columns of their product, |rows| high.
ir_value_t *low_reflections_product(const matrices_t *m, ir_value_t *packed, ir_value_t *tau,
                                    extent_t rows, extent_t columns, bool below);
// A power of two per matrix, such that |a| divided by it has a largest element of about 1.
ir_value_t *low_scale_of(const matrices_t *m, ir_value_t *a);
ir_value_t *low_scaled_down(const matrices_t *m, ir_value_t *a, ir_value_t *scale);
// Eigenvalues, rising, and vectors of Hermitian matrices.
typedef struct eigh {
  ir_value_t *values, *vectors, *info;
} eigh_t;
eigh_t low_eigh(const matrices_t *m, ir_value_t *a, bool lower, bool vectors);
typedef struct svd {
  ir_value_t *u, *values, *vh, *info;
} svd_t;
// |vectors|: 'A' all, 'S' as many as there are values, 'N' none.
svd_t low_svd(const matrices_t *m, ir_value_t *a, char vectors);
typedef struct schur {
  ir_value_t *t, *q, *info;
} schur_t;
schur_t low_schur(const matrices_t *m, ir_value_t *a);
// Makes the blocks of two of |s| triangular where numbers of |m|'s kind can.
void low_schur_split(const matrices_t *m, schur_t *s);
// The eigenvalues of a Schur form, in two parts; the second is NULL if |m| is complex.
void low_schur_values(const matrices_t *m, ir_value_t *t, ir_value_t **out);
typedef struct eig {
  ir_value_t *values[2], *right, *left, *info;  // values as above; vectors are complex
} eig_t;
eig_t low_eig(const matrices_t *m, ir_value_t *a, bool right, bool left);
// The Hermitian matrix of which one half is given.
ir_value_t *low_hermitian(const matrices_t *m, ir_value_t *a, bool lower);
typedef struct tridiagonal {
  ir_value_t *packed, *diagonal, *beside, *tau;  // as LAPACK has them
} tridiagonal_t;
tridiagonal_t low_tridiagonal(const matrices_t *m, ir_value_t *a, bool lower);
// Diagonals of equal length: the first of the lower one and the last of the upper one count for
// nothing. |perturb|: pivots are no smaller than rounding.
ir_value_t *low_tridiagonal_solve(const matrices_t *m, ir_value_t *const diagonals[3],
                                  ir_value_t *rhs, bool perturb, ir_value_t **out_info);

// The routine of LAPACK that custom call |op| names; |*out_done| says whether there is one.
iree_status_t low_lapack(lowering_t *l, ir_op_t *op, bool *out_done);

#endif  // COMPILER_INPUT_LOWER_MATRIX_H_
