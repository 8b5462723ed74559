# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs compiled programs: `load_vm_flatbuffer_file("add.vmfb").add(a, b)`.

    config = Config("local-task")                      # a device
    context = SystemContext(config=config)             # modules with their state
    context.add_module(VmModule.from_flatbuffer_file("add.vmfb"))
    context.modules.module.add(a, b)                   # NumPy in, DeviceArray out
"""
from ._binding import (HalAllocator, HalBuffer, HalBufferView, HalDevice, HalDriver, HalFence, HalSemaphore, MappedMemory,
                       VmBuffer, VmContext, VmFunction, VmInstance, VmModule, VmRef, VmVariantList, create_hal_module)
from .array_interop import *
from .enums import *
from .function import *
from .system_api import *
from .system_setup import get_device, get_driver, get_first_device, query_available_drivers
from .version import VERSION as __version__
