// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a scheduled kernel (scf, memref, vector, arith, math on flat buffers) to LLVM IR, one
// op at a time and one to one. All decisions were made above: this half has none but instruction
// idioms.
//
//   value      kept in registers as
//   index      i64
//   iN         iN (i1 in memory: one byte, 0 or 1)
//   f32, f64   float, double
//   narrower   float holding a value of the format: every operation computes in f32 and rounds to
//   the
//              format; memory holds the format's bits
//   vector     <N x element>
//   memref     pointer to its first element: scheduled kernels index flat buffers
#ifndef IREE_COMPILER_CODEGEN_LLVM_EMIT_H_
#define IREE_COMPILER_CODEGEN_LLVM_EMIT_H_

#include <llvm-c/Core.h>

#include "compiler/codegen/target.h"
#include "compiler/ir/ir.h"

typedef struct emit_t emit_t;

// One row of the emitter: an op and how it is translated. |param| is the function's own.
typedef struct {
  const char *op;
  iree_status_t (*emit)(emit_t *e, const ir_op_t *op, int param);
  int param;
} emit_row_t;

typedef struct {
  const emit_row_t *rows;
  size_t count;
} emit_table_t;

struct emit_t {
  ir_ctx_t *ir;
  const codegen_target_t *target;
  bool allow_contract;  // a multiply and an add may become one fused operation
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, pointer;
  LLVMValueRef *values;  // by ir_value_t.mark
  size_t value_count, value_capacity;
  const emit_row_t **rows_by_kind;
  size_t kind_count;
  // The last argument that math_reduce.c reduced, for the next function of it in |block|.
  struct {
    LLVMValueRef x, r, quadrant;
    LLVMBasicBlockRef block;
  } reduced;
  const ir_op_t *module_op;  // where symbols are looked up
  const ir_op_t *failed_op;  // of the first error
};

// An error about |op|. Kernels are emitted on several threads: only the caller of all reports it.
iree_status_t emit_error(emit_t *e, const ir_op_t *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The op called |name| among the children of |table|'s body; reads only, unlike ir_symbol_lookup.
ir_op_t *emit_find_symbol(const ir_op_t *table, iree_string_view_t name);

// Values.
LLVMValueRef emit_value(emit_t *e, const ir_value_t *value);
LLVMValueRef emit_operand(emit_t *e, const ir_op_t *op, size_t i);
void emit_set(emit_t *e, const ir_value_t *value, LLVMValueRef llvm);
void emit_set_result(emit_t *e, const ir_op_t *op, LLVMValueRef llvm);
iree_status_t emit_block(emit_t *e, const ir_block_t *block);  // all ops but the terminator

// Types. |lanes| 0 means scalar.
LLVMTypeRef emit_type(emit_t *e, ir_type_t type);          // in registers; NULL if unsupported
LLVMTypeRef emit_storage_type(emit_t *e, ir_type_t type);  // in memory
unsigned emit_lanes(ir_type_t type);                       // of a vector; 0 for a scalar
LLVMTypeRef emit_shape_like(LLVMTypeRef scalar, unsigned lanes);
static inline unsigned emit_llvm_lanes(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
}
static inline LLVMTypeRef emit_llvm_scalar(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}
bool emit_is_narrow_float(ir_type_t type);  // element kept as f32 but not f32 itself

// Constants and small helpers; |like| gives scalar or vector shape.
LLVMValueRef emit_splat(emit_t *e, LLVMValueRef scalar, unsigned lanes);
LLVMValueRef emit_int(LLVMTypeRef like, uint64_t value);
LLVMValueRef emit_real(LLVMTypeRef like, double value);
LLVMValueRef emit_intrinsic(emit_t *e, const char *name, LLVMTypeRef *overloads, size_t n_overloads,
                            LLVMValueRef *args, size_t n_args);
LLVMValueRef emit_intrinsic1(emit_t *e, const char *name, LLVMValueRef x);
LLVMValueRef emit_intrinsic2(emit_t *e, const char *name, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef emit_intrinsic3(emit_t *e, const char *name, LLVMValueRef x, LLVMValueRef y,
                             LLVMValueRef z);
LLVMTypeRef emit_int_like(LLVMTypeRef like);  // integers of equal width, scalar or vector
LLVMValueRef emit_fma(emit_t *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);  // a * b + c

// Narrow floats (emit_float.c).
LLVMValueRef emit_round_to_format(emit_t *e, LLVMValueRef f32_value, ir_float_t format);
LLVMValueRef emit_format_decode(emit_t *e, LLVMValueRef bits, ir_float_t format);  // storage -> f32
LLVMValueRef emit_format_encode(emit_t *e, LLVMValueRef f32_value, ir_float_t format);
// Storage bits of |value| of IR type |type| and back (identity for wide types).
LLVMValueRef emit_to_storage(emit_t *e, LLVMValueRef value, ir_type_t type);
LLVMValueRef emit_from_storage(emit_t *e, LLVMValueRef bits, ir_type_t type);
// Rounds a freshly computed |value| when |type| is narrow.
LLVMValueRef emit_finish_float(emit_t *e, LLVMValueRef value, ir_type_t type);

// Tables of the other files.
extern const emit_table_t emit_memory_table, emit_arith_table, emit_math_table;

// Emits function op |func| of |module_op| as kernel |name| into |module|.
//   errors:  UNIMPLEMENTED  an op or type without a translation; |out_failed_op| is that op
typedef struct {
  ir_ctx_t *ir;
  const codegen_target_t *target;
  LLVMModuleRef module;
  const ir_op_t *module_op;
  bool allow_contract;
} emit_params_t;
iree_status_t emit_kernel(const emit_params_t *params, const ir_op_t *func, const char *name,
                          LLVMValueRef *out_function, const ir_op_t **out_failed_op);

#endif  // IREE_COMPILER_CODEGEN_LLVM_EMIT_H_
