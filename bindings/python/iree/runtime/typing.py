# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of arguments."""
from typing import Any, Callable, List

from ._native import HalBufferView

HalModuleBufferViewTraceCallback = Callable[[str, List[HalBufferView]], Any]
