// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a flow.dispatch.workgroups of each group of tensor ops.
//   in:  linalg ops on tensors      out: dispatches; tensor ops that move data or talk to the host remain
//   relies on: groups.c for what belongs together; tensor.dim having been resolved
//
//   %e = tensor.empty() : tensor<4xf32>
//   %0 = linalg.generic ... ins(%a, %b) outs(%e) -> tensor<4xf32>
//   ->
//   %0 = flow.dispatch.workgroups(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> =
//       (%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %y: ..., %z: ...<writeonly:...>) {
//     %l = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] ...
//     ...
//     iree_tensor_ext.dispatch.tensor.store %r, %z, ...
//     flow.return
//   } count() -> (index, index, index) {...}
//
// Dynamic extents are the workload: index operands that the count region and the body get.
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/flow/bindings.h"
#include "compiler/flow/groups.h"
#include "compiler/flow/shapes.h"
#include "compiler/ir/fold.h"

typedef struct values {
  ir_value_t **v;
  uint32_t n, cap;
} values_t;

typedef struct former {
  pass_t *pass;
  const group_t *group;
  ir_builder_t outer;      // at the dispatch
  values_t tensors, scalars, dims, outputs;
  ir_op_t **clones;        // in order
  uint32_t n_clones, cap_clones;
  ir_map_t *seen;          // value -> itself, once collected
  ir_map_t *inner;         // value outside -> value in the body
  ir_map_t *dims_of;       // tensor -> its dims (ir_value_t **)
  iree_status_t status;
} former_t;

static void push(former_t *f, values_t *list, ir_value_t *v) {
  IREE_ARENA_PUSH(f->pass->scratch, list->v, list->n, list->cap, v);
}
static bool contains(const values_t *list, const ir_value_t *v) {
  for (uint32_t i = 0; i < list->n; ++i)
    if (list->v[i] == v) return true;
  return false;
}
static bool is_member(const former_t *f, const ir_op_t *op) {
  for (uint32_t i = 0; i < f->group->n_members; ++i)
    if (f->group->members[i] == op) return true;
  return false;
}

// ---- what the body needs from outside
static iree_status_t collect_dims(former_t *f, ir_value_t *tensor) {
  if (ir_map_get(f->dims_of, tensor)) return iree_ok_status();
  ir_value_t **dims = IREE_ARENA_ARRAY(f->pass->scratch, ir_value_t *, ir_type_rank(tensor->type) + 1);
  IREE_RETURN_IF_ERROR(shape_dynamic_dims(&f->outer, tensor, dims));
  ir_map_set(f->dims_of, tensor, dims);
  for (size_t i = 0; i < ir_type_n_dynamic(tensor->type); ++i)
    if (!contains(&f->dims, dims[i])) push(f, &f->dims, dims[i]);
  return iree_ok_status();
}
static iree_status_t collect_value(former_t *f, ir_value_t *v) {
  if (ir_map_get(f->seen, v)) return iree_ok_status();
  ir_map_set(f->seen, v, v);
  ir_op_t *def = ir_def(v);
  if (def && is_member(f, def)) return iree_ok_status();
  if (def && dispatch_clones(def)) {
    // The whole source of a slice is not needed, only that it is bound.
    for (uint32_t i = 0; i < def->n_operands; ++i) IREE_RETURN_IF_ERROR(collect_value(f, ir_operand(def, i)));
    IREE_ARENA_PUSH(f->pass->scratch, f->clones, f->n_clones, f->cap_clones, def);
    return iree_ok_status();
  }
  if (ir_is(v->type, IR_T_TENSOR)) {
    push(f, &f->tensors, v);
    return collect_dims(f, v);
  }
  push(f, &f->scalars, v);
  return iree_ok_status();
}
static iree_status_t collect_operands(ir_op_t *op, void *self) {
  former_t *f = self;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *v = ir_operand(op, i);
    const ir_op_t *owner = v->is_arg ? (v->block->region ? v->block->region->op : NULL) : v->op;
    bool inside = false;
    for (uint32_t m = 0; m < f->group->n_members && !inside; ++m)
      inside = owner && owner != f->group->members[m] && ir_op_is_ancestor(f->group->members[m], owner);
    if (v->is_arg)
      for (uint32_t m = 0; m < f->group->n_members && !inside; ++m) inside = owner == f->group->members[m];
    if (!inside) IREE_RETURN_IF_ERROR(collect_value(f, v));
  }
  return iree_ok_status();
}

static bool used_outside(const former_t *f, const ir_value_t *v) {
  for (const ir_use_t *use = v->uses; use; use = use->next) {
    const ir_op_t *user = use->user;
    while (user && user->block != v->op->block) user = ir_op_parent(user);
    if (!user || !is_member(f, user)) return true;
  }
  return false;
}
static iree_status_t collect_all(former_t *f) {
  for (uint32_t m = 0; m < f->group->n_members; ++m) {
    ir_op_t *op = f->group->members[m];
    IREE_RETURN_IF_ERROR(ir_walk(op, collect_operands, f));
    for (uint32_t r = 0; r < op->n_results; ++r) {
      // What a region's loops carry is stored, used or not: that is where it lives.
      if (op->kind != OP_FLOW_DISPATCH_REGION && !used_outside(f, ir_result(op, r))) continue;
      push(f, &f->outputs, ir_result(op, r));
      IREE_RETURN_IF_ERROR(collect_dims(f, ir_result(op, r)));
    }
  }
  return iree_ok_status();
}

// ---- the dispatch
static ir_op_t *build_dispatch(former_t *f) {
  ir_ctx_t *ctx = f->pass->ctx;
  iree_arena_t *arena = f->pass->scratch;
  values_t operands = {0};
  uint32_t n_arguments = f->tensors.n;
  for (uint32_t i = 0; i < f->dims.n; ++i) push(f, &operands, f->dims.v[i]);
  for (uint32_t i = 0; i < f->tensors.n; ++i) push(f, &operands, f->tensors.v[i]);
  for (uint32_t i = 0; i < f->dims.n; ++i) push(f, &operands, f->dims.v[i]), ++n_arguments;
  for (uint32_t i = 0; i < f->scalars.n; ++i)
    if (!contains(&f->dims, f->scalars.v[i])) push(f, &operands, f->scalars.v[i]), ++n_arguments;
  uint32_t first = operands.n;
  for (uint32_t i = 0; i < f->tensors.n; ++i) {
    ir_value_t **dims = ir_map_get(f->dims_of, f->tensors.v[i]);
    for (size_t k = 0; k < ir_type_n_dynamic(f->tensors.v[i]->type); ++k) push(f, &operands, dims[k]);
  }
  uint32_t n_argument_dims = operands.n - first;
  ir_type_t *types = IREE_ARENA_ARRAY(arena, ir_type_t, f->outputs.n + 1);
  first = operands.n;
  for (uint32_t i = 0; i < f->outputs.n; ++i) {
    types[i] = f->outputs.v[i]->type;
    ir_value_t **dims = ir_map_get(f->dims_of, f->outputs.v[i]);
    for (size_t k = 0; k < ir_type_n_dynamic(types[i]); ++k) push(f, &operands, dims[k]);
  }
  uint32_t segments[4] = {f->dims.n, n_arguments, n_argument_dims, operands.n - first};
  ir_op_t *op = ir_build(&f->outer, &(ir_op_desc_t){.kind = OP_FLOW_DISPATCH_WORKGROUPS, .operands = operands.v, .n_operands = operands.n,
                                                    .segments = segments, .results = types, .n_results = f->outputs.n, .n_regions = 2});
  ir_block_create(ctx, op->regions[0]);
  dispatch_build_count(ctx, op->regions[1], f->dims.n, op->loc);
  return op;
}

// ---- the body
static ir_value_t **inner_dims(former_t *f, ir_value_t *tensor) {
  ir_value_t **dims = ir_map_get(f->dims_of, tensor);
  size_t n = ir_type_n_dynamic(tensor->type);
  ir_value_t **in = IREE_ARENA_ARRAY(f->pass->scratch, ir_value_t *, n + 1);
  for (size_t i = 0; i < n; ++i) in[i] = ir_map_get(f->inner, dims[i]);
  return in;
}
static void build_arguments(former_t *f, ir_block_t *block, ir_builder_t *b, ir_value_t **bindings) {
  ir_ctx_t *ctx = f->pass->ctx;
  for (uint32_t i = 0; i < f->tensors.n; ++i)
    bindings[i] = ir_block_add_arg(ctx, block, binding_type(ctx, "readonly", f->tensors.v[i]->type));
  for (uint32_t i = 0; i < f->dims.n; ++i) {
    ir_value_t *arg = ir_block_add_arg(ctx, block, ir_type_index(ctx));
    ir_value_t *dim = ir_build_attr(b, OP_TEXT_WORKLOAD_ORDINAL, ir_type_index(ctx), "ordinal", ir_attr_index(ctx, i), arg, NULL);
    ir_map_set(f->inner, f->dims.v[i], dim);
  }
  for (uint32_t i = 0; i < f->scalars.n; ++i)
    if (!contains(&f->dims, f->scalars.v[i]))
      ir_map_set(f->inner, f->scalars.v[i], ir_block_add_arg(ctx, block, f->scalars.v[i]->type));
}
// A slice of a binding is a smaller load of it.
static void build_slice(former_t *f, ir_builder_t *b, ir_op_t *slice, ir_value_t *binding) {
  ir_value_t *source = ir_operand(slice, 0);
  values_t operands = {0};
  push(f, &operands, binding);
  size_t n_dims = ir_type_n_dynamic(source->type);
  ir_value_t **dims = inner_dims(f, source);
  for (size_t i = 0; i < n_dims; ++i) push(f, &operands, dims[i]);
  for (uint32_t i = 1; i < slice->n_operands; ++i) push(f, &operands, ir_map_get(f->inner, ir_operand(slice, i)));
  uint32_t segments[5] = {1, (uint32_t)n_dims, slice->segments[1], slice->segments[2], slice->segments[3]};
  ir_named_t attrs[3];
  static const char *const names[3] = {"static_offsets", "static_sizes", "static_strides"};
  for (size_t i = 0; i < 3; ++i) attrs[i] = (ir_named_t){names[i], ir_op_attr(slice, names[i])};
  ir_op_t *load = ir_build(b, &(ir_op_desc_t){.kind = OP_TEXT_TENSOR_LOAD, .loc = slice->loc, .operands = operands.v, .n_operands = operands.n,
                                              .segments = segments, .results = &ir_result(slice, 0)->type, .n_results = 1,
                                              .attrs = attrs, .n_attrs = 3});
  ir_map_set(f->inner, ir_result(slice, 0), ir_result(load, 0));
}
static bool only_sliced(const former_t *f, const ir_value_t *tensor) {
  // Every use by the group goes through slices: no member reads it whole.
  for (uint32_t m = 0; m < f->group->n_members; ++m)
    for (uint32_t i = 0; i < f->group->members[m]->n_operands; ++i)
      if (ir_operand(f->group->members[m], i) == tensor) return false;
  return true;
}
static uint32_t tensor_index(const former_t *f, const ir_value_t *v) {
  for (uint32_t i = 0; i < f->tensors.n; ++i)
    if (f->tensors.v[i] == v) return i;
  return UINT32_MAX;
}
static iree_status_t remap_operands(ir_op_t *op, void *self) {
  former_t *f = self;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *to = ir_map_get(f->inner, ir_operand(op, i));
    if (to) ir_use_set(&op->operands[i], to);
  }
  return iree_ok_status();
}
static void build_clones(former_t *f, ir_builder_t *b, ir_value_t **bindings) {
  ir_ctx_t *ctx = f->pass->ctx;
  for (uint32_t i = 0; i < f->n_clones; ++i) {
    ir_op_t *op = f->clones[i];
    uint32_t at = op->kind == OP_TENSOR_EXTRACT_SLICE ? tensor_index(f, ir_operand(op, 0)) : UINT32_MAX;
    if (at != UINT32_MAX) build_slice(f, b, op, bindings[at]);
    else ir_insert(b, ir_op_clone(ctx, op, f->inner));
  }
}
// The ops of a flow.dispatch.region in place of it.
static void unwrap_region(ir_op_t *region) {
  ir_block_t *body = ir_body(region);
  ir_op_t *end = body->last;
  for (ir_op_t *op = body->first, *next; op != end; op = next) {
    next = op->next;
    ir_op_move_before(op, region);
  }
  for (uint32_t r = 0; r < region->n_results; ++r) ir_replace_uses(ir_result(region, r), ir_operand(end, r));
  ir_op_erase(region);
}
static iree_status_t build_body(former_t *f, ir_op_t *dispatch) {
  ir_ctx_t *ctx = f->pass->ctx;
  ir_block_t *block = ir_body(dispatch);
  ir_builder_t b = ir_builder_at_end(ctx, block);
  b.loc = dispatch->loc;
  ir_value_t **bindings = IREE_ARENA_ARRAY(f->pass->scratch, ir_value_t *, f->tensors.n + f->outputs.n + 1);
  build_arguments(f, block, &b, bindings);
  for (uint32_t i = 0; i < f->outputs.n; ++i)
    bindings[f->tensors.n + i] = ir_block_add_arg(ctx, block, binding_type(ctx, "writeonly", f->outputs.v[i]->type));
  for (uint32_t i = 0; i < f->tensors.n; ++i) {
    ir_value_t *v = f->tensors.v[i];
    ir_value_t *load = binding_build_load(&b, bindings[i], v->type, inner_dims(f, v));
    ir_map_set(f->inner, v, load);
  }
  build_clones(f, &b, bindings);
  for (uint32_t i = 0; i < f->outputs.n; ++i)
    ir_map_set(f->dims_of, ir_result(dispatch, i), inner_dims(f, f->outputs.v[i]));
  for (uint32_t m = 0; m < f->group->n_members; ++m) {
    ir_op_t *op = f->group->members[m];
    ir_op_move_to_end(op, block);
    IREE_RETURN_IF_ERROR(ir_walk(op, remap_operands, f));
  }
  for (uint32_t i = 0; i < f->outputs.n; ++i) {
    ir_value_t *v = f->outputs.v[i];
    for (ir_use_t *use = v->uses, *next; use; use = next) {
      next = use->next;
      if (!ir_op_is_ancestor(dispatch, use->user)) ir_use_set(use, ir_result(dispatch, i));
    }
    binding_build_store(&b, v, bindings[f->tensors.n + i], ir_map_get(f->dims_of, ir_result(dispatch, i)));
  }
  for (uint32_t m = 0; m < f->group->n_members; ++m)
    if (f->group->members[m]->kind == OP_FLOW_DISPATCH_REGION) unwrap_region(f->group->members[m]);
  for (uint32_t i = 0; i < f->tensors.n; ++i) {
    ir_value_t *load = ir_map_get(f->inner, f->tensors.v[i]);
    if (ir_unused(load) && only_sliced(f, f->tensors.v[i])) ir_op_erase(load->op);
  }
  ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_RETURN});
  return iree_ok_status();
}

static iree_status_t form(pass_t *pass, const group_t *group) {
  former_t f = {.pass = pass, .group = group};
  f.seen = ir_map_create(pass->scratch);
  f.inner = ir_map_create(pass->scratch);
  f.dims_of = ir_map_create(pass->scratch);
  f.outer = ir_builder_before(pass->ctx, group->members[0]);
  ir_loc_t *locs = IREE_ARENA_ARRAY(pass->scratch, ir_loc_t, group->n_members);
  for (uint32_t i = 0; i < group->n_members; ++i) locs[i] = group->members[i]->loc;
  f.outer.loc = ir_loc_fused(pass->ctx, locs, group->n_members);
  IREE_RETURN_IF_ERROR(collect_all(&f));
  if (!f.outputs.n) return iree_ok_status();
  return build_body(&f, build_dispatch(&f));
}

static iree_status_t form_in_block(pass_t *pass, ir_block_t *block);
static iree_status_t form_in_regions(pass_t *pass, ir_op_t *op) {
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) IREE_RETURN_IF_ERROR(form_in_block(pass, b));
  return iree_ok_status();
}
static iree_status_t form_in_block(pass_t *pass, ir_block_t *block) {
  groups_t g;
  for (const ir_op_t *op = block->first; op; op = op->next) IREE_RETURN_IF_ERROR(shape_check_rank(op));
  IREE_RETURN_IF_ERROR(groups_form(pass, block, &g));
  groups_sort(&g);
  for (uint32_t i = 0; i < g.n_ops; ++i)
    if (g.of[i] && g.of[i]->members[0] == g.ops[i]) IREE_RETURN_IF_ERROR(form(pass, g.of[i]));
  for (uint32_t i = 0; i < g.n_ops; ++i)
    if (!g.of[i] && g.ops[i]->n_regions && !strncmp(ir_op_name(g.ops[i]), "scf.", 4)) IREE_RETURN_IF_ERROR(form_in_regions(pass, g.ops[i]));
  return iree_ok_status();
}

iree_status_t flow_form_dispatches(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(form_in_regions(pass, op));
  ir_drop_dead(module);
  return iree_ok_status();
}
