// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files in memory, read or mapped.
#ifndef IREE_IO_FILE_CONTENTS_H_
#define IREE_IO_FILE_CONTENTS_H_

#include <stdint.h>

#include "iree/base/api.h"
#include "iree/io/file_handle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_io_file_contents_t {
  iree_allocator_t allocator;  // of this object
  union {
    iree_byte_span_t buffer;  // writable only if read, or mapped so
    iree_const_byte_span_t const_buffer;
  };
  iree_io_file_mapping_t *mapping;  // NULL: read into memory
} iree_io_file_contents_t;

// Frees the contents; NULL is fine.
//   errors: none
IREE_API_EXPORT void iree_io_file_contents_free(iree_io_file_contents_t *contents);

// An allocator that frees the contents when it is asked to free anything: for functions that take bytes
// and the allocator that frees them, as iree_vm_bytecode_module_create.
//   owns:   whoever has the allocator frees the contents with it, once
//   errors: none
IREE_API_EXPORT iree_allocator_t iree_io_file_contents_deallocator(iree_io_file_contents_t *contents);

// Reads the file at |path|, or stdin to its end, into memory aligned for modules.
//   owns:   transfers |out_contents| to the caller
//   errors: NOT_FOUND           no such file
//           RESOURCE_EXHAUSTED  no memory
//           others              as the system says
IREE_API_EXPORT iree_status_t iree_io_file_contents_read(iree_string_view_t path, iree_allocator_t host_allocator,
                                                         iree_io_file_contents_t **out_contents);
IREE_API_EXPORT iree_status_t iree_io_file_contents_read_stdin(iree_allocator_t host_allocator,
                                                               iree_io_file_contents_t **out_contents);

// Maps the file at |path|; with write access, writes go to the file.
//   owns:   transfers |out_contents| to the caller
//   errors: as iree_io_file_contents_read
IREE_API_EXPORT iree_status_t iree_io_file_contents_map(iree_string_view_t path, iree_io_file_access_t access,
                                                        iree_allocator_t host_allocator,
                                                        iree_io_file_contents_t **out_contents);

// Writes |contents| to the file at |path|, replacing what it held.
//   errors: as the system says
IREE_API_EXPORT iree_status_t iree_io_file_contents_write(iree_string_view_t path, iree_const_byte_span_t contents,
                                                          iree_allocator_t host_allocator);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_FILE_CONTENTS_H_
