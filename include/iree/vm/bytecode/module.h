// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules loaded from .vmfb files. The file is verified whole when the module is created; running
// it checks nothing that the verifier has.
#ifndef IREE_VM_BYTECODE_MODULE_H_
#define IREE_VM_BYTECODE_MODULE_H_

#include "iree/base/api.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t iree_vm_bytecode_module_flags_t;
enum iree_vm_bytecode_module_flag_bits_t {
  IREE_VM_BYTECODE_MODULE_FLAG_NONE = 0u,
  // Unknown ref types become placeholders: for tools that look at modules without running them.
  IREE_VM_BYTECODE_MODULE_FLAG_ALLOW_PLACEHOLDER_TYPES = 1u << 0,
};

typedef uint32_t iree_vm_bytecode_disassembly_format_t;
enum iree_vm_bytecode_disassembly_format_bits_t {
  IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_DEFAULT = 0u,
  IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_INLINE_VALUES = 1u << 0,
  IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_BYTECODE_OFFSETS = 1u << 1,
};

// Loads and verifies a module file.
//   owns:   transfers |out_module| to the caller. On success the module takes |archive_contents|,
//           which it frees with |archive_allocator| (null: borrowed while the module lives); on
//           failure they stay the caller's.
//   errors: INVALID_ARGUMENT  not a module, damaged, or of another bytecode version;
//           NOT_FOUND  a type is not registered with |instance|
IREE_API_EXPORT iree_status_t iree_vm_bytecode_module_create(
    iree_vm_instance_t *instance, iree_vm_bytecode_module_flags_t flags,
    iree_const_byte_span_t archive_contents, iree_allocator_t archive_allocator,
    iree_allocator_t allocator, iree_vm_module_t **out_module);

// Feature bits that a module file asks of a runtime (abi/version.h: ABI_FEATURE_*).
//   errors: INVALID_ARGUMENT  not a module, or damaged
IREE_API_EXPORT iree_status_t iree_vm_bytecode_module_query_required_features(
    iree_const_byte_span_t archive_contents, uint32_t *out_required_features);

// Appends the text of one internal function.
//   errors: INVALID_ARGUMENT  not a bytecode module;  OUT_OF_RANGE  no such function
IREE_API_EXPORT iree_status_t iree_vm_bytecode_module_disassemble_function(
    iree_vm_module_t *module, uint16_t function_ordinal,
    iree_vm_bytecode_disassembly_format_t format, iree_string_builder_t *string_builder);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_BYTECODE_MODULE_H_
