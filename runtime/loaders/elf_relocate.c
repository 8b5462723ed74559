// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table per machine; numbers are those of each machine's ELF supplement.
#include "runtime/loaders/elf_relocate.h"

static const struct {
  uint32_t type;
  elf_relocation_form_t form;
} rows[] = {
    {0, ELF_RELOCATION_NONE},
#if defined(__x86_64__)
    {1, ELF_RELOCATION_WORD},            // R_X86_64_64
    {2, ELF_RELOCATION_PC_RELATIVE_32},  // R_X86_64_PC32
    {6, ELF_RELOCATION_SYMBOL},          // R_X86_64_GLOB_DAT
    {7, ELF_RELOCATION_SYMBOL},          // R_X86_64_JUMP_SLOT
    {8, ELF_RELOCATION_RELATIVE},        // R_X86_64_RELATIVE
    {10, ELF_RELOCATION_32},             // R_X86_64_32
    {11, ELF_RELOCATION_32_SIGNED},      // R_X86_64_32S
#elif defined(__i386__)
    {1, ELF_RELOCATION_WORD},            // R_386_32
    {2, ELF_RELOCATION_PC_RELATIVE_32},  // R_386_PC32
    {6, ELF_RELOCATION_SYMBOL},          // R_386_GLOB_DAT
    {7, ELF_RELOCATION_SYMBOL},          // R_386_JMP_SLOT
    {8, ELF_RELOCATION_RELATIVE},        // R_386_RELATIVE
#elif defined(__aarch64__)
    {257, ELF_RELOCATION_WORD},       // R_AARCH64_ABS64
    {1025, ELF_RELOCATION_WORD},      // R_AARCH64_GLOB_DAT
    {1026, ELF_RELOCATION_WORD},      // R_AARCH64_JUMP_SLOT
    {1027, ELF_RELOCATION_RELATIVE},  // R_AARCH64_RELATIVE
#elif defined(__arm__)
    {2, ELF_RELOCATION_WORD},            // R_ARM_ABS32
    {3, ELF_RELOCATION_PC_RELATIVE_32},  // R_ARM_REL32
    {21, ELF_RELOCATION_SYMBOL},         // R_ARM_GLOB_DAT
    {22, ELF_RELOCATION_SYMBOL},         // R_ARM_JUMP_SLOT
    {23, ELF_RELOCATION_RELATIVE},       // R_ARM_RELATIVE
#elif defined(__riscv)
    {1, ELF_RELOCATION_32},        // R_RISCV_32
#if __riscv_xlen == 64
    {2, ELF_RELOCATION_WORD},      // R_RISCV_64
#endif
    {3, ELF_RELOCATION_RELATIVE},  // R_RISCV_RELATIVE
    {5, ELF_RELOCATION_SYMBOL},    // R_RISCV_JUMP_SLOT
#endif
};

elf_relocation_form_t elf_relocation_form(uint32_t type) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    if (rows[i].type == type) return rows[i].form;
  }
  return (elf_relocation_form_t)0;
}
