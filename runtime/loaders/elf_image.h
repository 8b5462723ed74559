// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ELF file mapped, relocated and protected: writable while it is relocated, then each page gets
// the rights of its segment and never both write and execute.
#ifndef RUNTIME_LOADERS_ELF_IMAGE_H_
#define RUNTIME_LOADERS_ELF_IMAGE_H_

#include "base/port.h"
#include "iree/base/api.h"

typedef struct elf_image_t elf_image_t;

// Loads a file; |data| is not needed afterwards.
//   owns:   transfers ownership to the caller
//   errors: INVALID_ARGUMENT    malformed
//           INCOMPATIBLE        for another machine
//           UNAVAILABLE         undefined symbols: kernels may not import
//           UNIMPLEMENTED       relocations or features that kernels may not have
//           RESOURCE_EXHAUSTED  no memory
SHARED_INTERNALLY iree_status_t elf_image_load(iree_const_byte_span_t data, iree_allocator_t host_allocator,
                             elf_image_t **out_image);
SHARED_INTERNALLY void elf_image_free(elf_image_t *image);

// The address of a defined global symbol.
//   owns:   borrowed from |image|
//   errors: NOT_FOUND  no such symbol; INVALID_ARGUMENT  a function outside executable segments
SHARED_INTERNALLY iree_status_t elf_image_lookup_function(elf_image_t *image, const char *name,
                                                          void **out_address);

// Whether memory belongs to the image and can be read, or can be called.
bool elf_image_contains(void *image, const void *ptr, iree_host_size_t length);
bool elf_image_contains_code(void *image, const void *ptr);

#endif  // RUNTIME_LOADERS_ELF_IMAGE_H_
