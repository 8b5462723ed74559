// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  func.func over StableHLO, CHLO and core dialects; private functions inlined where possible.
// Out: util.func over linalg, tensor, arith, math, scf; all integers signless. Each function is
//      rebuilt beside the old one, op by op in order, then takes its place.
//
//   func.func @f(%a: tensor<4xui8>) -> tensor<4xui8> {
//     %0 = stablehlo.not %a : tensor<4xui8>
// becomes
//   util.func public @f(%a: tensor<4xi8>) -> tensor<4xi8> {
//     %0 = linalg.generic ... ins(%a) { arith.xori %in, %c-1 }
#include <string.h>

#include "compiler/dialects/quant_type.h"
#include "compiler/input/lower.h"

iree_status_t input_lower_elementwise(lowering_t *l, ir_op_t *op);

static input_lower_fn_t lowering_of(ir_kind_t kind) {
  static const struct {
    ir_kind_t kind;
    input_lower_fn_t fn;
  } rows[] = {
#define LOWER(SYM, function) {OP_##SYM, function},
#include "compiler/input/lower_rows.def"
#undef LOWER
  };
  if (low_is_elementwise(kind)) return input_lower_elementwise;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].kind == kind) return rows[i].fn;
  return NULL;
}

// ---- ops of other dialects are copied, their types made signless
static void make_signless(ir_ctx_t *ctx, ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_results; ++i)
    op->results[i].type = low_type(ctx, op->results[i].type);
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) {
      for (uint32_t i = 0; i < b->n_args; ++i) b->args[i]->type = low_type(ctx, b->args[i]->type);
      for (ir_op_t *o = b->first; o; o = o->next) make_signless(ctx, o);
    }
}
static bool is_input_op(const ir_op_t *op) {
  const char *name = ir_op_name(op);
  return !strncmp(name, "stablehlo.", 10) || !strncmp(name, "chlo.", 5) ||
         !strncmp(name, "mhlo.", 5);
}
// arith and math on whole tensors: the scalar op in a generic.
static bool is_tensor_arithmetic(const ir_op_t *op) {
  const char *name = ir_op_name(op);
  if (op->n_results != 1 || op->n_regions || !op->n_operands || op->n_operands > 4 ||
      !ir_is(ir_result(op, 0)->type, IR_T_TENSOR))
    return false;
  if (strncmp(name, "arith.", 6) && strncmp(name, "math.", 5)) return false;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    bool scalar = op->kind == OP_ARITH_SELECT && i == 0 && !ir_type_is_shaped(type);
    if (!scalar &&
        (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) != ir_type_rank(ir_result(op, 0)->type)))
      return false;
  }
  return true;
}
static iree_status_t convert_tensor_arithmetic(lowering_t *l, ir_op_t *op) {
  ir_value_t *inputs[4];
  size_t n = 0;
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_type_is_shaped(ir_operand(op, i)->type)) inputs[n++] = lowered_operand(l, op, i);
  for (size_t i = 1; i < n; ++i) low_check_shapes(l, op, inputs[0], inputs[i]);
  sizes_t sizes = low_sizes_like(l, type, inputs[0]);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, inputs, n);
  ir_op_t *scalar = ir_op_clone(l->ctx, op, l->map);
  for (uint32_t i = 0, next = 0; i < op->n_operands; ++i)
    if (ir_type_is_shaped(ir_operand(op, i)->type))
      ir_use_set(&scalar->operands[i], p.body->args[next++]);
  scalar->results[0].type = ir_type_element(type);
  ir_insert(&p.b, scalar);
  ir_map_set(l->map, ir_result(op, 0), low_pointwise_end(l, &p, ir_result(scalar, 0)));
  return iree_ok_status();
}
static iree_status_t look_for_work(ir_op_t *op, void *self) {
  bool *found = self;
  *found |= is_input_op(op) || is_tensor_arithmetic(op) || lowering_of(op->kind);
  return iree_ok_status();
}
// Control flow of other dialects around ops that are lowered: the op is made anew, its blocks
// filled.
static iree_status_t copy_around(lowering_t *l, ir_op_t *op, ir_op_t **out) {
  ir_op_t *copy = ir_op_clone_empty(l->ctx, op, l->map);
  ir_builder_t saved = l->b;
  ir_insert(&saved, copy);
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) {
      ir_block_t *block = ir_block_create(l->ctx, copy->regions[r]);
      ir_map_set(l->map, b, block);
      for (uint32_t i = 0; i < b->n_args; ++i)
        ir_map_set(l->map, b->args[i],
                   ir_block_add_arg(l->ctx, block, low_type(l->ctx, b->args[i]->type)));
    }
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) {
      l->b = ir_builder_at_end(l->ctx, ir_map_get(l->map, b));
      IREE_RETURN_IF_ERROR(input_lower_block(l, b));
    }
  }
  l->b = saved;
  *out = copy;
  return iree_ok_status();
}
static iree_status_t copy_op(lowering_t *l, ir_op_t *op) {
  if (is_tensor_arithmetic(op)) return convert_tensor_arithmetic(l, op);
  if (is_input_op(op)) return ir_op_error(op, "is not supported");
  if (!op->kind)
    return ir_op_error(op, "is of a dialect that is not known here; lower it to StableHLO first");
  bool has_work = false;
  ir_op_t *copy;
  if (op->n_regions) IREE_RETURN_IF_ERROR(ir_walk(op, look_for_work, &has_work));
  if (has_work) {
    IREE_RETURN_IF_ERROR(copy_around(l, op, &copy));
  } else {
    copy = ir_op_clone(l->ctx, op, l->map);
    ir_insert(&l->b, copy);
  }
  make_signless(l->ctx, copy);
  for (uint32_t i = 0; i < op->n_results; ++i)
    ir_map_set(l->map, ir_result(op, i), ir_result(copy, i));
  return iree_ok_status();
}

// Sizes are computed in 64 bits from here on: bytes of a tensor must fit with room to spare.
static iree_status_t check_size(ir_op_t *op, ir_type_t type) {
  int64_t bytes = 16;
  if (!ir_is(type, IR_T_TENSOR)) return iree_ok_status();
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) == 0) return iree_ok_status();
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) != IR_DYNAMIC &&
        __builtin_mul_overflow(bytes, ir_type_dim(type, i), &bytes))
      return ir_op_error(op, "has a %s, which is more than 64 bits can address",
                         ir_print_term_to(ir_arena(ir_op_ctx(op)), type));
  return iree_ok_status();
}

iree_status_t input_lower_block(lowering_t *l, ir_block_t *from) {
  for (ir_op_t *op = from->first; op; op = op->next) {
    if (op->kind == OP_HLO_RETURN) continue;  // its parent's lowering reads it
    l->b.loc = op->loc;
    for (uint32_t i = 0; i < op->n_results; ++i)
      IREE_RETURN_IF_ERROR(check_size(op, ir_result(op, i)->type));
    input_lower_fn_t fn = lowering_of(op->kind);
    iree_status_t status = fn ? fn(l, op) : copy_op(l, op);
    if (!iree_status_is_ok(status)) {
      if (!l->failed) l->failed = op;
      return status;
    }
  }
  return iree_ok_status();
}

// ---- what cannot be lowered is said once, with the number of its like
typedef struct likes {
  const ir_op_t *of;
  uint32_t n;
} likes_t;
static iree_status_t count_like(ir_op_t *op, void *self) {
  likes_t *likes = self;
  const ir_op_t *of = likes->of;
  bool like = op != of && op->kind == of->kind && ir_op_name(op) == ir_op_name(of) &&
              ir_op_attr(op, "call_target_name") == ir_op_attr(of, "call_target_name") &&
              !op->n_operands == !of->n_operands;
  if (like && op->n_operands)
    like = ir_type_element(ir_operand(op, 0)->type) == ir_type_element(ir_operand(of, 0)->type);
  likes->n += like;
  return iree_ok_status();
}
static iree_status_t told_with_count(lowering_t *l, iree_status_t status) {
  likes_t likes = {.of = l->failed};
  if (iree_status_is_ok(status) || !likes.of) return status;
  iree_status_ignore(ir_walk(l->module, count_like, &likes));
  if (likes.n)
    ir_note(l->ctx, likes.of->loc, "and %u more '%s' of the kind", likes.n, ir_op_name(likes.of));
  l->failed = NULL;
  return status;
}

// ---- functions
// Callers see of a quantised tensor what it stores.
static ir_type_t seen_type(ir_ctx_t *ctx, ir_type_t type) {
  quant_type_t q;
  return quant_is(ir_type_element(type)) && !quant_type_read(ctx, ir_type_element(type), &q)
             ? ir_type_with_element(ctx, type, q.storage)
             : type;
}
// Frameworks annotate arguments for themselves; what is IREE's stays. A type that loses its sign is
// named by iree.abi.encoding, so that callers see it.
static ir_attr_t kept_attrs(ir_ctx_t *ctx, ir_attr_t list, const ir_type_t *types, size_t n_types) {
  ir_attr_t *dicts = IREE_ARENA_ARRAY(ir_arena(ctx), ir_attr_t, n_types + 1);
  bool any = false;
  for (size_t i = 0; i < n_types; ++i) {
    ir_attr_t dict = list && i < list->n_kids ? ir_kid(list, i) : NULL;
    ir_attr_t *pairs = IREE_ARENA_ARRAY(ir_arena(ctx), ir_attr_t, (dict ? dict->n_kids : 0) + 3);
    size_t n = 0;
    ir_type_t seen = seen_type(ctx, types[i]);
    if (low_type(ctx, seen) != seen && !(dict && ir_dict_get(dict, "iree.abi.encoding")))
      pairs[n++] = ir_attr_str(ctx, "iree.abi.encoding"), pairs[n++] = seen;
    for (uint32_t k = 0; dict && k + 1 < dict->n_kids; k += 2) {
      if (strncmp(ir_bytes(ir_kid(dict, k)), "iree.", 5)) continue;
      pairs[n++] = ir_kid(dict, k), pairs[n++] = ir_kid(dict, k + 1);
    }
    any |= n > 0;
    dicts[i] = ir_attr_dict(ctx, pairs, n / 2);
  }
  return any ? ir_attr_array(ctx, dicts, n_types) : NULL;
}
static iree_status_t check_type(ir_op_t *function, ir_type_t type) {
  IREE_RETURN_IF_ERROR(check_size(function, type));
  const char *wrong = quant_type_check(ir_op_ctx(function), type);
  if (wrong)
    return ir_op_error(function, "has a tensor whose element type %s: %s", wrong,
                       ir_print_term_to(ir_arena(ir_op_ctx(function)), ir_type_element(type)));
  if (ir_is(type, IR_T_TENSOR) && type->n_kids > 1 && ir_kid(type, 1))
    return ir_op_error(function,
                       "has a tensor with the encoding %s; only dense tensors are supported",
                       ir_print_term_to(ir_arena(ir_op_ctx(function)), ir_kid(type, 1)));
  if (ir_is(low_type(ir_op_ctx(function), ir_type_element(type)), IR_T_DIALECT) &&
      ir_is(type, IR_T_TENSOR))
    return ir_op_error(function, "has a tensor of %s, which is not supported",
                       ir_print_term_to(ir_arena(ir_op_ctx(function)), ir_type_element(type)));
  return iree_ok_status();
}
// Reverse postorder: what dominates a block comes before it. Returns how many are reached.
static size_t blocks_in_order(ir_ctx_t *ctx, ir_op_t *function, ir_block_t **out, size_t n_blocks) {
  typedef struct frame {
    ir_block_t *block;
    uint16_t next;
  } frame_t;
  frame_t *stack = IREE_ARENA_ARRAY(ir_arena(ctx), frame_t, n_blocks + 1);
  ir_map_t *seen = ir_map_create(ir_arena(ctx));
  size_t depth = 0, first = n_blocks;
  if (!n_blocks) return 0;
  ir_map_set(seen, ir_body(function), ctx);
  stack[depth++].block = ir_body(function);
  while (depth) {
    frame_t *top = &stack[depth - 1];
    ir_op_t *end = top->block->last;
    if (!end || top->next == end->n_succs) {
      out[--first] = top->block;
      --depth;
      continue;
    }
    ir_block_t *to = end->succs[top->next++].block;
    if (ir_map_get(seen, to)) continue;
    ir_map_set(seen, to, ctx);
    stack[depth++] = (frame_t){to, 0};
  }
  memmove(out, out + first, (n_blocks - first) * sizeof *out);
  return n_blocks - first;
}
// Attributes that mean something to later phases: of the ABI, of functions of other modules.
static bool is_kept(const char *name) {
  return !strncmp(name, "iree.", 5) || !strncmp(name, "vm.", 3) || !strcmp(name, "nosideeffects");
}

static iree_status_t convert_function(lowering_t *l, ir_op_t *function) {
  ir_ctx_t *ctx = l->ctx;
  ir_type_t type = ir_op_attr(function, "function_type");
  size_t n_in = ir_fn_n_inputs(type);
  for (size_t i = 0; i < ir_fn_n_inputs(type); ++i)
    IREE_RETURN_IF_ERROR(check_type(function, ir_fn_input(type, i)));
  for (size_t i = 0; i < ir_fn_n_results(type); ++i)
    IREE_RETURN_IF_ERROR(check_type(function, ir_fn_result(type, i)));
  ir_attr_t visibility = ir_op_attr(function, "sym_visibility");
  ir_named_t attrs[5] = {
      {"sym_name", ir_op_attr(function, "sym_name")},
      {"function_type", low_type(ctx, type)},
      {"sym_visibility", visibility ? visibility : ir_attr_str(ctx, "public")},
      {"arg_attrs", kept_attrs(ctx, ir_op_attr(function, "arg_attrs"), ir_kids(type), n_in)},
      {"res_attrs", kept_attrs(ctx, ir_op_attr(function, "res_attrs"), ir_kids(type) + n_in,
                               ir_fn_n_results(type))}};
  ir_builder_t before = ir_builder_before(ctx, function);
  ir_op_t *made = ir_build(&before, &(ir_op_desc_t){.kind = OP_UTIL_FUNC,
                                                    .loc = function->loc,
                                                    .attrs = attrs,
                                                    .n_attrs = 5,
                                                    .n_regions = 1});
  for (uint32_t i = 0; i < function->n_extra; ++i)
    if (is_kept(function->extra[i].name))
      ir_op_set_attr(ctx, made, function->extra[i].name, function->extra[i].value);
  l->map = ir_map_create(ir_arena(ctx));
  // All blocks first: branches and values of later blocks may be named before them.
  for (ir_block_t *b = ir_body(function); b; b = b->next) {
    ir_block_t *block = ir_block_create(ctx, made->regions[0]);
    ir_map_set(l->map, b, block);
    for (uint32_t i = 0; i < b->n_args; ++i)
      ir_map_set(l->map, b->args[i], ir_block_add_arg(ctx, block, low_type(ctx, b->args[i]->type)));
  }
  size_t n_blocks = 0;
  for (ir_block_t *b = ir_body(function); b; b = b->next) ++n_blocks;
  ir_block_t **order = IREE_ARENA_ARRAY(ir_arena(ctx), ir_block_t *, n_blocks + 1);
  size_t n_reached = blocks_in_order(ctx, function, order, n_blocks);
  for (size_t i = 0; i < n_reached; ++i) {
    l->b = ir_builder_at_end(ctx, ir_map_get(l->map, order[i]));
    IREE_RETURN_IF_ERROR(input_lower_block(l, order[i]));
  }
  for (ir_block_t *b = made->regions[0]->first, *next; b;
       b = next) {  // those nothing leads to stayed empty
    next = b->next;
    if (!b->first) ir_block_erase(b);
  }
  return iree_ok_status();
}

iree_status_t input_convert_stablehlo(pass_t *pass, ir_op_t *module) {
  lowering_t l = {.ctx = pass->ctx, .module = module};
  for (uint32_t i = module->n_extra; i-- > 0;) {
    const char *name = module->extra[i].name;
    if (!strncmp(name, "mhlo.", 5) || !strncmp(name, "jax.", 4) || !strncmp(name, "stablehlo.", 10))
      ir_op_set_attr(pass->ctx, module, name, NULL);
  }
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind == OP_FUNC_FUNC)
      IREE_RETURN_IF_ERROR(told_with_count(&l, convert_function(&l, op)));
    else if (op->kind == OP_BUILTIN_MODULE)
      IREE_RETURN_IF_ERROR(input_convert_stablehlo(pass, op));
  }
  // The old functions stay that long: bodies may be read from several places.
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind == OP_FUNC_FUNC || !strncmp(ir_op_name(op), "sdy.", 4))
      ir_op_erase(op);  // sdy: meshes of a sharding we do not do
  }
  return iree_ok_status();
}
