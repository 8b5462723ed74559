# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python packages in build/python:
each     `bindings/python/test/*_test.py` (unittest)
upstream the tests of IREE's own bindings, from a checkout named by IREE_SOURCE; exceptions are a table of docs/python.md

They run in the venv of the upstream wheels, which has NumPy; the packages are found before upstream's.
"""
import os
import pathlib
import re

import harness

# Folders of an IREE checkout, and which of their files are tests, or samples that check, what we have.
UPSTREAM = {"runtime/bindings/python/tests": "*_test.py", "compiler/bindings/python/test/tools": "*_test.py",
            "compiler/bindings/python/test/api": "*_test.py", "samples/py_custom_module": "*.py"}


def tests(options):
    for path in sorted((harness.ROOT / "bindings/python/test").glob("*_test.py")):
        yield path.stem, lambda path=path: own(path)
    source = os.environ.get("IREE_SOURCE")
    if not source:
        yield "upstream", lambda: harness.skip("IREE_SOURCE=FOLDER of an IREE checkout is not set: its Python tests")
        return
    excepted = exceptions()
    for folder, pattern in UPSTREAM.items():
        for path in sorted(pathlib.Path(source, folder).glob(pattern)):
            yield "upstream/" + path.stem, lambda path=path: upstream(path, excepted)


def package():
    if not (harness.OUT / "python/iree/runtime/_native.abi3.so").exists():
        harness.skip("the package is not built (make python)")
    if not (harness.VENV / "bin/python").exists():
        harness.skip("no NumPy (run scripts/setup)")
    return harness.OUT / "python"


def run(path, *flags, timeout=300, cwd=None, **environment):
    env = {"PYTHONPATH": str(package()), "PYTHONDONTWRITEBYTECODE": "1", "IREE_COMPILE": harness.ours("iree-compile"),
           "IREE_SAMPLES": str(harness.ROOT / "samples"), "IREE_ROOT": str(harness.ROOT), **environment}
    if harness.OUT.name == "asan":
        env |= sanitized()
    return harness.run([harness.VENV / "bin/python", path, *flags], timeout=timeout, env=env, cwd=cwd)


def sanitized():
    """The environment for an extension built with -fsanitize=address: Python itself is not."""
    library = harness.must(["gcc", "-print-file-name=libasan.so"]).out.decode().strip()
    return {"LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}


def own(path):
    result = run(path, "-v")
    found = re.search(r"^Ran (\d+) tests?", result.err, re.M)
    if result.code != 0 or not found:
        raise harness.Fail("exit %d: %s\n%s" % (result.code, path.name, harness.tail(result.err[-2500:], lines=40)))
    reasons = re.findall(r"\.\.\. skipped ['\"](.*)['\"]", result.err)
    return harness.Counts(int(found.group(1)) - len(reasons), 0, len(reasons), sorted(set(reasons)))


def exceptions():
    """{test or file: reason} of the table in docs/python.md."""
    text = (harness.ROOT / "docs/python.md").read_text().partition("## Upstream's tests")[2]
    return {name: reason for names, reason in re.findall(r"^\| (`.+?`) \| (.+?) \|$", text, re.M) for name in re.findall(r"`(.+?)`", names)}


# For a file that imports MLIR's bindings at its top: what needs them fails, the rest runs.
WITHOUT_MLIR = """
import runpy, sys, types
import iree.compiler
iree.compiler.ir = sys.modules["iree.compiler.ir"] = types.ModuleType("iree.compiler.ir")
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def upstream(path, excepted):
    if path.stem in excepted:
        harness.skip("docs/python.md: %s" % excepted[path.stem])
    start = ("-c", WITHOUT_MLIR, path) if "from iree.compiler import ir\n" in path.read_text() else (path,)
    result = run(*start, "-v", cwd=harness.scratch("python-upstream"))
    found = re.search(r"^Ran (\d+) tests?", result.err, re.M)
    if not found:
        if result.code == 0:
            return None  # a script that checks as it goes
        raise harness.Fail("exit %d: %s\n%s" % (result.code, path.name, harness.tail(result.err[-2500:], lines=40)))
    failed = re.findall(r"^(?:ERROR|FAIL): (\w+) ", result.err, re.M)
    unexpected = [name for name in failed if name not in excepted]
    if unexpected or harness.crashed(result):
        raise harness.Fail("%s: %s\n%s" % (path.name, ", ".join(unexpected), harness.tail(result.err[-2500:], lines=40)))
    skipped = len(re.findall(r"\.\.\. skipped", result.err)) + len(failed)
    lines = sorted({"docs/python.md: " + excepted[name] for name in failed})
    return harness.Counts(int(found.group(1)) - skipped, 0, skipped, lines)
