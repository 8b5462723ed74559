// Host arithmetic from hal to results.
// RUN: iree-compile --compile-from=hal %s -o %t.vmfb
// RUN: iree-run-module --module=%t.vmfb --device=local-sync --function=narrow --input=200 --input=100 | FileCheck-22 %s --check-prefix=NARROW
// RUN: iree-run-module --module=%t.vmfb --device=local-sync --function=divide --input=-7 --input=2 | FileCheck-22 %s --check-prefix=DIVIDE
// RUN: iree-run-module --module=%t.vmfb --device=local-sync --function=compare --input=-1 --input=1 | FileCheck-22 %s --check-prefix=COMPARE
// RUN: iree-run-module --module=%t.vmfb --device=local-sync --function=floats --input=-2.7 | FileCheck-22 %s --check-prefix=FLOATS
// REQUIRES: iree-run-module

// i8: 200 + 100 wraps to 44; as signed -56 < 100; -56 / 100 = 0; extended -56.
// NARROW: i32=44
// NARROW: i32=1
// NARROW: i32=-56
util.func public @narrow(%a: i32, %b: i32) -> (i32, i32, i32) {
  %x = arith.trunci %a : i32 to i8
  %y = arith.trunci %b : i32 to i8
  %s = arith.addi %x, %y : i8
  %l = arith.cmpi slt, %x, %y : i8
  %0 = arith.extui %s : i8 to i32
  %1 = arith.extui %l : i1 to i32
  %2 = arith.extsi %x : i8 to i32
  util.return %0, %1, %2 : i32, i32, i32
}

// Toward zero, up, down; remainder.
// DIVIDE: i64=-3
// DIVIDE: i64=-3
// DIVIDE: i64=-4
// DIVIDE: i64=-1
util.func public @divide(%a: i64, %b: i64) -> (i64, i64, i64, i64) {
  %0 = arith.divsi %a, %b : i64
  %1 = arith.ceildivsi %a, %b : i64
  %2 = arith.floordivsi %a, %b : i64
  %3 = arith.remsi %a, %b : i64
  util.return %0, %1, %2, %3 : i64, i64, i64, i64
}

// -1 < 1 signed; not so unsigned.
// COMPARE: i32=1
// COMPARE: i32=0
// COMPARE: i32=0
// COMPARE: i32=1
util.func public @compare(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %p = arith.cmpi sle, %a, %b : i32
  %q = arith.cmpi sgt, %a, %b : i32
  %r = arith.cmpi ult, %a, %b : i32
  %s = arith.cmpi uge, %a, %b : i32
  %0 = arith.extui %p : i1 to i32
  %1 = arith.extui %q : i1 to i32
  %2 = arith.extui %r : i1 to i32
  %3 = arith.extui %s : i1 to i32
  util.return %0, %1, %2, %3 : i32, i32, i32, i32
}

// To integer toward zero; to nearest; comparison.
// FLOATS: i32=-2
// FLOATS: f32=-3
// FLOATS: i32=1
util.func public @floats(%x: f32) -> (i32, f32, i32) {
  %zero = arith.constant 0.0 : f32
  %0 = arith.fptosi %x : f32 to i32
  %1 = math.roundeven %x : f32
  %p = arith.cmpf olt, %x, %zero : f32
  %2 = arith.extui %p : i1 to i32
  util.return %0, %1, %2 : i32, f32, i32
}
