// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of our own invariants. Wrong input is never one of these: it is a status.
// Compiled out with NDEBUG; the condition must have no effect.
#ifndef IREE_BASE_ASSERT_H_
#define IREE_BASE_ASSERT_H_

#include "iree/base/config.h"

#if defined(NDEBUG)
#define IREE_ASSERT(expr, ...) ((void)sizeof((expr) ? 1 : 0))
#else
#define IREE_ASSERT(expr, ...) assert(expr)
#endif

#define IREE_ASSERT_TRUE(expr) IREE_ASSERT(expr)
#define IREE_ASSERT_FALSE(expr) IREE_ASSERT(!(expr))
#define IREE_ASSERT_ARGUMENT(name) IREE_ASSERT(name)
#define IREE_ASSERT_EQ(a, b) IREE_ASSERT((a) == (b))
#define IREE_ASSERT_NE(a, b) IREE_ASSERT((a) != (b))
#define IREE_ASSERT_LE(a, b) IREE_ASSERT((a) <= (b))
#define IREE_ASSERT_LT(a, b) IREE_ASSERT((a) < (b))
#define IREE_ASSERT_GE(a, b) IREE_ASSERT((a) >= (b))
#define IREE_ASSERT_GT(a, b) IREE_ASSERT((a) > (b))
#define IREE_ASSERT_UNREACHABLE(...) IREE_ASSERT(false)

#if defined(__GNUC__)
#define IREE_BUILTIN_UNREACHABLE() __builtin_unreachable()
#else
#define IREE_BUILTIN_UNREACHABLE() ((void)0)
#endif

#endif  // IREE_BASE_ASSERT_H_
