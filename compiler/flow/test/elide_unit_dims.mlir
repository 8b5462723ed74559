// RUN: iree-opt --flow-elide-unit-dims %s | FileCheck-22 %s
// Both ops run over 4 points; the reshapes between them cancel.
// CHECK-LABEL: @f
// CHECK:         %[[A:.+]] = tensor.collapse_shape %{{.+}}{{ ?}}{{\[}}[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
// CHECK:         linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%[[A]] : tensor<4xf32>)
// CHECK-NOT:     collapse_shape
// CHECK:         linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%{{.+}} : tensor<4xf32>)
// CHECK:         tensor.expand_shape %{{.+}}{{ ?}}{{\[}}[0, 1]] output_shape{{ ?}}[4, 1] : tensor<4xf32> into tensor<4x1xf32>
#map = affine_map<(d0, d1) -> (d0, d1)>
util.func public @f(%a: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %e = tensor.empty() : tensor<4x1xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x1xf32>) outs(%e : tensor<4x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<4x1xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x1xf32>) outs(%e : tensor<4x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<4x1xf32>
  util.return %1 : tensor<4x1xf32>
}
