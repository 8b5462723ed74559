# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python of docs/python.md, block by block in one namespace, and the snippets of IREE's guide to its bindings."""
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["IREE_ROOT"])
SOURCE = os.environ.get("IREE_SOURCE")


def blocks(path):
    """(line number, code) of each block of Python."""
    found, text = [], path.read_text()
    for m in re.finditer(r"^( *)```python[^\n]*\n(.*?)^ *```", text, re.M | re.S):
        code = "\n".join(line.removeprefix(m.group(1)) for line in m.group(2).splitlines())
        found.append((text.count("\n", 0, m.start()) + 2, code))
    return found


class Documents(unittest.TestCase):
    def run_blocks(self, path, names, skip=lambda code: False):
        found = [(line, code) for line, code in blocks(path) if not skip(code)]
        self.assertTrue(found)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        out = io.StringIO()
        for line, code in found:
            with self.subTest("%s:%d" % (path.name, line)), contextlib.redirect_stdout(out):
                exec(compile("\n" * (line - 1) + code, str(path), "exec"), names)
        return out.getvalue()

    def test_our_guide(self):
        self.assertIn("[11. 22. 33. 44.]", self.run_blocks(ROOT / "docs/python.md", {}))

    @unittest.skipUnless(SOURCE, "IREE_SOURCE=FOLDER of an IREE checkout is not set: the snippets of its guide")
    def test_upstreams_guide(self):
        path = pathlib.Path(SOURCE, "docs/website/docs/reference/bindings/python.md")
        out = self.run_blocks(path, {}, lambda code: "device = ..." in code)
        self.assertIn("Results: [ 4. 10. 18. 28.]", out)


if __name__ == "__main__":
    unittest.main()
