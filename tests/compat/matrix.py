# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our compiler and runtime against upstream's, both ways, for every program of tests/programs:
cells    {our compiler, upstream's} x {our runtime, upstream's} give the stored values
vmvx     so do kernels for the virtual machine
parse    each phase that we print parses in upstream's iree-opt
finish   ... and resumes in upstream's compiler to equal results
resume   upstream's flow, stream, hal and vm dumps resume in our compiler to equal results
same     --compile-to=P then --compile-from=P gives the bytes of the direct compile
disasm   our disassembly of upstream's file reads as upstream's
print    our iree-run-module prints what upstream's prints
docs/compat.md lists the exceptions of EXCEPTIONS with their reasons.
"""
import re

import harness
import program

PHASES = ("input", "abi", "preprocessing", "global-optimization", "dispatch-creation", "flow", "stream",
          "executable-sources", "executable-configurations", "executable-targets", "hal", "vm")
UPSTREAM_DUMPS = ("flow", "stream", "hal", "vm")

# Test names (regular expression) -> reason. Each is counted as a skip.
EXCEPTIONS = {
    r".*/finish/executable-targets": "our kernels are loops over vectors at this phase, upstream's are llvm functions",
    r"circular_far/vmvx/.*": "cosine is the C library's, off by 8 ulp at the argument of f64 that is nearest to a root",
    r"releases/disasm": "in the line of a function upstream numbers a 64-bit argument after a 32-bit one as if pairs were not aligned",
    r"fft/resume/(flow|stream)": "the stages of upstream's iree_linalg_ext.fft have no kernels here",
    r"sort_dynamic/finish/executable-configurations": "upstream's tiles, which bound memory inside of kernels, are chosen before this phase",
    r"elementwise_bool/finish/executable-configurations": "upstream's pipeline for kernels leaves arith.trunci on tensors alone",
}


def tests(options):
    for p in program.programs():
        yield from program_tests(p)


def program_tests(p):
    for compiler in ("ours", "upstream"):
        for runtime in ("ours", "upstream"):
            yield test(p, "cell/%s-compiler/%s-runtime" % (compiler, runtime), cell, compiler, runtime)
    for runtime in ("ours", "upstream"):
        yield test(p, "vmvx/ours-compiler/%s-runtime" % runtime, cell, "ours", runtime, "vmvx")
    for phase in PHASES:
        yield test(p, "parse/" + phase, parses, phase)
        yield test(p, "finish/" + phase, finishes, phase)
        yield test(p, "same/" + phase, same_bytes, phase)
    for phase in UPSTREAM_DUMPS:
        yield test(p, "resume/" + phase, resumes, phase)
    yield test(p, "disasm", disassembles)
    yield test(p, "print", prints)


def test(p, name, function, *args):
    name = "%s/%s" % (p.name, name)

    def run():
        for pattern, reason in EXCEPTIONS.items():
            if re.fullmatch(pattern, name):
                raise harness.Skip("exception: " + reason)
        function(p, *args)
    return name, run


def check_all(p, module, runtime):
    for i, call in enumerate(p.calls):
        program.check(call, program.call(runtime, module, call, tag="-%d" % i))


def cell(p, compiler, runtime, backend="llvm-cpu"):
    check_all(p, p.compiled(compiler, backend=backend), runtime)


def phase_dump(p, who, phase):
    """The text of |phase|, by --compile-to."""
    if who == "upstream" and p.upstream:
        raise harness.Skip("upstream does not compile %s: %s" % (p.name, p.upstream))
    tool, source = program.TOOLCHAINS[who]("iree-compile"), p.source_path()
    out = harness.scratch("phases", who) / ("%s.%s.mlir" % (p.name, phase))
    return program.once(out, lambda part: harness.must([tool, source, *program.FLAGS, "--compile-to=" + phase, "-o", part]))


def finished(p, who, phase, dump):
    """The module that |who| makes of a dump of |phase|."""
    tool = program.TOOLCHAINS[who]("iree-compile")
    out = harness.scratch("finished", who) / ("%s.%s.vmfb" % (p.name, phase))
    return program.once(out, lambda part: harness.must([tool, dump, *program.FLAGS, "--compile-from=" + phase, "-o", part]))


def parses(p, phase):
    harness.must([harness.upstream("iree-opt"), phase_dump(p, "ours", phase), "-o", "/dev/null"])


def finishes(p, phase):
    if p.upstream and PHASES.index(phase) < PHASES.index("executable-targets"):
        raise harness.Skip("upstream does not compile %s: %s" % (p.name, p.upstream))
    harness.upstream("iree-compile")
    check_all(p, finished(p, "upstream", phase, phase_dump(p, "ours", phase)), "upstream")


def same_bytes(p, phase):
    direct = p.compiled("ours", ["--iree-hal-executable-debug-level=0"], tag="-plain")
    source = p.source_path()
    tool = harness.ours("iree-compile")
    folder = harness.scratch("same")
    dump, out = folder / ("%s.%s.mlir" % (p.name, phase)), folder / ("%s.%s.vmfb" % (p.name, phase))
    flags = [*program.FLAGS, "--iree-hal-executable-debug-level=0"]
    harness.must([tool, source, *flags, "--compile-to=" + phase, "-o", dump])
    harness.must([tool, dump, *flags, "--compile-from=" + phase, "-o", out])
    if out.read_bytes() != direct.read_bytes():
        raise harness.Fail("%d bytes by way of %s differ from the %d of the direct compile" % (out.stat().st_size, phase, direct.stat().st_size))


def resumes(p, phase):
    harness.ours("iree-compile")
    check_all(p, finished(p, "ours", phase, phase_dump(p, "upstream", phase)), "ours")


def listing(who, module):
    """The lines of a disassembly. Upstream looks the name of its first internal function up in a table of one entry, which names
    `__init`; ours has no name for it."""
    text = harness.must([program.TOOLCHAINS[who]("iree-dump-module"), "--output=disassembly", module]).out.decode()
    text = re.sub(r"@(\w+):0\(", r"@\1.__init(", text.replace("vm.func @fn0(", "vm.func @__init("))
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def disassembles(p):
    module = p.compiled("upstream")
    ours, theirs = listing("ours", module), listing("upstream", module)
    for i in range(max(len(ours), len(theirs))):
        a, b = (lines[i] if i < len(lines) else "(end)" for lines in (ours, theirs))
        if a != b:
            raise harness.Fail("line %d\n      ours     %s\n      upstream %s" % (i + 1, a, b))


def prints(p):
    module = p.compiled("upstream")
    for call in p.calls:
        if not all(map(program.values.full, call["inputs"])):
            continue
        args = ["--module=%s" % module, "--device=local-sync", "--function=" + call["function"]] + ["--input=" + i for i in call["inputs"]] + program.call_flags(call)
        ours = harness.must([harness.ours("iree-run-module"), *args]).out
        theirs = harness.must([harness.upstream("iree-run-module"), *args]).out
        if ours != theirs:
            raise harness.Fail("@%s\n%s\n    where upstream prints\n%s" % (call["function"], harness.tail(ours.decode()), harness.tail(theirs.decode())))
