// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs relocatable objects into the smallest ELF shared object that an embedded-ELF loader
// takes.
//
//   file:   Ehdr, Phdrs, note, dynamic, symbol, strings, relocations, then the reachable sections
//   memory: [0, file size)  one R+X segment holding code, constants and relocated tables
//           [page, ...)     one RW segment for zero-filled and initialised data, when there is any
//
// Only sections reachable from the one exported symbol are kept. Relocations are resolved here;
// what depends on the load address (absolute pointers) becomes a RELATIVE relocation. Section
// headers are absent: loaders check that the table lies in the file but never read it, so it
// aliases the program headers. Objects find each other's global symbols by name; an undefined symbol is an error that names it: kernels call nothing.
#ifndef IREE_COMPILER_CODEGEN_LLVM_ELF_PACK_H_
#define IREE_COMPILER_CODEGEN_LLVM_ELF_PACK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iree/base/api.h"

// A row of the note of kernels.
typedef struct {
  const char *name;                    // of its function, and somewhere in the image
  iree_const_byte_span_t description;  // bindings and sources, as the note has them
} elf_pack_kernel_t;

typedef struct {
  // ELF64 little-endian ET_REL files for x86-64 or AArch64, all for one machine.
  const iree_const_byte_span_t *objects;
  size_t object_count;
  const char *export_symbol;  // the one symbol the result defines
  // For the loader of the system, which reads more: a null symbol, whole tables and the usual end
  // of the dynamic section, initialised data at the place in its page that it has in memory.
  bool for_system;
  // Processor bits the code may use, written as a PT_NOTE (abi/elf_note.h) when not all zero.
  const uint64_t *processor_words;
  size_t processor_word_count;
  // Kernels to describe in a second note: none leaves it out.
  const elf_pack_kernel_t *kernels;
  size_t kernel_count;
} elf_pack_params_t;

// Packs |params|.
//   owns:    transfers ownership of |out_bytes| to the caller (free)
//   errors:  INVALID_ARGUMENT  an object is not what the form above says, or two define one symbol
//            UNIMPLEMENTED     a relocation kind that has no rule here
//            NOT_FOUND         the exported symbol is missing, or another symbol is undefined
//            OUT_OF_RANGE      a relocated value does not fit its field
iree_status_t elf_pack(const elf_pack_params_t *params, uint8_t **out_bytes,
                       size_t *out_byte_count);

#endif  // IREE_COMPILER_CODEGEN_LLVM_ELF_PACK_H_
