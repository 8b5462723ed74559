// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recording: commands are appended to a chain of blocks. Ranges, counts and uses were checked
// before.
#include "runtime/hal/local/commands.h"

#include "runtime/hal/recycler.h"

#define BLOCK_BYTES 4000
#define ARENA_ALIGNMENT 16

typedef struct arena_block_t {
  struct arena_block_t *next;
  iree_host_size_t used_bytes;
  iree_host_size_t capacity_bytes;
  iree_alignas(ARENA_ALIGNMENT) uint8_t bytes[];
} arena_block_t;

static const iree_hal_command_buffer_vtable_t local_command_buffer_vtable;

static iree_status_t arena_allocate(local_command_buffer_t *commands, iree_host_size_t bytes,
                                    void **out_ptr) {
  *out_ptr = NULL;
  if (!iree_host_size_checked_align(bytes, ARENA_ALIGNMENT, &bytes)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "command is too large");
  }
  arena_block_t *block = commands->blocks;
  if (!block || block->capacity_bytes - block->used_bytes < bytes) {
    iree_host_size_t capacity_bytes = iree_max(bytes, (iree_host_size_t)BLOCK_BYTES);
    IREE_RETURN_IF_ERROR(iree_allocator_malloc_uninitialized(
        commands->block_allocator, sizeof(*block) + capacity_bytes, (void **)&block));
    block->next = commands->blocks;
    block->used_bytes = 0;
    block->capacity_bytes = capacity_bytes;
    commands->blocks = block;
  }
  *out_ptr = block->bytes + block->used_bytes;
  block->used_bytes += bytes;
  return iree_ok_status();
}

iree_status_t local_command_buffer_create(iree_hal_command_buffer_mode_t mode,
                                          iree_hal_command_category_t command_categories,
                                          iree_hal_queue_affinity_t queue_affinity,
                                          iree_host_size_t binding_capacity,
                                          iree_allocator_t block_allocator,
                                          iree_hal_command_buffer_t **out_command_buffer) {
  *out_command_buffer = NULL;
  local_command_buffer_t *commands = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_struct_array(
      block_allocator, sizeof(*commands), binding_capacity, sizeof(iree_hal_binding_requirement_t),
      (void **)&commands));
  iree_hal_command_buffer_initialize(mode, command_categories, queue_affinity, binding_capacity,
                                     (iree_hal_binding_requirement_t *)(commands + 1),
                                     &local_command_buffer_vtable, &commands->base);
  commands->block_allocator = block_allocator;
  commands->is_serial = true;
  *out_command_buffer = &commands->base;
  return iree_ok_status();
}

static void local_command_buffer_destroy(iree_hal_command_buffer_t *base) {
  local_command_buffer_t *commands = (local_command_buffer_t *)base;
  iree_allocator_t block_allocator = commands->block_allocator;
  for (iree_host_size_t i = commands->resource_count; i > 0; --i) {
    iree_hal_resource_release(commands->resources[i - 1]);
  }
  iree_allocator_free(block_allocator, (void *)commands->resources);
  while (commands->blocks) {
    arena_block_t *block = commands->blocks;
    commands->blocks = block->next;
    iree_allocator_free(block_allocator, block);
  }
  iree_allocator_free(block_allocator, commands);
}

iree_status_t local_command_buffer_cast(iree_hal_command_buffer_t *command_buffer,
                                        local_command_buffer_t **out_command_buffer) {
  *out_command_buffer = NULL;
  if (!iree_hal_resource_is(command_buffer, &local_command_buffer_vtable)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "the command buffer was made by another kind of device");
  }
  *out_command_buffer = (local_command_buffer_t *)command_buffer;
  return iree_ok_status();
}

// Programs name the same few resources over and over: the last ones are not retained again.
static iree_status_t retain_resource(local_command_buffer_t *commands, void *resource) {
  if (!resource ||
      iree_all_bits_set(commands->base.mode, IREE_HAL_COMMAND_BUFFER_MODE_UNRETAINED)) {
    return iree_ok_status();
  }
  iree_host_size_t recent_count = iree_min(commands->resource_count, (iree_host_size_t)8);
  for (iree_host_size_t i = 1; i <= recent_count; ++i) {
    if (commands->resources[commands->resource_count - i] == resource) return iree_ok_status();
  }
  if (commands->resource_count == commands->resource_capacity) {
    IREE_RETURN_IF_ERROR(iree_allocator_grow_array(
        commands->block_allocator, iree_max(commands->resource_count + 1, (iree_host_size_t)16),
        sizeof(commands->resources[0]), &commands->resource_capacity,
        (void **)&commands->resources));
  }
  iree_hal_resource_retain(resource);
  commands->resources[commands->resource_count++] = (iree_hal_resource_t *)resource;
  return iree_ok_status();
}

// Appends a command of |bytes| with |state_trailing_bytes| behind its state.
static iree_status_t append(local_command_buffer_t *commands, command_kind_t kind,
                            iree_host_size_t bytes, iree_host_size_t state_trailing_bytes,
                            void **out_command) {
  IREE_RETURN_IF_ERROR(arena_allocate(commands, bytes, out_command));
  command_t *command = (command_t *)*out_command;
  command->next = NULL;
  command->kind = kind;
  command->wave = commands->wave;
  command->state_offset = commands->state_bytes;
  if (!iree_host_size_checked_add(
          commands->state_bytes,
          iree_host_align(sizeof(command_state_t) + state_trailing_bytes, ARENA_ALIGNMENT),
          &commands->state_bytes)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "command buffer is too large");
  }
  if (commands->last) {
    if (commands->last->wave == command->wave) commands->is_serial = false;
    commands->last->next = command;
  } else {
    commands->first = command;
  }
  commands->last = command;
  ++commands->command_count;
  commands->wave_count = command->wave + 1;
  return iree_ok_status();
}

static void estimate(local_command_buffer_t *commands, iree_device_size_t bytes) {
  const uint64_t limit = UINT64_MAX / 4;
  commands->estimated_bytes += iree_min(bytes, limit);
  commands->estimated_bytes = iree_min(commands->estimated_bytes, limit);
}

static iree_status_t local_command_buffer_begin(iree_hal_command_buffer_t *base) {
  (void)base;
  return iree_ok_status();
}

static iree_status_t local_command_buffer_end(iree_hal_command_buffer_t *base) {
  (void)base;
  return iree_ok_status();
}

static iree_status_t local_command_buffer_execution_barrier(
    iree_hal_command_buffer_t *base, iree_hal_execution_stage_t source_stage_mask,
    iree_hal_execution_stage_t target_stage_mask, iree_hal_execution_barrier_flags_t flags) {
  (void)source_stage_mask, (void)target_stage_mask, (void)flags;
  local_command_buffer_t *commands = (local_command_buffer_t *)base;
  if (commands->last && commands->last->wave == commands->wave) ++commands->wave;
  return iree_ok_status();
}

static iree_status_t local_command_buffer_fill_buffer(iree_hal_command_buffer_t *base,
                                                      iree_hal_buffer_ref_t target_ref,
                                                      const void *pattern,
                                                      iree_host_size_t pattern_length,
                                                      iree_hal_fill_flags_t flags) {
  (void)flags;
  local_command_buffer_t *commands = (local_command_buffer_t *)base;
  IREE_RETURN_IF_ERROR(retain_resource(commands, target_ref.buffer));
  transfer_command_t *command = NULL;
  IREE_RETURN_IF_ERROR(
      append(commands, COMMAND_FILL, sizeof(*command) + pattern_length, 0, (void **)&command));
  command->target = target_ref;
  command->source = (iree_hal_buffer_ref_t){0};
  command->data = command + 1;
  command->data_length = pattern_length;
  memcpy(command + 1, pattern, pattern_length);
  estimate(commands, target_ref.length);
  return iree_ok_status();
}

static iree_status_t local_command_buffer_update_buffer(iree_hal_command_buffer_t *base,
                                                        const void *source_buffer,
                                                        iree_host_size_t source_offset,
                                                        iree_hal_buffer_ref_t target_ref,
                                                        iree_hal_update_flags_t flags) {
  (void)flags;
  local_command_buffer_t *commands = (local_command_buffer_t *)base;
  IREE_RETURN_IF_ERROR(retain_resource(commands, target_ref.buffer));
  iree_host_size_t length = (iree_host_size_t)target_ref.length;
  transfer_command_t *command = NULL;
  IREE_RETURN_IF_ERROR(
      append(commands, COMMAND_UPDATE, sizeof(*command) + length, 0, (void **)&command));
  command->target = target_ref;
  command->source = (iree_hal_buffer_ref_t){0};
  command->data = command + 1;
  command->data_length = length;
  memcpy(command + 1, (const uint8_t *)source_buffer + source_offset, length);
  estimate(commands, length);
  return iree_ok_status();
}

static iree_status_t local_command_buffer_copy_buffer(iree_hal_command_buffer_t *base,
                                                      iree_hal_buffer_ref_t source_ref,
                                                      iree_hal_buffer_ref_t target_ref,
                                                      iree_hal_copy_flags_t flags) {
  (void)flags;
  local_command_buffer_t *commands = (local_command_buffer_t *)base;
  IREE_RETURN_IF_ERROR(retain_resource(commands, source_ref.buffer));
  IREE_RETURN_IF_ERROR(retain_resource(commands, target_ref.buffer));
  transfer_command_t *command = NULL;
  IREE_RETURN_IF_ERROR(append(commands, COMMAND_COPY, sizeof(*command), 0, (void **)&command));
  command->target = target_ref;
  command->source = source_ref;
  command->data = NULL;
  command->data_length = 0;
  estimate(commands, target_ref.length);
  estimate(commands, target_ref.length);
  return iree_ok_status();
}

static iree_status_t local_command_buffer_dispatch(iree_hal_command_buffer_t *base,
                                                   iree_hal_executable_t *executable,
                                                   iree_hal_executable_function_t function,
                                                   const iree_hal_dispatch_config_t *config,
                                                   iree_const_byte_span_t constants,
                                                   iree_hal_buffer_ref_list_t bindings,
                                                   iree_hal_dispatch_flags_t flags) {
  local_command_buffer_t *commands = (local_command_buffer_t *)base;
  local_executable_t *local_executable = NULL;
  IREE_RETURN_IF_ERROR(local_executable_cast(executable, &local_executable));
  IREE_RETURN_IF_ERROR(retain_resource(commands, executable));
  bool is_indirect = iree_hal_dispatch_uses_indirect_parameters(flags);
  if (is_indirect) {
    IREE_RETURN_IF_ERROR(retain_resource(commands, config->workgroup_count_ref.buffer));
  } else if (config->workgroup_count[2] > UINT16_MAX) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "workgroup count z is at most 65535, %u was given",
                            config->workgroup_count[2]);
  }
  for (iree_host_size_t i = 0; i < bindings.count; ++i) {
    IREE_RETURN_IF_ERROR(retain_resource(commands, bindings.values[i].buffer));
    estimate(commands, bindings.values[i].length);
  }
  iree_host_size_t binding_bytes = bindings.count * sizeof(bindings.values[0]);
  dispatch_command_t *command = NULL;
  IREE_RETURN_IF_ERROR(
      append(commands, COMMAND_DISPATCH, sizeof(*command) + binding_bytes + constants.data_length,
             bindings.count * (sizeof(void *) + sizeof(size_t)), (void **)&command));
  command->executable = local_executable;
  command->function = iree_hal_executable_function_index(function);
  command->counts_are_indirect = is_indirect;
  command->count_ref = config->workgroup_count_ref;
  uint64_t workgroup_count = is_indirect ? UINT64_MAX : 1;
  for (int i = 0; i < 3; ++i) {
    command->workgroup_size[i] = config->workgroup_size[i];
    command->workgroup_count[i] = config->workgroup_count[i];
    if (!is_indirect)
      workgroup_count = iree_min(workgroup_count, UINT32_MAX) * config->workgroup_count[i];
  }
  if (workgroup_count > 1) commands->is_serial = false;
  command->constant_count = (uint16_t)(constants.data_length / sizeof(uint32_t));
  command->binding_count = (uint16_t)bindings.count;
  command->bindings = (iree_hal_buffer_ref_t *)(command + 1);
  command->constants = (const uint32_t *)((uint8_t *)command->bindings + binding_bytes);
  if (binding_bytes) memcpy(command->bindings, bindings.values, binding_bytes);
  if (constants.data_length) {
    memcpy((uint8_t *)command->bindings + binding_bytes, constants.data, constants.data_length);
  }
  return iree_ok_status();
}

static const iree_hal_command_buffer_vtable_t local_command_buffer_vtable = {
    .destroy = local_command_buffer_destroy,
    .begin = local_command_buffer_begin,
    .end = local_command_buffer_end,
    .execution_barrier = local_command_buffer_execution_barrier,
    .fill_buffer = local_command_buffer_fill_buffer,
    .update_buffer = local_command_buffer_update_buffer,
    .copy_buffer = local_command_buffer_copy_buffer,
    .dispatch = local_command_buffer_dispatch,
};
