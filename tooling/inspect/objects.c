// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of a program, one per place that makes one, and what is left of two values that meet.
#include "tooling/inspect/flow.h"

enum { MAX_OBJECTS = 1 << 20 };

static uint64_t site_hash(uint32_t kind, uint32_t function, uint32_t pc, uint32_t detail) {
  uint64_t h = 0x9E3779B97F4A7C15ull;
  const uint32_t parts[4] = {kind, function, pc, detail};
  for (int i = 0; i < 4; ++i) h = (h ^ parts[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
  return h;
}

void flow_grow_slots(flow_t *flow) {
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
  if (2 * (uint64_t)self->n_objects >= flow->n_slots) flow_grow_slots(flow);
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
