// RUN: iree-opt --flow-export-checks %s | FileCheck-22 %s
// CHECK-LABEL: @f
// CHECK-SAME:    (%[[A:.+]]: tensor<4xi32>, %[[T:.+]]: i32)
// CHECK:         %[[DEVICE:.+]] = util.global.load immutable @__device_0 : !hal.device
// CHECK-NEXT:    %[[V:.+]] = hal.tensor.export %[[A]] : tensor<4xi32> -> !hal.buffer_view
// CHECK-NEXT:    check.expect_all_true<%[[DEVICE]]> (%[[V]]) : !hal.buffer_view
// Numbers are the host's already.
// CHECK-NEXT:    check.expect_true(%[[T]]) : i32
module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 : !hal.device
  util.func public @f(%a: tensor<4xi32>, %t: i32) {
    check.expect_all_true(%a) : tensor<4xi32>
    check.expect_true(%t) : i32
    util.return
  }
}
