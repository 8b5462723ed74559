// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference counting through type descriptors. A null type means a null pointer, always.
#include "iree/vm/ref.h"

static iree_atomic_ref_count_t *ref_counter(void *ptr, iree_vm_ref_type_t type) {
  uintptr_t index = type & IREE_VM_REF_TYPE_TAG_BIT_MASK;
  return (iree_atomic_ref_count_t *)ptr + index;
}

iree_string_view_t iree_vm_ref_type_name(iree_vm_ref_type_t type) {
  if (type == IREE_VM_REF_TYPE_NULL || type == IREE_VM_REF_TYPE_ANY) {
    return iree_string_view_empty();
  }
  return iree_vm_ref_type_descriptor(type)->type_name;
}

void iree_vm_ref_object_retain(void *ptr, iree_vm_ref_type_t type) {
  if (ptr) iree_atomic_ref_count_inc(ref_counter(ptr, type));
}

void iree_vm_ref_object_release(void *ptr, iree_vm_ref_type_t type) {
  if (ptr && iree_atomic_ref_count_dec(ref_counter(ptr, type)) == 1) {
    iree_vm_ref_type_descriptor(type)->destroy(ptr);
  }
}

iree_status_t iree_vm_ref_wrap_assign(void *ptr, iree_vm_ref_type_t type, iree_vm_ref_t *out_ref) {
  if (IREE_UNLIKELY(ptr && type == IREE_VM_REF_TYPE_NULL)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "ref type is not registered with the instance");
  }
  iree_vm_ref_t old = *out_ref;
  out_ref->ptr = ptr;
  out_ref->type = ptr ? type : IREE_VM_REF_TYPE_NULL;
  iree_vm_ref_release(&old);
  return iree_ok_status();
}

iree_status_t iree_vm_ref_wrap_retain(void *ptr, iree_vm_ref_type_t type, iree_vm_ref_t *out_ref) {
  if (ptr && type != IREE_VM_REF_TYPE_NULL) iree_vm_ref_object_retain(ptr, type);
  return iree_vm_ref_wrap_assign(ptr, type, out_ref);
}

iree_status_t iree_vm_ref_check(const iree_vm_ref_t ref, iree_vm_ref_type_t type) {
  if (IREE_LIKELY(ref.type == type && ref.type != IREE_VM_REF_TYPE_NULL)) return iree_ok_status();
  if (ref.type == IREE_VM_REF_TYPE_NULL) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "ref is null");
  }
  iree_string_view_t expected = iree_vm_ref_type_name(type),
                     actual = iree_vm_ref_type_name(ref.type);
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "ref type mismatch; expected %.*s but have %.*s", IREE_SV_ARGS(expected),
                          IREE_SV_ARGS(actual));
}

void iree_vm_ref_retain_inplace(iree_vm_ref_t *ref) {
  iree_vm_ref_object_retain(ref->ptr, ref->type);
}

void iree_vm_ref_retain(iree_vm_ref_t *ref, iree_vm_ref_t *out_ref) {
  // Retain first: |out_ref| may hold the last reference to the same object.
  iree_vm_ref_t value = *ref, old = *out_ref;
  iree_vm_ref_retain_inplace(&value);
  *out_ref = value;
  iree_vm_ref_release(&old);
}

static iree_status_t ref_check_type_or_null(const iree_vm_ref_t *ref, iree_vm_ref_type_t type) {
  if (ref->type == IREE_VM_REF_TYPE_NULL || type == IREE_VM_REF_TYPE_ANY || ref->type == type) {
    return iree_ok_status();
  }
  return iree_vm_ref_check(*ref, type);
}

iree_status_t iree_vm_ref_retain_checked(iree_vm_ref_t *ref, iree_vm_ref_type_t type,
                                         iree_vm_ref_t *out_ref) {
  IREE_RETURN_IF_ERROR(ref_check_type_or_null(ref, type));
  iree_vm_ref_retain(ref, out_ref);
  return iree_ok_status();
}

void iree_vm_ref_retain_or_move(int is_move, iree_vm_ref_t *ref, iree_vm_ref_t *out_ref) {
  if (is_move) {
    iree_vm_ref_move(ref, out_ref);
  } else {
    iree_vm_ref_retain(ref, out_ref);
  }
}

iree_status_t iree_vm_ref_retain_or_move_checked(int is_move, iree_vm_ref_t *ref,
                                                 iree_vm_ref_type_t type, iree_vm_ref_t *out_ref) {
  IREE_RETURN_IF_ERROR(ref_check_type_or_null(ref, type));
  iree_vm_ref_retain_or_move(is_move, ref, out_ref);
  return iree_ok_status();
}

void iree_vm_ref_assign(iree_vm_ref_t *ref, iree_vm_ref_t *out_ref) { *out_ref = *ref; }

void iree_vm_ref_move(iree_vm_ref_t *ref, iree_vm_ref_t *out_ref) {
  if (ref == out_ref) return;
  iree_vm_ref_t old = *out_ref;
  *out_ref = *ref;
  *ref = iree_vm_ref_null();
  iree_vm_ref_release(&old);
}

void iree_vm_ref_release(iree_vm_ref_t *ref) {
  iree_vm_ref_t old = *ref;
  *ref = iree_vm_ref_null();  // first: destroying may reach this slot again
  iree_vm_ref_object_release(old.ptr, old.type);
}

bool iree_vm_ref_is_null(const iree_vm_ref_t *ref) { return ref->type == IREE_VM_REF_TYPE_NULL; }

bool iree_vm_ref_equal(const iree_vm_ref_t *lhs, const iree_vm_ref_t *rhs) {
  return lhs->ptr == rhs->ptr && lhs->type == rhs->type;
}
