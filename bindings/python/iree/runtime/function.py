# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a program as Python functions."""
import re

import numpy as np

from . import _native

__all__ = ["FunctionInvoker"]

_NUMBERS = (bool, int, float, complex)
_MLIR_DTYPES = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64",
                "complex<f64>": "complex128"}


def _dtype(element):
    if element in _MLIR_DTYPES:
        return np.dtype(_MLIR_DTYPES[element])
    m = re.fullmatch(r"([su]?)i(8|16|32|64)", element)
    return np.dtype(("uint" if m.group(1) == "u" else "int") + m.group(2)) if m else None


def _argument_dtypes(declaration):
    """dtypes of tensor arguments of rank 0, by position, from `iree.abi.declaration`."""
    inside = declaration[declaration.find("(") + 1:declaration.find(") ->")]
    types = re.findall(r"%\w+: ([^%]+?)(?:, (?=%)|$)", inside)
    found = [re.fullmatch(r"tensor<((?:complex<)?\w+>?)>.*", t.strip()) for t in types]
    return [_dtype(m.group(1)) if m else None for m in found]


class FunctionInvoker:
    """Calls a function of a context.

    Arguments are NumPy arrays, DeviceArrays, whatever NumPy makes arrays of, numbers, and lists of these; results
    are DeviceArrays that show their values, numbers, or lists: one, or a tuple of several.
    """

    __slots__ = ("_vm_context", "_device", "_vm_function", "_invoker", "_dtypes")

    def __init__(self, vm_context, device, vm_function):
        self._vm_context = vm_context
        self._device = device
        self._vm_function = vm_function
        self._invoker = _native.Invoker(vm_context, device, vm_function)
        self._dtypes = None

    @property
    def vm_function(self):
        return self._vm_function

    def __call__(self, *args, **kwargs):
        if kwargs:
            raise TypeError("%s() takes its arguments by position" % self._vm_function.name)
        for a in args:
            if type(a) in _NUMBERS:
                return self._invoker(*self._with_numbers(args))
        return self._invoker(*args)

    def _with_numbers(self, args):
        """Numbers given for tensors of rank 0 as arrays of their element type."""
        if self._dtypes is None:
            self._dtypes = _argument_dtypes(self._vm_function.reflection.get("iree.abi.declaration", ""))
        dtypes = self._dtypes + [None] * len(args)
        return [np.asarray(a, dtype) if type(a) in _NUMBERS and dtype is not None else a for a, dtype in zip(args, dtypes)]

    def __repr__(self):
        return repr(self._vm_function)
