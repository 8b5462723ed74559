// RUN: iree-opt --flow-materialize-entry-points %s | FileCheck-22 %s
// CHECK:      util.func public @f(%[[A:.+]]: !hal.buffer_view, %[[N:.+]]: i32) -> (!hal.buffer_view, i32)
// CHECK-SAME:   iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<?x4xf32>, %n: i32) -> (%output0: tensor<?x4xf32>, %output1: i32)"}
// CHECK-NEXT:   %[[D:.+]] = hal.buffer_view.dim<%[[A]] : !hal.buffer_view>{{ ?}}[0] : index
// CHECK-NEXT:   %[[T:.+]] = hal.tensor.import %[[A]] "input0" : !hal.buffer_view -> tensor<?x4xf32>{%[[D]]}
// CHECK-NEXT:   %[[E:.+]] = hal.tensor.export %[[T]] "output0" : tensor<?x4xf32>{%[[D]]} -> !hal.buffer_view
// CHECK-NEXT:   util.return %[[E]], %[[N]] : !hal.buffer_view, i32
util.func public @f(%a: tensor<?x4xf32>, %n: i32 {iree.abi.name = "n"}) -> (tensor<?x4xf32>, i32) {
  util.return %a, %n : tensor<?x4xf32>, i32
}
// Unsigned tensors keep their encoding in the import and the declaration.
// CHECK: "sync func @g(%input0: tensor<4xi8> {iree.abi.encoding = tensor<4xui8>}) -> ()"
// CHECK: hal.tensor.import {{.*}} -> tensor<4xui8> as tensor<4xi8>
util.func public @g(%a: tensor<4xi8> {iree.abi.encoding = tensor<4xui8>}) {
  util.return
}
// CHECK: util.func private @h(%{{.+}}: tensor<4xf32>) -> tensor<4xf32> {
util.func private @h(%a: tensor<4xf32>) -> tensor<4xf32> {
  util.return %a : tensor<4xf32>
}
