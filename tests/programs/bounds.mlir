// Dimensions that have a bound, and what is cut to a size known at run time only.
func.func @twice(%a: tensor<?x2xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x2xf32, #stablehlo.bounds<8, ?>> {
  %0 = stablehlo.add %a, %a : tensor<?x2xf32, #stablehlo.bounds<8, ?>>
  return %0 : tensor<?x2xf32, #stablehlo.bounds<8, ?>>
}
func.func @cut(%a: tensor<3x2xf32>, %n: tensor<i32>) -> (tensor<?x2xf32, #stablehlo.bounds<3, ?>>, tensor<i32>, tensor<2xf32>) {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<3, ?>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x2xf32, #stablehlo.bounds<3, ?>>) -> tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x2xf32, #stablehlo.bounds<3, ?>>, tensor<f32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<?x2xf32, #stablehlo.bounds<3, ?>>, tensor<i32>, tensor<2xf32>
}
