// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every driver must do: each case runs on each device of the table below. Kernels are C
// functions behind the kernel ABI, so nothing is compiled.
#include <pthread.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "base/test.h"
#include "iree/hal/api.h"
#include "iree/hal/drivers/init.h"
#include "runtime/hal/local/executable.h"
#include "runtime/hal/local/processor.h"

static const char *const device_uris[] = {
    "local-sync",
    "local-task",
    "local-task?task_topology_group_count=4&task_worker_spin_us=0",
};

static iree_hal_device_t *device;  // of the case that runs

//===-- kernels -------------------------------------------------------------------------------===//

static uint32_t linear_id(const iree_hal_executable_dispatch_state_v0_t *dispatch,
                          const iree_hal_executable_workgroup_state_v0_t *group) {
  return group->workgroup_id_x +
         dispatch->workgroup_count_x *
             (group->workgroup_id_y + dispatch->workgroup_count_y * group->workgroup_id_z);
}

// target[id] = source[id] * constant + 1
static int scale_kernel(const iree_hal_executable_environment_v0_t *environment,
                        const iree_hal_executable_dispatch_state_v0_t *dispatch,
                        const iree_hal_executable_workgroup_state_v0_t *group) {
  (void)environment;
  const uint32_t *source = (const uint32_t *)dispatch->binding_ptrs[0];
  uint32_t *target = (uint32_t *)dispatch->binding_ptrs[1];
  uint32_t i = linear_id(dispatch, group);
  if (i < dispatch->binding_lengths[0] / 4) target[i] = source[i] * dispatch->constants[0] + 1;
  return 0;
}

// Fails in workgroup 3.
static int failing_kernel(const iree_hal_executable_environment_v0_t *environment,
                          const iree_hal_executable_dispatch_state_v0_t *dispatch,
                          const iree_hal_executable_workgroup_state_v0_t *group) {
  (void)environment, (void)dispatch;
  return group->workgroup_id_x == 3 ? 42 : 0;
}

// Uses its local memory, and adds denormals, which must not come out as zero.
static int local_memory_kernel(const iree_hal_executable_environment_v0_t *environment,
                               const iree_hal_executable_dispatch_state_v0_t *dispatch,
                               const iree_hal_executable_workgroup_state_v0_t *group) {
  (void)environment;
  memset(group->local_memory, 1, group->local_memory_size);
  volatile float tiny = 1e-40f;
  float *target = (float *)dispatch->binding_ptrs[0];
  float byte = (float)((uint8_t *)group->local_memory)[group->local_memory_size - 1];
  target[linear_id(dispatch, group)] = tiny + tiny > 0.0f ? byte : 0.0f;
  return group->local_memory_size == 2 * 4096 ? 0 : 1;
}

// Appends its id: the order must be that of the ids.
static int sequential_kernel(const iree_hal_executable_environment_v0_t *environment,
                             const iree_hal_executable_dispatch_state_v0_t *dispatch,
                             const iree_hal_executable_workgroup_state_v0_t *group) {
  (void)environment;
  uint32_t *target = (uint32_t *)dispatch->binding_ptrs[0];
  target[++target[0]] = linear_id(dispatch, group);
  return 0;
}

enum { FN_SCALE, FN_FAIL, FN_LOCAL, FN_SEQUENTIAL, FN_COUNT };
static const iree_hal_executable_dispatch_v0_t kernel_ptrs[FN_COUNT] = {
    scale_kernel, failing_kernel, local_memory_kernel, sequential_kernel};
static const iree_hal_executable_dispatch_attrs_v0_t kernel_attrs[FN_COUNT] = {
    {.constant_count = 1, .binding_count = 2},
    {.binding_count = 0},
    {.binding_count = 1, .local_memory_pages = 2},
    {.binding_count = 1, .flags = IREE_HAL_EXECUTABLE_DISPATCH_FLAG_V0_SEQUENTIAL},
};
static const char *const kernel_names[FN_COUNT] = {"scale", "fail", "local", "sequential"};
static const iree_hal_executable_source_location_v0_t kernel_sources[FN_COUNT] = {
    {0, 0, NULL}, {12, 4, "k.py"}, {0, 0, NULL}, {0, 0, NULL}};
static const iree_hal_executable_library_header_t kernel_header = {
    .version = IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST, .name = "test"};
static const iree_hal_executable_library_v0_t kernel_library = {
    .header = &kernel_header,
    .exports = {.count = FN_COUNT,
                .ptrs = kernel_ptrs,
                .attrs = kernel_attrs,
                .names = kernel_names,
                .source_locations = kernel_sources},
};

static const iree_hal_executable_library_header_t **query_kernels(
    iree_hal_executable_library_version_t max_version,
    const iree_hal_executable_environment_v0_t *environment) {
  (void)environment;
  if (max_version != IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST) return NULL;
  return (const iree_hal_executable_library_header_t **)(uintptr_t)&kernel_library;
}

static iree_hal_executable_t *load_kernels(test_t *test) {
  iree_hal_executable_params_t params;
  iree_hal_executable_params_initialize(&params);
  library_host_t host = {.host_allocator = iree_allocator_system()};
  processor_query(&host.processor);
  iree_hal_executable_t *executable = NULL;
  EXPECT_OK(local_executable_create(query_kernels, (library_bounds_t){0}, (library_release_t){0},
                                    &params, &host, &executable));
  return executable;
}

//===-- helpers -------------------------------------------------------------------------------===//

static iree_hal_buffer_t *make_buffer(test_t *test, iree_device_size_t size) {
  iree_hal_buffer_params_t params = {
      .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL,
      .usage = IREE_HAL_BUFFER_USAGE_DEFAULT | IREE_HAL_BUFFER_USAGE_DISPATCH_INDIRECT_PARAMETERS};
  iree_hal_buffer_t *buffer = NULL;
  EXPECT_OK(
      iree_hal_allocator_allocate_buffer(iree_hal_device_allocator(device), params, size, &buffer));
  EXPECT_OK(iree_hal_buffer_map_zero(buffer, 0, IREE_HAL_WHOLE_BUFFER));
  return buffer;
}

static iree_hal_semaphore_t *make_semaphore(test_t *test) {
  iree_hal_semaphore_t *semaphore = NULL;
  EXPECT_OK(iree_hal_semaphore_create(device, IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                      IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore));
  return semaphore;
}

// A list of one timepoint.
typedef struct point_t {
  iree_hal_semaphore_t *semaphore;
  uint64_t value;
} point_t;
#define AT(point) ((iree_hal_semaphore_list_t){1, &(point).semaphore, &(point).value})
#define NONE iree_hal_semaphore_list_empty()
#define ANY IREE_HAL_QUEUE_AFFINITY_ANY

static uint32_t word_at(test_t *test, iree_hal_buffer_t *buffer, iree_device_size_t i) {
  uint32_t word = 0xDEAD;
  EXPECT_OK(iree_hal_buffer_map_read(buffer, i * 4, &word, 4));
  return word;
}

static iree_hal_command_buffer_t *begin_commands(test_t *test, iree_hal_command_buffer_mode_t mode,
                                                 iree_host_size_t capacity) {
  iree_hal_command_buffer_t *commands = NULL;
  EXPECT_OK(iree_hal_command_buffer_create(device, mode, IREE_HAL_COMMAND_CATEGORY_ANY, ANY,
                                           capacity, &commands));
  EXPECT_OK(iree_hal_command_buffer_begin(commands));
  return commands;
}

static iree_status_t barrier(iree_hal_command_buffer_t *commands) {
  return iree_hal_command_buffer_execution_barrier(
      commands, IREE_HAL_EXECUTION_STAGE_COMMAND_RETIRE, IREE_HAL_EXECUTION_STAGE_COMMAND_ISSUE, 0,
      0, NULL, 0, NULL);
}

static iree_status_t dispatch(iree_hal_command_buffer_t *commands,
                              iree_hal_executable_t *executable, uint32_t function, uint32_t x,
                              uint32_t y, uint32_t z, const uint32_t *constant,
                              iree_host_size_t binding_count,
                              const iree_hal_buffer_ref_t *bindings) {
  return iree_hal_command_buffer_dispatch(commands, executable,
                                          iree_hal_executable_function_from_index(function),
                                          iree_hal_make_static_dispatch_config(x, y, z),
                                          iree_make_const_byte_span(constant, constant ? 4 : 0),
                                          (iree_hal_buffer_ref_list_t){binding_count, bindings}, 0);
}

// Executes and waits.
static iree_status_t run_commands(test_t *test, iree_hal_command_buffer_t *commands,
                                  iree_host_size_t binding_count,
                                  const iree_hal_buffer_binding_t *bindings) {
  point_t done = {make_semaphore(test), 1};
  iree_status_t status =
      iree_hal_device_queue_execute(device, ANY, NONE, AT(done), commands,
                                    (iree_hal_buffer_binding_table_t){binding_count, bindings}, 0);
  if (iree_status_is_ok(status)) {
    status = iree_hal_semaphore_wait(done.semaphore, 1, iree_infinite_timeout(), 0);
  }
  iree_hal_semaphore_release(done.semaphore);
  return status;
}

//===-- queue cases ---------------------------------------------------------------------------===//

TEST(transfers_run_in_semaphore_order) {
  iree_hal_buffer_t *a = make_buffer(test, 1 << 20), *b = make_buffer(test, 1 << 20);
  point_t timeline = {make_semaphore(test), 1}, next = timeline;
  const uint32_t pattern = 0xCAFEF00D, words[2] = {1, 2};
  EXPECT_OK(iree_hal_device_queue_fill(device, ANY, NONE, AT(timeline), a, 0, IREE_HAL_WHOLE_BUFFER,
                                       &pattern, 4, 0));
  next.value = 2;
  EXPECT_OK(
      iree_hal_device_queue_update(device, ANY, AT(timeline), AT(next), words, 0, a, 8, 8, 0));
  timeline.value = 2;
  next.value = 3;
  EXPECT_OK(iree_hal_device_queue_copy(device, ANY, AT(timeline), AT(next), a, 0, b, 0,
                                       IREE_HAL_WHOLE_BUFFER, 0));
  EXPECT_OK(iree_hal_semaphore_wait(timeline.semaphore, 3, iree_infinite_timeout(), 0));
  EXPECT_EQ(word_at(test, b, 1), pattern);
  EXPECT_EQ(word_at(test, b, 2), 1);
  EXPECT_EQ(word_at(test, b, 3), 2);
  EXPECT_EQ(word_at(test, b, (1 << 18) - 1), pattern);
  iree_hal_semaphore_release(timeline.semaphore);
  iree_hal_buffer_release(a);
  iree_hal_buffer_release(b);
}

TEST(work_waits_for_its_semaphores) {
  iree_hal_buffer_t *a = make_buffer(test, 64);
  point_t gate = {make_semaphore(test), 1}, other = {make_semaphore(test), 5};
  point_t done = {make_semaphore(test), 1};
  iree_hal_semaphore_t *waits[2] = {gate.semaphore, other.semaphore};
  uint64_t values[2] = {1, 5};
  iree_hal_semaphore_list_t both = {2, waits, values};
  const uint8_t pattern = 9;
  EXPECT_OK(iree_hal_device_queue_fill(device, ANY, both, AT(done), a, 0, 64, &pattern, 1, 0));
  EXPECT_OK(iree_hal_semaphore_signal(gate.semaphore, 1, NULL));
  EXPECT_STATUS(DEADLINE_EXCEEDED,
                iree_hal_semaphore_wait(done.semaphore, 1, iree_make_timeout_ms(5), 0));
  EXPECT_EQ(word_at(test, a, 0), 0);
  EXPECT_OK(iree_hal_semaphore_signal(other.semaphore, 6, NULL));
  EXPECT_OK(iree_hal_semaphore_wait(done.semaphore, 1, iree_infinite_timeout(), 0));
  EXPECT_EQ(word_at(test, a, 0), 0x09090909);
  iree_hal_semaphore_release(gate.semaphore);
  iree_hal_semaphore_release(other.semaphore);
  iree_hal_semaphore_release(done.semaphore);
  iree_hal_buffer_release(a);
}

TEST(failure_travels_and_does_not_hang) {
  iree_hal_buffer_t *a = make_buffer(test, 64);
  point_t failed = {make_semaphore(test), 1}, never = {make_semaphore(test), 1};
  point_t middle = {make_semaphore(test), 1}, last = {make_semaphore(test), 1};
  iree_hal_semaphore_t *waits[2] = {never.semaphore, failed.semaphore};
  uint64_t values[2] = {1, 1};
  iree_hal_semaphore_list_t both = {2, waits, values};
  const uint8_t pattern = 9;
  EXPECT_OK(iree_hal_device_queue_fill(device, ANY, both, AT(middle), a, 0, 64, &pattern, 1, 0));
  EXPECT_OK(iree_hal_device_queue_barrier(device, ANY, AT(middle), AT(last), 0));
  iree_hal_semaphore_fail(failed.semaphore, iree_make_status(IREE_STATUS_DATA_LOSS, "the cause"));
  iree_status_t status = iree_hal_semaphore_wait(last.semaphore, 1, iree_infinite_timeout(), 0);
  EXPECT_SV(iree_status_message(status), "the cause");
  EXPECT_STATUS(DATA_LOSS, status);
  EXPECT_EQ(word_at(test, a, 0), 0);
  EXPECT_OK(iree_hal_device_queue_barrier(device, ANY, AT(failed), AT(never), 0));
  EXPECT_STATUS(DATA_LOSS, iree_hal_semaphore_wait(never.semaphore, 1, iree_infinite_timeout(), 0));
  iree_hal_semaphore_release(failed.semaphore);
  iree_hal_semaphore_release(never.semaphore);
  iree_hal_semaphore_release(middle.semaphore);
  iree_hal_semaphore_release(last.semaphore);
  iree_hal_buffer_release(a);
}

TEST(long_chains_do_not_recurse) {
  const uint64_t count = 20000;
  point_t wait = {make_semaphore(test), 1}, signal = wait;
  for (uint64_t i = 1; i < count; ++i) {
    wait.value = i;
    signal.value = i + 1;
    EXPECT_OK(iree_hal_device_queue_barrier(device, ANY, AT(wait), AT(signal), 0));
  }
  EXPECT_OK(iree_hal_semaphore_signal(wait.semaphore, 1, NULL));
  EXPECT_OK(iree_hal_semaphore_wait(wait.semaphore, count, iree_infinite_timeout(), 0));
  iree_hal_semaphore_release(wait.semaphore);
}

TEST(transient_memory_lives_between_alloca_and_dealloca) {
  point_t gate = {make_semaphore(test), 1}, ready = {make_semaphore(test), 1};
  point_t freed = {make_semaphore(test), 1};
  iree_hal_buffer_params_t params = {.type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_buffer_t *buffer = NULL;
  ASSERT_OK(iree_hal_device_queue_alloca(device, ANY, AT(gate), AT(ready), NULL, params, 256, 0,
                                         &buffer));
  uint32_t word = 0;
  EXPECT_STATUS(FAILED_PRECONDITION, iree_hal_buffer_map_read(buffer, 0, &word, 4));
  EXPECT_OK(iree_hal_semaphore_signal(gate.semaphore, 1, NULL));
  EXPECT_OK(iree_hal_semaphore_wait(ready.semaphore, 1, iree_infinite_timeout(), 0));
  EXPECT_OK(iree_hal_buffer_map_write(buffer, 0, &word, 4));
  EXPECT_EQ(iree_hal_buffer_allocation_placement(buffer).device, device);
  EXPECT_OK(iree_hal_device_queue_dealloca(device, ANY, AT(ready), AT(freed), buffer, 0));
  EXPECT_OK(iree_hal_semaphore_wait(freed.semaphore, 1, iree_infinite_timeout(), 0));
  EXPECT_STATUS(FAILED_PRECONDITION, iree_hal_buffer_map_read(buffer, 0, &word, 4));
  iree_hal_buffer_release(buffer);
  // Too much memory fails through the semaphore, since the allocation happens in queue order.
  point_t huge = {make_semaphore(test), 1};
  ASSERT_OK(iree_hal_device_queue_alloca(device, ANY, NONE, AT(huge), NULL, params, UINT64_MAX / 2,
                                         0, &buffer));
  EXPECT_STATUS(RESOURCE_EXHAUSTED,
                iree_hal_semaphore_wait(huge.semaphore, 1, iree_infinite_timeout(), 0));
  iree_hal_buffer_release(buffer);
  iree_hal_semaphore_release(gate.semaphore);
  iree_hal_semaphore_release(ready.semaphore);
  iree_hal_semaphore_release(freed.semaphore);
  iree_hal_semaphore_release(huge.semaphore);
}

static void note_release(void *user_data) { ++*(int *)user_data; }

TEST(files_read_and_write) {
  uint32_t contents[4] = {1, 2, 3, 4};
  int release_count = 0;
  iree_hal_file_t *file = NULL;
  ASSERT_OK(
      iree_hal_memory_file_wrap(IREE_HAL_MEMORY_ACCESS_READ | IREE_HAL_MEMORY_ACCESS_WRITE,
                                iree_make_byte_span(contents, sizeof(contents)),
                                (iree_hal_file_release_callback_t){note_release, &release_count},
                                iree_allocator_system(), &file));
  iree_hal_buffer_t *buffer = make_buffer(test, 64);
  point_t done = {make_semaphore(test), 1}, again = done, outside = {make_semaphore(test), 1};
  again.value = 2;
  EXPECT_OK(iree_hal_device_queue_read(device, ANY, NONE, AT(done), file, 4, buffer, 16, 8, 0));
  EXPECT_OK(
      iree_hal_device_queue_write(device, ANY, AT(done), AT(again), buffer, 20, file, 0, 4, 0));
  EXPECT_OK(iree_hal_semaphore_wait(done.semaphore, 2, iree_infinite_timeout(), 0));
  EXPECT_EQ(word_at(test, buffer, 4), 2);
  EXPECT_EQ(contents[0], 3);
  EXPECT_OK(iree_hal_device_queue_read(device, ANY, NONE, AT(outside), file, 12, buffer, 0, 8, 0));
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_hal_semaphore_wait(outside.semaphore, 1, iree_infinite_timeout(), 0));
  iree_hal_file_release(file);
  EXPECT_EQ(release_count, 1);
  iree_hal_semaphore_release(done.semaphore);
  iree_hal_semaphore_release(outside.semaphore);
  iree_hal_buffer_release(buffer);
}

static iree_status_t host_function(void *user_data, const uint64_t args[4],
                                   iree_hal_host_call_context_t *context) {
  *(uint64_t *)user_data = args[2];
  return context->device == device ? iree_ok_status()
                                   : iree_make_status(IREE_STATUS_INTERNAL, "another device");
}

TEST(host_calls_run_in_order) {
  uint64_t seen = 0;
  const uint64_t args[4] = {1, 2, 3, 4};
  point_t done = {make_semaphore(test), 1};
  EXPECT_OK(iree_hal_device_queue_host_call(
      device, ANY, NONE, AT(done), iree_hal_make_host_call(host_function, &seen), args, 0));
  EXPECT_OK(iree_hal_semaphore_wait(done.semaphore, 1, iree_infinite_timeout(), 0));
  EXPECT_EQ(seen, 3);
  iree_hal_semaphore_release(done.semaphore);
}

//===-- command buffer cases ------------------------------------------------------------------===//

TEST(recorded_once_replayed_with_other_buffers) {
  enum { WORDS = 100000 };
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands =
      begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_DEFAULT, 2);
  iree_hal_buffer_t *middle = make_buffer(test, WORDS * 4);
  const uint32_t two = 2, three = 3, five = 5;
  iree_hal_buffer_ref_t in = iree_hal_make_indirect_buffer_ref(0, 0, WORDS * 4);
  iree_hal_buffer_ref_t out = iree_hal_make_indirect_buffer_ref(1, 0, WORDS * 4);
  iree_hal_buffer_ref_t inside = iree_hal_make_buffer_ref(middle, 0, WORDS * 4);
  EXPECT_OK(iree_hal_command_buffer_fill_buffer(commands, in, &five, 4, 0));
  EXPECT_OK(barrier(commands));
  EXPECT_OK(dispatch(commands, kernels, FN_SCALE, 10, 100, 100, &two, 2,
                     (iree_hal_buffer_ref_t[]){in, inside}));
  EXPECT_OK(barrier(commands));
  EXPECT_OK(barrier(commands));
  EXPECT_OK(dispatch(commands, kernels, FN_SCALE, WORDS, 1, 1, &three, 2,
                     (iree_hal_buffer_ref_t[]){inside, out}));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  iree_hal_executable_release(kernels);  // the recording keeps what it uses
  iree_hal_buffer_release(middle);
  for (int round = 0; round < 10; ++round) {
    iree_hal_buffer_t *a = make_buffer(test, WORDS * 4), *b = make_buffer(test, WORDS * 4 + 64);
    iree_hal_buffer_binding_t bindings[2] = {{a, 0, IREE_HAL_WHOLE_BUFFER}, {b, 64, WORDS * 4}};
    EXPECT_OK(run_commands(test, commands, 2, bindings));
    uint32_t *words = (uint32_t *)malloc(WORDS * 4);
    EXPECT_OK(iree_hal_buffer_map_read(b, 64, words, WORDS * 4));
    int wrong_count = 0;
    for (int i = 0; i < WORDS; ++i) wrong_count += words[i] != (5 * 2 + 1) * 3 + 1;
    EXPECT_EQ(wrong_count, 0);
    free(words);
    iree_hal_buffer_release(a);
    iree_hal_buffer_release(b);
  }
  iree_hal_command_buffer_release(commands);
}

TEST(commands_between_barriers_all_run) {
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands =
      begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT, 0);
  iree_hal_buffer_t *buffer = make_buffer(test, 1 << 20), *copy = make_buffer(test, 1 << 20);
  const uint32_t four = 4;
  for (uint32_t i = 0; i < 16; ++i) {
    EXPECT_OK(iree_hal_command_buffer_update_buffer(
        commands, &i, 0, iree_hal_make_buffer_ref(buffer, i << 16, 4), 0));
    if (i % 4 == 3) EXPECT_OK(barrier(commands));
  }
  for (uint32_t i = 0; i < 16; ++i) {
    iree_hal_buffer_ref_t part = iree_hal_make_buffer_ref(buffer, i << 16, 1 << 16);
    EXPECT_OK(dispatch(commands, kernels, FN_SCALE, 1 << 14, 1, 1, &four, 2,
                       (iree_hal_buffer_ref_t[]){part, part}));
  }
  EXPECT_OK(barrier(commands));
  EXPECT_OK(iree_hal_command_buffer_copy_buffer(commands,
                                                iree_hal_make_buffer_ref(buffer, 0, 1 << 20),
                                                iree_hal_make_buffer_ref(copy, 0, 1 << 20), 0));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  EXPECT_OK(run_commands(test, commands, 0, NULL));
  for (uint32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(word_at(test, copy, i << 14), i * 4 + 1);
    EXPECT_EQ(word_at(test, copy, (i << 14) + 1), 1);
  }
  iree_hal_command_buffer_release(commands);
  iree_hal_buffer_release(buffer);
  iree_hal_buffer_release(copy);
  iree_hal_executable_release(kernels);
}

TEST(indirect_counts_come_from_the_wave_before) {
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands =
      begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT, 0);
  iree_hal_buffer_t *counts = make_buffer(test, 16), *words = make_buffer(test, 1 << 20);
  const uint32_t xyz[3] = {3, 2, 1}, one = 1;
  EXPECT_OK(iree_hal_command_buffer_update_buffer(commands, xyz, 0,
                                                  iree_hal_make_buffer_ref(counts, 4, 12), 0));
  EXPECT_OK(barrier(commands));
  iree_hal_dispatch_config_t config = iree_hal_make_static_dispatch_config(0, 0, 0);
  config.workgroup_count_ref = iree_hal_make_buffer_ref(counts, 4, 12);
  iree_hal_buffer_ref_t refs[2] = {iree_hal_make_buffer_ref(words, 0, 1 << 20),
                                   iree_hal_make_buffer_ref(words, 0, 1 << 20)};
  EXPECT_OK(iree_hal_command_buffer_dispatch(
      commands, kernels, iree_hal_executable_function_from_index(FN_SCALE), config,
      iree_make_const_byte_span(&one, 4), (iree_hal_buffer_ref_list_t){2, refs},
      IREE_HAL_DISPATCH_FLAG_DYNAMIC_INDIRECT_PARAMETERS));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  EXPECT_OK(run_commands(test, commands, 0, NULL));
  EXPECT_EQ(word_at(test, words, 5), 1);
  EXPECT_EQ(word_at(test, words, 6), 0);
  iree_hal_command_buffer_release(commands);
  iree_hal_buffer_release(counts);
  iree_hal_buffer_release(words);
  iree_hal_executable_release(kernels);
}

// What a program built with -ffast-math does to its threads.
static void flush_denormals(bool flushes) {
#if defined(__x86_64__)
  _mm_setcsr(flushes ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
#else
  (void)flushes;
#endif
}

TEST(kernels_get_local_memory_and_denormals) {
  iree_hal_executable_t *kernels = load_kernels(test);
  static const uint32_t counts[2] = {8, 1 << 20};  // inline, then shared
  for (int i = 0; i < 2; ++i) {
    uint32_t count = counts[i];
    iree_hal_command_buffer_t *commands =
        begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT, 0);
    iree_hal_buffer_t *words = make_buffer(test, (iree_device_size_t)count * 4);
    iree_hal_buffer_ref_t ref = iree_hal_make_buffer_ref(words, 0, (iree_device_size_t)count * 4);
    EXPECT_OK(dispatch(commands, kernels, FN_LOCAL, 8, 1, 1, NULL, 1, &ref));
    EXPECT_OK(iree_hal_command_buffer_end(commands));
    flush_denormals(i == 1);
    EXPECT_OK(run_commands(test, commands, 0, NULL));
    volatile float tiny = 1e-40f;
#if defined(__x86_64__)
    EXPECT_EQ(tiny + tiny > 0.0f, i == 0);  // the caller's mode is untouched
#else
    EXPECT(tiny + tiny > 0.0f);
#endif
    flush_denormals(false);
    float value = 0;
    EXPECT_OK(iree_hal_buffer_map_read(words, 28, &value, 4));
    EXPECT(value == 1.0f);
    iree_hal_command_buffer_release(commands);
    iree_hal_buffer_release(words);
  }
  iree_hal_executable_release(kernels);
}

TEST(sequential_functions_keep_their_order) {
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands =
      begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT, 0);
  iree_hal_buffer_t *words = make_buffer(test, 4 << 20);
  iree_hal_buffer_ref_t ref = iree_hal_make_buffer_ref(words, 0, 4 << 20);
  EXPECT_OK(dispatch(commands, kernels, FN_SEQUENTIAL, 5, 20, 3, NULL, 1, &ref));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  EXPECT_OK(run_commands(test, commands, 0, NULL));
  EXPECT_EQ(word_at(test, words, 0), 300);
  int wrong_count = 0;
  for (uint32_t i = 0; i < 300; ++i) wrong_count += word_at(test, words, i + 1) != i;
  EXPECT_EQ(wrong_count, 0);
  iree_hal_command_buffer_release(commands);
  iree_hal_buffer_release(words);
  iree_hal_executable_release(kernels);
}

TEST(kernel_failure_fails_the_submission) {
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands =
      begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_DEFAULT, 0);
  iree_hal_buffer_t *words = make_buffer(test, 4 << 20);
  const uint8_t byte = 1;
  EXPECT_OK(iree_hal_command_buffer_fill_buffer(
      commands, iree_hal_make_buffer_ref(words, 0, 4 << 20), &byte, 1, 0));
  EXPECT_OK(dispatch(commands, kernels, FN_FAIL, 100, 1, 1, NULL, 0, NULL));
  EXPECT_OK(barrier(commands));
  EXPECT_OK(iree_hal_command_buffer_fill_buffer(commands, iree_hal_make_buffer_ref(words, 0, 4),
                                                (const uint8_t[]){2}, 1, 0));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  iree_status_t status = run_commands(test, commands, 0, NULL);
  EXPECT(iree_string_view_match_pattern(iree_status_message(status),
                                        IREE_SV("*catastrophic error 42*'fail'*3,0,0*")));
  char *text = NULL;
  iree_host_size_t text_length = 0;
  iree_allocator_t allocator = iree_allocator_system();
  EXPECT(iree_status_to_string(status, &allocator, &text, &text_length));
  EXPECT(text && strstr(text, "from k.py:12"));
  iree_allocator_free(allocator, text);
  EXPECT_STATUS(INTERNAL, status);
  EXPECT(word_at(test, words, 0) != 0x02020202);  // nothing after the barrier ran
  EXPECT_STATUS(INTERNAL, run_commands(test, commands, 0, NULL));
  iree_hal_command_buffer_release(commands);
  iree_hal_buffer_release(words);
  iree_hal_executable_release(kernels);
}

TEST(wrong_commands_are_refused) {
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands = NULL;
  ASSERT_OK(
      iree_hal_command_buffer_create(device, 0, IREE_HAL_COMMAND_CATEGORY_ANY, ANY, 2, &commands));
  iree_hal_buffer_t *words = make_buffer(test, 64);
  iree_hal_buffer_ref_t ref = iree_hal_make_buffer_ref(words, 0, 64);
  const uint8_t byte = 0;
  const uint32_t one = 1;
  EXPECT_STATUS(FAILED_PRECONDITION,
                iree_hal_command_buffer_fill_buffer(commands, ref, &byte, 1, 0));
  EXPECT_OK(iree_hal_command_buffer_begin(commands));
  EXPECT_STATUS(OUT_OF_RANGE, iree_hal_command_buffer_fill_buffer(
                                  commands, iree_hal_make_buffer_ref(words, 60, 8), &byte, 1, 0));
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_hal_command_buffer_fill_buffer(
                    commands, iree_hal_make_indirect_buffer_ref(2, 0, 8), &byte, 1, 0));
  EXPECT_STATUS(INVALID_ARGUMENT,
                iree_hal_command_buffer_copy_buffer(commands, iree_hal_make_buffer_ref(words, 0, 8),
                                                    iree_hal_make_buffer_ref(words, 4, 8), 0));
  EXPECT_STATUS(INVALID_ARGUMENT, dispatch(commands, kernels, FN_SCALE, 1, 1, 1, NULL, 2,
                                           (iree_hal_buffer_ref_t[]){ref, ref}));
  EXPECT_STATUS(INVALID_ARGUMENT, dispatch(commands, kernels, FN_SCALE, 1, 1, 1, &one, 1, &ref));
  EXPECT_STATUS(OUT_OF_RANGE, dispatch(commands, kernels, FN_COUNT, 1, 1, 1, NULL, 0, NULL));
  EXPECT_STATUS(INVALID_ARGUMENT, dispatch(commands, kernels, FN_FAIL, 1, 1, 65536, NULL, 0, NULL));
  EXPECT_OK(iree_hal_command_buffer_fill_buffer(
      commands, iree_hal_make_indirect_buffer_ref(1, 32, 32), &byte, 1, 0));
  EXPECT_STATUS(INVALID_ARGUMENT, run_commands(test, commands, 0, NULL));
  EXPECT_STATUS(FAILED_PRECONDITION, iree_hal_command_buffer_end_debug_group(commands));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  EXPECT_STATUS(FAILED_PRECONDITION, iree_hal_command_buffer_begin(commands));
  iree_hal_buffer_binding_t table[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
  EXPECT_STATUS(INVALID_ARGUMENT, run_commands(test, commands, 1, table));
  EXPECT_STATUS(INVALID_ARGUMENT, run_commands(test, commands, 2, table));
  table[1] = (iree_hal_buffer_binding_t){words, 16, IREE_HAL_WHOLE_BUFFER};
  EXPECT_STATUS(OUT_OF_RANGE, run_commands(test, commands, 2, table));
  table[1] = (iree_hal_buffer_binding_t){words, 0, IREE_HAL_WHOLE_BUFFER};
  EXPECT_OK(run_commands(test, commands, 2, table));
  iree_hal_command_buffer_release(commands);
  iree_hal_buffer_release(words);
  iree_hal_executable_release(kernels);
}

TEST(dispatches_go_straight_to_the_queue) {
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_buffer_t *words = make_buffer(test, 64);
  iree_hal_buffer_ref_t refs[2] = {iree_hal_make_buffer_ref(words, 0, 64),
                                   iree_hal_make_buffer_ref(words, 0, 64)};
  const uint32_t one = 1;
  point_t done = {make_semaphore(test), 1};
  EXPECT_OK(iree_hal_device_queue_dispatch(
      device, ANY, NONE, AT(done), kernels, iree_hal_executable_function_from_index(FN_SCALE),
      iree_hal_make_static_dispatch_config(16, 1, 1), iree_make_const_byte_span(&one, 4),
      (iree_hal_buffer_ref_list_t){2, refs}, 0));
  EXPECT_OK(iree_hal_semaphore_wait(done.semaphore, 1, iree_infinite_timeout(), 0));
  EXPECT_EQ(word_at(test, words, 15), 1);
  iree_hal_semaphore_release(done.semaphore);
  iree_hal_buffer_release(words);
  iree_hal_executable_release(kernels);
}

//===-- devices -------------------------------------------------------------------------------===//

typedef struct submitter_t {
  iree_hal_command_buffer_t *commands;
  int failures;
} submitter_t;

static void *submit_many(void *arg) {
  submitter_t *submitter = (submitter_t *)arg;
  test_t quiet = {"submit_many", 0, NULL};
  iree_hal_buffer_t *buffer = make_buffer(&quiet, 1 << 18);
  point_t wait = {make_semaphore(&quiet), 0}, signal = wait;
  iree_hal_buffer_binding_t binding = {buffer, 0, IREE_HAL_WHOLE_BUFFER};
  for (uint64_t i = 0; i < 20; ++i) {
    wait.value = i;
    signal.value = i + 1;
    iree_status_t status =
        iree_hal_device_queue_execute(device, ANY, AT(wait), AT(signal), submitter->commands,
                                      (iree_hal_buffer_binding_table_t){1, &binding}, 0);
    submitter->failures += !iree_status_is_ok(status);
    iree_status_ignore(status);
  }
  iree_status_t status = iree_hal_semaphore_wait(signal.semaphore, 20, iree_infinite_timeout(), 0);
  submitter->failures += !iree_status_is_ok(status) + quiet.failures;
  iree_status_ignore(status);
  submitter->failures += word_at(&quiet, buffer, 65535) != 20;
  iree_hal_semaphore_release(signal.semaphore);
  iree_hal_buffer_release(buffer);
  return NULL;
}

TEST(many_threads_submit) {
  enum { THREADS = 4 };
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands =
      begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_DEFAULT, 1);
  const uint32_t one = 1;
  iree_hal_buffer_ref_t ref = iree_hal_make_indirect_buffer_ref(0, 0, 1 << 18);
  EXPECT_OK(dispatch(commands, kernels, FN_SCALE, 1 << 16, 1, 1, &one, 2,
                     (iree_hal_buffer_ref_t[]){ref, ref}));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  pthread_t threads[THREADS];
  submitter_t submitters[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    submitters[i] = (submitter_t){commands, 0};
    pthread_create(&threads[i], NULL, submit_many, &submitters[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    EXPECT_EQ(submitters[i].failures, 0);
  }
  iree_hal_command_buffer_release(commands);
  iree_hal_executable_release(kernels);
}

static iree_atomic_int32_t malloc_count;

static iree_status_t counting_ctl(void *self, iree_allocator_command_t command, const void *params,
                                  void **inout_ptr) {
  if (command != IREE_ALLOCATOR_COMMAND_FREE) {
    iree_atomic_fetch_add(&malloc_count, 1, iree_memory_order_relaxed);
  }
  return iree_allocator_libc_ctl(self, command, params, inout_ptr);
}

// What an invocation of a compiled function does: fences, transient memory, a replayed recording.
static void invoke_once(test_t *test, iree_hal_command_buffer_t *commands) {
  iree_hal_buffer_params_t params = {.type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  point_t ready = {make_semaphore(test), 1}, done = {make_semaphore(test), 1};
  iree_hal_buffer_t *buffer = NULL;
  EXPECT_OK(iree_hal_device_queue_alloca(device, ANY, NONE, AT(ready), NULL, params, 1 << 18, 0,
                                         &buffer));
  iree_hal_buffer_binding_t binding = {buffer, 0, IREE_HAL_WHOLE_BUFFER};
  EXPECT_OK(iree_hal_device_queue_execute(device, ANY, AT(ready), AT(done), commands,
                                          (iree_hal_buffer_binding_table_t){1, &binding}, 0));
  iree_hal_buffer_release(buffer);
  EXPECT_OK(iree_hal_semaphore_wait(done.semaphore, 1, iree_infinite_timeout(), 0));
  iree_hal_semaphore_release(ready.semaphore);
  iree_hal_semaphore_release(done.semaphore);
}

TEST(warm_submissions_allocate_nothing) {
#if defined(__SANITIZE_ADDRESS__)
  SKIP("freed blocks are not kept under AddressSanitizer");
#endif
  iree_hal_executable_t *kernels = load_kernels(test);
  iree_hal_command_buffer_t *commands =
      begin_commands(test, IREE_HAL_COMMAND_BUFFER_MODE_DEFAULT, 1);
  const uint32_t one = 1;
  iree_hal_buffer_ref_t ref = iree_hal_make_indirect_buffer_ref(0, 0, 1 << 18);
  EXPECT_OK(dispatch(commands, kernels, FN_SCALE, 1 << 16, 1, 1, &one, 2,
                     (iree_hal_buffer_ref_t[]){ref, ref}));
  EXPECT_OK(iree_hal_command_buffer_end(commands));
  for (int i = 0; i < 10; ++i) invoke_once(test, commands);
  int32_t before = iree_atomic_load(&malloc_count, iree_memory_order_relaxed);
  for (int i = 0; i < 100; ++i) invoke_once(test, commands);
  // A worker may still hold a semaphore that it signalled when the next one is made, so that the
  // pools grow by a block per worker until they have enough; the rounds themselves cost nothing.
  int64_t worker_count = 0;
  EXPECT_OK(iree_hal_device_query_i64(device, IREE_SV("hal.dispatch"), IREE_SV("concurrency"),
                                      &worker_count));
  int32_t count = iree_atomic_load(&malloc_count, iree_memory_order_relaxed) - before;
  EXPECT(count <= (worker_count > 1 ? 2 * worker_count : 0));
  iree_hal_command_buffer_release(commands);
  iree_hal_executable_release(kernels);
}

TEST(questions) {
  int64_t value = 0;
  EXPECT_OK(iree_hal_device_query_i64(device, IREE_SV("hal.device.id"), IREE_SV("local*"), &value));
  EXPECT_EQ(value, 1);
  EXPECT_OK(iree_hal_device_query_i64(device, IREE_SV("hal.device.id"), IREE_SV("vulkan"), &value));
  EXPECT_EQ(value, 0);
  EXPECT_OK(iree_hal_device_query_i64(device, IREE_SV("hal.executable.format"),
                                      IREE_SV("vulkan-spirv-fb"), &value));
  EXPECT_EQ(value, 0);
  EXPECT_STATUS(NOT_FOUND, iree_hal_device_query_i64(device, IREE_SV("x"), IREE_SV("y"), &value));
  iree_hal_channel_t *channel = NULL;
  EXPECT_STATUS(UNIMPLEMENTED,
                iree_hal_channel_create(device, ANY, (iree_hal_channel_params_t){0}, &channel));
  EXPECT_OK(iree_hal_device_trim(device));
}

// The device is gone before its work is; the work still completes.
TEST(work_outlives_the_last_reference) {
  iree_hal_buffer_t *a = make_buffer(test, 8 << 20);
  point_t gate = {make_semaphore(test), 1}, done = {make_semaphore(test), 1};
  const uint8_t pattern = 3;
  EXPECT_OK(
      iree_hal_device_queue_fill(device, ANY, AT(gate), AT(done), a, 0, 8 << 20, &pattern, 1, 0));
  iree_hal_device_release(device);
  device = NULL;
  EXPECT_OK(iree_hal_semaphore_signal(gate.semaphore, 1, NULL));
  EXPECT_OK(iree_hal_semaphore_wait(done.semaphore, 1, iree_infinite_timeout(), 0));
  EXPECT_EQ(word_at(test, a, (8 << 18) - 1), 0x03030303);
  iree_hal_semaphore_release(gate.semaphore);
  iree_hal_semaphore_release(done.semaphore);
  iree_hal_buffer_release(a);
}

TEST(uris) {
  iree_hal_driver_registry_t *registry = NULL;
  ASSERT_OK(iree_hal_driver_registry_allocate(iree_allocator_system(), &registry));
  EXPECT_OK(iree_hal_register_all_available_drivers(registry));
  EXPECT_STATUS(ALREADY_EXISTS, iree_hal_register_all_available_drivers(registry));
  const struct {
    const char *uri;
    iree_status_code_t code;
  } rows[] = {
      {"bogus", IREE_STATUS_NOT_FOUND},
      {"local-task://0", IREE_STATUS_NOT_FOUND},
      {"local-sync?x=1", IREE_STATUS_INVALID_ARGUMENT},
      {"local-task?task_topology_group_count=no", IREE_STATUS_INVALID_ARGUMENT},
      {"local-task?task_topology_group_count=1000", IREE_STATUS_INVALID_ARGUMENT},
      {"local-task:/x", IREE_STATUS_INVALID_ARGUMENT},
      {"local-task://?task_topology_cpu_ids=0", IREE_STATUS_OK},
      {"local-task://?task_topology_nodes=all&task_topology_max_group_count=1", IREE_STATUS_OK},
      {"local-task://?task_topology_nodes=0&task_worker_stack_size=262144", IREE_STATUS_OK},
      {"local-task://?task_topology_nodes=900", IREE_STATUS_NOT_FOUND},
      {"local-task://?task_topology_nodes=some", IREE_STATUS_INVALID_ARGUMENT},
      {"local-task://?task_topology_performance_level=high", IREE_STATUS_OK},
      {"local-task://?task_topology_performance_level=fast", IREE_STATUS_INVALID_ARGUMENT},
      {"local-task://?task_topology_mode=physical_cores", IREE_STATUS_OK},
      {"local-task://?task_topology_mode=threads", IREE_STATUS_INVALID_ARGUMENT},
      {"", IREE_STATUS_NOT_FOUND},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    iree_hal_device_t *made = NULL;
    iree_status_t status = iree_hal_create_device(registry, iree_make_cstring_view(rows[i].uri),
                                                  NULL, iree_allocator_system(), &made);
    if (!EXPECT_EQ(iree_status_code(status), rows[i].code)) printf("  uri: %s\n", rows[i].uri);
    iree_status_free(status);
    iree_hal_device_release(made);
  }
  iree_host_size_t count = 0;
  iree_hal_driver_info_t *infos = NULL;
  EXPECT_OK(iree_hal_driver_registry_enumerate(registry, iree_allocator_system(), &count, &infos));
  EXPECT_EQ(count, 2);
  EXPECT_SV(infos[1].driver_name, "local-task");
  iree_allocator_free(iree_allocator_system(), infos);
  iree_hal_driver_registry_free(registry);
}

int main(int argc, char **argv) {
  static const test_case_t cases[] = {
      CASE(transfers_run_in_semaphore_order) CASE(work_waits_for_its_semaphores)
          CASE(failure_travels_and_does_not_hang) CASE(long_chains_do_not_recurse) CASE(
              transient_memory_lives_between_alloca_and_dealloca) CASE(files_read_and_write)
              CASE(host_calls_run_in_order) CASE(recorded_once_replayed_with_other_buffers) CASE(
                  commands_between_barriers_all_run) CASE(indirect_counts_come_from_the_wave_before)
                  CASE(kernels_get_local_memory_and_denormals)
                      CASE(sequential_functions_keep_their_order)
                          CASE(kernel_failure_fails_the_submission) CASE(wrong_commands_are_refused)
                              CASE(dispatches_go_straight_to_the_queue) CASE(many_threads_submit)
                                  CASE(warm_submissions_allocate_nothing) CASE(questions)
                                      CASE(work_outlives_the_last_reference) CASE(uris)};
  int n_passed = 0, n_failed = 0, n_skipped = 0;
  iree_hal_driver_registry_t *registry = NULL;
  IREE_CHECK_OK(iree_hal_driver_registry_allocate(iree_allocator_system(), &registry));
  IREE_CHECK_OK(iree_hal_register_all_available_drivers(registry));
  for (size_t i = 0; i < IREE_ARRAYSIZE(device_uris); ++i) {
    for (size_t j = 0; j < IREE_ARRAYSIZE(cases); ++j) {
      if (argc > 1 && !strstr(cases[j].name, argv[1])) continue;
      IREE_CHECK_OK(iree_hal_create_device(registry, iree_make_cstring_view(device_uris[i]), NULL,
                                           (iree_allocator_t){NULL, counting_ctl}, &device));
      test_t test = {cases[j].name, 0, NULL};
      cases[j].run(&test);
      iree_hal_device_release(device);
      printf("%s %s %s",
             test.failures      ? "FAIL"
             : test.skip_reason ? "skip"
                                : "ok",
             device_uris[i], cases[j].name);
      printf(test.skip_reason ? " (%s)\n" : "\n", test.skip_reason);
      fflush(stdout);
      ++*(test.failures ? &n_failed : test.skip_reason ? &n_skipped : &n_passed);
    }
  }
  iree_hal_driver_registry_free(registry);
  printf("%d passed, %d failed, %d skipped\n", n_passed, n_failed, n_skipped);
  return n_failed != 0;
}
