// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-cpuinfo: the CPU features that kernels may ask for, and which of them this machine has (1) or
// lacks (0). Names are those of --iree-llvmcpu-target-cpu-features=.

#include <stdio.h>

#include "runtime/hal/local/processor.h"
#include "tooling/cli.h"

typedef struct tool_t {
  iree_string_builder_t text;
} tool_t;

static iree_status_t append_features(iree_string_builder_t *text) {
  iree_hal_processor_v0_t processor;
  processor_query(&processor);
  bool is_present = false;
  for (iree_host_size_t i = 0; processor_feature_name(i); ++i) {
    const char *name = processor_feature_name(i);
    processor_lookup(&processor, iree_make_cstring_view(name), &is_present);
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(text, "%-20s %d\n", name, is_present ? 1 : 0));
  }
  return iree_ok_status();
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-cpuinfo",
                     .usage = "Lists the CPU features that kernels may use: 1 if this machine has "
                              "them, else 0.",
                     .argc = argc,
                     .argv = argv};
  bool is_done = false;
  IREE_RETURN_IF_ERROR(cli_parse(&cli, parser, &tool->text, &is_done));
  if (!is_done) IREE_RETURN_IF_ERROR(append_features(&tool->text));
  return cli_write(&tool->text, stdout);
}

int main(int argc, char **argv) {
  tool_t tool;
  const cli_tool_t cli = {NULL, 0, &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) ? 0 : 1;
}
