# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of quantised types: quantise, compute, dequantise; against the specification's formulas in numpy.

jaxlib has no way to name quantised types. Scales are powers of two and values moderate, so that f32 holds every step.
"""
import numpy as np

from arrays import DTYPES, ELEMENTS
from rows import row

STORED = ["i8", "ui8", "i16", "i32", "i4"]


class Quantised:
    """A quantised type of x's shape: scale and zero point, one for all or one for each position along |axis|."""

    def __init__(self, p, stored, expressed, x, axis=None, narrow=None, zero=True):
        self.x, self.axis, self.dtype = x, axis, DTYPES[expressed]
        e = ELEMENTS[stored]
        signed = e.kind == "i"
        self.low, self.high = (-(1 << e.bits - 1), (1 << e.bits - 1) - 1) if signed else (0, (1 << e.bits) - 1)
        narrow = p.chance(0.3) and e.bits <= 16 if narrow is None else narrow
        self.low += narrow
        n = 1 if axis is None else x.shape[axis]
        self.scales = [2.0 ** p.between(-5, 1) for _ in range(n)]
        self.zeros = [0 if e.bits == 32 or not zero else p.between(max(self.low, -8), min(self.high, 8)) for _ in range(n)]
        each = ["%s:%d" % (repr(s), z) if z or p.chance(0.5) else repr(s) for s, z in zip(self.scales, self.zeros)]
        self.text = "!quant.uniform<%s%d%s:%s%s, %s>" % (
            "i" if signed else "u", e.bits, "<%d:%d>" % (self.low, self.high) if narrow else "", expressed,
            "" if axis is None else ":%d" % axis, each[0] if axis is None else "{%s}" % ", ".join(each))
        self.t = x.t[:-1] + "\x03" + self.text + "\x02"

    def _along(self, numbers, kind):
        if self.axis is None:
            return np.array(numbers[0], kind)
        return np.array(numbers, kind).reshape([-1 if d == self.axis else 1 for d in range(self.x.rank)])

    def quantised(self, data):
        """Stored integers: each step of the specification's formula in the expressed type."""
        with np.errstate(all="ignore"):
            steps = (data / self._along(self.scales, self.dtype)).astype(self.dtype) + self._along(self.zeros, self.dtype)
        bounds = (np.array(b).astype(self.dtype).astype(np.float64) for b in (self.low, self.high))
        return np.rint(np.clip(steps.astype(np.float64), *bounds)).astype(np.int64)

    def rounded(self, data):
        """What comes back."""
        return ((self.quantised(data) - self._along(self.zeros, np.int64)) * self._along(self.scales, np.float64)).astype(self.dtype)


def quantise(p, v, q):
    name = "%%q%d" % len(p.lines)
    p.count("stablehlo.uniform_quantize")
    p.line("%s = stablehlo.uniform_quantize %s : (%s) -> %s" % (name, v, v.t, q.t))
    return name


def dequantise(p, name, q):
    r = p.new(q.x.element, q.x.shape, q.x.mask)
    p.count("stablehlo.uniform_dequantize")
    p.line("%s = stablehlo.uniform_dequantize %s : (%s) -> %s" % (r, name, q.t, r.t))
    p.result(r, "value")


@row("stablehlo.uniform_quantize", ["f32", "f64", "bf16", "f16"], weight=2)
def there_and_back(p, element):
    x = p.input(element, p.shape(), p.pick(("normal", (-40, 40))))
    q = Quantised(p, p.pick(STORED if element in ("f32", "f64") else ["i8", "ui8", "i4"]), element, x)
    dequantise(p, quantise(p, x, q), q)
    p.oracle = lambda p: [q.rounded(p.inputs[0][1])]


@row("stablehlo.uniform_dequantize", ["f32"])
def per_axis(p, element):
    x = p.input(element, p.shape(least=1, zero=0), "normal")
    axis = p.between(0, x.rank - 1)
    x.mask = tuple(m and d != axis for d, m in enumerate(x.mask))  # as many scales as positions
    q = Quantised(p, p.pick(("i8", "i32", "i16")), element, x, axis)
    dequantise(p, quantise(p, x, q), q)
    p.oracle = lambda p: [q.rounded(p.inputs[0][1])]


@row("stablehlo.uniform_quantize", ["f32"])
def requantise(p, element):
    """From one quantised type to another."""
    x = p.input(element, p.shape(), "normal")
    a, b = (Quantised(p, p.pick(("i8", "ui8", "i16")), element, x) for _ in range(2))
    name = quantise(p, x, a)
    other = "%%q%d" % len(p.lines)
    p.line("%s = stablehlo.uniform_quantize %s : (%s) -> %s" % (other, name, a.t, b.t))
    dequantise(p, other, b)
    p.oracle = lambda p: [b.rounded(a.rounded(p.inputs[0][1]))]


def binary(op, f):
    @row("stablehlo." + op, ["quantised"])
    def make(p, _):
        x = p.input("f32", p.shape(), "normal")
        y = p.input("f32", x.shape, "normal", x.mask)
        stored, narrow = p.pick(("i8", "ui8")), p.chance(0.3)
        a, b, c = (Quantised(p, stored, "f32", x, narrow=narrow) for _ in range(3))
        names = quantise(p, x, a), quantise(p, y, b)
        name = "%%q%d" % len(p.lines)
        p.count("stablehlo." + op)
        p.line("%s = stablehlo.%s %s, %s : (%s, %s) -> %s" % (name, op, *names, a.t, b.t, c.t))
        dequantise(p, name, c)
        p.oracle = lambda p: [c.rounded(f(a.rounded(p.inputs[0][1]), b.rounded(p.inputs[1][1])))]


for op in ("add", "multiply", "subtract", "maximum", "minimum"):
    binary(op, getattr(np, op))


@row("stablehlo.dot_general", ["quantised"])
def dot_general(p, _):
    """i8 by i8; the right side has its zero at 0."""
    m, k, n = (p.between(1, 6) for _ in range(3))
    x, y = p.input("f32", [m, k], "normal"), p.input("f32", [k, n], "normal", [False, False])
    z = p.new("f32", [m, n], [x.mask[0], False])
    a, b, c = Quantised(p, "i8", "f32", x), Quantised(p, "i8", "f32", y, zero=False), Quantised(p, "i8", "f32", z)
    names = quantise(p, x, a), quantise(p, y, b)
    name = "%%q%d" % len(p.lines)
    p.count("stablehlo.dot_general")
    p.line("%s = stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (%s, %s) -> %s" % (name, *names, a.t, b.t, c.t))
    dequantise(p, name, c)
    p.oracle = lambda p: [c.rounded((a.rounded(p.inputs[0][1]) @ b.rounded(p.inputs[1][1])))]
