// RUN: not iree-opt --flow-fold-calls %s 2>&1 | FileCheck-22 %s
// CHECK: error: 'util.call' op calls @f, which leads back here; recursion cannot be compiled, use a loop
util.func public @f(%a: i32) -> i32 {
  %0 = util.call @g(%a) : (i32) -> i32
  util.return %0 : i32
}
util.func private @g(%a: i32) -> i32 {
  %0 = util.call @f(%a) : (i32) -> i32
  util.return %0 : i32
}
