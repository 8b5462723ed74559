// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/context.h"

#include <string.h>


static const struct {
  const char *spelling;
  unsigned bits;
} floats[IR_FLOAT_COUNT] = {
#define FLOAT_FORMAT(ID, spelling, bits, mantissa, bias, kind) [IR_##ID] = {spelling, bits},
    FLOAT_FORMATS(FLOAT_FORMAT)
#undef FLOAT_FORMAT
    [IR_F32] = {"f32", 32},
    [IR_F64] = {"f64", 64},
    [IR_F80] = {"f80", 80},
    [IR_F128] = {"f128", 128},
};
const char *ir_float_spelling(ir_float_t kind) { return floats[kind].spelling; }
unsigned ir_float_bits(ir_float_t kind) { return floats[kind].bits; }

double ir_float_to_double(ir_float_t kind, uint64_t bits) {
  if (kind == IR_F64) {
    double d;
    memcpy(&d, &bits, 8);
    return d;
  }
  if (kind == IR_F32) {
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, 4);
    return (double)f;
  }
  return kind < IR_F32 ? float_bits_to_f64((float_format_t)kind, (uint32_t)bits) : 0.0;
}

uint64_t ir_float_from_double(ir_float_t kind, double value) {
  if (kind == IR_F64) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
  }
  if (kind == IR_F32) {
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
  }
  return kind < IR_F32 ? float_bits_from_f64((float_format_t)kind, value) : 0;
}

ir_type_t ir_type_int(ir_ctx_t *ctx, unsigned width, ir_sign_t sign) {
  return ir_term(ctx, IR_T_INTEGER, (int64_t[]){width, sign}, 2, NULL, 0, NULL, 0);
}
ir_type_t ir_type_index(ir_ctx_t *ctx) { return ir_term(ctx, IR_T_INDEX, NULL, 0, NULL, 0, NULL, 0); }
ir_type_t ir_type_none(ir_ctx_t *ctx) { return ir_term(ctx, IR_T_NONE, NULL, 0, NULL, 0, NULL, 0); }
ir_type_t ir_type_float(ir_ctx_t *ctx, ir_float_t kind) {
  return ir_term(ctx, IR_T_FLOAT, (int64_t[]){kind}, 1, NULL, 0, NULL, 0);
}
ir_type_t ir_type_complex(ir_ctx_t *ctx, ir_type_t element) {
  return ir_term(ctx, IR_T_COMPLEX, NULL, 0, &element, 1, NULL, 0);
}
ir_type_t ir_type_tensor(ir_ctx_t *ctx, const int64_t *dims, size_t rank, ir_type_t element,
                         ir_attr_t encoding) {
  return ir_term(ctx, IR_T_TENSOR, dims, rank, (const ir_term_t *[]){element, encoding}, 2, NULL, 0);
}
ir_type_t ir_type_memref(ir_ctx_t *ctx, const int64_t *dims, size_t rank, ir_type_t element,
                         ir_attr_t layout, ir_attr_t space) {
  return ir_term(ctx, IR_T_MEMREF, dims, rank, (const ir_term_t *[]){element, layout, space}, 3,
                 NULL, 0);
}
ir_type_t ir_type_vector(ir_ctx_t *ctx, const int64_t *dims, size_t rank, ir_type_t element) {
  int64_t ints[33] = {0};  // the last one is the mask of scalable dims
  if (rank > 32) rank = 32;
  memcpy(ints, dims, rank * sizeof *dims);
  return ir_term(ctx, IR_T_VECTOR, ints, rank + 1, &element, 1, NULL, 0);
}
ir_type_t ir_type_function(ir_ctx_t *ctx, const ir_type_t *inputs, size_t n_inputs,
                           const ir_type_t *results, size_t n_results) {
  size_t n = n_inputs + n_results;
  const ir_term_t *small[32], **kids = n <= 32 ? small : IREE_ARENA_ARRAY(&ctx->arena, const ir_term_t *, n);
  for (size_t i = 0; i < n_inputs; ++i) kids[i] = inputs[i];
  for (size_t i = 0; i < n_results; ++i) kids[n_inputs + i] = results[i];
  return ir_term(ctx, IR_T_FUNCTION, (int64_t[]){(int64_t)n_inputs}, 1, kids, n, NULL, 0);
}
ir_type_t ir_type_tuple(ir_ctx_t *ctx, const ir_type_t *members, size_t n) {
  return ir_term(ctx, IR_T_TUPLE, NULL, 0, members, n, NULL, 0);
}
ir_type_t ir_type_dialect(ir_ctx_t *ctx, const char *name, const ir_attr_t *params, size_t n) {
  return ir_term(ctx, IR_T_DIALECT, NULL, 0, params, n, name, strlen(name));
}

bool ir_type_is(ir_type_t type, const char *name) {
  return ir_is(type, IR_T_DIALECT) && !strcmp(ir_bytes(type), name);
}
bool ir_type_is_type(const ir_term_t *term) { return term && term->kind <= IR_T_DIALECT; }
bool ir_type_is_shaped(ir_type_t type) {
  return ir_is(type, IR_T_TENSOR) || ir_is(type, IR_T_MEMREF) || ir_is(type, IR_T_VECTOR);
}
bool ir_type_is_int(ir_type_t type, unsigned width) {
  return ir_is(type, IR_T_INTEGER) && ir_int(type, 0) == (int64_t)width;
}
bool ir_type_is_float(ir_type_t type) { return ir_is(type, IR_T_FLOAT); }
bool ir_type_is_integer_like(ir_type_t type) {
  return ir_is(type, IR_T_INTEGER) || ir_is(type, IR_T_INDEX);
}
unsigned ir_type_width(ir_type_t type) {
  switch (type->kind) {
    case IR_T_INTEGER: return (unsigned)ir_int(type, 0);
    case IR_T_INDEX: return 64;
    case IR_T_FLOAT: return floats[ir_int(type, 0)].bits;
    case IR_T_COMPLEX: return 2 * ir_type_width(ir_kid(type, 0));
    default: return 0;
  }
}
size_t ir_type_storage_bytes(ir_type_t type) {
  if (ir_is(type, IR_T_COMPLEX)) return 2 * ir_type_storage_bytes(ir_kid(type, 0));
  unsigned bits = ir_type_width(type);
  size_t bytes = 1;
  while (bytes * 8 < bits) bytes *= 2;
  return bytes;
}
unsigned ir_type_packed_bits(ir_type_t element) {
  if (!ir_is(element, IR_T_INTEGER) && !ir_is(element, IR_T_FLOAT)) return 0;
  unsigned bits = ir_type_width(element);
  return bits == 2 || bits == 4 ? bits : 0;
}
ir_type_t ir_type_element(ir_type_t type) {
  switch (type->kind) {
    case IR_T_TENSOR:
    case IR_T_MEMREF:
    case IR_T_VECTOR:
    case IR_T_UNRANKED_TENSOR:
    case IR_T_UNRANKED_MEMREF: return ir_kid(type, 0);
    default: return type;
  }
}
size_t ir_type_rank(ir_type_t type) {
  return ir_is(type, IR_T_VECTOR) ? type->n_ints - 1
         : ir_type_is_shaped(type) ? type->n_ints
                                   : 0;
}
int64_t ir_type_dim(ir_type_t type, size_t i) { return ir_ints(type)[i]; }
const int64_t *ir_type_dims(ir_type_t type) { return ir_ints(type); }
size_t ir_type_n_dynamic(ir_type_t type) {
  size_t n = 0;
  for (size_t i = 0; i < ir_type_rank(type); ++i) n += ir_type_dim(type, i) == IR_DYNAMIC;
  return n;
}
bool ir_type_is_static(ir_type_t type) {
  return type->kind != IR_T_UNRANKED_TENSOR && type->kind != IR_T_UNRANKED_MEMREF &&
         !ir_type_n_dynamic(type);
}
int64_t ir_type_n_elements(ir_type_t type) {
  int64_t n = 1;
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    int64_t dim = ir_type_dim(type, i);
    if (dim == IR_DYNAMIC || __builtin_mul_overflow(n, dim, &n)) return -1;
  }
  return n;
}
ir_type_t ir_type_with_element(ir_ctx_t *ctx, ir_type_t type, ir_type_t element) {
  if (!ir_type_is_shaped(type) && type->kind != IR_T_UNRANKED_TENSOR) return element;
  const ir_term_t *kids[3] = {0};
  for (size_t i = 0; i < type->n_kids; ++i) kids[i] = ir_kid(type, i);
  kids[0] = element;
  return ir_term(ctx, type->kind, ir_ints(type), type->n_ints, kids, type->n_kids, NULL, 0);
}
size_t ir_fn_n_inputs(ir_type_t fn) { return (size_t)ir_int(fn, 0); }
size_t ir_fn_n_results(ir_type_t fn) { return fn->n_kids - ir_fn_n_inputs(fn); }
ir_type_t ir_fn_input(ir_type_t fn, size_t i) { return ir_kid(fn, i); }
ir_type_t ir_fn_result(ir_type_t fn, size_t i) { return ir_kid(fn, ir_fn_n_inputs(fn) + i); }
