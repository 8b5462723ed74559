// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the members of a packed area lie, worked out once per import instead of on each call.
//
//   "rIrrrICrIID": [head: r I r r r I][count][element: r I I][element] ...
//
// A plan covers a fragment with at most one group, at its end, whose elements lie at even
// distances. That is what nearly all imports have; the others are walked letter by letter.
#ifndef RUNTIME_VM_BYTECODE_MARSHAL_H_
#define RUNTIME_VM_BYTECODE_MARSHAL_H_

#include "runtime/vm/cconv.h"

#define MARSHAL_MAX_MEMBERS 15

typedef enum marshal_kind_e { MARSHAL_32, MARSHAL_64, MARSHAL_REF } marshal_kind_t;

typedef struct marshal_member_t {
  uint16_t offset;  // in the area; of a group's member in its element
  uint16_t kind;
} marshal_member_t;

typedef struct marshal_plan_t {
  bool is_valid;        // else the fragment is to be walked
  uint8_t head_count;   // members before the group
  uint8_t group_count;  // members of an element; 0: no group
  uint16_t head_bytes;  // the area without a group, padded; with one, where its count is
  uint16_t group_begin;
  uint16_t group_stride;
  marshal_member_t members[MARSHAL_MAX_MEMBERS];  // of the head, then of an element
} marshal_plan_t;

// The plan of a valid fragment.
marshal_plan_t marshal_plan(iree_string_view_t fragment);

#endif  // RUNTIME_VM_BYTECODE_MARSHAL_H_
