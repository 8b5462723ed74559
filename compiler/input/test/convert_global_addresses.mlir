// RUN: iree-opt --input-convert-global-addresses %s | FileCheck-22 %s

// CHECK-NOT: util.global.address
// CHECK:      %[[OLD:.+]] = util.global.load @state : tensor<4xf32>
// CHECK-NEXT: %[[W:.+]] = util.global.load immutable @weights : tensor<4xf32>
// CHECK-NEXT: %[[NEW:.+]] = stablehlo.add %[[OLD]], %[[W]]
// CHECK-NEXT: util.global.store %[[NEW]], @state : tensor<4xf32>
util.global private @weights = dense<2.0> : tensor<4xf32>
util.global private mutable @state = dense<1.0> : tensor<4xf32>
func.func @next() -> tensor<4xf32> {
  %w = util.global.address immutable @weights : !util.ptr<tensor<4xf32>>
  %s = util.global.address @state : !util.ptr<tensor<4xf32>>
  %0 = util.global.load.indirect %s : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  %1 = util.global.load.indirect immutable %w : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  util.global.store.indirect %2, %s : tensor<4xf32> -> !util.ptr<tensor<4xf32>>
  return %2 : tensor<4xf32>
}
