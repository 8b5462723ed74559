// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intermediate representation: MLIR's model and textual syntax in plain C.
//
//   context   owns an arena; types, attributes, locations, strings are interned: compare pointers
//   term      one immutable hash-consed record; every type, attribute, location and affine
//             expression is a term {kind, ints, kids, bytes}
//   op        kind (row of a dialect table), operands, results, attributes, regions, successors
//   block     argument values and a list of ops; region: a list of blocks
//   value     result of an op or argument of a block, with the list of its uses
//
// Erased ops are unlinked, not freed; the arena goes as a whole. Nothing here prints or exits;
// errors go to the context's diagnostic sink (diag.h). Not thread-safe: one context, one thread,
// except that several threads may read finished IR.
#ifndef COMPILER_IR_IR_H_
#define COMPILER_IR_IR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/float_convert.h"
#include "iree/base/api.h"

typedef struct ir_ctx ir_ctx_t;
typedef struct ir_op ir_op_t;
typedef struct ir_block ir_block_t;
typedef struct ir_region ir_region_t;
typedef struct ir_value ir_value_t;
typedef struct ir_use ir_use_t;
typedef struct ir_spec ir_spec_t;
typedef struct ir_op_info ir_op_info_t;
typedef uint16_t ir_kind_t;  // row in the op table (dialects/ops.h); 0 = unregistered

// ---------------------------------------------------------------------------------------- terms
typedef enum ir_term_kind {
  // Types.                 ints                      kids                      bytes
  IR_T_NONE = 1,
  IR_T_INTEGER,          // width, signedness
  IR_T_INDEX,            //
  IR_T_FLOAT,            // ir_float_t
  IR_T_COMPLEX,          //                           element
  IR_T_TUPLE,            //                           members
  IR_T_FUNCTION,         // number of inputs          inputs, results
  IR_T_TENSOR,           // dims                      element, encoding or NULL
  IR_T_UNRANKED_TENSOR,  //                           element
  IR_T_MEMREF,           // dims                      element, layout|NULL, space|NULL
  IR_T_UNRANKED_MEMREF,  //                           element, space|NULL
  IR_T_VECTOR,           // dims, scalable mask       element
  IR_T_DIALECT,          //                           parameters (attributes)   "hal.buffer"
  // Attributes.
  IR_A_UNIT,
  IR_A_BOOL,         // 0 or 1
  IR_A_INT,          // value                         type
  IR_A_FLOAT,        // bits in the type's format     type
  IR_A_STRING,       //                                                         text
  IR_A_SYMREF,       //                               strings, outermost first
  IR_A_ARRAY,        //                               elements
  IR_A_DICT,         //                               name string, value, ... sorted by name
  IR_A_DENSE,        // splat?, pointer, byte length  type
  IR_A_RESOURCE,     //                               type                      handle
  IR_A_DENSE_ARRAY,  // values (float: bits)          element type
  IR_A_MAP,          // dims, symbols                 result expressions
  IR_A_SET,          // dims, symbols, eq flags       constraint expressions
  IR_A_STRIDED,      // offset, strides
  IR_A_KEYWORD,      //                                                         bare word(s), an enum
  IR_A_DIALECT,      // 1 if written `<>`             parameters                "hal.device.target"
  IR_A_PARAM,        //                               keyword, value            of `key = value`
  IR_A_PAIR,         //                               a, b                      of `a::b`, `a:b` (bytes)
  IR_A_TYPED,        //                               attribute, type           of `#a.b : type`
  // Affine expressions.
  IR_E_DIM,    // position
  IR_E_SYM,    // position
  IR_E_CONST,  // value
  IR_E_ADD,    //                                     lhs, rhs
  IR_E_MUL,
  IR_E_MOD,
  IR_E_FLOORDIV,
  IR_E_CEILDIV,
  // Locations.
  IR_L_UNKNOWN,
  IR_L_FILE,      // line, column                                               file name
  IR_L_NAME,      //                                  child or NULL             name
  IR_L_CALLSITE,  //                                  callee, caller
  IR_L_FUSED,     //                                  metadata|NULL, children
} ir_term_kind_t;

typedef struct ir_term {
  uint16_t kind;  // ir_term_kind_t
  uint16_t reserved;
  uint32_t n_ints, n_kids, n_bytes;
  // int64_t ints[n_ints]; const ir_term *kids[n_kids]; char bytes[n_bytes + 1];
} ir_term_t;
typedef const ir_term_t *ir_type_t;
typedef const ir_term_t *ir_attr_t;
typedef const ir_term_t *ir_loc_t;
typedef const ir_term_t *ir_expr_t;

static inline const int64_t *ir_ints(const ir_term_t *t) { return (const int64_t *)(t + 1); }
static inline const ir_term_t *const *ir_kids(const ir_term_t *t) {
  return (const ir_term_t *const *)(ir_ints(t) + t->n_ints);
}
static inline const char *ir_bytes(const ir_term_t *t) {
  return (const char *)(ir_kids(t) + t->n_kids);
}
static inline int64_t ir_int(const ir_term_t *t, size_t i) { return ir_ints(t)[i]; }
static inline const ir_term_t *ir_kid(const ir_term_t *t, size_t i) { return ir_kids(t)[i]; }
static inline bool ir_is(const ir_term_t *t, ir_term_kind_t kind) { return t && t->kind == kind; }

// Interns one term. Kids may be NULL where the table above says so.
const ir_term_t *ir_term(ir_ctx_t *ctx, ir_term_kind_t kind, const int64_t *ints, size_t n_ints,
                         const ir_term_t *const *kids, size_t n_kids, const char *bytes,
                         size_t n_bytes);

#define IR_DYNAMIC INT64_MIN  // an extent, offset or stride known at run time only

// ---------------------------------------------------------------------------------------- types
typedef enum { IR_SIGNLESS = 0, IR_SIGNED = 1, IR_UNSIGNED = 2 } ir_sign_t;
// The narrow formats of base/float_convert.h in its order (same numbers), then the native ones.
typedef enum ir_float {
#define FLOAT_FORMAT(ID, ...) IR_##ID,
  FLOAT_FORMATS(FLOAT_FORMAT)
#undef FLOAT_FORMAT
  IR_F32, IR_F64, IR_F80, IR_F128,
  IR_FLOAT_COUNT
} ir_float_t;

ir_type_t ir_type_int(ir_ctx_t *ctx, unsigned width, ir_sign_t sign);
static inline ir_type_t ir_type_i(ir_ctx_t *ctx, unsigned width) {
  return ir_type_int(ctx, width, IR_SIGNLESS);
}
ir_type_t ir_type_index(ir_ctx_t *ctx);
ir_type_t ir_type_none(ir_ctx_t *ctx);
ir_type_t ir_type_float(ir_ctx_t *ctx, ir_float_t kind);
ir_type_t ir_type_complex(ir_ctx_t *ctx, ir_type_t element);
ir_type_t ir_type_tensor(ir_ctx_t *ctx, const int64_t *dims, size_t rank, ir_type_t element,
                         ir_attr_t encoding);
ir_type_t ir_type_memref(ir_ctx_t *ctx, const int64_t *dims, size_t rank, ir_type_t element,
                         ir_attr_t layout, ir_attr_t space);
ir_type_t ir_type_vector(ir_ctx_t *ctx, const int64_t *dims, size_t rank, ir_type_t element);
ir_type_t ir_type_function(ir_ctx_t *ctx, const ir_type_t *inputs, size_t n_inputs,
                           const ir_type_t *results, size_t n_results);
ir_type_t ir_type_tuple(ir_ctx_t *ctx, const ir_type_t *members, size_t n);
// A dialect's type by its name without '!': ir_type_dialect(ctx, "hal.buffer_view", NULL, 0).
ir_type_t ir_type_dialect(ir_ctx_t *ctx, const char *name, const ir_attr_t *params, size_t n);

bool ir_type_is(ir_type_t type, const char *dialect_type_name);
bool ir_type_is_type(const ir_term_t *term);       // a type at all
bool ir_type_is_shaped(ir_type_t type);            // ranked tensor, memref, vector
bool ir_type_is_int(ir_type_t type, unsigned width);  // any signedness
bool ir_type_is_float(ir_type_t type);
bool ir_type_is_integer_like(ir_type_t type);      // integer or index
unsigned ir_type_width(ir_type_t type);            // scalar bits; index 64; complex both halves
size_t ir_type_storage_bytes(ir_type_t type);      // scalar bytes in an attribute: i1, i4 take one
unsigned ir_type_packed_bits(ir_type_t element);   // of elements that share bytes in memory, low bits first: 2 or 4; else 0
ir_type_t ir_type_element(ir_type_t type);         // of a shaped type; else the type itself
size_t ir_type_rank(ir_type_t type);
int64_t ir_type_dim(ir_type_t type, size_t i);
const int64_t *ir_type_dims(ir_type_t type);
bool ir_type_is_static(ir_type_t type);
size_t ir_type_n_dynamic(ir_type_t type);
int64_t ir_type_n_elements(ir_type_t type);        // static shapes; -1 if dynamic or overflowing
ir_type_t ir_type_with_element(ir_ctx_t *ctx, ir_type_t type, ir_type_t element);
size_t ir_fn_n_inputs(ir_type_t fn);
size_t ir_fn_n_results(ir_type_t fn);
ir_type_t ir_fn_input(ir_type_t fn, size_t i);
ir_type_t ir_fn_result(ir_type_t fn, size_t i);
static inline ir_float_t ir_float_kind(ir_type_t type) { return (ir_float_t)ir_int(type, 0); }
static inline ir_sign_t ir_int_sign(ir_type_t type) { return (ir_sign_t)ir_int(type, 1); }
const char *ir_float_spelling(ir_float_t kind);
unsigned ir_float_bits(ir_float_t kind);
double ir_float_to_double(ir_float_t kind, uint64_t bits);
uint64_t ir_float_from_double(ir_float_t kind, double value);  // nearest even

// ----------------------------------------------------------------------------------- attributes
ir_attr_t ir_attr_unit(ir_ctx_t *ctx);
ir_attr_t ir_attr_bool(ir_ctx_t *ctx, bool value);
ir_attr_t ir_attr_int(ir_ctx_t *ctx, ir_type_t type, int64_t value);  // truncated to the width
ir_attr_t ir_attr_index(ir_ctx_t *ctx, int64_t value);
ir_attr_t ir_attr_i64(ir_ctx_t *ctx, int64_t value);
ir_attr_t ir_attr_i32(ir_ctx_t *ctx, int32_t value);
ir_attr_t ir_attr_float_bits(ir_ctx_t *ctx, ir_type_t type, uint64_t bits);
ir_attr_t ir_attr_string(ir_ctx_t *ctx, const char *text, size_t n);
ir_attr_t ir_attr_str(ir_ctx_t *ctx, const char *text);
ir_attr_t ir_attr_keyword(ir_ctx_t *ctx, const char *text);
ir_attr_t ir_attr_symref(ir_ctx_t *ctx, const char *const *parts, size_t n);
ir_attr_t ir_attr_sym(ir_ctx_t *ctx, const char *name);
ir_attr_t ir_attr_array(ir_ctx_t *ctx, const ir_attr_t *elements, size_t n);
ir_attr_t ir_attr_dict(ir_ctx_t *ctx, const ir_attr_t *names_and_values, size_t n_pairs);
ir_attr_t ir_attr_i64s(ir_ctx_t *ctx, const int64_t *values, size_t n);       // array<i64: ...>
ir_attr_t ir_attr_dense_array(ir_ctx_t *ctx, ir_type_t element, const int64_t *values, size_t n);
ir_attr_t ir_attr_dialect(ir_ctx_t *ctx, const char *name, const ir_attr_t *params, size_t n);
// Elements in row-major order, each ir_type_storage_bytes wide, little endian; one element if
// |is_splat|. |data| is borrowed for the context's life unless |copy|.
ir_attr_t ir_attr_dense(ir_ctx_t *ctx, ir_type_t type, const void *data, size_t n_bytes,
                        bool is_splat, bool copy);
static inline bool ir_dense_is_splat(ir_attr_t a) { return ir_int(a, 0) != 0; }
static inline const void *ir_dense_data(ir_attr_t a) { return (const void *)(intptr_t)ir_int(a, 1); }
static inline size_t ir_dense_bytes(ir_attr_t a) { return (size_t)ir_int(a, 2); }
static inline ir_type_t ir_dense_type(ir_attr_t a) { return ir_kid(a, 0); }
ir_attr_t ir_attr_map(ir_ctx_t *ctx, size_t n_dims, size_t n_syms, const ir_expr_t *results,
                      size_t n_results);
ir_attr_t ir_attr_identity_map(ir_ctx_t *ctx, size_t n_dims);
ir_expr_t ir_expr_dim(ir_ctx_t *ctx, size_t position);
ir_expr_t ir_expr_sym(ir_ctx_t *ctx, size_t position);
ir_expr_t ir_expr_const(ir_ctx_t *ctx, int64_t value);
ir_expr_t ir_expr_binary(ir_ctx_t *ctx, ir_term_kind_t kind, ir_expr_t lhs, ir_expr_t rhs);  // folds
static inline size_t ir_map_n_dims(ir_attr_t map) { return (size_t)ir_int(map, 0); }
static inline size_t ir_map_n_results(ir_attr_t map) { return map->n_kids; }
bool ir_map_is_identity(ir_attr_t map);
// Substitutes dims by |dims| (one expression each) in |expr|; symbols likewise where |syms|.
ir_expr_t ir_expr_replace(ir_ctx_t *ctx, ir_expr_t expr, const ir_expr_t *dims, const ir_expr_t *syms);
ir_attr_t ir_map_compose(ir_ctx_t *ctx, ir_attr_t outer, ir_attr_t inner);  // outer(inner(x))

iree_string_view_t ir_str(ir_attr_t string_or_keyword);
bool ir_str_is(ir_attr_t string_or_keyword, const char *text);
iree_string_view_t ir_symref_leaf(ir_attr_t symref);
ir_attr_t ir_dict_get(ir_attr_t dict, const char *name);  // NULL if absent
ir_attr_t ir_attr_param(ir_attr_t attr, const char *name);  // of `#a.b<name = value, ...>`; NULL if absent

// ------------------------------------------------------------------------------------ locations
ir_loc_t ir_loc_unknown(ir_ctx_t *ctx);
ir_loc_t ir_loc_file(ir_ctx_t *ctx, const char *file, int64_t line, int64_t column);
ir_loc_t ir_loc_fused(ir_ctx_t *ctx, const ir_loc_t *locs, size_t n);

// -------------------------------------------------------------------------------------- op rows
typedef struct ir_parser ir_parser_t;
typedef struct ir_printer ir_printer_t;
typedef struct ir_op_state ir_op_state_t;

enum {  // traits
  IR_PURE = 1 << 0,         // no effects: may be erased when unused, hoisted, merged
  IR_TERMINATOR = 1 << 1,
  IR_COMMUTATIVE = 1 << 2,
  IR_ISOLATED = 1 << 3,     // regions see no outer values
  IR_SYMBOL = 1 << 4,       // has sym_name
  IR_SYMBOL_TABLE = 1 << 5,
  IR_SAME_TYPE = 1 << 6,    // all operands and results have one type
  IR_IMPLICIT_TERM = 1 << 7,  // single-block region whose empty terminator is not printed
  IR_CONSTANT = 1 << 8,     // result is attribute `value`
  IR_SINGLE_BLOCK = 1 << 9,
  IR_NO_TERMINATOR = 1 << 10,
  IR_FUNCTION = 1 << 11,    // sym_name, function_type, body (may be empty: a declaration)
  IR_CLOSED = 1 << 13,      // as isolated, but its text goes on with the numbers outside
  IR_SUCC_RESULTS = 1 << 13,  // a terminator whose results are the arguments of its successor
};
typedef struct ir_op_hooks {
  iree_status_t (*verify)(ir_op_t *op);
  // Fills |out| (one per result) with a value or attribute per result; false if not folded.
  bool (*fold)(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values);
  bool (*parse)(ir_parser_t *p, ir_op_state_t *s);       // replaces the row's form
  void (*print)(ir_printer_t *p, const ir_op_t *op);
} ir_op_hooks_t;
// One row of a dialect table; the head of dialects/ops.h describes the columns.
struct ir_op_info {
  const char *name, *operands, *results, *attrs, *blocks, *form;
  uint32_t traits, levels;
  const ir_op_hooks_t *hooks;
  const char *doc;
};

// ------------------------------------------------------------------------------------------- IR
struct ir_use {
  ir_value_t *value;
  ir_op_t *user;
  ir_use_t *next, **prev;
};
struct ir_value {
  ir_type_t type;
  ir_use_t *uses;
  union {
    ir_op_t *op;        // !is_arg
    ir_block_t *block;  // is_arg
  };
  uint32_t index;  // result or argument number
  bool is_arg;
  uint32_t mark;  // scratch of the running pass (side-table index); undefined at its start
};
typedef struct ir_named {
  const char *name;  // interned
  ir_attr_t value;
} ir_named_t;
typedef struct ir_succ {
  ir_block_t *block;
  uint32_t first, n;  // the op's operands [first, first + n) are passed to the block's arguments
} ir_succ_t;
struct ir_op {
  ir_kind_t kind;
  uint16_t n_regions, n_succs;
  uint32_t n_operands, operand_cap, n_results;
  uint32_t n_extra, extra_cap;
  uint32_t mark;  // as ir_value.mark
  const ir_spec_t *spec;
  ir_loc_t loc;
  ir_block_t *block;
  ir_op_t *prev, *next;
  ir_use_t *operands;
  uint32_t *segments;         // operands per group of the row; NULL if no group is variadic
  uint32_t *result_segments;  // likewise for results
  ir_value_t *results;
  ir_region_t **regions;
  ir_succ_t *succs;
  ir_attr_t *attrs;   // the row's attributes by slot; NULL where absent
  ir_named_t *extra;  // discardable attributes (and all of an unregistered op)
  const char *name;   // interned; of an unregistered op its spelling
};
struct ir_block {
  ir_region_t *region;
  ir_block_t *prev, *next;
  ir_op_t *first, *last;
  ir_value_t **args;
  uint32_t n_args, arg_cap;
  uint32_t mark;
};
struct ir_region {
  ir_op_t *op;
  ir_block_t *first, *last;
};

static inline ir_value_t *ir_operand(const ir_op_t *op, size_t i) { return op->operands[i].value; }
static inline ir_value_t *ir_result(const ir_op_t *op, size_t i) { return &op->results[i]; }
ir_op_t *ir_def(const ir_value_t *v);  // defining op or NULL for a block argument
bool ir_value_is(const ir_value_t *v, ir_kind_t kind);  // defined by an op of |kind|
static inline bool ir_unused(const ir_value_t *v) { return !v->uses; }
bool ir_has_one_use(const ir_value_t *v);
void ir_replace_uses(ir_value_t *from, ir_value_t *to);
void ir_use_set(ir_use_t *use, ir_value_t *value);
uint32_t ir_op_n_unused_results(const ir_op_t *op);

// Groups: the row's operand names in order. A group of a non-variadic name has exactly one value.
typedef struct ir_group {
  uint32_t first, n;
} ir_group_t;
ir_group_t ir_operand_group(const ir_op_t *op, const char *name);
ir_group_t ir_operand_group_at(const ir_op_t *op, size_t g);
ir_group_t ir_result_group(const ir_op_t *op, const char *name);
ir_value_t *ir_operand_named(const ir_op_t *op, const char *name);  // NULL if an empty optional

ir_attr_t ir_op_attr(const ir_op_t *op, const char *name);  // row or discardable; NULL if absent
void ir_op_set_attr(ir_ctx_t *ctx, ir_op_t *op, const char *name, ir_attr_t value);  // NULL removes
void ir_op_copy_attrs(ir_ctx_t *ctx, ir_op_t *to, const ir_op_t *from);  // all, of an op of one kind
int64_t ir_op_int(const ir_op_t *op, const char *name, int64_t absent);
bool ir_op_flag(const ir_op_t *op, const char *name);
iree_string_view_t ir_op_sym_name(const ir_op_t *op);
const char *ir_op_name(const ir_op_t *op);
const ir_op_info_t *ir_op_info(const ir_op_t *op);
static inline bool ir_op_is(const ir_op_t *op, ir_kind_t kind) { return op && op->kind == kind; }
bool ir_op_has_trait(const ir_op_t *op, uint32_t trait);

// Describes an op to create. Zero-initialise; every array is copied.
typedef struct ir_op_desc {
  ir_kind_t kind;
  const char *name;  // unregistered ops only
  ir_loc_t loc;      // NULL: the builder's
  ir_value_t *const *operands;
  size_t n_operands;
  const uint32_t *segments;  // per group; needed if more than one group is optional or variadic
  const ir_type_t *results;
  size_t n_results;
  const uint32_t *result_segments;
  const ir_named_t *attrs;  // names need not be interned
  size_t n_attrs;
  size_t n_regions;         // created empty
  ir_block_t *const *succs;
  const uint32_t *succ_operands;  // count per successor, taken from the operands' end in order
  size_t n_succs;
} ir_op_desc_t;
ir_op_t *ir_op_create(ir_ctx_t *ctx, const ir_op_desc_t *desc);  // detached

// Insertion point: before |before|, or at the end of |block|.
typedef struct ir_builder {
  ir_ctx_t *ctx;
  ir_block_t *block;
  ir_op_t *before;
  ir_loc_t loc;
} ir_builder_t;
ir_builder_t ir_builder_before(ir_ctx_t *ctx, ir_op_t *op);
ir_builder_t ir_builder_after(ir_ctx_t *ctx, ir_op_t *op);
ir_builder_t ir_builder_at_start(ir_ctx_t *ctx, ir_block_t *block);
ir_builder_t ir_builder_at_end(ir_ctx_t *ctx, ir_block_t *block);
ir_op_t *ir_build(ir_builder_t *b, const ir_op_desc_t *desc);
void ir_insert(ir_builder_t *b, ir_op_t *op);
// Short forms for ops without regions. Up to three operands; NULL ends the list.
ir_value_t *ir_build1(ir_builder_t *b, ir_kind_t kind, ir_type_t result, ir_value_t *x,
                      ir_value_t *y, ir_value_t *z);
ir_value_t *ir_build_attr(ir_builder_t *b, ir_kind_t kind, ir_type_t result, const char *attr_name,
                          ir_attr_t attr, ir_value_t *x, ir_value_t *y);

void ir_op_remove(ir_op_t *op);                     // unlink, keep usable
void ir_op_erase(ir_op_t *op);                      // unlink and drop its uses, regions included
void ir_op_move_before(ir_op_t *op, ir_op_t *before);
void ir_op_move_to_end(ir_op_t *op, ir_block_t *block);
void ir_op_set_operands(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *const *values, size_t n,
                        const uint32_t *segments);
void ir_op_append_operand(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *value);  // to the last group
void ir_op_erase_operand(ir_op_t *op, size_t i);
// Replaces all uses of |op|'s results by |values| (one per result) and erases it.
void ir_op_replace(ir_op_t *op, ir_value_t *const *values);
bool ir_op_is_before(const ir_op_t *a, const ir_op_t *b);  // same block; linear
ir_op_t *ir_op_parent(const ir_op_t *op);
ir_op_t *ir_op_parent_of_kind(const ir_op_t *op, ir_kind_t kind);
bool ir_op_is_ancestor(const ir_op_t *ancestor, const ir_op_t *op);  // or equal

ir_region_t *ir_region_create(ir_ctx_t *ctx, ir_op_t *owner);
ir_block_t *ir_block_create(ir_ctx_t *ctx, ir_region_t *region);  // appended
ir_block_t *ir_block_insert_before(ir_ctx_t *ctx, ir_block_t *before);
void ir_block_erase(ir_block_t *block);
ir_value_t *ir_block_add_arg(ir_ctx_t *ctx, ir_block_t *block, ir_type_t type);
ir_value_t *ir_block_insert_arg(ir_ctx_t *ctx, ir_block_t *block, size_t i, ir_type_t type);  // before argument |i|
void ir_block_erase_arg(ir_block_t *block, size_t i);
void ir_block_move_ops(ir_op_t *first, ir_block_t *to);  // |first| and all behind it to |to|'s end
void ir_region_take(ir_region_t *to, ir_region_t *from);  // moves all blocks
void ir_region_take_before(ir_block_t *before, ir_region_t *from);
// Moves |op| and what follows it into a new block right after its own.
ir_block_t *ir_block_split(ir_ctx_t *ctx, ir_op_t *op);
static inline ir_region_t *ir_region(const ir_op_t *op, size_t i) { return op->regions[i]; }
static inline ir_block_t *ir_body(const ir_op_t *op) {  // first block of the first region or NULL
  return op->n_regions ? op->regions[0]->first : NULL;
}
static inline bool ir_block_has_terminator(const ir_block_t *b) {
  return b->last && ir_op_has_trait(b->last, IR_TERMINATOR);
}
static inline ir_op_t *ir_terminator(const ir_block_t *b) { return b->last; }

// Deep copy. |map| remembers value -> value (and block -> block); operands not in it stay.
typedef struct ir_map ir_map_t;
ir_map_t *ir_map_create(iree_arena_t *arena);
void ir_map_set(ir_map_t *map, const void *key, void *value);
void *ir_map_get(const ir_map_t *map, const void *key);  // NULL if absent
ir_op_t *ir_op_clone(ir_ctx_t *ctx, const ir_op_t *op, ir_map_t *map);  // detached
ir_op_t *ir_op_clone_empty(ir_ctx_t *ctx, const ir_op_t *op, ir_map_t *map);  // its regions are
void ir_region_clone(ir_ctx_t *ctx, const ir_region_t *from, ir_region_t *to, ir_map_t *map);

// Pre-order walk over |root| and all nested ops; |fn| may erase the op it is given.
typedef iree_status_t (*ir_walk_fn_t)(ir_op_t *op, void *self);
iree_status_t ir_walk(ir_op_t *root, ir_walk_fn_t fn, void *self);

// Symbols: the op with |name| among the direct children of |table|'s body; NULL if none.
ir_op_t *ir_symbol_lookup(const ir_op_t *table, iree_string_view_t name);
ir_op_t *ir_symbol_resolve(const ir_op_t *from, ir_attr_t symref);  // nearest enclosing table outward
// Returns |base| or base_0, base_1, ... whichever is free in |table|; interned.
const char *ir_symbol_unique(ir_ctx_t *ctx, const ir_op_t *table, const char *base);
// For many new names: the names in |table| as a map, whose keys are names. _fresh is _unique there, and takes the name.
ir_map_t *ir_symbol_names(iree_arena_t *arena, const ir_op_t *table);
void ir_symbol_reserve(ir_map_t *names, ir_attr_t name);
bool ir_symbol_is_taken(const ir_map_t *names, ir_attr_t name);
const char *ir_symbol_fresh(ir_ctx_t *ctx, ir_map_t *names, const char *base);

// -------------------------------------------------------------------------------------- context
typedef struct ir_directive ir_directive_t;  // form.h
typedef struct ir_dialect_alias {  // another spelling of a dialect; ops, types and attributes are the same
  const char *from, *to;
} ir_dialect_alias_t;
typedef struct ir_tables {
  const ir_op_info_t *ops;  // indexed by kind; row 0 unused
  size_t n_ops;
  const ir_directive_t *directives;  // custom text directives of the forms
  size_t n_directives;
  const struct ir_bytecode_dialect *bytecode;  // bytecode.h
  size_t n_bytecode;
  // Looks at attributes and types of dialects, and at tensors with an encoding, as they are read;
  // may replace them by a term that means the same. NULL, or what is wrong. Optional.
  const char *(*check_term)(ir_ctx_t *ctx, const ir_term_t **term);
  const ir_dialect_alias_t *aliases;  // tried in order
  size_t n_aliases;
} ir_tables_t;
typedef struct ir_resource {  // blob of a file's {-# dialect_resources #-} section
  const char *key;            // interned
  const uint8_t *data;        // without the 4-byte alignment prefix
  size_t n_bytes;
} ir_resource_t;

typedef enum { IR_ERROR, IR_WARNING, IR_NOTE, IR_REMARK } ir_severity_t;
// Receives one message. |loc| may be unknown. The strings live for the call.
typedef void (*ir_diag_fn_t)(void *self, ir_severity_t severity, ir_loc_t loc, const char *message);

iree_status_t ir_ctx_create(const ir_tables_t *tables, ir_ctx_t **out_ctx);
void ir_ctx_destroy(ir_ctx_t *ctx);
iree_arena_t *ir_arena(ir_ctx_t *ctx);
void ir_ctx_set_diag(ir_ctx_t *ctx, ir_diag_fn_t fn, void *self);
const char *ir_intern(ir_ctx_t *ctx, const char *text, size_t n);
ir_kind_t ir_kind_lookup(ir_ctx_t *ctx, iree_string_view_t name);  // 0 if not registered
const char *ir_kind_near(ir_ctx_t *ctx, const char *name);  // the registered op that is probably meant, or NULL
// Is |name| of a dialect that has rows? Its ops need one: a misspelt op is no other dialect's.
bool ir_dialect_has_rows(ir_ctx_t *ctx, const char *name);
// |name| of a type, an attribute or an op in the |i|th other spelling of its dialect, interned; NULL if there is none.
const char *ir_alias_name(ir_ctx_t *ctx, iree_string_view_t name, size_t i);
const ir_spec_t *ir_spec(ir_ctx_t *ctx, ir_kind_t kind);           // the row, taken apart; cached
const ir_tables_t *ir_ctx_tables(ir_ctx_t *ctx);
ir_ctx_t *ir_op_ctx(const ir_op_t *op);
ir_resource_t *ir_ctx_add_resource(ir_ctx_t *ctx, const char *key, const uint8_t *data, size_t n);
const ir_resource_t *ir_ctx_find_resource(ir_ctx_t *ctx, const char *key);
size_t ir_ctx_n_resources(ir_ctx_t *ctx);
const ir_resource_t *ir_ctx_resource(ir_ctx_t *ctx, size_t i);

// Rewrites that could as well be left out ask first, |what| being a verb: those behind a limit stay undone
// when somebody searches for the one that breaks a program (--opt-bisect-limit). Without a gate all are done.
typedef bool (*ir_gate_fn_t)(void *self, const char *what, const ir_op_t *op);
void ir_ctx_set_gate(ir_ctx_t *ctx, ir_gate_fn_t fn, void *self);
bool ir_may_rewrite(const ir_op_t *op, const char *what);

// Reports an error at |loc| and returns INVALID_ARGUMENT with the same text.
iree_status_t ir_error(ir_ctx_t *ctx, ir_loc_t loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
iree_status_t ir_op_error(const ir_op_t *op, const char *format, ...)  // prefixed "'dialect.op' op "
    __attribute__((format(printf, 2, 3)));
void ir_note(ir_ctx_t *ctx, ir_loc_t loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ir_warning(ir_ctx_t *ctx, ir_loc_t loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif  // COMPILER_IR_IR_H_
