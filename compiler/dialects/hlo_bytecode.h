// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO's own encodings in bytecode, plain and versioned (VHLO).
#ifndef COMPILER_DIALECTS_HLO_BYTECODE_H_
#define COMPILER_DIALECTS_HLO_BYTECODE_H_

#include "compiler/ir/bytecode.h"

// Dialects with encodings of their own, or ops whose rows have exactly the properties that are stored.
extern const ir_bytecode_dialect_t dialect_bytecode[];
extern const size_t dialect_n_bytecode;

bool stablehlo_read_attr(bc_cursor_t *c, ir_attr_t *out);
bool stablehlo_read_type(bc_cursor_t *c, ir_type_t *out);
bool vhlo_read_attr(bc_cursor_t *c, ir_attr_t *out);
bool vhlo_read_type(bc_cursor_t *c, ir_type_t *out);
bool quant_read_type(bc_cursor_t *c, ir_type_t *out);
bool quant_read_uniform(bc_cursor_t *c, bool per_axis, ir_type_t *out);  // without its code
const char *vhlo_properties(const char *op_name);
bool vhlo_convert(bc_cursor_t *c, bc_op_t *op);

// The enum attribute with |code| of either dialect; *out NULL if the code is no enum's.
bool hlo_read_enum(bc_cursor_t *c, uint64_t code, bool versioned, ir_attr_t *out);
bool hlo_read_alias(bc_cursor_t *c, ir_attr_t *out);     // of an output and an operand of a custom call
bool hlo_read_accuracy(bc_cursor_t *c, ir_attr_t *out);  // DEFAULT's word if it asks for nothing else
// hlo_mesh_bytecode.c: numbered as the codes of stablehlo from 18 on.
typedef enum { HLO_REPLICA_GROUPS, HLO_SUB_AXIS, HLO_AXIS_REF, HLO_MESH_AXIS, HLO_MESH } hlo_mesh_kind_t;
bool hlo_read_mesh(bc_cursor_t *c, hlo_mesh_kind_t kind, bool versioned, ir_attr_t *out);
bool hlo_read_future(bc_cursor_t *c, ir_type_t *out);
bool hlo_read_bounds(bc_cursor_t *c, ir_attr_t *out);

// `#stablehlo.<name><key = value, ...>`, fields in order.
enum { HLO_MAX_FIELDS = 8 };
typedef struct hlo_fields {
  ir_ctx_t *ctx;
  ir_attr_t at[HLO_MAX_FIELDS];
  size_t n;
} hlo_fields_t;
void hlo_field(hlo_fields_t *f, const char *name, ir_attr_t value);
void hlo_field_list(hlo_fields_t *f, const char *name, const int64_t *values, size_t n);  // left out if empty
void hlo_field_number(hlo_fields_t *f, const char *name, int64_t value);
// #stablehlo.conv: per tensor the places of its two special dimensions and of the spatial ones.
typedef struct hlo_conv_dims_in {
  int64_t first, second;
  const int64_t *spatial;
  size_t n_spatial;
} hlo_conv_dims_in_t;
bool hlo_conv_attr(bc_cursor_t *c, const hlo_conv_dims_in_t dims[3], ir_attr_t *out);

#endif  // COMPILER_DIALECTS_HLO_BYTECODE_H_
