// Two devices: a sum on the first, its square on the second, a difference on the first again.
func.func @f(%a: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@a>}, %b: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@a>}) -> (tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@a>}) {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = flow.tensor.transfer %0 : tensor<4xf32> to #hal.device.promise<@b>
  %2 = stablehlo.multiply %1, %1 : tensor<4xf32>
  %3 = flow.tensor.transfer %2 : tensor<4xf32> to #hal.device.promise<@a>
  %4 = stablehlo.subtract %3, %b : tensor<4xf32>
  return %4 : tensor<4xf32>
}
