# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters: indices, archives, and programs that load from them."""
import array
import gc
import os
import pathlib
import tempfile
import threading
import unittest

import numpy as np

import iree.compiler
import iree.runtime as rt

SOURCE = """
util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4xf32>
util.global private mutable @state = #flow.parameter.named<"b"> : tensor<4xf32>
func.func @step(%a: tensor<4xf32>) -> tensor<4xf32> {
  %w = util.global.load @w : tensor<4xf32>
  %s = util.global.load @state : tensor<4xf32>
  %0 = stablehlo.multiply %a, %w : tensor<4xf32>
  %1 = stablehlo.add %0, %s : tensor<4xf32>
  util.global.store %1, @state : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
WRITER = """
func.func @add(%a: tensor<4xf32>) -> tensor<4xf32> {
  %scope = util.buffer.constant : !util.buffer = "s"
  %key = util.buffer.constant : !util.buffer = "w"
  %at = arith.constant 0 : i64
  %w = flow.parameter.load %scope::%key[%at] : tensor<4xf32>
  %0 = arith.addf %a, %w : tensor<4xf32>
  %1 = flow.parameter.write %0 -> %scope::%key[%at] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @set(%a: tensor<4xf32>) {
  %scope = util.buffer.constant : !util.buffer = "s"
  %key = util.buffer.constant : !util.buffer = "w"
  %at = arith.constant 0 : i64
  %0 = flow.parameter.write %a -> %scope::%key[%at] : tensor<4xf32>
  return
}
"""
W = np.array([1, 2, 3, 4], np.float32)


def index_of(**entries):
    index = rt.ParameterIndex()
    for key, value in entries.items():
        index.add_buffer(key, value)
    return index


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vmfb = iree.compiler.compile_str(SOURCE, target_backends=["llvm-cpu"])

    def context(self, *providers, driver="local-sync"):
        config = rt.Config(driver)
        instance = config.vm_instance
        parameters = rt.create_io_parameters_module(instance, *providers)
        program = rt.VmModule.copy_buffer(instance, self.vmfb)
        return rt.SystemContext(vm_modules=[parameters, rt.create_hal_module(instance, config.device), program], config=config)

    def test_parameters_reach_the_program(self):
        for driver in ("local-sync", "local-task"):
            weights, bias = rt.ParameterIndex(), rt.ParameterIndex()
            weights.add_buffer("w", W)
            bias.add_splat("b", np.float32(0.5), 16)
            context = self.context(weights.create_provider("model"), bias.create_provider(), driver=driver)
            del weights, bias
            gc.collect()
            step = context.modules.module.step
            np.testing.assert_array_equal(step(np.ones(4, np.float32)).to_host(), W + 0.5)
            np.testing.assert_array_equal(step(np.ones(4, np.float32)).to_host(), 2 * W + 0.5)

    def test_missing_ones_are_named(self):
        for indices, words in (({"model": index_of(w=W)}, ["--parameters=FILE"]), ({"model": index_of(x=W), "": index_of(b=W)}, ["'model::w'"]),
                               ({"": index_of(b=W)}, ["scope 'model'"])):
            with self.assertRaises(LookupError) as raised:
                self.context(*(index.create_provider(scope) for scope, index in indices.items()))
            for word in words:
                self.assertIn(word, str(raised.exception))

    def test_results_outlive_everything_else(self):
        index = index_of(w=W.copy(), b=W.copy())
        context = self.context(index.create_provider("model"), index.create_provider())
        result = context.modules.module.step(np.ones(4, np.float32))
        del context, index
        gc.collect()
        np.testing.assert_array_equal(result.to_host(), 2 * W)

    def test_many_threads_load_one_provider(self):
        index = index_of(w=W.copy(), b=W.copy())
        providers = index.create_provider("model"), index.create_provider()
        failed = []

        def load():
            try:
                for _ in range(10):
                    context = self.context(*providers)
                    np.testing.assert_array_equal(context.modules.module.step(np.ones(4, np.float32)).to_host(), 2 * W)
            except BaseException as e:
                failed.append(e)
        threads = [threading.Thread(target=load) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])

    def test_programs_write_parameters(self):
        vmfb = iree.compiler.compile_str(WRITER, target_backends=["llvm-cpu"])
        for driver in ("local-sync", "local-task"):
            memory = bytearray(8) + bytearray(W.tobytes())
            for writable in (True, False):
                index = rt.ParameterIndex()
                index.add_from_file_handle("w", rt.FileHandle.wrap_memory(memory, writable=writable), 16, offset=8)
                config = rt.Config(driver)
                context = rt.SystemContext(vm_modules=[
                    rt.create_io_parameters_module(config.vm_instance, index.create_provider("s")),
                    rt.create_hal_module(config.vm_instance, config.device), rt.VmModule.copy_buffer(config.vm_instance, vmfb)], config=config)
                module = context.modules.module
                ones = np.ones(4, np.float32)
                if writable:
                    np.testing.assert_array_equal(module.add(ones).to_host(), W + 1)
                    np.testing.assert_array_equal(np.frombuffer(memory, np.float32), [0, 0, *(W + 1)])
                    np.testing.assert_array_equal(module.add(ones).to_host(), W + 2)
                    module.set(3 * ones)
                else:
                    with self.assertRaises(Exception):
                        module.set(ones)
                np.testing.assert_array_equal(np.frombuffer(memory, np.float32), [0, 0, 3, 3, 3, 3])


class IndexTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "a.irpa"

    def test_archives_round_trip(self):
        rt.save_archive_file({"w": W, "s": rt.SplatValue(np.int16(7), [3, 5]), "bytes": b"abc", "none": b""}, self.path)
        for options in ({}, {"mmap": False}, {"format": "irpa"}):
            index = rt.ParameterIndex()
            index.load(self.path, **options)
            entries = dict(index.items())
            self.assertEqual(list(entries), ["w", "s", "bytes", "none"])
            np.testing.assert_array_equal(np.frombuffer(entries["w"].file_view, np.float32), W)
            self.assertEqual((entries["s"].splat_pattern, entries["s"].length), (b"\7\0", 30))
            self.assertEqual(bytes(entries["bytes"].file_view), b"abc")
            self.assertEqual(bytes(entries["none"].file_view), b"")
            self.assertTrue(entries["w"].is_file and not entries["w"].is_splat and index[1].is_splat)
            self.assertIn("4 entries, 49 total bytes", repr(index))

    def test_views_keep_what_they_show(self):
        index = index_of(w=W.copy())
        view = index[0].file_view
        del index
        gc.collect()
        np.testing.assert_array_equal(np.frombuffer(view, np.float32), W)

    def test_arrays_keep_type_and_shape(self):
        index = rt.ParameterIndex()
        for key, value in (("a", np.arange(6, dtype=np.int64).reshape(2, 3)), ("b", np.float16(2)), ("c", np.zeros((0, 3), bool)),
                           ("d", np.arange(6)[::2]), ("e", np.array([1 + 2j], np.complex64))):
            rt.parameter_index_add_numpy_ndarray(index, key, np.asarray(value))
            np.testing.assert_array_equal(rt.parameter_index_entry_as_numpy_ndarray(dict(index.items())[key]), value, strict=True)
        index.add_buffer("plain", W)
        with self.assertRaisesRegex(ValueError, "'plain'"):
            rt.parameter_index_entry_as_numpy_ndarray(dict(index.items())["plain"])

    def test_metadata(self):
        index = rt.ParameterIndex()
        index.add_splat("s", b"x", 3, metadata="text")
        index.add_buffer("b", b"x", metadata="\u00df")
        self.assertEqual([entry.metadata for _, entry in index.items()], [b"text", "\u00df".encode()])
        target = index.create_archive_file(str(self.path))
        self.assertEqual([entry.metadata for _, entry in target.items()], [b"text", "\u00df".encode()])

    def test_wrong_uses(self):
        index = rt.ParameterIndex()
        with self.assertRaises(ValueError):
            index.add_splat("s", b"", 3)
        with self.assertRaises(ValueError):
            index.add_splat("s", bytes(17), 3)
        with self.assertRaises(LookupError):
            index.load(self.path)
        self.path.write_bytes(b"IRPA")
        with self.assertRaisesRegex(ValueError, "truncated"):
            index.load(self.path)
        with self.assertRaises(NotImplementedError):
            index.load(self.path, format="zip")
        with self.assertRaises(IndexError):
            index[0]
        with self.assertRaises(TypeError):
            index.add_from_file_handle("k", b"no handle", 1)
        with self.assertRaises(ValueError):  # the end wraps
            index.add_from_file_handle("k", rt.FileHandle.wrap_memory(b"abc"), 2, offset=2 ** 64 - 1)
        with self.assertRaises(TypeError):
            rt.create_io_parameters_module(rt.VmInstance(), index)
        with self.assertRaises(BufferError):
            rt.FileHandle.wrap_memory(b"read only", writable=True)

    def test_file_handles(self):
        handle = rt.FileHandle.wrap_memory(bytearray(b"abc"), writable=True)
        handle.host_allocation[0] = ord("x")
        self.assertEqual(bytes(handle.host_allocation), b"xbc")
        self.assertTrue(handle.is_host_allocation and not handle.is_fd)
        self.path.write_bytes(b"abc")
        with open(self.path, "rb") as file:
            handle = rt.FileHandle.wrap_fd(file.fileno())
        self.assertTrue(handle.is_fd and handle.fd >= 0)  # a duplicate, which is open still
        os.fstat(handle.fd)
        with self.assertRaises(ValueError):
            handle.host_allocation
        with self.assertRaises(ValueError):
            rt.FileHandle.wrap_memory(b"abc").fd
        with self.assertRaises(TypeError):
            rt.FileHandle()

    def test_splat_values(self):
        self.assertEqual(rt.SplatValue(array.array("f", [1]), [2, 3]).total_length, 24)
        self.assertEqual(rt.SplatValue(np.float64(1), 5).total_length, 40)
        with self.assertRaises(ValueError):
            rt.SplatValue(W, 3)


if __name__ == "__main__":
    unittest.main()
