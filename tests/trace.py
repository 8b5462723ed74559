# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--trace=FILE: the timeline of a run is valid JSON whatever happens, nests, and names what ran, on each CPU driver."""
import json
import os
import re
import signal
import subprocess
import threading

import harness
import program

DEVICES = ("local-sync", "local-task")

SOURCES = {
    "add": """func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""",
    # Enough for the workers of local-task, in two waves.
    "large": """func.func @large(%a: tensor<1024x1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024x1024xf32>
  %1 = stablehlo.dot %0, %a : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %2 : tensor<1024xf32>
}
""",
    # Internal functions, and a failure in the innermost one: extents that do not match.
    "calls": """func.func private @inner(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> attributes {noinline} {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @outer(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = func.call @inner(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""",
}
ADD = ["--function=add", "--input=4xf32=1,2,3,4", "--input=4xf32=5,6,7,8"]
LARGE = ["--function=large", "--input=1024x1024xf32=0.5"]


def tests(options):
    for device in DEVICES:
        for test in (small, large, failing, upstream_module, asynchronous):
            yield "%s/%s" % (test.__name__, device), lambda test=test, device=device: test(device)
    for test in (killed, pipe, unwritable, full, closed_output, benchmark, off):
        yield test.__name__, test


def module(name, compiler=harness.ours, *flags):
    folder = harness.scratch("trace")
    source = program.once(folder / (name + ".mlir"), lambda part: part.write_text(SOURCES[name]))
    out = folder / ("%s%s%s.vmfb" % (name, "" if compiler is harness.ours else "-upstream", "-async" if flags else ""))
    return program.once(out, lambda part: harness.must([compiler("iree-compile"), source, *program.FLAGS, *flags, "-o", part]))


def traced(vmfb, device, args, name, tool="iree-run-module", code=0):
    """The events of a run."""
    path = harness.scratch("trace") / ("%s-%s.json" % (name, device))
    result = harness.run([harness.ours(tool), "--module=%s" % vmfb, "--device=" + device, *args, "--trace=%s" % path])
    if result.code != code:
        raise harness.Fail("exit %d\n%s" % (result.code, harness.tail(result.err)))
    return checked(path.read_bytes())


def checked(data):
    """Parses a trace and checks what holds for all: keys, nesting per thread, pairs of concurrent events."""
    events = json.loads(data)["traceEvents"]
    open_slices, begun = {}, {}
    for e in sorted((e for e in events if e["ph"] == "X"), key=lambda e: (e["ts"], -e["dur"])):
        stack = open_slices.setdefault(e["tid"], [])
        while stack and stack[-1]["ts"] + stack[-1]["dur"] <= e["ts"] + 1e-6:
            stack.pop()
        if stack and e["ts"] + e["dur"] > stack[-1]["ts"] + stack[-1]["dur"] + 2e-3:
            raise harness.Fail("%s ends after %s, which it began in" % (e, stack[-1]))
        e["parents"] = [p["name"] for p in stack]
        stack.append(e)
    for e in events:
        if e["ph"] == "b":
            begun[e["cat"], e["id"]] = e
        elif e["ph"] == "e":
            begin = begun.pop((e["cat"], e["id"]))
            if e["ts"] < begin["ts"]:
                raise harness.Fail("%s ends before it begins" % begin)
            begin["dur"] = e["ts"] - begin["ts"]
    if begun:
        raise harness.Fail("no end of %s" % list(begun.values()))
    named = {e["tid"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    if not {e["tid"] for e in events if e["ph"] != "M"} <= named:
        raise harness.Fail("threads without a name")
    return events


def of(events, category, name=""):
    found = [e for e in events if e.get("cat") == category and e["ph"] in "Xb" and re.search(name, e["name"])]
    if not found:
        raise harness.Fail("no %s %s among %s" % (category, name, sorted({e["name"] for e in events})))
    return found


def expect(ok, what):
    if not ok:
        raise harness.Fail(what)


def covered(inner, outer):
    """Each slice of |inner| lies within one of |outer|."""
    for e in inner:
        if not any(o["ts"] <= e["ts"] + 2e-3 and e["ts"] + e["dur"] <= o["ts"] + o["dur"] + 2e-3 for o in outer):
            raise harness.Fail("%s lies in none of %s" % (e, outer))


def small(device):
    events = traced(module("add"), device, ADD, "small")
    call, = of(events, "call", r"^module\.add$")
    expect("add.mlir:" in call["args"]["location"], "no place of %s" % call)
    of(events, "call", r"^module\.__init$")
    execute, = of(events, "import", r"^hal\.device\.queue\.execute")
    expect(execute["parents"] == ["module.add"] and "add.mlir:2:" in execute["args"]["location"], "misplaced: %s" % execute)
    dispatch, = of(events, "dispatch")
    expect("add_dispatch_0" in dispatch["name"] and dispatch["args"]["device"] == device, "wrong: %s" % dispatch)
    covered([dispatch], of(events, "command_buffer"))
    covered(of(events, "command_buffer"), of(events, "queue", "execute"))


def large(device):
    events = traced(module("large"), device, LARGE, "large")
    dispatches = of(events, "dispatch")
    covered(dispatches, of(events, "command_buffer"))
    groups = {}
    for e in dispatches:
        a = e["args"]
        groups.setdefault((e["name"], a["wave"], a["x"] * a["y"] * a["z"]), []).append((a["first_workgroup"], a["workgroups"]))
    for (name, _, count), parts in groups.items():
        expect(sum(n for _, n in parts) == count, "%s: parts %s of %d workgroups" % (name, sorted(parts), count))
    threads = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    ran = {threads[e["tid"]] for e in dispatches}
    if device == "local-sync":
        expect(ran == {"main"}, "ran on %s" % ran)
    else:
        expect(any(name.startswith("iree-worker-") for name in ran), "ran on %s" % ran)
        expect(any(e["ph"] == "b" for e in of(events, "command_buffer")), "no command buffer runs beside the program")


def failing(device):
    """The run ends in the middle of calls; all of them are there, ended."""
    events = traced(module("calls"), device, ["--function=outer", "--input=3xf32=1", "--input=4xf32=2"], "failing", code=1)
    of(events, "call", r"^module\.outer$")
    events = traced(module("calls"), device, ["--function=outer", "--input=3xf32=1", "--input=3xf32=2"], "calls")
    of(events, "dispatch")


def upstream_module(device):
    events = traced(module("add", harness.upstream), device, ADD, "upstream")
    of(events, "call", r"^module\.add$")
    expect("add_dispatch_0" in of(events, "dispatch")[0]["name"], "no dispatch")


def asynchronous(device):
    events = traced(module("large", harness.ours, "--iree-execution-model=async-external"), device, LARGE, "asynchronous")
    covered(of(events, "dispatch"), of(events, "command_buffer"))
    of(events, "queue", "execute")


def killed():
    """A program that dies leaves what it has written so far, as valid JSON."""
    path = harness.scratch("trace") / "killed.json"
    path.unlink(missing_ok=True)
    process = subprocess.Popen([harness.ours("iree-benchmark-module"), "--module=%s" % module("add"), "--device=local-sync", *ADD,
                                "--benchmark_min_time=1000000x", "--trace=%s" % path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(500):
            if path.exists() and path.stat().st_size > 200000:
                break
            threading.Event().wait(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    expect(len(of(checked(path.read_bytes()), "dispatch")) > 10, "too little")


def pipe():
    """What cannot seek gets the end once."""
    read, write = os.pipe()
    process = subprocess.Popen([harness.ours("iree-run-module"), "--module=%s" % module("add"), "--device=local-sync", *ADD,
                                "--trace=/dev/fd/%d" % write], pass_fds=[write], stdout=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        data = stream.read()
    expect(process.wait() == 0, "exit %d" % process.returncode)
    of(checked(data), "dispatch")


def unwritable():
    result = harness.run([harness.ours("iree-run-module"), "--module=%s" % module("add"), *ADD, "--trace=/nonexistent/t.json"])
    expect(result.code == 1 and "--trace" in result.err and "/nonexistent/t.json" in result.err, result.err)


def closed_output():
    """With stdout closed the results are lost, with an error, and do not land in the trace."""
    out = harness.scratch("trace") / "closed.json"
    command = [harness.ours("iree-run-module"), "--module=%s" % module("add"), *ADD, "--trace=%s" % out]
    result = harness.run(["sh", "-c", '"$@" >&-', "sh", *command])
    if result.code != 1 or "output" not in result.err:
        raise harness.Fail("exit %d: %s" % (result.code, result.err))
    json.loads(out.read_text())


def full():
    result = harness.run([harness.ours("iree-run-module"), "--module=%s" % module("add"), *ADD, "--trace=/dev/full"])
    expect(result.code == 1 and "cannot write all of the trace: No space left" in result.err, result.err)


def benchmark():
    events = traced(module("add"), "local-task", [*ADD, "--benchmark_min_time=5x"], "benchmark", tool="iree-benchmark-module")
    expect(len(of(events, "call", r"^module\.add$")) >= 5, "fewer calls than iterations")


def off():
    """Without the flag the runtime is told of no sink, and nothing is written."""
    folder = harness.scratch("trace", "off")
    harness.must([harness.ours("iree-run-module"), "--module=%s" % module("add"), *ADD], cwd=folder)
    expect(not list(folder.iterdir()), "files: %s" % list(folder.iterdir()))
