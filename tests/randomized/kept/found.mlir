// program p124_d: graph; crash: compile: exit -11: 
// in 0x1xi64 
// in 0x1xi64 
// out 0x1xi16  exact
func.func @p124_d(%a0: tensor<0x1xi64>, %v3: tensor<?x1xi64>) -> (tensor<?x1xi16>) {
  %v5 = stablehlo.shift_right_logical %a0, %v3 : (tensor<0x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi64>
  %v9 = stablehlo.convert %v5 : (tensor<?x1xi64>) -> tensor<?x1xi16>
  return %v9 : tensor<?x1xi16>
}
// program p136_d: graph; refused: compile: p136_d.mlir:2:9: error: 'tensor.collapse_shape' op has groups that leave dimensions out
// in 1xbf16 0a3f
// out bf16 0a3f value
func.func @p136_d(%a0: tensor<?xbf16>) -> (tensor<bf16>) {
  %v3 = stablehlo.reshape %a0 : (tensor<?xbf16>) -> tensor<bf16>
  return %v3 : tensor<bf16>
}
