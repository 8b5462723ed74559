// Windows over extents that only run time knows.
func.func @select_and_scatter(%a: tensor<?x?xf32>, %s: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>}
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @reduce_window(%a: tensor<?xf32>) -> tensor<?xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) {window_dimensions = array<i64: 3>, base_dilations = array<i64: 2>, padding = dense<[[-1, 1]]> : tensor<1x2xi64>}
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @dynamic_conv(%a: tensor<1x?x2xf32>, %k: tensor<?x2x1xf32>, %p: tensor<1x2xi32>) -> tensor<1x?x1xf32> {
  %0 = "stablehlo.dynamic_conv"(%a, %k, %p) {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, lhs_dilation = array<i64: 2>, window_reversal = array<i1: true>}
    : (tensor<1x?x2xf32>, tensor<?x2x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>
  return %0 : tensor<1x?x1xf32>
}
func.func private @add(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %y : tensor<f32>
  return %0 : tensor<f32>
}
func.func @dynamic_reduce_window(%a: tensor<?xf32>, %w: tensor<1xi32>, %s: tensor<1xi32>, %b: tensor<1xi32>, %d: tensor<1xi32>, %p: tensor<1x2xi32>) -> tensor<?xf32> {
  %i = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%a, %i, %w, %s, %b, %d, %p) {called_computations = [@add]}
    : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
