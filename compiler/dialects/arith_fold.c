// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds of arith on scalar constants, and identities such as x + 0. Integers are computed in 64
// bits and truncated to their width; floats of up to 64 bits in double where that is exact enough:
// +, -,
// *, / of narrower formats round once because double has more than twice their precision.
#include <math.h>

#include "compiler/dialects/ops.h"
#include "compiler/ir/fold.h"

typedef struct folding {
  ir_ctx_t *ctx;
  ir_op_t *op;
  ir_type_t type;  // of the result
  ir_attr_t *attr;
  ir_value_t **value;
} folding_t;

static uint64_t mask(unsigned width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }
static int64_t sign_extend(uint64_t v, unsigned width) {
  return width >= 64 || !width ? (int64_t)v : (int64_t)(v << (64 - width)) >> (64 - width);
}
static bool give_int(folding_t *f, int64_t v) {
  return *f->attr = ir_attr_int(f->ctx, f->type, v), true;
}
static bool give_value(folding_t *f, ir_value_t *v) { return *f->value = v, true; }

// A scalar or splat integer constant, sign extended to 64 bits.
static bool int_of(const ir_value_t *v, int64_t *out) {
  if (!ir_type_is_integer_like(v->type) || ir_type_width(v->type) > 64) return false;
  if (!ir_constant_int(v, out)) return false;
  *out = sign_extend((uint64_t)*out, ir_type_width(v->type));
  return true;
}
static bool float_of(const ir_value_t *v, double *out) {
  ir_attr_t a = ir_constant_of(v);
  if (!ir_is(a, IR_A_FLOAT) || ir_float_bits(ir_float_kind(v->type)) > 64) return false;
  *out = ir_float_to_double(ir_float_kind(v->type), (uint64_t)ir_int(a, 0));
  return true;
}

static bool compare_int(const char *predicate, int64_t a, int64_t b, unsigned width, bool *out) {
  uint64_t ua = (uint64_t)a & mask(width), ub = (uint64_t)b & mask(width);
  struct {
    const char *name;
    bool value;
  } table[] = {{"eq", a == b},   {"ne", a != b},   {"slt", a < b},   {"sle", a <= b},
               {"sgt", a > b},   {"sge", a >= b},  {"ult", ua < ub}, {"ule", ua <= ub},
               {"ugt", ua > ub}, {"uge", ua >= ub}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    const char *x = table[i].name, *y = predicate;
    while (*x && *x == *y) ++x, ++y;
    if (*x == *y) return *out = table[i].value, true;
  }
  return false;
}

static bool fold_int_binary(folding_t *f, ir_value_t *lhs, ir_value_t *rhs) {
  int64_t a, b;
  unsigned width = ir_type_width(f->type);
  bool has_a = int_of(lhs, &a), has_b = int_of(rhs, &b);
  ir_kind_t kind = f->op->kind;
  if (has_b && !has_a) {  // identities
    if (b == 0) switch (kind) {
        case OP_ARITH_ADDI:
        case OP_ARITH_SUBI:
        case OP_ARITH_ORI:
        case OP_ARITH_XORI:
        case OP_ARITH_SHLI:
        case OP_ARITH_SHRSI:
        case OP_ARITH_SHRUI:
          return give_value(f, lhs);
        case OP_ARITH_MULI:
        case OP_ARITH_ANDI:
          return give_value(f, rhs);
        default:
          return false;
      }
    if ((b & (int64_t)mask(width)) == 1 && width > 1) switch (kind) {
        case OP_ARITH_MULI:
        case OP_ARITH_DIVSI:
        case OP_ARITH_DIVUI:
        case OP_ARITH_FLOORDIVSI:
        case OP_ARITH_CEILDIVSI:
        case OP_ARITH_CEILDIVUI:
          return give_value(f, lhs);
        default:
          break;
      }
    if (b == -1 && kind == OP_ARITH_ANDI) return give_value(f, lhs);
  }
  if (has_a && !has_b && a == 0) switch (kind) {
      case OP_ARITH_ADDI:
      case OP_ARITH_ORI:
      case OP_ARITH_XORI:
        return give_value(f, rhs);
      case OP_ARITH_MULI:
      case OP_ARITH_ANDI:
        return give_value(f, lhs);
      default:
        return false;
    }
  if (has_a && !has_b && kind == OP_ARITH_MULI && (a & (int64_t)mask(width)) == 1 && width > 1)
    return give_value(f, rhs);
  if (lhs == rhs && ir_type_is_integer_like(f->type)) switch (kind) {
      case OP_ARITH_SUBI:
      case OP_ARITH_XORI:
        return give_int(f, 0);
      case OP_ARITH_ANDI:
      case OP_ARITH_ORI:
      case OP_ARITH_MAXSI:
      case OP_ARITH_MINSI:
      case OP_ARITH_MAXUI:
      case OP_ARITH_MINUI:
        return give_value(f, lhs);
      default:
        break;
    }
  if (!has_a || !has_b) return false;
  uint64_t ua = (uint64_t)a & mask(width), ub = (uint64_t)b & mask(width);
  bool overflows = b == -1 && a == sign_extend(1ull << (width - 1), width);  // of a signed quotient
  switch (kind) {
    case OP_ARITH_ADDI:
      return give_int(f, (int64_t)(ua + ub));
    case OP_ARITH_SUBI:
      return give_int(f, (int64_t)(ua - ub));
    case OP_ARITH_MULI:
      return give_int(f, (int64_t)(ua * ub));
    case OP_ARITH_ANDI:
      return give_int(f, a & b);
    case OP_ARITH_ORI:
      return give_int(f, a | b);
    case OP_ARITH_XORI:
      return give_int(f, a ^ b);
    case OP_ARITH_MAXSI:
      return give_int(f, a > b ? a : b);
    case OP_ARITH_MINSI:
      return give_int(f, a < b ? a : b);
    case OP_ARITH_MAXUI:
      return give_int(f, ua > ub ? a : b);
    case OP_ARITH_MINUI:
      return give_int(f, ua < ub ? a : b);
    case OP_ARITH_SHLI:
      return ub < width && give_int(f, (int64_t)(ua << ub));
    case OP_ARITH_SHRUI:
      return ub < width && give_int(f, (int64_t)(ua >> ub));
    case OP_ARITH_SHRSI:
      return ub < width && give_int(f, a >> ub);
    case OP_ARITH_DIVUI:
      return ub && give_int(f, (int64_t)(ua / ub));
    case OP_ARITH_REMUI:
      return ub && give_int(f, (int64_t)(ua % ub));
    case OP_ARITH_CEILDIVUI:
      return ub && give_int(f, (int64_t)(ua / ub + (ua % ub != 0)));
    case OP_ARITH_DIVSI:
      return b && !overflows && give_int(f, a / b);
    case OP_ARITH_REMSI:
      return b && !overflows && give_int(f, a % b);
    case OP_ARITH_FLOORDIVSI:
      return b && !overflows && give_int(f, a / b - (a % b != 0 && (a < 0) != (b < 0)));
    case OP_ARITH_CEILDIVSI:
      return b && !overflows && give_int(f, a / b + (a % b != 0 && (a < 0) == (b < 0)));
    default:
      return false;
  }
}

static bool fold_float_binary(folding_t *f, ir_value_t *lhs, ir_value_t *rhs) {
  double a, b, r;
  if (!float_of(lhs, &a) || !float_of(rhs, &b)) return false;
  switch (f->op->kind) {
    case OP_ARITH_ADDF:
      r = a + b;
      break;
    case OP_ARITH_SUBF:
      r = a - b;
      break;
    case OP_ARITH_MULF:
      r = a * b;
      break;
    case OP_ARITH_DIVF:
      r = a / b;
      break;
    default:
      return false;
  }
  if (isnan(r)) return false;  // which NaN is the target's business
  ir_float_t kind = ir_float_kind(f->type);
  *f->attr = ir_attr_float_bits(f->ctx, f->type, ir_float_from_double(kind, r));
  return true;
}

static bool fold_cast(folding_t *f, ir_value_t *in) {
  int64_t v;
  double d;
  ir_op_t *def = ir_def(in);
  unsigned from = ir_type_width(in->type);
  switch (f->op->kind) {
    case OP_ARITH_INDEX_CAST:
    case OP_ARITH_EXTSI:
    case OP_ARITH_TRUNCI:
      if (int_of(in, &v)) return give_int(f, v);
      if (f->op->kind == OP_ARITH_INDEX_CAST && ir_op_is(def, OP_ARITH_INDEX_CAST) &&
          ir_operand(def, 0)->type == f->type && (ir_is(f->type, IR_T_INDEX) ? from >= 64 : true))
        return give_value(f, ir_operand(def, 0));
      if (f->op->kind == OP_ARITH_TRUNCI && def &&
          (def->kind == OP_ARITH_EXTSI || def->kind == OP_ARITH_EXTUI) &&
          ir_operand(def, 0)->type == f->type)
        return give_value(f, ir_operand(def, 0));
      return false;
    case OP_ARITH_INDEX_CASTUI:
    case OP_ARITH_EXTUI:
      return int_of(in, &v) && give_int(f, (int64_t)((uint64_t)v & mask(from)));
    case OP_ARITH_SITOFP:
    case OP_ARITH_UITOFP: {
      if (!int_of(in, &v) || from > 32) return false;  // beyond: two roundings
      d = f->op->kind == OP_ARITH_SITOFP ? (double)v : (double)((uint64_t)v & mask(from));
      *f->attr =
          ir_attr_float_bits(f->ctx, f->type, ir_float_from_double(ir_float_kind(f->type), d));
      return true;
    }
    case OP_ARITH_EXTF:
    case OP_ARITH_TRUNCF:
      if (!float_of(in, &d) || isnan(d)) return false;
      *f->attr =
          ir_attr_float_bits(f->ctx, f->type, ir_float_from_double(ir_float_kind(f->type), d));
      return true;
    case OP_ARITH_BITCAST:
      if (in->type == f->type) return give_value(f, in);
      return false;
    default:
      return false;
  }
}

static bool arith_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  folding_t f = {ir_op_ctx(op), op, ir_result(op, 0)->type, out_attrs, out_values};
  if (op->n_operands == 1) return fold_cast(&f, ir_operand(op, 0));
  ir_value_t *lhs = ir_operand(op, 0), *rhs = ir_operand(op, 1);
  if (op->kind == OP_ARITH_CMPI) {
    int64_t a, b;
    bool r;
    if (!ir_type_is_integer_like(lhs->type)) return false;
    if (lhs == rhs)
      a = b = 0;
    else if (!int_of(lhs, &a) || !int_of(rhs, &b))
      return false;
    if (!compare_int(ir_bytes(ir_op_attr(op, "predicate")), a, b, ir_type_width(lhs->type), &r))
      return false;
    return give_int(&f, r);
  }
  if (op->n_results != 1) return false;
  if (ir_type_is_integer_like(f.type) && ir_type_width(f.type) <= 64 && ir_type_width(f.type))
    return fold_int_binary(&f, lhs, rhs);
  if (ir_type_is_float(f.type)) return fold_float_binary(&f, lhs, rhs);
  return false;
}
const ir_op_hooks_t arith_fold_hooks = {.fold = arith_fold};

bool arith_select_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values);
bool arith_select_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  (void)out_attrs;
  int64_t c;
  if (ir_operand(op, 1) == ir_operand(op, 2)) return out_values[0] = ir_operand(op, 1), true;
  if (!ir_constant_int(ir_operand(op, 0), &c)) return false;
  return out_values[0] = ir_operand(op, c & 1 ? 1 : 2), true;
}
