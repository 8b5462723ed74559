#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a folder of cases: `tests/cases.py [DIR] [--only REGEX] [-v]`, DIR by default ../shared/cases.

DIR/manifest.json is a list of {name, module, function, inputs, outputs, expect?}; a case is the folder DIR/name with
the program and its arrays as .npy; an output without `atol` has to be equal. Each case ends as one of
pass, wrong (a result differs), refused (a clear error, exit code 1) or crash (a signal, no end, a sanitizer's report).
In `make check` each compiled case, with synchronous and with asynchronous calls, runs on both drivers, on our runtime and on
upstream's, and has to give the same; there what passed once (cases_passing.txt) has to pass, nothing may be wrong or crash, a
refusal is a skip, as are the runs that cases_upstream.txt lists with reasons. compat.cases does so with upstream's compiler.
"""
import argparse
import ast
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import re
import sys

import harness
import values

PASSING = harness.ROOT / "tests" / "cases_passing.txt"
EXCEPTIONS = harness.ROOT / "tests" / "cases_upstream.txt"
FLAGS = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"]
MODELS = {"sync": [], "async": ["--iree-execution-model=async-external"]}

# What runs each compiled module: (name, device, whose runtime).
RUNS = (("local-sync", "local-sync", "ours"), ("local-task", "local-task", "ours"), ("upstream", "local-sync", "upstream"),
        ("upstream-task", "local-task", "upstream"))


def tests(options):
    manifest = pathlib.Path(options.cases) / "manifest.json"
    if not manifest.exists():
        yield "all", lambda: harness.skip("no folder of cases at %s" % options.cases)
        return
    passing, rows = set(PASSING.read_text().split()), exceptions()
    for case in json.loads(manifest.read_text()):
        for model in MODELS:
            name = case["name"] + ("" if model == "sync" else "/" + model)
            yield name, lambda case=case, model=model: required(manifest.parent, case, model, case["name"] in passing, rows)


def exceptions():
    """[(pattern, reason)] of CASE/RUN where upstream's runtime is known to give something else."""
    rows = [line.split(None, 1) for line in EXCEPTIONS.read_text().splitlines() if line.strip() and line[0] != "#"]
    return [(re.compile(pattern), reason.strip()) for pattern, reason in rows]


def required(folder, case, model, has_to_pass, rows):
    passed, failed, skipped, lines = 0, 0, 0, []
    for (name, _, _), (status, text) in zip(RUNS, outcomes(folder, case, RUNS, model=model)):
        why = next((why for pattern, why in rows if pattern.fullmatch("%s/%s" % (case["name"], name))), None)
        if status == "pass":
            passed += 1
        elif status == "absent" or why or status == "refused" and not has_to_pass:
            skipped += 1
            lines.append(why or text if status != "refused" or why else "case refused: an op, type or form that is not supported yet")
        else:
            failed += 1
            lines.append("%s: %s: %s" % (name, status, text))
    return harness.Counts(passed, failed, skipped, lines if failed else lines[:1])


def outcome(folder, case, device="local-sync", runtime="ours", compiler="ours", model="sync"):
    """(status, one line) of one run."""
    return outcomes(folder, case, [("", device, runtime)], compiler, model)[0]


def outcomes(folder, case, runs, compiler="ours", model="sync"):
    """[(status, one line)] of each run of the module, which is compiled once."""
    work = harness.scratch("cases", "-".join([compiler, model] + [r[1] + r[2] for r in runs]), case["name"])
    module = work / "module.vmfb"
    compiled = compile_case(folder, case, module, compiler, model)
    if compiled[0] != "pass":
        rejected = case.get("expect") == "reject" and compiled[0] == "refused"
        return [("pass", compiled[1]) if rejected else (compiled[0], "compile: " + compiled[1]) for _ in runs]
    return [run(folder, case, work, module, device, runtime) for _, device, runtime in runs]


def compile_case(folder, case, module, compiler, model):
    source = folder / case["name"] / case["module"]
    return harness.ended([getattr(harness, compiler)("iree-compile"), source, *FLAGS, *MODELS[model], "-o", module], 120)


def call(folder, case, work, module, device, runtime):
    """([path of each result], how the run ended)."""
    command = [getattr(harness, runtime)("iree-run-module"), "--module=%s" % module, "--device=" + device, "--function=" + case["function"]]
    for i, rec in enumerate(case["inputs"]):
        dims, element = shape_of(rec["type"])
        path = work / ("in%d.bin" % i)
        path.write_bytes(pack(element, npy(folder / case["name"] / rec["file"])))
        tool_type = {"complex<f32>": "cf64", "complex<f64>": "cf128"}.get(element, element)
        command.append("--input=%s=@%s" % ("x".join(dims + [tool_type]), path))
    outs = [work / ("out%d.bin" % i) for i in range(len(case["outputs"]))]
    return outs, harness.ended(command + ["--output=@%s" % out for out in outs], 60)


def run(folder, case, work, module, device, runtime):
    try:
        outs, ran = call(folder, case, work, module, device, runtime)
    except harness.Skip as why:
        return "absent", str(why)
    if case.get("expect") == "reject":
        return ("wrong", "accepted") if ran[0] == "pass" else ("pass", ran[1]) if ran[0] == "refused" else ran
    if ran[0] != "pass":
        return ran[0], "run: " + ran[1]
    for i, rec in enumerate(case["outputs"]):
        _, element = shape_of(rec["type"])
        text = far(element, outs[i].read_bytes(), pack(element, npy(folder / case["name"] / rec["file"])), rec)
        if text:
            return "wrong", "result %d, %s: %s" % (i, rec["type"], text)
    return "pass", ""


def shape_of(text):
    """tensor<2x3xf32> -> (["2", "3"], "f32")"""
    body = re.fullmatch(r"tensor<(.*)>", text).group(1)
    dims = re.match(r"(?:\d+x)*", body).group()
    return dims.split("x")[:-1], body[len(dims):]


def npy(path):
    data = path.read_bytes()
    length = struct_u16(data, 8)
    header = ast.literal_eval(data[10:10 + length].decode("latin-1"))
    if header["fortran_order"]:
        raise harness.Fail("%s is in Fortran order" % path)
    return data[10 + length:]


def struct_u16(data, at):
    return int.from_bytes(data[at:at + 2], "little")


def pack(element, data):
    """The tools' bytes of an array: 4-bit integers, one to a byte in the file, go two to a byte."""
    if element.lstrip("us") != "i4":
        return data
    nibbles = [b & 15 for b in data] + [0] * (len(data) % 2)
    return bytes(a | b << 4 for a, b in zip(nibbles[::2], nibbles[1::2]))


def far(element, got, want, tolerance):
    """None when near enough, else one line."""
    if got == want:
        return None
    if len(got) != len(want):
        return "%d bytes, want %d" % (len(got), len(want))
    if element.lstrip("us") == "i4":
        return "packed 4-bit values differ"
    if element.startswith("complex"):
        element = element[8:-1]
    atol, rtol = tolerance.get("atol", 0.0), tolerance.get("rtol", 0.0)
    a, b = values.decode(element, got), values.decode(element, want)
    bad = [i for i in range(len(a)) if not (a[i] == b[i] or (a[i] != a[i] and b[i] != b[i]) or
           (math.isfinite(a[i]) and math.isfinite(b[i]) and abs(a[i] - b[i]) <= atol + rtol * abs(b[i])))]
    return "%d of %d differ; [%d] is %r, want %r" % (len(bad), len(a), bad[0], a[bad[0]], b[bad[0]]) if bad else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=str(harness.CASES))
    parser.add_argument("--only", default="", help="cases whose name matches")
    parser.add_argument("--device", default="local-sync")
    parser.add_argument("--runtime", default="ours", choices=("ours", "upstream"))
    parser.add_argument("--compiler", default="ours", choices=("ours", "upstream"))
    parser.add_argument("--model", default="sync", choices=MODELS)
    parser.add_argument("-j", type=int, default=min(os.cpu_count() or 1, 8))
    parser.add_argument("-v", action="store_true", help="say why each refused case is refused")
    parser.add_argument("--record", action="store_true", help="write the names of those that pass to cases_passing.txt")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    if not (folder / "manifest.json").exists():
        print("0 pass, 0 wrong, 0 refused, 0 crash, 1 skipped: no folder of cases at %s" % folder)
        return 0
    cases = [c for c in json.loads((folder / "manifest.json").read_text()) if re.search(options.only, c["name"])]
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        found = list(pool.map(lambda c: outcome(folder, c, options.device, options.runtime, options.compiler, options.model), cases))
    count = collections.Counter(status for status, _ in found)
    for case, (status, text) in zip(cases, found):
        if status in ("wrong", "crash") or options.v and status == "refused":
            print("%-8s %-34s %s" % (status, case["name"], text[:240]))
    if options.record:
        PASSING.write_text("\n".join(sorted(c["name"] for c, o in zip(cases, found) if o[0] == "pass")) + "\n")
    print(", ".join("%d %s" % (count[s], s) for s in ("pass", "wrong", "refused", "crash")))
    return 1 if count["wrong"] or count["crash"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except harness.Skip as why:
        sys.exit("cases: %s" % why)
