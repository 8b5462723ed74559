// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IR core: every row of every dialect compiles, texts round trip in both forms, values and
// uses stay consistent, and wrong text gets a message at the right place.
#include "base/test.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/dominance.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"

typedef struct fixture {
  ir_ctx_t *ctx;
  char message[512];
  int64_t line, column;
  int n_errors;
} fixture_t;

static void on_diag(void *self, ir_severity_t severity, ir_loc_t loc, const char *message) {
  fixture_t *f = self;
  if (severity != IR_ERROR || f->n_errors++) return;  // the first one
  snprintf(f->message, sizeof f->message, "%s", message);
  if (ir_is(loc, IR_L_FILE)) f->line = ir_int(loc, 0), f->column = ir_int(loc, 1);
}
static void setup(fixture_t *f) {
  memset(f, 0, sizeof *f);
  ir_tables_t tables = dialect_tables();
  iree_status_ignore(ir_ctx_create(&tables, &f->ctx));
  ir_ctx_set_diag(f->ctx, on_diag, f);
}
static ir_op_t *parse(fixture_t *f, const char *text) {
  ir_op_t *module = NULL;
  iree_status_ignore(ir_parse(f->ctx, iree_make_cstring_view(text), "t.mlir", &module));
  if (module) iree_status_ignore(ir_verify(module));
  return module;
}

TEST(every_row_compiles) {
  fixture_t f;
  setup(&f);
  for (ir_kind_t k = 1; k < OP_COUNT; ++k) {
    EXPECT(ir_spec(f.ctx, k) != NULL);
    EXPECT_EQ(ir_kind_lookup(f.ctx, iree_make_cstring_view(ir_ctx_tables(f.ctx)->ops[k].name)), k);
  }
  EXPECT_EQ(ir_kind_lookup(f.ctx, iree_make_cstring_view("no.such")), 0);
  ir_ctx_destroy(f.ctx);
}

TEST(terms_are_interned) {
  fixture_t f;
  setup(&f);
  int64_t dims[2] = {2, IR_DYNAMIC};
  ir_type_t f32 = ir_type_float(f.ctx, IR_F32);
  ir_type_t a = ir_type_tensor(f.ctx, dims, 2, f32, NULL), b = ir_type_tensor(f.ctx, dims, 2, f32, NULL);
  EXPECT(a == b);
  EXPECT(a != ir_type_tensor(f.ctx, dims, 1, f32, NULL));
  EXPECT_EQ(ir_int(ir_attr_int(f.ctx, ir_type_i(f.ctx, 8), 255), 0), -1);
  EXPECT_EQ(ir_int(ir_attr_int(f.ctx, ir_type_int(f.ctx, 8, IR_UNSIGNED), 255), 0), 255);
  // A map that differs only in how it was built is the same map.
  ir_expr_t d0 = ir_expr_dim(f.ctx, 0), two = ir_expr_const(f.ctx, 2);
  EXPECT(ir_expr_binary(f.ctx, IR_E_ADD, two, d0) == ir_expr_binary(f.ctx, IR_E_ADD, d0, two));
  EXPECT_EQ(ir_int(ir_expr_binary(f.ctx, IR_E_MOD, ir_expr_const(f.ctx, -3), ir_expr_const(f.ctx, 4)), 0), 1);
  ir_ctx_destroy(f.ctx);
}

static const char *const programs[] = {
    "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = arith.addf %a, %a : tensor<4xf32>\n return %0 : tensor<4xf32> }",
    // Types of all kinds.
    "func.func private @t(i1, si4, ui64, index, f16, bf16, f8E4M3FN, complex<f64>, none, tuple<i32, f32>, "
    "tensor<*xf32>, tensor<?x4x!hal.buffer>, vector<4x[8]xi32>, memref<4x?xf32, strided<[?, 1], offset: ?>, 3>, "
    "(i32) -> (f32, f64), !stream.resource<*>, !util.list<?>, tensor<2x3xf32, #a.b<c = [1, 2]>>)",
    // Attributes of all kinds.
    "module attributes {a.a = 1 : i8, a.b = -2.5 : f32, a.c = \"x\\22\\0A\", a.d = [1, 2.0, unit, @x::@y], a.e = {k, l = dense<[1, -2]> : "
    "tensor<2xi4>}, a.f = affine_map<(d0, d1)[s0] -> (d0 floordiv 2 + s0, d1 mod 3, -d0)>, a.g = affine_set<(d0) : (d0 - 4 >= 0, d0 == 0)>, "
    "a.h = array<i1: true, false>, a.i = dense<\"0x0100\"> : tensor<2xi8>, a.j = dense<(1.0, -1.0)> : tensor<3xcomplex<f32>>, "
    "a.k = #x.y<\"s\", z = 4, w | v>, a.l = #x.y : i32, a.m = tensor<0x4xi1>, a.n = dense<> : tensor<0xf32>, a.o = array<f32>, "
    "a.p = 0x7FC00000 : f32, a.q = loc(fused<\"m\">[\"f\":1:2, callsite(\"g\" at unknown)]), a.r = true, a.s = dense<true> : tensor<4xi1>} {}",
    // Blocks, forward references, several results.
    "func.func @b(%c: i1) -> i32 { cf.cond_br %c, ^x(%v#1 : i32), ^y\n^y:\n %v:2 = \"foo.bar\"() : () -> (i32, i32)\n cf.br ^x(%v#0 : i32)\n"
    "^x(%r: i32):\n return %r : i32 }",
};

TEST(texts_round_trip) {
  for (size_t i = 0; i < 3; ++i) {
    fixture_t f;
    setup(&f);
    ir_op_t *module = parse(&f, programs[i]);
    EXPECT(module != NULL);
    if (module) {
      for (int generic = 0; generic < 2; ++generic) {
        ir_print_options_t options = {.generic = generic};
        iree_string_view_t first = ir_print_to(ir_arena(f.ctx), module, &options);
        ir_op_t *again = parse(&f, first.data);
        EXPECT(again != NULL);
        if (again) EXPECT_SV(ir_print_to(ir_arena(f.ctx), again, &options), first.data);
      }
    } else {
      printf("  program %zu: %s at %lld:%lld\n", i, f.message, (long long)f.line, (long long)f.column);
    }
    ir_ctx_destroy(f.ctx);
  }
}

static const struct {
  const char *text, *message;
  int line, column;
} errors[] = {
    {"func.func @f() {\n  %0 = arith.addg %a, %a : f32\n}", "unknown operation 'arith.addg'; did you mean 'arith.addf'?", 2, 8},
    {"func.func @f() {\n  return %x : i32\n}", "use of undefined value '%x'", 2, 10},
    {"func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a : i64\n  return\n}", "'%a' has type i32, used here as i64", 2, 19},
    {"func.func @f(%a: i32) {\n  %a = arith.addi %a, %a : i32\n  return\n}", "redefinition of '%a'", 2, 3},
    {"func.func @f() {\n  cf.br ^nowhere\n}", "branch to undefined block '^nowhere'", 2, 9},
    {"func.func @f(%a: i32\n", "expected ')', found the end of the file", 2, 1},
    {"func.func @f() {\n  %0 = arith.constant dense<[1, 2]> : tensor<3xi32>\n  return\n}", "the nesting of dense elements does not match the type's shape", 2, 29},
    {"func.func @f() {\n  %0 = arith.constant 300 : i8\n  return\n}", "value does not fit 8 bits", 2, 23},
    {"module attributes {a.b = #nope} {}", "undefined alias '#nope'", 1, 26},
    {"func.func @f(%c: i1, %x: i32) -> i32 {\n  cf.cond_br %c, ^a, ^b\n^a:\n  %y = arith.addi %x, %x : i32\n  cf.br ^b\n^b:\n  return %y : i32\n}",
     "'func.return' op uses a value before it is defined on every path", 7, 3},
    {"\"arith.addi\"() : () -> i32", "'arith.addi' has 0 operands, which do not fit what it takes: lhs, rhs", 1, 1},
};
TEST(errors_say_where_and_what) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
    fixture_t f;
    setup(&f);
    parse(&f, errors[i].text);
    EXPECT_STR(f.message, errors[i].message);
    EXPECT_EQ(f.line, errors[i].line);
    EXPECT_EQ(f.column, errors[i].column);
    ir_ctx_destroy(f.ctx);
  }
}

TEST(nesting_is_bounded) {
  // Deep input is an error, not a stack overflow.
  enum { DEPTH = 20000 };
  static char text[2 * DEPTH + 64];
  size_t n = (size_t)sprintf(text, "module attributes {a.b = ");
  memset(text + n, '[', DEPTH);
  text[n + DEPTH] = 0;
  fixture_t f;
  setup(&f);
  EXPECT(parse(&f, text) == NULL);
  EXPECT(f.n_errors > 0);
  ir_ctx_destroy(f.ctx);
}

TEST(uses_follow_operands) {
  fixture_t f;
  setup(&f);
  ir_op_t *module = parse(&f, "func.func @f(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %a : i32\n %1 = arith.muli %0, %b : i32\n return %1 : i32 }");
  ASSERT(module != NULL);
  ir_op_t *fn = ir_symbol_lookup(module, iree_make_cstring_view("f"));
  ASSERT(fn != NULL);
  ir_block_t *body = ir_body(fn);
  ir_value_t *a = body->args[0], *b = body->args[1];
  EXPECT(a->uses && a->uses->next && !a->uses->next->next);
  ir_replace_uses(a, b);
  EXPECT(ir_unused(a));
  ir_op_t *add = body->first, *mul = add->next;
  EXPECT(ir_has_one_use(ir_result(add, 0)));
  ir_op_t *copy = ir_op_clone(f.ctx, fn, NULL);
  EXPECT(ir_operand(ir_body(copy)->first, 0) == ir_body(copy)->args[1]);
  ir_replace_uses(ir_result(mul, 0), ir_result(add, 0));
  ir_op_erase(mul);
  EXPECT(ir_has_one_use(ir_result(add, 0)));
  EXPECT_OK(ir_verify(module));
  ir_ctx_destroy(f.ctx);
}

TEST_MAIN(CASE(every_row_compiles) CASE(terms_are_interned) CASE(texts_round_trip) CASE(errors_say_where_and_what)
              CASE(nesting_is_bounded) CASE(uses_follow_operands))
