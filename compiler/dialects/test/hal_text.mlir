// Every kind of text that hal ops have: printed as read, and as upstream prints it.
// RUN: iree-opt %s --mlir-print-debuginfo=false > %t.mlir
// RUN: iree-opt %t.mlir --mlir-print-op-generic --mlir-print-debuginfo=false | iree-opt --mlir-print-debuginfo=false | diff %t.mlir -
// RUN: FileCheck-22 %s < %t.mlir
// CHECK: hal.memory_type<"HostVisible|HostCoherent|HostLocal|DeviceVisible"> : i32
// CHECK: hal.buffer_view.trace "x" = %arg3, %arg3 : !hal.buffer_view, !hal.buffer_view
// CHECK: hal.ex.file.from_memory {{.*}}access("Read|Write")
// CHECK: hal.command_buffer.dispatch.indirect<{{.*}} constants([%arg5, %arg5]) bindings([
// CHECK-NEXT: (%arg2 : !hal.buffer)[%arg6, %arg6]
// CHECK: hal.device.query<%arg0 : !hal.device> key("a" :: "b") : i1, i64 = 5 : i64
// CHECK: hal.device.queue.dealloca<{{.*}} flags("PreferOrigin")
util.func public @f(%d: !hal.device, %a: !hal.allocator, %b: !hal.buffer, %v: !hal.buffer_view, %q: i64, %i: i32, %n: index, %s: !hal.fence, %t: !hal.fence, %u: !util.buffer, %c: !hal.command_buffer, %e: !hal.executable) {
  hal.buffer.allocation.preserve<%b : !hal.buffer>
  %0 = hal.buffer.allocation.discard<%b : !hal.buffer> : i1
  %1 = hal.buffer.allocation.is_terminal<%b : !hal.buffer> : i1
  %2 = hal.buffer.subspan<%b : !hal.buffer>[%n, %n] : !hal.buffer
  %3 = hal.buffer.length<%b : !hal.buffer> : index
  %4 = hal.buffer.load<%b : !hal.buffer>[%n] : f32
  hal.buffer.store<%b : !hal.buffer>[%n] value(%4 : f32)
  %5 = hal.memory_type<"DeviceVisible|HostLocal"> : i32
  %6 = hal.memory_type<DeviceLocal> : i32
  %7 = hal.buffer_usage<"Transfer|Mapping"> : i32
  %8 = hal.buffer_view.element_type<%v : !hal.buffer_view> : i32
  %9 = hal.buffer_view.encoding_type<%v : !hal.buffer_view> : i32
  %10 = hal.buffer_view.rank<%v : !hal.buffer_view> : index
  hal.buffer_view.trace "x" = %v, %v : !hal.buffer_view, !hal.buffer_view
  %11 = hal.allocator.allocate<%a : !hal.allocator> affinity(%q) type(%5) usage(%7) : !hal.buffer{%n}
  %12:2 = hal.allocator.import<%a : !hal.allocator> source(%u : !util.buffer)[%n, %n] affinity(%q) type(%5) usage(%7) : i1, !hal.buffer
  %13 = hal.ex.file.from_memory device(%d : !hal.device) affinity(%q) access("Read|Write") buffer(%u : !util.buffer)[%n for %n] flags(%i) : !hal.file
  hal.command_buffer.begin_debug_group<%c : !hal.command_buffer> label("l")
  hal.command_buffer.end_debug_group<%c : !hal.command_buffer>
  hal.command_buffer.fill_buffer<%c : !hal.command_buffer> target(%b : !hal.buffer)[%n, %n] pattern(%i : i32) flags("None")
  hal.command_buffer.update_buffer<%c : !hal.command_buffer> source(%u : !util.buffer{%n})[%n] target(%b : !hal.buffer)[%n] length(%n) flags("None")
  %id = hal.executable.lookup.function target(%e : !hal.executable) function(@x::@y::@z) : i64
  hal.command_buffer.dispatch.indirect<%c : !hal.command_buffer> target(%e : !hal.executable)[%id] workgroups(%b : !hal.buffer)[%n] constants([%i, %i]) bindings([
    (%b : !hal.buffer)[%n, %n]
  ]) flags("None")
  %14 = hal.devices.count : index
  %15:2 = hal.device.query<%d : !hal.device> key("a" :: "b") : i1, i64 = 5 : i64
  hal.device.queue.fill<%d : !hal.device> affinity(%q) wait(%s) signal(%t) target(%b : !hal.buffer)[%n] length(%n) pattern(%i : i32) flags("None")
  hal.device.queue.update<%d : !hal.device> affinity(%q) wait(%s) signal(%t) source(%u : !util.buffer)[%n] target(%b : !hal.buffer)[%n] length(%n) flags("None")
  hal.device.queue.read<%d : !hal.device> affinity(%q) wait(%s) signal(%t) source(%13 : !hal.file)[%q] target(%b : !hal.buffer)[%n] length(%n) flags("None")
  hal.device.queue.write<%d : !hal.device> affinity(%q) wait(%s) signal(%t) source(%b : !hal.buffer)[%n] target(%13 : !hal.file)[%q] length(%n) flags("None")
  hal.device.queue.barrier<%d : !hal.device> affinity(%q) wait(%s) signal(%t) flags("None")
  hal.device.queue.flush<%d : !hal.device> affinity(%q)
  hal.device.queue.dealloca<%d : !hal.device> affinity(%q) wait(%s) signal(%t) buffer(%b : !hal.buffer) flags(PreferOrigin)
  %16 = hal.fence.query<%s : !hal.fence> : i32
  hal.fence.signal<%s : !hal.fence>
  hal.fence.fail<%s : !hal.fence> status(%i)
  %17 = hal.executable.create device(%d : !hal.device) affinity(%q) target(@x::@y) constants([%i]) : !hal.executable
  %18 = hal.executable.lookup device(%d : !hal.device) executable(@x) : !hal.executable
  %19 = hal.executable.export.ordinal target(@x::@y::@z) : index
  util.return
}
