# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names that upstream's programs import from here."""
from . import enums as _enums
from ._native import *  # noqa: F401,F403
from ._native import create_hal_module  # noqa: F401
from .debug_sink import HalModuleDebugSink  # noqa: F401
from .enums import *  # noqa: F401,F403
from .flags import parse_flags  # noqa: F401
from .function import ArgumentPacker, InvokeContext, _InvokeStatics, _invoke_statics  # noqa: F401
from .loop_bridge import HalDeviceLoopBridge  # noqa: F401
from .py_module import PyModuleInterface  # noqa: F401
from .shape import Shape  # noqa: F401
from .system_setup import clear_hal_driver_cache, create_hal_driver  # noqa: F401
from .system_setup import get_driver as get_cached_hal_driver  # noqa: F401
from .timepoints import HalExternalTimepoint  # noqa: F401


def disable_leak_checker():
    """Nothing: objects are checked when the tests run, not here."""


# Values of enumerations are names of this module as well.
for _name in _enums.__all__:
    globals().update((_key, _value) for _key, _value in getattr(_enums, _name).__members__.items())
del _name
