// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rng_bit_generator, bit-equal to XLA. The state is 64-bit words (or twice as many of 32 bits, low
// half first): a key, a counter, and for Philox, if there is a third, the counter's high half,
// which is the key otherwise.
//
//   PHILOX, DEFAULT  one counter gives four words of 32 bits; element i takes word i % 4 of counter
//                    i / 4, or two words where it is 64 bits wide
//   THREE_FRY        one counter gives two words: one element of 64 bits, or elements 2k and 2k + 1
//                    along one dimension: the first even one, else the longest
//
// Elements under 32 bits are the low bits of a word; floats have the bits of integers.
#include "compiler/input/lower_rng.h"

static ir_value_t *xor_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_XORI, x, y);
}
static ir_value_t *add(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_ADDI, x, y);
}
static ir_value_t *is(ir_builder_t *b, ir_value_t *x, int64_t number) {
  return low_cmpi(b, "eq", x, low_int(b, x->type, number));
}
ir_value_t *low_half(ir_builder_t *b, ir_value_t *v) {
  return ir_build1(b, OP_ARITH_TRUNCI, ir_type_i(b->ctx, 32), v, NULL, NULL);
}
ir_value_t *low_high_half(ir_builder_t *b, ir_value_t *v) {
  return low_half(b, low_op2(b, OP_ARITH_SHRUI, v, low_int(b, v->type, 32)));
}
static ir_value_t *wide(ir_builder_t *b, ir_value_t *v) {
  return ir_build1(b, OP_ARITH_EXTUI, ir_type_i(b->ctx, 64), v, NULL, NULL);
}
ir_value_t *low_join_halves(ir_builder_t *b, ir_value_t *low, ir_value_t *high) {
  ir_value_t *h = wide(b, high);
  return low_op2(b, OP_ARITH_ORI, wide(b, low),
                 low_op2(b, OP_ARITH_SHLI, h, low_int(b, h->type, 32)));
}

// ---- the ciphers
rng_words_t low_philox(ir_builder_t *b, rng_words_t c, ir_value_t *key0, ir_value_t *key1) {
  ir_type_t i32 = ir_type_i(b->ctx, 32), i64 = ir_type_i(b->ctx, 64);
  for (int round = 0; round < 10; ++round) {
    ir_value_t *p = low_op2(b, OP_ARITH_MULI, wide(b, c.w[0]), low_int(b, i64, 0xD2511F53));
    ir_value_t *q = low_op2(b, OP_ARITH_MULI, wide(b, c.w[2]), low_int(b, i64, 0xCD9E8D57));
    c = (rng_words_t){{xor_(b, xor_(b, low_high_half(b, q), c.w[1]), key0), low_half(b, q),
                       xor_(b, xor_(b, low_high_half(b, p), c.w[3]), key1), low_half(b, p)}};
    if (round == 9) break;
    key0 = add(b, key0, low_int(b, i32, (int64_t)0x9E3779B9));
    key1 = add(b, key1, low_int(b, i32, (int64_t)0xBB67AE85));
  }
  return c;
}
rng_words_t low_threefry(ir_builder_t *b, rng_words_t x, rng_words_t key) {
  static const unsigned char rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  ir_type_t i32 = ir_type_i(b->ctx, 32);
  ir_value_t *keys[3] = {
      key.w[0], key.w[1],
      xor_(b, xor_(b, key.w[0], key.w[1]), low_int(b, i32, (int64_t)0x1BD11BDA))};
  x.w[0] = add(b, x.w[0], keys[0]), x.w[1] = add(b, x.w[1], keys[1]);
  for (int group = 0; group < 5; ++group) {
    for (int i = 0; i < 4; ++i) {
      int by = rotations[group % 2][i];
      x.w[0] = add(b, x.w[0], x.w[1]);
      ir_value_t *left = low_op2(b, OP_ARITH_SHLI, x.w[1], low_int(b, i32, by)),
                 *right = low_op2(b, OP_ARITH_SHRUI, x.w[1], low_int(b, i32, 32 - by));
      x.w[1] = xor_(b, low_op2(b, OP_ARITH_ORI, left, right), x.w[0]);
    }
    x.w[0] = add(b, x.w[0], keys[(group + 1) % 3]);
    x.w[1] = add(b, add(b, x.w[1], keys[(group + 2) % 3]), low_int(b, i32, group + 1));
  }
  return x;
}

// ---- the state
static bool is_narrow_state(ir_value_t *state) {
  return ir_type_width(ir_type_element(state->type)) == 32;
}
static int64_t n_words(ir_value_t *state) {
  return ir_type_dim(state->type, 0) / (is_narrow_state(state) ? 2 : 1);
}
static ir_value_t *word(ir_builder_t *b, ir_value_t *state, int64_t i) {
  if (!is_narrow_state(state)) {
    ir_value_t *at = low_index(b, i);
    return low_extract(b, state, &at, 1);
  }
  ir_value_t *low = low_index(b, i ? 3 : 0), *high = low_index(b, i ? 2 : 1);
  return low_join_halves(b, low_extract(b, state, &low, 1), low_extract(b, state, &high, 1));
}
// The state after |n| counters, made where the state is: nothing comes to the host.
static ir_value_t *next_state(lowering_t *l, ir_value_t *state, int64_t n) {
  ir_type_t i64 = ir_type_i(l->ctx, 64);
  sizes_t none = sizes_none();
  pointwise_t p = low_pointwise_begin(l, state->type, &none, &state, 1);
  ir_value_t *i = low_loop_index(&p.b, 0), *at = i, *v = p.body->args[0];
  if (is_narrow_state(state)) at = low_op2(&p.b, OP_ARITH_DIVUI, i, low_index(&p.b, 2));
  ir_value_t *sum = add(&p.b, word(&p.b, state, 1), low_int(&p.b, i64, n)), *changed = sum;
  if (n_words(state) == 3) {
    ir_value_t *carry = wide(&p.b, low_cmpi(&p.b, "ult", sum, low_int(&p.b, i64, n)));
    changed = low_select(&p.b, is(&p.b, at, 2), add(&p.b, word(&p.b, state, 2), carry), sum);
  }
  if (is_narrow_state(state)) {
    ir_value_t *half = low_op2(&p.b, OP_ARITH_REMUI, i, low_index(&p.b, 2));
    changed =
        low_select(&p.b, is(&p.b, half, 0), low_half(&p.b, changed), low_high_half(&p.b, changed));
  }
  v = low_select(&p.b, is(&p.b, at, 0), v, changed);
  return low_pointwise_end(l, &p, v);
}

// ---- elements
static ir_value_t *narrowed(ir_builder_t *b, ir_value_t *v, ir_type_t element) {
  unsigned width = ir_type_width(element);
  if (width < ir_type_width(v->type))
    v = ir_build1(b, OP_ARITH_TRUNCI, ir_type_i(b->ctx, width), v, NULL, NULL);
  return v->type == element ? v : ir_build1(b, OP_ARITH_BITCAST, element, v, NULL, NULL);
}
static ir_value_t *philox_bits(lowering_t *l, ir_value_t *state, ir_type_t type, int64_t *n_used) {
  ir_type_t i64 = ir_type_i(l->ctx, 64), element = ir_type_element(type);
  bool pairs = ir_type_width(element) == 64;
  int64_t n = ir_type_n_elements(type), per_counter = pairs ? 2 : 4;
  *n_used = (n + per_counter - 1) / per_counter;
  sizes_t none = sizes_none();
  pointwise_t p =
      low_pointwise_begin(l, ir_type_tensor(l->ctx, &n, 1, element, NULL), &none, NULL, 0);
  ir_builder_t *b = &p.b;
  ir_value_t *key = word(b, state, 0), *counter = word(b, state, 1);
  ir_value_t *high = n_words(state) == 3 ? word(b, state, 2) : key;
  ir_value_t *i = low_from_index(b, low_loop_index(b, 0), i64), *per = low_int(b, i64, per_counter);
  ir_value_t *c = add(b, counter, low_op2(b, OP_ARITH_DIVUI, i, per)),
             *k = low_op2(b, OP_ARITH_REMUI, i, per);
  high = add(b, high, wide(b, low_cmpi(b, "ult", c, counter)));
  rng_words_t r = low_philox(b,
                             (rng_words_t){{low_half(b, c), low_high_half(b, c), low_half(b, high),
                                            low_high_half(b, high)}},
                             low_half(b, key), low_high_half(b, key));
  ir_value_t *v = r.w[3];
  if (pairs) {
    ir_value_t *first = is(b, k, 0);
    v = low_join_halves(b, low_select(b, first, r.w[0], r.w[2]),
                        low_select(b, first, r.w[1], r.w[3]));
  } else {
    for (int64_t w = 2; w >= 0; --w) v = low_select(b, is(b, k, w), r.w[w], v);
  }
  return low_reshape(l, low_pointwise_end(l, &p, narrowed(b, v, element)), type, &none);
}
static size_t paired_dim(ir_type_t type) {
  size_t longest = 0;
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    if (ir_type_dim(type, i) % 2 == 0) return i;
    if (ir_type_dim(type, i) > ir_type_dim(type, longest)) longest = i;
  }
  return longest;
}
static ir_value_t *threefry_bits(lowering_t *l, ir_value_t *state, ir_type_t type,
                                 int64_t *n_used) {
  ir_type_t i64 = ir_type_i(l->ctx, 64), element = ir_type_element(type);
  bool pairs = ir_type_width(element) < 64;
  size_t rank = ir_type_rank(type), split = paired_dim(type);
  sizes_t none = sizes_none();
  pointwise_t p = low_pointwise_begin(l, type, &none, NULL, 0);
  ir_builder_t *b = &p.b;
  // The counter is the position in a tensor of half the extent along |split|.
  ir_value_t *position = low_int(b, i64, 0), *second = NULL, *two = low_int(b, i64, 2);
  *n_used = 1;
  for (size_t i = 0; i < rank; ++i) {
    int64_t dim = ir_type_dim(type, i);
    ir_value_t *at = low_from_index(b, low_loop_index(b, i), i64);
    if (pairs && i == split) {
      second = low_op2(b, OP_ARITH_REMUI, at, two);
      at = low_op2(b, OP_ARITH_DIVUI, at, two);
      dim = (dim + 1) / 2;
    }
    *n_used *= dim;
    position = add(b, low_op2(b, OP_ARITH_MULI, position, low_int(b, i64, dim)), at);
  }
  ir_value_t *key = word(b, state, 0), *c = add(b, word(b, state, 1), position);
  rng_words_t r = low_threefry(b, (rng_words_t){{low_half(b, c), low_high_half(b, c)}},
                           (rng_words_t){{low_half(b, key), low_high_half(b, key)}});
  ir_value_t *v = !pairs   ? low_join_halves(b, r.w[0], r.w[1])
                  : second ? low_select(b, is(b, second, 0), r.w[0], r.w[1])
                           : r.w[0];
  return low_pointwise_end(l, &p, narrowed(b, v, element));
}

iree_status_t input_lower_rng_bit_generator(lowering_t *l, ir_op_t *op) {
  ir_value_t *state = lowered_operand(l, op, 0);
  ir_type_t type = low_type(l->ctx, ir_result(op, 1)->type), element = ir_type_element(type);
  bool is_threefry = ir_str_is(ir_op_attr(op, "rng_algorithm"), "THREE_FRY");
  if (ir_type_rank(state->type) != 1 || !ir_type_is_static(state->type) ||
      !ir_is(ir_type_element(state->type), IR_T_INTEGER) ||
      (ir_type_width(ir_type_element(state->type)) != 64 && !is_narrow_state(state)) ||
      ir_type_dim(state->type, 0) % (is_narrow_state(state) ? 2 : 1) || n_words(state) < 2 ||
      n_words(state) > (is_narrow_state(state) ? 2 : 3))
    return ir_op_error(op, "needs a state of two or three ui64, or of four ui32");
  if (!ir_type_is_static(type) || ir_type_width(element) > 64 ||
      (!ir_is(element, IR_T_INTEGER) && !ir_type_is_float(element)))
    return ir_op_error(op, "gives integers or floats of up to 64 bits in a static shape");
  int64_t n_used;
  set_lowered(l, ir_result(op, 1),
              (is_threefry ? threefry_bits : philox_bits)(l, state, type, &n_used));
  return input_lower_result(l, op, next_state(l, state, n_used));
}
