// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The load-and-call API: what an application needs to run compiled modules on one device.
//
//   instance   shared by all: types, drivers                     iree_runtime_instance_t
//    └ session one set of loaded modules with their variables    iree_runtime_session_t
//       └ call one function with its inputs and outputs          iree_runtime_call_t
//
// Instances may be used from any thread; a session and its calls by one thread at a time.
// Everything here is made of the lower APIs (iree/vm/api.h, iree/hal/api.h), which stay reachable.
#ifndef IREE_RUNTIME_API_H_
#define IREE_RUNTIME_API_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/modules/hal/types.h"
#include "iree/runtime/call.h"
#include "iree/runtime/instance.h"
#include "iree/runtime/session.h"
#include "iree/vm/api.h"

#endif  // IREE_RUNTIME_API_H_
