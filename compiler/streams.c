// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static iree_status_t write_error(const char *path) {
  return iree_make_status(iree_status_code_from_errno(errno), "cannot write '%s': %s", path, strerror(errno));
}

// Writes all and closes; errno says what failed.
static bool write_and_close(FILE *f, const void *data, size_t n) {
  bool ok = fwrite(data, 1, n, f) == n && fflush(f) == 0;
  int error = errno;
  if (fclose(f) != 0 && ok) return false;
  errno = error;
  return ok;
}

iree_status_t stream_write_file(const char *path, const void *data, size_t n) {
  FILE *f = fopen(path, "wb");
  if (!f) return iree_make_status(iree_status_code_from_errno(errno), "cannot open '%s' for writing: %s", path, strerror(errno));
  return write_and_close(f, data, n) ? iree_ok_status() : write_error(path);
}

// Whether a file moved over |path| would be what |path| was, but for its mode, which |out_mode| gets: 0 for a new file.
// |target| is |path| without links.
static bool can_replace(const char *path, char *target, mode_t *out_mode) {
  struct stat st;
  *out_mode = 0;
  if (lstat(path, &st) != 0) return snprintf(target, PATH_MAX, "%s", path) < PATH_MAX;
  if (!realpath(path, target) || stat(target, &st) != 0) return false;  // a link to nothing
  *out_mode = st.st_mode & 07777;
  return S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_uid == geteuid() && st.st_gid == getegid() && access(target, W_OK) == 0;
}

// NULL where the folder takes no new file.
static FILE *open_beside(const char *target, mode_t mode, char *temporary, size_t size) {
  snprintf(temporary, size, "%s.%ld.tmp", target, (long)getpid());
  int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return NULL;
  FILE *f = mode && fchmod(fd, mode) != 0 ? NULL : fdopen(fd, "wb");
  if (!f) close(fd), remove(temporary);
  return f;
}

iree_status_t stream_replace_file(const char *path, const void *data, size_t n) {
  char target[PATH_MAX], temporary[PATH_MAX + 32];
  mode_t mode = 0;
  // A signal that ends the process waits until the temporary file is gone.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  FILE *f = can_replace(path, target, &mode) ? open_beside(target, mode, temporary, sizeof temporary) : NULL;
  iree_status_t status = iree_ok_status();
  if (!f) {
    pthread_sigmask(SIG_SETMASK, &before, NULL);  // a pipe may never be read
    return stream_write_file(path, data, n);
  }
  if (!write_and_close(f, data, n) || rename(temporary, target) != 0) {
    status = write_error(path);
    remove(temporary);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status;
}

void stream_message(void *self, ir_severity_t severity, iree_string_view_t text) {
  (void)self, (void)severity;
  fwrite(text.data, 1, text.size, stderr);
}

iree_status_t stream_dump(void *self, iree_string_view_t text) {
  (void)self;
  fwrite(text.data, 1, text.size, stderr);
  return iree_ok_status();
}

static iree_status_t make_folders(char *path) {  // and those around it
  for (char *p = path + 1;; ++p) {
    char c = *p;
    if (c && c != '/') continue;
    *p = 0;
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
      return iree_make_status(iree_status_code_from_errno(errno), "cannot make folder '%s': %s", path, strerror(errno));
    if (!c) return iree_ok_status();
    *p = c;
  }
}

iree_status_t stream_file(void *self, iree_string_view_t folder, const char *name, iree_string_view_t contents) {
  (void)self;
  FILE *stream = iree_string_view_equal(folder, IREE_SV("-")) ? stdout : !folder.size && !strcmp(name, "-") ? stderr : NULL;
  if (stream) {
    fwrite(contents.data, 1, contents.size, stream);
    return iree_ok_status();
  }
  if (!folder.size) return stream_write_file(name, contents.data, contents.size);
  char path[4096];
  int n = snprintf(path, sizeof path, "%.*s", (int)folder.size, folder.data);
  if (n < 0 || (size_t)n + strlen(name) + 2 > sizeof path) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "folder name too long: %.*s", (int)folder.size, folder.data);
  IREE_RETURN_IF_ERROR(make_folders(path));
  snprintf(path + n, sizeof path - (size_t)n, "/%s", name);
  return stream_write_file(path, contents.data, contents.size);
}

iree_status_t stream_read(void *self, const char *path, iree_arena_t *arena, iree_string_view_t *out_contents, bool *out_found) {
  (void)self;
  *out_contents = iree_string_view_empty();
  struct stat st;
  *out_found = stat(path, &st) == 0;
  if (!*out_found) return iree_ok_status();
  file_contents_t contents = {0};
  IREE_RETURN_IF_ERROR(file_contents_map(iree_make_cstring_view(path), iree_allocator_system(), &contents), "cannot open '%s'", path);
  *out_contents = iree_make_string_view(iree_arena_copy(arena, (const char *)contents.data.data, contents.data.data_length), contents.data.data_length);
  file_contents_release(&contents);
  return iree_ok_status();
}

int stream_finish(iree_status_t status, const char *program) {
  bool is_written = fflush(stdout) == 0 && !ferror(stdout);
  if (iree_status_is_ok(status) && !is_written) status = iree_make_status(IREE_STATUS_DATA_LOSS, "cannot write all of the output to stdout");
  if (iree_status_is_ok(status)) return 0;
  if (!iree_status_is_cancelled(status)) {
    char *text = NULL;
    iree_host_size_t n = 0;
    iree_allocator_t allocator = iree_allocator_system();
    if (iree_status_to_string(status, &allocator, &text, &n)) {
      fprintf(stderr, "%s: error: %.*s\n", program, (int)n, text);
      iree_allocator_free(allocator, text);
    }
  }
  iree_status_ignore(status);
  return 1;
}
