// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page: its parts (page/page.html, .css, .js) are put into page_text.h when this is built, and the
// analysis as JSON into the place for it.
#include <string.h>

#include "tooling/inspect/inspect.h"
#include "tooling/inspect/page_text.h"

// Appends |html| up to |marker| and moves behind it.
static iree_status_t append_until(iree_string_view_t *html, const char *marker, iree_string_builder_t *builder) {
  iree_host_size_t at = iree_string_view_find_first_of(*html, IREE_SV("/"), 0), n = strlen(marker);
  while (at != IREE_STRING_VIEW_NPOS && !iree_string_view_starts_with(iree_string_view_substr(*html, at, n), iree_make_cstring_view(marker)))
    at = iree_string_view_find_first_of(*html, IREE_SV("/"), at + 1);
  IREE_ASSERT(at != IREE_STRING_VIEW_NPOS);
  IREE_RETURN_IF_ERROR(iree_string_builder_append_string(builder, iree_string_view_substr(*html, 0, at)));
  *html = iree_string_view_substr(*html, at + n, IREE_HOST_SIZE_MAX);
  return iree_ok_status();
}

iree_status_t inspect_append_page(const inspect_t *self, iree_string_view_t source,
                                  iree_string_builder_t *builder) {
  iree_string_view_t html = iree_make_string_view((const char *)k_page_html, sizeof(k_page_html));
  IREE_RETURN_IF_ERROR(append_until(&html, "/*STYLE*/", builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_string(builder, iree_make_string_view((const char *)k_page_css, sizeof(k_page_css))));
  IREE_RETURN_IF_ERROR(append_until(&html, "/*DATA*/", builder));
  IREE_RETURN_IF_ERROR(inspect_append_json(self, source, builder));
  IREE_RETURN_IF_ERROR(append_until(&html, "/*SCRIPT*/", builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_string(builder, iree_make_string_view((const char *)k_page_js, sizeof(k_page_js))));
  return iree_string_builder_append_string(builder, html);
}
