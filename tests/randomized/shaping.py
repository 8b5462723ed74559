# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of ops that move elements: shapes, slices, padding, concatenation, gather, scatter."""
import numpy as np

import arrays
from arrays import ALL, BOOL, COMPLEX, FLOATS, INTS, TINY, kind
from builder import scalar_type
from rows import row

INDEX = ["i8", "i32", "i64", "ui8", "ui32", "ui64"]
MOVED = BOOL + INTS + FLOATS + COMPLEX


def listed(numbers):
    return "[%s]" % ", ".join(map(str, numbers))


def array(numbers, element="i64"):
    numbers = [str(n).lower() if isinstance(n, (bool, np.bool_)) else str(n) for n in numbers]
    return "array<%s%s>" % (element, (": " + ", ".join(numbers)) if numbers else "")


def matrix(rows):
    """A dense i64 attribute of pairs."""
    return "dense<%s> : tensor<%dx2xi64>" % (listed(listed(r) for r in rows) if rows else "", len(rows))


@row("stablehlo.iota", TINY + INTS + FLOATS + COMPLEX)
def iota(p, element):
    shape = p.shape(least=1)
    if kind(element) in "iu" and "2" == element[-1]:
        shape = [min(e, 2) for e in shape]
    mask, d = p.mask(len(shape)), p.between(0, len(shape) - 1)
    r = p.new(element, shape, mask)
    static = "%s = stablehlo.iota dim = %d : %s" % (r, d, r.t)
    if any(mask):
        size = p.sizes(shape, mask)
        p.count("stablehlo.dynamic_iota")
        p.either(static, "%s = stablehlo.dynamic_iota %s, dim = %d : (%s) -> %s" % (r, size, d, size.t, r.t))
    else:
        p.line(static)
    p.count("stablehlo.iota")
    p.result(r)


def broadcasted(p, x, shape, dims):
    """x broadcast to |shape|; open extents of the result come from a shape operand."""
    mask = p.mask(len(shape))
    r = p.new(x.element, shape, mask)
    static = "%s = stablehlo.broadcast_in_dim %s, dims = %s : (%s) -> %s" % (r, x, listed(dims), x.t, r.t)
    p.count("stablehlo.broadcast_in_dim")
    if any(mask) or any(x.mask):
        size = p.sizes(shape, mask)
        p.count("stablehlo.dynamic_broadcast_in_dim")
        p.either(static, "%s = stablehlo.dynamic_broadcast_in_dim %s, %s, dims = %s : (%s, %s) -> %s" % (r, x, size, listed(dims), x.t, size.t, r.t))
    else:
        p.line(static)
    return r


@row("stablehlo.broadcast_in_dim", ALL)
def broadcast_in_dim(p, element):
    shape = p.shape()
    dims = p.subset(range(len(shape)))
    if p.chance(0.3):
        p.rng.shuffle(dims)
    x = p.input(element, [1 if p.chance(0.3) else shape[d] for d in dims])
    p.result(broadcasted(p, x, shape, dims))


@row("stablehlo.broadcast", ALL, dynamic=False)
def broadcast(p, element):
    x = p.input(element, p.shape(most=20), mask=None)
    p.only_static = True
    sizes = [p.extent() for _ in range(p.between(0, 2))]
    p.result(p.op("stablehlo.broadcast %s, sizes = %s" % (x, listed(sizes)), element, [*sizes, *x.shape], None, [x]))


def reshaped(p, x, shape):
    mask = p.mask(len(shape))
    r = p.new(x.element, shape, mask)
    static = "%s = stablehlo.reshape %s : (%s) -> %s" % (r, x, x.t, r.t)
    p.count("stablehlo.reshape")
    if any(mask):
        size = p.sizes(shape, mask)
        p.count("stablehlo.dynamic_reshape")
        p.either(static, "%s = stablehlo.dynamic_reshape %s, %s : (%s, %s) -> %s" % (r, x, size, x.t, size.t, r.t))
    else:
        p.line(static)
    return r


def refactored(p, shape):
    """Another shape of as many elements."""
    left = int(np.prod(shape, dtype=np.int64))
    if left == 0:
        out = [p.extent(0) for _ in range(p.between(0, 3))]
        return out[:1] + [0] + out[1:]
    out = []
    while left > 1 and len(out) < 4:
        out.append(p.pick([d for d in range(1, left + 1) if left % d == 0]))
        left //= out[-1]
    return out + [left] if left > 1 else out


@row("stablehlo.reshape", ALL)
def reshape(p, element):
    x = p.input(element, p.shape())
    p.result(reshaped(p, x, refactored(p, x.shape)))


@row("stablehlo.transpose", ALL)
def transpose(p, element):
    x = p.input(element, p.shape())
    order = [int(i) for i in p.rng.permutation(x.rank)]
    p.result(p.op("stablehlo.transpose %s, dims = %s" % (x, listed(order)), element, [x.shape[i] for i in order], [x.mask[i] for i in order], [x]))


@row("stablehlo.reverse", ALL)
def reverse(p, element):
    x = p.input(element, p.shape())
    dims = p.subset(range(x.rank))
    p.result(p.op("stablehlo.reverse %s, dims = %s" % (x, listed(dims)), element, x.shape, x.mask))


def bounds(p, shape):
    """Random start, limit and stride of each extent, and the shape they give."""
    starts = [p.between(0, e) for e in shape]
    limits = [p.between(s, e) for s, e in zip(starts, shape)]
    strides = [p.pick((1, 1, 1, 2, 3)) for _ in shape]
    return starts, limits, strides, [-(-(b - a) // s) for a, b, s in zip(starts, limits, strides)]


@row("stablehlo.slice", ALL)
def slice_(p, element):
    x = p.input(element, p.shape())
    starts, limits, strides, shape = bounds(p, x.shape)
    text = ", ".join("%d:%d:%d" % t for t in zip(starts, limits, strides))
    p.result(p.op("stablehlo.slice %s [%s]" % (x, text), element, shape, None, [x]))


@row("stablehlo.real_dynamic_slice", INTS + FLOATS + BOOL)
def real_dynamic_slice(p, element):
    x = p.input(element, p.shape())
    starts, limits, strides, shape = bounds(p, x.shape)
    r = p.new(element, shape, [True] * len(shape))
    index = p.pick(("i32", "i64"))
    bound = [p.input(index, [x.rank], np.array(b), [False]) for b in (starts, limits, strides)]
    text = ", ".join("%d:%d:%d" % t for t in zip(starts, limits, strides))
    p.count("stablehlo.real_dynamic_slice")
    p.either("%s = stablehlo.slice %s [%s] : (%s) -> %s" % (r, x, text, x.t, r.t),
             "%s = stablehlo.real_dynamic_slice %s, %s : (%s) -> %s" % (
                 r, x, ", ".join(map(str, bound)), ", ".join(v.t for v in [x, *bound]), r.t))
    p.result(r)


def padded(e, low, high, interior):
    return e + low + high + max(e - 1, 0) * interior


def padding(p, shape):
    while True:
        low, high = ([p.between(-2, 3) for _ in shape] for _ in range(2))
        interior = [p.pick((0, 0, 1, 2)) for _ in shape]
        out = [padded(*t) for t in zip(shape, low, high, interior)]
        if all(0 <= e <= 30 for e in out) and np.prod(out, dtype=np.int64) <= 300:
            return low, high, interior, out


@row("stablehlo.pad", ALL)
def pad(p, element):
    x, v = p.input(element, p.shape()), p.input(element, [])
    low, high, interior, shape = padding(p, x.shape)
    text = "stablehlo.pad %s, %s, low = %s, high = %s, interior = %s" % (x, v, listed(low), listed(high), listed(interior))
    p.result(p.op(text, element, shape, x.mask, [x, v]))


@row("stablehlo.dynamic_pad", INTS + FLOATS + BOOL)
def dynamic_pad(p, element):
    x, v = p.input(element, p.shape(least=1)), p.input(element, [])
    low, high, interior, shape = padding(p, x.shape)
    r = p.new(element, shape, [True] * len(shape))
    amounts = [p.input(p.pick(("i32", "i64")), [x.rank], np.array(a), [False]) for a in (low,)]
    amounts += [p.input(amounts[0].element, [x.rank], np.array(a), [False]) for a in (high, interior)]
    p.count("stablehlo.dynamic_pad")
    p.either("%s = stablehlo.pad %s, %s, low = %s, high = %s, interior = %s : (%s, %s) -> %s" % (
        r, x, v, listed(low), listed(high), listed(interior), x.t, v.t, r.t),
        "%s = stablehlo.dynamic_pad %s : (%s) -> %s" % (r, ", ".join(map(str, [x, v, *amounts])), ", ".join(a.t for a in [x, v, *amounts]), r.t))
    p.result(r)


@row("stablehlo.concatenate", ALL)
def concatenate(p, element):
    shape = p.shape(least=1)
    d = p.between(0, len(shape) - 1)
    mask = p.mask(len(shape))
    parts = []
    for _ in range(p.pick((1, 2, 2, 3, 4))):
        extent = p.extent()
        part = p.input(element, [extent if i == d else e for i, e in enumerate(shape)], mask=[p.chance(0.5) if i == d else m for i, m in enumerate(mask)])
        parts.append(part)
    mask[d] = any(v.mask[d] for v in parts)
    total = sum(v.shape[d] for v in parts)
    text = "stablehlo.concatenate %s, dim = %d" % (", ".join(map(str, parts)), d)
    p.result(p.op(text, element, [total if i == d else e for i, e in enumerate(shape)], mask, parts))


@row("stablehlo.dynamic_slice", ALL)
def dynamic_slice(p, element):
    x = p.input(element, p.shape())
    sizes = [p.between(0, e) if p.chance(0.1) else p.between(min(1, e), e) for e in x.shape]
    index = p.pick(INDEX)
    starts = [p.input(index, [], (-3, 10)) for _ in x.shape]
    text = "stablehlo.dynamic_slice %s, sizes = %s" % (", ".join(map(str, [x, *starts])), listed(sizes))
    p.result(p.op(text, element, sizes, None, [x, *starts]))


@row("stablehlo.dynamic_update_slice", ALL)
def dynamic_update_slice(p, element):
    x = p.input(element, p.shape())
    u = p.input(element, [p.between(0, e) for e in x.shape])
    index = p.pick(INDEX)
    starts = [p.input(index, [], (-3, 10)) for _ in x.shape]
    text = "stablehlo.dynamic_update_slice %s" % ", ".join(map(str, [x, u, *starts]))
    p.result(p.op(text, element, x.shape, x.mask, [x, u, *starts]))


@row("stablehlo.get_dimension_size", INTS + FLOATS)
def get_dimension_size(p, element):
    x = p.input(element, p.shape(least=1))
    p.result(p.op("stablehlo.get_dimension_size %s, dim = %d" % (x, p.between(0, x.rank - 1)), "i32", [], None, [x]))


def _indexing(p, zero=0.03):
    """What gather and scatter share: an operand's shape cut into batching, collapsed and offset dims, and indices.

    index_map and batching say which operand dims an index vector and a position among indices address."""
    operand = p.shape(p.between(1, 4), most=60, zero=zero)
    dims = list(range(len(operand)))
    batching = p.subset(dims) if p.chance(0.25) else []
    batching = batching[:2] if len(batching) < len(dims) else batching[:1]
    collapsed = [d for d in dims if d not in batching and p.chance(0.5)]
    mapped = [d for d in dims if d not in batching and p.chance(0.7)]
    p.rng.shuffle(mapped)
    mapped = [int(d) for d in mapped]
    extra = [p.extent(zero) for _ in range(p.between(0, 2))]
    positions = [operand[d] for d in batching] + extra  # the indices' shape without the vector
    order = [int(i) for i in p.rng.permutation(len(positions))]
    places = [order.index(i) for i in range(len(batching))]  # where each batching dim went
    positions = [positions[i] for i in order]
    vector = p.between(0, len(positions)) if len(mapped) != 1 or p.chance(0.7) else len(positions)
    if len(mapped) == 1 and vector == len(positions) and p.chance(0.5):
        shape = positions
    else:
        shape = positions[:vector] + [len(mapped)] + positions[vector:]
        places = [b + (b >= vector) for b in places]
    return operand, batching, collapsed, mapped, positions, shape, vector, places


def _result_dims(p, positions, window):
    """Offset dims among the result's dims: (offset dims, shape)."""
    rank = len(positions) + len(window)
    offset = p.subset(range(rank)) if len(window) == rank else sorted(int(i) for i in p.rng.choice(rank, len(window), replace=False)) if window else []
    left, inside = list(positions), list(window)
    return offset, [inside.pop(0) if i in offset else left.pop(0) for i in range(rank)]


@row("stablehlo.gather", MOVED + TINY, weight=3)
def gather(p, element):
    operand, batching, collapsed, mapped, positions, shape, vector, places = _indexing(p)
    sizes = [min(1, operand[d]) if d in batching or d in collapsed else p.between(min(1, operand[d]), operand[d]) for d in range(len(operand))]
    collapsed = [d for d in collapsed if sizes[d] == 1]
    if any(sizes[d] != 1 for d in batching):
        return gather(p, element)
    window = [s for d, s in enumerate(sizes) if d not in batching and d not in collapsed]
    offset = list(range(len(positions) + len(window))) if not positions else None
    offset, out = _result_dims(p, positions, window) if offset is None else (offset, window)
    x = p.input(element, operand)
    i = p.input(p.pick(INDEX), shape, (-2, 9))
    numbers = ["offset_dims = %s" % listed(offset)] * bool(offset) + ["collapsed_slice_dims = %s" % listed(collapsed)] * bool(collapsed)
    numbers += ["operand_batching_dims = %s" % listed(batching), "start_indices_batching_dims = %s" % listed(places)] if batching else []
    numbers += ["start_index_map = %s" % listed(mapped)] * bool(mapped) + ["index_vector_dim = %d" % vector]
    text = "dimension_numbers = #stablehlo.gather<%s>" % ", ".join(numbers)
    mask = [False] * len(out)
    left = [b for n, b in enumerate(i.mask) if not (len(shape) > len(positions) and n == vector)]
    mask = [d not in offset and left.pop(0) for d in range(len(out))]
    r = p.new(element, out, mask)
    p.count("stablehlo.gather")
    static = '%s = "stablehlo.gather"(%s, %s) {%s, slice_sizes = %s} : (%s, %s) -> %s' % (r, x, i, text, array(sizes), x.t, i.t, r.t)
    if p.chance(0.2) and sizes:
        s = p.input(p.pick(("i32", "i64")), [len(sizes)], np.array(sizes), [False])
        p.count("stablehlo.dynamic_gather")
        p.either(static, '%s = "stablehlo.dynamic_gather"(%s, %s, %s) {%s} : (%s, %s, %s) -> %s' % (r, x, i, s, text, x.t, i.t, s.t, r.t))
    else:
        p.line(static)
    p.result(r)


COMBINE = {"add": 0, "multiply": 1, "maximum": 0, "minimum": 0, "replace": None}


def combiner(p, element, how, pad="  "):
    """A region of one scalar op."""
    t = scalar_type(element)
    text = "^bb0(%%l: %s, %%r: %s):\n" % (t, t)
    if how == "replace":
        return text + "%s  stablehlo.return %%r : %s" % (pad, t)
    return text + "%s  %%c = stablehlo.%s %%l, %%r : %s\n%s  stablehlo.return %%c : %s" % (pad, how, t, pad, t)


def _whole_windows(p, index, shape, vector, addressed):
    """Indices whose windows lie inside or wholly outside: the specification drops the elements outside of a window that lies
    across the edge, XLA drops the window. |addressed|: (extent, window) of each member of an index vector."""
    out = np.zeros(shape, np.int64)
    rows = np.moveaxis(out, vector, -1) if vector is not None else out[..., None]
    for k, (extent, window) in enumerate(addressed):
        for at in np.ndindex(rows.shape[:-1]):
            outside = [extent + 1] if index[0] == "u" else [extent + 1, -max(window, 1) - 1]
            rows[(*at, k)] = p.pick(outside) if p.chance(0.15) or window > extent else p.between(0, extent - window)
    return out.astype(arrays.DTYPES[index])


@row("stablehlo.scatter", MOVED + TINY, weight=3)
def scatter(p, element):
    operand, batching, inserted, mapped, positions, shape, vector, places = _indexing(p)
    window = [p.between(0 if p.chance(0.1) else min(1, e), e) for d, e in enumerate(operand) if d not in batching and d not in inserted]
    if any(operand[d] == 0 for d in inserted + batching):
        return scatter(p, element)
    offset, out = _result_dims(p, positions, window) if positions else (list(range(len(window))), window)
    values = "any" if kind(element) in "iub" else "small"
    how = p.pick([h for h in COMBINE if not (kind(element) == "c" and h in ("maximum", "minimum"))])
    if how == "replace" and np.prod(positions, dtype=np.int64) > 1 and p.oracle == "interpreter" and p.chance(0.5):
        how = "add"
    x, u = p.input(element, operand, values), p.input(element, out, values)
    index = p.pick(INDEX)
    full = [window.pop(0) if d not in batching and d not in inserted else 1 for d in range(len(operand))]
    i = p.input(index, shape, _whole_windows(p, index, shape, vector if len(shape) > len(positions) else None, [(operand[d], full[d]) for d in mapped]))
    numbers = ["update_window_dims = %s" % listed(offset)] * bool(offset) + ["inserted_window_dims = %s" % listed(inserted)] * bool(inserted)
    numbers += ["input_batching_dims = %s" % listed(batching), "scatter_indices_batching_dims = %s" % listed(places)] if batching else []
    numbers += ["scatter_dims_to_operand_dims = %s" % listed(mapped)] * bool(mapped) + ["index_vector_dim = %d" % vector]
    [r] = p.generic("stablehlo.scatter", [x, i, u], [(element, operand, x.mask)],
                    "scatter_dimension_numbers = #stablehlo.scatter<%s>" % ", ".join(numbers), "{\n" + combiner(p, element, how) + "\n  }")
    p.result(r, "norm:16" if kind(element) == "c" and how == "multiply" else "exact")


@row("stablehlo.torch_index_select", INTS + FLOATS, oracle="xla")
def torch_index_select(p, element):
    p.only_static = True
    x = p.input(element, p.shape(p.between(1, 3), zero=0))
    d = p.between(0, x.rank - 1)
    i = p.input("i32", p.shape(p.between(0, 2), zero=0), (0, x.shape[d] - 1))
    out = [*x.shape[:d], *i.shape, *x.shape[d + 1:]]
    [r] = p.generic("stablehlo.torch_index_select", [x, i], [(element, out, None)], "dim = %d : i64, batch_dims = 0 : i64" % d)
    p.result(r)


@row("stablehlo.constant", ALL, dynamic=False)
def constant(p, element):
    """Values as text, which another parser reads than the bytes of the oracle's inputs."""
    p.only_static = True
    p.result(p.constant(element, p.shape(), "any" if kind(element) != "c" else "normal"))
