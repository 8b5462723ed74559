// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops, values, use lists, attributes of ops.
#include <string.h>

#include "compiler/ir/context.h"

// ---- uses: each operand slot is a link in its value's list
void ir_use_set(ir_use_t *use, ir_value_t *value) {
  if (use->value) {
    *use->prev = use->next;
    if (use->next) use->next->prev = use->prev;
  }
  use->value = value;
  use->next = NULL;
  use->prev = NULL;
  if (value) {
    use->next = value->uses;
    use->prev = &value->uses;
    if (value->uses) value->uses->prev = &use->next;
    value->uses = use;
  }
}
void ir_replace_uses(ir_value_t *from, ir_value_t *to) {
  if (from == to) return;
  while (from->uses) ir_use_set(from->uses, to);
}
bool ir_has_one_use(const ir_value_t *v) { return v->uses && !v->uses->next; }
ir_op_t *ir_def(const ir_value_t *v) { return v && !v->is_arg ? v->op : NULL; }
bool ir_value_is(const ir_value_t *v, ir_kind_t kind) { return ir_op_is(ir_def(v), kind); }
uint32_t ir_op_n_unused_results(const ir_op_t *op) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < op->n_results; ++i) n += !op->results[i].uses;
  return n;
}

// ---- identity
ir_ctx_t *ir_op_ctx(const ir_op_t *op) { return op->spec->ctx; }
const ir_op_info_t *ir_op_info(const ir_op_t *op) { return op->spec->info; }
const char *ir_op_name(const ir_op_t *op) { return op->kind ? op->spec->info->name : op->name; }
bool ir_op_has_trait(const ir_op_t *op, uint32_t trait) {
  return (op->spec->info->traits & trait) == trait;
}

// ---- groups
static ir_group_t group_at(const ir_spec_name_t *names, size_t n_names, const uint32_t *segments,
                           uint32_t total, size_t g) {
  ir_group_t group = {0, 1};
  if (segments) {
    for (size_t i = 0; i < g; ++i) group.first += segments[i];
    group.n = segments[g];
    return group;
  }
  // At most one name is variadic: it takes what the others leave.
  for (size_t i = 0; i < n_names; ++i) {
    uint32_t n = names[i].count == ' ' ? 1 : total - (uint32_t)(n_names - 1);
    if (i == g) {
      group.n = n;
      return group;
    }
    group.first += n;
  }
  return (ir_group_t){total, 0};
}
ir_group_t ir_operand_group_at(const ir_op_t *op, size_t g) {
  return group_at(op->spec->operands, op->spec->n_operands, op->segments, op->n_operands, g);
}
ir_group_t ir_operand_group(const ir_op_t *op, const char *name) {
  for (size_t g = 0; g < op->spec->n_operands; ++g)
    if (!strcmp(op->spec->operands[g].name, name)) return ir_operand_group_at(op, g);
  return (ir_group_t){op->n_operands, 0};
}
ir_group_t ir_result_group(const ir_op_t *op, const char *name) {
  for (size_t g = 0; g < op->spec->n_results; ++g)
    if (!strcmp(op->spec->results[g].name, name))
      return group_at(op->spec->results, op->spec->n_results, op->result_segments, op->n_results, g);
  return (ir_group_t){op->n_results, 0};
}
ir_value_t *ir_operand_named(const ir_op_t *op, const char *name) {
  ir_group_t g = ir_operand_group(op, name);
  return g.n ? op->operands[g.first].value : NULL;
}

// ---- attributes
int ir_spec_attr_index(const ir_spec_t *spec, const char *name, size_t n) {
  for (size_t i = 0; i < spec->n_attrs; ++i)
    if (!strncmp(spec->attrs[i].name, name, n) && !spec->attrs[i].name[n]) return (int)i;
  return -1;
}
ir_attr_t ir_op_attr(const ir_op_t *op, const char *name) {
  int slot = ir_spec_attr_index(op->spec, name, strlen(name));
  if (slot >= 0) return op->attrs[slot];
  for (uint32_t i = 0; i < op->n_extra; ++i)
    if (!strcmp(op->extra[i].name, name)) return op->extra[i].value;
  return NULL;
}
void ir_op_set_attr(ir_ctx_t *ctx, ir_op_t *op, const char *name, ir_attr_t value) {
  int slot = ir_spec_attr_index(op->spec, name, strlen(name));
  if (slot >= 0) {
    op->attrs[slot] = value;
    return;
  }
  for (uint32_t i = 0; i < op->n_extra; ++i) {
    if (strcmp(op->extra[i].name, name)) continue;
    if (value)
      op->extra[i].value = value;
    else {
      memmove(&op->extra[i], &op->extra[i + 1], (op->n_extra - i - 1) * sizeof *op->extra);
      op->n_extra--;
    }
    return;
  }
  if (!value) return;
  ir_named_t named = {ir_intern(ctx, name, strlen(name)), value};
  IREE_ARENA_PUSH(&ctx->arena, op->extra, op->n_extra, op->extra_cap, named);
}
int64_t ir_op_int(const ir_op_t *op, const char *name, int64_t absent) {
  ir_attr_t a = ir_op_attr(op, name);
  return a && a->n_ints ? ir_int(a, 0) : absent;
}
bool ir_op_flag(const ir_op_t *op, const char *name) {
  ir_attr_t a = ir_op_attr(op, name);
  return a && !(a->kind == IR_A_BOOL && !ir_int(a, 0));
}
iree_string_view_t ir_op_sym_name(const ir_op_t *op) { return ir_str(ir_op_attr(op, "sym_name")); }

// ---- creation
static void operands_assign(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *const *values, size_t n) {
  for (uint32_t i = 0; i < op->n_operands; ++i) ir_use_set(&op->operands[i], NULL);
  if (n > op->operand_cap) {
    op->operands = IREE_ARENA_ARRAY(&ctx->arena, ir_use_t, n);
    op->operand_cap = (uint32_t)n;
  }
  op->n_operands = (uint32_t)n;
  for (size_t i = 0; i < n; ++i) {
    op->operands[i] = (ir_use_t){.user = op};
    ir_use_set(&op->operands[i], values[i]);
  }
}

// Where one group at most is of variable length its size follows from the total.
static uint32_t *segments_copy(ir_ctx_t *ctx, const ir_spec_name_t *names, size_t n_names,
                               bool segmented, const uint32_t *given, size_t total) {
  if (!segmented) return NULL;
  uint32_t *segments = IREE_ARENA_ARRAY(&ctx->arena, uint32_t, n_names);
  if (given) {
    memcpy(segments, given, n_names * sizeof *segments);
    return segments;
  }
  // Not given: fill names left to right, one value each while there are any; the last variadic
  // takes the rest. Right whenever the optional ones that are absent come last.
  size_t left = total;
  for (size_t g = 0; g < n_names; ++g) {
    size_t after = 0;
    for (size_t k = g + 1; k < n_names; ++k) after += names[k].count == ' ';
    size_t n = names[g].count == ' ' ? 1
               : left > after        ? (names[g].count == '?' ? 1 : left - after)
                                     : 0;
    segments[g] = (uint32_t)n;
    left -= n < left ? n : left;
  }
  return segments;
}

ir_op_t *ir_op_create(ir_ctx_t *ctx, const ir_op_desc_t *d) {
  const ir_spec_t *spec = ir_spec(ctx, d->kind);
  ir_op_t *op = IREE_ARENA_NEW(&ctx->arena, ir_op_t);
  op->kind = d->kind;
  op->spec = spec;
  op->loc = d->loc ? d->loc : ctx->unknown_loc;
  if (!d->kind && d->name) op->name = ir_intern(ctx, d->name, strlen(d->name));
  operands_assign(ctx, op, d->operands, d->n_operands);
  op->segments = segments_copy(ctx, spec->operands, spec->n_operands, spec->operands_segmented,
                               d->segments, d->n_operands);
  op->n_results = (uint32_t)d->n_results;
  op->results = IREE_ARENA_ARRAY(&ctx->arena, ir_value_t, d->n_results + 1);
  for (size_t i = 0; i < d->n_results; ++i)
    op->results[i] = (ir_value_t){.type = d->results[i], .op = op, .index = (uint32_t)i};
  op->result_segments = segments_copy(ctx, spec->results, spec->n_results, spec->results_segmented,
                                      d->result_segments, d->n_results);
  op->attrs = IREE_ARENA_ARRAY(&ctx->arena, ir_attr_t, spec->n_attrs + 1);
  for (size_t i = 0; i < d->n_attrs; ++i)
    if (d->attrs[i].value) ir_op_set_attr(ctx, op, d->attrs[i].name, d->attrs[i].value);
  op->n_regions = (uint16_t)d->n_regions;
  op->regions = IREE_ARENA_ARRAY(&ctx->arena, ir_region_t *, d->n_regions + 1);
  for (size_t i = 0; i < d->n_regions; ++i) op->regions[i] = ir_region_create(ctx, op);
  op->n_succs = (uint16_t)d->n_succs;
  if (d->n_succs) {
    op->succs = IREE_ARENA_ARRAY(&ctx->arena, ir_succ_t, d->n_succs);
    uint32_t total = 0;
    for (size_t i = 0; i < d->n_succs; ++i) total += d->succ_operands ? d->succ_operands[i] : 0;
    uint32_t first = op->n_operands - total;
    for (size_t i = 0; i < d->n_succs; ++i) {
      uint32_t n = d->succ_operands ? d->succ_operands[i] : 0;
      op->succs[i] = (ir_succ_t){d->succs[i], first, n};
      first += n;
    }
  }
  return op;
}

// ---- operands
void ir_op_set_operands(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *const *values, size_t n,
                        const uint32_t *segments) {
  ir_value_t *small[16], **copy = n <= 16 ? small : IREE_ARENA_ARRAY(&ctx->arena, ir_value_t *, n);
  if (n) memcpy(copy, values, n * sizeof *copy);
  operands_assign(ctx, op, copy, n);
  op->segments = segments_copy(ctx, op->spec->operands, op->spec->n_operands,
                               op->spec->operands_segmented, segments, n);
}

void ir_op_append_operand(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *value) {
  if (op->n_operands == op->operand_cap) {
    uint32_t cap = op->operand_cap ? op->operand_cap * 2 : 4;
    ir_use_t *grown = IREE_ARENA_ARRAY(&ctx->arena, ir_use_t, cap);
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      ir_value_t *v = op->operands[i].value;
      ir_use_set(&op->operands[i], NULL);
      grown[i].user = op;
      ir_use_set(&grown[i], v);
    }
    op->operands = grown;
    op->operand_cap = cap;
  }
  ir_use_t *use = &op->operands[op->n_operands++];
  *use = (ir_use_t){.user = op};
  ir_use_set(use, value);
  if (op->segments) op->segments[op->spec->n_operands - 1]++;
  if (op->n_succs) op->succs[op->n_succs - 1].n++;
}

void ir_op_erase_operand(ir_op_t *op, size_t i) {
  if (op->segments) {
    uint32_t first = 0;
    for (size_t g = 0; g < op->spec->n_operands; first += op->segments[g++]) {
      if (i >= first && i < first + op->segments[g]) {
        op->segments[g]--;
        break;
      }
    }
  }
  for (uint16_t s = 0; s < op->n_succs; ++s) {
    ir_succ_t *succ = &op->succs[s];
    if (i < succ->first)
      succ->first--;
    else if (i < succ->first + succ->n)
      succ->n--;
  }
  for (size_t k = i; k + 1 < op->n_operands; ++k) ir_use_set(&op->operands[k], op->operands[k + 1].value);
  ir_use_set(&op->operands[op->n_operands - 1], NULL);
  op->n_operands--;
}

void ir_op_replace(ir_op_t *op, ir_value_t *const *values) {
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (op->results[i].uses) ir_replace_uses(&op->results[i], values[i]);
  ir_op_erase(op);
}
