# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs end to end, by our tools alone: compiled, run on each CPU driver, against the stored values."""
import hashlib
import json
import os
import re
import subprocess

import diagnostics
import harness
import program

DEVICES = ("local-sync", "local-task")


def tests(options):
    for p in program.programs():
        for device in DEVICES:
            yield "%s/%s" % (p.name, device), lambda p=p, device=device: run(p, device)
        if p.dispatches is not None:
            yield p.name + "/dispatches", lambda p=p: dispatches(p)
        if p.name.startswith("while"):
            yield p.name + "/back-edge", lambda p=p: back_edge(p)
    yield "add/expected-output", expected_output
    yield "add/device-flags", device_flags
    yield "compile-report", compile_report
    yield "extents-are-told", extents_are_told
    yield "products-of-extents", products_of_extents
    yield "chain_128/deterministic", lambda: deterministic("chain_128")
    yield "two_functions/deterministic", lambda: deterministic("two_functions")
    yield "many_kernels/deterministic", lambda: deterministic("many_kernels")
    for kind in LONG:
        yield "linear/" + kind, lambda kind=kind: linear(kind)
    yield "shared-extents", shared_extents
    yield "thousands-of-arguments", thousands_of_arguments
    yield "global-addresses", global_addresses
    yield "no-device", no_device
    for name in LINKED:
        yield "%s/system-library" % name, lambda name=name: system_library(name)
    yield "static-library", static_library
    for name in STATIC:
        for device in DEVICES:
            yield "%s/allocations/%s" % (name, device), lambda name=name, device=device: allocations(name, device)
    for name, *row in FAILING:
        for device in DEVICES:
            yield "%s/fail-allocations/%s" % (name, device), lambda device=device, row=row: fail_allocations(device, *row)
    for compiler in program.TOOLCHAINS:
        for devices in (("local-task", "local-task"), ("local-sync", "local-task"), ("local-task", "local-sync")):
            yield "two-devices/%s/%s" % (compiler, "+".join(devices)), lambda compiler=compiler, devices=devices: two_devices(compiler, devices)
    yield "two-devices/one", one_device_of_two
    for flags, ok in TOPOLOGIES:
        yield "topology/" + "".join(flags), lambda flags=flags, ok=ok: topology(flags, ok)
    for device in DEVICES:
        for sharing in ("shared", "sessions", "instances"):
            yield "add/threads/%s/%s" % (device, sharing), lambda device=device, sharing=sharing: threads(device, sharing)
    for name, _ in HOST_CALLS:
        yield "host-only/" + name, lambda name=name: host_only(name)
    for device in DEVICES:
        yield "add/embed/" + device, lambda device=device: embed(device)


def run(p, device):
    module = p.compiled("ours")
    for i, call in enumerate(p.calls):
        program.check(call, program.call("ours", module, call, device, tag="-%s-%d" % (device, i)))


LINKED = ("add", "softmax", "fft", "many_kernels")  # a table of constants, several objects


def system_library(name):
    """Kernels as a shared library of the system."""
    p = program.Program(program.FOLDER / (name + ".json"))
    module = p.compiled("ours", ["--iree-llvmcpu-link-embedded=false"], tag="-system")
    for i, call in enumerate(p.calls):
        program.check(call, program.call("ours", module, call, "local-task", tag="-system-%d" % i))


def static_library():
    """Kernels in an object file, which a C program is linked with; without a place for it, an error that says so."""
    folder = harness.scratch("static")
    source, command = folder / "simple_mul.mlir", [harness.ours("iree-compile"), *program.FLAGS, "--iree-llvmcpu-link-static"]
    source.write_text("func.func @simple_mul(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
                      "  %0 = stablehlo.multiply %a, %b : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")
    ended = harness.run([*command, source, "-o", folder / "none.vmfb"])
    if ended.code == 0 or "--iree-llvmcpu-static-library-output-path=" not in ended.err:
        raise harness.Fail("no place for the object: %r" % ended.err)
    harness.must([*command, "--iree-llvmcpu-static-library-output-path=%s" % (folder / "simple_mul.o"), source, "-o", folder / "simple_mul.vmfb"])
    tool = folder / "static_library"
    harness.must(["cc", "-I", harness.ROOT, "-I", harness.ROOT / "include", "-I", folder, harness.ROOT / "tests" / "static_library.c",
                  folder / "simple_mul.o", "-o", tool])
    out = harness.must([tool]).out
    if out != b"simple_mul_dispatch_0: 5 12 21 32\n":
        raise harness.Fail("prints %r" % out)


def products_of_extents():
    """A result whose extents multiply to 2^64 is refused before anything is written."""
    folder = harness.scratch("extents")
    source = folder / "outer.mlir"
    dot = '"stablehlo.dot_general"(%s, %s) {dot_dimension_numbers = #stablehlo.dot<>} : (%s, %s) -> %s'
    one, two, four = "tensor<?xi8>", "tensor<?x?xi8>", "tensor<?x?x?x?xi8>"
    source.write_text("func.func @outer(%%a: %s) -> %s {\n  %%1 = %s\n  %%2 = %s\n  return %%2 : %s\n}\n" % (
        one, four, dot % ("%a", "%a", one, one, two), dot % ("%1", "%1", two, two, four), four))
    harness.must([harness.ours("iree-compile"), source, *program.FLAGS, "-o", folder / "outer.vmfb"])
    ended = harness.run([harness.ours("iree-run-module"), "--module=%s" % (folder / "outer.vmfb"), "--function=outer", "--input=65536xi8=1"])
    if ended.code != 1 or "stablehlo.dot_general: the extents asked for are negative or too large" not in ended.err:
        raise harness.Fail("exit %d: %s" % (ended.code, harness.tail(ended.err)))


def extents_are_told():
    """A check of extents that fails at run time names the op, both extents, and the place; with debug ops stripped, all but the extents."""
    folder = harness.scratch("extents")
    source = folder / "add.mlir"
    source.write_text("func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"
                      "  %0 = stablehlo.add %a, %b : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n")
    for flags, want in (((), r"stablehlo\.add: .*\(3 and 5\).*\n.*add\.mlir:2:"),
                        (("--iree-vm-bytecode-module-strip-debug-ops",), r"stablehlo\.add: [^()]*extent;")):
        harness.must([harness.ours("iree-compile"), source, *program.FLAGS, *flags, "-o", folder / "add.vmfb"])
        command = [harness.ours("iree-run-module"), "--module=%s" % (folder / "add.vmfb"), "--device=local-sync", "--function=add",
                   "--input=3xf32=1"]
        result = harness.run(command + ["--input=5xf32=1"])
        if result.code == 0 or not re.search(want, result.err):
            raise harness.Fail("exit %d: %s" % (result.code, result.err))
        harness.must(command + ["--input=3xf32=1", "--expected_output=3xf32=2"])


def compile_report():
    """What --compile-report says of a static and of a dynamic program."""
    reports = {}
    for name in ("add", "dynamic_batch", "ds_cnn"):
        p = program.Program(program.FOLDER / (name + ".json"))
        out = harness.scratch("report")
        harness.must([harness.ours("iree-compile"), p.source_path(), *program.FLAGS, "--compile-report=%s" % (out / (name + ".json")),
                      "-o", out / (name + ".vmfb")])
        r = reports[name] = json.loads((out / (name + ".json")).read_text())
        size = (out / (name + ".vmfb")).stat().st_size
        if r["file_bytes"] != size or sum(b["bytes"] for b in r["bytes"]) + r["table_bytes"] != size:
            raise harness.Fail("%s: bytes do not add up to %d" % (name, size))
        for n in r["neighbours"]:
            if not n["stop"] or not n["reason"].endswith("."):
                raise harness.Fail("%s: neighbours without a reason: %s" % (name, n))
        if not r["dispatches"] or not all(any("stablehlo." in s for s in d["sources"]) for d in r["dispatches"]):
            raise harness.Fail("%s: a dispatch without source ops" % name)
    (add,), (dynamic, *_) = reports["add"]["functions"], reports["dynamic_batch"]["functions"]
    stops = {(n["producer"].split("_dispatch_")[1].split("_")[0], n["reader"].split("_dispatch_")[1].split("_")[0]): n["stop"]
             for n in reports["ds_cnn"]["neighbours"]}
    if stops.get(("3", "4")) != "contraction" or stops.get(("14", "15")) != "repeated":
        raise harness.Fail("ds_cnn: reasons %s" % stops)
    if (add["peak_bytes"], add["peak_inexact"], [live["bytes"] for live in add["live_at_peak"]]) != (16, None, [16]):
        raise harness.Fail("add: %s" % add)
    if (add["memory_bytes"], add["memory_is_dynamic"], add["records_per_call"], add["shape_ops"]) != (16, False, False, 0):
        raise harness.Fail("add: %s" % add)
    if not dynamic["memory_is_dynamic"] or not dynamic["shape_ops"] or not reports["dynamic_batch"]["dispatches"][0]["dynamic_extents"]:
        raise harness.Fail("dynamic_batch: %s" % dynamic)


def disassembly(module, who="ours"):
    tool = program.TOOLCHAINS[who]("iree-dump-module")
    return harness.must([tool, "--output=disassembly", module]).out.decode()


def dispatches(p):
    found = len(re.findall(r"call.*\bhal\.command_buffer\.dispatch\b", disassembly(p.compiled("ours"))))
    if found != p.dispatches:
        raise harness.Fail("%d dispatch sites, want %d" % (found, p.dispatches))


def back_edge(p):
    """A loop stays a loop: some block branches to itself or to one that stands before it."""
    block = -1
    for line in disassembly(p.compiled("ours")).splitlines():
        label = re.match(r"\^bb(\d+):", line)
        block = int(label.group(1)) if label else block
        if any(int(target) <= block for target in re.findall(r"\^bb(\d+)\(", line)):
            return
    raise harness.Fail("no branch backwards in the bytecode")


def expected_output():
    """The tool's own comparison, both ways."""
    module = program.Program(program.FOLDER / "add.json").compiled("ours")
    command = [harness.ours("iree-run-module"), "--module=%s" % module, "--device=local-sync", "--function=add",
               "--input=4xf32=1,2,3,4", "--input=4xf32=5,6,7,8"]
    harness.must(command + ["--expected_output=4xf32=6 8 10 12"])
    if harness.run(command + ["--expected_output=4xf32=6 8 10 13"]).code == 0:
        raise harness.Fail("a wrong expected output is accepted")


def embed(device):
    """The C sample, which a program written for upstream's C API looks like."""
    tool = harness.OUT / "samples" / "embed"
    if not tool.exists():
        raise harness.Skip("samples are not built")
    out = harness.must([tool, diagnostics.good_module(), device]).out
    if out != b"4xf32=6 8 10 12\n":
        raise harness.Fail("prints %r" % out)


def device_flags():
    """The newer spelling of the same target gives a module that runs as well."""
    p = program.Program(program.FOLDER / "add.json")
    out = harness.scratch("programs") / "add_device.vmfb"
    harness.must([harness.ours("iree-compile"), p.source_path(), "--iree-hal-target-device=local",
                  "--iree-hal-local-target-device-backends=llvm-cpu", "-o", out])
    program.check(p.calls[0], program.call("ours", out, p.calls[0]))


def deterministic(name):
    """One SHA-256 whatever the folder, the file's name and the number of threads."""
    p = program.Program(program.FOLDER / (name + ".json"))
    hashes = set()
    for folder, file, threads in (("one", "a.mlir", ["--iree-compile-threads=1"]), ("two", "other.mlir", ["--iree-compile-threads=2"]),
                                  ("three", "a b.mlir", ["--mlir-disable-threading"]), ("four", "a.mlir", [])):
        path = harness.scratch("deterministic", name, folder) / file
        path.write_bytes(p.source_path().read_bytes())
        out = path.with_suffix(".vmfb")
        harness.must([harness.ours("iree-compile"), path, *program.FLAGS, "--iree-hal-executable-debug-level=0", *threads, "-o", out])
        hashes.add(hashlib.sha256(out.read_bytes()).hexdigest())
    if len(hashes) > 1:
        raise harness.Fail("hashes differ: %s" % " ".join(sorted(hashes)))


def op(name, i, t):
    return ["  %%x%d = stablehlo.%s %%x%d, %%y : %s" % (i + 1, name, i, t)]


LONG = {  # lines of step i, type
    "elementwise": (lambda i: op(("add", "multiply", "subtract")[i % 3], i, "tensor<16xf32>"), "tensor<16xf32>"),
    "scalars": (lambda i: op(("add", "multiply", "xor")[i % 3], i, "tensor<i32>"), "tensor<i32>"),
    "kernels": (lambda i: ["  %%c%d = stablehlo.constant dense<%d.5> : tensor<16xf32>" % (i, i),
                           "  %%s%d = stablehlo.add %%x%d, %%c%d : tensor<16xf32>" % (i, i, i),
                           "  %%x%d = stablehlo.optimization_barrier %%s%d : tensor<16xf32>" % (i + 1, i)], "tensor<16xf32>"),
}


def linear(kind):
    """A program four times as long takes no more than seven times as long to compile."""
    step, t = LONG[kind]
    times = []
    for n in (500, 2000):
        path = harness.scratch("linear") / ("%s-%d.mlir" % (kind, n))
        lines = ["func.func @f(%%x0: %s, %%y: %s) -> %s {" % (t, t, t), *[line for i in range(n) for line in step(i)], "  return %%x%d : %s" % (n, t), "}"]
        path.write_text("\n".join(lines) + "\n")
        child = subprocess.Popen([harness.ours("iree-compile"), str(path), *program.FLAGS, "--mlir-disable-threading", "-o", os.devnull])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise harness.Fail("exit %d" % child.returncode)
        times.append(usage.ru_utime)
    if times[1] > 7 * times[0] + 0.2:
        raise harness.Fail("%.2f s for 500 steps, %.2f s for 2,000" % tuple(times))


def thousands_of_arguments():
    """2,000 arguments and as many results, in one execution; the text of a phase says the same."""
    n, t = 2000, "tensor<4xf32>"
    text = "func.func @f(%s) -> (%s) {\n%s  return %s : %s\n}\n" % (
        ", ".join("%%a%d: %s" % (i, t) for i in range(n)), ", ".join([t] * n),
        "".join("  %%r%d = stablehlo.add %%a%d, %%a%d : %s\n" % (i, i, (i + 1) % n, t) for i in range(n)),
        ", ".join("%%r%d" % i for i in range(n)), ", ".join([t] * n))
    folder = harness.scratch("linear")
    source, stream, module = folder / "many.mlir", folder / "many.stream.mlir", folder / "many.vmfb"
    source.write_text(text)
    compiler = harness.ours("iree-compile")
    harness.must([compiler, source, "--compile-to=stream", "--iree-hal-target-backends=llvm-cpu", "-o", stream])
    harness.must([compiler, stream, "--compile-from=stream", "-o", module])
    result = harness.must([harness.ours("iree-run-module"), "--module=%s" % module, "--device=local-sync", "--function=f",
                           *("--input=4xf32=%d" % i for i in range(n))])
    values = re.findall(r"^4xf32=(\d+) ", result.out.decode(), re.M)
    if values != [str(i + (i + 1) % n) for i in range(n)]:
        raise harness.Fail("%d results, not the sums of neighbours:\n%s" % (len(values), harness.tail(result.out.decode())))


def global_addresses():
    """A global that is loaded through its address gives its value."""
    folder = harness.scratch("linear")
    source, module = folder / "address.mlir", folder / "address.vmfb"
    source.write_text("util.global private @g = dense<2.0> : tensor<4xf32>\nfunc.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                      "  %p = util.global.address @g : !util.ptr<tensor<4xf32>>\n"
                      "  %0 = util.global.load.indirect %p : !util.ptr<tensor<4xf32>> -> tensor<4xf32>\n"
                      "  %1 = stablehlo.add %a, %0 : tensor<4xf32>\n  return %1 : tensor<4xf32>\n}\n")
    harness.must([harness.ours("iree-compile"), source, "--iree-hal-target-backends=llvm-cpu", "-o", module])
    result = harness.must([harness.ours("iree-run-module"), "--module=%s" % module, "--device=local-sync", "--function=f", "--input=4xf32=1"])
    if b"4xf32=3 3 3 3" not in result.out:
        raise harness.Fail(result.out.decode())


def no_device():
    """A function that only passes a tensor on is compiled for no device."""
    folder = harness.scratch("linear")
    source, module = folder / "pass.mlir", folder / "pass.vmfb"
    source.write_text("func.func @f(%a: tensor<?xi32>) -> tensor<?xi32> {\n  return %a : tensor<?xi32>\n}\n")
    harness.must([harness.ours("iree-compile"), source, "-o", module])
    harness.must([harness.ours("iree-run-module"), "--module=%s" % module, "--device=local-sync", "--function=f", "--input=4xi32=1,2,3,4",
                  "--expected_output=4xi32=1,2,3,4"])


def shared_extents():
    """Arithmetic on extents in which each step reads the one before three times: 3^60 paths lead back to the extents, and none is walked twice."""
    path = harness.scratch("linear") / "shared_extents.mlir"
    lines = ["func.func @f(%a: tensor<?x?xf32>) -> tensor<2xi32> {"]
    for i in range(2):
        lines.append("  %%d%d = stablehlo.get_dimension_size %%a, dim = %d : (tensor<?x?xf32>) -> tensor<i32>" % (i, i))
        lines.append("  %%e%d = stablehlo.reshape %%d%d : (tensor<i32>) -> tensor<1xi32>" % (i, i))
    lines.append("  %v0 = stablehlo.concatenate %e0, %e1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>")
    for i in range(60):
        lines.append("  %%t%d = stablehlo.add %%v%d, %%v%d : tensor<2xi32>" % (i, i, i))
        lines.append("  %%v%d = stablehlo.subtract %%t%d, %%v%d : tensor<2xi32>" % (i + 1, i, i))
    path.write_text("\n".join([*lines, "  return %v60 : tensor<2xi32>", "}"]) + "\n")
    module = path.with_suffix(".vmfb")
    harness.must([harness.ours("iree-compile"), path, *program.FLAGS, "-o", module], timeout=30)
    harness.must([harness.ours("iree-run-module"), "--module=%s" % module, "--device=local-sync", "--function=f", "--input=3x5xf32=1",
                  "--expected_output=2xi32=3 5"])


STATIC = ("add", "softmax", "two_functions", "mlp", "ds_cnn", "while_count")  # programs whose shapes are all known


def allocations(name, device):
    """A call allocates nothing once it is warm: 450 calls allocate what 50 do."""
    if harness.OUT != harness.ROOT / "build":
        raise harness.Skip("allocations are counted in the release build")
    counter = program.once(harness.scratch("programs") / "count_allocations.so", lambda part: harness.must(
        ["cc", "-O1", "-shared", "-fPIC", harness.ROOT / "tests" / "count_allocations.c", "-o", part]))
    p = program.Program(program.FOLDER / (name + ".json"))
    call = p.calls[0]
    command = [harness.ours("iree-benchmark-module"), "--module=%s" % p.compiled("ours"), "--device=" + device, "--function=" + call["function"],
               *["--input=%s=%s" % (shape, values.split()[0]) for shape, _, values in (i.partition("=") for i in call["inputs"])]]
    few, many = (int(re.search(r"allocations (\d+)", harness.must([*command, "--benchmark_min_time=" + n],
                                                                 env={"LD_PRELOAD": str(counter)}).err).group(1)) for n in ("50x", "450x"))
    if many != few:
        raise harness.Fail("%d allocations in 400 calls" % (many - few))


def two_device_module(compiler):
    tool = program.TOOLCHAINS[compiler]("iree-compile")
    return program.once(harness.scratch("two-devices") / (compiler + ".vmfb"), lambda part: harness.must(
        [tool, harness.ROOT / "tests" / "two_devices.mlir", "--iree-hal-target-device=a=local[0]", "--iree-hal-target-device=b=local[1]",
         "--iree-hal-local-target-device-backends=llvm-cpu", "-o", part]))


def two_devices(compiler, devices):
    """Devices by order, tensors that go from one to the other."""
    harness.must([harness.ours("iree-run-module"), "--module=%s" % two_device_module(compiler), *["--device=" + d for d in devices],
                  "--function=f", "--input=4xf32=1 2 3 4", "--input=4xf32=1", "--expected_output=4xf32=3 8 15 24"])


def one_device_of_two():
    """A device that the command line lacks is an error of the module, which asks for it by its number."""
    result = harness.run([harness.ours("iree-run-module"), "--module=%s" % two_device_module("upstream"), "--device=local-task", "--function=f",
                          "--input=4xf32=1", "--input=4xf32=1"])
    if result.code != 1 or "device" not in result.err:
        raise harness.Fail("exit %d: %s" % (result.code, harness.tail(result.err)))


TOPOLOGIES = (
    (["--task_topology_group_count=3"], True),
    (["--task_topology_nodes=all", "--task_topology_max_group_count=1"], True),
    (["--task_topology_nodes=900"], False),
    (["--task_topology_performance_level=high"], True),
    (["--task_topology_performance_level=fast"], False),
    (["--task_topology_cpu_ids=0", "--task_topology_cpu_ids=0"], True),
    (["--task_worker_stack_size=262144", "--task_worker_spin_us=5"], True),
    (["--task_topology_mode=hyperthreads"], False),
)


def topology(flags, ok):
    """Workers as the flags say, on a program that needs them; a wrong value is an error that says so."""
    p = program.Program(program.FOLDER / "softmax.json")
    try:
        for i, call in enumerate(p.calls):
            program.check(call, program.call("ours", p.compiled("ours"), call, "local-task", flags, tag="-topology%s-%d" % ("".join(flags), i)))
    except harness.Fail as fail:
        if ok or not re.search(r"NOT_FOUND|INVALID_ARGUMENT", str(fail)):
            raise
    else:
        if not ok:
            raise harness.Fail("%s is accepted" % flags)


SANITIZERS = {"asan": "address", "ubsan": "undefined", "tsan": "thread"}


def linked(name):
    """tests/NAME.c with the runtime library of this build."""
    library = harness.OUT / "lib" / "libiree_runtime.a"
    if not library.exists():
        raise harness.Skip("%s is not built" % library.relative_to(harness.ROOT))
    flags = ["-fsanitize=" + SANITIZERS[harness.OUT.name]] if harness.OUT.name in SANITIZERS else []
    return program.once(harness.scratch("programs") / name, lambda part: harness.must(
        ["cc", "-O1", "-g", *flags, "-I", harness.ROOT / "include", "-I", harness.ROOT, harness.ROOT / "tests" / (name + ".c"), library,
         "-lpthread", "-lm", "-o", part]))


def compile_wide(out):
    source = out.with_suffix(".mlir")
    source.write_text("func.func @add(%a: tensor<40000xf32>, %b: tensor<40000xf32>) -> tensor<40000xf32> {\n"
                      "  %0 = stablehlo.add %a, %b : tensor<40000xf32>\n  return %0 : tensor<40000xf32>\n}\n")
    harness.must([harness.ours("iree-compile"), source, *program.FLAGS, "-o", out])


def threads(device, sharing):
    """16 threads, 1,000 calls each: small ones, and ones that local-task shares out."""
    module = program.Program(program.FOLDER / "add.json").compiled("ours")
    harness.must([linked("call_threads"), device, module, "module.add", "16", "1000", sharing, "4"], timeout=240)
    wide = program.once(harness.scratch("threads") / "add.vmfb", compile_wide)
    harness.must([linked("call_threads"), device, wide, "module.add", "16", "20", sharing, "40000"], timeout=240)


# Name, flags, program, function, inputs, code: constants, state, open extents, asynchronous calls, a second module, wrong shapes.
FAILING = (
    ("add", [], "add", "add", ["4", "4"], 0),
    ("while_count", [], "while_count", "accumulate", ["i32=3", "16"], 0),
    ("mlp", [], "mlp", "predict", ["1x784"], 0),
    ("state", [], "releases", "accumulate", ["4"], 0),
    ("dynamic", [], "releases", "project", ["3x4", "4x3"], 0),
    ("async", ["--iree-execution-model=async-external"], "add", "add", ["4", "4"], 0),
    ("async-dynamic", ["--iree-execution-model=async-external"], "releases", "project", ["3x4", "4x3"], 0),
    ("wrong-shape", [], "add", "add", ["4", "5"], 3),
    ("two-modules", [], "add,releases", "add", ["4", "4"], 0),
    ("parameters", [], "parameters", "step", ["4"], 0),
    ("release-3.0", [], "releases/3.0.vmfb", "accumulate", ["4"], 0),
    ("vmvx", ["vmvx"], "add", "add", ["4", "4"], 0),
    ("vmvx-constants", ["vmvx"], "mlp", "predict", ["1x784"], 0),
)


def fail_allocations(device, flags, names, function, inputs, code):
    """Load, call and unload, with each allocation failing once; |code|: how the calls end when none fails."""
    backend = "vmvx" if "vmvx" in flags else "llvm-cpu"
    flags = [flag for flag in flags if flag != backend]
    given = [flag for name in names.split(",") if not name.endswith(".vmfb")
             for call in program.Program(program.FOLDER / (name + ".json")).calls[:1] for flag in program.call_flags(call)]
    modules = [str(harness.ROOT / "tests" / name if name.endswith(".vmfb") else
                   program.Program(program.FOLDER / (name + ".json")).compiled("ours", flags, "".join(flags), backend)) for name in names.split(",")]
    module = "releases" if names.startswith("releases") else "module"
    out = harness.must([linked("fail_allocations"), device, ",".join(modules), "%s.%s" % (module, function), *inputs, *given]).out.decode()
    found = re.match(r"fails in any case, code (\d+)", out)
    if (int(found.group(1)) if found else 0) != code:
        raise harness.Fail("%s, where code %d is expected" % (out.splitlines()[0], code))


HOST_CALLS = (  # function, inputs, results
    ("reduced", (["12", "18"], "i32=2 i32=3")),
    ("sum", (["10"], "i64=285")),
    ("root", (["2"], "f64=1.41421")),
    ("clamp", (["-1", "1026"], "f32=0.367879 i64=256")),
)


def host_only(name):
    """Scalars and control flow without a device, on both runtimes."""
    source = harness.ROOT / "tests" / "fuzz" / "corpus" / "host.mlir"
    out = harness.scratch("programs", "ours") / "host.vmfb"
    program.once(out, lambda part: harness.must([harness.ours("iree-compile"), source, "--iree-execution-model=host-only", "-o", part]))
    inputs, wanted = dict(HOST_CALLS)[name]
    for who in program.TOOLCHAINS.values():
        try:
            tool = who("iree-run-module")
        except harness.Skip:
            continue
        text = harness.must([tool, "--module=%s" % out, "--function=" + name, *["--input=" + i for i in inputs]]).out.decode()
        found = " ".join(re.findall(r"\w+=\S+$", text, re.M))
        if found != wanted:
            raise harness.Fail("%s: %r, want %r" % (tool, found, wanted))
