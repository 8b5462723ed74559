// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of libraries that are linked into the program.
#include "iree/hal/local/loaders/static_library_loader.h"

#include "runtime/hal/local/executable.h"
#include "runtime/hal/local/processor.h"

typedef struct static_loader_t {
  iree_hal_executable_loader_t base;
  library_host_t host;
  iree_host_size_t library_count;
  iree_hal_executable_library_query_fn_t libraries[];
} static_loader_t;

static void static_loader_destroy(iree_hal_executable_loader_t *base) {
  iree_allocator_free(((static_loader_t *)base)->host.host_allocator, base);
}

static bool static_loader_query_support(iree_hal_executable_loader_t *base,
                                        iree_hal_executable_caching_mode_t caching_mode,
                                        iree_string_view_t format) {
  (void)base, (void)caching_mode;
  return iree_string_view_equal(format, IREE_SV("static"));
}

static iree_status_t static_loader_infer_format(iree_hal_executable_loader_t *base,
                                                iree_hal_executable_caching_mode_t caching_mode,
                                                iree_const_byte_span_t data,
                                                iree_host_size_t capacity, char *out_format,
                                                iree_host_size_t *out_length) {
  (void)base, (void)caching_mode, (void)data, (void)capacity, (void)out_format, (void)out_length;
  return iree_make_status(IREE_STATUS_INCOMPATIBLE, "names of libraries are not told from data");
}

// The header of a library, or null when it does not support this version.
static const iree_hal_executable_library_header_t *query_header(
    iree_hal_executable_library_query_fn_t query, const library_host_t *host) {
  const iree_hal_executable_environment_v0_t environment = {.processor = host->processor};
  const iree_hal_executable_library_header_t **header =
      query(IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST, &environment);
  return header ? *header : NULL;
}

static iree_status_t static_loader_try_load(iree_hal_executable_loader_t *base,
                                            const iree_hal_executable_params_t *params,
                                            iree_host_size_t worker_capacity,
                                            iree_hal_executable_t **out_executable) {
  (void)worker_capacity;
  static_loader_t *loader = (static_loader_t *)base;
  iree_string_view_t name = iree_make_string_view((const char *)params->executable_data.data,
                                                  params->executable_data.data_length);
  while (name.size && !name.data[name.size - 1]) --name.size;
  for (iree_host_size_t i = 0; i < loader->library_count; ++i) {
    const iree_hal_executable_library_header_t *header =
        query_header(loader->libraries[i], &loader->host);
    if (!header || !iree_string_view_equal(iree_make_cstring_view(header->name), name)) continue;
    return local_executable_create(loader->libraries[i], (library_bounds_t){NULL, NULL, NULL},
                                   (library_release_t){NULL, NULL}, params, &loader->host,
                                   out_executable);
  }
  return iree_make_status(
      IREE_STATUS_NOT_FOUND,
      "no library '%.*s' among the %zu that are linked in; link its object file "
      "and pass its query function to the loader",
      (int)iree_min(name.size, (iree_host_size_t)200), name.data, loader->library_count);
}

static const iree_hal_executable_loader_vtable_t static_loader_vtable = {
    .destroy = static_loader_destroy,
    .infer_format = static_loader_infer_format,
    .query_support = static_loader_query_support,
    .try_load = static_loader_try_load,
};

static iree_status_t check_header(const iree_hal_executable_library_header_t *header,
                                  iree_host_size_t index) {
  if (!header) {
    return iree_make_status(IREE_STATUS_UNAVAILABLE,
                            "library %zu does not support this version of the runtime (%08X)",
                            index, IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST);
  }
  if (header->version != IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "library '%s' has version %08X, the runtime supports %08X; recompile "
                            "it for this runtime",
                            header->name, header->version,
                            IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST);
  }
  return iree_ok_status();
}

iree_status_t iree_hal_static_library_loader_create(
    iree_host_size_t library_count, const iree_hal_executable_library_query_fn_t *library_query_fns,
    iree_hal_executable_import_provider_t import_provider, iree_allocator_t host_allocator,
    iree_hal_executable_loader_t **out_executable_loader) {
  *out_executable_loader = NULL;
  static_loader_t *loader = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_struct_array(host_allocator, sizeof(*loader), library_count,
                                         sizeof(loader->libraries[0]), (void **)&loader));
  iree_hal_executable_loader_initialize(&static_loader_vtable, import_provider, &loader->base);
  loader->host.host_allocator = host_allocator;
  loader->host.imports = import_provider;
  processor_query(&loader->host.processor);
  iree_status_t status = iree_ok_status();
  for (; loader->library_count < library_count && iree_status_is_ok(status);
       ++loader->library_count) {
    loader->libraries[loader->library_count] = library_query_fns[loader->library_count];
    status = check_header(query_header(library_query_fns[loader->library_count], &loader->host),
                          loader->library_count);
  }
  if (!iree_status_is_ok(status)) {
    static_loader_destroy(&loader->base);
    return status;
  }
  *out_executable_loader = &loader->base;
  return iree_ok_status();
}
