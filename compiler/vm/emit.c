// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers what the module's functions use, encodes them and hands plain structs to emit/vmfb.h.
// Imports, constants and types that no code names are left out.
#include "compiler/vm/emit.h"

#include <stdio.h>
#include <string.h>

#include "abi/isa.h"
#include "abi/version.h"
#include "compiler/dialects/vm_ops.h"
#include "compiler/ir/printer.h"
#include "compiler/report.h"
#include "compiler/vm/bytes.h"
#include "compiler/vm/encode.h"

typedef struct emitter {
  pass_t *pass;
  iree_arena_t *arena;  // of the emission; pass->scratch
  ir_ctx_t *ctx;
  ir_map_t *symbols;    // name attribute -> op
  ir_map_t *ordinals;   // op -> number + 1
  ir_map_t *types;      // type -> number + 1
  ir_map_t *locations;  // location -> number + 2 (1: nothing)
  const ir_op_t **imports, **rodata;
  uint32_t n_imports, import_cap, n_rodata, rodata_cap;
  iree_string_view_t *type_names;
  uint32_t n_types, type_cap;
  vmfb_location_t *locs;
  uint32_t n_locs, loc_cap;
  uint32_t n_functions, global_bytes, n_global_refs;
} emitter_t;

static void *number(uint32_t n) { return (void *)(uintptr_t)(n + 1); }

// ---- names to numbers
static iree_status_t resolve(emitter_t *m, const ir_op_t *user, ir_attr_t symbol,
                             const ir_op_t **out_op) {
  *out_op =
      symbol && symbol->n_kids ? ir_map_get(m->symbols, ir_kid(symbol, symbol->n_kids - 1)) : NULL;
  if (*out_op) return iree_ok_status();
  iree_string_view_t name = symbol ? ir_symref_leaf(symbol) : iree_string_view_empty();
  return ir_op_error(user, "names @%.*s, which the module lacks", (int)name.size, name.data);
}

// A call's operands and results against the signature.
static iree_status_t check_call(const ir_op_t *user, const ir_op_t *target) {
  ir_type_t type = ir_op_attr(target, "function_type");
  ir_attr_t attrs = ir_op_attr(target, "arg_attrs"), sizes = ir_op_attr(user, "segment_sizes"),
            types = ir_op_attr(user, "segment_types");
  size_t n_in = ir_fn_n_inputs(type), n_out = ir_fn_n_results(type);
  bool same = sizes ? types->n_kids == n_in : user->n_operands == n_in;
  for (size_t i = 0; same && i < n_in; ++i) {
    bool variadic = attrs && i < attrs->n_kids && ir_dict_get(ir_kid(attrs, i), "vm.variadic");
    same = sizes ? ir_kid(types, i) == ir_fn_input(type, i) &&
                       (vm_segment_size(sizes, i) >= 0) == variadic
                 : ir_operand(user, i)->type == ir_fn_input(type, i) && !variadic;
  }
  bool yields = ir_op_has_trait(user, IR_SUCC_RESULTS);
  const ir_block_t *next = yields ? user->succs[0].block : NULL;
  same = same && (yields ? next->n_args : user->n_results) == n_out;
  for (size_t i = 0; same && i < n_out; ++i)
    same = (yields ? next->args[i] : ir_result(user, i))->type == ir_fn_result(type, i);
  if (same) return iree_ok_status();
  iree_string_view_t name = ir_op_sym_name(target);
  return ir_op_error(user, "passes other values than @%.*s takes, or expects others back",
                     (int)name.size, name.data);
}

static iree_status_t function_number(void *self, const ir_op_t *user, ir_attr_t callee,
                                     uint32_t *out) {
  emitter_t *m = self;
  const ir_op_t *op;
  IREE_RETURN_IF_ERROR(resolve(m, user, callee, &op));
  uintptr_t known = (uintptr_t)ir_map_get(m->ordinals, op);
  bool calls =
      user->kind != OP_VM_IMPORT_RESOLVED && (op->kind == OP_VM_FUNC || op->kind == OP_VM_IMPORT);
  if (calls) IREE_RETURN_IF_ERROR(check_call(user, op));
  if (op->kind == OP_VM_FUNC) {
    *out = (uint32_t)known - 1;
  } else if (op->kind == OP_VM_IMPORT) {
    if (!known) {
      ir_map_set(m->ordinals, op, number(m->n_imports));
      known = m->n_imports + 1;
      IREE_ARENA_PUSH(m->arena, m->imports, m->n_imports, m->import_cap, op);
    }
    *out = (uint32_t)(known - 1) | ISA_IMPORT_BIT;
  } else {
    return ir_op_error(user, "calls what is no function");
  }
  return iree_ok_status();
}

static iree_status_t global_number(void *self, const ir_op_t *user, ir_attr_t symbol,
                                   uint32_t *out) {
  emitter_t *m = self;
  const ir_op_t *op;
  IREE_RETURN_IF_ERROR(resolve(m, user, symbol, &op));
  uintptr_t known = (uintptr_t)ir_map_get(m->ordinals, op);
  if (!known || op->kind == OP_VM_FUNC || op->kind == OP_VM_IMPORT || op->kind == OP_VM_RODATA)
    return ir_op_error(user, "names what is no global");
  *out = (uint32_t)known - 1;
  return iree_ok_status();
}

static iree_status_t rodata_number(void *self, const ir_op_t *user, ir_attr_t symbol,
                                   uint32_t *out) {
  emitter_t *m = self;
  const ir_op_t *op;
  IREE_RETURN_IF_ERROR(resolve(m, user, symbol, &op));
  if (op->kind != OP_VM_RODATA) return ir_op_error(user, "names what is no rodata");
  uintptr_t known = (uintptr_t)ir_map_get(m->ordinals, op);
  if (!known) {
    ir_map_set(m->ordinals, op, number(m->n_rodata));
    known = m->n_rodata + 1;
    IREE_ARENA_PUSH(m->arena, m->rodata, m->n_rodata, m->rodata_cap, op);
  }
  *out = (uint32_t)known - 1;
  return iree_ok_status();
}

static uint32_t type_number(void *self, ir_type_t type) {
  emitter_t *m = self;
  uintptr_t known = (uintptr_t)ir_map_get(m->types, type);
  if (known) return (uint32_t)known - 1;
  ir_map_set(m->types, type, number(m->n_types));
  ir_type_t inner = ir_type_is(type, "vm.ref") && type->n_kids ? ir_kid(type, 0) : type;
  const char *name = ir_type_is(inner, "vm.list") ? "!vm.list"
                     : !ir_type_is_type(inner)    ? "!vm.opaque"  // !vm.ref<?>
                                                  : ir_print_term_to(m->arena, inner);
  IREE_ARENA_PUSH(m->arena, m->type_names, m->n_types, m->type_cap, iree_make_cstring_view(name));
  return m->n_types - 1;
}

static int32_t location_number(void *self, ir_loc_t loc);
static int32_t add_location(emitter_t *m, ir_loc_t loc) {
  vmfb_location_t out = {0};
  switch (loc->kind) {
    case IR_L_FILE:
      out = (vmfb_location_t){.kind = VMFB_LOCATION_FILE_LINE_COL,
                              .text = iree_make_string_view(ir_bytes(loc), loc->n_bytes),
                              .a = (int32_t)ir_int(loc, 0),
                              .b = (int32_t)ir_int(loc, 1)};
      break;
    case IR_L_NAME:
      out = (vmfb_location_t){.kind = VMFB_LOCATION_NAME,
                              .text = iree_make_string_view(ir_bytes(loc), loc->n_bytes)};
      out.a = loc->n_kids && ir_kid(loc, 0) ? location_number(m, ir_kid(loc, 0)) : -1;
      break;
    case IR_L_CALLSITE:
      out = (vmfb_location_t){.kind = VMFB_LOCATION_CALL_SITE};
      out.a = location_number(m, ir_kid(loc, 0));
      out.b = location_number(m, ir_kid(loc, 1));
      break;
    case IR_L_FUSED: {
      int32_t *children = IREE_ARENA_ARRAY(m->arena, int32_t, loc->n_kids + 1);
      size_t n = 0;
      for (uint32_t i = 1; i < loc->n_kids; ++i) {
        int32_t child = location_number(m, ir_kid(loc, i));
        if (child >= 0) children[n++] = child;
      }
      if (!n) return -1;
      out = (vmfb_location_t){.kind = VMFB_LOCATION_FUSED, .children = children, .child_count = n};
      break;
    }
    default:
      return -1;
  }
  IREE_ARENA_PUSH(m->arena, m->locs, m->n_locs, m->loc_cap, out);
  return (int32_t)m->n_locs - 1;
}
static int32_t location_number(void *self, ir_loc_t loc) {
  emitter_t *m = self;
  if (!loc) return -1;
  uintptr_t known = (uintptr_t)ir_map_get(m->locations, loc);
  if (known) return (int32_t)known - 2;
  int32_t n = add_location(m, loc);
  ir_map_set(m->locations, loc, (void *)(uintptr_t)(n + 2));
  return n;
}

// ---- calling conventions and reflection
static char letter(ir_type_t type) {
  switch (type->kind) {
    case IR_T_INTEGER:
      return ir_type_width(type) > 32 ? 'I' : 'i';
    case IR_T_FLOAT:
      return ir_type_width(type) > 32 ? 'F' : 'f';
    default:
      return 'r';
  }
}
static size_t write_letters(ir_type_t type, char *out) {
  if (type->kind != IR_T_TUPLE) return out[0] = letter(type), 1;
  for (uint32_t i = 0; i < type->n_kids; ++i) out[i] = letter(ir_kid(type, i));
  return type->n_kids;
}
static iree_string_view_t calling_convention(emitter_t *m, const ir_op_t *op) {
  ir_type_t type = ir_op_attr(op, "function_type");
  ir_attr_t attrs = ir_op_attr(op, "arg_attrs");
  size_t room = 8;
  for (uint32_t i = 0; i < type->n_kids; ++i)
    room += 2 + (ir_kid(type, i)->kind == IR_T_TUPLE ? ir_kid(type, i)->n_kids : 1);
  char *text = iree_arena_alloc(m->arena, room);
  size_t n = 0, n_in = ir_fn_n_inputs(type), n_out = ir_fn_n_results(type);
  text[n++] = '0';
  for (size_t i = 0; i < n_in; ++i) {
    bool variadic = attrs && i < attrs->n_kids && ir_dict_get(ir_kid(attrs, i), "vm.variadic");
    if (variadic) text[n++] = 'C';
    n += write_letters(ir_fn_input(type, i), text + n);
    if (variadic) text[n++] = 'D';
  }
  if (!n_in) text[n++] = 'v';
  text[n++] = '_';
  for (size_t i = 0; i < n_out; ++i) n += write_letters(ir_fn_result(type, i), text + n);
  if (!n_out) text[n++] = 'v';
  return iree_make_string_view(text, n);
}

static iree_string_view_t text_of(emitter_t *m, ir_attr_t value) {
  if (value->kind == IR_A_STRING || value->kind == IR_A_KEYWORD) return ir_str(value);
  if (value->kind == IR_A_SYMREF) return ir_symref_leaf(value);
  if (value->kind == IR_A_INT) {
    char text[32];
    int n = snprintf(text, sizeof text, "%lld", (long long)ir_int(value, 0));
    return iree_make_string_view(iree_arena_copy(m->arena, text, (size_t)n), (size_t)n);
  }
  return iree_make_cstring_view(ir_print_term_to(m->arena, value));
}
static void set_reflection(emitter_t *m, ir_attr_t dict, vmfb_function_t *out) {
  if (!ir_is(dict, IR_A_DICT) || out->attr_count) return;
  vmfb_attr_t *attrs = IREE_ARENA_ARRAY(m->arena, vmfb_attr_t, dict->n_kids / 2 + 1);
  for (uint32_t i = 0; i + 1 < dict->n_kids; i += 2)
    attrs[out->attr_count++] =
        (vmfb_attr_t){ir_str(ir_kid(dict, i)), text_of(m, ir_kid(dict, i + 1))};
  out->attrs = attrs;
}

// ---- module parts
static uint32_t global_size(op_kind_t kind) {
  switch (kind) {
    case OP_VM_GLOBAL_I32:
    case OP_VM_GLOBAL_F32:
      return 4;
    case OP_VM_GLOBAL_I64:
    case OP_VM_GLOBAL_F64:
      return 8;
    default:
      return 0;
  }
}
static bool is_zero_value(ir_attr_t v) {
  return !v || ((v->kind == IR_A_INT || v->kind == IR_A_FLOAT || v->kind == IR_A_BOOL) &&
                ir_int(v, 0) == 0);
}

static iree_status_t number_symbols(emitter_t *m, ir_op_t *vm_module) {
  for (ir_op_t *op = ir_body(vm_module)->first; op; op = op->next) {
    ir_attr_t name = ir_op_has_trait(op, IR_SYMBOL) ? ir_op_attr(op, "sym_name") : NULL;
    if (name) ir_map_set(m->symbols, name, op);
    if (op->kind == OP_VM_FUNC) {
      if (!op->regions[0]->first)
        return ir_op_error(op, "has no body; functions of other modules are vm.import");
      ir_map_set(m->ordinals, op, number(m->n_functions++));
    } else if (op->kind == OP_VM_INITIALIZER) {
      return ir_op_error(op, "must have been merged into @__init");
    } else if (op->kind == OP_VM_GLOBAL_REF) {
      ir_map_set(m->ordinals, op, number(m->n_global_refs++));
    } else if (global_size((op_kind_t)op->kind)) {
      if (!is_zero_value(ir_op_attr(op, "initial_value")))
        return ir_op_error(op, "has an initial value that @__init must store instead");
    }
  }
  for (uint32_t size = 8; size >= 4; size -= 4)  // wide ones first: nothing is lost to alignment
    for (ir_op_t *op = ir_body(vm_module)->first; op; op = op->next)
      if (global_size((op_kind_t)op->kind) == size) {
        ir_map_set(m->ordinals, op, number(m->global_bytes));
        m->global_bytes += size;
      }
  return iree_ok_status();
}

// Debug level 0 leaves out every trace of the sources, so that bytes do not depend on where they
// lay.
static bool strips_sources(const emitter_t *m) {
  return m->pass->options->strip_source_map || m->pass->options->executable_debug_level == 0;
}

static iree_status_t encode_functions(emitter_t *m, ir_op_t *vm_module, vmfb_module_t *out) {
  static const vm_numbering_t callbacks = {NULL,          function_number, global_number,
                                           rodata_number, type_number,     location_number};
  vm_numbering_t numbering = callbacks;
  numbering.self = m;
  vm_encode_options_t options = {vm_rows(m->arena), m->pass->options->strip_debug_ops,
                                 strips_sources(m)};
  vmfb_function_t *functions = IREE_ARENA_ARRAY(m->arena, vmfb_function_t, m->n_functions + 1);
  size_t n = 0;
  for (ir_op_t *op = ir_body(vm_module)->first; op; op = op->next) {
    if (op->kind != OP_VM_FUNC) continue;
    vmfb_function_t *f = &functions[n++];
    f->name = ir_op_sym_name(op);
    f->calling_convention = calling_convention(m, op);
    IREE_RETURN_IF_ERROR(vm_encode_function(op, &numbering, &options, m->arena, f));
  }
  out->functions = functions;
  out->function_count = n;
  return iree_ok_status();
}

static iree_status_t set_exports(emitter_t *m, ir_op_t *vm_module, vmfb_module_t *out) {
  size_t n = 0;
  for (ir_op_t *op = ir_body(vm_module)->first; op; op = op->next) n += op->kind == OP_VM_EXPORT;
  vmfb_export_t *exports = IREE_ARENA_ARRAY(m->arena, vmfb_export_t, n + 1);
  for (ir_op_t *op = ir_body(vm_module)->first; op; op = op->next) {
    if (op->kind != OP_VM_EXPORT) continue;
    const ir_op_t *f;
    IREE_RETURN_IF_ERROR(resolve(m, op, ir_op_attr(op, "function_ref"), &f));
    if (f->kind != OP_VM_FUNC) return ir_op_error(op, "exports what is no function");
    uint32_t ordinal = (uint32_t)(uintptr_t)ir_map_get(m->ordinals, f) - 1;
    exports[out->export_count++] = (vmfb_export_t){ir_str(ir_op_attr(op, "export_name")), ordinal};
    vmfb_function_t *function = (vmfb_function_t *)&out->functions[ordinal];
    set_reflection(m, ir_op_attr(op, "iree.reflection"), function);
    set_reflection(m, ir_op_attr(f, "iree.reflection"), function);
  }
  out->exports = exports;
  return iree_ok_status();
}

static void set_imports(emitter_t *m, vmfb_module_t *out) {
  vmfb_import_t *imports = IREE_ARENA_ARRAY(m->arena, vmfb_import_t, m->n_imports + 1);
  vmfb_dependency_t *dependencies = IREE_ARENA_ARRAY(m->arena, vmfb_dependency_t, m->n_imports + 1);
  for (uint32_t i = 0; i < m->n_imports; ++i) {
    const ir_op_t *op = m->imports[i];
    bool optional = ir_op_flag(op, "is_optional");
    imports[i] = (vmfb_import_t){ir_op_sym_name(op), calling_convention(m, op), optional};
    iree_string_view_t module;
    iree_string_view_split(imports[i].full_name, '.', &module, NULL);
    size_t d = 0;
    while (d < out->dependency_count && !iree_string_view_equal(dependencies[d].name, module)) ++d;
    if (d == out->dependency_count)
      dependencies[out->dependency_count++] = (vmfb_dependency_t){module, 0, true};
    uint32_t version = (uint32_t)ir_op_int(op, "minimum_version", 0);
    if (dependencies[d].minimum_version < version) dependencies[d].minimum_version = version;
    dependencies[d].is_optional = dependencies[d].is_optional && optional;
  }
  out->imports = imports;
  out->import_count = m->n_imports;
  out->dependencies = dependencies;
}

static iree_status_t set_rodata(emitter_t *m, vmfb_module_t *out) {
  vmfb_rodata_t *rodata = IREE_ARENA_ARRAY(m->arena, vmfb_rodata_t, m->n_rodata + 1);
  for (uint32_t i = 0; i < m->n_rodata; ++i) {
    const ir_op_t *op = m->rodata[i];
    ir_attr_t mime = ir_op_attr(op, "mime_type");
    const uint8_t *data;
    IREE_RETURN_IF_ERROR(
        attr_bytes(op, ir_op_attr(op, "value"), m->arena, &data, &rodata[i].length));
    rodata[i].data = data;
    rodata[i].name = ir_op_sym_name(op);
    rodata[i].mime_type = mime ? ir_str(mime) : iree_string_view_empty();
    rodata[i].alignment = (uint32_t)ir_op_int(op, "alignment", 0);
  }
  out->rodata = rodata;
  out->rodata_count = m->n_rodata;
  return iree_ok_status();
}

// Where the module comes from: compiler, targets, and a hash (FNV-1a) of what it does.
static uint64_t hash(uint64_t h, const void *data, size_t n) {
  for (size_t i = 0; i < n; ++i) h = (h ^ ((const uint8_t *)data)[i]) * 0x100000001B3u;
  return h;
}
static void set_origin(emitter_t *m, const ir_op_t *vm_module, vmfb_module_t *out) {
  if (m->pass->options->strip_source_map) return;
  vmfb_attr_t *attrs = IREE_ARENA_ARRAY(m->arena, vmfb_attr_t, 3);
  uint64_t h = 0xCBF29CE484222325u;
  for (size_t i = 0; i < out->function_count; ++i)
    h = hash(h, out->functions[i].bytecode, out->functions[i].bytecode_length);
  for (size_t i = 0; i < out->rodata_count; ++i)
    h = hash(h, out->rodata[i].data, out->rodata[i].length);
  char text[17];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)h);
  attrs[out->attr_count++] = (vmfb_attr_t){IREE_SV("compiler"), IREE_SV("iree-c " ABI_RELEASE)};
  attrs[out->attr_count++] = (vmfb_attr_t){
      IREE_SV("hash"), iree_make_string_view(iree_arena_copy(m->arena, text, 16), 16)};
  ir_attr_t target = ir_op_attr(vm_module, "iree.target");
  if (ir_is(target, IR_A_STRING))
    attrs[out->attr_count++] = (vmfb_attr_t){IREE_SV("target"), ir_str(target)};
  out->attrs = attrs;
}

static iree_status_t find_module(ir_op_t *top, ir_op_t **out) {
  *out = NULL;
  for (ir_op_t *op = ir_body(top)->first; op; op = op->next) {
    if (op->kind != OP_VM_MODULE) return ir_op_error(op, "stands beside the vm.module at the end");
    if (*out) return ir_op_error(op, "is a second vm.module; one file holds one");
    *out = op;
  }
  return *out ? iree_ok_status() : ir_op_error(top, "holds no vm.module to emit");
}

iree_status_t vm_emit_module(pass_t *pass, ir_op_t *module, vmfb_write_fn_t write, void *self) {
  ir_op_t *vm_module;
  IREE_RETURN_IF_ERROR(find_module(module, &vm_module));
  emitter_t m = {.pass = pass, .arena = pass->scratch, .ctx = pass->ctx};
  m.symbols = ir_map_create(m.arena);
  m.ordinals = ir_map_create(m.arena);
  m.types = ir_map_create(m.arena);
  m.locations = ir_map_create(m.arena);
  vmfb_module_t out = {.name = ir_op_sym_name(vm_module),
                       .version = (uint32_t)ir_op_int(vm_module, "version", 0)};
  iree_status_t status = number_symbols(&m, vm_module);
  if (iree_status_is_ok(status)) status = encode_functions(&m, vm_module, &out);
  if (iree_status_is_ok(status)) status = set_exports(&m, vm_module, &out);
  if (iree_status_is_ok(status)) status = set_rodata(&m, &out);
  if (iree_status_is_ok(status)) {
    set_imports(&m, &out);
    set_origin(&m, vm_module, &out);
    out.types = m.type_names, out.type_count = m.n_types;
    out.global_bytes = m.global_bytes, out.global_refs = m.n_global_refs;
    if (!strips_sources(&m)) out.locations = m.locs, out.location_count = m.n_locs;
    if (pass->report) report_file(pass->report, &out);
    vmfb_options_t options = {.emit_zip = pass->options->polyglot_zip};
    status = vmfb_emit(&out, &options, write, self);
  }
  iree_arena_reset(m.arena);
  return status;
}
