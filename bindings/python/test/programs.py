# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that the tests share, compiled once in a process."""
import os
import pathlib
import subprocess
import tempfile

import numpy as np

WORK = tempfile.TemporaryDirectory()
SAMPLES = pathlib.Path(os.environ["IREE_SAMPLES"])
A = np.array([1, 2, 3, 4], np.float32)
B = np.array([10, 20, 30, 40], np.float32)


def compiled(name, text, *flags):
    """The path of a compiled program."""
    path = pathlib.Path(WORK.name) / (name + ".vmfb")
    if not path.exists():
        subprocess.run([os.environ["IREE_COMPILE"], "-", "-o", str(path), "--iree-hal-target-backends=llvm-cpu", *flags],
                       input=text.encode(), check=True)
    return str(path)


def add_file():
    """add(tensor<4xf32>, tensor<4xf32>)."""
    return compiled("add", (SAMPLES / "add.mlir").read_text())


def state_file():
    """bump() counts the calls of a context."""
    return compiled("state", """
util.global private mutable @n = 0 : i32
func.func @bump() -> i32 {
  %n = util.global.load @n : i32
  %one = arith.constant 1 : i32
  %next = arith.addi %n, %one : i32
  util.global.store %next, @n : i32
  return %next : i32
}
""")
