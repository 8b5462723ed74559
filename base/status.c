// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Status records: allocated on failure only, 32-byte aligned so that the code fits the low bits.
// The text lies behind the record; notes are a list in the order they were added. Records come from
// the C library's heap whatever allocator the failing code uses, as they outlive it.
#include "iree/base/status.h"

#include <errno.h>
#include <stdlib.h>

#include "iree/base/allocator.h"
#include "iree/base/string_builder.h"

typedef struct status_note_t {
  struct status_note_t *next;
  iree_host_size_t size;
  char text[];
} status_note_t;

#define STATUS_RECORD_ALIGNMENT (IREE_STATUS_CODE_MASK + 1)
typedef struct status_record_t {
  const char *file;
  uint32_t line;
  iree_string_view_t text;
  status_note_t *first_note;
  status_note_t *last_note;
  char storage[];  // text, then file when copied
} status_record_t;

static status_record_t *status_record(iree_status_t status) {
  return (status_record_t *)((uintptr_t)status & ~(uintptr_t)IREE_STATUS_CODE_MASK);
}

iree_status_code_t iree_status_code_from_errno(int error_number) {
  switch (error_number) {
    case 0:
      return IREE_STATUS_OK;
    case ECANCELED:
      return IREE_STATUS_CANCELLED;
    case EINVAL:
    case EBADF:
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
    case EDOM:
      return IREE_STATUS_INVALID_ARGUMENT;
    case ETIMEDOUT:
      return IREE_STATUS_DEADLINE_EXCEEDED;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ESRCH:
      return IREE_STATUS_NOT_FOUND;
    case EEXIST:
      return IREE_STATUS_ALREADY_EXISTS;
    case EACCES:
    case EPERM:
    case EROFS:
      return IREE_STATUS_PERMISSION_DENIED;
    case ENOMEM:
    case ENOSPC:
    case EMFILE:
    case ENFILE:
    case EDQUOT:
    case EFBIG:
      return IREE_STATUS_RESOURCE_EXHAUSTED;
    case EBUSY:
    case ENOTEMPTY:
    case EPIPE:
      return IREE_STATUS_FAILED_PRECONDITION;
    case EDEADLK:
      return IREE_STATUS_ABORTED;
    case ERANGE:
    case EOVERFLOW:
    case ESPIPE:
      return IREE_STATUS_OUT_OF_RANGE;
    case ENOSYS:
    case ENOTSUP:
      return IREE_STATUS_UNIMPLEMENTED;
    case EAGAIN:
    case EINTR:
      return IREE_STATUS_UNAVAILABLE;
    case EIO:
      return IREE_STATUS_DATA_LOSS;
    default:
      return IREE_STATUS_UNKNOWN;
  }
}

const char *iree_status_code_string(iree_status_code_t code) {
  static const char *const names[] = {
#define IREE_STATUS(value, name, meaning, advice) [value] = #name,
#include "abi/status.def"
#undef IREE_STATUS
  };
  return (size_t)code < IREE_ARRAYSIZE(names) && names[code] ? names[code] : "UNKNOWN";
}

// Makes a record with |text_size| bytes for a text and |file_size| for a copied file name.
static status_record_t *status_record_alloc(iree_host_size_t text_size,
                                            iree_host_size_t file_size) {
  iree_host_size_t total = 0;
  if (!iree_host_size_checked_add(sizeof(status_record_t) + 2, text_size, &total) ||
      !iree_host_size_checked_add(total, file_size, &total) ||
      !iree_host_size_checked_align(total, STATUS_RECORD_ALIGNMENT, &total)) {
    return NULL;
  }
  status_record_t *record = aligned_alloc(STATUS_RECORD_ALIGNMENT, total);
  if (record) memset(record, 0, sizeof(*record));
  return record;
}

static iree_status_t status_from_record(iree_status_code_t code, status_record_t *record) {
  return (iree_status_t)((uintptr_t)record | ((uintptr_t)code & IREE_STATUS_CODE_MASK));
}

iree_status_t iree_status_allocate_copy(iree_status_code_t code, iree_string_view_t file,
                                        uint32_t line, iree_string_view_t message) {
  if (code == IREE_STATUS_OK) return iree_ok_status();
  if (IREE_STATUS_MODE < 2) message = iree_string_view_empty();
  status_record_t *record = status_record_alloc(message.size, file.size);
  if (!record) return iree_status_from_code(code);
  iree_string_view_to_cstring(message, record->storage, message.size + 1);
  record->text = iree_make_string_view(record->storage, message.size);
  char *file_storage = record->storage + message.size + 1;
  iree_string_view_to_cstring(file, file_storage, file.size + 1);
  record->file = file_storage;
  record->line = line;
  return status_from_record(code, record);
}

iree_status_t iree_status_allocate(iree_status_code_t code, const char *file, uint32_t line,
                                   iree_string_view_t message) {
  iree_status_t status = iree_status_allocate_copy(code, iree_string_view_empty(), line, message);
  status_record_t *record = status_record(status);
  if (record) record->file = file;
  return status;
}

iree_status_t iree_status_allocate_vf(iree_status_code_t code, const char *file, uint32_t line,
                                      const char *format, va_list varargs) {
  if (code == IREE_STATUS_OK) return iree_ok_status();
  if (IREE_STATUS_MODE < 2) return iree_status_allocate(code, file, line, iree_string_view_empty());
  va_list measured;
  va_copy(measured, varargs);
  int length = vsnprintf(NULL, 0, format, measured);
  va_end(measured);
  if (length < 0) return iree_status_allocate(code, file, line, iree_make_cstring_view(format));
  status_record_t *record = status_record_alloc((iree_host_size_t)length, 0);
  if (!record) return iree_status_from_code(code);
  vsnprintf(record->storage, (size_t)length + 1, format, varargs);
  record->text = iree_make_string_view(record->storage, (iree_host_size_t)length);
  record->file = file;
  record->line = line;
  return status_from_record(code, record);
}

iree_status_t iree_status_allocate_f(iree_status_code_t code, const char *file, uint32_t line,
                                     const char *format, ...) {
  va_list varargs;
  va_start(varargs, format);
  iree_status_t status = iree_status_allocate_vf(code, file, line, format, varargs);
  va_end(varargs);
  return status;
}

void iree_status_free(iree_status_t status) {
  status_record_t *record = status_record(status);
  if (!record) return;
  for (status_note_t *note = record->first_note; note;) {
    status_note_t *next = note->next;
    free(note);
    note = next;
  }
  free(record);
}

iree_status_t iree_status_ignore(iree_status_t status) {
  iree_status_free(status);
  return iree_ok_status();
}

iree_status_code_t iree_status_consume_code(iree_status_t status) {
  iree_status_code_t code = iree_status_code(status);
  iree_status_free(status);
  return code;
}

// Links |note| (may be NULL when memory ran out) to a failing status; makes a record if it has
// none.
static iree_status_t status_add_note(iree_status_t status, status_note_t *note) {
  status_record_t *record = status_record(status);
  if (!record) record = status_record_alloc(0, 0);
  if (!record || !note) {
    free(note);
    return record ? status_from_record(iree_status_code(status), record) : status;
  }
  note->next = NULL;
  if (record->last_note)
    record->last_note->next = note;
  else
    record->first_note = note;
  record->last_note = note;
  return status_from_record(iree_status_code(status), record);
}

static status_note_t *status_note_alloc(iree_host_size_t size) {
  iree_host_size_t total = 0;
  if (!iree_host_size_checked_add(sizeof(status_note_t) + 1, size, &total)) return NULL;
  status_note_t *note = malloc(total);
  if (note) note->size = size;
  return note;
}

iree_status_t iree_status_annotate(iree_status_t base_status, iree_string_view_t message) {
  if (IREE_STATUS_MODE < 2 || iree_status_is_ok(base_status) || message.size == 0) {
    return base_status;
  }
  status_note_t *note = status_note_alloc(message.size);
  if (note) iree_string_view_to_cstring(message, note->text, message.size + 1);
  return status_add_note(base_status, note);
}

iree_status_t iree_status_annotate_f(iree_status_t base_status, const char *format, ...) {
  if (IREE_STATUS_MODE < 2 || iree_status_is_ok(base_status)) return base_status;
  va_list varargs;
  va_start(varargs, format);
  int length = vsnprintf(NULL, 0, format, varargs);
  va_end(varargs);
  if (length <= 0) return base_status;
  status_note_t *note = status_note_alloc((iree_host_size_t)length);
  if (note) {
    va_start(varargs, format);
    vsnprintf(note->text, (size_t)length + 1, format, varargs);
    va_end(varargs);
  }
  return status_add_note(base_status, note);
}

iree_status_t iree_status_clone(iree_status_t status) {
  status_record_t *record = status_record(status);
  if (!record) return status;
  iree_status_t clone = iree_status_allocate_copy(
      iree_status_code(status), iree_make_cstring_view(record->file), record->line, record->text);
  for (status_note_t *note = record->first_note; note; note = note->next) {
    clone = iree_status_annotate(clone, iree_make_string_view(note->text, note->size));
  }
  return clone;
}

iree_status_t iree_status_join(iree_status_t base_status, iree_status_t new_status) {
  if (iree_status_is_ok(base_status)) return new_status;
  if (iree_status_is_ok(new_status)) return base_status;
  char *text = NULL;
  iree_host_size_t size = 0;
  iree_allocator_t allocator = iree_allocator_system();
  if (iree_status_to_string(new_status, &allocator, &text, &size)) {
    base_status = iree_status_annotate_f(base_status, "then %s", text);
    iree_allocator_free(allocator, text);
  }
  iree_status_free(new_status);
  return base_status;
}

void iree_status_abort(iree_status_t status) {
  iree_status_fprint(stderr, status);
  abort();
}

// Appends |text| at |*length| as far as it fits and always counts it.
static void status_emit(char *buffer, iree_host_size_t capacity, iree_host_size_t *length,
                        const char *text, iree_host_size_t size) {
  if (*length < capacity) {
    iree_host_size_t room = capacity - *length;
    memcpy(buffer + *length, text, size < room ? size : room);
  }
  *length += size;
}

bool iree_status_format(iree_status_t status, iree_host_size_t buffer_capacity, char *buffer,
                        iree_host_size_t *out_buffer_length) {
  iree_host_size_t length = 0;
  const status_record_t *record = status_record(status);
  if (record && record->file && record->file[0]) {
    char line[16];
    int line_size = snprintf(line, sizeof(line), ":%u: ", record->line);
    status_emit(buffer, buffer_capacity, &length, record->file, strlen(record->file));
    status_emit(buffer, buffer_capacity, &length, line, (iree_host_size_t)line_size);
  }
  const char *name = iree_status_code_string(iree_status_code(status));
  status_emit(buffer, buffer_capacity, &length, name, strlen(name));
  if (record && record->text.size) {
    status_emit(buffer, buffer_capacity, &length, "; ", 2);
    status_emit(buffer, buffer_capacity, &length, record->text.data, record->text.size);
  }
  for (const status_note_t *note = record ? record->first_note : NULL; note; note = note->next) {
    // A note that starts a line of its own (a stack frame) brings its newline along.
    status_emit(buffer, buffer_capacity, &length, "; ", note->text[0] == '\n' ? 1 : 2);
    status_emit(buffer, buffer_capacity, &length, note->text, note->size);
  }
  *out_buffer_length = length;
  if (buffer_capacity == 0) return buffer == NULL;
  buffer[length < buffer_capacity ? length : buffer_capacity - 1] = 0;
  return length < buffer_capacity;
}

bool iree_status_to_string(iree_status_t status, const iree_allocator_t *allocator,
                           char **out_buffer, iree_host_size_t *out_buffer_length) {
  *out_buffer = NULL;
  *out_buffer_length = 0;
  iree_host_size_t length = 0;
  iree_status_format(status, 0, NULL, &length);
  void *buffer = NULL;
  iree_status_t alloc_status = iree_allocator_malloc_uninitialized(*allocator, length + 1, &buffer);
  if (!iree_status_is_ok(alloc_status)) {
    iree_status_free(alloc_status);
    return false;
  }
  iree_status_format(status, length + 1, buffer, out_buffer_length);
  *out_buffer = buffer;
  return true;
}

bool iree_status_format_to(iree_status_t status, iree_status_output_fn_t output_fn,
                           void *user_data) {
  iree_allocator_t allocator = iree_allocator_system();
  char *text = NULL;
  iree_host_size_t size = 0;
  if (!iree_status_to_string(status, &allocator, &text, &size)) return false;
  bool is_taken = output_fn(iree_make_string_view(text, size), user_data);
  iree_allocator_free(allocator, text);
  return is_taken;
}

void iree_status_fprint(FILE *file, iree_status_t status) {
  iree_allocator_t allocator = iree_allocator_system();
  char *text = NULL;
  iree_host_size_t size = 0;
  if (iree_status_to_string(status, &allocator, &text, &size)) {
    fprintf(file, "%s\n", text);
    iree_allocator_free(allocator, text);
  } else {
    fprintf(file, "%s\n", iree_status_code_string(iree_status_code(status)));
  }
  fflush(file);
}

iree_status_source_location_t iree_status_source_location(iree_status_t status) {
  const status_record_t *record = status_record(status);
  iree_status_source_location_t location = {record ? record->file : NULL,
                                            record ? record->line : 0};
  return location;
}

iree_string_view_t iree_status_message(iree_status_t status) {
  const status_record_t *record = status_record(status);
  return record ? record->text : iree_string_view_empty();
}
