// What scalar programs do not reach: buffers, lists, globals, tables, yields, failures. For --compile-from=vm.
module attributes {vm.toplevel} {
  vm.module public @module {
    vm.global.i32 private mutable @count : i32
    vm.global.f32 private mutable @scale : f32
    vm.global.ref private mutable @kept : !vm.buffer
    vm.rodata private @words <alignment = 16> "the words of a table"
    vm.func private @__init() {
      %five = vm.const.i32 5
      %scale = vm.const.f32 1.5
      %w = vm.const.ref.rodata @words : !vm.buffer
      vm.global.store.i32 %five, @count : i32
      vm.global.store.f32 %scale, @scale : f32
      vm.global.store.ref %w, @kept : !vm.buffer
      vm.return
    }
    vm.export @__init
    vm.func private @fill(%n: i32, %x: f32) -> (i64, i32) {
      %c0 = vm.const.i64 0
      %c8 = vm.const.i64 8
      %c4 = vm.const.i64 4
      %c64 = vm.const.i64 64
      %c16 = vm.const.i32 16
      %a = vm.buffer.alloc %c64, %c16 : !vm.buffer
      vm.buffer.fill.i8 %a, %c0, %c64, %n : i32 -> !vm.buffer
      vm.buffer.store.f32 %x, %a[%c4] : f32 -> !vm.buffer
      %w = vm.const.ref.rodata @words : !vm.buffer
      vm.buffer.copy %w, %c4, %a, %c8, %c8 : !vm.buffer -> !vm.buffer
      %b = vm.buffer.clone %a, %c4, %c8, %c16 : !vm.buffer -> !vm.buffer
      %h = vm.buffer.hash %a, %c0, %c64 : !vm.buffer -> i64
      %v = vm.buffer.load.i8.u %a[%c8] : !vm.buffer -> i32
      vm.return %h, %v : i64, i32
    }
    vm.export @fill
    vm.func private @lists(%n: i32) -> i32 {
      %c0 = vm.const.i32 0
      %c1 = vm.const.i32 1
      %c9 = vm.const.i32 9
      %l = vm.list.alloc %c9 : (i32) -> !vm.list<i32>
      vm.list.resize %l, %c9 : (!vm.list<i32>, i32)
      vm.list.set.i32 %l, %c1, %n : (!vm.list<i32>, i32, i32)
      %g = vm.list.get.i32 %l, %c1 : (!vm.list<i32>, i32) -> i32
      %r = vm.list.alloc %c9 : (i32) -> !vm.list<?>
      vm.list.resize %r, %c9 : (!vm.list<?>, i32)
      %w = vm.const.ref.rodata @words : !vm.buffer
      vm.list.set.ref %r, %c0, %w : (!vm.list<?>, i32, !vm.buffer)
      %got = vm.list.get.ref %r, %c0 : (!vm.list<?>, i32) -> !vm.buffer
      %same = vm.cmp.eq.ref %w, %got : !vm.buffer
      %size = vm.list.size %r : (!vm.list<?>) -> i32
      %s = vm.add.i32 %g, %size : i32
      %t = vm.add.i32 %s, %same : i32
      vm.return %t : i32
    }
    vm.export @lists
    vm.func private @globals(%x: f32) -> (i32, f32) {
      %c1 = vm.const.i32 1
      %n = vm.global.load.i32 @count : i32
      %m = vm.add.i32 %n, %c1 : i32
      vm.global.store.i32 %m, @count : i32
      %s = vm.global.load.f32 @scale : f32
      %y = vm.mul.f32 %s, %x : f32
      vm.global.store.f32 %y, @scale : f32
      vm.return %m, %y : i32, f32
    }
    vm.export @globals
    vm.func private @yields(%n: i32) -> i32 {
      %c0 = vm.const.i32 0
      %c1 = vm.const.i32 1
      vm.br ^loop(%c0 : i32)
    ^loop(%i: i32):
      %more = vm.cmp.lt.i32.s %i, %n : i32
      vm.cond_br %more, ^body, ^done
    ^body:
      %j = vm.add.i32 %i, %c1 : i32
      vm.yield ^loop(%j : i32)
    ^done:
      vm.return %i : i32
    }
    vm.export @yields
    vm.func private @down(%n: i32) -> i32 {
      %c1 = vm.const.i32 1
      vm.cond_br %n, ^more, ^done
    ^more:
      %m = vm.sub.i32 %n, %c1 : i32
      %r = vm.call @down(%m) : (i32) -> i32
      %s = vm.add.i32 %r, %n : i32
      vm.return %s : i32
    ^done:
      vm.return %n : i32
    }
    vm.export @down
    vm.func private @fails(%code: i32) {
      vm.cond_br %code, ^fail, ^fine
    ^fail:
      vm.fail %code, "told to"
    ^fine:
      vm.return
    }
    vm.export @fails
  }
}
