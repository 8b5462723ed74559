// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms are interned, so attributes and types are equal if they are the same; what is left is to see that
// values and blocks are used alike. Both numbers them in the order in which they are met, as marks.
#include "compiler/ir/equal.h"

#include <string.h>

#include "compiler/ir/context.h"

typedef struct numbering {
  uint32_t next;
  ir_ignores_fn_t ignores;
} numbering_t;

// ---- numbers
static void number_block(numbering_t *n, ir_block_t *block) {
  for (uint32_t i = 0; i < block->n_args; ++i) block->args[i]->mark = n->next++;
}
// Numbers what |op| defines: blocks first, as branches may go forwards.
static void number_op(numbering_t *n, const ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_results; ++i) op->results[i].mark = n->next++;
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    uint32_t count = 0;
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) b->mark = count++;
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) {
      number_block(n, b);
      for (const ir_op_t *o = b->first; o; o = o->next) number_op(n, o);
    }
  }
}

// ---- hashes
static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15ull;
  return h ^ h >> 29;
}
static uint64_t hash_op(const numbering_t *n, const ir_op_t *op, uint64_t h) {
  h = mix(h, (uintptr_t)(op->kind ? NULL : op->name) + op->kind);
  for (uint32_t i = 0; i < op->n_operands; ++i) h = mix(h, ir_operand(op, i)->mark);
  for (uint32_t i = 0; i < op->n_results; ++i) h = mix(h, (uintptr_t)op->results[i].type);
  for (size_t i = 0; i < op->spec->n_attrs; ++i)
    if (!n->ignores(op, op->spec->attrs[i].name)) h = mix(h, (uintptr_t)op->attrs[i]);
  for (uint32_t i = 0; i < op->n_extra; ++i)
    if (!n->ignores(op, op->extra[i].name)) h = mix(mix(h, (uintptr_t)op->extra[i].name), (uintptr_t)op->extra[i].value);
  for (uint16_t s = 0; s < op->n_succs; ++s) h = mix(h, op->succs[s].block->mark);
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    for (const ir_block_t *b = op->regions[r]->first; b; b = b->next) {
      for (uint32_t i = 0; i < b->n_args; ++i) h = mix(h, (uintptr_t)b->args[i]->type);
      for (const ir_op_t *o = b->first; o; o = o->next) h = hash_op(n, o, h);
      h = mix(h, 1);
    }
    h = mix(h, 2);
  }
  return h;
}
static bool none(const ir_op_t *op, const char *name) {
  (void)op, (void)name;
  return false;
}
uint64_t ir_op_hash(const ir_op_t *op, ir_ignores_fn_t ignores) {
  numbering_t n = {.ignores = ignores ? ignores : none};
  number_op(&n, op);
  return hash_op(&n, op, 0);
}

// ---- equality
static bool equal_counts(const uint32_t *a, const uint32_t *b, size_t n) {
  return !a == !b && (!a || !memcmp(a, b, n * sizeof *a));
}
static bool equal_attrs(const numbering_t *n, const ir_op_t *a, const ir_op_t *b) {
  for (size_t i = 0; i < a->spec->n_attrs; ++i)
    if (a->attrs[i] != b->attrs[i] && !n->ignores(a, a->spec->attrs[i].name)) return false;
  if (a->n_extra != b->n_extra) return false;
  for (uint32_t i = 0; i < a->n_extra; ++i) {
    bool same = a->extra[i].name == b->extra[i].name && (a->extra[i].value == b->extra[i].value || n->ignores(a, a->extra[i].name));
    if (!same) return false;
  }
  return true;
}
static bool equal_ops(const numbering_t *n, const ir_op_t *a, const ir_op_t *b);
static bool equal_regions(const numbering_t *n, const ir_region_t *a, const ir_region_t *b) {
  const ir_block_t *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next) {
    if (x->n_args != y->n_args) return false;
    for (uint32_t i = 0; i < x->n_args; ++i)
      if (x->args[i]->type != y->args[i]->type) return false;
    const ir_op_t *o = x->first, *p = y->first;
    for (; o && p; o = o->next, p = p->next)
      if (!equal_ops(n, o, p)) return false;
    if (o || p) return false;
  }
  return !x && !y;
}
static bool equal_ops(const numbering_t *n, const ir_op_t *a, const ir_op_t *b) {
  bool shape = a->kind == b->kind && (a->kind || a->name == b->name) && a->n_operands == b->n_operands && a->n_results == b->n_results &&
               a->n_regions == b->n_regions && a->n_succs == b->n_succs && equal_counts(a->segments, b->segments, a->spec->n_operands) &&
               equal_counts(a->result_segments, b->result_segments, a->spec->n_results);
  if (!shape || !equal_attrs(n, a, b)) return false;
  for (uint32_t i = 0; i < a->n_operands; ++i)
    if (ir_operand(a, i)->mark != ir_operand(b, i)->mark) return false;
  for (uint32_t i = 0; i < a->n_results; ++i)
    if (a->results[i].type != b->results[i].type) return false;
  for (uint16_t s = 0; s < a->n_succs; ++s)
    if (a->succs[s].block->mark != b->succs[s].block->mark || a->succs[s].n != b->succs[s].n) return false;
  for (uint16_t r = 0; r < a->n_regions; ++r)
    if (!equal_regions(n, a->regions[r], b->regions[r])) return false;
  return true;
}
bool ir_op_equal(const ir_op_t *a, const ir_op_t *b, ir_ignores_fn_t ignores) {
  if (a == b) return true;
  numbering_t n = {.ignores = ignores ? ignores : none}, m = n;
  number_op(&n, a);
  number_op(&m, b);
  return n.next == m.next && equal_ops(&n, a, b);
}
