// RUN: iree-opt --hal-link-executables %s | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
module {
  // CHECK:      hal.executable private @a {
  // CHECK:        hal.executable.export public @f ordinal(0)
  // CHECK:        hal.executable.export public @[[G:f_0]] ordinal(1)
  // CHECK:        memref.global "private" constant @k : memref<1xi8> = dense<1>
  // CHECK:        func.func @f()
  // A new name is none that the second kernel has already.
  // CHECK:        memref.global "private" constant @k_0 : memref<1xi8> = dense<2>
  // CHECK:        memref.global "private" constant @[[K:k_1]] : memref<1xi8> = dense<3>
  // CHECK:        func.func @[[G]]()
  // CHECK:          memref.get_global @[[K]]
  // CHECK-NOT:  hal.executable private @b
  hal.executable private @a {
    hal.executable.variant public @v target(#target) {
      hal.executable.export public @f ordinal(0) layout(#layout)
      builtin.module {
        memref.global "private" constant @k : memref<1xi8> = dense<1>
        func.func @f() {
          return
        }
      }
    }
  }
  hal.executable private @b {
    hal.executable.variant public @v target(#target) {
      hal.executable.export public @f ordinal(0) layout(#layout)
      builtin.module {
        memref.global "private" constant @k_0 : memref<1xi8> = dense<2>
        memref.global "private" constant @k : memref<1xi8> = dense<3>
        func.func @f() {
          %k = memref.get_global @k : memref<1xi8>
          return
        }
      }
    }
  }
  // CHECK:      stream.cmd.dispatch @a::@v::@f {
  // CHECK:      stream.cmd.dispatch @a::@v::@[[G]] {
  util.func public @g(%r: !stream.resource<external>) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %t = stream.cmd.execute with(%r as %x: !stream.resource<external>{%c16}) {
      stream.cmd.dispatch @a::@v::@f {
        rw %x[%c0 for %c16] : !stream.resource<external>{%c16}
      }
      stream.cmd.dispatch @b::@v::@f {
        rw %x[%c0 for %c16] : !stream.resource<external>{%c16}
      }
    } => !stream.timepoint
    util.return %t : !stream.timepoint
  }
}
