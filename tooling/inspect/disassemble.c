// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's tools have no disassembler; the compiler has one. Kernels go to an iree-compile as
// hexadecimal digits, a line each, and come back as assembly, with an empty line after each. Where
// there is no compiler, reports show bytes.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tooling/inspect/inspect.h"

extern char **environ;

enum { MAX_CODE_BYTES = 1 << 20, MAX_TEXT_BYTES = 1 << 28 };

static bool is_supported(const inspect_image_t *image) {
  return image->machine && (!strcmp(image->machine, "x86-64") || !strcmp(image->machine, "AArch64"));
}
static bool is_sent(const inspect_kernel_t *kernel) { return kernel->size && kernel->size <= MAX_CODE_BYTES; }
// How many kernels, from the first, have no more code together than the image has bytes: all of an honest one.
static uint32_t count_honest(const inspect_image_t *image) {
  uint64_t left = image->data.data_length;
  uint32_t n = 0;
  for (; n < image->n_kernels && image->kernels[n].size <= left; ++n) left -= image->kernels[n].size;
  return n;
}

// The compiler beside this program, or its name alone for a search of PATH.
static void find_compiler(char *path, size_t size) {
  ssize_t n = readlink("/proc/self/exe", path, size - 1);
  if (n > 0) {
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash - path) + 16 < size) {
      strcpy(slash + 1, "iree-compile");
      if (access(path, X_OK) == 0) return;
    }
  }
  snprintf(path, size, "iree-compile");
}

static bool write_kernels(FILE *file, const inspect_image_t *image) {
  uint32_t n = count_honest(image);
  for (uint32_t i = 0; i < n; ++i) {
    const inspect_kernel_t *kernel = &image->kernels[i];
    if (!is_sent(kernel)) continue;
    fprintf(file, "%llx ", (unsigned long long)kernel->address & 0xFFFFFFFFFFFFull);
    for (uint64_t k = 0; k < kernel->size; ++k) fprintf(file, "%02x", image->data.data[kernel->offset + k]);
    fputc('\n', file);
  }
  return fflush(file) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0;
}

// Runs the compiler from |in| to |out|; the errno of a failure to start it, else its exit status as -n.
static int run_compiler(const char *compiler, const char *machine, int in, int out) {
  char flag[64];
  snprintf(flag, sizeof(flag), "--iree-disassemble=%s", machine);
  char *const argv[] = {(char *)compiler, flag, "-", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  int error = posix_spawnp(&pid, compiler, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return error;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return errno;
  return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? -WEXITSTATUS(status) : ENOENT;
}

// Hands out texts by their empty lines.
static void take_assembly(inspect_image_t *image, const char *text, size_t n) {
  uint32_t n_kernels = count_honest(image);
  for (uint32_t i = 0; i < n_kernels && n; ++i) {
    if (!is_sent(&image->kernels[i])) continue;
    const char *end = memmem(text, n, "\n\n", 2);
    if (!end) return;
    image->kernels[i].assembly = iree_make_string_view(text, (size_t)(end - text) + 1);
    n -= (size_t)(end + 2 - text);
    text = end + 2;
  }
}

static int disassemble_image(inspect_t *self, inspect_image_t *image, const char *compiler) {
  FILE *in = tmpfile(), *out = tmpfile();
  int result = !in || !out || !write_kernels(in, image) ? errno : run_compiler(compiler, image->machine, fileno(in), fileno(out));
  if (!result && out) {
    off_t n = lseek(fileno(out), 0, SEEK_END);
    char *text = n > 0 && n <= MAX_TEXT_BYTES ? iree_arena_alloc(self->arena, (size_t)n) : NULL;
    ssize_t got = text ? pread(fileno(out), text, (size_t)n, 0) : 0;
    if (got > 0) take_assembly(image, text, (size_t)got);
  }
  if (in) fclose(in);
  if (out) fclose(out);
  return result;
}

iree_status_t inspect_disassemble(inspect_t *self, iree_string_view_t tool) {
  char compiler[4096];
  bool is_auto = iree_string_view_equal(tool, IREE_SV("auto"));
  bool is_none = iree_string_view_equal(tool, IREE_SV("none"));
  if (is_auto) find_compiler(compiler, sizeof(compiler));
  else snprintf(compiler, sizeof(compiler), "%.*s", IREE_SV_ARGS(tool));
  for (uint32_t i = 0; i < self->n_images; ++i) {
    inspect_image_t *image = &self->images[i];
    if (!image->n_kernels) continue;
    int result = 0;
    if (is_none) image->disassembly = "Bytes only: --disassembler=none.";
    else if (!is_supported(image)) image->disassembly = "Bytes only: iree-compile disassembles x86-64 and AArch64.";
    else if ((result = disassemble_image(self, image, compiler)) != 0)
      image->disassembly = "Bytes only: no iree-compile that disassembles was found beside this tool or on PATH (--disassembler=).";
    if (result && !is_auto) {
      return iree_make_status(result > 0 ? IREE_STATUS_NOT_FOUND : IREE_STATUS_UNKNOWN, "--disassembler=%s: %s", compiler,
                              result > 0 ? strerror(result) : "it refuses; an iree-compile of this version is needed");
    }
  }
  return iree_ok_status();
}
