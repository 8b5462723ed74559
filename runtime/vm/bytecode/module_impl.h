// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded module file: what load.c makes of the FlatBuffer, verify.c proves and dispatch.c runs.
#ifndef RUNTIME_VM_BYTECODE_MODULE_IMPL_H_
#define RUNTIME_VM_BYTECODE_MODULE_IMPL_H_

#include "abi/version.h"
#include "abi/vmfb.h"
#include "base/isa.h"
#include "iree/vm/api.h"
#include "iree/vm/bytecode/module.h"
#include "runtime/vm/bytecode/archive.h"
#include "runtime/vm/bytecode/marshal.h"
#include "runtime/vm/native_call.h"

typedef struct bytecode_function_t {
  const uint8_t *bytecode;
  uint32_t length;
  uint32_t requirements;
  uint16_t block_count;
  uint16_t i32_count;
  uint16_t ref_count;
  uint32_t scratch_size;         // packed arguments and results of the largest import call
  iree_string_view_t arguments;  // calling convention fragments
  iree_string_view_t results;
  iree_host_size_t arguments_size;  // of the packed areas
  iree_host_size_t results_size;
  iree_string_view_t calling_convention;
} bytecode_function_t;

typedef struct bytecode_import_decl_t {
  iree_string_view_t full_name;
  iree_string_view_t calling_convention;  // empty: taken from the exporter
  iree_string_view_t arguments;
  iree_string_view_t results;
  bool is_optional;
} bytecode_import_decl_t;

typedef struct bytecode_module_t {
  iree_vm_module_t interface;  // must be first
  iree_vm_instance_t *instance;
  iree_allocator_t allocator;
  vmfb_archive_t archive;
  iree_allocator_t archive_allocator;
  iree_string_view_t name;
  uint32_t type_count;
  iree_vm_type_def_t *types;
  uint32_t function_count;
  bytecode_function_t *functions;
  uint32_t export_count;
  uint16_t *export_ordinals;  // of the functions behind them
  uint32_t import_count;
  bytecode_import_decl_t *imports;
  uint32_t rodata_count;
  iree_const_byte_span_t *rodata;
  uint32_t global_bytes;
  uint32_t global_ref_count;
} bytecode_module_t;

// A bound import. Fragments are the exporter's.
typedef struct bytecode_import_t {
  iree_vm_function_t function;  // null: optional and absent
  iree_string_view_t arguments;
  iree_string_view_t results;
  iree_host_size_t results_size;  // of the packed area
  marshal_plan_t argument_plan;
  marshal_plan_t result_plan;
  native_callee_t native;  // the short way, when there is one
} bytecode_import_t;

typedef struct bytecode_state_t {
  iree_allocator_t allocator;
  uint32_t global_ref_count;
  uint32_t rodata_count;
  bytecode_import_t *imports;
  iree_vm_ref_t *global_refs;
  iree_vm_buffer_t **rodata;
  iree_alignas(16) uint8_t globals[];  // then refs, rodata, imports
} bytecode_state_t;

static inline bool bytecode_module_isa(const iree_vm_module_t *module);
void iree_vm_bytecode_module_destroy(void *self);

// Proves function |ordinal| safe to run and sets its scratch size.
//   errors: INVALID_ARGUMENT  it is not
iree_status_t bytecode_verify_function(bytecode_module_t *module, uint32_t ordinal);
// Proves all calls of an import that was declared without signature against the one it got.
//   errors: INVALID_ARGUMENT  a call does not fit
iree_status_t bytecode_verify_import_calls(bytecode_module_t *module, uint32_t import_ordinal,
                                           iree_string_view_t arguments,
                                           iree_string_view_t results);

iree_status_t bytecode_begin_call(void *self, iree_vm_stack_t *stack, iree_vm_function_call_t call);
iree_status_t bytecode_resume_call(void *self, iree_vm_stack_t *stack,
                                   iree_byte_span_t call_results);

// Source place of a byte of a function from the file's debug database.
//   errors: UNAVAILABLE  stripped, or not recorded
iree_status_t bytecode_resolve_source_location(void *self, iree_vm_function_t function,
                                               iree_vm_source_offset_t pc,
                                               iree_vm_source_location_t *out_source_location);
// Name of an internal function: that of its export, else of the debug database, else empty.
iree_string_view_t bytecode_function_name(const bytecode_module_t *module, uint32_t ordinal);

static inline bool bytecode_module_isa(const iree_vm_module_t *module) {
  return module->destroy == iree_vm_bytecode_module_destroy;
}

// The function behind an export or an internal function, NULL when there is none.
static inline const bytecode_function_t *bytecode_function(const bytecode_module_t *module,
                                                           iree_vm_function_t function) {
  uint32_t ordinal = function.ordinal;
  if (function.linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT ||
      function.linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL) {
    if (ordinal >= module->export_count) return NULL;
    ordinal = module->export_ordinals[ordinal];
  } else if (function.linkage != IREE_VM_FUNCTION_LINKAGE_INTERNAL) {
    return NULL;
  }
  return ordinal < module->function_count ? &module->functions[ordinal] : NULL;
}

// An instruction's place during a walk. Reads past the end give zeros and set |is_truncated|.
typedef struct bytecode_cursor_t {
  const uint8_t *base;
  uint32_t length;
  uint32_t pc;
  bool is_truncated;
} bytecode_cursor_t;

static inline uint64_t cursor_take(bytecode_cursor_t *cursor, uint32_t size) {
  if (cursor->length - cursor->pc < size) {
    cursor->is_truncated = true;
    cursor->pc = cursor->length;
    return 0;
  }
  uint64_t value = 0;
  memcpy(&value, cursor->base + cursor->pc, size);
  cursor->pc += size;
  return value;
}
static inline void cursor_align(bytecode_cursor_t *cursor) {
  if (cursor->pc & 1) (void)cursor_take(cursor, 1);
}
static inline uint16_t cursor_u16(bytecode_cursor_t *cursor) {
  return (uint16_t)cursor_take(cursor, 2);
}
static inline uint32_t cursor_u32(bytecode_cursor_t *cursor) {
  return (uint32_t)cursor_take(cursor, 4);
}
// Opcode with its prefix; the row is NULL when it is unassigned.
static inline const isa_row_t *cursor_row(bytecode_cursor_t *cursor) {
  uint32_t number = (uint32_t)cursor_take(cursor, 1);
  if (number == ISA_PREFIX_F32 || number == ISA_PREFIX_F64) {
    number = number << 8 | (uint32_t)cursor_take(cursor, 1);
  }
  return isa_row(number);
}

#endif  // RUNTIME_VM_BYTECODE_MODULE_IMPL_H_
