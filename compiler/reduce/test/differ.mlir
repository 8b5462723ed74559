// Two settings of the compiler give different results.
// RUN: iree-reduce --quiet --interesting=differ --differ-flags=--iree-input-demote-f64-to-f32 --iree-hal-target-backends=llvm-cpu %s | FileCheck-22 %s
// RUN: not iree-reduce --quiet --interesting=differ --iree-hal-target-backends=llvm-cpu %s 2>&1 | FileCheck-22 %s --check-prefix=DULL

// CHECK:      func.func @main(%arg0: tensor<[[T:.*]]xf32>) -> tensor<[[T]]xf32>
// CHECK-NEXT:   stablehlo.constant dense<1.000000e+200>
// CHECK-NEXT:   stablehlo.convert %arg0
// CHECK-NEXT:   stablehlo.multiply
// CHECK-NEXT:   stablehlo.convert
// CHECK-NEXT:   func.return
// DULL:       does not find the input interesting
func.func @main(%a: tensor<8x24xf32>, %b: tensor<8x24xf32>) -> (tensor<8x24xf32>, tensor<24x8xf32>) {
  %c = stablehlo.constant dense<1.0e200> : tensor<8x24xf64>
  %0 = stablehlo.add %a, %b : tensor<8x24xf32>
  %w = stablehlo.convert %0 : (tensor<8x24xf32>) -> tensor<8x24xf64>
  %y = stablehlo.cosine %w : tensor<8x24xf64>
  %1 = stablehlo.multiply %y, %c : tensor<8x24xf64>
  %2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
  %3 = stablehlo.divide %1, %c : tensor<8x24xf64>
  %4 = stablehlo.convert %3 : (tensor<8x24xf64>) -> tensor<8x24xf32>
  return %4, %2 : tensor<8x24xf32>, tensor<24x8xf32>
}
