// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a program per executable that runs its kernels as often as it is told:
// --iree-hal-dump-executable-benchmarks-to=.
//   in, out:  hal.executable with variants, stream.cmd.dispatch; nothing changes
//   relies on:  entry points naming executable, variant and export
//
// A function per export and workload; those whose workload, arguments or sizes are known at run time only are
// left out. It takes the number of dispatches, as iree-benchmark-module passes it (iree.benchmark = "dispatch"),
// and runs one after the other on one buffer, in which each binding has a place:
//
//   stream.cmd.dispatch @x::@v::@f(%c7) {ro %a[%c0 for %c16], wo %b[%c0 for %c16]}
//   ->
//   util.func public @x_v_f(%n: i32) {... %n times: stream.cmd.dispatch @x::@v::@f(%c7)
//                                                    {ro %buffer[%c0 for %c16], wo %buffer[%c256 for %c16]} ...}
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/ir/fold.h"
#include "compiler/ir/printer.h"
#include "compiler/pass.h"

enum { ALIGNMENT = 256, MAX_NAME = 400 };

typedef struct text {
  iree_arena_t *arena;
  char *data;
  size_t n, cap;
} text_t;
static void put_n(text_t *t, const char *data, size_t n) {
  for (size_t i = 0; i < n; ++i) IREE_ARENA_PUSH(t->arena, t->data, t->n, t->cap, data[i]);
}
static void put(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text_t *t, const char *format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  put_n(t, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}
static void put_op(text_t *t, const ir_op_t *op) {
  ir_print_options_t printing = {.local_scope = true};
  iree_string_view_t printed = ir_print_to(t->arena, op, &printing);
  put_n(t, printed.data, printed.size);
}

// ---- dispatches whose parameters are all known
typedef struct dispatch {
  const ir_op_t *op;
  ir_attr_t entry;
} dispatch_t;
typedef struct gathered {
  iree_arena_t *arena;
  dispatch_t *v;
  size_t n, cap;
} gathered_t;

static bool are_known(const ir_op_t *op, const char *group) {
  ir_group_t g = ir_operand_group(op, group);
  for (uint32_t i = 0; i < g.n; ++i)
    if (!ir_constant_of(ir_operand(op, g.first + i))) return false;
  return true;
}
static bool same_values(const ir_op_t *a, const ir_op_t *b, const char *group) {
  ir_group_t x = ir_operand_group(a, group), y = ir_operand_group(b, group);
  if (x.n != y.n) return false;
  for (uint32_t i = 0; i < x.n; ++i)
    if (ir_constant_of(ir_operand(a, x.first + i)) != ir_constant_of(ir_operand(b, y.first + i))) return false;
  return true;
}
static iree_status_t gather(ir_op_t *op, void *self) {
  gathered_t *g = self;
  if (op->kind != OP_STREAM_CMD_DISPATCH) return iree_ok_status();
  if (!are_known(op, "workload") || !are_known(op, "uniform_operands") || !are_known(op, "resource_lengths")) return iree_ok_status();
  ir_attr_t entries = ir_op_attr(op, "entry_points");
  for (uint32_t i = 0; ir_is(entries, IR_A_ARRAY) && i < entries->n_kids; ++i) {
    dispatch_t d = {op, ir_kid(entries, i)};
    bool is_new = ir_is(d.entry, IR_A_SYMREF) && d.entry->n_kids == 3;
    for (size_t k = 0; k < g->n && is_new; ++k) is_new = g->v[k].entry != d.entry || !same_values(g->v[k].op, op, "workload");
    if (is_new) IREE_ARENA_PUSH(g->arena, g->v, g->n, g->cap, d);
  }
  return iree_ok_status();
}
static ir_attr_t affinity_of(const ir_op_t *dispatch) {
  for (const ir_op_t *op = dispatch; op; op = ir_op_parent(op)) {
    ir_attr_t affinity = ir_op_attr(op, op->kind == OP_BUILTIN_MODULE ? "stream.affinity.default" : "affinity");
    if (affinity) return affinity;
  }
  return NULL;
}

// ---- the function
static int64_t value_at(const ir_op_t *op, ir_group_t g, uint32_t i) {
  int64_t value = 0;
  ir_constant_int(ir_operand(op, g.first + i), &value);
  return value;
}
static void put_name(const dispatch_t *d, char *out) {
  ir_group_t workload = ir_operand_group(d->op, "workload");
  size_t n = (size_t)snprintf(out, MAX_NAME, "%.100s_%.60s_%.120s", ir_bytes(ir_kid(d->entry, 0)), ir_bytes(ir_kid(d->entry, 1)), ir_bytes(ir_kid(d->entry, 2)));
  for (uint32_t i = 0; i < workload.n && n + 24 < MAX_NAME; ++i)
    n += (size_t)snprintf(out + n, MAX_NAME - n, "%s%" PRId64, i ? "x" : "_", value_at(d->op, workload, i));
}
static void put_dispatch(text_t *t, const dispatch_t *d) {
  static const char *const access[] = {"", "ro", "wo", "rw"};
  ir_group_t workload = ir_operand_group(d->op, "workload"), uniform = ir_operand_group(d->op, "uniform_operands"),
             lengths = ir_operand_group(d->op, "resource_lengths");
  ir_attr_t accesses = ir_op_attr(d->op, "resource_accesses");
  put(t, "      stream.cmd.dispatch %s", ir_print_term_to(t->arena, d->entry));
  for (uint32_t i = 0; i < workload.n; ++i) put(t, "%s%%w%u", i ? ", " : "[", i);
  put(t, "%s", workload.n ? "]" : "");
  for (uint32_t i = 0; i < uniform.n; ++i) put(t, "%s%%u%u", i ? ", " : "(", i);
  for (uint32_t i = 0; i < uniform.n; ++i)
    put(t, "%s%s", i ? ", " : " : ", ir_print_term_to(t->arena, ir_operand(d->op, uniform.first + i)->type));
  put(t, "%s {\n", uniform.n ? ")" : "");
  for (uint32_t i = 0; i < lengths.n; ++i) {
    int64_t bits = ir_is(accesses, IR_A_ARRAY) && i < accesses->n_kids ? ir_int(ir_kid(accesses, i), 0) & 3 : 3;
    put(t, "        %s %%x[%%o%u for %%l%u] : !stream.resource<variable>{%%size}%s\n", access[bits], i, i, i + 1 < lengths.n ? "," : "");
  }
  put(t, "      }\n");
}
static void put_constants(text_t *t, const ir_op_t *op, ir_group_t g, char letter) {
  for (uint32_t i = 0; i < g.n; ++i) {
    ir_attr_t value = ir_constant_of(ir_operand(op, g.first + i));
    put(t, "    %%%c%u = arith.constant %s\n", letter, i, ir_print_term_to(t->arena, value));
  }
}
static void put_function(text_t *t, const dispatch_t *d, const char *on) {
  char plain[MAX_NAME], of_buffer[MAX_NAME + 16];
  put_name(d, plain);
  snprintf(of_buffer, sizeof of_buffer, "%s_buffer", plain);
  ir_ctx_t *ctx = ir_op_ctx(d->op);
  const char *name = ir_print_term_to(t->arena, ir_attr_sym(ctx, plain)), *buffer = ir_print_term_to(t->arena, ir_attr_sym(ctx, of_buffer));
  ir_group_t lengths = ir_operand_group(d->op, "resource_lengths");
  int64_t size = 0;
  for (uint32_t i = 0; i < lengths.n; ++i) size += (value_at(d->op, lengths, i) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  put(t, "util.global private mutable %s : !stream.resource<variable>\nutil.initializer {\n", buffer);
  put(t, "  %%0 = arith.constant %" PRId64 " : index\n", size ? size : ALIGNMENT);
  put(t, "  %%1, %%2 = stream.resource.alloca uninitialized on(%s) : !stream.resource<variable>{%%0} => !stream.timepoint\n", on);
  put(t, "  %%3 = stream.timepoint.await %%2 => %%1 : !stream.resource<variable>{%%0}\n");
  put(t, "  util.global.store %%3, %s : !stream.resource<variable>\n  util.return\n}\n", buffer);
  put(t, "util.func public %s(%%n: i32) attributes {iree.abi.stub, iree.reflection = {iree.benchmark = \"dispatch\"}} {\n", name);
  put(t, "    %%size = arith.constant %" PRId64 " : index\n    %%zero = arith.constant 0 : i32\n    %%one = arith.constant 1 : i32\n", size ? size : ALIGNMENT);
  put_constants(t, d->op, ir_operand_group(d->op, "workload"), 'w');
  put_constants(t, d->op, ir_operand_group(d->op, "uniform_operands"), 'u');
  put_constants(t, d->op, lengths, 'l');
  int64_t offset = 0;
  for (uint32_t i = 0; i < lengths.n; ++i) {
    put(t, "    %%o%u = arith.constant %" PRId64 " : index\n", i, offset);
    offset += (value_at(d->op, lengths, i) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  put(t, "    %%buffer = util.global.load %s : !stream.resource<variable>\n", buffer);
  put(t, "    %%t0 = stream.timepoint.immediate => !stream.timepoint\n    cf.br ^bb1(%%zero, %%t0 : i32, !stream.timepoint)\n");
  put(t, "  ^bb1(%%i: i32, %%t: !stream.timepoint):\n    %%more = arith.cmpi slt, %%i, %%n : i32\n    cf.cond_br %%more, ^bb2, ^bb3\n  ^bb2:\n");
  put(t, "    %%t1 = stream.cmd.execute on(%s) await(%%t) => with(%%buffer as %%x: !stream.resource<variable>{%%size}) {\n", on);
  put_dispatch(t, d);
  put(t, "    } => !stream.timepoint\n    %%i1 = arith.addi %%i, %%one : i32\n    cf.br ^bb1(%%i1, %%t1 : i32, !stream.timepoint)\n");
  put(t, "  ^bb3:\n    %%done = stream.timepoint.await %%t => %%buffer : !stream.resource<variable>{%%size}\n");
  put(t, "    util.global.store %%done, %s : !stream.resource<variable>\n    util.return\n}\n", buffer);
}

// ---- the file of a variant
static iree_status_t dump_variant(pass_t *pass, ir_op_t *module, ir_op_t *executable, ir_op_t *variant, const gathered_t *g) {
  text_t t = {.arena = pass->scratch};
  char name[PASS_FILE_NAME_MAX];
  put(&t, "// iree-compile --compile-from=executable-configurations THIS -o bench.vmfb\n"
          "// iree-benchmark-module --module=bench.vmfb --device=local-task --batch_size=100\n"
          "module {\n");
  for (const ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_GLOBAL && ir_type_is(ir_op_attr(op, "type"), "hal.device")) put_op(&t, op);
  put_op(&t, executable);
  bool any = false;
  for (size_t i = 0; i < g->n; ++i) {
    const dispatch_t *d = &g->v[i];
    ir_attr_t affinity = affinity_of(d->op);
    if (ir_kid(d->entry, 0) != ir_op_attr(executable, "sym_name") || ir_kid(d->entry, 1) != ir_op_attr(variant, "sym_name") || !affinity) continue;
    put_function(&t, d, ir_print_term_to(pass->scratch, affinity));
    any = true;
  }
  put(&t, "}\n");
  if (!any) return iree_ok_status();
  pass_file_name(name, "", module, executable, variant, "_benchmark.mlir");
  iree_string_view_t folder = pass->options->dump_benchmarks_to.size ? pass->options->dump_benchmarks_to : pass->options->dump_files_to;
  return pass_write_file(pass, folder, name, iree_make_string_view(t.data, t.n));
}

iree_status_t hal_dump_executable_benchmarks(pass_t *pass, ir_op_t *module) {
  if (!pass->options->dump_benchmarks_to.size && !pass->options->dump_files_to.size) return iree_ok_status();
  gathered_t g = {.arena = pass->scratch};
  IREE_RETURN_IF_ERROR(ir_walk(module, gather, &g));
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind != OP_HAL_EXECUTABLE) continue;
    for (ir_op_t *v = ir_body(op)->first; v; v = v->next)
      if (v->kind == OP_HAL_EXECUTABLE_VARIANT) IREE_RETURN_IF_ERROR(dump_variant(pass, module, op, v, &g));
  }
  return iree_ok_status();
}
