// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of shared libraries: the bytes go into an anonymous file that the system's loader
// opens.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "iree/hal/local/loaders/system_library_loader.h"
#include "runtime/hal/local/executable.h"
#include "runtime/loaders/loader.h"
#include "runtime/loaders/system_library.h"

static bool system_library_supports(iree_hal_executable_loader_t *base,
                                    iree_hal_executable_caching_mode_t caching_mode,
                                    iree_string_view_t format) {
  (void)base, (void)caching_mode;
  return iree_string_view_consume_prefix(&format, IREE_SV("system-elf-")) &&
         iree_string_view_starts_with(format, iree_make_cstring_view(loader_machine_name()));
}

static iree_status_t write_all(int file, iree_const_byte_span_t data) {
  for (size_t offset = 0; offset < data.data_length;) {
    ssize_t written = write(file, data.data + offset, data.data_length - offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      return iree_make_status(iree_status_code_from_errno(errno),
                              "cannot write the shared library to memory");
    }
    offset += (size_t)written;
  }
  return iree_ok_status();
}

iree_status_t system_library_open(iree_const_byte_span_t data, void **out_library) {
  *out_library = NULL;
  int file = memfd_create("iree-executable", MFD_CLOEXEC);
  if (file < 0) {
    return iree_make_status(iree_status_code_from_errno(errno),
                            "cannot make a memory file for a shared library");
  }
  iree_status_t status = write_all(file, data);
  if (iree_status_is_ok(status)) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    *out_library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*out_library) {
      const char *error = dlerror();
      status = iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                                "the system cannot load the shared library: %.200s",
                                error ? error : "no reason given");
    }
  }
  close(file);
  return status;
}

static void release_library(void *self) { dlclose(self); }

// A shared library says of itself that it needs the system only in tables that the system reads.
static iree_status_t system_library_infer_format(iree_hal_executable_loader_t *base,
                                                 iree_hal_executable_caching_mode_t caching_mode,
                                                 iree_const_byte_span_t data,
                                                 iree_host_size_t capacity, char *out_format,
                                                 iree_host_size_t *out_length) {
  (void)base, (void)caching_mode;
  if (data.data_length < 4 || memcmp(data.data, "\177ELF", 4) != 0) {
    return iree_make_status(IREE_STATUS_INCOMPATIBLE, "not a shared library");
  }
  return loader_write_format("system-elf-", loader_machine_name(), data.data_length, capacity,
                             out_format, out_length);
}

static iree_status_t system_library_load(iree_hal_executable_loader_t *base,
                                         const iree_hal_executable_params_t *params,
                                         iree_host_size_t worker_capacity,
                                         iree_hal_executable_t **out_executable) {
  (void)worker_capacity;
  void *library = NULL;
  IREE_RETURN_IF_ERROR(system_library_open(params->executable_data, &library));
  void *query = dlsym(library, IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME);
  iree_status_t status;
  if (query) {
    status = local_executable_create((iree_hal_executable_library_query_fn_t)(uintptr_t)query,
                                     (library_bounds_t){NULL, NULL, NULL},
                                     (library_release_t){release_library, library}, params,
                                     &((native_loader_t *)base)->host, out_executable);
  } else {
    status = iree_make_status(IREE_STATUS_NOT_FOUND, "the shared library does not export '%s'",
                              IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME);
  }
  if (!iree_status_is_ok(status)) dlclose(library);
  return status;
}

static const iree_hal_executable_loader_vtable_t system_library_vtable = {
    .destroy = native_loader_destroy,
    .infer_format = system_library_infer_format,
    .query_support = system_library_supports,
    .try_load = system_library_load,
};

iree_status_t iree_hal_system_library_loader_create(
    iree_hal_executable_plugin_manager_t *plugin_manager, iree_allocator_t host_allocator,
    iree_hal_executable_loader_t **out_executable_loader) {
  return native_loader_create(&system_library_vtable, plugin_manager, host_allocator,
                              out_executable_loader);
}
