// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, regions, builders, movement, cloning, walking.
#include <string.h>

#include "compiler/ir/context.h"

// ---- regions and blocks
ir_region_t *ir_region_create(ir_ctx_t *ctx, ir_op_t *owner) {
  ir_region_t *region = IREE_ARENA_NEW(&ctx->arena, ir_region_t);
  region->op = owner;
  return region;
}
static void block_link(ir_region_t *region, ir_block_t *block, ir_block_t *before) {
  block->region = region;
  block->next = before;
  block->prev = before ? before->prev : region->last;
  *(block->prev ? &block->prev->next : &region->first) = block;
  *(before ? &before->prev : &region->last) = block;
}
static void block_unlink(ir_block_t *block) {
  ir_region_t *region = block->region;
  *(block->prev ? &block->prev->next : &region->first) = block->next;
  *(block->next ? &block->next->prev : &region->last) = block->prev;
  block->region = NULL;
  block->prev = block->next = NULL;
}
ir_block_t *ir_block_create(ir_ctx_t *ctx, ir_region_t *region) {
  ir_block_t *block = IREE_ARENA_NEW(&ctx->arena, ir_block_t);
  if (region) block_link(region, block, NULL);
  return block;
}
ir_block_t *ir_block_insert_before(ir_ctx_t *ctx, ir_block_t *before) {
  ir_block_t *block = ir_block_create(ctx, NULL);
  block_link(before->region, block, before);
  return block;
}
void ir_block_erase(ir_block_t *block) {
  while (block->last) ir_op_erase(block->last);
  if (block->region) block_unlink(block);
}
ir_value_t *ir_block_add_arg(ir_ctx_t *ctx, ir_block_t *block, ir_type_t type) {
  ir_value_t *arg = IREE_ARENA_NEW(&ctx->arena, ir_value_t);
  *arg = (ir_value_t){.type = type, .block = block, .index = block->n_args, .is_arg = true};
  IREE_ARENA_PUSH(&ctx->arena, block->args, block->n_args, block->arg_cap, arg);
  return arg;
}
ir_value_t *ir_block_insert_arg(ir_ctx_t *ctx, ir_block_t *block, size_t i, ir_type_t type) {
  ir_value_t *arg = ir_block_add_arg(ctx, block, type);
  for (size_t k = block->n_args - 1; k > i; --k) {
    block->args[k] = block->args[k - 1];
    block->args[k]->index = (uint32_t)k;
  }
  block->args[i] = arg;
  arg->index = (uint32_t)i;
  return arg;
}
void ir_block_erase_arg(ir_block_t *block, size_t i) {
  for (size_t k = i; k + 1 < block->n_args; ++k) {
    block->args[k] = block->args[k + 1];
    block->args[k]->index = (uint32_t)k;
  }
  block->n_args--;
}
void ir_region_take(ir_region_t *to, ir_region_t *from) {
  while (from->first) {
    ir_block_t *block = from->first;
    block_unlink(block);
    block_link(to, block, NULL);
  }
}
void ir_region_take_before(ir_block_t *before, ir_region_t *from) {
  while (from->first) {
    ir_block_t *block = from->first;
    block_unlink(block);
    block_link(before->region, block, before);
  }
}

// ---- op lists
static void op_link(ir_block_t *block, ir_op_t *op, ir_op_t *before) {
  op->block = block;
  op->next = before;
  op->prev = before ? before->prev : block->last;
  *(op->prev ? &op->prev->next : &block->first) = op;
  *(before ? &before->prev : &block->last) = op;
}
void ir_op_remove(ir_op_t *op) {
  ir_block_t *block = op->block;
  if (!block) return;
  *(op->prev ? &op->prev->next : &block->first) = op->next;
  *(op->next ? &op->next->prev : &block->last) = op->prev;
  op->block = NULL;
  op->prev = op->next = NULL;
}
void ir_op_erase(ir_op_t *op) {
  for (uint16_t r = 0; r < op->n_regions; ++r)
    while (op->regions[r]->last) ir_block_erase(op->regions[r]->last);
  for (uint32_t i = 0; i < op->n_operands; ++i) ir_use_set(&op->operands[i], NULL);
  ir_op_remove(op);
}
void ir_op_move_before(ir_op_t *op, ir_op_t *before) {
  ir_op_remove(op);
  op_link(before->block, op, before);
}
void ir_op_move_to_end(ir_op_t *op, ir_block_t *block) {
  ir_op_remove(op);
  op_link(block, op, NULL);
}
void ir_block_move_ops(ir_op_t *first, ir_block_t *to) {
  for (ir_op_t *op = first; op;) {
    ir_op_t *next = op->next;
    ir_op_move_to_end(op, to);
    op = next;
  }
}
ir_block_t *ir_block_split(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *from = op->block, *to = ir_block_create(ctx, NULL);
  block_link(from->region, to, from->next);
  ir_block_move_ops(op, to);
  return to;
}
bool ir_op_is_before(const ir_op_t *a, const ir_op_t *b) {
  for (const ir_op_t *op = a->next; op; op = op->next)
    if (op == b) return true;
  return false;
}
ir_op_t *ir_op_parent(const ir_op_t *op) {
  return op->block && op->block->region ? op->block->region->op : NULL;
}
ir_op_t *ir_op_parent_of_kind(const ir_op_t *op, ir_kind_t kind) {
  for (ir_op_t *p = ir_op_parent(op); p; p = ir_op_parent(p))
    if (p->kind == kind) return p;
  return NULL;
}
bool ir_op_is_ancestor(const ir_op_t *ancestor, const ir_op_t *op) {
  for (; op; op = ir_op_parent(op))
    if (op == ancestor) return true;
  return false;
}

// ---- builders
ir_builder_t ir_builder_before(ir_ctx_t *ctx, ir_op_t *op) {
  return (ir_builder_t){ctx, op->block, op, op->loc};
}
ir_builder_t ir_builder_after(ir_ctx_t *ctx, ir_op_t *op) {
  return (ir_builder_t){ctx, op->block, op->next, op->loc};
}
// Ops that open or close a block are the owner's doing.
static ir_loc_t block_loc(ir_ctx_t *ctx, const ir_block_t *block) {
  return block->region && block->region->op ? block->region->op->loc : ctx->unknown_loc;
}
ir_builder_t ir_builder_at_start(ir_ctx_t *ctx, ir_block_t *block) {
  return (ir_builder_t){ctx, block, block->first, block_loc(ctx, block)};
}
ir_builder_t ir_builder_at_end(ir_ctx_t *ctx, ir_block_t *block) {
  return (ir_builder_t){ctx, block, NULL, block_loc(ctx, block)};
}
void ir_insert(ir_builder_t *b, ir_op_t *op) { op_link(b->block, op, b->before); }
ir_op_t *ir_build(ir_builder_t *b, const ir_op_desc_t *desc) {
  ir_op_desc_t d = *desc;
  if (!d.loc) d.loc = b->loc;
  ir_op_t *op = ir_op_create(b->ctx, &d);
  op_link(b->block, op, b->before);
  return op;
}
ir_value_t *ir_build1(ir_builder_t *b, ir_kind_t kind, ir_type_t result, ir_value_t *x,
                      ir_value_t *y, ir_value_t *z) {
  ir_value_t *operands[3] = {x, y, z};
  size_t n = z ? 3 : y ? 2 : x ? 1 : 0;
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = kind, .operands = operands, .n_operands = n,
                                            .results = &result, .n_results = 1});
  return ir_result(op, 0);
}
ir_value_t *ir_build_attr(ir_builder_t *b, ir_kind_t kind, ir_type_t result, const char *name,
                          ir_attr_t attr, ir_value_t *x, ir_value_t *y) {
  ir_value_t *operands[2] = {x, y};
  ir_named_t named = {name, attr};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = kind, .operands = operands,
                                            .n_operands = y ? 2 : x ? 1 : 0, .results = &result,
                                            .n_results = 1, .attrs = &named, .n_attrs = 1});
  return ir_result(op, 0);
}

// ---- cloning: a pointer map, open addressing
struct ir_map {
  iree_arena_t *arena;
  const void **keys;
  void **values;
  size_t count, capacity;
};
ir_map_t *ir_map_create(iree_arena_t *arena) {
  ir_map_t *map = IREE_ARENA_NEW(arena, ir_map_t);
  map->arena = arena;
  return map;
}
static size_t map_slot(const ir_map_t *map, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15ull;
  size_t k = (size_t)(h >> 20) & (map->capacity - 1);
  while (map->keys[k] && map->keys[k] != key) k = (k + 1) & (map->capacity - 1);
  return k;
}
void ir_map_set(ir_map_t *map, const void *key, void *value) {
  if (map->count * 4 >= map->capacity * 3) {
    ir_map_t old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 32;
    map->keys = IREE_ARENA_ARRAY(map->arena, const void *, map->capacity);
    map->values = IREE_ARENA_ARRAY(map->arena, void *, map->capacity);
    for (size_t i = 0; i < old.capacity; ++i) {
      if (!old.keys[i]) continue;
      size_t k = map_slot(map, old.keys[i]);
      map->keys[k] = old.keys[i];
      map->values[k] = old.values[i];
    }
  }
  size_t k = map_slot(map, key);
  if (!map->keys[k]) map->count++;
  map->keys[k] = key;
  map->values[k] = value;
}
void *ir_map_get(const ir_map_t *map, const void *key) {
  if (!map->capacity) return NULL;
  size_t k = map_slot(map, key);
  return map->keys[k] ? map->values[k] : NULL;
}

void ir_op_copy_attrs(ir_ctx_t *ctx, ir_op_t *to, const ir_op_t *from) {
  memcpy(to->attrs, from->attrs, from->spec->n_attrs * sizeof *from->attrs);
  for (uint32_t i = 0; i < from->n_extra; ++i)
    ir_op_set_attr(ctx, to, from->extra[i].name, from->extra[i].value);
}
// Creates the op without operands; they follow once every value of the clone exists.
static ir_op_t *clone_shell(ir_ctx_t *ctx, const ir_op_t *op, ir_map_t *map) {
  ir_type_t small[16];
  ir_type_t *types = op->n_results <= 16 ? small : IREE_ARENA_ARRAY(&ctx->arena, ir_type_t, op->n_results);
  for (uint32_t i = 0; i < op->n_results; ++i) types[i] = op->results[i].type;
  ir_op_t *copy = ir_op_create(ctx, &(ir_op_desc_t){.kind = op->kind, .name = op->name, .loc = op->loc,
                                                    .results = types, .n_results = op->n_results,
                                                    .result_segments = op->result_segments,
                                                    .n_regions = op->n_regions});
  ir_op_copy_attrs(ctx, copy, op);
  for (uint32_t i = 0; i < op->n_results; ++i) ir_map_set(map, &op->results[i], &copy->results[i]);
  return copy;
}
static void clone_links(ir_ctx_t *ctx, const ir_op_t *op, ir_op_t *copy, ir_map_t *map) {
  ir_value_t *small[32];
  ir_value_t **values = op->n_operands <= 32 ? small : IREE_ARENA_ARRAY(&ctx->arena, ir_value_t *, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *to = ir_map_get(map, op->operands[i].value);
    values[i] = to ? to : op->operands[i].value;
  }
  ir_op_set_operands(ctx, copy, values, op->n_operands, op->segments);
  copy->n_succs = op->n_succs;
  if (op->n_succs) copy->succs = IREE_ARENA_ARRAY(&ctx->arena, ir_succ_t, op->n_succs);
  for (uint16_t i = 0; i < op->n_succs; ++i) {
    copy->succs[i] = op->succs[i];
    ir_block_t *to = ir_map_get(map, op->succs[i].block);
    if (to) copy->succs[i].block = to;
  }
}
void ir_region_clone(ir_ctx_t *ctx, const ir_region_t *from, ir_region_t *to, ir_map_t *map) {
  for (const ir_block_t *b = from->first; b; b = b->next) {
    ir_block_t *copy = ir_block_create(ctx, to);
    ir_map_set(map, b, copy);
    for (uint32_t i = 0; i < b->n_args; ++i)
      ir_map_set(map, b->args[i], ir_block_add_arg(ctx, copy, b->args[i]->type));
    for (const ir_op_t *op = b->first; op; op = op->next) op_link(copy, clone_shell(ctx, op, map), NULL);
  }
  const ir_block_t *b = from->first;
  for (; b; b = b->next) {
    ir_op_t *copy = ((ir_block_t *)ir_map_get(map, b))->first;
    for (const ir_op_t *op = b->first; op; op = op->next, copy = copy->next) {
      clone_links(ctx, op, copy, map);
      for (uint16_t r = 0; r < op->n_regions; ++r)
        ir_region_clone(ctx, op->regions[r], copy->regions[r], map);
    }
  }
}
ir_op_t *ir_op_clone_empty(ir_ctx_t *ctx, const ir_op_t *op, ir_map_t *map) {
  ir_op_t *copy = clone_shell(ctx, op, map);
  clone_links(ctx, op, copy, map);
  return copy;
}
ir_op_t *ir_op_clone(ir_ctx_t *ctx, const ir_op_t *op, ir_map_t *map) {
  if (!map) map = ir_map_create(&ctx->arena);
  ir_op_t *copy = ir_op_clone_empty(ctx, op, map);
  for (uint16_t r = 0; r < op->n_regions; ++r)
    ir_region_clone(ctx, op->regions[r], copy->regions[r], map);
  return copy;
}

// ---- walking
iree_status_t ir_walk(ir_op_t *root, ir_walk_fn_t fn, void *self) {
  // Regions are held so that |fn| may erase its op; an erased op's regions are empty.
  uint16_t n_regions = root->n_regions;
  ir_region_t **regions = root->regions;
  IREE_RETURN_IF_ERROR(fn(root, self));
  for (uint16_t r = 0; r < n_regions; ++r) {
    for (ir_block_t *b = regions[r]->first, *next_block; b; b = next_block) {
      next_block = b->next;
      for (ir_op_t *op = b->first, *next; op; op = next) {
        next = op->next;
        IREE_RETURN_IF_ERROR(ir_walk(op, fn, self));
      }
    }
  }
  return iree_ok_status();
}
