// What cannot be encoded is said at its op, before anything is written.
// RUN: split-file %s %t
// RUN: not iree-compile --compile-from=vm %t/bank.mlir -o %t/x.vmfb 2>&1 | FileCheck-22 %s --check-prefix=BANK
// RUN: not iree-compile --compile-from=vm %t/call.mlir -o %t/x.vmfb 2>&1 | FileCheck-22 %s --check-prefix=CALL
// RUN: not iree-compile --compile-from=vm %t/name.mlir -o %t/x.vmfb 2>&1 | FileCheck-22 %s --check-prefix=NAME
// RUN: not iree-compile --compile-from=vm %t/value.mlir -o %t/x.vmfb 2>&1 | FileCheck-22 %s --check-prefix=VALUE
// BANK: bank.mlir:2:{{[0-9]+}}: error: 'vm.add.i32' op has a value of another type than its instruction takes
// CALL: call.mlir:2:{{[0-9]+}}: error: 'vm.call' op passes other values than @g takes, or expects others back
// NAME: name.mlir:2:{{[0-9]+}}: error: 'vm.global.load.i32' op names @g, which the module lacks
// VALUE: value.mlir:1:{{[0-9]+}}: error: 'vm.global.i32' op has an initial value that @__init must store instead

//--- bank.mlir
vm.module @m { vm.func private @f(%a: i64) -> i64 {
  %b = vm.add.i32 %a, %a : i64
  vm.return %b : i64
} }
//--- call.mlir
vm.module @m { vm.func private @g() { vm.return } vm.func private @f(%a: i64) {
  vm.call @g(%a) : (i64) -> ()
  vm.return
} }
//--- name.mlir
vm.module @m { vm.func private @f() -> i32 {
  %b = vm.global.load.i32 @g : i32
  vm.return %b : i32
} }
//--- value.mlir
vm.module @m { vm.global.i32 private mutable @g = 5 : i32 }
