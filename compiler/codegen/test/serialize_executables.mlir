// RUN: iree-opt --codegen-schedule-executables %s | iree-opt --codegen-serialize-executables | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v3", target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

// The variant becomes the bytes of an ELF file; twice the same bytes.
// CHECK: hal.executable.binary public @v <format = "embedded-elf-x86_64", data = dense<"0x7F454C46
// CHECK-SAME: mime_type = "application/x-elf">
// CHECK-NOT: hal.executable.variant
hal.executable private @chain {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @chain ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @chain() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %b1 = hal.interface.binding.subspan layout(#layout) binding(1) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %b2 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %t1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<128xf32>
        %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t0, %t1 : tensor<128xf32>, tensor<128xf32>) outs(%e : tensor<128xf32>) {
        ^bb0(%x: f32, %y: f32, %o: f32):
          %1 = arith.addf %x, %y : f32
          %2 = arith.mulf %1, %y : f32
          %3 = arith.maximumf %2, %zero : f32
          linalg.yield %3 : f32
        } -> tensor<128xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b2, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }
    }
  }
}
