// RUN: iree-opt %s | FileCheck-22 %s

// MHLO is an older name of StableHLO and CHLO: ops, types and attributes.
// CHECK-LABEL: func.func @main
// CHECK:         %[[S:.+]] = stablehlo.add %arg0, %arg0 : tensor<4xf32>
// CHECK:         stablehlo.compare LT, %[[S]], %arg0
// CHECK:         chlo.erf %[[S]] : tensor<4xf32> -> tensor<4xf32>
// CHECK:         stablehlo.create_token : !stablehlo.token
func.func @main(%a: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>) {
  %0 = mhlo.add %a, %a : tensor<4xf32>
  %1 = "mhlo.compare"(%0, %a) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = mhlo.erf %0 : tensor<4xf32>
  %3 = mhlo.create_token : !mhlo.token
  return %1, %2 : tensor<4xi1>, tensor<4xf32>
}
