# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of a program's functions, as iree-benchmark-module measures them."""
import collections
import json
import os
import subprocess

import numpy as np

from ._native import VmModule
from .dtypes import DTYPE_TO_ABI_TYPE
from .tools import tool_path

__all__ = ["benchmark_exe", "benchmark_module"]

BenchmarkResult = collections.namedtuple("BenchmarkResult", "benchmark_name time cpu_time iterations user_counters")


class BenchmarkToolError(Exception):
    """The tool failed: `message` has what it printed."""

    def __init__(self, message):
        self.message = message
        super().__init__(message)


class BenchmarkTimeoutError(Exception):
    """It took longer than it was given."""


def benchmark_exe() -> str:
    """The path of iree-benchmark-module."""
    return tool_path("iree-benchmark-module")


def _entry_of(module, entry_function):
    names = [n for n in module.function_names if not n.startswith("__")]
    if entry_function is None:
        if len(names) != 1:
            raise ValueError("which function? There are: %s" % ", ".join(names))
        return names[0]
    if entry_function not in names:
        raise ValueError("no function '%s'; there are: %s" % (entry_function, ", ".join(names)))
    return entry_function


def _input_of(value):
    if isinstance(value, str):
        return value
    value = np.asarray(value)
    if value.dtype not in DTYPE_TO_ABI_TYPE:
        raise ValueError("arrays of %s cannot be written as an input; give a string" % value.dtype)
    flat = value.flatten()
    values = flat[:1] if flat.size and np.all(flat == flat[0]) else flat
    return "%s=%s" % ("x".join([*map(str, value.shape), DTYPE_TO_ABI_TYPE[value.dtype]]), ",".join(str(v) for v in values))


def _build_benchmark_args(module, entry_function=None, inputs=None, **kwargs):
    """The command, and the bytes that it reads."""
    if isinstance(module, VmModule):
        entry_function, contents, path = _entry_of(module, entry_function), module.stashed_flatbuffer_blob, "-"
        if contents is None:
            raise ValueError("module '%s' is no program" % module.name)
    else:
        if entry_function is None:
            raise ValueError("a program's path was given; the function's name is needed as well")
        contents, path = None, os.fspath(module)
    args = [benchmark_exe(), "--module=%s" % path, "--function=%s" % entry_function]
    args += ["--%s=%s" % item for item in kwargs.items()]
    return args + ["--input=" + _input_of(v) for v in inputs or []], contents


def _result_of(row):
    known = {"name", "real_time", "cpu_time", "time_unit", "iterations", "run_name", "run_type", "repetitions", "repetition_index",
             "family_index", "per_family_instance_index", "threads", "aggregate_name", "aggregate_unit"}
    counters = " ".join("%s=%s" % (k, v) for k, v in row.items() if k not in known)
    return BenchmarkResult(row["name"], "%g %s" % (row["real_time"], row["time_unit"]), "%g %s" % (row["cpu_time"], row["time_unit"]),
                           str(row.get("iterations", "")), counters or None)


def benchmark_module(module, entry_function: str | None = None, inputs=None, timeout: float | None = None, **kwargs) -> list[BenchmarkResult]:
    """Times of a function: a list of BenchmarkResult, whose fields are text (`time` is e.g. "0.0021 ms").

    module: a VmModule of a program, or a path.  entry_function: needed for a path and where there are several.
    inputs: arrays, or text as iree-benchmark-module takes it.  timeout: seconds.  kwargs: more flags of it, e.g. device=.
    Raises BenchmarkTimeoutError, BenchmarkToolError with what the tool printed, ValueError.
    """
    args, contents = _build_benchmark_args(module, entry_function, inputs, **kwargs)
    try:
        done = subprocess.run(args + ["--benchmark_format=json"], input=contents, timeout=timeout, capture_output=True)
    except subprocess.TimeoutExpired:
        raise BenchmarkTimeoutError("no result after %s seconds" % timeout) from None
    if done.returncode != 0:
        raise BenchmarkToolError("stderr:\n%s\nstdout:\n%s" % (done.stderr.decode(errors="replace"), done.stdout.decode(errors="replace")))
    return [_result_of(row) for row in json.loads(done.stdout)["benchmarks"]]
