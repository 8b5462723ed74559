// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel libraries come from files: each pointer they hand over is checked against the memory that
// the library owns before it is used, so that a damaged file is an error text and not a crash. What
// the code itself does when called is beyond any check.
#include "runtime/hal/local/executable.h"

#include "runtime/hal/local/older_library.h"

#define MAX_NAME_LENGTH 16384  // names of functions in a source, with what compilers add
#define MAX_EXPORT_COUNT (1u << 20)
#define MAX_IMPORT_COUNT (1u << 16)

static const iree_hal_executable_vtable_t local_executable_vtable;

// Whether an array is aligned and inside the library.
static bool contains(const library_bounds_t *bounds, const void *ptr, uint64_t count,
                     iree_host_size_t element_size, iree_host_size_t alignment) {
  iree_host_size_t length = 0;
  if (!ptr || (uintptr_t)ptr % alignment || count > IREE_HOST_SIZE_MAX ||
      !iree_host_size_checked_mul((iree_host_size_t)count, element_size, &length)) {
    return false;
  }
  return !bounds->contains || bounds->contains(bounds->self, ptr, length);
}
#define CONTAINS(bounds, ptr, count) \
  contains(bounds, (const void *)(ptr), count, sizeof(*(ptr)), iree_alignof(*(ptr)))

// A NUL-terminated, non-empty string inside the library.
static bool contains_name(const library_bounds_t *bounds, const char *name) {
  for (iree_host_size_t i = 0; i < MAX_NAME_LENGTH; ++i) {
    if (!CONTAINS(bounds, name + i, 1)) return false;
    if (!name[i]) return i > 0;
  }
  return false;
}

static iree_status_t bad_library(const char *what) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "executable library is malformed: %s is missing or outside of it", what);
}

static iree_status_t check_header(const iree_hal_executable_library_v0_t *library,
                                  const library_bounds_t *bounds) {
  if (!CONTAINS(bounds, library, 1)) return bad_library("the table of tables");
  const iree_hal_executable_library_header_t *header = library->header;
  if (!CONTAINS(bounds, header, 1)) return bad_library("the header");
  if (header->version != IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "executable library has version %08X, the runtime supports %08X; "
                            "recompile it for this runtime",
                            header->version, IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST);
  }
  if (header->sanitizer != IREE_HAL_EXECUTABLE_LIBRARY_SANITIZER_NONE) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "executable library needs sanitizer kind %d, which this runtime is not "
                            "built with",
                            (int)header->sanitizer);
  }
  return iree_ok_status();
}

static iree_status_t check_exports(const iree_hal_executable_library_v0_t *library,
                                   const library_bounds_t *bounds) {
  const iree_hal_executable_export_table_v0_t *exports = &library->exports;
  if (!exports->count) return iree_ok_status();
  if (exports->count > MAX_EXPORT_COUNT) return bad_library("an export table of sensible size");
  if (!CONTAINS(bounds, exports->ptrs, exports->count)) {
    return bad_library("the table of functions");
  }
  if (!CONTAINS(bounds, exports->attrs, exports->count)) {
    return bad_library("the table of function attributes");
  }
  if (exports->names && !CONTAINS(bounds, exports->names, exports->count)) {
    return bad_library("the table of function names");
  }
  if (exports->source_locations && !CONTAINS(bounds, exports->source_locations, exports->count)) {
    return bad_library("the table of source locations");
  }
  for (uint32_t i = 0; i < exports->count; ++i) {
    if (exports->source_locations && exports->source_locations[i].path_length &&
        !CONTAINS(bounds, exports->source_locations[i].path,
                  exports->source_locations[i].path_length)) {
      return bad_library("the source location of a function");
    }
    const void *code = (const void *)(uintptr_t)exports->ptrs[i];
    if (!code || (bounds->contains_code && !bounds->contains_code(bounds->self, code))) {
      return bad_library("the code of a function");
    }
    if (exports->names && !contains_name(bounds, exports->names[i])) {
      return bad_library("the name of a function");
    }
    const iree_hal_executable_dispatch_attrs_v0_t *attrs = &exports->attrs[i];
    if (attrs->constant_count > IREE_HAL_EXECUTABLE_MAX_CONSTANT_COUNT ||
        attrs->binding_count > IREE_HAL_EXECUTABLE_MAX_BINDING_COUNT) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "function %u takes %u constants and %u bindings; the limits are %d "
                              "and %d",
                              i, attrs->constant_count, attrs->binding_count,
                              IREE_HAL_EXECUTABLE_MAX_CONSTANT_COUNT,
                              IREE_HAL_EXECUTABLE_MAX_BINDING_COUNT);
    }
  }
  return iree_ok_status();
}

static iree_status_t check_imports(const iree_hal_executable_library_v0_t *library,
                                   const library_bounds_t *bounds) {
  const iree_hal_executable_import_table_v0_t *imports = &library->imports;
  if (!imports->count) return iree_ok_status();
  if (imports->count > MAX_IMPORT_COUNT || !CONTAINS(bounds, imports->symbols, imports->count)) {
    return bad_library("the table of imports");
  }
  for (uint32_t i = 0; i < imports->count; ++i) {
    if (!contains_name(bounds, imports->symbols[i])) return bad_library("the name of an import");
  }
  return iree_ok_status();
}

static int call_import(iree_hal_executable_import_v0_t fn_ptr, void *params, void *context,
                       void *reserved) {
  return fn_ptr(params, context, reserved);
}

static iree_status_t check_library(const iree_hal_executable_library_v0_t *library,
                                   const library_bounds_t *bounds,
                                   const iree_hal_executable_params_t *params) {
  IREE_RETURN_IF_ERROR(check_header(library, bounds));
  if (library->constants.count != params->constant_count) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "executable takes %u constants but %zu were given",
                            library->constants.count, params->constant_count);
  }
  IREE_RETURN_IF_ERROR(check_imports(library, bounds));
  return check_exports(library, bounds);
}

// A kernel that fails, by name and by where it comes from, as far as the library says.
static iree_status_t kernel_failed(const local_executable_t *executable, uint32_t function,
                                   int result, const workgroup_cursor_t *at) {
  const iree_hal_executable_source_location_v0_t *source =
      executable->library->exports.source_locations;
  iree_status_t status = iree_make_status(
      IREE_STATUS_INTERNAL,
      "executable entry point returned catastrophic error %d in '%s', "
      "workgroup %" PRIu64 ",%" PRIu64 ",%" PRIu64,
      result, local_executable_export_name(executable, function), at->x, at->y, at->z);
  if (!source || !source[function].path_length) return status;
  return iree_status_annotate_f(status, "from %.*s:%u",
                                (int)iree_min(source[function].path_length, 1024),
                                source[function].path, source[function].line);
}

static iree_status_t run_library(local_executable_t *executable, const workgroup_range_t *range) {
  const iree_hal_executable_export_table_v0_t *exports = &executable->library->exports;
  iree_hal_executable_dispatch_v0_t function = exports->ptrs[range->function];
  iree_hal_executable_workgroup_state_v0_t workgroup = range->workgroup;
  workgroup_cursor_t at = workgroup_cursor_at(range->dispatch, range->begin);
  for (uint64_t i = range->begin; i < range->end; ++i) {
    workgroup.workgroup_id_x = (uint32_t)at.x;
    workgroup.workgroup_id_y = (uint32_t)at.y;
    workgroup.workgroup_id_z = (uint16_t)at.z;
    int result = function(&executable->environment, range->dispatch, &workgroup);
    if (IREE_UNLIKELY(result)) return kernel_failed(executable, range->function, result, &at);
    workgroup_cursor_advance(&at);
  }
  return iree_ok_status();
}

void local_executable_initialize(local_executable_run_fn_t run,
                                 const iree_hal_executable_library_v0_t *library,
                                 library_release_t release, iree_allocator_t host_allocator,
                                 local_executable_t *out_executable) {
  iree_hal_resource_initialize(&local_executable_vtable, &out_executable->resource);
  out_executable->host_allocator = host_allocator;
  out_executable->run = run;
  out_executable->library = library;
  out_executable->release = release;
}

// The object in one block: itself, import slots (functions and contexts), constants.
static iree_status_t make_executable(const iree_hal_executable_library_v0_t *library,
                                     const iree_hal_executable_environment_v0_t *environment,
                                     const iree_hal_executable_params_t *params,
                                     const library_host_t *host,
                                     local_executable_t **out_executable) {
  iree_host_size_t import_count = library->imports.count;
  iree_host_size_t slot_bytes = 2 * import_count * sizeof(void *);
  iree_host_size_t constant_bytes = params->constant_count * sizeof(uint32_t);
  local_executable_t *executable = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_with_trailing(host->host_allocator, sizeof(*executable),
                                          slot_bytes + constant_bytes, (void **)&executable));
  local_executable_initialize(run_library, library, (library_release_t){NULL, NULL},
                              host->host_allocator, executable);
  executable->environment = *environment;
  uint8_t *trailing = (uint8_t *)(executable + 1);
  if (constant_bytes) {
    memcpy(trailing + slot_bytes, params->constants, constant_bytes);
    executable->environment.constants = (const uint32_t *)(trailing + slot_bytes);
  }
  void **functions = (void **)(void *)trailing, **contexts = functions + import_count;
  if (import_count) {
    executable->environment.import_funcs = (const iree_hal_executable_import_v0_t *)trailing;
    executable->environment.import_contexts = (const void **)contexts;
  }
  iree_status_t status = iree_hal_executable_import_provider_try_resolve(
      host->imports, import_count, library->imports.symbols, functions, contexts, NULL);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(host->host_allocator, executable);
    return status;
  }
  *out_executable = executable;
  return iree_ok_status();
}

iree_status_t local_executable_create(iree_hal_executable_library_query_fn_t query,
                                      library_bounds_t bounds, library_release_t release,
                                      const iree_hal_executable_params_t *params,
                                      const library_host_t *host,
                                      iree_hal_executable_t **out_executable) {
  *out_executable = NULL;
  iree_hal_executable_environment_v0_t environment = {.processor = host->processor,
                                                      .import_thunk = call_import};
  const iree_hal_executable_library_v0_t *library = (const iree_hal_executable_library_v0_t *)query(
      IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST, &environment);
  older_library_t *older = NULL;
  if (!library) {
    IREE_RETURN_IF_ERROR(
        older_library_create(query, &environment, &bounds, host->host_allocator, &older));
    library = older_library_tables(older);
    bounds = older_library_bounds(older);
  }
  local_executable_t *executable = NULL;
  iree_status_t status = check_library(library, &bounds, params);
  if (iree_status_is_ok(status)) {
    status = make_executable(library, &environment, params, host, &executable);
  }
  if (!iree_status_is_ok(status)) {
    older_library_free(older);
    return status;
  }
  executable->older = older;
  executable->release = release;
  *out_executable = (iree_hal_executable_t *)executable;
  return iree_ok_status();
}

static void local_executable_destroy(iree_hal_executable_t *base) {
  local_executable_t *executable = (local_executable_t *)base;
  older_library_free(executable->older);
  if (executable->release.fn) executable->release.fn(executable->release.self);
  iree_allocator_free(executable->host_allocator, executable);
}

static iree_host_size_t local_executable_function_count(iree_hal_executable_t *base) {
  return ((local_executable_t *)base)->library->exports.count;
}

static iree_status_t local_executable_function_info(iree_hal_executable_t *base,
                                                    iree_hal_executable_function_t function,
                                                    iree_hal_executable_function_info_t *out_info) {
  const iree_hal_executable_export_table_v0_t *exports =
      &((local_executable_t *)base)->library->exports;
  uint32_t i = iree_hal_executable_function_index(function);
  const iree_hal_executable_dispatch_attrs_v0_t *attrs = &exports->attrs[i];
  out_info->name =
      exports->names ? iree_make_cstring_view(exports->names[i]) : iree_string_view_empty();
  out_info->flags = attrs->flags;
  out_info->constant_count = attrs->constant_count;
  out_info->binding_count = attrs->binding_count;
  out_info->workgroup_size[0] = attrs->workgroup_size_x;
  out_info->workgroup_size[1] = attrs->workgroup_size_y;
  out_info->workgroup_size[2] = attrs->workgroup_size_z;
  return iree_ok_status();
}

// Parameter tables are optional descriptions; local executables report none.
static iree_status_t local_executable_function_parameters(
    iree_hal_executable_t *base, iree_hal_executable_function_t function, iree_host_size_t capacity,
    iree_hal_executable_function_parameter_t *out_parameters) {
  (void)base, (void)function;
  if (capacity) memset(out_parameters, 0, capacity * sizeof(out_parameters[0]));
  return iree_ok_status();
}

static iree_status_t local_executable_lookup_function_by_name(
    iree_hal_executable_t *base, iree_string_view_t name,
    iree_hal_executable_function_t *out_function) {
  const iree_hal_executable_export_table_v0_t *exports =
      &((local_executable_t *)base)->library->exports;
  for (uint32_t i = 0; exports->names && i < exports->count; ++i) {
    if (!iree_string_view_equal(iree_make_cstring_view(exports->names[i]), name)) continue;
    *out_function = iree_hal_executable_function_from_index(i);
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND, "executable has no function '%.*s'",
                          IREE_SV_ARGS(name));
}

static const iree_hal_executable_vtable_t local_executable_vtable = {
    .destroy = local_executable_destroy,
    .function_count = local_executable_function_count,
    .function_info = local_executable_function_info,
    .function_parameters = local_executable_function_parameters,
    .lookup_function_by_name = local_executable_lookup_function_by_name,
};

iree_status_t local_executable_cast(iree_hal_executable_t *executable,
                                    local_executable_t **out_executable) {
  *out_executable = NULL;
  if (!iree_hal_resource_is(executable, &local_executable_vtable)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "the executable was made by another kind of device");
  }
  *out_executable = (local_executable_t *)executable;
  return iree_ok_status();
}
