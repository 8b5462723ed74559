# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs: programs of many ops that feed each other, loops and branches among them.

Every step is exact: floats take elementwise ops that IEEE rounds in one way, and sums only of integers that `tame` has made
small. So a graph's result is right or wrong, whatever its depth.
"""
import numpy as np

from arrays import kind
from builder import scalar_type
from elementwise import same
from folding import HOW, extent
from shaping import bounds, broadcasted, listed, padding, refactored, reshaped

ELEMENTS = ["i1", "i4", "i8", "ui8", "i16", "i32", "ui32", "i64", "ui64", "f16", "bf16", "f32", "f64"]
LIMIT = 400  # elements of a value


def graph(p):
    """A few inputs, a dozen ops, all values that nobody used as results."""
    main = p.pick(ELEMENTS)
    pool = []
    for _ in range(p.between(1, 3)):
        element = main if p.chance(0.7) else p.pick(ELEMENTS)
        pool.append(p.input(element, p.shape(), "any" if kind(element) in "biu" else p.pick(("any", "small", "normal"))))
    used = set()
    grow(p, pool, used, p.between(4, 14), 0)
    ends = [v for v in pool if v.number not in used][-4:] or pool[-1:]
    for v in ends:
        p.result(v, "value")


def grow(p, pool, used, steps, depth):
    for _ in range(steps):
        step = p.pick(STEPS, WEIGHTS)
        if depth > 1 and step in (branch, loop):
            continue
        x = p.pick(pool[-6:])
        made = step(p, x, pool, depth) if step in (branch, loop) else step(p, x, pool)
        if made is not None:
            used.add(x.number)
            pool.append(made)


def size(shape):
    return int(np.prod(shape, dtype=np.int64))


def partner(p, x, pool):
    """Another value of x's type: one of the pool, or a constant."""
    alike = [v for v in pool if v.element == x.element and v.shape == x.shape]
    if alike and p.chance(0.8):
        return p.pick(alike)
    return broadcasted(p, p.constant(x.element, [], "small"), x.shape, [])


def unary(p, x, pool):
    ops = {"b": ["not"], "i": ["negate", "abs", "not", "sign", "popcnt", "count_leading_zeros"], "u": ["not", "popcnt", "count_leading_zeros"],
           "f": ["negate", "abs", "floor", "ceil", "sign", "round_nearest_even", "round_nearest_afz", "sqrt"]}[kind(x.element)]
    return same(p, p.pick(ops), x)


def binary(p, x, pool):
    ops = {"b": ["and", "or", "xor"], "f": ["add", "subtract", "multiply", "maximum", "minimum", "divide"]}.get(
        kind(x.element), ["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"])
    pair = [x, partner(p, x, pool)]
    return same(p, p.pick(ops), *(pair if p.chance(0.5) else pair[::-1]))


def sign_of(element):
    return {"b": "UNSIGNED", "u": "UNSIGNED", "i": "SIGNED", "f": "FLOAT", "c": "FLOAT"}[kind(element)]


def compared(p, x, y):
    mask = [a or b for a, b in zip(x.mask, y.mask)]
    return p.op("stablehlo.compare %s, %s, %s, %s" % (p.pick(("EQ", "NE", "LT", "LE", "GT", "GE")), x, y, sign_of(x.element)), "i1", x.shape, mask, [x, y])


def compare(p, x, pool):
    return compared(p, x, partner(p, x, pool))


def select(p, x, pool):
    y = partner(p, x, pool)
    conditions = [v for v in pool if v.element == "i1" and v.shape == x.shape]
    c = p.pick(conditions) if conditions else compared(p, x, y)
    mask = [any(bits) for bits in zip(c.mask, x.mask, y.mask)]
    return p.op("stablehlo.select %s, %s, %s" % (c, x, y), x.element, x.shape, mask, [c, x, y])


def convert(p, x, pool):
    return p.op("stablehlo.convert %s" % x, p.pick(ELEMENTS), x.shape, x.mask, [x])


def broadcast(p, x, pool):
    shape = list(x.shape)
    dims = list(range(len(shape)))
    for _ in range(p.between(1, 2)):
        at = p.between(0, len(shape))
        shape.insert(at, p.extent())
        dims = [d + (d >= at) for d in dims]
    shape = [p.extent() if i in dims and e == 1 and p.chance(0.5) else e for i, e in enumerate(shape)]
    return broadcasted(p, x, shape, dims) if size(shape) <= LIMIT and len(shape) < 6 else None


def reshape(p, x, pool):
    return reshaped(p, x, refactored(p, x.shape))


def transpose(p, x, pool):
    order = [int(i) for i in p.rng.permutation(x.rank)]
    return p.op("stablehlo.transpose %s, dims = %s" % (x, listed(order)), x.element, [x.shape[i] for i in order], [x.mask[i] for i in order], [x])


def reverse(p, x, pool):
    return p.op("stablehlo.reverse %s, dims = %s" % (x, listed(p.subset(range(x.rank)))), x.element, x.shape, x.mask)


def slice_(p, x, pool):
    starts, limits, strides, shape = bounds(p, x.shape)
    if size(shape) == 0 and p.chance(0.9):
        return None
    return p.op("stablehlo.slice %s [%s]" % (x, ", ".join("%d:%d:%d" % t for t in zip(starts, limits, strides))), x.element, shape, None, [x])


def dynamic_slice(p, x, pool):
    sizes = [p.between(min(1, e), e) for e in x.shape]
    starts = [p.input("i32", [], (-2, 8)) for _ in sizes]
    return p.op("stablehlo.dynamic_slice %s, sizes = %s" % (", ".join(map(str, [x, *starts])), listed(sizes)), x.element, sizes, None, [x, *starts])


def update(p, x, pool):
    small = [v for v in pool if v.element == x.element and v.rank == x.rank and all(a <= b for a, b in zip(v.shape, x.shape))]
    if not small:
        return None
    u, starts = p.pick(small), [p.input("i32", [], (-2, 8)) for _ in x.shape]
    return p.op("stablehlo.dynamic_update_slice %s" % ", ".join(map(str, [x, u, *starts])), x.element, x.shape, x.mask, [x, u, *starts])


def concatenate(p, x, pool):
    if not x.rank:
        return None
    d = p.between(0, x.rank - 1)
    fits = [v for v in pool if v.element == x.element and v.rank == x.rank and all(a == b for i, (a, b) in enumerate(zip(v.shape, x.shape)) if i != d)]
    parts = [x] + [p.pick(fits) for _ in range(p.between(1, 2))]
    shape = [sum(v.shape[d] for v in parts) if i == d else e for i, e in enumerate(x.shape)]
    # One open extent makes it open: the others' known ones might not be those of x.
    mask = [any(v.mask[d] for v in parts) if i == d else any(v.mask[i] for v in parts) for i in range(x.rank)]
    if size(shape) > LIMIT:
        return None
    return p.op("stablehlo.concatenate %s, dim = %d" % (", ".join(map(str, parts)), d), x.element, shape, mask, parts)


def pad(p, x, pool):
    v = p.constant(x.element, [], "small")
    low, high, interior, shape = padding(p, [min(e, 12) for e in x.shape]) if all(e <= 12 for e in x.shape) else (None,) * 4
    if shape is None or size(shape) > LIMIT:
        return None
    text = "stablehlo.pad %s, %s, low = %s, high = %s, interior = %s" % (x, v, listed(low), listed(high), listed(interior))
    return p.op(text, x.element, shape, x.mask, [x, v])


def tame(p, x):
    """Floats as integers of magnitude 4 at most, NaN as 0, so that sums of some hundred are exact in any order."""
    if kind(x.element) != "f":
        return x
    number = lambda n: p.constant(x.element, [], np.array(n))
    low, high = number(-2.0), number(2.0)
    own = p.op("stablehlo.compare EQ, %s, %s, FLOAT" % (x, x), "i1", x.shape, x.mask, [x, x])
    zero = broadcasted(p, number(0.0), x.shape, [])
    mask = [a or b for a, b in zip(x.mask, zero.mask)]
    clean = p.op("stablehlo.select %s, %s, %s" % (own, x, zero), x.element, x.shape, mask, [own, x, zero])
    small = p.op("stablehlo.clamp %s, %s, %s" % (low, clean, high), x.element, x.shape, mask, [low, clean, high])
    return p.op("stablehlo.floor %s" % small, x.element, x.shape, mask)


def reduce(p, x, pool):
    k = kind(x.element)
    how = p.pick({"b": ("and", "or", "xor"), "f": ("add", "maximum", "minimum")}.get(k, tuple(HOW)))
    x = tame(p, x) if how == "add" else x
    init = p.constant(x.element, [], np.array(0 if k != "b" else False) if how not in ("multiply", "and") else np.array(1 if k != "b" else True))
    dims = p.subset(range(x.rank), 1)
    left = [d for d in range(x.rank) if d not in dims]
    text = "stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = %s" % (x, init, how, listed(dims))
    return p.op(text, x.element, [x.shape[d] for d in left], [x.mask[d] for d in left], [x, init])


def dot(p, x, pool):
    """x by a value that shares its last extent, or by itself."""
    if not x.rank or kind(x.element) == "b":
        return None
    y = p.pick([v for v in pool if v.element == x.element and v.rank and v.shape[-1] == x.shape[-1]])
    if size(x.shape[:-1]) * size(y.shape[:-1]) > LIMIT or x.element in ("bf16", "f16") and x.shape[-1] > 20:
        return None
    a, b = tame(p, x), tame(p, y)
    text = "stablehlo.dot_general %s, %s, contracting_dims = [%d] x [%d]" % (a, b, a.rank - 1, b.rank - 1)
    return p.op(text, x.element, [*a.shape[:-1], *b.shape[:-1]], [*a.mask[:-1], *b.mask[:-1]], [a, b])


def window(p, x, pool):
    """The largest of each window of the last dimension."""
    if not x.rank or kind(x.element) == "b":
        return None
    n, stride = p.between(1, 3), p.between(1, 2)
    shape = [*x.shape[:-1], extent(x.shape[-1], n, stride, 1, 1, (1, 0))]
    init = p.constant(x.element, [], np.array(0))
    t = scalar_type(x.element)
    ones = [1] * (x.rank - 1)
    pads = [[0, 0]] * (x.rank - 1) + [[1, 0]]
    body = "{\n  ^bb0(%%l: %s, %%r: %s):\n    %%m = stablehlo.maximum %%l, %%r : %s\n    stablehlo.return %%m : %s\n  }" % (t, t, t, t)
    array = lambda v: "array<i64: %s>" % ", ".join(map(str, v))
    [r] = p.generic("stablehlo.reduce_window", [x, init], [(x.element, shape, x.mask)], "window_dimensions = %s, window_strides = %s, padding = dense<%s> : tensor<%dx2xi64>" % (
        array([*ones, n]), array([*ones, stride]), listed(listed(q) for q in pads), x.rank), body)
    return r


def gather(p, x, pool):
    """Rows of x at random places."""
    if not x.rank or 0 in x.shape:
        return None
    places = p.input(p.pick(("i32", "i64", "ui32")), [p.between(1, 5)], (0, 6))
    shape = [places.shape[0], *x.shape[1:]]
    if size(shape) > LIMIT:
        return None
    inner = [i for i in range(1, x.rank)]
    numbers = ["offset_dims = %s" % listed(inner)] * bool(inner) + ["collapsed_slice_dims = [0]", "start_index_map = [0]", "index_vector_dim = 1"]
    [r] = p.generic("stablehlo.gather", [x, places], [(x.element, shape, [places.mask[0], *[False] * len(inner)])],
                    "dimension_numbers = #stablehlo.gather<%s>, slice_sizes = array<i64: %s>" % (", ".join(numbers), ", ".join(map(str, [1, *x.shape[1:]]))))
    return r


def scatter(p, x, pool):
    """Integers added to rows of x."""
    if not x.rank or 0 in x.shape or kind(x.element) not in "iu":
        return None
    x = same(p, "not", same(p, "not", x))  # the reference interpreter writes into scatter's operand
    places = p.input("i32", [p.between(1, 4)], (0, x.shape[0] - 1))
    updates = p.input(x.element, [places.shape[0], *x.shape[1:]], "any", [places.mask[0], *x.mask[1:]])
    inner = list(range(1, x.rank))
    numbers = ["update_window_dims = %s" % listed(inner)] * bool(inner) + ["inserted_window_dims = [0]", "scatter_dims_to_operand_dims = [0]", "index_vector_dim = 1"]
    t = scalar_type(x.element)
    body = "{\n  ^bb0(%%l: %s, %%r: %s):\n    %%m = stablehlo.add %%l, %%r : %s\n    stablehlo.return %%m : %s\n  }" % (t, t, t, t)
    [r] = p.generic("stablehlo.scatter", [x, places, updates], [(x.element, x.shape, x.mask)],
                    "scatter_dimension_numbers = #stablehlo.scatter<%s>" % ", ".join(numbers), body)
    return r


def sort(p, x, pool):
    if not x.rank or kind(x.element) == "f":
        return None
    t = scalar_type(x.element)
    body = "{\n  ^bb0(%%l: %s, %%r: %s):\n    %%c = stablehlo.compare LT, %%l, %%r, %s : (%s, %s) -> tensor<i1>\n    stablehlo.return %%c : tensor<i1>\n  }" % (
        t, t, sign_of(x.element), t, t)
    [r] = p.generic("stablehlo.sort", [x], [(x.element, x.shape, x.mask)], "dimension = %d : i64, is_stable = true" % p.between(0, x.rank - 1), body)
    return r


def region(p, x, pool, depth, used):
    """A few ops inside a region, ending in a value of x's type; what it made stays inside."""
    inside = list(pool)
    p.indent += 1
    grow(p, inside, used, p.between(1, 3), depth + 1)
    alike = [v for v in inside[len(pool):] if v.element == x.element and v.shape == x.shape and v.mask == x.mask]
    end = alike[-1] if alike else same(p, {"b": "not"}.get(kind(x.element), "abs" if kind(x.element) in "if" else "not"), x)
    p.line("stablehlo.return %s : %s" % (end, end.t))
    p.indent -= 1


def branch(p, x, pool, depth):
    c = p.input("i1", [])
    r = p.new(x.element, x.shape, x.mask)
    p.count("stablehlo.if")
    p.line('%s = "stablehlo.if"(%s) ({' % (r, c))
    region(p, x, pool, depth, set())
    p.line("}, {")
    region(p, x, pool, depth, set())
    p.line("}) : (tensor<i1>) -> %s" % r.t)
    return r


def loop(p, x, pool, depth):
    """x goes round a few times."""
    trips, zero, one = p.input("i32", [], (0, 4)), p.constant("i32", [], np.array(0)), p.constant("i32", [], np.array(1))
    name = "%%l%d" % len(p.lines)
    state = p.new(x.element, x.shape, x.mask, "%%s%d" % len(p.lines))
    k = "%%k%d" % len(p.lines)
    r = p.new(x.element, x.shape, x.mask, name + "#1")
    p.count("stablehlo.while")
    p.line("%s:2 = stablehlo.while(%s = %s, %s = %s) : tensor<i32>, %s" % (name, k, zero, state, x, x.t))
    p.line("cond {")
    p.line("  %%c = stablehlo.compare LT, %s, %s, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>" % (k, trips))
    p.line("  stablehlo.return %c : tensor<i1>")
    p.line("} do {")
    p.indent += 1
    inside = [*pool, state]
    grow(p, inside, set(), p.between(1, 3), depth + 1)
    alike = [v for v in inside[len(pool) + 1:] if v.element == x.element and v.shape == x.shape and v.mask == x.mask]
    end = alike[-1] if alike else same(p, {"b": "not", "u": "not"}.get(kind(x.element), "negate"), state)
    p.line("%%n = stablehlo.add %s, %s : tensor<i32>" % (k, one))
    p.line("stablehlo.return %%n, %s : tensor<i32>, %s" % (end, end.t))
    p.indent -= 1
    p.line("}")
    return r


TABLE = ((unary, 3), (binary, 5), (compare, 1), (select, 1.5), (convert, 1.5), (broadcast, 2), (reshape, 2), (transpose, 2), (reverse, 1), (slice_, 1.5),
         (dynamic_slice, 1), (update, 1), (concatenate, 2), (pad, 1.5), (reduce, 2), (dot, 1.5), (window, 1), (gather, 1), (scatter, 1), (sort, 0.5),
         (branch, 0.7), (loop, 0.7))
STEPS = [step for step, _ in TABLE]
WEIGHTS = [w / sum(w for _, w in TABLE) for _, w in TABLE]
