# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One random program: StableHLO text under construction, its inputs, its results.

A value has a static shape and a mask of the extents that the dynamic form leaves open. Lines name types by tokens
(`{x.t}` of a value), so one program prints in two forms: all extents known, or `?` where a mask says so. Where the two
forms need different ops (reshape or dynamic_reshape), `either` takes both lines.
"""
import re

import numpy as np

import arrays


class Value:
    def __init__(self, name, number, element, shape, mask):
        self.name, self.number, self.element, self.shape, self.mask = name, number, element, tuple(shape), tuple(mask)
        self.t = "\x01%d\x02" % number  # a quantised type of these extents: "\x01%d\x03ELEMENT\x02"

    def __str__(self):
        return self.name

    @property
    def rank(self):
        return len(self.shape)

    def dims(self):
        return list(zip(self.shape, self.mask))


class Program:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.values, self.inputs, self.lines, self.results, self.helpers, self.ops = [], [], [], [], [], []
        self.indent, self.oracle, self.reference, self.only_static = 1, "interpreter", None, False

    # -- dice
    def pick(self, items, p=None):
        items = list(items)
        return items[int(self.rng.choice(len(items), p=p))]

    def chance(self, p):
        return bool(self.rng.random() < p)

    def between(self, low, high):
        return int(self.rng.integers(low, high, endpoint=True))

    def extent(self, zero=0.03):
        return 0 if self.chance(zero) else self.pick((1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9))

    def shape(self, rank=None, most=80, zero=0.03, least=0):
        while True:
            shape = [self.extent(zero) for _ in range(self.pick((0, 1, 1, 2, 2, 2, 3, 3, 4)) if rank is None else rank)]
            if np.prod(shape, dtype=np.int64) <= most and len(shape) >= least:
                return shape

    def mask(self, rank):
        return [self.chance(0.6) for _ in range(rank)]

    def subset(self, items, least=0):
        items = list(items)
        n = self.between(min(least, len(items)), len(items))
        return sorted(int(i) for i in self.rng.choice(len(items), n, replace=False)) if n else []

    # -- values
    def new(self, element, shape, mask=None, name=None):
        v = Value(name or "%%v%d" % len(self.values), len(self.values), element, shape, mask or [False] * len(shape))
        self.values.append(v)
        return v

    def input(self, element, shape, values="any", mask=None):
        data = values if isinstance(values, np.ndarray) else arrays.make(self.rng, element, shape, values)
        v = self.new(element, shape, self.mask(len(shape)) if mask is None else mask, "%%a%d" % len(self.inputs))
        self.inputs.append((v, data))
        return v

    def scalars(self, element, numbers, low=None):
        """Rank-0 inputs of these numbers."""
        return [self.input(element, [], np.array(n).astype(arrays.DTYPES[element])) for n in numbers]

    def line(self, text):
        self.either(text, text)

    def either(self, static, dynamic):
        pad = "  " * self.indent
        self.lines.append((pad + static, pad + dynamic))

    def op(self, text, element, shape, mask=None, types=None):
        """One op with one result: `text` up to the colon, `types` the operands (functional form; None: same types)."""
        r = self.new(element, shape, mask)
        kinds = r.t if types is None else "(%s) -> %s" % (", ".join(v.t for v in types), r.t)
        self.count(text.split()[0].split("(")[0].strip('"'))
        self.line("%s = %s : %s" % (r, text, kinds))
        return r

    def generic(self, name, operands, results, attributes="", regions=""):
        """The generic form; results: [(element, shape, mask)]."""
        out = [self.new(*r) for r in results]
        self.count(name)
        tail = (" (%s)" % regions if regions else "") + (" {%s}" % attributes if attributes else "")
        self.line('%s = "%s"(%s)%s : (%s) -> (%s)' % (", ".join(map(str, out)), name, ", ".join(map(str, operands)), tail,
                                                     ", ".join(v.t for v in operands), ", ".join(v.t for v in out)))
        return out

    def count(self, op):
        if op not in self.ops:
            self.ops.append(op)

    def constant(self, element, shape, values="any"):
        data = values if isinstance(values, np.ndarray) else arrays.make(self.rng, element, shape, values)
        r = self.new(element, shape)
        self.count("stablehlo.constant")
        self.line("%s = stablehlo.constant dense<%s> : %s" % (r, literal(data, element), r.t))
        return r

    def sizes(self, shape, mask, element=None):
        """A value that holds a shape: known extents as constants, open ones at run time."""
        element = element or self.pick(("i32", "i64"))
        if not self.chance(0.5) or not any(mask):
            return self.input(element, [len(shape)], np.array(shape), [False])
        parts = []
        for extent, is_open in zip(shape, mask):
            source = [(v, i) for v, _ in self.inputs for i, (e, o) in enumerate(v.dims()) if e == extent and o]
            if is_open and source:
                v, i = self.pick(source)
                s = self.op("stablehlo.get_dimension_size %s, dim = %d" % (v, i), "i32", [], types=[v])
                s = s if element == "i32" else self.op("stablehlo.convert %s" % s, element, [], types=[s])
            elif is_open:
                s = self.input(element, [], np.array(extent))
            else:
                s = self.constant(element, [], np.array(extent))
            parts.append(self.op("stablehlo.reshape %s" % s, element, [1], types=[s]))
        if len(parts) == 1:
            return parts[0]
        return self.op("stablehlo.concatenate %s, dim = 0" % ", ".join(map(str, parts)), element, [len(parts)], types=parts)

    def result(self, value, tolerance="exact"):
        self.results.append((value, tolerance))

    # -- text
    def render(self, form, name="main", prefix=""):
        """The function's text in form "static" or "dynamic", private functions included."""
        args = ", ".join("%s: %s" % (v, v.t) for v, _ in self.inputs)
        return self._whole(form, name, prefix, args, [])

    def closed(self):
        """The static form without arguments: inputs are constants. What the oracle evaluates."""
        lines = ["  %s = stablehlo.constant dense<%s> : %s" % (v, hexed(data, v.element), v.t) for v, data in self.inputs]
        return self._whole("static", "main", "", "", lines)

    def _whole(self, form, name, prefix, args, first):
        which = form == "dynamic"
        outs = ", ".join(v.t for v, _ in self.results)
        body = "\n".join(first + [line[which] for line in self.lines if line[which].strip()])
        text = "func.func @%s(%s) -> (%s) {\n%s\n  return %s : %s\n}\n" % (
            name, args, outs, body, ", ".join(str(v) for v, _ in self.results), outs)
        text = "".join(self.helpers) + text
        text = re.sub("\x01(\\d+)(?:\x03([^\x02]*))?\x02", lambda m: type_text(self.values[int(m.group(1))], which, m.group(2)), text)
        return text.replace("@@", "@" + prefix)

    def is_dynamic(self):
        return not self.only_static and any(any(v.mask) for v in self.values)


def type_text(v, is_open, element=None):
    return "tensor<%s%s>" % ("".join("%sx" % ("?" if o and is_open else e) for e, o in v.dims()), element or v.element)


def scalar_type(element):
    return "tensor<%s>" % element


def literal(data, element):
    """Text of a dense constant's values as people write them, exact."""
    if data.size == 0:
        return ""
    return _nested(data, lambda x: _number(x, element))


def _nested(data, text):
    return text(data[()]) if data.ndim == 0 else "[%s]" % ", ".join(_nested(d, text) for d in data)


def _number(x, element):
    k = arrays.kind(element)
    if k == "b":
        return "true" if x else "false"
    if k in "iu":
        return str(int(x))
    if k == "c":
        part = arrays.ELEMENTS[element].part
        return "(%s, %s)" % (_number(x.real, part), _number(x.imag, part))
    wide = float(x)
    if wide != wide or wide in (float("inf"), float("-inf")):
        data = np.asarray(x).astype(arrays.DTYPES[element]).tobytes()
        return "0x" + data[::-1].hex().upper()
    text = repr(wide)
    return text if "." in text else text.replace("e", ".0e") if "e" in text else text + ".0"


def hexed(data, element):
    """Values as the bytes of the constant, which is quick to parse."""
    data = np.asarray(data)
    if data.size == 0:
        return ""
    if element == "i1":
        return literal(data.astype(bool), element)
    return '"0x%s"' % arrays.bits_of(data, element).hex().upper()
