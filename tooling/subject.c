// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions under measurement (subject.h).

#include "tooling/subject.h"

#include <stdio.h>
#include <string.h>

#include "iree/modules/hal/types.h"

static iree_status_t run_sync(void *self, benchmark_timer_t *timer) {
  (void)timer;
  subject_t *subject = (subject_t *)self;
  IREE_RETURN_IF_ERROR(iree_vm_list_resize(subject->outputs, 0));
  return iree_vm_invoke(
      subject->call.program->context, subject->call.function, IREE_VM_INVOCATION_FLAG_NONE,
      /*policy=*/NULL, subject->inputs, subject->outputs, subject->call.program->host_allocator);
}

static void drop_fences(subject_t *subject) {
  for (iree_host_size_t i = 0; i < subject->batch_size; ++i) {
    iree_hal_fence_release(subject->batch_fences[i]);
    subject->batch_fences[i] = NULL;
  }
}

static iree_status_t set_fence(iree_vm_list_t *list, iree_host_size_t i, iree_hal_fence_t *fence) {
  iree_vm_ref_t ref = fence ? iree_hal_fence_retain_ref(fence) : iree_vm_ref_null();
  iree_status_t status = iree_vm_list_set_ref_move(list, i, &ref);
  iree_vm_ref_release(&ref);
  return status;
}

// Invocation i waits for invocation i - concurrency.
static iree_status_t prepare_fences(subject_t *subject) {
  drop_fences(subject);
  const iree_host_size_t input_count = iree_vm_list_size(subject->inputs);
  for (iree_host_size_t i = 0; i < subject->batch_size; ++i) {
    const iree_host_size_t chain = i % subject->concurrency;
    IREE_RETURN_IF_ERROR(
        iree_hal_fence_create_at(subject->chain_semaphores[chain], ++subject->chain_values[chain],
                                 subject->call.program->host_allocator, &subject->batch_fences[i]));
    iree_hal_fence_t *wait =
        i >= subject->concurrency ? subject->batch_fences[i - subject->concurrency] : NULL;
    IREE_RETURN_IF_ERROR(set_fence(subject->batch_inputs[i], input_count, wait));
    IREE_RETURN_IF_ERROR(
        set_fence(subject->batch_inputs[i], input_count + 1, subject->batch_fences[i]));
  }
  return iree_ok_status();
}

// Fences are made while the clock stands.
static iree_status_t run_async(void *self, benchmark_timer_t *timer) {
  subject_t *subject = (subject_t *)self;
  benchmark_timer_pause(timer);
  IREE_RETURN_IF_ERROR(prepare_fences(subject));
  benchmark_timer_resume(timer);
  for (iree_host_size_t i = 0; i < subject->batch_size; ++i) {
    IREE_RETURN_IF_ERROR(iree_vm_list_resize(subject->outputs, 0));
    IREE_RETURN_IF_ERROR(iree_vm_invoke(subject->call.program->context, subject->call.function,
                                        IREE_VM_INVOCATION_FLAG_NONE,
                                        /*policy=*/NULL, subject->batch_inputs[i], subject->outputs,
                                        subject->call.program->host_allocator));
  }
  for (iree_host_size_t i = subject->batch_size - subject->concurrency; i < subject->batch_size;
       ++i) {
    IREE_RETURN_IF_ERROR(iree_hal_fence_wait(subject->batch_fences[i], iree_infinite_timeout(),
                                             IREE_ASYNC_WAIT_FLAG_NONE));
  }
  return iree_ok_status();
}

static iree_status_t subject_init_async(subject_t *subject) {
  const iree_allocator_t allocator = subject->call.program->host_allocator;
  iree_hal_device_t *device = program_device(subject->call.program);
  if (!device) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "the function takes fences, but the program has no device");
  }
  const iree_host_size_t batch_size = subject->batch_size, concurrency = subject->concurrency;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(
      allocator, batch_size, sizeof(subject->batch_inputs[0]), (void **)&subject->batch_inputs));
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(
      allocator, batch_size, sizeof(subject->batch_fences[0]), (void **)&subject->batch_fences));
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(allocator, concurrency,
                                                   sizeof(subject->chain_semaphores[0]),
                                                   (void **)&subject->chain_semaphores));
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(
      allocator, concurrency, sizeof(subject->chain_values[0]), (void **)&subject->chain_values));
  for (iree_host_size_t i = 0; i < concurrency; ++i) {
    IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(device, IREE_HAL_QUEUE_AFFINITY_ANY, 0ull,
                                                   IREE_HAL_SEMAPHORE_FLAG_DEFAULT,
                                                   &subject->chain_semaphores[i]));
  }
  for (iree_host_size_t i = 0; i < batch_size; ++i) {
    IREE_RETURN_IF_ERROR(iree_vm_list_clone(subject->inputs, allocator, &subject->batch_inputs[i]));
    IREE_RETURN_IF_ERROR(
        iree_vm_list_resize(subject->batch_inputs[i], iree_vm_list_size(subject->inputs) + 2));
  }
  return iree_ok_status();
}

void subject_deinit(subject_t *subject) {
  const iree_allocator_t allocator = subject->call.program->host_allocator;
  if (subject->batch_fences) drop_fences(subject);
  for (iree_host_size_t i = 0; subject->batch_inputs && i < subject->batch_size; ++i) {
    iree_vm_list_release(subject->batch_inputs[i]);
  }
  for (iree_host_size_t i = 0; subject->chain_semaphores && i < subject->concurrency; ++i) {
    iree_hal_semaphore_release(subject->chain_semaphores[i]);
  }
  iree_allocator_free(allocator, subject->chain_values);
  iree_allocator_free(allocator, subject->chain_semaphores);
  iree_allocator_free(allocator, subject->batch_fences);
  iree_allocator_free(allocator, subject->batch_inputs);
  iree_vm_list_release(subject->outputs);
  iree_vm_list_release(subject->inputs);
}

// A function that runs a kernel as often as its only argument says: the compiler's dispatch benchmarks.
static bool counts_itself(const iree_vm_function_t *function) {
  return iree_string_view_equal(iree_vm_function_lookup_attr_by_name(function, IREE_SV("iree.benchmark")), IREE_SV("dispatch"));
}

iree_status_t subject_init(const call_t *call, iree_string_view_list_t specs, int32_t batch_size,
                           int32_t concurrency, subject_t *subject) {
  memset(subject, 0, sizeof(*subject));
  subject->call = *call;
  subject->batch_size = (iree_host_size_t)batch_size;
  subject->concurrency = (iree_host_size_t)concurrency;
  snprintf(subject->name, sizeof(subject->name), "BM_%.*s/process_time/real_time",
           IREE_SV_ARGS(iree_vm_function_name(&call->function)));
  IREE_RETURN_IF_ERROR(iree_vm_list_create(iree_vm_make_undefined_type_def(), 16,
                                           call->program->host_allocator, &subject->outputs));
  char count[16];
  snprintf(count, sizeof(count), "%d", (int)batch_size);
  iree_string_view_t count_view = iree_make_cstring_view(count);
  if (!specs.count && counts_itself(&call->function)) specs = (iree_string_view_list_t){1, &count_view};
  IREE_RETURN_IF_ERROR(call_parse_inputs(call, specs, &subject->inputs));
  if (!call_is_async(&call->function)) return iree_ok_status();
  subject->batch_size = (subject->batch_size + subject->concurrency - 1) / subject->concurrency *
                        subject->concurrency;
  return subject_init_async(subject);
}

bool subject_needs_no_inputs(const iree_vm_function_t *function) {
  const iree_vm_function_signature_t signature = iree_vm_function_signature(function);
  iree_host_size_t arguments = 0, results = 0;
  iree_status_t status =
      iree_vm_function_call_count_arguments_and_results(&signature, &arguments, &results);
  if (!iree_status_is_ok(status)) {
    iree_status_ignore(status);
    return false;
  }
  return arguments == (call_is_async(function) ? 2u : counts_itself(function) ? 1u : 0u);
}

benchmark_t subject_benchmark(subject_t *subject) {
  return (benchmark_t){.name = subject->name,
                       .batch_size = (int64_t)subject->batch_size,
                       .items = 1,
                       .run = subject->batch_inputs ? run_async : run_sync,
                       .self = subject};
}
