// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of tiled matrices, the second one transposed:
//   out[i][j] (+)= sum over k of lhs[i][k] x rhs[j][k]^T,  tiles of m0 x k0, n0 x k0, m0 x n0
// and the tiles that suit the processor. Shapes with a function of their own are in mmt4d_<arch>.c.
#include "runtime/modules/vmvx/mmt4d.h"

#define ACCUMULATE 0x100u

typedef struct mmt4d_operand_t {
  iree_vm_ref_t buffer;
  int64_t offset, stride0;
} mmt4d_operand_t;

typedef struct mmt4d_arguments_t {
  mmt4d_operand_t lhs, rhs, out;
  int64_t m, n, k;
  int32_t m0, n0, k0;
  uint32_t flags;
} mmt4d_arguments_t;

// Any shape, one element after the other.
#define DEFINE_ANY(name, T_IN, T_OUT)                                                       \
  static void name(const void *lhs, const void *rhs, void *out, int64_t k, bool accumulate, \
                   const int32_t shape[3]) {                                                \
    const int64_t m0 = shape[0], n0 = shape[1], k0 = shape[2];                              \
    const T_IN *a = lhs, *b = rhs;                                                          \
    T_OUT *c = out;                                                                         \
    for (int64_t i = 0; i < m0; ++i) {                                                      \
      for (int64_t j = 0; j < n0; ++j) {                                                    \
        T_OUT sum = accumulate ? c[i * n0 + j] : 0;                                         \
        for (int64_t kk = 0; kk < k; ++kk) {                                                \
          for (int64_t l = 0; l < k0; ++l) {                                                \
            sum += (T_OUT)a[(kk * m0 + i) * k0 + l] * (T_OUT)b[(kk * n0 + j) * k0 + l];     \
          }                                                                                 \
        }                                                                                   \
        c[i * n0 + j] = sum;                                                                \
      }                                                                                     \
    }                                                                                       \
  }
DEFINE_ANY(f32_any, float, float)
DEFINE_ANY(s8_any, int8_t, uint32_t)  // sums wrap

static const mmt4d_tile_t any_tiles[] = {
    {MMT4D_F32F32F32, "", {8, 8, 1}, f32_any},
    {MMT4D_S8S8S32, "", {8, 8, 1}, s8_any},
};

static bool can_run(const mmt4d_tile_t *tile, const iree_hal_processor_v0_t *processor) {
  bool is_present = !tile->feature[0];
  if (is_present) return true;
  return processor_lookup(processor, iree_make_cstring_view(tile->feature), &is_present) &&
         is_present;
}

// The function for a shape, or the preferred tile of a type when |shape| is null.
static const mmt4d_tile_t *find_tile(const vmvx_module_t *module, uint32_t type,
                                     const int32_t *shape) {
  for (iree_host_size_t i = 0; i < mmt4d_tile_count; ++i) {
    const mmt4d_tile_t *tile = &mmt4d_tiles[i];
    if (tile->type == type && can_run(tile, &module->processor) &&
        (!shape || memcmp(tile->shape, shape, sizeof(tile->shape)) == 0)) {
      return tile;
    }
  }
  for (iree_host_size_t i = 0; i < IREE_ARRAYSIZE(any_tiles); ++i) {
    if (any_tiles[i].type == type) return &any_tiles[i];
  }
  return NULL;
}

// Maps the rows of tiles of one matrix.
static iree_status_t map_tiles(const mmt4d_operand_t *operand, int64_t rows, int64_t tiles_per_row,
                               int64_t tile0, int64_t tile1, iree_host_size_t element_size,
                               bool for_write, uint8_t **out_data) {
  int64_t row_length = 0;
  IREE_RETURN_IF_ERROR(
      vmvx_product((const int64_t[]){tiles_per_row, tile0, tile1}, 3, &row_length));
  vmvx_plane_t plane = {operand->buffer, operand->offset, operand->stride0, 1};
  return vmvx_map(&plane, rows, row_length, element_size, for_write, out_data);
}

VMVX_SHIM(vmvx_mmt4d) {
  VMVX_UNUSED, (void)target_fn;
  const mmt4d_arguments_t *args = NULL;
  IREE_RETURN_IF_ERROR(vmvx_arguments(args_storage, sizeof(*args), (const void **)&args));
  int32_t shape[3] = {args->m0, args->n0, args->k0};
  const mmt4d_tile_t *tile =
      find_tile((const vmvx_module_t *)module, args->flags & MMT4D_TYPE_MASK, shape);
  if (!tile) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "element types %u of flags %08X are unknown",
                            args->flags & MMT4D_TYPE_MASK, args->flags);
  }
  iree_host_size_t in_size = tile->type == MMT4D_S8S8S32 ? 1 : 4;
  uint8_t *lhs = NULL, *rhs = NULL, *out = NULL;
  IREE_RETURN_IF_ERROR(
      map_tiles(&args->lhs, args->m, args->k, args->m0, args->k0, in_size, false, &lhs));
  IREE_RETURN_IF_ERROR(
      map_tiles(&args->rhs, args->n, args->k, args->n0, args->k0, in_size, false, &rhs));
  IREE_RETURN_IF_ERROR(map_tiles(&args->out, args->m, args->n, args->m0, args->n0, 4, true, &out));
  if (!out) return iree_ok_status();
  int64_t k = lhs && rhs ? args->k : 0, out_tile_bytes = (int64_t)4 * args->m0 * args->n0;
  for (int64_t i = 0; i < args->m; ++i) {
    const uint8_t *lhs_row = lhs ? lhs + i * args->lhs.stride0 * (int64_t)in_size : NULL;
    for (int64_t j = 0; j < args->n; ++j) {
      const uint8_t *rhs_row = rhs ? rhs + j * args->rhs.stride0 * (int64_t)in_size : NULL;
      tile->run(lhs_row, rhs_row, out + 4 * i * args->out.stride0 + j * out_tile_bytes, k,
                (args->flags & ACCUMULATE) != 0, shape);
    }
  }
  return iree_ok_status();
}

//===-- tile sizes ----------------------------------------------------------------------------===//

#define ROLE_MASK 0xFFu
#define OPERATION_MASK 0xFF00u

typedef struct query_arguments_t {
  int64_t size0, size1;
  uint32_t flags;
} query_arguments_t;

VMVX_SHIM(vmvx_query_tile_sizes) {
  (void)stack, (void)flags, (void)target_fn, (void)module_state;
  const query_arguments_t *args = NULL;
  IREE_RETURN_IF_ERROR(
      vmvx_arguments(args_storage, offsetof(query_arguments_t, flags) + 4, (const void **)&args));
  if (rets_storage.data_length < 2 * sizeof(int64_t)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "no room for two results");
  }
  // Products without a function of their own have tiles, too: other code works on them.
  uint32_t type =
      (args->flags & OPERATION_MASK) >> 8 == MMT4D_S8S8S32 ? MMT4D_S8S8S32 : MMT4D_F32F32F32;
  const int32_t *shape = find_tile((const vmvx_module_t *)module, type, NULL)->shape;
  // Extents of the left operand, the right one (transposed), the result.
  const int32_t sizes[][2] = {{shape[0], shape[2]}, {shape[1], shape[2]}, {shape[0], shape[1]}};
  uint32_t role = args->flags & ROLE_MASK;
  if (role < 1 || role > IREE_ARRAYSIZE(sizes)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "operand %u of flags %08X is unknown",
                            role, args->flags);
  }
  int64_t *results = (int64_t *)(void *)rets_storage.data;
  results[0] = sizes[role - 1][0];
  results[1] = sizes[role - 1][1];
  return iree_ok_status();
}
