// RUN: not iree-opt --vm-convert-module %s 2>&1 | FileCheck-22 %s
// CHECK: error: 'arith.constant' op stays on the host, where only scalars can
util.func public @f() {
  %x = arith.constant dense<1> : tensor<4xi32>
  util.return
}
