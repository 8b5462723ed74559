# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type stubs: equal to what is there, and of use to type checkers."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = """
import iree.runtime as rt
from iree.compiler import compile_str
from iree.compiler.api import Session
config = rt.Config("local-task")
reveal_type(config.device)
reveal_type(rt.SystemContext(config=config).modules.module)
reveal_type(rt.asdevicearray(config.device, [1]))
reveal_type(compile_str("module {}"))
reveal_type(Session().invocation().execute())
rt.HalFence(1).wait("soon")
"""
EXPECTED = ["HalDevice", "BoundModule", "DeviceArray", "bytes | None", "bool", 'incompatible type "str"; expected "int | None"']


@unittest.skipUnless(importlib.util.find_spec("mypy"), "no mypy in this venv (pip install mypy)")
class Types(unittest.TestCase):
    def run_it(self, *args):
        packages = os.environ["PYTHONPATH"].split(os.pathsep)[0]
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "program.py").write_text(PROGRAM)
            return subprocess.run([sys.executable, "-m", *args], capture_output=True, text=True, cwd=folder,
                                  env=dict(os.environ, MYPYPATH=packages)).stdout

    def test_stubs_are_what_is_there(self):
        self.assertIn("Success", self.run_it("mypy.stubtest", "iree.runtime._native", "--ignore-positional-only"))

    def test_programs_are_checked(self):
        lines = self.run_it("mypy", "--explicit-package-bases", "program.py").splitlines()
        self.assertEqual(len(lines), len(EXPECTED) + 1, lines)  # and a summary
        for line, words in zip(lines, EXPECTED):
            self.assertIn(words, line)


if __name__ == "__main__":
    unittest.main()
