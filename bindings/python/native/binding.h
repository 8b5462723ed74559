// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the Python extension share. Every object of the C API that Python sees is a
// handle: the pointer, what releases it, and an object that has to outlive it. Types are made from one
// table, so a type is a row plus its methods.
//
//   ownership  a handle owns one reference of its object; `unwrap` borrows it
//   threads    the global lock is held except while a call runs or waits; objects of the C API that
//              are not safe for use from many threads say so in their headers
#ifndef IREE_BINDINGS_PYTHON_BINDING_H_
#define IREE_BINDINGS_PYTHON_BINDING_H_

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "iree/io/parameter_index.h"
#include "iree/io/parameter_provider.h"
#include "iree/runtime/api.h"

// TYPE(ID, "name", release): what a handle of this type holds and how that is given back.
#define BINDING_TYPES(TYPE)                                    \
  TYPE(VM_INSTANCE, "VmInstance", iree_vm_instance_release)    \
  TYPE(VM_MODULE, "VmModule", iree_vm_module_release)          \
  TYPE(VM_CONTEXT, "VmContext", iree_vm_context_release)       \
  TYPE(VM_FUNCTION, "VmFunction", PyMem_Free)                  \
  TYPE(VM_LIST, "VmVariantList", iree_vm_list_release)         \
  TYPE(VM_BUFFER, "VmBuffer", iree_vm_buffer_release)          \
  TYPE(VM_REF, "VmRef", binding_free_ref)                      \
  TYPE(DRIVER, "HalDriver", iree_hal_driver_release)           \
  TYPE(DEVICE, "HalDevice", iree_hal_device_release)           \
  TYPE(ALLOCATOR, "HalAllocator", iree_hal_allocator_release)  \
  TYPE(BUFFER, "HalBuffer", iree_hal_buffer_release)           \
  TYPE(BUFFER_VIEW, "HalBufferView", iree_hal_buffer_view_release) \
  TYPE(SEMAPHORE, "HalSemaphore", iree_hal_semaphore_release)  \
  TYPE(FENCE, "HalFence", iree_hal_fence_release)              \
  TYPE(COMMAND_BUFFER, "HalCommandBuffer", iree_hal_command_buffer_release) \
  TYPE(FILE_HANDLE, "FileHandle", iree_io_file_handle_release) \
  TYPE(PARAMETER_INDEX, "ParameterIndex", iree_io_parameter_index_release) \
  TYPE(PARAMETER_INDEX_ENTRY, "ParameterIndexEntry", binding_free_entry) \
  TYPE(PARAMETER_PROVIDER, "ParameterProvider", iree_io_parameter_provider_release) \
  TYPE(MAPPING, "MappedMemory", binding_free_mapping)          \
  TYPE(INVOKER, "FunctionInvoker", binding_free_invoker)

typedef enum binding_type {
#define TYPE(ID, ...) TYPE_##ID,
  BINDING_TYPES(TYPE)
#undef TYPE
      TYPE_COUNT
} binding_type_t;

typedef struct handle {
  PyObject_HEAD
  void *p;
  void (*release)(void *p);
  PyObject *owner;  // kept while this handle is; may be NULL
} handle_t;

typedef struct binding_flags binding_flags_t;

// The state of the module, one per interpreter.
typedef struct binding_state {
  PyTypeObject *types[TYPE_COUNT];
  iree_hal_driver_registry_t *registry;
  iree_vm_instance_t *instance;  // keeps the types registered that refs are told apart by
  binding_flags_t *flags;        // NULL until they are asked for
  // Of the Python half, found when first needed.
  PyObject *device_array;  // the class DeviceArray
  PyObject *make_view;     // (device, object) -> HalBufferView, for what has no buffer protocol
  PyObject *make_array;    // (declaration, position, number) -> array of the argument's element type
  PyObject *element_type;  // the class HalElementType
  PyObject *ndarray;       // numpy.ndarray, None if arrays are not laid out as expected
} binding_state_t;

// Raises the exception that |status| stands for, and consumes it; true if there is none.
bool binding_ok(iree_status_t status);
// ... with what was being done before its text.
bool binding_ok_in(iree_status_t status, const char *doing);
// The status that the raised exception stands for, which is consumed: UNKNOWN, with type, text and place;
// CANCELLED for one that ends the program, which binding_ok raises again on the same thread.
iree_status_t binding_status_of_exception(const char *doing);
// A handle that takes over |p|; releases it and returns NULL if that fails. |owner| may be NULL.
PyObject *binding_wrap(binding_state_t *state, binding_type_t type, void *p, PyObject *owner);
bool binding_is(binding_state_t *state, PyObject *o, binding_type_t type);
// The pointer of a handle of |type|, borrowed; NULL with TypeError for anything else.
void *binding_unwrap(binding_state_t *state, PyObject *o, binding_type_t type);
static inline void *binding_self(PyObject *self) { return ((handle_t *)self)->p; }
static inline binding_state_t *binding_state_of(PyObject *self) {
  return (binding_state_t *)PyType_GetModuleState(Py_TYPE(self));
}
// A member of iree.runtime's Python half, kept in |slot|; borrowed, NULL with an exception.
PyObject *binding_python(PyObject **slot, const char *module, const char *name);

// An element type as IREE's bindings print it: byte by byte from the lowest.
static inline unsigned binding_shown_type(iree_hal_element_type_t type) {
  unsigned t = (unsigned)type;
  return t << 24 | (t & 0xff00) << 8 | (t >> 8 & 0xff00) | t >> 24;
}

void binding_free_ref(void *p);
void binding_free_mapping(void *p);
void binding_free_entry(void *p);
void binding_free_invoker(void *p);

static inline PyObject *binding_string(iree_string_view_t s) {
  return PyUnicode_DecodeUTF8(s.data ? s.data : "", (Py_ssize_t)s.size, "replace");
}
// Sequence of non-negative integers as dimensions; the rank, or -1 with an exception.
enum { BINDING_MAX_RANK = 64 };
Py_ssize_t binding_shape(PyObject *sequence, iree_hal_dim_t *out_dims);
// A ref of what |o| holds (a handle of a VM or HAL type), retained; false with TypeError otherwise.
bool binding_ref_of(binding_state_t *state, PyObject *o, iree_vm_ref_t *out_ref);
// The handle for a ref; takes it over. None for a null one.
PyObject *binding_from_ref(binding_state_t *state, iree_vm_ref_t ref);
// The ref itself as a VmRef; takes it over.
PyObject *binding_wrap_ref(binding_state_t *state, iree_vm_ref_t ref);
// A variant as int, float, None or a handle; borrows |variant|.
PyObject *binding_from_variant(binding_state_t *state, const iree_vm_variant_t *variant);
// The text of a str, which has to outlive |out|; false with TypeError for anything else.
bool binding_text(PyObject *o, iree_string_view_t *out);

// ---- rows that types have in common
#define KEYWORDS(f) (PyCFunction)(void (*)(void))f, METH_VARARGS | METH_KEYWORDS
// Of the types that a ref can hold.
PyObject *binding_self_ref(PyObject *self, void *unused);
PyObject *binding_ref_type(PyObject *type, PyObject *unused);
PyObject *binding_ref_cast(PyObject *type, PyObject *ref);
PyObject *binding_compare(PyObject *a, PyObject *b, int op);
Py_hash_t binding_hash(PyObject *self);
#define REF_GETTERS                                        \
  {"ref", binding_self_ref, NULL, "As a VmRef.", NULL}, {  \
    "__iree_vm_ref__", binding_self_ref, NULL, "As a VmRef.", NULL \
  }
#define REF_METHODS                                                                                                          \
  {"__iree_vm_type__", binding_ref_type, METH_NOARGS | METH_CLASS, "__iree_vm_type__() -> int\n\nThe number of the VM's type."}, { \
    "__iree_vm_cast__", binding_ref_cast, METH_O | METH_CLASS, "__iree_vm_cast__(ref)\n\nThe object that a ref holds; None if it is of another type." \
  }
#define REF_SLOTS \
  {Py_tp_richcompare, binding_compare}, { Py_tp_hash, binding_hash }

// ---- waits and signals: a HalFence, or a list of (HalSemaphore, value)
enum { BINDING_MAX_TIMEPOINTS = 64 };
typedef struct timepoints {
  iree_hal_semaphore_list_t list;
  iree_hal_fence_t *fence;  // whose list it is, or NULL
  iree_hal_semaphore_t *semaphores[BINDING_MAX_TIMEPOINTS];
  uint64_t values[BINDING_MAX_TIMEPOINTS];
} timepoints_t;
// What |o| holds, retained until _end; false with an exception.
bool binding_timepoints(binding_state_t *state, PyObject *o, timepoints_t *out);
void binding_timepoints_end(timepoints_t *t);
// Waits for all of |list| without the global lock. False with an exception, and no status, if a signal's
// handler raised one (Ctrl-C).
bool binding_wait(iree_hal_semaphore_list_t list, iree_timeout_t timeout, iree_status_t *out_status);
// A view of a copy of |o|, which has the buffer protocol, in memory of |device|; |element_type| of
// NONE means: what the buffer's format says. NULL with an exception (TypeError: no such format).
iree_hal_buffer_view_t *binding_copy_in(iree_hal_device_t *device, PyObject *o, iree_hal_buffer_params_t params,
                                        iree_hal_element_type_t element_type);

// The types, by file: each fills the slots of its rows.
extern PyType_Slot *const binding_slots[TYPE_COUNT];
extern PyType_Slot vm_instance_slots[], vm_module_slots[], vm_context_slots[], vm_function_slots[], vm_list_slots[],
    vm_buffer_slots[], vm_ref_slots[], driver_slots[], device_slots[], allocator_slots[], buffer_slots[],
    buffer_view_slots[], semaphore_slots[], fence_slots[], command_buffer_slots[], file_handle_slots[], parameter_index_slots[],
    index_entry_slots[], provider_slots[], mapping_slots[], invoker_slots[];
void binding_dealloc(PyObject *self);
PyObject *binding_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
// Module functions.
PyObject *binding_create_hal_module(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *binding_create_io_parameters_module(PyObject *module, PyObject *args);
PyObject *binding_query_drivers(PyObject *module, PyObject *unused);
PyObject *binding_create_driver(PyObject *module, PyObject *name);
PyObject *binding_to_dlpack(PyObject *device, PyObject *args, PyObject *kwargs);
PyObject *binding_from_dlpack(PyObject *device, PyObject *capsule);
PyObject *binding_create_python_module(PyObject *module, PyObject *args);
// What keeps a module of Python's readable; NULL for other modules. Borrowed.
PyObject *binding_python_module_memory(iree_vm_module_t *module);
bool binding_python_module_is_gone(iree_vm_module_t *module);
// ---- DeviceArray
bool binding_add_array_type(PyObject *module);
// A DeviceArray of a result.
PyObject *binding_make_array(binding_state_t *state, PyObject *device, PyObject *view);
// What a DeviceArray holds, borrowed; NULL after `del`.
PyObject *binding_array_view(PyObject *array);
// A view of a copy of a small dense array of NumPy's; NULL, without an exception, for what only
// binding_copy_in can do.
iree_hal_buffer_view_t *binding_copy_small_array(binding_state_t *state, iree_hal_device_t *device, PyObject *o, iree_hal_buffer_params_t params);

PyObject *binding_parse_flags(PyObject *module, PyObject *args);
PyObject *binding_device_uri(PyObject *module, PyObject *uri);
void binding_free_flags(binding_flags_t *flags);

#endif  // IREE_BINDINGS_PYTHON_BINDING_H_
