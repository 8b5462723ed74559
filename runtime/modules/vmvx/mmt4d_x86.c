// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in vector registers: one accumulator per row of the tile, one load of the right operand and
// one broadcast of the left one per row and step. Bytes are widened to 16 bits and multiplied in
// pairs.
#include "runtime/modules/vmvx/mmt4d.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512bw")))

AVX2 static void f32_avx2(const void *lhs, const void *rhs, void *out, int64_t k, bool accumulate,
                          const int32_t shape[3]) {
  (void)shape;
  const float *a = lhs, *b = rhs;
  float *c = out;
  __m256 sum[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i)
    sum[i] = accumulate ? _mm256_loadu_ps(c + 8 * i) : _mm256_setzero_ps();
  for (; k > 0; --k, a += 8, b += 8) {
    __m256 row = _mm256_loadu_ps(b);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) sum[i] = _mm256_fmadd_ps(_mm256_broadcast_ss(a + i), row, sum[i]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) _mm256_storeu_ps(c + 8 * i, sum[i]);
}

AVX512 static void f32_avx512(const void *lhs, const void *rhs, void *out, int64_t k,
                              bool accumulate, const int32_t shape[3]) {
  (void)shape;
  const float *a = lhs, *b = rhs;
  float *c = out;
  __m512 sum[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
    sum[i] = accumulate ? _mm512_loadu_ps(c + 16 * i) : _mm512_setzero_ps();
  }
  for (; k > 0; --k, a += 16, b += 16) {
    __m512 row = _mm512_loadu_ps(b);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) sum[i] = _mm512_fmadd_ps(_mm512_set1_ps(a[i]), row, sum[i]);
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) _mm512_storeu_ps(c + 16 * i, sum[i]);
}

// Two bytes as two 16-bit numbers in 32 bits.
static inline int32_t widen_pair(const int8_t *pair) {
  return (int32_t)((uint32_t)(uint16_t)pair[0] | (uint32_t)(uint16_t)pair[1] << 16);
}

AVX2 static void s8_avx2(const void *lhs, const void *rhs, void *out, int64_t k, bool accumulate,
                         const int32_t shape[3]) {
  (void)shape;
  const int8_t *a = lhs, *b = rhs;
  __m256i *c = out;
  __m256i sum[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    sum[i] = accumulate ? _mm256_loadu_si256(c + i) : _mm256_setzero_si256();
  }
  for (; k > 0; --k, a += 16, b += 16) {
    __m256i row = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)b));
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      __m256i pair = _mm256_set1_epi32(widen_pair(a + 2 * i));
      sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(pair, row));
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) _mm256_storeu_si256(c + i, sum[i]);
}

AVX512 static void s8_avx512(const void *lhs, const void *rhs, void *out, int64_t k,
                             bool accumulate, const int32_t shape[3]) {
  (void)shape;
  const int8_t *a = lhs, *b = rhs;
  int32_t *c = out;
  __m512i sum[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
    sum[i] = accumulate ? _mm512_loadu_si512(c + 16 * i) : _mm512_setzero_si512();
  }
  for (; k > 0; --k, a += 32, b += 32) {
    __m512i row = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)b));
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      __m512i pair = _mm512_set1_epi32(widen_pair(a + 2 * i));
      sum[i] = _mm512_add_epi32(sum[i], _mm512_madd_epi16(pair, row));
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) _mm512_storeu_si512(c + 16 * i, sum[i]);
}

const mmt4d_tile_t mmt4d_tiles[] = {
    {MMT4D_F32F32F32, "avx512bw", {16, 16, 1}, f32_avx512},
    {MMT4D_S8S8S32, "avx512bw", {16, 16, 2}, s8_avx512},
    {MMT4D_F32F32F32, "avx2", {8, 8, 1}, f32_avx2},
    {MMT4D_S8S8S32, "avx2", {8, 8, 2}, s8_avx2},
};
const iree_host_size_t mmt4d_tile_count = IREE_ARRAYSIZE(mmt4d_tiles);

#else

const mmt4d_tile_t mmt4d_tiles[1];
const iree_host_size_t mmt4d_tile_count = 0;

#endif
