// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaders turn the bytes of kernels into executables of local devices.
//
// A loader knows formats by name ("embedded-elf-x86_64"). A device asks its loaders in order; the
// first that supports a format loads it. Kernels that import functions get them from the loader's
// import provider.
#ifndef IREE_HAL_LOCAL_EXECUTABLE_LOADER_H_
#define IREE_HAL_LOCAL_EXECUTABLE_LOADER_H_

#include <stdbool.h>
#include <stdint.h>

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"
#include "iree/hal/api.h"

#ifdef __cplusplus
extern "C" {
#endif

//===-- imports -------------------------------------------------------------------------------===//

enum iree_hal_executable_import_resolution_bits_e {
  IREE_HAL_EXECUTABLE_IMPORT_RESOLUTION_MISSING_OPTIONAL = 1u << 0,
};
typedef uint32_t iree_hal_executable_import_resolution_t;

// Writes a function and its context for each name; a name that starts with '?' may stay null.
typedef iree_status_t(IREE_API_PTR *iree_hal_executable_import_provider_resolve_fn_t)(
    void *self, iree_host_size_t count, const char *const *symbol_names, void **out_fn_ptrs,
    void **out_fn_contexts, iree_hal_executable_import_resolution_t *out_resolution);

// Where kernels find the functions that they import; borrowed by loaders until they are released.
typedef struct iree_hal_executable_import_provider_t {
  void *self;
  iree_hal_executable_import_provider_resolve_fn_t resolve;  // null: provides nothing
} iree_hal_executable_import_provider_t;

static inline iree_hal_executable_import_provider_t iree_hal_executable_import_provider_null(void) {
  iree_hal_executable_import_provider_t provider = {NULL, NULL};
  return provider;
}

static inline bool iree_hal_executable_import_is_optional(const char *symbol_name) {
  return symbol_name && symbol_name[0] == '?';
}

// Resolves names; what nobody provides is null where optional, else an error.
//   errors: NOT_FOUND  a required function that the provider lacks
IREE_API_EXPORT iree_status_t iree_hal_executable_import_provider_try_resolve(
    const iree_hal_executable_import_provider_t import_provider, iree_host_size_t count,
    const char *const *symbol_names, void **out_fn_ptrs, void **out_fn_contexts,
    iree_hal_executable_import_resolution_t *out_resolution);

//===-- loaders -------------------------------------------------------------------------------===//

typedef struct iree_hal_executable_loader_vtable_t iree_hal_executable_loader_vtable_t;

typedef struct iree_hal_executable_loader_t {
  iree_atomic_ref_count_t ref_count;
  const iree_hal_executable_loader_vtable_t *vtable;
  iree_hal_executable_import_provider_t import_provider;
} iree_hal_executable_loader_t;

// Sets up the head of a loader with one reference.
//   errors: none
IREE_API_EXPORT void iree_hal_executable_loader_initialize(
    const void *vtable, iree_hal_executable_import_provider_t import_provider,
    iree_hal_executable_loader_t *out_base_loader);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_executable_loader_retain(
    iree_hal_executable_loader_t *executable_loader);
IREE_API_EXPORT void iree_hal_executable_loader_release(
    iree_hal_executable_loader_t *executable_loader);

// Names the format of data that came without one, and how long the data is.
//   units:   capacity in bytes, with the NUL
//   errors: INCOMPATIBLE  the data is not of a format of this loader
//           OUT_OF_RANGE  the name does not fit
IREE_API_EXPORT iree_status_t iree_hal_executable_loader_infer_format(
    iree_hal_executable_loader_t *executable_loader,
    iree_hal_executable_caching_mode_t caching_mode, iree_const_byte_span_t executable_data,
    iree_host_size_t executable_format_capacity, char *executable_format,
    iree_host_size_t *out_inferred_size);

// Whether a loader takes a format, by its name alone.
//   errors: none
IREE_API_EXPORT bool iree_hal_executable_loader_query_support(
    iree_hal_executable_loader_t *executable_loader,
    iree_hal_executable_caching_mode_t caching_mode, iree_string_view_t executable_format);

// Whether any of several loaders does.
//   errors: none
IREE_API_EXPORT bool iree_hal_query_any_executable_loader_support(
    iree_host_size_t loader_count, iree_hal_executable_loader_t **loaders,
    iree_hal_executable_caching_mode_t caching_mode, iree_string_view_t executable_format);

// Loads an executable. |worker_capacity| is how many threads may run it at once; 0 if not known.
//   owns:   transfers ownership to the caller; data and constants are copied
//   thread: any thread
//   errors: CANCELLED            not a format of this loader
//           INVALID_ARGUMENT     malformed data
//           FAILED_PRECONDITION  made for another ABI version
//           INCOMPATIBLE         needs CPU features that this machine lacks
//           NOT_FOUND            imports functions that the provider lacks
IREE_API_EXPORT iree_status_t iree_hal_executable_loader_try_load(
    iree_hal_executable_loader_t *executable_loader,
    const iree_hal_executable_params_t *executable_params, iree_host_size_t worker_capacity,
    iree_hal_executable_t **out_executable);

struct iree_hal_executable_loader_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_executable_loader_t *executable_loader);
  iree_status_t(IREE_API_PTR *infer_format)(iree_hal_executable_loader_t *executable_loader,
                                            iree_hal_executable_caching_mode_t caching_mode,
                                            iree_const_byte_span_t executable_data,
                                            iree_host_size_t executable_format_capacity,
                                            char *executable_format,
                                            iree_host_size_t *out_inferred_size);
  bool(IREE_API_PTR *query_support)(iree_hal_executable_loader_t *executable_loader,
                                    iree_hal_executable_caching_mode_t caching_mode,
                                    iree_string_view_t executable_format);
  iree_status_t(IREE_API_PTR *try_load)(iree_hal_executable_loader_t *executable_loader,
                                        const iree_hal_executable_params_t *executable_params,
                                        iree_host_size_t worker_capacity,
                                        iree_hal_executable_t **out_executable);
};

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_EXECUTABLE_LOADER_H_
