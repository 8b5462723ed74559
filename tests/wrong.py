# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that have to be refused, for the right reason at the right place: tests/wrong/*.mlir.

A file holds programs parted by `// -----`. The line after `// WRONG: regex` has to be named by an error that matches.
"""
import re

import harness

FOLDER = harness.ROOT / "tests" / "wrong"


def tests(options):
    for path in sorted(FOLDER.glob("*.mlir")):
        for i, text in enumerate(re.split(r"(?m)^// -----$\n", path.read_text())):
            yield "wrong/%s/%d" % (path.stem, i), lambda path=path, i=i, text=text: refused(path, i, text)


def refused(path, i, text):
    program = harness.scratch("wrong") / ("%s_%d.mlir" % (path.stem, i))
    program.write_text(text)
    lines = text.splitlines()
    wanted = [(k + 2, m.group(1)) for k, m in ((k, re.match(r"\s*// WRONG: (.*)", line)) for k, line in enumerate(lines)) if m]
    result = harness.run([harness.ours("iree-opt"), program], timeout=20)
    if harness.crashed(result) or result.code != 1:
        raise harness.Fail("exit %d, want 1\n%s" % (result.code, text))
    for line, regex in wanted:
        said = [m.group(1) for m in re.finditer(r"(?m):%d:\d+: error: (.*)$" % line, result.err)]
        if not any(re.search(regex, s) for s in said):
            raise harness.Fail("line %d: no error like /%s/\n%s" % (line, regex, harness.tail(result.err)))
    if not wanted:
        raise harness.Fail("no `// WRONG:` in\n%s" % text)
