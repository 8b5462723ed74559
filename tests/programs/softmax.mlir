// Softmax over the rows of a matrix: one dispatch.
func.func @softmax(%x: tensor<6x40xf32>) -> tensor<6x40xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<6x40xf32>, tensor<f32>) -> tensor<6xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<6xf32>) -> tensor<6x40xf32>
  %shifted = stablehlo.subtract %x, %maxes : tensor<6x40xf32>
  %exp = stablehlo.exponential %shifted : tensor<6x40xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x40xf32>, tensor<f32>) -> tensor<6xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<6xf32>) -> tensor<6x40xf32>
  %result = stablehlo.divide %exp, %sums : tensor<6x40xf32>
  return %result : tensor<6x40xf32>
}
