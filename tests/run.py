#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests and counts them: `tests/run.py [--quick] [--only REGEX] [-j N] [-v] [GROUP ...]`.

Groups, in the order they run, are the modules of GROUPS; each says what it holds. The last line is
`N passed, N failed, N skipped`; a skip says why. Exit status 1 when anything failed.
A test that matches a row of not_yet.txt and fails is counted as skipped, with the row's reason; one that passes
all the same is counted as passed, and the row is named so that it gets removed.
IREE_TEST_BUILD picks the build to test (build, build/asan, ...), IREE_VENV the upstream wheels.
"""
import argparse
import collections
import concurrent.futures
import importlib
import os
import re
import sys
import time
import traceback

import harness

GROUPS = (
    "rules", "unit", "golden", "diagnostics", "e2e", "modules",
    "trace", "docs", "terminal", "memory",
    "parameters", "debugging",
    "numerics", "cross", "capi", "python", "compat.matrix", "compat.tools", "compat.models",
    "report",
    "compat.releases",
    "compat.cases",
    "cases", "randomized.kept", "fuzz",
)
QUICK = ("rules", "unit", "golden", "diagnostics", "e2e", "trace", "docs")
FULL = tuple(g for g in GROUPS if g not in ("compat.cases", "fuzz"))  # long, and with builds of its own: make compat, make fuzz


def outcome(function):
    """(passed, failed, skipped, text) of one test."""
    try:
        counts = function()
    except harness.Skip as skip:
        return 0, 0, 1, str(skip)
    except harness.Fail as fail:
        return 0, 1, 0, str(fail)
    except Exception:  # a bug of the test is a failure too
        return 0, 1, 0, traceback.format_exc(limit=4)
    if counts is None:
        return 1, 0, 0, ""
    return counts.passed, counts.failed, counts.skipped, "\n      ".join(counts.lines)


def not_yet():
    """[(pattern, reason)] of tests for what the tree does not have yet."""
    path = harness.ROOT / "tests" / "not_yet.txt"
    rows = [line.split(None, 1) for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    return [(re.compile(pattern), reason.strip()) for pattern, reason in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=" ".join(GROUPS))
    parser.add_argument("--quick", action="store_true", help="what runs in under a minute")
    parser.add_argument("--only", default="", help="tests whose name matches")
    parser.add_argument("-j", type=int, default=min(os.cpu_count() or 1, 8), help="tests at a time")
    parser.add_argument("-v", action="store_true", help="name the tests that pass, too")
    parser.add_argument("--cases", default=str(harness.CASES), help="folder of cases")
    parser.add_argument("--iterations", type=int, default=2000, help="inputs of each fuzz target")
    parser.add_argument("--seconds", type=int, default=0, help="time for each fuzz target, at most")
    parser.add_argument("--seed", type=int, default=1, help="of the fuzz targets")
    options = parser.parse_args()
    for name in options.groups:
        if name not in GROUPS:
            parser.error("no group '%s'; there are: %s" % (name, " ".join(GROUPS)))
    pending, early = not_yet(), collections.Counter()
    total, skips, failures, start = [0, 0, 0], collections.Counter(), [], time.time()
    for group in options.groups or (QUICK if options.quick else FULL):
        counts = [0, 0, 0]
        began = time.time()
        todo = [(n, f) for n, f in importlib.import_module(group).tests(options)
                if re.search(options.only, group + "/" + n)]
        with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
            results = pool.map(lambda t: (t[0], outcome(t[1])), todo)
            for name, (passed, failed, skipped, text) in results:
                row = next((r for r in pending if r[0].fullmatch(group + "/" + name)), None)
                if row and failed:
                    if options.v:
                        print("not yet %s/%s: %s" % (group, name, text), flush=True)
                    failed, skipped, text = 0, skipped + failed, "not yet: " + row[1]
                elif row and passed:
                    early[row[0].pattern] += 1
                for i, n in enumerate((passed, failed, skipped)):
                    counts[i] += n
                if failed:
                    failures.append("%s/%s" % (group, name))
                    print("FAIL %s/%s: %s" % (group, name, text), flush=True)
                elif skipped and not passed:
                    skips[text] += skipped
                    if options.v:
                        print("skip %s/%s: %s" % (group, name, text), flush=True)
                elif options.v:
                    print("ok   %s/%s" % (group, name), flush=True)
                if passed and skipped:
                    skips[text or "skipped inside %s/%s" % (group, name)] += skipped
        print("%-14s %4d passed, %d failed, %d skipped  (%.1f s)" % (group, *counts, time.time() - began), flush=True)
        total = [a + b for a, b in zip(total, counts)]
    for reason, n in skips.most_common():
        print("skipped %d: %s" % (n, reason))
    for pattern, n in early.items():
        print("%d passed although not_yet.txt says: %s" % (n, pattern))
    for name in failures:
        print("failed: %s" % name)
    print("%.0f s" % (time.time() - start))
    print("%d passed, %d failed, %d skipped" % tuple(total))
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
