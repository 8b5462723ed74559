// RUN: iree-opt --flow-propagate-invariants %s | FileCheck-22 %s
// CHECK-LABEL: @f
// CHECK:         flow.tensor.load
// CHECK-NEXT:    scf.while
util.func public @f(%n: tensor<i32>, %c: i32) -> i32 {
  %r = scf.while (%i = %c) : (i32) -> i32 {
    %m = flow.tensor.load %n : tensor<i32>
    %p = arith.cmpi slt, %i, %m : i32
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %c : i32
    scf.yield %j : i32
  }
  util.return %r : i32
}
