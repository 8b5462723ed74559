// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stream-convert-executables: flow.executable becomes stream.executable.
//
//   in         kernels taking dispatch tensors and scalars in the order of their dispatch
//   out        kernels taking bindings first, then 32-bit words; tensors are subspans of bindings;
//              i1 tensors are stored as i8
//   relies on  every dynamic dispatch tensor having one flow.dispatch.tie_shape
//
//   func @f(%n: index, %a: !dispatch.tensor<readonly:tensor<4xf32>>)
//     -> func @f(%a: !stream.binding, %lo: i32, %hi: i32)
#include <string.h>

#include "compiler/pass.h"
#include "compiler/stream/build.h"

static bool is_dispatch_tensor(ir_type_t type) { return ir_type_is(type, "iree_tensor_ext.dispatch.tensor"); }

// The tensor type of `!dispatch.tensor<access:tensor<...>>`, NULL if it is spelled otherwise.
static ir_type_t tensor_of(ir_type_t dispatch_tensor) {
  ir_attr_t pair = dispatch_tensor->n_kids ? ir_kid(dispatch_tensor, 0) : NULL;
  return ir_is(pair, IR_A_PAIR) && ir_type_is_type(ir_kid(pair, 1)) ? ir_kid(pair, 1) : NULL;
}
static ir_type_t with_tensor(ir_ctx_t *ctx, ir_type_t dispatch_tensor, ir_type_t tensor) {
  ir_attr_t pair = ir_kid(dispatch_tensor, 0);
  ir_attr_t fresh = ir_term(ctx, IR_A_PAIR, NULL, 0, (const ir_term_t *[]){ir_kid(pair, 0), tensor}, 2, ir_bytes(pair), pair->n_bytes);
  return ir_type_dialect(ctx, "iree_tensor_ext.dispatch.tensor", &fresh, 1);
}

// i1 is a byte in memory: load i8 and truncate, extend and store i8.
static void store_bools_as_bytes(ir_ctx_t *ctx, ir_value_t *binding_tensor) {
  ir_type_t tensor = tensor_of(binding_tensor->type);
  if (!ir_type_is_int(ir_type_element(tensor), 1)) return;
  ir_type_t i8 = ir_type_i(ctx, 8);
  binding_tensor->type = with_tensor(ctx, binding_tensor->type, ir_type_with_element(ctx, tensor, i8));
  for (ir_use_t *use = binding_tensor->uses; use; use = use->next) {
    ir_op_t *op = use->user;
    if (op->kind == OP_TEXT_TENSOR_LOAD) {
      ir_value_t *loaded = ir_result(op, 0);
      ir_type_t bool_type = loaded->type;
      loaded->type = ir_type_with_element(ctx, bool_type, i8);
      ir_builder_t b = ir_builder_after(ctx, op);
      ir_op_t *narrow = ir_build(&b, &(ir_op_desc_t){.kind = OP_ARITH_TRUNCI, .results = &bool_type, .n_results = 1,
                                                     .operands = &loaded, .n_operands = 1});
      ir_use_t *own = &narrow->operands[0];
      for (ir_use_t *u = loaded->uses, *next; u; u = next) {
        next = u->next;
        if (u != own) ir_use_set(u, ir_result(narrow, 0));
      }
    } else if (op->kind == OP_TEXT_TENSOR_STORE && ir_operand(op, 0)->type->kind == IR_T_TENSOR) {
      ir_value_t *stored = ir_operand(op, 0);
      if (!ir_type_is_int(ir_type_element(stored->type), 1)) continue;
      ir_builder_t b = ir_builder_before(ctx, op);
      ir_use_set(&op->operands[0], ir_build1(&b, OP_ARITH_EXTUI, ir_type_with_element(ctx, stored->type, i8), stored, NULL, NULL));
    }
  }
}

// Replaces a dispatch tensor argument by subspans of |binding|.
static iree_status_t replace_tensor(ir_ctx_t *ctx, ir_op_t *fn, ir_value_t *arg, ir_value_t *binding) {
  ir_type_t tensor = tensor_of(arg->type);
  if (!tensor) return ir_op_error(fn, "argument %u is no dispatch tensor of a known form", arg->index);
  bool is_dynamic = !ir_type_is_static(tensor);
  ir_value_t *whole = NULL;
  while (arg->uses) {
    ir_op_t *user = arg->uses->user;
    bool ties = user->kind == OP_FLOW_DISPATCH_TIE_SHAPE;
    if (is_dynamic && !ties) return ir_op_error(user, "uses a dispatch tensor of dynamic shape before its extents are tied");
    ir_builder_t b = ties ? ir_builder_before(ctx, user) : ir_builder_at_start(ctx, ir_body(fn));
    if (!whole || ties) {
      ir_value_t *operands[34] = {binding, stream_index(&b, 0)};
      uint32_t n_dims = ties ? user->n_operands - 1 : 0;
      if (n_dims > 32) return ir_op_error(user, "ties more than 32 extents");
      for (uint32_t i = 0; i < n_dims; ++i) operands[2 + i] = ir_operand(user, 1 + i);
      whole = ir_result(ir_build(&b, &(ir_op_desc_t){.kind = OP_STREAM_BINDING_SUBSPAN, .operands = operands,
                                                     .n_operands = 2 + n_dims, .results = &arg->type, .n_results = 1}), 0);
    }
    if (ties) ir_op_replace(user, &whole);
    else ir_replace_uses(arg, whole);
    store_bools_as_bytes(ctx, whole);
  }
  return iree_ok_status();
}

static iree_status_t convert_function(ir_ctx_t *ctx, ir_op_t *fn) {
  enum { MAX_ARGS = 512 };
  ir_block_t *body = ir_body(fn);
  if (!body) return ir_op_error(fn, "has no body");
  uint32_t n_old = body->n_args;
  if (n_old > MAX_ARGS) return ir_op_error(fn, "has more than %d arguments", MAX_ARGS);
  ir_type_t types[MAX_ARGS * 2];
  ir_attr_t attrs[MAX_ARGS * 2], none = ir_attr_dict(ctx, NULL, 0);
  ir_attr_t alignment[2] = {ir_attr_str(ctx, "stream.alignment"), ir_attr_index(ctx, 64)};
  size_t n = 0;
  for (uint32_t i = 0; i < n_old; ++i) {
    if (!is_dispatch_tensor(body->args[i]->type)) continue;
    types[n] = ir_type_dialect(ctx, "stream.binding", NULL, 0);
    attrs[n++] = ir_attr_dict(ctx, alignment, 1);
    IREE_RETURN_IF_ERROR(replace_tensor(ctx, fn, body->args[i], ir_block_add_arg(ctx, body, types[n - 1])));
  }
  ir_builder_t b = ir_builder_at_start(ctx, body);
  for (uint32_t i = 0; i < n_old; ++i) {
    ir_value_t *arg = body->args[i], *words[2];
    if (is_dispatch_tensor(arg->type)) continue;
    if (!ir_type_width(arg->type) || ir_type_width(arg->type) > 64)
      return ir_op_error(fn, "argument %u cannot be passed to a kernel: only scalars of up to 64 bits can", i);
    size_t n_words = stream_scalar_words(arg->type);
    for (size_t k = 0; k < n_words; ++k) {
      types[n] = ir_type_i(ctx, 32);
      attrs[n++] = none;
      words[k] = ir_block_add_arg(ctx, body, types[n - 1]);
    }
    ir_replace_uses(arg, stream_unpack_scalar(&b, arg->type, words));
  }
  for (uint32_t i = 0; i < n_old; ++i) ir_block_erase_arg(body, 0);
  ir_op_set_attr(ctx, fn, "function_type", ir_type_function(ctx, types, n, NULL, 0));
  ir_op_set_attr(ctx, fn, "arg_attrs", ir_attr_array(ctx, attrs, n));
  return iree_ok_status();
}

// A fresh op of another kind with the same attributes and regions, in the old one's place.
static ir_op_t *retype(ir_ctx_t *ctx, ir_op_t *op, ir_kind_t kind) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_op_t *fresh = ir_build(&b, &(ir_op_desc_t){.kind = kind, .loc = op->loc, .n_regions = op->n_regions});
  static const char *const names[] = {"sym_visibility", "sym_name", "function_ref"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    ir_attr_t value = ir_op_attr(op, names[i]);
    if (value) ir_op_set_attr(ctx, fresh, names[i], value);
  }
  for (uint32_t i = 0; i < op->n_extra; ++i) ir_op_set_attr(ctx, fresh, op->extra[i].name, op->extra[i].value);
  for (uint16_t r = 0; r < op->n_regions; ++r) ir_region_take(fresh->regions[r], op->regions[r]);
  ir_op_erase(op);
  return fresh;
}

static void convert_export(ir_ctx_t *ctx, ir_op_t *export) {
  ir_op_t *fresh = retype(ctx, export, OP_STREAM_EXECUTABLE_EXPORT);
  for (ir_block_t *block = fresh->regions[0]->first; block; block = block->next) {
    ir_op_t *end = block->last;
    if (!ir_op_is(end, OP_FLOW_RETURN)) continue;
    ir_value_t *values[3] = {0};
    for (uint32_t i = 0; i < end->n_operands && i < 3; ++i) values[i] = ir_operand(end, i);
    ir_builder_t b = ir_builder_before(ctx, end);
    ir_build(&b, &(ir_op_desc_t){.kind = OP_STREAM_RETURN, .operands = values, .n_operands = end->n_operands > 3 ? 3 : end->n_operands});
    ir_op_erase(end);
  }
}

static iree_status_t convert_executable(ir_ctx_t *ctx, ir_op_t *executable) {
  ir_op_t *fresh = retype(ctx, executable, OP_STREAM_EXECUTABLE);
  for (ir_op_t *op = ir_body(fresh)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind == OP_FLOW_EXECUTABLE_EXPORT) {
      ir_attr_t ref = ir_op_attr(op, "function_ref");
      ir_op_t *inner = NULL;
      for (ir_op_t *m = ir_body(fresh)->first; m && !inner; m = m->next)
        if (m->kind == OP_BUILTIN_MODULE) inner = ir_symbol_lookup(m, ir_symref_leaf(ref));
      if (!inner) return ir_op_error(op, "names no function of its executable");
      IREE_RETURN_IF_ERROR(convert_function(ctx, inner));
      convert_export(ctx, op);
    } else if (op->kind == OP_FLOW_EXECUTABLE_END) {
      ir_builder_t b = ir_builder_before(ctx, op);
      ir_build(&b, &(ir_op_desc_t){.kind = OP_STREAM_EXECUTABLE_END});
      ir_op_erase(op);
    }
  }
  return iree_ok_status();
}

iree_status_t stream_convert_executables(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind == OP_FLOW_EXECUTABLE) IREE_RETURN_IF_ERROR(convert_executable(pass->ctx, op));
  }
  return iree_ok_status();
}
