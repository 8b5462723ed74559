// Along the last dimension: the sum is carried.
func.func @sums(%a: tensor<3x20xi32>) -> tensor<3x20xi32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 1, 20>, padding = dense<[[0, 0], [19, 0]]> : tensor<2x2xi64>} : (tensor<3x20xi32>, tensor<i32>) -> tensor<3x20xi32>
  return %0 : tensor<3x20xi32>
}
// Along the first dimension: the neighbour is read.
func.func @columns(%a: tensor<18x21xf32>) -> tensor<18x21xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 18, 1>, padding = dense<[[17, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<18x21xf32>, tensor<f32>) -> tensor<18x21xf32>
  return %0 : tensor<18x21xf32>
}
