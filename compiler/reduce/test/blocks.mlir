// Blocks that follow one another become one.
// RUN: iree-reduce --quiet --interesting=error --iree-hal-target-backends=llvm-cpu %s | FileCheck-22 %s

// CHECK:      func.func @f(%arg0: tensor<1xf32>) {
// CHECK-NEXT:   stablehlo.custom_call @nosuch(%arg0)
// CHECK-NEXT:   func.return
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1(%a : tensor<4xf32>)
^bb1(%x: tensor<4xf32>):
  %0 = stablehlo.custom_call @nosuch(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb2
^bb2:
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
