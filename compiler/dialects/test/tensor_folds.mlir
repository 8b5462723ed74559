// RUN: iree-opt --input-simplify %s | FileCheck-22 %s
// Reshapes that end in the shape they started from are nothing.
// CHECK-LABEL: @there_and_back
// CHECK-NEXT:    util.return %{{.+}} : tensor<25x64xf32>
util.func public @there_and_back(%x: tensor<25x64xf32>) -> tensor<25x64xf32> {
  %0 = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [1, 25, 64, 1] : tensor<25x64xf32> into tensor<1x25x64x1xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3]] : tensor<1x25x64x1xf32> into tensor<1x25x64xf32>
  %2 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<1x25x64xf32> into tensor<25x64xf32>
  util.return %2 : tensor<25x64xf32>
}
// CHECK-LABEL: @elsewhere
// CHECK:         tensor.expand_shape
// CHECK:         tensor.collapse_shape
util.func public @elsewhere(%x: tensor<25x64xf32>) -> tensor<25x64x1xf32> {
  %0 = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [1, 25, 64, 1] : tensor<25x64xf32> into tensor<1x25x64x1xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<1x25x64x1xf32> into tensor<25x64x1xf32>
  util.return %1 : tensor<25x64x1xf32>
}
