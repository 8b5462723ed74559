// RUN: iree-opt --stream-convert-control-flow %s | FileCheck-22 %s

// A counted loop is a head that tests, a body, and a back edge.
// CHECK-LABEL: util.func public @count
// CHECK:         cf.br ^bb1(%{{.+}}, %arg1 : index, i32)
// CHECK:       ^bb1(%[[I:.+]]: index, %[[V:.+]]: i32):
// CHECK:         %[[MORE:.+]] = arith.cmpi slt, %[[I]], %arg0 : index
// CHECK:         cf.cond_br %[[MORE]], ^bb2, ^bb3(%[[V]] : i32)
// CHECK:       ^bb2:
// CHECK:         %[[NEXT:.+]] = arith.addi %[[V]], %[[V]] : i32
// CHECK:         %[[J:.+]] = arith.addi %[[I]]
// CHECK:         cf.br ^bb1(%[[J]], %[[NEXT]] : index, i32)
// CHECK:       ^bb3(%[[R:.+]]: i32):
// CHECK:         util.return %[[R]]
util.func public @count(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (i32) {
    %d = arith.addi %v, %v : i32
    scf.yield %d : i32
  }
  util.return %r : i32
}

// A branch inside a loop: the inner split belongs to the loop's body.
// CHECK-LABEL: util.func public @nested
// CHECK:         cf.br ^[[HEAD:bb[0-9]+]](%arg0 : i32)
// CHECK:       ^[[HEAD]](%[[A:.+]]: i32):
// CHECK:         cf.cond_br %{{.+}}, ^[[BODY:bb[0-9]+]](%[[A]] : i32), ^[[DONE:bb[0-9]+]](%[[A]] : i32)
// CHECK:       ^[[BODY]](%[[B:.+]]: i32):
// CHECK:         cf.cond_br %arg1, ^[[THEN:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
// CHECK:       ^[[THEN]]:
// CHECK:         cf.br ^[[AFTER:bb[0-9]+]](%{{.+}} : i32)
// CHECK:       ^[[ELSE]]:
// CHECK:         cf.br ^[[AFTER]](%[[B]] : i32)
// CHECK:       ^[[AFTER]](%[[C:.+]]: i32):
// CHECK:         cf.br ^[[HEAD]](%[[C]] : i32)
// CHECK:       ^[[DONE]](%[[R:.+]]: i32):
// CHECK:         util.return %[[R]]
util.func public @nested(%x: i32, %c: i1) -> i32 {
  %limit = arith.constant 100 : i32
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %go = arith.cmpi slt, %a, %limit : i32
    scf.condition(%go) %a : i32
  } do {
  ^bb0(%b: i32):
    %s = scf.if %c -> (i32) {
      %d = arith.addi %b, %b : i32
      scf.yield %d : i32
    } else {
      scf.yield %b : i32
    }
    scf.yield %s : i32
  }
  util.return %r : i32
}
