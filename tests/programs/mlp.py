# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes mlp.mlir, a 784-128-10 perceptron with constant weights, to the path given: 800 kB of hex that
would only burden the repository. The weights are those of a fixed linear congruential sequence."""
import struct
import sys

state = 2026


def weights(count, scale):
    """Multiples of 1/1024 of |scale|, in [-scale, scale)."""
    global state
    out = []
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(((state >> 8) % 2048 - 1024) / 1024 * scale)
    return out


def dense(shape, values):
    return '%%%s = stablehlo.constant dense<"0x%s"> : tensor<%sxf32>' % (
        shape[0], struct.pack("<%df" % len(values), *values).hex().upper(), shape[1])


def main(path):
    lines = ["// A 784-128-10 perceptron: each layer with its bias and relu is one dispatch.",
             "func.func @predict(%x: tensor<1x784xf32>) -> tensor<1x10xf32> {"]
    lines += ["  " + dense(s, weights(n, scale)) for s, n, scale in (
        (("w0", "784x128"), 784 * 128, 0.0625), (("b0", "128"), 128, 0.5), (("w1", "128x10"), 1280, 0.25), (("b1", "10"), 10, 0.5))]
    lines += """  %zero = stablehlo.constant dense<0.0> : tensor<1x128xf32>
  %h0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<1x784xf32>, tensor<784x128xf32>) -> tensor<1x128xf32>
  %c0 = stablehlo.broadcast_in_dim %b0, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
  %h1 = stablehlo.add %h0, %c0 : tensor<1x128xf32>
  %h2 = stablehlo.maximum %h1, %zero : tensor<1x128xf32>
  %y0 = stablehlo.dot_general %h2, %w1, contracting_dims = [1] x [0] : (tensor<1x128xf32>, tensor<128x10xf32>) -> tensor<1x10xf32>
  %c1 = stablehlo.broadcast_in_dim %b1, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
  %y1 = stablehlo.add %y0, %c1 : tensor<1x10xf32>
  return %y1 : tensor<1x10xf32>
}""".splitlines()
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
