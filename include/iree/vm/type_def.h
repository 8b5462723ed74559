// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of a value, a ref, or neither (undefined; as a list element: variant), in one word.
#ifndef IREE_VM_TYPE_DEF_H_
#define IREE_VM_TYPE_DEF_H_

#include "iree/vm/ref.h"
#include "iree/vm/value.h"

#ifdef __cplusplus
extern "C" {
#endif

// The value type in the low bits, else the address of the ref type's descriptor.
typedef struct iree_vm_type_def_t {
  uintptr_t bits;
} iree_vm_type_def_t;

static inline iree_vm_value_type_t iree_vm_type_def_as_value(iree_vm_type_def_t type) {
  return (iree_vm_value_type_t)(type.bits & IREE_VM_REF_TYPE_TAG_BIT_MASK);
}
static inline iree_vm_ref_type_t iree_vm_type_def_as_ref(iree_vm_type_def_t type) {
  uintptr_t pointer = type.bits & IREE_VM_REF_TYPE_PTR_BIT_MASK;
  if (pointer == IREE_VM_REF_TYPE_NULL || pointer == IREE_VM_REF_TYPE_ANY) return pointer;
  return iree_vm_make_ref_type((const iree_vm_ref_type_descriptor_t *)pointer);
}
static inline bool iree_vm_type_def_is_value(iree_vm_type_def_t type) {
  return (type.bits & IREE_VM_REF_TYPE_TAG_BIT_MASK) != 0;
}
static inline bool iree_vm_type_def_is_ref(iree_vm_type_def_t type) {
  return (type.bits & IREE_VM_REF_TYPE_PTR_BIT_MASK) != 0;
}
static inline bool iree_vm_type_def_is_variant(iree_vm_type_def_t type) { return type.bits == 0; }
#define iree_vm_type_def_is_undefined iree_vm_type_def_is_variant
static inline bool iree_vm_type_def_equal(iree_vm_type_def_t a, iree_vm_type_def_t b) {
  return a.bits == b.bits;
}
static inline iree_vm_type_def_t iree_vm_make_undefined_type_def(void) {
  iree_vm_type_def_t type = {0};
  return type;
}
#define iree_vm_make_variant_type_def iree_vm_make_undefined_type_def
static inline iree_vm_type_def_t iree_vm_make_value_type_def(iree_vm_value_type_t value_type) {
  iree_vm_type_def_t type = {(uintptr_t)value_type & IREE_VM_REF_TYPE_TAG_BIT_MASK};
  return type;
}
static inline iree_vm_type_def_t iree_vm_make_ref_type_def(iree_vm_ref_type_t ref_type) {
  iree_vm_type_def_t type = {ref_type & IREE_VM_REF_TYPE_PTR_BIT_MASK};
  return type;
}

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_TYPE_DEF_H_
