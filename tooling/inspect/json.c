// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The analysis as JSON. Numbers that the file does not say are null. `<` is escaped, so that the
// text may stand inside of a page.
#include <inttypes.h>
#include <string.h>

#include "abi/vmfb.h"
#include "runtime/vm/bytecode/module_impl.h"
#include "tooling/inspect/inspect.h"

#define TRY(expr) IREE_RETURN_IF_ERROR(expr)
#define PUT(...) IREE_RETURN_IF_ERROR(iree_string_builder_append_format(j->builder, __VA_ARGS__))

enum { MAX_HEX_BYTES = 16384, MAX_JSON_ROWS = 200000, MAX_CHOICE_NAMES = 8 };
#define TIMELINE_WORK 100000000ull

typedef struct json_t {
  const inspect_t *self;
  iree_string_view_t source;
  iree_string_builder_t *builder;
  iree_arena_t arena;   // of one function's timeline
  uint32_t function;    // whose results name buffers
  uint64_t hex_left;    // kernels of an honest file do not overlap
  uint64_t work_left;   // for timelines
} json_t;

// Bytes of the UTF-8 character that text starts with, 0 when it starts with none or with ASCII.
static iree_host_size_t utf8_length(iree_string_view_t text) {
  unsigned char c = (unsigned char)text.data[0];
  iree_host_size_t n = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE1 && c < 0xED ? 3 : c >= 0xF1 && c < 0xF4 ? 4 : 0;
  for (iree_host_size_t i = 1; i < n; ++i)
    if (i >= text.size || ((unsigned char)text.data[i] & 0xC0) != 0x80) return 0;
  return n;
}
static iree_status_t put_text(json_t *j, iree_string_view_t text) {
  TRY(iree_string_builder_append_cstring(j->builder, "\""));
  for (iree_host_size_t i = 0, from = 0; i <= text.size; ++i) {
    unsigned char c = i < text.size ? (unsigned char)text.data[i] : 0;
    if (i < text.size && c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '<') continue;
    iree_host_size_t n = i < text.size && c >= 0x80 ? utf8_length(iree_make_string_view(text.data + i, text.size - i)) : 0;
    if (n) {
      i += n - 1;
      continue;
    }
    TRY(iree_string_builder_append_string(j->builder, iree_make_string_view(text.data + from, i - from)));
    from = i + 1;
    if (i < text.size) PUT("\\u%04x", c);
  }
  return iree_string_builder_append_cstring(j->builder, "\"");
}
static iree_status_t put_amount(json_t *j, inspect_amount_t amount) {
  if (!amount.is_known) return iree_string_builder_append_cstring(j->builder, "null");
  return iree_string_builder_append_format(j->builder, "%" PRIu64, amount.value);
}
static iree_status_t put_field(json_t *j, const char *name, iree_string_view_t text) {
  PUT("\"%s\":", name);
  return put_text(j, text);
}

// ---- what buffers are called -------------------------------------------------------------------

static iree_status_t put_name(json_t *j, uint32_t object, int depth, iree_string_builder_t *out);

// Choices may hold choices: all that it may be in the end, each once.
static uint32_t flatten(const inspect_t *self, uint32_t object, int depth, uint32_t *names, uint32_t n) {
  const inspect_object_t *o = &self->objects[object];
  if (o->kind == OBJECT_CHOICE && o->function != UINT32_MAX) {
    for (uint32_t i = 0; i < o->n_choices && depth < 4; ++i) n = flatten(self, o->choices[i], depth + 1, names, n);
    return n;
  }
  for (uint32_t i = 0; i < n; ++i)
    if (names[i] == object) return n;
  if (n < MAX_CHOICE_NAMES) names[n++] = object;
  return n;
}
static iree_status_t put_choices(json_t *j, uint32_t object, int depth, iree_string_builder_t *out) {
  const inspect_object_t *o = &j->self->objects[object];
  if (o->function == UINT32_MAX) return iree_string_builder_append_format(out, "variable %u", o->index);
  uint32_t names[MAX_CHOICE_NAMES], n = flatten(j->self, object, 0, names, 0);
  for (uint32_t i = 0; i < n; ++i) {
    if (i) TRY(iree_string_builder_append_cstring(out, " or "));
    TRY(put_name(j, names[i], depth + 1, out));
  }
  return iree_ok_status();
}
// The rodata that a buffer has the bytes of, or 0.
static uint32_t constant_of(const inspect_t *self, uint32_t object, int depth) {
  const inspect_object_t *o = &self->objects[object];
  if (o->kind == OBJECT_CHOICE && depth < 4) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < o->n_choices; ++i) {
      uint32_t one = constant_of(self, o->choices[i], depth + 1);
      if (!one || (found && found != one)) return 0;
      found = one;
    }
    return found;
  }
  if (o->kind != OBJECT_BUFFER) return 0;
  if (o->origin == ORIGIN_CONSTANT) return inspect_resolve(self, o->of, OBJECT_RODATA);
  return o->origin == ORIGIN_ALLOCATED && o->name ? inspect_resolve(self, o->name, OBJECT_RODATA) : 0;
}
static bool is_result_of(const json_t *j, uint32_t object, uint32_t *out_index) {
  const inspect_function_t *f = &j->self->functions[j->function];
  for (uint32_t i = 0; i < f->n_results; ++i) {
    uint32_t view = inspect_resolve(j->self, f->results[i], OBJECT_VIEW);
    uint32_t of = view ? inspect_resolve(j->self, j->self->objects[view].of, OBJECT_BUFFER) : 0;
    *out_index = i;
    if (of && of == object) return true;
  }
  return false;
}
static iree_status_t put_name(json_t *j, uint32_t object, int depth, iree_string_builder_t *out) {
  const inspect_t *self = j->self;
  uint32_t result = 0;
  if (object <= OBJECT_ANY || object >= self->n_objects || depth > 4)
    return iree_string_builder_append_cstring(out, object == OBJECT_NULL ? "null" : "unknown");
  uint32_t constant = constant_of(self, object, 0);
  if (constant) return iree_string_builder_append_format(out, "constants (rodata %u)", self->objects[constant].index);
  const inspect_object_t *o = &self->objects[object];
  if (o->kind == OBJECT_CHOICE) return put_choices(j, object, depth, out);
  if (o->kind == OBJECT_ARGUMENT) return iree_string_builder_append_format(out, "input %u", o->index);
  if (o->kind != OBJECT_BUFFER) return iree_string_builder_append_cstring(out, "unknown");
  if (is_result_of(j, object, &result)) return iree_string_builder_append_format(out, "result %u", result);
  if (o->origin == ORIGIN_VIEW) return put_name(j, o->of, depth + 1, out);
  if (o->origin == ORIGIN_SUBSPAN) {
    TRY(iree_string_builder_append_cstring(out, "part of "));
    return put_name(j, o->of, depth + 1, out);
  }
  const char *what = o->origin == ORIGIN_TRANSIENT ? "transient" : "buffer";
  return iree_string_builder_append_format(out, "%s @%u", what, o->pc);
}
static const char *kind_of(const json_t *j, uint32_t object) {
  const inspect_t *self = j->self;
  uint32_t result = 0;
  if (object <= OBJECT_ANY || object >= self->n_objects) return "unknown";
  if (constant_of(self, object, 0)) return "constant";
  const inspect_object_t *o = &self->objects[object];
  if (o->kind == OBJECT_ARGUMENT) return "input";
  if (o->kind == OBJECT_CHOICE) return o->function == UINT32_MAX ? "variable" : "several";
  if (o->kind != OBJECT_BUFFER) return "unknown";
  if (is_result_of(j, object, &result)) return "result";
  if (o->origin == ORIGIN_VIEW) return "input";
  return o->origin == ORIGIN_TRANSIENT ? "transient" : o->origin == ORIGIN_ALLOCATED ? "allocated" : "unknown";
}
static iree_status_t put_buffer(json_t *j, uint32_t object) {
  iree_string_builder_t name;
  iree_string_builder_initialize(iree_allocator_system(), &name);
  iree_status_t status = put_name(j, object, 0, &name);
  if (iree_status_is_ok(status)) status = put_text(j, iree_string_builder_view(&name));
  iree_string_builder_deinitialize(&name);
  return status;
}

// ---- programs ----------------------------------------------------------------------------------

static iree_status_t put_flow(json_t *j, uint32_t flow) {
  PUT(",\"loop\":%s,\"conditional\":%s", flow & INSPECT_IN_LOOP ? "true" : "false",
      flow & INSPECT_ON_SOME_PATHS ? "true" : "false");
  return iree_ok_status();
}
static iree_status_t put_use(json_t *j, const inspect_use_t *use) {
  PUT("{\"slot\":");
  TRY(put_amount(j, use->slot));
  PUT(",\"buffer\":");
  if (use->buffer == OBJECT_NULL) PUT("null");
  else TRY(put_buffer(j, use->buffer));
  PUT(",\"kind\":\"%s\",\"offset\":", use->buffer == OBJECT_NULL ? "slot" : kind_of(j, use->buffer));
  TRY(put_amount(j, use->offset));
  PUT(",\"length\":");
  inspect_amount_t length = use->length;
  if (length.value == UINT64_MAX) length.is_known = false;
  TRY(put_amount(j, length));
  static const char *const words[] = {"unknown", "read", "written", "read and written"};
  PUT(",\"access\":\"%s\"}", words[use->access & 3]);
  return iree_ok_status();
}
static iree_status_t put_uses(json_t *j, const char *name, const inspect_use_t *uses, uint32_t n) {
  PUT(",\"%s\":[", name);
  for (uint32_t i = 0; i < n; ++i) {
    if (i) PUT(",");
    TRY(put_use(j, &uses[i]));
  }
  PUT("]");
  return iree_ok_status();
}
static iree_status_t put_source(json_t *j, uint32_t function, uint32_t pc) {
  bytecode_module_t *module = j->self->module->self;
  iree_vm_function_t f = {.module = j->self->module, .linkage = IREE_VM_FUNCTION_LINKAGE_INTERNAL, .ordinal = (uint16_t)function};
  iree_vm_source_location_t location;
  memset(&location, 0, sizeof(location));
  iree_status_t status = bytecode_resolve_source_location(module, f, pc, &location);
  if (!iree_status_is_ok(status)) {
    iree_status_free(status);
    return iree_ok_status();
  }
  iree_string_builder_t text;
  iree_string_builder_initialize(iree_allocator_system(), &text);
  status = location.format(location.self, location.data, 0, &text);
  if (iree_status_is_ok(status)) status = iree_string_builder_append_cstring(j->builder, ",");
  if (iree_status_is_ok(status)) status = put_field(j, "source", iree_string_builder_view(&text));
  iree_string_builder_deinitialize(&text);
  return status;
}
static iree_status_t put_kernel_of(json_t *j, const inspect_command_t *command) {
  const inspect_image_t *image = inspect_image_of(j->self, command->executable);
  const inspect_kernel_t *kernel = inspect_kernel_of(j->self, command);
  iree_string_view_t name = kernel ? kernel->name : iree_string_view_empty();
  if (!name.size && command->lookup) name = inspect_rodata_text(j->self, j->self->objects[command->lookup].name);
  PUT(",\"executable\":");
  if (image) PUT("%u", image->rodata);
  else PUT("null");
  PUT(",\"kernel\":");
  if (name.size) TRY(put_text(j, name));
  else PUT("null");
  PUT(",\"ordinal\":");
  if (kernel) PUT("%u", (uint32_t)(kernel - image->kernels));
  else TRY(put_amount(j, command->ordinal));
  PUT(",\"workgroups\":");
  if (command->is_indirect) PUT("null");
  else {
    PUT("[");
    for (int i = 0; i < 3; ++i) {
      if (i) PUT(",");
      TRY(put_amount(j, command->grid[i]));
    }
    PUT("]");
  }
  PUT(",\"constants\":[");
  for (uint32_t i = 0; i < command->n_constants; ++i) {
    if (i) PUT(",");
    TRY(put_amount(j, command->constants[i]));
  }
  PUT("]");
  return iree_ok_status();
}
static iree_status_t put_command(json_t *j, const inspect_command_t *command) {
  static const char *const words[] = {"dispatch", "copy", "fill", "update", "collective"};
  PUT("{\"op\":\"%s\",\"pc\":%u,\"wave\":%u", words[command->kind], command->pc, command->wave);
  TRY(put_flow(j, command->flow));
  if (command->kind == COMMAND_DISPATCH) TRY(put_kernel_of(j, command));
  TRY(put_uses(j, "uses", command->uses, command->n_uses));
  TRY(put_source(j, command->function, command->pc));
  PUT("}");
  return iree_ok_status();
}

static iree_status_t put_command_buffers(json_t *j) {
  PUT(",\n\"command_buffers\":[");
  bool is_first = true;
  for (uint32_t i = 0; i < j->self->n_objects; ++i) {
    const inspect_object_t *o = &j->self->objects[i];
    if (o->kind != OBJECT_COMMANDS) continue;
    j->function = o->function;
    PUT("%s\n {\"id\":%u,\"function\":%u,\"pc\":%u,\"recorded\":\"%s\",\"slots\":", is_first ? "" : ",", i, o->function, o->pc,
        o->is_one_shot ? "in each call" : "once");
    is_first = false;
    TRY(put_amount(j, o->capacity));
    PUT(",\"waves\":%u,\"commands\":[", o->n_waves);
    for (uint32_t k = 0; k < o->n_commands; ++k) {
      PUT("%s\n  ", k ? "," : "");
      TRY(put_command(j, &o->commands[k]));
    }
    PUT("]}");
  }
  PUT("]");
  return iree_ok_status();
}

static iree_status_t put_step(json_t *j, const inspect_step_t *step) {
  static const char *const words[] = {"alloca", "dealloca", "allocate", "import", "execute", "command", "read",
                                      "write", "host read", "host write", "wait", "call", "other"};
  PUT("{\"step\":\"%s\",\"pc\":%u", words[step->kind], step->pc);
  TRY(put_flow(j, step->flow));
  if (step->buffer) {
    PUT(",\"buffer\":");
    TRY(put_buffer(j, step->buffer));
    PUT(",\"kind\":\"%s\",\"bytes\":", kind_of(j, step->buffer));
    TRY(put_amount(j, step->bytes));
  }
  if (step->kind == STEP_EXECUTE) {
    uint32_t commands = inspect_resolve(j->self, step->commands, OBJECT_COMMANDS);
    PUT(",\"command_buffer\":");
    if (commands) PUT("%u", commands);
    else PUT("null");
    TRY(put_uses(j, "bindings", step->table, step->n_table));
  }
  if (step->kind == STEP_COMMAND) {
    PUT(",\"command\":");
    TRY(put_command(j, &step->command));
  }
  if (step->kind == STEP_CALL) PUT(",\"callee\":%u", step->callee);
  if (step->kind == STEP_OTHER) {
    PUT(",");
    TRY(put_field(j, "import", step->import));
  }
  PUT("}");
  return iree_ok_status();
}

static iree_status_t put_tenant(json_t *j, const inspect_tenant_t *tenant) {
  PUT("{\"buffer\":");
  TRY(put_buffer(j, tenant->object));
  PUT(",\"kind\":\"%s\",\"allocated\":%s,\"host\":%s,\"vague\":%s,\"bytes\":", kind_of(j, tenant->object), tenant->is_allocated ? "true" : "false",
      tenant->is_host ? "true" : "false", tenant->is_vague ? "true" : "false");
  TRY(put_amount(j, tenant->bytes));
  PUT(",\"first\":%u,\"last\":%u,\"unplaced\":%u,\"pieces\":[", tenant->first, tenant->last, tenant->n_unplaced);
  for (uint32_t i = 0; i < tenant->n_pieces && i < MAX_JSON_ROWS; ++i) {
    const inspect_piece_t *p = &tenant->pieces[i];
    PUT("%s[%" PRIu64 ",%" PRIu64 ",%u,%u]", i ? "," : "", p->offset, p->length, p->first, p->last);
  }
  PUT("]}");
  return iree_ok_status();
}
static iree_status_t put_timeline(json_t *j, uint32_t function) {
  inspect_timeline_t timeline;
  inspect_timeline(j->self, function, &j->arena, &timeline);
  PUT(",\"memory\":{\"peak_bytes\":%" PRIu64 ",\"inexact\":", timeline.peak_bytes);
  if (timeline.inexact) TRY(put_text(j, iree_make_cstring_view(timeline.inexact)));
  else PUT("null");
  PUT(",\"vague\":%s,\"ticks\":[", timeline.is_vague ? "true" : "false");
  for (uint32_t i = 0; i < timeline.n_ticks; ++i) {
    const inspect_tick_t *tick = &timeline.ticks[i];
    PUT("%s[%u,%u,%u,%" PRIu64 ",%" PRIu64 "]", i ? "," : "", tick->function, tick->step, tick->wave, tick->allocated_bytes, tick->live_bytes);
  }
  PUT("],\"buffers\":[");
  for (uint32_t i = 0; i < timeline.n_tenants; ++i) {
    PUT("%s\n  ", i ? "," : "");
    TRY(put_tenant(j, &timeline.tenants[i]));
  }
  PUT("]}");
  return iree_ok_status();
}

static iree_status_t put_functions(json_t *j) {
  PUT(",\n\"functions\":[");
  for (uint32_t i = 0; i < j->self->n_functions; ++i) {
    const inspect_function_t *f = &j->self->functions[i];
    j->function = i;
    PUT("%s\n {\"ordinal\":%u,", i ? "," : "", i);
    TRY(put_field(j, "name", f->name));
    PUT(",\"bytes\":%u,\"exported\":%s,\"followed\":%s,\"steps\":[", f->bytes, f->is_exported ? "true" : "false", f->is_followed ? "true" : "false");
    for (uint32_t k = 0; k < f->n_steps; ++k) {
      PUT("%s\n  ", k ? "," : "");
      TRY(put_step(j, &f->steps[k]));
    }
    PUT("]");
    iree_arena_reset(&j->arena);
    uint64_t work = (uint64_t)j->self->n_objects + f->n_steps + 1024;
    bool has_timeline = f->is_exported && work <= j->work_left;
    if (has_timeline) j->work_left -= work;
    if (has_timeline) TRY(put_timeline(j, i));
    PUT("}");
  }
  PUT("]");
  return iree_ok_status();
}

// ---- files -------------------------------------------------------------------------------------

static iree_status_t put_size(json_t *j, const inspect_size_t *size) {
  PUT("{");
  TRY(put_field(j, "name", size->name));
  PUT(",\"bytes\":%" PRIu64, size->bytes);
  if (size->cause) PUT(",\"cause\":\"%s\"", size->cause);
  if (size->n_children) {
    PUT(",\"children\":[");
    for (uint32_t i = 0; i < size->n_children; ++i) {
      if (i) PUT(",");
      TRY(put_size(j, &size->children[i]));
    }
    PUT("]");
  }
  PUT("}");
  return iree_ok_status();
}
static iree_status_t put_hex(json_t *j, const uint8_t *data, uint64_t size) {
  char *hex = NULL;
  uint64_t n = size < MAX_HEX_BYTES ? size : MAX_HEX_BYTES;
  n = n < j->hex_left ? n : j->hex_left;
  j->hex_left -= n;
  PUT(",\"hex\":\"");
  TRY(iree_string_builder_append_inline(j->builder, 2 * n, &hex));
  for (uint64_t i = 0; hex && i < n; ++i) {
    hex[2 * i] = "0123456789abcdef"[data[i] >> 4];
    hex[2 * i + 1] = "0123456789abcdef"[data[i] & 15];
  }
  PUT("\"");
  return iree_ok_status();
}
static iree_status_t put_kernel(json_t *j, const inspect_image_t *image, const inspect_kernel_t *kernel) {
  PUT("\n  {");
  TRY(put_field(j, "name", kernel->name));
  PUT(",\"address\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"bindings\":", kernel->address, kernel->size);
  if (kernel->has_counts) PUT("%u,", kernel->binding_count);
  else PUT("null,");
  TRY(put_field(j, "sources", kernel->sources));
  if (kernel->assembly.size) {
    PUT(",");
    TRY(put_field(j, "assembly", kernel->assembly));
  } else {
    TRY(put_hex(j, image->data.data + kernel->offset, kernel->size));
  }
  PUT("}");
  return iree_ok_status();
}
static iree_status_t put_images(json_t *j) {
  PUT(",\n\"executables\":[");
  for (uint32_t i = 0; i < j->self->n_images; ++i) {
    const inspect_image_t *image = &j->self->images[i];
    PUT("%s\n {\"rodata\":%u,\"bytes\":%" PRIhsz ",\"machine\":", i ? "," : "", image->rodata, image->data.data_length);
    if (image->machine) PUT("\"%s\"", image->machine);
    else PUT("null");
    if (image->note) {
      PUT(",");
      TRY(put_field(j, "note", iree_make_cstring_view(image->note)));
    }
    if (image->disassembly) {
      PUT(",");
      TRY(put_field(j, "disassembly", iree_make_cstring_view(image->disassembly)));
    }
    PUT(",\"kernels\":[");
    for (uint32_t k = 0; k < image->n_kernels; ++k) {
      if (k) PUT(",");
      TRY(put_kernel(j, image, &image->kernels[k]));
    }
    PUT("]}");
  }
  PUT("]");
  return iree_ok_status();
}

static iree_status_t put_attrs(json_t *j, const char *name, flatbuf_vector_t attrs) {
  PUT(",\"%s\":[", name);
  for (uint32_t i = 0; i < attrs.count && i < 256; ++i) {
    flatbuf_table_t attr = flatbuf_vector_table(attrs, i);
    PUT("%s[", i ? "," : "");
    TRY(put_text(j, flatbuf_string(attr, VMFB_AttrDef_key)));
    PUT(",");
    TRY(put_text(j, flatbuf_string(attr, VMFB_AttrDef_value)));
    PUT("]");
  }
  PUT("]");
  return iree_ok_status();
}
static iree_status_t put_module(json_t *j) {
  flatbuf_table_t root = j->self->archive->root;
  const bytecode_module_t *module = j->self->module->self;
  PUT("{\"file\":{");
  TRY(put_field(j, "name", j->self->file_name));
  PUT(",\"bytes\":%" PRIhsz "},\n\"module\":{", j->self->archive->contents.data_length);
  TRY(put_field(j, "name", flatbuf_string(root, VMFB_BytecodeModuleDef_name)));
  TRY(put_attrs(j, "attributes", flatbuf_vector(root, VMFB_BytecodeModuleDef_attrs)));
  uint32_t version = flatbuf_u32(root, VMFB_BytecodeModuleDef_bytecode_version, 0);
  PUT(",\"bytecode\":\"%u.%u\",\"dependencies\":[", version >> 16, version & 0xFFFF);
  flatbuf_vector_t dependencies = flatbuf_vector(root, VMFB_BytecodeModuleDef_dependencies);
  for (uint32_t i = 0; i < dependencies.count && i < 256; ++i) {
    if (i) PUT(",");
    TRY(put_text(j, flatbuf_string(flatbuf_vector_table(dependencies, i), VMFB_ModuleDependencyDef_name)));
  }
  PUT("],\"globals\":{\"bytes\":%u,\"refs\":%u}},\n\"exports\":[", module->global_bytes, module->global_ref_count);
  flatbuf_vector_t exports = flatbuf_vector(root, VMFB_BytecodeModuleDef_exported_functions);
  flatbuf_vector_t signatures = flatbuf_vector(root, VMFB_BytecodeModuleDef_function_signatures);
  for (uint32_t i = 0; i < exports.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(exports, i);
    uint32_t ordinal = flatbuf_u32(table, VMFB_ExportFunctionDef_internal_ordinal, 0);
    PUT("%s\n {", i ? "," : "");
    TRY(put_field(j, "name", flatbuf_string(table, VMFB_ExportFunctionDef_local_name)));
    flatbuf_table_t signature = ordinal < signatures.count ? flatbuf_vector_table(signatures, ordinal) : NULL;
    PUT(",\"function\":%u,", ordinal);
    TRY(put_field(j, "calling_convention", flatbuf_string(signature, VMFB_FunctionSignatureDef_calling_convention)));
    TRY(put_attrs(j, "attributes", flatbuf_vector(signature, VMFB_FunctionSignatureDef_attrs)));
    PUT("}");
  }
  PUT("]");
  return iree_ok_status();
}

// The lines of the program, for places that kernels name.
static iree_status_t put_lines(json_t *j) {
  PUT(",\n\"source\":[");
  iree_string_view_t rest = j->source;
  for (bool is_first = true; rest.size; is_first = false) {
    const char *end = memchr(rest.data, '\n', rest.size);
    iree_host_size_t n = end ? (iree_host_size_t)(end - rest.data) : rest.size;
    if (!is_first) PUT(",");
    TRY(put_text(j, iree_make_string_view(rest.data, n < 200 ? n : 200)));
    rest = iree_string_view_substr(rest, n + 1, IREE_HOST_SIZE_MAX);
  }
  PUT("]");
  return iree_ok_status();
}

static iree_status_t put_all(json_t *j) {
  TRY(put_module(j));
  if (j->self->stopped) {
    PUT(",\n");
    TRY(put_field(j, "stopped", iree_make_cstring_view(j->self->stopped)));
  }
  TRY(put_functions(j));
  TRY(put_command_buffers(j));
  TRY(put_images(j));
  PUT(",\n\"sizes\":");
  TRY(put_size(j, &j->self->sizes));
  if (j->source.size) TRY(put_lines(j));
  PUT("}\n");
  return iree_ok_status();
}

iree_status_t inspect_append_json(const inspect_t *self, iree_string_view_t source,
                                  iree_string_builder_t *builder) {
  json_t j = {.self = self, .source = source, .builder = builder, .work_left = TIMELINE_WORK};
  j.hex_left = self->archive->contents.data_length;
  iree_arena_init(&j.arena);
  iree_status_t status = put_all(&j);
  iree_arena_deinit(&j.arena);
  return status;
}
