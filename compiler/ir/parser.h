// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to IR (bytecode, too: bytecode.h). ir_parse is the entry; the rest is what custom parse hooks of ops use.
//
// The parser is recursive descent over a cursor with one token of lookahead. Functions return false
// after an error has been reported; callers just return false in turn. p_accept* return whether the
// token was there and consumed.
#ifndef COMPILER_IR_PARSER_H_
#define COMPILER_IR_PARSER_H_

#include "compiler/ir/ir.h"

// Parses a whole file into a module op (a top-level `module` or the implicit one). |source| must
// outlive the context: constants and resources may point into it.
//   errors: INVALID_ARGUMENT, all messages were sent to the context's sink
iree_status_t ir_parse(ir_ctx_t *ctx, iree_string_view_t source, const char *file_name,
                       ir_op_t **out_module);
// Parses one attribute or type from text, e.g. of a flag. NULL after an error.
ir_attr_t ir_parse_attr(ir_ctx_t *ctx, iree_string_view_t text);

typedef enum ir_token_kind {
  TOK_EOF, TOK_ERROR, TOK_WORD,  // foo, foo.bar
  TOK_VALUE,    // %foo (text without %)
  TOK_SYMBOL,   // @foo, @"foo" (text without @ and quotes)
  TOK_BLOCK,    // ^foo
  TOK_HASH,     // #foo, #foo.bar
  TOK_BANG,     // !foo
  TOK_INT,      // 12, 0x1F
  TOK_FLOAT,    // 1.0e+0
  TOK_STRING,   // "..." (raw, with quotes)
  TOK_PUNCT,    // one of -> :: == >= <= ... or a single character
  TOK_RESOURCES // {-#
} ir_token_kind_t;
typedef struct ir_token {
  ir_token_kind_t kind;
  const char *text;
  size_t n;
} ir_token_t;

typedef struct ir_operand_ref {  // an operand as written, not yet looked up
  const char *name;              // interned, without '%'
  uint32_t number;               // after '#'
  ir_token_t at;
} ir_operand_ref_t;
typedef struct ir_ref_list {
  ir_operand_ref_t *refs;
  ir_type_t *types;   // per ref, NULL until known
  uint32_t n, cap;
  bool have_types;
} ir_ref_list_t;
typedef struct ir_type_list {
  ir_type_t *types;
  uint32_t n, cap;
} ir_type_list_t;
typedef struct ir_block_arg_ref {  // `%x: type` of a region about to be parsed
  const char *name;                // interned, without '%'; NULL: anonymous
  ir_type_t type;
  ir_token_t at;                   // of the name, for messages
} ir_block_arg_ref_t;

// An op being parsed. Groups are indexed as in the row.
struct ir_op_state {
  ir_kind_t kind;
  const ir_spec_t *spec;
  ir_token_t at;
  ir_loc_t loc;
  ir_ref_list_t *operands;       // per row operand name
  ir_type_list_t *results;       // per row result name
  ir_attr_t *attrs;              // per row attribute
  ir_named_t *extra;
  uint32_t n_extra, extra_cap;
  ir_region_t **regions;
  uint32_t n_regions, region_cap;
  ir_block_t **more_succs;       // of ops with many (switches): see p_succ_add
  ir_ref_list_t *more_succ_args;
  uint32_t n_succs, more_cap, more_args_cap;
  uint32_t n_result_names;       // written left of '='; 0: none
};

bool p_error(ir_parser_t *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool p_error_at(ir_parser_t *p, ir_token_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
ir_ctx_t *p_ctx(ir_parser_t *p);
ir_token_t p_peek(ir_parser_t *p);
bool p_at(ir_parser_t *p, const char *literal);        // is the next token this word/punctuation?
bool p_accept(ir_parser_t *p, const char *literal);
bool p_expect(ir_parser_t *p, const char *literal);
bool p_accept_word(ir_parser_t *p, const char **out_word);  // any bare word; interned
bool p_expect_word(ir_parser_t *p, const char **out_word);
bool p_accept_int(ir_parser_t *p, int64_t *out_value);      // with optional '-'
bool p_expect_int(ir_parser_t *p, int64_t *out_value);
bool p_expect_string(ir_parser_t *p, ir_attr_t *out_string);
bool p_expect_symbol(ir_parser_t *p, ir_attr_t *out_string);   // @name as a string attribute
bool p_expect_symref(ir_parser_t *p, ir_attr_t *out_symref);
bool p_bracketed(ir_parser_t *p, ir_attr_t *out_keyword);      // <...>: what is between, as text
bool p_at_type(ir_parser_t *p);
bool p_at_operand(ir_parser_t *p);
bool p_type(ir_parser_t *p, ir_type_t *out_type);
bool p_types(ir_parser_t *p, ir_type_list_t *list);            // a, b, c
bool p_paren_types(ir_parser_t *p, ir_type_list_t *list);      // (a, b) or a
bool p_attr(ir_parser_t *p, ir_attr_t *out_attr);
bool p_attr_typed(ir_parser_t *p, ir_type_t type, ir_attr_t *out_attr);  // numbers take |type|
bool p_attr_dict(ir_parser_t *p, ir_op_state_t *s);            // optional {...}, into row/extra
bool p_attr_dict_kw(ir_parser_t *p, ir_op_state_t *s);         // optional `attributes {...}`
bool p_props(ir_parser_t *p, ir_op_state_t *s);                // optional <{...}>
bool p_set_attr(ir_parser_t *p, ir_op_state_t *s, const char *name, ir_attr_t value);
bool p_operand(ir_parser_t *p, ir_ref_list_t *list);           // %x, appended
bool p_operands(ir_parser_t *p, ir_ref_list_t *list);          // %x, %y (at least one)
bool p_operands_until(ir_parser_t *p, ir_ref_list_t *list, const char *close);  // may be none
bool p_list_set_type(ir_parser_t *p, ir_ref_list_t *list, ir_type_t type);  // same for all
bool p_list_add_type(ir_parser_t *p, ir_ref_list_t *list, ir_type_t type);  // next untyped ref
bool p_list_set_types(ir_parser_t *p, ir_ref_list_t *list, const ir_type_list_t *types);
void p_ref_push(ir_parser_t *p, ir_ref_list_t *list, ir_operand_ref_t ref);
void p_types_push(ir_parser_t *p, ir_type_list_t *list, ir_type_t type);
int p_operand_group(const ir_op_state_t *s, const char *name);
int p_result_group(const ir_op_state_t *s, const char *name);
ir_attr_t p_get_attr(const ir_op_state_t *s, const char *name);
// Parses `{...}` into a fresh region of |s|; |args| become the entry block's arguments.
bool p_region(ir_parser_t *p, ir_op_state_t *s, const ir_block_arg_ref_t *args, size_t n_args);
ir_region_t *p_region_empty(ir_parser_t *p, ir_op_state_t *s);
bool p_block_arg(ir_parser_t *p, ir_block_arg_ref_t *out_arg);  // %x: type [loc(...)]
bool p_successor(ir_parser_t *p, ir_op_state_t *s);             // ^bb1 [(%a, %b : t, u)]
bool p_successor_block(ir_parser_t *p, ir_op_state_t *s);       // ^bb1
bool p_loc_trailing(ir_parser_t *p, ir_loc_t *out_loc);         // optional loc(...)
// Looks an operand up now; NULL after an error. For hooks that need the value's type at once.
ir_value_t *p_resolve(ir_parser_t *p, ir_operand_ref_t ref, ir_type_t type);

// A custom directive of the forms: parse and print one piece of an op's text.
// |args| are the elements named between the directive's parentheses.
typedef struct ir_form ir_form_t;
struct ir_directive {
  const char *name;
  bool (*parse)(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args);
  void (*print)(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args);
};

#endif  // COMPILER_IR_PARSER_H_
