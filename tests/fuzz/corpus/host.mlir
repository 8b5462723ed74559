// Scalars, control flow and calls, for --iree-execution-model=host-only.
func.func private @gcd(%a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %c0 : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %z = arith.remsi %x, %y : i32
    scf.yield %y, %z : i32, i32
  }
  return %r#0 : i32
}
func.func @reduced(%a: i32, %b: i32) -> (i32, i32) {
  %g = call @gcd(%a, %b) : (i32, i32) -> i32
  %x = arith.divsi %a, %g : i32
  %y = arith.divsi %b, %g : i32
  return %x, %y : i32, i32
}
func.func @sum(%n: i32) -> i64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 : i32 {
    %w = arith.extsi %i : i32 to i64
    %q = arith.muli %w, %w : i64
    %t = arith.addi %s, %q : i64
    scf.yield %t : i64
  }
  return %r : i64
}
func.func @root(%x: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%g = %x) -> f64 : i32 {
    %d = arith.divf %x, %g : f64
    %s = arith.addf %g, %d : f64
    %h = arith.mulf %s, %half : f64
    scf.yield %h : f64
  }
  return %r : f64
}
func.func @clamp(%x: f32, %i: i64) -> (f32, i64) {
  %one = arith.constant 1.0 : f32
  %mask = arith.constant 255 : i64
  %over = arith.cmpf ogt, %x, %one : f32
  %y = scf.if %over -> f32 {
    scf.yield %one : f32
  } else {
    %z = math.exp %x : f32
    scf.yield %z : f32
  }
  %m = arith.andi %i, %mask : i64
  %s = arith.shrui %i, %m : i64
  return %y, %s : f32, i64
}
