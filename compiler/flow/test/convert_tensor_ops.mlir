// RUN: iree-opt --flow-convert-tensor-ops %s | FileCheck-22 %s
// CHECK-LABEL: @f
// CHECK:         %[[R:.+]] = flow.tensor.reshape %[[A:.+]] : tensor<2x3xf32> -> tensor<6xf32>
// CHECK:         %[[L:.+]] = flow.tensor.load %{{.+}}{{ ?}}[%{{.+}}] : tensor<6xf32>
// CHECK:         %[[S:.+]] = flow.tensor.splat %[[L]] : tensor<4x3xf32>
// CHECK:         %[[P:.+]] = flow.tensor.slice %[[A]]{{ ?}}[%{{.+}}, %{{.+}} for %{{.+}}, %{{.+}}] : tensor<2x3xf32> -> tensor<1x3xf32>
// CHECK:         flow.tensor.update %{{.+}}, %[[S]]{{.*}} : tensor<1x3xf32> -> %{{.+}} as tensor<4x3xf32>
util.func public @f(%a: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<4x3xf32>) {
  %c2 = arith.constant 2 : index
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = tensor.extract %0[%c2] : tensor<6xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %2 = linalg.fill ins(%1 : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = tensor.extract_slice %a[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
  %4 = tensor.insert_slice %3 into %2[2, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<4x3xf32>
  util.return %0, %4 : tensor<6xf32>, tensor<4x3xf32>
}

// No command repeats a pattern of eight bytes: a kernel fills them in.
// CHECK-LABEL: @wide_constant
// CHECK:         flow.dispatch.workgroups
// CHECK:           complex.constant
// CHECK:           linalg.fill
util.func public @wide_constant() -> tensor<5xcomplex<f32>> {
  %0 = arith.constant dense<(1.0,2.0)> : tensor<5xcomplex<f32>>
  util.return %0 : tensor<5xcomplex<f32>>
}
