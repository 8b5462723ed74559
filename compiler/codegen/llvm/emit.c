// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over a scheduled kernel: values, types, structured control flow.
#include "compiler/codegen/llvm/emit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/llvm/library.h"

//===-- values -------------------------------------------------------------------------------------

LLVMValueRef emit_value(emit_t *e, const ir_value_t *value) { return e->values[value->mark]; }

LLVMValueRef emit_operand(emit_t *e, const ir_op_t *op, size_t i) {
  return emit_value(e, ir_operand(op, i));
}

void emit_set(emit_t *e, const ir_value_t *value, LLVMValueRef llvm) {
  if (e->value_count == e->value_capacity) {
    e->value_capacity = e->value_capacity * 2 + 256;
    e->values = realloc(e->values, e->value_capacity * sizeof(*e->values));
    if (!e->values) abort();
  }
  ((ir_value_t *)value)->mark = (uint32_t)e->value_count;
  e->values[e->value_count++] = llvm;
}

void emit_set_result(emit_t *e, const ir_op_t *op, LLVMValueRef llvm) {
  emit_set(e, ir_result(op, 0), llvm);
}

ir_op_t *emit_find_symbol(const ir_op_t *table, iree_string_view_t name) {
  for (ir_op_t *op = ir_body(table) ? ir_body(table)->first : NULL; op; op = op->next) {
    if (ir_op_has_trait(op, IR_SYMBOL) && iree_string_view_equal(ir_op_sym_name(op), name))
      return op;
  }
  return NULL;
}

iree_status_t emit_error(emit_t *e, const ir_op_t *op, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  e->failed_op = op;
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "%s", text);
}

//===-- types --------------------------------------------------------------------------------------

unsigned emit_lanes(ir_type_t type) {
  if (!ir_is(type, IR_T_VECTOR)) return 0;
  int64_t lanes = ir_type_n_elements(type);
  return lanes > 0 ? (unsigned)lanes : 0;
}

LLVMTypeRef emit_shape_like(LLVMTypeRef scalar, unsigned lanes) {
  return lanes ? LLVMVectorType(scalar, lanes) : scalar;
}

bool emit_is_narrow_float(ir_type_t type) {
  ir_type_t element = ir_type_element(type);
  return ir_type_is_float(element) && ir_float_bits(ir_float_kind(element)) < 32;
}

static LLVMTypeRef scalar_type(emit_t *e, ir_type_t type) {
  if (ir_is(type, IR_T_INDEX)) return e->i64;
  if (ir_is(type, IR_T_INTEGER)) return LLVMIntTypeInContext(e->context, ir_type_width(type));
  if (!ir_type_is_float(type)) return NULL;
  ir_float_t kind = ir_float_kind(type);
  if (kind == IR_F64) return e->f64;
  return ir_float_bits(kind) <= 32 ? e->f32 : NULL;
}

LLVMTypeRef emit_type(emit_t *e, ir_type_t type) {
  if (ir_is(type, IR_T_MEMREF)) return e->pointer;
  LLVMTypeRef scalar = scalar_type(e, ir_type_element(type));
  return scalar ? emit_shape_like(scalar, emit_lanes(type)) : NULL;
}

LLVMTypeRef emit_storage_type(emit_t *e, ir_type_t type) {
  ir_type_t element = ir_type_element(type);
  LLVMTypeRef scalar = scalar_type(e, element);
  if (!scalar) return NULL;
  unsigned width = ir_is(element, IR_T_INDEX) ? 64 : ir_type_width(element);
  if (emit_is_narrow_float(element) || ir_is(element, IR_T_INTEGER)) {
    scalar = LLVMIntTypeInContext(e->context, (width + 7) / 8 * 8);
  }
  return emit_shape_like(scalar, emit_lanes(type));
}

LLVMTypeRef emit_int_like(LLVMTypeRef like) {
  LLVMTypeRef scalar = emit_llvm_scalar(like);
  LLVMContextRef context = LLVMGetTypeContext(like);
  unsigned bits = LLVMGetTypeKind(scalar) == LLVMDoubleTypeKind  ? 64
                  : LLVMGetTypeKind(scalar) == LLVMFloatTypeKind ? 32
                                                                 : LLVMGetIntTypeWidth(scalar);
  return emit_shape_like(LLVMIntTypeInContext(context, bits), emit_llvm_lanes(like));
}

//===-- helpers ------------------------------------------------------------------------------------

LLVMValueRef emit_splat(emit_t *e, LLVMValueRef scalar, unsigned lanes) {
  if (!lanes) return scalar;
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), lanes);
  if (LLVMIsConstant(scalar)) {
    LLVMValueRef elements[256];
    for (unsigned i = 0; i < lanes && i < 256; ++i) elements[i] = scalar;
    return LLVMConstVector(elements, lanes);
  }
  LLVMValueRef one = LLVMBuildInsertElement(e->builder, LLVMGetPoison(type), scalar,
                                            LLVMConstInt(e->i64, 0, 0), "");
  LLVMValueRef mask = LLVMConstNull(LLVMVectorType(e->i32, lanes));
  return LLVMBuildShuffleVector(e->builder, one, LLVMGetPoison(type), mask, "");
}

static LLVMValueRef constant_like(LLVMTypeRef like, LLVMValueRef scalar) {
  unsigned lanes = emit_llvm_lanes(like);
  if (!lanes) return scalar;
  LLVMValueRef elements[256];
  for (unsigned i = 0; i < lanes && i < 256; ++i) elements[i] = scalar;
  return LLVMConstVector(elements, lanes);
}

LLVMValueRef emit_int(LLVMTypeRef like, uint64_t value) {
  return constant_like(like, LLVMConstInt(emit_llvm_scalar(like), value, 0));
}

LLVMValueRef emit_real(LLVMTypeRef like, double value) {
  return constant_like(like, LLVMConstReal(emit_llvm_scalar(like), value));
}

LLVMValueRef emit_intrinsic(emit_t *e, const char *name, LLVMTypeRef *overloads, size_t n_overloads,
                            LLVMValueRef *args, size_t n_args) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module, id, overloads, n_overloads);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  return LLVMBuildCall2(e->builder, type, function, args, (unsigned)n_args, "");
}

LLVMValueRef emit_intrinsic1(emit_t *e, const char *name, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(x);
  return emit_intrinsic(e, name, &type, 1, &x, 1);
}

LLVMValueRef emit_intrinsic2(emit_t *e, const char *name, LLVMValueRef x, LLVMValueRef y) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef args[] = {x, y};
  return emit_intrinsic(e, name, &type, 1, args, 2);
}

LLVMValueRef emit_intrinsic3(emit_t *e, const char *name, LLVMValueRef x, LLVMValueRef y,
                             LLVMValueRef z) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef args[] = {x, y, z};
  return emit_intrinsic(e, name, &type, 1, args, 3);
}

LLVMValueRef emit_fma(emit_t *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
  // Without the instruction, llvm.fma would be a library call.
  if (e->target->has_fma) return emit_intrinsic3(e, "llvm.fma", a, b, c);
  return LLVMBuildFAdd(e->builder, LLVMBuildFMul(e->builder, a, b, ""), c, "");
}

//===-- control flow -------------------------------------------------------------------------------

static LLVMBasicBlockRef new_block(emit_t *e) {
  return LLVMAppendBasicBlockInContext(e->context, e->function, "");
}

static iree_status_t unsupported_type(emit_t *e, const ir_op_t *op) {
  return emit_error(e, op, "has a type that the CPU code generator does not support");
}

// scf.for: operands lower, upper, step, initial values; body(iv, values) ends in scf.yield. Bounds
// are signed.
static iree_status_t emit_for(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMBuilderRef b = e->builder;
  const ir_block_t *body = ir_body(op);
  LLVMValueRef lower = emit_operand(e, op, 0), upper = emit_operand(e, op, 1);
  LLVMValueRef step = emit_operand(e, op, 2);
  LLVMBasicBlockRef preheader = LLVMGetInsertBlock(b);
  LLVMBasicBlockRef loop = new_block(e), exit = new_block(e);
  LLVMValueRef enters = LLVMBuildICmp(b, LLVMIntSLT, lower, upper, "");
  LLVMBuildCondBr(b, enters, loop, exit);
  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef iv = LLVMBuildPhi(b, LLVMTypeOf(lower), "");
  LLVMAddIncoming(iv, &lower, &preheader, 1);
  emit_set(e, body->args[0], iv);
  size_t n = op->n_results;
  LLVMValueRef *phis = calloc(n + 1, sizeof(*phis));
  if (!phis) abort();
  for (size_t i = 0; i < n; ++i) {
    LLVMValueRef init = emit_operand(e, op, 3 + i);
    phis[i] = LLVMBuildPhi(b, LLVMTypeOf(init), "");
    LLVMAddIncoming(phis[i], &init, &preheader, 1);
    emit_set(e, body->args[1 + i], phis[i]);
  }
  iree_status_t status = emit_block(e, body);
  if (!iree_status_is_ok(status)) {
    free(phis);
    return status;
  }
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(b);
  LLVMValueRef next = LLVMBuildNSWAdd(b, iv, step, "");
  LLVMValueRef again = LLVMBuildICmp(b, LLVMIntSLT, next, upper, "");
  LLVMAddIncoming(iv, &next, &latch, 1);
  LLVMValueRef *yields = calloc(n + 1, sizeof(*yields));
  if (!yields) abort();
  for (size_t i = 0; i < n; ++i) {
    yields[i] = emit_operand(e, body->last, i);
    LLVMAddIncoming(phis[i], &yields[i], &latch, 1);
  }
  LLVMBuildCondBr(b, again, loop, exit);
  LLVMPositionBuilderAtEnd(b, exit);
  for (size_t i = 0; i < n; ++i) {
    LLVMValueRef init = emit_operand(e, op, 3 + i);
    LLVMValueRef result = LLVMBuildPhi(b, LLVMTypeOf(init), "");
    LLVMValueRef incoming[] = {init, yields[i]};
    LLVMBasicBlockRef from[] = {preheader, latch};
    LLVMAddIncoming(result, incoming, from, 2);
    emit_set(e, ir_result(op, i), result);
  }
  free(phis);
  free(yields);
  return iree_ok_status();
}

static iree_status_t emit_if(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMBuilderRef b = e->builder;
  const ir_block_t *bodies[2] = {ir_region(op, 0)->first,
                                 op->n_regions > 1 ? ir_region(op, 1)->first : NULL};
  LLVMBasicBlockRef blocks[2] = {new_block(e), NULL}, exit = new_block(e);
  blocks[1] = bodies[1] ? new_block(e) : exit;
  LLVMBuildCondBr(b, emit_operand(e, op, 0), blocks[0], blocks[1]);
  LLVMValueRef *incoming = calloc(2 * op->n_results + 1, sizeof(*incoming));
  if (!incoming) abort();
  LLVMBasicBlockRef ends[2] = {NULL, NULL};
  for (int side = 0; side < 2; ++side) {
    if (!bodies[side]) continue;
    LLVMPositionBuilderAtEnd(b, blocks[side]);
    iree_status_t status = emit_block(e, bodies[side]);
    if (!iree_status_is_ok(status)) {
      free(incoming);
      return status;
    }
    for (size_t i = 0; i < op->n_results; ++i) {
      incoming[2 * i + (size_t)side] = emit_operand(e, bodies[side]->last, i);
    }
    ends[side] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, exit);
  }
  LLVMPositionBuilderAtEnd(b, exit);
  for (size_t i = 0; i < op->n_results; ++i) {
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(incoming[2 * i]), "");
    LLVMAddIncoming(phi, incoming + 2 * i, ends, 2);
    emit_set(e, ir_result(op, i), phi);
  }
  free(incoming);
  return iree_ok_status();
}

// scf.while: before(values) ends in scf.condition(cond, forwarded); after(forwarded) in scf.yield.
static iree_status_t emit_while(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMBuilderRef b = e->builder;
  const ir_block_t *before = ir_region(op, 0)->first, *after = ir_region(op, 1)->first;
  LLVMBasicBlockRef preheader = LLVMGetInsertBlock(b);
  LLVMBasicBlockRef head = new_block(e), body = new_block(e), exit = new_block(e);
  LLVMBuildBr(b, head);
  LLVMPositionBuilderAtEnd(b, head);
  for (size_t i = 0; i < before->n_args; ++i) {
    LLVMValueRef init = emit_operand(e, op, i);
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(init), "");
    LLVMAddIncoming(phi, &init, &preheader, 1);
    emit_set(e, before->args[i], phi);
  }
  IREE_RETURN_IF_ERROR(emit_block(e, before));
  LLVMBuildCondBr(b, emit_operand(e, before->last, 0), body, exit);
  for (size_t i = 0; i < op->n_results; ++i) {
    LLVMValueRef forwarded = emit_operand(e, before->last, 1 + i);
    emit_set(e, after->args[i], forwarded);
    emit_set(e, ir_result(op, i), forwarded);
  }
  LLVMPositionBuilderAtEnd(b, body);
  IREE_RETURN_IF_ERROR(emit_block(e, after));
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(b);
  for (size_t i = 0; i < before->n_args; ++i) {
    LLVMValueRef next = emit_operand(e, after->last, i);
    LLVMAddIncoming(emit_value(e, before->args[i]), &next, &latch, 1);
  }
  LLVMBuildBr(b, head);
  LLVMPositionBuilderAtEnd(b, exit);
  return iree_ok_status();
}

static const emit_row_t control_rows[] = {
    {"scf.for", emit_for, 0},
    {"scf.if", emit_if, 0},
    {"scf.while", emit_while, 0},
};

//===-- walk ---------------------------------------------------------------------------------------

iree_status_t emit_block(emit_t *e, const ir_block_t *block) {
  for (const ir_op_t *op = block->first; op; op = op->next) {
    if (ir_op_has_trait(op, IR_TERMINATOR)) break;
    const emit_row_t *row = op->kind < e->kind_count ? e->rows_by_kind[op->kind] : NULL;
    if (!row) return emit_error(e, op, "has no translation for CPUs");
    for (size_t i = 0; i < op->n_results; ++i) {
      if (!emit_type(e, ir_result(op, i)->type)) return unsupported_type(e, op);
    }
    IREE_RETURN_IF_ERROR(row->emit(e, op, row->param));
  }
  return iree_ok_status();
}

static void index_rows(emit_t *e) {
  const emit_table_t tables[] = {
      {control_rows, sizeof(control_rows) / sizeof(control_rows[0])},
      emit_memory_table,
      emit_arith_table,
      emit_math_table,
  };
  e->kind_count = ir_ctx_tables(e->ir)->n_ops;
  e->rows_by_kind = calloc(e->kind_count + 1, sizeof(*e->rows_by_kind));
  if (!e->rows_by_kind) abort();
  for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); ++t) {
    for (size_t r = 0; r < tables[t].count; ++r) {
      ir_kind_t kind = ir_kind_lookup(e->ir, iree_make_cstring_view(tables[t].rows[r].op));
      if (kind) e->rows_by_kind[kind] = &tables[t].rows[r];
    }
  }
}

iree_status_t emit_kernel(const emit_params_t *params, const ir_op_t *func, const char *name,
                          LLVMValueRef *out_function, const ir_op_t **out_failed_op) {
  *out_function = NULL;
  *out_failed_op = NULL;
  LLVMContextRef c = LLVMGetModuleContext(params->module);
  emit_t e = {
      .ir = params->ir,
      .target = params->target,
      .allow_contract = params->allow_contract,
      .context = c,
      .module = params->module,
      .module_op = params->module_op,
      .builder = LLVMCreateBuilderInContext(c),
      .i1 = LLVMInt1TypeInContext(c),
      .i8 = LLVMInt8TypeInContext(c),
      .i16 = LLVMInt16TypeInContext(c),
      .i32 = LLVMInt32TypeInContext(c),
      .i64 = LLVMInt64TypeInContext(c),
      .f32 = LLVMFloatTypeInContext(c),
      .f64 = LLVMDoubleTypeInContext(c),
      .pointer = LLVMPointerTypeInContext(c, 0),
  };
  index_rows(&e);
  e.function = LLVMAddFunction(params->module, name, llvm_kernel_type(c));
  LLVMSetLinkage(e.function, LLVMInternalLinkage);
  llvm_set_function_attributes(e.function, false);
  LLVMPositionBuilderAtEnd(e.builder, LLVMAppendBasicBlockInContext(c, e.function, ""));
  iree_status_t status = emit_block(&e, ir_body(func));
  LLVMBuildRet(e.builder, LLVMConstInt(e.i32, 0, 0));
  LLVMDisposeBuilder(e.builder);
  free(e.values);
  free(e.rows_by_kind);
  *out_failed_op = e.failed_op;
  if (iree_status_is_ok(status)) *out_function = e.function;
  return status;
}
