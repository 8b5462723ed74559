// What dispatches read and write is printed at run time; a program stops after one.
// RUN: iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-trace-dispatch-tensors -o %t.1
// RUN: iree-run-module --module=%t.1 --device=local-sync --function=f --input=4x8xf32=0.5 --input=8x16xf32=1 2>&1 | FileCheck-22 %s --check-prefix=ALL
// RUN: iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-trace-dispatch=@f:1 --compile-to=flow | FileCheck-22 %s --check-prefix=ORDINAL
// RUN: iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-trace-dispatch='dispatch_0.*f_' --compile-to=flow | FileCheck-22 %s --check-prefix=SYMBOL
// RUN: iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-break-dispatch=@f:0 -o %t.2
// RUN: iree-run-module --module=%t.2 --device=local-sync --function=f --input=4x8xf32=0.5 --input=8x16xf32=1 | FileCheck-22 %s --check-prefix=BREAK
// RUN: not iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-break-dispatch=nosuch -o %t.3 2>&1 | FileCheck-22 %s --check-prefix=NONE
// RUN: not iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-break-dispatch=@f:9 -o %t.3 2>&1 | FileCheck-22 %s --check-prefix=NONE
// RUN: not iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-trace-dispatch=@f:x -o %t.3 2>&1 | FileCheck-22 %s --check-prefix=NUMBER
// RUN: not iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-flow-trace-dispatch='[' -o %t.3 2>&1 | FileCheck-22 %s --check-prefix=REGEX
// REQUIRES: iree-run-module

// ALL:          === f_dispatch_0::f_dispatch_0_{{.*}} inputs ===
// ALL-NEXT:     4x8xf32=[0.5 0.5
// ALL-NEXT:     8x16xf32=[1 1
// ALL:          === f_dispatch_0::{{.*}} outputs ===
// ALL-NEXT:     4x16xf32=[4 4
// ALL:          === f_dispatch_1::{{.*}} inputs ===
// ALL-NEXT:     4x16xf32=[4 4
// ALL:          === f_dispatch_1::{{.*}} outputs ===
// ALL-NEXT:     4xf32=32 32 32 32
// ALL:          result[0]
// ALL-NEXT:     4xf32=32 32 32 32
// ORDINAL-NOT:  hal.buffer_view.trace
// ORDINAL:      flow.dispatch @f_dispatch_0
// ORDINAL:      hal.buffer_view.trace "f_dispatch_1::{{.*}}::1 inputs"
// ORDINAL:      flow.dispatch @f_dispatch_1
// ORDINAL:      hal.buffer_view.trace "f_dispatch_1::{{.*}}::1 outputs"
// SYMBOL:       hal.buffer_view.trace "f_dispatch_0::{{.*}} inputs"
// SYMBOL:       flow.dispatch @f_dispatch_0
// SYMBOL:       hal.buffer_view.trace "f_dispatch_0::{{.*}} outputs"
// SYMBOL-NOT:   hal.buffer_view.trace
// BREAK:        result[0]
// BREAK-NEXT:   4x16xf32=[4 4
// BREAK-NOT:    result[1]
// NONE:         has no dispatch that --iree-flow-break-dispatch=
// NUMBER:       @function:N expected
// REGEX:        is no regular expression
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.sqrt %0 : tensor<4x16xf32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
