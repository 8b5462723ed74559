// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a program's parameters come from: a provider serves scopes, and within a scope keys.
#ifndef IREE_IO_PARAMETER_PROVIDER_H_
#define IREE_IO_PARAMETER_PROVIDER_H_

#include <stdint.h>

#include "iree/base/api.h"
#include "iree/hal/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iree_io_parameter_provider_signal_e {
  IREE_IO_PARAMETER_PROVIDER_SIGNAL_RESUME = 0,
  // The program pauses: what can be made again may go.
  IREE_IO_PARAMETER_PROVIDER_SIGNAL_SUSPEND = 1,
  // Memory is short: all that is not needed goes.
  IREE_IO_PARAMETER_PROVIDER_SIGNAL_LOW_MEMORY = 2,
} iree_io_parameter_provider_signal_t;

// A piece of a parameter and where it stands in a buffer, in bytes.
typedef struct iree_io_parameter_span_t {
  uint64_t parameter_offset;
  iree_device_size_t buffer_offset;
  iree_device_size_t length;
} iree_io_parameter_span_t;

typedef struct iree_io_parameter_provider_t iree_io_parameter_provider_t;

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_io_parameter_provider_retain(iree_io_parameter_provider_t *provider);
IREE_API_EXPORT void iree_io_parameter_provider_release(iree_io_parameter_provider_t *provider);

// Tells the provider what the program is about to do.
//   errors: what the provider says
IREE_API_EXPORT iree_status_t iree_io_parameter_provider_notify(
    iree_io_parameter_provider_t *provider, iree_io_parameter_provider_signal_t signal);

// Whether the provider serves |scope|.
//   errors: none
IREE_API_EXPORT bool iree_io_parameter_provider_query_support(
    iree_io_parameter_provider_t *provider, iree_string_view_t scope);

// Names request |i| of a batch.
typedef iree_status_t(IREE_API_PTR *iree_io_parameter_enumerator_fn_t)(
    void *user_data, iree_host_size_t i, iree_string_view_t *out_key,
    iree_io_parameter_span_t *out_span);
typedef struct iree_io_parameter_enumerator_t {
  iree_io_parameter_enumerator_fn_t fn;
  void *user_data;
} iree_io_parameter_enumerator_t;

// Takes the buffer of request |i|; retains it to keep it.
typedef iree_status_t(IREE_API_PTR *iree_io_parameter_emitter_fn_t)(void *user_data,
                                                                    iree_host_size_t i,
                                                                    iree_hal_buffer_t *buffer);
typedef struct iree_io_parameter_emitter_t {
  iree_io_parameter_emitter_fn_t fn;
  void *user_data;
} iree_io_parameter_emitter_t;

// Moves parameters on the queue of |device|, all of a batch in any order: load makes buffers for
// them (of the storage itself where |target_params| allow), gather reads into one buffer, scatter
// writes from one; read and write are batches of one. Pieces of a batch must not overlap where they
// are written.
//   units:  bytes
//   owns:   buffers are retained until |signal_semaphore_list| is reached
//   thread: any thread
//   errors: NOT_FOUND          a parameter that the provider does not have
//           OUT_OF_RANGE       a span leaves its parameter or its buffer
//           PERMISSION_DENIED  the storage of a parameter cannot be read or written
//           later failures go to |signal_semaphore_list|
IREE_API_EXPORT iree_status_t iree_io_parameter_provider_load(
    iree_io_parameter_provider_t *provider, iree_hal_device_t *device,
    iree_hal_queue_affinity_t queue_affinity, const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_string_view_t source_scope,
    iree_hal_buffer_params_t target_params, iree_host_size_t count,
    iree_io_parameter_enumerator_t enumerator, iree_io_parameter_emitter_t emitter);
IREE_API_EXPORT iree_status_t iree_io_parameter_provider_read(
    iree_io_parameter_provider_t *provider, iree_hal_device_t *device,
    iree_hal_queue_affinity_t queue_affinity, const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_string_view_t source_scope,
    iree_string_view_t source_key, uint64_t source_offset, iree_hal_buffer_t *target_buffer,
    iree_device_size_t target_offset, iree_device_size_t length);
IREE_API_EXPORT iree_status_t iree_io_parameter_provider_write(
    iree_io_parameter_provider_t *provider, iree_hal_device_t *device,
    iree_hal_queue_affinity_t queue_affinity, const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_buffer_t *source_buffer,
    iree_device_size_t source_offset, iree_string_view_t target_scope,
    iree_string_view_t target_key, uint64_t target_offset, iree_device_size_t length);
IREE_API_EXPORT iree_status_t iree_io_parameter_provider_gather(
    iree_io_parameter_provider_t *provider, iree_hal_device_t *device,
    iree_hal_queue_affinity_t queue_affinity, const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_string_view_t source_scope,
    iree_hal_buffer_t *target_buffer, iree_host_size_t count,
    iree_io_parameter_enumerator_t enumerator);
IREE_API_EXPORT iree_status_t iree_io_parameter_provider_scatter(
    iree_io_parameter_provider_t *provider, iree_hal_device_t *device,
    iree_hal_queue_affinity_t queue_affinity, const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_buffer_t *source_buffer,
    iree_string_view_t target_scope, iree_host_size_t count,
    iree_io_parameter_enumerator_t enumerator);

typedef struct iree_io_parameter_provider_vtable_t {
  void(IREE_API_PTR *destroy)(iree_io_parameter_provider_t *IREE_RESTRICT provider);
  iree_status_t(IREE_API_PTR *notify)(iree_io_parameter_provider_t *provider,
                                      iree_io_parameter_provider_signal_t signal);
  bool(IREE_API_PTR *query_support)(iree_io_parameter_provider_t *provider,
                                    iree_string_view_t scope);
  iree_status_t(IREE_API_PTR *load)(iree_io_parameter_provider_t *provider,
                                    iree_hal_device_t *device,
                                    iree_hal_queue_affinity_t queue_affinity,
                                    const iree_hal_semaphore_list_t wait_semaphore_list,
                                    const iree_hal_semaphore_list_t signal_semaphore_list,
                                    iree_string_view_t source_scope,
                                    iree_hal_buffer_params_t target_params, iree_host_size_t count,
                                    iree_io_parameter_enumerator_t enumerator,
                                    iree_io_parameter_emitter_t emitter);
  iree_status_t(IREE_API_PTR *gather)(iree_io_parameter_provider_t *provider,
                                      iree_hal_device_t *device,
                                      iree_hal_queue_affinity_t queue_affinity,
                                      const iree_hal_semaphore_list_t wait_semaphore_list,
                                      const iree_hal_semaphore_list_t signal_semaphore_list,
                                      iree_string_view_t source_scope,
                                      iree_hal_buffer_t *target_buffer, iree_host_size_t count,
                                      iree_io_parameter_enumerator_t enumerator);
  iree_status_t(IREE_API_PTR *scatter)(iree_io_parameter_provider_t *provider,
                                       iree_hal_device_t *device,
                                       iree_hal_queue_affinity_t queue_affinity,
                                       const iree_hal_semaphore_list_t wait_semaphore_list,
                                       const iree_hal_semaphore_list_t signal_semaphore_list,
                                       iree_hal_buffer_t *source_buffer,
                                       iree_string_view_t target_scope, iree_host_size_t count,
                                       iree_io_parameter_enumerator_t enumerator);
} iree_io_parameter_provider_vtable_t;

// The head of every implementation.
struct iree_io_parameter_provider_t {
  iree_atomic_ref_count_t ref_count;
  const iree_io_parameter_provider_vtable_t *vtable;
};

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_PARAMETER_PROVIDER_H_
