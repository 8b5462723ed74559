// Functions without body are imports of other modules; types of unknown dialects are references.
// RUN: iree-compile %s --compile-to=vm --mlir-print-debuginfo=false | FileCheck-22 %s
// RUN: iree-compile %s -o %t.vmfb && iree-dump-module %t.vmfb | FileCheck-22 %s --check-prefix=FILE
// RUN: sed 's/custom.sum/sum/' %s > %t.mlir && not iree-compile %t.mlir -o %t.no 2>&1 | FileCheck-22 %s --check-prefix=NAME
// REQUIRES: iree-dump-module

// CHECK:     vm.import private @custom.sum(i32, f32) -> i32
// CHECK:     vm.import private @custom.str(!vm.ref<!custom.string>) -> !vm.ref<!custom.string>
// CHECK:     vm.call @custom.sum
// FILE:      Module Dependencies:
// FILE-NEXT: custom, version >= 0, required
// FILE:      custom.sum(i32, f32) -> (i32)
// FILE:      custom.str(!vm.ref<?>) -> (!vm.ref<?>)
// NAME:      declarations.mlir.tmp.mlir:[[#]]:1: error: 'util.func' op has no body; a function of another module is named @module.function
func.func private @custom.sum(%i: i32, %j: f32) -> i32
func.func private @custom.str(!custom.string) -> !custom.string
func.func @g(%i: i32, %j: f32, %s: !custom.string) -> (i32, !custom.string) {
  %0 = call @custom.sum(%i, %j) : (i32, f32) -> i32
  %1 = call @custom.str(%s) : (!custom.string) -> !custom.string
  return %0, %1 : i32, !custom.string
}
