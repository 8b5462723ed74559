// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and the dispatch state in kernels: a memref is a vm.buffer, its index counts elements as
// the machine's loads and stores do. A binding that starts at an offset keeps that beside its
// buffer.
#include "compiler/ir/fold.h"
#include "compiler/vm/kernel.h"

static ir_value_t *argument(vm_convert_t *c, int i) { return c->func->regions[0]->first->args[i]; }
static ir_type_t buffer_type(vm_convert_t *c) {
  return ir_type_dialect(c->ctx, "vm.buffer", NULL, 0);
}

static iree_status_t convert_subspan(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *ordinal = vm_i32(c, (int32_t)ir_op_int(op, "binding", 0));
  vm_map(c, ir_result(op, 0),
         vm_op(c, OP_VM_LIST_GET_REF, buffer_type(c), argument(c, KERNEL_BINDINGS), ordinal, NULL));
  return iree_ok_status();
}

// Where element |index| of |memref| is in its buffer.
static ir_value_t *element_of(vm_convert_t *c, const ir_value_t *memref, ir_value_t *index) {
  const ir_op_t *def = ir_def(memref);
  ir_value_t *offset =
      ir_op_is(def, OP_HAL_INTERFACE_BINDING_SUBSPAN) ? ir_operand_named(def, "byte_offset") : NULL;
  int64_t known = 1;
  if (!offset || (ir_constant_int(offset, &known) && !known)) return index ? index : vm_i64(c, 0);
  ir_type_t i64 = ir_type_i(c->ctx, 64);
  ir_value_t *size = vm_i64(c, (int64_t)ir_type_storage_bytes(ir_type_element(memref->type)));
  ir_value_t *first = vm_op(c, OP_VM_DIV_I64_U, i64, vm_mapped(c, offset), size, NULL);
  return index ? vm_op(c, OP_VM_ADD_I64, i64, first, index, NULL) : first;
}

static iree_status_t check_flat(const ir_op_t *op, const ir_value_t *memref) {
  return ir_type_rank(memref->type) <= 1
             ? iree_ok_status()
             : ir_op_error(op,
                           "indexes a buffer of rank above 1; scheduled kernels use flat buffers");
}
static iree_status_t convert_load(vm_convert_t *c, ir_op_t *op) {
  const ir_value_t *memref = ir_operand(op, 0);
  IREE_RETURN_IF_ERROR(check_flat(op, memref));
  ir_value_t *index = op->n_operands > 1 ? vm_mapped(c, ir_operand(op, 1)) : NULL;
  return vm_load(c, op, vm_mapped(c, memref), element_of(c, memref, index));
}
static iree_status_t convert_store(vm_convert_t *c, ir_op_t *op) {
  const ir_value_t *memref = ir_operand(op, 1);
  IREE_RETURN_IF_ERROR(check_flat(op, memref));
  ir_value_t *index = op->n_operands > 2 ? vm_mapped(c, ir_operand(op, 2)) : NULL;
  vm_store(c, ir_operand(op, 0), vm_mapped(c, memref), element_of(c, memref, index));
  return iree_ok_status();
}

// One buffer for each run of the kernel, however often the op runs: serialize_kernels.c has moved
// it to the start.
static iree_status_t convert_alloca(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  int64_t count = ir_type_n_elements(type);
  if (count < 0 || op->n_operands) return ir_op_error(op, "needs a static size");
  int64_t bytes = count * (int64_t)ir_type_storage_bytes(ir_type_element(type));
  vm_map(c, ir_result(op, 0),
         vm_op(c, OP_VM_BUFFER_ALLOC, buffer_type(c), vm_i64(c, bytes ? bytes : 1), vm_i32(c, 16),
               NULL));
  return iree_ok_status();
}

static iree_status_t convert_get_global(vm_convert_t *c, ir_op_t *op) {
  ir_attr_t symbol = ir_op_attr(op, "name"), name = ir_kid(symbol, symbol->n_kids - 1);
  const ir_op_t *global = ir_map_get(c->symbols, name);
  ir_attr_t value = ir_op_is(global, OP_MEMREF_GLOBAL) ? ir_op_attr(global, "initial_value") : NULL;
  if (!ir_is(value, IR_A_DENSE)) return ir_op_error(op, "names no constant");
  vm_map(c, ir_result(op, 0), vm_rodata(c, value, ir_bytes(name), NULL, 16));
  return iree_ok_status();
}

static iree_status_t convert_constant_load(vm_convert_t *c, ir_op_t *op) {
  ir_type_t old = ir_result(op, 0)->type, type, i32 = ir_type_i(c->ctx, 32);
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, old, &type));
  if (type->kind == IR_T_FLOAT ? ir_type_width(old) != 32 : ir_type_width(old) < 32)
    return ir_op_error(op, "loads a constant that is no word of 32 bits");
  ir_value_t *ordinal = vm_i64(c, ir_op_int(op, "ordinal", 0));
  op_kind_t load = type->kind == IR_T_FLOAT ? OP_VM_BUFFER_LOAD_F32 : OP_VM_BUFFER_LOAD_I32;
  ir_value_t *word = vm_op(c, load, type->kind == IR_T_FLOAT ? type : i32,
                           argument(c, KERNEL_CONSTANTS), ordinal, NULL);
  vm_map(c, ir_result(op, 0), vm_resize(c, word, type));
  return iree_ok_status();
}

static iree_status_t convert_coordinate(vm_convert_t *c, ir_op_t *op) {
  int64_t dimension = ir_op_int(op, "dimension", 0);
  if (dimension < 0 || dimension > 2) return ir_op_error(op, "has a dimension outside 0..2");
  int first = op->kind == OP_HAL_INTERFACE_WORKGROUP_ID     ? KERNEL_WORKGROUP_ID
              : op->kind == OP_HAL_INTERFACE_WORKGROUP_SIZE ? KERNEL_WORKGROUP_SIZE
                                                            : KERNEL_WORKGROUP_COUNT;
  vm_map(c, ir_result(op, 0),
         vm_resize(c, argument(c, first + (int)dimension), ir_type_i(c->ctx, 64)));
  return iree_ok_status();
}

void vm_register_kernel(vm_convert_fn_t *fns) {
  static const struct {
    op_kind_t kind;
    vm_convert_fn_t fn;
  } rows[] = {{OP_HAL_INTERFACE_BINDING_SUBSPAN, convert_subspan},
              {OP_HAL_INTERFACE_CONSTANT_LOAD, convert_constant_load},
              {OP_HAL_INTERFACE_WORKGROUP_ID, convert_coordinate},
              {OP_HAL_INTERFACE_WORKGROUP_SIZE, convert_coordinate},
              {OP_HAL_INTERFACE_WORKGROUP_COUNT, convert_coordinate},
              {OP_MEMREF_LOAD, convert_load},
              {OP_MEMREF_STORE, convert_store},
              {OP_MEMREF_ALLOCA, convert_alloca},
              {OP_MEMREF_ASSUME_ALIGNMENT, vm_convert_same},
              {OP_MEMREF_DEALLOC, vm_convert_nothing},
              {OP_MEMREF_GET_GLOBAL, convert_get_global},
              {OP_TEXT_WORKLOAD_ORDINAL, vm_convert_same}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) fns[rows[i].kind] = rows[i].fn;
}
