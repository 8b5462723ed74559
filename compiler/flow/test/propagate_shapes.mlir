// RUN: iree-opt --flow-propagate-shapes %s | FileCheck-22 %s
// CHECK-LABEL: @f
// CHECK:         %[[D:.+]] = hal.buffer_view.dim
// CHECK-NOT:     tensor.dim
// CHECK:         tensor.empty(%[[D]])
util.func public @f(%v: !hal.buffer_view) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = hal.buffer_view.dim<%v : !hal.buffer_view>[0] : index
  %a = hal.tensor.import %v "input0" : !hal.buffer_view -> tensor<?xf32>{%n}
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xi32>
  util.return %e : tensor<?xi32>
}
