// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction table, in the order of isa.def, and the row of each number: three planes of 256 (core,
// f32, f64). A number given twice would silently override a row, so a switch over all numbers makes it a
// compile error.
#include "base/isa.h"

#include <string.h>

#define ISA_SLOT(number)       \
  ((number) < 0x100 ? (number) \
                    : ((number)&0xFF) + ((number) >> 8 == ISA_PREFIX_F32 ? 0x100 : 0x200))

static const isa_row_t isa_rows[] = {
#define ISA_OP(number, symbol, mnemonic, fields, doc) {mnemonic, fields, number},
#include "abi/isa.def"
#undef ISA_OP
};

enum {
#define ISA_OP(number, symbol, mnemonic, fields, doc) ISA_ROW_##number,
#include "abi/isa.def"
#undef ISA_OP
};
static const uint16_t isa_row_of_slot[0x300] = {
#define ISA_OP(number, symbol, mnemonic, fields, doc) [ISA_SLOT(number)] = ISA_ROW_##number,
#include "abi/isa.def"
#undef ISA_OP
};

static bool isa_is_assigned(uint32_t number) {
  switch (number) {
#define ISA_OP(number, symbol, mnemonic, fields, doc) case number:
#include "abi/isa.def"
#undef ISA_OP
    return true;
    default:
      return false;
  }
}

const isa_row_t *isa_row(uint32_t number) {
  return isa_is_assigned(number) ? &isa_rows[isa_row_of_slot[ISA_SLOT(number)]] : NULL;
}

const isa_row_t *isa_row_after(const isa_row_t *row, iree_string_view_t mnemonic) {
  if (mnemonic.size == 0) return NULL;
  size_t first = row ? (size_t)(row - isa_rows) + 1 : 0;
  for (size_t i = 0; i < IREE_ARRAYSIZE(isa_rows); ++i) {
    const isa_row_t *candidate = &isa_rows[(first + i) % IREE_ARRAYSIZE(isa_rows)];
    if (!strncmp(candidate->mnemonic, mnemonic.data, mnemonic.size) &&
        !candidate->mnemonic[mnemonic.size]) {
      return candidate;
    }
  }
  return NULL;
}

const isa_row_t *isa_row_by_mnemonic(iree_string_view_t mnemonic) {
  return isa_row_after(NULL, mnemonic);
}

const char *isa_field_next(const char *fields, isa_field_t *out_field) {
  while (*fields == ' ') ++fields;
  if (!*fields) return NULL;
  out_field->kind = *fields++;
  out_field->bank = 0;
  if (*fields && *fields != ':' && *fields != ' ') out_field->bank = *fields++;
  if (*fields == ':') ++fields;
  const char *name = fields;
  while (*fields && *fields != ' ') ++fields;
  out_field->name = iree_make_string_view(name, (iree_host_size_t)(fields - name));
  return fields;
}
