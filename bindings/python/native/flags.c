// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags of the tools, for devices that Python makes afterwards.
#include "binding.h"
#include "tooling/device.h"

// Flags of a process grow: later ones win. Their text stays with the tuples that were given.
struct binding_flags {
  device_flags_t device;
  flag_binding_t bindings[1];
  flags_t flags;
  PyObject *texts;  // list of tuples
};
static binding_flags_t *flags_of(binding_state_t *state) {
  if (state->flags) return state->flags;
  binding_flags_t *f = PyMem_Calloc(1, sizeof *f);
  if (!f || !(f->texts = PyList_New(0))) {
    PyMem_Free(f);
    PyErr_NoMemory();
    return NULL;
  }
  f->bindings[0] = (flag_binding_t){&device_flag_group, &f->device};
  if (!binding_ok(flags_init(f->bindings, 1, FLAG_STYLE_GNU, iree_allocator_system(), &f->flags))) {
    Py_DECREF(f->texts);
    PyMem_Free(f);
    return NULL;
  }
  return state->flags = f;
}
void binding_free_flags(binding_flags_t *f) {
  if (!f) return;
  flags_deinit(&f->flags);
  Py_DECREF(f->texts);
  PyMem_Free(f);
}
static PyObject *help_of(binding_flags_t *f) {
  iree_string_builder_t text;
  iree_string_builder_initialize(iree_allocator_system(), &text);
  bool ok = binding_ok(flags_append_help(&f->flags, "iree.runtime.flags", "parse_flags(*flags)", &text));
  PyObject *o = ok ? binding_string(iree_string_builder_view(&text)) : NULL;
  iree_string_builder_deinitialize(&text);
  return o;
}
enum { MAX_FLAGS = 256 };
PyObject *binding_parse_flags(PyObject *module, PyObject *args) {
  binding_flags_t *f = flags_of(PyModule_GetState(module));
  Py_ssize_t n = PyTuple_Size(args);
  char *argv[MAX_FLAGS + 1] = {"python"};
  if (!f) return NULL;
  if (n > MAX_FLAGS) {
    PyErr_Format(PyExc_ValueError, "more than %d flags", MAX_FLAGS);
    return NULL;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    iree_string_view_t text;
    if (!binding_text(PyTuple_GetItem(args, i), &text)) return NULL;
    argv[i + 1] = (char *)(uintptr_t)text.data;
  }
  f->flags.help_requested = false;
  if (PyList_Append(f->texts, args) || !binding_ok(flags_parse(&f->flags, (int)n + 1, argv))) return NULL;
  if (f->flags.help_requested) return help_of(f);
  Py_RETURN_NONE;
}
PyObject *binding_device_uri(PyObject *module, PyObject *uri) {
  binding_flags_t *f = flags_of(PyModule_GetState(module));
  iree_string_view_t given;
  if (!f || !binding_text(uri, &given)) return NULL;
  iree_string_builder_t text;
  iree_string_builder_initialize(iree_allocator_system(), &text);
  bool ok = binding_ok(device_append_uri(&f->device, given, &text));
  PyObject *o = ok ? binding_string(iree_string_builder_view(&text)) : NULL;
  iree_string_builder_deinitialize(&text);
  return o;
}
