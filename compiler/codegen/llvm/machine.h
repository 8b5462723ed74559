// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's side of a target: initialisation, target machines, verification and object emission.
// LLVM diagnostics come back as statuses; nothing is printed.
#ifndef IREE_COMPILER_CODEGEN_LLVM_MACHINE_H_
#define IREE_COMPILER_CODEGEN_LLVM_MACHINE_H_

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "compiler/codegen/target.h"

typedef enum {
  LLVM_OUTPUT_OBJECT = 0,
  LLVM_OUTPUT_ASSEMBLY = 1,
} llvm_output_t;

// Registers the code generators once per process. Safe from any thread.
void llvm_initialize_once(void);

// Makes the machine for |target|: position independent, small code model.
//   owns:    the caller disposes of it with LLVMDisposeTargetMachine
//   errors:  INTERNAL  LLVM refused the triple
iree_status_t llvm_machine_create(const codegen_target_t *target,
                                  LLVMTargetMachineRef *out_machine);

// A context whose diagnostics are collected instead of printed.
typedef struct {
  LLVMContextRef context;
  char *first_error;  // text of the first error, or NULL
} llvm_session_t;

// Makes a context; |session| must stay in place until llvm_session_deinit.
void llvm_session_init(llvm_session_t *session);
void llvm_session_deinit(llvm_session_t *session);

// Verifies |module|, then emits it.
//   owns:    the caller disposes of |out_buffer| with LLVMDisposeMemoryBuffer
//   errors:  INTERNAL  the module is malformed or the code generator reported an error
iree_status_t llvm_emit(llvm_session_t *session, LLVMTargetMachineRef machine, LLVMModuleRef module,
                        llvm_output_t output, LLVMMemoryBufferRef *out_buffer);

#endif  // IREE_COMPILER_CODEGEN_LLVM_MACHINE_H_
