// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or a ref, with its type. Holding a ref, it owns one count unless it was filled by
// _assign.
#ifndef IREE_VM_VARIANT_H_
#define IREE_VM_VARIANT_H_

#include "iree/vm/ref.h"
#include "iree/vm/type_def.h"
#include "iree/vm/value.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_vm_variant_t {
  iree_vm_type_def_t type;
  union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
    iree_vm_ref_t ref;
    uint8_t value_storage[IREE_VM_VALUE_STORAGE_SIZE];
  };
} iree_vm_variant_t;

static inline iree_vm_variant_t iree_vm_variant_empty(void) {
  iree_vm_variant_t variant;
  memset(&variant, 0, sizeof(variant));
  return variant;
}
static inline bool iree_vm_variant_is_empty(iree_vm_variant_t variant) {
  return iree_vm_type_def_is_variant(variant.type);
}
static inline bool iree_vm_variant_is_value(iree_vm_variant_t variant) {
  return iree_vm_type_def_is_value(variant.type);
}
static inline bool iree_vm_variant_is_ref(iree_vm_variant_t variant) {
  return iree_vm_type_def_is_ref(variant.type);
}
static inline iree_vm_variant_t iree_vm_make_variant_value(iree_vm_value_t value) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  variant.type = iree_vm_make_value_type_def(value.type);
  memcpy(variant.value_storage, value.value_storage, sizeof(variant.value_storage));
  return variant;
}
static inline iree_vm_variant_t iree_vm_make_variant_ref_assign(iree_vm_ref_t ref) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  variant.type = iree_vm_make_ref_type_def(ref.type);
  variant.ref = ref;
  return variant;
}
static inline iree_vm_value_t iree_vm_variant_value(iree_vm_variant_t variant) {
  iree_vm_value_t value = iree_vm_value_make_none();
  value.type = iree_vm_type_def_as_value(variant.type);
  memcpy(value.value_storage, variant.value_storage, sizeof(value.value_storage));
  return value;
}
static inline void iree_vm_variant_reset(iree_vm_variant_t *variant) {
  if (!variant) return;
  if (iree_vm_variant_is_ref(*variant)) iree_vm_ref_release(&variant->ref);
  *variant = iree_vm_variant_empty();
}

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_VARIANT_H_
