// Elementwise over the floats: what has one right answer, and what has a stated error.
func.func @exact_f16(%a: tensor<8xf16>, %b: tensor<8xf16>, %c: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) {
  %sum = stablehlo.add %a, %b : tensor<8xf16>
  %quotient = stablehlo.divide %sum, %c : tensor<8xf16>
  %difference = stablehlo.subtract %quotient, %a : tensor<8xf16>
  %low = stablehlo.minimum %difference, %b : tensor<8xf16>
  %size = stablehlo.abs %low : tensor<8xf16>
  %opposite = stablehlo.negate %size : tensor<8xf16>
  %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xi1>
  %exact = stablehlo.select %less, %opposite, %difference : tensor<8xi1>, tensor<8xf16>
  %down = stablehlo.floor %exact : tensor<8xf16>
  %root = stablehlo.sqrt %c : tensor<8xf16>
  return %exact, %down, %root : tensor<8xf16>, tensor<8xf16>, tensor<8xf16>
}
func.func @close_f16(%a: tensor<8xf16>, %b: tensor<8xf16>, %c: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) {
  %exp = stablehlo.exponential %a : tensor<8xf16>
  %log = stablehlo.log %c : tensor<8xf16>
  %tanh = stablehlo.tanh %b : tensor<8xf16>
  %sine = stablehlo.sine %a : tensor<8xf16>
  return %exp, %log, %tanh, %sine : tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>
}
func.func @exact_bf16(%a: tensor<8xbf16>, %b: tensor<8xbf16>, %c: tensor<8xbf16>) -> (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) {
  %sum = stablehlo.add %a, %b : tensor<8xbf16>
  %quotient = stablehlo.divide %sum, %c : tensor<8xbf16>
  %difference = stablehlo.subtract %quotient, %a : tensor<8xbf16>
  %low = stablehlo.minimum %difference, %b : tensor<8xbf16>
  %size = stablehlo.abs %low : tensor<8xbf16>
  %opposite = stablehlo.negate %size : tensor<8xbf16>
  %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xi1>
  %exact = stablehlo.select %less, %opposite, %difference : tensor<8xi1>, tensor<8xbf16>
  %down = stablehlo.floor %exact : tensor<8xbf16>
  %root = stablehlo.sqrt %c : tensor<8xbf16>
  return %exact, %down, %root : tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>
}
func.func @close_bf16(%a: tensor<8xbf16>, %b: tensor<8xbf16>, %c: tensor<8xbf16>) -> (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) {
  %exp = stablehlo.exponential %a : tensor<8xbf16>
  %log = stablehlo.log %c : tensor<8xbf16>
  %tanh = stablehlo.tanh %b : tensor<8xbf16>
  %sine = stablehlo.sine %a : tensor<8xbf16>
  return %exp, %log, %tanh, %sine : tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>
}
func.func @exact_f32(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %sum = stablehlo.add %a, %b : tensor<8xf32>
  %quotient = stablehlo.divide %sum, %c : tensor<8xf32>
  %difference = stablehlo.subtract %quotient, %a : tensor<8xf32>
  %low = stablehlo.minimum %difference, %b : tensor<8xf32>
  %size = stablehlo.abs %low : tensor<8xf32>
  %opposite = stablehlo.negate %size : tensor<8xf32>
  %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %exact = stablehlo.select %less, %opposite, %difference : tensor<8xi1>, tensor<8xf32>
  %down = stablehlo.floor %exact : tensor<8xf32>
  %root = stablehlo.sqrt %c : tensor<8xf32>
  return %exact, %down, %root : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @close_f32(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %exp = stablehlo.exponential %a : tensor<8xf32>
  %log = stablehlo.log %c : tensor<8xf32>
  %tanh = stablehlo.tanh %b : tensor<8xf32>
  %sine = stablehlo.sine %a : tensor<8xf32>
  return %exp, %log, %tanh, %sine : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @exact_f64(%a: tensor<8xf64>, %b: tensor<8xf64>, %c: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) {
  %sum = stablehlo.add %a, %b : tensor<8xf64>
  %quotient = stablehlo.divide %sum, %c : tensor<8xf64>
  %difference = stablehlo.subtract %quotient, %a : tensor<8xf64>
  %low = stablehlo.minimum %difference, %b : tensor<8xf64>
  %size = stablehlo.abs %low : tensor<8xf64>
  %opposite = stablehlo.negate %size : tensor<8xf64>
  %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
  %exact = stablehlo.select %less, %opposite, %difference : tensor<8xi1>, tensor<8xf64>
  %down = stablehlo.floor %exact : tensor<8xf64>
  %root = stablehlo.sqrt %c : tensor<8xf64>
  return %exact, %down, %root : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}
func.func @close_f64(%a: tensor<8xf64>, %c: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %exp = stablehlo.exponential %a : tensor<8xf64>
  %log = stablehlo.log %c : tensor<8xf64>
  return %exp, %log : tensor<8xf64>, tensor<8xf64>
}
