// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a module with every form of instruction, and the reports about files.
#include "runtime/vm/bytecode/disasm.h"
#include "runtime/vm/test/vm_env.h"

static const char *const k_types[] = {"!vm.buffer", "i32"};
static const char *const k_rodata[] = {"ab"};
static const test_import_t k_imports[] = {
    {"hal.command_buffer.dispatch", "0iCIrD_v", VMFB_FLAG_OPTIONAL},
    {"hal.fence.await", "0i_i", VMFB_FLAG_REQUIRED},
};

static const char k_program[] =
    "const.i32 -2 i0; const.i64 16 i2; const.f32 0.1 i4; const.f64 0.1 i6; global.load.i64 0 i8;"
    "global.store.indirect.i32 i0 i4; const.ref.rodata 0 r0; global.store.ref 0 0 R0;"
    "list.alloc 1 i0 r1; list.get.ref r1 i0 0 r2; select.i64 i0 i2 i8 i6;"
    "switch.ref i0 0 R2 [r1 R2] r3; buffer.store.i8 r3 i2 i0; cast.any.ref r3 0 r2;"
    "call @0 [i0 R3] [i4]; call.variadic !0 [- 1] [i0 i2 r1] []; trace \"note\" [i0 R1];"
    "import.resolved !0 i0; call.yieldable !1 [i0] :next [i4]; next: cond_br i0 :a {i0>i4} :b {};"
    "a: br_table i0 :b {} (:a {i4>i0} :b {}); b: fail i0 \"over\"";

static const char k_text[] =
    "vm.module @m version 0\n"
    "vm.type !vm.buffer\n"
    "vm.type i32\n"
    "vm.import optional @hal.command_buffer.dispatch cconv \"0iCIrD_v\"\n"
    "vm.import @hal.fence.await cconv \"0i_i\"\n"
    "vm.rodata[0] = 6162\n"
    "\n"
    "vm.func @fn0(%i0: i32, %r0: !vm.ref<?>) -> (i32) {\n"
    "^bb0:\n"
    "  vm.return %i0\n"
    "}\n"
    "\n"
    "vm.export @f\n"
    "vm.func @f(%i0: i32, %i2:3: i64) -> () {\n"
    "^bb0:\n"
    "  %i0 = vm.const.i32 -2  // 0xFFFFFFFE\n"
    "  %i2:3 = vm.const.i64 16  // 0x0000000000000010\n"
    "  %i4 = vm.const.f32 0.100000001\n"
    "  %i6:7 = vm.const.f64 0.10000000000000001\n"
    "  %i8:9 = vm.global.load.i64 .rwdata[0]\n"
    "  vm.global.store.indirect.i32 %i4, .rwdata[%i0]\n"
    "  %r0 = vm.const.ref.rodata 0  // 2b\n"
    "  vm.global.store.ref %R0, .refs[0] : !vm.buffer\n"
    "  %r1 = vm.list.alloc %i0 : !vm.list<i32>\n"
    "  %r2 = vm.list.get.ref %r1, %i0 : !vm.buffer\n"
    "  %i6:7 = vm.select.i64 %i0 ? %i2:3 : %i8:9\n"
    "  %r3 = vm.switch.ref %i0[%r1, %R2] else %R2 -> !vm.buffer\n"
    "  vm.buffer.store.i8 %i0, %r3, %i2:3\n"
    "  %r2 = vm.cast.any.ref %r3 : !vm.ref<?> -> !vm.buffer\n"
    "  %i4 = vm.call @m:0(%i0, %R3)\n"
    "  vm.call.variadic @hal.command_buffer.dispatch segments[65535, 1](%i0, %i2, %r1)\n"
    "  vm.trace \"note\"(%i0, %R1)\n"
    "  %i0 = vm.import.resolved @hal.command_buffer.dispatch\n"
    "  vm.call.yieldable @hal.fence.await(%i0) -> ^bb1(%i4)\n"
    "^bb1:\n"
    "  vm.cond_br %i0, ^bb2(%i0->%i4), ^bb3()\n"
    "^bb2:\n"
    "  vm.br_table %i0 { default: ^bb3(), 0: ^bb2(%i4->%i0), 1: ^bb3() }\n"
    "^bb3:\n"
    "  vm.fail %i0, \"over\"\n"
    "}\n";

typedef struct loaded_t {
  env_t env;
  vmfb_archive_t archive;
  iree_string_builder_t builder;
  file_writer_t *w;
} loaded_t;

static iree_status_t load(loaded_t *l) {
  env_init(&l->env);
  l->w = malloc(sizeof(*l->w));
  test_function_t functions[] = {{.cconv = "0ir_i", .text = "return [i0]"},
                                 {.export_name = "f", .cconv = "0iI_v", .text = k_program}};
  test_module_t m = {"m", functions, 2, k_imports, 2, k_types, 2, k_rodata, 1, 12, 1, NULL, 0, 0};
  iree_const_byte_span_t file = test_module_file(&m, l->w);
  iree_string_builder_initialize(l->env.allocator, &l->builder);
  IREE_RETURN_IF_ERROR(vmfb_archive_open(file, &l->archive));
  return iree_vm_bytecode_module_create(l->env.instance, 0, file, iree_allocator_null(),
                                        l->env.allocator, &l->env.module);
}
static int64_t unload(loaded_t *l) {
  iree_string_builder_deinitialize(&l->builder);
  int64_t live = env_deinit(&l->env);
  free(l->w);
  return live;
}

TEST(modules_print) {
  loaded_t l;
  ASSERT_OK(load(&l));
  ASSERT_OK(bytecode_disassemble_module(l.env.module, iree_string_view_empty(), 0, &l.builder));
  EXPECT_STR(iree_string_builder_buffer(&l.builder), k_text);
  EXPECT_EQ(unload(&l), 0);
}

TEST(one_function_prints_with_offsets) {
  loaded_t l;
  ASSERT_OK(load(&l));
  ASSERT_OK(bytecode_disassemble_module(l.env.module, IREE_SV("0"),
                                        IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_BYTECODE_OFFSETS,
                                        &l.builder));
  const char *text = iree_string_builder_buffer(&l.builder);
  EXPECT(strstr(text, "[00000000]^bb0:\n[00000001]  vm.return %i0\n}\n") && !strstr(text, "@f("));
  iree_string_builder_reset(&l.builder);
  ASSERT_OK(bytecode_disassemble_module(l.env.module, IREE_SV("f"), 0, &l.builder));
  EXPECT(!strstr(iree_string_builder_buffer(&l.builder), "@fn0("));
  EXPECT_STATUS(NOT_FOUND, bytecode_disassemble_module(l.env.module, IREE_SV("g"), 0, &l.builder));
  EXPECT_STATUS(OUT_OF_RANGE,
                iree_vm_bytecode_module_disassemble_function(l.env.module, 2, 0, &l.builder));
  EXPECT_EQ(unload(&l), 0);
}

TEST(commands_are_counted) {
  loaded_t l;
  ASSERT_OK(load(&l));
  ASSERT_OK(bytecode_report_commands(l.env.module, &l.builder));
  EXPECT(strstr(iree_string_builder_buffer(&l.builder), "\nDispatches: 1\n"));
  EXPECT_EQ(unload(&l), 0);
}

TEST(ledger_accounts_for_every_byte) {
  loaded_t l;
  ASSERT_OK(load(&l));
  ASSERT_OK(vmfb_report_ledger(&l.archive, &l.builder));
  const char *line = iree_string_builder_buffer(&l.builder);
  uint64_t sum = 0, last = 0;
  while ((line = strchr(line, '\n')) && *++line) {
    last = strtoull(line, NULL, 10);
    sum += last;
  }
  EXPECT_EQ(sum, 2 * l.archive.contents.data_length);  // the total stands below
  EXPECT_EQ(unload(&l), 0);
}

TEST(json_prints) {
  loaded_t l;
  ASSERT_OK(load(&l));
  ASSERT_OK(vmfb_report_json(&l.archive, false, &l.builder));
  const char *text = iree_string_builder_buffer(&l.builder);
  EXPECT(strstr(text,
                "{\"name\":\"m\",\"requirements\":\"EXT_F32 EXT_F64 YIELD UNWIND\",\"types\":["
                "{\"full_name\":\"!vm.buffer\"},"));
  EXPECT(strstr(text,
                "{\"full_name\":\"hal.fence.await\",\"signature\":{\"calling_convention\":"
                "\"0i_i\"}}],"));
  EXPECT(strstr(text, "{\"embedded_data\":[97,98]}"));
  EXPECT(strstr(text, "\"flags\":\"OPTIONAL\""));
  EXPECT_EQ(unload(&l), 0);
}

TEST(metadata_prints) {
  loaded_t l;
  ASSERT_OK(load(&l));
  ASSERT_OK(vmfb_report_metadata(&l.archive, &l.builder));
  const char *text = iree_string_builder_buffer(&l.builder);
  EXPECT(strstr(text, "// @m : version 0\n"));
  EXPECT(strstr(text, "Requirements: EXT_F32 | EXT_F64 | 0000000C\n"));
  EXPECT(
      strstr(text, "  [  0] ?hal.command_buffer.dispatch(i32, tuple<i64, !vm.ref<?>>...) -> ()"));
  EXPECT(strstr(text, "  [  0] f(i32, i64) -> ()\n"));
  EXPECT(strstr(text, "  .rodata[  0] embedded        2 bytes `ab`\n"));
  EXPECT(strstr(text, "  12 bytes, 1 refs, ~28 bytes total\n"));
  EXPECT_EQ(unload(&l), 0);
}

TEST_MAIN(CASE(modules_print) CASE(one_function_prints_with_offsets) CASE(commands_are_counted)
              CASE(ledger_accounts_for_every_byte) CASE(metadata_prints) CASE(json_prints))
