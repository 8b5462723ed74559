// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small NumPy arrays read where they are: the buffer protocol makes and frees a description for each
// request, which costs more than the copy of a few numbers. The layout is the one that NumPy's C API has had
// since 1.0; an array is read once both ways before it is relied on, and the protocol serves otherwise.
#include "binding.h"

typedef struct descr {
  PyObject_HEAD
  PyTypeObject *scalar;
  char kind, character, byte_order, flags;
  int number;
} descr_t;
typedef struct ndarray {
  PyObject_HEAD
  char *data;
  int rank;
  Py_ssize_t *shape, *strides;
  PyObject *base;
  descr_t *descr;
  int flags;
} ndarray_t;
enum { FLAG_C_CONTIGUOUS = 1 };
// What larger arrays cost is the copy, during which other threads should run and may not change the array.
enum { MAX_BYTES = 64 * 1024 };

// By NumPy's type numbers.
static const struct {
  iree_hal_element_type_t type;
  unsigned char size;
} elements[] = {
    [0] = {IREE_HAL_ELEMENT_TYPE_BOOL_8, 1},     [1] = {IREE_HAL_ELEMENT_TYPE_SINT_8, 1},
    [2] = {IREE_HAL_ELEMENT_TYPE_UINT_8, 1},     [3] = {IREE_HAL_ELEMENT_TYPE_SINT_16, 2},
    [4] = {IREE_HAL_ELEMENT_TYPE_UINT_16, 2},    [5] = {IREE_HAL_ELEMENT_TYPE_SINT_32, 4},
    [6] = {IREE_HAL_ELEMENT_TYPE_UINT_32, 4},    [7] = {IREE_HAL_ELEMENT_TYPE_SINT_64, 8},
    [8] = {IREE_HAL_ELEMENT_TYPE_UINT_64, 8},    [9] = {IREE_HAL_ELEMENT_TYPE_SINT_64, 8},
    [10] = {IREE_HAL_ELEMENT_TYPE_UINT_64, 8},   [11] = {IREE_HAL_ELEMENT_TYPE_FLOAT_32, 4},
    [12] = {IREE_HAL_ELEMENT_TYPE_FLOAT_64, 8},  [14] = {IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_64, 8},
    [15] = {IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_128, 16}, [23] = {IREE_HAL_ELEMENT_TYPE_FLOAT_16, 2},
};
_Static_assert(sizeof(long) == 8, "type numbers 7 and 8 are C's long");
enum { N_ELEMENTS = sizeof elements / sizeof *elements };

static long long number_at(PyObject *array, const char *path, const char *name) {
  PyObject *o = PyObject_GetAttrString(array, path), *item = o ? PyObject_GetAttrString(o, name) : NULL;
  long long n = item ? PyLong_AsLongLong(item) : -1;
  Py_XDECREF(o), Py_XDECREF(item);
  return n;
}
// Does an array read by its layout say what its attributes say?
static bool layout_holds(PyObject *numpy) {
  PyObject *flat = PyObject_CallMethod(numpy, "ones", "((ii)s)", 2, 3, "uint16");
  if (!flat) flat = (PyErr_Clear(), PyObject_CallMethod(numpy, "ones", "(ii)s", 2, 3, "uint16"));
  if (!flat) return false;
  const ndarray_t *a = (const ndarray_t *)(void *)flat;
  bool holds = (long long)(uintptr_t)a->data == number_at(flat, "ctypes", "data") && a->rank == 2 && a->shape[0] == 2 && a->shape[1] == 3 &&
               a->strides[1] == 2 && a->descr->number == number_at(flat, "dtype", "num") && a->descr->kind == 'u' && a->descr->byte_order == '=' &&
               a->flags == number_at(flat, "flags", "num");
  Py_DECREF(flat);
  return holds;
}
static PyObject *find_type(void) {
  PyObject *numpy = PyImport_ImportModule("numpy"), *type = numpy ? PyObject_GetAttrString(numpy, "ndarray") : NULL;
  if (type && !layout_holds(numpy)) Py_CLEAR(type);
  Py_XDECREF(numpy);
  PyErr_Clear();
  return type ? type : Py_NewRef(Py_None);
}

iree_hal_buffer_view_t *binding_copy_small_array(binding_state_t *state, iree_hal_device_t *device, PyObject *o, iree_hal_buffer_params_t params) {
  if (!state->ndarray) state->ndarray = find_type();
  if ((PyObject *)Py_TYPE(o) != state->ndarray) return NULL;
  const ndarray_t *a = (const ndarray_t *)(void *)o;
  const descr_t *d = a->descr;
  if (!(a->flags & FLAG_C_CONTIGUOUS) || a->rank > BINDING_MAX_RANK || d->number < 0 || d->number >= N_ELEMENTS || !elements[d->number].type ||
      (d->byte_order != '=' && d->byte_order != '|'))
    return NULL;
  iree_hal_dim_t shape[BINDING_MAX_RANK];
  iree_host_size_t bytes = elements[d->number].size;
  for (int i = 0; i < a->rank; ++i) {
    shape[i] = (iree_hal_dim_t)a->shape[i];
    if (shape[i] > MAX_BYTES) return NULL;
    bytes *= shape[i];
    if (bytes > MAX_BYTES) return NULL;
  }
  iree_hal_buffer_view_t *view = NULL;
  iree_status_t status = iree_hal_buffer_view_allocate_buffer_copy(device, iree_hal_device_allocator(device), (iree_host_size_t)a->rank, shape,
                                                                   elements[d->number].type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, params,
                                                                   iree_make_const_byte_span(a->data, bytes), &view);
  iree_status_ignore(status);  // the other way says why
  return view;
}
