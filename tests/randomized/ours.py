# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs through the tools: many functions to a module, one run per function, the results as bits.

An `Item` is one function to check; standard library only. Outcomes: pass, wrong, refused (a clear error), crash (a signal,
a sanitizer's report, no end).
"""
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import harness  # noqa: E402
from elements import ELEMENTS, count, difference, pack, unpack  # noqa: E402

FLAGS = {"llvm-cpu": ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"], "vmvx": ["--iree-hal-target-backends=vmvx"]}

# text: with `@NAME` once as the entry; inputs, results: [(element, shape, bits)]; tolerances: one per result.
Item = collections.namedtuple("Item", "name text inputs results tolerances")


def check(items, folder, device="local-sync", runner=None, backend="llvm-cpu"):
    """[(outcome, one line)] of the items, compiled together; where that fails, in halves, to find those to blame."""
    if not items:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    module, source = folder / ("%s.vmfb" % items[0].name), folder / ("%s.mlir" % items[0].name)
    source.write_text("".join(i.text for i in items))
    state, text = harness.ended([harness.ours("iree-compile"), source, *FLAGS[backend], "-o", module], 60 + 2 * len(items))
    if state == "pass":
        return [one(item, module, folder, device, runner) for item in items]
    if len(items) == 1:
        return [(state, "compile: " + text)]
    half = len(items) // 2
    return [outcome for part in (items[:half], items[half:]) for outcome in check(part, folder, device, runner, backend)]


def one(item, module, folder, device="local-sync", runner=None):
    command = [runner or harness.ours("iree-run-module"), "--module=%s" % module, "--device=" + device, "--function=" + item.name]
    for i, (element, shape, bits) in enumerate(item.inputs):
        path = folder / ("%s.in%d" % (item.name, i))
        path.write_bytes(pack(ELEMENTS[element], bits))
        command.append("--input=%s=@%s" % ("x".join([*map(str, shape), ELEMENTS[element].tool]), path))
    outs = [folder / ("%s.out%d" % (item.name, i)) for i in range(len(item.results))]
    for out in outs:
        out.unlink(missing_ok=True)
    state, text = harness.ended(command + ["--output=@%s" % out for out in outs], 30)
    if state != "pass":
        return state, "run: " + text
    for i, ((element, shape, bits), out) in enumerate(zip(item.results, outs)):
        e = ELEMENTS[element]
        text = difference(e, unpack(e, out.read_bytes(), count(shape)), bits, item.tolerances[i])
        if text:
            return "wrong", "result %d, %s: %s" % (i, "x".join([*map(str, shape), element]), text)
    for path in folder.glob(item.name + ".in*"):
        path.unlink()
    for out in outs:
        out.unlink()
    return "pass", ""
