// Add, multiply and relu over a small vector: one dispatch.
func.func @chain(%a: tensor<128xf32>, %b: tensor<128xf32>, %c: tensor<128xf32>) -> tensor<128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<128xf32>
  %sum = stablehlo.add %a, %b : tensor<128xf32>
  %product = stablehlo.multiply %sum, %c : tensor<128xf32>
  %relu = stablehlo.maximum %product, %zero : tensor<128xf32>
  return %relu : tensor<128xf32>
}
