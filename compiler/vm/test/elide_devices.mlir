// RUN: iree-opt --vm-elide-devices %s | FileCheck-22 %s
// CHECK-NOT: @unused
// CHECK: util.global private @used
util.global private @unused : !hal.device
util.initializer {
  %i = arith.constant 0 : index
  %d = hal.devices.get %i : !hal.device
  util.global.store %d, @unused : !hal.device
  util.return
}
// CHECK: util.initializer
util.global private @used : !hal.device
util.initializer {
  %i = arith.constant 1 : index
  %d = hal.devices.get %i : !hal.device
  util.global.store %d, @used : !hal.device
  util.return
}
// CHECK: util.func public @f
util.func public @f() -> !hal.device {
  %d = util.global.load @used : !hal.device
  util.return %d : !hal.device
}
