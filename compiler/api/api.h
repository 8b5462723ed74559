// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the C API (include/iree/compiler/embedding_api.h) share. Handles are allocated or
// the process ends: functions that make them cannot fail, as everywhere in the compiler.
#ifndef COMPILER_API_API_H_
#define COMPILER_API_API_H_

#include "base/file.h"
#include "compiler/driver.h"
#include "iree/compiler/embedding_api.h"

// Zeroed memory, never NULL; freed with free.
void *api_alloc(size_t size);
char *api_copy(iree_string_view_t text);  // with a NUL

// An error of one text; the caller destroys it.
iree_compiler_error_t *api_error(const char *format, ...) IREE_PRINTF_ATTRIBUTE(1, 2);
// The text of |status|, which is consumed; NULL if it is ok.
iree_compiler_error_t *api_error_from_status(iree_status_t status);

// The flags of a session, each its own allocation.
typedef struct api_flags {
  char **values;
  size_t count, capacity;
} api_flags_t;
void api_flags_append(api_flags_t *flags, const char *value);
void api_flags_truncate(api_flags_t *flags, size_t count);  // 0 frees all

// Options as |api_flags_t| say; what is bound points into the flags, so they must stay.
typedef struct api_options {
  compile_options_t values;
  flag_binding_t bindings[2];
  flags_t flags;
} api_options_t;
// Must be deinitialized even if it fails.
iree_status_t api_options_init(const api_flags_t *flags, api_options_t *options);
void api_options_deinit(api_options_t *options);

struct iree_compiler_session_t {
  api_flags_t flags;
  char *unusable;  // why: the flags for all sessions do not parse; NULL: usable
};

struct iree_compiler_source_t {
  iree_string_view_t text;
  char *name;
  file_contents_t file;  // of ireeCompilerSourceOpenFile
  char *copy;            // of parts
};

// A compile_write_fn_t whose |self| is an iree_compiler_output_t.
iree_status_t api_output_write(void *self, const void *data, size_t n);

// Flags that all sessions begin with (ireeCompilerSetupGlobalCL).
const api_flags_t *api_global_flags(void);

#endif  // COMPILER_API_API_H_
