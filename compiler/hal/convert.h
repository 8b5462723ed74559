// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code to hal ops: what the files of this step share.
//
//   convert_stream.c  resources, timepoints, tensors at the border; drives the rest
//   record.c          stream.cmd.execute: command buffers and how they run
//   parameters.c      stream.cmd.parameter.*: what the host program provides
//   devices.c         device and executable globals with their initializers
#ifndef COMPILER_HAL_CONVERT_H_
#define COMPILER_HAL_CONVERT_H_

#include "compiler/pass.h"

typedef struct hal_convert {
  pass_t *pass;
  ir_ctx_t *ctx;
  ir_op_t *module;
  ir_map_t *symbols;          // name -> op of the module
  ir_map_t *hosts;            // names of devices that allocate in the memory of the host
  ir_attr_t device;           // symbol of the device used where no affinity is given; NULL: none
  ir_op_t *last_initializer;  // executables' initializers follow the devices'
  ir_map_t *executables;      // device op -> map of executable op -> symbol of its global
  uint32_t n_executables, n_commands;
  ir_map_t *chained;  // stream.timepoint.chain_external whose fence its producer signals itself
  // Of the function at hand.
  ir_op_t *func;
  ir_map_t *loads;  // symbol -> value loaded at the function's start
} hal_convert_t;

// ---- values
ir_value_t *hal_index(hal_convert_t *c, ir_builder_t *b, int64_t value);
ir_value_t *hal_i64(hal_convert_t *c, ir_builder_t *b, int64_t value);
ir_value_t *hal_i32(hal_convert_t *c, ir_builder_t *b, int32_t value);
ir_value_t *hal_null(hal_convert_t *c, ir_builder_t *b, const char *type_name);
static inline ir_type_t hal_type(hal_convert_t *c, const char *name) {
  return ir_type_dialect(c->ctx, name, NULL, 0);
}
ir_value_t *hal_add(hal_convert_t *c, ir_builder_t *b, ir_value_t *x,
                    ir_value_t *y);  // index; either may be NULL (0)
// An op with |operands| (NULL entries are left out of optional groups by |segments|) and at most
// one result.
ir_value_t *hal_build(ir_builder_t *b, op_kind_t kind, ir_value_t *const *operands, size_t n,
                      const uint32_t *segments, ir_type_t result, const ir_named_t *attrs,
                      size_t n_attrs);
// Buffer and byte offset (NULL: 0) behind a resource value; looks through subviews.
ir_value_t *hal_buffer_of(hal_convert_t *c, ir_builder_t *b, ir_value_t *resource,
                          ir_value_t **out_offset);
// A new fence of |device|, and the one that |op| waits for, or null.
ir_value_t *hal_fence(hal_convert_t *c, ir_builder_t *b, ir_value_t *device);
ir_value_t *hal_wait(hal_convert_t *c, ir_builder_t *b, const ir_op_t *op);
// Memory type and buffer usage of resources of a type; what is constant may be shared.
void hal_memory_of(hal_convert_t *c, ir_builder_t *b, ir_type_t resource, ir_value_t **out_memory,
                   ir_value_t **out_usage);

// ---- devices
// The symbol of the device that |op|'s affinity names.
//   errors: INVALID_ARGUMENT  none is named and there is not exactly one
iree_status_t hal_device_symbol(hal_convert_t *c, const ir_op_t *op, ir_attr_t *out_symbol);
// Does the device allocate in host memory, so that ordering an allocation on its queue gains
// nothing?
bool hal_device_is_host(const hal_convert_t *c, ir_attr_t symbol);
// The device as a value in the function at hand; loaded once, at its start.
iree_status_t hal_device(hal_convert_t *c, const ir_op_t *op, ir_value_t **out_device);
// Loads global |symbol| at the start of the function at hand.
ir_value_t *hal_load(hal_convert_t *c, ir_attr_t symbol, ir_type_t type);
// Devices are found at load: an initializer per device global.
iree_status_t hal_materialize_devices(hal_convert_t *c);
// The symbol of the global that holds @name loaded on |device|; made on first use, with its
// initializer.
iree_status_t hal_executable_symbol(hal_convert_t *c, const ir_op_t *user, ir_attr_t device,
                                    ir_attr_t name, ir_attr_t *out_symbol);
// Adds a private global of |type| after |after| (NULL: at the module's start); returns its symbol.
ir_attr_t hal_add_global(hal_convert_t *c, ir_op_t *after, const char *name, ir_type_t type,
                         ir_op_t **out_op);
// An empty initializer after |after| (NULL: at the module's end) and a builder in its entry block.
ir_op_t *hal_add_initializer(hal_convert_t *c, ir_op_t *after, ir_builder_t *out_b);

// Whether |device| has the property |category|::|key|.
ir_value_t *hal_query(hal_convert_t *c, ir_builder_t *b, ir_value_t *device, const char *category,
                      const char *key);
// The format of a hal.executable.variant or .binary.
const char *hal_variant_format(const ir_op_t *variant);

// ---- commands
iree_status_t hal_convert_execute(hal_convert_t *c, ir_op_t *op);
iree_status_t hal_convert_parameters(hal_convert_t *c, ir_op_t *op);

#endif  // COMPILER_HAL_CONVERT_H_
