// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves constants from the module to a parameter archive (--iree-parameter-export=[scope=]file.irpa).
//   in, out: globals; those with constant contents become parameters
//   relies on: flow-outline-constants
//
//   util.global private @w = dense<...> : tensor<784x128xf32>
//   ->
//   util.global private @w = #flow.parameter.named<"scope"::"w"> : tensor<784x128xf32>
//
// flow-dump-splat-parameters (--iree-parameter-splat=file.irpa) writes an archive in which all parameters
// of the module are zero.
#include <string.h>

#include "compiler/dialects/memory_form.h"
#include "compiler/dialects/parameter.h"
#include "compiler/pass.h"
#include "iree/io/formats/irpa/irpa_builder.h"

typedef struct constant_global {
  ir_op_t *global;
  ir_attr_t value;   // in memory form
  uint64_t n_bytes;  // of all elements
} constant_global_t;

static uint64_t tensor_bytes(ir_type_t type) {
  unsigned packed = ir_type_packed_bits(ir_type_element(type));
  uint64_t bits = packed ? packed : 8 * (uint64_t)ir_type_storage_bytes(ir_type_element(type));
  return ((uint64_t)ir_type_n_elements(type) * bits + 7) / 8;
}

static bool is_constant_global(pass_t *pass, ir_op_t *op, constant_global_t *out) {
  *out = (constant_global_t){.global = op};
  if (op->kind != OP_UTIL_GLOBAL || !ir_is(ir_op_attr(op, "type"), IR_T_TENSOR)) return false;
  ir_attr_t dense = ir_op_attr(op, "initial_value");
  if (dense) dense = memory_dense(pass->ctx, dense);
  if (!dense) return false;
  out->value = memory_form(pass->ctx, dense);
  out->n_bytes = tensor_bytes(ir_op_attr(op, "type"));
  return out->n_bytes > 0 && (int64_t)out->n_bytes >= pass->options->parameter_export_minimum_size;
}

// One value throughout that nobody changes takes no room in the archive.
static bool is_splat(const constant_global_t *c) {
  size_t n = ir_dense_bytes(c->value);
  return ir_dense_is_splat(c->value) && !ir_op_flag(c->global, "is_mutable") && n <= 16 && (n & (n - 1)) == 0;
}

static iree_status_t declare(iree_io_parameter_archive_builder_t *builder, const constant_global_t *c) {
  iree_string_view_t name = ir_op_sym_name(c->global);
  if (is_splat(c))
    return iree_io_parameter_archive_builder_add_splat_entry(builder, name, iree_const_byte_span_empty(), ir_dense_data(c->value),
                                                             (uint8_t)ir_dense_bytes(c->value), c->n_bytes);
  return iree_io_parameter_archive_builder_add_data_entry(builder, name, iree_const_byte_span_empty(),
                                                          IREE_IO_PARAMETER_ARCHIVE_DEFAULT_DATA_ALIGNMENT, c->n_bytes);
}

static iree_status_t write_contents(const constant_global_t *c, const iree_io_parameter_index_entry_t *entry, iree_io_stream_t *stream) {
  if (entry->type != IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE) return iree_ok_status();
  size_t n = ir_dense_bytes(c->value);
  IREE_RETURN_IF_ERROR(iree_io_stream_seek(stream, IREE_IO_STREAM_SEEK_SET, (iree_io_stream_pos_t)entry->storage.file.offset));
  if (!ir_dense_is_splat(c->value)) return iree_io_stream_write(stream, (iree_host_size_t)c->n_bytes, ir_dense_data(c->value));
  return iree_io_stream_fill(stream, (iree_io_stream_pos_t)(c->n_bytes / n), ir_dense_data(c->value), n);
}

// Writes header and contents; entries of the index are in the order of |list|.
static iree_status_t write_archive(iree_io_parameter_archive_builder_t *builder, iree_string_view_t path, const constant_global_t *list,
                                   size_t n) {
  iree_allocator_t allocator = builder->host_allocator;
  iree_io_file_handle_t *file = NULL;
  iree_io_stream_t *stream = NULL;
  iree_io_parameter_index_t *index = NULL;
  iree_status_t status = iree_io_file_handle_create(IREE_IO_FILE_MODE_READ | IREE_IO_FILE_MODE_WRITE, path,
                                                    iree_io_parameter_archive_builder_total_size(builder), allocator, &file);
  if (iree_status_is_ok(status)) status = iree_io_stream_open(IREE_IO_STREAM_MODE_WRITABLE, file, 0, allocator, &stream);
  if (iree_status_is_ok(status)) status = iree_io_parameter_index_create(allocator, &index);
  if (iree_status_is_ok(status)) status = iree_io_parameter_archive_builder_write(builder, file, 0, stream, index);
  for (size_t i = 0; i < n && iree_status_is_ok(status); ++i) {
    const iree_io_parameter_index_entry_t *entry = NULL;
    status = iree_io_parameter_index_get(index, i, &entry);
    if (iree_status_is_ok(status)) status = write_contents(&list[i], entry, stream);
  }
  iree_io_parameter_index_release(index);
  iree_io_stream_release(stream);
  iree_io_file_handle_release(file);
  return status;
}

static iree_status_t export_constants(iree_string_view_t path, const constant_global_t *list, size_t n) {
  iree_io_parameter_archive_builder_t builder;
  iree_status_t status = iree_io_parameter_archive_builder_initialize(iree_allocator_system(), &builder);
  for (size_t i = 0; i < n && iree_status_is_ok(status); ++i) status = declare(&builder, &list[i]);
  if (iree_status_is_ok(status)) status = write_archive(&builder, path, list, n);
  iree_io_parameter_archive_builder_deinitialize(&builder);
  return iree_status_annotate_f(status, "flag '--iree-parameter-export=%.*s'", IREE_SV_ARGS(path));
}

iree_status_t flow_outline_parameters(pass_t *pass, ir_op_t *module) {
  if (!pass->options->parameter_export.size) return iree_ok_status();
  iree_string_view_t scope, path;
  parameter_split_path(pass->options->parameter_export, &scope, &path);
  constant_global_t *list = NULL, c;
  size_t n = 0, cap = 0;
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (is_constant_global(pass, op, &c)) IREE_ARENA_PUSH(pass->scratch, list, n, cap, c);
  if (!n) return iree_ok_status();
  IREE_RETURN_IF_ERROR(export_constants(path, list, n));
  for (size_t i = 0; i < n; ++i) {
    ir_op_t *global = list[i].global;
    ir_op_set_attr(pass->ctx, global, "initial_value", parameter_attr(pass->ctx, scope, ir_op_sym_name(global), ir_op_attr(global, "type")));
  }
  return iree_ok_status();
}

// ---- archives of zeros
static iree_status_t declare_zeros(iree_io_parameter_archive_builder_t *builder, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    parameter_t p;
    ir_type_t type = op->kind == OP_UTIL_GLOBAL ? ir_op_attr(op, "type") : NULL;
    if (!ir_is(type, IR_T_TENSOR) || !parameter_of(ir_op_attr(op, "initial_value"), &p) || !ir_type_is_static(type)) continue;
    uint8_t zeros[16] = {0};
    size_t width = ir_type_storage_bytes(ir_type_element(type));
    IREE_RETURN_IF_ERROR(iree_io_parameter_archive_builder_add_splat_entry(
        builder, ir_str(p.key), iree_const_byte_span_empty(), zeros, (uint8_t)(width && width <= 16 ? width : 1), tensor_bytes(type)));
  }
  return iree_ok_status();
}

iree_status_t flow_dump_splat_parameters(pass_t *pass, ir_op_t *module) {
  iree_string_view_t path = pass->options->parameter_splat;
  if (!path.size) return iree_ok_status();
  iree_io_parameter_archive_builder_t builder;
  iree_status_t status = iree_io_parameter_archive_builder_initialize(iree_allocator_system(), &builder);
  if (iree_status_is_ok(status)) status = declare_zeros(&builder, module);
  if (iree_status_is_ok(status)) status = write_archive(&builder, path, NULL, 0);
  iree_io_parameter_archive_builder_deinitialize(&builder);
  return iree_status_annotate_f(status, "flag '--iree-parameter-splat=%.*s'", IREE_SV_ARGS(path));
}
