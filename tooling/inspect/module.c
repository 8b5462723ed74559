// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading a module: its images, its program, its bytes; and what objects of the program stand for.
#include <string.h>

#include "runtime/vm/bytecode/module_impl.h"
#include "tooling/inspect/inspect.h"

enum { MAX_CHOICE_DEPTH = 4, MAX_IMAGES = 1024, MAX_ALL_KERNELS = 1 << 16 };

static uint32_t resolve(const inspect_t *self, uint32_t object, inspect_object_kind_t kind, int depth) {
  if (object >= self->n_objects || depth > MAX_CHOICE_DEPTH) return 0;
  const inspect_object_t *o = &self->objects[object];
  if (o->kind == kind) return object;
  if (o->kind != OBJECT_CHOICE || !o->n_choices) return 0;
  uint32_t found = resolve(self, o->choices[0], kind, depth + 1);
  for (uint32_t i = 1; i < o->n_choices && found; ++i)
    if (resolve(self, o->choices[i], kind, depth + 1) != found) found = 0;
  return found;
}
uint32_t inspect_resolve(const inspect_t *self, uint32_t object, inspect_object_kind_t kind) {
  return resolve(self, object, kind, 0);
}

iree_string_view_t inspect_rodata_text(const inspect_t *self, uint32_t object) {
  const bytecode_module_t *module = self->module->self;
  object = inspect_resolve(self, object, OBJECT_RODATA);
  if (!object || self->objects[object].index >= module->rodata_count) return iree_string_view_empty();
  iree_const_byte_span_t data = module->rodata[self->objects[object].index];
  return iree_make_string_view((const char *)data.data, data.data_length);
}

const inspect_image_t *inspect_image_of(const inspect_t *self, uint32_t executable) {
  executable = inspect_resolve(self, executable, OBJECT_EXECUTABLE);
  uint32_t data = executable ? inspect_resolve(self, self->objects[executable].of, OBJECT_RODATA) : 0;
  if (!data) return NULL;
  for (uint32_t i = 0; i < self->n_images; ++i)
    if (self->images[i].rodata == self->objects[data].index) return &self->images[i];
  return NULL;
}

const inspect_kernel_t *inspect_kernel_of(const inspect_t *self, const inspect_command_t *command) {
  const inspect_image_t *image = inspect_image_of(self, command->executable);
  if (!image) return NULL;
  if (!command->lookup) {
    bool is_in = command->ordinal.is_known && command->ordinal.value < image->n_kernels;
    return is_in ? &image->kernels[command->ordinal.value] : NULL;
  }
  iree_string_view_t name = inspect_rodata_text(self, self->objects[command->lookup].name);
  for (uint32_t i = 0; i < image->n_kernels; ++i)
    if (name.size && iree_string_view_equal(image->kernels[i].name, name)) return &image->kernels[i];
  return NULL;
}

// What is loaded as an executable, and all other ELF files.
static void read_images(inspect_t *self) {
  const bytecode_module_t *module = self->module->self;
  bool *is_loaded = IREE_ARENA_ARRAY(self->arena, bool, module->rodata_count + 1u);
  for (uint32_t i = 0; i < self->n_objects; ++i) {
    const inspect_object_t *o = &self->objects[i];
    uint32_t of = o->kind == OBJECT_EXECUTABLE ? inspect_resolve(self, o->of, OBJECT_RODATA) : 0;
    if (of && self->objects[of].index < module->rodata_count) is_loaded[self->objects[of].index] = true;
  }
  uint32_t cap = 0, n_kernels = 0;
  for (uint32_t i = 0; i < module->rodata_count && n_kernels < MAX_ALL_KERNELS && self->n_images < MAX_IMAGES; ++i) {
    iree_const_byte_span_t data = module->rodata[i];
    bool is_elf = data.data_length >= 4 && !memcmp(data.data, "\x7f" "ELF", 4);
    if (!is_elf && !is_loaded[i]) continue;
    inspect_image_t image = {.rodata = i};
    inspect_image_read(data, self->arena, &image);
    n_kernels += image.n_kernels;
    IREE_ARENA_PUSH(self->arena, self->images, self->n_images, cap, image);
  }
}

// Accesses of dispatches are those of their kernels.
static void set_access(inspect_t *self, inspect_command_t *command) {
  if (command->kind != COMMAND_DISPATCH) return;
  const inspect_kernel_t *kernel = inspect_kernel_of(self, command);
  for (uint32_t i = 0; kernel && i < command->n_uses && i < 64; ++i)
    command->uses[i].access = (kernel->reads >> i & 1 ? INSPECT_READS : 0) | (kernel->writes >> i & 1 ? INSPECT_WRITES : 0);
}

iree_status_t inspect_module(const vmfb_archive_t *archive, iree_vm_module_t *module,
                             iree_string_view_t file_name, iree_arena_t *arena, inspect_t *out) {
  *out = (inspect_t){.arena = arena, .archive = archive, .module = module, .file_name = file_name};
  IREE_RETURN_IF_ERROR(inspect_flow(out));
  read_images(out);
  for (uint32_t i = 0; i < out->n_objects; ++i)
    for (uint32_t k = 0; k < out->objects[i].n_commands; ++k) set_access(out, &out->objects[i].commands[k]);
  for (uint32_t i = 0; i < out->n_functions; ++i)
    for (uint32_t k = 0; k < out->functions[i].n_steps; ++k)
      if (out->functions[i].steps[k].kind == STEP_COMMAND) set_access(out, &out->functions[i].steps[k].command);
  return inspect_sizes(out);
}
