# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command that README.md and docs/ show: it runs, and prints what stands below it.

Commands are the lines of fenced blocks without a language (or sh, console) that begin with a word of COMMANDS, with what
follows them as their output (a line `...` stands for any lines), and spans in backticks that begin so. Those of one document run
in order, in one folder that holds FIXTURES. A span that is only a path has to be there. Not run are

  tests/run.py ...   the group runs by itself: the groups and --only patterns have to exist
  make TARGET        what takes long runs elsewhere: the Makefile has to have it, and ELSEWHERE says where
  ...with FILE, `...` and the like: every flag in it has to be known to the tool
"""
import argparse
import functools
import importlib
import os
import pathlib
import re
import shlex
import threading
import types

import harness
import program

COMMANDS = re.compile(r"(make|iree-[a-z-]+|(tests|scripts)/\S+|build/bin/\S+|python3?|cc) ?")
SHELL = ("", "sh", "shell", "bash", "console")
PLACEHOLDER = re.compile(r"\.\.\.|…|\b(FILE|DIR|FOLDER|REGEX|PATTERN|GROUP)\b|=$|=\s")

# Commands that run in the tree itself, as they are or with less to do.
IN_TREE = {"make help": "make help", "make demo": "make demo", "scripts/setup": "scripts/setup demo",
           "scripts/bench.py": "scripts/bench.py --only 'size add'"}
# Words of commands that take too long, and what runs them instead. Each row has to be needed.
ELSEWHERE = {
    "make check": "what runs this", "make asan": "the sanitizer builds", "make fuzz": "group fuzz", "make cases": "group cases",
    "make compat": "groups compat.matrix, compat.tools", "make releases": "group compat.releases", "make random": "group randomized.kept",
    "make ops": "scripts/check_ops in group rules", "make conformance": "checkouts that the user names", "make bench": "scripts/bench.py",
    "make ulp": "group numerics", "make cross-aarch64": "group cross", "make python": "make check", "make wheels": "group python",
    "make install": "group capi", "make dist": "group capi", "make amalgamation": "group capi", "make lint": "a second compiler", "make tsan": "the sanitizer builds", "make LLVM_CONFIG=/path/to/llvm-config": "every build",
    "scripts/bench_cases.py": "scripts/bench.py, whose loop it shares",
}
# Commands that show a part of one: their flags are checked.
PARTS = ("iree-run-module --input=4xf32=1,2,3,4",)

ADD = """func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
# Programs that commands name; each is there as .mlir and compiled, as .vmfb.
FIXTURES = {"add.mlir": ADD, "model.mlir": ADD}




_tree = threading.Lock()


def documents():
    return [harness.ROOT / "README.md", *sorted((harness.ROOT / "docs").rglob("*.md"))]


def tests(options):
    for path in documents():
        if any(True for _ in commands(path)):
            yield str(path.relative_to(harness.ROOT)), lambda path=path: document(path)
    yield "tables", tables


# ---- what stands in a document -----------------------------------------------------------------------------

def blocks(path):
    """(number of the first line, language, [line]) of each fenced block."""
    language, found = None, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            if language is None:
                language, found, at = line.strip()[3:].strip(), [], number + 1
            else:
                yield at, language, found
                language = None
        elif language is not None:
            found.append(line)


def spans(path):
    """(line number, text) of each span in backticks outside of fenced blocks; a span may go over a line's end."""
    text = path.read_text()
    text = re.sub(r"^ *```.*?^ *```$", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.M | re.S)
    for m in re.finditer(r"(?<!`)`([^`]+)`(?!`)", text):
        yield text.count("\n", 0, m.start()) + 1, " ".join(m.group(1).split())


def is_command(text):
    m = COMMANDS.match(text)
    return bool(m) and (m.group().endswith(" ") or m.end() == len(text) and "/" in text)


def is_path(text):
    return "/" in text and bool(re.fullmatch(r"(tests|scripts|tools|tooling|base|abi|runtime|compiler|samples|docs|bindings)/[\w/.-]+", text))


def commands(path):
    """(line number, command, [line of its output]) in the order of the document."""
    found = [(number, text, []) for number, text in spans(path) if is_command(text) and not is_path(text)]
    for at, language, lines in blocks(path):
        if language not in SHELL:
            continue
        last, carried = None, ""
        for number, line in enumerate(lines, at):
            line = carried + line[2:] if line.startswith("$ ") and not carried else carried + line
            carried = line[:-1] if line.endswith("\\") and (carried or is_command(line)) else ""
            if carried:
                continue
            if is_command(line):
                last = (number, re.sub(r"\s+#.*", "", line).strip(), [])
                found.append(last)
            elif last:
                last[2].append(line)
    return sorted(found, key=lambda c: c[0])


# ---- running ----------------------------------------------------------------------------------------------

def document(path):
    folder = harness.scratch("docs", path.stem)
    for name in ("samples", "tests", "scripts", "docs", "Makefile", "include"):
        link = folder / name
        if not link.is_symlink():
            link.symlink_to(harness.ROOT / name)
    (folder / "build").mkdir(exist_ok=True)
    if not (folder / "build" / "bin").is_symlink():
        (folder / "build" / "bin").symlink_to(harness.BIN)
    for name, text in FIXTURES.items():
        (folder / name).write_text(text)
        vmfb = folder / name.replace(".mlir", ".vmfb")
        program.once(vmfb, lambda part: harness.must([harness.ours("iree-compile"), folder / name, *program.FLAGS, "-o", part]))
    failures, skips, count = [], [], 0
    for number, text in spans(path):
        if is_path(text) and not is_there(text):
            failures.append("%s:%d: there is no `%s`" % (path.name, number, text))
    for number, command, output in commands(path):
        count += 1
        try:
            execute(command, output, folder)
        except harness.Skip as skip:
            skips.append(str(skip))
        except harness.Fail as fail:
            failures.append("%s:%d: `%s`: %s" % (path.name, number, command, fail))
    if failures:
        raise harness.Fail("\n      ".join(failures))
    return harness.Counts(count - len(skips), 0, len(skips), skips[:1])


def is_there(path):
    """A file or folder; docs leave the ending off where a pair of files is meant."""
    full = harness.ROOT / path
    return full.exists() or any(full.parent.glob(full.name + ".*"))


def execute(command, output, folder):
    words = shlex.split(command)
    if words[0].startswith("tests/run.py"):
        return groups_exist(words[1:])
    if in_table(ELSEWHERE, words):
        if words[0] == "make":
            targets_exist(words[1:])
        elif not (harness.ROOT / words[0]).exists():
            raise harness.Fail("there is no %s" % words[0])
        return None
    if command in PARTS or PLACEHOLDER.search(command):
        return flags_exist(words)
    row = in_table(IN_TREE, words)
    if row:
        return in_tree(IN_TREE[row])
    env = {"PATH": "%s:%s" % (harness.BIN, os.environ["PATH"])}
    result = harness.run(["sh", "-c", command], cwd=folder, env=env)
    if result.code != 0:
        raise harness.Fail("exit %d\n%s" % (result.code, harness.tail(result.err)))
    return shown(output, result.out.decode("utf8", "replace"))


def in_table(table, words):
    """The row of a command: its first two words, or the first."""
    return next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in table), None)


@functools.lru_cache(None)
def run_in_tree(command):
    with _tree:  # one at a time: make builds there
        return harness.run(["sh", "-c", command], cwd=harness.ROOT, timeout=300)


def in_tree(command):
    if harness.OUT != harness.ROOT / "build":
        return
    if "bench" in command:
        harness.upstream("iree-compile")
    result = run_in_tree(command)
    if result.code != 0:
        raise harness.Fail("`%s`: exit %d\n%s" % (command, result.code, harness.tail(result.err)))


def shown(expected, text):
    """The output stands below the command, if anything does."""
    expected = "\n".join(line.rstrip() for line in expected).strip()
    if not expected:
        return
    pattern = re.escape(expected).replace(r"\.\.\.", "(?s:.*)")
    text = "\n".join(line.rstrip() for line in text.splitlines()).strip()
    if not re.fullmatch(pattern, text):
        raise harness.Fail("prints\n%s" % text)


def groups_exist(words):
    import run
    parser = argparse.ArgumentParser()
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--only", default="")
    options, unknown = parser.parse_known_args(words)
    if set(unknown) - {"--quick", "-v"} or set(options.groups) - set(run.GROUPS):
        raise harness.Fail("tests/run.py has no such groups or flags")
    names = [g + "/" + n for g in options.groups if options.only and "." not in PLACEHOLDER.sub(".", options.only)
             for n, _ in importlib.import_module(g).tests(settings())]
    if options.only and names and not any(re.search(options.only, n) for n in names):
        raise harness.Fail("no test matches --only %s" % options.only)


def settings():
    return types.SimpleNamespace(cases=str(harness.CASES), iterations=1, only="")


def targets_exist(words):
    """The Makefile has the targets and reads the variables."""
    makefile = (harness.ROOT / "Makefile").read_text()
    for word in words:
        name = re.escape(word.partition("=")[0])
        pattern = r"\b%s\b" % name if "=" in word else r"^([\w -]*\s)?%s(\s[\w -]*)?:(?!=)" % name
        if not re.search(pattern, makefile, re.M):
            raise harness.Fail("the Makefile has no %s" % word)


def flags_exist(words):
    """Flags of a command that cannot run as it stands."""
    tool = pathlib.Path(words[0]).name
    if tool.startswith("iree-"):
        known = harness.must([harness.ours(tool), "--help"]).out.decode()
    elif tool == "make":
        return targets_exist(words[1:])
    else:
        raise harness.Fail("a command with placeholders needs a row in ELSEWHERE")
    for flag in (re.match(r"-?-([\w-]+)", w).group(1) for w in words[1:] if w.startswith("-") and w != "-"):
        if not re.search(r"^(# )?--?%s\b" % re.escape(flag), known, re.M):
            raise harness.Fail("%s has no flag --%s" % (tool, flag))


def tables():
    """No row is left over of a command that is not shown any more."""
    shown_commands = [c for path in documents() for _, c, _ in commands(path)]
    for row in (*ELSEWHERE, *PARTS, *IN_TREE):
        if not any(c == row or c.startswith(row + " ") for c in shown_commands):
            raise harness.Fail("no document shows `%s` any more: remove its row" % row)
