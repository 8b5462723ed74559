// RUN: iree-compile --iree-execution-model=host-only --compile-to=vm --mlir-print-debuginfo=false %s | FileCheck-22 %s
// Functions of other modules become imports; one that may be missing is asked for before each call.

// CHECK-DAG: vm.import private @other.make(i32) -> !vm.ref<!other.thing>
func.func private @other.make(i32) -> !other.thing
// CHECK-DAG: vm.import private @other.size(!vm.ref<!other.thing>) -> i64
func.func private @other.size(!other.thing) -> index attributes {vm.signature = (!vm.ref<!other.thing>) -> i64}
// CHECK-DAG: vm.import private optional @other.maybe(i32) -> i32
func.func private @other.maybe(i32) -> i32 attributes {vm.fallback = @instead}
func.func private @instead(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  return %0 : i32
}

// CHECK:       vm.func private @main
// CHECK:         %[[T:.+]] = vm.call @other.make
// CHECK:         %[[FOUND:.+]] = vm.import.resolved @other.maybe : i32
// CHECK-NEXT:    vm.cond_br %[[FOUND]], ^bb1, ^bb2
// CHECK:         vm.call @other.maybe
// CHECK:         vm.call @instead
func.func @main(%x: i32) -> (!other.thing, i32) {
  %0 = call @other.make(%x) : (i32) -> !other.thing
  %2 = call @other.size(%0) : (!other.thing) -> index
  %1 = call @other.maybe(%x) : (i32) -> i32
  return %0, %1 : !other.thing, i32
}
