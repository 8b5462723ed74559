// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduled kernel under construction: loops, lanes, indices, and where each value is computed.
//
//   scope   the body of one loop (scope 0: the function). Every value remembers the scope it was
//           computed in, its depth, in ir_value_t.mark.
//   place   a pure operation goes to the deepest scope among its operands, whatever scope is
//   current:
//           what does not change in a loop is computed outside of it from the start.
//   number  equal operations in a live scope are built once.
//   lanes   while |lanes| > 1 the innermost distributed index stands for that many neighbours; what
//           depends on it is a vector, what does not stays scalar.
//   rows    a reduction asked for at one of several neighbouring rows is computed for all of them
//   in one
//           loop, so that what they share is read once
//   index   base + add + lane * l for lane l, or a whole vector of indices; arithmetic on indices
//   keeps
//           the first form as long as it can, which is what tells contiguous accesses from gathers.
//
// Errors are sticky: the first is kept in |status|, later calls do nothing of use and return
// constants.
#ifndef IREE_COMPILER_CODEGEN_KERNEL_H_
#define IREE_COMPILER_CODEGEN_KERNEL_H_

#include "compiler/codegen/target.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/ir.h"

typedef struct kernel_t kernel_t;

typedef struct {
  ir_value_t *base;  // scalar index; NULL: zero
  int64_t add;
  int64_t lane;
  ir_value_t *vector;  // vector of indices; the other fields are then unused
} kidx_t;

// A computed element: a scalar, a vector of |lanes|, or an index not yet materialised.
typedef struct {
  ir_value_t *value;  // NULL: |index|
  kidx_t index;
  ir_value_t *imag;  // of a complex element; |value| is then the real part
} kval_t;

typedef struct kernel_memo_t kernel_memo_t;
typedef struct {
  ir_block_t *block;
  ir_op_t *loop;    // the op whose body this is; NULL for scope 0
  ir_op_t *before;  // where ops placed here go; NULL: the end
  kernel_memo_t **memo;
  double trips;         // executions of this scope
  bool is_conditional;  // memory reads inside must stay inside
} kernel_scope_t;

enum {
  KERNEL_MAX_DEPTH = 64,
  KERNEL_MAX_RANK = 24,
  KERNEL_MEMO_BUCKETS = 256,
  KERNEL_MAX_CARRIED = 32
};

struct kernel_t {
  ir_ctx_t *ctx;
  iree_arena_t *arena;
  const codegen_target_t *target;
  ir_loc_t loc;
  iree_status_t status;
  kernel_scope_t scopes[KERNEL_MAX_DEPTH];
  int depth;  // the current scope's index
  unsigned lanes;
  // Rows: |row_count| neighbours of index |row_base| are computed side by side; |row| is the one
  // asked for.
  ir_value_t *row_base;
  unsigned row_count, row;
  bool fresh_loads;  // what loads read may have changed since: they stay where they are made
  double cost;
  ir_type_t index_type, i1_type;
  ir_op_t *func;        // the function being replaced
  ir_block_t *globals;  // block of the module that holds constant data
  int global_count;
  const ir_op_t *module_op;
};

// Starts a kernel whose ops go to |block|.
void kernel_init(kernel_t *k, ir_ctx_t *ctx, iree_arena_t *arena, const codegen_target_t *target,
                 ir_op_t *func, ir_block_t *block);
void kernel_fail(kernel_t *k, iree_status_t status);
static inline bool kernel_ok(const kernel_t *k) { return iree_status_is_ok(k->status); }

// Operations. |operands| scalar or vector as the op needs them; placed and numbered.
typedef struct {
  const char *name;
  ir_attr_t value;
} kernel_attr_t;
ir_value_t *kernel_op(kernel_t *k, ir_kind_t kind, ir_type_t result, ir_value_t *const *operands,
                      size_t n, const kernel_attr_t *attrs, size_t n_attrs);
ir_value_t *kernel_op1(kernel_t *k, ir_kind_t kind, ir_type_t result, ir_value_t *x);
ir_value_t *kernel_op2(kernel_t *k, ir_kind_t kind, ir_value_t *x, ir_value_t *y);
// An op with effects, at the end of the current scope.
ir_op_t *kernel_effect(kernel_t *k, ir_kind_t kind, ir_value_t *const *operands, size_t n,
                       const uint32_t *segments);
// |op| with other operands: an elementwise op of the source program on scalars or vectors.
ir_value_t *kernel_elementwise(kernel_t *k, const ir_op_t *op, kval_t *const operands, size_t n,
                               size_t result);

// Constants and vectors.
ir_value_t *kernel_constant(kernel_t *k, ir_attr_t value, ir_type_t type);
ir_value_t *kernel_index_constant(kernel_t *k, int64_t value);
ir_type_t kernel_vector_type(kernel_t *k, ir_type_t element);  // of the current lanes
ir_value_t *kernel_broadcast(kernel_t *k, ir_value_t *value);  // to the current lanes
static inline bool kernel_is_vector(const ir_value_t *v) { return ir_is(v->type, IR_T_VECTOR); }
ir_value_t *kernel_select(kernel_t *k, ir_value_t *c, ir_value_t *a, ir_value_t *b);
// |predicate| by its number in arith.cmpi: eq 0, ne 1, slt 2, sle 3, sgt 4, sge 5, ult 6 ...
ir_value_t *kernel_compare(kernel_t *k, int predicate, ir_value_t *a, ir_value_t *b);

// Values and indices.
static inline kval_t kval(ir_value_t *value) { return (kval_t){.value = value}; }
ir_value_t *kval_get(kernel_t *k, kval_t v);
kidx_t kval_index(kernel_t *k, kval_t v);
static inline kidx_t kidx_const(int64_t value) { return (kidx_t){.add = value}; }
kidx_t kidx_value(ir_value_t *value);  // folds constants
static inline bool kidx_is_const(kidx_t i) { return !i.base && !i.lane && !i.vector; }
static inline bool kidx_is_uniform(kidx_t i) { return !i.lane && !i.vector; }
bool kidx_equal(kidx_t a, kidx_t b);
kidx_t kidx_add(kernel_t *k, kidx_t a, kidx_t b);
kidx_t kidx_sub(kernel_t *k, kidx_t a, kidx_t b);
kidx_t kidx_mul(kernel_t *k, kidx_t a, kidx_t b);
kidx_t kidx_binary(kernel_t *k, ir_kind_t kind, kidx_t a, kidx_t b);  // division, min, max ...
kidx_t kidx_expr(kernel_t *k, ir_expr_t expr, const kidx_t *dims, size_t n_dims);
ir_value_t *kidx_scalar(kernel_t *k, kidx_t i);  // of a uniform index
ir_value_t *kidx_get(kernel_t *k, kidx_t i);     // scalar if uniform, else vector
int kidx_depth(const kernel_t *k, kidx_t i);

// Loops from |lo| to |hi| by |step| with carried values. A loop that runs once is not built.
typedef struct {
  kidx_t iv;
  ir_op_t *op;
  ir_value_t *carried[KERNEL_MAX_CARRIED];
  size_t n_carried;
  bool is_built;
  // Saved by kernel_begin_at for its end.
  int saved_depth;
} kernel_loop_t;
void kernel_begin_loop(kernel_t *k, kernel_loop_t *loop, kidx_t lo, kidx_t hi, int64_t step,
                       ir_value_t *const *inits, size_t n, double trips);
// Ends the loop with |yields|; |out| receives the final values.
void kernel_end_loop(kernel_t *k, kernel_loop_t *loop, ir_value_t *const *yields, ir_value_t **out);
// if (condition) { ... } without results; regions read nothing that leaves them.
void kernel_begin_if(kernel_t *k, ir_value_t *condition);
void kernel_end_if(kernel_t *k);

// Makes scope |depth| current while code for it is added before the loops inside it.
typedef struct {
  int depth;
  kernel_scope_t scopes[KERNEL_MAX_DEPTH];
} kernel_saved_t;
void kernel_enter(kernel_t *k, int depth, kernel_saved_t *saved);
void kernel_leave(kernel_t *k, const kernel_saved_t *saved);

// Memory. |element| the element type; |at| a linear element index into the flat buffer.
ir_value_t *kernel_load(kernel_t *k, ir_value_t *buffer, kidx_t at);
void kernel_store(kernel_t *k, ir_value_t *buffer, kidx_t at, ir_value_t *value);

// Remembered results: key is any pointer with indices.
bool kernel_recall(kernel_t *k, const void *key, const kidx_t *idx, size_t n, kval_t *out);
void kernel_remember(kernel_t *k, const void *key, const kidx_t *idx, size_t n, kval_t value);

#endif  // IREE_COMPILER_CODEGEN_KERNEL_H_
