// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refs: how the VM holds objects of any type, and how Python tells them apart.
//
// A Python type that a ref can hold has the protocol: objects have `__iree_vm_ref__` (a VmRef), the
// type has `__iree_vm_cast__(ref)` (the object, or None) and `__iree_vm_type__()` (a number).
#include "binding.h"

// Types that a ref may hold: (type of the handle, type of the VM).
static const struct {
  binding_type_t type;
  iree_vm_ref_type_t (*vm_type)(void);
} ref_types[] = {{TYPE_BUFFER_VIEW, iree_hal_buffer_view_type}, {TYPE_BUFFER, iree_hal_buffer_type},
                 {TYPE_FENCE, iree_hal_fence_type},             {TYPE_COMMAND_BUFFER, iree_hal_command_buffer_type},
                 {TYPE_DEVICE, iree_hal_device_type},           {TYPE_SEMAPHORE, iree_hal_semaphore_type},
                 {TYPE_VM_LIST, iree_vm_list_type},             {TYPE_VM_BUFFER, iree_vm_buffer_type}};
enum { N_REF_TYPES = sizeof ref_types / sizeof *ref_types };

bool binding_ref_of(binding_state_t *state, PyObject *o, iree_vm_ref_t *out_ref) {
  *out_ref = iree_vm_ref_null();
  if (o == Py_None) return true;
  if (binding_is(state, o, TYPE_VM_REF)) {
    iree_vm_ref_retain(((handle_t *)o)->p, out_ref);
    return true;
  }
  for (size_t i = 0; i < N_REF_TYPES; ++i)
    if (binding_is(state, o, ref_types[i].type))
      return binding_ok(iree_vm_ref_wrap_retain(((handle_t *)o)->p, ref_types[i].vm_type(), out_ref));
  // An object of the Python half with the protocol.
  PyObject *ref = PyObject_GetAttrString(o, "__iree_vm_ref__");
  if (ref && binding_is(state, ref, TYPE_VM_REF)) {
    iree_vm_ref_retain(((handle_t *)ref)->p, out_ref);
    Py_DECREF(ref);
    return true;
  }
  Py_XDECREF(ref);
  PyErr_Format(PyExc_TypeError, "%R is not what a ref can hold", (PyObject *)Py_TYPE(o));
  return false;
}
PyObject *binding_wrap_ref(binding_state_t *state, iree_vm_ref_t ref) {
  iree_vm_ref_t *kept = PyMem_Malloc(sizeof *kept);
  if (!kept) {
    iree_vm_ref_release(&ref);
    return PyErr_NoMemory();
  }
  *kept = ref;
  return binding_wrap(state, TYPE_VM_REF, kept, NULL);
}
PyObject *binding_from_ref(binding_state_t *state, iree_vm_ref_t ref) {
  if (iree_vm_ref_is_null(&ref)) Py_RETURN_NONE;
  for (size_t i = 0; i < N_REF_TYPES; ++i)
    if (ref.type == ref_types[i].vm_type()) return binding_wrap(state, ref_types[i].type, ref.ptr, NULL);
  return binding_wrap_ref(state, ref);
}
void binding_free_ref(void *p) {
  iree_vm_ref_release(p);
  PyMem_Free(p);
}

// ---- what types that a ref can hold have in common
PyObject *binding_self_ref(PyObject *self, void *unused) {
  (void)unused;
  binding_state_t *state = binding_state_of(self);
  iree_vm_ref_t ref;
  return binding_ref_of(state, self, &ref) ? binding_wrap_ref(state, ref) : NULL;
}
static iree_vm_ref_type_t vm_type_of(PyObject *type) {
  binding_state_t *state = PyType_GetModuleState((PyTypeObject *)type);
  for (size_t i = 0; state && i < N_REF_TYPES; ++i)
    if ((PyObject *)state->types[ref_types[i].type] == type) return ref_types[i].vm_type();
  return IREE_VM_REF_TYPE_NULL;
}
PyObject *binding_ref_type(PyObject *type, PyObject *unused) {
  (void)unused;
  return PyLong_FromSize_t(vm_type_of(type));
}
PyObject *binding_ref_cast(PyObject *type, PyObject *o) {
  binding_state_t *state = PyType_GetModuleState((PyTypeObject *)type);
  iree_vm_ref_t ref = iree_vm_ref_null();
  if (!state || !binding_ref_of(state, o, &ref)) return NULL;
  if (ref.type == vm_type_of(type)) return binding_from_ref(state, ref);
  iree_vm_ref_release(&ref);
  Py_RETURN_NONE;
}
// Two handles are equal when they are of one object.
PyObject *binding_compare(PyObject *a, PyObject *b, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  bool is_equal = Py_TYPE(a) == Py_TYPE(b) && binding_self(a) == binding_self(b);
  return PyBool_FromLong(is_equal == (op == Py_EQ));
}
Py_hash_t binding_hash(PyObject *self) { return (Py_hash_t)((uintptr_t)binding_self(self) >> 4); }

// ---- the type VmRef
static PyObject *ref_deref(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"value", "optional", NULL};
  PyObject *type = Py_None;
  int optional = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|Op", names, &type, &optional)) return NULL;
  if (type == Py_None) {
    iree_vm_ref_t ref = iree_vm_ref_null();
    iree_vm_ref_retain(binding_self(self), &ref);
    return binding_from_ref(binding_state_of(self), ref);
  }
  PyObject *o = PyObject_CallMethod(type, "__iree_vm_cast__", "O", self);
  if (o != Py_None || optional) return o;
  Py_DECREF(o);
  iree_string_view_t name = iree_vm_ref_type_name(((iree_vm_ref_t *)binding_self(self))->type);
  PyErr_Format(PyExc_TypeError, "the ref holds a %.*s, not a %R", (int)name.size, name.data ? name.data : "", type);
  return NULL;
}
static PyObject *ref_isinstance(PyObject *self, PyObject *type) {
  PyObject *number = PyObject_CallMethod(type, "__iree_vm_type__", NULL);
  size_t value = number ? PyLong_AsSize_t(number) : 0;
  Py_XDECREF(number);
  return PyErr_Occurred() ? NULL : PyBool_FromLong(((iree_vm_ref_t *)binding_self(self))->type == value);
}
static PyObject *ref_compare(PyObject *a, PyObject *b, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  bool is_equal = Py_TYPE(a) == Py_TYPE(b) && iree_vm_ref_equal(binding_self(a), binding_self(b));
  return PyBool_FromLong(is_equal == (op == Py_EQ));
}
static Py_hash_t ref_hash(PyObject *self) { return (Py_hash_t)((uintptr_t)((iree_vm_ref_t *)binding_self(self))->ptr >> 4); }
static PyObject *ref_repr(PyObject *self) {
  iree_vm_ref_t *ref = binding_self(self);
  if (!ref->ptr) return PyUnicode_FromString("<VmRef NULL>");
  PyObject *name = binding_string(iree_vm_ref_type_name(ref->type)),
           *text = name ? PyUnicode_FromFormat("<VmRef %U at %p>", name, ref->ptr) : NULL;
  Py_XDECREF(name);
  return text;
}
static PyMethodDef ref_methods[] = {
    {"deref", KEYWORDS(ref_deref), "deref(value=None, optional=False)\n\nThe object that the ref holds. Of another type than `value`: TypeError, or None if `optional`."},
    {"isinstance", ref_isinstance, METH_O, "isinstance(ref_type) -> bool"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef ref_getters[] = {REF_GETTERS, {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_ref_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new},
                              {Py_tp_methods, ref_methods},     {Py_tp_getset, ref_getters},
                              {Py_tp_richcompare, ref_compare}, {Py_tp_hash, ref_hash},
                              {Py_tp_repr, ref_repr},           {Py_tp_doc, "A counted reference to an object of any type."},
                              {0, NULL}};
