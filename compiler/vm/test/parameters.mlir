// RUN: iree-opt --vm-convert-module %s | FileCheck-22 %s

// Keys and known spans are read-only data; spans that are not known are written when they are.
// CHECK-DAG: vm.rodata private @_parameter_index {{.*}}dense<[0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]> : tensor<16xi8>
// CHECK-DAG: vm.rodata private @_parameter_keys {{.*}}dense<[97, 98, 99]> : tensor<3xi8>
// CHECK-DAG: vm.import private @io_parameters.load({{.*}}) -> !vm.list<!vm.ref<!hal.buffer>>
// CHECK-LABEL: vm.func private @load
// CHECK:      %[[LIST:.+]] = vm.call @io_parameters.load(
// CHECK:      vm.list.get.ref %[[LIST]], %{{.+}} : (!vm.list<!vm.ref<!hal.buffer>>, i32) -> !vm.ref<!hal.buffer>
// CHECK:      vm.list.get.ref %[[LIST]]
util.func private @load(%device: !hal.device, %fence: !hal.fence) -> (!hal.buffer, !hal.buffer) {
  %a = util.buffer.constant : !util.buffer = "a"
  %bc = util.buffer.constant : !util.buffer = "bc"
  %any = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %n = arith.constant 16 : index
  %memory = hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
  %usage = hal.buffer_usage<"TransferSource"> : i32
  %0:2 = io_parameters.load<%device : !hal.device> affinity(%any) wait(%fence) signal(%fence) type(%memory) usage(%usage) {
    %a[%zero] : !hal.buffer{%n},
    %bc[%zero] : !hal.buffer{%n}
  }
  util.return %0#0, %0#1 : !hal.buffer, !hal.buffer
}

// CHECK-LABEL: vm.func private @transfer
// CHECK:      %[[SPANS:.+]] = vm.buffer.alloc
// CHECK:      vm.buffer.store.i64 %arg4, %[[SPANS]]
// CHECK:      vm.call @io_parameters.gather(
// CHECK:      vm.call @io_parameters.scatter(
util.func private @transfer(%device: !hal.device, %fence: !hal.fence, %buffer: !hal.buffer, %scope: !util.buffer, %at: index) {
  %a = util.buffer.constant : !util.buffer = "a"
  %any = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %n = arith.constant 16 : index
  io_parameters.gather<%device : !hal.device> affinity(%any) wait(%fence) signal(%fence) {
    %scope::%a[%zero] -> %buffer[%at for %n] : !hal.buffer
  }
  io_parameters.scatter<%device : !hal.device> affinity(%any) wait(%fence) signal(%fence) {
    %buffer[%n for %n] : !hal.buffer -> %scope::%a[%zero]
  }
  util.return
}
