// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the devices that were asked for into the module, as globals, and makes the first the default.
//   in:  a module, flags         out: util.global per device, stream.affinity.default
//   relies on: nothing; a module that has the default already is left as it is
//
//   module {...}   with --iree-hal-target-backends=llvm-cpu
//   ->
//   module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
//     util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<...>]> : !hal.device
//
// Flags: --iree-hal-target-backends=B means one local device; --iree-hal-target-device=[name=]local[[n]]
// names devices, whose executables are for --iree-hal-local-target-device-backends. Without either flag,
// functions that only pass tensors on get the callers' buffer views back, and others are an error.
#include <string.h>

#include "compiler/codegen/target.h"
#include "compiler/flow/text.h"
#include "compiler/ir/parser.h"
#include "compiler/pass.h"

static const char known_devices[] = "'local'";
// Kernels of the virtual machine: the attributes that upstream's have.
static const char vm_target[] =
    "#hal.executable.target<\"vmvx\", \"vmvx-bytecode-fb\", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = \"none\"}>";

typedef struct device {
  iree_string_view_t name, kind;  // name empty: __device_N
  int64_t ordinal;                // -1: any
} device_t;

// ---- `name=kind[ordinal]`
static iree_status_t parse_device(pass_t *pass, iree_string_view_t text, device_t *out) {
  *out = (device_t){.ordinal = -1};
  const char *eq = memchr(text.data, '=', text.size);
  iree_string_view_t kind = text;
  if (eq) {
    out->name = iree_make_string_view(text.data, (size_t)(eq - text.data));
    kind = iree_make_string_view(eq + 1, text.size - out->name.size - 1);
  }
  if (kind.size >= 2 && kind.data[0] == '"' && kind.data[kind.size - 1] == '"') kind.data++, kind.size -= 2;
  const char *open = memchr(kind.data, '[', kind.size);
  if (open && kind.data[kind.size - 1] == ']') {
    out->ordinal = 0;
    for (const char *c = open + 1; c < kind.data + kind.size - 1; ++c) {
      if (*c < '0' || *c > '9' || out->ordinal > 1000000)
        return ir_error(pass->ctx, ir_loc_unknown(pass->ctx), "device '%.*s': expected a number in brackets", (int)text.size, text.data);
      out->ordinal = out->ordinal * 10 + (*c - '0');
    }
    kind.size = (size_t)(open - kind.data);
  }
  out->kind = kind;
  return iree_ok_status();
}

// ---- targets
static iree_status_t cpu_target(pass_t *pass, text_t *t) {
  const compile_options_t *o = pass->options;
  codegen_target_options_t options = {.triple = o->triple, .cpu = o->cpu, .features = o->cpu_features};
  options.link = o->llvmcpu_link_static      ? CODEGEN_LINK_STATIC
                 : o->llvmcpu_link_embedded ? CODEGEN_LINK_EMBEDDED
                                            : CODEGEN_LINK_SYSTEM;
  if (options.link == CODEGEN_LINK_STATIC && !o->llvmcpu_static_output.size)
    return ir_error(pass->ctx, ir_loc_unknown(pass->ctx),
                    "--iree-llvmcpu-link-static makes an object file; say where with --iree-llvmcpu-static-library-output-path=");
  codegen_target_t *target = NULL;
  IREE_RETURN_IF_ERROR(codegen_target_create(&options, &target));
  text_add(t,
           "#hal.executable.target<\"llvm-cpu\", \"%s\", {cpu = \"%s\", cpu_features = \"%s\", data_layout = \"%s\", "
           "iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, ",
           target->format, target->cpu, target->features, target->data_layout);
  if (options.link != CODEGEN_LINK_EMBEDDED) text_add(t, "link_embedded = false, ");
  if (options.link == CODEGEN_LINK_STATIC) text_add(t, "link_static = true, ");
  text_add(t, "max_stack_allocation_size = 32768 : i64, native_vector_size = %u : i64, ", target->vector_bytes);
  if (options.link == CODEGEN_LINK_STATIC)
    text_add(t, "static_library_output = \"%.*s\", ", (int)o->llvmcpu_static_output.size, o->llvmcpu_static_output.data);
  text_add(t, "target_triple = \"%s\"}>", target->triple);
  codegen_target_free(target);
  return iree_ok_status();
}
static iree_status_t executable_target(pass_t *pass, iree_string_view_t backend, text_t *t) {
  if (iree_string_view_equal(backend, iree_make_cstring_view("llvm-cpu"))) return cpu_target(pass, t);
  if (iree_string_view_equal(backend, iree_make_cstring_view("vmvx"))) {
    text_add(t, "%s", vm_target);
    return iree_ok_status();
  }
  text_t known = {.arena = pass->scratch};
  for (size_t i = 0; codegen_backends[i]; ++i) text_add(&known, "%s%s", i ? ", " : "", codegen_backends[i]);
  return ir_error(pass->ctx, ir_loc_unknown(pass->ctx), "target backend '%.*s' not registered; registered backends: [%s]",
                          (int)backend.size, backend.data, known.data);
}
static iree_status_t device_target(pass_t *pass, const device_t *d, const flag_list_t *backends, text_t *t) {
  if (!iree_string_view_equal(d->kind, iree_make_cstring_view("local")))
    return ir_error(pass->ctx, ir_loc_unknown(pass->ctx), "unregistered device alias \"%.*s\" in --iree-hal-target-device= (available = [ %s ])",
                            (int)d->kind.size, d->kind.data, known_devices);
  if (!backends->count)
    return ir_error(pass->ctx, ir_loc_unknown(pass->ctx), "device alias \"local\" does not provide any executable targets; name the backends of local devices "
                            "with --iree-hal-local-target-device-backends=");
  text_add(t, "#hal.device.target<\"local\", ");
  if (d->ordinal >= 0) text_add(t, "{ordinal = %lld : index}, ", (long long)d->ordinal);
  text_add(t, "[");
  for (size_t i = 0; i < backends->count; ++i) {
    if (i) text_add(t, ", ");
    IREE_RETURN_IF_ERROR(executable_target(pass, backends->values[i], t));
  }
  text_add(t, "]> : !hal.device");
  return iree_ok_status();
}

// ---- the module
static iree_status_t add_device(pass_t *pass, ir_builder_t *b, const device_t *d, size_t i, const flag_list_t *backends,
                                ir_op_t *module) {
  text_t text = {.arena = pass->scratch}, name = {.arena = pass->scratch};
  IREE_RETURN_IF_ERROR(device_target(pass, d, backends, &text));
  ir_attr_t target = ir_parse_attr(pass->ctx, iree_make_string_view(text.data, text.n));
  if (!target) return ir_error(pass->ctx, ir_loc_unknown(pass->ctx), "device target does not parse: %s", text.data);
  if (d->name.size) text_add(&name, "%.*s", (int)d->name.size, d->name.data);
  else text_add(&name, "__device_%zu", i);
  if (ir_symbol_lookup(module, iree_make_cstring_view(name.data)))
    return ir_error(pass->ctx, module->loc, "two devices or symbols are named '%s'", name.data);
  ir_type_t type = ir_type_dialect(pass->ctx, "hal.device", NULL, 0);
  ir_named_t attrs[] = {{"sym_name", ir_attr_str(pass->ctx, name.data)}, {"sym_visibility", ir_attr_str(pass->ctx, "private")},
                        {"type", type}, {"initial_value", target}};
  ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL, .attrs = attrs, .n_attrs = 4});
  if (i) return iree_ok_status();
  ir_attr_t symbol = ir_attr_sym(pass->ctx, name.data);
  ir_op_set_attr(pass->ctx, module, "stream.affinity.default", ir_attr_dialect(pass->ctx, "hal.device.affinity", &symbol, 1));
  return iree_ok_status();
}

// A tensor that is only passed on is the caller's buffer view, which takes no device.
static iree_status_t pass_view_on(ir_op_t *op, void *self) {
  (void)self;
  if (op->kind != OP_HAL_TENSOR_EXPORT) return iree_ok_status();
  ir_op_t *import = ir_def(ir_operand(op, 0));
  if (!import || import->kind != OP_HAL_TENSOR_IMPORT || ir_operand_group(import, "wait_fence").n || ir_operand_group(import, "byte_offset").n)
    return iree_ok_status();
  ir_value_t *view = ir_operand(import, 0);
  if (view->type != ir_result(op, 0)->type || ir_op_attr(import, "target_encoding") != ir_op_attr(op, "source_encoding"))
    return iree_ok_status();
  ir_op_replace(op, &view);
  return iree_ok_status();
}
static iree_status_t drop_import(ir_op_t *op, void *self) {
  (void)self;
  if (op->kind == OP_HAL_TENSOR_IMPORT && ir_unused(ir_result(op, 0))) ir_op_erase(op);
  return iree_ok_status();
}

static bool needs_device(const ir_op_t *module) {
  for (const ir_op_t *f = ir_body(module)->first; f; f = f->next) {
    for (uint16_t r = 0; r < f->n_regions; ++r)
      for (const ir_block_t *block = f->regions[r]->first; block; block = block->next)
        for (const ir_op_t *op = block->first; op; op = op->next)
          if (op->kind == OP_HAL_TENSOR_IMPORT || op->kind == OP_HAL_TENSOR_EXPORT) return true;
  }
  return false;
}

iree_status_t flow_materialize_devices(pass_t *pass, ir_op_t *module) {
  const compile_options_t *o = pass->options;
  if (ir_op_attr(module, "stream.affinity.default") || o->execution_model == MODEL_HOST_ONLY) return iree_ok_status();
  if (!o->target_devices.count && !o->target_backends.count) {
    // Text of a phase may do without a device, and so may a program that the host runs alone.
    if (o->compile_to < PHASE_HAL) return iree_ok_status();
    IREE_RETURN_IF_ERROR(ir_walk(module, pass_view_on, NULL));
    IREE_RETURN_IF_ERROR(ir_walk(module, drop_import, NULL));
    if (!needs_device(module)) return iree_ok_status();
    return ir_error(pass->ctx, module->loc,
                    "no HAL devices defined in the module; name one with --iree-hal-target-device= or --iree-hal-target-backends=");
  }
  if (o->target_devices.count && o->target_backends.count)
    return ir_error(pass->ctx, module->loc, "--iree-hal-target-device= and --iree-hal-target-backends= exclude each other; give one");
  ir_block_t *body = ir_body(module);
  ir_builder_t b = ir_builder_at_start(pass->ctx, body);
  b.loc = module->loc;
  if (!o->target_devices.count) {
    device_t local = {.kind = iree_make_cstring_view("local"), .ordinal = -1};
    return add_device(pass, &b, &local, 0, &o->target_backends, module);
  }
  for (size_t i = 0; i < o->target_devices.count; ++i) {
    device_t d;
    IREE_RETURN_IF_ERROR(parse_device(pass, o->target_devices.values[i], &d));
    IREE_RETURN_IF_ERROR(add_device(pass, &b, &d, i, &o->local_backends, module));
  }
  return iree_ok_status();
}
