// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  StableHLO and CHLO on quantised tensors.
// Out: only ops that move elements keep quantised operands and results, all of one scale; every
// other
//      op computes on the real values, between uniform_dequantize and uniform_quantize.
//
//   %0 = stablehlo.add %a, %b : (tensor<4x!qa>, tensor<4x!qb>) -> tensor<4x!qc>
// becomes
//   %x = stablehlo.uniform_dequantize %a : (tensor<4x!qa>) -> tensor<4xf32>
//   %y = stablehlo.uniform_dequantize %b : (tensor<4x!qb>) -> tensor<4xf32>
//   %1 = stablehlo.add %x, %y : tensor<4xf32>
//   %0 = stablehlo.uniform_quantize %1 : (tensor<4xf32>) -> tensor<4x!qc>
#include <string.h>

#include "compiler/dialects/quant_type.h"
#include "compiler/input/lower.h"

static bool is_quantized(ir_type_t type) {
  return ir_is(type, IR_T_TENSOR) && quant_is(ir_type_element(type));
}

// What an op makes of quantised elements.
typedef enum role {
  ROLE_COMPUTES,  // takes their values
  ROLE_MOVES,     // hands them on as they are stored
  ROLE_REDUCES,   // hands them to a region, whose arguments may have another scale
  ROLE_CONVERTS,  // is lowered by what its types say
} role_t;
static role_t role_of(ir_kind_t kind) {
  switch (kind) {
    case OP_HLO_RESHAPE:
    case OP_HLO_DYNAMIC_RESHAPE:
    case OP_HLO_TRANSPOSE:
    case OP_HLO_SLICE:
    case OP_HLO_REAL_DYNAMIC_SLICE:
    case OP_HLO_BROADCAST:
    case OP_HLO_BROADCAST_IN_DIM:
    case OP_HLO_DYNAMIC_BROADCAST_IN_DIM:
    case OP_HLO_CONCATENATE:
    case OP_HLO_PAD:
    case OP_HLO_DYNAMIC_PAD:
    case OP_HLO_REVERSE:
    case OP_HLO_DYNAMIC_SLICE:
    case OP_HLO_DYNAMIC_UPDATE_SLICE:
    case OP_HLO_GATHER:
    case OP_HLO_DYNAMIC_GATHER:
    case OP_HLO_TORCH_INDEX_SELECT:
    case OP_HLO_SELECT:
      return ROLE_MOVES;
    case OP_HLO_REDUCE:
    case OP_HLO_REDUCE_WINDOW:
    case OP_HLO_SCATTER:
    case OP_HLO_SELECT_AND_SCATTER:
    case OP_HLO_SORT:
    case OP_HLO_MAP:
      return ROLE_REDUCES;
    case OP_HLO_UNIFORM_QUANTIZE:
    case OP_HLO_UNIFORM_DEQUANTIZE:
    case OP_HLO_BITCAST_CONVERT:
    case OP_HLO_CONSTANT:
    case OP_HLO_RETURN:
    case OP_HLO_WHILE:
    case OP_HLO_IF:
    case OP_HLO_CASE:
    case OP_HLO_TUPLE:
    case OP_HLO_GET_TUPLE_ELEMENT:
    case OP_HLO_OPTIMIZATION_BARRIER:
    case OP_HLO_GET_DIMENSION_SIZE:
    case OP_HLO_CUSTOM_CALL:
    case OP_HLO_COMPOSITE:
      return ROLE_CONVERTS;
    default:
      return ROLE_COMPUTES;
  }
}

static iree_status_t read_type(ir_ctx_t *ctx, ir_op_t *op, ir_type_t type, quant_type_t *out) {
  const char *wrong = quant_type_check(ctx, type);
  if (!wrong) wrong = quant_type_read(ctx, ir_type_element(type), out);
  if (!wrong) return iree_ok_status();
  return ir_op_error(op, "has elements of a type that %s: %s", wrong,
                     ir_print_term_to(ir_arena(ctx), ir_type_element(type)));
}
// All quantised operands and results store alike and mean the same by it.
static iree_status_t stores_alike(ir_ctx_t *ctx, ir_op_t *op, bool *out) {
  quant_type_t first, q;
  bool any = false;
  *out = true;
  for (uint32_t i = 0; i < op->n_operands + op->n_results; ++i) {
    ir_type_t type =
        i < op->n_operands ? ir_operand(op, i)->type : ir_result(op, i - op->n_operands)->type;
    if (!is_quantized(type)) continue;
    IREE_RETURN_IF_ERROR(read_type(ctx, op, type, &q));
    if (!any) first = q, any = true;
    *out = *out && quant_same_baseline(&first, &q) &&
           (op->kind == OP_HLO_BROADCAST_IN_DIM || op->kind == OP_HLO_DYNAMIC_BROADCAST_IN_DIM ||
            quant_same_scales(&first, &q));
  }
  return iree_ok_status();
}

static void dequantize_operand(ir_ctx_t *ctx, ir_op_t *op, uint32_t i, ir_type_t element) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_type_t type = ir_type_with_element(ctx, ir_operand(op, i)->type, element);
  ir_use_set(&op->operands[i],
             ir_build1(&b, OP_HLO_UNIFORM_DEQUANTIZE, type, ir_operand(op, i), NULL, NULL));
}
// Result |i| gets element type |element|; what uses it goes on with its old type.
static void quantize_result(ir_ctx_t *ctx, ir_op_t *op, uint32_t i, ir_type_t element) {
  ir_value_t *r = ir_result(op, i);
  ir_type_t type = r->type;
  r->type = ir_type_with_element(ctx, type, element);
  ir_builder_t b = ir_builder_after(ctx, op);
  ir_op_t *quantize = ir_op_create(ctx, &(ir_op_desc_t){.kind = OP_HLO_UNIFORM_QUANTIZE,
                                                        .loc = op->loc,
                                                        .operands = &r,
                                                        .n_operands = 1,
                                                        .results = &type,
                                                        .n_results = 1});
  while (r->uses && (r->uses->user != quantize || r->uses->next)) {
    ir_use_t *use = r->uses->user == quantize ? r->uses->next : r->uses;
    ir_use_set(use, ir_result(quantize, 0));
  }
  ir_insert(&b, quantize);
}
static iree_status_t compute_on_reals(ir_ctx_t *ctx, ir_op_t *op) {
  quant_type_t q;
  ir_type_t expressed = NULL;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    if (!is_quantized(ir_operand(op, i)->type)) continue;
    IREE_RETURN_IF_ERROR(read_type(ctx, op, ir_operand(op, i)->type, &q));
    if (expressed && q.expressed != expressed)
      return ir_op_error(op, "has quantised operands that express different floats");
    expressed = q.expressed;
    dequantize_operand(ctx, op, i, q.expressed);
  }
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (!is_quantized(ir_result(op, i)->type)) continue;
    IREE_RETURN_IF_ERROR(read_type(ctx, op, ir_result(op, i)->type, &q));
    if (expressed && q.expressed != expressed)
      return ir_op_error(op,
                         "has a quantised result that expresses another float than its operands");
    quantize_result(ctx, op, i, q.expressed);
  }
  return iree_ok_status();
}

// ---- ops with regions on scalars: operands take the scales that the regions compute with
static ir_type_t region_element(const ir_op_t *op, uint32_t operand) {
  ir_block_t *body = op->n_regions ? op->regions[op->n_regions - 1]->first : NULL;
  uint32_t at = operand;
  if (op->kind == OP_HLO_SORT) at = 2 * operand;
  if (op->kind == OP_HLO_SELECT_AND_SCATTER) at = operand ? operand - 1 : 0;
  if (op->kind == OP_HLO_SCATTER) {  // inputs, indices, updates; arguments without the indices
    uint32_t n = (op->n_operands - 1) / 2;
    at = operand > n ? operand - 1 : operand;
  }
  return body && at < body->n_args ? ir_type_element(body->args[at]->type) : NULL;
}
static iree_status_t fit_operand(ir_ctx_t *ctx, ir_op_t *op, uint32_t i) {
  ir_type_t type = ir_operand(op, i)->type, element = region_element(op, i);
  quant_type_t q;
  if (!is_quantized(type)) return iree_ok_status();
  IREE_RETURN_IF_ERROR(read_type(ctx, op, type, &q));
  if (!element || element == ir_type_element(type)) return iree_ok_status();
  if (element == q.expressed) {
    dequantize_operand(ctx, op, i, element);
    return iree_ok_status();
  }
  if (!quant_is(element)) return ir_op_error(op, "has a region that does not take operand %u", i);
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_type_t to = ir_type_with_element(ctx, type, element);
  ir_use_set(&op->operands[i],
             ir_build1(&b, OP_HLO_UNIFORM_QUANTIZE, to, ir_operand(op, i), NULL, NULL));
  return iree_ok_status();
}
static iree_status_t fit_region(ir_ctx_t *ctx, ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_operands; ++i) IREE_RETURN_IF_ERROR(fit_operand(ctx, op, i));
  ir_block_t *body = op->n_regions ? op->regions[op->n_regions - 1]->first : NULL;
  if (op->kind == OP_HLO_SORT || !body || !body->last) return iree_ok_status();
  for (uint32_t i = 0; i < op->n_results && i < body->last->n_operands; ++i) {
    ir_type_t from = ir_type_element(ir_operand(body->last, i)->type),
              to = ir_type_element(ir_result(op, i)->type);
    if (from != to && quant_is(to)) quantize_result(ctx, op, i, from);
  }
  return iree_ok_status();
}

static iree_status_t decompose_op(ir_op_t *op, void *self) {
  ir_ctx_t *ctx = self;
  bool quantized = false, alike;
  for (uint32_t i = 0; i < op->n_operands; ++i) quantized |= is_quantized(ir_operand(op, i)->type);
  for (uint32_t i = 0; i < op->n_results; ++i) quantized |= is_quantized(ir_result(op, i)->type);
  const char *name = ir_op_name(op);
  if (!quantized || (strncmp(name, "stablehlo.", 10) && strncmp(name, "chlo.", 5)))
    return iree_ok_status();
  IREE_RETURN_IF_ERROR(stores_alike(ctx, op, &alike));
  switch (role_of(op->kind)) {
    case ROLE_CONVERTS:
      return iree_ok_status();
    case ROLE_REDUCES:
      return fit_region(ctx, op);
    case ROLE_MOVES:
      return alike ? iree_ok_status() : compute_on_reals(ctx, op);
    case ROLE_COMPUTES:
      return input_contract_integers(ctx, op) ? iree_ok_status() : compute_on_reals(ctx, op);
  }
  return iree_ok_status();
}
iree_status_t input_decompose_quantized(pass_t *pass, ir_op_t *module) {
  return ir_walk(module, decompose_op, pass->ctx);
}
