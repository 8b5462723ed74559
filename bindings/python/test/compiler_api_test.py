# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""iree.compiler.api: sessions in this process."""
import contextlib
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import iree.runtime as rt
from iree.compiler.api import Invocation, Output, PipelineType, Session, Source

TWICE = b"""
func.func @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


def compiled(text=TWICE, *flags):
    with Session() as session:
        session.set_flags("--iree-hal-target-backends=llvm-cpu", *flags)
        invocation, output = session.invocation(), Output.open_membuffer()
        assert invocation.parse_source(Source.wrap_buffer(session, text)) and invocation.execute()
        invocation.output_vm_bytecode(output)
        return bytes(output.map_memory())


class Sessions(unittest.TestCase):
    def test_program(self):
        x = np.array([1, 2, 3], np.float32)
        np.testing.assert_array_equal(rt.load_vm_flatbuffer(compiled(), driver="local-sync").twice(x), x + x)
        self.assertEqual(compiled(), compiled())

    def test_flags(self):
        one, other = Session(), Session()
        self.assertIn("--iree-input-type=auto", one.get_flags())
        self.assertEqual(one.get_flags(non_default_only=True), [])
        one.set_flags("--iree-input-type=stablehlo", "--iree-opt-level=O2")
        self.assertEqual(sorted(one.get_flags(True)), ["--iree-input-type=stablehlo", "--iree-opt-level=O2"])
        self.assertEqual(other.get_flags(True), [])
        for bad in ("--no-such-flag", "--iree-input-type=cobol"):
            with self.assertRaisesRegex(ValueError, bad.split("=")[0]):
                one.set_flags(bad)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder, Session() as session:
            source = pathlib.Path(folder, "in.mlir")
            source.write_bytes(TWICE)
            invocation = session.invocation()
            self.assertTrue(invocation.parse_source(Source.open_file(session, source)))
            for keep in (True, False):
                path = pathlib.Path(folder, "out")
                with Output.open_file(path) as output:
                    invocation.output_ir(output)
                    if keep:
                        output.keep()
                self.assertEqual(path.exists(), keep)
                path.unlink(missing_ok=True)
            with self.assertRaises(ValueError):
                Source.open_file(session, "no/such/file")
            with self.assertRaises(ValueError):
                Output.open_file(folder + "/no/such/folder/x")

    def test_passes_and_phases(self):
        with Session() as session:
            invocation = session.invocation()
            invocation.parse_source(Source.wrap_buffer(session, TWICE))
            self.assertTrue(invocation.execute_text_pass_pipeline("input-convert-stablehlo"))
            output = Output.open_membuffer()
            invocation.output_ir(output)
            self.assertIn(b"linalg.generic", bytes(output.map_memory()))
            self.assertFalse(invocation.execute_text_pass_pipeline("no-such-pass"))
        self.assertEqual(PipelineType.IREE_COMPILER_PIPELINE_PRECOMPILE, 2)

    def test_kinds_of_buffers(self):
        for text in (TWICE, TWICE + b"\0", bytearray(TWICE), memoryview(TWICE), memoryview(bytearray(TWICE)), np.frombuffer(TWICE, np.uint8)):
            with Session() as session:
                self.assertTrue(session.invocation().parse_source(Source.wrap_buffer(session, text)), type(text))
        with Session() as session:
            with self.assertRaises(ValueError):
                Source.wrap_buffer(session, memoryview(TWICE)[::2])
            with self.assertRaises(TypeError):
                Source.wrap_buffer(session, "text")
            for bad in (b"", b"\0", b"nonsense", b"ML\xefR", b"ML\xefR" + bytes(40)):
                self.assertIn(session.invocation().parse_source(Source.wrap_buffer(session, bad)), (True, False))

    def test_diagnostics_go_to_stderr(self):
        code = ("from iree.compiler.api import *\ns = Session(); i = s.invocation(); i.enable_console_diagnostics()\n"
                "i.parse_source(Source.wrap_buffer(s, b'nonsense', buffer_name='mine.mlir'))")
        self.assertIn("mine.mlir:1:1: error", subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr)


class Lifetimes(unittest.TestCase):
    def test_closed_objects(self):
        session = Session()
        invocation, source, output = session.invocation(), Source.wrap_buffer(session, TWICE), Output.open_membuffer()
        session.close()
        session.close()
        output.close()
        for use in (session.get_flags, session.invocation, lambda: invocation.parse_source(source), invocation.execute, output.map_memory,
                    lambda: Source.wrap_buffer(session, TWICE), lambda: output.write(b"x")):
            with self.assertRaisesRegex(ValueError, "closed"):
                use()
        self.assertEqual(repr(source), "<Source closed>")

    def test_any_order(self):
        for first in range(4):
            session = Session()
            source, output = Source.wrap_buffer(session, bytearray(TWICE)), Output.open_membuffer()
            invocation = session.invocation()
            invocation.parse_source(source)
            invocation.output_ir(output)
            things = [session, source, output, invocation]
            memory = output.map_memory()
            del session, source, output, invocation
            things[first] = None
            gc.collect()
            things.clear()
            gc.collect()
            self.assertIn(b"stablehlo.add", bytes(memory))

    def test_a_program_in_the_compilers_memory(self):
        output = Output.open_membuffer()
        output.write(compiled())
        memory = bytearray(output.map_memory())
        with contextlib.suppress(ValueError):  # where the memory is not aligned
            module = rt.VmModule.wrap_buffer(rt.VmInstance(), output.map_memory())
            del output
            gc.collect()
            self.assertEqual(bytes(module.stashed_flatbuffer_blob), bytes(memory))

    def test_failed_creation(self):
        session = Session()
        session.close()
        with self.assertRaises(ValueError):
            Invocation(session)


class Threads(unittest.TestCase):
    def test_many_sessions(self):
        wanted, failures = compiled(), []

        def work():
            if compiled() != wanted:
                failures.append(1)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])

    def test_others_run_while_one_compiles(self):
        text = b"func.func @many(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {\n  %0 = stablehlo.add %x, %x : tensor<64x64xf32>\n"
        for i in range(200):
            text += b"  %%%d = stablehlo.dot_general %%%d, %%x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n" % (i + 1, i)
        text += b"  return %200 : tensor<64x64xf32>\n}\n"
        over, ticks = threading.Event(), 0
        start = time.perf_counter()
        thread = threading.Thread(target=lambda: (compiled(text), over.set()))
        thread.start()
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)
        self.assertGreater(ticks, 100 * (time.perf_counter() - start))
        thread.join()


class Absent(unittest.TestCase):
    def test_mlirs_bindings_say_so(self):
        import iree.compiler
        with self.assertRaisesRegex(ImportError, "no MLIR inside"):
            Session().context
        with self.assertRaisesRegex(ImportError, "no MLIR inside"):
            Session().invocation().export_module()
        for name in ("ir", "passmanager", "rewrite", "dialects.func", "extras.fx_importer", "_mlir_libs._mlir"):
            with self.assertRaisesRegex(ImportError, "no MLIR inside"):
                __import__("iree.compiler." + name)
        for name, words in (("tf", "TensorFlow"), ("tflite", "TensorFlow"), ("tools.tflite", "TensorFlow"), ("tools.import_onnx", "MLIR's Python")):
            with self.assertRaisesRegex(ImportError, words + ".* to StableHLO( |\\.$)"):
                __import__("iree.compiler." + name)
        with self.assertRaises(ImportError):
            from iree.compiler import ir  # noqa: F401
        with self.assertRaises(AttributeError):
            iree.compiler.no_such_name
        with self.assertRaises(ModuleNotFoundError):
            __import__("iree.compiler.no_such_name")

    def test_library_that_is_not_there(self):
        done = subprocess.run([sys.executable, "-c", "import iree.compiler.api"], capture_output=True, text=True,
                              env=dict(os.environ, IREE_COMPILER_LIBRARY="/no/such/library.so"))
        self.assertRegex(done.stderr, "ImportError: the compiler's library cannot be loaded.*no/such")


if __name__ == "__main__":
    unittest.main()
