# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs: `compile_file("model.mlir", output_file="model.vmfb", target_backends=["llvm-cpu"])`.

The modules `ir` and `passmanager`, MLIR's own Python bindings, are absent and say so when they are imported.
"""
from .tools import *  # noqa: F401,F403
from .tools import binaries, core, debugging  # noqa: F401
from .version import VERSION as __version__


def _refuse(name):
    raise ImportError("%s, MLIR's own Python bindings, is not part of this compiler: it has no MLIR inside. "
                      "Build programs as text, or with the MLIR of jaxlib or torch-mlir." % name)


def __getattr__(name):
    if name in ("ir", "passmanager"):
        _refuse("iree.compiler." + name)
    raise AttributeError("module 'iree.compiler' has no attribute '%s'" % name)
