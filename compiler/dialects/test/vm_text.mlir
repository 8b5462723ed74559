// Every kind of text that vm ops have: printed as read, and as upstream prints it.
// RUN: iree-opt %s --mlir-print-debuginfo=false > %t.mlir
// RUN: iree-opt %t.mlir --mlir-print-op-generic --mlir-print-debuginfo=false | iree-opt --mlir-print-debuginfo=false | diff %t.mlir -
// RUN: FileCheck-22 %s < %t.mlir
// CHECK: vm.module @m <version = 3> {
// CHECK: vm.global.i32 private @a = 5 : i32
// CHECK: vm.global.f32 private mutable @c = 1.500000e+00 : f32
// CHECK: vm.import private optional @x.y(%a : i32, %b : i64 ...) -> (i32, i64)
// CHECK: vm.export @f as("g")
// CHECK: vm.const.f32 1.500000e+00
// CHECK: vm.switch.i32 %arg0[%arg0, %{{.+}}] else %{{.+}} : i32
// CHECK: vm.buffer.load.i8.u %{{.+}}[%arg1] : !vm.buffer -> i32
// CHECK: vm.list.get.ref %{{.+}}, %arg0 : (!vm.list<?>, i32) -> !vm.buffer
// CHECK: vm.call.variadic @x.y(%arg0, [%arg1, %arg1]) : (i32, i64 ...) -> (i32, i64)
// CHECK: vm.br_table %arg0 {
// CHECK-NEXT: default: ^bb3(%arg0 : i32),
// CHECK-NEXT: 0: ^bb1,
// CHECK-NEXT: 1: ^bb2(%arg0, %arg1 : i32, i64)
vm.module @m <version = 3> {
  vm.global.i32 private @a = 5 : i32
  vm.global.i64 private mutable @b : i64
  vm.global.f32 private mutable @c = 1.5 : f32
  vm.global.f64 mutable @d : f64
  vm.global.ref private mutable @e : !vm.ref<?>
  vm.rodata private @r dense<[1, 2, 3]> : tensor<3xi32>
  vm.import private optional @x.y(%a : i32, %b : i64 ...) -> (i32, i64)
  vm.export @f as("g")
  vm.func private @f(%i: i32, %l: i64, %x: f32, %y: f64, %buf: !vm.buffer, %any: !vm.ref<?>) -> i32 {
    %c0 = vm.const.f32 1.5
    %c1 = vm.const.f64 2.5
    %z = vm.const.f64.zero
    %k = vm.import.resolved @x.y : i32
    %s0 = vm.switch.i32 %i[%i, %k] else %k : i32
    %s1 = vm.switch.f64 %i[%y, %z] else %c1 : f64
    %s2 = vm.select.f32 %i, %x, %c0 : f32
    %b0 = vm.buffer.alloc %l, %i : !vm.buffer
    %b1 = vm.buffer.clone %buf, %l, %l, %i : !vm.buffer -> !vm.buffer
    vm.buffer.copy %buf, %l, %b0, %l, %l : !vm.buffer -> !vm.buffer
    %cmp = vm.buffer.compare %b0, %l, %b1, %l, %l : !vm.buffer, !vm.buffer
    %h = vm.buffer.hash %b0, %l, %l : !vm.buffer -> i64
    vm.buffer.fill.i8 %b0, %l, %l, %i : i32 -> !vm.buffer
    vm.buffer.fill.f64 %b0, %l, %l, %y : f64 -> !vm.buffer
    %v0 = vm.buffer.load.i8.u %b0[%l] : !vm.buffer -> i32
    vm.buffer.store.f32 %x, %b0[%l] : f32 -> !vm.buffer
    %len = vm.buffer.length %b0 : !vm.buffer -> i64
    %li = vm.list.alloc %i : (i32) -> !vm.list<i32>
    vm.list.reserve %li, %i : (!vm.list<i32>, i32)
    vm.list.resize %li, %i : (!vm.list<i32>, i32)
    vm.list.set.i32 %li, %i, %i : (!vm.list<i32>, i32, i32)
    %g = vm.list.get.i32 %li, %i : (!vm.list<i32>, i32) -> i32
    %sz = vm.list.size %li : (!vm.list<i32>) -> i32
    %lr = vm.list.alloc %i : (i32) -> !vm.list<?>
    vm.list.set.ref %lr, %i, %buf : (!vm.list<?>, i32, !vm.buffer)
    %gr = vm.list.get.ref %lr, %i : (!vm.list<?>, i32) -> !vm.buffer
    %ar = vm.assign.ref %buf : !vm.buffer -> !vm.buffer
    %sr = vm.select.ref %i, %buf, %gr : !vm.buffer
    %sh = vm.shl.i64 %l, %i : i64
    %sg = vm.shr.i64.s %sh, %i : i64
    %fm = vm.fma.f32 %x, %x, %x : f32
    %cv = vm.cast.f32.si64 %x : f32 -> i64
    %bc = vm.bitcast.f64.i64 %y : f64 -> i64
    %tr = vm.trunc.f64.f32 %y : f64 -> f32
    %q = vm.cmp.lt.f32.o %x, %x : f32
    %n = vm.cmp.nan.f64 %y : f64
    %er = vm.cmp.eq.ref %buf, %gr : !vm.buffer
    %rd = vm.round.f32.even %x : f32
    vm.global.store.f32 %x, @c : f32
    %ld = vm.global.load.f32 @c : f32
    %vv:2 = vm.call.variadic @x.y(%i, [%l, %l]) : (i32, i64 ...) -> (i32, i64)
    vm.br_table %i {
      default: ^d(%i : i32),
      0: ^a,
      1: ^b(%i, %l : i32, i64)
    }
  ^a:
    vm.yield ^d(%k : i32)
  ^b(%p: i32, %o: i64):
    vm.cond_br %p, ^d(%p : i32), ^e
  ^d(%w: i32):
    vm.return %w : i32
  ^e:
    vm.fail %i
  }
}
