// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function from many threads at once and checks each result:
//
//   call_threads DEVICE FILE FUNCTION THREADS CALLS shared|sessions|instances COUNT
//
// The function adds two vectors of COUNT f32. The threads share one context, or each has a session of its own on one
// device, or nothing in common.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iree/runtime/api.h"

#define MAX_THREADS 64
#define MAX_COUNT 65536

typedef struct owner_t {
  iree_runtime_instance_t *instance;
  iree_hal_device_t *device;
  iree_runtime_session_t *session;
} owner_t;

typedef struct job_t {
  const char *device, *file, *function;
  int index, calls;
  iree_host_size_t count;
  owner_t owner;  // what is there is shared, the rest the thread makes
  iree_status_t status;
} job_t;

static iree_status_t open_owner(const job_t *job, owner_t *owner) {
  iree_allocator_t allocator = iree_allocator_system();
  if (!owner->instance) {
    iree_runtime_instance_options_t options;
    iree_runtime_instance_options_initialize(&options);
    iree_runtime_instance_options_use_all_available_drivers(&options);
    IREE_RETURN_IF_ERROR(iree_runtime_instance_create(&options, allocator, &owner->instance));
    IREE_RETURN_IF_ERROR(
        iree_runtime_instance_try_create_default_device(owner->instance, iree_make_cstring_view(job->device), &owner->device));
  }
  iree_runtime_session_options_t options;
  iree_runtime_session_options_initialize(&options);
  IREE_RETURN_IF_ERROR(iree_runtime_session_create_with_device(owner->instance, &options, owner->device, allocator, &owner->session));
  return iree_runtime_session_append_bytecode_module_from_file(owner->session, job->file);
}

static void close_owner(owner_t *owner) {
  iree_runtime_session_release(owner->session);
  iree_hal_device_release(owner->device);
  iree_runtime_instance_release(owner->instance);
}

static iree_status_t push_vector(const job_t *job, iree_runtime_session_t *session, iree_runtime_call_t *call, const float *values) {
  iree_hal_dim_t shape[1] = {job->count};
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_allocate_buffer_copy(
      iree_runtime_session_device(session), iree_runtime_session_device_allocator(session), 1, shape, IREE_HAL_ELEMENT_TYPE_FLOAT_32,
      IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR,
      (iree_hal_buffer_params_t){.type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL, .access = IREE_HAL_MEMORY_ACCESS_ALL, .usage = IREE_HAL_BUFFER_USAGE_DEFAULT},
      iree_make_const_byte_span(values, job->count * sizeof(float)), &view));
  iree_status_t status = iree_runtime_call_inputs_push_back_buffer_view(call, view);
  iree_hal_buffer_view_release(view);
  return status;
}

static iree_status_t check_sum(const job_t *job, iree_runtime_session_t *session, iree_runtime_call_t *call, const float *a, const float *b,
                               float *sum) {
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_runtime_call_outputs_pop_front_buffer_view(call, &view));
  iree_status_t status = iree_hal_device_transfer_d2h(iree_runtime_session_device(session), iree_hal_buffer_view_buffer(view), 0, sum,
                                                      job->count * sizeof(float), IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT, iree_infinite_timeout());
  iree_hal_buffer_view_release(view);
  for (iree_host_size_t i = 0; iree_status_is_ok(status) && i < job->count; ++i)
    if (sum[i] != a[i] + b[i])
      status = iree_make_status(IREE_STATUS_DATA_LOSS, "thread %d: [%d] is %g, want %g", job->index, (int)i, sum[i], a[i] + b[i]);
  return status;
}

static iree_status_t call_often(const job_t *job, iree_runtime_session_t *session, float *values) {
  float *a = values, *b = a + job->count, *sum = b + job->count;
  iree_runtime_call_t call;
  IREE_RETURN_IF_ERROR(iree_runtime_call_initialize_by_name(session, iree_make_cstring_view(job->function), &call));
  iree_status_t status = iree_ok_status();
  for (int n = 0; n < job->calls && iree_status_is_ok(status); ++n) {
    for (iree_host_size_t i = 0; i < job->count; ++i) a[i] = (float)(job->index * 1000 + n), b[i] = (float)i;
    iree_runtime_call_reset(&call);
    status = push_vector(job, session, &call, a);
    if (iree_status_is_ok(status)) status = push_vector(job, session, &call, b);
    if (iree_status_is_ok(status)) status = iree_runtime_call_invoke(&call, 0);
    if (iree_status_is_ok(status)) status = check_sum(job, session, &call, a, b, sum);
  }
  iree_runtime_call_deinitialize(&call);
  return status;
}

static void *work(void *argument) {
  job_t *job = argument;
  iree_runtime_session_t *shared = job->owner.session;
  if (!shared) job->status = open_owner(job, &job->owner);
  float *values = malloc(3 * job->count * sizeof(float));
  if (!values) abort();
  if (iree_status_is_ok(job->status)) job->status = call_often(job, job->owner.session, values);
  free(values);
  if (!shared) close_owner(&job->owner);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  int threads = atoi(argv[4]), failed = 0;
  job_t first = {.device = argv[1], .file = argv[2], .function = argv[3], .calls = atoi(argv[5]), .count = strtoul(argv[7], NULL, 10)};
  if (threads < 1 || threads > MAX_THREADS || first.count < 1 || first.count > MAX_COUNT) return 2;
  owner_t owner = {0};
  iree_status_t status = strcmp(argv[6], "instances") ? open_owner(&first, &owner) : iree_ok_status();
  if (!iree_status_is_ok(status)) {
    iree_status_fprint(stderr, status);
    return 1;
  }
  static job_t jobs[MAX_THREADS];
  pthread_t ids[MAX_THREADS];
  for (int i = 0; i < threads; ++i) {
    jobs[i] = first;
    jobs[i].index = i;
    jobs[i].owner = owner;
    if (!strcmp(argv[6], "sessions")) {
      jobs[i].owner.session = NULL;
      iree_runtime_instance_retain(owner.instance);
      iree_hal_device_retain(owner.device);
    }
    if (pthread_create(&ids[i], NULL, work, &jobs[i])) abort();
  }
  for (int i = 0; i < threads; ++i) {
    pthread_join(ids[i], NULL);
    if (iree_status_is_ok(jobs[i].status)) continue;
    iree_status_fprint(stderr, jobs[i].status);
    iree_status_free(jobs[i].status);
    ++failed;
  }
  close_owner(&owner);
  return failed != 0;
}
