// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tooling/dispatch.h"

#include <stdio.h>

iree_status_t dispatch_parse_workgroup_count(iree_string_view_t text, uint32_t *out_count) {
  iree_string_view_t rest = text, part;
  bool is_valid = true;
  for (int i = 0; i < 3; ++i) {
    const bool has_comma = iree_string_view_split(rest, ',', &part, &rest) != -1;
    is_valid = is_valid && has_comma == (i < 2) &&
               iree_string_view_atoi_uint32(iree_string_view_trim(part), &out_count[i]);
  }
  if (is_valid) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "expected x,y,z, not '%.*s'",
                          IREE_SV_ARGS(text));
}

static iree_status_t record(const dispatch_t *dispatch, const dispatch_subject_t *subject) {
  iree_hal_command_buffer_t *commands = subject->commands;
  const uint32_t *count = subject->workgroup_count;
  IREE_RETURN_IF_ERROR(iree_hal_command_buffer_begin(commands));
  for (int32_t i = 0; i < subject->batch_size; ++i) {
    IREE_RETURN_IF_ERROR(iree_hal_command_buffer_dispatch(
        commands, dispatch->executable, dispatch->function,
        iree_hal_make_static_dispatch_config(count[0], count[1], count[2]), dispatch->constants,
        dispatch->bindings, IREE_HAL_DISPATCH_FLAG_NONE));
    IREE_RETURN_IF_ERROR(iree_hal_command_buffer_execution_barrier(
        commands, IREE_HAL_EXECUTION_STAGE_COMMAND_RETIRE, IREE_HAL_EXECUTION_STAGE_COMMAND_ISSUE,
        IREE_HAL_EXECUTION_BARRIER_FLAG_NONE, 0, NULL, 0, NULL));
  }
  return iree_hal_command_buffer_end(commands);
}

iree_status_t dispatch_subject_init(const dispatch_t *dispatch, int32_t batch_size,
                                    dispatch_subject_t *subject) {
  const uint32_t *count = subject->workgroup_count;
  subject->batch_size = batch_size;
  subject->device = dispatch->device;
  snprintf(subject->name, sizeof(subject->name), "BM_dispatch_%ux%ux%u/process_time/real_time",
           count[0], count[1], count[2]);
  IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(dispatch->device, IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                                 IREE_HAL_SEMAPHORE_FLAG_DEFAULT,
                                                 &subject->semaphore));
  IREE_RETURN_IF_ERROR(iree_hal_command_buffer_create(
      dispatch->device, IREE_HAL_COMMAND_BUFFER_MODE_DEFAULT, IREE_HAL_COMMAND_CATEGORY_DISPATCH,
      IREE_HAL_QUEUE_AFFINITY_ANY, 0, &subject->commands));
  return record(dispatch, subject);
}

void dispatch_subject_deinit(dispatch_subject_t *subject) {
  iree_hal_command_buffer_release(subject->commands);
  iree_hal_semaphore_release(subject->semaphore);
}

static iree_status_t run_batch(void *self, benchmark_timer_t *timer) {
  (void)timer;
  dispatch_subject_t *subject = (dispatch_subject_t *)self;
  ++subject->value;
  const iree_hal_semaphore_list_t signal = {1, &subject->semaphore, &subject->value};
  IREE_RETURN_IF_ERROR(iree_hal_device_queue_execute(
      subject->device, IREE_HAL_QUEUE_AFFINITY_ANY, iree_hal_semaphore_list_empty(), signal,
      subject->commands, iree_hal_buffer_binding_table_empty(), IREE_HAL_EXECUTE_FLAG_NONE));
  return iree_hal_semaphore_wait(subject->semaphore, subject->value, iree_infinite_timeout(),
                                 IREE_ASYNC_WAIT_FLAG_NONE);
}

benchmark_t dispatch_subject_benchmark(dispatch_subject_t *subject) {
  const uint32_t *count = subject->workgroup_count;
  return (benchmark_t){.name = subject->name,
                       .batch_size = subject->batch_size,
                       .items = (double)count[0] * count[1] * count[2],
                       .run = run_batch,
                       .self = subject};
}
