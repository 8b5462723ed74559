// Extents shrink in types, in attributes that speak of them and in constants, as far as the program stays valid.
// RUN: printf '#!/bin/sh\ngrep -q stablehlo.slice "$1" && grep -q stablehlo.constant "$1"\n' > %t.sh && chmod +x %t.sh
// RUN: iree-reduce --quiet %t.sh %s | FileCheck-22 %s

// CHECK:      func.func @main()
// CHECK-NEXT:   stablehlo.constant dense<7> : tensor<1x1xi32>
// CHECK-NEXT:   stablehlo.slice {{.*}} [0:1, 0:1] : (tensor<1x1xi32>) -> tensor<1x1xi32>
func.func @main() -> tensor<3x2xi32> {
  %0 = stablehlo.constant dense<[[7, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %1 = stablehlo.slice %0 [0:3, 0:2] : (tensor<3x2xi32>) -> tensor<3x2xi32>
  %2 = stablehlo.negate %1 : tensor<3x2xi32>
  return %2 : tensor<3x2xi32>
}
