# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types by their names in NumPy, in programs and in the runtime."""
import dataclasses

import numpy as np

try:
    import ml_dtypes  # gives NumPy names for narrow floats
except ImportError:
    ml_dtypes = None  # type: ignore[assignment]

from .enums import HalElementType


@dataclasses.dataclass(frozen=True)
class DTypeInfo:
    """A dtype that NumPy has itself.

    dtype: NumPy's.  name: its name there.  abi_type: its name in programs, where signs are not told.  hal_type: the
    HalElementType of its arrays.
    """
    dtype: np.dtype
    name: str
    abi_type: str
    hal_type: HalElementType

    @property
    def is_complex(self):
        return self.dtype.kind == "c"

    @property
    def is_floating_point(self):
        return self.dtype.kind == "f"

    @property
    def is_integer(self):
        return self.dtype.kind in "iu"

    @property
    def is_signed(self):
        return self.dtype.kind == "i"


# name in NumPy, in programs, element type; of two rows with one name in programs the first is it.
_ROWS = [
    ("float16", "f16", HalElementType.FLOAT_16), ("float32", "f32", HalElementType.FLOAT_32),
    ("float64", "f64", HalElementType.FLOAT_64), ("int8", "i8", HalElementType.SINT_8),
    ("uint8", "i8", HalElementType.UINT_8), ("int16", "i16", HalElementType.SINT_16),
    ("uint16", "i16", HalElementType.UINT_16), ("int32", "i32", HalElementType.SINT_32),
    ("uint32", "i32", HalElementType.UINT_32), ("int64", "i64", HalElementType.SINT_64),
    ("uint64", "i64", HalElementType.UINT_64), ("bool", "i1", HalElementType.BOOL_8),
    ("complex64", "complex<f32>", HalElementType.COMPLEX_64), ("complex128", "complex<f64>", HalElementType.COMPLEX_128),
]
# Element types that NumPy has only with the package ml_dtypes, and their names there and in programs.
_ML_ROWS = [
    ("bfloat16", "bf16", HalElementType.BFLOAT_16), ("float8_e5m2", "f8E5M2", HalElementType.FLOAT_8_E5M2),
    ("float8_e4m3fn", "f8E4M3FN", HalElementType.FLOAT_8_E4M3_FN), ("float8_e5m2fnuz", "f8E5M2FNUZ", HalElementType.FLOAT_8_E5M2_FNUZ),
    ("float8_e4m3fnuz", "f8E4M3FNUZ", HalElementType.FLOAT_8_E4M3_FNUZ), ("float8_e8m0fnu", "f8E8M0FNU", HalElementType.FLOAT_8_E8M0_FNU),
]
# What arrays of element types without a dtype of their own become.
_ALIASES = [
    (HalElementType.INT_8, "int8"), (HalElementType.INT_16, "int16"), (HalElementType.INT_32, "int32"),
    (HalElementType.INT_64, "int64"), (HalElementType.OPAQUE_8, "uint8"), (HalElementType.OPAQUE_16, "uint16"),
    (HalElementType.OPAQUE_32, "uint32"), (HalElementType.OPAQUE_64, "uint64"),
]

_INFOS = [DTypeInfo(np.dtype(name), name, abi, element) for name, abi, element in _ROWS]
_BY_DTYPE = {info.dtype: info for info in _INFOS}
_BY_NAME = {info.name: info for info in _INFOS}
_BY_ABI_TYPE = {info.abi_type: info for info in reversed(_INFOS)}
DTYPE_TO_ABI_TYPE = {info.dtype: info.abi_type for info in _INFOS}
ML_NAMES = frozenset(name for name, _, _ in _ML_ROWS)

_DTYPE_OF = {int(element): np.dtype(name) for name, _, element in _ROWS}
_DTYPE_OF.update((int(element), np.dtype(name)) for element, name in _ALIASES)
_ML_NAME_OF = {int(element): name for name, _, element in _ML_ROWS}
_ELEMENT_OF = {name: element for name, _, element in _ROWS + _ML_ROWS}
_NAME_OF_ABI = {abi: name for name, abi, _ in reversed(_ROWS + _ML_ROWS)}


def _find(table, key, what):
    try:
        return table[key]
    except KeyError:
        raise KeyError("no %s %r" % (what, key)) from None


def map_dtype_to_dtype_info(dtype) -> DTypeInfo:
    """The DTypeInfo of a dtype; raises KeyError for one that NumPy does not have itself."""
    return _find(_BY_DTYPE, np.dtype(dtype), "dtype")


def map_name_to_dtype_info(name: str) -> DTypeInfo:
    """The DTypeInfo of NumPy's name; raises KeyError."""
    return _find(_BY_NAME, name, "dtype of the name")


def map_abi_type_to_dtype_info(abi_type: str) -> DTypeInfo:
    """The DTypeInfo of a name in programs, signed for integers; raises KeyError."""
    return _find(_BY_ABI_TYPE, abi_type, "dtype for the type")


def map_dtype_to_hal_element_type(dtype) -> HalElementType | None:
    """The HalElementType of a dtype or of what NumPy makes one of; None where there is none."""
    try:
        return _ELEMENT_OF.get(np.dtype(dtype).name)
    except TypeError:
        return None


def _numpy_dtype(name):
    if name not in ML_NAMES:
        return np.dtype(name)
    if ml_dtypes is None:
        raise ValueError("elements of type %s need the package ml_dtypes: pip install ml_dtypes" % name)
    return np.dtype(getattr(ml_dtypes, name))


def dtype_of(element_type):
    """The NumPy dtype of an element type; raises ValueError where there is none."""
    dtype = _DTYPE_OF.get(int(element_type))
    if dtype is not None:
        return dtype
    name = _ML_NAME_OF.get(int(element_type))
    if name is None:
        raise ValueError("NumPy has no type for elements of type %#010x" % int(element_type))
    return _numpy_dtype(name)


def element_type_of(dtype):
    """The HalElementType of a NumPy dtype; raises ValueError where there is none."""
    element = map_dtype_to_hal_element_type(dtype)
    if element is None:
        raise ValueError("no element type for arrays of %s" % np.dtype(dtype))
    return element


def dtype_of_abi_type(abi_type):
    """The NumPy dtype of a name in programs (`f32`, `ui8`, `bf16`); None where there is none."""
    name = _NAME_OF_ABI.get(abi_type)
    if name is None and abi_type[:1] in ("u", "s"):
        name = _NAME_OF_ABI.get(abi_type[1:])
        name = "u" + name if name and abi_type[0] == "u" else name
    return _numpy_dtype(name) if name else None
