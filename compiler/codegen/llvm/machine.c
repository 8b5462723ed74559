// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target machines and emission through the LLVM C API.
#include "compiler/codegen/llvm/machine.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void initialize(void) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}

void llvm_initialize_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
}

iree_status_t llvm_machine_create(const codegen_target_t *target,
                                  LLVMTargetMachineRef *out_machine) {
  *out_machine = NULL;
  llvm_initialize_once();
  LLVMTargetRef llvm_target = NULL;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &llvm_target, &message)) {
    iree_status_t status = iree_make_status(
        IREE_STATUS_INTERNAL, "no code generator for triple '%s': %s", target->triple, message);
    LLVMDisposeMessage(message);
    return status;
  }
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options, target->cpu);
  LLVMTargetMachineOptionsSetFeatures(options, target->features);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(options, LLVMCodeGenLevelDefault);
  LLVMTargetMachineOptionsSetRelocMode(options, LLVMRelocPIC);
  LLVMTargetMachineOptionsSetCodeModel(options, LLVMCodeModelSmall);
  *out_machine = LLVMCreateTargetMachineWithOptions(llvm_target, target->triple, options);
  LLVMDisposeTargetMachineOptions(options);
  if (!*out_machine) {
    return iree_make_status(IREE_STATUS_INTERNAL, "no target machine for triple '%s'",
                            target->triple);
  }
  return iree_ok_status();
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user_data) {
  llvm_session_t *session = user_data;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || session->first_error) return;
  char *text = LLVMGetDiagInfoDescription(info);
  session->first_error = strdup(text);
  LLVMDisposeMessage(text);
}

void llvm_session_init(llvm_session_t *session) {
  session->context = LLVMContextCreate();
  session->first_error = NULL;
  LLVMContextSetDiagnosticHandler(session->context, on_diagnostic, session);
  LLVMContextSetDiscardValueNames(session->context, 1);
}

void llvm_session_deinit(llvm_session_t *session) {
  LLVMContextDispose(session->context);
  free(session->first_error);
  *session = (llvm_session_t){0};
}

iree_status_t llvm_emit(llvm_session_t *session, LLVMTargetMachineRef machine, LLVMModuleRef module,
                        llvm_output_t output, LLVMMemoryBufferRef *out_buffer) {
  *out_buffer = NULL;
  char *message = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    iree_status_t status =
        iree_make_status(IREE_STATUS_INTERNAL, "generated LLVM IR is malformed: %s", message);
    LLVMDisposeMessage(message);
    return status;
  }
  LLVMDisposeMessage(message);
  message = NULL;
  LLVMCodeGenFileType type = output == LLVM_OUTPUT_OBJECT ? LLVMObjectFile : LLVMAssemblyFile;
  LLVMBool failed =
      LLVMTargetMachineEmitToMemoryBuffer(machine, module, type, &message, out_buffer);
  if (!failed && !session->first_error) return iree_ok_status();
  const char *text = session->first_error ? session->first_error : message;
  iree_status_t status =
      iree_make_status(IREE_STATUS_INTERNAL, "code generation failed: %s", text ? text : "unknown");
  if (failed) LLVMDisposeMessage(message);
  if (*out_buffer) LLVMDisposeMemoryBuffer(*out_buffer);
  *out_buffer = NULL;
  return status;
}
