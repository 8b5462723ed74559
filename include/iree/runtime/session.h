// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaded modules with their state, bound to a device. The hal module is there from the start;
// modules are appended after those they depend on.
#ifndef IREE_RUNTIME_SESSION_H_
#define IREE_RUNTIME_SESSION_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_runtime_instance_t iree_runtime_instance_t;
typedef struct iree_runtime_session_t iree_runtime_session_t;

enum iree_runtime_session_builtins_bits_t {
  IREE_RUNTIME_SESSION_BUILTIN_ALL = UINT64_MAX,
};
typedef uint64_t iree_runtime_session_builtins_t;

typedef struct iree_runtime_session_options_t {
  iree_vm_context_flags_t context_flags;
  iree_runtime_session_builtins_t builtin_modules;  // reserved; all that this build has are there
} iree_runtime_session_options_t;

// Sets the defaults.
//   errors: none
IREE_API_EXPORT void iree_runtime_session_options_initialize(
    iree_runtime_session_options_t *out_options);

// Makes a session on |device|.
//   owns:   transfers ownership to the caller; retains instance and device
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_runtime_session_create_with_device(
    iree_runtime_instance_t *instance, const iree_runtime_session_options_t *options,
    iree_hal_device_t *device, iree_allocator_t host_allocator,
    iree_runtime_session_t **out_session);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_runtime_session_retain(iree_runtime_session_t *session);
IREE_API_EXPORT void iree_runtime_session_release(iree_runtime_session_t *session);

// Facts about a session.
//   owns:   borrowed from |session| until it is released
//   errors: none
IREE_API_EXPORT iree_allocator_t
iree_runtime_session_host_allocator(const iree_runtime_session_t *session);
IREE_API_EXPORT iree_runtime_instance_t *iree_runtime_session_instance(
    const iree_runtime_session_t *session);
IREE_API_EXPORT iree_vm_context_t *iree_runtime_session_context(
    const iree_runtime_session_t *session);
IREE_API_EXPORT iree_hal_device_t *iree_runtime_session_device(
    const iree_runtime_session_t *session);
IREE_API_EXPORT iree_hal_allocator_t *iree_runtime_session_device_allocator(
    const iree_runtime_session_t *session);

// Gives memory that is only cached back to the system; loaded modules keep their state.
//   errors: those of the modules' own handlers
IREE_API_EXPORT iree_status_t iree_runtime_session_trim(iree_runtime_session_t *session);

// Links |module| to the session and runs its initialiser.
//   owns:   retains |module|
//   errors: NOT_FOUND      an import or module that it needs is not there yet
//           INVALID_ARGUMENT, INCOMPATIBLE, UNAVAILABLE  as its initialiser says
IREE_API_EXPORT iree_status_t iree_runtime_session_append_module(iree_runtime_session_t *session,
                                                                 iree_vm_module_t *module);

// Loads a compiled module (.vmfb) and appends it. |flatbuffer_data| must stay until the session is
// released.
//   owns:   takes ownership of the data, on failure too; |flatbuffer_allocator| frees it
//           (iree_allocator_null: it stays the caller's)
//   errors: INVALID_ARGUMENT  not a valid module
//           as iree_runtime_session_append_module
IREE_API_EXPORT iree_status_t iree_runtime_session_append_bytecode_module_from_memory(
    iree_runtime_session_t *session, iree_const_byte_span_t flatbuffer_data,
    iree_allocator_t flatbuffer_allocator);

// The same from a file, or from all of stdin.
//   errors: NOT_FOUND, PERMISSION_DENIED, ...  as the system says, naming the file
//           as iree_runtime_session_append_bytecode_module_from_memory
IREE_API_EXPORT iree_status_t iree_runtime_session_append_bytecode_module_from_file(
    iree_runtime_session_t *session, const char *file_path);
IREE_API_EXPORT iree_status_t
iree_runtime_session_append_bytecode_module_from_stdin(iree_runtime_session_t *session);

// Finds an exported function by "module.function".
//   owns:   |out_function| is borrowed from |session| until it is released
//   errors: NOT_FOUND  no such module or function
IREE_API_EXPORT iree_status_t iree_runtime_session_lookup_function(
    const iree_runtime_session_t *session, iree_string_view_t full_name,
    iree_vm_function_t *out_function);

// Calls a function and blocks until it returns; results are appended to |output_list|.
//   owns:   lists are borrowed; inputs keep their values
//   errors: INVALID_ARGUMENT  inputs that the function does not take
//           those of the function
IREE_API_EXPORT iree_status_t iree_runtime_session_call(iree_runtime_session_t *session,
                                                        const iree_vm_function_t *function,
                                                        iree_vm_list_t *input_list,
                                                        iree_vm_list_t *output_list);
IREE_API_EXPORT iree_status_t iree_runtime_session_call_by_name(iree_runtime_session_t *session,
                                                                iree_string_view_t full_name,
                                                                iree_vm_list_t *input_list,
                                                                iree_vm_list_t *output_list);

// Calls with packed argument and result storage, without lists.
//   owns:   the storage is borrowed; references in the results transfer to the caller
//   errors: as iree_runtime_session_call
IREE_API_EXPORT iree_status_t iree_runtime_session_call_direct(iree_runtime_session_t *session,
                                                               const iree_vm_function_call_t call);

#ifdef __cplusplus
}
#endif

#endif  // IREE_RUNTIME_SESSION_H_
