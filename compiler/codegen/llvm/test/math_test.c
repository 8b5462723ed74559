// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions: generated code against the C library, in units in the last place.
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/test.h"
#include "compiler/codegen/llvm/elf_pack.h"
#include "compiler/codegen/llvm/library.h"
#include "compiler/codegen/llvm/machine.h"
#include "compiler/codegen/llvm/math_kernels.h"

enum { SAMPLES = 4096, LANES = 4 };

typedef int (*kernel_fn_t)(const void *, const void *, const void *);

typedef struct {
  uint8_t *memory;
  size_t size;
  kernel_fn_t kernel;
} code_t;

// A kernel that applies |f| to SAMPLES elements of bindings 0 (and 1), vectors of LANES, into
// binding 2.
static iree_status_t build(math_function_t f, bool wide, const char *features, code_t *out) {
  codegen_target_options_t options = {iree_make_cstring_view("x86_64"), iree_string_view_empty(),
                                      iree_make_cstring_view(features), CODEGEN_LINK_EMBEDDED,
                                      iree_string_view_empty()};
  codegen_target_t *target = NULL;
  IREE_RETURN_IF_ERROR(codegen_target_create(&options, &target));
  llvm_session_t session;
  llvm_session_init(&session);
  LLVMContextRef c = session.context;
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("math", c);
  LLVMSetTarget(module, target->triple);
  LLVMSetDataLayout(module, target->data_layout);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMValueRef function = LLVMAddFunction(module, "kernel", llvm_kernel_type(c));
  llvm_set_function_attributes(function, false);
  emit_t e = {
      .target = target,
      .context = c,
      .module = module,
      .builder = b,
      .function = function,
      .i1 = LLVMInt1TypeInContext(c),
      .i8 = LLVMInt8TypeInContext(c),
      .i32 = LLVMInt32TypeInContext(c),
      .i64 = LLVMInt64TypeInContext(c),
      .f32 = LLVMFloatTypeInContext(c),
      .f64 = LLVMDoubleTypeInContext(c),
      .pointer = LLVMPointerTypeInContext(c, 0),
  };
  LLVMTypeRef scalar = wide ? e.f64 : e.f32, type = LLVMVectorType(scalar, LANES);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, function, "");
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(c, function, "");
  LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(c, function, "");
  LLVMPositionBuilderAtEnd(b, entry);
  LLVMBuildBr(b, loop);
  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef i = LLVMBuildPhi(b, e.i64, ""), p[3];
  for (unsigned k = 0; k < 3; ++k) {
    p[k] = LLVMBuildInBoundsGEP2(b, scalar, LLVMGetParam(function, k), &i, 1, "");
  }
  LLVMValueRef x = LLVMBuildLoad2(b, type, p[0], ""), y = LLVMBuildLoad2(b, type, p[1], "");
  LLVMSetAlignment(x, 4), LLVMSetAlignment(y, 4);
  LLVMSetAlignment(LLVMBuildStore(b, math_emit(&e, f, x, y, false), p[2]), 4);
  LLVMValueRef next = LLVMBuildAdd(b, i, LLVMConstInt(e.i64, LANES, 0), "");
  LLVMValueRef done = LLVMBuildICmp(b, LLVMIntEQ, next, LLVMConstInt(e.i64, SAMPLES, 0), "");
  LLVMValueRef incoming[] = {LLVMConstInt(e.i64, 0, 0), next};
  LLVMBasicBlockRef from[] = {entry, LLVMGetInsertBlock(b)};
  LLVMAddIncoming(i, incoming, from, 2);
  LLVMBuildCondBr(b, done, exit, loop);
  LLVMPositionBuilderAtEnd(b, exit);
  LLVMBuildRet(b, LLVMConstInt(e.i32, 0, 0));
  LLVMDisposeBuilder(b);
  LLVMTargetMachineRef machine = NULL;
  LLVMMemoryBufferRef object = NULL;
  uint8_t *elf = NULL;
  size_t size = 0;
  iree_status_t status = llvm_machine_create(target, &machine);
  if (iree_status_is_ok(status))
    status = llvm_emit(&session, machine, module, LLVM_OUTPUT_OBJECT, &object);
  if (iree_status_is_ok(status)) {
    iree_const_byte_span_t span =
        iree_make_const_byte_span(LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    elf_pack_params_t pack = {.objects = &span, .object_count = 1, .export_symbol = "kernel"};
    status = elf_pack(&pack, &elf, &size);
    LLVMDisposeMemoryBuffer(object);
  }
  if (iree_status_is_ok(status)) {
    // No relocations, no data: the image runs as it lies, page aligned.
    out->size = (size + 4095) & ~(size_t)4095;
    out->memory = mmap(NULL, out->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(out->memory, elf, size);
    mprotect(out->memory, out->size, PROT_READ | PROT_EXEC);
    uint64_t phdr = 64, address = 0;
    for (int k = 0; k < 2; ++k, phdr += 56) {
      uint64_t dynamic, symbols = 0;
      if (elf[phdr] != 2) continue;
      memcpy(&dynamic, elf + phdr + 16, 8);
      for (int d = 0; d < 4; ++d) {
        if (elf[dynamic + 16 * (uint64_t)d] == 6)
          memcpy(&symbols, elf + dynamic + 16 * (uint64_t)d + 8, 8);
      }
      memcpy(&address, elf + symbols + 24 + 8, 8);
    }
    void *entry_point = out->memory + address;
    memcpy(&out->kernel, &entry_point, sizeof(entry_point));
  }
  free(elf);
  if (machine) LLVMDisposeTargetMachine(machine);
  LLVMDisposeModule(module);
  llvm_session_deinit(&session);
  codegen_target_free(target);
  return status;
}

typedef struct {
  const char *name;
  math_function_t function;
  double (*reference)(double);
  double (*reference2)(double, double);
  double lo, hi;  // samples, spread over magnitudes when |lo| < 0 < |hi|
  double ulp32, ulp64;
} case_t;

static double rsqrt_(double x) { return 1 / sqrt(x); }
// The C library's own cbrt is off by several units.
static double cbrt_(double x) { return (double)cbrtl(x); }

static const case_t cases_[] = {
    {"exp", MATH_EXP, exp, NULL, -87, 88, 1.1, 1},
    {"exp2", MATH_EXP2, exp2, NULL, -125, 127, 0.51, 1.5},
    {"expm1", MATH_EXPM1, expm1, NULL, -80, 80, 0.51, 4},
    {"log", MATH_LOG, log, NULL, 1e-30, 1e30, 1, 1},
    {"log2", MATH_LOG2, log2, NULL, 1e-30, 1e30, 0.51, 3},
    {"log10", MATH_LOG10, log10, NULL, 1e-30, 1e30, 0.51, 3},
    {"log1p", MATH_LOG1P, log1p, NULL, -0.999, 1e10, 0.51, 3},
    {"sin", MATH_SIN, sin, NULL, -1000, 1000, 0.51, 1},
    {"cos", MATH_COS, cos, NULL, -1000, 1000, 0.51, 1},
    {"tan", MATH_TAN, tan, NULL, -100, 100, 0.51, 3},
    {"sin, far", MATH_SIN, sin, NULL, -1e300, 1e300, 0.51, 1.5},
    {"cos, far", MATH_COS, cos, NULL, -3e38, 3e38, 0.51, 1.5},
    {"tan, far", MATH_TAN, tan, NULL, -3e38, 3e38, 0.51, 3},
    {"asin", MATH_ASIN, asin, NULL, -1, 1, 0.51, 4},
    {"acos", MATH_ACOS, acos, NULL, -1, 1, 0.51, 4},
    {"atan", MATH_ATAN, atan, NULL, -1e10, 1e10, 0.51, 2},
    {"sinh", MATH_SINH, sinh, NULL, -85, 85, 0.51, 4},
    {"cosh", MATH_COSH, cosh, NULL, -85, 85, 0.51, 4},
    {"tanh", MATH_TANH, tanh, NULL, -12, 12, 2, 4},
    {"asinh", MATH_ASINH, asinh, NULL, -1e15, 1e15, 0.51, 4},
    {"acosh", MATH_ACOSH, acosh, NULL, 1, 1e15, 0.51, 4},
    {"atanh", MATH_ATANH, atanh, NULL, -0.9999, 0.9999, 0.51, 4},
    {"erf", MATH_ERF, erf, NULL, -5, 5, 1.5, 2},
    {"erfc", MATH_ERFC, erfc, NULL, -5, 9, 0.51, 4},
    {"cbrt", MATH_CBRT, cbrt_, NULL, -1e20, 1e20, 0.51, 1},
    {"sqrt", MATH_SQRT, sqrt, NULL, 0, 1e20, 0.5, 0.5},
    {"rsqrt", MATH_RSQRT, rsqrt_, NULL, 1e-20, 1e20, 1.5, 1.5},
    {"floor", MATH_FLOOR, floor, NULL, -1e9, 1e9, 0, 0},
    {"ceil", MATH_CEIL, ceil, NULL, -1e9, 1e9, 0, 0},
    {"trunc", MATH_TRUNC, trunc, NULL, -1e9, 1e9, 0, 0},
    {"round", MATH_ROUND, round, NULL, -1e4, 1e4, 0, 0},
    {"roundeven", MATH_ROUNDEVEN, rint, NULL, -1e4, 1e4, 0, 0},
    {"atan2", MATH_ATAN2, NULL, atan2, -1e3, 1e3, 0.51, 3},
    {"pow", MATH_POW, NULL, pow, 1e-3, 30, 0.6, 1},
    {"fmod", MATH_FMOD, NULL, fmod, -1e20, 1e20, 0, 0},
};

// Spread evenly at first, then over magnitudes.
static double sample(const case_t *c, int i) {
  double t = (i % 2048) / 2047.0;
  if (i < 2048) return c->lo + (c->hi - c->lo) * t;
  double top = c->hi, bottom = c->lo > 0 ? c->lo : 1e-6 * c->hi;
  double magnitude = bottom * exp(log(top / bottom) * t);
  if (c->lo < 0 && (i & 1)) magnitude = -magnitude < c->lo ? c->lo : -magnitude;
  return magnitude;
}

static double ulp_error(double got, double exact, bool wide) {
  if (isnan(got) || isnan(exact)) return isnan(got) && isnan(exact) ? 0 : 1e9;
  if (got == exact) return 0;
  if (isinf(got) || isinf(exact)) return wide || (float)exact != (float)got ? 1e9 : 0;
  int exponent;
  frexp(exact, &exponent);
  double smallest = wide ? 2.2250738585072014e-308 : 1.1754943508222875e-38;
  double unit = ldexp(1, exponent - (wide ? 53 : 24));
  if (fabs(exact) < smallest) unit = smallest;
  return fabs(got - exact) / unit;
}

static void check_function(test_t *test, const case_t *c, bool wide, const char *features) {
  static double x64[SAMPLES], y64[SAMPLES], r64[SAMPLES];
  static float x32[SAMPLES], y32[SAMPLES], r32[SAMPLES];
  code_t code = {0};
  ASSERT_OK(build(c->function, wide, features, &code));
  for (int i = 0; i < SAMPLES; ++i) {
    x64[i] = sample(c, i), y64[i] = sample(c, (i * 37 + 11) % SAMPLES);
    if (c->function == MATH_FMOD) y64[i] *= 1e-6;
    x32[i] = (float)x64[i], y32[i] = (float)y64[i];
  }
  if (wide) {
    code.kernel(x64, y64, r64);
  } else {
    code.kernel(x32, y32, r32);
  }
  double worst = 0, at = 0, limit = wide ? c->ulp64 : c->ulp32;
  for (int i = 0; i < SAMPLES; ++i) {
    double x = wide ? x64[i] : (double)x32[i], y = wide ? y64[i] : (double)y32[i];
    double exact = c->reference ? c->reference(x) : c->reference2(x, y);
    double error = ulp_error(wide ? r64[i] : (double)r32[i], exact, wide);
    if (error > worst) worst = error, at = x;
  }
  munmap(code.memory, code.size);
  bool ok = worst <= limit + 0.01;
  if (!ok)
    printf("  %s %s (%s): %.3g ulp at %.17g, limit %g\n", c->name, wide ? "f64" : "f32", features,
           worst, at, limit);
  EXPECT(ok);
}

static void check_all(test_t *test, const char *features) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") && features[0]) SKIP("needs AVX2");
  for (size_t i = 0; i < sizeof(cases_) / sizeof(cases_[0]); ++i) {
    check_function(test, &cases_[i], false, features);
    check_function(test, &cases_[i], true, features);
  }
#else
  SKIP("runs x86-64 code");
#endif
}

TEST(within_bounds_with_fma) { check_all(test, "+avx2,+fma,+f16c"); }
TEST(within_bounds_baseline) { check_all(test, ""); }

TEST_MAIN(CASE(within_bounds_with_fma) CASE(within_bounds_baseline))
