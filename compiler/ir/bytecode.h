// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR bytecode to IR: the other form of what ir_parse reads.
//
//   file      "ML\xefR", version, producer, then sections: strings, dialects and op names, attributes and
//             types (each an index-addressed table of lazily decoded entries), resources, properties, ops
//   entry     one attribute or type: its text, or a code and fields that its dialect alone can read
//   cursor    a bounded range of bytes being read; every read checks the end
//
// Nothing in the file is trusted: a count never exceeds the bytes left (so memory stays linear in the
// file), nesting is bounded, an entry that needs itself is refused. The first failure is reported with
// its offset; after that every function returns false.
#ifndef COMPILER_IR_BYTECODE_H_
#define COMPILER_IR_BYTECODE_H_

#include "compiler/ir/ir.h"

bool ir_is_bytecode(iree_string_view_t source);
// As ir_parse, for a source that ir_is_bytecode.
iree_status_t ir_read_bytecode(ir_ctx_t *ctx, iree_string_view_t source, const char *file_name,
                               ir_op_t **out_module);

// ---- what dialects use to read their own encodings
typedef struct bc_file bc_file_t;
typedef struct bc_cursor {
  bc_file_t *file;
  const uint8_t *at, *end;
} bc_cursor_t;

bool bc_fail(bc_cursor_t *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
ir_ctx_t *bc_ctx(const bc_cursor_t *c);
bool bc_byte(bc_cursor_t *c, uint8_t *out);
bool bc_varint(bc_cursor_t *c, uint64_t *out);
bool bc_svarint(bc_cursor_t *c, int64_t *out);
bool bc_flagged(bc_cursor_t *c, uint64_t *out, bool *flag);     // value << 1 | flag
bool bc_count(bc_cursor_t *c, size_t *out);                     // of things of at least a byte each
bool bc_bytes(bc_cursor_t *c, size_t n, const uint8_t **out);
bool bc_blob(bc_cursor_t *c, const uint8_t **out, size_t *out_n);
bool bc_bits(bc_cursor_t *c, unsigned width, uint64_t *out);    // an integer or float of known width
bool bc_int_list(bc_cursor_t *c, int64_t **out, size_t *out_n);  // signed
bool bc_string(bc_cursor_t *c, iree_string_view_t *out);
bool bc_attr(bc_cursor_t *c, ir_attr_t *out);
bool bc_attr_optional(bc_cursor_t *c, ir_attr_t *out);          // NULL if absent
bool bc_attrs(bc_cursor_t *c, ir_attr_t **out, size_t *out_n);
bool bc_type(bc_cursor_t *c, ir_type_t *out);
bool bc_types(bc_cursor_t *c, ir_type_t **out, size_t *out_n);
// An entry as its text: "#d.a<...>" or "!d.t<...>".
bool bc_text(bc_cursor_t *c, iree_string_view_t text, ir_attr_t *out);
bool bc_tensor(bc_cursor_t *c, const int64_t *dims, size_t rank, ir_type_t element, ir_attr_t encoding, ir_type_t *out);
// Elements as stored: all, or one for all; booleans also as packed bits.
bool bc_dense(bc_cursor_t *c, ir_type_t type, const uint8_t *data, size_t n, ir_attr_t *out);

typedef struct bc_op {  // an op about to be created
  const char *name;     // interned
  const ir_op_t *parent;
  ir_named_t *attrs;    // properties and discardable ones; room for |cap|
  size_t n_attrs, cap;
} bc_op_t;

typedef struct ir_bytecode_dialect {
  const char *name;
  // Reads an entry with the cursor at its code. NULL: the dialect's entries are all text.
  bool (*attr)(bc_cursor_t *c, ir_attr_t *out);
  bool (*type)(bc_cursor_t *c, ir_type_t *out);
  // Names of an op's properties, sorted, blank separated, all required; NULL: those of its row.
  const char *(*properties)(const char *op_name);
  // Brings an op of the file to one of the tables: its name and attributes.
  bool (*convert)(bc_cursor_t *c, bc_op_t *op);
} ir_bytecode_dialect_t;

#endif  // COMPILER_IR_BYTECODE_H_
