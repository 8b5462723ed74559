// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stablehlo: texts beyond the form language. Ops with regions other than while, and convolutions,
// print in the generic form.
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/stablehlo.h"
#include "compiler/dialects/stablehlo_verify.h"
#include "compiler/ir/suggest.h"

const ir_op_hooks_t hlo_hooks = {.verify = hlo_verify};  // ops whose row says their text

// ---- functional types over one operand group per op, or over groups of one
static bool functional(ir_parser_t *p, ir_op_state_t *s, size_t n_groups) {
  ir_type_list_t in = {0}, out = {0};
  if (!p_paren_types(p, &in) || !p_expect(p, "->") || !p_paren_types(p, &out)) return false;
  uint32_t k = 0;
  for (size_t g = 0; g < n_groups; ++g) {
    s->operands[g].have_types = true;
    for (uint32_t i = 0; i < s->operands[g].n; ++i, ++k)
      if (k < in.n) s->operands[g].types[i] = in.types[k];
  }
  if (k != in.n) return p_error(p, "%u operand types for %u operands", in.n, k);
  for (uint32_t i = 0; i < out.n; ++i) p_types_push(p, &s->results[0], out.types[i]);
  return true;
}
static void print_functional(ir_printer_t *p, const ir_op_t *op) {
  pr_text(p, ":");
  pr_raw(p, " (");
  pr_types(p, op, (ir_group_t){0, op->n_operands});
  pr_text(p, ")");
  pr_arrow_results(p, op);
}

// ---- elementwise: `op %a, %b : t`, or with a function type where the types differ
static size_t n_groups_of(ir_kind_t kind) {
  switch (kind) {
    case OP_HLO_CLAMP:
    case OP_HLO_SELECT:
      return 3;
    case OP_HLO_ADD:
    case OP_HLO_AND:
    case OP_HLO_ATAN2:
    case OP_HLO_COMPLEX:
    case OP_HLO_DIVIDE:
    case OP_HLO_MAXIMUM:
    case OP_HLO_MINIMUM:
    case OP_HLO_MULTIPLY:
    case OP_HLO_OR:
    case OP_HLO_POWER:
    case OP_HLO_REMAINDER:
    case OP_HLO_SHIFT_LEFT:
    case OP_HLO_SHIFT_RIGHT_ARITHMETIC:
    case OP_HLO_SHIFT_RIGHT_LOGICAL:
    case OP_HLO_SUBTRACT:
    case OP_HLO_XOR:
      return 2;
    default:
      return 1;
  }
}
static bool elementwise_operands(ir_parser_t *p, ir_op_state_t *s, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if ((i && !p_expect(p, ",")) || !p_operand(p, &s->operands[i])) return false;
  return p_attr_dict(p, s) && p_expect(p, ":");
}
static bool elementwise_parse(ir_parser_t *p, ir_op_state_t *s) {
  size_t n = n_groups_of(s->kind);
  ir_type_t type;
  if (!elementwise_operands(p, s, n)) return false;
  if (p_at(p, "(")) return functional(p, s, n);
  if (!p_type(p, &type)) return false;
  ir_type_t operand = type;
  if (s->kind == OP_HLO_COMPLEX) {
    ir_type_t element = ir_type_element(type);
    if (!ir_is(element, IR_T_COMPLEX)) return p_error(p, "expected a tensor of complex");
    operand = ir_type_with_element(p_ctx(p), type, ir_kid(element, 0));
  }
  for (size_t i = 0; i < n; ++i) p_list_set_type(p, &s->operands[i], operand);
  p_types_push(p, &s->results[0], type);
  return true;
}
static void elementwise_print(ir_printer_t *p, const ir_op_t *op) {
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_attr_dict(p, op, NULL);
  bool same = true;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    same = same && ir_operand(op, i)->type == ir_result(op, 0)->type;
  if (!same) {
    print_functional(p, op);
    return;
  }
  pr_text(p, ":");
  pr_type(p, ir_result(op, 0)->type);
}
const ir_op_hooks_t hlo_elementwise_hooks = {
    .verify = hlo_verify, .parse = elementwise_parse, .print = elementwise_print};

// `stablehlo.select %p, %a, %b : tensor<i1>, tensor<4xf32>`
static bool select_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t pred, type;
  if (!elementwise_operands(p, s, 3)) return false;
  if (p_at(p, "(")) return functional(p, s, 3);
  if (!p_type(p, &pred) || !p_expect(p, ",") || !p_type(p, &type)) return false;
  p_list_set_type(p, &s->operands[0], pred);
  p_list_set_type(p, &s->operands[1], type);
  p_list_set_type(p, &s->operands[2], type);
  p_types_push(p, &s->results[0], type);
  return true;
}
static void select_print(ir_printer_t *p, const ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  pr_values(p, op, (ir_group_t){0, 3});
  pr_attr_dict(p, op, NULL);
  if (ir_operand(op, 1)->type != type || ir_operand(op, 2)->type != type) {
    print_functional(p, op);
    return;
  }
  pr_text(p, ":");
  pr_type(p, ir_operand(op, 0)->type);
  pr_text(p, ",");
  pr_type(p, type);
}
const ir_op_hooks_t hlo_select_hooks = {
    .verify = hlo_verify, .parse = select_parse, .print = select_print};

// ---- slice: `%a [0:3, 1:8:2] : (t) -> t`
static bool slice_parse(ir_parser_t *p, ir_op_state_t *s) {
  int64_t start[HLO_MAX_RANK], limit[HLO_MAX_RANK], stride[HLO_MAX_RANK];
  size_t n = 0;
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, "[")) return false;
  while (!p_at(p, "]")) {
    if (n == HLO_MAX_RANK) return p_error(p, "rank over %d", HLO_MAX_RANK);
    stride[n] = 1;
    if ((n && !p_expect(p, ",")) || !p_expect_int(p, &start[n]) || !p_expect(p, ":") ||
        !p_expect_int(p, &limit[n]))
      return false;
    if (p_accept(p, ":") && !p_expect_int(p, &stride[n])) return false;
    ++n;
  }
  ir_ctx_t *ctx = p_ctx(p);
  return p_expect(p, "]") && p_set_attr(p, s, "start_indices", ir_attr_i64s(ctx, start, n)) &&
         p_set_attr(p, s, "limit_indices", ir_attr_i64s(ctx, limit, n)) &&
         p_set_attr(p, s, "strides", ir_attr_i64s(ctx, stride, n)) && p_attr_dict(p, s) &&
         p_expect(p, ":") && functional(p, s, 1);
}
static void slice_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"start_indices", "limit_indices", "strides", NULL};
  ir_attr_t start = ir_op_attr(op, "start_indices"), limit = ir_op_attr(op, "limit_indices"),
            stride = ir_op_attr(op, "strides");
  pr_value(p, ir_operand(op, 0));
  pr_raw(p, " [");
  for (uint32_t i = 0; i < start->n_ints; ++i) {
    char text[80];
    int n = snprintf(text, sizeof text, "%s%lld:%lld", i ? ", " : "", (long long)ir_int(start, i),
                     (long long)ir_int(limit, i));
    if (ir_int(stride, i) != 1)
      snprintf(text + n, sizeof text - (size_t)n, ":%lld", (long long)ir_int(stride, i));
    pr_raw(p, text);
  }
  pr_raw(p, "]");
  pr_attr_dict(p, op, skip);
  print_functional(p, op);
}
const ir_op_hooks_t hlo_slice_hooks = {
    .verify = hlo_verify, .parse = slice_parse, .print = slice_print};

// ---- `%a, %b, word = value : functional`
// Operands of the first |n| groups, the last of them of any number, up to |word| if that is given.
static bool operands_before(ir_parser_t *p, ir_op_state_t *s, size_t n, const char *word) {
  for (size_t g = 0, first = 1; p_at_operand(p); first = 0) {
    (void)first;
    if (!p_operand(p, &s->operands[g])) return false;
    if (g + 1 < n) ++g;
    if (!p_accept(p, ",")) return !word || p_error(p, "expected '%s'", word);
  }
  return !word || p_expect(p, word);
}
static bool concatenate_parse(ir_parser_t *p, ir_op_state_t *s) {
  int64_t dim;
  return operands_before(p, s, 1, "dim") && p_expect(p, "=") && p_expect_int(p, &dim) &&
         p_set_attr(p, s, "dimension", ir_attr_i64(p_ctx(p), dim)) && p_attr_dict(p, s) &&
         p_expect(p, ":") && functional(p, s, 1);
}
static void concatenate_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"dimension", NULL};
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_text(p, ",");
  pr_text(p, "dim");
  pr_text(p, "=");
  pr_int(p, ir_op_int(op, "dimension", 0));
  pr_attr_dict(p, op, skip);
  print_functional(p, op);
}
const ir_op_hooks_t hlo_concatenate_hooks = {
    .verify = hlo_verify, .parse = concatenate_parse, .print = concatenate_print};

static bool dynamic_slice_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t sizes;
  return operands_before(p, s, 2, "sizes") && p_expect(p, "=") && p_attr(p, &sizes) &&
         p_set_attr(p, s, "slice_sizes", sizes) && p_attr_dict(p, s) && p_expect(p, ":") &&
         functional(p, s, 2);
}
static void dynamic_slice_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"slice_sizes", NULL};
  ir_attr_t sizes = ir_op_attr(op, "slice_sizes");
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_raw(p, ", sizes = [");
  for (uint32_t i = 0; i < sizes->n_ints; ++i) {
    char text[32];
    snprintf(text, sizeof text, "%s%lld", i ? ", " : "", (long long)ir_int(sizes, i));
    pr_raw(p, text);
  }
  pr_raw(p, "]");
  pr_attr_dict(p, op, skip);
  print_functional(p, op);
}
const ir_op_hooks_t hlo_dynamic_slice_hooks = {
    .verify = hlo_verify, .parse = dynamic_slice_parse, .print = dynamic_slice_print};

static bool dynamic_update_slice_parse(ir_parser_t *p, ir_op_state_t *s) {
  return operands_before(p, s, 3, NULL) && p_attr_dict(p, s) && p_expect(p, ":") &&
         functional(p, s, 3);
}
static void operands_print(ir_printer_t *p, const ir_op_t *op) {
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_attr_dict(p, op, NULL);
  print_functional(p, op);
}
const ir_op_hooks_t hlo_dynamic_update_slice_hooks = {
    .verify = hlo_verify, .parse = dynamic_update_slice_parse, .print = operands_print};

// ---- reduce_precision: `%a, format = e5m10 : t`
static bool reduce_precision_parse(ir_parser_t *p, ir_op_state_t *s) {
  const char *word;
  int exponent, mantissa;
  ir_type_t type;
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, ",") || !p_expect(p, "format") ||
      !p_expect(p, "=") || !p_expect_word(p, &word))
    return false;
  if (sscanf(word, "e%dm%d", &exponent, &mantissa) != 2)
    return p_error(p, "expected a format such as e5m10");
  if (!p_set_attr(p, s, "exponent_bits", ir_attr_i32(p_ctx(p), exponent)) ||
      !p_set_attr(p, s, "mantissa_bits", ir_attr_i32(p_ctx(p), mantissa)) || !p_attr_dict(p, s) ||
      !p_expect(p, ":"))
    return false;
  if (p_at(p, "(")) return functional(p, s, 1);
  if (!p_type(p, &type)) return false;
  p_list_set_type(p, &s->operands[0], type);
  p_types_push(p, &s->results[0], type);
  return true;
}
static void reduce_precision_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"exponent_bits", "mantissa_bits", NULL};
  char text[64];
  snprintf(text, sizeof text, ", format = e%dm%d", (int)ir_op_int(op, "exponent_bits", 0),
           (int)ir_op_int(op, "mantissa_bits", 0));
  pr_value(p, ir_operand(op, 0));
  pr_raw(p, text);
  pr_attr_dict(p, op, skip);
  if (ir_operand(op, 0)->type != ir_result(op, 0)->type) {
    print_functional(p, op);
    return;
  }
  pr_text(p, ":");
  pr_type(p, ir_result(op, 0)->type);
}
const ir_op_hooks_t hlo_reduce_precision_hooks = {.verify = hlo_verify, .parse = reduce_precision_parse,
                                                  .print = reduce_precision_print};

// ---- dot_general: `%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision =
// [DEFAULT, DEFAULT]`
static ir_attr_t make_param(ir_ctx_t *ctx, const char *name, ir_attr_t value) {
  return ir_term(ctx, IR_A_PARAM, NULL, 0, (const ir_term_t *[]){ir_attr_keyword(ctx, name), value},
                 2, NULL, 0);
}
// `[DEFAULT, HIGHEST]` as an array of #stablehlo<precision DEFAULT>.
static bool precision_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t list[4];
  size_t n = 0;
  if (!p_expect(p, "=") || !p_expect(p, "[")) return false;
  if (p_at(p, "]")) n = 0;
  else do {
    const char *word;
    char text[64];
    if (n == 4 || !p_expect_word(p, &word))
      return n == 4 ? p_error(p, "too many precisions") : false;
    suggest_t near = suggest_begin(iree_make_cstring_view(word));
    if (!suggest_try_words(&near, "DEFAULT HIGH HIGHEST PACKED_NIBBLE"))
      return p_error(p, "no precision is called '%s'; there are DEFAULT, HIGH and HIGHEST", word);
    snprintf(text, sizeof text, "precision %.40s", word);
    ir_attr_t keyword = ir_attr_keyword(p_ctx(p), text);
    list[n++] = ir_attr_dialect(p_ctx(p), "stablehlo", &keyword, 1);
  } while (p_accept(p, ","));
  return p_expect(p, "]") && p_set_attr(p, s, "precision_config", ir_attr_array(p_ctx(p), list, n));
}
static void precision_print(ir_printer_t *p, const ir_op_t *op) {
  ir_attr_t list = ir_op_attr(op, "precision_config");
  if (!list || !list->n_kids) return;
  pr_raw(p, ", precision = [");
  for (uint32_t i = 0; i < list->n_kids; ++i) {
    ir_attr_t a = ir_kid(list, i);
    const char *text = a->n_kids ? ir_bytes(ir_kid(a, 0)) : "precision DEFAULT";
    pr_raw(p, i ? ", " : "");
    pr_raw(p, strchr(text, ' ') ? strchr(text, ' ') + 1 : text);
  }
  pr_raw(p, "]");
}
static bool dot_general_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  ir_attr_t params[4];
  size_t n = 0;
  static const char *const words[2] = {"batching_dims", "contracting_dims"};
  static const char *const names[2][2] = {
      {"lhs_batching_dimensions", "rhs_batching_dimensions"},
      {"lhs_contracting_dimensions", "rhs_contracting_dimensions"}};
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, ",") || !p_operand(p, &s->operands[1]))
    return false;
  while (p_accept(p, ",")) {
    size_t i = p_at(p, words[0]) ? 0 : 1;
    ir_attr_t lhs, rhs;
    if (p_accept(p, "precision")) {
      if (!precision_parse(p, s)) return false;
      continue;
    }
    if (p_accept(p, "algorithm")) {
      ir_attr_t *fields, *grown = NULL;
      size_t n_fields = 0, cap = 0;
      (void)fields;
      if (!p_expect(p, "=") || !p_expect(p, "<")) return false;
      do {
        const char *name;
        ir_attr_t value;
        if (!p_expect_word(p, &name) || !p_expect(p, "=") || !p_attr(p, &value)) return false;
        IREE_ARENA_PUSH(ir_arena(ctx), grown, n_fields, cap, make_param(ctx, name, value));
      } while (p_accept(p, ","));
      if (!p_expect(p, ">") ||
          !p_set_attr(p, s, "algorithm",
                      ir_attr_dialect(ctx, "stablehlo.dot_algorithm", grown, n_fields)))
        return false;
      continue;
    }
    if (!p_expect(p, words[i]) || n + 2 > 4) return false;
    if (!p_expect(p, "=") || !p_attr(p, &lhs) || !p_expect(p, "x") || !p_attr(p, &rhs))
      return false;
    if (lhs->n_kids) params[n++] = make_param(ctx, names[i][0], lhs);
    if (rhs->n_kids) params[n++] = make_param(ctx, names[i][1], rhs);
  }
  return p_set_attr(p, s, "dot_dimension_numbers",
                    ir_attr_dialect(ctx, "stablehlo.dot", params, n)) &&
         p_attr_dict(p, s) && p_expect(p, ":") && functional(p, s, 2);
}
static void print_dims(ir_printer_t *p, hlo_dims_t dims) {
  pr_raw(p, "[");
  for (size_t i = 0; i < dims.n; ++i) {
    char text[32];
    snprintf(text, sizeof text, "%s%lld", i ? ", " : "", (long long)dims.at[i]);
    pr_raw(p, text);
  }
  pr_raw(p, "]");
}
static void dot_general_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"dot_dimension_numbers", "precision_config", "algorithm",
                                     NULL};
  ir_attr_t numbers = ir_op_attr(op, "dot_dimension_numbers"),
            algorithm = ir_op_attr(op, "algorithm");
  hlo_dims_t lb = hlo_list(numbers, "lhs_batching_dimensions"),
             rb = hlo_list(numbers, "rhs_batching_dimensions");
  pr_values(p, op, (ir_group_t){0, 2});
  if (lb.n) {
    pr_raw(p, ", batching_dims = ");
    print_dims(p, lb), pr_raw(p, " x "), print_dims(p, rb);
  }
  pr_raw(p, ", contracting_dims = ");
  print_dims(p, hlo_list(numbers, "lhs_contracting_dimensions")), pr_raw(p, " x ");
  print_dims(p, hlo_list(numbers, "rhs_contracting_dimensions"));
  precision_print(p, op);
  if (algorithm) {
    pr_raw(p, ", algorithm = <");
    for (uint32_t i = 0; i < algorithm->n_kids; ++i)
      pr_raw(p, i ? ", " : ""), pr_attr_bare(p, ir_kid(algorithm, i));
    pr_raw(p, ">");
  }
  pr_attr_dict(p, op, skip);
  print_functional(p, op);
}
const ir_op_hooks_t hlo_dot_general_hooks = {
    .verify = hlo_verify, .parse = dot_general_parse, .print = dot_general_print};

static bool dot_parse(ir_parser_t *p, ir_op_state_t *s) {
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, ",") || !p_operand(p, &s->operands[1]))
    return false;
  if (p_accept(p, ",") && (!p_expect(p, "precision") || !precision_parse(p, s))) return false;
  return p_attr_dict(p, s) && p_expect(p, ":") && functional(p, s, 2);
}
static void dot_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"precision_config", NULL};
  pr_values(p, op, (ir_group_t){0, 2});
  precision_print(p, op);
  pr_attr_dict(p, op, skip);
  print_functional(p, op);
}
const ir_op_hooks_t hlo_dot_hooks = {.verify = hlo_verify, .parse = dot_parse, .print = dot_print};

// ---- convolution: `(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1],
// ...} {...}`
static bool conv_bracket(ir_parser_t *p, char *text, size_t *used, size_t cap) {
  if (!p_expect(p, "[")) return false;
  text[(*used)++] = '[';
  for (bool first = true; !p_at(p, "]"); first = false) {
    const char *word;
    int64_t number;
    char item[32];
    if (!first && !p_expect(p, ",")) return false;
    if (p_accept_word(p, &word))
      snprintf(item, sizeof item, "%s%.8s", first ? "" : ", ", word);
    else if (p_accept(p, "?"))
      snprintf(item, sizeof item, "%s?", first ? "" : ", ");
    else if (p_expect_int(p, &number))
      snprintf(item, sizeof item, "%s%d", first ? "" : ", ", (int)(number & 0xFF));
    else
      return false;
    if (*used + strlen(item) + 8 > cap) return p_error(p, "too many dimensions");
    memcpy(text + *used, item, strlen(item));
    *used += strlen(item);
  }
  text[(*used)++] = ']';
  return p_expect(p, "]");
}
// `[[1, 2], [0, 0]]` as dense<...> : tensor<Nx2xi64>.
static bool padding_attr(ir_parser_t *p, ir_op_state_t *s, ir_attr_t rows) {
  int64_t values[2 * HLO_MAX_RANK];
  size_t n = rows->n_kids;
  if (n > HLO_MAX_RANK) return p_error(p, "rank over %d", HLO_MAX_RANK);
  for (size_t i = 0; i < n; ++i) {
    ir_attr_t row = ir_kid(rows, i);
    if (!ir_is(row, IR_A_ARRAY) || row->n_kids != 2 || !ir_is(ir_kid(row, 0), IR_A_INT) ||
        !ir_is(ir_kid(row, 1), IR_A_INT))
      return p_error(p, "padding takes pairs of numbers");
    values[2 * i] = ir_int(ir_kid(row, 0), 0);
    values[2 * i + 1] = ir_int(ir_kid(row, 1), 0);
  }
  int64_t dims[2] = {(int64_t)n, 2};
  ir_type_t type = ir_type_tensor(p_ctx(p), dims, 2, ir_type_i(p_ctx(p), 64), NULL);
  return p_set_attr(p, s, "padding", ir_attr_dense(p_ctx(p), type, values, n * 16, false, true));
}
static bool window_parse(ir_parser_t *p, ir_op_state_t *s) {
  static const char *const names[][2] = {{"stride", "window_strides"},
                                         {"lhs_dilate", "lhs_dilation"},
                                         {"rhs_dilate", "rhs_dilation"},
                                         {"reverse", "window_reversal"}};
  if (!p_expect(p, "window") || !p_expect(p, "=") || !p_expect(p, "{")) return false;
  while (!p_accept(p, "}")) {
    const char *word;
    ir_attr_t value;
    if (!p_expect_word(p, &word) || !p_expect(p, "=") || !p_attr(p, &value)) return false;
    if (!ir_is(value, IR_A_ARRAY)) return p_error(p, "expected a list");
    if (!strcmp(word, "pad")) {
      if (!padding_attr(p, s, value)) return false;
    } else {
      size_t i = 0;
      while (i < 4 && strcmp(names[i][0], word)) ++i;
      if (i == 4) return p_error(p, "a window has no '%s'", word);
      if (i == 3) {  // written as booleans or as 0 and 1
        int64_t flags[HLO_MAX_RANK];
        for (uint32_t k = 0; k < value->n_kids && k < HLO_MAX_RANK; ++k)
          flags[k] = (ir_is(ir_kid(value, k), IR_A_BOOL) || ir_is(ir_kid(value, k), IR_A_INT)) &&
                     ir_int(ir_kid(value, k), 0) != 0;
        value = ir_attr_dense_array(p_ctx(p), ir_type_i(p_ctx(p), 1), flags,
                                    value->n_kids < HLO_MAX_RANK ? value->n_kids : HLO_MAX_RANK);
      }
      if (!p_set_attr(p, s, names[i][1], value)) return false;
    }
    if (!p_at(p, "}") && !p_expect(p, ",")) return false;
  }
  return true;
}
static bool convolution_parse(ir_parser_t *p, ir_op_state_t *s) {
  char text[256];
  size_t used = 0;
  if (!p_expect(p, "(") || !p_operand(p, &s->operands[0]) || !p_expect(p, ",") ||
      !p_operand(p, &s->operands[1]) || !p_expect(p, ")") || !p_expect(p, "dim_numbers") ||
      !p_expect(p, "=") || !conv_bracket(p, text, &used, sizeof text) || !p_expect(p, "x"))
    return false;
  text[used++] = 'x';
  if (!conv_bracket(p, text, &used, sizeof text) || !p_expect(p, "->")) return false;
  text[used++] = '-', text[used++] = '>';
  if (!conv_bracket(p, text, &used, sizeof text)) return false;
  text[used] = 0;
  ir_attr_t keyword = ir_attr_keyword(p_ctx(p), text);
  return p_set_attr(p, s, "dimension_numbers",
                    ir_attr_dialect(p_ctx(p), "stablehlo.conv", &keyword, 1)) &&
         p_expect(p, ",") && window_parse(p, s) && p_attr_dict(p, s) && p_expect(p, ":") &&
         functional(p, s, 2);
}
const ir_op_hooks_t hlo_convolution_hooks = {.verify = hlo_verify,
                                             .parse = convolution_parse};

// ---- reduce: `(%a init: %c), (%b init: %d) [applies stablehlo.add] across dimensions = [1] :
// functional [reducer(...) (...) {...}]`
static bool reducer_region(ir_parser_t *p, ir_op_state_t *s, size_t n) {
  ir_block_arg_ref_t args[2 * 64];
  if (n > 64) return p_error(p, "more than 64 inputs");
  for (size_t i = 0; i < n; ++i)
    if (!p_expect(p, "(") || !p_block_arg(p, &args[i]) || !p_expect(p, ",") ||
        !p_block_arg(p, &args[n + i]) || !p_expect(p, ")"))
      return false;
  return p_region(p, s, args, 2 * n);
}
static bool is_commutative(ir_kind_t kind) {
  return kind == OP_HLO_ADD || kind == OP_HLO_MULTIPLY || kind == OP_HLO_MAXIMUM || kind == OP_HLO_MINIMUM ||
         kind == OP_HLO_AND || kind == OP_HLO_OR || kind == OP_HLO_XOR;
}
static bool reducer_of_op(ir_parser_t *p, ir_op_state_t *s, const char *name) {
  ir_ctx_t *ctx = p_ctx(p);
  ir_kind_t kind = ir_kind_lookup(ctx, iree_make_cstring_view(name));
  if (!kind || !is_commutative(kind))
    return p_error_at(p, s->at, "'%s' cannot be applied; add, multiply, maximum, minimum, and, or, xor of stablehlo can", name);
  ir_type_t element = ir_type_element(s->operands[0].types[0]);
  ir_type_t type = ir_type_tensor(ctx, NULL, 0, element, NULL);
  ir_block_t *block = ir_block_create(ctx, p_region_empty(p, s));
  ir_value_t *x = ir_block_add_arg(ctx, block, type), *y = ir_block_add_arg(ctx, block, type);
  ir_builder_t b = ir_builder_at_end(ctx, block);
  ir_value_t *r = ir_build1(&b, kind, type, x, y, NULL);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_HLO_RETURN, .operands = &r, .n_operands = 1});
  return true;
}
static bool reduce_parse(ir_parser_t *p, ir_op_state_t *s) {
  const char *applied = NULL;
  ir_attr_t dims;
  do {
    if (!p_expect(p, "(") || !p_operand(p, &s->operands[0]) || !p_expect(p, "init") ||
        !p_expect(p, ":") || !p_operand(p, &s->operands[1]) || !p_expect(p, ")"))
      return false;
  } while (p_accept(p, ","));
  if (p_accept(p, "applies") && !p_expect_word(p, &applied)) return false;
  if (!p_expect(p, "across") || !p_expect(p, "dimensions") || !p_expect(p, "=") ||
      !p_attr(p, &dims) || !p_set_attr(p, s, "dimensions", dims) || !p_attr_dict(p, s) ||
      !p_expect(p, ":") || !functional(p, s, 2))
    return false;
  if (applied) return reducer_of_op(p, s, applied);
  return p_expect(p, "reducer") && reducer_region(p, s, s->operands[0].n);
}
const ir_op_hooks_t hlo_reduce_hooks = {.verify = hlo_verify, .parse = reduce_parse};

// ---- while: `(%x = %a, %y = %b) : t, t cond {...} do {...}`
static bool while_parse(ir_parser_t *p, ir_op_state_t *s) {
  enum { MAX = 1024 };
  ir_block_arg_ref_t *args = IREE_ARENA_ARRAY(ir_arena(p_ctx(p)), ir_block_arg_ref_t, MAX);
  ir_type_list_t types = {0};
  size_t n = 0;
  if (!p_expect(p, "(")) return false;
  if (!p_accept(p, ")")) {
    do {
      ir_ref_list_t name = {0};
      if (n == MAX) return p_error(p, "more than %d values", MAX);
      if (!p_operand(p, &name) || !p_expect(p, "=") || !p_operand(p, &s->operands[0])) return false;
      args[n].at = name.refs[0].at;
      args[n++].name = name.refs[0].name;
    } while (p_accept(p, ","));
    if (!p_expect(p, ")")) return false;
  }
  if (n && (!p_expect(p, ":") || !p_types(p, &types))) return false;
  if (!n) p_accept(p, ":");
  if (!p_list_set_types(p, &s->operands[0], &types)) return false;
  for (size_t i = 0; i < n; ++i) {
    args[i].type = types.types[i];
    p_types_push(p, &s->results[0], types.types[i]);
  }
  return p_attr_dict_kw(p, s) && p_expect(p, "cond") && p_region(p, s, args, n) &&
         p_expect(p, "do") && p_region(p, s, args, n);
}
const ir_op_hooks_t hlo_while_hooks = {.verify = hlo_verify, .parse = while_parse};

// ---- constant: `dense<1> : t`, or `() {value = dense<1> : u} : () -> t` where t is quantised
static bool constant_parse(ir_parser_t *p, ir_op_state_t *s) {
  if (p_accept(p, "("))
    return p_expect(p, ")") && p_attr_dict(p, s) && p_expect(p, ":") && functional(p, s, 0);
  ir_attr_t value;
  if (!p_attr_dict(p, s) || !p_attr(p, &value)) return false;
  if (!ir_is(value, IR_A_DENSE) && !ir_is(value, IR_A_RESOURCE))
    return p_error(p, "expected dense elements");
  p_types_push(p, &s->results[0], ir_kid(value, 0));
  return p_set_attr(p, s, "value", value);
}
static void constant_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"value", NULL};
  ir_attr_t value = ir_op_attr(op, "value");
  bool plain = ir_is(value, IR_A_DENSE) || ir_is(value, IR_A_RESOURCE);
  if (plain && ir_kid(value, 0) != ir_result(op, 0)->type) {
    pr_raw(p, "()");
    pr_attr_dict(p, op, NULL);
    return print_functional(p, op);
  }
  pr_attr_dict(p, op, skip);
  pr_attr(p, value);
}
const ir_op_hooks_t hlo_constant_hooks = {
    .verify = hlo_verify, .parse = constant_parse, .print = constant_print};

// ---- tuple, optimization_barrier, custom_call
static bool tuple_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t type;
  if (p_at_operand(p) && !p_operands(p, &s->operands[0])) return false;
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type)) return false;
  if (!ir_is(type, IR_T_TUPLE) || type->n_kids != s->operands[0].n)
    return p_error(p, "expected a tuple type of %u members", s->operands[0].n);
  for (uint32_t i = 0; i < type->n_kids; ++i) s->operands[0].types[i] = ir_kid(type, i);
  s->operands[0].have_types = true;
  p_types_push(p, &s->results[0], type);
  return true;
}
static void tuple_print(ir_printer_t *p, const ir_op_t *op) {
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_attr_dict(p, op, NULL);
  pr_text(p, ":");
  pr_type(p, ir_result(op, 0)->type);
}
const ir_op_hooks_t hlo_tuple_hooks = {.verify = hlo_verify, .parse = tuple_parse, .print = tuple_print};

static bool barrier_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_list_t types = {0};
  if (p_accept(p, "(")) return p_expect(p, ")") && p_attr_dict(p, s);
  if (!p_operands(p, &s->operands[0]) || !p_attr_dict(p, s) || !p_expect(p, ":") ||
      !p_types(p, &types) || !p_list_set_types(p, &s->operands[0], &types))
    return false;
  for (uint32_t i = 0; i < types.n; ++i) p_types_push(p, &s->results[0], types.types[i]);
  return true;
}
static void barrier_print(ir_printer_t *p, const ir_op_t *op) {
  if (!op->n_operands) {
    pr_raw(p, " ()");
    pr_attr_dict(p, op, NULL);
    return;
  }
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_attr_dict(p, op, NULL);
  pr_text(p, ":");
  pr_result_types(p, op);
}
const ir_op_hooks_t hlo_barrier_hooks = {.verify = hlo_verify, .parse = barrier_parse, .print = barrier_print};

static bool custom_call_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t name;
  return p_expect_symbol(p, &name) && p_set_attr(p, s, "call_target_name", name) &&
         p_expect(p, "(") && p_operands_until(p, &s->operands[0], ")") && p_attr_dict(p, s) &&
         p_expect(p, ":") && functional(p, s, 1);
}
static void custom_call_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"call_target_name", NULL};
  pr_symbol(p, ir_str(ir_op_attr(op, "call_target_name")));
  pr_text(p, "(");
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_text(p, ")");
  pr_attr_dict(p, op, skip);
  print_functional(p, op);
}
const ir_op_hooks_t hlo_custom_call_hooks = {.verify = hlo_verify, .parse = custom_call_parse,
                                             .print = custom_call_print};
