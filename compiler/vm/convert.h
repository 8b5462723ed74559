// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code to vm ops: what the files convert_*.c share.
//
//   convert_module.c  functions, globals, initializers, blocks; calls the op conversions
//   convert_arith.c   arith and math on scalars
//   convert_hal.c     hal ops as calls of the hal module, by a table
//   convert_util.c    util and cf ops
//   convert_check.c   check ops as calls
//   convert_parameters.c  io_parameters ops as calls, their tables as read-only data
//   convert_kernel.c  what only kernels have (kernel.h)
//   imports.c         declarations and calls of imported functions
//
// Types: index and i64 -> i64; i1, i8, i16, i32 -> i32; f32, f64; !hal.x -> !vm.ref<!hal.x>;
// !util.buffer -> !vm.buffer; !util.list<T> -> !vm.list<T>. Integers narrower than their register
// are kept zero-extended.
#ifndef COMPILER_VM_CONVERT_H_
#define COMPILER_VM_CONVERT_H_

#include "compiler/pass.h"

typedef struct vm_convert vm_convert_t;
typedef iree_status_t (*vm_convert_fn_t)(vm_convert_t *c, ir_op_t *op);

struct vm_convert {
  pass_t *pass;
  ir_ctx_t *ctx;
  ir_op_t *source, *vm_module;
  ir_block_t *body;                      // of the vm.module
  const vm_convert_fn_t *fns;            // by op kind
  ir_map_t *imports, *rodata, *symbols;  // module-wide
  uint32_t n_strings;
  // Of the function at hand.
  ir_op_t *func;
  ir_map_t *values, *blocks, *constants, *fails;
  ir_map_t *rodata_values;  // symbol -> its buffer in |rodata_block|
  ir_block_t *rodata_block;
  ir_op_t *last_constant;  // constants stand at the entry's start
  ir_builder_t b;          // where code goes
  ir_block_t *return_to;   // of initializers: what a return branches to
};

// ---- types and values
// errors: INVALID_ARGUMENT  the virtual machine has no such type (message at |op|)
iree_status_t vm_convert_type(vm_convert_t *c, const ir_op_t *op, ir_type_t type,
                              ir_type_t *out_type);
ir_value_t *vm_mapped(vm_convert_t *c, const ir_value_t *old);  // the vm value of |old|
void vm_map(vm_convert_t *c, const ir_value_t *old, ir_value_t *value);
ir_value_t *vm_i32(vm_convert_t *c, int32_t value);
ir_value_t *vm_i64(vm_convert_t *c, int64_t value);
ir_value_t *vm_const(vm_convert_t *c, ir_attr_t value);  // of an integer or float attribute
ir_value_t *vm_null(vm_convert_t *c, ir_type_t type);
// One op with up to three operands (NULL ends them) and one result.
ir_value_t *vm_op(vm_convert_t *c, op_kind_t kind, ir_type_t result, ir_value_t *x, ir_value_t *y,
                  ir_value_t *z);
// Widens with zeros or truncates between i32 and i64.
ir_value_t *vm_resize(vm_convert_t *c, ir_value_t *v, ir_type_t type);
bool vm_is_null(const ir_value_t *v);

// ---- constants in the module
// A buffer over read-only bytes: a string, or any attribute with bytes. |hint| names it, |mime| may
// be NULL.
ir_value_t *vm_rodata(vm_convert_t *c, ir_attr_t value, const char *hint, ir_attr_t mime,
                      int64_t alignment);
static inline ir_value_t *vm_string(vm_convert_t *c, ir_attr_t text) {
  return vm_rodata(c, text, NULL, NULL, 1);
}

// ---- memory: |element| counts elements of the value's type
iree_status_t vm_load(vm_convert_t *c, ir_op_t *op, ir_value_t *buffer, ir_value_t *element);
void vm_store(vm_convert_t *c, const ir_value_t *old, ir_value_t *buffer, ir_value_t *element);

// ---- imports
typedef struct vm_import_row {
  const char *name, *cconv, *arguments, *results;
  int minimum_version;
  char effect;  // N none, P pure, Y may yield
} vm_import_row_t;
enum { VM_MAX_GROUPS = 32 };
typedef struct vm_call {
  const vm_import_row_t *row;
  ir_op_t *import;
  ir_type_t type;  // of the function
  ir_value_t **operands;
  uint32_t n_operands, operand_cap;
  int64_t sizes[VM_MAX_GROUPS];  // -1: one operand; else entries of a list
  uint32_t n_groups;
} vm_call_t;
// |name| is that of a row of abi/hal_imports.def, or of another module's, with the module.
void vm_call_begin(vm_convert_t *c, vm_call_t *call, const char *name);
ir_type_t vm_call_next_type(const vm_call_t *call);  // of the next group (a list: of its elements)
void vm_call_arg(vm_convert_t *c, vm_call_t *call, ir_value_t *v);  // resized to the parameter
void vm_call_list(vm_call_t *call, uint32_t n_entries);  // then vm_call_push for every member
void vm_call_push(vm_convert_t *c, vm_call_t *call, ir_value_t *v);
// Results: of the call, or the arguments of the block where a call that may yield continues.
ir_value_t *vm_call_end(vm_convert_t *c, vm_call_t *call, uint32_t result);

// ---- control flow
ir_block_t *vm_split_here(
    vm_convert_t *c);  // a new block after the current one; code still goes to the old one
void vm_continue_in(vm_convert_t *c, ir_block_t *block);
void vm_fail(vm_convert_t *c, ir_value_t *status, ir_attr_t message);  // ends the block
// Fails with |status| and |message| where it is not zero and goes on otherwise. |told|, two i64 values that
// people would like to know then, or NULL.
void vm_check(vm_convert_t *c, ir_value_t *status, ir_attr_t message, ir_value_t *const *told);

// Rows of several tables: results are the operands; nothing is left of the op.
iree_status_t vm_convert_same(vm_convert_t *c, ir_op_t *op);
iree_status_t vm_convert_nothing(vm_convert_t *c, ir_op_t *op);
void vm_register_arith(vm_convert_fn_t *fns);
void vm_register_hal(vm_convert_fn_t *fns);
void vm_register_util(vm_convert_fn_t *fns);
void vm_register_parameters(vm_convert_fn_t *fns);
void vm_register_check(vm_convert_fn_t *fns);
void vm_register_kernel(vm_convert_fn_t *fns);

#endif  // COMPILER_VM_CONVERT_H_
