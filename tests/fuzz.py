# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutated input under AddressSanitizer and UBSan: `make fuzz N=100000`, or a few of each in `make asan`.

Each tests/fuzz/<name>_fuzz.c is one target, run on mutations of the files of its row in CORPORA.
"""
import harness
import program
from compat import matrix


PROGRAMS = ("add", "branch", "dynamic_batch", "softmax", "two_functions", "while_nested")


def available(make):
    """What |make|(program, toolchain) gives for each program and both toolchains, those aside that cannot."""
    out = []
    for p in program.programs():
        for who in program.TOOLCHAINS:
            try:
                out += [make(p, who)] if p.name in PROGRAMS else []
            except (harness.Skip, harness.Fail):
                pass
    return out or harness.skip("no compiler to make a corpus with")


def modules():
    return available(lambda p, who: p.compiled(who))


def sources():
    """Programs, goldens, and what the programs look like at later phases."""
    dumps = [available(lambda p, who: matrix.phase_dump(p, who, phase)) for phase in ("flow", "stream", "hal", "vm")]
    return [p.source_path() for p in program.programs() if p.name not in ("mlp", "ds_cnn")] + sum(dumps, []) + sorted(harness.ROOT.glob("compiler/**/test/*.mlir"))


def host_modules():
    """Modules of bytecode alone, which may be called: all that scalar programs and vm instructions offer."""
    files = []
    for name, flag in (("host", "--iree-execution-model=host-only"), ("vm", "--compile-from=vm")):
        for tag, strip in (("", []), ("-bare", ["--iree-vm-emit-polyglot-zip=false", "--iree-vm-bytecode-module-strip-source-map"])):
            files.append(harness.scratch("fuzz") / ("%s%s.vmfb" % (name, tag)))
            harness.must([harness.ours("iree-compile"), harness.ROOT / "tests/fuzz/corpus" / (name + ".mlir"), flag, *strip, "-o", files[-1]])
    return files


def executables():
    """The ELF images inside the modules."""
    out = []
    for path in modules():
        data = path.read_bytes()
        at = data.find(b"\x7fELF")
        if at >= 0:
            file = harness.scratch("fuzz") / ("%s-%s.elf" % (path.parent.name, path.stem))
            file.write_bytes(data[at:at + 16384])
            out.append(file)
    return out


def texts(name, entries):
    """Small files, one per entry."""
    files = []
    for i, entry in enumerate(entries):
        files.append(harness.scratch("fuzz") / ("%s-%d" % (name, i)))
        files[-1].write_bytes(entry if isinstance(entry, bytes) else entry.encode())
    return files


def arrays():
    """.npy files: orders, types, several in one."""
    def npy(descr, order, shape, data, version=1):
        head = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n" % (descr, order, shape)).encode()
        return b"\x93NUMPY" + bytes([version, 0]) + len(head).to_bytes(2 if version == 1 else 4, "little") + head + data
    return texts("npy", [npy("<f4", "False", "(2, 3)", bytes(24)), npy(">i2", "True", "(2, 2, 2)", bytes(range(16)), 2),
                         npy(">c8", "False", "(1,)", bytes(8), 3), npy("|b1", "False", "()", b"\1") + npy("<V2", "True", "(0, 4)", b"")])


def values():
    return texts("values", ["4xf32=1 2 3 4", "2x3xi8=[[1 2 3][4 5 6]]", "f64=0x1p3", "4xi1=01 00 01 00", "3xi4=1 -2 3", "2x*16=1234 5678",
                            "8xbf16=nan", "2xf8E4M3FN=448 -0", "2x1x1xui64=18446744073709551615 0", "2xcf64=0000803F00000040"])


def flags():
    return texts("flags", ["--module=a.vmfb\n--device=local-sync\n--function=f\n--input=4xf32=1\n--input=7\n",
                           "# comment\n--expected_f32_threshold=1e-3\n--equality_mode=exact\n--output_max_element_count=5\n",
                           "--benchmark_min_time=0.3s\n--benchmark_context=a=b,c=d\n--benchmark_format=json\n--list_devices=x\n--trace_execution\n"])


CORPORA = {"vmfb": modules, "run": host_modules, "compile": sources, "elf": executables, "mlir": sources, "npy": arrays, "values": values, "flags": flags}


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
