// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of the VM instruction set (isa.def) and the limits of its encodings. The rows themselves
// and the cursor over their field strings are in base/isa.h.
#ifndef ABI_ISA_H_
#define ABI_ISA_H_

#include <stdint.h>

typedef enum isa_op_e {
#define ISA_OP(number, symbol, mnemonic, fields, doc) ISA_OP_##symbol = number,
#include "abi/isa.def"
#undef ISA_OP
} isa_op_t;

#define ISA_PREFIX_F32 0xE0u
#define ISA_PREFIX_F64 0xE1u

// A register operand, u16:
//   value  0 | ordinal (15)            one i32 bank; a 64-bit value takes an even-aligned pair
//   ref    1 | MOVE | ordinal (14)
#define ISA_REF_BIT 0x8000u
#define ISA_MOVE_BIT 0x4000u
#define ISA_REF_MASK 0x3FFFu
#define ISA_I32_MASK 0x7FFFu
#define ISA_MAX_I32_REGISTERS 0x7FFF
#define ISA_MAX_REF_REGISTERS 0x3FFF
#define ISA_MAX_BLOCK_PC 0x00FFFFFFu
#define ISA_IMPORT_BIT 0x80000000u
#define ISA_SEGMENT_SCALAR 0xFFFFu

#endif  // ABI_ISA_H_
