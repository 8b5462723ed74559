// RUN: iree-opt --flow-fold-calls %s | FileCheck-22 %s
// CHECK:      util.func public @f(%[[A:.+]]: i32) -> i32 {
// CHECK-NEXT:   %[[B:.+]] = arith.addi %[[A]], %[[A]] : i32
// CHECK-NEXT:   util.return %[[B]] : i32
// CHECK-NOT:  util.func private @g
util.func public @f(%a: i32) -> i32 {
  %0 = util.call @g(%a) : (i32) -> i32
  util.return %0 : i32
}
util.func private @g(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  util.return %0 : i32
}
