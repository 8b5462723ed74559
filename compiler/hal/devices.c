// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and executables as globals that initializers fill when a module is loaded.
//
// A device global takes the first device of the host whose driver matches and which accepts a
// format that was compiled for it. An executable global takes the first variant that its device
// accepts.
#include <stdio.h>
#include <string.h>

#include "compiler/hal/convert.h"

enum { MAX_TARGETS = 16, MAX_FORMATS = 16 };

// ---- module parts
ir_attr_t hal_add_global(hal_convert_t *c, ir_op_t *after, const char *name, ir_type_t type,
                         ir_op_t **out_op) {
  ir_ctx_t *ctx = c->ctx;
  char unique[256];
  snprintf(unique, sizeof unique, "%.200s", name);
  for (unsigned i = 0; ir_map_get(c->symbols, ir_attr_str(ctx, unique)); ++i)
    snprintf(unique, sizeof unique, "%.200s_%u", name, i);
  ir_named_t attrs[3] = {{"sym_name", ir_attr_str(ctx, unique)},
                         {"sym_visibility", ir_attr_str(ctx, "private")},
                         {"type", type}};
  ir_builder_t b =
      after ? ir_builder_after(ctx, after) : ir_builder_at_start(ctx, ir_body(c->module));
  b.loc = c->module->loc;
  ir_op_t *op = ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL, .attrs = attrs, .n_attrs = 3});
  ir_map_set(c->symbols, attrs[0].value, op);
  if (out_op) *out_op = op;
  return ir_attr_sym(ctx, unique);
}

ir_op_t *hal_add_initializer(hal_convert_t *c, ir_op_t *after, ir_builder_t *out_b) {
  ir_ctx_t *ctx = c->ctx;
  ir_builder_t b =
      after ? ir_builder_after(ctx, after) : ir_builder_at_end(ctx, ir_body(c->module));
  b.loc = c->module->loc;
  ir_named_t attr = {"function_type", ir_type_function(ctx, NULL, 0, NULL, 0)};
  ir_op_t *op = ir_build(
      &b,
      &(ir_op_desc_t){.kind = OP_UTIL_INITIALIZER, .attrs = &attr, .n_attrs = 1, .n_regions = 1});
  *out_b = ir_builder_at_end(ctx, ir_block_create(ctx, op->regions[0]));
  out_b->loc = c->module->loc;
  return op;
}

static void store_and_return(hal_convert_t *c, ir_builder_t *b, ir_value_t *v, ir_attr_t symbol) {
  ir_named_t attr = {"global", symbol};
  hal_build(b, OP_UTIL_GLOBAL_STORE, &v, 1, NULL, NULL, &attr, 1);
  hal_build(b, OP_UTIL_RETURN, NULL, 0, NULL, NULL, NULL, 0);
  (void)c;
}
static void branch(ir_builder_t *b, ir_block_t *to, ir_value_t *const *values, uint32_t n) {
  ir_build(b, &(ir_op_desc_t){.kind = OP_CF_BR,
                              .operands = values,
                              .n_operands = n,
                              .succs = &to,
                              .succ_operands = &n,
                              .n_succs = 1});
}
// Each successor is passed its value unless that is NULL.
static void branch_if(ir_builder_t *b, ir_value_t *condition, ir_block_t *yes,
                      ir_value_t *yes_value, ir_block_t *no, ir_value_t *no_value) {
  ir_value_t *operands[3] = {condition};
  uint32_t n = 1, counts[2] = {yes_value != NULL, no_value != NULL},
           segments[3] = {1, counts[0], counts[1]};
  if (yes_value) operands[n++] = yes_value;
  if (no_value) operands[n++] = no_value;
  ir_build(b, &(ir_op_desc_t){.kind = OP_CF_COND_BR,
                              .operands = operands,
                              .n_operands = n,
                              .segments = segments,
                              .succs = (ir_block_t *[]){yes, no},
                              .succ_operands = counts,
                              .n_succs = 2});
}
ir_value_t *hal_query(hal_convert_t *c, ir_builder_t *b, ir_value_t *device, const char *category,
                      const char *key) {
  ir_type_t i1 = ir_type_i(c->ctx, 1);
  ir_named_t attrs[2] = {{"category", ir_attr_str(c->ctx, category)},
                         {"key", ir_attr_str(c->ctx, key)}};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_DEVICE_QUERY,
                                            .operands = &device,
                                            .n_operands = 1,
                                            .results = (ir_type_t[]){i1, i1},
                                            .n_results = 2,
                                            .attrs = attrs,
                                            .n_attrs = 2});
  return ir_result(op, 1);  // false where the property is not known
}
// Never returns; |done| gets a null all the same, so that the initializer has one end.
static void fail(hal_convert_t *c, ir_builder_t *b, int32_t code, const char *message,
                 ir_block_t *done, const char *type) {
  ir_value_t *status = hal_i32(c, b, code);
  ir_named_t attr = {"message", ir_attr_str(c->ctx, message)};
  hal_build(b, OP_UTIL_STATUS_CHECK_OK, &status, 1, NULL, NULL, &attr, 1);
  ir_value_t *null = hal_null(c, b, type);
  branch(b, done, &null, 1);
}

// ---- what a device global asks for
typedef struct choices {
  ir_attr_t targets[MAX_TARGETS];  // #hal.device.target, by preference
  size_t n;
} choices_t;

static iree_status_t collect_choices(const ir_op_t *op, ir_attr_t attr, choices_t *out) {
  if (attr->kind == IR_A_TYPED) attr = ir_kid(attr, 0);
  if (attr->kind == IR_A_ARRAY) {
    for (uint32_t i = 0; i < attr->n_kids; ++i)
      IREE_RETURN_IF_ERROR(collect_choices(op, ir_kid(attr, i), out));
    return iree_ok_status();
  }
  if (attr->kind == IR_A_DIALECT && !strcmp(ir_bytes(attr), "hal.device.select"))
    return collect_choices(op, ir_kid(attr, 0), out);
  if (attr->kind == IR_A_DIALECT && !strcmp(ir_bytes(attr), "hal.device.target") && attr->n_kids &&
      out->n < MAX_TARGETS) {
    out->targets[out->n++] = attr;
    return iree_ok_status();
  }
  return ir_op_error(
      op,
      "asks for a device in a way that is not known; use #hal.device.target or #hal.device.select");
}

static size_t formats_of(ir_attr_t target, const char *out[MAX_FORMATS]) {
  size_t n = 0;
  for (uint32_t i = 1; i < target->n_kids; ++i) {
    ir_attr_t list = ir_kid(target, i);
    for (uint32_t k = 0; list->kind == IR_A_ARRAY && k < list->n_kids && n < MAX_FORMATS; ++k) {
      ir_attr_t executable = ir_kid(list, k);
      if (executable->n_kids > 1 && ir_is(ir_kid(executable, 1), IR_A_STRING))
        out[n++] = ir_bytes(ir_kid(executable, 1));
    }
  }
  return n;
}

static bool is_local(ir_attr_t target) { return ir_str_is(ir_kid(target, 0), "local"); }

// Drivers of local devices are named local-sync, local-task, ...
static const char *driver_pattern(hal_convert_t *c, ir_attr_t target) {
  const char *name = ir_bytes(ir_kid(target, 0));
  return is_local(target) ? ir_intern(c->ctx, "local*", 6) : name;
}

static void add_text(char *text, size_t size, const char *more) {
  size_t n = strlen(text);
  snprintf(text + n, size - n, "%s", more);
}

// `local[2]` is the third device that matches.
static int64_t ordinal_of(ir_attr_t target) {
  for (uint32_t i = 1; i < target->n_kids; ++i) {
    ir_attr_t ordinal =
        ir_is(ir_kid(target, i), IR_A_DICT) ? ir_dict_get(ir_kid(target, i), "ordinal") : NULL;
    if (ir_is(ordinal, IR_A_INT)) return ir_int(ordinal, 0);
  }
  return 0;
}

typedef struct search {
  hal_convert_t *c;
  ir_builder_t *b;
  ir_block_t *found;
  char *wanted;  // what is looked for, in words
  size_t wanted_size;
} search_t;

// Tests |device| from the builder's block on; control goes to |hit| or |next| (with |left| where
// not NULL).
static void test_device(search_t *s, ir_attr_t target, ir_value_t *device, ir_block_t *hit,
                        ir_value_t *hit_value, ir_block_t *next, ir_value_t *left) {
  const char *formats[MAX_FORMATS], *pattern = driver_pattern(s->c, target);
  size_t n_formats = formats_of(target, formats);
  ir_value_t *matches = hal_query(s->c, s->b, device, "hal.device.id", pattern);
  add_text(s->wanted, s->wanted_size, " ");
  add_text(s->wanted, s->wanted_size, pattern);
  for (size_t f = 0; f < n_formats; ++f) {
    ir_block_t *test = ir_block_insert_before(s->c->ctx, next);
    if (f)
      branch_if(s->b, matches, hit, hit_value, test, NULL);
    else
      branch_if(s->b, matches, test, NULL, next, left);
    s->b->block = test;
    matches = hal_query(s->c, s->b, device, "hal.executable.format", formats[f]);
    add_text(s->wanted, s->wanted_size, f ? "|" : " with ");
    add_text(s->wanted, s->wanted_size, formats[f]);
  }
  branch_if(s->b, matches, hit, hit_value, next, left);
}

// for i = 0 until there is no device i: if it matches, take it; of an ordinal, pass over as many
// first
static void search_devices(search_t *s, ir_attr_t target) {
  hal_convert_t *c = s->c;
  ir_builder_t *b = s->b;
  ir_ctx_t *ctx = c->ctx;
  ir_type_t index = ir_type_index(ctx), i1 = ir_type_i(ctx, 1);
  ir_region_t *region = b->block->region;
  int64_t ordinal = ordinal_of(target);
  ir_block_t *loop = ir_block_create(ctx, region), *body = ir_block_create(ctx, region),
             *hit = ordinal ? ir_block_create(ctx, region) : s->found,
             *next = ir_block_create(ctx, region), *done = ir_block_create(ctx, region);
  ir_value_t *none = hal_null(c, b, "hal.device");
  branch(b, loop, (ir_value_t *[]){hal_index(c, b, 0), hal_index(c, b, ordinal)}, ordinal ? 2 : 1);
  b->block = loop;
  ir_value_t *i = ir_block_add_arg(ctx, loop, index),
             *left = ordinal ? ir_block_add_arg(ctx, loop, index) : NULL;
  ir_value_t *device =
      hal_build(b, OP_HAL_DEVICES_GET, &i, 1, NULL, hal_type(c, "hal.device"), NULL, 0);
  ir_value_t *more =
      hal_build(b, OP_UTIL_CMP_NE, (ir_value_t *[]){device, none}, 2, NULL, i1, NULL, 0);
  branch_if(b, more, body, NULL, done, NULL);
  b->block = body;
  test_device(s, target, device, hit, ordinal ? NULL : device, next, left);
  if (ordinal) {
    b->block = hit;
    ir_named_t equal = {"predicate", ir_attr_keyword(ctx, "eq")};
    ir_value_t *last = hal_build(b, OP_ARITH_CMPI, (ir_value_t *[]){left, hal_index(c, b, 0)}, 2,
                                 NULL, i1, &equal, 1);
    ir_value_t *fewer = hal_build(b, OP_ARITH_SUBI, (ir_value_t *[]){left, hal_index(c, b, 1)}, 2,
                                  NULL, index, NULL, 0);
    branch_if(b, last, s->found, device, next, fewer);
  }
  b->block = next;
  ir_value_t *up[2] = {hal_add(c, b, i, hal_index(c, b, 1)),
                       ordinal ? ir_block_add_arg(ctx, next, index) : NULL};
  branch(b, loop, up, ordinal ? 2 : 1);
  b->block = done;
}

static iree_status_t materialize_device(hal_convert_t *c, ir_op_t *global, ir_attr_t value) {
  ir_ctx_t *ctx = c->ctx;
  ir_type_t type = hal_type(c, "hal.device");
  choices_t choices = {.n = 0};
  IREE_RETURN_IF_ERROR(collect_choices(global, value, &choices));
  bool host = choices.n > 0;
  for (size_t i = 0; i < choices.n; ++i) host = host && is_local(choices.targets[i]);
  if (host) ir_map_set(c->hosts, ir_op_attr(global, "sym_name"), global);
  ir_op_set_attr(ctx, global, "initial_value", NULL);
  ir_op_set_attr(ctx, global, "type", type);
  ir_builder_t b;
  c->last_initializer = hal_add_initializer(c, global, &b);
  ir_block_t *found = ir_block_create(ctx, c->last_initializer->regions[0]);
  char message[512] = "no device";
  search_t search = {c, &b, found, message, sizeof message};
  for (size_t i = 0; i < choices.n; ++i) {
    if (i) add_text(message, sizeof message, ",");
    search_devices(&search, choices.targets[i]);
  }
  ir_value_t *device = ir_block_add_arg(ctx, found, type);
  fail(c, &b, IREE_STATUS_INCOMPATIBLE, message, found, "hal.device");
  ir_builder_t end = {ctx, found, NULL, b.loc};
  store_and_return(c, &end, device, ir_attr_sym(ctx, ir_str(ir_op_attr(global, "sym_name")).data));
  return iree_ok_status();
}

iree_status_t hal_materialize_devices(hal_convert_t *c) {
  size_t n = 0;
  for (ir_op_t *op = ir_body(c->module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind != OP_UTIL_GLOBAL) continue;
    ir_attr_t value = ir_op_attr(op, "initial_value"), type = ir_op_attr(op, "type");
    if (!ir_type_is(type, "hal.device")) continue;
    c->device = ir_attr_sym(c->ctx, ir_str(ir_op_attr(op, "sym_name")).data);
    ++n;
    if (value)
      IREE_RETURN_IF_ERROR(materialize_device(c, op, value));
    else
      c->last_initializer = op;
  }
  if (n != 1) c->device = NULL;
  ir_attr_t fallback = ir_op_attr(c->module, "stream.affinity.default");
  if (fallback && fallback->n_kids && ir_is(ir_kid(fallback, 0), IR_A_SYMREF))
    c->device = ir_kid(fallback, 0);
  return iree_ok_status();
}

// ---- executables
const char *hal_variant_format(const ir_op_t *variant) {
  if (variant->kind == OP_HAL_EXECUTABLE_BINARY) return ir_bytes(ir_op_attr(variant, "format"));
  ir_attr_t target = ir_op_attr(variant, "target");
  return target->n_kids > 1 && ir_is(ir_kid(target, 1), IR_A_STRING) ? ir_bytes(ir_kid(target, 1))
                                                                     : "";
}
static ir_value_t *create(hal_convert_t *c, ir_builder_t *b, ir_value_t *device,
                          ir_attr_t executable, const ir_op_t *variant) {
  ir_attr_t target = ir_attr_symref(
      c->ctx, (const char *[]){ir_bytes(executable), ir_op_sym_name(variant).data}, 2);
  ir_named_t attr = {"executable_target", target};
  return hal_build(b, OP_HAL_EXECUTABLE_CREATE, (ir_value_t *[]){device, hal_i64(c, b, -1)}, 2,
                   NULL, hal_type(c, "hal.executable"), &attr, 1);
}

// One variant needs no choice: loading it is the test. Of several the first that the device
// accepts.
static void create_executable(hal_convert_t *c, ir_builder_t *b, ir_value_t *device, ir_attr_t name,
                              const ir_op_t *executable, ir_attr_t symbol) {
  ir_ctx_t *ctx = c->ctx;
  const ir_op_t *variants[MAX_TARGETS];
  size_t n = 0;
  for (ir_op_t *op = ir_body(executable)->first; op && n < MAX_TARGETS; op = op->next)
    if (op->kind == OP_HAL_EXECUTABLE_VARIANT || op->kind == OP_HAL_EXECUTABLE_BINARY)
      variants[n++] = op;
  if (n == 1) {
    store_and_return(c, b, create(c, b, device, name, variants[0]), symbol);
    return;
  }
  ir_region_t *region = b->block->region;
  ir_block_t *done = ir_block_create(ctx, region);
  ir_value_t *chosen = ir_block_add_arg(ctx, done, hal_type(c, "hal.executable"));
  for (size_t i = 0; i < n; ++i) {
    ir_block_t *yes = ir_block_create(ctx, region), *no = ir_block_create(ctx, region);
    branch_if(b, hal_query(c, b, device, "hal.executable.format", hal_variant_format(variants[i])),
              yes, NULL, no, NULL);
    b->block = yes;
    ir_value_t *executable_value = create(c, b, device, name, variants[i]);
    branch(b, done, &executable_value, 1);
    b->block = no;
  }
  char message[256];
  snprintf(message, sizeof message, "no variant of executable '%.150s' suits the device",
           ir_bytes(name));
  fail(c, b, IREE_STATUS_UNAVAILABLE, message, done, "hal.executable");
  b->block = done;
  store_and_return(c, b, chosen, symbol);
}

iree_status_t hal_executable_symbol(hal_convert_t *c, const ir_op_t *user, ir_attr_t device,
                                    ir_attr_t name, ir_attr_t *out_symbol) {
  *out_symbol = NULL;
  ir_op_t *executable = ir_map_get(c->symbols, name);
  if (!ir_op_is(executable, OP_HAL_EXECUTABLE))
    return ir_op_error(user, "dispatches a kernel of '%s', which is no executable", ir_bytes(name));
  ir_map_t *loaded = ir_map_get(c->executables, device);
  if (!loaded) ir_map_set(c->executables, device, loaded = ir_map_create(c->pass->scratch));
  if ((*out_symbol = ir_map_get(loaded, executable))) return iree_ok_status();
  char text[256];
  iree_string_view_t device_name = ir_symref_leaf(device);
  snprintf(text, sizeof text, "%.80s_executable_%u_%.100s", device_name.data, c->n_executables++,
           ir_bytes(name));
  ir_type_t type = hal_type(c, "hal.executable");
  ir_op_t *global;
  ir_attr_t symbol = hal_add_global(c, c->last_initializer, text, type, &global);
  ir_builder_t b;
  c->last_initializer = hal_add_initializer(c, global, &b);
  ir_named_t attr = {"global", device};
  ir_value_t *d =
      hal_build(&b, OP_UTIL_GLOBAL_LOAD, NULL, 0, NULL, hal_type(c, "hal.device"), &attr, 1);
  create_executable(c, &b, d, name, executable, symbol);
  ir_map_set(loaded, executable, (void *)symbol);
  *out_symbol = symbol;
  return iree_ok_status();
}

// ---- devices in functions
iree_status_t hal_device_symbol(hal_convert_t *c, const ir_op_t *op, ir_attr_t *out_symbol) {
  ir_attr_t affinity = ir_op_attr(op, "affinity");
  *out_symbol = c->device;
  if (affinity) {
    for (uint32_t i = 0; i < affinity->n_kids; ++i)
      if (ir_is(ir_kid(affinity, i), IR_A_SYMREF))
        return *out_symbol = ir_kid(affinity, i), iree_ok_status();
    return ir_op_error(
        op, "runs on an affinity that names no device; use #hal.device.affinity<@device>");
  }
  if (*out_symbol) return iree_ok_status();
  return ir_op_error(op,
                     "names no device, and the module has none or several; use an affinity or "
                     "--iree-hal-target-device=");
}
ir_value_t *hal_load(hal_convert_t *c, ir_attr_t symbol, ir_type_t type) {
  ir_value_t *v = ir_map_get(c->loads, symbol);
  if (v) return v;
  ir_builder_t b = ir_builder_at_start(c->ctx, c->func->regions[0]->first);
  b.loc = c->func->loc;
  ir_named_t attrs[2] = {{"global", symbol}, {"is_immutable", ir_attr_unit(c->ctx)}};
  v = hal_build(&b, OP_UTIL_GLOBAL_LOAD, NULL, 0, NULL, type, attrs,
                c->func->kind == OP_UTIL_FUNC ? 2 : 1);
  ir_map_set(c->loads, symbol, v);
  return v;
}
bool hal_device_is_host(const hal_convert_t *c, ir_attr_t symbol) {
  return symbol->n_kids == 1 && ir_map_get(c->hosts, ir_kid(symbol, 0));
}
iree_status_t hal_device(hal_convert_t *c, const ir_op_t *op, ir_value_t **out_device) {
  ir_attr_t symbol;
  *out_device = NULL;
  IREE_RETURN_IF_ERROR(hal_device_symbol(c, op, &symbol));
  *out_device = hal_load(c, symbol, hal_type(c, "hal.device"));
  return iree_ok_status();
}
