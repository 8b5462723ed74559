# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of the runtime's C API by name."""
import enum

__all__ = ["BufferCompatibility", "BufferUsage", "ExternalTimepointFlags", "ExternalTimepointType", "HalElementType", "Linkage",
           "MemoryAccess", "MemoryType", "SemaphoreCompatibility"]


class MemoryType(enum.IntFlag):
    """Where memory is and who sees it."""
    NONE = 0
    OPTIMAL = 1 << 0
    HOST_VISIBLE = 1 << 1
    HOST_COHERENT = 1 << 2
    HOST_CACHED = 1 << 3
    DEVICE_VISIBLE = 1 << 4
    DEVICE_LOCAL = DEVICE_VISIBLE | 1 << 5
    HOST_LOCAL = HOST_VISIBLE | HOST_COHERENT | 1 << 6


class MemoryAccess(enum.IntFlag):
    """What may be done with memory."""
    NONE = 0
    READ = 1 << 0
    WRITE = 1 << 1
    DISCARD = 1 << 2
    DISCARD_WRITE = WRITE | DISCARD
    ALL = READ | WRITE | DISCARD


class BufferUsage(enum.IntFlag):
    """What a buffer is for."""
    NONE = 0
    TRANSFER_SOURCE = 1 << 0
    TRANSFER_TARGET = 1 << 1
    TRANSFER = TRANSFER_SOURCE | TRANSFER_TARGET
    DISPATCH_INDIRECT_PARAMETERS = 1 << 8
    DISPATCH_UNIFORM_READ = 1 << 9
    DISPATCH_STORAGE_READ = 1 << 10
    DISPATCH_STORAGE_WRITE = 1 << 11
    DISPATCH_STORAGE = DISPATCH_STORAGE_READ | DISPATCH_STORAGE_WRITE
    DISPATCH_IMAGE_READ = 1 << 12
    DISPATCH_IMAGE_WRITE = 1 << 13
    DISPATCH_IMAGE = DISPATCH_IMAGE_READ | DISPATCH_IMAGE_WRITE
    SHARING_EXPORT = 1 << 16
    SHARING_REPLICATE = 1 << 17
    SHARING_CONCURRENT = 1 << 18
    SHARING_IMMUTABLE = 1 << 19
    MAPPING_SCOPED = 1 << 24
    MAPPING_PERSISTENT = 1 << 25
    MAPPING_OPTIONAL = 1 << 26
    MAPPING_ACCESS_RANDOM = 1 << 27
    MAPPING_ACCESS_SEQUENTIAL_WRITE = 1 << 28
    MAPPING = MAPPING_SCOPED | MAPPING_ACCESS_RANDOM
    DEFAULT = TRANSFER | DISPATCH_STORAGE


class BufferCompatibility(enum.IntFlag):
    """What an allocator can do with a buffer."""
    NONE = 0
    ALLOCATABLE = 1 << 0
    IMPORTABLE = 1 << 1
    EXPORTABLE = 1 << 2
    QUEUE_TRANSFER = 1 << 10
    QUEUE_DISPATCH = 1 << 11


class Linkage(enum.IntEnum):
    """Which functions of a module."""
    INTERNAL = 0
    IMPORT = 1
    EXPORT = 2
    IMPORT_OPTIONAL = 3
    EXPORT_OPTIONAL = 4


class ExternalTimepointType(enum.IntFlag):
    """Whose timepoint it is."""
    NONE = 0
    ASYNC_PRIMITIVE = 1
    CUDA_EVENT = 2
    HIP_EVENT = 3


class ExternalTimepointFlags(enum.IntFlag):
    """How a timepoint is exported."""
    NONE = 0


class SemaphoreCompatibility(enum.IntFlag):
    """Who can wait for a semaphore and signal it."""
    NONE = 0
    HOST_WAIT = 1 << 0
    DEVICE_WAIT = 1 << 1
    HOST_SIGNAL = 1 << 2
    DEVICE_SIGNAL = 1 << 3
    HOST_ONLY = HOST_WAIT | HOST_SIGNAL
    DEVICE_ONLY = DEVICE_WAIT | DEVICE_SIGNAL
    ALL = HOST_ONLY | DEVICE_ONLY


def _value(kind, bits):
    return kind << 24 | bits


class HalElementType(enum.IntEnum):
    """What the elements of a buffer view are: a kind in the high byte, the bits of one below."""
    NONE = 0
    OPAQUE_8 = _value(0x00, 8)
    OPAQUE_16 = _value(0x00, 16)
    OPAQUE_32 = _value(0x00, 32)
    OPAQUE_64 = _value(0x00, 64)
    BOOL_8 = _value(0x13, 8)
    INT_4 = _value(0x10, 4)
    INT_8 = _value(0x10, 8)
    INT_16 = _value(0x10, 16)
    INT_32 = _value(0x10, 32)
    INT_64 = _value(0x10, 64)
    SINT_4 = _value(0x11, 4)
    SINT_8 = _value(0x11, 8)
    SINT_16 = _value(0x11, 16)
    SINT_32 = _value(0x11, 32)
    SINT_64 = _value(0x11, 64)
    UINT_4 = _value(0x12, 4)
    UINT_8 = _value(0x12, 8)
    UINT_16 = _value(0x12, 16)
    UINT_32 = _value(0x12, 32)
    UINT_64 = _value(0x12, 64)
    FLOAT_16 = _value(0x21, 16)
    FLOAT_32 = _value(0x21, 32)
    FLOAT_64 = _value(0x21, 64)
    BFLOAT_16 = _value(0x22, 16)
    COMPLEX_64 = _value(0x23, 64)
    COMPLEX_128 = _value(0x23, 128)
    FLOAT_8_E5M2 = _value(0x24, 8)
    FLOAT_8_E4M3_FN = _value(0x25, 8)
    FLOAT_8_E5M2_FNUZ = _value(0x26, 8)
    FLOAT_8_E4M3_FNUZ = _value(0x27, 8)
    FLOAT_8_E8M0_FNU = _value(0x28, 8)

    @staticmethod
    def map_to_dtype(element_type):
        """The NumPy dtype of an element type; raises ValueError where there is none."""
        from .dtypes import dtype_of
        return dtype_of(element_type)

    @staticmethod
    def is_byte_aligned(element_type):
        """Do elements take whole bytes?"""
        return (element_type & 0xFF) % 8 == 0

    @staticmethod
    def dense_byte_count(element_type):
        """Bytes that one element takes."""
        return ((element_type & 0xFF) + 7) // 8
