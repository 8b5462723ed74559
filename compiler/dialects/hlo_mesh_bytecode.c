// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replica groups by the axes of a mesh, in the encodings of stablehlo and of vhlo: the latter has
// attributes where the former has strings and lists.
#include <stdio.h>

#include "compiler/dialects/hlo_bytecode.h"

static bool name_field(bc_cursor_t *c, bool versioned, hlo_fields_t *f) {
  iree_string_view_t text;
  ir_attr_t name;
  if (versioned ? !bc_attr(c, &name) : !bc_string(c, &text)) return false;
  hlo_field(f, "name", versioned ? name : ir_attr_string(f->ctx, text.data, text.size));
  return true;
}
static bool list_field(bc_cursor_t *c, bool versioned, hlo_fields_t *f) {
  ir_attr_t list, *items;
  size_t n;
  if (versioned ? !bc_attr(c, &list) : !bc_attrs(c, &items, &n)) return false;
  hlo_field(f, "axes", versioned ? list : ir_attr_array(f->ctx, items, n));
  return true;
}
static bool sub_axis(bc_cursor_t *c, ir_attr_t *out) {  // written (1)2
  int64_t before, size;
  char text[64];
  if (!bc_svarint(c, &before) || !bc_svarint(c, &size)) return false;
  snprintf(text, sizeof text, "(%lld)%lld", (long long)before, (long long)size);
  *out = ir_attr_keyword(bc_ctx(c), text);
  return true;
}
static bool axis_ref(bc_cursor_t *c, bool versioned, hlo_fields_t *f) {
  uint64_t has = 0;
  uint8_t flag = 0;
  ir_attr_t sub;
  if (!name_field(c, versioned, f) || (versioned ? !bc_varint(c, &has) : !bc_byte(c, &flag))) return false;
  if (!has && !flag) return true;
  if (!bc_attr(c, &sub)) return false;
  hlo_field(f, "sub_axis_info", sub);
  return true;
}
static bool mesh_axis(bc_cursor_t *c, bool versioned, hlo_fields_t *f) {
  int64_t size;
  if (!name_field(c, versioned, f) || !bc_svarint(c, &size)) return false;
  hlo_field_number(f, "size", size);
  return true;
}
static bool mesh(bc_cursor_t *c, bool versioned, hlo_fields_t *f) {
  ir_attr_t axes, ids = NULL;
  uint8_t flag = 0;
  if (!bc_attr(c, &axes)) return false;
  hlo_field(f, "axes", axes);
  if (versioned ? !bc_attr_optional(c, &ids) : !bc_byte(c, &flag) || (flag && !bc_attr(c, &ids))) return false;
  if (ids) hlo_field(f, "device_ids", ids);
  return true;
}
static bool replica_groups(bc_cursor_t *c, bool versioned, hlo_fields_t *f) {
  ir_attr_t m;
  if (!bc_attr(c, &m)) return false;
  hlo_field(f, "mesh", ir_is(m, IR_A_STRING) ? ir_attr_sym(f->ctx, ir_bytes(m)) : m);
  return list_field(c, versioned, f);
}

bool hlo_read_mesh(bc_cursor_t *c, hlo_mesh_kind_t kind, bool versioned, ir_attr_t *out) {
  static const char *const names[] = {"stablehlo.replica_group_mesh_axes", "", "stablehlo.axis_ref",
                                      "stablehlo.mesh_axis", "stablehlo.mesh"};
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  bool ok = false;
  switch (kind) {
    case HLO_REPLICA_GROUPS: ok = replica_groups(c, versioned, &f); break;
    case HLO_SUB_AXIS: return sub_axis(c, out);
    case HLO_AXIS_REF: ok = axis_ref(c, versioned, &f); break;
    case HLO_MESH_AXIS: ok = mesh_axis(c, versioned, &f); break;
    case HLO_MESH: ok = mesh(c, versioned, &f); break;
  }
  if (ok) *out = ir_attr_dialect(f.ctx, names[kind], f.at, f.n);
  return ok;
}
