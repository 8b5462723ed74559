#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What upstream's headers declare and ours lack: `tests/api_gap.py UPSTREAM/runtime/src [FOLDER ...]`, by hand.

Looks at functions, types and macros of iree/{base,hal,vm,runtime,modules,io} or of the folders named, in headers that
upstream's programs include (not those of one folder's own: *_impl.h, internal/, testing/). Prints a count per header and
the names.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("base", "hal", "vm", "runtime", "modules", "io")
OWN = re.compile(r"(^|/)(internal|testing|test|cts|replay|utils|drivers/(amdgpu|cuda|hip|metal|vulkan|webgpu|null)|local/elf)/|_impl\.h$|emitc|/ops\.h$")


def declared(text):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    names = set(re.findall(r"\b(iree_\w+)\s*\([^;{}]*\)\s*[;{]", re.sub(r"#define[^\n]*(\\\n[^\n]*)*", "", text)))
    names |= set(re.findall(r"^\}\s*(iree_\w+_t)\s*;", text, re.M)) | set(re.findall(r"\btypedef\b[^;{}]*?\b(iree_\w+_t)\s*;", text))
    return names | set(re.findall(r"#\s*define\s+(IREE_\w+)", text)) - set(re.findall(r"#\s*define\s+(IREE_\w+_H_?)\b", text))


def main():
    theirs, folders = pathlib.Path(sys.argv[1]), sys.argv[2:] or FOLDERS
    ours = "\n".join(p.read_text() for d in ("include", "abi") for p in (ROOT / d).rglob("*") if p.is_file())
    have, total, missing = set(re.findall(r"\b(?:iree|IREE)_\w+", ours)), 0, 0
    for folder in folders:
        for path in sorted((theirs / "iree" / folder).rglob("*.h")):
            name = str(path.relative_to(theirs))
            if OWN.search(name):
                continue
            names = declared(path.read_text())
            lacking = sorted(names - have)
            total, missing = total + len(names), missing + len(lacking)
            if lacking:
                print("%s: %d of %d\n    %s" % (name, len(lacking), len(names), " ".join(lacking)))
    print("%d of %d names are missing" % (missing, total))


if __name__ == "__main__":
    main()
