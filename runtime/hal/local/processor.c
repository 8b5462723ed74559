// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86: CPUID says what the CPU has, XCR0 which register state the system saves; both must agree.
// AArch64 Linux: the auxiliary vector has the system's word on each feature.
#include "runtime/hal/local/processor.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

typedef struct feature_t {
  const char *name;
  uint8_t word;
  uint8_t bit;
} feature_t;

// The rows of abi/cpu_feature.def for the architecture that we run on.
static const feature_t features[] = {
#define CPU_FEATURE_X86_64(word, bit, llvm_name)
#define CPU_FEATURE_ARM_64(word, bit, llvm_name)
#if defined(__x86_64__) || defined(__i386__)
#undef CPU_FEATURE_X86_64
#define CPU_FEATURE_X86_64(word, bit, llvm_name) {llvm_name, word, bit},
#elif defined(__aarch64__)
#undef CPU_FEATURE_ARM_64
#define CPU_FEATURE_ARM_64(word, bit, llvm_name) {llvm_name, word, bit},
#endif
#define CPU_FEATURE(arch, word, bit, name, llvm_name, implies) \
  CPU_FEATURE_##arch(word, bit, llvm_name)
#include "abi/cpu_feature.def"
#undef CPU_FEATURE
    {NULL, 0, 0},
};

#if defined(__x86_64__) || defined(__i386__)

// CPUID leaf 7 and its neighbours: where each bit of word 0 is found.
enum { LEAF_1_ECX, LEAF_7_EBX, LEAF_7_ECX, LEAF_7_EDX, LEAF_7_1_EAX, LEAF_EXT_ECX, SOURCE_COUNT };
enum { NEEDS_NOTHING, NEEDS_YMM, NEEDS_ZMM, NEEDS_TILES };
static const struct {
  uint8_t target_bit, source, source_bit, state;
} x86_features[] = {
    {0, LEAF_1_ECX, 0, NEEDS_NOTHING},    // sse3
    {1, LEAF_1_ECX, 9, NEEDS_NOTHING},    // ssse3
    {2, LEAF_1_ECX, 19, NEEDS_NOTHING},   // sse4.1
    {3, LEAF_1_ECX, 20, NEEDS_NOTHING},   // sse4.2
    {4, LEAF_EXT_ECX, 6, NEEDS_NOTHING},  // sse4a
    {10, LEAF_1_ECX, 28, NEEDS_YMM},      // avx
    {11, LEAF_1_ECX, 12, NEEDS_YMM},      // fma
    {12, LEAF_EXT_ECX, 16, NEEDS_YMM},    // fma4
    {13, LEAF_EXT_ECX, 11, NEEDS_YMM},    // xop
    {14, LEAF_1_ECX, 29, NEEDS_YMM},      // f16c
    {15, LEAF_7_EBX, 5, NEEDS_YMM},       // avx2
    {20, LEAF_7_EBX, 16, NEEDS_ZMM},      // avx512f
    {21, LEAF_7_EBX, 28, NEEDS_ZMM},      // avx512cd
    {22, LEAF_7_EBX, 31, NEEDS_ZMM},      // avx512vl
    {23, LEAF_7_EBX, 17, NEEDS_ZMM},      // avx512dq
    {24, LEAF_7_EBX, 30, NEEDS_ZMM},      // avx512bw
    {25, LEAF_7_EBX, 21, NEEDS_ZMM},      // avx512ifma
    {26, LEAF_7_ECX, 1, NEEDS_ZMM},       // avx512vbmi
    {27, LEAF_7_ECX, 14, NEEDS_ZMM},      // avx512vpopcntdq
    {28, LEAF_7_ECX, 11, NEEDS_ZMM},      // avx512vnni
    {29, LEAF_7_ECX, 6, NEEDS_ZMM},       // avx512vbmi2
    {30, LEAF_7_ECX, 12, NEEDS_ZMM},      // avx512bitalg
    {31, LEAF_7_1_EAX, 5, NEEDS_ZMM},     // avx512bf16
    {32, LEAF_7_EDX, 23, NEEDS_ZMM},      // avx512fp16
    {50, LEAF_7_EDX, 24, NEEDS_TILES},    // amx-tile
    {51, LEAF_7_EDX, 25, NEEDS_TILES},    // amx-int8
    {52, LEAF_7_EDX, 22, NEEDS_TILES},    // amx-bf16
};

void processor_query(iree_hal_processor_v0_t *out_processor) {
  memset(out_processor, 0, sizeof(*out_processor));
  uint32_t source[SOURCE_COUNT] = {0}, eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return;
  source[LEAF_1_ECX] = ecx;
  uint32_t state_low = 0;
  if (ecx & (1u << 27)) {  // OSXSAVE: XCR0 is readable
    uint32_t state_high = 0;
    __asm__ __volatile__("xgetbv" : "=a"(state_low), "=d"(state_high) : "c"(0));
  }
  const bool has_state[] = {true, (state_low & 0x6) == 0x6, (state_low & 0xE6) == 0xE6,
                            (state_low & 0x60000) == 0x60000};
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    source[LEAF_7_EBX] = ebx;
    source[LEAF_7_ECX] = ecx;
    source[LEAF_7_EDX] = edx;
    if (eax >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx)) source[LEAF_7_1_EAX] = eax;
  }
  if (__get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx)) source[LEAF_EXT_ECX] = ecx;
  for (size_t i = 0; i < IREE_ARRAYSIZE(x86_features); ++i) {
    if ((source[x86_features[i].source] >> x86_features[i].source_bit & 1) &&
        has_state[x86_features[i].state]) {
      out_processor->data[0] |= 1ull << x86_features[i].target_bit;
    }
  }
}

#elif defined(__aarch64__)

// Bits of AT_HWCAP (vector 0) and AT_HWCAP2 (vector 1).
static const struct {
  uint8_t target_bit, vector, source_bit;
} arm_features[] = {
    {0, 0, 0},    // fp-armv8 (FP)
    {1, 0, 8},    // lse (ATOMICS)
    {2, 1, 47},   // lse128
    {10, 0, 10},  // fullfp16 (ASIMDHP)
    {11, 0, 23},  // fp16fml (ASIMDFHM)
    {12, 0, 20},  // dotprod (ASIMDDP)
    {13, 1, 13},  // i8mm
    {14, 1, 14},  // bf16
    {20, 0, 22},  // sve
    {21, 1, 1},   // sve2
    {22, 1, 36},  // sve2p1
    {23, 1, 4},   // sve2-bitperm
    {24, 1, 10},  // f32mm (SVEF32MM)
    {25, 1, 11},  // f64mm (SVEF64MM)
    {30, 1, 23},  // sme
    {31, 1, 37},  // sme2
    {32, 1, 38},  // sme2p1
    {33, 1, 42},  // sme-f16f16
    {34, 1, 25},  // sme-f64f64
    {35, 1, 24},  // sme-i16i64
};

void processor_query(iree_hal_processor_v0_t *out_processor) {
  memset(out_processor, 0, sizeof(*out_processor));
  const uint64_t vectors[2] = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
  for (size_t i = 0; i < IREE_ARRAYSIZE(arm_features); ++i) {
    if (vectors[arm_features[i].vector] >> arm_features[i].source_bit & 1) {
      out_processor->data[0] |= 1ull << arm_features[i].target_bit;
    }
  }
}

#else

void processor_query(iree_hal_processor_v0_t *out_processor) {
  memset(out_processor, 0, sizeof(*out_processor));
}

#endif

const char *processor_feature_name(iree_host_size_t index) {
  return index < IREE_ARRAYSIZE(features) ? features[index].name : NULL;
}

bool processor_lookup(const iree_hal_processor_v0_t *processor, iree_string_view_t name,
                      bool *out_is_present) {
  for (const feature_t *feature = features; feature->name; ++feature) {
    if (!iree_string_view_equal(name, iree_make_cstring_view(feature->name))) continue;
    *out_is_present = processor->data[feature->word] >> feature->bit & 1;
    return true;
  }
  *out_is_present = false;
  return false;
}

iree_status_t processor_require(const iree_hal_processor_v0_t *processor,
                                const uint64_t *required_words, iree_host_size_t word_count) {
  uint64_t missing[IREE_HAL_PROCESSOR_DATA_CAPACITY_V0] = {0}, any_missing = 0;
  for (iree_host_size_t i = 0; i < word_count && i < IREE_ARRAYSIZE(missing); ++i) {
    missing[i] = required_words[i] & ~processor->data[i];
    any_missing |= missing[i];
  }
  if (!any_missing) return iree_ok_status();
  char text[384];
  iree_string_builder_t builder;
  iree_string_builder_initialize_with_storage(text, sizeof(text), &builder);
  for (const feature_t *feature = features; feature->name; ++feature) {
    uint64_t bit = 1ull << feature->bit;
    if (!(missing[feature->word] & bit)) continue;
    iree_status_ignore(iree_string_builder_append_format(&builder, " %s", feature->name));
    missing[feature->word] &= ~bit;
  }
  for (size_t i = 0; i < IREE_ARRAYSIZE(missing); ++i) {
    if (!missing[i]) continue;
    iree_status_ignore(
        iree_string_builder_append_format(&builder, " word %zu bits %" PRIx64 "h", i, missing[i]));
  }
  iree_string_view_t names = iree_string_builder_view(&builder);
  return iree_make_status(
      IREE_STATUS_INCOMPATIBLE,
      "the executable uses CPU features that this machine lacks:%.*s; recompile "
      "with --iree-llvmcpu-target-cpu=generic or the name of this CPU",
      IREE_SV_ARGS(names));
}
