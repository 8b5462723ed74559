# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the test modules share: outcomes, running a tool, the paths of ours and of upstream's.

A test module has `tests(options)`, which yields (name, function). The function returns nothing when it
passes, raises Fail or Skip with one line of reason, or returns a Counts when it stands for many tests.
Only Python's standard library is used here, so that `make check` starts on a bare machine.
"""
import collections
import functools
import os
import pathlib
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / os.environ.get("IREE_TEST_BUILD", "build")       # build, build/asan, ...
BIN = ROOT / os.environ.get("IREE_TEST_BIN", OUT / "bin")      # the tools; a fuzz build has none of its own
VENV = ROOT / os.environ.get("IREE_VENV", "build/venv-upstream")
WORK = OUT / "testing"                                        # scratch of all tests
CASES = pathlib.Path(os.environ.get("IREE_CASES", ROOT / ".." / "shared" / "cases"))
LLVM_BIN = pathlib.Path(os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin"))

Counts = collections.namedtuple("Counts", "passed failed skipped lines")
Result = collections.namedtuple("Result", "code out err")


class Fail(Exception):
    pass


class Skip(Exception):
    pass


def skip(reason):
    raise Skip(reason)


def ours(tool):
    """The path of a built tool; a test that needs one which is not there yet is skipped."""
    path = BIN / tool
    if not path.exists():
        raise Skip("%s is not built" % path.relative_to(ROOT))
    return str(path)


def upstream(tool):
    """The path of a tool of the wheels: the program itself where there is one, not its Python wrapper."""
    for pattern in ("lib/python3*/site-packages/iree/compiler/_mlir_libs/", "lib/python3*/site-packages/iree/_runtime_libs/", "bin/"):
        for path in VENV.glob(pattern + tool):
            return str(path)
    raise Skip("no upstream %s (run scripts/setup)" % tool)


def run(command, timeout=120, cwd=None, stdin=b"", env=None):
    """Runs to the end or raises Fail; a crash is code < 0 or >= 128, see `crashed`."""
    try:
        p = subprocess.run([str(c) for c in command], input=stdin, capture_output=True, timeout=timeout,
                           cwd=cwd, env=dict(os.environ, **env) if env else None)
    except subprocess.TimeoutExpired:
        raise Fail("no end after %d s: %s" % (timeout, shown(command)))
    return Result(p.returncode, p.stdout, p.stderr.decode("utf8", "replace"))


def crashed(result):
    return result.code < 0 or result.code >= 126 or "Sanitizer" in result.err or "runtime error:" in result.err


def ended(command, timeout):
    """("pass", "") or how a tool failed, and the line that says why: "refused" or "crash", which an end that never comes is, too."""
    try:
        result = run(command, timeout=timeout)
    except Fail as fail:
        return "crash", str(fail)
    line = next((l for l in result.err.splitlines() if "error" in l.lower()), result.err.strip().split("\n")[0])
    if crashed(result):
        return "crash", "exit %d: %s" % (result.code, line)
    return ("refused", line) if result.code else ("pass", "")


def must(command, **kwargs):
    """As `run`, and the exit code has to be 0."""
    result = run(command, **kwargs)
    if result.code != 0:
        raise Fail("exit %d: %s\n%s" % (result.code, shown(command), tail(result.err)))
    return result


def tail(text, lines=6, width=300):
    return "\n".join("      " + line[:width] for line in text.strip().splitlines()[:lines])


def shown(command):
    return " ".join(str(c).replace(str(ROOT) + "/", "") for c in command)


def shared(make):
    """A function without arguments that runs once, however many tests, on whatever threads, want its result; a failure is each one's."""
    lock, made = threading.Lock(), []

    @functools.wraps(make)
    def get():
        with lock:
            if not made:
                try:
                    made.append((make(), None))
                except (Fail, Skip) as e:
                    made.append((None, e))
        value, failure = made[0]
        if failure:
            raise failure
        return value
    return get


def scratch(*parts):
    """A folder below the scratch folder."""
    path = WORK.joinpath(*parts)
    path.mkdir(parents=True, exist_ok=True)
    return path
