// RUN: iree-opt --flow-elide-empty-tensors %s | FileCheck-22 %s
// CHECK-LABEL: @f
// CHECK-NOT:     linalg.matmul
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[F:.+]] = linalg.fill
// CHECK:         util.return %[[F]], %{{.+}} : tensor<2x3xf32>, tensor<4xf32>
util.func public @f(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>, %e: tensor<0xf32>, %d: tensor<4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %g = tensor.empty() : tensor<2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = linalg.matmul ins(%a, %b : tensor<2x0xf32>, tensor<0x3xf32>) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32>
  %i = tensor.insert_slice %e into %d[0] [0] [1] : tensor<0xf32> into tensor<4xf32>
  util.return %m, %i : tensor<2x3xf32>, tensor<4xf32>
}
