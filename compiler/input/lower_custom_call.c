// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom calls by name: what frameworks write to say something of a value, which goes on as it is;
// routines that are computed here; and those of other places, refused with a way out.
#include <string.h>

#include "compiler/input/lower_matrix.h"
#include "compiler/input/lower_rng.h"

typedef iree_status_t (*call_fn_t)(lowering_t *l, ir_op_t *op);

// ---- values that go on
static iree_status_t pass_on(lowering_t *l, ir_op_t *op) {
  if (op->n_results > op->n_operands)
    return ir_op_error(op, "calls '%s' with fewer operands than results",
                       ir_bytes(ir_op_attr(op, "call_target_name")));
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (ir_operand(op, i)->type != ir_result(op, i)->type)
      return ir_op_error(op, "calls '%s' to cut a %s for several devices; this compiles for one",
                         ir_bytes(ir_op_attr(op, "call_target_name")),
                         ir_print_term_to(ir_arena(l->ctx), ir_operand(op, i)->type));
    set_lowered(l, ir_result(op, i), lowered_operand(l, op, i));
  }
  return iree_ok_status();
}
static iree_status_t allocate(lowering_t *l, ir_op_t *op) {
  ir_type_t type = op->n_results == 1 ? low_type(l->ctx, ir_result(op, 0)->type) : NULL;
  if (!ir_is(type, IR_T_TENSOR) || !ir_type_is_static(type))
    return ir_op_error(op, "gives one tensor of static shape");
  sizes_t none = sizes_none();
  return input_lower_result(l, op,
                            low_filled(l, type, &none, low_zero(&l->b, ir_type_element(type))));
}
static iree_status_t shape_assertion(lowering_t *l, ir_op_t *op) {
  if (!op->n_operands || op->n_results)
    return ir_op_error(op, "takes a condition and gives nothing");
  ir_attr_t message = ir_op_attr(op, "error_message");
  if (ir_type_rank(ir_operand(op, 0)->type)) {
    ir_warning(l->ctx, op->loc, "a shape assertion of no scalar condition is left out");
    return iree_ok_status();
  }
  ir_value_t *ok = low_scalar_of(l, lowered_operand(l, op, 0));
  if (!ir_type_is_int(ok->type, 1)) return ir_op_error(op, "needs a condition of tensor<i1>");
  ir_attr_t text =
      ir_is(message, IR_A_STRING) ? message : ir_attr_str(l->ctx, "shape assertion failed");
  ir_named_t attrs[1] = {{"msg", text}};
  ir_build(
      &l->b,
      &(ir_op_desc_t){
          .kind = OP_CF_ASSERT, .operands = &ok, .n_operands = 1, .attrs = attrs, .n_attrs = 1});
  return iree_ok_status();
}

// ---- routines of other targets that have the same meaning everywhere
static iree_status_t qr(lowering_t *l, ir_op_t *op) {
  if (op->n_operands != 1 || op->n_results != 2)
    return ir_op_error(op, "takes a matrix, gives its factors and numbers tau");
  ir_value_t *a = lowered_operand(l, op, 0);
  IREE_RETURN_IF_ERROR(low_check_matrix(op, a->type));
  matrices_t m = low_matrices(l, a);
  reflections_t r = low_reflections(&m, a, REFLECT_LEFT);
  if (r.packed->type != low_type(l->ctx, ir_result(op, 0)->type) ||
      r.tau->type != low_type(l->ctx, ir_result(op, 1)->type))
    return ir_op_error(op, "has results of other types than its factors");
  set_lowered(l, ir_result(op, 0), r.packed);
  set_lowered(l, ir_result(op, 1), r.tau);
  return iree_ok_status();
}
static iree_status_t product_of_reflectors(lowering_t *l, ir_op_t *op) {
  if (op->n_operands != 2 || op->n_results != 1)
    return ir_op_error(op, "takes reflectors and numbers tau, gives their product");
  ir_value_t *a = lowered_operand(l, op, 0), *tau = lowered_operand(l, op, 1);
  IREE_RETURN_IF_ERROR(low_check_matrix(op, a->type));
  matrices_t m = low_matrices(l, a);
  if (!ir_is(tau->type, IR_T_TENSOR) || ir_type_rank(tau->type) != m.n_batch + 1 ||
      ir_type_element(tau->type) != m.f || a->type != low_type(l->ctx, ir_result(op, 0)->type))
    return ir_op_error(op, "needs a number tau per reflector and a result like its operand");
  extent_t rows = low_extent(l, a, 1), columns = low_extent(l, a, 0);
  return input_lower_result(l, op, low_reflections_product(&m, a, tau, rows, columns, false));
}
// Exchanges, counted from 0, one after the other, of the numbers from 0.
static iree_status_t pivots_to_permutation(lowering_t *l, ir_op_t *op) {
  ir_value_t *pivots = op->n_operands == 1 && op->n_results == 1 ? lowered_operand(l, op, 0) : NULL;
  ir_type_t type = pivots ? low_type(l->ctx, ir_result(op, 0)->type) : NULL;
  ir_type_t i32 = ir_type_i(l->ctx, 32);
  size_t rank = pivots && ir_is(pivots->type, IR_T_TENSOR) ? ir_type_rank(pivots->type) : 0;
  if (!rank || rank > HLO_MAX_RANK - 2 || !ir_is(type, IR_T_TENSOR) || ir_type_rank(type) != rank ||
      !ir_type_is_static(type) || ir_type_element(type) != i32 ||
      ir_type_element(pivots->type) != i32)
    return ir_op_error(op,
                       "takes pivots and gives a permutation, both tensors of 32-bit integers and "
                       "of static shape");
  matrices_t m = {.l = l, .n_batch = rank - 1};
  for (size_t i = 0; i + 1 < rank; ++i) m.batch[i] = low_extent(l, pivots, rank - 1 - i);
  extent_t size = low_extent_of(l, ir_type_dim(type, rank - 1));
  nest_t n = low_cells_begin(&m, own1(size), i32);
  ir_value_t *start = low_cells_end(&n, low_from_index(&n.b, n.i, i32));
  host_loop_t h = low_loop_begin(l, low_index(&l->b, 0), low_extent(l, pivots, 0).v, &start, 1);
  n = low_cells_begin(&m, own1(size), i32);
  ir_value_t *last = low_index(&n.b, size.n > 0 ? size.n - 1 : 0);
  ir_value_t *other = low_to_index(&n.b, low_at(&n, pivots, h.i, NULL), i32);
  other =
      low_op2(&n.b, OP_ARITH_MINSI, low_op2(&n.b, OP_ARITH_MAXSI, other, low_index(&n.b, 0)), last);
  ir_value_t *from = low_select(&n.b, low_cmpi(&n.b, "eq", n.i, h.i), other,
                                low_select(&n.b, low_cmpi(&n.b, "eq", n.i, other), h.i, n.i));
  low_loop_end(l, &h, (ir_value_t *[]){low_cells_end(&n, low_at(&n, h.carried[0], from, NULL))});
  return input_lower_result(l, op, low_tensor_cast(l, ir_result(h.op, 0), type));
}
// Two words of a key, two of a counter, elementwise.
static iree_status_t threefry(lowering_t *l, ir_op_t *op) {
  ir_value_t *in[4], *out[2];
  ir_type_t type =
      op->n_operands >= 4 && op->n_results == 2 ? low_type(l->ctx, ir_result(op, 0)->type) : NULL;
  if (!ir_is(type, IR_T_TENSOR) || !ir_type_is_int(ir_type_element(type), 32))
    return ir_op_error(
        op, "takes two words of a key and two of a counter, gives two, all tensors of ui32");
  for (uint32_t i = 0; i < 4; ++i) {
    in[i] = lowered_operand(l, op, i);
    if (in[i]->type != type || low_type(l->ctx, ir_result(op, i % 2)->type) != type)
      return ir_op_error(op, "needs words of one shape");
  }
  for (size_t k = 0; k < 2; ++k) {
    sizes_t sizes = low_sizes_like(l, type, in[0]);
    pointwise_t p = low_pointwise_begin(l, type, &sizes, in, 4);
    ir_value_t *const *w = (ir_value_t *const *)p.body->args;
    rng_words_t r = low_threefry(&p.b, (rng_words_t){{w[2], w[3]}}, (rng_words_t){{w[0], w[1]}});
    out[k] = low_pointwise_end(l, &p, r.w[k]);
  }
  for (uint32_t k = 0; k < 2; ++k) set_lowered(l, ir_result(op, k), out[k]);
  return iree_ok_status();
}

// ---- by name
static const struct {
  const char *name;
  call_fn_t fn;
} calls[] = {
    {"Sharding", pass_on},
    {"SPMDFullToShardShape", pass_on},
    {"SPMDShardToFullShape", pass_on},
    {"LayoutConstraint", pass_on},
    {"annotate_device_placement", pass_on},
    {"Pin", pass_on},
    {"Unpin", pass_on},
    {"MoveToHost", pass_on},
    {"MoveToDevice", pass_on},
    {"PinToDevice", pass_on},
    {"PinToDeviceSram", pass_on},
    {"xla.sdy.FuncResultSharding", pass_on},
    {"xla.sdy.GlobalToLocalShape", pass_on},
    {"xla.sdy.LocalToGlobalShape", pass_on},
    {"xla.sdy.PropagationBarrier", pass_on},
    {"xla.sdy.Sharding", pass_on},
    {"xla.sdy.ShardingGroup", pass_on},
    {"AllocateBuffer", allocate},
    {"shape_assertion", shape_assertion},
    {"stablehlo.dynamic_reduce_window", low_dynamic_reduce_window},
    {"Qr", qr},
    {"ProductOfElementaryHouseholderReflectors", product_of_reflectors},
    {"lu_pivots_to_permutation", pivots_to_permutation},
    {"cu_lu_pivots_to_permutation", pivots_to_permutation},
    {"hip_lu_pivots_to_permutation", pivots_to_permutation},
    {"cu_threefry2x32", threefry},
    {"cu_threefry2x32_ffi", threefry},
    {"hip_threefry2x32_ffi", threefry},
};
// Names with these beginnings are of other places.
static const struct {
  const char *prefix, *advice;
} elsewhere[] = {
    {"xla_python_", "calls back to Python; leave out io_callback, pure_callback and jax.debug"},
    {"xla_ffi_python_", "calls back to Python; leave out io_callback, pure_callback and jax.debug"},
    {"xla_ffi_partitioned_python_",
     "calls back to Python; leave out io_callback, pure_callback and jax.debug"},
    {"xla_buffer_python_",
     "calls back to Python; leave out io_callback, pure_callback and jax.debug"},
    {"tpu_custom_call", "is a kernel for TPUs; export the function without it"},
    {"triton_", "is a kernel for GPUs; export the function without it"},
    {"__gpu$", "is a kernel for GPUs; export the function without it"},
    {"mosaic_gpu", "is a kernel for GPUs; export the function without it"},
    {"__cudnn$", "is a routine of GPUs; export with platforms=['cpu']"},
    {"cudnn_", "is a routine of GPUs; export with platforms=['cpu']"},
    {"cublas_", "is a routine of GPUs; export with platforms=['cpu']"},
    {"cusolver", "is a routine of GPUs; export with platforms=['cpu']"},
    {"cusparse", "is a routine of GPUs; export with platforms=['cpu']"},
    {"cu_", "is a routine of GPUs; export with platforms=['cpu']"},
    {"hip", "is a routine of GPUs; export with platforms=['cpu']"},
    {"LuDecomposition", "is a routine of TPUs; export with platforms=['cpu']"},
    {"Eigh", "is a routine of TPUs; export with platforms=['cpu']"},
    {"ragged_all_to_all", "talks to other devices; this compiles for one"},
    {"stablehlo.dynamic_rng_bit_generator",
     "draws a number of bits that only run time knows; draw a static number and slice"},
    {"stablehlo.dynamic_approx_top_k", "chooses a number that only run time knows; use lax.top_k"},
};

iree_status_t input_lower_custom_call(lowering_t *l, ir_op_t *op) {
  ir_attr_t name = ir_op_attr(op, "call_target_name");
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (ir_str_is(name, calls[i].name)) return calls[i].fn(l, op);
  bool done;
  IREE_RETURN_IF_ERROR(low_lapack(l, op, &done));
  if (done) return iree_ok_status();
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; ++i)
    if (!strncmp(ir_bytes(name), elsewhere[i].prefix, strlen(elsewhere[i].prefix)))
      return ir_op_error(op, "calls '%s', which %s", ir_bytes(name), elsewhere[i].advice);
  return ir_op_error(op, "calls '%s', which no target provides; rewrite it with StableHLO ops",
                     ir_bytes(name));
}
