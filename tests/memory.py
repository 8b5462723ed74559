# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime tools with each of their allocations failing once: an error or the right result, never a crash or a hang."""
import re

import harness
import program

SOURCE = """func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
ADD = ["--module=add.vmfb", "--function=add", "--input=4xf32=1,2,3,4", "--input=4xf32=5"]
COMMANDS = {
    "run": ["iree-run-module", "--device=local-sync", *ADD, "--expected_output=4xf32=6,7,8,9", "--output=@sum.npy"],
    "run-task": ["iree-run-module", "--device=local-task", *ADD, "--print_statistics"],
    "run-traced": ["iree-run-module", "--device=local-sync", *ADD, "--trace=add.json"],
    "benchmark": ["iree-benchmark-module", "--device=local-sync", *ADD, "--benchmark_min_time=2x", "--benchmark_format=json"],
    "dump": ["iree-dump-module", "add.vmfb"],
    "embed": ["iree-c-embed-data", "--output_header=add.h", "--output_impl=add.c", "add.vmfb"],
    "cpuinfo": ["iree-cpuinfo"],
    "devices": ["iree-run-module", "--dump_devices"],
    "help": ["iree-benchmark-executable", "--help"],
}


def tests(options):
    for name in COMMANDS:
        yield name, lambda name=name: fails(name)


def fails(name):
    if harness.OUT != harness.ROOT / "build":
        raise harness.Skip("allocations fail in the release build")
    folder = harness.scratch("memory", name)
    source = program.once(folder / "add.mlir", lambda part: part.write_text(SOURCE))
    program.once(folder / "add.vmfb", lambda part: harness.must([harness.ours("iree-compile"), source, *program.FLAGS, "-o", part]))
    shim = program.once(harness.scratch("memory") / "count_allocations.so", lambda part: harness.must(
        ["cc", "-O1", "-shared", "-fPIC", harness.ROOT / "tests" / "count_allocations.c", "-o", part]))
    tool, *args = COMMANDS[name]
    command = [harness.ours(tool), *args]
    run = lambda n: harness.run(command, cwd=folder, env={"LD_PRELOAD": str(shim), "FAIL_ALLOCATION": str(n)}, timeout=20)
    whole = run(0)
    count = int(re.search(r"allocations (\d+)", whole.err).group(1))
    if whole.code != 0 or not count:
        raise harness.Fail("exit %d\n%s" % (whole.code, harness.tail(whole.err)))
    for n in range(1, count + 1):
        result = run(n)
        if harness.crashed(result) or result.code not in (0, 1):
            raise harness.Fail("exit %d when allocation %d of %d fails: %s\n%s" % (result.code, n, count, harness.shown(command), harness.tail(result.err)))
        if result.code == 1 and not re.sub(r"allocations \d+", "", result.err).strip():
            raise harness.Fail("no word of allocation %d of %d, which failed: %s" % (n, count, harness.shown(command)))
