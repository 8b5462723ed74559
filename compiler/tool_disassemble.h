// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iree-compile --iree-disassemble=MACHINE: what iree-dump-module asks for the kernels of a report.
#ifndef COMPILER_TOOL_DISASSEMBLE_H_
#define COMPILER_TOOL_DISASSEMBLE_H_

#include "iree/base/api.h"

// Reads a function per line, "address code" in hexadecimal digits; appends the assembly of each and an
// empty line.
//   errors: INVALID_ARGUMENT  a line is something else;  UNIMPLEMENTED  the machine
iree_status_t tool_disassemble(iree_string_view_t machine, iree_string_view_t text, iree_string_builder_t *out);

#endif  // COMPILER_TOOL_DISASSEMBLE_H_
