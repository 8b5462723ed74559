// Results in memory that the caller hands over: made there, or copied there.
func.func @made(%x: tensor<4xf32>, %out: tensor<4xf32> {iree.abi.output = 0 : index}) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @copied(%x: tensor<?x2xf32>, %out: tensor<?x2xf32> {iree.abi.output = 1 : index}) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %0 = stablehlo.add %x, %x : tensor<?x2xf32>
  return %0, %x : tensor<?x2xf32>, tensor<?x2xf32>
}
func.func @twice(%x: tensor<3xi32>, %a: tensor<3xi32> {iree.abi.output = 0 : index}, %b: tensor<3xi32> {iree.abi.output = 1 : index}) -> (tensor<3xi32>, tensor<3xi32>) {
  %0 = stablehlo.multiply %x, %x : tensor<3xi32>
  return %0, %0 : tensor<3xi32>, tensor<3xi32>
}
