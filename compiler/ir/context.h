// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the IR core's own files see of a context.
#ifndef COMPILER_IR_CONTEXT_H_
#define COMPILER_IR_CONTEXT_H_

#include "compiler/ir/ir.h"

typedef struct ir_ptr_set {
  const void **slots;
  size_t count, capacity;
} ir_ptr_set_t;

struct ir_ctx {
  iree_arena_t arena;
  ir_tables_t tables;
  ir_kind_t *sorted_ops;
  const ir_spec_t **specs;  // by kind; filled on first use. [n_ops] is that of unregistered ops
  ir_ptr_set_t terms, names;
  ir_term_t *probe;
  size_t probe_bytes;
  ir_loc_t unknown_loc;
  ir_resource_t **resources;
  size_t n_resources, resource_cap;
  ir_diag_fn_t diag;
  void *diag_self;
  ir_gate_fn_t gate;
  void *gate_self;
};

// The row of an op kind, taken apart once (spec.c).
typedef struct ir_spec_name {
  const char *name;        // interned
  char count;              // ' ' exactly one, '?' none or one, '*' any number
  const char *constraint;  // text after ':' or NULL
  ir_type_t fixed;         // the constraint as a type, where it is one
} ir_spec_name_t;
typedef enum {  // kinds of row attributes; the text after the name's ':'
  IR_AK_ANY,      // any        printed with its type
  IR_AK_I64,      // i64, i32, index, ...: printed as a bare number of a known type
  IR_AK_BOOL,     // bool       true / false
  IR_AK_STR,      // str        "text"
  IR_AK_SYM,      // sym        a symbol's name: a string, written @name
  IR_AK_SYMREF,   // symref     @a::@b
  IR_AK_TYPE,     // type
  IR_AK_UNIT,     // unit       presence
  IR_AK_ENUM,     // enum(e)    bare keyword of enums.def row e
  IR_AK_I64S,     // i64s, i32s, bools...: dense array, written [1, 2]
} ir_attr_kind_t;
typedef struct ir_enum_info {
  const char *name;      // as named by rows: enum(NAME)
  const char *generic;   // generic spelling: "#d.e<%s>", "#stablehlo<k %s>"; or "i64"/"i32": a number
  const char *words;     // space separated, in value order from 0 (or "word=value"); 0: free keywords
} ir_enum_info_t;
typedef struct ir_spec_attr {
  const char *name;
  ir_attr_kind_t kind;
  ir_type_t type;              // of I64, I64S elements
  const ir_enum_info_t *enums;
  const char *default_text;    // NULL: none
  bool optional;
} ir_spec_attr_t;
typedef enum {
  IR_F_LITERAL, IR_F_OPERAND, IR_F_ATTR, IR_F_REGION, IR_F_SUCC, IR_F_TYPE, IR_F_RESULT_TYPE,
  IR_F_FUNCTIONAL, IR_F_ATTR_DICT, IR_F_ATTR_DICT_KW, IR_F_OPTIONAL, IR_F_CUSTOM, IR_F_SUCC_ARGS,
  IR_F_OPERANDS, IR_F_OPERAND_TYPES, IR_F_RESULT_TYPES,
} ir_form_kind_t;
typedef struct ir_form ir_form_t;
struct ir_form {
  ir_form_kind_t kind;
  const char *text;  // literal
  int index;         // of the operand group, result group, attribute slot, region, successor
  int index2;        // SUCC_ARGS: operand group
  bool anchor;
  const ir_directive_t *directive;
  const ir_form_t *args;
  size_t n_args;       // CUSTOM
  const ir_form_t *then, *otherwise;  // OPTIONAL
  const ir_form_t *next;
};
struct ir_spec {
  ir_ctx_t *ctx;
  ir_kind_t kind;
  const ir_op_info_t *info;
  const ir_spec_name_t *operands, *results;
  size_t n_operands, n_results;
  bool operands_segmented, results_segmented;  // more than one optional/variadic group
  bool operands_variadic, results_variadic;
  const ir_spec_attr_t *attrs;
  size_t n_attrs;
  int sym_name_slot;  // of attribute sym_name; -1: no symbol
  const char *const *regions;
  const ir_kind_t *region_terms;  // op that ends a region written without one; 0: none
  size_t n_regions;
  bool regions_variadic;  // last region name is `name*`
  const char *const *succs;
  size_t n_succs;
  bool succs_variadic;    // last successor name is `name*`
  const ir_form_t *form;  // NULL: hooks->parse/print or the generic form
};

const ir_enum_info_t *ir_enum_lookup(const char *name, size_t n);  // NULL if there is none (dialects/enums.c)
int ir_spec_attr_index(const ir_spec_t *spec, const char *name, size_t n);

#endif  // COMPILER_IR_CONTEXT_H_
