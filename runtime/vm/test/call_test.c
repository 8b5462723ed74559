// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls across modules: signatures, packed groups, refs, waiting and resuming, errors on the way,
// and what memory they use.
#include "runtime/vm/test/vm_env.h"

// ---- A native module ---------------------------------------------------------------------------

typedef struct native_state_t {
  int32_t calls;
} native_state_t;

IREE_VM_ABI_EXPORT(native_add, native_state_t, ii, i) {
  (void)stack, (void)module;
  ++state->calls;
  rets->i0 = args->i0 + args->i1;
  return iree_ok_status();
}
IREE_VM_ABI_EXPORT(native_echo, native_state_t, r, r) {
  (void)stack, (void)module, (void)state;
  return iree_vm_ref_wrap_retain(args->r0.ptr, args->r0.type, &rets->r0);
}
IREE_VM_ABI_EXPORT(native_fail, native_state_t, v, v) {
  (void)stack, (void)module, (void)state, (void)args, (void)rets;
  return iree_make_status(IREE_STATUS_ABORTED, "native trouble");
}
// a0 + sum of the group.
IREE_VM_ABI_EXPORT(native_sum, native_state_t, CID, I) {
  (void)stack, (void)module, (void)state;
  for (uint32_t i = 0; i < args->a0_count; ++i) rets->i0 += args->a0[i].i0 * (i + 1);
  return iree_ok_status();
}
IREE_VM_ABI_EXPORT(native_mixed, native_state_t, rCID, I) {
  (void)stack, (void)module, (void)state;
  rets->i0 = args->r0.ptr ? 100 : 0;
  for (uint32_t i = 0; i < args->a1_count; ++i) rets->i0 += args->a1[i].i0;
  return iree_ok_status();
}
// Waits as often as its argument says, then returns that number. The second wait is for any of two
// sources, of which one never comes.
IREE_VM_ABI_EXPORT(native_wait, native_state_t, i, i) {
  (void)module;
  iree_vm_stack_frame_t *frame = iree_vm_stack_top(stack);
  if (frame->pc == 0) {
    frame->pc = 1;
    state->calls = args->i0;
  } else {
    iree_vm_wait_result_t result;
    IREE_RETURN_IF_ERROR(iree_vm_stack_wait_leave(stack, &result));
    IREE_RETURN_IF_ERROR(result.status);
    ++frame->pc;
  }
  if (frame->pc <= state->calls) {
    iree_vm_wait_frame_t *wait = NULL;
    bool is_any = frame->pc == 2;
    IREE_RETURN_IF_ERROR(iree_vm_stack_wait_enter(stack,
                                                  is_any ? IREE_VM_WAIT_ANY : IREE_VM_WAIT_ALL,
                                                  is_any ? 2 : 1, iree_infinite_timeout(), 0, &wait));
    wait->wait_sources[0] = iree_wait_source_delay(
        is_any ? IREE_TIME_INFINITE_FUTURE : iree_time_now() + 1000);
    if (is_any) wait->wait_sources[1] = iree_wait_source_delay(iree_time_now() + 3000000);
    return iree_status_from_code(IREE_STATUS_DEFERRED);
  }
  rets->i0 = state->calls;
  return iree_ok_status();
}

#define EXPORT(name, cconv) \
  { IREE_SVL(name), IREE_SVL(cconv), 0, NULL }
#define FUNCTION(shim_, target_) \
  { iree_vm_shim_##shim_, (iree_vm_native_function_target_t)(target_) }
static const iree_vm_native_export_descriptor_t k_exports[] = {
    EXPORT("add", "0ii_i"),     EXPORT("echo", "0r_r"),  EXPORT("fail", "0v_v"),
    EXPORT("mixed", "0rCID_I"), EXPORT("sum", "0CID_I"), EXPORT("wait", "0i_i"),
};
static const iree_vm_native_function_ptr_t k_functions[] = {
    FUNCTION(ii_i, native_add),     FUNCTION(r_r, native_echo),  FUNCTION(v_v, native_fail),
    FUNCTION(rCID_I, native_mixed), FUNCTION(CID_I, native_sum), FUNCTION(i_i, native_wait),
};
static const iree_vm_native_module_descriptor_t k_native = {
    .name = IREE_SVL("native"),
    .version = 3,
    .export_count = IREE_ARRAYSIZE(k_exports),
    .exports = k_exports,
    .function_count = IREE_ARRAYSIZE(k_functions),
    .functions = k_functions,
};

static iree_status_t native_alloc_state(void *self, iree_allocator_t allocator,
                                        iree_vm_module_state_t **out_state) {
  (void)self;
  return iree_allocator_malloc(allocator, sizeof(native_state_t), (void **)out_state);
}
static iree_allocator_t g_state_allocator;  // of the environment at hand
static void native_free_state(void *self, iree_vm_module_state_t *state) {
  (void)self;
  iree_allocator_free(g_state_allocator, state);
}

static iree_status_t create_native(env_t *env, iree_vm_module_t **out_module) {
  iree_vm_module_t interface;
  IREE_RETURN_IF_ERROR(iree_vm_module_initialize(&interface, NULL));
  interface.alloc_state = native_alloc_state;
  interface.free_state = native_free_state;
  g_state_allocator = env->allocator;
  return iree_vm_native_module_create(&interface, &k_native, env->instance, env->allocator,
                                      out_module);
}

static const char *const k_types[] = {"!vm.buffer"};
static const char *const k_rodata[] = {"data"};
static const test_import_t k_imports[] = {
    {"native.add", "0ii_i", VMFB_FLAG_REQUIRED},    {"native.echo", "0r_r", VMFB_FLAG_REQUIRED},
    {"native.fail", "0v_v", VMFB_FLAG_REQUIRED},    {"native.mixed", "0rCID_I", VMFB_FLAG_REQUIRED},
    {"native.sum", NULL, VMFB_FLAG_REQUIRED},       {"native.wait", "0i_i", VMFB_FLAG_REQUIRED},
    {"native.nothing", "0v_v", VMFB_FLAG_OPTIONAL},
};

// Loads one function `f` of |cconv| (and helpers before it) beside the native module.
static iree_status_t load(env_t *env, const char *cconv, const char *text) {
  file_writer_t *w = malloc(sizeof(*w));
  test_function_t functions[] = {
      {.cconv = "0ii_i", .text = "add.i32 i0 i1 i2; return [i2]"},
      {.cconv = "0i_i",
       .text = "call.yieldable !5 [i0] :x [i1]; x: yield :y {i1>i3}; y: return [i3]"},
      {.export_name = "f", .cconv = cconv, .text = text},
  };
  test_module_t m = {"m", functions, 3, k_imports, 7, k_types, 1, k_rodata, 1, 8, 1, NULL, 0, 0};
  iree_vm_module_t *native = NULL;
  iree_status_t status = create_native(env, &native);
  // The file must outlive the module.
  static uint8_t storage[FILE_MAX];
  iree_const_byte_span_t file = test_module_file(&m, w);
  memcpy(storage, file.data, file.data_length);
  free(w);
  if (iree_status_is_ok(status)) {
    status = env_load(env, iree_make_const_byte_span(storage, file.data_length), native);
  }
  iree_vm_module_release(native);
  return status;
}

TEST(imports_pack_and_unpack) {
  env_t env;
  env_init(&env);
  ASSERT_OK(load(&env, "0i_iI",
                 "const.i32 5 i2; call !0 [i0 i2] [i3]; const.i64 7 i4;"
                 "const.i64 11 i6; call.variadic !4 [2] [i4 i6] [i8];"
                 "return [i3 i8]"));
  env_i32(&env, 37);
  ASSERT_OK(env_call(&env, "f"));
  EXPECT_EQ(env_out(&env, 0).i32, 42);
  EXPECT_EQ(env_out(&env, 1).i64, 29);
  EXPECT_EQ(env_deinit(&env), 0);
}

TEST(groups_and_refs_travel) {
  env_t env;
  env_init(&env);
  ASSERT_OK(load(&env, "0v_rII",
                 "const.ref.rodata 0 r0; call !1 [r0] [r1]; const.i64 7 i0;"
                 "call.variadic !3 [- 3] [r0 i0 i0 i0] [i2]; call.variadic !3 [- 0] [R0] [i4];"
                 "cmp.nz.ref r0 i6; return [R1 i2 i4]"));
  ASSERT_OK(env_call(&env, "f"));
  iree_vm_buffer_t *buffer = iree_vm_list_get_ref_deref(env.outputs, 0, iree_vm_buffer_type());
  ASSERT(buffer);
  EXPECT_SV(iree_vm_buffer_as_string(buffer), "data");
  EXPECT_EQ(env_out(&env, 1).i64, 121);
  EXPECT_EQ(env_out(&env, 2).i64, 100);
  // A returned buffer keeps the module it lies in.
  iree_vm_buffer_retain(buffer);
  iree_vm_list_clear(env.outputs);
  iree_vm_context_release(env.context);
  iree_vm_module_release(env.module);
  env.context = NULL;
  env.module = NULL;
  EXPECT_SV(iree_vm_buffer_as_string(buffer), "data");
  iree_vm_buffer_release(buffer);
  EXPECT_EQ(env_deinit(&env), 0);
}

TEST(sync_calls_wait) {
  env_t env;
  env_init(&env);
  ASSERT_OK(load(&env, "0i_i", "call @1 [i0] [i1]; return [i1]"));
  env_i32(&env, 3);
  ASSERT_OK(env_call(&env, "f"));
  EXPECT_EQ(env_out(&env, 0).i32, 3);
  EXPECT_EQ(env_deinit(&env), 0);
}

TEST(calls_resume_where_they_stopped) {
  env_t env;
  env_init(&env);
  ASSERT_OK(load(&env, "0ri_ri", "call.yieldable @1 [i0] :x [i1]; x: return [R0 i1]"));
  iree_vm_buffer_t *buffer = NULL;
  ASSERT_OK(iree_vm_buffer_create(IREE_VM_BUFFER_ACCESS_ORIGIN_HOST, 4, 0, env.allocator, &buffer));
  iree_vm_ref_t ref = iree_vm_buffer_move_ref(buffer);
  ASSERT_OK(iree_vm_list_push_ref_move(env.inputs, &ref));
  env_i32(&env, 2);
  iree_vm_function_t function;
  ASSERT_OK(iree_vm_module_lookup_function_by_name(env.module, IREE_VM_FUNCTION_LINKAGE_EXPORT,
                                                   IREE_SV("f"), &function));
  iree_vm_invoke_state_t state;
  iree_status_t status =
      iree_vm_begin_invoke(&state, env.context, function, 0, NULL, env.inputs, env.allocator);
  int steps = 0;
  while (iree_status_is_deferred(status)) {
    ++steps;
    ASSERT_OK(iree_vm_wait_invoke(&state, NULL, IREE_TIME_INFINITE_FUTURE));
    status = iree_vm_resume_invoke(&state);
  }
  ASSERT_OK(status);
  EXPECT_EQ(steps, 3);  // two waits and the yield
  iree_status_t result = iree_ok_status();
  ASSERT_OK(iree_vm_end_invoke(&state, env.outputs, &result));
  ASSERT_OK(result);
  EXPECT_EQ(env_out(&env, 1).i32, 2);
  EXPECT(iree_vm_list_get_ref_deref(env.outputs, 0, iree_vm_buffer_type()) == buffer);

  // Dropped half way: nothing stays behind.
  status = iree_vm_begin_invoke(&state, env.context, function, 0, NULL, env.inputs, env.allocator);
  EXPECT(iree_status_is_deferred(status));
  iree_vm_abort_invoke(&state);
  EXPECT_EQ(env_deinit(&env), 0);
}

TEST(errors_name_their_way) {
  env_t env;
  env_init(&env);
  ASSERT_OK(load(&env, "0r_v", "call !1 [r0] [r1]; call !2 [] []; return []"));
  iree_vm_ref_t null = iree_vm_ref_null();
  ASSERT_OK(iree_vm_list_push_ref_retain(env.inputs, &null));
  iree_status_t status = env_call(&env, "f");
  char *text = NULL;
  iree_host_size_t size = 0;
  ASSERT(iree_status_to_string(status, &env.allocator, &text, &size));
  EXPECT(strstr(text,
                "ABORTED; native trouble; while invoking native function native.fail; "
                "while calling import;\n[ 0] bytecode m.f:"));
  iree_allocator_free(env.allocator, text);
  iree_status_free(status);
  EXPECT_EQ(env_deinit(&env), 0);
}

TEST(inputs_are_checked) {
  env_t env;
  env_init(&env);
  ASSERT_OK(load(&env, "0ir_v", "return []"));
  EXPECT_STATUS(INVALID_ARGUMENT, env_call(&env, "f"));
  env_i32(&env, 1);
  env_i32(&env, 1);
  EXPECT_STATUS(INVALID_ARGUMENT, env_call(&env, "f"));
  EXPECT_STATUS(NOT_FOUND, env_call(&env, "g"));
  EXPECT_EQ(env_deinit(&env), 0);
}

TEST(warm_calls_do_not_allocate) {
  env_t env;
  env_init(&env);
  ASSERT_OK(load(&env, "0i_i",
                 "call !0 [i0 i0] [i1]; call @0 [i1 i0] [i2]; const.ref.rodata 0 r0;"
                 "call !1 [r0] [r1]; return [i2]"));
  env_i32(&env, 4);
  ASSERT_OK(env_call(&env, "f"));
  int64_t before = env.counting.total;
  for (int i = 0; i < 10; ++i) ASSERT_OK(env_call(&env, "f"));
  EXPECT_EQ(env.counting.total, before);
  EXPECT_EQ(env_out(&env, 0).i32, 12);
  EXPECT_EQ(env_deinit(&env), 0);
}

TEST(no_memory_is_a_status) {
  for (int64_t n = 1; n < 200; ++n) {
    env_t env;
    env_init(&env);
    env_i32(&env, 1);
    env.counting.total = 0;
    env.counting.fail_at = n;
    iree_status_t status = load(&env, "0i_i",
                                "call @1 [i0] [i1]; const.i64 8 i2; buffer.alloc i2 i0 r0;"
                                "list.alloc 0 i0 r1; list.resize r1 i0; return [i1]");
    if (iree_status_is_ok(status)) status = env_call(&env, "f");
    env.counting.fail_at = 0;
    bool is_done = iree_status_is_ok(status);
    if (!is_done) EXPECT_EQ(iree_status_code(status), IREE_STATUS_RESOURCE_EXHAUSTED);
    iree_status_free(status);
    if (!EXPECT_EQ(env_deinit(&env), 0)) return;
    if (is_done) {
      EXPECT(n > 10);
      return;
    }
  }
  EXPECT(false);
}

// ---- Linking -----------------------------------------------------------------------------------

static iree_status_t link_with(const char *import_name, const char *cconv, uint32_t flags,
                               const char *dependency, uint32_t version, const char *text) {
  file_writer_t *w = malloc(sizeof(*w));
  env_t env;
  env_init(&env);
  test_import_t imports[] = {{import_name, cconv, flags}};
  test_function_t functions[] = {{.export_name = "f", .cconv = "0v_v", .text = text}};
  test_module_t m = {"m", functions, 1, imports, 1, NULL, 0, NULL, 0, 0, 0, dependency, version, 0};
  iree_vm_module_t *native = NULL;
  iree_status_t status = create_native(&env, &native);
  if (iree_status_is_ok(status)) status = env_load(&env, test_module_file(&m, w), native);
  iree_vm_module_release(native);
  if (env_deinit(&env) != 0 && iree_status_is_ok(status)) {
    status = iree_make_status(IREE_STATUS_DATA_LOSS, "leak");
  }
  free(w);
  return status;
}

static bool has_text(test_t *test, iree_status_t status, iree_status_code_t code,
                     const char *text) {
  iree_allocator_t allocator = iree_allocator_system();
  char *actual = NULL;
  iree_host_size_t size = 0;
  iree_status_to_string(status, &allocator, &actual, &size);
  bool ok = iree_status_code(status) == code && strstr(actual, text);
  if (!ok) printf("  `%s`\n  does not have `%s`\n", actual, text);
  iree_allocator_free(allocator, actual);
  iree_status_free(status);
  return EXPECT(ok);
}

TEST(linking_is_checked) {
  const char *ret = "return []";
  EXPECT_OK(link_with("native.add", "0ii_i", 1, "native", 3, ret));
  EXPECT_OK(link_with("native.absent", "0ii_i", 2, "native", 0, ret));
  EXPECT_OK(link_with("other.absent", "0ii_i", 2, "native", 0, ret));
  has_text(test, link_with("native.absent", "0v_v", 1, NULL, 0, ret), IREE_STATUS_NOT_FOUND,
           "no function `absent` exported by module `native`; resolving module 'm' imports");
  has_text(test, link_with("native.add", "0i_i", 1, NULL, 0, ret), IREE_STATUS_INTERNAL,
           "signature mismatch; expected 0i_i but got 0ii_i");
  has_text(test, link_with("native.add", "0ii_i", 1, "native", 4, ret), IREE_STATUS_NOT_FOUND,
           "required module 'native' version mismatch; have 3 but require 4");
  has_text(test, link_with("native.add", "0ii_i", 1, "hal", 4, ret), IREE_STATUS_NOT_FOUND,
           "required module 'hal' not registered on the context");
  // Calls of imports declared without signature are proven when it is known.
  EXPECT_OK(link_with("native.add", NULL, 1, NULL, 0, "call !0 [i0 i1] [i2]; return []"));
  EXPECT_STATUS(INVALID_ARGUMENT,
                link_with("native.add", NULL, 1, NULL, 0, "call !0 [i0] [i2]; return []"));
  EXPECT_STATUS(INVALID_ARGUMENT,
                link_with("native.add", NULL, 1, NULL, 0, "call !0 [i0 r0] [i2]; return []"));
  EXPECT_STATUS(INVALID_ARGUMENT,
                link_with("native.sum", NULL, 1, NULL, 0, "call !0 [] [i2]; return []"));
}

TEST(contexts_fork) {
  file_writer_t *w = malloc(sizeof(*w));
  env_t env;
  env_init(&env);
  test_function_t functions[] = {
      {.export_name = "__init",
       .cconv = "0v_v",
       .text = "const.i32 5 i0; global.store.i32 0 i0; const.ref.rodata 0 r0;"
               "global.store.ref 0 0 R0; return []"},
      {.export_name = "f",
       .cconv = "0i_iir",
       .text = "global.load.i32 0 i1; global.store.i32 0 i0; global.load.ref 0 0 r0;"
               "return [i1 i0 R0]"}};
  test_module_t m = {"m", functions, 2, NULL, 0, k_types, 1, k_rodata, 1, 4, 1, NULL, 0, 0};
  ASSERT_OK(env_load(&env, test_module_file(&m, w), NULL));
  env_i32(&env, 9);
  ASSERT_OK(env_call(&env, "f"));
  EXPECT_EQ(env_out(&env, 0).i32, 5);
  iree_vm_context_t *child = NULL, *parent = env.context;
  ASSERT_OK(iree_vm_context_fork(parent, env.allocator, &child));
  iree_vm_list_clear(env.inputs);
  env_i32(&env, 10);
  ASSERT_OK(env_call(&env, "f"));
  EXPECT_EQ(env_out(&env, 0).i32, 9);
  env.context = child;
  ASSERT_OK(env_call(&env, "f"));
  EXPECT_EQ(env_out(&env, 0).i32, 9);
  iree_vm_context_release(parent);
  EXPECT_EQ(env_deinit(&env), 0);
  free(w);
}

TEST_MAIN(CASE(imports_pack_and_unpack) CASE(groups_and_refs_travel) CASE(sync_calls_wait)
              CASE(calls_resume_where_they_stopped) CASE(errors_name_their_way)
                  CASE(inputs_are_checked) CASE(warm_calls_do_not_allocate)
                      CASE(no_memory_is_a_status) CASE(linking_is_checked) CASE(contexts_fork))
