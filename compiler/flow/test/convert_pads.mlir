// RUN: iree-opt --flow-convert-pads %s | FileCheck-22 %s
// CHECK-LABEL: @pad
// CHECK:         %[[E:.+]] = tensor.empty() : tensor<7xf32>
// CHECK:         %[[F:.+]] = linalg.fill ins(%{{.+}} : f32) outs(%[[E]] : tensor<7xf32>)
// CHECK:         tensor.insert_slice %{{.+}} into %[[F]][1] [4] [1]
util.func public @pad(%a: tensor<4xf32>, %c: f32) -> tensor<7xf32> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<4xf32> to tensor<7xf32>
  util.return %0 : tensor<7xf32>
}
// CHECK-LABEL: @concat
// CHECK:         %[[E:.+]] = tensor.empty() : tensor<5x2xf32>
// CHECK:         %[[X:.+]] = tensor.insert_slice %{{.+}} into %[[E]][0, 0] [2, 2] [1, 1]
// CHECK:         tensor.insert_slice %{{.+}} into %[[X]][2, 0] [3, 2] [1, 1]
util.func public @concat(%a: tensor<2x2xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<5x2xf32>
  util.return %0 : tensor<5x2xf32>
}
