// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The container of a module file: where its FlatBuffer is and what lies behind it.
//
//   [zip local header, padded]  u32 length prefix | FlatBuffer | pad to 64 | external rodata ...
//   [zip]
#ifndef RUNTIME_VM_BYTECODE_ARCHIVE_H_
#define RUNTIME_VM_BYTECODE_ARCHIVE_H_

#include "base/flatbuf.h"

typedef struct vmfb_archive_t {
  iree_const_byte_span_t contents;    // the file
  iree_const_byte_span_t flatbuffer;  // behind the length prefix
  iree_host_size_t prefix_offset;     // of the length prefix: 0 unless zipped
  iree_host_size_t rodata_offset;     // where external segments count from
  flatbuf_table_t root;               // BytecodeModuleDef
} vmfb_archive_t;

// Finds the parts and verifies the FlatBuffer; nothing is copied.
//   owns:   |out_archive| borrows |contents|
//   errors: INVALID_ARGUMENT  not a module file, or damaged
iree_status_t vmfb_archive_open(iree_const_byte_span_t contents, vmfb_archive_t *out_archive);

// Bytes of rodata segment |i|, embedded or external.
//   errors: INVALID_ARGUMENT  outside the file, or compressed
iree_status_t vmfb_archive_rodata(const vmfb_archive_t *archive, iree_host_size_t i,
                                  iree_const_byte_span_t *out_span);

// The file's FlatBuffer schema (abi/vmfb.def).
const flatbuf_schema_t *vmfb_schema(void);

#endif  // RUNTIME_VM_BYTECODE_ARCHIVE_H_
