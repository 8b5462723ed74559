// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vm/encode.h"

#include "abi/version.h"
#include "base/isa.h"
#include "compiler/dialects/ops.h"
#include "compiler/dialects/vm_ops.h"
#include "compiler/vm/registers.h"

typedef struct fixup {
  uint32_t at;  // where the u32 branch target stands
  const ir_block_t *block;
} fixup_t;

typedef struct encoder {
  const vm_numbering_t *numbering;
  const vm_encode_options_t *options;
  iree_arena_t *arena;
  vm_registers_t regs;
  uint8_t *bytes;
  uint32_t n_bytes, cap;
  uint32_t *block_pc;  // by block number
  fixup_t *fixups;
  uint32_t n_fixups, fixup_cap;
  vmfb_source_t *sources;
  uint32_t n_sources, source_cap;
  uint32_t *ref_marks, ref_mark;  // per reference register, a set that empties by counting up
  uint32_t temp_i32, temp_ref;    // for cycles among branch arguments; VM_NO_REGISTER until needed
  uint32_t requirements;
  uint16_t n_blocks;
} encoder_t;

// ---- bytes
static void put(encoder_t *e, uint64_t value, size_t n) {
  for (size_t i = 0; i < n; ++i)
    IREE_ARENA_PUSH(e->arena, e->bytes, e->n_bytes, e->cap, (uint8_t)(value >> (8 * i)));
}
static void align2(encoder_t *e) {
  if (e->n_bytes & 1) put(e, 0, 1);
}
static void set16(encoder_t *e, uint32_t at, uint32_t value) {
  e->bytes[at] = (uint8_t)value;
  e->bytes[at + 1] = (uint8_t)(value >> 8);
}

static uint32_t plain_register(encoder_t *e, const ir_value_t *v) {
  return vm_register(&e->regs, v) | (vm_bank(v->type) == VM_BANK_REF ? ISA_REF_BIT : 0);
}
static bool is_null(const encoder_t *e, const ir_value_t *v) {
  return vm_bank(v->type) == VM_BANK_REF && vm_register(&e->regs, v) == e->regs.null_ref;
}
// Operand |i| read where the row allows MOVE.
static uint32_t moving_register(encoder_t *e, const ir_op_t *op, uint32_t i) {
  const ir_value_t *v = ir_operand(op, i);
  bool move = vm_bank(v->type) == VM_BANK_REF && vm_dies(&e->regs, op, i) && !is_null(e, v);
  return plain_register(e, v) | (move ? ISA_MOVE_BIT : 0);
}

// ---- branch arguments: one parallel assignment, put into an order without hazards
typedef struct move {
  uint32_t from, to;  // as encoded, without MOVE
  bool dies, done;
} move_t;

static uint32_t temp_of(encoder_t *e, uint32_t reg) {
  bool ref = reg & ISA_REF_BIT;
  uint32_t *temp = ref ? &e->temp_ref : &e->temp_i32;
  if (*temp == VM_NO_REGISTER) *temp = ref ? e->regs.n_ref++ : e->regs.n_i32++;
  return *temp | (ref ? ISA_REF_BIT : 0);
}

// |readers| counts pending reads per register of the moves at hand, found by a small open hash.
typedef struct reader {
  uint32_t reg, count;
} reader_t;
static reader_t *reader_of(reader_t *table, uint32_t mask, uint32_t reg) {
  uint32_t i = (reg * 0x9E3779B1u) >> 8 & mask;
  while (table[i].count != UINT32_MAX && table[i].reg != reg) i = (i + 1) & mask;
  if (table[i].count == UINT32_MAX) table[i] = (reader_t){reg, 0};
  return &table[i];
}

static uint32_t order_moves(encoder_t *e, move_t *moves, uint32_t n, move_t *out) {
  uint32_t mask = 15, n_out = 0, left = n;
  while (mask < 4 * n) mask = mask * 2 + 1;
  reader_t *readers = IREE_ARENA_ARRAY(e->arena, reader_t, mask + 1);
  uint32_t *by_target =
      IREE_ARENA_ARRAY(e->arena, uint32_t, mask + 1);  // slot -> move + 1 writing that register
  uint32_t *ready = IREE_ARENA_ARRAY(e->arena, uint32_t, n + 1), n_ready = 0;
  for (uint32_t i = 0; i <= mask; ++i) readers[i].count = UINT32_MAX;
  for (uint32_t i = 0; i < n; ++i) ++reader_of(readers, mask, moves[i].from)->count;
  for (uint32_t i = 0; i < n; ++i) {
    reader_t *r = reader_of(readers, mask, moves[i].to);
    by_target[r - readers] = i + 1;
  }
  for (uint32_t i = n; i-- > 0;)
    if (reader_of(readers, mask, moves[i].to)->count == 0) ready[n_ready++] = i;
  for (uint32_t scan = 0; left;) {
    if (!n_ready) {  // only cycles are left: put one target's old content aside
      while (moves[scan].done) ++scan;
      uint32_t aside = temp_of(e, moves[scan].to);
      out[n_out++] = (move_t){moves[scan].to, aside, true, true};
      for (uint32_t i = scan; i < n; ++i)
        if (!moves[i].done && moves[i].from == moves[scan].to)
          moves[i].from = aside, moves[i].dies = true;
      ready[n_ready++] = scan;
    }
    move_t *m = &moves[ready[--n_ready]];
    out[n_out++] = *m;
    m->done = true;
    --left;
    reader_t *r = reader_of(readers, mask, m->from);
    if (r->count != UINT32_MAX && r->count && --r->count == 0 && by_target[r - readers] &&
        !moves[by_target[r - readers] - 1].done)
      ready[n_ready++] = by_target[r - readers] - 1;
  }
  return n_out;
}

static void put_remap(encoder_t *e, const ir_op_t *op, uint32_t s) {
  const ir_succ_t *to = &op->succs[s];
  move_t *moves = IREE_ARENA_ARRAY(e->arena, move_t, 2 * to->n + 1);
  move_t *order = IREE_ARENA_ARRAY(e->arena, move_t, 3 * to->n + 1);
  uint32_t n = 0;
  vm_live_begin_at(&e->regs.live, to->block);
  uint32_t kept = ++e->ref_mark;  // references that stay where they are
  for (uint32_t i = 0; i < to->n; ++i) {
    uint32_t from = plain_register(e, ir_operand(op, to->first + i));
    if ((from & ISA_REF_BIT) && from == plain_register(e, to->block->args[i]))
      e->ref_marks[from & ISA_REF_MASK] = kept;
  }
  for (uint32_t i = 0; i < to->n; ++i) {
    const ir_value_t *v = ir_operand(op, to->first + i), *arg = to->block->args[i];
    if (ir_unused(arg) && vm_bank(arg->type) != VM_BANK_REF) continue;
    uint32_t from = plain_register(e, v), target = plain_register(e, arg);
    if (from == target) continue;
    bool ref = from & ISA_REF_BIT;
    bool dies = ref && !vm_live_has(&e->regs.live, v) && !is_null(e, v) &&
                e->ref_marks[from & ISA_REF_MASK] != kept;
    moves[n++] = (move_t){from, target, dies, false};
    if (vm_bank(v->type) == VM_BANK_I64) moves[n++] = (move_t){from + 1, target + 1, false, false};
  }
  n = n ? order_moves(e, moves, n, order) : 0;
  align2(e);
  put(e, n, 2);
  uint32_t at = e->n_bytes, read = ++e->ref_mark;
  for (uint32_t i = 0; i < n; ++i) put(e, order[i].from, 2), put(e, order[i].to, 2);
  for (uint32_t i = n; i-- > 0;) {  // the last read of a reference that ends here takes it along
    if (!(order[i].from & ISA_REF_BIT)) continue;
    uint32_t *mark = &e->ref_marks[order[i].from & ISA_REF_MASK];
    if (order[i].dies && *mark != read) set16(e, at + 4 * i, order[i].from | ISA_MOVE_BIT);
    *mark = read;
  }
}

// ---- fields
static uint32_t edge_start(const ir_op_t *op) {
  for (uint16_t s = 0; s < op->n_succs; ++s)
    if (op->succs[s].n) return op->succs[s].first;
  return op->n_operands;
}

static void put_list(encoder_t *e, const ir_op_t *op, uint32_t from, bool any) {
  uint32_t end = edge_start(op);
  align2(e);
  put(e, end - from, 2);
  for (uint32_t i = from; i < end; ++i)
    put(e, any ? moving_register(e, op, i) : plain_register(e, ir_operand(op, i)), 2);
}
static void put_results(encoder_t *e, const ir_op_t *op) {
  align2(e);
  bool yields = ir_op_has_trait(op, IR_SUCC_RESULTS);
  uint32_t n = yields ? op->succs[0].block->n_args : op->n_results;
  put(e, n, 2);
  for (uint32_t i = 0; i < n; ++i)
    put(e, plain_register(e, yields ? op->succs[0].block->args[i] : &op->results[i]), 2);
}
static void put_segments(encoder_t *e, const ir_op_t *op) {
  ir_attr_t sizes = ir_op_attr(op, "segment_sizes"), types = ir_op_attr(op, "segment_types");
  align2(e);
  put(e, types->n_kids, 2);
  for (uint32_t i = 0; i < types->n_kids; ++i) {
    int64_t size = vm_segment_size(sizes, i);
    put(e, size < 0 ? ISA_SEGMENT_SCALAR : (uint64_t)size, 2);
  }
}
static void put_target(encoder_t *e, const ir_op_t *op, uint32_t s) {
  fixup_t f = {e->n_bytes, op->succs[s].block};
  IREE_ARENA_PUSH(e->arena, e->fixups, e->n_fixups, e->fixup_cap, f);
  put(e, 0, 4);
}

static ir_type_t type_operand(const ir_op_t *op) {
  if (op->kind == OP_VM_LIST_ALLOC) {
    ir_type_t list = ir_result(op, 0)->type;  // !vm.list<T> or !vm.ref<!vm.list<T>>
    if (ir_type_is(list, "vm.ref") && list->n_kids) list = ir_kid(list, 0);
    return list->n_kids ? ir_kid(list, 0) : list;
  }
  return op->n_results ? ir_result(op, 0)->type : ir_operand(op, 0)->type;
}

static iree_status_t put_ordinal(encoder_t *e, const ir_op_t *op, const isa_field_t *field) {
  const vm_numbering_t *n = e->numbering;
  uint32_t value = 0;
  switch (field->bank) {
    case 'f':
      IREE_RETURN_IF_ERROR(n->function(
          n->self, op, ir_op_attr(op, op->kind == OP_VM_IMPORT_RESOLVED ? "import" : "callee"),
          &value));
      break;
    case 'd':
      IREE_RETURN_IF_ERROR(n->rodata(n->self, op, ir_op_attr(op, "rodata"), &value));
      break;
    case 't':
      value = n->type(n->self, type_operand(op));
      break;
    default:
      IREE_RETURN_IF_ERROR(n->global(n->self, op, ir_op_attr(op, "global"), &value));
      break;
  }
  put(e, value, 4);
  return iree_ok_status();
}

static iree_status_t put_text(encoder_t *e, const ir_op_t *op, iree_string_view_t name) {
  ir_attr_t text =
      ir_op_attr(op, iree_string_view_equal(name, IREE_SV("event_name")) && op->kind == OP_VM_TRACE
                         ? "event_name"
                         : "message");
  iree_string_view_t s = text ? ir_str(text) : iree_string_view_empty();
  if (s.size > UINT16_MAX) s.size = UINT16_MAX;
  put(e, s.size, 2);
  for (size_t i = 0; i < s.size; ++i) put(e, (uint8_t)s.data[i], 1);
  return iree_ok_status();
}

// Does the type of |v| belong into the bank of its field?
static iree_status_t check_bank(const ir_op_t *op, const ir_value_t *v, char bank) {
  if (bank == '*') return iree_ok_status();
  bool integer = v->type->kind == IR_T_INTEGER, real = v->type->kind == IR_T_FLOAT,
       wide = (integer || real) && ir_type_width(v->type) > 32;
  char have = integer ? (wide ? 'I' : 'i') : real ? (wide ? 'F' : 'f') : 'r';
  return have == bank ? iree_ok_status()
                      : ir_op_error(op, "has a value of another type than its instruction takes");
}
static iree_status_t check_banks(const ir_op_t *op, const isa_row_t *row) {
  isa_field_t field;
  uint32_t operand = 0, result = 0;
  for (const char *at = row->fields; (at = isa_field_next(at, &field));) {
    if (field.kind == 'r' || field.kind == 'm') {
      if (operand == op->n_operands) return ir_op_error(op, "has too few operands");
      IREE_RETURN_IF_ERROR(check_bank(op, ir_operand(op, operand++), field.bank));
    } else if (field.kind == 'w') {
      if (result == op->n_results) return ir_op_error(op, "has too few results");
      IREE_RETURN_IF_ERROR(check_bank(op, ir_result(op, result++), field.bank));
    } else if (field.kind == '[' && field.bank != 's') {
      for (uint32_t end = edge_start(op); operand < end; ++operand)
        IREE_RETURN_IF_ERROR(check_bank(op, ir_operand(op, operand), field.bank));
    }
  }
  return iree_ok_status();
}

static iree_status_t check_return(const ir_op_t *op) {
  ir_type_t type = ir_op_attr(ir_op_parent(op), "function_type");
  bool same = ir_fn_n_results(type) == op->n_operands;
  for (uint32_t i = 0; same && i < op->n_operands; ++i)
    same = ir_fn_result(type, i) == ir_operand(op, i)->type;
  return same ? iree_ok_status() : ir_op_error(op, "returns other values than its function says");
}

static iree_status_t put_fields(encoder_t *e, const ir_op_t *op, const isa_row_t *row) {
  isa_field_t field;
  IREE_RETURN_IF_ERROR(check_banks(op, row));
  if (op->kind == OP_VM_RETURN) IREE_RETURN_IF_ERROR(check_return(op));
  uint32_t operand = 0, result = 0, successor = 0;
  for (const char *at = row->fields; (at = isa_field_next(at, &field));) {
    switch (field.kind) {
      case 'r':
        put(e, plain_register(e, ir_operand(op, operand++)), 2);
        break;
      case 'm':
        put(e, moving_register(e, op, operand), 2), ++operand;
        break;
      case 'w':
        put(e, plain_register(e, ir_result(op, result++)), 2);
        break;
      case '#':
        put(e, (uint64_t)ir_int(ir_op_attr(op, "value"), 0),
            field.bank == 'I' || field.bank == 'F' ? 8 : 4);
        break;
      case '@':
        IREE_RETURN_IF_ERROR(put_ordinal(e, op, &field));
        break;
      case '[':
        if (field.bank == 's')
          put_segments(e, op);
        else
          put_list(e, op, operand, field.bank == '*');
        break;
      case ']':
        put_results(e, op);
        break;
      case '>':
        put_target(e, op, successor++);
        break;
      case '~':
        put_remap(e, op, successor - 1);
        break;
      case '$':
        IREE_RETURN_IF_ERROR(put_text(e, op, field.name));
        break;
      case '=':
        put(e, op->n_succs - 1u, 2);
        for (uint32_t s = 1; s < op->n_succs; ++s) put_target(e, op, s), put_remap(e, op, s);
        break;
      default:
        break;  // '!': no bytes
    }
  }
  return iree_ok_status();
}

// ---- ops
static void note_source(encoder_t *e, const ir_op_t *op) {
  if (e->options->strip_sources) return;
  int32_t location = e->numbering->location(e->numbering->self, op->loc);
  if (location < 0 || (e->n_sources && e->sources[e->n_sources - 1].location == (uint32_t)location))
    return;
  vmfb_source_t source = {e->n_bytes, (uint32_t)location};
  IREE_ARENA_PUSH(e->arena, e->sources, e->n_sources, e->source_cap, source);
}

static void put_discard(encoder_t *e, const ir_op_t *op) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i) n += !is_null(e, ir_operand(op, i));
  if (!n) return;
  put(e, ISA_OP_DiscardRefs, 1);
  align2(e);
  put(e, n, 2);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!is_null(e, ir_operand(op, i)))
      put(e, plain_register(e, ir_operand(op, i)) | ISA_MOVE_BIT, 2);
}

// An integer constant in the fewest bytes. A fresh pair's high half is zero.
static void put_constant(encoder_t *e, const ir_op_t *op, bool fresh) {
  uint32_t reg = vm_register(&e->regs, ir_result(op, 0));
  int64_t value = ir_int(ir_op_attr(op, "value"), 0);
  bool wide = op->kind == OP_VM_CONST_I64;
  if (value == -1) {
    put(e, wide ? ISA_OP_NotI64 : ISA_OP_NotI32, 1);
    put(e, e->regs.zero, 2);
  } else if (!wide || (fresh && value >= 0 && value <= UINT32_MAX)) {
    put(e, ISA_OP_ConstI32, 1);
    put(e, (uint64_t)value, 4);
  } else {
    put(e, ISA_OP_ConstI64, 1);
    put(e, (uint64_t)value, 8);
  }
  put(e, reg, 2);
}

static iree_status_t put_op(encoder_t *e, const ir_op_t *op) {
  if (vm_is_given(&e->regs, op)) return iree_ok_status();
  if (op->kind == OP_VM_CONST_I32 || op->kind == OP_VM_CONST_I64)
    return put_constant(e, op, false), iree_ok_status();
  note_source(e, op);
  if (op->kind == OP_VM_DISCARD_REFS) return put_discard(e, op), iree_ok_status();
  const isa_row_t *row = e->options->rows[op->kind];
  if (!row)
    return ir_op_error(
        op, "is no instruction of the virtual machine; lower it before the end of phase 'vm'");
  if (e->options->strip_debug_ops) {
    if (op->kind == OP_VM_TRACE || op->kind == OP_VM_PRINT) return iree_ok_status();
    if (op->kind == OP_VM_BREAK) row = isa_row(ISA_OP_Branch);
  }
  uint32_t number = row->number;
  if (number > 0xFF) {
    put(e, number >> 8, 1);
    e->requirements |= number >> 8 == ISA_PREFIX_F32 ? ABI_FEATURE_EXT_F32 : ABI_FEATURE_EXT_F64;
  }
  put(e, number & 0xFF, 1);
  if (ir_op_has_trait(op, IR_SUCC_RESULTS) || op->kind == OP_VM_YIELD)
    e->requirements |= ABI_FEATURE_YIELD;
  return put_fields(e, op, row);
}

static iree_status_t put_blocks(encoder_t *e, ir_op_t *func) {
  for (ir_block_t *b = func->regions[0]->first; b; b = b->next) {
    if (!b->mark) continue;  // unreachable
    e->block_pc[b->mark - 1] = e->n_bytes;
    if (e->n_bytes > ISA_MAX_BLOCK_PC || e->n_blocks == INT16_MAX)
      return ir_op_error(func, "has too much code for one function; split it");
    ++e->n_blocks;
    put(e, ISA_OP_Block, 1);
    for (uint32_t i = 0; b == func->regions[0]->first && i < e->regs.n_pinned; ++i)
      put_constant(e, e->regs.pinned[i], true);
    for (ir_op_t *op = b->first; op; op = op->next) IREE_RETURN_IF_ERROR(put_op(e, op));
  }
  for (uint32_t i = 0; i < e->n_fixups; ++i) {
    uint32_t pc = e->block_pc[e->fixups[i].block->mark - 1], at = e->fixups[i].at;
    set16(e, at, pc & 0xFFFF);
    set16(e, at + 2, pc >> 16);
  }
  return iree_ok_status();
}

iree_status_t vm_encode_function(ir_op_t *func, const vm_numbering_t *numbering,
                                 const vm_encode_options_t *options, iree_arena_t *arena,
                                 vmfb_function_t *out) {
  encoder_t *e = IREE_ARENA_NEW(arena, encoder_t);
  *e = (encoder_t){.numbering = numbering,
                   .options = options,
                   .arena = arena,
                   .temp_i32 = VM_NO_REGISTER,
                   .temp_ref = VM_NO_REGISTER};
  IREE_RETURN_IF_ERROR(vm_registers_init(&e->regs, func, arena));
  e->ref_marks = IREE_ARENA_ARRAY(arena, uint32_t, e->regs.n_ref + 2);
  e->block_pc = IREE_ARENA_ARRAY(arena, uint32_t, e->regs.live.n_blocks + 1);
  IREE_RETURN_IF_ERROR(put_blocks(e, func));
  if (ir_op_flag(func, "vm.yield")) e->requirements |= ABI_FEATURE_YIELD;
  if (e->regs.n_ref) e->requirements |= ABI_FEATURE_UNWIND;
  out->bytecode = e->bytes;
  out->bytecode_length = e->n_bytes;
  out->requirements = e->requirements;
  out->block_count = e->n_blocks;
  out->i32_register_count = (uint16_t)e->regs.n_i32;
  out->ref_register_count = (uint16_t)e->regs.n_ref;
  out->sources = e->sources;
  out->source_count = e->n_sources;
  return iree_ok_status();
}
