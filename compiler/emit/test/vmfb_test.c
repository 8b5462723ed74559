// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes small modules and reads them back field by field, by the format's rules alone.
// With two arguments (name, path) the module is also written to a file, for other readers.
#include "compiler/emit/vmfb.h"

#include <stdlib.h>

#include "abi/vmfb.h"
#include "base/test.h"

typedef struct {
  uint8_t *data;
  size_t size;
} file_t;

static iree_status_t collect(void *self, const void *data, size_t length) {
  file_t *file = self;
  file->data = realloc(file->data, file->size + length + 1);
  if (length) memcpy(file->data + file->size, data, length);
  file->size += length;
  return iree_ok_status();
}

static uint64_t u(const uint8_t *p, int bytes) {
  uint64_t v = 0;
  for (int i = 0; i < bytes; ++i) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static const uint8_t *follow(const uint8_t *p) { return p + u(p, 4); }

// The bytes of field |slot| of the table at |table|; NULL when absent.
static const uint8_t *field(const uint8_t *table, int slot) {
  const uint8_t *vtable = table - (int32_t)u(table, 4);
  if (4 + 2 * slot >= (int)u(vtable, 2)) return NULL;
  uint64_t at = u(vtable + 4 + 2 * slot, 2);
  return at ? table + at : NULL;
}

static iree_string_view_t text(const uint8_t *table, int slot) {
  const uint8_t *at = field(table, slot);
  if (!at) return iree_string_view_empty();
  const uint8_t *string = follow(at);
  return iree_make_string_view((const char *)string + 4, u(string, 4));
}

static const uint8_t *element(const uint8_t *table, int slot, size_t index) {
  return follow(follow(field(table, slot)) + 4 + 4 * index);
}

#define SV(literal) iree_make_cstring_view(literal)

// answer() -> i32: returns 42.
static const uint8_t answer_code[] = {0x79, 0x0D, 42, 0, 0, 0, 0, 0, 0x5A, 0, 1, 0, 0, 0};

static const uint8_t big_data[5000] = {1, 2, 3};

static vmfb_module_t answer_module(void) {
  static const vmfb_attr_t attrs[1] = {
      {{"iree.abi.declaration", 20}, {"sync func @answer() -> i32", 26}}};
  static vmfb_function_t functions[2];
  static vmfb_export_t exports[2];
  static vmfb_rodata_t rodata[3];
  static iree_string_view_t types[1];
  static vmfb_location_t locations[1];
  static const vmfb_source_t sources[1] = {{1, 0}};
  vmfb_function_t function = {
      .name = SV("answer"),
      .calling_convention = SV("0v_i"),
      .bytecode = answer_code,
      .bytecode_length = sizeof(answer_code),
      .block_count = 1,
      .i32_register_count = 1,
      .sources = sources,
      .source_count = 1,
  };
  functions[0] = functions[1] = function;
  functions[0].attrs = attrs;
  functions[0].attr_count = 1;
  exports[0] = (vmfb_export_t){SV("answer"), 0};
  exports[1] = (vmfb_export_t){SV("other"), 1};
  rodata[0] = (vmfb_rodata_t){.name = SV("small"), .data = "text", .length = 4};
  rodata[1] = (vmfb_rodata_t){
      .name = SV("big"), .data = big_data, .length = sizeof(big_data), .alignment = 64};
  rodata[2] = (vmfb_rodata_t){.name = SV("elf"),
                              .mime_type = SV("application/x-elf"),
                              .data =
                                  "\x7f"
                                  "ELF1234",
                              .length = 8,
                              .alignment = 16};
  types[0] = SV("i32");
  locations[0] = (vmfb_location_t){
      .kind = VMFB_LOCATION_FILE_LINE_COL, .text = SV("answer.mlir"), .a = 3, .b = 5};
  return (vmfb_module_t){
      .name = SV("module"),
      .types = types,
      .type_count = 1,
      .exports = exports,
      .export_count = 2,
      .functions = functions,
      .function_count = 2,
      .rodata = rodata,
      .rodata_count = 3,
      .locations = locations,
      .location_count = 1,
      .attrs = attrs,
      .attr_count = 1,
  };
}

static void check_answer(test_t *test, const file_t *file, size_t prefix_at) {
  const uint8_t *prefix = file->data + prefix_at;
  EXPECT_EQ(prefix_at % 64, 0);
  uint64_t length = u(prefix, 4);
  EXPECT_EQ((prefix_at + 4 + length) % 64, 0);
  EXPECT(memcmp(prefix + 8, "IREE", 4) == 0);
  const uint8_t *root = follow(prefix + 4);
  EXPECT_SV(text(root, VMFB_BytecodeModuleDef_name), "module");
  EXPECT_EQ(u(field(root, VMFB_BytecodeModuleDef_bytecode_version), 4), 17 << 16);
  const uint8_t *export = element(root, VMFB_BytecodeModuleDef_exported_functions, 1);
  EXPECT_SV(text(export, VMFB_ExportFunctionDef_local_name), "other");
  EXPECT_EQ(u(field(export, VMFB_ExportFunctionDef_internal_ordinal), 4), 1);
  const uint8_t *signature = element(root, VMFB_BytecodeModuleDef_function_signatures, 0);
  EXPECT_SV(text(signature, VMFB_FunctionSignatureDef_calling_convention), "0v_i");
  const uint8_t *attr = element(signature, VMFB_FunctionSignatureDef_attrs, 0);
  EXPECT_SV(text(attr, VMFB_AttrDef_key), "iree.abi.declaration");
  const uint8_t *descriptors = follow(field(root, VMFB_BytecodeModuleDef_function_descriptors));
  EXPECT_EQ(u(descriptors, 4), 2);
  const uint8_t *code = follow(field(root, VMFB_BytecodeModuleDef_bytecode_data));
  EXPECT(memcmp(code + 4 + u(descriptors + 4 + 20, 4), answer_code, sizeof(answer_code)) == 0);
  const uint8_t *small = element(root, VMFB_BytecodeModuleDef_rodata_segments, 0);
  EXPECT(memcmp(follow(field(small, VMFB_RodataSegmentDef_embedded_data)) + 4, "text", 4) == 0);
  const uint8_t *big = element(root, VMFB_BytecodeModuleDef_rodata_segments, 1);
  const uint8_t *offset = field(big, VMFB_RodataSegmentDef_external_data_offset);
  ASSERT(offset != NULL);
  EXPECT_EQ((size_t)(offset - prefix) % 8, 0);
  size_t base = prefix_at + 4 + length;
  EXPECT_EQ(u(offset, 8) % 64, 0);
  ASSERT(base + u(offset, 8) + sizeof(big_data) <= file->size);
  EXPECT(memcmp(file->data + base + u(offset, 8), big_data, sizeof(big_data)) == 0);
  const uint8_t *debug = follow(field(root, VMFB_BytecodeModuleDef_debug_database));
  const uint8_t *location = element(debug, VMFB_DebugDatabaseDef_location_table, 0);
  EXPECT_SV(text(location, VMFB_FileLineColLocDef_filename), "answer.mlir");
  EXPECT_EQ(u(field(location, VMFB_FileLineColLocDef_line), 4), 3);
}

TEST(raw_file_reads_back) {
  vmfb_module_t module = answer_module();
  file_t file = {0};
  ASSERT_OK(vmfb_emit(&module, &(vmfb_options_t){.emit_zip = false}, collect, &file));
  check_answer(test, &file, 0);
  free(file.data);
}

TEST(zip_file_reads_back) {
  vmfb_module_t module = answer_module();
  file_t file = {0};
  ASSERT_OK(vmfb_emit(&module, &(vmfb_options_t){.emit_zip = true}, collect, &file));
  EXPECT_EQ(u(file.data, 4), 0x04034B50);
  check_answer(test, &file, 30 + u(file.data + 26, 2) + u(file.data + 28, 2));
  // End record, three entries.
  const uint8_t *end = file.data + file.size - 22;
  EXPECT_EQ(u(end, 4), 0x06054B50);
  EXPECT_EQ(u(end + 10, 2), 3);
  free(file.data);
}

TEST(bad_modules_are_errors) {
  file_t file = {0};
  vmfb_options_t options = {0};
  vmfb_module_t module = answer_module();
  module.name = iree_string_view_empty();
  EXPECT_STATUS(INVALID_ARGUMENT, vmfb_emit(&module, &options, collect, &file));
  module = answer_module();
  vmfb_export_t export = {SV("x"), 7};
  module.exports = &export;
  module.export_count = 1;
  EXPECT_STATUS(INVALID_ARGUMENT, vmfb_emit(&module, &options, collect, &file));
  EXPECT(file.size == 0);
}

static int write_to(const char *kind, const char *path) {
  vmfb_module_t module = answer_module();
  file_t file = {0};
  iree_status_t status =
      vmfb_emit(&module, &(vmfb_options_t){.emit_zip = strcmp(kind, "zip") == 0}, collect, &file);
  FILE *out = fopen(path, "wb");
  bool ok = iree_status_is_ok(status) && out && fwrite(file.data, 1, file.size, out) == file.size;
  if (out) fclose(out);
  iree_status_free(status);
  free(file.data);
  return ok ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 3) return write_to(argv[1], argv[2]);
  static const test_case_t cases[] = {CASE(raw_file_reads_back) CASE(zip_file_reads_back)
                                          CASE(bad_modules_are_errors)};
  return test_main(cases, sizeof(cases) / sizeof(cases[0]), argc, argv);
}
