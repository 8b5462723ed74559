// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/absent.h"

#define BACKENDS "; --iree-hal-list-target-backends shows what there is"
#define CUDA "this build has no CUDA target" BACKENDS
#define ROCM "this build has no AMD target" BACKENDS
#define VULKAN "this build has no SPIR-V target" BACKENDS
#define METAL "this build has no Metal target" BACKENDS
#define GPU "this build has no GPU targets" BACKENDS
#define WASM "this build has no WebAssembly target" BACKENDS
#define TORCH "programs of torch-mlir are not read; export StableHLO"
#define PLUGINS "this compiler takes no plugins"
#define C_SOURCES "modules are bytecode only, not C sources; iree-c-embed-data puts one into a C program"
#define FORMAT "outputs are modules only (vm-bytecode), neither their text nor C sources; iree-dump-module shows one, iree-c-embed-data puts one into a C program"
#define LINKER "kernels are linked inside the compiler, by no program"
#define BITCODE "kernels link no LLVM bitcode; write what it does as ops"
#define SANITIZE "kernels cannot be instrumented; run them on the vmvx backend, which checks bounds"
#define TARGETS "kernels are made for x86_64 and aarch64; --iree-llvmcpu-target-triple= chooses"
#define TARGET_ABI "the ABI of kernels follows from --iree-llvmcpu-target-triple="
#define OBJECTS "kernels are linked with no object files of others; write what they do as ops, or as a custom module that the program calls"
#define BENCHMARKS "no functions are added for it; --iree-hal-dump-executable-benchmarks-to= writes a benchmark per executable"
#define TYPES "only --iree-input-demote-f64-to-f32 changes the types of a program; convert the others where it is exported"
#define KERNELS "kernels follow this compiler's own cost model, which has no such choice"
#define FUSION "what runs together follows this compiler's own cost model, which has no such choice"
#define SCHEDULES "schedules and memory follow this compiler's own rules, which have no such choice"
#define HOST "host code has no such form here"
#define MLIR "an option of MLIR, which is not inside"
#define LLVM "an option of LLVM's own, which is not passed on"

#define MEANS FLAG_ABSENT
#define TUNES FLAG_HINT
#define ABSENT(why, name, kind, value) kind(name, value, why),
static const flag_t rows[] = {
    // Habits from other compilers.
    FLAG_ABSENT("O0", NULL, "is written --iree-opt-level=O0 here"), FLAG_ABSENT("O1", NULL, "is written --iree-opt-level=O1 here"),
    FLAG_ABSENT("O2", NULL, "is written --iree-opt-level=O2 here"), FLAG_ABSENT("O3", NULL, "is written --iree-opt-level=O3 here"),
#include "compiler/absent.def"
};
#undef ABSENT
const flag_group_t compile_absent_flag_group = FLAG_GROUP("Absent", rows);
