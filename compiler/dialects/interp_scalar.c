// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialects/interp_scalar.h"

#include <math.h>
#include <string.h>

static uint64_t mask(unsigned width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }
static int64_t wrap(uint64_t v, unsigned width) {
  return width >= 64 || !width ? (int64_t)v : (int64_t)(v << (64 - width)) >> (64 - width);
}
static bool is_float(ir_type_t type) { return ir_is(type, IR_T_FLOAT); }
static double round_to(ir_type_t type, double d) {
  ir_float_t kind = ir_float_kind(type);
  if (kind == IR_F64 || isnan(d)) return d;
  if (kind == IR_F32) return (double)(float)d;
  return ir_float_to_double(kind, ir_float_from_double(kind, d));
}

bool scalar_type_fits(ir_type_t type) {
  if (is_float(type)) return ir_float_bits(ir_float_kind(type)) <= 64;
  return ir_type_is_integer_like(type) && ir_type_width(type) <= 64;
}
cell_t scalar_load(ir_type_t type, const uint8_t *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, ir_type_storage_bytes(type));
  if (is_float(type)) return (cell_t){.d = ir_float_to_double(ir_float_kind(type), bits)};
  return (cell_t){.i = wrap(bits, ir_type_width(type))};
}
void scalar_store(ir_type_t type, cell_t value, uint8_t *at) {
  uint64_t bits = is_float(type) ? ir_float_from_double(ir_float_kind(type), value.d) : (uint64_t)value.i & mask(ir_type_width(type));
  memcpy(at, &bits, ir_type_storage_bytes(type));
}
bool scalar_from_attr(ir_type_t type, ir_attr_t attr, cell_t *out) {
  if (!attr || !scalar_type_fits(type)) return false;
  if (attr->kind == IR_A_FLOAT && is_float(type)) return out->d = ir_float_to_double(ir_float_kind(type), (uint64_t)ir_int(attr, 0)), true;
  if ((attr->kind == IR_A_INT || attr->kind == IR_A_BOOL) && !is_float(type))
    return out->i = wrap((uint64_t)ir_int(attr, 0), ir_type_width(type)), true;
  return false;
}

// ---- integers
static bool divide(ir_kind_t kind, int64_t a, int64_t b, uint64_t ua, uint64_t ub, unsigned width, uint64_t *out) {
  if (!ub) return false;
  if (b == -1 && (uint64_t)a == (~0ull << (width - 1)) && kind != OP_ARITH_DIVUI && kind != OP_ARITH_REMUI && kind != OP_ARITH_CEILDIVUI)
    return false;  // overflows
  int64_t q = b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b, r = b == -1 ? 0 : a % b;
  switch (kind) {
    case OP_ARITH_DIVSI: *out = (uint64_t)q; return true;
    case OP_ARITH_REMSI: *out = (uint64_t)r; return true;
    case OP_ARITH_FLOORDIVSI: *out = (uint64_t)(q - (r && (r < 0) != (b < 0))); return true;
    case OP_ARITH_CEILDIVSI: *out = (uint64_t)(q + (r && (r < 0) == (b < 0))); return true;
    case OP_ARITH_DIVUI: *out = ua / ub; return true;
    case OP_ARITH_REMUI: *out = ua % ub; return true;
    case OP_ARITH_CEILDIVUI: *out = ua / ub + (ua % ub != 0); return true;
    default: return false;
  }
}
static bool integer_binary(ir_kind_t kind, int64_t a, int64_t b, unsigned width, int64_t *out) {
  uint64_t ua = (uint64_t)a & mask(width), ub = (uint64_t)b & mask(width), r = 0;
  switch (kind) {
    case OP_ARITH_ADDI: r = ua + ub; break;
    case OP_ARITH_SUBI: r = ua - ub; break;
    case OP_ARITH_MULI: r = ua * ub; break;
    case OP_ARITH_ANDI: r = ua & ub; break;
    case OP_ARITH_ORI: r = ua | ub; break;
    case OP_ARITH_XORI: r = ua ^ ub; break;
    case OP_ARITH_MAXSI: r = (uint64_t)(a > b ? a : b); break;
    case OP_ARITH_MINSI: r = (uint64_t)(a < b ? a : b); break;
    case OP_ARITH_MAXUI: r = ua > ub ? ua : ub; break;
    case OP_ARITH_MINUI: r = ua < ub ? ua : ub; break;
    case OP_ARITH_SHLI:
      if (ub >= width) return false;
      r = ua << ub;
      break;
    case OP_ARITH_SHRUI:
      if (ub >= width) return false;
      r = ua >> ub;
      break;
    case OP_ARITH_SHRSI:
      if (ub >= width) return false;
      r = (uint64_t)(a >> ub);
      break;
    default:
      if (!divide(kind, a, b, ua, ub, width, &r)) return false;
  }
  return *out = wrap(r, width), true;
}
static bool integer_compare(const char *p, int64_t a, int64_t b, unsigned width, int64_t *out) {
  uint64_t ua = (uint64_t)a & mask(width), ub = (uint64_t)b & mask(width);
  bool r;
  if (!strcmp(p, "eq")) r = a == b;
  else if (!strcmp(p, "ne")) r = a != b;
  else if (p[0] == 's') r = p[1] == 'l' ? (p[2] == 't' ? a < b : a <= b) : (p[2] == 't' ? a > b : a >= b);
  else r = p[1] == 'l' ? (p[2] == 't' ? ua < ub : ua <= ub) : (p[2] == 't' ? ua > ub : ua >= ub);
  return *out = r ? -1 : 0, true;
}
static bool integer_unary(ir_kind_t kind, int64_t a, unsigned width, int64_t *out) {
  uint64_t u = (uint64_t)a & mask(width);
  switch (kind) {
    case OP_MATH_ABSI: return *out = wrap(a < 0 ? 0 - (uint64_t)a : (uint64_t)a, width), true;
    case OP_MATH_CTPOP: return *out = wrap((uint64_t)__builtin_popcountll(u), width), true;
    case OP_MATH_CTLZ: return *out = wrap(u ? (uint64_t)__builtin_clzll(u) - (64 - width) : width, width), true;
    case OP_MATH_CTTZ: return *out = wrap(u ? (uint64_t)__builtin_ctzll(u) : width, width), true;
    default: return false;
  }
}

// ---- floats
static bool float_binary(ir_kind_t kind, double a, double b, double *out) {
  bool nan = isnan(a) || isnan(b);
  switch (kind) {
    case OP_ARITH_ADDF: return *out = a + b, true;
    case OP_ARITH_SUBF: return *out = a - b, true;
    case OP_ARITH_MULF: return *out = a * b, true;
    case OP_ARITH_DIVF: return *out = a / b, true;
    case OP_ARITH_REMF: return *out = fmod(a, b), true;
    case OP_ARITH_MAXIMUMF: return *out = nan ? NAN : a == b ? (signbit(a) ? b : a) : a > b ? a : b, true;
    case OP_ARITH_MINIMUMF: return *out = nan ? NAN : a == b ? (signbit(a) ? a : b) : a < b ? a : b, true;
    case OP_ARITH_MAXNUMF: return *out = fmax(a, b), true;
    case OP_ARITH_MINNUMF: return *out = fmin(a, b), true;
    case OP_MATH_COPYSIGN: return *out = copysign(a, b), true;
    default: return false;
  }
}
static bool float_compare(const char *p, double a, double b, int64_t *out) {
  bool nan = isnan(a) || isnan(b), r;
  if (!strcmp(p, "false")) r = false;
  else if (!strcmp(p, "true")) r = true;
  else if (!strcmp(p, "ord")) r = !nan;
  else if (!strcmp(p, "uno")) r = nan;
  else if (nan) r = p[0] == 'u';
  else if (!strcmp(p + 1, "eq")) r = a == b;
  else if (!strcmp(p + 1, "ne")) r = a != b;
  else if (!strcmp(p + 1, "gt")) r = a > b;
  else if (!strcmp(p + 1, "ge")) r = a >= b;
  else if (!strcmp(p + 1, "lt")) r = a < b;
  else r = a <= b;
  return *out = r ? -1 : 0, true;
}
static bool float_exact_unary(ir_kind_t kind, double a, double *out) {
  switch (kind) {
    case OP_ARITH_NEGF: return *out = -a, true;
    case OP_MATH_ABSF: return *out = fabs(a), true;
    case OP_MATH_CEIL: return *out = ceil(a), true;
    case OP_MATH_FLOOR: return *out = floor(a), true;
    case OP_MATH_TRUNC: return *out = trunc(a), true;
    case OP_MATH_ROUND: return *out = round(a), true;
    case OP_MATH_ROUNDEVEN: return *out = nearbyint(a), true;
    case OP_MATH_SQRT: return *out = sqrt(a), true;
    default: return false;
  }
}
static bool float_library_unary(ir_kind_t kind, double a, double *out) {
  switch (kind) {
    case OP_MATH_EXP: return *out = exp(a), true;
    case OP_MATH_EXP2: return *out = exp2(a), true;
    case OP_MATH_EXPM1: return *out = expm1(a), true;
    case OP_MATH_LOG: return *out = log(a), true;
    case OP_MATH_LOG1P: return *out = log1p(a), true;
    case OP_MATH_LOG2: return *out = log2(a), true;
    case OP_MATH_LOG10: return *out = log10(a), true;
    case OP_MATH_SIN: return *out = sin(a), true;
    case OP_MATH_COS: return *out = cos(a), true;
    case OP_MATH_TAN: return *out = tan(a), true;
    case OP_MATH_TANH: return *out = tanh(a), true;
    case OP_MATH_ATAN: return *out = atan(a), true;
    case OP_MATH_ERF: return *out = erf(a), true;
    case OP_MATH_RSQRT: return *out = 1 / sqrt(a), true;
    case OP_MATH_CBRT: return *out = cbrt(a), true;
    default: return false;
  }
}

// ---- conversions
static bool to_integer(double d, ir_type_t result, bool is_signed, int64_t *out) {
  unsigned width = ir_type_width(result);
  double t = trunc(d), low = is_signed ? -ldexp(1, (int)width - 1) : 0, end = ldexp(1, (int)width - (is_signed ? 1 : 0));
  if (!(t >= low && t < end)) return false;
  return *out = is_signed ? (int64_t)t : wrap((uint64_t)t, width), true;
}
static bool convert(const scalar_step_t *s, cell_t a, cell_t *out) {
  unsigned to = ir_type_is_integer_like(s->result) ? ir_type_width(s->result) : 0;
  switch (s->kind) {
    case OP_ARITH_EXTSI:
    case OP_ARITH_INDEX_CAST:
    case OP_ARITH_TRUNCI: return out->i = wrap((uint64_t)a.i, to), true;
    case OP_ARITH_EXTUI:
    case OP_ARITH_INDEX_CASTUI: return out->i = wrap((uint64_t)a.i & mask(s->width), to), true;
    case OP_ARITH_EXTF: return out->d = a.d, true;
    case OP_ARITH_TRUNCF: return out->d = round_to(s->result, a.d), true;
    case OP_ARITH_SITOFP:
      if (ir_float_kind(s->result) != IR_F64 && (a.i > 1ll << 53 || a.i < -(1ll << 53))) return false;  // would round twice
      return out->d = round_to(s->result, (double)a.i), true;
    case OP_ARITH_UITOFP: {
      uint64_t u = (uint64_t)a.i & mask(s->width);
      if (ir_float_kind(s->result) != IR_F64 && u > 1ull << 53) return false;
      return out->d = round_to(s->result, (double)u), true;
    }
    case OP_ARITH_FPTOSI: return to_integer(a.d, s->result, true, &out->i);
    case OP_ARITH_FPTOUI: return to_integer(a.d, s->result, false, &out->i);
    default: return false;
  }
}

bool scalar_step_of(const ir_op_t *op, scalar_step_t *s) {
  *s = (scalar_step_t){.kind = op->kind};
  if (op->n_results != 1 || op->n_operands < 1 || op->n_operands > SCALAR_MAX_OPERANDS || op->n_regions) return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!scalar_type_fits(ir_operand(op, i)->type)) return false;
  s->n_in = op->n_operands;
  s->type = ir_operand(op, 0)->type;
  s->result = ir_result(op, 0)->type;
  if (!scalar_type_fits(s->result)) return false;
  s->width = ir_type_width(s->type);
  if (op->kind == OP_ARITH_CMPI || op->kind == OP_ARITH_CMPF) s->predicate = ir_bytes(ir_op_attr(op, "predicate"));
  bool f64 = is_float(s->type) && ir_float_kind(s->type) == IR_F64;
  double d;
  if (f64 && float_library_unary(op->kind, 0.5, &d)) return false;  // the last bit is the library's
  // Try the rule on ones: an op without a rule fails, and so does nothing that has one.
  cell_t cells[SCALAR_MAX_OPERANDS + 1];
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    if (is_float(ir_operand(op, i)->type)) cells[i].d = 1;
    else cells[i].i = wrap(1, ir_type_width(ir_operand(op, i)->type));
  }
  scalar_step_t trial = *s;
  for (uint32_t i = 0; i < op->n_operands; ++i) trial.in[i] = i;
  trial.out = op->n_operands;
  bool shift = op->kind == OP_ARITH_SHLI || op->kind == OP_ARITH_SHRSI || op->kind == OP_ARITH_SHRUI;
  return scalar_run(&trial, cells) || (shift && s->width == 1);
}

bool scalar_run(const scalar_step_t *s, cell_t *cells) {
  cell_t a = cells[s->in[0]], b = s->n_in > 1 ? cells[s->in[1]] : a, *out = &cells[s->out];
  if (s->kind == OP_ARITH_SELECT) return *out = a.i ? b : cells[s->in[2]], true;
  if (s->kind == OP_ARITH_CMPI) return integer_compare(s->predicate, a.i, b.i, s->width, &out->i);
  if (s->kind == OP_ARITH_CMPF) return float_compare(s->predicate, a.d, b.d, &out->i);
  if (s->n_in == 1 && convert(s, a, out)) return true;
  if (!is_float(s->type))
    return s->n_in == 1 ? integer_unary(s->kind, a.i, s->width, &out->i) : s->n_in == 2 && integer_binary(s->kind, a.i, b.i, s->width, &out->i);
  double d;
  bool known = s->n_in == 2 ? float_binary(s->kind, a.d, b.d, &d)
                            : s->n_in == 1 && (float_exact_unary(s->kind, a.d, &d) || float_library_unary(s->kind, a.d, &d));
  if (!known || !is_float(s->result)) return false;
  return out->d = round_to(s->result, d), true;
}
