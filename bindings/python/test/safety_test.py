# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""iree.runtime under stress: orders of destruction, threads, the global lock, odd arrays and wrong types."""
import gc
import itertools
import os
import threading
import time
import unittest

import ml_dtypes
import numpy as np

import iree.runtime as rt
from programs import A, B, add_file, compiled, state_file

SPIN = """
func.func @spin(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%i = %zero, %s = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %s : i64, i64
  } do {
  ^bb0(%i: i64, %s: i64):
    %next = arith.addi %i, %one : i64
    %mixed = arith.xori %s, %next : i64
    scf.yield %next, %mixed : i64, i64
  }
  return %r#1 : i64
}
"""
TYPES = """
func.func @bf16(%x: tensor<?xbf16>) -> tensor<?xbf16> { return %x : tensor<?xbf16> }
func.func @f8(%x: tensor<?xf8E4M3FN>) -> tensor<?xf8E4M3FN> { return %x : tensor<?xf8E4M3FN> }
func.func @f32(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }
func.func @scalar(%x: tensor<f64>) -> tensor<f64> { return %x : tensor<f64> }
func.func @deep(%x: tensor<1x2x1x3x1x2xi16>) -> tensor<1x2x1x3x1x2xi16> { return %x : tensor<1x2x1x3x1x2xi16> }
"""
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
THREADS, CALLS = 16, 100 if SANITIZED else 1000


def together(*works):
    """Runs functions at once, each in a thread of its own, and raises what one of them raised."""
    failures, start = [], threading.Barrier(len(works))

    def run(work):
        try:
            start.wait()
            work()
        except BaseException as e:  # told by the main thread
            failures.append(e)
    threads = [threading.Thread(target=run, args=(w,)) for w in works]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failures:
        raise failures[0]


class Destruction(unittest.TestCase):
    def test_every_order(self):
        for order in itertools.permutations(range(6)):
            config = rt.Config(device=rt.get_device("local-task", cache=False))
            module = rt.VmModule.mmap(config.vm_instance, add_file())
            context = rt.SystemContext(vm_modules=[module], config=config)
            result = context.modules.module.add(A, B)
            things = [config, module, context, context.modules.module.add, result, result._buffer_view.map()]
            del config, module, context, result
            for i in order:
                things[i] = None
            del things

    def test_results_outlive_all(self):
        def results():
            m = rt.load_vm_flatbuffer_file(add_file(), driver="local-task")
            return [m.add(A, B), m.add(A, B).to_host(), m.add(A, B)._buffer_view.map()]
        array, host, memory = results()
        gc.collect()
        np.testing.assert_array_equal(array, A + B)
        np.testing.assert_array_equal(host, A + B)
        self.assertEqual(bytes(memory), (A + B).tobytes())

    def test_cycles_are_collected(self):
        gone = []

        class Sink:
            def __del__(self):
                gone.append(1)

            def __call__(self, key, views):
                pass
        callback = Sink()
        callback.sink = rt.HalModuleDebugSink(callback)
        instance = rt.VmInstance()
        module = rt.create_hal_module(instance, rt.get_device("local-sync"), debug_sink=callback.sink)
        del callback, module, instance
        gc.collect()
        self.assertEqual(gone, [1])

    def test_a_buffer_that_waits_for_its_queue(self):
        device = rt.get_device("local-task", cache=False)
        gate, done = device.create_semaphore(0), device.create_semaphore(0)
        buffer = device.queue_alloca(64, [(gate, 1)], [(done, 1)])
        commands = rt.HalCommandBuffer(device)
        commands.fill(buffer, b"x", end=True)
        device.queue_execute(commands, [(done, 1)], [(done, 2)])
        del buffer, commands
        gc.collect()
        gate.signal(1)
        self.assertTrue(done.wait(2))
        pending = device.create_semaphore(0)
        device.queue_execute(None, [(pending, 1)], [])
        del device, pending, gate, done  # nobody will signal it any more
        gc.collect()


    def test_a_device_ends_while_its_workers_give_memory_back(self):
        for _ in range(20):
            device, data = rt.get_device("local-task", cache=False), np.zeros(1 << 18, np.uint8)
            gate = device.create_semaphore(0)
            source = device.allocator.import_host_allocation(data, rt.MemoryType.HOST_LOCAL, rt.BufferUsage.TRANSFER)
            target = device.allocator.allocate_buffer(rt.MemoryType.DEVICE_LOCAL, rt.BufferUsage.DEFAULT, 1 << 18)
            device.queue_copy(source, target, [(gate, 1)], [])
            del source, target
            gate.signal(1)
            del gate, device


class Threads(unittest.TestCase):
    def test_shared_and_own_contexts(self):
        for driver in ("local-sync", "local-task"):
            shared = rt.load_vm_flatbuffer_file(add_file(), driver=driver).add

            def work(k, driver=driver, shared=shared):
                function = shared if k % 2 else rt.load_vm_flatbuffer_file(add_file(), driver=driver).add
                x = np.full(4, k, np.float32)
                for _ in range(CALLS):
                    if not np.array_equal(function(x, B).to_host(), x + B):
                        raise AssertionError(k)
            together(*(lambda k=k: work(k) for k in range(THREADS)))

    def test_one_instance_many_contexts(self):
        module = rt.VmModule.from_flatbuffer_file(state_file())
        config = rt.Config("local-sync")

        def work():
            m = rt.load_vm_module(module, config)
            assert [m.bump() for _ in range(50)] == list(range(1, 51))
        together(*[work] * THREADS)

    def test_python_modules_from_many_threads(self):
        class State:
            def __init__(self, interface):
                pass

            def square(self, x):
                return x * x
        interface = rt.PyModuleInterface("math", State)
        interface.export("square", "0I_I", State.square)
        module = interface.create()
        context = rt.VmContext(rt.VmInstance(), [module])
        function = module.lookup_function("square")

        def work(k):
            for _ in range(CALLS // 10):
                inputs, outputs = rt.VmVariantList(1), rt.VmVariantList(1)
                inputs.push_int(k)
                context.invoke(function, inputs, outputs)
                assert outputs.get_variant(0) == k * k
        together(*(lambda k=k: work(k) for k in range(THREADS)))

    def test_others_run_during_a_call(self):
        m = rt.load_vm_flatbuffer_file(compiled("spin", SPIN), driver="local-sync")
        n, start = 100000, time.perf_counter()
        m.spin(n)
        n = int(n * 0.3 / max(time.perf_counter() - start, 1e-6))  # 0.3 seconds
        ticks, over = 0, threading.Event()
        thread = threading.Thread(target=lambda: (m.spin(n), over.set()))
        thread.start()
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)
        thread.join()
        self.assertGreater(ticks, 20)

    def test_others_run_during_waits(self):
        device = rt.get_device("local-task")
        semaphore = device.create_semaphore(0)
        timer = threading.Timer(0.05, lambda: semaphore.signal(1))
        timer.start()
        self.assertTrue(semaphore.wait(1, timeout=20_000_000_000))
        timer.join()


class OddArrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = rt.load_vm_flatbuffer_file(compiled("types", TYPES), driver="local-task")

    def check(self, function, array):
        result = getattr(self.m, function)(array)
        host = result.to_host()
        self.assertEqual((host.dtype.newbyteorder("="), host.shape), (np.asarray(array).dtype.newbyteorder("="), np.shape(array)))
        np.testing.assert_array_equal(host.astype(np.float64), np.asarray(array).astype(np.float64))

    def test_layouts(self):
        wide = np.arange(24, dtype=np.float32)
        for array in (wide, wide[::2], wide[::-1], wide[5:9], wide[:0], np.broadcast_to(np.float32(3), 7), wide.astype(">f4"),
                      wide.astype(">f4")[::3], np.frombuffer(bytes(41), np.uint8)[1:].view(np.float32), np.float32([5])):
            self.check("f32", array)
        for array in (np.zeros((1, 2, 1, 3, 1, 2), np.int16), np.arange(12, dtype=np.int16).reshape(2, 1, 3, 1, 2, 1).transpose(5, 0, 1, 2, 3, 4),
                      np.asfortranarray(np.arange(12, dtype=np.int16).reshape(1, 2, 1, 3, 1, 2))):
            self.check("deep", array)

    def test_rank_zero(self):
        for value in (np.float64(2.5), np.array(2.5), np.array(2.5).astype(">f8"), 2.5, 2, True):
            self.assertEqual(float(self.m.scalar(value)), float(value))

    def test_narrow_floats(self):
        for n in (0, 1, 5):
            self.check("bf16", np.arange(n).astype(ml_dtypes.bfloat16))
            self.check("f8", np.arange(n).astype(ml_dtypes.float8_e4m3fn))
        self.check("bf16", np.arange(8).astype(ml_dtypes.bfloat16)[::-2])

    def test_subclasses_and_masks(self):
        self.check("f32", np.ma.masked_array([1, 2, 3], dtype=np.float32))
        self.check("f32", np.arange(4, dtype=np.float32).view(np.recarray))
        np.testing.assert_array_equal(self.m.f32(memoryview(np.arange(3, dtype=np.float32))), [0, 1, 2])

    def test_large_arrays_come_in_while_others_run(self):
        big = np.random.default_rng(0).random(1 << 20, np.float32)
        together(*(lambda: self.check("f32", big),) * 4)

    def test_wrong_types(self):
        bad = [object(), None, "text", b"1234", {1: 2}, {1, 2}, [1, "x"], np.array(["a"]), np.array([None]), np.datetime64("2020-01-01"),
               np.zeros(2, [("a", "f4")]), np.zeros(3, np.longdouble), np.zeros((2, 2), np.float32), np.zeros(3, np.int32), 2j, lambda: 0, rt]
        for value in bad:
            with self.assertRaises((TypeError, ValueError, RuntimeError), msg=repr(value)):
                self.m.f32(value)
        for args in ((), (A, A)):
            with self.assertRaises(ValueError):
                self.m.f32(*args)

    def test_arrays_that_lie(self):
        class Liar:
            def __array__(self, dtype=None, copy=None):
                raise ZeroDivisionError("no")

        class Capsule:
            def __dlpack__(self, **kwargs):
                return 5

            def __dlpack_device__(self):
                return (1, 0)

        class Length(list):
            def __len__(self):
                return 1000

        for value in (Liar(), Capsule(), Length([1])):
            with self.assertRaises(Exception):
                self.m.f32(value)

    def test_deep_lists(self):
        items = []
        for _ in range(100000):
            items = [items]
        with self.assertRaises((RecursionError, RuntimeError, ValueError)):
            self.m.f32(items)
        while items:  # Python's own end of it would recurse
            items = items.pop()

    def test_handles_of_other_types(self):
        device = rt.get_device("local-sync")
        context = rt.VmContext(rt.VmInstance())
        calls = [lambda x: rt.FunctionInvoker(context, x, self.m.f32.vm_function), lambda x: rt.VmContext(x), lambda x: context.register_modules(x),
                 lambda x: context.register_modules([x]), lambda x: rt.VmVariantList(x), lambda x: rt.VmBuffer(x), lambda x: rt.HalFence(x),
                 lambda x: rt.HalFence.create_at(x, 1), lambda x: rt.HalFence.join(x), lambda x: rt.HalFence.join([x]), lambda x: rt.HalBufferView(x, [1], 1),
                 lambda x: device.queue_copy(x, x, [], []), lambda x: device.queue_execute(x, [], []), lambda x: rt.HalCommandBuffer(x),
                 lambda x: device.create_dlpack_capsule(x, 1, 0), lambda x: rt.VmModule.copy_buffer(rt.VmInstance(), x),
                 lambda x: rt.VmModule.mmap(x, "y"), lambda x: rt.create_hal_module(x, device), lambda x: rt.VmVariantList(1).push_ref(x),
                 lambda x: device.allocator.allocate_buffer(x, x, x), lambda x: device.allocator.import_host_allocation(x, 1, 1)]
        for call in calls:
            for value in (object(), "text", -1, 1.5, [None]):
                with self.assertRaises(Exception):
                    call(value)

    def test_uninitialised_objects(self):
        array = rt.DeviceArray.__new__(rt.DeviceArray)
        for use in (repr, len, lambda a: a.to_host(), lambda a: self.m.f32(a)):
            with self.assertRaises(Exception):
                use(array)
        for kind in (rt.HalDevice, rt.HalBuffer, rt.VmModule, rt.VmRef, rt.VmFunction, rt.HalSemaphore, rt.MappedMemory):
            with self.assertRaises(TypeError):
                kind()


if __name__ == "__main__":
    unittest.main()
