# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our command-line tools against upstream's on modules that upstream compiled: equal stdout and exit codes.

run/...        iree-run-module: every element type, scalars, files, limits, expected values
error/...      the same for what is wrong: exit code 1, the same status name, nothing more on stdout
own/...        where we differ on purpose, each row with what we print (docs/compat.md)
files/...      files that --output= writes, byte by byte, and --input= reads
benchmark/...  iree-benchmark-module: names, columns, JSON keys and aggregates; no allocation in the loop
list/...       device listings
executable/... iree-benchmark-executable: rows, JSON keys, errors
dump/...       iree-dump-module: every output on upstream's files
embed/...      iree-c-embed-data: programs built from its files, and from upstream's, see the same
parameters/... tools of parameter archives (parameters.py)
flags/...      every flag of upstream's (flags.txt) works or says why it does not
"""
import json
import re
import shutil
import struct
import zipfile

import harness
import program
from compat import parameters

SOURCES = {
    # Results are the arguments themselves, so that text forms are all there is to see.
    "identity": "\n".join(
        "func.func @%s(%%a: tensor<%s>) -> tensor<%s> { return %%a : tensor<%s> }" % (name, type, type, type)
        for name, type in (
            ("f32", "?xf32"), ("f64", "?xf64"), ("f16", "?xf16"), ("bf16", "?xbf16"), ("i1", "?xi1"), ("i8", "?xi8"),
            ("i16", "?xi16"), ("i32", "?xi32"), ("i64", "?xi64"), ("c64", "?xcomplex<f32>"), ("c128", "?xcomplex<f64>"),
            ("e5m2", "?xf8E5M2"), ("e4m3", "?xf8E4M3FN"), ("e5m2z", "?xf8E5M2FNUZ"), ("e4m3z", "?xf8E4M3FNUZ"),
            ("r0", "f32"), ("r2", "?x?xf32"), ("r4", "?x?x?x?xi32"))) + """
func.func @scalars(%a: i32, %b: i64, %c: f32, %d: f64) -> (i32, i64, f32, f64) { return %a, %b, %c, %d : i32, i64, f32, f64 }
func.func @several(%a: tensor<4xf32>, %b: tensor<i64>, %c: i32) -> (tensor<4xf32>, tensor<i64>, i32) {
  return %a, %b, %c : tensor<4xf32>, tensor<i64>, i32
}
func.func @constant() -> tensor<2x2xf32> { %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> return %c : tensor<2x2xf32> }
func.func @number() -> i32 { %c = arith.constant 3 : i32 return %c : i32 }
func.func @nothing() { return }
""",
    "add": """func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""",
}
ASYNC = ("--iree-execution-model=async-external",)
A, B = "--input=4xf32=1,2,3,4", "--input=4xf32=5,6,7,8"


def module(name, *flags):
    folder = harness.scratch("tools")
    source = program.once(folder / (name + ".mlir"), lambda part: part.write_text(SOURCES[name]))
    return program.once(folder / ("%s%s.vmfb" % (name, "-async" if flags else "")), lambda part: harness.must(
        [harness.upstream("iree-compile"), source, *program.FLAGS, *flags, "-o", part]))


def identity(function, *args):
    return ("identity", (), ["--function=" + function, *args])


def inputs(function, *values):
    return identity(function, *("--input=" + v for v in values))


def add(*args):
    return ("add", (), list(args))


# name -> (module, flags of its compilation, arguments)
RUN = {
    "f32": inputs("f32", "12xf32=nan -nan inf -inf 1e10 3.14159265 1e-5 1e-45 -0 123456789 0.1 1000000"),
    "f64": inputs("f64", "6xf64=nan -nan 1e300 3.14159265358979 1e-320 -0"),
    "f16": inputs("f16", "7xf16=nan -nan 65504 65520 1e-8 0.1 -6.1e-5"),
    "bf16": inputs("bf16", "6xbf16=nan -nan 3e38 65520 1e-40 0.1"),
    "e5m2": inputs("e5m2", "6xf8E5M2=nan -nan 57344 65520 1e-8 0.1"),
    "e4m3": inputs("e4m3", "6xf8E4M3FN=nan -nan 448 65520 1e-8 0.1"),
    "e5m2z": inputs("e5m2z", "5xf8E5M2FNUZ=nan 57344 1e9 -0 0.1"),
    "e4m3z": inputs("e4m3z", "5xf8E4M3FNUZ=nan 240 1e9 -0 0.1"),
    "i8": inputs("i8", "4xi8=-128 255 0x10 010"),
    "i8-signs": inputs("i8", "3xsi8=-128 127 0"),
    "ui8": inputs("i8", "2xui8=200 0"),
    "i16": inputs("i16", "3xi16=-32768 65535 7"),
    "i32": inputs("i32", "2xi32=4294967295 -2147483648"),
    "ui32": inputs("i32", "2xui32=4294967295 0"),
    "i64": inputs("i64", "2xi64=-9223372036854775808 9223372036854775807"),
    "ui64": inputs("i64", "1xui64=18446744073709551615"),
    "i1": inputs("i1", "4xi1=01,00 01 00"),
    "i1-as-i8": inputs("i1", "2xi8=1 0"),
    "i1-byte": inputs("i1", "1xi1=ff"),
    "complex64": inputs("c64", "2xcf64=0000803F00000040 1122334455667788"),
    "complex128": inputs("c128", "1xcf128=000000000000F03F0000000000000040"),
    "opaque": inputs("i32", "2x*32=11223344"),
    "splat": inputs("f32", "5xf32=2.5"),
    "zeros": inputs("f32", "3xf32"),
    "zeros-equals": inputs("f32", "3xf32="),
    "empty": inputs("f32", "0xf32"),
    "rank0": inputs("r0", "f32=3"),
    "rank0-x": inputs("r0", "xf32=3"),
    "rank2-brackets": inputs("r2", "2x3xf32=[[1 2 3][4 5 6]]"),
    "rank2-commas": inputs("r2", "2x3xf32=1,2,3,4,5,6"),
    "rank4": inputs("r4", "1x2x1x3xi32=[[1 2 3][4 5 6]]"),
    "rank4-empty": inputs("r4", "2x0x1x3xi32"),
    "hex-float": inputs("f32", "1xf32=0x1p3"),
    "quoted": inputs("f32", "\"3xf32=1 2 3\""),
    "null": inputs("f32", "(null)"),
    "ignored": inputs("f32", "(ignored)"),
    "storage": inputs("f32", "&2xf32=1"),
    "scalars": inputs("scalars", "1", "-2", "3.5", "1e300"),
    "scalars-hex": inputs("scalars", "0x7f", "010", "nan", "-inf"),
    "scalars-null": inputs("scalars", "(null)", "(null)", "(ignored)", "(null)"),
    "several": inputs("several", "4xf32=1", "i64=7", "-1"),
    "constant": identity("constant"),
    "number": identity("number"),
    "nothing": identity("nothing"),
    "limit": identity("constant", "--output_max_element_count=3"),
    "limit-zero": identity("constant", "--output_max_element_count=0"),
    "limit-rank4": identity("r4", "--input=2x2x2x2xi32=1", "--output_max_element_count=5"),
    "more-than-1024": inputs("f32", "1030xf32=1"),
    "add": add(A, B),
    "add-named": add("--function=add", A, B),
    "add-sync-device": add("--device=local-sync", A, B),
    "add-mmap": add("--module_mode=mmap", A, B),
    "async": ("add", ASYNC, [A, B]),
    "outputs": identity("several", "--input=4xf32=1", "--input=i64=7", "--input=-1", "--output=-", "--output=", "--output=-"),
    "expected": add(A, B, "--expected_output=4xf32=6,8,10,12"),
    "expected-near": add(A, B, "--expected_output=4xf32=6.00001,8,10,12"),
    "expected-far": add(A, B, "--expected_output=4xf32=6.1,8,10,12"),
    "expected-exact": add(A, B, "--expected_output=4xf32=6.00001,8,10,12", "--equality_mode=exact"),
    "expected-threshold": add(A, B, "--expected_output=4xf32=6.1,8,10,12", "--expected_f32_threshold=0.5"),
    "expected-shape": add(A, B, "--expected_output=5xf32=6"),
    "expected-type": add(A, B, "--expected_output=4xi32=6"),
    "expected-ignored": add(A, B, "--expected_output=(ignored)"),
    "expected-nan": identity("f32", "--input=2xf32=nan 1", "--expected_output=2xf32=nan 1"),
    "expected-inf": identity("f32", "--input=1xf32=inf", "--expected_output=1xf32=-inf"),
    "expected-f16": identity("f16", "--input=1xf16=1", "--expected_output=1xf16=1.001"),
    "expected-bf16": identity("bf16", "--input=1xbf16=1", "--expected_output=1xbf16=1.5"),
    "expected-f64": identity("f64", "--input=1xf64=1", "--expected_output=1xf64=1.00005"),
    "expected-int": identity("i32", "--input=2xi32=1 2", "--expected_output=2xi32=1 3"),
    "expected-count": identity("several", "--input=4xf32=1", "--input=i64=7", "--input=-1", "--expected_output=4xf32=1"),
}

ERROR = {
    "too-few": add(A),
    "too-many": add(A, B, A),
    "shape": add("--input=5xf32=1", B),
    "rank": add("--input=2x2xf32=1", B),
    "scalar-shape": add("--input=f32=1", B),
    "type": add(A, "--input=4xi32=1"),
    "null": add(A, "--input=(null)"),
    "long": inputs("f32", "2xf32=1 2 3"),
    "short": inputs("f32", "3xf32=1 2"),
    "value-of-none": inputs("f32", "0xf32=1"),
    "bad-type": inputs("f32", "3yf32=1"),
    "bad-dim": inputs("f32", "-1xf32=1"),
    "i8-range": inputs("i8", "1xi8=-129"),
    "si8-range": inputs("i8", "1xsi8=200"),
    "complex-width": inputs("c64", "1xcf64=0000"),
    "no-value": inputs("f32", ""),
    "scalar-for-tensor": inputs("f32", "4"),
    "type-alone": inputs("r0", "f32"),
    "tensor-for-scalar": inputs("scalars", "i32=1", "1", "1", "1"),
    "scalar-text": inputs("scalars", "one", "1", "1", "1"),
    "too-many-expected": add(A, B, "--expected_output=4xf32=6,8,10,12", "--expected_output=4xf32=1"),
    "output-count": add(A, B, "--output=-", "--output=-"),
    "output-mode": add(A, B, "--output=file.npy"),
    "no-function": identity("nope"),
    "several-functions": ("identity", (), []),
    "device": add("--device=bogus", A, B),
    "device-path": add("--device=local-task://0", A, B),
    "npy-missing": inputs("f32", "@/nonexistent/x.npy"),
    "raw-missing": inputs("f32", "4xf32=@/nonexistent/x.bin"),
    "not-npy": inputs("f32", "@/etc/hostname"),
    "flag": add("--functoin=add"),
}

# What we do otherwise on purpose: arguments and our stdout.
OWN = {
    "scalar-expected": (identity("number", "--expected_output=3"),  # upstream never finds scalars equal
                        "EXEC @number\n[SUCCESS] all function outputs matched their expected values.\n"),
    "scalar-unexpected": (identity("number", "--expected_output=4"),
                          "EXEC @number\n[FAILED] result[0]: i32 values differ\n  expected: 4\n  actual: 3\n"),
    "bool-words": (inputs("i1", "4xi1=1 0 true false"),
                   "EXEC @i1\nresult[0]: hal.buffer_view\n4xi1=01 00 01 00\n"),
    "semicolons": (inputs("f32", "2xf32=1;2"), ""),  # upstream reads the 1 and drops the rest
    "bad-hex": (inputs("i1", "1xi1=zz"), ""),        # upstream reads 00
    "positional": (add(A, B, "add"), ""),            # upstream ignores it
    "bad-bool-flag": (add("--print_statistics=maybe", A, B), ""),
}


def tests(options):
    for name, case in RUN.items():
        yield "run/" + name, lambda case=case: same(case)
    for name, case in ERROR.items():
        yield "error/" + name, lambda case=case: same_error(case)
    for name, (case, text) in OWN.items():
        yield "own/" + name, lambda case=case, text=text: own(case, text)
    yield from (("files/" + f.__name__, f) for f in (npy_written, raw_written, npy_read, raw_read, appended, from_stdin))
    yield from (("benchmark/" + f.__name__, f) for f in (rows, json_keys, csv_header, selection, batches, all_functions, no_allocations))
    yield from (("executable/" + f.__name__, f) for f in (dispatches, dispatch_json, dispatch_errors, dispatch_flag_file))
    for name in ("add", "identity"):
        for args in DUMPS:
            yield "dump/%s/%s" % (name, " ".join(args)), lambda name=name, args=args: dump(name, args)
    yield "dump/errors", dump_errors
    yield from (("list/" + f.__name__, f) for f in (drivers, devices, help_text, statistics))
    yield "list/cpuinfo", cpuinfo
    yield from (("embed/" + f.__name__, f) for f in (embedded, embed_errors))
    yield from parameters.tests()
    yield "flags/iree-compile", compiler_flags
    for tool in set(flag_table()) - {"iree-compile"}:
        yield "flags/" + tool, lambda tool=tool: flags(tool)
    yield "flags/version", versions


def both(case, tool="iree-run-module"):
    name, flags, args = case
    tools = [harness.ours(tool), harness.upstream(tool)]
    path = module(name, *flags)
    return [harness.run([tool, "--module=%s" % path, *args], cwd=harness.scratch("tools")) for tool in tools]


def check(ok, what, *results):
    if not ok:
        raise harness.Fail(what + "".join("\n      exit %d\n%s\n%s" % (r.code, harness.tail(r.out.decode("utf8", "replace"), 9),
                                                                       harness.tail(r.err)) for r in results))


def same(case):
    ours, upstream = both(case)
    check(not harness.crashed(ours), "crash", ours)
    check((ours.code, ours.out) == (upstream.code, upstream.out), "ours, then upstream's:", ours, upstream)


STATUS = re.compile(r"\b[A-Z][A-Z_]{6,}\b(?=; |$)")


def same_error(case):
    ours, upstream = both(case)
    check(ours.code == 1 and not harness.crashed(ours), "want exit code 1", ours)
    check(upstream.code == 1, "upstream succeeds", ours, upstream)
    check(ours.out == upstream.out, "ours, then upstream's:", ours, upstream)
    check(len(ours.err.strip().splitlines()) <= 6, "more than six lines", ours)
    theirs = STATUS.search(upstream.err)
    if theirs and theirs.group() != "UNKNOWN":  # some failures of upstream's say less than ours
        check(theirs.group() in ours.err, "not %s:" % theirs.group(), ours, upstream)


def own(case, text):
    ours, _ = both(case)
    check(ours.out.decode() == text and ours.code == (0 if "result" in text or "SUCCESS" in text else 1) or
          "FAILED" in text and ours.out.decode() == text and ours.code == 1, "want\n" + text, ours)


# ---- files ------------------------------------------------------------------------------------------------

def outputs(args, name):
    """The file that --output=%s leaves, ours and upstream's."""
    found = []
    for who, tool in (("ours", harness.ours("iree-run-module")), ("upstream", harness.upstream("iree-run-module"))):
        path = harness.scratch("tools", who) / name
        path.unlink(missing_ok=True)
        harness.must([tool, *(a.replace("{}", str(path)) for a in args)])
        found.append(path.read_bytes())
    return found


def equal_files(args, name):
    ours, upstream = outputs(args, name)
    if ours != upstream:
        raise harness.Fail("%r is not upstream's %r" % (ours[:160], upstream[:160]))


def npy_written():
    for function, value in (("f32", "3xf32=1 2 3"), ("i8", "2xi8=1 2"), ("i64", "1xui64=7"), ("i1", "2xi1=01 00"),
                            ("f16", "2xf16=1"), ("c64", "1xcf64=0000803F00000040"), ("r0", "f32=2"), ("r2", "2x0xf32"),
                            ("r4", "1x2x3x4xi32=5")):
        equal_files(["--module=%s" % module("identity"), "--function=" + function, "--input=" + value, "--output=@{}"], "out.npy")
    equal_files(["--module=%s" % module("identity"), "--function=number", "--output=@{}"], "out.npy")


def raw_written():
    for function, value in (("f32", "3xf32=1 2 3"), ("i8", "2xi8=1 2"), ("r2", "2x0xf32")):
        equal_files(["--module=%s" % module("identity"), "--function=" + function, "--input=" + value, "--output=@{}"], "out.bin")


def appended():
    args = ["--module=%s" % module("identity"), "--function=several", "--input=4xf32=1", "--input=i64=7", "--input=-1",
            "--output=@{}", "--output=+{}", "--output=+{}"]
    equal_files(args, "several.npy")
    equal_files(args, "several.bin")


def read_back(name, specs):
    """Ours and upstream's read one file equally; it is written by ours."""
    path = harness.scratch("tools") / name
    harness.must([harness.ours("iree-run-module"), "--module=%s" % module("identity"), "--function=several", "--input=4xf32=1 2 3 4",
                  "--input=i64=7", "--input=-1", "--output=@%s" % path, "--output=+%s" % path, "--output="])
    for spec in specs:
        same(identity("several", *(a.replace("{}", str(path)) for a in spec)))


def npy_read():
    read_back("in.npy", (["--input=@{}", "--input=+{}", "--input=5"], ["--input=*{}", "--input=5"]))


def raw_read():
    read_back("in.bin", (["--input=4xf32=@{}", "--input=i64=+{}", "--input=5"], ["--input=4xf32=@{}", "--input=i64=@{}", "--input=5"]))


def from_stdin():
    """`-` is stdin: raw bytes, one array or several, the module."""
    tool, folder = harness.ours("iree-run-module"), harness.scratch("tools")
    raw = struct.pack("<4f", 1, 2, 3, 4)
    harness.must([tool, "--module=%s" % module("add"), "--function=add", A, B, "--output=@%s" % (folder / "sum.npy")])
    array = (folder / "sum.npy").read_bytes()
    for values, data, text in ((["4xf32=@-", "4xf32=10"], raw, "4xf32=11 12 13 14"), (["4xf32=@-", "4xf32=+-"], raw + raw, "4xf32=2 4 6 8"),
                               (["@-", "4xf32=1"], array, "4xf32=7 9 11 13"), (["*-"], array + array, "4xf32=12 16 20 24")):
        result = harness.must([tool, "--module=%s" % module("add"), "--function=add", *("--input=" + v for v in values)], stdin=data)
        check(result.out.decode().endswith(text + "\n"), "want " + text, result)
    result = harness.must([tool, "--module=-", "--function=add", A, B], stdin=module("add").read_bytes())
    check(result.out.decode().endswith("4xf32=6 8 10 12\n"), "want the sum", result)


# ---- benchmarks -------------------------------------------------------------------------------------------

QUICK = "--benchmark_min_time=3x"


def shape(text):
    """Numbers of a report turned into #, runs of spaces and dashes into one: what must be equal."""
    return re.sub(r"-{9,}", "-", re.sub(r" +", " ", re.sub(r"\d[\d.e+-]*[kMGmun]?", "#", text)))


def measured(args, name="identity", flags=()):
    ours, upstream = both((name, flags, args), "iree-benchmark-module")
    check(ours.code == 0 and upstream.code == 0, "want exit code 0", ours, upstream)
    return ours.out.decode(), upstream.out.decode()


def rows():
    for args in (["--function=number", QUICK], ["--function=number", QUICK, "--benchmark_repetitions=3", "--time_unit=ns"],
                 ["--function=number", QUICK, "--benchmark_repetitions=2", "--benchmark_report_aggregates_only"]):
        ours, upstream = measured(args)
        if shape(ours) != shape(upstream):
            raise harness.Fail("ours\n%s\nupstream's\n%s" % (ours, upstream))
        widths = [[line.index(word) + len(word) for word in ("Time", "CPU", "Iterations")]
                  for line in (ours.splitlines()[1], upstream.splitlines()[1])]
        if widths[0] != widths[1]:
            raise harness.Fail("columns end at %s, upstream's at %s" % tuple(widths))


def json_keys():
    ours, upstream = (json.loads(t) for t in measured(["--function=number", QUICK, "--benchmark_repetitions=2", "--benchmark_format=json"]))
    if list(ours["context"]) != list(upstream["context"]):
        raise harness.Fail("context %s, upstream's %s" % (list(ours["context"]), list(upstream["context"])))
    for a, b in zip(ours["benchmarks"], upstream["benchmarks"], strict=True):
        for key in b:
            if key not in ("real_time", "cpu_time", "items_per_second") and a.get(key) != b[key]:
                raise harness.Fail("%s is %r, upstream's %r" % (key, a.get(key), b[key]))
        if list(a) != list(b):
            raise harness.Fail("keys %s, upstream's %s" % (list(a), list(b)))
    path = harness.scratch("tools") / "out.json"
    measured(["--function=number", QUICK, "--benchmark_out=%s" % path])
    json.loads(path.read_text())


def csv_header():
    ours, upstream = measured(["--function=number", QUICK, "--benchmark_format=csv"])
    if shape(ours) != shape(upstream):
        raise harness.Fail("ours\n%s\nupstream's\n%s" % (ours, upstream))


def selection():
    for args in (["--benchmark_list_tests"], ["--benchmark_filter=num", QUICK], ["--benchmark_filter=-num", QUICK],
                 ["--benchmark_filter=nosuch", QUICK]):
        ours, upstream = measured(args)
        if shape(ours) != shape(upstream):
            raise harness.Fail("%s: ours\n%s\nupstream's\n%s" % (args, ours, upstream))


def batches():
    """Iterations count invocations, in whole batches."""
    for args, name, flags in ((["--function=number", "--batch_size=4"], "identity", ()),
                              (["--function=add", A, B, "--batch_size=7", "--batch_concurrency=2"], "add", ASYNC)):
        counts = [re.search(r"ms +(\d+) items", text).group(1)
                  for text in measured([*args, "--benchmark_min_time=100x"], name, flags)]
        if counts[0] != counts[1]:
            raise harness.Fail("%s iterations, upstream %s" % tuple(counts))


def all_functions():
    ours, upstream = measured([QUICK])
    if shape(ours) != shape(upstream):
        raise harness.Fail("ours\n%s\nupstream's\n%s" % (ours, upstream))


def no_allocations():
    """A call of a program with static shapes allocates nothing once it is warm, on either driver."""
    if harness.OUT != harness.ROOT / "build":
        raise harness.Skip("allocations are counted in the release build")
    counter = program.once(harness.scratch("tools") / "count_allocations.so", lambda part: harness.must(
        ["cc", "-O1", "-shared", "-fPIC", harness.ROOT / "tests" / "count_allocations.c", "-o", part]))
    tool = harness.ours("iree-benchmark-module")
    for name, args in (("add", ["--function=add", A, B]), ("identity", ["--function=constant"]), ("identity", ["--function=number"])):
        for device in ("local-sync", "local-task"):
            command = [tool, "--module=%s" % module(name), "--device=" + device, *args]
            few, many = (int(re.search(r"allocations (\d+)", harness.run([*command, "--benchmark_min_time=" + n],
                                                                         env={"LD_PRELOAD": str(counter)}).err).group(1))
                         for n in ("100x", "2100x"))
            if many > few:
                raise harness.Fail("%d allocations in 2000 calls: %s" % (many - few, harness.shown(command)))


# ---- dumps ------------------------------------------------------------------------------------------------

DUMPS = (["--output=metadata"], ["--output=disassembly"], ["--output=disassembly", "--bytecode_offsets"],
         ["--output=disassembly", "--function=1"], ["--output=flatbuffer-binary"], ["--output=flatbuffer-json"],
         ["--output=flatbuffer-json", "--pretty"])


def dump(name, args):
    ours, upstream = (harness.must([find("iree-dump-module"), *args, module(name)]).out for find in (harness.ours, harness.upstream))
    if "--pretty" in args:  # the same values; we indent every level alike
        ours, upstream = json.loads(ours), json.loads(upstream)
    elif "disassembly" in args[0]:
        ours, upstream = listing(ours), listing(upstream)
    if ours != upstream:
        raise harness.Fail("not upstream's: %r" % (ours[:200],))


def listing(text):
    """Upstream names its first internal function by a table that has one entry, `__init`, and shows wide parameters where the
    register before them ends, not in their even pairs."""
    text = re.sub(r"@(\w+):0\(", r"@\1.__init(", text.decode().replace("vm.func @fn0(", "vm.func @__init("))
    return re.sub(r"(vm\.func @\w+)\([^)]*\)", r"\1", text)


def dump_errors():
    tool = harness.ours("iree-dump-module")
    for args, text in (([], "expected one module file"), (["--output=foo", module("add")], "metadata, disassembly"),
                       (["--output=disassembly", "--function=nope", module("add")], "no function `nope`"),
                       (["--output=disassembly", "--function=99", module("add")], "no function `99`"), (["/nonexistent"], "/nonexistent"),
                       ([module("add"), module("add")], "expected one module file"), ([executable()], "INVALID_ARGUMENT")):
        result = harness.run([tool, *args])
        check(result.code == 1 and text in result.err, "want '%s'" % text, result)


# ---- executables ------------------------------------------------------------------------------------------

def executable():
    """The kernel of "add", out of the archive that upstream's modules are."""
    def extract(part):
        archive = zipfile.ZipFile(module("add"))
        name, = (n for n in archive.namelist() if n.endswith(".so"))
        part.write_bytes(archive.read(name))
    return program.once(harness.scratch("tools") / "add.so", extract)


def dispatch(*args, counts=("1,1,1", "2,1,1")):
    return ["--device=local-sync", "--executable_format=embedded-elf-x86_64", "--executable_file=%s" % executable(),
            "--binding=4xf32=1,2,3,4", "--binding=4xf32=5", "--binding=4xf32", *("--workgroup_count=" + c for c in counts), QUICK, *args]


def dispatched(*args, **kwargs):
    return [harness.must([find("iree-benchmark-executable"), *dispatch(*args, **kwargs)]).out.decode()
            for find in (harness.ours, harness.upstream)]


def dispatches():
    for args in ([], ["--batch_size=1"], ["--entry_point=0", "--benchmark_repetitions=2"], ["--benchmark_filter=2x1x1"],
                 ["--benchmark_list_tests"]):
        ours, upstream = dispatched(*args)
        if shape(ours) != shape(upstream):
            raise harness.Fail("%s: ours\n%s\nupstream's\n%s" % (args, ours, upstream))


def dispatch_json():
    ours, upstream = (json.loads(t) for t in dispatched("--benchmark_format=json", "--batch_size=8"))
    for a, b in zip(ours["benchmarks"], upstream["benchmarks"], strict=True):
        if list(a) != list(b) or a["name"] != b["name"] or a["iterations"] != b["iterations"]:
            raise harness.Fail("ours %s, upstream's %s" % (a, b))
        for row, name in ((a, "ours"), (b, "upstream's")):  # items are workgroups
            groups = int(re.search(r"(\d)x1x1", row["name"]).group(1))
            if abs(row["items_per_second"] * row["real_time"] * 1e-9 / groups - 1) > 1e-3:
                raise harness.Fail("%s %s" % (name, row))


def dispatch_errors():
    tool = harness.ours("iree-benchmark-executable")
    for args, text in ((["--entry_point=7"], "there is no kernel 7, the executable has 1"), (["--workgroup_count=1"], "expected x,y,z, not '1'"),
                       (["--constant=x"], "'--constant' expects a number of 32 bits, not 'x'"), (["--constant=1"], "takes 0 constants"),
                       (["--executable_format=foo"], "given executable format 'foo'"), (["--executable_file=/nonexistent"], "/nonexistent"),
                       (["--batch_size=0"], "'--batch_size' expects 1 to"), (["--binding=4"], "parsing input `4`"),
                       (["--executable_file=%s" % module("add")], "malformed ELF"), (["--executable_file="], "give --executable_file=")):
        result = harness.run([tool, *dispatch(*args)])
        check(result.code == 1 and text in result.err and not result.out, "want '%s'" % text, result)


def dispatch_flag_file():
    path = harness.scratch("tools") / "dispatch.flags"
    path.write_text("\n".join(dispatch("--trace=%s" % (harness.scratch("tools") / "dispatch.json"))))
    harness.must([harness.ours("iree-benchmark-executable"), "--flagfile=%s" % path])
    names = {e["name"] for e in json.loads((harness.scratch("tools") / "dispatch.json").read_text())["traceEvents"]}
    if not any(n.startswith("add_dispatch_0") for n in names):
        raise harness.Fail("no dispatch among %s" % sorted(names))


# ---- listings ---------------------------------------------------------------------------------------------

def drivers():
    text = harness.must([harness.ours("iree-run-module"), "--list_drivers"]).out.decode()
    for name in ("local-sync: ", "local-task: "):
        if name not in text:
            raise harness.Fail("no %s in\n%s" % (name, text))


def devices():
    for args in (["--list_devices"], ["--list_devices=local-sync"]):
        found = [harness.must([find("iree-run-module"), *args]).out.decode().split() for find in (harness.ours, harness.upstream)]
        if [d for d in found[0] if d.startswith("local-")] != [d for d in found[1] if d.startswith("local-")]:
            raise harness.Fail("%s, upstream %s" % tuple(found))
    harness.must([harness.ours("iree-run-module"), "--dump_devices"])


def statistics():
    """The same lines; numbers differ, since the allocators do."""
    for tool in ("iree-run-module", "iree-benchmark-module"):
        texts = [harness.must([find(tool), "--module=%s" % module("add"), "--function=add", A, B, "--print_statistics",
                               *([QUICK] if "benchmark" in tool else [])]).err for find in (harness.ours, harness.upstream)]
        lines = [[re.sub(r" +\d+B", " #", l) for l in t.splitlines() if re.search(r"^Device:|statistics|LOCAL", l)] for t in texts]
        if lines[0] != lines[1] or len(lines[0]) != 4:
            raise harness.Fail("%s, upstream's %s" % tuple(lines))


def help_text():
    """--help is a flag file: what it prints can be passed back."""
    for tool in ("iree-run-module", "iree-benchmark-module"):
        path = harness.scratch("tools") / (tool + ".flags")
        path.write_bytes(harness.must([harness.ours(tool), "--help"]).out)
        result = harness.must([harness.ours(tool), "--flagfile=%s" % path, "--module=%s" % module("identity"), "--function=number",
                               *([QUICK] if "benchmark" in tool else [])])
        if b"number" not in result.out:
            raise harness.Fail(harness.tail(result.out.decode()))


def cpuinfo():
    ours, upstream = (harness.must([find("iree-cpuinfo")]).out for find in (harness.ours, harness.upstream))
    if ours != upstream:
        raise harness.Fail("ours\n%s\nupstream's\n%s" % (ours.decode(), upstream.decode()))


# ---- embedded files ---------------------------------------------------------------------------------------

EMBED_MAIN = """#include <stdio.h>
#include "data.h"
int main(void) {
  for (size_t i = 0; i <= files_size(); ++i) {
    const iree_file_toc_t *file = &files_create()[i];
    if (!file->name) break;
    printf("%s %zu %d %d ", file->name, file->size, (int)((size_t)file->data % 64), file->data[file->size]);
    fwrite(file->data, 1, file->size, stdout);
  }
}
"""


def embedded():
    """Names and bytes as a program sees them, in C and C++, with all values of a byte and odd names."""
    folder = harness.scratch("tools", "embed")
    files = {"all.bin": bytes(range(256)) * 3, "empty.bin": b"", 'q"uo\\te 1.bin': b"7", "deep/name.bin": b"\n"}
    (folder / "deep").mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "main.c").write_text(EMBED_MAIN)
    seen = []
    for who, find in (("ours", harness.ours), ("upstream", harness.upstream)):
        for args in ([], ["--flatten"], ["--strip_prefix=deep/"]):
            harness.must([find("iree-c-embed-data"), "--identifier=files", "--output_header=data.h", "--output_impl=data.c", *args,
                          *files], cwd=folder)
            harness.must(["cc", "-std=c11", "main.c", "data.c", "-o", who], cwd=folder)
            seen.append(harness.must([folder / who]).out)
        if who == "ours" and shutil.which("c++"):
            harness.must(["c++", "-x", "c++", "-c", "-Wall", "-Werror", "data.c", "-o", "data.o"], cwd=folder)
    if seen[:3] != seen[3:]:
        raise harness.Fail("%r is not upstream's %r" % (seen[:3], seen[3:]))


def embed_errors():
    for args, text in ((["--identifier=9"], "expects the name of a C function"), ([], "nothing to write"),
                       (["--output_impl=/nonexistent/x.c"], "/nonexistent/x.c"),
                       (["--output_impl=data.c", "/nonexistent/y"], "/nonexistent/y")):
        result = harness.run([harness.ours("iree-c-embed-data"), *args], cwd=harness.scratch("tools"))
        check(result.code == 1 and text in result.err and not result.out, "want '%s'" % text, result)


# ---- flags ------------------------------------------------------------------------------------------------

def flag_table():
    """{tool: [flag]} of flags.txt."""
    table, names = {}, None
    for line in (harness.ROOT / "tests" / "compat" / "flags.txt").read_text().splitlines():
        if line.startswith("["):
            names = table[line.strip("[]")] = []
        elif line[:1] != "#":
            names += line.split()
    return table


def shown_flags(tool):
    """Names that a tool's --help shows."""
    return re.findall(r"^(?:# )?--(\w+)(?:=(?:\S*|\[.*\])|\[=...\])?$", harness.must([tool, "--help"]).out.decode(), re.M)


def flags(tool):
    ours = harness.ours(tool)
    known = set(shown_flags(ours)) | {"help", "flagfile"}
    for name in flag_table()[tool]:
        if name in known:
            continue
        result = harness.run([ours, "--%s=@" % name])
        if result.code != 1 or "flag '--%s': " % name not in result.err:
            raise harness.Fail("--%s neither works nor says why not:\n%s" % (name, harness.tail(result.err)))
    missing = set(shown_flags(harness.upstream(tool))) - set(flag_table()[tool])
    if missing:
        raise harness.Fail("flags.txt lacks %s" % sorted(missing))


def compiler_flags():
    """The same of iree-compile, whose absent flags stand in a table of their own; one of each kind is tried."""
    ours = harness.ours("iree-compile")
    known = set(re.findall(r"^(?:# )?--?([\w-]+)", harness.must([ours, "--help"]).out.decode(), re.M)) | {"help", "version"}
    rows = re.findall(r'^ABSENT\((\w+), "([^"]*)", (\w+), (?:NULL|"(.*)")\)$', (harness.ROOT / "compiler" / "absent.def").read_text(), re.M)
    absent = {name for _, name, _, _ in rows}
    for names, what in ((set(flag_table()["iree-compile"]) - known - absent, "neither there nor in compiler/absent.def"),
                        (absent & known, "there: remove their rows of compiler/absent.def"),
                        (absent - set(flag_table()["iree-compile"]), "no flags of upstream's")):
        if names:
            raise harness.Fail("%s: %s" % (what, sorted(names)))
    for name in {why: name for why, name, kind, value in rows if kind == "MEANS" and value != "true"}.values():
        for args in (["--%s=@" % name], ["--" + name], ["-" + name, "x"]):
            result = harness.run([ours, *args, "/nonexistent"])
            check(result.code == 1 and "flag '--%s': " % name in result.err, "says not why", result)
    for name, value in {why: (name, value) for why, name, kind, value in rows if kind == "TUNES"}.values():
        result = harness.run([ours, "--%s=@" % name, "/nonexistent"])
        check("warning: flag '--%s' changes nothing here: " % name in result.err and "/nonexistent" in result.err, "is no hint", result)
    result = harness.run([ours, *("--%s=%s" % (name, value) for _, name, _, value in rows if value), "/nonexistent"])
    check("flag '" not in result.err and "/nonexistent" in result.err, "takes not upstream's defaults", result)
    upstream = harness.must([harness.upstream("iree-compile"), "--help"]).out.decode()
    missing = set(re.findall(r"^ +--?([a-z][\w-]*)", upstream, re.M)) - set(flag_table()["iree-compile"])
    if missing:
        raise harness.Fail("flags.txt lacks %s" % sorted(missing))


def versions():
    tools = [path for path in sorted(harness.BIN.glob("iree-*"))]
    texts = {harness.must([tool, "--version"]).out for tool in tools}
    if len(texts) != 1 or not texts.pop().startswith(b"iree-c "):
        raise harness.Fail("tools differ in what --version says")
