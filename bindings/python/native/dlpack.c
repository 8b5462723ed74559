// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory shared with other libraries through DLPack capsules.
//
//   capsule "dltensor" --taken--> "used_dltensor"      who takes it calls `deleter` when done;
//                                                      one that nobody took frees what it holds
//   ownership  a capsule of ours retains the buffer; a buffer of theirs calls their deleter
#include <stdlib.h>

#include "binding.h"

// As DLPack 0.x defines them (dlpack.h).
typedef struct dl_tensor {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} dl_tensor_t;
typedef struct dl_managed {
  dl_tensor_t tensor;
  void *context;
  void (*deleter)(struct dl_managed *self);
} dl_managed_t;

// Codes of DLPack by numerical type; the first row of a code is what it imports as.
static const struct {
  uint8_t code;
  iree_hal_numerical_type_t type;
} codes[] = {{0, IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED}, {1, IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED},
             {2, IREE_HAL_NUMERICAL_TYPE_FLOAT_IEEE},     {4, IREE_HAL_NUMERICAL_TYPE_FLOAT_BRAIN},
             {5, IREE_HAL_NUMERICAL_TYPE_FLOAT_COMPLEX},  {6, IREE_HAL_NUMERICAL_TYPE_BOOLEAN},
             {0, IREE_HAL_NUMERICAL_TYPE_INTEGER}};
enum { N_CODES = sizeof codes / sizeof *codes };

// ---- ours to theirs
typedef struct exported {
  dl_managed_t managed;
  iree_hal_buffer_t *buffer;
  int64_t shape[];
} exported_t;
static void free_exported(dl_managed_t *managed) {
  exported_t *e = (exported_t *)managed;
  iree_hal_buffer_release(e->buffer);
  free(e);  // not Python's: theirs may call from any thread
}
static void free_capsule(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;  // taken
  dl_managed_t *managed = PyCapsule_GetPointer(capsule, "dltensor");
  if (managed && managed->deleter) managed->deleter(managed);
}
PyObject *binding_to_dlpack(PyObject *device, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"buffer_view", "device_type_code", "device_id", NULL};
  PyObject *view_object;
  int type, id;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Oii", names, &view_object, &type, &id)) return NULL;
  iree_hal_buffer_view_t *view = binding_unwrap(binding_state_of(device), view_object, TYPE_BUFFER_VIEW);
  if (!view) return NULL;
  iree_hal_element_type_t element = iree_hal_buffer_view_element_type(view);
  int row = 0;
  while (row < N_CODES && codes[row].type != iree_hal_element_numerical_type(element)) ++row;
  if (row == N_CODES || iree_hal_element_bit_count(element) % 8) {
    PyErr_Format(PyExc_ValueError, "DLPack has no name for elements of type 0x%08x", (unsigned)element);
    return NULL;
  }
  iree_hal_buffer_t *buffer = iree_hal_buffer_view_buffer(view);
  iree_hal_external_buffer_t external;
  if (!binding_ok(iree_hal_allocator_export_buffer(iree_hal_device_allocator(binding_self(device)), buffer,
                                                   IREE_HAL_EXTERNAL_BUFFER_TYPE_DEVICE_ALLOCATION, IREE_HAL_EXTERNAL_BUFFER_FLAG_NONE, &external)))
    return NULL;
  iree_host_size_t rank = iree_hal_buffer_view_shape_rank(view);
  exported_t *e = calloc(1, sizeof *e + rank * sizeof *e->shape);
  if (!e) return PyErr_NoMemory();
  for (iree_host_size_t i = 0; i < rank; ++i) e->shape[i] = (int64_t)iree_hal_buffer_view_shape_dim(view, i);
  dl_tensor_t *t = &e->managed.tensor;
  t->data = (void *)(uintptr_t)external.handle.device_allocation.ptr;
  t->device.type = type, t->device.id = id;
  t->ndim = (int32_t)rank, t->shape = e->shape;
  t->dtype.code = codes[row].code, t->dtype.bits = (uint8_t)iree_hal_element_bit_count(element), t->dtype.lanes = 1;
  e->managed.deleter = free_exported;
  e->buffer = buffer;
  iree_hal_buffer_retain(buffer);
  PyObject *capsule = PyCapsule_New(&e->managed, "dltensor", free_capsule);
  if (!capsule) free_exported(&e->managed);
  return capsule;
}

// ---- theirs to ours
static void release_imported(void *user_data, iree_hal_buffer_t *buffer) {
  (void)buffer;
  dl_managed_t *managed = user_data;
  if (!managed->deleter) return;
  PyGILState_STATE lock = PyGILState_Ensure();  // deleters of NumPy and others touch objects
  managed->deleter(managed);
  PyGILState_Release(lock);
}
static bool element_of(const dl_tensor_t *t, iree_hal_element_type_t *out) {
  for (int row = 0; row < N_CODES; ++row) {
    if (codes[row].code != t->dtype.code || t->dtype.lanes != 1 || t->dtype.bits % 8 || !t->dtype.bits) continue;
    *out = IREE_HAL_ELEMENT_TYPE_VALUE(codes[row].type, t->dtype.bits);
    return true;
  }
  PyErr_Format(PyExc_ValueError, "no element type for DLPack's type of code %d, %d bits and %d lanes", t->dtype.code, t->dtype.bits, t->dtype.lanes);
  return false;
}
// Dimensions of a dense array, the last one dense.
static bool shape_of(const dl_tensor_t *t, iree_hal_dim_t *out_dims) {
  if (t->ndim < 0 || t->ndim > BINDING_MAX_RANK) {
    PyErr_Format(PyExc_ValueError, "an array of rank %d; at most %d is supported", (int)t->ndim, BINDING_MAX_RANK);
    return false;
  }
  if (t->ndim && !t->shape) {
    PyErr_SetString(PyExc_ValueError, "the capsule has no shape");
    return false;
  }
  uint64_t stride = 1;
  for (int i = t->ndim - 1; i >= 0; --i) {
    if (t->shape[i] < 0) {
      PyErr_Format(PyExc_ValueError, "dimension %d of a shape is %lld", i, (long long)t->shape[i]);
      return false;
    }
    out_dims[i] = (iree_hal_dim_t)t->shape[i];
    if (t->strides && t->shape[i] > 1 && (uint64_t)t->strides[i] != stride) {
      PyErr_SetString(PyExc_ValueError, "a strided array cannot be shared; make it contiguous");
      return false;
    }
    stride *= (uint64_t)t->shape[i];
  }
  return true;
}
PyObject *binding_from_dlpack(PyObject *device, PyObject *capsule) {
  dl_managed_t *managed = PyCapsule_GetPointer(capsule, "dltensor");
  if (!managed) return NULL;
  const dl_tensor_t *t = &managed->tensor;
  iree_hal_element_type_t element;
  iree_hal_dim_t dims[BINDING_MAX_RANK];
  iree_device_size_t length = 0;
  if (!element_of(t, &element) || !shape_of(t, dims) ||
      !binding_ok(iree_hal_buffer_compute_view_size((iree_host_size_t)t->ndim, dims, element, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &length)))
    return NULL;
  iree_hal_buffer_params_t params = {.usage = IREE_HAL_BUFFER_USAGE_DEFAULT,
                                     .access = IREE_HAL_MEMORY_ACCESS_READ | IREE_HAL_MEMORY_ACCESS_WRITE,
                                     .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  iree_hal_external_buffer_t external = {.type = IREE_HAL_EXTERNAL_BUFFER_TYPE_DEVICE_ALLOCATION, .size = length};
  external.handle.device_allocation.ptr = (uint64_t)(uintptr_t)t->data + t->byte_offset;
  iree_hal_buffer_t *buffer = NULL;
  if (!binding_ok(iree_hal_allocator_import_buffer(iree_hal_device_allocator(binding_self(device)), params, &external,
                                                   (iree_hal_buffer_release_callback_t){release_imported, managed}, &buffer)))
    return NULL;
  if (PyCapsule_SetName(capsule, "used_dltensor")) PyErr_Clear();  // cannot fail: the capsule is valid
  iree_hal_buffer_view_t *view = NULL;
  iree_status_t status = iree_hal_buffer_view_create(buffer, (iree_host_size_t)t->ndim, dims, element, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR,
                                                     iree_allocator_system(), &view);
  iree_hal_buffer_release(buffer);
  return binding_ok(status) ? binding_wrap(binding_state_of(device), TYPE_BUFFER_VIEW, view, device) : NULL;
}
