# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of ops that fold many elements into one or put them in order: reductions, windows, sort."""
import numpy as np

from arrays import BOOL, COMPLEX, ELEMENTS, FLOATS, INTS, TINY, kind, limits
from builder import scalar_type
from rows import row
from shaping import array, combiner, listed, matrix

NUMBERS = TINY + INTS + FLOATS
HOW = {"add": 0, "multiply": 1, "maximum": None, "minimum": None, "and": None, "or": 0, "xor": 0}


def fold(p, element):
    """(op, its neutral value, values that make any order give one result)."""
    k = kind(element)
    names = {"b": ("and", "or", "xor"), "f": ("add", "multiply", "maximum", "minimum"), "c": ("add",)}.get(k, HOW)
    how = p.pick(names)
    low, high = (-np.inf, np.inf) if k in "fc" else (False, True) if k == "b" else limits(element)
    neutral = {"maximum": low, "minimum": high, "and": -1 if k == "i" else high}.get(how, HOW[how])
    values = "any" if k in "biu" or how in ("maximum", "minimum") else "small"
    return how, neutral, values


def tolerance(element, how):
    """Sums and products of small integers are exact while they are short; long products are not."""
    return "norm:%d" % (4 if how == "multiply" or ELEMENTS[element].mantissa < 11 else 1) if kind(element) in "fc" and how in ("add", "multiply") else "value"


@row("stablehlo.reduce", BOOL + NUMBERS + COMPLEX, weight=3)
def reduce(p, element):
    how, neutral, values = fold(p, element)
    x = p.input(element, p.shape(), values)
    init = p.scalars(element, [neutral if p.chance(0.7) or how in ("multiply", "and") else 1])[0]
    dims = p.subset(range(x.rank))
    left = [d for d in range(x.rank) if d not in dims]
    text = "stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = %s" % (x, init, how, listed(dims))
    p.result(p.op(text, element, [x.shape[d] for d in left], [x.mask[d] for d in left], [x, init]), tolerance(element, how))


@row("stablehlo.reduce", NUMBERS)
def reduce_pairs(p, element):
    """argmax: two operands and a body that compares."""
    shape = p.shape(least=1)
    x = p.input(element, shape, p.pick(("small", "finite" if kind(element) == "f" else "any")))
    index = p.pick(("i32", "i64", "ui32"))
    d = p.between(0, x.rank - 1)
    places = p.input(index, shape, np.broadcast_to(np.arange(shape[d]).reshape([-1 if i == d else 1 for i in range(x.rank)]), shape), x.mask)
    a = p.scalars(element, [-np.inf if kind(element) == "f" else limits(element)[0]])[0]
    b = p.scalars(index, [0])[0]
    t, u = scalar_type(element), scalar_type(index)
    sign = {"f": "FLOAT", "i": "SIGNED", "u": "UNSIGNED"}[kind(element)]
    body = "{\n^bb0(%%l: %s, %%i: %s, %%r: %s, %%j: %s):\n" % (t, u, t, u)
    body += "    %%g = stablehlo.compare GT, %%l, %%r, %s : (%s, %s) -> tensor<i1>\n    %%e = stablehlo.compare EQ, %%l, %%r, %s : (%s, %s) -> tensor<i1>\n" % (sign, t, t, sign, t, t)
    body += "    %%f = stablehlo.compare LT, %%i, %%j, %s : (%s, %s) -> tensor<i1>\n" % ("UNSIGNED" if index[0] == "u" else "SIGNED", u, u)
    body += "    %h = stablehlo.and %e, %f : tensor<i1>\n    %k = stablehlo.or %g, %h : tensor<i1>\n"
    body += "    %%m = stablehlo.select %%g, %%l, %%r : tensor<i1>, %s\n    %%n = stablehlo.select %%k, %%i, %%j : tensor<i1>, %s\n" % (t, u)
    body += "    stablehlo.return %%m, %%n : %s, %s\n  }" % (t, u)
    left = [i for i in range(x.rank) if i != d]
    out = [([x.shape[i] for i in left]), [x.mask[i] for i in left]]
    for r in p.generic("stablehlo.reduce", [x, places, a, b], [(element, *out), (index, *out)], "dimensions = %s" % array([d]), body):
        p.result(r, "value")


def window(p, shape):
    """Window attributes whose result is not too large: (attributes as a dict, result shape)."""
    while True:
        n = len(shape)
        size = [p.between(1, 4) for _ in shape]
        strides = [p.pick((1, 1, 2, 3)) for _ in shape]
        base, dilated = ([p.pick((1, 1, 1, 2)) for _ in shape] for _ in range(2))
        pads = [[p.pick((0, 0, 1, 2, -1)) for _ in range(2)] for _ in shape]
        out = [extent(*t) for t in zip(shape, size, strides, base, dilated, pads)]
        grown = [(max(e - 1, 0) * b + min(e, 1)) + lo + hi for e, b, (lo, hi) in zip(shape, base, pads)]
        if all(g >= 0 for g in grown) and np.prod(out, dtype=np.int64) * np.prod(size) <= 2000:
            return {"window_dimensions": size, "window_strides": strides, "base_dilations": base, "window_dilations": dilated, "padding": pads}, out, n


def extent(e, size, stride, base, dilated, pad):
    grown = (0 if e == 0 else (e - 1) * base + 1) + pad[0] + pad[1]
    reach = (size - 1) * dilated + 1
    return 0 if grown <= 0 or reach > grown else (grown - reach) // stride + 1


def window_text(attributes):
    return ", ".join("%s = %s" % (k, matrix(v) if k == "padding" else array(v)) for k, v in attributes.items())


@row("stablehlo.reduce_window", BOOL + NUMBERS + COMPLEX, weight=2)
def reduce_window(p, element):
    how, neutral, values = fold(p, element)
    x = p.input(element, p.shape(p.between(0, 4)), values)
    init = p.scalars(element, [neutral])[0]
    attributes, out, _ = window(p, x.shape)
    [r] = p.generic("stablehlo.reduce_window", [x, init], [(element, out, x.mask)], window_text(attributes),
                    "{\n" + combiner(p, element, how) + "\n  }")
    p.result(r, tolerance(element, how))


@row("stablehlo.select_and_scatter", NUMBERS)
def select_and_scatter(p, element):
    while True:
        shape = p.shape(p.between(1, 3), zero=0)
        size, strides = [p.between(1, 3) for _ in shape], [p.between(1, 3) for _ in shape]
        pads = [[p.pick((0, 0, 1)) for _ in range(2)] for _ in shape]
        out = [extent(e, s, t, 1, 1, q) for e, s, t, q in zip(shape, size, strides, pads)]
        if all(all(q < s for q in pad) for pad, s in zip(pads, size)) and all(out):
            break
    x = p.input(element, shape, "small" if p.chance(0.5) else "finite" if kind(element) == "f" else "any")
    # The open extents of the source follow from the operand's only at run time, so they are open where those are.
    source = p.input(element, out, "small", x.mask)
    init = p.scalars(element, [0])[0]
    t = scalar_type(element)
    sign = {"f": "FLOAT", "i": "SIGNED", "u": "UNSIGNED"}[kind(element)]
    select = "{\n^bb0(%%l: %s, %%r: %s):\n    %%g = stablehlo.compare %s, %%l, %%r, %s : (%s, %s) -> tensor<i1>\n    stablehlo.return %%g : tensor<i1>\n  }" % (
        t, t, p.pick(("GE", "LE", "GT")), sign, t, t)
    attributes = {"window_dimensions": size, "window_strides": strides, "padding": pads}
    [r] = p.generic("stablehlo.select_and_scatter", [x, source, init], [(element, shape, x.mask)], window_text(attributes),
                    select + ", {\n" + combiner(p, element, "add") + "\n  }")
    p.result(r, "value")


@row("stablehlo.sort", BOOL + NUMBERS, weight=2)
def sort(p, element):
    shape = p.shape(least=1)
    d = p.between(0, len(shape) - 1)
    many = p.pick((1, 2, 3))
    mask = p.mask(len(shape))
    others = [p.pick(INTS + FLOATS) for _ in range(many - 1)]
    keys = [p.input(element, shape, p.pick(("small", "any")), mask)] + [p.input(e, shape, "any", mask) for e in others]
    types = [scalar_type(e) for e in [element, *others]]
    sign = {"f": p.pick(("TOTALORDER", "FLOAT")), "i": "SIGNED", "u": "UNSIGNED", "b": "UNSIGNED"}[kind(element)]
    if sign == "TOTALORDER":
        p.oracle = "xla"  # the interpreter takes it as FLOAT
    if sign == "FLOAT":  # a NaN is in no order
        p.inputs[0] = (p.inputs[0][0], np.nan_to_num(p.inputs[0][1].astype(np.float64), posinf=8, neginf=-8).astype(p.inputs[0][1].dtype))
    args = ", ".join("%%l%d: %s, %%r%d: %s" % (i, t, i, t) for i, t in enumerate(types))
    body = "{\n^bb0(%s):\n    %%c = stablehlo.compare %s, %%l0, %%r0, %s : (%s, %s) -> tensor<i1>\n    stablehlo.return %%c : tensor<i1>\n  }" % (
        args, p.pick(("LT", "GT")), sign, types[0], types[0])
    for r in p.generic("stablehlo.sort", keys, [(v.element, shape, mask) for v in keys], "dimension = %d : i64, is_stable = true" % d, body):
        p.result(r)


@row("chlo.top_k", INTS + FLOATS)
def top_k(p, element):
    x = p.input(element, p.shape(least=1, zero=0), "small" if p.chance(0.5) else "finite" if kind(element) == "f" else "any", None)
    p.only_static = True
    k = p.between(1, x.shape[-1])
    out = [*x.shape[:-1], k]
    a, b = p.new(element, out), p.new("i32", out)
    p.count("chlo.top_k")
    p.line("%s, %s = chlo.top_k(%s, k = %d) : %s -> (%s, %s)" % (a, b, x, k, x.t, a.t, b.t))
    p.oracle = lambda q: _largest(q.inputs[0][1], k)
    p.result(a, "value")
    p.result(b)


def _largest(data, k):
    wide = data.astype(np.float64) if data.dtype.kind not in "iu" or data.dtype.itemsize < 4 else data
    order = np.flip(data.shape[-1] - 1 - np.argsort(np.flip(wide, -1), axis=-1, kind="stable"), -1)[..., :k]  # ties: the first leads
    return [np.take_along_axis(data, order, -1), order.astype(np.int32)]


def rounded(element, n):
    """n roundings of a value or of 1: variances of equal numbers cancel."""
    epsilon = 2.0 ** -ELEMENTS[element].mantissa
    return "near:%g,%g" % (n * epsilon, n * epsilon)


def _features(p):
    shape = p.shape(p.between(2, 4), zero=0)
    return shape, p.between(0, len(shape) - 1)


@row("stablehlo.batch_norm_inference", FLOATS, oracle="xla")
def batch_norm_inference(p, element):
    shape, d = _features(p)
    mask = p.mask(len(shape))
    x = p.input(element, shape, "normal", mask)
    scale, offset, mean, variance = (p.input(element, [shape[d]], v, [mask[d]]) for v in ("normal", "normal", "normal", (0.5, 2.0)))
    [r] = p.generic("stablehlo.batch_norm_inference", [x, scale, offset, mean, variance], [(element, shape, mask)],
                    "epsilon = 1.0e-3 : f32, feature_index = %d : i64" % d)
    p.result(r, rounded(element, 8))


@row("stablehlo.batch_norm_training", FLOATS, oracle="xla")
def batch_norm_training(p, element):
    shape, d = _features(p)
    mask = p.mask(len(shape))
    x = p.input(element, shape, "normal", mask)
    scale, offset = (p.input(element, [shape[d]], "normal", [mask[d]]) for _ in range(2))
    out = p.generic("stablehlo.batch_norm_training", [x, scale, offset], [(element, shape, mask)] + 2 * [(element, [shape[d]], [mask[d]])],
                    "epsilon = 1.0e-1 : f32, feature_index = %d : i64" % d)
    for r in out:
        p.result(r, rounded(element, 24))


@row("stablehlo.batch_norm_grad", FLOATS, oracle="xla")
def batch_norm_grad(p, element):
    shape, d = _features(p)
    mask = p.mask(len(shape))
    x = p.input(element, shape, "normal", mask)
    scale, mean, variance = (p.input(element, [shape[d]], v, [mask[d]]) for v in ("normal", "normal", (0.5, 2.0)))
    g = p.input(element, shape, "normal", mask)
    out = p.generic("stablehlo.batch_norm_grad", [x, scale, mean, variance, g], [(element, shape, mask)] + 2 * [(element, [shape[d]], [mask[d]])],
                    "epsilon = 1.0e-1 : f32, feature_index = %d : i64" % d)
    for r in out:
        p.result(r, rounded(element, 48))
