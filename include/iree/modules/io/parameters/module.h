// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `io_parameters` VM module: how compiled programs load and store parameters.
#ifndef IREE_MODULES_IO_PARAMETERS_MODULE_H_
#define IREE_MODULES_IO_PARAMETERS_MODULE_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/io/parameter_provider.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes the module over |providers|; the first that serves a scope is asked.
//   owns:   transfers ownership to the caller; retains the providers
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parameters_module_create(
    iree_vm_instance_t *instance, iree_host_size_t provider_count,
    iree_io_parameter_provider_t *const *providers, iree_allocator_t host_allocator,
    iree_vm_module_t **IREE_RESTRICT out_module);

#ifdef __cplusplus
}
#endif

#endif  // IREE_MODULES_IO_PARAMETERS_MODULE_H_
