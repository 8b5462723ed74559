# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""iree.runtime: refs, lists, modules written in Python, functions that describe themselves, benchmarks."""
import gc
import json
import pathlib
import unittest

import numpy as np

import iree.runtime as rt
from iree.runtime import function as rt_function
from iree.runtime import _binding
from programs import A, B, add_file, compiled, state_file


class Refs(unittest.TestCase):
    def test_protocol(self):
        device = rt.get_device("local-sync")
        semaphore = device.create_semaphore(0)
        buffer = device.allocator.allocate_buffer(rt.MemoryType.DEVICE_LOCAL, rt.BufferUsage.DEFAULT, 8)
        objects = [rt.VmVariantList(1), rt.VmBuffer(4), rt.HalFence(1), buffer, rt.HalBufferView(buffer, [2], rt.HalElementType.FLOAT_32),
                   rt.HalCommandBuffer(device), device, semaphore]
        for o in objects:
            kind = type(o)
            self.assertEqual(o.ref, o.__iree_vm_ref__)
            self.assertTrue(o.ref.isinstance(kind))
            self.assertEqual(kind.__iree_vm_cast__(o.ref), o)
            self.assertEqual(o.ref.deref(kind), o)
            self.assertEqual(hash(o.ref.deref(kind)), hash(o))
            for other in objects:
                if other is not o:
                    self.assertFalse(o.ref.isinstance(type(other)))
                    self.assertIsNone(o.ref.deref(type(other), optional=True))
                    with self.assertRaises(TypeError):
                        o.ref.deref(type(other))
                    self.assertNotEqual(o, other)
        for bad in (int, 5, None.__class__):
            with self.assertRaises((AttributeError, TypeError)):
                semaphore.ref.deref(bad)

    def test_a_list_that_holds_itself(self):
        items = rt.VmVariantList(1)
        items.push_list(items)
        self.assertIn("List[...]", repr(items))
        with self.assertRaises(RecursionError):
            items.get_serialized_trace_value(0)

    def test_records_for_traces(self):
        items, inner = rt.VmVariantList(4), rt.VmVariantList(1)
        items.push_int(7)
        items.push_float(0.5)
        inner.push_int(1)
        items.push_list(inner)
        items.push_ref(rt.asdevicearray(rt.get_device("local-sync"), A)._buffer_view)
        self.assertEqual(items.get_serialized_trace_value(0), {"type": "value", "i64": 7})
        self.assertEqual(items.get_serialized_trace_value(1), {"type": "value", "f64": 0.5})
        self.assertEqual(items.get_serialized_trace_value(2), {"type": "vm.list", "items": [{"type": "value", "i64": 1}]})
        view = items.get_serialized_trace_value(3)
        self.assertEqual((view["shape"], view["element_type"], view["contents"]), ([4], "f32", A.tobytes()))


class Counter:
    """The state of a module: one per context."""

    def __init__(self, interface):
        self.n = 0

    def add(self, x):
        self.n += x
        return self.n

    def describe(self, items, scale):
        items = items.deref(rt.VmVariantList)
        return sum(items.get_variant(i) for i in range(len(items))) * scale

    def swap(self, a, b):
        return b, a

    def fail(self):
        raise KeyError("no such thing")

    def wrong(self):
        return "text"


class PythonModules(unittest.TestCase):
    def setUp(self):
        self.instance = rt.VmInstance()
        self.interface = rt.PyModuleInterface("counter", Counter)
        for name, cconv in (("add", "0i_i"), ("describe", "0rF_F"), ("swap", "0rr_rr"), ("fail", "0v_v"), ("wrong", "0v_i")):
            self.interface.export(name, cconv, getattr(Counter, name))

    def call(self, context, module, name, *args):
        inputs, outputs = rt.VmVariantList(len(args)), rt.VmVariantList(1)
        for a in args:
            inputs.push_float(a) if isinstance(a, float) else inputs.push_int(a) if isinstance(a, int) else inputs.push_ref(a)
        context.invoke(module.lookup_function(name), inputs, outputs)
        return outputs

    def test_state_is_the_contexts(self):
        module = self.interface.create()
        one, other = (rt.VmContext(self.instance, [module]) for _ in range(2))
        self.call(one, module, "add", 3)
        self.assertEqual(self.call(one, module, "add", 4).get_variant(0), 7)
        self.assertEqual(self.call(other, module, "add", 1).get_variant(0), 1)

    def test_lists_and_refs(self):
        module = self.interface.create()
        context = rt.VmContext(self.instance, [module])
        items, buffer = rt.VmVariantList(2), rt.VmBuffer(4)
        items.push_int(2)
        items.push_int(3)
        self.assertEqual(self.call(context, module, "describe", items, 0.5).get_variant(0), 2.5)
        swapped = self.call(context, module, "swap", items, buffer)
        self.assertEqual((swapped.get_as_object(0), swapped.get_as_object(1)), (buffer, items))
        nothing = self.call(context, module, "swap", items, None)
        self.assertIsNone(nothing.get_variant(0))

    def test_objects_among_results_are_refs(self):
        module, device = self.interface.create(), rt.get_device("local-sync")
        swap = rt.FunctionInvoker(rt.VmContext(self.instance, [module]), device, module.lookup_function("swap"))
        items, buffer = rt.VmVariantList(1), rt.VmBuffer(2)
        one, other = swap(items, buffer)
        self.assertEqual((one.deref(rt.VmBuffer), other.deref(rt.VmVariantList)), (buffer, items))
        self.assertEqual(swap(one, None), (None, one))
        raw = device.allocator.allocate_buffer(rt.MemoryType.DEVICE_LOCAL, rt.BufferUsage.DEFAULT, 16)
        self.assertEqual(swap(None, raw)[0].deref(rt.HalBuffer), raw)

    def test_exceptions(self):
        module = self.interface.create()
        context = rt.VmContext(self.instance, [module])
        with self.assertRaisesRegex(RuntimeError, "KeyError: 'no such thing'"):
            self.call(context, module, "fail")
        with self.assertRaisesRegex(RuntimeError, "TypeError"):
            self.call(context, module, "wrong")
        with self.assertRaisesRegex(RuntimeError, "ZeroDivisionError"):
            rt.VmContext(self.instance, [rt.PyModuleInterface("broken", lambda interface: 1 // 0).create()])

    def test_exceptions_say_where(self):
        module = self.interface.create()
        line = Counter.fail.__code__.co_firstlineno + 1
        with self.assertRaisesRegex(RuntimeError, r"KeyError: 'no such thing' \(.*runtime_vm_test\.py:%d\)" % line):
            self.call(rt.VmContext(self.instance, [module]), module, "fail")

    def test_what_ends_the_program_comes_out_as_itself(self):
        for raised in (KeyboardInterrupt("now"), SystemExit(3)):
            def stop(self, raised=raised):
                raise raised
            interface = rt.PyModuleInterface("ending", Counter)
            interface.export("stop", "0v_v", stop)
            interface.export("fail", "0v_v", Counter.fail)
            module = interface.create()
            context = rt.VmContext(self.instance, [module])
            with self.assertRaises(type(raised)) as caught:
                self.call(context, module, "stop")
            self.assertIs(caught.exception, raised)
            with self.assertRaisesRegex(RuntimeError, "KeyError"):
                self.call(context, module, "fail")

    def test_wrong_definitions(self):
        for cconv in ("", "1i_i", "0CiD_v", "0x", "i"):
            with self.assertRaises((ValueError, NotImplementedError)):
                self.interface.export("new", cconv, print)
        with self.assertRaisesRegex(ValueError, "there already"):
            self.interface.export("add", "0v", print)
        self.interface.create()
        with self.assertRaises(RuntimeError):
            self.interface.create()
        with self.assertRaises(RuntimeError):
            self.interface.export("late", "0v", print)

    def test_programs_call_it(self):
        path = compiled("custom", """
            vm.module public @program {
              vm.import private @counter.add(%x : i32) -> i32
              vm.export @twice
              vm.func private @twice(%x: i32) -> i32 {
                %0 = vm.call @counter.add(%x) : (i32) -> i32
                %1 = vm.call @counter.add(%x) : (i32) -> i32
                vm.return %1 : i32
              }
            }""", "--compile-from=vm")
        module = self.interface.create()
        program = rt.VmModule.mmap(self.instance, path)
        context = rt.VmContext(self.instance, [module, program])
        self.assertEqual(self.call(context, program, "twice", 21).get_variant(0), 42)
        wrong = rt.PyModuleInterface("counter", Counter)
        wrong.export("add", "0I_I", Counter.add)
        with self.assertRaisesRegex(ValueError, "calling convention"):
            rt.VmContext(self.instance, [wrong.create(), program])

    def test_functions_outlive_their_module(self):
        module = self.interface.create()
        function = module.lookup_function("add")
        del module
        gc.collect()
        self.assertTrue(self.interface.destroyed)
        self.assertEqual((function.name, function.module_name), ("add", "counter"))
        with self.assertRaisesRegex(RuntimeError, "is gone"):
            rt.VmContext(self.instance).invoke(function, rt.VmVariantList(0), rt.VmVariantList(0))


class Recorder:
    """Takes the place of a context: keeps what it is called with and gives what it is told."""

    def __init__(self, *results):
        self.results = results

    def invoke(self, function, inputs, outputs):
        self.inputs = repr(inputs)
        for value in self.results:
            outputs.push_int(value) if isinstance(value, int) else outputs.push_ref(value)


class Described:
    def __init__(self, arguments, results):
        self.reflection = {"iree.abi": json.dumps({"a": arguments, "r": results})}


class ReflectedCalls(unittest.TestCase):
    def setUp(self):
        self.device = rt.get_device("local-sync")

    def call(self, context, function, *args, **kwargs):
        return rt.FunctionInvoker(context, self.device, function)(*args, **kwargs)

    def test_keywords(self):
        function = Described(["i32", ["named", "a", "i32"], ["named", "b", ["slist", "i64", "f32"]]], ["i32"])
        context = Recorder(5)
        self.assertEqual(self.call(context, function, 1, b=[2, 0.5], a=3), 5)
        self.assertEqual(context.inputs, "<VmVariantList(3): [1, 3, List[2, 0.500000]]>")
        for args, kwargs, words in (((), dict(a=1, b=[1, 1]), "mismatched call arity"), ((1,), dict(a=1), "argument 2"),
                                    ((1,), dict(a=1, b=[1, 1], c=1), "'c' is unknown"), ((1, 2), dict(b=[1, 1]), "expected 1 got 2"),
                                    ((1,), dict(a=1, b=[1]), "sequence with 2 values")):
            with self.assertRaisesRegex(ValueError, words):
                self.call(context, function, *args, **kwargs)

    def test_dictionaries_and_nested_results(self):
        inner = rt.VmVariantList(2)
        inner.push_int(1)
        inner.push_int(2)
        function = Described([["sdict", ["x", "i32"], ["y", ["ndarray", "f32", 1, 4]]]], ["i64", ["stuple", "i32", "i32"]])
        context = Recorder(9, inner)
        self.assertEqual(self.call(context, function, {"y": A, "x": 1}), (9, (1, 2)))
        self.assertEqual(context.inputs, "<VmVariantList(1): [List[1, HalBufferView(4:0x20000021)]]>")
        with self.assertRaisesRegex(ValueError, "could not get item 'y'"):
            self.call(context, function, {"x": 1, "z": 2})

    def test_without_description(self):
        class Plain:
            reflection = {}
        context = Recorder(1, 2)
        self.assertEqual(self.call(context, Plain(), 1, [2.5, {"b": 2, "a": 1}]), (1, 2))
        self.assertEqual(context.inputs, "<VmVariantList(2): [1, List[2.500000, List[1, 2]]]>")
        with self.assertRaisesRegex(ValueError, "no argument can be made of"):
            self.call(context, Plain(), object())
        with self.assertRaises(ValueError):
            self.call(context, Plain(), x=1)

    def test_it_is_a_function_invoker(self):
        invoker = rt.FunctionInvoker(Recorder(), self.device, Described([], []))
        self.assertIsInstance(invoker, rt.FunctionInvoker)
        self.assertIsNone(invoker())
        for text in ("{", "[]", '{"a": 1, "r": []}'):
            class Broken:
                reflection = {"iree.abi": text}
            with self.assertRaisesRegex(RuntimeError, "iree.abi"):
                rt.FunctionInvoker(Recorder(), self.device, Broken())

    def test_packer(self):
        packer = _binding.ArgumentPacker(_binding._invoke_statics, [["named", "x", "i32"]])
        self.assertEqual(repr(packer.pack(_binding.InvokeContext(self.device), (), {"x": 4})), "<VmVariantList(1): [4]>")
        self.assertEqual(rt_function.IMPLICIT_BUFFER_ARG_USAGE, rt.BufferUsage.DEFAULT)


class DebugSinks(unittest.TestCase):
    def traced(self, sink):
        path = compiled("traced", """
            func.func @f(%x: tensor<4xf32>, %y: tensor<?xi32>) {
              %c0 = arith.constant 0 : index
              %n = tensor.dim %y, %c0 : tensor<?xi32>
              %0 = hal.tensor.export %x : tensor<4xf32> -> !hal.buffer_view
              %1 = hal.tensor.export %y : tensor<?xi32>{%n} -> !hal.buffer_view
              hal.buffer_view.trace "key" = %0, %1 : !hal.buffer_view, !hal.buffer_view
              return
            }""")
        instance, device = rt.VmInstance(), rt.get_device("local-task")
        hal, program = rt.create_hal_module(instance, device, debug_sink=sink), rt.VmModule.mmap(instance, path)
        return rt.FunctionInvoker(rt.VmContext(instance, [hal, program]), device, program.lookup_function("f"))

    def test_what_it_gets(self):
        calls = []
        self.traced(rt.HalModuleDebugSink(lambda key, views: calls.append((key, views))))(A, np.arange(3, dtype=np.int32))
        (key, views), = calls
        self.assertEqual(key, "key")
        device = rt.get_device("local-task")
        np.testing.assert_array_equal(rt.DeviceArray(device, views[0], True), A)
        np.testing.assert_array_equal(rt.DeviceArray(device, views[1], True), [0, 1, 2])

    def test_exceptions_and_none(self):
        def fail(key, views):
            raise KeyError("not here")
        with self.assertRaisesRegex(RuntimeError, "UNKNOWN.*KeyError: 'not here'"):
            self.traced(rt.HalModuleDebugSink(fail))(A, np.zeros(1, np.int32))
        self.traced(rt.HalModuleDebugSink(None))(A, np.zeros(1, np.int32))
        with self.assertRaises(AttributeError):
            self.traced(object())


class Loading(unittest.TestCase):
    def test_blob_and_dependencies(self):
        data = pathlib.Path(add_file()).read_bytes()
        instance = rt.VmInstance()
        module = rt.VmModule.copy_buffer(instance, data)
        self.assertEqual(bytes(module.stashed_flatbuffer_blob), data)
        self.assertIsNone(rt.create_hal_module(instance, rt.get_device("local-sync")).stashed_flatbuffer_blob)
        with self.assertRaisesRegex(ValueError, "no_such_module"):
            rt.SystemContext(config=rt.Config("local-sync")).add_module_dependency("no_such_module")

    def test_unaligned_bytes(self):
        data = bytearray(b"x" + pathlib.Path(add_file()).read_bytes())
        with self.assertWarnsRegex(UserWarning, "Making copy"):
            rt.VmModule.from_buffer(rt.VmInstance(), memoryview(data)[1:])
        with self.assertRaisesRegex(ValueError, "unaligned"):
            rt.VmModule.wrap_buffer(rt.VmInstance(), memoryview(data)[1:])

    def test_state_of_contexts(self):
        module = rt.VmModule.from_flatbuffer_file(state_file())
        one, other = (rt.load_vm_module(module, rt.Config("local-sync")) for _ in range(2))
        self.assertEqual([one.bump(), one.bump(), other.bump()], [1, 2, 1])

    def test_normalize_value(self):
        self.assertEqual(rt.normalize_value(1.5).dtype, np.float32)
        self.assertEqual(rt.normalize_value(3).dtype, np.int32)
        self.assertEqual(rt.normalize_value(np.array([True])).dtype, np.int8)
        self.assertIsNone(rt.normalize_value(None))
        self.assertEqual(rt.normalize_value([1]), [1])


class Benchmarks(unittest.TestCase):
    def test_results(self):
        module = rt.VmModule.from_flatbuffer_file(add_file())
        for subject, function in ((module, None), (add_file(), "add")):
            row, = rt.benchmark_module(subject, function, inputs=[A, "4xf32=1"], device="local-sync", benchmark_min_time="0.01s")
            self.assertGreater(float(row.time.split()[0]), 0)
            self.assertGreater(int(row.iterations), 0)

    def test_errors(self):
        from iree.runtime.benchmark import BenchmarkToolError
        module = rt.VmModule.from_flatbuffer_file(add_file())
        with self.assertRaisesRegex(ValueError, "there are: add"):
            rt.benchmark_module(module, "sub")
        with self.assertRaises(ValueError):
            rt.benchmark_module(add_file())
        with self.assertRaisesRegex(BenchmarkToolError, "stderr"):
            rt.benchmark_module(module, inputs=[A], device="local-sync")
        with self.assertRaisesRegex(ValueError, "no program"):
            rt.benchmark_module(rt.create_hal_module(rt.VmInstance(), rt.get_device("local-sync")), "devices.count")


if __name__ == "__main__":
    unittest.main()
