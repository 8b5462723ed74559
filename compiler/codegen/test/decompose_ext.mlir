// RUN: iree-opt --codegen-schedule-executables %s | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v3", target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>

// Neighbours out of order change places, in the binding itself: nothing is copied.
// CHECK-LABEL: func.func @sort
// CHECK:       %[[X:.+]] = hal.interface.binding.subspan
// CHECK:       scf.for
// CHECK:         scf.for %[[I:.+]] =
// CHECK-DAG:       %[[A:.+]] = memref.load %[[X]][%[[I]]]
// CHECK-DAG:       %[[NEXT:.+]] = arith.addi %[[I]], %{{.+}} : index
// CHECK-DAG:       %[[B:.+]] = memref.load %[[X]][%[[NEXT]]]
// CHECK:           %[[STAY:.+]] = arith.cmpi slt, %[[A]], %[[B]] : i32
// CHECK:           %[[LOW:.+]] = arith.select %[[STAY]], %[[A]], %[[B]] : i32
// CHECK:           memref.store %[[LOW]], %[[X]][%[[I]]]
// CHECK:           %[[HIGH:.+]] = arith.select %[[STAY]], %[[B]], %[[A]] : i32
// CHECK:           memref.store %[[HIGH]], %[[X]][%[[NEXT]]]
hal.executable private @sort {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @sort ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @sort() {
        %c0 = arith.constant 0 : index
        %b = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9xi32>>
        %t = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0], sizes = [9], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9xi32>> -> tensor<9xi32>
        %r = iree_linalg_ext.sort dimension(0) outs(%t : tensor<9xi32>) {
        ^bb0(%x: i32, %y: i32):
          %c = arith.cmpi slt, %x, %y : i32
          iree_linalg_ext.yield %c : i1
        } -> tensor<9xi32>
        iree_tensor_ext.dispatch.tensor.store %r, %b, offsets = [0], sizes = [9], strides = [1] : tensor<9xi32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9xi32>>
        return
      }
    }
  }
}
