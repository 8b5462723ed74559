# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names that upstream's programs import from here."""
from ._native import *  # noqa: F401,F403
from ._native import create_hal_module  # noqa: F401
from .enums import *  # noqa: F401,F403
from .system_setup import get_driver as get_cached_hal_driver  # noqa: F401
