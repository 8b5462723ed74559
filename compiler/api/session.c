// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors, and sessions: flags, which each invocation parses into options of its own.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/absent.h"
#include "compiler/api/api.h"

//===-- memory and errors --------------------------------------------------------------------------

void *api_alloc(size_t size) {
  void *memory = calloc(1, size);
  if (!memory) abort();
  return memory;
}

char *api_copy(iree_string_view_t text) {
  char *copy = api_alloc(text.size + 1);
  memcpy(copy, text.data, text.size);
  return copy;
}

struct iree_compiler_error_t {
  char text[1];
};

static iree_compiler_error_t *error_of(iree_string_view_t text) { return (iree_compiler_error_t *)api_copy(text); }

iree_compiler_error_t *api_error(const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return error_of(iree_make_cstring_view(text));
}

iree_compiler_error_t *api_error_from_status(iree_status_t status) {
  if (iree_status_is_ok(status)) return NULL;
  iree_string_view_t message = iree_status_message(status);
  if (!message.size) message = iree_make_cstring_view(iree_status_code_string(iree_status_code(status)));
  iree_compiler_error_t *error = error_of(message);
  iree_status_ignore(status);
  return error;
}

void ireeCompilerErrorDestroy(iree_compiler_error_t *error) { free(error); }
const char *ireeCompilerErrorGetMessage(iree_compiler_error_t *error) { return error->text; }

//===-- flags --------------------------------------------------------------------------------------

void api_flags_append(api_flags_t *flags, const char *value) {
  if (flags->count == flags->capacity) {
    flags->capacity = flags->capacity ? flags->capacity * 2 : 8;
    if (!(flags->values = realloc(flags->values, flags->capacity * sizeof *flags->values))) abort();
  }
  flags->values[flags->count++] = api_copy(iree_make_cstring_view(value));
}

void api_flags_truncate(api_flags_t *flags, size_t count) {
  while (flags->count > count) free(flags->values[--flags->count]);
  if (count) return;
  free(flags->values);
  *flags = (api_flags_t){0};
}

// A flag of a session is one argument: a value in the next one would be taken for an input file.
static iree_status_t check_positional(const flags_t *flags) {
  if (flags->help_requested) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--help is a flag of tools; ireeCompilerSessionGetFlags lists all flags");
  if (!flags->positional.count) return iree_ok_status();
  iree_string_view_t first = flags->positional.values[0];
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "'%.*s' is no flag (--name=value)", (int)first.size, first.data);
}

iree_status_t api_options_init(const api_flags_t *flags, api_options_t *options) {
  memset(options, 0, sizeof *options);
  options->bindings[0] = (flag_binding_t){&compile_flag_group, &options->values};
  options->bindings[1] = (flag_binding_t){&compile_absent_flag_group, NULL};
  IREE_RETURN_IF_ERROR(flags_init(options->bindings, IREE_ARRAYSIZE(options->bindings), FLAG_STYLE_GNU, iree_allocator_system(), &options->flags));
  for (size_t i = 0; i < flags->count; ++i) {
    char *argv[] = {NULL, flags->values[i]};
    IREE_RETURN_IF_ERROR(flags_parse(&options->flags, 2, argv));
  }
  return check_positional(&options->flags);
}

void api_options_deinit(api_options_t *options) { flags_deinit(&options->flags); }

//===-- sessions -----------------------------------------------------------------------------------

iree_compiler_session_t *ireeCompilerSessionCreate(void) {
  iree_compiler_session_t *session = api_alloc(sizeof *session);
  const api_flags_t *global = api_global_flags();
  iree_compiler_error_t *error = ireeCompilerSessionSetFlags(session, (int)global->count, (const char *const *)global->values);
  if (error) session->unusable = api_copy(iree_make_cstring_view(ireeCompilerErrorGetMessage(error)));
  ireeCompilerErrorDestroy(error);
  return session;
}

void ireeCompilerSessionDestroy(iree_compiler_session_t *session) {
  if (!session) return;
  api_flags_truncate(&session->flags, 0);
  free(session->unusable);
  free(session);
}

iree_compiler_error_t *ireeCompilerSessionSetFlags(iree_compiler_session_t *session, int argc, const char *const *argv) {
  size_t before = session->flags.count;
  for (int i = 0; i < argc; ++i) api_flags_append(&session->flags, argv[i]);
  api_options_t options;
  iree_status_t status = api_options_init(&session->flags, &options);
  api_options_deinit(&options);
  if (!iree_status_is_ok(status)) api_flags_truncate(&session->flags, before);
  return api_error_from_status(status);
}

typedef struct visit {
  void (*on_flag)(const char *flag, size_t length, void *);
  void *user_data;
} visit_t;
static iree_status_t visit_flag(void *self, iree_string_view_t text) {
  const visit_t *visit = self;
  visit->on_flag(text.data, text.size, visit->user_data);
  return iree_ok_status();
}

void ireeCompilerSessionGetFlags(iree_compiler_session_t *session, bool nonDefaultOnly,
                                 void (*onFlag)(const char *flag, size_t length, void *), void *userData) {
  api_options_t options;
  visit_t visit = {onFlag, userData};
  iree_status_t status = api_options_init(&session->flags, &options);
  if (iree_status_is_ok(status)) status = flags_visit(&options.flags, nonDefaultOnly, visit_flag, &visit);
  iree_status_ignore(status);  // flags were checked when they were set
  api_options_deinit(&options);
}
