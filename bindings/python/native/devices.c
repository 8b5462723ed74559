// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and what is put on their queues.
#include "binding.h"

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
static PyObject *device_create_semaphore(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"initial_value", NULL};
  PyObject *value;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &value)) return NULL;
  unsigned long long initial = PyLong_AsUnsignedLongLong(value);
  if (PyErr_Occurred()) return NULL;
  iree_hal_semaphore_t *semaphore = NULL;
  if (!binding_ok(iree_hal_semaphore_create(binding_self(self), IREE_HAL_QUEUE_AFFINITY_ANY, initial,
                                            IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore)))
    return NULL;
  return binding_wrap(binding_state_of(self), TYPE_SEMAPHORE, semaphore, self);
}


// ---- the queue
// What all queue operations have: the device, waits and signals. Borrows from the arguments.
typedef struct queue_call {
  iree_hal_device_t *device;
  timepoints_t wait, signal;
} queue_call_t;
static bool queue_begin(PyObject *self, PyObject *wait, PyObject *signal, queue_call_t *q) {
  binding_state_t *state = binding_state_of(self);
  q->device = binding_self(self);
  if (!binding_timepoints(state, wait, &q->wait)) return false;
  if (binding_timepoints(state, signal, &q->signal)) return true;
  binding_timepoints_end(&q->wait);
  return false;
}
static PyObject *queue_end(queue_call_t *q, iree_status_t status) {
  binding_timepoints_end(&q->wait);
  binding_timepoints_end(&q->signal);
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
// Work of local-sync devices runs in the thread that submits it.
#define QUEUE_SUBMIT(q, status, call) \
  Py_BEGIN_ALLOW_THREADS;             \
  status = call;                      \
  Py_END_ALLOW_THREADS

static PyObject *device_queue_alloca(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"allocation_size", "wait_semaphores", "signal_semaphores", NULL};
  Py_ssize_t size;
  PyObject *wait, *signal;
  queue_call_t q;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "nOO", names, &size, &wait, &signal)) return NULL;
  if (size < 0) {
    PyErr_SetString(PyExc_ValueError, "an allocation of less than no bytes");
    return NULL;
  }
  if (!queue_begin(self, wait, signal, &q)) return NULL;
  iree_hal_buffer_params_t params = {.usage = IREE_HAL_BUFFER_USAGE_DEFAULT, .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_buffer_t *buffer = NULL;
  iree_status_t status;
  QUEUE_SUBMIT(q, status, iree_hal_device_queue_alloca(q.device, IREE_HAL_QUEUE_AFFINITY_ANY, q.wait.list, q.signal.list, NULL, params,
                                                       (iree_device_size_t)size, 0, &buffer));
  PyObject *done = queue_end(&q, status);
  Py_XDECREF(done);
  return done ? binding_wrap(binding_state_of(self), TYPE_BUFFER, buffer, self) : NULL;
}
static PyObject *device_queue_dealloca(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"buffer", "wait_semaphores", "signal_semaphores", NULL};
  PyObject *buffer, *wait, *signal;
  queue_call_t q;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO", names, &buffer, &wait, &signal)) return NULL;
  iree_hal_buffer_t *b = binding_unwrap(binding_state_of(self), buffer, TYPE_BUFFER);
  if (!b || !queue_begin(self, wait, signal, &q)) return NULL;
  iree_status_t status;
  QUEUE_SUBMIT(q, status, iree_hal_device_queue_dealloca(q.device, IREE_HAL_QUEUE_AFFINITY_ANY, q.wait.list, q.signal.list, b, 0));
  return queue_end(&q, status);
}
static PyObject *device_queue_copy(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"source_buffer", "target_buffer", "wait_semaphores", "signal_semaphores", NULL};
  PyObject *source, *target, *wait, *signal;
  queue_call_t q;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOO", names, &source, &target, &wait, &signal)) return NULL;
  iree_hal_buffer_t *from = binding_unwrap(state, source, TYPE_BUFFER), *to = from ? binding_unwrap(state, target, TYPE_BUFFER) : NULL;
  if (!to) return NULL;
  iree_device_size_t length = iree_hal_buffer_byte_length(from), room = iree_hal_buffer_byte_length(to);
  if (length > room) {
    PyErr_Format(PyExc_ValueError, "the source's length must be less than or equal to the target's: %llu bytes do not fit into %llu",
                 (unsigned long long)length, (unsigned long long)room);
    return NULL;
  }
  if (!queue_begin(self, wait, signal, &q)) return NULL;
  iree_status_t status;
  QUEUE_SUBMIT(q, status, iree_hal_device_queue_copy(q.device, IREE_HAL_QUEUE_AFFINITY_ANY, q.wait.list, q.signal.list, from, 0, to, 0, length, 0));
  return queue_end(&q, status);
}
static PyObject *device_queue_execute(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"command_buffer", "wait_semaphores", "signal_semaphores", NULL};
  PyObject *commands, *wait, *signal;
  queue_call_t q;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO", names, &commands, &wait, &signal)) return NULL;
  iree_hal_command_buffer_t *c = commands == Py_None ? NULL : binding_unwrap(binding_state_of(self), commands, TYPE_COMMAND_BUFFER);
  if (PyErr_Occurred() || !queue_begin(self, wait, signal, &q)) return NULL;
  iree_status_t status;
  QUEUE_SUBMIT(q, status, iree_hal_device_queue_execute(q.device, IREE_HAL_QUEUE_AFFINITY_ANY, q.wait.list, q.signal.list, c,
                                                        iree_hal_buffer_binding_table_empty(), 0));
  return queue_end(&q, status);
}
// Until one of (semaphore, value) is reached, or failed.
static PyObject *device_wait_any(PyObject *self, PyObject *list) {
  timepoints_t t;
  if (!binding_timepoints(binding_state_of(self), list, &t)) return NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_hal_device_wait_semaphores(binding_self(self), IREE_ASYNC_WAIT_MODE_ANY, t.list, iree_infinite_timeout(), 0);
  Py_END_ALLOW_THREADS;
  binding_timepoints_end(&t);
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}

// ---- profiling: the local drivers record nothing of their own
static PyObject *device_begin_profiling(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"mode", NULL};
  PyObject *mode = Py_None;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", names, &mode)) return NULL;
  if (mode == Py_None) Py_RETURN_NONE;
  PyErr_Format(PyExc_ValueError, "mode %R needs a profile sink, which Python has none of; use iree-run-module --trace", mode);
  return NULL;
}
static PyObject *device_no_profiling(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  Py_RETURN_NONE;
}
static PyObject *device_begin_capture(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"provider", "file_path", "label", NULL};
  const char *provider, *path = NULL, *label = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|zz", names, &provider, &path, &label)) return NULL;
  iree_string_view_t id = iree_hal_device_id(binding_self(self));
  binding_ok(iree_make_status(IREE_STATUS_UNIMPLEMENTED, "captures by '%s' need a graphics device; this is '%.*s'", provider, (int)id.size, id.data));
  return NULL;
}
static PyObject *device_end_capture(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  PyErr_SetString(PyExc_RuntimeError, "no capture was begun");
  return NULL;
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
    {"create_semaphore", KEYWORDS(device_create_semaphore), "create_semaphore(initial_value) -> HalSemaphore"},
    {"queue_alloca", KEYWORDS(device_queue_alloca),
     "queue_alloca(allocation_size, wait_semaphores, signal_semaphores) -> HalBuffer\n\n"
     "The buffer may be used once signal_semaphores are reached. Semaphores: a HalFence or a list of (HalSemaphore, value)."},
    {"queue_dealloca", KEYWORDS(device_queue_dealloca), "queue_dealloca(buffer, wait_semaphores, signal_semaphores)"},
    {"queue_copy", KEYWORDS(device_queue_copy),
     "queue_copy(source_buffer, target_buffer, wait_semaphores, signal_semaphores)\n\nThe whole source, to the target's start."},
    {"queue_execute", KEYWORDS(device_queue_execute),
     "queue_execute(command_buffer, wait_semaphores, signal_semaphores)\n\nA HalCommandBuffer, or None for nothing but waits and signals."},
    {"_wait_any", device_wait_any, METH_O, "_wait_any(semaphores)\n\nUntil one of a list of (HalSemaphore, value) is reached, or failed."},
    {"begin_profiling", KEYWORDS(device_begin_profiling), "begin_profiling(mode=None)\n\nNothing: local devices are traced by iree-run-module --trace."},
    {"flush_profiling", device_no_profiling, METH_NOARGS, "flush_profiling()\n\nNothing."},
    {"end_profiling", device_no_profiling, METH_NOARGS, "end_profiling()\n\nNothing."},
    {"begin_external_capture", KEYWORDS(device_begin_capture), "begin_external_capture(provider, file_path=None, label=None)\n\nRaises NotImplementedError."},
    {"end_external_capture", device_end_capture, METH_NOARGS, "end_external_capture()\n\nRaises RuntimeError."},
    {"create_dlpack_capsule", KEYWORDS(binding_to_dlpack),
     "create_dlpack_capsule(buffer_view, device_type_code, device_id)\n\nThe view's memory as a capsule 'dltensor', which keeps it."},
    {"from_dlpack_capsule", binding_from_dlpack, METH_O,
     "from_dlpack_capsule(capsule) -> HalBufferView\n\n"
     "Over the memory of a capsule 'dltensor', which is used up. Raises ValueError for strides and for memory not aligned to 64 bytes."},
    {"read", device_read, METH_O, "read(buffer) -> bytearray\n\nCopies a buffer to the host, mapped or not; waits for it."},
    REF_METHODS,
    {NULL, NULL, 0, NULL}};
static PyGetSetDef device_getters[] = {{"allocator", device_allocator, NULL, "The device's allocator.", NULL},
                                       {"device_id", device_id, NULL, "The driver's name of it.", NULL},
                                       REF_GETTERS,
                                       {NULL, NULL, NULL, NULL, NULL}};
static PyObject *device_repr(PyObject *self) {
  PyObject *id = device_id(self, NULL), *text = id ? PyUnicode_FromFormat("<HalDevice %U>", id) : NULL;
  Py_XDECREF(id);
  return text;
}
PyType_Slot device_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new},
                              {Py_tp_methods, device_methods},  {Py_tp_getset, device_getters},
                              REF_SLOTS,
                              {Py_tp_repr, device_repr},        {Py_tp_doc, "Where buffers live and kernels run."},
                              {0, NULL}};
