// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-serialize-executables
//   in:   hal.executable.variant with scheduled kernels
//   out:  hal.executable.binary with the bytes of the executable
//   relies on:  code generation only reads the IR (and marks values of its own executable), so that
//               chunks of executables are compiled side by side
//   breaks:  what refers to exports by symbol; run it last
//
//   hal.executable.variant public @v target(...) { ... }   ->  hal.executable.binary public @v
//                                                                <format = "embedded-elf-x86_64",
//                                                                data = dense<...>>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/static_library.h"
#include "compiler/pass.h"

typedef struct {
  ir_op_t *variant;
  codegen_target_t *target;
  codegen_serializer_t *serializer;
  codegen_binary_t binary;
  iree_status_t status;
} job_t;

// One chunk of a job.
typedef struct {
  size_t job, chunk;
} task_t;

typedef struct {
  ir_ctx_t *ctx;
  codegen_options_t options;
  job_t *jobs;
  size_t count, capacity;
  task_t *tasks;
  size_t task_count;
  atomic_size_t next, done;
  const pass_t *pass;
} queue_t;

static iree_status_t collect(ir_op_t *op, void *self) {
  queue_t *queue = self;
  if (op->kind != OP_HAL_EXECUTABLE_VARIANT) return iree_ok_status();
  if (queue->count == queue->capacity) {
    queue->capacity = queue->capacity * 2 + 16;
    queue->jobs = realloc(queue->jobs, queue->capacity * sizeof(job_t));
    if (!queue->jobs) abort();
  }
  job_t *job = &queue->jobs[queue->count++];
  *job = (job_t){.variant = op};
  return codegen_target_from_attr(queue->ctx, ir_op_attr(op, "target"), &job->target);
}

static void plan(queue_t *queue) {
  for (size_t i = 0; i < queue->count; ++i) {
    job_t *job = &queue->jobs[i];
    job->status =
        codegen_serializer_create(queue->ctx, job->variant, job->target, &queue->options,
                                  &job->serializer, &job->binary.failed_op);
    size_t chunks = job->serializer ? codegen_serializer_chunk_count(job->serializer) : 0;
    queue->tasks = realloc(queue->tasks, (queue->task_count + chunks + 1) * sizeof(task_t));
    if (!queue->tasks) abort();
    for (size_t c = 0; c < chunks; ++c) queue->tasks[queue->task_count++] = (task_t){i, c};
  }
}

static void *work(void *self) {
  queue_t *queue = self;
  for (;;) {
    size_t i = atomic_fetch_add(&queue->next, 1);
    if (i >= queue->task_count) return NULL;
    task_t task = queue->tasks[i];
    codegen_serializer_generate(queue->jobs[task.job].serializer, task.chunk);
    size_t done = atomic_fetch_add(&queue->done, 1) + 1;
    pass_note_progress(queue->pass, "machine code", (int64_t)done, (int64_t)queue->task_count);
  }
}

static size_t thread_count(const pass_t *pass, size_t tasks) {
  if (pass->options && pass->options->disable_threading) return 1;
  long machine = sysconf(_SC_NPROCESSORS_ONLN);
  size_t wanted = pass->options && pass->options->n_threads > 0 ? (size_t)pass->options->n_threads
                  : machine > 0                                 ? (size_t)machine
                                                                : 1;
  return wanted < tasks ? wanted : tasks;
}

static void run_tasks(queue_t *queue, size_t threads) {
  enum { MAX_THREADS = 64 };
  pthread_t handles[MAX_THREADS];
  size_t started = 0;
  for (size_t i = 1; i < threads && i < MAX_THREADS; ++i) {
    if (pthread_create(&handles[started], NULL, work, queue) == 0) ++started;
  }
  work(queue);
  for (size_t i = 0; i < started; ++i) pthread_join(handles[i], NULL);
}

// The object of a static library goes to a file; a module names the library it is.
static iree_status_t write_object(pass_t *pass, const queue_t *queue, job_t *job) {
  if (job->target->link != CODEGEN_LINK_STATIC) return iree_ok_status();
  const char *path = job->target->static_output;
  for (const job_t *other = queue->jobs; other < job; ++other)
    if (other->target && other->target->link == CODEGEN_LINK_STATIC && !strcmp(other->target->static_output, path))
      return ir_op_error(job->variant, "is a second static library for '%s'; kernels that cannot be joined need a file each", path);
  iree_string_view_t name = ir_op_sym_name(ir_op_parent(job->variant));
  iree_status_t status = codegen_write_static_library(
      pass, path, name, iree_make_string_view((const char *)job->binary.bytes, job->binary.count));
  if (!iree_status_is_ok(status)) return status;
  free(job->binary.bytes);
  job->binary.bytes = (uint8_t *)strndup(name.data, name.size);
  if (!job->binary.bytes) abort();
  job->binary.count = name.size + 1;
  return status;
}

static void replace_variant(ir_ctx_t *ctx, const job_t *job) {
  int64_t shape = (int64_t)job->binary.count;
  ir_type_t type = ir_type_vector(ctx, &shape, 1, ir_type_i(ctx, 8));
  ir_attr_t visibility = ir_op_attr(job->variant, "sym_visibility");
  ir_named_t attrs[5] = {
      {"sym_name", ir_op_attr(job->variant, "sym_name")},
      {"data", ir_attr_dense(ctx, type, job->binary.bytes, job->binary.count, false, true)},
      {"format", ir_attr_str(ctx, job->target->format)},
  };
  size_t n = 3;
  if (job->target->link != CODEGEN_LINK_STATIC)
    attrs[n++] = (ir_named_t){"mime_type", ir_attr_str(ctx, "application/x-elf")};
  if (visibility) attrs[n++] = (ir_named_t){"sym_visibility", visibility};
  ir_builder_t b = ir_builder_before(ctx, job->variant);
  b.loc = job->variant->loc;
  ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_EXECUTABLE_BINARY, .attrs = attrs, .n_attrs = n});
  ir_op_erase(job->variant);
}

// Turns a failure into a diagnostic at the op it is about.
static iree_status_t report(job_t *job) {
  const ir_op_t *op = job->binary.failed_op ? job->binary.failed_op : job->variant;
  iree_string_view_t text = iree_status_message(job->status);
  iree_status_t reported = ir_op_error(op, "%.*s", (int)text.size, text.data);
  iree_status_free(job->status);
  return reported;
}

// ---- --iree-hal-dump-executable-{intermediates,binaries}-to=
static iree_string_view_t folder_or_all(const pass_t *pass, iree_string_view_t folder) {
  return folder.size ? folder : pass->options->dump_files_to;
}
static iree_status_t dump_intermediates(pass_t *pass, const ir_op_t *module, const job_t *job, iree_string_view_t folder) {
  size_t n = codegen_serializer_chunk_count(job->serializer);
  for (size_t chunk = 0; chunk < n; ++chunk) {
    const char *kind_suffix;
    iree_string_view_t contents;
    for (size_t kind = 0; codegen_serializer_intermediate(job->serializer, chunk, kind, &kind_suffix, &contents); ++kind) {
      char name[PASS_FILE_NAME_MAX], suffix[40] = "";
      if (n > 1) snprintf(suffix, sizeof suffix, "_%zu%s", chunk, kind_suffix);
      else snprintf(suffix, sizeof suffix, "%s", kind_suffix);
      pass_file_name(name, "", module, ir_op_parent(job->variant), job->variant, suffix);
      IREE_RETURN_IF_ERROR(pass_write_file(pass, folder, name, contents));
    }
  }
  return iree_ok_status();
}
static iree_status_t dump_job(pass_t *pass, const ir_op_t *module, const job_t *job) {
  iree_string_view_t folder = folder_or_all(pass, pass->options->dump_intermediates_to);
  if (folder.size && job->serializer) IREE_RETURN_IF_ERROR(dump_intermediates(pass, module, job, folder));
  folder = folder_or_all(pass, pass->options->dump_binaries_to);
  if (!folder.size) return iree_ok_status();
  char name[PASS_FILE_NAME_MAX];
  pass_file_name(name, "", module, ir_op_parent(job->variant), job->variant, ".so");
  return pass_write_file(pass, folder, name, iree_make_string_view((const char *)job->binary.bytes, job->binary.count));
}

// ---- --iree-hal-substitute-executable-object=
static iree_status_t read_image(pass_t *pass, job_t *job, const char *path, bool *out_found) {
  iree_string_view_t text;
  IREE_RETURN_IF_ERROR(pass_read_file(pass, path, &text, out_found));
  if (!*out_found) return iree_ok_status();
  if (text.size < 4 || memcmp(text.data, "\177ELF", 4))
    return ir_op_error(job->variant, "cannot be '%s', which is no ELF image; --iree-hal-dump-executable-binaries-to= writes some", path);
  uint8_t *bytes = malloc(text.size);
  if (!bytes) abort();
  memcpy(bytes, text.data, text.size);
  free(job->binary.bytes);
  job->binary.bytes = bytes;
  job->binary.count = text.size;
  return iree_ok_status();
}
static iree_status_t substitute_job(pass_t *pass, const ir_op_t *module, job_t *job) {
  const ir_op_t *executable = ir_op_parent(job->variant);
  const flag_list_t *named = &pass->options->substitute_objects;
  iree_string_view_t folder = pass->options->substitute_objects_from;
  bool found = false;
  char path[4096];
  if (folder.size) {
    char name[PASS_FILE_NAME_MAX];
    pass_file_name(name, "", module, executable, job->variant, ".so");
    snprintf(path, sizeof path, "%.*s/%s", (int)(folder.size < 3500 ? folder.size : 3500), folder.data, name);
    IREE_RETURN_IF_ERROR(read_image(pass, job, path, &found));
  }
  for (size_t i = 0; i < named->count; ++i) {
    iree_string_view_t name, file;
    iree_string_view_split(named->values[i], '=', &name, &file);
    if (!iree_string_view_equal(name, ir_op_sym_name(executable))) continue;
    snprintf(path, sizeof path, "%.*s", (int)(file.size < 4000 ? file.size : 4000), file.data);
    IREE_RETURN_IF_ERROR(read_image(pass, job, path, &found));
    if (!found) return iree_make_status(IREE_STATUS_NOT_FOUND, "no file '%s' for executable '%.*s'", path, (int)name.size, name.data);
  }
  return iree_ok_status();
}

iree_status_t codegen_serialize_executables(pass_t *pass, ir_op_t *module) {
  queue_t queue = {.ctx = pass->ctx, .pass = pass};
  queue.options.keep_intermediates = pass->options && folder_or_all(pass, pass->options->dump_intermediates_to).size;
  queue.options.describe_kernels = pass->options && pass->options->executable_debug_level > 0;
  iree_status_t status = ir_walk(module, collect, &queue);
  if (iree_status_is_ok(status)) {
    plan(&queue);
    run_tasks(&queue, thread_count(pass, queue.task_count));
  }
  for (size_t i = 0; i < queue.count; ++i) {
    job_t *job = &queue.jobs[i];
    if (job->serializer) job->status = codegen_serializer_finish(job->serializer, &job->binary);
    if (iree_status_is_ok(status) && iree_status_is_ok(job->status) && pass->options) status = substitute_job(pass, module, job);
    if (iree_status_is_ok(status) && iree_status_is_ok(job->status) && pass->options) status = dump_job(pass, module, job);
    codegen_serializer_free(job->serializer);
    if (!iree_status_is_ok(job->status)) {
      // The first failure is the pass's; each gets a diagnostic.
      iree_status_t reported = report(job);
      if (iree_status_is_ok(status)) {
        status = reported;
      } else {
        iree_status_free(reported);
      }
    }
    if (iree_status_is_ok(status)) status = write_object(pass, &queue, job);
    if (iree_status_is_ok(status) && job->binary.bytes) replace_variant(pass->ctx, job);
    free(job->binary.bytes);
  }
  for (size_t i = 0; i < queue.count; ++i) codegen_target_free(queue.jobs[i].target);
  free(queue.tasks);
  free(queue.jobs);
  return status;
}
