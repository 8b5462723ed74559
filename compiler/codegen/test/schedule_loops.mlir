// RUN: iree-opt --codegen-schedule-executables %s | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v3", target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

// A copy first; then rows in order, each read where it is changed, 8 neighbours at a time.
// CHECK-LABEL: func.func @rows
// CHECK:       %[[OUT:.+]] = hal.interface.binding.subspan {{.*}} binding(2) {{.*}} memref<160xf32>
// CHECK:       vector.store %{{.+}}, %[[OUT]]
// CHECK:       %[[ROWS:.+]] = hal.interface.binding.subspan {{.*}} binding(0) {{.*}} memref<6xi32>
// CHECK:       scf.for %[[I:.+]] =
// CHECK:         %[[ROW:.+]] = memref.load %[[ROWS]][%[[I]]]
// CHECK:         scf.for
// CHECK:           %[[OLD:.+]] = vector.load %[[OUT]]
// CHECK:           %[[NEW:.+]] = arith.addf %[[OLD]], %[[OLD]] : vector<8xf32>
// CHECK:           vector.store %[[NEW]], %[[OUT]]
hal.executable private @rows {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @rows ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @rows() {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c6 = arith.constant 6 : index
        %c16 = arith.constant 16 : index
        %ri = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>>
        %ra = hal.interface.binding.subspan layout(#layout) binding(1) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<10x16xf32>>
        %ro = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10x16xf32>>
        %i = iree_tensor_ext.dispatch.tensor.load %ri, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>> -> tensor<6xi32>
        %a = iree_tensor_ext.dispatch.tensor.load %ra, offsets = [0, 0], sizes = [10, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<10x16xf32>> -> tensor<10x16xf32>
        %r = scf.for %n = %c0 to %c6 step %c1 iter_args(%o = %a) -> (tensor<10x16xf32>) {
          %k = tensor.extract %i[%n] : tensor<6xi32>
          %row = arith.index_cast %k : i32 to index
          %s = scf.for %m = %c0 to %c16 step %c1 iter_args(%p = %o) -> (tensor<10x16xf32>) {
            %x = tensor.extract %p[%row, %m] : tensor<10x16xf32>
            %y = arith.addf %x, %x : f32
            %q = tensor.insert %y into %p[%row, %m] : tensor<10x16xf32>
            scf.yield %q : tensor<10x16xf32>
          }
          scf.yield %s : tensor<10x16xf32>
        }
        iree_tensor_ext.dispatch.tensor.store %r, %ro, offsets = [0, 0], sizes = [10, 16], strides = [1, 1] : tensor<10x16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10x16xf32>>
        return
      }
    }
  }
}
