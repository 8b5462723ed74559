// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of upstream's compiler that this one knows but does not have. Giving one anything but upstream's
// default is an error that says why, or a warning if it only tunes; what is no flag of either gets a suggestion instead.
#ifndef COMPILER_ABSENT_H_
#define COMPILER_ABSENT_H_

#include "base/flags.h"

extern const flag_group_t compile_absent_flag_group;  // bound without values

#endif  // COMPILER_ABSENT_H_
