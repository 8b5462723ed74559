// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers: transfers recorded once.
#include "binding.h"

static PyObject *commands_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"device", "binding_capacity", "begin", NULL};
  PyObject *device_object;
  Py_ssize_t capacity = 0;
  int begin = 1;
  binding_state_t *state = PyType_GetModuleState(type);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|np", names, &device_object, &capacity, &begin)) return NULL;
  iree_hal_device_t *device = binding_unwrap(state, device_object, TYPE_DEVICE);
  if (!device) return NULL;
  if (capacity < 0) {
    PyErr_SetString(PyExc_ValueError, "a capacity below zero");
    return NULL;
  }
  iree_hal_command_buffer_t *commands = NULL;
  if (!binding_ok(iree_hal_command_buffer_create(device, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT, IREE_HAL_COMMAND_CATEGORY_ANY,
                                                 IREE_HAL_QUEUE_AFFINITY_ANY, (iree_host_size_t)capacity, &commands)))
    return NULL;
  if (begin && !binding_ok(iree_hal_command_buffer_begin(commands))) {
    iree_hal_command_buffer_release(commands);
    return NULL;
  }
  return binding_wrap(state, TYPE_COMMAND_BUFFER, commands, device_object);
}
static PyObject *recorded(PyObject *self, iree_status_t status, int end) {
  if (!binding_ok(status) || (end && !binding_ok(iree_hal_command_buffer_end(binding_self(self))))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *commands_begin(PyObject *self, PyObject *unused) {
  (void)unused;
  return recorded(self, iree_hal_command_buffer_begin(binding_self(self)), 0);
}
static PyObject *commands_end(PyObject *self, PyObject *unused) {
  (void)unused;
  return recorded(self, iree_hal_command_buffer_end(binding_self(self)), 0);
}
// A number of bytes, |otherwise| for None.
static bool bytes_of(PyObject *o, iree_device_size_t otherwise, iree_device_size_t *out) {
  *out = otherwise;
  if (!o || o == Py_None) return true;
  *out = PyLong_AsUnsignedLongLong(o);
  return !PyErr_Occurred();
}
static PyObject *commands_copy(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"source_buffer", "target_buffer", "source_offset", "target_offset", "length", "end", NULL};
  PyObject *source, *target, *source_offset = NULL, *target_offset = NULL, *length = Py_None;
  int end = 0;
  iree_device_size_t from_offset, to_offset, bytes;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OOOp", names, &source, &target, &source_offset, &target_offset, &length, &end)) return NULL;
  iree_hal_buffer_t *from = binding_unwrap(state, source, TYPE_BUFFER), *to = from ? binding_unwrap(state, target, TYPE_BUFFER) : NULL;
  if (!to || !bytes_of(source_offset, 0, &from_offset) || !bytes_of(target_offset, 0, &to_offset) ||
      !bytes_of(length, iree_hal_buffer_byte_length(from), &bytes))
    return NULL;
  if (length == Py_None && iree_hal_buffer_byte_length(from) != iree_hal_buffer_byte_length(to)) {
    PyErr_SetString(PyExc_ValueError, "source and target have different lengths; give the length");
    return NULL;
  }
  iree_status_t status = iree_hal_command_buffer_copy_buffer(binding_self(self), iree_hal_make_buffer_ref(from, from_offset, bytes),
                                                             iree_hal_make_buffer_ref(to, to_offset, bytes), IREE_HAL_COPY_FLAG_NONE);
  return recorded(self, status, end);
}
static PyObject *commands_fill(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"target_buffer", "pattern", "target_offset", "length", "end", NULL};
  PyObject *target, *target_offset = NULL, *length = Py_None;
  Py_buffer pattern;
  int end = 0;
  iree_device_size_t offset, bytes;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Oy*|OOp", names, &target, &pattern, &target_offset, &length, &end)) return NULL;
  iree_hal_buffer_t *to = binding_unwrap(binding_state_of(self), target, TYPE_BUFFER);
  PyObject *result = NULL;
  if (to && bytes_of(target_offset, 0, &offset) && bytes_of(length, IREE_HAL_WHOLE_BUFFER, &bytes))
    result = recorded(self,
                      iree_hal_command_buffer_fill_buffer(binding_self(self), iree_hal_make_buffer_ref(to, offset, bytes), pattern.buf,
                                                          (iree_host_size_t)pattern.len, IREE_HAL_FILL_FLAG_NONE),
                      end);
  PyBuffer_Release(&pattern);
  return result;
}
static PyMethodDef commands_methods[] = {
    {"begin", commands_begin, METH_NOARGS, "begin()\n\nRaises RuntimeError if recording has begun."},
    {"end", commands_end, METH_NOARGS, "end()\n\nRaises RuntimeError if recording has ended."},
    {"copy", KEYWORDS(commands_copy),
     "copy(source_buffer, target_buffer, source_offset=0, target_offset=0, length=None, end=False)\n\n"
     "Bytes; without a length all of both, which must have the same."},
    {"fill", KEYWORDS(commands_fill),
     "fill(target_buffer, pattern, target_offset=0, length=None, end=False)\n\n"
     "Bytes; without a length to the target's end. The pattern has the buffer protocol and 1, 2, 4 or 8 bytes."},
    REF_METHODS,
    {NULL, NULL, 0, NULL}};
static PyGetSetDef commands_getters[] = {REF_GETTERS, {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot command_buffer_slots[] = {{Py_tp_dealloc, binding_dealloc},
                                      {Py_tp_new, commands_new},
                                      {Py_tp_methods, commands_methods},
                                      {Py_tp_getset, commands_getters},
                                      REF_SLOTS,
                                      {Py_tp_doc,
                                       "Commands to execute once: HalCommandBuffer(device, binding_capacity=0, begin=True).\n\n"
                                       "It keeps the buffers that it names. One thread records at a time."},
                                      {0, NULL}};
