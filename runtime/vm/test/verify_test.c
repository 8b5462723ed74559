// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must be refused, and that nothing hostile gets past: each byte of small module files is
// changed in several ways, the result loaded and, if it loads, run. Sanitizers find what slips
// through.
#include "runtime/vm/bytecode/disasm.h"
#include "runtime/vm/test/vm_env.h"

static const char *const k_types[] = {"!vm.buffer", "i32"};
static const char *const k_rodata[] = {"data"};
static const test_import_t k_imports[] = {
    {"native.call", "0ir_I", VMFB_FLAG_OPTIONAL},
    {"native.many", "0iCIrD_v", VMFB_FLAG_OPTIONAL},
    {"native.free", NULL, VMFB_FLAG_OPTIONAL},
};

static iree_status_t load_only(iree_const_byte_span_t file, iree_vm_bytecode_module_flags_t flags) {
  env_t env;
  env_init(&env);
  iree_status_t status = iree_vm_bytecode_module_create(
      env.instance, flags, file, iree_allocator_null(), env.allocator, &env.module);
  if (env_deinit(&env) != 0 && iree_status_is_ok(status)) {
    status = iree_make_status(IREE_STATUS_DATA_LOSS, "leak");
  }
  return status;
}

static iree_status_t load_text(file_writer_t *w, const char *cconv, const char *text) {
  test_function_t functions[] = {{.cconv = "0Ir_i", .text = "return [i0]"},
                                 {.export_name = "f", .cconv = cconv, .text = text}};
  test_module_t m = {"m", functions, 2, k_imports, 3, k_types, 2, k_rodata, 1, 12, 1, NULL, 0, 0};
  return load_only(test_module_file(&m, w), 0);
}

static const struct {
  const char *cconv, *text;
} k_refused[] = {
    // Registers.
    {"0v_v", "add.i32 i0 i30000 i1; return []"},
    {"0v_v", "add.i64 i0 i3 i4; return []"},
    {"0v_v", "add.i32 i0 r0 i1; return []"},
    {"0v_v", "cmp.nz.ref i0 i0; return []"},
    {"0v_v", "cmp.nz.ref r16000 i0; return []"},
    {"0v_v", "discard.refs [r16000]; return []"},
    {"0v_v", "br :x {i0>r0}; x: return []"},
    {"0v_v", "br :x {i0>i30000}; x: return []"},
    {"0v_v", "switch.i64 i0 i2 [i5] i4; return []"},
    {"0v_v", "switch.ref i0 0 r0 [i0] r1; return []"},
    // Ordinals.
    {"0v_v", "global.load.i32 9 i0; return []"},
    {"0v_v", "global.load.i64 5 i0; return []"},
    {"0v_v", "global.load.i32 4294967295 i0; return []"},
    {"0v_v", "global.store.ref 1 0 r0; return []"},
    {"0v_v", "const.ref.rodata 1 r0; return []"},
    {"0v_v", "list.alloc 2 i0 r0; return []"},
    {"0v_v", "call @2 [] []; return []"},
    {"0v_v", "call !3 [] []; return []"},
    {"0v_v", "import.resolved @0 i0; return []"},
    // Calls against signatures.
    {"0v_v", "call @0 [i0] [i1]; return []"},
    {"0v_v", "call @0 [i0 r0 i2] [i1]; return []"},
    {"0v_v", "call @0 [i1 r0] [i1]; return []"},
    {"0v_v", "call @0 [i0 i2] [i1]; return []"},
    {"0v_v", "call @0 [i0 r0] []; return []"},
    {"0v_v", "call @0 [i0 r0] [r1]; return []"},
    {"0v_v", "call !0 [i0 r0] [i1]; return []"},
    {"0v_v", "call !1 [i0] []; return []"},
    {"0v_v", "call.variadic @0 [- -] [i0 r0] [i1]; return []"},
    {"0v_v", "call.variadic !1 [-] [i0] []; return []"},
    {"0v_v", "call.variadic !1 [- 2] [i0 i2 r0] []; return []"},
    {"0v_v", "call.variadic !1 [- 1] [i0 i2 i4] []; return []"},
    {"0v_v", "call.variadic !1 [- 1 1] [i0 i2 r0] []; return []"},
    {"0v_v", "call.variadic !1 [0 1] [i0 i2 r0] []; return []"},
    {"0v_v", "call.variadic !1 [- -] [i0] []; return []"},
    {"0v_i", "return []"},
    {"0v_v", "return [i0]"},
    {"0v_r", "return [i0]"},
    {"0v_I", "return [i1]"},
    // Blocks.
    {"0v_v", "add.i32 i0 i0 i0"},
    {"0v_v", "return []; add.i32 i0 i0 i0"},
    {"0v_v", "add.i32 i0 i0 i0; x: return []"},
    // Signatures.
    {"1v_v", "return []"},
    {"0x_v", "return []"},
    {"0CiD_v", "return []"},
    {"0Ci_v", "return []"},
    {"0v_CiD", "return []"},
};

TEST(bad_programs_are_refused) {
  file_writer_t *w = malloc(sizeof(*w));
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_refused); ++i) {
    iree_status_t status = load_text(w, k_refused[i].cconv, k_refused[i].text);
    bool ok = iree_status_is_invalid_argument(status) || iree_status_is_unimplemented(status);
    if (!EXPECT(ok)) {
      iree_status_fprint(stdout, status);
      printf("  in: %s %s\n", k_refused[i].cconv, k_refused[i].text);
    }
    iree_status_free(status);
  }
  EXPECT_OK(load_text(w, "0v_v",
                      "call.variadic !1 [- 2] [i0 i2 r0 i4 r1] []; call !0 [i0 R0] [i2];"
                      "call !2 [i0 i1 r0] [r1]; return []"));
  free(w);
}

static bool has_text(test_t *test, iree_status_t status, const char *text) {
  char actual[512];
  iree_host_size_t size = 0;
  iree_status_format(status, sizeof(actual), actual, &size);
  bool ok = strstr(actual, text) != NULL;
  if (!ok) printf("  `%s`\n  does not have `%s`\n", actual, text);
  iree_status_free(status);
  return EXPECT(ok);
}

TEST(bad_files_are_refused) {
  file_writer_t *w = malloc(sizeof(*w));
  test_function_t functions[] = {{.export_name = "f", .cconv = "0v_v", .text = "return []"}};
  test_module_t m = {"m", functions, 1, NULL, 0, k_types, 1, NULL, 0, 0, 0, NULL, 0, 18u << 16};
  has_text(test, load_only(test_module_file(&m, w), 0),
           "INVALID_ARGUMENT; bytecode version mismatch; runtime supports 15.0 to 17.0, module has 18.0");
  m.bytecode_version = 14u << 16;
  has_text(test, load_only(test_module_file(&m, w), 0), "module has 14.0; recompile the module");
  m.bytecode_version = (17u << 16) | 1;
  has_text(test, load_only(test_module_file(&m, w), 0), "module has 17.1");
  m.bytecode_version = 0;
  const char *unknown[] = {"!hal.fencX"};
  m.types = unknown;
  iree_const_byte_span_t file = test_module_file(&m, w);
  has_text(test, load_only(file, 0), "NOT_FOUND; no type registered with name '!hal.fencX'");
  EXPECT_OK(load_only(file, IREE_VM_BYTECODE_MODULE_FLAG_ALLOW_PLACEHOLDER_TYPES));
  m.types = k_types;
  file = test_module_file(&m, w);
  EXPECT_OK(load_only(file, 0));
  has_text(test, load_only(iree_make_const_byte_span(file.data, 10), 0), "less than 16 bytes");
  has_text(test, load_only(iree_make_const_byte_span(file.data, file.data_length - 4), 0),
           "length prefix out of bounds");
  w->data[8] ^= 1;
  has_text(test, load_only(file, 0), "FlatBuffer verification failed: buffer: identifier mismatch");
  for (iree_host_size_t n = 0; n < file.data_length; ++n) {
    uint8_t *exact = malloc(n ? n : 1);
    memcpy(exact, file.data, n);
    iree_status_t status = load_only(iree_make_const_byte_span(exact, n), 0);
    if (!EXPECT(!iree_status_is_ok(status))) printf("  cut at %zu\n", n);
    iree_status_free(status);
    free(exact);
  }
  free(w);
}

// ---- Mutation ----------------------------------------------------------------------------------

static const char k_busy[] =
    "const.i32 3 i2; const.i64 8 i4; const.ref.rodata 0 r1; br :loop {i2>i3 R1>r2};"
    "loop: sub.i32 i3 i6 i3; cmp.nz.i32 i3 i7; const.i32 1 i6; cond_br i7 :loop {} :next {};"
    "next: buffer.alloc i4 i6 r3; buffer.length r2 i8; list.alloc 1 i2 r4; list.resize r4 i2;"
    "list.set.i32 r4 i6 i3; global.store.ref 0 0 R3; call @0 [i4 r2] [i9];"
    "br_table i6 :end {} (:end {i3>i2} :other {}); other: trace \"text\" [r0 R2]; br :end {};"
    "end: const.f32 2.0 i10; add.f32 i10 i10 i10; discard.refs [r0 r4]; return [i2]";

// Runs only what surely ends, which is code without branches: labels are defined as `^bb0:` and
// referred to as `^bb0(`.
static bool surely_ends(iree_vm_module_t *module, iree_allocator_t allocator) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(allocator, &builder);
  iree_status_t status = bytecode_disassemble_module(module, iree_string_view_empty(), 0, &builder);
  bool ends = iree_status_is_ok(status);
  const char *s = iree_string_builder_buffer(&builder);
  while (ends && (s = strstr(s, "^bb"))) {
    s += 3;
    s += strspn(s, "0123456789");
    ends = *s != '(';
  }
  iree_status_free(status);
  iree_string_builder_deinitialize(&builder);
  return ends;
}

typedef struct tally_t {
  uint32_t tried, loaded, run;
} tally_t;

static void try_file(iree_const_byte_span_t file, tally_t *tally) {
  env_t env;
  env_init(&env);
  // An exact copy: reading past its end is seen.
  uint8_t *exact = malloc(file.data_length);
  memcpy(exact, file.data, file.data_length);
  ++tally->tried;
  iree_status_t status = iree_vm_bytecode_module_create(
      env.instance, 0, iree_make_const_byte_span(exact, file.data_length), iree_allocator_null(),
      env.allocator, &env.module);
  if (iree_status_is_ok(status)) {
    ++tally->loaded;
    if (surely_ends(env.module, env.allocator)) {
      status = iree_vm_context_create_with_modules(env.instance, 0, 1, &env.module, env.allocator,
                                                   &env.context);
      if (iree_status_is_ok(status)) {
        ++tally->run;
        status = env_call(&env, "f");
      }
    }
  }
  iree_status_free(status);
  env_deinit(&env);
  free(exact);
}

static void try_changes(file_writer_t *w, iree_const_byte_span_t file, tally_t *tally) {
  static const uint8_t changes[] = {0x01, 0x02, 0x04, 0x80, 0xFF, 0x7F, 0x10};
  for (iree_host_size_t i = 0; i < file.data_length; ++i) {
    uint8_t original = w->data[i];
    for (size_t k = 0; k < IREE_ARRAYSIZE(changes); ++k) {
      w->data[i] = original ^ changes[k];
      try_file(file, tally);
    }
    w->data[i] = original;
  }
}

// As k_busy but straight, so that what loads can also be run.
static const char k_straight[] =
    "const.i32 3 i2; const.i64 8 i4; const.ref.rodata 0 r1; buffer.alloc i4 i6 r3;"
    "buffer.length r1 i8; list.alloc 1 i2 r4; list.resize r4 i2; list.set.i32 r4 i6 i2;"
    "list.get.i64 r4 i6 i8; global.store.ref 0 0 R3; global.load.ref 0 0 r2;"
    "call @0 [i4 r2] [i9]; select.ref i2 0 r1 R2 r5; switch.ref i2 0 r1 [r5 R4] r6;"
    "trace \"text\" [r0 R2]; const.f32 2.0 i10; add.f32 i10 i10 i10; buffer.clone r1 i6 i6 i6 r7;"
    "div.i32.s i2 i2 i3; fma.i64 i4 i4 i4 i4; discard.refs [r0 r4]; return [i2]";

TEST(changed_bytes_do_no_harm) {
  file_writer_t *w = malloc(sizeof(*w));
  const char *texts[] = {k_busy, k_straight};
  for (size_t i = 0; i < IREE_ARRAYSIZE(texts); ++i) {
    test_function_t functions[] = {{.cconv = "0Ir_i", .text = "return [i0]"},
                                   {.export_name = "f", .cconv = "0v_i", .text = texts[i]}};
    test_module_t m = {"m", functions, 2, k_imports, 3, k_types, 2, k_rodata, 1, 12, 1, NULL, 0, 0};
    iree_const_byte_span_t file = test_module_file(&m, w);
    EXPECT_OK(load_only(file, 0));
    tally_t tally = {0};
    try_changes(w, file, &tally);
    printf("  %u changed files, %u load, %u run\n", tally.tried, tally.loaded, tally.run);
    EXPECT(tally.loaded > 0 && tally.loaded < tally.tried);
  }
  free(w);
}

// ---- Random programs ---------------------------------------------------------------------------

typedef struct random_code_t {
  uint64_t seed;
  uint8_t code[512];
  uint32_t size;
} random_code_t;

static uint32_t draw(random_code_t *r, uint32_t n) {
  r->seed ^= r->seed << 13, r->seed ^= r->seed >> 7, r->seed ^= r->seed << 17;
  return (uint32_t)(r->seed >> 33) % n;
}
static void emit(random_code_t *r, uint64_t value, uint32_t size) {
  // Now and then a byte is nonsense.
  if (draw(r, 200) == 0) value ^= 1ull << draw(r, 8 * size);
  memcpy(r->code + r->size, &value, size);
  r->size += size;
}
static void emit_register(random_code_t *r, char bank) {
  if (bank == '*') bank = "ir"[draw(r, 2)];
  if (bank == 'r')
    emit(r, 0x8000u | (draw(r, 3) ? 0 : 0x4000u) | draw(r, 8), 2);
  else
    emit(r, bank == 'I' || bank == 'F' ? 2 * draw(r, 7) : draw(r, 14), 2);
}

static void emit_field(random_code_t *r, const isa_field_t *field) {
  uint32_t count = draw(r, 4);
  switch (field->kind) {
    case 'r':
    case 'w':
    case 'm':
      emit_register(r, field->bank);
      break;
    case '#':
      emit(r, draw(r, 3) ? draw(r, 20) : ~0ull, strchr("IF", field->bank) ? 8 : 4);
      break;
    case '@':
      emit(r, field->bank == 'f' ? draw(r, 3) : field->bank == 'R' ? 0 : draw(r, 2), 4);
      break;
    case '[':
    case ']':
      if (r->size & 1) emit(r, 0, 1);
      emit(r, count, 2);
      for (uint32_t i = 0; i < count; ++i) emit_register(r, field->bank);
      break;
    case '$':
      emit(r, 2, 2), emit(r, 0x6161, 2);
      break;
    default:
      break;
  }
}

TEST(random_programs_do_no_harm) {
  file_writer_t *w = malloc(sizeof(*w));
  random_code_t r = {.seed = 88172645463325252ull};
  tally_t tally = {0};
  for (int round = 0; round < 4000; ++round) {
    r.size = 0;
    emit(&r, ISA_OP_Block, 1);
    // Sources for refs and values first, then anything that is no branch.
    for (uint32_t n = 3 + draw(&r, 8); n;) {
      static const uint16_t sources[] = {ISA_OP_ConstRefRodata, ISA_OP_ListAlloc,
                                         ISA_OP_BufferClone, ISA_OP_ConstI64, ISA_OP_ConstI32};
      uint32_t plane = (uint32_t[]){0, 0xE000, 0xE100}[draw(&r, 3)];
      uint32_t number = draw(&r, 3) ? plane | draw(&r, 0x8A) : sources[draw(&r, 5)];
      const isa_row_t *row = isa_row(number);
      if (!row || !row->mnemonic[0] || strpbrk(row->fields, ">=!") || r.size > 400) continue;
      if (number > 0xFF) emit(&r, number >> 8, 1);
      emit(&r, number & 0xFF, 1);
      isa_field_t field;
      for (const char *s = row->fields; (s = isa_field_next(s, &field));) emit_field(&r, &field);
      --n;
    }
    emit(&r, ISA_OP_Return, 1);
    if (r.size & 1) emit(&r, 0, 1);
    emit(&r, 0, 2);
    test_function_t functions[] = {
        {.cconv = "0v_v", .text = "return []"},
        {.export_name = "f", .cconv = "0v_v", .code = r.code, .code_size = r.size}};
    test_module_t m = {"m", functions, 2, k_imports, 3, k_types, 2, k_rodata, 1, 12, 1, NULL, 0, 0};
    try_file(test_module_file(&m, w), &tally);
  }
  printf("  %u random programs, %u load, %u run\n", tally.tried, tally.loaded, tally.run);
  EXPECT(tally.run > 500);
  free(w);
}

TEST_MAIN(CASE(bad_programs_are_refused) CASE(bad_files_are_refused) CASE(changed_bytes_do_no_harm)
              CASE(random_programs_do_no_harm))
