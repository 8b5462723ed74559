// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vmvx functions called through the module's table, on small buffers against plain loops.
#include "iree/modules/vmvx/module.h"

#include <math.h>

#include "base/test.h"

static iree_vm_instance_t *instance;
static iree_vm_module_t *module;
static iree_vm_context_t *context;

typedef struct span_t {
  void *data;
  iree_host_size_t length;
  bool is_constant;
} span_t;
#define SPAN(array) ((span_t){array, sizeof(array), false})

// Calls a function: the letters of its signature say which argument comes from which list.
static iree_status_t call(const char *name, const span_t *spans, const int64_t *numbers,
                          iree_vm_list_t *outputs) {
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_name(
      module, IREE_VM_FUNCTION_LINKAGE_EXPORT, iree_make_cstring_view(name), &function));
  iree_string_view_t letters = iree_vm_function_signature(&function).calling_convention;
  iree_vm_list_t *inputs = NULL;
  iree_vm_buffer_t buffers[4];
  iree_host_size_t buffer_count = 0;
  IREE_CHECK_OK(
      iree_vm_list_create(iree_vm_make_variant_type_def(), 32, iree_allocator_system(), &inputs));
  for (iree_host_size_t i = 1; letters.data[i] != '_'; ++i) {
    if (letters.data[i] == 'r') {
      iree_vm_buffer_t *buffer = &buffers[buffer_count];
      iree_vm_buffer_initialize(IREE_VM_BUFFER_ACCESS_ORIGIN_HOST |
                                    (spans->is_constant ? 0 : IREE_VM_BUFFER_ACCESS_MUTABLE),
                                iree_make_byte_span(spans->data, spans->length),
                                iree_allocator_null(), buffer);
      ++spans, ++buffer_count;
      iree_vm_ref_t ref = {.type = iree_vm_buffer_type(), .ptr = buffer};
      IREE_CHECK_OK(iree_vm_list_push_ref_retain(inputs, &ref));
    } else {
      iree_vm_value_t value = letters.data[i] == 'i' ? iree_vm_value_make_i32((int32_t)*numbers)
                                                     : iree_vm_value_make_i64(*numbers);
      ++numbers;
      IREE_CHECK_OK(iree_vm_list_push_value(inputs, &value));
    }
  }
  iree_status_t status =
      iree_vm_invoke(context, function, 0, NULL, inputs, outputs, iree_allocator_system());
  iree_vm_list_release(inputs);
  return status;
}

#define NUMBERS(...) ((const int64_t[]){__VA_ARGS__})
#define SPANS(...) ((const span_t[]){__VA_ARGS__})

TEST(binary_functions) {
  static const struct {
    const char *name;
    uint32_t lhs, rhs, result;
  } rows[] = {
      {"add.2d.i32", 7, 0xFFFFFFFFu, 6},
      {"sub.2d.i32", 7, 9, 0xFFFFFFFEu},
      {"mul.2d.i32", 0x80000001u, 2, 2},
      {"and.2d.i32", 12, 10, 8},
      {"or.2d.i32", 12, 10, 14},
      {"xor.2d.i32", 12, 10, 6},
      {"shl.2d.i32", 1, 31, 0x80000000u},
      {"shl.2d.i32", 1, 32, 1},
      {"shru.2d.i32", 0x80000000u, 4, 0x08000000u},
      {"shrs.2d.i32", 0x80000000u, 4, 0xF8000000u},
      {"divs.2d.i32", 0xFFFFFFF9u, 2, 0xFFFFFFFDu},
      {"divs.2d.i32", 0x80000000u, 0xFFFFFFFFu, 0x80000000u},
      {"divu.2d.i32", 0xFFFFFFF9u, 2, 0x7FFFFFFCu},
      {"add.2d.f32", 0x40000000u, 0x3F800000u, 0x40400000u},
      {"sub.2d.f32", 0x40000000u, 0x3F800000u, 0x3F800000u},
      {"mul.2d.f32", 0x40000000u, 0x40400000u, 0x40C00000u},
      {"div.2d.f32", 0x3F800000u, 0, 0x7F800000u},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    uint32_t lhs[1] = {rows[i].lhs}, rhs[1] = {rows[i].rhs}, out[4] = {1, 1, 1, 1};
    // One value on each side, walked with stride 0 over a 2x1 plane of stride 2.
    EXPECT_OK(call(rows[i].name, SPANS(SPAN(lhs), SPAN(rhs), SPAN(out)),
                   NUMBERS(0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1), NULL));
    if (!EXPECT_EQ(out[0], rows[i].result)) printf("  %s\n", rows[i].name);
    EXPECT_EQ(out[1], 1);
    EXPECT_EQ(out[2], rows[i].result);
  }
}

TEST(unary_functions) {
  static const struct {
    const char *name;
    float in, result;
  } rows[] = {{"abs.2d.f32", -2, 2},       {"neg.2d.f32", 2, -2},      {"ceil.2d.f32", -1.5f, -1},
              {"floor.2d.f32", -1.5f, -2}, {"exp.2d.f32", 0, 1},       {"log.2d.f32", 1, 0},
              {"rsqrt.2d.f32", 4, 0.5f},   {"copy.2d.x32", 5.5f, 5.5f}};
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    float in[3] = {0, rows[i].in, 0}, out[2] = {9, 9};
    EXPECT_OK(
        call(rows[i].name, SPANS(SPAN(in), SPAN(out)), NUMBERS(1, 1, 1, 1, 1, 1, 1, 1), NULL));
    EXPECT(out[0] == 9 && out[1] == rows[i].result);
  }
  uint32_t in[2] = {0, 0x00010000}, out[2] = {0};
  EXPECT_OK(call("ctlz.2d.i32", SPANS(SPAN(in), SPAN(out)), NUMBERS(0, 0, 1, 0, 0, 1, 1, 2), NULL));
  EXPECT(out[0] == 32 && out[1] == 15);
}

TEST(copies_of_each_width) {
  static const char *const names[] = {"copy.2d.x8", "copy.2d.x16", "copy.2d.x32", "copy.2d.x64"};
  for (size_t i = 0; i < 4; ++i) {
    uint64_t in[6], out[6] = {0}, expected[6] = {0};
    for (size_t j = 0; j < sizeof(in); ++j) ((uint8_t *)in)[j] = (uint8_t)(j + 1);
    // The transpose of a 3x2 matrix.
    EXPECT_OK(call(names[i], SPANS(SPAN(in), SPAN(out)), NUMBERS(0, 1, 2, 0, 3, 1, 2, 3), NULL));
    size_t width = (size_t)1 << i;
    for (size_t r = 0; r < 2; ++r) {
      for (size_t c = 0; c < 3; ++c) {
        memcpy((uint8_t *)expected + (r * 3 + c) * width, (uint8_t *)in + (c * 2 + r) * width,
               width);
      }
    }
    EXPECT(memcmp(out, expected, sizeof(out)) == 0);
  }
  int32_t filled[6] = {0};
  EXPECT_OK(call("fill.2d.x32", SPANS(SPAN(filled)), NUMBERS(7, 1, 3, 2, 2), NULL));
  EXPECT(memcmp(filled, (int32_t[]){0, 7, 7, 0, 7, 7}, sizeof(filled)) == 0);
}

TEST(planes_outside_of_buffers_are_refused) {
  uint32_t data[8] = {0};
  const span_t spans[2] = {SPAN(data), SPAN(data)};
  // offset, strides of the input; of the output; sizes
  EXPECT_STATUS(OUT_OF_RANGE, call("abs.2d.f32", spans, NUMBERS(1, 4, 1, 0, 4, 1, 2, 4), NULL));
  EXPECT_STATUS(OUT_OF_RANGE, call("abs.2d.f32", spans, NUMBERS(0, 4, 1, 0, 5, 1, 2, 4), NULL));
  static const int64_t bad[] = {-1, INT64_MAX, INT64_MIN, (int64_t)1 << 62, (int64_t)1 << 32};
  for (size_t i = 0; i < IREE_ARRAYSIZE(bad); ++i) {
    for (size_t at = 0; at < 8; ++at) {
      int64_t numbers[8] = {0, 4, 1, 0, 4, 1, 2, 4};
      numbers[at] = bad[i];
      iree_status_t status = call("abs.2d.f32", spans, numbers, NULL);
      EXPECT(!iree_status_is_ok(status));
      iree_status_free(status);
    }
  }
  // Nothing is touched where there is nothing to do.
  EXPECT_OK(call("abs.2d.f32", spans, NUMBERS(100, 4, 1, 0, 4, 1, 0, 4), NULL));
  span_t constant[2] = {SPAN(data), SPAN(data)};
  constant[1].is_constant = true;
  EXPECT_STATUS(PERMISSION_DENIED,
                call("abs.2d.f32", constant, NUMBERS(0, 4, 1, 0, 4, 1, 2, 4), NULL));
  EXPECT_STATUS(INVALID_ARGUMENT, call("divu.2d.i32", SPANS(SPAN(data), SPAN(data), SPAN(data)),
                                       NUMBERS(0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1), NULL));
}

//===-- tiles ---------------------------------------------------------------------------------===//

TEST(packing_and_back) {
  enum { ROWS = 5, COLUMNS = 7, TILE0 = 2, TILE1 = 3, OUTER0 = 3, OUTER1 = 3 };
  float plane[ROWS * COLUMNS], tiles[OUTER0 * OUTER1 * TILE0 * TILE1], back[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; ++i) plane[i] = (float)(i + 1);
  for (int flags = 0; flags < 4; ++flags) {
    bool inner = flags & 1, outer = flags & 2;
    const int64_t bits = 1 | (inner ? 0x100 : 0) | (outer ? 0x200 : 0);
    const int64_t tile[2] = {inner ? TILE1 : TILE0, inner ? TILE0 : TILE1};
    const int64_t padding = 0x40E00000;  // 7.0
    EXPECT_OK(call("pack", SPANS(SPAN(plane), SPAN(tiles)),
                   NUMBERS(0, COLUMNS, 1, 0, 3 * TILE0 * TILE1, 1, ROWS, COLUMNS, 3, 3, tile[0],
                           tile[1], padding, bits),
                   NULL));
    for (int r = 0; r < OUTER0 * TILE0; ++r) {
      for (int c = 0; c < OUTER1 * TILE1; ++c) {
        int i = r / TILE0, j = c / TILE1, y = r % TILE0, x = c % TILE1;
        int at = (outer ? j * OUTER0 + i : i * OUTER1 + j) * TILE0 * TILE1 +
                 (inner ? x * TILE0 + y : y * TILE1 + x);
        EXPECT(tiles[at] == (r < ROWS && c < COLUMNS ? plane[r * COLUMNS + c] : 7.0f));
      }
    }
    memset(back, 0, sizeof(back));
    EXPECT_OK(call("unpack", SPANS(SPAN(tiles), SPAN(back)),
                   NUMBERS(0, 3 * TILE0 * TILE1, 1, 0, COLUMNS, 1, 3, 3, tile[0], tile[1], ROWS,
                           COLUMNS, bits),
                   NULL));
    EXPECT(memcmp(plane, back, sizeof(plane)) == 0);
  }
  EXPECT_STATUS(OUT_OF_RANGE, call("pack", SPANS(SPAN(plane), SPAN(tiles)),
                                   NUMBERS(0, 7, 1, 0, 18, 1, 5, 7, 4, 3, 2, 3, 0, 1), NULL));
  EXPECT_STATUS(INVALID_ARGUMENT, call("pack", SPANS(SPAN(plane), SPAN(tiles)),
                                       NUMBERS(0, 7, 1, 0, 18, 1, 5, 7, 3, -1, 2, 3, 0, 1), NULL));
  EXPECT_STATUS(INVALID_ARGUMENT, call("pack", SPANS(SPAN(plane), SPAN(tiles)),
                                       NUMBERS(0, 7, 1, 0, 18, 1, 5, 7, 3, 3, 2, 3, 0, 9), NULL));
}

// Small numbers, so that sums are exact in any order.
static int element(int64_t i) { return (int)(i * 7 % 11) - 5; }

static void check_product(test_t *test, bool is_float, int m0, int n0, int k0, bool accumulate) {
  enum { M = 2, N = 3, K = 4, MAX = 2 * 3 * 4 * 16 * 16 };
  static float f[3][MAX];
  static int8_t s[2][MAX];
  static int32_t sums[MAX];
  for (int i = 0; i < MAX; ++i) {
    s[0][i] = (int8_t)element(i), s[1][i] = (int8_t)element(3 * i + 1);
    f[0][i] = s[0][i], f[1][i] = s[1][i], f[2][i] = 5, sums[i] = 5;
  }
  const int64_t numbers[] = {0,
                             K * m0 * k0,
                             0,
                             K * n0 * k0,
                             0,
                             N * m0 * n0,
                             M,
                             N,
                             K,
                             m0,
                             n0,
                             k0,
                             (is_float ? 1 : 2) | (accumulate ? 0x100 : 0)};
  span_t out = is_float ? SPAN(f[2]) : SPAN(sums);
  EXPECT_OK(call("mmt4d",
                 SPANS(is_float ? SPAN(f[0]) : SPAN(s[0]), is_float ? SPAN(f[1]) : SPAN(s[1]), out),
                 numbers, NULL));
  for (int at = 0; at < M * N * m0 * n0; ++at) {
    int j0 = at % n0, i0 = at / n0 % m0, j = at / n0 / m0 % N, i = at / n0 / m0 / N;
    int sum = accumulate ? 5 : 0;
    for (int k = 0; k < K * k0; ++k) {
      sum += s[0][((i * K + k / k0) * m0 + i0) * k0 + k % k0] *
             s[1][((j * K + k / k0) * n0 + j0) * k0 + k % k0];
    }
    if (!EXPECT_EQ(is_float ? (int)f[2][at] : sums[at], sum)) return;
  }
}

TEST(products_of_tiles) {
  static const int shapes[][3] = {{16, 16, 1}, {16, 16, 2}, {8, 8, 1}, {8, 8, 2},
                                  {1, 8, 1},   {3, 5, 2},   {1, 1, 1}};
  for (size_t i = 0; i < IREE_ARRAYSIZE(shapes); ++i) {
    for (int kind = 0; kind < 4; ++kind) {
      check_product(test, kind & 1, shapes[i][0], shapes[i][1], shapes[i][2], kind & 2);
    }
  }
  float data[4] = {0};
  const span_t spans[3] = {SPAN(data), SPAN(data), SPAN(data)};
  // No steps give zeros.
  data[0] = 4;
  EXPECT_OK(call("mmt4d", spans, NUMBERS(0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1), NULL));
  EXPECT(data[0] == 0);
  EXPECT_STATUS(INVALID_ARGUMENT,
                call("mmt4d", spans, NUMBERS(0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 9), NULL));
  EXPECT_STATUS(INVALID_ARGUMENT,
                call("mmt4d", spans, NUMBERS(0, 1, 0, 1, 0, 1, 1, 1, 1, -1, 1, 1, 1), NULL));
  EXPECT_STATUS(OUT_OF_RANGE,
                call("mmt4d", spans, NUMBERS(0, 1, 0, 1, 0, 1, 1, 1, 5, 1, 1, 1, 1), NULL));
}

TEST(tile_sizes_fit_together) {
  iree_vm_list_t *outputs = NULL;
  ASSERT_OK(
      iree_vm_list_create(iree_vm_make_variant_type_def(), 2, iree_allocator_system(), &outputs));
  for (int operation = 1; operation <= 6; ++operation) {
    int64_t sizes[3][2];
    for (int role = 1; role <= 3; ++role) {
      EXPECT_OK(call("query_tile_sizes.2d", NULL, NUMBERS(64, 64, operation << 8 | role), outputs));
      for (size_t i = 0; i < 2; ++i) {
        iree_vm_value_t value;
        EXPECT_OK(iree_vm_list_get_value(outputs, i, &value));
        sizes[role - 1][i] = value.i64;
        EXPECT(value.i64 > 0);
      }
    }
    EXPECT_EQ(sizes[0][1], sizes[1][1]);
    EXPECT_EQ(sizes[2][0], sizes[0][0]);
    EXPECT_EQ(sizes[2][1], sizes[1][0]);
  }
  EXPECT_STATUS(INVALID_ARGUMENT,
                call("query_tile_sizes.2d", NULL, NUMBERS(64, 64, 0x104), outputs));
  iree_vm_list_release(outputs);
}

TEST(has_all_functions) { EXPECT_EQ(iree_vm_module_signature(module).export_function_count, 32); }

int main(int argc, char **argv) {
  static const test_case_t cases[] = {
      CASE(binary_functions) CASE(unary_functions) CASE(copies_of_each_width)
          CASE(planes_outside_of_buffers_are_refused) CASE(packing_and_back) CASE(products_of_tiles)
              CASE(tile_sizes_fit_together) CASE(has_all_functions)};
  IREE_CHECK_OK(
      iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, iree_allocator_system(), &instance));
  IREE_CHECK_OK(iree_vmvx_module_create(instance, iree_allocator_system(), &module));
  IREE_CHECK_OK(iree_vm_context_create_with_modules(instance, IREE_VM_CONTEXT_FLAG_NONE, 1, &module,
                                                    iree_allocator_system(), &context));
  int result = test_main(cases, IREE_ARRAYSIZE(cases), argc, argv);
  iree_vm_context_release(context);
  iree_vm_module_release(module);
  iree_vm_instance_release(instance);
  return result;
}
