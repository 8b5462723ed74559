// RUN: not iree-opt --flow-propagate-shapes %s 2>&1 | FileCheck-22 %s
// CHECK: error: 'scf.for' op may change extent 0 of its value 0 from one round to the next; loop values need a fixed shape
util.func public @f(%n: index, %m: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> (tensor<?xf32>) {
    %b = tensor.empty(%m) : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  util.return %r : tensor<?xf32>
}
