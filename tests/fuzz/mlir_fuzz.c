// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text parser and the verifier; what they let through has to print, parse again and print the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void drop_message(void *self, ir_severity_t severity, ir_loc_t loc, const char *message) {
  (void)self, (void)severity, (void)loc, (void)message;
}

static void show_message(void *self, ir_severity_t severity, ir_loc_t loc, const char *message) {
  (void)self, (void)severity, (void)loc;
  fprintf(stderr, "fuzz: the printed text is refused: %s\n", message);
}

// Parses, verifies and prints into |arena|; empty when the text is refused.
static iree_string_view_t print_again(iree_string_view_t source, ir_diag_fn_t sink, iree_arena_t *arena) {
  ir_tables_t tables = dialect_tables();
  ir_ctx_t *ctx = NULL;
  IREE_CHECK_OK(ir_ctx_create(&tables, &ctx));
  ir_ctx_set_diag(ctx, sink, NULL);
  ir_op_t *module = NULL;
  iree_string_view_t text = iree_string_view_empty();
  iree_status_t status = ir_parse(ctx, source, "fuzz.mlir", &module);
  if (iree_status_is_ok(status)) status = ir_verify(module);
  if (iree_status_is_ok(status)) text = ir_print_to(arena, module, &(ir_print_options_t){0});
  iree_status_ignore(status);
  ir_ctx_destroy(ctx);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  iree_arena_t arena;
  iree_arena_init(&arena);
  iree_string_view_t once = print_again(iree_make_string_view((const char *)data, size), drop_message, &arena);
  if (once.size) {
    iree_string_view_t twice = print_again(once, show_message, &arena);
    if (!iree_string_view_equal(once, twice)) {
      fprintf(stderr, "fuzz: no fixed point\n%.*s\n-- and then\n%.*s\n", (int)once.size, once.data, (int)twice.size, twice.data);
      abort();
    }
  }
  iree_arena_deinit(&arena);
  return 0;
}
