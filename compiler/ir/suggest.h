// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The known word that a misspelt one probably means: nearest by edit distance, and near at all.
#ifndef COMPILER_IR_SUGGEST_H_
#define COMPILER_IR_SUGGEST_H_

#include <stdbool.h>

#include "iree/base/api.h"

typedef struct suggest {
  iree_string_view_t wrong;
  const char *best;  // NULL: nothing near
  size_t distance;   // of |best|, and the most that is tried
  char word[64];     // |best| of suggest_try_words
} suggest_t;

suggest_t suggest_begin(iree_string_view_t wrong);
void suggest_try(suggest_t *s, const char *known);  // |known| is kept
// Each of the words, separated by blanks ("word=value" counts as word). Is the wrong one among them?
bool suggest_try_words(suggest_t *s, const char *words);

#endif  // COMPILER_IR_SUGGEST_H_
