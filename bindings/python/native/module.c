// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module itself: types from their table, errors, and handles.
#include "binding.h"

#include <string.h>

#include "iree/hal/drivers/init.h"

// ---- errors
// Classes of our own are both what the code means to Python and what IREE's bindings raise.
static const struct {
  iree_status_code_t code;
  const char *name;  // "iree.runtime._native.NAME"
  PyObject **bases[2];
  const char *doc;
} own_exceptions[] = {
    {IREE_STATUS_NOT_FOUND, "NotFoundError", {&PyExc_ValueError, &PyExc_LookupError}, "No driver, device or function of that name."},
    {IREE_STATUS_RESOURCE_EXHAUSTED, "ResourceExhaustedError", {&PyExc_RuntimeError, &PyExc_MemoryError}, "No memory, or no room."},
    {IREE_STATUS_DEADLINE_EXCEEDED, "DeadlineExceededError", {&PyExc_RuntimeError, &PyExc_TimeoutError}, "It took too long."},
    {IREE_STATUS_PERMISSION_DENIED, "PermissionDeniedError", {&PyExc_RuntimeError, &PyExc_PermissionError}, "A buffer that allows no such use."},
};
enum { N_OWN_EXCEPTIONS = sizeof own_exceptions / sizeof *own_exceptions };
static bool add_exceptions(PyObject *module) {
  for (int i = 0; i < N_OWN_EXCEPTIONS; ++i) {
    char name[64];
    PyOS_snprintf(name, sizeof name, "iree.runtime._native.%s", own_exceptions[i].name);
    PyObject *bases = PyTuple_Pack(2, *own_exceptions[i].bases[0], *own_exceptions[i].bases[1]),
             *exception = bases ? PyErr_NewExceptionWithDoc(name, own_exceptions[i].doc, bases, NULL) : NULL;
    int failed = exception ? PyModule_AddObjectRef(module, own_exceptions[i].name, exception) : -1;
    Py_XDECREF(bases), Py_XDECREF(exception);
    if (failed) return false;
  }
  return true;
}
// A new reference.
static PyObject *own_exception(int i) {
  PyObject *module = PyImport_ImportModule("iree.runtime._native"),
           *exception = module ? PyObject_GetAttrString(module, own_exceptions[i].name) : NULL;
  Py_XDECREF(module);
  if (exception) return exception;
  PyErr_Clear();  // while the module is being made
  return Py_NewRef(*own_exceptions[i].bases[0]);
}
static PyObject *exception_of(iree_status_code_t code) {
  for (int i = 0; i < N_OWN_EXCEPTIONS; ++i)
    if (own_exceptions[i].code == code) return own_exception(i);
  switch (code) {
    case IREE_STATUS_INVALID_ARGUMENT: return Py_NewRef(PyExc_ValueError);
    case IREE_STATUS_OUT_OF_RANGE: return Py_NewRef(PyExc_IndexError);
    case IREE_STATUS_UNIMPLEMENTED: return Py_NewRef(PyExc_NotImplementedError);
    default: return Py_NewRef(PyExc_RuntimeError);
  }
}
// What ends the program (KeyboardInterrupt, SystemExit) comes out as it went in: it waits here while a
// status of code CANCELLED goes through the VM to the caller on the same thread.
static _Thread_local PyObject *interruption;

static bool raise_interruption(iree_status_t status) {
  PyObject *value = interruption;
  interruption = NULL;
  bool is_its = value && iree_status_is_cancelled(status);
  if (is_its) PyErr_SetObject((PyObject *)Py_TYPE(value), value);
  Py_XDECREF(value);
  return is_its;
}
bool binding_ok_in(iree_status_t status, const char *doing) {
  if (iree_status_is_ok(status)) return true;
  if (raise_interruption(status)) {
    iree_status_ignore(status);
    return false;
  }
  char *text = NULL;
  iree_host_size_t length = 0;
  iree_allocator_t allocator = iree_allocator_system();
  PyObject *exception = exception_of(iree_status_code(status));
  bool has_text = iree_status_to_string(status, &allocator, &text, &length);
  if (!has_text) text = (char *)(uintptr_t)iree_status_code_string(iree_status_code(status)), length = strlen(text);
  PyObject *message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  if (message && doing) {
    PyObject *longer = PyUnicode_FromFormat("%s: %U", doing, message);
    Py_DECREF(message);
    message = longer;
  }
  if (message) PyErr_SetObject(exception, message);
  Py_XDECREF(message);
  Py_DECREF(exception);
  if (has_text) iree_allocator_free(allocator, text);
  iree_status_ignore(status);
  return false;
}
bool binding_ok(iree_status_t status) { return iree_status_is_ok(status) || binding_ok_in(status, NULL); }

// ---- handles
PyObject *binding_wrap(binding_state_t *state, binding_type_t type, void *p, PyObject *owner) {
  static void (*const releases[TYPE_COUNT])(void *) = {
#define TYPE(ID, name, release) (void (*)(void *))release,
      BINDING_TYPES(TYPE)
#undef TYPE
  };
  PyTypeObject *t = state->types[type];
  handle_t *h = (handle_t *)(void *)PyType_GenericAlloc(t, 0);  // handle types are final and hold no cycles
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
// The end of a device waits for its workers, which may need the global lock: to give back imported memory.
static bool may_wait(void (*release)(void *)) {
  return release == (void (*)(void *))iree_hal_device_release || release == (void (*)(void *))iree_vm_context_release ||
         release == (void (*)(void *))iree_vm_module_release;
}
void binding_dealloc(PyObject *self) {
  handle_t *h = (handle_t *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (h->p && may_wait(h->release)) {
    Py_BEGIN_ALLOW_THREADS;
    h->release(h->p);
    Py_END_ALLOW_THREADS;
  } else if (h->p && h->release) {
    h->release(h->p);
  }
  Py_XDECREF(h->owner);
  PyObject_Free(self);
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
bool binding_text(PyObject *o, iree_string_view_t *out) {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(o, &size);
  *out = iree_make_string_view(text, (iree_host_size_t)size);
  return text != NULL;
}
// Where an exception was raised, as text after its own: a new reference, NULL without a traceback.
static PyObject *place_of(PyObject *trace) {
  PyObject *last = Py_XNewRef(trace), *next;
  while (last && (next = PyObject_GetAttrString(last, "tb_next"))) {
    if (next != Py_None) {
      Py_DECREF(last);
      last = next;
      continue;
    }
    Py_DECREF(next);
    break;
  }
  PyObject *frame = last ? PyObject_GetAttrString(last, "tb_frame") : NULL, *code = frame ? PyObject_GetAttrString(frame, "f_code") : NULL,
           *file = code ? PyObject_GetAttrString(code, "co_filename") : NULL, *line = file ? PyObject_GetAttrString(last, "tb_lineno") : NULL,
           *place = line ? PyUnicode_FromFormat(" (%U:%S)", file, line) : NULL;
  Py_XDECREF(last), Py_XDECREF(frame), Py_XDECREF(code), Py_XDECREF(file), Py_XDECREF(line);
  return place;
}
iree_status_t binding_status_of_exception(const char *doing) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (value && trace && PyException_SetTraceback(value, trace)) PyErr_Clear();
  bool ends_program = value && type && !PyErr_GivenExceptionMatches(type, PyExc_Exception);
  if (ends_program) {
    PyObject *older = interruption;  // of a caller that dropped its status
    interruption = Py_NewRef(value);
    Py_XDECREF(older);
  }
  PyObject *place = place_of(trace);
  if (PyErr_Occurred()) PyErr_Clear();
  PyObject *name = type ? PyType_GetName((PyTypeObject *)type) : NULL, *text = value ? PyObject_Str(value) : NULL;
  if (PyErr_Occurred()) PyErr_Clear();
  iree_string_view_t n = iree_make_cstring_view("exception"), t = iree_make_cstring_view("without text"), p = iree_string_view_empty();
  if ((name && !binding_text(name, &n)) || (text && !binding_text(text, &t)) || (place && !binding_text(place, &p))) PyErr_Clear();
  iree_status_t status = iree_make_status(ends_program ? IREE_STATUS_CANCELLED : IREE_STATUS_UNKNOWN, "%s: %.*s: %.*s%.*s", doing,
                                          IREE_SV_ARGS(n), IREE_SV_ARGS(t), IREE_SV_ARGS(p));
  Py_XDECREF(name), Py_XDECREF(text), Py_XDECREF(place);
  Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
  return status;
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
    semaphore_slots,   fence_slots,     command_buffer_slots, file_handle_slots, parameter_index_slots,
    index_entry_slots, provider_slots,  mapping_slots,  invoker_slots};

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
  if (!add_exceptions(module)) return -1;
  if (!binding_add_array_type(module)) return -1;
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
  Py_VISIT(state->ndarray);
  return 0;
}
static int module_clear(PyObject *module) {
  binding_state_t *state = PyModule_GetState(module);
  for (int i = 0; i < TYPE_COUNT; ++i) Py_CLEAR(state->types[i]);
  Py_CLEAR(state->device_array);
  Py_CLEAR(state->make_view);
  Py_CLEAR(state->make_array);
  Py_CLEAR(state->element_type);
  Py_CLEAR(state->ndarray);
  return 0;
}
static void module_free(void *module) {
  binding_state_t *state = PyModule_GetState((PyObject *)module);
  if (state->registry) iree_hal_driver_registry_free(state->registry);
  iree_vm_instance_release(state->instance);
  binding_free_flags(state->flags);
  state->registry = NULL, state->instance = NULL, state->flags = NULL;
  module_clear((PyObject *)module);
}

static PyMethodDef functions[] = {
    {"create_hal_module", (PyCFunction)(void (*)(void))binding_create_hal_module, METH_VARARGS | METH_KEYWORDS,
     "create_hal_module(instance, device=None, devices=None, debug_sink=None) -> VmModule\n\n"
     "The module `hal`, through which programs reach the devices."},
    {"create_io_parameters_module", binding_create_io_parameters_module, METH_VARARGS,
     "create_io_parameters_module(instance, *providers) -> VmModule\n\n"
     "The module `io_parameters`, through which programs load parameters."},
    {"query_drivers", binding_query_drivers, METH_NOARGS, "query_drivers() -> list[str]\n\nNames of the drivers of this build."},
    {"create_driver", binding_create_driver, METH_O, "create_driver(name) -> HalDriver\n\nRaises LookupError for an unknown name."},
    {"_parse_flags", binding_parse_flags, METH_VARARGS, "_parse_flags(*flags) -> str or None\n\nThe text that --help asks for."},
    {"_device_uri", binding_device_uri, METH_O, "_device_uri(uri) -> str\n\nWith the flags as parameters."},
    {"create_python_module", binding_create_python_module, METH_VARARGS,
     "create_python_module(owner, name, constructor, exports) -> VmModule\n\nWhat PyModuleInterface.create is made of."},
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
