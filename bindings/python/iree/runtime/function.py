# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a program as Python functions."""
import functools
import re

import numpy as np

from ._native import FunctionInvoker

__all__ = ["FunctionInvoker"]

_MLIR_DTYPES = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64",
                "complex<f64>": "complex128"}


def _dtype(element):
    if element in _MLIR_DTYPES:
        return np.dtype(_MLIR_DTYPES[element])
    m = re.fullmatch(r"([su]?)i(8|16|32|64)", element)
    return np.dtype(("uint" if m.group(1) == "u" else "int") + m.group(2)) if m else None


@functools.lru_cache(maxsize=256)
def _argument_dtypes(declaration):
    """dtypes of tensor arguments of rank 0, by position, from `iree.abi.declaration`."""
    inside = declaration[declaration.find("(") + 1:declaration.find(") ->")]
    types = re.findall(r"%\w+: ([^%]+?)(?:, (?=%)|$)", inside)
    found = [re.fullmatch(r"tensor<((?:complex<)?\w+>?)>.*", t.strip()) for t in types]
    return [_dtype(m.group(1)) if m else None for m in found]


def _array_of(declaration, position, number):
    """The array that a number stands for as an argument; the extension calls this."""
    dtypes = _argument_dtypes(declaration)
    return np.asarray(number, dtypes[position] if position < len(dtypes) else None)
