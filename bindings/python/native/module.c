// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module itself: types from their table, errors, and handles.
#include "binding.h"

#include <string.h>

#include "iree/hal/drivers/init.h"

// ---- errors
static PyObject *exception_of(iree_status_code_t code) {
  switch (code) {
    case IREE_STATUS_INVALID_ARGUMENT: return PyExc_ValueError;
    case IREE_STATUS_OUT_OF_RANGE: return PyExc_IndexError;
    case IREE_STATUS_NOT_FOUND: return PyExc_LookupError;
    case IREE_STATUS_UNIMPLEMENTED: return PyExc_NotImplementedError;
    case IREE_STATUS_RESOURCE_EXHAUSTED: return PyExc_MemoryError;
    case IREE_STATUS_DEADLINE_EXCEEDED: return PyExc_TimeoutError;
    case IREE_STATUS_PERMISSION_DENIED: return PyExc_PermissionError;
    default: return PyExc_RuntimeError;
  }
}
bool binding_ok(iree_status_t status) {
  if (iree_status_is_ok(status)) return true;
  char *text = NULL;
  iree_host_size_t length = 0;
  iree_allocator_t allocator = iree_allocator_system();
  PyObject *exception = exception_of(iree_status_code(status));
  if (iree_status_to_string(status, &allocator, &text, &length)) {
    PyObject *message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    if (message) PyErr_SetObject(exception, message);
    Py_XDECREF(message);
    iree_allocator_free(allocator, text);
  } else {
    PyErr_SetString(exception, iree_status_code_string(iree_status_code(status)));
  }
  iree_status_ignore(status);
  return false;
}

// ---- handles
PyObject *binding_wrap(binding_state_t *state, binding_type_t type, void *p, PyObject *owner) {
  static void (*const releases[TYPE_COUNT])(void *) = {
#define TYPE(ID, name, release) (void (*)(void *))release,
      BINDING_TYPES(TYPE)
#undef TYPE
  };
  PyTypeObject *t = state->types[type];
  allocfunc alloc = (allocfunc)PyType_GetSlot(t, Py_tp_alloc);
  handle_t *h = (handle_t *)alloc(t, 0);
  if (!h) {
    releases[type](p);
    return NULL;
  }
  Py_XINCREF(owner);
  h->p = p;
  h->release = releases[type];
  h->owner = owner;
  return (PyObject *)h;
}
void binding_dealloc(PyObject *self) {
  handle_t *h = (handle_t *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (h->p && h->release) h->release(h->p);
  Py_XDECREF(h->owner);
  freefunc free = (freefunc)PyType_GetSlot(type, Py_tp_free);
  free(self);
  Py_DECREF(type);
}
PyObject *binding_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  (void)type, (void)args, (void)kwargs;
  PyErr_SetString(PyExc_TypeError, "objects of this type come from others and cannot be made directly");
  return NULL;
}
bool binding_is(binding_state_t *state, PyObject *o, binding_type_t type) { return Py_TYPE(o) == state->types[type]; }
void *binding_unwrap(binding_state_t *state, PyObject *o, binding_type_t type) {
  static const char *const names[TYPE_COUNT] = {
#define TYPE(ID, name, release) name,
      BINDING_TYPES(TYPE)
#undef TYPE
  };
  if (binding_is(state, o, type)) return ((handle_t *)o)->p;
  PyErr_Format(PyExc_TypeError, "expected %s, got %R", names[type], (PyObject *)Py_TYPE(o));
  return NULL;
}
PyObject *binding_python(PyObject **slot, const char *module, const char *name) {
  if (*slot) return *slot;
  PyObject *m = PyImport_ImportModule(module);
  if (!m) return NULL;
  *slot = PyObject_GetAttrString(m, name);
  Py_DECREF(m);
  return *slot;
}
Py_ssize_t binding_shape(PyObject *sequence, iree_hal_dim_t *out_dims) {
  Py_ssize_t n = PySequence_Size(sequence);
  if (n < 0) return -1;
  if (n > BINDING_MAX_RANK) {
    PyErr_Format(PyExc_ValueError, "a shape of rank %zd; at most %d is supported", n, BINDING_MAX_RANK);
    return -1;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *item = PySequence_GetItem(sequence, i);
    if (!item) return -1;
    PyObject *number = PyNumber_Index(item);
    Py_DECREF(item);
    if (!number) return -1;
    long long dim = PyLong_AsLongLong(number);
    Py_DECREF(number);
    if (dim == -1 && PyErr_Occurred()) return -1;
    if (dim < 0) {
      PyErr_Format(PyExc_ValueError, "dimension %zd of a shape is %lld", i, dim);
      return -1;
    }
    out_dims[i] = (iree_hal_dim_t)dim;
  }
  return n;
}

// ---- the module
PyType_Slot *const binding_slots[TYPE_COUNT] = {
    vm_instance_slots, vm_module_slots, vm_context_slots, vm_function_slots, vm_list_slots, vm_buffer_slots,
    vm_ref_slots,      driver_slots,    device_slots,     allocator_slots,   buffer_slots,  buffer_view_slots,
    semaphore_slots,   fence_slots,     mapping_slots,    invoker_slots};

static int module_exec(PyObject *module) {
  binding_state_t *state = PyModule_GetState(module);
  static const char *const names[TYPE_COUNT] = {
#define TYPE(ID, name, release) "iree.runtime._native." name,
      BINDING_TYPES(TYPE)
#undef TYPE
  };
  for (int i = 0; i < TYPE_COUNT; ++i) {
    PyType_Spec spec = {names[i], sizeof(handle_t), 0, Py_TPFLAGS_DEFAULT, binding_slots[i]};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    if (!type) return -1;
    state->types[i] = (PyTypeObject *)type;
    if (PyModule_AddType(module, state->types[i])) return -1;
  }
  state->view_name = PyUnicode_InternFromString("_buffer_view");
  if (!state->view_name) return -1;
  if (!binding_ok(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, iree_allocator_system(), &state->instance)) ||
      !binding_ok(iree_hal_module_register_all_types(state->instance)))
    return -1;
  if (!binding_ok(iree_hal_driver_registry_allocate(iree_allocator_system(), &state->registry))) return -1;
  return binding_ok(iree_hal_register_all_available_drivers(state->registry)) ? 0 : -1;
}
static int module_traverse(PyObject *module, visitproc visit, void *arg) {
  binding_state_t *state = PyModule_GetState(module);
  for (int i = 0; i < TYPE_COUNT; ++i) Py_VISIT(state->types[i]);
  Py_VISIT(state->device_array);
  Py_VISIT(state->make_view);
  Py_VISIT(state->make_array);
  Py_VISIT(state->element_type);
  return 0;
}
static int module_clear(PyObject *module) {
  binding_state_t *state = PyModule_GetState(module);
  for (int i = 0; i < TYPE_COUNT; ++i) Py_CLEAR(state->types[i]);
  Py_CLEAR(state->device_array);
  Py_CLEAR(state->make_view);
  Py_CLEAR(state->make_array);
  Py_CLEAR(state->element_type);
  Py_CLEAR(state->view_name);
  return 0;
}
static void module_free(void *module) {
  binding_state_t *state = PyModule_GetState((PyObject *)module);
  if (state->registry) iree_hal_driver_registry_free(state->registry);
  iree_vm_instance_release(state->instance);
  state->registry = NULL, state->instance = NULL;
  module_clear((PyObject *)module);
}

static PyMethodDef functions[] = {
    {"create_hal_module", (PyCFunction)(void (*)(void))binding_create_hal_module, METH_VARARGS | METH_KEYWORDS,
     "create_hal_module(instance, device=None, devices=None, debug_sink=None) -> VmModule\n\n"
     "The module `hal`, through which programs reach the devices."},
    {"query_drivers", binding_query_drivers, METH_NOARGS, "query_drivers() -> list[str]\n\nNames of the drivers of this build."},
    {"create_driver", binding_create_driver, METH_O, "create_driver(name) -> HalDriver\n\nRaises LookupError for an unknown name."},
    {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)module_exec}, {0, NULL}};
static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "iree.runtime._native",
                                        .m_doc = "The runtime's C API as Python objects.",
                                        .m_size = sizeof(binding_state_t),
                                        .m_methods = functions,
                                        .m_slots = module_slots,
                                        .m_traverse = module_traverse,
                                        .m_clear = module_clear,
                                        .m_free = module_free};
PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
