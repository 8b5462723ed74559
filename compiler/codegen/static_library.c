// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/static_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char header_text[] =
    "// Kernels of a module that was compiled with --iree-llvmcpu-link-static. Link the object, "
    "give\n"
    "// the function below to iree_hal_static_library_loader_create, and load the module with "
    "that\n"
    "// loader.\n"
    "#ifndef IREE_STATIC_LIBRARY_%s_H_\n"
    "#define IREE_STATIC_LIBRARY_%s_H_\n"
    "\n"
    "#include \"iree/hal/local/executable_library.h\"\n"
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "const iree_hal_executable_library_header_t** %s(\n"
    "    iree_hal_executable_library_version_t max_version,\n"
    "    const iree_hal_executable_environment_v0_t* environment);\n"
    "\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "\n"
    "#endif  // IREE_STATIC_LIBRARY_%s_H_\n";

iree_status_t codegen_write_static_library(pass_t *pass, const char *path, iree_string_view_t name,
                                           iree_string_view_t bytes) {
  size_t length = strlen(path);
  char *header_path = iree_arena_alloc(pass->scratch, length + 3);
  memcpy(header_path, path, length + 1);
  bool has_extension = length > 2 && strcmp(path + length - 2, ".o") == 0;
  strcpy(header_path + length - (has_extension ? 2 : 0), ".h");
  char *symbol = codegen_query_symbol(name.data);
  size_t room = sizeof header_text + 4 * strlen(symbol);
  char *text = iree_arena_alloc(pass->scratch, room);
  int n = snprintf(text, room, header_text, symbol, symbol, symbol, symbol);
  free(symbol);
  iree_string_view_t nowhere = iree_string_view_empty();
  IREE_RETURN_IF_ERROR(pass_write_file(pass, nowhere, path, bytes));
  return pass_write_file(pass, nowhere, header_path, iree_make_string_view(text, (size_t)n));
}
