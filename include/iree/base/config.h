// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, build modes and compiler attributes: what every other header stands on.
//
// IREE_STATUS_MODE picks what a failing iree_status_t carries: 0 the code only (smallest), 1 code
// and source place, 2 (default) code, place, text and notes.
#ifndef IREE_BASE_CONFIG_H_
#define IREE_BASE_CONFIG_H_

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Version of this API; bumped when a call changes incompatibly.
typedef enum iree_api_version_e {
  IREE_API_VERSION_0 = 0,
  IREE_API_VERSION_LATEST = IREE_API_VERSION_0,
} iree_api_version_t;

// A size in host memory, and one in device memory (64-bit wherever the device may be larger).
typedef size_t iree_host_size_t;
#define IREE_HOST_SIZE_MAX SIZE_MAX
#define PRIhsz "zu"
#if !defined(IREE_DEVICE_SIZE_T)
#define IREE_DEVICE_SIZE_T uint64_t
#define IREE_DEVICE_SIZE_MAX UINT64_MAX
#define PRIdsz PRIu64
#endif
typedef IREE_DEVICE_SIZE_T iree_device_size_t;

#if !defined(IREE_STATUS_MODE)
#define IREE_STATUS_MODE 2
#endif
#if !defined(IREE_STATISTICS_ENABLE)
#define IREE_STATISTICS_ENABLE 1
#endif

#if defined(_WIN32)
#define IREE_API_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define IREE_API_EXPORT __attribute__((visibility("default")))
#else
#define IREE_API_EXPORT
#endif
#define IREE_API_CALL
#define IREE_API_PTR
#define IREE_API_EXPORT_VARIABLE IREE_API_EXPORT
// Marks structures that may grow.
#define IREE_API_UNSTABLE

// Features of this build, for programs that ask.
#define IREE_THREADING_ENABLE 1
#define IREE_FILE_IO_ENABLE 1
#define IREE_VM_EXT_F32_ENABLE 1
#define IREE_VM_EXT_F64_ENABLE 1
#define IREE_VM_BACKTRACE_ENABLE 1
#define IREE_VM_BYTECODE_VERIFICATION_ENABLE 1
#define IREE_HAL_MODULE_STRING_UTIL_ENABLE 1

#if defined(__GNUC__)
#define IREE_LIKELY(x) __builtin_expect(!!(x), 1)
#define IREE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define IREE_MUST_USE_RESULT __attribute__((warn_unused_result))
#define IREE_PRINTF_ATTRIBUTE(format_index, first_arg) \
  __attribute__((format(printf, format_index, first_arg)))
#define IREE_ATTRIBUTE_NORETURN __attribute__((noreturn))
#define IREE_ATTRIBUTE_UNUSED __attribute__((unused))
#define IREE_ATTRIBUTE_ALWAYS_INLINE __attribute__((always_inline))
#define IREE_ATTRIBUTE_NOINLINE __attribute__((noinline))
#define IREE_ATTRIBUTE_COLD __attribute__((cold))
#define IREE_ATTRIBUTE_HOT __attribute__((hot))
#define IREE_ATTRIBUTE_PACKED __attribute__((packed))
#define IREE_ATTRIBUTE_WEAK __attribute__((weak))
#define IREE_BUILTIN_PREFETCH_RO(pointer, hint) __builtin_prefetch((pointer), 0, hint)
#define IREE_BUILTIN_PREFETCH_RW(pointer, hint) __builtin_prefetch((pointer), 1, hint)
#define IREE_RESTRICT __restrict__
#else
#define IREE_LIKELY(x) (x)
#define IREE_UNLIKELY(x) (x)
#define IREE_MUST_USE_RESULT
#define IREE_PRINTF_ATTRIBUTE(format_index, first_arg)
#define IREE_ATTRIBUTE_NORETURN
#define IREE_ATTRIBUTE_UNUSED
#define IREE_ATTRIBUTE_ALWAYS_INLINE
#define IREE_ATTRIBUTE_NOINLINE
#define IREE_ATTRIBUTE_COLD
#define IREE_ATTRIBUTE_HOT
#define IREE_ATTRIBUTE_PACKED
#define IREE_ATTRIBUTE_WEAK
#define IREE_BUILTIN_PREFETCH_RO(pointer, hint)
#define IREE_BUILTIN_PREFETCH_RW(pointer, hint)
#define IREE_RESTRICT
#endif

#endif  // IREE_BASE_CONFIG_H_
