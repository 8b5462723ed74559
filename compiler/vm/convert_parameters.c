// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// io_parameters ops become calls. Keys are constants, so that the tables that name them are read-only
// data; spans are too where offsets and lengths are known.
#include <string.h>

#include "compiler/vm/convert.h"

typedef struct table {
  uint8_t *data;
  size_t n;
} table_t;

static void put(table_t *table, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) table->data[table->n++] = (uint8_t)(value >> (8 * i));
}

static ir_value_t *table_value(vm_convert_t *c, const table_t *table, const char *hint) {
  int64_t n = (int64_t)table->n;
  ir_type_t type = ir_type_tensor(c->ctx, &n, 1, ir_type_i(c->ctx, 8), NULL);
  return vm_rodata(c, ir_attr_dense(c->ctx, type, table->data, table->n, false, false), hint, NULL, 16);
}

// ---- keys: their text one after the other, and where each starts
static ir_attr_t key_text(const ir_value_t *key) {
  ir_attr_t value = ir_value_is(key, OP_UTIL_BUFFER_CONSTANT) ? ir_op_attr(ir_def(key), "value") : NULL;
  return ir_is(value, IR_A_STRING) ? value : NULL;
}

static iree_status_t push_keys(vm_convert_t *c, ir_op_t *op, vm_call_t *call, ir_group_t keys) {
  size_t total = 1;
  for (uint32_t i = 0; i < keys.n; ++i) {
    ir_attr_t text = key_text(ir_operand(op, keys.first + i));
    if (!text) return ir_op_error(op, "names a parameter by what is no constant string; keys must be known when compiling");
    total += ir_str(text).size;
  }
  if (total > UINT32_MAX) return ir_op_error(op, "names parameters by more than 4 GiB of text");
  table_t index = {iree_arena_alloc(c->pass->scratch, 8 * (size_t)keys.n + 1), 0};
  table_t text = {iree_arena_alloc(c->pass->scratch, total), 0};
  for (uint32_t i = 0; i < keys.n; ++i) {
    iree_string_view_t key = ir_str(key_text(ir_operand(op, keys.first + i)));
    put(&index, text.n, 4);
    put(&index, key.size, 4);
    if (key.size) memcpy(text.data + text.n, key.data, key.size);
    text.n += key.size;
  }
  vm_call_arg(c, call, table_value(c, &index, "_parameter_index"));
  vm_call_arg(c, call, table_value(c, &text, "_parameter_keys"));
  return iree_ok_status();
}

// ---- spans: (offset in the parameter, offset in the buffer, length) of each key
typedef struct spans {
  ir_op_t *op;
  ir_group_t column[3];  // no operands: zeros
} spans_t;

static ir_value_t *span_value(const spans_t *spans, uint32_t row, int column) {
  return spans->column[column].n ? ir_operand(spans->op, spans->column[column].first + row) : NULL;
}

static bool spans_table(vm_convert_t *c, const spans_t *spans, uint32_t rows, table_t *out) {
  *out = (table_t){iree_arena_alloc(c->pass->scratch, 24 * (size_t)rows + 1), 0};
  for (uint32_t i = 0; i < rows; ++i) {
    for (int k = 0; k < 3; ++k) {
      ir_value_t *v = span_value(spans, i, k);
      if (v && !ir_value_is(v, OP_ARITH_CONSTANT)) return false;
      put(out, v ? (uint64_t)ir_int(ir_op_attr(ir_def(v), "value"), 0) : 0, 8);
    }
  }
  return true;
}

static ir_value_t *spans_buffer(vm_convert_t *c, const spans_t *spans, uint32_t rows) {
  ir_value_t *buffer = vm_op(c, OP_VM_BUFFER_ALLOC, ir_type_dialect(c->ctx, "vm.buffer", NULL, 0),
                             vm_i64(c, 24 * (int64_t)rows), vm_i32(c, 16), NULL);
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t k = 0; k < 3; ++k) {
      ir_value_t *v = span_value(spans, i, (int)k);
      ir_value_t *operands[3] = {buffer, vm_i64(c, 3 * i + k), v ? vm_mapped(c, v) : vm_i64(c, 0)};
      ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_BUFFER_STORE_I64, .operands = operands, .n_operands = 3});
    }
  }
  return buffer;
}

static void push_spans(vm_convert_t *c, vm_call_t *call, const spans_t *spans, uint32_t rows) {
  table_t table;
  vm_call_arg(c, call, spans_table(c, spans, rows, &table) ? table_value(c, &table, "_parameter_spans")
                                                           : spans_buffer(c, spans, rows));
}

// ---- calls
static void push_queue(vm_convert_t *c, ir_op_t *op, vm_call_t *call) {
  static const char *const names[] = {"device", "queue_affinity", "wait_fence", "signal_fence"};
  for (size_t i = 0; i < 4; ++i) vm_call_arg(c, call, vm_mapped(c, ir_operand_named(op, names[i])));
}
static void push_scope(vm_convert_t *c, ir_op_t *op, vm_call_t *call, const char *name) {
  ir_group_t scope = ir_operand_group(op, name);
  vm_call_arg(c, call, scope.n ? vm_mapped(c, ir_operand(op, scope.first))
                               : vm_null(c, ir_type_dialect(c->ctx, "vm.buffer", NULL, 0)));
}

static iree_status_t convert_load(vm_convert_t *c, ir_op_t *op) {
  ir_group_t keys = ir_operand_group(op, "source_keys");
  vm_call_t call;
  vm_call_begin(c, &call, "io_parameters.load");
  push_queue(c, op, &call);
  push_scope(c, op, &call, "source_scope");
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "queue_affinity")));
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "memory_types")));
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "buffer_usage")));
  IREE_RETURN_IF_ERROR(push_keys(c, op, &call, keys));
  const spans_t spans = {op, {ir_operand_group(op, "source_offsets"), {0}, ir_operand_group(op, "lengths")}};
  push_spans(c, &call, &spans, keys.n);
  ir_value_t *list = vm_call_end(c, &call, 0);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_type_t type;
    IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, i)->type, &type));
    vm_map(c, ir_result(op, i), vm_op(c, OP_VM_LIST_GET_REF, type, list, vm_i32(c, (int32_t)i), NULL));
  }
  return iree_ok_status();
}

static iree_status_t convert_gather(vm_convert_t *c, ir_op_t *op) {
  ir_group_t keys = ir_operand_group(op, "source_keys");
  vm_call_t call;
  vm_call_begin(c, &call, "io_parameters.gather");
  push_queue(c, op, &call);
  push_scope(c, op, &call, "source_scope");
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "target_buffer")));
  IREE_RETURN_IF_ERROR(push_keys(c, op, &call, keys));
  const spans_t spans = {op, {ir_operand_group(op, "source_offsets"), ir_operand_group(op, "target_offsets"), ir_operand_group(op, "target_lengths")}};
  push_spans(c, &call, &spans, keys.n);
  vm_call_end(c, &call, 0);
  return iree_ok_status();
}

static iree_status_t convert_scatter(vm_convert_t *c, ir_op_t *op) {
  ir_group_t keys = ir_operand_group(op, "target_keys");
  vm_call_t call;
  vm_call_begin(c, &call, "io_parameters.scatter");
  push_queue(c, op, &call);
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "source_buffer")));
  push_scope(c, op, &call, "target_scope");
  IREE_RETURN_IF_ERROR(push_keys(c, op, &call, keys));
  const spans_t spans = {op, {ir_operand_group(op, "target_offsets"), ir_operand_group(op, "source_offsets"), ir_operand_group(op, "source_lengths")}};
  push_spans(c, &call, &spans, keys.n);
  vm_call_end(c, &call, 0);
  return iree_ok_status();
}

void vm_register_parameters(vm_convert_fn_t *fns) {
  fns[OP_IO_PARAMETERS_LOAD] = convert_load;
  fns[OP_IO_PARAMETERS_GATHER] = convert_gather;
  fns[OP_IO_PARAMETERS_SCATTER] = convert_scatter;
}
