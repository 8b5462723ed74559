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

// A program may load and write parameters on its way: in the order in which it says so.
// CHECK-LABEL: util.func public @add
// CHECK:         %[[LOAD:.+]]:2 = stream.cmd.parameter.load
// CHECK:         %[[LOADED:.+]] = stream.timepoint.await %[[LOAD]]#1 => %[[LOAD]]#0
// CHECK:         %[[WRITE:.+]] = stream.cmd.parameter.write %[[LOADED]]
// CHECK:         %[[WRITTEN:.+]] = stream.timepoint.await %[[WRITE]] => %[[LOADED]]
// CHECK:         stream.tensor.export %[[WRITTEN]]
util.func public @add(%a: tensor<4xf32>) -> !hal.buffer_view {
  %scope = util.buffer.constant : !util.buffer = "s"
  %key = util.buffer.constant : !util.buffer = "w"
  %at = arith.constant 0 : i64
  %w = flow.parameter.load %scope::%key[%at] : tensor<4xf32>
  %0 = flow.tensor.clone %w : tensor<4xf32>
  %1 = flow.parameter.write %0 -> %scope::%key[%at] : tensor<4xf32>
  %2 = hal.tensor.export %1 "output0" : tensor<4xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
