// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls into the hal, hal_inline, hal_loader and io_parameters modules do to objects, and the
// steps and commands they leave. Functions that are not listed make unknown results; those that are,
// but come with another signature (of another release), too.
#include <string.h>

#include "iree/hal/api.h"
#include "tooling/inspect/flow.h"

// ---- arguments ---------------------------------------------------------------------------------

static uint32_t ref_in(const flow_call_t *call, uint32_t index) {
  uint16_t reg = flow_register(call->list, index);
  return reg & ISA_REF_BIT ? call->state->refs[reg & ISA_REF_MASK] : OBJECT_ANY;
}
static inspect_amount_t i32_in(const flow_call_t *call, uint32_t index) {
  flow_value_t value = call->state->values[flow_register(call->list, index) & ISA_I32_MASK];
  inspect_amount_t amount = {value.kind == VALUE_KNOWN, value.kind == VALUE_KNOWN ? value.bits : 0};
  return amount;
}
static inspect_amount_t i64_in(const flow_call_t *call, uint32_t index) {
  return flow_wide(call->state, flow_register(call->list, index));
}
static uint32_t at(const flow_call_t *call, uint32_t group) { return call->groups[group].first; }
static uint32_t ref_arg(const flow_call_t *call, uint32_t group) { return ref_in(call, at(call, group)); }
static inspect_amount_t i32_arg(const flow_call_t *call, uint32_t group) { return i32_in(call, at(call, group)); }
static inspect_amount_t i64_arg(const flow_call_t *call, uint32_t group) { return i64_in(call, at(call, group)); }

static void set_ref(flow_call_t *call, uint32_t result, uint32_t object) {
  if (result >= call->n_results) return;
  uint16_t reg = flow_register(call->result_list, result);
  if (reg & ISA_REF_BIT) call->state->refs[reg & ISA_REF_MASK] = object;
}

// ---- objects -----------------------------------------------------------------------------------

static bool join_amount(inspect_amount_t *into, inspect_amount_t amount, bool is_first) {
  if (is_first) *into = amount;
  else if (into->is_known && (!amount.is_known || amount.value != into->value)) into->is_known = false;
  else return false;
  return true;
}
// The buffer made at this call: what differs from one walk to the next is unknown.
static uint32_t make_buffer(flow_call_t *call, inspect_origin_t origin, uint32_t of,
                            inspect_amount_t offset, inspect_amount_t size) {
  flow_t *flow = call->flow;
  uint32_t buffer = flow_object(flow, OBJECT_BUFFER, flow->function, call->pc, 0);
  if (buffer == OBJECT_ANY) return buffer;
  inspect_object_t *o = flow_at(flow, buffer);
  bool is_first = o->origin == ORIGIN_UNKNOWN;
  o->origin = origin;
  if (is_first) o->of = of;
  else if (o->of != of)
    o->of = flow_join_refs(flow, o->of, of, flow->function, call->pc, UINT32_MAX - 1);
  join_amount(&o->offset, offset, is_first);
  join_amount(&o->size, size, is_first);
  return buffer;
}
static uint32_t buffer_of_view(flow_call_t *call, uint32_t view) {
  flow_t *flow = call->flow;
  if (view <= OBJECT_ANY) return OBJECT_ANY;
  if (flow_at(flow, view)->kind == OBJECT_VIEW) return flow_at(flow, view)->of;
  uint32_t buffer = flow_object(flow, OBJECT_BUFFER, UINT32_MAX, UINT32_MAX, view);
  if (buffer == OBJECT_ANY) return buffer;
  flow_at(flow, buffer)->origin = ORIGIN_VIEW;
  flow_at(flow, buffer)->of = view;
  return buffer;
}

// ---- steps -------------------------------------------------------------------------------------

static inspect_step_t *add_step(flow_call_t *call, inspect_step_kind_t kind) {
  flow_t *flow = call->flow;
  if (!flow->is_recording) return &flow->ignored;
  inspect_function_t *f = &flow->self->functions[flow->function];
  inspect_step_t step = {.kind = kind, .pc = call->pc, .flow = flow->flow, .import = call->name};
  IREE_ARENA_PUSH(flow->self->arena, f->steps, f->n_steps, f->cap_steps, step);
  return &f->steps[f->n_steps - 1];
}
static inspect_command_t new_command(flow_call_t *call, inspect_command_kind_t kind) {
  inspect_command_t command = {.kind = kind, .function = call->flow->function, .pc = call->pc,
                               .flow = call->flow->flow};
  return command;
}
static void add_command(flow_call_t *call, uint32_t commands, inspect_command_t command) {
  flow_t *flow = call->flow;
  if (!flow->is_recording) return;
  commands = inspect_resolve(flow->self, commands, OBJECT_COMMANDS);
  if (!commands) {
    add_step(call, STEP_COMMAND)->command = command;
    return;
  }
  inspect_object_t *o = flow_at(flow, commands);
  if (!o->wave_is_open) {
    ++o->n_waves;
    o->wave_is_open = true;
  }
  command.wave = o->n_waves - 1;
  IREE_ARENA_PUSH(flow->self->arena, o->commands, o->n_commands, o->cap_commands, command);
}

static inspect_use_t *new_uses(flow_call_t *call, uint32_t n) {
  return IREE_ARENA_ARRAY(call->flow->self->arena, inspect_use_t, n + 1);
}
static inspect_use_t use(uint32_t buffer, inspect_amount_t slot, inspect_amount_t offset,
                         inspect_amount_t length, uint32_t access) {
  inspect_use_t u = {buffer, slot, offset, length, access};
  return u;
}
static const inspect_amount_t k_none = {false, 0};

// ---- buffers -----------------------------------------------------------------------------------

static void on_view_buffer(flow_call_t *call) {
  uint32_t buffer = buffer_of_view(call, ref_arg(call, 0));
  flow_finish_call(call);
  set_ref(call, 0, buffer);
}
static void on_view_create(flow_call_t *call) {
  uint32_t buffer = ref_arg(call, 0);
  inspect_amount_t offset = i64_arg(call, 1), length = i64_arg(call, 2);
  flow_finish_call(call);
  uint32_t view = flow_object(call->flow, OBJECT_VIEW, call->flow->function, call->pc, 0);
  if (view != OBJECT_ANY) {
    inspect_object_t *o = flow_at(call->flow, view);
    bool is_first = o->of == OBJECT_NONE;
    o->of = flow_join_refs(call->flow, o->of, buffer, call->flow->function, call->pc, UINT32_MAX - 2);
    o = flow_at(call->flow, view);
    join_amount(&o->offset, offset, is_first);
    join_amount(&o->size, length, is_first);
  }
  set_ref(call, 0, view);
}
// Local to the host, and not to a device.
static bool is_host_memory(inspect_amount_t types) {
  return types.is_known && (types.value & IREE_HAL_MEMORY_TYPE_HOST_LOCAL) == IREE_HAL_MEMORY_TYPE_HOST_LOCAL &&
         (types.value & IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL) != IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL;
}
static void on_alloca(flow_call_t *call) {
  inspect_amount_t size = i64_arg(call, 7);
  bool is_host = is_host_memory(i32_arg(call, 5));
  flow_finish_call(call);
  uint32_t buffer = make_buffer(call, ORIGIN_TRANSIENT, 0, k_none, size);
  set_ref(call, 0, buffer);
  inspect_step_t *step = add_step(call, STEP_ALLOCA);
  step->buffer = buffer, step->bytes = size, step->is_host = is_host;
}
static void allocate(flow_call_t *call, inspect_amount_t size, bool is_host) {
  flow_finish_call(call);
  uint32_t buffer = make_buffer(call, ORIGIN_ALLOCATED, 0, k_none, size);
  for (uint32_t i = 0; i < call->n_results; ++i) set_ref(call, i, buffer);
  inspect_step_t *step = add_step(call, STEP_ALLOCATE);
  step->buffer = buffer, step->bytes = size, step->is_host = is_host;
}
static void on_allocate(flow_call_t *call) { allocate(call, i64_arg(call, 4), is_host_memory(i32_arg(call, 2))); }
static void on_inline_allocate(flow_call_t *call) { allocate(call, i64_arg(call, 1), false); }
static void import_buffer(flow_call_t *call, uint32_t source, inspect_amount_t offset,
                          inspect_amount_t length) {
  flow_finish_call(call);
  uint32_t buffer = make_buffer(call, ORIGIN_CONSTANT, source, offset, length);
  for (uint32_t i = 0; i < call->n_results; ++i) set_ref(call, i, buffer);
  inspect_step_t *step = add_step(call, STEP_IMPORT);
  step->buffer = buffer, step->bytes = length;
}
static void on_import(flow_call_t *call) {
  import_buffer(call, ref_arg(call, 5), i64_arg(call, 6), i64_arg(call, 7));
}
static void on_wrap(flow_call_t *call) {
  import_buffer(call, ref_arg(call, 0), i64_arg(call, 1), i64_arg(call, 2));
}
static void on_subspan(flow_call_t *call) {
  uint32_t of = ref_arg(call, 0);
  inspect_amount_t offset = i64_arg(call, 1), length = i64_arg(call, 2);
  flow_finish_call(call);
  set_ref(call, 0, make_buffer(call, ORIGIN_SUBSPAN, of, offset, length));
}
static void on_storage(flow_call_t *call) {  // the same bytes by another name
  uint32_t buffer = ref_arg(call, 0);
  flow_finish_call(call);
  set_ref(call, 0, buffer);
}
static void on_host_read(flow_call_t *call) {
  inspect_step_t *step = add_step(call, STEP_HOST_READ);
  step->buffer = ref_arg(call, 0), step->bytes = i32_arg(call, 2);
  flow_finish_call(call);
}
static void on_host_write(flow_call_t *call) {
  inspect_step_t *step = add_step(call, STEP_HOST_WRITE);
  step->buffer = ref_arg(call, 1), step->bytes = i32_arg(call, 3);
  flow_finish_call(call);
}

// ---- executables -------------------------------------------------------------------------------

static void make_executable(flow_call_t *call, uint32_t format, uint32_t data) {
  flow_finish_call(call);
  uint32_t executable =
      flow_object(call->flow, OBJECT_EXECUTABLE, call->flow->function, call->pc, 0);
  if (executable != OBJECT_ANY) {
    flow_at(call->flow, executable)->of = data;
    flow_at(call->flow, executable)->name = format;
  }
  set_ref(call, 0, executable);
}
static void on_executable(flow_call_t *call) {
  make_executable(call, ref_arg(call, 2), ref_arg(call, 3));
}
static void on_load(flow_call_t *call) {
  make_executable(call, ref_arg(call, 0), ref_arg(call, 1));
}
static void on_lookup(flow_call_t *call) {
  uint32_t executable = ref_arg(call, 0), name = ref_arg(call, 1);
  flow_finish_call(call);
  uint32_t lookup = flow_object(call->flow, OBJECT_LOOKUP, call->flow->function, call->pc, 0);
  if (lookup == OBJECT_ANY || !call->n_results) return;
  flow_at(call->flow, lookup)->of = executable;
  flow_at(call->flow, lookup)->name = name;
  uint16_t reg = flow_register(call->result_list, 0);
  flow_value_t value = {VALUE_LOOKUP, lookup};
  call->state->values[reg & ISA_I32_MASK & ~1u] = value;
  call->state->values[(reg & ISA_I32_MASK) | 1u] = flow_known(0);
}
static void set_kernel(flow_call_t *call, uint32_t group, bool is_wide, inspect_command_t *command) {
  uint32_t reg = flow_register(call->list, at(call, group)) & ISA_I32_MASK;
  flow_value_t value = call->state->values[is_wide ? reg & ~1u : reg];
  if (value.kind == VALUE_LOOKUP) command->lookup = value.bits;
  command->ordinal = is_wide ? i64_arg(call, group) : i32_arg(call, group);
}
static void set_constants(flow_call_t *call, uint32_t group, inspect_command_t *command) {
  command->n_constants = call->groups[group].count;
  command->constants =
      IREE_ARENA_ARRAY(call->flow->self->arena, inspect_amount_t, command->n_constants + 1u);
  for (uint32_t i = 0; i < command->n_constants; ++i)
    command->constants[i] = i32_in(call, at(call, group) + i);
}

// ---- command buffers ---------------------------------------------------------------------------

static void on_commands(flow_call_t *call) {
  inspect_amount_t mode = i32_arg(call, 1), capacity = i32_arg(call, 4);
  flow_finish_call(call);
  uint32_t commands = flow_object(call->flow, OBJECT_COMMANDS, call->flow->function, call->pc, 0);
  if (commands != OBJECT_ANY) {
    flow_at(call->flow, commands)->is_one_shot = mode.is_known && (mode.value & 1);
    flow_at(call->flow, commands)->capacity = capacity;
  }
  set_ref(call, 0, commands);
}
static void on_barrier(flow_call_t *call) {
  uint32_t commands = inspect_resolve(call->flow->self, ref_arg(call, 0), OBJECT_COMMANDS);
  if (commands && call->flow->is_recording) flow_at(call->flow, commands)->wave_is_open = false;
  flow_finish_call(call);
}
static void dispatch(flow_call_t *call, bool is_indirect, uint32_t constants, uint32_t bindings) {
  if (call->flow->is_recording) {
    inspect_command_t command = new_command(call, COMMAND_DISPATCH);
    command.executable = ref_arg(call, 1);
    command.is_indirect = is_indirect;
    set_kernel(call, 2, true, &command);
    for (uint32_t i = 0; i < 3 && !is_indirect; ++i) command.grid[i] = i32_arg(call, 3 + i);
    set_constants(call, constants, &command);
    uint32_t n = call->groups[bindings].count, first = at(call, bindings);
    command.uses = new_uses(call, n + is_indirect);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t b = first + 5 * i;  // reserved, slot, buffer, offset, length
      command.uses[command.n_uses++] = use(ref_in(call, b + 2), i32_in(call, b + 1),
                                           i64_in(call, b + 3), i64_in(call, b + 4), 0);
    }
    add_command(call, ref_arg(call, 0), command);
  }
  flow_finish_call(call);
}
static void on_dispatch(flow_call_t *call) { dispatch(call, false, 7, 8); }
static void on_dispatch_indirect(flow_call_t *call) { dispatch(call, true, 7, 8); }
static void on_inline_dispatch(flow_call_t *call) {
  if (call->flow->is_recording) {
    inspect_command_t command = new_command(call, COMMAND_DISPATCH);
    command.executable = ref_arg(call, 0);
    set_kernel(call, 1, true, &command);
    for (uint32_t i = 0; i < 3; ++i) command.grid[i] = i32_arg(call, 2 + i);
    set_constants(call, 5, &command);
    uint32_t n = call->groups[6].count, first = at(call, 6);
    command.uses = new_uses(call, n);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t b = first + 3 * i;
      command.uses[command.n_uses++] =
          use(ref_in(call, b), k_none, i64_in(call, b + 1), i64_in(call, b + 2), 0);
    }
    add_step(call, STEP_COMMAND)->command = command;
  }
  flow_finish_call(call);
}
static void on_fill(flow_call_t *call) {
  inspect_command_t command = new_command(call, COMMAND_FILL);
  command.uses = new_uses(call, 1);
  command.uses[command.n_uses++] =
      use(ref_arg(call, 1), i32_arg(call, 4), i64_arg(call, 2), i64_arg(call, 3), INSPECT_WRITES);
  add_command(call, ref_arg(call, 0), command);
  flow_finish_call(call);
}
static void on_update(flow_call_t *call) {
  inspect_command_t command = new_command(call, COMMAND_UPDATE);
  command.uses = new_uses(call, 1);
  command.uses[command.n_uses++] =
      use(ref_arg(call, 3), i32_arg(call, 6), i64_arg(call, 4), i64_arg(call, 5), INSPECT_WRITES);
  add_command(call, ref_arg(call, 0), command);
  flow_finish_call(call);
}
static void on_copy(flow_call_t *call) {
  inspect_command_t command = new_command(call, COMMAND_COPY);
  command.uses = new_uses(call, 2);
  command.uses[command.n_uses++] =
      use(ref_arg(call, 3), i32_arg(call, 1), i64_arg(call, 4), i64_arg(call, 7), INSPECT_READS);
  command.uses[command.n_uses++] =
      use(ref_arg(call, 5), i32_arg(call, 2), i64_arg(call, 6), i64_arg(call, 7), INSPECT_WRITES);
  add_command(call, ref_arg(call, 0), command);
  flow_finish_call(call);
}
static void on_collective(flow_call_t *call) {
  inspect_command_t command = new_command(call, COMMAND_COLLECTIVE);
  command.uses = new_uses(call, 2);
  command.uses[command.n_uses++] =
      use(ref_arg(call, 6), i32_arg(call, 4), i64_arg(call, 8), i64_arg(call, 9), INSPECT_READS);
  command.uses[command.n_uses++] =
      use(ref_arg(call, 7), i32_arg(call, 5), i64_arg(call, 10), i64_arg(call, 11), INSPECT_WRITES);
  add_command(call, ref_arg(call, 0), command);
  flow_finish_call(call);
}

// ---- queues ------------------------------------------------------------------------------------

static void on_dealloca(flow_call_t *call) {
  add_step(call, STEP_DEALLOCA)->buffer = ref_arg(call, 4);
  flow_finish_call(call);
}
static void on_execute(flow_call_t *call) {
  add_step(call, STEP_EXECUTE)->commands = ref_arg(call, 4);
  flow_finish_call(call);
}
static void on_execute_indirect(flow_call_t *call) {
  if (call->flow->is_recording) {
    uint32_t n = call->groups[6].count, first = at(call, 6);
    inspect_use_t *table = new_uses(call, n);
    for (uint32_t i = 0; i < n; ++i) {
      inspect_amount_t slot = {true, i};
      table[i] = use(ref_in(call, first + 3 * i), slot, i64_in(call, first + 3 * i + 1),
                     i64_in(call, first + 3 * i + 2), 0);
    }
    inspect_step_t *step = add_step(call, STEP_EXECUTE);
    step->commands = ref_arg(call, 4), step->table = table, step->n_table = n;
  }
  flow_finish_call(call);
}
static void queue_command(flow_call_t *call, inspect_command_kind_t kind, inspect_use_t *uses, uint32_t n) {
  inspect_command_t command = new_command(call, kind);
  command.uses = uses, command.n_uses = n;
  add_step(call, STEP_COMMAND)->command = command;
  flow_finish_call(call);
}
static void on_queue_fill(flow_call_t *call) {
  inspect_use_t *uses = new_uses(call, 1);
  uses[0] = use(ref_arg(call, 4), k_none, i64_arg(call, 5), i64_arg(call, 6), INSPECT_WRITES);
  queue_command(call, COMMAND_FILL, uses, 1);
}
static void on_queue_update(flow_call_t *call) {
  inspect_use_t *uses = new_uses(call, 1);
  uses[0] = use(ref_arg(call, 6), k_none, i64_arg(call, 7), i64_arg(call, 8), INSPECT_WRITES);
  queue_command(call, COMMAND_UPDATE, uses, 1);
}
static void on_queue_copy(flow_call_t *call) {
  inspect_use_t *uses = new_uses(call, 2);
  uses[0] = use(ref_arg(call, 4), k_none, i64_arg(call, 5), i64_arg(call, 8), INSPECT_READS);
  uses[1] = use(ref_arg(call, 6), k_none, i64_arg(call, 7), i64_arg(call, 8), INSPECT_WRITES);
  queue_command(call, COMMAND_COPY, uses, 2);
}
static void on_read(flow_call_t *call) {
  uint32_t file = inspect_resolve(call->flow->self, ref_arg(call, 4), OBJECT_FILE);
  uint32_t buffer = inspect_resolve(call->flow->self, ref_arg(call, 6), OBJECT_BUFFER);
  inspect_step_t *step = add_step(call, STEP_READ);
  step->buffer = ref_arg(call, 6), step->bytes = i64_arg(call, 8);
  if (file && buffer && flow_at(call->flow, buffer)->origin == ORIGIN_ALLOCATED)
    flow_at(call->flow, buffer)->name = flow_at(call->flow, file)->of;  // what fills it
  flow_finish_call(call);
}
static void on_write(flow_call_t *call) {
  inspect_step_t *step = add_step(call, STEP_WRITE);
  step->buffer = ref_arg(call, 4), step->bytes = i64_arg(call, 8);
  flow_finish_call(call);
}
static void on_file(flow_call_t *call) {
  uint32_t data = ref_arg(call, 3);
  flow_finish_call(call);
  uint32_t file = flow_object(call->flow, OBJECT_FILE, call->flow->function, call->pc, 0);
  if (file != OBJECT_ANY) flow_at(call->flow, file)->of = data;
  set_ref(call, 0, file);
}
static void on_wait(flow_call_t *call) {
  add_step(call, STEP_WAIT);
  flow_finish_call(call);
}
static void on_silent(flow_call_t *call) { flow_finish_call(call); }
static void on_other(flow_call_t *call) {
  add_step(call, STEP_OTHER);
  flow_finish_call(call);
}

// ---- the table ---------------------------------------------------------------------------------

typedef struct import_row_t {
  const char *name;
  const char *signature;  // NULL: as abi/hal_imports.def says
  void (*apply)(flow_call_t *call);
} import_row_t;

static const import_row_t k_imports[] = {
    {"hal.allocator.allocate", NULL, on_allocate},
    {"hal.allocator.import", NULL, on_import},
    {"hal.buffer.load", NULL, on_host_read},
    {"hal.buffer.store", NULL, on_host_write},
    {"hal.buffer.subspan", NULL, on_subspan},
    {"hal.buffer_view.buffer", NULL, on_view_buffer},
    {"hal.buffer_view.create", NULL, on_view_create},
    {"hal.command_buffer.collective", NULL, on_collective},
    {"hal.command_buffer.copy_buffer", NULL, on_copy},
    {"hal.command_buffer.create", NULL, on_commands},
    {"hal.command_buffer.dispatch", NULL, on_dispatch},
    {"hal.command_buffer.dispatch.indirect", NULL, on_dispatch_indirect},
    {"hal.command_buffer.execution_barrier", NULL, on_barrier},
    {"hal.command_buffer.fill_buffer", NULL, on_fill},
    {"hal.command_buffer.update_buffer", NULL, on_update},
    {"hal.device.queue.alloca", NULL, on_alloca},
    {"hal.device.queue.copy", NULL, on_queue_copy},
    {"hal.device.queue.dealloca", NULL, on_dealloca},
    {"hal.device.queue.execute", NULL, on_execute},
    {"hal.device.queue.execute.indirect", NULL, on_execute_indirect},
    {"hal.device.queue.fill", NULL, on_queue_fill},
    {"hal.device.queue.read", NULL, on_read},
    {"hal.device.queue.update", NULL, on_queue_update},
    {"hal.device.queue.write", NULL, on_write},
    {"hal.ex.file.from_memory", NULL, on_file},
    {"hal.executable.create", NULL, on_executable},
    {"hal.executable.lookup.function", NULL, on_lookup},
    {"hal.fence.await", NULL, on_wait},
    {"hal_inline.buffer.allocate", "0iI_rr", on_inline_allocate},
    {"hal_inline.buffer.storage", "0r_r", on_storage},
    {"hal_inline.buffer.subspan", "0rII_r", on_subspan},
    {"hal_inline.buffer.wrap", "0rII_r", on_wrap},
    {"hal_inline.buffer_view.buffer", "0r_r", on_view_buffer},
    {"hal_inline.buffer_view.create", "0rIIiiCID_r", on_view_create},
    {"hal_loader.executable.dispatch", "0rIiiiCiDCrIID_v", on_inline_dispatch},
    {"hal_loader.executable.load", "0rrr_r", on_load},
    {"hal_loader.executable.lookup.function", "0rr_I", on_lookup},
};

static const char *hal_signature(const char *name) {
  static const char *const rows[][2] = {
#define HAL_IMPORT(name, cconv, version, effect, arguments, results, doc) {"hal." name, cconv},
#include "abi/hal_imports.def"
#undef HAL_IMPORT
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i)
    if (!strcmp(rows[i][0], name)) return rows[i][1];
  return "";
}

void flow_import(flow_call_t *call) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_imports); ++i) {
    const import_row_t *row = &k_imports[i];
    if (!iree_string_view_equal(call->name, iree_make_cstring_view(row->name))) continue;
    const char *signature = row->signature ? row->signature : hal_signature(row->name);
    // Another signature is another release's; what its arguments mean is not known here.
    bool is_ours = iree_string_view_equal(call->signature, iree_make_cstring_view(signature));
    (is_ours && call->n_groups ? row->apply : on_other)(call);
    return;
  }
  bool is_hal = iree_string_view_starts_with(call->name, IREE_SV("hal.")) ||
                iree_string_view_starts_with(call->name, IREE_SV("hal_inline.")) ||
                iree_string_view_starts_with(call->name, IREE_SV("hal_loader."));
  // Queries, fences and checks are no steps worth a line.
  (is_hal ? on_silent : on_other)(call);
}
