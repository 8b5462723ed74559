// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans: the walk of pack_arguments (dispatch.c), with the offsets noted down.
#include "runtime/vm/bytecode/marshal.h"

// Appends the members of |letters|, the first of them at |*inout_offset|; false when there is no
// room.
static bool add_members(iree_string_view_t letters, iree_host_size_t begin, marshal_plan_t *plan,
                        uint8_t *inout_count, iree_host_size_t *inout_offset) {
  for (iree_host_size_t i = 0; i < letters.size; ++i) {
    char letter = letters.data[i];
    if (begin + i == MARSHAL_MAX_MEMBERS) return false;
    *inout_offset = iree_host_align(*inout_offset, cconv_alignment(letter));
    marshal_member_t *member = &plan->members[begin + i];
    member->offset = (uint16_t)*inout_offset;
    member->kind = letter == IREE_VM_CCONV_TYPE_REF ? MARSHAL_REF
                   : cconv_is_wide(letter)          ? MARSHAL_64
                                                    : MARSHAL_32;
    *inout_offset += cconv_size(letter);
    ++*inout_count;
  }
  return true;
}

marshal_plan_t marshal_plan(iree_string_view_t fragment) {
  marshal_plan_t plan = {.is_valid = false};
  const marshal_plan_t none = plan;
  iree_host_size_t i = iree_string_view_find_char(fragment, IREE_VM_CCONV_TYPE_SPAN_START, 0);
  iree_string_view_t head = iree_string_view_substr(fragment, 0, i);
  iree_host_size_t offset = 0;
  if (!add_members(head, 0, &plan, &plan.head_count, &offset)) return none;
  plan.is_valid = true;
  if (i == IREE_STRING_VIEW_NPOS) {
    plan.head_bytes = (uint16_t)iree_host_align(offset, CCONV_AREA_ALIGNMENT);
    return plan;
  }
  iree_string_view_t group = cconv_take_group(fragment, &i);
  iree_host_size_t alignment = cconv_group_alignment(group), stride = 0;
  if (i != fragment.size) return none;
  plan.head_bytes = (uint16_t)iree_host_align(offset, 4);
  plan.group_begin = (uint16_t)iree_host_align(plan.head_bytes + 4, alignment);
  if (!add_members(group, plan.head_count, &plan, &plan.group_count, &stride)) return none;
  if (stride % alignment) return none;  // the second element would lie otherwise than the first
  plan.group_stride = (uint16_t)stride;
  return plan;
}
