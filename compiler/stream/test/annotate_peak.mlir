// Entry points say how much device memory a call takes at once, where that is known.
// RUN: iree-opt --stream-annotate-peak %s | FileCheck-22 %s

// CHECK: @two{{.*}}iree.memory.peak = "48"
util.func public @two() attributes {iree.reflection = {iree.abi.declaration = "two"}} {
  %a = arith.constant 16 : index
  %b = arith.constant 32 : index
  %r:2 = stream.resource.alloca uninitialized : !stream.resource<external>{%a} => !stream.timepoint
  %s:2 = stream.resource.alloca uninitialized await(%r#1) => !stream.resource<transient>{%b} => !stream.timepoint
  %t = stream.resource.dealloca await(%s#1) => %s#0 : !stream.resource<transient>{%b} => !stream.timepoint
  // Fits beside the first again.
  %u:2 = stream.resource.alloca uninitialized await(%t) => !stream.resource<transient>{%a} => !stream.timepoint
  util.return
}

// CHECK: @open
// CHECK-NOT: iree.memory.peak
// CHECK: util.return
util.func public @open(%n: index) attributes {iree.reflection = {iree.abi.declaration = "open"}} {
  %r:2 = stream.resource.alloca uninitialized : !stream.resource<external>{%n} => !stream.timepoint
  util.return
}
