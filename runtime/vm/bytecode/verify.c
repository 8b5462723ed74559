// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytecode verifier: one walk over each function by the field strings of abi/isa.def, so that
// what is verified, printed and executed is decoded alike. It proves:
//   - every instruction is known, whole, and allowed by the function's feature bits
//   - every register exists, is of its field's bank, and 64-bit values sit in even pairs
//   - every ordinal (global, rodata, type, function, import) is in range
//   - every block starts with a marker, ends with a terminator, and branches meet markers only
//   - every call and return fits the calling convention
// After that the interpreter checks only what depends on values.
#include "runtime/vm/bytecode/module_impl.h"
#include "runtime/vm/cconv.h"

typedef struct verify_t {
  bytecode_module_t *module;
  bytecode_function_t *function;
  uint32_t ordinal;
  bytecode_cursor_t cursor;
  uint32_t op_pc;
  const isa_row_t *row;
  uint8_t *blocks;  // per byte: BLOCK_MARKER, BLOCK_TARGET
  uint32_t marker_count;
  // Of the call instruction at hand.
  bool has_callee;
  uint32_t callee;
  uint32_t segments_pc;  // positions of the lists' counts, 0 when absent
  uint32_t operands_pc;
  uint32_t results_pc;
  // When looking at one import only: its ordinal and signature.
  bool is_import_check;
  uint32_t import_ordinal;
  iree_string_view_t import_arguments;
  iree_string_view_t import_results;
} verify_t;

enum { BLOCK_MARKER = 1, BLOCK_TARGET = 2 };

static iree_status_t verify_fail(const verify_t *v, const char *what, uint64_t value) {
  const char *mnemonic = v->row ? v->row->mnemonic : "";
  iree_string_view_t name = v->module->name;
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%s%s%s (%" PRIu64 "); at %.*s@%u+%08X",
                          *mnemonic ? "vm." : "", mnemonic, what, value, IREE_SV_ARGS(name),
                          v->ordinal, v->op_pc);
}

// Whether |reg| is a register of |bank| that exists.
static bool register_is_valid(const verify_t *v, char bank, uint16_t reg) {
  uint32_t n_i32 = v->function->i32_count, n_ref = v->function->ref_count;
  switch (bank) {
    case 'i':
    case 'f':
      return reg < n_i32;
    case 'I':
    case 'F':
      return (reg & 1) == 0 && (uint32_t)reg + 1 < n_i32;
    case 'r':
      return (reg & ISA_REF_BIT) && (uint32_t)(reg & ISA_REF_MASK) < n_ref;
    default:
      return reg & ISA_REF_BIT ? (uint32_t)(reg & ISA_REF_MASK) < n_ref : reg < n_i32;
  }
}

static iree_status_t verify_register(const verify_t *v, char bank, uint16_t reg) {
  if (IREE_LIKELY(register_is_valid(v, bank, reg))) return iree_ok_status();
  return verify_fail(v, ": register out of range, of the wrong bank or misaligned", reg);
}

static iree_status_t verify_list(verify_t *v, char bank) {
  uint16_t count = cursor_u16(&v->cursor);
  for (uint32_t i = 0; i < count && !v->cursor.is_truncated; ++i) {
    uint16_t reg = cursor_u16(&v->cursor);
    if (bank != 's') IREE_RETURN_IF_ERROR(verify_register(v, bank, reg));
  }
  return iree_ok_status();
}

static iree_status_t verify_remap(verify_t *v) {
  cursor_align(&v->cursor);
  uint16_t count = cursor_u16(&v->cursor);
  for (uint32_t i = 0; i < count && !v->cursor.is_truncated; ++i) {
    uint16_t source = cursor_u16(&v->cursor), target = cursor_u16(&v->cursor);
    IREE_RETURN_IF_ERROR(verify_register(v, '*', source));
    IREE_RETURN_IF_ERROR(verify_register(v, '*', target));
    if ((source & ISA_REF_BIT) != (target & ISA_REF_BIT)) {
      return verify_fail(v, ": branch operand changes its bank", source);
    }
  }
  return iree_ok_status();
}

static iree_status_t verify_target(verify_t *v) {
  uint32_t target = cursor_u32(&v->cursor);
  if (v->cursor.is_truncated) return iree_ok_status();
  if (target >= v->function->length || target > ISA_MAX_BLOCK_PC) {
    return verify_fail(v, ": branch target out of range", target);
  }
  if (v->blocks) v->blocks[target] |= BLOCK_TARGET;
  return iree_ok_status();
}

static iree_status_t verify_branch_table(verify_t *v) {
  uint16_t count = cursor_u16(&v->cursor);
  for (uint32_t i = 0; i < count && !v->cursor.is_truncated; ++i) {
    IREE_RETURN_IF_ERROR(verify_target(v));
    IREE_RETURN_IF_ERROR(verify_remap(v));
  }
  return iree_ok_status();
}

static iree_status_t verify_function_ordinal(verify_t *v, uint32_t value) {
  v->has_callee = true;
  v->callee = value;
  uint32_t ordinal = value & ~ISA_IMPORT_BIT;
  if (value & ISA_IMPORT_BIT) {
    if (ordinal >= v->module->import_count) return verify_fail(v, ": no such import", ordinal);
    return iree_ok_status();
  }
  if (ordinal >= v->module->function_count) return verify_fail(v, ": no such function", ordinal);
  return iree_ok_status();
}

static iree_status_t verify_ordinal(verify_t *v, char kind) {
  const bytecode_module_t *module = v->module;
  uint32_t value = cursor_u32(&v->cursor);
  bool fits = true;
  switch (kind) {
    case 'g':
      fits = iree_range_is_within(value, 4, module->global_bytes);
      break;
    case 'G':
      fits = iree_range_is_within(value, 8, module->global_bytes);
      break;
    case 'R':
      fits = value < module->global_ref_count;
      break;
    case 'd':
      fits = value < module->rodata_count;
      break;
    case 't':
      fits = value < module->type_count;
      break;
    default:
      return verify_function_ordinal(v, value);
  }
  return fits ? iree_ok_status() : verify_fail(v, ": global, rodata or type out of range", value);
}

static iree_status_t verify_field(verify_t *v, const isa_field_t *field) {
  bytecode_cursor_t *cursor = &v->cursor;
  switch (field->kind) {
    case 'r':
    case 'w':
    case 'm':
      return verify_register(v, field->bank, cursor_u16(cursor));
    case '#':
      (void)cursor_take(cursor, field->bank == 'I' || field->bank == 'F' ? 8 : 4);
      return iree_ok_status();
    case '@':
      return verify_ordinal(v, field->bank);
    case '>':
      return verify_target(v);
    case '~':
      return verify_remap(v);
    case '[':
    case ']':
      cursor_align(cursor);
      if (field->kind == ']')
        v->results_pc = cursor->pc;
      else if (field->bank == 's')
        v->segments_pc = cursor->pc;
      else
        v->operands_pc = cursor->pc;
      return verify_list(v, field->bank);
    case '$': {
      uint16_t length = cursor_u16(cursor);
      if (cursor->length - cursor->pc < length)
        cursor->is_truncated = true;
      else
        cursor->pc += length;
      return iree_ok_status();
    }
    case '=':
      return verify_branch_table(v);
    default:
      return iree_ok_status();  // '!' is the walk's matter
  }
}

// A list of u16 whose count is at |pc|; verified to be whole before.
typedef struct list_view_t {
  const uint8_t *items;
  uint32_t count;
  uint32_t next;
} list_view_t;

static list_view_t list_view(const verify_t *v, uint32_t pc) {
  list_view_t list = {NULL, 0, 0};
  if (pc) {
    list.count = iree_unaligned_load_le_u16(v->cursor.base + pc);
    list.items = v->cursor.base + pc + 2;
  }
  return list;
}

static iree_status_t expect_register(const verify_t *v, list_view_t *list, char letter) {
  if (list->next == list->count) {
    return verify_fail(v, ": fewer registers than the signature has values", list->count);
  }
  uint16_t reg = iree_unaligned_load_le_u16(list->items + 2 * list->next++);
  return verify_register(v, letter, reg);
}

// Operands against an argument fragment; adds up the packed size.
static iree_status_t verify_arguments(const verify_t *v, iree_string_view_t fragment,
                                      bool is_variadic, uint64_t *out_size) {
  list_view_t operands = list_view(v, v->operands_pc), segments = list_view(v, v->segments_pc);
  uint64_t size = 0;
  for (iree_host_size_t i = 0; i < fragment.size;) {
    uint16_t segment = ISA_SEGMENT_SCALAR;
    if (is_variadic) {
      if (segments.next == segments.count) {
        return verify_fail(v, ": too few segments", segments.count);
      }
      segment = iree_unaligned_load_le_u16(segments.items + 2 * segments.next++);
    }
    char letter = fragment.data[i];
    if (letter != IREE_VM_CCONV_TYPE_SPAN_START) {
      if (segment != ISA_SEGMENT_SCALAR) return verify_fail(v, ": segment is not a group", segment);
      IREE_RETURN_IF_ERROR(expect_register(v, &operands, letter));
      size = iree_host_align(size, cconv_alignment(letter)) + cconv_size(letter);
      ++i;
      continue;
    }
    if (segment == ISA_SEGMENT_SCALAR) return verify_fail(v, ": group without a count", i);
    iree_string_view_t group = cconv_take_group(fragment, &i);
    size = iree_host_align(size, 4) + 4;
    if (segment) size = iree_host_align(size, cconv_group_alignment(group));
    for (uint32_t t = 0; t < segment; ++t) {
      for (iree_host_size_t k = 0; k < group.size; ++k) {
        IREE_RETURN_IF_ERROR(expect_register(v, &operands, group.data[k]));
        size = iree_host_align(size, cconv_alignment(group.data[k])) + cconv_size(group.data[k]);
      }
    }
  }
  if (operands.next != operands.count) return verify_fail(v, ": too many operands", operands.count);
  if (segments.next != segments.count) return verify_fail(v, ": too many segments", segments.count);
  *out_size = iree_host_align(size, CCONV_AREA_ALIGNMENT);
  return iree_ok_status();
}

static iree_status_t verify_results(const verify_t *v, iree_string_view_t fragment, uint32_t pc) {
  list_view_t results = list_view(v, pc);
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    IREE_RETURN_IF_ERROR(expect_register(v, &results, fragment.data[i]));
  }
  if (results.next != results.count) return verify_fail(v, ": too many results", results.count);
  return iree_ok_status();
}

// Room that any signature fitting the operand lists takes: every value padded to the largest
// member.
static uint64_t largest_scratch(const verify_t *v) {
  uint64_t values = list_view(v, v->operands_pc).count + list_view(v, v->results_pc).count;
  return 24 * values + 16 * (uint64_t)list_view(v, v->segments_pc).count + 64;
}

static iree_status_t verify_call(verify_t *v) {
  bool is_variadic =
      v->row->number == ISA_OP_CallVariadic || v->row->number == ISA_OP_CallVariadicYieldable;
  bool is_import = v->callee & ISA_IMPORT_BIT;
  uint32_t ordinal = v->callee & ~ISA_IMPORT_BIT;
  uint64_t size = 0;
  if (!is_import) {
    const bytecode_function_t *callee = &v->module->functions[ordinal];
    if (is_variadic) return verify_fail(v, ": variadic calls reach imports only", ordinal);
    IREE_RETURN_IF_ERROR(verify_arguments(v, callee->arguments, false, &size));
    return verify_results(v, callee->results, v->results_pc);
  }
  const bytecode_import_decl_t *import = &v->module->imports[ordinal];
  iree_string_view_t arguments = import->arguments, results = import->results;
  if (v->is_import_check) {
    if (ordinal != v->import_ordinal) return iree_ok_status();
    arguments = v->import_arguments;
    results = v->import_results;
  } else if (import->calling_convention.size == 0) {
    size = largest_scratch(v);  // the rest is proven once the exporter is known
    v->function->scratch_size = (uint32_t)iree_max(v->function->scratch_size, size);
    return iree_ok_status();
  }
  if (!is_variadic && iree_vm_function_call_is_variadic_cconv(arguments)) {
    return verify_fail(v, ": variadic import needs call.variadic", ordinal);
  }
  IREE_RETURN_IF_ERROR(verify_arguments(v, arguments, is_variadic, &size));
  IREE_RETURN_IF_ERROR(verify_results(v, results, v->results_pc));
  size += cconv_area_size(results);
  if (size > IREE_VM_STACK_MAX_SIZE) return verify_fail(v, ": arguments exceed the stack", size);
  if (v->is_import_check) {  // modules are shared: room was reserved when it was loaded
    if (size <= v->function->scratch_size) return iree_ok_status();
    return verify_fail(v, ": arguments exceed what was reserved", size);
  }
  v->function->scratch_size = (uint32_t)iree_max(v->function->scratch_size, size);
  return iree_ok_status();
}

static iree_status_t verify_op_rules(verify_t *v) {
  switch (v->row->number) {
    case ISA_OP_Call:
    case ISA_OP_CallVariadic:
    case ISA_OP_CallYieldable:
    case ISA_OP_CallVariadicYieldable:
      return verify_call(v);
    case ISA_OP_Return:
      return verify_results(v, v->function->results, v->operands_pc);
    case ISA_OP_ImportResolved:
      if (v->callee & ISA_IMPORT_BIT) return iree_ok_status();
      return verify_fail(v, ": not an import", v->callee);
    default:
      return iree_ok_status();
  }
}

// One instruction; |out_is_terminator| tells whether its block ends.
static iree_status_t verify_instruction(verify_t *v, bool *out_is_terminator) {
  *out_is_terminator = false;
  v->op_pc = v->cursor.pc;
  v->segments_pc = v->operands_pc = v->results_pc = 0;
  v->has_callee = false;
  v->row = NULL;
  uint8_t opcode = v->cursor.base[v->op_pc];
  const isa_row_t *row = cursor_row(&v->cursor);
  if (v->cursor.is_truncated) return verify_fail(v, "instruction is cut off", opcode);
  if (!row || row->number == ISA_PREFIX_F32 || row->number == ISA_PREFIX_F64) {
    return verify_fail(v, "unrecognized opcode", opcode);
  }
  v->row = row;
  uint32_t feature = opcode == ISA_PREFIX_F32   ? ABI_FEATURE_EXT_F32
                     : opcode == ISA_PREFIX_F64 ? ABI_FEATURE_EXT_F64
                                                : 0;
  if (feature & ~v->function->requirements) {
    return verify_fail(v, ": function does not declare the feature it uses", feature);
  }
  if (row->number == ISA_OP_Block) {
    if (v->op_pc > ISA_MAX_BLOCK_PC) {
      return verify_fail(v, "block too far into the function", v->op_pc);
    }
    if (v->blocks) v->blocks[v->op_pc] |= BLOCK_MARKER;
    ++v->marker_count;
    return iree_ok_status();
  }
  isa_field_t field;
  for (const char *s = row->fields; (s = isa_field_next(s, &field));) {
    if (field.kind == '!') *out_is_terminator = true;
    IREE_RETURN_IF_ERROR(verify_field(v, &field));
    if (v->cursor.is_truncated) return verify_fail(v, ": instruction is cut off", v->op_pc);
  }
  return verify_op_rules(v);
}

// Every branch must meet a marker; the count is part of the file.
static iree_status_t verify_blocks(verify_t *v) {
  v->row = NULL;
  for (uint32_t pc = 0; pc < v->function->length; ++pc) {
    if (v->blocks[pc] == BLOCK_TARGET) {
      v->op_pc = pc;
      return verify_fail(v, "branch target is not a block", pc);
    }
  }
  if (v->marker_count != v->function->block_count) {
    return verify_fail(v, "number of blocks differs from the descriptor's", v->marker_count);
  }
  return iree_ok_status();
}

static iree_status_t verify_walk(verify_t *v) {
  bool at_block_start = true;
  while (v->cursor.pc < v->cursor.length) {
    v->op_pc = v->cursor.pc;
    v->row = NULL;
    bool is_marker = v->cursor.base[v->op_pc] == ISA_OP_Block;
    if (at_block_start && !is_marker) {
      return verify_fail(v, "block does not start with a marker", v->op_pc);
    }
    if (!at_block_start && is_marker) {
      return verify_fail(v, "block does not end with a terminator", v->op_pc);
    }
    bool is_terminator = false;
    IREE_RETURN_IF_ERROR(verify_instruction(v, &is_terminator));
    at_block_start = is_terminator;
  }
  if (!at_block_start) return verify_fail(v, "function does not end with a terminator", v->op_pc);
  return iree_ok_status();
}

// Arguments arrive in i0.. and r0..; there must be that many registers.
static iree_status_t verify_entry_registers(verify_t *v) {
  uint32_t n_i32 = 0, n_ref = 0;
  iree_string_view_t arguments = v->function->arguments;
  for (iree_host_size_t i = 0; i < arguments.size; ++i) {
    char letter = arguments.data[i];
    if (letter == IREE_VM_CCONV_TYPE_REF)
      ++n_ref;
    else if (cconv_is_wide(letter))
      n_i32 = ((n_i32 + 1) & ~1u) + 2;
    else
      ++n_i32;
  }
  if (n_i32 > v->function->i32_count || n_ref > v->function->ref_count) {
    return verify_fail(v, "function has too few registers for its arguments", arguments.size);
  }
  return iree_ok_status();
}

static verify_t verify_make(bytecode_module_t *module, uint32_t ordinal) {
  bytecode_function_t *function = &module->functions[ordinal];
  verify_t v = {
      .module = module,
      .function = function,
      .ordinal = ordinal,
      .cursor = {.base = function->bytecode, .length = function->length},
  };
  return v;
}

iree_status_t bytecode_verify_function(bytecode_module_t *module, uint32_t ordinal) {
  verify_t v = verify_make(module, ordinal);
  v.function->scratch_size = 0;
  IREE_RETURN_IF_ERROR(verify_entry_registers(&v));
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(module->allocator, v.function->length, (void **)&v.blocks));
  iree_status_t status = verify_walk(&v);
  if (iree_status_is_ok(status)) status = verify_blocks(&v);
  iree_allocator_free(module->allocator, v.blocks);
  return status;
}

iree_status_t bytecode_verify_import_calls(bytecode_module_t *module, uint32_t import_ordinal,
                                           iree_string_view_t arguments,
                                           iree_string_view_t results) {
  for (uint32_t i = 0; i < module->function_count; ++i) {
    verify_t v = verify_make(module, i);
    v.is_import_check = true;
    v.import_ordinal = import_ordinal;
    v.import_arguments = arguments;
    v.import_results = results;
    IREE_RETURN_IF_ERROR(verify_walk(&v));
  }
  return iree_ok_status();
}
