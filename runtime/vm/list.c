// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists keep elements densely in one of three forms: values of one type, refs, or variants. Slots
// past the size are always zero, so that growing exposes zeros and nulls.
#include "iree/vm/list.h"

#include "runtime/vm/builtin_types.h"

typedef enum list_form_e { LIST_VALUES, LIST_REFS, LIST_VARIANTS } list_form_t;

struct iree_vm_list_t {
  iree_vm_ref_object_t ref_object;
  list_form_t form;
  iree_vm_type_def_t element_type;
  iree_host_size_t element_size;
  iree_host_size_t size;
  iree_host_size_t capacity;
  iree_allocator_t allocator;  // null: caller's storage
  uint8_t *storage;
};

IREE_VM_DEFINE_TYPE_ADAPTERS(iree_vm_list, iree_vm_list_t);

static iree_host_size_t value_size(iree_vm_value_type_t type) {
  switch (type) {
    case IREE_VM_VALUE_TYPE_NONE:
    case IREE_VM_VALUE_TYPE_COUNT:
      return 0;
    case IREE_VM_VALUE_TYPE_I8:
      return 1;
    case IREE_VM_VALUE_TYPE_I16:
      return 2;
    case IREE_VM_VALUE_TYPE_I32:
    case IREE_VM_VALUE_TYPE_F32:
      return 4;
    case IREE_VM_VALUE_TYPE_I64:
    case IREE_VM_VALUE_TYPE_F64:
      return 8;
  }
  return 0;
}

static void list_set_type(iree_vm_list_t *list, iree_vm_type_def_t element_type) {
  list->element_type = element_type;
  if (iree_vm_type_def_is_value(element_type)) {
    list->form = LIST_VALUES;
    list->element_size = value_size(iree_vm_type_def_as_value(element_type));
  } else if (iree_vm_type_def_is_ref(element_type)) {
    list->form = LIST_REFS;
    list->element_size = sizeof(iree_vm_ref_t);
  } else {
    list->form = LIST_VARIANTS;
    list->element_size = sizeof(iree_vm_variant_t);
  }
}

static uint8_t *list_slot(const iree_vm_list_t *list, iree_host_size_t i) {
  return list->storage + i * list->element_size;
}
static iree_vm_ref_t *list_ref(const iree_vm_list_t *list, iree_host_size_t i) {
  return (iree_vm_ref_t *)(void *)list_slot(list, i);
}
static iree_vm_variant_t *list_variant(const iree_vm_list_t *list, iree_host_size_t i) {
  return (iree_vm_variant_t *)(void *)list_slot(list, i);
}

// Releases what a range of slots holds.
static void list_release_range(iree_vm_list_t *list, iree_host_size_t begin, iree_host_size_t end) {
  if (list->form == LIST_VALUES) return;
  for (iree_host_size_t i = begin; i < end; ++i) {
    if (list->form == LIST_REFS) iree_vm_ref_release(list_ref(list, i));
    if (list->form == LIST_VARIANTS) iree_vm_variant_reset(list_variant(list, i));
  }
}

// Releases and zeroes a range of slots.
static void list_clear_range(iree_vm_list_t *list, iree_host_size_t begin, iree_host_size_t end) {
  list_release_range(list, begin, end);
  if (end > begin) memset(list_slot(list, begin), 0, (end - begin) * list->element_size);
}

static void list_destroy(void *ptr) {
  iree_vm_list_t *list = ptr;
  iree_allocator_t allocator = list->allocator;
  iree_vm_list_deinitialize(list);
  iree_allocator_free(allocator, list);
}

iree_status_t iree_vm_list_register_type(iree_vm_instance_t *instance) {
  static const iree_vm_ref_type_descriptor_t descriptor = {
      .destroy = list_destroy,
      .type_name = IREE_SVL("vm.list"),
      .offsetof_counter = offsetof(iree_vm_list_t, ref_object) / IREE_VM_REF_COUNTER_ALIGNMENT,
  };
  return iree_vm_instance_register_type(instance, &descriptor, &iree_vm_list_registration);
}

iree_host_size_t iree_vm_list_storage_size(const iree_vm_type_def_t *element_type,
                                           iree_host_size_t capacity) {
  iree_vm_list_t list;
  list_set_type(&list, element_type ? *element_type : iree_vm_make_variant_type_def());
  iree_host_size_t size = 0;
  if (!iree_host_size_checked_mul_add(iree_sizeof_struct(iree_vm_list_t), capacity,
                                      list.element_size, &size)) {
    return IREE_HOST_SIZE_MAX;
  }
  return size;
}

iree_status_t iree_vm_list_initialize(iree_byte_span_t storage,
                                      const iree_vm_type_def_t *element_type,
                                      iree_host_size_t capacity, iree_vm_list_t **out_list) {
  *out_list = NULL;
  iree_host_size_t needed = iree_vm_list_storage_size(element_type, capacity);
  if (storage.data_length < needed) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "list storage of %" PRIhsz " bytes; needs %" PRIhsz,
                            storage.data_length, needed);
  }
  memset(storage.data, 0, needed);
  iree_vm_list_t *list = (iree_vm_list_t *)(void *)storage.data;
  iree_atomic_ref_count_init(&list->ref_object.counter);
  list_set_type(list, element_type ? *element_type : iree_vm_make_variant_type_def());
  list->capacity = capacity;
  list->allocator = iree_allocator_null();
  list->storage = storage.data + iree_sizeof_struct(iree_vm_list_t);
  *out_list = list;
  return iree_ok_status();
}

void iree_vm_list_deinitialize(iree_vm_list_t *list) {
  list_release_range(list, 0, list->size);
  list->size = 0;
  iree_allocator_free(list->allocator, list->storage);
  list->storage = NULL;
}

iree_status_t iree_vm_list_create(const iree_vm_type_def_t element_type,
                                  iree_host_size_t initial_capacity, iree_allocator_t allocator,
                                  iree_vm_list_t **out_list) {
  *out_list = NULL;
  iree_vm_list_t *list = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, sizeof(*list), (void **)&list));
  iree_atomic_ref_count_init(&list->ref_object.counter);
  list_set_type(list, element_type);
  list->allocator = allocator;
  iree_status_t status = iree_vm_list_reserve(list, initial_capacity);
  if (!iree_status_is_ok(status)) {
    iree_vm_list_release(list);
    return status;
  }
  *out_list = list;
  return iree_ok_status();
}

iree_status_t iree_vm_list_clone(iree_vm_list_t *source, iree_allocator_t host_allocator,
                                 iree_vm_list_t **out_target) {
  *out_target = NULL;
  iree_vm_list_t *target = NULL;
  IREE_RETURN_IF_ERROR(
      iree_vm_list_create(source->element_type, source->size, host_allocator, &target));
  iree_status_t status = iree_vm_list_resize(target, source->size);
  if (iree_status_is_ok(status)) status = iree_vm_list_copy(source, 0, target, 0, source->size);
  if (!iree_status_is_ok(status)) {
    iree_vm_list_release(target);
    return status;
  }
  *out_target = target;
  return iree_ok_status();
}

void iree_vm_list_retain(iree_vm_list_t *list) {
  if (list) iree_atomic_ref_count_inc(&list->ref_object.counter);
}
void iree_vm_list_release(iree_vm_list_t *list) {
  if (list && iree_atomic_ref_count_dec(&list->ref_object.counter) == 1) list_destroy(list);
}

iree_vm_type_def_t iree_vm_list_element_type(const iree_vm_list_t *list) {
  return list->element_type;
}
iree_host_size_t iree_vm_list_capacity(const iree_vm_list_t *list) { return list->capacity; }
iree_host_size_t iree_vm_list_size(const iree_vm_list_t *list) { return list->size; }

iree_status_t iree_vm_list_reserve(iree_vm_list_t *list, iree_host_size_t minimum_capacity) {
  if (minimum_capacity <= list->capacity) return iree_ok_status();
  if (!list->allocator.ctl) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "list in fixed storage has room for %" PRIhsz " elements",
                            list->capacity);
  }
  // A fresh zeroed block: pages that a program reserves but never touches stay unused.
  iree_host_size_t capacity = iree_max(minimum_capacity, 2 * list->capacity);
  uint8_t *storage = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(list->allocator, iree_max(capacity, 4),
                                                   list->element_size, (void **)&storage));
  if (list->size) memcpy(storage, list->storage, list->size * list->element_size);
  iree_allocator_free(list->allocator, list->storage);
  list->storage = storage;
  list->capacity = iree_max(capacity, 4);
  return iree_ok_status();
}

iree_status_t iree_vm_list_resize(iree_vm_list_t *list, iree_host_size_t new_size) {
  if (new_size < list->size) {
    list_clear_range(list, new_size, list->size);
  } else {
    IREE_RETURN_IF_ERROR(iree_vm_list_reserve(list, new_size));
  }
  list->size = new_size;
  return iree_ok_status();
}

void iree_vm_list_clear(iree_vm_list_t *list) {
  list_clear_range(list, 0, list->size);
  list->size = 0;
}

void iree_vm_list_swap_storage(iree_vm_list_t *list_a, iree_vm_list_t *list_b) {
  iree_vm_list_t a = *list_a, b = *list_b;
#define LIST_TAKE(target, source)                 \
  (target)->form = (source).form;                 \
  (target)->element_type = (source).element_type; \
  (target)->element_size = (source).element_size; \
  (target)->size = (source).size;                 \
  (target)->capacity = (source).capacity;         \
  (target)->storage = (source).storage
  LIST_TAKE(list_a, b);
  LIST_TAKE(list_b, a);
#undef LIST_TAKE
}

static iree_status_t list_check_range(const iree_vm_list_t *list, iree_host_size_t i,
                                      iree_host_size_t count) {
  if (IREE_LIKELY(iree_range_is_within(i, count, list->size))) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "list index %" PRIhsz " out of bounds (%" PRIhsz " elements)", i,
                          list->size);
}

iree_status_t iree_vm_list_copy(iree_vm_list_t *src_list, iree_host_size_t src_i,
                                iree_vm_list_t *dst_list, iree_host_size_t dst_i,
                                iree_host_size_t count) {
  IREE_RETURN_IF_ERROR(list_check_range(src_list, src_i, count));
  IREE_RETURN_IF_ERROR(list_check_range(dst_list, dst_i, count));
  bool is_backward = src_list == dst_list && src_i < dst_i;
  for (iree_host_size_t k = 0; k < count; ++k) {
    iree_host_size_t i = is_backward ? count - 1 - k : k;
    iree_vm_variant_t variant = iree_vm_variant_empty();
    IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(src_list, src_i + i, &variant));
    IREE_RETURN_IF_ERROR(iree_vm_list_set_variant_retain(dst_list, dst_i + i, &variant));
  }
  return iree_ok_status();
}

// Numeric conversion as C does it between the two types; float to integer saturates.
static int64_t float_to_i64(double value) {
  if (!(value > -9223372036854775808.0)) return value != value ? 0 : INT64_MIN;
  return value >= 9223372036854775808.0 ? INT64_MAX : (int64_t)value;
}

static iree_vm_value_t value_convert(iree_vm_value_t value, iree_vm_value_type_t type) {
  if (value.type == type) return value;
  int64_t integer = 0;
  double real = 0.0;
  bool is_float = value.type == IREE_VM_VALUE_TYPE_F32 || value.type == IREE_VM_VALUE_TYPE_F64;
  switch (value.type) {
    case IREE_VM_VALUE_TYPE_NONE:
    case IREE_VM_VALUE_TYPE_COUNT:
      break;
    case IREE_VM_VALUE_TYPE_I8:
      integer = value.i8;
      break;
    case IREE_VM_VALUE_TYPE_I16:
      integer = value.i16;
      break;
    case IREE_VM_VALUE_TYPE_I32:
      integer = value.i32;
      break;
    case IREE_VM_VALUE_TYPE_I64:
      integer = value.i64;
      break;
    case IREE_VM_VALUE_TYPE_F32:
      real = (double)value.f32;
      break;
    case IREE_VM_VALUE_TYPE_F64:
      real = value.f64;
      break;
  }
  if (is_float)
    integer = float_to_i64(real);
  else
    real = (double)integer;
  switch (type) {
    case IREE_VM_VALUE_TYPE_NONE:
    case IREE_VM_VALUE_TYPE_COUNT:
      break;
    case IREE_VM_VALUE_TYPE_I8:
      return iree_vm_value_make_i8((int8_t)integer);
    case IREE_VM_VALUE_TYPE_I16:
      return iree_vm_value_make_i16((int16_t)integer);
    case IREE_VM_VALUE_TYPE_I32:
      return iree_vm_value_make_i32((int32_t)integer);
    case IREE_VM_VALUE_TYPE_I64:
      return iree_vm_value_make_i64(integer);
    case IREE_VM_VALUE_TYPE_F32:
      return iree_vm_value_make_f32((float)real);
    case IREE_VM_VALUE_TYPE_F64:
      return iree_vm_value_make_f64(real);
  }
  return iree_vm_value_make_none();
}

iree_status_t iree_vm_list_get_value(const iree_vm_list_t *list, iree_host_size_t i,
                                     iree_vm_value_t *out_value) {
  *out_value = iree_vm_value_make_none();
  IREE_RETURN_IF_ERROR(list_check_range(list, i, 1));
  if (list->form == LIST_VALUES) {
    out_value->type = iree_vm_type_def_as_value(list->element_type);
    memcpy(out_value->value_storage, list_slot(list, i), list->element_size);
    return iree_ok_status();
  }
  if (list->form == LIST_VARIANTS && !iree_vm_variant_is_ref(*list_variant(list, i))) {
    *out_value = iree_vm_variant_value(*list_variant(list, i));
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                          "list element %" PRIhsz " is a ref, not a value", i);
}

iree_status_t iree_vm_list_get_value_as(const iree_vm_list_t *list, iree_host_size_t i,
                                        iree_vm_value_type_t value_type,
                                        iree_vm_value_t *out_value) {
  IREE_RETURN_IF_ERROR(iree_vm_list_get_value(list, i, out_value));
  *out_value = value_convert(*out_value, value_type);
  return iree_ok_status();
}

iree_status_t iree_vm_list_set_value(iree_vm_list_t *list, iree_host_size_t i,
                                     const iree_vm_value_t *value) {
  IREE_RETURN_IF_ERROR(list_check_range(list, i, 1));
  switch (list->form) {
    case LIST_VALUES: {
      iree_vm_value_t converted =
          value_convert(*value, iree_vm_type_def_as_value(list->element_type));
      memcpy(list_slot(list, i), converted.value_storage, list->element_size);
      return iree_ok_status();
    }
    case LIST_VARIANTS:
      iree_vm_variant_reset(list_variant(list, i));
      *list_variant(list, i) = iree_vm_make_variant_value(*value);
      return iree_ok_status();
    case LIST_REFS:
      break;
  }
  return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "list of refs cannot hold a value");
}

iree_status_t iree_vm_list_push_value(iree_vm_list_t *list, const iree_vm_value_t *value) {
  iree_host_size_t i = list->size;
  IREE_RETURN_IF_ERROR(iree_vm_list_resize(list, i + 1));
  iree_status_t status = iree_vm_list_set_value(list, i, value);
  if (!iree_status_is_ok(status)) list->size = i;
  return status;
}

// The ref in a slot, NULL when the element is a value.
static iree_vm_ref_t *list_ref_or_null(const iree_vm_list_t *list, iree_host_size_t i) {
  if (list->form == LIST_REFS) return list_ref(list, i);
  if (list->form == LIST_VARIANTS && !iree_vm_variant_is_value(*list_variant(list, i))) {
    return &list_variant(list, i)->ref;
  }
  return NULL;
}

void *iree_vm_list_get_ref_deref(const iree_vm_list_t *list, iree_host_size_t i,
                                 iree_vm_ref_type_t type) {
  if (i >= list->size) return NULL;
  const iree_vm_ref_t *ref = list_ref_or_null(list, i);
  return ref && ref->type == type ? ref->ptr : NULL;
}

iree_status_t iree_vm_list_get_ref_assign(const iree_vm_list_t *list, iree_host_size_t i,
                                          iree_vm_ref_t *out_value) {
  IREE_RETURN_IF_ERROR(list_check_range(list, i, 1));
  iree_vm_ref_t *ref = list_ref_or_null(list, i);
  if (!ref) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "list element %" PRIhsz " is a value, not a ref", i);
  }
  *out_value = *ref;
  return iree_ok_status();
}

iree_status_t iree_vm_list_get_ref_retain_or_move(iree_vm_list_t *list, iree_host_size_t i,
                                                  bool is_move, iree_vm_ref_t *out_value) {
  iree_vm_ref_t borrowed = iree_vm_ref_null();
  IREE_RETURN_IF_ERROR(iree_vm_list_get_ref_assign(list, i, &borrowed));
  iree_vm_ref_retain_or_move(is_move, list_ref_or_null(list, i), out_value);
  if (is_move && list->form == LIST_VARIANTS) *list_variant(list, i) = iree_vm_variant_empty();
  return iree_ok_status();
}

iree_status_t iree_vm_list_get_ref_retain(const iree_vm_list_t *list, iree_host_size_t i,
                                          iree_vm_ref_t *out_value) {
  iree_vm_ref_t borrowed = iree_vm_ref_null();
  IREE_RETURN_IF_ERROR(iree_vm_list_get_ref_assign(list, i, &borrowed));
  iree_vm_ref_retain(&borrowed, out_value);
  return iree_ok_status();
}

iree_status_t iree_vm_list_get_ref_move(iree_vm_list_t *list, iree_host_size_t i,
                                        iree_vm_ref_t *out_value) {
  return iree_vm_list_get_ref_retain_or_move(list, i, true, out_value);
}

static iree_status_t list_set_ref(iree_vm_list_t *list, iree_host_size_t i, bool is_move,
                                  iree_vm_ref_t *value) {
  IREE_RETURN_IF_ERROR(list_check_range(list, i, 1));
  switch (list->form) {
    case LIST_VALUES:
      break;
    case LIST_REFS:
      return iree_vm_ref_retain_or_move_checked(
          is_move, value, iree_vm_type_def_as_ref(list->element_type), list_ref(list, i));
    case LIST_VARIANTS: {
      iree_vm_ref_t taken = iree_vm_ref_null();
      iree_vm_ref_retain_or_move(is_move, value, &taken);
      iree_vm_variant_reset(list_variant(list, i));
      *list_variant(list, i) = iree_vm_make_variant_ref_assign(taken);
      return iree_ok_status();
    }
  }
  return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "list of values cannot hold a ref");
}

iree_status_t iree_vm_list_set_ref_retain(iree_vm_list_t *list, iree_host_size_t i,
                                          const iree_vm_ref_t *value) {
  iree_vm_ref_t copy = *value;
  return list_set_ref(list, i, false, &copy);
}

iree_status_t iree_vm_list_set_ref_move(iree_vm_list_t *list, iree_host_size_t i,
                                        iree_vm_ref_t *value) {
  return list_set_ref(list, i, true, value);
}

static iree_status_t list_push_ref(iree_vm_list_t *list, bool is_move, iree_vm_ref_t *value) {
  iree_host_size_t i = list->size;
  IREE_RETURN_IF_ERROR(iree_vm_list_resize(list, i + 1));
  iree_status_t status = list_set_ref(list, i, is_move, value);
  if (!iree_status_is_ok(status)) list->size = i;
  return status;
}

iree_status_t iree_vm_list_push_ref_retain(iree_vm_list_t *list, const iree_vm_ref_t *value) {
  iree_vm_ref_t copy = *value;
  return list_push_ref(list, false, &copy);
}

iree_status_t iree_vm_list_push_ref_move(iree_vm_list_t *list, iree_vm_ref_t *value) {
  return list_push_ref(list, true, value);
}

iree_status_t iree_vm_list_pop_front_ref_move(iree_vm_list_t *list, iree_vm_ref_t *out_value) {
  IREE_RETURN_IF_ERROR(iree_vm_list_get_ref_move(list, 0, out_value));
  memmove(list->storage, list_slot(list, 1), (list->size - 1) * list->element_size);
  --list->size;
  memset(list_slot(list, list->size), 0, list->element_size);
  return iree_ok_status();
}

iree_status_t iree_vm_list_get_variant_assign(const iree_vm_list_t *list, iree_host_size_t i,
                                              iree_vm_variant_t *out_variant) {
  *out_variant = iree_vm_variant_empty();
  IREE_RETURN_IF_ERROR(list_check_range(list, i, 1));
  switch (list->form) {
    case LIST_VALUES: {
      iree_vm_value_t value;
      IREE_RETURN_IF_ERROR(iree_vm_list_get_value(list, i, &value));
      *out_variant = iree_vm_make_variant_value(value);
      break;
    }
    case LIST_REFS:
      *out_variant = iree_vm_make_variant_ref_assign(*list_ref(list, i));
      break;
    case LIST_VARIANTS:
      *out_variant = *list_variant(list, i);
      break;
  }
  return iree_ok_status();
}

iree_status_t iree_vm_list_get_variant_retain(const iree_vm_list_t *list, iree_host_size_t i,
                                              iree_vm_variant_t *out_variant) {
  IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(list, i, out_variant));
  if (iree_vm_variant_is_ref(*out_variant)) iree_vm_ref_retain_inplace(&out_variant->ref);
  return iree_ok_status();
}

iree_status_t iree_vm_list_get_variant_move(iree_vm_list_t *list, iree_host_size_t i,
                                            iree_vm_variant_t *out_variant) {
  IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(list, i, out_variant));
  memset(list_slot(list, i), 0, list->element_size);
  return iree_ok_status();
}

iree_status_t iree_vm_list_set_variant_retain(iree_vm_list_t *list, iree_host_size_t i,
                                              const iree_vm_variant_t *variant) {
  if (iree_vm_variant_is_ref(*variant)) {
    return iree_vm_list_set_ref_retain(list, i, &variant->ref);
  }
  if (iree_vm_variant_is_empty(*variant) && list->form != LIST_VALUES) {
    iree_vm_ref_t null = iree_vm_ref_null();
    return list_set_ref(list, i, false, &null);
  }
  iree_vm_value_t value = iree_vm_variant_value(*variant);
  return iree_vm_list_set_value(list, i, &value);
}

iree_status_t iree_vm_list_set_variant_move(iree_vm_list_t *list, iree_host_size_t i,
                                            iree_vm_variant_t *variant) {
  IREE_RETURN_IF_ERROR(iree_vm_list_set_variant_retain(list, i, variant));
  iree_vm_variant_reset(variant);
  return iree_ok_status();
}

iree_status_t iree_vm_list_push_variant_retain(iree_vm_list_t *list,
                                               const iree_vm_variant_t *variant) {
  iree_host_size_t i = list->size;
  IREE_RETURN_IF_ERROR(iree_vm_list_resize(list, i + 1));
  iree_status_t status = iree_vm_list_set_variant_retain(list, i, variant);
  if (!iree_status_is_ok(status)) list->size = i;
  return status;
}

iree_status_t iree_vm_list_push_variant_move(iree_vm_list_t *list, iree_vm_variant_t *variant) {
  IREE_RETURN_IF_ERROR(iree_vm_list_push_variant_retain(list, variant));
  iree_vm_variant_reset(variant);
  return iree_ok_status();
}
