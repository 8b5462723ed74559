// Executables on the side, and back again.
// RUN: rm -rf %t && iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-hal-dump-executable-files-to=%t -o %t.vmfb
// RUN: ls %t | FileCheck-22 %s --check-prefix=NAMES
// RUN: FileCheck-22 %s --check-prefix=SOURCE --input-file=%t/module_f_dispatch_0.mlir
// RUN: FileCheck-22 %s --check-prefix=CONFIGURED --input-file=%t/configured_module_f_dispatch_0.mlir
// RUN: FileCheck-22 %s --check-prefix=BENCHMARK --input-file=%t/module_f_dispatch_0_embedded_elf_x86_64_benchmark.mlir
// RUN: FileCheck-22 %s --check-prefix=LLVM --input-file=%t/module_f_dispatch_0_embedded_elf_x86_64.codegen.ll
// RUN: iree-compile --compile-mode=hal-executable %t/module_f_dispatch_0.mlir --iree-hal-executable-debug-level=0 -o %t.1.so
// RUN: iree-compile --compile-mode=hal-executable %t/configured_module_f_dispatch_0.mlir --iree-hal-executable-debug-level=0 -o %t.2.so && cmp %t.1.so %t.2.so
// RUN: iree-compile %t/module_f_dispatch_0_embedded_elf_x86_64_benchmark.mlir -o %t.bench.vmfb
// RUN: iree-benchmark-module --module=%t.bench.vmfb --device=local-sync --benchmark_min_time=2x --batch_size=3 2>%t.err | FileCheck-22 %s --check-prefix=MEASURED
// RUN: sed 's/arith.addf/arith.mulf/' %t/module_f_dispatch_0.mlir > %t.sub.mlir
// RUN: iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-hal-substitute-executable-source=f_dispatch_0=%t.sub.mlir -o %t.sub.vmfb
// RUN: iree-run-module --module=%t.sub.vmfb --device=local-sync --function=f --input=4xf32=3 | FileCheck-22 %s --check-prefix=NINE
// RUN: cp %t/module_f_dispatch_0_embedded_elf_x86_64.so %t/f.so
// RUN: iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-hal-substitute-executable-object=f_dispatch_0=%t/f.so -o %t.obj.vmfb
// RUN: iree-run-module --module=%t.obj.vmfb --device=local-sync --function=f --input=4xf32=3 | FileCheck-22 %s --check-prefix=SIX
// RUN: not iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-hal-substitute-executable-source=f_dispatch_0=%s -o %t.no.vmfb 2>&1 | FileCheck-22 %s --check-prefix=NONE
// RUN: not iree-compile %s --iree-hal-target-backends=llvm-cpu --iree-hal-substitute-executable-object=f_dispatch_0=%s -o %t.no.vmfb 2>&1 | FileCheck-22 %s --check-prefix=NOELF
// REQUIRES: iree-benchmark-module

// NAMES:      configured_module_f_dispatch_0.mlir
// NAMES-NEXT: module_f_dispatch_0.mlir
// NAMES-NEXT: module_f_dispatch_0_embedded_elf_x86_64.codegen.ll
// NAMES-NEXT: module_f_dispatch_0_embedded_elf_x86_64.o
// NAMES-NEXT: module_f_dispatch_0_embedded_elf_x86_64.s
// NAMES-NEXT: module_f_dispatch_0_embedded_elf_x86_64.so
// NAMES-NEXT: module_f_dispatch_0_embedded_elf_x86_64_benchmark.mlir
// SOURCE:      hal.executable public @f_dispatch_0
// SOURCE-NOT:  translation_info
// CONFIGURED:  translation_info
// BENCHMARK:   util.func public @f_dispatch_0_embedded_elf_x86_64_f_dispatch_0_{{.*}}(%n: i32) attributes {{{.*}}iree.benchmark = "dispatch"
// BENCHMARK:   stream.cmd.dispatch @f_dispatch_0::@embedded_elf_x86_64::@f_dispatch_0_
// LLVM:        define {{.*}}@f_dispatch_0_
// MEASURED:    BM_f_dispatch_0_{{.*}}/process_time/real_time {{.*}} items_per_second=
// NINE:        4xf32=9 9 9 9
// SIX:         4xf32=6 6 6 6
// NONE:        has no hal.executable @f_dispatch_0
// NOELF:       is no ELF image
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
