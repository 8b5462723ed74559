// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of ops that no form describes:
//   chlo.scan(%a, %b) inits(%c) dimension=0 attributes {...} {region} : (t, u, v) -> (w, v)
//   chlo.erf %a : t -> u, or as MHLO has it: t, where u is the same
#include "compiler/dialects/stablehlo_verify.h"
#include "compiler/ir/parser.h"

enum { INPUTS, INITS };
static bool operand_list(ir_parser_t *p, ir_ref_list_t *list) {
  return p_expect(p, "(") && p_operands_until(p, list, ")");
}
static bool scan_types(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_list_t in = {0}, out = {0};
  uint32_t n = s->operands[INPUTS].n, carries = s->operands[INITS].n;
  if (!p_paren_types(p, &in) || !p_expect(p, "->") || !p_paren_types(p, &out)) return false;
  if (in.n != n + carries) return p_error(p, "%u operand types for %u operands", in.n, n + carries);
  if (out.n < carries) return p_error(p, "%u result types for %u carries", out.n, carries);
  for (uint32_t i = 0; i < in.n; ++i)
    if (!p_list_add_type(p, &s->operands[i < n ? INPUTS : INITS], in.types[i])) return false;
  for (uint32_t i = 0; i < out.n; ++i)
    p_types_push(p, &s->results[i + carries < out.n ? 0 : 1], out.types[i]);
  return true;
}
static bool scan_parse(ir_parser_t *p, ir_op_state_t *s) {
  int64_t dimension;
  return operand_list(p, &s->operands[INPUTS]) && p_expect(p, "inits") &&
         operand_list(p, &s->operands[INITS]) && p_expect(p, "dimension") && p_expect(p, "=") &&
         p_expect_int(p, &dimension) &&
         p_set_attr(p, s, "dimension", ir_attr_i64(p_ctx(p), dimension)) && p_attr_dict_kw(p, s) &&
         p_region(p, s, NULL, 0) && p_expect(p, ":") && scan_types(p, s);
}
const ir_op_hooks_t chlo_scan_hooks = {.verify = hlo_verify, .parse = scan_parse};

// ---- functions of one operand
static bool unary_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t from, to;
  if (!p_operand(p, &s->operands[0]) || !p_attr_dict(p, s) || !p_expect(p, ":")) return false;
  if (p_accept(p, "(")) {
    if (!p_type(p, &from) || !p_expect(p, ")") || !p_expect(p, "->") || !p_type(p, &to))
      return false;
  } else {
    if (!p_type(p, &from)) return false;
    to = from;
    if (p_accept(p, "->") && !p_type(p, &to)) return false;
  }
  p_types_push(p, &s->results[0], to);
  return p_list_add_type(p, &s->operands[0], from);
}
const ir_op_hooks_t chlo_unary_hooks = {.verify = hlo_verify, .parse = unary_parse};
