# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""iree.runtime: devices, queues, command buffers, timelines, DLPack, flags."""
import asyncio
import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import iree.runtime as rt
from iree.runtime import _binding
from programs import A, B, add_file

DEVICE = rt.MemoryType.DEVICE_LOCAL
USAGE = rt.BufferUsage.DEFAULT


def bytes_of(device, buffer):
    return bytes(device.read(buffer))


class Queues(unittest.TestCase):
    def setUp(self):
        self.device = rt.get_device("local-task")
        self.semaphore = self.device.create_semaphore(0)

    def buffer(self, size=16):
        return self.device.allocator.allocate_buffer(DEVICE, USAGE, size)

    def execute(self, commands):
        value = self.semaphore.query() + 1
        self.device.queue_execute(commands, [], [(self.semaphore, value)])
        self.assertTrue(self.semaphore.wait(value))

    def test_fill_and_copy(self):
        commands, one, other = rt.HalCommandBuffer(self.device), self.buffer(), self.buffer()
        commands.fill(one, np.int32(7))
        self.execute_recorded(commands, lambda c: None)
        self.assertEqual(bytes_of(self.device, one), np.full(4, 7, np.int32).tobytes())
        commands = rt.HalCommandBuffer(self.device, begin=False)
        commands.begin()
        commands.copy(one, other, source_offset=4, target_offset=8, length=8, end=True)
        self.execute(commands)
        self.assertEqual(bytes_of(self.device, other)[8:], np.full(2, 7, np.int32).tobytes())

    def execute_recorded(self, commands, record):
        record(commands)
        commands.end()
        self.execute(commands)

    def test_wrong_commands(self):
        commands = rt.HalCommandBuffer(self.device)
        with self.assertRaisesRegex(ValueError, "different lengths"):
            commands.copy(self.buffer(8), self.buffer(16))
        with self.assertRaises((ValueError, IndexError)):
            commands.copy(self.buffer(8), self.buffer(8), length=9)
        with self.assertRaises((ValueError, IndexError)):
            commands.fill(self.buffer(), b"abc")
        with self.assertRaises((OverflowError, ValueError)):
            commands.fill(self.buffer(), b"a", target_offset=-1)
        with self.assertRaises(TypeError):
            commands.fill(A, b"a")
        with self.assertRaisesRegex(ValueError, "before its recording has ended"):
            self.device.queue_execute(commands, [], [])

    def test_waits_and_signals(self):
        gate, done = self.device.create_semaphore(0), self.device.create_semaphore(0)
        self.device.queue_execute(None, [(gate, 1)], [(done, 1)])
        self.assertFalse(done.wait(1, timeout=1000000))
        gate.signal(1)
        self.assertTrue(done.wait(1))
        for bad in (5, [5], [(gate,)], [(gate, 1, 2)], [(gate, -1)], [("x", 1)], [(gate, 1)] * 65):
            with self.assertRaises((TypeError, ValueError, OverflowError)):
                self.device.queue_execute(None, bad, [])

    def test_lists_that_make_their_items(self):
        class Pairs:
            def __init__(self, device):
                self.device = device

            def __iter__(self):
                yield (self.device.create_semaphore(1), 1)
        self.device.queue_execute(None, Pairs(self.device), [(self.semaphore, 1)])
        self.assertTrue(self.semaphore.wait(1))

    def test_copy_must_fit(self):
        with self.assertRaisesRegex(ValueError, "16 bytes do not fit into 8"):
            self.device.queue_copy(self.buffer(16), self.buffer(8), [], [])
        with self.assertRaises(ValueError):
            self.device.queue_alloca(-1, [], [])

    def test_profiling_and_captures(self):
        self.device.begin_profiling()
        self.device.flush_profiling()
        self.device.end_profiling()
        with self.assertRaisesRegex(ValueError, "profile sink"):
            self.device.begin_profiling("queue-events")
        with self.assertRaises(NotImplementedError):
            self.device.begin_external_capture("renderdoc")


class Timelines(unittest.TestCase):
    def setUp(self):
        self.device = rt.get_device("local-sync")

    def test_interrupts_end_waits(self):
        never = rt.get_device("local-task").create_semaphore(0)
        for wait in (lambda **until: never.wait(1, **until), rt.HalFence.create_at(never, 1).wait):
            timer, start = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)), time.monotonic()
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                wait(timeout=20 * 10**9)
            self.assertLess(time.monotonic() - start, 10)
            timer.join()

    def test_timeouts_longer_than_a_slice(self):
        never, start = rt.get_device("local-task").create_semaphore(0), time.monotonic()
        self.assertFalse(never.wait(1, timeout=120 * 10**6))
        self.assertGreaterEqual(time.monotonic() - start, 0.12)
        self.assertLess(time.monotonic() - start, 10)

    def test_waits_say_whether(self):
        semaphore = self.device.create_semaphore(0)
        fence = rt.HalFence.create_at(sem=semaphore, value=1)
        self.assertFalse(fence.wait(deadline=0))
        self.assertFalse(semaphore.wait(1, timeout=0))
        fence.signal()
        self.assertTrue(fence.wait())
        self.assertTrue(semaphore.wait(payload=1))
        with self.assertRaises(ValueError):
            fence.wait(timeout=1, deadline=1)

    def test_failures(self):
        semaphore = self.device.create_semaphore(0)
        fence = rt.HalFence.create_at(semaphore, 1)
        failures = []

        def wait():
            try:
                fence.wait()
            except RuntimeError as e:
                failures.append(str(e))
        thread = threading.Thread(target=wait)
        thread.start()
        semaphore.fail("no paper")
        thread.join(10)
        self.assertIn("no paper", failures[0])
        for call in (semaphore.query, lambda: semaphore.wait(1), fence.wait):
            with self.assertRaisesRegex(RuntimeError, "no paper"):
                call()

    def test_external_timepoints(self):
        timepoint = rt.HalExternalTimepoint()
        self.assertEqual((timepoint.type, timepoint.flags), (0, 0))
        timepoint.cuda_event = 16
        self.assertEqual(timepoint.type, rt.ExternalTimepointType.CUDA_EVENT)
        with self.assertRaises(ValueError):
            timepoint.hip_event = 16
        semaphore = self.device.create_semaphore(0)
        with self.assertRaises(NotImplementedError):
            semaphore.import_timepoint(1, timepoint)
        with self.assertRaises(NotImplementedError):
            semaphore.export_timepoint(1, rt.ExternalTimepointType.CUDA_EVENT, 0, timepoint)

    def test_asyncio(self):
        loop = asyncio.new_event_loop()
        bridge = rt.HalDeviceLoopBridge(self.device, loop)
        good, bad, never = (self.device.create_semaphore(0) for _ in range(3))

        async def main():
            futures = [bridge.on_semaphore(s, 1, v) for s, v in ((good, "value"), (bad, None), (never, None))]
            good.signal(1)
            self.assertEqual(await futures[0], "value")
            bad.fail("broken")
            with self.assertRaisesRegex(RuntimeError, "broken"):
                await futures[1]
            bridge.stop()
            with self.assertRaises(asyncio.CancelledError):
                await futures[2]
        loop.run_until_complete(asyncio.wait_for(main(), 20))
        with self.assertRaises(RuntimeError):
            bridge.on_semaphore(good, 2, None)
        loop.close()


class DLPack(unittest.TestCase):
    def setUp(self):
        self.device = rt.get_device("local-sync")

    def view(self, array, element_type=None):
        return rt.asdevicearray(self.device, array)._buffer_view

    def test_to_numpy_and_back(self):
        for dtype in ("?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"):
            array = np.arange(12).reshape(3, 4).astype(dtype)
            shown = rt.DeviceArray(self.device, self.view(array), True)
            taken = np.from_dlpack(shown)
            np.testing.assert_array_equal(taken, array)
            again = self.device.from_dlpack_capsule(taken.__dlpack__())
            self.assertEqual((again.shape, again.element_type), (shown.shape, shown._buffer_view.element_type))
            memory = again.map()
            taken[0, 0] = 1  # the same memory
            np.testing.assert_array_equal(memory.asarray((3, 4), array.dtype), taken)

    def test_memory_lives_as_long_as_it_is_shown(self):
        capsule = self.device.create_dlpack_capsule(self.view(A), 1, 0)

        class Producer:
            def __dlpack__(self, **kwargs):
                return capsule

            def __dlpack_device__(self):
                return (1, 0)
        array = np.from_dlpack(Producer())
        del capsule
        gc.collect()
        np.testing.assert_array_equal(array, A)
        self.device.create_dlpack_capsule(self.view(A), 1, 0)  # dropped, nobody took it

    def test_refusals(self):
        shown = np.from_dlpack(rt.DeviceArray(self.device, self.view(np.eye(4, dtype=np.float32)), True))
        with self.assertRaisesRegex(ValueError, "strided"):
            self.device.from_dlpack_capsule(shown.T[1:].__dlpack__())
        with self.assertRaisesRegex(ValueError, "aligned"):
            self.device.from_dlpack_capsule(shown[1].__dlpack__())
        used = shown.__dlpack__()
        self.device.from_dlpack_capsule(used)
        with self.assertRaises(ValueError):
            self.device.from_dlpack_capsule(used)
        for bad in (None, 5, A):
            with self.assertRaises((TypeError, ValueError)):
                self.device.from_dlpack_capsule(bad)
        packed = rt.HalBufferView(self.device.allocator.allocate_buffer(DEVICE, USAGE, 4), [8], rt.HalElementType.INT_4)
        with self.assertRaisesRegex(ValueError, "no name"):
            self.device.create_dlpack_capsule(packed, 1, 0)

    def test_asdevicearray_of_torch_like_objects(self):
        class Foreign:
            def __dlpack__(self, **kwargs):
                return B.__dlpack__(**kwargs)

            def __dlpack_device__(self):
                return B.__dlpack_device__()
        m = rt.load_vm_flatbuffer_file(add_file(), driver="local-sync")
        np.testing.assert_array_equal(m.add(A, Foreign()), A + B)


class Drivers(unittest.TestCase):
    def test_devices(self):
        driver = rt.get_driver("local-task")
        info = driver.query_available_devices()[0]
        self.assertIn("local-task", driver.dump_device_info(info["device_id"]) + repr(driver.create_device(info)))
        self.assertIsInstance(driver.create_device(info["device_id"], params={"task_topology_group_count": "1"}, allocators=["caching"]), rt.HalDevice)
        with self.assertRaisesRegex(ValueError, "no device 5555; there are"):
            driver.create_device(5555)
        with self.assertRaisesRegex(ValueError, "no allocator 'magic'"):
            driver.create_default_device(allocators=["magic"])
        with self.assertRaises(ValueError):
            driver.create_device(info["device_id"], params={"no_such_parameter": "1"})
        with self.assertRaises(KeyError):
            driver.create_device({})
        with self.assertRaises(ValueError):
            rt.get_device("local-sync://1")

    def test_drivers(self):
        self.assertIsNot(_binding.create_hal_driver("local-sync"), _binding.create_hal_driver("local-sync"))
        first = rt.get_driver("local-sync")
        self.assertIs(first, _binding.get_cached_hal_driver("local-sync"))
        _binding.clear_hal_driver_cache()
        self.assertIsNot(first, rt.get_driver("local-sync"))
        self.assertEqual(rt.HalDriver.query(), rt.query_available_drivers())

    def test_flags(self):
        code = ("import iree.runtime as rt\n"
                "rt.flags.parse_flags('--task_topology_group_count=2')\n"
                "assert rt.get_device('local-task').device_id\n"
                "rt.flags.parse_flags('--task_topology_cpu_ids=no')\n"
                "try: rt.get_device('local-task', cache=False)\n"
                "except ValueError as e: print(e)\n"
                "rt.flags.parse_flags('--help')\n")
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        self.assertIn("cpu_ids", out)
        self.assertIn("--task_topology_group_count=2", out)
        with self.assertRaisesRegex(ValueError, "flag 'no_such_flag' not recognized"):
            rt.flags.parse_flags("--no_such_flag")
        done = subprocess.run([sys.executable, "-c", "import iree.runtime"], capture_output=True, text=True,
                              env=dict(os.environ, IREE_PY_RUNTIME_FLAGS="--no_such_flag"))
        self.assertIn("IREE_PY_RUNTIME_FLAGS", done.stderr)

    def test_several_devices_in_a_program(self):
        instance = rt.VmInstance()
        devices = [rt.get_device("local-sync"), rt.get_device("local-task")]
        self.assertEqual(rt.create_hal_module(instance, devices=devices).name, "hal")
        for bad in (dict(), dict(device=devices[0], devices=devices), dict(devices=[])):
            with self.assertRaises(ValueError):
                rt.create_hal_module(instance, **bad)


class Names(unittest.TestCase):
    def test_values_are_names_too(self):
        self.assertEqual(_binding.HOST_VISIBLE, rt.MemoryType.HOST_VISIBLE)
        self.assertEqual(_binding.EXPORT, rt.Linkage.EXPORT)

    def test_shape(self):
        self.assertEqual(list(rt.Shape([2, np.int64(3)])), [2, 3])
        for bad in ([-1], [1.5], 3):
            with self.assertRaises((TypeError, ValueError)):
                rt.Shape(bad)
        view = rt.get_device("local-sync").allocator.allocate_buffer(DEVICE, USAGE, 24).create_view(rt.Shape([2, 3]), 4)
        self.assertEqual(view.shape, [2, 3])

    def test_exceptions_are_both(self):
        for raised, others in ((rt.NotFoundError, (ValueError, LookupError)), (rt.ResourceExhaustedError, (RuntimeError, MemoryError)),
                               (rt.DeadlineExceededError, (RuntimeError, TimeoutError)), (rt.PermissionDeniedError, (RuntimeError, PermissionError))):
            for other in others:
                self.assertTrue(issubclass(raised, other))

    def test_absent_names_say_so(self):
        with self.assertRaisesRegex(AttributeError, "no tokenizers"):
            rt.Tokenizer


if __name__ == "__main__":
    unittest.main()
