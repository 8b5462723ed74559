// Elements of a byte and less: packed ones in odd numbers, floats without a code of their own, roundings that two steps miss.
func.func @packed(%a: tensor<3x5xi4>, %b: tensor<3x5xi4>) -> (tensor<5x3xi4>, tensor<1x5xi4>, tensor<3xi2>, tensor<5xui4>) {
  %0 = stablehlo.add %a, %b : tensor<3x5xi4>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x5xi4>) -> tensor<5x3xi4>
  %2 = stablehlo.slice %a [1:2, 0:5] : (tensor<3x5xi4>) -> tensor<1x5xi4>
  %3 = stablehlo.constant dense<[1, -2, -1]> : tensor<3xi2>
  %4 = stablehlo.constant dense<[1, 15, 8]> : tensor<3xui4>
  %5 = stablehlo.constant dense<7> : tensor<2xui4>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<3xui4>, tensor<2xui4>) -> tensor<5xui4>
  return %1, %2, %3, %6 : tensor<5x3xi4>, tensor<1x5xi4>, tensor<3xi2>, tensor<5xui4>
}
func.func @opaque(%a: tensor<4xf8E4M3>, %b: tensor<5xf4E2M1FN>) -> (tensor<4xf32>, tensor<5xf32>, tensor<4xf8E3M4>, tensor<5xf4E2M1FN>, tensor<5xf6E2M3FN>) {
  %0 = stablehlo.convert %a : (tensor<4xf8E4M3>) -> tensor<4xf32>
  %1 = stablehlo.convert %b : (tensor<5xf4E2M1FN>) -> tensor<5xf32>
  %2 = stablehlo.convert %a : (tensor<4xf8E4M3>) -> tensor<4xf8E3M4>
  %3 = stablehlo.negate %b : tensor<5xf4E2M1FN>
  %4 = stablehlo.convert %b : (tensor<5xf4E2M1FN>) -> tensor<5xf6E2M3FN>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<5xf32>, tensor<4xf8E3M4>, tensor<5xf4E2M1FN>, tensor<5xf6E2M3FN>
}
func.func @rounded_once(%a: tensor<2xf64>, %b: tensor<2xi32>, %c: tensor<2xi64>) -> (tensor<2xf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) {
  %0 = stablehlo.convert %a : (tensor<2xf64>) -> tensor<2xf16>
  %1 = stablehlo.convert %a : (tensor<2xf64>) -> tensor<2xbf16>
  %2 = stablehlo.convert %b : (tensor<2xi32>) -> tensor<2xbf16>
  %3 = stablehlo.convert %c : (tensor<2xi64>) -> tensor<2xbf16>
  return %0, %1, %2, %3 : tensor<2xf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>
}
func.func @scales(%a: tensor<6xf32>, %b: tensor<3xf8E8M0FNU>) -> (tensor<6xf8E8M0FNU>, tensor<3xf32>, tensor<3xi1>) {
  %0 = stablehlo.convert %a : (tensor<6xf32>) -> tensor<6xf8E8M0FNU>
  %1 = stablehlo.convert %b : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  %2 = stablehlo.convert %b : (tensor<3xf8E8M0FNU>) -> tensor<3xi1>
  return %0, %1, %2 : tensor<6xf8E8M0FNU>, tensor<3xf32>, tensor<3xi1>
}
// What formats lack: infinity, negative zero, a sign, zero.
func.func @lacking(%a: tensor<3xf8E4M3FN>, %b: tensor<2xf8E4M3FNUZ>, %c: tensor<3xf8E8M0FNU>) -> (tensor<3xi1>, tensor<3xf8E4M3FN>, tensor<2xf8E4M3FNUZ>, tensor<3xf8E8M0FNU>, tensor<3xi1>) {
  %0 = stablehlo.is_finite %a : (tensor<3xf8E4M3FN>) -> tensor<3xi1>
  %1 = stablehlo.reduce_precision %a, format = e4m1 : tensor<3xf8E4M3FN>
  %2 = stablehlo.negate %b : tensor<2xf8E4M3FNUZ>
  %3 = stablehlo.sign %c : tensor<3xf8E8M0FNU>
  %4 = stablehlo.constant dense<2.0> : tensor<3xf8E8M0FNU>
  %5 = stablehlo.compare LE, %c, %4, TOTALORDER : (tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>) -> tensor<3xi1>
  return %0, %1, %2, %3, %5 : tensor<3xi1>, tensor<3xf8E4M3FN>, tensor<2xf8E4M3FNUZ>, tensor<3xf8E8M0FNU>, tensor<3xi1>
}
// The host reads an index of four bits; extents of packed tensors are known at run time only.
func.func @indexed(%a: tensor<6xf32>, %i: tensor<i4>, %b: tensor<?x3xi4>, %c: tensor<?x3xi4>) -> (tensor<2xf32>, tensor<?x3xi4>, tensor<3x?xi4>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<6xf32>, tensor<i4>) -> tensor<2xf32>
  %1 = stablehlo.concatenate %b, %c, dim = 0 : (tensor<?x3xi4>, tensor<?x3xi4>) -> tensor<?x3xi4>
  %2 = stablehlo.multiply %b, %b : tensor<?x3xi4>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<?x3xi4>) -> tensor<3x?xi4>
  return %0, %1, %3 : tensor<2xf32>, tensor<?x3xi4>, tensor<3x?xi4>
}
