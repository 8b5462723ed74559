// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The load-and-call API over a module of its own: objects, ownership, calls, files, and every
// allocation of load, call and unload failing once.
#include "iree/runtime/api.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"

// Compiled host-only and stripped from
//   func.func @square(%a: i32, %b: f64) -> (i32, f64) { // a * a, b + b
static const uint8_t k_module[] = {
    0x88, 0x01, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x49, 0x52, 0x45, 0x45, 0xA2, 0xFE, 0xFF, 0xFF,
    0x20, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x24, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00,
    0x30, 0x00, 0x00, 0x00, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x11, 0x00, 0x14, 0x01, 0x00, 0x00,
    0x06, 0x00, 0x00, 0x00, 0x6D, 0x6F, 0x64, 0x75, 0x6C, 0x65, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00,
    0x28, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x38, 0x00, 0x00, 0x00, 0xF4, 0xFE, 0xFF, 0xFF, 0x04, 0x00, 0x00, 0x00,
    0x03, 0x00, 0x00, 0x00, 0x69, 0x33, 0x32, 0x00, 0x04, 0xFF, 0xFF, 0xFF, 0x04, 0x00, 0x00, 0x00,
    0x03, 0x00, 0x00, 0x00, 0x66, 0x36, 0x34, 0x00, 0x14, 0xFF, 0xFF, 0xFF, 0x04, 0x00, 0x00, 0x00,
    0x06, 0x00, 0x00, 0x00, 0x73, 0x71, 0x75, 0x61, 0x72, 0x65, 0x00, 0x00, 0x30, 0xFF, 0xFF, 0xFF,
    0x08, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x30, 0x69, 0x46, 0x5F,
    0x69, 0x46, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x50, 0xFF, 0xFF, 0xFF,
    0x08, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x69, 0x72, 0x65, 0x65,
    0x2E, 0x61, 0x62, 0x69, 0x2E, 0x64, 0x65, 0x63, 0x6C, 0x61, 0x72, 0x61, 0x74, 0x69, 0x6F, 0x6E,
    0x00, 0x00, 0x00, 0x00, 0x4F, 0x00, 0x00, 0x00, 0x73, 0x79, 0x6E, 0x63, 0x20, 0x66, 0x75, 0x6E,
    0x63, 0x20, 0x40, 0x73, 0x71, 0x75, 0x61, 0x72, 0x65, 0x28, 0x25, 0x69, 0x6E, 0x70, 0x75, 0x74,
    0x30, 0x3A, 0x20, 0x69, 0x33, 0x32, 0x2C, 0x20, 0x25, 0x69, 0x6E, 0x70, 0x75, 0x74, 0x31, 0x3A,
    0x20, 0x66, 0x36, 0x34, 0x29, 0x20, 0x2D, 0x3E, 0x20, 0x28, 0x25, 0x6F, 0x75, 0x74, 0x70, 0x75,
    0x74, 0x30, 0x3A, 0x20, 0x69, 0x33, 0x32, 0x2C, 0x20, 0x25, 0x6F, 0x75, 0x74, 0x70, 0x75, 0x74,
    0x31, 0x3A, 0x20, 0x66, 0x36, 0x34, 0x29, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x18, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x04, 0x00, 0x00, 0x00,
    0x18, 0x00, 0x00, 0x00, 0x79, 0x24, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xE1, 0x0A, 0x02, 0x00,
    0x02, 0x00, 0x02, 0x00, 0x5A, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x00, 0x08, 0x00, 0x0C, 0x00,
    0x04, 0x00, 0x08, 0x00, 0x06, 0x00, 0x08, 0x00, 0x04, 0x00, 0x22, 0x00, 0x24, 0x00, 0x04, 0x00,
    0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x0C, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x14, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18, 0x00, 0x1C, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};

// Counts live blocks and fails the |fail_at|-th allocation (from 1; 0 never).
typedef struct counter_t {
  long allocations, live, fail_at;
} counter_t;

static iree_status_t counter_ctl(void *self, iree_allocator_command_t command, const void *params,
                                 void **inout_ptr) {
  counter_t *counter = (counter_t *)self;
  const iree_allocator_t system = iree_allocator_system();
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    counter->live -= *inout_ptr != NULL;
    return system.ctl(system.self, command, params, inout_ptr);
  }
  if (++counter->allocations == counter->fail_at) {
    return iree_status_from_code(IREE_STATUS_RESOURCE_EXHAUSTED);
  }
  const bool is_new = command != IREE_ALLOCATOR_COMMAND_REALLOC || !*inout_ptr;
  iree_status_t status = system.ctl(system.self, command, params, inout_ptr);
  if (iree_status_is_ok(status)) counter->live += is_new;
  return status;
}

static iree_allocator_t counter_allocator(counter_t *counter) {
  return (iree_allocator_t){counter, counter_ctl};
}

typedef struct fixture_t {
  iree_runtime_instance_t *instance;
  iree_hal_device_t *device;
  iree_runtime_session_t *session;
} fixture_t;

static iree_status_t open_session(iree_allocator_t allocator, fixture_t *f) {
  memset(f, 0, sizeof(*f));
  iree_runtime_instance_options_t options;
  iree_runtime_instance_options_initialize(&options);
  iree_runtime_instance_options_use_all_available_drivers(&options);
  IREE_RETURN_IF_ERROR(iree_runtime_instance_create(&options, allocator, &f->instance));
  IREE_RETURN_IF_ERROR(iree_runtime_instance_try_create_default_device(
      f->instance, IREE_SV("local-sync"), &f->device));
  iree_runtime_session_options_t session_options;
  iree_runtime_session_options_initialize(&session_options);
  return iree_runtime_session_create_with_device(f->instance, &session_options, f->device,
                                                 allocator, &f->session);
}

// The session keeps the rest alive: released last on purpose.
static void close_session(fixture_t *f) {
  iree_hal_device_release(f->device);
  iree_runtime_instance_release(f->instance);
  iree_runtime_session_release(f->session);
}

static iree_status_t append_module(iree_runtime_session_t *session) {
  return iree_runtime_session_append_bytecode_module_from_memory(
      session, iree_make_const_byte_span(k_module, sizeof(k_module)), iree_allocator_null());
}

// Calls square(|a|, |b|) and leaves the results in the outputs of |call|.
static iree_status_t call_square(iree_runtime_call_t *call, int32_t a, double b) {
  const iree_vm_value_t values[2] = {iree_vm_value_make_i32(a), iree_vm_value_make_f64(b)};
  for (int i = 0; i < 2; ++i) {
    IREE_RETURN_IF_ERROR(iree_vm_list_push_value(iree_runtime_call_inputs(call), &values[i]));
  }
  return iree_runtime_call_invoke(call, 0);
}

TEST(instances) {
  iree_runtime_instance_options_t options;
  iree_runtime_instance_options_initialize(&options);
  iree_runtime_instance_t *instance = NULL;
  ASSERT_OK(iree_runtime_instance_create(&options, iree_allocator_system(), &instance));
  iree_hal_device_t *device = NULL;
  EXPECT_STATUS(FAILED_PRECONDITION, iree_runtime_instance_try_create_default_device(
                                         instance, IREE_SV("local-sync"), &device));
  EXPECT(iree_runtime_instance_driver_registry(instance) == NULL);
  iree_runtime_instance_release(instance);
  // A registry of the caller's stays the caller's.
  ASSERT_OK(iree_hal_driver_registry_allocate(iree_allocator_system(), &options.driver_registry));
  ASSERT_OK(iree_runtime_instance_create(&options, iree_allocator_system(), &instance));
  EXPECT_STATUS(NOT_FOUND, iree_runtime_instance_try_create_default_device(
                               instance, IREE_SV("local-sync"), &device));
  iree_runtime_instance_release(instance);
  iree_hal_driver_registry_free(options.driver_registry);
}

TEST(sessions) {
  fixture_t f;
  if (EXPECT_OK(open_session(iree_allocator_system(), &f))) {
    EXPECT(iree_runtime_session_device(f.session) == f.device);
    EXPECT(iree_runtime_session_instance(f.session) == f.instance);
    EXPECT(iree_runtime_session_device_allocator(f.session) == iree_hal_device_allocator(f.device));
    EXPECT_OK(append_module(f.session));
    EXPECT_OK(iree_runtime_session_trim(f.session));
    iree_vm_function_t function;
    EXPECT_OK(iree_runtime_session_lookup_function(f.session, IREE_SV("module.square"), &function));
    EXPECT_STATUS(NOT_FOUND, iree_runtime_session_lookup_function(f.session, IREE_SV("module.cube"),
                                                                  &function));
    EXPECT_STATUS(NOT_FOUND,
                  iree_runtime_session_call_by_name(f.session, IREE_SV("nope.square"), NULL, NULL));
  }
  close_session(&f);
}

TEST(module_data_is_freed) {
  counter_t counter = {0};
  fixture_t f;
  if (EXPECT_OK(open_session(iree_allocator_system(), &f))) {
    for (int is_junk = 0; is_junk < 2; ++is_junk) {
      void *data = NULL;
      ASSERT_OK(iree_allocator_malloc(counter_allocator(&counter), sizeof(k_module), &data));
      memcpy(data, k_module, sizeof(k_module));
      if (is_junk) memset(data, 0x5A, 64);
      iree_status_t status = iree_runtime_session_append_bytecode_module_from_memory(
          f.session, iree_make_const_byte_span(data, sizeof(k_module)),
          counter_allocator(&counter));
      EXPECT_EQ(iree_status_consume_code(status),
                is_junk ? IREE_STATUS_INVALID_ARGUMENT : IREE_STATUS_OK);
      EXPECT_EQ(counter.live, 1);  // the good one lives as long as the session
    }
  }
  close_session(&f);
  EXPECT_EQ(counter.live, 0);
}

TEST(calls) {
  fixture_t f;
  iree_runtime_call_t call;
  if (EXPECT_OK(open_session(iree_allocator_system(), &f)) && EXPECT_OK(append_module(f.session)) &&
      EXPECT_OK(iree_runtime_call_initialize_by_name(f.session, IREE_SV("module.square"), &call))) {
    for (int i = 1; i < 4; ++i) {
      iree_vm_value_t value;
      EXPECT_OK(call_square(&call, i, i));
      EXPECT_OK(iree_vm_list_get_value(iree_runtime_call_outputs(&call), 0, &value));
      EXPECT_EQ(value.i32, i * i);
      EXPECT_OK(iree_vm_list_get_value(iree_runtime_call_outputs(&call), 1, &value));
      EXPECT(value.f64 == 2.0 * i);
      iree_runtime_call_reset(&call);
    }
    EXPECT_STATUS(INVALID_ARGUMENT, iree_runtime_call_invoke(&call, 0));  // no inputs
    iree_hal_buffer_view_t *view = NULL;
    EXPECT(!iree_status_is_ok(iree_status_from_code(
        iree_status_consume_code(iree_runtime_call_outputs_pop_front_buffer_view(&call, &view)))));
    EXPECT(view == NULL);
    iree_runtime_call_deinitialize(&call);
  }
  close_session(&f);
}

TEST(direct_calls) {
  fixture_t f;
  iree_vm_function_t function;
  if (EXPECT_OK(open_session(iree_allocator_system(), &f)) && EXPECT_OK(append_module(f.session)) &&
      EXPECT_OK(
          iree_runtime_session_lookup_function(f.session, IREE_SV("module.square"), &function))) {
    // i32, padding to 8, f64.
    struct {
      int32_t a, pad;
      double b;
    } arguments = {-7, 0, 1.5}, results = {0};
    const iree_vm_function_call_t call = {
        .function = function,
        .arguments = iree_make_byte_span(&arguments, sizeof(arguments)),
        .results = iree_make_byte_span(&results, sizeof(results))};
    EXPECT_OK(iree_runtime_session_call_direct(f.session, call));
    EXPECT_EQ(results.a, 49);
    EXPECT(results.b == 3.0);
  }
  close_session(&f);
}

TEST(files) {
  fixture_t f;
  char path[] = "/tmp/session_test_XXXXXX";
  const int fd = mkstemp(path);
  ASSERT(fd >= 0);
  EXPECT_EQ(write(fd, k_module, sizeof(k_module)), (long long)sizeof(k_module));
  close(fd);
  if (EXPECT_OK(open_session(iree_allocator_system(), &f))) {
    EXPECT_STATUS(NOT_FOUND, iree_runtime_session_append_bytecode_module_from_file(
                                 f.session, "/nonexistent.vmfb"));
    EXPECT_OK(iree_runtime_session_append_bytecode_module_from_file(f.session, path));
    EXPECT_EQ(truncate(path, 100), 0);
    EXPECT_STATUS(INVALID_ARGUMENT,
                  iree_runtime_session_append_bytecode_module_from_file(f.session, path));
    EXPECT_EQ(truncate(path, 0), 0);
    EXPECT_STATUS(INVALID_ARGUMENT,
                  iree_runtime_session_append_bytecode_module_from_file(f.session, path));
  }
  close_session(&f);
  unlink(path);
}

static iree_status_t load_call_unload(iree_allocator_t allocator) {
  fixture_t f;
  iree_status_t status = open_session(allocator, &f);
  if (iree_status_is_ok(status)) status = append_module(f.session);
  iree_runtime_call_t call = {0};
  if (iree_status_is_ok(status)) {
    status = iree_runtime_call_initialize_by_name(f.session, IREE_SV("module.square"), &call);
  }
  if (iree_status_is_ok(status)) {
    status = call_square(&call, 3, 4);
    iree_runtime_call_deinitialize(&call);
  }
  close_session(&f);
  return status;
}

TEST(each_allocation_fails_once) {
  counter_t counter = {0};
  ASSERT_OK(load_call_unload(counter_allocator(&counter)));
  EXPECT_EQ(counter.live, 0);
  const long count = counter.allocations;
  EXPECT(count > 10);
  for (long i = 1; i <= count; ++i) {
    counter = (counter_t){.fail_at = i};
    EXPECT_STATUS(RESOURCE_EXHAUSTED, load_call_unload(counter_allocator(&counter)));
    if (!EXPECT_EQ(counter.live, 0)) printf("  after failure %ld of %ld\n", i, count);
  }
}

TEST_MAIN(CASE(instances) CASE(sessions) CASE(module_data_is_freed) CASE(calls) CASE(direct_calls)
              CASE(files) CASE(each_allocation_fails_once))
