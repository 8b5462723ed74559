// Functions that upstream's CPU target has no f64 form of.
func.func @math(%x: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %tanh = stablehlo.tanh %x : tensor<8xf64>
  %sine = stablehlo.sine %x : tensor<8xf64>
  return %tanh, %sine : tensor<8xf64>, tensor<8xf64>
}
