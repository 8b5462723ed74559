// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State shared by the reader's files: bytecode.c (container), bytecode_attr.c (entries), bytecode_op.c (ops).
#ifndef COMPILER_IR_BYTECODE_INTERNAL_H_
#define COMPILER_IR_BYTECODE_INTERNAL_H_

#include "compiler/ir/bytecode.h"
#include "compiler/ir/context.h"

enum {  // versions of the container in which something changed
  BC_DIALECT_VERSIONS = 1,
  BC_ISOLATED_SECTIONS = 2,
  BC_USE_ORDERS = 3,
  BC_ELIDED_LOCATIONS = 4,
  BC_PROPERTIES = 5,
  BC_SEGMENT_PROPERTIES = 6,
  BC_NEWEST = 6,
  BC_MAX_DEPTH = 256,  // of regions, and of entries within entries
};
enum { BC_STRINGS, BC_DIALECTS, BC_ENTRIES, BC_ENTRY_SIZES, BC_OPS, BC_RESOURCES, BC_RESOURCE_SIZES, BC_VERSIONS, BC_PROPS, BC_N_SECTIONS };

typedef struct bc_dialect {
  const char *name;  // interned
  const ir_bytecode_dialect_t *facts;  // NULL: none of its encodings is known
} bc_dialect_t;
typedef struct bc_op_name {
  const char *name;  // interned, with its dialect
  const bc_dialect_t *dialect;
  bool registered;   // where it was written
} bc_op_name_t;
typedef struct bc_entry {
  const uint8_t *data;
  size_t n;
  const bc_dialect_t *dialect;
  const ir_term_t *value;  // once read
  bool custom, busy;
} bc_entry_t;
typedef struct bc_blob_ref {
  const uint8_t *data;
  size_t n;
} bc_blob_ref_t;

struct bc_file {
  ir_ctx_t *ctx;
  const uint8_t *begin, *end;
  const char *producer;
  uint64_t version;
  iree_string_view_t *strings;
  bc_dialect_t *dialects;
  bc_op_name_t *ops;
  bc_entry_t *attrs, *types;
  const char **resources;
  bc_blob_ref_t *props;
  size_t n_strings, n_dialects, n_ops, op_cap, n_attrs, n_types, n_resources, resource_cap, n_props, prop_cap;
  size_t n_values;  // declared by all regions so far: no more than the file's bytes
  int depth;
  bool failed;
};

bool bc_section(bc_cursor_t *c, unsigned *out_id, bc_cursor_t *out);
bool bc_entry_value(bc_cursor_t *c, bool is_type, uint64_t index, const ir_term_t **out);
bool bc_loc(bc_cursor_t *c, ir_loc_t *out);
bool bc_read_ops(bc_cursor_t *c, ir_block_t *body);  // the IR section

extern const ir_bytecode_dialect_t bc_builtin;

#endif  // COMPILER_IR_BYTECODE_INTERNAL_H_
