# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Goldens: the RUN lines of <folder>/test/*.{mlir,vmasm}, under lit and FileCheck (see lit.cfg.py)."""
import json

import harness


def tests(options):
    yield "lit", lit


def lit():
    lit = harness.upstream("lit")
    if not (harness.LLVM_BIN / "FileCheck").exists():
        raise harness.Skip("no FileCheck (run scripts/setup)")
    report = harness.scratch() / "lit.json"
    report.unlink(missing_ok=True)
    env = {"LIT_IREE_BIN": str(harness.BIN), "LIT_LLVM_BIN": str(harness.LLVM_BIN), "LIT_WORK": str(harness.scratch("lit"))}
    result = harness.run([lit, "-q", "-j2", "--allow-empty-runs", "--output", report, harness.ROOT / "tests"],
                         timeout=900, cwd=harness.ROOT, env=env)
    if "did not discover any tests" in result.err:
        raise harness.Skip("no goldens in the tree")
    if not report.exists():
        raise harness.Fail("lit wrote no report\n" + harness.tail(result.err, 10))
    tests = json.loads(report.read_text())["tests"]
    count = lambda *codes: sum(t["code"] in codes for t in tests)
    skipped = count("UNSUPPORTED", "SKIPPED", "XFAIL")
    passed = count("PASS", "FLAKYPASS")
    bad = [t for t in tests if t["code"] not in ("PASS", "FLAKYPASS", "UNSUPPORTED", "SKIPPED", "XFAIL")]
    lines = []
    for t in bad:
        lines += ["%s: %s" % (t["code"], t["name"])] + harness.tail(t.get("output", ""), 30).splitlines()[-12:]
    if not bad and skipped:
        lines = ["golden for a feature that this build lacks (lit UNSUPPORTED or XFAIL)"]
    return harness.Counts(passed, len(bad), skipped, lines)
