// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code as assembly, for tools that show modules. Each function is read twice: for the places
// that branches go to, then with a label at each.
#include "compiler/codegen/disassemble.h"

#include <inttypes.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/llvm/machine.h"

typedef struct {
  uint64_t begin, end;
  uint64_t *targets;
  size_t n_targets, cap_targets;
  char label[32];
} branches_t;

// LLVM asks what a branch target is called.
static const char *name_target(void *self, uint64_t value, uint64_t *type, uint64_t pc, const char **reference) {
  (void)pc;
  branches_t *b = self;
  bool is_branch = *type == LLVMDisassembler_ReferenceType_In_Branch;
  *type = LLVMDisassembler_ReferenceType_InOut_None;
  *reference = NULL;
  if (!is_branch || value < b->begin || value >= b->end) return NULL;
  bool is_known = false;
  for (size_t i = 0; i < b->n_targets && !is_known; ++i) is_known = b->targets[i] == value;
  if (!is_known && b->n_targets < 4096) {
    if (b->n_targets == b->cap_targets) {
      b->cap_targets = b->cap_targets * 2 + 16;
      b->targets = realloc(b->targets, b->cap_targets * sizeof(*b->targets));
      if (!b->targets) abort();
    }
    b->targets[b->n_targets++] = value;
  }
  snprintf(b->label, sizeof(b->label), ".L%" PRIx64, value);
  return b->label;
}

static bool is_target(const branches_t *b, uint64_t address) {
  for (size_t i = 0; i < b->n_targets; ++i)
    if (b->targets[i] == address) return true;
  return false;
}

static iree_status_t walk(LLVMDisasmContextRef context, iree_const_byte_span_t code, branches_t *b,
                          iree_string_builder_t *out) {
  char text[256];
  uint8_t *at = (uint8_t *)code.data;  // read only, whatever the prototype says
  for (size_t i = 0; i < code.data_length;) {
    size_t n = LLVMDisasmInstruction(context, at + i, code.data_length - i, b->begin + i, text, sizeof(text));
    bool is_code = n != 0;
    if (!is_code) n = 1;
    if (out) {
      if (is_target(b, b->begin + i)) IREE_RETURN_IF_ERROR(iree_string_builder_append_format(out, ".L%" PRIx64 ":\n", b->begin + i));
      const char *line = is_code ? text + strspn(text, " \t") : NULL;
      if (line) IREE_RETURN_IF_ERROR(iree_string_builder_append_format(out, "%6" PRIx64 "  %s\n", b->begin + i, line));
      else IREE_RETURN_IF_ERROR(iree_string_builder_append_format(out, "%6" PRIx64 "  .byte 0x%02x\n", b->begin + i, at[i]));
    }
    i += n;
  }
  return iree_ok_status();
}

iree_status_t codegen_disassemble(iree_string_view_t machine, uint64_t address, iree_const_byte_span_t code,
                                  iree_string_builder_t *out) {
  llvm_initialize_once();
  LLVMInitializeX86Disassembler();
  LLVMInitializeAArch64Disassembler();
  bool is_arm = iree_string_view_equal(machine, IREE_SV("AArch64"));
  if (!is_arm && !iree_string_view_equal(machine, IREE_SV("x86-64"))) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "no disassembler for %.*s; there are x86-64 and AArch64",
                            IREE_SV_ARGS(machine));
  }
  branches_t branches = {.begin = address, .end = address + code.data_length};
  LLVMDisasmContextRef context = LLVMCreateDisasmCPUFeatures(
      is_arm ? "aarch64-unknown-linux-elf" : "x86_64-unknown-linux-elf", "", is_arm ? "+all" : "", &branches, 0, NULL, name_target);
  if (!context) return iree_make_status(IREE_STATUS_INTERNAL, "no disassembler");
  if (!is_arm) LLVMSetDisasmOptions(context, LLVMDisassembler_Option_AsmPrinterVariant);  // Intel's order
  iree_status_t status = walk(context, code, &branches, NULL);
  if (iree_status_is_ok(status)) status = walk(context, code, &branches, out);
  LLVMDisasmDispose(context);
  free(branches.targets);
  return status;
}
