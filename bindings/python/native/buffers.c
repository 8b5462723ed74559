// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: allocators, buffers, buffer views, and their bytes as Python's buffer protocol shows them.
#include <string.h>

#include "binding.h"

// ---- element types, from the format strings of the buffer protocol
static const struct {
  const char *format;
  iree_hal_element_type_t type;
} formats[] = {
    {"?", IREE_HAL_ELEMENT_TYPE_BOOL_8},    {"b", IREE_HAL_ELEMENT_TYPE_SINT_8},
    {"B", IREE_HAL_ELEMENT_TYPE_UINT_8},    {"h", IREE_HAL_ELEMENT_TYPE_SINT_16},
    {"H", IREE_HAL_ELEMENT_TYPE_UINT_16},   {"i", IREE_HAL_ELEMENT_TYPE_SINT_32},
    {"I", IREE_HAL_ELEMENT_TYPE_UINT_32},   {"l", IREE_HAL_ELEMENT_TYPE_SINT_64},
    {"L", IREE_HAL_ELEMENT_TYPE_UINT_64},   {"q", IREE_HAL_ELEMENT_TYPE_SINT_64},
    {"Q", IREE_HAL_ELEMENT_TYPE_UINT_64},   {"e", IREE_HAL_ELEMENT_TYPE_FLOAT_16},
    {"f", IREE_HAL_ELEMENT_TYPE_FLOAT_32},  {"d", IREE_HAL_ELEMENT_TYPE_FLOAT_64},
    {"Zf", IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_64}, {"Zd", IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_128},
};
static iree_hal_element_type_t element_type_of(const char *format) {
  if (!format) return IREE_HAL_ELEMENT_TYPE_UINT_8;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(formats[i].format, format)) return formats[i].type;
  return IREE_HAL_ELEMENT_TYPE_NONE;
}

// A view over all bytes of |bytes|, which may be more than the shape needs.
static iree_hal_buffer_view_t *copy_bytes(iree_hal_device_t *device, const Py_buffer *bytes, iree_hal_buffer_params_t params,
                                          iree_hal_element_type_t element_type) {
  iree_hal_dim_t shape[BINDING_MAX_RANK];
  iree_host_size_t rank = (iree_host_size_t)bytes->ndim;
  for (iree_host_size_t i = 0; i < rank; ++i) shape[i] = (iree_hal_dim_t)bytes->shape[i];
  iree_hal_allocator_t *allocator = iree_hal_device_allocator(device);
  iree_hal_buffer_t *buffer = NULL;
  iree_hal_buffer_view_t *view = NULL;
  iree_device_size_t need = 0, length = (iree_device_size_t)bytes->len;
  if (!binding_ok(iree_hal_buffer_compute_view_size(rank, shape, element_type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &need))) return NULL;
  if (need > length) {
    PyErr_Format(PyExc_ValueError, "elements of type 0x%08x need %llu bytes, the array has %llu", (unsigned)element_type, (unsigned long long)need,
                 (unsigned long long)length);
    return NULL;
  }
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_hal_allocator_allocate_buffer(allocator, params, length, &buffer);
  if (iree_status_is_ok(status) && length)
    status = iree_hal_device_transfer_h2d(device, bytes->buf, buffer, 0, length, IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT, iree_infinite_timeout());
  Py_END_ALLOW_THREADS;
  if (iree_status_is_ok(status))
    status = iree_hal_buffer_view_create(buffer, rank, shape, element_type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, iree_allocator_system(), &view);
  iree_hal_buffer_release(buffer);
  return binding_ok(status) ? view : NULL;
}
iree_hal_buffer_view_t *binding_copy_in(iree_hal_device_t *device, PyObject *o, iree_hal_buffer_params_t params,
                                        iree_hal_element_type_t element_type) {
  Py_buffer bytes;
  if (PyObject_GetBuffer(o, &bytes, PyBUF_ND | PyBUF_FORMAT)) return NULL;
  iree_hal_buffer_view_t *view = NULL;
  if (!element_type) element_type = element_type_of(bytes.format);
  if (!element_type) {
    PyErr_Format(PyExc_TypeError, "no element type for arrays of format '%s'", bytes.format);
  } else if (bytes.ndim > BINDING_MAX_RANK) {
    PyErr_Format(PyExc_ValueError, "an array of rank %d; at most %d is supported", bytes.ndim, BINDING_MAX_RANK);
  } else {
    view = copy_bytes(device, &bytes, params, element_type);
  }
  PyBuffer_Release(&bytes);
  return view;
}

// ---- allocators
static iree_hal_buffer_params_t params_of(unsigned long long type, unsigned long long usage) {
  return (iree_hal_buffer_params_t){.usage = (iree_hal_buffer_usage_t)usage, .type = (iree_hal_memory_type_t)type};
}
static PyObject *buffer_made(PyObject *self, iree_status_t status, iree_hal_buffer_t *buffer) {
  return binding_ok(status) ? binding_wrap(binding_state_of(self), TYPE_BUFFER, buffer, self) : NULL;
}
static PyObject *allocator_allocate(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"memory_type", "allowed_usage", "allocation_size", NULL};
  unsigned long long type, usage;
  Py_ssize_t size;
  iree_hal_buffer_params_t params;
  iree_hal_buffer_t *buffer = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "KKn", names, &type, &usage, &size)) return NULL;
  params = params_of(type, usage);
  if (size < 0) {
    PyErr_SetString(PyExc_ValueError, "an allocation of less than no bytes");
    return NULL;
  }
  iree_status_t status = iree_hal_allocator_allocate_buffer(binding_self(self), params, (iree_device_size_t)size, &buffer);
  return buffer_made(self, status, buffer);
}
static PyObject *allocator_copy(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"memory_type", "allowed_usage", "device", "buffer", "element_type", NULL};
  unsigned long long type, usage;
  PyObject *device_object, *buffer, *element = Py_None;
  iree_hal_buffer_params_t params;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "KKOO|O", names, &type, &usage, &device_object, &buffer, &element)) return NULL;
  params = params_of(type, usage);
  iree_hal_device_t *device = binding_unwrap(state, device_object, TYPE_DEVICE);
  if (!device) return NULL;
  unsigned long long element_type = element == Py_None ? IREE_HAL_ELEMENT_TYPE_UINT_8 : PyLong_AsUnsignedLongLong(element);
  if (PyErr_Occurred()) return NULL;
  iree_hal_buffer_view_t *view = NULL;
  if (element != Py_None) {
    view = binding_copy_in(device, buffer, params, (iree_hal_element_type_t)element_type);
    return view ? binding_wrap(state, TYPE_BUFFER_VIEW, view, device_object) : NULL;
  }
  // Without an element type only the bytes are meant.
  PyObject *flat = PyMemoryView_FromObject(buffer), *bytes = flat ? PyObject_CallMethod(flat, "cast", "s", "B") : NULL;
  view = bytes ? binding_copy_in(device, bytes, params, IREE_HAL_ELEMENT_TYPE_UINT_8) : NULL;
  Py_XDECREF(flat), Py_XDECREF(bytes);
  if (!view) return NULL;
  iree_hal_buffer_t *made = iree_hal_buffer_view_buffer(view);
  iree_hal_buffer_retain(made);
  iree_hal_buffer_view_release(view);
  return binding_wrap(state, TYPE_BUFFER, made, device_object);
}
static PyObject *allocator_compatibility(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"memory_type", "allowed_usage", "intended_usage", "allocation_size", NULL};
  unsigned long long type, allowed, intended;
  Py_ssize_t size;
  iree_hal_buffer_params_t params, out;
  iree_device_size_t out_size;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "KKKn", names, &type, &allowed, &intended, &size)) return NULL;
  params = params_of(type, allowed & intended);
  return PyLong_FromUnsignedLong(
      iree_hal_allocator_query_buffer_compatibility(binding_self(self), params, (iree_device_size_t)size, &out, &out_size));
}
static PyObject *allocator_trim(PyObject *self, PyObject *unused) {
  (void)unused;
  if (!binding_ok(iree_hal_allocator_trim(binding_self(self)))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *allocator_statistics(PyObject *self, void *unused) {
  (void)unused;
  iree_hal_allocator_statistics_t s;
  memset(&s, 0, sizeof s);
  iree_hal_allocator_query_statistics(binding_self(self), &s);
  return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K}", "host_bytes_peak", (unsigned long long)s.host_bytes_peak, "host_bytes_allocated",
                       (unsigned long long)s.host_bytes_allocated, "host_bytes_freed", (unsigned long long)s.host_bytes_freed,
                       "device_bytes_peak", (unsigned long long)s.device_bytes_peak, "device_bytes_allocated",
                       (unsigned long long)s.device_bytes_allocated, "device_bytes_freed", (unsigned long long)s.device_bytes_freed);
}
static PyObject *allocator_has_statistics(PyObject *self, void *unused) {
  (void)self, (void)unused;
  Py_RETURN_TRUE;
}
static PyObject *allocator_formatted_statistics(PyObject *self, void *unused) {
  (void)unused;
  iree_hal_allocator_statistics_t s;
  memset(&s, 0, sizeof s);
  iree_hal_allocator_query_statistics(binding_self(self), &s);
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  PyObject *text = NULL;
  if (binding_ok(iree_hal_allocator_statistics_format(&s, &builder)))
    text = PyUnicode_DecodeUTF8(iree_string_builder_buffer(&builder), (Py_ssize_t)iree_string_builder_size(&builder), "replace");
  iree_string_builder_deinitialize(&builder);
  return text;
}
static PyObject *allocator_staging_copy(PyObject *self, PyObject *args) {
  PyObject *device, *contents;
  if (!PyArg_ParseTuple(args, "OO", &device, &contents)) return NULL;
  PyObject *copy = PyObject_GetAttrString(self, "allocate_buffer_copy"), *made = NULL;
  if (copy)
    made = PyObject_CallFunction(copy, "kkOO", (unsigned long)IREE_HAL_MEMORY_TYPE_OPTIMAL_FOR_DEVICE,
                                 (unsigned long)IREE_HAL_BUFFER_USAGE_TRANSFER, device, contents);
  Py_XDECREF(copy);
  return made;
}
// The object that owns imported memory, until the buffer over it goes.
static void release_imported(void *user_data, iree_hal_buffer_t *buffer) {
  (void)buffer;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyBuffer_Release(user_data);
  PyMem_Free(user_data);
  PyGILState_Release(lock);
}
static PyObject *allocator_import(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"buffer_obj", "memory_type", "allowed_usage", NULL};
  PyObject *object;
  unsigned long long type, usage;
  iree_hal_buffer_params_t params;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OKK", names, &object, &type, &usage)) return NULL;
  params = params_of(type, usage);
  params.access = IREE_HAL_MEMORY_ACCESS_ALL | IREE_HAL_MEMORY_ACCESS_UNALIGNED;
  Py_buffer *bytes = PyMem_Calloc(1, sizeof *bytes);
  if (!bytes) return PyErr_NoMemory();
  if (PyObject_GetBuffer(object, bytes, PyBUF_ND | PyBUF_WRITABLE)) {
    PyMem_Free(bytes);
    return NULL;
  }
  iree_hal_external_buffer_t external = {.type = IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION, .size = (iree_device_size_t)bytes->len};
  external.handle.host_allocation.ptr = bytes->buf;
  iree_hal_buffer_t *buffer = NULL;
  iree_status_t status = iree_hal_allocator_import_buffer(binding_self(self), params, &external,
                                                          (iree_hal_buffer_release_callback_t){release_imported, bytes}, &buffer);
  if (!iree_status_is_ok(status)) release_imported(bytes, NULL);
  return buffer_made(self, status, buffer);
}
static PyMethodDef allocator_methods[] = {
    {"allocate_host_staging_buffer_copy", allocator_staging_copy, METH_VARARGS,
     "allocate_host_staging_buffer_copy(device, initial_contents) -> HalBuffer\n\nFor transfers."},
    {"import_host_allocation", (PyCFunction)(void (*)(void))allocator_import, METH_VARARGS | METH_KEYWORDS,
     "import_host_allocation(buffer_obj, memory_type, allowed_usage) -> HalBuffer\n\nOver the memory of what has the buffer protocol, writable."},
    {"allocate_buffer", (PyCFunction)(void (*)(void))allocator_allocate, METH_VARARGS | METH_KEYWORDS,
     "allocate_buffer(memory_type, allowed_usage, allocation_size) -> HalBuffer\n\nBytes, not initialised."},
    {"allocate_buffer_copy", (PyCFunction)(void (*)(void))allocator_copy, METH_VARARGS | METH_KEYWORDS,
     "allocate_buffer_copy(memory_type, allowed_usage, device, buffer, element_type=None) -> HalBuffer or HalBufferView\n\n"
     "A copy of what has the buffer protocol; a view of its shape if an element type is given."},
    {"query_buffer_compatibility", (PyCFunction)(void (*)(void))allocator_compatibility, METH_VARARGS | METH_KEYWORDS,
     "query_buffer_compatibility(memory_type, allowed_usage, intended_usage, allocation_size) -> int"},
    {"trim", allocator_trim, METH_NOARGS, "trim()\n\nGives unused memory back to the system."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef allocator_getters[] = {{"statistics", allocator_statistics, NULL, "Bytes allocated, freed and at the peak.", NULL},
                                          {"has_statistics", allocator_has_statistics, NULL, "True: they are always kept.", NULL},
                                          {"formatted_statistics", allocator_formatted_statistics, NULL, "The same as text.", NULL},
                                          {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot allocator_slots[] = {{Py_tp_dealloc, binding_dealloc},  {Py_tp_new, binding_no_new},
                                 {Py_tp_methods, allocator_methods}, {Py_tp_getset, allocator_getters},
                                 {Py_tp_doc, "Makes buffers of a device."}, {0, NULL}};

// ---- mapped memory: a buffer's bytes for as long as somebody looks at them
typedef struct mapping {
  iree_hal_buffer_mapping_t mapping;
  iree_hal_buffer_t *buffer;
  bool is_writable;
} mapping_t;
void binding_free_mapping(void *p) {
  mapping_t *m = p;
  iree_status_ignore(iree_hal_buffer_unmap_range(&m->mapping));
  iree_hal_buffer_release(m->buffer);
  PyMem_Free(m);
}
static PyObject *map_buffer(PyObject *self, iree_hal_buffer_t *buffer) {
  mapping_t *m = PyMem_Calloc(1, sizeof *m);
  if (!m) return PyErr_NoMemory();
  iree_hal_memory_access_t access = iree_hal_buffer_allowed_access(buffer) & (IREE_HAL_MEMORY_ACCESS_READ | IREE_HAL_MEMORY_ACCESS_WRITE);
  m->is_writable = (access & IREE_HAL_MEMORY_ACCESS_WRITE) != 0;
  if (!binding_ok(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED, access, 0, IREE_HAL_WHOLE_BUFFER, &m->mapping))) {
    PyMem_Free(m);
    return NULL;
  }
  m->buffer = buffer;
  iree_hal_buffer_retain(buffer);
  return binding_wrap(binding_state_of(self), TYPE_MAPPING, m, self);
}
static int mapping_get(PyObject *self, Py_buffer *view, int flags) {
  mapping_t *m = binding_self(self);
  return PyBuffer_FillInfo(view, self, m->mapping.contents.data, (Py_ssize_t)m->mapping.contents.data_length, !m->is_writable, flags);
}
static PyObject *mapping_asarray(PyObject *self, PyObject *args) {
  PyObject *shape, *wanted;
  if (!PyArg_ParseTuple(args, "OO", &shape, &wanted)) return NULL;
  PyObject *numpy = PyImport_ImportModule("numpy"), *dtype = numpy ? PyObject_CallMethod(numpy, "dtype", "O", wanted) : NULL,
           *has_objects = dtype ? PyObject_GetAttrString(dtype, "hasobject") : NULL,
           *size = has_objects ? PyObject_GetAttrString(dtype, "itemsize") : NULL, *array = NULL;
  // NumPy itself would crash over these.
  int refused = size ? PyObject_IsTrue(has_objects) || PyLong_AsLong(size) <= 0 : -1;
  if (refused > 0) PyErr_Format(PyExc_ValueError, "a device's memory holds no elements of %R", dtype);
  if (!refused) array = PyObject_CallMethod(numpy, "ndarray", "OOO", shape, dtype, self);
  Py_XDECREF(numpy), Py_XDECREF(dtype), Py_XDECREF(has_objects), Py_XDECREF(size);
  return array;
}
static PyMethodDef mapping_methods[] = {{"asarray", mapping_asarray, METH_VARARGS, "asarray(shape, dtype) -> numpy.ndarray\n\nOver this memory, not a copy."},
                                        {NULL, NULL, 0, NULL}};
PyType_Slot mapping_slots[] = {{Py_tp_dealloc, binding_dealloc},   {Py_tp_new, binding_no_new},
                               {Py_tp_methods, mapping_methods},   {Py_bf_getbuffer, mapping_get},
                               {Py_tp_doc, "Host view of a buffer; has the buffer protocol."}, {0, NULL}};

// ---- buffers
static PyObject *buffer_map(PyObject *self, PyObject *unused) {
  (void)unused;
  return map_buffer(self, binding_self(self));
}
static PyObject *buffer_length(PyObject *self, PyObject *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(iree_hal_buffer_byte_length(binding_self(self)));
}
static PyObject *buffer_memory_type(PyObject *self, PyObject *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(iree_hal_buffer_memory_type(binding_self(self)));
}
static PyObject *buffer_usage(PyObject *self, PyObject *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(iree_hal_buffer_allowed_usage(binding_self(self)));
}
static PyObject *buffer_fill_zero(PyObject *self, PyObject *args) {
  Py_ssize_t offset, length;
  if (!PyArg_ParseTuple(args, "nn", &offset, &length)) return NULL;
  if (offset < 0 || length < 0) {
    PyErr_SetString(PyExc_ValueError, "a range below zero");
    return NULL;
  }
  if (!binding_ok(iree_hal_buffer_map_zero(binding_self(self), (iree_device_size_t)offset, (iree_device_size_t)length))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *make_view(binding_state_t *state, PyObject *owner, iree_hal_buffer_t *buffer, PyObject *shape, unsigned long long type) {
  iree_hal_dim_t dims[BINDING_MAX_RANK];
  Py_ssize_t rank = binding_shape(shape, dims);
  iree_device_size_t need = 0;
  iree_hal_buffer_view_t *view = NULL;
  if (rank < 0 || !binding_ok(iree_hal_buffer_compute_view_size((iree_host_size_t)rank, dims, (iree_hal_element_type_t)type,
                                                                IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &need)))
    return NULL;
  if (need > iree_hal_buffer_byte_length(buffer)) {
    PyErr_Format(PyExc_ValueError, "a view of %llu bytes of a buffer of %llu", (unsigned long long)need,
                 (unsigned long long)iree_hal_buffer_byte_length(buffer));
    return NULL;
  }
  if (!binding_ok(iree_hal_buffer_view_create(buffer, (iree_host_size_t)rank, dims, (iree_hal_element_type_t)type,
                                              IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, iree_allocator_system(), &view)))
    return NULL;
  return binding_wrap(state, TYPE_BUFFER_VIEW, view, owner);
}
static PyObject *buffer_create_view(PyObject *self, PyObject *args) {
  PyObject *shape;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "On", &shape, &size)) return NULL;
  if (size <= 0 || size > 64) {
    PyErr_SetString(PyExc_ValueError, "an element size of 1 to 64 bytes is needed");
    return NULL;
  }
  return make_view(binding_state_of(self), self, binding_self(self), shape,
                   IREE_HAL_ELEMENT_TYPE_VALUE(IREE_HAL_NUMERICAL_TYPE_UNKNOWN, (unsigned)size * 8));
}
// Length, place and rights of a buffer, for people.
static PyObject *describe(iree_hal_buffer_t *buffer) {
  iree_bitfield_string_temp_t t, a, u;
  iree_string_view_t type = iree_hal_memory_type_format(iree_hal_buffer_memory_type(buffer), &t);
  iree_string_view_t access = iree_hal_memory_access_format(iree_hal_buffer_allowed_access(buffer), &a);
  iree_string_view_t usage = iree_hal_buffer_usage_format(iree_hal_buffer_allowed_usage(buffer), &u);
  char text[1024];
  PyOS_snprintf(text, sizeof text, "%llu bytes (at offset %llu into %llu), memory_type=%.*s, allowed_access=%.*s, allowed_usage=%.*s",
                (unsigned long long)iree_hal_buffer_byte_length(buffer), (unsigned long long)iree_hal_buffer_byte_offset(buffer),
                (unsigned long long)iree_hal_buffer_allocation_size(buffer), (int)type.size, type.data, (int)access.size, access.data,
                (int)usage.size, usage.data);
  return PyUnicode_FromString(text);
}
static PyObject *buffer_repr(PyObject *self) {
  PyObject *what = describe(binding_self(self)), *repr = what ? PyUnicode_FromFormat("<HalBuffer %U>", what) : NULL;
  Py_XDECREF(what);
  return repr;
}
static PyMethodDef buffer_methods[] = {{"map", buffer_map, METH_NOARGS, "map() -> MappedMemory\n\nRaises if the host cannot see the memory."},
                                       {"byte_length", buffer_length, METH_NOARGS, "byte_length() -> int"},
                                       {"memory_type", buffer_memory_type, METH_NOARGS, "memory_type() -> int, a set of MemoryType"},
                                       {"allowed_usage", buffer_usage, METH_NOARGS, "allowed_usage() -> int, a set of BufferUsage"},
                                       {"fill_zero", buffer_fill_zero, METH_VARARGS, "fill_zero(byte_offset, byte_length)"},
                                       {"create_view", buffer_create_view, METH_VARARGS, "create_view(shape, element_size) -> HalBufferView of opaque elements"},
                                       REF_METHODS,
                                       {NULL, NULL, 0, NULL}};
static PyGetSetDef buffer_getters[] = {REF_GETTERS, {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot buffer_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new},    {Py_tp_methods, buffer_methods},
                              {Py_tp_getset, buffer_getters},   REF_SLOTS,
                              {Py_tp_repr, buffer_repr},        {Py_tp_doc, "Bytes on a device."}, {0, NULL}};

// ---- views
static PyObject *view_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"buffer", "shape", "element_type", NULL};
  PyObject *buffer_object, *shape;
  unsigned long long element_type;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOK", names, &buffer_object, &shape, &element_type)) return NULL;
  binding_state_t *state = PyType_GetModuleState(type);
  iree_hal_buffer_t *buffer = binding_unwrap(state, buffer_object, TYPE_BUFFER);
  return buffer ? make_view(state, buffer_object, buffer, shape, element_type) : NULL;
}
static PyObject *view_map(PyObject *self, PyObject *unused) {
  (void)unused;
  return map_buffer(self, iree_hal_buffer_view_buffer(binding_self(self)));
}
static PyObject *view_buffer(PyObject *self, PyObject *unused) {
  (void)unused;
  iree_hal_buffer_t *buffer = iree_hal_buffer_view_buffer(binding_self(self));
  iree_hal_buffer_retain(buffer);
  return binding_wrap(binding_state_of(self), TYPE_BUFFER, buffer, self);
}
static PyObject *view_shape(PyObject *self, void *unused) {
  (void)unused;
  iree_hal_buffer_view_t *view = binding_self(self);
  Py_ssize_t n = (Py_ssize_t)iree_hal_buffer_view_shape_rank(view);
  PyObject *list = PyList_New(n);
  for (Py_ssize_t i = 0; list && i < n; ++i) {
    PyObject *dim = PyLong_FromUnsignedLongLong(iree_hal_buffer_view_shape_dim(view, (iree_host_size_t)i));
    if (!dim || PyList_SetItem(list, i, dim)) Py_CLEAR(list);
  }
  return list;
}
static PyObject *view_element_type(PyObject *self, void *unused) {
  (void)unused;
  binding_state_t *state = binding_state_of(self);
  PyObject *number = PyLong_FromUnsignedLong(iree_hal_buffer_view_element_type(binding_self(self)));
  PyObject *type = number ? binding_python(&state->element_type, "iree.runtime.enums", "HalElementType") : NULL;
  PyObject *named = type ? PyObject_CallFunctionObjArgs(type, number, NULL) : NULL;
  if (!named && number && PyErr_ExceptionMatches(PyExc_ValueError)) {
    PyErr_Clear();
    return number;  // one that has no name
  }
  Py_XDECREF(number);
  return named;
}
static PyObject *view_length(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(iree_hal_buffer_view_byte_length(binding_self(self)));
}
static PyObject *view_repr(PyObject *self) {
  iree_hal_buffer_view_t *view = binding_self(self);
  char type[16];
  PyOS_snprintf(type, sizeof type, "0x%08x", binding_shown_type(iree_hal_buffer_view_element_type(view)));
  PyObject *shape = view_shape(self, NULL), *joined = NULL;
  for (Py_ssize_t i = 0; shape && i < PyList_Size(shape); ++i) {
    PyObject *text = PyObject_Str(PyList_GetItem(shape, i));
    if (!text || PyList_SetItem(shape, i, text)) Py_CLEAR(shape);
  }
  PyObject *comma = PyUnicode_FromString(", ");
  if (shape && comma) joined = PyUnicode_Join(comma, shape);
  PyObject *what = joined ? describe(iree_hal_buffer_view_buffer(view)) : NULL,
           *repr = what ? PyUnicode_FromFormat("<HalBufferView (%U), element_type=%s, %U>", joined, type, what) : NULL;
  Py_XDECREF(comma), Py_XDECREF(joined), Py_XDECREF(shape), Py_XDECREF(what);
  return repr;
}
static PyMethodDef view_methods[] = {{"map", view_map, METH_NOARGS, "map() -> MappedMemory"},
                                     {"get_buffer", view_buffer, METH_NOARGS, "get_buffer() -> HalBuffer"},
                                     REF_METHODS,
                                     {NULL, NULL, 0, NULL}};
static PyGetSetDef view_getters[] = {{"shape", view_shape, NULL, "Dimensions, a list of int.", NULL},
                                     {"element_type", view_element_type, NULL, "A HalElementType.", NULL},
                                     {"byte_length", view_length, NULL, "Of the elements.", NULL},
                                     REF_GETTERS,
                                     {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot buffer_view_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, view_new},
                                   {Py_tp_methods, view_methods},    {Py_tp_getset, view_getters},
                                   {Py_tp_repr, view_repr},          REF_SLOTS,
                                   {Py_tp_doc, "A buffer as a dense array: HalBufferView(buffer, shape, element_type)."},
                                   {0, NULL}};
