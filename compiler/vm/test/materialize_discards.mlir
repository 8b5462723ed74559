// RUN: iree-opt --vm-materialize-discards %s | FileCheck-22 %s
vm.module public @m {
  vm.import private @hal.device.allocator(%device : !vm.ref<!hal.device>) -> !vm.ref<!hal.allocator>

  // The last reader may move its operand: nothing to do. A comparison may not.
  // CHECK-LABEL: vm.func private @last_reader
  // CHECK-NEXT:    %[[NZ:.+]] = vm.cmp.nz.ref %arg1
  // CHECK-NEXT:    vm.discard.refs %arg1 : !vm.ref<!hal.fence>
  // CHECK-NEXT:    %[[A:.+]] = vm.call @hal.device.allocator(%arg0)
  // CHECK-NEXT:    vm.return %[[A]], %[[NZ]]
  vm.func private @last_reader(%d: !vm.ref<!hal.device>, %f: !vm.ref<!hal.fence>) -> (!vm.ref<!hal.allocator>, i32) {
    %nz = vm.cmp.nz.ref %f : !vm.ref<!hal.fence>
    %a = vm.call @hal.device.allocator(%d) : (!vm.ref<!hal.device>) -> !vm.ref<!hal.allocator>
    vm.return %a, %nz : !vm.ref<!hal.allocator>, i32
  }

  // Unused results and arguments go at once; null needs no release.
  // CHECK-LABEL: vm.func private @unused
  // CHECK:         %[[A:.+]] = vm.call @hal.device.allocator
  // CHECK-NEXT:    vm.discard.refs %[[A]]
  // CHECK-NOT:     vm.discard.refs
  // CHECK:         vm.return
  vm.func private @unused(%d: !vm.ref<!hal.device>) {
    %a = vm.call @hal.device.allocator(%d) : (!vm.ref<!hal.device>) -> !vm.ref<!hal.allocator>
    %null = vm.const.ref.zero : !vm.ref<!hal.fence>
    %nz = vm.cmp.nz.ref %null : !vm.ref<!hal.fence>
    vm.return
  }

  // Dead on one edge only: released behind that edge, and not on the way to a failure.
  // CHECK-LABEL: vm.func private @edges
  // CHECK:         vm.cond_br %arg1, ^bb1, ^bb2
  // CHECK:       ^bb1:
  // CHECK-NEXT:    vm.discard.refs %arg0
  // CHECK-NEXT:    vm.cond_br %arg2, ^bb3, ^bb4
  // CHECK:       ^bb2:
  // CHECK-NEXT:    vm.return %arg0
  // CHECK:       ^bb3:
  // CHECK-NOT:     vm.discard.refs
  // CHECK:         vm.fail
  vm.func private @edges(%d: !vm.ref<!hal.device>, %c: i32, %status: i32) -> !vm.ref<!hal.device> {
    vm.cond_br %c, ^dead, ^alive
  ^dead:
    vm.cond_br %status, ^failed, ^none
  ^alive:
    vm.return %d : !vm.ref<!hal.device>
  ^failed:
    vm.fail %status, "no"
  ^none:
    %null = vm.const.ref.zero : !vm.ref<!hal.device>
    vm.return %null : !vm.ref<!hal.device>
  }

  // Releases already there are placed anew.
  // CHECK-LABEL: vm.func private @again
  // CHECK-NEXT:    vm.discard.refs %arg0
  // CHECK-NEXT:    vm.return
  vm.func private @again(%d: !vm.ref<!hal.device>) {
    vm.discard.refs %d : !vm.ref<!hal.device>
    vm.return
  }
}
