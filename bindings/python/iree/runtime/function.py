# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a program as Python functions.

FunctionInvoker is the extension's; it reads the calling convention. A function whose program describes Python's view
of it (reflection `iree.abi`: names, lists, dicts), or that is no function of a program, gets a ReflectedInvoker.
"""
import functools
import json
import re

import numpy as np

from ._native import FunctionInvoker, HalBufferView, VmRef, VmVariantList
from .array_interop import DeviceArray, _copy_in, _view_of
from .dtypes import dtype_of_abi_type, element_type_of, map_abi_type_to_dtype_info
from .enums import BufferUsage, MemoryType

__all__ = ["FunctionInvoker"]

IMPLICIT_BUFFER_ARG_MEMORY_TYPE = MemoryType.DEVICE_LOCAL
IMPLICIT_BUFFER_ARG_USAGE = BufferUsage.DEFAULT


class ArgumentError(ValueError):
    """An argument that is not what the function takes."""


class ReturnError(ValueError):
    """A result that is not what the function is said to return."""


# ---- what the extension asks for

@functools.lru_cache(maxsize=256)
def _argument_dtypes(declaration):
    """dtypes of tensor arguments of rank 0, by position, from `iree.abi.declaration`."""
    inside = declaration[declaration.find("(") + 1:declaration.find(") ->")]
    types = re.findall(r"%\w+: ([^%]+?)(?:, (?=%)|$)", inside)
    found = [re.fullmatch(r"tensor<((?:complex<)?\w+>?)>.*", t.strip()) for t in types]
    return [dtype_of_abi_type(m.group(1)) if m else None for m in found]


def _array_of(declaration, position, number):
    """The array that a number stands for as an argument; the extension calls this."""
    dtypes = _argument_dtypes(declaration)
    return np.asarray(number, dtypes[position] if position < len(dtypes) else None)


# ---- arguments by their descriptions: "i32", ["ndarray", "f32", rank, extents...], ["slist", ...], ["stuple", ...],
# ["sdict", [key, description]...], ["named", name, description]

_FLOATS = ("f16", "bf16", "f32", "f64")


def _of_lists(description):
    return description[0] if isinstance(description, list) else description


def _push_array(device, target, value, dtype):
    if isinstance(value, DeviceArray):
        view = value._buffer_view
    elif isinstance(value, HalBufferView):
        view = value
    else:
        try:
            array = np.asarray(value, dtype)
        except (TypeError, ValueError) as e:
            raise ArgumentError("no array of %s can be made of %r: %s" % (dtype, value, e)) from e
        view = _copy_in(device, array, element_type_of(array.dtype), IMPLICIT_BUFFER_ARG_MEMORY_TYPE, IMPLICIT_BUFFER_ARG_USAGE)
    target.push_ref(view)


def _item(value, key):
    try:
        return value[key]
    except (IndexError, KeyError, TypeError) as e:
        raise ArgumentError("could not get item %r from: %r" % (key, value)) from e


def _push_described(device, target, value, description):
    kind = _of_lists(description)
    if kind == "ndarray":
        _push_array(device, target, value, map_abi_type_to_dtype_info(description[1]).dtype)
        return
    if kind in ("slist", "stuple", "sdict"):
        rows = description[1:] if kind == "sdict" else list(enumerate(description[1:]))
        if len(value) != len(rows):
            raise ArgumentError("expected a %s with %d values. got: %r" % ("dict" if kind == "sdict" else "sequence", len(rows), value))
        inner = VmVariantList(len(rows))
        for key, inside in rows:
            _push_described(device, inner, _item(value, key), inside)
        target.push_list(inner)
    elif kind in _FLOATS:
        target.push_float(float(value))
    elif re.fullmatch(r"i\d+", str(kind)):
        target.push_int(int(value))
    else:
        raise ValueError("the program describes an argument as %r, which is not known" % (description,))


def _push_any(device, target, value):
    """Without a description: by the value's type; dicts by sorted keys."""
    if isinstance(value, bool) or isinstance(value, int):
        target.push_int(value)
    elif isinstance(value, float):
        target.push_float(value)
    elif isinstance(value, dict):
        _push_any(device, target, [value[k] for k in sorted(value)])
    elif isinstance(value, (list, tuple)):
        inner = VmVariantList(len(value))
        for item in value:
            _push_any(device, inner, item)
        target.push_list(inner)
    else:
        try:
            target.push_ref(_view_of(device, value))
        except (TypeError, ValueError) as e:
            raise ArgumentError("no argument can be made of %r: %s" % (value, e)) from e


class _InvokeStatics:
    """Nothing; ArgumentPacker takes it for programs that pass it."""


_invoke_statics = _InvokeStatics()


class InvokeContext:
    """Where arrays are put."""

    def __init__(self, device):
        self.device = device


class ArgumentPacker:
    """Makes lists of arguments: `ArgumentPacker(_invoke_statics, descriptions).pack(InvokeContext(device), args, kwargs)`.

    arg_descs: a description for each argument; without, arguments are packed by their types.
    """

    def __init__(self, statics, arg_descs=None):
        named = [d if isinstance(d, list) and d and d[0] == "named" else None for d in arg_descs or ()]
        self._descriptions = None if arg_descs is None else [n[2] if n else d for n, d in zip(named, arg_descs)]
        self._index = {n[1]: i for i, n in enumerate(named) if n}
        self._n_positional = sum(n is None for n in named)

    def _ordered(self, args, kwargs):
        n = len(self._descriptions)
        if len(args) > self._n_positional:
            raise ArgumentError("mismatched call arity: expected %d got %d" % (self._n_positional, len(args)))
        values = dict(enumerate(args))
        for name, value in kwargs.items():
            if name not in self._index:
                raise ArgumentError("specified kwarg '%s' is unknown" % name)
            if self._index[name] in values:
                raise ArgumentError("mismatched call arity: duplicate keyword argument '%s'" % name)
            values[self._index[name]] = value
        for i in range(n):
            if i not in values:
                raise ArgumentError("mismatched call arity: expected a value for argument %d" % i)
        return [values[i] for i in range(n)]

    def pack(self, invoke_context, pos_args, kwargs):
        """A VmVariantList.  Raises ValueError for what does not fit."""
        device = invoke_context.device
        if self._descriptions is None:
            if kwargs:
                raise ArgumentError("this function takes no keywords: its program names no arguments")
            target = VmVariantList(len(pos_args))
            for value in pos_args:
                _push_any(device, target, value)
            return target
        target = VmVariantList(len(self._descriptions))
        for value, description in zip(self._ordered(pos_args, kwargs), self._descriptions):
            _push_described(device, target, value, description)
        return target


# ---- results

def _undescribed(device, items, i):
    value = items.get_variant(i)
    if isinstance(value, VmRef):
        view = value.deref(HalBufferView, True)
        if view is not None:
            return DeviceArray(device, view, True)
    return value


def _described(device, items, i, description):
    kind = _of_lists(description)
    if kind is None:
        return _undescribed(device, items, i)
    if kind == "ndarray":
        return DeviceArray(device, items.get_as_object(i, HalBufferView), True, map_abi_type_to_dtype_info(description[1]).dtype)
    if kind in ("slist", "stuple"):
        values = _results(device, items.get_as_list(i), description[1:])
        return tuple(values) if kind == "stuple" else values
    if kind == "sdict":
        return dict(zip([k for k, _ in description[1:]], _results(device, items.get_as_list(i), [d for _, d in description[1:]])))
    if kind == "py_homogeneous_list":
        inner = items.get_as_list(i)
        return _results(device, inner, description[1:] * len(inner))
    value = items.get_variant(i)
    wanted = float if kind in _FLOATS else int
    if not isinstance(value, wanted):
        raise ReturnError("result %d is %r, described as %r" % (i, value, description))
    return value


def _results(device, items, descriptions):
    if descriptions is None:
        descriptions = [None] * len(items)
    if len(descriptions) != len(items):
        raise ReturnError("mismatched return arity: %d vs %d" % (len(items), len(descriptions)))
    return [_described(device, items, i, d) for i, d in enumerate(descriptions)]


class ReflectedInvoker:
    """A function called by its description; made by `FunctionInvoker(vm_context, device, vm_function)`."""

    __slots__ = ("_vm_context", "_device", "_vm_function", "_packer", "_ret_descs", "_is_inlined")

    def __init__(self, vm_context, device, vm_function):
        self._vm_context, self._device, self._vm_function = vm_context, device, vm_function
        arg_descs, self._ret_descs = self._parse(vm_function.reflection.get("iree.abi"))
        self._packer = ArgumentPacker(_invoke_statics, arg_descs)
        # A single list, tuple or dict has its items returned as the function's results.
        self._is_inlined = bool(self._ret_descs) and len(self._ret_descs) == 1 and _of_lists(self._ret_descs[0]) in ("slist", "stuple", "sdict")

    @staticmethod
    def _parse(text):
        if text is None:
            return None, None
        try:
            description = json.loads(text)
            arguments, results = description["a"], description["r"]
        except (KeyError, TypeError, json.JSONDecodeError) as e:
            raise RuntimeError("the program's reflection iree.abi is not what it should be: %s" % text) from e
        if not isinstance(arguments, list) or not isinstance(results, list):
            raise RuntimeError("the program's reflection iree.abi is not what it should be: %s" % text)
        return arguments, results

    @property  # type: ignore[misc]
    def __class__(self):
        return FunctionInvoker

    @property
    def vm_function(self):
        """The VmFunction."""
        return self._vm_function

    def __call__(self, *args, **kwargs):
        inputs = self._packer.pack(InvokeContext(self._device), args, kwargs)
        outputs = VmVariantList(len(self._ret_descs) if self._ret_descs is not None else 1)
        self._vm_context.invoke(self._vm_function, inputs, outputs)
        if self._is_inlined:
            inner, outputs = outputs, VmVariantList(1)
            outputs.push_list(inner)
        values = _results(self._device, outputs, self._ret_descs)
        return None if not values else values[0] if len(values) == 1 else tuple(values)

    def __repr__(self):
        return repr(self._vm_function)
