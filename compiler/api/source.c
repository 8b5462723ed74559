// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: a name and bytes, which are a mapped file, the caller's, or a copy (parts of another source).
#include <stdlib.h>
#include <string.h>

#include "compiler/api/api.h"

static iree_compiler_source_t *source_create(const char *name, iree_string_view_t text) {
  iree_compiler_source_t *source = api_alloc(sizeof *source);
  source->name = api_copy(iree_make_cstring_view(name));
  source->text = text;
  return source;
}

void ireeCompilerSourceDestroy(iree_compiler_source_t *source) {
  if (!source) return;
  file_contents_release(&source->file);
  free(source->copy);
  free(source->name);
  free(source);
}

iree_compiler_error_t *ireeCompilerSourceOpenFile(iree_compiler_session_t *session, const char *filePath,
                                                  iree_compiler_source_t **out_source) {
  (void)session;
  *out_source = NULL;
  file_contents_t file = {0};
  iree_status_t status = file_contents_map(iree_make_cstring_view(filePath), iree_allocator_system(), &file);
  if (!iree_status_is_ok(status)) return api_error_from_status(status);
  iree_compiler_source_t *source =
      source_create(strcmp(filePath, "-") ? filePath : "<stdin>",
                    iree_make_string_view((const char *)file.data.data, file.data.data_length));
  source->file = file;
  *out_source = source;
  return NULL;
}

iree_compiler_error_t *ireeCompilerSourceWrapBuffer(iree_compiler_session_t *session, const char *bufferName,
                                                    const char *buffer, size_t length, bool isNullTerminated,
                                                    iree_compiler_source_t **out_source) {
  (void)session;
  *out_source = NULL;
  if (isNullTerminated && (!length || buffer[length - 1]))
    return api_error("buffer '%.200s' of %zu bytes does not end in NUL", bufferName, length);
  *out_source = source_create(bufferName, iree_make_string_view(buffer, length - (isNullTerminated ? 1 : 0)));
  return NULL;
}

// The first line of |text| that begins with `// -----`; its end if there is none.
static size_t find_separator(iree_string_view_t text) {
  static const char mark[] = "// -----";
  for (size_t at = 0; at < text.size;) {
    if (text.size - at >= sizeof mark - 1 && !memcmp(text.data + at, mark, sizeof mark - 1)) return at;
    const char *newline = memchr(text.data + at, '\n', text.size - at);
    if (!newline) break;
    at = (size_t)(newline - text.data) + 1;
  }
  return text.size;
}

iree_compiler_error_t *ireeCompilerSourceSplit(iree_compiler_source_t *source,
                                               void (*callback)(iree_compiler_source_t *source, void *userData),
                                               void *userData) {
  for (iree_string_view_t rest = source->text;;) {
    size_t n = find_separator(rest);
    char *copy = api_copy(iree_make_string_view(rest.data, n));
    iree_compiler_source_t *part = source_create(source->name, iree_make_string_view(copy, n));
    part->copy = copy;
    callback(part, userData);
    if (n == rest.size) return NULL;
    const char *newline = memchr(rest.data + n, '\n', rest.size - n);
    if (!newline) return NULL;
    rest = iree_make_string_view(newline + 1, rest.size - (size_t)(newline + 1 - rest.data));
  }
}
