#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures each elementary function against mpmath, in units in the last place.

usage: scripts/ulp.py [--points N] [--seed S] [--only REGEX] [--bin DIR] [--write FILE] [-v]

Every row of ROWS is compiled for the host for each of its element types and run on random points (half spread over the
row's interval, half over all magnitudes in its domain) and on special ones (zeros, denormals, limits, infinities, NaN).
Fails when a row misses the bound stated in it. --write makes the table of docs/numerics.md.

A complex result's error is that of its larger part in units of its norm (`norm`), or the worse part's by itself (`part`).
Needs numpy, ml_dtypes and mpmath: run it by the python of build/venv-upstream.
"""
import argparse
import cmath
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import ml_dtypes
import mpmath as mp
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"]

TYPES = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
         "complex<f32>": np.dtype(np.complex64), "complex<f64>": np.dtype(np.complex128)}
PART = {"complex<f32>": "f32", "complex<f64>": "f64"}
SPELLING = {"complex<f32>": "cf64", "complex<f64>": "cf128"}  # of the tools
# bits of the significand, smallest and largest exponent
FORMAT = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}

mp.mp.prec = 160


def sign_kept(f):
    return lambda x: x if x == 0 else f(x)


def logistic(x):
    return 1 / (1 + mp.exp(-x))


def cbrt(x):
    if isinstance(x, mp.mpf):
        return mp.sign(x) * mp.cbrt(abs(x))
    return mp.exp(mp.log(x) / 3) if x else x


def lgamma(x):  # not to be measured between its poles, where it has zeros
    return None if x < -0.5 else mp.inf if x <= 0 and x == mp.floor(x) else mp.log(abs(mp.gamma(x))) if x < 1e5 else mp.loggamma(x).real


def digamma(x):
    return mp.nan if x <= 0 and x == mp.floor(x) else None if x < 0 else mp.digamma(x)


def erf_inv(x):
    return mp.nan if abs(x) > 1 else x * mp.inf if abs(x) == 1 else mp.erfinv(x)


def bessel_i1e(x):
    if abs(x) > 1e8:
        return mp.sign(x) / mp.sqrt(2 * mp.pi * abs(x)) * (1 - 3 / (8 * abs(x)) - 15 / (128 * x * x))
    return mp.besseli(1, x) * mp.exp(-abs(x))


def power(x, y):
    if isinstance(x, mp.mpc) and x == 0:
        return mp.mpc(1) if y == 0 else mp.mpc(0)
    if isinstance(x, mp.mpf) and x < 0:
        return mp.nan if y != mp.floor(y) else (-1 if int(y) % 2 else 1) * mp.exp(y * mp.log(-x))
    return mp.exp(y * mp.log(x)) if x else mp.mpf(1 if y == 0 else 0 if y > 0 else "inf")


def zeta(s, q):
    """Hurwitz' zeta by Euler and Maclaurin: mpmath's own gives up on some."""
    if s <= 1 or q <= 0:
        return mp.inf if s == 1 else mp.nan if s < 1 else None if q != mp.floor(q) else mp.inf if s % 2 == 0 else mp.nan
    a = q + 100
    term = mp.power(a, -s)
    r = sum(mp.power(q + k, -s) for k in range(100)) + a * term / (s - 1) + term / 2
    factor = s * term / a
    for k in range(1, 40):
        r += factor * mp.bernoulli(2 * k) / mp.factorial(2 * k)
        factor *= (s + 2 * k - 1) * (s + 2 * k) / (a * a)
    return r


def polygamma(n, x):
    if n != mp.floor(n) or n < 0:
        return mp.nan
    if x <= 0:
        return None
    return mp.digamma(x) if n == 0 else (-1) ** (int(n) + 1) * mp.factorial(n) * zeta(n + 1, x)


def atan2(y, x):
    if isinstance(x, mp.mpc):
        return -1j * mp.log((x + 1j * y) / mp.sqrt(x * x + y * y))
    return mp.atan2(y, x) if y else None


def remainder(x, y):
    with mp.workprec(2400):
        return mp.nan if y == 0 else mp.sign(x) * (abs(x) - abs(y) * mp.floor(abs(x) / abs(y)))


def real_domain(f, low, high):
    return lambda x: f(x) if isinstance(x, mp.mpc) or low <= x <= high else mp.nan


class Row:
    """One op: its oracle, an interval where most of its work is, its domain, and the bounds stated per type."""

    def __init__(self, op, exact, interval, bounds, domain=(-mp.inf, mp.inf), second=None, special=None, special_points=(), far=mp.inf, complex_far=mp.inf):
        self.op, self.exact, self.interval, self.bounds, self.domain = op, exact, interval, bounds, domain
        self.second = second      # (interval, domain) of the second operand
        self.special = special    # of doubles, for infinities, NaN and signed zeros
        self.special_points = special_points  # of operands, real ones or parts
        self.far = far            # no operand beyond this,
        self.complex_far = min(far, complex_far)  # no part of a complex one beyond this


ALL = (-mp.inf, mp.inf)
# Far arguments of circular functions, of f64, f32 and bf16: close to multiples of pi/2 (the first is the closest double of all),
# far from them, and where the ways of reduction meet.
FAR_TURNS = [math.ldexp(6381956970095103, 797), 1e22, 1e300, 2.0 ** 20 * math.pi, 2.0 ** 20, math.nextafter(2.0 ** 20, 0),
             math.ldexp(16367173, 72), math.ldexp(11088413, 55), 1e38, 2.0 ** 40 * math.pi, 2.0 ** 40, 2.0 ** 40 - 2.0 ** 16,
             6.4e32, math.ldexp(161, 80)]


def bounds(narrow, f32, f64, c64=None, c128=None):
    found = {"f16": narrow, "bf16": narrow, "f32": f32, "f64": f64, "complex<f32>": c64, "complex<f64>": c128}
    return {t: b for t, b in found.items() if b is not None}


ROWS = [
    Row("stablehlo.exponential", mp.exp, (-80, 80), bounds(0.6, 1.2, 1, 1, 3), special=np.exp, special_points=FAR_TURNS),
    Row("stablehlo.exponential_minus_one", sign_kept(mp.expm1), (-2, 2), bounds(0.6, 0.6, 4, 1, 3), special=np.expm1, special_points=FAR_TURNS),
    Row("stablehlo.log", real_domain(mp.log, 0, mp.inf), (0.5, 2), bounds(0.6, 1.1, 1, 1, 3), (0, mp.inf), special=np.log),
    Row("stablehlo.log_plus_one", sign_kept(real_domain(mp.log1p, -1, mp.inf)), (-0.9, 2), bounds(0.6, 0.6, 3, 1, 3), (-1, mp.inf), special=np.log1p),
    Row("stablehlo.logistic", logistic, (-20, 20), bounds(0.6, 3, 3, 2, 100), (-85, mp.inf), complex_far=100),
    Row("stablehlo.sine", sign_kept(mp.sin), (-7, 7), bounds(0.6, 0.6, 2.5, 1, 4), special=np.sin, special_points=FAR_TURNS),
    Row("stablehlo.cosine", mp.cos, (-7, 7), bounds(0.6, 0.6, 2.5, 1, 4), special=np.cos, special_points=FAR_TURNS),
    Row("stablehlo.tan", sign_kept(mp.tan), (-7, 7), bounds(0.6, 0.6, 4, 1, 6), special=np.tan, special_points=FAR_TURNS),
    Row("stablehlo.tanh", sign_kept(mp.tanh), (-3, 3), bounds(0.6, 2, 4, 1, 6), special=np.tanh, special_points=FAR_TURNS),
    Row("stablehlo.sqrt", real_domain(mp.sqrt, 0, mp.inf), (0, 4), bounds(0.5, 0.5, 0.5, 1, 3), (0, mp.inf), special=np.sqrt),
    Row("stablehlo.rsqrt", real_domain(lambda x: 1 / mp.sqrt(x), 0, mp.inf), (0.1, 4), bounds(0.6, 1.5, 1.5, 1, 4), (0, mp.inf)),
    Row("stablehlo.cbrt", cbrt, (-8, 8), bounds(0.6, 0.6, 1, 1, 4), special=np.cbrt),
    Row("stablehlo.abs", abs, (-8, 8), bounds(0, 0, 0, 1, 2)),
    Row("stablehlo.sign", mp.sign, (-8, 8), bounds(0, 0, 0, 1, 3)),
    Row("stablehlo.power", power, (0, 20), bounds(0.6, 0.6, 2, 2, 20000), second=((-20, 20), ALL), special=np.power, complex_far=20),
    Row("stablehlo.atan2", atan2, (-4, 4), bounds(0.6, 0.6, 3), second=((-4, 4), ALL), special=np.arctan2),
    Row("stablehlo.divide", lambda x, y: x / y, (-8, 8), bounds(0.5, 0.5, 0.5, 1, 4), second=((-8, 8), ALL)),
    Row("stablehlo.multiply", lambda x, y: x * y, (-8, 8), bounds(0.5, 0.5, 0.5, 2, 2), second=((-8, 8), ALL), complex_far=2.0 ** 62),
    Row("stablehlo.floor", mp.floor, (-8, 8), bounds(0, 0, 0), special=np.floor),
    Row("stablehlo.ceil", mp.ceil, (-8, 8), bounds(0, 0, 0), special=np.ceil),
    Row("stablehlo.round_nearest_even", mp.nint, (-8, 8), bounds(0, 0, 0), special=np.rint),
    Row("stablehlo.remainder", remainder, (-8, 8), bounds(0, 0, 0), second=((-8, 8), ALL), special=np.fmod),
    Row("chlo.acos", real_domain(mp.acos, -1, 1), (-1, 1), bounds(0.6, 0.6, 4, 1, 4), (-1, 1), special=np.arccos),
    Row("chlo.acosh", real_domain(mp.acosh, 1, mp.inf), (1, 4), bounds(0.6, 0.6, 4, 1, 4), (1, mp.inf), special=np.arccosh),
    Row("chlo.asin", sign_kept(real_domain(mp.asin, -1, 1)), (-1, 1), bounds(0.6, 0.6, 4, 1, 4), (-1, 1), special=np.arcsin),
    Row("chlo.asinh", sign_kept(mp.asinh), (-4, 4), bounds(0.6, 0.6, 4, 1, 4), special=np.arcsinh),
    Row("chlo.atan", sign_kept(mp.atan), (-4, 4), bounds(0.6, 0.6, 2, 1, 4), special=np.arctan),
    Row("chlo.atanh", sign_kept(real_domain(mp.atanh, -1, 1)), (-1, 1), bounds(0.6, 0.6, 4, 1, 4), (-1, 1), special=np.arctanh),
    Row("chlo.cosh", mp.cosh, (-4, 4), bounds(0.6, 0.6, 4, 1, 4), special=np.cosh, special_points=FAR_TURNS),
    Row("chlo.sinh", sign_kept(mp.sinh), (-4, 4), bounds(0.6, 0.6, 4, 1, 4), special=np.sinh, special_points=FAR_TURNS),
    Row("chlo.erf", sign_kept(mp.erf), (-4, 4), bounds(0.6, 1.6, 2)),
    Row("chlo.erfc", mp.erfc, (-4, 10), bounds(0.6, 0.6, 4)),
    Row("chlo.erf_inv", sign_kept(erf_inv), (-1, 1), bounds(0.6, 4, 4), (-1, 1)),
    Row("chlo.lgamma", lgamma, (0.5, 20), bounds(1, 1, 4), (0, mp.inf)),
    Row("chlo.digamma", digamma, (0.5, 20), bounds(1, 1, 4), (0, mp.inf)),
    Row("chlo.bessel_i1e", sign_kept(bessel_i1e), (-10, 10), bounds(0.6, 0.6, 4)),
    Row("chlo.zeta", zeta, (1, 20), bounds(1, 1, 150), (1, mp.inf), second=((0.5, 20), (0, mp.inf)), far=100),
    Row("chlo.polygamma", polygamma, (0, 12), bounds(1, 1, 60), (0, 20), second=((0.5, 20), (0, mp.inf)), far=100),
]


# ---- points
def limits(kind):
    digits, low, high = FORMAT[kind]
    return 2.0 ** (low - digits + 1), 2.0 ** low, (2.0 - 2.0 ** (1 - digits)) * 2.0 ** high


def random_reals(rng, kind, interval, domain, n):
    low, high = FORMAT[kind][1] - FORMAT[kind][0] // 2, FORMAT[kind][2]
    near = rng.uniform(float(interval[0]), float(interval[1]), n // 2)
    far = np.ldexp(rng.uniform(1, 2, n - n // 2), rng.integers(low, high + 1, n - n // 2)) * rng.choice([-1.0, 1.0], n - n // 2)
    far = np.where((far >= float(domain[0])) & (far <= float(domain[1])), far, -far)
    far = np.where((far >= float(domain[0])) & (far <= float(domain[1])), far, rng.uniform(float(interval[0]), float(interval[1]), len(far)))
    return np.concatenate([near, far])


def special_reals(kind, more):
    tiny, normal, largest = limits(kind)
    ones = [0.0, tiny, normal, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, largest] + [x for x in more if x <= largest]
    return np.array(ones + [-x for x in ones])


def points(rng, row, kind, n):
    """The operands, finite."""
    part = PART.get(kind, kind)
    specs = [(row.interval, row.domain)] + ([row.second] if row.second else [])
    columns = []
    for interval, domain in specs:
        if kind in PART:
            interval, domain = (-max(abs(float(x)) for x in interval),) * 2, ALL
            interval = (interval[0], -interval[0])
        parts = [np.concatenate([random_reals(rng, part, interval, domain, n), special_reals(part, row.special_points)]) for _ in range(1 + (kind in PART))]
        for p in parts:
            rng.shuffle(p)
        if row.op == "chlo.polygamma" and not columns:
            parts[0] = np.round(np.abs(parts[0]) % 20)
        far = float(row.complex_far if kind in PART else row.far)
        parts = [np.where(np.abs(p) > far, np.sign(p) * rng.uniform(0, 1, len(p)) * min(far, 1e300), p) for p in parts]
        with np.errstate(over="ignore"):
            columns.append((parts[0] + 1j * parts[1] if kind in PART else parts[0]).astype(TYPES[kind]))
    keep = np.logical_and.reduce([np.isfinite(c.astype(np.complex128 if kind in PART else np.float64)) for c in columns])
    if kind in PART:  # mpmath's zeros have no sign, which tells the sides of a cut
        keep &= np.logical_and.reduce([(c.real != 0) & (c.imag != 0) for c in columns])
    return [c[keep] for c in columns]


# ---- running
def compile_rows(options, rows, kind, folder):
    text = []
    for i, row in enumerate(rows):
        t = "tensor<?x%s>" % kind
        result = "tensor<?x%s>" % (PART[kind] if row.op == "stablehlo.abs" and kind in PART else kind)
        args = ["%a", "%b"][:2 if row.second else 1]
        text.append("func.func @f%d(%s) -> %s {\n  %%r = \"%s\"(%s) : (%s) -> %s\n  return %%r : %s\n}\n" % (
            i, ", ".join("%s: %s" % (a, t) for a in args), result, row.op, ", ".join(args), ", ".join([t] * len(args)), result, result))
    source, module = folder / "m.mlir", folder / "m.vmfb"
    source.write_text("".join(text))
    subprocess.run([options.bin / "iree-compile", source, "-o", module, *FLAGS], check=True)
    return module


def run(options, module, i, row, kind, columns, folder):
    command = [options.bin / "iree-run-module", "--module=%s" % module, "--device=local-sync", "--function=f%d" % i]
    for k, column in enumerate(columns):
        path = folder / ("in%d.bin" % k)
        path.write_bytes(column.tobytes())
        command.append("--input=%dx%s=@%s" % (len(column), SPELLING.get(kind, kind), path))
    out = folder / "out.bin"
    out.unlink(missing_ok=True)
    subprocess.run(command + ["--output=@%s" % out], check=True, capture_output=True)
    result = PART[kind] if row.op == "stablehlo.abs" and kind in PART else kind
    return np.frombuffer(out.read_bytes(), TYPES[result])


# ---- errors
def unit(kind, exact):
    digits, low, _ = FORMAT[kind]
    exponent = mp.frexp(exact)[1] - 1 if exact else low
    return mp.ldexp(1, max(int(exponent), low) - digits + 1)


def real_error(kind, got, exact, scale=None):
    got = float(got)
    if math.isnan(got) or mp.isnan(exact):
        return 0.0 if math.isnan(got) and mp.isnan(exact) else math.inf
    largest = limits(kind)[2]
    edge = mp.mpf(largest) + unit(kind, mp.mpf(largest)) / 2  # rounds to infinity from here on
    if math.isinf(got):
        near = abs(exact) >= largest * (1 - 2.0 ** (3 - FORMAT[kind][0]))
        return 0.0 if near and (got > 0) == (exact > 0) else math.inf
    if mp.isinf(exact):
        return math.inf
    if abs(exact) >= edge:
        return 0.0 if abs(got) == largest else math.inf
    return float(abs(mp.mpf(got) - exact) / unit(kind, scale if scale else exact))


def error(row, kind, got, exact):
    """(by the row's measure, by part)"""
    if kind not in PART or not isinstance(exact, mp.mpc):
        part = PART.get(kind, kind)
        e = real_error(part, got.real, mp.re(exact))
        return e, e
    part = PART[kind]
    norm = max(abs(exact.real), abs(exact.imag))
    by_norm = max(real_error(part, got.real, exact.real, norm), real_error(part, got.imag, exact.imag, norm))
    by_part = max(real_error(part, got.real, exact.real), real_error(part, got.imag, exact.imag))
    return by_norm, by_part


def exactly(row, kind, operands):
    wide = [mp.mpc(complex(x).real, complex(x).imag) if kind in PART else mp.mpf(float(x)) for x in operands]
    exponents = [abs(int(mp.frexp(p)[1])) for x in wide for p in (mp.re(x), mp.im(x)) if p]
    with mp.workprec(160 + 4 * max(exponents, default=0) if kind in PART else 160 + min(max(exponents, default=0), 1100)):
        try:
            exact = row.exact(*wide)
            return exact if exact is None else mp.mpmathify(exact)
        except (ZeroDivisionError, ValueError, OverflowError):
            return None


def special_errors(options, row, kind, module, i, folder):
    """Infinities, NaN and the signs of zeros, by numpy's doubles; lines that tell what is wrong."""
    if row.special is None or kind in PART:
        return []
    some = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, math.inf, -math.inf, math.nan])
    columns = [c.ravel() for c in np.meshgrid(some, some)] if row.second else [some]
    got = run(options, module, i, row, kind, [c.astype(TYPES[kind]) for c in columns], folder).astype(np.float64)
    with np.errstate(all="ignore"):
        want = row.special(*columns)
        far = np.abs(got - want)
    rounded = want.astype(TYPES[kind]).astype(np.float64)
    same = (np.isnan(got) & np.isnan(want)) | ((got == rounded) & (np.signbit(got) == np.signbit(rounded))) | (
        np.isfinite(want) & (want != 0) & (far < 1e-2 * np.abs(want)))
    return ["%s(%s) = %r, want %r" % (row.op, ", ".join(repr(float(c[k])) for c in columns), float(got[k]), float(want[k])) for k in np.flatnonzero(~same)]


def measure(options, kind, rows):
    """row -> (worst error, by part, where, bad lines)"""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        module = compile_rows(options, rows, kind, folder)
        for i, row in enumerate(rows):
            rng = np.random.default_rng(options.seed)
            columns = points(rng, row, kind, options.points)
            got = run(options, module, i, row, kind, columns, folder)
            worst, worst_part, where = 0.0, 0.0, ""
            for operands in zip(*columns, got):
                exact = exactly(row, kind, operands[:-1])
                if exact is None:
                    continue
                e, by_part = error(row, kind, operands[-1], exact)
                worst_part = max(worst_part, by_part)
                if e > worst:
                    worst, where = e, "%s -> %s, exact %s" % (", ".join(str(o) for o in operands[:-1]), operands[-1], mp.nstr(exact, 20))
                if options.v > 1 and e > row.bounds[kind]:
                    print("   %s %s: %.3g at %s -> %s, exact %s" % (row.op, kind, e, ", ".join(str(o) for o in operands[:-1]), operands[-1], mp.nstr(exact, 20)))
            found[row] = worst, worst_part, where, special_errors(options, row, kind, module, i, folder)
    return found


def figure(x):
    return "inf" if math.isinf(x) else "%.2g" % x if x < 100 else "%.0e" % x


def table(results):
    lines = ["| op | " + " | ".join(TYPES) + " |", "| --- |" + " --- |" * len(TYPES)]
    for row in ROWS:
        cells = []
        for kind in TYPES:
            r = results.get((row, kind))
            cells.append("" if r is None else "%s (%g)" % (figure(r[0]), row.bounds[kind]))
        lines.append("| %s | %s |" % (row.op, " | ".join(cells)))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=800)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="rows whose `op type` matches")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin", help="where the tools are")
    parser.add_argument("--write", help="the file whose table is replaced")
    parser.add_argument("-v", action="count", default=0)
    options = parser.parse_args()
    results, failed = {}, 0
    for kind in TYPES:
        rows = [r for r in ROWS if kind in r.bounds and re.search(options.only, "%s %s" % (r.op, kind))]
        if not rows:
            continue
        for row, r in measure(options, kind, rows).items():
            results[row, kind] = r
            bad = r[0] > row.bounds[kind] or bool(r[3])
            failed += bad
            if bad or options.v:
                print("%s %s %s: %s ulp (bound %g; by part %s) at %s" % ("FAIL" if bad else "ok  ", row.op, kind, figure(r[0]), row.bounds[kind], figure(r[1]), r[2]))
                for line in r[3][:6]:
                    print("     " + line)
    if options.write:
        path = pathlib.Path(options.write)
        head, marker, _ = path.read_text().partition("<!-- table -->\n")
        path.write_text(head + marker + table(results))
    print("%d passed, %d failed" % (len(results) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
