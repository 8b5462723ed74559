// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of an executable image, without running any of it. Files of this compiler say where their
// kernels are in a note (abi/elf_note.h). Others have tables of pointers (abi/executable_library.h)
// that relocations fill: every relocated word may be the first of a library, which the form of what
// follows tells.
//
// Images are 64-bit little-endian ELF files; all offsets are checked on use.
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/elf_note.h"
#include "tooling/inspect/inspect.h"

enum { MAX_KERNELS = 4096, MAX_SEGMENTS = 64, R_X86_64_RELATIVE_ = 8, R_AARCH64_RELATIVE_ = 1027, R_RISCV_RELATIVE_ = 3 };

typedef struct segment_t {
  uint64_t address, offset, size;
} segment_t;
typedef struct relocation_t {
  uint64_t at, value;
} relocation_t;
typedef struct elf_t {
  iree_const_byte_span_t data;
  segment_t segments[MAX_SEGMENTS];
  uint32_t n_segments;
  uint64_t dynamic, dynamic_size;    // file offsets
  uint64_t notes[8][2];
  uint32_t n_notes;
  relocation_t *relocations;
  uint32_t n_relocations, cap_relocations;
  uint64_t *stops;                   // addresses where something else begins
  uint32_t n_stops, cap_stops;
  iree_arena_t *arena;
} elf_t;

// The bytes at an address, NULL when not all of them are in the file.
static const uint8_t *bytes_at(const elf_t *elf, uint64_t address, uint64_t size) {
  for (uint32_t i = 0; i < elf->n_segments; ++i) {
    const segment_t *s = &elf->segments[i];
    if (address < s->address || address - s->address > s->size) continue;
    if (size <= s->size - (address - s->address)) return elf->data.data + s->offset + (address - s->address);
  }
  return NULL;
}
static iree_string_view_t string_at(const elf_t *elf, uint64_t address) {
  const uint8_t *p = bytes_at(elf, address, 1);
  if (!p) return iree_string_view_empty();
  size_t room = (size_t)(elf->data.data + elf->data.data_length - p);
  const uint8_t *end = memchr(p, 0, room < 4096 ? room : 4096);
  return end ? iree_make_string_view((const char *)p, (size_t)(end - p)) : iree_string_view_empty();
}
static uint32_t u32_at(const elf_t *elf, uint64_t address) {
  const uint8_t *p = bytes_at(elf, address, 4);
  return p ? iree_unaligned_load_le_u32(p) : 0;
}
// The pointer that a relocation makes of the word at an address, 0 when there is none.
static uint64_t pointer_at(const elf_t *elf, uint64_t address) {
  uint32_t low = 0, high = elf->n_relocations;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (elf->relocations[middle].at < address) low = middle + 1;
    else high = middle;
  }
  return low < elf->n_relocations && elf->relocations[low].at == address ? elf->relocations[low].value : 0;
}

static void add_stop(elf_t *elf, uint64_t address) {
  IREE_ARENA_PUSH(elf->arena, elf->stops, elf->n_stops, elf->cap_stops, address);
}

static const char *machine_name(uint16_t machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "AArch64";
    case EM_386: return "x86-32";
    case EM_ARM: return "Arm";
    case EM_RISCV: return "RISC-V";
    default: return "unknown machine";
  }
}

static const char *read_headers(elf_t *elf) {
  Elf64_Ehdr header;
  if (elf->data.data_length < sizeof(header)) return "the image is too short for an ELF file";
  memcpy(&header, elf->data.data, sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "only 64-bit little-endian images are read";
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > elf->data.data_length ||
      header.e_phnum > (elf->data.data_length - header.e_phoff) / sizeof(Elf64_Phdr))
    return "the program headers leave the image";
  for (uint32_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr p;
    memcpy(&p, elf->data.data + header.e_phoff + i * sizeof(p), sizeof(p));
    if (p.p_offset > elf->data.data_length || p.p_filesz > elf->data.data_length - p.p_offset)
      return "a segment leaves the image";
    if (p.p_type == PT_LOAD && elf->n_segments < MAX_SEGMENTS) {
      segment_t s = {p.p_vaddr, p.p_offset, p.p_filesz};
      elf->segments[elf->n_segments++] = s;
      add_stop(elf, p.p_vaddr + p.p_filesz);
    } else if (p.p_type == PT_DYNAMIC) {
      elf->dynamic = p.p_offset, elf->dynamic_size = p.p_filesz;
      add_stop(elf, p.p_vaddr);
    } else if (p.p_type == PT_NOTE && elf->n_notes < IREE_ARRAYSIZE(elf->notes)) {
      elf->notes[elf->n_notes][0] = p.p_offset, elf->notes[elf->n_notes++][1] = p.p_filesz;
    }
  }
  return NULL;
}

// Sections are not needed to run, but where they are they tell where code ends.
static void read_sections(elf_t *elf) {
  Elf64_Ehdr header;
  memcpy(&header, elf->data.data, sizeof(header));
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > elf->data.data_length ||
      header.e_shnum > (elf->data.data_length - header.e_shoff) / sizeof(Elf64_Shdr) ||
      header.e_shoff == header.e_phoff)
    return;
  for (uint32_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr s;
    memcpy(&s, elf->data.data + header.e_shoff + i * sizeof(s), sizeof(s));
    if (!(s.sh_flags & SHF_ALLOC)) continue;
    add_stop(elf, s.sh_addr);
    add_stop(elf, s.sh_addr + s.sh_size);
  }
}

static int compare_relocations(const void *a, const void *b) {
  uint64_t x = ((const relocation_t *)a)->at, y = ((const relocation_t *)b)->at;
  return (x > y) - (x < y);
}
static int compare_stops(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void read_relocations(elf_t *elf) {
  uint64_t table = 0, size = 0;
  for (uint64_t i = 0; i + sizeof(Elf64_Dyn) <= elf->dynamic_size; i += sizeof(Elf64_Dyn)) {
    Elf64_Dyn d;
    memcpy(&d, elf->data.data + elf->dynamic + i, sizeof(d));
    if (d.d_tag == DT_NULL) break;
    if (d.d_tag == DT_RELA) table = d.d_un.d_ptr;
    if (d.d_tag == DT_RELASZ) size = d.d_un.d_val;
    if (d.d_tag == DT_SYMTAB || d.d_tag == DT_STRTAB || d.d_tag == DT_HASH || d.d_tag == DT_RELA)
      add_stop(elf, d.d_un.d_ptr);
  }
  const uint8_t *p = size ? bytes_at(elf, table, size) : NULL;
  if (!p) return;
  for (uint64_t i = 0; i + sizeof(Elf64_Rela) <= size; i += sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    memcpy(&r, p + i, sizeof(r));
    uint32_t type = (uint32_t)r.r_info;
    if (type != R_X86_64_RELATIVE_ && type != R_AARCH64_RELATIVE_ && type != R_RISCV_RELATIVE_) continue;
    relocation_t relocation = {r.r_offset, (uint64_t)r.r_addend};
    IREE_ARENA_PUSH(elf->arena, elf->relocations, elf->n_relocations, elf->cap_relocations, relocation);
    add_stop(elf, relocation.at);
    add_stop(elf, relocation.value);
  }
  if (elf->n_relocations)
    qsort(elf->relocations, elf->n_relocations, sizeof(*elf->relocations), compare_relocations);
}

static uint64_t stop_after(const elf_t *elf, uint64_t address) {
  uint32_t low = 0, high = elf->n_stops;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (elf->stops[middle] <= address) low = middle + 1;
    else high = middle;
  }
  return low < elf->n_stops ? elf->stops[low] : address;
}

// ---- the note ----------------------------------------------------------------------------------

static bool place_kernel(const elf_t *elf, inspect_kernel_t *kernel, uint64_t address, uint64_t size) {
  const uint8_t *code = bytes_at(elf, address, size);
  if (!code) return false;
  kernel->address = address;
  kernel->offset = (uint64_t)(code - elf->data.data);
  kernel->size = size;
  return true;
}

static void read_kernel_note(const elf_t *elf, const uint8_t *p, uint64_t n, inspect_image_t *image) {
  uint32_t cap = 0;
  while (n >= 13 && image->n_kernels < MAX_KERNELS) {
    inspect_kernel_t kernel = {.binding_count = p[12], .has_counts = true};
    uint64_t masks = (kernel.binding_count + 3) / 4;
    if (kernel.binding_count > 64 || n - 13 < masks) return;
    const uint8_t *text = p + 13 + masks, *end = memchr(text, 0, n - 13 - masks);
    if (!end || !iree_unaligned_load_le_u32(p + 4)) return;  // the padding
    for (uint32_t i = 0; i < kernel.binding_count; ++i) {
      uint32_t access = (uint32_t)p[13 + i / 4] >> i % 4 * 2;
      kernel.reads |= (uint64_t)(access & IREE_ELF_NOTE_KERNEL_READS) << i;
      kernel.writes |= (uint64_t)(access >> 1 & 1) << i;
    }
    kernel.name = string_at(elf, iree_unaligned_load_le_u32(p + 8));
    kernel.sources = iree_make_string_view((const char *)text, (size_t)(end - text));
    kernel.constant_count = 0;
    place_kernel(elf, &kernel, iree_unaligned_load_le_u32(p), iree_unaligned_load_le_u32(p + 4));
    IREE_ARENA_PUSH(elf->arena, image->kernels, image->n_kernels, cap, kernel);
    n -= (uint64_t)(end + 1 - p);
    p = end + 1;
  }
}

static void read_notes(const elf_t *elf, inspect_image_t *image) {
  for (uint32_t i = 0; i < elf->n_notes; ++i) {
    const uint8_t *p = elf->data.data + elf->notes[i][0];
    uint64_t left = elf->notes[i][1];
    while (left >= 12 && !image->n_kernels) {
      uint64_t name = iree_unaligned_load_le_u32(p), size = iree_unaligned_load_le_u32(p + 4);
      uint64_t at = 12 + ((name + 3) & ~3ull), end = at + ((size + 3) & ~3ull);
      if (at > left || size > left - at) break;
      if (name == IREE_ELF_NOTE_NAME_SIZE && iree_unaligned_load_le_u32(p + 8) == IREE_ELF_NOTE_TYPE_KERNELS &&
          !memcmp(p + 12, IREE_ELF_NOTE_NAME, IREE_ELF_NOTE_NAME_SIZE))
        read_kernel_note(elf, p + at, size, image);
      if (end >= left) break;
      p += end, left -= end;
    }
  }
}

// ---- tables of pointers ------------------------------------------------------------------------

static bool is_library(const elf_t *elf, uint64_t at) {
  uint64_t header = pointer_at(elf, at);
  uint32_t version = u32_at(elf, header), count = u32_at(elf, at + 24);
  return header && version >= 1 && version <= 16 && string_at(elf, pointer_at(elf, header + 8)).size &&
         count && count <= MAX_KERNELS && pointer_at(elf, at + 32) && pointer_at(elf, at + 40) &&
         pointer_at(elf, at + 64) && pointer_at(elf, pointer_at(elf, at + 32));
}

static void read_library(const elf_t *elf, uint64_t at, inspect_image_t *image) {
  uint32_t count = u32_at(elf, at + 24);
  uint64_t pointers = pointer_at(elf, at + 32), attributes = pointer_at(elf, at + 40);
  uint64_t names = pointer_at(elf, at + 64), locations = pointer_at(elf, at + 80);
  if (!bytes_at(elf, pointers, 8ull * count) || !bytes_at(elf, attributes, 64ull * count)) return;
  image->kernels = IREE_ARENA_ARRAY(elf->arena, inspect_kernel_t, count);
  image->n_kernels = count;
  for (uint32_t i = 0; i < count; ++i) {
    inspect_kernel_t *kernel = &image->kernels[i];
    uint64_t address = pointer_at(elf, pointers + 8ull * i);
    const uint8_t *attribute = bytes_at(elf, attributes + 64ull * i, 64);
    kernel->name = string_at(elf, pointer_at(elf, names + 8ull * i));
    kernel->constant_count = attribute[10];
    kernel->binding_count = attribute[11];
    kernel->has_counts = true;
    if (address) place_kernel(elf, kernel, address, stop_after(elf, address) - address);
    if (!locations || !bytes_at(elf, locations + 16ull * i, 16)) continue;
    iree_string_view_t path = string_at(elf, pointer_at(elf, locations + 16ull * i + 8));
    uint32_t length = u32_at(elf, locations + 16ull * i + 4);
    if (!path.size || length > path.size) continue;
    char *text = iree_arena_alloc(elf->arena, path.size + 16);
    int n = snprintf(text, path.size + 16, "%.*s:%u", (int)length, path.data, u32_at(elf, locations + 16ull * i));
    kernel->sources = iree_make_string_view(text, (size_t)n);
  }
}

void inspect_image_read(iree_const_byte_span_t data, iree_arena_t *arena, inspect_image_t *image) {
  image->data = data;
  if (data.data_length < 20 || memcmp(data.data, "\x7f" "ELF", 4) != 0) {
    image->note = "not an ELF image: kernels are not told apart";
    return;
  }
  image->machine = machine_name(iree_unaligned_load_le_u16(data.data + 18));
  elf_t elf = {.data = data, .arena = arena};
  image->note = read_headers(&elf);
  if (image->note) return;
  read_sections(&elf);
  read_relocations(&elf);
  if (elf.n_stops) qsort(elf.stops, elf.n_stops, sizeof(*elf.stops), compare_stops);
  read_notes(&elf, image);
  for (uint32_t i = 0; i < elf.n_relocations && !image->n_kernels; ++i)
    if (is_library(&elf, elf.relocations[i].at)) read_library(&elf, elf.relocations[i].at, image);
  if (!image->n_kernels)
    image->note = "the image does not say where its kernels are: compile with --iree-hal-executable-debug-level=1 or more";
}
