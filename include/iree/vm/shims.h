// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed views of packed arguments and results for native functions, by calling convention letters.
//
//   IREE_VM_ABI_EXPORT(my_add, my_state_t, ii, i) { rets->i0 = args->i0 + args->i1; return ...; }
//   { .shim = iree_vm_shim_ii_i,
//     .target = (iree_vm_native_function_target_t)my_add }
//
// Fields are letter and position (i0 I -> i1 r2); a trailing group at position n is aN_count and
// aN[]. Structures have the packed layout because every member's C alignment is its packed
// alignment. Functions with more than one group take the raw bytes (IREE_VM_ABI_RAW_EXPORT).
#ifndef IREE_VM_SHIMS_H_
#define IREE_VM_SHIMS_H_

#include "iree/base/api.h"
#include "iree/vm/module.h"
#include "iree/vm/native_module.h"
#include "iree/vm/ref.h"
#include "iree/vm/stack.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IREE_VM_ABI_TYPE_NAME(types) iree_vm_abi_##types##_t

// The view of a buffer, NULL when it is too small.
#define IREE_VM_ABI_FIXED_STRUCT(types, ...)                                       \
  typedef struct iree_vm_abi_##types##_t __VA_ARGS__ iree_vm_abi_##types##_t;      \
  static inline iree_vm_abi_##types##_t *iree_vm_abi_##types##_checked_deref(      \
      iree_byte_span_t buffer) {                                                   \
    return IREE_LIKELY(buffer.data_length >= sizeof(iree_vm_abi_##types##_t))      \
               ? (iree_vm_abi_##types##_t *)(void *)buffer.data                    \
               : NULL;                                                             \
  }                                                                                \
  IREE_ATTRIBUTE_UNUSED static inline void iree_vm_abi_##types##_reset(            \
      iree_vm_abi_##types##_t *value) {                                            \
    memset(value, 0, sizeof(*value));                                              \
  }

// The same with a trailing group, whose count is checked against the buffer too.
#define IREE_VM_ABI_VLA_STRUCT(types, vla_count, vla_field, ...)                     \
  typedef struct iree_vm_abi_##types##_t __VA_ARGS__ iree_vm_abi_##types##_t;        \
  static inline iree_vm_abi_##types##_t *iree_vm_abi_##types##_checked_deref(        \
      iree_byte_span_t buffer) {                                                     \
    iree_vm_abi_##types##_t *value = (iree_vm_abi_##types##_t *)(void *)buffer.data; \
    iree_host_size_t head = offsetof(iree_vm_abi_##types##_t, vla_field);            \
    if (IREE_UNLIKELY(buffer.data_length < head)) return NULL;                       \
    return IREE_LIKELY((buffer.data_length - head) / sizeof(value->vla_field[0]) >=  \
                       value->vla_count)                                             \
               ? value                                                               \
               : NULL;                                                               \
  }

typedef struct iree_vm_abi_v_t {
  int unused;
} iree_vm_abi_v_t;
// Nothing is stored: any address does.
static inline iree_vm_abi_v_t *iree_vm_abi_v_checked_deref(iree_byte_span_t buffer) {
  static iree_vm_abi_v_t nothing = {0};
  (void)buffer;
  return &nothing;
}
static inline void iree_vm_abi_v_reset(iree_vm_abi_v_t *value) { (void)value; }

// clang-format off
IREE_VM_ABI_FIXED_STRUCT(F, { double f0; })
IREE_VM_ABI_FIXED_STRUCT(I, { int64_t i0; })
IREE_VM_ABI_FIXED_STRUCT(f, { float f0; })
IREE_VM_ABI_FIXED_STRUCT(i, { int32_t i0; })
IREE_VM_ABI_FIXED_STRUCT(r, { iree_vm_ref_t r0; })
IREE_VM_ABI_FIXED_STRUCT(II, { int64_t i0; int64_t i1; })
IREE_VM_ABI_FIXED_STRUCT(ff, { float f0; float f1; })
IREE_VM_ABI_FIXED_STRUCT(iI, { int32_t i0; int64_t i1; })
IREE_VM_ABI_FIXED_STRUCT(ii, { int32_t i0; int32_t i1; })
IREE_VM_ABI_FIXED_STRUCT(rI, { iree_vm_ref_t r0; int64_t i1; })
IREE_VM_ABI_FIXED_STRUCT(ri, { iree_vm_ref_t r0; int32_t i1; })
IREE_VM_ABI_FIXED_STRUCT(rr, { iree_vm_ref_t r0; iree_vm_ref_t r1; })
IREE_VM_ABI_VLA_STRUCT(CID, a0_count, a0, { uint32_t a0_count; struct { int64_t i0; } a0[]; })
IREE_VM_ABI_VLA_STRUCT(CiD, a0_count, a0, { uint32_t a0_count; struct { int32_t i0; } a0[]; })
IREE_VM_ABI_VLA_STRUCT(CrD, a0_count, a0, { uint32_t a0_count; struct { iree_vm_ref_t r0; } a0[];
    })
IREE_VM_ABI_FIXED_STRUCT(rII, { iree_vm_ref_t r0; int64_t i1; int64_t i2; })
IREE_VM_ABI_FIXED_STRUCT(rIi, { iree_vm_ref_t r0; int64_t i1; int32_t i2; })
IREE_VM_ABI_FIXED_STRUCT(rrr, { iree_vm_ref_t r0; iree_vm_ref_t r1; iree_vm_ref_t r2; })
IREE_VM_ABI_VLA_STRUCT(ICrD, a1_count, a1, { int64_t i0; uint32_t a1_count; struct { iree_vm_ref_t
    r0; } a1[]; })
IREE_VM_ABI_FIXED_STRUCT(irII, { int32_t i0; iree_vm_ref_t r1; int64_t i2; int64_t i3; })
IREE_VM_ABI_FIXED_STRUCT(irIi, { int32_t i0; iree_vm_ref_t r1; int64_t i2; int32_t i3; })
IREE_VM_ABI_VLA_STRUCT(rCID, a1_count, a1, { iree_vm_ref_t r0; uint32_t a1_count; struct { int64_t
    i0; } a1[]; })
IREE_VM_ABI_VLA_STRUCT(rCrD, a1_count, a1, { iree_vm_ref_t r0; uint32_t a1_count; struct {
    iree_vm_ref_t r0; } a1[]; })
IREE_VM_ABI_FIXED_STRUCT(riiI, { iree_vm_ref_t r0; int32_t i1; int32_t i2; int64_t i3; })
IREE_VM_ABI_VLA_STRUCT(iICrD, a2_count, a2, { int32_t i0; int64_t i1; uint32_t a2_count; struct {
    iree_vm_ref_t r0; } a2[]; })
IREE_VM_ABI_FIXED_STRUCT(rIiiI, { iree_vm_ref_t r0; int64_t i1; int32_t i2; int32_t i3; int64_t
    i4; })
IREE_VM_ABI_FIXED_STRUCT(rIrrI, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2; iree_vm_ref_t
    r3; int64_t i4; })
IREE_VM_ABI_FIXED_STRUCT(rIrrr, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2; iree_vm_ref_t
    r3; iree_vm_ref_t r4; })
IREE_VM_ABI_FIXED_STRUCT(riiIi, { iree_vm_ref_t r0; int32_t i1; int32_t i2; int64_t i3; int32_t
    i4; })
IREE_VM_ABI_FIXED_STRUCT(rirII, { iree_vm_ref_t r0; int32_t i1; iree_vm_ref_t r2; int64_t i3;
    int64_t i4; })
IREE_VM_ABI_FIXED_STRUCT(rIrrrI, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2; iree_vm_ref_t
    r3; iree_vm_ref_t r4; int64_t i5; })
IREE_VM_ABI_FIXED_STRUCT(rrIIIi, { iree_vm_ref_t r0; iree_vm_ref_t r1; int64_t i2; int64_t i3;
    int64_t i4; int32_t i5; })
IREE_VM_ABI_FIXED_STRUCT(rrrIii, { iree_vm_ref_t r0; iree_vm_ref_t r1; iree_vm_ref_t r2; int64_t
    i3; int32_t i4; int32_t i5; })
IREE_VM_ABI_VLA_STRUCT(iiICrID, a3_count, a3, { int32_t i0; int32_t i1; int64_t i2; uint32_t
    a3_count; struct { iree_vm_ref_t r0; int64_t i1; } a3[]; })
IREE_VM_ABI_FIXED_STRUCT(rIIrrii, { iree_vm_ref_t r0; int64_t i1; int64_t i2; iree_vm_ref_t r3;
    iree_vm_ref_t r4; int32_t i5; int32_t i6; })
IREE_VM_ABI_FIXED_STRUCT(rIirIIi, { iree_vm_ref_t r0; int64_t i1; int32_t i2; iree_vm_ref_t r3;
    int64_t i4; int64_t i5; int32_t i6; })
IREE_VM_ABI_VLA_STRUCT(rriiCID, a4_count, a4, { iree_vm_ref_t r0; iree_vm_ref_t r1; int32_t i2;
    int32_t i3; uint32_t a4_count; struct { int64_t i0; } a4[]; })
IREE_VM_ABI_VLA_STRUCT(rIIiiCID, a5_count, a5, { iree_vm_ref_t r0; int64_t i1; int64_t i2; int32_t
    i3; int32_t i4; uint32_t a5_count; struct { int64_t i0; } a5[]; })
IREE_VM_ABI_FIXED_STRUCT(riIiirII, { iree_vm_ref_t r0; int32_t i1; int64_t i2; int32_t i3; int32_t
    i4; iree_vm_ref_t r5; int64_t i6; int64_t i7; })
IREE_VM_ABI_FIXED_STRUCT(rrIIiIiI, { iree_vm_ref_t r0; iree_vm_ref_t r1; int64_t i2; int64_t i3;
    int32_t i4; int64_t i5; int32_t i6; int64_t i7; })
IREE_VM_ABI_FIXED_STRUCT(rrIrIIiI, { iree_vm_ref_t r0; iree_vm_ref_t r1; int64_t i2; iree_vm_ref_t
    r3; int64_t i4; int64_t i5; int32_t i6; int64_t i7; })
IREE_VM_ABI_FIXED_STRUCT(rIrrIiiII, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2;
    iree_vm_ref_t r3; int64_t i4; int32_t i5; int32_t i6; int64_t i7; int64_t i8; })
IREE_VM_ABI_FIXED_STRUCT(rIrrrrrrr, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2;
    iree_vm_ref_t r3; iree_vm_ref_t r4; iree_vm_ref_t r5; iree_vm_ref_t r6; iree_vm_ref_t r7;
    iree_vm_ref_t r8; })
IREE_VM_ABI_FIXED_STRUCT(riirIrIII, { iree_vm_ref_t r0; int32_t i1; int32_t i2; iree_vm_ref_t r3;
    int64_t i4; iree_vm_ref_t r5; int64_t i6; int64_t i7; int64_t i8; })
IREE_VM_ABI_FIXED_STRUCT(rIrrrIIIiI, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2;
    iree_vm_ref_t r3; iree_vm_ref_t r4; int64_t i5; int64_t i6; int64_t i7; int32_t i8; int64_t
    i9; })
IREE_VM_ABI_FIXED_STRUCT(rIrrrIrIII, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2;
    iree_vm_ref_t r3; iree_vm_ref_t r4; int64_t i5; iree_vm_ref_t r6; int64_t i7; int64_t i8;
    int64_t i9; })
IREE_VM_ABI_VLA_STRUCT(rIrrrICrIID, a6_count, a6, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t
    r2; iree_vm_ref_t r3; iree_vm_ref_t r4; int64_t i5; uint32_t a6_count; struct { iree_vm_ref_t
    r0; int64_t i1; int64_t i2; } a6[]; })
IREE_VM_ABI_FIXED_STRUCT(rIrrrIiirrr, { iree_vm_ref_t r0; int64_t i1; iree_vm_ref_t r2;
    iree_vm_ref_t r3; iree_vm_ref_t r4; int64_t i5; int32_t i6; int32_t i7; iree_vm_ref_t r8;
    iree_vm_ref_t r9; iree_vm_ref_t r10; })
IREE_VM_ABI_FIXED_STRUCT(rriiiirrIIIII, { iree_vm_ref_t r0; iree_vm_ref_t r1; int32_t i2; int32_t
    i3; int32_t i4; int32_t i5; iree_vm_ref_t r6; iree_vm_ref_t r7; int64_t i8; int64_t i9;
    int64_t i10; int64_t i11; int64_t i12; })
// clang-format on

typedef iree_status_t (*iree_vm_native_function_target2_t)(iree_vm_stack_t *stack, void *module,
                                                           void *module_state, const void *args,
                                                           void *rets);

#define IREE_VM_ABI_DECLARE_SHIM(arg_types, ret_types)                  \
  IREE_API_EXPORT iree_status_t iree_vm_shim_##arg_types##_##ret_types( \
      iree_vm_stack_t *stack, iree_vm_native_function_flags_t flags,    \
      iree_byte_span_t args_storage, iree_byte_span_t rets_storage,     \
      iree_vm_native_function_target_t target_fn, void *module, void *module_state);

// When resuming there are no arguments: |args| is NULL unless the function has none.
#define IREE_VM_ABI_DEFINE_SHIM(arg_types, ret_types)                                        \
  iree_status_t iree_vm_shim_##arg_types##_##ret_types(                                      \
      iree_vm_stack_t *stack, iree_vm_native_function_flags_t flags,                         \
      iree_byte_span_t args_storage, iree_byte_span_t rets_storage,                          \
      iree_vm_native_function_target_t target_fn, void *module, void *module_state) {        \
    const IREE_VM_ABI_TYPE_NAME(arg_types) *args =                                           \
        iree_vm_abi_##arg_types##_checked_deref(args_storage);                               \
    IREE_VM_ABI_TYPE_NAME(ret_types) *rets =                                                 \
        iree_vm_abi_##ret_types##_checked_deref(rets_storage);                               \
    if (IREE_UNLIKELY(!rets || (!args && !(flags & IREE_VM_NATIVE_FUNCTION_CALL_RESUME)))) { \
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,                                  \
                              "arguments do not have the form " #arg_types "_" #ret_types);  \
    }                                                                                        \
    iree_vm_abi_##ret_types##_reset(rets);                                                   \
    return ((iree_vm_native_function_target2_t)target_fn)(stack, module, module_state, args, \
                                                          rets);                             \
  }

// Defines the function with typed parameters behind one of the type that shims call.
#define IREE_VM_ABI_EXPORT(function_name, module_state_type, arg_types, ret_types)             \
  static iree_status_t function_name##_typed_(                                                 \
      iree_vm_stack_t *stack, void *module, module_state_type *state,                          \
      IREE_VM_ABI_TYPE_NAME(arg_types) * args, IREE_VM_ABI_TYPE_NAME(ret_types) * rets);       \
  static iree_status_t function_name(iree_vm_stack_t *stack, void *module, void *module_state, \
                                     const void *args, void *rets) {                           \
    return function_name##_typed_(stack, module, (module_state_type *)module_state,            \
                                  (IREE_VM_ABI_TYPE_NAME(arg_types) *)(uintptr_t)args,         \
                                  (IREE_VM_ABI_TYPE_NAME(ret_types) *)rets);                   \
  }                                                                                            \
  static iree_status_t function_name##_typed_(                                                 \
      iree_vm_stack_t *stack, void *module, module_state_type *state,                          \
      IREE_VM_ABI_TYPE_NAME(arg_types) * args, IREE_VM_ABI_TYPE_NAME(ret_types) * rets)
// A function that unpacks for itself; goes into the table as shim with its target NULL.
#define IREE_VM_ABI_RAW_EXPORT(function_name)                        \
  static iree_status_t function_name(                                \
      iree_vm_stack_t *stack, iree_vm_native_function_flags_t flags, \
      iree_byte_span_t args_storage, iree_byte_span_t rets_storage,  \
      iree_vm_native_function_target_t target_fn, void *module, void *module_state)

// Copies a group of values / derefs a group of refs into an array on the C stack, bounded.
#define IREE_VM_ABI_VLA_STACK_CAST(args, vla_count, vla_field, target_type, max_count, out_count, \
                                   out_ptrs)                                                      \
  *(out_count) = (args)->vla_count;                                                               \
  if (IREE_UNLIKELY((args)->vla_count > (max_count))) {                                           \
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "count %u > %u", (args)->vla_count,         \
                            (uint32_t)(max_count));                                               \
  }                                                                                               \
  *(out_ptrs) = (target_type *)__builtin_alloca(((args)->vla_count + 1) * sizeof(target_type));   \
  for (iree_host_size_t vla_i_ = 0; vla_i_ < (args)->vla_count; ++vla_i_) {                       \
    (*(out_ptrs))[vla_i_] = (target_type)((args)->vla_field[vla_i_].i0);                          \
  }
#define IREE_VM_ABI_VLA_STACK_DEREF_IMPL_(args, vla_count, vla_field, ref_type, max_count, \
                                          out_count, out_ptrs, deref)                      \
  *(out_count) = (args)->vla_count;                                                        \
  if (IREE_UNLIKELY((args)->vla_count > (max_count))) {                                    \
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "count %u of " #ref_type " > %u",    \
                            (args)->vla_count, (uint32_t)(max_count));                     \
  }                                                                                        \
  *(out_ptrs) =                                                                            \
      (ref_type##_t **)__builtin_alloca(((args)->vla_count + 1) * sizeof(ref_type##_t *)); \
  for (iree_host_size_t vla_i_ = 0; vla_i_ < (args)->vla_count; ++vla_i_) {                \
    IREE_RETURN_IF_ERROR(deref((args)->vla_field[vla_i_].r0, &(*(out_ptrs))[vla_i_]));     \
  }
#define IREE_VM_ABI_VLA_STACK_DEREF(args, vla_count, vla_field, ref_type, max_count, out_count, \
                                    out_ptrs)                                                   \
  IREE_VM_ABI_VLA_STACK_DEREF_IMPL_(args, vla_count, vla_field, ref_type, max_count, out_count, \
                                    out_ptrs, ref_type##_check_deref)
#define IREE_VM_ABI_VLA_STACK_DEREF_OR_NULL(args, vla_count, vla_field, ref_type, max_count,    \
                                            out_count, out_ptrs)                                \
  IREE_VM_ABI_VLA_STACK_DEREF_IMPL_(args, vla_count, vla_field, ref_type, max_count, out_count, \
                                    out_ptrs, ref_type##_check_deref_or_null)

// The shims that the library has (runtime/vm/shims.c); others: IREE_VM_ABI_DEFINE_SHIM.
#define IREE_VM_ABI_SHIM IREE_VM_ABI_DECLARE_SHIM
#include "iree/vm/shims.def"
#undef IREE_VM_ABI_SHIM

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_SHIMS_H_
