// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Growable lists of one value type, one ref type, or variants. Value elements convert between
// numeric types on get and set. Not synchronised.
#ifndef IREE_VM_LIST_H_
#define IREE_VM_LIST_H_

#include "iree/base/api.h"
#include "iree/vm/ref.h"
#include "iree/vm/type_def.h"
#include "iree/vm/value.h"
#include "iree/vm/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_vm_list_t iree_vm_list_t;

// Bytes needed for a list in caller storage, and its set-up there; such a list cannot grow.
//   errors: OUT_OF_RANGE  |storage| is too small
IREE_API_EXPORT iree_host_size_t iree_vm_list_storage_size(const iree_vm_type_def_t *element_type,
                                                           iree_host_size_t capacity);
IREE_API_EXPORT iree_status_t iree_vm_list_initialize(iree_byte_span_t storage,
                                                      const iree_vm_type_def_t *element_type,
                                                      iree_host_size_t capacity,
                                                      iree_vm_list_t **out_list);
IREE_API_EXPORT void iree_vm_list_deinitialize(iree_vm_list_t *list);

// A list on the heap; _clone copies elements, sharing refs.
//   owns:   transfers |out_list| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_vm_list_create(const iree_vm_type_def_t element_type,
                                                  iree_host_size_t initial_capacity,
                                                  iree_allocator_t allocator,
                                                  iree_vm_list_t **out_list);
IREE_API_EXPORT iree_status_t iree_vm_list_clone(iree_vm_list_t *source,
                                                 iree_allocator_t host_allocator,
                                                 iree_vm_list_t **out_target);
IREE_API_EXPORT void iree_vm_list_retain(iree_vm_list_t *list);
IREE_API_EXPORT void iree_vm_list_release(iree_vm_list_t *list);

// What the list holds, has room for, and has.
//   errors: none
IREE_API_EXPORT iree_vm_type_def_t iree_vm_list_element_type(const iree_vm_list_t *list);
IREE_API_EXPORT iree_host_size_t iree_vm_list_capacity(const iree_vm_list_t *list);
IREE_API_EXPORT iree_host_size_t iree_vm_list_size(const iree_vm_list_t *list);
// New elements are zero or null.
//   errors: RESOURCE_EXHAUSTED  no memory, or a list in caller storage is full
IREE_API_EXPORT iree_status_t iree_vm_list_reserve(iree_vm_list_t *list,
                                                   iree_host_size_t minimum_capacity);
IREE_API_EXPORT iree_status_t iree_vm_list_resize(iree_vm_list_t *list, iree_host_size_t new_size);
IREE_API_EXPORT void iree_vm_list_clear(iree_vm_list_t *list);
IREE_API_EXPORT void iree_vm_list_swap_storage(iree_vm_list_t *list_a, iree_vm_list_t *list_b);
// Copies a range, which may overlap within one list.
//   errors: OUT_OF_RANGE  a range leaves its list;  INVALID_ARGUMENT  the element types differ
IREE_API_EXPORT iree_status_t iree_vm_list_copy(iree_vm_list_t *src_list, iree_host_size_t src_i,
                                                iree_vm_list_t *dst_list, iree_host_size_t dst_i,
                                                iree_host_size_t count);

// Values.
//   errors: OUT_OF_RANGE  no such element;  FAILED_PRECONDITION  the element is not a value (or a
//   ref)
IREE_API_EXPORT iree_status_t iree_vm_list_get_value(const iree_vm_list_t *list, iree_host_size_t i,
                                                     iree_vm_value_t *out_value);
IREE_API_EXPORT iree_status_t iree_vm_list_get_value_as(const iree_vm_list_t *list,
                                                        iree_host_size_t i,
                                                        iree_vm_value_type_t value_type,
                                                        iree_vm_value_t *out_value);
IREE_API_EXPORT iree_status_t iree_vm_list_set_value(iree_vm_list_t *list, iree_host_size_t i,
                                                     const iree_vm_value_t *value);
IREE_API_EXPORT iree_status_t iree_vm_list_push_value(iree_vm_list_t *list,
                                                      const iree_vm_value_t *value);

// Refs. _deref gives the object or NULL; _assign borrows, _retain shares, _move empties the
// element.
//   owns:   _retain and _move transfer a count to the caller; set/push _move take |value|'s
//   errors: OUT_OF_RANGE  no such element;  INVALID_ARGUMENT  the ref does not fit the element type
IREE_API_EXPORT void *iree_vm_list_get_ref_deref(const iree_vm_list_t *list, iree_host_size_t i,
                                                 iree_vm_ref_type_t type);
IREE_API_EXPORT iree_status_t iree_vm_list_get_ref_assign(const iree_vm_list_t *list,
                                                          iree_host_size_t i,
                                                          iree_vm_ref_t *out_value);
IREE_API_EXPORT iree_status_t iree_vm_list_get_ref_retain(const iree_vm_list_t *list,
                                                          iree_host_size_t i,
                                                          iree_vm_ref_t *out_value);
IREE_API_EXPORT iree_status_t iree_vm_list_get_ref_retain_or_move(iree_vm_list_t *list,
                                                                  iree_host_size_t i, bool is_move,
                                                                  iree_vm_ref_t *out_value);
IREE_API_EXPORT iree_status_t iree_vm_list_get_ref_move(iree_vm_list_t *list, iree_host_size_t i,
                                                        iree_vm_ref_t *out_value);
IREE_API_EXPORT iree_status_t iree_vm_list_set_ref_retain(iree_vm_list_t *list, iree_host_size_t i,
                                                          const iree_vm_ref_t *value);
IREE_API_EXPORT iree_status_t iree_vm_list_set_ref_move(iree_vm_list_t *list, iree_host_size_t i,
                                                        iree_vm_ref_t *value);
IREE_API_EXPORT iree_status_t iree_vm_list_push_ref_retain(iree_vm_list_t *list,
                                                           const iree_vm_ref_t *value);
IREE_API_EXPORT iree_status_t iree_vm_list_push_ref_move(iree_vm_list_t *list,
                                                         iree_vm_ref_t *value);
IREE_API_EXPORT iree_status_t iree_vm_list_pop_front_ref_move(iree_vm_list_t *list,
                                                              iree_vm_ref_t *out_value);

// Variants of any list.
//   owns:   as for refs
//   errors: as for refs and values
IREE_API_EXPORT iree_status_t iree_vm_list_get_variant_assign(const iree_vm_list_t *list,
                                                              iree_host_size_t i,
                                                              iree_vm_variant_t *out_variant);
IREE_API_EXPORT iree_status_t iree_vm_list_get_variant_retain(const iree_vm_list_t *list,
                                                              iree_host_size_t i,
                                                              iree_vm_variant_t *out_variant);
IREE_API_EXPORT iree_status_t iree_vm_list_get_variant_move(iree_vm_list_t *list,
                                                            iree_host_size_t i,
                                                            iree_vm_variant_t *out_variant);
IREE_API_EXPORT iree_status_t iree_vm_list_set_variant_retain(iree_vm_list_t *list,
                                                              iree_host_size_t i,
                                                              const iree_vm_variant_t *variant);
IREE_API_EXPORT iree_status_t iree_vm_list_set_variant_move(iree_vm_list_t *list,
                                                            iree_host_size_t i,
                                                            iree_vm_variant_t *variant);
IREE_API_EXPORT iree_status_t iree_vm_list_push_variant_retain(iree_vm_list_t *list,
                                                               const iree_vm_variant_t *variant);
IREE_API_EXPORT iree_status_t iree_vm_list_push_variant_move(iree_vm_list_t *list,
                                                             iree_vm_variant_t *variant);

IREE_VM_DECLARE_TYPE_ADAPTERS(iree_vm_list, iree_vm_list_t);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_LIST_H_
