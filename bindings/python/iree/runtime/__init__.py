# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs compiled programs: `load_vm_flatbuffer_file("add.vmfb").add(a, b)`.

    config = Config("local-task")                      # a device
    context = SystemContext(config=config)             # modules with their state
    context.add_module(VmModule.from_flatbuffer_file("add.vmfb"))
    context.modules.module.add(a, b)                   # NumPy in, DeviceArray out
"""
from . import _binding, dtypes, flags
from ._native import (DeadlineExceededError, FileHandle, HalAllocator, HalBuffer, HalBufferView, HalCommandBuffer, HalDevice, HalDriver,
                      HalFence, HalSemaphore, MappedMemory, NotFoundError, ParameterIndex, ParameterIndexEntry,
                      ParameterProvider, PermissionDeniedError, ResourceExhaustedError, VmBuffer,
                      VmContext, VmFunction, VmInstance, VmModule, VmRef, VmVariantList, create_hal_module,
                      create_io_parameters_module)
from .array_interop import *
from .benchmark import *
from .debug_sink import *
from .enums import *
from .function import *
from .io import *
from .loop_bridge import *
from .py_module import *
from .shape import *
from .system_api import *
from .system_setup import get_device, get_driver, get_first_device, query_available_drivers
from .timepoints import *
from .typing import HalModuleBufferViewTraceCallback
from .version import VERSION as __version__, check_other, check_upstream

check_other("compiler")
check_upstream()


def __getattr__(name):
    if name.startswith("Tokenizer"):
        raise AttributeError("iree.runtime.%s: this runtime has no tokenizers; use the packages tokenizers or tiktoken" % name)
    raise AttributeError("module 'iree.runtime' has no attribute '%s'" % name)
