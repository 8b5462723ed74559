// What fails inside of branches is taken out of them.
// RUN: iree-reduce --quiet --interesting=error --iree-hal-target-backends=llvm-cpu %s | FileCheck-22 %s

// CHECK:      func.func @main(%arg0: tensor<1xf32>) {
// CHECK-NEXT:   stablehlo.custom_call @nosuch(%arg0)
// CHECK-NEXT:   func.return
func.func @main(%p: tensor<i1>, %k: tensor<i32>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %r:2 = "stablehlo.if"(%p) ({
    %c = "stablehlo.case"(%k) ({
      %0 = stablehlo.custom_call @nosuch(%a) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %0 : tensor<4xf32>
    }, {
      %0 = stablehlo.negate %a : tensor<4xf32>
      stablehlo.return %0 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    stablehlo.return %c, %z : tensor<4xf32>, tensor<f32>
  }, {
    %z = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %a, %z : tensor<4xf32>, tensor<f32>
  }) : (tensor<i1>) -> (tensor<4xf32>, tensor<f32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<f32>
}
