// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strategies over values: what else could stand for a result.
#include <string.h>

#include "compiler/ir/fold.h"
#include "compiler/reduce/strategy.h"

// ---- constants
static iree_status_t find_hlo(ir_op_t *op, void *self) {
  *(bool *)self |= !strncmp(ir_op_name(op), "stablehlo.", 10);
  return iree_ok_status();
}
bool reduce_uses_hlo(const ir_op_t *module) {
  bool found = false;
  iree_status_ignore(ir_walk((ir_op_t *)(uintptr_t)module, find_hlo, &found));
  return found;
}
static ir_attr_t scalar_one(ir_ctx_t *ctx, ir_type_t type) {
  if (ir_is(type, IR_T_COMPLEX)) {
    ir_attr_t part = scalar_one(ctx, ir_kid(type, 0));
    return part ? ir_attr_array(ctx, (ir_attr_t[]){part, part}, 2) : NULL;
  }
  if (ir_type_is_float(type)) return ir_float_bits(ir_float_kind(type)) <= 64 ? ir_attr_float_bits(ctx, type, ir_float_from_double(ir_float_kind(type), 1.0)) : NULL;
  return ir_type_is_integer_like(type) ? ir_attr_int(ctx, type, 1) : NULL;
}
ir_value_t *reduce_constant(ir_builder_t *b, ir_type_t type, bool hlo) {
  bool is_tensor = ir_is(type, IR_T_TENSOR);
  if (is_tensor && (!ir_type_is_static(type) || ir_kid(type, 1))) return NULL;
  ir_attr_t value = scalar_one(b->ctx, ir_type_element(type));
  if (value && is_tensor) value = ir_dense_splat(b->ctx, type, value);
  if (!value || (hlo && !is_tensor)) return NULL;
  if (!hlo) return ir_build_constant(b, type, value);
  return ir_build_attr(b, OP_HLO_CONSTANT, type, "value", value, NULL, NULL);
}

// ---- sites: ops from the end, so that users go before what they use
static void list_in(ir_op_t *op, reduce_sites_t *sites, bool constants) {
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->last; b; b = b->prev)
      for (ir_op_t *o = b->last; o; o = o->prev) {
        bool is_symbol = ir_op_has_trait(o, IR_SYMBOL) || ir_op_has_trait(o, IR_SYMBOL_TABLE) || o->kind == OP_UTIL_INITIALIZER;
        if (!is_symbol && !ir_op_has_trait(o, IR_TERMINATOR) && (constants || !ir_op_has_trait(o, IR_CONSTANT))) reduce_add(sites, o, 0, 0);
        list_in(o, sites, constants);
      }
}
static bool is_unused(const ir_op_t *op) { return ir_op_n_unused_results(op) == op->n_results; }

// ---- "operands"
void list_operands(ir_op_t *module, reduce_sites_t *sites) { list_in(module, sites, false); }
void apply_operands(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_t *op = site->op;
  for (uint32_t i = 0; i < op->n_results; ++i)
    for (uint32_t k = 0; k < op->n_operands && !ir_unused(ir_result(op, i)); ++k)
      if (ir_operand(op, k)->type == ir_result(op, i)->type) ir_replace_uses(ir_result(op, i), ir_operand(op, k));
  if (is_unused(op)) ir_op_erase(op);
}

// ---- "constants"
void list_constants(ir_op_t *module, reduce_sites_t *sites) { list_in(module, sites, false); }
void apply_constants(ir_op_t *module, const reduce_site_t *site) {
  ir_op_t *op = site->op;
  ir_builder_t b = ir_builder_before(ir_op_ctx(op), op);
  bool hlo = reduce_uses_hlo(module);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_value_t *v = ir_unused(ir_result(op, i)) ? NULL : reduce_constant(&b, ir_result(op, i)->type, hlo);
    if (v) ir_replace_uses(ir_result(op, i), v);
  }
  if (is_unused(op)) ir_op_erase(op);
}

// ---- "arguments"
void list_arguments(ir_op_t *module, reduce_sites_t *sites) { list_in(module, sites, true); }
void apply_arguments(ir_op_t *module, const reduce_site_t *site) {
  ir_op_t *op = site->op, *f = reduce_function_of(op);
  ir_ctx_t *ctx = ir_op_ctx(op);
  if (!f || reduce_is_named(module, f) || !op->n_results) return;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (ir_unused(ir_result(op, i))) continue;
    ir_replace_uses(ir_result(op, i), ir_block_add_arg(ctx, ir_body(f), ir_result(op, i)->type));
    reduce_attrs_append(f, "arg_attrs");
  }
  ir_op_erase(op);
  reduce_update_type(f);
}

// ---- "regions"
void list_regions(ir_op_t *module, reduce_sites_t *sites) {
  reduce_sites_t all = {.arena = sites->arena};
  list_in(module, &all, false);
  for (size_t i = 0; i < all.n; ++i)
    for (uint16_t r = 0; r < all.v[i].op->n_regions; ++r) reduce_add(sites, all.v[i].op, r, 0);
}
static ir_value_t *operand_for(const ir_op_t *op, const ir_block_t *block, uint32_t i) {
  ir_type_t type = block->args[i]->type;
  uint32_t first = op->n_operands >= block->n_args ? op->n_operands - block->n_args : 0;
  if (first + i < op->n_operands && ir_operand(op, first + i)->type == type) return ir_operand(op, first + i);
  for (uint32_t k = 0; k < op->n_operands; ++k)
    if (ir_operand(op, k)->type == type) return ir_operand(op, k);
  return NULL;
}
void apply_regions(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_t *op = site->op;
  ir_block_t *block = site->a < op->n_regions ? op->regions[site->a]->first : NULL;
  if (!block || block->next || !ir_block_has_terminator(block)) return;
  ir_op_t *end = block->last;
  if (end->n_operands < op->n_results) return;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_operand(end, i)->type != ir_result(op, i)->type) return;
  for (uint32_t i = 0; i < block->n_args; ++i)
    if (!ir_unused(block->args[i]) && !operand_for(op, block, i)) return;
  for (uint32_t i = 0; i < block->n_args; ++i)
    if (!ir_unused(block->args[i])) ir_replace_uses(block->args[i], operand_for(op, block, i));
  for (uint32_t i = 0; i < op->n_results; ++i) ir_replace_uses(ir_result(op, i), ir_operand(end, i));
  while (block->first != end) ir_op_move_before(block->first, op);
  ir_op_erase(op);
}

// ---- "carried": values of ops whose regions end with one operand per result
static bool hands_on(const ir_op_t *op) {
  if (!op->n_regions || !op->n_results) return false;
  for (uint16_t r = 0; r < op->n_regions; ++r)
    if (!op->regions[r]->first || op->regions[r]->first->next || !ir_block_has_terminator(op->regions[r]->first)) return false;
  return op->kind == OP_HLO_WHILE || op->kind == OP_HLO_IF || op->kind == OP_HLO_CASE || op->kind == OP_SCF_IF;
}
void list_carried(ir_op_t *module, reduce_sites_t *sites) {
  reduce_sites_t all = {.arena = sites->arena};
  list_in(module, &all, false);
  for (size_t i = 0; i < all.n; ++i)
    for (uint32_t k = hands_on(all.v[i].op) ? all.v[i].op->n_results : 0; k-- > 0;) reduce_add(sites, all.v[i].op, k, all.v[i].op->n_results);
}
void apply_carried(ir_op_t *module, const reduce_site_t *site) {
  ir_op_t *op = site->op;
  uint32_t at = (uint32_t)site->a;
  ir_ctx_t *ctx = ir_op_ctx(op);
  // An op that has lost a value is a new op: sites of one op are taken one at a time.
  if (op->n_results != site->b || at >= op->n_results || (op->kind == OP_HLO_WHILE && op->n_operands != op->n_results)) return;
  bool is_loop = op->kind == OP_HLO_WHILE;
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *instead = is_loop ? ir_operand(op, at) : NULL;
  for (uint16_t r = 0; is_loop && r < 2; ++r) {
    if (at >= op->regions[r]->first->n_args || op->regions[r]->first->args[at]->type != instead->type) return;
    ir_replace_uses(op->regions[r]->first->args[at], instead);
  }
  if (!instead && !ir_unused(ir_result(op, at))) instead = reduce_constant(&b, ir_result(op, at)->type, reduce_uses_hlo(module));
  if (!ir_unused(ir_result(op, at))) {
    if (!instead) return;
    ir_replace_uses(ir_result(op, at), instead);
  }
  ir_type_t *types = IREE_ARENA_ARRAY(ir_arena(ctx), ir_type_t, op->n_results);
  ir_value_t **operands = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, op->n_operands + 1);
  size_t n = 0, n_types = 0;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (i != at) types[n_types++] = ir_result(op, i)->type;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!is_loop || i != at) operands[n++] = ir_operand(op, i);
  ir_op_t *less = ir_build(&b, &(ir_op_desc_t){.kind = op->kind, .loc = op->loc, .operands = operands, .n_operands = n, .results = types,
                                               .n_results = n_types, .n_regions = op->n_regions});
  ir_op_copy_attrs(ctx, less, op);
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    ir_region_take(less->regions[r], op->regions[r]);
    ir_block_t *block = less->regions[r]->first;
    if (is_loop) ir_block_erase_arg(block, at);
    if (!is_loop || r == 1) ir_op_erase_operand(block->last, at);
  }
  for (uint32_t i = 0, k = 0; i < op->n_results; ++i)
    if (i != at) ir_replace_uses(ir_result(op, i), ir_result(less, k++));
  ir_op_erase(op);
}

// ---- "attributes"
static iree_status_t visit_attributes(ir_op_t *op, void *self) {
  for (uint32_t i = op->n_extra; i-- > 0;) reduce_add(self, op, i, 1);
  for (size_t i = 0; i < op->spec->n_attrs; ++i)
    if (op->attrs[i] && (op->spec->attrs[i].optional || op->spec->attrs[i].default_text)) reduce_add(self, op, (int64_t)i, 0);
  return iree_ok_status();
}
void list_attributes(ir_op_t *module, reduce_sites_t *sites) { iree_status_ignore(ir_walk(module, visit_attributes, sites)); }
void apply_attributes(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_t *op = site->op;
  if (site->b && site->a < op->n_extra) ir_op_set_attr(ir_op_ctx(op), op, op->extra[site->a].name, NULL);
  if (!site->b) op->attrs[site->a] = NULL;
}

// ---- "splats"
static iree_status_t visit_constants(ir_op_t *op, void *self) {
  ir_attr_t value = ir_op_has_trait(op, IR_CONSTANT) ? ir_op_attr(op, "value") : NULL;
  if (ir_is(value, IR_A_RESOURCE) || (ir_is(value, IR_A_DENSE) && !ir_dense_is_splat(value))) reduce_add(self, op, 0, 0);
  return iree_ok_status();
}
void list_splats(ir_op_t *module, reduce_sites_t *sites) { iree_status_ignore(ir_walk(module, visit_constants, sites)); }
void apply_splats(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_ctx_t *ctx = ir_op_ctx(site->op);
  ir_attr_t value = ir_op_attr(site->op, "value"), first = NULL;
  if (ir_is(value, IR_A_DENSE)) first = ir_dense_element(ctx, value, 0);
  else first = scalar_one(ctx, ir_type_element(ir_result(site->op, 0)->type));
  if (!first) return;
  ir_attr_t splat = ir_dense_splat(ctx, ir_result(site->op, 0)->type, first);
  if (splat) ir_op_set_attr(ctx, site->op, "value", splat);
}
