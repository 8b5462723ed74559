// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the rewrite that breaks a program. Rewrites that could be left out are counted as they are
// asked for (ir_may_rewrite); --opt-bisect-limit=N does only the first N of them.
#ifndef COMPILER_BISECT_H_
#define COMPILER_BISECT_H_

#include "compiler/pass.h"

// Makes the context of |pass| ask, if the options want rewrites counted or limited.
void bisect_install(pass_t *pass);

// Finds the least N for which |is_good|(N) is false, given that it holds for 0 and not for |count|.
typedef iree_status_t (*bisect_check_fn_t)(void *self, int64_t limit, bool *out_is_good);
iree_status_t bisect_search(int64_t count, bisect_check_fn_t check, void *self, int64_t *out_first_bad);

#endif  // COMPILER_BISECT_H_
