// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instruction of a verified function: its row, and where its fields are. What prints or follows
// programs is a loop on bytecode_instruction_read.
#ifndef RUNTIME_VM_BYTECODE_INSTRUCTION_H_
#define RUNTIME_VM_BYTECODE_INSTRUCTION_H_

#include "runtime/vm/bytecode/module_impl.h"

#define BYTECODE_MAX_FIELDS 8
typedef struct bytecode_instruction_t {
  const isa_row_t *row;
  uint32_t pc;
  uint32_t field_count;
  isa_field_t fields[BYTECODE_MAX_FIELDS];
  uint32_t field_pc[BYTECODE_MAX_FIELDS];
} bytecode_instruction_t;

static inline void bytecode_skip_remap(bytecode_cursor_t *cursor) {
  cursor_align(cursor);
  cursor->pc += 4u * cursor_u16(cursor);
}

// Moves over a field; the bytecode is verified.
static inline void bytecode_skip_field(const isa_field_t *field, bytecode_cursor_t *cursor) {
  switch (field->kind) {
    case 'r':
    case 'm':
    case 'w':
      cursor->pc += 2;
      break;
    case '#':
      cursor->pc += field->bank == 'I' || field->bank == 'F' ? 8 : 4;
      break;
    case '@':
    case '>':
      cursor->pc += 4;
      break;
    case '~':
      bytecode_skip_remap(cursor);
      break;
    case '[':
    case ']':
      cursor_align(cursor);
      cursor->pc += 2u * cursor_u16(cursor);
      break;
    case '$':
      cursor->pc += cursor_u16(cursor);
      break;
    case '=': {
      uint16_t count = cursor_u16(cursor);
      for (uint32_t i = 0; i < count; ++i) {
        cursor->pc += 4;
        bytecode_skip_remap(cursor);
      }
      break;
    }
    default:
      break;
  }
}

// Reads the row and the positions of the fields of the instruction at |cursor|; moves past it.
static inline void bytecode_instruction_read(bytecode_instruction_t *at, bytecode_cursor_t *cursor) {
  at->pc = cursor->pc;
  at->row = cursor_row(cursor);
  at->field_count = 0;
  isa_field_t field;
  for (const char *s = at->row->fields; (s = isa_field_next(s, &field));) {
    if (field.kind == '!') continue;
    at->fields[at->field_count] = field;
    at->field_pc[at->field_count++] = cursor->pc;
    bytecode_skip_field(&field, cursor);
  }
}

// A cursor at field |i|.
static inline bytecode_cursor_t bytecode_instruction_field(const bytecode_instruction_t *at,
                                                           const bytecode_function_t *function,
                                                           uint32_t i) {
  bytecode_cursor_t cursor = {function->bytecode, function->length, at->field_pc[i], false};
  return cursor;
}

#endif  // RUNTIME_VM_BYTECODE_INSTRUCTION_H_
