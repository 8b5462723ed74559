// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executables get a variant per target and the interface that targets know: bindings and constants
// by number instead of function arguments.
//
//   in:         stream.executable, stream.cmd.dispatch of its exports
//   out:        hal.executable with hal.executable.variant; dispatches name
//   @executable::@variant::@export relies on:  devices as globals initialised with their targets;
//   kernels whose scalar arguments are i32 breaks:     nothing
//
//   stream.executable private @e {                 hal.executable private @e {
//     stream.executable.export public @f             hal.executable.variant public @v target(#t) {
//     builtin.module {                         =>      hal.executable.export public @f ordinal(0)
//     layout(#l)
//       func.func @f(%b: !stream.binding) {            builtin.module {
//         stream.binding.subspan %b[%c0] ...             func.func @f() {
//                                                          hal.interface.binding.subspan layout(#l)
//                                                          binding(0) ...
#include <stdio.h>
#include <string.h>

#include "compiler/ir/parser.h"
#include "compiler/pass.h"

enum { MAX_TARGETS = 16, READ_ONLY = 1, INDIRECT = 2, WRITE = 2 };

// What the dispatches of one export say of its bindings.
typedef struct interface {
  uint32_t n_bindings;
  uint8_t *flags;
} interface_t;
typedef struct materialize {
  pass_t *pass;
  ir_ctx_t *ctx;
  ir_op_t *module;
  ir_attr_t targets[MAX_TARGETS];
  const char *variants[MAX_TARGETS];
  size_t n_targets;
  ir_map_t *executables;  // name -> stream.executable
  ir_map_t *interfaces;   // export -> interface_t
} materialize_t;

// ---- targets
static const char *variant_name(materialize_t *m, ir_attr_t target) {
  char name[128] = "variant";
  if (target->n_kids > 1 && ir_is(ir_kid(target, 1), IR_A_STRING))
    snprintf(name, sizeof name, "%.100s", ir_bytes(ir_kid(target, 1)));
  for (char *c = name; *c; ++c)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
      *c = '_';
  size_t same = 0, n = strlen(name);
  for (size_t i = 0; i < m->n_targets; ++i) same += !strncmp(m->variants[i], name, n);
  if (same) snprintf(name + n, sizeof name - n, "_%zu", same);
  return ir_intern(m->ctx, name, strlen(name));
}
static iree_status_t collect_targets(materialize_t *m, const ir_op_t *op, ir_attr_t attr,
                                     int depth) {
  if (!attr || depth > 16) return iree_ok_status();
  if (attr->kind == IR_A_DIALECT && !strcmp(ir_bytes(attr), "hal.executable.target")) {
    for (size_t i = 0; i < m->n_targets; ++i)
      if (m->targets[i] == attr) return iree_ok_status();
    if (m->n_targets == MAX_TARGETS)
      return ir_op_error(op, "brings more than %d executable targets", MAX_TARGETS);
    m->variants[m->n_targets] = variant_name(m, attr);
    m->targets[m->n_targets++] = attr;
    return iree_ok_status();
  }
  for (uint32_t i = 0; i < attr->n_kids; ++i)
    IREE_RETURN_IF_ERROR(collect_targets(m, op, ir_kid(attr, i), depth + 1));
  return iree_ok_status();
}

// ---- interfaces
static ir_op_t *find_export(const materialize_t *m, ir_attr_t entry) {
  if (entry->n_kids != 2) return NULL;
  ir_op_t *executable = ir_map_get(m->executables, ir_kid(entry, 0));
  for (ir_op_t *op = executable ? ir_body(executable)->first : NULL; op; op = op->next)
    if (op->kind == OP_STREAM_EXECUTABLE_EXPORT && ir_op_attr(op, "sym_name") == ir_kid(entry, 1))
      return op;
  return NULL;
}
static bool is_constant_resource(ir_type_t type) {
  return type->n_kids && ir_is(ir_kid(type, 0), IR_A_KEYWORD) &&
         ir_str_is(ir_kid(type, 0), "constant");
}

static iree_status_t visit_dispatch(ir_op_t *op, void *self) {
  materialize_t *m = self;
  if (op->kind != OP_STREAM_CMD_DISPATCH) return iree_ok_status();
  ir_ctx_t *ctx = m->ctx;
  ir_attr_t entries = ir_op_attr(op, "entry_points"),
            accesses = ir_op_attr(op, "resource_accesses");
  ir_group_t resources = ir_operand_group(op, "resources");
  size_t n = 0;
  ir_attr_t *names =
      IREE_ARENA_ARRAY(m->pass->scratch, ir_attr_t, entries->n_kids * m->n_targets + 1);
  for (uint32_t e = 0; e < entries->n_kids; ++e) {
    ir_attr_t entry = ir_kid(entries, e);
    ir_op_t *export = find_export(m, entry);
    if (!export) {  // of an executable that is past this step
      names[n++] = entry;
      continue;
    }
    interface_t *interface = ir_map_get(m->interfaces, export);
    if (!interface) {
      interface = IREE_ARENA_NEW(m->pass->scratch, interface_t);
      *interface =
          (interface_t){resources.n, IREE_ARENA_ARRAY(m->pass->scratch, uint8_t, resources.n + 1)};
      memset(interface->flags, READ_ONLY, resources.n);
      ir_map_set(m->interfaces, export, interface);
    }
    if (interface->n_bindings != resources.n)
      return ir_op_error(op, "binds %u resources where another dispatch binds %u", resources.n,
                         interface->n_bindings);
    for (uint32_t i = 0; i < resources.n; ++i) {
      if (ir_int(ir_kid(accesses, i), 0) & WRITE) interface->flags[i] &= (uint8_t)~READ_ONLY;
      if (!is_constant_resource(ir_operand(op, resources.first + i)->type))
        interface->flags[i] |= INDIRECT;
    }
    for (size_t t = 0; t < m->n_targets; ++t)
      names[n++] = ir_attr_symref(
          ctx,
          (const char *[]){ir_bytes(ir_kid(entry, 0)), m->variants[t], ir_bytes(ir_kid(entry, 1))},
          3);
  }
  ir_op_set_attr(ctx, op, "entry_points", ir_attr_array(ctx, names, n));
  return iree_ok_status();
}

static ir_attr_t layout_of(materialize_t *m, const interface_t *interface, uint32_t n_constants) {
  static const char *const words[] = {"", ", ReadOnly", ", Indirect", ", \"ReadOnly|Indirect\""};
  size_t room = 128 + 80 * (size_t)interface->n_bindings, n = 0;
  char *text = iree_arena_alloc(m->pass->scratch, room);
  bool indirect = false;
  n += (size_t)snprintf(text, room, "#hal.pipeline.layout<");
  if (n_constants) n += (size_t)snprintf(text + n, room - n, "constants = %u, ", n_constants);
  n += (size_t)snprintf(text + n, room - n, "bindings = [");
  for (uint32_t i = 0; i < interface->n_bindings; ++i) {
    n += (size_t)snprintf(text + n, room - n, "%s#hal.pipeline.binding<storage_buffer%s>",
                          i ? ", " : "", words[interface->flags[i] & 3]);
    indirect = indirect || (interface->flags[i] & INDIRECT);
  }
  snprintf(text + n, room - n, "]%s>", indirect ? ", flags = Indirect" : "");
  return ir_parse_attr(m->ctx, iree_make_cstring_view(text));
}

// ---- kernels
static iree_status_t convert_subspans(materialize_t *m, ir_value_t *arg, ir_attr_t layout,
                                      uint32_t binding, uint8_t flags, ir_attr_t alignment) {
  ir_ctx_t *ctx = m->ctx;
  for (ir_use_t *use = arg->uses, *next; use; use = next) {
    next = use->next;
    ir_op_t *op = use->user;
    if (op->kind != OP_STREAM_BINDING_SUBSPAN)
      return ir_op_error(op, "uses a binding other than by stream.binding.subspan");
    ir_named_t attrs[4] = {{"layout", layout}, {"binding", ir_attr_index(ctx, binding)}};
    size_t n = 2;
    if (alignment) attrs[n++] = (ir_named_t){"alignment", alignment};
    if (flags) attrs[n++] = (ir_named_t){"descriptor_flags", ir_attr_i32(ctx, flags)};
    ir_value_t **operands = IREE_ARENA_ARRAY(m->pass->scratch, ir_value_t *, op->n_operands);
    for (uint32_t i = 1; i < op->n_operands; ++i) operands[i - 1] = ir_operand(op, i);
    ir_type_t type = ir_result(op, 0)->type;
    ir_builder_t b = ir_builder_before(ctx, op);
    b.loc = op->loc;
    ir_op_t *built = ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_INTERFACE_BINDING_SUBSPAN,
                                                  .operands = operands,
                                                  .n_operands = op->n_operands - 1,
                                                  .segments = (uint32_t[]){1, op->n_operands - 2},
                                                  .results = &type,
                                                  .n_results = 1,
                                                  .attrs = attrs,
                                                  .n_attrs = n});
    ir_op_replace(op, (ir_value_t *[]){ir_result(built, 0)});
  }
  return iree_ok_status();
}

// Takes the arguments off |func|.
static iree_status_t convert_kernel(materialize_t *m, ir_op_t *func, const interface_t *interface,
                                    ir_attr_t *out_layout) {
  ir_ctx_t *ctx = m->ctx;
  ir_block_t *entry = ir_body(func);
  ir_attr_t arg_attrs = ir_op_attr(func, "arg_attrs");
  uint32_t n_bindings = 0, n_constants = 0;
  if (!entry) return ir_op_error(func, "has no body");
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    if (ir_type_is(entry->args[i]->type, "stream.binding"))
      ++n_bindings;
    else if (ir_type_is_int(entry->args[i]->type, 32))
      ++n_constants;
    else
      return ir_op_error(func,
                         "takes a scalar that is no i32; constants of dispatches are 32-bit words");
  }
  if (n_bindings != interface->n_bindings)
    return ir_op_error(func, "takes %u bindings, its dispatches pass %u", n_bindings,
                       interface->n_bindings);
  ir_attr_t layout = layout_of(m, interface, n_constants);
  uint32_t binding = 0, ordinal = 0;
  ir_builder_t b = ir_builder_at_start(ctx, entry);
  b.loc = func->loc;
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    ir_value_t *arg = entry->args[i];
    if (ir_type_is(arg->type, "stream.binding")) {
      ir_attr_t dict = arg_attrs && i < arg_attrs->n_kids ? ir_kid(arg_attrs, i) : NULL;
      ir_attr_t alignment = dict ? ir_dict_get(dict, "stream.alignment") : NULL;
      IREE_RETURN_IF_ERROR(
          convert_subspans(m, arg, layout, binding, interface->flags[binding], alignment));
      ++binding;
    } else {
      ir_named_t attrs[2] = {{"layout", layout}, {"ordinal", ir_attr_index(ctx, ordinal++)}};
      ir_op_t *load = ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_INTERFACE_CONSTANT_LOAD,
                                                   .results = &arg->type,
                                                   .n_results = 1,
                                                   .attrs = attrs,
                                                   .n_attrs = 2});
      ir_replace_uses(arg, ir_result(load, 0));
    }
  }
  while (entry->n_args) ir_block_erase_arg(entry, entry->n_args - 1);
  ir_op_set_attr(ctx, func, "arg_attrs", NULL);
  ir_op_set_attr(ctx, func, "function_type", ir_type_function(ctx, NULL, 0, NULL, 0));
  *out_layout = layout;
  return iree_ok_status();
}

// The region that counts workgroups: a device before the workload.
static void convert_count(materialize_t *m, const ir_op_t *from, ir_op_t *to) {
  ir_ctx_t *ctx = m->ctx;
  const ir_block_t *old = ir_body(from);
  if (!old) return;
  ir_block_t *block = ir_block_create(ctx, to->regions[0]);
  ir_map_t *map = ir_map_create(m->pass->scratch);
  ir_block_add_arg(ctx, block, ir_type_dialect(ctx, "hal.device", NULL, 0));
  for (uint32_t i = 0; i < old->n_args; ++i)
    ir_map_set(map, old->args[i], ir_block_add_arg(ctx, block, old->args[i]->type));
  ir_builder_t b = ir_builder_at_end(ctx, block);
  for (const ir_op_t *op = old->first; op; op = op->next) {
    b.loc = op->loc;
    if (op->kind != OP_STREAM_RETURN) {
      ir_insert(&b, ir_op_clone(ctx, op, map));
      continue;
    }
    ir_value_t **values = IREE_ARENA_ARRAY(m->pass->scratch, ir_value_t *, op->n_operands + 1);
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      ir_value_t *v = ir_map_get(map, ir_operand(op, i));
      values[i] = v ? v : ir_operand(op, i);
    }
    ir_build(&b, &(ir_op_desc_t){
                     .kind = OP_HAL_RETURN, .operands = values, .n_operands = op->n_operands});
  }
}

// ---- executables
static iree_status_t convert_exports(materialize_t *m, const ir_op_t *executable, ir_op_t *inner,
                                     ir_builder_t *b) {
  ir_ctx_t *ctx = m->ctx;
  int64_t ordinal = 0;
  for (ir_op_t *op = ir_body(executable)->first; op; op = op->next) {
    if (op->kind != OP_STREAM_EXECUTABLE_EXPORT) continue;
    const interface_t *interface = ir_map_get(m->interfaces, op);
    if (!interface) continue;  // nothing dispatches it
    iree_string_view_t name = ir_symref_leaf(ir_op_attr(op, "function_ref"));
    ir_op_t *func = ir_symbol_lookup(inner, name);
    if (!ir_op_is(func, OP_FUNC_FUNC))
      return ir_op_error(op, "exports @%.*s, which is no function of the executable",
                         (int)name.size, name.data);
    ir_attr_t layout = NULL, visibility = ir_op_attr(op, "sym_visibility");
    IREE_RETURN_IF_ERROR(convert_kernel(m, func, interface, &layout));
    ir_named_t attrs[4] = {{"sym_name", ir_op_attr(op, "sym_name")},
                           {"layout", layout},
                           {"ordinal", ir_attr_index(ctx, ordinal++)},
                           {"sym_visibility", visibility}};
    b->loc = op->loc;
    ir_op_t *export = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_EXECUTABLE_EXPORT,
                                                  .attrs = attrs,
                                                  .n_attrs = visibility ? 4 : 3,
                                                  .n_regions = 2});
    convert_count(m, op, export);
  }
  return iree_ok_status();
}

static iree_status_t convert_variant(materialize_t *m, const ir_op_t *executable, size_t t,
                                     ir_block_t *body) {
  ir_ctx_t *ctx = m->ctx;
  ir_named_t attrs[3] = {{"sym_name", ir_attr_str(ctx, m->variants[t])},
                         {"sym_visibility", ir_attr_str(ctx, "public")},
                         {"target", m->targets[t]}};
  ir_builder_t b = ir_builder_at_end(ctx, body);
  b.loc = executable->loc;
  ir_op_t *variant = ir_build(
      &b, &(ir_op_desc_t){
              .kind = OP_HAL_EXECUTABLE_VARIANT, .attrs = attrs, .n_attrs = 3, .n_regions = 1});
  ir_block_t *block = ir_block_create(ctx, variant->regions[0]);
  b = ir_builder_at_end(ctx, block);
  b.loc = executable->loc;
  ir_op_t *inner = NULL;
  for (ir_op_t *op = ir_body(executable)->first; op; op = op->next)
    if (op->kind == OP_BUILTIN_MODULE)
      inner = ir_op_clone(ctx, op, ir_map_create(m->pass->scratch));
  if (inner) {
    ir_insert(&b, inner);
    b = ir_builder_before(ctx, inner);
    IREE_RETURN_IF_ERROR(convert_exports(m, executable, inner, &b));
    b = ir_builder_at_end(ctx, block);
    b.loc = executable->loc;
  }
  ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_EXECUTABLE_VARIANT_END});
  return iree_ok_status();
}

static iree_status_t convert_executable(materialize_t *m, ir_op_t *op) {
  ir_ctx_t *ctx = m->ctx;
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
  ir_named_t attrs[2] = {{"sym_name", ir_op_attr(op, "sym_name")}, {"sym_visibility", visibility}};
  ir_builder_t b = ir_builder_before(ctx, op);
  b.loc = op->loc;
  ir_op_t *executable = ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_EXECUTABLE,
                                                     .attrs = attrs,
                                                     .n_attrs = visibility ? 2 : 1,
                                                     .n_regions = 1});
  ir_block_t *body = ir_block_create(ctx, executable->regions[0]);
  for (size_t t = 0; t < m->n_targets; ++t) IREE_RETURN_IF_ERROR(convert_variant(m, op, t, body));
  b = ir_builder_at_end(ctx, body);
  b.loc = op->loc;
  ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_EXECUTABLE_END});
  ir_op_erase(op);
  return iree_ok_status();
}

iree_status_t hal_materialize_interfaces(pass_t *pass, ir_op_t *module) {
  materialize_t m = {.pass = pass, .ctx = pass->ctx, .module = module};
  m.executables = ir_map_create(pass->scratch);
  m.interfaces = ir_map_create(pass->scratch);
  bool any = false;
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind == OP_UTIL_GLOBAL)
      IREE_RETURN_IF_ERROR(collect_targets(&m, op, ir_op_attr(op, "initial_value"), 0));
    if (op->kind != OP_STREAM_EXECUTABLE) continue;
    any = true;
    ir_map_set(m.executables, ir_op_attr(op, "sym_name"), op);
  }
  if (!any) return iree_ok_status();
  if (!m.n_targets)
    return ir_op_error(
        module,
        "has kernels but no device to compile them for; name one by --iree-hal-target-device=");
  IREE_RETURN_IF_ERROR(ir_walk(module, visit_dispatch, &m));
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind == OP_STREAM_EXECUTABLE) IREE_RETURN_IF_ERROR(convert_executable(&m, op));
  }
  return iree_ok_status();
}
