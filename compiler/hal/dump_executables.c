// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes each executable to a file of its own: --iree-hal-dump-executable-{sources,configurations}-to=.
//   in, out:  hal.executable with variants; nothing changes
//
// The files stand at the phase whose end this is, and compile on from there.
#include <stdio.h>

#include "compiler/ir/printer.h"
#include "compiler/pass.h"

static iree_status_t dump(pass_t *pass, ir_op_t *module, iree_string_view_t folder, const char *prefix) {
  if (!folder.size) folder = pass->options->dump_files_to;
  if (!folder.size) return iree_ok_status();
  ir_print_options_t printing = {.local_scope = true};
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind != OP_HAL_EXECUTABLE) continue;
    char name[PASS_FILE_NAME_MAX];
    pass_file_name(name, prefix, module, op, NULL, ".mlir");
    // By itself nobody refers to it: what is private would be dropped by compilers that go on from here.
    ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
    ir_op_set_attr(pass->ctx, op, "sym_visibility", ir_attr_str(pass->ctx, "public"));
    iree_string_view_t text = ir_print_to(pass->scratch, op, &printing);
    ir_op_set_attr(pass->ctx, op, "sym_visibility", visibility);
    IREE_RETURN_IF_ERROR(pass_write_file(pass, folder, name, text));
  }
  return iree_ok_status();
}

iree_status_t hal_dump_executable_sources(pass_t *pass, ir_op_t *module) {
  return dump(pass, module, pass->options->dump_sources_to, "");
}
iree_status_t hal_dump_executable_configurations(pass_t *pass, ir_op_t *module) {
  return dump(pass, module, pass->options->dump_configurations_to, "configured_");
}
