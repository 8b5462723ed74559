// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of values, refs and variants: growth, conversion, ownership.
#include "iree/vm/api.h"
#include "base/test.h"

static iree_vm_instance_t *create_instance(void) {
  iree_vm_instance_t *instance = NULL;
  IREE_CHECK_OK(iree_vm_instance_create(0, iree_allocator_system(), &instance));
  return instance;
}

static iree_vm_buffer_t *create_buffer(void) {
  iree_vm_buffer_t *buffer = NULL;
  IREE_CHECK_OK(
      iree_vm_buffer_create(IREE_VM_BUFFER_ACCESS_MUTABLE, 4, 0, iree_allocator_system(), &buffer));
  return buffer;
}
static int32_t count_of(iree_vm_buffer_t *buffer) {
  return iree_atomic_ref_count_load(&buffer->ref_object.counter);
}

TEST(values_convert) {
  iree_vm_instance_t *instance = create_instance();
  iree_vm_list_t *list = NULL;
  ASSERT_OK(iree_vm_list_create(iree_vm_make_value_type_def(IREE_VM_VALUE_TYPE_I8), 0,
                                iree_allocator_system(), &list));
  iree_vm_value_t value = iree_vm_value_make_i32(300);
  ASSERT_OK(iree_vm_list_push_value(list, &value));
  ASSERT_OK(iree_vm_list_get_value_as(list, 0, IREE_VM_VALUE_TYPE_F64, &value));
  EXPECT(value.f64 == 44.0);
  value = iree_vm_value_make_f32(-1.75f);
  ASSERT_OK(iree_vm_list_set_value(list, 0, &value));
  ASSERT_OK(iree_vm_list_get_value(list, 0, &value));
  EXPECT_EQ(value.type, IREE_VM_VALUE_TYPE_I8);
  EXPECT_EQ(value.i8, -1);
  EXPECT_STATUS(OUT_OF_RANGE, iree_vm_list_get_value(list, 1, &value));
  iree_vm_ref_t ref = iree_vm_ref_null();
  EXPECT_STATUS(FAILED_PRECONDITION, iree_vm_list_get_ref_assign(list, 0, &ref));
  EXPECT_STATUS(FAILED_PRECONDITION, iree_vm_list_push_ref_move(list, &ref));
  EXPECT_EQ(iree_vm_list_size(list), 1);
  ASSERT_OK(iree_vm_list_resize(list, 100));
  ASSERT_OK(iree_vm_list_get_value(list, 99, &value));
  EXPECT_EQ(value.i8, 0);
  iree_vm_list_release(list);
  iree_vm_instance_release(instance);
}

TEST(refs_are_counted) {
  iree_vm_instance_t *instance = create_instance();
  iree_vm_list_t *list = NULL, *clone = NULL;
  ASSERT_OK(iree_vm_list_create(iree_vm_make_ref_type_def(iree_vm_buffer_type()), 1,
                                iree_allocator_system(), &list));
  iree_vm_buffer_t *buffer = create_buffer();
  iree_vm_ref_t ref = iree_vm_buffer_retain_ref(buffer);
  ASSERT_OK(iree_vm_list_push_ref_retain(list, &ref));
  EXPECT_EQ(count_of(buffer), 3);
  ASSERT_OK(iree_vm_list_push_ref_move(list, &ref));
  EXPECT(iree_vm_ref_is_null(&ref));
  EXPECT_EQ(count_of(buffer), 3);
  ASSERT_OK(iree_vm_list_clone(list, iree_allocator_system(), &clone));
  EXPECT_EQ(count_of(buffer), 5);
  ASSERT_OK(iree_vm_list_copy(list, 0, list, 1, 1));
  EXPECT_EQ(count_of(buffer), 5);
  ASSERT_OK(iree_vm_list_pop_front_ref_move(clone, &ref));
  EXPECT(iree_vm_buffer_deref(ref) == buffer);
  EXPECT(iree_vm_list_get_ref_deref(clone, 0, iree_vm_buffer_type()) == buffer);
  EXPECT(iree_vm_list_get_ref_deref(clone, 1, iree_vm_buffer_type()) == NULL);
  // Another type is refused.
  iree_vm_ref_t other = iree_vm_list_retain_ref(list);
  EXPECT_STATUS(INVALID_ARGUMENT, iree_vm_list_set_ref_retain(list, 0, &other));
  iree_vm_ref_release(&other);
  iree_vm_ref_release(&ref);
  iree_vm_list_release(clone);
  ASSERT_OK(iree_vm_list_resize(list, 1));
  EXPECT_EQ(count_of(buffer), 2);
  iree_vm_list_release(list);
  EXPECT_EQ(count_of(buffer), 1);
  iree_vm_buffer_release(buffer);
  iree_vm_instance_release(instance);
}

TEST(variants_hold_both) {
  iree_vm_instance_t *instance = create_instance();
  iree_vm_list_t *list = NULL, *other = NULL;
  ASSERT_OK(
      iree_vm_list_create(iree_vm_make_variant_type_def(), 0, iree_allocator_system(), &list));
  ASSERT_OK(iree_vm_list_create(iree_vm_make_value_type_def(IREE_VM_VALUE_TYPE_I64), 0,
                                iree_allocator_system(), &other));
  iree_vm_buffer_t *buffer = create_buffer();
  iree_vm_ref_t ref = iree_vm_buffer_move_ref(buffer);
  ASSERT_OK(iree_vm_list_push_ref_move(list, &ref));
  iree_vm_value_t value = iree_vm_value_make_i64(1ll << 40);
  ASSERT_OK(iree_vm_list_push_value(list, &value));
  iree_vm_variant_t variant = iree_vm_variant_empty();
  ASSERT_OK(iree_vm_list_get_variant_retain(list, 0, &variant));
  EXPECT(iree_vm_variant_is_ref(variant));
  EXPECT_EQ(count_of(buffer), 2);
  iree_vm_variant_reset(&variant);
  ASSERT_OK(iree_vm_list_get_variant_move(list, 0, &variant));
  ASSERT_OK(iree_vm_list_push_variant_move(list, &variant));
  EXPECT(iree_vm_variant_is_empty(variant));
  EXPECT_EQ(count_of(buffer), 1);
  iree_vm_list_swap_storage(list, other);
  EXPECT_EQ(iree_vm_list_size(other), 3);
  EXPECT_EQ(iree_vm_list_size(list), 0);
  ASSERT_OK(iree_vm_list_get_ref_retain_or_move(other, 2, true, &ref));
  ASSERT_OK(iree_vm_list_get_variant_assign(other, 2, &variant));
  EXPECT(iree_vm_variant_is_empty(variant));
  iree_vm_ref_release(&ref);
  iree_vm_list_release(list);
  iree_vm_list_release(other);
  iree_vm_instance_release(instance);
}

TEST(fixed_storage_does_not_grow) {
  iree_vm_instance_t *instance = create_instance();
  iree_vm_type_def_t type = iree_vm_make_value_type_def(IREE_VM_VALUE_TYPE_I32);
  uint8_t storage[256] iree_alignas(16);
  iree_vm_list_t *list = NULL;
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_vm_list_initialize(iree_make_byte_span(storage, 16), &type, 2, &list));
  EXPECT(iree_vm_list_storage_size(&type, SIZE_MAX) == IREE_HOST_SIZE_MAX);
  ASSERT_OK(
      iree_vm_list_initialize(iree_make_byte_span(storage, sizeof(storage)), &type, 2, &list));
  iree_vm_value_t value = iree_vm_value_make_i32(1);
  EXPECT_OK(iree_vm_list_push_value(list, &value));
  EXPECT_OK(iree_vm_list_push_value(list, &value));
  EXPECT_STATUS(RESOURCE_EXHAUSTED, iree_vm_list_push_value(list, &value));
  iree_vm_list_deinitialize(list);
  iree_vm_instance_release(instance);
}

TEST(types_are_registered_once) {
  iree_vm_instance_t *instance = create_instance();
  EXPECT(iree_vm_instance_lookup_type(instance, IREE_SV("vm.buffer")) == iree_vm_buffer_type());
  EXPECT(iree_vm_instance_lookup_type(instance, IREE_SV("vm.other")) == IREE_VM_REF_TYPE_NULL);
  static const iree_vm_ref_type_descriptor_t mine = {.type_name = IREE_SVL("vm.buffer")};
  iree_vm_ref_type_t type = IREE_VM_REF_TYPE_NULL;
  EXPECT_STATUS(ALREADY_EXISTS, iree_vm_instance_register_type(instance, &mine, &type));
  static const iree_vm_ref_type_descriptor_t other = {.type_name = IREE_SVL("test.other")};
  EXPECT_OK(iree_vm_instance_register_type(instance, &other, &type));
  EXPECT_OK(iree_vm_instance_register_type(instance, &other, &type));
  EXPECT_SV(iree_vm_ref_type_name(type), "test.other");
  iree_vm_instance_unregister_type(instance, &other);
  EXPECT(iree_vm_instance_lookup_type(instance, IREE_SV("test.other")) == type);
  iree_vm_instance_unregister_type(instance, &other);
  EXPECT(iree_vm_instance_lookup_type(instance, IREE_SV("test.other")) == IREE_VM_REF_TYPE_NULL);
  iree_vm_instance_release(instance);
}

TEST(buffers_check_ranges_and_rights) {
  iree_vm_instance_t *instance = create_instance();
  iree_vm_buffer_t *buffer = NULL, *copy = NULL;
  iree_allocator_t heap = iree_allocator_system();
  ASSERT_OK(iree_vm_buffer_create(IREE_VM_BUFFER_ACCESS_MUTABLE, 16, 128, heap, &buffer));
  EXPECT_EQ((uintptr_t)iree_vm_buffer_data(buffer) % 128, 0);
  uint32_t pattern = 0x04030201;
  EXPECT_OK(iree_vm_buffer_fill_elements(buffer, 4, 3, 4, &pattern));
  EXPECT_STATUS(OUT_OF_RANGE, iree_vm_buffer_fill_elements(buffer, 8, 3, 4, &pattern));
  EXPECT_STATUS(OUT_OF_RANGE, iree_vm_buffer_fill_elements(buffer, 8, SIZE_MAX / 2, 4, &pattern));
  EXPECT_STATUS(INVALID_ARGUMENT, iree_vm_buffer_fill_elements(buffer, 0, 1, 3, &pattern));
  ASSERT_OK(iree_vm_buffer_clone(0, buffer, 4, 8, 0, heap, &copy));
  bool equal = false;
  EXPECT_OK(iree_vm_buffer_compare_bytes(buffer, 8, copy, 0, 8, &equal));
  EXPECT(equal);
  EXPECT_STATUS(PERMISSION_DENIED, iree_vm_buffer_fill_bytes(copy, 0, 1, 0));
  EXPECT_STATUS(OUT_OF_RANGE, iree_vm_buffer_copy_bytes(buffer, SIZE_MAX, buffer, 0, 2));
  EXPECT_OK(iree_vm_buffer_copy_bytes(buffer, 0, buffer, 2, 8));
  iree_const_byte_span_t span;
  EXPECT_STATUS(OUT_OF_RANGE, iree_vm_buffer_map_ro(buffer, 2, 4, 4, &span));
  iree_vm_buffer_release(copy);
  EXPECT_STATUS(INVALID_ARGUMENT, iree_vm_buffer_create(0, 4, 3, heap, &copy));
  EXPECT(copy == NULL);
  iree_vm_buffer_release(buffer);
  iree_vm_instance_release(instance);
}

// Vectors of the SipHash paper: key 00..0f, message 00 01 02 ...
TEST(hash_is_siphash) {
  iree_vm_instance_t *instance = create_instance();
  iree_vm_buffer_t *buffer = NULL;
  ASSERT_OK(iree_vm_buffer_create(IREE_VM_BUFFER_ACCESS_MUTABLE, 16, 0, iree_allocator_system(),
                                  &buffer));
  for (uint8_t i = 0; i < 16; ++i) iree_vm_buffer_data(buffer)[i] = i;
  int64_t hash = 0;
  EXPECT_OK(iree_vm_buffer_hash(buffer, 0, 15, &hash));
  EXPECT(hash == (int64_t)0xa129ca6149be45e5ull);
  EXPECT_OK(iree_vm_buffer_hash(buffer, 0, 0, &hash));
  EXPECT_STATUS(OUT_OF_RANGE, iree_vm_buffer_hash(buffer, 10, 7, &hash));
  iree_vm_buffer_release(buffer);
  iree_vm_instance_release(instance);
}

TEST_MAIN(CASE(values_convert) CASE(refs_are_counted) CASE(variants_hold_both)
              CASE(fixed_storage_does_not_grow) CASE(types_are_registered_once)
                  CASE(buffers_check_ranges_and_rights) CASE(hash_is_siphash))
