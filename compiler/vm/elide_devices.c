// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device that nobody asks for is not looked for: a module that computes on the host needs no `hal`.
//
//   in, out:    util.global of !hal.device, util.initializer
//   relies on:  the initializer of a device doing nothing but look for it
//   breaks:     nothing
//
//   util.global private @__device_0 : !hal.device     =>   (nothing)
//   util.initializer {
//     %d = hal.devices.get %i : !hal.device
//     util.global.store %d, @__device_0 : !hal.device
//     util.return
//   }
#include "compiler/ir/context.h"
#include "compiler/pass.h"

typedef struct uses {
  ir_attr_t symbol;
  ir_map_t *seen;  // attributes that do not name it: parts are shared
  ir_op_t *store;  // the one that there is
  size_t n;        // ops that name the global
  bool is_pure;    // an initializer that only stores to this global
} uses_t;

static bool names(uses_t *u, ir_attr_t attr) {
  if (attr == u->symbol) return true;
  if (!attr || ir_map_get(u->seen, attr)) return false;
  for (size_t i = 0; i < attr->n_kids; ++i)
    if (names(u, ir_kid(attr, i))) return true;
  ir_map_set(u->seen, attr, u);
  return false;
}
static bool op_names(uses_t *u, const ir_op_t *op) {
  for (size_t i = 0; op->spec && i < op->spec->n_attrs; ++i)
    if (names(u, op->attrs[i])) return true;
  for (size_t i = 0; i < op->n_extra; ++i)
    if (names(u, op->extra[i].value)) return true;
  return false;
}
static iree_status_t count_use(ir_op_t *op, void *self) {
  uses_t *u = self;
  if (op->kind == OP_BUILTIN_MODULE || !op_names(u, op)) return iree_ok_status();
  ++u->n;
  if (op->kind == OP_UTIL_GLOBAL_STORE) u->store = op;
  return iree_ok_status();
}
static iree_status_t check_effect(ir_op_t *op, void *self) {
  uses_t *u = self;
  if (op->kind == OP_UTIL_CALL || (op->kind == OP_UTIL_GLOBAL_STORE && op != u->store)) u->is_pure = false;
  return iree_ok_status();
}
static ir_op_t *initializer_of(ir_op_t *module, ir_op_t *store) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_INITIALIZER && store->block->region->op == op) return op;
  return NULL;
}

iree_status_t vm_elide_devices(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind != OP_UTIL_GLOBAL || !ir_type_is(ir_op_attr(op, "type"), "hal.device") || ir_op_attr(op, "initial_value")) continue;
    uses_t u = {.symbol = ir_attr_sym(pass->ctx, ir_str(ir_op_attr(op, "sym_name")).data),
                .seen = ir_map_create(pass->scratch),
                .is_pure = true};
    IREE_RETURN_IF_ERROR(ir_walk(module, count_use, &u));
    ir_op_t *initializer = u.n == 1 && u.store ? initializer_of(module, u.store) : NULL;
    if (!initializer) continue;
    IREE_RETURN_IF_ERROR(ir_walk(initializer, check_effect, &u));
    if (!u.is_pure || !ir_may_rewrite(op, "drop")) continue;
    if (next == initializer) next = next->next;
    ir_op_erase(initializer);
    ir_op_erase(op);
  }
  return iree_ok_status();
}
