// A message survives, and what it is about; the rest goes: other functions, calls, loops, extents, attributes.
// RUN: iree-reduce --quiet --interesting=error --iree-hal-target-backends=llvm-cpu %s > %t.mlir
// RUN: FileCheck-22 %s --input-file=%t.mlir
// RUN: not iree-compile --iree-hal-target-backends=llvm-cpu %t.mlir -o %t.vmfb 2>&1 | FileCheck-22 %s --check-prefix=SAME
// RUN: iree-reduce --quiet --interesting=error --error-message=nosuch --max-tests=3 --iree-hal-target-backends=llvm-cpu %s 2>&1 | FileCheck-22 %s --check-prefix=CUT
// RUN: not iree-reduce --quiet --interesting=error --error-message=otherwise --iree-hal-target-backends=llvm-cpu %s 2>&1 | FileCheck-22 %s --check-prefix=DULL

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @{{.*}}(%arg0: tensor<1x1xf32>) {
// CHECK-NEXT:     stablehlo.custom_call @nosuch(%arg0) : (tensor<1x1xf32>) -> tensor<1x1xf32>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// SAME:       error: 'stablehlo.custom_call' op calls 'nosuch'
// CUT:        nosuch
// DULL:       does not find the input interesting
func.func private @inner(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = stablehlo.tanh %x : tensor<6x4xf32>
  %1 = stablehlo.custom_call @nosuch(%0) {backend_config = "q"} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
func.func @main(%a: tensor<6x4xf32> {some.note = "a"}, %b: tensor<6x4xf32>, %n: tensor<i32>) -> (tensor<6x4xf32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %a, %b : tensor<6x4xf32>
  %r:3 = stablehlo.while(%i = %zero, %x = %0, %y = %a) : tensor<i32>, tensor<6x4xf32>, tensor<6x4xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %x1 = func.call @inner(%y) : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %y1 = stablehlo.multiply %x, %b : tensor<6x4xf32>
    stablehlo.return %i1, %x1, %y1 : tensor<i32>, tensor<6x4xf32>, tensor<6x4xf32>
  }
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%r#1 init: %f) applies stablehlo.add across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
  return %r#1, %s : tensor<6x4xf32>, tensor<6xf32>
}
func.func @other(%a: tensor<5xf32>) -> tensor<5xf32> {
  return %a : tensor<5xf32>
}
