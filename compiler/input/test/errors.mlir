// RUN: not iree-opt --input-inline-calls --input-convert-stablehlo %s 2>&1 | FileCheck-22 %s

// CHECK: errors.mlir:[[@LINE+2]]:{{[0-9]+}}: error: 'stablehlo.custom_call' op calls 'my_kernel', which no target provides
func.func @call(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @my_kernel(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
