// RUN: iree-opt --flow-outline-constants %s | FileCheck-22 %s
// CHECK:       util.global private @__constant_tensor_3xi32{{ ?}}<inlining_policy = #util.inline.never> = dense<[1, 2, 3]> : tensor<3xi32>
// CHECK-LABEL: @f
// CHECK:         util.global.load immutable @__constant_tensor_3xi32 : tensor<3xi32>
// CHECK:         flow.tensor.splat %{{.+}} : tensor<4xi32>
util.func public @f() -> (tensor<3xi32>, tensor<4xi32>) {
  %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = arith.constant dense<7> : tensor<4xi32>
  util.return %0, %1 : tensor<3xi32>, tensor<4xi32>
}
