// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calling convention fragments: sizes, alignments and shapes of packed arguments and results.
// A fragment is the letters of one side: "rrI", "rCiD", empty for none.
#ifndef RUNTIME_VM_CCONV_H_
#define RUNTIME_VM_CCONV_H_

#include "iree/vm/module.h"

// Packed areas are padded to this, so that a C structure over them is whole.
#define CCONV_AREA_ALIGNMENT 16

// Bytes of one member; 0 for a letter that is none.
static inline iree_host_size_t cconv_size(char letter) {
  switch (letter) {
    case IREE_VM_CCONV_TYPE_I32:
    case IREE_VM_CCONV_TYPE_F32:
      return 4;
    case IREE_VM_CCONV_TYPE_I64:
    case IREE_VM_CCONV_TYPE_F64:
      return 8;
    case IREE_VM_CCONV_TYPE_REF:
      return sizeof(iree_vm_ref_t);
    default:
      return 0;
  }
}
static inline iree_host_size_t cconv_alignment(char letter) {
  return letter == IREE_VM_CCONV_TYPE_REF ? sizeof(void *) : cconv_size(letter);
}
static inline bool cconv_is_wide(char letter) {
  return letter == IREE_VM_CCONV_TYPE_I64 || letter == IREE_VM_CCONV_TYPE_F64;
}

// Whether a fragment is well formed; groups only if |allow_groups|, never nested or empty.
bool cconv_is_valid(iree_string_view_t fragment, bool allow_groups);

// Letters of the group that starts at |fragment|.data[*inout_i] == 'C'; moves past its 'D'.
iree_string_view_t cconv_take_group(iree_string_view_t fragment, iree_host_size_t *inout_i);
// Widest alignment within a group.
iree_host_size_t cconv_group_alignment(iree_string_view_t group);

// Bytes of a packed area without groups, padded.
iree_host_size_t cconv_area_size(iree_string_view_t fragment);

// Releases the refs in a packed area without groups.
void cconv_release_refs(iree_string_view_t fragment, uint8_t *area);

#endif  // RUNTIME_VM_CCONV_H_
