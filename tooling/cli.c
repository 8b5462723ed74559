// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start and end of the runtime tools (cli.h).

#include "tooling/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>

#include "abi/version.h"

// A stream that the caller closed must not become the first file that is opened: its number is
// taken by one that cannot be written.
static void hold_standard_streams(void) {
  for (int file = 0; file < 3; ++file) {
    if (fcntl(file, F_GETFD) == -1 && errno == EBADF && open("/dev/null", O_RDONLY) != file) return;
  }
}

bool cli_run(const cli_tool_t *tool, int argc, char **argv, FILE *error_stream) {
  hold_standard_streams();
  flags_t parser;
  iree_allocator_t allocator = iree_allocator_system();
  iree_string_builder_initialize(allocator, tool->text);
  iree_status_t status =
      flags_init(tool->bindings, tool->binding_count, FLAG_STYLE_GNU, allocator, &parser);
  if (iree_status_is_ok(status)) status = tool->run(tool->self, &parser, argc, argv);
  iree_string_builder_deinitialize(tool->text);
  flags_deinit(&parser);
  if (iree_status_is_ok(status)) status = cli_check_output(stdout);
  const bool is_ok = iree_status_is_ok(status);
  if (!is_ok) iree_status_fprint(error_stream, status);
  iree_status_free(status);
  return is_ok;
}

static iree_status_t append_listing(const device_flags_t *flags, iree_allocator_t allocator,
                                    iree_string_builder_t *text) {
  iree_hal_driver_registry_t *registry = NULL;
  IREE_RETURN_IF_ERROR(device_create_registry(allocator, &registry));
  iree_status_t status = device_append_listing(flags, registry, allocator, text);
  iree_hal_driver_registry_free(registry);
  return status;
}

iree_status_t cli_answer(const flags_t *parser, const char *name, const char *usage,
                         iree_string_builder_t *text, bool *out_is_done) {
  *out_is_done = parser->help_requested || parser->version_requested;
  if (parser->help_requested) return flags_append_help(parser, name, usage, text);
  if (!parser->version_requested) return iree_ok_status();
  return iree_string_builder_append_cstring(text, ABI_VERSION_TEXT "\n");
}

// A reader of a pipe that went away, as `head` does, has what it wanted.
static bool is_reader_gone(FILE *file) {
  struct pollfd descriptor = {.fd = fileno(file), .events = POLLOUT};
  return poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLERR);
}

iree_status_t cli_check_output(FILE *file) {
  errno = 0;
  const bool is_written = fflush(file) == 0 && !ferror(file);
  const char *reason = errno ? strerror(errno) : "an earlier write failed";
  if (is_written || is_reader_gone(file)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_DATA_LOSS, "cannot write all of the output: %s", reason);
}

iree_status_t cli_write(iree_string_builder_t *text, FILE *file) {
  const iree_string_view_t view = iree_string_builder_view(text);
  if (view.size) fwrite(view.data, 1, view.size, file);
  iree_string_builder_reset(text);
  return cli_check_output(file);
}

iree_status_t cli_parse(const cli_t *cli, flags_t *parser, iree_string_builder_t *text,
                        bool *out_is_done) {
  *out_is_done = false;
  IREE_RETURN_IF_ERROR(flags_parse(parser, cli->argc, cli->argv));
  IREE_RETURN_IF_ERROR(cli_answer(parser, cli->name, cli->usage, text, out_is_done));
  if (*out_is_done) return iree_ok_status();
  if (parser->positional.count) {
    return iree_make_status(
        IREE_STATUS_INVALID_ARGUMENT,
        "unexpected argument '%.*s'; everything is given by flags that start with two dashes",
        IREE_SV_ARGS(parser->positional.values[0]));
  }
  if (!cli->device_flags || !device_flags_want_listing(cli->device_flags)) return iree_ok_status();
  *out_is_done = true;
  return append_listing(cli->device_flags, parser->allocator, text);
}

iree_status_t cli_append_final_statistics(program_t *program, iree_string_builder_t *text) {
  iree_vm_context_release(program->context);
  program->context = NULL;
  return program_append_statistics(program, text);
}
