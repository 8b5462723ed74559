// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules whose functions are Python's. A call finds the object that the constructor made for its
// context, and passes it as the first argument.
//
//   argument   i I: int   f F: float   r: VmRef, None for null
//   result     the same; one, or a sequence of several
//   exception  a status of code UNKNOWN with its type, text and place; what ends the program (KeyboardInterrupt,
//              SystemExit) comes out of the call as itself
//   threads    calls hold the global lock; they come from whatever thread invokes
#include <string.h>

#include "binding.h"

typedef struct export {
  PyObject *name, *cconv, *callable;
  iree_string_view_t arguments, results;  // of cconv
} export_t;
typedef struct py_module {
  iree_vm_module_t interface;
  binding_state_t *state;
  PyObject *extension;  // keeps |state|
  // Its end frees this structure: a VmFunction keeps names readable without keeping the module alive.
  PyObject *memory;
  PyObject *owner, *name, *constructor;
  iree_host_size_t n_exports;
  export_t exports[];
} py_module_t;

static iree_string_view_t text_of(PyObject *o) {
  iree_string_view_t text = iree_string_view_empty();
  if (!binding_text(o, &text)) PyErr_Clear();  // cannot fail: its text was asked for before
  return text;
}
// ---- packed arguments and results: as iree/vm/module.h describes them
static iree_host_size_t size_of(char kind) { return kind == 'r' ? sizeof(iree_vm_ref_t) : kind == 'I' || kind == 'F' ? 8 : kind == 'v' ? 0 : 4; }
static uint8_t *take(char kind, iree_byte_span_t span, iree_host_size_t *offset) {
  iree_host_size_t size = size_of(kind), align = size > 8 ? 8 : size ? size : 1;
  iree_host_size_t at = (*offset + align - 1) / align * align;
  if (at > span.data_length || size > span.data_length - at) return NULL;
  *offset = at + size;
  return span.data + at;
}
static PyObject *unpack_one(binding_state_t *state, char kind, uint8_t *from) {
  iree_vm_ref_t ref = iree_vm_ref_null();
  switch (kind) {
    case 'i': return PyLong_FromLong(*(int32_t *)(void *)from);
    case 'I': return PyLong_FromLongLong(*(int64_t *)(void *)from);
    case 'f': return PyFloat_FromDouble((double)*(float *)(void *)from);
    case 'F': return PyFloat_FromDouble(*(double *)(void *)from);
    default:
      iree_vm_ref_retain((iree_vm_ref_t *)(void *)from, &ref);
      if (iree_vm_ref_is_null(&ref)) Py_RETURN_NONE;
      return binding_wrap_ref(state, ref);
  }
}
// The tuple (self, arguments...), or NULL with an exception.
static PyObject *unpack(py_module_t *m, const export_t *e, PyObject *self, iree_byte_span_t span) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)e->arguments.size + 1);
  iree_host_size_t offset = 0;
  if (tuple && PyTuple_SetItem(tuple, 0, Py_NewRef(self))) Py_CLEAR(tuple);
  for (iree_host_size_t i = 0; tuple && i < e->arguments.size; ++i) {
    uint8_t *from = take(e->arguments.data[i], span, &offset);
    if (!from) PyErr_SetString(PyExc_SystemError, "the caller passes less than the calling convention says");
    PyObject *item = from ? unpack_one(m->state, e->arguments.data[i], from) : NULL;
    if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i + 1, item)) Py_CLEAR(tuple);
  }
  return tuple;
}
static bool pack_int(char kind, PyObject *value, uint8_t *to) {
  PyObject *number = PyNumber_Index(value);
  long long n = number ? PyLong_AsLongLong(number) : 0;
  Py_XDECREF(number);
  if (PyErr_Occurred()) return false;
  if (kind == 'I') {
    memcpy(to, &n, sizeof n);
    return true;
  }
  if (n < INT32_MIN || n > UINT32_MAX) {
    PyErr_Format(PyExc_OverflowError, "%lld does not fit into 32 bits", n);
    return false;
  }
  *(int32_t *)(void *)to = (int32_t)n;
  return true;
}
static bool pack_one(binding_state_t *state, char kind, PyObject *value, uint8_t *to) {
  if (kind == 'i' || kind == 'I') return pack_int(kind, value, to);
  if (kind == 'r') {
    iree_vm_ref_t ref;
    if (!binding_ref_of(state, value, &ref)) return false;
    iree_vm_ref_move(&ref, (iree_vm_ref_t *)(void *)to);
    return true;
  }
  double number = PyFloat_AsDouble(value);
  if (PyErr_Occurred()) return false;
  if (kind == 'f') *(float *)(void *)to = (float)number;
  else memcpy(to, &number, sizeof number);
  return true;
}
static bool pack(py_module_t *m, const export_t *e, PyObject *result, iree_byte_span_t span) {
  if (e->results.size == 0) return true;
  memset(span.data, 0, span.data_length);  // refs start null
  PyObject *values = e->results.size == 1 ? PyTuple_Pack(1, result) : PySequence_Tuple(result);
  bool ok = values && PyTuple_Size(values) == (Py_ssize_t)e->results.size;
  if (values && !ok) PyErr_Format(PyExc_ValueError, "%zd results, the calling convention says %zu", PyTuple_Size(values), e->results.size);
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; ok && i < e->results.size; ++i) {
    uint8_t *to = take(e->results.data[i], span, &offset);
    if (!to) PyErr_SetString(PyExc_SystemError, "the caller has less room than the calling convention says");
    ok = to && pack_one(m->state, e->results.data[i], PyTuple_GetItem(values, (Py_ssize_t)i), to);
  }
  Py_XDECREF(values);
  if (ok) return true;
  // What was packed before the failure is not the caller's.
  offset = 0;
  for (iree_host_size_t i = 0; i < e->results.size; ++i) {
    uint8_t *to = take(e->results.data[i], span, &offset);
    if (to && e->results.data[i] == 'r') iree_vm_ref_release((iree_vm_ref_t *)(void *)to);
  }
  return false;
}

// ---- the module's interface
static void free_memory(PyObject *memory) {
  py_module_t *m = PyCapsule_GetPointer(memory, NULL);
  for (iree_host_size_t i = 0; i < m->n_exports; ++i) Py_XDECREF(m->exports[i].name), Py_XDECREF(m->exports[i].cconv);
  Py_XDECREF(m->name), Py_XDECREF(m->extension);
  PyMem_Free(m);
}
static void module_destroy(void *self) {
  py_module_t *m = self;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  if (m->owner && PyObject_SetAttrString(m->owner, "_destroyed", Py_True)) PyErr_Clear();
  for (iree_host_size_t i = 0; i < m->n_exports; ++i) Py_CLEAR(m->exports[i].callable);
  Py_CLEAR(m->owner);
  Py_CLEAR(m->constructor);
  Py_DECREF(m->memory);
  PyErr_Restore(type, value, trace);
  PyGILState_Release(lock);
}
PyObject *binding_python_module_memory(iree_vm_module_t *module) {
  return module->destroy == module_destroy ? ((py_module_t *)module->self)->memory : NULL;
}
bool binding_python_module_is_gone(iree_vm_module_t *module) {
  return module->destroy == module_destroy && !((py_module_t *)module->self)->constructor;
}
static iree_string_view_t module_name(void *self) { return text_of(((py_module_t *)self)->name); }
static iree_vm_module_signature_t module_signature(void *self) {
  return (iree_vm_module_signature_t){.export_function_count = ((py_module_t *)self)->n_exports};
}
static iree_status_t module_get_function(void *self, iree_vm_function_linkage_t linkage, iree_host_size_t ordinal, iree_vm_function_t *out_function,
                                         iree_string_view_t *out_name, iree_vm_function_signature_t *out_signature) {
  py_module_t *m = self;
  if ((linkage != IREE_VM_FUNCTION_LINKAGE_EXPORT && linkage != IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL) || ordinal >= m->n_exports)
    return iree_status_from_code(IREE_STATUS_NOT_FOUND);
  if (out_function) *out_function = (iree_vm_function_t){.module = &m->interface, .linkage = (uint16_t)linkage, .ordinal = (uint16_t)ordinal};
  if (out_name) *out_name = text_of(m->exports[ordinal].name);
  if (out_signature) out_signature->calling_convention = text_of(m->exports[ordinal].cconv);
  return iree_ok_status();
}
static iree_status_t module_lookup(void *self, iree_vm_function_linkage_t linkage, iree_string_view_t name,
                                   const iree_vm_function_signature_t *expected, iree_vm_function_t *out_function) {
  py_module_t *m = self;
  for (iree_host_size_t i = 0; i < m->n_exports; ++i) {
    if (!iree_string_view_equal(text_of(m->exports[i].name), name)) continue;
    iree_string_view_t cconv = text_of(m->exports[i].cconv);
    if (expected && expected->calling_convention.size && !iree_string_view_equal(cconv, expected->calling_convention))
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "function `%.*s` of the Python module has the calling convention %.*s, the program expects %.*s",
                              IREE_SV_ARGS(name), IREE_SV_ARGS(cconv), IREE_SV_ARGS(expected->calling_convention));
    return module_get_function(self, linkage, i, out_function, NULL, NULL);
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no function `%.*s` exported by the Python module `%.*s`", IREE_SV_ARGS(name),
                          IREE_SV_ARGS(module_name(self)));
}
static iree_status_t module_alloc_state(void *self, iree_allocator_t allocator, iree_vm_module_state_t **out_state) {
  (void)allocator;
  py_module_t *m = self;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *object = PyObject_CallFunctionObjArgs(m->constructor, m->owner, NULL);
  iree_status_t status = object ? iree_ok_status() : binding_status_of_exception("in the constructor of a Python module");
  *out_state = (iree_vm_module_state_t *)(void *)object;
  PyGILState_Release(lock);
  return status;
}
static void module_free_state(void *self, iree_vm_module_state_t *state) {
  (void)self;
  PyGILState_STATE lock = PyGILState_Ensure();
  Py_XDECREF((PyObject *)(void *)state);
  PyGILState_Release(lock);
}
static iree_status_t module_notify(void *self, iree_vm_module_state_t *state, iree_vm_signal_t signal) {
  (void)self, (void)state, (void)signal;
  return iree_ok_status();
}
static iree_status_t module_begin_call(void *self, iree_vm_stack_t *stack, iree_vm_function_call_t call) {
  py_module_t *m = self;
  iree_vm_stack_frame_t *frame = NULL;
  if (call.function.ordinal >= m->n_exports) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "no such function of a Python module");
  const export_t *e = &m->exports[call.function.ordinal];
  IREE_RETURN_IF_ERROR(iree_vm_stack_function_enter(stack, &call.function, IREE_VM_STACK_FRAME_NATIVE, 0, NULL, &frame));
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *arguments = unpack(m, e, (PyObject *)(void *)frame->module_state, call.arguments),
           *result = arguments ? PyObject_CallObject(e->callable, arguments) : NULL;
  bool ok = result && pack(m, e, result, call.results);
  iree_status_t status = ok ? iree_ok_status() : binding_status_of_exception("in a function of a Python module");
  Py_XDECREF(arguments), Py_XDECREF(result);
  PyGILState_Release(lock);
  IREE_RETURN_IF_ERROR(status);
  return iree_vm_stack_function_leave(stack);
}

// ---- creation
static bool has_known_kinds(iree_string_view_t kinds) {
  for (iree_host_size_t i = 0; i < kinds.size; ++i)
    if (!strchr("iIfFr", kinds.data[i])) return false;
  return true;
}
static bool add_export(py_module_t *m, PyObject *row) {
  export_t *e = &m->exports[m->n_exports];
  PyObject *name, *cconv, *callable;
  iree_vm_function_signature_t signature;
  iree_string_view_t unused;
  if (!PyArg_ParseTuple(row, "UUO", &name, &cconv, &callable) || !binding_text(name, &unused) || !binding_text(cconv, &signature.calling_convention) ||
      !binding_ok(iree_vm_function_call_get_cconv_fragments(&signature, &e->arguments, &e->results)))
    return false;
  if (iree_vm_function_call_is_variadic_cconv(e->arguments) || iree_vm_function_call_is_variadic_cconv(e->results)) {
    PyErr_Format(PyExc_ValueError, "'%U' has a variadic calling convention, which Python modules cannot serve; pass a list", name);
    return false;
  }
  if (!signature.calling_convention.size || !has_known_kinds(e->arguments) || !has_known_kinds(e->results)) {
    PyErr_Format(PyExc_ValueError, "'%U' is no calling convention; \"0ir_F\" takes an int and a ref and returns a float", cconv);
    return false;
  }
  e->name = Py_NewRef(name), e->cconv = Py_NewRef(cconv), e->callable = Py_NewRef(callable);
  ++m->n_exports;
  return true;
}
PyObject *binding_create_python_module(PyObject *extension, PyObject *args) {
  PyObject *owner, *name, *constructor, *exports;
  iree_string_view_t unused;
  if (!PyArg_ParseTuple(args, "OUOO!", &owner, &name, &constructor, &PyTuple_Type, &exports) || !binding_text(name, &unused)) return NULL;
  Py_ssize_t n = PyTuple_Size(exports);
  if (n > UINT16_MAX) {
    PyErr_Format(PyExc_ValueError, "a module of %zd functions; at most %d are supported", n, UINT16_MAX);
    return NULL;
  }
  py_module_t *m = PyMem_Calloc(1, sizeof *m + (size_t)n * sizeof *m->exports);
  if (!m) return PyErr_NoMemory();
  if (!(m->memory = PyCapsule_New(m, NULL, free_memory))) {
    PyMem_Free(m);
    return NULL;
  }
  iree_status_ignore(iree_vm_module_initialize(&m->interface, m));
  m->interface.destroy = module_destroy;
  m->interface.name = module_name;
  m->interface.signature = module_signature;
  m->interface.get_function = module_get_function;
  m->interface.lookup_function = module_lookup;
  m->interface.alloc_state = module_alloc_state;
  m->interface.free_state = module_free_state;
  m->interface.notify = module_notify;
  m->interface.begin_call = module_begin_call;
  m->state = PyModule_GetState(extension);
  m->extension = Py_NewRef(extension);
  m->name = Py_NewRef(name), m->constructor = Py_NewRef(constructor);
  bool ok = true;
  for (Py_ssize_t i = 0; ok && i < n; ++i) ok = add_export(m, PyTuple_GetItem(exports, i));
  if (!ok) {
    module_destroy(m);
    return NULL;
  }
  m->owner = Py_NewRef(owner);
  return binding_wrap(m->state, TYPE_VM_MODULE, &m->interface, NULL);
}
