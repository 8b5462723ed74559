# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler as functions."""
from .binaries import CompilerToolError
from .core import (DEFAULT_TESTING_BACKENDS, CompilerOptions, InputType, OutputFormat, compile_file, compile_str,
                   query_available_targets)
from .debugging import TempFileSaver

__all__ = ["CompilerOptions", "CompilerToolError", "DEFAULT_TESTING_BACKENDS", "InputType", "OutputFormat", "TempFileSaver",
           "compile_file", "compile_str", "query_available_targets"]
