// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search over candidates: see reduce.h.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/fold.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/reduce/reduce.h"
#include "compiler/reduce/strategy.h"

enum { MAX_ROUNDS = 16, MAX_TRIED = 1 << 16 };
typedef enum { SET, PREFIX } kind_t;
typedef struct strategy {
  const char *name;
  kind_t kind;
  void (*list)(ir_op_t *module, reduce_sites_t *sites);
  void (*apply)(ir_op_t *module, const reduce_site_t *site);
} strategy_t;
static const strategy_t strategies[] = {
#define STRATEGY(name, kind, fn, doc) {name, kind, list_##fn, apply_##fn},
#include "compiler/reduce/strategies.def"
#undef STRATEGY
};

// A program by itself: its context goes with it.
typedef struct program {
  ir_ctx_t *ctx;
  ir_op_t *module;
} program_t;

typedef struct search {
  const reduce_options_t *options;
  iree_arena_t *arena;   // texts of programs that were found interesting
  iree_string_view_t text;
  const char *name;
  uint64_t weight;       // of |text|
  size_t n_ops;
  int64_t n_tests;
  uint64_t *tried;       // hashes of texts that were tested, open addressing
  size_t n_tried;
  bool is_out_of_tests;
} search_t;

static iree_status_t load(iree_string_view_t text, const char *name, program_t *out) {
  ir_tables_t tables = dialect_tables();
  IREE_RETURN_IF_ERROR(ir_ctx_create(&tables, &out->ctx));
  iree_status_t status = ir_parse(out->ctx, text, name, &out->module);
  if (iree_status_is_ok(status)) status = ir_verify(out->module);
  if (iree_status_is_ok(status)) return status;
  ir_ctx_destroy(out->ctx);
  out->ctx = NULL;
  return status;
}
static void unload(program_t *p) {
  if (p->ctx) ir_ctx_destroy(p->ctx);
  p->ctx = NULL;
}

// ---- weight: what a person has to read. Every step makes it less, which is why the search ends.
typedef struct weigher {
  uint64_t weight;
  size_t n_ops;
} weigher_t;
static uint64_t type_weight(ir_type_t type) {
  uint64_t weight = 8;
  for (size_t i = 0; ir_type_is_shaped(type) && i < ir_type_rank(type); ++i) {
    weight += 4;
    for (int64_t d = ir_type_dim(type, i); d > 1; d /= 2) ++weight;
  }
  return weight;
}
static uint64_t value_weight(ir_attr_t value) {
  if (ir_is(value, IR_A_RESOURCE)) return 1000;
  if (!ir_is(value, IR_A_DENSE) || ir_dense_is_splat(value)) return 5;
  return 50 + ir_dense_bytes(value) / 4;
}
static iree_status_t weigh_op(ir_op_t *op, void *self) {
  weigher_t *w = self;
  ++w->n_ops;
  w->weight += 200 + 10 * (uint64_t)op->n_operands + 20 * (uint64_t)op->n_extra;
  for (uint32_t i = 0; i < op->n_results; ++i) w->weight += type_weight(ir_result(op, i)->type);
  for (size_t i = 0; i < op->spec->n_attrs; ++i) w->weight += op->attrs[i] ? value_weight(op->attrs[i]) : 0;
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (uint32_t i = 0; i < b->n_args; ++i) w->weight += 10 + type_weight(b->args[i]->type);
  return iree_ok_status();
}
static weigher_t weigh(ir_op_t *module) {
  weigher_t w = {0};
  iree_status_ignore(ir_walk(module, weigh_op, &w));
  return w;
}

// ---- candidates
static bool was_tried(search_t *s, iree_string_view_t text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < text.size; ++i) hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
  if (!hash) hash = 1;
  size_t at = (size_t)hash & (MAX_TRIED * 2 - 1);
  while (s->tried[at] && s->tried[at] != hash) at = (at + 1) & (MAX_TRIED * 2 - 1);
  if (s->tried[at]) return true;
  if (s->n_tried == MAX_TRIED) {  // forget: a test more is the worst that comes of it
    memset(s->tried, 0, MAX_TRIED * 2 * sizeof *s->tried);
    s->n_tried = 0;
    return false;
  }
  s->tried[at] = hash;
  ++s->n_tried;
  return false;
}

static void apply_sites(const strategy_t *strategy, ir_op_t *module, const reduce_sites_t *sites, size_t first, size_t n) {
  for (size_t i = first; i < first + n; ++i)
    if (ir_op_is_ancestor(module, sites->v[i].op)) strategy->apply(module, &sites->v[i]);
  ir_merge_equal(ir_op_ctx(module), module);
  ir_drop_dead(module);
}

// Tries the program without |n| of the strategy's sites from |first| on; keeps it if it is interesting.
static iree_status_t try_sites(search_t *s, const strategy_t *strategy, size_t first, size_t n, bool *out_is_kept) {
  *out_is_kept = false;
  if (s->options->max_tests && s->n_tests >= s->options->max_tests) s->is_out_of_tests = true;
  if (s->is_out_of_tests) return iree_ok_status();
  program_t p;
  IREE_RETURN_IF_ERROR(load(s->text, s->name, &p));
  reduce_sites_t sites = {.arena = ir_arena(p.ctx)};
  strategy->list(p.module, &sites);
  iree_status_t status = iree_ok_status();
  if (first < sites.n) {
    apply_sites(strategy, p.module, &sites, first, n < sites.n - first ? n : sites.n - first);
    iree_status_t verified = ir_verify(p.module);
    weigher_t w = iree_status_is_ok(verified) ? weigh(p.module) : (weigher_t){.weight = UINT64_MAX};
    iree_status_ignore(verified);
    ir_print_options_t printing = {.generic = false};
    iree_string_view_t text = w.weight < s->weight ? ir_print_to(ir_arena(p.ctx), p.module, &printing) : iree_string_view_empty();
    program_t again = {0};
    bool is_new = text.size && !was_tried(s, text), is_interesting = false;
    // What is handed on has been read back: text is what people get.
    iree_status_t read = is_new ? load(text, s->name, &again) : iree_ok_status();
    if (is_new && iree_status_is_ok(read)) {
      ++s->n_tests;
      status = s->options->test(s->options->test_self, text, again.module, &is_interesting);
    }
    iree_status_ignore(read);
    unload(&again);
    if (is_interesting) {
      s->text = iree_make_string_view(iree_arena_copy(s->arena, text.data, text.size), text.size);
      s->weight = w.weight;
      s->n_ops = w.n_ops;
      *out_is_kept = true;
      if (s->options->progress) s->options->progress(s->options->progress_self, strategy->name, w.n_ops, text.size, s->n_tests);
    }
  }
  unload(&p);
  return status;
}

// The groups of a PREFIX strategy's sites: first site of group |i|, number of sites; false past the end.
static iree_status_t list_group(search_t *s, const strategy_t *strategy, uint32_t i, size_t *out_first, size_t *out_n, bool *out_found) {
  program_t p;
  IREE_RETURN_IF_ERROR(load(s->text, s->name, &p));
  reduce_sites_t sites = {.arena = ir_arena(p.ctx)};
  strategy->list(p.module, &sites);
  size_t first = 0, n = 0;
  uint32_t at = 0;
  for (size_t k = 0; k < sites.n; ++k) {
    if (k && sites.v[k].group != sites.v[k - 1].group) ++at;
    if (at == i && !n++) first = k;
  }
  unload(&p);
  *out_first = first;
  *out_n = strategy->kind == SET ? sites.n : n;
  *out_found = n != 0;
  return iree_ok_status();
}

static iree_status_t run_prefix(search_t *s, const strategy_t *strategy, bool *changed) {
  for (uint32_t group = 0;; ++group) {
    size_t first, n;
    bool found;
    IREE_RETURN_IF_ERROR(list_group(s, strategy, group, &first, &n, &found));
    if (!found) return iree_ok_status();
    // Where the program ends early enough to lose the failure, and where it does not: between them by halves.
    size_t low = 0, high = n;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      bool kept;
      IREE_RETURN_IF_ERROR(try_sites(s, strategy, first + middle, 1, &kept));
      *changed |= kept;
      if (kept) high = middle;  // the sites before are those of the shorter program, too
      else low = middle + 1;
    }
  }
}

static iree_status_t run_set(search_t *s, const strategy_t *strategy, bool *changed) {
  size_t first, n;
  bool found, kept;
  IREE_RETURN_IF_ERROR(list_group(s, strategy, 0, &first, &n, &found));
  for (size_t chunk = n; chunk; chunk /= 2) {
    for (size_t at = 0; at < n && !s->is_out_of_tests;) {
      IREE_RETURN_IF_ERROR(try_sites(s, strategy, at, chunk, &kept));
      if (!kept) {
        at += chunk;
        continue;
      }
      *changed = true;
      size_t before = n;
      IREE_RETURN_IF_ERROR(list_group(s, strategy, 0, &first, &n, &found));
      if (n >= before) ++at;  // sites that stay where they are must not be tried for ever
    }
    if (chunk > n && n) chunk = n * 2;
  }
  return iree_ok_status();
}

static iree_status_t run(search_t *s) {
  bool changed = true;
  for (int round = 0; round < MAX_ROUNDS && changed && !s->is_out_of_tests; ++round) {
    changed = false;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; ++i) {
      const strategy_t *strategy = &strategies[i];
      IREE_RETURN_IF_ERROR(strategy->kind == SET ? run_set(s, strategy, &changed) : run_prefix(s, strategy, &changed));
    }
  }
  return iree_ok_status();
}

iree_status_t reduce_program(iree_string_view_t source, const char *name, const reduce_options_t *options, iree_arena_t *arena,
                             reduce_result_t *out_result) {
  *out_result = (reduce_result_t){.text = source};
  search_t s = {.options = options, .arena = arena, .name = name, .text = source};
  program_t p;
  IREE_RETURN_IF_ERROR(load(source, name, &p));
  weigher_t w = weigh(p.module);
  s.weight = w.weight;
  s.n_ops = out_result->n_ops_before = w.n_ops;
  // Our print of it: locations and comments are gone from here on.
  ir_print_options_t printing = {.generic = false};
  iree_string_view_t text = ir_print_to(arena, p.module, &printing);
  bool is_interesting = false;
  iree_status_t status = options->test(options->test_self, text, p.module, &is_interesting);
  unload(&p);
  IREE_RETURN_IF_ERROR(status);
  if (!is_interesting) return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "the test does not find the input interesting; there is nothing to reduce");
  s.text = text;
  s.n_tests = 1;
  s.tried = calloc(MAX_TRIED * 2, sizeof *s.tried);
  if (!s.tried) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for the programs tried");
  status = run(&s);
  free(s.tried);
  *out_result = (reduce_result_t){s.text, s.n_tests, out_result->n_ops_before, s.n_ops};
  return status;
}
