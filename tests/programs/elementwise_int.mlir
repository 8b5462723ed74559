// Elementwise over the signless integers: arithmetic, bits, division.
func.func @ops_i8(%a: tensor<8xi8>, %b: tensor<8xi8>, %c: tensor<8xi8>, %n: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %sum = stablehlo.add %a, %b : tensor<8xi8>
  %product = stablehlo.multiply %sum, %c : tensor<8xi8>
  %difference = stablehlo.subtract %product, %a : tensor<8xi8>
  %low = stablehlo.minimum %difference, %c : tensor<8xi8>
  %high = stablehlo.maximum %low, %b : tensor<8xi8>
  %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xi8>
  %masked = stablehlo.and %a, %b : tensor<8xi8>
  %mixed = stablehlo.xor %masked, %c : tensor<8xi8>
  %either = stablehlo.or %mixed, %a : tensor<8xi8>
  %flipped = stablehlo.not %either : tensor<8xi8>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xi8>
  %bits = stablehlo.shift_right_arithmetic %left, %n : tensor<8xi8>
  %quotient = stablehlo.divide %a, %n : tensor<8xi8>
  %remainder = stablehlo.remainder %b, %n : tensor<8xi8>
  %division = stablehlo.add %quotient, %remainder : tensor<8xi8>
  return %arithmetic, %bits, %division : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}
func.func @ops_i16(%a: tensor<8xi16>, %b: tensor<8xi16>, %c: tensor<8xi16>, %n: tensor<8xi16>) -> (tensor<8xi16>, tensor<8xi16>, tensor<8xi16>) {
  %sum = stablehlo.add %a, %b : tensor<8xi16>
  %product = stablehlo.multiply %sum, %c : tensor<8xi16>
  %difference = stablehlo.subtract %product, %a : tensor<8xi16>
  %low = stablehlo.minimum %difference, %c : tensor<8xi16>
  %high = stablehlo.maximum %low, %b : tensor<8xi16>
  %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xi16>
  %masked = stablehlo.and %a, %b : tensor<8xi16>
  %mixed = stablehlo.xor %masked, %c : tensor<8xi16>
  %either = stablehlo.or %mixed, %a : tensor<8xi16>
  %flipped = stablehlo.not %either : tensor<8xi16>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xi16>
  %bits = stablehlo.shift_right_arithmetic %left, %n : tensor<8xi16>
  %quotient = stablehlo.divide %a, %n : tensor<8xi16>
  %remainder = stablehlo.remainder %b, %n : tensor<8xi16>
  %division = stablehlo.add %quotient, %remainder : tensor<8xi16>
  return %arithmetic, %bits, %division : tensor<8xi16>, tensor<8xi16>, tensor<8xi16>
}
func.func @ops_i32(%a: tensor<8xi32>, %b: tensor<8xi32>, %c: tensor<8xi32>, %n: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %sum = stablehlo.add %a, %b : tensor<8xi32>
  %product = stablehlo.multiply %sum, %c : tensor<8xi32>
  %difference = stablehlo.subtract %product, %a : tensor<8xi32>
  %low = stablehlo.minimum %difference, %c : tensor<8xi32>
  %high = stablehlo.maximum %low, %b : tensor<8xi32>
  %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xi32>
  %masked = stablehlo.and %a, %b : tensor<8xi32>
  %mixed = stablehlo.xor %masked, %c : tensor<8xi32>
  %either = stablehlo.or %mixed, %a : tensor<8xi32>
  %flipped = stablehlo.not %either : tensor<8xi32>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xi32>
  %bits = stablehlo.shift_right_arithmetic %left, %n : tensor<8xi32>
  %quotient = stablehlo.divide %a, %n : tensor<8xi32>
  %remainder = stablehlo.remainder %b, %n : tensor<8xi32>
  %division = stablehlo.add %quotient, %remainder : tensor<8xi32>
  return %arithmetic, %bits, %division : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}
func.func @ops_i64(%a: tensor<8xi64>, %b: tensor<8xi64>, %c: tensor<8xi64>, %n: tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) {
  %sum = stablehlo.add %a, %b : tensor<8xi64>
  %product = stablehlo.multiply %sum, %c : tensor<8xi64>
  %difference = stablehlo.subtract %product, %a : tensor<8xi64>
  %low = stablehlo.minimum %difference, %c : tensor<8xi64>
  %high = stablehlo.maximum %low, %b : tensor<8xi64>
  %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>
  %arithmetic = stablehlo.select %less, %high, %difference : tensor<8xi1>, tensor<8xi64>
  %masked = stablehlo.and %a, %b : tensor<8xi64>
  %mixed = stablehlo.xor %masked, %c : tensor<8xi64>
  %either = stablehlo.or %mixed, %a : tensor<8xi64>
  %flipped = stablehlo.not %either : tensor<8xi64>
  %left = stablehlo.shift_left %flipped, %n : tensor<8xi64>
  %bits = stablehlo.shift_right_arithmetic %left, %n : tensor<8xi64>
  %quotient = stablehlo.divide %a, %n : tensor<8xi64>
  %remainder = stablehlo.remainder %b, %n : tensor<8xi64>
  %division = stablehlo.add %quotient, %remainder : tensor<8xi64>
  return %arithmetic, %bits, %division : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}
