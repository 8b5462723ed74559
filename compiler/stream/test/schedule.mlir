// RUN: iree-opt --stream-schedule --stream-simplify %s | FileCheck-22 %s

module attributes {stream.affinity.default = #hal.device.affinity<@dev>} {
  util.global private @dev : !hal.device

  // Two independent dispatches share a wave, what only they and the next wave need shares one slab,
  // and the result has memory of its own.
  // CHECK-LABEL: util.func public @waves
  // CHECK:         %[[IN:.+]] = stream.tensor.import
  // CHECK-DAG:     %[[OUT:.+]]:2 = stream.resource.alloca uninitialized {{.+}} !stream.resource<external>
  // CHECK-DAG:     %[[SLAB:.+]]:2 = stream.resource.alloca uninitialized {{.+}} !stream.resource<transient>
  // CHECK:         %[[DONE:.+]] = stream.cmd.execute
  // CHECK:           stream.cmd.concurrent {
  // CHECK:             stream.cmd.dispatch @x::@a
  // CHECK:             stream.cmd.dispatch @x::@b
  // CHECK:           }
  // CHECK:           stream.cmd.dispatch @x::@c
  // CHECK:         %[[FREED:.+]] = stream.resource.dealloca {{.+}} await(%[[DONE]]) => %[[SLAB]]#0
  // CHECK:         stream.timepoint.await %[[FREED]] => %[[OUT]]#0
  util.func public @waves(%view: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %view "input0" : !hal.buffer_view -> tensor<4xf32>
    %1 = flow.dispatch @x::@a(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = flow.dispatch @x::@b(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = flow.dispatch @x::@c(%1, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = hal.tensor.export %3 "output0" : tensor<4xf32> -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }

  // The slab is reused once its first tenant is dead: three of 64 bytes in 128.
  // CHECK-LABEL: util.func public @reuse
  // CHECK-DAG:     %[[SIZE:.+]] = arith.constant 128 : index
  // CHECK:         stream.resource.alloca uninitialized {{.+}} !stream.resource<transient>{%[[SIZE]]}
  util.func public @reuse(%view: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %view "input0" : !hal.buffer_view -> tensor<16xf32>
    %1 = flow.dispatch @x::@a(%0) : (tensor<16xf32>) -> tensor<16xf32>
    %2 = flow.dispatch @x::@a(%1) : (tensor<16xf32>) -> tensor<16xf32>
    %3 = flow.dispatch @x::@a(%2) : (tensor<16xf32>) -> tensor<16xf32>
    %4 = flow.dispatch @x::@a(%3) : (tensor<16xf32>) -> tensor<16xf32>
    %5 = hal.tensor.export %4 "output0" : tensor<16xf32> -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }

  // A caller's buffer is never overwritten: the update works on a copy; a buffer made here is
  // updated in place.
  // CHECK-LABEL: util.func public @update
  // CHECK:         stream.cmd.execute
  // CHECK:           stream.cmd.copy %[[IN:.+]][%{{.+}}], %[[NEW:.+]][%{{.+}}]
  // CHECK:           stream.cmd.copy %{{.+}}, %[[NEW]]
  // CHECK:           stream.cmd.copy %{{.+}}, %[[NEW]]
  // CHECK-NOT:       stream.cmd.copy
  util.func public @update(%view: !hal.buffer_view, %part: !hal.buffer_view, %at: index) -> !hal.buffer_view {
    %c4 = arith.constant 4 : index
    %0 = hal.tensor.import %view "input0" : !hal.buffer_view -> tensor<16xf32>
    %1 = hal.tensor.import %part "input1" : !hal.buffer_view -> tensor<4xf32>
    %2 = flow.tensor.update %1, %0[%c4] : tensor<4xf32> -> %0 as tensor<16xf32>
    %3 = flow.tensor.update %1, %2[%at] : tensor<4xf32> -> %2 as tensor<16xf32>
    %4 = hal.tensor.export %3 "output0" : tensor<16xf32> -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }

  // A result whose memory the caller hands over is made there: nothing is allocated, nothing copied.
  // CHECK-LABEL: util.func public @storage
  // CHECK:       %[[OUT:.+]] = stream.tensor.import {{.*}}consume %arg1
  // CHECK-NOT:   alloca
  // CHECK:       stream.cmd.execute {{.*}}with({{.*}}%[[OUT]] as
  // CHECK-NOT:   stream.cmd.copy
  // CHECK:       stream.tensor.export
  util.func public @storage(%x: !hal.buffer_view, %out: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<4xf32>
    %1 = flow.dispatch @x::@a(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = hal.tensor.alias %1 : tensor<4xf32> to %out : !hal.buffer_view
    %3 = hal.tensor.export %2 "y" : tensor<4xf32> -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }
}
