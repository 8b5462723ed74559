// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions of the formats that compiler and runtime share. Bytecode runs from major version 15 on
// (release 3.0), for later ones only add to it: 16 (3.10) discard.refs and assign.ref, 17 (3.11)
// calls that may yield. What else changed since: hal functions (HAL_IMPORT_OLDER in
// hal_imports.def) and executable libraries (abi/executable_library.h).
#ifndef ABI_VERSION_H_
#define ABI_VERSION_H_

#define ABI_BYTECODE_VERSION_MAJOR 17
#define ABI_BYTECODE_VERSION_MINOR 0
#define ABI_BYTECODE_VERSION_OLDEST_MAJOR 15
#define ABI_BYTECODE_VERSION ((ABI_BYTECODE_VERSION_MAJOR << 16) | ABI_BYTECODE_VERSION_MINOR)

#define ABI_HAL_MODULE_VERSION 7
#define ABI_HAL_LOADER_MODULE_VERSION 1
#define ABI_EXECUTABLE_LIBRARY_VERSION 6

// Release whose file formats and tools these are, and what --version says.
#define ABI_RELEASE "3.13"
#define ABI_PRODUCT_VERSION "3.13.0"
#define ABI_VERSION_TEXT "iree-c " ABI_PRODUCT_VERSION ", compatible with IREE " ABI_RELEASE ".0"

// Feature bits of modules and functions (FeatureBits in vmfb.def).
#define ABI_FEATURE_EXT_F32 0x1u
#define ABI_FEATURE_EXT_F64 0x2u
#define ABI_FEATURE_YIELD 0x4u
#define ABI_FEATURE_UNWIND 0x8u
#define ABI_FEATURE_ALL 0xFu

// Archive layout: segments start at multiples of this from the length prefix's frame.
#define ABI_ARCHIVE_ALIGNMENT 64
#define ABI_ARCHIVE_IDENTIFIER "IREE"
// Rodata at least this large, or with a mime type, goes behind the FlatBuffer.
#define ABI_ARCHIVE_EXTERNAL_THRESHOLD 4096

#endif  // ABI_VERSION_H_
