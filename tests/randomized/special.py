# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of CHLO's functions, against numpy and scipy in f64."""
import math

import numpy as np
import scipy.special as special

from arrays import BOOL, COMPLEX, DTYPES, ELEMENTS, FLOATS, INTS, kind
from elementwise import ULPS
from rows import open_all, row


def chlo(p, op, operands, element, like, mask):
    """CHLO's own form of types: no parentheses around the operands'."""
    r = p.new(element, like.shape, mask)
    p.count("chlo." + op)
    p.line("%s = chlo.%s %s : %s -> %s" % (r, op, ", ".join(map(str, operands)), ", ".join(v.t for v in operands), r.t))
    return r


def wide(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def function(f):
    """An oracle: f in f64, rounded to the result's type."""
    def oracle(p):
        with np.errstate(all="ignore"):
            out = f(*(wide(data) for _, data in p.inputs))
            return [np.asarray(out).astype(DTYPES[p.results[0][0].element])]
    return oracle


# op: function, element types, values; one with _ at its end is the op again.
UNARY = {
    "acos": (np.arccos, FLOATS, (-1.1, 1.1)), "acosh": (np.arccosh, FLOATS, (0.5, 50.0)), "asin": (np.arcsin, FLOATS, (-1.1, 1.1)),
    "asinh": (np.arcsinh, FLOATS, "any"), "atan": (np.arctan, FLOATS, "any"), "atanh": (np.arctanh, FLOATS, (-1.1, 1.1)),
    "cosh": (np.cosh, FLOATS, "any"), "sinh": (np.sinh, FLOATS, "any"), "tan": (np.tan, FLOATS, "normal"),
    "erf": (np.vectorize(math.erf, otypes=[float]), FLOATS, "any"), "erfc": (np.vectorize(math.erfc, otypes=[float]), FLOATS, (-4.0, 9.0)), "erf_inv": (special.erfinv, FLOATS, (-1.0, 1.0)),
    "lgamma": (special.gammaln, FLOATS, (2.5, 30.0)), "digamma": (special.digamma, FLOATS, (2.0, 30.0)),
    "bessel_i1e": (special.i1e, FLOATS, "normal"), "conj": (np.conj, COMPLEX, "any"), "square": (np.square, FLOATS, "normal"),
    "acos_": (np.arccos, COMPLEX, "normal"), "acosh_": (np.arccosh, COMPLEX, "normal"), "asin_": (np.arcsin, COMPLEX, "normal"),
    "asinh_": (np.arcsinh, COMPLEX, "normal"), "atan_": (np.arctan, COMPLEX, "normal"), "atanh_": (np.arctanh, COMPLEX, "normal"),
    "cosh_": (np.cosh, COMPLEX, "normal"), "sinh_": (np.sinh, COMPLEX, "normal"), "tan_": (np.tan, COMPLEX, "normal"),
    "square_": (np.square, COMPLEX, "normal"),
}
LOOSE = {"erf_inv": 8, "lgamma": 16, "digamma": 16, "bessel_i1e": 8, "polygamma": 64, "zeta": 64, "erfc": 8}


def unary(name, f, elements, values):
    op = name.rstrip("_")

    @row("chlo." + op, elements, oracle=function(f))
    def make(p, element):
        x = p.input(element, p.shape(), values)
        r = chlo(p, op, [x], element, x, x.mask)
        p.result(r, "exact" if op == "conj" else "ulp:%d" % max(ULPS[element], LOOSE.get(op, 0) if element in ("f32", "f64") else 1))


for name, (f, elements, values) in UNARY.items():
    unary(name, f, elements, values)


def predicate(op, f):
    @row("chlo." + op, FLOATS, oracle=lambda p: [f(wide(p.inputs[0][1]))])
    def make(p, element):
        x = p.input(element, p.shape())
        p.result(chlo(p, op, [x], "i1", x, x.mask))


predicate("is_inf", np.isinf)
predicate("is_pos_inf", np.isposinf)
predicate("is_neg_inf", np.isneginf)


@row("chlo.next_after", FLOATS, oracle=lambda p: [next_after(p.inputs[0][1], p.inputs[1][1])])
def next_after_(p, element):
    shape = p.shape()
    x, y = p.input(element, shape), p.input(element, shape)
    p.result(chlo(p, "next_after", [x, y], element, x, open_all(x, y)), "value")


def next_after(x, y):
    with np.errstate(all="ignore"):
        return np.nextafter(x, y)


def _two(op, f, first, second):
    @row("chlo." + op, ["f32", "f64"], oracle=function(f))
    def make(p, element):
        shape = p.shape()
        x = p.input(element, shape, first(p, element, shape))
        y = p.input(element, shape, second)
        p.result(chlo(p, op, [x, y], element, x, open_all(x, y)), "ulp:%d" % LOOSE[op])


def _orders(p, element, shape):
    return p.rng.integers(0, 4, shape).astype(DTYPES[element])


_two("polygamma", lambda n, x: special.polygamma(n.astype(int), x), _orders, (0.5, 10.0))
_two("zeta", special.zeta, lambda p, element, shape: (1.5, 8.0), (0.5, 10.0))

BROADCAST = {"remainder": FLOATS, "shift_left": INTS, "shift_right_arithmetic": INTS, "shift_right_logical": INTS, "add": INTS + FLOATS + COMPLEX, "subtract": INTS + FLOATS, "multiply": INTS + FLOATS, "maximum": INTS + FLOATS, "minimum": INTS + FLOATS,
             "and": BOOL + INTS, "or": BOOL + INTS, "xor": BOOL + INTS, "divide": FLOATS, "atan2": FLOATS, "power": FLOATS}


def broadcast(op, elements):
    @row("chlo.broadcast_" + op, elements, oracle="interpreter")
    def make(p, element):
        """The shorter one leads with nothing, extents of 1 repeat."""
        shape = p.shape()
        shapes = [[1 if p.chance(0.25) else e for e in shape[k:]] for k in (0, p.between(0, len(shape)))]
        if p.chance(0.5):
            shapes.reverse()
        p.only_static = True
        x, y = (p.input(element, s, "small", [False] * len(s)) for s in shapes)
        long = [[1] * (len(shape) - len(s)) + s for s in shapes]
        out = [b if a == 1 else a for a, b in zip(*long)]
        p.result(p.op("chlo.broadcast_%s %s, %s" % (op, x, y), element, out, None, [x, y]), "ulp:%d" % ULPS[element] if op in ("atan2", "power") else "value")


for op, elements in BROADCAST.items():
    broadcast(op, elements)


@row("chlo.broadcast_compare", INTS + FLOATS)
def broadcast_compare(p, element):
    p.only_static = True
    shape = p.shape(least=1)
    x, y = p.input(element, shape, "small", [False] * len(shape)), p.input(element, shape[1:], "small", [False] * len(shape[1:]))
    r = p.new("i1", shape)
    p.count("chlo.broadcast_compare")
    p.line("%s = chlo.broadcast_compare %s, %s {comparison_direction = #chlo<comparison_direction %s>} : (%s, %s) -> %s" % (
        r, x, y, p.pick(("EQ", "NE", "LT", "LE", "GT", "GE")), x.t, y.t, r.t))
    p.result(r)


@row("chlo.broadcast_select", BOOL + INTS + FLOATS)
def broadcast_select(p, element):
    p.only_static = True
    shape = p.shape()
    c = p.input("i1", [], mask=[])
    x, y = (p.input(element, shape, "any", [False] * len(shape)) for _ in range(2))
    r = p.new(element, shape)
    p.count("chlo.broadcast_select")
    p.line("%s = chlo.broadcast_select %s, %s, %s : (%s, %s, %s) -> %s" % (r, c, x, y, c.t, x.t, y.t, r.t))
    p.result(r)


def high_half(p):
    (x, a), (_, b) = p.inputs[:2]
    bits = ELEMENTS[x.element].bits
    return [np.array((a.astype(object) * b.astype(object)) >> bits, dtype=object).astype(DTYPES[x.element]).reshape(x.shape)]


@row("chlo.mulhi", ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"], oracle=high_half)
def mulhi(p, element):
    shape = p.shape()
    x, y = p.input(element, shape), p.input(element, shape)
    p.result(chlo(p, "mulhi", [x, y], element, x, open_all(x, y)))


@row("chlo.constant_like", INTS + FLOATS, oracle=lambda p: [np.full_like(p.inputs[0][1], 3)])
def constant_like(p, element):
    x = p.input(element, p.shape())
    r = p.new(element, x.shape, x.mask)
    p.count("chlo.constant_like")
    p.line('%s = "chlo.constant_like"(%s) {value = %s : %s} : (%s) -> %s' % (r, x, "3.0" if kind(element) == "f" else "3", element, x.t, r.t))
    p.result(r)
