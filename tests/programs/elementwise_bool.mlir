// Elementwise over booleans.
func.func @ops_i1(%a: tensor<8xi1>, %b: tensor<8xi1>) -> (tensor<8xi1>, tensor<8xi1>, tensor<8xi32>) {
  %both = stablehlo.and %a, %b : tensor<8xi1>
  %one = stablehlo.xor %a, %b : tensor<8xi1>
  %none = stablehlo.not %both : tensor<8xi1>
  %x = stablehlo.or %one, %both : tensor<8xi1>
  %chosen = stablehlo.select %a, %none, %x : tensor<8xi1>, tensor<8xi1>
  %number = stablehlo.convert %chosen : (tensor<8xi1>) -> tensor<8xi32>
  return %chosen, %none, %number : tensor<8xi1>, tensor<8xi1>, tensor<8xi32>
}
