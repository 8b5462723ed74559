// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hal module called as a program calls it: packed arguments through the module's own interface.
#include "runtime/modules/hal/test/hal_env.h"

// A function by name, as exports.def spells it, and its signature there ("" when it unpacks
// itself).
typedef struct row_t {
  const char *name;
  const char *cconv;
} row_t;

static const row_t import_rows[] = {
#define HAL_IMPORT(name, cconv, version, effect, arguments, results, doc) {name, cconv},
#include "abi/hal_imports.def"
#undef HAL_IMPORT
};
static const row_t export_rows[] = {
#define EXPORT(name, arguments, results) {#name, "0" #arguments "_" #results},
#define EXPORT_RAW(name) {#name, ""},
#include "runtime/modules/hal/exports.def"
#undef EXPORT
#undef EXPORT_RAW
};

TEST(exports_are_the_imports_in_order) {
  ASSERT_EQ(IREE_ARRAYSIZE(import_rows), IREE_ARRAYSIZE(export_rows));
  EXPECT_EQ(IREE_ARRAYSIZE(import_rows), 60);
  for (size_t i = 0; i < IREE_ARRAYSIZE(import_rows); ++i) {
    char name[64] = {0};
    for (size_t j = 0; import_rows[i].name[j]; ++j) {
      name[j] = import_rows[i].name[j] == '.' ? '_' : import_rows[i].name[j];
    }
    EXPECT_STR(name, export_rows[i].name);
    if (export_rows[i].cconv[0]) EXPECT_STR(import_rows[i].cconv, export_rows[i].cconv);
  }
}

// A fence at value 1 of a semaphore at 0.
static iree_hal_fence_t *make_fence(test_t *test, fixture_t *fixture) {
  iree_hal_semaphore_t *semaphore = NULL;
  iree_hal_fence_t *fence = NULL;
  EXPECT_OK(iree_hal_semaphore_create(fixture->device, IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                      IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore));
  EXPECT_OK(iree_hal_fence_create_at(semaphore, 1, iree_allocator_system(), &fence));
  iree_hal_semaphore_release(semaphore);
  return fence;
}

typedef struct await_args_t {
  int32_t timeout_ms;
  int64_t flags;
  uint32_t count;
  iree_vm_ref_t fences[2];
} await_args_t;

//===-- await ---------------------------------------------------------------------------------===//

TEST(await_defers_and_resumes) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_NONE, &fixture);
  OPEN_STACK(fixture, stack);
  iree_hal_fence_t *fence = make_fence(test, &fixture);
  await_args_t args = {-1, 0, 2, {iree_hal_fence_retain_ref(fence), iree_vm_ref_null()}};
  int32_t result = 99;
  EXPECT_STATUS(DEFERRED,
                call(&fixture, stack, "fence.await", &args, sizeof(args), &result, sizeof(result)));
  iree_vm_wait_frame_t *wait = iree_vm_stack_wait_frame(stack);
  ASSERT(wait);
  EXPECT_EQ(wait->count, 1);
  iree_status_code_t code = IREE_STATUS_OK;
  EXPECT_OK(iree_wait_source_query(wait->wait_sources[0], &code));
  EXPECT_EQ(code, IREE_STATUS_DEFERRED);
  EXPECT_OK(iree_hal_fence_signal(fence));
  EXPECT_OK(iree_wait_source_wait_one(wait->wait_sources[0], iree_infinite_timeout()));
  EXPECT_OK(fixture.module->resume_call(fixture.module->self, stack,
                                        iree_make_byte_span(&result, sizeof(result))));
  EXPECT_EQ(result, 0);
  // Reached fences never defer.
  result = 99;
  EXPECT_OK(call(&fixture, stack, "fence.await", &args, sizeof(args), &result, sizeof(result)));
  EXPECT_EQ(result, 0);
  iree_vm_ref_release(&args.fences[0]);
  iree_hal_fence_release(fence);
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

TEST(await_reports_timeouts_and_fails_with_the_cause) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  OPEN_STACK(fixture, stack);
  iree_hal_fence_t *fence = make_fence(test, &fixture);
  await_args_t args = {2, 0, 2, {iree_vm_ref_null(), iree_hal_fence_retain_ref(fence)}};
  int32_t result = 0;
  EXPECT_OK(call(&fixture, stack, "fence.await", &args, sizeof(args), &result, sizeof(result)));
  EXPECT_EQ(result, IREE_STATUS_DEADLINE_EXCEEDED);
  args.timeout_ms = 0;
  result = 0;
  EXPECT_OK(call(&fixture, stack, "fence.await", &args, sizeof(args), &result, sizeof(result)));
  EXPECT_EQ(result, IREE_STATUS_DEADLINE_EXCEEDED);
  iree_hal_fence_fail(fence, iree_make_status(IREE_STATUS_DATA_LOSS, "the cause"));
  iree_status_t status =
      call(&fixture, stack, "fence.await", &args, sizeof(args), &result, sizeof(result));
  EXPECT_SV(iree_status_message(status), "the cause");
  EXPECT_STATUS(DATA_LOSS, status);
  iree_vm_ref_release(&args.fences[1]);
  iree_hal_fence_release(fence);
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

//===-- arguments -----------------------------------------------------------------------------===//

TEST(wrong_references_are_refused) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  OPEN_STACK(fixture, stack);
  iree_vm_ref_t null = iree_vm_ref_null();
  int64_t length = 0;
  EXPECT_STATUS(INVALID_ARGUMENT, call(&fixture, stack, "buffer.length", &null, sizeof(null),
                                       &length, sizeof(length)));
  iree_vm_stack_reset(stack);
  iree_vm_ref_t device = iree_hal_device_retain_ref(fixture.device);
  EXPECT_STATUS(INVALID_ARGUMENT, call(&fixture, stack, "buffer.length", &device, sizeof(device),
                                       &length, sizeof(length)));
  iree_vm_stack_reset(stack);
  EXPECT_STATUS(INVALID_ARGUMENT,
                call(&fixture, stack, "buffer.length", &device, 8, &length, sizeof(length)));
  iree_vm_stack_reset(stack);
  int32_t index = 1;
  iree_vm_ref_t none = iree_vm_ref_null();
  EXPECT_OK(call(&fixture, stack, "devices.get", &index, sizeof(index), &none, sizeof(none)));
  EXPECT(iree_vm_ref_is_null(&none));
  index = -1;
  EXPECT_OK(call(&fixture, stack, "devices.get", &index, sizeof(index), &none, sizeof(none)));
  EXPECT(iree_vm_ref_is_null(&none));
  index = 0;
  EXPECT_OK(call(&fixture, stack, "devices.get", &index, sizeof(index), &none, sizeof(none)));
  EXPECT(none.ptr == fixture.device);
  iree_vm_ref_release(&none);
  iree_vm_ref_release(&device);
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

// Counts that lie about the size of what follows, and references to slots that cannot be.
TEST(dispatch_arguments_are_read_within_bounds) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  OPEN_STACK(fixture, stack);
  struct {
    iree_vm_ref_t command_buffer, executable;
    int64_t function;
    int32_t count[3];
    int64_t flags;
    uint32_t constant_count;
    uint32_t constants[1];
    uint32_t binding_count;
  } args = {.constant_count = 1, .binding_count = 1};
  iree_hal_command_buffer_t *commands = NULL;
  EXPECT_OK(iree_hal_command_buffer_create(fixture.device, 0, IREE_HAL_COMMAND_CATEGORY_ANY,
                                           IREE_HAL_QUEUE_AFFINITY_ANY, 0, &commands));
  args.command_buffer = iree_hal_command_buffer_move_ref(commands);
  for (size_t size = 0; size <= sizeof(args); ++size) {
    EXPECT_STATUS(INVALID_ARGUMENT,
                  call(&fixture, stack, "command_buffer.dispatch", &args, size, NULL, 0));
    iree_vm_stack_reset(stack);
  }
  iree_vm_ref_release(&args.command_buffer);
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

TEST(collectives_are_refused_clearly) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  OPEN_STACK(fixture, stack);
  struct {
    iree_vm_ref_t device;
    int64_t affinity, flags;
    iree_vm_ref_t id, group;
    int32_t rank, count;
  } args = {.device = iree_hal_device_retain_ref(fixture.device), .affinity = -1};
  iree_vm_ref_t channel = iree_vm_ref_null();
  iree_status_t status =
      call(&fixture, stack, "channel.create", &args, sizeof(args), &channel, sizeof(channel));
  EXPECT(iree_string_view_match_pattern(iree_status_message(status),
                                        IREE_SV("*local-sync*no collectives*")));
  EXPECT_STATUS(UNIMPLEMENTED, status);
  iree_vm_ref_release(&args.device);
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

//===-- older forms ---------------------------------------------------------------------------===//

TEST(imports_of_older_modules_find_their_form) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  static const row_t rows[] = {
      {"command_buffer.dispatch", "0rrIiiiICiDCiirIID_v"},
      {"command_buffer.dispatch@3.11", "0rriiiiICiDCiirIID_v"},
      {"fence.await@3.3", "0iCrD_i"},
      {"fence.await", "0iICrD_i"},
      {"fence.await", "0unknown"},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    iree_vm_function_signature_t signature = {iree_make_cstring_view(rows[i].cconv)};
    iree_string_view_t name = iree_make_cstring_view(rows[i].name), bare;
    iree_string_view_split(name, '@', &bare, NULL);
    iree_vm_function_t function;
    EXPECT_OK(fixture.module->lookup_function(fixture.module->self, IREE_VM_FUNCTION_LINKAGE_EXPORT,
                                              bare, &signature, &function));
    EXPECT_SV(iree_vm_function_name(&function), rows[i].name);
  }
  fixture_close(&fixture);
}

TEST(older_forms_arrange_arguments_as_today) {
  fixture_t fixture;
  fixture_open(test, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, &fixture);
  OPEN_STACK(fixture, stack);
  iree_hal_fence_t *fence = make_fence(test, &fixture);
  struct {
    int32_t timeout_ms;
    uint32_t count;
    iree_vm_ref_t fences[2];
  } args = {1, 2, {iree_vm_ref_null(), iree_hal_fence_retain_ref(fence)}};
  int32_t result = 0;
  EXPECT_OK(call(&fixture, stack, "fence.await@3.3", &args, sizeof(args), &result, sizeof(result)));
  EXPECT_EQ(result, IREE_STATUS_DEADLINE_EXCEEDED);
  // A submission takes a list of command buffers there: none signals, more than one is refused.
  struct {
    iree_vm_ref_t device;
    int64_t affinity;
    iree_vm_ref_t wait, signal;
    uint32_t count;
    iree_vm_ref_t buffers[2];
  } execute = {.device = iree_hal_device_retain_ref(fixture.device),
               .affinity = -1,
               .signal = args.fences[1],
               .count = 2};
  EXPECT_STATUS(UNIMPLEMENTED, call(&fixture, stack, "device.queue.execute@3.3", &execute,
                                    sizeof(execute), NULL, 0));
  iree_vm_stack_reset(stack);
  execute.count = 0;
  EXPECT_OK(call(&fixture, stack, "device.queue.execute@3.3", &execute, sizeof(execute), NULL, 0));
  result = 99;
  EXPECT_OK(call(&fixture, stack, "fence.await@3.3", &args, sizeof(args), &result, sizeof(result)));
  EXPECT_EQ(result, 0);
  iree_vm_ref_release(&execute.device);
  iree_vm_ref_release(&args.fences[1]);
  iree_hal_fence_release(fence);
  iree_vm_stack_deinitialize(stack);
  fixture_close(&fixture);
}

TEST_MAIN(CASE(exports_are_the_imports_in_order) CASE(await_defers_and_resumes)
              CASE(await_reports_timeouts_and_fails_with_the_cause)
                  CASE(wrong_references_are_refused) CASE(dispatch_arguments_are_read_within_bounds)
                      CASE(collectives_are_refused_clearly)
                          CASE(imports_of_older_modules_find_their_form)
                              CASE(older_forms_arrange_arguments_as_today))
