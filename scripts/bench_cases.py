#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile time and size over a folder of cases (tests/cases.py says how one looks), ours and upstream's interleaved:
`scripts/bench_cases.py [DIR] [--only REGEX] [--rounds N] [--worst N] [--reuse] [--clock cpu]`, DIR by default
../shared/cases.

Each case is compiled by both in turn with the same flags; a case counts when both compile it. A size is that of the file
less its constants, as iree-dump-module's ledger counts them. Prints the totals, then the cases
that are worst by ratio of time, by ratio of size, and by bytes above half of upstream's. --reuse takes the last
numbers of upstream's, which are kept in the build folder, so that only ours compiles.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import harness

FLAGS = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu-features=host", "--iree-hal-executable-debug-level=0",
         "--iree-input-demote-f64-to-f32=false"]
TOOLS = {"ours": harness.ours, "upstream": harness.upstream}


def manifest(folder):
    path = pathlib.Path(folder) / "manifest.json"
    if not path.exists():
        raise harness.Skip("no folder of cases at %s" % folder)
    return json.loads(path.read_text())


def constants(module):
    """The bytes of constants in a module, by our ledger."""
    ledger = harness.must([harness.ours("iree-dump-module"), "--output=ledger", module]).out.decode("utf8", "replace")
    row = re.search(r"(\d+) \|[^|]*\| constants$", ledger, re.M)
    return int(row.group(1)) if row else 0


def compiled(who, folder, case, rounds, clock):
    """(seconds, bytes, constant bytes), or None where it does not compile."""
    out = harness.scratch("bench", who) / "case.vmfb"
    best = None
    for _ in range(rounds):
        start = time.perf_counter()
        child = subprocess.Popen([TOOLS[who]("iree-compile"), str(pathlib.Path(folder) / case["name"] / case["module"]), *FLAGS, "-o", str(out)],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start if clock == "wall" else usage.ru_utime + usage.ru_stime
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            return None
        best = min(best or seconds, seconds)
    return best, out.stat().st_size, constants(out)


def measure(folder, only="", rounds=1, reuse=False, clock="wall"):
    """{name: {who: (seconds, bytes, constant bytes)}} of the cases that both compile."""
    kept = harness.scratch("bench") / "cases-upstream.json"
    known = json.loads(kept.read_text()) if reuse and kept.exists() else {}
    rows = {}
    for case in manifest(folder):
        if not re.search(only, case["name"]):
            continue
        row = {"ours": compiled("ours", folder, case, rounds, clock)}
        if case["name"] not in known:
            known[case["name"]] = compiled("upstream", folder, case, rounds, clock)
        row["upstream"] = known[case["name"]]
        if all(row.values()):
            rows[case["name"]] = row
    kept.write_text(json.dumps(known))
    return rows


def totals(rows):
    """{what: {who: total}}"""
    return {what: {who: sum(value(row[who]) for row in rows.values()) for who in TOOLS}
            for what, value in (("seconds", lambda r: r[0]), ("file", lambda r: r[1]), ("bytes", lambda r: r[1] - r[2]))}


def worst(rows, title, key, count):
    print("\n%s" % title)
    for name in sorted(rows, key=lambda n: -key(rows[n]))[:count]:
        ours, theirs = rows[name]["ours"], rows[name]["upstream"]
        print("  %-36s %7.1f of %7.1f ms (%.3f)   %6d of %6d B (%.3f)" % (
            name, ours[0] * 1e3, theirs[0] * 1e3, ours[0] / theirs[0], ours[1] - ours[2], theirs[1] - theirs[2],
            (ours[1] - ours[2]) / (theirs[1] - theirs[2])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=str(harness.CASES))
    parser.add_argument("--only", default="", help="cases whose name matches")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--worst", type=int, default=12)
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="whose time")
    options = parser.parse_args()
    rows = measure(options.folder, options.only, options.rounds, options.reuse, options.clock)
    print("%d cases that both compile" % len(rows))
    for what, row in totals(rows).items():
        print("  %-8s ours %.5g, upstream %.5g, ratio %.3f (1/%.1f)" % (what, row["ours"], row["upstream"], row["ours"] / row["upstream"],
                                                                   row["upstream"] / row["ours"]))
    worst(rows, "worst by time", lambda r: r["ours"][0] / r["upstream"][0], options.worst)
    worst(rows, "worst by size", lambda r: (r["ours"][1] - r["ours"][2]) / (r["upstream"][1] - r["upstream"][2]), options.worst)
    worst(rows, "most bytes above half", lambda r: (r["ours"][1] - r["ours"][2]) - (r["upstream"][1] - r["upstream"][2]) / 2, options.worst)


if __name__ == "__main__":
    try:
        main()
    except harness.Skip as why:
        sys.exit("bench_cases: %s" % why)
