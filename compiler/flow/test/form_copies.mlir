// RUN: iree-opt --flow-form-copies %s | FileCheck-22 %s
// Columns do not lie side by side: a dispatch; rows do: left for a copy.
// CHECK-LABEL: @insert
// CHECK:         flow.dispatch.workgroups(%{{.+}}, %[[D:.+]]) : (tensor<4x2xf32>, tensor<4x8xf32>) -> %[[D]] =
// CHECK:           !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x8xf32>>
// CHECK:           iree_tensor_ext.dispatch.tensor.store %{{.+}}, %{{.+}}, offsets = [0, 3], sizes = [4, 2], strides = [1, 1]
// CHECK:         tensor.insert_slice
util.func public @insert(%s: tensor<4x2xf32>, %d: tensor<4x8xf32>, %r: tensor<2x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = tensor.insert_slice %s into %d[0, 3] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %r into %d[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  util.return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
// CHECK-LABEL: @extract
// CHECK:         flow.dispatch.workgroups(%{{.+}}) : (tensor<4x8xf32>) -> tensor<4x2xf32> =
// CHECK:           iree_tensor_ext.dispatch.tensor.load %{{.+}}, offsets = [0, 3], sizes = [4, 2], strides = [1, 1]
util.func public @extract(%d: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %0 = tensor.extract_slice %d[0, 3] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  util.return %0 : tensor<4x2xf32>
}
