// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources become buffers, timepoints fences, command regions command buffers.
//
//   in:         stream ops in util.func and util.initializer; hal.executable with counted exports
//   out:        hal and util ops; devices and executables as globals with initializers
//   relies on:  dispatches that name @executable::@variant::@export, constants of which no shape is
//   left breaks:     nothing
//
//   %r, %t = stream.resource.alloca ...{%n}      %f = hal.fence.create device(%d) ...
//   %u = stream.cmd.execute await(%t)            %b = hal.device.queue.alloca<%d> wait(%null)
//   signal(%f) ...{%n}
//     => with(%r as %a) {                    =>  %g = hal.fence.create device(%d) ...
//     stream.cmd.dispatch @e::@v::@f {...}       hal.device.queue.execute.indirect<%d> wait(%f)
//     signal(%g)
//   } => !stream.timepoint                         commands(%c) bindings([(%b)[%c0, %n]])
#include <string.h>

#include "compiler/dialects/element_type.h"
#include "compiler/hal/convert.h"
#include "compiler/ir/fold.h"

enum {  // bits of hal.memory_type and hal.buffer_usage
  MEMORY_DEVICE = 0x30,
  MEMORY_DEVICE_VISIBLE = 0x10,
  MEMORY_HOST = 0x56,
  USAGE_DEVICE = 0xC03,
  USAGE_SHARED = 0x80C03,
  USAGE_HOST = 0x9000C03,
  FILE_READ = 1,
};

// ---- values
ir_value_t *hal_build(ir_builder_t *b, op_kind_t kind, ir_value_t *const *operands, size_t n,
                      const uint32_t *segments, ir_type_t result, const ir_named_t *attrs,
                      size_t n_attrs) {
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = (ir_kind_t)kind,
                                            .operands = operands,
                                            .n_operands = n,
                                            .segments = segments,
                                            .results = &result,
                                            .n_results = result ? 1 : 0,
                                            .attrs = attrs,
                                            .n_attrs = n_attrs});
  return result ? ir_result(op, 0) : NULL;
}
static ir_value_t *constant(ir_builder_t *b, ir_attr_t value) {
  return ir_build_constant(b, ir_kid(value, 0), value);
}
ir_value_t *hal_index(hal_convert_t *c, ir_builder_t *b, int64_t value) {
  return constant(b, ir_attr_index(c->ctx, value));
}
ir_value_t *hal_i64(hal_convert_t *c, ir_builder_t *b, int64_t value) {
  return constant(b, ir_attr_i64(c->ctx, value));
}
ir_value_t *hal_i32(hal_convert_t *c, ir_builder_t *b, int32_t value) {
  return constant(b, ir_attr_i32(c->ctx, value));
}
ir_value_t *hal_null(hal_convert_t *c, ir_builder_t *b, const char *type_name) {
  return hal_build(b, OP_UTIL_NULL, NULL, 0, NULL, hal_type(c, type_name), NULL, 0);
}
ir_value_t *hal_add(hal_convert_t *c, ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  int64_t value;
  if (!x || (ir_constant_int(x, &value) && !value)) return y ? y : hal_index(c, b, 0);
  if (!y || (ir_constant_int(y, &value) && !value)) return x;
  return hal_build(b, OP_ARITH_ADDI, (ir_value_t *[]){x, y}, 2, NULL, x->type, NULL, 0);
}
ir_value_t *hal_buffer_of(hal_convert_t *c, ir_builder_t *b, ir_value_t *resource,
                          ir_value_t **out_offset) {
  *out_offset = NULL;
  while (ir_value_is(resource, OP_STREAM_RESOURCE_SUBVIEW)) {
    ir_value_t *offset = ir_operand_named(resource->op, "source_offset");
    *out_offset = *out_offset ? hal_add(c, b, *out_offset, offset) : offset;
    resource = ir_operand_named(resource->op, "source");
  }
  return resource;
}
ir_value_t *hal_fence(hal_convert_t *c, ir_builder_t *b, ir_value_t *device) {
  ir_named_t flags = {"flags", ir_attr_i64(c->ctx, 0)};
  return hal_build(b, OP_HAL_FENCE_CREATE, &device, 1, NULL, hal_type(c, "hal.fence"), &flags, 1);
}
ir_value_t *hal_wait(hal_convert_t *c, ir_builder_t *b, const ir_op_t *op) {
  ir_value_t *wait = ir_operand_named(op, "await_timepoint");
  return wait ? wait : hal_null(c, b, "hal.fence");
}
static ir_value_t *allocator_of(hal_convert_t *c, ir_builder_t *b, ir_value_t *device) {
  return hal_build(b, OP_HAL_DEVICE_ALLOCATOR, &device, 1, NULL, hal_type(c, "hal.allocator"), NULL,
                   0);
}
static ir_value_t *number(hal_convert_t *c, ir_builder_t *b, op_kind_t kind, const char *name,
                          int32_t bits) {
  ir_named_t attr = {name, ir_attr_i32(c->ctx, bits)};
  return hal_build(b, kind, NULL, 0, NULL, ir_type_i(c->ctx, 32), &attr, 1);
}
static ir_value_t *memory_type(hal_convert_t *c, ir_builder_t *b, int32_t bits) {
  return number(c, b, OP_HAL_MEMORY_TYPE, "type", bits);
}
static ir_value_t *buffer_usage(hal_convert_t *c, ir_builder_t *b, int32_t bits) {
  return number(c, b, OP_HAL_BUFFER_USAGE, "usage", bits);
}

static bool is_lifetime(ir_type_t type, const char *name) {
  return type->n_kids && ir_is(ir_kid(type, 0), IR_A_KEYWORD) && ir_str_is(ir_kid(type, 0), name);
}
static bool is_staging(ir_type_t type) { return is_lifetime(type, "staging"); }
void hal_memory_of(hal_convert_t *c, ir_builder_t *b, ir_type_t resource, ir_value_t **out_memory,
                   ir_value_t **out_usage) {
  bool host = is_staging(resource);
  *out_memory = memory_type(c, b, host ? MEMORY_HOST : MEMORY_DEVICE);
  *out_usage = buffer_usage(c, b,
                            host                                ? USAGE_HOST
                            : is_lifetime(resource, "constant") ? USAGE_SHARED
                                                                : USAGE_DEVICE);
}
static ir_value_t *allocate(hal_convert_t *c, ir_builder_t *b, ir_value_t *device, ir_value_t *size,
                            int32_t memory, int32_t usage) {
  ir_value_t *operands[5] = {allocator_of(c, b, device), hal_i64(c, b, -1),
                             memory_type(c, b, memory), buffer_usage(c, b, usage), size};
  return hal_build(b, OP_HAL_ALLOCATOR_ALLOCATE, operands, 5, NULL, hal_type(c, "hal.buffer"), NULL,
                   0);
}

// ---- allocation
static iree_status_t convert_alloca(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device;
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  bool host = is_staging(ir_result(op, 0)->type);
  ir_attr_t symbol;
  IREE_RETURN_IF_ERROR(hal_device_symbol(c, op, &symbol));
  bool at_once = !ir_operand_named(op, "await_timepoint") && hal_device_is_host(c, symbol) &&
                 is_lifetime(ir_result(op, 0)->type, "external");
  if (at_once) {  // what is handed out is not given back to the queue
    ir_value_t *values[2] = {
        allocate(c, &b, device, ir_operand_named(op, "storage_size"), MEMORY_DEVICE, USAGE_DEVICE),
        hal_null(c, &b, "hal.fence")};
    ir_op_replace(op, values);
    return iree_ok_status();
  }
  ir_value_t *signal = hal_fence(c, &b, device);
  ir_value_t *operands[8] = {device,
                             hal_i64(c, &b, -1),
                             hal_wait(c, &b, op),
                             signal,
                             hal_i64(c, &b, 0),
                             memory_type(c, &b, host ? MEMORY_HOST : MEMORY_DEVICE),
                             buffer_usage(c, &b, host ? USAGE_HOST : USAGE_DEVICE),
                             ir_operand_named(op, "storage_size")};
  ir_named_t flags = {"flags", ir_attr_i64(c->ctx, ir_op_flag(op, "indeterminate_lifetime"))};
  ir_value_t *buffer = hal_build(&b, OP_HAL_DEVICE_QUEUE_ALLOCA, operands, 8, NULL,
                                 hal_type(c, "hal.buffer"), &flags, 1);
  ir_op_replace(op, (ir_value_t *[]){buffer, signal});
  return iree_ok_status();
}
static iree_status_t convert_dealloca(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device, *offset;
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  bool signals = !ir_unused(ir_result(op, 0));
  ir_value_t *signal = signals ? hal_fence(c, &b, device) : hal_null(c, &b, "hal.fence");
  ir_value_t *operands[5] = {device, hal_i64(c, &b, -1), hal_wait(c, &b, op), signal,
                             hal_buffer_of(c, &b, ir_operand_named(op, "operand"), &offset)};
  ir_named_t flags = {"flags", ir_attr_i64(c->ctx, ir_op_flag(op, "prefer_origin"))};
  hal_build(&b, OP_HAL_DEVICE_QUEUE_DEALLOCA, operands, 5, NULL, NULL, &flags, 1);
  ir_op_replace(op, &signal);
  return iree_ok_status();
}
static iree_status_t convert_alloc(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device;
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  bool host = is_staging(ir_result(op, 0)->type);
  ir_value_t *buffer =
      allocate(c, &b, device, ir_operand_named(op, "storage_size"),
               host ? MEMORY_HOST : MEMORY_DEVICE, host ? USAGE_HOST : USAGE_SHARED);
  ir_op_replace(op, &buffer);
  return iree_ok_status();
}
static iree_status_t convert_size(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  ir_value_t *v = hal_build(&b, OP_HAL_BUFFER_LENGTH, (ir_value_t *[]){ir_operand(op, 0)}, 1, NULL,
                            ir_type_index(c->ctx), NULL, 0);
  ir_op_replace(op, &v);
  return iree_ok_status();
}

// ---- host data
static iree_status_t convert_try_map(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device;
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  ir_value_t *operands[7] = {
      allocator_of(c, &b, device),        hal_i64(c, &b, -1),
      memory_type(c, &b, MEMORY_DEVICE),  buffer_usage(c, &b, USAGE_SHARED),
      ir_operand_named(op, "source"),     ir_operand_named(op, "source_offset"),
      ir_operand_named(op, "result_size")};
  ir_op_t *import = ir_build(
      &b, &(ir_op_desc_t){.kind = OP_HAL_ALLOCATOR_IMPORT,
                          .operands = operands,
                          .n_operands = 7,
                          .results = (ir_type_t[]){ir_type_i(c->ctx, 1), hal_type(c, "hal.buffer")},
                          .n_results = 2});
  ir_op_replace(op, (ir_value_t *[]){ir_result(import, 0), ir_result(import, 1)});
  return iree_ok_status();
}
static iree_status_t convert_file_constant(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device;
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  ir_value_t *operands[6] = {device,
                             hal_i64(c, &b, -1),
                             ir_operand_named(op, "source"),
                             ir_operand_named(op, "source_offset"),
                             ir_operand_named(op, "source_length"),
                             hal_i32(c, &b, 0)};
  ir_named_t access = {"access", ir_attr_i32(c->ctx, FILE_READ)};
  ir_value_t *file = hal_build(&b, OP_HAL_EX_FILE_FROM_MEMORY, operands, 6, NULL,
                               hal_type(c, "hal.file"), &access, 1);
  ir_op_replace(op, &file);
  return iree_ok_status();
}
static iree_status_t convert_file_transfer(hal_convert_t *c, ir_op_t *op) {  // read and write
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device, *offset;
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  bool read = op->kind == OP_STREAM_FILE_READ;
  ir_value_t *signal = hal_fence(c, &b, device);
  ir_value_t *source = ir_operand_named(op, "source"), *target = ir_operand_named(op, "target");
  ir_value_t *source_offset = ir_operand_named(op, "source_offset"),
             *target_offset = ir_operand_named(op, "target_offset");
  if (read)
    target = hal_buffer_of(c, &b, target, &offset),
    target_offset = hal_add(c, &b, offset, target_offset);
  else
    source = hal_buffer_of(c, &b, source, &offset),
    source_offset = hal_add(c, &b, offset, source_offset);
  ir_value_t *operands[9] = {device,
                             hal_i64(c, &b, -1),
                             hal_wait(c, &b, op),
                             signal,
                             source,
                             source_offset,
                             target,
                             target_offset,
                             ir_operand_named(op, "length")};
  ir_named_t flags = {"flags", ir_attr_i64(c->ctx, 0)};
  hal_build(&b, read ? OP_HAL_DEVICE_QUEUE_READ : OP_HAL_DEVICE_QUEUE_WRITE, operands, 9, NULL,
            NULL, &flags, 1);
  ir_op_replace(op, &signal);
  return iree_ok_status();
}
static iree_status_t convert_load(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *offset, *buffer = hal_buffer_of(c, &b, ir_operand_named(op, "source"), &offset);
  offset = hal_add(c, &b, offset, ir_operand_named(op, "source_offset"));
  ir_value_t *v = hal_build(&b, OP_HAL_BUFFER_LOAD, (ir_value_t *[]){buffer, offset}, 2, NULL,
                            ir_result(op, 0)->type, NULL, 0);
  ir_op_replace(op, &v);
  return iree_ok_status();
}
static iree_status_t convert_store(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *offset, *buffer = hal_buffer_of(c, &b, ir_operand_named(op, "target"), &offset);
  offset = hal_add(c, &b, offset, ir_operand_named(op, "target_offset"));
  hal_build(&b, OP_HAL_BUFFER_STORE,
            (ir_value_t *[]){ir_operand_named(op, "value"), buffer, offset}, 3, NULL, NULL, NULL,
            0);
  ir_op_erase(op);
  return iree_ok_status();
}

// ---- tensors at the border
static iree_status_t convert_tensor_import(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device, *buffer = ir_operand_named(op, "source");
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  if (ir_type_is(buffer->type, "hal.buffer_view"))
    buffer = hal_build(&b, OP_HAL_BUFFER_VIEW_BUFFER, &buffer, 1, NULL, hal_type(c, "hal.buffer"),
                       NULL, 0);
  if (c->pass->options->strip_assertions) return ir_op_replace(op, &buffer), iree_ok_status();
  ir_named_t attrs[3] = {{"message", ir_attr_str(c->ctx, "tensor")},
                         {"memory_types", ir_attr_i32(c->ctx, MEMORY_DEVICE_VISIBLE)},
                         {"buffer_usage", ir_attr_i32(c->ctx, USAGE_DEVICE)}};
  ir_value_t *operands[3] = {buffer, allocator_of(c, &b, device),
                             ir_operand_named(op, "result_size")};
  hal_build(&b, OP_HAL_BUFFER_ASSERT, operands, 3, NULL, NULL, attrs, 3);
  ir_op_replace(op, &buffer);
  return iree_ok_status();
}
static iree_status_t convert_tensor_export(hal_convert_t *c, ir_op_t *op) {
  ir_ctx_t *ctx = c->ctx;
  ir_builder_t b = ir_builder_before(ctx, op);
  b.loc = op->loc;
  ir_value_t *offset, *buffer = hal_buffer_of(c, &b, ir_operand_named(op, "source"), &offset),
                      *size = ir_operand_named(op, "source_size");
  ir_type_t tensor = ir_op_attr(op, "source_encoding");
  if (ir_type_is(ir_result(op, 0)->type, "hal.buffer")) {
    if (offset)
      buffer = hal_build(&b, OP_HAL_BUFFER_SUBSPAN, (ir_value_t *[]){buffer, offset, size}, 3, NULL,
                         buffer->type, NULL, 0);
    ir_op_replace(op, &buffer);
    return iree_ok_status();
  }
  if (!ir_is(tensor, IR_T_TENSOR)) return ir_op_error(op, "exports what is no ranked tensor");
  size_t rank = ir_type_rank(tensor);
  ir_group_t dims = ir_operand_group(op, "source_encoding_dims");
  ir_value_t **operands = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, 5 + rank);
  operands[0] = buffer;
  operands[1] = offset ? offset : hal_index(c, &b, 0);
  operands[2] = size;
  operands[3] = element_type_build(&b, ir_type_element(tensor));
  operands[4] = hal_build(&b, OP_HAL_ENCODING_TYPE, NULL, 0, NULL, ir_type_i(ctx, 32), NULL, 0);
  uint32_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    bool is_dynamic = ir_type_dim(tensor, i) == IR_DYNAMIC;
    if (is_dynamic && next == dims.n) return ir_op_error(op, "has fewer dims than its type");
    operands[5 + i] =
        is_dynamic ? ir_operand(op, dims.first + next++) : hal_index(c, &b, ir_type_dim(tensor, i));
  }
  ir_value_t *view = hal_build(&b, OP_HAL_BUFFER_VIEW_CREATE, operands, 5 + rank, NULL,
                               hal_type(c, "hal.buffer_view"), NULL, 0);
  ir_op_replace(op, &view);
  return iree_ok_status();
}

// ---- timepoints
static iree_status_t convert_immediate(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *v = hal_null(c, &b, "hal.fence");
  ir_op_replace(op, &v);
  return iree_ok_status();
}
static iree_status_t convert_same(hal_convert_t *c,
                                  ir_op_t *op) {  // timepoint.import and .export: a fence already
  (void)c;
  if (op->n_operands != 1 || op->n_results != 1)
    return ir_op_error(op, "converts between one timepoint and one fence");
  ir_value_t *v = ir_operand(op, 0);
  ir_op_replace(op, &v);
  return iree_ok_status();
}
static iree_status_t convert_chain_external(hal_convert_t *c, ir_op_t *op) {
  if (ir_map_get(c->chained, op)) {
    ir_op_erase(op);
    return iree_ok_status();
  }
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *device;
  IREE_RETURN_IF_ERROR(hal_device(c, op, &device));
  ir_group_t fences = ir_operand_group(op, "external_values");
  for (uint32_t i = 0; i < fences.n; ++i) {
    ir_value_t *operands[4] = {device, hal_i64(c, &b, -1), ir_operand_named(op, "await_timepoint"),
                               ir_operand(op, fences.first + i)};
    ir_named_t flags = {"flags", ir_attr_i64(c->ctx, 0)};
    hal_build(&b, OP_HAL_DEVICE_QUEUE_BARRIER, operands, 4, NULL, NULL, &flags, 1);
  }
  ir_op_erase(op);
  return iree_ok_status();
}
static iree_status_t convert_join(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t **fences = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, op->n_operands + 1);
  for (uint32_t i = 0; i < op->n_operands; ++i) fences[i] = ir_operand(op, i);
  ir_named_t flags = {"flags", ir_attr_i64(c->ctx, 0)};
  ir_value_t *v = op->n_operands == 1 ? fences[0]
                                      : hal_build(&b, OP_HAL_FENCE_JOIN, fences, op->n_operands,
                                                  NULL, hal_type(c, "hal.fence"), &flags, 1);
  ir_op_replace(op, &v);
  return iree_ok_status();
}
static iree_status_t convert_barrier(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_op_replace(op,
                (ir_value_t *[]){ir_operand_named(op, "resource"), hal_null(c, &b, "hal.fence")});
  return iree_ok_status();
}
static iree_status_t convert_await(hal_convert_t *c, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(c->ctx, op);
  b.loc = op->loc;
  ir_value_t *fence = ir_operand_named(op, "await_timepoint");
  ir_group_t resources = ir_operand_group(op, "resource_operands");
  if (!ir_value_is(fence, OP_UTIL_NULL)) {
    ir_named_t flags = {"flags", ir_attr_i64(c->ctx, 0)},
               message = {"message", ir_attr_str(c->ctx, "failed to wait on timepoint")};
    ir_value_t *status =
        hal_build(&b, OP_HAL_FENCE_AWAIT, (ir_value_t *[]){hal_i32(c, &b, -1), fence}, 2, NULL,
                  ir_type_i(c->ctx, 32), &flags, 1);
    hal_build(&b, OP_UTIL_STATUS_CHECK_OK, &status, 1, NULL, NULL, &message, 1);
  }
  ir_value_t **values = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, resources.n + 1);
  for (uint32_t i = 0; i < resources.n; ++i) values[i] = ir_operand(op, resources.first + i);
  ir_op_replace(op, values);
  return iree_ok_status();
}

// ---- the walk
static iree_status_t convert_op(hal_convert_t *c, ir_op_t *op) {
  switch (op->kind) {
    case OP_STREAM_RESOURCE_ALLOCA:
      return convert_alloca(c, op);
    case OP_STREAM_RESOURCE_DEALLOCA:
      return convert_dealloca(c, op);
    case OP_STREAM_RESOURCE_ALLOC:
      return convert_alloc(c, op);
    case OP_STREAM_RESOURCE_SIZE:
      return convert_size(c, op);
    case OP_STREAM_RESOURCE_TRY_MAP:
      return convert_try_map(c, op);
    case OP_STREAM_RESOURCE_LOAD:
      return convert_load(c, op);
    case OP_STREAM_RESOURCE_STORE:
      return convert_store(c, op);
    case OP_STREAM_RESOURCE_SUBVIEW:
      return iree_ok_status();  // read by its users, then dropped or made a view
    case OP_STREAM_FILE_CONSTANT:
      return convert_file_constant(c, op);
    case OP_STREAM_FILE_READ:
    case OP_STREAM_FILE_WRITE:
      return convert_file_transfer(c, op);
    case OP_STREAM_CMD_PARAMETER_LOAD:
    case OP_STREAM_CMD_PARAMETER_READ:
    case OP_STREAM_CMD_PARAMETER_WRITE:
    case OP_STREAM_CMD_PARAMETER_GATHER:
    case OP_STREAM_CMD_PARAMETER_SCATTER:
      return hal_convert_parameters(c, op);
    case OP_STREAM_TENSOR_IMPORT:
      return convert_tensor_import(c, op);
    case OP_STREAM_TENSOR_EXPORT:
      return convert_tensor_export(c, op);
    case OP_STREAM_TIMEPOINT_IMMEDIATE:
      return convert_immediate(c, op);
    case OP_STREAM_TIMEPOINT_IMPORT:
    case OP_STREAM_TIMEPOINT_EXPORT:
      return convert_same(c, op);
    case OP_STREAM_TIMEPOINT_CHAIN_EXTERNAL:
      return convert_chain_external(c, op);
    case OP_STREAM_TIMEPOINT_JOIN:
      return convert_join(c, op);
    case OP_STREAM_TIMEPOINT_BARRIER:
      return convert_barrier(c, op);
    case OP_STREAM_TIMEPOINT_AWAIT:
      return convert_await(c, op);
    case OP_STREAM_CMD_EXECUTE:
      return hal_convert_execute(c, op);
    default:
      break;
  }
  if (strncmp(ir_op_name(op), "stream.", 7)) return iree_ok_status();
  return ir_op_error(op, "has no form on devices");
}

static ir_type_t converted_type(hal_convert_t *c, ir_type_t type) {
  if (ir_type_is(type, "stream.resource")) return hal_type(c, "hal.buffer");
  if (ir_type_is(type, "stream.timepoint")) return hal_type(c, "hal.fence");
  if (ir_type_is(type, "stream.file")) return hal_type(c, "hal.file");
  if (type->kind != IR_T_FUNCTION) return type;
  ir_type_t *types = IREE_ARENA_ARRAY(c->pass->scratch, ir_type_t, type->n_kids + 1);
  for (uint32_t i = 0; i < type->n_kids; ++i) types[i] = converted_type(c, ir_kid(type, i));
  size_t n = ir_fn_n_inputs(type);
  return ir_type_function(c->ctx, types, n, types + n, type->n_kids - n);
}

// Values keep their place and change their type once nothing asks for the old one.
static void retype(hal_convert_t *c, ir_op_t *func) {
  for (ir_block_t *block = func->regions[0]->first; block; block = block->next) {
    for (uint32_t i = 0; i < block->n_args; ++i)
      block->args[i]->type = converted_type(c, block->args[i]->type);
    for (ir_op_t *op = block->first, *next; op; op = next) {
      next = op->next;
      if (op->kind == OP_STREAM_RESOURCE_SUBVIEW) {
        if (!ir_unused(ir_result(op, 0))) {
          ir_builder_t b = ir_builder_before(c->ctx, op);
          b.loc = op->loc;
          ir_value_t *operands[3] = {ir_operand_named(op, "source"),
                                     ir_operand_named(op, "source_offset"),
                                     ir_operand_named(op, "result_size")};
          ir_value_t *view = hal_build(&b, OP_HAL_BUFFER_SUBSPAN, operands, 3, NULL,
                                       hal_type(c, "hal.buffer"), NULL, 0);
          ir_replace_uses(ir_result(op, 0), view);
        }
        ir_op_erase(op);
        continue;
      }
      for (uint32_t i = 0; i < op->n_results; ++i)
        op->results[i].type = converted_type(c, op->results[i].type);
    }
  }
  ir_type_t type = ir_op_attr(func, "function_type");
  if (type) ir_op_set_attr(c->ctx, func, "function_type", converted_type(c, type));
}

static iree_status_t convert_function(hal_convert_t *c, ir_op_t *func) {
  if (!func->regions[0]->first) return iree_ok_status();
  c->func = func;
  c->loads = ir_map_create(c->pass->scratch);
  for (ir_block_t *block = func->regions[0]->first; block; block = block->next)
    for (ir_op_t *op = block->first, *next; op; op = next) {
      next = op->next;
      IREE_RETURN_IF_ERROR(convert_op(c, op));
    }
  retype(c, func);
  return iree_ok_status();
}

iree_status_t hal_convert_stream(pass_t *pass, ir_op_t *module) {
  hal_convert_t c = {.pass = pass, .ctx = pass->ctx, .module = module};
  c.symbols = ir_map_create(pass->scratch);
  c.executables = ir_map_create(pass->scratch);
  c.hosts = ir_map_create(pass->scratch);
  c.chained = ir_map_create(pass->scratch);
  size_t n = 0, n_ops = 0;
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    ++n_ops;
    if (ir_op_has_trait(op, IR_SYMBOL)) ir_map_set(c.symbols, ir_op_attr(op, "sym_name"), op);
  }
  ir_op_t **functions =
      IREE_ARENA_ARRAY(pass->scratch, ir_op_t *, n_ops + 1);  // others join them on the way
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) {
      functions[n++] = op;
    } else if (op->kind == OP_UTIL_GLOBAL) {
      if (ir_type_is(ir_op_attr(op, "type"), "stream.timepoint"))
        ir_op_set_attr(pass->ctx, op, "initial_value", NULL);  // null: passed
      ir_op_set_attr(pass->ctx, op, "type", converted_type(&c, ir_op_attr(op, "type")));
    }
  }
  IREE_RETURN_IF_ERROR(hal_materialize_devices(&c));
  for (size_t i = 0; i < n; ++i) IREE_RETURN_IF_ERROR(convert_function(&c, functions[i]));
  ir_op_set_attr(pass->ctx, module, "stream.affinity.default", NULL);
  return iree_ok_status();
}
