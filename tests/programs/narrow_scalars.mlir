// Single numbers that the host has no registers for, as borders and first values.
func.func @half(%x: tensor<3xf16>, %p: tensor<f16>, %n: tensor<1xi32>) -> (tensor<5xf16>, tensor<?xf16>, tensor<f16>) {
  %0 = stablehlo.pad %x, %p, low = [1], high = [-1], interior = [1] : (tensor<3xf16>, tensor<f16>) -> tensor<5xf16>
  %1 = stablehlo.dynamic_pad %x, %p, %n, %n, %n : (tensor<3xf16>, tensor<f16>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf16>
  %2 = stablehlo.reduce(%x init: %p) applies stablehlo.add across dimensions = [0] : (tensor<3xf16>, tensor<f16>) -> tensor<f16>
  return %0, %1, %2 : tensor<5xf16>, tensor<?xf16>, tensor<f16>
}
func.func @brain(%x: tensor<3xbf16>, %p: tensor<bf16>, %n: tensor<1xi32>) -> (tensor<5xbf16>, tensor<?xbf16>, tensor<bf16>) {
  %0 = stablehlo.pad %x, %p, low = [1], high = [-1], interior = [1] : (tensor<3xbf16>, tensor<bf16>) -> tensor<5xbf16>
  %1 = stablehlo.dynamic_pad %x, %p, %n, %n, %n : (tensor<3xbf16>, tensor<bf16>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xbf16>
  %2 = stablehlo.reduce(%x init: %p) applies stablehlo.add across dimensions = [0] : (tensor<3xbf16>, tensor<bf16>) -> tensor<bf16>
  return %0, %1, %2 : tensor<5xbf16>, tensor<?xbf16>, tensor<bf16>
}
