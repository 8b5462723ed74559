# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters as NumPy arrays, into indices and archives and back."""
import json

import numpy as np

from ._native import ParameterIndex
from .dtypes import map_dtype_to_dtype_info, map_name_to_dtype_info

__all__ = ["SplatValue", "parameter_index_add_numpy_ndarray", "parameter_index_entry_as_numpy_flat_ndarray",
           "parameter_index_entry_as_numpy_ndarray", "save_archive_file"]

# What the metadata of tensors starts with, before a colon and JSON: what is written here, and what iree.turbine writes.
_WRITTEN, _READ = "TENSORv0", ("TENSORv0", "PYTORCH")


class SplatValue:
    """One value, repeated: pattern is an array or NumPy scalar of one element, count a number or a shape."""

    def __init__(self, pattern, count):
        elements = pattern.size if isinstance(pattern, (np.ndarray, np.generic)) else len(pattern)
        if elements != 1:
            raise ValueError("SplatValue requires an array of a single element, not of %d" % elements)
        self.pattern = pattern
        self.total_length = int(np.prod(count, dtype=np.int64)) * pattern.itemsize

    def __repr__(self):
        return "SplatValue(%s of %d)" % (self.pattern, self.total_length)


def save_archive_file(entries, file_path):
    """Writes {name: array, bytes or SplatValue} as an .irpa file."""
    index = ParameterIndex()
    for key, value in entries.items():
        if isinstance(value, SplatValue):
            index.add_splat(key, value.pattern, value.total_length)
        else:
            index.add_buffer(key, value)
    index.create_archive_file(str(file_path))


def _metadata(array):
    info = map_dtype_to_dtype_info(array.dtype)
    described = {"type": "Tensor", "dtype": info.name, "shape": list(array.shape),
                 "dtype_desc": {"class_name": type(array.dtype).__name__, "is_complex": info.is_complex,
                                "is_floating_point": info.is_floating_point, "is_signed": info.is_signed, "itemsize": array.dtype.itemsize}}
    return "%s:%s" % (_WRITTEN, json.dumps(described))


def parameter_index_add_numpy_ndarray(index, name, array):
    """Adds an array, with metadata from which it can be made again. A contiguous one is used in place."""
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    index.add_buffer(name, flat, metadata=_metadata(array))


def parameter_index_entry_as_numpy_flat_ndarray(index_entry):
    """The bytes of an entry, in place; of a splat those of its pattern."""
    return np.frombuffer(index_entry.splat_pattern if index_entry.is_splat else index_entry.file_view, np.uint8)


def parameter_index_entry_as_numpy_ndarray(index_entry):
    """An entry with the type and shape that its metadata tells; raises ValueError where there is none."""
    version, colon, text = index_entry.metadata.decode().partition(":")
    if not colon or version not in _READ:
        raise ValueError("the metadata of parameter %r starts with %r, not with one of %s: it tells no type and shape"
                         % (index_entry.key, version[:100], ", ".join(_READ)))
    described = json.loads(text)
    try:
        kind, name, shape = described["type"], described["dtype"], [int(n) for n in described["shape"]]
    except (KeyError, TypeError) as e:
        raise ValueError("the metadata of parameter %r lacks %s" % (index_entry.key, e)) from None
    if kind != "Tensor":
        raise ValueError("parameter %r is a %r, not a Tensor" % (index_entry.key, kind))
    try:
        dtype = map_name_to_dtype_info(name).dtype
    except KeyError:
        raise ValueError("parameter %r has elements of %r, which NumPy does not have" % (index_entry.key, name)) from None
    return parameter_index_entry_as_numpy_flat_ndarray(index_entry).view(dtype).reshape(shape)
