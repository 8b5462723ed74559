// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocations of the machine that we run on.
#ifndef RUNTIME_LOADERS_ELF_RELOCATE_H_
#define RUNTIME_LOADERS_ELF_RELOCATE_H_

#include <elf.h>

#include "iree/base/api.h"

// How a relocation's value is made and stored: S symbol, A addend, P place, B load bias.
typedef enum elf_relocation_form_e {
  ELF_RELOCATION_NONE = 1,
  ELF_RELOCATION_WORD,            // S + A, pointer size
  ELF_RELOCATION_SYMBOL,          // S, pointer size
  ELF_RELOCATION_RELATIVE,        // B + A, pointer size
  ELF_RELOCATION_32,              // S + A, 32 bits, must fit unsigned
  ELF_RELOCATION_32_SIGNED,       // S + A, 32 bits, must fit signed
  ELF_RELOCATION_PC_RELATIVE_32,  // S + A - P, 32 bits, must fit signed
} elf_relocation_form_t;

#if defined(__x86_64__)
#define ELF_HOST_MACHINE EM_X86_64
#define ELF_HOST_USES_RELA 1
#elif defined(__i386__)
#define ELF_HOST_MACHINE EM_386
#define ELF_HOST_USES_RELA 0
#elif defined(__aarch64__)
#define ELF_HOST_MACHINE EM_AARCH64
#define ELF_HOST_USES_RELA 1
#elif defined(__arm__)
#define ELF_HOST_MACHINE EM_ARM
#define ELF_HOST_USES_RELA 0
#elif defined(__riscv)
#define ELF_HOST_MACHINE EM_RISCV
#define ELF_HOST_USES_RELA 1
#else
#error "embedded ELF executables are not known for this machine"
#endif

// The form of a relocation type; 0 when it is not supported.
elf_relocation_form_t elf_relocation_form(uint32_t type);

#endif  // RUNTIME_LOADERS_ELF_RELOCATE_H_
