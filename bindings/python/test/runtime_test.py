# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""iree.runtime: programs, arrays, errors, lifetimes, threads."""
import gc
import pathlib
import sys
import threading
import unittest

import numpy as np

import iree.runtime as rt
from programs import A, B, SAMPLES, add_file, compiled

PROGRAMS = """
func.func @scale(%x: tensor<?x2xf32>, %s: tensor<f32>) -> tensor<?x2xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %w = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x2xf32>
  %y = stablehlo.multiply %x, %w : tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
func.func @pair(%x: tensor<3xi32>, %y: tensor<2x2xf64>) -> (tensor<3xi32>, tensor<2x2xf64>) {
  %a = stablehlo.add %x, %x : tensor<3xi32>
  %b = stablehlo.negate %y : tensor<2x2xf64>
  return %a, %b : tensor<3xi32>, tensor<2x2xf64>
}
func.func @nothing(%x: tensor<2xf32>) {
  return
}
func.func @types(%a: tensor<2xi1>, %b: tensor<2xui8>, %c: tensor<2xbf16>, %d: tensor<2xcomplex<f32>>, %e: tensor<2xf16>)
    -> (tensor<2xi1>, tensor<2xui8>, tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<2xf16>) {
  %a2 = stablehlo.not %a : tensor<2xi1>
  %b2 = stablehlo.add %b, %b : tensor<2xui8>
  %c2 = stablehlo.add %c, %c : tensor<2xbf16>
  %d2 = stablehlo.multiply %d, %d : tensor<2xcomplex<f32>>
  %e2 = stablehlo.add %e, %e : tensor<2xf16>
  return %a2, %b2, %c2, %d2, %e2 : tensor<2xi1>, tensor<2xui8>, tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<2xf16>
}
"""


def programs_file():
    return compiled("programs", PROGRAMS)


class Programs(unittest.TestCase):
    def test_context_and_added_module(self):
        for driver in ("local-task", "local-sync"):
            config = rt.Config(driver_name=driver)
            ctx = rt.SystemContext(config=config)
            vm_module = rt.VmModule.from_flatbuffer_file(add_file())
            ctx.add_module(vm_module)
            self.assertEqual(str(ctx.modules.module.add(A, B)), "[11. 22. 33. 44.]")

    def test_upstreams_spelling(self):
        config = rt.Config("local-sync")
        ctx = rt.SystemContext(config=config)
        ctx.add_vm_module(rt.VmModule.mmap(config.vm_instance, add_file()))
        np.testing.assert_array_equal(ctx.modules.module["add"](A, B), A + B)

    def test_loaders(self):
        data = pathlib.Path(add_file()).read_bytes()
        np.testing.assert_array_equal(rt.load_vm_flatbuffer_file(add_file(), driver="local-sync").add(A, B), A + B)
        np.testing.assert_array_equal(rt.load_vm_flatbuffer(data, backend="llvm-cpu").add(A, B), A + B)
        config = rt.Config("local-sync")
        copied = rt.VmModule.copy_buffer(config.vm_instance, data)
        np.testing.assert_array_equal(rt.load_vm_module(copied, config).add(A, B), A + B)

    def test_results_none_one_several(self):
        m = rt.load_vm_flatbuffer_file(programs_file(), driver="local-task")
        self.assertIsNone(m.nothing(A[:2]))
        x, y = m.pair(np.array([1, 2, 3], np.int32), np.eye(2))
        np.testing.assert_array_equal(x, [2, 4, 6])
        np.testing.assert_array_equal(y, -np.eye(2))

    def test_dynamic_shapes_and_numbers_as_scalars(self):
        m = rt.load_vm_flatbuffer_file(programs_file(), driver="local-task")
        for n in (0, 1, 5):
            x = np.arange(2 * n, dtype=np.float32).reshape(n, 2)
            np.testing.assert_array_equal(m.scale(x, 3), x * 3)
            np.testing.assert_array_equal(m.scale(x, np.float32(0.5)), x * 0.5)

    def test_element_types(self):
        import ml_dtypes
        m = rt.load_vm_flatbuffer_file(programs_file(), driver="local-sync")
        a, b, c, d, e = m.types(np.array([True, False]), np.array([200, 1], np.uint8), np.array([1, 2], ml_dtypes.bfloat16),
                                np.array([1j, 2], np.complex64), np.array([1, 2], np.float16))
        self.assertEqual([r.dtype.name for r in (a, b, c, d, e)], ["bool", "uint8", "bfloat16", "complex64", "float16"])
        for got, want in ((a, [False, True]), (b, [144, 2]), (c, [2, 4]), (d, [-1, 4]), (e, [2, 4])):
            np.testing.assert_array_equal(np.asarray(got).astype(np.complex64), want)

    def test_strided_and_foreign_arrays(self):
        m = rt.load_vm_flatbuffer_file(add_file(), driver="local-sync")
        wide = np.arange(8, dtype=np.float32)
        np.testing.assert_array_equal(m.add(wide[::2], wide[::-2]), wide[::2] + wide[::-2])
        np.testing.assert_array_equal(m.add(wide[:4].astype(">f4"), B), wide[:4] + B)
        np.testing.assert_array_equal(m.add(memoryview(A), B), A + B)

    def test_async_calling_convention(self):
        path = compiled("async", (SAMPLES / "add.mlir").read_text(), "--iree-execution-model=async-external")
        for driver in ("local-sync", "local-task"):
            np.testing.assert_array_equal(rt.load_vm_flatbuffer_file(path, driver=driver).add(A, B), A + B)


class Errors(unittest.TestCase):
    def setUp(self):
        self.m = rt.load_vm_flatbuffer_file(add_file(), driver="local-sync")

    def test_wrong_calls(self):
        with self.assertRaisesRegex(ValueError, "'add' takes 2 arguments, 1 given"):
            self.m.add(A)
        with self.assertRaisesRegex(ValueError, "shape"):
            self.m.add(A[:3], B)
        with self.assertRaises(ValueError):
            self.m.add(A.astype(np.float64), B)
        with self.assertRaisesRegex(TypeError, "by position"):
            self.m.add(A, rhs=B)
        with self.assertRaises((TypeError, ValueError)):
            self.m.add("text", B)
        with self.assertRaisesRegex(AttributeError, "no function 'sub'; it has add"):
            self.m.sub(A, B)

    def test_bad_files(self):
        config = rt.Config("local-sync")
        data = pathlib.Path(add_file()).read_bytes()
        for bad in (b"", b"x", data[:100], data[:-1000], bytes(4096)):
            with self.assertRaises(ValueError):
                rt.VmModule.copy_buffer(config.vm_instance, bad)
        with self.assertRaises(FileNotFoundError):
            rt.VmModule.mmap(config.vm_instance, "no/such/file.vmfb")
        with self.assertRaises(ValueError):
            rt.VmModule.wrap_buffer(config.vm_instance, bytearray(data)[1:])

    def test_names(self):
        with self.assertRaises(LookupError):
            rt.get_device("no-such-driver")
        with self.assertRaisesRegex(ValueError, "No device found"):
            rt.Config("no-such-driver,neither-this")
        self.assertIs(rt.Config("no-such-driver,local-sync").device, rt.get_device("local-sync"))
        with self.assertRaises(ValueError):
            rt.Config("local-sync", device=rt.get_device("local-sync"))
        context = rt.SystemContext(config=rt.Config("local-sync"))
        context.add_module(rt.VmModule.from_flatbuffer_file(add_file()))
        with self.assertRaisesRegex(ValueError, "there already"):
            context.add_module(rt.VmModule.from_flatbuffer_file(add_file()))
        with self.assertRaisesRegex(AttributeError, "no module 'other'"):
            context.modules.other

    def test_handles_are_not_made_or_confused(self):
        with self.assertRaises(TypeError):
            rt.HalDevice()
        with self.assertRaisesRegex(TypeError, "expected VmInstance"):
            rt.VmContext(rt.get_device("local-sync"))
        with self.assertRaises(TypeError):
            rt.VmModule.copy_buffer(None, b"")


class Arrays(unittest.TestCase):
    def setUp(self):
        self.device = rt.get_device("local-task")

    def test_values(self):
        x = rt.asdevicearray(self.device, np.arange(6, dtype=np.int32).reshape(2, 3), implicit_host_transfer=True)
        self.assertEqual((x.shape, x.dtype.name, x.ndim, x.size, len(x)), ([2, 3], "int32", 2, 6, 2))
        np.testing.assert_array_equal(x + x, [[0, 2, 4], [6, 8, 10]])
        np.testing.assert_array_equal(np.sum(x, axis=0), [3, 5, 7])
        np.testing.assert_array_equal(x[1, ::2], [3, 5])
        np.testing.assert_array_equal(x.reshape(3, -1), [[0, 1], [2, 3], [4, 5]])
        np.testing.assert_array_equal(np.concatenate([x, x]).shape, (4, 3))
        self.assertEqual(x.astype(np.float64).dtype, np.float64)
        self.assertEqual(repr(x), "DeviceArray([[0, 1, 2],\n       [3, 4, 5]], dtype=int32)")
        self.assertEqual(int(rt.asdevicearray(self.device, np.array(7), implicit_host_transfer=True)), 7)

    def test_explicit_transfer(self):
        x = rt.asdevicearray(self.device, A)
        with self.assertRaises(ValueError):
            x + 1
        np.testing.assert_array_equal(x.to_host(), A)
        np.testing.assert_array_equal(x + 1, A + 1)

    def test_memory_is_shared_not_copied(self):
        x = rt.asdevicearray(self.device, A)
        host = x.to_host()
        self.assertIs(host, x.to_host())
        host[0] = 42
        self.assertEqual(np.frombuffer(x._buffer_view.map(), np.float32)[0], 42)

    def test_dlpack(self):
        x = rt.asdevicearray(self.device, A, implicit_host_transfer=True)
        back = np.from_dlpack(x)
        np.testing.assert_array_equal(back, A)
        self.assertEqual(x.__dlpack_device__(), (1, 0))

        class Foreign:
            def __dlpack__(self, **kwargs):
                return B.__dlpack__(**kwargs)

            def __dlpack_device__(self):
                return B.__dlpack_device__()
        np.testing.assert_array_equal(rt.asdevicearray(self.device, Foreign()).to_host(), B)

    def test_zero_size_and_scalars(self):
        for shape in ((0,), (3, 0), ()):
            x = rt.asdevicearray(self.device, np.ones(shape, np.float32))
            self.assertEqual(x.to_host().shape, shape)

    def test_imported_memory(self):
        raw = np.zeros(128, np.uint8)
        data = raw[-raw.ctypes.data % 64:][:16].view(np.float32)  # kernels may assume this alignment
        data[:] = [0, 1, 2, 3]
        buffer = self.device.allocator.import_host_allocation(data, rt.MemoryType.HOST_LOCAL | rt.MemoryType.DEVICE_VISIBLE,
                                                              rt.BufferUsage.TRANSFER | rt.BufferUsage.MAPPING)
        data[1] = 7
        self.assertEqual(list(np.frombuffer(buffer.map(), np.float32)), [0, 7, 2, 3])
        before = sys.getrefcount(data)
        del buffer
        gc.collect()
        self.assertLess(sys.getrefcount(data), before)
        with self.assertRaisesRegex(ValueError, "aligned"):
            self.device.allocator.import_host_allocation(data[1:], rt.MemoryType.HOST_LOCAL, rt.BufferUsage.DISPATCH_STORAGE)
        self.assertIn("peak", " ".join(self.device.allocator.statistics))
        self.assertIsInstance(self.device.allocator.formatted_statistics, str)

    def test_dtypes_that_memory_cannot_have(self):
        memory = rt.asdevicearray(self.device, A)._buffer_view.map()
        for dtype in (object, [("x", object)], [], "V0"):
            with self.assertRaises(ValueError):
                memory.asarray([1], dtype)
        with self.assertRaises((TypeError, ValueError)):
            memory.asarray([5], np.float32)  # more than there is

    def test_descriptions(self):
        x = rt.asdevicearray(self.device, A)
        self.assertEqual(repr(x), "<IREE DeviceArray: shape=[4], dtype=float32>")
        self.assertRegex(repr(x._buffer_view), r"<HalBufferView \(4\), element_type=0x20000021, 16 bytes \(at offset 0 into \d+\), memory_type=.*DEVICE_LOCAL")
        self.assertIn("add(0rr_r)", repr(rt.load_vm_flatbuffer_file(add_file(), driver="local-sync").add))

    def test_views_stay_inside_their_buffer(self):
        buffer = self.device.allocator.allocate_buffer(rt.MemoryType.DEVICE_LOCAL, rt.BufferUsage.DEFAULT, 16)
        self.assertEqual(buffer.byte_length(), 16)
        view = rt.HalBufferView(buffer, [2, 2], rt.HalElementType.FLOAT_32)
        self.assertEqual((view.shape, view.element_type, view.byte_length), ([2, 2], rt.HalElementType.FLOAT_32, 16))
        with self.assertRaises(ValueError):
            rt.HalBufferView(buffer, [5], rt.HalElementType.FLOAT_32)
        with self.assertRaises(ValueError):
            rt.HalBufferView(buffer, [-1], rt.HalElementType.FLOAT_32)
        with self.assertRaises((ValueError, IndexError)):
            rt.HalBufferView(buffer, [2**62, 2**62], rt.HalElementType.FLOAT_32)


class Machine(unittest.TestCase):
    def test_lists_and_refs(self):
        items = rt.VmVariantList(4)
        items.push_int(-5)
        items.push_float(2.5)
        inner = rt.VmVariantList(1)
        items.push_list(inner)
        buffer = rt.VmBuffer(4)
        memoryview(buffer)[:] = b"abcd"
        items.push_ref(buffer)
        self.assertEqual((len(items), items.get_variant(0), items.get_variant(1)), (4, -5, 2.5))
        self.assertIsInstance(items.get_as_list(2), rt.VmVariantList)
        self.assertEqual(bytes(items.get_as_ref(3).deref(rt.VmBuffer)), b"abcd")
        self.assertTrue(items.get_as_ref(3).isinstance(rt.VmBuffer))
        self.assertEqual(items.get_as_ref(3), items.get_as_ref(3))
        self.assertNotEqual(items.get_as_ref(3), items.get_as_ref(2))
        with self.assertRaises(TypeError):
            items.get_as_ref(3).deref(rt.HalFence)
        with self.assertRaises(IndexError):
            items.get_variant(4)
        with self.assertRaises(TypeError):
            items.push_ref(object())

    def test_invoke_with_lists(self):
        config = rt.Config("local-sync")
        module = rt.VmModule.mmap(config.vm_instance, add_file())
        context = rt.VmContext(config.vm_instance, [*config.default_vm_modules, module])
        function = module.lookup_function("add")
        self.assertEqual((function.name, function.module_name), ("add", "module"))
        self.assertIn("tensor<4xf32>", function.reflection["iree.abi.declaration"])
        self.assertIsNone(module.lookup_function("none"))
        inputs, outputs = rt.VmVariantList(2), rt.VmVariantList(1)
        for x in (A, B):
            inputs.push_ref(rt.asdevicearray(config.device, x)._buffer_view)
        context.invoke(function, inputs, outputs)
        np.testing.assert_array_equal(np.frombuffer(outputs.get_as_object(0, rt.HalBufferView).map(), np.float32), A + B)

    def test_fences_and_semaphores(self):
        device = rt.get_device("local-task")
        semaphore = device.create_semaphore(0)
        fence = rt.HalFence.create_at(semaphore, 2)
        joined = rt.HalFence.join([fence, rt.HalFence.create_at(device.create_semaphore(5), 5)])
        self.assertFalse(fence.wait(timeout=1000))
        waiter = threading.Thread(target=joined.wait)
        waiter.start()
        semaphore.signal(1)
        semaphore.signal(2)
        waiter.join(10)
        self.assertFalse(waiter.is_alive())
        self.assertEqual(semaphore.query(), 2)
        failing = device.create_semaphore(0)
        failing.fail("no more")
        with self.assertRaisesRegex(RuntimeError, "no more"):
            failing.wait(1)

    def test_queue(self):
        device = rt.get_device("local-task")
        ready, copied = device.create_semaphore(0), device.create_semaphore(0)
        target = device.queue_alloca(16, [], [(ready, 1)])
        source = rt.asdevicearray(device, A)._buffer_view.get_buffer()
        device.queue_copy(source, target, [(ready, 1)], rt.HalFence.create_at(copied, 1))
        copied.wait(1)
        self.assertEqual(bytes(device.read(target)), A.tobytes())
        device.queue_dealloca(target, [], [])


class Lifetimes(unittest.TestCase):
    def test_any_order(self):
        config = rt.Config(device=rt.get_device("local-task", cache=False))
        context = rt.SystemContext(config=config)
        context.add_module(rt.VmModule.from_flatbuffer_file(add_file()))
        result = context.modules.module.add(A, B)
        host = result.to_host()
        function = context.modules.module.add
        del config, context, result
        gc.collect()
        np.testing.assert_array_equal(host, A + B)
        np.testing.assert_array_equal(function(A, B), A + B)

    def test_callback_when_the_file_is_free(self):
        gone = []
        config = rt.Config("local-sync")
        module = rt.VmModule.mmap(config.vm_instance, add_file(), lambda: gone.append(1))
        m = rt.load_vm_module(module, config)
        m.add(A, B)
        self.assertEqual(gone, [])
        del module, m
        gc.collect()
        self.assertEqual(gone, [1])

    def test_no_leak_of_references(self):
        m = rt.load_vm_flatbuffer_file(add_file(), driver="local-sync")
        m.add(A, B)
        before = sys.getrefcount(A)
        for _ in range(200):
            m.add(A, B)
        self.assertEqual(sys.getrefcount(A), before)

    def test_many_threads(self):
        failures = []

        def work(function, k):
            x = np.full(4, k, np.float32)
            for _ in range(200):
                if not np.array_equal(function(x, B), x + B):
                    failures.append(k)
        for driver in ("local-task", "local-sync"):
            shared = rt.load_vm_flatbuffer_file(add_file(), driver=driver)
            threads = [threading.Thread(target=work, args=(
                shared.add if k % 2 else rt.load_vm_flatbuffer_file(add_file(), driver=driver).add, k)) for k in range(8)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
