// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flag files over the tables of the runtime tools; what is accepted has to print as help and be
// accepted again.
#include <stdlib.h>
#include <string.h>

#include "tooling/benchmark.h"
#include "tooling/call.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct values_t {
  program_flags_t program;
  device_flags_t device;
  call_flags_t call;
  result_flags_t result;
  compare_flags_t compare;
  benchmark_flags_t benchmark;
} values_t;

static iree_status_t parse(iree_string_view_t text, iree_string_builder_t *help) {
  values_t values;
  const flag_binding_t bindings[] = {
      {&program_flag_group, &values.program}, {&device_flag_group, &values.device},
      {&call_flag_group, &values.call},       {&result_flag_group, &values.result},
      {&compare_flag_group, &values.compare}, {&benchmark_flag_group, &values.benchmark},
  };
  flags_t flags;
  IREE_CHECK_OK(flags_init(bindings, IREE_ARRAYSIZE(bindings), FLAG_STYLE_GNU,
                           iree_allocator_system(), &flags));
  iree_status_t status = flags_parse_text(&flags, text, IREE_SV("fuzz"));
  if (iree_status_is_ok(status)) status = flags_append_help(&flags, "tool", "Does things.", help);
  flags_deinit(&flags);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const iree_string_view_t text = iree_make_string_view((const char *)data, size);
  // Flag files name files: not to be opened here.
  if (size >= 8 && memmem(data, size, "flagfile", 8)) return 0;
  iree_string_builder_t help;
  iree_string_builder_initialize(iree_allocator_system(), &help);
  iree_status_t status = parse(text, &help);
  // A NUL ends what printf writes, and a comma list is printed item by item: only clean text reads
  // back.
  const bool is_clean = !size || !memchr(data, 0, size);
  if (iree_status_is_ok(status) && is_clean) {
    iree_string_builder_t again;
    iree_string_builder_initialize(iree_allocator_system(), &again);
    IREE_CHECK_OK(parse(iree_string_builder_view(&help), &again));
    iree_string_builder_deinitialize(&again);
  }
  iree_status_ignore(status);
  iree_string_builder_deinitialize(&help);
  return 0;
}
