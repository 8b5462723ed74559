// Attributes whose name an op's place implies are read without it, as other printers write them.
// RUN: iree-opt %s --mlir-print-debuginfo=false | FileCheck-22 %s
// CHECK: hal.executable.variant public @v target(#{{.*}})
hal.executable private @e {
  hal.executable.variant public @v target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>) {
  }
}
