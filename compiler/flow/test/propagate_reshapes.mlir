// RUN: iree-opt --flow-propagate-reshapes %s | FileCheck-22 %s
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: @f
// CHECK:         %[[M:.+]] = linalg.matmul
// CHECK:         %[[R:.+]] = linalg.generic {{.*}} ins(%[[M]], %{{.+}} : tensor<12x8xf32>, tensor<8xf32>)
// CHECK:         tensor.expand_shape %{{.+}} : tensor<12x8xf32> into tensor<2x6x8xf32>
util.func public @f(%x: tensor<12x4xf32>, %w: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x8xf32>) -> tensor<12x8xf32>
  %m = linalg.matmul ins(%x, %w : tensor<12x4xf32>, tensor<4x8xf32>) outs(%f : tensor<12x8xf32>) -> tensor<12x8xf32>
  %s = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 6, 8] : tensor<12x8xf32> into tensor<2x6x8xf32>
  %g = tensor.empty() : tensor<2x6x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %b : tensor<2x6x8xf32>, tensor<8xf32>) outs(%g : tensor<2x6x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x6x8xf32>
  util.return %r : tensor<2x6x8xf32>
}
