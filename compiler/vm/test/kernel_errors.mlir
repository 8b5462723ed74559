// RUN: not iree-opt --vm-serialize-kernels %s 2>&1 | FileCheck-22 %s
// CHECK: kernel_errors.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'memref.load' op indexes a buffer of rank above 1; scheduled kernels use flat buffers
#target = #hal.executable.target<"vmvx", "vmvx-bytecode-fb">
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
hal.executable private @e {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @k ordinal(0) layout(#layout)
    builtin.module {
      func.func @k() {
        %c0 = arith.constant 0 : index
        %b = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : memref<8x8xf32>
        %x = memref.load %b[%c0, %c0] : memref<8x8xf32>
        memref.store %x, %b[%c0, %c0] : memref<8x8xf32>
        func.return
      }
    }
  }
}
