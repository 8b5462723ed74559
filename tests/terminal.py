# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tools show when stderr is a terminal: after two seconds one line that says how far they are, gone at the end."""
import os
import pty
import re
import subprocess
import time

import harness
import program

LOOP = """func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.xor %s, %j : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}
func.func @number() -> i32 { %c = arith.constant 3 : i32 return %c : i32 }
"""
LINE = re.compile(rb"\r\x1b\[K([^\r\n]+)")


def tests(options):
    for test in (runs, benchmarks, compiles, quick, dumb, no_terminal):
        yield test.__name__, test


def module():
    folder = harness.scratch("terminal")
    source = program.once(folder / "loop.mlir", lambda part: part.write_text(LOOP))
    return program.once(folder / "loop.vmfb", lambda part: harness.must([harness.ours("iree-compile"), source, *program.FLAGS, "-o", part]))


def on_terminal(command, term="xterm"):
    """(exit code, stdout, what the terminal got) with stderr on a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=theirs, env=dict(os.environ, TERM=term))
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # its other end is closed
            break
        if not part:
            break
        shown += part
    out = process.stdout.read()
    os.close(ours)
    return process.wait(), out, shown


def shows(command, pattern):
    """Lines of progress that match and go away; stdout is what it is without a terminal."""
    start = time.time()
    code, out, shown = on_terminal(command)
    lines = LINE.findall(shown)
    if code != 0:
        raise harness.Fail("exit %d: %r" % (code, shown))
    if not lines or not all(re.fullmatch(rb"\S.*\(\d+ s\)", line) for line in lines) or not any(re.fullmatch(pattern, line) for line in lines):
        raise harness.Fail("after %.1f s: %r" % (time.time() - start, shown))
    if any(line.endswith(b"(%d s)" % early) for line in lines for early in (0, 1)):
        raise harness.Fail("too early: %r" % lines[0])
    if not shown.endswith(b"\r\x1b[K"):
        raise harness.Fail("the line stays: %r" % shown[-80:])
    return out


def runs():
    out = shows([harness.ours("iree-run-module"), "--module=%s" % module(), "--function=loop", "--input=i32=400000000"], rb"running \(\d+ s\)")
    if b"result[0]" not in out:
        raise harness.Fail("prints %r" % out)


def benchmarks():
    command = [harness.ours("iree-benchmark-module"), "--module=%s" % module(), "--function=number", "--benchmark_format=json"]
    _, _, shown = on_terminal([*command, "--benchmark_min_time=1x"])
    code, out, shown = on_terminal([*command, "--benchmark_min_time=3s"])
    if code or not any(re.fullmatch(rb"BM_number\S*: \d+ of \d+ \(\d+ s\)", line) for line in LINE.findall(shown)):
        raise harness.Fail("exit %d: %r" % (code, shown[-400:]))


def compiles():
    """Many kernels that take their time."""
    count = 150
    lines = ["func.func @f(%0: tensor<?x?xf32>) -> tensor<?x?xf32> {"]
    for i in range(count):
        lines.append("  %%t%d = stablehlo.transpose %%%s, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>" % (i, i if not i else "%d" % i))
        lines.append("  %%m%d = stablehlo.dot %%%d, %%t%d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>" % (i, i, i))
        lines.append("  %%c%d = stablehlo.constant dense<%d.5> : tensor<f32>" % (i, i))
        lines.append("  %%s%d = chlo.broadcast_multiply %%m%d, %%c%d : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>" % (i, i, i))
        lines.append("  %%%d = stablehlo.tanh %%s%d : tensor<?x?xf32>" % (i + 1, i))
    lines.append("  return %%%d : tensor<?x?xf32>\n}\n" % count)
    source = harness.scratch("terminal") / "many.mlir"
    source.write_text("\n".join(lines))
    shows([harness.ours("iree-compile"), source, *program.FLAGS, "--mlir-disable-threading", "-o", "/dev/null"], rb"(machine code: \d+ of \d+|[a-z-]+) \(\d+ s\)")


def quick():
    code, out, shown = on_terminal([harness.ours("iree-run-module"), "--module=%s" % module(), "--function=number"])
    if code or shown or b"result[0]" not in out:
        raise harness.Fail("exit %d, %r, %r" % (code, out, shown))


def dumb():
    code, _, shown = on_terminal([harness.ours("iree-run-module"), "--module=%s" % module(), "--function=loop", "--input=i32=400000000"], term="dumb")
    if code or shown:
        raise harness.Fail("exit %d, %r" % (code, shown))


def no_terminal():
    result = harness.must([harness.ours("iree-run-module"), "--module=%s" % module(), "--function=loop", "--input=i32=400000000"])
    if result.err:
        raise harness.Fail(result.err)
