// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What DeviceArray holds. The class itself is Python's; results of calls are made here without calling into it.
#include "binding.h"

#include <stddef.h>
#include <structmember.h>

typedef struct array {
  PyObject_HEAD
  PyObject *device, *view, *host, *override_dtype;
  char is_implicit;
} array_t;

PyObject *binding_make_array(binding_state_t *state, PyObject *device, PyObject *view) {
  PyTypeObject *type = (PyTypeObject *)binding_python(&state->device_array, "iree.runtime.array_interop", "DeviceArray");
  array_t *a = type ? (array_t *)(void *)PyType_GenericAlloc(type, 0) : NULL;
  if (!a) return NULL;
  a->device = Py_NewRef(device);
  a->view = Py_NewRef(view);
  a->host = Py_NewRef(Py_None);
  a->override_dtype = Py_NewRef(Py_None);
  a->is_implicit = 1;
  return (PyObject *)a;
}
PyObject *binding_array_view(PyObject *array) { return ((array_t *)(void *)array)->view; }

static int array_init(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"device", "buffer_view", "implicit_host_transfer", "override_dtype", NULL};
  array_t *a = (array_t *)(void *)self;
  PyObject *device, *view, *override_dtype = Py_None;
  int is_implicit = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|pO", names, &device, &view, &is_implicit, &override_dtype)) return -1;
  PyObject *old[] = {a->device, a->view, a->host, a->override_dtype};
  a->device = Py_NewRef(device), a->view = Py_NewRef(view), a->host = Py_NewRef(Py_None), a->override_dtype = Py_NewRef(override_dtype);
  a->is_implicit = (char)is_implicit;
  for (int i = 0; i < 4; ++i) Py_XDECREF(old[i]);
  return 0;
}
static void array_dealloc(PyObject *self) {
  array_t *a = (array_t *)(void *)self;
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(a->host), Py_XDECREF(a->view), Py_XDECREF(a->device), Py_XDECREF(a->override_dtype);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}
static PyMemberDef array_members[] = {
    {"_device", T_OBJECT_EX, offsetof(array_t, device), 0, "The HalDevice."},
    {"_buffer_view", T_OBJECT_EX, offsetof(array_t, view), 0, "The HalBufferView."},
    {"_host", T_OBJECT_EX, offsetof(array_t, host), 0, "The values on the host, or None."},
    {"_override_dtype", T_OBJECT_EX, offsetof(array_t, override_dtype), 0, "The dtype to show them as, or None."},
    {"_implicit_host_transfer", T_BOOL, offsetof(array_t, is_implicit), 0, "May they be read without asking?"},
    {NULL, 0, 0, 0, NULL}};
static PyType_Slot array_slots[] = {{Py_tp_dealloc, array_dealloc}, {Py_tp_init, array_init}, {Py_tp_members, array_members},
                                    {Py_tp_doc, "What DeviceArray holds."}, {0, NULL}};
bool binding_add_array_type(PyObject *module) {
  PyType_Spec spec = {"iree.runtime._native.ArrayBase", sizeof(array_t), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, array_slots};
  PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
  bool ok = type && !PyModule_AddType(module, (PyTypeObject *)type);
  Py_XDECREF(type);
  return ok;
}
