// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy arrays one after the other; elements copied into a block of exactly their size.
#include <stdlib.h>

#include "tooling/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  iree_const_byte_span_t rest = iree_make_const_byte_span(data, size);
  for (;;) {
    npy_array_t array;
    iree_status_t status = npy_parse(rest, &array);
    if (!iree_status_is_ok(status)) {
      iree_status_ignore(status);
      return 0;
    }
    const iree_host_size_t length = array.data.data_length;
    uint8_t *copy = malloc(length ? length : 1);
    if (!copy) abort();
    IREE_CHECK_OK(npy_copy_elements(&array, iree_make_byte_span(copy, length)));
    free(copy);
    rest = iree_make_const_byte_span(rest.data + array.stored_length,
                                     rest.data_length - array.stored_length);
  }
}
