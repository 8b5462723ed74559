// Random bits of a given state, as XLA gives them, and numbers without one.
func.func @threefry(%s: tensor<2xi64>) -> (tensor<2xi64>, tensor<2x3xi32>, tensor<2xi64>, tensor<3xi16>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2x3xi32>)
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  %2:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<3xi16>)
  return %0#0, %0#1, %1#1, %2#1 : tensor<2xi64>, tensor<2x3xi32>, tensor<2xi64>, tensor<3xi16>
}
func.func @philox(%s: tensor<2xi64>) -> (tensor<2xi64>, tensor<5xi32>, tensor<2xi64>, tensor<3xi16>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xi64>) -> (tensor<2xi64>, tensor<5xi32>)
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  %2:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xi64>) -> (tensor<2xi64>, tensor<3xi16>)
  return %0#0, %0#1, %1#1, %2#1 : tensor<2xi64>, tensor<5xi32>, tensor<2xi64>, tensor<3xi16>
}
func.func @uniform(%from: tensor<f32>, %to: tensor<f32>) -> tensor<2x3xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %from, %to, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
