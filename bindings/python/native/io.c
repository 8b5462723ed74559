// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters: files, indices of what they hold, and the module that programs load them through.
#include <string.h>

#include "binding.h"
#include "iree/io/file_handle.h"
#include "iree/io/formats/irpa/irpa_builder.h"
#include "iree/io/formats/parser_registry.h"
#include "iree/io/parameter_index_provider.h"
#include "iree/modules/io/parameters/module.h"

static iree_allocator_t allocator(void) { return iree_allocator_system(); }

// ---- FileHandle: memory of an object, of a mapped file, or a descriptor
typedef struct held_buffer {
  Py_buffer view;
} held_buffer_t;
// Runs in whichever thread drops the last reference.
static void release_held(void *user_data, iree_io_file_handle_primitive_t primitive) {
  (void)primitive;
  if (!Py_IsInitialized()) return;  // too late to tell the object
  PyGILState_STATE lock = PyGILState_Ensure();
  held_buffer_t *held = user_data;
  PyBuffer_Release(&held->view);
  PyMem_Free(held);
  PyGILState_Release(lock);
}
static iree_io_file_access_t access_of(int readable, int writable) {
  return (readable ? IREE_IO_FILE_ACCESS_READ : 0u) | (writable ? IREE_IO_FILE_ACCESS_WRITE : 0u);
}
// A handle of the bytes of |o|, which it keeps; NULL with an exception.
static iree_io_file_handle_t *wrap_object(PyObject *o, int readable, int writable, Py_ssize_t *out_length) {
  held_buffer_t *held = PyMem_Malloc(sizeof *held);
  if (!held) return (iree_io_file_handle_t *)PyErr_NoMemory();
  if (PyObject_GetBuffer(o, &held->view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE)) {
    PyMem_Free(held);
    return NULL;
  }
  *out_length = held->view.len;
  iree_io_file_handle_t *handle = NULL;
  const iree_io_file_handle_release_callback_t release = {release_held, held};
  const iree_byte_span_t bytes = iree_make_byte_span(held->view.buf, (iree_host_size_t)held->view.len);
  if (binding_ok(iree_io_file_handle_wrap_host_allocation(access_of(readable, writable), bytes, release, allocator(), &handle))) return handle;
  PyBuffer_Release(&held->view);
  PyMem_Free(held);
  return NULL;
}
static PyObject *file_wrap_memory(PyObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"host_buffer", "readable", "writable", NULL};
  PyObject *o;
  int readable = 1, writable = 0;
  Py_ssize_t length;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|pp", names, &o, &readable, &writable)) return NULL;
  iree_io_file_handle_t *handle = wrap_object(o, readable, writable, &length);
  return handle ? binding_wrap(PyType_GetModuleState((PyTypeObject *)type), TYPE_FILE_HANDLE, handle, NULL) : NULL;
}
static PyObject *file_wrap_fd(PyObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"fd", "readable", "writable", NULL};
  int fd, readable = 1, writable = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i|pp", names, &fd, &readable, &writable)) return NULL;
  const iree_io_file_mode_t mode = (readable ? IREE_IO_FILE_MODE_READ : 0u) | (writable ? IREE_IO_FILE_MODE_WRITE : 0u);
  iree_io_file_handle_t *handle = NULL;
  if (!binding_ok(iree_io_file_handle_open_fd(mode, fd, allocator(), &handle))) return NULL;
  return binding_wrap(PyType_GetModuleState((PyTypeObject *)type), TYPE_FILE_HANDLE, handle, NULL);
}
static int file_get_buffer(PyObject *self, Py_buffer *view, int flags) {
  const iree_io_file_handle_t *handle = binding_self(self);
  if (iree_io_file_handle_type(handle) != IREE_IO_FILE_HANDLE_TYPE_HOST_ALLOCATION) {
    PyErr_SetString(PyExc_ValueError, "FileHandle is not based on a host allocation: load the file by path to see its bytes");
    return -1;
  }
  const iree_byte_span_t bytes = iree_io_file_handle_value(handle).host_allocation;
  const int is_read_only = !(iree_io_file_handle_access(handle) & IREE_IO_FILE_ACCESS_WRITE);
  return PyBuffer_FillInfo(view, self, bytes.data, (Py_ssize_t)bytes.data_length, is_read_only, flags);
}
static PyObject *file_is_memory(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(iree_io_file_handle_type(binding_self(self)) == IREE_IO_FILE_HANDLE_TYPE_HOST_ALLOCATION);
}
static PyObject *file_is_fd(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(iree_io_file_handle_type(binding_self(self)) == IREE_IO_FILE_HANDLE_TYPE_FD);
}
static PyObject *file_memory(PyObject *self, void *unused) {
  (void)unused;
  return PyMemoryView_FromObject(self);
}
static PyObject *file_fd(PyObject *self, void *unused) {
  (void)unused;
  if (iree_io_file_handle_type(binding_self(self)) != IREE_IO_FILE_HANDLE_TYPE_FD) {
    PyErr_SetString(PyExc_ValueError, "FileHandle has no descriptor");
    return NULL;
  }
  return PyLong_FromLong(iree_io_file_handle_value(binding_self(self)).fd);
}
static PyObject *file_repr(PyObject *self) {
  if (iree_io_file_handle_type(binding_self(self)) == IREE_IO_FILE_HANDLE_TYPE_FD)
    return PyUnicode_FromFormat("FileHandle<fd(%d)>", iree_io_file_handle_value(binding_self(self)).fd);
  PyObject *memory = PyMemoryView_FromObject(self);
  PyObject *text = memory ? PyUnicode_FromFormat("FileHandle<host_allocation(%R)>", memory) : NULL;
  Py_XDECREF(memory);
  return text;
}
static PyMethodDef file_methods[] = {
    {"wrap_memory", (PyCFunction)(void (*)(void))file_wrap_memory, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "wrap_memory(host_buffer, readable=True, writable=False) -> FileHandle\n\nThe bytes of an object with the buffer protocol, which it keeps."},
    {"wrap_fd", (PyCFunction)(void (*)(void))file_wrap_fd, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "wrap_fd(fd, readable=True, writable=False) -> FileHandle\n\nA duplicate of a descriptor."},
    {NULL, NULL, 0, NULL}};
static PyObject *file_is_async(PyObject *self, void *unused) {
  (void)self, (void)unused;
  Py_RETURN_FALSE;
}
static PyGetSetDef file_getters[] = {{"is_async", file_is_async, NULL, "Whether it is read by the system in the background: never here.", NULL},
                                     {"is_host_allocation", file_is_memory, NULL, "Whether it is memory.", NULL},
                                     {"is_fd", file_is_fd, NULL, "Whether it is a descriptor.", NULL},
                                     {"host_allocation", file_memory, NULL, "The memory as a memoryview.", NULL},
                                     {"fd", file_fd, NULL, "The descriptor.", NULL},
                                     {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot file_handle_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new},  {Py_tp_methods, file_methods},
                                   {Py_tp_getset, file_getters},     {Py_tp_repr, file_repr},      {Py_bf_getbuffer, file_get_buffer},
                                   {Py_tp_doc, "A file or memory that parameters stand in."}, {0, NULL}};

// ---- ParameterIndexEntry: borrowed from the index, which it keeps
void binding_free_entry(void *p) { (void)p; }

static const iree_io_parameter_index_entry_t *entry_of(PyObject *self) { return binding_self(self); }
static bool is_splat(PyObject *self) { return entry_of(self)->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT; }
static PyObject *entry_key(PyObject *self, void *unused) {
  (void)unused;
  return binding_string(entry_of(self)->key);
}
static PyObject *entry_length(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(entry_of(self)->length);
}
static PyObject *entry_metadata(PyObject *self, void *unused) {
  (void)unused;
  const iree_const_byte_span_t metadata = entry_of(self)->metadata;
  return PyBytes_FromStringAndSize((const char *)metadata.data, (Py_ssize_t)metadata.data_length);
}
static PyObject *entry_is_file(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(!is_splat(self));
}
static PyObject *entry_is_splat(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(is_splat(self));
}
static PyObject *entry_file_storage(PyObject *self, void *unused) {
  (void)unused;
  if (is_splat(self)) {
    PyErr_SetString(PyExc_ValueError, "Entry is not file storage based");
    return NULL;
  }
  iree_io_file_handle_t *handle = entry_of(self)->storage.file.handle;
  iree_io_file_handle_retain(handle);
  PyObject *file = binding_wrap(binding_state_of(self), TYPE_FILE_HANDLE, handle, NULL);
  return file ? Py_BuildValue("(NK)", file, (unsigned long long)entry_of(self)->storage.file.offset) : NULL;
}
static PyObject *entry_file_view(PyObject *self, void *unused) {
  PyObject *storage = entry_file_storage(self, unused);
  PyObject *memory = storage ? PyMemoryView_FromObject(PyTuple_GetItem(storage, 0)) : NULL;
  const iree_io_parameter_index_entry_t *entry = entry_of(self);
  PyObject *part = NULL;
  if (memory && entry->storage.file.offset + entry->length > PY_SSIZE_T_MAX)
    PyErr_SetString(PyExc_ValueError, "the entry is not in memory");
  else if (memory)
    part = PySequence_GetSlice(memory, (Py_ssize_t)entry->storage.file.offset, (Py_ssize_t)(entry->storage.file.offset + entry->length));
  Py_XDECREF(memory);
  Py_XDECREF(storage);
  return part;
}
static PyObject *entry_splat_pattern(PyObject *self, void *unused) {
  (void)unused;
  if (!is_splat(self)) {
    PyErr_SetString(PyExc_ValueError, "Entry is not splat");
    return NULL;
  }
  return PyBytes_FromStringAndSize((const char *)entry_of(self)->storage.splat.pattern, entry_of(self)->storage.splat.pattern_length);
}
static PyObject *entry_repr(PyObject *self) {
  PyObject *key = entry_key(self, NULL), *text = NULL;
  if (!key) return NULL;
  if (is_splat(self)) {
    PyObject *pattern = entry_splat_pattern(self, NULL);
    if (pattern) text = PyUnicode_FromFormat("<ParameterIndexEntry '%U' splat %R:%llu>", key, pattern, (unsigned long long)entry_of(self)->length);
    Py_XDECREF(pattern);
  } else {
    PyObject *storage = entry_file_storage(self, NULL);
    if (storage)
      text = PyUnicode_FromFormat("<ParameterIndexEntry '%U' %R:%llu:%llu>", key, PyTuple_GetItem(storage, 0),
                                  (unsigned long long)entry_of(self)->storage.file.offset, (unsigned long long)entry_of(self)->length);
    Py_XDECREF(storage);
  }
  Py_DECREF(key);
  return text;
}
static PyGetSetDef entry_getters[] = {{"key", entry_key, NULL, "Name in the scope.", NULL},
                                      {"length", entry_length, NULL, "Bytes.", NULL},
                                      {"metadata", entry_metadata, NULL, "As bytes; empty if there is none.", NULL},
                                      {"is_file", entry_is_file, NULL, "Whether it stands in a file or memory.", NULL},
                                      {"is_splat", entry_is_splat, NULL, "Whether it is a repeated pattern.", NULL},
                                      {"file_storage", entry_file_storage, NULL, "(FileHandle, offset); ValueError for splats.", NULL},
                                      {"file_view", entry_file_view, NULL, "The bytes as a memoryview; ValueError for splats and descriptors.", NULL},
                                      {"splat_pattern", entry_splat_pattern, NULL, "The pattern as bytes; ValueError for files.", NULL},
                                      {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot index_entry_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new}, {Py_tp_getset, entry_getters},
                                   {Py_tp_repr, entry_repr},         {Py_tp_doc, "A parameter of an index."}, {0, NULL}};

PyType_Slot provider_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new},
                                {Py_tp_doc, "What serves the parameters of a scope; made by ParameterIndex.create_provider."}, {0, NULL}};

// ---- ParameterIndex
static PyObject *index_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {NULL};
  iree_io_parameter_index_t *index = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "", names)) return NULL;
  if (!binding_ok(iree_io_parameter_index_create(allocator(), &index))) return NULL;
  return binding_wrap(PyType_GetModuleState(type), TYPE_PARAMETER_INDEX, index, NULL);
}
static Py_ssize_t index_length(PyObject *self) { return (Py_ssize_t)iree_io_parameter_index_count(binding_self(self)); }
static PyObject *index_item(PyObject *self, Py_ssize_t i) {
  const iree_io_parameter_index_entry_t *entry = NULL;
  iree_host_size_t at = i < 0 ? IREE_HOST_SIZE_MAX : (iree_host_size_t)i;
  if (!binding_ok(iree_io_parameter_index_get(binding_self(self), at, &entry))) return NULL;
  return binding_wrap(binding_state_of(self), TYPE_PARAMETER_INDEX_ENTRY, (void *)(uintptr_t)entry, self);
}
static PyObject *index_items(PyObject *self, PyObject *unused) {
  (void)unused;
  PyObject *items = PyList_New(0);
  for (Py_ssize_t i = 0; items && i < index_length(self); ++i) {
    PyObject *entry = index_item(self, i), *key = entry ? entry_key(entry, NULL) : NULL;
    PyObject *pair = key ? PyTuple_Pack(2, key, entry) : NULL;
    if (!pair || PyList_Append(items, pair)) Py_CLEAR(items);
    Py_XDECREF(pair), Py_XDECREF(key), Py_XDECREF(entry);
  }
  return items;
}
static PyObject *index_repr(PyObject *self) {
  iree_string_builder_t text;
  iree_string_builder_initialize(allocator(), &text);
  iree_status_t status = iree_io_parameter_index_dump(iree_string_view_empty(), binding_self(self), &text);
  PyObject *result = iree_status_is_ok(status) ? binding_string(iree_string_builder_view(&text)) : NULL;
  iree_string_builder_deinitialize(&text);
  return binding_ok(status) ? result : NULL;
}
static PyObject *none_if_ok(iree_status_t status) {
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyObject *index_reserve(PyObject *self, PyObject *capacity) {
  size_t n = PyLong_AsSize_t(capacity);
  if (PyErr_Occurred()) return NULL;
  return none_if_ok(iree_io_parameter_index_reserve(binding_self(self), n));
}
// Key and metadata of a new entry; metadata is a str, bytes or None.
static bool fill_names(const char *key, Py_ssize_t key_size, const char *metadata, Py_ssize_t metadata_size, iree_io_parameter_index_entry_t *out) {
  *out = (iree_io_parameter_index_entry_t){.key = iree_make_string_view(key, (iree_host_size_t)key_size),
                                           .metadata = iree_make_const_byte_span(metadata, metadata ? (iree_host_size_t)metadata_size : 0)};
  return true;
}
static PyObject *index_add_splat(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"key", "pattern", "total_length", "metadata", NULL};
  const char *key, *metadata = NULL;
  Py_ssize_t key_size, metadata_size = 0;
  PyObject *pattern_object;
  unsigned long long length;
  Py_buffer pattern;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#OK|z#", names, &key, &key_size, &pattern_object, &length, &metadata, &metadata_size) ||
      PyObject_GetBuffer(pattern_object, &pattern, PyBUF_SIMPLE))
    return NULL;
  iree_io_parameter_index_entry_t entry;
  fill_names(key, key_size, metadata, metadata_size, &entry);
  entry.length = length;
  entry.type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT;
  PyObject *result = NULL;
  if (pattern.len < 1 || pattern.len > IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH) {
    PyErr_Format(PyExc_ValueError, "a pattern of %zd bytes; 1 to %d are possible", pattern.len, IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH);
  } else {
    entry.storage.splat.pattern_length = (uint8_t)pattern.len;
    memcpy(entry.storage.splat.pattern, pattern.buf, (size_t)pattern.len);
    result = none_if_ok(iree_io_parameter_index_add(binding_self(self), &entry));
  }
  PyBuffer_Release(&pattern);
  return result;
}
static PyObject *add_file(PyObject *self, iree_io_parameter_index_entry_t *entry, iree_io_file_handle_t *handle, uint64_t offset, uint64_t length) {
  entry->length = length;
  entry->type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE;
  entry->storage.file.handle = handle;
  entry->storage.file.offset = offset;
  return none_if_ok(iree_io_parameter_index_add(binding_self(self), entry));
}
static PyObject *index_add_from_file_handle(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"key", "file_handle", "length", "offset", "metadata", NULL};
  const char *key, *metadata = NULL;
  Py_ssize_t key_size, metadata_size = 0;
  PyObject *file;
  unsigned long long length, offset = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#OK|Kz#", names, &key, &key_size, &file, &length, &offset, &metadata, &metadata_size)) return NULL;
  iree_io_file_handle_t *handle = binding_unwrap(binding_state_of(self), file, TYPE_FILE_HANDLE);
  iree_io_parameter_index_entry_t entry;
  if (!handle || !fill_names(key, key_size, metadata, metadata_size, &entry)) return NULL;
  return add_file(self, &entry, handle, offset, length);
}
static PyObject *index_add_buffer(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"key", "buffer", "readable", "writable", "metadata", NULL};
  const char *key, *metadata = NULL;
  Py_ssize_t key_size, metadata_size = 0, length = 0;
  PyObject *buffer;
  int readable = 1, writable = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#O|ppz#", names, &key, &key_size, &buffer, &readable, &writable, &metadata, &metadata_size)) return NULL;
  iree_io_file_handle_t *handle = wrap_object(buffer, readable, writable, &length);
  iree_io_parameter_index_entry_t entry;
  if (!handle || !fill_names(key, key_size, metadata, metadata_size, &entry)) return NULL;
  PyObject *result = add_file(self, &entry, handle, 0, (uint64_t)length);
  iree_io_file_handle_release(handle);
  return result;
}
static iree_status_t parse(PyObject *self, iree_io_file_handle_t *handle, iree_string_view_t format) {
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_io_parse_file_index(format, handle, binding_self(self), allocator());
  Py_END_ALLOW_THREADS;
  return status;
}
static PyObject *index_load_from_file_handle(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"file_handle", "format", NULL};
  PyObject *file;
  const char *format;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Os", names, &file, &format)) return NULL;
  iree_io_file_handle_t *handle = binding_unwrap(binding_state_of(self), file, TYPE_FILE_HANDLE);
  return handle ? none_if_ok(parse(self, handle, iree_make_cstring_view(format))) : NULL;
}
// A view of a file as memory, so that Python sees the bytes.
static void release_view(void *user_data, iree_io_file_handle_primitive_t primitive) {
  (void)primitive;
  iree_io_file_mapping_release(user_data);
}
static iree_status_t map_file(iree_string_view_t path, int writable, iree_io_file_handle_t **out_handle) {
  const iree_io_file_mode_t mode = IREE_IO_FILE_MODE_READ | (writable ? IREE_IO_FILE_MODE_WRITE : 0u);
  const iree_io_file_access_t access = access_of(1, writable);
  iree_io_file_handle_t *file = NULL;
  iree_io_file_mapping_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_io_file_handle_open(mode, path, allocator(), &file));
  iree_status_t status = iree_io_file_map_view(file, access, 0, IREE_HOST_SIZE_MAX, IREE_IO_FILE_MAPPING_FLAG_NONE, allocator(), &view);
  iree_io_file_handle_release(file);  // the view keeps it
  IREE_RETURN_IF_ERROR(status);
  const iree_io_file_handle_release_callback_t release = {release_view, view};
  const iree_byte_span_t bytes = iree_cast_const_byte_span(iree_io_file_mapping_contents_ro(view));
  status = iree_io_file_handle_wrap_host_allocation(access, bytes, release, allocator(), out_handle);
  if (!iree_status_is_ok(status)) iree_io_file_mapping_release(view);
  return status;
}
static PyObject *index_load(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"file_path", "format", "readable", "writable", "mmap", NULL};
  const char *format = NULL;
  PyObject *path_bytes = NULL;
  int readable = 1, writable = 0, mmap = 1;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|zppp", names, PyUnicode_FSConverter, &path_bytes, &format, &readable, &writable, &mmap)) return NULL;
  const iree_string_view_t path = iree_make_cstring_view(PyBytes_AsString(path_bytes));
  iree_io_file_handle_t *handle = NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = mmap ? map_file(path, writable, &handle) : iree_io_file_handle_preload(IREE_IO_FILE_MODE_READ, path, allocator(), &handle);
  Py_END_ALLOW_THREADS;
  if (iree_status_is_ok(status)) status = parse(self, handle, format ? iree_make_cstring_view(format) : path);
  iree_io_file_handle_release(handle);
  Py_DECREF(path_bytes);
  return none_if_ok(status);
}
static PyObject *index_create_provider(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"scope", "max_concurrent_operations", NULL};
  const char *scope = "";
  Py_ssize_t scope_size = 0;
  PyObject *operations = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|s#O", names, &scope, &scope_size, &operations)) return NULL;
  size_t n = operations == Py_None ? IREE_IO_PARAMETER_INDEX_PROVIDER_DEFAULT_MAX_CONCURRENT_OPERATIONS : PyLong_AsSize_t(operations);
  if (PyErr_Occurred()) return NULL;
  iree_io_parameter_provider_t *provider = NULL;
  if (!binding_ok(iree_io_parameter_index_provider_create(iree_make_string_view(scope, (iree_host_size_t)scope_size), binding_self(self), n,
                                                          allocator(), &provider)))
    return NULL;
  return binding_wrap(binding_state_of(self), TYPE_PARAMETER_PROVIDER, provider, NULL);
}
static iree_status_t open_archive(void *user_data, iree_io_physical_offset_t offset, iree_io_physical_size_t length, iree_io_file_handle_t **out_handle) {
  return iree_io_file_handle_create(IREE_IO_FILE_MODE_READ | IREE_IO_FILE_MODE_WRITE, iree_make_cstring_view(user_data), offset + length, allocator(),
                                    out_handle);
}
static PyObject *index_create_archive_file(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"file_path", "file_offset", "target_index", NULL};
  PyObject *path = NULL, *target = Py_None;
  unsigned long long offset = 0;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|KO", names, PyUnicode_FSConverter, &path, &offset, &target)) return NULL;
  target = target == Py_None ? PyObject_CallNoArgs((PyObject *)state->types[TYPE_PARAMETER_INDEX]) : Py_NewRef(target);
  iree_io_parameter_index_t *index = target ? binding_unwrap(state, target, TYPE_PARAMETER_INDEX) : NULL;
  bool is_written = false;
  if (index) {
    const iree_io_parameter_archive_file_open_callback_t open = {open_archive, PyBytes_AsString(path)};
    iree_status_t status;
    Py_BEGIN_ALLOW_THREADS;
    status = iree_io_build_parameter_archive(binding_self(self), index, open, offset, allocator());
    Py_END_ALLOW_THREADS;
    is_written = binding_ok(status);
  }
  Py_DECREF(path);
  if (!is_written) Py_CLEAR(target);
  return target;
}
static PyMethodDef index_methods[] = {
    {"items", index_items, METH_NOARGS, "items() -> list[(str, ParameterIndexEntry)]"},
    {"reserve", index_reserve, METH_O, "reserve(new_capacity)\n\nMakes room for as many entries."},
    {"add_splat", KEYWORDS(index_add_splat), "add_splat(key, pattern, total_length, metadata=None)\n\nA pattern of 1 to 16 bytes, repeated to the length."},
    {"add_from_file_handle", KEYWORDS(index_add_from_file_handle), "add_from_file_handle(key, file_handle, length, offset=0, metadata=None)"},
    {"add_buffer", KEYWORDS(index_add_buffer),
     "add_buffer(key, buffer, readable=True, writable=False, metadata=None)\n\nThe bytes of an object with the buffer protocol, in place."},
    {"load_from_file_handle", KEYWORDS(index_load_from_file_handle),
     "load_from_file_handle(file_handle, format)\n\nAdds all of a file; formats: irpa, gguf, safetensors."},
    {"load", KEYWORDS(index_load),
     "load(file_path, format=None, readable=True, writable=False, mmap=True)\n\nAdds all of a file, whose extension says the format unless that is given."},
    {"create_provider", KEYWORDS(index_create_provider), "create_provider(scope='', max_concurrent_operations=None) -> ParameterProvider"},
    {"create_archive_file", KEYWORDS(index_create_archive_file),
     "create_archive_file(file_path, file_offset=0, target_index=None) -> ParameterIndex\n\nWrites all entries as an .irpa file; the index of what it holds."},
    {NULL, NULL, 0, NULL}};
PyType_Slot parameter_index_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, index_new},       {Py_tp_methods, index_methods},
                                       {Py_sq_length, index_length},     {Py_sq_item, index_item},     {Py_tp_repr, index_repr},
                                       {Py_tp_doc, "Parameters by name: ranges of files and memory, and repeated patterns. Entries are added, never removed."},
                                       {0, NULL}};

// ---- the module
PyObject *binding_create_io_parameters_module(PyObject *module, PyObject *args) {
  enum { MAX_PROVIDERS = 64 };
  binding_state_t *state = PyModule_GetState(module);
  Py_ssize_t n = PyTuple_Size(args) - 1;
  if (n < 0 || n > MAX_PROVIDERS) {
    PyErr_Format(PyExc_TypeError, "expected an instance and up to %d providers", MAX_PROVIDERS);
    return NULL;
  }
  iree_vm_instance_t *instance = binding_unwrap(state, PyTuple_GetItem(args, 0), TYPE_VM_INSTANCE);
  iree_io_parameter_provider_t *providers[MAX_PROVIDERS];
  for (Py_ssize_t i = 0; instance && i < n; ++i) {
    providers[i] = binding_unwrap(state, PyTuple_GetItem(args, i + 1), TYPE_PARAMETER_PROVIDER);
    if (!providers[i]) return NULL;
  }
  iree_vm_module_t *created = NULL;
  if (!instance || !binding_ok(iree_io_parameters_module_create(instance, (iree_host_size_t)n, providers, allocator(), &created))) return NULL;
  return binding_wrap(state, TYPE_VM_MODULE, created, NULL);
}
