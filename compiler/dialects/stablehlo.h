// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of StableHLO ops, taken apart.
#ifndef COMPILER_DIALECTS_STABLEHLO_H_
#define COMPILER_DIALECTS_STABLEHLO_H_

#include "compiler/dialects/ops.h"

enum { HLO_MAX_RANK = 16 };  // of tensors that lowerings take apart dimension by dimension

typedef struct hlo_dims {
  int64_t at[HLO_MAX_RANK];
  size_t n;
} hlo_dims_t;

// Member |name| of a structure such as #stablehlo.gather<offset_dims = [0, 2]>; NULL if absent.
// The list |name| of a structure such as #stablehlo.gather<offset_dims = [0, 2]>; empty if absent.
hlo_dims_t hlo_list(ir_attr_t attr, const char *name);
int64_t hlo_number(ir_attr_t attr, const char *name, int64_t absent);
// A dense array attribute of |op|; |n| copies of |absent| if the op has none.
hlo_dims_t hlo_dims(const ir_op_t *op, const char *name, size_t n, int64_t absent);
static inline bool hlo_has(const hlo_dims_t *list, int64_t value) {
  for (size_t i = 0; i < list->n; ++i)
    if (list->at[i] == value) return true;
  return false;
}
static inline int64_t hlo_find(const hlo_dims_t *list, int64_t value) {
  for (size_t i = 0; i < list->n; ++i)
    if (list->at[i] == value) return (int64_t)i;
  return -1;
}
// Row |i| of a padding attribute (tensor<Nx2xi64>); zeros if absent.
void hlo_padding(const ir_op_t *op, size_t i, int64_t *out_low, int64_t *out_high);

// #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
typedef struct hlo_conv {
  size_t n_spatial;
  int64_t input_batch, input_feature, input_spatial[HLO_MAX_RANK];
  int64_t kernel_input, kernel_output, kernel_spatial[HLO_MAX_RANK];
  int64_t output_batch, output_feature, output_spatial[HLO_MAX_RANK];
} hlo_conv_t;
bool hlo_conv_dims(ir_attr_t attr, hlo_conv_t *out);

#endif  // COMPILER_DIALECTS_STABLEHLO_H_
