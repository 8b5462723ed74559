// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers of local devices: a list of commands in waves, kept in one arena.
//
//   wave 0: [dispatch][fill][dispatch]   barrier   wave 1: [copy][dispatch]   barrier   ...
//
// Commands of a wave may run at once; a wave starts when the one before it is done. Recording
// copies everything it is given. What an execution resolves (addresses, lengths) it keeps in a
// block of its own whose layout is fixed here: |state_bytes| in all, each command's part at its
// state_offset. So one recording can run many times, also at once.
#ifndef RUNTIME_HAL_LOCAL_COMMANDS_H_
#define RUNTIME_HAL_LOCAL_COMMANDS_H_

#include "iree/hal/api.h"
#include "runtime/hal/local/executable.h"

typedef enum command_kind_e {
  COMMAND_FILL,
  COMMAND_UPDATE,
  COMMAND_COPY,
  COMMAND_DISPATCH,
} command_kind_t;

typedef struct command_t {
  struct command_t *next;
  command_kind_t kind;
  uint32_t wave;
  iree_host_size_t state_offset;  // of its command_state_t
} command_t;

typedef struct transfer_command_t {
  command_t base;
  iree_hal_buffer_ref_t target;
  iree_hal_buffer_ref_t source;  // copy
  const void *data;              // update: bytes; fill: the pattern
  iree_host_size_t data_length;  // update: bytes; fill: pattern length
} transfer_command_t;

typedef struct dispatch_command_t {
  command_t base;
  local_executable_t *executable;
  uint32_t function;
  bool counts_are_indirect;
  uint32_t workgroup_size[3];
  uint32_t workgroup_count[3];
  iree_hal_buffer_ref_t count_ref;
  uint16_t constant_count;
  uint16_t binding_count;
  const uint32_t *constants;
  iree_hal_buffer_ref_t *bindings;
} dispatch_command_t;

// The resolved form of a command, in the execution's block. A dispatch has its binding pointers and
// lengths behind it.
typedef struct command_state_t {
  uint32_t first_unit;  // within the wave
  uint32_t unit_count;
  uint64_t item_count;  // workgroups, or bytes
  uint64_t items_per_unit;
  uint8_t *target;
  const uint8_t *source;
  uint64_t read_only;  // bits of bindings, where the executable looks at them
  iree_hal_executable_dispatch_state_v0_t dispatch;
} command_state_t;

typedef struct local_command_buffer_t {
  iree_hal_command_buffer_t base;
  iree_allocator_t block_allocator;
  struct arena_block_t *blocks;  // newest first
  command_t *first;
  command_t *last;
  uint32_t command_count;
  uint32_t wave;  // of the next command
  uint32_t wave_count;
  iree_host_size_t state_bytes;
  uint64_t estimated_bytes;  // memory that all commands touch, as far as known
  bool is_serial;            // no wave has more than one unit
  iree_host_size_t resource_count;
  iree_host_size_t resource_capacity;
  iree_hal_resource_t **resources;  // retained
} local_command_buffer_t;

// Makes a command buffer whose memory comes from |block_allocator|.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t local_command_buffer_create(iree_hal_command_buffer_mode_t mode,
                                          iree_hal_command_category_t command_categories,
                                          iree_hal_queue_affinity_t queue_affinity,
                                          iree_host_size_t binding_capacity,
                                          iree_allocator_t block_allocator,
                                          iree_hal_command_buffer_t **out_command_buffer);

// The local command buffer behind a public one.
//   errors: INVALID_ARGUMENT  a command buffer of another kind of device
iree_status_t local_command_buffer_cast(iree_hal_command_buffer_t *command_buffer,
                                        local_command_buffer_t **out_command_buffer);

#endif  // RUNTIME_HAL_LOCAL_COMMANDS_H_
