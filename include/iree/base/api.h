// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base library: sizes, statuses, text, memory, time. Everything else stands on it.
#ifndef IREE_BASE_API_H_
#define IREE_BASE_API_H_

#include "iree/base/alignment.h"
#include "iree/base/allocator.h"
#include "iree/base/assert.h"
#include "iree/base/attributes.h"
#include "iree/base/bitfield.h"
#include "iree/base/config.h"
#include "iree/base/status.h"
#include "iree/base/string_builder.h"
#include "iree/base/string_view.h"
#include "iree/base/target_platform.h"
#include "iree/base/time.h"
#include "iree/base/tracing.h"
#include "iree/base/trace.h"
#include "iree/base/wait_source.h"

#ifdef __cplusplus
#include "iree/base/status_cc.h"
#endif

#endif  // IREE_BASE_API_H_
