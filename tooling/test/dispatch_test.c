// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workgroup counts as text.
#include "tooling/dispatch.h"

#include "base/test.h"

TEST(counts) {
  uint32_t count[3] = {0};
  ASSERT_OK(dispatch_parse_workgroup_count(IREE_SV("1,20, 300"), count));
  EXPECT(count[0] == 1 && count[1] == 20 && count[2] == 300);
  ASSERT_OK(dispatch_parse_workgroup_count(IREE_SV("4294967295,0,0"), count));
  EXPECT(count[0] == UINT32_MAX && count[1] == 0 && count[2] == 0);
}

TEST(other_text) {
  static const char *const k_texts[] = {"",       "1",       "1,2",         "1,2,",  "1,2,3,4", ",,",
                                        "1,,3",   "-1,1,1",  "a,b,c",       "1;2;3", "1 2 3",   "1,2,3x",
                                        "1,2,3,", "0x1,1,1", "4294967296,1,1"};
  uint32_t count[3];
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_texts); ++i) {
    const iree_string_view_t text = iree_make_cstring_view(k_texts[i]);
    iree_status_t status = dispatch_parse_workgroup_count(text, count);
    EXPECT(iree_status_is_invalid_argument(status));
    iree_status_ignore(status);
  }
}

TEST_MAIN(CASE(counts) CASE(other_text))
