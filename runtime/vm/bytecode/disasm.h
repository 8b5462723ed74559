// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Module files as text: the assembly of a whole module, a summary of its tables, and where its
// bytes are. For tools and tests.
#ifndef RUNTIME_VM_BYTECODE_DISASM_H_
#define RUNTIME_VM_BYTECODE_DISASM_H_

#include "iree/vm/bytecode/module.h"
#include "runtime/vm/bytecode/archive.h"

// Appends the whole module as assembly: types, imports, rodata, functions. |function_filter| (a
// name or an ordinal) picks one function; empty takes all.
//   errors: INVALID_ARGUMENT  not a bytecode module;  NOT_FOUND  nothing matches the filter
iree_status_t bytecode_disassemble_module(iree_vm_module_t *module,
                                          iree_string_view_t function_filter,
                                          iree_vm_bytecode_disassembly_format_t format,
                                          iree_string_builder_t *builder);

// Appends names, types, dependencies, imports, exports, sections and function descriptors.
//   errors: RESOURCE_EXHAUSTED  no memory
iree_status_t vmfb_report_metadata(const vmfb_archive_t *archive, iree_string_builder_t *builder);

// Every byte of the file by what it is there for: one cause each.
typedef struct vmfb_ledger_t {
  uint64_t fields[64];   // by slot of the root table, what is reached through it
  uint64_t root;         // root table, prefix, identifier
  uint64_t padding;      // inside the FlatBuffer
  uint64_t executables;  // ELF images behind it
  uint64_t constants;    // other data there
  uint64_t container;    // zip records, alignment
} vmfb_ledger_t;
//   errors: RESOURCE_EXHAUSTED  no memory
iree_status_t vmfb_ledger(const vmfb_archive_t *archive, iree_allocator_t allocator,
                          vmfb_ledger_t *out_ledger);

// Appends that as a table.
//   errors: RESOURCE_EXHAUSTED  no memory
iree_status_t vmfb_report_ledger(const vmfb_archive_t *archive, iree_string_builder_t *builder);

// Appends the FlatBuffer as JSON, on one line or indented.
//   errors: RESOURCE_EXHAUSTED  no memory
iree_status_t vmfb_report_json(const vmfb_archive_t *archive, bool is_pretty,
                               iree_string_builder_t *builder);

// Appends how many dispatches, copies and fills each function records.
//   errors: INVALID_ARGUMENT  not a bytecode module
iree_status_t bytecode_report_commands(iree_vm_module_t *module, iree_string_builder_t *builder);

#endif  // RUNTIME_VM_BYTECODE_DISASM_H_
