// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: named collections of functions behind one table of C functions. A module is immutable
// and shared; what changes (globals, resolved imports) is its state, one per context.
//
// Calling convention strings: "0<arguments>_<results>" with i I f F (values), r (ref), v (nothing)
// and C...D around a variadic group. Arguments and results travel packed in that order: 4 bytes for
// i f, 8-aligned 8 for I F, 8-aligned 16 for r; a group is a 4-byte count, then its tuples, aligned
// to the widest member.
#ifndef IREE_VM_MODULE_H_
#define IREE_VM_MODULE_H_

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"
#include "iree/vm/ref.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_vm_module_t iree_vm_module_t;
typedef struct iree_vm_stack_t iree_vm_stack_t;
typedef struct iree_vm_module_state_t iree_vm_module_state_t;

typedef enum iree_vm_function_linkage_e {
  IREE_VM_FUNCTION_LINKAGE_INTERNAL = 0,
  IREE_VM_FUNCTION_LINKAGE_IMPORT = 1,
  IREE_VM_FUNCTION_LINKAGE_EXPORT = 2,
  IREE_VM_FUNCTION_LINKAGE_IMPORT_OPTIONAL = 3,
  IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL = 4,
} iree_vm_function_linkage_t;

typedef struct iree_vm_function_t {
  iree_vm_module_t *module;  // borrowed; NULL = no function
  uint16_t linkage;
  uint16_t ordinal;
} iree_vm_function_t;

static inline bool iree_vm_function_is_null(iree_vm_function_t function) {
  return function.module == NULL;
}

typedef struct iree_vm_function_signature_t {
  iree_string_view_t calling_convention;
} iree_vm_function_signature_t;

typedef struct iree_vm_module_signature_t {
  uint32_t version;
  iree_host_size_t attr_count;
  iree_host_size_t import_function_count;
  iree_host_size_t export_function_count;
  iree_host_size_t internal_function_count;
} iree_vm_module_signature_t;

typedef uint32_t iree_vm_module_dependency_flags_t;
enum iree_vm_module_dependency_flag_bits_t {
  IREE_VM_MODULE_DEPENDENCY_FLAG_NONE = 0u,
  IREE_VM_MODULE_DEPENDENCY_FLAG_REQUIRED = 1u << 0,
  IREE_VM_MODULE_DEPENDENCY_FLAG_OPTIONAL = 1u << 1,
};

typedef struct iree_vm_module_dependency_t {
  iree_string_view_t name;
  uint32_t minimum_version;
  iree_vm_module_dependency_flags_t flags;
} iree_vm_module_dependency_t;

typedef iree_status_t (*iree_vm_module_dependency_callback_t)(
    void *user_data_ptr, const iree_vm_module_dependency_t *dependency);

typedef struct iree_vm_function_call_t {
  iree_vm_function_t function;
  // Packed arguments and room for packed results. Refs in |arguments| stay the caller's; refs in
  // |results| become the caller's.
  iree_byte_span_t arguments;
  iree_byte_span_t results;
} iree_vm_function_call_t;

#define IREE_VM_CCONV_TYPE_VOID 'v'
#define IREE_VM_CCONV_TYPE_I32 'i'
#define IREE_VM_CCONV_TYPE_I64 'I'
#define IREE_VM_CCONV_TYPE_F32 'f'
#define IREE_VM_CCONV_TYPE_F64 'F'
#define IREE_VM_CCONV_TYPE_REF 'r'
#define IREE_VM_CCONV_TYPE_SPAN_START 'C'
#define IREE_VM_CCONV_TYPE_SPAN_END 'D'

// Splits a signature; `v` comes out as empty fragments.
//   errors: UNIMPLEMENTED  another version than 0;  INVALID_ARGUMENT  malformed
IREE_API_EXPORT iree_status_t iree_vm_function_call_get_cconv_fragments(
    const iree_vm_function_signature_t *signature, iree_string_view_t *out_arguments,
    iree_string_view_t *out_results);
IREE_API_EXPORT bool iree_vm_function_call_is_variadic_cconv(iree_string_view_t cconv);
// Numbers of arguments and results of a signature without variadic groups.
//   errors: as above;  FAILED_PRECONDITION  variadic
IREE_API_EXPORT iree_status_t iree_vm_function_call_count_arguments_and_results(
    const iree_vm_function_signature_t *signature, iree_host_size_t *out_argument_count,
    iree_host_size_t *out_result_count);

typedef int64_t iree_vm_source_offset_t;

typedef uint32_t iree_vm_source_location_format_flags_t;
enum iree_vm_source_location_format_flag_bits_e {
  IREE_VM_SOURCE_LOCATION_FORMAT_FLAG_NONE = 0u,
  IREE_VM_SOURCE_LOCATION_FORMAT_FLAG_SINGLE_LINE = 1u << 0,
};

typedef struct iree_vm_source_location_t {
  void *self;
  uint64_t data[2];
  iree_status_t (*format)(void *self, uint64_t data[2],
                          iree_vm_source_location_format_flags_t flags,
                          iree_string_builder_t *builder);
} iree_vm_source_location_t;

// Appends "file:line:col" and the like.
//   errors: UNAVAILABLE  nothing is known
IREE_API_EXPORT iree_status_t iree_vm_source_location_format(
    iree_vm_source_location_t *source_location, iree_vm_source_location_format_flags_t flags,
    iree_string_builder_t *builder);

typedef enum iree_vm_signal_e {
  IREE_VM_SIGNAL_RESUME = 0,
  IREE_VM_SIGNAL_SUSPEND = 1,
  IREE_VM_SIGNAL_LOW_MEMORY = 2,
  IREE_VM_SIGNAL_FORK = 3,
} iree_vm_signal_t;

// The interface. |self| is passed to every function; those marked ? may be NULL.
struct iree_vm_module_t {
  void *self;
  iree_atomic_ref_count_t ref_count;

  void (*destroy)(void *self);
  iree_string_view_t (*name)(void *self);
  iree_vm_module_signature_t (*signature)(void *self);
  // ? Calls back for each module this one needs.
  iree_status_t (*enumerate_dependencies)(void *self, iree_vm_module_dependency_callback_t callback,
                                          void *user_data);
  // ? OUT_OF_RANGE past the end.
  iree_status_t (*get_module_attr)(void *self, iree_host_size_t index,
                                   iree_string_pair_t *out_attr);
  // NOT_FOUND when there is none; |expected_signature| may be NULL.
  iree_status_t (*lookup_function)(void *self, iree_vm_function_linkage_t linkage,
                                   iree_string_view_t name,
                                   const iree_vm_function_signature_t *expected_signature,
                                   iree_vm_function_t *out_function);
  // Any output may be NULL.
  iree_status_t (*get_function)(void *self, iree_vm_function_linkage_t linkage,
                                iree_host_size_t ordinal, iree_vm_function_t *out_function,
                                iree_string_view_t *out_name,
                                iree_vm_function_signature_t *out_signature);
  // ? OUT_OF_RANGE past the end.
  iree_status_t (*get_function_attr)(void *self, iree_vm_function_linkage_t linkage,
                                     iree_host_size_t ordinal, iree_host_size_t index,
                                     iree_string_pair_t *out_attr);
  // ?
  iree_status_t (*resolve_source_location)(void *self, iree_vm_function_t function,
                                           iree_vm_source_offset_t pc,
                                           iree_vm_source_location_t *out_source_location);
  // ? A module without state has NULL.
  iree_status_t (*alloc_state)(void *self, iree_allocator_t allocator,
                               iree_vm_module_state_t **out_module_state);
  void (*free_state)(void *self, iree_vm_module_state_t *module_state);
  // ?
  iree_status_t (*fork_state)(void *self, iree_vm_module_state_t *parent_state,
                              iree_allocator_t allocator, iree_vm_module_state_t **out_child_state);
  // ? Binds import |ordinal| to |function|.
  iree_status_t (*resolve_import)(void *self, iree_vm_module_state_t *module_state,
                                  iree_host_size_t ordinal, const iree_vm_function_t *function,
                                  const iree_vm_function_signature_t *signature);
  // ?
  iree_status_t (*notify)(void *self, iree_vm_module_state_t *module_state,
                          iree_vm_signal_t signal);
  // Runs until done, failure or DEFERRED.
  iree_status_t (*begin_call)(void *self, iree_vm_stack_t *stack, iree_vm_function_call_t call);
  // ? Goes on after DEFERRED.
  iree_status_t (*resume_call)(void *self, iree_vm_stack_t *stack, iree_byte_span_t call_results);
};

// Clears the table and sets |self|, one reference.
//   errors: none
IREE_API_EXPORT iree_status_t iree_vm_module_initialize(iree_vm_module_t *module, void *self);
IREE_API_EXPORT void iree_vm_module_retain(iree_vm_module_t *module);
IREE_API_EXPORT void iree_vm_module_release(iree_vm_module_t *module);

// The name and the counts of functions; text is borrowed from |module|.
//   errors: none
IREE_API_EXPORT iree_string_view_t iree_vm_module_name(const iree_vm_module_t *module);
IREE_API_EXPORT iree_vm_module_signature_t iree_vm_module_signature(const iree_vm_module_t *module);
// Attributes of the module; the value is empty when the key is absent.
//   errors: OUT_OF_RANGE  past the end
IREE_API_EXPORT iree_string_view_t
iree_vm_module_lookup_attr_by_name(const iree_vm_module_t *module, iree_string_view_t key);
IREE_API_EXPORT iree_status_t iree_vm_module_get_attr(const iree_vm_module_t *module,
                                                      iree_host_size_t index,
                                                      iree_string_pair_t *out_attr);
IREE_API_EXPORT iree_status_t iree_vm_module_enumerate_dependencies(
    iree_vm_module_t *module, iree_vm_module_dependency_callback_t callback, void *user_data);
// Functions by name (without the module's) or position.
//   errors: NOT_FOUND  no such function;  OUT_OF_RANGE  past the end
IREE_API_EXPORT iree_status_t iree_vm_module_lookup_function_by_name(
    const iree_vm_module_t *module, iree_vm_function_linkage_t linkage, iree_string_view_t name,
    iree_vm_function_t *out_function);
IREE_API_EXPORT iree_status_t iree_vm_module_lookup_function_by_ordinal(
    const iree_vm_module_t *module, iree_vm_function_linkage_t linkage, iree_host_size_t ordinal,
    iree_vm_function_t *out_function);
IREE_API_EXPORT iree_status_t iree_vm_module_resolve_source_location(
    const iree_vm_module_t *module, iree_vm_function_t function, iree_vm_source_offset_t pc,
    iree_vm_source_location_t *out_source_location);

// The name and signature; empty when the module keeps none.
//   errors: none
IREE_API_EXPORT iree_string_view_t iree_vm_function_name(const iree_vm_function_t *function);
IREE_API_EXPORT iree_vm_function_signature_t
iree_vm_function_signature(const iree_vm_function_t *function);
IREE_API_EXPORT iree_string_view_t
iree_vm_function_lookup_attr_by_name(const iree_vm_function_t *function, iree_string_view_t key);
IREE_API_EXPORT iree_status_t iree_vm_function_get_attr(iree_vm_function_t function,
                                                        iree_host_size_t index,
                                                        iree_string_pair_t *out_attr);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_MODULE_H_
