// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plugin is to the runtime: a library that gives kernels the functions that they import.
//
//   query(version) -> v0 table { header, load, unload, resolve }
//   load      once per plugin object; makes its state
//   resolve   per executable: names -> functions and contexts
//   unload    after the last executable that could call them
//
// Needs nothing but the C library's types, so that a plugin builds without the rest of the runtime.
// A plugin's functions are called from many threads at once.
#ifndef IREE_HAL_LOCAL_EXECUTABLE_PLUGIN_H_
#define IREE_HAL_LOCAL_EXECUTABLE_PLUGIN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

//===-- header --------------------------------------------------------------------------------===//

enum iree_hal_executable_plugin_feature_bits_t {
  IREE_HAL_EXECUTABLE_PLUGIN_FEATURE_NONE = 0u,
  // Calls nothing outside but what the runtime hands it.
  IREE_HAL_EXECUTABLE_PLUGIN_FEATURE_STANDALONE = 1u << 0,
  // Its statuses are iree_status_t objects, made by the very runtime that loads it; without this
  // bit they are codes.
  IREE_HAL_EXECUTABLE_PLUGIN_FEATURE_FULL_STATUS = 1u << 1,
};
typedef uint32_t iree_hal_executable_plugin_features_t;

// The sanitizer that a plugin was built for; the host has to have the same.
typedef enum iree_hal_executable_plugin_sanitizer_kind_e {
  IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_NONE = 0,
  IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_ADDRESS = 1,
  IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_MEMORY = 2,
  IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_THREAD = 3,
  IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_UNDEFINED = 4,
  IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_MAX_ENUM = INT32_MAX,
} iree_hal_executable_plugin_sanitizer_kind_t;

// The one of this compilation, for the header of a plugin.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_ADDRESS
#elif __has_feature(memory_sanitizer)
#define IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_MEMORY
#elif __has_feature(thread_sanitizer)
#define IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_THREAD
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_ADDRESS
#elif defined(__SANITIZE_THREAD__)
#define IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_THREAD
#endif
#if !defined(IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND)
#define IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_NONE
#endif

#if !defined(IREE_HOST_SIZE_T)
#define IREE_HOST_SIZE_T size_t
#endif
typedef IREE_HOST_SIZE_T iree_host_size_t;

// A runtime takes plugins up to its own version.
typedef uint32_t iree_hal_executable_plugin_version_t;
#define IREE_HAL_EXECUTABLE_PLUGIN_VERSION_0_1 0x00000001u
#define IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST IREE_HAL_EXECUTABLE_PLUGIN_VERSION_0_1

// The first thing that the table of any version points to.
typedef struct iree_hal_executable_plugin_header_t {
  iree_hal_executable_plugin_version_t version;
  const char *name;         // in messages
  const char *description;  // for people
  iree_hal_executable_plugin_features_t features;
  iree_hal_executable_plugin_sanitizer_kind_t sanitizer;
  uint64_t reserved[8];  // 0
} iree_hal_executable_plugin_header_t;

// The one function that a plugin exports: its table, or null when it needs a runtime newer than
// |max_version|. |reserved| is null.
typedef const iree_hal_executable_plugin_header_t **(*iree_hal_executable_plugin_query_fn_t)(
    iree_hal_executable_plugin_version_t max_version, void *reserved);

#define IREE_HAL_EXECUTABLE_PLUGIN_EXPORT_NAME "iree_hal_executable_plugin_query"
#if defined(_WIN32) || defined(__CYGWIN__)
#define IREE_HAL_EXECUTABLE_PLUGIN_EXPORT __declspec(dllexport)
#else
#define IREE_HAL_EXECUTABLE_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

//===-- statuses ------------------------------------------------------------------------------===//

// iree_status_code_t by other names.
typedef enum iree_hal_executable_plugin_status_code_e {
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_OK = 0,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_CANCELLED = 1,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_UNKNOWN = 2,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_INVALID_ARGUMENT = 3,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_DEADLINE_EXCEEDED = 4,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_NOT_FOUND = 5,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_ALREADY_EXISTS = 6,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_PERMISSION_DENIED = 7,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_RESOURCE_EXHAUSTED = 8,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_FAILED_PRECONDITION = 9,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_ABORTED = 10,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_OUT_OF_RANGE = 11,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_UNIMPLEMENTED = 12,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_INTERNAL = 13,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_UNAVAILABLE = 14,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_DATA_LOSS = 15,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_UNAUTHENTICATED = 16,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_DEFERRED = 17,
  IREE_HAL_EXECUTABLE_PLUGIN_STATUS_CODE_MASK = 0x1Fu,
} iree_hal_executable_plugin_status_code_t;

typedef struct iree_status_handle_t *iree_hal_executable_plugin_status_t;

#define iree_hal_executable_plugin_status_from_code(code) \
  ((iree_hal_executable_plugin_status_t)((                \
      uintptr_t)(code)&IREE_HAL_EXECUTABLE_PLUGIN_STATUS_CODE_MASK))
#define iree_hal_executable_plugin_status_code(value) \
  ((iree_hal_executable_plugin_status_t)((            \
      uintptr_t)(value)&IREE_HAL_EXECUTABLE_PLUGIN_STATUS_CODE_MASK))
#define iree_hal_executable_plugin_ok_status() \
  iree_hal_executable_plugin_status_from_code(IREE_HAL_EXECUTABLE_PLUGIN_STATUS_OK)
#define iree_hal_executable_plugin_status_is_ok(value) \
  ((uintptr_t)(value) == IREE_HAL_EXECUTABLE_PLUGIN_STATUS_OK)

//===-- memory --------------------------------------------------------------------------------===//

// iree_allocator_t by other names.
typedef enum iree_hal_executable_plugin_allocator_command_e {
  IREE_HAL_EXECUTABLE_PLUGIN_ALLOCATOR_COMMAND_MALLOC = 0,
  IREE_HAL_EXECUTABLE_PLUGIN_ALLOCATOR_COMMAND_CALLOC = 1,
  IREE_HAL_EXECUTABLE_PLUGIN_ALLOCATOR_COMMAND_REALLOC = 2,
  IREE_HAL_EXECUTABLE_PLUGIN_ALLOCATOR_COMMAND_FREE = 3,
} iree_hal_executable_plugin_allocator_command_t;

typedef struct iree_hal_executable_plugin_allocator_alloc_params_t {
  iree_host_size_t byte_length;
} iree_hal_executable_plugin_allocator_alloc_params_t;

typedef iree_hal_executable_plugin_status_t (*iree_hal_executable_plugin_allocator_ctl_fn_t)(
    void *self, iree_hal_executable_plugin_allocator_command_t command, const void *params,
    void **inout_ptr);

typedef struct iree_hal_executable_plugin_allocator_t {
  void *self;
  iree_hal_executable_plugin_allocator_ctl_fn_t ctl;
} iree_hal_executable_plugin_allocator_t;

static inline iree_hal_executable_plugin_status_t iree_hal_executable_plugin_allocator_malloc(
    iree_hal_executable_plugin_allocator_t allocator, iree_host_size_t byte_length,
    void **inout_ptr) {
  iree_hal_executable_plugin_allocator_alloc_params_t params = {byte_length};
  return allocator.ctl(allocator.self, IREE_HAL_EXECUTABLE_PLUGIN_ALLOCATOR_COMMAND_MALLOC, &params,
                       inout_ptr);
}
static inline iree_hal_executable_plugin_status_t iree_hal_executable_plugin_allocator_free(
    iree_hal_executable_plugin_allocator_t allocator, void *ptr) {
  return allocator.ctl(allocator.self, IREE_HAL_EXECUTABLE_PLUGIN_ALLOCATOR_COMMAND_FREE, NULL,
                       &ptr);
}

//===-- strings -------------------------------------------------------------------------------===//

// iree_string_view_t: may lack a NUL.
typedef struct iree_hal_executable_plugin_string_view_t {
  const char *data;
  iree_host_size_t size;
} iree_hal_executable_plugin_string_view_t;

// iree_string_pair_t
typedef struct iree_hal_executable_plugin_string_pair_t {
  union {
    iree_hal_executable_plugin_string_view_t first;
    iree_hal_executable_plugin_string_view_t key;
  };
  union {
    iree_hal_executable_plugin_string_view_t second;
    iree_hal_executable_plugin_string_view_t value;
  };
} iree_hal_executable_plugin_string_pair_t;

// Orders two strings as strcmp does, which a plugin without a C library lacks.
static inline int iree_hal_executable_plugin_strcmp(const char *lhs, const char *rhs) {
  while (*lhs && *lhs == *rhs) ++lhs, ++rhs;
  return (int)(unsigned char)*lhs - (int)(unsigned char)*rhs;
}

//===-- version 0 -----------------------------------------------------------------------------===//

enum iree_hal_executable_plugin_resolution_bits_e {
  // A function that kernels can do without was not found.
  IREE_HAL_EXECUTABLE_PLUGIN_RESOLUTION_MISSING_OPTIONAL = 1u << 0,
};
typedef uint32_t iree_hal_executable_plugin_resolution_t;

// Whether kernels can do without a function: its name starts with '?', which is not part of it.
static inline bool iree_hal_executable_plugin_import_is_optional(const char *symbol_name) {
  return symbol_name && symbol_name[0] == '?';
}

// What a plugin gets; valid until it is unloaded.
typedef struct iree_hal_executable_plugin_environment_v0_t {
  iree_hal_executable_plugin_allocator_t host_allocator;
} iree_hal_executable_plugin_environment_v0_t;

// Names in ascending order, and a slot of each for int (*)(void *params, void *context,
// void *reserved) and for |context|. Slots that are not null were filled by others: leave them.
typedef struct iree_hal_executable_plugin_resolve_params_v0_t {
  size_t count;
  const char *const *symbol_names;
  void **out_fn_ptrs;
  void **out_fn_contexts;
} iree_hal_executable_plugin_resolve_params_v0_t;

// Fills the slots of the functions that the plugin has: NOT_FOUND when it lacks a required one,
// after filling the others.
typedef iree_hal_executable_plugin_status_t (*iree_hal_executable_plugin_resolve_fn_v0_t)(
    void *self, const iree_hal_executable_plugin_resolve_params_v0_t *params,
    iree_hal_executable_plugin_resolution_t *out_resolution);

typedef struct iree_hal_executable_plugin_v0_t {
  const iree_hal_executable_plugin_header_t *header;
  // |params| are borrowed until it returns; |out_self| goes to the other two and may stay null.
  iree_hal_executable_plugin_status_t (*load)(
      const iree_hal_executable_plugin_environment_v0_t *environment, size_t param_count,
      const iree_hal_executable_plugin_string_pair_t *params, void **out_self);
  void (*unload)(void *self);  // may be null
  iree_hal_executable_plugin_resolve_fn_v0_t resolve;
} iree_hal_executable_plugin_v0_t;

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_EXECUTABLE_PLUGIN_H_
