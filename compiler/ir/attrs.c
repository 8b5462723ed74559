// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/context.h"

#include <stdlib.h>
#include <string.h>

// ---- scalars
ir_attr_t ir_attr_unit(ir_ctx_t *ctx) { return ir_term(ctx, IR_A_UNIT, NULL, 0, NULL, 0, NULL, 0); }
ir_attr_t ir_attr_bool(ir_ctx_t *ctx, bool value) {
  return ir_term(ctx, IR_A_BOOL, (int64_t[]){value}, 1, NULL, 0, NULL, 0);
}
ir_attr_t ir_attr_int(ir_ctx_t *ctx, ir_type_t type, int64_t value) {
  unsigned width = ir_type_width(type);
  if (width == 1 && ir_is(type, IR_T_INTEGER) && ir_int_sign(type) == IR_SIGNLESS)
    return ir_attr_bool(ctx, value & 1);
  if (width < 64) {
    uint64_t low = (uint64_t)value & ((1ull << width) - 1);
    bool is_unsigned = ir_is(type, IR_T_INTEGER) && ir_int_sign(type) == IR_UNSIGNED;
    if (!is_unsigned && width && (low >> (width - 1))) low |= ~0ull << width;
    value = (int64_t)low;
  }
  return ir_term(ctx, IR_A_INT, &value, 1, &type, 1, NULL, 0);
}
ir_attr_t ir_attr_index(ir_ctx_t *ctx, int64_t value) {
  return ir_attr_int(ctx, ir_type_index(ctx), value);
}
ir_attr_t ir_attr_i64(ir_ctx_t *ctx, int64_t value) { return ir_attr_int(ctx, ir_type_i(ctx, 64), value); }
ir_attr_t ir_attr_i32(ir_ctx_t *ctx, int32_t value) { return ir_attr_int(ctx, ir_type_i(ctx, 32), value); }
ir_attr_t ir_attr_float_bits(ir_ctx_t *ctx, ir_type_t type, uint64_t bits) {
  return ir_term(ctx, IR_A_FLOAT, (int64_t[]){(int64_t)bits}, 1, &type, 1, NULL, 0);
}

// ---- text
ir_attr_t ir_attr_string(ir_ctx_t *ctx, const char *text, size_t n) {
  return ir_term(ctx, IR_A_STRING, NULL, 0, NULL, 0, text, n);
}
ir_attr_t ir_attr_str(ir_ctx_t *ctx, const char *text) { return ir_attr_string(ctx, text, strlen(text)); }
ir_attr_t ir_attr_keyword(ir_ctx_t *ctx, const char *text) {
  return ir_term(ctx, IR_A_KEYWORD, NULL, 0, NULL, 0, text, strlen(text));
}
ir_attr_t ir_attr_symref(ir_ctx_t *ctx, const char *const *parts, size_t n) {
  const ir_term_t *kids[8];
  if (n > 8) n = 8;
  for (size_t i = 0; i < n; ++i) kids[i] = ir_attr_str(ctx, parts[i]);
  return ir_term(ctx, IR_A_SYMREF, NULL, 0, kids, n, NULL, 0);
}
ir_attr_t ir_attr_sym(ir_ctx_t *ctx, const char *name) { return ir_attr_symref(ctx, &name, 1); }

iree_string_view_t ir_str(ir_attr_t a) {
  if (!a) return iree_string_view_empty();
  return iree_make_string_view(ir_bytes(a), a->n_bytes);
}
bool ir_str_is(ir_attr_t a, const char *text) {
  return a && a->n_bytes == strlen(text) && !memcmp(ir_bytes(a), text, a->n_bytes);
}
iree_string_view_t ir_symref_leaf(ir_attr_t symref) {
  return symref && symref->n_kids ? ir_str(ir_kid(symref, symref->n_kids - 1)) : iree_string_view_empty();
}

// ---- aggregates
ir_attr_t ir_attr_array(ir_ctx_t *ctx, const ir_attr_t *elements, size_t n) {
  return ir_term(ctx, IR_A_ARRAY, NULL, 0, elements, n, NULL, 0);
}
static int compare_pairs(const void *a, const void *b) {
  return strcmp(ir_bytes(*(const ir_attr_t *)a), ir_bytes(*(const ir_attr_t *)b));
}
ir_attr_t ir_attr_dict(ir_ctx_t *ctx, const ir_attr_t *pairs, size_t n_pairs) {
  ir_attr_t *sorted = IREE_ARENA_ARRAY(&ctx->arena, ir_attr_t, 2 * n_pairs + 1);
  if (n_pairs) memcpy(sorted, pairs, 2 * n_pairs * sizeof *pairs);
  qsort(sorted, n_pairs, 2 * sizeof *sorted, compare_pairs);
  return ir_term(ctx, IR_A_DICT, NULL, 0, sorted, 2 * n_pairs, NULL, 0);
}
ir_attr_t ir_dict_get(ir_attr_t dict, const char *name) {
  for (size_t i = 0; dict && i + 1 < dict->n_kids; i += 2)
    if (ir_str_is(ir_kid(dict, i), name)) return ir_kid(dict, i + 1);
  return NULL;
}
ir_attr_t ir_attr_param(ir_attr_t attr, const char *name) {
  for (size_t i = 0; attr && i < attr->n_kids; ++i) {
    ir_attr_t param = ir_kid(attr, i);
    if (ir_is(param, IR_A_PARAM) && ir_str_is(ir_kid(param, 0), name)) return ir_kid(param, 1);
  }
  return NULL;
}
ir_attr_t ir_attr_dense_array(ir_ctx_t *ctx, ir_type_t element, const int64_t *values, size_t n) {
  return ir_term(ctx, IR_A_DENSE_ARRAY, values, n, &element, 1, NULL, 0);
}
ir_attr_t ir_attr_i64s(ir_ctx_t *ctx, const int64_t *values, size_t n) {
  return ir_attr_dense_array(ctx, ir_type_i(ctx, 64), values, n);
}
ir_attr_t ir_attr_dialect(ir_ctx_t *ctx, const char *name, const ir_attr_t *params, size_t n) {
  return ir_term(ctx, IR_A_DIALECT, NULL, 0, params, n, name, strlen(name));
}

ir_attr_t ir_attr_dense(ir_ctx_t *ctx, ir_type_t type, const void *data, size_t n_bytes,
                        bool is_splat, bool copy) {
  enum { SMALL = 256 };  // equal small constants are one attribute; large ones keep their identity
  if (!is_splat && n_bytes && ir_type_n_elements(type) == 1) is_splat = true;
  if (n_bytes <= SMALL)
    data = ir_bytes(ir_attr_string(ctx, data, n_bytes));
  else if (copy)
    data = iree_arena_copy(&ctx->arena, data, n_bytes);
  int64_t ints[3] = {is_splat, (int64_t)(intptr_t)data, (int64_t)n_bytes};
  return ir_term(ctx, IR_A_DENSE, ints, 3, &type, 1, NULL, 0);
}

// ---- affine expressions and maps
ir_expr_t ir_expr_dim(ir_ctx_t *ctx, size_t i) {
  return ir_term(ctx, IR_E_DIM, (int64_t[]){(int64_t)i}, 1, NULL, 0, NULL, 0);
}
ir_expr_t ir_expr_sym(ir_ctx_t *ctx, size_t i) {
  return ir_term(ctx, IR_E_SYM, (int64_t[]){(int64_t)i}, 1, NULL, 0, NULL, 0);
}
ir_expr_t ir_expr_const(ir_ctx_t *ctx, int64_t value) {
  return ir_term(ctx, IR_E_CONST, &value, 1, NULL, 0, NULL, 0);
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - ((a % b) && ((a < 0) != (b < 0))); }

ir_expr_t ir_expr_binary(ir_ctx_t *ctx, ir_term_kind_t kind, ir_expr_t lhs, ir_expr_t rhs) {
  bool commutes = kind == IR_E_ADD || kind == IR_E_MUL;
  if (commutes && lhs->kind == IR_E_CONST && rhs->kind != IR_E_CONST) {
    ir_expr_t t = lhs;
    lhs = rhs;
    rhs = t;
  }
  if (rhs->kind == IR_E_CONST) {
    int64_t b = ir_int(rhs, 0), a, r;
    if (kind == IR_E_ADD && b == 0) return lhs;
    if (kind == IR_E_MUL && b == 1) return lhs;
    if (kind == IR_E_MUL && b == 0) return rhs;
    if ((kind == IR_E_FLOORDIV || kind == IR_E_CEILDIV) && b == 1) return lhs;
    if (kind == IR_E_MOD && b == 1) return ir_expr_const(ctx, 0);
    if (lhs->kind == IR_E_CONST) {
      a = ir_int(lhs, 0);
      if (kind == IR_E_ADD && !__builtin_add_overflow(a, b, &r)) return ir_expr_const(ctx, r);
      if (kind == IR_E_MUL && !__builtin_mul_overflow(a, b, &r)) return ir_expr_const(ctx, r);
      if (b > 0 && kind == IR_E_FLOORDIV) return ir_expr_const(ctx, floor_div(a, b));
      if (b > 0 && kind == IR_E_CEILDIV) return ir_expr_const(ctx, -floor_div(-a, b));
      if (b > 0 && kind == IR_E_MOD) return ir_expr_const(ctx, a - b * floor_div(a, b));
    }
    if (kind == IR_E_ADD && lhs->kind == IR_E_ADD && ir_kid(lhs, 1)->kind == IR_E_CONST &&
        !__builtin_add_overflow(ir_int(ir_kid(lhs, 1), 0), b, &r))
      return ir_expr_binary(ctx, IR_E_ADD, ir_kid(lhs, 0), ir_expr_const(ctx, r));
  }
  return ir_term(ctx, kind, NULL, 0, (const ir_term_t *[]){lhs, rhs}, 2, NULL, 0);
}

ir_expr_t ir_expr_replace(ir_ctx_t *ctx, ir_expr_t e, const ir_expr_t *dims, const ir_expr_t *syms) {
  switch (e->kind) {
    case IR_E_DIM: return dims ? dims[ir_int(e, 0)] : e;
    case IR_E_SYM: return syms ? syms[ir_int(e, 0)] : e;
    case IR_E_CONST: return e;
    default:
      return ir_expr_binary(ctx, e->kind, ir_expr_replace(ctx, ir_kid(e, 0), dims, syms),
                            ir_expr_replace(ctx, ir_kid(e, 1), dims, syms));
  }
}

ir_attr_t ir_attr_map(ir_ctx_t *ctx, size_t n_dims, size_t n_syms, const ir_expr_t *results,
                      size_t n_results) {
  return ir_term(ctx, IR_A_MAP, (int64_t[]){(int64_t)n_dims, (int64_t)n_syms}, 2, results, n_results,
                 NULL, 0);
}
ir_attr_t ir_attr_identity_map(ir_ctx_t *ctx, size_t n_dims) {
  ir_expr_t *results = IREE_ARENA_ARRAY(&ctx->arena, ir_expr_t, n_dims + 1);
  for (size_t i = 0; i < n_dims; ++i) results[i] = ir_expr_dim(ctx, i);
  return ir_attr_map(ctx, n_dims, 0, results, n_dims);
}
bool ir_map_is_identity(ir_attr_t map) {
  if (ir_map_n_dims(map) != map->n_kids) return false;
  for (size_t i = 0; i < map->n_kids; ++i)
    if (ir_kid(map, i)->kind != IR_E_DIM || ir_int(ir_kid(map, i), 0) != (int64_t)i) return false;
  return true;
}
ir_attr_t ir_map_compose(ir_ctx_t *ctx, ir_attr_t outer, ir_attr_t inner) {
  ir_expr_t *results = IREE_ARENA_ARRAY(&ctx->arena, ir_expr_t, outer->n_kids + 1);
  for (size_t i = 0; i < outer->n_kids; ++i)
    results[i] = ir_expr_replace(ctx, ir_kid(outer, i), ir_kids(inner), NULL);
  return ir_attr_map(ctx, ir_map_n_dims(inner), (size_t)ir_int(inner, 1), results, outer->n_kids);
}

// ---- locations
ir_loc_t ir_loc_unknown(ir_ctx_t *ctx) { return ctx->unknown_loc; }
ir_loc_t ir_loc_file(ir_ctx_t *ctx, const char *file, int64_t line, int64_t column) {
  return ir_term(ctx, IR_L_FILE, (int64_t[]){line, column}, 2, NULL, 0, file, strlen(file));
}
ir_loc_t ir_loc_fused(ir_ctx_t *ctx, const ir_loc_t *locs, size_t n) {
  ir_loc_t *kids = IREE_ARENA_ARRAY(&ctx->arena, ir_loc_t, n + 1);
  size_t count = 1;  // kid 0: metadata
  for (size_t i = 0; i < n; ++i) {
    bool seen = locs[i]->kind == IR_L_UNKNOWN;
    for (size_t k = 1; k < count && !seen; ++k) seen = kids[k] == locs[i];
    if (!seen) kids[count++] = locs[i];
  }
  if (count == 1) return ctx->unknown_loc;
  if (count == 2) return kids[1];
  return ir_term(ctx, IR_L_FUSED, NULL, 0, kids, count, NULL, 0);
}
