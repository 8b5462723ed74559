// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counting of iree/vm/ref.h for inlining where calls are hot. Null refs are common there, so
// they are tested before anything is called.
#ifndef RUNTIME_VM_REF_INLINE_H_
#define RUNTIME_VM_REF_INLINE_H_

#include "iree/vm/ref.h"

static inline iree_atomic_ref_count_t *ref_counter(iree_vm_ref_t ref) {
  return (iree_atomic_ref_count_t *)ref.ptr + (ref.type & IREE_VM_REF_TYPE_TAG_BIT_MASK);
}

static inline void ref_drop(iree_vm_ref_t ref) {
  if (ref.ptr && iree_atomic_ref_count_dec(ref_counter(ref)) == 1) {
    iree_vm_ref_type_descriptor(ref.type)->destroy(ref.ptr);
  }
}

// Empties |slot|; it is null before anything is destroyed, as destroying may reach it again.
static inline void ref_release(iree_vm_ref_t *slot) {
  iree_vm_ref_t old = *slot;
  if (!old.ptr) return;
  *slot = iree_vm_ref_null();
  ref_drop(old);
}

// |target| = |source|, shared or (|is_move|) taken; they may be the same slot.
static inline void ref_transfer(bool is_move, iree_vm_ref_t *source, iree_vm_ref_t *target) {
  if (source == target) return;
  iree_vm_ref_t value = *source, old = *target;
  if (is_move) {
    *source = iree_vm_ref_null();
  } else if (value.ptr) {
    iree_atomic_ref_count_inc(ref_counter(value));
  }
  *target = value;
  ref_drop(old);
}

#endif  // RUNTIME_VM_REF_INLINE_H_
