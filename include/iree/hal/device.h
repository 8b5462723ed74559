// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device: memory, executables and queues that run work in the order semaphores give.
//
// Every queue operation is asynchronous: it starts once all of |wait_semaphore_list| is reached,
// and signals |signal_semaphore_list| when done. A failed wait, or a failure of the operation
// itself, fails the signal semaphores with the status, so that everything downstream sees the
// cause. Operations without an order between them by semaphores may run at once and in any order.
#ifndef IREE_HAL_DEVICE_H_
#define IREE_HAL_DEVICE_H_

#include "iree/base/api.h"
#include "iree/hal/allocator.h"
#include "iree/hal/buffer.h"
#include "iree/hal/channel.h"
#include "iree/hal/command_buffer.h"
#include "iree/hal/executable_cache.h"
#include "iree/hal/fence.h"
#include "iree/hal/file.h"
#include "iree/hal/queue.h"
#include "iree/hal/resource.h"
#include "iree/hal/semaphore.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uintptr_t iree_hal_device_id_t;
#define IREE_HAL_DEVICE_ID_DEFAULT 0ull

typedef struct iree_hal_device_info_t {
  iree_hal_device_id_t device_id;
  iree_string_view_t path;
  iree_string_view_t name;
} iree_hal_device_info_t;

// Parts of the asynchronous and pooling layers that local devices need none of; pass null.
typedef struct iree_async_proactor_pool_t iree_async_proactor_pool_t;
typedef struct iree_async_frontier_tracker_t iree_async_frontier_tracker_t;
typedef struct iree_hal_pool_t iree_hal_pool_t;

typedef struct iree_hal_device_create_params_t {
  const void *next;
  iree_async_proactor_pool_t *proactor_pool;
} iree_hal_device_create_params_t;

static inline iree_hal_device_create_params_t iree_hal_device_create_params_default(void) {
  iree_hal_device_create_params_t params = {NULL, NULL};
  return params;
}

typedef uint64_t iree_hal_alloca_flags_t;
enum iree_hal_alloca_flag_bits_t {
  IREE_HAL_ALLOCA_FLAG_NONE = 0,
  IREE_HAL_ALLOCA_FLAG_INDETERMINATE_LIFETIME = 1ull << 0,
  IREE_HAL_ALLOCA_FLAG_ALLOW_POOL_WAIT_FRONTIER = 1ull << 1,
};
typedef uint64_t iree_hal_dealloca_flags_t;
enum iree_hal_dealloca_flag_bits_t {
  IREE_HAL_DEALLOCA_FLAG_NONE = 0,
  IREE_HAL_DEALLOCA_FLAG_PREFER_ORIGIN = 1ull << 0,
};
typedef uint64_t iree_hal_read_flags_t;
typedef uint64_t iree_hal_write_flags_t;
typedef uint64_t iree_hal_host_call_flags_t;
#define IREE_HAL_READ_FLAG_NONE 0
#define IREE_HAL_WRITE_FLAG_NONE 0
#define IREE_HAL_HOST_CALL_FLAG_NONE 0
typedef uint64_t iree_hal_execute_flags_t;
enum iree_hal_execute_flag_bits_t {
  IREE_HAL_EXECUTE_FLAG_NONE = 0,
  // The caller keeps the binding table alive until the signal semaphores are reached.
  IREE_HAL_EXECUTE_FLAG_BORROW_BINDING_TABLE_LIFETIME = 1ull << 0,
};

// A host function run in queue order.
typedef struct iree_hal_host_call_context_t {
  iree_hal_device_t *device;
  iree_hal_queue_affinity_t queue_affinity;
  iree_hal_semaphore_list_t signal_semaphore_list;
} iree_hal_host_call_context_t;
typedef iree_status_t(IREE_API_PTR *iree_hal_host_call_fn_t)(void *user_data,
                                                             const uint64_t args[4],
                                                             iree_hal_host_call_context_t *context);
typedef struct iree_hal_host_call_t {
  iree_hal_host_call_fn_t fn;
  void *user_data;
} iree_hal_host_call_t;

static inline iree_hal_host_call_t iree_hal_make_host_call(iree_hal_host_call_fn_t fn,
                                                           void *user_data) {
  iree_hal_host_call_t call = {fn, user_data};
  return call;
}

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_device_retain(iree_hal_device_t *device);
IREE_API_EXPORT void iree_hal_device_release(iree_hal_device_t *device);

// Facts about a device.
//   owns:   borrowed from |device| until it is released (the allocator: until it is replaced)
//   errors: none
IREE_API_EXPORT iree_string_view_t iree_hal_device_id(iree_hal_device_t *device);
IREE_API_EXPORT iree_allocator_t iree_hal_device_host_allocator(iree_hal_device_t *device);
IREE_API_EXPORT iree_hal_allocator_t *iree_hal_device_allocator(iree_hal_device_t *device);

// Replaces the device's allocator, before it is used.
//   owns:   retains |new_allocator|
//   thread: none may use the device meanwhile
//   errors: none
IREE_API_EXPORT void iree_hal_device_replace_allocator(iree_hal_device_t *device,
                                                       iree_hal_allocator_t *new_allocator);

// Gives unused memory back to the system.
//   thread: any thread
//   errors: none for local devices
IREE_API_EXPORT iree_status_t iree_hal_device_trim(iree_hal_device_t *device);

// Tells |sink| of queue operations, command buffers, dispatches and transfers; NULL tells nobody. Set
// it before work is submitted; without one each place pays for a null check.
//   owns:   |sink| is borrowed until the device is gone
//   errors: UNIMPLEMENTED  the device cannot be traced
IREE_API_EXPORT iree_status_t iree_hal_device_set_trace_sink(iree_hal_device_t *device,
                                                             const iree_trace_sink_t *sink);

// Asks the device a question, e.g. ("hal.executable.format", "embedded-elf-x86_64") -> 1.
//   thread: any thread
//   errors: NOT_FOUND  the device does not know the question
IREE_API_EXPORT iree_status_t iree_hal_device_query_i64(iree_hal_device_t *device,
                                                        iree_string_view_t category,
                                                        iree_string_view_t key, int64_t *out_value);

// What device and semaphore can do for each other.
//   errors: none
IREE_API_EXPORT iree_hal_semaphore_compatibility_t iree_hal_device_query_semaphore_compatibility(
    iree_hal_device_t *device, iree_hal_semaphore_t *semaphore);

// Reserves a transient buffer in queue order. The object is made at once, its memory when the waits
// are reached; only work ordered after |signal_semaphore_list| may touch it.
//   units:  bytes; |pool| is null
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no memory, here or through the signal semaphores
IREE_API_EXPORT iree_status_t iree_hal_device_queue_alloca(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_pool_t *pool,
    iree_hal_buffer_params_t params, iree_device_size_t allocation_size,
    iree_hal_alloca_flags_t flags, iree_hal_buffer_t **out_buffer);

// Ends the use of a buffer from queue_alloca in queue order; others are only a barrier.
//   errors: none
IREE_API_EXPORT iree_status_t
iree_hal_device_queue_dealloca(iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
                               const iree_hal_semaphore_list_t wait_semaphore_list,
                               const iree_hal_semaphore_list_t signal_semaphore_list,
                               iree_hal_buffer_t *buffer, iree_hal_dealloca_flags_t flags);

// Transfers in queue order. Update captures the host data; read and write move file bytes.
//   units:  bytes; patterns are 1, 2, 4 or 8 bytes
//   owns:   buffers and files are retained until done
//   errors: as the recorded commands, and iree_hal_file_read and _write
IREE_API_EXPORT iree_status_t iree_hal_device_queue_fill(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_buffer_t *target_buffer,
    iree_device_size_t target_offset, iree_device_size_t length, const void *pattern,
    iree_host_size_t pattern_length, iree_hal_fill_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_device_queue_update(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, const void *source_buffer,
    iree_host_size_t source_offset, iree_hal_buffer_t *target_buffer,
    iree_device_size_t target_offset, iree_device_size_t length, iree_hal_update_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_device_queue_copy(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_buffer_t *source_buffer,
    iree_device_size_t source_offset, iree_hal_buffer_t *target_buffer,
    iree_device_size_t target_offset, iree_device_size_t length, iree_hal_copy_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_device_queue_read(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_file_t *source_file,
    uint64_t source_offset, iree_hal_buffer_t *target_buffer, iree_device_size_t target_offset,
    iree_device_size_t length, iree_hal_read_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_device_queue_write(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_buffer_t *source_buffer,
    iree_device_size_t source_offset, iree_hal_file_t *target_file, uint64_t target_offset,
    iree_device_size_t length, iree_hal_write_flags_t flags);

// Calls a host function in queue order. A status other than ok fails the signal semaphores. The
// function must not wait for other work of the device: the queue may be the thread that it runs in.
//   owns:   |call.user_data| is borrowed until the call has run
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_device_queue_host_call(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_host_call_t call,
    const uint64_t args[4], iree_hal_host_call_flags_t flags);

// Runs one dispatch, a command buffer (null: none) or nothing in queue order.
//   owns:   what is named is retained until done, the binding table too unless borrowed
//   errors: those of iree_hal_command_buffer_validate_submission and of recording a dispatch
IREE_API_EXPORT iree_status_t iree_hal_device_queue_dispatch(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_executable_t *executable,
    iree_hal_executable_function_t function, const iree_hal_dispatch_config_t config,
    iree_const_byte_span_t constants, const iree_hal_buffer_ref_list_t bindings,
    iree_hal_dispatch_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_device_queue_execute(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list,
    iree_hal_command_buffer_t *command_buffer, iree_hal_buffer_binding_table_t binding_table,
    iree_hal_execute_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_device_queue_barrier(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_execute_flags_t flags);

// Makes sure that submitted work starts. Local queues never hold work back.
//   errors: none
IREE_API_EXPORT iree_status_t iree_hal_device_queue_flush(iree_hal_device_t *device,
                                                          iree_hal_queue_affinity_t queue_affinity);

// Blocks until all or any of the semaphores are reached.
//   thread: any thread
//   errors: as iree_hal_semaphore_wait
IREE_API_EXPORT iree_status_t
iree_hal_device_wait_semaphores(iree_hal_device_t *device, iree_async_wait_mode_t wait_mode,
                                const iree_hal_semaphore_list_t semaphore_list,
                                iree_timeout_t timeout, iree_async_wait_flags_t flags);

// Synchronous transfers between host memory and device buffers.
//   units:  bytes
//   errors: as the queue operations and waits
IREE_API_EXPORT iree_status_t iree_hal_device_transfer_h2d(
    iree_hal_device_t *device, const void *source, iree_hal_buffer_t *target,
    iree_device_size_t target_offset, iree_device_size_t data_length,
    iree_hal_transfer_buffer_flags_t flags, iree_timeout_t timeout);
IREE_API_EXPORT iree_status_t iree_hal_device_transfer_d2h(
    iree_hal_device_t *device, iree_hal_buffer_t *source, iree_device_size_t source_offset,
    void *target, iree_device_size_t data_length, iree_hal_transfer_buffer_flags_t flags,
    iree_timeout_t timeout);
IREE_API_EXPORT iree_status_t iree_hal_device_transfer_d2d(
    iree_hal_device_t *device, iree_hal_buffer_t *source, iree_device_size_t source_offset,
    iree_hal_buffer_t *target, iree_device_size_t target_offset, iree_device_size_t data_length,
    iree_hal_transfer_buffer_flags_t flags, iree_timeout_t timeout);

// An owned list of devices of fixed capacity.
typedef struct iree_hal_device_list_t {
  iree_allocator_t host_allocator;
  iree_host_size_t capacity;
  iree_host_size_t count;
  iree_hal_device_t *devices[];
} iree_hal_device_list_t;

// List operations; out of range gives null.
//   owns:   allocate transfers ownership to the caller; push retains; at borrows from the list
//   errors: RESOURCE_EXHAUSTED  no host memory, or the list is full
IREE_API_EXPORT iree_status_t iree_hal_device_list_allocate(iree_host_size_t capacity,
                                                            iree_allocator_t host_allocator,
                                                            iree_hal_device_list_t **out_list);
IREE_API_EXPORT void iree_hal_device_list_free(iree_hal_device_list_t *list);
IREE_API_EXPORT iree_status_t iree_hal_device_list_push_back(iree_hal_device_list_t *list,
                                                             iree_hal_device_t *device);
IREE_API_EXPORT iree_hal_device_t *iree_hal_device_list_at(const iree_hal_device_list_t *list,
                                                           iree_host_size_t i);

// What a kind of device implements. Transfers and dispatches arrive checked.
typedef struct iree_hal_device_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_device_t *device);
  iree_string_view_t(IREE_API_PTR *id)(iree_hal_device_t *device);
  iree_allocator_t(IREE_API_PTR *host_allocator)(iree_hal_device_t *device);
  iree_hal_allocator_t *(IREE_API_PTR *device_allocator)(iree_hal_device_t *device);
  void(IREE_API_PTR *replace_device_allocator)(iree_hal_device_t *device,
                                               iree_hal_allocator_t *new_allocator);
  iree_status_t(IREE_API_PTR *trim)(iree_hal_device_t *device);
  iree_status_t(IREE_API_PTR *query_i64)(iree_hal_device_t *device, iree_string_view_t category,
                                         iree_string_view_t key, int64_t *out_value);
  iree_status_t(IREE_API_PTR *create_channel)(iree_hal_device_t *device,
                                              iree_hal_queue_affinity_t queue_affinity,
                                              iree_hal_channel_params_t params,
                                              iree_hal_channel_t **out_channel);
  iree_status_t(IREE_API_PTR *create_command_buffer)(
      iree_hal_device_t *device, iree_hal_command_buffer_mode_t mode,
      iree_hal_command_category_t command_categories, iree_hal_queue_affinity_t queue_affinity,
      iree_host_size_t binding_capacity, iree_hal_command_buffer_t **out_command_buffer);
  iree_status_t(IREE_API_PTR *create_executable_cache)(
      iree_hal_device_t *device, iree_string_view_t identifier,
      iree_hal_executable_cache_t **out_executable_cache);
  iree_status_t(IREE_API_PTR *create_semaphore)(iree_hal_device_t *device,
                                                iree_hal_queue_affinity_t queue_affinity,
                                                uint64_t initial_value,
                                                iree_hal_semaphore_flags_t flags,
                                                iree_hal_semaphore_t **out_semaphore);
  iree_hal_semaphore_compatibility_t(IREE_API_PTR *query_semaphore_compatibility)(
      iree_hal_device_t *device, iree_hal_semaphore_t *semaphore);
  iree_status_t(IREE_API_PTR *queue_alloca)(iree_hal_device_t *device,
                                            iree_hal_queue_affinity_t queue_affinity,
                                            iree_hal_semaphore_list_t wait_semaphore_list,
                                            iree_hal_semaphore_list_t signal_semaphore_list,
                                            iree_hal_pool_t *pool, iree_hal_buffer_params_t params,
                                            iree_device_size_t allocation_size,
                                            iree_hal_alloca_flags_t flags,
                                            iree_hal_buffer_t **out_buffer);
  iree_status_t(IREE_API_PTR *queue_dealloca)(iree_hal_device_t *device,
                                              iree_hal_queue_affinity_t queue_affinity,
                                              iree_hal_semaphore_list_t wait_semaphore_list,
                                              iree_hal_semaphore_list_t signal_semaphore_list,
                                              iree_hal_buffer_t *buffer,
                                              iree_hal_dealloca_flags_t flags);
  iree_status_t(IREE_API_PTR *queue_fill)(iree_hal_device_t *device,
                                          iree_hal_queue_affinity_t queue_affinity,
                                          iree_hal_semaphore_list_t wait_semaphore_list,
                                          iree_hal_semaphore_list_t signal_semaphore_list,
                                          iree_hal_buffer_ref_t target_ref, const void *pattern,
                                          iree_host_size_t pattern_length,
                                          iree_hal_fill_flags_t flags);
  iree_status_t(IREE_API_PTR *queue_update)(iree_hal_device_t *device,
                                            iree_hal_queue_affinity_t queue_affinity,
                                            iree_hal_semaphore_list_t wait_semaphore_list,
                                            iree_hal_semaphore_list_t signal_semaphore_list,
                                            const void *source_buffer,
                                            iree_hal_buffer_ref_t target_ref,
                                            iree_hal_update_flags_t flags);
  iree_status_t(IREE_API_PTR *queue_copy)(iree_hal_device_t *device,
                                          iree_hal_queue_affinity_t queue_affinity,
                                          iree_hal_semaphore_list_t wait_semaphore_list,
                                          iree_hal_semaphore_list_t signal_semaphore_list,
                                          iree_hal_buffer_ref_t source_ref,
                                          iree_hal_buffer_ref_t target_ref,
                                          iree_hal_copy_flags_t flags);
  iree_status_t(IREE_API_PTR *queue_read)(iree_hal_device_t *device,
                                          iree_hal_queue_affinity_t queue_affinity,
                                          iree_hal_semaphore_list_t wait_semaphore_list,
                                          iree_hal_semaphore_list_t signal_semaphore_list,
                                          iree_hal_file_t *source_file, uint64_t source_offset,
                                          iree_hal_buffer_ref_t target_ref,
                                          iree_hal_read_flags_t flags);
  iree_status_t(IREE_API_PTR *queue_write)(iree_hal_device_t *device,
                                           iree_hal_queue_affinity_t queue_affinity,
                                           iree_hal_semaphore_list_t wait_semaphore_list,
                                           iree_hal_semaphore_list_t signal_semaphore_list,
                                           iree_hal_buffer_ref_t source_ref,
                                           iree_hal_file_t *target_file, uint64_t target_offset,
                                           iree_hal_write_flags_t flags);
  iree_status_t(IREE_API_PTR *queue_host_call)(iree_hal_device_t *device,
                                               iree_hal_queue_affinity_t queue_affinity,
                                               iree_hal_semaphore_list_t wait_semaphore_list,
                                               iree_hal_semaphore_list_t signal_semaphore_list,
                                               iree_hal_host_call_t call, const uint64_t args[4],
                                               iree_hal_host_call_flags_t flags);
  // A null command buffer is a barrier.
  iree_status_t(IREE_API_PTR *queue_execute)(iree_hal_device_t *device,
                                             iree_hal_queue_affinity_t queue_affinity,
                                             iree_hal_semaphore_list_t wait_semaphore_list,
                                             iree_hal_semaphore_list_t signal_semaphore_list,
                                             iree_hal_command_buffer_t *command_buffer,
                                             iree_hal_buffer_binding_table_t binding_table,
                                             iree_hal_execute_flags_t flags);
  iree_status_t(IREE_API_PTR *queue_flush)(iree_hal_device_t *device,
                                           iree_hal_queue_affinity_t queue_affinity);
  // ? NULL: the device tells of nothing.
  void(IREE_API_PTR *set_trace_sink)(iree_hal_device_t *device, const iree_trace_sink_t *sink);
} iree_hal_device_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_device_vtable_t);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_DEVICE_H_
