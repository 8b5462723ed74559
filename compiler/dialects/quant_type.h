// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// !quant.uniform<i8<-127:127>:f32:1, {0.5:3, 0.25}>: stored integer = round(real / scale) + zero
// point.
#ifndef COMPILER_DIALECTS_QUANT_TYPE_H_
#define COMPILER_DIALECTS_QUANT_TYPE_H_

#include "compiler/ir/ir.h"

typedef struct quant_type {
  ir_type_t storage;    // an integer: signless where it is signed, ui* where not
  ir_type_t expressed;  // a float
  int64_t min, max;     // of what is stored
  bool bounded;         // ... and that is less than the storage holds
  int64_t axis;         // the dimension with one scale per position; -1: one scale
  uint32_t n;           // scales
  const double *scales;
  const int64_t *zero_points;
} quant_type_t;

static inline bool quant_is(ir_type_t element) { return ir_type_is(element, "quant.uniform"); }

// Takes |element| apart into memory of the context. NULL, or what is wrong with the type.
const char *quant_type_read(ir_ctx_t *ctx, ir_type_t element, quant_type_t *out);
// |element| spelt as upstream spells it, so that equal types are one term; itself if it is wrong.
ir_type_t quant_type_canonical(ir_ctx_t *ctx, ir_type_t element);
// What holds of |element| as the element of a tensor |type|. NULL, or what is wrong.
const char *quant_type_check(ir_ctx_t *ctx, ir_type_t type);
// Equal but for scales, zero points and the number of the axis.
bool quant_same_baseline(const quant_type_t *a, const quant_type_t *b);
bool quant_same_scales(const quant_type_t *a, const quant_type_t *b);

#endif  // COMPILER_DIALECTS_QUANT_TYPE_H_
