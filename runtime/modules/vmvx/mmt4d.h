// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of tiles that have a function of their own.
#ifndef RUNTIME_MODULES_VMVX_MMT4D_H_
#define RUNTIME_MODULES_VMVX_MMT4D_H_

#include "runtime/modules/vmvx/exports.h"

// Element types, in the low byte of the flags.
#define MMT4D_TYPE_MASK 0xFFu
#define MMT4D_F32F32F32 1u
#define MMT4D_S8S8S32 2u

// Computes one tile of the result over |k| tiles of the operands.
typedef void (*mmt4d_tile_fn_t)(const void *lhs, const void *rhs, void *out, int64_t k,
                                bool accumulate, const int32_t shape[3]);

typedef struct mmt4d_tile_t {
  uint32_t type;
  const char *feature;  // of the processor that it needs, "" for none
  int32_t shape[3];     // m0, n0, k0
  mmt4d_tile_fn_t run;
} mmt4d_tile_t;

// Those of this machine, the best first.
extern const mmt4d_tile_t mmt4d_tiles[];
extern const iree_host_size_t mmt4d_tile_count;

#endif  // RUNTIME_MODULES_VMVX_MMT4D_H_
