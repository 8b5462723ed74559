// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Primitive values with their type.
#ifndef IREE_VM_VALUE_H_
#define IREE_VM_VALUE_H_

#include "iree/base/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t iree_vm_size_t;

typedef enum iree_vm_value_type_e {
  IREE_VM_VALUE_TYPE_NONE = 0,
  IREE_VM_VALUE_TYPE_I8 = 1,
  IREE_VM_VALUE_TYPE_I16 = 2,
  IREE_VM_VALUE_TYPE_I32 = 3,
  IREE_VM_VALUE_TYPE_I64 = 4,
  IREE_VM_VALUE_TYPE_F32 = 5,
  IREE_VM_VALUE_TYPE_F64 = 6,
  IREE_VM_VALUE_TYPE_MAX = IREE_VM_VALUE_TYPE_F64,
  IREE_VM_VALUE_TYPE_COUNT = IREE_VM_VALUE_TYPE_MAX + 1,
} iree_vm_value_type_t;

#define IREE_VM_VALUE_STORAGE_SIZE 8

typedef struct iree_vm_value_t {
  iree_vm_value_type_t type;
  union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
    uint8_t value_storage[IREE_VM_VALUE_STORAGE_SIZE];
  };
} iree_vm_value_t;

static inline iree_vm_value_t iree_vm_value_make_none(void) {
  iree_vm_value_t value;
  memset(&value, 0, sizeof(value));
  return value;
}
#define IREE_VM_IMPL_VALUE_(field, T, TYPE)                           \
  static inline iree_vm_value_t iree_vm_value_make_##field(T field) { \
    iree_vm_value_t value = iree_vm_value_make_none();                \
    value.type = IREE_VM_VALUE_TYPE_##TYPE;                           \
    value.field = field;                                              \
    return value;                                                     \
  }                                                                   \
  static inline T iree_vm_value_get_##field(const iree_vm_value_t *value) { return value->field; }
IREE_VM_IMPL_VALUE_(i8, int8_t, I8)
IREE_VM_IMPL_VALUE_(i16, int16_t, I16)
IREE_VM_IMPL_VALUE_(i32, int32_t, I32)
IREE_VM_IMPL_VALUE_(i64, int64_t, I64)
IREE_VM_IMPL_VALUE_(f32, float, F32)
IREE_VM_IMPL_VALUE_(f64, double, F64)
#undef IREE_VM_IMPL_VALUE_

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_VALUE_H_
