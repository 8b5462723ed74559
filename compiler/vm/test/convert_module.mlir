// RUN: iree-opt --vm-convert-module %s | FileCheck-22 %s

// CHECK: module attributes {vm.toplevel}
// CHECK: vm.module public @module
// CHECK: vm.global.ref private mutable @device : !vm.ref<!hal.device>
util.global private @device : !hal.device
// CHECK: vm.global.i64 private mutable @count : i64
util.global private mutable @count = 3 : i64
util.initializer {
  %c0 = arith.constant 0 : index
  %d = hal.devices.get %c0 : !hal.device
  util.global.store %d, @device : !hal.device
  util.return
}

// Only what is called is imported, where it is first called.
// CHECK: vm.import private @hal.buffer_view.assert(%buffer_view : !vm.ref<!hal.buffer_view>, %message : !vm.buffer, %element_type : i32, %encoding_type : i32, %shape : i64 ...)
// CHECK: vm.rodata private @[[TEXT:.+]] <alignment = 1> "input0"
// CHECK: vm.import private @hal.fence.await({{.*}}) -> i32 attributes {vm.yield}
// CHECK-LABEL: vm.func private @f(%arg0: !vm.ref<!hal.buffer_view>, %arg1: !vm.ref<!hal.fence>) -> i32
// CHECK:         %[[S:.+]] = vm.const.ref.rodata @[[TEXT]]
// CHECK:         vm.call.variadic @hal.buffer_view.assert(%arg0, %[[S]], %{{.+}}, %{{.+}}, [%{{.+}}, %{{.+}}])
// CHECK:         vm.call.variadic.yieldable @hal.fence.await(%{{.+}}, %{{.+}}, %arg1)
// CHECK-SAME:      -> ^bb1 (i32)
// CHECK:       ^bb1(%[[STATUS:.+]]: i32):
// CHECK:         vm.cond_br %[[STATUS]], ^[[FAIL:bb[0-9]+]](%[[STATUS]] : i32), ^[[NEXT:bb[0-9]+]]
// CHECK:       ^[[NEXT]]:
// CHECK:         vm.return
// CHECK:       ^[[FAIL]](%[[CODE:.+]]: i32):
// CHECK:         vm.fail %[[CODE]], "late"
// CHECK:       vm.export @f
util.func public @f(%view: !hal.buffer_view, %fence: !hal.fence) -> i1 {
  %c4 = arith.constant 4 : index
  %t = arith.constant -1 : i32
  %e = hal.element_type<f32> : i32
  %n = hal.encoding_type<dense_row_major> : i32
  hal.buffer_view.assert<%view : !hal.buffer_view> message("input0") shape([%c4, %c4]) type(%e) encoding(%n)
  %status = hal.fence.await until([%fence]) timeout_millis(%t) flags("None") : i32
  util.status.check_ok %status, "late"
  %true = arith.constant true
  util.return %true : i1
}

// Callers of what may yield may yield too.
// CHECK-LABEL: vm.func private @caller
// CHECK:         vm.call.yieldable @f(%arg0, %arg1) : (!vm.ref<!hal.buffer_view>, !vm.ref<!hal.fence>) -> ^bb1 (i32)
util.func public @caller(%view: !hal.buffer_view, %fence: !hal.fence) -> i1 {
  %r = util.call @f(%view, %fence) : (!hal.buffer_view, !hal.fence) -> i1
  util.return %r : i1
}

// CHECK: vm.export @__init
// CHECK-LABEL: vm.func private @__init()
// CHECK:         %[[THREE:.+]] = vm.const.i64 3
// CHECK:         vm.global.store.i64 %[[THREE]], @count
// CHECK:         vm.global.store.ref %{{.+}}, @device
// CHECK:         vm.return
