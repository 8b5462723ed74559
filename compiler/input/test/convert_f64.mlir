// RUN: iree-compile --iree-hal-target-backends=llvm-cpu --iree-input-demote-f64-to-f32 --compile-to=input %s -o - | FileCheck-22 %s
// RUN: iree-compile --iree-hal-target-backends=llvm-cpu --compile-to=input %s -o - | FileCheck-22 %s --check-prefix=KEEP

// CHECK-LABEL: util.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT:     xf64
// KEEP-LABEL:  util.func public @main(%arg0: tensor<4xf64>) -> tensor<4xf64>
func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {
  %c = stablehlo.constant dense<[1.0, 2.0, 0.1, 1.0e300]> : tensor<4xf64>
  %0 = stablehlo.add %a, %c : tensor<4xf64>
  return %0 : tensor<4xf64>
}
