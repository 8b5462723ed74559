# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes ds_cnn.mlir, a keyword-spotting net over 49x10 MFCC frames, to the path given: a 10x4 convolution of stride 2,
four depthwise-separable blocks of 64 channels, average pool, a dense layer to 12 classes, softmax. The weights are
those of mlp.py's sequence."""
import sys

import mlp

F = "tensor<%sxf32>"


class Net:
    def __init__(self):
        self.lines, self.n = [], 0

    def op(self, text):
        self.n += 1
        self.lines.append("  %%v%d = %s" % (self.n, text))
        return "%%v%d" % self.n

    def weights(self, name, shape, scale):
        count = 1
        for d in shape:
            count *= d
        self.lines.append("  " + mlp.dense((name, "x".join(map(str, shape))), mlp.weights(count, scale)))
        return "%" + name

    def biased_relu(self, x, name, c, t):
        bias = self.weights(name, (c,), 0.25)
        wide = self.op("stablehlo.broadcast_in_dim %s, dims = [3] : (tensor<%dxf32>) -> %s" % (bias, c, t))
        return self.op("stablehlo.maximum %s, %%zero : %s" % (self.op("stablehlo.add %s, %s : %s" % (x, wide, t)), t))

    def conv(self, x, name, t_in, k, t_out, stride, pad, groups, scale):
        w = self.weights(name, k, scale)
        x = self.op("stablehlo.convolution(%s, %s) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [%d, %d], "
                    "pad = %s} {batch_group_count = 1 : i64, feature_group_count = %d : i64} : (%s, %s) -> %s"
                    % (x, w, stride, stride, pad, groups, t_in, F % "x".join(map(str, k)), t_out))
        return self.biased_relu(x, name + "b", k[3], t_out)


def main(path):
    net, t = Net(), F % "1x25x5x64"
    net.lines += ["func.func @spot(%x: tensor<1x49x10x1xf32>) -> tensor<1x12xf32> {",
                  "  %%zero = stablehlo.constant dense<0.0> : %s" % t, "  %none = stablehlo.constant dense<0.0> : tensor<f32>",
                  "  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>", "  %scale = stablehlo.constant dense<0.008> : tensor<1x64xf32>"]
    x = net.conv("%x", "c", F % "1x49x10x1", (10, 4, 1, 64), t, 2, "[[4, 5], [1, 1]]", 1, 0.25)
    for i in range(4):
        x = net.conv(x, "d%d" % i, t, (3, 3, 1, 64), t, 1, "[[1, 1], [1, 1]]", 64, 0.5)
        x = net.conv(x, "p%d" % i, t, (1, 1, 64, 64), t, 1, "[[0, 0], [0, 0]]", 1, 0.1875)
    x = net.op("stablehlo.reduce(%s init: %%none) applies stablehlo.add across dimensions = [1, 2] : (%s, tensor<f32>) -> tensor<1x64xf32>" % (x, t))
    x = net.op("stablehlo.multiply %s, %%scale : tensor<1x64xf32>" % x)
    w = net.weights("w", (64, 12), 0.25)
    x = net.op("stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (tensor<1x64xf32>, tensor<64x12xf32>) -> tensor<1x12xf32>" % (x, w))
    b = net.weights("b", (12,), 0.5)
    x = net.op("stablehlo.add %s, %s : tensor<1x12xf32>" % (x, net.op("stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<12xf32>) -> tensor<1x12xf32>" % b)))
    m = net.op("stablehlo.reduce(%s init: %%low) applies stablehlo.maximum across dimensions = [1] : (tensor<1x12xf32>, tensor<f32>) -> tensor<1xf32>" % x)
    m = net.op("stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<1xf32>) -> tensor<1x12xf32>" % m)
    e = net.op("stablehlo.exponential %s : tensor<1x12xf32>" % net.op("stablehlo.subtract %s, %s : tensor<1x12xf32>" % (x, m)))
    s = net.op("stablehlo.reduce(%s init: %%none) applies stablehlo.add across dimensions = [1] : (tensor<1x12xf32>, tensor<f32>) -> tensor<1xf32>" % e)
    s = net.op("stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<1xf32>) -> tensor<1x12xf32>" % s)
    net.lines += ["  return %s : tensor<1x12xf32>" % net.op("stablehlo.divide %s, %s : tensor<1x12xf32>" % (e, s)), "}"]
    with open(path, "w") as f:
        f.write("\n".join(net.lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
