// RUN: iree-opt --hal-materialize-interfaces %s | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>
#device = #hal.device.target<"local", [#target]> : !hal.device
module attributes {stream.affinity.default = #hal.device.affinity<@device>} {
  util.global private @device = #device
  // CHECK:      hal.executable private @e {
  // CHECK-NEXT:   hal.executable.variant public @embedded_elf_x86_64 target(#{{.+}}) {
  // CHECK-NEXT:     hal.executable.export public @f ordinal(0) layout(#[[L:.+]]) count(%arg0: !hal.device, %arg1: index) -> (index, index, index) {
  // CHECK:            hal.return %arg1, %{{.+}}, %{{.+}} : index, index, index
  // CHECK:          func.func @f() {
  // CHECK:            hal.interface.constant.load layout(#[[L]]) ordinal(0) : i32
  // CHECK:            hal.interface.binding.subspan layout(#[[L]]) binding(0) alignment(64) offset(%{{.+}}) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
  // CHECK:            hal.interface.binding.subspan layout(#[[L]]) binding(1) {{.*}}flags({{"?}}Indirect{{"?}})
  stream.executable private @e {
    stream.executable.export public @f workgroups(%n: index) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      stream.return %n, %c1, %c1 : index, index, index
    }
    builtin.module {
      func.func @f(%a: !stream.binding {stream.alignment = 64 : index}, %b: !stream.binding, %k: i32) {
        %c0 = arith.constant 0 : index
        %x = stream.binding.subspan %a[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %y = stream.binding.subspan %b[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        %t = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %t, %y, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        %u = arith.extui %k : i32 to i64
        return
      }
    }
  }
  // CHECK:      stream.cmd.dispatch @e::@embedded_elf_x86_64::@f[
  util.func public @g(%r: !stream.resource<external>, %s: !stream.resource<transient>, %k: i32) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %t = stream.cmd.execute with(%r as %a: !stream.resource<external>{%c16}, %s as %b: !stream.resource<transient>{%c16}) {
      stream.cmd.dispatch @e::@f[%c16](%k : i32) {
        ro %a[%c0 for %c16] : !stream.resource<external>{%c16},
        wo %b[%c0 for %c16] : !stream.resource<transient>{%c16}
      }
    } => !stream.timepoint
    util.return %t : !stream.timepoint
  }
}
