# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of IREE's package that this one does not have, and why: importing one raises ImportError that says so."""
import importlib.abc
import sys

_BINDINGS = ("MLIR's own Python bindings, is not part of this compiler: it has no MLIR inside. "
             "Build programs as text, or with the MLIR of jaxlib or torch-mlir.")
_IMPORTER = "is an importer that needs %s; convert the model to StableHLO with it first, then use compile_file."
REASONS = {
    "ir": _BINDINGS, "passmanager": _BINDINGS, "rewrite": _BINDINGS, "dialects": _BINDINGS, "_mlir_libs": _BINDINGS,
    "extras": _BINDINGS, "execution_engine": _BINDINGS, "transforms": _BINDINGS, "runtime": _BINDINGS,
    "tf": _IMPORTER % "TensorFlow", "tflite": _IMPORTER % "TensorFlow", "tools.tf": _IMPORTER % "TensorFlow",
    "tools.tflite": _IMPORTER % "TensorFlow",
    "tools.import_onnx": "is built on MLIR's Python bindings, which this compiler has not; export the model to StableHLO.",
}


def refuse(name):
    """Raises the ImportError of `iree.compiler.NAME`, if it is absent on purpose."""
    if name in REASONS:
        full = "iree.compiler." + name
        raise ImportError("%s, %s" % (full, REASONS[name]) if REASONS[name] is _BINDINGS else "%s %s" % (full, REASONS[name]), name=full)


class _Finder(importlib.abc.MetaPathFinder):
    """Asked last, when nobody has found the module."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.startswith("iree.compiler."):
            refuse(fullname.removeprefix("iree.compiler."))
        return None


def install():
    """Makes imports of absent modules say why."""
    if not any(isinstance(f, _Finder) for f in sys.meta_path):
        sys.meta_path.append(_Finder())
