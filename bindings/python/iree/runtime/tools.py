# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime's programs that come with the package."""
import os
import pathlib

__all__ = ["tool_path"]


def tool_path(name):
    """The path of a program: of the folder IREE_TOOL_PATH, or of this package.  Raises ValueError with the names there are."""
    folder = os.environ.get("IREE_TOOL_PATH")
    inside = pathlib.Path(__file__).parent / "_bin"
    for place in ([pathlib.Path(folder)] if folder else []) + [inside]:
        if (place / name).exists():
            return str(place / name)
    raise ValueError("there is no program '%s'; there are: %s" % (name, ", ".join(sorted(p.name for p in inside.glob("iree-*")))))
