# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Absent: see iree.compiler."""
from . import _refuse

_refuse(__name__)
