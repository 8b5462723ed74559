// RUN: iree-opt --input-inline-calls %s | FileCheck-22 %s

// A decomposition of several blocks is called.
// CHECK-LABEL: func.func @composed
// CHECK:         func.call @branching(%arg0, %arg1)
func.func private @branching(%x: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
  %c = tensor.extract %p[] : tensor<i1>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
^bb2:
  return %x : tensor<i32>
}
func.func @composed(%x: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
  %0 = stablehlo.composite "my.op" %x, %p {decomposition = @branching} : (tensor<i32>, tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}
