# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A failing program made small: the first value that goes wrong, and of what it needs as little as still fails.

A program is cut at values: what stands after the value goes, and what stands before another value is replaced by an input
that has the value the oracle gives. `fails(program)` says whether a candidate still shows the failure.
"""
import copy
import re

import numpy as np

import arrays

NAME = re.compile(r"%\w+")


def statements(lines):
    """Lines grouped into whole ops: until brackets are closed again."""
    out, depth = [], 0
    for line in lines:
        text = re.sub(r"\x01.*?\x02|->", "", line[1] or line[0])
        if depth == 0:
            out.append([])
        out[-1].append(line)
        depth += sum(text.count(c) for c in "({[") - sum(text.count(c) for c in ")}]")
        if "= stablehlo.while(" in text or text.strip() in ("cond {",):
            depth += "= stablehlo.while(" in text  # its regions follow on lines of their own
        if text.strip() == "}" and depth == 1:
            depth = 0
    return out


def defined(statement):
    static, dynamic = statement[0]
    return set(NAME.findall((static.strip() or dynamic).split("=")[0]))


def used(statement):
    return set(NAME.findall(" ".join(s + " " + d for s, d in statement))) - defined(statement)


def prune(p):
    """Without ops and inputs that no result needs."""
    needed = {NAME.match(v.name).group() for v, _ in p.results}
    kept = []
    for s in reversed(statements(p.lines)):
        if defined(s) & needed:
            kept.append(s)
            needed |= used(s)
    p.lines = [line for s in reversed(kept) for line in s]
    p.inputs = [(v, data) for v, data in p.inputs if v.name in needed]
    text = " ".join(d for _, d in p.lines)
    p.helpers = [h for h in p.helpers if re.search(r"@@\w+", h).group() in text]
    return p


def ending(p, v):
    q = copy.copy(p)
    q.results = [(v, next((t for r, t in p.results if r is v), "value"))]
    return prune(q)


def cut(p, v, data):
    """p with v as an input."""
    q = copy.copy(p)
    q.values = list(p.values)
    name = v.name if "#" not in v.name else "%c" + str(v.number)
    w = copy.copy(v)
    w.name = name
    q.values[v.number] = w
    if "#" in v.name:
        q.lines = [tuple(re.sub(re.escape(v.name) + r"(?!\d)", name, t) for t in line) for line in p.lines]
    else:
        q.lines = [line for s in statements(p.lines) if defined(s) != {name} for line in s]
    q.inputs = [*p.inputs, (w, data)]
    return prune(q)


def top_level(p):
    """Values that statements of the function's own block define, in order."""
    names = [n for s in statements(p.lines) for n in sorted(defined(s))]
    by_base = {}
    for v in p.values:
        by_base.setdefault(NAME.match(v.name).group(), []).append(v)
    return [v for n in names for v in by_base.get(n, [])]


def shrink(p, fails, value_of):
    """The smallest program found; `value_of(program)` gives the bits of its one result, or None."""
    first = next((q for q in (ending(p, v) for v in top_level(p)) if fails(q)), None)
    if first is None:
        return p
    p = first
    for v in reversed(top_level(p)[:-1]):
        if v not in top_level(p):
            continue
        bits = value_of(ending(p, v))
        if bits is None:
            continue
        q = cut(p, v, np.array(arrays.from_bits(bits, v.element, v.shape)))
        if len(q.lines) < len(p.lines) and fails(q):
            p = q
    return p
