// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans against the rules of packing: where members lie, and which fragments have none.
#include "runtime/vm/bytecode/marshal.h"

#include "base/test.h"

static marshal_plan_t plan_of(const char *fragment) {
  return marshal_plan(iree_make_cstring_view(fragment));
}

TEST(members_are_aligned) {
  marshal_plan_t plan = plan_of("irIfF");
  static const uint16_t offsets[] = {0, 8, 24, 32, 40};
  static const uint16_t kinds[] = {MARSHAL_32, MARSHAL_REF, MARSHAL_64, MARSHAL_32, MARSHAL_64};
  EXPECT(plan.is_valid);
  ASSERT_EQ(plan.head_count, 5);
  EXPECT_EQ(plan.group_count, 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(plan.members[i].offset, offsets[i]);
    EXPECT_EQ(plan.members[i].kind, kinds[i]);
  }
  EXPECT_EQ(plan.head_bytes, cconv_area_size(IREE_SV("irIfF")));
}

TEST(nothing_is_a_plan) {
  marshal_plan_t plan = plan_of("");
  EXPECT(plan.is_valid);
  EXPECT_EQ(plan.head_count, 0);
  EXPECT_EQ(plan.head_bytes, 0);
}

TEST(groups_follow_their_count) {
  marshal_plan_t plan = plan_of("rIrrrICrIID");
  EXPECT(plan.is_valid);
  EXPECT_EQ(plan.head_count, 6);
  EXPECT_EQ(plan.head_bytes, 80);
  EXPECT_EQ(plan.group_count, 3);
  EXPECT_EQ(plan.group_begin, 88);
  EXPECT_EQ(plan.group_stride, 32);
  EXPECT_EQ(plan.members[8].offset, 24);
  plan = plan_of("iCiD");
  EXPECT_EQ(plan.head_bytes, 4);
  EXPECT_EQ(plan.group_begin, 8);
  EXPECT_EQ(plan.group_stride, 4);
}

TEST(uneven_fragments_are_walked) {
  EXPECT(!plan_of("CriD").is_valid);    // elements of 20 bytes, aligned to 8
  EXPECT(!plan_of("CiDCiD").is_valid);  // two groups
  EXPECT(!plan_of("CiDi").is_valid);    // not at the end
  EXPECT(!plan_of("iiiiiiiiiiiiiiii").is_valid);
  EXPECT(!plan_of("iiiiiiiiiiiiiiCiiD").is_valid);
  EXPECT(plan_of("iiiiiiiiiiiiiCiiD").is_valid);
}

TEST_MAIN(CASE(members_are_aligned) CASE(nothing_is_a_plan) CASE(groups_follow_their_count)
              CASE(uneven_fragments_are_walked))
