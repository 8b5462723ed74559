// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slot numbers, inline structs and flags of the module file's FlatBuffer (vmfb.def).
#ifndef ABI_VMFB_H_
#define ABI_VMFB_H_

#include <stdint.h>

// VMFB_BytecodeModuleDef_name = 0, ...
enum {
#define VMFB_TABLE(table, fields)
#define VMFB_FIELD(table, slot, name, kind, of, def) VMFB_##table##_##name = slot,
#define VMFB_STRUCT(name, size, alignment)
#define VMFB_UNION_MEMBER(name, type, table) VMFB_##name##_##table = type,
#define VMFB_REQUIRED(table, name)
#include "abi/vmfb.def"
#undef VMFB_TABLE
#undef VMFB_FIELD
#undef VMFB_STRUCT
#undef VMFB_UNION_MEMBER
#undef VMFB_REQUIRED
};

typedef struct vmfb_function_descriptor_t {
  int32_t bytecode_offset;  // into bytecode_data
  int32_t bytecode_length;  // without padding
  uint32_t requirements;    // feature bits
  int16_t reserved;
  int16_t block_count;
  int16_t i32_register_count;
  int16_t ref_register_count;
} vmfb_function_descriptor_t;

typedef struct vmfb_bytecode_location_t {
  int32_t bytecode_offset;
  int32_t location;  // into location_table
} vmfb_bytecode_location_t;

// ImportFunctionDef.flags and ModuleDependencyDef.flags.
#define VMFB_FLAG_REQUIRED 1u
#define VMFB_FLAG_OPTIONAL 2u

#endif  // ABI_VMFB_H_
