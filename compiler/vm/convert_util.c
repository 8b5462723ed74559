// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// util and cf ops: globals, calls, branches, status checks, byte buffers, lists.
#include "compiler/ir/fold.h"
#include "compiler/vm/convert.h"

static bool is_ref(ir_type_t type) { return type->kind == IR_T_DIALECT; }

static iree_status_t convert_null(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *v = is_ref(type)               ? vm_null(c, type)
                  : type->kind == IR_T_FLOAT ? vm_const(c, ir_attr_float_bits(c->ctx, type, 0))
                  : ir_type_width(type) > 32 ? vm_i64(c, 0)
                                             : vm_i32(c, 0);
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}

iree_status_t vm_convert_same(vm_convert_t *c, ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_results; ++i)
    vm_map(c, ir_result(op, i), vm_mapped(c, ir_operand(op, i)));
  return iree_ok_status();
}

static iree_status_t convert_cast(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *v = vm_mapped(c, ir_operand(op, 0));
  if (v->type != type)
    v = is_ref(type) ? vm_op(c, OP_VM_CAST_ANY_REF, type, v, NULL, NULL) : vm_resize(c, v, type);
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}

static iree_status_t convert_compare(vm_convert_t *c, ir_op_t *op) {
  ir_type_t i32 = ir_type_i(c->ctx, 32);
  ir_value_t *a = vm_mapped(c, ir_operand(op, 0)), *b = vm_mapped(c, ir_operand(op, 1)), *result;
  bool equal = op->kind == OP_UTIL_CMP_EQ;
  if (vm_is_null(a) || vm_is_null(b)) {
    result = vm_op(c, OP_VM_CMP_NZ_REF, i32, vm_is_null(a) ? b : a, NULL, NULL);
    if (equal) result = vm_op(c, OP_VM_XOR_I32, i32, result, vm_i32(c, 1), NULL);
  } else {
    result = vm_op(c, equal ? OP_VM_CMP_EQ_REF : OP_VM_CMP_NE_REF, i32, a, b, NULL);
  }
  vm_map(c, ir_result(op, 0), result);
  return iree_ok_status();
}

// ---- globals
typedef enum { BANK_I32, BANK_I64, BANK_F32, BANK_F64, BANK_REF } bank_t;
static bank_t bank_of(ir_type_t type) {
  bool wide = !is_ref(type) && ir_type_width(type) > 32;
  return is_ref(type)               ? BANK_REF
         : type->kind == IR_T_FLOAT ? (wide ? BANK_F64 : BANK_F32)
         : wide                     ? BANK_I64
                                    : BANK_I32;
}
#define BANKS(prefix, suffix)                                                               \
  {                                                                                         \
    prefix##_I32##suffix, prefix##_I64##suffix, prefix##_F32##suffix, prefix##_F64##suffix, \
        prefix##_REF##suffix                                                                \
  }
static const op_kind_t load_kinds[5] = BANKS(OP_VM_GLOBAL_LOAD, ),
                       store_kinds[5] = BANKS(OP_VM_GLOBAL_STORE, );
static const op_kind_t switch_kinds[5] = BANKS(OP_VM_SWITCH, ),
                       get_kinds[5] = BANKS(OP_VM_LIST_GET, ),
                       set_kinds[5] = BANKS(OP_VM_LIST_SET, );
#undef BANKS

static iree_status_t convert_load(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  vm_map(c, ir_result(op, 0),
         ir_build_attr(&c->b, (ir_kind_t)load_kinds[bank_of(type)], type, "global",
                       ir_op_attr(op, "global"), NULL, NULL));
  return iree_ok_status();
}
static iree_status_t convert_store(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *v = vm_mapped(c, ir_operand(op, 0));
  ir_named_t attr = {"global", ir_op_attr(op, "global")};
  ir_build(&c->b, &(ir_op_desc_t){.kind = (ir_kind_t)store_kinds[bank_of(v->type)],
                                  .operands = &v,
                                  .n_operands = 1,
                                  .attrs = &attr,
                                  .n_attrs = 1});
  return iree_ok_status();
}

// ---- branches
static ir_value_t **mapped_operands(vm_convert_t *c, const ir_op_t *op, uint32_t first,
                                    uint32_t n) {
  ir_value_t **values = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, n + 1);
  for (uint32_t i = 0; i < n; ++i) values[i] = vm_mapped(c, ir_operand(op, first + i));
  return values;
}
static iree_status_t convert_branch(vm_convert_t *c, ir_op_t *op) {
  ir_block_t **succs = IREE_ARENA_ARRAY(c->pass->scratch, ir_block_t *, op->n_succs);
  uint32_t *counts = IREE_ARENA_ARRAY(c->pass->scratch, uint32_t, op->n_succs);
  for (uint16_t s = 0; s < op->n_succs; ++s) {
    succs[s] = ir_map_get(c->blocks, op->succs[s].block);
    counts[s] = op->succs[s].n;
  }
  ir_value_t **values = mapped_operands(c, op, 0, op->n_operands);
  bool conditional = op->kind == OP_CF_COND_BR;
  uint32_t segments[3] = {1, conditional ? counts[0] : 0, conditional ? counts[1] : 0};
  ir_build(&c->b, &(ir_op_desc_t){.kind = conditional ? OP_VM_COND_BR : OP_VM_BR,
                                  .operands = values,
                                  .n_operands = op->n_operands,
                                  .segments = conditional ? segments : NULL,
                                  .succs = succs,
                                  .succ_operands = counts,
                                  .n_succs = op->n_succs});
  return iree_ok_status();
}

// cf.switch: comparisons one after the other.
static iree_status_t convert_switch(vm_convert_t *c, ir_op_t *op) {
  ir_attr_t cases = ir_op_attr(op, "case_values");
  ir_value_t *flag = vm_resize(c, vm_mapped(c, ir_operand(op, 0)), ir_type_i(c->ctx, 32));
  uint32_t n = op->n_succs - 1u;
  for (uint32_t i = 0; i < n; ++i) {
    int64_t value;
    ir_attr_t element =
        cases && cases->kind == IR_A_DENSE ? ir_dense_element(c->ctx, cases, i) : NULL;
    if (!element) return ir_op_error(op, "has cases without values");
    value = ir_int(element, 0);
    ir_block_t *next = vm_split_here(c);
    ir_block_t *succs[2] = {ir_map_get(c->blocks, op->succs[i + 1].block), next};
    uint32_t counts[2] = {op->succs[i + 1].n, 0}, segments[3] = {1, counts[0], 0};
    ir_value_t **values = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, counts[0] + 1);
    ir_value_t **passed = mapped_operands(c, op, op->succs[i + 1].first, counts[0]);
    values[0] =
        vm_op(c, OP_VM_CMP_EQ_I32, ir_type_i(c->ctx, 32), flag, vm_i32(c, (int32_t)value), NULL);
    for (uint32_t k = 0; k < counts[0]; ++k) values[k + 1] = passed[k];
    ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_COND_BR,
                                    .operands = values,
                                    .n_operands = counts[0] + 1,
                                    .segments = segments,
                                    .succs = succs,
                                    .succ_operands = counts,
                                    .n_succs = 2});
    vm_continue_in(c, next);
  }
  ir_block_t *to = ir_map_get(c->blocks, op->succs[0].block);
  uint32_t count = op->succs[0].n;
  ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_BR,
                                  .operands = mapped_operands(c, op, op->succs[0].first, count),
                                  .n_operands = count,
                                  .succs = &to,
                                  .succ_operands = &count,
                                  .n_succs = 1});
  return iree_ok_status();
}

static iree_status_t convert_assert(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *holds = vm_mapped(c, ir_operand(op, 0));
  ir_value_t *status = vm_op(c, OP_VM_SELECT_I32, ir_type_i(c->ctx, 32), holds, vm_i32(c, 0),
                             vm_i32(c, IREE_STATUS_FAILED_PRECONDITION));
  // Extents that differ are told.
  ir_op_t *compare = ir_def(ir_operand(op, 0));
  ir_value_t *told[2] = {NULL, NULL};
  bool tells = ir_op_is(compare, OP_ARITH_CMPI) && ir_op_attr(op, "msg");
  for (int i = 0; tells && i < 2; ++i) {
    told[i] = vm_mapped(c, ir_operand(compare, (size_t)i));
    tells = ir_type_is_int(told[i]->type, 64);
  }
  vm_check(c, status, ir_op_attr(op, "msg"), tells ? told : NULL);
  return iree_ok_status();
}
static iree_status_t convert_check_ok(vm_convert_t *c, ir_op_t *op) {
  vm_check(c, vm_mapped(c, ir_operand(op, 0)), ir_op_attr(op, "message"), NULL);
  return iree_ok_status();
}
static iree_status_t convert_unreachable(vm_convert_t *c, ir_op_t *op) {
  vm_fail(c, vm_i32(c, IREE_STATUS_INTERNAL), ir_op_attr(op, "message"));
  return iree_ok_status();
}

static iree_status_t convert_return(vm_convert_t *c, ir_op_t *op) {
  ir_value_t **values = mapped_operands(c, op, 0, op->n_operands);
  if (c->return_to)
    ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_BR,
                                    .succs = &c->return_to,
                                    .succ_operands = &(uint32_t){0},
                                    .n_succs = 1});
  else
    ir_build(&c->b, &(ir_op_desc_t){
                        .kind = OP_VM_RETURN, .operands = values, .n_operands = op->n_operands});
  return iree_ok_status();
}

// Calls |callee| with converted operands; |results| become the call's.
static iree_status_t build_call(vm_convert_t *c, ir_op_t *op, ir_attr_t callee, ir_value_t **results) {
  ir_ctx_t *ctx = c->ctx;
  const ir_op_t *target = ir_map_get(c->symbols, ir_kid(callee, callee->n_kids - 1));
  if (!ir_op_is(target, OP_UTIL_FUNC))
    return ir_op_error(op, "calls what is no function of this module");
  ir_type_t *types = IREE_ARENA_ARRAY(c->pass->scratch, ir_type_t, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_results; ++i)
    IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, i)->type, &types[i]));
  ir_value_t **values = mapped_operands(c, op, 0, op->n_operands);
  ir_named_t attrs[2] = {{"callee", callee},
                         {"result_types", ir_attr_array(ctx, types, op->n_results)}};
  if (!target->mark) {  // convert_module.c marks functions that may yield
    ir_op_t *call = ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_CALL,
                                                    .operands = values,
                                                    .n_operands = op->n_operands,
                                                    .results = types,
                                                    .n_results = op->n_results,
                                                    .attrs = attrs,
                                                    .n_attrs = 1});
    for (uint32_t i = 0; i < op->n_results; ++i) results[i] = ir_result(call, i);
    return iree_ok_status();
  }
  ir_block_t *next = vm_split_here(c);
  for (uint32_t i = 0; i < op->n_results; ++i) results[i] = ir_block_add_arg(ctx, next, types[i]);
  ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_CALL_YIELDABLE,
                                  .operands = values,
                                  .n_operands = op->n_operands,
                                  .attrs = attrs,
                                  .n_attrs = 2,
                                  .succs = &next,
                                  .n_succs = 1});
  vm_continue_in(c, next);
  return iree_ok_status();
}

// `%0 = call @optional` where the import may be missing: asks for it, and calls its fallback otherwise.
static iree_status_t build_call_or_fallback(vm_convert_t *c, ir_op_t *op, ir_attr_t callee, ir_attr_t fallback,
                                            ir_value_t **results) {
  ir_type_t i32 = ir_type_i(c->ctx, 32);
  ir_named_t import = {"import", callee};
  ir_op_t *resolved = ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_IMPORT_RESOLVED, .results = &i32, .n_results = 1,
                                                      .attrs = &import, .n_attrs = 1});
  ir_value_t *found = ir_result(resolved, 0);
  ir_block_t *last = vm_split_here(c), *have = ir_block_insert_before(c->ctx, last), *lack = ir_block_insert_before(c->ctx, last);
  ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_COND_BR, .operands = &found, .n_operands = 1,
                                  .segments = (uint32_t[]){1, 0, 0}, .succs = (ir_block_t *[]){have, lack},
                                  .succ_operands = (uint32_t[]){0, 0}, .n_succs = 2});
  for (int i = 0; i < 2; ++i) {
    vm_continue_in(c, i ? lack : have);
    IREE_RETURN_IF_ERROR(build_call(c, op, i ? fallback : callee, results));
    ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_BR, .operands = results, .n_operands = op->n_results, .succs = &last,
                                    .succ_operands = &(uint32_t){op->n_results}, .n_succs = 1});
  }
  for (uint32_t i = 0; i < op->n_results; ++i) results[i] = ir_block_add_arg(c->ctx, last, results[i]->type);
  vm_continue_in(c, last);
  return iree_ok_status();
}

static iree_status_t convert_call(vm_convert_t *c, ir_op_t *op) {
  ir_attr_t callee = ir_op_attr(op, "callee");
  const ir_op_t *target = ir_map_get(c->symbols, ir_kid(callee, callee->n_kids - 1));
  ir_attr_t fallback = target && target->n_regions && !ir_body(target) ? ir_op_attr(target, "vm.fallback") : NULL;
  ir_value_t **results = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, op->n_results + 1);
  IREE_RETURN_IF_ERROR(fallback ? build_call_or_fallback(c, op, callee, fallback, results) : build_call(c, op, callee, results));
  for (uint32_t i = 0; i < op->n_results; ++i) vm_map(c, ir_result(op, i), results[i]);
  return iree_ok_status();
}

// ---- integers
static iree_status_t convert_align(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *v = vm_mapped(c, ir_operand(op, 0)), *alignment = vm_mapped(c, ir_operand(op, 1));
  bool wide = ir_type_width(v->type) > 32;
  ir_value_t *one = wide ? vm_i64(c, 1) : vm_i32(c, 1);
  ir_value_t *mask = vm_op(c, wide ? OP_VM_SUB_I64 : OP_VM_SUB_I32, v->type, alignment, one, NULL);
  ir_value_t *up = vm_op(c, wide ? OP_VM_ADD_I64 : OP_VM_ADD_I32, v->type, v, mask, NULL);
  ir_value_t *keep = vm_op(c, wide ? OP_VM_NOT_I64 : OP_VM_NOT_I32, v->type, mask, NULL, NULL);
  vm_map(c, ir_result(op, 0),
         vm_op(c, wide ? OP_VM_AND_I64 : OP_VM_AND_I32, v->type, up, keep, NULL));
  return iree_ok_status();
}
static iree_status_t convert_sizeof(vm_convert_t *c, ir_op_t *op) {
  vm_map(c, ir_result(op, 0),
         vm_i64(c, (int64_t)ir_type_storage_bytes(ir_op_attr(op, "sizedType"))));
  return iree_ok_status();
}
static iree_status_t convert_range(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *v = vm_mapped(c, ir_operand(op, 0));
  bool wide = ir_type_width(v->type) > 32, min = op->kind == OP_UTIL_RANGE_MIN;
  op_kind_t kind = min    ? (wide ? OP_VM_MIN_I64_U : OP_VM_MIN_I32_U)
                   : wide ? OP_VM_MAX_I64_U
                          : OP_VM_MAX_I32_U;
  for (uint32_t i = 1; i < op->n_operands; ++i)
    v = vm_op(c, kind, v->type, v, vm_mapped(c, ir_operand(op, i)), NULL);
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}
static iree_status_t convert_value_switch(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t **values = mapped_operands(c, op, 0, op->n_operands);
  values[0] = vm_resize(c, values[0], ir_type_i(c->ctx, 32));
  ir_op_t *built = ir_build(&c->b, &(ir_op_desc_t){.kind = (ir_kind_t)switch_kinds[bank_of(type)],
                                                   .operands = values,
                                                   .n_operands = op->n_operands,
                                                   .results = &type,
                                                   .n_results = 1});
  vm_map(c, ir_result(op, 0), ir_result(built, 0));
  return iree_ok_status();
}

// ---- byte buffers
static iree_status_t convert_buffer_constant(vm_convert_t *c, ir_op_t *op) {
  ir_attr_t name = ir_op_attr(op, "name");
  vm_map(c, ir_result(op, 0),
         vm_rodata(c, ir_op_attr(op, "value"), name ? ir_bytes(name) : "_const",
                   ir_op_attr(op, "mime_type"), ir_op_int(op, "alignment", 0)));
  return iree_ok_status();
}
static iree_status_t convert_buffer_alloc(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *alignment = vm_i32(c, (int32_t)ir_op_int(op, "alignment", 0));
  vm_map(c, ir_result(op, 0),
         vm_op(c, OP_VM_BUFFER_ALLOC, type, vm_mapped(c, ir_operand(op, 0)), alignment, NULL));
  return iree_ok_status();
}
static iree_status_t convert_buffer_slice(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *operands[4] = {vm_mapped(c, ir_operand_named(op, "source")),
                             vm_mapped(c, ir_operand_named(op, "source_offset")),
                             vm_mapped(c, ir_operand_named(op, "result_size")),
                             vm_i32(c, (int32_t)ir_op_int(op, "alignment", 0))};
  ir_op_t *built = ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_BUFFER_CLONE,
                                                   .operands = operands,
                                                   .n_operands = 4,
                                                   .results = &type,
                                                   .n_results = 1});
  vm_map(c, ir_result(op, 0), ir_result(built, 0));
  return iree_ok_status();
}
static iree_status_t convert_buffer_size(vm_convert_t *c, ir_op_t *op) {
  vm_map(c, ir_result(op, 0),
         vm_op(c, OP_VM_BUFFER_LENGTH, ir_type_i(c->ctx, 64), vm_mapped(c, ir_operand(op, 0)), NULL,
               NULL));
  return iree_ok_status();
}
static iree_status_t convert_buffer_move(vm_convert_t *c, ir_op_t *op) {  // copy and compare
  static const char *const copy[] = {"source", "source_offset", "target", "target_offset",
                                     "length"};
  static const char *const compare[] = {"lhs", "lhs_offset", "rhs", "rhs_offset", "length"};
  bool copies = op->kind == OP_UTIL_BUFFER_COPY;
  ir_value_t *operands[5];
  for (int i = 0; i < 5; ++i)
    operands[i] = vm_mapped(c, ir_operand_named(op, (copies ? copy : compare)[i]));
  ir_type_t i32 = ir_type_i(c->ctx, 32);
  ir_op_t *built =
      ir_build(&c->b, &(ir_op_desc_t){.kind = copies ? OP_VM_BUFFER_COPY : OP_VM_BUFFER_COMPARE,
                                      .operands = operands,
                                      .n_operands = 5,
                                      .results = &i32,
                                      .n_results = copies ? 0 : 1});
  if (!copies) vm_map(c, ir_result(op, 0), ir_result(built, 0));
  return iree_ok_status();
}

// Loads and stores count in elements, util in bytes.
static ir_value_t *elements(vm_convert_t *c, ir_value_t *bytes, size_t size) {
  return size == 1 ? bytes
                   : vm_op(c, OP_VM_SHR_I64_U, bytes->type, bytes,
                           vm_i32(c, size == 2   ? 1
                                     : size == 4 ? 2
                                                 : 3),
                           NULL);
}
iree_status_t vm_load(vm_convert_t *c, ir_op_t *op, ir_value_t *buffer, ir_value_t *element) {
  ir_type_t old = ir_result(op, 0)->type, type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, old, &type));
  size_t size = ir_type_storage_bytes(old);
  op_kind_t kind = type->kind == IR_T_FLOAT
                       ? (size == 8 ? OP_VM_BUFFER_LOAD_F64 : OP_VM_BUFFER_LOAD_F32)
                   : size == 8 ? OP_VM_BUFFER_LOAD_I64
                   : size == 4 ? OP_VM_BUFFER_LOAD_I32
                   : size == 2 ? OP_VM_BUFFER_LOAD_I16_U
                               : OP_VM_BUFFER_LOAD_I8_U;
  vm_map(c, ir_result(op, 0), vm_op(c, kind, type, buffer, element, NULL));
  return iree_ok_status();
}
void vm_store(vm_convert_t *c, const ir_value_t *old, ir_value_t *buffer, ir_value_t *element) {
  ir_value_t *v = vm_mapped(c, old);
  size_t size = ir_type_storage_bytes(old->type);
  op_kind_t kind = v->type->kind == IR_T_FLOAT
                       ? (size == 8 ? OP_VM_BUFFER_STORE_F64 : OP_VM_BUFFER_STORE_F32)
                   : size == 8 ? OP_VM_BUFFER_STORE_I64
                   : size == 4 ? OP_VM_BUFFER_STORE_I32
                   : size == 2 ? OP_VM_BUFFER_STORE_I16
                               : OP_VM_BUFFER_STORE_I8;
  ir_value_t *operands[3] = {buffer, element, v};
  ir_build(&c->b, &(ir_op_desc_t){.kind = (ir_kind_t)kind, .operands = operands, .n_operands = 3});
}
static iree_status_t convert_buffer_load(vm_convert_t *c, ir_op_t *op) {
  size_t size = ir_type_storage_bytes(ir_result(op, 0)->type);
  return vm_load(c, op, vm_mapped(c, ir_operand_named(op, "source")),
                 elements(c, vm_mapped(c, ir_operand_named(op, "source_offset")), size));
}
static iree_status_t convert_buffer_store(vm_convert_t *c, ir_op_t *op) {
  const ir_value_t *v = ir_operand_named(op, "source");
  size_t size = ir_type_storage_bytes(v->type);
  vm_store(c, v, vm_mapped(c, ir_operand_named(op, "target")),
           elements(c, vm_mapped(c, ir_operand_named(op, "target_offset")), size));
  return iree_ok_status();
}
static iree_status_t convert_buffer_fill(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *v = vm_mapped(c, ir_operand_named(op, "pattern"));
  size_t size = ir_type_storage_bytes(ir_operand_named(op, "pattern")->type);
  op_kind_t kind = v->type->kind == IR_T_FLOAT
                       ? (size == 8 ? OP_VM_BUFFER_FILL_F64 : OP_VM_BUFFER_FILL_F32)
                   : size == 8 ? OP_VM_BUFFER_FILL_I64
                   : size == 4 ? OP_VM_BUFFER_FILL_I32
                   : size == 2 ? OP_VM_BUFFER_FILL_I16
                               : OP_VM_BUFFER_FILL_I8;
  ir_value_t *operands[4] = {vm_mapped(c, ir_operand_named(op, "target")),
                             elements(c, vm_mapped(c, ir_operand_named(op, "target_offset")), size),
                             elements(c, vm_mapped(c, ir_operand_named(op, "length")), size), v};
  ir_build(&c->b, &(ir_op_desc_t){.kind = (ir_kind_t)kind, .operands = operands, .n_operands = 4});
  return iree_ok_status();
}
iree_status_t vm_convert_nothing(vm_convert_t *c, ir_op_t *op) {
  (void)c, (void)op;
  return iree_ok_status();
}

// ---- lists
static iree_status_t convert_list_create(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *capacity = op->n_operands
                             ? vm_resize(c, vm_mapped(c, ir_operand(op, 0)), ir_type_i(c->ctx, 32))
                             : vm_i32(c, 0);
  vm_map(c, ir_result(op, 0), vm_op(c, OP_VM_LIST_ALLOC, type, capacity, NULL, NULL));
  return iree_ok_status();
}
static iree_status_t convert_list_size(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *size =
      vm_op(c, OP_VM_LIST_SIZE, ir_type_i(c->ctx, 32), vm_mapped(c, ir_operand(op, 0)), NULL, NULL);
  vm_map(c, ir_result(op, 0), vm_resize(c, size, ir_type_i(c->ctx, 64)));
  return iree_ok_status();
}
static iree_status_t convert_list_resize(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *operands[2] = {vm_mapped(c, ir_operand(op, 0)),
                             vm_resize(c, vm_mapped(c, ir_operand(op, 1)), ir_type_i(c->ctx, 32))};
  ir_build(&c->b,
           &(ir_op_desc_t){.kind = OP_VM_LIST_RESIZE, .operands = operands, .n_operands = 2});
  return iree_ok_status();
}
static iree_status_t convert_list_get(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *index = vm_resize(c, vm_mapped(c, ir_operand(op, 1)), ir_type_i(c->ctx, 32));
  vm_map(c, ir_result(op, 0),
         vm_op(c, get_kinds[bank_of(type)], type, vm_mapped(c, ir_operand(op, 0)), index, NULL));
  return iree_ok_status();
}
static iree_status_t convert_list_set(vm_convert_t *c, ir_op_t *op) {
  ir_value_t *v = vm_mapped(c, ir_operand(op, 2));
  ir_value_t *operands[3] = {vm_mapped(c, ir_operand(op, 0)),
                             vm_resize(c, vm_mapped(c, ir_operand(op, 1)), ir_type_i(c->ctx, 32)),
                             v};
  ir_build(&c->b, &(ir_op_desc_t){.kind = (ir_kind_t)set_kinds[bank_of(v->type)],
                                  .operands = operands,
                                  .n_operands = 3});
  return iree_ok_status();
}

void vm_register_util(vm_convert_fn_t *fns) {
  static const struct {
    op_kind_t kind;
    vm_convert_fn_t fn;
  } rows[] = {{OP_UTIL_NULL, convert_null},
              {OP_UTIL_CAST, convert_cast},
              {OP_UTIL_CMP_EQ, convert_compare},
              {OP_UTIL_CMP_NE, convert_compare},
              {OP_UTIL_GLOBAL_LOAD, convert_load},
              {OP_UTIL_GLOBAL_STORE, convert_store},
              {OP_UTIL_CALL, convert_call},
              {OP_UTIL_RETURN, convert_return},
              {OP_UTIL_STATUS_CHECK_OK, convert_check_ok},
              {OP_UTIL_UNREACHABLE, convert_unreachable},
              {OP_UTIL_ASSUME_INT, vm_convert_same},
              {OP_UTIL_OPTIMIZATION_BARRIER, vm_convert_same},
              {OP_UTIL_ALIGN, convert_align},
              {OP_UTIL_SIZEOF, convert_sizeof},
              {OP_UTIL_RANGE_MIN, convert_range},
              {OP_UTIL_RANGE_MAX, convert_range},
              {OP_UTIL_SWITCH, convert_value_switch},
              {OP_UTIL_BUFFER_CONSTANT, convert_buffer_constant},
              {OP_UTIL_BUFFER_ALLOC, convert_buffer_alloc},
              {OP_UTIL_BUFFER_DEALLOC, vm_convert_nothing},
              {OP_UTIL_BUFFER_SLICE, convert_buffer_slice},
              {OP_UTIL_BUFFER_SIZE, convert_buffer_size},
              {OP_UTIL_BUFFER_COPY, convert_buffer_move},
              {OP_UTIL_BUFFER_COMPARE, convert_buffer_move},
              {OP_UTIL_BUFFER_LOAD, convert_buffer_load},
              {OP_UTIL_BUFFER_STORE, convert_buffer_store},
              {OP_UTIL_BUFFER_FILL, convert_buffer_fill},
              {OP_UTIL_LIST_CREATE, convert_list_create},
              {OP_UTIL_LIST_SIZE, convert_list_size},
              {OP_UTIL_LIST_RESIZE, convert_list_resize},
              {OP_UTIL_LIST_GET, convert_list_get},
              {OP_UTIL_LIST_SET, convert_list_set},
              {OP_CF_BR, convert_branch},
              {OP_CF_COND_BR, convert_branch},
              {OP_CF_SWITCH, convert_switch},
              {OP_CF_ASSERT, convert_assert}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) fns[rows[i].kind] = rows[i].fn;
}
