// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loaded program: module files, the devices they run on, and the VM context that links them.
//
//   --module files  ->  vm modules  ->  needed native modules (hal, io_parameters)  ->  context
//                                          |
//                       --device URIs  ->  device group
//
// Native modules are made only when a module depends on them, so a program without tensors starts
// no device.

#ifndef TOOLING_PROGRAM_H_
#define TOOLING_PROGRAM_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/vm/api.h"
#include "tooling/device.h"
#include "base/file.h"
#include "base/flags.h"
#include "tooling/parameters.h"
#include "tooling/trace.h"
#include "tooling/value.h"

enum { MODULE_MODE_PRELOAD, MODULE_MODE_MMAP };

typedef struct program_flags_t {
  flag_list_t modules;
  int32_t module_mode;
  bool trace_execution;
  iree_string_view_t trace;
  parameter_flags_t parameters;  // its own group: parameter_flag_group
} program_flags_t;

extern const flag_group_t program_flag_group;

#define PROGRAM_MAX_MODULES 32

typedef struct program_t {
  iree_allocator_t host_allocator;
  trace_writer_t *trace;  // NULL without --trace=
  iree_vm_instance_t *instance;
  iree_vm_context_t *context;
  iree_hal_device_group_t *device_group;   // NULL if no module needs devices
  iree_hal_allocator_t *buffer_allocator;  // the lead device's, or a heap of the host
  iree_vm_module_t *main_module;           // the last --module; borrowed from the context
  // Loaded from files, and those plus native ones in the order of linking.
  iree_host_size_t file_count;
  file_contents_t files[PROGRAM_MAX_MODULES];
  iree_vm_module_t *file_modules[PROGRAM_MAX_MODULES];
  iree_host_size_t module_count;
  iree_vm_module_t *modules[PROGRAM_MAX_MODULES];
} program_t;

// A native module of a tool's own, for what it loads.
typedef struct program_native_t {
  iree_status_t (*create)(void *self, iree_vm_instance_t *instance, iree_allocator_t host_allocator,
                          iree_vm_module_t **out_module);
  void *self;
} program_native_t;

// Loads and links what the flags name.
//   owns:   the caller's |out_program| needs program_deinit, also after failure
//   errors: INVALID_ARGUMENT  no module named, or a file that is no module
//           NOT_FOUND         missing file, import, native module, driver or device
//           INCOMPATIBLE / UNAVAILABLE  module for another kind of device
iree_status_t program_init(const program_flags_t *flags, const device_flags_t *device_flags,
                           iree_allocator_t host_allocator, program_t *out_program);

// The same with a module of the tool, linked before all others; the context is left to
// program_create_context.
//   owns:   as above
//   errors: as above
iree_status_t program_init_with(const program_flags_t *flags, const device_flags_t *device_flags,
                                const program_native_t *native, iree_allocator_t host_allocator,
                                program_t *out_program);

// Makes a context of the modules, with state of its own.
//   owns:   transfers ownership to the caller
//   errors: those of linking the modules and of their initializers
iree_status_t program_create_context(const program_t *program, iree_vm_context_t **out_context);

// Releases the context and all that init made, files last.
void program_deinit(program_t *program);

// The lead device, or NULL.
iree_hal_device_t *program_device(const program_t *program);

// Where inputs of calls are made.
value_target_t program_value_target(const program_t *program);

// Prints allocator statistics of every device.
//   errors: RESOURCE_EXHAUSTED
iree_status_t program_append_statistics(const program_t *program, iree_string_builder_t *builder);

// Finds an exported function of the main module; without a |name| the only one that is public (no
// "__" prefix, no '$').
//   errors: NOT_FOUND         no such function
//           INVALID_ARGUMENT  no name, and none or several to choose from
iree_status_t program_find_function(const program_t *program, iree_string_view_t name,
                                    iree_vm_function_t *out_function);

// Whether tools should offer the export: not internal by its name.
bool program_is_public_name(iree_string_view_t name);

#endif  // TOOLING_PROGRAM_H_
