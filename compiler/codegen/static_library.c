// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/static_library.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char header_text[] =
    "// Static executable library %s: the kernels of a module that was compiled with\n"
    "// --iree-llvmcpu-link-static. Link the object, give the function below to\n"
    "// iree_hal_static_library_loader_create, and load the module with that loader.\n"
    "#ifndef %s\n"
    "#define %s\n"
    "\n"
    "#include \"iree/hal/local/executable_library.h\"\n"
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "const iree_hal_executable_library_header_t** %s_library_query(\n"
    "    iree_hal_executable_library_version_t max_version,\n"
    "    const iree_hal_executable_environment_v0_t* environment);\n"
    "\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "\n"
    "#endif  // %s\n";

iree_status_t codegen_write_static_library(pass_t *pass, const char *path, iree_string_view_t name,
                                           iree_string_view_t bytes) {
  size_t length = strlen(path), room = sizeof header_text + 4 * (name.size + 64);
  char *header_path = iree_arena_alloc(pass->scratch, length + 3);
  char *guard = iree_arena_alloc(pass->scratch, name.size + 64),
       *text = iree_arena_alloc(pass->scratch, room);
  memcpy(header_path, path, length + 1);
  bool has_extension = length > 2 && strcmp(path + length - 2, ".o") == 0;
  strcpy(header_path + length - (has_extension ? 2 : 0), ".h");
  snprintf(guard, name.size + 64, "IREE_STATIC_LIBRARY_%.*s_H_", (int)name.size, name.data);
  for (char *c = guard; *c; ++c)
    *c = (char)(isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_');
  int n = snprintf(text, room, header_text, name.data, guard, guard, name.data, guard);
  iree_string_view_t nowhere = iree_string_view_empty();
  IREE_RETURN_IF_ERROR(pass_write_file(pass, nowhere, path, bytes));
  return pass_write_file(pass, nowhere, header_path, iree_make_string_view(text, (size_t)n));
}
