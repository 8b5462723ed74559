// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists and byte buffers of the virtual machine.
#include <string.h>

#include "binding.h"

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
static PyObject *from_value(iree_vm_value_t value) {
  switch (value.type) {
    case IREE_VM_VALUE_TYPE_I8: return PyLong_FromLong(value.i8);
    case IREE_VM_VALUE_TYPE_I16: return PyLong_FromLong(value.i16);
    case IREE_VM_VALUE_TYPE_I32: return PyLong_FromLong(value.i32);
    case IREE_VM_VALUE_TYPE_I64: return PyLong_FromLongLong(value.i64);
    case IREE_VM_VALUE_TYPE_F32: return PyFloat_FromDouble((double)value.f32);
    case IREE_VM_VALUE_TYPE_F64: return PyFloat_FromDouble(value.f64);
    default: Py_RETURN_NONE;
  }
}
PyObject *binding_from_variant(binding_state_t *state, const iree_vm_variant_t *variant) {
  if (!iree_vm_variant_is_ref(*variant)) return from_value(iree_vm_variant_value(*variant));
  iree_vm_ref_t ref = iree_vm_ref_null(), held = variant->ref;
  iree_vm_ref_retain(&held, &ref);
  return binding_from_ref(state, ref);
}
// What there is: a number, a VmRef, None for nothing.
static PyObject *list_get(PyObject *self, PyObject *index) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  if (!list_variant(self, index, &variant)) return NULL;
  if (iree_vm_variant_is_ref(variant) && !iree_vm_ref_is_null(&variant.ref)) return binding_wrap_ref(binding_state_of(self), variant.ref);
  PyObject *o = iree_vm_variant_is_ref(variant) ? Py_NewRef(Py_None) : from_value(iree_vm_variant_value(variant));
  iree_vm_variant_reset(&variant);
  return o;
}
// The object that a ref holds.
static PyObject *list_object(PyObject *self, PyObject *index) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  if (!list_variant(self, index, &variant)) return NULL;
  PyObject *o = binding_from_variant(binding_state_of(self), &variant);
  iree_vm_variant_reset(&variant);
  return o;
}
static PyObject *list_get_ref(PyObject *self, PyObject *index);
static PyObject *list_get_object(PyObject *self, PyObject *args) {
  PyObject *index, *type = Py_None;
  if (!PyArg_ParseTuple(args, "O|O", &index, &type)) return NULL;
  if (type == Py_None) return list_object(self, index);
  PyObject *ref = list_get_ref(self, index), *o = ref ? PyObject_CallMethod(type, "__iree_vm_cast__", "O", ref) : NULL;
  Py_XDECREF(ref);
  if (o != Py_None) return o;
  Py_DECREF(o);
  PyErr_Format(PyExc_TypeError, "the list does not hold a %R there", type);
  return NULL;
}
static PyObject *list_get_list(PyObject *self, PyObject *index) {
  PyObject *o = list_object(self, index);
  if (!o || binding_unwrap(binding_state_of(self), o, TYPE_VM_LIST)) return o;
  Py_DECREF(o);
  return NULL;
}
static PyObject *list_get_ref(PyObject *self, PyObject *index) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  if (!list_variant(self, index, &variant)) return NULL;
  if (!iree_vm_variant_is_ref(variant)) {
    iree_vm_variant_reset(&variant);
    PyErr_SetString(PyExc_ValueError, "the list holds no ref there");
    return NULL;
  }
  return binding_wrap_ref(binding_state_of(self), variant.ref);
}
static Py_ssize_t list_length(PyObject *self) { return (Py_ssize_t)iree_vm_list_size(binding_self(self)); }
static PyObject *list_size(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSsize_t(list_length(self));
}

// ---- lists as text
static iree_status_t append_items(iree_vm_list_t *list, int depth, iree_string_builder_t *out);
static iree_status_t append_view(iree_hal_buffer_view_t *view, iree_string_builder_t *out) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(out, "HalBufferView("));
  for (iree_host_size_t i = 0; i < iree_hal_buffer_view_shape_rank(view); ++i)
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(out, "%s%llu", i ? "x" : "", (unsigned long long)iree_hal_buffer_view_shape_dim(view, i)));
  return iree_string_builder_append_format(out, ":0x%08x)", binding_shown_type(iree_hal_buffer_view_element_type(view)));
}
static iree_status_t append_ref(iree_vm_ref_t ref, int depth, iree_string_builder_t *out) {
  if (iree_vm_ref_is_null(&ref)) return iree_string_builder_append_cstring(out, "None");
  if (iree_hal_buffer_view_isa(ref)) return append_view(ref.ptr, out);
  if (iree_hal_buffer_isa(ref)) return iree_string_builder_append_format(out, "HalBuffer(%llu)", (unsigned long long)iree_hal_buffer_byte_length(ref.ptr));
  if (iree_hal_fence_isa(ref)) return iree_string_builder_append_format(out, "fence(%zu)", iree_hal_fence_timepoint_count(ref.ptr));
  if (iree_vm_list_isa(ref)) {
    // A list may hold itself.
    if (depth == 8) return iree_string_builder_append_cstring(out, "List[...]");
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(out, "List["));
    IREE_RETURN_IF_ERROR(append_items(ref.ptr, depth + 1, out));
    return iree_string_builder_append_cstring(out, "]");
  }
  iree_string_view_t name = iree_vm_ref_type_name(ref.type);
  return iree_string_builder_append_format(out, "%.*s", (int)name.size, name.data);
}
static iree_status_t append_value(iree_vm_value_t value, iree_string_builder_t *out) {
  switch (value.type) {
    case IREE_VM_VALUE_TYPE_I8: return iree_string_builder_append_format(out, "%d", (int)value.i8);
    case IREE_VM_VALUE_TYPE_I16: return iree_string_builder_append_format(out, "%d", (int)value.i16);
    case IREE_VM_VALUE_TYPE_I32: return iree_string_builder_append_format(out, "%ld", (long)value.i32);
    case IREE_VM_VALUE_TYPE_I64: return iree_string_builder_append_format(out, "%lld", (long long)value.i64);
    case IREE_VM_VALUE_TYPE_F32: return iree_string_builder_append_format(out, "%f", (double)value.f32);
    case IREE_VM_VALUE_TYPE_F64: return iree_string_builder_append_format(out, "%f", value.f64);
    default: return iree_string_builder_append_cstring(out, "None");
  }
}
static iree_status_t append_items(iree_vm_list_t *list, int depth, iree_string_builder_t *out) {
  for (iree_host_size_t i = 0; i < iree_vm_list_size(list); ++i) {
    iree_vm_variant_t variant = iree_vm_variant_empty();
    if (i) IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(out, ", "));
    IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_retain(list, i, &variant));
    iree_status_t status = iree_vm_variant_is_ref(variant) ? append_ref(variant.ref, depth, out) : append_value(iree_vm_variant_value(variant), out);
    iree_vm_variant_reset(&variant);
    IREE_RETURN_IF_ERROR(status);
  }
  return iree_ok_status();
}
static PyObject *list_repr(PyObject *self) {
  iree_vm_list_t *list = binding_self(self);
  iree_string_builder_t out;
  iree_string_builder_initialize(iree_allocator_system(), &out);
  bool ok = binding_ok(append_items(list, 0, &out));
  PyObject *items = ok ? binding_string(iree_string_builder_view(&out)) : NULL,
           *text = items ? PyUnicode_FromFormat("<VmVariantList(%zu): [%U]>", iree_vm_list_size(list), items) : NULL;
  Py_XDECREF(items);
  iree_string_builder_deinitialize(&out);
  return text;
}

// ---- lists as records of a trace
static PyObject *trace_value(binding_state_t *state, PyObject *list, Py_ssize_t i);
static PyObject *trace_list(binding_state_t *state, PyObject *list) {
  if (Py_EnterRecursiveCall(" in a list")) return NULL;
  PyObject *items = PyList_New(0);
  for (Py_ssize_t i = 0; items && i < PyObject_Size(list); ++i) {
    PyObject *item = trace_value(state, list, i);
    if (!item || PyList_Append(items, item)) Py_CLEAR(items);
    Py_XDECREF(item);
  }
  Py_LeaveRecursiveCall();
  return items ? Py_BuildValue("{s:s,s:N}", "type", "vm.list", "items", items) : NULL;
}
static PyObject *trace_view(PyObject *view) {
  char element[64];
  iree_host_size_t length = 0;
  if (!binding_ok(iree_hal_format_element_type(iree_hal_buffer_view_element_type(binding_self(view)), sizeof element, element, &length))) return NULL;
  PyObject *shape = PyObject_GetAttrString(view, "shape"), *memory = shape ? PyObject_CallMethod(view, "map", NULL) : NULL,
           *contents = memory ? PyBytes_FromObject(memory) : NULL, *record = NULL;
  if (contents) record = Py_BuildValue("{s:s,s:O,s:s,s:O}", "type", "hal.buffer_view", "shape", shape, "element_type", element, "contents", contents);
  Py_XDECREF(shape), Py_XDECREF(memory), Py_XDECREF(contents);
  return record;
}
static PyObject *trace_value(binding_state_t *state, PyObject *list, Py_ssize_t i) {
  static const struct {
    iree_vm_value_type_t type;
    const char *name;
  } names[] = {{IREE_VM_VALUE_TYPE_I8, "i8"},   {IREE_VM_VALUE_TYPE_I16, "i16"}, {IREE_VM_VALUE_TYPE_I32, "i32"},
               {IREE_VM_VALUE_TYPE_I64, "i64"}, {IREE_VM_VALUE_TYPE_F32, "f32"}, {IREE_VM_VALUE_TYPE_F64, "f64"}};
  iree_vm_variant_t variant = iree_vm_variant_empty();
  if (!binding_ok(iree_vm_list_get_variant_retain(binding_self(list), (iree_host_size_t)i, &variant))) return NULL;
  PyObject *o = binding_from_variant(state, &variant), *record = NULL;
  if (!o) {
    iree_vm_variant_reset(&variant);
    return NULL;
  }
  if (o == Py_None) {
    record = Py_BuildValue("{s:s}", "type", "null");
  } else if (binding_is(state, o, TYPE_VM_LIST)) {
    record = trace_list(state, o);
  } else if (binding_is(state, o, TYPE_BUFFER_VIEW)) {
    record = trace_view(o);
  } else if (!iree_vm_variant_is_ref(variant)) {
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
      if (iree_vm_variant_value(variant).type == names[k].type) record = Py_BuildValue("{s:s,s:O}", "type", "value", names[k].name, o);
  }
  if (!record && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "traces have no record for %R", (PyObject *)Py_TYPE(o));
  Py_DECREF(o);
  iree_vm_variant_reset(&variant);
  return record;
}
static PyObject *list_get_trace(PyObject *self, PyObject *index) {
  Py_ssize_t i = PyLong_AsSsize_t(index);
  return PyErr_Occurred() ? NULL : trace_value(binding_state_of(self), self, i);
}
static PyMethodDef list_methods[] = {{"push_int", list_push_int, METH_O, "push_int(value)\n\nOf 64 bits."},
                                     {"push_float", list_push_float, METH_O, "push_float(value)\n\nOf 64 bits."},
                                     {"push_ref", list_push_ref, METH_O, "push_ref(object)\n\nAny object that a ref can hold, or None."},
                                     {"push_list", list_push_ref, METH_O, "push_list(list)"},
                                     {"get_variant", list_get, METH_O, "get_variant(index)\n\nA number, a VmRef, or None."},
                                     {"get_as_object", list_get_object, METH_VARARGS, "get_as_object(index, type=None)\n\nThe object that a ref holds. Raises TypeError for another type."},
                                     {"get_as_list", list_get_list, METH_O, "get_as_list(index) -> VmVariantList"},
                                     {"get_as_ref", list_get_ref, METH_O, "get_as_ref(index) -> VmRef"},
                                     {"get_serialized_trace_value", list_get_trace, METH_O,
                                      "get_serialized_trace_value(index) -> dict\n\nWith the contents of buffer views, for traces."},
                                     REF_METHODS,
                                     {NULL, NULL, 0, NULL}};
static PyGetSetDef list_getters[] = {{"size", list_size, NULL, "Number of items.", NULL},
                                     REF_GETTERS,
                                     {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_list_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, list_new},       {Py_tp_methods, list_methods},
                               {Py_tp_getset, list_getters},     {Py_sq_length, list_length}, {Py_mp_length, list_length},
                               {Py_mp_subscript, list_get},      {Py_tp_repr, list_repr},   REF_SLOTS,
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
static PyObject *vm_buffer_repr(PyObject *self) {
  iree_vm_buffer_t *buffer = binding_self(self);
  return PyUnicode_FromFormat("<VmBuffer size %zu at %p>", iree_vm_buffer_length(buffer), (void *)iree_vm_buffer_data(buffer));
}
static PyMethodDef vm_buffer_methods[] = {REF_METHODS, {NULL, NULL, 0, NULL}};
static PyGetSetDef vm_buffer_getters[] = {REF_GETTERS, {NULL, NULL, NULL, NULL, NULL}};
PyType_Slot vm_buffer_slots[] = {{Py_tp_dealloc, binding_dealloc}, {Py_tp_new, vm_buffer_new}, {Py_bf_getbuffer, vm_buffer_get},
                                 {Py_tp_getset, vm_buffer_getters}, {Py_tp_methods, vm_buffer_methods},
                                 {Py_tp_repr, vm_buffer_repr},     REF_SLOTS,
                                 {Py_tp_doc, "Bytes of the VM: VmBuffer(length, alignment=0, mutable=True)."}, {0, NULL}};
