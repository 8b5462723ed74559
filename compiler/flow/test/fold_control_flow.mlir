// RUN: iree-opt --flow-fold-control-flow %s | FileCheck-22 %s
// What goes round unchanged is used from outside, what nobody uses is not carried.
// CHECK-LABEL: @loop
// CHECK-SAME:    (%[[N:.+]]: index, %[[X:.+]]: tensor<4xf32>, %{{.+}}: tensor<2xf32>)
// CHECK:         %[[R:.+]] = scf.while (%{{.+}} = %{{.+}}) : (index) -> index {
// CHECK:         util.return %[[X]], %[[R]]
util.func public @loop(%n: index, %x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%a = %x, %i = %c0, %u = %y) : (tensor<4xf32>, index, tensor<2xf32>) -> (tensor<4xf32>, index, tensor<2xf32>) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %a, %i, %u : tensor<4xf32>, index, tensor<2xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %i: index, %u: tensor<2xf32>):
    %j = arith.addi %i, %c1 : index
    scf.yield %a, %j, %u : tensor<4xf32>, index, tensor<2xf32>
  }
  util.return %r#0, %r#1 : tensor<4xf32>, index
}

// Values that swap places do change.
// CHECK-LABEL: @swap
// CHECK:         scf.while (%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) : (index, i32, i32) -> (index, i32, i32)
util.func public @swap(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %y) : (index, i32, i32) -> (index, i32, i32) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %a, %b : index, i32, i32
  } do {
  ^bb0(%i: index, %a: i32, %b: i32):
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b, %a : index, i32, i32
  }
  util.return %r#1, %r#2 : i32, i32
}

// CHECK-LABEL: @branches
// CHECK-SAME:    (%[[C:.+]]: i1, %[[X:.+]]: i32, %[[Y:.+]]: i32)
// CHECK:         %[[R:.+]] = scf.if %[[C]] -> (i32) {
// CHECK:         util.return %[[X]], %[[R]], %[[Y]]
util.func public @branches(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32) {
  %true = arith.constant true
  %r:3 = scf.if %c -> (i32, i32, i32) {
    scf.yield %x, %x, %y : i32, i32, i32
  } else {
    scf.yield %x, %y, %x : i32, i32, i32
  }
  %s = scf.if %true -> (i32) {
    scf.yield %y : i32
  } else {
    scf.yield %r#1 : i32
  }
  util.return %r#0, %r#1, %s : i32, i32, i32
}
