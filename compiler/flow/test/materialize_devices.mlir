// RUN: iree-opt --flow-materialize-devices --iree-hal-target-backends=llvm-cpu --iree-llvmcpu-target-triple=x86_64-linux-gnu %s | FileCheck-22 %s
// RUN: not iree-opt --flow-materialize-devices --iree-hal-target-backends=foo %s 2>&1 | FileCheck-22 %s --check-prefix=BACKEND
// RUN: not iree-opt --flow-materialize-devices --iree-hal-target-device=foo %s 2>&1 | FileCheck-22 %s --check-prefix=DEVICE
// RUN: not iree-opt --flow-materialize-devices --iree-hal-target-device=local %s 2>&1 | FileCheck-22 %s --check-prefix=NONE
// CHECK: #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "
// CHECK: attributes {stream.affinity.default = #hal.device.affinity<@__device_0>}
// CHECK: util.global private @__device_0 = #device_target
// BACKEND: error: target backend 'foo' not registered; registered backends: [llvm-cpu, vmvx]
// DEVICE: error: unregistered device alias "foo" in --iree-hal-target-device= (available = [ 'local' ])
// NONE: error: device alias "local" does not provide any executable targets
module {
}
