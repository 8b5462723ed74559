# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libIREECompiler.so: found, loaded once, with the signatures of its functions."""
import ctypes
import os
import pathlib
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint64, c_void_p

FLAG_CALLBACK = ctypes.CFUNCTYPE(None, c_void_p, c_size_t, c_void_p)

# name without "ireeCompiler": (result, arguments)
_SIGNATURES = {
    "ErrorDestroy": (None, [c_void_p]),
    "ErrorGetMessage": (c_char_p, [c_void_p]),
    "GetAPIVersion": (c_int, []),
    "GetRevision": (c_char_p, []),
    "GlobalInitialize": (None, []),
    "SetupGlobalCL": (None, [c_int, POINTER(c_char_p), c_char_p, c_bool]),
    "SessionCreate": (c_void_p, []),
    "SessionDestroy": (None, [c_void_p]),
    "SessionGetFlags": (None, [c_void_p, c_bool, FLAG_CALLBACK, c_void_p]),
    "SessionSetFlags": (c_void_p, [c_void_p, c_int, POINTER(c_char_p)]),
    "InvocationCreate": (c_void_p, [c_void_p]),
    "InvocationDestroy": (None, [c_void_p]),
    "InvocationEnableConsoleDiagnostics": (None, [c_void_p]),
    "InvocationParseSource": (c_bool, [c_void_p, c_void_p]),
    "InvocationPipeline": (c_bool, [c_void_p, c_int]),
    "InvocationRunPassPipeline": (c_bool, [c_void_p, c_char_p]),
    "InvocationOutputIR": (c_void_p, [c_void_p, c_void_p]),
    "InvocationOutputIRBytecode": (c_void_p, [c_void_p, c_void_p, c_int]),
    "InvocationOutputVMBytecode": (c_void_p, [c_void_p, c_void_p]),
    "SourceDestroy": (None, [c_void_p]),
    "SourceOpenFile": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "SourceWrapBuffer": (c_void_p, [c_void_p, c_char_p, c_void_p, c_size_t, c_bool, POINTER(c_void_p)]),
    "OutputDestroy": (None, [c_void_p]),
    "OutputOpenFile": (c_void_p, [c_char_p, POINTER(c_void_p)]),
    "OutputOpenMembuffer": (c_void_p, [POINTER(c_void_p)]),
    "OutputKeep": (None, [c_void_p]),
    "OutputWrite": (c_void_p, [c_void_p, c_char_p, c_size_t]),
    "OutputMapMemory": (c_void_p, [c_void_p, POINTER(c_void_p), POINTER(c_uint64)]),
}


def library_path():
    """Where the library is: the environment's IREE_COMPILER_LIBRARY, or in this package."""
    return os.environ.get("IREE_COMPILER_LIBRARY") or str(pathlib.Path(__file__).parent.parent / "libIREECompiler.so")


class Library:
    """The functions, as attributes without "ireeCompiler"."""

    def __init__(self, path):
        try:
            loaded = ctypes.CDLL(path)  # which lets other threads run during calls
        except OSError as e:
            raise ImportError("the compiler's library cannot be loaded: %s" % e) from e
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(loaded, "ireeCompiler" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def check(self, error):
        """Raises ValueError for an error, which is given back."""
        if error:
            message = self.ErrorGetMessage(error).decode("utf-8", "replace")
            self.ErrorDestroy(error)
            raise ValueError(message)


library = Library(library_path())
library.GlobalInitialize()
