// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of abi/ against themselves: what a row says twice must agree, what must be unique is.
#include "abi/executable_library.h"
#include "abi/version.h"
#include "abi/vmfb.h"
#include "base/isa.h"
#include "base/test.h"

typedef struct hal_row_t {
  const char *name, *cconv;
  int minimum_version;
  const char *arguments, *results;
} hal_row_t;
static const hal_row_t k_hal[] = {
#define HAL_IMPORT(name, cconv, minimum_version, effect, arguments, results, doc) \
  {name, cconv, minimum_version, arguments, results},
#include "abi/hal_imports.def"
#undef HAL_IMPORT
};

// Letter of a type: i32, i64, anything else is a ref.
static char letter_of(iree_string_view_t type) {
  if (iree_string_view_equal(type, IREE_SV("i32"))) return 'i';
  if (iree_string_view_equal(type, IREE_SV("i64"))) return 'I';
  return iree_string_view_find_char(type, '.', 0) != IREE_STRING_VIEW_NPOS ? 'r' : '?';
}

// Appends the letters of one type with its `*` and `(a,b)`.
static void append_letters(char *out, iree_string_view_t type) {
  bool is_group = iree_string_view_consume_suffix(&type, IREE_SV("*"));
  char *end = out + strlen(out);
  if (is_group) *end++ = 'C';
  iree_string_view_consume_prefix(&type, IREE_SV("("));
  iree_string_view_consume_suffix(&type, IREE_SV(")"));
  while (type.size) {
    iree_string_view_t member;
    iree_string_view_split(type, ',', &member, &type);
    *end++ = letter_of(member);
  }
  if (is_group) *end++ = 'D';
  *end = 0;
}

static void append_all(char *out, const char *text, bool has_names) {
  iree_string_view_t rest = iree_make_cstring_view(text);
  size_t begin = strlen(out);
  while (rest.size) {
    iree_string_view_t word;
    iree_string_view_split(rest, ' ', &word, &rest);
    if (has_names) iree_string_view_split(word, ':', NULL, &word);
    append_letters(out, word);
  }
  if (strlen(out) == begin) strcat(out, "v");
}

TEST(hal_signatures_agree) {
  EXPECT_EQ(IREE_ARRAYSIZE(k_hal), 60);
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_hal); ++i) {
    char cconv[64] = "0";
    append_all(cconv, k_hal[i].arguments, true);
    strcat(cconv, "_");
    append_all(cconv, k_hal[i].results, false);
    if (!EXPECT_STR(cconv, k_hal[i].cconv)) printf("  in %s\n", k_hal[i].name);
    EXPECT(k_hal[i].minimum_version <= ABI_HAL_MODULE_VERSION);
    if (i) EXPECT(strcmp(k_hal[i - 1].name, k_hal[i].name) < 0);
  }
}

TEST(status_codes_are_dense) {
  static const int values[] = {
#define IREE_STATUS(value, name, meaning, advice) value,
#include "abi/status.def"
#undef IREE_STATUS
  };
  for (int i = 0; i < (int)IREE_ARRAYSIZE(values); ++i) EXPECT_EQ(values[i], i);
  EXPECT(IREE_ARRAYSIZE(values) <= IREE_STATUS_CODE_MASK + 1);
}

TEST(element_types_are_unique) {
  static const struct {
    uint32_t value;
    const char *text;
  } rows[] = {
#define ELEMENT_TYPE(name, numerical, bits, mlir, text, numpy) \
  {((uint32_t)(numerical) << 24) | (bits), text},
#define ELEMENT_ALIAS(numerical, bits, mlir)
#include "abi/element_type.def"
#undef ELEMENT_TYPE
#undef ELEMENT_ALIAS
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    for (size_t k = 0; k < i; ++k) {
      EXPECT(rows[i].value != rows[k].value);
      EXPECT(strcmp(rows[i].text, rows[k].text) != 0);
    }
  }
  EXPECT_EQ(IREE_ARRAYSIZE(rows) > 30, true);
}

TEST(structures_have_their_sizes) {
  static const struct {
    size_t size, expected;
  } sizes[] = {{sizeof(vmfb_function_descriptor_t), 20}, {sizeof(vmfb_bytecode_location_t), 8}};
  for (size_t i = 0; i < IREE_ARRAYSIZE(sizes); ++i) EXPECT_EQ(sizes[i].size, sizes[i].expected);
  EXPECT_EQ(VMFB_BytecodeModuleDef_debug_database, 15);
  EXPECT_EQ(VMFB_LocationTypeDef_NameLocDef, 4);
  EXPECT_EQ(offsetof(iree_hal_executable_dispatch_attrs_v0_t, parameter_count), 22);
}

TEST_MAIN(CASE(hal_signatures_agree) CASE(status_codes_are_dense) CASE(element_types_are_unique)
              CASE(structures_have_their_sizes))
