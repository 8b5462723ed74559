// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the packed arguments of an older form to those of today's: first the places of the old
// arguments, then the new ones one by one into an area on this stack.
#include "runtime/modules/hal/older.h"

#include "runtime/vm/cconv.h"

#define MAX_ARGUMENTS 16
#define MAX_AREA_BYTES ((iree_host_size_t)64 << 10)

// One argument where it lies packed: a plain one, or a group's members from the first tuple on.
typedef struct argument_t {
  char letter;  // 'C': a group
  uint32_t count;
  iree_host_size_t alignment;
  iree_host_size_t bytes;
  const uint8_t *data;
} argument_t;

static iree_string_view_t argument_letters(uint16_t ordinal) {
  iree_string_view_t cconv = hal_module_descriptor.exports[ordinal].calling_convention;
  iree_host_size_t end = iree_string_view_find_char(cconv, '_', 0);
  return iree_string_view_substr(cconv, 1, end - 1);
}

static iree_status_t locate_group(iree_byte_span_t area, iree_string_view_t group,
                                  iree_host_size_t *inout_offset, argument_t *out_argument) {
  iree_host_size_t offset = iree_host_align(*inout_offset, 4);
  argument_t argument = {.letter = 'C', .alignment = cconv_group_alignment(group)};
  if (!iree_range_is_within(offset, 4, area.data_length)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "arguments are cut off");
  }
  memcpy(&argument.count, area.data + offset, sizeof(argument.count));
  offset += 4;
  if (argument.count) offset = iree_host_align(offset, argument.alignment);
  argument.data = area.data + offset;
  for (uint32_t t = 0; t < argument.count && offset <= area.data_length; ++t) {
    for (iree_host_size_t k = 0; k < group.size; ++k) {
      offset = iree_host_align(offset, cconv_alignment(group.data[k])) + cconv_size(group.data[k]);
    }
  }
  if (offset > area.data_length) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "arguments are cut off");
  }
  argument.bytes = (iree_host_size_t)(area.data + offset - argument.data);
  *inout_offset = offset;
  *out_argument = argument;
  return iree_ok_status();
}

static iree_status_t locate_arguments(iree_byte_span_t area, iree_string_view_t letters,
                                      argument_t arguments[MAX_ARGUMENTS]) {
  iree_host_size_t offset = 0, count = 0;
  for (iree_host_size_t i = 0; i < letters.size; ++count) {
    char letter = letters.data[i];
    IREE_ASSERT(count < MAX_ARGUMENTS);
    if (letter == IREE_VM_CCONV_TYPE_SPAN_START) {
      iree_string_view_t group = cconv_take_group(letters, &i);
      IREE_RETURN_IF_ERROR(locate_group(area, group, &offset, &arguments[count]));
      continue;
    }
    offset = iree_host_align(offset, cconv_alignment(letter));
    if (!iree_range_is_within(offset, cconv_size(letter), area.data_length)) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "arguments are cut off");
    }
    arguments[count] =
        (argument_t){letter, 1, cconv_alignment(letter), cconv_size(letter), area.data + offset};
    offset += cconv_size(letter);
    ++i;
  }
  return iree_ok_status();
}

// Appends a plain argument of today's form; the area is zero where nothing was written.
static iree_status_t append_plain(const argument_t *argument, char letter, uint8_t *area,
                                  iree_host_size_t *inout_offset) {
  iree_host_size_t offset = iree_host_align(*inout_offset, cconv_alignment(letter));
  *inout_offset = offset + cconv_size(letter);
  if (argument->letter == 'C' && argument->count > 1) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "%u command buffers in one submission of a module of release 3.3 or "
                            "before; recompile the module",
                            argument->count);
  }
  if (argument->count) {
    memcpy(area + offset, argument->data, iree_min(argument->bytes, cconv_size(letter)));
  }
  return iree_ok_status();
}

static void append_group(const argument_t *argument, uint8_t *area,
                         iree_host_size_t *inout_offset) {
  iree_host_size_t offset = iree_host_align(*inout_offset, 4);
  memcpy(area + offset, &argument->count, sizeof(argument->count));
  offset += 4;
  if (argument->count) {
    offset = iree_host_align(offset, argument->alignment);
    memcpy(area + offset, argument->data, argument->bytes);
    offset += argument->bytes;
  }
  *inout_offset = offset;
}

static iree_status_t arrange(const char *recipe, const argument_t *arguments,
                             iree_string_view_t letters, uint8_t *area,
                             iree_host_size_t *out_bytes) {
  static const int64_t zero = 0, minus_one = -1;
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < letters.size; ++recipe) {
    argument_t constant = {.count = 1, .bytes = 8};
    constant.data = (const uint8_t *)(*recipe == '-' ? &minus_one : &zero);
    const argument_t *argument =
        *recipe == '-' || *recipe == '0' ? &constant : &arguments[*recipe - 'a'];
    char letter = letters.data[i];
    if (letter == IREE_VM_CCONV_TYPE_SPAN_START) {
      (void)cconv_take_group(letters, &i);
      append_group(argument, area, &offset);
    } else {
      IREE_RETURN_IF_ERROR(append_plain(argument, letter, area, &offset));
      ++i;
    }
  }
  *out_bytes = iree_host_align(offset, CCONV_AREA_ALIGNMENT);
  return iree_ok_status();
}

iree_status_t hal_call_older_form(iree_vm_stack_t *stack, iree_vm_native_function_flags_t flags,
                                  iree_byte_span_t args_storage, iree_byte_span_t rets_storage,
                                  iree_vm_native_function_target_t target_fn, void *module,
                                  void *module_state) {
  const hal_older_form_t *form = (const hal_older_form_t *)(const void *)target_fn;
  const iree_vm_native_function_ptr_t *current = &hal_module_descriptor.functions[form->current];
  if (flags == IREE_VM_NATIVE_FUNCTION_CALL_RESUME) {  // without arguments
    return current->shim(stack, flags, args_storage, rets_storage, current->target, module,
                         module_state);
  }
  argument_t arguments[MAX_ARGUMENTS];
  IREE_RETURN_IF_ERROR(locate_arguments(args_storage, argument_letters(form->ordinal), arguments));
  iree_string_view_t letters = argument_letters(form->current);
  // Widened and added arguments, and padding anew.
  iree_host_size_t capacity = args_storage.data_length + 16 * (letters.size + 1);
  if (capacity > MAX_AREA_BYTES) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "%" PRIhsz " bytes of arguments exceed what is supported",
                            args_storage.data_length);
  }
  uint8_t *area = (uint8_t *)__builtin_alloca(capacity + 16);
  area = (uint8_t *)iree_host_align((uintptr_t)area, 16);
  memset(area, 0, capacity);
  iree_host_size_t bytes = 0;
  IREE_RETURN_IF_ERROR(arrange(form->recipe, arguments, letters, area, &bytes));
  return current->shim(stack, flags, iree_make_byte_span(area, bytes), rets_storage,
                       current->target, module, module_state);
}
