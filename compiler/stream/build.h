// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small builders and type facts that the passes of the stream phase share.
#ifndef COMPILER_STREAM_BUILD_H_
#define COMPILER_STREAM_BUILD_H_

#include "compiler/dialects/ops.h"
#include "compiler/ir/ir.h"

ir_value_t *stream_index(ir_builder_t *b, int64_t value);
ir_value_t *stream_add(ir_builder_t *b, ir_value_t *lhs, ir_value_t *rhs);  // index; folds constants
ir_value_t *stream_mul(ir_builder_t *b, ir_value_t *lhs, ir_value_t *rhs);
bool stream_constant(const ir_value_t *v, int64_t *out_value);              // of an arith.constant

ir_type_t stream_timepoint_type(ir_ctx_t *ctx);
ir_type_t stream_resource_type(ir_ctx_t *ctx, const char *lifetime);  // "external", "transient", ...

// Bytes of a tensor in memory: dense, row-major; i1 takes a byte, narrower integers are packed.
// |dims|: one value per dynamic extent.
int64_t stream_element_bits(ir_type_t type);
ir_value_t *stream_tensor_bytes(ir_builder_t *b, ir_type_t tensor, ir_value_t *const *dims);

// Scalars travel to kernels as 32-bit words: appends |value|'s words to |out| (two at most).
size_t stream_pack_scalar(ir_builder_t *b, ir_value_t *value, ir_value_t **out);
size_t stream_scalar_words(ir_type_t type);
// The inverse, inside the kernel.
ir_value_t *stream_unpack_scalar(ir_builder_t *b, ir_type_t type, ir_value_t *const *words);

#endif  // COMPILER_STREAM_BUILD_H_
