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
#define KERNELS "kernels follow this compiler's own cost model, which has no such choice"
#define FUSION "what runs together follows this compiler's own cost model, which has no such choice"
#define SCHEDULES "schedules and memory follow this compiler's own rules, which have no such choice"
#define HOST "host code has no such form here"
#define MLIR "an option of MLIR, which is not inside"
#define LLVM "an option of LLVM's own, which is not passed on"

#define ABSENT(why, name) FLAG_ABSENT(name, NULL, why),
static const flag_t rows[] = {
#include "compiler/absent.def"
};
#undef ABSENT
const flag_group_t compile_absent_flag_group = FLAG_GROUP("Absent", rows);
