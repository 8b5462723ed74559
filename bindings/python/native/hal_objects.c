// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drivers, devices, allocators, semaphores and fences.
#include <string.h>

#include "binding.h"
#include "iree/modules/hal/module.h"

#define SELF(T, name) T *name = binding_self(self)

static bool string_view(PyObject *o, iree_string_view_t *out) {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(o, &size);
  *out = iree_make_string_view(text, (iree_host_size_t)size);
  return text != NULL;
}

// ---- drivers
PyObject *binding_query_drivers(PyObject *module, PyObject *unused) {
  (void)unused;
  binding_state_t *state = PyModule_GetState(module);
  iree_hal_driver_info_t *infos = NULL;
  iree_host_size_t n = 0;
  if (!binding_ok(iree_hal_driver_registry_enumerate(state->registry, iree_allocator_system(), &n, &infos))) return NULL;
  PyObject *list = PyList_New(0);
  for (iree_host_size_t i = 0; list && i < n; ++i) {
    PyObject *name = binding_string(infos[i].driver_name);
    if (!name || PyList_Append(list, name)) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  iree_allocator_free(iree_allocator_system(), infos);
  return list;
}
PyObject *binding_create_driver(PyObject *module, PyObject *name) {
  binding_state_t *state = PyModule_GetState(module);
  iree_string_view_t view;
  iree_hal_driver_t *driver = NULL;
  if (!string_view(name, &view) ||
      !binding_ok(iree_hal_driver_registry_try_create(state->registry, view, iree_allocator_system(), &driver)))
    return NULL;
  return binding_wrap(state, TYPE_DRIVER, driver, NULL);
}
static PyObject *driver_devices(PyObject *self, PyObject *unused) {
  (void)unused;
  SELF(iree_hal_driver_t, driver);
  iree_hal_device_info_t *infos = NULL;
  iree_host_size_t n = 0;
  if (!binding_ok(iree_hal_driver_query_available_devices(driver, iree_allocator_system(), &n, &infos))) return NULL;
  PyObject *list = PyList_New(0);
  for (iree_host_size_t i = 0; list && i < n; ++i) {
    PyObject *row = Py_BuildValue("{s:K,s:s#,s:s#}", "device_id", (unsigned long long)infos[i].device_id, "path",
                                  infos[i].path.data ? infos[i].path.data : "", (Py_ssize_t)infos[i].path.size, "name",
                                  infos[i].name.data ? infos[i].name.data : "", (Py_ssize_t)infos[i].name.size);
    if (!row || PyList_Append(list, row)) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  iree_allocator_free(iree_allocator_system(), infos);
  return list;
}
static PyObject *wrap_device(PyObject *self, iree_status_t status, iree_hal_device_t *device) {
  return binding_ok(status) ? binding_wrap(binding_state_of(self), TYPE_DEVICE, device, self) : NULL;
}
static PyObject *driver_default_device(PyObject *self, PyObject *unused) {
  (void)unused;
  iree_hal_device_create_params_t params = iree_hal_device_create_params_default();
  iree_hal_device_t *device = NULL;
  iree_status_t status =
      iree_hal_driver_create_default_device(binding_self(self), &params, iree_allocator_system(), &device);
  return wrap_device(self, status, device);
}
static PyObject *driver_device(PyObject *self, PyObject *which) {
  iree_hal_device_create_params_t params = iree_hal_device_create_params_default();
  PyObject *id = PyDict_Check(which) ? PyDict_GetItemString(which, "device_id") : which;
  if (!id) {
    PyErr_SetString(PyExc_KeyError, "device_id");
    return NULL;
  }
  unsigned long long number = PyLong_AsUnsignedLongLong(id);
  if (PyErr_Occurred()) return NULL;
  iree_hal_device_t *device = NULL;
  iree_status_t status = iree_hal_driver_create_device_by_id(binding_self(self), (iree_hal_device_id_t)number, 0, NULL, &params,
                                                             iree_allocator_system(), &device);
  return wrap_device(self, status, device);
}
static PyObject *driver_device_by_uri(PyObject *self, PyObject *uri) {
  iree_hal_device_create_params_t params = iree_hal_device_create_params_default();
  iree_string_view_t view;
  if (!string_view(uri, &view)) return NULL;
  iree_hal_device_t *device = NULL;
  iree_status_t status =
      iree_hal_driver_create_device_by_uri(binding_self(self), view, &params, iree_allocator_system(), &device);
  return wrap_device(self, status, device);
}
static PyObject *driver_query(PyObject *unused, PyObject *none) {
  (void)unused, (void)none;
  PyObject *query = NULL, *m = PyImport_ImportModule("iree.runtime._native");
  if (m) query = PyObject_CallMethod(m, "query_drivers", NULL);
  Py_XDECREF(m);
  return query;
}
static PyMethodDef driver_methods[] = {
    {"query", driver_query, METH_NOARGS | METH_STATIC, "query() -> list[str]\n\nNames of the drivers of this build."},
    {"query_available_devices", driver_devices, METH_NOARGS, "query_available_devices() -> list[dict]\n\ndevice_id, path and name of each."},
    {"create_default_device", driver_default_device, METH_NOARGS, "create_default_device() -> HalDevice"},
    {"create_device", driver_device, METH_O, "create_device(device_id or a dict of query_available_devices) -> HalDevice"},
    {"create_device_by_uri", driver_device_by_uri, METH_O, "create_device_by_uri(uri) -> HalDevice\n\nDRIVER://PATH?KEY=VALUE&..."},
    {NULL, NULL, 0, NULL}};
PyType_Slot driver_slots[] = {{Py_tp_dealloc, binding_dealloc},
                              {Py_tp_new, binding_no_new},
                              {Py_tp_methods, driver_methods},
                              {Py_tp_doc, "Makes devices of one kind."},
                              {0, NULL}};

// ---- devices
static PyObject *device_allocator(PyObject *self, void *unused) {
  (void)unused;
  iree_hal_allocator_t *allocator = iree_hal_device_allocator(binding_self(self));
  iree_hal_allocator_retain(allocator);
  return binding_wrap(binding_state_of(self), TYPE_ALLOCATOR, allocator, self);
}
static PyObject *device_id(PyObject *self, void *unused) {
  (void)unused;
  return binding_string(iree_hal_device_id(binding_self(self)));
}
static PyObject *device_create_semaphore(PyObject *self, PyObject *value) {
  unsigned long long initial = PyLong_AsUnsignedLongLong(value);
  if (PyErr_Occurred()) return NULL;
  iree_hal_semaphore_t *semaphore = NULL;
  if (!binding_ok(iree_hal_semaphore_create(binding_self(self), IREE_HAL_QUEUE_AFFINITY_ANY, initial,
                                            IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore)))
    return NULL;
  return binding_wrap(binding_state_of(self), TYPE_SEMAPHORE, semaphore, self);
}

// Waits and signals: a HalFence, or a list of (HalSemaphore, value).
typedef struct timepoints {
  iree_hal_semaphore_list_t list;
  iree_hal_semaphore_t *semaphores[64];
  uint64_t values[64];
} timepoints_t;
static bool timepoints_of(binding_state_t *state, PyObject *o, timepoints_t *t) {
  if (binding_is(state, o, TYPE_FENCE)) {
    t->list = iree_hal_fence_semaphore_list(binding_unwrap(state, o, TYPE_FENCE));
    return true;
  }
  Py_ssize_t n = PySequence_Size(o);
  if (n < 0) return false;
  if (n > 64) {
    PyErr_SetString(PyExc_ValueError, "more than 64 semaphores; join them in a HalFence");
    return false;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *pair = PySequence_GetItem(o, i), *semaphore = pair ? PySequence_GetItem(pair, 0) : NULL,
             *value = semaphore ? PySequence_GetItem(pair, 1) : NULL;
    t->semaphores[i] = value ? binding_unwrap(state, semaphore, TYPE_SEMAPHORE) : NULL;
    t->values[i] = t->semaphores[i] ? PyLong_AsUnsignedLongLong(value) : 0;
    Py_XDECREF(pair), Py_XDECREF(semaphore), Py_XDECREF(value);
    if (PyErr_Occurred()) return false;
  }
  t->list = (iree_hal_semaphore_list_t){.count = (iree_host_size_t)n, .semaphores = t->semaphores, .payload_values = t->values};
  return true;
}
static PyObject *device_queue_alloca(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"allocation_size", "wait_semaphores", "signal_semaphores", NULL};
  Py_ssize_t size;
  PyObject *wait, *signal;
  timepoints_t w, s;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "nOO", names, &size, &wait, &signal) || !timepoints_of(state, wait, &w) ||
      !timepoints_of(state, signal, &s))
    return NULL;
  iree_hal_buffer_params_t params = {.usage = IREE_HAL_BUFFER_USAGE_DEFAULT, .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_buffer_t *buffer = NULL;
  if (!binding_ok(iree_hal_device_queue_alloca(binding_self(self), IREE_HAL_QUEUE_AFFINITY_ANY, w.list, s.list, NULL, params,
                                               (iree_device_size_t)size, 0, &buffer)))
    return NULL;
  return binding_wrap(state, TYPE_BUFFER, buffer, self);
}
static PyObject *device_queue_dealloca(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"buffer", "wait_semaphores", "signal_semaphores", NULL};
  PyObject *buffer, *wait, *signal;
  timepoints_t w, s;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO", names, &buffer, &wait, &signal) || !timepoints_of(state, wait, &w) ||
      !timepoints_of(state, signal, &s))
    return NULL;
  iree_hal_buffer_t *b = binding_unwrap(state, buffer, TYPE_BUFFER);
  if (!b || !binding_ok(iree_hal_device_queue_dealloca(binding_self(self), IREE_HAL_QUEUE_AFFINITY_ANY, w.list, s.list, b, 0)))
    return NULL;
  Py_RETURN_NONE;
}
static PyObject *device_queue_copy(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"source_buffer", "target_buffer", "wait_semaphores", "signal_semaphores", NULL};
  PyObject *source, *target, *wait, *signal;
  timepoints_t w, s;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOO", names, &source, &target, &wait, &signal) ||
      !timepoints_of(state, wait, &w) || !timepoints_of(state, signal, &s))
    return NULL;
  iree_hal_buffer_t *from = binding_unwrap(state, source, TYPE_BUFFER), *to = from ? binding_unwrap(state, target, TYPE_BUFFER) : NULL;
  if (!to) return NULL;
  if (iree_hal_buffer_byte_length(from) != iree_hal_buffer_byte_length(to)) {
    PyErr_SetString(PyExc_ValueError, "source and target have different lengths");
    return NULL;
  }
  if (!binding_ok(iree_hal_device_queue_copy(binding_self(self), IREE_HAL_QUEUE_AFFINITY_ANY, w.list, s.list, from, 0, to, 0,
                                             iree_hal_buffer_byte_length(from), 0)))
    return NULL;
  Py_RETURN_NONE;
}
// For memory that the host cannot map.
static PyObject *device_read(PyObject *self, PyObject *buffer) {
  iree_hal_buffer_t *b = binding_unwrap(binding_state_of(self), buffer, TYPE_BUFFER);
  if (!b) return NULL;
  iree_device_size_t length = iree_hal_buffer_byte_length(b);
  PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)length);
  if (!bytes) return NULL;
  iree_status_t status;
  char *target = PyByteArray_AsString(bytes);
  Py_BEGIN_ALLOW_THREADS;
  status = iree_hal_device_transfer_d2h(binding_self(self), b, 0, target, length, 0, iree_infinite_timeout());
  Py_END_ALLOW_THREADS;
  if (!binding_ok(status)) Py_CLEAR(bytes);
  return bytes;
}
static PyMethodDef device_methods[] = {
    {"create_semaphore", device_create_semaphore, METH_O, "create_semaphore(initial_value) -> HalSemaphore"},
    {"queue_alloca", (PyCFunction)(void (*)(void))device_queue_alloca, METH_VARARGS | METH_KEYWORDS,
     "queue_alloca(allocation_size, wait_semaphores, signal_semaphores) -> HalBuffer\n\n"
     "The buffer may be used once signal_semaphores are reached. Semaphores: a HalFence or a list of (HalSemaphore, value)."},
    {"queue_dealloca", (PyCFunction)(void (*)(void))device_queue_dealloca, METH_VARARGS | METH_KEYWORDS,
     "queue_dealloca(buffer, wait_semaphores, signal_semaphores)"},
    {"queue_copy", (PyCFunction)(void (*)(void))device_queue_copy, METH_VARARGS | METH_KEYWORDS,
     "queue_copy(source_buffer, target_buffer, wait_semaphores, signal_semaphores)\n\nWhole buffers of one length."},
    {"read", device_read, METH_O, "read(buffer) -> bytearray\n\nCopies a buffer to the host, mapped or not; waits for it."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef device_getters[] = {{"allocator", device_allocator, NULL, "The device's allocator.", NULL},
                                       {"device_id", device_id, NULL, "The driver's name of it.", NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
static PyObject *device_repr(PyObject *self) {
  PyObject *id = device_id(self, NULL), *text = id ? PyUnicode_FromFormat("<HalDevice %U>", id) : NULL;
  Py_XDECREF(id);
  return text;
}
PyType_Slot device_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new},
                              {Py_tp_methods, device_methods},  {Py_tp_getset, device_getters},
                              {Py_tp_repr, device_repr},        {Py_tp_doc, "Where buffers live and kernels run."},
                              {0, NULL}};

// ---- the module `hal`
static bool add_device(binding_state_t *state, iree_hal_device_group_builder_t *builder, PyObject *o) {
  iree_hal_device_t *device = binding_unwrap(state, o, TYPE_DEVICE);
  return device && binding_ok(iree_hal_device_group_builder_add_device(builder, device));
}
PyObject *binding_create_hal_module(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "device", "devices", "debug_sink", NULL};
  PyObject *instance_object, *device = Py_None, *devices = Py_None, *sink = Py_None;
  binding_state_t *state = PyModule_GetState(module);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOO", names, &instance_object, &device, &devices, &sink)) return NULL;
  iree_vm_instance_t *instance = binding_unwrap(state, instance_object, TYPE_VM_INSTANCE);
  if (!instance) return NULL;
  if (sink != Py_None) {
    PyErr_SetString(PyExc_NotImplementedError, "debug sinks are not supported yet");
    return NULL;
  }
  if ((device == Py_None) == (devices == Py_None)) {
    PyErr_SetString(PyExc_ValueError, "give either a device or a list of devices");
    return NULL;
  }
  iree_hal_device_group_builder_t builder;
  iree_hal_device_group_builder_initialize(&builder, NULL);
  bool ok = true;
  if (device != Py_None) {
    ok = add_device(state, &builder, device);
  } else {
    Py_ssize_t n = PySequence_Size(devices);
    ok = n > 0;
    if (n == 0) PyErr_SetString(PyExc_ValueError, "the list of devices is empty");
    for (Py_ssize_t i = 0; ok && i < n; ++i) {
      PyObject *item = PySequence_GetItem(devices, i);
      ok = item && add_device(state, &builder, item);
      Py_XDECREF(item);
    }
  }
  iree_hal_device_group_t *group = NULL;
  ok = ok && binding_ok(iree_hal_device_group_builder_finalize(&builder, iree_allocator_system(), &group));
  iree_hal_device_group_builder_deinitialize(&builder);
  iree_vm_module_t *made = NULL;
  ok = ok && binding_ok(iree_hal_module_create(instance, iree_hal_module_device_policy_default(), group, IREE_HAL_MODULE_FLAG_NONE,
                                               (iree_hal_module_debug_sink_t){0}, iree_allocator_system(), &made));
  iree_hal_device_group_release(group);
  return ok ? binding_wrap(state, TYPE_VM_MODULE, made, instance_object) : NULL;
}

// ---- semaphores and fences
// None or a number of nanoseconds from now (timeout) or of the clock (deadline).
static bool timeout_of(PyObject *timeout, PyObject *deadline, iree_timeout_t *out) {
  *out = iree_infinite_timeout();
  if (timeout != Py_None && deadline != Py_None) {
    PyErr_SetString(PyExc_ValueError, "give a timeout or a deadline, not both");
    return false;
  }
  PyObject *given = timeout != Py_None ? timeout : deadline;
  if (given == Py_None) return true;
  long long ns = PyLong_AsLongLong(given);
  if (PyErr_Occurred()) return false;
  *out = given == timeout ? iree_make_timeout_ns(ns) : iree_make_deadline(ns);
  return true;
}
static PyObject *semaphore_query(PyObject *self, PyObject *unused) {
  (void)unused;
  uint64_t value = 0;
  return binding_ok(iree_hal_semaphore_query(binding_self(self), &value)) ? PyLong_FromUnsignedLongLong(value) : NULL;
}
static PyObject *semaphore_signal(PyObject *self, PyObject *value) {
  unsigned long long to = PyLong_AsUnsignedLongLong(value);
  if (PyErr_Occurred() || !binding_ok(iree_hal_semaphore_signal(binding_self(self), to, NULL))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *semaphore_fail(PyObject *self, PyObject *message) {
  const char *text = PyUnicode_AsUTF8AndSize(message, NULL);
  if (!text) return NULL;
  iree_hal_semaphore_fail(binding_self(self), iree_make_status(IREE_STATUS_ABORTED, "%s", text));
  Py_RETURN_NONE;
}
static PyObject *semaphore_wait(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"payload", "timeout", "deadline", NULL};
  unsigned long long value;
  PyObject *timeout = Py_None, *deadline = Py_None;
  iree_timeout_t until;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "K|OO", names, &value, &timeout, &deadline) ||
      !timeout_of(timeout, deadline, &until))
    return NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_hal_semaphore_wait(binding_self(self), value, until, 0);
  Py_END_ALLOW_THREADS;
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyMethodDef semaphore_methods[] = {
    {"query", semaphore_query, METH_NOARGS, "query() -> int\n\nThe value reached; raises if the semaphore failed."},
    {"signal", semaphore_signal, METH_O, "signal(new_value)"},
    {"fail", semaphore_fail, METH_O, "fail(message)\n\nAll who wait get an exception with that message."},
    {"wait", (PyCFunction)(void (*)(void))semaphore_wait, METH_VARARGS | METH_KEYWORDS,
     "wait(payload, timeout=None, deadline=None)\n\nUntil the value is reached; nanoseconds. Raises TimeoutError."},
    {NULL, NULL, 0, NULL}};
PyType_Slot semaphore_slots[] = {{Py_tp_dealloc, binding_dealloc},
                                 {Py_tp_new, binding_no_new},
                                 {Py_tp_methods, semaphore_methods},
                                 {Py_tp_doc, "A value that only grows, to wait for."},
                                 {0, NULL}};

static PyObject *fence_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"capacity", NULL};
  Py_ssize_t capacity;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "n", names, &capacity)) return NULL;
  if (capacity < 0) {
    PyErr_SetString(PyExc_ValueError, "a capacity below zero");
    return NULL;
  }
  iree_hal_fence_t *fence = NULL;
  if (!binding_ok(iree_hal_fence_create((iree_host_size_t)capacity, iree_allocator_system(), &fence))) return NULL;
  return binding_wrap((binding_state_t *)PyType_GetModuleState(type), TYPE_FENCE, fence, NULL);
}
// The state for static methods: from an argument's type, checked by name before.
static binding_state_t *state_from(PyObject *o) {
  binding_state_t *state = PyType_GetModuleState(Py_TYPE(o));
  if (!state && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "expected an object of this module");
  return state;
}
static PyObject *fence_create_at(PyObject *unused, PyObject *args) {
  (void)unused;
  PyObject *o;
  unsigned long long value;
  if (!PyArg_ParseTuple(args, "OK", &o, &value)) return NULL;
  binding_state_t *state = state_from(o);
  iree_hal_semaphore_t *semaphore = state ? binding_unwrap(state, o, TYPE_SEMAPHORE) : NULL;
  iree_hal_fence_t *fence = NULL;
  if (!semaphore || !binding_ok(iree_hal_fence_create_at(semaphore, value, iree_allocator_system(), &fence))) return NULL;
  return binding_wrap(state, TYPE_FENCE, fence, NULL);
}
static PyObject *fence_join(PyObject *unused, PyObject *list) {
  (void)unused;
  Py_ssize_t n = PySequence_Size(list);
  if (n < 0) return NULL;
  if (n == 0) {
    PyErr_SetString(PyExc_ValueError, "join of no fences; use HalFence(0)");
    return NULL;
  }
  iree_hal_fence_t **fences = PyMem_Calloc((size_t)n, sizeof *fences), *joined = NULL;
  if (!fences) return PyErr_NoMemory();
  binding_state_t *state = NULL;
  bool ok = true;
  for (Py_ssize_t i = 0; ok && i < n; ++i) {
    PyObject *item = PySequence_GetItem(list, i);
    state = item ? state_from(item) : NULL;
    fences[i] = state ? binding_unwrap(state, item, TYPE_FENCE) : NULL;
    ok = fences[i] != NULL;
    Py_XDECREF(item);  // the list keeps it
  }
  ok = ok && binding_ok(iree_hal_fence_join((iree_host_size_t)n, fences, iree_allocator_system(), &joined));
  PyMem_Free(fences);
  return ok ? binding_wrap(state, TYPE_FENCE, joined, NULL) : NULL;
}
static PyObject *fence_insert(PyObject *self, PyObject *args) {
  PyObject *o;
  unsigned long long value;
  if (!PyArg_ParseTuple(args, "OK", &o, &value)) return NULL;
  iree_hal_semaphore_t *semaphore = binding_unwrap(binding_state_of(self), o, TYPE_SEMAPHORE);
  if (!semaphore || !binding_ok(iree_hal_fence_insert(binding_self(self), semaphore, value))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *fence_extend(PyObject *self, PyObject *other) {
  iree_hal_fence_t *fence = binding_unwrap(binding_state_of(self), other, TYPE_FENCE);
  if (!fence || !binding_ok(iree_hal_fence_extend(binding_self(self), fence))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *fence_signal(PyObject *self, PyObject *unused) {
  (void)unused;
  if (!binding_ok(iree_hal_fence_signal(binding_self(self)))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *fence_fail(PyObject *self, PyObject *message) {
  const char *text = PyUnicode_AsUTF8AndSize(message, NULL);
  if (!text) return NULL;
  iree_hal_fence_fail(binding_self(self), iree_make_status(IREE_STATUS_ABORTED, "%s", text));
  Py_RETURN_NONE;
}
static PyObject *fence_wait(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"timeout", "deadline", NULL};
  PyObject *timeout = Py_None, *deadline = Py_None;
  iree_timeout_t until;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO", names, &timeout, &deadline) || !timeout_of(timeout, deadline, &until))
    return NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_hal_fence_wait(binding_self(self), until, 0);
  Py_END_ALLOW_THREADS;
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyObject *fence_count(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(iree_hal_fence_timepoint_count(binding_self(self)));
}
static PyMethodDef fence_methods[] = {
    {"create_at", fence_create_at, METH_VARARGS | METH_STATIC, "create_at(semaphore, value) -> HalFence"},
    {"join", fence_join, METH_O | METH_STATIC, "join(fences) -> HalFence\n\nReached when all are."},
    {"insert", fence_insert, METH_VARARGS, "insert(semaphore, value)"},
    {"extend", fence_extend, METH_O, "extend(from_fence)"},
    {"signal", fence_signal, METH_NOARGS, "signal()"},
    {"fail", fence_fail, METH_O, "fail(message)"},
    {"wait", (PyCFunction)(void (*)(void))fence_wait, METH_VARARGS | METH_KEYWORDS,
     "wait(timeout=None, deadline=None)\n\nNanoseconds. Raises TimeoutError."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef fence_getters[] = {{"timepoint_count", fence_count, NULL, "How many semaphores it waits for.", NULL},
                                      {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot fence_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, fence_new},
                             {Py_tp_methods, fence_methods},   {Py_tp_getset, fence_getters},
                             {Py_tp_doc, "A set of timepoints: HalFence(capacity)."},
                             {0, NULL}};
