// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vm/rows.h"

#include <string.h>

#include "compiler/dialects/ops.h"

const isa_row_t *const *vm_rows(iree_arena_t *arena) {
  ir_tables_t tables = dialect_tables();
  const isa_row_t **rows = IREE_ARENA_ARRAY(arena, const isa_row_t *, tables.n_ops);
  const isa_row_t *row = NULL;
  for (size_t kind = 1; kind < tables.n_ops; ++kind) {
    const char *name = tables.ops[kind].name;
    if (strncmp(name, "vm.", 3)) continue;
    rows[kind] = isa_row_after(row, iree_make_cstring_view(name + 3));
    if (rows[kind]) row = rows[kind];
  }
  return rows;
}

bool vm_row_moves(const isa_row_t *row, uint32_t index) {
  isa_field_t field;
  uint32_t next = 0;
  for (const char *at = row->fields; (at = isa_field_next(at, &field));) {
    if (field.kind == 'r' || field.kind == 'm') {
      if (next++ == index) return field.kind == 'm';
    } else if (field.kind == '[' && field.bank != 's') {
      return field.bank == '*';
    }
  }
  return false;
}
