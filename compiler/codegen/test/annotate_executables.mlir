// RUN: iree-opt --codegen-annotate-executables %s | FileCheck-22 %s
// RUN: iree-opt --codegen-annotate-executables --codegen-schedule-executables %s | FileCheck-22 %s --check-prefix=GONE
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v3", target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>

// The grid is repeated beside the kernel, which names a pipeline; scheduling drops both.
// CHECK: func.func @fill() attributes {translation_info = #{{.*}}}
// CHECK: iree_codegen.dispatch_config @fill {
// CHECK-NEXT: ^bb0(%{{.*}}: !hal.device, %[[N:.+]]: index):
// CHECK-NEXT: %[[GRID:.+]]:3 = iree_tensor_ext.dispatch.workgroup_count_from_slice(%[[N]])
// CHECK-NEXT: iree_codegen.yield %[[GRID]]#0, %[[GRID]]#1, %[[GRID]]#2 : index, index, index
// GONE-NOT: iree_codegen
hal.executable private @fill {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @fill ordinal(0) layout(#layout) count(%device: !hal.device, %n: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%n)
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @fill() {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1.0 : f32
        %n32 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
        %n = arith.index_castui %n32 : i32 to index
        %out = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
        %e = tensor.empty(%n) : tensor<?xf32>
        %r = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %out, offsets = [0], sizes = [%n], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
        return
      }
    }
  }
}
