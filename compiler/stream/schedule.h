// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of the scheduling pass (schedule.c, partition.c, constants.c, parameters.c).
//
// The model: a tensor value is a *view* of a *buffer*. A buffer has a resource once the *partition*
// (the run of commands that makes it) is closed; until then it is pending. Closing turns the
// partition's commands into one stream.cmd.execute: commands whose inputs are ready form a wave,
// waves follow each other. Buffers that nobody outside needs share one slab by their wave
// intervals; the others are allocated each on its own.
#ifndef COMPILER_STREAM_SCHEDULE_H_
#define COMPILER_STREAM_SCHEDULE_H_

#include "compiler/pass.h"
#include "compiler/stream/build.h"

typedef struct buffer {
  ir_value_t *resource, *total;  // NULL while pending
  ir_value_t *base;              // offset in the resource; NULL: 0
  ir_value_t *ready;             // timepoint; NULL: at once
  ir_value_t *size;              // bytes of the buffer itself
  const char *lifetime;          // of the resource to allocate
  ir_block_t *block;             // that made it
  ir_block_t *awaited_in;        // the host has waited for it there
  ir_value_t **values;           // tensor values that view it
  size_t n_values, value_cap;
  bool escapes;                  // needed outside its partition even if no value says so
  bool owned;                    // made by commands of this function, so it may be written again
  bool read_elsewhere;           // by a closed partition other than its own
  uint32_t partition;            // number of the partition that knows its waves
  int first_wave, last_write, last_read;
} buffer_t;

typedef struct view {
  buffer_t *buffer;
  ir_value_t *offset;  // relative to the buffer; NULL: 0
  ir_value_t *size;    // bytes
} view_t;

typedef enum { ACCESS_READ = 1, ACCESS_WRITE = 2 } access_t;
typedef struct operand {
  buffer_t *buffer;
  ir_value_t *offset, *length;  // offset relative to the buffer; NULL: 0
  int access;
} operand_t;
typedef struct command {
  ir_kind_t kind;  // OP_STREAM_CMD_...
  ir_op_t *op;     // of a dispatch
  ir_loc_t loc;
  ir_value_t *value;  // of a fill
  operand_t *operands;
  size_t n_operands;
  int wave;
} command_t;

typedef struct constant {
  ir_attr_t value;  // dense elements
  int64_t offset, size;
} constant_t;

typedef struct parameters parameters_t;  // parameters.c

typedef struct schedule {
  pass_t *pass;
  ir_ctx_t *ctx;
  iree_arena_t *arena;   // the pass's scratch
  ir_op_t *module;
  ir_attr_t affinity;    // NULL: none
  bool in_initializer;   // commands run once, waits cannot be left to a caller
  ir_map_t *views;       // tensor value -> view_t
  ir_map_t *done;        // op -> itself, once its effect is in some partition or host op
  // The open partition.
  command_t *commands;
  size_t n_commands, command_cap;
  buffer_t **buffers;    // made by it
  size_t n_buffers, buffer_cap;
  uint32_t partition;    // its number, from 1
  // Constants of the module, in one segment.
  constant_t *constants;
  size_t n_constants, constant_cap;
  ir_map_t *constant_of;  // attribute -> index + 1
  int64_t constant_bytes;
  const char *pool_name;
  const ir_region_t *pool_region;  // where the two below stand
  ir_value_t *pool, *pool_size;
  parameters_t *parameters;  // globals that the host program fills
  ir_op_t **erase;        // old ops, erased at the end of their function
  size_t n_erase, erase_cap;
} schedule_t;

enum { STREAM_ALIGNMENT = 64 };

// partition.c
buffer_t *buffer_create(schedule_t *s, ir_value_t *size);
buffer_t *buffer_of_resource(schedule_t *s, ir_value_t *resource, ir_value_t *total, ir_value_t *ready);
void buffer_add_value(schedule_t *s, buffer_t *buffer, ir_value_t *value);
command_t *partition_add(schedule_t *s, ir_kind_t kind, ir_loc_t loc, size_t n_operands);
void partition_place(schedule_t *s, command_t *command);  // after its operands are set
iree_status_t partition_close(schedule_t *s, ir_builder_t *b);
bool buffer_may_be_written(schedule_t *s, const buffer_t *buffer, const ir_op_t *by);

// constants.c
iree_status_t constants_view(schedule_t *s, ir_op_t *op, ir_attr_t dense, ir_builder_t *b, view_t **out_view);
iree_status_t constants_emit(schedule_t *s, ir_op_t *before);

// parameters.c: before functions are converted, and after
iree_status_t parameters_collect(schedule_t *s);
void parameters_emit(schedule_t *s, ir_op_t *before);

#endif  // COMPILER_STREAM_SCHEDULE_H_
