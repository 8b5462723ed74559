# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that the tree keeps: each scripts/check_* passes."""
import harness


def tests(options):
    for script in sorted((harness.ROOT / "scripts").glob("check_*")):
        yield script.name, lambda script=script: check(script)


def check(script):
    result = harness.run([script], cwd=harness.ROOT)
    if result.code != 0:
        raise harness.Fail("\n" + harness.tail(result.out.decode() + result.err, lines=20))
