// RUN: iree-opt --input-convert-stablehlo --input-simplify %s | FileCheck-22 %s

// Window positions are the last loops; a tensor that is never read gives their extents.
// CHECK: affine_map<(d0, d1, d2) -> (d0, d1 * 2 + d2)>
// CHECK-LABEL: util.func public @pool
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:    ins(%arg0, %{{.+}} : tensor<3x8xf32>, tensor<2xf32>)
func.func @pool(%a: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Groups are a loop of their own between the output's dimensions.
// CHECK-LABEL: util.func public @grouped
// CHECK:         tensor.expand_shape %arg0 {{.*}} into tensor<1x8x2x2xf32>
// CHECK:         tensor.expand_shape %arg1 {{.*}} into tensor<3x2x2x3xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK:         tensor.collapse_shape %{{.+}} into tensor<1x6x6xf32>
func.func @grouped(%a: tensor<1x8x4xf32>, %k: tensor<3x2x6xf32>) -> tensor<1x6x6xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x4xf32>, tensor<3x2x6xf32>) -> tensor<1x6x6xf32>
  return %0 : tensor<1x6x6xf32>
}

// Gather clamps its indices so that every slice lies inside.
// CHECK-LABEL: util.func public @gather
// CHECK:         arith.index_cast
// CHECK:         arith.maxsi
// CHECK:         arith.minsi
// CHECK:         tensor.extract %arg0
func.func @gather(%a: tensor<6x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Entries beyond the spatial dimensions have no meaning.
// CHECK-LABEL: util.func public @spare_entries
// CHECK:         linalg.generic {{.*}} ins({{.*}}, %arg1 : tensor<1x?x1xf32>, tensor<2x1x1xf32>)
func.func @spare_entries(%x: tensor<1x4x1xf32>, %k: tensor<2x1x1xf32>, %p: tensor<1x2xi32>) -> tensor<1x?x1xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, window_strides = array<i64: 2, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>
  return %0 : tensor<1x?x1xf32>
}
