// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces parameters by what an archive holds (--iree-parameter-import=[scope=]file, of the keys or up
// to the size that flags name), so that they are constants to all that follows.
//   in, out: globals
//
//   util.global private @w = #flow.parameter.named<"scope"::"w"> : tensor<4xf32>
//   ->
//   util.global private @w = dense<...> : tensor<4xf32>
#include <string.h>

#include "compiler/dialects/parameter.h"
#include "compiler/pass.h"
#include "iree/io/formats/parser_registry.h"
#include "iree/io/scope_map.h"

static iree_status_t index_file(iree_io_scope_map_t *map, iree_string_view_t flag) {
  iree_string_view_t scope, path;
  parameter_split_path(flag, &scope, &path);
  iree_io_file_handle_t *file = NULL;
  iree_io_parameter_index_t *index = NULL;
  IREE_RETURN_IF_ERROR(iree_io_file_handle_open(IREE_IO_FILE_MODE_READ, path, map->host_allocator, &file));
  iree_status_t status = iree_io_scope_map_lookup(map, scope, &index);
  if (iree_status_is_ok(status)) status = iree_io_parse_file_index(path, file, index, map->host_allocator);
  iree_io_file_handle_release(file);
  return status;
}

static bool is_wanted(const compile_options_t *options, iree_string_view_t key, uint64_t n_bytes) {
  for (iree_host_size_t i = 0; i < options->parameter_import_keys.count; ++i)
    if (iree_string_view_equal(options->parameter_import_keys.values[i], key)) return true;
  return options->parameter_import_maximum_size > 0 && n_bytes <= (uint64_t)options->parameter_import_maximum_size;
}

// The entry of a parameter, NULL if the given files lack it.
static const iree_io_parameter_index_entry_t *find(const iree_io_scope_map_t *map, const parameter_t *p) {
  iree_string_view_t scope = p->scope ? ir_str(p->scope) : iree_string_view_empty();
  const iree_io_parameter_index_entry_t *entry = NULL;
  for (iree_host_size_t i = 0; i < map->count; ++i)
    if (iree_string_view_equal(map->entries[i]->scope, scope))
      iree_status_ignore(iree_io_parameter_index_lookup(map->entries[i]->index, ir_str(p->key), &entry));
  return entry;
}

// The elements in the file, copied.
static iree_status_t file_elements(ir_ctx_t *ctx, ir_type_t type, const iree_io_parameter_index_entry_t *entry, ir_attr_t *out) {
  iree_io_file_mapping_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_io_file_map_view(entry->storage.file.handle, IREE_IO_FILE_ACCESS_READ, entry->storage.file.offset,
                                             (iree_host_size_t)entry->length, IREE_IO_FILE_MAPPING_FLAG_NONE, iree_allocator_system(), &view));
  *out = ir_attr_dense(ctx, type, iree_io_file_mapping_contents_ro(view).data, (size_t)entry->length, false, true);
  iree_io_file_mapping_release(view);
  return iree_ok_status();
}

static iree_status_t import(pass_t *pass, ir_op_t *op, const parameter_t *p, const iree_io_parameter_index_entry_t *entry) {
  ir_type_t type = ir_op_attr(op, "type");
  size_t width = ir_type_storage_bytes(ir_type_element(type));
  if (ir_type_packed_bits(ir_type_element(type)))
    return ir_op_error(op, "cannot import parameter '%.*s': elements of less than a byte are packed; leave it to the runtime",
                       IREE_SV_ARGS(ir_str(p->key)));
  uint64_t n_bytes = (uint64_t)ir_type_n_elements(type) * width;
  if (entry->length != n_bytes)
    return ir_op_error(op, "cannot import parameter '%.*s': the file has %llu bytes for it, the type %llu", IREE_SV_ARGS(ir_str(p->key)),
                       (unsigned long long)entry->length, (unsigned long long)n_bytes);
  ir_attr_t value = NULL;
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE) {
    IREE_RETURN_IF_ERROR(file_elements(pass->ctx, type, entry, &value));
  } else {  // one element: the pattern, repeated
    uint8_t element[16];
    for (size_t i = 0; i < width && i < sizeof element; ++i) element[i] = entry->storage.splat.pattern[i % entry->storage.splat.pattern_length];
    if (width > sizeof element || (entry->storage.splat.pattern_length > width) || width % entry->storage.splat.pattern_length)
      return ir_op_error(op, "cannot import parameter '%.*s': its splat is of other elements", IREE_SV_ARGS(ir_str(p->key)));
    value = ir_attr_dense(pass->ctx, type, element, width, true, true);
  }
  ir_op_set_attr(pass->ctx, op, "initial_value", value);
  return iree_ok_status();
}

static iree_status_t import_all(pass_t *pass, ir_op_t *module, const iree_io_scope_map_t *map) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    parameter_t p;
    if (op->kind != OP_UTIL_GLOBAL || !parameter_of(ir_op_attr(op, "initial_value"), &p)) continue;
    ir_type_t type = ir_op_attr(op, "type");
    if (!ir_is(type, IR_T_TENSOR) || !ir_type_is_static(type)) continue;
    const iree_io_parameter_index_entry_t *entry = find(map, &p);
    if (entry && is_wanted(pass->options, ir_str(p.key), entry->length)) IREE_RETURN_IF_ERROR(import(pass, op, &p, entry));
  }
  return iree_ok_status();
}

iree_status_t flow_fold_parameters(pass_t *pass, ir_op_t *module) {
  const flag_list_t *files = &pass->options->parameter_import;
  if (!files->count) return iree_ok_status();
  iree_io_scope_map_t map;
  iree_io_scope_map_initialize(iree_allocator_system(), &map);
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < files->count && iree_status_is_ok(status); ++i)
    status = iree_status_annotate_f(index_file(&map, files->values[i]), "flag '--iree-parameter-import=%.*s'", IREE_SV_ARGS(files->values[i]));
  if (iree_status_is_ok(status)) status = import_all(pass, module, &map);
  iree_io_scope_map_deinitialize(&map);
  return status;
}
