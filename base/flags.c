// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flag parser (flags.h): find the row by name, parse the text by the row's type, store at the
// row's offset.

#include "base/flags.h"

#include <string.h>

#include "base/file.h"

// Flag files may name flag files; a cycle must end.
#define FLAG_FILE_DEPTH_LIMIT 16

struct flag_file_t {
  flag_file_t *next;
  file_contents_t contents;
};

//===-- lists --------------------------------------------------------------------------------===//

static iree_status_t flag_list_append(flag_list_t *list, iree_string_view_t value,
                                      iree_allocator_t allocator) {
  if (list->count == list->capacity) {
    const iree_host_size_t capacity = list->capacity ? list->capacity * 2 : 8;
    IREE_RETURN_IF_ERROR(iree_allocator_realloc(allocator, capacity * sizeof(list->values[0]),
                                                (void **)&list->values));
    list->capacity = capacity;
  }
  list->values[list->count++] = value;
  return iree_ok_status();
}

static void flag_list_clear(flag_list_t *list, iree_allocator_t allocator) {
  iree_allocator_free(allocator, list->values);
  memset(list, 0, sizeof(*list));
}

//===-- lookup -------------------------------------------------------------------------------===//

static void *flag_storage(const flag_binding_t *binding, const flag_t *flag) {
  return binding->values ? (uint8_t *)binding->values + flag->offset : NULL;
}

static const flag_t *flags_find(const flags_t *flags, iree_string_view_t name,
                                const flag_binding_t **out_binding) {
  for (iree_host_size_t i = 0; i < flags->binding_count; ++i) {
    const flag_group_t *group = flags->bindings[i].group;
    for (size_t j = 0; j < group->flag_count; ++j) {
      if (!iree_string_view_equal(name, iree_make_cstring_view(group->flags[j].name))) continue;
      *out_binding = &flags->bindings[i];
      return &group->flags[j];
    }
  }
  return NULL;
}

enum { EDIT_LENGTH_LIMIT = 96 };

// Levenshtein distance; what is longer than the limit counts as far away.
static size_t edit_distance(iree_string_view_t a, iree_string_view_t b) {
  if (a.size > EDIT_LENGTH_LIMIT || b.size > EDIT_LENGTH_LIMIT) return EDIT_LENGTH_LIMIT;
  size_t row[EDIT_LENGTH_LIMIT + 1];
  for (size_t j = 0; j <= b.size; ++j) row[j] = j;
  for (size_t i = 1; i <= a.size; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size; ++j) {
      const size_t substitute = diagonal + (a.data[i - 1] != b.data[j - 1]);
      const size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
      diagonal = row[j];
      row[j] = substitute < shorter + 1 ? substitute : shorter + 1;
    }
  }
  return row[b.size];
}

static iree_string_view_t flags_suggest(const flags_t *flags, iree_string_view_t name) {
  iree_string_view_t best = iree_string_view_empty();
  size_t best_distance = 2 + name.size / 4;
  static const char *const k_built_in[] = {"help", "version", "flagfile"};
  for (size_t i = 0; i < sizeof(k_built_in) / sizeof(k_built_in[0]); ++i) {
    const size_t distance = edit_distance(name, iree_make_cstring_view(k_built_in[i]));
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = iree_make_cstring_view(k_built_in[i]);
  }
  for (iree_host_size_t i = 0; i < flags->binding_count; ++i) {
    const flag_group_t *group = flags->bindings[i].group;
    for (size_t j = 0; j < group->flag_count; ++j) {
      const iree_string_view_t candidate = iree_make_cstring_view(group->flags[j].name);
      const size_t distance = edit_distance(name, candidate);
      if (!group->flags[j].doc || distance >= best_distance) continue;
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

static iree_status_t flags_unknown(const flags_t *flags, iree_string_view_t name) {
  const iree_string_view_t near = flags_suggest(flags, name);
  if (iree_string_view_is_empty(near)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag '--%.*s' not recognized; --help lists all flags", (int)name.size,
                            name.data);
  }
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT,
      "flag '--%.*s' not recognized; did you mean '--%.*s'? (--help lists all flags)",
      (int)name.size, name.data, (int)near.size, near.data);
}

//===-- values -------------------------------------------------------------------------------===//

static iree_status_t flag_bad_value(const flag_t *flag, iree_string_view_t value,
                                    const char *expected) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "flag '--%s' expects %s, not '%.*s'",
                          flag->name, expected, (int)value.size, value.data);
}

static iree_status_t flag_parse_bool(const flag_t *flag, iree_string_view_t value,
                                     bool *out_value) {
  const bool is_true = iree_string_view_is_empty(value) ||
                       iree_string_view_equal(value, IREE_SV("true")) ||
                       iree_string_view_equal(value, IREE_SV("1"));
  const bool is_false = iree_string_view_equal(value, IREE_SV("false")) ||
                        iree_string_view_equal(value, IREE_SV("0"));
  if (!is_true && !is_false) return flag_bad_value(flag, value, "true or false");
  *out_value = is_true;
  return iree_ok_status();
}

// Finds |value| among the '|'-separated |choices|.
static iree_status_t flag_parse_choice(const flag_t *flag, iree_string_view_t value,
                                       int32_t *out_index) {
  iree_string_view_t rest = iree_make_cstring_view(flag->choices);
  for (int32_t index = 0;; ++index) {
    iree_string_view_t choice;
    const bool has_more = iree_string_view_split(rest, '|', &choice, &rest) != -1;
    if (iree_string_view_equal(choice, value)) {
      *out_index = index;
      return iree_ok_status();
    }
    if (!has_more) break;
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "flag '--%s' expects one of %s, not '%.*s'",
                          flag->name, flag->choices, (int)value.size, value.data);
}

static iree_status_t flag_append_commas(flag_list_t *list, iree_string_view_t value,
                                        iree_allocator_t allocator) {
  for (bool has_more = !iree_string_view_is_empty(value); has_more;) {
    iree_string_view_t item;
    has_more = iree_string_view_split(value, ',', &item, &value) != -1;
    item = iree_string_view_trim(item);
    if (!iree_string_view_is_empty(item))
      IREE_RETURN_IF_ERROR(flag_list_append(list, item, allocator));
  }
  return iree_ok_status();
}

static iree_string_view_t strip_quotes(iree_string_view_t value) {
  if (value.size >= 2 && value.data[0] == '"' && value.data[value.size - 1] == '"') {
    return iree_string_view_substr(value, 1, value.size - 2);
  }
  return value;
}

static bool flag_is_bare(const flag_t *flag) {
  return flag->type == FLAG_TYPE_ABSENT || flag->type == FLAG_TYPE_HINT;
}

// Whether |value| is the default of a flag without storage; booleans have two spellings.
static bool flag_is_default_text(const flag_t *flag, iree_string_view_t value) {
  if (!flag->default_value) return false;
  const iree_string_view_t expected = iree_make_cstring_view(flag->default_value);
  value = strip_quotes(value);
  return iree_string_view_equal(value, expected) ||
         (iree_string_view_equal(value, IREE_SV("1")) && iree_string_view_equal(expected, IREE_SV("true"))) ||
         (iree_string_view_equal(value, IREE_SV("0")) && iree_string_view_equal(expected, IREE_SV("false")));
}

static iree_status_t flag_refuse(const flag_t *flag, iree_string_view_t value) {
  if (flag_is_default_text(flag, value)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "flag '--%s': %s", flag->name, flag->choices);
}

static iree_status_t flag_parse_value(const flag_t *flag, iree_string_view_t value, void *storage,
                                      iree_allocator_t allocator) {
  switch (flag->type) {
    case FLAG_TYPE_BOOL:
      return flag_parse_bool(flag, value, (bool *)storage);
    case FLAG_TYPE_I32:
      if (iree_string_view_atoi_int32(value, (int32_t *)storage)) return iree_ok_status();
      return flag_bad_value(flag, value, "a 32-bit integer");
    case FLAG_TYPE_I64:
      if (iree_string_view_atoi_int64(value, (int64_t *)storage)) return iree_ok_status();
      return flag_bad_value(flag, value, "a 64-bit integer");
    case FLAG_TYPE_F64:
      if (iree_string_view_atod(value, (double *)storage)) return iree_ok_status();
      return flag_bad_value(flag, value, "a number");
    case FLAG_TYPE_STRING:
      *(iree_string_view_t *)storage = strip_quotes(value);
      return iree_ok_status();
    case FLAG_TYPE_CHOICE:
      return flag_parse_choice(flag, strip_quotes(value), (int32_t *)storage);
    case FLAG_TYPE_LIST:
      return flag_list_append((flag_list_t *)storage, value, allocator);
    case FLAG_TYPE_COMMA_LIST:
      return flag_append_commas((flag_list_t *)storage, value, allocator);
    case FLAG_TYPE_OPTION:
      *(flag_option_t *)storage = (flag_option_t){.is_set = true, .value = value};
      return iree_ok_status();
    case FLAG_TYPE_ABSENT:
      return flag_refuse(flag, value);
    case FLAG_TYPE_HINT:
      return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INTERNAL, "flag '--%s' has no type", flag->name);
}

static bool flag_is_list(const flag_t *flag) {
  return flag->type == FLAG_TYPE_LIST || flag->type == FLAG_TYPE_COMMA_LIST;
}

iree_status_t flags_init(const flag_binding_t *bindings, iree_host_size_t binding_count,
                         flag_style_t style, iree_allocator_t allocator, flags_t *out_flags) {
  *out_flags = (flags_t){
      .allocator = allocator, .bindings = bindings, .binding_count = binding_count, .style = style};
  for (iree_host_size_t i = 0; i < binding_count; ++i) {
    const flag_group_t *group = bindings[i].group;
    for (size_t j = 0; j < group->flag_count; ++j) {
      const flag_t *flag = &group->flags[j];
      void *storage = flag_storage(&bindings[i], flag);
      if (flag_is_bare(flag)) {
        continue;
      } else if (flag_is_list(flag)) {
        memset(storage, 0, sizeof(flag_list_t));
      } else if (flag->type == FLAG_TYPE_OPTION) {
        memset(storage, 0, sizeof(flag_option_t));
      } else {
        IREE_RETURN_IF_ERROR(flag_parse_value(flag, iree_make_cstring_view(flag->default_value),
                                              storage, allocator));
      }
    }
  }
  return iree_ok_status();
}

void flags_deinit(flags_t *flags) {
  for (iree_host_size_t i = 0; i < flags->binding_count; ++i) {
    const flag_group_t *group = flags->bindings[i].group;
    for (size_t j = 0; j < group->flag_count; ++j) {
      if (!flag_is_list(&group->flags[j])) continue;
      flag_list_clear((flag_list_t *)flag_storage(&flags->bindings[i], &group->flags[j]),
                      flags->allocator);
    }
  }
  flag_list_clear(&flags->positional, flags->allocator);
  while (flags->files) {
    flag_file_t *file = flags->files;
    flags->files = file->next;
    file_contents_release(&file->contents);
    iree_allocator_free(flags->allocator, file);
  }
}

//===-- parsing ------------------------------------------------------------------------------===//

static iree_status_t flags_parse_lines(flags_t *flags, iree_string_view_t text,
                                       iree_string_view_t origin, int depth);

static iree_status_t flags_read_file(flags_t *flags, iree_string_view_t path, int depth) {
  if (iree_string_view_is_empty(path)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "flag '--flagfile' expects a path");
  }
  if (depth >= FLAG_FILE_DEPTH_LIMIT) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag files nest more than %d deep at '%.*s'", FLAG_FILE_DEPTH_LIMIT,
                            (int)path.size, path.data);
  }
  flag_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(flags->allocator, sizeof(*file), (void **)&file));
  iree_status_t status = file_contents_read(path, flags->allocator, &file->contents);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(flags->allocator, file);
    return status;
  }
  file->next = flags->files;
  flags->files = file;
  const iree_const_byte_span_t bytes = file->contents.data;
  return flags_parse_lines(
      flags, iree_make_string_view((const char *)bytes.data, bytes.data_length), path, depth + 1);
}

static bool flag_default_is_bool(const flag_t *flag) {
  return strcmp(flag->default_value, "true") == 0 || strcmp(flag->default_value, "false") == 0;
}

// Whether the flag takes its value from the next argument when it has no '='.
static bool flag_takes_next(const flags_t *flags, const flag_t *flag) {
  return flags->style == FLAG_STYLE_LLVM && flag->type != FLAG_TYPE_BOOL &&
         flag->type != FLAG_TYPE_OPTION && flag->type != FLAG_TYPE_ABSENT &&
         !(flag->type == FLAG_TYPE_HINT && flag_default_is_bool(flag));
}

// Parses one flag without its dashes. |next| is the argument that follows, if any; |out_used_next|
// tells whether it was the flag's value.
static iree_status_t flags_parse_one(flags_t *flags, iree_string_view_t body,
                                     const iree_string_view_t *next, int depth,
                                     bool *out_used_next) {
  *out_used_next = false;
  iree_string_view_t name, value;
  const bool has_value = iree_string_view_split(body, '=', &name, &value) != -1;
  if (!has_value) value = iree_string_view_empty();
  name = iree_string_view_trim(name);
  value = iree_string_view_trim(value);
  if (iree_string_view_equal(name, IREE_SV("help"))) {
    flags->help_requested = true;
    return iree_ok_status();
  }
  if (iree_string_view_equal(name, IREE_SV("version"))) {
    flags->version_requested = true;
    return iree_ok_status();
  }
  if (iree_string_view_equal(name, IREE_SV("flagfile")))
    return flags_read_file(flags, value, depth);
  const flag_binding_t *binding = NULL;
  const flag_t *flag = flags_find(flags, name, &binding);
  if (!flag) return flags_unknown(flags, name);
  if (!has_value && flag_takes_next(flags, flag)) {
    if (!next)
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "flag '--%s' expects a value",
                              flag->name);
    value = *next;
    *out_used_next = true;
  }
  if (!has_value && !*out_used_next && flag_is_bare(flag)) value = IREE_SV("true");
  if (flag->type == FLAG_TYPE_HINT && flags->warn && !flag_is_default_text(flag, value)) flags->warn(flag);
  return flag_parse_value(flag, value, flag_storage(binding, flag), flags->allocator);
}

static iree_status_t flags_parse_lines(flags_t *flags, iree_string_view_t text,
                                       iree_string_view_t origin, int depth) {
  for (int line_number = 1; !iree_string_view_is_empty(text); ++line_number) {
    iree_string_view_t line;
    if (iree_string_view_split(text, '\n', &line, &text) == -1) text = iree_string_view_empty();
    line = iree_string_view_trim(line);
    if (iree_string_view_is_empty(line) || iree_string_view_starts_with(line, IREE_SV("#")) ||
        iree_string_view_starts_with(line, IREE_SV("//"))) {
      continue;
    }
    if (!iree_string_view_consume_prefix(&line, IREE_SV("--"))) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "%.*s:%d: only flags (--name=value) may stand in a flag file",
                              (int)origin.size, origin.data, line_number);
    }
    bool used_next = false;
    IREE_RETURN_IF_ERROR(flags_parse_one(flags, line, NULL, depth, &used_next), "%.*s:%d",
                         (int)origin.size, origin.data, line_number);
  }
  return iree_ok_status();
}

iree_status_t flags_parse_text(flags_t *flags, iree_string_view_t text, iree_string_view_t origin) {
  return flags_parse_lines(flags, text, origin, 0);
}

// Strips the dashes of |argument|; false if it is no flag.
static bool strip_dashes(flag_style_t style, iree_string_view_t *argument) {
  if (argument->size > 2 && iree_string_view_consume_prefix(argument, IREE_SV("--"))) return true;
  return style == FLAG_STYLE_LLVM && argument->size > 1 &&
         iree_string_view_consume_prefix(argument, IREE_SV("-"));
}

iree_status_t flags_parse(flags_t *flags, int argc, char **argv) {
  bool is_past_flags = false;
  for (int i = 1; i < argc; ++i) {
    iree_string_view_t argument = iree_make_cstring_view(argv[i]);
    if (!is_past_flags && flags->style == FLAG_STYLE_LLVM &&
        iree_string_view_equal(argument, IREE_SV("--"))) {
      is_past_flags = true;
      continue;
    }
    iree_string_view_t body = iree_string_view_trim(argument);
    if (is_past_flags || !strip_dashes(flags->style, &body)) {
      IREE_RETURN_IF_ERROR(flag_list_append(&flags->positional, argument, flags->allocator));
      continue;
    }
    iree_string_view_t next =
        i + 1 < argc ? iree_make_cstring_view(argv[i + 1]) : iree_string_view_empty();
    bool used_next = false;
    IREE_RETURN_IF_ERROR(flags_parse_one(flags, body, i + 1 < argc ? &next : NULL, 0, &used_next));
    if (used_next) ++i;
  }
  return iree_ok_status();
}

//===-- help ---------------------------------------------------------------------------------===//

static iree_status_t append_choice(const flag_t *flag, int32_t index,
                                   iree_string_builder_t *builder) {
  iree_string_view_t rest = iree_make_cstring_view(flag->choices), choice = rest;
  for (int32_t i = 0; i <= index; ++i) iree_string_view_split(rest, '|', &choice, &rest);
  return iree_string_builder_append_format(builder, "--%s=%.*s\n", flag->name, (int)choice.size,
                                           choice.data);
}

// One line per value; what has none yet is shown as a comment.
static iree_status_t append_flag_value(const flag_t *flag, const void *storage,
                                       iree_string_builder_t *builder) {
  switch (flag->type) {
    case FLAG_TYPE_BOOL:
      return iree_string_builder_append_format(builder, "--%s=%s\n", flag->name,
                                               *(const bool *)storage ? "true" : "false");
    case FLAG_TYPE_I32:
      return iree_string_builder_append_format(builder, "--%s=%d\n", flag->name,
                                               (int)*(const int32_t *)storage);
    case FLAG_TYPE_I64:
      return iree_string_builder_append_format(builder, "--%s=%lld\n", flag->name,
                                               (long long)*(const int64_t *)storage);
    case FLAG_TYPE_F64:
      return iree_string_builder_append_format(builder, "--%s=%g\n", flag->name,
                                               *(const double *)storage);
    case FLAG_TYPE_STRING: {
      const iree_string_view_t value = *(const iree_string_view_t *)storage;
      return iree_string_builder_append_format(builder, "--%s=\"%.*s\"\n", flag->name,
                                               (int)value.size, value.data);
    }
    case FLAG_TYPE_CHOICE:
      return append_choice(flag, *(const int32_t *)storage, builder);
    case FLAG_TYPE_OPTION:
      return iree_string_builder_append_format(builder, "# --%s[=...]\n", flag->name);
    case FLAG_TYPE_ABSENT:
    case FLAG_TYPE_HINT:
      return iree_ok_status();  // has no doc, so it is not shown
    case FLAG_TYPE_LIST:
    case FLAG_TYPE_COMMA_LIST: {
      const flag_list_t *list = (const flag_list_t *)storage;
      if (list->count == 0)
        return iree_string_builder_append_format(builder, "# --%s=...\n", flag->name);
      for (iree_host_size_t i = 0; i < list->count; ++i) {
        IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
            builder, "--%s=%.*s\n", flag->name, (int)list->values[i].size, list->values[i].data));
      }
      return iree_ok_status();
    }
  }
  return iree_ok_status();
}

static iree_status_t append_comment(const char *text, iree_string_builder_t *builder) {
  iree_string_view_t rest = iree_make_cstring_view(text);
  for (bool has_more = true; has_more;) {
    iree_string_view_t line;
    has_more = iree_string_view_split(rest, '\n', &line, &rest) != -1;
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(builder, "# %.*s\n", (int)line.size, line.data));
  }
  return iree_ok_status();
}

static bool group_is_shown(const flag_group_t *group) {
  for (size_t i = 0; i < group->flag_count; ++i) {
    if (group->flags[i].doc) return true;
  }
  return false;
}

iree_status_t flags_append_help(const flags_t *flags, const char *program, const char *usage,
                                iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(append_comment(program, builder));
  IREE_RETURN_IF_ERROR(append_comment(usage, builder));
  IREE_RETURN_IF_ERROR(append_comment(
      "This text is a flag file: store it, edit it, pass it with --flagfile=.", builder));
  for (iree_host_size_t i = 0; i < flags->binding_count; ++i) {
    const flag_binding_t *binding = &flags->bindings[i];
    if (!group_is_shown(binding->group)) continue;
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(builder, "\n# == %s ==\n", binding->group->title));
    for (size_t j = 0; j < binding->group->flag_count; ++j) {
      const flag_t *flag = &binding->group->flags[j];
      if (!flag->doc) continue;
      IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, "\n"));
      IREE_RETURN_IF_ERROR(append_comment(flag->doc, builder));
      if (flag->choices) {
        IREE_RETURN_IF_ERROR(
            iree_string_builder_append_format(builder, "# One of: %s\n", flag->choices));
      }
      IREE_RETURN_IF_ERROR(append_flag_value(flag, flag_storage(binding, flag), builder));
    }
  }
  return iree_ok_status();
}

//===-- visits -------------------------------------------------------------------------------===//

// Whether the value is what flags_init stored.
static bool is_default(const flag_t *flag, const void *storage) {
  union {
    bool boolean;
    int32_t i32;
    int64_t i64;
    double f64;
    iree_string_view_t text;
  } value;
  if (flag_is_list(flag)) return ((const flag_list_t *)storage)->count == 0;
  if (flag->type == FLAG_TYPE_OPTION) return !((const flag_option_t *)storage)->is_set;
  // Defaults of tables parse: flags_init did so.
  iree_status_ignore(flag_parse_value(flag, iree_make_cstring_view(flag->default_value), &value,
                                      iree_allocator_null()));
  switch (flag->type) {
    case FLAG_TYPE_BOOL: return value.boolean == *(const bool *)storage;
    case FLAG_TYPE_CHOICE:
    case FLAG_TYPE_I32: return value.i32 == *(const int32_t *)storage;
    case FLAG_TYPE_I64: return value.i64 == *(const int64_t *)storage;
    case FLAG_TYPE_F64: return value.f64 == *(const double *)storage;
    case FLAG_TYPE_STRING: return iree_string_view_equal(value.text, *(const iree_string_view_t *)storage);
    case FLAG_TYPE_LIST:
    case FLAG_TYPE_COMMA_LIST:
    case FLAG_TYPE_OPTION:
    case FLAG_TYPE_ABSENT:
    case FLAG_TYPE_HINT: break;
  }
  return true;
}

// The flag as lines of text, one per call of the visitor.
static iree_status_t append_flag_lines(const flag_t *flag, const void *storage,
                                       iree_string_builder_t *builder) {
  const flag_option_t *option = storage;
  const iree_string_view_t *text = storage;
  if (flag->type == FLAG_TYPE_STRING)  // no quotes: there is no flag file around it
    return iree_string_builder_append_format(builder, "--%s=%.*s\n", flag->name, (int)text->size, text->data);
  if (flag->type != FLAG_TYPE_OPTION) return append_flag_value(flag, storage, builder);
  if (!option->is_set) return iree_ok_status();
  return iree_string_builder_append_format(builder, "--%s%s%.*s\n", flag->name, option->value.size ? "=" : "",
                                           (int)option->value.size, option->value.data);
}

static iree_status_t visit_flag(const flag_t *flag, const void *storage, iree_string_builder_t *builder,
                                iree_status_t (*visit)(void *self, iree_string_view_t text), void *self) {
  iree_string_builder_reset(builder);
  IREE_RETURN_IF_ERROR(append_flag_lines(flag, storage, builder));
  iree_string_view_t rest = iree_string_builder_view(builder), line;
  while (iree_string_view_split(rest, '\n', &line, &rest) != -1)
    if (!iree_string_view_starts_with(line, IREE_SV("#"))) IREE_RETURN_IF_ERROR(visit(self, line));
  return iree_ok_status();
}

iree_status_t flags_visit(const flags_t *flags, bool changed_only,
                          iree_status_t (*visit)(void *self, iree_string_view_t text), void *self) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(flags->allocator, &builder);
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < flags->binding_count; ++i) {
    const flag_binding_t *binding = &flags->bindings[i];
    for (size_t j = 0; iree_status_is_ok(status) && j < binding->group->flag_count; ++j) {
      const flag_t *flag = &binding->group->flags[j];
      const void *storage = flag_storage(binding, flag);
      if (flag->doc && !flag_is_bare(flag) && !(changed_only && is_default(flag, storage)))
        status = visit_flag(flag, storage, &builder, visit, self);
    }
  }
  iree_string_builder_deinitialize(&builder);
  return status;
}
