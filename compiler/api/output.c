// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs: a file, a descriptor, or memory.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/api/api.h"

enum { MEMORY_ALIGNMENT = 64 };  // what the runtime wants of a module in memory

struct iree_compiler_output_t {
  int fd;             // -1: memory
  bool owns_fd;
  char *remove_path;  // removed with the output; NULL: nothing is, or it was kept
  char *data;
  size_t size, capacity;
};

static iree_compiler_output_t *output_create(int fd) {
  iree_compiler_output_t *output = api_alloc(sizeof *output);
  output->fd = fd;
  return output;
}

void ireeCompilerOutputDestroy(iree_compiler_output_t *output) {
  if (!output) return;
  if (output->owns_fd) close(output->fd);
  if (output->remove_path) remove(output->remove_path);
  free(output->remove_path);
  free(output->data);
  free(output);
}

iree_compiler_error_t *ireeCompilerOutputOpenFile(const char *filePath, iree_compiler_output_t **out_output) {
  *out_output = NULL;
  if (!strcmp(filePath, "-")) return ireeCompilerOutputOpenFD(STDOUT_FILENO, out_output);
  int fd = open(filePath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return api_error("cannot open '%.800s' for writing: %s", filePath, strerror(errno));
  iree_compiler_output_t *output = output_create(fd);
  output->owns_fd = true;
  struct stat st;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))  // not /dev/null, a pipe
    output->remove_path = api_copy(iree_make_cstring_view(filePath));
  *out_output = output;
  return NULL;
}

iree_compiler_error_t *ireeCompilerOutputOpenFD(int fd, iree_compiler_output_t **out_output) {
  *out_output = output_create(fd);
  return NULL;
}

iree_compiler_error_t *ireeCompilerOutputOpenMembuffer(iree_compiler_output_t **out_output) {
  *out_output = output_create(-1);
  return NULL;
}

iree_compiler_error_t *ireeCompilerOutputMapMemory(iree_compiler_output_t *output, void **contents, uint64_t *size) {
  *contents = NULL;
  *size = 0;
  if (output->fd >= 0) return api_error("this output is a file; ireeCompilerOutputOpenMembuffer makes one in memory");
  *contents = output->data;
  *size = output->size;
  return NULL;
}

void ireeCompilerOutputKeep(iree_compiler_output_t *output) {
  free(output->remove_path);
  output->remove_path = NULL;
}

static iree_status_t write_memory(iree_compiler_output_t *output, const void *data, size_t n) {
  if (output->capacity - output->size < n) {
    size_t capacity = output->capacity ? output->capacity * 2 : 65536;
    while (capacity - output->size < n && capacity <= SIZE_MAX / 2) capacity *= 2;
    void *grown = NULL;
    if (capacity - output->size < n || posix_memalign(&grown, MEMORY_ALIGNMENT, capacity))
      return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for %zu bytes of output", capacity);
    if (output->size) memcpy(grown, output->data, output->size);
    free(output->data);
    output->data = grown;
    output->capacity = capacity;
  }
  memcpy(output->data + output->size, data, n);
  output->size += n;
  return iree_ok_status();
}

iree_status_t api_output_write(void *self, const void *data, size_t n) {
  iree_compiler_output_t *output = self;
  if (!n) return iree_ok_status();
  if (output->fd < 0) return write_memory(output, data, n);
  for (const char *at = data; n;) {
    ssize_t written = write(output->fd, at, n);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return iree_make_status(iree_status_code_from_errno(errno), "cannot write the output: %s", strerror(errno));
    at += written;
    n -= (size_t)written;
  }
  return iree_ok_status();
}

iree_compiler_error_t *ireeCompilerOutputWrite(iree_compiler_output_t *output, const void *data, size_t length) {
  return api_error_from_status(api_output_write(output, data, length));
}
