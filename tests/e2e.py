# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs end to end, by our tools alone: compiled, run on each CPU driver, against the stored values."""
import re

import diagnostics
import harness
import program

DEVICES = ("local-sync", "local-task")


def tests(options):
    for p in program.programs():
        for device in DEVICES:
            yield "%s/%s" % (p.name, device), lambda p=p, device=device: run(p, device)
        if p.dispatches is not None:
            yield p.name + "/dispatches", lambda p=p: dispatches(p)
        if p.name.startswith("while"):
            yield p.name + "/back-edge", lambda p=p: back_edge(p)
    yield "add/expected-output", expected_output
    yield "add/device-flags", device_flags
    yield "add/deterministic", deterministic
    for device in DEVICES:
        yield "add/embed/" + device, lambda device=device: embed(device)


def run(p, device):
    module = p.compiled("ours")
    for i, call in enumerate(p.calls):
        program.check(call, program.call("ours", module, call, device, tag="-%s-%d" % (device, i)))


def disassembly(module, who="ours"):
    tool = program.TOOLCHAINS[who]("iree-dump-module")
    return harness.must([tool, "--output=disassembly", module]).out.decode()


def dispatches(p):
    found = len(re.findall(r"call.*\bhal\.command_buffer\.dispatch\b", disassembly(p.compiled("ours"))))
    if found != p.dispatches:
        raise harness.Fail("%d dispatch sites, want %d" % (found, p.dispatches))


def back_edge(p):
    """A loop stays a loop: some block branches to itself or to one that stands before it."""
    block = -1
    for line in disassembly(p.compiled("ours")).splitlines():
        label = re.match(r"\^bb(\d+):", line)
        block = int(label.group(1)) if label else block
        if any(int(target) <= block for target in re.findall(r"\^bb(\d+)\(", line)):
            return
    raise harness.Fail("no branch backwards in the bytecode")


def expected_output():
    """The tool's own comparison, both ways."""
    module = program.Program(program.FOLDER / "add.json").compiled("ours")
    command = [harness.ours("iree-run-module"), "--module=%s" % module, "--device=local-sync", "--function=add",
               "--input=4xf32=1,2,3,4", "--input=4xf32=5,6,7,8"]
    harness.must(command + ["--expected_output=4xf32=6 8 10 12"])
    if harness.run(command + ["--expected_output=4xf32=6 8 10 13"]).code == 0:
        raise harness.Fail("a wrong expected output is accepted")


def embed(device):
    """The C sample, which a program written for upstream's C API looks like."""
    tool = harness.OUT / "samples" / "embed"
    if not tool.exists():
        raise harness.Skip("samples are not built")
    out = harness.must([tool, diagnostics.good_module(), device]).out
    if out != b"4xf32=6 8 10 12\n":
        raise harness.Fail("prints %r" % out)


def device_flags():
    """The newer spelling of the same target gives a module that runs as well."""
    p = program.Program(program.FOLDER / "add.json")
    out = harness.scratch("programs") / "add_device.vmfb"
    harness.must([harness.ours("iree-compile"), p.source_path(), "--iree-hal-target-device=local",
                  "--iree-hal-local-target-device-backends=llvm-cpu", "-o", out])
    program.check(p.calls[0], program.call("ours", out, p.calls[0]))


def deterministic():
    """Bytes do not depend on where the source lies or what it is called."""
    p = program.Program(program.FOLDER / "chain_128.json")
    outs = []
    for name in ("one/a.mlir", "two/other.mlir"):
        path = harness.scratch("deterministic", name.split("/")[0]) / name.split("/")[1]
        path.write_bytes(p.source_path().read_bytes())
        harness.must([harness.ours("iree-compile"), path, *program.FLAGS, "--iree-hal-executable-debug-level=0",
                      "-o", path.with_suffix(".vmfb")])
        outs.append(path.with_suffix(".vmfb").read_bytes())
    if outs[0] != outs[1]:
        raise harness.Fail("%d and %d bytes that differ" % (len(outs[0]), len(outs[1])))
