// RUN: iree-opt --vm-serialize-kernels %s | FileCheck-22 %s
#target = #hal.executable.target<"vmvx", "vmvx-bytecode-fb">
#machine = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>

// Kernels of the virtual machine become a module, a FlatBuffer without archive; others stay. Memory of a kernel, a
// constant table, a loop, a narrow float, a function without an instruction: all have a form.
// CHECK: hal.executable.binary public @v <format = "vmvx-bytecode-fb", data = dense<"0x{{................}}49524545
// CHECK-SAME: mime_type = "application/x-flatbuffers">
// CHECK: hal.executable.variant public @machine
hal.executable private @e {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @k ordinal(0) layout(#layout)
    builtin.module {
      memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
      func.func @k() {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = hal.interface.constant.load layout(#layout) ordinal(0) : i32
        %count = arith.index_cast %n : i32 to index
        %b = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : memref<64xf16>
        %t = memref.get_global @table : memref<2xf32>
        %id = hal.interface.workgroup.id[0] : index
        scf.for %i = %c0 to %count step %c1 {
          %m = memref.alloca() : memref<4xf32>
          %x = memref.load %b[%i] : memref<64xf16>
          %y = math.tan %x : f16
          %z = arith.extf %y : f16 to f32
          %w = memref.load %t[%c1] : memref<2xf32>
          %v = arith.remf %z, %w : f32
          memref.store %v, %m[%id] : memref<4xf32>
          %u = arith.truncf %v : f32 to f16
          memref.store %u, %b[%i] : memref<64xf16>
        }
        func.return
      }
    }
  }
}
hal.executable private @f {
  hal.executable.variant public @machine target(#machine) {
    hal.executable.export public @k ordinal(0) layout(#layout)
    builtin.module {
      func.func @k() {
        func.return
      }
    }
  }
}
