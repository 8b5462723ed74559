# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of ops that sum products: dot, convolution, fft, and what solves linear systems."""
import numpy as np

from arrays import COMPLEX, DTYPES, ELEMENTS, F8, FLOATS, INTS, kind
from folding import extent
from rows import row
from shaping import array, listed, matrix

SUMMED = ["i4", "i8", "ui8", "i16", "i32", "ui32", "i64", "ui64"] + FLOATS + COMPLEX


def wider(p, element):
    """A result type that holds the sums."""
    if kind(element) in "iu" and ELEMENTS[element].bits < 32 and p.chance(0.6):
        return ("ui" if kind(element) == "u" else "i") + "32"
    if element in ("f16", "bf16", *F8) and (p.chance(0.5) or element in F8):
        return "f32"
    return element


def tolerance(element):
    """Small integers: exact but where the type cannot hold the sum."""
    return {"f": "norm:2", "c": "norm:2"}.get(kind(element), "exact")


@row("stablehlo.dot_general", SUMMED + F8, weight=3)
def dot_general(p, element):
    while True:
        batch, contracted, left, right = ([p.extent() for _ in range(p.pick(n))] for n in ((0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 1, 2), (0, 1, 1)))
        if np.prod(batch + contracted + left + right) <= 600:
            break
    names = lambda letter, sizes: [(letter, i, e) for i, e in enumerate(sizes)]
    sides = []
    for free, letter in ((left, "l"), (right, "r")):
        dims = names("b", batch) + names("c", contracted) + names(letter, free)
        sides.append([dims[int(i)] for i in p.rng.permutation(len(dims))])
    operands = []
    for dims in sides:
        values = "normal" if kind(element) in "f" and p.chance(0.3) and element not in F8 else "any" if kind(element) in "iu" else "small"
        operands.append(p.input(element, [d[2] for d in dims], values))
    a, b = operands
    at = lambda side, letter: [next(i for i, d in enumerate(sides[side]) if d[:2] == (letter, n)) for n in range(sum(d[0] == letter for d in sides[side]))]
    places = [(0, i) for i in at(0, "b")] + [(0, i) for i, d in enumerate(sides[0]) if d[0] == "l"] + [(1, i) for i, d in enumerate(sides[1]) if d[0] == "r"]
    shape = [operands[s].shape[i] for s, i in places]
    mask = [operands[s].mask[i] for s, i in places]
    out = wider(p, element)
    text = "stablehlo.dot_general %s, %s%s, contracting_dims = %s x %s" % (
        a, b, ", batching_dims = %s x %s" % (listed(at(0, "b")), listed(at(1, "b"))) if batch else "", listed(at(0, "c")), listed(at(1, "c")))
    if p.chance(0.3):
        text += ", precision = [%s]" % ", ".join(p.pick(("DEFAULT", "HIGH", "HIGHEST")) for _ in range(2))
    n = int(np.prod(contracted)) if contracted else 1
    p.result(p.op(text, out, shape, mask, [a, b]), "norm:%d" % (4 + 2 * n) if kind(element) in "fc" else "exact")


@row("stablehlo.dot", SUMMED)
def dot(p, element):
    k = p.extent()
    a, b = p.input(element, [p.extent(), k][p.between(0, 1):], "small"), p.input(element, [k, p.extent()][:p.between(1, 2)], "small")
    p.only_static = True
    shape = [*a.shape[:-1], *b.shape[1:]]
    p.oracle = "xla"
    p.result(p.op("stablehlo.dot %s, %s" % (a, b), element, shape, None, [a, b]), tolerance(element))


def _convolution(p, element):
    """Operands, attributes and result of a convolution within the rules."""
    while True:
        n = p.between(0, 3)
        batch, groups, batch_groups = p.between(1, 3), 1, 1
        features, outputs = p.between(1, 3), p.between(1, 3)
        dice = p.rng.random()
        if dice < 0.25:
            groups = p.between(1, 3)
        elif dice < 0.4:
            batch_groups = p.between(1, 3)
        space, size = [p.between(1, 6) for _ in range(n)], [p.between(1, 3) for _ in range(n)]
        strides, lhs, rhs = ([p.pick((1, 1, 2, 3)) for _ in range(n)] for _ in range(3))
        pads = [[p.pick((0, 0, 1, 2, -1)) for _ in range(2)] for _ in range(n)]
        out = [extent(*t) for t in zip(space, size, strides, lhs, rhs, pads)]
        grown = [(e - 1) * d + 1 + a + b for e, d, (a, b) in zip(space, lhs, pads)]
        if all(g > 0 for g in grown) and np.prod(out) * np.prod(size) * batch * batch_groups * outputs * groups <= 3000:
            break
    left = [("b", batch * batch_groups), ("f", features * groups)] + [(i, e) for i, e in enumerate(space)]
    right = [("i", features), ("o", outputs * groups * batch_groups)] + [(i, e) for i, e in enumerate(size)]
    result = [("b", batch), ("f", outputs * groups * batch_groups)] + [(i, e) for i, e in enumerate(out)]
    orders = [[dims[int(i)] for i in p.rng.permutation(n + 2)] for dims in (left, right, result)]
    form = "[%s]x[%s]->[%s]" % tuple(", ".join(str(d[0]) for d in dims) for dims in orders)
    window = {"stride": strides, "pad": pads, "lhs_dilate": lhs, "rhs_dilate": rhs, "reverse": [p.chance(0.3) for _ in range(n)]}
    attributes = "batch_group_count = %d : i64, feature_group_count = %d : i64" % (batch_groups, groups)
    return [[d[1] for d in dims] for dims in orders], form, window, attributes, int(np.prod(size)) * features


def _window_text(window):
    nested = lambda v: str(v).lower() if not isinstance(v, list) else "[%s]" % ", ".join(nested(x) for x in v)
    return ", ".join("%s = %s" % (k, nested(v)) for k, v in window.items())


@row("stablehlo.convolution", ["i8", "ui8", "i32"] + FLOATS + COMPLEX, weight=3)
def convolution(p, element):
    (left, right, result), form, window, attributes, n = _convolution(p, element)
    mask = [p.chance(0.2) for _ in left]
    a, b = p.input(element, left, "small", mask), p.input(element, right, "small", [False] * len(right))
    letters = lambda part: [x.strip() for x in part.strip("[]").split(",")]
    first, last = letters(form.split("x")[0]), letters(form.split("->")[1])
    open_ = [mask[first.index(d)] if d != "f" else False for d in last]
    out = wider(p, element)
    text = "stablehlo.convolution(%s, %s) dim_numbers = %s, window = {%s} {%s}" % (a, b, form, _window_text(window), attributes)
    p.count("stablehlo.convolution")
    r = p.new(out, result, open_)
    p.line("%s = %s : (%s, %s) -> %s" % (r, text, a.t, b.t, r.t))
    p.result(r, "norm:%d" % (2 + n) if kind(element) in "fc" else "exact")


@row("stablehlo.dynamic_conv", ["i8", "i32"] + FLOATS)
def dynamic_conv(p, element):
    (left, right, result), form, window, attributes, n = _convolution(p, element)
    a, b = p.input(element, left, "small"), p.input(element, right, "small", [False] * len(right))
    r = p.new(element, result, [True] * len(result))
    pads = window.pop("pad")
    d = p.input(p.pick(("i32", "i64")), [len(pads), 2], np.array(pads, np.int64).reshape(-1, 2), [False, False])
    static = "%s = stablehlo.convolution(%s, %s) dim_numbers = %s, window = {%s} {%s} : (%s, %s) -> %s" % (
        r, a, b, form, _window_text({**window, "pad": pads}), attributes, a.t, b.t, r.t)
    generic = "window_strides = %s, lhs_dilation = %s, rhs_dilation = %s, window_reversal = %s" % (
        array(window["stride"]), array(window["lhs_dilate"]), array(window["rhs_dilate"]), array(window["reverse"], "i1"))
    p.count("stablehlo.dynamic_conv")
    p.either(static, '%s = "stablehlo.dynamic_conv"(%s, %s, %s) {dimension_numbers = #stablehlo.conv<%s>, %s, %s} : (%s, %s, %s) -> %s' % (
        r, a, b, d, form, generic, attributes, a.t, b.t, d.t, r.t))
    p.result(r, "norm:%d" % (2 + n) if kind(element) == "f" else "exact")


@row("stablehlo.fft", ["f32", "f64"] + COMPLEX, oracle="xla")
def fft(p, element):
    rank = p.between(1, 3)
    how = p.pick(("FFT", "IFFT", "IRFFT")) if kind(element) == "c" else "RFFT"
    lead = p.shape(p.between(0, 1), zero=0, most=4)
    lengths = [p.pick((1, 2, 3, 4, 5, 6, 7, 8, 12)) for _ in range(rank)]
    half = [*lengths[:-1], lengths[-1] // 2 + 1]
    x = p.input(element, [*lead, *(half if how == "IRFFT" else lengths)], "normal", [p.chance(0.5)] * len(lead) + [False] * rank)
    part = ELEMENTS[element].part
    out = element if how in ("FFT", "IFFT") else "complex<%s>" % element if how == "RFFT" else part
    shape = [*lead, *(half if how == "RFFT" else lengths)]
    text = "stablehlo.fft %s, type = %s, length = %s" % (x, how, listed(lengths))
    p.result(p.op(text, out, shape, x.mask, [x]), "norm:16")


def _definite(p, element, n, lead):
    a = np.tril(p.rng.normal(0, 1, [*lead, n, n])) + (1j * np.tril(p.rng.normal(0, 1, [*lead, n, n]), -1) if kind(element) == "c" else 0)
    a = np.tril(a, -1) + np.eye(n) * p.rng.uniform(1, 2, [*lead, n, 1])
    return a


@row("stablehlo.cholesky", ["f32", "f64"] + COMPLEX, oracle="xla")
def cholesky(p, element):
    n, lead = p.between(0, 6), p.shape(p.between(0, 2), most=6)
    a = _definite(p, element, n, lead)
    x = p.input(element, [*lead, n, n], (a @ np.conj(np.swapaxes(a, -1, -2))).astype(DTYPES[element]))
    lower = p.chance(0.5)
    r = p.op("stablehlo.cholesky %s, lower = %s" % (x, str(lower).lower()), element, x.shape, x.mask)
    p.oracle = lambda q: [_factor(q.inputs[0][1], lower)]
    p.result(_triangle(p, r, lower), "norm:32")


def _factor(x, lower):
    low = np.linalg.cholesky(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    return low if lower else np.conj(np.swapaxes(low, -1, -2))


def _triangle(p, x, lower):
    """The triangle that the op defines; the rest is left open by the specification."""
    shape, mask = x.shape, [False] * x.rank
    if any(x.mask):
        return _masked(p, x, lower)
    rows, columns = (p.op("stablehlo.iota dim = %d" % d, "i32", shape, mask) for d in (x.rank - 2, x.rank - 1))
    inside = p.op("stablehlo.compare %s, %s, %s" % ("GE" if lower else "LE", rows, columns), "i1", shape, mask, [rows, columns])
    zero = p.constant(x.element, [], np.zeros([]))
    zeros = p.op("stablehlo.broadcast_in_dim %s, dims = []" % zero, x.element, shape, mask, [zero])
    return p.op("stablehlo.select %s, %s, %s" % (inside, x, zeros), x.element, shape, mask, [inside, x, zeros])


def _masked(p, x, lower):
    n = x.shape[-1]
    keep = np.broadcast_to(np.tril(np.ones((n, n), bool)) if lower else np.triu(np.ones((n, n), bool)), x.shape)
    inside = p.input("i1", x.shape, np.array(keep), x.mask)
    zeros = p.input(x.element, x.shape, np.zeros(x.shape, DTYPES[x.element]), x.mask)
    return p.op("stablehlo.select %s, %s, %s" % (inside, x, zeros), x.element, x.shape, x.mask, [inside, x, zeros])


@row("stablehlo.triangular_solve", ["f32", "f64"] + COMPLEX, oracle="xla")
def triangular_solve(p, element):
    n, m, lead = p.between(1, 6), p.between(1, 4), p.shape(p.between(0, 2), most=6, zero=0)
    left, lower, unit = p.chance(0.5), p.chance(0.5), p.chance(0.3)
    how = p.pick(("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"))
    a = _definite(p, element, n, lead) + np.triu(p.rng.normal(0, 1, [*lead, n, n]), 1) * 0
    a = a if lower else np.swapaxes(a, -1, -2)
    mask = p.mask(len(lead))
    x = p.input(element, [*lead, n, n], (a * 0.5 + np.eye(n)).astype(DTYPES[element]), [*mask, False, False])
    b = p.input(element, [*lead, *((n, m) if left else (m, n))], "normal", [*mask, False, False])
    attributes = "left_side = %s, lower = %s, unit_diagonal = %s, transpose_a = #stablehlo<transpose %s>" % (
        *(str(f).lower() for f in (left, lower, unit)), how)
    [r] = p.generic("stablehlo.triangular_solve", [x, b], [(element, b.shape, b.mask)], attributes)
    p.result(r, "norm:256")


@row("stablehlo.einsum", ["i32", "f32", "f64"], oracle=lambda p: [np.einsum(p.config, *(data for _, data in p.inputs))], dynamic=False)
def einsum(p, element):
    p.only_static = True
    size = {letter: p.between(1, 5) for letter in "abcd"}
    p.config = p.pick(("ab,bc->ac", "abc,acd->abd", "ab,ab->a", "a,b->ab", "abc,c->ba"))
    x, y = (p.input(element, [size[c] for c in part], "small", [False] * len(part)) for part in p.config.split("->")[0].split(","))
    text = 'stablehlo.einsum %s, %s, config = "%s"' % (x, y, p.config)
    p.result(p.op(text, element, [size[c] for c in p.config.split("->")[1]], None, [x, y]), "value")


@row("stablehlo.unary_einsum", ["i32", "f32", "f64"], oracle=lambda p: [np.einsum(p.config, p.inputs[0][1])], dynamic=False)
def unary_einsum(p, element):
    p.only_static = True
    size = {letter: p.between(1, 5) for letter in "abc"}
    p.config = p.pick(("ab->ba", "abc->ac", "aa->a", "ab->", "abc->cab"))
    x = p.input(element, [size[c] for c in p.config.split("->")[0]], "small", [False] * len(p.config.split("->")[0]))
    text = 'stablehlo.unary_einsum %s, config = "%s"' % (x, p.config)
    p.result(p.op(text, element, [size[c] for c in p.config.split("->")[1]], None, [x]), "value")
