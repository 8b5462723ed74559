// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels are generated for: one CPU architecture with a set of features.
//
// Made from flags or from the dictionary of a #hal.executable.target<"llvm-cpu", ...> attribute;
// both give the same three strings. Target "vmvx", kernels for the virtual machine, has none. Everything a later stage asks of a target (format name, data
// layout, vector width, required processor bits) is a field here; nothing looks at the strings
// again.
#ifndef IREE_COMPILER_CODEGEN_TARGET_H_
#define IREE_COMPILER_CODEGEN_TARGET_H_

#include <stdbool.h>
#include <stdint.h>

#include "iree/base/api.h"

typedef enum {
  CODEGEN_ARCH_X86_64 = 0,
  CODEGEN_ARCH_ARM_64 = 1,
  CODEGEN_ARCH_VM = 2,  // the runtime's own virtual machine
} codegen_arch_t;

// What a variant's kernels are put into.
typedef enum {
  CODEGEN_LINK_EMBEDDED = 0,  // an image that needs nothing but the runtime
  CODEGEN_LINK_SYSTEM = 1,    // a shared library that the system's loader takes
  CODEGEN_LINK_STATIC = 2,    // an object file on the side, which the user's program is linked with
} codegen_link_t;

// Words of processor data that the runtime passes to kernels.
enum { CODEGEN_PROCESSOR_WORDS = 8 };

typedef struct {
  iree_string_view_t triple;    // empty: the architecture of this machine
  iree_string_view_t cpu;       // empty: "generic"; "host": this machine's
  iree_string_view_t features;  // "+a,-b,..."; "host" (alone or as an item): this machine's
  codegen_link_t link;
  iree_string_view_t static_output;  // path of the object file; its header lies beside it
} codegen_target_options_t;

typedef struct codegen_target_t {
  codegen_arch_t arch;
  codegen_link_t link;
  const char *format;   // executable format, "embedded-elf-x86_64"
  char *static_output;  // empty but for CODEGEN_LINK_STATIC
  char *triple;        // normalised, "x86_64-unknown-unknown-eabi-elf"
  char *cpu;
  char *features;             // every item known to the code generator
  char *data_layout;          // LLVM's text
  uint32_t vector_bytes;      // widest register that vector code should use
  uint32_t vector_registers;  // how many of them
  uint32_t max_lanes;         // of a vector; 1 where there are scalars only
  bool has_fma;               // fused multiply-add in hardware
  bool has_f16_convert;       // f16 <-> f32 in hardware
  bool has_f16_arithmetic;    // f16 arithmetic in hardware
  // Bits (abi/cpu_feature.def) that code for this target may use: the loader checks them.
  uint64_t processor[CODEGEN_PROCESSOR_WORDS];
} codegen_target_t;

// Resolves |options| to a target.
//   owns:    transfers ownership of |out_target| to the caller (codegen_target_free)
//   errors:  INVALID_ARGUMENT  triple, CPU or feature unknown; "host" for another architecture
iree_status_t codegen_target_create(const codegen_target_options_t *options,
                                    codegen_target_t **out_target);

// The target whose kernels the virtual machine runs.
//   owns:    as above
codegen_target_t *codegen_target_create_vm(void);

// Names of the backends that --iree-hal-target-backends takes, NULL-terminated.
extern const char *const codegen_backends[];

// Releases |target|; NULL is allowed.
void codegen_target_free(codegen_target_t *target);

#endif  // IREE_COMPILER_CODEGEN_TARGET_H_
