// RUN: iree-opt --flow-materialize-entry-points --iree-execution-model=async-external %s | FileCheck-22 %s
// CHECK:      util.func public @f(%[[A:.+]]: !hal.buffer_view, %[[W:.+]]: !hal.fence, %[[S:.+]]: !hal.fence) -> !hal.buffer_view
// CHECK-SAME:   "async func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)", iree.abi.model = "coarse-fences"}
// CHECK-NEXT:   %[[T:.+]] = hal.tensor.import wait(%[[W]]) => %[[A]] "input0"
// CHECK-NEXT:   %[[B:.+]] = hal.tensor.barrier join(%[[T]] : tensor<4xf32>) => %[[S]] : !hal.fence
// CHECK-NEXT:   hal.tensor.export %[[B]] "output0"
util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  util.return %a : tensor<4xf32>
}
