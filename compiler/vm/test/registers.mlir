// Values that rotate through block arguments: cycles of every kind of register, at one branch.
// RUN: iree-compile --compile-from=vm %s -o %t.vmfb
// RUN: iree-run-module --module=%t.vmfb --device=local-sync --function=rotate --input=4 | FileCheck-22 %s
// RUN: iree-run-module --module=%t.vmfb --device=local-sync --function=refs --input=3 | FileCheck-22 %s --check-prefix=REFS
// RUN: iree-run-module --module=%t.vmfb --device=local-sync --function=pairs --input=7 --input=5 | FileCheck-22 %s --check-prefix=PAIRS
// REQUIRES: iree-run-module
module attributes {vm.toplevel} {
  vm.module public @module {
    // After n rotations of (1, 2, 3) and (10, 20): CHECK: i32=2
    // CHECK: i32=3
    // CHECK: i32=1
    // CHECK: i64=10
    // CHECK: i64=20
    vm.func private @rotate(%n: i32) -> (i32, i32, i32, i64, i64) {
      %c1 = vm.const.i32 1
      %c2 = vm.const.i32 2
      %c3 = vm.const.i32 3
      %c10 = vm.const.i64 10
      %c20 = vm.const.i64 20
      vm.br ^loop(%n, %c1, %c2, %c3, %c10, %c20 : i32, i32, i32, i32, i64, i64)
    ^loop(%i: i32, %a: i32, %b: i32, %c: i32, %x: i64, %y: i64):
      vm.cond_br %i, ^next, ^done
    ^next:
      %j = vm.sub.i32 %i, %c1 : i32
      vm.br ^loop(%j, %b, %c, %a, %y, %x : i32, i32, i32, i32, i64, i64)
    ^done:
      vm.return %a, %b, %c, %x, %y : i32, i32, i32, i64, i64
    }
    vm.export @rotate

    // References swap, one of them doubled on the last edge: REFS: i64=5
    // REFS: i64=3
    // REFS: i64=5
    vm.rodata private @three <alignment = 1> "abc"
    vm.rodata private @five <alignment = 1> "defgh"
    vm.func private @refs(%n: i32) -> (i64, i64, i64) {
      %c1 = vm.const.i32 1
      %p = vm.const.ref.rodata @three : !vm.buffer
      %q = vm.const.ref.rodata @five : !vm.buffer
      vm.br ^loop(%n, %p, %q : i32, !vm.buffer, !vm.buffer)
    ^loop(%i: i32, %a: !vm.buffer, %b: !vm.buffer):
      vm.cond_br %i, ^next, ^done(%a, %b, %a : !vm.buffer, !vm.buffer, !vm.buffer)
    ^next:
      %j = vm.sub.i32 %i, %c1 : i32
      vm.br ^loop(%j, %b, %a : i32, !vm.buffer, !vm.buffer)
    ^done(%r: !vm.buffer, %s: !vm.buffer, %t: !vm.buffer):
      %x = vm.buffer.length %r : !vm.buffer -> i64
      %y = vm.buffer.length %s : !vm.buffer -> i64
      %z = vm.buffer.length %t : !vm.buffer -> i64
      vm.return %x, %y, %z : i64, i64, i64
    }
    vm.export @refs

    // Narrow values between wide ones: PAIRS: i64=37
    // PAIRS: i32=7
    vm.func private @pairs(%a: i32, %b: i64) -> (i64, i32) {
      %w = vm.ext.i32.i64.s %a : i32 -> i64
      %s = vm.add.i64 %w, %b : i64
      %five = vm.const.i64 25
      %t = vm.add.i64 %s, %five : i64
      vm.return %t, %a : i64, i32
    }
    vm.export @pairs
  }
}
