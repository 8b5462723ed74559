// A command says what matters: here that a loop with a cosine in it is there. Equal runs give equal programs.
// RUN: printf '#!/bin/sh\ngrep -q stablehlo.while "$1" && grep -q cosine "$1" && iree-opt "$1" -o /dev/null\n' > %t.sh && chmod +x %t.sh
// RUN: iree-reduce --quiet %t.sh %s -o %t.1
// RUN: iree-reduce --quiet %t.sh -o %t.2 < %s && cmp %t.1 %t.2
// RUN: FileCheck-22 %s --input-file=%t.1
// RUN: not iree-reduce --quiet ./nosuch.sh %s 2>&1 | FileCheck-22 %s --check-prefix=GONE
// RUN: not iree-reduce --quiet --interesting=error 2>&1 --output-bytecode %s | FileCheck-22 %s --check-prefix=TEXT

// CHECK:      func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<i1>)
// CHECK-NEXT:   "stablehlo.while"(%arg0) ({
// CHECK-NEXT:   ^bb0
// CHECK-NEXT:     stablehlo.return %arg1
// CHECK-NEXT:   }, {
// CHECK-NEXT:   ^bb0
// CHECK-NEXT:     stablehlo.cosine
// CHECK-NEXT:     stablehlo.return
// CHECK-NEXT:   }
// GONE:       cannot run './nosuch.sh' as the test script
// TEXT:       bytecode is read, but not written
func.func @main(%a: tensor<5xf32>, %n: tensor<i32>) -> tensor<5xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<5xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %x1 = stablehlo.cosine %x : tensor<5xf32>
    %x2 = stablehlo.multiply %x1, %x1 : tensor<5xf32>
    stablehlo.return %i1, %x2 : tensor<i32>, tensor<5xf32>
  }
  return %r#1 : tensor<5xf32>
}
