// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `check` VM module: expectations that test programs state about their own values.
#ifndef IREE_MODULES_CHECK_MODULE_H_
#define IREE_MODULES_CHECK_MODULE_H_

#include <stdint.h>

#include "iree/base/api.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Gets each expectation that does not hold: where the program states it ("file:line:col", empty when
// the module has no locations) and what came instead, one or more lines. The program goes on.
//   owns:   both texts are borrowed for the call
//   thread: the one that runs the program
typedef struct iree_check_module_sink_t {
  void (*fn)(void *user_data, iree_string_view_t location, iree_string_view_t text);
  void *user_data;
} iree_check_module_sink_t;

// Makes a module whose expectations fail the call in which they do not hold.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_check_module_create(iree_vm_instance_t *instance,
                                                       iree_allocator_t allocator,
                                                       iree_vm_module_t **out_module);

// Makes a module that tells |sink| instead.
//   owns:   transfers ownership to the caller; the sink is borrowed until the module is released
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_check_module_create_with_sink(iree_vm_instance_t *instance,
                                                                 iree_check_module_sink_t sink,
                                                                 iree_allocator_t allocator,
                                                                 iree_vm_module_t **out_module);

#ifdef __cplusplus
}
#endif

#endif  // IREE_MODULES_CHECK_MODULE_H_
