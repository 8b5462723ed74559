# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/conformance.md: one section per suite, each line of its table and each list made by a run with --record."""
import re

import harness

PATH = harness.ROOT / "docs" / "conformance.md"
TABLE = "| run | revision | passed | failed | skipped |\n| --- | --- | --- | --- | --- |\n"
HEAD = """# Conformance

Suites of StableHLO and IREE, run from a checkout that the user has: `git clone https://github.com/openxla/stablehlo ../stablehlo`, then

    make conformance SUITE=../stablehlo/stablehlo/tests/interpret

and so on with the other folders below; `CONFORMANCE_FLAGS='--runs=local-sync,local-task,upstream --record'` rewrites their
sections here. Runs are our runtime with local-sync and local-task, and upstream's runtime (local-sync) on the same `.vmfb`.
The checked values are results of the programs and the constants that they start from are arguments, so that nothing is folded.
A tolerance finer than four roundings of the type counts as four roundings. `testdata/dynamic` has no values: it is compiled.
What did not pass is listed: what could not be run and what `tests/conformance/reasons.txt` has a reason for counts as skipped, the
rest as failed, with its message.
"""


def record(name, which, options, counts, results):
    """Replaces the row of this run, and its list, in the suite's section; adds what is not there yet."""
    text = PATH.read_text() if PATH.exists() else ""
    _, *sections = re.split(r"(?m)^(?=## )", text)
    section = next((s for s in sections if s.startswith("## %s\n" % name)), None)
    if section is None:
        section = "## %s\n\n`make conformance SUITE=%s`\n\n%s\n" % (name, shown(options.folder), TABLE)
        sections.append(section)
    row = "| %s | %s | %d | %d | %d |\n" % (which, options.revision or "-", *(counts[k] for k in ("passed", "failed", "skipped")))
    fresh = re.sub(r"(?m)^\| %s \|.*\n" % re.escape(which), lambda m: row, section)
    if fresh == section and row not in section:
        rows = re.search(re.escape(TABLE) + r"(?:\|.*\n)*", section)
        fresh = section[:rows.end()] + row + section[rows.end():]
    fresh = re.sub(r"(?ms)^### %s\n.*?(?=^### |\Z)" % re.escape(which), "", fresh).rstrip("\n") + "\n\n"
    fresh += "### %s\n\n" % which + rest(results)
    sections[sections.index(section)] = fresh
    PATH.write_text(HEAD + "\n" + "".join(s.rstrip("\n") + "\n\n" for s in sections).rstrip("\n") + "\n")


def shown(folder):
    """The folder as a user would name it: from the checkout's own folder on."""
    parts = folder.resolve().parts
    at = next((i for i, part in enumerate(parts) if part in ("stablehlo", "iree")), None)
    if parts[-3:-1] == ("tests", "e2e"):
        return "../iree/tests/e2e/" + parts[-1]
    return "../stablehlo/" + "/".join(parts[at:]) if at is not None else "../shared/" + parts[-1]


def rest(results):
    """What did not pass, tests of one reason on one line."""
    groups = {}
    for test, kind, why in results:
        if kind != "passed":
            groups.setdefault((kind, plain(why)), []).append(test)
    lines = ["- %s, %d: %s: %s\n" % (kind, len(tests), why, ", ".join(tests[:12]) + (" and %d more" % (len(tests) - 12) if len(tests) > 12 else ""))
             for (kind, why), tests in sorted(groups.items())]
    return "".join(lines) or "All pass.\n"


def plain(line):
    """A message without places."""
    line = re.sub(r"\S*/(\S+?\.mlir)(:\d+:\d+)?:? ?", "", line)
    line = re.sub(r"\S+\.c:\d+: ", "", line)
    return re.sub(r"\s+", " ", line)[:160]
