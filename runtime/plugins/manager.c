// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of providers: appended to under a lock, read without one, since an answer may take long.
#include "base/threads.h"
#include "iree/hal/local/executable_plugin_manager.h"
#include "runtime/loaders/loader.h"

typedef struct provider_entry_t {
  iree_hal_executable_import_provider_t provider;
  iree_hal_executable_plugin_t *plugin;  // retained, may be null
} provider_entry_t;

struct iree_hal_executable_plugin_manager_t {
  plugin_manager_head_t head;
  iree_allocator_t host_allocator;
  iree_host_size_t capacity;
  spinlock_t registration;
  iree_atomic_int32_t count;  // entries below it are complete and stay
  provider_entry_t entries[];
};

static int32_t entry_count(iree_hal_executable_plugin_manager_t *manager) {
  return iree_atomic_load(&manager->count, iree_memory_order_acquire);
}

static bool is_missing(const char *name, const void *function) {
  return !function && !iree_hal_executable_import_is_optional(name);
}

// The error that lists what no provider has.
static iree_status_t report_missing(iree_hal_executable_plugin_manager_t *manager,
                                    iree_host_size_t count, const char *const *symbol_names,
                                    void *const *functions) {
  iree_string_builder_t names;
  iree_string_builder_initialize(manager->host_allocator, &names);
  iree_status_t status = iree_ok_status();
  iree_host_size_t missing_count = 0;
  for (iree_host_size_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    if (!is_missing(symbol_names[i], functions[i])) continue;
    status = iree_string_builder_append_format(&names, "%s'%.200s'", missing_count++ ? ", " : "",
                                               symbol_names[i]);
  }
  if (iree_status_is_ok(status)) {
    status = iree_make_status(
        IREE_STATUS_NOT_FOUND,
        "missing %zu required executable imports: %.*s; none of the %d plugins has them, "
        "--executable_plugin=FILE adds one",
        missing_count, (int)iree_min(iree_string_builder_size(&names), (iree_host_size_t)2000),
        iree_string_builder_buffer(&names), (int)entry_count(manager));
  }
  iree_string_builder_deinitialize(&names);
  return status;
}

// Whether functions are missing, and whether required ones are.
static bool any_missing(iree_host_size_t count, const char *const *symbol_names,
                        void *const *functions, bool *out_required) {
  bool any = false;
  *out_required = false;
  for (iree_host_size_t i = 0; i < count; ++i) {
    any |= !functions[i];
    *out_required |= is_missing(symbol_names[i], functions[i]);
  }
  return any;
}

static iree_status_t resolve(void *self, iree_host_size_t count, const char *const *symbol_names,
                             void **out_fn_ptrs, void **out_fn_contexts,
                             iree_hal_executable_import_resolution_t *out_resolution) {
  iree_hal_executable_plugin_manager_t *manager = self;
  bool any = true, required = true;
  for (int32_t i = entry_count(manager); any && i-- > 0;) {
    const iree_hal_executable_import_provider_t provider = manager->entries[i].provider;
    iree_hal_executable_import_resolution_t resolution = 0;
    iree_status_t status = provider.resolve(provider.self, count, symbol_names, out_fn_ptrs,
                                            out_fn_contexts, &resolution);
    if (!iree_status_is_ok(status) && !iree_status_is_not_found(status)) return status;
    iree_status_ignore(status);
    any = any_missing(count, symbol_names, out_fn_ptrs, &required);
  }
  any = any_missing(count, symbol_names, out_fn_ptrs, &required);
  if (out_resolution) {
    *out_resolution = any ? IREE_HAL_EXECUTABLE_IMPORT_RESOLUTION_MISSING_OPTIONAL : 0;
  }
  return required ? report_missing(manager, count, symbol_names, out_fn_ptrs) : iree_ok_status();
}

static void destroy(iree_hal_executable_plugin_manager_t *manager) {
  for (int32_t i = entry_count(manager); i-- > 0;) {
    iree_hal_executable_plugin_release(manager->entries[i].plugin);
  }
  iree_allocator_free(manager->host_allocator, manager);
}

iree_status_t iree_hal_executable_plugin_manager_create(
    iree_host_size_t capacity, iree_allocator_t host_allocator,
    iree_hal_executable_plugin_manager_t **out_manager) {
  *out_manager = NULL;
  if (capacity > INT32_MAX) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "%zu plugins are too many", capacity);
  }
  iree_hal_executable_plugin_manager_t *manager = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_struct_array(
      host_allocator, sizeof(*manager), capacity, sizeof(manager->entries[0]), (void **)&manager));
  memset(manager, 0, sizeof(*manager));
  iree_atomic_ref_count_init(&manager->head.ref_count);
  manager->head.provider = (iree_hal_executable_import_provider_t){manager, resolve};
  manager->head.destroy = destroy;
  manager->host_allocator = host_allocator;
  manager->capacity = capacity;
  *out_manager = manager;
  return iree_ok_status();
}

void iree_hal_executable_plugin_manager_retain(iree_hal_executable_plugin_manager_t *manager) {
  plugin_manager_retain(manager);
}

void iree_hal_executable_plugin_manager_release(iree_hal_executable_plugin_manager_t *manager) {
  plugin_manager_release(manager);
}

static iree_status_t append(iree_hal_executable_plugin_manager_t *manager, provider_entry_t entry) {
  if (!entry.provider.resolve) return iree_ok_status();
  spinlock_lock(&manager->registration);
  const int32_t count = entry_count(manager);
  const bool has_room = (iree_host_size_t)count < manager->capacity;
  if (has_room) {
    iree_hal_executable_plugin_retain(entry.plugin);
    manager->entries[count] = entry;
    iree_atomic_store(&manager->count, count + 1, iree_memory_order_release);
  }
  spinlock_unlock(&manager->registration);
  if (has_room) return iree_ok_status();
  return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                          "the plugin manager was created with room for %zu", manager->capacity);
}

iree_status_t iree_hal_executable_plugin_manager_register_provider(
    iree_hal_executable_plugin_manager_t *manager, iree_hal_executable_import_provider_t provider) {
  return append(manager, (provider_entry_t){provider, NULL});
}

iree_status_t iree_hal_executable_plugin_manager_register_plugin(
    iree_hal_executable_plugin_manager_t *manager, iree_hal_executable_plugin_t *plugin) {
  return append(manager, (provider_entry_t){iree_hal_executable_plugin_provider(plugin), plugin});
}

iree_hal_executable_import_provider_t iree_hal_executable_plugin_manager_provider(
    iree_hal_executable_plugin_manager_t *manager) {
  return plugin_manager_provider(manager);
}
