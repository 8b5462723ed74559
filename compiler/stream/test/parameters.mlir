// RUN: iree-opt --stream-schedule %s | FileCheck-22 %s

// One command loads what has a scope and a lifetime in common. A variable that nothing stores to is constant, and what nobody
// uses is not asked for.
// CHECK:      util.global private @w : !stream.resource<constant>
// CHECK:      util.global private @v : !stream.resource<constant>
// CHECK:      util.global private mutable @state : !stream.resource<variable>
// CHECK-NOT:  @unused
// CHECK:      util.initializer {
// CHECK-DAG:    %[[S:.+]] = util.buffer.constant : !util.buffer = "s"
// CHECK-DAG:    %[[W:.+]] = util.buffer.constant : !util.buffer = "w"
// CHECK-DAG:    %[[V:.+]] = util.buffer.constant : !util.buffer = "v"
// CHECK:        %[[CONSTANTS:.+]]:3 = stream.cmd.parameter.load {
// CHECK-NEXT:     %[[S]]::%[[W]][%{{.+}}] : !stream.resource<constant>{%{{.+}}},
// CHECK-NEXT:     %[[S]]::%[[V]][%{{.+}}] : !stream.resource<constant>{%{{.+}}}
// CHECK-NEXT:   } => !stream.timepoint
// CHECK:        %[[STATE:.+]]:2 = stream.cmd.parameter.load {
// CHECK-NEXT:     %{{.+}}[%{{.+}}] : !stream.resource<variable>{%{{.+}}}
// CHECK:        %[[ALL:.+]] = stream.timepoint.join max(%[[CONSTANTS]]#2, %[[STATE]]#1)
// CHECK:        %[[READY:.+]]:3 = stream.timepoint.await sync %[[ALL]] => %[[CONSTANTS]]#0, %[[CONSTANTS]]#1, %[[STATE]]#0
// CHECK:        util.global.store %[[READY]]#0, @w
// CHECK:        util.global.store %[[READY]]#1, @v
// CHECK:        util.global.store %[[READY]]#2, @state
util.global private @w = #flow.parameter.named<"s"::"w"> : tensor<4xf32>
util.global private mutable @v = #flow.parameter.named<"s"::"v"> : tensor<8xi4>
util.global private mutable @state = #flow.parameter.named<"state"> : tensor<4xf32>
util.global private @unused = #flow.parameter.named<"unused"> : tensor<4xf32>

// CHECK-LABEL: util.func public @use
util.func public @use() -> (!hal.buffer_view, !hal.buffer_view) {
  %w = util.global.load immutable @w : tensor<4xf32>
  %v = util.global.load @v : tensor<8xi4>
  %state = util.global.load @state : tensor<4xf32>
  util.global.store %w, @state : tensor<4xf32>
  %0 = hal.tensor.export %v "output0" : tensor<8xi4> -> !hal.buffer_view
  %1 = hal.tensor.export %state "output1" : tensor<4xf32> -> !hal.buffer_view
  util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
}
