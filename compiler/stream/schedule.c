// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stream-schedule: tensors of host functions become resources, their ops recorded commands.
//
//   in         util.func and util.initializer as blocks with flow.* and hal.tensor.* ops on tensors
//   out        stream.* ops; no tensor value is left outside executables
//   relies on  stream-convert-control-flow; stream-convert-executables for what kernels take
//
//   %1 = flow.dispatch @x::@f(%0) : (t) -> t     %r, %t = stream.resource.alloca ...
//   %2 = hal.tensor.export %1               ->   %u = stream.cmd.execute await(%t) => with(...) {...}
//                                                %v = stream.timepoint.await %u => %r
//                                                stream.tensor.export %v
//
// Ops join the open partition as long as the host needs none of its results; then it is closed.
#include "compiler/dialects/element_type.h"
#include "compiler/stream/schedule.h"

#include <string.h>

#include "compiler/ir/fold.h"

static bool is_tensor(const ir_value_t *v) { return v->type->kind == IR_T_TENSOR; }
static view_t *view_of(schedule_t *s, const ir_value_t *v) { return ir_map_get(s->views, v); }

static view_t *set_view(schedule_t *s, ir_value_t *value, buffer_t *buffer, ir_value_t *offset, ir_value_t *size) {
  view_t *view = IREE_ARENA_NEW(s->arena, view_t);
  *view = (view_t){buffer, offset, size};
  ir_map_set(s->views, value, view);
  buffer_add_value(s, buffer, value);
  return view;
}
static void alias_view(schedule_t *s, ir_value_t *value, const view_t *of) { set_view(s, value, of->buffer, of->offset, of->size); }

static void done(schedule_t *s, ir_op_t *op) {
  ir_map_set(s->done, op, op);
  IREE_ARENA_PUSH(s->arena, s->erase, s->n_erase, s->erase_cap, op);
}

static ir_value_t **values_of(schedule_t *s, const ir_op_t *op, ir_group_t group) {
  ir_value_t **values = IREE_ARENA_ARRAY(s->arena, ir_value_t *, group.n + 1);
  for (uint32_t i = 0; i < group.n; ++i) values[i] = ir_operand(op, group.first + i);
  return values;
}
static ir_value_t *bytes_of(schedule_t *s, ir_builder_t *b, ir_type_t type, const ir_op_t *op, const char *dims) {
  return stream_tensor_bytes(b, type, values_of(s, op, ir_operand_group(op, dims)));
}

static iree_status_t need_view(schedule_t *s, ir_op_t *op, ir_value_t *value, view_t **out) {
  *out = view_of(s, value);
  return *out ? iree_ok_status() : ir_op_error(op, "uses a tensor that has no memory yet: its producer cannot run on a device");
}

// ---- a view as the host needs it
// The resource that holds exactly the view: a subview where it is part of something larger.
static ir_value_t *exact_resource(ir_builder_t *b, const view_t *view) {
  buffer_t *buffer = view->buffer;
  int64_t size = -1, total = -2;
  bool whole = !buffer->base && !view->offset &&
               (view->size == buffer->total || (stream_constant(view->size, &size) && stream_constant(buffer->total, &total) && size == total));
  if (whole) return buffer->resource;
  operand_t at = {buffer, view->offset, view->size, 0};
  ir_value_t *offset = at.offset && buffer->base ? stream_add(b, buffer->base, at.offset)
                       : at.offset               ? at.offset
                       : buffer->base            ? buffer->base
                                                 : stream_index(b, 0);
  ir_value_t *operands[4] = {buffer->resource, buffer->total, offset, view->size};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_RESOURCE_SUBVIEW, .operands = operands, .n_operands = 4,
                                               .results = &buffer->resource->type, .n_results = 1}), 0);
}

// As exact_resource, once the host has waited for it.
static ir_value_t *awaited_resource(schedule_t *s, ir_builder_t *b, const view_t *view) {
  ir_value_t *resource = exact_resource(b, view);
  buffer_t *buffer = view->buffer;
  if (!buffer->ready || buffer->awaited_in == b->block) return resource;
  buffer->awaited_in = b->block;
  ir_value_t *operands[3] = {resource, view->size, buffer->ready};
  ir_named_t sync = {"sync", s->in_initializer ? ir_attr_unit(s->ctx) : NULL};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_AWAIT, .operands = operands, .n_operands = 3,
                                               .attrs = &sync, .n_attrs = 1, .segments = (uint32_t[]){1, 1, 1}, .results = &resource->type, .n_results = 1}), 0);
}

// ---- commands
static operand_t operand_of(const view_t *view, int access) {
  return (operand_t){view->buffer, view->offset, view->size, access};
}

static void add_copy(schedule_t *s, ir_loc_t loc, operand_t from, operand_t to) {
  command_t *c = partition_add(s, OP_STREAM_CMD_COPY, loc, 2);
  c->operands[0] = from;
  c->operands[1] = to;
  partition_place(s, c);
}

// A buffer of |lifetime| with the contents of |view|, made by the open partition.
static buffer_t *add_clone(schedule_t *s, ir_op_t *op, const view_t *view, const char *lifetime) {
  buffer_t *buffer = buffer_create(s, view->size);
  buffer->block = op->block;
  buffer->lifetime = lifetime;
  add_copy(s, op->loc, operand_of(view, ACCESS_READ), (operand_t){buffer, NULL, view->size, ACCESS_WRITE});
  return buffer;
}

// The buffer an op may overwrite in place of |value|: its own if nobody else needs the contents.
static buffer_t *writable(schedule_t *s, ir_op_t *op, const view_t *view) {
  if (!view->offset && buffer_may_be_written(s, view->buffer, op)) return view->buffer;
  return add_clone(s, op, view, "external");
}

static int access_of_argument(const ir_op_t *dispatch, size_t index) {
  ir_attr_t tied = ir_op_attr(dispatch, "tied_operands");
  if (!tied) return ACCESS_READ;
  for (uint32_t i = 0; i < tied->n_kids; ++i)
    if (ir_int(ir_kid(tied, i), 0) == (int64_t)index) return ACCESS_READ | ACCESS_WRITE;
  return ACCESS_READ;
}

// tied_operands holds per result the number of the argument it overwrites, or -1.
static iree_status_t schedule_dispatch(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_group_t arguments = ir_operand_group(op, "arguments"), result_dims = ir_operand_group(op, "result_dims");
  ir_attr_t tied = ir_op_attr(op, "tied_operands");
  ir_value_t **dims = values_of(s, op, result_dims);
  operand_t *operands = IREE_ARENA_ARRAY(s->arena, operand_t, arguments.n + op->n_results + 1);
  buffer_t **of_argument = IREE_ARENA_ARRAY(s->arena, buffer_t *, arguments.n + 1);
  size_t n = 0;
  for (uint32_t i = 0; i < arguments.n; ++i) {
    ir_value_t *argument = ir_operand(op, arguments.first + i);
    if (!is_tensor(argument)) continue;
    view_t *view;
    IREE_RETURN_IF_ERROR(need_view(s, op, argument, &view));
    operands[n] = operand_of(view, access_of_argument(op, i));
    if (operands[n].access & ACCESS_WRITE) {
      operands[n].buffer = writable(s, op, view);
      operands[n].offset = NULL;
    }
    of_argument[i] = operands[n++].buffer;
  }
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_value_t *result = ir_result(op, i);
    if (!is_tensor(result)) return ir_op_error(op, "result %u is no tensor", i);
    ir_value_t *size = stream_tensor_bytes(b, result->type, dims);
    dims += ir_type_n_dynamic(result->type);
    int64_t tie = tied && i < tied->n_kids ? ir_int(ir_kid(tied, i), 0) : -1;
    if (tie >= 0 && tie < (int64_t)arguments.n) {
      set_view(s, result, of_argument[tie], NULL, size);
      continue;
    }
    buffer_t *buffer = buffer_create(s, size);
    buffer->block = op->block;
    set_view(s, result, buffer, NULL, size);
    operands[n++] = (operand_t){buffer, NULL, size, ACCESS_WRITE};
  }
  command_t *c = partition_add(s, OP_STREAM_CMD_DISPATCH, op->loc, n);
  memcpy(c->operands, operands, n * sizeof *operands);
  c->op = op;
  partition_place(s, c);
  done(s, op);
  return iree_ok_status();
}

// How many elements lie before the one at |indices|; NULL for none.
static ir_value_t *linear_index(ir_builder_t *b, ir_type_t type, ir_value_t *const *dims, ir_value_t *const *indices, size_t n) {
  ir_value_t *linear = NULL;
  size_t next = 0;
  for (size_t i = 0; i < n; ++i) {
    ir_value_t *extent = ir_type_dim(type, i) == IR_DYNAMIC ? dims[next++] : stream_index(b, ir_type_dim(type, i));
    linear = linear ? stream_add(b, stream_mul(b, linear, extent), indices[i]) : indices[i];
  }
  return linear;
}
// Byte offset of the element at |indices|.
static ir_value_t *element_offset(ir_builder_t *b, ir_type_t type, ir_value_t *const *dims, ir_value_t *const *indices, size_t n) {
  ir_value_t *linear = linear_index(b, type, dims, indices, n);
  if (!linear) return NULL;
  linear = stream_mul(b, linear, stream_index(b, stream_element_bits(type) / 8));
  int64_t value;
  return stream_constant(linear, &value) && !value ? NULL : linear;
}

// Fill patterns are integers of 1, 2 or 4 bytes. |value| as such an integer, split in two words if
// it has 8 bytes; 0 if it has another size.
static size_t pattern_of_scalar(ir_builder_t *b, ir_value_t *value, ir_value_t **out) {
  unsigned width = ir_type_width(value->type);
  if (ir_is(value->type, IR_T_COMPLEX) || (width != 1 && width != 8 && width != 16 && width != 32 && width != 64)) return 0;
  if (width == 64) return stream_pack_scalar(b, value, out);
  if (width == 1) value = ir_build1(b, OP_ARITH_EXTUI, ir_type_i(b->ctx, 8), value, NULL, NULL);
  else if (ir_type_is_float(value->type)) value = ir_build1(b, OP_ARITH_BITCAST, ir_type_i(b->ctx, width), value, NULL, NULL);
  out[0] = value;
  return 1;
}

// The shortest pattern whose repetition gives the splat's elements; NULL if 4 bytes do not suffice.
static ir_value_t *pattern_of_splat(ir_builder_t *b, ir_attr_t dense) {
  ir_type_t element = ir_type_element(ir_dense_type(dense));
  size_t n = ir_type_storage_bytes(element);
  const uint8_t *bytes = ir_dense_data(dense);
  if (!ir_dense_is_splat(dense) || ir_type_packed_bits(element)) return NULL;
  while (n > 1 && !memcmp(bytes, bytes + n / 2, n / 2)) n /= 2;
  if (n > 4) return NULL;
  int64_t bits = 0;
  memcpy(&bits, bytes, n);
  ir_type_t type = ir_type_i(b->ctx, (unsigned)n * 8);
  return ir_build_attr(b, OP_ARITH_CONSTANT, type, "value", ir_attr_int(b->ctx, type, bits), NULL, NULL);
}

static void add_fill_range(schedule_t *s, ir_op_t *op, buffer_t *buffer, ir_value_t *offset, ir_value_t *length, ir_value_t *pattern) {
  command_t *c = partition_add(s, OP_STREAM_CMD_FILL, op->loc, 1);
  c->operands[0] = (operand_t){buffer, offset, length, ACCESS_WRITE};
  c->value = pattern;
  partition_place(s, c);
}
static buffer_t *add_fill(schedule_t *s, ir_op_t *op, ir_value_t *pattern, ir_value_t *size) {
  buffer_t *buffer = buffer_create(s, size);
  buffer->block = op->block;
  set_view(s, ir_result(op, 0), buffer, NULL, size);
  add_fill_range(s, op, buffer, NULL, size, pattern);
  return buffer;
}

// One element of 1 to 8 bytes at |offset|, from the host.
static iree_status_t add_element(schedule_t *s, ir_op_t *op, ir_builder_t *b, buffer_t *buffer, ir_value_t *offset, ir_value_t *value) {
  ir_value_t *words[2];
  size_t n = pattern_of_scalar(b, value, words);
  if (!n) return ir_op_error(op, "cannot write an element of this type from the host: only whole elements of 1 to 8 bytes");
  ir_value_t *size = stream_index(b, (ir_type_width(words[0]->type) + 7) / 8);
  for (size_t i = 0; i < n; ++i) {
    add_fill_range(s, op, buffer, offset, size, words[i]);
    offset = offset ? stream_add(b, offset, size) : size;
  }
  return iree_ok_status();
}

static iree_status_t schedule_constant(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_attr_t value = ir_op_attr(op, "value");
  ir_value_t *pattern = ir_is(value, IR_A_DENSE) ? pattern_of_splat(b, value) : NULL;
  if (pattern) {
    add_fill(s, op, pattern, stream_tensor_bytes(b, ir_result(op, 0)->type, NULL));
  } else {
    view_t *view;
    IREE_RETURN_IF_ERROR(constants_view(s, op, value, b, &view));
    alias_view(s, ir_result(op, 0), view);
  }
  done(s, op);
  return iree_ok_status();
}

// Elements that no pattern gives: one from the host, then copies of what is there, twice as much
// each time.
static iree_status_t add_doubling_fill(schedule_t *s, ir_op_t *op, ir_builder_t *b, ir_value_t *size) {
  int64_t total, have = stream_element_bits(ir_result(op, 0)->type) / 8;
  if (!stream_constant(size, &total))
    return ir_op_error(op, "fills a dynamic number of elements that no pattern of 1, 2 or 4 bytes gives; broadcast them in a dispatch instead");
  buffer_t *buffer = buffer_create(s, size);
  buffer->block = op->block;
  set_view(s, ir_result(op, 0), buffer, NULL, size);
  if (!total) return iree_ok_status();
  IREE_RETURN_IF_ERROR(add_element(s, op, b, buffer, NULL, ir_operand(op, 0)));
  for (; have < total; have *= 2) {
    ir_value_t *length = stream_index(b, total - have < have ? total - have : have);
    add_copy(s, op->loc, (operand_t){buffer, NULL, length, ACCESS_READ},
             (operand_t){buffer, stream_index(b, have), length, ACCESS_WRITE});
  }
  return iree_ok_status();
}

static iree_status_t schedule_splat(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_value_t *size = bytes_of(s, b, ir_result(op, 0)->type, op, "result_dims"), *words[2];
  ir_attr_t constant = ir_constant_of(ir_operand(op, 0));
  ir_type_t one = ir_type_tensor(s->ctx, NULL, 0, ir_operand(op, 0)->type, NULL);
  ir_value_t *pattern = constant ? pattern_of_splat(b, ir_dense_splat(s->ctx, one, constant)) : NULL;
  if (!pattern && pattern_of_scalar(b, ir_operand(op, 0), words) == 1) pattern = words[0];
  if (pattern) {
    add_fill(s, op, pattern, size);
  } else {
    IREE_RETURN_IF_ERROR(add_doubling_fill(s, op, b, size));
  }
  done(s, op);
  return iree_ok_status();
}

static iree_status_t schedule_store(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_value_t *target = ir_operand_named(op, "target");
  view_t *into;
  IREE_RETURN_IF_ERROR(need_view(s, op, target, &into));
  buffer_t *buffer = writable(s, op, into);
  ir_group_t indices = ir_operand_group(op, "indices");
  ir_value_t *offset = element_offset(b, target->type, values_of(s, op, ir_operand_group(op, "target_dims")),
                                      values_of(s, op, indices), indices.n);
  IREE_RETURN_IF_ERROR(add_element(s, op, b, buffer, offset, ir_operand_named(op, "value")));
  set_view(s, ir_result(op, 0), buffer, NULL, into->size);
  done(s, op);
  return iree_ok_status();
}

static iree_status_t schedule_empty(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  // Contents do not matter: a fill with zero keeps every byte defined.
  ir_type_t i8 = ir_type_i(s->ctx, 8);
  ir_value_t *zero = ir_build_attr(b, OP_ARITH_CONSTANT, i8, "value", ir_attr_int(s->ctx, i8, 0), NULL, NULL);
  add_fill(s, op, zero, bytes_of(s, b, ir_result(op, 0)->type, op, "result_dims"));
  done(s, op);
  return iree_ok_status();
}

static iree_status_t schedule_alias(schedule_t *s, ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_results; ++i) {
    view_t *view;
    if (!is_tensor(ir_result(op, i))) {  // of an optimization barrier
      ir_replace_uses(ir_result(op, i), ir_operand(op, i));
      continue;
    }
    IREE_RETURN_IF_ERROR(need_view(s, op, ir_operand(op, i), &view));
    alias_view(s, ir_result(op, i), view);
  }
  done(s, op);
  return iree_ok_status();
}

// A slice is a range of bytes if every extent after the first partial one is whole.
static bool is_contiguous(ir_type_t whole, ir_type_t part) {
  if (stream_element_bits(whole) < 8) return false;
  size_t rank = ir_type_rank(whole), i = 0;
  while (i < rank && ir_type_dim(part, i) == 1) ++i;
  for (++i; i < rank; ++i)
    if (ir_type_dim(whole, i) != ir_type_dim(part, i) || ir_type_dim(whole, i) == IR_DYNAMIC) return false;
  return true;
}

static iree_status_t schedule_slice(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  view_t *source;
  ir_value_t *from = ir_operand_named(op, "source"), *to = ir_result(op, 0);
  IREE_RETURN_IF_ERROR(need_view(s, op, from, &source));
  if (!is_contiguous(from->type, to->type)) return ir_op_error(op, "takes a slice that is no contiguous range of memory");
  ir_group_t starts = ir_operand_group(op, "start_indices");
  ir_value_t *offset = element_offset(b, from->type, values_of(s, op, ir_operand_group(op, "source_dims")),
                                      values_of(s, op, starts), starts.n);
  ir_value_t *size = bytes_of(s, b, to->type, op, "result_dims");
  view_t part = {source->buffer, source->offset && offset ? stream_add(b, source->offset, offset) : offset ? offset : source->offset, size};
  set_view(s, to, add_clone(s, op, &part, "external"), NULL, size);
  done(s, op);
  return iree_ok_status();
}

static iree_status_t schedule_update(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_value_t *target = ir_operand_named(op, "target"), *update = ir_operand_named(op, "update");
  view_t *into, *part;
  IREE_RETURN_IF_ERROR(need_view(s, op, target, &into));
  IREE_RETURN_IF_ERROR(need_view(s, op, update, &part));
  if (!is_contiguous(target->type, update->type)) return ir_op_error(op, "updates what is no contiguous range of memory");
  buffer_t *buffer = writable(s, op, into);
  ir_group_t starts = ir_operand_group(op, "start_indices");
  ir_value_t *offset = element_offset(b, target->type, values_of(s, op, ir_operand_group(op, "target_dims")),
                                      values_of(s, op, starts), starts.n);
  add_copy(s, op->loc, operand_of(part, ACCESS_READ), (operand_t){buffer, offset, part->size, ACCESS_WRITE});
  set_view(s, ir_result(op, 0), buffer, NULL, into->size);
  done(s, op);
  return iree_ok_status();
}

// ---- the border to the caller
static ir_value_t *hal_constant(ir_builder_t *b, ir_kind_t kind, const char *attr, ir_attr_t value) {
  return ir_build_attr(b, kind, ir_type_i(b->ctx, 32), attr, value, NULL, NULL);
}

static void build_assert(schedule_t *s, ir_op_t *op, ir_builder_t *b, ir_type_t encoding) {
  ir_attr_t name = ir_op_attr(op, "name");
  ir_group_t dims = ir_operand_group(op, "target_dims");
  size_t rank = ir_type_rank(encoding);
  ir_value_t **operands = IREE_ARENA_ARRAY(s->arena, ir_value_t *, rank + 4);
  uint32_t next = dims.first;
  size_t n = 0;
  operands[n++] = ir_operand_named(op, "source");
  operands[n++] = element_type_build(b, ir_type_element(encoding));
  operands[n++] = hal_constant(b, OP_HAL_ENCODING_TYPE, "encoding", NULL);
  for (size_t i = 0; i < rank; ++i)
    operands[n++] = ir_type_dim(encoding, i) == IR_DYNAMIC ? ir_operand(op, next++) : stream_index(b, ir_type_dim(encoding, i));
  ir_named_t message = {"message", name ? name : ir_attr_str(s->ctx, "tensor")};
  ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_BUFFER_VIEW_ASSERT, .operands = operands, .n_operands = n, .attrs = &message, .n_attrs = 1});
}

// The memory of a view or buffer that the caller hands over, of |type| with |dims|; ready once |fence| is reached, if there is one.
typedef struct handed {
  ir_value_t *source, *fence, *const *dims;
  uint32_t n_dims;
  ir_type_t encoding;
  ir_attr_t consume;
} handed_t;
static ir_value_t *build_import(schedule_t *s, ir_builder_t *b, const handed_t *h, ir_value_t *size, ir_value_t **out_ready) {
  ir_value_t **operands = IREE_ARENA_ARRAY(s->arena, ir_value_t *, h->n_dims + 3);
  uint32_t segments[3] = {1, h->n_dims, 1};
  operands[0] = h->source;
  for (uint32_t i = 0; i < h->n_dims; ++i) operands[1 + i] = h->dims[i];
  operands[1 + h->n_dims] = size;
  ir_type_t type = stream_resource_type(s->ctx, "external"), tp = stream_timepoint_type(s->ctx);
  ir_named_t attrs[3] = {{"result_encoding", h->encoding}, {"affinity", s->affinity}, {"consume", h->consume}};
  ir_op_t *import = ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_TENSOR_IMPORT, .operands = operands, .n_operands = h->n_dims + 2,
                                                .segments = segments, .results = &type, .n_results = 1, .attrs = attrs, .n_attrs = 3});
  ir_named_t on = {"affinity", s->affinity};
  *out_ready = !h->fence ? NULL
                         : ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_IMPORT, .operands = &h->fence, .n_operands = 1,
                                                                 .results = &tp, .n_results = 1, .attrs = &on, .n_attrs = 1}), 0);
  return ir_result(import, 0);
}

static iree_status_t convert_import(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_group_t dims = ir_operand_group(op, "target_dims");
  handed_t handed = {ir_operand_named(op, "source"), ir_operand_named(op, "wait_fence"), values_of(s, op, dims), dims.n,
                     ir_op_attr(op, "target_encoding"), ir_op_attr(op, "consume")};
  if (ir_operand_named(op, "byte_offset")) return ir_op_error(op, "with a byte offset is not supported; slice the buffer view instead");
  if (ir_type_is(handed.source->type, "hal.buffer_view") && !s->pass->options->strip_assertions) build_assert(s, op, b, handed.encoding);
  ir_value_t *size = bytes_of(s, b, ir_result(op, 0)->type, op, "target_dims"), *ready;
  ir_value_t *resource = build_import(s, b, &handed, size, &ready);
  set_view(s, ir_result(op, 0), buffer_of_resource(s, resource, size, ready), NULL, size);
  done(s, op);
  return iree_ok_status();
}

// hal.tensor.alias: the tensor is made in memory that the caller handed over; what is made already is copied there.
static iree_status_t convert_storage(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_group_t dims = ir_operand_group(op, "source_dims");
  handed_t handed = {ir_operand_named(op, "storage"), ir_operand_named(op, "wait_fence"), values_of(s, op, dims), dims.n,
                     ir_result(op, 0)->type, ir_attr_unit(s->ctx)};
  view_t *view;
  IREE_RETURN_IF_ERROR(need_view(s, op, ir_operand_named(op, "source"), &view));
  buffer_t *buffer = view->buffer;
  if (buffer->resource || view->offset || buffer->block != op->block) buffer = add_clone(s, op, view, "external");
  buffer->resource = build_import(s, b, &handed, view->size, &buffer->ready);
  buffer->total = view->size;
  buffer->escapes = true;
  set_view(s, ir_result(op, 0), buffer, NULL, view->size);
  done(s, op);
  return iree_ok_status();
}

// A view that must be an external resource of its own: constants and variables are copied.
static view_t *external_view(schedule_t *s, ir_op_t *op, view_t *view) {
  if (!view->buffer->resource || ir_str_is(ir_kid(view->buffer->resource->type, 0), "external")) return view;
  view_t *copy = IREE_ARENA_NEW(s->arena, view_t);
  *copy = (view_t){add_clone(s, op, view, "external"), NULL, view->size};
  copy->buffer->escapes = true;  // although no tensor value views it
  return copy;
}

static iree_status_t convert_export(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  view_t *view;
  IREE_RETURN_IF_ERROR(need_view(s, op, ir_operand_named(op, "source"), &view));
  view = external_view(s, op, view);
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  ir_group_t dims = ir_operand_group(op, "source_dims");
  ir_value_t **operands = IREE_ARENA_ARRAY(s->arena, ir_value_t *, dims.n + 3);
  uint32_t segments[3] = {1, dims.n, 1};
  operands[0] = awaited_resource(s, b, view);
  for (uint32_t i = 0; i < dims.n; ++i) operands[1 + i] = ir_operand(op, dims.first + i);
  operands[1 + dims.n] = view->size;
  ir_named_t attrs[2] = {{"source_encoding", ir_op_attr(op, "source_encoding")}, {"affinity", s->affinity}};
  ir_type_t type = ir_result(op, 0)->type;
  ir_op_t *export = ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_TENSOR_EXPORT, .operands = operands, .n_operands = dims.n + 2,
                                                .segments = segments, .results = &type, .n_results = 1, .attrs = attrs, .n_attrs = 2});
  ir_replace_uses(ir_result(op, 0), ir_result(export, 0));
  done(s, op);
  return iree_ok_status();
}

// hal.tensor.barrier: the caller's fence is signalled once all sources are ready.
static iree_status_t convert_barrier(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  ir_group_t sources = ir_operand_group(op, "sources");
  ir_value_t **timepoints = IREE_ARENA_ARRAY(s->arena, ir_value_t *, sources.n + 1);
  size_t n = 0;
  ir_type_t tp = stream_timepoint_type(s->ctx);
  for (uint32_t i = 0; i < sources.n; ++i) {
    view_t *view;
    IREE_RETURN_IF_ERROR(need_view(s, op, ir_operand(op, sources.first + i), &view));
    if (view->buffer->ready) timepoints[n++] = view->buffer->ready;
    alias_view(s, ir_result(op, i), view);
    view->buffer->awaited_in = op->block;  // whoever takes the result waits on the fence instead
  }
  ir_value_t *when = ir_result(ir_build(b, &(ir_op_desc_t){.kind = n ? OP_STREAM_TIMEPOINT_JOIN : OP_STREAM_TIMEPOINT_IMMEDIATE,
                                                           .operands = timepoints, .n_operands = n, .results = &tp, .n_results = 1}), 0);
  ir_named_t on = {"affinity", s->affinity};
  ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_CHAIN_EXTERNAL,
                              .operands = (ir_value_t *[]){when, ir_operand_named(op, "signal_fence")}, .n_operands = 2,
                              .attrs = &on, .n_attrs = 1});
  done(s, op);
  return iree_ok_status();
}

// What the host reads for an element that shares its byte: the byte, and then the bits from *out_shift on.
static ir_value_t *packed_offset(ir_builder_t *b, ir_value_t *linear, int64_t bits, ir_value_t **out_shift) {
  ir_type_t index = ir_type_index(b->ctx), i8 = ir_type_i(b->ctx, 8);
  *out_shift = NULL;
  if (!linear) return NULL;
  linear = stream_mul(b, linear, stream_index(b, bits));
  ir_value_t *within = ir_build1(b, OP_ARITH_ANDI, index, linear, stream_index(b, 7), NULL);
  *out_shift = ir_build1(b, OP_ARITH_INDEX_CAST, i8, within, NULL, NULL);
  return ir_build1(b, OP_ARITH_SHRUI, index, linear, stream_index(b, 3), NULL);
}
static ir_value_t *from_memory(ir_builder_t *b, ir_value_t *loaded, ir_value_t *shift, ir_type_t type) {
  if (loaded->type == type) return loaded;
  if (shift) loaded = ir_build1(b, OP_ARITH_SHRUI, loaded->type, loaded, shift, NULL);
  return ir_build1(b, OP_ARITH_TRUNCI, type, loaded, NULL, NULL);
}
// flow.tensor.load: one element by way of a staging buffer that the host can read.
static iree_status_t convert_load(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_value_t *source = ir_operand_named(op, "source");
  view_t *view;
  IREE_RETURN_IF_ERROR(need_view(s, op, source, &view));
  int64_t bits = stream_element_bits(source->type);
  if (bits > 64) return ir_op_error(op, "reads an element of %lld bits; the host reads up to 64", (long long)bits);
  ir_group_t indices = ir_operand_group(op, "indices");
  ir_value_t **dims = values_of(s, op, ir_operand_group(op, "source_dims")), **at = values_of(s, op, indices), *shift = NULL;
  ir_value_t *offset = bits < 8 ? packed_offset(b, linear_index(b, source->type, dims, at, indices.n), bits, &shift)
                                : element_offset(b, source->type, dims, at, indices.n);
  if (offset && view->offset) offset = stream_add(b, view->offset, offset);
  ir_value_t *size = stream_index(b, bits < 8 ? 1 : bits / 8);
  view_t part = {view->buffer, offset ? offset : view->offset, size};
  buffer_t *staging = add_clone(s, op, &part, "staging");
  command_t *flush = partition_add(s, OP_STREAM_CMD_FLUSH, op->loc, 1);
  flush->operands[0] = (operand_t){staging, NULL, size, ACCESS_READ | ACCESS_WRITE};
  partition_place(s, flush);
  done(s, op);
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  view_t whole = {staging, NULL, size};
  ir_value_t *operands[3] = {awaited_resource(s, b, &whole), size, stream_index(b, 0)};
  ir_type_t type = ir_result(op, 0)->type;
  ir_type_t memory_type = ir_is(type, IR_T_INTEGER) && ir_type_width(type) < 8 ? ir_type_i(s->ctx, 8) : type;
  ir_value_t *loaded = ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_RESOURCE_LOAD, .operands = operands, .n_operands = 3,
                                                             .results = &memory_type, .n_results = 1}), 0);
  ir_replace_uses(ir_result(op, 0), from_memory(b, loaded, shift, type));
  return iree_ok_status();
}

// ---- globals
static ir_op_t *global_of(schedule_t *s, ir_op_t *op) {
  return ir_symbol_lookup(s->module, ir_symref_leaf(ir_op_attr(op, "global")));
}
static const char *global_lifetime(const ir_op_t *global) { return ir_op_flag(global, "is_mutable") ? "variable" : "constant"; }
static bool is_literal(const ir_op_t *global) {
  return !ir_op_flag(global, "is_mutable") && ir_op_attr(global, "initial_value");
}

static iree_status_t convert_global_load(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_op_t *global = global_of(s, op);
  if (!global) return ir_op_error(op, "names no global");
  view_t *view;
  if (is_literal(global)) {
    IREE_RETURN_IF_ERROR(constants_view(s, op, ir_op_attr(global, "initial_value"), b, &view));
    alias_view(s, ir_result(op, 0), view);
  } else {
    ir_type_t tensor = ir_result(op, 0)->type;
    if (!ir_type_is_static(tensor)) return ir_op_error(op, "loads a tensor of dynamic shape, which globals cannot hold yet");
    ir_type_t type = stream_resource_type(s->ctx, global_lifetime(global));
    ir_named_t attrs[2] = {{"global", ir_op_attr(op, "global")}, {"is_immutable", ir_op_attr(op, "is_immutable")}};
    ir_op_t *load = ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL_LOAD, .results = &type, .n_results = 1, .attrs = attrs, .n_attrs = 2});
    ir_value_t *size = stream_tensor_bytes(b, tensor, NULL);
    set_view(s, ir_result(op, 0), buffer_of_resource(s, ir_result(load, 0), size, NULL), NULL, size);
  }
  done(s, op);
  return iree_ok_status();
}

static iree_status_t convert_global_store(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_op_t *global = global_of(s, op);
  view_t *view;
  if (!global) return ir_op_error(op, "names no global");
  IREE_RETURN_IF_ERROR(need_view(s, op, ir_operand(op, 0), &view));
  view_t stored = *view;
  if (!view->buffer->resource && !view->offset && buffer_may_be_written(s, view->buffer, op))
    view->buffer->lifetime = global_lifetime(global);  // made right where it will stay
  else
    stored = (view_t){add_clone(s, op, view, global_lifetime(global)), NULL, view->size};
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  ir_value_t *resource = awaited_resource(s, b, &stored);
  ir_named_t attr = {"global", ir_op_attr(op, "global")};
  ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL_STORE, .operands = &resource, .n_operands = 1, .attrs = &attr, .n_attrs = 1});
  done(s, op);
  return iree_ok_status();
}

// ---- parameters that the program loads and writes on its way, by names that it has as values. The names tell nothing of what
// overlaps, so that the host waits for each: they happen in the program's order.
static size_t add_name(const ir_op_t *op, const char *scope, const char *key, const char *offset, ir_value_t **out, uint32_t *segments) {
  ir_group_t scopes = ir_operand_group(op, scope);
  size_t n = 0;
  if (scopes.n) out[n++] = ir_operand(op, scopes.first);
  out[n++] = ir_operand_named(op, key);
  out[n++] = ir_operand_named(op, offset);
  segments[0] = scopes.n, segments[1] = segments[2] = 1;
  return n;
}

static iree_status_t convert_parameter_load(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  ir_value_t *size = bytes_of(s, b, ir_result(op, 0)->type, op, "result_dims"), *operands[4];
  uint32_t segments[5];
  size_t n = add_name(op, "source_scope", "source_key", "source_offset", operands, segments);
  operands[n++] = size, segments[3] = 1, segments[4] = 0;
  ir_type_t types[2] = {stream_resource_type(s->ctx, "external"), stream_timepoint_type(s->ctx)};
  ir_named_t on = {"affinity", s->affinity};
  ir_op_t *load = ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_CMD_PARAMETER_LOAD, .operands = operands, .n_operands = n, .segments = segments,
                                              .results = types, .n_results = 2, .attrs = &on, .n_attrs = 1});
  view_t whole = {buffer_of_resource(s, ir_result(load, 0), size, ir_result(load, 1)), NULL, size};
  set_view(s, ir_result(op, 0), buffer_of_resource(s, awaited_resource(s, b, &whole), size, NULL), NULL, size);
  done(s, op);
  return iree_ok_status();
}

// The result is the source once it is written.
static iree_status_t convert_parameter_write(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  view_t *view;
  IREE_RETURN_IF_ERROR(need_view(s, op, ir_operand_named(op, "source"), &view));
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  ir_value_t *resource = exact_resource(b, view), *size = view->size, *ready = view->buffer->ready;
  ir_value_t *operands[8] = {resource, size, stream_index(b, 0), size};
  uint32_t segments[8] = {1, 1, 1, 1};
  size_t n = 4 + add_name(op, "target_scope", "target_key", "target_offset", operands + 4, segments + 4);
  segments[7] = ready != NULL;
  if (ready) operands[n++] = ready;
  ir_type_t type = stream_timepoint_type(s->ctx);
  ir_named_t on = {"affinity", s->affinity};
  ir_op_t *write = ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_CMD_PARAMETER_WRITE, .operands = operands, .n_operands = n, .segments = segments,
                                               .results = &type, .n_results = 1, .attrs = &on, .n_attrs = 1});
  view_t whole = {buffer_of_resource(s, resource, size, ir_result(write, 0)), NULL, size};
  set_view(s, ir_result(op, 0), buffer_of_resource(s, awaited_resource(s, b, &whole), size, NULL), NULL, size);
  done(s, op);
  return iree_ok_status();
}

// ---- calls, returns, branches: a tensor travels as its resource, its size where that is dynamic
// and, along branches, the timepoint at which it is ready
static bool has_tensor_operand(const ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (is_tensor(ir_operand(op, i))) return true;
  return false;
}
static bool has_tensor_result(const ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (is_tensor(ir_result(op, i))) return true;
  return false;
}

typedef struct flat {
  ir_value_t **values;
  size_t n, cap;
} flat_t;
static void flat_push(schedule_t *s, flat_t *f, ir_value_t *v) { IREE_ARENA_PUSH(s->arena, f->values, f->n, f->cap, v); }

// Before the partition is closed: what leaves must be an external resource.
static iree_status_t externalize(schedule_t *s, ir_op_t *op, uint32_t first, uint32_t n, view_t **out_views) {
  for (uint32_t i = 0; i < n; ++i) {
    out_views[i] = NULL;
    if (!is_tensor(ir_operand(op, first + i))) continue;
    IREE_RETURN_IF_ERROR(need_view(s, op, ir_operand(op, first + i), &out_views[i]));
    out_views[i] = external_view(s, op, out_views[i]);
  }
  return iree_ok_status();
}

static void push_awaited(schedule_t *s, ir_builder_t *b, const ir_op_t *op, uint32_t n, view_t **views, flat_t *out) {
  for (uint32_t i = 0; i < n; ++i) {
    if (!views[i]) {
      flat_push(s, out, ir_operand(op, i));
      continue;
    }
    flat_push(s, out, awaited_resource(s, b, views[i]));
    if (!ir_type_is_static(ir_operand(op, i)->type)) flat_push(s, out, views[i]->size);
  }
}

static size_t flatten_types(schedule_t *s, const ir_type_t *types, size_t n, ir_type_t *out) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    bool tensor = types[i]->kind == IR_T_TENSOR;
    out[count++] = tensor ? stream_resource_type(s->ctx, "external") : types[i];
    if (tensor && !ir_type_is_static(types[i])) out[count++] = ir_type_index(s->ctx);
  }
  return count;
}

static iree_status_t convert_call(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  if (ir_op_attr(op, "tied_operands")) return ir_op_error(op, "ties a result to an operand, which tensors cannot do here yet");
  view_t **views = IREE_ARENA_ARRAY(s->arena, view_t *, op->n_operands + 1);
  IREE_RETURN_IF_ERROR(externalize(s, op, 0, op->n_operands, views));
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  flat_t operands = {0};
  push_awaited(s, b, op, op->n_operands, views, &operands);
  ir_type_t *old = IREE_ARENA_ARRAY(s->arena, ir_type_t, op->n_results + 1), *types = IREE_ARENA_ARRAY(s->arena, ir_type_t, 2 * op->n_results + 1);
  for (uint32_t i = 0; i < op->n_results; ++i) old[i] = ir_result(op, i)->type;
  size_t n = flatten_types(s, old, op->n_results, types);
  ir_named_t callee = {"callee", ir_op_attr(op, "callee")};
  ir_op_t *call = ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_CALL, .operands = operands.values, .n_operands = operands.n,
                                              .results = types, .n_results = n, .attrs = &callee, .n_attrs = 1});
  size_t k = 0;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_value_t *value = ir_result(call, k++);
    if (old[i]->kind != IR_T_TENSOR) {
      ir_replace_uses(ir_result(op, i), value);
      continue;
    }
    ir_value_t *size = ir_type_is_static(old[i]) ? stream_tensor_bytes(b, old[i], NULL) : ir_result(call, k++);
    set_view(s, ir_result(op, i), buffer_of_resource(s, value, size, NULL), NULL, size);
  }
  done(s, op);
  return iree_ok_status();
}

static iree_status_t convert_return(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  view_t **views = IREE_ARENA_ARRAY(s->arena, view_t *, op->n_operands + 1);
  IREE_RETURN_IF_ERROR(externalize(s, op, 0, op->n_operands, views));
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  flat_t operands = {0};
  push_awaited(s, b, op, op->n_operands, views, &operands);
  ir_op_set_operands(s->ctx, op, operands.values, operands.n, NULL);
  ir_map_set(s->done, op, op);
  return iree_ok_status();
}

static iree_status_t convert_branch(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  view_t **views = IREE_ARENA_ARRAY(s->arena, view_t *, op->n_operands + 1);
  IREE_RETURN_IF_ERROR(externalize(s, op, 0, op->n_operands, views));
  IREE_RETURN_IF_ERROR(partition_close(s, b));
  ir_map_set(s->done, op, op);
  if (!has_tensor_operand(op)) return iree_ok_status();
  if (op->kind != OP_CF_BR && op->kind != OP_CF_COND_BR) return ir_op_error(op, "cannot pass tensors");
  flat_t operands = {0};
  uint32_t segments[3] = {0}, fixed = op->kind == OP_CF_COND_BR;
  ir_type_t tp = stream_timepoint_type(s->ctx);
  ir_value_t *immediate = NULL;
  for (uint32_t i = 0; i < fixed; ++i) flat_push(s, &operands, ir_operand(op, i));
  ir_succ_t *succs = op->succs;
  for (uint16_t k = 0; k < op->n_succs; ++k) {
    uint32_t first = (uint32_t)operands.n;
    for (uint32_t i = succs[k].first; i < succs[k].first + succs[k].n; ++i) {
      if (!views[i]) {
        flat_push(s, &operands, ir_operand(op, i));
        continue;
      }
      if (!views[i]->buffer->ready && !immediate)
        immediate = ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_IMMEDIATE, .results = &tp, .n_results = 1}), 0);
      flat_push(s, &operands, exact_resource(b, views[i]));
      if (!ir_type_is_static(ir_operand(op, i)->type)) flat_push(s, &operands, views[i]->size);
      flat_push(s, &operands, views[i]->buffer->ready ? views[i]->buffer->ready : immediate);
    }
    succs[k].first = first;
    succs[k].n = (uint32_t)operands.n - first;
    segments[fixed + k] = succs[k].n;
  }
  if (fixed) segments[0] = 1;
  ir_op_set_operands(s->ctx, op, operands.values, operands.n, fixed ? segments : NULL);
  return iree_ok_status();
}

// ---- functions
static void convert_block_args(schedule_t *s, ir_block_t *block, bool is_entry) {
  uint32_t n = block->n_args;
  ir_value_t **old = IREE_ARENA_ARRAY(s->arena, ir_value_t *, n + 1);
  bool any = false;
  for (uint32_t i = 0; i < n; ++i) any |= is_tensor(old[i] = block->args[i]);
  if (!any) return;
  ir_builder_t b = ir_builder_at_start(s->ctx, block);
  for (uint32_t i = 0; i < n; ++i) {
    ir_type_t type = old[i]->type;
    if (type->kind != IR_T_TENSOR) {
      ir_replace_uses(old[i], ir_block_add_arg(s->ctx, block, type));
      continue;
    }
    ir_value_t *resource = ir_block_add_arg(s->ctx, block, stream_resource_type(s->ctx, "external"));
    ir_value_t *size = ir_type_is_static(type) ? stream_tensor_bytes(&b, type, NULL) : ir_block_add_arg(s->ctx, block, ir_type_index(s->ctx));
    ir_value_t *ready = is_entry ? NULL : ir_block_add_arg(s->ctx, block, stream_timepoint_type(s->ctx));
    set_view(s, old[i], buffer_of_resource(s, resource, size, ready), NULL, size);
  }
  // The old arguments stay as the names of views until the function is done.
  for (uint32_t i = 0; i < n; ++i) ir_block_erase_arg(block, 0);
}

static iree_status_t schedule_op(schedule_t *s, ir_op_t *op, ir_builder_t *b) {
  switch (op->kind) {
    case OP_FLOW_DISPATCH: return schedule_dispatch(s, op, b);
    case OP_FLOW_TENSOR_SPLAT: return schedule_splat(s, op, b);
    case OP_FLOW_TENSOR_STORE: return schedule_store(s, op, b);
    case OP_FLOW_TENSOR_ALLOCA:
    case OP_FLOW_TENSOR_EMPTY: return schedule_empty(s, op, b);
    case OP_FLOW_TENSOR_SLICE: return schedule_slice(s, op, b);
    case OP_FLOW_TENSOR_UPDATE: return schedule_update(s, op, b);
    case OP_FLOW_TENSOR_CONSTANT:
    case OP_ARITH_CONSTANT: return is_tensor(ir_result(op, 0)) ? schedule_constant(s, op, b) : iree_ok_status();
    case OP_FLOW_TENSOR_RESHAPE:
    case OP_FLOW_TENSOR_BITCAST:
    case OP_FLOW_TENSOR_CLONE:
    case OP_FLOW_TENSOR_TRANSFER:
    case OP_FLOW_TENSOR_BARRIER:
    case OP_FLOW_TENSOR_TIE_SHAPE:
    case OP_TEXT_BITCAST:
    case OP_UTIL_OPTIMIZATION_BARRIER: return has_tensor_operand(op) ? schedule_alias(s, op) : iree_ok_status();
    case OP_FLOW_TENSOR_LOAD: return convert_load(s, op, b);
    case OP_HAL_TENSOR_IMPORT: return convert_import(s, op, b);
    case OP_HAL_TENSOR_ALIAS: return convert_storage(s, op, b);
    case OP_HAL_TENSOR_EXPORT: return convert_export(s, op, b);
    case OP_HAL_TENSOR_BARRIER: return convert_barrier(s, op, b);
    case OP_UTIL_GLOBAL_LOAD: return is_tensor(ir_result(op, 0)) ? convert_global_load(s, op, b) : iree_ok_status();
    case OP_UTIL_GLOBAL_STORE: return is_tensor(ir_operand(op, 0)) ? convert_global_store(s, op, b) : iree_ok_status();
    case OP_FLOW_PARAMETER_LOAD: return convert_parameter_load(s, op, b);
    case OP_FLOW_PARAMETER_WRITE: return convert_parameter_write(s, op, b);
    case OP_UTIL_CALL: return convert_call(s, op, b);
    case OP_UTIL_RETURN: return convert_return(s, op, b);
    default: break;
  }
  if (op->n_succs || ir_op_has_trait(op, IR_TERMINATOR)) return convert_branch(s, op, b);
  if (has_tensor_operand(op) || has_tensor_result(op))
    return ir_op_error(op, "works on tensors outside of any dispatch, which the host cannot do");
  // Effects of the host keep their place among the device's.
  return ir_op_has_trait(op, IR_PURE) ? iree_ok_status() : partition_close(s, b);
}

static iree_status_t convert_function(schedule_t *s, ir_op_t *fn) {
  s->views = ir_map_create(s->arena);
  s->done = ir_map_create(s->arena);
  s->n_erase = 0;
  s->in_initializer = fn->kind == OP_UTIL_INITIALIZER;
  ir_type_t type = ir_op_attr(fn, "function_type");
  if (type) {
    size_t n_in = ir_fn_n_inputs(type), n_out = ir_fn_n_results(type);
    ir_type_t *in = IREE_ARENA_ARRAY(s->arena, ir_type_t, 2 * n_in + 1), *out = IREE_ARENA_ARRAY(s->arena, ir_type_t, 2 * n_out + 1);
    n_in = flatten_types(s, ir_kids(type), n_in, in);
    n_out = flatten_types(s, ir_kids(type) + ir_fn_n_inputs(type), n_out, out);
    ir_type_t flat = ir_type_function(s->ctx, in, n_in, out, n_out);
    if (flat != type) {
      ir_op_set_attr(s->ctx, fn, "function_type", flat);
      ir_op_set_attr(s->ctx, fn, "arg_attrs", NULL);
      ir_op_set_attr(s->ctx, fn, "res_attrs", NULL);
    }
  }
  for (ir_block_t *block = fn->regions[0]->first; block; block = block->next)
    convert_block_args(s, block, block == fn->regions[0]->first);
  for (ir_block_t *block = fn->regions[0]->first; block; block = block->next) {
    for (ir_op_t *op = block->first, *next; op; op = next) {
      next = op->next;
      ir_builder_t b = ir_builder_before(s->ctx, op);
      IREE_RETURN_IF_ERROR(schedule_op(s, op, &b));
    }
  }
  while (s->n_erase) ir_op_erase(s->erase[--s->n_erase]);
  return iree_ok_status();
}

// A variable with a literal starts as a copy of it, made when the module is loaded.
static iree_status_t add_variable_initializers(schedule_t *s) {
  for (ir_op_t *op = ir_body(s->module)->first; op; op = op->next) {
    ir_type_t type = op->kind == OP_UTIL_GLOBAL ? ir_op_attr(op, "type") : NULL;
    ir_attr_t initial = ir_op_attr(op, "initial_value");
    if (!type || type->kind != IR_T_TENSOR || !initial || is_literal(op)) continue;
    ir_op_set_attr(s->ctx, op, "initial_value", NULL);
    ir_builder_t b = ir_builder_after(s->ctx, op);
    ir_named_t fn_type = {"function_type", ir_type_function(s->ctx, NULL, 0, NULL, 0)};
    ir_op_t *init = ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_INITIALIZER, .attrs = &fn_type, .n_attrs = 1, .n_regions = 1});
    ir_builder_t body = ir_builder_at_end(s->ctx, ir_block_create(s->ctx, init->regions[0]));
    ir_value_t *value = ir_build_attr(&body, OP_FLOW_TENSOR_CONSTANT, type, "value", initial, NULL, NULL);
    ir_named_t global = {"global", ir_attr_sym(s->ctx, ir_op_sym_name(op).data)};
    ir_build(&body, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL_STORE, .operands = &value, .n_operands = 1, .attrs = &global, .n_attrs = 1});
    ir_build(&body, &(ir_op_desc_t){.kind = OP_UTIL_RETURN});
  }
  return iree_ok_status();
}

static iree_status_t convert_globals(schedule_t *s) {
  for (ir_op_t *op = ir_body(s->module)->first, *next; op; op = next) {
    next = op->next;
    ir_type_t type = op->kind == OP_UTIL_GLOBAL ? ir_op_attr(op, "type") : NULL;
    if (!type || type->kind != IR_T_TENSOR) continue;
    if (is_literal(op)) ir_op_erase(op);  // its bytes are in the pool, its loads read from there
    else if (!ir_type_is_static(type)) return ir_op_error(op, "has a tensor of dynamic shape, which globals cannot hold yet");
    else ir_op_set_attr(s->ctx, op, "type", stream_resource_type(s->ctx, global_lifetime(op)));
  }
  return iree_ok_status();
}

static bool is_function(const ir_op_t *op) {
  return (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) && op->regions[0]->first;
}

iree_status_t stream_schedule(pass_t *pass, ir_op_t *module) {
  schedule_t s = {.pass = pass, .ctx = pass->ctx, .arena = pass->scratch, .module = module, .partition = 1,
                  .affinity = ir_op_attr(module, "stream.affinity.default")};
  s.constant_of = ir_map_create(s.arena);
  IREE_RETURN_IF_ERROR(parameters_collect(&s));
  IREE_RETURN_IF_ERROR(add_variable_initializers(&s));
  ir_op_t *first_user = NULL;
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (!is_function(op)) continue;
    IREE_RETURN_IF_ERROR(convert_function(&s, op));
    if (!first_user) first_user = op;
  }
  IREE_RETURN_IF_ERROR(convert_globals(&s));
  if (!first_user) return iree_ok_status();
  parameters_emit(&s, first_user);
  return constants_emit(&s, first_user);
}
