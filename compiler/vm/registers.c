// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greedy colouring in dominance order: in SSA form a register that is free where a value is defined
// stays free for all of its life. Branch arguments and what is passed to them prefer one register.
#include "compiler/vm/registers.h"

#include <string.h>

#include "abi/isa.h"
#include "compiler/dialects/ops.h"

vm_bank_t vm_bank(ir_type_t type) {
  if (type->kind == IR_T_INTEGER) return ir_type_width(type) > 32 ? VM_BANK_I64 : VM_BANK_I32;
  if (type->kind == IR_T_FLOAT) return ir_type_width(type) > 32 ? VM_BANK_I64 : VM_BANK_I32;
  return VM_BANK_REF;
}

bool vm_is_zero(const ir_op_t *op) {
  switch (op->kind) {
    case OP_VM_CONST_I32_ZERO:
    case OP_VM_CONST_I64_ZERO:
    case OP_VM_CONST_F32_ZERO:
    case OP_VM_CONST_F64_ZERO:
    case OP_VM_CONST_REF_ZERO:
      return true;
    case OP_VM_CONST_I32:
    case OP_VM_CONST_I64:
    case OP_VM_CONST_F32:
    case OP_VM_CONST_F64:
      return ir_int(ir_op_attr(op, "value"), 0) == 0;
    default:
      return false;
  }
}

// ---- sets of registers
enum {
  I32_WORDS = (ISA_MAX_I32_REGISTERS + 64) / 64,
  REF_WORDS = (ISA_MAX_REF_REGISTERS + 64) / 64
};
typedef struct allocator {
  vm_registers_t *out;
  uint64_t i32[I32_WORDS], ref[REF_WORDS];  // taken
  uint32_t
      fixed_i32;  // [first, end) of the registers that are never given back: zero and pinned pairs
  uint32_t fixed_end;
  ir_op_t *func;
} allocator_t;

static uint64_t mask_of(vm_bank_t bank, uint32_t reg) {
  return (bank == VM_BANK_I64 ? 3ull : 1ull) << (reg % 64);
}
static uint64_t *word_of(allocator_t *a, vm_bank_t bank, uint32_t reg) {
  return &(bank == VM_BANK_REF ? a->ref : a->i32)[reg / 64];
}
static bool is_free(allocator_t *a, vm_bank_t bank, uint32_t reg) {
  return !(*word_of(a, bank, reg) & mask_of(bank, reg));
}
static void take(allocator_t *a, vm_bank_t bank, uint32_t reg) {
  *word_of(a, bank, reg) |= mask_of(bank, reg);
  uint32_t *high = bank == VM_BANK_REF ? &a->out->n_ref : &a->out->n_i32;
  uint32_t end = reg + (bank == VM_BANK_I64 ? 2 : 1);
  if (*high < end) *high = end;
}
static void give(allocator_t *a, const ir_value_t *v) {
  uint32_t reg = vm_register(a->out, v);
  vm_bank_t bank = vm_bank(v->type);
  if (reg == VM_NO_REGISTER || a->out->given[v->mark]) return;
  *word_of(a, bank, reg) &= ~mask_of(bank, reg);
}

static uint32_t lowest_free(allocator_t *a, vm_bank_t bank) {
  uint32_t words = bank == VM_BANK_REF ? REF_WORDS : I32_WORDS;
  for (uint32_t w = 0; w < words; ++w) {
    uint64_t open = ~(bank == VM_BANK_REF ? a->ref : a->i32)[w];
    if (bank == VM_BANK_I64) open &= (open >> 1) & 0x5555555555555555ull;
    if (open) return w * 64 + (uint32_t)__builtin_ctzll(open);
  }
  return VM_NO_REGISTER;
}

// ---- preferences: the register at the other end of a branch
static uint32_t argument_hint(allocator_t *a, const ir_value_t *arg) {
  const vm_live_block_t *b = vm_live_block(&a->out->live, arg->block);
  for (uint32_t i = 0; i < b->n_preds && i < 4; ++i) {
    const ir_op_t *terminator = a->out->live.blocks[b->preds[i]].block->last;
    for (uint16_t s = 0; s < terminator->n_succs; ++s) {
      if (terminator->succs[s].block != arg->block || !terminator->succs[s].n) continue;
      uint32_t reg =
          vm_register(a->out, ir_operand(terminator, terminator->succs[s].first + arg->index));
      if (reg != VM_NO_REGISTER && is_free(a, vm_bank(arg->type), reg)) return reg;
    }
  }
  return VM_NO_REGISTER;
}
static uint32_t result_hint(allocator_t *a, const ir_value_t *v) {
  int looked = 0;
  for (const ir_use_t *use = v->uses; use && looked < 4; use = use->next, ++looked) {
    uint32_t position = (uint32_t)(use - use->user->operands);
    for (uint16_t s = 0; s < use->user->n_succs; ++s) {
      const ir_succ_t *succ = &use->user->succs[s];
      if (position < succ->first || position >= succ->first + succ->n) continue;
      uint32_t reg = vm_register(a->out, succ->block->args[position - succ->first]);
      if (reg != VM_NO_REGISTER && is_free(a, vm_bank(v->type), reg)) return reg;
    }
  }
  return VM_NO_REGISTER;
}

static iree_status_t assign(allocator_t *a, ir_value_t *v, uint32_t hint) {
  vm_bank_t bank = vm_bank(v->type);
  uint32_t reg = hint != VM_NO_REGISTER ? hint : lowest_free(a, bank);
  uint32_t limit = bank == VM_BANK_REF ? ISA_MAX_REF_REGISTERS : ISA_MAX_I32_REGISTERS - 1;
  if (reg >= limit) {
    iree_string_view_t name = ir_op_sym_name(a->func);
    return iree_make_status(
        IREE_STATUS_RESOURCE_EXHAUSTED,
        "function '%.*s' keeps more than %u %s registers live at once; split it", (int)name.size,
        name.data, limit, bank == VM_BANK_REF ? "reference" : "value");
  }
  take(a, bank, reg);
  a->out->of[v->mark] = reg;
  return iree_ok_status();
}

// ---- the walk
static bool is_edge_operand(const ir_op_t *op, uint32_t i) {
  for (uint16_t s = 0; s < op->n_succs; ++s)
    if (op->succs[s].n && i >= op->succs[s].first) return true;
  return false;
}

// Marks the last reader of each value in |b|; fills the operand numbers.
static void mark_deaths(vm_registers_t *r, ir_block_t *b) {
  vm_liveness_t *live = &r->live;
  vm_live_begin_after(live, b->last);
  for (ir_op_t *op = b->last; op; op = op->prev) {
    for (uint32_t i = 0; i < op->n_results; ++i) vm_live_remove(live, &op->results[i]);
    for (uint32_t i = op->n_operands; i-- > 0;) {
      const ir_value_t *v = ir_operand(op, i);
      if (vm_live_has(live, v)) continue;
      vm_live_add(live, v);
      uint32_t bit = op->mark + i;
      r->dies[bit / 64] |= 1ull << (bit % 64);
    }
  }
}

static iree_status_t allocate_block(allocator_t *a, vm_live_block_t *b) {
  vm_registers_t *r = a->out;
  memset(a->i32, 0, (r->n_i32 / 64 + 1) * sizeof *a->i32);
  memset(a->ref, 0, (r->n_ref / 64 + 1) * sizeof *a->ref);
  for (uint32_t reg = a->fixed_i32; reg < a->fixed_end; reg += 2) take(a, VM_BANK_I64, reg);
  if (r->null_ref != VM_NO_REGISTER) take(a, VM_BANK_REF, r->null_ref);
  for (uint32_t i = 0; i < b->n_live_in; ++i)
    take(a, vm_bank(b->live_in[i]->type), vm_register(r, b->live_in[i]));
  bool entry = b == r->live.blocks;
  for (uint32_t i = 0; i < b->block->n_args; ++i) {
    ir_value_t *arg = b->block->args[i];
    if (entry)
      take(a, vm_bank(arg->type), vm_register(r, arg));
    else
      IREE_RETURN_IF_ERROR(assign(a, arg, argument_hint(a, arg)));
  }
  for (uint32_t i = 0; i < b->block->n_args; ++i)
    if (ir_unused(b->block->args[i])) give(a, b->block->args[i]);
  for (ir_op_t *op = b->block->first; op; op = op->next) {
    if (vm_is_given(r, op)) continue;
    for (uint32_t i = 0; i < op->n_operands; ++i)
      if (vm_register(r, ir_operand(op, i)) == VM_NO_REGISTER)
        return ir_op_error(op, "uses operand %u before it is defined", i);
    for (uint32_t i = 0; i < op->n_operands && !is_edge_operand(op, i); ++i)
      if (vm_dies(r, op, i)) give(a, ir_operand(op, i));
    for (uint32_t i = 0; i < op->n_results; ++i)
      IREE_RETURN_IF_ERROR(assign(a, &op->results[i], result_hint(a, &op->results[i])));
    for (uint32_t i = 0; i < op->n_results; ++i)
      if (ir_unused(&op->results[i])) give(a, &op->results[i]);
  }
  return iree_ok_status();
}

// Arguments come in fixed registers: each bank upward from 0, pairs at even numbers.
static void place_arguments(vm_registers_t *r, const ir_block_t *entry) {
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    vm_bank_t bank = vm_bank(entry->args[i]->type);
    if (bank == VM_BANK_I64) r->n_i32 = (r->n_i32 + 1) & ~1u;
    r->of[entry->args[i]->mark] = bank == VM_BANK_REF ? r->n_ref : r->n_i32;
    if (bank == VM_BANK_REF)
      r->n_ref += 1;
    else
      r->n_i32 += bank == VM_BANK_I64 ? 2 : 1;
  }
}

// ---- constants
static bool is_minus_one(const ir_op_t *op) {
  return (op->kind == OP_VM_CONST_I64 || op->kind == OP_VM_CONST_I32) &&
         ir_int(ir_op_attr(op, "value"), 0) == -1;
}
static void give_register(vm_registers_t *r, const ir_op_t *op, uint32_t reg) {
  r->of[op->results[0].mark] = reg;
  r->given[op->results[0].mark] = true;
}

// Small constants of the entry block get fresh pairs; i32 constants find theirs by value.
static void pin_constants(vm_registers_t *r, ir_block_t *entry, iree_arena_t *arena) {
  enum { MAX_PINNED = 4096 };
  ir_map_t *by_low_half = ir_map_create(arena);  // i32 attribute -> i64 constant
  ir_ctx_t *ctx = ir_op_ctx(entry->first);
  for (ir_op_t *op = entry->first; op && r->n_pinned < MAX_PINNED; op = op->next) {
    if (op->kind != OP_VM_CONST_I64 || r->given[op->results[0].mark] || ir_unused(&op->results[0]))
      continue;
    int64_t value = ir_int(ir_op_attr(op, "value"), 0);
    if (value != -1 && (value < 0 || value > UINT32_MAX)) continue;
    give_register(r, op, r->n_i32);
    r->n_i32 += 2;
    IREE_ARENA_PUSH(arena, r->pinned, r->n_pinned, r->pinned_cap, op);
    ir_attr_t low = ir_attr_i32(ctx, (int32_t)value);
    if (!ir_map_get(by_low_half, low)) ir_map_set(by_low_half, low, op);
  }
  for (ir_op_t *op = entry->first; op; op = op->next) {
    const ir_op_t *twin =
        op->kind == OP_VM_CONST_I32 ? ir_map_get(by_low_half, ir_op_attr(op, "value")) : NULL;
    if (twin && !r->given[op->results[0].mark])
      give_register(r, op, vm_register(r, &twin->results[0]));
  }
}

iree_status_t vm_registers_init(vm_registers_t *r, ir_op_t *func, iree_arena_t *arena) {
  *r = (vm_registers_t){.zero = VM_NO_REGISTER, .null_ref = VM_NO_REGISTER};
  vm_liveness_init(&r->live, func, arena);
  r->of = IREE_ARENA_ARRAY(arena, uint32_t, r->live.n_values + 1);
  memset(r->of, 0xFF, (r->live.n_values + 1) * sizeof *r->of);
  r->given = IREE_ARENA_ARRAY(arena, bool, r->live.n_values + 1);
  uint32_t n_operands = 0;
  bool zero = false, null_ref = false;
  for (uint32_t i = 0; i < r->live.n_blocks; ++i) {
    for (ir_op_t *op = r->live.blocks[i].block->first; op; op = op->next) {
      op->mark = n_operands;
      n_operands += op->n_operands;
      zero = zero || is_minus_one(op);  // made of zero
      if (!vm_is_zero(op)) continue;
      if (vm_bank(op->results[0].type) == VM_BANK_REF)
        null_ref = true;
      else
        zero = true;
    }
  }
  r->dies = IREE_ARENA_ARRAY(arena, uint64_t, n_operands / 64 + 1);
  place_arguments(r, func->regions[0]->first);
  if (r->n_i32 > ISA_MAX_I32_REGISTERS - 4 || r->n_ref > ISA_MAX_REF_REGISTERS - 2)
    return ir_op_error(func, "has more arguments than a call can carry");
  allocator_t *a = IREE_ARENA_NEW(arena, allocator_t);
  a->out = r;
  a->func = func;
  r->n_i32 = a->fixed_i32 = (r->n_i32 + 1) & ~1u;
  if (zero) r->zero = r->n_i32, r->n_i32 += 2;
  if (null_ref) r->null_ref = r->n_ref++;
  for (uint32_t i = 0; i < r->live.n_blocks; ++i)
    for (ir_op_t *op = r->live.blocks[i].block->first; op; op = op->next)
      if (vm_is_zero(op))
        give_register(r, op, vm_bank(op->results[0].type) == VM_BANK_REF ? r->null_ref : r->zero);
  pin_constants(r, func->regions[0]->first, arena);
  a->fixed_end = r->n_i32;
  if (r->live.blocks[0].n_live_in || r->live.blocks[0].n_preds)
    return ir_op_error(func, r->live.blocks[0].n_preds
                                 ? "branches back to its entry block"
                                 : "uses a value that not every path defines");
  for (uint32_t i = 0; i < r->live.n_blocks; ++i) mark_deaths(r, r->live.blocks[i].block);
  for (uint32_t i = 0; i < r->live.n_blocks; ++i)
    IREE_RETURN_IF_ERROR(allocate_block(a, &r->live.blocks[i]));
  return iree_ok_status();
}
