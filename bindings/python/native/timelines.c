// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores, fences, and what is shared with the outside through them.
#include "binding.h"

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
// A wait in slices, between which Python's signal handlers run (on the main thread; elsewhere that is nothing).
enum { SLICE_MS = 50 };
bool binding_wait(iree_hal_semaphore_list_t list, iree_timeout_t timeout, iree_status_t *out_status) {
  iree_time_t end = iree_timeout_as_deadline_ns(timeout);
  for (;;) {
    iree_time_t slice_end = iree_timeout_as_deadline_ns(iree_make_timeout_ms(SLICE_MS));
    bool is_last = end <= slice_end;
    Py_BEGIN_ALLOW_THREADS;
    *out_status = iree_hal_semaphore_list_wait(list, iree_make_deadline(is_last ? end : slice_end), 0);
    Py_END_ALLOW_THREADS;
    // A semaphore may have failed with that code, before the time was up.
    if (is_last || !iree_status_is_deadline_exceeded(*out_status) || iree_time_now() < slice_end) return true;
    iree_status_ignore(*out_status);
    if (PyErr_CheckSignals()) return false;
  }
}
// The end of a wait: whether what was waited for came in time, or the failure.
static PyObject *waited(iree_status_t status, const char *what) {
  if (iree_status_is_deadline_exceeded(status)) {
    iree_status_ignore(status);
    Py_RETURN_FALSE;
  }
  if (!binding_ok_in(status, what)) return NULL;
  Py_RETURN_TRUE;
}
#define WAIT_DOC                                                                                             \
  "For `timeout` nanoseconds, until `deadline` (nanoseconds of the system's clock), or for as long as it takes. Was it " \
  "reached? Raises RuntimeError if it failed. Other threads run, and signals are handled."

// ---- semaphores
static PyObject *semaphore_query(PyObject *self, PyObject *unused) {
  (void)unused;
  uint64_t value = 0;
  return binding_ok_in(iree_hal_semaphore_query(binding_self(self), &value), "querying semaphore") ? PyLong_FromUnsignedLongLong(value) : NULL;
}
static PyObject *semaphore_signal(PyObject *self, PyObject *value) {
  unsigned long long to = PyLong_AsUnsignedLongLong(value);
  if (PyErr_Occurred()) return NULL;
  iree_status_t status;
  // Work that waited for this may run here.
  Py_BEGIN_ALLOW_THREADS;
  status = iree_hal_semaphore_signal(binding_self(self), to, NULL);
  Py_END_ALLOW_THREADS;
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyObject *semaphore_fail(PyObject *self, PyObject *message) {
  iree_string_view_t text;
  if (!binding_text(message, &text)) return NULL;
  iree_hal_semaphore_fail(binding_self(self), iree_make_status(IREE_STATUS_UNKNOWN, "%.*s", (int)text.size, text.data));
  Py_RETURN_NONE;
}
static PyObject *semaphore_wait(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"payload", "timeout", "deadline", NULL};
  PyObject *payload, *timeout = Py_None, *deadline = Py_None;
  iree_timeout_t until;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO", names, &payload, &timeout, &deadline) || !timeout_of(timeout, deadline, &until))
    return NULL;
  unsigned long long value = PyLong_AsUnsignedLongLong(payload);
  if (PyErr_Occurred()) return NULL;
  uint64_t reached = 0;
  iree_status_t status = iree_hal_semaphore_query(binding_self(self), &reached);
  if (!iree_status_is_ok(status)) return waited(status, "synchronous semaphore failure");
  iree_hal_semaphore_t *semaphore = binding_self(self);
  uint64_t wanted = value;
  if (!binding_wait((iree_hal_semaphore_list_t){.count = 1, .semaphores = &semaphore, .payload_values = &wanted}, until, &status)) return NULL;
  return waited(status, "asynchronous semaphore failure");
}
static PyObject *no_timepoints(PyObject *self, PyObject *args, PyObject *kwargs) {
  (void)self, (void)args, (void)kwargs;
  PyErr_SetString(PyExc_NotImplementedError,
                  "local devices share no timepoints with other runtimes; wait for one side and signal the other from the host");
  return NULL;
}
static PyMethodDef semaphore_methods[] = {
    {"query", semaphore_query, METH_NOARGS, "query() -> int\n\nThe value reached; raises RuntimeError if the semaphore failed."},
    {"signal", semaphore_signal, METH_O, "signal(new_value)"},
    {"fail", semaphore_fail, METH_O, "fail(message)\n\nAll who wait get a RuntimeError with that message."},
    {"wait", KEYWORDS(semaphore_wait), "wait(payload, timeout=None, deadline=None) -> bool\n\n" WAIT_DOC},
    {"import_timepoint", KEYWORDS(no_timepoints), "import_timepoint(value, external_timepoint)\n\nRaises NotImplementedError on local devices."},
    {"export_timepoint", KEYWORDS(no_timepoints),
     "export_timepoint(value, requested_type, requested_flags, out_external_timepoint)\n\nRaises NotImplementedError on local devices."},
    REF_METHODS,
    {NULL, NULL, 0, NULL}};
static PyGetSetDef semaphore_getters[] = {REF_GETTERS, {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot semaphore_slots[] = {{Py_tp_dealloc, binding_dealloc},
                                 {Py_tp_new, binding_no_new},
                                 {Py_tp_methods, semaphore_methods},
                                 {Py_tp_getset, semaphore_getters},
                                 REF_SLOTS,
                                 {Py_tp_doc, "A value that only grows, to wait for."},
                                 {0, NULL}};

// ---- lists of semaphores and values
static bool append_timepoint(binding_state_t *state, PyObject *item, timepoints_t *t) {
  PyObject *pair = PySequence_Tuple(item);
  bool ok = pair && PyTuple_Size(pair) == 2;
  if (pair && !ok) PyErr_SetString(PyExc_ValueError, "a timepoint is a pair: (HalSemaphore, value)");
  iree_hal_semaphore_t *semaphore = ok ? binding_unwrap(state, PyTuple_GetItem(pair, 0), TYPE_SEMAPHORE) : NULL;
  unsigned long long value = semaphore ? PyLong_AsUnsignedLongLong(PyTuple_GetItem(pair, 1)) : 0;
  ok = semaphore && !PyErr_Occurred();
  if (ok) {
    iree_hal_semaphore_retain(semaphore);
    t->semaphores[t->list.count] = semaphore;
    t->values[t->list.count++] = value;
  }
  Py_XDECREF(pair);
  return ok;
}
bool binding_timepoints(binding_state_t *state, PyObject *o, timepoints_t *t) {
  t->fence = NULL;
  t->list = (iree_hal_semaphore_list_t){.semaphores = t->semaphores, .payload_values = t->values};
  if (binding_is(state, o, TYPE_FENCE)) {
    t->fence = binding_unwrap(state, o, TYPE_FENCE);
    iree_hal_fence_retain(t->fence);
    t->list = iree_hal_fence_semaphore_list(t->fence);
    return true;
  }
  PyObject *items = PySequence_Tuple(o);
  Py_ssize_t n = items ? PyTuple_Size(items) : 0;
  bool ok = items && n <= BINDING_MAX_TIMEPOINTS;
  if (items && !ok) PyErr_Format(PyExc_ValueError, "more than %d semaphores; join them in a HalFence", BINDING_MAX_TIMEPOINTS);
  for (Py_ssize_t i = 0; ok && i < n; ++i) ok = append_timepoint(state, PyTuple_GetItem(items, i), t);
  Py_XDECREF(items);
  if (!ok) binding_timepoints_end(t);
  return ok;
}
void binding_timepoints_end(timepoints_t *t) {
  if (t->fence) iree_hal_fence_release(t->fence);
  else
    for (iree_host_size_t i = 0; i < t->list.count; ++i) iree_hal_semaphore_release(t->semaphores[i]);
}

// ---- fences
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
static PyObject *fence_create_at(PyObject *unused, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"sem", "value", NULL};
  (void)unused;
  PyObject *o;
  unsigned long long value;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OK", names, &o, &value)) return NULL;
  binding_state_t *state = state_from(o);
  iree_hal_semaphore_t *semaphore = state ? binding_unwrap(state, o, TYPE_SEMAPHORE) : NULL;
  iree_hal_fence_t *fence = NULL;
  if (!semaphore || !binding_ok(iree_hal_fence_create_at(semaphore, value, iree_allocator_system(), &fence))) return NULL;
  return binding_wrap(state, TYPE_FENCE, fence, NULL);
}
static PyObject *fence_join(PyObject *unused, PyObject *list) {
  (void)unused;
  PyObject *items = PySequence_Tuple(list);  // keeps them while they are joined
  Py_ssize_t n = items ? PyTuple_Size(items) : 0;
  if (items && n == 0) PyErr_SetString(PyExc_ValueError, "join of no fences; use HalFence(0)");
  iree_hal_fence_t **fences = n ? PyMem_Calloc((size_t)n, sizeof *fences) : NULL, *joined = NULL;
  if (n && !fences) PyErr_NoMemory();
  binding_state_t *state = NULL;
  bool ok = fences != NULL;
  for (Py_ssize_t i = 0; ok && i < n; ++i) {
    state = state_from(PyTuple_GetItem(items, i));
    fences[i] = state ? binding_unwrap(state, PyTuple_GetItem(items, i), TYPE_FENCE) : NULL;
    ok = fences[i] != NULL;
  }
  ok = ok && binding_ok(iree_hal_fence_join((iree_host_size_t)n, fences, iree_allocator_system(), &joined));
  PyMem_Free(fences);
  Py_XDECREF(items);
  return ok ? binding_wrap(state, TYPE_FENCE, joined, NULL) : NULL;
}
static PyObject *fence_insert(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"sem", "value", NULL};
  PyObject *o;
  unsigned long long value;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OK", names, &o, &value)) return NULL;
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
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_hal_fence_signal(binding_self(self));
  Py_END_ALLOW_THREADS;
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyObject *fence_fail(PyObject *self, PyObject *message) {
  iree_string_view_t text;
  if (!binding_text(message, &text)) return NULL;
  iree_hal_fence_fail(binding_self(self), iree_make_status(IREE_STATUS_UNKNOWN, "%.*s", (int)text.size, text.data));
  Py_RETURN_NONE;
}
static PyObject *fence_wait(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"timeout", "deadline", NULL};
  PyObject *timeout = Py_None, *deadline = Py_None;
  iree_timeout_t until;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO", names, &timeout, &deadline) || !timeout_of(timeout, deadline, &until))
    return NULL;
  iree_status_t status = iree_hal_fence_query(binding_self(self));
  if (!iree_status_is_ok(status) && !iree_status_is_deferred(status)) return waited(status, "synchronous fence failure");
  iree_status_ignore(status);
  if (!binding_wait(iree_hal_fence_semaphore_list(binding_self(self)), until, &status)) return NULL;
  return waited(status, "asynchronous fence failure");
}
static PyObject *fence_count(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(iree_hal_fence_timepoint_count(binding_self(self)));
}
static PyObject *fence_repr(PyObject *self) {
  return PyUnicode_FromFormat("<HalFence of %zu timepoints>", iree_hal_fence_timepoint_count(binding_self(self)));
}
static PyMethodDef fence_methods[] = {
    {"create_at", KEYWORDS(fence_create_at) | METH_STATIC, "create_at(sem, value) -> HalFence"},
    {"join", fence_join, METH_O | METH_STATIC, "join(fences) -> HalFence\n\nReached when all are."},
    {"insert", KEYWORDS(fence_insert), "insert(sem, value)\n\nRaises for more timepoints than the capacity."},
    {"extend", fence_extend, METH_O, "extend(from_fence)\n\nAdds its timepoints."},
    {"signal", fence_signal, METH_NOARGS, "signal()\n\nMoves each semaphore to its value."},
    {"fail", fence_fail, METH_O, "fail(message)\n\nAll who wait get a RuntimeError with that message."},
    {"wait", KEYWORDS(fence_wait), "wait(timeout=None, deadline=None) -> bool\n\n" WAIT_DOC},
    REF_METHODS,
    {NULL, NULL, 0, NULL}};
static PyGetSetDef fence_getters[] = {{"timepoint_count", fence_count, NULL, "How many semaphores it waits for.", NULL},
                                      REF_GETTERS,
                                      {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot fence_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, fence_new},
                             {Py_tp_methods, fence_methods},   {Py_tp_getset, fence_getters},
                             {Py_tp_repr, fence_repr},         REF_SLOTS,
                             {Py_tp_doc, "A set of timepoints: HalFence(capacity)."},
                             {0, NULL}};
