#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes, compile times and call costs, ours and upstream's interleaved:
`scripts/bench.py [--only REGEX] [--rounds N] [--modules upstream] [--clock cpu]`.
With --modules upstream both runtimes run upstream's file, so that call costs compare the runtimes alone.
With --clock cpu times are the processor's, not the wall's, for a machine that others use, too; local-task keeps the wall's.

Prints one row per figure: ours, upstream's, the ratio, the goal. Times are the least of N interleaved rounds.
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
import bench_cases
import harness
import program

BASE = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu-features=host"]
PLAIN = BASE + ["--iree-hal-executable-debug-level=0"]
STRIPPED = PLAIN + ["--iree-vm-emit-polyglot-zip=false", "--iree-vm-bytecode-module-strip-debug-ops",
                    "--iree-vm-bytecode-module-strip-source-map", "--iree-opt-strip-assertions", "--iree-llvmcpu-debug-symbols=false"]
TOOLS = {"ours": harness.ours, "upstream": harness.upstream}
MLP_WEIGHTS = 4 * (784 * 128 + 128 + 128 * 10 + 10)
DS_CNN_WEIGHTS = 4 * (40 * 64 + 64 + 4 * (9 * 64 + 64 + 64 * 64 + 64) + 64 * 12 + 12)


def scalar_loop():
    return """func.func @count(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %mixed = stablehlo.xor %sum, %i : tensor<i32>
    %more = stablehlo.add %mixed, %next : tensor<i32>
    stablehlo.return %next, %more : tensor<i32>, tensor<i32>
  }
  return %last#1 : tensor<i32>
}
"""


def stages(count):
    lines = ["func.func @stages(%x0: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {"]
    for i in range(count):
        lines += ["  %%s%d = stablehlo.%s %%x%d, %%y : tensor<16xf32>" % (i, ("add", "multiply")[i % 2], i),
                  "  %%x%d = stablehlo.optimization_barrier %%s%d : tensor<16xf32>" % (i + 1, i)]
    return "\n".join(lines + ["  return %%x%d : tensor<16xf32>" % count, "}"]) + "\n"


MATMUL = """func.func @main(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
"""
CONV = """func.func @main(%x: tensor<1x56x56x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1],
      pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
"""


def source(name):
    """The path of a program of tests/programs, or of one that only this script measures."""
    own = {"scalar_loop": scalar_loop, "stages_64": lambda: stages(64), "matmul": lambda: MATMUL, "conv": lambda: CONV}
    if name not in own:
        return program.Program(program.FOLDER / (name + ".json")).source_path()
    path = harness.scratch("bench") / (name + ".mlir")
    path.write_text(own[name]())
    return path


def compiled(who, name, flags):
    out = harness.scratch("bench", who) / ("%s-%d.vmfb" % (name, len(flags)))
    harness.must([TOOLS[who]("iree-compile"), source(name), *flags, "-o", out])
    return out


def timed(command):
    """(seconds, peak bytes) of one process."""
    start = time.perf_counter()
    child = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start if options.clock == "wall" else usage.ru_utime + usage.ru_stime
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise harness.Fail(harness.tail(text.decode("utf8", "replace")))
    return seconds, usage.ru_maxrss * 1024


def interleaved(rounds, measure):
    """{who: least of each column}"""
    best = {}
    for _ in range(rounds):
        for who in TOOLS:
            new = measure(who)
            best[who] = tuple(map(min, best.get(who, new), new))
    return best


def size(name, flags, weights=0):
    return {who: compiled(who, name, flags).stat().st_size - weights for who in TOOLS}


def compile_cost(name, column, rounds):
    folder = harness.scratch("bench")
    best = interleaved(rounds, lambda who: timed([TOOLS[who]("iree-compile"), source(name), *PLAIN, "-o", folder / "out.vmfb"]))
    return {who: v[column] for who, v in best.items()}


def cases(what):
    """Totals over the folder of cases, compiled once."""
    if not measured:
        measured.update(bench_cases.totals(bench_cases.measure(harness.CASES, clock=options.clock)))
    return measured[what]


def call_cost(name, function, inputs, device, rounds):
    """Nanoseconds of one call."""
    modules = {who: compiled(options.modules or who, name, PLAIN) for who in TOOLS}

    def measure(who):
        out = harness.must([TOOLS[who]("iree-benchmark-module"), "--module=%s" % modules[who], "--device=" + device, "--function=" + function,
                            *["--input=" + i for i in inputs], "--benchmark_min_time=0.2s", "--benchmark_format=json", "--time_unit=ns"]).out
        row = json.loads(out[out.index(b"{"):])["benchmarks"][0]
        clock = "cpu_time" if options.clock == "cpu" and device == "local-sync" else "real_time"
        return (row[clock] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[row["time_unit"]],)
    return {who: v[0] for who, v in interleaved(rounds, measure).items()}


def python_cost(device, rounds):
    """Nanoseconds of one call of add from Python."""
    modules = {who: compiled(options.modules or who, "add", PLAIN) for who in TOOLS}
    packages = {"ours": str(harness.OUT / "python"), "upstream": ""}  # upstream's is the venv's own
    if not (harness.OUT / "python/iree/runtime/_native.abi3.so").exists():
        harness.skip("the package is not built (make python)")

    def measure(who):
        command = [harness.VENV / "bin/python", harness.ROOT / "scripts/bench_python.py", modules[who], device]
        return (float(harness.must(command, env={"PYTHONPATH": packages[who]}).out),)
    return {who: v[0] for who, v in interleaved(rounds, measure).items()}


def model(name, function, *inputs):
    return lambda n: scaled(call_cost(name, function, inputs, "local-sync", n), 1e-3)


VECTOR = ["4xf32=1", "4xf32=2"]
ROWS = [  # name, unit, goal, function of rounds
    ("size add", "B", "4300 B", lambda n: size("add", PLAIN)),
    ("size add, stripped", "B", "3300 B", lambda n: size("add", STRIPPED)),
    ("size mlp, without weights", "B", "1/2", lambda n: size("mlp", PLAIN, MLP_WEIGHTS)),
    ("size ds_cnn, without weights", "B", "1/2", lambda n: size("ds_cnn", PLAIN, DS_CNN_WEIGHTS)),
    ("size while_count", "B", "1/2", lambda n: size("while_count", PLAIN)),
    ("compile add", "ms", "1/15", lambda n: scaled(compile_cost("add", 0, n), 1e3)),
    ("compile mlp", "ms", "1/10", lambda n: scaled(compile_cost("mlp", 0, n), 1e3)),
    ("memory compiling add", "MB", "1/2", lambda n: scaled(compile_cost("add", 1, 1), 1e-6)),
    ("memory compiling mlp", "MB", "1/2", lambda n: scaled(compile_cost("mlp", 1, 1), 1e-6)),
    ("compile, all cases", "ms", "1/10", lambda n: scaled(cases("seconds"), 1e3)),
    ("size, all cases, without constants", "B", "1/2", lambda n: cases("bytes")),
    ("call add, local-sync", "us", "1/3", lambda n: scaled(call_cost("add", "add", VECTOR, "local-sync", n), 1e-3)),
    ("call add, local-task", "us", "1/6", lambda n: scaled(call_cost("add", "add", VECTOR, "local-task", n), 1e-3)),
    ("call add from Python, local-sync", "us", "1/5", lambda n: scaled(python_cost("local-sync", n), 1e-3)),
    ("call add from Python, local-task", "us", "1/5", lambda n: scaled(python_cost("local-task", n), 1e-3)),
    ("call 100,000 scalar trips", "us", "1/5", lambda n: scaled(call_cost("scalar_loop", "count", ["i32=100000"], "local-sync", n), 1e-3)),
    ("call 64 stages, local-sync", "us", "1/4", lambda n: scaled(call_cost("stages_64", "stages", ["16xf32=1", "16xf32=0.5"], "local-sync", n), 1e-3)),
    ("call 64 stages, local-task", "us", "1/4", lambda n: scaled(call_cost("stages_64", "stages", ["16xf32=1", "16xf32=0.5"], "local-task", n), 1e-3)),
    ("run mlp, local-sync", "us", "1", model("mlp", "predict", "1x784xf32=0.5")),
    ("run ds_cnn, local-sync", "us", "1", model("ds_cnn", "spot", "1x49x10x1xf32=0.5")),
    ("run matmul 512, local-sync", "us", "1", model("matmul", "main", "512x512xf32=0.5", "512x512xf32=0.25")),
    ("run conv2d 56x56x64, local-sync", "us", "1", model("conv", "main", "1x56x56x64xf32=0.5", "3x3x64x64xf32=0.1")),
]


def scaled(row, factor):
    return {who: value * factor for who, value in row.items()}


options = None
measured = {}


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name matches")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--modules", choices=("ours", "upstream"), help="whose compiler makes the modules of call costs")
    options = parser.parse_args()
    print("| what | ours | upstream | ratio | goal |\n| --- | --- | --- | --- | --- |")
    for name, unit, goal, measure in ROWS:
        if not re.search(options.only, name):
            continue
        try:
            row = measure(options.rounds)
            print("| %s | %.4g %s | %.4g %s | %.3f (1/%.1f) | %s |" % (name, row["ours"], unit, row["upstream"], unit, row["ours"] / row["upstream"],
                                                                   row["upstream"] / row["ours"], goal), flush=True)
        except (harness.Skip, harness.Fail) as why:
            print("| %s | %s | | | %s |" % (name, str(why).split("\n")[0][:80], goal), flush=True)


if __name__ == "__main__":
    main()
