// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PT_NOTE by which an embedded-ELF executable states the CPU features its code may use.
//
//   n_namesz 7, n_descsz 8*n, n_type 1, "iree-c\0" padded to 8, then n (1..8) little-endian u64
//
// Word i holds the bits of processor data word i (abi/cpu_feature.def); words left out are zero. A
// loader refuses the file when a bit is set that the host's word i lacks. Loaders that do not know
// the note skip it, as they do any PT_NOTE.
//
// A second note, n_type 2 of the same name, describes the kernels of files compiled with debug level
// 1 or more (--iree-hal-executable-debug-level): per export, in order and unaligned,
//
//   u32 address of its code   u32 bytes of code   u32 address of its name, NUL-terminated
//   u8 n bindings             (n + 3) / 4 bytes: 2 bits per binding, low first: 1 read, 2 written
//   places in the source, NUL-terminated: "file:line:column" separated by spaces, a file that is
//   that of the place before left out (":12:3"), "+5" for five more
//
// The content is padded with zeros to 8. Nothing but tools that show files reads it.
#ifndef IREE_ABI_ELF_NOTE_H_
#define IREE_ABI_ELF_NOTE_H_

#define IREE_ELF_NOTE_NAME "iree-c"
#define IREE_ELF_NOTE_NAME_SIZE 7        // with its NUL
#define IREE_ELF_NOTE_TYPE_PROCESSOR 1   // required processor bits
#define IREE_ELF_NOTE_TYPE_KERNELS 2     // code, bindings and sources of each export
#define IREE_ELF_NOTE_KERNEL_READS 1u
#define IREE_ELF_NOTE_KERNEL_WRITES 2u
#define IREE_ELF_NOTE_HEADER_SIZE 20     // three u32 and the padded name
#define IREE_ELF_NOTE_MAX_WORDS 8

#endif  // IREE_ABI_ELF_NOTE_H_
