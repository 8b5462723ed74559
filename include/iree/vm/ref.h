// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References: a pointer to a counted object and its type, 16 bytes.
//
// A type is the address of its descriptor (8-aligned) with the position of the object's reference
// count (in counts, from the object's start) in the low 3 bits. 0 is null. Types are registered
// with an instance, and every C type gets adapters by IREE_VM_DECLARE/DEFINE_TYPE_ADAPTERS:
//   name_type()             the registered type
//   name_isa(ref)           whether |ref| has it
//   name_deref(ref)         the object, NULL when it has another type
//   name_check_deref(ref, &object)          the same with a status; _or_null lets null pass
//   name_retain_ref(object) / name_move_ref(object)   a ref that shares / takes ownership
#ifndef IREE_VM_REF_H_
#define IREE_VM_REF_H_

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_vm_instance_t iree_vm_instance_t;

#define IREE_VM_REF_TYPE_TAG_BITS 3
#define IREE_VM_REF_TYPE_TAG_BIT_MASK ((uintptr_t)7)
#define IREE_VM_REF_TYPE_PTR_BITS (sizeof(uintptr_t) * 8 - IREE_VM_REF_TYPE_TAG_BITS)
#define IREE_VM_REF_TYPE_PTR_BIT_MASK (~IREE_VM_REF_TYPE_TAG_BIT_MASK)
#define IREE_VM_REF_COUNTER_ALIGNMENT sizeof(iree_atomic_ref_count_t)

typedef uintptr_t iree_vm_ref_type_t;
#define IREE_VM_REF_TYPE_NULL ((iree_vm_ref_type_t)0)
// Any ref (`!vm.opaque` where a ref is expected).
#define IREE_VM_REF_TYPE_ANY ((iree_vm_ref_type_t)(UINTPTR_MAX ^ IREE_VM_REF_TYPE_TAG_BIT_MASK))

typedef void (*iree_vm_ref_destroy_t)(void *ptr);

// Must outlive every instance it is registered with: usually static.
typedef struct iree_alignas(8) iree_vm_ref_type_descriptor_t {
  iree_vm_ref_destroy_t destroy;
  iree_string_view_t type_name;                            // "hal.buffer", without `!`
  uintptr_t offsetof_counter : IREE_VM_REF_TYPE_TAG_BITS;  // in units of the counter's size
  uintptr_t reserved : sizeof(uintptr_t) * 8 - IREE_VM_REF_TYPE_TAG_BITS;
}
iree_vm_ref_type_descriptor_t;

static inline iree_vm_ref_type_t iree_vm_make_ref_type(
    const iree_vm_ref_type_descriptor_t *descriptor) {
  return (iree_vm_ref_type_t)descriptor | (iree_vm_ref_type_t)descriptor->offsetof_counter;
}
static inline const iree_vm_ref_type_descriptor_t *iree_vm_ref_type_descriptor(
    iree_vm_ref_type_t type) {
  return (const iree_vm_ref_type_descriptor_t *)(type & IREE_VM_REF_TYPE_PTR_BIT_MASK);
}
// Name of a type, empty for null.
//   owns:   borrowed from the descriptor
//   errors: none
IREE_API_EXPORT iree_string_view_t iree_vm_ref_type_name(iree_vm_ref_type_t type);

// First member of objects whose count is at their start.
typedef struct iree_vm_ref_object_t {
  iree_atomic_ref_count_t counter;
} iree_vm_ref_object_t;

typedef struct iree_vm_ref_t {
  void *ptr;  // NULL exactly when type is null
  iree_vm_ref_type_t type;
} iree_vm_ref_t;

static inline iree_vm_ref_t iree_vm_ref_null(void) {
  iree_vm_ref_t ref = {NULL, IREE_VM_REF_TYPE_NULL};
  return ref;
}

// Counting on the object itself.
//   errors: none
IREE_API_EXPORT void iree_vm_ref_object_retain(void *ptr, iree_vm_ref_type_t type);
IREE_API_EXPORT void iree_vm_ref_object_release(void *ptr, iree_vm_ref_type_t type);

// Makes a ref to |ptr| (NULL gives null), releasing what |out_ref| held.
//   owns:   _assign takes ownership of |ptr|, _retain retains it
//   errors: INVALID_ARGUMENT  |type| is null but |ptr| is not
IREE_API_EXPORT iree_status_t iree_vm_ref_wrap_assign(void *ptr, iree_vm_ref_type_t type,
                                                      iree_vm_ref_t *out_ref);
IREE_API_EXPORT iree_status_t iree_vm_ref_wrap_retain(void *ptr, iree_vm_ref_type_t type,
                                                      iree_vm_ref_t *out_ref);
// Fails unless |ref| has |type|.
//   errors: INVALID_ARGUMENT  null, or another type
IREE_API_EXPORT iree_status_t iree_vm_ref_check(const iree_vm_ref_t ref, iree_vm_ref_type_t type);

// Copies and moves; the old content of |out_ref| is released, self-assignment is fine.
// iree_vm_ref_assign copies the bits without counting.
//   errors: none; _checked: INVALID_ARGUMENT  |ref| is neither null nor of |type|
IREE_API_EXPORT void iree_vm_ref_retain_inplace(iree_vm_ref_t *ref);
IREE_API_EXPORT void iree_vm_ref_retain(iree_vm_ref_t *ref, iree_vm_ref_t *out_ref);
IREE_API_EXPORT iree_status_t iree_vm_ref_retain_checked(iree_vm_ref_t *ref,
                                                         iree_vm_ref_type_t type,
                                                         iree_vm_ref_t *out_ref);
IREE_API_EXPORT void iree_vm_ref_retain_or_move(int is_move, iree_vm_ref_t *ref,
                                                iree_vm_ref_t *out_ref);
IREE_API_EXPORT iree_status_t iree_vm_ref_retain_or_move_checked(int is_move, iree_vm_ref_t *ref,
                                                                 iree_vm_ref_type_t type,
                                                                 iree_vm_ref_t *out_ref);
IREE_API_EXPORT void iree_vm_ref_assign(iree_vm_ref_t *ref, iree_vm_ref_t *out_ref);
IREE_API_EXPORT void iree_vm_ref_move(iree_vm_ref_t *ref, iree_vm_ref_t *out_ref);
IREE_API_EXPORT void iree_vm_ref_release(iree_vm_ref_t *ref);
IREE_API_EXPORT bool iree_vm_ref_is_null(const iree_vm_ref_t *ref);
IREE_API_EXPORT bool iree_vm_ref_equal(const iree_vm_ref_t *lhs, const iree_vm_ref_t *rhs);

#ifdef __cplusplus
#define IREE_VM_EXTERN_C_ extern "C"
#else
#define IREE_VM_EXTERN_C_
#define IREE_VM_DECLARE_CC_TYPE_LOOKUP(name, T)
#endif
#define IREE_VM_DECLARE_TYPE_ADAPTERS(name, T)                                              \
  IREE_VM_EXTERN_C_ IREE_API_EXPORT iree_vm_ref_t name##_retain_ref(T *value);              \
  IREE_VM_EXTERN_C_ IREE_API_EXPORT iree_vm_ref_t name##_move_ref(T *value);                \
  IREE_VM_EXTERN_C_ IREE_API_EXPORT iree_status_t name##_check_deref(const iree_vm_ref_t ref, T **out_ptr); \
  IREE_VM_EXTERN_C_ IREE_API_EXPORT iree_status_t name##_check_deref_or_null(const iree_vm_ref_t ref, T **out_ptr); \
  IREE_API_EXPORT extern iree_vm_ref_type_t name##_registration;                            \
  static inline iree_vm_ref_type_t name##_type(void) { return name##_registration; }        \
  static inline bool name##_isa(const iree_vm_ref_t ref) {                                  \
    return ref.type != IREE_VM_REF_TYPE_NULL && name##_registration == ref.type;            \
  }                                                                                         \
  static inline T *name##_deref(const iree_vm_ref_t ref) {                                  \
    return IREE_LIKELY(name##_isa(ref)) ? (T *)ref.ptr : NULL;                              \
  }                                                                                         \
  IREE_VM_DECLARE_CC_TYPE_LOOKUP(name, T)                                                   \
  static_assert(sizeof(T *) == sizeof(void *), "object pointers only")

#define IREE_VM_DEFINE_TYPE_ADAPTERS(name, T)                                                \
  iree_vm_ref_type_t name##_registration = IREE_VM_REF_TYPE_NULL;                            \
  iree_vm_ref_t name##_move_ref(T *value) {                                                  \
    iree_vm_ref_t ref = {value, value ? name##_registration : IREE_VM_REF_TYPE_NULL};        \
    return IREE_LIKELY(ref.type) ? ref : iree_vm_ref_null();                                 \
  }                                                                                          \
  iree_vm_ref_t name##_retain_ref(T *value) {                                                \
    iree_vm_ref_t ref = name##_move_ref(value);                                              \
    iree_vm_ref_retain_inplace(&ref);                                                        \
    return ref;                                                                              \
  }                                                                                          \
  iree_status_t name##_check_deref(const iree_vm_ref_t ref, T **out_ptr) {                   \
    *out_ptr = name##_deref(ref);                                                            \
    return IREE_LIKELY(*out_ptr) ? iree_ok_status() : iree_vm_ref_check(ref, name##_type()); \
  }                                                                                          \
  iree_status_t name##_check_deref_or_null(const iree_vm_ref_t ref, T **out_ptr) {           \
    *out_ptr = NULL;                                                                         \
    if (ref.type == IREE_VM_REF_TYPE_NULL) return iree_ok_status();                          \
    return name##_check_deref(ref, out_ptr);                                                 \
  }                                                                                          \
  static_assert(sizeof(T *) == sizeof(void *), "object pointers only")

#ifdef __cplusplus
}  // extern "C"
#include "iree/vm/ref_cc.h"
#endif
#endif  // IREE_VM_REF_H_
