// Two results of different shapes and types.
func.func @split(%x: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %whole = stablehlo.convert %x : (tensor<3x4xf32>) -> tensor<3x4xi32>
  return %sum, %whole : tensor<3xf32>, tensor<3x4xi32>
}
