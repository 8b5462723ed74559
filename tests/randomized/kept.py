#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that the generator found or that stand for its rows, with the values jaxlib gave: no jaxlib needed.

A file holds many: a line `// program NAME: what`, lines `// in TYPE HEX` and `// out TYPE HEX TOLERANCE` (bits of the
elements, low byte first), then the text. `kept.py FILE... [--device D] [--backend B]` runs files; the test group runs those of kept/.
"""
import argparse
import os
import pathlib
import sys

sys.path[0:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent)]
import harness  # noqa: E402
import ours  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent / "kept"


def tests(options):
    for path in sorted(FOLDER.glob("*.mlir")):
        for backend, device in (("llvm-cpu", "local-sync"), ("llvm-cpu", "local-task"), ("vmvx", "local-sync")):
            yield "%s/%s/%s" % (path.stem, backend, device), lambda path=path, device=device, backend=backend: file(path, device, backend)


def file(path, device, backend):
    found = run(path, device, backend=backend)
    lines = ["%s: %s: %s" % (i.name, outcome, text) for i, (outcome, text) in found if outcome != "pass"]
    return harness.Counts(len(found) - len(lines), len(lines), 0, lines)


def run(path, device="local-sync", runner=None, backend="llvm-cpu"):
    items = read(path)
    folder = harness.scratch("randomized", "%s-%s-%s-%d" % (path.stem, backend, device, os.getpid()))
    return list(zip(items, ours.check(items, folder, device, runner, backend)))


def read(path):
    items = []
    for part in path.read_text().split("// program ")[1:]:
        head, *lines = part.splitlines(keepends=True)
        inputs, results, tolerances, text = [], [], [], ""
        for line in lines:
            words = line.split(" ")
            if line.startswith("// in "):
                inputs.append(_array(words[2], words[3]))
            elif line.startswith("// out "):
                results.append(_array(words[2], words[3]))
                tolerances.append(words[4].strip())
            else:
                text += line
        items.append(ours.Item(head.split(":")[0], text, inputs, results, tolerances))
    return items


def _array(text, bits):
    *shape, element = text.split("x") if not text.endswith(">") else [*text.split("complex")[0].split("x")[:-1], "complex" + text.split("complex")[1]]
    return element, tuple(map(int, shape)), bytes.fromhex(bits.strip())


def text_of(item, what):
    shown = lambda element, shape: "x".join([*map(str, shape), element])
    lines = ["// program %s: %s\n" % (item.name, what.replace("\n", " ")[:200])]
    lines += ["// in %s %s\n" % (shown(e, s), bits.hex()) for e, s, bits in item.inputs]
    lines += ["// out %s %s %s\n" % (shown(e, s), bits.hex(), t) for (e, s, bits), t in zip(item.results, item.tolerances)]
    return "".join(lines) + item.text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--device", default="local-sync")
    parser.add_argument("--backend", default="llvm-cpu", choices=ours.FLAGS)
    parser.add_argument("--runner", help="iree-run-module to use instead of ours")
    options = parser.parse_args()
    failed = 0
    for path in options.files:
        for item, (outcome, text) in run(path, options.device, options.runner, options.backend):
            failed += outcome != "pass"
            print("%-8s %s/%s %s" % (outcome, path.name, item.name, text))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
