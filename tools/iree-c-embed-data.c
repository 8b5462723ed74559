// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-c-embed-data: files as C arrays, so that a program can carry its modules inside.
//
//   iree-c-embed-data --identifier=models --output_header=models.h --output_impl=models.c add.vmfb
//
// The header declares `models_create()`, a table of iree_file_toc_t {name, data, size} that ends in
// a null row, and `models_size()`, its length. Data is aligned to 64 bytes, as modules want it, and
// a zero byte follows it.

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "tooling/cli.h"

typedef struct embed_flags_t {
  iree_string_view_t identifier;
  iree_string_view_t output_header;
  iree_string_view_t output_impl;
  iree_string_view_t strip_prefix;
  bool flatten;
} embed_flags_t;

static const flag_t k_embed_flags[] = {
    FLAG_STRING(embed_flags_t, identifier, "identifier", "resources",
                "Prefix of the two functions that the header declares."),
    FLAG_STRING(embed_flags_t, output_header, "output_header", "", "Header file to write."),
    FLAG_STRING(embed_flags_t, output_impl, "output_impl", "", "Source file to write."),
    FLAG_STRING(embed_flags_t, strip_prefix, "strip_prefix", "",
                "Start of the files' paths that their names leave out."),
    FLAG_BOOL(embed_flags_t, flatten, "flatten", "false", "Names are without folders."),
};
static const flag_group_t k_embed_group = FLAG_GROUP("iree-c-embed-data", k_embed_flags);

typedef struct tool_t {
  embed_flags_t flags;
  iree_string_builder_t text;
} tool_t;

// C compilers take a while for arrays; larger files are better loaded at run time.
#define MAX_FILE_BYTES 100000000
#define BYTES_PER_LINE 64

#define APPEND(text, ...) IREE_RETURN_IF_ERROR(iree_string_builder_append_format(text, __VA_ARGS__))

static const char k_toc[] =
    "#ifndef IREE_FILE_TOC\n"
    "#define IREE_FILE_TOC\n"
    "// One embedded file.\n"
    "typedef struct iree_file_toc_t {\n"
    "  const char* name;\n"
    "  const char* data;\n"
    "  size_t size;\n"
    "} iree_file_toc_t;\n"
    "#endif  // IREE_FILE_TOC\n\n";
static const char k_extern_c_begin[] = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
static const char k_extern_c_end[] = "#ifdef __cplusplus\n}\n#endif\n";
static const char k_alignment[] =
    "#ifndef IREE_DATA_ALIGNAS_PTR\n"
    "#if defined(_MSC_VER)\n"
    "#define IREE_DATA_ALIGNAS_PTR __declspec(align(64))\n"
    "#elif defined(__cplusplus)\n"
    "#define IREE_DATA_ALIGNAS_PTR alignas(64)\n"
    "#else\n"
    "#define IREE_DATA_ALIGNAS_PTR _Alignas(64)\n"
    "#endif\n"
    "#endif  // IREE_DATA_ALIGNAS_PTR\n\n";

static iree_status_t append_header(const embed_flags_t *flags, iree_host_size_t file_count,
                                   iree_string_builder_t *text) {
  APPEND(text, "#pragma once\n#include <stddef.h>\n\n%s%s", k_toc, k_extern_c_begin);
  APPEND(text, "const iree_file_toc_t* %.*s_create(void);\n", IREE_SV_ARGS(flags->identifier));
  APPEND(text, "static inline size_t %.*s_size(void) {\n  return %" PRIhsz ";\n}\n",
         IREE_SV_ARGS(flags->identifier), file_count);
  return iree_string_builder_append_cstring(text, k_extern_c_end);
}

// The name under which a file is listed.
static iree_string_view_t listed_name(const embed_flags_t *flags, iree_string_view_t path) {
  iree_string_view_consume_prefix(&path, flags->strip_prefix);
  if (!flags->flatten) return path;
  for (iree_host_size_t i = path.size; i-- > 0;) {
    if (path.data[i] == '/' || path.data[i] == '\\') {
      return iree_string_view_remove_prefix(path, i + 1);
    }
  }
  return path;
}

// Octal escapes end after three digits, whatever follows.
static iree_status_t append_quoted(iree_string_view_t name, iree_string_builder_t *text) {
  for (iree_host_size_t i = 0; i < name.size; ++i) {
    const unsigned char c = (unsigned char)name.data[i];
    if (!isprint(c) || c == '"' || c == '\\' || c == '?') {
      APPEND(text, "\\%03o", c);
    } else {
      APPEND(text, "%c", c);
    }
  }
  return iree_ok_status();
}

static iree_status_t append_bytes(iree_const_byte_span_t data, iree_string_builder_t *text) {
  for (iree_host_size_t i = 0; i < data.data_length; i += BYTES_PER_LINE) {
    char line[4 * BYTES_PER_LINE + 2], *head = line;
    const iree_host_size_t end = iree_min(i + BYTES_PER_LINE, data.data_length);
    for (iree_host_size_t j = i; j < end; ++j) {
      const unsigned byte = data.data[j];
      if (byte >= 100) *head++ = (char)('0' + byte / 100);
      if (byte >= 10) *head++ = (char)('0' + byte / 10 % 10);
      *head++ = (char)('0' + byte % 10);
      *head++ = ',';
    }
    *head++ = '\n';
    IREE_RETURN_IF_ERROR(iree_string_builder_append_string(
        text, iree_make_string_view(line, (iree_host_size_t)(head - line))));
  }
  return iree_ok_status();
}

static iree_status_t append_file(iree_string_view_t path, iree_host_size_t index,
                                 iree_string_builder_t *text) {
  file_contents_t file = {0};
  IREE_RETURN_IF_ERROR(file_contents_map(path, iree_allocator_system(), &file));
  iree_status_t status = iree_ok_status();
  if (file.data.data_length > MAX_FILE_BYTES) {
    status = iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "'%.*s' has %" PRIhsz " bytes; C arrays of more than %d take "
                              "compilers too long, load the file at run time instead",
                              IREE_SV_ARGS(path), file.data.data_length, MAX_FILE_BYTES);
  }
  if (iree_status_is_ok(status)) {
    status = iree_string_builder_append_format(
        text, "IREE_DATA_ALIGNAS_PTR static const unsigned char file_%" PRIhsz "[] = {\n", index);
  }
  if (iree_status_is_ok(status)) status = append_bytes(file.data, text);
  if (iree_status_is_ok(status)) status = iree_string_builder_append_cstring(text, "0,\n};\n");
  file_contents_release(&file);
  return status;
}

static iree_status_t append_source(const embed_flags_t *flags, const flag_list_t *files,
                                   iree_string_builder_t *text) {
  APPEND(text, "#include <stddef.h>\n\n%s%s", k_alignment, k_toc);
  for (iree_host_size_t i = 0; i < files->count; ++i) {
    IREE_RETURN_IF_ERROR(append_file(files->values[i], i, text));
  }
  APPEND(text, "static const iree_file_toc_t toc[] = {\n");
  for (iree_host_size_t i = 0; i < files->count; ++i) {
    APPEND(text, "    {\"");
    IREE_RETURN_IF_ERROR(append_quoted(listed_name(flags, files->values[i]), text));
    APPEND(text, "\", (const char*)file_%" PRIhsz ", sizeof(file_%" PRIhsz ") - 1},\n", i, i);
  }
  APPEND(text, "    {NULL, NULL, 0},\n};\n\n%s", k_extern_c_begin);
  APPEND(text, "const iree_file_toc_t* %.*s_create(void);\n", IREE_SV_ARGS(flags->identifier));
  APPEND(text, "const iree_file_toc_t* %.*s_create(void) { return toc; }\n",
         IREE_SV_ARGS(flags->identifier));
  return iree_string_builder_append_cstring(text, k_extern_c_end);
}

static bool is_identifier(iree_string_view_t name) {
  for (iree_host_size_t i = 0; i < name.size; ++i) {
    const unsigned char c = (unsigned char)name.data[i];
    if (c != '_' && !isalpha(c) && !(i > 0 && isdigit(c))) return false;
  }
  return name.size > 0;
}

static iree_status_t write_text(iree_string_view_t path, iree_string_builder_t *text) {
  const iree_string_view_t view = iree_string_builder_view(text);
  const iree_const_byte_span_t part = iree_make_const_byte_span(view.data, view.size);
  return file_write(path, false, &part, 1);
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const embed_flags_t *flags = &tool->flags;
  bool is_done = false;
  IREE_RETURN_IF_ERROR(flags_parse(parser, argc, argv));
  IREE_RETURN_IF_ERROR(cli_answer(parser, "iree-c-embed-data",
                                  "Writes files as C arrays with a table of contents.\n"
                                  "$ iree-c-embed-data --output_header=h --output_impl=c file...",
                                  &tool->text, &is_done));
  if (is_done) return cli_write(&tool->text, stdout);
  if (!is_identifier(flags->identifier)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag '--identifier' expects the name of a C function, not '%.*s'",
                            IREE_SV_ARGS(flags->identifier));
  }
  if (iree_string_view_is_empty(flags->output_header) &&
      iree_string_view_is_empty(flags->output_impl)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "nothing to write: give --output_header=, --output_impl= or both");
  }
  if (!iree_string_view_is_empty(flags->output_impl)) {
    IREE_RETURN_IF_ERROR(append_source(flags, &parser->positional, &tool->text));
    IREE_RETURN_IF_ERROR(write_text(flags->output_impl, &tool->text));
    iree_string_builder_reset(&tool->text);
  }
  if (iree_string_view_is_empty(flags->output_header)) return iree_ok_status();
  IREE_RETURN_IF_ERROR(append_header(flags, parser->positional.count, &tool->text));
  return write_text(flags->output_header, &tool->text);
}

int main(int argc, char **argv) {
  tool_t tool;
  const flag_binding_t bindings[] = {{&k_embed_group, &tool.flags}};
  const cli_tool_t cli = {bindings, 1, &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) ? 0 : 1;
}
