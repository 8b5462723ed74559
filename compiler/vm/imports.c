// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports are declared when first called, from the rows of abi/*_imports.def.
#include <string.h>

#include "compiler/dialects/vm_ops.h"
#include "compiler/vm/convert.h"

static const vm_import_row_t rows[] = {
#define NONE 'N'
#define PURE 'P'
#define YIELD 'Y'
#define HAL_IMPORT(name, cconv, version, effect, arguments, results, doc) \
  {"hal." name, cconv, arguments, results, version, effect},
#include "abi/hal_imports.def"
#undef HAL_IMPORT
#define IO_PARAMETERS_IMPORT(name, cconv, arguments, results, doc) \
  {"io_parameters." name, cconv, arguments, results, 0, NONE},
#include "abi/io_parameters_imports.def"
#undef IO_PARAMETERS_IMPORT
#define OPTIONAL 'O'
#define CHECK_IMPORT(name, cconv, arguments, doc) {"check." name, cconv, arguments, "", 0, OPTIONAL},
#include "abi/check_imports.def"
#undef CHECK_IMPORT
#undef OPTIONAL
#undef NONE
#undef PURE
#undef YIELD
};

// ---- signatures
static ir_type_t named_type(ir_ctx_t *ctx, const char *text, size_t n) {
  if (n == 3 && !memcmp(text, "i32", 3)) return ir_type_i(ctx, 32);
  if (n == 3 && !memcmp(text, "i64", 3)) return ir_type_i(ctx, 64);
  if (n == 3 && !memcmp(text, "f32", 3)) return ir_type_float(ctx, IR_F32);
  if (n > 8 && !memcmp(text, "vm.list<", 8)) {
    ir_type_t element = named_type(ctx, text + 8, n - 9);
    return ir_type_dialect(ctx, "vm.list", &element, 1);
  }
  const char *name = ir_intern(ctx, text, n);
  ir_type_t type = ir_type_dialect(ctx, name, NULL, 0);
  return strncmp(name, "hal.", 4) ? type : ir_type_dialect(ctx, "vm.ref", &type, 1);
}
static ir_type_t argument_type(ir_ctx_t *ctx, const char *text, size_t n, bool *variadic) {
  *variadic = text[n - 1] == '*';
  if (*variadic) --n;
  if (text[0] != '(') return named_type(ctx, text, n);
  ir_type_t members[16];
  size_t count = 0;
  for (const char *at = text + 1; at < text + n && count < 16;) {
    size_t len = strcspn(at, ",)");
    members[count++] = named_type(ctx, at, len);
    at += len + 1;
  }
  return ir_type_tuple(ctx, members, count);
}

static ir_op_t *declare(vm_convert_t *c, const vm_import_row_t *row) {
  ir_ctx_t *ctx = c->ctx;
  ir_type_t inputs[VM_MAX_GROUPS], results[4];
  ir_attr_t attrs[VM_MAX_GROUPS];
  size_t n = 0, n_results = 0;
  for (const char *at = row->arguments; *at;) {
    size_t len = strcspn(at, " "), name = strcspn(at, ":");
    bool variadic;
    inputs[n] = argument_type(ctx, at + name + 1, len - name - 1, &variadic);
    ir_attr_t pairs[4] = {ir_attr_str(ctx, "vm.name"), ir_attr_string(ctx, at, name),
                          ir_attr_str(ctx, "vm.variadic"), ir_attr_unit(ctx)};
    attrs[n++] = ir_attr_dict(ctx, pairs, variadic ? 2 : 1);
    at += len + (at[len] == ' ');
  }
  for (const char *at = row->results; *at;) {
    size_t len = strcspn(at, " ");
    results[n_results++] = named_type(ctx, at, len);
    at += len + (at[len] == ' ');
  }
  ir_named_t named[8] = {
      {"sym_name", ir_attr_str(ctx, row->name)},
      {"sym_visibility", ir_attr_str(ctx, "private")},
      {"function_type", ir_type_function(ctx, inputs, n, results, n_results)},
  };
  size_t n_named = 3;
  if (n) named[n_named++] = (ir_named_t){"arg_attrs", ir_attr_array(ctx, attrs, n)};
  if (row->minimum_version)
    named[n_named++] = (ir_named_t){"minimum_version", ir_attr_i32(ctx, row->minimum_version)};
  if (row->effect == 'P') named[n_named++] = (ir_named_t){"nosideeffects", ir_attr_unit(ctx)};
  if (row->effect == 'O') named[n_named++] = (ir_named_t){"is_optional", ir_attr_unit(ctx)};
  if (row->effect == 'Y') named[n_named++] = (ir_named_t){"vm.yield", ir_attr_unit(ctx)};
  ir_builder_t b = c->func ? ir_builder_before(ctx, c->func) : ir_builder_at_end(ctx, c->body);
  b.loc = c->vm_module->loc;
  return ir_build(
      &b,
      &(ir_op_desc_t){.kind = OP_VM_IMPORT, .attrs = named, .n_attrs = n_named, .n_regions = 1});
}

// The hal module's functions go by their names alone.
static bool is_named(const vm_import_row_t *row, const char *name) {
  return !strcmp(row->name, name) || (!strncmp(row->name, "hal.", 4) && !strcmp(row->name + 4, name));
}

void vm_call_begin(vm_convert_t *c, vm_call_t *call, const char *name) {
  *call = (vm_call_t){0};
  size_t i = 0;
  while (i < sizeof rows / sizeof *rows && !is_named(&rows[i], name)) ++i;
  IREE_ASSERT(i < sizeof rows / sizeof *rows);
  call->row = &rows[i];
  call->import = ir_map_get(c->imports, call->row);
  if (!call->import) ir_map_set(c->imports, call->row, call->import = declare(c, call->row));
  call->type = ir_op_attr(call->import, "function_type");
}

// ---- calls
ir_type_t vm_call_next_type(const vm_call_t *call) {
  return ir_fn_input(call->type, call->n_groups);
}

void vm_call_push(vm_convert_t *c, vm_call_t *call, ir_value_t *v) {
  IREE_ARENA_PUSH(c->pass->scratch, call->operands, call->n_operands, call->operand_cap, v);
}
void vm_call_arg(vm_convert_t *c, vm_call_t *call, ir_value_t *v) {
  vm_call_push(c, call, vm_resize(c, v, vm_call_next_type(call)));
  call->sizes[call->n_groups++] = -1;
}
void vm_call_list(vm_call_t *call, uint32_t n_entries) {
  call->sizes[call->n_groups++] = n_entries;
}

static ir_attr_t result_types(vm_convert_t *c, ir_type_t type, ir_type_t *out, size_t *out_n) {
  *out_n = ir_fn_n_results(type);
  for (size_t i = 0; i < *out_n; ++i) out[i] = ir_fn_result(type, i);
  return ir_attr_array(c->ctx, out, *out_n);
}

ir_value_t *vm_call_end(vm_convert_t *c, vm_call_t *call, uint32_t result) {
  ir_ctx_t *ctx = c->ctx;
  bool variadic = strchr(call->row->cconv, 'C') != NULL, yields = call->row->effect == 'Y';
  ir_type_t results[4], groups[VM_MAX_GROUPS];
  size_t n_results;
  ir_attr_t types = result_types(c, call->type, results, &n_results);
  for (uint32_t i = 0; i < call->n_groups; ++i) groups[i] = ir_fn_input(call->type, i);
  ir_named_t attrs[5] = {{"callee", ir_attr_sym(ctx, call->row->name)}};
  size_t n = 1;
  if (variadic) {
    attrs[n++] = (ir_named_t){"segment_sizes", vm_segment_sizes(ctx, call->sizes, call->n_groups)};
    attrs[n++] = (ir_named_t){"segment_types", ir_attr_array(ctx, groups, call->n_groups)};
  }
  if (!yields) {
    if (call->row->effect == 'P') attrs[n++] = (ir_named_t){"nosideeffects", ir_attr_unit(ctx)};
    ir_op_t *op =
        ir_build(&c->b, &(ir_op_desc_t){.kind = variadic ? OP_VM_CALL_VARIADIC : OP_VM_CALL,
                                        .operands = call->operands,
                                        .n_operands = call->n_operands,
                                        .results = results,
                                        .n_results = n_results,
                                        .attrs = attrs,
                                        .n_attrs = n});
    return result < n_results ? &op->results[result] : NULL;
  }
  attrs[n++] = (ir_named_t){"result_types", types};
  ir_block_t *next = vm_split_here(c);
  for (size_t i = 0; i < n_results; ++i) ir_block_add_arg(ctx, next, results[i]);
  ir_build(&c->b,
           &(ir_op_desc_t){.kind = variadic ? OP_VM_CALL_VARIADIC_YIELDABLE : OP_VM_CALL_YIELDABLE,
                           .operands = call->operands,
                           .n_operands = call->n_operands,
                           .attrs = attrs,
                           .n_attrs = n,
                           .succs = &next,
                           .n_succs = 1});
  vm_continue_in(c, next);
  return result < n_results ? next->args[result] : NULL;
}
