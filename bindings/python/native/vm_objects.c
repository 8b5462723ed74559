// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances, modules, functions, contexts, lists, buffers and refs of the virtual machine.
#include <string.h>

#include "binding.h"
#include "iree/vm/bytecode/module.h"

// ---- refs
// Types that a ref may hold: (type of the handle, type of the VM).
static const struct {
  binding_type_t type;
  iree_vm_ref_type_t (*vm_type)(void);
} ref_types[] = {{TYPE_BUFFER_VIEW, iree_hal_buffer_view_type}, {TYPE_BUFFER, iree_hal_buffer_type}, {TYPE_FENCE, iree_hal_fence_type},
                 {TYPE_DEVICE, iree_hal_device_type},           {TYPE_VM_LIST, iree_vm_list_type},   {TYPE_VM_BUFFER, iree_vm_buffer_type}};
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
  PyErr_Format(PyExc_TypeError, "%R is not what a ref can hold", (PyObject *)Py_TYPE(o));
  return false;
}
static PyObject *wrap_ref(binding_state_t *state, iree_vm_ref_t ref) {
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
  return wrap_ref(state, ref);
}
void binding_free_ref(void *p) {
  iree_vm_ref_release(p);
  PyMem_Free(p);
}
static PyObject *ref_deref(PyObject *self, PyObject *args) {
  PyObject *type = Py_None;
  int optional = 0;
  if (!PyArg_ParseTuple(args, "|Op", &type, &optional)) return NULL;
  iree_vm_ref_t ref = iree_vm_ref_null();
  iree_vm_ref_retain(binding_self(self), &ref);
  PyObject *o = binding_from_ref(binding_state_of(self), ref);
  if (!o || type == Py_None || (PyObject *)Py_TYPE(o) == type || (o == Py_None && optional)) return o;
  PyErr_Format(PyExc_TypeError, "the ref holds %R, not %R", (PyObject *)Py_TYPE(o), type);
  Py_DECREF(o);
  return NULL;
}
static PyObject *ref_isinstance(PyObject *self, PyObject *type) {
  binding_state_t *state = binding_state_of(self);
  iree_vm_ref_t *ref = binding_self(self);
  for (size_t i = 0; i < N_REF_TYPES; ++i)
    if ((PyObject *)state->types[ref_types[i].type] == type) return PyBool_FromLong(ref->type == ref_types[i].vm_type());
  Py_RETURN_FALSE;
}
static PyObject *self_ref(PyObject *self, void *unused) {
  (void)unused;
  binding_state_t *state = binding_state_of(self);
  iree_vm_ref_t ref;
  return binding_ref_of(state, self, &ref) ? wrap_ref(state, ref) : NULL;
}
static PyObject *ref_compare(PyObject *a, PyObject *b, int op) {
  if (Py_TYPE(a) != Py_TYPE(b) || (op != Py_EQ && op != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong(iree_vm_ref_equal(binding_self(a), binding_self(b)) == (op == Py_EQ));
}
static Py_hash_t ref_hash(PyObject *self) { return (Py_hash_t)((uintptr_t)((iree_vm_ref_t *)binding_self(self))->ptr >> 4); }
static PyMethodDef ref_methods[] = {{"deref", ref_deref, METH_VARARGS, "deref(type=None, optional=False)\n\nWhat the ref holds."},
                                    {"isinstance", ref_isinstance, METH_O, "isinstance(type) -> bool"},
                                    {NULL, NULL, 0, NULL}};
static PyGetSetDef ref_getters[] = {{"ref", self_ref, NULL, "As a VmRef.", NULL},
                                    {"__iree_vm_ref__", self_ref, NULL, "As a VmRef.", NULL},
                                    {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_ref_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new},
                              {Py_tp_methods, ref_methods},     {Py_tp_getset, ref_getters},
                              {Py_tp_richcompare, ref_compare}, {Py_tp_hash, ref_hash},
                              {Py_tp_doc, "A counted reference to an object of any type."}, {0, NULL}};

// ---- instances
static PyObject *instance_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  (void)kwargs;
  iree_vm_instance_t *instance = NULL;
  if (!PyArg_ParseTuple(args, "") ||
      !binding_ok(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, iree_allocator_system(), &instance)))
    return NULL;
  if (!binding_ok(iree_hal_module_register_all_types(instance))) {
    iree_vm_instance_release(instance);
    return NULL;
  }
  return binding_wrap(PyType_GetModuleState(type), TYPE_VM_INSTANCE, instance, NULL);
}
PyType_Slot vm_instance_slots[] = {
    {Py_tp_dealloc, binding_dealloc}, {Py_tp_new, instance_new}, {Py_tp_doc, "Types that programs share."}, {0, NULL}};

// ---- modules
// The bytes of a module stay with the Python object that has them, until the module frees them.
typedef struct archive {
  Py_buffer bytes;
  PyObject *callback;  // called when the bytes are no longer used; may be NULL
} archive_t;
static iree_status_t archive_ctl(void *self, iree_allocator_command_t command, const void *params, void **inout_ptr) {
  (void)params, (void)inout_ptr;
  if (command != IREE_ALLOCATOR_COMMAND_FREE) return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "only frees");
  archive_t *archive = self;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyBuffer_Release(&archive->bytes);
  if (archive->callback) {
    PyObject *result = PyObject_CallFunctionObjArgs(archive->callback, NULL);
    if (!result) PyErr_WriteUnraisable(archive->callback);
    Py_XDECREF(result);
    Py_DECREF(archive->callback);
  }
  PyMem_Free(archive);
  PyErr_Restore(type, value, trace);
  PyGILState_Release(lock);
  return iree_ok_status();
}
static PyObject *load(PyObject *instance_object, PyObject *buffer, PyObject *callback) {
  binding_state_t *state = PyType_GetModuleState(Py_TYPE(instance_object));
  iree_vm_instance_t *instance = state ? binding_unwrap(state, instance_object, TYPE_VM_INSTANCE) : NULL;
  if (!instance) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "expected VmInstance first");
    return NULL;
  }
  archive_t *archive = PyMem_Calloc(1, sizeof *archive);
  if (!archive) return PyErr_NoMemory();
  if (PyObject_GetBuffer(buffer, &archive->bytes, PyBUF_SIMPLE)) {
    PyMem_Free(archive);
    return NULL;
  }
  if (callback != Py_None) archive->callback = Py_NewRef(callback);
  iree_vm_module_t *module = NULL;
  iree_allocator_t allocator = {.self = archive, .ctl = archive_ctl};
  bool ok = binding_ok(iree_vm_bytecode_module_create(
      instance, IREE_VM_BYTECODE_MODULE_FLAG_NONE,
      iree_make_const_byte_span(archive->bytes.buf, (iree_host_size_t)archive->bytes.len), allocator, iree_allocator_system(), &module));
  if (!ok) {
    PyBuffer_Release(&archive->bytes);
    Py_XDECREF(archive->callback);
    PyMem_Free(archive);
    return NULL;
  }
  return binding_wrap(state, TYPE_VM_MODULE, module, instance_object);
}
// A copy whose start is aligned as constants need it.
static PyObject *aligned_copy(PyObject *buffer) {
  Py_buffer bytes;
  if (PyObject_GetBuffer(buffer, &bytes, PyBUF_SIMPLE)) return NULL;
  PyObject *mmap = PyImport_ImportModule("mmap"), *memory = NULL;
  if (mmap) memory = PyObject_CallMethod(mmap, "mmap", "in", -1, bytes.len ? bytes.len : 1);
  if (memory) {
    PyObject *written = PyObject_CallMethod(memory, "write", "O", buffer);
    if (!written) Py_CLEAR(memory);
    Py_XDECREF(written);
  }
  Py_XDECREF(mmap);
  PyBuffer_Release(&bytes);
  return memory;
}
static PyObject *module_copy_buffer(PyObject *unused, PyObject *args) {
  (void)unused;
  PyObject *instance, *buffer;
  if (!PyArg_ParseTuple(args, "OO", &instance, &buffer)) return NULL;
  PyObject *copy = aligned_copy(buffer), *module = copy ? load(instance, copy, Py_None) : NULL;
  Py_XDECREF(copy);
  return module;
}
static PyObject *module_from_buffer(PyObject *unused, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "buffer", "warn_if_copy", NULL};
  (void)unused;
  PyObject *instance, *buffer;
  int warn = 1;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|p", names, &instance, &buffer, &warn)) return NULL;
  Py_buffer bytes;
  if (PyObject_GetBuffer(buffer, &bytes, PyBUF_SIMPLE)) return NULL;
  bool is_aligned = (uintptr_t)bytes.buf % 64 == 0;
  PyBuffer_Release(&bytes);
  if (is_aligned) return load(instance, buffer, Py_None);
  if (warn && PyErr_WarnEx(PyExc_UserWarning, "the buffer is not aligned to 64 bytes and is copied; use VmModule.mmap or copy_buffer", 1)) return NULL;
  PyObject *copy = aligned_copy(buffer), *module = copy ? load(instance, copy, Py_None) : NULL;
  Py_XDECREF(copy);
  return module;
}
static PyObject *module_wrap_buffer(PyObject *unused, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "buffer", "destroy_callback", "close_buffer", NULL};
  (void)unused;
  PyObject *instance, *buffer, *callback = Py_None;
  int close = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|Op", names, &instance, &buffer, &callback, &close)) return NULL;
  Py_buffer bytes;
  if (PyObject_GetBuffer(buffer, &bytes, PyBUF_SIMPLE)) return NULL;
  bool is_aligned = (uintptr_t)bytes.buf % 64 == 0;
  PyBuffer_Release(&bytes);
  if (!is_aligned) {
    PyErr_SetString(PyExc_ValueError, "the buffer is not aligned to 64 bytes; use copy_buffer");
    return NULL;
  }
  if (close && callback == Py_None) {
    PyObject *method = PyObject_GetAttrString(buffer, "close"), *module = method ? load(instance, buffer, method) : NULL;
    Py_XDECREF(method);
    return module;
  }
  return load(instance, buffer, callback);
}
static PyObject *module_mmap(PyObject *unused, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "filepath", "destroy_callback", NULL};
  (void)unused;
  PyObject *instance, *path, *callback = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|O", names, &instance, &path, &callback)) return NULL;
  PyObject *open_map = NULL, *map = binding_python(&open_map, "iree.runtime.system_api", "_map_file")
                                        ? PyObject_CallFunctionObjArgs(open_map, path, NULL)
                                        : NULL;
  PyObject *module = map ? load(instance, map, callback) : NULL;
  Py_XDECREF(open_map), Py_XDECREF(map);
  return module;
}

static PyObject *module_from_file(PyObject *unused, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"path", "destroy_callback", NULL};
  PyObject *path, *callback = Py_None, *shared = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", names, &path, &callback) ||
      !binding_python(&shared, "iree.runtime.system_api", "_shared_instance"))
    return NULL;
  PyObject *instance = PyObject_CallFunctionObjArgs(shared, NULL),
           *all = instance ? PyTuple_Pack(3, instance, path, callback) : NULL, *module = all ? module_mmap(unused, all, NULL) : NULL;
  Py_DECREF(shared);
  Py_XDECREF(instance), Py_XDECREF(all);
  return module;
}

static PyObject *wrap_function(PyObject *module, iree_vm_function_t function) {
  iree_vm_function_t *kept = PyMem_Malloc(sizeof *kept);
  if (!kept) return PyErr_NoMemory();
  *kept = function;
  return binding_wrap(binding_state_of(module), TYPE_VM_FUNCTION, kept, module);
}
static PyObject *module_lookup(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"name", "linkage", NULL};
  const char *name;
  int linkage = IREE_VM_FUNCTION_LINKAGE_EXPORT;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|i", names, &name, &linkage)) return NULL;
  iree_vm_function_t function;
  iree_status_t status = iree_vm_module_lookup_function_by_name(binding_self(self), (iree_vm_function_linkage_t)linkage,
                                                                iree_make_cstring_view(name), &function);
  if (iree_status_is_not_found(status)) {
    iree_status_ignore(status);
    Py_RETURN_NONE;
  }
  return binding_ok(status) ? wrap_function(self, function) : NULL;
}
static PyObject *module_item(PyObject *self, PyObject *key) {
  if (!PyUnicode_Check(key)) {
    int64_t index = PyLong_AsLongLong(key);
    if (PyErr_Occurred()) return NULL;
    iree_vm_function_t function;
    if (index < 0 || !binding_ok(iree_vm_module_lookup_function_by_ordinal(binding_self(self), IREE_VM_FUNCTION_LINKAGE_EXPORT,
                                                                           (iree_host_size_t)index, &function))) {
      if (!PyErr_Occurred()) PyErr_SetObject(PyExc_IndexError, key);
      return NULL;
    }
    return wrap_function(self, function);
  }
  PyObject *args = PyTuple_Pack(1, key), *found = args ? module_lookup(self, args, NULL) : NULL;
  Py_XDECREF(args);
  if (found != Py_None) return found;
  Py_DECREF(found);
  PyErr_SetObject(PyExc_KeyError, key);
  return NULL;
}
static PyObject *module_name(PyObject *self, void *unused) {
  (void)unused;
  return binding_string(iree_vm_module_name(binding_self(self)));
}
static PyObject *module_version(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(iree_vm_module_signature(binding_self(self)).version);
}
static PyObject *module_function_names(PyObject *self, void *unused) {
  (void)unused;
  iree_vm_module_t *module = binding_self(self);
  iree_host_size_t n = iree_vm_module_signature(module).export_function_count;
  PyObject *list = PyList_New(0);
  for (iree_host_size_t i = 0; list && i < n; ++i) {
    iree_vm_function_t function;
    PyObject *name = NULL;
    if (binding_ok(iree_vm_module_lookup_function_by_ordinal(module, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function)))
      name = binding_string(iree_vm_function_name(&function));
    if (!name || PyList_Append(list, name)) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}
static PyObject *module_repr(PyObject *self) {
  PyObject *name = module_name(self, NULL), *names = name ? module_function_names(self, NULL) : NULL,
           *text = names ? PyUnicode_FromFormat("<VmModule %U : %R>", name, names) : NULL;
  Py_XDECREF(name), Py_XDECREF(names);
  return text;
}
#define KEYWORDS(f) (PyCFunction)(void (*)(void))f, METH_VARARGS | METH_KEYWORDS
static PyMethodDef vm_module_methods[] = {
    {"copy_buffer", module_copy_buffer, METH_VARARGS | METH_STATIC, "copy_buffer(instance, buffer) -> VmModule\n\nOver a copy of the bytes."},
    {"from_buffer", KEYWORDS(module_from_buffer) | METH_STATIC, "from_buffer(instance, buffer, warn_if_copy=True) -> VmModule\n\nOver the bytes if they are aligned to 64, else over a copy."},
    {"from_flatbuffer", KEYWORDS(module_from_buffer) | METH_STATIC, "An older name of from_buffer."},
    {"wrap_buffer", KEYWORDS(module_wrap_buffer) | METH_STATIC, "wrap_buffer(instance, buffer, destroy_callback=None, close_buffer=False) -> VmModule\n\nOver the bytes, which must be aligned to 64."},
    {"mmap", KEYWORDS(module_mmap) | METH_STATIC, "mmap(instance, filepath, destroy_callback=None) -> VmModule\n\nOver the file, mapped."},
    {"from_flatbuffer_file", KEYWORDS(module_from_file) | METH_STATIC, "from_flatbuffer_file(path, destroy_callback=None) -> VmModule\n\nAs mmap, of the instance that Config shares."},
    {"lookup_function", KEYWORDS(module_lookup), "lookup_function(name, linkage=Linkage.EXPORT) -> VmFunction or None"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef vm_module_getters[] = {{"name", module_name, NULL, "The module's name.", NULL},
                                          {"version", module_version, NULL, "The module's version.", NULL},
                                          {"function_names", module_function_names, NULL, "Names of its exports.", NULL},
                                          {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_module_slots[] = {{Py_tp_dealloc, binding_dealloc},   {Py_tp_new, binding_no_new},
                                 {Py_tp_methods, vm_module_methods}, {Py_tp_getset, vm_module_getters},
                                 {Py_tp_repr, module_repr},          {Py_mp_subscript, module_item},
                                 {Py_tp_doc, "A loaded program, or a native module."}, {0, NULL}};

// ---- functions
static PyObject *function_name(PyObject *self, void *unused) {
  (void)unused;
  return binding_string(iree_vm_function_name(binding_self(self)));
}
static PyObject *function_module_name(PyObject *self, void *unused) {
  (void)unused;
  return binding_string(iree_vm_module_name(((iree_vm_function_t *)binding_self(self))->module));
}
static PyObject *function_ordinal(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLong(((iree_vm_function_t *)binding_self(self))->ordinal);
}
static PyObject *function_linkage(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLong(((iree_vm_function_t *)binding_self(self))->linkage);
}
static PyObject *function_reflection(PyObject *self, void *unused) {
  (void)unused;
  iree_vm_function_t *function = binding_self(self);
  PyObject *dict = PyDict_New();
  for (iree_host_size_t i = 0; dict; ++i) {
    iree_string_pair_t pair;
    iree_status_t status = iree_vm_function_get_attr(*function, i, &pair);
    if (iree_status_is_out_of_range(status)) {
      iree_status_ignore(status);
      break;
    }
    PyObject *key = binding_ok(status) ? binding_string(pair.key) : NULL, *value = key ? binding_string(pair.value) : NULL;
    if (!value || PyDict_SetItem(dict, key, value)) Py_CLEAR(dict);
    Py_XDECREF(key), Py_XDECREF(value);
  }
  return dict;
}
static PyObject *function_repr(PyObject *self) {
  iree_vm_function_signature_t signature = iree_vm_function_signature(binding_self(self));
  PyObject *name = function_name(self, NULL), *convention = name ? binding_string(signature.calling_convention) : NULL,
           *reflection = convention ? function_reflection(self, NULL) : NULL,
           *text = reflection ? PyUnicode_FromFormat("<VmFunction %U(%U), reflection = %R>", name, convention, reflection) : NULL;
  Py_XDECREF(name), Py_XDECREF(convention), Py_XDECREF(reflection);
  return text;
}
static PyGetSetDef function_getters[] = {{"name", function_name, NULL, "Its name.", NULL},
                                         {"module_name", function_module_name, NULL, "Its module's name.", NULL},
                                         {"ordinal", function_ordinal, NULL, "Its place among those of its linkage.", NULL},
                                         {"linkage", function_linkage, NULL, "A Linkage.", NULL},
                                         {"reflection", function_reflection, NULL, "What the compiler tells of it.", NULL},
                                         {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_function_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, binding_no_new}, {Py_tp_getset, function_getters},
                                   {Py_tp_repr, function_repr},      {Py_tp_doc, "A function of a module."}, {0, NULL}};

// ---- lists
static PyObject *list_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  (void)kwargs;
  Py_ssize_t capacity;
  iree_vm_list_t *list = NULL;
  if (!PyArg_ParseTuple(args, "n", &capacity)) return NULL;
  if (capacity < 0) {
    PyErr_SetString(PyExc_ValueError, "a capacity below zero");
    return NULL;
  }
  if (!binding_ok(iree_vm_list_create(iree_vm_make_undefined_type_def(), (iree_host_size_t)capacity, iree_allocator_system(), &list)))
    return NULL;
  return binding_wrap(PyType_GetModuleState(type), TYPE_VM_LIST, list, NULL);
}
static PyObject *list_push(PyObject *self, iree_vm_value_t value) {
  if (!binding_ok(iree_vm_list_push_value(binding_self(self), &value))) return NULL;
  Py_RETURN_NONE;
}
static PyObject *list_push_int(PyObject *self, PyObject *o) {
  long long value = PyLong_AsLongLong(o);
  return PyErr_Occurred() ? NULL : list_push(self, iree_vm_value_make_i64(value));
}
static PyObject *list_push_float(PyObject *self, PyObject *o) {
  double value = PyFloat_AsDouble(o);
  return PyErr_Occurred() ? NULL : list_push(self, iree_vm_value_make_f64(value));
}
static PyObject *list_push_ref(PyObject *self, PyObject *o) {
  iree_vm_ref_t ref;
  if (!binding_ref_of(binding_state_of(self), o, &ref)) return NULL;
  bool ok = binding_ok(iree_vm_list_push_ref_move(binding_self(self), &ref));
  iree_vm_ref_release(&ref);  // null once moved
  if (!ok) return NULL;
  Py_RETURN_NONE;
}
static bool list_variant(PyObject *self, PyObject *index, iree_vm_variant_t *out) {
  Py_ssize_t i = PyLong_AsSsize_t(index);
  if (PyErr_Occurred()) return false;
  iree_vm_list_t *list = binding_self(self);
  if (i < 0) i += (Py_ssize_t)iree_vm_list_size(list);
  if (i < 0) {
    PyErr_SetString(PyExc_IndexError, "list index out of range");
    return false;
  }
  return binding_ok(iree_vm_list_get_variant_retain(list, (iree_host_size_t)i, out));
}
PyObject *binding_from_variant(binding_state_t *state, const iree_vm_variant_t *variant) {
  if (iree_vm_variant_is_ref(*variant)) {
    iree_vm_ref_t ref = iree_vm_ref_null(), held = variant->ref;
    iree_vm_ref_retain(&held, &ref);
    return binding_from_ref(state, ref);
  }
  iree_vm_value_t value = iree_vm_variant_value(*variant);
  switch (value.type) {
    case IREE_VM_VALUE_TYPE_I8: return PyLong_FromLong(value.i8);
    case IREE_VM_VALUE_TYPE_I16: return PyLong_FromLong(value.i16);
    case IREE_VM_VALUE_TYPE_I32: return PyLong_FromLong(value.i32);
    case IREE_VM_VALUE_TYPE_I64: return PyLong_FromLongLong(value.i64);
    case IREE_VM_VALUE_TYPE_F32: return PyFloat_FromDouble(value.f32);
    case IREE_VM_VALUE_TYPE_F64: return PyFloat_FromDouble(value.f64);
    default: Py_RETURN_NONE;
  }
}
static PyObject *list_get(PyObject *self, PyObject *index) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  if (!list_variant(self, index, &variant)) return NULL;
  PyObject *o = binding_from_variant(binding_state_of(self), &variant);
  iree_vm_variant_reset(&variant);
  return o;
}
static PyObject *list_get_object(PyObject *self, PyObject *args) {
  PyObject *index, *type = Py_None;
  if (!PyArg_ParseTuple(args, "O|O", &index, &type)) return NULL;
  PyObject *o = list_get(self, index);
  if (!o || type == Py_None || (PyObject *)Py_TYPE(o) == type) return o;
  PyErr_Format(PyExc_TypeError, "the list holds %R there, not %R", (PyObject *)Py_TYPE(o), type);
  Py_DECREF(o);
  return NULL;
}
static PyObject *list_get_list(PyObject *self, PyObject *index) {
  PyObject *o = list_get(self, index);
  if (!o || binding_unwrap(binding_state_of(self), o, TYPE_VM_LIST)) return o;
  Py_DECREF(o);
  return NULL;
}
static PyObject *list_get_ref(PyObject *self, PyObject *index) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  if (!list_variant(self, index, &variant)) return NULL;
  if (!iree_vm_variant_is_ref(variant)) {
    PyErr_SetString(PyExc_TypeError, "the list holds no ref there");
    return NULL;
  }
  return wrap_ref(binding_state_of(self), variant.ref);
}
static Py_ssize_t list_length(PyObject *self) { return (Py_ssize_t)iree_vm_list_size(binding_self(self)); }
static PyObject *list_size(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSsize_t(list_length(self));
}
static PyObject *list_repr(PyObject *self) {
  PyObject *items = PyList_New(0);
  for (Py_ssize_t i = 0; items && i < list_length(self); ++i) {
    PyObject *index = PyLong_FromSsize_t(i), *item = index ? list_get(self, index) : NULL;
    if (!item || PyList_Append(items, item)) Py_CLEAR(items);
    Py_XDECREF(index), Py_XDECREF(item);
  }
  PyObject *text = items ? PyUnicode_FromFormat("<VmVariantList(%zd): %R>", list_length(self), items) : NULL;
  Py_XDECREF(items);
  return text;
}
static PyMethodDef list_methods[] = {{"push_int", list_push_int, METH_O, "push_int(value)\n\nOf 64 bits."},
                                     {"push_float", list_push_float, METH_O, "push_float(value)\n\nOf 64 bits."},
                                     {"push_ref", list_push_ref, METH_O, "push_ref(object)\n\nAny object that a ref can hold, or None."},
                                     {"push_list", list_push_ref, METH_O, "push_list(list)"},
                                     {"get_variant", list_get, METH_O, "get_variant(index)"},
                                     {"get_as_object", list_get_object, METH_VARARGS, "get_as_object(index, type=None)"},
                                     {"get_as_list", list_get_list, METH_O, "get_as_list(index) -> VmVariantList"},
                                     {"get_as_ref", list_get_ref, METH_O, "get_as_ref(index) -> VmRef"},
                                     {NULL, NULL, 0, NULL}};
static PyGetSetDef list_getters[] = {{"size", list_size, NULL, "Number of items.", NULL},
                                     {"ref", self_ref, NULL, "As a VmRef.", NULL},
                                     {"__iree_vm_ref__", self_ref, NULL, "As a VmRef.", NULL},
                                     {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_list_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, list_new},       {Py_tp_methods, list_methods},
                               {Py_tp_getset, list_getters},     {Py_sq_length, list_length}, {Py_mp_length, list_length},
                               {Py_mp_subscript, list_get},      {Py_tp_repr, list_repr},
                               {Py_tp_doc, "A list of values and refs: VmVariantList(capacity)."}, {0, NULL}};

// ---- buffers of the VM
static PyObject *vm_buffer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"length", "alignment", "mutable", NULL};
  Py_ssize_t length, alignment = 0;
  int is_mutable = 1;
  iree_vm_buffer_t *buffer = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "n|np", names, &length, &alignment, &is_mutable)) return NULL;
  if (length < 0 || alignment < 0) {
    PyErr_SetString(PyExc_ValueError, "a length or alignment below zero");
    return NULL;
  }
  iree_vm_buffer_access_t access = IREE_VM_BUFFER_ACCESS_ORIGIN_HOST | (is_mutable ? IREE_VM_BUFFER_ACCESS_MUTABLE : 0);
  if (!binding_ok(iree_vm_buffer_create(access, (iree_host_size_t)length, (iree_host_size_t)alignment, iree_allocator_system(), &buffer)))
    return NULL;
  return binding_wrap(PyType_GetModuleState(type), TYPE_VM_BUFFER, buffer, NULL);
}
static int vm_buffer_get(PyObject *self, Py_buffer *view, int flags) {
  iree_vm_buffer_t *buffer = binding_self(self);
  bool is_mutable = (buffer->access & IREE_VM_BUFFER_ACCESS_MUTABLE) != 0;
  return PyBuffer_FillInfo(view, self, iree_vm_buffer_data(buffer), (Py_ssize_t)iree_vm_buffer_length(buffer), !is_mutable, flags);
}
PyType_Slot vm_buffer_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, vm_buffer_new}, {Py_bf_getbuffer, vm_buffer_get},
                                 {Py_tp_getset, ref_getters},      {Py_tp_doc, "Bytes of the VM: VmBuffer(length, alignment=0, mutable=True)."}, {0, NULL}};

// ---- contexts
static bool modules_of(binding_state_t *state, PyObject *sequence, iree_vm_module_t **out, Py_ssize_t capacity, Py_ssize_t *out_n) {
  *out_n = PySequence_Size(sequence);
  if (*out_n < 0) return false;
  if (*out_n > capacity) {
    PyErr_Format(PyExc_ValueError, "more than %zd modules", capacity);
    return false;
  }
  for (Py_ssize_t i = 0; i < *out_n; ++i) {
    PyObject *item = PySequence_GetItem(sequence, i);
    out[i] = item ? binding_unwrap(state, item, TYPE_VM_MODULE) : NULL;
    Py_XDECREF(item);  // the sequence keeps it
    if (!out[i]) return false;
  }
  return true;
}
enum { MAX_MODULES = 256 };
static PyObject *context_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "modules", NULL};
  PyObject *instance_object, *modules = Py_None;
  binding_state_t *state = PyType_GetModuleState(type);
  iree_vm_module_t *list[MAX_MODULES];
  Py_ssize_t n = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", names, &instance_object, &modules)) return NULL;
  iree_vm_instance_t *instance = binding_unwrap(state, instance_object, TYPE_VM_INSTANCE);
  if (!instance || (modules != Py_None && !modules_of(state, modules, list, MAX_MODULES, &n))) return NULL;
  iree_vm_context_t *context = NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = modules == Py_None ? iree_vm_context_create(instance, IREE_VM_CONTEXT_FLAG_NONE, iree_allocator_system(), &context)
                              : iree_vm_context_create_with_modules(instance, IREE_VM_CONTEXT_FLAG_NONE, (iree_host_size_t)n, list,
                                                                    iree_allocator_system(), &context);
  Py_END_ALLOW_THREADS;
  return binding_ok(status) ? binding_wrap(state, TYPE_VM_CONTEXT, context, instance_object) : NULL;
}
static PyObject *context_register(PyObject *self, PyObject *modules) {
  iree_vm_module_t *list[MAX_MODULES];
  Py_ssize_t n = 0;
  if (!modules_of(binding_state_of(self), modules, list, MAX_MODULES, &n)) return NULL;
  iree_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = iree_vm_context_register_modules(binding_self(self), (iree_host_size_t)n, list);
  Py_END_ALLOW_THREADS;
  if (!binding_ok(status)) return NULL;
  Py_RETURN_NONE;
}
static PyObject *context_invoke(PyObject *self, PyObject *args) {
  PyObject *function_object, *in, *out;
  binding_state_t *state = binding_state_of(self);
  if (!PyArg_ParseTuple(args, "OOO", &function_object, &in, &out)) return NULL;
  iree_vm_function_t *function = binding_unwrap(state, function_object, TYPE_VM_FUNCTION);
  iree_vm_list_t *inputs = function ? binding_unwrap(state, in, TYPE_VM_LIST) : NULL,
                 *outputs = inputs ? binding_unwrap(state, out, TYPE_VM_LIST) : NULL;
  if (!outputs) return NULL;
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
                                        {"invoke", context_invoke, METH_VARARGS, "invoke(function, inputs, outputs)\n\nBoth VmVariantList. Other threads run meanwhile."},
                                        {NULL, NULL, 0, NULL}};
static PyGetSetDef context_getters[] = {{"context_id", context_id, NULL, "A number that no other has.", NULL}, {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_context_slots[] = {{Py_tp_dealloc, binding_dealloc},  {Py_tp_new, context_new},
                                  {Py_tp_methods, context_methods},  {Py_tp_getset, context_getters},
                                  {Py_tp_doc, "Modules with their state: VmContext(instance, modules=None)."}, {0, NULL}};
