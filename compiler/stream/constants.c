// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants: all of a module's constant bytes in one 64-byte aligned segment, one resource.
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/memory_form.h"
#include "compiler/stream/schedule.h"

static ir_value_t *load_pool(schedule_t *s, ir_builder_t *b) {
  ir_type_t type = stream_resource_type(s->ctx, "constant");
  ir_named_t attrs[2] = {{"global", ir_attr_sym(s->ctx, s->pool_name)}, {"is_immutable", ir_attr_unit(s->ctx)}};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL_LOAD, .results = &type, .n_results = 1, .attrs = attrs, .n_attrs = 2}), 0);
}

// The pool and its size at the head of the function that |block| is in: one resource for all its commands.
static void need_pool(schedule_t *s, const ir_block_t *block) {
  const ir_region_t *region = block->region;
  while (!ir_op_has_trait(region->op, IR_ISOLATED)) region = region->op->block->region;
  if (s->pool_region == region) return;
  s->pool_region = region;
  ir_builder_t b = ir_builder_at_start(s->ctx, region->first);
  // The pool's size is known only at the end: a placeholder that constants_emit fills in.
  s->pool_size = stream_index(&b, 0);
  ir_op_set_attr(s->ctx, ir_def(s->pool_size), "stream.pool_size", ir_attr_unit(s->ctx));
  s->pool = load_pool(s, &b);
}

iree_status_t constants_view(schedule_t *s, ir_op_t *op, ir_attr_t dense, ir_builder_t *b, view_t **out_view) {
  *out_view = NULL;
  ir_attr_t given = dense;
  dense = memory_dense(s->ctx, given);
  if (!dense && ir_is(given, IR_A_RESOURCE)) return ir_op_error(op, "constant '%s' has no bytes in this file", ir_bytes(given));
  if (!dense) return ir_op_error(op, "is a constant of a form that has no bytes");
  dense = memory_form(s->ctx, dense);
  if (!s->pool_name) s->pool_name = ir_symbol_unique(s->ctx, s->module, "__constant_pool");
  size_t index = (size_t)(uintptr_t)ir_map_get(s->constant_of, dense);
  if (!index) {
    ir_type_t type = ir_dense_type(dense);
    constant_t constant = {dense, s->constant_bytes, ir_type_n_elements(type) * (int64_t)ir_type_storage_bytes(ir_type_element(type))};
    s->constant_bytes += (constant.size + STREAM_ALIGNMENT - 1) / STREAM_ALIGNMENT * STREAM_ALIGNMENT;
    IREE_ARENA_PUSH(s->arena, s->constants, s->n_constants, s->constant_cap, constant);
    index = s->n_constants;
    ir_map_set(s->constant_of, dense, (void *)(uintptr_t)index);
  }
  const constant_t *constant = &s->constants[index - 1];
  need_pool(s, b->block);
  view_t *view = IREE_ARENA_NEW(s->arena, view_t);
  view->buffer = buffer_of_resource(s, s->pool, s->pool_size, NULL);
  view->buffer->size = view->size = stream_index(b, constant->size);
  view->buffer->base = constant->offset ? stream_index(b, constant->offset) : NULL;
  view->buffer->lifetime = "constant";
  *out_view = view;
  return iree_ok_status();
}

static ir_attr_t composite(schedule_t *s) {
  ir_attr_t *parts = IREE_ARENA_ARRAY(s->arena, ir_attr_t, 2 * s->n_constants + 1);
  size_t n = 0;
  ir_type_t i8 = ir_type_i(s->ctx, 8);
  for (size_t i = 0; i < s->n_constants; ++i) {
    if (s->constants[i].size) parts[n++] = s->constants[i].value;
    int64_t end = i + 1 < s->n_constants ? s->constants[i + 1].offset : s->constant_bytes;
    int64_t pad = end - s->constants[i].offset - s->constants[i].size;
    if (pad) parts[n++] = ir_attr_dense(s->ctx, ir_type_vector(s->ctx, &pad, 1, i8), "", 1, true, false);
  }
  char shape[48];
  snprintf(shape, sizeof shape, "%lldxi8", (long long)s->constant_bytes);
  ir_attr_t params[2] = {ir_attr_keyword(s->ctx, shape), ir_attr_array(s->ctx, parts, n)};
  return ir_attr_dialect(s->ctx, "util.composite", params, 2);
}

static ir_op_t *build(ir_builder_t *b, ir_kind_t kind, ir_value_t *const *operands, size_t n_operands,
                      const ir_type_t *results, size_t n_results, const ir_named_t *attrs, size_t n_attrs) {
  return ir_build(b, &(ir_op_desc_t){.kind = kind, .operands = operands, .n_operands = n_operands, .results = results,
                                     .n_results = n_results, .attrs = attrs, .n_attrs = n_attrs});
}
static void build_branch(ir_builder_t *b, ir_block_t *to, ir_value_t *tp, ir_value_t *resource) {
  uint32_t n = 2;
  ir_build(b, &(ir_op_desc_t){.kind = OP_CF_BR, .operands = (ir_value_t *[]){tp, resource}, .n_operands = 2,
                              .succs = &to, .succ_operands = &n, .n_succs = 1});
}

// The bytes are used in place where the device can map them, else read into device memory.
static void build_initializer(schedule_t *s, ir_builder_t *b) {
  ir_ctx_t *ctx = s->ctx;
  ir_type_t resource = stream_resource_type(ctx, "constant"), tp = stream_timepoint_type(ctx), i1 = ir_type_i(ctx, 1);
  ir_type_t buffer_type = ir_type_dialect(ctx, "util.buffer", NULL, 0), file_type = ir_type_dialect(ctx, "stream.file", NULL, 0);
  ir_named_t type = {"function_type", ir_type_function(ctx, NULL, 0, NULL, 0)};
  ir_op_t *init = ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_INITIALIZER, .attrs = &type, .n_attrs = 1, .n_regions = 1});
  ir_block_t *entry = ir_block_create(ctx, init->regions[0]), *copy = ir_block_create(ctx, init->regions[0]),
             *done = ir_block_create(ctx, init->regions[0]);
  ir_value_t *done_tp = ir_block_add_arg(ctx, done, tp), *done_resource = ir_block_add_arg(ctx, done, resource);
  ir_named_t on = {"affinity", s->affinity};

  ir_builder_t e = ir_builder_at_end(ctx, entry);
  ir_value_t *zero = stream_index(&e, 0), *size = stream_index(&e, s->constant_bytes);
  ir_value_t *zero64 = ir_build_attr(&e, OP_ARITH_CONSTANT, ir_type_i(ctx, 64), "value", ir_attr_i64(ctx, 0), NULL, NULL);
  ir_value_t *now = ir_result(build(&e, OP_STREAM_TIMEPOINT_IMMEDIATE, NULL, 0, &tp, 1, NULL, 0), 0);
  ir_named_t constant[2] = {{"value", composite(s)}, {"alignment", ir_attr_index(ctx, STREAM_ALIGNMENT)}};
  ir_value_t *bytes = ir_result(build(&e, OP_UTIL_BUFFER_CONSTANT, NULL, 0, &buffer_type, 1, constant, 2), 0);
  ir_op_t *map = build(&e, OP_STREAM_RESOURCE_TRY_MAP, (ir_value_t *[]){bytes, zero, size}, 3,
                       (ir_type_t[]){i1, resource}, 2, &on, 1);
  ir_block_t *succs[2] = {done, copy};
  uint32_t counts[2] = {2, 0}, segments[3] = {1, 2, 0};
  ir_build(&e, &(ir_op_desc_t){.kind = OP_CF_COND_BR, .operands = (ir_value_t *[]){ir_result(map, 0), now, ir_result(map, 1)},
                               .n_operands = 3, .segments = segments, .succs = succs, .succ_operands = counts, .n_succs = 2});

  ir_builder_t c = ir_builder_at_end(ctx, copy);
  ir_named_t alloc_attrs[2] = {{"uninitialized", ir_attr_unit(ctx)}, on};
  ir_value_t *memory = ir_result(build(&c, OP_STREAM_RESOURCE_ALLOC, &size, 1, &resource, 1, alloc_attrs, 2), 0);
  ir_value_t *file = ir_result(build(&c, OP_STREAM_FILE_CONSTANT, (ir_value_t *[]){bytes, size, zero, size}, 4, &file_type, 1, &on, 1), 0);
  ir_value_t *read = ir_result(build(&c, OP_STREAM_FILE_READ, (ir_value_t *[]){file, zero64, memory, size, zero, size, now}, 7, &tp, 1, &on, 1), 0);
  build_branch(&c, done, read, memory);

  ir_builder_t d = ir_builder_at_end(ctx, done);
  ir_named_t sync = {"sync", ir_attr_unit(ctx)};
  ir_op_t *await = ir_build(&d, &(ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_AWAIT, .operands = (ir_value_t *[]){done_resource, size, done_tp},
                                                .n_operands = 3, .segments = (uint32_t[]){1, 1, 1}, .results = &resource,
                                                .n_results = 1, .attrs = &sync, .n_attrs = 1});
  ir_named_t global = {"global", ir_attr_sym(ctx, s->pool_name)};
  build(&d, OP_UTIL_GLOBAL_STORE, (ir_value_t *[]){ir_result(await, 0)}, 1, NULL, 0, &global, 1);
  build(&d, OP_UTIL_RETURN, NULL, 0, NULL, 0, NULL, 0);
}

static iree_status_t fill_in_size(ir_op_t *op, void *self) {
  schedule_t *s = self;
  if (op->kind != OP_ARITH_CONSTANT || !ir_op_attr(op, "stream.pool_size")) return iree_ok_status();
  ir_op_set_attr(s->ctx, op, "stream.pool_size", NULL);
  ir_op_set_attr(s->ctx, op, "value", ir_attr_index(s->ctx, s->constant_bytes));
  return iree_ok_status();
}

iree_status_t constants_emit(schedule_t *s, ir_op_t *before) {
  if (!s->pool_name) return iree_ok_status();
  if (!s->constant_bytes) s->constant_bytes = STREAM_ALIGNMENT;  // only empty constants: one needs some bytes
  IREE_RETURN_IF_ERROR(ir_walk(s->module, fill_in_size, s));
  ir_builder_t b = ir_builder_before(s->ctx, before);
  ir_named_t attrs[3] = {{"sym_visibility", ir_attr_str(s->ctx, "private")}, {"sym_name", ir_attr_str(s->ctx, s->pool_name)},
                         {"type", stream_resource_type(s->ctx, "constant")}};
  ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL, .attrs = attrs, .n_attrs = 3});
  build_initializer(s, &b);
  return iree_ok_status();
}
