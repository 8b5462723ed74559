// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameter files that --parameters names, as indices by scope and as the module that serves them.

#ifndef TOOLING_PARAMETERS_H_
#define TOOLING_PARAMETERS_H_

#include "base/flags.h"
#include "iree/base/api.h"
#include "iree/io/scope_map.h"
#include "iree/vm/api.h"

enum { PARAMETER_MODE_PRELOAD, PARAMETER_MODE_FILE };

typedef struct parameter_flags_t {
  flag_list_t parameters;  // [scope=]path
  int32_t parameter_mode;
} parameter_flags_t;

extern const flag_group_t parameter_flag_group;

// Adds the parameters of all files to the map.
//   errors: NOT_FOUND / ...   a file that cannot be opened
//           INVALID_ARGUMENT  a file that is no parameter file, with what is wrong with it
iree_status_t parameters_index(const parameter_flags_t *flags, iree_io_scope_map_t *scope_map);

// Makes the io_parameters module of the files.
//   owns:   transfers ownership to the caller
//   errors: as parameters_index
iree_status_t parameters_create_module(const parameter_flags_t *flags, iree_vm_instance_t *instance,
                                       iree_allocator_t host_allocator,
                                       iree_vm_module_t **out_module);

#endif  // TOOLING_PARAMETERS_H_
