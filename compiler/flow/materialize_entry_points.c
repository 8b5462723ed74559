// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives public functions the calling convention of the runtime: tensors become buffer views.
//   in:  public util.func on tensors      out: public util.func on !hal.buffer_view, scalars as they are
//   relies on: calls between functions having been inlined or their callees made private
//
//   util.func public @f(%a: tensor<?xf32>) -> tensor<?xf32> {...}
//   ->
//   util.func public @f(%a: !hal.buffer_view) -> !hal.buffer_view
//       attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(...) -> (...)"}} {
//     %d = hal.buffer_view.dim<%a : !hal.buffer_view>[0] : index
//     %0 = hal.tensor.import %a "input0" : !hal.buffer_view -> tensor<?xf32>{%d}
//     ...
//     %n = hal.tensor.export %m "output0" : tensor<?xf32>{%d} -> !hal.buffer_view
//
// With fences (--iree-execution-model=async-external, or iree.abi.model = "coarse-fences" on the
// function) two arguments follow: work waits for the first and signals the second.
#include <stdio.h>
#include <string.h>

#include "compiler/flow/shapes.h"
#include "compiler/flow/text.h"
#include "compiler/ir/printer.h"
#include "compiler/pass.h"

typedef struct entry {
  pass_t *pass;
  ir_op_t *func;
  bool fences;
  ir_type_t view;
  ir_value_t *wait, *signal;
} entry_t;

static bool is_tensor(ir_type_t type) { return ir_is(type, IR_T_TENSOR); }

static ir_attr_t attrs_at(const ir_op_t *func, const char *name, size_t i) {
  ir_attr_t list = ir_op_attr(func, name);
  return list && i < list->n_kids ? ir_kid(list, i) : NULL;
}

// ---- reflection: the declaration as the user knows it
static void declare_value(text_t *t, const char *word, size_t i, ir_type_t type, ir_attr_t attrs) {
  ir_attr_t name = ir_dict_get(attrs, "iree.abi.name");
  if (name) text_add(t, "%s%%%s: %s", i ? ", " : "", ir_bytes(name), ir_print_term_to(t->arena, type));
  else text_add(t, "%s%%%s%zu: %s", i ? ", " : "", word, i, ir_print_term_to(t->arena, type));
  bool any = false;
  for (uint32_t k = 0; attrs && k + 1 < attrs->n_kids; k += 2) {
    const char *key = ir_bytes(ir_kid(attrs, k));
    if (strncmp(key, "iree.abi.", 9) || !strcmp(key, "iree.abi.name")) continue;
    text_add(t, "%s%s = %s", any ? ", " : " {", key, ir_print_term_to(t->arena, ir_kid(attrs, k + 1)));
    any = true;
  }
  if (any) text_add(t, "}");
}
static ir_attr_t declaration(const entry_t *e, ir_type_t type) {
  text_t t = {.arena = e->pass->scratch};
  text_add(&t, "%s func @%s(", e->fences ? "async" : "sync", ir_bytes(ir_op_attr(e->func, "sym_name")));
  for (size_t i = 0; i < ir_fn_n_inputs(type); ++i)
    declare_value(&t, "input", i, ir_fn_input(type, i), attrs_at(e->func, "arg_attrs", i));
  text_add(&t, ") -> (");
  for (size_t i = 0; i < ir_fn_n_results(type); ++i)
    declare_value(&t, "output", i, ir_fn_result(type, i), attrs_at(e->func, "res_attrs", i));
  text_add(&t, ")");
  return ir_attr_string(e->pass->ctx, t.data, t.n);
}

static void set_reflection(const entry_t *e, ir_type_t type) {
  ir_ctx_t *ctx = e->pass->ctx;
  ir_attr_t old = ir_op_attr(e->func, "iree.reflection");
  uint32_t n = old ? old->n_kids : 0;
  ir_attr_t *pairs = IREE_ARENA_ARRAY(e->pass->scratch, ir_attr_t, n + 4);
  if (n) memcpy(pairs, ir_kids(old), n * sizeof *pairs);
  pairs[n] = ir_attr_str(ctx, "iree.abi.declaration");
  pairs[n + 1] = declaration(e, type);
  if (!old || !ir_dict_get(old, "iree.abi.declaration")) n += 2;
  pairs[n] = ir_attr_str(ctx, "iree.abi.model");
  pairs[n + 1] = ir_attr_str(ctx, "coarse-fences");
  if (e->fences && (!old || !ir_dict_get(old, "iree.abi.model"))) n += 2;
  ir_op_set_attr(ctx, e->func, "iree.abi.stub", ir_attr_unit(ctx));
  ir_op_set_attr(ctx, e->func, "iree.reflection", ir_attr_dict(ctx, pairs, n / 2));
}

// ---- arguments
static ir_type_t encoding_of(ir_attr_t attrs, ir_type_t type) {
  ir_attr_t encoding = ir_dict_get(attrs, "iree.abi.encoding");
  return encoding && ir_type_is_type(encoding) ? encoding : type;
}
static void import_argument(entry_t *e, ir_builder_t *b, ir_value_t *arg, ir_attr_t attrs) {
  ir_ctx_t *ctx = b->ctx;
  ir_type_t type = arg->type;
  arg->type = e->view;
  size_t rank = ir_type_rank(type), n = 1, n_dims = 0;
  ir_value_t **operands = IREE_ARENA_ARRAY(e->pass->scratch, ir_value_t *, rank + 2);
  // The uses move to the import; its own operand must stay: detach them first.
  ir_op_t *first = NULL;
  for (size_t i = 0; i < rank; ++i) {
    if (ir_type_dim(type, i) != IR_DYNAMIC) continue;
    ir_op_t *dim = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_BUFFER_VIEW_DIM, .results = (ir_type_t[]){ir_type_index(ctx)},
                                               .n_results = 1, .operands = &arg, .n_operands = 1,
                                               .attrs = &(ir_named_t){"index", ir_attr_index(ctx, (int64_t)i)}, .n_attrs = 1});
    if (!first) first = dim;
    operands[n++] = ir_result(dim, 0);
    ++n_dims;
  }
  operands[0] = arg;
  if (e->wait) operands[n++] = e->wait;
  char name[32];
  snprintf(name, sizeof name, "input%u", arg->index);
  ir_named_t named[3] = {{"target_encoding", encoding_of(attrs, type)}, {"name", ir_attr_str(ctx, name)}};
  if (ir_dict_get(attrs, "iree.abi.output")) named[2] = (ir_named_t){"consume", ir_attr_unit(ctx)};
  ir_op_t *import = ir_op_create(ctx, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_IMPORT, .loc = b->loc, .operands = operands,
                                                      .n_operands = n, .segments = (uint32_t[]){1, (uint32_t)n_dims, e->wait ? 1 : 0, 0},
                                                      .results = &type, .n_results = 1, .attrs = named, .n_attrs = 3});
  // Every use but those of the ops just made reads the tensor.
  for (ir_use_t *use = arg->uses, *next; use; use = next) {
    next = use->next;
    if (use->user == import || use->user->kind == OP_HAL_BUFFER_VIEW_DIM) continue;
    ir_use_set(use, ir_result(import, 0));
  }
  ir_insert(b, import);
}

// ---- results
static ir_value_t *aliased_storage(const entry_t *e, uint32_t result) {
  ir_attr_t args = ir_op_attr(e->func, "arg_attrs");
  for (uint32_t i = 0; args && i < args->n_kids; ++i) {
    ir_attr_t output = ir_dict_get(ir_kid(args, i), "iree.abi.output");
    if (output && output->n_ints && ir_int(output, 0) == result) return ir_body(e->func)->args[i];
  }
  return NULL;
}
static iree_status_t export_value(entry_t *e, ir_builder_t *b, ir_value_t *value, uint32_t i, ir_value_t **out) {
  ir_ctx_t *ctx = b->ctx;
  ir_type_t type = value->type;
  size_t n_dims = ir_type_n_dynamic(type);
  ir_value_t **operands = IREE_ARENA_ARRAY(e->pass->scratch, ir_value_t *, n_dims + 2);
  operands[0] = value;
  IREE_RETURN_IF_ERROR(shape_dynamic_dims(b, value, operands + 1));
  ir_value_t *storage = aliased_storage(e, i);
  if (storage) {
    operands[n_dims + 1] = storage;
    ir_op_t *alias = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_ALIAS, .operands = operands, .n_operands = n_dims + 2,
                                                 .segments = (uint32_t[]){1, (uint32_t)n_dims, 1, 0}, .results = &type, .n_results = 1});
    operands[0] = ir_result(alias, 0);
  }
  char name[32];
  snprintf(name, sizeof name, "output%u", i);
  ir_named_t named[2] = {{"source_encoding", encoding_of(attrs_at(e->func, "res_attrs", i), type)}, {"name", ir_attr_str(ctx, name)}};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_EXPORT, .operands = operands, .n_operands = n_dims + 1,
                                            .results = &e->view, .n_results = 1, .attrs = named, .n_attrs = 2});
  *out = ir_result(op, 0);
  return iree_ok_status();
}
// All tensors pass one barrier that signals the fence; without tensors the fence is signaled at once.
static iree_status_t signal_fence(entry_t *e, ir_builder_t *b, ir_value_t **values, uint32_t n) {
  ir_value_t **sources = IREE_ARENA_ARRAY(e->pass->scratch, ir_value_t *, n + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(e->pass->scratch, ir_type_t, n + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (is_tensor(values[i]->type)) types[count] = values[i]->type, sources[count++] = values[i];
  if (!count) {
    ir_kind_t kind = ir_kind_lookup(b->ctx, iree_make_cstring_view("hal.fence.signal"));
    if (!kind) return ir_op_error(e->func, "returns no tensor to signal the fence with; use the sync model");
    ir_build(b, &(ir_op_desc_t){.kind = kind, .operands = &e->signal, .n_operands = 1});
    return iree_ok_status();
  }
  sources[count] = e->signal;
  ir_op_t *barrier = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_BARRIER, .operands = sources, .n_operands = count + 1,
                                                 .results = types, .n_results = count});
  uint32_t k = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (is_tensor(values[i]->type)) values[i] = ir_result(barrier, k++);
  return iree_ok_status();
}
static iree_status_t export_results(entry_t *e, ir_op_t *ret) {
  ir_builder_t b = ir_builder_before(e->pass->ctx, ret);
  uint32_t n = ret->n_operands;
  ir_value_t **values = IREE_ARENA_ARRAY(e->pass->scratch, ir_value_t *, n + 1);
  for (uint32_t i = 0; i < n; ++i) values[i] = ir_operand(ret, i);
  if (e->signal) IREE_RETURN_IF_ERROR(signal_fence(e, &b, values, n));
  for (uint32_t i = 0; i < n; ++i)
    if (is_tensor(values[i]->type)) IREE_RETURN_IF_ERROR(export_value(e, &b, values[i], i, &values[i]));
  ir_op_set_operands(e->pass->ctx, ret, values, n, NULL);
  return iree_ok_status();
}

static iree_status_t check_types(const entry_t *e, ir_type_t type) {
  for (uint32_t i = 0; i < type->n_kids; ++i) {
    ir_type_t t = ir_kid(type, i);
    bool fits = is_tensor(t) || ir_type_is_integer_like(t) || ir_type_is_float(t) || ir_is(t, IR_T_DIALECT);
    if (!fits)
      return ir_op_error(e->func, "has type %s in its signature, which no public function can take or return; use tensors or scalars",
                         ir_print_term_to(e->pass->scratch, t));
  }
  return iree_ok_status();
}

// Runtimes call exports of these names when a module is loaded and unloaded.
static iree_status_t check_name(ir_op_t *func) {
  ir_attr_t name = ir_op_attr(func, "sym_name");
  if (!ir_str_is(name, "__init") && !ir_str_is(name, "__deinit")) return iree_ok_status();
  return ir_op_error(func, "is named '%s', which loading a module calls; name it otherwise", ir_bytes(name));
}

static iree_status_t wrap(pass_t *pass, ir_op_t *func) {
  ir_ctx_t *ctx = pass->ctx;
  ir_attr_t model = ir_op_attr(func, "iree.abi.model");
  if (model) ir_op_set_attr(ctx, func, "iree.abi.model", NULL);
  entry_t e = {.pass = pass, .func = func, .view = ir_type_dialect(ctx, "hal.buffer_view", NULL, 0)};
  e.fences = model ? ir_str_is(model, "coarse-fences") : pass->options->execution_model == MODEL_ASYNC_EXTERNAL;
  ir_type_t type = ir_op_attr(func, "function_type");
  IREE_RETURN_IF_ERROR(check_name(func));
  IREE_RETURN_IF_ERROR(check_types(&e, type));
  set_reflection(&e, type);
  ir_block_t *entry = ir_body(func);
  uint32_t n_args = entry->n_args;
  if (e.fences) {
    ir_type_t fence = ir_type_dialect(ctx, "hal.fence", NULL, 0);
    e.wait = ir_block_add_arg(ctx, entry, fence);
    e.signal = ir_block_add_arg(ctx, entry, fence);
  }
  ir_builder_t b = ir_builder_at_start(ctx, entry);
  b.loc = func->loc;
  for (uint32_t i = 0; i < n_args; ++i)
    if (is_tensor(entry->args[i]->type)) import_argument(&e, &b, entry->args[i], attrs_at(func, "arg_attrs", i));
  for (ir_block_t *block = entry; block; block = block->next)
    if (ir_op_is(block->last, OP_UTIL_RETURN)) IREE_RETURN_IF_ERROR(export_results(&e, block->last));
  ir_type_t *types = IREE_ARENA_ARRAY(pass->scratch, ir_type_t, entry->n_args + ir_fn_n_results(type) + 1);
  ir_type_t *results = types + entry->n_args;
  for (uint32_t i = 0; i < entry->n_args; ++i) types[i] = entry->args[i]->type;
  for (size_t i = 0; i < ir_fn_n_results(type); ++i)
    results[i] = is_tensor(ir_fn_result(type, i)) ? e.view : ir_fn_result(type, i);
  ir_op_set_attr(ctx, func, "function_type", ir_type_function(ctx, types, entry->n_args, results, ir_fn_n_results(type)));
  ir_op_set_attr(ctx, func, "arg_attrs", NULL);
  ir_op_set_attr(ctx, func, "res_attrs", NULL);
  return iree_ok_status();
}

iree_status_t flow_materialize_entry_points(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind != OP_UTIL_FUNC || !ir_body(op)) continue;
    ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
    if (visibility && !ir_str_is(visibility, "public")) continue;
    if (ir_op_attr(op, "iree.abi.stub")) continue;
    IREE_RETURN_IF_ERROR(wrap(pass, op));
  }
  return iree_ok_status();
}
