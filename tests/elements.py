# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types as bits: sizes, packing as the tools want it, order of floats, distance of two arrays.

Python's standard library only, so that tests run on a bare machine. An array is the bytes of its
elements one after another, each in its own whole bytes; `pack` makes of 4-bit integers what the tools read and write.
"""
import collections
import math
import struct

# kind: b bool, i signed, u unsigned, f float, c complex (of `part`). nan: which patterns of a float are NaN and infinity:
# "ieee"; "fn" (no infinity, NaN is all ones); "fnuz" (NaN is minus zero); "e8m0" (unsigned, exponents only);
# "finite" (neither).
Element = collections.namedtuple("Element", "name kind bits tool exponent mantissa nan part")


def _element(name, kind, bits, tool=None, exponent=0, mantissa=0, nan="ieee", part=None):
    return Element(name, kind, bits, tool or name, exponent, mantissa, nan, part)


ELEMENTS = {e.name: e for e in (
    _element("i1", "b", 8),
    *(_element("i%d" % b, "i", b) for b in (2, 4, 8, 16, 32, 64)),
    *(_element("ui%d" % b, "u", b) for b in (2, 4, 8, 16, 32, 64)),
    _element("f8E4M3FN", "f", 8, exponent=4, mantissa=3, nan="fn"),
    _element("f8E5M2", "f", 8, exponent=5, mantissa=2),
    _element("f8E4M3FNUZ", "f", 8, exponent=4, mantissa=3, nan="fnuz"),
    _element("f8E5M2FNUZ", "f", 8, exponent=5, mantissa=2, nan="fnuz"),
    _element("f8E4M3B11FNUZ", "f", 8, "x8", exponent=4, mantissa=3, nan="fnuz"),  # x8: the tools have no name for it
    _element("f8E3M4", "f", 8, "x8", exponent=3, mantissa=4),
    _element("f8E4M3", "f", 8, "x8", exponent=4, mantissa=3),
    _element("f8E8M0FNU", "f", 8, exponent=8, mantissa=0, nan="e8m0"),
    _element("f6E2M3FN", "f", 6, "x8", exponent=2, mantissa=3, nan="finite"),  # in a byte each
    _element("f6E3M2FN", "f", 6, "x8", exponent=3, mantissa=2, nan="finite"),
    _element("f4E2M1FN", "f", 4, "x4", exponent=2, mantissa=1, nan="finite"),
    _element("f16", "f", 16, exponent=5, mantissa=10),
    _element("bf16", "f", 16, exponent=8, mantissa=7),
    _element("f32", "f", 32, exponent=8, mantissa=23),
    _element("f64", "f", 64, exponent=11, mantissa=52),
    _element("complex<f32>", "c", 64, "cf64", part="f32"),
    _element("complex<f64>", "c", 128, "cf128", part="f64"),
)}
BIAS = {"f8E4M3FNUZ": 8, "f8E5M2FNUZ": 16, "f8E4M3B11FNUZ": 11}


def whole_bytes(element):
    return max(element.bits, 8) // 8


def count(shape):
    n = 1
    for extent in shape:
        n *= extent
    return n


def pack(element, data):
    """Elements in whole bytes -> the tools' bytes: narrower integers share a byte, low bits first."""
    if element.bits >= 8:
        return data
    per, mask = 8 // element.bits, (1 << element.bits) - 1
    data += bytes(-len(data) % per)
    return bytes(sum((data[i + j] & mask) << j * element.bits for j in range(per)) for i in range(0, len(data), per))


def unpack(element, data, n):
    if element.bits >= 8:
        return data
    per, mask = 8 // element.bits, (1 << element.bits) - 1
    return bytes(data[i // per] >> i % per * element.bits & mask for i in range(n))


def patterns(element, data):
    """The bits of each element as an integer; complex numbers give two."""
    size = whole_bytes(ELEMENTS[element.part] if element.part else element)
    return struct.unpack("<%d%s" % (len(data) // size, {1: "B", 2: "H", 4: "I", 8: "Q"}[size]), data)


def is_nan(element, bits):
    if element.nan == "e8m0":
        return bits == 0xFF
    if element.nan == "finite":
        return False
    sign = 1 << element.bits - 1
    if element.nan == "fnuz":
        return bits == sign
    ones = sign - 1
    return bits & ones == ones if element.nan == "fn" else bits & ones > ones - ((1 << element.mantissa) - 1)


def rank(element, bits):
    """Neighbouring floats have neighbouring ranks; both zeros have rank 0."""
    if element.nan == "e8m0":
        return bits
    sign = 1 << element.bits - 1
    return sign - bits if bits & sign else bits


def number(element, bits):
    """A bit pattern's value as a Python number; NaN and infinities included."""
    if element.kind in "bu":
        return bits
    if element.kind == "i":
        return bits - (1 << element.bits) if bits >> element.bits - 1 else bits
    if is_nan(element, bits):
        return math.nan
    if element.nan == "e8m0":
        return math.ldexp(1.0, bits - 127)
    sign = -1.0 if bits >> element.bits - 1 else 1.0
    exponent = bits >> element.mantissa & ((1 << element.exponent) - 1)
    fraction = bits & ((1 << element.mantissa) - 1)
    if element.nan == "ieee" and exponent == (1 << element.exponent) - 1:
        return sign * math.inf
    bias = BIAS.get(element.name, (1 << element.exponent - 1) - 1)
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - element.mantissa)
    return sign * math.ldexp(fraction + (1 << element.mantissa), exponent - bias - element.mantissa)


def encode(element, value):
    """A Python number as the bits of the nearest element."""
    if element.kind in "biu":
        return int(value) & ((1 << element.bits) - 1)
    size = {16: "<e", 32: "<f", 64: "<d"}.get(element.bits if element.name != "bf16" else 0)
    try:
        if size:
            return int.from_bytes(struct.pack(size, value), "little")
    except OverflowError:
        return _infinity(element, value < 0)
    if value != value:
        return next(b for b in range((1 << element.bits) - 1, 0, -1) if is_nan(element, b))
    # The few narrow formats: the largest magnitude that is not above, or its neighbour.
    negative = math.copysign(1.0, value) < 0 and element.nan != "e8m0"
    low, high = 0, (1 << element.bits - (element.nan != "e8m0")) - 1
    while is_nan(element, high):
        high -= 1
    top = high
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if number(element, middle) <= abs(value) else (low, middle - 1)
    if low < top and number(element, low) != abs(value):
        below, above = abs(value) - number(element, low), number(element, low + 1) - abs(value)
        low += above < below or (above == below and low & 1)
    if negative and (low or element.nan != "fnuz"):
        low |= 1 << element.bits - 1
    return low


def _infinity(element, negative):
    return (((1 << element.exponent) - 1) << element.mantissa) | (1 << element.bits - 1 if negative else 0)


def numbers(element, data):
    bits = patterns(element, data)
    if element.part:
        half = [number(ELEMENTS[element.part], b) for b in bits]
        return [complex(a, b) for a, b in zip(half[::2], half[1::2])]
    return [number(element, b) for b in bits]


def difference(element, got, want, tolerance="exact"):
    """None when |got| is near enough to |want|, else one line.

    Tolerances: "exact" (bits, but any NaN is NaN), "value" (zeros of both signs are equal), "ulp:N" (N units in the
    last place; of a complex number, N roundings of its magnitude), "parts:N" (of real and imaginary part each), "norm:N" (N roundings of the largest magnitude in
    the array), "near:A,R" (A absolutely or R relatively, but
    never finer than 4 roundings), "any" (only the size is compared).
    """
    if got == want:
        return None
    if len(got) != len(want):
        return "%d bytes, want %d" % (len(got), len(want))
    kind, _, limit = tolerance.partition(":")
    if kind == "any":
        return None
    if kind == "near":
        far = _far_apart(element, got, want, *map(float, limit.split(",")))
    elif kind == "norm" or kind == "ulp" and element.part:
        far = _far_numbers(element, got, want, float(limit), kind == "norm")
    else:
        far = _far_bits(ELEMENTS[element.part] if element.part else element, got, want, kind, float(limit or 0))
    if not far:
        return None
    i, text = far[0]
    a, b = numbers(element, got), numbers(element, want)
    i = i // (len(patterns(element, want)) // len(b))
    return "%d of %d differ; [%d] is %r, want %r%s" % (len(far), len(b), i, a[i], b[i], text)


def _far_bits(element, got, want, kind, limit):
    far = []
    for i, (a, b) in enumerate(zip(patterns(element, got), patterns(element, want))):
        if a == b:
            continue
        if element.kind != "f":
            far.append((i, ""))
            continue
        if is_nan(element, a) and is_nan(element, b):
            continue
        distance = abs(rank(element, a) - rank(element, b))
        if is_nan(element, a) or is_nan(element, b) or (kind == "exact" and distance == 0) or distance > limit:
            far.append((i, " (%d ulp)" % distance if limit else ""))
    return far


def _far_numbers(element, got, want, limit, whole):
    part = ELEMENTS[element.part] if element.part else element
    epsilon = math.ldexp(1.0, -part.mantissa)
    a, b = numbers(element, got), numbers(element, want)
    scale = max([abs(v) for v in b if math.isfinite(abs(v))], default=0.0) if whole else 0.0
    tiny = math.ldexp(1.0, 2 - (1 << part.exponent - 1))
    far = []
    for i, (x, y) in enumerate(zip(a, b)):
        if _same_special(x, y):
            continue
        error = abs(x - y)
        if not error <= limit * epsilon * max(scale, abs(y), tiny):
            far.append((i * (2 if element.part else 1), " (%.1f roundings)" % (error / epsilon / max(scale, abs(y), tiny))))
    return far


def _far_apart(element, got, want, absolute, relative):
    far = []
    relative = max(relative, math.ldexp(4.0, -(ELEMENTS[element.part] if element.part else element).mantissa))
    for i, (x, y) in enumerate(zip(numbers(element, got), numbers(element, want))):
        if not _same_special(x, y) and not abs(x - y) <= absolute + relative * abs(y):
            far.append((i * (2 if element.part else 1), " (%.3g apart)" % abs(x - y)))
    return far


def _same_special(x, y):
    if isinstance(x, complex):
        return x == y or all(p == q or (p != p and q != q) for p, q in ((x.real, y.real), (x.imag, y.imag)))
    return x == y or (x != x and y != y)
