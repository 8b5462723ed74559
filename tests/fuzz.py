# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutated input under AddressSanitizer and UBSan: `make fuzz N=100000`, or a few of each in `make asan`.

Each tests/fuzz/<name>_fuzz.c is one target, run on mutations of the files of its row in CORPORA.
"""
import struct

import harness
import parameter_files
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
    """The programs by both compilers, and files of earlier releases."""
    return available(lambda p, who: p.compiled(who)) + sorted((harness.ROOT / "tests" / "releases").glob("*.vmfb"))


def sources():
    """Programs, goldens, and what the programs look like at later phases."""
    dumps = [available(lambda p, who: matrix.phase_dump(p, who, phase)) for phase in ("flow", "stream", "hal", "vm")]
    return [p.source_path() for p in program.programs() if p.name not in ("mlp", "ds_cnn")] + sum(dumps, []) + sorted(harness.ROOT.glob("compiler/**/test/*.mlir"))


def bytecode():
    """StableHLO artefacts of several versions, and the programs as upstream's tool writes them."""
    files = sorted(harness.ROOT.glob("compiler/**/test/**/*.mlirbc"))
    for p in program.programs():
        try:
            if p.name in PROGRAMS:
                files.append(harness.scratch("fuzz") / (p.name + ".mlirbc"))
                harness.must([harness.upstream("iree-opt"), "--emit-bytecode", p.source_path(), "-o", files[-1]])
        except (harness.Skip, harness.Fail):
            files.pop()
    return files


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


def irpa():
    """Archives with all kinds of entries, chained ones too."""
    entry, archive = parameter_files.irpa_entry, parameter_files.irpa_archive
    splat = entry(1, (0, 1), (0, 0), struct.pack("<Q16sB", 4096, b"\0\0\0\x40", 4), 0)
    one = entry(2, (1, 2), (3, 4), struct.pack("<QQ", 0, 16))
    two = entry(2, (0, 3), (0, 0), struct.pack("<QQ", 64, 3))
    whole = archive([splat, one, entry(0, (0, 0), (0, 0), b""), two], b"abcmeta", bytes(67))
    chained = archive([splat], b"a", b"", 256).ljust(256, b"\0") + archive([two], b"xyz", bytes(80))
    return texts("irpa", [whole, chained, archive([], b"", b"")])


def gguf():
    """Files of both versions with every kind of pair."""
    text, file = parameter_files.gguf_string, parameter_files.gguf_file
    pairs = (text(b"general.alignment") + struct.pack("<II", 4, 64), text(b"s") + struct.pack("<I", 8) + text(b"value"),
             text(b"a") + struct.pack("<IIQ", 9, 5, 2) + bytes(8), text(b"t") + struct.pack("<IIQ", 9, 8, 2) + text(b"x") + text(b""),
             text(b"d") + struct.pack("<Id", 12, 1.0), text(b"b") + struct.pack("<IB", 7, 1))
    tensors = (text(b"w") + struct.pack("<IQQIQ", 2, 4, 2, 0, 0), text(b"q") + struct.pack("<IQIQ", 1, 64, 2, 64),
               text(b"s") + struct.pack("<IIQ", 0, 16, 0))
    return texts("gguf", [file(3, pairs, tensors, bytes(128)), file(2, pairs[:2], tensors[:1], bytes(32)), file(3, (), (), b"")])


def safetensors():
    """Files whose headers have escapes, nesting, blanks."""
    heads = ['{"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"data_offsets":[16,16],"dtype":"F32","shape":[0]}}   ',
             '{ "__metadata__" : {"format":"pt","n":{"a":[1,-2.5e3,null,true,{}]}}, "a\\u00e9\\ud83d\\ude00\\n\\"" : {"data_offsets" : [ 4 , 8 ]} }', "{}"]
    return texts("safetensors", [struct.pack("<Q", len(head)) + head.encode() + bytes(16) for head in heads])


CORPORA = {"irpa": irpa, "gguf": gguf, "safetensors": safetensors, "vmfb": modules, "run": host_modules, "compile": sources,
           "elf": executables, "mlir": sources, "npy": arrays, "values": values, "flags": flags, "bytecode": bytecode}
TARGETS = {"bytecode": "mlir"}  # whose target has another name


def tests(options):
    for source in (harness.ROOT / "tests" / "fuzz").glob("*_fuzz.c"):
        if source.stem[:-len("_fuzz")] not in CORPORA:
            raise harness.Fail("%s has no row in CORPORA" % source.name)
    for name in sorted(CORPORA):
        yield name, lambda name=name: fuzz(name, options)


def fuzz(name, options):
    binary = harness.OUT / "fuzz" / (TARGETS.get(name, name) + "_fuzz")
    if not binary.exists():
        raise harness.Skip("fuzz targets are not built in this configuration (make fuzz)")
    limit = ["-n", options.iterations, *(["-seconds", options.seconds] if options.seconds else [])]
    result = harness.run([binary, *limit, "-seed", options.seed, *CORPORA[name]()], timeout=7200)
    if result.code != 0:
        raise harness.Fail("exit %d\n%s\n%s" % (result.code, harness.tail(result.err, 14), harness.tail("\n".join(result.err.splitlines()[-4:]), 4)))
