# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs: `compile_file("model.mlir", output_file="model.vmfb", target_backends=["llvm-cpu"])`.

`tools` runs the compiler's program, `api` calls the compiler in this process. MLIR's own Python bindings (`ir`, `dialects`
and kin) are absent and say so when they are imported.
"""
from . import _absent

_absent.install()

from .tools import *  # noqa: E402,F401,F403
from .tools import binaries, core, debugging  # noqa: E402,F401
from .version import VERSION as __version__, check_other, check_upstream  # noqa: E402

check_other("runtime")
check_upstream()


def __getattr__(name):
    _absent.refuse(name)
    raise AttributeError("module 'iree.compiler' has no attribute '%s'" % name)
