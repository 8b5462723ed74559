// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts: modules with their state, and calls into them.
#include "binding.h"

// The modules of a sequence. They stay alive while the tuple does that is returned: a sequence may make
// its items as it is asked for them, and others may change it meanwhile.
enum { MAX_MODULES = 256 };
static PyObject *modules_of(binding_state_t *state, PyObject *sequence, iree_vm_module_t **out, Py_ssize_t *out_n) {
  PyObject *items = PySequence_Tuple(sequence);
  *out_n = items ? PyTuple_Size(items) : 0;
  if (*out_n > MAX_MODULES) {
    PyErr_Format(PyExc_ValueError, "more than %d modules", MAX_MODULES);
    Py_CLEAR(items);
  }
  for (Py_ssize_t i = 0; items && i < *out_n; ++i) {
    out[i] = binding_unwrap(state, PyTuple_GetItem(items, i), TYPE_VM_MODULE);
    if (!out[i]) Py_CLEAR(items);
  }
  return items;
}
static PyObject *context_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "modules", NULL};
  PyObject *instance_object, *modules = Py_None;
  binding_state_t *state = PyType_GetModuleState(type);
  iree_vm_module_t *list[MAX_MODULES];
  Py_ssize_t n = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", names, &instance_object, &modules)) return NULL;
  iree_vm_instance_t *instance = binding_unwrap(state, instance_object, TYPE_VM_INSTANCE);
  if (!instance) return NULL;
  PyObject *kept = modules == Py_None ? Py_NewRef(Py_None) : modules_of(state, modules, list, &n);
  if (!kept) return NULL;
  iree_vm_context_t *context = NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = modules == Py_None ? iree_vm_context_create(instance, IREE_VM_CONTEXT_FLAG_NONE, iree_allocator_system(), &context)
                              : iree_vm_context_create_with_modules(instance, IREE_VM_CONTEXT_FLAG_NONE, (iree_host_size_t)n, list,
                                                                    iree_allocator_system(), &context);
  Py_END_ALLOW_THREADS;
  Py_DECREF(kept);
  return binding_ok(status) ? binding_wrap(state, TYPE_VM_CONTEXT, context, instance_object) : NULL;
}
static PyObject *context_register(PyObject *self, PyObject *modules) {
  iree_vm_module_t *list[MAX_MODULES];
  Py_ssize_t n = 0;
  PyObject *kept = modules_of(binding_state_of(self), modules, list, &n);
  if (!kept) return NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_vm_context_register_modules(binding_self(self), (iree_host_size_t)n, list);
  Py_END_ALLOW_THREADS;
  Py_DECREF(kept);
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyObject *context_invoke(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"function", "inputs", "outputs", NULL};
  PyObject *function_object, *in, *out;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO", names, &function_object, &in, &out)) return NULL;
  iree_vm_function_t *function = binding_unwrap(state, function_object, TYPE_VM_FUNCTION);
  iree_vm_list_t *inputs = function ? binding_unwrap(state, in, TYPE_VM_LIST) : NULL,
                 *outputs = inputs ? binding_unwrap(state, out, TYPE_VM_LIST) : NULL;
  if (!outputs) return NULL;
  if (binding_python_module_is_gone(function->module)) {
    PyErr_SetString(PyExc_RuntimeError, "the function's Python module is gone: neither a VmModule nor a context holds it");
    return NULL;
  }
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_vm_invoke(binding_self(self), *function, IREE_VM_INVOCATION_FLAG_NONE, NULL, inputs, outputs, iree_allocator_system());
  Py_END_ALLOW_THREADS;
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyObject *context_id(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLongLong(iree_vm_context_id(binding_self(self)));
}
static PyMethodDef context_methods[] = {{"register_modules", context_register, METH_O, "register_modules(modules)"},
                                        {"invoke", KEYWORDS(context_invoke),
                                         "invoke(function, inputs, outputs)\n\nBoth are VmVariantLists, which nobody else may use meanwhile. Other threads run."},
                                        {NULL, NULL, 0, NULL}};
static PyGetSetDef context_getters[] = {{"context_id", context_id, NULL, "A number that no other has.", NULL}, {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_context_slots[] = {{Py_tp_dealloc, binding_dealloc},  {Py_tp_new, context_new},
                                  {Py_tp_methods, context_methods},  {Py_tp_getset, context_getters},
                                  {Py_tp_doc, "Modules with their state: VmContext(instance, modules=None)."}, {0, NULL}};
