// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialects/quant_type.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"

// The text is read here because `u8`, `<-8:7>` and `0.05:3` are no attributes elsewhere.
typedef struct cursor {
  const char *at;
} cursor_t;
static bool accept(cursor_t *c, char what) {
  while (*c->at == ' ') ++c->at;
  if (*c->at != what) return false;
  ++c->at;
  return true;
}
static bool number(cursor_t *c, int64_t *out) {
  char *end;
  *out = strtoll(c->at, &end, 10);
  bool any = end != c->at;
  c->at = end;
  return any;
}
static bool real(cursor_t *c, double *out) {
  char *end;
  *out = strtod(c->at, &end);
  bool any = end != c->at;
  c->at = end;
  return any;
}
static const char *storage(ir_ctx_t *ctx, cursor_t *c, quant_type_t *q) {
  int64_t width;
  bool is_unsigned = accept(c, 'u'), has_i = accept(c, 'i');  // u8 and ui8 are the same
  if ((!is_unsigned && !has_i) || !number(c, &width) || width < 2 || width > 32)
    return "stores an integer of 2 to 32 bits: i8 or u8";
  if (width & (width - 1)) return "stores integers of 2, 4, 8, 16 or 32 bits";
  q->storage = ir_type_int(ctx, (unsigned)width, is_unsigned ? IR_UNSIGNED : IR_SIGNLESS);
  int64_t least = is_unsigned ? 0 : -((int64_t)1 << (width - 1)),
          most = ((int64_t)1 << (width - !is_unsigned)) - 1;
  q->min = least, q->max = most;
  if (accept(c, '<') &&
      !(number(c, &q->min) && accept(c, ':') && number(c, &q->max) && accept(c, '>')))
    return "has bounds that are not written <min:max>";
  if (q->min < least || q->max > most || q->min >= q->max)
    return "has bounds that its storage does not hold";
  q->bounded = q->min != least || q->max != most;
  return NULL;
}
static const char *expressed(ir_ctx_t *ctx, cursor_t *c, quant_type_t *q) {
  char name[16];
  size_t n = 0;
  if (!accept(c, ':')) return "names no expressed type";
  while (*c->at == ' ') ++c->at;
  while (isalnum((unsigned char)*c->at) && n + 1 < sizeof name) name[n++] = *c->at++;
  name[n] = 0;
  q->expressed = ir_parse_attr(ctx, iree_make_cstring_view(name));
  if (!q->expressed || !ir_type_is_type(q->expressed) || !ir_type_is_float(q->expressed))
    return "does not express a float";
  q->axis = -1;
  if (!accept(c, ':')) return NULL;
  if (*c->at == '{') return "is quantised by blocks, which StableHLO does not define; use one axis";
  return number(c, &q->axis) && q->axis >= 0 ? NULL : "has an axis that is no dimension";
}
static const char *parameter(cursor_t *c, const quant_type_t *q, double *scale,
                             int64_t *zero_point) {
  *zero_point = 0;
  if (!real(c, scale)) return "has a scale that is no number";
  if (!(*scale > 0) || isinf(*scale)) return "needs scales that are positive and finite";
  ir_float_t kind = ir_float_kind(q->expressed);
  if (*scale < ir_float_to_double(kind, 1) ||
      isinf(ir_float_to_double(kind, ir_float_from_double(kind, *scale))))
    return "has a scale that the expressed type cannot hold";
  if (accept(c, ':') && !number(c, zero_point)) return "has a zero point that is no integer";
  if (*zero_point < q->min || *zero_point > q->max) return "has a zero point that is not stored";
  return NULL;
}
static const char *parameters(ir_ctx_t *ctx, cursor_t *c, quant_type_t *q) {
  bool list = accept(c, '{');
  size_t n = 1;
  for (const char *p = c->at; list && *p && *p != '}'; ++p) n += *p == ',';
  double *scales = IREE_ARENA_ARRAY(ir_arena(ctx), double, n);
  int64_t *zero_points = IREE_ARENA_ARRAY(ir_arena(ctx), int64_t, n);
  q->scales = scales, q->zero_points = zero_points;
  if (list != (q->axis >= 0)) return "needs a list of scales with an axis, and one scale without";
  do {
    const char *wrong = parameter(c, q, &scales[q->n], &zero_points[q->n]);
    if (wrong) return wrong;
    ++q->n;
  } while (list && q->n < n && accept(c, ','));
  return !list || accept(c, '}') ? NULL : "has a list of scales that does not end";
}
const char *quant_type_read(ir_ctx_t *ctx, ir_type_t element, quant_type_t *out) {
  static const char prefix[] = "!quant.uniform<";
  *out = (quant_type_t){0};
  if (!quant_is(element)) return "is not uniformly quantised";
  const char *text = ir_print_term_to(ir_arena(ctx), element);
  if (strncmp(text, prefix, sizeof prefix - 1)) return "has no parameters";
  cursor_t c = {text + sizeof prefix - 1};
  const char *wrong = storage(ctx, &c, out);
  if (!wrong) wrong = expressed(ctx, &c, out);
  if (!wrong && !accept(&c, ',')) wrong = "names no scale";
  if (!wrong) wrong = parameters(ctx, &c, out);
  if (!wrong && !accept(&c, '>')) wrong = "has text behind its parameters";
  return wrong;
}
const char *quant_type_check(ir_ctx_t *ctx, ir_type_t type) {
  quant_type_t q;
  if (!quant_is(ir_type_element(type))) return NULL;
  const char *wrong = quant_type_read(ctx, ir_type_element(type), &q);
  if (wrong || q.axis < 0) return wrong;
  if (!ir_is(type, IR_T_TENSOR)) return NULL;
  if (q.axis >= (int64_t)ir_type_rank(type)) return "has an axis that its tensor lacks";
  int64_t dim = ir_type_dim(type, (size_t)q.axis);
  return dim == IR_DYNAMIC || dim == (int64_t)q.n ? NULL
                                                  : "has not as many scales as its axis is long";
}
bool quant_same_baseline(const quant_type_t *a, const quant_type_t *b) {
  return a->storage == b->storage && a->expressed == b->expressed && a->min == b->min &&
         a->max == b->max && (a->axis < 0) == (b->axis < 0);
}
bool quant_same_scales(const quant_type_t *a, const quant_type_t *b) {
  return a->n == b->n && !memcmp(a->scales, b->scales, a->n * sizeof *a->scales) &&
         !memcmp(a->zero_points, b->zero_points, a->n * sizeof *a->zero_points);
}

static size_t put_number(char *out, double value) {  // shortest of the ways that read back
  for (int digits = 6; digits < 17; ++digits) {
    int n = sprintf(out, "%.*e", digits, value);
    if (strtod(out, NULL) == value || digits == 16) return (size_t)n;
  }
  return 0;
}
ir_type_t quant_type_canonical(ir_ctx_t *ctx, ir_type_t element) {
  quant_type_t q;
  if (quant_type_read(ctx, element, &q)) return element;
  char *out = IREE_ARENA_ARRAY(ir_arena(ctx), char, 160 + 64 * (size_t)q.n);
  size_t n = (size_t)sprintf(out, "%c%u", ir_int_sign(q.storage) == IR_UNSIGNED ? 'u' : 'i', ir_type_width(q.storage));
  if (q.bounded) n += (size_t)sprintf(out + n, "<%" PRId64 ":%" PRId64 ">", q.min, q.max);
  n += (size_t)sprintf(out + n, ":%s", ir_float_spelling(ir_float_kind(q.expressed)));
  if (q.axis >= 0) n += (size_t)sprintf(out + n, ":%" PRId64, q.axis);
  n += (size_t)sprintf(out + n, q.axis >= 0 ? ", {" : ", ");
  for (uint32_t i = 0; i < q.n; ++i) {
    if (i) out[n++] = ',';
    n += put_number(out + n, q.scales[i]);
    if (q.zero_points[i]) n += (size_t)sprintf(out + n, ":%" PRId64, q.zero_points[i]);
  }
  if (q.axis >= 0) out[n++] = '}';
  out[n] = 0;
  ir_attr_t body = ir_attr_keyword(ctx, out);
  return ir_type_dialect(ctx, "quant.uniform", &body, 1);
}
