// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following a program: abstract states and what a call does to them.
#ifndef TOOLING_INSPECT_FLOW_H_
#define TOOLING_INSPECT_FLOW_H_

#include "runtime/vm/bytecode/instruction.h"
#include "tooling/inspect/inspect.h"

typedef enum flow_value_kind_e {
  VALUE_NONE,    // not reached
  VALUE_KNOWN,   // bits
  VALUE_LOOKUP,  // low word of the id of a kernel; bits: object
  VALUE_ANY,
} flow_value_kind_t;
typedef struct flow_value_t {
  uint32_t kind;
  uint32_t bits;
} flow_value_t;

// Registers at one point of a function. Refs are object numbers.
typedef struct flow_state_t {
  flow_value_t *values;
  uint32_t *refs;
} flow_state_t;

// What all calls of a function pass and all returns give, by register number in a list of one.
typedef struct flow_summary_t {
  flow_value_t *values;  // by position; wide ones take two
  uint32_t *refs;
  uint32_t n;
} flow_summary_t;

typedef struct flow_t {
  inspect_t *self;
  bytecode_module_t *module;
  iree_arena_t scratch;  // of one function at a time
  uint32_t *slots;       // objects by site, open addressing
  uint32_t n_slots;
  flow_summary_t *arguments, *results;  // by function
  bool *is_called;
  uint32_t *globals;     // objects by ref ordinal
  uint32_t n_globals;
  bool has_changed;
  uint64_t budget;
  // The function at hand.
  uint32_t function;
  bool is_recording;     // the last walk: calls leave steps and commands
  uint32_t flow;         // INSPECT_IN_LOOP, ...
  inspect_step_t ignored;  // takes what handlers say while not recording
} flow_t;

typedef struct flow_call_t {
  flow_t *flow;
  flow_state_t *state;
  uint32_t pc;
  iree_string_view_t name, signature;
  const uint8_t *list;  // u16 registers, flat
  uint32_t n_list;
  struct {
    uint32_t first, count, width;
  } groups[24];         // plain arguments: count 1, width 1
  uint32_t n_groups;
  const uint8_t *result_list;
  uint32_t n_results;
  iree_string_view_t results;  // letters
} flow_call_t;

// The object made at a site; the same one each time.
uint32_t flow_object(flow_t *flow, inspect_object_kind_t kind, uint32_t function, uint32_t pc,
                     uint32_t detail);
uint32_t flow_join_refs(flow_t *flow, uint32_t a, uint32_t b, uint32_t function, uint32_t pc,
                        uint32_t detail);
flow_value_t flow_join_values(flow_value_t a, flow_value_t b);

static inline flow_value_t flow_known(uint32_t bits) {
  flow_value_t value = {VALUE_KNOWN, bits};
  return value;
}
static inline inspect_object_t *flow_at(flow_t *flow, uint32_t object) {
  return &flow->self->objects[object];
}
static inline uint16_t flow_register(const uint8_t *list, uint32_t i) {
  return iree_unaligned_load_le_u16(list + 2 * (size_t)i);
}
inspect_amount_t flow_wide(const flow_state_t *state, uint16_t reg);

// Applies a call of an import: results, and steps and commands when recording.
void flow_import(flow_call_t *call);
// Empties registers that moved and makes all results unknown. Arguments are read before, since
// results may stand in the same registers; what is known of results is written after.
void flow_finish_call(flow_call_t *call);

// Makes room for more objects; at first, for any.
void flow_grow_slots(flow_t *flow);

// ---- walks over a function

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

static inline bool flow_spend(flow_t *flow, uint64_t amount) {
  if (flow->budget < amount) {
    flow->budget = 0;
    return false;
  }
  flow->budget -= amount;
  return true;
}
// The block that starts at |pc|, or UINT32_MAX.
static inline uint32_t flow_block_at(const walk_t *w, uint32_t pc) {
  uint32_t low = 0, high = w->n_blocks;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (w->starts[middle] < pc) low = middle + 1;
    else high = middle;
  }
  return low < w->n_blocks && w->starts[low] == pc ? low : UINT32_MAX;
}

// Applies the instructions of a block to the state at its start.
void flow_walk_block(walk_t *w, uint32_t block);
// Walks all blocks that are reached, in order, recording.
void flow_record(walk_t *w);

#endif  // TOOLING_INSPECT_FLOW_H_
