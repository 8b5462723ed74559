// RUN: iree-opt --input-inline-calls %s | FileCheck-22 %s

// CHECK-LABEL: func.func public @main
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    stablehlo.abs
// CHECK-NOT:   func.func private
func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.abs" %0 {decomposition = @magnitude} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @once(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @once(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @once(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @magnitude(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What only an uncalled function calls goes as well, recursion included.
// CHECK-NOT: @lost
func.func private @lost(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @lost_too(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @lost_too(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @lost(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
