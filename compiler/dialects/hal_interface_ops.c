// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hal.interface: texts that the form language cannot say.
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/parse_internal.h"

// `hal.interface.workgroup.id[0] upper_bound 65535 : index`
static bool workgroup_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  int64_t value;
  ir_type_t type;
  if (!p_expect(p, "[") || !p_expect_int(p, &value) || !p_expect(p, "]")) return false;
  if (!p_set_attr(p, s, "dimension", ir_attr_index(ctx, value))) return false;
  if (p_accept(p, "upper_bound")) {
    if (!p_expect_int(p, &value) || !p_set_attr(p, s, "upper_bound", ir_attr_index(ctx, value))) return false;
  }
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type)) return false;
  p_types_push(p, &s->results[0], type);
  return true;
}
static void workgroup_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"dimension", "upper_bound", NULL};
  pr_raw(p, "[");
  pr_int(p, ir_op_int(op, "dimension", 0));
  pr_text(p, "]");
  if (ir_op_attr(op, "upper_bound")) {
    pr_text(p, "upper_bound");
    pr_int(p, ir_op_int(op, "upper_bound", 0));
  }
  pr_attr_dict(p, op, skip);
  pr_text(p, ":");
  pr_result_types(p, op);
}
static iree_status_t workgroup_verify(ir_op_t *op) {
  int64_t d = ir_op_int(op, "dimension", 0);
  return d >= 0 && d < 3 ? iree_ok_status() : ir_op_error(op, "needs a dimension of 0, 1 or 2");
}
const ir_op_hooks_t hal_workgroup_hooks = {.verify = workgroup_verify, .parse = workgroup_parse, .print = workgroup_print};

// `layout(#pipeline_layout)` or `layout(<bindings = [...]>)`
static bool layout_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t layout;
  if (!p_expect(p, "layout") || !p_expect(p, "(")) return false;
  if (p_at(p, "<")) {
    ir_attr_t *params = NULL;
    size_t n = 0;
    if (!p_params(p, &params, &n)) return false;
    layout = ir_attr_dialect(p_ctx(p), "hal.pipeline.layout", params, n);
  } else if (!p_attr(p, &layout)) {
    return false;
  }
  return p_set_attr(p, s, "layout", layout) && p_expect(p, ")");
}
static bool index_clause(ir_parser_t *p, ir_op_state_t *s, const char *word, const char *attr, bool required) {
  int64_t value;
  if (required ? !p_expect(p, word) : !p_accept(p, word)) return !required;
  return p_expect(p, "(") && p_expect_int(p, &value) && p_set_attr(p, s, attr, ir_attr_index(p_ctx(p), value)) &&
         p_expect(p, ")");
}
static void layout_print(ir_printer_t *p, const ir_op_t *op) {
  pr_text(p, "layout(");
  pr_attr(p, ir_op_attr(op, "layout"));
  pr_text(p, ")");
}
static void index_print(ir_printer_t *p, const ir_op_t *op, const char *word, const char *attr) {
  if (!ir_op_attr(op, attr)) return;
  pr_text(p, word);
  pr_raw(p, "(");
  pr_int(p, ir_op_int(op, attr, 0));
  pr_text(p, ")");
}

// `hal.interface.constant.load layout(...) ordinal(0) alignment(16) values([...]) : i32`
static bool constant_load_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t values;
  ir_type_t type;
  if (!layout_parse(p, s) || !index_clause(p, s, "ordinal", "ordinal", true) ||
      !index_clause(p, s, "alignment", "alignment", false))
    return false;
  if (p_accept(p, "values")) {
    if (!p_expect(p, "(") || !p_attr(p, &values) || !p_set_attr(p, s, "values", values) || !p_expect(p, ")")) return false;
  }
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type)) return false;
  p_types_push(p, &s->results[0], type);
  return true;
}
static void constant_load_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"layout", "ordinal", "alignment", "values", NULL};
  layout_print(p, op);
  index_print(p, op, "ordinal", "ordinal");
  index_print(p, op, "alignment", "alignment");
  if (ir_op_attr(op, "values")) {
    pr_text(p, "values(");
    pr_attr(p, ir_op_attr(op, "values"));
    pr_text(p, ")");
  }
  pr_attr_dict(p, op, skip);
  pr_text(p, ":");
  pr_result_types(p, op);
}
const ir_op_hooks_t hal_constant_load_hooks = {.parse = constant_load_parse, .print = constant_load_print};

// Descriptor flags are a bit set, written as one word or as a quoted list: ReadOnly, "ReadOnly|Indirect".
static const char *const flag_words[] = {"ReadOnly", "Indirect"};
static int64_t flags_of(iree_string_view_t text) {
  int64_t bits = 0;
  for (int i = 0; i < 2; ++i) {
    size_t n = strlen(flag_words[i]);
    for (size_t at = 0; at + n <= text.size; ++at)
      if (!memcmp(text.data + at, flag_words[i], n)) bits |= (int64_t)1 << i;
  }
  return bits;
}

// `hal.interface.binding.subspan layout(...) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : type{%d}`
static bool subspan_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  ir_type_t type;
  if (!layout_parse(p, s) || !index_clause(p, s, "binding", "binding", true) ||
      !index_clause(p, s, "alignment", "alignment", false))
    return false;
  if (p_accept(p, "offset")) {
    if (!p_expect(p, "(") || !p_operand(p, &s->operands[0]) || !p_expect(p, ")")) return false;
    p_list_set_type(p, &s->operands[0], ir_type_index(ctx));
  }
  if (p_accept(p, "flags")) {
    iree_string_view_t text;
    const char *word;
    ir_attr_t string;
    if (!p_expect(p, "(")) return false;
    if (p_accept_word(p, &word)) {
      text = iree_make_cstring_view(word);
    } else if (p_expect_string(p, &string)) {
      text = ir_str(string);
    } else {
      return false;
    }
    if (!p_set_attr(p, s, "descriptor_flags", ir_attr_i32(ctx, (int32_t)flags_of(text))) || !p_expect(p, ")")) return false;
  }
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type)) return false;
  p_types_push(p, &s->results[0], type);
  if (p_accept(p, "{")) {
    if (!p_operands_until(p, &s->operands[1], "}")) return false;
    p_list_set_type(p, &s->operands[1], ir_type_index(ctx));
  }
  return true;
}
static void subspan_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"layout", "binding", "alignment", "descriptor_flags", NULL};
  ir_group_t offset = ir_operand_group(op, "byte_offset"), dims = ir_operand_group(op, "dynamic_dims");
  layout_print(p, op);
  index_print(p, op, "binding", "binding");
  index_print(p, op, "alignment", "alignment");
  if (offset.n) {
    pr_text(p, "offset(");
    pr_values(p, op, offset);
    pr_text(p, ")");
  }
  if (ir_op_attr(op, "descriptor_flags")) {
    int64_t bits = ir_op_int(op, "descriptor_flags", 0);
    static const char *const texts[] = {"flags(None)", "flags(ReadOnly)", "flags(Indirect)", "flags(\"ReadOnly|Indirect\")"};
    pr_text(p, texts[bits & 3]);
  }
  pr_attr_dict(p, op, skip);
  pr_text(p, ":");
  pr_result_types(p, op);
  if (dims.n) {
    pr_raw(p, "{");
    pr_values(p, op, dims);
    pr_raw(p, "}");
  }
}
const ir_op_hooks_t hal_binding_subspan_hooks = {.parse = subspan_parse, .print = subspan_print};
