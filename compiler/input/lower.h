// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lowerings of input dialects share. The old function stays intact while a new one is
// built beside it: old values keep their types (and so their signedness), `lowered` gives the new
// value.
#ifndef COMPILER_INPUT_LOWER_H_
#define COMPILER_INPUT_LOWER_H_

#include "compiler/dialects/linalg.h"
#include "compiler/dialects/low.h"
#include "compiler/dialects/stablehlo.h"
#include "compiler/ir/fold.h"
#include "compiler/ir/printer.h"
#include "compiler/pass.h"

typedef struct lowering {
  ir_ctx_t *ctx;
  ir_builder_t b;  // where new ops go
  ir_map_t *map;   // old value -> new value
  ir_op_t *module;
  ir_op_t *failed;  // the op that could not be lowered, after an error
  uint32_t n_rng;  // stablehlo.rng ops so far: each has numbers of its own
} lowering_t;
typedef iree_status_t (*input_lower_fn_t)(lowering_t *l, ir_op_t *op);

// One row per op kind: lower_rows.def.
#define LOWER(SYM, function) iree_status_t function(lowering_t *l, ir_op_t *op);
#include "compiler/input/lower_rows.def"
#undef LOWER

// ---- values and types
ir_type_t low_type(ir_ctx_t *ctx, ir_type_t type);  // signless, tensors thereof
ir_value_t *lowered(lowering_t *l, const ir_value_t *old);
void set_lowered(lowering_t *l, const ir_value_t *old, ir_value_t *value);
static inline ir_value_t *lowered_operand(lowering_t *l, const ir_op_t *op, size_t i) {
  return lowered(l, ir_operand(op, i));
}
static inline iree_status_t input_lower_result(lowering_t *l, const ir_op_t *op, ir_value_t *v) {
  set_lowered(l, ir_result(op, 0), v);
  return iree_ok_status();
}
iree_status_t input_lower_block(lowering_t *l, ir_block_t *from);  // every op of |from|, at l->b

// True if |op|, a reduce_window, gives at each point of one dimension what came before it, or after
// it if |*out_reverse|: a running reduction.
bool low_is_running(ir_op_t *op, size_t *out_dim, bool *out_reverse);  // lower_running.c
iree_status_t low_running(lowering_t *l, ir_op_t *op, size_t dim, bool reverse);
iree_status_t low_dynamic_reduce_window(lowering_t *l, ir_op_t *custom_call);  // lower_window.c

// decompose_approx_top_k.c: replaces a custom call of that name by StableHLO.
iree_status_t input_decompose_approx_top_k(ir_ctx_t *ctx, const ir_op_t *module, ir_op_t *custom_call);
iree_status_t input_decompose_top_k(ir_ctx_t *ctx, ir_op_t *custom_call);  // decompose_top_k.c: those of either name

// ---- scalars
static inline bool is_signed_int(ir_type_t t) {
  return ir_is(t, IR_T_INTEGER) && ir_int_sign(t) != IR_UNSIGNED && ir_type_width(t) > 1;
}
ir_value_t *low_index(ir_builder_t *b, int64_t value);
ir_value_t *low_zero(ir_builder_t *b, ir_type_t type);  // of any element type
ir_value_t *low_select(ir_builder_t *b, ir_value_t *c, ir_value_t *x, ir_value_t *y);
ir_value_t *low_both(ir_builder_t *b, ir_value_t *x, ir_value_t *y);  // and, of i1
ir_value_t *low_not(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_to_index(ir_builder_t *b, ir_value_t *v, ir_type_t semantic);
ir_value_t *low_from_index(ir_builder_t *b, ir_value_t *v, ir_type_t type);
// |v| of meaning |from| as |to| (both with signs), as XLA converts.
ir_value_t *low_convert(ir_builder_t *b, ir_value_t *v, ir_type_t from, ir_type_t to);
// The body of an elementwise op on scalars. |op| gives kind, attributes and the types with their
// signs; NULL after an error. |args| are signless.
ir_value_t *low_scalar_op(ir_builder_t *b, const ir_op_t *op, ir_value_t *const *args);
ir_value_t *low_complex(ir_builder_t *b, ir_value_t *re, ir_value_t *im);
ir_value_t *low_re(ir_builder_t *b, ir_value_t *v);
ir_value_t *low_im(ir_builder_t *b, ir_value_t *v);
ir_value_t *low_complex_by_parts(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y);
ir_value_t *low_complex_mul(ir_builder_t *b, ir_value_t *x, ir_value_t *y);
ir_value_t *low_complex_extreme(ir_builder_t *b, bool is_max, ir_value_t *x, ir_value_t *y);
ir_value_t *low_complex_op(ir_builder_t *b, const ir_op_t *op,
                           ir_value_t *const *args);  // build_complex.c; NULL: no such function
ir_value_t *low_add(ir_builder_t *b, ir_value_t *x, ir_value_t *y);  // of any element type
ir_value_t *low_mul(ir_builder_t *b, ir_value_t *x, ir_value_t *y);
ir_value_t *low_div(ir_builder_t *b, ir_value_t *x, ir_value_t *y);  // of floats and complex
ir_value_t *low_abs(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_sqrt(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_greater(ir_builder_t *b, ir_type_t semantic, ir_value_t *x,
                        ir_value_t *y);  // floats by total order
bool low_is_elementwise(ir_kind_t kind);
ir_value_t *low_chlo_scalar(ir_builder_t *b, const ir_op_t *op,
                            ir_value_t *const *args);  // lower_chlo.c
ir_value_t *low_mulhi(ir_builder_t *b, ir_type_t semantic, ir_value_t *x,
                      ir_value_t *y);  // lower_mulhi.c

// Special functions of f64 scalars: build_special.c.
ir_value_t *low_erf_inv(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_bessel_i1e(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_log_gamma(ir_builder_t *b, ir_value_t *x);
ir_value_t *low_digamma(ir_builder_t *b, ir_value_t *x);
// |is_narrow|: the result will be rounded to 32 bits or fewer.
ir_value_t *low_zeta(ir_builder_t *b, ir_value_t *s, ir_value_t *q, bool is_narrow);
ir_value_t *low_polygamma(ir_builder_t *b, ir_value_t *n, ir_value_t *x, bool is_narrow);

// A region of scalar tensors as scalar code at |b|: |args| are what its block's arguments are;
// the terminator's operands go to |out|.
iree_status_t low_inline_scalar_region(lowering_t *l, ir_builder_t *b, ir_block_t *block,
                                       ir_value_t *const *args, ir_value_t **out);

// Makes |op| a contraction of stored integers if it is one of quantised tensors whose sums fit;
// contract_integers.c.
bool input_contract_integers(ir_ctx_t *ctx, ir_op_t *op);
// uniform_quantize or uniform_dequantize |op| of the scalar |x|; lower_quantize.c.
iree_status_t low_quantize_scalar(lowering_t *l, ir_builder_t *b, ir_op_t *op, ir_value_t *x,
                                  ir_value_t **out);

// ---- tensors
ir_value_t *low_scalar_of(lowering_t *l, ir_value_t *rank0);  // its element
ir_value_t *low_splat_of(lowering_t *l,
                         ir_value_t *tensor);  // scalar constant if |tensor| is a splat; else NULL
typedef struct sizes {                         // extents; NULL where static
  ir_value_t *at[HLO_MAX_RANK];
} sizes_t;
static inline sizes_t sizes_none(void) { return (sizes_t){.at = {0}}; }
ir_value_t *low_dim_value(lowering_t *l, ir_value_t *tensor, size_t i);  // as index
sizes_t low_sizes_like(lowering_t *l, ir_type_t type,
                       ir_value_t *tensor);  // dynamic ones of |type| from |tensor|
sizes_t low_sizes_from_shape(lowering_t *l, const ir_op_t *op, ir_type_t type, ir_value_t *shape,
                             ir_type_t semantic);  // from a 1-D tensor
void low_require(lowering_t *l, ir_value_t *holds, const char *message);  // fails at run time
// Fails at run time unless dimension |i| of |x| is as long as dimension |k| of |y|. Nothing where
// the types say so; what StableHLO leaves undefined must not become a wild read.
// |sizes| of a result do not wrap around, multiplied.
void low_require_sizes(lowering_t *l, const ir_op_t *op, ir_type_t type, const sizes_t *sizes);
// For results whose extents come from several operands: such as have one dynamic extent are no larger than those together.
static inline void low_require_product(lowering_t *l, const ir_op_t *op, ir_type_t type, const sizes_t *sizes) {
  size_t n = 0;
  for (size_t i = 0; i < ir_type_rank(type); ++i) n += sizes->at[i] != NULL;
  if (n > 1) low_require_sizes(l, op, type, sizes);
}
void low_check_extents(lowering_t *l, const ir_op_t *op, ir_value_t *x, size_t i, ir_value_t *y,
                       size_t k);
// Fails at run time unless |type|, its open extents |sizes|, has as many elements as |v|.
void low_check_count(lowering_t *l, const ir_op_t *op, ir_value_t *v, ir_type_t type,
                     const sizes_t *sizes);
// Fails at run time unless |size| elements fit into dimension |i| of |tensor|. Nothing where both are
// known: verifiers have compared them.
void low_check_fits(lowering_t *l, const ir_op_t *op, ir_value_t *size, ir_value_t *tensor,
                    size_t i);
void low_check_shapes(lowering_t *l, const ir_op_t *op, ir_value_t *x,
                      ir_value_t *y);  // all dimensions
// Fails at run time unless |extent| is |wanted|, which the type of |op|'s result says.
void low_require_extent(lowering_t *l, const ir_op_t *op, ir_value_t *extent, int64_t wanted);
ir_value_t *low_empty(lowering_t *l, ir_type_t type, const sizes_t *sizes);
ir_value_t *low_filled(lowering_t *l, ir_type_t type, const sizes_t *sizes, ir_value_t *scalar);
ir_value_t *low_tensor_cast(lowering_t *l, ir_value_t *v, ir_type_t type);
ir_value_t *low_reshape(lowering_t *l, ir_value_t *v, ir_type_t type, const sizes_t *sizes);
// |n| dimensions from |d| on as one; dimension |d| as |n| of static |extents|.
ir_value_t *low_merge_dims(lowering_t *l, ir_value_t *v, size_t d, size_t n);
ir_value_t *low_split_dim(lowering_t *l, ir_value_t *v, size_t d, const int64_t *extents, size_t n);
ir_value_t *low_extract(ir_builder_t *b, ir_value_t *tensor, ir_value_t *const *indices, size_t n);
// Static or dynamic (NULL: static value of the same position in |numbers|) offsets, sizes; strides
// static.
typedef struct slice_spec {
  int64_t offsets[HLO_MAX_RANK], sizes[HLO_MAX_RANK], strides[HLO_MAX_RANK];
  ir_value_t *offset_values[HLO_MAX_RANK], *size_values[HLO_MAX_RANK];
} slice_spec_t;
ir_value_t *low_extract_slice(lowering_t *l, ir_value_t *source, const slice_spec_t *spec,
                              ir_type_t result);
ir_value_t *low_insert_slice(lowering_t *l, ir_value_t *source, ir_value_t *dest,
                             const slice_spec_t *spec);
// |v| with borders and gaps of |scalar|; negative borders cut.
ir_value_t *low_pad(lowering_t *l, ir_value_t *v, ir_value_t *scalar, const int64_t *low,
                    const int64_t *high, const int64_t *interior);
// The same with numbers of run time; NULL where a dimension stays as it is. Static extents of
// |type| are checked when it runs.
typedef struct pad_values {
  ir_value_t *low[HLO_MAX_RANK], *high[HLO_MAX_RANK], *step[HLO_MAX_RANK];  // step: gap + 1
} pad_values_t;
ir_value_t *low_pad_by_values(lowering_t *l, const ir_op_t *op, ir_value_t *v, ir_value_t *scalar,
                              const pad_values_t *pad, ir_type_t type);  // lower_dynamic.c
// Sums of products of op's operands (as |inputs|) over the loops that are not parallel.
ir_value_t *low_contraction(lowering_t *l, ir_op_t *op, ir_value_t *const *inputs, ir_type_t type,
                            const sizes_t *sizes, const ir_attr_t *maps, const bool *parallel,
                            size_t n_loops);  // lower_contract.c
ir_value_t *low_transposed(lowering_t *l, ir_value_t *v, const int64_t *permutation);

// An elementwise generic under construction over |type|: all loops parallel.
typedef struct pointwise {
  ir_op_t *op;
  ir_builder_t b;  // inside the body
  ir_block_t *body;
} pointwise_t;
// Inputs of rank 0 are broadcast. Dynamic extents come from |sizes|.
pointwise_t low_pointwise_begin(lowering_t *l, ir_type_t type, const sizes_t *sizes,
                                ir_value_t *const *inputs, size_t n);
ir_value_t *low_pointwise_end(lowering_t *l, pointwise_t *p, ir_value_t *result);
ir_value_t *low_loop_index(ir_builder_t *b, size_t loop);

#endif  // COMPILER_INPUT_LOWER_H_
