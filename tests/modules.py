# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of several modules, and modules that state what they expect.

check/...   iree-check-module on programs of the check dialect: what it prints, its flags, its exit codes; each phase of such a
            program goes on in upstream's compiler and upstream's in ours
link/...    calls between modules, optional imports, state
plugins/... kernels that call functions of plugins (kernel_plugins.py)
"""
import re

import harness
import kernel_plugins
import program

CHECKS = """
func.func @holds() {
  %0 = util.unfoldable_constant dense<[-1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.abs %0 : tensor<2xf32>
  check.expect_almost_eq_const(%1, dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
  return
}
func.func @differs() {
  %0 = util.unfoldable_constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  check.expect_eq_const(%1, dense<[2, 5]> : tensor<2xi32>) : tensor<2xi32>
  check.expect_eq(%1, %0) : tensor<2xi32>
  %2 = arith.constant 1 : i32
  check.expect_false(%2) : i32
  return
}
func.func @far() {
  %0 = util.unfoldable_constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  check.expect_almost_eq_const(%0, dense<[1.0, 0x7FC00000, 3.5]> : tensor<3xf32>, atol 0.25, rtol 0.01) : tensor<3xf32>
  check.expect_almost_eq_const(%0, dense<[1.0, 0x7FC00000, 3.5]> : tensor<3xf32>, atol 0.25, rtol 0.1) : tensor<3xf32>
  %1 = util.unfoldable_constant dense<[1, 0]> : tensor<2xi8>
  check.expect_all_true(%1) : tensor<2xi8>
  return
}
"""
WRONG = "func.func @takes(%a: i32) { return }\n"
LIBRARY = """module @lib {
  util.global private mutable @count = 0 : i32
  func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.add %x, %x : tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @next() -> i32 {
    %0 = util.global.load @count : i32
    %c1 = arith.constant 1 : i32
    %1 = arith.addi %0, %c1 : i32
    util.global.store %1, @count : i32
    return %1 : i32
  }
}
"""
PROGRAM = """module @app {
  func.func private @lib.twice(tensor<?xf32>) -> tensor<?xf32>
  func.func private @lib.next() -> i32
  func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, i32) {
    %0 = func.call @lib.twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<?xf32>
    %2 = func.call @lib.next() : () -> i32
    %3 = func.call @lib.next() : () -> i32
    return %1, %3 : tensor<?xf32>, i32
  }
}
"""
MIDDLE = """module @middle {
  func.func private @lib.twice(tensor<4xf32>) -> tensor<4xf32>
  func.func @four(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = func.call @lib.twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = func.call @lib.twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""
PHASES = ("input", "abi", "flow", "stream", "hal", "vm")

# What iree-check-module prints: (flags, exit code, lines in this order).
OUTPUT = {
    "all": ([], 1, [
        "[==========] Running 3 tests from 1 test suite.", "[----------] 3 tests from module", "[ RUN      ] module.holds",
        "[       OK ] module.holds (", "[ RUN      ] module.differs", "checks.mlir:11:3: Failure",
        "Expected equality of these values. Contents does not match.", "    2xi32=2 4", "  rhs:", "    2xi32=2 5",
        "checks.mlir:12:3: Failure", "checks.mlir:14:3: Failure", "Expected 1 to be zero.", "[  FAILED  ] module.differs (",
        "occurs at index 2 as the lhs value 3 differs from the rhs value 3.5 by 5.000e-01.",
        "The first that is zero has index 1.", "[  FAILED  ] module.far (", "[==========] 3 tests from 1 test suite ran.",
        "[  PASSED  ] 1 test.", "[  FAILED  ] 2 tests, listed below:", "[  FAILED  ] module.far", " 2 FAILED TESTS"]),
    "filter": (["--gtest_filter=*holds"], 0, ["Note: Google Test filter = *holds", "Running 1 test from", "[  PASSED  ] 1 test."]),
    "exclude": (["--gtest_filter=-*holds:*far"], 1, ["Running 1 test from", "module.differs", "[  PASSED  ] 0 tests."]),
    "none": (["--gtest_filter=nothing"], 0, ["Running 0 tests from 0 test suites.", "[  PASSED  ] 0 tests."]),
    "list": (["--gtest_list_tests"], 0, ["module.", "  holds", "  differs", "  far"]),
    "fail_fast": (["--gtest_fail_fast"], 1, ["[==========] 2 tests from"]),
    "repeat": (["--gtest_repeat=2", "--gtest_filter=*holds"], 0, ["(iteration 1)", "1 test.", "(iteration 2)", "1 test."]),
    "shuffle": (["--gtest_shuffle", "--gtest_random_seed=3"], 1, ["seed of 3", "Running 3 tests"]),
    "brief": (["--gtest_brief", "--gtest_print_time=false"], 1, ["[  FAILED  ] module.differs", "3 tests from 1 test suite ran.\n"]),
    "expect_failure": (["--expect_failure"], 0, ["Test failed as expected"]),
    "expect_failure_passes": (["--expect_failure", "--gtest_filter=*holds"], 1, ["Test passed but expected failure"]),
}


def tests(options):
    for name, (flags, code, lines) in OUTPUT.items():
        yield "check/" + name, lambda flags=flags, code=code, lines=lines: prints(flags, code, lines)
    yield "check/arguments", takes_arguments
    yield "check/plain_run", plain_run
    for phase in PHASES:
        yield "check/finish/" + phase, lambda phase=phase: finishes("ours", "upstream", phase)
        yield "check/resume/" + phase, lambda phase=phase: finishes("upstream", "ours", phase)
    for maker in ("ours", "upstream"):
        for other in ("ours", "upstream"):
            for runtime in ("ours", "upstream"):
                yield "link/%s-calls-%s/%s-runtime" % (maker, other, runtime), lambda maker=maker, other=other, runtime=runtime: links(maker, other, runtime)
    yield "link/three_modules", three_modules
    yield "link/missing", missing
    yield from kernel_plugins.tests(options)


def compiled(name, text, who="ours", flags=(), source=None):
    folder = harness.scratch("modules", who)
    if source is None:
        source = program.once(folder / (name + ".mlir"), lambda part: part.write_text(text))
    out = folder / (name + "".join(re.sub(r"\W", "", f) for f in flags) + ".vmfb")
    return program.once(out, lambda part: harness.must([program.TOOLCHAINS[who]("iree-compile"), source, *program.FLAGS, *flags, "-o", part]))


def check_module(module, *flags, device="local-task"):
    return harness.run([harness.ours("iree-check-module"), "--module=%s" % module, "--device=" + device, *flags])


def in_order(text, lines):
    at = 0
    for line in lines:
        found = text.find(line, at)
        if found < 0:
            raise harness.Fail("'%s' is missing from here on:\n%s" % (line, harness.tail(text[at:], 12)))
        at = found + len(line)


def prints(flags, code, lines):
    result = check_module(compiled("checks", CHECKS), *flags)
    if result.code != code:
        raise harness.Fail("exit %d\n%s\n%s" % (result.code, harness.tail(result.out.decode()), harness.tail(result.err)))
    in_order(result.out.decode(), lines)


def takes_arguments():
    result = check_module(compiled("takes", WRONG))
    if result.code != 1 or "'takes' has 1 and 0" not in result.err:
        raise harness.Fail("exit %d\n%s" % (result.code, harness.tail(result.err)))


def plain_run():
    """Without the module that they call, expectations are not looked at."""
    result = harness.run([harness.ours("iree-run-module"), "--module=%s" % compiled("checks", CHECKS), "--function=differs", "--device=local-sync"])
    if result.code != 0:
        raise harness.Fail(harness.tail(result.err))


def finishes(first, second, phase):
    """The dump of a phase by one compiler goes on in the other one, to the same outcome."""
    folder = harness.scratch("modules", "dumps")
    source = program.once(folder / "checks.mlir", lambda part: part.write_text(CHECKS))
    dump = folder / ("%s.%s.mlir" % (first, phase))
    harness.must([program.TOOLCHAINS[first]("iree-compile"), source, *program.FLAGS, "--compile-to=" + phase, "-o", dump])
    module = compiled("%s-%s" % (first, phase), None, second, ["--compile-from=" + phase], dump)
    result = check_module(module, device="local-sync")
    in_order(result.out.decode(), ["[       OK ] module.holds", "[  FAILED  ] module.differs", "[  FAILED  ] module.far", " 2 FAILED TESTS"])


def run_modules(modules, runtime="ours", device="local-sync", *flags):
    return harness.run([program.TOOLCHAINS[runtime]("iree-run-module"), *("--module=%s" % m for m in modules), "--device=" + device, *flags])


def links(maker, other, runtime):
    """A module calls another one's functions on tensors and its state; either may be compiled by either compiler."""
    modules = [compiled("lib", LIBRARY, other), compiled("app", PROGRAM, maker)]
    for device in ("local-sync", "local-task"):
        result = run_modules(modules, runtime, device, "--function=main", "--input=3xf32=1,2,3")
        if result.code != 0:
            raise harness.Fail(harness.tail(result.err))
        in_order(result.out.decode(), ["3xf32=4 16 36", "result[1]: i32=2"])


def three_modules():
    modules = [compiled("lib", LIBRARY), compiled("middle", MIDDLE, "ours"), compiled("top", MIDDLE.replace("middle", "top").replace(
        "lib.twice", "middle.four").replace("@four", "@sixteen"), "ours")]
    result = run_modules(modules, "ours", "local-task", "--function=sixteen", "--input=4xf32=1,2,3,4")
    in_order(result.out.decode(), ["4xf32=16 32 48 64"])


def missing():
    """The callee has to stand before its caller."""
    for modules in ([compiled("app", PROGRAM)], [compiled("app", PROGRAM), compiled("lib", LIBRARY)]):
        result = run_modules(modules, "ours", "local-sync", "--function=main", "--input=3xf32=1,2,3")
        if result.code != 1 or "'lib'" not in result.err:
            raise harness.Fail("exit %d\n%s" % (result.code, harness.tail(result.err)))
