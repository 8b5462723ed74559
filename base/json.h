// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON text: what every writer of JSON needs once.
#ifndef BASE_JSON_H_
#define BASE_JSON_H_

#include "iree/base/api.h"

// Appends |text| as a string with its quotes. Bytes that are no UTF-8 become U+FFFD, so that the
// result is always valid JSON, whatever file a name came from.
//   errors: RESOURCE_EXHAUSTED
iree_status_t json_append_string(iree_string_view_t text, iree_string_builder_t *builder);

#endif  // BASE_JSON_H_
