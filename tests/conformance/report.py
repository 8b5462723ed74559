# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/conformance.md: one section per suite, each line of its table and each list made by a run with --record."""
import re

import harness

PATH = harness.ROOT / "docs" / "conformance.md"
TABLE = "| driver | runtime | revision | passed | failed | skipped |\n| --- | --- | --- | --- | --- | --- |\n"


def record(name, options, counts, results):
    """Replaces the row of this driver and runtime, and its list, in the suite's section; adds what is not there yet."""
    text = PATH.read_text() if PATH.exists() else "# Conformance\n"
    head, *sections = re.split(r"(?m)^(?=## )", text)
    section = next((s for s in sections if s.startswith("## %s\n" % name)), None)
    if section is None:
        section = "## %s\n\n%s\n" % (name, TABLE)
        sections.append(section)
    command = "make conformance SUITE=%s CONFORMANCE_FLAGS='--device=%s --runtime=%s'" % (shown(options.folder), options.device, options.runtime)
    row = "| %s | %s | %s | %d | %d | %d |\n" % (options.device, options.runtime, options.revision or "-", *(counts[k] for k in ("passed", "failed", "skipped")))
    fresh = re.sub(r"(?m)^\| %s \| %s \|.*\n" % (options.device, options.runtime), row, section)
    if fresh == section and row not in section:
        fresh = section.replace(TABLE, TABLE + row)
    title = "### %s, %s: `%s`\n\n" % (options.device, options.runtime, command)
    fresh = re.sub(r"(?ms)^### %s, %s: .*?(?=^### |\Z)" % (options.device, options.runtime), "", fresh).rstrip("\n") + "\n\n"
    fresh += title + rest(results)
    sections[sections.index(section)] = fresh
    PATH.write_text(head + "".join(s.rstrip("\n") + "\n\n" for s in sections).rstrip("\n") + "\n")


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
    for test, kind, state, why in results:
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
