// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers for the values of one vm.func.
//
//   i32 bank   i32 and f32 take one register, i64 and f64 an even-aligned pair
//   ref bank   one register per reference
//
// Frames start zeroed, so constants zero and null need no instruction: they share one pair and one
// ref register that nothing ever writes. Small i64 constants of the entry block own fresh pairs, of
// which only the low half needs writing; i32 constants equal to that half read it. Reference values
// die only where an operand may move or in a vm.discard.refs (materialize_discards.c sees to that),
// so a register is free from its last reader on.
#ifndef COMPILER_VM_REGISTERS_H_
#define COMPILER_VM_REGISTERS_H_

#include "compiler/vm/liveness.h"

typedef enum vm_bank { VM_BANK_I32, VM_BANK_I64, VM_BANK_REF } vm_bank_t;
vm_bank_t vm_bank(ir_type_t type);

enum { VM_NO_REGISTER = 0xFFFFFFFF };

typedef struct vm_registers {
  vm_liveness_t live;
  uint32_t *of;             // by value number
  uint32_t zero, null_ref;  // never written; VM_NO_REGISTER where unused
  uint32_t n_i32, n_ref;    // high-water marks
  const ir_op_t **pinned;   // vm.const.i64 of the entry block, to be set at its start
  uint32_t n_pinned, pinned_cap;
  bool *given;     // by value number: the value is there without code of its own op
  uint64_t *dies;  // bit per operand (op.mark + index): no later reader on any path
} vm_registers_t;

// errors: RESOURCE_EXHAUSTED  more values live at once than the bank has registers
//         INVALID_ARGUMENT  a value is used where it is not defined (message sent)
iree_status_t vm_registers_init(vm_registers_t *registers, ir_op_t *func, iree_arena_t *arena);

static inline uint32_t vm_register(const vm_registers_t *r, const ir_value_t *v) {
  return r->of[v->mark];
}
static inline bool vm_dies(const vm_registers_t *r, const ir_op_t *op, uint32_t operand) {
  uint32_t bit = op->mark + operand;
  return (r->dies[bit / 64] >> (bit % 64)) & 1;
}
// Does |op| need no code: zero, null, or a constant that is set elsewhere?
static inline bool vm_is_given(const vm_registers_t *r, const ir_op_t *op) {
  return op->n_results == 1 && r->given[op->results[0].mark];
}
// A constant of value zero or null: no code, reads come from registers that stay zero.
bool vm_is_zero(const ir_op_t *op);

#endif  // COMPILER_VM_REGISTERS_H_
