// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-annotate-executables
//   in:   hal.executable.variant with functions on tensors
//   out:  each function says which of upstream's pipelines may compile it, and a dispatch_config
//   repeats its
//         export's grid: what upstream's compiler needs to go on from here. Ours needs neither and
//         drops both (codegen_lower_variant); the strategy is a function of the body and the
//         target.
//   relies on:  exports that count workgroups from slices
//
//                                        func.func @f() attributes {translation_info =
//                                        ...<Default>} {...}
//   func.func @f() {...}             ->  iree_codegen.dispatch_config @f {
//                                        ^bb0(%arg0: !hal.device): ... iree_codegen.yield %x, %y,
//                                        %z
//                                        }
#include "compiler/ir/parser.h"
#include "compiler/pass.h"

static const char translation_info[] =
    "#iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<Default>>";

// Repeats the grid of |export_op| behind |func|.
static void annotate_grid(pass_t *pass, const ir_op_t *export_op, ir_op_t *func) {
  ir_ctx_t *ctx = pass->ctx;
  ir_builder_t b = ir_builder_after(ctx, func);
  b.loc = export_op->loc;
  const char *name = ir_bytes(ir_op_attr(func, "sym_name"));
  ir_named_t attrs[1] = {{"function_ref", ir_attr_symref(ctx, &name, 1)}};
  ir_op_t *config = ir_build(
      &b,
      &(ir_op_desc_t){
          .kind = OP_IREE_CODEGEN_DISPATCH_CONFIG, .attrs = attrs, .n_attrs = 1, .n_regions = 1});
  ir_region_clone(ctx, ir_region(export_op, 0), ir_region(config, 0), ir_map_create(pass->scratch));
  ir_op_t *end = ir_terminator(ir_body(config));
  b = ir_builder_before(ctx, end);
  b.loc = end->loc;
  ir_value_t **values = IREE_ARENA_ARRAY(pass->scratch, ir_value_t *, end->n_operands + 1);
  for (uint32_t i = 0; i < end->n_operands; ++i) values[i] = ir_operand(end, i);
  ir_build(&b,
           &(ir_op_desc_t){
               .kind = OP_IREE_CODEGEN_YIELD, .operands = values, .n_operands = end->n_operands});
  ir_op_erase(end);
}

static ir_op_t *kernel_of(const ir_op_t *variant, const ir_op_t *export_op) {
  for (ir_op_t *op = ir_body(variant)->first; op; op = op->next)
    if (op->kind == OP_BUILTIN_MODULE) return ir_symbol_lookup(op, ir_op_sym_name(export_op));
  return NULL;
}

static iree_status_t annotate(ir_op_t *op, void *self) {
  pass_t *pass = self;
  if (op->kind != OP_HAL_EXECUTABLE_EXPORT) return iree_ok_status();
  ir_op_t *func = kernel_of(ir_op_parent(op), op);
  if (!ir_op_is(func, OP_FUNC_FUNC) || ir_op_attr(func, "translation_info"))
    return iree_ok_status();
  ir_attr_t info = ir_parse_attr(pass->ctx, iree_make_cstring_view(translation_info));
  ir_op_set_attr(pass->ctx, func, "translation_info", info);
  if (ir_body(op)) annotate_grid(pass, op, func);
  return iree_ok_status();
}

iree_status_t codegen_annotate_executables(pass_t *pass, ir_op_t *module) {
  return ir_walk(module, annotate, pass);
}
