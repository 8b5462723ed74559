// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats narrower than f32 in kernels.
//
//   in:         util.funcs with arith and math on any float, memrefs of any float
//   out:        the same on f32 and f64; memrefs of a narrow format hold integers
//   relies on:  scalars only
//   breaks:     nothing
//
//   %2 = arith.addf %0, %1 : f16     ->   %2 = arith.addf %0, %1 : f32
//                                         %3 = util.call @encode_f16(%2) : (f32) -> i32
//                                         %4 = util.call @decode_f16(%3) : (i32) -> f32
//
// The magnitude of a value is an integer code, so that rounding carries into the exponent by
// itself; what lies below the smallest normal is rounded by the f32 adder against a large constant.
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/low.h"
#include "compiler/vm/kernel.h"

enum { DECODE, ENCODE };
typedef struct {
  ir_op_t *op;
  ir_type_t from;  // of the first operand before anything changed
} pending_t;
typedef struct {
  ir_ctx_t *ctx;
  iree_arena_t *arena;
  ir_op_t *module;
  const char *functions[2][IR_FLOAT_COUNT];  // their names; NULL until one is used
  pending_t *ops;                            // of the function at hand
  size_t n_ops, ops_cap;
} floats_t;

static bool is_narrow(ir_type_t type) {
  return ir_type_is_float(type) && ir_float_bits(ir_float_kind(type)) < 32;
}

// ---- small ops
static ir_value_t *i32(ir_builder_t *b, uint32_t value) {
  return low_int(b, ir_type_i(b->ctx, 32), (int32_t)value);
}
static ir_value_t *f32(ir_builder_t *b, double value) {
  return low_float(b, ir_type_float(b->ctx, IR_F32), value);
}
static ir_value_t *as_bits(ir_builder_t *b, ir_value_t *x) {
  return low_cast(b, OP_ARITH_BITCAST, ir_type_i(b->ctx, 32), x);
}
static ir_value_t *as_f32(ir_builder_t *b, ir_value_t *bits) {
  return low_cast(b, OP_ARITH_BITCAST, ir_type_float(b->ctx, IR_F32), bits);
}

// ---- a format's two functions
typedef struct {
  const float_format_info_t *info;
  uint32_t all;         // magnitude bits
  uint32_t max_finite;  // code
  uint32_t shift;       // from the format's mantissa to f32's
  uint32_t rebias;
} codec_t;

static codec_t codec_of(ir_float_t format) {
  const float_format_info_t *info = float_format_info((float_format_t)format);
  uint32_t all = (1u << (info->total_bits - (info->kind != FLOAT_KIND_SCALE))) - 1;
  uint32_t unused = info->kind == FLOAT_KIND_IEEE ? 1u << info->mantissa_bits
                    : info->kind == FLOAT_KIND_FN || info->kind == FLOAT_KIND_SCALE ? 1u
                                                                                    : 0u;
  return (codec_t){info, all, all - unused, 23u - (uint32_t)info->mantissa_bits,
                   (uint32_t)(127 - info->bias) << 23};
}

static double power_of_two(int exponent) {
  double value = 1;
  for (; exponent > 0; --exponent) value *= 2;
  for (; exponent < 0; ++exponent) value /= 2;
  return value;
}

static ir_value_t *build_decode(ir_builder_t *b, const codec_t *c, ir_value_t *code) {
  float_kind_t kind = c->info->kind;
  ir_value_t *magnitude = low_op2(b, OP_ARITH_ANDI, code, i32(b, c->all));
  ir_value_t *shifted = low_op2(b, OP_ARITH_SHLI, magnitude, i32(b, c->shift));
  ir_value_t *bits = low_op2(b, OP_ARITH_ADDI, shifted, i32(b, c->rebias));
  if (kind == FLOAT_KIND_SCALE) {  // code 0 is 2^-127, below f32's normals
    bits = low_pick(b, low_cmpi(b, "eq", magnitude, i32(b, 0)), i32(b, 0x00400000), bits);
  } else {
    double unit = power_of_two(1 - c->info->bias - c->info->mantissa_bits);
    ir_value_t *count = low_cast(b, OP_ARITH_UITOFP, ir_type_float(b->ctx, IR_F32), magnitude);
    ir_value_t *small = as_bits(b, low_op2(b, OP_ARITH_MULF, count, f32(b, unit)));
    ir_value_t *is_small = low_cmpi(b, "ult", magnitude, i32(b, 1u << c->info->mantissa_bits));
    bits = low_pick(b, is_small, small, bits);
  }
  if (kind == FLOAT_KIND_IEEE) {  // infinity and NaN keep their mantissa
    ir_value_t *special = low_op2(b, OP_ARITH_ORI, shifted, i32(b, 0x7F800000));
    bits = low_pick(b, low_cmpi(b, "ugt", magnitude, i32(b, c->max_finite)), special, bits);
  } else if (kind == FLOAT_KIND_FN || kind == FLOAT_KIND_SCALE) {
    bits = low_pick(b, low_cmpi(b, "eq", magnitude, i32(b, c->all)), i32(b, 0x7FC00000), bits);
  }
  if (kind != FLOAT_KIND_SCALE) {
    ir_value_t *sign = low_op2(b, OP_ARITH_ANDI, code, i32(b, c->all + 1));
    sign = low_op2(b, OP_ARITH_SHLI, sign, i32(b, 32u - (uint32_t)c->info->total_bits));
    bits = low_op2(b, OP_ARITH_ORI, bits, sign);
  }
  if (kind == FLOAT_KIND_FNUZ)
    bits = low_pick(b, low_cmpi(b, "eq", code, i32(b, c->all + 1)), i32(b, 0x7FC00000), bits);
  return as_f32(b, bits);
}

// The code of a magnitude before limits.
static ir_value_t *build_magnitude(ir_builder_t *b, const codec_t *c, ir_value_t *magnitude) {
  ir_value_t *shift = i32(b, c->shift);
  ir_value_t *code = low_op2(b, OP_ARITH_SUBI, magnitude, i32(b, c->rebias));
  ir_value_t *odd = low_op2(b, OP_ARITH_ANDI, low_op2(b, OP_ARITH_SHRUI, code, shift), i32(b, 1));
  code = low_op2(b, OP_ARITH_ADDI, code, i32(b, (1u << (c->shift - 1)) - 1));
  code = low_op2(b, OP_ARITH_SHRUI, low_op2(b, OP_ARITH_ADDI, code, odd), shift);
  double anchor = power_of_two(23 + 1 - c->info->bias - c->info->mantissa_bits);
  ir_value_t *sum = as_bits(b, low_op2(b, OP_ARITH_ADDF, as_f32(b, magnitude), f32(b, anchor)));
  ir_value_t *small = low_op2(b, OP_ARITH_SUBI, sum, as_bits(b, f32(b, anchor)));
  ir_value_t *first_normal = i32(b, (uint32_t)(127 - c->info->bias + 1) << 23);
  return low_pick(b, low_cmpi(b, "ult", magnitude, first_normal), small, code);
}

static ir_value_t *build_encode_scale(ir_builder_t *b, const codec_t *c, ir_value_t *magnitude,
                                      ir_value_t *bad) {
  // The exponent alone, ties up. From 2^-127 down f32 has no implied one: 1.5 * 2^-127 rounds up.
  ir_value_t *code = low_op2(b, OP_ARITH_ADDI, magnitude, i32(b, 0x00400000));
  code = low_op2(b, OP_ARITH_SHRUI, code, i32(b, 23));
  code = low_pick(b, low_cmpi(b, "ult", magnitude, i32(b, 0x00600000)), i32(b, 0), code);
  bad = low_op2(b, OP_ARITH_ORI, bad, low_cmpi(b, "ugt", code, i32(b, c->max_finite)));
  code = low_pick(b, bad, i32(b, c->all), code);
  return low_pick(b, low_cmpi(b, "eq", magnitude, i32(b, 0)), i32(b, 0), code);
}

static ir_value_t *build_encode(ir_builder_t *b, const codec_t *c, ir_value_t *value) {
  float_kind_t kind = c->info->kind;
  ir_value_t *bits = as_bits(b, value);
  ir_value_t *magnitude = low_op2(b, OP_ARITH_ANDI, bits, i32(b, 0x7FFFFFFF));
  ir_value_t *is_nan = low_cmpi(b, "ugt", magnitude, i32(b, 0x7F800000));
  if (kind == FLOAT_KIND_SCALE) {
    ir_value_t *is_negative = low_cmpi(b, "slt", bits, i32(b, 0));
    return build_encode_scale(b, c, magnitude, low_op2(b, OP_ARITH_ORI, is_nan, is_negative));
  }
  uint32_t quiet = 1u << (c->info->mantissa_bits > 0 ? c->info->mantissa_bits - 1 : 0);
  uint32_t over = c->max_finite, nan = 0;
  if (kind == FLOAT_KIND_IEEE) over = c->max_finite + 1, nan = over | quiet;
  if (kind == FLOAT_KIND_FN) over = nan = c->all;
  ir_value_t *code = build_magnitude(b, c, magnitude);
  ir_value_t *is_over = low_cmpi(b, "ugt", code, i32(b, c->max_finite));
  code = low_pick(b, is_nan, i32(b, nan), low_pick(b, is_over, i32(b, over), code));
  ir_value_t *sign = low_op2(b, OP_ARITH_ANDI, bits, i32(b, 0x80000000));
  sign = low_op2(b, OP_ARITH_SHRUI, sign, i32(b, 32u - (uint32_t)c->info->total_bits));
  ir_value_t *result = low_op2(b, OP_ARITH_ORI, code, sign);
  if (kind != FLOAT_KIND_FNUZ) return result;
  result = low_pick(b, low_cmpi(b, "eq", code, i32(b, 0)), i32(b, 0), result);
  return low_pick(b, low_op2(b, OP_ARITH_ORI, is_nan, is_over), i32(b, c->all + 1), result);
}

static const char *function_for(floats_t *f, ir_float_t format, int direction) {
  const char **name = &f->functions[direction][format];
  if (*name) return *name;
  char base[64];
  snprintf(base, sizeof base, "%s_%s", direction == ENCODE ? "encode" : "decode",
           ir_float_spelling(format));
  *name = ir_symbol_unique(f->ctx, f->module, base);
  ir_type_t i = ir_type_i(f->ctx, 32), real = ir_type_float(f->ctx, IR_F32);
  ir_type_t from = direction == ENCODE ? real : i, to = direction == ENCODE ? i : real;
  ir_named_t attrs[3] = {{"sym_name", ir_attr_str(f->ctx, *name)},
                         {"function_type", ir_type_function(f->ctx, &from, 1, &to, 1)},
                         {"sym_visibility", ir_attr_str(f->ctx, "private")}};
  ir_builder_t b = ir_builder_at_end(f->ctx, ir_body(f->module));
  b.loc = f->module->loc;
  ir_op_t *func = ir_build(
      &b, &(ir_op_desc_t){.kind = OP_UTIL_FUNC, .attrs = attrs, .n_attrs = 3, .n_regions = 1});
  ir_block_t *block = ir_block_create(f->ctx, func->regions[0]);
  ir_value_t *arg = ir_block_add_arg(f->ctx, block, from);
  b = ir_builder_at_end(f->ctx, block);
  b.loc = f->module->loc;
  codec_t codec = codec_of(format);
  ir_value_t *result =
      direction == ENCODE ? build_encode(&b, &codec, arg) : build_decode(&b, &codec, arg);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_RETURN, .operands = &result, .n_operands = 1});
  return *name;
}

static ir_value_t *convert(floats_t *f, ir_builder_t *b, ir_type_t narrow, int direction,
                           ir_value_t *value) {
  const char *name = function_for(f, ir_float_kind(narrow), direction);
  ir_type_t type = direction == ENCODE ? ir_type_i(f->ctx, 32) : ir_type_float(f->ctx, IR_F32);
  ir_named_t attr = {"callee", ir_attr_sym(f->ctx, name)};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_CALL,
                                               .operands = &value,
                                               .n_operands = 1,
                                               .results = &type,
                                               .n_results = 1,
                                               .attrs = &attr,
                                               .n_attrs = 1}),
                   0);
}
static ir_value_t *rounded(floats_t *f, ir_builder_t *b, ir_type_t narrow, ir_value_t *value) {
  return convert(f, b, narrow, DECODE, convert(f, b, narrow, ENCODE, value));
}

// ---- ops
// The integer that holds a narrow float in memory.
static ir_type_t storage_of(ir_ctx_t *ctx, ir_type_t narrow) {
  return ir_type_i(ctx, (ir_float_bits(ir_float_kind(narrow)) + 7) / 8 * 8);
}

// f64 to f32 so that a narrower format can be rounded to afterwards: what is inexact becomes odd,
// and so no tie that |value| is not.
static ir_value_t *round_to_odd(ir_builder_t *b, ir_value_t *value) {
  ir_type_t real = ir_type_float(b->ctx, IR_F32);
  ir_value_t *near = low_cast(b, OP_ARITH_TRUNCF, real, value);
  ir_value_t *back = low_cast(b, OP_ARITH_EXTF, value->type, near), *bits = as_bits(b, near);
  ir_value_t *zero = low_float(b, value->type, 0);
  ir_value_t *even = low_cmpi(b, "eq", low_op2(b, OP_ARITH_ANDI, bits, i32(b, 1)), i32(b, 0));
  ir_value_t *moves = low_op2(b, OP_ARITH_ANDI, even, low_cmpf(b, "one", back, value));
  ir_value_t *away =
      low_op2(b, OP_ARITH_XORI, low_cmpf(b, "ogt", back, value), low_cmpf(b, "olt", value, zero));
  ir_value_t *odd =
      low_op2(b, OP_ARITH_ADDI, bits, low_pick(b, away, i32(b, UINT32_MAX), i32(b, 1)));
  return as_f32(b, low_pick(b, moves, odd, bits));
}

static void replace_other_uses(ir_value_t *from, ir_value_t *to, const ir_op_t *keeps) {
  for (ir_use_t *use = from->uses, *next; use; use = next) {
    next = use->next;
    if (use->user != keeps) ir_use_set(use, to);
  }
}

static void expand_load(floats_t *f, ir_op_t *op) {
  ir_value_t *loaded = ir_result(op, 0);
  ir_type_t narrow = loaded->type;
  ir_builder_t b = ir_builder_after(f->ctx, op);
  b.loc = op->loc;
  ir_value_t *bits = low_cast(&b, OP_ARITH_EXTUI, ir_type_i(f->ctx, 32), loaded);
  replace_other_uses(loaded, convert(f, &b, narrow, DECODE, bits), ir_def(bits));
  loaded->type = storage_of(f->ctx, narrow);
}

static void expand_store(floats_t *f, ir_op_t *op) {
  ir_value_t *value = ir_operand(op, 0);
  ir_type_t narrow = ir_type_element(ir_operand(op, 1)->type);
  ir_builder_t b = ir_builder_before(f->ctx, op);
  b.loc = op->loc;
  ir_value_t *bits = convert(f, &b, narrow, ENCODE, value);
  ir_use_set(&op->operands[0], low_cast(&b, OP_ARITH_TRUNCI, storage_of(f->ctx, narrow), bits));
}

// extf and truncf: narrow formats are kept as f32.
static void expand_cast(floats_t *f, const pending_t *p) {
  ir_op_t *op = p->op;
  ir_type_t to = ir_result(op, 0)->type;
  ir_builder_t b = ir_builder_before(f->ctx, op);
  b.loc = op->loc;
  ir_value_t *v = ir_operand(op, 0);
  if (ir_float_kind(to) == IR_F64) v = low_cast(&b, OP_ARITH_EXTF, to, v);
  if (is_narrow(to)) {
    if (ir_float_kind(p->from) == IR_F64) v = round_to_odd(&b, v);
    v = rounded(f, &b, to, v);
  }
  ir_op_replace(op, &v);
}

static void expand_bitcast(floats_t *f, const pending_t *p) {
  ir_op_t *op = p->op;
  ir_type_t to = ir_result(op, 0)->type, word = ir_type_i(f->ctx, 32);
  ir_builder_t b = ir_builder_before(f->ctx, op);
  b.loc = op->loc;
  ir_value_t *v = ir_operand(op, 0);
  v = is_narrow(p->from) ? convert(f, &b, p->from, ENCODE, v)
                         : low_cast(&b, OP_ARITH_EXTUI, word, v);
  v = is_narrow(to) ? convert(f, &b, to, DECODE, v) : low_cast(&b, OP_ARITH_TRUNCI, to, v);
  ir_op_replace(op, &v);
}

static void expand_constant(floats_t *f, ir_op_t *op) {
  ir_type_t narrow = ir_result(op, 0)->type;
  double value =
      ir_float_to_double(ir_float_kind(narrow), (uint64_t)ir_int(ir_op_attr(op, "value"), 0));
  ir_op_set_attr(f->ctx, op, "value",
                 ir_attr_float_bits(f->ctx, ir_type_float(f->ctx, IR_F32),
                                    ir_float_from_double(IR_F32, value)));
}

// Do results lie in the format when operands do?
static bool is_exact(const ir_op_t *op, ir_type_t narrow) {
  float_kind_t kind = float_format_info((float_format_t)ir_float_kind(narrow))->kind;
  switch (op->kind) {
    case OP_ARITH_SELECT:
    case OP_ARITH_MAXIMUMF:
    case OP_ARITH_MINIMUMF:
    case OP_ARITH_MAXNUMF:
    case OP_ARITH_MINNUMF:
    case OP_MATH_ABSF:
      return true;
    case OP_ARITH_NEGF:
    case OP_MATH_COPYSIGN:  // there may be no negative zero, or no sign at all
      return kind != FLOAT_KIND_FNUZ && kind != FLOAT_KIND_SCALE;
    default:  // loops and branches pass on what was rounded
      return op->n_regions > 0;
  }
}

static void expand_results(floats_t *f, ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_value_t *result = ir_result(op, i);
    ir_type_t narrow = result->type;
    if (!is_narrow(narrow) || is_exact(op, narrow)) continue;
    ir_builder_t b = ir_builder_after(f->ctx, op);
    b.loc = op->loc;
    ir_value_t *bits = convert(f, &b, narrow, ENCODE, result);
    replace_other_uses(result, convert(f, &b, narrow, DECODE, bits), ir_def(bits));
  }
}

static bool has_narrow(const ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (is_narrow(ir_type_element(ir_operand(op, i)->type))) return true;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (is_narrow(ir_type_element(ir_result(op, i)->type))) return true;
  return false;
}

static void expand(floats_t *f, const pending_t *p) {
  switch (p->op->kind) {
    case OP_MEMREF_LOAD:
      expand_load(f, p->op);
      return;
    case OP_MEMREF_STORE:
      expand_store(f, p->op);
      return;
    case OP_ARITH_EXTF:
    case OP_ARITH_TRUNCF:
      expand_cast(f, p);
      return;
    case OP_ARITH_BITCAST:
      expand_bitcast(f, p);
      return;
    case OP_ARITH_CONSTANT:
      expand_constant(f, p->op);
      return;
    default:
      expand_results(f, p->op);
  }
}

static iree_status_t collect(ir_op_t *op, void *self) {
  floats_t *f = self;
  if (!has_narrow(op)) return iree_ok_status();
  pending_t pending = {op, op->n_operands ? ir_operand(op, 0)->type : NULL};
  IREE_ARENA_PUSH(f->arena, f->ops, f->n_ops, f->ops_cap, pending);
  return iree_ok_status();
}

static void widen(floats_t *f, ir_value_t *value) {
  ir_type_t element = ir_type_element(value->type);
  if (is_narrow(value->type))
    value->type = ir_type_float(f->ctx, IR_F32);
  else if (is_narrow(element))
    value->type = ir_type_with_element(f->ctx, value->type, storage_of(f->ctx, element));
}
static iree_status_t widen_values(ir_op_t *op, void *self) {
  for (uint32_t i = 0; i < op->n_results; ++i) widen(self, ir_result(op, i));
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *block = op->regions[r]->first; block; block = block->next)
      for (uint32_t i = 0; i < block->n_args; ++i) widen(self, block->args[i]);
  return iree_ok_status();
}

iree_status_t vm_expand_narrow_floats(ir_ctx_t *ctx, iree_arena_t *arena, ir_op_t *module) {
  floats_t f = {.ctx = ctx, .arena = arena, .module = module};
  ir_op_t *last = ir_body(module)->last;  // functions of formats follow
  for (ir_op_t *func = ir_body(module)->first; func; func = func->next) {
    if (func->kind == OP_UTIL_FUNC) {
      f.n_ops = 0;
      IREE_RETURN_IF_ERROR(ir_walk(func, collect, &f));
      for (size_t i = 0; i < f.n_ops; ++i) expand(&f, &f.ops[i]);
      if (f.n_ops) IREE_RETURN_IF_ERROR(ir_walk(func, widen_values, &f));
    }
    if (func == last) break;
  }
  return iree_ok_status();
}
