// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime tools do before their own work: parse flags, answer --help and device listings.

#ifndef TOOLING_CLI_H_
#define TOOLING_CLI_H_

#include <stdio.h>

#include "tooling/device.h"
#include "base/flags.h"
#include "tooling/program.h"

// A tool: its flags, and what it does with them.
typedef struct cli_tool_t {
  const flag_binding_t *bindings;
  iree_host_size_t binding_count;
  iree_string_builder_t *text;  // of the tool, of the system's allocator
  iree_status_t (*run)(void *self, flags_t *parser, int argc, char **argv);
  void *self;
} cli_tool_t;

// Makes |text| and the flags, runs the tool and prints what went wrong to |error_stream|. True if all went well.
bool cli_run(const cli_tool_t *tool, int argc, char **argv, FILE *error_stream);

// Answers --help and --version: appends to |text| and sets |out_is_done|.
//   errors: RESOURCE_EXHAUSTED
iree_status_t cli_answer(const flags_t *parser, const char *name, const char *usage,
                         iree_string_builder_t *text, bool *out_is_done);

// Whether all that was written to |file| got there; cli_run asks that of stdout at the end.
//   errors: DATA_LOSS  it did not (disk full, closed); a pipe whose reader went away is fine
iree_status_t cli_check_output(FILE *file);

// Writes |text| to |file| and empties it.
//   errors: as cli_check_output
iree_status_t cli_write(iree_string_builder_t *text, FILE *file);

typedef struct cli_t {
  const char *name;
  const char *usage;
  int argc;
  char **argv;
  const device_flags_t *device_flags;  // among what |parser| is bound to; NULL: has no devices
} cli_t;

// Parses the arguments. If that already answers the user (--help, --list_devices, ...), appends the
// answer to |text| and sets |out_is_done|.
//   errors: INVALID_ARGUMENT  bad flags, or arguments that are no flags
//           those of listing devices
iree_status_t cli_parse(const cli_t *cli, flags_t *parser, iree_string_builder_t *text,
                        bool *out_is_done);

// Appends allocator statistics after dropping what the program itself holds (constants, variables),
// so that leaks show as live bytes. No calls are possible afterwards.
//   errors: RESOURCE_EXHAUSTED
iree_status_t cli_append_final_statistics(program_t *program, iree_string_builder_t *text);

#endif  // TOOLING_CLI_H_
