// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading GGUF: a header of key-value pairs, a table of tensors, their bytes.
//
//   "GGUF" | u32 version | u64 tensors | u64 pairs
//   pair:    string key | u32 type | value        array: u32 type | u64 count | values
//   tensor:  string name | u32 rank | u64 dims... | u32 type | u64 offset in the data
//   data:    from the next multiple of general.alignment (32) on     string: u64 length | bytes
#include "iree/io/formats/gguf/gguf_parser.h"

#include <string.h>

#include "base/io/formats/format.h"

enum { GGUF_MAGIC = 0x46554747, MIN_VERSION = 2, MAX_VERSION = 3, DEFAULT_ALIGNMENT = 32 };

// GGML_TYPE(number, elements of a block, bytes of a block). Numbers 16 to 18 have the meaning that
// IREE gives them: i8, i16, i32.
#define GGML_TYPES(GGML_TYPE)                                                                   \
  GGML_TYPE(0, 1, 4)      /* f32 */    GGML_TYPE(1, 1, 2)      /* f16 */                        \
  GGML_TYPE(2, 32, 18)    /* q4_0 */   GGML_TYPE(3, 32, 20)    /* q4_1 */                       \
  GGML_TYPE(6, 32, 22)    /* q5_0 */   GGML_TYPE(7, 32, 24)    /* q5_1 */                       \
  GGML_TYPE(8, 32, 34)    /* q8_0 */   GGML_TYPE(9, 32, 40)    /* q8_1 */                       \
  GGML_TYPE(10, 256, 84)  /* q2_K */   GGML_TYPE(11, 256, 110) /* q3_K */                       \
  GGML_TYPE(12, 256, 144) /* q4_K */   GGML_TYPE(13, 256, 176) /* q5_K */                       \
  GGML_TYPE(14, 256, 210) /* q6_K */   GGML_TYPE(15, 256, 292) /* q8_K */                       \
  GGML_TYPE(16, 1, 1)     /* i8 */     GGML_TYPE(17, 1, 2)     /* i16 */                        \
  GGML_TYPE(18, 1, 4)     /* i32 */    GGML_TYPE(24, 1, 1)     /* i8 */                         \
  GGML_TYPE(25, 1, 2)     /* i16 */    GGML_TYPE(26, 1, 4)     /* i32 */                        \
  GGML_TYPE(27, 1, 8)     /* i64 */    GGML_TYPE(28, 1, 8)     /* f64 */                        \
  GGML_TYPE(30, 1, 2)     /* bf16 */

typedef struct ggml_type_t {
  uint16_t block_elements;
  uint16_t block_bytes;
} ggml_type_t;
static const ggml_type_t ggml_types[] = {
#define ROW(number, elements, bytes) [number] = {elements, bytes},
    GGML_TYPES(ROW)
#undef ROW
};

// Bytes of a value by its type; 0: none of fixed size.
enum { VALUE_STRING = 8, VALUE_ARRAY = 9, VALUE_UINT32 = 4 };
static const uint8_t value_bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

typedef struct cursor_t {
  iree_const_byte_span_t contents;
  iree_host_size_t offset;
} cursor_t;

static iree_status_t take(cursor_t *cursor, uint64_t length, const uint8_t **out_data) {
  const iree_host_size_t remaining = cursor->contents.data_length - cursor->offset;
  if (length > remaining) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "the file ends within its header: %" PRIu64
                            " bytes are to follow at %" PRIhsz ", there are %" PRIhsz,
                            length, cursor->offset, remaining);
  }
  *out_data = cursor->contents.data + cursor->offset;
  cursor->offset += (iree_host_size_t)length;
  return iree_ok_status();
}

static iree_status_t take_u32(cursor_t *cursor, uint32_t *out_value) {
  const uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take(cursor, 4, &data));
  *out_value = iree_unaligned_load_le_u32(data);
  return iree_ok_status();
}

static iree_status_t take_u64(cursor_t *cursor, uint64_t *out_value) {
  const uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take(cursor, 8, &data));
  *out_value = iree_unaligned_load_le_u64(data);
  return iree_ok_status();
}

static iree_status_t take_string(cursor_t *cursor, iree_string_view_t *out_string) {
  uint64_t length = 0;
  IREE_RETURN_IF_ERROR(take_u64(cursor, &length));
  const uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take(cursor, length, &data));
  *out_string = iree_make_string_view((const char *)data, (iree_host_size_t)length);
  return iree_ok_status();
}

static iree_status_t check_value_type(uint32_t type) {
  if (type < IREE_ARRAYSIZE(value_bytes)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "unknown type %u of a value", type);
}

static iree_status_t skip_array(cursor_t *cursor) {
  uint32_t type = 0;
  uint64_t count = 0;
  IREE_RETURN_IF_ERROR(take_u32(cursor, &type));
  IREE_RETURN_IF_ERROR(take_u64(cursor, &count));
  IREE_RETURN_IF_ERROR(check_value_type(type));
  if (type == VALUE_ARRAY) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "arrays of arrays are not GGUF");
  }
  const uint8_t *data = NULL;
  if (type != VALUE_STRING) {
    const uint64_t limit = UINT64_MAX / 8;  // beyond any file, and the product does not wrap
    return take(cursor, count > limit ? UINT64_MAX : count * value_bytes[type], &data);
  }
  iree_string_view_t string;
  for (uint64_t i = 0; i < count; ++i) IREE_RETURN_IF_ERROR(take_string(cursor, &string));
  return iree_ok_status();
}

// Reads a pair; all but the alignment is for other readers.
static iree_status_t read_pair(cursor_t *cursor, uint32_t *alignment) {
  iree_string_view_t key, string;
  uint32_t type = 0;
  IREE_RETURN_IF_ERROR(take_string(cursor, &key));
  IREE_RETURN_IF_ERROR(take_u32(cursor, &type));
  IREE_RETURN_IF_ERROR(check_value_type(type), "pair '%.*s'", IREE_SV_ARGS(key));
  if (type == VALUE_STRING) return take_string(cursor, &string);
  if (type == VALUE_ARRAY) return skip_array(cursor);
  const uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take(cursor, value_bytes[type], &data));
  if (!iree_string_view_equal(key, IREE_SV("general.alignment"))) return iree_ok_status();
  *alignment = type == VALUE_UINT32 ? iree_unaligned_load_le_u32(data) : 0;
  if (*alignment && iree_is_power_of_two_uint64(*alignment)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "general.alignment is to be a u32 and a power of two");
}

typedef struct tensor_t {
  iree_string_view_t name;
  uint64_t length;  // bytes
  uint64_t offset;  // in the data
} tensor_t;

static iree_status_t tensor_length(const tensor_t *tensor, uint32_t rank, const uint8_t *dims,
                                   uint32_t type, uint64_t *out_length) {
  const ggml_type_t none = {0, 0};
  const ggml_type_t row = type < IREE_ARRAYSIZE(ggml_types) ? ggml_types[type] : none;
  if (!row.block_bytes) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "tensor '%.*s' has the ggml type %u, which this runtime does not "
                            "know; convert the file to another quantisation",
                            IREE_SV_ARGS(tensor->name), type);
  }
  uint64_t elements = 1;
  bool is_small = true;
  for (uint32_t i = 0; i < rank; ++i) {
    is_small &= iree_device_size_checked_mul(elements, iree_unaligned_load_le_u64(dims + 8 * i), &elements);
  }
  is_small &= iree_device_size_checked_mul(elements, row.block_bytes, out_length);
  if (!is_small) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "tensor '%.*s' has more than 2^64 bytes",
                            IREE_SV_ARGS(tensor->name));
  }
  *out_length /= row.block_elements;
  return iree_ok_status();
}

static iree_status_t read_tensor(cursor_t *cursor, tensor_t *out_tensor) {
  uint32_t rank = 0, type = 0;
  const uint8_t *dims = NULL;
  IREE_RETURN_IF_ERROR(take_string(cursor, &out_tensor->name));
  IREE_RETURN_IF_ERROR(take_u32(cursor, &rank));
  IREE_RETURN_IF_ERROR(take(cursor, (uint64_t)rank * 8, &dims));
  IREE_RETURN_IF_ERROR(take_u32(cursor, &type));
  IREE_RETURN_IF_ERROR(take_u64(cursor, &out_tensor->offset));
  return tensor_length(out_tensor, rank, dims, type, &out_tensor->length);
}

// The table is walked twice: where the data starts shows at its end only.
static iree_status_t read_tensors(const format_source_t *source, cursor_t cursor,
                                  uint64_t tensor_count, uint32_t alignment) {
  cursor_t end = cursor;
  tensor_t tensor;
  for (uint64_t i = 0; i < tensor_count; ++i) {
    IREE_RETURN_IF_ERROR(read_tensor(&end, &tensor), "tensor %" PRIu64, i);
  }
  const uint64_t data_offset = iree_align_uint64(end.offset, alignment);
  for (uint64_t i = 0; i < tensor_count; ++i) {
    IREE_RETURN_IF_ERROR(read_tensor(&cursor, &tensor));
    uint64_t offset = 0;
    if (!iree_device_size_checked_add(data_offset, tensor.offset, &offset)) offset = UINT64_MAX;
    IREE_RETURN_IF_ERROR(format_add_data(source, tensor.name, iree_const_byte_span_empty(), offset,
                                         tensor.length));
  }
  return iree_ok_status();
}

static iree_status_t parse(const format_source_t *source) {
  cursor_t cursor = {source->contents, 0};
  uint32_t magic = 0, version = 0, alignment = DEFAULT_ALIGNMENT;
  uint64_t tensor_count = 0, pair_count = 0;
  IREE_RETURN_IF_ERROR(take_u32(&cursor, &magic));
  if (magic != GGUF_MAGIC) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "a GGUF file starts with 'GGUF' (%08X), this one with %08X", GGUF_MAGIC,
                            magic);
  }
  IREE_RETURN_IF_ERROR(take_u32(&cursor, &version));
  if (version < MIN_VERSION || version > MAX_VERSION) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "GGUF version %u, this runtime reads %d to %d; convert the file",
                            version, MIN_VERSION, MAX_VERSION);
  }
  IREE_RETURN_IF_ERROR(take_u64(&cursor, &tensor_count));
  IREE_RETURN_IF_ERROR(take_u64(&cursor, &pair_count));
  if (tensor_count == 0) return iree_ok_status();
  for (uint64_t i = 0; i < pair_count; ++i) {
    IREE_RETURN_IF_ERROR(read_pair(&cursor, &alignment), "pair %" PRIu64, i);
  }
  return read_tensors(source, cursor, tensor_count, alignment);
}

iree_status_t iree_io_parse_gguf_index(iree_io_file_handle_t *file_handle,
                                       iree_io_parameter_index_t *index,
                                       iree_allocator_t host_allocator) {
  return format_parse_file(file_handle, index, host_allocator, parse);
}
