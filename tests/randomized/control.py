# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of control flow, calls, composites, tuples, random bits, collectives of one participant."""
import numpy as np

from arrays import ALL, BOOL, FLOATS, INTS, COMPLEX, kind
from rows import row


def body_op(p, x, indent):
    """One elementwise op on x inside a region, as text; its name."""
    op = {"b": "not"}.get(kind(x.element), "negate")
    p.count("stablehlo." + op)
    name = "%%w%d" % len(p.lines)
    p.line("%s%s = stablehlo.%s %s : %s" % ("  " * indent, name, op, x, x.t))
    return name


@row("stablehlo.if", BOOL + INTS + FLOATS + COMPLEX)
def if_(p, element):
    c, x, y = p.input("i1", []), p.input(element, p.shape()), None
    y = p.input(element, x.shape, "any", x.mask)
    r = p.new(element, x.shape, x.mask)
    p.count("stablehlo.if")
    p.line('%s = "stablehlo.if"(%s) ({' % (r, c))
    a = body_op(p, x, 1)
    p.line("  stablehlo.return %s : %s" % (a, x.t))
    p.line("}, {")
    p.line("  stablehlo.return %s : %s" % (y, x.t))
    p.line("}) : (tensor<i1>) -> %s" % r.t)
    p.result(r)


@row("stablehlo.case", BOOL + INTS + FLOATS + COMPLEX)
def case(p, element):
    n = p.between(1, 4)
    i, x = p.input("i32", [], (-2, 5)), p.input(element, p.shape())
    others = [p.input(element, x.shape, "any", x.mask) for _ in range(n)]
    r = p.new(element, x.shape, x.mask)
    p.count("stablehlo.case")
    p.line('%s = "stablehlo.case"(%s) ({' % (r, i))
    for k, v in enumerate(others):
        name = body_op(p, v, 1) if k % 2 else v
        p.line("  stablehlo.return %s : %s" % (name, x.t))
        p.line("}, {" if k + 1 < n else "}) : (tensor<i32>) -> %s" % r.t)
    p.result(r)


@row("stablehlo.while", INTS + FLOATS)
def while_(p, element):
    counter = p.pick(("i32", "i64", "ui32", "i8"))
    trips = p.input(counter, [], (0, 6))
    x, y = p.input(element, p.shape(), "small"), None
    y = p.input(element, x.shape, "small", x.mask)
    zero, one = p.constant(counter, [], np.array(0)), p.constant(counter, [], np.array(1))
    i, r = p.new(counter, []), p.new(element, x.shape, x.mask)
    sign = "UNSIGNED" if counter[0] == "u" else "SIGNED"
    p.count("stablehlo.while")
    t = "tensor<%s>" % counter
    name = "%%l%d" % len(p.lines)
    p.line("%s:2 = stablehlo.while(%%k = %s, %%s = %s) : %s, %s" % (name, zero, x, t, x.t))
    p.line("cond {")
    p.line("  %%c = stablehlo.compare LT, %%k, %s, %s : (%s, %s) -> tensor<i1>" % (trips, sign, t, t))
    p.line("  stablehlo.return %c : tensor<i1>")
    p.line("} do {")
    p.line("  %%n = stablehlo.add %%k, %s : %s" % (one, t))
    p.line("  %%m = stablehlo.subtract %s, %%s : %s" % (y, x.t))
    p.line("  stablehlo.return %%n, %%m : %s, %s" % (t, x.t))
    p.line("}")
    i.name, r.name = name + "#0", name + "#1"
    p.result(i)
    p.result(r, "value")


@row("stablehlo.composite", INTS + FLOATS)
def composite(p, element):
    x = p.input(element, p.shape(), "small")
    r = p.new(element, x.shape, x.mask)
    p.helpers.append("func.func private @@part(%%x: %s) -> %s {\n  %%0 = stablehlo.multiply %%x, %%x : %s\n  return %%0 : %s\n}\n" % ((x.t,) * 4))
    p.count("stablehlo.composite")
    p.line('%s = stablehlo.composite "test.square" %s {decomposition = @@part} : (%s) -> %s' % (r, x, x.t, r.t))
    p.result(r)


@row("func.call", INTS + FLOATS)
def call(p, element):
    x, y = p.input(element, p.shape(), "small"), p.input("i32", [])
    r, s = p.new(element, x.shape, x.mask), p.new("i32", [])
    p.helpers.append("func.func private @@twice(%%x: %s, %%y: tensor<i32>) -> (%s, tensor<i32>) {\n  %%0 = stablehlo.add %%x, %%x : %s\n"
                     "  return %%0, %%y : %s, tensor<i32>\n}\n" % ((x.t,) * 4))
    p.count("func.call")
    name = "%%l%d" % len(p.lines)
    p.line("%s:2 = func.call @@twice(%s, %s) : (%s, tensor<i32>) -> (%s, tensor<i32>)" % (name, x, y, x.t, x.t))
    r.name, s.name = name + "#0", name + "#1"
    p.result(r, "value")
    p.result(s)


@row("stablehlo.optimization_barrier", ALL)
def optimization_barrier(p, element):
    x, y = p.input(element, p.shape()), p.input("f32", p.shape())
    name = "%%l%d" % len(p.lines)
    p.count("stablehlo.optimization_barrier")
    p.line("%s:2 = stablehlo.optimization_barrier %s, %s : %s, %s" % (name, x, y, x.t, y.t))
    for i, v in enumerate((x, y)):
        r = p.new(v.element, v.shape, v.mask, "%s#%d" % (name, i))
        p.result(r)


@row("stablehlo.tuple", BOOL + INTS + FLOATS)
def tuple_(p, element):
    x, y = p.input(element, p.shape()), p.input("i32", p.shape())
    t = "tuple<%s, %s>" % (x.t, y.t)
    name = "%%l%d" % len(p.lines)
    p.count("stablehlo.tuple")
    p.line("%s = stablehlo.tuple %s, %s : %s" % (name, x, y, t))
    for i, v in enumerate((y, x)):
        r = p.new(v.element, v.shape, v.mask)
        p.count("stablehlo.get_tuple_element")
        p.line("%s = stablehlo.get_tuple_element %s[%d] : (%s) -> %s" % (r, name, 1 - i, t, r.t))
        p.result(r)


@row("stablehlo.rng_bit_generator", ["ui8", "i8", "ui16", "i16", "ui32", "i32", "ui64", "i64"], oracle="xla", dynamic=False)
def rng_bit_generator(p, element):
    p.only_static = True
    how = p.pick(("THREE_FRY", "PHILOX", "DEFAULT"))
    state = p.input("ui64", [3 if how == "PHILOX" and p.chance(0.5) else 2], "any", [False])
    shape = p.shape(zero=0)
    s, r = p.new("ui64", state.shape), p.new(element, shape)
    p.count("stablehlo.rng_bit_generator")
    p.line("%s, %s = stablehlo.rng_bit_generator %s, algorithm = %s : (%s) -> (%s, %s)" % (s, r, state, how, state.t, s.t, r.t))
    p.result(s)
    p.result(r)


GROUPS = "replica_groups = dense<0> : tensor<1x1xi64>"


@row("stablehlo.all_reduce", BOOL + INTS + FLOATS, oracle="xla", dynamic=False)
def all_reduce(p, element):
    p.only_static = True
    x = p.input(element, p.shape())
    t = "tensor<%s>" % element
    op = "or" if element == "i1" else "add"
    body = "{\n^bb0(%%l: %s, %%r: %s):\n    %%c = stablehlo.%s %%l, %%r : %s\n    stablehlo.return %%c : %s\n  }" % (t, t, op, t, t)
    [r] = p.generic("stablehlo.all_reduce", [x], [(element, x.shape, None)], GROUPS, body)
    p.result(r, "value")


@row("stablehlo.reduce_scatter", BOOL + INTS + FLOATS, oracle=lambda p: [p.inputs[0][1]], dynamic=False)
def reduce_scatter(p, element):
    p.only_static = True
    x = p.input(element, p.shape(least=1, zero=0))
    t = "tensor<%s>" % element
    body = "{\n^bb0(%%l: %s, %%r: %s):\n    %%c = stablehlo.%s %%l, %%r : %s\n    stablehlo.return %%c : %s\n  }" % (t, t, "or" if element == "i1" else "add", t, t)
    [r] = p.generic("stablehlo.reduce_scatter", [x], [(element, x.shape, None)], "scatter_dimension = 0 : i64, " + GROUPS, body)
    p.result(r)


def collective(op, attributes):
    @row("stablehlo." + op, BOOL + INTS + FLOATS, oracle=lambda p: [p.inputs[0][1]], dynamic=False)
    def make(p, element):
        p.only_static = True
        x = p.input(element, p.shape(least=1, zero=0))
        [r] = p.generic("stablehlo." + op, [x], [(element, x.shape, None)], attributes)
        p.result(r)


collective("all_gather", "all_gather_dim = 0 : i64, " + GROUPS)
collective("all_to_all", "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, " + GROUPS)
collective("collective_permute", "source_target_pairs = dense<0> : tensor<1x2xi64>")
collective("collective_broadcast", GROUPS)


def identity(op):
    @row("stablehlo." + op, ["ui32"], oracle="xla", dynamic=False)
    def make(p, element):
        r = p.new(element, [])
        p.count("stablehlo." + op)
        p.line("%s = stablehlo.%s : %s" % (r, op, r.t))
        p.result(r)


identity("partition_id")
identity("replica_id")


@row("stablehlo.after_all", ["i32", "f32"])
def after_all(p, element):
    x = p.input(element, p.shape())
    p.count("stablehlo.after_all")
    p.line("%t0 = stablehlo.create_token : !stablehlo.token")
    p.line("%t1 = stablehlo.after_all %t0, %t0 : !stablehlo.token")
    r = p.new(element, x.shape, x.mask)
    p.line("%s = stablehlo.abs %s : %s" % (r, x, x.t))
    p.result(r)
