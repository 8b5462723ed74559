#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random StableHLO programs against jaxlib: `generate.py [-n N] [--seed S] [--only REGEX] [--graphs P]`.

Program k of seed S is always the same one, whatever N. Each is run in its static form and, where it has one, with open
extents; expected values come from oracle.py. What is not as expected is printed, and kept in build/testing/randomized/found.
Runs under build/venv-jax (scripts/setup random). Last line: `N passed, N failed, N skipped`; skipped are programs that the
oracle does not take; a refusal of ours is a failure.
"""
import argparse
import collections
import os
import pathlib
import pickle
import re
import sys
import time

sys.path[0:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent)]
import arrays  # noqa: E402
import builder  # noqa: E402
import harness  # noqa: E402
import kept  # noqa: E402
import ours  # noqa: E402
import shrink  # noqa: E402
import tables  # noqa: E402

CHUNK = 40  # programs to a child and to a module


def draw(seed, k, rows, graphs):
    """Program k: a row's or a graph."""
    p = builder.Program([seed, k])
    if graphs and p.chance(graphs):
        p.label = "graph"
        tables.graph(p)
    else:
        weights = [r.weight * len(r.elements) ** 0.5 for r in rows]
        r = p.pick(rows, [w / sum(weights) for w in weights])
        element = p.pick(r.elements)
        p.label = "%s %s" % (r.op, element)
        p.oracle = r.oracle
        r.make(p, element)
    return p


def item(p, name, form, expected):
    inputs = [(v.element, v.shape, arrays.bits_of(data, v.element)) for v, data in p.inputs]
    return ours.Item(name, p.render(form, name, name + "_"), inputs,
                     [(v.element, v.shape, bits) for (v, _), bits in zip(p.results, expected)], [t for _, t in p.results])


def evaluate(programs, oracle):
    """[(program, expected bits or None, why not)], computed in children, which the oracle may end."""
    done = []
    while len(done) < len(programs):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            _child(programs[len(done):], oracle, write)
        os.close(write)
        with os.fdopen(read, "rb") as stream:
            while True:
                try:
                    done.append(pickle.load(stream))
                except (EOFError, pickle.UnpicklingError):
                    break
        os.waitpid(child, 0)
        if len(done) < len(programs):
            p = programs[len(done)]
            if p.oracle == "interpreter":  # fatal to it; XLA may know
                p.oracle = "xla"
            else:
                done.append((None, "the oracle ended"))
    return done


def _child(programs, oracle, write):
    import oracle as module
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1), os.dup2(null, 2)
    judge = module.Oracle()
    with os.fdopen(write, "wb") as stream:
        for p in programs:
            try:
                result = (judge.evaluate(p), None)
                if p.is_dynamic() and "!quant" not in p.render("dynamic"):
                    judge.parse(p.render("dynamic"))
            except module.Refused as why:
                result = (None, str(why))
            pickle.dump(result, stream)
            stream.flush()
    os._exit(0)


def chunk(seed, numbers, options):
    """[(number, label, form, outcome, text)]"""
    programs = [draw(seed, k, options.rows, options.graphs) for k in numbers]
    expected = evaluate(programs, None)
    found, items, owners = [], [], []
    for k, p, (bits, why) in zip(numbers, programs, expected):
        if bits is None:
            found.append((k, p.label, "static", "skipped", why))
            continue
        for form in ("static", "dynamic") if p.is_dynamic() else ("static",):
            items.append(item(p, "p%d_%s" % (k, form[0]), form, bits))
            owners.append((k, p.label, form))
    folder = harness.scratch("randomized", str(os.getpid()))
    for owner, (outcome, text), it in zip(owners, ours.check(items, folder, options.device, options.runner), items):
        found.append((*owner, outcome, text))
        if outcome == "pass" and options.save and owner[2] == best(programs[owner[0] - numbers[0]], owner[0]) and len(it.text) <= 1500 and \
                sum(len(bits) for _, _, bits in it.inputs + it.results) <= 240:
            with open(options.save, "a") as stream:
                stream.write(kept.text_of(it, owner[1]))
        if outcome != "pass":
            if options.shrink:
                it = smaller(programs[owner[0] - numbers[0]], owner[2], it, outcome, folder, options)
            keep(it, owner[1], outcome, text)
    return found


def best(p, k):
    """The form that is saved: half of each, where there are two."""
    return "dynamic" if p.is_dynamic() and k % 2 else "static"


def smaller(p, form, it, outcome, folder, options):
    """The item of a smaller program that ends as |outcome| in the same form."""
    import oracle  # noqa: F401  (once, before children are made of this process)

    def values(q):
        return evaluate([q], None)[0][0]

    def fails(q):
        bits = values(q)
        return bits is not None and ours.check([item(q, it.name, form, bits)], folder / "shrink", options.device, options.runner)[0][0] == outcome

    q = shrink.shrink(p, fails, lambda q: (values(q) or [None])[0])
    bits = values(q)
    return it if bits is None else item(q, it.name, form, bits)


def keep(it, label, outcome, text):
    folder = harness.scratch("randomized", "found")
    (folder / (it.name + ".mlir")).write_text(kept.text_of(it, "%s; %s: %s" % (label, outcome, text)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=200, help="programs")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="rows whose `op element` matches")
    parser.add_argument("--graphs", type=float, default=0.3, help="part that is graphs of many ops")
    parser.add_argument("--device", default="local-sync")
    parser.add_argument("--runner", help="iree-run-module to use instead of ours")
    parser.add_argument("--shrink", action="store_true", help="make what fails small before it is kept")
    parser.add_argument("--save", help="append small programs that pass, with their values, to a file")
    parser.add_argument("-j", type=int, default=min(os.cpu_count() or 1, 8))
    parser.add_argument("-v", action="store_true", help="name skipped programs, too")
    options = parser.parse_args()
    options.rows = [r._replace(elements=[e for e in r.elements if re.search(options.only, "%s %s" % (r.op, e))]) for r in tables.ROWS]
    options.rows = [r for r in options.rows if r.elements]
    if options.only:
        options.graphs = 1.0 if re.search(options.only, "graph") else 0.0
    start = time.time()
    numbers = range(options.first, options.first + options.n)
    chunks = [list(numbers[i:i + CHUNK]) for i in range(0, len(numbers), CHUNK)]
    found = []
    for result in spread(chunks, options, lambda c, o: chunk(o.seed, c, o)):
        for k, label, form, outcome, text in result:
            if outcome not in ("pass", "skipped") or options.v and outcome == "skipped":
                print("%-8s %5d %-7s %-40s %s" % (outcome, k, form, label, text.replace("\n", " ")[:260]), flush=True)
        found += result
    count = collections.Counter("passed" if f[3] == "pass" else "skipped" if f[3] == "skipped" else "failed" for f in found)
    print("%d programs, seed %d, %.0f s" % (options.n, options.seed, time.time() - start))
    print("%d passed, %d failed, %d skipped" % tuple(count[c] for c in ("passed", "failed", "skipped")))
    return 1 if count["failed"] else 0


def spread(chunks, options, work):
    """work(chunk, options) of each chunk, on |options.j| children, in order."""
    workers = []
    for w in range(min(options.j, len(chunks))):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            with os.fdopen(write, "wb") as stream:
                for c in chunks[w::options.j]:
                    pickle.dump(work(c, options), stream)
                    stream.flush()
            os._exit(0)
        os.close(write)
        workers.append((os.fdopen(read, "rb"), child))
    for i in range(len(chunks)):
        yield pickle.load(workers[i % len(workers)][0])
    for stream, child in workers:
        stream.close()
        os.waitpid(child, 0)


if __name__ == "__main__":
    sys.exit(main())
