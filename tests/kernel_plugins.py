# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that import functions, and plugins that have them (tests/plugins): the same binaries on either runtime.

The modules are upstream's compiler's; a kernel of each calls @scale_workgroup.
"""
import shutil

import harness
import program

FOLDER = harness.ROOT / "tests" / "plugins"
# Ways to compile the program: flags and devices to run on.
MODELS = {
    "embedded": ([], ("local-sync", "local-task")),
    "system": (["--iree-llvmcpu-link-embedded=false"], ("local-sync",)),
    "inline-dynamic": (["--iree-execution-model=inline-dynamic"], ("",)),
}
CALL = ["--function=main", "--input=6xf32=1,2,3,4,5,6"]
LINK = ["-nostdlib", "-static", "-shared", "--no-undefined", "--gc-sections", "-z", "now", "-z", "relro", "--hash-style=sysv", "--build-id=none"]


def tests(options):
    for model, (_, devices) in MODELS.items():
        for runtime in ("ours", "upstream"):
            for kind in ("so", "sos"):
                for device in devices:
                    yield "/".join(filter(None, ("plugins", model, runtime, kind, device))), (
                        lambda model=model, runtime=runtime, kind=kind, device=device: calls(model, runtime, [(kind, ())], device, 4))
    for runtime in ("ours", "upstream"):
        yield "plugins/last_wins/" + runtime, lambda runtime=runtime: calls(
            "embedded", runtime, [("so", ("-DFACTOR=9.0f",)), ("so", ())], "local-sync", 4)
        yield "plugins/first_has_it/" + runtime, lambda runtime=runtime: calls(
            "embedded", runtime, [("so", ()), ("sos", ('-DFUNCTION="other"',))], "local-sync", 4)
    yield "plugins/missing", missing
    yield "plugins/wrong", wrong


def need(*names):
    for name in names:
        if shutil.which(name):
            return name
    harness.skip("no %s on this machine" % names[0])


def plugin(kind, defines):
    """The plugin as a shared library (.so), or as an ELF file without imports (.sos)."""
    name = "".join(c for c in "scale" + "".join(defines) if c.isalnum()) + "." + kind
    compile_ = [need("clang-22", "gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC", "-fvisibility=hidden",
                "-I", harness.ROOT / "include", *defines, FOLDER / "scale.c"]

    def make(part):
        if kind == "so":
            return harness.must([*compile_, "-shared", "-o", part])
        linker, object_ = need("ld.lld-22", "ld.lld", "ld"), part.with_suffix(".o")
        harness.must([*compile_, "-ffreestanding", "-c", "-o", object_])
        return harness.must([linker, *LINK, object_, "-o", part])
    return program.once(harness.scratch("plugins") / name, make)


def module(model):
    return program.once(harness.scratch("plugins") / (model + ".vmfb"), lambda part: harness.must(
        [harness.upstream("iree-compile"), FOLDER / "scale.mlir", "--iree-hal-target-device=local",
         "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu-features=host", *MODELS[model][0], "-o", part]))


def invoke(model, runtime, specs, device):
    return harness.run([program.TOOLCHAINS[runtime]("iree-run-module"), "--module=%s" % module(model), *CALL,
                        *(["--device=" + device] if device else []), *("--executable_plugin=%s" % s for s in specs)])


def calls(model, runtime, plugins, device, factor):
    result = invoke(model, runtime, [plugin(*p) for p in plugins], device)
    expected = b"6xf32=" + b" ".join(b"%d" % (factor * i) for i in range(1, 7))
    if result.code or expected not in result.out:
        raise harness.Fail("exit %d, %s for %s\n%s" % (result.code, result.out.decode().strip(), expected.decode(), harness.tail(result.err)))


def refused(specs, *said):
    result = invoke("embedded", "ours", specs, "local-task")
    if result.code != 1 or any(s not in result.err for s in said):
        raise harness.Fail("exit %d, not all of %s\n%s" % (result.code, said, harness.tail(result.err)))


def missing():
    """What no plugin has is named, with the way out."""
    refused([], "NOT_FOUND", "'scale_workgroup'", "--executable_plugin=")
    refused([plugin("so", ('-DFUNCTION="other"',))], "NOT_FOUND", "'scale_workgroup'", "none of the 1 plugins", "--executable_plugin=")


def wrong():
    """Files that are no plugins: each error names the file or what it lacks."""
    refused(["/no/such.so"], "NOT_FOUND", "/no/such.so")
    refused(["no_such.so"], "NOT_FOUND", "write ./ before")
    refused(["embedded:/no/such.so"], "NOT_FOUND", "/no/such.so")
    refused(["libm.so.6"], "NOT_FOUND", "iree_hal_executable_plugin_query")
    refused(["embedded:%s" % (FOLDER / "scale.c")], "INVALID_ARGUMENT", "scale.c")
    refused(["%s" % (FOLDER / "scale.c")], "NOT_FOUND", "invalid ELF header")
    refused(["a&b.so"], "INVALID_ARGUMENT", "'&' ends")
    refused([""], "INVALID_ARGUMENT", "path of a plugin")
