// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The abstract interpreter. Blocks of a function are walked until the states at their starts stay as
// they are; functions until what they pass each other and keep in globals stays so; then each block
// once more, in order, to record what its calls do.
#include "tooling/inspect/flow.h"

#include <string.h>

#include "runtime/vm/cconv.h"

enum {
  MAX_ROUNDS = 6,
  MAX_STATE_CELLS = 1 << 23,  // of one function: blocks times registers
  MAX_GLOBALS = 1 << 16,  // a file may ask for any number; the others are unknown
};
#define FLOW_BUDGET 60000000ull  // instructions and registers copied

// ---- one function ------------------------------------------------------------------------------

static uint32_t n_values(const walk_t *w) { return w->function->i32_count + 2u; }
static uint32_t n_refs(const walk_t *w) { return w->function->ref_count + 1u; }

static flow_state_t new_state(walk_t *w) {
  flow_state_t state = {IREE_ARENA_ARRAY(&w->flow->scratch, flow_value_t, n_values(w)),
                        IREE_ARENA_ARRAY(&w->flow->scratch, uint32_t, n_refs(w))};
  return state;
}
static void copy_state(walk_t *w, flow_state_t *to, const flow_state_t *from) {
  memcpy(to->values, from->values, n_values(w) * sizeof(*to->values));
  memcpy(to->refs, from->refs, n_refs(w) * sizeof(*to->refs));
}
static void find_starts(walk_t *w) {
  bytecode_cursor_t cursor = {w->function->bytecode, w->function->length, 0, false};
  bytecode_instruction_t at;
  uint32_t cap = 0;
  while (cursor.pc < cursor.length) {
    bytecode_instruction_read(&at, &cursor);
    if (at.row->number == ISA_OP_Block)
      IREE_ARENA_PUSH(&w->flow->scratch, w->starts, w->n_blocks, cap, at.pc);
  }
}

// Joins the state of an edge into the block it leads to.
static void arrive(walk_t *w, uint32_t target_pc) {
  uint32_t block = flow_block_at(w, target_pc);
  if (block == UINT32_MAX) return;
  flow_state_t *into = &w->states[block];
  bool changed = !w->is_reached[block];
  if (!into->values) *into = new_state(w);
  w->is_reached[block] = true;
  for (uint32_t i = 0; i < n_values(w); ++i) {
    flow_value_t joined = flow_join_values(into->values[i], w->edge.values[i]);
    changed |= joined.kind != into->values[i].kind || joined.bits != into->values[i].bits;
    into->values[i] = joined;
  }
  for (uint32_t i = 0; i < n_refs(w); ++i) {
    uint32_t joined = flow_join_refs(w->flow, into->refs[i], w->edge.refs[i], w->flow->function,
                                     w->starts[block], i);
    changed |= joined != into->refs[i];
    into->refs[i] = joined;
  }
  if (!changed || w->is_waiting[block]) return;
  w->is_waiting[block] = true;
  w->queue[w->n_queue++] = block;
}

static void move_register(flow_state_t *state, uint16_t from, uint16_t to) {
  if (from & ISA_REF_BIT) {
    uint32_t object = state->refs[from & ISA_REF_MASK];
    if (from & ISA_MOVE_BIT) state->refs[from & ISA_REF_MASK] = OBJECT_NULL;
    state->refs[to & ISA_REF_MASK] = object;
  } else {
    state->values[to & ISA_I32_MASK] = state->values[from & ISA_I32_MASK];
  }
}

// A branch target and the registers that the branch moves, if it does.
static void take_edge(walk_t *w, uint32_t target, bytecode_cursor_t *remap) {
  if (w->flow->is_recording || !flow_spend(w->flow, n_values(w) + n_refs(w))) return;
  copy_state(w, &w->edge, &w->current);
  if (remap) {
    cursor_align(remap);
    uint16_t count = cursor_u16(remap);
    for (uint32_t i = 0; i < count; ++i) {
      uint16_t from = cursor_u16(remap), to = cursor_u16(remap);
      move_register(&w->edge, from, to);
    }
  }
  arrive(w, target);
}

static void take_edges(walk_t *w, const bytecode_instruction_t *at) {
  for (uint32_t i = 0; i < at->field_count; ++i) {
    bytecode_cursor_t cursor = bytecode_instruction_field(at, w->function, i);
    if (at->fields[i].kind == '>') {
      uint32_t target = cursor_u32(&cursor);
      bool moves = i + 1 < at->field_count && at->fields[i + 1].kind == '~';
      bytecode_cursor_t remap = {0};
      if (moves) remap = bytecode_instruction_field(at, w->function, i + 1);
      take_edge(w, target, moves ? &remap : NULL);
    } else if (at->fields[i].kind == '=') {
      uint16_t count = cursor_u16(&cursor);
      for (uint32_t k = 0; k < count; ++k) {
        uint32_t target = cursor_u32(&cursor);
        bytecode_cursor_t remap = cursor;
        take_edge(w, target, &remap);
        bytecode_skip_remap(&cursor);
      }
    }
  }
}

// ---- plain instructions ------------------------------------------------------------------------

static uint16_t register_at(const walk_t *w, const bytecode_instruction_t *at, uint32_t i) {
  bytecode_cursor_t cursor = bytecode_instruction_field(at, w->function, i);
  return cursor_u16(&cursor);
}
static uint64_t number_at(const walk_t *w, const bytecode_instruction_t *at, uint32_t i,
                          uint32_t size) {
  bytecode_cursor_t cursor = bytecode_instruction_field(at, w->function, i);
  return cursor_take(&cursor, size);
}
static void set_wide(walk_t *w, uint16_t reg, inspect_amount_t amount) {
  flow_value_t any = {VALUE_ANY, 0};
  uint32_t low = reg & ISA_I32_MASK & ~1u;
  w->current.values[low] = amount.is_known ? flow_known((uint32_t)amount.value) : any;
  w->current.values[low | 1] = amount.is_known ? flow_known((uint32_t)(amount.value >> 32)) : any;
}
static void set_narrow(walk_t *w, uint16_t reg, bool is_known, uint32_t bits) {
  flow_value_t any = {VALUE_ANY, 0};
  w->current.values[reg & ISA_I32_MASK] = is_known ? flow_known(bits) : any;
}

// Everything an instruction writes becomes unknown; what moves becomes null.
static void forget_results(walk_t *w, const bytecode_instruction_t *at) {
  inspect_amount_t any = {0};
  for (uint32_t i = 0; i < at->field_count; ++i) {
    const isa_field_t *field = &at->fields[i];
    if (field->kind == 'm' && field->bank == 'r') {
      uint16_t reg = register_at(w, at, i);
      if (reg & ISA_MOVE_BIT) w->current.refs[reg & ISA_REF_MASK] = OBJECT_NULL;
    }
    if (field->kind != 'w') continue;
    uint16_t reg = register_at(w, at, i);
    if (field->bank == 'r') w->current.refs[reg & ISA_REF_MASK] = OBJECT_ANY;
    else if (field->bank == 'I' || field->bank == 'F') set_wide(w, reg, any);
    else set_narrow(w, reg, false, 0);
  }
}

static bool do_arithmetic(walk_t *w, const bytecode_instruction_t *at) {
  if (at->field_count != 3 || at->fields[0].kind != 'r' || at->fields[1].kind != 'r') return false;
  bool is_wide = at->fields[2].bank == 'I';
  if (at->fields[0].bank != at->fields[2].bank || at->fields[1].bank != at->fields[2].bank)
    return false;
  uint16_t ra = register_at(w, at, 0), rb = register_at(w, at, 1);
  inspect_amount_t a = flow_wide(&w->current, ra), b = flow_wide(&w->current, rb);
  if (!is_wide) {
    flow_value_t x = w->current.values[ra & ISA_I32_MASK], y = w->current.values[rb & ISA_I32_MASK];
    a.is_known = x.kind == VALUE_KNOWN, a.value = x.bits;
    b.is_known = y.kind == VALUE_KNOWN, b.value = y.bits;
  }
  inspect_amount_t r = {a.is_known && b.is_known, 0};
  switch (at->row->number) {
    case ISA_OP_AddI32:
    case ISA_OP_AddI64:
      r.value = a.value + b.value;
      break;
    case ISA_OP_SubI32:
    case ISA_OP_SubI64:
      r.value = a.value - b.value;
      break;
    case ISA_OP_MulI32:
    case ISA_OP_MulI64:
      r.value = a.value * b.value;
      break;
    case ISA_OP_AndI32:
    case ISA_OP_AndI64:
      r.value = a.value & b.value;
      break;
    case ISA_OP_OrI32:
    case ISA_OP_OrI64:
      r.value = a.value | b.value;
      break;
    default:
      return false;
  }
  if (is_wide) set_wide(w, register_at(w, at, 2), r);
  else set_narrow(w, register_at(w, at, 2), r.is_known, (uint32_t)r.value);
  return true;
}

static bool do_value(walk_t *w, const bytecode_instruction_t *at) {
  inspect_amount_t amount = {true, 0};
  flow_value_t value;
  switch (at->row->number) {
    case ISA_OP_ConstI32:
      set_narrow(w, register_at(w, at, 1), true, (uint32_t)number_at(w, at, 0, 4));
      return true;
    case ISA_OP_ConstI32Zero:
      set_narrow(w, register_at(w, at, 0), true, 0);
      return true;
    case ISA_OP_ConstI64:
      amount.value = number_at(w, at, 0, 8);
      set_wide(w, register_at(w, at, 1), amount);
      return true;
    case ISA_OP_ConstI64Zero:
      set_wide(w, register_at(w, at, 0), amount);
      return true;
    case ISA_OP_NotI64:
      amount = flow_wide(&w->current, register_at(w, at, 0));
      amount.value = ~amount.value;
      set_wide(w, register_at(w, at, 1), amount);
      return true;
    case ISA_OP_TruncI64I32:
      value = w->current.values[register_at(w, at, 0) & ISA_I32_MASK & ~1u];
      set_narrow(w, register_at(w, at, 1), value.kind == VALUE_KNOWN, value.bits);
      return true;
    case ISA_OP_ExtI32I64S:
    case ISA_OP_ExtI32I64U:
      value = w->current.values[register_at(w, at, 0) & ISA_I32_MASK];
      amount.is_known = value.kind == VALUE_KNOWN;
      amount.value = at->row->number == ISA_OP_ExtI32I64S ? (uint64_t)(int64_t)(int32_t)value.bits
                                                          : value.bits;
      set_wide(w, register_at(w, at, 1), amount);
      return true;
    default:
      return do_arithmetic(w, at);
  }
}

static uint32_t take_ref(walk_t *w, uint16_t reg) {
  uint32_t object = w->current.refs[reg & ISA_REF_MASK];
  if (reg & ISA_MOVE_BIT) w->current.refs[reg & ISA_REF_MASK] = OBJECT_NULL;
  return object;
}

static void store_global(walk_t *w, uint32_t ordinal, uint32_t object) {
  flow_t *flow = w->flow;
  if (ordinal >= flow->n_globals || object == OBJECT_NULL) return;
  uint32_t joined =
      flow_join_refs(flow, flow->globals[ordinal], object, UINT32_MAX, UINT32_MAX, ordinal);
  flow->has_changed |= joined != flow->globals[ordinal];
  flow->globals[ordinal] = joined;
}

static bool do_ref(walk_t *w, const bytecode_instruction_t *at) {
  flow_t *flow = w->flow;
  uint32_t *refs = w->current.refs, object, ordinal;
  switch (at->row->number) {
    case ISA_OP_ConstRefZero:
      refs[register_at(w, at, 0) & ISA_REF_MASK] = OBJECT_NULL;
      return true;
    case ISA_OP_ConstRefRodata:
      object = flow_object(flow, OBJECT_RODATA, 0, 0, (uint32_t)number_at(w, at, 0, 4));
      refs[register_at(w, at, 1) & ISA_REF_MASK] = object;
      return true;
    case ISA_OP_AssignRef:
      object = take_ref(w, register_at(w, at, 0));
      refs[register_at(w, at, 1) & ISA_REF_MASK] = object;
      return true;
    case ISA_OP_CastAnyRef:
      object = take_ref(w, register_at(w, at, 0));
      refs[register_at(w, at, 2) & ISA_REF_MASK] = object;
      return true;
    case ISA_OP_SelectRef: {
      uint32_t a = take_ref(w, register_at(w, at, 2)), b = take_ref(w, register_at(w, at, 3));
      refs[register_at(w, at, 4) & ISA_REF_MASK] =
          flow_join_refs(flow, a, b, flow->function, at->pc, UINT32_MAX);
      return true;
    }
    case ISA_OP_GlobalLoadRef:
      ordinal = (uint32_t)number_at(w, at, 0, 4);
      object = ordinal < flow->n_globals ? flow->globals[ordinal] : OBJECT_ANY;
      refs[register_at(w, at, 2) & ISA_REF_MASK] = object == OBJECT_NONE ? OBJECT_NULL : object;
      return true;
    case ISA_OP_GlobalStoreRef:
      store_global(w, (uint32_t)number_at(w, at, 0, 4), take_ref(w, register_at(w, at, 2)));
      return true;
    default:
      return false;
  }
}

// ---- calls -------------------------------------------------------------------------------------

static uint32_t n_letters(iree_string_view_t fragment) {
  uint32_t n = 0;
  for (iree_host_size_t i = 0; i < fragment.size; ++i) n += 1u + cconv_is_wide(fragment.data[i]);
  return n;
}
// Joins registers of a list into a summary.
static void summarise(flow_t *flow, flow_summary_t *summary, iree_string_view_t fragment,
                      const flow_state_t *state, const uint8_t *list, uint32_t n_list,
                      uint32_t site) {
  for (uint32_t i = 0, at = 0; i < fragment.size && i < n_list; ++i) {
    uint16_t reg = flow_register(list, i);
    bool is_wide = cconv_is_wide(fragment.data[i]);
    if (fragment.data[i] == IREE_VM_CCONV_TYPE_REF) {
      uint32_t object = reg & ISA_REF_BIT ? state->refs[reg & ISA_REF_MASK] : OBJECT_ANY;
      uint32_t joined = flow_join_refs(flow, summary->refs[at], object, site, UINT32_MAX, at);
      flow->has_changed |= joined != summary->refs[at];
      summary->refs[at] = joined;
    } else {
      for (uint32_t k = 0; k <= is_wide; ++k) {
        flow_value_t *into = &summary->values[at + k];
        flow_value_t joined = flow_join_values(*into, state->values[(reg & ISA_I32_MASK) + k]);
        flow->has_changed |= joined.kind != into->kind || joined.bits != into->bits;
        *into = joined;
      }
    }
    at += 1u + is_wide;
  }
}

static void release_moved(flow_call_t *call) {
  for (uint32_t i = 0; i < call->n_list; ++i) {
    uint16_t reg = flow_register(call->list, i);
    if ((reg & ISA_REF_BIT) && (reg & ISA_MOVE_BIT))
      call->state->refs[reg & ISA_REF_MASK] = OBJECT_NULL;
  }
}

static void call_internal(walk_t *w, flow_call_t *call, uint32_t callee) {
  flow_t *flow = w->flow;
  const bytecode_function_t *target = &flow->module->functions[callee];
  flow->has_changed |= !flow->is_called[callee];
  flow->is_called[callee] = true;
  summarise(flow, &flow->arguments[callee], target->arguments, call->state, call->list,
            call->n_list, UINT32_MAX - 1 - callee);
  release_moved(call);
  const flow_summary_t *results = &flow->results[callee];
  for (uint32_t i = 0, at = 0; i < target->results.size && i < call->n_results; ++i) {
    uint16_t reg = flow_register(call->result_list, i);
    bool is_wide = cconv_is_wide(target->results.data[i]);
    if (reg & ISA_REF_BIT) {
      uint32_t object = results->refs[at];
      call->state->refs[reg & ISA_REF_MASK] = object == OBJECT_NONE ? OBJECT_NULL : object;
    } else {
      for (uint32_t k = 0; k <= is_wide; ++k)
        call->state->values[(reg & ISA_I32_MASK) + k] = results->values[at + k];
    }
    at += 1u + is_wide;
  }
  if (!flow->is_recording) return;
  inspect_function_t *f = &flow->self->functions[flow->function];
  inspect_step_t step = {.kind = STEP_CALL, .pc = call->pc, .flow = flow->flow, .callee = callee};
  IREE_ARENA_PUSH(flow->self->arena, f->steps, f->n_steps, f->cap_steps, step);
}

static bool group_arguments(flow_call_t *call, iree_string_view_t fragment,
                            const uint8_t *segments, uint32_t n_segments) {
  uint32_t first = 0;
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    if (call->n_groups == IREE_ARRAYSIZE(call->groups)) return false;
    uint32_t width = 1, count = 1;
    if (fragment.data[i] == IREE_VM_CCONV_TYPE_SPAN_START) {
      width = (uint32_t)cconv_take_group(fragment, &i).size;
      --i;
      if (!segments || call->n_groups >= n_segments) return false;
      count = flow_register(segments, call->n_groups);
    }
    if ((uint64_t)first + (uint64_t)width * count > call->n_list) return false;
    call->groups[call->n_groups].first = first;
    call->groups[call->n_groups].count = count;
    call->groups[call->n_groups++].width = width;
    first += width * count;
  }
  return true;
}

static const uint8_t *list_at(const walk_t *w, const bytecode_instruction_t *at, uint32_t i,
                              uint32_t *out_count) {
  bytecode_cursor_t cursor = bytecode_instruction_field(at, w->function, i);
  cursor_align(&cursor);
  *out_count = cursor_u16(&cursor);
  return w->function->bytecode + cursor.pc;
}

static void forget_call(flow_call_t *call) {
  flow_value_t any = {VALUE_ANY, 0};
  for (uint32_t i = 0; i < call->n_results; ++i) {
    uint16_t reg = flow_register(call->result_list, i);
    bool is_wide = i < call->results.size && cconv_is_wide(call->results.data[i]);
    if (reg & ISA_REF_BIT) {
      call->state->refs[reg & ISA_REF_MASK] =
          flow_object(call->flow, OBJECT_OTHER, call->flow->function, call->pc, i);
    } else {
      for (uint32_t k = 0; k <= is_wide; ++k)
        call->state->values[(reg & ISA_I32_MASK) + k] = any;
    }
  }
}

static void do_call(walk_t *w, const bytecode_instruction_t *at) {
  flow_t *flow = w->flow;
  flow_call_t call = {.flow = flow, .state = &w->current, .pc = at->pc};
  const uint8_t *segments = NULL;
  uint32_t n_segments = 0, callee = (uint32_t)number_at(w, at, 0, 4);
  for (uint32_t i = 1; i < at->field_count; ++i) {
    if (at->fields[i].kind == '[' && at->fields[i].bank == 's')
      segments = list_at(w, at, i, &n_segments);
    else if (at->fields[i].kind == '[') call.list = list_at(w, at, i, &call.n_list);
    else if (at->fields[i].kind == ']') call.result_list = list_at(w, at, i, &call.n_results);
  }
  if (!flow_spend(flow, 1 + call.n_list)) return;
  if (!(callee & ISA_IMPORT_BIT)) {
    call_internal(w, &call, callee);
    return;
  }
  const bytecode_import_decl_t *import = &flow->module->imports[callee & ~ISA_IMPORT_BIT];
  call.name = import->full_name;
  call.signature = import->calling_convention;
  bool is_grouped = group_arguments(&call, import->arguments, segments, n_segments);
  call.results = import->results;
  if (!is_grouped) call.n_groups = 0;
  flow_import(&call);
}

void flow_finish_call(flow_call_t *call) {
  release_moved(call);
  forget_call(call);
}

static void do_return(walk_t *w, const bytecode_instruction_t *at) {
  flow_t *flow = w->flow;
  uint32_t n = 0;
  const uint8_t *list = list_at(w, at, 0, &n);
  summarise(flow, &flow->results[flow->function], w->function->results, &w->current, list, n,
            UINT32_MAX / 2 - flow->function);
}

static void do_instruction(walk_t *w, const bytecode_instruction_t *at) {
  switch (at->row->number) {
    case ISA_OP_Call:
    case ISA_OP_CallVariadic:
    case ISA_OP_CallYieldable:
    case ISA_OP_CallVariadicYieldable:
      do_call(w, at);
      break;
    case ISA_OP_Return:
      do_return(w, at);
      break;
    default:
      if (!do_value(w, at) && !do_ref(w, at)) forget_results(w, at);
      break;
  }
  take_edges(w, at);
}

void flow_walk_block(walk_t *w, uint32_t block) {
  copy_state(w, &w->current, &w->states[block]);
  bytecode_cursor_t cursor = {w->function->bytecode, w->function->length, w->starts[block], false};
  uint32_t end = block + 1 < w->n_blocks ? w->starts[block + 1] : w->function->length;
  bytecode_instruction_t at;
  while (cursor.pc < end && flow_spend(w->flow, 1)) {
    bytecode_instruction_read(&at, &cursor);
    do_instruction(w, &at);
  }
}

// The state in which a function starts: registers zero, arguments as its callers pass them.
static void enter(walk_t *w) {
  const flow_summary_t *summary = &w->flow->arguments[w->flow->function];
  for (uint32_t i = 0; i < n_values(w); ++i) w->edge.values[i] = flow_known(0);
  for (uint32_t i = 0; i < n_refs(w); ++i) w->edge.refs[i] = OBJECT_NULL;
  uint32_t value = 0, ref = 0, at = 0;
  iree_string_view_t letters = w->function->arguments;
  for (iree_host_size_t i = 0; i < letters.size; ++i) {
    bool is_wide = cconv_is_wide(letters.data[i]);
    if (letters.data[i] == IREE_VM_CCONV_TYPE_REF) {
      if (ref < n_refs(w)) w->edge.refs[ref] = summary->refs[at];
      ++ref;
    } else {
      if (is_wide) value = (value + 1) & ~1u;
      for (uint32_t k = 0; k <= is_wide && value + k < n_values(w); ++k)
        w->edge.values[value + k] = summary->values[at + k];
      value += 1u + is_wide;
    }
    at += 1u + is_wide;
  }
  arrive(w, 0);
}

static void walk_function(flow_t *flow, uint32_t ordinal, bool is_last) {
  flow->function = ordinal;
  iree_arena_reset(&flow->scratch);
  walk_t w = {.flow = flow, .function = &flow->module->functions[ordinal]};
  find_starts(&w);
  uint64_t cells = (uint64_t)w.n_blocks * (n_values(&w) + n_refs(&w));
  if (!w.n_blocks || cells > MAX_STATE_CELLS) return;
  w.states = IREE_ARENA_ARRAY(&flow->scratch, flow_state_t, w.n_blocks);
  w.is_reached = IREE_ARENA_ARRAY(&flow->scratch, bool, w.n_blocks);
  w.is_waiting = IREE_ARENA_ARRAY(&flow->scratch, bool, w.n_blocks);
  w.queue = IREE_ARENA_ARRAY(&flow->scratch, uint32_t, w.n_blocks + 1);
  w.current = new_state(&w);
  w.edge = new_state(&w);
  enter(&w);
  while (w.n_queue && flow->budget) {
    uint32_t block = w.queue[--w.n_queue];
    w.is_waiting[block] = false;
    flow_walk_block(&w, block);
  }
  if (is_last && flow->budget) {
    flow_record(&w);
    flow->self->functions[ordinal].is_followed = flow->budget != 0;
  }
}

// ---- the module --------------------------------------------------------------------------------

static flow_summary_t new_summary(flow_t *flow, iree_string_view_t fragment) {
  uint32_t n = n_letters(fragment);
  flow_summary_t summary = {IREE_ARENA_ARRAY(flow->self->arena, flow_value_t, n + 1),
                            IREE_ARENA_ARRAY(flow->self->arena, uint32_t, n + 1), n};
  return summary;
}

static void prepare(flow_t *flow) {
  inspect_t *self = flow->self;
  bytecode_module_t *module = flow->module;
  iree_arena_t *arena = self->arena;
  for (uint32_t i = 0; i <= OBJECT_ANY; ++i) {
    inspect_object_t object = {.kind = (inspect_object_kind_t)i};
    IREE_ARENA_PUSH(arena, self->objects, self->n_objects, self->cap_objects, object);
  }
  flow_grow_slots(flow);
  uint32_t n = module->function_count;
  self->n_functions = n;
  self->functions = IREE_ARENA_ARRAY(arena, inspect_function_t, n + 1);
  flow->arguments = IREE_ARENA_ARRAY(arena, flow_summary_t, n + 1);
  flow->results = IREE_ARENA_ARRAY(arena, flow_summary_t, n + 1);
  flow->is_called = IREE_ARENA_ARRAY(arena, bool, n + 1);
  flow->n_globals = module->global_ref_count < MAX_GLOBALS ? module->global_ref_count : MAX_GLOBALS;
  flow->globals = IREE_ARENA_ARRAY(arena, uint32_t, flow->n_globals + 1u);
  for (uint32_t i = 0; i < n; ++i) {
    self->functions[i].name = bytecode_function_name(module, i);
    self->functions[i].bytes = module->functions[i].length;
    flow->arguments[i] = new_summary(flow, module->functions[i].arguments);
    flow->results[i] = new_summary(flow, module->functions[i].results);
  }
}

// Callers from outside pass anything.
static void enter_exports(flow_t *flow) {
  bytecode_module_t *module = flow->module;
  for (uint32_t e = 0; e < module->export_count; ++e) {
    uint32_t ordinal = module->export_ordinals[e];
    if (flow->self->functions[ordinal].is_exported) continue;
    flow->self->functions[ordinal].is_exported = flow->is_called[ordinal] = true;
    iree_string_view_t letters = module->functions[ordinal].arguments;
    flow_summary_t *summary = &flow->arguments[ordinal];
    for (uint32_t i = 0, at = 0; i < letters.size; ++i) {
      bool is_wide = cconv_is_wide(letters.data[i]);
      for (uint32_t k = 0; k <= is_wide; ++k) summary->values[at + k].kind = VALUE_ANY;
      summary->refs[at] = flow_object(flow, OBJECT_ARGUMENT, ordinal, 0, i);
      at += 1u + is_wide;
    }
  }
}

static void keep_results(flow_t *flow) {
  for (uint32_t i = 0; i < flow->module->function_count; ++i) {
    inspect_function_t *f = &flow->self->functions[i];
    iree_string_view_t letters = flow->module->functions[i].results;
    f->results = IREE_ARENA_ARRAY(flow->self->arena, uint32_t, letters.size + 1);
    f->n_results = (uint32_t)letters.size;
    for (uint32_t k = 0, at = 0; k < letters.size; ++k) {
      f->results[k] = flow->results[i].refs[at];
      at += 1u + cconv_is_wide(letters.data[k]);
    }
  }
}

iree_status_t inspect_flow(inspect_t *self) {
  if (!bytecode_module_isa(self->module)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "not a bytecode module");
  }
  flow_t flow = {.self = self, .module = self->module->self, .budget = FLOW_BUDGET};
  iree_arena_init(&flow.scratch);
  prepare(&flow);
  enter_exports(&flow);
  flow.has_changed = true;
  uint32_t n = flow.module->function_count;
  for (int round = 0; round < MAX_ROUNDS && flow.has_changed && flow.budget; ++round) {
    flow.has_changed = false;
    // Initialisers stand last and fill the globals that the others read.
    for (uint32_t i = n; i-- > 0;)
      if (flow.is_called[i]) walk_function(&flow, i, false);
  }
  for (uint32_t i = 0; i < n && flow.budget; ++i)
    if (flow.is_called[i]) walk_function(&flow, i, true);
  if (!flow.budget) self->stopped = "the program is too large to be followed to its end";
  keep_results(&flow);
  iree_arena_deinit(&flow.scratch);
  return iree_ok_status();
}
