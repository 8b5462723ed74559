// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices to rows of tiles and back.
//
//   plane [size0, size1]  <->  tiles [outer0][outer1][tile0][tile1], rows of tiles |stride| apart
//
// TRANSPOSE_OUTER: the first outer extent walks dimension 1 of the plane; TRANSPOSE_INNER: likewise
// within a tile. Where a tile leaves the plane packing writes the padding, unpacking nothing.
#include "runtime/modules/vmvx/exports.h"

// Flags: the low byte is the element type.
#define TYPE_MASK 0xFFu
#define TYPE_F32 1u
#define TYPE_I8 2u
#define TYPE_I32 3u
#define TRANSPOSE_INNER 0x100u
#define TRANSPOSE_OUTER 0x200u

typedef struct tiling_t {
  int64_t outer0, outer1;          // tiles along the dimensions of the plane
  int64_t stride0, stride1;        // from a tile to the next, in elements
  int64_t tile0, tile1;            // extents of a tile
  int64_t in_stride0, in_stride1;  // within a tile
} tiling_t;

// |sizes| are those of the tiled side as they lie in memory.
static tiling_t make_tiling(const int64_t sizes[4], int64_t row_stride, uint32_t flags) {
  int64_t tile_size = sizes[2] * sizes[3];
  tiling_t t = {sizes[0], sizes[1], row_stride, tile_size, sizes[2], sizes[3], sizes[3], 1};
  if (flags & TRANSPOSE_OUTER) {
    t.outer0 = sizes[1], t.outer1 = sizes[0];
    t.stride0 = tile_size, t.stride1 = row_stride;
  }
  if (flags & TRANSPOSE_INNER) {
    t.tile0 = sizes[3], t.tile1 = sizes[2];
    t.in_stride0 = 1, t.in_stride1 = sizes[3];
  }
  return t;
}

typedef struct plane_view_t {
  uint8_t *data;
  int64_t stride0, stride1, size0, size1;
} plane_view_t;

static int64_t clamp_extent(int64_t size, int64_t begin, int64_t tile) {
  return begin >= size ? 0 : iree_min(size - begin, tile);
}

#define DEFINE_PACK(T)                                                                            \
  static void pack_##T(const tiling_t *t, const plane_view_t *plane, uint8_t *tiles, T padding) { \
    for (int64_t i = 0; i < t->outer0; ++i) {                                                     \
      for (int64_t j = 0; j < t->outer1; ++j) {                                                   \
        T *tile = (T *)(void *)tiles + i * t->stride0 + j * t->stride1;                           \
        const T *source = (const T *)(const void *)plane->data + i * t->tile0 * plane->stride0 +  \
                          j * t->tile1 * plane->stride1;                                          \
        int64_t rows = clamp_extent(plane->size0, i * t->tile0, t->tile0);                        \
        int64_t columns = clamp_extent(plane->size1, j * t->tile1, t->tile1);                     \
        for (int64_t r = 0; r < t->tile0; ++r) {                                                  \
          T *out = tile + r * t->in_stride0;                                                      \
          const T *in = source + r * plane->stride0;                                              \
          int64_t inside = r < rows ? columns : 0;                                                \
          for (int64_t c = 0; c < inside; ++c) out[c * t->in_stride1] = in[c * plane->stride1];   \
          for (int64_t c = inside; c < t->tile1; ++c) out[c * t->in_stride1] = padding;           \
        }                                                                                         \
      }                                                                                           \
    }                                                                                             \
  }
DEFINE_PACK(uint8_t)
DEFINE_PACK(uint32_t)

static void unpack_uint32_t(const tiling_t *t, const plane_view_t *plane, const uint8_t *tiles) {
  for (int64_t i = 0; i < t->outer0; ++i) {
    for (int64_t j = 0; j < t->outer1; ++j) {
      const uint32_t *tile =
          (const uint32_t *)(const void *)tiles + i * t->stride0 + j * t->stride1;
      uint32_t *target = (uint32_t *)(void *)plane->data + i * t->tile0 * plane->stride0 +
                         j * t->tile1 * plane->stride1;
      int64_t rows = clamp_extent(plane->size0, i * t->tile0, t->tile0);
      int64_t columns = clamp_extent(plane->size1, j * t->tile1, t->tile1);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < columns; ++c) {
          target[r * plane->stride0 + c * plane->stride1] =
              tile[r * t->in_stride0 + c * t->in_stride1];
        }
      }
    }
  }
}

static iree_status_t unknown_type(uint32_t flags) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "element type %u of flags %08X is unknown",
                          flags & TYPE_MASK, flags);
}

typedef struct pack_arguments_t {
  vmvx_plane_t in, out;
  int64_t in_sizes[2], out_sizes[4];
  uint64_t padding;
  uint32_t flags;
} pack_arguments_t;

VMVX_SHIM(vmvx_pack) {
  VMVX_UNUSED, (void)target_fn;
  const pack_arguments_t *args = NULL;
  IREE_RETURN_IF_ERROR(
      vmvx_arguments(args_storage, offsetof(pack_arguments_t, flags) + 4, (const void **)&args));
  uint32_t type = args->flags & TYPE_MASK;
  if (type != TYPE_F32 && type != TYPE_I8 && type != TYPE_I32) return unknown_type(args->flags);
  iree_host_size_t element_size = type == TYPE_I8 ? 1 : 4;
  int64_t row_length = 0;
  IREE_RETURN_IF_ERROR(vmvx_product(args->out_sizes + 1, 3, &row_length));
  vmvx_plane_t tiles = {args->out.buffer, args->out.offset, args->out.stride0, 1};
  plane_view_t plane = {NULL, args->in.stride0, args->in.stride1, args->in_sizes[0],
                        args->in_sizes[1]};
  uint8_t *out = NULL;
  IREE_RETURN_IF_ERROR(
      vmvx_map(&args->in, plane.size0, plane.size1, element_size, false, &plane.data));
  IREE_RETURN_IF_ERROR(vmvx_map(&tiles, args->out_sizes[0], row_length, element_size, true, &out));
  if (!out) return iree_ok_status();
  if (!plane.data) plane.size0 = plane.size1 = 0;
  tiling_t tiling = make_tiling(args->out_sizes, args->out.stride0, args->flags);
  if (element_size == 1) {
    pack_uint8_t(&tiling, &plane, out, (uint8_t)args->padding);
  } else {
    pack_uint32_t(&tiling, &plane, out, (uint32_t)args->padding);
  }
  return iree_ok_status();
}

typedef struct unpack_arguments_t {
  vmvx_plane_t in, out;
  int64_t in_sizes[4], out_sizes[2];
  uint32_t flags;
} unpack_arguments_t;

VMVX_SHIM(vmvx_unpack) {
  VMVX_UNUSED, (void)target_fn;
  const unpack_arguments_t *args = NULL;
  IREE_RETURN_IF_ERROR(
      vmvx_arguments(args_storage, offsetof(unpack_arguments_t, flags) + 4, (const void **)&args));
  uint32_t type = args->flags & TYPE_MASK;
  if (type != TYPE_F32 && type != TYPE_I32) return unknown_type(args->flags);
  int64_t row_length = 0;
  IREE_RETURN_IF_ERROR(vmvx_product(args->in_sizes + 1, 3, &row_length));
  vmvx_plane_t tiles = {args->in.buffer, args->in.offset, args->in.stride0, 1};
  plane_view_t plane = {NULL, args->out.stride0, args->out.stride1, args->out_sizes[0],
                        args->out_sizes[1]};
  uint8_t *in = NULL;
  IREE_RETURN_IF_ERROR(vmvx_map(&tiles, args->in_sizes[0], row_length, 4, false, &in));
  IREE_RETURN_IF_ERROR(vmvx_map(&args->out, plane.size0, plane.size1, 4, true, &plane.data));
  if (!in || !plane.data) return iree_ok_status();
  tiling_t tiling = make_tiling(args->in_sizes, args->in.stride0, args->flags);
  unpack_uint32_t(&tiling, &plane, in);
  return iree_ok_status();
}
