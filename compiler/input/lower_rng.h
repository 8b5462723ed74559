// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based random bits, shared by rng_bit_generator and rng.
#ifndef COMPILER_INPUT_LOWER_RNG_H_
#define COMPILER_INPUT_LOWER_RNG_H_

#include "compiler/input/lower.h"

typedef struct rng_words {
  ir_value_t *w[4];  // i32
} rng_words_t;

// A 128-bit counter encrypted under a 64-bit key by Philox 4x32 with ten rounds.
rng_words_t low_philox(ir_builder_t *b, rng_words_t counter, ir_value_t *key0, ir_value_t *key1);

// Threefry 2x32 with twenty rounds: |x| encrypted under |key|; both have two words.
rng_words_t low_threefry(ir_builder_t *b, rng_words_t x, rng_words_t key);

ir_value_t *low_half(ir_builder_t *b, ir_value_t *i64);                           // as i32
ir_value_t *low_high_half(ir_builder_t *b, ir_value_t *i64);                      // as i32
ir_value_t *low_join_halves(ir_builder_t *b, ir_value_t *low, ir_value_t *high);  // as i64

#endif  // COMPILER_INPUT_LOWER_RNG_H_
