// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader and verifier of module files, the reports on what the first step lets through, and the
// disassembler on what all of them do.
#include <stdlib.h>

#include "iree/base/api.h"
#include "iree/modules/hal/types.h"
#include "iree/vm/api.h"
#include "iree/vm/bytecode/module.h"
#include "runtime/vm/bytecode/disasm.h"
#include "tooling/inspect/inspect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void disassemble(iree_vm_module_t *module, iree_allocator_t allocator) {
  iree_vm_module_signature_t signature = iree_vm_module_signature(module);
  for (iree_host_size_t i = 0; i < signature.internal_function_count; ++i) {
    iree_string_builder_t builder;
    iree_string_builder_initialize(allocator, &builder);
    iree_status_ignore(iree_vm_bytecode_module_disassemble_function(
        module, (uint16_t)i, IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_INLINE_VALUES, &builder));
    iree_string_builder_deinitialize(&builder);
  }
}

// What iree-dump-module shows as a page.
static void inspect(iree_const_byte_span_t contents, iree_vm_module_t *module, iree_allocator_t allocator) {
  vmfb_archive_t archive;
  iree_arena_t arena;
  iree_string_builder_t builder;
  inspect_t self;
  iree_arena_init(&arena);
  iree_string_builder_initialize(allocator, &builder);
  iree_status_t status = vmfb_archive_open(contents, &archive);
  if (iree_status_is_ok(status)) status = inspect_module(&archive, module, IREE_SV("fuzz"), &arena, &self);
  if (iree_status_is_ok(status)) status = inspect_append_json(&self, IREE_SV("a\nb"), &builder);
  iree_status_ignore(status);
  iree_string_builder_deinitialize(&builder);
  iree_arena_deinit(&arena);
}

static void report(iree_const_byte_span_t contents, iree_allocator_t allocator) {
  vmfb_archive_t archive;
  iree_status_t status = vmfb_archive_open(contents, &archive);
  if (iree_status_is_ok(status)) {
    iree_string_builder_t builder;
    iree_string_builder_initialize(allocator, &builder);
    iree_status_ignore(vmfb_report_metadata(&archive, &builder));
    iree_status_ignore(vmfb_report_ledger(&archive, &builder));
    iree_status_ignore(vmfb_report_json(&archive, false, &builder));
    iree_string_builder_deinitialize(&builder);
  }
  iree_status_ignore(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_vm_instance_t *instance = NULL;
  IREE_CHECK_OK(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, allocator, &instance));
  IREE_CHECK_OK(iree_hal_module_register_all_types(instance));
  // Module files lie at 64-byte boundaries; the driver's blocks do not.
  void *archive = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
  if (!archive) abort();
  memcpy(archive, data, size);
  report(iree_make_const_byte_span(archive, size), allocator);
  iree_vm_module_t *module = NULL;
  iree_status_t status = iree_vm_bytecode_module_create(
      instance, IREE_VM_BYTECODE_MODULE_FLAG_NONE, iree_make_const_byte_span(archive, size),
      iree_allocator_null(), allocator, &module);
  if (iree_status_is_ok(status)) {
    disassemble(module, allocator);
    inspect(iree_make_const_byte_span(archive, size), module, allocator);
    iree_vm_module_release(module);
  }
  iree_status_ignore(status);
  free(archive);
  iree_vm_instance_release(instance);
  return 0;
}
