// RUN: iree-opt %s | FileCheck-22 %s
// RUN: iree-opt --mlir-print-op-generic %s | iree-opt - | FileCheck-22 %s

// CHECK: util.global private @scoped = #flow.parameter.named<"scope"::"key"> : tensor<10xf32>
util.global private @scoped = #flow.parameter.named<"scope"::"key"> : tensor<10xf32>
// CHECK: util.global private @configured = #stream.parameter.named<"key", {some.config = "hello"}> : tensor<10xf32>
util.global private @configured = #stream.parameter.named<"key", {some.config = "hello"}> : tensor<10xf32>

// CHECK-LABEL: @tensors
util.func private @tensors(%t: tensor<?x8xf32>, %scope: !util.buffer, %key: !util.buffer, %at: i64, %d: index) -> (tensor<4xf32>, tensor<?x8xf32>) {
  // CHECK: flow.parameter.load %arg2[%arg3] : tensor<4xf32>
  %0 = flow.parameter.load %key[%at] : tensor<4xf32>
  // CHECK: flow.parameter.write %arg0 -> %arg1::%arg2[%arg3] : tensor<?x8xf32>{%arg4}
  %1 = flow.parameter.write %t -> %scope::%key[%at] : tensor<?x8xf32>{%d}
  util.return %0, %1 : tensor<4xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: @commands
util.func private @commands(%wait: !stream.timepoint, %r: !stream.resource<transient>, %scope: !util.buffer, %key: !util.buffer, %at: i64, %n: index) {
  // CHECK:      %{{.+}}:3 = stream.cmd.parameter.load await(%arg0) => {
  // CHECK-NEXT:   %arg2::%arg3[%arg4] : !stream.resource<constant>{%arg5},
  // CHECK-NEXT:   %arg2::%arg3[%arg4] : !stream.resource<constant>{%arg5}
  // CHECK-NEXT: } => !stream.timepoint
  %results:2, %loaded = stream.cmd.parameter.load await(%wait) => {
    %scope::%key[%at] : !stream.resource<constant>{%n},
    %scope::%key[%at] : !stream.resource<constant>{%n}
  } => !stream.timepoint
  // CHECK: stream.cmd.parameter.read %arg3[%arg4] -> %arg1[%arg5 for %arg5] : !stream.resource<transient>{%arg5} => !stream.timepoint
  %read = stream.cmd.parameter.read %key[%at] -> %r[%n for %n] : !stream.resource<transient>{%n} => !stream.timepoint
  // CHECK: stream.cmd.parameter.write %arg1[%arg5 for %arg5] : !stream.resource<transient>{%arg5} -> %arg2::%arg3[%arg4] => !stream.timepoint
  %write = stream.cmd.parameter.write %r[%n for %n] : !stream.resource<transient>{%n} -> %scope::%key[%at] => !stream.timepoint
  // CHECK:      stream.cmd.parameter.gather await(%arg0) => {
  // CHECK-NEXT:   %arg3[%arg4] -> %arg1[%arg5 for %arg5] : !stream.resource<transient>{%arg5},
  // CHECK-NEXT:   %arg3[%arg4] -> %arg1[%arg5 for %arg5] : !stream.resource<transient>{%arg5}
  // CHECK-NEXT: } => !stream.timepoint
  %gather = stream.cmd.parameter.gather await(%wait) => {
    %key[%at] -> %r[%n for %n] : !stream.resource<transient>{%n},
    %key[%at] -> %r[%n for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  // CHECK:      stream.cmd.parameter.scatter {
  // CHECK-NEXT:   %arg1[%arg5 for %arg5] : !stream.resource<transient>{%arg5} -> %arg2::%arg3[%arg4]
  // CHECK-NEXT: } => !stream.timepoint
  %scatter = stream.cmd.parameter.scatter {
    %r[%n for %n] : !stream.resource<transient>{%n} -> %scope::%key[%at]
  } => !stream.timepoint
  util.return
}
