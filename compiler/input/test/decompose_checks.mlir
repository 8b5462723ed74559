// RUN: iree-opt --input-decompose-checks %s | FileCheck-22 %s
// CHECK-LABEL: @f
// CHECK-SAME:    (%[[A:.+]]: tensor<2xi32>, %[[B:.+]]: tensor<2xf32>)
// CHECK:         %[[C:.+]] = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    check.expect_eq(%[[A]], %[[C]]) : tensor<2xi32>
// CHECK:         %[[D:.+]] = arith.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    check.expect_almost_eq(%[[B]], %[[D]], atol 1.000000e-02, rtol 5.000000e-01) : tensor<2xf32>
func.func @f(%a: tensor<2xi32>, %b: tensor<2xf32>) {
  check.expect_eq_const(%a, dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
  check.expect_almost_eq_const(%b, dense<1.0> : tensor<2xf32>, atol 1.0e-2, rtol 0.5) : tensor<2xf32>
  return
}
