// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of a context as Python calls it. What can be known before is read once: the kinds of
// arguments from the calling convention, and whether the caller hands fences over.
//
//   argument   `r`: DeviceArray, HalBufferView or another handle; what has the buffer protocol (NumPy
//              arrays), which is copied to the device; lists and tuples of such
//              `i I f F`: numbers
//   result     DeviceArray, numbers, VmRef for other objects (buffers, lists); none, one, or a tuple of
//              several
#include <string.h>

#include "binding.h"

typedef struct invoker {
  PyObject *context_object, *device_object, *function_object;
  iree_vm_context_t *context;
  iree_hal_device_t *device;
  iree_vm_function_t function;
  bool has_fences;
  Py_ssize_t n_arguments, n_results;
  char kinds[];  // one per argument
} invoker_t;

void binding_free_invoker(void *p) {
  invoker_t *v = p;
  Py_DECREF(v->context_object);
  Py_DECREF(v->device_object);
  Py_DECREF(v->function_object);
  PyMem_Free(v);
}

// What the program describes in Python's terms, and what only looks like a function of a program.
static PyObject *reflected(PyObject *context, PyObject *device, PyObject *function) {
  PyObject *m = PyImport_ImportModule("iree.runtime.function"),
           *made = m ? PyObject_CallMethod(m, "ReflectedInvoker", "OOO", context, device, function) : NULL;
  Py_XDECREF(m);
  return made;
}
static PyObject *invoker_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"vm_context", "device", "vm_function", NULL};
  PyObject *context, *device, *function;
  binding_state_t *state = PyType_GetModuleState(type);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO", names, &context, &device, &function) || !binding_unwrap(state, device, TYPE_DEVICE)) return NULL;
  if (!binding_is(state, context, TYPE_VM_CONTEXT) || !binding_is(state, function, TYPE_VM_FUNCTION)) return reflected(context, device, function);
  iree_vm_function_t f = *(iree_vm_function_t *)binding_self(function);
  if (iree_vm_function_lookup_attr_by_name(&f, iree_make_cstring_view("iree.abi")).size) return reflected(context, device, function);
  iree_vm_function_signature_t signature = iree_vm_function_signature(&f);
  iree_string_view_t arguments, results;
  if (!binding_ok(iree_vm_function_call_get_cconv_fragments(&signature, &arguments, &results))) return NULL;
  invoker_t *v = PyMem_Calloc(1, sizeof *v + arguments.size + 1);
  if (!v) return PyErr_NoMemory();
  v->context_object = Py_NewRef(context);
  v->device_object = Py_NewRef(device);
  v->function_object = Py_NewRef(function);
  v->context = binding_self(context);
  v->device = binding_self(device);
  v->function = f;
  for (iree_host_size_t i = 0; i < arguments.size; ++i)
    if (arguments.data[i] != 'v') v->kinds[v->n_arguments++] = arguments.data[i];
  for (iree_host_size_t i = 0; i < results.size; ++i) v->n_results += results.data[i] != 'v';
  iree_string_view_t model = iree_vm_function_lookup_attr_by_name(&f, iree_make_cstring_view("iree.abi.model"));
  v->has_fences = iree_string_view_equal(model, iree_make_cstring_view("coarse-fences")) && v->n_arguments >= 2;
  if (v->has_fences) v->n_arguments -= 2;
  return binding_wrap(state, TYPE_INVOKER, v, NULL);
}

// ---- arguments
static bool push_value(iree_vm_list_t *list, iree_vm_value_t value) { return binding_ok(iree_vm_list_push_value(list, &value)); }
static bool push_number(iree_vm_list_t *list, char kind, PyObject *o) {
  if (kind == 'f' || kind == 'F') {
    double value = PyFloat_AsDouble(o);
    if (PyErr_Occurred()) return false;
    return push_value(list, kind == 'f' ? iree_vm_value_make_f32((float)value) : iree_vm_value_make_f64(value));
  }
  PyObject *number = PyNumber_Index(o);
  if (!number) return false;
  long long value = PyLong_AsLongLong(number);
  Py_DECREF(number);
  if (PyErr_Occurred()) return false;
  if (kind == 'i' && (value < INT32_MIN || value > UINT32_MAX)) {
    PyErr_Format(PyExc_OverflowError, "%lld does not fit into 32 bits", value);
    return false;
  }
  return push_value(list, kind == 'i' ? iree_vm_value_make_i32((int32_t)value) : iree_vm_value_make_i64(value));
}
static bool push_moved(iree_vm_list_t *list, iree_vm_ref_t ref) {
  if (binding_ok(iree_vm_list_push_ref_move(list, &ref))) return true;
  iree_vm_ref_release(&ref);
  return false;
}
static bool push_object(binding_state_t *state, invoker_t *v, iree_vm_list_t *list, PyObject *o);
static bool push_sequence(binding_state_t *state, invoker_t *v, iree_vm_list_t *list, PyObject *o) {
  Py_ssize_t n = PySequence_Size(o);
  iree_vm_list_t *inner = NULL;
  if (n < 0 || !binding_ok(iree_vm_list_create(iree_vm_make_undefined_type_def(), (iree_host_size_t)n, iree_allocator_system(), &inner))) return false;
  bool ok = !Py_EnterRecursiveCall(" in a list of arguments");
  bool entered = ok;
  for (Py_ssize_t i = 0; ok && i < n; ++i) {
    PyObject *item = PySequence_GetItem(o, i);
    ok = item && (PyFloat_Check(item) ? push_number(inner, 'F', item) : PyLong_Check(item) ? push_number(inner, 'I', item) : push_object(state, v, inner, item));
    Py_XDECREF(item);
  }
  if (entered) Py_LeaveRecursiveCall();
  if (ok) return push_moved(list, iree_vm_list_move_ref(inner));
  iree_vm_list_release(inner);
  return false;
}
// The view of an object that only the Python half can look into.
static bool push_converted(binding_state_t *state, invoker_t *v, iree_vm_list_t *list, PyObject *o) {
  PyObject *convert = binding_python(&state->make_view, "iree.runtime.array_interop", "_view_of");
  PyObject *view = convert ? PyObject_CallFunctionObjArgs(convert, v->device_object, o, NULL) : NULL;
  iree_vm_ref_t ref;
  bool ok = view && binding_ref_of(state, view, &ref) && push_moved(list, ref);
  Py_XDECREF(view);
  return ok;
}
static bool push_object(binding_state_t *state, invoker_t *v, iree_vm_list_t *list, PyObject *o) {
  iree_vm_ref_t ref;
  iree_hal_buffer_params_t params = {.usage = IREE_HAL_BUFFER_USAGE_DEFAULT, .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_buffer_view_t *view = binding_copy_small_array(state, v->device, o, params);
  if (view) return push_moved(list, iree_hal_buffer_view_move_ref(view));
  PyObject *device_array = binding_python(&state->device_array, "iree.runtime.array_interop", "DeviceArray");
  if (!device_array) return false;
  if ((PyObject *)Py_TYPE(o) == device_array) {
    PyObject *held = binding_array_view(o);
    if (held) return binding_ref_of(state, held, &ref) && push_moved(list, ref);
    PyErr_SetString(PyExc_ValueError, "the DeviceArray was never given a view");
    return false;
  }
  if (PyObject_CheckBuffer(o) && !binding_is(state, o, TYPE_VM_BUFFER)) {
    view = binding_copy_in(v->device, o, params, IREE_HAL_ELEMENT_TYPE_NONE);
    if (view) return push_moved(list, iree_hal_buffer_view_move_ref(view));
    // Not contiguous, or of a type that the protocol cannot name.
    if (!PyErr_ExceptionMatches(PyExc_BufferError) && !PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)) return false;
    PyErr_Clear();
    return push_converted(state, v, list, o);
  }
  if (PyList_Check(o) || PyTuple_Check(o)) return push_sequence(state, v, list, o);
  for (int type = 0; type < TYPE_COUNT; ++type)
    if (binding_is(state, o, (binding_type_t)type)) return binding_ref_of(state, o, &ref) && push_moved(list, ref);
  if (o == Py_None) return push_moved(list, iree_vm_ref_null());
  return push_converted(state, v, list, o);
}
// A number given for a tensor of rank 0.
static bool push_scalar(binding_state_t *state, invoker_t *v, iree_vm_list_t *list, Py_ssize_t position, PyObject *o) {
  iree_string_view_t declaration = iree_vm_function_lookup_attr_by_name(&v->function, iree_make_cstring_view("iree.abi.declaration"));
  PyObject *make = binding_python(&state->make_array, "iree.runtime.function", "_array_of");
  PyObject *array = make ? PyObject_CallFunction(make, "s#nO", declaration.data ? declaration.data : "", (Py_ssize_t)declaration.size, position, o) : NULL;
  bool ok = array && push_object(state, v, list, array);
  Py_XDECREF(array);
  return ok;
}
static bool is_number(PyObject *o) { return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || PyComplex_CheckExact(o); }
static bool push_arguments(binding_state_t *state, invoker_t *v, iree_vm_list_t *list, PyObject *args) {
  Py_ssize_t n = PyTuple_Size(args);
  if (n != v->n_arguments) {
    iree_string_view_t name = iree_vm_function_name(&v->function);
    PyObject *text = binding_string(name);
    if (text) PyErr_Format(PyExc_ValueError, "'%U' takes %zd arguments, %zd given", text, v->n_arguments, n);
    Py_XDECREF(text);
    return false;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *o = PyTuple_GetItem(args, i);
    bool ok = v->kinds[i] != 'r' ? push_number(list, v->kinds[i], o)
              : is_number(o)     ? push_scalar(state, v, list, i, o)
                                 : push_object(state, v, list, o);
    if (!ok) return false;
  }
  return true;
}

// ---- results
static PyObject *result_of(binding_state_t *state, invoker_t *v, iree_vm_list_t *list, iree_host_size_t i) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  if (!binding_ok(iree_vm_list_get_variant_move(list, i, &variant))) return NULL;  // nobody else reads the list
  iree_vm_ref_t ref = iree_vm_variant_is_ref(variant) ? variant.ref : iree_vm_ref_null();
  if (iree_hal_buffer_view_isa(ref)) {
    PyObject *handle = binding_wrap(state, TYPE_BUFFER_VIEW, ref.ptr, v->device_object);
    PyObject *array = handle ? binding_make_array(state, v->device_object, handle) : NULL;
    Py_XDECREF(handle);
    return array;
  }
  if (!iree_vm_ref_is_null(&ref)) return binding_wrap_ref(state, ref);
  return binding_from_variant(state, &variant);
}
static PyObject *results_of(binding_state_t *state, invoker_t *v, iree_vm_list_t *list) {
  iree_host_size_t n = iree_vm_list_size(list);
  if (n == 0) Py_RETURN_NONE;
  if (n == 1) return result_of(state, v, list, 0);
  PyObject *tuple = PyTuple_New((Py_ssize_t)n);
  for (iree_host_size_t i = 0; tuple && i < n; ++i) {
    PyObject *item = result_of(state, v, list, i);
    if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item)) Py_CLEAR(tuple);
  }
  return tuple;
}

// ---- the object
static PyObject *invoker_function(PyObject *self, void *unused) {
  (void)unused;
  return Py_NewRef(((invoker_t *)binding_self(self))->function_object);
}
static PyObject *invoker_repr(PyObject *self) { return PyObject_Repr(((invoker_t *)binding_self(self))->function_object); }
static PyGetSetDef invoker_getters[] = {{"vm_function", invoker_function, NULL, "The VmFunction.", NULL}, {NULL, NULL, NULL, NULL, NULL}};

// ---- the call
// With fences: nothing to wait for before, and a fence of our own to wait for after.
static bool push_fences(invoker_t *v, iree_vm_list_t *list, iree_hal_fence_t **out_done) {
  iree_hal_semaphore_t *semaphore = NULL;
  if (!binding_ok(iree_hal_semaphore_create(v->device, IREE_HAL_QUEUE_AFFINITY_ANY, 0, IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore))) return false;
  bool ok = binding_ok(iree_hal_fence_create_at(semaphore, 1, iree_allocator_system(), out_done));
  iree_hal_semaphore_release(semaphore);
  return ok && push_moved(list, iree_vm_ref_null()) && push_moved(list, iree_hal_fence_retain_ref(*out_done));
}
// A list in |storage| if it fits.
typedef struct call_list {
  _Alignas(16) uint8_t storage[512];
  bool is_inside;
  iree_vm_list_t *list;
} call_list_t;
static bool list_begin(call_list_t *l, iree_host_size_t n) {
  iree_vm_type_def_t any = iree_vm_make_undefined_type_def();
  l->list = NULL;
  l->is_inside = iree_vm_list_storage_size(&any, n) <= sizeof l->storage;
  if (l->is_inside) return binding_ok(iree_vm_list_initialize(iree_make_byte_span(l->storage, sizeof l->storage), &any, n, &l->list));
  return binding_ok(iree_vm_list_create(any, n, iree_allocator_system(), &l->list));
}
static void list_end(call_list_t *l) {
  if (l->list && l->is_inside) iree_vm_list_deinitialize(l->list);
  else iree_vm_list_release(l->list);
}
static PyObject *invoker_call(PyObject *self, PyObject *args, PyObject *kwargs) {
  invoker_t *v = binding_self(self);
  binding_state_t *state = binding_state_of(self);
  if (kwargs && PyDict_Size(kwargs)) {
    PyErr_Format(PyExc_TypeError, "%R takes its arguments by position", v->function_object);
    return NULL;
  }
  call_list_t inputs, outputs;
  iree_hal_fence_t *done = NULL;
  PyObject *result = NULL;
  if (!list_begin(&inputs, (iree_host_size_t)v->n_arguments + 2)) return NULL;
  bool ok = list_begin(&outputs, (iree_host_size_t)v->n_results) && push_arguments(state, v, inputs.list, args) &&
            (!v->has_fences || push_fences(v, inputs.list, &done));
  if (ok) {
    iree_status_t status;
    Py_BEGIN_ALLOW_THREADS;
    status = iree_vm_invoke(v->context, v->function, IREE_VM_INVOCATION_FLAG_NONE, NULL, inputs.list, outputs.list, iree_allocator_system());
    Py_END_ALLOW_THREADS;
    ok = binding_ok(status) && (!done || (binding_wait(iree_hal_fence_semaphore_list(done), iree_infinite_timeout(), &status) && binding_ok(status)));
  }
  if (ok) result = results_of(state, v, outputs.list);
  iree_hal_fence_release(done);
  list_end(&inputs);
  list_end(&outputs);
  return result;
}
PyType_Slot invoker_slots[] = {{Py_tp_dealloc, binding_dealloc},
                               {Py_tp_new, invoker_new},
                               {Py_tp_call, invoker_call},
                               {Py_tp_getset, invoker_getters},
                               {Py_tp_repr, invoker_repr},
                               {Py_tp_doc,
                                "Calls a function of a context: FunctionInvoker(vm_context, device, vm_function).\n\n"
                                "Arguments, by position, are NumPy arrays, DeviceArrays, whatever NumPy makes arrays of, numbers, and\n"
                                "lists of these; results are DeviceArrays that show their values, numbers, or a VmRef of another object\n"
                                "(lists, buffers): none, one, or a tuple of several."},
                               {0, NULL}};
