// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code is compiled for: IREE_ARCH_*, IREE_COMPILER_*, IREE_PLATFORM_*, IREE_ENDIANNESS_*.
// Those that hold are 1, the others are not defined.
#ifndef IREE_BASE_TARGET_PLATFORM_H_
#define IREE_BASE_TARGET_PLATFORM_H_

#include <stdint.h>

#if defined(__x86_64__) || defined(_M_X64)
#define IREE_ARCH "x86_64"
#define IREE_ARCH_X86_64 1
#elif defined(__i386__) || defined(_M_IX86)
#define IREE_ARCH "x86_32"
#define IREE_ARCH_X86_32 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#define IREE_ARCH "arm_64"
#define IREE_ARCH_ARM_64 1
#elif defined(__arm__) || defined(_M_ARM)
#define IREE_ARCH "arm_32"
#define IREE_ARCH_ARM_32 1
#elif defined(__riscv) && __riscv_xlen == 64
#define IREE_ARCH "riscv_64"
#define IREE_ARCH_RISCV_64 1
#elif defined(__riscv)
#define IREE_ARCH "riscv_32"
#define IREE_ARCH_RISCV_32 1
#elif defined(__wasm64__)
#define IREE_ARCH "wasm_64"
#define IREE_ARCH_WASM_64 1
#elif defined(__wasm32__)
#define IREE_ARCH "wasm_32"
#define IREE_ARCH_WASM_32 1
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define IREE_ENDIANNESS_BIG 1
#else
#define IREE_ENDIANNESS_LITTLE 1
#endif

#if defined(__clang__)
#define IREE_COMPILER_CLANG 1
#define IREE_COMPILER_GCC_COMPAT 1
#elif defined(__GNUC__)
#define IREE_COMPILER_GCC 1
#define IREE_COMPILER_GCC_COMPAT 1
#elif defined(_MSC_VER)
#define IREE_COMPILER_MSVC 1
#define IREE_COMPILER_MSVC_COMPAT 1
#endif

#if defined(__ANDROID__)
#define IREE_PLATFORM_ANDROID 1
#elif defined(__linux__)
#define IREE_PLATFORM_LINUX 1
#elif defined(__APPLE__)
#define IREE_PLATFORM_APPLE 1
#elif defined(_WIN32)
#define IREE_PLATFORM_WINDOWS 1
#elif defined(__wasm__)
#define IREE_PLATFORM_WASM 1
#endif

#if defined(__SANITIZE_ADDRESS__)
#define IREE_SANITIZER_ADDRESS 1
#endif
#if defined(__SANITIZE_THREAD__)
#define IREE_SANITIZER_THREAD 1
#endif

#if UINTPTR_MAX > UINT32_MAX
#define IREE_PTR_SIZE_64 1
#define IREE_PTR_SIZE 8
#else
#define IREE_PTR_SIZE_32 1
#define IREE_PTR_SIZE 4
#endif

#endif  // IREE_BASE_TARGET_PLATFORM_H_
