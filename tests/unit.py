# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unit tests: every binary that `make unit-tests` built from a <folder>/test/*_test.c."""
import re

import harness


def tests(options):
    sources = sorted(s for top in ("base", "runtime", "tooling", "compiler") for s in (harness.ROOT / top).rglob("test/*_test.c"))
    for source in sources:
        name = str(source.relative_to(harness.ROOT))[:-2]
        yield name, lambda name=name: binary(harness.OUT / "test" / name)


def binary(path):
    if not path.exists():
        raise harness.Skip("unit test not built in this configuration")
    result = harness.run([path], timeout=300, cwd=harness.ROOT)
    text = result.out.decode("utf8", "replace").strip().splitlines()
    last = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", text[-1] if text else "")
    if not last:
        raise harness.Fail("exit %d before the count\n%s" % (result.code, harness.tail("\n".join(text[-3:]) + "\n" + result.err, 12)))
    passed, failed, skipped = map(int, last.groups())
    if result.code != 0 and not failed:
        failed = 1
    lines = [line for line in text + result.err.splitlines()
             if line.startswith(("FAIL", "skip", "SKIP")) or "Sanitizer" in line or "runtime error" in line]
    return harness.Counts(passed, failed, skipped, lines[:20])
