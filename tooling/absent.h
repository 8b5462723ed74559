// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of upstream's tools that this build knows but cannot honour: drivers it does not have, and
// facilities that are done in another way here. Their defaults are accepted, other values are an
// error that says why; so flag files written for upstream work as far as they can.

#ifndef TOOLING_ABSENT_H_
#define TOOLING_ABSENT_H_

#include "base/flags.h"

// Bound without values ({&absent_device_flag_group, NULL}).
extern const flag_group_t absent_device_flag_group;     // tools that create devices
extern const flag_group_t absent_program_flag_group;    // ... and load modules
extern const flag_group_t absent_benchmark_flag_group;  // iree-benchmark-module

#endif  // TOOLING_ABSENT_H_
