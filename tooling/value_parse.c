// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and files to values (value.h). One cursor walks the calling convention while the specs are
// read; a spec may take none (*f.npy at its end) or several of its letters. Files stay open for the
// whole list, each with a position, so that + and * go on where the last read ended.

#include <string.h>

#include "base/file.h"
#include "tooling/npy.h"
#include "tooling/value.h"

typedef struct open_file_t {
  struct open_file_t *next;
  iree_string_view_t path;  // borrowed from the spec
  file_contents_t contents;
  iree_host_size_t position;
} open_file_t;

typedef struct parse_state_t {
  const value_target_t *target;
  iree_string_view_t cconv;  // letters not yet taken
  iree_vm_list_t *list;
  open_file_t *files;
} parse_state_t;

static iree_status_t take_cconv(parse_state_t *state, char *out_letter) {
  *out_letter = 0;
  if (!state->cconv.size) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "function expected fewer input values");
  }
  *out_letter = state->cconv.data[0];
  state->cconv = iree_string_view_remove_prefix(state->cconv, 1);
  return iree_ok_status();
}

static iree_status_t take_reference(parse_state_t *state) {
  char letter = 0;
  IREE_RETURN_IF_ERROR(take_cconv(state, &letter));
  if (letter == IREE_VM_CCONV_TYPE_REF) return iree_ok_status();
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT,
      "function signature mismatch: a scalar of type `%c` is expected here, not a tensor", letter);
}

//===-- scalars ------------------------------------------------------------------------------===//

// Parses |text| as the scalar that |letter| names; empty text gives zero.
static iree_status_t parse_scalar(char letter, iree_string_view_t text,
                                  iree_vm_value_t *out_value) {
  bool is_ok = true;
  const bool is_zero = iree_string_view_is_empty(text);
  const char *type = NULL;
  switch (letter) {
    case IREE_VM_CCONV_TYPE_I32:
      type = "i32";
      *out_value = iree_vm_value_make_i32(0);
      is_ok = is_zero || iree_string_view_atoi_int32_base(text, 0, &out_value->i32);
      break;
    case IREE_VM_CCONV_TYPE_I64:
      type = "i64";
      *out_value = iree_vm_value_make_i64(0);
      is_ok = is_zero || iree_string_view_atoi_int64_base(text, 0, &out_value->i64);
      break;
    case IREE_VM_CCONV_TYPE_F32:
      type = "f32";
      *out_value = iree_vm_value_make_f32(0);
      is_ok = is_zero || iree_string_view_atof(text, &out_value->f32);
      break;
    case IREE_VM_CCONV_TYPE_F64:
      type = "f64";
      *out_value = iree_vm_value_make_f64(0);
      is_ok = is_zero || iree_string_view_atod(text, &out_value->f64);
      break;
    default:
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                              "values of calling convention type `%c` cannot be given as text",
                              letter);
  }
  if (is_ok) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "parsing value `%.*s` as %s",
                          (int)text.size, text.data, type);
}

static iree_status_t push_scalar(parse_state_t *state, char letter, iree_string_view_t text) {
  iree_vm_value_t value;
  IREE_RETURN_IF_ERROR(parse_scalar(letter, text, &value));
  return iree_vm_list_push_value(state->list, &value);
}

static iree_status_t push_null(parse_state_t *state) {
  char letter = 0;
  IREE_RETURN_IF_ERROR(take_cconv(state, &letter));
  if (letter != IREE_VM_CCONV_TYPE_REF) return push_scalar(state, letter, iree_string_view_empty());
  iree_vm_ref_t null_ref = iree_vm_ref_null();
  return iree_vm_list_push_ref_move(state->list, &null_ref);
}

//===-- files --------------------------------------------------------------------------------===//

// Finds or opens |path|; |rewinds| starts at its first byte again.
static iree_status_t use_file(parse_state_t *state, iree_string_view_t path, bool rewinds,
                              open_file_t **out_file) {
  *out_file = NULL;
  for (open_file_t *file = state->files; file; file = file->next) {
    if (!iree_string_view_equal(file->path, path)) continue;
    if (rewinds) file->position = 0;
    *out_file = file;
    return iree_ok_status();
  }
  open_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(state->target->host_allocator, sizeof(*file), (void **)&file));
  iree_status_t status = file_contents_map(path, state->target->host_allocator, &file->contents);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(state->target->host_allocator, file);
    return status;
  }
  file->path = path;
  file->next = state->files;
  state->files = file;
  *out_file = file;
  return iree_ok_status();
}

static void close_files(parse_state_t *state) {
  while (state->files) {
    open_file_t *file = state->files;
    state->files = file->next;
    file_contents_release(&file->contents);
    iree_allocator_free(state->target->host_allocator, file);
  }
}

static iree_const_byte_span_t file_rest(const open_file_t *file) {
  return iree_make_const_byte_span(file->contents.data.data + file->position,
                                   file->contents.data.data_length - file->position);
}

static iree_hal_buffer_params_t input_buffer_params(void) {
  return (iree_hal_buffer_params_t){.usage = IREE_HAL_BUFFER_USAGE_DEFAULT,
                                    .access = IREE_HAL_MEMORY_ACCESS_ALL,
                                    .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
}

//===-- tensors ------------------------------------------------------------------------------===//

static iree_status_t read_raw_bytes(iree_hal_buffer_mapping_t *mapping, void *user_data) {
  open_file_t *file = (open_file_t *)user_data;
  const iree_const_byte_span_t rest = file_rest(file);
  const iree_host_size_t length = mapping->contents.data_length;
  if (length > rest.data_length) {
    return iree_make_status(
        IREE_STATUS_OUT_OF_RANGE, "file '%.*s' has %zu bytes left, the tensor needs %zu",
        (int)file->path.size, file->path.data, (size_t)rest.data_length, (size_t)length);
  }
  if (length) memcpy(mapping->contents.data, rest.data, length);
  file->position += length;
  return iree_ok_status();
}

// `TYPE=@f.bin`, `TYPE=+f.bin`
static iree_status_t parse_raw_tensor(parse_state_t *state, iree_string_view_t type,
                                      iree_string_view_t source,
                                      iree_hal_buffer_view_t **out_view) {
  iree_hal_dim_t shape[IREE_HAL_BUFFER_VIEW_MAX_RANK];
  iree_host_size_t rank = 0;
  iree_hal_element_type_t element_type = IREE_HAL_ELEMENT_TYPE_NONE;
  IREE_RETURN_IF_ERROR(iree_hal_parse_shape_and_element_type(type, IREE_ARRAYSIZE(shape), &rank,
                                                             shape, &element_type));
  open_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(
      use_file(state, iree_string_view_remove_prefix(source, 1), source.data[0] == '@', &file));
  return iree_hal_buffer_view_generate_buffer(
      state->target->device, state->target->allocator, rank, shape, element_type,
      IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, input_buffer_params(), read_raw_bytes, file,
      out_view);
}

static iree_status_t parse_tensor(parse_state_t *state, iree_string_view_t text,
                                  iree_hal_buffer_view_t **out_view) {
  iree_string_view_t type, contents;
  const bool has_contents = iree_string_view_split(text, '=', &type, &contents) != -1;
  if (has_contents && contents.size && (contents.data[0] == '@' || contents.data[0] == '+')) {
    return parse_raw_tensor(state, type, contents, out_view);
  }
  // Catches the scalar that was meant for another place.
  if (!has_contents && iree_string_view_find_char(text, 'x', 0) == IREE_STRING_VIEW_NPOS) {
    return iree_make_status(
        IREE_STATUS_INVALID_ARGUMENT,
        "invalid tensor specification, requires at least a shape/type (`4x2xf32=...`)");
  }
  return iree_hal_buffer_view_parse(text, state->target->device, state->target->allocator,
                                    out_view);
}

static iree_status_t push_tensor(parse_state_t *state, iree_string_view_t text) {
  IREE_RETURN_IF_ERROR(take_reference(state));
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(parse_tensor(state, text, &view));
  iree_vm_ref_t ref = iree_hal_buffer_view_move_ref(view);
  iree_status_t status = iree_vm_list_push_ref_move(state->list, &ref);
  iree_vm_ref_release(&ref);
  return status;
}

static iree_status_t push_storage(parse_state_t *state, iree_string_view_t text) {
  IREE_RETURN_IF_ERROR(take_reference(state));
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(parse_tensor(state, text, &view));
  iree_vm_ref_t ref = iree_hal_buffer_retain_ref(iree_hal_buffer_view_buffer(view));
  iree_hal_buffer_view_release(view);
  iree_status_t status = iree_vm_list_push_ref_move(state->list, &ref);
  iree_vm_ref_release(&ref);
  return status;
}

//===-- npy ----------------------------------------------------------------------------------===//

static iree_status_t read_npy_elements(iree_hal_buffer_mapping_t *mapping, void *user_data) {
  return npy_copy_elements((const npy_array_t *)user_data, mapping->contents);
}

static iree_status_t push_npy_array(parse_state_t *state, open_file_t *file) {
  IREE_RETURN_IF_ERROR(take_reference(state));
  npy_array_t array;
  IREE_RETURN_IF_ERROR(npy_parse(file_rest(file), &array));
  file->position += array.stored_length;
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_generate_buffer(
      state->target->device, state->target->allocator, array.rank, array.shape, array.element_type,
      IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, input_buffer_params(), read_npy_elements, &array,
      &view));
  iree_vm_ref_t ref = iree_hal_buffer_view_move_ref(view);
  iree_status_t status = iree_vm_list_push_ref_move(state->list, &ref);
  iree_vm_ref_release(&ref);
  return status;
}

static iree_status_t push_npy(parse_state_t *state, iree_string_view_t text) {
  const char mode = text.data[0];
  const iree_string_view_t path = iree_string_view_remove_prefix(text, 1);
  const bool is_stdin = iree_string_view_equal(path, IREE_SV("-"));
  if (!is_stdin && !iree_string_view_ends_with(path, IREE_SV(".npy"))) {
    return iree_make_status(
        IREE_STATUS_UNIMPLEMENTED,
        "only .npy files say their own shape and type; for raw bytes give both: `4xf32=@%.*s`",
        (int)path.size, path.data);
  }
  open_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(use_file(state, path, mode == '@', &file));
  if (mode != '*') return push_npy_array(state, file);
  while (file_rest(file).data_length) IREE_RETURN_IF_ERROR(push_npy_array(state, file));
  return iree_ok_status();
}

//===-- lists --------------------------------------------------------------------------------===//

static iree_status_t push_spec(parse_state_t *state, iree_string_view_t text) {
  if (iree_string_view_is_empty(text)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "no value specified for input");
  }
  if (iree_string_view_equal(text, IREE_SV("(null)")) ||
      iree_string_view_equal(text, IREE_SV("(ignored)"))) {
    return push_null(state);
  }
  if (text.data[0] == '@' || text.data[0] == '+' || text.data[0] == '*') {
    // `+1` is a number and `*8` an element type where the convention or an equals sign says so.
    const bool is_scalar = text.data[0] == '+' && state->cconv.size && state->cconv.data[0] != 'r';
    const bool is_opaque =
        text.data[0] == '*' && iree_string_view_find_char(text, '=', 0) != IREE_STRING_VIEW_NPOS;
    if (!is_scalar && !is_opaque) return push_npy(state, text);
  }
  if (iree_string_view_consume_prefix(&text, IREE_SV("&"))) return push_storage(state, text);
  if (state->cconv.size && state->cconv.data[0] != IREE_VM_CCONV_TYPE_REF) {
    char letter = 0;
    IREE_RETURN_IF_ERROR(take_cconv(state, &letter));
    return push_scalar(state, letter, text);
  }
  return push_tensor(state, text);
}

iree_status_t value_parse_list(iree_string_view_t cconv, iree_string_view_list_t specs,
                               const value_target_t *target, iree_vm_list_t **out_list) {
  *out_list = NULL;
  parse_state_t state = {.target = target, .cconv = cconv};
  IREE_RETURN_IF_ERROR(iree_vm_list_create(iree_vm_make_undefined_type_def(), specs.count,
                                           target->host_allocator, &state.list));
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < specs.count && iree_status_is_ok(status); ++i) {
    const iree_string_view_t text = iree_string_view_trim(specs.values[i]);
    // Contents can be long; the start of the text is enough to find it.
    const int shown = text.size > 64 ? 64 : (int)text.size;
    status = iree_status_annotate_f(push_spec(&state, text), "parsing input `%.*s%s`", shown,
                                    text.data, text.size > 64 ? "..." : "");
  }
  close_files(&state);
  if (iree_status_is_ok(status)) {
    *out_list = state.list;
  } else {
    iree_vm_list_release(state.list);
  }
  return status;
}
