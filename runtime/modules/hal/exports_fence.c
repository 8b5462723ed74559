// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hal.fence.*
#include "runtime/modules/hal/exports.h"

HAL_EXPORT(fence_create, rI, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  iree_hal_semaphore_t *semaphore = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(device, IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                                 IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore));
  iree_hal_fence_t *fence = NULL;
  iree_status_t status = iree_hal_fence_create_at(semaphore, 1, state->object_allocator, &fence);
  iree_hal_semaphore_release(semaphore);
  if (iree_status_is_ok(status)) rets->r0 = iree_hal_fence_move_ref(fence);
  return status;
}

HAL_EXPORT(fence_join, ICrD, r) {
  HAL_UNUSED;
  iree_host_size_t count = 0;
  iree_hal_fence_t **fences = NULL;
  IREE_VM_ABI_VLA_STACK_DEREF_OR_NULL(args, a1_count, a1, iree_hal_fence, HAL_MODULE_MAX_FENCES,
                                      &count, &fences);
  iree_hal_fence_t *fence = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_fence_join(count, fences, state->object_allocator, &fence));
  if (fence) rets->r0 = iree_hal_fence_move_ref(fence);
  return iree_ok_status();
}

HAL_EXPORT(fence_query, r, i) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_fence, fence, args->r0);
  rets->i0 = (int32_t)iree_status_consume_code(iree_hal_fence_query(fence));
  return iree_ok_status();
}

HAL_EXPORT(fence_signal, r, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_fence, fence, args->r0);
  return iree_hal_fence_signal(fence);
}

HAL_EXPORT(fence_fail, ri, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_fence, fence, args->r0);
  iree_status_code_t code = (iree_status_code_t)(args->i1 & (int32_t)IREE_STATUS_CODE_MASK);
  iree_hal_fence_fail(fence, iree_make_status(code, "the program failed the fence"));
  return iree_ok_status();
}

//===-- await ---------------------------------------------------------------------------------===//

// Polls the fences; true when all are reached. Failure of one is the program's failure.
static iree_status_t poll_fences(iree_host_size_t count, iree_hal_fence_t **fences,
                                 bool *out_are_reached) {
  *out_are_reached = true;
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_status_t status = iree_hal_fence_query(fences[i]);
    if (iree_status_is_deferred(status)) {
      *out_are_reached = false;
    } else {
      IREE_RETURN_IF_ERROR(status);
    }
  }
  return iree_ok_status();
}

static iree_status_t wait_fences(iree_host_size_t count, iree_hal_fence_t **fences,
                                 iree_timeout_t timeout) {
  iree_convert_timeout_to_absolute(&timeout);
  for (iree_host_size_t i = 0; i < count; ++i) {
    IREE_RETURN_IF_ERROR(iree_hal_fence_wait(fences[i], timeout, IREE_ASYNC_WAIT_FLAG_NONE));
  }
  return iree_ok_status();
}

// Hands the timepoints to whoever runs the invocation. The fences stay alive with the call's
// arguments.
static iree_status_t enter_wait(iree_vm_stack_t *stack, iree_host_size_t count,
                                iree_hal_fence_t **fences, iree_timeout_t timeout) {
  iree_host_size_t timepoint_count = 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    timepoint_count += iree_hal_fence_timepoint_count(fences[i]);
  }
  iree_vm_wait_frame_t *wait_frame = NULL;
  IREE_RETURN_IF_ERROR(
      iree_vm_stack_wait_enter(stack, IREE_VM_WAIT_ALL, timepoint_count, timeout, 0, &wait_frame));
  wait_frame->count = 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_hal_semaphore_list_t list = iree_hal_fence_semaphore_list(fences[i]);
    for (iree_host_size_t j = 0; j < list.count; ++j) {
      wait_frame->wait_sources[wait_frame->count++] =
          iree_hal_semaphore_await(list.semaphores[j], list.payload_values[j]);
    }
  }
  return iree_status_from_code(IREE_STATUS_DEFERRED);
}

// A timeout is a result; any other failure is the program's.
static iree_status_t await_result(iree_status_t status, int32_t *out_code) {
  *out_code = 0;
  if (!iree_status_is_deadline_exceeded(status)) return status;
  *out_code = (int32_t)iree_status_consume_code(status);
  return iree_ok_status();
}

enum { PC_BEGIN = 0, PC_RESUME = 1 };

HAL_EXPORT(fence_await, iICrD, i) {
  HAL_UNUSED;
  iree_vm_stack_frame_t *frame = iree_vm_stack_current_frame(stack);
  if (frame->pc == PC_RESUME) {
    iree_vm_wait_result_t result;
    IREE_RETURN_IF_ERROR(iree_vm_stack_wait_leave(stack, &result));
    return await_result(result.status, &rets->i0);
  }
  iree_host_size_t count = 0;
  iree_hal_fence_t **fences = NULL;
  IREE_VM_ABI_VLA_STACK_DEREF_OR_NULL(args, a2_count, a2, iree_hal_fence, HAL_MODULE_MAX_FENCES,
                                      &count, &fences);
  bool are_reached = false;
  IREE_RETURN_IF_ERROR(poll_fences(count, fences, &are_reached));
  if (are_reached) return iree_ok_status();
  uint32_t timeout_ms = (uint32_t)args->i0;
  iree_timeout_t timeout = timeout_ms == UINT32_MAX ? iree_infinite_timeout()
                           : timeout_ms == 0        ? iree_immediate_timeout()
                                                    : iree_make_timeout_ms(timeout_ms);
  if (iree_all_bits_set(module->flags, IREE_HAL_MODULE_FLAG_SYNCHRONOUS) ||
      iree_timeout_is_immediate(timeout)) {
    return await_result(wait_fences(count, fences, timeout), &rets->i0);
  }
  frame->pc = PC_RESUME;
  return enter_wait(stack, count, fences, timeout);
}
