# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package: each `bindings/python/test/*_test.py` (unittest) against the package in build/python.

They run in the venv of the upstream wheels, which has NumPy; the package is found before upstream's.
"""
import re

import harness


def tests(options):
    for path in sorted((harness.ROOT / "bindings/python/test").glob("*_test.py")):
        yield path.stem, lambda path=path: run(path)


def run(path):
    package = harness.OUT / "python"
    if not (package / "iree/runtime/_native.abi3.so").exists():
        harness.skip("the package is not built (make python)")
    python = harness.VENV / "bin/python"
    if not python.exists():
        harness.skip("no NumPy (run scripts/setup)")
    result = harness.run([python, path, "-v"], timeout=300,
                         env={"PYTHONPATH": str(package), "IREE_COMPILE": harness.ours("iree-compile"),
                              "IREE_SAMPLES": str(harness.ROOT / "samples"), "PYTHONDONTWRITEBYTECODE": "1"})
    found = re.search(r"^Ran (\d+) tests?", result.err, re.M)
    if result.code != 0 or not found:
        raise harness.Fail("exit %d: %s\n%s" % (result.code, path.name, harness.tail(result.err[-2500:], lines=40)))
    skipped = len(re.findall(r"\.\.\. skipped", result.err))
    return harness.Counts(int(found.group(1)) - skipped, 0, skipped, [])
