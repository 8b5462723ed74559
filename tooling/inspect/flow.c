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
  MAX_OBJECTS = 1 << 20,
  MAX_GLOBALS = 1 << 16,  // a file may ask for any number; the others are unknown
};
#define FLOW_BUDGET 60000000ull  // instructions and registers copied

// ---- objects -----------------------------------------------------------------------------------

static uint64_t site_hash(uint32_t kind, uint32_t function, uint32_t pc, uint32_t detail) {
  uint64_t h = 0x9E3779B97F4A7C15ull;
  const uint32_t parts[4] = {kind, function, pc, detail};
  for (int i = 0; i < 4; ++i) h = (h ^ parts[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
  return h;
}

static void grow_slots(flow_t *flow) {
  uint32_t n = flow->n_slots ? flow->n_slots * 2 : 1024;
  uint32_t *slots = IREE_ARENA_ARRAY(flow->self->arena, uint32_t, n);
  for (uint32_t i = OBJECT_ANY + 1; i < flow->self->n_objects; ++i) {
    const inspect_object_t *o = &flow->self->objects[i];
    uint64_t h = site_hash(o->kind, o->function, o->pc, o->index);
    while (slots[h % n]) ++h;
    slots[h % n] = i;
  }
  flow->slots = slots;
  flow->n_slots = n;
}

uint32_t flow_object(flow_t *flow, inspect_object_kind_t kind, uint32_t function, uint32_t pc,
                     uint32_t detail) {
  inspect_t *self = flow->self;
  if (2 * (uint64_t)self->n_objects >= flow->n_slots) grow_slots(flow);
  uint64_t h = site_hash(kind, function, pc, detail);
  for (;; ++h) {
    uint32_t at = flow->slots[h % flow->n_slots];
    if (!at) break;
    const inspect_object_t *o = &self->objects[at];
    if (o->kind == kind && o->function == function && o->pc == pc && o->index == detail) return at;
  }
  if (self->n_objects >= MAX_OBJECTS) return OBJECT_ANY;
  inspect_object_t object = {.kind = kind, .function = function, .pc = pc, .index = detail};
  IREE_ARENA_PUSH(self->arena, self->objects, self->n_objects, self->cap_objects, object);
  flow->slots[h % flow->n_slots] = self->n_objects - 1;
  return self->n_objects - 1;
}

flow_value_t flow_join_values(flow_value_t a, flow_value_t b) {
  if (a.kind == VALUE_NONE) return b;
  if (b.kind == VALUE_NONE || (a.kind == b.kind && a.bits == b.bits)) return a;
  flow_value_t any = {VALUE_ANY, 0};
  return any;
}

// Null joins anything silently: who reads the program wants to know what else it may be.
uint32_t flow_join_refs(flow_t *flow, uint32_t a, uint32_t b, uint32_t function, uint32_t pc,
                        uint32_t detail) {
  if (a == b || b == OBJECT_NONE) return a;
  if (a == OBJECT_NONE) return b;
  if (a == OBJECT_ANY || b == OBJECT_ANY) return OBJECT_ANY;
  if (a == OBJECT_NULL || b == OBJECT_NULL) return a == OBJECT_NULL ? b : a;
  uint32_t choice = flow_object(flow, OBJECT_CHOICE, function, pc, detail);
  if (choice == OBJECT_ANY) return choice;
  inspect_object_t *object = flow_at(flow, choice);
  const uint32_t both[2] = {a, b};
  for (int k = 0; k < 2; ++k) {
    bool is_there = both[k] == choice;
    for (uint32_t i = 0; i < object->n_choices; ++i) is_there |= object->choices[i] == both[k];
    if (is_there) continue;
    if (object->n_choices == INSPECT_MAX_CHOICES) return OBJECT_ANY;
    object->choices[object->n_choices++] = both[k];
    flow->has_changed = true;
  }
  return choice;
}

inspect_amount_t flow_wide(const flow_state_t *state, uint16_t reg) {
  flow_value_t low = state->values[reg & ISA_I32_MASK & ~1u];
  flow_value_t high = state->values[(reg & ISA_I32_MASK) | 1u];
  inspect_amount_t amount = {low.kind == VALUE_KNOWN && high.kind == VALUE_KNOWN,
                             (uint64_t)high.bits << 32 | low.bits};
  if (!amount.is_known) amount.value = 0;
  return amount;
}

// ---- one function ------------------------------------------------------------------------------

typedef struct walk_t {
  flow_t *flow;
  const bytecode_function_t *function;
  uint32_t n_blocks;
  uint32_t *starts;       // ascending
  flow_state_t *states;   // at the start of each block
  bool *is_reached, *is_waiting;
  uint32_t *queue, n_queue;
  uint32_t *order;        // blocks in reverse postorder
  uint32_t n_order;
  flow_state_t current, edge;
} walk_t;

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
static bool spend(flow_t *flow, uint64_t amount) {
  if (flow->budget < amount) {
    flow->budget = 0;
    return false;
  }
  flow->budget -= amount;
  return true;
}

static uint32_t block_at(const walk_t *w, uint32_t pc) {
  uint32_t low = 0, high = w->n_blocks;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (w->starts[middle] < pc) low = middle + 1;
    else high = middle;
  }
  return low < w->n_blocks && w->starts[low] == pc ? low : UINT32_MAX;
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
  uint32_t block = block_at(w, target_pc);
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
  if (w->flow->is_recording || !spend(w->flow, n_values(w) + n_refs(w))) return;
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
  if (!spend(flow, 1 + call.n_list)) return;
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

static void walk_block(walk_t *w, uint32_t block) {
  copy_state(w, &w->current, &w->states[block]);
  bytecode_cursor_t cursor = {w->function->bytecode, w->function->length, w->starts[block], false};
  uint32_t end = block + 1 < w->n_blocks ? w->starts[block + 1] : w->function->length;
  bytecode_instruction_t at;
  while (cursor.pc < end && spend(w->flow, 1)) {
    bytecode_instruction_read(&at, &cursor);
    do_instruction(w, &at);
  }
}

// ---- shape of the control flow -----------------------------------------------------------------

typedef struct edges_t {
  uint32_t *first, *target, n;  // of block i: target[first[i] .. first[i + 1])
  bool *returns, *calls;        // by block
  uint32_t *stack;              // for walks
  bool *seen;
} edges_t;

static void push_edge(walk_t *w, edges_t *e, uint32_t *cap, uint32_t pc) {
  uint32_t block = block_at(w, pc);
  if (block != UINT32_MAX) IREE_ARENA_PUSH(&w->flow->scratch, e->target, e->n, *cap, block);
}
static void find_edges(walk_t *w, edges_t *e) {
  iree_arena_t *arena = &w->flow->scratch;
  e->first = IREE_ARENA_ARRAY(arena, uint32_t, w->n_blocks + 1);
  e->returns = IREE_ARENA_ARRAY(arena, bool, w->n_blocks + 1);
  e->calls = IREE_ARENA_ARRAY(arena, bool, w->n_blocks + 1);
  e->stack = IREE_ARENA_ARRAY(arena, uint32_t, w->n_blocks + 1);
  e->seen = IREE_ARENA_ARRAY(arena, bool, w->n_blocks + 1);
  uint32_t cap = 0;
  for (uint32_t b = 0; b < w->n_blocks; ++b) {
    e->first[b] = e->n;
    bytecode_cursor_t cursor = {w->function->bytecode, w->function->length, w->starts[b], false};
    uint32_t end = b + 1 < w->n_blocks ? w->starts[b + 1] : w->function->length;
    bytecode_instruction_t at;
    while (cursor.pc < end) {
      bytecode_instruction_read(&at, &cursor);
      e->returns[b] |= at.row->number == ISA_OP_Return;
      e->calls[b] |= at.field_count && at.fields[0].kind == '@' && at.fields[0].bank == 'f';
      for (uint32_t i = 0; i < at.field_count; ++i) {
        bytecode_cursor_t field = bytecode_instruction_field(&at, w->function, i);
        if (at.fields[i].kind == '>') push_edge(w, e, &cap, cursor_u32(&field));
        if (at.fields[i].kind != '=') continue;
        for (uint32_t k = cursor_u16(&field); k-- > 0;) {
          push_edge(w, e, &cap, cursor_u32(&field));
          bytecode_skip_remap(&field);
        }
      }
    }
  }
  e->first[w->n_blocks] = e->n;
}

// Reverse postorder; of two successors the first one's blocks come first: loop bodies before exits.
static void find_order(walk_t *w, const edges_t *e) {
  iree_arena_t *arena = &w->flow->scratch;
  uint32_t n = w->n_blocks, depth = 0, n_done = 0;
  uint32_t *stack = IREE_ARENA_ARRAY(arena, uint32_t, n + 1), *next = IREE_ARENA_ARRAY(arena, uint32_t, n + 1);
  bool *seen = IREE_ARENA_ARRAY(arena, bool, n + 1);
  w->order = IREE_ARENA_ARRAY(arena, uint32_t, n + 1);
  for (uint32_t b = 0; b < n; ++b) next[b] = e->first[b + 1];
  stack[depth++] = 0;
  seen[0] = true;
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] == e->first[b]) {
      w->order[n - 1 - n_done++] = b;
      --depth;
      continue;
    }
    uint32_t to = e->target[--next[b]];
    if (seen[to]) continue;
    seen[to] = true;
    stack[depth++] = to;
  }
  w->order += n - n_done;
  w->n_order = n_done;
}

// Whether a path that avoids |avoid| leads from |from| over an edge to |to|; without |to|, to a return.
static bool reaches(walk_t *w, edges_t *e, uint32_t from, uint32_t to, uint32_t avoid) {
  if (!spend(w->flow, w->n_blocks + e->n)) return false;
  memset(e->seen, 0, w->n_blocks * sizeof(*e->seen));
  uint32_t depth = 0;
  e->stack[depth++] = from;
  while (depth) {
    uint32_t b = e->stack[--depth];
    if (b == avoid) continue;
    if (to == UINT32_MAX && e->returns[b]) return true;
    for (uint32_t i = e->first[b]; i < e->first[b + 1]; ++i) {
      if (e->target[i] == to) return true;
      if (e->seen[e->target[i]]) continue;
      e->seen[e->target[i]] = true;
      e->stack[depth++] = e->target[i];
    }
  }
  return false;
}

static void record(walk_t *w) {
  edges_t e = {0};
  find_edges(w, &e);
  find_order(w, &e);
  w->flow->is_recording = true;
  for (uint32_t i = 0; i < w->n_order; ++i) {
    uint32_t b = w->order[i];
    if (!w->is_reached[b]) continue;
    w->flow->flow = 0;
    if (w->n_blocks > 1 && e.calls[b]) {
      if (reaches(w, &e, b, b, UINT32_MAX)) w->flow->flow |= INSPECT_IN_LOOP;
      if (reaches(w, &e, 0, UINT32_MAX, b)) w->flow->flow |= INSPECT_ON_SOME_PATHS;
    }
    walk_block(w, b);
  }
  w->flow->is_recording = false;
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
    walk_block(&w, block);
  }
  if (is_last && flow->budget) {
    record(&w);
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
  grow_slots(flow);
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
