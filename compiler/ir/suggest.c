// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/suggest.h"

#include <string.h>

enum { LONGEST = 60 };

suggest_t suggest_begin(iree_string_view_t wrong) {
  return (suggest_t){.wrong = wrong, .distance = wrong.size / 4 + 1};
}

// Edits between |s->wrong| and |known|; more than the best so far if that is sure.
static size_t edits(const suggest_t *s, const char *known, size_t m) {
  size_t n = s->wrong.size, row[LONGEST + 1];
  if (n > LONGEST || m > LONGEST || (m > n ? m - n : n - m) > s->distance) return s->distance + 1;
  for (size_t j = 0; j <= m; ++j) row[j] = j;
  for (size_t i = 1; i <= n; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; ++j) {
      size_t up = row[j], cost = diagonal + (s->wrong.data[i - 1] != known[j - 1]);
      if (up + 1 < cost) cost = up + 1;
      if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1;
      diagonal = up;
      row[j] = cost;
    }
  }
  return row[m];
}
static bool better(suggest_t *s, const char *known, size_t m) {
  size_t d = edits(s, known, m);
  // A beginning of the word, `stablehlo.sub`, is as near as one wrong letter.
  if (d > 1 && s->wrong.size >= 3 && s->wrong.size < m && !memcmp(known, s->wrong.data, s->wrong.size)) d = 1;
  if (d > s->distance || (s->best && d == s->distance)) return false;
  s->distance = d;
  return true;
}
void suggest_try(suggest_t *s, const char *known) {
  if (better(s, known, strlen(known))) s->best = known;
}
bool suggest_try_words(suggest_t *s, const char *words) {
  while (*words) {
    size_t n = strcspn(words, " ="), all = strcspn(words, " ");
    if (n == s->wrong.size && !memcmp(words, s->wrong.data, n)) return true;
    if (n < sizeof s->word && better(s, words, n)) {
      memcpy(s->word, words, n);
      s->word[n] = 0;
      s->best = s->word;
    }
    words += all;
    words += strspn(words, " ");
  }
  return false;
}
