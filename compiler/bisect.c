// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bisect.h"

#include <inttypes.h>
#include <stdio.h>

#include "compiler/driver.h"

static bool may_rewrite(void *self, const char *what, const ir_op_t *op) {
  pass_t *pass = self;
  const compile_options_t *o = pass->options;
  int64_t n = ++pass->n_rewrites;
  if (pass->io->n_rewrites) *pass->io->n_rewrites = n;
  bool runs = o->bisect_limit < 0 || n <= o->bisect_limit;
  // One line tells what the first that is left out would have been; the rest only follows from it.
  if (runs) pass_timing_add_rewrites(pass->timing, pass->name, 1);
  bool is_told = o->bisect_verbose || (o->bisect_limit >= 0 && n <= o->bisect_limit + 1);
  if (!is_told || !pass->io->dump) return runs;
  ir_loc_t loc = compile_file_loc(op->loc);
  iree_string_view_t symbol = ir_op_sym_name(op);
  char text[720], place[400] = "";
  if (loc) snprintf(place, sizeof place, " at %.300s:%" PRId64 ":%" PRId64, ir_bytes(loc), ir_int(loc, 0), ir_int(loc, 1));
  int size = snprintf(text, sizeof text, "BISECT: %s rewrite (%" PRId64 ") %s %.60s%s%.*s in %s%s\n", runs ? "running" : "NOT running", n, what,
                      ir_op_name(op), symbol.size ? " @" : "", (int)(symbol.size < 100 ? symbol.size : 100), symbol.size ? symbol.data : "", pass->name,
                      place);
  iree_status_ignore(pass->io->dump(pass->io->dump_self, iree_make_string_view(text, (size_t)size)));
  return runs;
}

void bisect_install(pass_t *pass) {
  const compile_options_t *o = pass->options;
  if (o->bisect_limit >= 0 || o->bisect_verbose || o->statistics || pass->io->n_rewrites) ir_ctx_set_gate(pass->ctx, may_rewrite, pass);
}

iree_status_t bisect_search(int64_t count, bisect_check_fn_t check, void *self, int64_t *out_first_bad) {
  int64_t good = 0, bad = count;
  while (bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    bool is_good = false;
    IREE_RETURN_IF_ERROR(check(self, middle, &is_good));
    if (is_good) good = middle;
    else bad = middle;
  }
  *out_first_bad = bad;
  return iree_ok_status();
}
