// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code on devices becomes one vm.module.
//
//   in:         phase 'hal': util.func, util.global, util.initializer with hal, util, arith and cf
//   ops;
//               hal.executable with one binary per target
//   out:        one vm.module with functions, exports, the imports it calls, globals and read-only
//   data relies on:  control flow as branches between blocks breaks:     nothing
//
//   util.global private @g : !hal.device       vm.module public @module {
//   util.initializer {                           vm.global.ref private mutable @g :
//   !vm.ref<!hal.device>
//     %d = hal.devices.get %c0 : !hal.device  =>   vm.import private @hal.devices.get(%index : i32)
//     -> ... util.global.store %d, @g : !hal.device       vm.export @__init util.return vm.func
//     private @__init() {...}
//   }                                            }
#include <stdio.h>
#include <string.h>

#include "compiler/ir/fold.h"
#include "compiler/ir/printer.h"
#include "compiler/vm/convert.h"
#include "compiler/vm/liveness.h"
#include "compiler/vm/registers.h"

// ---- types and values
iree_status_t vm_convert_type(vm_convert_t *c, const ir_op_t *op, ir_type_t type, ir_type_t *out) {
  ir_ctx_t *ctx = c->ctx;
  *out = NULL;
  if (type->kind == IR_T_INDEX) return *out = ir_type_i(ctx, 64), iree_ok_status();
  if (type->kind == IR_T_INTEGER && ir_type_width(type) <= 64)
    return *out = ir_type_i(ctx, ir_type_width(type) > 32 ? 64 : 32), iree_ok_status();
  if (type->kind == IR_T_FLOAT && (ir_float_kind(type) == IR_F32 || ir_float_kind(type) == IR_F64))
    return *out = type, iree_ok_status();
  if (type->kind == IR_T_DIALECT) {
    const char *name = ir_bytes(type);
    if (!strcmp(name, "util.buffer"))
      *out = ir_type_dialect(ctx, "vm.buffer", NULL, 0);
    else if (!strncmp(name, "hal.", 4))
      *out = ir_type_dialect(ctx, "vm.ref", &type, 1);
    else if (!strcmp(name, "util.object") || !strcmp(name, "util.variant"))
      *out = ir_type_dialect(ctx, "vm.ref", &(ir_attr_t){ir_attr_keyword(ctx, "?")}, 1);
    else if (!strncmp(name, "vm.", 3))
      *out = type;
    else if (!strcmp(name, "util.list") && type->n_kids) {
      ir_type_t element = ir_kid(type, 0);
      if (ir_type_is_type(element) && !ir_type_is_integer_like(element))
        IREE_RETURN_IF_ERROR(vm_convert_type(c, op, element, &element));
      *out = ir_type_dialect(ctx, "vm.list", &element, 1);
    } else if (!ir_dialect_has_rows(ctx, name)) {  // of the user's own modules
      *out = ir_type_dialect(ctx, "vm.ref", &type, 1);
    }
    if (*out) return iree_ok_status();
  }
  return ir_op_error(op, "has a value of type %s, which the host cannot hold",
                     ir_print_term_to(c->pass->scratch, type));
}

ir_value_t *vm_mapped(vm_convert_t *c, const ir_value_t *old) {
  ir_value_t *v = ir_map_get(c->values, old);
  IREE_ASSERT(v);
  return v;
}
void vm_map(vm_convert_t *c, const ir_value_t *old, ir_value_t *value) {
  ir_map_set(c->values, old, value);
}

ir_value_t *vm_op(vm_convert_t *c, op_kind_t kind, ir_type_t result, ir_value_t *x, ir_value_t *y,
                  ir_value_t *z) {
  return ir_build1(&c->b, (ir_kind_t)kind, result, x, y, z);
}

// Constants are shared by the function and stand at its start.
static ir_value_t *constant(vm_convert_t *c, const ir_term_t *key, op_kind_t kind, ir_type_t type,
                            ir_attr_t value, const char *name) {
  ir_value_t *v = ir_map_get(c->constants, key);
  if (v) return v;
  ir_builder_t b = c->last_constant ? ir_builder_after(c->ctx, c->last_constant)
                                    : ir_builder_at_start(c->ctx, c->func->regions[0]->first);
  b.loc = c->func->loc;
  ir_named_t attr = {name, value};
  c->last_constant = ir_build(&b, &(ir_op_desc_t){.kind = (ir_kind_t)kind,
                                                  .results = &type,
                                                  .n_results = 1,
                                                  .attrs = &attr,
                                                  .n_attrs = value ? 1 : 0});
  v = ir_result(c->last_constant, 0);
  ir_map_set(c->constants, key, v);
  return v;
}
ir_value_t *vm_const(vm_convert_t *c, ir_attr_t value) {
  ir_type_t type = ir_kid(value, 0);
  bool zero = ir_int(value, 0) == 0, wide = ir_type_width(type) > 32;
  if (type->kind == IR_T_FLOAT)
    return zero
               ? constant(c, value, wide ? OP_VM_CONST_F64_ZERO : OP_VM_CONST_F32_ZERO, type, NULL,
                          NULL)
               : constant(c, value, wide ? OP_VM_CONST_F64 : OP_VM_CONST_F32, type, value, "value");
  return zero ? constant(c, value, wide ? OP_VM_CONST_I64_ZERO : OP_VM_CONST_I32_ZERO, type, NULL,
                         NULL)
              : constant(c, value, wide ? OP_VM_CONST_I64 : OP_VM_CONST_I32, type, value, "value");
}
ir_value_t *vm_i32(vm_convert_t *c, int32_t value) {
  return vm_const(c, ir_attr_i32(c->ctx, value));
}
ir_value_t *vm_i64(vm_convert_t *c, int64_t value) {
  return vm_const(c, ir_attr_i64(c->ctx, value));
}
ir_value_t *vm_null(vm_convert_t *c, ir_type_t type) {
  return constant(c, type, OP_VM_CONST_REF_ZERO, type, NULL, NULL);
}
bool vm_is_null(const ir_value_t *v) { return ir_value_is(v, OP_VM_CONST_REF_ZERO); }

ir_value_t *vm_resize(vm_convert_t *c, ir_value_t *v, ir_type_t type) {
  if (v->type == type || v->type->kind != IR_T_INTEGER || type->kind != IR_T_INTEGER) return v;
  bool widens = ir_type_width(type) > 32;
  ir_op_t *def = ir_def(v);
  if (def && (def->kind == OP_VM_CONST_I32 || def->kind == OP_VM_CONST_I64 || vm_is_zero(def))) {
    ir_attr_t value = ir_op_attr(def, "value");
    int64_t number = value ? ir_int(value, 0) : 0;
    return widens ? vm_i64(c, (int64_t)(uint32_t)number) : vm_i32(c, (int32_t)number);
  }
  return vm_op(c, widens ? OP_VM_EXT_I32_I64_U : OP_VM_TRUNC_I64_I32, type, v, NULL, NULL);
}

// ---- read-only data
static const char *rodata_name(vm_convert_t *c, ir_attr_t value, const char *hint) {
  char name[128];
  size_t n = 0;
  if (hint) {
    n = (size_t)snprintf(name, sizeof name, "%.100s", hint);
    if (n > 100) n = 100;
    size_t length = n;
    while (ir_map_get(c->symbols, ir_attr_string(c->ctx, name, length)))
      length = n + (size_t)snprintf(name + n, sizeof name - n, "_%u", c->n_strings++);
    return ir_intern(c->ctx, name, length);
  }
  iree_string_view_t text = ir_str(value);
  n = (size_t)snprintf(name, sizeof name, "_utf8_");
  for (size_t i = 0; i < text.size && n < 36; ++i) {
    char ch = text.data[i];
    bool plain = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
    name[n++] = plain ? ch : '_';
  }
  n += (size_t)snprintf(name + n, sizeof name - n, "_%u", c->n_strings++);
  return ir_intern(c->ctx, name, n);
}
ir_value_t *vm_rodata(vm_convert_t *c, ir_attr_t value, const char *hint, ir_attr_t mime,
                      int64_t alignment) {
  ir_ctx_t *ctx = c->ctx;
  ir_attr_t symbol = ir_map_get(c->rodata, value);
  if (!symbol) {
    const char *name = rodata_name(c, value, hint);
    symbol = ir_attr_sym(ctx, name);
    ir_map_set(c->rodata, value, (void *)symbol);
    ir_named_t attrs[5] = {{"sym_name", ir_attr_str(ctx, name)},
                           {"sym_visibility", ir_attr_str(ctx, "private")},
                           {"value", value}};
    ir_map_set(c->symbols, attrs[0].value, c->vm_module);
    size_t n = 3;
    if (alignment) attrs[n++] = (ir_named_t){"alignment", ir_attr_i64(ctx, alignment)};
    if (mime) attrs[n++] = (ir_named_t){"mime_type", mime};
    ir_builder_t b = ir_builder_before(ctx, c->func);
    b.loc = c->vm_module->loc;
    ir_build(&b, &(ir_op_desc_t){.kind = OP_VM_RODATA, .attrs = attrs, .n_attrs = n});
  }
  if (c->rodata_block != c->b.block) {  // a block names each datum once
    c->rodata_block = c->b.block;
    c->rodata_values = ir_map_create(c->pass->scratch);
  }
  ir_value_t *v = ir_map_get(c->rodata_values, symbol);
  if (v) return v;
  v = ir_build_attr(&c->b, OP_VM_CONST_REF_RODATA, ir_type_dialect(ctx, "vm.buffer", NULL, 0),
                    "rodata", symbol, NULL, NULL);
  ir_map_set(c->rodata_values, symbol, v);
  return v;
}

// ---- control flow
ir_block_t *vm_split_here(vm_convert_t *c) {
  ir_block_t *next = c->b.block->next;
  return next ? ir_block_insert_before(c->ctx, next) : ir_block_create(c->ctx, c->func->regions[0]);
}
void vm_continue_in(vm_convert_t *c, ir_block_t *block) {
  ir_loc_t loc = c->b.loc;
  c->b = ir_builder_at_end(c->ctx, block);
  c->b.loc = loc;
}
static void build_fail(vm_convert_t *c, ir_builder_t *b, ir_value_t *status, ir_attr_t message) {
  ir_named_t attr = {"message", message};
  ir_build(b, &(ir_op_desc_t){.kind = OP_VM_FAIL,
                              .operands = &status,
                              .n_operands = 1,
                              .attrs = &attr,
                              .n_attrs = message ? 1 : 0});
  (void)c;
}
void vm_fail(vm_convert_t *c, ir_value_t *status, ir_attr_t message) {
  build_fail(c, &c->b, status, message);
  vm_continue_in(c, vm_split_here(c));  // nothing reaches the rest: end_function drops it
}
// One block per message, shared by the function's checks. With |tells| it takes two numbers besides,
// which a runtime that looks for them adds to the message: a print of "i64" right before.
static ir_block_t *fail_block(vm_convert_t *c, ir_attr_t message, bool tells) {
  const void *key = message ? (const void *)message : (const void *)c;
  if (tells) key = ir_attr_array(c->ctx, &message, 1);
  ir_block_t *block = ir_map_get(c->fails, key);
  if (block) return block;
  block = ir_block_create(c->ctx, c->func->regions[0]);
  ir_builder_t b = ir_builder_at_end(c->ctx, block);
  b.loc = c->b.loc;
  ir_value_t *status = ir_block_add_arg(c->ctx, block, ir_type_i(c->ctx, 32)), *told[2];
  for (int i = 0; tells && i < 2; ++i) told[i] = ir_block_add_arg(c->ctx, block, ir_type_i(c->ctx, 64));
  ir_named_t kind = {"message", ir_attr_str(c->ctx, "i64")};
  if (tells) ir_build(&b, &(ir_op_desc_t){.kind = OP_VM_PRINT, .operands = told, .n_operands = 2, .attrs = &kind, .n_attrs = 1});
  build_fail(c, &b, status, message);
  ir_map_set(c->fails, key, block);
  return block;
}
void vm_check(vm_convert_t *c, ir_value_t *status, ir_attr_t message, ir_value_t *const *told) {
  ir_op_t *def = ir_def(status);
  if (def && vm_is_zero(def)) return;
  if (def && def->kind == OP_VM_CONST_I32) {
    vm_fail(c, status, message);
    return;
  }
  ir_block_t *next = vm_split_here(c), *succs[2] = {fail_block(c, message, told != NULL), next};
  uint32_t n = told ? 3 : 1, counts[2] = {n, 0}, segments[3] = {1, n, 0};
  ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_COND_BR,
                                  .operands = (ir_value_t *[]){status, status, told ? told[0] : NULL, told ? told[1] : NULL},
                                  .n_operands = 1 + n,
                                  .segments = segments,
                                  .succs = succs,
                                  .succ_operands = counts,
                                  .n_succs = 2});
  vm_continue_in(c, next);
}

// ---- bodies
static iree_status_t convert_block(vm_convert_t *c, ir_block_t *old) {
  for (ir_op_t *op = old->first; op; op = op->next) {
    vm_convert_fn_t fn = c->fns[op->kind];
    if (!fn) return ir_op_error(op, "has no form in the virtual machine");
    c->b.loc = op->loc;
    IREE_RETURN_IF_ERROR(fn(c, op));
  }
  return iree_ok_status();
}

// Creates the blocks for |from|; its entry is |entry|, which may hold code already.
static iree_status_t declare_blocks(vm_convert_t *c, ir_op_t *op, ir_region_t *from,
                                    ir_block_t *entry) {
  ir_map_set(c->blocks, from->first, entry);
  for (ir_block_t *b = from->first->next; b; b = b->next) {
    ir_block_t *block = ir_block_create(c->ctx, c->func->regions[0]);
    ir_map_set(c->blocks, b, block);
    for (uint32_t i = 0; i < b->n_args; ++i) {
      ir_type_t type;
      IREE_RETURN_IF_ERROR(vm_convert_type(c, op, b->args[i]->type, &type));
      vm_map(c, b->args[i], ir_block_add_arg(c->ctx, block, type));
    }
  }
  return iree_ok_status();
}
static iree_status_t convert_region(vm_convert_t *c, ir_region_t *from) {
  size_t n;
  ir_block_t **order = vm_block_order(from, c->pass->scratch, &n);
  for (size_t i = 0; i < n; ++i) {
    vm_continue_in(c, ir_map_get(c->blocks, order[i]));
    IREE_RETURN_IF_ERROR(convert_block(c, order[i]));
  }
  return iree_ok_status();
}

static void begin_function(vm_convert_t *c, ir_op_t *func) {
  iree_arena_t *arena = c->pass->scratch;
  c->func = func;
  c->values = ir_map_create(arena);
  c->blocks = ir_map_create(arena);
  c->constants = ir_map_create(arena);
  c->fails = ir_map_create(arena);
  c->last_constant = NULL;
  c->return_to = NULL;
  c->rodata_block = NULL;
}

// Drops blocks that nothing reaches and notes what the function needs of its caller.
static void end_function(vm_convert_t *c) {
  ir_region_t *body = c->func->regions[0];
  size_t n;
  vm_block_order(body, c->pass->scratch, &n);
  for (ir_block_t *b = body->first, *next; b; b = next) {
    next = b->next;
    if (b->mark) continue;
    while (b->last) ir_op_erase(b->last);
  }
  bool yields = false, refs = false;
  for (ir_block_t *b = body->first, *next; b; b = next) {
    next = b->next;
    if (!b->mark) {
      ir_block_erase(b);
      continue;
    }
    yields = yields || ir_op_has_trait(b->last, IR_SUCC_RESULTS);
    for (uint32_t i = 0; i < b->n_args; ++i)
      refs = refs || vm_bank(b->args[i]->type) == VM_BANK_REF;
    for (ir_op_t *op = b->first; op && !refs; op = op->next)
      for (uint32_t i = 0; i < op->n_results; ++i)
        refs = refs || vm_bank(op->results[i].type) == VM_BANK_REF;
  }
  if (refs) ir_op_set_attr(c->ctx, c->func, "vm.unwind", ir_attr_unit(c->ctx));
  if (yields) ir_op_set_attr(c->ctx, c->func, "vm.yield", ir_attr_unit(c->ctx));
  c->func = NULL;
}

static ir_op_t *build_function(vm_convert_t *c, ir_loc_t loc, ir_attr_t name, ir_type_t type) {
  ir_named_t attrs[3] = {{"sym_name", name},
                         {"sym_visibility", ir_attr_str(c->ctx, "private")},
                         {"function_type", type}};
  ir_builder_t b = ir_builder_at_end(c->ctx, c->body);
  b.loc = loc;
  ir_op_t *func = ir_build(
      &b, &(ir_op_desc_t){.kind = OP_VM_FUNC, .attrs = attrs, .n_attrs = 3, .n_regions = 1});
  ir_block_t *entry = ir_block_create(c->ctx, func->regions[0]);
  for (size_t i = 0; i < ir_fn_n_inputs(type); ++i)
    ir_block_add_arg(c->ctx, entry, ir_fn_input(type, i));
  return func;
}
static void build_export(vm_convert_t *c, ir_loc_t loc, const char *name, const ir_op_t *from) {
  ir_named_t attrs[2] = {{"function_ref", ir_attr_sym(c->ctx, name)},
                         {"export_name", ir_attr_str(c->ctx, name)}};
  ir_builder_t b = ir_builder_at_end(c->ctx, c->body);
  b.loc = loc;
  ir_op_t *op = ir_build(&b, &(ir_op_desc_t){.kind = OP_VM_EXPORT, .attrs = attrs, .n_attrs = 2});
  for (uint32_t i = 0; from && i < from->n_extra; ++i)
    if (!strncmp(from->extra[i].name, "iree.", 5))
      ir_op_set_attr(c->ctx, op, from->extra[i].name, from->extra[i].value);
}

static iree_status_t function_type(vm_convert_t *c, const ir_op_t *op, ir_type_t *out) {
  ir_type_t old = ir_op_attr(op, "function_type");
  ir_type_t *types = IREE_ARENA_ARRAY(c->pass->scratch, ir_type_t, old->n_kids + 1);
  for (uint32_t i = 0; i < old->n_kids; ++i)
    IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_kid(old, i), &types[i]));
  size_t n = ir_fn_n_inputs(old);
  *out = ir_type_function(c->ctx, types, n, types + n, old->n_kids - n);
  return iree_ok_status();
}

// A function without a body is another module's: `module.function`.
static iree_status_t convert_import(vm_convert_t *c, ir_op_t *op) {
  iree_string_view_t module, name;
  if (iree_string_view_split(ir_op_sym_name(op), '.', &module, &name) < 0 || !module.size || !name.size)
    return ir_op_error(op, "has no body; a function of another module is named @module.function");
  ir_type_t type, told = ir_op_attr(op, "vm.signature");
  IREE_RETURN_IF_ERROR(function_type(c, op, &type));
  if (told && told != type)
    return ir_op_error(op, "has a vm.signature of other types than its own become, %s; declare it with those types",
                       ir_print_term_to(c->pass->scratch, type));
  ir_named_t attrs[6] = {{"sym_name", ir_op_attr(op, "sym_name")},
                         {"sym_visibility", ir_attr_str(c->ctx, "private")},
                         {"function_type", type}};
  size_t n = 3;
  if (ir_op_attr(op, "vm.fallback")) attrs[n++] = (ir_named_t){"is_optional", ir_attr_unit(c->ctx)};
  if (ir_op_attr(op, "nosideeffects")) attrs[n++] = (ir_named_t){"nosideeffects", ir_attr_unit(c->ctx)};
  ir_builder_t b = ir_builder_at_end(c->ctx, c->body);
  b.loc = op->loc;
  ir_build(&b, &(ir_op_desc_t){.kind = OP_VM_IMPORT, .attrs = attrs, .n_attrs = n, .n_regions = 1});
  return iree_ok_status();
}

static iree_status_t convert_function(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  if (!op->regions[0]->first) return convert_import(c, op);
  IREE_RETURN_IF_ERROR(function_type(c, op, &type));
  ir_op_t *func = build_function(c, op->loc, ir_op_attr(op, "sym_name"), type);
  ir_attr_t policy = ir_op_attr(op, "inlining_policy");
  if (policy) ir_op_set_attr(c->ctx, func, "inlining_policy", policy);
  ir_attr_t reflection = ir_op_attr(op, "iree.reflection");
  if (reflection) ir_op_set_attr(c->ctx, func, "iree.reflection", reflection);
  begin_function(c, func);
  ir_block_t *entry = func->regions[0]->first, *old = op->regions[0]->first;
  for (uint32_t i = 0; i < old->n_args; ++i) vm_map(c, old->args[i], entry->args[i]);
  IREE_RETURN_IF_ERROR(declare_blocks(c, op, op->regions[0], entry));
  IREE_RETURN_IF_ERROR(convert_region(c, op->regions[0]));
  end_function(c);
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
  if (!visibility || ir_str_is(visibility, "public"))
    build_export(c, op->loc, ir_str(ir_op_attr(op, "sym_name")).data, op);
  return iree_ok_status();
}

// ---- globals and initializers
static iree_status_t convert_global(vm_convert_t *c, ir_op_t *op) {
  static const op_kind_t kinds[2][2] = {{OP_VM_GLOBAL_I32, OP_VM_GLOBAL_I64},
                                        {OP_VM_GLOBAL_F32, OP_VM_GLOBAL_F64}};
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_op_attr(op, "type"), &type));
  bool ref = vm_bank(type) == VM_BANK_REF;
  op_kind_t kind =
      ref ? OP_VM_GLOBAL_REF : kinds[type->kind == IR_T_FLOAT][ir_type_width(type) > 32];
  ir_named_t attrs[4] = {{"sym_name", ir_op_attr(op, "sym_name")},
                         {"sym_visibility", ir_attr_str(c->ctx, "private")},
                         {"is_mutable", ir_attr_unit(c->ctx)},
                         {"type", type}};
  ir_builder_t b = ir_builder_at_end(c->ctx, c->body);
  b.loc = op->loc;
  ir_build(&b, &(ir_op_desc_t){.kind = (ir_kind_t)kind, .attrs = attrs, .n_attrs = 4});
  return iree_ok_status();
}

// Globals start zeroed; other values are stored before the initializers run.
static iree_status_t store_initial_value(vm_convert_t *c, ir_op_t *op) {
  static const op_kind_t kinds[2][2] = {{OP_VM_GLOBAL_STORE_I32, OP_VM_GLOBAL_STORE_I64},
                                        {OP_VM_GLOBAL_STORE_F32, OP_VM_GLOBAL_STORE_F64}};
  ir_attr_t value = ir_op_attr(op, "initial_value");
  if (!value || ir_is(value, IR_A_UNIT)) return iree_ok_status();
  if (value->kind != IR_A_INT && value->kind != IR_A_FLOAT && value->kind != IR_A_BOOL)
    return ir_op_error(op, "has an initial value that is no number; phase 'hal' resolves others");
  if (!ir_int(value, 0)) return iree_ok_status();
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_op_attr(op, "type"), &type));
  bool wide = ir_type_width(type) > 32;
  ir_value_t *v = type->kind == IR_T_FLOAT ? vm_const(c, value)
                  : wide                   ? vm_i64(c, ir_int(value, 0))
                                           : vm_i32(c, (int32_t)ir_int(value, 0));
  iree_string_view_t name = ir_op_sym_name(op);
  ir_named_t attr = {"global", ir_attr_sym(c->ctx, name.data)};
  ir_build(&c->b, &(ir_op_desc_t){.kind = (ir_kind_t)kinds[type->kind == IR_T_FLOAT][wide],
                                  .operands = &v,
                                  .n_operands = 1,
                                  .attrs = &attr,
                                  .n_attrs = 1});
  return iree_ok_status();
}

// Does control never come to the end of |block|?
static bool certainly_fails(const ir_block_t *block) {
  for (const ir_op_t *op = block->first; op; op = op->next) {
    int64_t status;
    if (op->kind == OP_UTIL_UNREACHABLE) return true;
    if (op->kind == OP_UTIL_STATUS_CHECK_OK && ir_constant_int(ir_operand(op, 0), &status) &&
        status)
      return true;
  }
  return false;
}

// Appends the initializer's blocks; what follows it goes where its returns lead.
static iree_status_t convert_initializer(vm_convert_t *c, ir_op_t *op) {
  ir_region_t *body = op->regions[0];
  IREE_RETURN_IF_ERROR(declare_blocks(c, op, body, c->b.block));
  size_t n;
  ir_block_t **order = vm_block_order(body, c->pass->scratch, &n);
  ir_block_t *only = NULL;
  size_t n_returns = 0;
  for (size_t i = 0; i < n; ++i)
    if (order[i]->last->kind == OP_UTIL_RETURN && !certainly_fails(order[i]))
      only = order[i], ++n_returns;
  c->return_to =
      ir_block_create(c->ctx, c->func->regions[0]);  // of failing paths; dropped with them
  if (n_returns != 1) {
    IREE_RETURN_IF_ERROR(convert_region(c, body));
    vm_continue_in(c, c->return_to);
    return iree_ok_status();
  }
  // One return that is reached: code goes on in its block. It is erased here so that no branch is
  // made of it.
  ir_op_erase(only->last);
  ir_block_t *rest = NULL;
  for (size_t i = 0; i < n; ++i) {
    vm_continue_in(c, ir_map_get(c->blocks, order[i]));
    IREE_RETURN_IF_ERROR(convert_block(c, order[i]));
    if (order[i] == only) rest = c->b.block;
  }
  vm_continue_in(c, rest);
  return iree_ok_status();
}

static iree_status_t convert_initializers(vm_convert_t *c) {
  ir_ctx_t *ctx = c->ctx;
  build_export(c, c->source->loc, "__init", NULL);
  begin_function(c, build_function(c, c->source->loc, ir_attr_str(ctx, "__init"),
                                   ir_type_function(ctx, NULL, 0, NULL, 0)));
  vm_continue_in(c, c->func->regions[0]->first);
  for (ir_op_t *op = ir_body(c->source)->first; op; op = op->next)
    if (op->kind == OP_UTIL_GLOBAL) IREE_RETURN_IF_ERROR(store_initial_value(c, op));
  for (ir_op_t *op = ir_body(c->source)->first; op; op = op->next)
    if (op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(convert_initializer(c, op));
  ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_RETURN});
  end_function(c);
  return iree_ok_status();
}

static bool needs_initializer(const ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_INITIALIZER ||
        (op->kind == OP_UTIL_GLOBAL && ir_op_attr(op, "initial_value")))
      return true;
  return false;
}

// ---- which functions may yield: those that await, and their callers
typedef struct yields {
  vm_convert_t *c;
  ir_op_t *func;
  bool changed;
} yields_t;
static iree_status_t find_yield(ir_op_t *op, void *self) {
  yields_t *y = self;
  bool found = op->kind == OP_HAL_FENCE_AWAIT;
  if (op->kind == OP_UTIL_CALL) {
    ir_attr_t callee = ir_op_attr(op, "callee");
    const ir_op_t *target = ir_map_get(y->c->symbols, ir_kid(callee, callee->n_kids - 1));
    found = target && target->kind == OP_UTIL_FUNC && target->mark;
  }
  if (found && !y->func->mark) y->func->mark = 1, y->changed = true;
  return iree_ok_status();
}
static iree_status_t mark_yielding(vm_convert_t *c) {
  yields_t y = {c, NULL, true};
  for (ir_op_t *op = ir_body(c->source)->first; op; op = op->next) op->mark = 0;
  while (y.changed) {  // once per level of calls
    y.changed = false;
    for (ir_op_t *op = ir_body(c->source)->first; op; op = op->next) {
      if (op->kind != OP_UTIL_FUNC || op->mark) continue;
      y.func = op;
      IREE_RETURN_IF_ERROR(ir_walk(op, find_yield, &y));
    }
  }
  return iree_ok_status();
}

// The formats that the module's executables come in, for whoever looks at the file.
static ir_attr_t formats(vm_convert_t *c) {
  char text[256] = "";
  size_t n = 0;
  for (ir_op_t *op = ir_body(c->source)->first; op; op = op->next) {
    if (op->kind != OP_HAL_EXECUTABLE) continue;
    for (ir_op_t *binary = ir_body(op)->first; binary; binary = binary->next) {
      if (binary->kind != OP_HAL_EXECUTABLE_BINARY) continue;
      const char *format = ir_bytes(ir_op_attr(binary, "format"));
      if (strstr(text, format) || n + strlen(format) + 2 > sizeof text) continue;
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? "," : "", format);
    }
  }
  return n ? ir_attr_string(c->ctx, text, n) : NULL;
}

static ir_op_t *create_module(vm_convert_t *c) {
  ir_ctx_t *ctx = c->ctx;
  ir_attr_t name = ir_op_attr(c->source, "sym_name");
  ir_named_t attrs[2] = {{"sym_visibility", ir_attr_str(ctx, "public")},
                         {"sym_name", name ? name : ir_attr_str(ctx, "module")}};
  ir_builder_t b = ir_builder_at_end(ctx, ir_body(c->source));
  b.loc = c->source->loc;
  ir_op_t *op = ir_build(
      &b, &(ir_op_desc_t){.kind = OP_VM_MODULE, .attrs = attrs, .n_attrs = 2, .n_regions = 1});
  c->body = ir_block_create(ctx, op->regions[0]);
  ir_op_set_attr(ctx, op, "iree.target", formats(c));
  return op;
}

static iree_status_t convert_contents(vm_convert_t *c) {
  for (ir_op_t *op = ir_body(c->source)->first; op; op = op->next) {
    switch (op->kind) {
      case OP_UTIL_GLOBAL:
        IREE_RETURN_IF_ERROR(convert_global(c, op));
        break;
      case OP_UTIL_FUNC:
        IREE_RETURN_IF_ERROR(convert_function(c, op));
        break;
      case OP_UTIL_INITIALIZER:  // merged below
      case OP_HAL_EXECUTABLE:    // read where they are created
      case OP_MEMREF_GLOBAL:     // likewise where they are named
      case OP_VM_MODULE:
        break;
      default:
        return ir_op_error(op, "cannot stand in a module at this phase");
    }
  }
  return needs_initializer(c->source) ? convert_initializers(c) : iree_ok_status();
}

iree_status_t vm_convert_module(pass_t *pass, ir_op_t *module) {
  iree_arena_t *arena = pass->scratch;
  vm_convert_fn_t *fns = IREE_ARENA_ARRAY(arena, vm_convert_fn_t, OP_COUNT);
  vm_register_arith(fns);
  vm_register_hal(fns);
  vm_register_util(fns);
  vm_register_parameters(fns);
  vm_register_check(fns);
  vm_register_kernel(fns);
  vm_convert_t c = {.pass = pass, .ctx = pass->ctx, .source = module, .fns = fns};
  c.imports = ir_map_create(arena);
  c.rodata = ir_map_create(arena);
  c.symbols = ir_map_create(arena);
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (ir_op_has_trait(op, IR_SYMBOL)) ir_map_set(c.symbols, ir_op_attr(op, "sym_name"), op);
  if (pass->io && pass->options->vm_index_bits)
    ir_warning(pass->ctx, module->loc,
               "--iree-vm-target-index-bits=32: host code computes indices in 64 bits, which gives the same results");
  IREE_RETURN_IF_ERROR(mark_yielding(&c));
  c.vm_module = create_module(&c);
  IREE_RETURN_IF_ERROR(convert_contents(&c));
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (op != c.vm_module) ir_op_erase(op);
  }
  ir_drop_dead(c.vm_module);
  ir_builder_t end = ir_builder_at_end(pass->ctx, c.body);
  end.loc = module->loc;
  ir_build(&end, &(ir_op_desc_t){.kind = OP_VM_MODULE_END});
  while (module->n_extra) ir_op_set_attr(pass->ctx, module, module->extra[0].name, NULL);
  ir_op_set_attr(pass->ctx, module, "vm.toplevel", ir_attr_unit(pass->ctx));
  return iree_ok_status();
}
