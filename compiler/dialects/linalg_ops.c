// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg: texts and checks of generic and named ops, and the view that passes have of both.
//
// A named op holds the body its generic form would have: upstream's generic text demands it, and a
// pass may read it as it reads a generic's.
#include "compiler/dialects/linalg.h"

#include <string.h>

#include "compiler/dialects/directives.h"

enum { MAX_LOOPS = 32 };

typedef struct named_row {
  ir_kind_t kind;
  const char *loops, *maps, *body;
} named_row_t;
static const named_row_t named_rows[] = {
#define LINALG_NAMED(SYM, name, attrs, loops, maps, body, doc) {OP_LINALG_##SYM, loops, maps, body},
#include "compiler/dialects/linalg_named.def"
#undef LINALG_NAMED
};
static const named_row_t *named_row(ir_kind_t kind) {
  for (size_t i = 0; i < sizeof named_rows / sizeof *named_rows; ++i)
    if (named_rows[i].kind == kind) return &named_rows[i];
  return NULL;
}

bool linalg_is_structured(const ir_op_t *op) {
  return op && (op->kind == OP_LINALG_GENERIC || named_row(op->kind));
}
ir_group_t linalg_inputs(const ir_op_t *op) { return ir_operand_group_at(op, 0); }
ir_group_t linalg_outputs(const ir_op_t *op) { return ir_operand_group_at(op, 1); }

// ---- maps of named ops
static ir_expr_t loop_expr(ir_ctx_t *ctx, const char *loops, const char *name, size_t n) {
  size_t position = 0;
  for (const char *l = loops; *l; ++position) {
    size_t len = strcspn(l, " ");
    if (len == n && !memcmp(l, name, n)) return ir_expr_dim(ctx, position);
    l += len;
    if (*l == ' ') ++l;
  }
  return ir_expr_const(ctx, 0);
}
static int64_t stride_of(const ir_op_t *op, const char *attr, size_t i) {
  ir_attr_t a = ir_op_attr(op, attr);
  if (!ir_is(a, IR_A_DENSE)) return 1;
  int64_t v = 1;
  size_t at = ir_dense_is_splat(a) ? 0 : i * 8;
  if (at + 8 <= ir_dense_bytes(a)) memcpy(&v, (const char *)ir_dense_data(a) + at, 8);
  return v;
}
static size_t n_words(const char *text) {
  size_t n = 0;
  for (; *text; text += *text == ' ') n += 1, text += strcspn(text, " ");
  return n;
}
// `n,y+Ky,x+Kx,Kc` as a map over the loops.
static ir_attr_t map_of(ir_ctx_t *ctx, const ir_op_t *op, const named_row_t *row, const char *text,
                        size_t len) {
  ir_expr_t results[MAX_LOOPS];
  size_t n = 0, sums = 0;
  for (const char *t = text; t < text + len && *t != '-' && n < MAX_LOOPS;) {
    size_t item = strcspn(t, ", ");
    const char *plus = memchr(t, '+', item);
    if (plus) {
      ir_expr_t out = loop_expr(ctx, row->loops, t, (size_t)(plus - t));
      ir_expr_t window = loop_expr(ctx, row->loops, plus + 1, (size_t)(t + item - plus - 1));
      out = ir_expr_binary(ctx, IR_E_MUL, out, ir_expr_const(ctx, stride_of(op, "strides", sums)));
      window = ir_expr_binary(ctx, IR_E_MUL, window,
                              ir_expr_const(ctx, stride_of(op, "dilations", sums++)));
      results[n++] = ir_expr_binary(ctx, IR_E_ADD, out, window);
    } else {
      results[n++] = loop_expr(ctx, row->loops, t, item);
    }
    t += item + (t[item] == ',');
    if (t[0] == ' ' || !t[0]) break;
  }
  return ir_attr_map(ctx, n_words(row->loops), 0, results, n);
}
static ir_attr_t elementwise_maps(ir_ctx_t *ctx, const ir_op_t *op) {
  size_t rank = ir_type_rank(ir_operand(op, linalg_outputs(op).first)->type);
  ir_expr_t results[MAX_LOOPS];
  ir_attr_t maps[2] = {NULL, ir_attr_identity_map(ctx, rank)};
  size_t n = 0;
  if (op->kind == OP_LINALG_COPY) return maps[0] = maps[1], ir_attr_array(ctx, maps, 2);
  ir_attr_t list = op->kind == OP_LINALG_TRANSPOSE   ? ir_op_attr(op, "permutation")
                   : op->kind == OP_LINALG_BROADCAST ? ir_op_attr(op, "dimensions")
                                                     : NULL;
  if (op->kind == OP_LINALG_TRANSPOSE)
    for (uint32_t i = 0; i < list->n_ints && list->n_ints <= MAX_LOOPS; ++i) {
      if (ir_int(list, i) >= 0 && ir_int(list, i) < (int64_t)list->n_ints)
        results[ir_int(list, i)] = ir_expr_dim(ctx, i);
      n = list->n_ints;
    }
  if (op->kind == OP_LINALG_BROADCAST)
    for (size_t d = 0; d < rank; ++d) {
      bool added = false;
      for (uint32_t i = 0; i < list->n_ints; ++i) added = added || ir_int(list, i) == (int64_t)d;
      if (!added && n < MAX_LOOPS) results[n++] = ir_expr_dim(ctx, d);
    }
  maps[0] = ir_attr_map(ctx, rank, 0, results, n);  // of fill: no results
  return ir_attr_array(ctx, maps, 2);
}
ir_attr_t linalg_maps(ir_ctx_t *ctx, const ir_op_t *op) {
  int slot = 0;
  if (op->kind == OP_LINALG_GENERIC) return op->attrs[slot];
  ir_attr_t given = ir_op_attr(op, "indexing_maps");
  if (given) return given;
  const named_row_t *row = named_row(op->kind);
  if (!row->loops[0]) return elementwise_maps(ctx, op);
  ir_attr_t maps[8];
  size_t n = 0;
  for (const char *m = row->maps; *m && n < 8;) {
    size_t len = strcspn(m, " ");
    maps[n++] = map_of(ctx, op, row, m, len);
    m += len + (m[len] == ' ');
  }
  return ir_attr_array(ctx, maps, n);
}
size_t linalg_n_loops(ir_ctx_t *ctx, const ir_op_t *op) {
  if (op->kind == OP_LINALG_GENERIC) return ir_op_attr(op, "iterator_types")->n_kids;
  const named_row_t *row = named_row(op->kind);
  if (row->loops[0]) return n_words(row->loops);
  (void)ctx;
  return ir_type_rank(ir_operand(op, linalg_outputs(op).first)->type);
}
bool linalg_is_parallel(ir_ctx_t *ctx, const ir_op_t *op, size_t loop) {
  (void)ctx;
  if (op->kind == OP_LINALG_GENERIC) {
    ir_attr_t t = ir_kid(ir_op_attr(op, "iterator_types"), loop);
    return t->n_kids && ir_str_is(ir_kid(t, 0), "parallel");
  }
  const char *l = named_row(op->kind)->loops;
  if (!*l) return true;
  while (loop--) l += strcspn(l, " ") + 1;
  return *l < 'A' || *l > 'Z';
}
size_t linalg_n_parallel(ir_ctx_t *ctx, const ir_op_t *op) {
  size_t n = 0, loops = linalg_n_loops(ctx, op);
  for (size_t i = 0; i < loops; ++i) n += linalg_is_parallel(ctx, op, i);
  return n;
}
bool linalg_operand_is_read(const ir_op_t *op, size_t i) {
  ir_block_t *body = ir_body(op);
  return body && i < body->n_args && body->args[i]->uses;
}

// ---- building
static ir_attr_t iterator_attr(ir_ctx_t *ctx, bool parallel) {
  ir_attr_t word = ir_attr_keyword(ctx, parallel ? "parallel" : "reduction");
  return ir_attr_dialect(ctx, "linalg.iterator_type", &word, 1);
}
static void add_body(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *body = ir_block_create(ctx, op->regions[0]);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    ir_block_add_arg(ctx, body, ir_type_element(ir_operand(op, i)->type));
}
ir_op_t *linalg_build_generic(ir_builder_t *b, ir_value_t *const *inputs, size_t n_inputs,
                              ir_value_t *const *outputs, size_t n_outputs, const ir_attr_t *maps,
                              const bool *parallel, size_t n_loops) {
  ir_ctx_t *ctx = b->ctx;
  size_t n = n_inputs + n_outputs;
  ir_value_t **operands = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, n);
  ir_type_t *results = IREE_ARENA_ARRAY(ir_arena(ctx), ir_type_t, n_outputs + 1);
  ir_attr_t *iterators = IREE_ARENA_ARRAY(ir_arena(ctx), ir_attr_t, n_loops + 1);
  if (n_inputs) memcpy(operands, inputs, n_inputs * sizeof *operands);
  memcpy(operands + n_inputs, outputs, n_outputs * sizeof *operands);
  for (size_t i = 0; i < n_outputs; ++i) results[i] = outputs[i]->type;
  for (size_t i = 0; i < n_loops; ++i)
    iterators[i] = iterator_attr(ctx, parallel ? parallel[i] : true);
  uint32_t segments[2] = {(uint32_t)n_inputs, (uint32_t)n_outputs};
  ir_named_t attrs[2] = {{"indexing_maps", ir_attr_array(ctx, maps, n)},
                         {"iterator_types", ir_attr_array(ctx, iterators, n_loops)}};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = OP_LINALG_GENERIC,
                                            .operands = operands,
                                            .n_operands = n,
                                            .segments = segments,
                                            .results = results,
                                            .n_results = n_outputs,
                                            .attrs = attrs,
                                            .n_attrs = 2,
                                            .n_regions = 1});
  add_body(ctx, op);
  return op;
}
void linalg_build_yield(ir_ctx_t *ctx, ir_op_t *generic, ir_value_t *const *values, size_t n,
                        ir_loc_t loc) {
  ir_builder_t b = ir_builder_at_end(ctx, ir_body(generic));
  b.loc = loc;
  ir_build(&b, &(ir_op_desc_t){.kind = OP_LINALG_YIELD, .operands = values, .n_operands = n});
}

// ---- bodies of named ops
static ir_value_t *cast_to(ir_builder_t *b, ir_value_t *v, ir_type_t to) {
  ir_type_t from = v->type;
  if (from == to) return v;
  bool ff = ir_type_is_float(from), ft = ir_type_is_float(to);
  unsigned wf = ir_type_width(from), wt = ir_type_width(to);
  ir_kind_t kind = ff && ft  ? (wf < wt ? OP_ARITH_EXTF : OP_ARITH_TRUNCF)
                   : ff      ? OP_ARITH_FPTOSI
                   : ft      ? OP_ARITH_SITOFP
                   : wf < wt ? OP_ARITH_EXTSI
                             : OP_ARITH_TRUNCI;
  return ir_build1(b, kind, to, v, NULL, NULL);
}
static ir_value_t *body_value(ir_builder_t *b, const char *body, ir_value_t *const *args,
                              size_t n) {
  ir_value_t *out = args[n - 1];
  ir_type_t type = out->type;
  bool f = ir_type_is_float(type), c = ir_is(type, IR_T_COMPLEX), bit = ir_type_is_int(type, 1);
  ir_value_t *in = cast_to(b, args[0], type);
  if (!strcmp(body, "copy")) return in;
  if (!strcmp(body, "product")) {
    ir_value_t *p = ir_build1(b,
                              f     ? OP_ARITH_MULF
                              : c   ? OP_COMPLEX_MUL
                              : bit ? OP_ARITH_ANDI
                                    : OP_ARITH_MULI,
                              type, in, cast_to(b, args[1], type), NULL);
    return ir_build1(b,
                     f     ? OP_ARITH_ADDF
                     : c   ? OP_COMPLEX_ADD
                     : bit ? OP_ARITH_ORI
                           : OP_ARITH_ADDI,
                     type, out, p, NULL);
  }
  if (!strcmp(body, "sum"))
    return ir_build1(b,
                     f   ? OP_ARITH_ADDF
                     : c ? OP_COMPLEX_ADD
                         : OP_ARITH_ADDI,
                     type, out, in, NULL);
  if (!strcmp(body, "max"))
    return ir_build1(b, f ? OP_ARITH_MAXIMUMF : OP_ARITH_MAXSI, type, out, in, NULL);
  if (!strcmp(body, "min"))
    return ir_build1(b, f ? OP_ARITH_MINIMUMF : OP_ARITH_MINSI, type, out, in, NULL);
  if (!strcmp(body, "max_unsigned"))
    return ir_build1(b, f ? OP_ARITH_MAXIMUMF : OP_ARITH_MAXUI, type, out, in, NULL);
  return ir_build1(b, f ? OP_ARITH_MINIMUMF : OP_ARITH_MINUI, type, out, in, NULL);
}
static void fill_body(ir_ctx_t *ctx, const char *body, ir_block_t *block) {
  ir_builder_t b = ir_builder_at_end(ctx, block);
  ir_value_t *v = body_value(&b, body, block->args, block->n_args);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_LINALG_YIELD, .operands = &v, .n_operands = 1});
}
ir_value_t *linalg_build_fill(ir_builder_t *b, ir_value_t *scalar, ir_value_t *output) {
  uint32_t segments[2] = {1, 1};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = OP_LINALG_FILL,
                                            .operands = (ir_value_t *[]){scalar, output},
                                            .n_operands = 2,
                                            .segments = segments,
                                            .results = &output->type,
                                            .n_results = 1,
                                            .n_regions = 1});
  add_body(b->ctx, op);
  fill_body(b->ctx, "copy", ir_body(op));
  return ir_result(op, 0);
}
ir_op_t *linalg_generalize(ir_ctx_t *ctx, ir_op_t *op) {
  if (op->kind == OP_LINALG_GENERIC) return op;
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_group_t in = linalg_inputs(op), out = linalg_outputs(op);
  bool parallel[MAX_LOOPS];
  size_t n_loops = linalg_n_loops(ctx, op);
  for (size_t i = 0; i < n_loops && i < MAX_LOOPS; ++i)
    parallel[i] = linalg_is_parallel(ctx, op, i);
  ir_value_t **operands = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, op->n_operands + 1);
  ir_value_t **results = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_operands; ++i) operands[i] = ir_operand(op, i);
  ir_attr_t maps = linalg_maps(ctx, op);
  ir_op_t *generic = linalg_build_generic(&b, operands, in.n, operands + in.n, out.n, ir_kids(maps),
                                          parallel, n_loops);
  ir_block_erase(ir_body(generic));
  ir_region_take(generic->regions[0], op->regions[0]);
  for (uint32_t i = 0; i < op->n_results; ++i) results[i] = ir_result(generic, i);
  ir_op_replace(op, results);
  return generic;
}

// ---- text: `ins(%a : t) outs(%b : t)`
static bool operand_list(ir_parser_t *p, ir_ref_list_t *list) {
  ir_type_list_t types = {0};
  if (!p_expect(p, "(")) return false;
  if (p_accept(p, ")")) return true;
  return p_operands(p, list) && p_expect(p, ":") && p_types(p, &types) &&
         p_list_set_types(p, list, &types) && p_expect(p, ")");
}
static bool ins_outs(ir_parser_t *p, ir_op_state_t *s) {
  s->operands[0].have_types = s->operands[1].have_types = true;
  if (p_accept(p, "ins") && !operand_list(p, &s->operands[0])) return false;
  return p_expect(p, "outs") && operand_list(p, &s->operands[1]);
}
static bool arrow_results(ir_parser_t *p, ir_op_state_t *s) {
  return !p_accept(p, "->") || p_paren_types(p, &s->results[0]);
}
static void print_operand_list(ir_printer_t *p, const ir_op_t *op, const char *word, ir_group_t g) {
  pr_text(p, word);
  pr_raw(p, "(");
  for (uint32_t i = 0; i < g.n; ++i) {
    if (i)
      pr_raw(p, ", ");
    else
      pr_raw(p, "");
    pr_value(p, ir_operand(op, g.first + i));
  }
  pr_text(p, ":");
  pr_types(p, op, g);
  pr_text(p, ")");
}
static void print_ins_outs(ir_printer_t *p, const ir_op_t *op) {
  ir_group_t in = linalg_inputs(op), out = linalg_outputs(op);
  if (in.n) print_operand_list(p, op, "ins", in);
  print_operand_list(p, op, "outs", out);
}
static void print_arrow(ir_printer_t *p, const ir_op_t *op) {
  if (op->n_results) pr_arrow_results(p, op);
}

static bool generic_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  if (!p_attr_dict(p, s)) return false;
  ir_attr_t iterators = p_get_attr(s, "iterator_types");
  if (!ir_is(iterators, IR_A_ARRAY) || !ir_is(p_get_attr(s, "indexing_maps"), IR_A_ARRAY))
    return p_error(p, "'linalg.generic' needs indexing_maps and iterator_types");
  ir_attr_t kinds[MAX_LOOPS];
  if (iterators->n_kids > MAX_LOOPS) return p_error(p, "more than %d loops", MAX_LOOPS);
  for (uint32_t i = 0; i < iterators->n_kids; ++i) {
    kinds[i] = ir_kid(iterators, i);
    if (!ir_is(kinds[i], IR_A_STRING)) continue;
    ir_attr_t word = ir_attr_keyword(ctx, ir_bytes(kinds[i]));
    kinds[i] = ir_attr_dialect(ctx, "linalg.iterator_type", &word, 1);
  }
  if (!p_set_attr(p, s, "iterator_types", ir_attr_array(ctx, kinds, iterators->n_kids)) ||
      !ins_outs(p, s))
    return false;
  if (p_accept(p, "attrs") && (!p_expect(p, "=") || !p_attr_dict(p, s))) return false;
  return p_region(p, s, NULL, 0) && arrow_results(p, s);
}
static void generic_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"indexing_maps", "iterator_types", "doc", "library_call",
                                     NULL};
  pr_text(p, "{");
  pr_raw(p, "indexing_maps = ");
  pr_attr(p, ir_op_attr(op, "indexing_maps"));
  pr_raw(p, ", iterator_types = [");
  ir_attr_t iterators = ir_op_attr(op, "iterator_types");
  for (uint32_t i = 0; i < iterators->n_kids; ++i) {
    ir_attr_t t = ir_kid(iterators, i);
    pr_raw(p, i ? ", \"" : "\"");
    pr_raw(p, t->n_kids ? ir_bytes(ir_kid(t, 0)) : "");
    pr_raw(p, "\"");
  }
  pr_raw(p, "]");
  if (ir_op_attr(op, "doc")) pr_raw(p, ", doc = "), pr_attr(p, ir_op_attr(op, "doc"));
  if (ir_op_attr(op, "library_call"))
    pr_raw(p, ", library_call = "), pr_attr(p, ir_op_attr(op, "library_call"));
  pr_raw(p, "}");
  print_ins_outs(p, op);
  if (op->n_extra) {
    pr_text(p, "attrs");
    pr_text(p, "=");
    pr_attr_dict(p, op, skip);
  }
  pr_region(p, op->regions[0], true, true);
  print_arrow(p, op);
}

// ---- checks
static iree_status_t check_operands(ir_op_t *op, ir_attr_t maps, size_t n_loops) {
  ir_block_t *body = ir_body(op);
  ir_group_t out = linalg_outputs(op);
  if (!body || body->n_args != op->n_operands)
    return ir_op_error(op, "needs a body of one argument per operand");
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    ir_attr_t map = ir_kid(maps, i);
    if (!ir_is(map, IR_A_MAP)) return ir_op_error(op, "indexing map %u is not a map", i);
    if (ir_map_n_dims(map) != n_loops)
      return ir_op_error(op, "indexing map %u has %zu dimensions for %zu loops", i,
                         ir_map_n_dims(map), n_loops);
    size_t rank = ir_type_is_shaped(type) ? ir_type_rank(type) : 0;
    if (ir_map_n_results(map) != rank)
      return ir_op_error(op, "indexing map %u has %zu results for rank %zu", i,
                         ir_map_n_results(map), rank);
    if (body->args[i]->type != ir_type_element(type))
      return ir_op_error(op, "body argument %u is not of operand %u's element type", i, i);
  }
  ir_op_t *yield = body->last;
  if (!ir_op_is(yield, OP_LINALG_YIELD) || yield->n_operands != out.n)
    return ir_op_error(op, "needs a body that yields one value per output");
  for (uint32_t i = 0; i < out.n; ++i)
    if (ir_operand(yield, i)->type != ir_type_element(ir_operand(op, out.first + i)->type))
      return ir_op_error(op, "yields value %u of another type than its output", i);
  if (op->n_results && op->n_results != out.n)
    return ir_op_error(op, "has %u results for %u outputs", op->n_results, out.n);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_result(op, i)->type != ir_operand(op, out.first + i)->type)
      return ir_op_error(op, "result %u and its output differ in type", i);
  return iree_ok_status();
}
// |e| with each loop at |at|; false if that takes what is not known or cannot be computed.
static bool expr_at(ir_attr_t e, const int64_t *at, int64_t *out) {
  int64_t a, b;
  switch (e->kind) {
    case IR_E_CONST: return *out = ir_int(e, 0), true;
    case IR_E_DIM: return *out = at[ir_int(e, 0)], *out != IR_DYNAMIC;
    case IR_E_ADD: return expr_at(ir_kid(e, 0), at, &a) && expr_at(ir_kid(e, 1), at, &b) && !__builtin_add_overflow(a, b, out);
    case IR_E_MUL: return expr_at(ir_kid(e, 0), at, &a) && expr_at(ir_kid(e, 1), at, &b) && !__builtin_mul_overflow(a, b, out);
    default: return false;
  }
}
// No loop may lead outside of an operand: kernels check no index.
static iree_status_t check_extents(ir_op_t *op, ir_attr_t maps, size_t n_loops) {
  enum { MAX_EXTENTS = 64 };
  int64_t last[MAX_EXTENTS];
  if (n_loops > MAX_EXTENTS) return ir_op_error(op, "has %zu loops, at most %d are supported", n_loops, MAX_EXTENTS);
  for (size_t d = 0; d < n_loops; ++d) last[d] = IR_DYNAMIC;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    for (uint32_t r = 0; r < ir_map_n_results(ir_kid(maps, i)); ++r) {
      ir_attr_t e = ir_kid(ir_kid(maps, i), r);
      int64_t dim = ir_type_dim(type, r);
      if (e->kind != IR_E_DIM || dim == IR_DYNAMIC) continue;
      int64_t *l = &last[ir_int(e, 0)];
      if (*l != IR_DYNAMIC && *l != dim - 1)
        return ir_op_error(op, "loop %lld has extent %lld, but dimension %u of operand %u is %lld", (long long)ir_int(e, 0), (long long)*l + 1, r, i, (long long)dim);
      *l = dim - 1;
    }
  }
  for (size_t d = 0; d < n_loops; ++d)
    if (last[d] == -1) return iree_ok_status();  // nothing is read
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    for (uint32_t r = 0; r < ir_map_n_results(ir_kid(maps, i)); ++r) {
      int64_t at, dim = ir_type_dim(type, r);
      if (dim == IR_DYNAMIC || !expr_at(ir_kid(ir_kid(maps, i), r), last, &at)) continue;
      if (at >= dim) return ir_op_error(op, "reaches index %lld in dimension %u of operand %u, whose extent is %lld", (long long)at, r, i, (long long)dim);
    }
  }
  return iree_ok_status();
}
static iree_status_t generic_verify(ir_op_t *op) {
  ir_attr_t maps = ir_op_attr(op, "indexing_maps"), iterators = ir_op_attr(op, "iterator_types");
  if (!ir_is(maps, IR_A_ARRAY) || maps->n_kids != op->n_operands)
    return ir_op_error(op, "needs one indexing map per operand");
  if (!ir_is(iterators, IR_A_ARRAY)) return ir_op_error(op, "needs a list of iterator types");
  for (uint32_t i = 0; i < iterators->n_kids; ++i) {
    ir_attr_t t = ir_kid(iterators, i);
    if (!ir_is(t, IR_A_DIALECT) || t->n_kids != 1 ||
        (!ir_str_is(ir_kid(t, 0), "parallel") && !ir_str_is(ir_kid(t, 0), "reduction") &&
         !ir_str_is(ir_kid(t, 0), "window")))
      return ir_op_error(op, "iterator type %u is neither parallel nor reduction", i);
  }
  IREE_RETURN_IF_ERROR(check_operands(op, maps, iterators->n_kids));
  return check_extents(op, maps, iterators->n_kids);
}
const ir_op_hooks_t linalg_generic_hooks = {
    .verify = generic_verify, .parse = generic_parse, .print = generic_print};

// ---- named: `linalg.matmul {attrs} ins(...) outs(...) -> t`
// The list behind the operands of transpose and broadcast; NULL for other ops.
static const char *list_name(ir_kind_t kind) {
  return kind == OP_LINALG_TRANSPOSE   ? "permutation"
         : kind == OP_LINALG_BROADCAST ? "dimensions"
                                       : NULL;
}
static bool named_tail(ir_parser_t *p, ir_op_state_t *s) {
  const char *name = list_name(s->kind);
  ir_attr_t list;
  if (!name) return true;
  return p_expect(p, name) && p_expect(p, "=") && p_attr(p, &list) &&
         p_set_attr(p, s, name, list) && p_attr_dict(p, s);
}
static bool named_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  if (p_accept(p, "indexing_maps")) {
    ir_attr_t maps;
    if (!p_expect(p, "=") || !p_attr(p, &maps) || !p_set_attr(p, s, "indexing_maps", maps))
      return false;
  }
  if (!p_attr_dict(p, s) || !ins_outs(p, s) || !named_tail(p, s)) return false;
  if (!arrow_results(p, s)) return false;
  bool copies = list_name(s->kind) != NULL;
  for (uint32_t i = 0; copies && !s->results[0].n && i < s->operands[1].n &&
                       ir_is(s->operands[1].types[i], IR_T_TENSOR);
       ++i)
    p_types_push(p, &s->results[0], s->operands[1].types[i]);  // not written
  if (!s->operands[1].n) return p_error(p, "a linalg op needs an output");
  ir_region_t *region = p_region_empty(p, s);
  ir_block_t *body = ir_block_create(ctx, region);
  for (size_t g = 0; g < 2; ++g)
    for (uint32_t i = 0; i < s->operands[g].n; ++i)
      ir_block_add_arg(ctx, body, ir_type_element(s->operands[g].types[i]));
  if (body->n_args >= (strcmp(named_row(s->kind)->body, "product") ? 2 : 3))
    fill_body(ctx, named_row(s->kind)->body, body);
  return body->last || p_error(p, "too few operands");
}
static void named_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"indexing_maps", "permutation", "dimensions",
                                     "operandSegmentSizes", NULL};
  const char *list_word = list_name(op->kind);
  bool copies = list_word != NULL;
  if (ir_op_attr(op, "indexing_maps")) {
    pr_text(p, "indexing_maps");
    pr_text(p, "=");
    pr_attr(p, ir_op_attr(op, "indexing_maps"));
  }
  if (!copies) pr_attr_dict(p, op, skip);
  print_ins_outs(p, op);
  if (copies) {
    ir_attr_t list = ir_op_attr(op, list_word);
    pr_text(p, list_word);
    pr_text(p, "=");
    pr_text(p, "[");
    for (uint32_t i = 0; i < list->n_ints; ++i) {
      if (i) pr_text(p, ",");
      pr_int(p, ir_int(list, i));
    }
    pr_text(p, "]");
    pr_attr_dict(p, op, skip);
    return;
  }
  print_arrow(p, op);
}
static iree_status_t named_verify(ir_op_t *op) {
  const named_row_t *row = named_row(op->kind);
  if (!linalg_outputs(op).n) return ir_op_error(op, "needs an output");
  size_t n_maps = row->loops[0] ? n_words(row->maps) : 2;
  if (op->n_operands != n_maps)
    return ir_op_error(op, "takes %zu operands, has %u", n_maps, op->n_operands);
  ir_attr_t maps = linalg_maps(ir_op_ctx(op), op);
  if (!ir_is(maps, IR_A_ARRAY) || maps->n_kids != op->n_operands)
    return ir_op_error(op, "needs one indexing map per operand");
  return check_operands(op, maps, linalg_n_loops(ir_op_ctx(op), op));
}
const ir_op_hooks_t linalg_named_hooks = {
    .verify = named_verify, .parse = named_parse, .print = named_print};

static iree_status_t index_verify(ir_op_t *op) {
  ir_op_t *parent = ir_op_parent(op);
  while (parent && !linalg_is_structured(parent)) parent = ir_op_parent(parent);
  if (!parent) return ir_op_error(op, "stands outside a linalg op");
  int64_t dim = ir_op_int(op, "dim", -1);
  if (dim < 0 || (size_t)dim >= linalg_n_loops(ir_op_ctx(op), parent))
    return ir_op_error(op, "has no loop %lld", (long long)dim);
  return iree_ok_status();
}
const ir_op_hooks_t linalg_index_hooks = {.verify = index_verify};
