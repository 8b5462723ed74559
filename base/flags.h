// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command-line flags from tables.
//
// A flag is a row of a static const table: name, type, where its value lives in a plain struct,
// default text and help text. A group is a table with a title; a tool binds the groups it serves to
// structs of its own, parses argv once and reads the structs. Nothing is global and nothing
// registers itself:
//
//   typedef struct my_flags_t { iree_string_view_t name; int32_t count; flag_list_t input; }
//   my_flags_t; static const flag_t k_my_flags[] = {
//       FLAG_STRING(my_flags_t, name, "name", "", "Who to greet."),
//       FLAG_I32(my_flags_t, count, "count", "1", "How often."),
//       FLAG_LIST(my_flags_t, input, "input", "One value per occurrence."),
//   };
//   static const flag_group_t k_my_group = FLAG_GROUP("greeting", k_my_flags);
//   my_flags_t values;
//   const flag_binding_t bindings[] = {{&k_my_group, &values}};
//   flags_t flags;
//   flags_init(bindings, 1, FLAG_STYLE_GNU, allocator, &flags);   // sets the defaults
//   flags_parse(&flags, argc, argv);
//
// Every tool also understands --help, --version and --flagfile=path (one flag per line, # and // comment).
//
// String views in the structs are borrowed: from argv, from static defaults, or from flag files
// that flags_t holds until flags_deinit.

#ifndef BASE_FLAGS_H_
#define BASE_FLAGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iree/base/api.h"

typedef enum flag_type_e {
  FLAG_TYPE_BOOL,        // bool                     --x, --x=true|false|1|0
  FLAG_TYPE_I32,         // int32_t
  FLAG_TYPE_I64,         // int64_t
  FLAG_TYPE_F64,         // double
  FLAG_TYPE_STRING,      // iree_string_view_t       surrounding double quotes are dropped
  FLAG_TYPE_CHOICE,      // int32_t                  index into |choices|, "a|b|c"
  FLAG_TYPE_LIST,        // flag_list_t              one element per occurrence
  FLAG_TYPE_COMMA_LIST,  // flag_list_t              elements split at commas, occurrences append
  FLAG_TYPE_OPTION,      // flag_option_t            --x or --x=text
  FLAG_TYPE_ABSENT,      // nothing                  known, but only its default is possible
  FLAG_TYPE_HINT,        // nothing                  known, but changes nothing
} flag_type_t;

typedef struct flag_list_t {
  iree_host_size_t count;
  iree_host_size_t capacity;
  iree_string_view_t *values;
} flag_list_t;

// A flag that asks for something and may narrow it: --list_devices, --list_devices=local-task.
typedef struct flag_option_t {
  bool is_set;
  iree_string_view_t value;
} flag_option_t;

typedef struct flag_t {
  const char *name;  // without dashes
  flag_type_t type;
  size_t offset;              // of the value in the bound struct, bytes
  const char *default_value;  // as on the command line; NULL for lists and options
  const char *choices;        // FLAG_TYPE_CHOICE; FLAG_TYPE_ABSENT, FLAG_TYPE_HINT: why there is no other value
  const char *doc;            // lines split at \n; NULL hides the flag from --help
} flag_t;

typedef struct flag_group_t {
  const char *title;
  const flag_t *flags;
  size_t flag_count;
} flag_group_t;

typedef struct flag_binding_t {
  const flag_group_t *group;
  void *values;  // the struct that the group's offsets refer to; borrowed until flags_deinit
} flag_binding_t;

// The size test makes a row whose member has another type a compile-time warning.
#define FLAG_OFFSET_(T, values_t, member) \
  (offsetof(values_t, member) + 0 * sizeof((T *)0 == &((values_t *)0)->member))
#define FLAG_ROW_(T, TYPE, values_t, member, name, value, choices, doc) \
  { name, FLAG_TYPE_##TYPE, FLAG_OFFSET_(T, values_t, member), value, choices, doc }
#define FLAG_BOOL(values_t, member, name, value, doc) \
  FLAG_ROW_(bool, BOOL, values_t, member, name, value, NULL, doc)
#define FLAG_I32(values_t, member, name, value, doc) \
  FLAG_ROW_(int32_t, I32, values_t, member, name, value, NULL, doc)
#define FLAG_I64(values_t, member, name, value, doc) \
  FLAG_ROW_(int64_t, I64, values_t, member, name, value, NULL, doc)
#define FLAG_F64(values_t, member, name, value, doc) \
  FLAG_ROW_(double, F64, values_t, member, name, value, NULL, doc)
#define FLAG_STRING(values_t, member, name, value, doc) \
  FLAG_ROW_(iree_string_view_t, STRING, values_t, member, name, value, NULL, doc)
#define FLAG_CHOICE(values_t, member, name, value, choices, doc) \
  FLAG_ROW_(int32_t, CHOICE, values_t, member, name, value, choices, doc)
#define FLAG_LIST(values_t, member, name, doc) \
  FLAG_ROW_(flag_list_t, LIST, values_t, member, name, NULL, NULL, doc)
#define FLAG_COMMA_LIST(values_t, member, name, doc) \
  FLAG_ROW_(flag_list_t, COMMA_LIST, values_t, member, name, NULL, NULL, doc)
#define FLAG_OPTION(values_t, member, name, doc) \
  FLAG_ROW_(flag_option_t, OPTION, values_t, member, name, NULL, NULL, doc)
// A flag of upstream's that this build cannot honour: its default is accepted, since it asks for
// nothing (flag files that list all flags stay usable), any other value is an error that says |why|.
// Without a default (NULL) every value is.
#define FLAG_ABSENT(name, value, why) \
  { name, FLAG_TYPE_ABSENT, 0, value, why, NULL }
// The same of a flag that only tunes: other values are taken too, and flags_t.warn hears of them.
#define FLAG_HINT(name, value, why) \
  { name, FLAG_TYPE_HINT, 0, value, why, NULL }
#define FLAG_GROUP(title, table) \
  { title, table, sizeof(table) / sizeof((table)[0]) }

typedef enum flag_style_e {
  // --name and --name=value only (runtime tools).
  FLAG_STYLE_GNU,
  // As the compiler tools read them: one or two dashes, and flags that need a value may take it
  // from the next
  // argument (-o file); -- ends the flags.
  FLAG_STYLE_LLVM,
} flag_style_t;

typedef struct flag_file_t flag_file_t;

typedef struct flags_t {
  iree_allocator_t allocator;
  const flag_binding_t *bindings;  // borrowed
  iree_host_size_t binding_count;
  flag_style_t style;
  bool help_requested;
  bool version_requested;
  flag_list_t positional;  // arguments that are no flags, in order
  flag_file_t *files;      // contents of flag files read so far
  void (*warn)(const flag_t *flag);  // called for each flag that changes nothing; NULL: nobody hears of them
} flags_t;

// Binds |bindings| and stores every flag's default.
//   owns:   borrows bindings, tables and structs until flags_deinit
//   errors: INVALID_ARGUMENT  a default in a table does not parse (a defect of the table)
iree_status_t flags_init(const flag_binding_t *bindings, iree_host_size_t binding_count,
                         flag_style_t style, iree_allocator_t allocator, flags_t *out_flags);

// Frees lists and flag files; string views in the bound structs that came from flag files die with
// them.
void flags_deinit(flags_t *flags);

// Parses |argv|[1..|argc|) into the bound structs; later flags win, lists append. Sets
// help_requested on --help (version_requested on --version) and goes on, so that the caller can print
// help with the values given so far.
//   owns:   string views into |argv| are kept
//   errors: INVALID_ARGUMENT  unknown flag (with the nearest known one), malformed value, flag file
//   that
//                             nests too deep or holds positional arguments
//           UNIMPLEMENTED     a value of an absent flag
//           NOT_FOUND         flag file does not exist
iree_status_t flags_parse(flags_t *flags, int argc, char **argv);

// Parses flag-file |text|; |origin| names it in messages. |text| must outlive |flags|.
//   errors: as flags_parse, with "origin:line: "
iree_status_t flags_parse_text(flags_t *flags, iree_string_view_t text, iree_string_view_t origin);

// Calls |visit| with each documented flag as `--name=value`, in the order of the tables; a list gives one
// call per element, an option that is not set none. |changed_only| leaves out defaults.
//   errors: what |visit| returns, which ends the visit
//           RESOURCE_EXHAUSTED  out of memory
iree_status_t flags_visit(const flags_t *flags, bool changed_only,
                          iree_status_t (*visit)(void *self, iree_string_view_t text), void *self);

// Appends |program|, |usage| and every documented flag with its current value, in the form of a
// flag file.
//   errors: RESOURCE_EXHAUSTED  out of memory
iree_status_t flags_append_help(const flags_t *flags, const char *program, const char *usage,
                                iree_string_builder_t *builder);

#endif  // BASE_FLAGS_H_
