// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of MLIR text. The lexer is a function of a position: lex(text) -> token, nothing hidden.
#ifndef COMPILER_IR_LEXER_H_
#define COMPILER_IR_LEXER_H_

#include "compiler/ir/parser.h"

// Skips blanks and comments from |at|; returns the first other position (or |end|).
const char *ir_lex_skip(const char *at, const char *end);
// Returns the token that starts at or after |at|.
ir_token_t ir_lex(const char *at, const char *end);

#endif  // COMPILER_IR_LEXER_H_
