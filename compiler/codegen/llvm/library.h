// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the executable library around kernels: the query function that the runtime looks up.
//
// The tables the runtime reads (library, header, pointers, names, attributes) are zero-filled
// memory that the query function completes on its first instruction stream: about 11 bytes of code
// for a pointer, where a stored table needs 8 bytes and a 24-byte relocation. Calls from several
// threads write the same values.
#ifndef IREE_COMPILER_CODEGEN_LLVM_LIBRARY_H_
#define IREE_COMPILER_CODEGEN_LLVM_LIBRARY_H_

#include <llvm-c/Core.h>

#include "compiler/codegen/target.h"

#define LLVM_LIBRARY_QUERY_SYMBOL "iree_hal_executable_library_query"

typedef struct {
  const char *name;            // never empty
  LLVMValueRef function;       // i32 (ptr environment, ptr dispatch_state, ptr workgroup_state)
  uint32_t workgroup_size[3];  // 0 and 1 mean 1
  uint8_t constant_count, binding_count;
  uint16_t local_memory_pages;  // of 4,096 bytes
  bool is_sequential;           // workgroups must run in order
} llvm_library_export_t;

typedef struct {
  const char *name;          // diagnostic but for static libraries; NULL: the first export's
  const char *query_symbol;  // of the function that runtimes call; NULL: LLVM_LIBRARY_QUERY_SYMBOL
  const llvm_library_export_t *exports;
  size_t export_count;
  uint32_t constant_count;  // executable-level constants
} llvm_library_params_t;

// Makes the function type of a kernel.
LLVMTypeRef llvm_kernel_type(LLVMContextRef context);

// Gives |function| the attributes every generated function has: it unwinds nothing, calls nothing
// and no store loop in it may become a library call. |optimize_size| for code that runs once.
void llvm_set_function_attributes(LLVMValueRef function, bool optimize_size);

// Adds the query function and its tables to |module|.
//   errors:  INVALID_ARGUMENT  no export, or an empty name
iree_status_t llvm_library_build(LLVMModuleRef module, const llvm_library_params_t *params);

#endif  // IREE_COMPILER_CODEGEN_LLVM_LIBRARY_H_
