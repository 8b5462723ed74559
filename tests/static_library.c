// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked with the object of `simple_mul`: asks the library for its kernels and runs the only one.
#include <stdio.h>
#include <string.h>

#include "simple_mul.h"

int main(void) {
  iree_hal_executable_environment_v0_t environment;
  memset(&environment, 0, sizeof(environment));
  if (simple_mul_dispatch_0_library_query(IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST + 1, &environment)) return 1;
  const iree_hal_executable_library_v0_t *library =
      (const iree_hal_executable_library_v0_t *)simple_mul_dispatch_0_library_query(
          IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST, &environment);
  if (!library || library->exports.count != 1) return 2;
  float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4] = {0};
  void *bindings[3] = {a, b, c};
  size_t lengths[3] = {sizeof a, sizeof b, sizeof c};
  iree_hal_executable_dispatch_state_v0_t dispatch;
  memset(&dispatch, 0, sizeof(dispatch));
  dispatch.workgroup_size_x = dispatch.workgroup_count_x = 1;
  dispatch.workgroup_size_y = dispatch.workgroup_count_y = 1;
  dispatch.workgroup_size_z = dispatch.workgroup_count_z = 1;
  dispatch.binding_count = 3;
  dispatch.binding_ptrs = bindings;
  dispatch.binding_lengths = lengths;
  iree_hal_executable_workgroup_state_v0_t workgroup;
  memset(&workgroup, 0, sizeof(workgroup));
  if (library->exports.ptrs[0](&environment, &dispatch, &workgroup)) return 3;
  printf("%s: %g %g %g %g\n", library->header->name, c[0], c[1], c[2], c[3]);
  return 0;
}
