// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindings, constants and workgroup coordinates of a dispatch; buffers and vectors.
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/llvm/emit.h"

enum {
  // dispatch_state offsets of the 64-bit executable library.
  STATE_SIZE_X = 0,
  STATE_SIZE_Y = 4,
  STATE_SIZE_Z = 8,
  STATE_COUNT_X = 12,
  STATE_COUNT_Y = 16,
  STATE_COUNT_Z = 20,
  STATE_CONSTANTS = 24,
  STATE_BINDINGS = 32,
  // workgroup_state
  WORKGROUP_ID_X = 0,
  WORKGROUP_ID_Y = 4,
  WORKGROUP_ID_Z = 8,
};

static LLVMValueRef byte_offset(emit_t *e, LLVMValueRef base, LLVMValueRef offset) {
  return LLVMBuildInBoundsGEP2(e->builder, e->i8, base, &offset, 1, "");
}

static LLVMValueRef field(emit_t *e, unsigned param, uint64_t offset, LLVMTypeRef type) {
  LLVMValueRef at =
      byte_offset(e, LLVMGetParam(e->function, param), LLVMConstInt(e->i64, offset, 0));
  return LLVMBuildLoad2(e->builder, type, at, "");
}

static LLVMValueRef element(emit_t *e, LLVMValueRef base, LLVMTypeRef type, uint64_t index) {
  LLVMValueRef i = LLVMConstInt(e->i64, index, 0);
  LLVMValueRef at = LLVMBuildInBoundsGEP2(e->builder, type, base, &i, 1, "");
  return LLVMBuildLoad2(e->builder, type, at, "");
}

// hal.interface.binding.subspan: operand 0 is the byte offset.
static iree_status_t emit_subspan(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMValueRef bindings = field(e, 1, STATE_BINDINGS, e->pointer);
  uint64_t ordinal = (uint64_t)ir_op_int(op, "binding", 0);
  LLVMValueRef base = element(e, bindings, e->pointer, ordinal);
  if (op->n_operands) {
    LLVMValueRef offset = emit_operand(e, op, 0);
    if (!LLVMIsConstant(offset) || !LLVMIsNull(offset)) base = byte_offset(e, base, offset);
  }
  emit_set_result(e, op, base);
  return iree_ok_status();
}

static iree_status_t emit_constant_load(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMValueRef constants = field(e, 1, STATE_CONSTANTS, e->pointer);
  LLVMValueRef value = element(e, constants, e->i32, (uint64_t)ir_op_int(op, "ordinal", 0));
  LLVMTypeRef type = emit_type(e, ir_result(op, 0)->type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMFloatTypeKind) {
    value = LLVMBuildBitCast(e->builder, value, type, "");
  } else if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 32) {
    value = LLVMBuildZExt(e->builder, value, type, "");
  } else if (kind == LLVMIntegerTypeKind) {
    value = LLVMBuildTrunc(e->builder, value, type, "");
  } else {
    return emit_error(e, op, "loads a constant of a type wider than 32 bits");
  }
  emit_set_result(e, op, value);
  return iree_ok_status();
}

typedef enum { COORDINATE_ID, COORDINATE_COUNT, COORDINATE_SIZE } coordinate_t;

static iree_status_t emit_coordinate(emit_t *e, const ir_op_t *op, int param) {
  static const uint16_t offsets[3][3] = {
      [COORDINATE_ID] = {WORKGROUP_ID_X, WORKGROUP_ID_Y, WORKGROUP_ID_Z},
      [COORDINATE_COUNT] = {STATE_COUNT_X, STATE_COUNT_Y, STATE_COUNT_Z},
      [COORDINATE_SIZE] = {STATE_SIZE_X, STATE_SIZE_Y, STATE_SIZE_Z},
  };
  int64_t dimension = ir_op_int(op, "dimension", 0);
  if (dimension < 0 || dimension > 2) return emit_error(e, op, "has a dimension outside 0..2");
  unsigned state = param == COORDINATE_ID ? 2 : 1;
  LLVMTypeRef type = dimension == 2 ? e->i16 : e->i32;
  LLVMValueRef value = field(e, state, offsets[param][dimension], type);
  emit_set_result(e, op, LLVMBuildZExt(e->builder, value, e->i64, ""));
  return iree_ok_status();
}

//===-- buffers ------------------------------------------------------------------------------------

static LLVMValueRef element_pointer(emit_t *e, const ir_op_t *op, size_t base, size_t index) {
  LLVMValueRef pointer = emit_operand(e, op, base);
  if (index >= op->n_operands) return pointer;
  LLVMTypeRef type = emit_storage_type(e, ir_type_element(ir_operand(op, base)->type));
  LLVMValueRef i = emit_operand(e, op, index);
  return LLVMBuildInBoundsGEP2(e->builder, type, pointer, &i, 1, "");
}

static unsigned storage_bytes(ir_type_t type) {
  ir_type_t element = ir_type_element(type);
  return ir_is(element, IR_T_INDEX) ? 8 : (ir_type_width(element) + 7) / 8;
}

static iree_status_t check_flat(emit_t *e, const ir_op_t *op, size_t base) {
  if (ir_type_rank(ir_operand(op, base)->type) <= 1) return iree_ok_status();
  return emit_error(e, op, "indexes a buffer of rank above 1; scheduled kernels use flat buffers");
}

// memref.load, vector.load: base, index.
static iree_status_t emit_load(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  IREE_RETURN_IF_ERROR(check_flat(e, op, 0));
  ir_type_t type = ir_result(op, 0)->type;
  LLVMValueRef loaded =
      LLVMBuildLoad2(e->builder, emit_storage_type(e, type), element_pointer(e, op, 0, 1), "");
  LLVMSetAlignment(loaded, storage_bytes(type));
  emit_set_result(e, op, emit_from_storage(e, loaded, type));
  return iree_ok_status();
}

// memref.store, vector.store: value, base, index.
static iree_status_t emit_store(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  IREE_RETURN_IF_ERROR(check_flat(e, op, 1));
  ir_type_t type = ir_operand(op, 0)->type;
  LLVMValueRef bits = emit_to_storage(e, emit_operand(e, op, 0), type);
  LLVMValueRef store = LLVMBuildStore(e->builder, bits, element_pointer(e, op, 1, 2));
  LLVMSetAlignment(store, storage_bytes(type));
  return iree_ok_status();
}

// vector.gather: base, start index, index vector, mask, pass-through.
static iree_status_t emit_gather(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  IREE_RETURN_IF_ERROR(check_flat(e, op, 0));
  ir_type_t type = ir_result(op, 0)->type;
  LLVMTypeRef storage = emit_storage_type(e, type);
  LLVMValueRef base = element_pointer(e, op, 0, 1);
  LLVMValueRef indices = emit_operand(e, op, 2);
  LLVMValueRef pointers =
      LLVMBuildGEP2(e->builder, LLVMGetElementType(storage), base, &indices, 1, "");
  LLVMTypeRef overloads[] = {storage, LLVMTypeOf(pointers)};
  LLVMValueRef pass = emit_to_storage(e, emit_operand(e, op, 4), type);
  LLVMValueRef args[4] = {pointers, emit_operand(e, op, 3), pass, NULL};
  LLVMValueRef gathered = emit_intrinsic(e, "llvm.masked.gather", overloads, 2, args, 3);
  unsigned align_kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAddCallSiteAttribute(gathered, 1,
                           LLVMCreateEnumAttribute(e->context, align_kind, storage_bytes(type)));
  emit_set_result(e, op, emit_from_storage(e, gathered, type));
  return iree_ok_status();
}

// vector.scatter: base, start index, index vector, mask, value.
static iree_status_t emit_scatter(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  IREE_RETURN_IF_ERROR(check_flat(e, op, 0));
  ir_type_t type = ir_operand(op, 4)->type;
  LLVMValueRef bits = emit_to_storage(e, emit_operand(e, op, 4), type);
  LLVMValueRef base = element_pointer(e, op, 0, 1);
  LLVMValueRef indices = emit_operand(e, op, 2);
  LLVMTypeRef scalar = emit_llvm_scalar(LLVMTypeOf(bits));
  LLVMValueRef pointers = LLVMBuildGEP2(e->builder, scalar, base, &indices, 1, "");
  LLVMTypeRef overloads[] = {LLVMTypeOf(bits), LLVMTypeOf(pointers)};
  LLVMValueRef args[3] = {bits, pointers, emit_operand(e, op, 3)};
  LLVMValueRef call = emit_intrinsic(e, "llvm.masked.scatter", overloads, 2, args, 3);
  unsigned align_kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAddCallSiteAttribute(call, 2,
                           LLVMCreateEnumAttribute(e->context, align_kind, storage_bytes(type)));
  return iree_ok_status();
}

static iree_status_t emit_alloca(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_type_t type = ir_result(op, 0)->type;
  int64_t count = ir_type_n_elements(type);
  if (count < 0 || op->n_operands) return emit_error(e, op, "needs a static size");
  LLVMTypeRef array =
      LLVMArrayType2(emit_storage_type(e, ir_type_element(type)), (uint64_t)(count ? count : 1));
  // In the entry block: one slot however often the op runs.
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first) {
    LLVMPositionBuilderBefore(e->builder, first);
  } else {
    LLVMPositionBuilderAtEnd(e->builder, entry);
  }
  LLVMValueRef slot = LLVMBuildAlloca(e->builder, array, "");
  LLVMSetAlignment(slot, 64);
  LLVMPositionBuilderAtEnd(e->builder, here);
  emit_set_result(e, op, slot);
  return iree_ok_status();
}

static LLVMValueRef constant_bits(emit_t *e, ir_type_t element, const uint8_t *p) {
  uint64_t bits = 0;
  size_t bytes = ir_type_storage_bytes(element);
  for (size_t i = 0; i < bytes && i < 8; ++i) bits |= (uint64_t)p[i] << (8 * i);
  LLVMTypeRef storage = emit_storage_type(e, element);
  if (LLVMGetTypeKind(storage) == LLVMIntegerTypeKind) return LLVMConstInt(storage, bits, 0);
  return LLVMConstBitCast(LLVMConstInt(emit_int_like(storage), bits, 0), storage);
}

// The bytes of a memref.global: raw, so that large constants are not built element by element.
static LLVMValueRef global_initializer(emit_t *e, ir_attr_t value) {
  ir_type_t element = ir_type_element(ir_dense_type(value));
  int64_t count = ir_type_n_elements(ir_dense_type(value));
  if (ir_dense_is_splat(value)) {
    LLVMValueRef one = constant_bits(e, element, ir_dense_data(value));
    LLVMValueRef *all = calloc((size_t)count + 1, sizeof(*all));
    if (!all) abort();
    for (int64_t i = 0; i < count; ++i) all[i] = one;
    LLVMValueRef array = LLVMConstArray2(LLVMTypeOf(one), all, (uint64_t)count);
    free(all);
    return array;
  }
  return LLVMConstStringInContext2(e->context, ir_dense_data(value), ir_dense_bytes(value), 1);
}

static iree_status_t emit_get_global(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_attr_t name = ir_op_attr(op, "name");
  iree_string_view_t leaf = ir_symref_leaf(name);
  ir_op_t *global = emit_find_symbol(e->module_op, leaf);
  ir_attr_t value = global ? ir_op_attr(global, "initial_value") : NULL;
  if (!ir_is(value, IR_A_DENSE)) return emit_error(e, op, "names no constant");
  char symbol[256];
  size_t length = leaf.size < sizeof(symbol) - 1 ? leaf.size : sizeof(symbol) - 1;
  memcpy(symbol, leaf.data, length);
  symbol[length] = 0;
  LLVMValueRef data = LLVMGetNamedGlobal(e->module, symbol);
  if (!data) {
    LLVMValueRef bytes = global_initializer(e, value);
    data = LLVMAddGlobal(e->module, LLVMTypeOf(bytes), symbol);
    LLVMSetInitializer(data, bytes);
    LLVMSetGlobalConstant(data, 1);
    LLVMSetLinkage(data, LLVMInternalLinkage);
    LLVMSetAlignment(data, 64);
  }
  emit_set_result(e, op, data);
  return iree_ok_status();
}

static iree_status_t emit_pass(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  for (size_t i = 0; i < op->n_results; ++i) emit_set(e, ir_result(op, i), emit_operand(e, op, i));
  return iree_ok_status();
}

static iree_status_t emit_nothing(emit_t *e, const ir_op_t *op, int param) {
  (void)e, (void)op, (void)param;
  return iree_ok_status();
}

//===-- vectors ------------------------------------------------------------------------------------

static iree_status_t emit_broadcast(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMValueRef value = emit_operand(e, op, 0);
  if (!emit_llvm_lanes(LLVMTypeOf(value))) {
    value = emit_splat(e, value, emit_lanes(ir_result(op, 0)->type));
  }
  emit_set_result(e, op, value);
  return iree_ok_status();
}

static iree_status_t emit_step(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMValueRef lanes[256];
  unsigned count = emit_lanes(ir_result(op, 0)->type);
  if (count > 256) return emit_error(e, op, "has more than 256 lanes");
  for (unsigned i = 0; i < count; ++i) lanes[i] = LLVMConstInt(e->i64, i, 0);
  emit_set_result(e, op, LLVMConstVector(lanes, count));
  return iree_ok_status();
}

// vector.extract with one static or dynamic position.
static iree_status_t emit_extract(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_attr_t positions = ir_op_attr(op, "static_position");
  LLVMValueRef index = NULL;
  if (op->n_operands > 1) {
    index = emit_operand(e, op, 1);
  } else if (positions && positions->n_ints) {
    index = LLVMConstInt(e->i64, (uint64_t)ir_int(positions, 0), 0);
  }
  if (!index) return emit_error(e, op, "needs one position");
  emit_set_result(e, op, LLVMBuildExtractElement(e->builder, emit_operand(e, op, 0), index, ""));
  return iree_ok_status();
}

// Combines the lanes by halves; the tree is fixed, so results do not depend on the target.
static LLVMValueRef reduce_halves(emit_t *e, LLVMValueRef v, ir_type_t type,
                                  LLVMValueRef (*combine)(emit_t *, LLVMValueRef, LLVMValueRef,
                                                          int),
                                  int param) {
  unsigned lanes = emit_llvm_lanes(LLVMTypeOf(v));
  while (lanes > 1) {
    unsigned half = (lanes + 1) / 2;
    if (lanes % 2) break;
    LLVMValueRef low[128], high[128];
    for (unsigned i = 0; i < half; ++i) {
      low[i] = LLVMConstInt(e->i32, i, 0);
      high[i] = LLVMConstInt(e->i32, i + half, 0);
    }
    LLVMValueRef poison = LLVMGetPoison(LLVMTypeOf(v));
    LLVMValueRef a = LLVMBuildShuffleVector(e->builder, v, poison, LLVMConstVector(low, half), "");
    LLVMValueRef b = LLVMBuildShuffleVector(e->builder, v, poison, LLVMConstVector(high, half), "");
    v = emit_finish_float(e, combine(e, a, b, param), type);
    lanes = half;
  }
  LLVMValueRef result = LLVMBuildExtractElement(e->builder, v, LLVMConstInt(e->i64, 0, 0), "");
  for (unsigned i = 1; i < lanes; ++i) {
    LLVMValueRef lane = LLVMBuildExtractElement(e->builder, v, LLVMConstInt(e->i64, i, 0), "");
    result = emit_finish_float(e, combine(e, result, lane, param), type);
  }
  return result;
}

LLVMValueRef emit_combine(emit_t *e, LLVMValueRef a, LLVMValueRef b, int kind);
int emit_combine_kind(iree_string_view_t name, bool is_float);

static iree_status_t emit_reduction(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_attr_t kind_attr = ir_op_attr(op, "kind");
  iree_string_view_t name = iree_string_view_empty();
  // Printed as #vector.kind<add>, or <add> in the op's own form.
  while (kind_attr && kind_attr->n_kids) kind_attr = ir_kid(kind_attr, 0);
  if (kind_attr) name = iree_make_string_view(ir_bytes(kind_attr), kind_attr->n_bytes);
  ir_type_t type = ir_result(op, 0)->type;
  int kind = emit_combine_kind(name, ir_type_is_float(type));
  if (kind < 0) return emit_error(e, op, "has an unknown combining kind");
  LLVMValueRef result = reduce_halves(e, emit_operand(e, op, 0), type, emit_combine, kind);
  if (op->n_operands > 1) {
    result = emit_finish_float(e, emit_combine(e, emit_operand(e, op, 1), result, kind), type);
  }
  emit_set_result(e, op, result);
  return iree_ok_status();
}

static const emit_row_t rows[] = {
    {"hal.interface.binding.subspan", emit_subspan, 0},
    {"hal.interface.constant.load", emit_constant_load, 0},
    {"hal.interface.workgroup.id", emit_coordinate, COORDINATE_ID},
    {"hal.interface.workgroup.count", emit_coordinate, COORDINATE_COUNT},
    {"hal.interface.workgroup.size", emit_coordinate, COORDINATE_SIZE},
    {"memref.load", emit_load, 0},
    {"memref.store", emit_store, 0},
    {"memref.alloca", emit_alloca, 0},
    {"memref.get_global", emit_get_global, 0},
    {"memref.assume_alignment", emit_pass, 0},
    {"util.assume.int", emit_pass, 0},
    {"util.optimization_barrier", emit_pass, 0},
    {"iree_tensor_ext.dispatch.workload.ordinal", emit_pass, 0},
    {"vector.load", emit_load, 0},
    {"vector.store", emit_store, 0},
    {"vector.gather", emit_gather, 0},
    {"vector.scatter", emit_scatter, 0},
    {"vector.broadcast", emit_broadcast, 0},
    {"vector.splat", emit_broadcast, 0},
    {"vector.step", emit_step, 0},
    {"vector.extract", emit_extract, 0},
    {"vector.reduction", emit_reduction, 0},
    {"memref.dealloc", emit_nothing, 0},
};
const emit_table_t emit_memory_table = {rows, sizeof(rows) / sizeof(rows[0])};
