// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  tensor types with #stablehlo.bounds, which say how long a dynamic dimension may become.
// Out: the types without; functions check at their start that their arguments keep to them.
//
//   func.func @f(%a: tensor<?xf32, #stablehlo.bounds<8>>) {
// becomes
//   func.func @f(%a: tensor<?xf32>) {
//     %n = stablehlo.get_dimension_size %a, dim = 0
//     %ok = stablehlo.compare LE, %n, %c8
//     stablehlo.custom_call @shape_assertion(%ok)
#include <stdio.h>
#include <string.h>

#include "compiler/input/build_hlo.h"
#include "compiler/pass.h"

static bool is_bounds(ir_attr_t encoding) {
  return ir_is(encoding, IR_A_DIALECT) &&
         (!strcmp(ir_bytes(encoding), "stablehlo.bounds") ||
          !strcmp(ir_bytes(encoding), "stablehlo.type_extensions"));
}
static ir_attr_t bounds_of(ir_type_t type) {
  if (!ir_is(type, IR_T_TENSOR) || type->n_kids < 2) return NULL;
  return is_bounds(ir_kid(type, 1)) ? ir_kid(type, 1) : NULL;
}
static ir_type_t without_bounds(ir_ctx_t *ctx, ir_type_t type) {
  if (bounds_of(type))
    return ir_type_tensor(ctx, ir_type_dims(type), ir_type_rank(type), ir_type_element(type), NULL);
  if (!ir_is(type, IR_T_FUNCTION) && !ir_is(type, IR_T_TUPLE)) return type;
  ir_type_t *kids = IREE_ARENA_ARRAY(ir_arena(ctx), ir_type_t, type->n_kids + 1);
  for (uint32_t i = 0; i < type->n_kids; ++i) kids[i] = without_bounds(ctx, ir_kid(type, i));
  if (ir_is(type, IR_T_TUPLE)) return ir_type_tuple(ctx, kids, type->n_kids);
  size_t n = ir_fn_n_inputs(type);
  return ir_type_function(ctx, kids, n, kids + n, type->n_kids - n);
}

// The list of a bounds attribute: `<8, ?>`, or in an older form `<bounds = [8, ?]>`.
static int64_t bound_at(ir_attr_t bounds, size_t i) {
  ir_attr_t list = bounds, entry;
  if (bounds->n_kids == 1 && ir_is(ir_kid(bounds, 0), IR_A_PARAM))
    list = ir_kid(ir_kid(bounds, 0), 1);
  entry = i < list->n_kids ? ir_kid(list, i) : NULL;
  return ir_is(entry, IR_A_INT) ? ir_int(entry, 0) : IR_DYNAMIC;
}
static void check_argument(ir_builder_t *b, ir_value_t *arg, ir_attr_t bounds) {
  ir_type_t i1 = ir_type_tensor(b->ctx, NULL, 0, ir_type_i(b->ctx, 1), NULL);
  for (size_t i = 0; i < ir_type_rank(arg->type); ++i) {
    int64_t bound = bound_at(bounds, i);
    if (ir_type_dim(arg->type, i) != IR_DYNAMIC || bound == IR_DYNAMIC) continue;
    char text[128];
    snprintf(text, sizeof text, "dimension %zu of argument %u is over its bound of %lld", i,
             arg->index, (long long)bound);
    ir_value_t *extent = hlo_extent(b, arg, i), *most = hlo_i32(b, bound);
    ir_value_t *holds = ir_build_attr(b, OP_HLO_COMPARE, i1, "comparison_direction",
                                      ir_attr_keyword(b->ctx, "LE"), extent, most);
    hlo_assert(b, holds, text);
  }
}

typedef struct state {
  ir_ctx_t *ctx;
  bool found;
} state_t;
static iree_status_t look_for_bounds(ir_op_t *op, void *self) {
  state_t *s = self;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_type_t type = ir_result(op, i)->type;
    s->found |= without_bounds(s->ctx, type) != type;
  }
  ir_attr_t type = ir_op_has_trait(op, IR_FUNCTION) ? ir_op_attr(op, "function_type") : NULL;
  s->found |= type && without_bounds(s->ctx, type) != type;
  return iree_ok_status();
}
static iree_status_t drop_bounds(ir_op_t *op, void *self) {
  state_t *s = self;
  for (uint32_t i = 0; i < op->n_results; ++i)
    ir_result(op, i)->type = without_bounds(s->ctx, ir_result(op, i)->type);
  ir_attr_t function = ir_op_has_trait(op, IR_FUNCTION) ? ir_op_attr(op, "function_type") : NULL;
  if (function) ir_op_set_attr(s->ctx, op, "function_type", without_bounds(s->ctx, function));
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *block = op->regions[r]->first; block; block = block->next) {
      ir_builder_t b = ir_builder_at_start(s->ctx, block);
      b.loc = op->loc;
      for (uint32_t i = 0; i < block->n_args; ++i) {
        ir_value_t *arg = block->args[i];
        ir_attr_t bounds = bounds_of(arg->type);
        arg->type = without_bounds(s->ctx, arg->type);
        if (bounds && function && block == ir_body(op)) check_argument(&b, arg, bounds);
      }
    }
  return iree_ok_status();
}
iree_status_t input_convert_bounds(pass_t *pass, ir_op_t *module) {
  state_t s = {.ctx = pass->ctx};
  IREE_RETURN_IF_ERROR(ir_walk(module, look_for_bounds, &s));
  return s.found ? ir_walk(module, drop_bounds, &s) : iree_ok_status();
}
