# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementary and special functions of each float and complex type within their stated bounds (scripts/ulp.py, on few points;
`make ulp` takes more and writes docs/numerics.md)."""
import re

import harness

TYPES = ("f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>")
POINTS = 40


def tests(options):
    for kind in TYPES:
        yield kind, lambda kind=kind: within_bounds(kind)


def within_bounds(kind):
    python = harness.VENV / "bin" / "python"
    for tool in ("iree-compile", "iree-run-module"):
        harness.ours(tool)
    if not python.exists() or harness.run([python, "-c", "import mpmath, numpy, ml_dtypes"]).code != 0:
        raise harness.Skip("needs mpmath, numpy and ml_dtypes (run scripts/setup)")
    result = harness.run([python, harness.ROOT / "scripts" / "ulp.py", "--points=%d" % POINTS, "--bin=%s" % harness.BIN,
                          "--only= %s$" % re.escape(kind)])
    if result.code != 0:
        raise harness.Fail("\n" + harness.tail(result.out.decode() + result.err, lines=20))
