// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances, modules and functions of the virtual machine.
#include "binding.h"
#include "iree/vm/bytecode/module.h"

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
  // The handle keeps the bytes as well, for stashed_flatbuffer_blob.
  PyObject *kept = PyTuple_Pack(2, instance_object, buffer);
  if (!kept) {
    iree_vm_module_release(module);
    return NULL;
  }
  PyObject *handle = binding_wrap(state, TYPE_VM_MODULE, module, kept);
  Py_DECREF(kept);
  return handle;
}
static PyObject *module_blob(PyObject *self, void *unused) {
  (void)unused;
  PyObject *kept = ((handle_t *)self)->owner;
  return Py_NewRef(kept && PyTuple_Check(kept) ? PyTuple_GetItem(kept, 1) : Py_None);
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
  if (warn && PyErr_WarnEx(PyExc_UserWarning, "Making copy of unaligned VmModule buffer: it starts at no multiple of 64 bytes. VmModule.mmap needs none, copy_buffer says that it does", 1)) return NULL;
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
    PyErr_SetString(PyExc_ValueError, "an unaligned buffer: it starts at no multiple of 64 bytes; use copy_buffer");
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
// Modules of the runtime that need nothing but an instance.
static PyObject *module_resolve(PyObject *unused, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "name", "minimum_version", NULL};
  (void)unused;
  PyObject *instance;
  const char *name;
  unsigned version = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Os|I", names, &instance, &name, &version)) return NULL;
  PyErr_Format(PyExc_ValueError, "no module '%s' comes without a device or files: `hal` is made by create_hal_module, `io_parameters` by "
               "create_io_parameters_module, others are loaded from files", name);
  return NULL;
}

static PyObject *wrap_function(PyObject *module, iree_vm_function_t function) {
  iree_vm_function_t *kept = PyMem_Malloc(sizeof *kept);
  if (!kept) return PyErr_NoMemory();
  *kept = function;
  // Functions keep their module, but not one of Python's, whose functions may refer to it.
  PyObject *memory = binding_python_module_memory(function.module);
  return binding_wrap(binding_state_of(module), TYPE_VM_FUNCTION, kept, memory ? memory : module);
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
static PyMethodDef vm_module_methods[] = {
    {"copy_buffer", module_copy_buffer, METH_VARARGS | METH_STATIC, "copy_buffer(instance, buffer) -> VmModule\n\nOver a copy of the bytes."},
    {"from_buffer", KEYWORDS(module_from_buffer) | METH_STATIC, "from_buffer(instance, buffer, warn_if_copy=True) -> VmModule\n\nOver the bytes if they are aligned to 64, else over a copy."},
    {"from_flatbuffer", KEYWORDS(module_from_buffer) | METH_STATIC, "An older name of from_buffer."},
    {"wrap_buffer", KEYWORDS(module_wrap_buffer) | METH_STATIC, "wrap_buffer(instance, buffer, destroy_callback=None, close_buffer=False) -> VmModule\n\nOver the bytes, which must be aligned to 64."},
    {"mmap", KEYWORDS(module_mmap) | METH_STATIC, "mmap(instance, filepath, destroy_callback=None) -> VmModule\n\nOver the file, mapped."},
    {"from_flatbuffer_file", KEYWORDS(module_from_file) | METH_STATIC, "from_flatbuffer_file(path, destroy_callback=None) -> VmModule\n\nAs mmap, of the instance that Config shares."},
    {"resolve_module_dependency", KEYWORDS(module_resolve) | METH_STATIC,
     "resolve_module_dependency(instance, name, minimum_version) -> VmModule\n\nA module of the runtime by its name. Raises ValueError."},
    {"lookup_function", KEYWORDS(module_lookup), "lookup_function(name, linkage=Linkage.EXPORT) -> VmFunction or None"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef vm_module_getters[] = {{"name", module_name, NULL, "The module's name.", NULL},
                                          {"version", module_version, NULL, "The module's version.", NULL},
                                          {"function_names", module_function_names, NULL, "Names of its exports.", NULL},
                                          {"stashed_flatbuffer_blob", module_blob, NULL, "The bytes that it was loaded from, or None.", NULL},
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
