// RUN: iree-opt --hal-convert-stream --hal-simplify %s | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
#device = #hal.device.target<"local", [#target]> : !hal.device
module {
  // The first device that matches and takes the format; a failure says what was wanted.
  // CHECK:      util.global private @device : !hal.device
  // CHECK:      util.initializer {
  // CHECK:        hal.devices.get
  // CHECK:        hal.device.query<%{{.+}} : !hal.device> key("hal.device.id" :: "local*")
  // CHECK:        hal.device.query<%{{.+}} : !hal.device> key("hal.executable.format" :: "embedded-elf-x86_64")
  // CHECK:        util.status.check_ok %{{.+}}, "no device local* with embedded-elf-x86_64"
  util.global private @device = #device
  // CHECK:      util.initializer {
  // CHECK:        hal.executable.create device(%{{.+}} : !hal.device) {{.*}}target(@e::@v)
  hal.executable private @e {
    hal.executable.variant public @v target(#target) {
      hal.executable.export public @f ordinal(0) layout(#layout) count(%d: !hal.device, %n: index) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %x = arith.ceildivui %n, %c64 : index
        hal.return %x, %c1, %c1 : index, index, index
      }
      builtin.module {
      }
    }
  }

  // All known now: recorded when the module is loaded, run with the call's resources.
  // CHECK-LABEL: util.func public @static(%arg0: !hal.buffer, %arg1: !hal.fence) -> !hal.fence
  // CHECK:         %[[C:.+]] = util.global.load immutable @__commands_0 : !hal.command_buffer
  // CHECK:         %[[F:.+]] = hal.fence.create
  // CHECK:         hal.device.queue.execute.indirect<{{.*}} wait(%arg1) signal(%[[F]]) commands(%[[C]]) bindings([
  // CHECK-NEXT:      (%arg0 : !hal.buffer)[%{{.+}}, %{{.+}}]
  // CHECK:         util.return %[[F]]
  util.func public @static(%r: !stream.resource<external>, %t: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c0_i8 = arith.constant 0 : i8
    %u = stream.cmd.execute await(%t) => with(%r as %a: !stream.resource<external>{%c64}) {
      stream.cmd.fill %c0_i8, %a[%c0 for %c64] : i8 -> !stream.resource<external>{%c64}
      stream.cmd.dispatch @e::@v::@f[%c64] {
        rw %a[%c0 for %c64] : !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    util.return %u : !stream.timepoint
  }

  // Not known: recorded where it runs. One command needs no barrier, two have one between them.
  // CHECK-LABEL: util.func public @dynamic
  // CHECK:         %[[C:.+]] = hal.command_buffer.create {{.*}}mode("OneShot")
  // CHECK:         hal.command_buffer.dispatch
  // CHECK-NOT:     hal.command_buffer.execution_barrier
  // CHECK:         hal.command_buffer.finalize<%[[C]]
  // CHECK:         hal.device.queue.execute<
  util.func public @dynamic(%r: !stream.resource<external>, %n: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %u = stream.cmd.execute with(%r as %a: !stream.resource<external>{%n}) {
      stream.cmd.dispatch @e::@v::@f[%n] {
        rw %a[%c0 for %n] : !stream.resource<external>{%n}
      }
    } => !stream.timepoint
    util.return %u : !stream.timepoint
  }

  // One copy alone goes straight to the queue; a subview is an offset.
  // CHECK-LABEL: util.func public @copy
  // CHECK:         hal.device.queue.copy<{{.*}} source(%arg0 : !hal.buffer){{ ?}}[%{{.+}}] target(%arg1 : !hal.buffer)
  // CHECK-NOT:     hal.buffer.subspan
  util.func public @copy(%r: !stream.resource<external>, %s: !stream.resource<transient>) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %v = stream.resource.subview %r[%c64] : !stream.resource<external>{%c128} -> !stream.resource<external>{%c64}
    %u = stream.cmd.execute with(%v as %a: !stream.resource<external>{%c64}, %s as %b: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %u : !stream.timepoint
  }

  // Recorded last, after whatever fills the globals. Slot 0 stands for the resource.
  // CHECK:      util.initializer {
  // CHECK:        hal.command_buffer.create {{.*}}bindings(
  // CHECK:        hal.command_buffer.fill_buffer<{{.*}} target(%{{.+}} : index)
  // CHECK-NEXT:   hal.command_buffer.execution_barrier
  // CHECK:        hal.command_buffer.dispatch<{{.*}} bindings([
  // CHECK-NEXT:     (%{{.+}} : index)[
  // CHECK-NOT:    hal.command_buffer.execution_barrier
  // CHECK:        util.global.store %{{.+}}, @__commands_0
}
