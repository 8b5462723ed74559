# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people debug with: rewrites left out, reduced programs, dumped kernels, traces, backtraces."""
import re

import harness
import program

# These need a fold: the host writes no elements narrower than a byte.
NEED_FOLDS = {"narrow_types"}


def tests(options):
    for p in program.programs():
        if p.name not in NEED_FOLDS and not p.name.startswith("many"):
            yield "no-rewrites/" + p.name, lambda p=p: no_rewrites(p)
    yield "backtrace", backtrace
    for name in ("mlp", "dynamic_batch", "while_nested", "fences"):
        for who in ("ours", "upstream"):
            yield "traced/%s/%s" % (name, who), lambda name=name, who=who: traced(name, who)
    for name in ("mlp", "softmax", "two_functions"):
        yield "dumped-executables/" + name, lambda name=name: dumped_executables(name)


def no_rewrites(p):
    """Every rewrite that claims to be optional is: without any of them the answers are the same."""
    module = p.compiled("ours", ["--opt-bisect-limit=0"], "-no-rewrites")
    for i, call in enumerate(p.calls):
        program.check(call, program.call("ours", module, call, "local-sync", tag="-no-rewrites-%d" % i))


def traced(name, who):
    """Printing what dispatches see changes no answer, on either runtime."""
    p = program.Program(program.FOLDER / (name + ".json"))
    module = p.compiled("ours", ["--iree-flow-trace-dispatch-tensors"], "-traced")
    for i, call in enumerate(p.calls):
        program.check(call, program.call(who, module, call, "local-task", tag="-traced-%d" % i))


def dumped_executables(name):
    """What is dumped of a program compiles on, with our compiler and with upstream's, and its benchmarks run."""
    p = program.Program(program.FOLDER / (name + ".json"))
    folder = harness.scratch("debugging", "dumped-" + name)
    compiler, measure = harness.ours("iree-compile"), harness.ours("iree-benchmark-module")
    harness.must([compiler, p.source_path(), *program.FLAGS, "--iree-hal-dump-executable-files-to=%s" % folder, "-o", folder / "p.vmfb"])
    sources = [f for f in folder.glob("*.mlir") if not f.name.endswith("_benchmark.mlir")]
    benchmarks = list(folder.glob("*_benchmark.mlir"))
    if not sources or not benchmarks or not list(folder.glob("*.s")) or not list(folder.glob("*.so")):
        raise harness.Fail("not all kinds of files: %s" % sorted(f.name for f in folder.iterdir()))
    for f in sources:
        harness.must([compiler, "--compile-mode=hal-executable", f, "-o", f.with_suffix(".out")])
    compilers = [compiler] + ([harness.upstream("iree-compile")] if harness.VENV.exists() else [])
    for f in benchmarks:
        for c in compilers:
            harness.must([c, "--compile-from=executable-configurations", f, "-o", f.with_suffix(".vmfb")])
            out = harness.must([measure, "--module=%s" % f.with_suffix(".vmfb"), "--device=local-sync", "--benchmark_min_time=1x", "--batch_size=2"])
            if not out.out.decode().count("BM_"):
                raise harness.Fail("nothing measured: %s" % f.name)


BACKTRACE = """util.func private @leaf(%i: i32) -> i32 attributes {inlining_policy = #util.inline.never} {
  %c0 = arith.constant 0 : i32
  %p = arith.cmpi ne, %i, %c0 : i32
  cf.assert %p, "must not be zero" loc(callsite("named"("lib.py":12:3) at fused["main.py":7:1, "main.py":9:2]))
  %r = arith.divsi %c0, %i : i32
  util.return %r : i32
}
util.func private @mid(%i: i32) -> i32 attributes {inlining_policy = #util.inline.never} {
  %r = util.call @leaf(%i) : (i32) -> i32
  util.return %r : i32
}
util.func public @top(%i: i32) -> i32 {
  %r = util.call @mid(%i) : (i32) -> i32 loc("top.py":1:2)
  util.return %r : i32
}
"""
CALLER = """util.func private @module.top(%i: i32) -> i32
util.func public @far(%i: i32) -> i32 {
  %r = util.call @module.top(%i) : (i32) -> i32
  util.return %r : i32
}
"""


def backtrace():
    """A failure tells the calls that led to it, with their places in the sources; without a source map functions and offsets."""
    folder = harness.scratch("debugging", "backtrace")
    compiler, run = harness.ours("iree-compile"), harness.ours("iree-run-module")
    (folder / "f.mlir").write_text(BACKTRACE)
    (folder / "g.mlir").write_text("module @caller {\n%s}\n" % CALLER)
    for flags, wants in (((), (r"must not be zero", r"module\.leaf:\d+ named@lib\.py:12:3 called from \[main\.py:7:1, main\.py:9:2\]",
                               r"module\.mid:\d+ .*f\.mlir:9:\d", r"module\.top:\d+ (top\.py:1:2|.*f\.mlir:13:3)", r"caller\.far:\d+ .*g\.mlir:4:\d")),
                         (("--iree-vm-bytecode-module-strip-source-map",), (r"must not be zero", r"module@\d+:\d+ -", r"module\.top:\d+ -", r"caller\.far:\d+ -"))):
        for name in "fg":
            harness.must([compiler, folder / (name + ".mlir"), *program.FLAGS, *flags, "-o", folder / (name + ".vmfb")])
        result = harness.run([run, "--module=%s" % (folder / "f.vmfb"), "--module=%s" % (folder / "g.vmfb"), "--device=local-sync", "--function=far",
                              "--input=0"])
        at = 0
        for want in wants:  # innermost first
            found = re.compile(want).search(result.err, at)
            if result.code == 0 or not found:
                raise harness.Fail("exit %d, no %s: %s" % (result.code, want, result.err))
            at = found.end()
