#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a folder of test programs: `tests/conformance/run.py FOLDER [--only REGEX] [--runs local-sync,upstream]`.

FOLDER is one of a checkout that the user has: of openxla/stablehlo `stablehlo/tests/interpret`, `stablehlo/testdata`,
`stablehlo/testdata/quantized` or `stablehlo/testdata/dynamic`; of iree-org/iree `tests/e2e/stablehlo_ops`; or a folder of cases
with a manifest.json (tests/cases.py). The last line is `N passed, N failed, N skipped`. A test that fails and has a row in
reasons.txt is counted as skipped; --record writes the counts, and what is left with reasons, into docs/conformance.md.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[0:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "randomized")]
import dense  # noqa: E402
import harness  # noqa: E402
import ours  # noqa: E402
import report  # noqa: E402
import text  # noqa: E402
from elements import count, difference, pack, unpack  # noqa: E402

SUITES = {  # the end of a folder's path: name in the report
    "stablehlo/tests/interpret": "StableHLO, interpret", "stablehlo/testdata": "StableHLO, testdata",
    "stablehlo/testdata/quantized": "StableHLO, testdata/quantized", "stablehlo/testdata/dynamic": "StableHLO, testdata/dynamic",
    "tests/e2e/stablehlo_ops": "IREE, e2e/stablehlo_ops",
}


def suite_name(folder):
    path = str(folder.resolve())
    return next((name for end, name in SUITES.items() if path.endswith("/" + end)), folder.name)


def read(folder, only):
    """The cases of a folder: those of its files, of the folders below too where its own files have none."""
    deep = "testdata" not in folder.parts
    for path in sorted(folder.rglob("*.mlir") if deep else folder.glob("*.mlir")):
        name = str(path.relative_to(folder))[:-5]
        if not re.search(only, name):
            continue
        source = path.read_text()
        found = list(text.cases(source, name))
        if not found and "testdata" in folder.parts and "dynamic" in folder.parts:
            found = [text.Case(name, source, "main", None, [], [], None)]
        yield from found


def outcomes(case, work, runs):
    """[(outcome, one line)] of each run of a case, which is compiled once."""
    if case.skip:
        return [("skipped", case.skip)] * len(runs)
    source, module = work / (re.sub(r"\W", "_", case.name) + ".mlir"), work / (re.sub(r"\W", "_", case.name) + ".vmfb")
    source.write_text(case.text)
    try:
        arguments = [(dense.shape_of(t), dense.literal(literal, t)) for literal, t in case.arguments or []]
        results = [dense.shape_of(t) for t in case.results]
        wanted = [dense.literal(c.literal, case.results[c.got]) if c.literal is not None else None for c in case.checks]
    except dense.Unsupported as why:
        return [("skipped", str(why))] * len(runs)
    state, line = ours.ended([harness.ours("iree-compile"), source, *ours.FLAGS, "-o", module], 120)
    if state != "pass":
        return [(state, "compile: " + line)] * len(runs)
    if case.arguments is None:
        return [("pass", "")] * len(runs)
    inputs = []
    for i, ((element, shape), data) in enumerate(arguments):
        path = module.with_suffix(".in%d" % i)
        path.write_bytes(pack(element, data))
        inputs.append("--input=%s=@%s" % ("x".join([*map(str, shape), element.tool]), path))
    return [one(case, module, inputs, results, wanted, *r) for r in runs]


def one(case, module, inputs, results, wanted, device, runtime):
    """(outcome, one line) of one run."""
    outs = [module.with_suffix(".out%d" % i) for i in range(len(results))]
    for out in outs:
        out.unlink(missing_ok=True)
    state, line = ours.ended([getattr(harness, runtime)("iree-run-module"), "--module=%s" % module, "--device=" + device, "--function=" + case.function,
                              *inputs, *("--output=@%s" % out for out in outs)], 60)
    if state != "pass":
        return state, "run: " + line
    got = [unpack(e, out.read_bytes(), count([d or 0 for d in shape])) if None not in shape else out.read_bytes() for (e, shape), out in zip(results, outs)]
    for c, want in zip(case.checks, wanted):
        element = results[c.got][0]
        if c.kind in ("true", "false", "all_true"):
            line = None if all(got[c.got]) == (c.kind != "false") else "is not " + c.kind
        else:
            line = difference(element, got[c.got], got[c.want] if want is None else want, c.limit if element.kind in "fc" else "exact")
        if line:
            return "wrong", "result %d, %s: %s" % (c.got, case.results[c.got], line)
    return "pass", ""


def reasons():
    rows = [line.split(None, 1) for line in (HERE / "reasons.txt").read_text().splitlines() if line.strip() and line[0] != "#"]
    return [(re.compile(pattern), why.strip()) for pattern, why in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="files whose name matches")
    parser.add_argument("--runs", default="local-sync", help="what runs each compiled test, of %s" % ",".join(RUNS))
    parser.add_argument("--revision", default="", help="what the report calls the checkout's state")
    parser.add_argument("--json", type=pathlib.Path, help="write all outcomes to a file")
    parser.add_argument("--record", action="store_true", help="write the counts into docs/conformance.md")
    parser.add_argument("--outcomes", type=pathlib.Path, help="take the outcomes from a file that --json wrote, run nothing")
    parser.add_argument("-j", type=int, default=min(os.cpu_count() or 1, 8))
    parser.add_argument("-v", action="store_true", help="name what is skipped, too")
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit("conformance: no folder %s" % options.folder)
    name, start, failed = suite_name(options.folder), time.time(), 0
    if options.outcomes:
        found = json.loads(options.outcomes.read_text())
    else:
        found = run(name, options)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    for which, results in found.items():
        counts, results = judged(name, which, results, options)
        failed += counts["failed"]
        if options.record:
            report.record(name, which, options, counts, results)
        print("%s, %s: %.0f s" % (name, which, time.time() - start))
        print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    return 1 if failed else 0


RUNS = {"local-sync": ("local-sync", "ours"), "local-task": ("local-task", "ours"), "upstream": ("local-sync", "upstream"),
        "upstream-task": ("local-task", "upstream")}


def run(name, options):
    """{run: [(test, outcome, one line)]}"""
    names = options.runs.split(",")
    runs = [RUNS[n] for n in names]
    if (options.folder / "manifest.json").exists():  # a folder of cases
        import cases
        found = [c for c in json.loads((options.folder / "manifest.json").read_text()) if re.search(options.only, c["name"])]
        tests, work = [c["name"] for c in found], lambda c: cases.outcomes(options.folder, c, [("", *r) for r in runs])
    else:
        folder = harness.scratch("conformance", re.sub(r"\W+", "_", name), options.runs)
        found = list(read(options.folder, options.only))
        tests, work = [c.name for c in found], lambda c: outcomes(c, folder, runs)
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        results = list(pool.map(work, found))
    return {n: [(test, *r[i]) for test, r in zip(tests, results)] for i, n in enumerate(names)}


def judged(name, which, results, options):
    """({kind: count}, [(test, kind, one line)]); rows of reasons.txt make failures skips."""
    rows, counts, out = reasons(), {"passed": 0, "failed": 0, "skipped": 0}, []
    for test, state, line in results:
        why = next((why for pattern, why in rows if pattern.search("%s/%s/%s" % (name, which, test))), None)
        kind = "passed" if state == "pass" else "skipped" if state in ("skipped", "absent") or why else "failed"
        counts[kind] += 1
        out.append((test, kind, why or line))
        if kind == "failed" or options.v and kind == "skipped":
            print("%-8s %s %s: %s" % (state, which, test, (line + (" (%s)" % why if why else ""))[:300]), flush=True)
    return counts, out


if __name__ == "__main__":
    try:
        sys.exit(main())
    except harness.Skip as why:
        sys.exit("conformance: %s" % why)
