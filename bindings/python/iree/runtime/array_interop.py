# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays on a device, as NumPy and DLPack see them."""
import numpy as np
import numpy.lib.mixins

from . import _native
from .dtypes import ML_NAMES, dtype_of, element_type_of
from .dtypes import map_dtype_to_hal_element_type as map_dtype_to_element_type  # noqa: F401
from .enums import BufferUsage, MemoryType

__all__ = ["DeviceArray", "asdevicearray"]


def _copy_in(device, array, element_type, memory_type, allowed_usage):
    array = np.ascontiguousarray(array) if array.ndim else array.copy()
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.name in ML_NAMES or array.dtype.kind == "V":
        array = array.view("u%d" % array.dtype.itemsize)  # the buffer protocol has no name for these
    return device.allocator.allocate_buffer_copy(int(memory_type), int(allowed_usage), device, array, int(element_type))


def _view_of(device, value):
    """The view of what the buffer protocol cannot hand over; the extension calls this."""
    if isinstance(value, DeviceArray):
        return value._buffer_view
    if hasattr(value, "__iree_vm_ref__"):
        return value.__iree_vm_ref__
    if isinstance(value, (str, bytes, dict, set)) or value is None:
        raise TypeError("%s is no array" % type(value).__name__)
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        value = np.from_dlpack(value)
    array = np.asarray(value)
    return _copy_in(device, array, element_type_of(array.dtype), MemoryType.DEVICE_LOCAL, BufferUsage.DEFAULT)


class DeviceArray(numpy.lib.mixins.NDArrayOperatorsMixin, _native.ArrayBase):
    """An array in a device's memory.

    Reading it (printing, indexing, arithmetic, `np.asarray`, DLPack) shows the device's memory where the host
    can see it, without a copy; other memory is copied to the host once, if `implicit_host_transfer` is set, or
    by `to_host()`.

    DeviceArray(device, buffer_view, implicit_host_transfer=False, override_dtype=None): shows a HalBufferView, as values of
    `override_dtype` if that is given.
    """

    __slots__ = ("__weakref__",)  # the rest is ArrayBase's: _device, _buffer_view, _host, ...

    # ---- what it is
    @property
    def shape(self) -> list[int]:
        return self._buffer_view.shape

    @property
    def dtype(self) -> np.dtype:
        if self._override_dtype is not None:
            return np.dtype(self._override_dtype)
        return dtype_of(self._buffer_view.element_type)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    @property
    def is_host_accessible(self) -> bool:
        """Is there a host copy or mapping already?"""
        return self._host is not None

    @property
    def __iree_vm_ref__(self):
        return self._buffer_view.__iree_vm_ref__

    # ---- its values
    def _over(self, memory):
        return np.ndarray(self.shape, dtype_of(self._buffer_view.element_type), memory)

    def _get_raw_dtype(self):
        return dtype_of(self._buffer_view.element_type)

    def _is_mappable(self):
        return bool(self._buffer_view.get_buffer().memory_type() & MemoryType.HOST_VISIBLE)

    def _map_to_host(self):
        memory = self._buffer_view.map()
        return memory, self._over(memory)

    def _copy_to_host(self):
        return self._over(self._device.read(self._buffer_view.get_buffer()))

    def to_host(self) -> np.ndarray:
        """The values as a numpy.ndarray: the device's memory where the host sees it, else a copy."""
        if self._host is None:
            try:
                host = self._map_to_host()[1]
            except (PermissionError, RuntimeError):
                host = self._copy_to_host()
            if self._override_dtype is not None and host.dtype != self._override_dtype:
                host = host.astype(self._override_dtype)
            self._host = host
        return self._host

    def _read(self):
        if self._host is None and not self._implicit_host_transfer:
            raise ValueError("the array is on the device; use to_host(), or set implicit_host_transfer")
        return self.to_host()

    def __array__(self, dtype=None, copy=None):
        host = self._read()
        if dtype is not None and host.dtype != dtype:
            if copy is False:
                raise ValueError("a conversion to %s needs a copy" % np.dtype(dtype))
            return host.astype(dtype)
        return host.copy() if copy else host

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        def host(o):
            return o._read() if isinstance(o, DeviceArray) else o
        if kwargs.get("out") is not None:
            kwargs["out"] = tuple(host(o) for o in kwargs["out"])
        return getattr(ufunc, method)(*(host(i) for i in inputs), **kwargs)

    def _transfer_to_host(self, implicit):
        return self._read() if implicit else self.to_host()

    def __array_function__(self, function, types, args, kwargs):
        def host(o):
            if isinstance(o, DeviceArray):
                return o._read()
            return type(o)(host(i) for i in o) if type(o) in (list, tuple) else o
        return function(*(host(a) for a in args), **{k: host(v) for k, v in kwargs.items()})

    def __dlpack__(self, **kwargs):
        return self._read().__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self._read().__dlpack_device__()

    def __getitem__(self, index):
        return self._read()[index]

    def __iter__(self):
        return iter(self._read())

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array of rank 0")
        return self.shape[0]

    def __bool__(self):
        return bool(self._read())

    def __int__(self):
        return int(self._read())

    def __float__(self):
        return float(self._read())

    def __complex__(self):
        return complex(self._read())

    def __index__(self):
        return self._read().__index__()

    def astype(self, dtype, casting="unsafe", copy=True):
        """The values as a numpy.ndarray of `dtype`; this array itself if it is one of it and `copy` is False."""
        if not copy and np.dtype(dtype) == self.dtype:
            return self
        return self.to_host().astype(dtype, casting=casting, copy=copy)

    def reshape(self, *shape):
        """The values as a numpy.ndarray of another shape."""
        return self.to_host().reshape(*shape)

    def __copy__(self):
        return self.to_host().copy()

    def __deepcopy__(self, memo):
        return self.to_host().copy()

    def __reduce__(self):
        return np.asarray, (np.array(self.to_host()),)

    def __repr__(self):
        if self._host is None and not self._implicit_host_transfer:
            return "<IREE DeviceArray: shape=%s, dtype=%s>" % (self.shape, self.dtype)
        return "DeviceArray" + repr(self._read())[len("array"):]

    def __str__(self):
        return str(self._read()) if self._host is not None or self._implicit_host_transfer else repr(self)

    @property
    def T(self):
        return self._read().T


def asdevicearray(device: _native.HalDevice, a, dtype=None, *, implicit_host_transfer: bool = False, memory_type: int = MemoryType.DEVICE_LOCAL,
                  allowed_usage: int = BufferUsage.DEFAULT, element_type: int | None = None) -> DeviceArray:
    """`a` as a DeviceArray of `device`: itself if it is one and of that dtype, else a copy.

    a: anything that NumPy or DLPack makes an array of.  dtype: convert to it.  element_type: what the elements
    are to programs, by default what the dtype says; of the same size.
    Raises ValueError for dtypes without an element type.
    """
    if isinstance(a, DeviceArray):
        if dtype is None or a.dtype == dtype:
            return a
        a = a.to_host()
    if not hasattr(a, "__array__") and hasattr(a, "__dlpack__"):
        a = np.from_dlpack(a)
    array = np.asarray(a, dtype=dtype)
    if element_type is None:
        element_type = element_type_of(array.dtype)
    view = _copy_in(device, array, element_type, memory_type, allowed_usage)
    try:
        shown = dtype_of(element_type)
    except ValueError:
        shown = None
    return DeviceArray(device, view, implicit_host_transfer, array.dtype if shown != array.dtype else None)
