// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "iree/base/threading/numa.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// Counts the nodes of a list of ranges: "0", "0-1", "0,2-3".
static iree_host_size_t count_ranges(iree_string_view_t text) {
  iree_host_size_t count = 0;
  text = iree_string_view_trim(text);
  while (!iree_string_view_is_empty(text)) {
    iree_string_view_t range, first, last;
    uint32_t from = 0, to = 0;
    if (iree_string_view_split(text, ',', &range, &text) == -1) text = iree_string_view_empty();
    const bool has_end = iree_string_view_split(range, '-', &first, &last) != -1;
    if (!iree_string_view_atoi_uint32(has_end ? first : range, &from)) return 0;
    to = from;
    if (has_end && (!iree_string_view_atoi_uint32(last, &to) || to < from)) return 0;
    count += to - from + 1;
  }
  return count;
}

iree_host_size_t iree_numa_node_count(void) {
  char text[256];
  FILE *file = fopen("/sys/devices/system/node/online", "r");
  size_t size = file ? fread(text, 1, sizeof(text), file) : 0;
  if (file) fclose(file);
  iree_host_size_t count = size < sizeof(text) ? count_ranges(iree_make_string_view(text, size)) : 0;
  return count ? count : 1;
}

iree_numa_node_id_t iree_numa_node_for_current_thread(void) {
  unsigned processor = 0, node = 0;
  return syscall(SYS_getcpu, &processor, &node, NULL) == 0 ? node : 0;
}
