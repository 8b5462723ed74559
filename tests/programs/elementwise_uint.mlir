// Elementwise over the unsigned integers: arithmetic, bits, division.
func.func @ops_ui8(%a: tensor<8xui8>, %b: tensor<8xui8>, %c: tensor<8xui8>, %n: tensor<8xui8>) -> (tensor<8xui8>, tensor<8xui8>, tensor<8xui8>) {
  %sum = stablehlo.add %a, %b : tensor<8xui8>
  %product = stablehlo.multiply %sum, %c : tensor<8xui8>
  %difference = stablehlo.subtract %product, %a : tensor<8xui8>
  %low = stablehlo.minimum %difference, %c : tensor<8xui8>
  %high = stablehlo.maximum %low, %b : tensor<8xui8>
  %less = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xui8>
  %masked = stablehlo.and %a, %b : tensor<8xui8>
  %mixed = stablehlo.xor %masked, %c : tensor<8xui8>
  %either = stablehlo.or %mixed, %a : tensor<8xui8>
  %flipped = stablehlo.not %either : tensor<8xui8>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xui8>
  %bits = stablehlo.shift_right_logical %left, %n : tensor<8xui8>
  %quotient = stablehlo.divide %a, %n : tensor<8xui8>
  %remainder = stablehlo.remainder %b, %n : tensor<8xui8>
  %division = stablehlo.add %quotient, %remainder : tensor<8xui8>
  return %arithmetic, %bits, %division : tensor<8xui8>, tensor<8xui8>, tensor<8xui8>
}
func.func @ops_ui16(%a: tensor<8xui16>, %b: tensor<8xui16>, %c: tensor<8xui16>, %n: tensor<8xui16>) -> (tensor<8xui16>, tensor<8xui16>, tensor<8xui16>) {
  %sum = stablehlo.add %a, %b : tensor<8xui16>
  %product = stablehlo.multiply %sum, %c : tensor<8xui16>
  %difference = stablehlo.subtract %product, %a : tensor<8xui16>
  %low = stablehlo.minimum %difference, %c : tensor<8xui16>
  %high = stablehlo.maximum %low, %b : tensor<8xui16>
  %less = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<8xui16>, tensor<8xui16>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xui16>
  %masked = stablehlo.and %a, %b : tensor<8xui16>
  %mixed = stablehlo.xor %masked, %c : tensor<8xui16>
  %either = stablehlo.or %mixed, %a : tensor<8xui16>
  %flipped = stablehlo.not %either : tensor<8xui16>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xui16>
  %bits = stablehlo.shift_right_logical %left, %n : tensor<8xui16>
  %quotient = stablehlo.divide %a, %n : tensor<8xui16>
  %remainder = stablehlo.remainder %b, %n : tensor<8xui16>
  %division = stablehlo.add %quotient, %remainder : tensor<8xui16>
  return %arithmetic, %bits, %division : tensor<8xui16>, tensor<8xui16>, tensor<8xui16>
}
func.func @ops_ui32(%a: tensor<8xui32>, %b: tensor<8xui32>, %c: tensor<8xui32>, %n: tensor<8xui32>) -> (tensor<8xui32>, tensor<8xui32>, tensor<8xui32>) {
  %sum = stablehlo.add %a, %b : tensor<8xui32>
  %product = stablehlo.multiply %sum, %c : tensor<8xui32>
  %difference = stablehlo.subtract %product, %a : tensor<8xui32>
  %low = stablehlo.minimum %difference, %c : tensor<8xui32>
  %high = stablehlo.maximum %low, %b : tensor<8xui32>
  %less = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xui32>
  %masked = stablehlo.and %a, %b : tensor<8xui32>
  %mixed = stablehlo.xor %masked, %c : tensor<8xui32>
  %either = stablehlo.or %mixed, %a : tensor<8xui32>
  %flipped = stablehlo.not %either : tensor<8xui32>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xui32>
  %bits = stablehlo.shift_right_logical %left, %n : tensor<8xui32>
  %quotient = stablehlo.divide %a, %n : tensor<8xui32>
  %remainder = stablehlo.remainder %b, %n : tensor<8xui32>
  %division = stablehlo.add %quotient, %remainder : tensor<8xui32>
  return %arithmetic, %bits, %division : tensor<8xui32>, tensor<8xui32>, tensor<8xui32>
}
func.func @ops_ui64(%a: tensor<8xui64>, %b: tensor<8xui64>, %c: tensor<8xui64>, %n: tensor<8xui64>) -> (tensor<8xui64>, tensor<8xui64>, tensor<8xui64>) {
  %sum = stablehlo.add %a, %b : tensor<8xui64>
  %product = stablehlo.multiply %sum, %c : tensor<8xui64>
  %difference = stablehlo.subtract %product, %a : tensor<8xui64>
  %low = stablehlo.minimum %difference, %c : tensor<8xui64>
  %high = stablehlo.maximum %low, %b : tensor<8xui64>
  %less = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xui64>
  %masked = stablehlo.and %a, %b : tensor<8xui64>
  %mixed = stablehlo.xor %masked, %c : tensor<8xui64>
  %either = stablehlo.or %mixed, %a : tensor<8xui64>
  %flipped = stablehlo.not %either : tensor<8xui64>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xui64>
  %bits = stablehlo.shift_right_logical %left, %n : tensor<8xui64>
  %quotient = stablehlo.divide %a, %n : tensor<8xui64>
  %remainder = stablehlo.remainder %b, %n : tensor<8xui64>
  %division = stablehlo.add %quotient, %remainder : tensor<8xui64>
  return %arithmetic, %bits, %division : tensor<8xui64>, tensor<8xui64>, tensor<8xui64>
}
