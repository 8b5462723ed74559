// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hal: directives of its forms (bit sets, bindings) and the text of exports.
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/hal_text.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/context.h"

// ---- bit sets: one name, or "A|B" in quotes
typedef struct bit_name {
  const char *name;
  uint32_t value;
  bool is_group;  // read, but written by its parts
} bit_name_t;

static const bit_name_t memory_type_bits[] = {
    {"Optimal", 0x01, false},      {"HostVisible", 0x02, false},
    {"HostCoherent", 0x04, false}, {"HostCached", 0x08, false},
    {"HostLocal", 0x46, false},    {"DeviceVisible", 0x10, false},
    {"DeviceLocal", 0x30, false},  {NULL, 0, false}};
static const bit_name_t buffer_usage_bits[] = {{"TransferSource", 0x1, false},
                                               {"TransferTarget", 0x2, false},
                                               {"Transfer", 0x3, true},
                                               {"DispatchIndirectParameters", 0x100, false},
                                               {"DispatchUniformRead", 0x200, false},
                                               {"DispatchStorageRead", 0x400, false},
                                               {"DispatchStorageWrite", 0x800, false},
                                               {"DispatchStorage", 0xC00, true},
                                               {"DispatchImageRead", 0x1000, false},
                                               {"DispatchImageWrite", 0x2000, false},
                                               {"DispatchImage", 0x3000, true},
                                               {"SharingExport", 0x10000, false},
                                               {"SharingReplicate", 0x20000, false},
                                               {"SharingConcurrent", 0x40000, false},
                                               {"SharingImmutable", 0x80000, false},
                                               {"MappingScoped", 0x1000000, false},
                                               {"MappingPersistent", 0x2000000, false},
                                               {"MappingOptional", 0x4000000, false},
                                               {"MappingAccessRandom", 0x8000000, false},
                                               {"MappingAccessSequentialWrite", 0x10000000, false},
                                               {"Mapping", 0x9000000, true},
                                               {NULL, 0, false}};
static const bit_name_t memory_access_bits[] = {
    {"Read", 1, false},       {"Write", 2, false}, {"Discard", 4, false}, {"MayAlias", 8, false},
    {"Unaligned", 16, false}, {"Any", 32, false},  {NULL, 0, false}};
static const bit_name_t command_mode_bits[] = {
    {"OneShot", 1, false}, {"AllowInlineExecution", 16, false}, {NULL, 0, false}};
static const bit_name_t command_category_bits[] = {
    {"Transfer", 1, false}, {"Dispatch", 2, false}, {NULL, 0, false}};
static const bit_name_t execution_stage_bits[] = {{"CommandIssue", 1, false},
                                                  {"CommandProcess", 2, false},
                                                  {"Dispatch", 4, false},
                                                  {"Transfer", 8, false},
                                                  {"CommandRetire", 16, false},
                                                  {"Host", 32, false},
                                                  {NULL, 0, false}};
static const bit_name_t alloca_bits[] = {{"IndeterminateLifetime", 1, false}, {NULL, 0, false}};
static const bit_name_t dealloca_bits[] = {{"PreferOrigin", 1, false}, {NULL, 0, false}};
static const bit_name_t reserved_bits[] = {{"Reserved", 1, false}, {NULL, 0, false}};

static bool bits_of(ir_parser_t *p, const bit_name_t *names, const char *text, int64_t *value) {
  while (*text) {
    size_t n = strcspn(text, "|");
    const bit_name_t *b = names;
    while (b->name && (strncmp(b->name, text, n) || b->name[n])) ++b;
    if (!b->name && (n != 4 || strncmp(text, "None", 4)))
      return p_error(p, "unknown flag '%.*s'", (int)n, text);
    *value |= b->name ? b->value : 0;
    text += n + (text[n] == '|');
  }
  return true;
}
static bool bits_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, const bit_name_t *names) {
  int64_t value = 0;
  ir_token_t t = p_peek(p);
  if (t.kind == TOK_STRING) {
    ir_attr_t text;
    if (!p_expect_string(p, &text) || !bits_of(p, names, ir_bytes(text), &value)) return false;
  } else if (t.kind == TOK_INT) {
    if (!p_expect_int(p, &value)) return false;
  } else {
    do {
      const char *word;
      if (!p_expect_word(p, &word) || !bits_of(p, names, word, &value)) return false;
    } while (p_accept(p, "|"));
  }
  s->attrs[args[0]] = ir_attr_int(p_ctx(p), s->spec->attrs[args[0]].type, value);
  return true;
}
static void bits_print(ir_printer_t *p, const ir_op_t *op, const int *args,
                       const bit_name_t *names) {
  uint32_t left = op->attrs[args[0]] ? (uint32_t)ir_int(op->attrs[args[0]], 0) : 0;
  if (!left) {
    pr_text(p, "\"None\"");
    return;
  }
  pr_text(p, "\"");
  const char *joint = "";
  for (const bit_name_t *b = names; b->name; ++b) {
    if (b->is_group || (left & b->value) != b->value) continue;
    pr_raw(p, joint);
    pr_raw(p, b->name);
    joint = "|";
  }
  pr_raw(p, "\"");
  pr_text(p, "");
}
#define BITS(name)                                                                   \
  bool name##_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n) {   \
    (void)n;                                                                         \
    return bits_parse(p, s, args, name##_bits);                                      \
  }                                                                                  \
  void name##_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n) { \
    (void)n;                                                                         \
    bits_print(p, op, args, name##_bits);                                            \
  }
HAL_BIT_SETS(BITS)
#undef BITS

// ---- bindings: `(%b : !hal.buffer)[%offset, %length], ...`; $buffers, $offsets, $lengths
bool bindings_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n) {
  (void)n;
  if (!p_at(p, "(")) return true;
  do {
    ir_type_t type;
    if (!p_expect(p, "(") || !p_operand(p, &s->operands[args[0]]) || !p_expect(p, ":") ||
        !p_type(p, &type) || !p_list_add_type(p, &s->operands[args[0]], type) ||
        !p_expect(p, ")") || !p_expect(p, "[") || !p_operand(p, &s->operands[args[1]]) ||
        !p_expect(p, ",") || !p_operand(p, &s->operands[args[2]]) || !p_expect(p, "]"))
      return false;
  } while (p_accept(p, ","));
  return true;
}
void bindings_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n) {
  (void)n;
  ir_group_t buffers = ir_operand_group_at(op, (size_t)args[0]),
             offsets = ir_operand_group_at(op, (size_t)args[1]),
             lengths = ir_operand_group_at(op, (size_t)args[2]);
  pr_indent(p, 1);
  for (uint32_t i = 0; i < buffers.n; ++i) {
    if (i) pr_text(p, ",");
    pr_newline(p);
    pr_text(p, "(");
    pr_value(p, ir_operand(op, buffers.first + i));
    pr_raw(p, " : ");
    pr_type(p, ir_operand(op, buffers.first + i)->type);
    pr_text(p, ")");
    pr_raw(p, "[");
    pr_value(p, ir_operand(op, offsets.first + i));
    pr_text(p, ",");
    pr_value(p, ir_operand(op, lengths.first + i));
    pr_text(p, "]");
  }
  pr_indent(p, -1);
  if (buffers.n) pr_newline(p);
}

// ---- hal.executable.export public @f ordinal(0) layout(#l) count(%device: !hal.device, %w: index)
// -> (...) {...}
enum { MAX_WORKLOAD = 64 };
static bool count_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_block_arg_ref_t args[MAX_WORKLOAD];
  ir_type_list_t results = {0};
  size_t n = 0;
  if (!p_accept(p, "count")) return p_region_empty(p, s) != NULL;
  if (!p_expect(p, "(")) return false;
  if (!p_at(p, ")")) {
    do {
      if (n == MAX_WORKLOAD) return p_error(p, "more than %d workload values", MAX_WORKLOAD);
      if (!p_block_arg(p, &args[n])) return false;
      ++n;
    } while (p_accept(p, ","));
  }
  return p_expect(p, ")") && p_expect(p, "->") && p_paren_types(p, &results) &&
         p_region(p, s, args, n);
}
static bool export_parse(ir_parser_t *p, ir_op_state_t *s) {
  static const char *const words[] = {"public", "private", "nested"};
  ir_ctx_t *ctx = p_ctx(p);
  ir_attr_t name, layout;
  for (size_t i = 0; i < 3; ++i)
    if (p_accept(p, words[i]) && !p_set_attr(p, s, "sym_visibility", ir_attr_str(ctx, words[i])))
      return false;
  if (!p_expect_symbol(p, &name) || !p_set_attr(p, s, "sym_name", name)) return false;
  if (p_accept(p, "ordinal")) {
    int64_t ordinal;
    if (!p_expect(p, "(") || !p_expect_int(p, &ordinal) || !p_expect(p, ")") ||
        !p_set_attr(p, s, "ordinal", ir_attr_index(ctx, ordinal)))
      return false;
  }
  if (!p_expect(p, "layout") || !p_expect(p, "(") || !p_attr(p, &layout) ||
      !p_set_attr(p, s, "layout", layout) || !p_expect(p, ")"))
    return false;
  if (p_at(p, "condition"))
    return p_error(p,
                   "conditional exports are not supported; give each target one export of a name");
  if (p_accept(p, "fallback")) {
    ir_attr_t fallback;
    if (!p_expect(p, "(") || !p_expect_symref(p, &fallback) ||
        !p_set_attr(p, s, "condition_fallback", fallback) || !p_expect(p, ")"))
      return false;
  }
  return count_parse(p, s) && p_region_empty(p, s) && p_attr_dict_kw(p, s);
}
static void export_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"sym_visibility", "sym_name",           "ordinal",
                                     "layout",         "condition_fallback", NULL};
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility"),
            fallback = ir_op_attr(op, "condition_fallback");
  if (visibility) pr_text(p, ir_str(visibility).data);
  pr_symbol(p, ir_op_sym_name(op));
  if (ir_op_attr(op, "ordinal"))
    pr_text(p, "ordinal"), pr_raw(p, "("), pr_int(p, ir_op_int(op, "ordinal", 0)), pr_text(p, ")");
  pr_text(p, "layout");
  pr_raw(p, "(");
  pr_attr(p, ir_op_attr(op, "layout"));
  pr_text(p, ")");
  if (fallback) pr_text(p, "fallback"), pr_raw(p, "("), pr_attr(p, fallback), pr_text(p, ")");
  const ir_region_t *count = op->regions[0];
  if (count->first) {
    pr_text(p, "count");
    pr_raw(p, "(");
    for (uint32_t i = 0; i < count->first->n_args; ++i) {
      if (i) pr_text(p, ",");
      pr_value(p, count->first->args[i]);
      pr_raw(p, ": ");
      pr_type(p, count->first->args[i]->type);
    }
    pr_text(p, ")");
    pr_raw(p, " -> (index, index, index)");
    pr_region(p, count, false, true);
  }
  pr_attr_dict_kw(p, op, skip);
}
const ir_op_hooks_t hal_executable_export_hooks = {.parse = export_parse, .print = export_print};
