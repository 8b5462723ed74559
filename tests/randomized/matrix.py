#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each op on each element type, with known and with open extents: writes docs/ops.md from what the programs do.

For every row of the table of op generators, every type that it names and both forms, a program is run, as
generate.py does. Runs under build/venv-jax: `make ops`. `scripts/check_ops` keeps the page and the tables of ops together.
"""
import argparse
import collections
import os
import pathlib
import re
import sys

sys.path[0:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent)]
import arrays  # noqa: E402
import builder  # noqa: E402
import generate  # noqa: E402
import harness  # noqa: E402
import tables  # noqa: E402

PAGE = harness.ROOT / "docs" / "ops.md"
PROGRAMS = 1  # of each row, type and form
COLUMNS = ("i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64", "f8", "f16", "bf16", "f32", "f64", "c64", "c128", "quantised")
SHORT = {"complex<f32>": "c64", "complex<f64>": "c128", **{name: "f8" for name in arrays.F8}}
HEAD = """# Ops and element types

Made by `make ops` from %d random programs (`tests/randomized/matrix.py`), whose values jaxlib or numpy gave.
A cell has two marks, for known and for open extents (`?`): `+` works, `r` refused with an error that says so, `x` wrong or
crashed, `.` not applicable: the op has no such form, or the specification no such type. f8 stands for all 8-bit floats, c64 and
c128 for complex<f32> and complex<f64>; "quantised" for 8-bit storage of f32.

"""
# Ops that programs of another row use in its form with open extents.
DYNAMIC = ("stablehlo.dynamic_iota", "stablehlo.dynamic_broadcast_in_dim", "stablehlo.dynamic_reshape", "stablehlo.dynamic_gather")
# Ops of the tables that no generator makes, and why.
OTHERS = {
    "chlo.abs": "as stablehlo.abs", "chlo.constant": "as stablehlo.constant", "chlo.broadcast_complex": "as stablehlo.complex",
    "chlo.broadcast_next_after": "as chlo.next_after", "chlo.broadcast_polygamma": "as chlo.polygamma", "chlo.broadcast_zeta": "as chlo.zeta",
    "chlo.ragged_dot": "in the conformance suites", "chlo.scan": "in the conformance suites",
    "stablehlo.async_start": "in the goldens", "stablehlo.async_done": "in the goldens", "stablehlo.collective_reduce": "in the goldens",
    "stablehlo.create_token": "with stablehlo.after_all", "stablehlo.get_tuple_element": "with stablehlo.tuple",
    "stablehlo.custom_call": "by target: docs/input.md", "stablehlo.return": "in every region", "stablehlo.rng": "its values are free",
    "stablehlo.set_dimension_size": "in the conformance suites", "stablehlo.infeed": "refused by name", "stablehlo.outfeed": "refused by name",
    "stablehlo.send": "refused by name", "stablehlo.recv": "refused by name",
}


def draw(row, element, form, seed):
    """A program of the row in the form, or None."""
    for k in range(40):
        p = builder.Program([seed, k])
        p.label, p.oracle = "%s %s" % (row.op, element), row.oracle
        row.make(p, element)
        if form == "static" or p.is_dynamic():
            p.form = form
            return p
    return None


def run(cells, options):
    """{(op, column): {form: marks}}"""
    marks, todo = collections.defaultdict(lambda: collections.defaultdict(set)), []
    for i, (row, element, form) in enumerate(cells):
        for n in range(PROGRAMS):
            p = draw(row, element, form, [i, n])
            if p:
                todo.append((row.op, SHORT.get(element, element), form, p))
    chunks = [todo[i:i + generate.CHUNK] for i in range(0, len(todo), generate.CHUNK)]
    for part, outcomes in zip(chunks, generate.spread(chunks, options, work)):
        for (op, column, form, p), (outcome, text) in zip(part, outcomes):
            if outcome != "pass":
                print("%-8s %-40s %-7s %s" % (outcome, p.label, form, text.replace("\n", " ")[:200]), flush=True)
            for name in [op, *(o for o in DYNAMIC if o in p.render(form) and o != op)]:
                marks[name, column][form].add({"pass": "+", "refused": "r"}.get(outcome, "." if outcome == "skipped" else "x"))
    return marks, len(todo)


def work(part, options):
    """Outcomes of a chunk of programs."""
    programs = [p for _, _, _, p in part]
    expected = generate.evaluate(programs, None)
    items, places, out = [], [], [None] * len(part)
    for i, (p, (bits, why)) in enumerate(zip(programs, expected)):
        if bits is None:
            out[i] = ("skipped", why)
        else:
            items.append(generate.item(p, "m%d_%d" % (os.getpid(), i), p.form, bits))
            places.append(i)
    for i, outcome in zip(places, generate.ours.check(items, harness.scratch("randomized", "matrix-%d" % os.getpid()), options.device)):
        out[i] = outcome
    return out


def mark(found):
    """The worst of what programs of one cell and form did."""
    return next((m for m in "xr+." if m in found), ".")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="ops that match; prints, writes nothing")
    parser.add_argument("--device", default="local-sync")
    parser.add_argument("-j", type=int, default=min(os.cpu_count() or 1, 8))
    options = parser.parse_args()
    cells = [(r, e, form) for r in tables.ROWS if re.search(options.only, r.op) for e in r.elements for form in ("static", "dynamic")]
    marks, n = run(cells, options)
    ops = sorted({op for op, _ in marks})
    lines = ["| op | %s |\n" % " | ".join(COLUMNS), "| --- |%s\n" % (" --- |" * len(COLUMNS))]
    for op in ops:
        row = [mark(marks[op, c]["static"]) + mark(marks[op, c]["dynamic"]) for c in COLUMNS]
        lines.append("| %s | %s |\n" % (op, " | ".join("" if cell == ".." else cell for cell in row)))
    text = HEAD % n + "".join(lines)
    text += "\n## Tested elsewhere\n\n" + "".join("- %s: %s\n" % pair for pair in sorted(OTHERS.items()))
    if options.only:
        print(text)
    else:
        PAGE.write_text(text)
    bad = sum("x" in f for forms in marks.values() for f in forms.values())
    print("%d programs, %d cells wrong" % (n, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
