// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device ties allocator, loaders and queue together. Its own objects come from a recycler.
#include "runtime/hal/local/device.h"

#include "iree/hal/local/loaders/registration/init.h"
#include "runtime/hal/local/commands.h"
#include "runtime/hal/local/processor.h"
#include "runtime/hal/local/queue.h"
#include "runtime/hal/local/transient.h"
#include "runtime/hal/recycler.h"
#include "runtime/hal/timeline.h"
#include "runtime/loaders/loader.h"

// Semaphores, submissions, recordings: small, and few at a time.
#define MAX_CACHED_OBJECT_BYTES ((iree_host_size_t)4 << 20)

typedef struct local_device_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  iree_string_view_t identifier;
  iree_hal_processor_v0_t processor;
  local_loaders_t loaders;
  iree_hal_allocator_t *device_allocator;
  recycler_t *recycler;
  local_queue_t queue;
} local_device_t;

static iree_allocator_t object_allocator(local_device_t *device) {
  return recycler_allocator(device->recycler);
}

static void local_device_destroy(iree_hal_device_t *base) {
  local_device_t *device = (local_device_t *)base;
  local_queue_deinitialize(&device->queue);
  iree_hal_allocator_release(device->device_allocator);
  for (iree_host_size_t i = 0; i < device->loaders.count; ++i) {
    iree_hal_executable_loader_release(device->loaders.values[i]);
  }
  recycler_release(device->recycler);
  iree_allocator_free(device->host_allocator, device);
}

static iree_string_view_t local_device_id(iree_hal_device_t *base) {
  return ((local_device_t *)base)->identifier;
}
static iree_allocator_t local_device_host_allocator(iree_hal_device_t *base) {
  return ((local_device_t *)base)->host_allocator;
}
static iree_hal_allocator_t *local_device_allocator(iree_hal_device_t *base) {
  return ((local_device_t *)base)->device_allocator;
}

static void local_device_replace_allocator(iree_hal_device_t *base,
                                           iree_hal_allocator_t *new_allocator) {
  local_device_t *device = (local_device_t *)base;
  iree_hal_allocator_retain(new_allocator);
  iree_hal_allocator_release(device->device_allocator);
  device->device_allocator = new_allocator;
}

static iree_status_t local_device_trim(iree_hal_device_t *base) {
  local_device_t *device = (local_device_t *)base;
  recycler_trim(device->recycler);
  return iree_hal_allocator_trim(device->device_allocator);
}

static iree_status_t local_device_query_i64(iree_hal_device_t *base, iree_string_view_t category,
                                            iree_string_view_t key, int64_t *out_value) {
  local_device_t *device = (local_device_t *)base;
  if (iree_string_view_equal(category, IREE_SV("hal.device.id"))) {
    *out_value = iree_string_view_match_pattern(device->identifier, key);
    return iree_ok_status();
  }
  if (iree_string_view_equal(category, IREE_SV("hal.executable.format"))) {
    *out_value = iree_hal_query_any_executable_loader_support(device->loaders.count,
                                                              device->loaders.values, 0, key);
    return iree_ok_status();
  }
  if (iree_string_view_equal(category, IREE_SV("hal.device")) &&
      iree_string_view_equal(key, IREE_SV("concurrency"))) {
    *out_value = 1;
    return iree_ok_status();
  }
  if (iree_string_view_equal(category, IREE_SV("hal.dispatch")) &&
      iree_string_view_equal(key, IREE_SV("concurrency"))) {
    *out_value =
        device->queue.executor ? (int64_t)task_executor_worker_count(device->queue.executor) : 1;
    return iree_ok_status();
  }
  bool is_present = false;
  if (iree_string_view_equal(category, IREE_SV("hal.cpu")) &&
      processor_lookup(&device->processor, key, &is_present)) {
    *out_value = is_present;
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND, "device '%.*s' has no property '%.*s :: %.*s'",
                          IREE_SV_ARGS(device->identifier), IREE_SV_ARGS(category),
                          IREE_SV_ARGS(key));
}

static iree_status_t local_device_create_channel(iree_hal_device_t *base,
                                                 iree_hal_queue_affinity_t queue_affinity,
                                                 iree_hal_channel_params_t params,
                                                 iree_hal_channel_t **out_channel) {
  (void)queue_affinity, (void)params, (void)out_channel;
  iree_string_view_t id = local_device_id(base);
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                          "device '%.*s' has no collectives; compile the program for one device",
                          IREE_SV_ARGS(id));
}

static iree_status_t local_device_create_command_buffer(
    iree_hal_device_t *base, iree_hal_command_buffer_mode_t mode,
    iree_hal_command_category_t command_categories, iree_hal_queue_affinity_t queue_affinity,
    iree_host_size_t binding_capacity, iree_hal_command_buffer_t **out_command_buffer) {
  return local_command_buffer_create(mode, command_categories, queue_affinity, binding_capacity,
                                     object_allocator((local_device_t *)base), out_command_buffer);
}

// A worker lets go of the semaphores of a chain of submissions some time after the signal that the
// program waited for, when the next call makes its own already. So many more than a call holds are
// there from the start, so that calls allocate nothing however the threads are scheduled.
enum { SEMAPHORES_PER_CALL = 16, SEMAPHORES_PER_WORKER = 4 };

static iree_status_t reserve_semaphores(local_device_t *device) {
  if (!device->queue.executor) return iree_ok_status();
  uint32_t workers = (uint32_t)task_executor_worker_count(device->queue.executor);
  return recycler_reserve(device->recycler, timeline_semaphore_size(),
                          SEMAPHORES_PER_CALL + SEMAPHORES_PER_WORKER * workers);
}

static void help_executor(void *self, bool (*is_done)(void *arg), void *arg) {
  task_executor_help((task_executor_t *)self, is_done, arg);
}
static void release_executor(void *self) { task_executor_release((task_executor_t *)self); }

static iree_status_t local_device_create_semaphore(iree_hal_device_t *base,
                                                   iree_hal_queue_affinity_t queue_affinity,
                                                   uint64_t initial_value,
                                                   iree_hal_semaphore_flags_t flags,
                                                   iree_hal_semaphore_t **out_semaphore) {
  (void)queue_affinity, (void)flags;
  local_device_t *device = (local_device_t *)base;
  timeline_helper_t helper = {NULL, NULL, NULL};
  if (device->queue.executor) {
    helper = (timeline_helper_t){help_executor, release_executor, device->queue.executor};
    task_executor_retain(device->queue.executor);
  }
  iree_status_t status =
      timeline_semaphore_create(initial_value, helper, object_allocator(device), out_semaphore);
  if (!iree_status_is_ok(status) && helper.release) helper.release(helper.self);
  return status;
}

static iree_hal_semaphore_compatibility_t local_device_query_semaphore_compatibility(
    iree_hal_device_t *base, iree_hal_semaphore_t *semaphore) {
  (void)base;
  return timeline_semaphore_isa(semaphore) ? IREE_HAL_SEMAPHORE_COMPATIBILITY_ALL
                                           : IREE_HAL_SEMAPHORE_COMPATIBILITY_HOST_ONLY;
}

//===-- executable cache ----------------------------------------------------------------------===//

typedef struct local_executable_cache_t {
  iree_hal_resource_t resource;
  local_device_t *device;
} local_executable_cache_t;

static void local_executable_cache_destroy(iree_hal_executable_cache_t *base) {
  local_device_t *device = ((local_executable_cache_t *)base)->device;
  iree_allocator_free(device->host_allocator, base);
  iree_hal_device_release((iree_hal_device_t *)device);
}

static bool local_executable_cache_can_prepare_format(
    iree_hal_executable_cache_t *base, iree_hal_executable_caching_mode_t caching_mode,
    iree_string_view_t executable_format) {
  local_device_t *device = ((local_executable_cache_t *)base)->device;
  return iree_hal_query_any_executable_loader_support(device->loaders.count, device->loaders.values,
                                                      caching_mode, executable_format);
}

static iree_status_t local_executable_cache_prepare(iree_hal_executable_cache_t *base,
                                                    const iree_hal_executable_params_t *params,
                                                    iree_hal_executable_t **out_executable) {
  local_device_t *device = ((local_executable_cache_t *)base)->device;
  iree_host_size_t worker_count =
      device->queue.executor ? task_executor_worker_count(device->queue.executor) : 1;
  return loaders_load(device->loaders.count, device->loaders.values, params, worker_count,
                      out_executable);
}

static const iree_hal_executable_cache_vtable_t local_executable_cache_vtable = {
    .destroy = local_executable_cache_destroy,
    .can_prepare_format = local_executable_cache_can_prepare_format,
    .prepare_executable = local_executable_cache_prepare,
};

static iree_status_t local_device_create_executable_cache(
    iree_hal_device_t *base, iree_string_view_t identifier,
    iree_hal_executable_cache_t **out_executable_cache) {
  (void)identifier;
  local_device_t *device = (local_device_t *)base;
  local_executable_cache_t *cache = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(device->host_allocator, sizeof(*cache), (void **)&cache));
  iree_hal_resource_initialize(&local_executable_cache_vtable, &cache->resource);
  cache->device = device;
  iree_hal_device_retain(base);
  *out_executable_cache = (iree_hal_executable_cache_t *)cache;
  return iree_ok_status();
}

//===-- queue ---------------------------------------------------------------------------------===//

static iree_status_t submit(iree_hal_device_t *base, iree_hal_semaphore_list_t wait_list,
                            iree_hal_semaphore_list_t signal_list, operation_t operation) {
  return local_queue_submit(&((local_device_t *)base)->queue, base, wait_list, signal_list,
                            &operation);
}

static iree_status_t local_device_queue_alloca(
    iree_hal_device_t *base, iree_hal_queue_affinity_t queue_affinity,
    iree_hal_semaphore_list_t wait_list, iree_hal_semaphore_list_t signal_list,
    iree_hal_pool_t *pool, iree_hal_buffer_params_t params, iree_device_size_t allocation_size,
    iree_hal_alloca_flags_t flags, iree_hal_buffer_t **out_buffer) {
  local_device_t *device = (local_device_t *)base;
  if (pool) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "local devices have one memory pool; pass a null pool");
  }
  iree_hal_buffer_placement_t placement = {
      .device = base,
      .queue_affinity = queue_affinity,
      .flags = IREE_HAL_BUFFER_PLACEMENT_FLAG_ASYNCHRONOUS |
               (flags & IREE_HAL_ALLOCA_FLAG_INDETERMINATE_LIFETIME
                    ? IREE_HAL_BUFFER_PLACEMENT_FLAG_INDETERMINATE_LIFETIME
                    : 0u),
  };
  iree_hal_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(transient_buffer_create(device->device_allocator, placement, &params,
                                               allocation_size, object_allocator(device), &buffer));
  iree_status_t status =
      submit(base, wait_list, signal_list,
             (operation_t){.kind = OPERATION_ALLOCA, .buffer_ref = {.buffer = buffer}});
  if (!iree_status_is_ok(status)) {
    iree_hal_buffer_release(buffer);
    return status;
  }
  *out_buffer = buffer;
  return iree_ok_status();
}

static iree_status_t local_device_queue_dealloca(iree_hal_device_t *base,
                                                 iree_hal_queue_affinity_t queue_affinity,
                                                 iree_hal_semaphore_list_t wait_list,
                                                 iree_hal_semaphore_list_t signal_list,
                                                 iree_hal_buffer_t *buffer,
                                                 iree_hal_dealloca_flags_t flags) {
  (void)queue_affinity, (void)flags;
  return submit(base, wait_list, signal_list,
                (operation_t){.kind = OPERATION_DEALLOCA, .buffer_ref = {.buffer = buffer}});
}

static iree_status_t local_device_queue_execute(iree_hal_device_t *base,
                                                iree_hal_queue_affinity_t queue_affinity,
                                                iree_hal_semaphore_list_t wait_list,
                                                iree_hal_semaphore_list_t signal_list,
                                                iree_hal_command_buffer_t *command_buffer,
                                                iree_hal_buffer_binding_table_t binding_table,
                                                iree_hal_execute_flags_t flags) {
  (void)queue_affinity, (void)flags;
  if (!command_buffer) {
    return submit(base, wait_list, signal_list, (operation_t){.kind = OPERATION_BARRIER});
  }
  local_command_buffer_t *commands = NULL;
  IREE_RETURN_IF_ERROR(local_command_buffer_cast(command_buffer, &commands));
  return submit(base, wait_list, signal_list,
                (operation_t){.kind = OPERATION_EXECUTE,
                              .command_buffer = command_buffer,
                              .binding_table = binding_table});
}

// A transfer is a command buffer of one wave, so that large ones are shared like any other work.
static iree_status_t begin_transfer(iree_hal_device_t *base,
                                    iree_hal_command_buffer_t **out_command_buffer) {
  IREE_RETURN_IF_ERROR(iree_hal_command_buffer_create(
      base, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT | IREE_HAL_COMMAND_BUFFER_MODE_UNVALIDATED,
      IREE_HAL_COMMAND_CATEGORY_TRANSFER, IREE_HAL_QUEUE_AFFINITY_ANY, 0, out_command_buffer));
  return iree_hal_command_buffer_begin(*out_command_buffer);
}

static iree_status_t end_transfer(iree_hal_device_t *base, iree_status_t status,
                                  iree_hal_semaphore_list_t wait_list,
                                  iree_hal_semaphore_list_t signal_list,
                                  iree_hal_command_buffer_t *command_buffer) {
  if (iree_status_is_ok(status)) status = iree_hal_command_buffer_end(command_buffer);
  if (iree_status_is_ok(status)) {
    status = submit(base, wait_list, signal_list,
                    (operation_t){.kind = OPERATION_EXECUTE, .command_buffer = command_buffer});
  }
  iree_hal_command_buffer_release(command_buffer);
  return status;
}

static iree_status_t local_device_queue_fill(iree_hal_device_t *base,
                                             iree_hal_queue_affinity_t queue_affinity,
                                             iree_hal_semaphore_list_t wait_list,
                                             iree_hal_semaphore_list_t signal_list,
                                             iree_hal_buffer_ref_t target_ref, const void *pattern,
                                             iree_host_size_t pattern_length,
                                             iree_hal_fill_flags_t flags) {
  (void)queue_affinity;
  iree_hal_command_buffer_t *command_buffer = NULL;
  iree_status_t status = begin_transfer(base, &command_buffer);
  if (iree_status_is_ok(status)) {
    status = iree_hal_command_buffer_fill_buffer(command_buffer, target_ref, pattern,
                                                 pattern_length, flags);
  }
  return end_transfer(base, status, wait_list, signal_list, command_buffer);
}

static iree_status_t local_device_queue_update(
    iree_hal_device_t *base, iree_hal_queue_affinity_t queue_affinity,
    iree_hal_semaphore_list_t wait_list, iree_hal_semaphore_list_t signal_list,
    const void *source_buffer, iree_hal_buffer_ref_t target_ref, iree_hal_update_flags_t flags) {
  (void)queue_affinity;
  iree_hal_command_buffer_t *command_buffer = NULL;
  iree_status_t status = begin_transfer(base, &command_buffer);
  for (iree_device_size_t offset = 0; offset < target_ref.length && iree_status_is_ok(status);
       offset += IREE_HAL_COMMAND_BUFFER_MAX_UPDATE_SIZE) {
    iree_hal_buffer_ref_t part = target_ref;
    part.offset += offset;
    part.length = iree_min(target_ref.length - offset, IREE_HAL_COMMAND_BUFFER_MAX_UPDATE_SIZE);
    status = iree_hal_command_buffer_update_buffer(command_buffer, source_buffer,
                                                   (iree_host_size_t)offset, part, flags);
  }
  return end_transfer(base, status, wait_list, signal_list, command_buffer);
}

static iree_status_t local_device_queue_copy(iree_hal_device_t *base,
                                             iree_hal_queue_affinity_t queue_affinity,
                                             iree_hal_semaphore_list_t wait_list,
                                             iree_hal_semaphore_list_t signal_list,
                                             iree_hal_buffer_ref_t source_ref,
                                             iree_hal_buffer_ref_t target_ref,
                                             iree_hal_copy_flags_t flags) {
  (void)queue_affinity;
  iree_hal_command_buffer_t *command_buffer = NULL;
  iree_status_t status = begin_transfer(base, &command_buffer);
  if (iree_status_is_ok(status)) {
    status = iree_hal_command_buffer_copy_buffer(command_buffer, source_ref, target_ref, flags);
  }
  return end_transfer(base, status, wait_list, signal_list, command_buffer);
}

static iree_status_t local_device_queue_read(iree_hal_device_t *base,
                                             iree_hal_queue_affinity_t queue_affinity,
                                             iree_hal_semaphore_list_t wait_list,
                                             iree_hal_semaphore_list_t signal_list,
                                             iree_hal_file_t *source_file, uint64_t source_offset,
                                             iree_hal_buffer_ref_t target_ref,
                                             iree_hal_read_flags_t flags) {
  (void)queue_affinity, (void)flags;
  return submit(base, wait_list, signal_list,
                (operation_t){.kind = OPERATION_READ,
                              .file = source_file,
                              .file_offset = source_offset,
                              .buffer_ref = target_ref});
}

static iree_status_t local_device_queue_write(iree_hal_device_t *base,
                                              iree_hal_queue_affinity_t queue_affinity,
                                              iree_hal_semaphore_list_t wait_list,
                                              iree_hal_semaphore_list_t signal_list,
                                              iree_hal_buffer_ref_t source_ref,
                                              iree_hal_file_t *target_file, uint64_t target_offset,
                                              iree_hal_write_flags_t flags) {
  (void)queue_affinity, (void)flags;
  return submit(base, wait_list, signal_list,
                (operation_t){.kind = OPERATION_WRITE,
                              .file = target_file,
                              .file_offset = target_offset,
                              .buffer_ref = source_ref});
}

static iree_status_t local_device_queue_host_call(iree_hal_device_t *base,
                                                  iree_hal_queue_affinity_t queue_affinity,
                                                  iree_hal_semaphore_list_t wait_list,
                                                  iree_hal_semaphore_list_t signal_list,
                                                  iree_hal_host_call_t call, const uint64_t args[4],
                                                  iree_hal_host_call_flags_t flags) {
  (void)flags;
  operation_t operation = {
      .kind = OPERATION_HOST_CALL, .call = call, .queue_affinity = queue_affinity};
  memcpy(operation.call_args, args, sizeof(operation.call_args));
  return submit(base, wait_list, signal_list, operation);
}

static iree_status_t local_device_queue_flush(iree_hal_device_t *base,
                                              iree_hal_queue_affinity_t queue_affinity) {
  (void)base, (void)queue_affinity;
  return iree_ok_status();
}

static void local_device_set_trace_sink(iree_hal_device_t *base, const iree_trace_sink_t *sink) {
  local_device_t *device = (local_device_t *)base;
  local_queue_set_trace_sink(&device->queue, sink, device->identifier);
}

static const iree_hal_device_vtable_t local_device_vtable = {
    .destroy = local_device_destroy,
    .id = local_device_id,
    .host_allocator = local_device_host_allocator,
    .device_allocator = local_device_allocator,
    .replace_device_allocator = local_device_replace_allocator,
    .trim = local_device_trim,
    .query_i64 = local_device_query_i64,
    .create_channel = local_device_create_channel,
    .create_command_buffer = local_device_create_command_buffer,
    .create_executable_cache = local_device_create_executable_cache,
    .create_semaphore = local_device_create_semaphore,
    .query_semaphore_compatibility = local_device_query_semaphore_compatibility,
    .queue_alloca = local_device_queue_alloca,
    .queue_dealloca = local_device_queue_dealloca,
    .queue_fill = local_device_queue_fill,
    .queue_update = local_device_queue_update,
    .queue_copy = local_device_queue_copy,
    .queue_read = local_device_queue_read,
    .queue_write = local_device_queue_write,
    .queue_host_call = local_device_queue_host_call,
    .queue_execute = local_device_queue_execute,
    .queue_flush = local_device_queue_flush,
    .set_trace_sink = local_device_set_trace_sink,
};

iree_status_t local_device_create(iree_string_view_t identifier, local_loaders_t loaders,
                                  task_executor_t *executor, iree_allocator_t host_allocator,
                                  iree_hal_device_t **out_device) {
  *out_device = NULL;
  local_device_t *device = NULL;
  iree_host_size_t loader_bytes = 0;
  if (!iree_host_size_checked_mul(loaders.count, sizeof(loaders.values[0]), &loader_bytes)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "%zu loaders", loaders.count);
  }
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_with_trailing(
      host_allocator, sizeof(*device), loader_bytes + identifier.size, (void **)&device));
  iree_hal_resource_initialize(&local_device_vtable, &device->resource);
  device->host_allocator = host_allocator;
  device->loaders.values = (iree_hal_executable_loader_t **)(device + 1);
  for (; device->loaders.count < loaders.count; ++device->loaders.count) {
    device->loaders.values[device->loaders.count] = loaders.values[device->loaders.count];
    iree_hal_executable_loader_retain(loaders.values[device->loaders.count]);
  }
  iree_string_view_append_to_buffer(identifier, &device->identifier,
                                    (char *)(device + 1) + loader_bytes);
  processor_query(&device->processor);
  iree_status_t status =
      recycler_create(host_allocator, MAX_CACHED_OBJECT_BYTES, &device->recycler);
  if (iree_status_is_ok(status)) {
    status = iree_hal_allocator_create_heap(identifier, host_allocator, host_allocator,
                                            &device->device_allocator);
  }
  if (iree_status_is_ok(status)) {
    status =
        local_queue_initialize(executor, object_allocator(device), host_allocator, &device->queue);
  }
  if (iree_status_is_ok(status)) status = reserve_semaphores(device);
  if (!iree_status_is_ok(status)) {
    iree_hal_device_release((iree_hal_device_t *)device);
    return status;
  }
  *out_device = (iree_hal_device_t *)device;
  return iree_ok_status();
}

iree_status_t local_device_create_default(iree_string_view_t identifier,
                                          iree_hal_executable_plugin_manager_t *plugins,
                                          task_executor_t *executor,
                                          iree_allocator_t host_allocator,
                                          iree_hal_device_t **out_device) {
  *out_device = NULL;
  iree_hal_executable_loader_t *values[LOADERS_MAX_COUNT] = {NULL};
  iree_host_size_t count = 0;
  IREE_RETURN_IF_ERROR(iree_hal_create_all_available_executable_loaders(
      plugins, IREE_ARRAYSIZE(values), &count, values, host_allocator));
  iree_status_t status = local_device_create(identifier, (local_loaders_t){count, values}, executor,
                                             host_allocator, out_device);
  while (count-- > 0) iree_hal_executable_loader_release(values[count]);
  return status;
}
