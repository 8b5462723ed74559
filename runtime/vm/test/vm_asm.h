// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a little assembler over abi/isa.def and a little writer of module files.
//
// Assembly is one instruction per line or `;`, operands in the order of the row's fields:
//   i3 r2 R2        registers (R: with MOVE)            7 -1 1.5   immediates, ordinals
//   @0 !0           function, import ordinals           :name      block label, `name:` defines it
//   {i0>i1 R0>r1}   branch operands                     [i0 r1]    lists; [- 2] group sizes
//   "text"          strings                             (:a{} :b{i0>i1})   branch table
// The file is written back to front in no particular order: FlatBuffers do not mind.
#ifndef RUNTIME_VM_TEST_VM_ASM_H_
#define RUNTIME_VM_TEST_VM_ASM_H_

#include <stdlib.h>

#include "abi/version.h"
#include "abi/vmfb.h"
#include "base/isa.h"
#include "base/test.h"

// ---- Assembler ---------------------------------------------------------------------------------

#define ASM_MAX_CODE 16384
typedef struct asm_t {
  const char *p;
  uint8_t code[ASM_MAX_CODE];
  uint32_t size;
  uint32_t block_count;
  struct {
    char name[16];
    uint32_t pc;
  } labels[32];
  uint32_t label_count;
  struct {
    char name[16];
    uint32_t at;
  } fixups[64];
  uint32_t fixup_count;
  uint32_t i32_count, ref_count;
  const char *error;
} asm_t;

static inline void asm_put(asm_t *a, const void *data, uint32_t size) {
  if (a->size + size > ASM_MAX_CODE) a->error = "code too long";
  if (a->error) return;
  memcpy(a->code + a->size, data, size);
  a->size += size;
}
static inline void asm_u8(asm_t *a, uint32_t v) { asm_put(a, &v, 1); }
static inline void asm_u16(asm_t *a, uint32_t v) { asm_put(a, &v, 2); }
static inline void asm_u32(asm_t *a, uint32_t v) { asm_put(a, &v, 4); }
static inline void asm_align(asm_t *a) {
  if (a->size & 1) asm_u8(a, 0);
}

static inline void asm_space(asm_t *a) {
  while (*a->p == ' ' || *a->p == ',') ++a->p;
}
static inline bool asm_eat(asm_t *a, char c) {
  asm_space(a);
  if (*a->p != c) return false;
  ++a->p;
  return true;
}
static inline void asm_expect(asm_t *a, char c) {
  if (!asm_eat(a, c) && !a->error) a->error = "unexpected character";
}

static inline uint16_t asm_register(asm_t *a) {
  asm_space(a);
  char kind = *a->p++;
  uint32_t n = (uint32_t)strtoul(a->p, (char **)&a->p, 10);
  if (kind == 'i') {
    // Room for the pair that a wide value takes.
    if (n < 0x7000 && n + 2 > a->i32_count) a->i32_count = n + 2;
    return (uint16_t)n;
  }
  if (kind != 'r' && kind != 'R') a->error = "register expected";
  if (n < 0x3000 && n + 1 > a->ref_count) a->ref_count = n + 1;
  return (uint16_t)(0x8000u | (kind == 'R' ? 0x4000u : 0u) | n);
}

static inline void asm_name(asm_t *a, char name[16]) {
  uint32_t n = 0;
  while ((*a->p >= 'a' && *a->p <= 'z') || (*a->p >= '0' && *a->p <= '9')) {
    if (n < 15) name[n++] = *a->p;
    ++a->p;
  }
  name[n] = 0;
}

static inline void asm_target(asm_t *a) {
  asm_expect(a, ':');
  asm_name(a, a->fixups[a->fixup_count].name);
  a->fixups[a->fixup_count++].at = a->size;
  asm_u32(a, 0);
}

static inline void asm_remap(asm_t *a) {
  asm_align(a);
  uint32_t count_at = a->size, count = 0;
  asm_u16(a, 0);
  asm_expect(a, '{');
  while (!asm_eat(a, '}') && !a->error) {
    asm_u16(a, asm_register(a));
    asm_expect(a, '>');
    asm_u16(a, asm_register(a));
    ++count;
  }
  memcpy(a->code + count_at, &count, 2);
}

static inline void asm_list(asm_t *a, char bank) {
  asm_align(a);
  uint32_t count_at = a->size, count = 0;
  asm_u16(a, 0);
  asm_expect(a, '[');
  while (!asm_eat(a, ']') && !a->error) {
    if (bank != 's')
      asm_u16(a, asm_register(a));
    else if (asm_eat(a, '-'))
      asm_u16(a, 0xFFFF);
    else
      asm_u16(a, (uint32_t)strtoul(a->p, (char **)&a->p, 10));
    ++count;
  }
  memcpy(a->code + count_at, &count, 2);
}

static inline void asm_immediate(asm_t *a, char bank) {
  asm_space(a);
  double f64 = strtod(a->p, NULL);
  float f32 = (float)f64;
  char *end = NULL;
  int64_t i64 = (int64_t)strtoull(a->p, &end, 0);
  switch (bank) {
    case 'i':
      asm_put(a, &i64, 4);
      break;
    case 'I':
      asm_put(a, &i64, 8);
      break;
    case 'f':
      asm_put(a, &f32, 4);
      break;
    default:
      asm_put(a, &f64, 8);
      break;
  }
  (void)strtod(a->p, &end);
  a->p = end;
}

static inline void asm_field(asm_t *a, const isa_field_t *field) {
  switch (field->kind) {
    case 'r':
    case 'w':
    case 'm':
      asm_u16(a, asm_register(a));
      break;
    case '#':
      asm_immediate(a, field->bank);
      break;
    case '@': {
      uint32_t bit = asm_eat(a, '!') ? 0x80000000u : (asm_eat(a, '@'), 0u);
      asm_space(a);
      asm_u32(a, bit | (uint32_t)strtoul(a->p, (char **)&a->p, 10));
      break;
    }
    case '>':
      asm_target(a);
      break;
    case '~':
      asm_remap(a);
      break;
    case '[':
    case ']':
      asm_list(a, field->bank);
      break;
    case '$': {
      asm_expect(a, '"');
      const char *end = strchr(a->p, '"');
      asm_u16(a, (uint32_t)(end - a->p));
      asm_put(a, a->p, (uint32_t)(end - a->p));
      a->p = end + 1;
      break;
    }
    case '=': {
      uint32_t count_at = a->size, count = 0;
      asm_u16(a, 0);
      asm_expect(a, '(');
      while (!asm_eat(a, ')') && !a->error) {
        asm_target(a);
        asm_remap(a);
        ++count;
      }
      memcpy(a->code + count_at, &count, 2);
      break;
    }
    default:
      break;
  }
}

// Assembles |text|; a leading block marker is added.
static inline bool asm_text(asm_t *a, const char *text) {
  memset(a, 0, sizeof(*a));
  a->p = text;
  asm_u8(a, ISA_OP_Block);
  a->block_count = 1;
  while (!a->error) {
    while (*a->p == ' ' || *a->p == ';' || *a->p == '\n') ++a->p;
    if (!*a->p) break;
    const char *begin = a->p;
    while (*a->p && *a->p != ' ' && *a->p != ':' && *a->p != ';' && *a->p != '\n') ++a->p;
    iree_string_view_t word = iree_make_string_view(begin, (iree_host_size_t)(a->p - begin));
    if (*a->p == ':') {
      iree_string_view_to_cstring(word, a->labels[a->label_count].name, 16);
      a->labels[a->label_count++].pc = a->size;
      asm_u8(a, ISA_OP_Block);
      ++a->block_count;
      ++a->p;
      continue;
    }
    const isa_row_t *row = isa_row_by_mnemonic(word);
    if (!row) {
      a->error = "unknown mnemonic";
      break;
    }
    if (row->number > 0xFF) asm_u8(a, row->number >> 8);
    asm_u8(a, row->number & 0xFF);
    isa_field_t field;
    for (const char *s = row->fields; (s = isa_field_next(s, &field));) asm_field(a, &field);
  }
  for (uint32_t i = 0; i < a->fixup_count && !a->error; ++i) {
    bool found = false;
    for (uint32_t k = 0; k < a->label_count; ++k) {
      if (strcmp(a->labels[k].name, a->fixups[i].name) != 0) continue;
      memcpy(a->code + a->fixups[i].at, &a->labels[k].pc, 4);
      found = true;
    }
    if (!found) a->error = "undefined label";
  }
  if (a->error) printf("assembler: %s at `%.30s`\n", a->error, a->p);
  return !a->error;
}

// ---- Module files ------------------------------------------------------------------------------

typedef struct test_function_t {
  const char *export_name;  // NULL: internal
  const char *cconv;
  const char *text;
  const uint8_t *code;  // instead of |text|: raw bytes of one block, over 16 and 8 registers
  uint32_t code_size;
} test_function_t;

typedef struct test_import_t {
  const char *full_name;
  const char *cconv;  // NULL: not declared
  uint32_t flags;
} test_import_t;

typedef struct test_module_t {
  const char *name;
  const test_function_t *functions;
  uint32_t function_count;
  const test_import_t *imports;
  uint32_t import_count;
  const char *const *types;
  uint32_t type_count;
  const char *const *rodata;
  uint32_t rodata_count;
  int32_t global_bytes;
  int32_t global_refs;
  const char *dependency;  // name of a module, version >= dependency_version
  uint32_t dependency_version;
  uint32_t bytecode_version;  // 0: current
} test_module_t;

#define FILE_MAX 65536
typedef struct file_writer_t {
  uint8_t data[FILE_MAX];
  uint32_t size;
} file_writer_t;

static inline uint32_t file_put(file_writer_t *w, const void *data, uint32_t size) {
  while (w->size & 3) w->data[w->size++] = 0;
  uint32_t at = w->size;
  if (data)
    memcpy(w->data + at, data, size);
  else
    memset(w->data + at, 0, size);
  w->size += size;
  return at;
}
static inline void file_patch(file_writer_t *w, uint32_t at, uint32_t target) {
  uint32_t offset = target - at;
  memcpy(w->data + at, &offset, 4);
}
// A vtable for |count| 4-byte fields, then the table; field |slot| is at result + 4 + 4 * slot.
// Fields outside |mask| are absent.
static inline uint32_t file_table(file_writer_t *w, uint32_t count, uint32_t mask) {
  uint16_t vtable[34] = {(uint16_t)(4 + 2 * count), (uint16_t)(4 + 4 * count)};
  for (uint32_t i = 0; i < count; ++i) {
    vtable[2 + i] = (uint16_t)(mask & (1u << i) ? 4 + 4 * i : 0);
  }
  uint32_t vtable_at = file_put(w, vtable, 4 + 2 * count);
  uint32_t at = file_put(w, NULL, 4 + 4 * count);
  int32_t back = (int32_t)(at - vtable_at);
  memcpy(w->data + at, &back, 4);
  return at;
}
static inline void file_u32(file_writer_t *w, uint32_t table, uint32_t slot, uint32_t value) {
  memcpy(w->data + table + 4 + 4 * slot, &value, 4);
}
static inline void file_link(file_writer_t *w, uint32_t table, uint32_t slot, uint32_t target) {
  file_patch(w, table + 4 + 4 * slot, target);
}
static inline void file_string(file_writer_t *w, uint32_t table, uint32_t slot, const char *text) {
  uint32_t length = (uint32_t)strlen(text);
  uint32_t at = file_put(w, &length, 4);
  memcpy(w->data + w->size, text, length + 1);
  w->size += length + 1;
  file_link(w, table, slot, at);
}
// A vector of |count| references, filled by file_patch at result + 4 + 4 * i.
static inline uint32_t file_vector(file_writer_t *w, uint32_t table, uint32_t slot,
                                   uint32_t count) {
  uint32_t at = file_put(w, NULL, 4 + 4 * count);
  memcpy(w->data + at, &count, 4);
  file_link(w, table, slot, at);
  return at + 4;
}

// One-string tables: types, and signatures by their calling convention.
static inline uint32_t file_named(file_writer_t *w, const char *text) {
  uint32_t table = file_table(w, 1, 1);
  file_string(w, table, 0, text);
  return table;
}

static inline void file_functions(file_writer_t *w, uint32_t root, const test_module_t *m,
                                  asm_t *a) {
  uint32_t signatures =
      file_vector(w, root, VMFB_BytecodeModuleDef_function_signatures, m->function_count);
  uint32_t export_count = 0, export_at = 0;
  for (uint32_t i = 0; i < m->function_count; ++i) export_count += m->functions[i].export_name != 0;
  uint32_t exports = file_vector(w, root, VMFB_BytecodeModuleDef_exported_functions, export_count);
  uint32_t descriptors = file_put(w, NULL, 4 + 20 * m->function_count);
  memcpy(w->data + descriptors, &m->function_count, 4);
  file_link(w, root, VMFB_BytecodeModuleDef_function_descriptors, descriptors);
  static uint8_t code[ASM_MAX_CODE];
  uint32_t code_size = 0;
  for (uint32_t i = 0; i < m->function_count; ++i) {
    const test_function_t *f = &m->functions[i];
    if (f->code) {
      memset(a, 0, sizeof(*a));
      asm_put(a, f->code, f->code_size);
      a->block_count = 1;
      a->i32_count = 16;
      a->ref_count = 8;
    } else {
      asm_text(a, f->text);
    }
    // Arguments need registers even if the code does not name them.
    for (const char *c = f->cconv; *c && *c != '_'; ++c) {
      if (*c == 'r')
        ++a->ref_count;
      else
        a->i32_count += 2;
    }
    vmfb_function_descriptor_t d = {
        .bytecode_offset = (int32_t)code_size,
        .bytecode_length = (int32_t)a->size,
        .requirements = ABI_FEATURE_ALL,
        .block_count = (int16_t)a->block_count,
        .i32_register_count = (int16_t)a->i32_count,
        .ref_register_count = (int16_t)a->ref_count,
    };
    memcpy(w->data + descriptors + 4 + 20 * i, &d, sizeof(d));
    memcpy(code + code_size, a->code, a->size);
    code_size = (code_size + a->size + 7) & ~7u;
    file_patch(w, signatures + 4 * i, file_named(w, f->cconv));
    if (f->export_name) {
      uint32_t table = file_table(w, 2, 3);
      file_patch(w, exports + 4 * export_at++, table);
      file_u32(w, table, VMFB_ExportFunctionDef_internal_ordinal, i);
      file_string(w, table, VMFB_ExportFunctionDef_local_name, f->export_name);
    }
  }
  uint32_t bytes = file_put(w, NULL, 4 + code_size);
  memcpy(w->data + bytes, &code_size, 4);
  memcpy(w->data + bytes + 4, code, code_size);
  file_link(w, root, VMFB_BytecodeModuleDef_bytecode_data, bytes);
}

static inline void file_tables(file_writer_t *w, uint32_t root, const test_module_t *m) {
  uint32_t types = file_vector(w, root, VMFB_BytecodeModuleDef_types, m->type_count);
  for (uint32_t i = 0; i < m->type_count; ++i) {
    file_patch(w, types + 4 * i, file_named(w, m->types[i]));
  }
  uint32_t imports =
      file_vector(w, root, VMFB_BytecodeModuleDef_imported_functions, m->import_count);
  for (uint32_t i = 0; i < m->import_count; ++i) {
    uint32_t table = file_table(w, 3, m->imports[i].cconv ? 7 : 5);
    file_patch(w, imports + 4 * i, table);
    file_u32(w, table, VMFB_ImportFunctionDef_flags, m->imports[i].flags);
    file_string(w, table, VMFB_ImportFunctionDef_full_name, m->imports[i].full_name);
    if (m->imports[i].cconv) {
      file_link(w, table, VMFB_ImportFunctionDef_signature, file_named(w, m->imports[i].cconv));
    }
  }
  uint32_t rodata = file_vector(w, root, VMFB_BytecodeModuleDef_rodata_segments, m->rodata_count);
  for (uint32_t i = 0; i < m->rodata_count; ++i) {
    uint32_t table = file_table(w, 3, 4);
    file_patch(w, rodata + 4 * i, table);
    file_string(w, table, VMFB_RodataSegmentDef_embedded_data, m->rodata[i]);
  }
  if (m->dependency) {
    uint32_t dependencies = file_vector(w, root, VMFB_BytecodeModuleDef_dependencies, 1);
    uint32_t table = file_table(w, 2, 3);
    file_patch(w, dependencies, table);
    file_u32(w, table, VMFB_ModuleDependencyDef_minimum_version, m->dependency_version);
    file_string(w, table, VMFB_ModuleDependencyDef_name, m->dependency);
  }
  uint32_t state = file_table(w, 2, 3);
  file_u32(w, state, VMFB_ModuleStateDef_global_bytes_capacity, (uint32_t)m->global_bytes);
  file_u32(w, state, VMFB_ModuleStateDef_global_ref_count, (uint32_t)m->global_refs);
  file_link(w, root, VMFB_BytecodeModuleDef_module_state, state);
}

// The file, in static storage of |w|.
static inline iree_const_byte_span_t test_module_file(const test_module_t *m, file_writer_t *w) {
  asm_t *a = malloc(sizeof(*a));
  memset(w, 0, sizeof(*w));
  w->size = 4;  // length prefix
  uint32_t header = file_put(w, NULL, 8);
  memcpy(w->data + header + 4, ABI_ARCHIVE_IDENTIFIER, 4);
  uint32_t mask =
      0xFFFF & ~(1u << VMFB_BytecodeModuleDef_attrs | 1u << VMFB_BytecodeModuleDef_rwdata_segments |
                 1u << VMFB_BytecodeModuleDef_debug_database);
  if (!m->dependency) mask &= ~(1u << VMFB_BytecodeModuleDef_dependencies);
  uint32_t root = file_table(w, 16, mask);
  file_patch(w, header, root);
  file_string(w, root, VMFB_BytecodeModuleDef_name, m->name);
  file_u32(w, root, VMFB_BytecodeModuleDef_requirements, ABI_FEATURE_ALL);
  file_u32(w, root, VMFB_BytecodeModuleDef_bytecode_version,
           m->bytecode_version ? m->bytecode_version : ABI_BYTECODE_VERSION);
  file_tables(w, root, m);
  file_functions(w, root, m, a);
  free(a);
  uint32_t length = w->size - 4;
  memcpy(w->data, &length, 4);
  return iree_make_const_byte_span(w->data, w->size);
}

#endif  // RUNTIME_VM_TEST_VM_ASM_H_
