// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaders as objects, and the ones of this build.
#include "runtime/loaders/loader.h"

#include <stdio.h>

#include "iree/hal/local/loaders/embedded_elf_loader.h"
#include "iree/hal/local/loaders/registration/init.h"
#include "iree/hal/local/loaders/system_library_loader.h"
#include "iree/hal/local/loaders/vmvx_module_loader.h"
#include "runtime/hal/local/processor.h"

// The shared runtime has this loader in a library of its own, which a program may leave out.
#if defined(IREE_RUNTIME_SPLIT)
#pragma weak iree_hal_vmvx_module_loader_create_isolated
#define HAS_VMVX (iree_hal_vmvx_module_loader_create_isolated != NULL)
#else
#define HAS_VMVX true
#endif

static iree_status_t create_vmvx(iree_hal_executable_plugin_manager_t *plugin_manager,
                                 iree_allocator_t host_allocator,
                                 iree_hal_executable_loader_t **out_loader) {
  (void)plugin_manager;  // its kernels import from VM modules
  if (!HAS_VMVX) {
    return iree_make_status(IREE_STATUS_UNAVAILABLE,
                            "this program is linked without -liree_modules, which runs vmvx kernels");
  }
  return iree_hal_vmvx_module_loader_create_isolated(0, NULL, host_allocator, out_loader);
}

typedef struct loader_class_t {
  const char *name;
  iree_status_t (*create)(iree_hal_executable_plugin_manager_t *plugin_manager,
                          iree_allocator_t host_allocator,
                          iree_hal_executable_loader_t **out_loader);
} loader_class_t;

// In the order in which they are asked.
static const loader_class_t classes[] = {
    {"embedded-elf", iree_hal_embedded_elf_loader_create},
    {"system-library", iree_hal_system_library_loader_create},
    {"vmvx-module", create_vmvx},
};
static_assert(IREE_ARRAYSIZE(classes) <= LOADERS_MAX_COUNT, "room for all");

iree_status_t iree_hal_create_all_available_executable_loaders(
    iree_hal_executable_plugin_manager_t *plugin_manager, iree_host_size_t capacity,
    iree_host_size_t *out_count, iree_hal_executable_loader_t **loaders,
    iree_allocator_t host_allocator) {
  const iree_host_size_t count = IREE_ARRAYSIZE(classes) - (HAS_VMVX ? 0 : 1);  // the last
  *out_count = count;
  if (capacity < count) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "there are %zu loaders, room for %zu", count,
                            capacity);
  }
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_status_t status = classes[i].create(plugin_manager, host_allocator, &loaders[i]);
    if (iree_status_is_ok(status)) continue;
    while (i-- > 0) iree_hal_executable_loader_release(loaders[i]);
    *out_count = 0;
    return status;
  }
  return iree_ok_status();
}

iree_status_t iree_hal_create_executable_loader_by_name(
    iree_string_view_t name, iree_hal_executable_plugin_manager_t *plugin_manager,
    iree_allocator_t host_allocator, iree_hal_executable_loader_t **out_executable_loader) {
  *out_executable_loader = NULL;
  for (iree_host_size_t i = 0; i < IREE_ARRAYSIZE(classes); ++i) {
    if (!iree_string_view_equal(name, iree_make_cstring_view(classes[i].name))) continue;
    return classes[i].create(plugin_manager, host_allocator, out_executable_loader);
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND,
                          "no executable loader '%.*s'; there are embedded-elf, system-library and "
                          "vmvx-module",
                          IREE_SV_ARGS(name));
}

//===-- imports -------------------------------------------------------------------------------===//

iree_status_t iree_hal_executable_import_provider_try_resolve(
    const iree_hal_executable_import_provider_t import_provider, iree_host_size_t count,
    const char *const *symbol_names, void **out_fn_ptrs, void **out_fn_contexts,
    iree_hal_executable_import_resolution_t *out_resolution) {
  if (out_resolution) *out_resolution = 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    out_fn_ptrs[i] = NULL;
    if (out_fn_contexts) out_fn_contexts[i] = NULL;
  }
  if (!count) return iree_ok_status();
  if (import_provider.resolve) {
    return import_provider.resolve(import_provider.self, count, symbol_names, out_fn_ptrs,
                                   out_fn_contexts, out_resolution);
  }
  for (iree_host_size_t i = 0; i < count; ++i) {
    if (iree_hal_executable_import_is_optional(symbol_names[i])) continue;
    return iree_make_status(IREE_STATUS_NOT_FOUND,
                            "executable library imports '%.200s', which nothing provides; link the "
                            "function into the executable, or --executable_plugin=FILE names a "
                            "plugin that has it",
                            symbol_names[i]);
  }
  if (out_resolution) *out_resolution = IREE_HAL_EXECUTABLE_IMPORT_RESOLUTION_MISSING_OPTIONAL;
  return iree_ok_status();
}

//===-- objects -------------------------------------------------------------------------------===//

void iree_hal_executable_loader_initialize(const void *vtable,
                                           iree_hal_executable_import_provider_t import_provider,
                                           iree_hal_executable_loader_t *out_base_loader) {
  iree_atomic_ref_count_init(&out_base_loader->ref_count);
  out_base_loader->vtable = vtable;
  out_base_loader->import_provider = import_provider;
}

void iree_hal_executable_loader_retain(iree_hal_executable_loader_t *executable_loader) {
  if (executable_loader) iree_atomic_ref_count_inc(&executable_loader->ref_count);
}

void iree_hal_executable_loader_release(iree_hal_executable_loader_t *executable_loader) {
  if (executable_loader && iree_atomic_ref_count_dec(&executable_loader->ref_count) == 1) {
    executable_loader->vtable->destroy(executable_loader);
  }
}

iree_status_t iree_hal_executable_loader_infer_format(
    iree_hal_executable_loader_t *executable_loader,
    iree_hal_executable_caching_mode_t caching_mode, iree_const_byte_span_t executable_data,
    iree_host_size_t executable_format_capacity, char *executable_format,
    iree_host_size_t *out_inferred_size) {
  *out_inferred_size = 0;
  return executable_loader->vtable->infer_format(executable_loader, caching_mode, executable_data,
                                                 executable_format_capacity, executable_format,
                                                 out_inferred_size);
}

bool iree_hal_executable_loader_query_support(iree_hal_executable_loader_t *executable_loader,
                                              iree_hal_executable_caching_mode_t caching_mode,
                                              iree_string_view_t executable_format) {
  return executable_loader->vtable->query_support(executable_loader, caching_mode,
                                                  executable_format);
}

bool iree_hal_query_any_executable_loader_support(iree_host_size_t loader_count,
                                                  iree_hal_executable_loader_t **loaders,
                                                  iree_hal_executable_caching_mode_t caching_mode,
                                                  iree_string_view_t executable_format) {
  for (iree_host_size_t i = 0; i < loader_count; ++i) {
    if (iree_hal_executable_loader_query_support(loaders[i], caching_mode, executable_format)) {
      return true;
    }
  }
  return false;
}

iree_status_t iree_hal_executable_loader_try_load(
    iree_hal_executable_loader_t *executable_loader,
    const iree_hal_executable_params_t *executable_params, iree_host_size_t worker_capacity,
    iree_hal_executable_t **out_executable) {
  *out_executable = NULL;
  return executable_loader->vtable->try_load(executable_loader, executable_params, worker_capacity,
                                             out_executable);
}

iree_status_t loaders_load(iree_host_size_t count, iree_hal_executable_loader_t **loaders,
                           const iree_hal_executable_params_t *params,
                           iree_host_size_t worker_capacity,
                           iree_hal_executable_t **out_executable) {
  *out_executable = NULL;
  for (iree_host_size_t i = 0; i < count; ++i) {
    if (!iree_hal_executable_loader_query_support(loaders[i], params->caching_mode,
                                                  params->executable_format)) {
      continue;
    }
    iree_status_t status =
        iree_hal_executable_loader_try_load(loaders[i], params, worker_capacity, out_executable);
    if (!iree_status_is_cancelled(status)) return status;
    iree_status_ignore(status);
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND,
                          "no executable loader registered for the given executable format "
                          "'%.*s'; this machine runs embedded-elf-%s, system-elf-%s and "
                          "vmvx-bytecode-fb",
                          IREE_SV_ARGS(params->executable_format), loader_machine_name(),
                          loader_machine_name());
}

//===-- loaders of native code ----------------------------------------------------------------===//

iree_status_t native_loader_create(const iree_hal_executable_loader_vtable_t *vtable,
                                   iree_hal_executable_plugin_manager_t *plugin_manager,
                                   iree_allocator_t host_allocator,
                                   iree_hal_executable_loader_t **out_loader) {
  *out_loader = NULL;
  native_loader_t *loader = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*loader), (void **)&loader));
  loader->host.imports = plugin_manager_provider(plugin_manager);
  iree_hal_executable_loader_initialize(vtable, loader->host.imports, &loader->base);
  loader->host.host_allocator = host_allocator;
  plugin_manager_retain(plugin_manager);
  loader->plugin_manager = plugin_manager;
  processor_query(&loader->host.processor);
  *out_loader = &loader->base;
  return iree_ok_status();
}

void native_loader_destroy(iree_hal_executable_loader_t *base) {
  native_loader_t *loader = (native_loader_t *)base;
  plugin_manager_release(loader->plugin_manager);
  iree_allocator_free(loader->host.host_allocator, loader);
}

const char *loader_machine_name(void) {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__i386__)
  return "x86_32";
#elif defined(__aarch64__)
  return "arm_64";
#elif defined(__arm__)
  return "arm_32";
#elif defined(__riscv) && __riscv_xlen == 64
  return "riscv_64";
#elif defined(__riscv)
  return "riscv_32";
#else
  return "unknown";
#endif
}

iree_status_t loader_write_format(const char *prefix, const char *suffix, iree_host_size_t length,
                                  iree_host_size_t capacity, char *out_format,
                                  iree_host_size_t *out_length) {
  int written = snprintf(out_format, capacity, "%s%s", prefix, suffix);
  if (written < 0 || (iree_host_size_t)written >= capacity) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "no room for the format %s%s", prefix,
                            suffix);
  }
  *out_length = length;
  return iree_ok_status();
}
