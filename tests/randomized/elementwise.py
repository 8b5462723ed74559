# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of ops that work element by element, CHLO's among them."""
import numpy as np

from arrays import ALL, BOOL, COMPLEX, ELEMENTS, F8, FLOATS, INTS, SIGNED, TINY, UNSIGNED, kind, limits
from rows import open_all, row

NUMBERS = TINY + INTS + FLOATS + COMPLEX
# Units in the last place of results that no rounding rule fixes.
ULPS = {"f16": 1, "bf16": 1, "f32": 3, "f64": 4, "complex<f32>": 12, "complex<f64>": 12}

EXACT_UNARY = {
    "abs": (["i2"] + SIGNED + FLOATS, "any"), "negate": (TINY + INTS + FLOATS + COMPLEX, "any"), "not": (BOOL + TINY + INTS, "any"),
    "ceil": (FLOATS, "any"), "floor": (FLOATS, "any"), "round_nearest_afz": (FLOATS, "any"), "round_nearest_even": (FLOATS, "any"),
    "sign": (["i2"] + SIGNED + FLOATS, "any"), "popcnt": (TINY + INTS, "any"), "count_leading_zeros": (TINY + INTS, "any"),
}
ROUNDED_UNARY = {  # op: element types, values
    "cbrt": (FLOATS, "any"), "cosine": (FLOATS + COMPLEX, "any"), "sine": (FLOATS + COMPLEX, "any"), "tan": (FLOATS + COMPLEX, "any"),
    "exponential": (FLOATS + COMPLEX, "any"), "exponential_minus_one": (FLOATS + COMPLEX, "any"), "log": (FLOATS + COMPLEX, "any"),
    "log_plus_one": (FLOATS + COMPLEX, "any"), "logistic": (FLOATS + COMPLEX, "any"), "rsqrt": (FLOATS + COMPLEX, "any"),
    "sqrt": (FLOATS + COMPLEX, "any"), "tanh": (FLOATS + COMPLEX, "any"), "abs": (COMPLEX, "any"), "sign": (COMPLEX, "any"),
}
EXACT_BINARY = {
    "add": BOOL + TINY + INTS + FLOATS + COMPLEX, "subtract": TINY + INTS + FLOATS + COMPLEX, "multiply": BOOL + TINY + INTS + FLOATS,
    "maximum": BOOL + TINY + INTS + FLOATS + COMPLEX, "minimum": BOOL + TINY + INTS + FLOATS + COMPLEX,
    "and": BOOL + TINY + INTS, "or": BOOL + TINY + INTS, "xor": BOOL + TINY + INTS,
}


def some(element):
    """Complex functions get moderate numbers: the corners of infinities differ between libraries."""
    return "normal" if kind(element) == "c" else "any"


def unary(op, elements, values, ulps):
    @row("stablehlo." + op, elements)
    def make(p, element):
        if op == "logistic" and element in ("f16", "bf16"):
            p.oracle = logistic
        x = p.input(element, p.shape(), some(element) if values == "any" else values)
        if op in LIMITED and kind(element) == "f":
            low, high = LIMITED[op][element]
            data = p.inputs[-1][1]
            with np.errstate(all="ignore"):
                data[(data.astype(np.float64) < low) | (data.astype(np.float64) > high)] = 1
        out = ELEMENTS[element].part if op == "abs" and kind(element) == "c" else element
        types = [x] if out != element else None
        p.result(p.op("stablehlo.%s %s" % (op, x), out, x.shape, x.mask, types), "ulp:%d" % ULPS[element] if ulps else "exact")


# What functions promise (docs/numerics.md): logistic where its result is no denormal.
LIMITED = {"logistic": {"f16": (-87, np.inf), "bf16": (-87, np.inf), "f32": (-87, np.inf), "f64": (-708, np.inf)}}


def logistic(p):
    """Not the interpreter's, which overflows on the way in 16 bits."""
    (v, data), = p.inputs
    wide = data.astype(np.complex128 if kind(v.element) == "c" else np.float64)
    with np.errstate(all="ignore"):
        return [(1 / (1 + np.exp(-wide))).astype(data.dtype)]


for op, (elements, values) in EXACT_UNARY.items():
    unary(op, elements, values, False)
for op, (elements, values) in ROUNDED_UNARY.items():
    unary(op, elements, values, True)


def same(p, op, *operands):
    """An op whose operands and result have one type, unless open extents differ."""
    x = operands[-1]
    masks = {tuple(v.mask) for v in operands}
    return p.op("stablehlo.%s %s" % (op, ", ".join(map(str, operands))), x.element, x.shape, open_all(*operands), operands if len(masks) > 1 else None)


def pair(p, element, values="any", other=None):
    shape = p.shape()
    return p.input(element, shape, values), p.input(element, shape, other or values)


def binary(op, elements):
    @row("stablehlo." + op, elements)
    def make(p, element):
        x, y = pair(p, element, some(element))
        p.result(same(p, op, x, y), "exact")


for op, elements in EXACT_BINARY.items():
    binary(op, elements)


@row("stablehlo.multiply", COMPLEX)
def multiply_complex(p, element):
    x, y = pair(p, element, "normal")
    p.result(same(p, "multiply", x, y), "ulp:4")


@row("stablehlo.divide", TINY + INTS + FLOATS + COMPLEX)
def divide(p, element):
    x, y = pair(p, element, some(element))
    if kind(element) in "iu":  # by zero, and the smallest by -1, are left open
        data = p.inputs[1][1]
        data[(data == 0) | ((data.astype(np.int64) == -1) & (kind(element) == "i"))] = 1
    p.result(same(p, "divide", x, y), "ulp:8" if kind(element) == "c" else "exact")


@row("stablehlo.remainder", TINY + INTS + FLOATS)
def remainder(p, element):
    x, y = pair(p, element)
    if kind(element) in "iu":
        data = p.inputs[1][1]
        data[(data == 0) | ((data.astype(np.int64) == -1) & (kind(element) == "i"))] = 1
    p.result(same(p, "remainder", x, y), "value")


@row("stablehlo.power", TINY + INTS + FLOATS + COMPLEX)
def power(p, element):
    if kind(element) in "iu":
        x, y = pair(p, element, "any", (0, 7))
    elif kind(element) == "c":
        x, y = pair(p, element, "normal")
    else:
        x, y = pair(p, element, "any", p.pick(("any", "small", "normal")))
    p.result(same(p, "power", x, y), "ulp:%d" % ULPS[element] if element in ULPS else "exact")


@row("stablehlo.atan2", FLOATS + COMPLEX)
def atan2(p, element):
    x, y = pair(p, element, some(element))
    p.result(same(p, "atan2", x, y), "ulp:%d" % ULPS[element])


def shift(op):
    @row("stablehlo." + op, TINY + INTS)
    def make(p, element):
        x, y = pair(p, element, "any", p.pick(((0, min(ELEMENTS[element].bits - 1, limits(element)[1])), "any")))
        p.result(same(p, op, x, y))


for op in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
    shift(op)


@row("stablehlo.compare", BOOL + TINY + INTS + FLOATS + COMPLEX, weight=2)
def compare(p, element):
    x, y = pair(p, element, p.pick((some(element), "small")))
    directions = ("EQ", "NE") if kind(element) == "c" else ("EQ", "NE", "LT", "LE", "GT", "GE")
    types = {"b": "UNSIGNED", "u": "UNSIGNED", "i": "SIGNED", "f": p.pick(("FLOAT", "FLOAT", "TOTALORDER")), "c": "FLOAT"}[kind(element)]
    if types == "TOTALORDER":
        p.oracle = "xla"  # the interpreter takes it as FLOAT
    p.result(p.op("stablehlo.compare %s, %s, %s, %s" % (p.pick(directions), x, y, types), "i1", x.shape, open_all(x, y), [x, y]))


@row("stablehlo.select", ALL)
def select(p, element):
    x, y = pair(p, element)
    c = p.input("i1", x.shape if p.chance(0.7) else [])
    r = p.op("stablehlo.select %s, %s, %s" % (c, x, y), element, x.shape, open_all(x, y), [c, x, y])
    p.result(r)


@row("stablehlo.clamp", BOOL + TINY + INTS + FLOATS)
def clamp(p, element):
    x = p.input(element, p.shape())
    low, high = (p.input(element, x.shape if p.chance(0.5) else [], some(element)) for _ in range(2))
    p.result(p.op("stablehlo.clamp %s, %s, %s" % (low, x, high), element, x.shape, x.mask, [low, x, high]), "value")


@row("stablehlo.is_finite", FLOATS)
def is_finite(p, element):
    x = p.input(element, p.shape())
    p.result(p.op("stablehlo.is_finite %s" % x, "i1", x.shape, x.mask, [x]))


@row("stablehlo.convert", ALL, weight=4)
def convert(p, element):
    x = p.input(element, p.shape(), "normal" if kind(element) == "c" else p.pick(("any", "small", (-200, 200))))
    to = p.pick([e for e in ALL if (kind(e) == "c") >= (kind(element) == "c")])
    p.result(p.op("stablehlo.convert %s" % x, to, x.shape, x.mask, [x]))


@row("stablehlo.bitcast_convert", TINY + INTS + F8 + FLOATS)
def bitcast(p, element):
    x = p.input(element, p.shape(), "finite" if kind(element) == "f" else "any")
    bits = ELEMENTS[element].bits
    same = [e for e in INTS + FLOATS + F8 if ELEMENTS[e].bits == bits]
    narrower = [e for e in INTS + FLOATS if ELEMENTS[e].bits in (bits // 2, bits // 4)]
    if p.chance(0.4) and narrower:
        to = p.pick(narrower)
        r = p.op("stablehlo.bitcast_convert %s" % x, to, [*x.shape, bits // ELEMENTS[to].bits], [*x.mask, False], [x])
    else:
        r = p.op("stablehlo.bitcast_convert %s" % x, p.pick(same or [element]), x.shape, x.mask, [x])
    p.result(r)


@row("stablehlo.reduce_precision", FLOATS)
def reduce_precision(p, element):
    x = p.input(element, p.shape())
    e = ELEMENTS[element]
    form = "e%dm%d" % (p.between(1, e.exponent), p.between(0, e.mantissa))
    p.result(p.op("stablehlo.reduce_precision %s, format = %s" % (x, form), element, x.shape, x.mask))


@row("stablehlo.complex", ["f32", "f64"])
def make_complex(p, element):
    x, y = pair(p, element)
    p.result(p.op("stablehlo.complex %s, %s" % (x, y), "complex<%s>" % element, x.shape, open_all(x, y), [x, y]))


def part(op):
    @row("stablehlo." + op, COMPLEX + FLOATS)
    def make(p, element):
        x = p.input(element, p.shape())
        p.result(p.op("stablehlo.%s %s" % (op, x), ELEMENTS[element].part or element, x.shape, x.mask, [x]))


part("real")
part("imag")


@row("stablehlo.map", INTS + FLOATS)
def map_(p, element):
    x, y = pair(p, element, "small")
    t = "tensor<%s>" % element
    p.count("stablehlo.map")
    r = p.new(element, x.shape, open_all(x, y))
    p.line('%s = "stablehlo.map"(%s, %s) ({' % (r, x, y))
    p.line("^bb0(%%l: %s, %%r: %s):" % (t, t))
    p.line("  %%m = stablehlo.multiply %%l, %%r : %s" % t)
    p.line("  %%s = stablehlo.subtract %%m, %%r : %s" % t)
    p.line("  stablehlo.return %%s : %s" % t)
    p.line("}) {dimensions = array<i64%s>} : (%s, %s) -> %s" % (": " * bool(x.shape) + ", ".join(map(str, range(x.rank))), x.t, y.t, r.t))
    p.result(r)
