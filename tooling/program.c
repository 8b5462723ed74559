// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading and linking for the tools (program.h).

#include "tooling/program.h"

#include <string.h>

#include "iree/hal/local/loaders/registration/init.h"
#include "iree/modules/hal/inline/module.h"
#include "iree/modules/hal/loader/module.h"
#include "iree/modules/hal/module.h"
#include "iree/modules/vmvx/module.h"
#include "iree/vm/bytecode/module.h"
#include "iree/vm/dynamic/module.h"

enum { PROGRAM_MAX_LIBRARY_PARAMS = 16 };

static const flag_t k_program_flags[] = {
    FLAG_LIST(program_flags_t, modules, "module",
              "Module file (.vmfb) to load; - reads stdin. May repeat, dependencies first. The "
              "last one is the\n"
              "main module that --function= refers to."),
    FLAG_CHOICE(program_flags_t, module_mode, "module_mode", "preload", "preload|mmap",
                "preload reads the file into memory at once, mmap pages it in on demand."),
    FLAG_BOOL(program_flags_t, trace_execution, "trace_execution", "false",
              "Prints each executed VM instruction to stderr."),
    TRACE_FLAG(program_flags_t, trace),
};
const flag_group_t program_flag_group = FLAG_GROUP("Modules", k_program_flags);

//===-- modules ------------------------------------------------------------------------------===//

// Loads a shared library: path.so[@function][?key=value&key=value].
static iree_status_t load_library_module(iree_string_view_t text, program_t *program,
                                         iree_vm_module_t **out_module) {
  iree_string_pair_t params[PROGRAM_MAX_LIBRARY_PARAMS];
  iree_host_size_t count = 0;
  iree_string_view_t path, name, rest;
  iree_string_view_split(text, '?', &text, &rest);
  while (!iree_string_view_is_empty(rest)) {
    iree_string_view_t pair;
    if (count == PROGRAM_MAX_LIBRARY_PARAMS) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "more than %d parameters of a module library",
                              PROGRAM_MAX_LIBRARY_PARAMS);
    }
    iree_string_view_split(rest, '&', &pair, &rest);
    iree_string_view_split(pair, '=', &params[count].key, &params[count].value);
    ++count;
  }
  iree_string_view_split(text, '@', &path, &name);
  return iree_vm_dynamic_module_load_from_file(program->instance, path, name, count, params,
                                               program->host_allocator, out_module);
}

static bool is_library(iree_string_view_t text) {
  iree_string_view_t path, rest;
  iree_string_view_split(text, '?', &path, &rest);
  iree_string_view_split(path, '@', &path, &rest);
  return iree_string_view_ends_with(path, IREE_SV(".so"));
}

static iree_status_t program_load_module(const program_flags_t *flags, iree_string_view_t path,
                                         program_t *program) {
  if (program->file_count == PROGRAM_MAX_MODULES) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "more than %d modules", PROGRAM_MAX_MODULES);
  }
  if (is_library(path)) {
    return load_library_module(path, program, &program->file_modules[program->file_count++]);
  }
  file_contents_t *contents = &program->files[program->file_count];
  IREE_RETURN_IF_ERROR(flags->module_mode == MODULE_MODE_MMAP
                           ? file_contents_map(path, program->host_allocator, contents)
                           : file_contents_read(path, program->host_allocator, contents));
  // The module borrows the contents: files are released after everything else.
  iree_vm_module_t **module = &program->file_modules[program->file_count++];
  return iree_vm_bytecode_module_create(program->instance, IREE_VM_BYTECODE_MODULE_FLAG_NONE,
                                        contents->data, iree_allocator_null(),
                                        program->host_allocator, module);
}

// Takes ownership of |module|.
static iree_status_t program_link_module(program_t *program, iree_vm_module_t *module) {
  if (program->module_count == PROGRAM_MAX_MODULES) {
    iree_vm_module_release(module);
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "more than %d modules", PROGRAM_MAX_MODULES);
  }
  program->modules[program->module_count++] = module;
  return iree_ok_status();
}

//===-- dependencies -------------------------------------------------------------------------===//

typedef struct resolve_state_t {
  program_t *program;
  const program_flags_t *flags;
  const device_flags_t *device_flags;
} resolve_state_t;

static iree_status_t trace_devices(program_t *program) {
  const iree_host_size_t count =
      program->trace ? iree_hal_device_group_device_count(program->device_group) : 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    IREE_RETURN_IF_ERROR(
        iree_hal_device_set_trace_sink(iree_hal_device_group_device_at(program->device_group, i),
                                       trace_writer_sink(program->trace)));
  }
  return iree_ok_status();
}

static iree_status_t create_hal_module(resolve_state_t *state, iree_vm_module_t **out_module) {
  program_t *program = state->program;
  iree_hal_driver_registry_t *registry = NULL;
  IREE_RETURN_IF_ERROR(device_create_registry(program->host_allocator, &registry));
  iree_status_t status = device_create_group(state->device_flags, registry, program->host_allocator,
                                             &program->device_group);
  iree_hal_driver_registry_free(registry);
  if (!iree_status_is_ok(status)) return status;
  IREE_RETURN_IF_ERROR(trace_devices(program));
  iree_hal_allocator_release(program->buffer_allocator);
  program->buffer_allocator = iree_hal_device_allocator(program_device(program));
  iree_hal_allocator_retain(program->buffer_allocator);
  return iree_hal_module_create(program->instance, iree_hal_module_device_policy_default(),
                                program->device_group, IREE_HAL_MODULE_FLAG_SYNCHRONOUS,
                                iree_hal_module_debug_sink_stdio(stderr), program->host_allocator,
                                out_module);
}

// Memory of the host, for programs without devices.
static iree_status_t ensure_buffer_allocator(program_t *program) {
  if (program->buffer_allocator) return iree_ok_status();
  return iree_hal_allocator_create_heap(IREE_SV("heap"), program->host_allocator,
                                        program->host_allocator, &program->buffer_allocator);
}

static iree_status_t create_hal_inline_module(resolve_state_t *state,
                                              iree_vm_module_t **out_module) {
  program_t *program = state->program;
  IREE_RETURN_IF_ERROR(ensure_buffer_allocator(program));
  return iree_hal_inline_module_create(
      program->instance, IREE_HAL_INLINE_MODULE_FLAG_NONE, iree_hal_module_debug_sink_stdio(stderr),
      program->buffer_allocator, program->host_allocator, out_module);
}

static iree_status_t create_hal_loader_module(resolve_state_t *state,
                                              iree_vm_module_t **out_module) {
  program_t *program = state->program;
  iree_hal_executable_loader_t *loaders[8] = {NULL};
  iree_host_size_t count = 0;
  iree_hal_executable_plugin_manager_t *plugins = NULL;
  IREE_RETURN_IF_ERROR(
      device_create_plugins(state->device_flags, program->host_allocator, &plugins));
  iree_status_t status = iree_hal_create_all_available_executable_loaders(
      plugins, IREE_ARRAYSIZE(loaders), &count, loaders, program->host_allocator);
  iree_hal_executable_plugin_manager_release(plugins);
  IREE_RETURN_IF_ERROR(status);
  status = iree_hal_loader_module_create(program->instance, IREE_HAL_LOADER_MODULE_FLAG_NONE, count,
                                    loaders, program->host_allocator, out_module);
  while (count-- > 0) iree_hal_executable_loader_release(loaders[count]);
  return status;
}

static iree_status_t create_vmvx_module(resolve_state_t *state, iree_vm_module_t **out_module) {
  return iree_vmvx_module_create(state->program->instance, state->program->host_allocator,
                                 out_module);
}

static iree_status_t create_parameters_module(resolve_state_t *state,
                                              iree_vm_module_t **out_module) {
  return parameters_create_module(&state->flags->parameters, state->program->instance,
                                  state->program->host_allocator, out_module);
}

typedef struct native_module_t {
  const char *name;
  iree_status_t (*create)(resolve_state_t *state, iree_vm_module_t **out_module);
} native_module_t;

// Modules that come with the runtime, made when something depends on them.
static const native_module_t k_native_modules[] = {
    {"hal", create_hal_module},
    {"hal_inline", create_hal_inline_module},
    {"hal_loader", create_hal_loader_module},
    {"vmvx", create_vmvx_module},
    {"io_parameters", create_parameters_module},
};

static bool program_has_module(const program_t *program, iree_string_view_t name) {
  for (iree_host_size_t i = 0; i < program->module_count; ++i) {
    if (iree_string_view_equal(iree_vm_module_name(program->modules[i]), name)) return true;
  }
  return false;
}

static iree_status_t resolve_dependency(void *user_data,
                                        const iree_vm_module_dependency_t *dependency) {
  resolve_state_t *state = (resolve_state_t *)user_data;
  if (program_has_module(state->program, dependency->name)) return iree_ok_status();
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_native_modules); ++i) {
    if (!iree_string_view_equal(dependency->name, iree_make_cstring_view(k_native_modules[i].name)))
      continue;
    iree_vm_module_t *module = NULL;
    IREE_RETURN_IF_ERROR(k_native_modules[i].create(state, &module));
    return program_link_module(state->program, module);
  }
  // What is really needed and still missing shows when the context links.
  return iree_ok_status();
}

static iree_status_t program_link(const program_flags_t *flags, const device_flags_t *device_flags,
                                  program_t *program) {
  resolve_state_t state = {.program = program, .flags = flags, .device_flags = device_flags};
  for (iree_host_size_t i = 0; i < program->file_count; ++i) {
    iree_vm_module_t *module = program->file_modules[i];
    IREE_RETURN_IF_ERROR(iree_vm_module_enumerate_dependencies(module, resolve_dependency, &state),
                         "resolving dependencies for '%.*s'",
                         IREE_SV_ARGS(iree_vm_module_name(module)));
    iree_vm_module_retain(module);
    IREE_RETURN_IF_ERROR(program_link_module(program, module));
  }
  return iree_ok_status();
}

//===-- lifetime -----------------------------------------------------------------------------===//

static iree_status_t check_flags(const program_flags_t *flags) {
  if (flags->modules.count == 0) {
    return iree_make_status(
        IREE_STATUS_INVALID_ARGUMENT,
        "no user module specified; use --module=file.vmfb to load from a file or --module=- to "
        "load from stdin");
  }
  if (flags->trace_execution) {
    return iree_make_status(
        IREE_STATUS_UNIMPLEMENTED,
        "flag '--trace_execution': the interpreter of this build does not trace; "
        "--trace=FILE has its calls, iree-dump-module the instructions of a module");
  }
  return iree_ok_status();
}

static iree_status_t program_load(const program_flags_t *flags, const device_flags_t *device_flags,
                                  const program_native_t *native, program_t *program) {
  IREE_RETURN_IF_ERROR(check_flags(flags));
  IREE_RETURN_IF_ERROR(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT,
                                               program->host_allocator, &program->instance));
  IREE_RETURN_IF_ERROR(trace_writer_open(flags->trace, program->host_allocator, &program->trace));
  iree_vm_instance_set_trace_sink(program->instance, trace_writer_sink(program->trace));
  IREE_RETURN_IF_ERROR(iree_hal_module_register_all_types(program->instance));
  for (iree_host_size_t i = 0; i < flags->modules.count; ++i) {
    const iree_string_view_t path = flags->modules.values[i];
    IREE_RETURN_IF_ERROR(program_load_module(flags, path, program),
                         "loading bytecode module at '%.*s'", IREE_SV_ARGS(path));
  }
  if (native) {
    iree_vm_module_t *module = NULL;
    IREE_RETURN_IF_ERROR(
        native->create(native->self, program->instance, program->host_allocator, &module));
    IREE_RETURN_IF_ERROR(program_link_module(program, module));
  }
  IREE_RETURN_IF_ERROR(program_link(flags, device_flags, program));
  program->main_module = program->modules[program->module_count - 1];
  return ensure_buffer_allocator(program);
}

iree_status_t program_create_context(const program_t *program, iree_vm_context_t **out_context) {
  return iree_vm_context_create_with_modules(
      program->instance, IREE_VM_CONTEXT_FLAG_NONE, program->module_count,
      (iree_vm_module_t **)(uintptr_t)program->modules, program->host_allocator, out_context);
}

iree_status_t program_init_with(const program_flags_t *flags, const device_flags_t *device_flags,
                                const program_native_t *native, iree_allocator_t host_allocator,
                                program_t *out_program) {
  memset(out_program, 0, sizeof(*out_program));
  out_program->host_allocator = host_allocator;
  return program_load(flags, device_flags, native, out_program);
}

iree_status_t program_init(const program_flags_t *flags, const device_flags_t *device_flags,
                           iree_allocator_t host_allocator, program_t *out_program) {
  IREE_RETURN_IF_ERROR(program_init_with(flags, device_flags, NULL, host_allocator, out_program));
  return program_create_context(out_program, &out_program->context);
}

void program_deinit(program_t *program) {
  iree_vm_context_release(program->context);
  for (iree_host_size_t i = program->module_count; i-- > 0;)
    iree_vm_module_release(program->modules[i]);
  for (iree_host_size_t i = program->file_count; i-- > 0;)
    iree_vm_module_release(program->file_modules[i]);
  iree_hal_allocator_release(program->buffer_allocator);
  iree_hal_device_group_release(program->device_group);
  iree_vm_instance_release(program->instance);
  for (iree_host_size_t i = program->file_count; i-- > 0;)
    file_contents_release(&program->files[i]);
  trace_writer_free(program->trace);
  memset(program, 0, sizeof(*program));
}

iree_hal_device_t *program_device(const program_t *program) {
  return program->device_group ? iree_hal_device_group_device_at(program->device_group, 0) : NULL;
}

value_target_t program_value_target(const program_t *program) {
  return (value_target_t){.device = program_device(program),
                          .allocator = program->buffer_allocator,
                          .host_allocator = program->host_allocator};
}

iree_status_t program_append_statistics(const program_t *program, iree_string_builder_t *builder) {
  if (!program->device_group) return iree_ok_status();
  for (iree_host_size_t i = 0; i < iree_hal_device_group_device_count(program->device_group); ++i) {
    iree_hal_device_t *device = iree_hal_device_group_device_at(program->device_group, i);
    iree_hal_allocator_statistics_t statistics;
    iree_hal_allocator_query_statistics(iree_hal_device_allocator(device), &statistics);
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        builder, "Device: %.*s\n[[ iree_hal_allocator_t memory statistics ]]\n",
        IREE_SV_ARGS(iree_hal_device_id(device))));
    IREE_RETURN_IF_ERROR(iree_hal_allocator_statistics_format(&statistics, builder));
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\n"));
  }
  return iree_ok_status();
}

//===-- functions ----------------------------------------------------------------------------===//

bool program_is_public_name(iree_string_view_t name) {
  return !iree_string_view_starts_with(name, IREE_SV("__")) &&
         iree_string_view_find_char(name, '$', 0) == IREE_STRING_VIEW_NPOS;
}

static iree_status_t find_only_function(const program_t *program,
                                        iree_vm_function_t *out_function) {
  const iree_vm_module_signature_t signature = iree_vm_module_signature(program->main_module);
  iree_host_size_t public_count = 0;
  for (iree_host_size_t i = 0; i < signature.export_function_count; ++i) {
    iree_vm_function_t function = {0};
    IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_ordinal(
        program->main_module, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function));
    if (!program_is_public_name(iree_vm_function_name(&function))) continue;
    if (public_count++ == 0) *out_function = function;
  }
  if (public_count == 1) return iree_ok_status();
  if (public_count == 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "no exported functions found in module");
  }
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT,
      "more than one exported function present; --function= must be specified explicitly");
}

iree_status_t program_find_function(const program_t *program, iree_string_view_t name,
                                    iree_vm_function_t *out_function) {
  memset(out_function, 0, sizeof(*out_function));
  if (iree_string_view_is_empty(name)) return find_only_function(program, out_function);
  return iree_status_annotate_f(
      iree_vm_module_lookup_function_by_name(program->main_module, IREE_VM_FUNCTION_LINKAGE_EXPORT,
                                             name, out_function),
      "looking up function '%.*s'; iree-dump-module lists all", IREE_SV_ARGS(name));
}
