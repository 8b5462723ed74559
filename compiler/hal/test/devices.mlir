// Devices by number, devices by preference, executables in several formats.
// RUN: iree-opt --hal-convert-stream --hal-simplify %s | FileCheck-22 %s
// RUN: iree-compile --compile-from=executable-targets --iree-hal-target-backends=llvm-cpu %s --compile-to=vm -o %t.mlir
#a = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>
#b = #hal.executable.target<"llvm-cpu", "embedded-elf-arm_64", {cpu = "generic", target_triple = "aarch64-unknown-unknown-eabi-elf"}>
module {
  // The second that matches: one match is passed over.
  // CHECK:      util.global private @second : !hal.device
  // CHECK:      cf.br ^[[LOOP:bb[0-9]+]](%{{.+}}, %[[ONE:.+]] : index, index)
  // CHECK:      ^[[LOOP]](%[[I:.+]]: index, %[[LEFT:.+]]: index):
  // CHECK:        hal.devices.get %[[I]]
  // CHECK:        arith.cmpi eq, %[[LEFT]], %{{.+}} : index
  // CHECK:        arith.subi %[[LEFT]], %[[ONE]] : index
  // CHECK:      util.status.check_ok %{{.+}}, "no device local* with embedded-elf-x86_64"
  util.global private @second = #hal.device.target<"local", {ordinal = 1 : index}, [#a]> : !hal.device
  // First choice before second.
  // CHECK:      util.global private @best : !hal.device
  // CHECK:        key("hal.device.id" :: "vulkan")
  // CHECK:        key("hal.executable.format" :: "embedded-elf-x86_64")
  // CHECK:        key("hal.device.id" :: "local*")
  // CHECK:        key("hal.executable.format" :: "embedded-elf-x86_64")
  // CHECK:        key("hal.executable.format" :: "embedded-elf-arm_64")
  // CHECK:      util.status.check_ok %{{.+}}, "no device vulkan with embedded-elf-x86_64, local* with embedded-elf-x86_64|embedded-elf-arm_64"
  util.global private @best = #hal.device.select<[#hal.device.target<"vulkan", [#a]>, #hal.device.target<"local", [#a, #b]>]> : !hal.device
}
