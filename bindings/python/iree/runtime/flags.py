# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Flags of the runtime's tools, for the whole process: `parse_flags("--task_topology_group_count=2")`.

They hold for devices that are made afterwards (Config, get_device). The environment's IREE_PY_RUNTIME_FLAGS is parsed when the
package is imported. FUNCTION_INPUT_VALIDATION exists for programs that set it: inputs are always checked.
"""
import os
import shlex

from ._native import _parse_flags

FUNCTION_INPUT_VALIDATION = True


def parse_flags(*flags):
    """Sets flags; `--help` prints them with their values.  Raises ValueError for unknown ones and wrong values."""
    try:
        help_text = _parse_flags(*flags)
    except ValueError as e:
        raise ValueError(str(e).replace("'--", "'")) from None  # IREE's bindings name flags without their dashes
    if help_text:
        print(help_text)


def _load_default_flags_from_env():
    given = os.environ.get("IREE_PY_RUNTIME_FLAGS")
    if not given:
        return
    try:
        parse_flags(*shlex.split(given))
    except ValueError as e:
        raise RuntimeError("in the environment's IREE_PY_RUNTIME_FLAGS='%s': %s" % (given, e)) from e


_load_default_flags_from_env()
