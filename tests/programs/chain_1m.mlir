// Add, multiply and relu over a million elements: one dispatch.
func.func @chain(%a: tensor<1048576xf32>, %b: tensor<1048576xf32>, %c: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1048576xf32>
  %sum = stablehlo.add %a, %b : tensor<1048576xf32>
  %product = stablehlo.multiply %sum, %c : tensor<1048576xf32>
  %relu = stablehlo.maximum %product, %zero : tensor<1048576xf32>
  return %relu : tensor<1048576xf32>
}
