// Blocks of 5, of which the last is not full.
func.func @rows(%a: tensor<2x103xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
  %0:2 = chlo.top_k(%a, k = 4) : tensor<2x103xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>
}
// No blocks: k is too large for them to leave anything out.
func.func @most(%a: tensor<80xf32>) -> (tensor<60xf32>, tensor<60xi32>) {
  %0:2 = chlo.top_k(%a, k = 60) : tensor<80xf32> -> (tensor<60xf32>, tensor<60xi32>)
  return %0#0, %0#1 : tensor<60xf32>, tensor<60xi32>
}
