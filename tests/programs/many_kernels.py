# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes many_kernels.mlir, a chain of 150 kernels that all differ, to the path given: more than the compiler puts into
one object. Step i drops the first element and computes 3x + i, wrapping around."""
import sys

STEPS, LAST = 150, 4


def tensor(i):
    return "tensor<%dxi32>" % (LAST + STEPS - i)


def main(path):
    lines = ["func.func @chain(%%v0: %s) -> %s {" % (tensor(0), tensor(STEPS)), "  %three = stablehlo.constant dense<3> : tensor<i32>"]
    for i in range(STEPS):
        new = tensor(i + 1)
        lines += [
            "  %%s%d = stablehlo.slice %%v%d [1:%d] : (%s) -> %s" % (i, i, LAST + STEPS - i, tensor(i), new),
            "  %%t%d = stablehlo.broadcast_in_dim %%three, dims = [] : (tensor<i32>) -> %s" % (i, new),
            "  %%m%d = stablehlo.multiply %%s%d, %%t%d : %s" % (i, i, i, new),
            "  %%c%d = stablehlo.constant dense<%d> : %s" % (i, i, new),
            "  %%a%d = stablehlo.add %%m%d, %%c%d : %s" % (i, i, i, new),
            "  %%v%d = stablehlo.optimization_barrier %%a%d : %s" % (i + 1, i, new),
        ]
    lines += ["  return %%v%d : %s" % (STEPS, tensor(STEPS)), "}"]
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
