// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The provider over a parameter index.
//
// A batch is a chain on the queue: the first operation waits for what the batch waits for, the last
// signals what it signals, and each between them waits for the one before. Constants that stand in a
// file at the alignment of buffers are not read but become buffers in place, over host memory or a
// view of the file.
#include "iree/io/parameter_index_provider.h"

#include <string.h>

#include "base/threads.h"
#include "runtime/io/splat_file.h"

// A file that was used before: opening and mapping are worth doing once.
typedef struct opened_file_t {
  iree_io_file_handle_t *handle;  // kept alive by the index
  iree_io_file_mapping_t *view;   // of all of it, null until needed
  bool is_unmappable;
} opened_file_t;

typedef struct index_provider_t {
  iree_io_parameter_provider_t base;
  iree_allocator_t host_allocator;
  iree_string_view_t scope;
  iree_io_parameter_index_t *index;
  mutex_t mutex;
  iree_host_size_t file_count;
  iree_host_size_t file_capacity;
  opened_file_t *files;
} index_provider_t;

static void drop_views(index_provider_t *provider) {
  mutex_lock(&provider->mutex);
  for (iree_host_size_t i = 0; i < provider->file_count; ++i) {
    iree_io_file_mapping_release(provider->files[i].view);
  }
  provider->file_count = 0;
  mutex_unlock(&provider->mutex);
}

static void index_provider_destroy(iree_io_parameter_provider_t *base) {
  index_provider_t *provider = (index_provider_t *)base;
  drop_views(provider);
  mutex_deinit(&provider->mutex);
  iree_allocator_free(provider->host_allocator, provider->files);
  iree_io_parameter_index_release(provider->index);
  iree_allocator_free(provider->host_allocator, provider);
}

static iree_status_t index_provider_notify(iree_io_parameter_provider_t *base,
                                           iree_io_parameter_provider_signal_t signal) {
  if (signal != IREE_IO_PARAMETER_PROVIDER_SIGNAL_RESUME) drop_views((index_provider_t *)base);
  return iree_ok_status();
}

static bool index_provider_query_support(iree_io_parameter_provider_t *base,
                                         iree_string_view_t scope) {
  return iree_string_view_equal(scope, ((index_provider_t *)base)->scope);
}

//===-- one request ---------------------------------------------------------------------------===//

// What a batch asks for: the entry and the part of it.
typedef struct request_t {
  const iree_io_parameter_index_entry_t *entry;
  iree_io_parameter_span_t span;
} request_t;

// "scope::key", as programs spell it.
#define NAME_FORMAT "%.*s%s%.*s"
#define NAME_ARGS(provider, key)                                                      \
  IREE_SV_ARGS((provider)->scope), (provider)->scope.size ? "::" : "", IREE_SV_ARGS(key)

static iree_status_t missing_parameter(const index_provider_t *provider, iree_string_view_t key) {
  const iree_io_parameter_index_entry_t *first = NULL;
  const iree_host_size_t count = iree_io_parameter_index_count(provider->index);
  if (count) IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(provider->index, 0, &first));
  return iree_make_status(
      IREE_STATUS_NOT_FOUND,
      "parameter '" NAME_FORMAT "' is in none of the scope's files, which have %" PRIhsz
      " parameters%s%.*s%s; iree-dump-parameters lists them",
      NAME_ARGS(provider, key), count, first ? " ('" : "", IREE_SV_ARGS(first ? first->key : key),
      first ? "' and so on)" : "");
}

static iree_status_t resolve(const index_provider_t *provider,
                             iree_io_parameter_enumerator_t enumerator, iree_host_size_t i,
                             request_t *out_request) {
  memset(out_request, 0, sizeof(*out_request));
  iree_string_view_t key = iree_string_view_empty();
  IREE_RETURN_IF_ERROR(enumerator.fn(enumerator.user_data, i, &key, &out_request->span));
  iree_status_t status =
      iree_io_parameter_index_lookup(provider->index, key, &out_request->entry);
  if (iree_status_is_not_found(status)) {
    iree_status_ignore(status);
    return missing_parameter(provider, key);
  }
  IREE_RETURN_IF_ERROR(status);
  const iree_io_parameter_span_t span = out_request->span;
  if (iree_range_is_within(span.parameter_offset, span.length, out_request->entry->length)) {
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "parameter '" NAME_FORMAT "' has %" PRIu64
                          " bytes, the program asks for %" PRIu64 " from %" PRIu64
                          " on; the file is not the one that it was compiled for",
                          NAME_ARGS(provider, key), out_request->entry->length,
                          (uint64_t)span.length, span.parameter_offset);
}

// The file of an entry and where it starts in it.
static iree_status_t open_file(const index_provider_t *provider, iree_hal_device_t *device,
                               iree_hal_queue_affinity_t queue_affinity,
                               const iree_io_parameter_index_entry_t *entry,
                               iree_hal_memory_access_t access, iree_hal_file_t **out_file,
                               uint64_t *out_offset) {
  *out_offset = 0;
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT) {
    if (access & IREE_HAL_MEMORY_ACCESS_WRITE) {
      return iree_make_status(IREE_STATUS_PERMISSION_DENIED,
                              "parameter '" NAME_FORMAT
                              "' is a splat, which nothing stores: it cannot be written",
                              NAME_ARGS(provider, entry->key));
    }
    return splat_file_create(entry->storage.splat.pattern, entry->storage.splat.pattern_length,
                             entry->length, provider->host_allocator, out_file);
  }
  *out_offset = entry->storage.file.offset;
  return iree_status_annotate_f(
      iree_hal_file_import(device, queue_affinity, access, entry->storage.file.handle,
                           IREE_HAL_EXTERNAL_FILE_FLAG_NONE, out_file),
      "opening the file of parameter '" NAME_FORMAT "'", NAME_ARGS(provider, entry->key));
}

//===-- the chain -----------------------------------------------------------------------------===//

typedef struct chain_t {
  index_provider_t *provider;
  iree_hal_device_t *device;
  iree_hal_queue_affinity_t queue_affinity;
  iree_hal_semaphore_list_t wait_list;  // of the next operation
  iree_hal_semaphore_list_t signal_list;
  iree_hal_semaphore_t *semaphore;  // made with the first operation
  uint64_t wait_value, signal_value;
} chain_t;

// The list that the next operation signals.
static iree_status_t chain_next(chain_t *chain, iree_hal_semaphore_list_t *out_list) {
  if (!chain->semaphore) {
    IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(chain->device, IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                                   IREE_HAL_SEMAPHORE_FLAG_DEFAULT,
                                                   &chain->semaphore));
  }
  ++chain->signal_value;
  *out_list = (iree_hal_semaphore_list_t){1, &chain->semaphore, &chain->signal_value};
  return iree_ok_status();
}

static void chain_advance(chain_t *chain) {
  chain->wait_value = chain->signal_value;
  chain->wait_list = (iree_hal_semaphore_list_t){1, &chain->semaphore, &chain->wait_value};
}

// Ends the chain: what the batch signals follows the last operation, or fails with |status|.
static iree_status_t chain_end(chain_t *chain, iree_status_t status) {
  if (iree_status_is_ok(status)) {
    status = iree_hal_device_queue_barrier(chain->device, chain->queue_affinity, chain->wait_list,
                                           chain->signal_list, IREE_HAL_EXECUTE_FLAG_NONE);
  }
  if (!iree_status_is_ok(status)) {
    iree_hal_semaphore_list_fail(chain->signal_list, iree_status_clone(status));
  }
  iree_hal_semaphore_release(chain->semaphore);
  return status;
}

static iree_status_t chain_transfer(chain_t *chain, const request_t *request,
                                    iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                    bool is_write) {
  iree_hal_file_t *file = NULL;
  uint64_t offset = 0;
  IREE_RETURN_IF_ERROR(open_file(
      chain->provider, chain->device, chain->queue_affinity, request->entry,
      is_write ? IREE_HAL_MEMORY_ACCESS_WRITE : IREE_HAL_MEMORY_ACCESS_READ, &file, &offset));
  iree_hal_semaphore_list_t signal_list;
  iree_status_t status = chain_next(chain, &signal_list);
  // Entries lie within their file, so that this does not overflow.
  const uint64_t file_offset = offset + request->span.parameter_offset;
  if (iree_status_is_ok(status)) {
    status = is_write ? iree_hal_device_queue_write(
                            chain->device, chain->queue_affinity, chain->wait_list, signal_list,
                            buffer, buffer_offset, file, file_offset, request->span.length, 0)
                      : iree_hal_device_queue_read(
                            chain->device, chain->queue_affinity, chain->wait_list, signal_list,
                            file, file_offset, buffer, buffer_offset, request->span.length, 0);
  }
  iree_hal_file_release(file);
  if (!iree_status_is_ok(status)) {
    return iree_status_annotate_f(status, "parameter '" NAME_FORMAT "'",
                                  NAME_ARGS(chain->provider, request->entry->key));
  }
  chain_advance(chain);
  return iree_ok_status();
}

static iree_status_t transfer_all(index_provider_t *provider, iree_hal_device_t *device,
                                  iree_hal_queue_affinity_t queue_affinity,
                                  iree_hal_semaphore_list_t wait_list,
                                  iree_hal_semaphore_list_t signal_list, iree_hal_buffer_t *buffer,
                                  iree_host_size_t count, iree_io_parameter_enumerator_t enumerator,
                                  bool is_write) {
  chain_t chain = {.provider = provider,
                   .device = device,
                   .queue_affinity = queue_affinity,
                   .wait_list = wait_list,
                   .signal_list = signal_list};
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    request_t request;
    status = resolve(provider, enumerator, i, &request);
    if (!iree_status_is_ok(status)) break;
    status = chain_transfer(&chain, &request, buffer, request.span.buffer_offset, is_write);
  }
  return chain_end(&chain, status);
}

static iree_status_t index_provider_gather(iree_io_parameter_provider_t *base,
                                           iree_hal_device_t *device,
                                           iree_hal_queue_affinity_t queue_affinity,
                                           const iree_hal_semaphore_list_t wait_semaphore_list,
                                           const iree_hal_semaphore_list_t signal_semaphore_list,
                                           iree_string_view_t source_scope,
                                           iree_hal_buffer_t *target_buffer, iree_host_size_t count,
                                           iree_io_parameter_enumerator_t enumerator) {
  (void)source_scope;
  return transfer_all((index_provider_t *)base, device, queue_affinity, wait_semaphore_list,
                      signal_semaphore_list, target_buffer, count, enumerator, false);
}

static iree_status_t index_provider_scatter(iree_io_parameter_provider_t *base,
                                            iree_hal_device_t *device,
                                            iree_hal_queue_affinity_t queue_affinity,
                                            const iree_hal_semaphore_list_t wait_semaphore_list,
                                            const iree_hal_semaphore_list_t signal_semaphore_list,
                                            iree_hal_buffer_t *source_buffer,
                                            iree_string_view_t target_scope, iree_host_size_t count,
                                            iree_io_parameter_enumerator_t enumerator) {
  (void)target_scope;
  return transfer_all((index_provider_t *)base, device, queue_affinity, wait_semaphore_list,
                      signal_semaphore_list, source_buffer, count, enumerator, true);
}

//===-- load ----------------------------------------------------------------------------------===//

// The view of all of a file, made with its first use; null if there is none.
static iree_io_file_mapping_t *file_view(index_provider_t *provider,
                                         iree_io_file_handle_t *handle) {
  mutex_lock(&provider->mutex);
  iree_host_size_t at = 0;
  while (at < provider->file_count && provider->files[at].handle != handle) ++at;
  iree_status_t status = iree_ok_status();
  if (at == provider->file_count) {
    if (at == provider->file_capacity) {
      status = iree_allocator_grow_array(provider->host_allocator, 4, sizeof(provider->files[0]),
                                         &provider->file_capacity, (void **)&provider->files);
    }
    if (iree_status_is_ok(status)) {
      provider->files[provider->file_count++] = (opened_file_t){.handle = handle};
    }
  }
  iree_io_file_mapping_t *view = NULL;
  if (iree_status_is_ok(status)) {
    opened_file_t *file = &provider->files[at];
    if (!file->view && !file->is_unmappable) {
      status = iree_io_file_map_view(handle, IREE_IO_FILE_ACCESS_READ, 0, IREE_HOST_SIZE_MAX,
                                     IREE_IO_FILE_MAPPING_FLAG_EXCLUDE_FROM_DUMPS,
                                     provider->host_allocator, &file->view);
      file->is_unmappable = !iree_status_is_ok(status);
    }
    view = file->view;
  }
  mutex_unlock(&provider->mutex);
  iree_status_ignore(status);  // then the file is read
  return view;
}

static void release_view(void *user_data, iree_hal_buffer_t *buffer) {
  (void)buffer;
  iree_io_file_mapping_release((iree_io_file_mapping_t *)user_data);
}

// A buffer in the place of the parameter, or null where that cannot be. Only what the program
// promises to leave as it is can be shared.
static iree_hal_buffer_t *import_request(index_provider_t *provider, iree_hal_device_t *device,
                                         const request_t *request,
                                         iree_hal_buffer_params_t params) {
  const iree_io_parameter_index_entry_t *entry = request->entry;
  if (entry->type != IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE ||
      !iree_all_bits_set(params.usage, IREE_HAL_BUFFER_USAGE_SHARING_IMMUTABLE) ||
      request->span.buffer_offset != 0 || request->span.length == 0) {
    return NULL;
  }
  iree_io_file_mapping_t *view = file_view(provider, entry->storage.file.handle);
  if (!view) return NULL;
  const iree_const_byte_span_t contents = iree_io_file_mapping_contents_ro(view);
  const uint64_t offset = entry->storage.file.offset + request->span.parameter_offset;
  if (!iree_range_is_within(offset, request->span.length, contents.data_length)) return NULL;
  const uint8_t *data = contents.data + (iree_host_size_t)offset;
  if (!iree_host_ptr_has_alignment(data, IREE_HAL_HEAP_BUFFER_ALIGNMENT)) return NULL;
  params.access = IREE_HAL_MEMORY_ACCESS_READ;
  iree_hal_external_buffer_t external = {
      .type = IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
      .size = request->span.length,
      .handle = {.host_allocation = {.ptr = (void *)(uintptr_t)data}},
  };
  iree_hal_buffer_t *buffer = NULL;
  iree_io_file_mapping_retain(view);
  const iree_hal_buffer_release_callback_t release = {release_view, view};
  iree_status_t status = iree_hal_allocator_import_buffer(iree_hal_device_allocator(device), params,
                                                          &external, release, &buffer);
  if (!iree_status_is_ok(status)) iree_io_file_mapping_release(view);
  iree_status_ignore(status);  // devices need not be able to; then the file is read
  return buffer;
}

// Allocates a buffer on the chain and reads the parameter into it.
static iree_status_t read_request(chain_t *chain, const request_t *request,
                                  iree_hal_buffer_params_t params, iree_hal_buffer_t **out_buffer) {
  iree_device_size_t size = 0;
  if (!iree_device_size_checked_add(request->span.buffer_offset, request->span.length, &size)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "parameter '" NAME_FORMAT "' ends beyond any buffer",
                            NAME_ARGS(chain->provider, request->entry->key));
  }
  iree_hal_semaphore_list_t signal_list;
  IREE_RETURN_IF_ERROR(chain_next(chain, &signal_list));
  IREE_RETURN_IF_ERROR(iree_hal_device_queue_alloca(
      chain->device, chain->queue_affinity, chain->wait_list, signal_list, NULL, params, size,
      IREE_HAL_ALLOCA_FLAG_NONE, out_buffer));
  chain_advance(chain);
  return chain_transfer(chain, request, *out_buffer, request->span.buffer_offset, false);
}

static iree_status_t load_request(chain_t *chain, iree_hal_buffer_params_t params,
                                  iree_io_parameter_enumerator_t enumerator,
                                  iree_io_parameter_emitter_t emitter, iree_host_size_t i) {
  request_t request;
  IREE_RETURN_IF_ERROR(resolve(chain->provider, enumerator, i, &request));
  iree_hal_buffer_t *buffer = import_request(chain->provider, chain->device, &request, params);
  iree_status_t status = iree_ok_status();
  if (!buffer) status = read_request(chain, &request, params, &buffer);
  if (iree_status_is_ok(status)) status = emitter.fn(emitter.user_data, i, buffer);
  iree_hal_buffer_release(buffer);
  return status;
}

static iree_status_t index_provider_load(iree_io_parameter_provider_t *base,
                                         iree_hal_device_t *device,
                                         iree_hal_queue_affinity_t queue_affinity,
                                         const iree_hal_semaphore_list_t wait_semaphore_list,
                                         const iree_hal_semaphore_list_t signal_semaphore_list,
                                         iree_string_view_t source_scope,
                                         iree_hal_buffer_params_t target_params,
                                         iree_host_size_t count,
                                         iree_io_parameter_enumerator_t enumerator,
                                         iree_io_parameter_emitter_t emitter) {
  (void)source_scope;
  chain_t chain = {.provider = (index_provider_t *)base,
                   .device = device,
                   .queue_affinity = queue_affinity,
                   .wait_list = wait_semaphore_list,
                   .signal_list = signal_semaphore_list};
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    status = load_request(&chain, target_params, enumerator, emitter, i);
  }
  return chain_end(&chain, status);
}

//===-- create --------------------------------------------------------------------------------===//

static const iree_io_parameter_provider_vtable_t index_provider_vtable = {
    .destroy = index_provider_destroy,
    .notify = index_provider_notify,
    .query_support = index_provider_query_support,
    .load = index_provider_load,
    .gather = index_provider_gather,
    .scatter = index_provider_scatter,
};

iree_status_t iree_io_parameter_index_provider_create(iree_string_view_t scope,
                                                      iree_io_parameter_index_t *index,
                                                      iree_host_size_t max_concurrent_operations,
                                                      iree_allocator_t host_allocator,
                                                      iree_io_parameter_provider_t **out_provider) {
  (void)max_concurrent_operations;
  *out_provider = NULL;
  index_provider_t *provider = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_with_trailing(host_allocator, sizeof(*provider),
                                                           scope.size, (void **)&provider));
  iree_atomic_ref_count_init(&provider->base.ref_count);
  provider->base.vtable = &index_provider_vtable;
  provider->host_allocator = host_allocator;
  char *name = (char *)(provider + 1);
  if (scope.size) memcpy(name, scope.data, scope.size);
  provider->scope = iree_make_string_view(name, scope.size);
  provider->index = index;
  iree_io_parameter_index_retain(index);
  mutex_init(&provider->mutex);
  *out_provider = &provider->base;
  return iree_ok_status();
}
