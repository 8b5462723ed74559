// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/context.h"
#include "compiler/ir/dominance.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/suggest.h"

static iree_status_t missing_attr(ir_op_t *op, const char *name) {
  suggest_t s = suggest_begin(iree_make_cstring_view(name));
  for (uint32_t i = 0; i < op->n_extra; ++i) suggest_try(&s, op->extra[i].name);
  return s.best ? ir_op_error(op, "needs attribute '%s'; '%s' is none of its", name, s.best)
                : ir_op_error(op, "needs attribute '%s'", name);
}
static iree_status_t verify_counts(ir_op_t *op) {
  const ir_spec_t *spec = op->spec;
  uint32_t fixed = 0;
  bool variadic = false;
  for (size_t g = 0; g < spec->n_operands; ++g) {
    ir_group_t group = ir_operand_group_at(op, g);
    char count = spec->operands[g].count;
    if (count == ' ') ++fixed;
    else variadic = true;
    if (op->segments && ((count == ' ' && group.n != 1) || (count == '?' && group.n > 1)))
      return ir_op_error(op, "operand '%s' is given %u times", spec->operands[g].name, group.n);
  }
  if (op->n_operands < fixed || (!variadic && op->n_operands != fixed))
    return ir_op_error(op, "takes %s%u operands, has %u", variadic ? "at least " : "", fixed, op->n_operands);
  uint32_t fixed_results = 0;
  bool variadic_results = false;
  for (size_t g = 0; g < spec->n_results; ++g) {
    if (spec->results[g].count == ' ') ++fixed_results;
    else variadic_results = true;
  }
  if (op->n_results < fixed_results || (!variadic_results && op->n_results != fixed_results))
    return ir_op_error(op, "has %u results, %u expected", op->n_results, fixed_results);
  if (!spec->regions_variadic && op->n_regions != spec->n_regions)
    return ir_op_error(op, "has %u regions, %zu expected", op->n_regions, spec->n_regions);
  size_t least = spec->n_succs - spec->succs_variadic;
  if (op->n_succs < least || (!spec->succs_variadic && op->n_succs != least))
    return ir_op_error(op, "has %u successors, %s%zu expected", op->n_succs, spec->succs_variadic ? "at least " : "", least);
  for (size_t i = 0; i < spec->n_attrs; ++i)
    if (!spec->attrs[i].optional && !op->attrs[i]) return missing_attr(op, spec->attrs[i].name);
  return iree_ok_status();
}

// Each word of |value| (words of bit sets are parted by , or |) has to be one of |words|.
static bool is_enum_value(const char *words, const char *value) {
  while (*value) {
    size_t n = strcspn(value, ",| ");
    const char *at = words;
    while (*at) {
      if (strcspn(at, " =") == n && !memcmp(at, value, n)) break;  // "word" or "word=value"
      at += strcspn(at, " ");
      at += strspn(at, " ");
    }
    if (n && !*at) return false;
    value += n;
    value += strspn(value, ",| ");
  }
  return true;
}
static iree_status_t verify_enums(ir_op_t *op) {
  for (size_t i = 0; i < op->spec->n_attrs; ++i) {
    const ir_spec_attr_t *a = &op->spec->attrs[i];
    if (a->kind != IR_AK_ENUM || !op->attrs[i] || !a->enums || !a->enums->words) continue;
    if (!is_enum_value(a->enums->words, ir_bytes(op->attrs[i])))
      return ir_op_error(op, "attribute '%s' is '%s', not one of %s", a->name, ir_bytes(op->attrs[i]), a->enums->words);
  }
  return iree_ok_status();
}

// `=x`, `=elem(x)`, `=i1(x)` and fixed types between operands and results of single names.
static ir_type_t type_of(const ir_op_t *op, const char *name, size_t n) {
  const ir_spec_t *spec = op->spec;
  for (size_t g = 0; g < spec->n_results; ++g) {
    if (strncmp(spec->results[g].name, name, n) || spec->results[g].name[n]) continue;
    ir_group_t group = ir_result_group(op, spec->results[g].name);
    return group.n ? op->results[group.first].type : NULL;
  }
  for (size_t g = 0; g < spec->n_operands; ++g) {
    if (strncmp(spec->operands[g].name, name, n) || spec->operands[g].name[n]) continue;
    ir_group_t group = ir_operand_group_at(op, g);
    return group.n ? ir_operand(op, group.first)->type : NULL;
  }
  return NULL;
}

static iree_status_t check_constraint(ir_op_t *op, const ir_spec_name_t *row, ir_type_t have) {
  ir_ctx_t *ctx = ir_op_ctx(op);
  const char *name = row->name, *c = row->constraint;
  if (row->fixed && have != row->fixed)
    return ir_op_error(op, "'%s' has type %s, expected %s", name, ir_print_term_to(&ctx->arena, have), ir_print_term_to(&ctx->arena, row->fixed));
  if (!c || c[0] != '=' || !strncmp(c, "=attr(", 6)) return iree_ok_status();
  const char *open = strchr(c, '(');
  ir_type_t want = open ? type_of(op, open + 1, strcspn(open + 1, ")")) : type_of(op, c + 1, strlen(c + 1));
  if (!want) return iree_ok_status();
  if (!strncmp(c, "=elem(", 6)) want = ir_type_element(want);
  if (!strncmp(c, "=i1(", 4)) want = ir_type_with_element(ctx, want, ir_type_i(ctx, 1));
  if (have == want) return iree_ok_status();
  return ir_op_error(op, "'%s' has type %s, expected %s", name, ir_print_term_to(&ctx->arena, have),
                     ir_print_term_to(&ctx->arena, want));
}

static iree_status_t verify_types(ir_op_t *op) {
  const ir_spec_t *spec = op->spec;
  if (spec->info->traits & IR_SAME_TYPE) {
    ir_type_t type = op->n_results ? op->results[0].type : op->n_operands ? ir_operand(op, 0)->type : NULL;
    for (uint32_t i = 0; i < op->n_operands; ++i)
      if (ir_operand(op, i)->type != type) return ir_op_error(op, "operands and results must have one type");
  }
  for (size_t g = 0; g < spec->n_operands; ++g) {
    ir_group_t group = ir_operand_group_at(op, g);
    for (uint32_t i = 0; i < group.n; ++i)
      IREE_RETURN_IF_ERROR(check_constraint(op, &spec->operands[g],
                                            ir_operand(op, group.first + i)->type));
  }
  for (size_t g = 0; g < spec->n_results; ++g) {
    ir_group_t group = ir_result_group(op, spec->results[g].name);
    for (uint32_t i = 0; i < group.n; ++i)
      IREE_RETURN_IF_ERROR(check_constraint(op, &spec->results[g],
                                            op->results[group.first + i].type));
  }
  return iree_ok_status();
}

// What ends the blocks of |op|: the row says, or its dialect has a return or a yield.
static const char *end_of(const ir_op_t *op) {
  ir_ctx_t *ctx = ir_op_ctx(op);
  if (op->kind && op->spec->n_regions && op->spec->region_terms[0])
    return ctx->tables.ops[op->spec->region_terms[0]].name;
  static const char *const words[] = {"return", "yield"};
  for (size_t i = 0; i < 2; ++i) {
    char name[80];
    int n = snprintf(name, sizeof name, "%.*s.%s", (int)strcspn(ir_op_name(op), "."), ir_op_name(op), words[i]);
    ir_kind_t kind = n > 0 && n < 80 ? ir_kind_lookup(ctx, iree_make_cstring_view(name)) : 0;
    if (kind) return ctx->tables.ops[kind].name;
  }
  return "func.return";
}
static iree_status_t verify_blocks(ir_op_t *op) {
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) {
      if (ir_op_has_trait(op, IR_NO_TERMINATOR)) continue;
      if (!b->last) return ir_op_error(op, "has an empty block; it must end in an op such as %s", end_of(op));
      for (ir_op_t *o = b->first; o; o = o->next) {
        bool terminator = ir_op_has_trait(o, IR_TERMINATOR);
        if (o->kind && terminator != (o == b->last))
          return terminator ? ir_op_error(o, "must be the last of its block")
                            : ir_op_error(o, "cannot end a block; after it must come an op such as %s", end_of(op));
      }
    }
  }
  for (uint16_t i = 0; i < op->n_succs; ++i) {
    const ir_succ_t *s = &op->succs[i];
    if (ir_op_has_trait(op, IR_SUCC_RESULTS)) continue;
    if (s->block->n_args != s->n)
      return ir_op_error(op, "passes %u values to a block of %u arguments", s->n, s->block->n_args);
    for (uint32_t k = 0; k < s->n; ++k)
      if (ir_operand(op, s->first + k)->type != s->block->args[k]->type)
        return ir_op_error(op, "value %u passed to the successor has another type than its argument", k);
  }
  return iree_ok_status();
}

// Names of a symbol table are there once; whoever looks one up finds the one that was meant.
static iree_status_t check_symbols(ir_op_t *table) {
  ir_map_t *seen = NULL;
  for (ir_op_t *op = ir_body(table) ? ir_body(table)->first : NULL; op; op = op->next) {
    if (!ir_op_has_trait(op, IR_SYMBOL)) continue;
    ir_attr_t visible = ir_op_attr(op, "sym_visibility");
    if (visible && !ir_str_is(visible, "public") && !ir_str_is(visible, "private") && !ir_str_is(visible, "nested"))
      return ir_op_error(op, "has the visibility '%s'; there are public, private and nested", ir_bytes(visible));
    ir_attr_t name = ir_op_attr(op, "sym_name");
    if (!name) continue;  // modules need none
    if (!ir_str(name).size) return ir_op_error(op, "has an empty name");
    if (!seen) seen = ir_map_create(ir_arena(ir_op_ctx(table)));
    if (ir_map_get(seen, name)) return ir_op_error(op, "redefines symbol '%s'", ir_bytes(name));
    ir_map_set(seen, name, op);
  }
  return iree_ok_status();
}

static iree_status_t verify_one(ir_op_t *op) {
  if (ir_op_has_trait(op, IR_SYMBOL_TABLE)) IREE_RETURN_IF_ERROR(check_symbols(op));
  if (op->kind) {
    IREE_RETURN_IF_ERROR(verify_counts(op));
    IREE_RETURN_IF_ERROR(verify_types(op));
    IREE_RETURN_IF_ERROR(verify_enums(op));
  }
  IREE_RETURN_IF_ERROR(verify_blocks(op));
  const ir_op_hooks_t *hooks = op->spec->info->hooks;
  return hooks && hooks->verify ? hooks->verify(op) : iree_ok_status();
}

// ---- every use comes after its definition on every path
// The op of |block| that |op| is, or is nested in; NULL if it is elsewhere.
static const ir_op_t *ancestor_in(const ir_block_t *block, const ir_op_t *op) {
  while (op && op->block != block) op = ir_op_parent(op);
  return op;
}

static iree_status_t verify_use(const ir_dominance_t *d, const ir_region_t *region, ir_op_t *op, const ir_value_t *v) {
  const ir_block_t *from = v->is_arg ? v->block : v->op->block;
  if (!from || from->region != region) return iree_ok_status();  // an outer region's: checked there
  const ir_op_t *user = ancestor_in(from, op);
  if (user) {
    if (v->is_arg || (user != v->op && v->op->mark < user->mark)) return iree_ok_status();
  } else {
    const ir_op_t *at = op;
    while (at && at->block->region != region) at = ir_op_parent(at);
    if (at && ir_dominates(d, from, at->block)) return iree_ok_status();
  }
  return ir_op_error(op, "uses a value before it is defined on every path");
}

static iree_status_t verify_uses_in(const ir_dominance_t *d, const ir_region_t *region, const ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r) {
    for (ir_block_t *b = parent->regions[r]->first; b; b = b->next) {
      for (ir_op_t *op = b->first; op; op = op->next) {
        for (uint32_t i = 0; i < op->n_operands; ++i) IREE_RETURN_IF_ERROR(verify_use(d, region, op, ir_operand(op, i)));
        if (op->n_regions && !ir_op_has_trait(op, IR_ISOLATED)) IREE_RETURN_IF_ERROR(verify_uses_in(d, region, op));
      }
    }
  }
  return iree_ok_status();
}

static iree_status_t verify_dominance(ir_op_t *op, void *self) {
  iree_arena_t *arena = self;
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    const ir_region_t *region = op->regions[r];
    if (!region->first || ir_op_has_trait(op, IR_SYMBOL_TABLE)) continue;
    uint32_t order = 0;
    for (ir_block_t *b = region->first; b; b = b->next)
      for (ir_op_t *o = b->first; o; o = o->next) o->mark = ++order;
    ir_dominance_t d = ir_dominance(arena, region);
    for (ir_block_t *b = region->first; b; b = b->next) {
      for (ir_op_t *o = b->first; o; o = o->next) {
        for (uint32_t i = 0; i < o->n_operands; ++i) IREE_RETURN_IF_ERROR(verify_use(&d, region, o, ir_operand(o, i)));
        if (o->n_regions && !ir_op_has_trait(o, IR_ISOLATED)) IREE_RETURN_IF_ERROR(verify_uses_in(&d, region, o));
      }
    }
  }
  return iree_ok_status();
}

// The first wrong op decides the status, those after it are told as well: mistakes come in numbers.
static iree_status_t verify_op(ir_op_t *op, void *self) {
  iree_status_t *first = self, status = verify_one(op);
  if (iree_status_is_ok(*first)) *first = status;
  else iree_status_ignore(status);
  return iree_ok_status();
}

iree_status_t ir_verify(ir_op_t *root) {
  iree_status_t first = iree_ok_status();
  IREE_RETURN_IF_ERROR(ir_walk(root, verify_op, &first));
  IREE_RETURN_IF_ERROR(first);
  iree_arena_t arena;
  iree_arena_init(&arena);
  iree_status_t status = ir_walk(root, verify_dominance, &arena);
  iree_arena_deinit(&arena);
  return status;
}

typedef struct level_check {
  uint32_t level;
  const char *pass_name;
} level_check_t;

static iree_status_t verify_level_in(ir_op_t *op, const level_check_t *check) {
  if (op->kind && !(op->spec->info->levels & check->level))
    return ir_op_error(op, "is still there after pass '%s'", check->pass_name);
  // What an executable holds has its own life: kernels are lowered by the target's pipeline.
  bool executable = op->kind && strstr(op->spec->info->name, ".executable") != NULL;
  if (executable) return iree_ok_status();
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (ir_op_t *o = b->first; o; o = o->next) IREE_RETURN_IF_ERROR(verify_level_in(o, check));
  return iree_ok_status();
}
iree_status_t ir_verify_level(ir_op_t *root, uint32_t level, const char *pass_name) {
  level_check_t check = {level, pass_name};
  return verify_level_in(root, &check);
}
