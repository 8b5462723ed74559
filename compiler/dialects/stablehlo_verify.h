// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the StableHLO specification constrains, checked: types by the rows of stablehlo_rules.def,
// the rest by check functions, which rely on what their row says. Lowerings rely on all of it.
#ifndef COMPILER_DIALECTS_STABLEHLO_VERIFY_H_
#define COMPILER_DIALECTS_STABLEHLO_VERIFY_H_

#include "compiler/dialects/quant_type.h"
#include "compiler/dialects/stablehlo.h"

// The verify hook of every op of the dialect.
iree_status_t hlo_verify(ir_op_t *op);

typedef iree_status_t (*hlo_check_t)(ir_op_t *op);
#define HLO_CHECK(name) iree_status_t name(ir_op_t *op);
// stablehlo_verify.c
HLO_CHECK(hlo_check_real_part)
HLO_CHECK(hlo_check_accuracy)
HLO_CHECK(hlo_check_add)
HLO_CHECK(hlo_check_complex)
HLO_CHECK(hlo_check_clamp)
HLO_CHECK(hlo_check_select)
HLO_CHECK(hlo_check_constant)
HLO_CHECK(hlo_check_pairwise)
HLO_CHECK(hlo_check_quantize)
HLO_CHECK(hlo_check_rng)
HLO_CHECK(hlo_check_rng_bits)
// stablehlo_verify_shape.c
HLO_CHECK(hlo_check_iota)
HLO_CHECK(hlo_check_dynamic_iota)
HLO_CHECK(hlo_check_broadcast)
HLO_CHECK(hlo_check_broadcast_in_dim)
HLO_CHECK(hlo_check_dynamic_broadcast)
HLO_CHECK(hlo_check_reshape)
HLO_CHECK(hlo_check_dynamic_reshape)
HLO_CHECK(hlo_check_transpose)
HLO_CHECK(hlo_check_slice)
HLO_CHECK(hlo_check_concatenate)
HLO_CHECK(hlo_check_pad)
HLO_CHECK(hlo_check_dynamic_pad)
HLO_CHECK(hlo_check_reverse)
HLO_CHECK(hlo_check_dynamic_slice)
HLO_CHECK(hlo_check_dynamic_update_slice)
HLO_CHECK(hlo_check_real_dynamic_slice)
HLO_CHECK(hlo_check_dimension_size)
HLO_CHECK(hlo_check_bitcast)
// stablehlo_verify_linalg.c
HLO_CHECK(hlo_check_dot)
HLO_CHECK(hlo_check_dot_general)
HLO_CHECK(hlo_check_cholesky)
HLO_CHECK(hlo_check_triangular_solve)
HLO_CHECK(hlo_check_fft)
HLO_CHECK(hlo_check_batch_norm)
// stablehlo_verify_window.c
HLO_CHECK(hlo_check_convolution)
HLO_CHECK(hlo_check_reduce_window)
HLO_CHECK(hlo_check_select_and_scatter)
// stablehlo_verify_index.c
HLO_CHECK(hlo_check_gather)
HLO_CHECK(hlo_check_scatter)
// stablehlo_verify_region.c
HLO_CHECK(hlo_check_reduce)
HLO_CHECK(hlo_check_map)
HLO_CHECK(hlo_check_sort)
HLO_CHECK(hlo_check_while)
HLO_CHECK(hlo_check_branches)
// stablehlo_verify_call.c
HLO_CHECK(hlo_check_tuple)
HLO_CHECK(hlo_check_get_tuple_element)
HLO_CHECK(hlo_check_custom_call)
HLO_CHECK(hlo_check_composite)
// stablehlo_verify_collective.c
HLO_CHECK(hlo_check_all_reduce)
HLO_CHECK(hlo_check_reduce_scatter)
HLO_CHECK(hlo_check_all_gather)
HLO_CHECK(hlo_check_all_to_all)
HLO_CHECK(hlo_check_collective_permute)
HLO_CHECK(hlo_check_collective_broadcast)
HLO_CHECK(hlo_check_collective_reduce)
HLO_CHECK(hlo_check_infeed)
HLO_CHECK(hlo_check_channel)
HLO_CHECK(hlo_check_async_start)
HLO_CHECK(hlo_check_async_done)
// chlo_verify.c
HLO_CHECK(chlo_check_broadcast)
HLO_CHECK(chlo_check_constant_like)
HLO_CHECK(chlo_check_top_k)
HLO_CHECK(chlo_check_ragged_dot)
#undef HLO_CHECK

// ---- what the check functions share
static inline ir_type_t hlo_in(const ir_op_t *op, size_t i) { return ir_operand(op, i)->type; }
static inline ir_type_t hlo_out(const ir_op_t *op, size_t i) { return ir_result(op, i)->type; }
static inline bool hlo_agree(int64_t a, int64_t b) {  // extents that may be equal at run time
  return a == b || a == IR_DYNAMIC || b == IR_DYNAMIC;
}
const char *hlo_text(const ir_op_t *op, const ir_term_t *term);  // for messages
const char *hlo_name(const ir_op_t *op, size_t g);         // of an operand, by the row
const char *hlo_region_name(const ir_op_t *op, size_t r);  // the last name for regions beyond
const char *hlo_shape_text(const ir_op_t *op, const int64_t *dims, size_t rank);
// The greatest extent that dimension |i| may have: itself, its bound, or IR_DYNAMIC.
int64_t hlo_bound(ir_type_t type, size_t i);
bool hlo_shapes_agree(ir_type_t a, ir_type_t b);
// Equal, or quantised and equal but for scales and zero points.
bool hlo_elements_agree(const ir_op_t *op, ir_type_t a, ir_type_t b);
bool hlo_types_agree(const ir_op_t *op, ir_type_t a, ir_type_t b);
bool hlo_promotes(const ir_op_t *op, ir_type_t from, ir_type_t to);  // element types
bool hlo_is_quantized(ir_type_t type);
bool hlo_quant(const ir_op_t *op, ir_type_t type, quant_type_t *out);  // false if it is none
bool hlo_is_per_axis(const ir_op_t *op, ir_type_t type);
// Result |i| has to have this shape (IR_DYNAMIC: any extent), that element, that type.
iree_status_t hlo_expect_shape(ir_op_t *op, size_t i, const int64_t *dims, size_t rank);
iree_status_t hlo_expect_element(ir_op_t *op, size_t i, ir_type_t element);
iree_status_t hlo_expect_type(ir_op_t *op, size_t i, ir_type_t type);
// A list attribute of |op|, if it is there, must have |n| entries, each in [low, high).
iree_status_t hlo_check_list(ir_op_t *op, const char *name, size_t n, int64_t low, int64_t high);
// |dims| are different dimensions of |rank|; in rising order if |sorted|.
iree_status_t hlo_check_dims(ir_op_t *op, const char *what, const hlo_dims_t *dims, size_t rank,
                             bool sorted);
iree_status_t hlo_check_dim(ir_op_t *op, const char *name, int64_t dim, size_t rank);
// The numbers of a constant operand; -1 if it is none, or too many.
int hlo_constant_ints(const ir_value_t *v, int64_t *out, size_t cap);
// Attribute 'padding' is a tensor of |n| pairs, if it is there.
iree_status_t hlo_check_padding(ir_op_t *op, size_t n);
// Region |r| is one block of |n_args| arguments ending in stablehlo.return of |n_results| tensors.
iree_status_t hlo_check_body(ir_op_t *op, size_t r, uint32_t n_args, uint32_t n_results);
// Operands [first, first + n) are scalar tensors.
iree_status_t hlo_check_scalars(ir_op_t *op, uint32_t first, uint32_t n);
// Region |r| folds scalars of |n| operands from |in|, and of |n| from |init|, and gives scalars.
iree_status_t hlo_check_reducer(ir_op_t *op, size_t r, uint32_t in, uint32_t init, uint32_t n);
iree_status_t hlo_check_precision(ir_op_t *op);  // attribute precision_config
// stablehlo_verify_quant.c: result 0 has the scales of operand 0, along the axis that it becomes;
// products of operands 0 and 1.
iree_status_t hlo_check_scales_kept(ir_op_t *op);
iree_status_t hlo_check_quantized_product(ir_op_t *op);
iree_status_t hlo_check_quantized_dot(ir_op_t *op, const hlo_dims_t *contracting);
iree_status_t hlo_check_quantized_convolution(ir_op_t *op, const hlo_conv_t *c);
// An extent after dilation, padding and a window with a stride; IR_DYNAMIC if one of them is.
int64_t hlo_window_extent(int64_t extent, int64_t base_dilation, int64_t low, int64_t high,
                          int64_t window, int64_t window_dilation, int64_t stride);

#endif  // COMPILER_DIALECTS_STABLEHLO_VERIFY_H_
