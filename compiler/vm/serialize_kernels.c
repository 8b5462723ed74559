// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vm-serialize-kernels: executables for the virtual machine itself.
//
//   in:         hal.executable.variant for "vmvx" with scheduled kernels, or with the vm.module
//   that
//               upstream makes of its own
//   out:        hal.executable.binary with the bytes of a module; other variants stay
//   relies on:  exports are numbered in the order in which they stand
//   breaks:     what refers to exports by symbol; run it last
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/fold.h"
#include "compiler/vm/emit.h"
#include "compiler/vm/kernel.h"

typedef struct {
  uint8_t *data;
  size_t size, capacity;
} bytes_t;
static iree_status_t append(void *self, const void *data, size_t n) {
  bytes_t *bytes = self;
  if (bytes->size + n > bytes->capacity) {
    bytes->capacity = (bytes->size + n) * 2;
    bytes->data = realloc(bytes->data, bytes->capacity);
    if (!bytes->data) abort();
  }
  memcpy(bytes->data + bytes->size, data, n);
  bytes->size += n;
  return iree_ok_status();
}

static iree_status_t hoist_memory(ir_op_t *op, void *self) {
  ir_block_t *entry = self;
  if (op->kind == OP_MEMREF_ALLOCA && op != entry->first) ir_op_move_before(op, entry->first);
  return iree_ok_status();
}
static iree_status_t replace_return(ir_op_t *op, void *self) {
  if (op->kind != OP_FUNC_RETURN) return iree_ok_status();
  ir_builder_t b = ir_builder_before(self, op);
  b.loc = op->loc;
  ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_RETURN});
  ir_op_erase(op);
  return iree_ok_status();
}

// What the loader of upstream's runtime reads of an export.
static ir_attr_t reflection(ir_ctx_t *ctx, const ir_op_t *export_op) {
  static const char *const names[] = {"binding_count", "constant_count", "local_memory"};
  ir_attr_t layout = export_op ? ir_op_attr(export_op, "layout") : NULL;
  ir_attr_t bindings = ir_attr_param(layout, "bindings"), constants = ir_attr_param(layout, "constants");
  int64_t values[3] = {bindings ? bindings->n_kids : 0, ir_is(constants, IR_A_INT) ? ir_int(constants, 0) : 0, 0};
  ir_attr_t pairs[6];
  for (size_t i = 0; i < 3; ++i) {
    pairs[2 * i] = ir_attr_str(ctx, names[i]);
    pairs[2 * i + 1] = ir_attr_i64(ctx, values[i]);
  }
  return ir_attr_dict(ctx, pairs, 3);
}

// A func.func without arguments becomes a util.func with those of a kernel.
static iree_status_t convert_kernel(ir_ctx_t *ctx, ir_op_t *func, const ir_op_t *export_op) {
  ir_type_t buffer = ir_type_dialect(ctx, "util.buffer", NULL, 0), types[KERNEL_N_ARGS];
  for (int i = 0; i < KERNEL_N_ARGS; ++i) types[i] = ir_type_i(ctx, 32);
  types[KERNEL_LOCAL_MEMORY] = types[KERNEL_CONSTANTS] = buffer;
  types[KERNEL_BINDINGS] = ir_type_dialect(ctx, "util.list", &buffer, 1);
  ir_named_t attrs[4] = {{"sym_name", ir_op_attr(func, "sym_name")},
                         {"function_type", ir_type_function(ctx, types, KERNEL_N_ARGS, NULL, 0)},
                         {"sym_visibility", ir_attr_str(ctx, export_op ? "public" : "private")},
                         {"iree.reflection", reflection(ctx, export_op)}};
  ir_builder_t b = ir_builder_before(ctx, func);
  b.loc = func->loc;
  ir_op_t *kernel = ir_build(
      &b, &(ir_op_desc_t){
              .kind = OP_UTIL_FUNC, .attrs = attrs, .n_attrs = export_op ? 4 : 3, .n_regions = 1});
  ir_region_take(kernel->regions[0], func->regions[0]);
  ir_block_t *entry = kernel->regions[0]->first;
  if (!entry || entry->n_args)
    return ir_op_error(func, "is no kernel: it takes arguments, or has no body");
  for (int i = 0; i < KERNEL_N_ARGS; ++i) ir_block_add_arg(ctx, entry, types[i]);
  ir_op_erase(func);
  IREE_RETURN_IF_ERROR(ir_walk(kernel, hoist_memory, entry));
  return ir_walk(kernel, replace_return, ctx);
}

static const ir_op_t *export_named(const ir_op_t *variant, ir_attr_t name) {
  for (const ir_op_t *op = ir_body(variant)->first; op; op = op->next)
    if (op->kind == OP_HAL_EXECUTABLE_EXPORT && ir_op_attr(op, "sym_name") == name) return op;
  return NULL;
}

// Kernels as a vm.module.
static iree_status_t convert_module(pass_t *pass, const ir_op_t *variant, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind == OP_FUNC_FUNC)
      IREE_RETURN_IF_ERROR(
          convert_kernel(pass->ctx, op, export_named(variant, ir_op_attr(op, "sym_name"))));
  }
  IREE_RETURN_IF_ERROR(vm_expand_narrow_floats(pass->ctx, pass->scratch, module));
  IREE_RETURN_IF_ERROR(vm_expand_math(pass->ctx, module));
  IREE_RETURN_IF_ERROR(ir_simplify(pass->ctx, module));
  IREE_RETURN_IF_ERROR(stream_convert_control_flow(pass, module));
  IREE_RETURN_IF_ERROR(vm_convert_module(pass, module));
  return vm_materialize_discards(pass, module);
}

static void replace_variant(ir_ctx_t *ctx, ir_op_t *variant, const bytes_t *bytes) {
  int64_t shape = (int64_t)bytes->size;
  ir_type_t type = ir_type_vector(ctx, &shape, 1, ir_type_i(ctx, 8));
  ir_attr_t target = ir_op_attr(variant, "target"),
            visibility = ir_op_attr(variant, "sym_visibility");
  ir_named_t attrs[5] = {{"sym_name", ir_op_attr(variant, "sym_name")},
                         {"data", ir_attr_dense(ctx, type, bytes->data, bytes->size, false, true)},
                         {"format", ir_kid(target, 1)},
                         {"mime_type", ir_attr_str(ctx, "application/x-flatbuffers")},
                         {"sym_visibility", visibility}};
  ir_builder_t b = ir_builder_before(ctx, variant);
  b.loc = variant->loc;
  ir_build(&b,
           &(ir_op_desc_t){
               .kind = OP_HAL_EXECUTABLE_BINARY, .attrs = attrs, .n_attrs = visibility ? 5 : 4});
  ir_op_erase(variant);
}

static bool is_vmvx(const ir_op_t *op) {
  ir_attr_t target = op->kind == OP_HAL_EXECUTABLE_VARIANT ? ir_op_attr(op, "target") : NULL;
  return ir_is(target, IR_A_DIALECT) && target->n_kids > 1 && ir_str_is(ir_kid(target, 0), "vmvx");
}

static iree_status_t serialize(ir_op_t *variant, void *self) {
  pass_t *pass = self;
  if (!is_vmvx(variant)) return iree_ok_status();
  ir_op_t *module = ir_body(variant)->first;
  while (module && module->kind != OP_BUILTIN_MODULE) module = module->next;
  if (!module) return ir_op_error(variant, "holds no kernels to compile");
  bool is_done = ir_op_is(ir_body(module)->first, OP_VM_MODULE);
  if (!is_done) IREE_RETURN_IF_ERROR(convert_module(pass, variant, module));
  bytes_t bytes = {NULL, 0, 0};
  iree_status_t status = vm_emit_module(pass, module, append, &bytes);
  if (iree_status_is_ok(status)) replace_variant(pass->ctx, variant, &bytes);
  free(bytes.data);
  return status;
}

iree_status_t vm_serialize_kernels(pass_t *pass, ir_op_t *module) {
  // A file inside a file: no archive around it, no source map, and what a report tells is of the
  // host.
  compile_options_t options = *pass->options;
  options.polyglot_zip = false;
  options.strip_source_map = true;
  iree_arena_t scratch;
  iree_arena_init(&scratch);
  pass_t inner = {.ctx = pass->ctx, .options = &options, .scratch = &scratch};
  iree_status_t status = ir_walk(module, serialize, &inner);
  iree_arena_deinit(&scratch);
  return status;
}
