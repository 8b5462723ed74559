# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of op generators: a row is an op, its element types, and a function that makes a program of it.

`make(p, element)` draws shapes and attributes within the specification, emits the op into program p, names results.
"""
import collections

Row = collections.namedtuple("Row", "op elements make oracle dynamic weight")
ROWS = []


def row(op, elements, oracle="interpreter", dynamic=True, weight=1.0):
    """Registers a row. |oracle|: interpreter, xla, chlo (legalised first) or a function of arrays; |dynamic|: whether the op
    has a form with open extents; |weight|: how often it is drawn."""
    def register(make):
        ROWS.append(Row(op, list(elements), make, oracle, dynamic, weight))
        return make
    return register


def open_all(*values):
    """The mask of an elementwise result."""
    return [any(bits) for bits in zip(*(v.mask for v in values))]
