// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy .npy arrays, format 1.0 to 3.0, as bytes in memory.
//
//   93 'NUMPY' major minor  header length (u16 in 1.x, u32 later)  header  elements
//
// The header is a Python dict literal with 'descr', 'fortran_order' and 'shape' in any order. Files
// may hold several arrays one after the other. Input is hostile: every length is checked before
// use.
//
// Descr codes b i u f c V map to bool, signed, unsigned, float, complex and opaque element types;
// both byte orders and both element orders are read, little-endian row-major is written. Formats
// that NumPy has no code for (bf16, f8) are written as V of their size.

#ifndef TOOLING_NPY_H_
#define TOOLING_NPY_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"

#define NPY_MAX_RANK 64  // NumPy's own limit

typedef struct npy_array_t {
  iree_hal_element_type_t element_type;
  iree_host_size_t rank;
  iree_hal_dim_t shape[NPY_MAX_RANK];
  bool is_fortran_order;  // first dimension varies fastest in |data|
  bool is_big_endian;
  iree_const_byte_span_t data;     // elements as stored; borrowed from the parsed bytes
  iree_host_size_t stored_length;  // of header and elements, bytes: where the next array starts
} npy_array_t;

// Parses the array at the start of |bytes|.
//   owns:   out_array->data is borrowed from |bytes|
//   errors: INVALID_ARGUMENT  not an npy array, or a malformed header
//           OUT_OF_RANGE      no bytes left, or fewer than header and shape promise
//           UNIMPLEMENTED     newer version, or element kinds that have no element type (object,
//           string, ...)
iree_status_t npy_parse(iree_const_byte_span_t bytes, npy_array_t *out_array);

// Copies the elements into |target| as little-endian row-major.
//   units:  target.data_length == array->data.data_length
//   errors: INVALID_ARGUMENT  |target| has another size
iree_status_t npy_copy_elements(const npy_array_t *array, iree_byte_span_t target);

// Appends the header of a little-endian row-major array, padded so that elements start at a
// multiple of 64.
//   errors: UNIMPLEMENTED  elements that are not whole bytes
iree_status_t npy_append_header(iree_hal_element_type_t element_type, iree_host_size_t rank,
                                const iree_hal_dim_t *shape, iree_string_builder_t *builder);

#endif  // TOOLING_NPY_H_
