// One kernel stores its value as it is and transposed, so two results of one op have unlike shapes.
func.func @gram(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %wide = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %y = stablehlo.subtract %x, %wide : tensor<2x4xf32>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %g = stablehlo.dot_general %y, %t, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}
