// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a file as a tree whose leaves add up to its size. The ledger gives each byte one
// cause; within the causes that are worth it, parts are told apart, and what is between them is a
// leaf of its own. Parts that overlap (files may share ranges) are counted once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/bytecode/disasm.h"
#include "runtime/vm/bytecode/module_impl.h"
#include "tooling/inspect/inspect.h"

typedef struct part_t {
  uint64_t begin, end;  // in the file
  iree_string_view_t name;
  const char *cause;
} part_t;
typedef struct parts_t {
  part_t *v;
  uint32_t n, cap;
} parts_t;

static iree_string_view_t format(iree_arena_t *arena, const char *prefix, iree_string_view_t name, uint32_t i) {
  char *text = iree_arena_alloc(arena, strlen(prefix) + name.size + 16);
  int n = name.size ? snprintf(text, strlen(prefix) + name.size + 16, "%s%.*s", prefix, IREE_SV_ARGS(name))
                    : snprintf(text, strlen(prefix) + 16, "%s%u", prefix, i);
  return iree_make_string_view(text, (size_t)n);
}

static inspect_size_t *add(iree_arena_t *arena, inspect_size_t *parent, iree_string_view_t name,
                           const char *cause, uint64_t bytes) {
  inspect_size_t node = {.name = name, .cause = cause, .bytes = bytes};
  IREE_ARENA_PUSH(arena, parent->children, parent->n_children, parent->cap_children, node);
  return &parent->children[parent->n_children - 1];
}
static void add_leaf(iree_arena_t *arena, inspect_size_t *parent, const char *name, const char *cause, uint64_t bytes) {
  if (bytes) add(arena, parent, iree_make_cstring_view(name), cause, bytes);
}

static int compare_parts(const void *a, const void *b) {
  const part_t *x = a, *y = b;
  return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin) : (x->end > y->end) - (x->end < y->end);
}

// Adds parts as leaves of |parent|, which has |total| bytes; the rest is called |rest|.
static void add_parts(iree_arena_t *arena, inspect_size_t *parent, parts_t *parts, uint64_t total,
                      const char *rest, const char *rest_cause) {
  if (parts->n) qsort(parts->v, parts->n, sizeof(*parts->v), compare_parts);
  uint64_t at = 0, left = total;
  for (uint32_t i = 0; i < parts->n; ++i) {
    uint64_t begin = parts->v[i].begin > at ? parts->v[i].begin : at;
    uint64_t bytes = parts->v[i].end > begin ? parts->v[i].end - begin : 0;
    if (bytes > left) bytes = left;
    if (bytes) add(arena, parent, parts->v[i].name, parts->v[i].cause, bytes);
    if (parts->v[i].end > at) at = parts->v[i].end;
    left -= bytes;
  }
  add_leaf(arena, parent, rest, rest_cause, left);
}
static void push(iree_arena_t *arena, parts_t *parts, const inspect_t *self, const uint8_t *data,
                 uint64_t size, iree_string_view_t name, const char *cause) {
  uint64_t begin = (uint64_t)(data - self->archive->contents.data);
  part_t part = {begin, begin + size, name, cause};
  IREE_ARENA_PUSH(arena, parts->v, parts->n, parts->cap, part);
}

static void add_code(inspect_t *self, uint64_t bytes) {
  const bytecode_module_t *module = self->module->self;
  inspect_size_t *node = add(self->arena, &self->sizes, IREE_SV("bytecode"), NULL, bytes);
  parts_t parts = {0};
  for (uint32_t i = 0; i < module->function_count; ++i)
    push(self->arena, &parts, self, module->functions[i].bytecode, module->functions[i].length,
         format(self->arena, "", self->functions[i].name, i), "code");
  add_parts(self->arena, node, &parts, bytes, "between functions", "table");
}

// Images: each with its kernels.
static void add_images(inspect_t *self, uint64_t bytes) {
  inspect_size_t *node = add(self->arena, &self->sizes, IREE_SV("executables"), NULL, bytes);
  uint64_t left = bytes;
  for (uint32_t i = 0; i < self->n_images; ++i) {
    const inspect_image_t *image = &self->images[i];
    if (!image->machine) continue;
    bool is_seen = false;  // rodata may share a range
    for (uint32_t k = 0; k < i; ++k) is_seen |= self->images[k].data.data == image->data.data;
    uint64_t size = image->data.data_length < left ? image->data.data_length : left;
    if (is_seen || !size) continue;
    inspect_size_t *child = add(self->arena, node, format(self->arena, "rodata ", iree_string_view_empty(), image->rodata), NULL, size);
    parts_t parts = {0};
    for (uint32_t k = 0; k < image->n_kernels; ++k) {
      const inspect_kernel_t *kernel = &image->kernels[k];
      push(self->arena, &parts, self, image->data.data + kernel->offset, kernel->size,
           format(self->arena, kernel->name.size ? "" : "kernel ", kernel->name, k), "kernel");
    }
    add_parts(self->arena, child, &parts, size, image->n_kernels ? "tables of the image" : "image", image->n_kernels ? "table" : "kernel");
    left -= size;
  }
  add_leaf(self->arena, node, "not told apart", "kernel", left);
}

static void add_data(inspect_t *self, uint64_t bytes, bool is_embedded) {
  const bytecode_module_t *module = self->module->self;
  inspect_size_t *node = add(self->arena, &self->sizes, is_embedded ? IREE_SV("embedded data") : IREE_SV("constants"), NULL, bytes);
  parts_t parts = {0};
  const uint8_t *begin = self->archive->flatbuffer.data, *end = begin + self->archive->flatbuffer.data_length;
  for (uint32_t i = 0; i < module->rodata_count; ++i) {
    iree_const_byte_span_t data = module->rodata[i];
    bool is_inside = data.data >= begin && data.data < end;
    bool is_image = data.data_length >= 4 && !memcmp(data.data, "\x7f" "ELF", 4);
    if (!data.data || is_inside != is_embedded || (is_image && !is_embedded)) continue;
    push(self->arena, &parts, self, data.data, data.data_length, format(self->arena, "rodata ", iree_string_view_empty(), i),
         is_image ? "kernel" : "constant");
  }
  add_parts(self->arena, node, &parts, bytes, "tables of rodata", "table");
}

iree_status_t inspect_sizes(inspect_t *self) {
  vmfb_ledger_t ledger;
  IREE_RETURN_IF_ERROR(vmfb_ledger(self->archive, iree_allocator_system(), &ledger));
  iree_arena_t *arena = self->arena;
  self->sizes = (inspect_size_t){.name = self->file_name, .bytes = self->archive->contents.data_length};
  const flatbuf_schema_t *schema = vmfb_schema();
  const flatbuf_table_schema_t *root = &schema->tables[schema->root_table];
  if (ledger.fields[VMFB_BytecodeModuleDef_bytecode_data]) add_code(self, ledger.fields[VMFB_BytecodeModuleDef_bytecode_data]);
  if (ledger.executables) add_images(self, ledger.executables);
  if (ledger.constants) add_data(self, ledger.constants, false);
  if (ledger.fields[VMFB_BytecodeModuleDef_rodata_segments]) add_data(self, ledger.fields[VMFB_BytecodeModuleDef_rodata_segments], true);
  inspect_size_t tables = {.name = IREE_SV("tables")};
  for (uint16_t i = 0; i < root->field_count; ++i) {
    const flatbuf_field_t *field = &schema->fields[root->first_field + i];
    if (field->slot == VMFB_BytecodeModuleDef_bytecode_data || field->slot == VMFB_BytecodeModuleDef_rodata_segments) continue;
    add_leaf(arena, &tables, field->name, "table", ledger.fields[field->slot]);
    tables.bytes += ledger.fields[field->slot];
  }
  add_leaf(arena, &tables, "root table, prefix, identifier", "table", ledger.root);
  add_leaf(arena, &tables, "padding", "table", ledger.padding);
  tables.bytes += ledger.root + ledger.padding;
  IREE_ARENA_PUSH(arena, self->sizes.children, self->sizes.n_children, self->sizes.cap_children, tables);
  add_leaf(arena, &self->sizes, "zip records and alignment", "container", ledger.container);
  return iree_ok_status();
}
