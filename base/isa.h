// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction rows of abi/isa.def and the one cursor over their field strings. Encoder,
// verifier, disassembler and assembler are each a loop on isa_field_next.
#ifndef BASE_ISA_H_
#define BASE_ISA_H_

#include "abi/isa.h"
#include "iree/base/string_view.h"

typedef struct isa_row_t {
  const char *mnemonic;  // "add.i32"; empty for the block marker and the prefixes
  const char *fields;
  uint16_t number;  // opcode, or prefix byte << 8 | opcode
} isa_row_t;

// Row of a number, NULL when unassigned.
const isa_row_t *isa_row(uint32_t number);
// Row of a mnemonic without the "vm." prefix, NULL when there is none.
const isa_row_t *isa_row_by_mnemonic(iree_string_view_t mnemonic);

// The same, at once where it is the next row behind |row|: for tables in the order of this one.
const isa_row_t *isa_row_after(const isa_row_t *row, iree_string_view_t mnemonic);

typedef struct isa_field_t {
  char kind;  // r w m # @ > ~ [ ] $ = !
  char bank;  // i I f F r * for registers, lists and immediates; s for sizes; g G R d f t for @
  iree_string_view_t name;
} isa_field_t;

// Reads one field; returns the rest of the string, NULL at its end.
const char *isa_field_next(const char *fields, isa_field_t *out_field);

#endif  // BASE_ISA_H_
