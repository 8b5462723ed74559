// RUN: iree-opt --input-convert-stablehlo --input-simplify %s | FileCheck-22 %s

// A window that reaches to the beginning: each point adds to what is carried.
// CHECK-LABEL: util.func public @sums
// CHECK:         flow.dispatch.region -> (tensor<3x20xi32>) {
// CHECK:           scf.for
// CHECK:             scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[SUM:.+]] = %{{.+}}) -> (tensor<3x20xi32>, i32)
// CHECK:               arith.addi %[[SUM]], %{{.+}} : i32
// CHECK-NOT:     linalg.generic
func.func @sums(%a: tensor<3x20xi32>) -> tensor<3x20xi32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 1, 20>, padding = dense<[[0, 0], [19, 0]]> : tensor<2x2xi64>} : (tensor<3x20xi32>, tensor<i32>) -> tensor<3x20xi32>
  return %0 : tensor<3x20xi32>
}

// One that ends before it is no such window.
// CHECK-LABEL: util.func public @sliding
// CHECK-NOT:     flow.dispatch.region
func.func @sliding(%a: tensor<20xi32>) -> tensor<20xi32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 18>, padding = dense<[[17, 0]]> : tensor<1x2xi64>} : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
  return %0 : tensor<20xi32>
}
