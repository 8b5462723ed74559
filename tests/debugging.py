# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people debug with: rewrites left out, reduced programs, dumped kernels, traces, backtraces."""
import harness
import program

# These need a fold: the host writes no elements narrower than a byte.
NEED_FOLDS = {"narrow_types"}


def tests(options):
    for p in program.programs():
        if p.name not in NEED_FOLDS and not p.name.startswith("many"):
            yield "no-rewrites/" + p.name, lambda p=p: no_rewrites(p)


def no_rewrites(p):
    """Every rewrite that claims to be optional is: without any of them the answers are the same."""
    module = p.compiled("ours", ["--opt-bisect-limit=0"], "-no-rewrites")
    for i, call in enumerate(p.calls):
        program.check(call, program.call("ours", module, call, "local-sync", tag="-no-rewrites-%d" % i))
