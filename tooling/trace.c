// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events are formatted on the stack of the thread that tells of them and copied into one block under
// a lock. A full block is written together with the end of the file, over which the next one goes.

#include "tooling/trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/threads.h"

#define BLOCK_BYTES 65536
#define EVENT_BYTES 8192
#define MAX_NAMED_THREADS 256
#define MAX_NAME_LENGTH 256
#define FILE_END "\n]}\n"

struct trace_writer_t {
  iree_trace_sink_t sink;
  iree_allocator_t allocator;
  mutex_t mutex;
  int fd;              // -1: closed
  bool is_seekable;    // else the end is written once, at the end
  off_t offset;        // of the block in the file
  int error;           // the first errno of a write
  iree_atomic_int64_t last_id;  // of concurrent slices
  iree_time_t start_ns;
  uint32_t thread_count;
  pid_t threads[MAX_NAMED_THREADS];
  iree_host_size_t block_used;
  char block[BLOCK_BYTES + sizeof(FILE_END)];
};

//===-- file ---------------------------------------------------------------------------------===//

static void write_bytes(trace_writer_t *writer, const char *data, iree_host_size_t length) {
  off_t offset = writer->offset;
  while (length && !writer->error) {
    const ssize_t count = writer->is_seekable ? pwrite(writer->fd, data, length, offset)
                                              : write(writer->fd, data, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      writer->error = errno ? errno : EIO;
      return;
    }
    data += count;
    length -= (iree_host_size_t)count;
    offset += count;
  }
}

// Writes the block; |is_last| or a seekable file: with the end behind it.
static void flush_block(trace_writer_t *writer, bool is_last) {
  iree_host_size_t length = writer->block_used;
  if (is_last || writer->is_seekable) {
    memcpy(writer->block + length, FILE_END, sizeof(FILE_END) - 1);
    length += sizeof(FILE_END) - 1;
  }
  write_bytes(writer, writer->block, length);
  writer->offset += (off_t)writer->block_used;
  writer->block_used = 0;
}

static void append_event(trace_writer_t *writer, iree_string_view_t event) {
  if (writer->block_used + event.size > BLOCK_BYTES) flush_block(writer, false);
  memcpy(writer->block + writer->block_used, event.data, event.size);
  writer->block_used += event.size;
}

//===-- events -------------------------------------------------------------------------------===//

static iree_status_t append_time(const char *key, iree_duration_t ns,
                                 iree_string_builder_t *event) {
  if (ns < 0) ns = 0;
  return iree_string_builder_append_format(event, ",\"%s\":%lld.%03d", key, (long long)(ns / 1000),
                                           (int)(ns % 1000));
}

static iree_string_view_t cut(iree_string_view_t text) {
  return iree_string_view_substr(text, 0, MAX_NAME_LENGTH);
}

// "module.function"; other names stand for themselves.
static iree_status_t append_name(const iree_trace_slice_t *slice, iree_string_builder_t *event) {
  char text[2 * MAX_NAME_LENGTH + 2];
  const bool is_scoped =
      slice->kind == IREE_TRACE_KIND_CALL || slice->kind == IREE_TRACE_KIND_IMPORT;
  const iree_string_view_t scope = cut(slice->scope), name = cut(slice->name);
  const int length = snprintf(text, sizeof(text), "%.*s%s%.*s", is_scoped ? (int)scope.size : 0,
                              scope.data, is_scoped ? "." : "", (int)name.size, name.data);
  return json_append_string(iree_make_string_view(text, (iree_host_size_t)length), event);
}

static iree_status_t append_args(const iree_trace_slice_t *slice, iree_string_builder_t *event) {
  const char *separator = "";
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(event, ",\"args\":{"));
  if (slice->kind >= IREE_TRACE_KIND_QUEUE) {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(event, "\"device\":"));
    IREE_RETURN_IF_ERROR(json_append_string(cut(slice->scope), event));
    separator = ",";
  }
  if (slice->location.size) {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(event, "%s\"location\":", separator));
    IREE_RETURN_IF_ERROR(json_append_string(slice->location, event));
    separator = ",";
  }
  for (iree_host_size_t i = 0; i < slice->arg_count; ++i, separator = ",") {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        event, "%s\"%s\":%llu", separator, slice->args[i].key,
        (unsigned long long)slice->args[i].value));
  }
  return iree_string_builder_append_cstring(event, "}");
}

// One event; |phase| is X (whole), b or e (begin and end of a concurrent one).
static iree_status_t append_slice(const trace_writer_t *writer, const iree_trace_slice_t *slice,
                                  char phase, int64_t id, pid_t thread,
                                  iree_string_builder_t *event) {
  static const char *const k_categories[] = {
      [IREE_TRACE_KIND_CALL] = "call",
      [IREE_TRACE_KIND_IMPORT] = "import",
      [IREE_TRACE_KIND_WAIT] = "wait",
      [IREE_TRACE_KIND_QUEUE] = "queue",
      [IREE_TRACE_KIND_COMMAND_BUFFER] = "command_buffer",
      [IREE_TRACE_KIND_DISPATCH] = "dispatch",
      [IREE_TRACE_KIND_TRANSFER] = "transfer",
  };
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
      event, ",\n{\"ph\":\"%c\",\"pid\":%d,\"tid\":%d,\"cat\":\"%s\"", phase, (int)getpid(),
      (int)thread, k_categories[slice->kind]));
  const iree_time_t at_ns = phase == 'e' ? slice->end_ns : slice->begin_ns;
  IREE_RETURN_IF_ERROR(append_time("ts", at_ns - writer->start_ns, event));
  if (phase == 'X') {
    IREE_RETURN_IF_ERROR(append_time("dur", slice->end_ns - slice->begin_ns, event));
  } else {
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(event, ",\"id\":\"%lld\"", (long long)id));
  }
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(event, ",\"name\":"));
  IREE_RETURN_IF_ERROR(append_name(slice, event));
  if (phase != 'e') IREE_RETURN_IF_ERROR(append_args(slice, event));
  return iree_string_builder_append_cstring(event, "}");
}

// Names the calling thread in the file the first time it has something to tell.
static void name_thread(trace_writer_t *writer, pid_t thread) {
  for (uint32_t i = 0; i < writer->thread_count; ++i) {
    if (writer->threads[i] == thread) return;
  }
  if (writer->thread_count == MAX_NAMED_THREADS) return;
  writer->threads[writer->thread_count++] = thread;
  char name[16] = "main", event[160];
  if (thread != getpid()) pthread_getname_np(pthread_self(), name, sizeof(name));
  for (char *c = name; *c; ++c) {
    if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\') *c = '?';
  }
  const int length = snprintf(event, sizeof(event),
                              ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\","
                              "\"args\":{\"name\":\"%s\"}}",
                              (int)getpid(), (int)thread, name);
  append_event(writer, iree_make_string_view(event, (iree_host_size_t)length));
}

static void on_slice(void *self, const iree_trace_slice_t *slice) {
  trace_writer_t *writer = (trace_writer_t *)self;
  const pid_t thread = (pid_t)syscall(SYS_gettid);
  int64_t id = 0;
  if (slice->is_concurrent) {
    id = iree_atomic_fetch_add(&writer->last_id, 1, iree_memory_order_relaxed);
  }
  char storage[EVENT_BYTES];
  iree_string_builder_t event;
  iree_string_builder_initialize_with_storage(storage, sizeof(storage), &event);
  iree_status_t status =
      append_slice(writer, slice, slice->is_concurrent ? 'b' : 'X', id, thread, &event);
  if (iree_status_is_ok(status) && slice->is_concurrent) {
    status = append_slice(writer, slice, 'e', id, thread, &event);
  }
  if (!iree_status_is_ok(status)) {  // longer than EVENT_BYTES, which names and places cannot be
    iree_status_ignore(status);
    return;
  }
  mutex_lock(&writer->mutex);
  if (writer->fd >= 0) {
    name_thread(writer, thread);
    append_event(writer, iree_string_builder_view(&event));
  }
  mutex_unlock(&writer->mutex);
}

//===-- lifetime -----------------------------------------------------------------------------===//

static void begin_file(trace_writer_t *writer) {
  writer->block_used = (iree_host_size_t)snprintf(
      writer->block, BLOCK_BYTES,
      "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":%d,\"name\":"
      "\"process_name\",\"args\":{\"name\":\"iree\"}}",
      (int)getpid());
  if (writer->is_seekable) flush_block(writer, false);
}

iree_status_t trace_writer_open(iree_string_view_t path, iree_allocator_t allocator,
                                trace_writer_t **out_writer) {
  *out_writer = NULL;
  if (iree_string_view_is_empty(path)) return iree_ok_status();
  int fd = -1;
  IREE_RETURN_IF_ERROR(file_create(path, &fd), "flag '--trace'");
  trace_writer_t *writer = NULL;
  iree_status_t status = iree_allocator_malloc(allocator, sizeof(*writer), (void **)&writer);
  if (!iree_status_is_ok(status)) {
    close(fd);
    return status;
  }
  writer->sink = (iree_trace_sink_t){writer, on_slice};
  writer->allocator = allocator;
  mutex_init(&writer->mutex);
  writer->fd = fd;
  writer->is_seekable = lseek(fd, 0, SEEK_CUR) >= 0;
  writer->start_ns = iree_time_now();
  begin_file(writer);
  *out_writer = writer;
  return iree_ok_status();
}

const iree_trace_sink_t *trace_writer_sink(trace_writer_t *writer) {
  return writer ? &writer->sink : NULL;
}

iree_status_t trace_writer_close(trace_writer_t *writer) {
  if (!writer) return iree_ok_status();
  mutex_lock(&writer->mutex);
  if (writer->fd >= 0) {
    flush_block(writer, true);
    if (close(writer->fd) != 0 && !writer->error) writer->error = errno;
    writer->fd = -1;
  }
  const int error = writer->error;
  mutex_unlock(&writer->mutex);
  if (!error) return iree_ok_status();
  return iree_make_status(iree_status_code_from_errno(error), "cannot write all of the trace: %s",
                          strerror(error));
}

void trace_writer_free(trace_writer_t *writer) {
  if (!writer) return;
  iree_status_ignore(trace_writer_close(writer));
  mutex_deinit(&writer->mutex);
  iree_allocator_free(writer->allocator, writer);
}
