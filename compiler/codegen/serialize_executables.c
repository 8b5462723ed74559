// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-serialize-executables
//   in:   hal.executable.variant with scheduled kernels
//   out:  hal.executable.binary with the bytes of the executable
//   breaks:  what refers to exports by symbol; run it last
//
//   hal.executable.variant public @v target(...) { ... }   ->  hal.executable.binary public @v
//                                                                attributes {data = dense<...>, format = "embedded-elf-x86_64"}
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "compiler/pass.h"

static iree_status_t replace_variant(pass_t *pass, ir_op_t *variant, const codegen_target_t *target) {
  ir_ctx_t *ctx = pass->ctx;
  codegen_options_t options = {0};
  uint8_t *bytes = NULL;
  size_t count = 0;
  IREE_RETURN_IF_ERROR(codegen_serialize_variant(ctx, variant, target, &options, &bytes, &count));
  int64_t shape = (int64_t)count;
  ir_type_t type = ir_type_vector(ctx, &shape, 1, ir_type_i(ctx, 8));
  ir_attr_t visibility = ir_op_attr(variant, "sym_visibility");
  ir_named_t attrs[5] = {
      {"sym_name", ir_op_attr(variant, "sym_name")},
      {"data", ir_attr_dense(ctx, type, bytes, count, false, true)},
      {"format", ir_attr_str(ctx, target->format)},
      {"mime_type", ir_attr_str(ctx, "application/x-elf")},
      {"sym_visibility", visibility},
  };
  free(bytes);
  ir_builder_t b = ir_builder_before(ctx, variant);
  b.loc = variant->loc;
  ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_EXECUTABLE_BINARY, .attrs = attrs, .n_attrs = visibility ? 5 : 4});
  ir_op_erase(variant);
  return iree_ok_status();
}

static iree_status_t serialize(ir_op_t *op, void *self) {
  pass_t *pass = self;
  if (op->kind != OP_HAL_EXECUTABLE_VARIANT) return iree_ok_status();
  codegen_target_t *target = NULL;
  IREE_RETURN_IF_ERROR(codegen_target_from_attr(pass->ctx, ir_op_attr(op, "target"), &target));
  iree_status_t status = replace_variant(pass, op, target);
  codegen_target_free(target);
  return status;
}

iree_status_t codegen_serialize_executables(pass_t *pass, ir_op_t *module) {
  return ir_walk(module, serialize, pass);
}
