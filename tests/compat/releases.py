# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of earlier releases give the stored values on both drivers: those of tests/releases, and all that `make releases` compiled
into the folder IREE_RELEASES."""
import os
import pathlib
import re

import harness
import program

FOLDER = harness.ROOT / "tests" / "releases"
DEVICES = ("local-sync", "local-task")

# What these compilers made wrong: the release's own runtime gives the same bytes.
EXCEPTIONS = {
    r"3\.\d+/sort_ties/.*": "its sort is not stable",
    r"3\.\d+/extremes/.*": "it takes NaN to the smallest integer",
    r"3\.0/random/.*": "its threefry has another state",
}


def tests(options):
    programs = {p.name: p for p in program.programs()}
    for module in sorted(FOLDER.glob("*.vmfb")):
        yield from module_tests(module.stem, programs["releases"], module)
    if "IREE_RELEASES" not in os.environ:
        yield "programs", lambda: harness.skip("no folder of releases (make releases)")
        return
    for module in sorted(pathlib.Path(os.environ["IREE_RELEASES"]).glob("programs/*/*.vmfb")):
        yield from module_tests("%s/%s" % (module.parent.name, module.stem), programs[module.stem], module)


def module_tests(name, p, module):
    for device in DEVICES:
        test = "%s/%s" % (name, device)
        yield test, lambda test=test, device=device: run(test, p, module, device)


def run(test, p, module, device):
    harness.ours("iree-run-module")
    for pattern, reason in EXCEPTIONS.items():
        if re.fullmatch(pattern, test):
            raise harness.Skip("exception: " + reason)
    for i, call in enumerate(p.calls):
        tag = "-%s-%s-%d" % (module.parent.name, device, i)
        program.check(call, program.call("ours", module, call, device=device, tag=tag))
