// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the packer's two halves share: the objects as read (elf_pack.c) and the image being built, on
// which elf_relocate.c resolves relocations.
#ifndef IREE_COMPILER_CODEGEN_LLVM_ELF_LINK_H_
#define IREE_COMPILER_CODEGEN_LLVM_ELF_LINK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iree/base/api.h"

enum { ELF_MACHINE_X86_64 = 62, ELF_MACHINE_ARM_64 = 183 };

typedef struct {
  const char *name;
  uint32_t type;
  uint64_t flags, size, align;
  const uint8_t *data;  // NULL for zero-filled sections
  // Relocations of this section: 24-byte records.
  const uint8_t *relocations;
  size_t relocation_count;
  uint32_t first_symbol;  // what the records' symbol 0 is
  // Placement.
  bool is_kept, is_writable;
  uint64_t address, file_offset;
} elf_section_t;

typedef enum { ELF_UNDEFINED, ELF_ABSOLUTE, ELF_IN_SECTION } elf_symbol_kind_t;

typedef struct {
  const char *name;
  elf_symbol_kind_t kind;
  bool is_local;     // to its object
  uint32_t section;  // of ELF_IN_SECTION
  uint64_t value;
} elf_symbol_t;

typedef struct {
  uint64_t offset;
  uint32_t type, symbol;
  int64_t addend;
} elf_relocation_t;

// A pointer that the loader fixes: *at = load address + value.
typedef struct {
  uint64_t at, value;
} elf_relative_t;

// One object, or several seen as one.
typedef struct {
  uint16_t machine;
  elf_section_t *sections;
  size_t section_count;
  elf_symbol_t *symbols;
  size_t symbol_count;
} elf_object_t;

// Reads the |index|-th relocation of |section|.
elf_relocation_t elf_relocation_at(const elf_section_t *section, size_t index);

// True when a relocation of |type| is an absolute 64-bit pointer, thus one RELATIVE in the result.
bool elf_relocation_is_pointer(uint16_t machine, uint32_t type);

// The machine's RELATIVE relocation number.
uint32_t elf_relative_type(uint16_t machine);

// Resolves all relocations of |section|, whose bytes lie at |bytes|; pointers go to |out_relative|,
// advancing |*relative_count| (capacity was counted with elf_relocation_is_pointer).
iree_status_t elf_relocate_section(const elf_object_t *object, const elf_section_t *section,
                                   uint8_t *bytes, elf_relative_t *out_relative,
                                   size_t *relative_count);

#endif  // IREE_COMPILER_CODEGEN_LLVM_ELF_LINK_H_
