# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of tests/programs: a source and a manifest each; compiled and run by either toolchain.

Manifest: `source` (path or .py generator; default <name>.mlir), `dispatches` (dispatch sites in the module), `calls`:
a list of {function, inputs, expected, ulp, atol}, values as in values.py, `?` shapes given by the values;
`upstream` says why upstream's compiler refuses the program. `parameters`: a list of [scope, format, {key: value}], files
that the calls are given.
"""
import hashlib
import json
import math
import pathlib
import threading

import harness
import parameter_files
import values

FOLDER = harness.ROOT / "tests" / "programs"
BACKENDS = {"llvm-cpu": ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu-features=host"],
            "vmvx": ["--iree-hal-target-backends=vmvx"]}
COMMON_FLAGS = ["--iree-input-demote-f64-to-f32=false"]
# Ways to run a program that only upstream's compiler makes: (its flags, devices to run on; none: without devices).
MODELS = {
    "vmvx": (BACKENDS["vmvx"], ("local-sync", "local-task")),
    "vmvx-microkernels": (BACKENDS["vmvx"] + ["--iree-vmvx-enable-microkernels"], ("local-sync", "local-task")),
    "inline-static": (["--iree-execution-model=inline-static", "--iree-hal-target-backends=vmvx-inline"], ("",)),
    "inline-dynamic": (["--iree-execution-model=inline-dynamic"] + BACKENDS["llvm-cpu"], ("",)),
    "inline-dynamic-vmvx": (["--iree-execution-model=inline-dynamic"] + BACKENDS["vmvx"], ("",)),
}
FLAGS = BACKENDS["llvm-cpu"] + COMMON_FLAGS
TOOLCHAINS = {"ours": harness.ours, "upstream": harness.upstream}

_guard, _locks = threading.Lock(), {}


class Program:
    def __init__(self, manifest):
        self.name = manifest.stem
        self.__dict__.update({"dispatches": None, "upstream": None, "parameters": []}, **json.loads(manifest.read_text()))
        for call in self.calls if self.parameters else ():
            call["flags"] = lambda: [self.parameter_flag(i) for i in range(len(self.parameters))]

    def parameter_flag(self, i):
        """The file of the i-th row of parameters, and the flag that names it."""
        scope, kind, rows = self.parameters[i]
        contents = parameter_files.FORMATS[kind]({key: values.parse(text)[2] for key, text in rows.items()})
        path = harness.scratch("programs") / ("%s-%d.%s" % (self.name, i, kind))
        return "--parameters=%s%s" % (scope + "=" if scope else "", once(path, lambda part: part.write_bytes(contents)))

    def source_path(self):
        """The MLIR text, generated when the manifest names a generator."""
        path = FOLDER / getattr(self, "source", self.name + ".mlir")
        if path.suffix != ".py":
            return path
        out = harness.scratch("programs") / (self.name + ".mlir")
        return once(out, lambda part: harness.must(["python3", path, part]))

    def compiled(self, who, flags=(), tag="", backend="llvm-cpu"):
        """The .vmfb of this program by "ours" or "upstream", compiled once per run of the tests."""
        if who == "upstream" and self.upstream:
            raise harness.Skip("upstream does not compile %s: %s" % (self.name, self.upstream))
        tool, source = TOOLCHAINS[who]("iree-compile"), self.source_path()
        out = harness.scratch("programs", who, backend) / ("%s%s.vmfb" % (self.name, tag))
        return once(out, lambda part: harness.must([tool, source, *BACKENDS[backend], *COMMON_FLAGS, *flags, "-o", part]))


def programs():
    return [Program(p) for p in sorted(FOLDER.glob("*.json"))]


def by_upstream(source, flags):
    """The .vmfb that upstream's compiler makes of a file, kept from run to run; Fail says why it makes none."""
    tool = harness.upstream("iree-compile")
    key = hashlib.sha256("\0".join([tool, *flags]).encode() + pathlib.Path(source).read_bytes()).hexdigest()[:24]
    out = harness.scratch("by_upstream") / (key + ".vmfb")
    refusal = out.with_suffix(".txt")
    if refusal.exists():
        raise harness.Fail(refusal.read_text())
    if out.exists():
        return out

    def make(part):
        status, text = harness.ended([tool, source, *flags, *COMMON_FLAGS, "-o", part], 120)
        if status != "pass":
            refusal.write_text(text)
            raise harness.Fail(text)
    return once(out, make)


_made = set()


def once(path, make):
    """Makes a file once per run, however many tests ask for it; a failure is raised in each of them."""
    with _guard:
        lock = _locks.setdefault(path, threading.Lock())
    with lock:
        if path not in _made:
            part = path.with_name("part." + path.name)
            make(part)
            part.rename(path)
            _made.add(path)
    return path


def call_flags(call):
    """What the runtime needs besides inputs."""
    return call.get("flags", list)()


def call(who, module, call, device="local-sync", flags=(), tag=""):
    """Runs one call of a manifest by the runtime of |who|, which may be a command; returns the raw bytes of each result."""
    tool = who if isinstance(who, list) else [TOOLCHAINS[who]("iree-run-module")]
    folder = harness.scratch("calls", "%s-%s-%s-%s%s" % (module.parent.name, module.stem, "".join(map(str, who))[:8], call["function"], tag))
    command = [*tool, "--module=%s" % module, "--device=" + device, "--function=" + call["function"], *flags, *call_flags(call)]
    for i, text in enumerate(call["inputs"]):
        if not values.full(text):
            (folder / ("in%d.bin" % i)).write_bytes(values.parse(text)[2])
            text = "%s=@%s" % (text.partition("=")[0], folder / ("in%d.bin" % i))
        command.append("--input=" + text)
    outs = [folder / ("out%d.bin" % i) for i in range(len(call["expected"]))]
    for out in outs:
        out.unlink(missing_ok=True)
    harness.must(command + ["--output=@%s" % out for out in outs])
    return [out.read_bytes() for out in outs]


def check(call, results, wanted=None):
    """Compares results with the manifest's expected values, or with |wanted| (bytes of each)."""
    for i, text in enumerate(call["expected"]):
        dims, element, data = values.parse(text)
        text = values.difference(element, results[i], wanted[i] if wanted else data, call.get("ulp", 0), call.get("atol", 0.0),
                                 math.prod(dims))
        if text:
            raise harness.Fail("@%s result %d: %s" % (call["function"], i, text))
