// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dialects say of their attributes and types as they are read: unknown names and members are
// errors with a suggestion, and spellings of one thing become one term.
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/quant_type.h"
#include "compiler/dialects/stablehlo.h"
#include "compiler/dialects/terms.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/suggest.h"

typedef struct row {
  const char *name, *members;  // members NULL: anything
} row_t;
static const row_t rows[] = {
#define TERM(name, members) {name, members},
#define ALIKE(name) {name, NULL},
#include "compiler/dialects/terms.def"
#undef TERM
#undef ALIKE
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static const char *text(ir_ctx_t *ctx, const char *format, const char *a, const char *b, const char *c) {
  size_t n = strlen(format) + strlen(a) + strlen(b) + strlen(c) + 1;
  char *out = IREE_ARENA_ARRAY(ir_arena(ctx), char, n);
  snprintf(out, n, format, a, b, c);
  return out;
}
static const row_t *row_of(const char *name) {
  for (size_t i = 0; i < N_ROWS; ++i)
    if (!strcmp(rows[i].name, name)) return &rows[i];
  return NULL;
}
static const char *unknown(ir_ctx_t *ctx, const char *name) {
  suggest_t s = suggest_begin(iree_make_cstring_view(name));
  for (size_t i = 0; i < N_ROWS; ++i) suggest_try(&s, rows[i].name);
  return s.best ? text(ctx, "nothing is called '%s'; did you mean '%s'?%s", name, s.best, "")
                : text(ctx, "nothing is called '%s'%s%s", name, "", "");
}

static const char *check_members(ir_ctx_t *ctx, const row_t *row, ir_attr_t a) {
  for (uint32_t i = 0; i < a->n_kids; ++i) {
    ir_attr_t p = ir_kid(a, i);
    if (!ir_is(p, IR_A_PARAM))
      return text(ctx, "'%s' takes members as `name = value`, separated by commas, not '%s'%s", row->name,
                  ir_print_term_to(ir_arena(ctx), p), "");
    const char *name = ir_bytes(ir_kid(p, 0));
    suggest_t s = suggest_begin(iree_make_cstring_view(name));
    if (!suggest_try_words(&s, row->members))
      return s.best ? text(ctx, "'%s' has no member '%s'; did you mean '%s'?", row->name, name, s.best)
                    : text(ctx, "'%s' has no member '%s'; there are %s", row->name, name, row->members);
    for (uint32_t k = 0; k < i; ++k)
      if (ir_kid(ir_kid(a, k), 0) == ir_kid(p, 0))
        return text(ctx, "'%s' has member '%s' twice%s", row->name, name, "");
  }
  return NULL;
}

// ---- bounds: `#stablehlo.bounds<3, ?>`, of old `#stablehlo.type_extensions<bounds = [3, ?]>`
static ir_attr_t renew_bounds(ir_ctx_t *ctx, ir_attr_t a) {
  const char *old = ir_print_term_to(ir_arena(ctx), a), *open = strchr(old, '['), *close = open ? strchr(open, ']') : NULL;
  if (!close) return a;
  size_t n = (size_t)(close - open - 1);
  char *list = IREE_ARENA_ARRAY(ir_arena(ctx), char, n + 1);
  memcpy(list, open + 1, n);
  list[n] = 0;
  const char *renewed = text(ctx, "#stablehlo.bounds<%s>%s%s", list, "", "");
  ir_attr_t out = ir_parse_attr(ctx, iree_make_cstring_view(renewed));
  return out ? out : a;
}
static const char *check_bounds(ir_ctx_t *ctx, ir_type_t tensor) {
  ir_attr_t bounds = ir_kid(tensor, 1);
  if (!ir_is(bounds, IR_A_DIALECT) || strcmp(ir_bytes(bounds), "stablehlo.bounds")) return NULL;
  char a[24], b[24];
  snprintf(a, sizeof a, "%u", bounds->n_kids);
  snprintf(b, sizeof b, "%zu", ir_type_rank(tensor));
  if (bounds->n_kids != ir_type_rank(tensor))
    return text(ctx, "%s bounds are given for a tensor of rank %s%s", a, b, "");
  for (uint32_t i = 0; i < bounds->n_kids; ++i) {
    snprintf(a, sizeof a, "%u", i);
    if (ir_is(ir_kid(bounds, i), IR_A_INT) && ir_type_dim(tensor, i) != IR_DYNAMIC)
      return text(ctx, "dimension %s is static, so its bound must be '?'%s%s", a, "", "");
  }
  return NULL;
}

// Programs of these dialects are somebody's input but not ours; types of other unknown ones are references
// of custom modules.
static const char *check_foreign(ir_ctx_t *ctx, const char *name) {
  static const char *const foreign[] = {"onnx", "tf", "tf_type", "tfl", "tm_tensor", "torch", "torch_c", "tosa"};
  for (size_t i = 0; i < IREE_ARRAYSIZE(foreign); ++i) {
    size_t n = strlen(foreign[i]);
    if (!strncmp(name, foreign[i], n) && name[n] == '.')
      return text(ctx, "type '!%s' is of a dialect that is not known here; lower the program to StableHLO first%s%s", name, "", "");
  }
  return NULL;
}

const char *dialect_check_term(ir_ctx_t *ctx, const ir_term_t **term) {
  const ir_term_t *t = *term;
  if (ir_is(t, IR_T_TENSOR)) return check_bounds(ctx, t);
  const char *name = ir_bytes(t);
  if (quant_is(t)) {
    *term = quant_type_canonical(ctx, t);
    return NULL;
  }
  if (ir_is(t, IR_T_DIALECT) && check_foreign(ctx, name)) return check_foreign(ctx, name);
  bool ours = !strncmp(name, "stablehlo.", 10) || !strcmp(name, "chlo.ragged_dot");
  if (!ours) return NULL;
  const row_t *row = row_of(name);
  if (!row) return unknown(ctx, name);
  if (row->members) return check_members(ctx, row, t);
  if (!strcmp(name, "stablehlo.type_extensions")) *term = renew_bounds(ctx, t);
  hlo_conv_t c;
  if (!strcmp(name, "stablehlo.conv") && !hlo_conv_dims(t, &c))
    return text(ctx, "dimension numbers are written as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], each letter and each "
                "number from 0 once, not '%s'%s%s", ir_print_term_to(ir_arena(ctx), t), "", "");
  if (!strcmp(name, "stablehlo.future"))
    for (uint32_t i = 0; i < t->n_kids; ++i)
      if (!ir_is(ir_kid(t, i), IR_T_TENSOR))
        return text(ctx, "a future is of tensors, not of %s%s%s", ir_print_term_to(ir_arena(ctx), ir_kid(t, i)), "", "");
  return NULL;
}
