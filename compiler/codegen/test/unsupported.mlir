// RUN: not iree-opt --codegen-schedule-executables %s 2>&1 | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v3", target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

// An op that has no lowering is named where it stands.
// CHECK: unsupported.mlir:[[#]]:{{.*}}error: 'x.y' op has no lowering inside a kernel
hal.executable private @bad {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @bad ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @bad() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %b2 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %r = "x.y"(%t0) : (tensor<128xf32>) -> tensor<128xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b2, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }
    }
  }
}
