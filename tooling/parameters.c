// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameter files of the command line (parameters.h).

#include "tooling/parameters.h"

#include "iree/io/formats/parser_registry.h"
#include "iree/io/parameter_index_provider.h"
#include "iree/modules/io/parameters/module.h"

static const flag_t k_parameter_flags[] = {
    FLAG_LIST(parameter_flags_t, parameters, "parameters",
              "Parameter file for the program, [scope=]file; without a scope for the global one. "
              "May repeat,\n"
              "also for one scope. Formats, by extension: .irpa, .gguf, .safetensors."),
    FLAG_CHOICE(parameter_flags_t, parameter_mode, "parameter_mode", "file", "preload|file",
                "preload reads the files into memory at once, file maps and reads what is needed."),
};
const flag_group_t parameter_flag_group = FLAG_GROUP("Parameters", k_parameter_flags);

static iree_status_t index_file(const parameter_flags_t *flags, iree_string_view_t path,
                                iree_io_parameter_index_t *index, iree_allocator_t host_allocator) {
  iree_io_file_handle_t *handle = NULL;
  IREE_RETURN_IF_ERROR(
      flags->parameter_mode == PARAMETER_MODE_PRELOAD
          ? iree_io_file_handle_preload(IREE_IO_FILE_MODE_READ, path, host_allocator, &handle)
          : iree_io_file_handle_open(IREE_IO_FILE_MODE_READ, path, host_allocator, &handle));
  iree_status_t status = iree_io_parse_file_index(path, handle, index, host_allocator);
  iree_io_file_handle_release(handle);
  return status;
}

iree_status_t parameters_index(const parameter_flags_t *flags, iree_io_scope_map_t *scope_map) {
  for (iree_host_size_t i = 0; i < flags->parameters.count; ++i) {
    iree_string_view_t scope, path;
    if (iree_string_view_split(flags->parameters.values[i], '=', &scope, &path) == -1) {
      path = scope;
      scope = iree_string_view_empty();
    }
    iree_io_parameter_index_t *index = NULL;
    IREE_RETURN_IF_ERROR(iree_io_scope_map_lookup(scope_map, scope, &index));
    IREE_RETURN_IF_ERROR(index_file(flags, path, index, scope_map->host_allocator));
  }
  return iree_ok_status();
}

static iree_status_t create_providers(const iree_io_scope_map_t *scope_map,
                                      iree_allocator_t host_allocator,
                                      iree_io_parameter_provider_t **providers) {
  for (iree_host_size_t i = 0; i < scope_map->count; ++i) {
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_provider_create(
        scope_map->entries[i]->scope, scope_map->entries[i]->index,
        IREE_IO_PARAMETER_INDEX_PROVIDER_DEFAULT_MAX_CONCURRENT_OPERATIONS, host_allocator,
        &providers[i]));
  }
  return iree_ok_status();
}

static iree_status_t create_module(const iree_io_scope_map_t *scope_map,
                                   iree_vm_instance_t *instance, iree_allocator_t host_allocator,
                                   iree_vm_module_t **out_module) {
  iree_io_parameter_provider_t **providers = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(host_allocator, scope_map->count + 1,
                                                   sizeof(providers[0]), (void **)&providers));
  iree_status_t status = create_providers(scope_map, host_allocator, providers);
  if (iree_status_is_ok(status)) {
    status = iree_io_parameters_module_create(instance, scope_map->count, providers, host_allocator,
                                              out_module);
  }
  for (iree_host_size_t i = 0; i < scope_map->count; ++i) {
    iree_io_parameter_provider_release(providers[i]);
  }
  iree_allocator_free(host_allocator, providers);
  return status;
}

iree_status_t parameters_create_module(const parameter_flags_t *flags, iree_vm_instance_t *instance,
                                       iree_allocator_t host_allocator,
                                       iree_vm_module_t **out_module) {
  *out_module = NULL;
  iree_io_scope_map_t scope_map;
  iree_io_scope_map_initialize(host_allocator, &scope_map);
  iree_status_t status = parameters_index(flags, &scope_map);
  if (iree_status_is_ok(status)) {
    status = create_module(&scope_map, instance, host_allocator, out_module);
  }
  iree_io_scope_map_deinitialize(&scope_map);
  return status;
}
