// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drivers, and the module `hal` over their devices.
#include "binding.h"
#include "iree/modules/hal/module.h"

// ---- drivers
PyObject *binding_query_drivers(PyObject *module, PyObject *unused) {
  (void)unused;
  binding_state_t *state = PyModule_GetState(module);
  iree_hal_driver_info_t *infos = NULL;
  iree_host_size_t n = 0;
  if (!binding_ok(iree_hal_driver_registry_enumerate(state->registry, iree_allocator_system(), &n, &infos))) return NULL;
  PyObject *list = PyList_New(0);
  for (iree_host_size_t i = 0; list && i < n; ++i) {
    PyObject *name = binding_string(infos[i].driver_name);
    if (!name || PyList_Append(list, name)) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  iree_allocator_free(iree_allocator_system(), infos);
  return list;
}
PyObject *binding_create_driver(PyObject *module, PyObject *name) {
  binding_state_t *state = PyModule_GetState(module);
  iree_string_view_t view;
  iree_hal_driver_t *driver = NULL;
  if (!binding_text(name, &view) ||
      !binding_ok(iree_hal_driver_registry_try_create(state->registry, view, iree_allocator_system(), &driver)))
    return NULL;
  return binding_wrap(state, TYPE_DRIVER, driver, NULL);
}
static PyObject *driver_devices(PyObject *self, PyObject *unused) {
  (void)unused;
  iree_hal_driver_t *driver = binding_self(self);
  iree_hal_device_info_t *infos = NULL;
  iree_host_size_t n = 0;
  if (!binding_ok(iree_hal_driver_query_available_devices(driver, iree_allocator_system(), &n, &infos))) return NULL;
  PyObject *list = PyList_New(0);
  for (iree_host_size_t i = 0; list && i < n; ++i) {
    PyObject *row = Py_BuildValue("{s:K,s:s#,s:s#}", "device_id", (unsigned long long)infos[i].device_id, "path",
                                  infos[i].path.data ? infos[i].path.data : "", (Py_ssize_t)infos[i].path.size, "name",
                                  infos[i].name.data ? infos[i].name.data : "", (Py_ssize_t)infos[i].name.size);
    if (!row || PyList_Append(list, row)) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  iree_allocator_free(iree_allocator_system(), infos);
  return list;
}
static PyObject *wrap_device(PyObject *self, iree_status_t status, iree_hal_device_t *device) {
  return binding_ok(status) ? binding_wrap(binding_state_of(self), TYPE_DEVICE, device, self) : NULL;
}
// Pairs of a dict of strings, which keeps their text.
enum { MAX_PARAMS = 64 };
static bool params_of(PyObject *dict, iree_string_pair_t *out, iree_host_size_t *out_n) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  *out_n = 0;
  if (dict == Py_None) return true;
  if (!PyDict_Check(dict) || PyDict_Size(dict) > MAX_PARAMS) {
    PyErr_Format(PyExc_ValueError, "params: a dict of at most %d strings", MAX_PARAMS);
    return false;
  }
  while (PyDict_Next(dict, &at, &key, &value)) {
    if (!binding_text(key, &out[*out_n].key) || !binding_text(value, &out[*out_n].value)) return false;
    ++*out_n;
  }
  return true;
}
// The local drivers' allocators already cache, and check in builds with sanitizers: layers over them
// are accepted by name and add nothing.
static bool allocators_of(PyObject *list) {
  static const char *const known[] = {"caching", "debug"};
  PyObject *items = list == Py_None ? PyTuple_New(0) : PySequence_Tuple(list);
  for (Py_ssize_t i = 0; items && i < PyTuple_Size(items); ++i) {
    iree_string_view_t spec, kind, rest;
    if (!binding_text(PyTuple_GetItem(items, i), &spec)) break;
    iree_string_view_split(spec, ':', &kind, &rest);
    if (!iree_string_view_equal(kind, iree_make_cstring_view(known[0])) && !iree_string_view_equal(kind, iree_make_cstring_view(known[1])))
      PyErr_Format(PyExc_ValueError, "no allocator %R; there are: caching, debug", PyTuple_GetItem(items, i));
  }
  Py_XDECREF(items);
  return !PyErr_Occurred();
}
static PyObject *driver_default_device(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"allocators", NULL};
  PyObject *allocators = Py_None;
  iree_hal_device_create_params_t params = iree_hal_device_create_params_default();
  iree_hal_device_t *device = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", names, &allocators) || !allocators_of(allocators)) return NULL;
  iree_status_t status = iree_hal_driver_create_default_device(binding_self(self), &params, iree_allocator_system(), &device);
  return wrap_device(self, status, device);
}
// Is there a device of that number? ValueError with all there are otherwise.
static bool check_id(PyObject *self, PyObject *id) {
  PyObject *devices = driver_devices(self, NULL);
  bool is_there = false;
  for (Py_ssize_t i = 0; devices && !is_there && i < PyList_Size(devices); ++i)
    is_there = PyObject_RichCompareBool(PyDict_GetItemString(PyList_GetItem(devices, i), "device_id"), id, Py_EQ) == 1;
  if (devices && !is_there && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "no device %R; there are: %R", id, devices);
  Py_XDECREF(devices);
  return is_there;
}
static PyObject *driver_device(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"device_id", "params", "allocators", NULL}, *info_names[] = {"device_info", "params", "allocators", NULL};
  PyObject *which, *params = Py_None, *allocators = Py_None;
  bool is_info = kwargs && PyDict_GetItemString(kwargs, "device_info");
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO", is_info ? info_names : names, &which, &params, &allocators)) return NULL;
  PyObject *id = PyDict_Check(which) ? PyDict_GetItemString(which, "device_id") : which;
  if (!id) {
    PyErr_SetString(PyExc_KeyError, "device_id");
    return NULL;
  }
  unsigned long long number = PyLong_AsUnsignedLongLong(id);
  iree_string_pair_t pairs[MAX_PARAMS];
  iree_host_size_t n_pairs;
  if (PyErr_Occurred() || !check_id(self, id) || !params_of(params, pairs, &n_pairs) || !allocators_of(allocators)) return NULL;
  iree_hal_device_create_params_t create = iree_hal_device_create_params_default();
  iree_hal_device_t *device = NULL;
  iree_status_t status = iree_hal_driver_create_device_by_id(binding_self(self), (iree_hal_device_id_t)number, n_pairs, pairs, &create,
                                                             iree_allocator_system(), &device);
  return wrap_device(self, status, device);
}
static PyObject *driver_device_by_uri(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"device_uri", "allocators", NULL};
  iree_hal_device_create_params_t params = iree_hal_device_create_params_default();
  PyObject *uri, *allocators = Py_None;
  iree_string_view_t view;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", names, &uri, &allocators) || !binding_text(uri, &view) || !allocators_of(allocators))
    return NULL;
  iree_hal_device_t *device = NULL;
  iree_status_t status = iree_hal_driver_create_device_by_uri(binding_self(self), view, &params, iree_allocator_system(), &device);
  return wrap_device(self, status, device);
}
static PyObject *driver_dump(PyObject *self, PyObject *id) {
  unsigned long long number = PyLong_AsUnsignedLongLong(id);
  if (PyErr_Occurred()) return NULL;
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  bool ok = binding_ok(iree_hal_driver_dump_device_info(binding_self(self), (iree_hal_device_id_t)number, &builder));
  PyObject *text = ok ? binding_string(iree_string_builder_view(&builder)) : NULL;
  iree_string_builder_deinitialize(&builder);
  return text;
}
static PyObject *driver_query(PyObject *unused, PyObject *none) {
  (void)unused, (void)none;
  PyObject *query = NULL, *m = PyImport_ImportModule("iree.runtime._native");
  if (m) query = PyObject_CallMethod(m, "query_drivers", NULL);
  Py_XDECREF(m);
  return query;
}
static PyMethodDef driver_methods[] = {
    {"query", driver_query, METH_NOARGS | METH_STATIC, "query() -> list[str]\n\nNames of the drivers of this build."},
    {"query_available_devices", driver_devices, METH_NOARGS, "query_available_devices() -> list[dict]\n\ndevice_id, path and name of each."},
    {"create_default_device", KEYWORDS(driver_default_device), "create_default_device(allocators=None) -> HalDevice"},
    {"create_device", KEYWORDS(driver_device),
     "create_device(device_id or a dict of query_available_devices, params=None, allocators=None) -> HalDevice\n\n"
     "params: a dict of strings, as in URIs. Raises ValueError for a device that is not there."},
    {"create_device_by_uri", KEYWORDS(driver_device_by_uri), "create_device_by_uri(device_uri, allocators=None) -> HalDevice\n\nDRIVER://PATH?KEY=VALUE&..."},
    {"dump_device_info", driver_dump, METH_O, "dump_device_info(device_id) -> str\n\nWhat the driver knows of it, for people."},
    {NULL, NULL, 0, NULL}};
PyType_Slot driver_slots[] = {{Py_tp_dealloc, binding_dealloc},
                              {Py_tp_new, binding_no_new},
                              {Py_tp_methods, driver_methods},
                              {Py_tp_doc, "Makes devices of one kind."},
                              {0, NULL}};

// ---- the module `hal`
// A sink that calls Python. It keeps the HalModuleDebugSink until the module is destroyed.
typedef struct sink {
  binding_state_t *state;
  PyObject *callback, *owner;
} sink_t;
static void sink_release(void *user_data) {
  sink_t *s = user_data;
  PyGILState_STATE lock = PyGILState_Ensure();
  Py_DECREF(s->callback), Py_DECREF(s->owner);
  PyMem_Free(s);
  PyGILState_Release(lock);
}
static iree_status_t sink_trace(void *user_data, iree_string_view_t key, iree_host_size_t n, iree_hal_buffer_view_t **views, iree_allocator_t allocator) {
  (void)allocator;
  sink_t *s = user_data;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *list = PyList_New((Py_ssize_t)n), *name = binding_string(key), *result = NULL;
  for (iree_host_size_t i = 0; list && i < n; ++i) {
    iree_hal_buffer_view_retain(views[i]);
    PyObject *view = binding_wrap(s->state, TYPE_BUFFER_VIEW, views[i], NULL);
    if (!view || PyList_SetItem(list, (Py_ssize_t)i, view)) Py_CLEAR(list);
  }
  if (list && name) result = PyObject_CallFunctionObjArgs(s->callback, name, list, NULL);
  iree_status_t status = result ? iree_ok_status() : binding_status_of_exception("in the callback of a debug sink");
  Py_XDECREF(list), Py_XDECREF(name), Py_XDECREF(result);
  PyGILState_Release(lock);
  return status;
}
static bool sink_of(binding_state_t *state, PyObject *o, iree_hal_module_debug_sink_t *out) {
  PyObject *callback = PyObject_GetAttrString(o, "buffer_view_trace_callback");
  if (!callback) return false;
  *out = iree_hal_module_debug_sink_null();
  sink_t *s = callback == Py_None ? NULL : PyMem_Malloc(sizeof *s);
  if (!s) {
    bool is_none = callback == Py_None;
    Py_DECREF(callback);
    if (!is_none) PyErr_NoMemory();
    return is_none;
  }
  *s = (sink_t){.state = state, .callback = callback, .owner = Py_NewRef(o)};
  out->release.fn = sink_release, out->release.user_data = s;
  out->buffer_view_trace.fn = sink_trace, out->buffer_view_trace.user_data = s;
  return true;
}
static bool add_device(binding_state_t *state, iree_hal_device_group_builder_t *builder, PyObject *o) {
  iree_hal_device_t *device = binding_unwrap(state, o, TYPE_DEVICE);
  return device && binding_ok(iree_hal_device_group_builder_add_device(builder, device));
}
PyObject *binding_create_hal_module(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"instance", "device", "devices", "debug_sink", NULL};
  PyObject *instance_object, *device = Py_None, *devices = Py_None, *sink = Py_None;
  binding_state_t *state = PyModule_GetState(module);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOO", names, &instance_object, &device, &devices, &sink)) return NULL;
  iree_vm_instance_t *instance = binding_unwrap(state, instance_object, TYPE_VM_INSTANCE);
  if (!instance) return NULL;
  if ((device == Py_None) == (devices == Py_None)) {
    PyErr_SetString(PyExc_ValueError, "give either a device or a list of devices");
    return NULL;
  }
  iree_hal_device_group_builder_t builder;
  iree_hal_device_group_builder_initialize(&builder, NULL);
  bool ok = true;
  if (device != Py_None) {
    ok = add_device(state, &builder, device);
  } else {
    Py_ssize_t n = PySequence_Size(devices);
    ok = n > 0;
    if (n == 0) PyErr_SetString(PyExc_ValueError, "the list of devices is empty");
    for (Py_ssize_t i = 0; ok && i < n; ++i) {
      PyObject *item = PySequence_GetItem(devices, i);
      ok = item && add_device(state, &builder, item);
      Py_XDECREF(item);
    }
  }
  iree_hal_device_group_t *group = NULL;
  ok = ok && binding_ok(iree_hal_device_group_builder_finalize(&builder, iree_allocator_system(), &group));
  iree_hal_device_group_builder_deinitialize(&builder);
  iree_vm_module_t *made = NULL;
  iree_hal_module_debug_sink_t to = iree_hal_module_debug_sink_stdio(stderr);
  ok = ok && (sink == Py_None || sink_of(state, sink, &to));
  ok = ok && binding_ok(iree_hal_module_create(instance, iree_hal_module_device_policy_default(), group, IREE_HAL_MODULE_FLAG_NONE, to,
                                               iree_allocator_system(), &made));
  iree_hal_device_group_release(group);
  return ok ? binding_wrap(state, TYPE_VM_MODULE, made, instance_object) : NULL;
}
