// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements and buffers as text. Integers are decimal, floats %G, all else hexadecimal bytes in
// memory order; elements below a byte are packed, the first in the lowest bits. An integer type
// without a sign takes the values of both its readings.
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/float_convert.h"
#include "iree/hal/string_util.h"
#include "runtime/hal/text.h"

//===-- elements -----------------------------------------------------------------------------===//

// How elements of a type are written.
typedef enum element_form_e {
  FORM_INTEGER,
  FORM_NARROW_FLOAT,
  FORM_F32,
  FORM_F64,
  FORM_HEX,      // bytes in memory order; one digit for 2 and 4 bits
  FORM_UNKNOWN,  // widths that have no form
} element_form_t;

typedef struct element_info_t {
  element_form_t form;
  unsigned bits;
  unsigned byte_count;  // of an element that stands alone
  bool is_signed;       // integers: negative values are possible
  bool is_unsigned;     // integers: values of the upper half are possible
  float_format_t format;
} element_info_t;

static element_info_t narrow_float(unsigned bits, float_format_t format) {
  return (element_info_t){
      .form = FORM_NARROW_FLOAT, .bits = bits, .byte_count = bits / 8, .format = format};
}

static element_info_t describe_element(iree_hal_element_type_t type) {
  switch (type) {
    case IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2:
      return narrow_float(8, FLOAT_F8E5M2);
    case IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FN:
      return narrow_float(8, FLOAT_F8E4M3FN);
    case IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2_FNUZ:
      return narrow_float(8, FLOAT_F8E5M2FNUZ);
    case IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FNUZ:
      return narrow_float(8, FLOAT_F8E4M3FNUZ);
    case IREE_HAL_ELEMENT_TYPE_FLOAT_8_E8M0_FNU:
      return narrow_float(8, FLOAT_F8E8M0FNU);
    case IREE_HAL_ELEMENT_TYPE_FLOAT_16:
      return narrow_float(16, FLOAT_F16);
    case IREE_HAL_ELEMENT_TYPE_BFLOAT_16:
      return narrow_float(16, FLOAT_BF16);
    case IREE_HAL_ELEMENT_TYPE_FLOAT_32:
      return (element_info_t){.form = FORM_F32, .bits = 32, .byte_count = 4};
    case IREE_HAL_ELEMENT_TYPE_FLOAT_64:
      return (element_info_t){.form = FORM_F64, .bits = 64, .byte_count = 8};
    default:
      break;
  }
  const unsigned bits = (unsigned)iree_hal_element_bit_count(type);
  element_info_t info = {.form = FORM_HEX, .bits = bits, .byte_count = (bits + 7) / 8};
  const iree_hal_numerical_type_t kind = iree_hal_element_numerical_type(type);
  if (bits % 8 && bits != 1 && bits != 2 && bits != 4) {
    info.form = FORM_UNKNOWN;
  } else if (kind >= IREE_HAL_NUMERICAL_TYPE_INTEGER &&
             kind <= IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED && bits <= 64 &&
             !(bits & (bits - 1))) {
    info.form = FORM_INTEGER;
    info.is_signed = kind != IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED;
    info.is_unsigned = kind != IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED;
  } else if (bits % 8 && (kind != IREE_HAL_NUMERICAL_TYPE_UNKNOWN || bits == 1)) {
    info.form = FORM_UNKNOWN;
  }
  return info;
}

bool element_float_value(iree_hal_element_type_t type, const void *data, double *out_value) {
  element_info_t info = describe_element(type);
  uint16_t bits = 0;
  float single = 0;
  switch (info.form) {
    case FORM_NARROW_FLOAT:
      memcpy(&bits, data, info.byte_count);
      *out_value = float_bits_to_f64(info.format, bits);
      return true;
    case FORM_F32:
      memcpy(&single, data, sizeof(single));
      *out_value = (double)single;
      return true;
    case FORM_F64:
      memcpy(out_value, data, sizeof(*out_value));
      return true;
    case FORM_INTEGER:
    case FORM_HEX:
    case FORM_UNKNOWN:
      break;
  }
  return false;
}

static iree_status_t unknown_element(iree_hal_element_type_t type) {
  char name[16];
  iree_status_ignore(iree_hal_format_element_type(type, sizeof(name), name, NULL));
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "elements of type %s have no text form", name);
}

static uint64_t load_bits(const uint8_t *data, unsigned byte_count) {
  uint64_t value = 0;
  for (unsigned i = 0; i < byte_count; ++i) value |= (uint64_t)data[i] << (8 * i);
  return value;
}

static void store_bits(uint8_t *data, unsigned byte_count, uint64_t value) {
  for (unsigned i = 0; i < byte_count; ++i) data[i] = (uint8_t)(value >> (8 * i));
}

// Signless integers take the values of both signed and unsigned ones.
static bool parse_integer(iree_string_view_t text, const element_info_t *info,
                          uint64_t *out_value) {
  int64_t value = 0;
  uint64_t large = 0;
  const int64_t min = info->is_signed ? INT64_MIN >> (64 - info->bits) : 0;
  const uint64_t max = (UINT64_MAX >> (64 - info->bits)) >> (info->is_unsigned ? 0 : 1);
  if (iree_string_view_atoi_int64_base(text, 0, &value)) {
    *out_value = (uint64_t)value;
    return value < 0 ? value >= min : (uint64_t)value <= max;
  }
  if (!iree_string_view_atoi_uint64_base(text, 0, &large)) return false;
  *out_value = large;
  return large <= max;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static bool parse_hex_digit(iree_string_view_t text, unsigned bits, uint8_t *out_data) {
  const int digit = text.size == 1 ? hex_digit(text.data[0]) : -1;
  *out_data = (uint8_t)digit;
  return digit >= 0 && digit < 1 << bits;
}

static bool parse_hex(iree_string_view_t text, unsigned byte_count, uint8_t *out_data) {
  if (text.size != 2 * (iree_host_size_t)byte_count) return false;
  for (unsigned i = 0; i < byte_count; ++i) {
    const int high = hex_digit(text.data[2 * i]), low = hex_digit(text.data[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out_data[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}

// Parses into |out_data|, which holds info->byte_count bytes (a sub-byte value in the low bits of
// one).
static bool parse_element(iree_string_view_t text, const element_info_t *info, uint8_t *out_data) {
  double value = 0;
  float single = 0;
  uint64_t bits = 0;
  switch (info->form) {
    case FORM_INTEGER:
      if (!parse_integer(text, info, &bits)) return false;
      store_bits(out_data, info->byte_count, bits & (UINT64_MAX >> (64 - info->bits)));
      return true;
    case FORM_NARROW_FLOAT:
      if (!iree_string_view_atod(text, &value)) return false;
      store_bits(out_data, info->byte_count, float_bits_from_f64(info->format, value));
      return true;
    case FORM_F32:
      if (!iree_string_view_atof(text, &single)) return false;
      memcpy(out_data, &single, sizeof(single));
      return true;
    case FORM_F64:
      if (!iree_string_view_atod(text, &value)) return false;
      memcpy(out_data, &value, sizeof(value));
      return true;
    case FORM_HEX:
      return info->bits < 8 ? parse_hex_digit(text, info->bits, out_data)
                            : parse_hex(text, info->byte_count, out_data);
    case FORM_UNKNOWN:
      return false;
  }
  return false;
}

static iree_status_t bad_element(iree_string_view_t text, iree_hal_element_type_t type,
                                 const element_info_t *info) {
  char name[16];
  iree_status_ignore(iree_hal_format_element_type(type, sizeof(name), name, NULL));
  const int shown = text.size > 40 ? 40 : (int)text.size;
  if (info->form == FORM_HEX) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "`%.*s` is no %s element: expected %u hexadecimal digit%s", shown,
                            text.data, name, (info->bits + 3) / 4, info->bits < 8 ? "" : "s");
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "`%.*s` is no %s element", shown, text.data,
                          name);
}

// Booleans are bytes, but words and digits are welcome.
static iree_string_view_t bool_as_hex(iree_string_view_t text) {
  if (iree_string_view_equal(text, IREE_SV("1")) || iree_string_view_equal(text, IREE_SV("true"))) {
    return IREE_SV("01");
  }
  if (iree_string_view_equal(text, IREE_SV("0")) ||
      iree_string_view_equal(text, IREE_SV("false"))) {
    return IREE_SV("00");
  }
  return text;
}

static iree_status_t parse_element_checked(iree_string_view_t text, iree_hal_element_type_t type,
                                           const element_info_t *info, uint8_t *out_data) {
  if (type == IREE_HAL_ELEMENT_TYPE_BOOL_8) text = bool_as_hex(text);
  return parse_element(text, info, out_data) ? iree_ok_status() : bad_element(text, type, info);
}

iree_status_t iree_hal_parse_element(iree_string_view_t data_str,
                                     iree_hal_element_type_t element_type,
                                     iree_byte_span_t data_ptr) {
  const element_info_t info = describe_element(element_type);
  if (info.form == FORM_UNKNOWN) return unknown_element(element_type);
  if (data_ptr.data_length < info.byte_count) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "an element of %u bytes does not fit %" PRIhsz " bytes",
                            info.byte_count, data_ptr.data_length);
  }
  return parse_element_checked(data_str, element_type, &info, data_ptr.data);
}

static void write_integer(text_t *text, const element_info_t *info, uint64_t bits) {
  if (!info->is_signed) {
    text_format(text, "%" PRIu64, bits);
    return;
  }
  const unsigned unused = 64 - info->bits;
  text_format(text, "%" PRId64, (int64_t)(bits << unused) >> unused);
}

// |bits| is the value of integers and narrow floats, |data| the memory of all others.
static void write_element(text_t *text, const element_info_t *info, uint64_t bits,
                          const uint8_t *data) {
  double value = 0;
  float single = 0;
  switch (info->form) {
    case FORM_INTEGER:
      write_integer(text, info, bits);
      return;
    case FORM_NARROW_FLOAT:
      value = float_bits_to_f64(info->format, (uint32_t)bits);
      text_format(text, "%G", isnan(value) ? fabs(value) : value);  // no sign of NaN in these
      return;
    case FORM_F32:
      memcpy(&single, data, sizeof(single));
      text_format(text, "%G", (double)single);
      return;
    case FORM_F64:
      memcpy(&value, data, sizeof(value));
      text_format(text, "%G", value);
      return;
    case FORM_HEX:
    case FORM_UNKNOWN:
      if (info->bits < 8) {
        text_format(text, "%X", (unsigned)bits);
        return;
      }
      for (unsigned i = 0; i < info->byte_count; ++i) text_format(text, "%02X", data[i]);
      return;
  }
}

iree_status_t iree_hal_format_element(iree_const_byte_span_t data,
                                      iree_hal_element_type_t element_type,
                                      iree_host_size_t buffer_capacity, char *buffer,
                                      iree_host_size_t *out_buffer_length) {
  if (out_buffer_length) *out_buffer_length = 0;
  const element_info_t info = describe_element(element_type);
  if (info.form == FORM_UNKNOWN) return unknown_element(element_type);
  if (data.data_length < info.byte_count) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "an element has %u bytes, not %" PRIhsz,
                            info.byte_count, data.data_length);
  }
  text_t text = text_begin(buffer, buffer_capacity);
  const uint64_t bits = info.byte_count <= 8 ? load_bits(data.data, info.byte_count) : 0;
  write_element(&text, &info, bits, data.data);
  return text_end(&text, out_buffer_length);
}

//===-- buffers ------------------------------------------------------------------------------===//

// Elements below a byte are packed, the first one in the lowest bits.
static uint64_t load_element(const uint8_t *data, iree_host_size_t index,
                             const element_info_t *info) {
  if (info->bits % 8 == 0) {
    return info->byte_count <= 8 ? load_bits(data + index * info->byte_count, info->byte_count) : 0;
  }
  const iree_host_size_t bit = index * info->bits;
  return (uint64_t)(data[bit / 8] >> (bit % 8)) & ((UINT64_C(1) << info->bits) - 1);
}

static void store_element(uint8_t *data, iree_host_size_t index, const element_info_t *info,
                          const uint8_t *element) {
  if (info->bits % 8 == 0) {
    memcpy(data + index * info->byte_count, element, info->byte_count);
    return;
  }
  const iree_host_size_t bit = index * info->bits;
  const unsigned mask = ((1u << info->bits) - 1) << (bit % 8);
  data[bit / 8] = (uint8_t)((data[bit / 8] & ~mask) | (unsigned)element[0] << (bit % 8));
}

static bool is_separator(char c) {
  return isspace((unsigned char)c) || c == ',' || c == '[' || c == ']';
}

static bool next_token(iree_string_view_t *text, iree_string_view_t *out_token) {
  while (text->size && is_separator(text->data[0]))
    *text = iree_string_view_remove_prefix(*text, 1);
  iree_host_size_t length = 0;
  while (length < text->size && !is_separator(text->data[length])) ++length;
  *out_token = iree_string_view_substr(*text, 0, length);
  *text = iree_string_view_remove_prefix(*text, length);
  return length > 0;
}

iree_status_t iree_hal_parse_buffer_elements(iree_string_view_t data_str,
                                             iree_hal_element_type_t element_type,
                                             iree_byte_span_t data_ptr) {
  const element_info_t info = describe_element(element_type);
  if (data_ptr.data_length) memset(data_ptr.data, 0, data_ptr.data_length);
  if (iree_string_view_is_empty(data_str)) return iree_ok_status();
  if (info.form == FORM_UNKNOWN || !info.bits) return unknown_element(element_type);
  // How many elements fit; below a byte the last one may end in the middle of it.
  const bool is_packed = info.bits % 8 != 0;
  const iree_host_size_t capacity =
      is_packed ? data_ptr.data_length * (8 / info.bits) : data_ptr.data_length / info.byte_count;
  const iree_host_size_t least = is_packed && capacity ? capacity - (8 / info.bits - 1) : capacity;
  uint8_t element[32] = {0};
  iree_host_size_t count = 0;
  for (iree_string_view_t token; next_token(&data_str, &token); ++count) {
    if (count == capacity) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "output data buffer overflow: more values than the %" PRIhsz
                              " elements of the shape",
                              capacity);
    }
    IREE_RETURN_IF_ERROR(parse_element_checked(token, element_type, &info, element),
                         "at element %" PRIhsz, count);
    store_element(data_ptr.data, count, &info, element);
  }
  if (count == 1) {
    for (iree_host_size_t i = 1; i < capacity; ++i) store_element(data_ptr.data, i, &info, element);
  } else if (count < least) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "input data string underflow: %" PRIhsz " values for the %" PRIhsz
                            " elements of the shape",
                            count, capacity);
  }
  return iree_ok_status();
}

typedef struct print_state_t {
  text_t text;
  element_info_t info;
  const uint8_t *data;
  iree_host_size_t index;      // of the next element
  iree_host_size_t remaining;  // that may still be written
} print_state_t;

static void write_row(print_state_t *state, iree_host_size_t length) {
  const iree_host_size_t shown = length < state->remaining ? length : state->remaining;
  for (iree_host_size_t i = 0; i < shown; ++i) {
    const iree_host_size_t index = state->index + i;
    if (i) text_char(&state->text, ' ');
    write_element(&state->text, &state->info, load_element(state->data, index, &state->info),
                  state->data + index * state->info.byte_count);
  }
  if (shown < length) text_string(&state->text, "...");
  state->index += length;
  state->remaining -= shown;
}

static void write_dims(print_state_t *state, iree_host_size_t rank, const iree_hal_dim_t *shape) {
  if (rank <= 1) {
    write_row(state, rank ? (iree_host_size_t)shape[0] : 1);
    return;
  }
  for (iree_hal_dim_t i = 0; i < shape[0]; ++i) {
    text_char(&state->text, '[');
    write_dims(state, rank - 1, shape + 1);
    text_char(&state->text, ']');
  }
}

iree_status_t iree_hal_format_buffer_elements(
    iree_const_byte_span_t data, iree_host_size_t shape_rank, const iree_hal_dim_t *shape,
    iree_hal_element_type_t element_type, iree_host_size_t max_element_count,
    iree_host_size_t buffer_capacity, char *buffer, iree_host_size_t *out_buffer_length) {
  if (out_buffer_length) *out_buffer_length = 0;
  print_state_t state = {.text = text_begin(buffer, buffer_capacity),
                         .info = describe_element(element_type),
                         .data = data.data,
                         .remaining = max_element_count};
  if (state.info.form == FORM_UNKNOWN) return unknown_element(element_type);
  iree_device_size_t needed = 0;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_compute_view_size(
      shape_rank, shape, element_type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &needed));
  if (data.data_length < needed) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "input data underflow: the shape has %" PRIdsz " bytes, not %" PRIhsz,
                            needed, data.data_length);
  }
  write_dims(&state, shape_rank, shape);
  return text_end(&state.text, out_buffer_length);
}
