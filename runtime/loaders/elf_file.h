// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel ELF file, checked: everything here is inside the file and the address space it asks for.
//
// Only program headers are read. Accepted are position-independent files of the machine that we run
// on, without thread-local data, with one dynamic segment and no segment both writable and
// executable.
#ifndef RUNTIME_LOADERS_ELF_FILE_H_
#define RUNTIME_LOADERS_ELF_FILE_H_

#include <link.h>

#include "base/port.h"
#include "iree/base/api.h"

typedef ElfW(Ehdr) elf_header_t;
typedef ElfW(Phdr) elf_segment_t;
typedef ElfW(Dyn) elf_dynamic_t;
typedef ElfW(Sym) elf_symbol_t;

#define ELF_MAX_SEGMENTS 256
// Upper bound of the address space that a file may ask for.
#define ELF_MAX_IMAGE_BYTES ((uint64_t)1 << 32)

typedef struct elf_file_t {
  iree_const_byte_span_t data;
  uint64_t segments_offset;  // program headers; read them by elf_file_segment
  uint32_t segment_count;
  uint64_t address_begin;  // the addresses that load segments cover, rounded to pages
  uint64_t address_end;
  elf_segment_t dynamic;  // the dynamic segment
} elf_file_t;

// Checks a file.
//   owns:   |data| is borrowed
//   errors: INVALID_ARGUMENT  malformed; INCOMPATIBLE  for another machine
//           UNIMPLEMENTED     thread-local data
iree_status_t elf_file_parse(iree_const_byte_span_t data, uint64_t page_bytes,
                             elf_file_t *out_file);

elf_segment_t elf_file_segment(const elf_file_t *file, uint32_t i);

// Picks the file for this machine out of a FatELF container; any other data is returned as it is.
//   errors: INVALID_ARGUMENT  malformed; INCOMPATIBLE  none for this machine
SHARED_INTERNALLY iree_status_t elf_file_select(iree_const_byte_span_t data,
                                                iree_const_byte_span_t *out_data);

// Reads the processor bits that the file says it needs (abi/elf_note.h); none is no words.
//   errors: INVALID_ARGUMENT  a malformed note
iree_status_t elf_file_required_processor(const elf_file_t *file, uint64_t *out_words,
                                          iree_host_size_t *out_word_count);

#endif  // RUNTIME_LOADERS_ELF_FILE_H_
