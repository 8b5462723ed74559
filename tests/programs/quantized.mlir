// Quantised tensors at the boundary as what they store: scales per tensor and per axis, bounds, signs, regions.
!a = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<u8:f32, 0.25:128>
!d = !quant.uniform<i8:f32, 0.25>
!e = !quant.uniform<i8<-100:100>:f32, 0.5:3>
!f = !quant.uniform<i8<-100:100>:f32, 0.25>
!c = !quant.uniform<i8<-100:100>:f32, 1.0:-3>
!w = !quant.uniform<i8:f32:1, {0.5:1, 0.25}>
!k = !quant.uniform<i8:f32:1, {0.5, 0.25}>
!s = !quant.uniform<i32:f32, 0.5>
func.func @arithmetic(%x: tensor<4x!a>, %y: tensor<4x!b>) -> (tensor<4x!c>, tensor<4x!c>, tensor<4xi1>, tensor<4x!b>) {
  %z = stablehlo.uniform_quantize %y : (tensor<4x!b>) -> tensor<4x!d>
  %u = stablehlo.uniform_quantize %x : (tensor<4x!a>) -> tensor<4x!e>
  %v = stablehlo.uniform_quantize %z : (tensor<4x!d>) -> tensor<4x!f>
  %0 = stablehlo.add %u, %v : (tensor<4x!e>, tensor<4x!f>) -> tensor<4x!c>
  %1 = stablehlo.multiply %u, %v : (tensor<4x!e>, tensor<4x!f>) -> tensor<4x!c>
  %2 = stablehlo.compare LT, %x, %z : (tensor<4x!a>, tensor<4x!d>) -> tensor<4xi1>
  %3 = stablehlo.uniform_quantize %x : (tensor<4x!a>) -> tensor<4x!b>
  return %0, %1, %2, %3 : tensor<4x!c>, tensor<4x!c>, tensor<4xi1>, tensor<4x!b>
}
func.func @rounding(%x: tensor<8xf32>) -> (tensor<8x!a>, tensor<8x!c>, tensor<8xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!a>
  %1 = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!c>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<8x!a>) -> tensor<8xf32>
  return %0, %1, %2 : tensor<8x!a>, tensor<8x!c>, tensor<8xf32>
}
func.func @weights(%x: tensor<2x3xf32>, %w: tensor<3x2x!w>) -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  %k = stablehlo.uniform_quantize %w : (tensor<3x2x!w>) -> tensor<3x2x!k>
  %0 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2x!k>) -> tensor<2x2xf32>
  %1 = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x2x!w>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>) -> tensor<2x3xf32>
  return %0, %2 : tensor<2x2xf32>, tensor<2x3xf32>
}
func.func @regions(%x: tensor<4x!a>) -> (tensor<!s>, tensor<4x!a>, tensor<3x!a>) {
  %zero = stablehlo.constant() {value = dense<0> : tensor<i32>} : () -> tensor<!s>
  %least = stablehlo.constant() {value = dense<-128> : tensor<i8>} : () -> tensor<!a>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<!s>, %q: tensor<!s>):
    %r = stablehlo.add %p, %q : tensor<!s>
    stablehlo.return %r : tensor<!s>
  }) : (tensor<4x!a>, tensor<!s>) -> tensor<!s>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<!a>, %q: tensor<!a>):
    %r = stablehlo.compare GT, %p, %q : (tensor<!a>, tensor<!a>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x!a>) -> tensor<4x!a>
  %2 = "stablehlo.reduce_window"(%x, %least) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%p: tensor<!a>, %q: tensor<!a>):
    %r = stablehlo.maximum %p, %q : tensor<!a>
    stablehlo.return %r : tensor<!a>
  }) : (tensor<4x!a>, tensor<!a>) -> tensor<3x!a>
  return %0, %1, %2 : tensor<!s>, tensor<4x!a>, tensor<3x!a>
}
func.func @dynamic(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<?x2xf32>) -> tensor<?x2x!w>
  %1 = stablehlo.add %0, %0 : tensor<?x2x!w>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<?x2x!w>) -> tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}
// Sums beyond 24 bits: exact, as the result stores them by the product of both scales.
func.func @sums(%x: tensor<2x2048x!quant.uniform<i8:f32, 0.1:-128>>, %w: tensor<2048x2x!quant.uniform<i8:f32, 0.07>>, %i: tensor<1x4x1x!a>, %k: tensor<3x1x2x!quant.uniform<i8:f32, 0.25:-2>>) -> (tensor<2x2x!quant.uniform<i32:f32, 0.007>>, tensor<1x4x2x!c>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x2048x!quant.uniform<i8:f32, 0.1:-128>>, tensor<2048x2x!quant.uniform<i8:f32, 0.07>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.007>>
  %1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1x!a>, tensor<3x1x2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<1x4x2x!c>
  return %0, %1 : tensor<2x2x!quant.uniform<i32:f32, 0.007>>, tensor<1x4x2x!c>
}
