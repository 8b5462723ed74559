# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""iree.compiler: text and files in, programs out, messages as exceptions."""
import importlib
import pathlib
import tempfile
import unittest

import numpy as np

import iree.compiler
import iree.compiler.tools as tools
import iree.runtime as rt
from iree.compiler import compile_file, compile_str

SOURCE = """
func.func @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


class Compile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def check(self, vmfb):
        x = np.array([1, 2, 3], np.float32)
        np.testing.assert_array_equal(rt.load_vm_flatbuffer(vmfb, driver="local-sync").twice(x), x + x)

    def test_text_and_bytes(self):
        self.check(compile_str(SOURCE, target_backends=["llvm-cpu"]))
        self.check(compile_str(SOURCE.encode(), target_backends=["llvm-cpu"], input_type="stablehlo"))

    def test_files(self):
        (self.path / "in.mlir").write_text(SOURCE)
        self.check(compile_file(self.path / "in.mlir", target_backends=["llvm-cpu"]))
        out = self.path / "out.vmfb"
        self.assertIsNone(compile_file(str(self.path / "in.mlir"), output_file=str(out), target_backends=["llvm-cpu"]))
        self.check(out.read_bytes())

    def test_options(self):
        plain = compile_str(SOURCE, target_backends=["llvm-cpu"])
        small = compile_str(SOURCE, target_backends=["llvm-cpu"], strip_debug_ops=True, strip_source_map=True)
        self.assertLess(len(small), len(plain))
        self.check(small)
        text = compile_str(SOURCE, target_backends=["llvm-cpu"], output_format="mlir-text").decode()
        self.assertIn("vm.module", text)
        self.assertNotIn("loc(", compile_str(SOURCE, target_backends=["llvm-cpu"], output_format=tools.OutputFormat.MLIR_TEXT,
                                             output_mlir_debuginfo=False).decode())
        self.check(compile_str(SOURCE, target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=host"]))

    def test_errors(self):
        with self.assertRaisesRegex(tools.CompilerToolError, r"<stdin>:1:1: error") as caught:
            compile_str("nonsense", target_backends=["llvm-cpu"])
        self.assertEqual(caught.exception.code, 1)
        with self.assertRaisesRegex(tools.CompilerToolError, "error: .*unknown|cannot open|no such"):
            compile_file("no/such/file.mlir", target_backends=["llvm-cpu"])
        with self.assertRaises(TypeError):
            compile_str(SOURCE, target_backends="llvm-cpu")
        with self.assertRaises(TypeError):
            compile_str(SOURCE, no_such_option=1)
        with self.assertRaises(ValueError):
            compile_str(SOURCE, input_type="cobol")
        with self.assertRaisesRegex(ImportError, "no MLIR inside"):
            getattr(iree.compiler, "ir")
        with self.assertRaisesRegex(ImportError, "no MLIR inside"):
            importlib.import_module("iree.compiler.ir")

    def test_kept_files(self):
        with tools.TempFileSaver(str(self.path / "kept-{id}"), invocation_id="7"):
            compile_str(SOURCE, target_backends=["llvm-cpu"])
        kept = self.path / "kept-7"
        self.assertEqual((kept / "core-input.mlir").read_text(), SOURCE)
        self.check((kept / "core-output.bin").read_bytes())

    def test_targets(self):
        self.assertIn("llvm-cpu", tools.query_available_targets())
        self.assertEqual(tools.DEFAULT_TESTING_BACKENDS, ["llvm-cpu"])


if __name__ == "__main__":
    unittest.main()
