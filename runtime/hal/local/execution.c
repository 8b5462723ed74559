// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses are resolved wave by wave, in the thread that starts the wave: indirect workgroup
// counts are written by waves before it. A failing kernel stops the run at the end of its wave.
#include "runtime/hal/local/execution.h"

#include "runtime/hal/buffer.h"
#include "runtime/task/float_mode.h"

// Below this many bytes touched a command buffer is run by the submitter: less work than a wake-up.
#define INLINE_BYTES ((uint64_t)256 * 1024)
// The same for one that has nothing to share between workers.
#define INLINE_SERIAL_BYTES ((uint64_t)1024 * 1024)
// State of commands that fits the stack of the submitter.
#define INLINE_STATE_BYTES 2048
// What one unit of a transfer moves, and the least that a stolen range should touch.
#define TRANSFER_UNIT_BYTES ((uint64_t)256 * 1024)
#define MIN_LEAF_BYTES ((uint64_t)32 * 1024)
// Ranges per worker and wave: enough to even out, few enough to be cheap.
#define LEAVES_PER_WORKER 8
#define MAX_UNITS_PER_COMMAND ((uint64_t)1 << 20)

typedef struct execution_t {
  task_job_t job;
  local_command_buffer_t *commands;
  iree_hal_buffer_binding_table_t binding_table;
  task_executor_t *executor;  // null when everything runs in the caller
  iree_allocator_t block_allocator;
  execution_done_t done;
  const local_trace_t *trace;  // null when nobody listens
  iree_time_t begin_ns;
  command_t *wave_first;
  uint32_t wave_unit_count;
  iree_atomic_uint32_t remaining_units;
  iree_atomic_intptr_t failure;  // the first iree_status_t
  iree_alignas(16) uint8_t state[];
} execution_t;

static command_state_t *state_of(execution_t *execution, const command_t *command) {
  return (command_state_t *)(execution->state + command->state_offset);
}

static void record_failure(execution_t *execution, iree_status_t status) {
  if (iree_status_is_ok(status)) return;
  intptr_t expected = 0;
  if (!iree_atomic_compare_exchange_strong(&execution->failure, &expected, (intptr_t)status,
                                           iree_memory_order_acq_rel, iree_memory_order_relaxed)) {
    iree_status_free(status);
  }
}

static bool has_failed(execution_t *execution) {
  return iree_atomic_load(&execution->failure, iree_memory_order_acquire) != 0;
}

//===-- resolving -----------------------------------------------------------------------------===//

static iree_status_t resolve(execution_t *execution, const iree_hal_buffer_ref_t *ref,
                             iree_byte_span_t *out_span) {
  if (ref->buffer) return buffer_host_span(ref->buffer, ref->offset, ref->length, out_span);
  iree_hal_buffer_binding_table_t table = execution->binding_table;
  if (IREE_UNLIKELY(ref->buffer_slot >= table.count || !table.bindings[ref->buffer_slot].buffer)) {
    iree_hal_buffer_ref_t resolved;
    return iree_hal_buffer_binding_table_resolve_ref(table, *ref, &resolved);  // says why
  }
  const iree_hal_buffer_binding_t *binding = &table.bindings[ref->buffer_slot];
  iree_device_size_t offset = 0, length = 0;
  IREE_RETURN_IF_ERROR(buffer_range(0, binding->buffer->byte_length, binding->offset,
                                    binding->length, &offset, &length));
  IREE_RETURN_IF_ERROR(buffer_range(offset, length, ref->offset, ref->length, &offset, &length));
  return buffer_host_span_unchecked(binding->buffer, offset, length, out_span);
}

static iree_status_t resolve_transfer(execution_t *execution, const transfer_command_t *command,
                                      command_state_t *state) {
  iree_byte_span_t target, source = iree_byte_span_empty();
  IREE_RETURN_IF_ERROR(resolve(execution, &command->target, &target));
  state->target = target.data;
  state->source = (const uint8_t *)command->data;
  if (command->base.kind == COMMAND_COPY) {
    IREE_RETURN_IF_ERROR(resolve(execution, &command->source, &source));
    if (source.data_length != target.data_length) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "copy source has %zu bytes and target %zu",
                              source.data_length, target.data_length);
    }
    if (source.data < target.data + target.data_length &&
        target.data < source.data + source.data_length) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "source and target ranges of a copy overlap");
    }
    state->source = source.data;
  } else if (command->base.kind == COMMAND_FILL) {
    IREE_RETURN_IF_ERROR(
        buffer_check_pattern(command->data, command->data_length, 0, target.data_length));
  }
  state->item_count = target.data_length;
  state->items_per_unit = TRANSFER_UNIT_BYTES;
  return iree_ok_status();
}

static iree_status_t resolve_counts(execution_t *execution, const dispatch_command_t *command,
                                    uint32_t *out_counts) {
  memcpy(out_counts, command->workgroup_count, 3 * sizeof(uint32_t));
  if (!command->counts_are_indirect) return iree_ok_status();
  iree_byte_span_t span;
  IREE_RETURN_IF_ERROR(resolve(execution, &command->count_ref, &span), "indirect workgroup counts");
  memcpy(out_counts, span.data, 3 * sizeof(uint32_t));
  if (out_counts[2] <= UINT16_MAX) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "workgroup count z is at most 65535, the buffer has %u", out_counts[2]);
}

// Bits of the bindings whose buffers do not allow writes.
static uint64_t find_read_only(execution_t *execution, const dispatch_command_t *command) {
  uint64_t bits = 0;
  for (uint16_t i = 0; i < command->binding_count; ++i) {
    const iree_hal_buffer_ref_t *ref = &command->bindings[i];
    const iree_hal_buffer_t *buffer =
        ref->buffer ? ref->buffer : execution->binding_table.bindings[ref->buffer_slot].buffer;
    bool is_writable =
        iree_all_bits_set(iree_hal_buffer_allowed_access(buffer), IREE_HAL_MEMORY_ACCESS_WRITE);
    bits |= (uint64_t)!is_writable << (i % 64);
  }
  return bits;
}

static iree_status_t resolve_dispatch(execution_t *execution, const dispatch_command_t *command,
                                      command_state_t *state) {
  const iree_hal_executable_export_table_v0_t *exports = &command->executable->library->exports;
  const iree_hal_executable_dispatch_attrs_v0_t *attrs = &exports->attrs[command->function];
  void **pointers = (void **)(state + 1);
  size_t *lengths = (size_t *)(pointers + command->binding_count);
  for (uint16_t i = 0; i < command->binding_count; ++i) {
    iree_byte_span_t span;
    IREE_RETURN_IF_ERROR(resolve(execution, &command->bindings[i], &span), "binding %u of '%s'", i,
                         local_executable_export_name(command->executable, command->function));
    pointers[i] = span.data;
    lengths[i] = span.data_length;
  }
  state->read_only = command->executable->checks_access ? find_read_only(execution, command) : 0;
  uint32_t counts[3];
  IREE_RETURN_IF_ERROR(resolve_counts(execution, command, counts));
  bool is_sequential = (attrs->flags & IREE_HAL_EXECUTABLE_DISPATCH_FLAG_V0_SEQUENTIAL) != 0;
  const uint32_t *sizes = command->workgroup_size;
  state->dispatch = (iree_hal_executable_dispatch_state_v0_t){
      .workgroup_size_x = sizes[0] ? sizes[0] : iree_max(attrs->workgroup_size_x, 1u),
      .workgroup_size_y = sizes[1] ? sizes[1] : iree_max(attrs->workgroup_size_y, 1u),
      .workgroup_size_z =
          (uint16_t)(sizes[2] ? sizes[2] : iree_max((uint32_t)attrs->workgroup_size_z, 1u)),
      .workgroup_count_x = counts[0],
      .workgroup_count_y = counts[1],
      .workgroup_count_z = (uint16_t)counts[2],
      .constant_count = command->constant_count,
      .binding_count = (uint8_t)command->binding_count,
      .max_concurrency = (uint8_t)iree_min(
          execution->executor ? task_executor_worker_count(execution->executor) : 1, 255),
      .constants = command->constants,
      .binding_ptrs = pointers,
      .binding_lengths = lengths,
  };
  uint64_t plane_count = (uint64_t)counts[0] * counts[1];
  if (!iree_device_size_checked_mul(plane_count, counts[2], &state->item_count)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "workgroup counts %ux%ux%u overflow",
                            counts[0], counts[1], counts[2]);
  }
  state->items_per_unit = is_sequential
                              ? iree_max(state->item_count, (uint64_t)1)
                              : iree_device_size_ceil_div(state->item_count, MAX_UNITS_PER_COMMAND);
  return iree_ok_status();
}

static iree_status_t resolve_command(execution_t *execution, const command_t *command,
                                     command_state_t *state) {
  switch (command->kind) {
    case COMMAND_FILL:
    case COMMAND_UPDATE:
    case COMMAND_COPY:
      return resolve_transfer(execution, (const transfer_command_t *)command, state);
    case COMMAND_DISPATCH:
      return resolve_dispatch(execution, (const dispatch_command_t *)command, state);
  }
  return iree_make_status(IREE_STATUS_INTERNAL, "unknown command");
}

// Resolves the commands of a wave and numbers their units.
static iree_status_t resolve_wave(execution_t *execution) {
  uint64_t unit_count = 0;
  for (const command_t *command = execution->wave_first;
       command && command->wave == execution->wave_first->wave; command = command->next) {
    command_state_t *state = state_of(execution, command);
    IREE_RETURN_IF_ERROR(resolve_command(execution, command, state));
    uint64_t command_unit_count =
        state->item_count ? iree_device_size_ceil_div(state->item_count, state->items_per_unit) : 0;
    if (unit_count + command_unit_count > UINT32_MAX) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "too much work between two barriers");
    }
    state->first_unit = (uint32_t)unit_count;
    state->unit_count = (uint32_t)command_unit_count;
    unit_count += command_unit_count;
  }
  execution->wave_unit_count = (uint32_t)unit_count;
  return iree_ok_status();
}

//===-- running -------------------------------------------------------------------------------===//

static void run_transfer(const transfer_command_t *command, const command_state_t *state,
                         uint64_t begin, uint64_t end) {
  uint8_t *target = state->target + begin;
  iree_host_size_t length = (iree_host_size_t)(end - begin);
  if (command->base.kind == COMMAND_FILL) {
    buffer_fill_bytes(target, length, command->data, command->data_length);
  } else {
    memcpy(target, state->source + begin, length);
  }
}

static void run_workgroups(execution_t *execution, const dispatch_command_t *command,
                           const command_state_t *state, uint64_t begin, uint64_t end,
                           task_worker_t *worker) {
  local_executable_t *executable = command->executable;
  const iree_hal_executable_export_table_v0_t *exports = &executable->library->exports;
  workgroup_range_t range = {
      .function = command->function,
      .dispatch = &state->dispatch,
      .workgroup = {.processor_id = task_worker_index(worker),
                    .local_memory_size =
                        (uint32_t)exports->attrs[command->function].local_memory_pages *
                        IREE_HAL_EXECUTABLE_WORKGROUP_LOCAL_MEMORY_PAGE_SIZE},
      .read_only = state->read_only,
      .begin = begin,
      .end = end,
  };
  iree_hal_executable_workgroup_state_v0_t *workgroup = &range.workgroup;
  if (workgroup->local_memory_size) {
    workgroup->local_memory = task_worker_local_memory(worker, workgroup->local_memory_size);
    if (!workgroup->local_memory) {
      record_failure(execution,
                     iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                                      "no memory for the %u bytes that a workgroup of '%s' needs",
                                      workgroup->local_memory_size,
                                      local_executable_export_name(executable, command->function)));
      return;
    }
  }
  record_failure(execution, executable->run(executable, &range));
}

// Runs units [begin, end) of a wave.
static void run_units(execution_t *execution, uint32_t begin, uint32_t end, task_worker_t *worker) {
  for (const command_t *command = execution->wave_first; begin < end; command = command->next) {
    const command_state_t *state = state_of(execution, command);
    uint32_t command_end = state->first_unit + state->unit_count;
    if (command_end <= begin) continue;
    uint32_t part_end = iree_min(end, command_end);
    uint64_t first_item = (uint64_t)(begin - state->first_unit) * state->items_per_unit;
    uint64_t last_item = iree_min((uint64_t)(part_end - state->first_unit) * state->items_per_unit,
                                  state->item_count);
    begin = part_end;
    if (has_failed(execution)) continue;
    const iree_time_t begin_ns = local_trace_begin(execution->trace);
    if (command->kind == COMMAND_DISPATCH) {
      run_workgroups(execution, (const dispatch_command_t *)command, state, first_item, last_item,
                     worker);
    } else {
      run_transfer((const transfer_command_t *)command, state, first_item, last_item);
    }
    if (IREE_UNLIKELY(execution->trace != NULL)) {
      local_trace_command(execution->trace, begin_ns, command, state, first_item, last_item);
    }
  }
}

static void finish(execution_t *execution) {
  iree_status_t status =
      (iree_status_t)iree_atomic_load(&execution->failure, iree_memory_order_acquire);
  execution_done_t done = execution->done;
  if (IREE_UNLIKELY(execution->trace != NULL)) {
    local_trace_commands(execution->trace, execution->begin_ns, execution->commands,
                         execution->executor != NULL);
  }
  iree_allocator_free(execution->block_allocator, execution);
  done.fn(done.self, status);
}

// Moves on to the next wave; false when there is none or the run has failed.
static bool advance_wave(execution_t *execution) {
  command_t *command = execution->wave_first;
  uint32_t wave = command->wave;
  while (command && command->wave == wave) command = command->next;
  execution->wave_first = command;
  return command && !has_failed(execution);
}

static bool begin_wave(execution_t *execution) {
  iree_status_t status = resolve_wave(execution);
  record_failure(execution, status);
  return iree_status_is_ok(status);
}

// Runs all waves in the caller, whatever thread that is.
static void run_inline(execution_t *execution, task_worker_t *worker) {
  uint64_t float_mode = float_mode_enter();
  do {
    if (!begin_wave(execution)) break;
    run_units(execution, 0, execution->wave_unit_count, worker);
  } while (advance_wave(execution));
  float_mode_leave(float_mode);
  finish(execution);
}

// Gives a resolved wave to the workers, or runs it here when it is one range only.
// Returns true when the wave is done.
static bool run_or_submit_wave(execution_t *execution, task_worker_t *worker) {
  uint32_t unit_count = execution->wave_unit_count;
  uint64_t worker_count = task_executor_worker_count(execution->executor);
  uint64_t grain = unit_count / (worker_count * LEAVES_PER_WORKER);
  uint64_t bytes_per_unit = execution->commands->estimated_bytes / execution->commands->wave_count /
                            iree_max(unit_count, 1u);
  grain = iree_max(grain, MIN_LEAF_BYTES / iree_max(bytes_per_unit, (uint64_t)1));
  grain = iree_max(iree_min(grain, (uint64_t)unit_count), (uint64_t)1);
  if (worker && unit_count <= grain) {
    run_units(execution, 0, unit_count, worker);
    return true;
  }
  execution->job.grain = (uint32_t)grain;
  iree_atomic_store(&execution->remaining_units, unit_count, iree_memory_order_relaxed);
  task_executor_submit(execution->executor, &execution->job, unit_count, worker);
  return false;
}

// Goes on with the waves until one is shared with other workers or all are done.
static void run_waves(execution_t *execution, task_worker_t *worker) {
  do {
    if (!begin_wave(execution)) break;
    if (execution->wave_unit_count && !run_or_submit_wave(execution, worker)) return;
  } while (advance_wave(execution));
  finish(execution);
}

static void execution_run(task_job_t *job, uint32_t begin, uint32_t end, task_worker_t *worker) {
  execution_t *execution = (execution_t *)job;
  run_units(execution, begin, end, worker);
  uint32_t count = end - begin;
  if (iree_atomic_fetch_sub(&execution->remaining_units, count, iree_memory_order_acq_rel) !=
      count) {
    return;
  }
  if (advance_wave(execution)) {
    run_waves(execution, worker);
  } else {
    finish(execution);
  }
}

bool execution_is_inline(const local_command_buffer_t *commands, const task_executor_t *executor) {
  return !executor ||
         commands->estimated_bytes <= (commands->is_serial ? INLINE_SERIAL_BYTES : INLINE_BYTES);
}

void execution_start(local_command_buffer_t *commands,
                     iree_hal_buffer_binding_table_t binding_table, task_executor_t *executor,
                     task_worker_t *guest, iree_allocator_t block_allocator, const local_trace_t *trace,
                     execution_done_t done) {
  if (!commands->first) {
    done.fn(done.self, iree_ok_status());
    return;
  }
  bool is_inline = execution_is_inline(commands, executor);
  iree_host_size_t bytes = sizeof(execution_t) + commands->state_bytes;
  iree_alignas(16) uint8_t storage[INLINE_STATE_BYTES];  // of a run that ends in this call
  execution_t *execution = (execution_t *)(void *)storage;
  if (is_inline && bytes <= sizeof(storage)) {
    block_allocator = iree_allocator_null();
  } else {
    iree_status_t status =
        iree_allocator_malloc_uninitialized(block_allocator, bytes, (void **)&execution);
    if (!iree_status_is_ok(status)) {
      done.fn(done.self, status);
      return;
    }
  }
  execution->job.run = execution_run;
  execution->commands = commands;
  execution->binding_table = binding_table;
  execution->executor = is_inline ? NULL : executor;
  execution->block_allocator = block_allocator;
  execution->done = done;
  execution->trace = trace;
  execution->begin_ns = local_trace_begin(trace);
  execution->wave_first = commands->first;
  iree_atomic_store(&execution->failure, 0, iree_memory_order_relaxed);
  if (execution->executor) {
    run_waves(execution, NULL);
  } else {
    run_inline(execution, guest);
  }
}
