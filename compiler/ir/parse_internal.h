// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State shared by the parser's files: parse.c (ops), parse_attr.c, parse_type.c, parse_form.c.
#ifndef COMPILER_IR_PARSE_INTERNAL_H_
#define COMPILER_IR_PARSE_INTERNAL_H_

#include "compiler/ir/context.h"
#include "compiler/ir/lexer.h"
#include "compiler/ir/parser.h"

// One name -> its result values. Inner scopes shadow; leaving a scope pops what it pushed.
typedef struct p_name p_name_t;
struct p_name {
  const char *name;
  ir_value_t **values;  // NULL entries: not yet known (forward reference holds a placeholder)
  uint32_t n;
  bool forward;
  bool poisoned;  // its op was not understood
  ir_token_t at;
  p_name_t *next_in_bucket, *next_in_scope;
};
typedef struct p_block p_block_t;
struct p_block {
  const char *name;
  ir_block_t *block;
  bool defined;
  ir_token_t at;
  p_block_t *next;
};
typedef struct p_scope p_scope_t;
struct p_scope {
  p_scope_t *outer;
  bool isolated;
  p_name_t *names;
  p_block_t *blocks;
};
typedef struct p_alias {
  const char *name;  // interned with its '#' or '!'
  const char *body;  // after '='
  ir_attr_t value;   // NULL until first used
  bool busy;
} p_alias_t;

enum { P_BUCKETS = 1024, P_MAX_DEPTH = 256, P_MAX_RANK = 32, P_MAX_ERRORS = 20 };

struct ir_parser {
  ir_ctx_t *ctx;
  const char *begin, *end, *at;  // |at|: first unread position
  const char *file;
  ir_token_t tok;  // lookahead, valid if has_tok
  bool has_tok;
  int quiet;       // > 0: a trial parse, no messages
  int depth;       // nesting of recursive constructs, bounded
  int n_errors;
  bool lost;       // no op to continue with was found after an error
  p_scope_t *scope;
  p_name_t *buckets[P_BUCKETS];
  p_alias_t *aliases;
  size_t n_aliases, alias_cap;
  ir_map_t *alias_of;  // interned name -> index + 1
  const char *line_at;  // cache of the last line number computed
  int64_t line;
  struct p_default { const char *dialect; struct p_default *outer; } *default_dialect;
};

ir_loc_t p_loc(ir_parser_t *p, ir_token_t at);
void p_next(ir_parser_t *p);                 // consumes the lookahead
void p_seek(ir_parser_t *p, const char *at);  // continues at |at|
bool p_enter(ir_parser_t *p);                // depth guard; pair with p_leave
void p_leave(ir_parser_t *p);
bool p_location(ir_parser_t *p, ir_loc_t *out);  // after `loc`: (...)
ir_attr_t p_alias_attr(ir_parser_t *p, ir_token_t t);  // #name or !name; NULL after an error
bool p_affine(ir_parser_t *p, bool is_set, ir_attr_t *out);  // after `affine_map`: <...>
bool p_unescape(ir_parser_t *p, ir_token_t t, ir_attr_t *out_string);
// The parameters of `#d.a<...>` or `!d.t<...>` with the lookahead at '<'; false after an error.
bool p_check_term(ir_parser_t *p, ir_token_t at, const ir_term_t **term);  // what its dialect says
iree_string_view_t p_dialect_name(ir_parser_t *p, ir_token_t t);
bool p_params(ir_parser_t *p, ir_attr_t **out_params, size_t *out_n);
// Brings |value| as written into the kind the row's attribute has; NULL if it does not fit.
ir_attr_t p_normalize(ir_ctx_t *ctx, const ir_spec_attr_t *a, ir_attr_t value);
bool p_form(ir_parser_t *p, ir_op_state_t *s);
bool p_is_countable(const int64_t *dims, size_t rank);  // in 64 bits
bool p_resolve_list(ir_parser_t *p, const ir_ref_list_t *list, ir_value_t **out);

#endif  // COMPILER_IR_PARSE_INTERNAL_H_
