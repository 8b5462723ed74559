// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocation rules for x86-64 (System V psABI) and AArch64 (ELF for the Arm 64-bit architecture).
// S is the symbol's address, A the addend, P the place; addresses count from the image's base,
// which is page aligned when loaded, so page-relative forms may be resolved here too.
#include <string.h>

#include "compiler/codegen/llvm/elf_link.h"

enum {
  X86_64_64 = 1,
  X86_64_PC32 = 2,
  X86_64_PLT32 = 4,
  X86_64_RELATIVE = 8,
  X86_64_GOTPCREL = 9,
  X86_64_32 = 10,
  X86_64_32S = 11,
  X86_64_PC64 = 24,
  X86_64_GOTPCRELX = 41,
  X86_64_REX_GOTPCRELX = 42,
};
enum {
  ARM_64_ABS64 = 257,
  ARM_64_PREL64 = 260,
  ARM_64_PREL32 = 261,
  ARM_64_ADR_PREL_LO21 = 274,
  ARM_64_ADR_PREL_PG_HI21 = 275,
  ARM_64_ADR_PREL_PG_HI21_NC = 276,
  ARM_64_ADD_ABS_LO12_NC = 277,
  ARM_64_LDST8_ABS_LO12_NC = 278,
  ARM_64_TSTBR14 = 279,
  ARM_64_CONDBR19 = 280,
  ARM_64_JUMP26 = 282,
  ARM_64_CALL26 = 283,
  ARM_64_LDST16_ABS_LO12_NC = 284,
  ARM_64_LDST32_ABS_LO12_NC = 285,
  ARM_64_LDST64_ABS_LO12_NC = 286,
  ARM_64_LDST128_ABS_LO12_NC = 299,
  ARM_64_RELATIVE = 1027,
};

typedef struct {
  const char *symbol;
  uint8_t *place;       // bytes to patch
  const uint8_t *base;  // start of the section's bytes
  uint64_t s, p;
  int64_t a;
  uint32_t type;
} patch_t;

bool elf_relocation_is_pointer(uint16_t machine, uint32_t type) {
  return machine == ELF_MACHINE_X86_64 ? type == X86_64_64 : type == ARM_64_ABS64;
}

uint32_t elf_relative_type(uint16_t machine) {
  return machine == ELF_MACHINE_X86_64 ? (uint32_t)X86_64_RELATIVE : (uint32_t)ARM_64_RELATIVE;
}

static uint32_t load_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store_u32(uint8_t *p, uint32_t v) {
  for (int i = 0; i < 4; ++i) p[i] = (uint8_t)(v >> (8 * i));
}

static void store_u64(uint8_t *p, uint64_t v) {
  for (int i = 0; i < 8; ++i) p[i] = (uint8_t)(v >> (8 * i));
}

static iree_status_t too_far(const patch_t *patch, int64_t value) {
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "relocation %u against '%s': %lld does not fit its field", patch->type,
                          patch->symbol, (long long)value);
}

static bool fits(int64_t value, int bits) {
  return value >= -((int64_t)1 << (bits - 1)) && value < ((int64_t)1 << (bits - 1));
}

static iree_status_t patch_pc32(const patch_t *patch) {
  int64_t value = (int64_t)(patch->s + (uint64_t)patch->a - patch->p);
  if (!fits(value, 32)) return too_far(patch, value);
  store_u32(patch->place, (uint32_t)value);
  return iree_ok_status();
}

static iree_status_t unknown_relocation(const patch_t *patch) {
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                          "relocation %u against '%s' has no rule in the ELF packer", patch->type,
                          patch->symbol);
}

// There is no table of pointers: a load of one becomes the address computation itself.
static iree_status_t relax_x86_64_got(const patch_t *patch) {
  if (patch->place - patch->base < 2 || patch->place[-2] != 0x8B) return unknown_relocation(patch);
  patch->place[-2] = 0x8D;  // mov reg, [rip+x] -> lea reg, [rip+x]
  return patch_pc32(patch);
}

static iree_status_t patch_x86_64(const patch_t *patch) {
  switch (patch->type) {
    case X86_64_PC32:
    case X86_64_PLT32:
      return patch_pc32(patch);
    case X86_64_PC64:
      store_u64(patch->place, patch->s + (uint64_t)patch->a - patch->p);
      return iree_ok_status();
    case X86_64_GOTPCREL:
    case X86_64_GOTPCRELX:
    case X86_64_REX_GOTPCRELX:
      return relax_x86_64_got(patch);
    case X86_64_32:
    case X86_64_32S:
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                              "32-bit absolute relocation against '%s': code must be position "
                              "independent",
                              patch->symbol);
    default:
      return unknown_relocation(patch);
  }
}

// Writes |value| >> |shift| into a field of |bits| bits at bit |at| of the instruction.
static iree_status_t patch_branch(const patch_t *patch, int bits, int at) {
  int64_t value = (int64_t)(patch->s + (uint64_t)patch->a - patch->p);
  if (!fits(value, bits + 2) || (value & 3)) return too_far(patch, value);
  uint32_t mask = (((uint32_t)1 << bits) - 1) << at;
  uint32_t field = ((uint32_t)((uint64_t)value >> 2) << at) & mask;
  store_u32(patch->place, (load_u32(patch->place) & ~mask) | field);
  return iree_ok_status();
}

static iree_status_t patch_adr(const patch_t *patch, int64_t value) {
  if (!fits(value, 21)) return too_far(patch, value);
  uint32_t field = ((uint32_t)value & 3) << 29 | (((uint32_t)(value >> 2) & 0x7FFFF) << 5);
  store_u32(patch->place, (load_u32(patch->place) & ~0x60FFFFE0u) | field);
  return iree_ok_status();
}

static iree_status_t patch_low12(const patch_t *patch, int shift) {
  uint32_t low = (uint32_t)(patch->s + (uint64_t)patch->a) & 0xFFF;
  if (low & ((1u << shift) - 1)) return too_far(patch, low);
  store_u32(patch->place, (load_u32(patch->place) & ~(0xFFFu << 10)) | (low >> shift) << 10);
  return iree_ok_status();
}

static iree_status_t patch_arm_64(const patch_t *patch) {
  uint64_t target = patch->s + (uint64_t)patch->a;
  switch (patch->type) {
    case ARM_64_PREL64:
      store_u64(patch->place, target - patch->p);
      return iree_ok_status();
    case ARM_64_PREL32:
      return patch_pc32(patch);
    case ARM_64_ADR_PREL_LO21:
      return patch_adr(patch, (int64_t)(target - patch->p));
    case ARM_64_ADR_PREL_PG_HI21:
    case ARM_64_ADR_PREL_PG_HI21_NC:
      return patch_adr(patch, (int64_t)(target >> 12) - (int64_t)(patch->p >> 12));
    case ARM_64_ADD_ABS_LO12_NC:
    case ARM_64_LDST8_ABS_LO12_NC:
      return patch_low12(patch, 0);
    case ARM_64_LDST16_ABS_LO12_NC:
      return patch_low12(patch, 1);
    case ARM_64_LDST32_ABS_LO12_NC:
      return patch_low12(patch, 2);
    case ARM_64_LDST64_ABS_LO12_NC:
      return patch_low12(patch, 3);
    case ARM_64_LDST128_ABS_LO12_NC:
      return patch_low12(patch, 4);
    case ARM_64_TSTBR14:
      return patch_branch(patch, 14, 5);
    case ARM_64_CONDBR19:
      return patch_branch(patch, 19, 5);
    case ARM_64_JUMP26:
    case ARM_64_CALL26:
      return patch_branch(patch, 26, 0);
    default:
      return unknown_relocation(patch);
  }
}

iree_status_t elf_relocate_section(const elf_object_t *object, const elf_section_t *section,
                                   uint8_t *bytes, elf_relative_t *out_relative,
                                   size_t *relative_count) {
  for (size_t i = 0; i < section->relocation_count; ++i) {
    elf_relocation_t relocation = elf_relocation_at(section, i);
    if (relocation.type == 0) continue;
    const elf_symbol_t *symbol = &object->symbols[relocation.symbol];
    uint64_t s = symbol->value;
    if (symbol->kind == ELF_IN_SECTION) s += object->sections[symbol->section].address;
    bool is_pointer = elf_relocation_is_pointer(object->machine, relocation.type);
    if (relocation.offset > section->size ||
        section->size - relocation.offset < (is_pointer ? 8 : 4)) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "relocation outside section '%s'",
                              section->name);
    }
    patch_t patch = {
        .symbol = symbol->name[0] ? symbol->name : section->name,
        .place = bytes + relocation.offset,
        .base = bytes,
        .s = s,
        .p = section->address + relocation.offset,
        .a = relocation.addend,
        .type = relocation.type,
    };
    if (is_pointer) {
      uint64_t value = s + (uint64_t)relocation.addend;
      store_u64(patch.place, value);
      out_relative[(*relative_count)++] = (elf_relative_t){.at = patch.p, .value = value};
      continue;
    }
    IREE_RETURN_IF_ERROR(object->machine == ELF_MACHINE_X86_64 ? patch_x86_64(&patch)
                                                               : patch_arm_64(&patch));
  }
  return iree_ok_status();
}
