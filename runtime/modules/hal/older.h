// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Older forms of functions (HAL_IMPORT_OLDER in abi/hal_imports.def): their arguments are arranged
// as the form of today takes them, which then runs. Files of earlier releases need nothing else;
// calls of today's forms do not come by here.
#ifndef RUNTIME_MODULES_HAL_OLDER_H_
#define RUNTIME_MODULES_HAL_OLDER_H_

#include "runtime/modules/hal/exports.h"

// How one older form becomes the form of today. The recipe has a letter for each argument of today:
//   a b c ...  that argument of the older form; i32 widens to i64 without sign, and a group of refs
//              with at most one member is that member
//   0 -        zero, minus one
typedef struct hal_older_form_t {
  uint16_t ordinal;  // of the older form
  uint16_t current;  // of today's
  const char *recipe;
} hal_older_form_t;

extern const iree_vm_native_module_descriptor_t hal_module_descriptor;

// The shim of all older forms; |target_fn| is a hal_older_form_t.
//   errors: INVALID_ARGUMENT  the arguments are cut off
//           UNIMPLEMENTED  a group that should have one member has more
//           and those of the function
iree_status_t hal_call_older_form(iree_vm_stack_t *stack, iree_vm_native_function_flags_t flags,
                                  iree_byte_span_t args_storage, iree_byte_span_t rets_storage,
                                  iree_vm_native_function_target_t target_fn, void *module,
                                  void *module_state);

#endif  // RUNTIME_MODULES_HAL_OLDER_H_
