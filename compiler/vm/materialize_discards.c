// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Releases every reference as soon as it is dead.
//
//   in, out:    vm.func bodies
//   relies on:  nothing; vm.discard.refs already there are dropped and placed anew
//   breaks:     nothing
//
// A reference whose last reader may move it needs nothing. Otherwise vm.discard.refs goes after the
// last reader, after a definition without readers, or to the start of the block on whose edge the
// reference dies; that edge gets a block of its own where others reach the same block with other
// references alive. Paths that end in vm.fail release nothing: a failing frame is torn down whole.
//
//   %n = vm.cmp.nz.ref %a : !vm.ref<!x>        %n = vm.cmp.nz.ref %a : !vm.ref<!x>
//   vm.return %n : i32                     =>  vm.discard.refs %a : !vm.ref<!x>
//                                              vm.return %n : i32
#include "compiler/pass.h"
#include "compiler/vm/liveness.h"
#include "compiler/vm/registers.h"
#include "compiler/vm/rows.h"

typedef struct discards {
  pass_t *pass;
  const isa_row_t *const *rows;
  vm_liveness_t live;
  bool *fails;  // per block number: every path on ends in vm.fail
  bool *done;   // per block number: releases what dies on its edges itself
  ir_value_t **dead;
  size_t n_dead, dead_cap;
} discards_t;

static bool is_ref(const ir_value_t *v) {
  return vm_bank(v->type) == VM_BANK_REF && !ir_value_is(v, OP_VM_CONST_REF_ZERO);
}

// May operand |index| of |op| carry MOVE?
static bool moves(const discards_t *d, const ir_op_t *op, uint32_t index) {
  for (uint16_t s = 0; s < op->n_succs; ++s)
    if (op->succs[s].n && index >= op->succs[s].first) return true;
  return d->rows[op->kind] && vm_row_moves(d->rows[op->kind], index);
}

static void push(discards_t *d, ir_value_t *v) {
  IREE_ARENA_PUSH(d->pass->scratch, d->dead, d->n_dead, d->dead_cap, v);
}

// Emits one vm.discard.refs of what was pushed.
static void flush(discards_t *d, ir_builder_t b) {
  if (!d->n_dead) return;
  ir_build(&b, &(ir_op_desc_t){
                   .kind = OP_VM_DISCARD_REFS, .operands = d->dead, .n_operands = d->n_dead});
  d->n_dead = 0;
}

static void discard_in_block(discards_t *d, ir_block_t *block) {
  vm_liveness_t *live = &d->live;
  vm_live_begin_after(live, block->last);
  for (ir_op_t *op = block->last, *prev; op; op = prev) {
    prev = op->prev;
    for (uint32_t i = 0; i < op->n_results; ++i)
      if (ir_unused(&op->results[i]) && is_ref(&op->results[i])) push(d, &op->results[i]);
    for (uint32_t i = op->n_operands; i-- > 0;) {
      ir_value_t *v = ir_operand(op, i);
      if (vm_live_has(live, v)) continue;
      vm_live_add(live, v);
      if (is_ref(v) && !moves(d, op, i)) push(d, v);
    }
    if (!ir_op_has_trait(op, IR_TERMINATOR)) flush(d, ir_builder_after(d->pass->ctx, op));
    d->n_dead = 0;
  }
  for (uint32_t i = 0; i < block->n_args; ++i)
    if (ir_unused(block->args[i]) && is_ref(block->args[i])) push(d, block->args[i]);
  flush(d, ir_builder_at_start(d->pass->ctx, block));
}

// Collects what is alive at the end of |op|'s block, but neither passed over edge |s| nor live
// behind it. |targets| are the successors as they were before any edge was split.
static void collect_edge(discards_t *d, const ir_op_t *op, uint16_t s, ir_block_t *const *targets) {
  vm_liveness_t *live = &d->live;
  const ir_succ_t *to = &op->succs[s];
  vm_live_begin_at(live, targets[s]);
  for (uint32_t i = 0; i < to->n; ++i) vm_live_add(live, ir_operand(op, to->first + i));
  for (uint16_t t = 0; t < op->n_succs; ++t) {
    const vm_live_block_t *other = vm_live_block(live, targets[t]);
    for (uint32_t i = 0; i < other->n_live_in; ++i) {
      if (!is_ref(other->live_in[i]) || vm_live_has(live, other->live_in[i])) continue;
      vm_live_add(live, other->live_in[i]);
      push(d, other->live_in[i]);
    }
    for (uint32_t i = 0; i < op->succs[t].n; ++i) {
      ir_value_t *v = ir_operand(op, op->succs[t].first + i);
      if (!is_ref(v) || vm_live_has(live, v)) continue;
      vm_live_add(live, v);
      push(d, v);
    }
  }
}

// A block on the edge that passes its arguments on.
static ir_builder_t split_edge(discards_t *d, ir_op_t *op, uint16_t s) {
  ir_ctx_t *ctx = d->pass->ctx;
  ir_block_t *to = op->succs[s].block;
  ir_block_t *between = ir_block_insert_before(ctx, to);
  ir_value_t **args = IREE_ARENA_ARRAY(d->pass->scratch, ir_value_t *, to->n_args + 1);
  for (uint32_t i = 0; i < to->n_args; ++i)
    args[i] = ir_block_add_arg(ctx, between, to->args[i]->type);
  op->succs[s].block = between;
  ir_builder_t b = ir_builder_at_end(ctx, between);
  b.loc = op->loc;
  uint32_t n_args = to->n_args;
  ir_op_t *br = ir_build(&b, &(ir_op_desc_t){.kind = OP_VM_BR,
                                             .operands = args,
                                             .n_operands = n_args,
                                             .succs = &to,
                                             .succ_operands = &n_args,
                                             .n_succs = 1});
  return ir_builder_before(ctx, br);
}

// Where the same references die on every edge into |to|, the block itself releases them.
static bool discard_at_join(discards_t *d, const vm_live_block_t *to) {
  ir_value_t **first = NULL;
  size_t n_first = 0;
  for (uint32_t p = 0; p < to->n_preds; ++p) {
    const ir_op_t *op = d->live.blocks[to->preds[p]].block->last;
    if (op->n_succs < 2) return false;  // nothing dies on an only edge
    ir_block_t **targets = IREE_ARENA_ARRAY(d->pass->scratch, ir_block_t *, op->n_succs);
    for (uint16_t s = 0; s < op->n_succs; ++s) targets[s] = op->succs[s].block;
    for (uint16_t s = 0; s < op->n_succs; ++s) {
      if (targets[s] != to->block) continue;
      d->n_dead = 0;
      collect_edge(d, op, s, targets);
      bool same = !first || n_first == d->n_dead;
      if (first && same) {
        vm_live_begin(&d->live);
        for (size_t i = 0; i < d->n_dead; ++i) vm_live_add(&d->live, d->dead[i]);
        for (size_t i = 0; i < n_first; ++i) same = same && vm_live_has(&d->live, first[i]);
      }
      if (!first) {
        n_first = d->n_dead;
        first = IREE_ARENA_ARRAY(d->pass->scratch, ir_value_t *, n_first + 1);
        for (size_t i = 0; i < n_first; ++i) first[i] = d->dead[i];
      }
      d->n_dead = 0;
      if (!same || !n_first) return false;
    }
  }
  for (size_t i = 0; i < n_first; ++i) push(d, first[i]);
  flush(d, ir_builder_at_start(d->pass->ctx, to->block));
  return true;
}

static void discard_on_edges(discards_t *d, ir_block_t *block) {
  ir_op_t *op = block->last;
  if (op->n_succs < 2) return;  // all that is alive goes on living behind the only edge
  ir_block_t **targets = IREE_ARENA_ARRAY(d->pass->scratch, ir_block_t *, op->n_succs);
  for (uint16_t s = 0; s < op->n_succs; ++s) targets[s] = op->succs[s].block;
  for (uint16_t s = 0; s < op->n_succs; ++s) {
    const vm_live_block_t *to = vm_live_block(&d->live, targets[s]);
    if (d->fails[to - d->live.blocks] || d->done[to - d->live.blocks]) continue;
    collect_edge(d, op, s, targets);
    if (!d->n_dead) continue;
    if (to->n_preds == 1)
      flush(d, ir_builder_at_start(d->pass->ctx, to->block));
    else
      flush(d, split_edge(d, op, s));
  }
}

static void find_failing(discards_t *d) {
  d->fails = IREE_ARENA_ARRAY(d->pass->scratch, bool, d->live.n_blocks + 1);
  for (uint32_t i = d->live.n_blocks;
       i-- > 0;) {  // successors first; back edges count as not failing
    const ir_op_t *op = d->live.blocks[i].block->last;
    bool all = op->n_succs > 0;
    for (uint16_t s = 0; s < op->n_succs; ++s) all = all && d->fails[op->succs[s].block->mark - 1];
    d->fails[i] = all || op->kind == OP_VM_FAIL;
  }
}

static void run(pass_t *pass, const isa_row_t *const *rows, ir_op_t *func) {
  discards_t d = {.pass = pass, .rows = rows};
  for (ir_block_t *b = func->regions[0]->first; b; b = b->next)
    for (ir_op_t *op = b->first, *next; op; op = next) {
      next = op->next;
      if (op->kind == OP_VM_DISCARD_REFS) ir_op_erase(op);
    }
  vm_liveness_init(&d.live, func, pass->scratch);
  find_failing(&d);
  for (uint32_t i = 0; i < d.live.n_blocks; ++i)
    if (!d.fails[i]) discard_in_block(&d, d.live.blocks[i].block);
  d.done = IREE_ARENA_ARRAY(pass->scratch, bool, d.live.n_blocks + 1);
  for (uint32_t i = 0; i < d.live.n_blocks; ++i)
    d.done[i] =
        d.live.blocks[i].n_preds > 1 && !d.fails[i] && discard_at_join(&d, &d.live.blocks[i]);
  for (uint32_t i = 0; i < d.live.n_blocks; ++i) discard_on_edges(&d, d.live.blocks[i].block);
}

iree_status_t vm_materialize_discards(pass_t *pass, ir_op_t *module) {
  const isa_row_t *const *rows = vm_rows(pass->scratch);
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind != OP_VM_MODULE) continue;
    for (ir_op_t *f = ir_body(op)->first; f; f = f->next)
      if (f->kind == OP_VM_FUNC && f->regions[0]->first) run(pass, rows, f);
  }
  return iree_ok_status();
}
