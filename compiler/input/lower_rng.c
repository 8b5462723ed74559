// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rng_bit_generator by Philox 4x32 with ten rounds: a 128-bit counter encrypted under a 64-bit key.
// State words: key, counter, and if there is a third the counter's high half; else that is the key.
#include "compiler/input/lower.h"

typedef struct words {
  ir_value_t *w[4];
} words_t;

static ir_value_t *xor_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_XORI, x, y);
}
static ir_value_t *low_half(ir_builder_t *b, ir_value_t *v) {
  return ir_build1(b, OP_ARITH_TRUNCI, ir_type_i(b->ctx, 32), v, NULL, NULL);
}
static ir_value_t *high_half(ir_builder_t *b, ir_value_t *v) {
  return low_half(b, low_op2(b, OP_ARITH_SHRUI, v, low_int(b, v->type, 32)));
}

static words_t philox(ir_builder_t *b, words_t c, ir_value_t *key0, ir_value_t *key1) {
  ir_type_t i32 = ir_type_i(b->ctx, 32), i64 = ir_type_i(b->ctx, 64);
  for (int round = 0; round < 10; ++round) {
    ir_value_t *p = low_op2(b, OP_ARITH_MULI, ir_build1(b, OP_ARITH_EXTUI, i64, c.w[0], NULL, NULL),
                            low_int(b, i64, 0xD2511F53));
    ir_value_t *q = low_op2(b, OP_ARITH_MULI, ir_build1(b, OP_ARITH_EXTUI, i64, c.w[2], NULL, NULL),
                            low_int(b, i64, 0xCD9E8D57));
    c = (words_t){{xor_(b, xor_(b, high_half(b, q), c.w[1]), key0), low_half(b, q),
                   xor_(b, xor_(b, high_half(b, p), c.w[3]), key1), low_half(b, p)}};
    if (round == 9) break;
    key0 = low_op2(b, OP_ARITH_ADDI, key0, low_int(b, i32, (int64_t)0x9E3779B9));
    key1 = low_op2(b, OP_ARITH_ADDI, key1, low_int(b, i32, (int64_t)0xBB67AE85));
  }
  return c;
}
static ir_value_t *word(ir_builder_t *b, ir_value_t *state, int64_t i) {
  ir_value_t *at = low_index(b, i);
  return low_extract(b, state, &at, 1);
}
// The state after |n| counters, made where the state is: nothing comes to the host.
static ir_value_t *next_state(lowering_t *l, ir_value_t *state, int64_t n) {
  ir_type_t i64 = ir_type_i(l->ctx, 64);
  sizes_t none = sizes_none();
  pointwise_t p = low_pointwise_begin(l, state->type, &none, &state, 1);
  ir_value_t *i = low_loop_index(&p.b, 0), *zero = low_int(&p.b, i64, 0),
             *step = low_int(&p.b, i64, n), *counter = word(&p.b, state, 1);
  ir_value_t *sum = low_op2(&p.b, OP_ARITH_ADDI, counter, step);
  ir_value_t *carry =
      ir_build1(&p.b, OP_ARITH_EXTUI, i64, low_cmpi(&p.b, "ult", sum, counter), NULL, NULL);
  ir_value_t *add = low_select(&p.b, low_cmpi(&p.b, "eq", i, low_index(&p.b, 1)), step, zero);
  add = low_select(&p.b, low_cmpi(&p.b, "eq", i, low_index(&p.b, 2)), carry, add);
  return low_pointwise_end(l, &p, low_op2(&p.b, OP_ARITH_ADDI, p.body->args[0], add));
}

iree_status_t input_lower_rng_bit_generator(lowering_t *l, ir_op_t *op) {
  ir_value_t *state = lowered_operand(l, op, 0);
  ir_type_t type = low_type(l->ctx, ir_result(op, 1)->type), i64 = ir_type_i(l->ctx, 64),
            element = ir_type_element(type);
  ir_attr_t algorithm = ir_op_attr(op, "rng_algorithm");
  unsigned width = ir_type_width(element);
  if (ir_str_is(algorithm, "THREE_FRY"))
    return ir_op_error(op, "supports the algorithms PHILOX and DEFAULT, not THREE_FRY");
  if (ir_type_rank(state->type) != 1 || ir_type_element(state->type) != i64 ||
      (ir_type_dim(state->type, 0) != 2 && ir_type_dim(state->type, 0) != 3))
    return ir_op_error(op, "needs a state of two or three ui64");
  if (!ir_type_is_static(type) || !ir_is(element, IR_T_INTEGER) || width < 8)
    return ir_op_error(op, "gives integers of 8 to 64 bits in a static shape");
  bool three = ir_type_dim(state->type, 0) == 3;
  // Each counter gives four 32-bit words: element i takes word i % 4, or two words where it is
  // wider.
  int64_t n = ir_type_n_elements(type), per_counter = width == 64 ? 2 : 4,
          n_counters = (n + per_counter - 1) / per_counter;
  sizes_t none = sizes_none();
  ir_type_t flat = ir_type_tensor(l->ctx, &n, 1, element, NULL);
  pointwise_t p = low_pointwise_begin(l, flat, &none, NULL, 0);
  ir_value_t *key = word(&p.b, state, 0), *counter = word(&p.b, state, 1),
             *high = three ? word(&p.b, state, 2) : key;
  ir_value_t *key0 = low_half(&p.b, key), *key1 = high_half(&p.b, key),
             *high0 = low_half(&p.b, high), *high1 = high_half(&p.b, high);
  ir_value_t *i = low_from_index(&p.b, low_loop_index(&p.b, 0), i64),
             *per = low_int(&p.b, i64, per_counter);
  ir_value_t *c = low_op2(&p.b, OP_ARITH_ADDI, counter, low_op2(&p.b, OP_ARITH_DIVUI, i, per)),
             *k = low_op2(&p.b, OP_ARITH_REMUI, i, per);
  words_t r =
      philox(&p.b, (words_t){{low_half(&p.b, c), high_half(&p.b, c), high0, high1}}, key0, key1);
  ir_value_t *v;
  if (width == 64) {
    ir_value_t *first = low_cmpi(&p.b, "eq", k, low_int(&p.b, i64, 0));
    ir_value_t *lo =
        ir_build1(&p.b, OP_ARITH_EXTUI, i64, low_select(&p.b, first, r.w[0], r.w[2]), NULL, NULL);
    ir_value_t *hi =
        ir_build1(&p.b, OP_ARITH_EXTUI, i64, low_select(&p.b, first, r.w[1], r.w[3]), NULL, NULL);
    v = low_op2(&p.b, OP_ARITH_ORI, lo, low_op2(&p.b, OP_ARITH_SHLI, hi, low_int(&p.b, i64, 32)));
  } else {
    v = r.w[3];
    for (int64_t w = 2; w >= 0; --w)
      v = low_select(&p.b, low_cmpi(&p.b, "eq", k, low_int(&p.b, i64, w)), r.w[w], v);
    if (width < 32) v = ir_build1(&p.b, OP_ARITH_TRUNCI, element, v, NULL, NULL);
  }
  set_lowered(l, ir_result(op, 1), low_reshape(l, low_pointwise_end(l, &p, v), type, &none));
  return input_lower_result(l, op, next_state(l, state, n_counters));
}
