// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hal ops become calls of the hal module. Most are rows of a table: the arguments in the import's
// order,
//
//   name          operand                          name*         variadic operands as a list
//   name?         operand, 0 where absent          #name         integer attribute
//   "name         string attribute                 =N            the number N
//   @name         leaf of a symbol, as a string    &name         buffer operand; null for a slot
//   %name         slot of a buffer operand; 0 for a buffer       ^name  pattern, as i64    |name
//   its bytes [bindings     (0, slot, buffer, offset, length) of each binding [table (buffer,
//   offset, length) of each binding
#include <string.h>

#include "compiler/dialects/element_type.h"
#include "compiler/vm/convert.h"

typedef struct hal_row {
  op_kind_t kind;
  const char *import, *arguments;
} hal_row_t;

#define QUEUE "device queue_affinity wait_fence signal_fence "
static const hal_row_t rows[] = {
    {OP_HAL_BUFFER_ASSERT, "buffer.assert",
     "buffer \"message allocator minimum_length #memory_types #buffer_usage"},
    {OP_HAL_BUFFER_ALLOCATION_PRESERVE, "buffer.allocation.preserve", "buffer"},
    {OP_HAL_BUFFER_ALLOCATION_DISCARD, "buffer.allocation.discard", "buffer"},
    {OP_HAL_BUFFER_ALLOCATION_IS_TERMINAL, "buffer.allocation.is_terminal", "buffer"},
    {OP_HAL_BUFFER_SUBSPAN, "buffer.subspan", "source_buffer source_offset length"},
    {OP_HAL_BUFFER_LENGTH, "buffer.length", "buffer"},
    {OP_HAL_BUFFER_VIEW_CREATE, "buffer_view.create",
     "source_buffer source_offset source_length element_type encoding_type shape*"},
    {OP_HAL_BUFFER_VIEW_ASSERT, "buffer_view.assert",
     "buffer_view \"message element_type encoding_type shape*"},
    {OP_HAL_BUFFER_VIEW_BUFFER, "buffer_view.buffer", "buffer_view"},
    {OP_HAL_BUFFER_VIEW_ELEMENT_TYPE, "buffer_view.element_type", "buffer_view"},
    {OP_HAL_BUFFER_VIEW_ENCODING_TYPE, "buffer_view.encoding_type", "buffer_view"},
    {OP_HAL_BUFFER_VIEW_RANK, "buffer_view.rank", "buffer_view"},
    {OP_HAL_BUFFER_VIEW_DIM, "buffer_view.dim", "buffer_view #index"},
    {OP_HAL_BUFFER_VIEW_TRACE, "buffer_view.trace", "\"key operands*"},
    {OP_HAL_ALLOCATOR_ALLOCATE, "allocator.allocate",
     "allocator queue_affinity memory_types buffer_usage result_size"},
    {OP_HAL_EX_FILE_FROM_MEMORY, "ex.file.from_memory",
     "device queue_affinity #access buffer offset length flags"},
    {OP_HAL_COMMAND_BUFFER_CREATE, "command_buffer.create",
     "device #modes #command_categories queue_affinity binding_capacity?"},
    {OP_HAL_COMMAND_BUFFER_FINALIZE, "command_buffer.finalize", "command_buffer"},
    {OP_HAL_COMMAND_BUFFER_BEGIN_DEBUG_GROUP, "command_buffer.begin_debug_group",
     "command_buffer \"label"},
    {OP_HAL_COMMAND_BUFFER_END_DEBUG_GROUP, "command_buffer.end_debug_group", "command_buffer"},
    {OP_HAL_COMMAND_BUFFER_EXECUTION_BARRIER, "command_buffer.execution_barrier",
     "command_buffer #source_stage_mask #target_stage_mask #flags"},
    {OP_HAL_COMMAND_BUFFER_FILL_BUFFER, "command_buffer.fill_buffer",
     "command_buffer &target_buffer target_offset length %target_buffer ^pattern |pattern #flags"},
    {OP_HAL_COMMAND_BUFFER_UPDATE_BUFFER, "command_buffer.update_buffer",
     "command_buffer source_buffer source_offset &target_buffer target_offset length "
     "%target_buffer #flags"},
    {OP_HAL_COMMAND_BUFFER_COPY_BUFFER, "command_buffer.copy_buffer",
     "command_buffer %source_buffer %target_buffer &source_buffer source_offset &target_buffer "
     "target_offset length #flags"},
    {OP_HAL_COMMAND_BUFFER_DISPATCH, "command_buffer.dispatch",
     "command_buffer executable entry_point workgroup_x workgroup_y workgroup_z #flags constants* "
     "[bindings"},
    {OP_HAL_COMMAND_BUFFER_DISPATCH_INDIRECT, "command_buffer.dispatch.indirect",
     "command_buffer executable entry_point %workgroups_buffer &workgroups_buffer "
     "workgroups_offset #flags constants* [bindings"},
    {OP_HAL_DEVICES_COUNT, "devices.count", ""},
    {OP_HAL_DEVICES_GET, "devices.get", "index"},
    {OP_HAL_DEVICE_ALLOCATOR, "device.allocator", "device"},
    {OP_HAL_DEVICE_QUEUE_ALLOCA, "device.queue.alloca",
     QUEUE "pool memory_types buffer_usage result_size #flags"},
    {OP_HAL_DEVICE_QUEUE_DEALLOCA, "device.queue.dealloca", QUEUE "buffer #flags"},
    {OP_HAL_DEVICE_QUEUE_FILL, "device.queue.fill",
     QUEUE "target_buffer target_offset length ^pattern |pattern #flags"},
    {OP_HAL_DEVICE_QUEUE_UPDATE, "device.queue.update",
     QUEUE "source_buffer source_offset target_buffer target_offset length #flags"},
    {OP_HAL_DEVICE_QUEUE_COPY, "device.queue.copy",
     QUEUE "source_buffer source_offset target_buffer target_offset length #flags"},
    {OP_HAL_DEVICE_QUEUE_READ, "device.queue.read",
     QUEUE "source_file source_offset target_buffer target_offset length #flags"},
    {OP_HAL_DEVICE_QUEUE_WRITE, "device.queue.write",
     QUEUE "source_buffer source_offset target_file target_offset length #flags"},
    {OP_HAL_DEVICE_QUEUE_BARRIER, "device.queue.barrier", QUEUE "#flags"},
    {OP_HAL_DEVICE_QUEUE_EXECUTE, "device.queue.execute", QUEUE "command_buffer #flags"},
    {OP_HAL_DEVICE_QUEUE_EXECUTE_INDIRECT, "device.queue.execute.indirect",
     QUEUE "command_buffer #flags [table"},
    {OP_HAL_DEVICE_QUEUE_FLUSH, "device.queue.flush", "device queue_affinity"},
    {OP_HAL_FENCE_CREATE, "fence.create", "device #flags"},
    {OP_HAL_FENCE_JOIN, "fence.join", "#flags fences*"},
    {OP_HAL_FENCE_QUERY, "fence.query", "fence"},
    {OP_HAL_FENCE_SIGNAL, "fence.signal", "fence"},
    {OP_HAL_FENCE_FAIL, "fence.fail", "fence status"},
    {OP_HAL_FENCE_AWAIT, "fence.await", "timeout_millis #flags fences*"},
    {OP_HAL_EXECUTABLE_LOOKUP_FUNCTION, "executable.lookup.function", "executable @entry_point"},
};
#undef QUEUE

// ---- arguments
static ir_value_t *buffer_or_null(vm_convert_t *c, const ir_value_t *old) {
  ir_type_t buffer = ir_type_dialect(c->ctx, "hal.buffer", NULL, 0);
  return old->type->kind == IR_T_INDEX ? vm_null(c, ir_type_dialect(c->ctx, "vm.ref", &buffer, 1))
                                       : vm_mapped(c, old);
}
static ir_value_t *slot_or_zero(vm_convert_t *c, const ir_value_t *old) {
  return old->type->kind == IR_T_INDEX ? vm_resize(c, vm_mapped(c, old), ir_type_i(c->ctx, 32))
                                       : vm_i32(c, 0);
}
// A fill pattern: the bits of a scalar of 1, 2 or 4 bytes.
static ir_value_t *pattern_bits(vm_convert_t *c, const ir_value_t *old) {
  ir_value_t *v = vm_mapped(c, old);
  if (v->type->kind == IR_T_FLOAT)
    v = ir_type_width(v->type) > 32
            ? vm_op(c, OP_VM_BITCAST_F64_I64, ir_type_i(c->ctx, 64), v, NULL, NULL)
            : vm_op(c, OP_VM_BITCAST_F32_I32, ir_type_i(c->ctx, 32), v, NULL, NULL);
  return vm_resize(c, v, ir_type_i(c->ctx, 64));
}
static void push_bindings(vm_convert_t *c, const ir_op_t *op, vm_call_t *call, bool table) {
  ir_group_t buffers = ir_operand_group(op, "binding_buffers"),
             offsets = ir_operand_group(op, "binding_offsets"),
             lengths = ir_operand_group(op, "binding_lengths");
  vm_call_list(call, buffers.n);
  for (uint32_t i = 0; i < buffers.n; ++i) {
    const ir_value_t *buffer = ir_operand(op, buffers.first + i);
    if (!table) vm_call_push(c, call, vm_i32(c, 0)), vm_call_push(c, call, slot_or_zero(c, buffer));
    vm_call_push(c, call, table ? vm_mapped(c, buffer) : buffer_or_null(c, buffer));
    vm_call_push(c, call, vm_mapped(c, ir_operand(op, offsets.first + i)));
    vm_call_push(c, call, vm_mapped(c, ir_operand(op, lengths.first + i)));
  }
}

static ir_value_t *int_constant(vm_convert_t *c, ir_type_t type, int64_t value) {
  return ir_type_width(type) > 32 ? vm_i64(c, value) : vm_i32(c, (int32_t)value);
}

static void push_argument(vm_convert_t *c, const ir_op_t *op, vm_call_t *call, const char *text,
                          size_t n) {
  char name[64];
  bool marked = strchr("#\"=@&%^|[", text[0]) != NULL;
  size_t len = n - marked;
  memcpy(name, text + marked, len);
  name[len] = 0;
  bool list = name[len - 1] == '*', optional = name[len - 1] == '?';
  if (list || optional) name[len - 1] = 0;
  ir_attr_t attr = ir_op_attr(op, name);
  switch (text[0]) {
    case '#':
      vm_call_arg(c, call, int_constant(c, vm_call_next_type(call), attr ? ir_int(attr, 0) : 0));
      return;
    case '"':
      vm_call_arg(c, call, vm_string(c, attr));
      return;
    case '@':
      vm_call_arg(c, call, vm_string(c, ir_kid(attr, attr->n_kids - 1)));
      return;
    case '&':
      vm_call_arg(c, call, buffer_or_null(c, ir_operand_named(op, name)));
      return;
    case '%':
      vm_call_arg(c, call, slot_or_zero(c, ir_operand_named(op, name)));
      return;
    case '^':
      vm_call_arg(c, call, pattern_bits(c, ir_operand_named(op, name)));
      return;
    case '|':
      vm_call_arg(c, call,
                  vm_i32(c, (int32_t)ir_type_storage_bytes(ir_operand_named(op, name)->type)));
      return;
    case '[':
      push_bindings(c, op, call, name[0] == 't');
      return;
    default:
      break;
  }
  ir_group_t group = ir_operand_group(op, name);
  if (list) {
    ir_type_t type = vm_call_next_type(call);
    vm_call_list(call, group.n);
    for (uint32_t i = 0; i < group.n; ++i)
      vm_call_push(c, call, vm_resize(c, vm_mapped(c, ir_operand(op, group.first + i)), type));
  } else if (optional && !group.n) {
    vm_call_arg(c, call, int_constant(c, vm_call_next_type(call), 0));
  } else {
    vm_call_arg(c, call, vm_mapped(c, ir_operand(op, group.first)));
  }
}

static void push_arguments(vm_convert_t *c, const ir_op_t *op, vm_call_t *call, const char *text) {
  while (*text) {
    size_t n = strcspn(text, " ");
    push_argument(c, op, call, text, n);
    text += n + (text[n] == ' ');
  }
}

static iree_status_t convert_call(vm_convert_t *c, ir_op_t *op) {
  size_t i = 0;
  while (rows[i].kind != (op_kind_t)op->kind) ++i;
  vm_call_t call;
  vm_call_begin(c, &call, rows[i].import);
  push_arguments(c, op, &call, rows[i].arguments);
  ir_value_t *result = vm_call_end(c, &call, 0);
  if (!op->n_results) return iree_ok_status();
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  vm_map(c, ir_result(op, 0), vm_resize(c, result, type));
  return iree_ok_status();
}

// ---- the rest
static iree_status_t convert_import(vm_convert_t *c, ir_op_t *op) {
  vm_call_t call;
  vm_call_begin(c, &call, "allocator.import");
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "allocator")));
  vm_call_arg(c, &call, vm_i32(c, 1));  // try: null where the device cannot
  push_arguments(c, op, &call, "queue_affinity memory_types buffer_usage source offset length");
  ir_value_t *buffer = vm_call_end(c, &call, 0);
  vm_map(c, ir_result(op, 0),
         vm_op(c, OP_VM_CMP_NZ_REF, ir_type_i(c->ctx, 32), buffer, NULL, NULL));
  vm_map(c, ir_result(op, 1), buffer);
  return iree_ok_status();
}

static ir_value_t *load_word(vm_convert_t *c, ir_value_t *buffer, ir_value_t *offset,
                             int32_t bytes) {
  vm_call_t call;
  vm_call_begin(c, &call, "buffer.load");
  vm_call_arg(c, &call, buffer);
  vm_call_arg(c, &call, offset);
  vm_call_arg(c, &call, vm_i32(c, bytes));
  return vm_call_end(c, &call, 0);
}
static iree_status_t convert_load(vm_convert_t *c, ir_op_t *op) {
  ir_type_t i32 = ir_type_i(c->ctx, 32), i64 = ir_type_i(c->ctx, 64), type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *buffer = vm_mapped(c, ir_operand(op, 0)), *offset = vm_mapped(c, ir_operand(op, 1));
  size_t bytes = ir_type_storage_bytes(ir_result(op, 0)->type);
  ir_value_t *v = load_word(c, buffer, offset, bytes > 4 ? 4 : (int32_t)bytes);
  if (bytes == 8) {
    ir_value_t *high =
        load_word(c, buffer, vm_op(c, OP_VM_ADD_I64, i64, offset, vm_i64(c, 4), NULL), 4);
    high = vm_op(c, OP_VM_SHL_I64, i64, vm_resize(c, high, i64), vm_i32(c, 32), NULL);
    v = vm_op(c, OP_VM_OR_I64, i64, vm_resize(c, v, i64), high, NULL);
    if (type->kind == IR_T_FLOAT) v = vm_op(c, OP_VM_BITCAST_I64_F64, type, v, NULL, NULL);
  } else if (type->kind == IR_T_FLOAT) {
    v = vm_op(c, OP_VM_BITCAST_I32_F32, type, v, NULL, NULL);
  } else if (ir_type_is_int(ir_result(op, 0)->type, 1)) {
    v = vm_op(c, OP_VM_AND_I32, i32, v, vm_i32(c, 1), NULL);
  }
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}
static void store_word(vm_convert_t *c, ir_value_t *v, ir_value_t *buffer, ir_value_t *offset,
                       int32_t bytes) {
  vm_call_t call;
  vm_call_begin(c, &call, "buffer.store");
  vm_call_arg(c, &call, v);
  vm_call_arg(c, &call, buffer);
  vm_call_arg(c, &call, offset);
  vm_call_arg(c, &call, vm_i32(c, bytes));
  vm_call_end(c, &call, 0);
}
static iree_status_t convert_store(vm_convert_t *c, ir_op_t *op) {
  ir_type_t i32 = ir_type_i(c->ctx, 32), i64 = ir_type_i(c->ctx, 64);
  ir_value_t *v = vm_mapped(c, ir_operand(op, 0)), *buffer = vm_mapped(c, ir_operand(op, 1)),
             *offset = vm_mapped(c, ir_operand(op, 2));
  size_t bytes = ir_type_storage_bytes(ir_operand(op, 0)->type);
  if (v->type->kind == IR_T_FLOAT)
    v = bytes == 8 ? vm_op(c, OP_VM_BITCAST_F64_I64, i64, v, NULL, NULL)
                   : vm_op(c, OP_VM_BITCAST_F32_I32, i32, v, NULL, NULL);
  store_word(c, vm_resize(c, v, i32), buffer, offset, bytes > 4 ? 4 : (int32_t)bytes);
  if (bytes == 8) {
    ir_value_t *high = vm_op(c, OP_VM_SHR_I64_U, i64, v, vm_i32(c, 32), NULL);
    store_word(c, vm_resize(c, high, i32), buffer,
               vm_op(c, OP_VM_ADD_I64, i64, offset, vm_i64(c, 4), NULL), 4);
  }
  return iree_ok_status();
}

// The number 0 or 1 comes for booleans; an unknown property gives the default.
static iree_status_t convert_query(vm_convert_t *c, ir_op_t *op) {
  ir_type_t i32 = ir_type_i(c->ctx, 32), type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 1)->type, &type));
  vm_call_t call;
  vm_call_begin(c, &call, "device.query.i64");
  push_arguments(c, op, &call, "device \"category \"key");
  ir_value_t *ok = vm_call_end(c, &call, 0), *value = ok + 1;
  if (type->kind != IR_T_INTEGER) return ir_op_error(op, "properties are integers");
  value = ir_type_is_int(ir_result(op, 1)->type, 1)
              ? vm_op(c, OP_VM_CMP_NZ_I64, i32, value, NULL, NULL)
              : vm_resize(c, value, type);
  ir_attr_t absent = ir_op_attr(op, "default_value");
  if (absent && (absent->kind == IR_A_INT || absent->kind == IR_A_BOOL)) {
    ir_value_t *other = int_constant(c, type, ir_int(absent, 0));
    value = vm_op(c, type == i32 ? OP_VM_SELECT_I32 : OP_VM_SELECT_I64, type, ok, value, other);
  }
  vm_map(c, ir_result(op, 0), ok);
  vm_map(c, ir_result(op, 1), value);
  return iree_ok_status();
}

static iree_status_t convert_number(vm_convert_t *c, ir_op_t *op) {
  ir_attr_t attr = ir_op_attr(op, op->kind == OP_HAL_MEMORY_TYPE ? "type" : "usage");
  vm_map(c, ir_result(op, 0), vm_i32(c, (int32_t)ir_int(attr, 0)));
  return iree_ok_status();
}
static iree_status_t convert_element_type(vm_convert_t *c, ir_op_t *op) {
  uint32_t value;
  if (!element_type_number(ir_op_attr(op, "type"), &value))
    return ir_op_error(op, "buffer views have no such element type");
  vm_map(c, ir_result(op, 0), vm_i32(c, (int32_t)value));
  return iree_ok_status();
}
static iree_status_t convert_encoding_type(vm_convert_t *c, ir_op_t *op) {
  enum { OPAQUE = 0, DENSE_ROW_MAJOR = 1 };
  vm_map(c, ir_result(op, 0), vm_i32(c, ir_op_attr(op, "encoding") ? OPAQUE : DENSE_ROW_MAJOR));
  return iree_ok_status();
}

static iree_status_t convert_executable_create(vm_convert_t *c, ir_op_t *op) {
  ir_attr_t target = ir_op_attr(op, "executable_target");
  const ir_op_t *binary = ir_symbol_resolve(op, target);
  if (!ir_op_is(binary, OP_HAL_EXECUTABLE_BINARY))
    return ir_op_error(op, "names no hal.executable.binary; phase 'hal' makes them");
  ir_value_t *constants = vm_null(c, ir_type_dialect(c->ctx, "vm.buffer", NULL, 0));
  ir_group_t words = ir_operand_group(op, "constants");
  if (words.n) {
    constants = vm_op(c, OP_VM_BUFFER_ALLOC, constants->type, vm_i64(c, 4 * (int64_t)words.n),
                      vm_i32(c, 16), NULL);
    for (uint32_t i = 0; i < words.n; ++i)
      ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_BUFFER_STORE_I32,
                                      .n_operands = 3,
                                      .operands = (ir_value_t *[]){
                                          constants, vm_i64(c, i),
                                          vm_mapped(c, ir_operand(op, words.first + i))}});
  }
  iree_string_view_t executable = ir_str(ir_kid(target, 0)), variant = ir_op_sym_name(binary);
  char *name = iree_arena_alloc(c->pass->scratch, executable.size + variant.size + 2);
  memcpy(name, executable.data, executable.size);
  name[executable.size] = '_';
  memcpy(name + executable.size + 1, variant.data, variant.size);
  vm_call_t call;
  vm_call_begin(c, &call, "executable.create");
  push_arguments(c, op, &call, "device queue_affinity");
  vm_call_arg(c, &call, vm_string(c, ir_op_attr(binary, "format")));
  vm_call_arg(c, &call,
              vm_rodata(c, ir_op_attr(binary, "data"), name, ir_op_attr(binary, "mime_type"), 16));
  vm_call_arg(c, &call, constants);
  vm_map(c, ir_result(op, 0), vm_call_end(c, &call, 0));
  return iree_ok_status();
}

static iree_status_t convert_ordinal(vm_convert_t *c, ir_op_t *op) {
  const ir_op_t *export = ir_symbol_resolve(op, ir_op_attr(op, "entry_point"));
  if (!ir_op_is(export, OP_HAL_EXECUTABLE_EXPORT)) return ir_op_error(op, "names no export");
  vm_map(c, ir_result(op, 0), vm_i64(c, ir_op_int(export, "ordinal", 0)));
  return iree_ok_status();
}

void vm_register_hal(vm_convert_fn_t *fns) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) fns[rows[i].kind] = convert_call;
  fns[OP_HAL_ALLOCATOR_IMPORT] = convert_import;
  fns[OP_HAL_BUFFER_LOAD] = convert_load;
  fns[OP_HAL_BUFFER_STORE] = convert_store;
  fns[OP_HAL_DEVICE_QUERY] = convert_query;
  fns[OP_HAL_MEMORY_TYPE] = convert_number;
  fns[OP_HAL_BUFFER_USAGE] = convert_number;
  fns[OP_HAL_ELEMENT_TYPE] = convert_element_type;
  fns[OP_HAL_ENCODING_TYPE] = convert_encoding_type;
  fns[OP_HAL_EXECUTABLE_CREATE] = convert_executable_create;
  fns[OP_HAL_EXECUTABLE_EXPORT_ORDINAL] = convert_ordinal;
}
