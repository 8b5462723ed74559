# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutated input under AddressSanitizer and UBSan: `make fuzz N=100000`, or a few of each in `make asan`.

Each tests/fuzz/<name>_fuzz.c is one target, run on mutations of the files of its row in CORPORA.
"""
import harness
import program


def modules():
    """Every program's module by our compiler, or by upstream's while ours is not there."""
    who = "ours" if (harness.BIN / "iree-compile").exists() else "upstream"
    return [p.compiled(who) for p in program.programs() if p.name not in ("mlp", "math_f64")]


def sources():
    return [p.source_path() for p in program.programs() if p.name != "mlp"] + sorted(harness.ROOT.glob("compiler/**/test/*.mlir"))


def executables():
    """The ELF images inside the modules."""
    out = []
    for path in modules():
        data = path.read_bytes()
        at = data.find(b"\x7fELF")
        if at >= 0:
            file = harness.scratch("fuzz") / (path.stem + ".elf")
            file.write_bytes(data[at:at + 16384])
            out.append(file)
    return out


CORPORA = {"vmfb": modules, "elf": executables, "mlir": sources}


def tests(options):
    for source in sorted((harness.ROOT / "tests" / "fuzz").glob("*_fuzz.c")):
        yield source.stem, lambda name=source.stem: fuzz(name, options.iterations)


def fuzz(name, iterations):
    binary = harness.OUT / "fuzz" / name
    if not binary.exists():
        raise harness.Skip("fuzz targets are not built in this configuration (make fuzz)")
    result = harness.run([binary, "-n", iterations, *CORPORA[name[:-len("_fuzz")]]()], timeout=3600)
    if result.code != 0:
        raise harness.Fail("exit %d\n%s\n%s" % (result.code, harness.tail(result.err, 14), harness.tail(result.err[-600:], 8)))
