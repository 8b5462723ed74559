// RUN: iree-opt --flow-materialize-imports %s | FileCheck-22 %s

// CHECK: util.func private @other.sync(%{{.+}}: !hal.buffer_view, %{{.+}}: i32) -> !hal.buffer_view
util.func private @other.sync(%t: tensor<?xi32>, %i: i32) -> tensor<?xi32>
// CHECK: util.func private @other.async(%{{.+}}: !hal.buffer_view, %{{.+}}: !hal.fence, %{{.+}}: !hal.fence) -> !hal.buffer_view
util.func private @other.async(%t: tensor<4xf32>) -> tensor<4xf32> attributes {iree.abi.model = "coarse-fences", nosideeffects}
// CHECK: util.func private @other.opaque(%{{.+}}: !other.thing) -> !other.thing
util.func private @other.opaque(%t: !other.thing) -> !other.thing

// CHECK-LABEL: @sync
// CHECK-SAME:    %[[T:.+]]: tensor<?xi32>, %[[I:.+]]: i32
// CHECK:         %[[V:.+]] = hal.tensor.export %[[T]] : tensor<?xi32>{%{{.+}}} -> !hal.buffer_view
// CHECK-NEXT:    %[[R:.+]] = util.call @other.sync(%[[V]], %[[I]]) : (!hal.buffer_view, i32) -> !hal.buffer_view
// CHECK-NEXT:    %[[D:.+]] = hal.buffer_view.dim<%[[R]] : !hal.buffer_view> [0] : index
// CHECK-NEXT:    hal.tensor.import %[[R]] : !hal.buffer_view -> tensor<?xi32>{%[[D]]}
util.func public @sync(%t: tensor<?xi32>, %i: i32) -> tensor<?xi32> {
  %0 = util.call @other.sync(%t, %i) : (tensor<?xi32>, i32) -> tensor<?xi32>
  util.return %0 : tensor<?xi32>
}

// CHECK-LABEL: @async
// CHECK:         %[[WAIT:.+]] = hal.fence.create
// CHECK-NEXT:    %[[B:.+]] = hal.tensor.barrier join(%{{.+}} : tensor<4xf32>) => %[[WAIT]] : !hal.fence
// CHECK-NEXT:    %[[V:.+]] = hal.tensor.export %[[B]]
// CHECK:         %[[SIGNAL:.+]] = hal.fence.create
// CHECK-NEXT:    %[[R:.+]] = util.call @other.async(%[[V]], %[[WAIT]], %[[SIGNAL]])
// CHECK-NEXT:    hal.tensor.import wait(%[[SIGNAL]]) => %[[R]]
util.func public @async(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = util.call @other.async(%t) : (tensor<4xf32>) -> tensor<4xf32>
  util.return %0 : tensor<4xf32>
}
