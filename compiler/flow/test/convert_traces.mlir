// RUN: iree-opt --flow-convert-traces %s | FileCheck-22 %s
// RUN: iree-opt %s | iree-opt - | FileCheck-22 %s --check-prefix=TEXT
// CHECK-LABEL: @f
// TEXT-LABEL: @f
util.func public @f(%x: tensor<2xi32>, %y: tensor<?x3x?xf32>, %n: index, %m: index) {
  // CHECK: %[[X:.+]] = hal.tensor.export %arg0 : tensor<2xi32> -> !hal.buffer_view
  // CHECK: %[[Y:.+]] = hal.tensor.export %arg1 : tensor<?x3x?xf32>{%arg2, %arg3} -> !hal.buffer_view
  // CHECK: hal.buffer_view.trace "key" = %[[X]], %[[Y]] : !hal.buffer_view, !hal.buffer_view
  // TEXT: flow.tensor.trace "key" = [%arg0 : tensor<2xi32>, %arg1 : tensor<?x3x?xf32>{%arg2, %arg3}]
  flow.tensor.trace "key" = [
    %x : tensor<2xi32>,
    %y : tensor<?x3x?xf32>{%n, %m}
  ]
  util.return
}
