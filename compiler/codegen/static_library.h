// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a static library: an object and the header that declares its query function.
#ifndef IREE_COMPILER_CODEGEN_STATIC_LIBRARY_H_
#define IREE_COMPILER_CODEGEN_STATIC_LIBRARY_H_

#include "compiler/codegen/codegen.h"
#include "compiler/pass.h"

// Writes object |bytes| to |path| and a header beside it (.h for .o) that declares
// |name|_library_query.
//   errors:  FAILED_PRECONDITION  this run of the compiler writes no files
//            and those of writing
iree_status_t codegen_write_static_library(pass_t *pass, const char *path, iree_string_view_t name,
                                           iree_string_view_t bytes);

#endif  // IREE_COMPILER_CODEGEN_STATIC_LIBRARY_H_
