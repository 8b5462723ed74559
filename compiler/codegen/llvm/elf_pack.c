// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the objects as one, keeps what the exported symbol reaches, places it and writes the image.
//
// The objects come from our own code generator, yet every offset is checked before use: a wrong one
// is a status, not a wild read. All sizes are far below 2^32, which is checked once on all files
// together.
//
// Sections and symbols of all objects stand in one table each, in order; what an object numbers from
// zero is counted from its first section and symbol there.
#include "compiler/codegen/llvm/elf_pack.h"

#include <stdlib.h>
#include <string.h>

#include "abi/elf_note.h"
#include "compiler/codegen/llvm/elf_link.h"

enum {
  EHDR_SIZE = 64,
  PHDR_SIZE = 56,
  SHDR_SIZE = 64,
  SYM_SIZE = 24,
  RELA_SIZE = 24,
  DYN_SIZE = 16,
  MAX_ALIGN_BITS = 12,
  MAX_ALIGN = 1 << MAX_ALIGN_BITS,
  SHN_UNDEF_ = 0,
  SHN_ABS_ = 0xFFF1,
  SHT_PROGBITS_ = 1,
  SHT_SYMTAB_ = 2,
  SHT_RELA_ = 4,
  SHT_NOBITS_ = 8,
  SHF_WRITE_ = 1,
  SHF_ALLOC_ = 2,
  PT_LOAD_ = 1,
  PT_DYNAMIC_ = 2,
  PT_NOTE_ = 4,
  PF_X_ = 1,
  PF_W_ = 2,
  PF_R_ = 4,
  DT_HASH_ = 4,
  DT_STRTAB_ = 5,
  DT_SYMTAB_ = 6,
  DT_RELA_ = 7,
  DT_RELASZ_ = 8,
  DT_RELAENT_ = 9,
  DT_STRSZ_ = 10,
  DT_SYMENT_ = 11,
  DT_TEXTREL_ = 22,
};

static uint64_t load_le(const uint8_t *p, int bytes) {
  uint64_t v = 0;
  for (int i = 0; i < bytes; ++i) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static void store_le(uint8_t *p, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; ++i) p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) & ~(align - 1);
}

elf_relocation_t elf_relocation_at(const elf_section_t *section, size_t index) {
  const uint8_t *p = section->relocations + index * RELA_SIZE;
  uint64_t info = load_le(p + 8, 8);
  return (elf_relocation_t){
      .offset = load_le(p, 8),
      .type = (uint32_t)info,
      .symbol = section->first_symbol + (uint32_t)(info >> 32),
      .addend = (int64_t)load_le(p + 16, 8),
  };
}

//===-- reading ------------------------------------------------------------------------------------

static iree_status_t malformed(const char *what) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "malformed object file: %s", what);
}

// One object file on its way into the tables.
typedef struct {
  const uint8_t *file;
  uint64_t size;
  elf_object_t *object;
  elf_section_t *sections;  // the file's own, in |object|
  size_t section_count;
  uint32_t first_section, first_symbol;
  size_t symbol_count;
} reader_t;

static bool in_file(const reader_t *r, uint64_t offset, uint64_t size) {
  return offset <= r->size && size <= r->size - offset;
}

// The NUL-terminated string at |offset| of string section bytes; NULL when it leaves them.
static const char *string_at(const uint8_t *table, uint64_t size, uint64_t offset) {
  if (offset >= size || !memchr(table + offset, 0, size - offset)) return NULL;
  return (const char *)table + offset;
}

static const uint8_t *section_header(const reader_t *r, size_t index) {
  return r->file + load_le(r->file + 40, 8) + index * SHDR_SIZE;
}

static iree_status_t read_section(const reader_t *r, const uint8_t *header,
                                  elf_section_t *out_section) {
  out_section->first_symbol = r->first_symbol;
  out_section->type = (uint32_t)load_le(header + 4, 4);
  out_section->flags = load_le(header + 8, 8);
  out_section->size = load_le(header + 32, 8);
  out_section->align = load_le(header + 48, 8);
  if (out_section->align == 0) out_section->align = 1;
  if (out_section->align & (out_section->align - 1) || out_section->align > MAX_ALIGN) {
    return malformed("section alignment");
  }
  if (out_section->type == SHT_NOBITS_) {
    if (out_section->size > UINT32_MAX) return malformed("section size");
    return iree_ok_status();
  }
  uint64_t offset = load_le(header + 24, 8);
  if (!in_file(r, offset, out_section->size)) return malformed("section outside the file");
  out_section->data = r->file + offset;
  return iree_ok_status();
}

static void *grow(void *table, size_t old_count, size_t more, size_t size) {
  char *grown = realloc(table, (old_count + more + 1) * size);
  if (!grown) abort();
  memset(grown + old_count * size, 0, (more + 1) * size);
  return grown;
}

static iree_status_t read_sections(reader_t *r) {
  elf_object_t *object = r->object;
  uint64_t table = load_le(r->file + 40, 8);
  r->section_count = (size_t)load_le(r->file + 60, 2);
  size_t names_index = (size_t)load_le(r->file + 62, 2);
  if (!in_file(r, table, (uint64_t)r->section_count * SHDR_SIZE) ||
      names_index >= r->section_count) {
    return malformed("section table");
  }
  object->sections =
      grow(object->sections, object->section_count, r->section_count, sizeof(elf_section_t));
  r->sections = object->sections + object->section_count;
  object->section_count += r->section_count;
  for (size_t i = 1; i < r->section_count; ++i) {
    IREE_RETURN_IF_ERROR(read_section(r, section_header(r, i), &r->sections[i]));
  }
  const elf_section_t *names = &r->sections[names_index];
  r->sections[0].name = "";
  for (size_t i = 1; i < r->section_count; ++i) {
    elf_section_t *section = &r->sections[i];
    const uint8_t *header = section_header(r, i);
    section->name = names->data ? string_at(names->data, names->size, load_le(header, 4)) : NULL;
    if (!section->name) return malformed("section name");
    // Constants that only hold addresses are fixed before the pages become read-only.
    section->is_writable =
        (section->flags & SHF_WRITE_) && strncmp(section->name, ".data.rel.ro", 12) != 0;
    if (section->type != SHT_RELA_) continue;
    size_t target = (size_t)load_le(header + 44, 4);
    if (target >= r->section_count || section->size % RELA_SIZE) return malformed("relocations");
    r->sections[target].relocations = section->data;
    r->sections[target].relocation_count = (size_t)(section->size / RELA_SIZE);
  }
  return iree_ok_status();
}

static iree_status_t read_symbol(const reader_t *r, const uint8_t *p, const elf_section_t *strings,
                                 elf_symbol_t *symbol) {
  symbol->name = string_at(strings->data, strings->size, load_le(p, 4));
  if (!symbol->name) return malformed("symbol name");
  symbol->is_local = p[4] >> 4 == 0;
  symbol->value = load_le(p + 8, 8);
  uint32_t section = (uint32_t)load_le(p + 6, 2);
  symbol->kind = section == SHN_UNDEF_ ? ELF_UNDEFINED
                 : section == SHN_ABS_ ? ELF_ABSOLUTE
                                       : ELF_IN_SECTION;
  if (symbol->kind != ELF_IN_SECTION) return iree_ok_status();
  if (section >= r->section_count) return malformed("symbol section");
  symbol->section = r->first_section + section;
  return iree_ok_status();
}

static iree_status_t read_symbols(reader_t *r) {
  elf_object_t *object = r->object;
  for (size_t i = 1; i < r->section_count; ++i) {
    const elf_section_t *table = &r->sections[i];
    if (table->type != SHT_SYMTAB_) continue;
    size_t strings_index = (size_t)load_le(section_header(r, i) + 40, 4);
    if (strings_index >= r->section_count || !r->sections[strings_index].data) {
      return malformed("symbol strings");
    }
    r->symbol_count = (size_t)(table->size / SYM_SIZE);
    object->symbols =
        grow(object->symbols, object->symbol_count, r->symbol_count, sizeof(elf_symbol_t));
    elf_symbol_t *symbols = object->symbols + object->symbol_count;
    object->symbol_count += r->symbol_count;
    for (size_t s = 0; s < r->symbol_count; ++s) {
      IREE_RETURN_IF_ERROR(read_symbol(r, table->data + s * SYM_SIZE, &r->sections[strings_index],
                                       &symbols[s]));
    }
    return iree_ok_status();
  }
  return malformed("no symbol table");
}

static iree_status_t read_header(reader_t *r) {
  if (r->size < EHDR_SIZE || r->size > INT32_MAX) return malformed("size");
  if (memcmp(r->file,
             "\x7f"
             "ELF\x02\x01\x01",
             7) != 0 ||
      load_le(r->file + 16, 2) != 1) {
    return malformed("not a 64-bit little-endian relocatable ELF file");
  }
  uint16_t machine = (uint16_t)load_le(r->file + 18, 2);
  if (machine != ELF_MACHINE_X86_64 && machine != ELF_MACHINE_ARM_64) {
    return malformed("machine is neither x86-64 nor AArch64");
  }
  if (r->object->machine && r->object->machine != machine) {
    return malformed("objects are for different machines");
  }
  r->object->machine = machine;
  return iree_ok_status();
}

static iree_status_t read_object(iree_const_byte_span_t file, elf_object_t *object) {
  reader_t r = {
      .file = file.data,
      .size = file.data_length,
      .object = object,
      .first_section = (uint32_t)object->section_count,
      .first_symbol = (uint32_t)object->symbol_count,
  };
  IREE_RETURN_IF_ERROR(read_header(&r));
  IREE_RETURN_IF_ERROR(read_sections(&r));
  IREE_RETURN_IF_ERROR(read_symbols(&r));
  // References are checked once, here; users index freely.
  for (size_t i = 0; i < r.section_count; ++i) {
    const elf_section_t *section = &r.sections[i];
    for (size_t n = 0; n < section->relocation_count; ++n) {
      if ((uint32_t)(elf_relocation_at(section, n).symbol - r.first_symbol) >= r.symbol_count) {
        return malformed("relocation symbol");
      }
    }
  }
  return iree_ok_status();
}

static iree_status_t read_objects(const elf_pack_params_t *params, elf_object_t *object) {
  uint64_t total = 0;
  for (size_t i = 0; i < params->object_count; ++i) {
    total += params->objects[i].data_length;
    if (total > INT32_MAX) return malformed("size");
    IREE_RETURN_IF_ERROR(read_object(params->objects[i], object));
  }
  return object->section_count ? iree_ok_status() : malformed("none is given");
}

//===-- symbols across objects ---------------------------------------------------------------------

// Global definitions by name: open addressing, at most half full; entries are symbol numbers + 1.
typedef struct {
  uint32_t *slots;
  size_t mask;
} names_t;

// The slot that holds |name| or, when none does, the empty one where it belongs.
static uint32_t *find_name(const names_t *names, const elf_object_t *object, const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *c = name; *c; ++c) hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
  for (size_t i = (size_t)hash & names->mask;; i = (i + 1) & names->mask) {
    uint32_t *slot = &names->slots[i];
    if (!*slot || strcmp(object->symbols[*slot - 1].name, name) == 0) return slot;
  }
}

static iree_status_t index_definitions(const elf_object_t *object, const names_t *names) {
  for (size_t i = 0; i < object->symbol_count; ++i) {
    const elf_symbol_t *symbol = &object->symbols[i];
    if (symbol->is_local || symbol->kind == ELF_UNDEFINED) continue;
    uint32_t *slot = find_name(names, object, symbol->name);
    if (*slot) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "the symbol '%s' is defined by two objects", symbol->name);
    }
    *slot = (uint32_t)i + 1;
  }
  return iree_ok_status();
}

// Gives each undefined symbol what another object defines under its name, if any does.
static iree_status_t resolve_symbols(elf_object_t *object) {
  names_t names = {.mask = 16};
  while (names.mask < 2 * object->symbol_count) names.mask *= 2;
  names.slots = calloc(names.mask--, sizeof(*names.slots));
  if (!names.slots) abort();
  iree_status_t status = index_definitions(object, &names);
  for (size_t i = 0; i < object->symbol_count && iree_status_is_ok(status); ++i) {
    elf_symbol_t *symbol = &object->symbols[i];
    if (symbol->is_local || symbol->kind != ELF_UNDEFINED) continue;
    uint32_t found = *find_name(&names, object, symbol->name);
    if (found) *symbol = object->symbols[found - 1];
  }
  free(names.slots);
  return status;
}

//===-- reachability -------------------------------------------------------------------------------

// Marks what |root| reaches. Each section is pushed at most once.
static iree_status_t keep_reachable(elf_object_t *object, size_t root) {
  size_t *stack = calloc(object->section_count, sizeof(size_t));
  size_t depth = 0;
  iree_status_t status = iree_ok_status();
  object->sections[root].is_kept = true;
  stack[depth++] = root;
  while (depth && iree_status_is_ok(status)) {
    const elf_section_t *section = &object->sections[stack[--depth]];
    for (size_t i = 0; i < section->relocation_count; ++i) {
      const elf_symbol_t *symbol = &object->symbols[elf_relocation_at(section, i).symbol];
      if (symbol->kind == ELF_ABSOLUTE) continue;
      if (symbol->kind == ELF_UNDEFINED) {
        status =
            iree_make_status(IREE_STATUS_NOT_FOUND,
                             "code in '%s' needs the symbol '%s', which nothing defines; kernels "
                             "must call nothing",
                             section->name, symbol->name);
        break;
      }
      elf_section_t *target = &object->sections[symbol->section];
      if (target->is_kept) continue;
      if (!(target->flags & SHF_ALLOC_)) {
        status = malformed("reference to a section that is not loaded");
        break;
      }
      target->is_kept = true;
      stack[depth++] = symbol->section;
    }
  }
  free(stack);
  return status;
}

static size_t count_pointers(const elf_object_t *object) {
  size_t count = 0;
  for (size_t i = 0; i < object->section_count; ++i) {
    const elf_section_t *section = &object->sections[i];
    if (!section->is_kept) continue;
    for (size_t r = 0; r < section->relocation_count; ++r) {
      if (elf_relocation_is_pointer(object->machine, elf_relocation_at(section, r).type)) ++count;
    }
  }
  return count;
}

//===-- placement ----------------------------------------------------------------------------------

typedef struct {
  uint32_t phdr_count, note_words;
  uint64_t kernels_size;  // of the content of the note of kernels
  size_t relative_count;
  uint64_t dynamic_count;
  uint64_t note, dynamic, symbol, hash, strings, relative;  // file offsets = addresses
  uint64_t strings_size;
  uint64_t text_end;                        // end of the R+X segment
  uint64_t data_offset, data_file_size;     // initialised writable bytes
  uint64_t data_address, data_memory_size;  // all writable bytes
  uint64_t page;
} layout_t;

static bool has_writable(const elf_object_t *object) {
  for (size_t i = 0; i < object->section_count; ++i) {
    const elf_section_t *section = &object->sections[i];
    if (section->is_kept && section->is_writable && section->size) return true;
  }
  return false;
}

typedef struct {
  size_t *next;  // by section: the next one of equal alignment, or section_count
  size_t first[MAX_ALIGN_BITS + 1];
} queues_t;

// Queues the kept sections of one kind by alignment, in order.
static queues_t queue_sections(const elf_object_t *object, bool writable, bool zero_filled) {
  queues_t queues = {.next = calloc(object->section_count, sizeof(size_t))};
  if (!queues.next) abort();
  for (int k = 0; k <= MAX_ALIGN_BITS; ++k) queues.first[k] = object->section_count;
  for (size_t i = object->section_count; i-- > 0;) {
    const elf_section_t *section = &object->sections[i];
    if (!section->is_kept || section->is_writable != writable) continue;
    if ((section->type == SHT_NOBITS_) != zero_filled) continue;
    int k = 0;
    while ((uint64_t)1 << k < section->align) ++k;
    queues.next[i] = queues.first[k];
    queues.first[k] = i;
  }
  return queues;
}

// Places the kept sections of one kind from |cursor| on, each time the first of those that need
// least padding.
static uint64_t place_sections(elf_object_t *object, bool writable, bool zero_filled,
                               uint64_t cursor) {
  queues_t queues = queue_sections(object, writable, zero_filled);
  for (;;) {
    int best = -1;
    uint64_t best_padding = UINT64_MAX;
    for (int k = 0; k <= MAX_ALIGN_BITS; ++k) {
      if (queues.first[k] == object->section_count) continue;
      uint64_t padding = align_up(cursor, (uint64_t)1 << k) - cursor;
      if (padding > best_padding) continue;
      if (padding == best_padding && queues.first[k] > queues.first[best]) continue;
      best = k, best_padding = padding;
    }
    if (best < 0) break;
    elf_section_t *section = &object->sections[queues.first[best]];
    queues.first[best] = queues.next[queues.first[best]];
    section->address = cursor + best_padding;
    cursor = section->address + section->size;
  }
  free(queues.next);
  return cursor;
}

// Of the notes together.
static uint64_t notes_size(const layout_t *layout) {
  uint64_t processor = layout->note_words ? IREE_ELF_NOTE_HEADER_SIZE + 8 * (uint64_t)layout->note_words : 0;
  return processor + (layout->kernels_size ? IREE_ELF_NOTE_HEADER_SIZE + layout->kernels_size : 0);
}

static layout_t make_layout(const elf_pack_params_t *params, elf_object_t *object) {
  layout_t layout = {.page = object->machine == ELF_MACHINE_ARM_64 ? 0x10000 : 0x1000};
  for (size_t i = 0; i < params->processor_word_count; ++i) {
    if (params->processor_words[i]) layout.note_words = (uint32_t)i + 1;
  }
  for (size_t i = 0; i < params->kernel_count; ++i) {
    layout.kernels_size += 12 + params->kernels[i].description.data_length;
  }
  layout.kernels_size = align_up(layout.kernels_size, 8);
  bool writable = has_writable(object);
  layout.relative_count = count_pointers(object);
  layout.dynamic_count = layout.relative_count ? 6 : 4;
  if (params->for_system) layout.dynamic_count += layout.relative_count ? 4 : 2;
  layout.phdr_count = 2u + (writable ? 1u : 0u) + (notes_size(&layout) ? 1u : 0u);
  uint64_t cursor = EHDR_SIZE + (uint64_t)layout.phdr_count * PHDR_SIZE;
  layout.dynamic = cursor;
  cursor += layout.dynamic_count * DYN_SIZE;
  if (params->for_system) cursor += SYM_SIZE;
  layout.symbol = cursor;
  cursor += SYM_SIZE;
  layout.relative = cursor;
  cursor += layout.relative_count * RELA_SIZE;
  layout.note = cursor;
  cursor += notes_size(&layout);
  layout.hash = cursor;
  cursor += params->for_system ? 20 : 8;
  layout.strings = cursor - 1;  // the hash words end in a zero byte, the empty name
  layout.strings_size = strlen(params->export_symbol) + 2;
  cursor = layout.strings + layout.strings_size;
  cursor = place_sections(object, false, false, cursor);
  layout.text_end = place_sections(object, false, true, cursor);
  if (!writable) return layout;
  layout.data_offset = layout.text_end;
  layout.data_address = align_up(layout.text_end, layout.page);
  cursor = place_sections(object, true, false, layout.data_address);
  layout.data_file_size = cursor - layout.data_address;
  if (!layout.data_file_size) layout.data_offset = 0;  // of no page, so of every
  else if (params->for_system) layout.data_offset = layout.data_address;
  cursor = place_sections(object, true, true, cursor);
  layout.data_memory_size = cursor - layout.data_address;
  return layout;
}

//===-- writing ------------------------------------------------------------------------------------

static void write_phdr(uint8_t **at, uint32_t type, uint32_t flags, uint64_t offset,
                       uint64_t address, uint64_t file_size, uint64_t memory_size, uint64_t align) {
  uint8_t *p = *at;
  store_le(p, type, 4);
  store_le(p + 4, flags, 4);
  store_le(p + 8, offset, 8);
  store_le(p + 16, address, 8);
  store_le(p + 24, address, 8);
  store_le(p + 32, file_size, 8);
  store_le(p + 40, memory_size, 8);
  store_le(p + 48, align, 8);
  *at = p + PHDR_SIZE;
}

static void write_dyn(uint8_t **at, uint64_t tag, uint64_t value) {
  store_le(*at, tag, 8);
  store_le(*at + 8, value, 8);
  *at += DYN_SIZE;
}

static void write_headers(const elf_object_t *object, const layout_t *layout, uint8_t *out) {
  static const uint8_t ident[7] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  memcpy(out, ident, sizeof(ident));
  store_le(out + 16, 3, 2);  // ET_DYN
  store_le(out + 18, object->machine, 2);
  store_le(out + 20, 1, 4);
  store_le(out + 32, EHDR_SIZE, 8);
  store_le(out + 40, EHDR_SIZE, 8);  // section table: aliases the program headers
  store_le(out + 52, EHDR_SIZE, 2);
  store_le(out + 54, PHDR_SIZE, 2);
  store_le(out + 56, layout->phdr_count, 2);
  store_le(out + 58, SHDR_SIZE, 2);
  store_le(out + 60, 1, 2);
  uint8_t *at = out + EHDR_SIZE;
  write_phdr(&at, PT_LOAD_, PF_R_ | PF_X_, 0, 0, layout->text_end, layout->text_end, layout->page);
  if (layout->data_memory_size) {
    write_phdr(&at, PT_LOAD_, PF_R_ | PF_W_, layout->data_offset, layout->data_address,
               layout->data_file_size, layout->data_memory_size, layout->page);
  }
  uint64_t dynamic_size = layout->dynamic_count * DYN_SIZE;
  write_phdr(&at, PT_DYNAMIC_, PF_R_, layout->dynamic, layout->dynamic, dynamic_size, dynamic_size,
             8);
  uint64_t note_size = notes_size(layout);
  if (note_size) {
    write_phdr(&at, PT_NOTE_, PF_R_, layout->note, layout->note, note_size, note_size, 4);
  }
}

static void write_dynamic(const elf_object_t *object, const elf_pack_params_t *params,
                          const layout_t *layout, const elf_relative_t *relative,
                          uint64_t export_address, uint8_t *out) {
  uint8_t *at = out + layout->dynamic;
  write_dyn(&at, DT_STRTAB_, layout->strings);
  write_dyn(&at, DT_STRSZ_, layout->strings_size);
  write_dyn(&at, DT_SYMTAB_, layout->symbol - SYM_SIZE);  // symbol 0 is never read
  write_dyn(&at, DT_HASH_, layout->hash);
  if (layout->relative_count) {
    write_dyn(&at, DT_RELA_, layout->relative);
    write_dyn(&at, DT_RELASZ_, layout->relative_count * RELA_SIZE);
  }
  if (params->for_system) {
    write_dyn(&at, DT_SYMENT_, SYM_SIZE);
    if (layout->relative_count) {
      write_dyn(&at, DT_RELAENT_, RELA_SIZE);
      write_dyn(&at, DT_TEXTREL_, 0);
    }
  }
  uint8_t *symbol = out + layout->symbol;
  store_le(symbol, 1, 4);
  symbol[4] = 0x12;            // global function
  store_le(symbol + 6, 1, 2);  // any defined section
  store_le(symbol + 8, export_address, 8);
  for (size_t i = 0; i < layout->relative_count; ++i) {
    uint8_t *entry = out + layout->relative + i * RELA_SIZE;
    store_le(entry, relative[i].at, 8);
    store_le(entry + 8, elf_relative_type(object->machine), 8);
    store_le(entry + 16, relative[i].value, 8);
  }
  store_le(out + layout->hash, 1, 4);
  store_le(out + layout->hash + 4, 2, 4);  // symbols, the null one included
  if (params->for_system) store_le(out + layout->hash + 8, 1, 4);  // the one bucket's first symbol
  memcpy(out + layout->strings + 1, params->export_symbol, strlen(params->export_symbol));
}

static uint8_t *write_note_header(uint8_t *note, uint32_t type, uint64_t size) {
  store_le(note, IREE_ELF_NOTE_NAME_SIZE, 4);
  store_le(note + 4, size, 4);
  store_le(note + 8, type, 4);
  memcpy(note + 12, IREE_ELF_NOTE_NAME, IREE_ELF_NOTE_NAME_SIZE);
  return note + IREE_ELF_NOTE_HEADER_SIZE;
}

// A kernel's code is a section of its own; its name stands in the tables of the image.
static void write_kernel(const elf_object_t *object, const elf_pack_kernel_t *kernel,
                         const layout_t *layout, const uint8_t *image, uint8_t *at) {
  for (size_t i = 0; i < object->symbol_count; ++i) {
    const elf_symbol_t *symbol = &object->symbols[i];
    if (symbol->kind != ELF_IN_SECTION || strcmp(symbol->name, kernel->name) != 0) continue;
    const elf_section_t *section = &object->sections[symbol->section];
    if (!section->is_kept || symbol->value > section->size) continue;
    store_le(at, section->address + symbol->value, 4);
    store_le(at + 4, section->size - symbol->value, 4);
    break;
  }
  const uint8_t *name = memmem(image, layout->text_end, kernel->name, strlen(kernel->name) + 1);
  store_le(at + 8, name ? (uint64_t)(name - image) : 0, 4);
  memcpy(at + 12, kernel->description.data, kernel->description.data_length);
}

static void write_notes(const elf_object_t *object, const elf_pack_params_t *params,
                        const layout_t *layout, uint8_t *out) {
  uint8_t *note = out + layout->note;
  if (layout->note_words) {
    note = write_note_header(note, IREE_ELF_NOTE_TYPE_PROCESSOR, 8 * (uint64_t)layout->note_words);
    for (uint32_t i = 0; i < layout->note_words; ++i, note += 8) {
      store_le(note, params->processor_words[i], 8);
    }
  }
  if (!layout->kernels_size) return;
  note = write_note_header(note, IREE_ELF_NOTE_TYPE_KERNELS, layout->kernels_size);
  for (size_t i = 0; i < params->kernel_count; ++i) {
    write_kernel(object, &params->kernels[i], layout, out, note);
    note += 12 + params->kernels[i].description.data_length;
  }
}

static iree_status_t write_image(const elf_pack_params_t *params, elf_object_t *object,
                                 const layout_t *layout, const elf_symbol_t *export_symbol,
                                 uint8_t *out, elf_relative_t *relative) {
  size_t relative_count = 0;
  for (size_t i = 0; i < object->section_count; ++i) {
    elf_section_t *section = &object->sections[i];
    if (!section->is_kept || !section->data) continue;
    uint64_t offset = section->is_writable
                          ? section->address - layout->data_address + layout->data_offset
                          : section->address;
    memcpy(out + offset, section->data, section->size);
    IREE_RETURN_IF_ERROR(
        elf_relocate_section(object, section, out + offset, relative, &relative_count));
  }
  write_headers(object, layout, out);
  uint64_t address = object->sections[export_symbol->section].address + export_symbol->value;
  write_dynamic(object, params, layout, relative, address, out);
  write_notes(object, params, layout, out);
  return iree_ok_status();
}

static iree_status_t pack(const elf_pack_params_t *params, elf_object_t *object,
                          uint8_t **out_bytes, size_t *out_byte_count) {
  IREE_RETURN_IF_ERROR(read_objects(params, object));
  IREE_RETURN_IF_ERROR(resolve_symbols(object));
  const elf_symbol_t *export_symbol = NULL;
  for (size_t i = 0; i < object->symbol_count && !export_symbol; ++i) {
    const elf_symbol_t *symbol = &object->symbols[i];
    if (symbol->kind == ELF_IN_SECTION && strcmp(symbol->name, params->export_symbol) == 0) export_symbol = symbol;
  }
  if (!export_symbol) {
    return iree_make_status(IREE_STATUS_NOT_FOUND, "no object defines '%s'",
                            params->export_symbol);
  }
  IREE_RETURN_IF_ERROR(keep_reachable(object, export_symbol->section));
  layout_t layout = make_layout(params, object);
  uint64_t size = layout.data_file_size ? layout.data_offset + layout.data_file_size : layout.text_end;
  uint8_t *out = calloc(1, size);
  elf_relative_t *relative = calloc(layout.relative_count + 1, sizeof(elf_relative_t));
  iree_status_t status = write_image(params, object, &layout, export_symbol, out, relative);
  free(relative);
  if (!iree_status_is_ok(status)) {
    free(out);
    return status;
  }
  *out_bytes = out;
  *out_byte_count = size;
  return status;
}

iree_status_t elf_pack(const elf_pack_params_t *params, uint8_t **out_bytes,
                       size_t *out_byte_count) {
  *out_bytes = NULL;
  *out_byte_count = 0;
  elf_object_t object = {0};
  iree_status_t status = pack(params, &object, out_bytes, out_byte_count);
  free(object.sections);
  free(object.symbols);
  return status;
}
