// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A global that its block has just stored or loaded is not loaded again.
//
//   in, out:    vm.func bodies
//   relies on:  imports not touching this module's globals; what may run between two blocks (a
//   resumed
//               call) ends a block
//   breaks:     nothing
//
//   vm.global.store.ref %d, @g           vm.global.store.ref %d, @g
//   %e = vm.global.load.ref @g      =>   vm.call @f(%d)
//   vm.call @f(%e)
#include "compiler/pass.h"

typedef struct elide {
  ir_map_t *functions;  // name -> vm.func
  iree_arena_t *arena;
} elide_t;

static bool is_load(const ir_op_t *op) {
  return op->kind == OP_VM_GLOBAL_LOAD_I32 || op->kind == OP_VM_GLOBAL_LOAD_I64 ||
         op->kind == OP_VM_GLOBAL_LOAD_F32 || op->kind == OP_VM_GLOBAL_LOAD_F64 ||
         op->kind == OP_VM_GLOBAL_LOAD_REF;
}
static bool is_store(const ir_op_t *op) {
  return op->kind == OP_VM_GLOBAL_STORE_I32 || op->kind == OP_VM_GLOBAL_STORE_I64 ||
         op->kind == OP_VM_GLOBAL_STORE_F32 || op->kind == OP_VM_GLOBAL_STORE_F64 ||
         op->kind == OP_VM_GLOBAL_STORE_REF;
}
static bool calls_function(const elide_t *e, const ir_op_t *op) {
  ir_attr_t callee = op->kind == OP_VM_CALL ? ir_op_attr(op, "callee") : NULL;
  return callee && ir_map_get(e->functions, ir_kid(callee, callee->n_kids - 1));
}

static void run_block(const elide_t *e, ir_block_t *block) {
  ir_map_t *known = NULL;  // symbol -> value
  for (ir_op_t *op = block->first, *next; op; op = next) {
    next = op->next;
    if (calls_function(e, op)) known = NULL;
    if (!is_load(op) && !is_store(op)) continue;
    if (!known) known = ir_map_create(e->arena);
    ir_attr_t symbol = ir_op_attr(op, "global");
    if (is_store(op)) {
      ir_map_set(known, symbol, ir_operand(op, 0));
      continue;
    }
    ir_value_t *value = ir_map_get(known, symbol);
    if (value && value->type == ir_result(op, 0)->type && ir_may_rewrite(op, "drop"))
      ir_op_replace(op, &value);
    else
      ir_map_set(known, symbol, ir_result(op, 0));
  }
}

iree_status_t vm_elide_global_loads(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *m = ir_body(module)->first; m; m = m->next) {
    if (m->kind != OP_VM_MODULE) continue;
    elide_t e = {ir_map_create(pass->scratch), pass->scratch};
    for (ir_op_t *f = ir_body(m)->first; f; f = f->next)
      if (f->kind == OP_VM_FUNC) ir_map_set(e.functions, ir_op_attr(f, "sym_name"), f);
    for (ir_op_t *f = ir_body(m)->first; f; f = f->next)
      for (ir_block_t *b = f->kind == OP_VM_FUNC ? f->regions[0]->first : NULL; b; b = b->next)
        run_block(&e, b);
  }
  return iree_ok_status();
}
