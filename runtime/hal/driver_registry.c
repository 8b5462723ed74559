// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry: a list of factories, asked from the newest to the oldest.
#include "iree/hal/driver_registry.h"

#include "base/threads.h"

struct iree_hal_driver_registry_t {
  iree_allocator_t host_allocator;
  mutex_t mutex;
  iree_host_size_t count;
  iree_host_size_t capacity;
  const iree_hal_driver_factory_t **factories;
};

iree_status_t iree_hal_driver_registry_allocate(iree_allocator_t host_allocator,
                                                iree_hal_driver_registry_t **out_registry) {
  *out_registry = NULL;
  iree_hal_driver_registry_t *registry = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(host_allocator, sizeof(*registry), (void **)&registry));
  registry->host_allocator = host_allocator;
  mutex_init(&registry->mutex);
  *out_registry = registry;
  return iree_ok_status();
}

void iree_hal_driver_registry_free(iree_hal_driver_registry_t *registry) {
  if (!registry) return;
  mutex_deinit(&registry->mutex);
  iree_allocator_free(registry->host_allocator, (void *)registry->factories);
  iree_allocator_free(registry->host_allocator, registry);
}

static iree_host_size_t find_factory(const iree_hal_driver_registry_t *registry,
                                     const iree_hal_driver_factory_t *factory) {
  iree_host_size_t i = 0;
  while (i < registry->count && registry->factories[i] != factory) ++i;
  return i;
}

static iree_status_t add_factory(iree_hal_driver_registry_t *registry,
                                 const iree_hal_driver_factory_t *factory) {
  if (find_factory(registry, factory) < registry->count) {
    return iree_make_status(IREE_STATUS_ALREADY_EXISTS, "the driver factory is registered already");
  }
  if (registry->count == registry->capacity) {
    IREE_RETURN_IF_ERROR(iree_allocator_grow_array(
        registry->host_allocator, registry->count + 1, sizeof(registry->factories[0]),
        &registry->capacity, (void **)&registry->factories));
  }
  registry->factories[registry->count++] = factory;
  return iree_ok_status();
}

iree_status_t iree_hal_driver_registry_register_factory(iree_hal_driver_registry_t *registry,
                                                        const iree_hal_driver_factory_t *factory) {
  mutex_lock(&registry->mutex);
  iree_status_t status = add_factory(registry, factory);
  mutex_unlock(&registry->mutex);
  return status;
}

iree_status_t iree_hal_driver_registry_unregister_factory(
    iree_hal_driver_registry_t *registry, const iree_hal_driver_factory_t *factory) {
  mutex_lock(&registry->mutex);
  iree_host_size_t i = find_factory(registry, factory);
  bool is_found = i < registry->count;
  if (is_found) {
    memmove((void *)(registry->factories + i), (void *)(registry->factories + i + 1),
            (registry->count - i - 1) * sizeof(registry->factories[0]));
    --registry->count;
  }
  mutex_unlock(&registry->mutex);
  if (is_found) return iree_ok_status();
  return iree_make_status(IREE_STATUS_NOT_FOUND, "the driver factory is not registered");
}

// Counts the drivers, and copies their infos and names into one block when |block| is given.
static iree_status_t collect_infos(iree_hal_driver_registry_t *registry, void *block,
                                   iree_host_size_t *out_count, iree_host_size_t *out_bytes) {
  iree_host_size_t count = 0, text_bytes = 0;
  iree_hal_driver_info_t *infos = (iree_hal_driver_info_t *)block;
  char *text = block ? (char *)(infos + *out_count) : NULL;
  for (iree_host_size_t i = 0; i < registry->count; ++i) {
    const iree_hal_driver_factory_t *factory = registry->factories[i];
    iree_host_size_t factory_count = 0;
    const iree_hal_driver_info_t *factory_infos = NULL;
    IREE_RETURN_IF_ERROR(factory->enumerate(factory->self, &factory_count, &factory_infos));
    for (iree_host_size_t j = 0; j < factory_count; ++j, ++count) {
      iree_string_view_t names[2] = {factory_infos[j].driver_name, factory_infos[j].full_name};
      for (int k = 0; k < 2; ++k) {
        if (block) {
          memcpy(text + text_bytes, names[k].data, names[k].size);
          iree_string_view_t copy = iree_make_string_view(text + text_bytes, names[k].size);
          if (k == 0) {
            infos[count].driver_name = copy;
          } else {
            infos[count].full_name = copy;
          }
        }
        text_bytes += names[k].size;
      }
    }
  }
  *out_count = count;
  *out_bytes = count * sizeof(*infos) + text_bytes;
  return iree_ok_status();
}

iree_status_t iree_hal_driver_registry_enumerate(iree_hal_driver_registry_t *registry,
                                                 iree_allocator_t host_allocator,
                                                 iree_host_size_t *out_driver_info_count,
                                                 iree_hal_driver_info_t **out_driver_infos) {
  *out_driver_info_count = 0;
  *out_driver_infos = NULL;
  iree_host_size_t count = 0, bytes = 0;
  void *block = NULL;
  mutex_lock(&registry->mutex);
  iree_status_t status = collect_infos(registry, NULL, &count, &bytes);
  if (iree_status_is_ok(status) && count) {
    status = iree_allocator_malloc(host_allocator, bytes, &block);
  }
  if (iree_status_is_ok(status) && count) status = collect_infos(registry, block, &count, &bytes);
  mutex_unlock(&registry->mutex);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(host_allocator, block);
    return status;
  }
  *out_driver_info_count = count;
  *out_driver_infos = (iree_hal_driver_info_t *)block;
  return iree_ok_status();
}

static iree_status_t unknown_driver(iree_hal_driver_registry_t *registry,
                                    iree_string_view_t driver_name) {
  char text[256];
  iree_string_builder_t builder;
  iree_string_builder_initialize_with_storage(text, sizeof(text), &builder);
  for (iree_host_size_t i = 0; i < registry->count; ++i) {
    const iree_hal_driver_factory_t *factory = registry->factories[i];
    iree_host_size_t count = 0;
    const iree_hal_driver_info_t *infos = NULL;
    iree_status_ignore(factory->enumerate(factory->self, &count, &infos));
    for (iree_host_size_t j = 0; j < count; ++j) {
      iree_status_ignore(iree_string_builder_append_format(
          &builder, "%s%.*s", iree_string_builder_size(&builder) ? ", " : "",
          IREE_SV_ARGS(infos[j].driver_name)));
    }
  }
  iree_string_view_t names = iree_string_builder_view(&builder);
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no driver '%.*s' registered; available: %.*s",
                          IREE_SV_ARGS(driver_name), IREE_SV_ARGS(names));
}

static iree_status_t try_create(iree_hal_driver_registry_t *registry,
                                iree_string_view_t driver_name, iree_allocator_t host_allocator,
                                iree_hal_driver_t **out_driver) {
  for (iree_host_size_t i = registry->count; i > 0; --i) {
    const iree_hal_driver_factory_t *factory = registry->factories[i - 1];
    iree_host_size_t count = 0;
    const iree_hal_driver_info_t *infos = NULL;
    IREE_RETURN_IF_ERROR(factory->enumerate(factory->self, &count, &infos));
    for (iree_host_size_t j = 0; j < count; ++j) {
      if (!iree_string_view_equal(infos[j].driver_name, driver_name)) continue;
      return factory->try_create(factory->self, driver_name, host_allocator, out_driver);
    }
  }
  return unknown_driver(registry, driver_name);
}

iree_status_t iree_hal_driver_registry_try_create(iree_hal_driver_registry_t *registry,
                                                  iree_string_view_t driver_name,
                                                  iree_allocator_t host_allocator,
                                                  iree_hal_driver_t **out_driver) {
  *out_driver = NULL;
  mutex_lock(&registry->mutex);
  iree_status_t status = try_create(registry, driver_name, host_allocator, out_driver);
  mutex_unlock(&registry->mutex);
  return status;
}

iree_status_t iree_hal_create_device(iree_hal_driver_registry_t *registry,
                                     iree_string_view_t device_uri,
                                     const iree_hal_device_create_params_t *create_params,
                                     iree_allocator_t host_allocator,
                                     iree_hal_device_t **out_device) {
  *out_device = NULL;
  iree_host_size_t end = iree_string_view_find_first_of(device_uri, IREE_SV(":?"), 0);
  iree_string_view_t driver_name = iree_string_view_substr(device_uri, 0, end);
  iree_hal_driver_t *driver = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_driver_registry_try_create(registry, driver_name, host_allocator, &driver),
      "creating driver for device '%.*s'", IREE_SV_ARGS(device_uri));
  iree_status_t status = iree_hal_driver_create_device_by_uri(driver, device_uri, create_params,
                                                              host_allocator, out_device);
  iree_hal_driver_release(driver);
  return status;
}
