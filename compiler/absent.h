// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of upstream's compiler that this one knows but does not have. Giving one is an error that says
// why; what is no flag of either gets a suggestion instead.
#ifndef COMPILER_ABSENT_H_
#define COMPILER_ABSENT_H_

#include "base/flags.h"

extern const flag_group_t compile_absent_flag_group;  // bound without values

#endif  // COMPILER_ABSENT_H_
