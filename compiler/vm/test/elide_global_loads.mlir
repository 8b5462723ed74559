// RUN: iree-opt --vm-elide-global-loads %s | FileCheck-22 %s
vm.module public @m {
  vm.global.i32 private mutable @g : i32
  // CHECK-LABEL: vm.func private @f
  // CHECK-NEXT:    vm.global.store.i32 %arg0, @g
  // CHECK-NEXT:    vm.call @touch()
  // CHECK-NEXT:    %[[L:.+]] = vm.global.load.i32 @g
  // CHECK-NEXT:    %[[S:.+]] = vm.add.i32 %arg0, %[[L]]
  // CHECK-NEXT:    %[[T:.+]] = vm.add.i32 %[[S]], %[[L]]
  // CHECK-NEXT:    vm.return %[[T]]
  vm.func private @f(%x: i32) -> i32 {
    vm.global.store.i32 %x, @g : i32
    %a = vm.global.load.i32 @g : i32
    vm.call @touch() : () -> ()
    %b = vm.global.load.i32 @g : i32
    %c = vm.global.load.i32 @g : i32
    %s = vm.add.i32 %a, %b : i32
    %t = vm.add.i32 %s, %c : i32
    vm.return %t : i32
  }
  vm.func private @touch() {
    vm.return
  }
}
