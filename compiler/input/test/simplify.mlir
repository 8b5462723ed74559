// RUN: iree-opt --input-simplify %s | FileCheck-22 %s

// Constants fold and merge at the top; equal ops merge; what is unused goes.
// CHECK-LABEL: util.func public @fold
// CHECK-DAG:     %[[C:.+]] = arith.constant 12 : index
// CHECK:         %[[S:.+]] = arith.addi %arg0, %[[C]] : index
// CHECK-NEXT:    util.return %[[S]], %[[S]]
util.func public @fold(%n: index) -> (index, index) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p = arith.muli %c3, %c4 : index
  %q = arith.muli %c4, %c3 : index
  %a = arith.addi %n, %p : index
  %b = arith.addi %n, %q : index
  %unused = arith.addi %a, %b : index
  util.return %a, %b : index, index
}

// Sizes come from what made the tensor.
// CHECK-LABEL: util.func public @dim
// CHECK-NEXT:    util.return %arg0 : index
util.func public @dim(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %d = tensor.dim %e, %c0 : tensor<?x4xf32>
  util.return %d : index
}

// Shape arithmetic on small tensors goes through.
// CHECK-LABEL: util.func public @elements
// CHECK-NEXT:    %[[C:.+]] = arith.constant 7 : i32
// CHECK-NEXT:    util.return %arg0, %[[C]]
util.func public @elements(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.constant dense<[5, 7]> : tensor<2xi32>
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %0 = tensor.extract %t[%c1] : tensor<2xi32>
  %1 = tensor.extract %s[%c1] : tensor<2xi32>
  util.return %0, %1 : i32, i32
}

// The smallest number by -1 and division by zero stay as they are.
// CHECK-LABEL: util.func public @keep
// CHECK:         arith.divsi
// CHECK:         arith.divsi
util.func public @keep() -> (i32, i32) {
  %m = arith.constant -2147483648 : i32
  %n = arith.constant -1 : i32
  %z = arith.constant 0 : i32
  %0 = arith.divsi %m, %n : i32
  %1 = arith.divsi %n, %z : i32
  util.return %0, %1 : i32, i32
}
