// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/modules/hal/arguments.h"

iree_status_t argument_take(argument_reader_t *reader, iree_host_size_t alignment,
                            iree_host_size_t bytes, const void **out_ptr) {
  iree_host_size_t offset = iree_host_align(reader->offset, alignment);
  *out_ptr = NULL;
  if (!iree_range_is_within(offset, bytes, reader->length)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "dispatch arguments are truncated");
  }
  *out_ptr = reader->data + offset;
  reader->offset = offset + bytes;
  return iree_ok_status();
}

iree_status_t argument_take_count(argument_reader_t *reader, uint32_t max, const char *what,
                                  uint32_t *out_count) {
  const void *ptr = NULL;
  IREE_RETURN_IF_ERROR(argument_take(reader, 4, 4, &ptr));
  memcpy(out_count, ptr, sizeof(*out_count));
  if (*out_count <= max) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "a dispatch has at most %u %s, %u were given",
                          max, what, *out_count);
}
