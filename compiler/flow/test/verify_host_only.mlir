// RUN: iree-compile --iree-execution-model=host-only --iree-hal-target-backends=llvm-cpu --compile-to=vm %s | FileCheck-22 %s
// RUN: not iree-compile --iree-execution-model=host-only --compile-to=vm %S/convert_pads.mlir 2>&1 | FileCheck-22 %s --check-prefix=TENSOR
// A device that is asked for as well is of no use.
// CHECK-NOT: hal.
// CHECK: vm.func private @twice(%arg0: i32) -> i32
// CHECK:   vm.add.i32 %arg0, %arg0
// CHECK-NOT: hal.
func.func @twice(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
// TENSOR: error: 'util.func' op has type tensor<4xf32>, but a module made with --iree-execution-model=host-only has no device
