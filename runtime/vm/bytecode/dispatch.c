// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter: one label per instruction of abi/isa.def, each reading its operands in field
// order and jumping to the next. Everything that verify.c proves is not checked again; what is left
// are values: null refs, ranges, divisors, types of refs.
//
// A frame's storage is [bytecode_frame_t | i32 registers | ref registers | import call scratch].
// Calls within the module push a frame and go on in the same loop; calls of imports pack their
// arguments into the scratch area and recurse. DEFERRED leaves all frames where they are: resume
// finds the innermost frame of its activation and goes on.
//
// Longer than 1,000 lines because there is one case per instruction; macros for the regular
// families keep it from being longer.
#include <inttypes.h>
#include <math.h>

#include "base/port.h"
#include "runtime/vm/bytecode/module_impl.h"
#include "runtime/vm/cconv.h"
#include "runtime/vm/ref_inline.h"
#include "runtime/vm/stack_impl.h"

typedef struct bytecode_frame_t {
  const bytecode_function_t *function;
  int32_t *i32;
  iree_vm_ref_t *refs;
  uint8_t *scratch;
  const uint8_t *caller_results;  // list in the caller's code; NULL in an entry frame
  // A call of an import that has begun: who, with which operands, where its results go, first
  // packed and then to which registers, and where execution goes on.
  const bytecode_import_t *pending;
  const uint8_t *pending_operands;
  const uint8_t *pending_results;
  uint8_t *pending_area;
  uint32_t pending_pc;
} bytecode_frame_t;

static bytecode_frame_t *frame_data(iree_vm_stack_frame_t *frame) {
  return (bytecode_frame_t *)(void *)stack_frame_storage(frame);
}

static inline uint16_t read_u16(const uint8_t *p) { return iree_unaligned_load_le_u16(p); }
static inline uint32_t read_u32(const uint8_t *p) { return iree_unaligned_load_le_u32(p); }

// ---- Packed arguments --------------------------------------------------------------------------

typedef struct registers_t {
  int32_t *i32;
  iree_vm_ref_t *refs;
} registers_t;

// Members of values alone; refs are handled where they differ.
static inline void copy_value(uint8_t *target, const void *source, char letter) {
  if (cconv_is_wide(letter))
    memcpy(target, source, 8);
  else
    memcpy(target, source, 4);
}

// One register to the packed member at |target|. The register keeps its ref: arguments are borrowed
// for the time of the call.
static inline void pack_register(registers_t r, uint16_t reg, char letter, uint8_t *target) {
  if (letter == IREE_VM_CCONV_TYPE_REF) {
    memcpy(target, &r.refs[reg & ISA_REF_MASK], sizeof(iree_vm_ref_t));
  } else {
    copy_value(target, &r.i32[reg], letter);
  }
}

// The ref registers that a call passes with MOVE, while they are few.
#define MAX_MOVES 8
typedef struct moves_t {
  uint32_t count;  // more than MAX_MOVES: look at the operands
  uint16_t registers[MAX_MOVES];
} moves_t;

// Packs operands as |members| say; returns the number of moves so far.
static inline uint32_t pack_members(const int32_t *i32, const iree_vm_ref_t *refs,
                                    const marshal_member_t *members, uint32_t count,
                                    const uint8_t *operands, uint8_t *area, uint32_t move_count,
                                    uint16_t *moves) {
  for (const marshal_member_t *member = members, *end = members + count; member < end;
       ++member, operands += 2) {
    uint32_t reg = read_u16(operands);
    uint8_t *target = area + member->offset;
    if (member->kind == MARSHAL_REF) {
      memcpy(target, &refs[reg & ISA_REF_MASK], sizeof(iree_vm_ref_t));
      if (!(reg & ISA_MOVE_BIT)) continue;
      if (move_count < MAX_MOVES) moves[move_count] = (uint16_t)(reg & ISA_REF_MASK);
      ++move_count;
    } else if (member->kind == MARSHAL_64) {
      memcpy(target, &i32[reg], 8);
    } else {
      memcpy(target, &i32[reg], 4);
    }
  }
  return move_count;
}

// pack_arguments by plan.
static inline iree_host_size_t pack_planned(registers_t r, const marshal_plan_t *plan,
                                            const uint8_t *segments, const uint8_t *operands,
                                            uint8_t *area, moves_t *moves) {
  operands += 2;
  moves->count = pack_members(r.i32, r.refs, plan->members, plan->head_count, operands, area, 0,
                              moves->registers);
  iree_host_size_t size = plan->head_bytes;
  uint32_t group_count = plan->group_count;
  if (!group_count) return size;
  const marshal_member_t *members = &plan->members[plan->head_count];
  operands += 2 * plan->head_count;
  uint32_t count = read_u16(segments + 2 + 2 * plan->head_count);
  memcpy(area + size, &count, 4);
  size = count ? plan->group_begin : size + 4;
  for (uint32_t t = 0; t < count; ++t, size += plan->group_stride, operands += 2 * group_count) {
    moves->count = pack_members(r.i32, r.refs, members, group_count, operands, area + size,
                                moves->count, moves->registers);
  }
  return iree_host_align(size, CCONV_AREA_ALIGNMENT);
}

// unpack_results by plan.
static inline void unpack_planned(registers_t r, const marshal_plan_t *plan, const uint8_t *list,
                                  uint8_t *area) {
  for (uint32_t i = 0; i < plan->head_count; ++i) {
    marshal_member_t member = plan->members[i];
    uint16_t reg = read_u16(list + 2 + 2 * i);
    uint8_t *source = area + member.offset;
    if (member.kind == MARSHAL_REF) {
      ref_transfer(true, (iree_vm_ref_t *)(void *)source, &r.refs[reg & ISA_REF_MASK]);
    } else if (member.kind == MARSHAL_64) {
      memcpy(&r.i32[reg], source, 8);
    } else {
      memcpy(&r.i32[reg], source, 4);
    }
  }
}

// Packs a register list; returns the bytes used, padded.
static iree_host_size_t pack_arguments(registers_t r, iree_string_view_t fragment,
                                       const uint8_t *segments, const uint8_t *operands,
                                       uint8_t *area) {
  const uint8_t *segment = segments ? segments + 2 : NULL, *operand = operands + 2;
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < fragment.size; segment = segment ? segment + 2 : NULL) {
    char letter = fragment.data[i];
    if (letter != IREE_VM_CCONV_TYPE_SPAN_START) {
      offset = iree_host_align(offset, cconv_alignment(letter));
      pack_register(r, read_u16(operand), letter, area + offset);
      offset += cconv_size(letter);
      operand += 2;
      ++i;
      continue;
    }
    uint32_t count = read_u16(segment);
    iree_string_view_t group = cconv_take_group(fragment, &i);
    offset = iree_host_align(offset, 4);
    memcpy(area + offset, &count, 4);
    offset += 4;
    if (count) offset = iree_host_align(offset, cconv_group_alignment(group));
    for (uint32_t t = 0; t < count; ++t) {
      for (iree_host_size_t k = 0; k < group.size; ++k, operand += 2) {
        offset = iree_host_align(offset, cconv_alignment(group.data[k]));
        pack_register(r, read_u16(operand), group.data[k], area + offset);
        offset += cconv_size(group.data[k]);
      }
    }
  }
  return iree_host_align(offset, CCONV_AREA_ALIGNMENT);
}

// Returned operands to the packed area of a caller outside, who owns the refs from here on.
static void pack_results(registers_t r, iree_string_view_t fragment, const uint8_t *operands,
                         uint8_t *area) {
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    char letter = fragment.data[i];
    uint16_t reg = read_u16(operands + 2 + 2 * i);
    offset = iree_host_align(offset, cconv_alignment(letter));
    if (letter == IREE_VM_CCONV_TYPE_REF) {
      ref_transfer(reg & ISA_MOVE_BIT, &r.refs[reg & ISA_REF_MASK],
                   (iree_vm_ref_t *)(void *)(area + offset));
    } else {
      copy_value(area + offset, &r.i32[reg], letter);
    }
    offset += cconv_size(letter);
  }
}

// Packed results to registers; the refs move.
static void unpack_results(registers_t r, iree_string_view_t fragment, const uint8_t *list,
                           uint8_t *area) {
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    char letter = fragment.data[i];
    offset = iree_host_align(offset, cconv_alignment(letter));
    uint16_t reg = read_u16(list + 2 + 2 * i);
    if (letter == IREE_VM_CCONV_TYPE_REF) {
      ref_transfer(true, (iree_vm_ref_t *)(void *)(area + offset), &r.refs[reg & ISA_REF_MASK]);
    } else {
      copy_value((uint8_t *)&r.i32[reg], area + offset, letter);
    }
    offset += cconv_size(letter);
  }
}

// ---- Frames ------------------------------------------------------------------------------------

static void frame_cleanup(iree_vm_stack_frame_t *frame) {
  bytecode_frame_t *data = frame_data(frame);
  if (!data->function) return;
  for (uint32_t i = 0; i < data->function->ref_count; ++i) ref_release(&data->refs[i]);
  if (data->pending) {
    cconv_release_refs(data->pending->results, data->pending_area);
    data->pending = NULL;
  }
}

static iree_status_t enter_frame(bytecode_module_t *module, iree_vm_stack_t *stack,
                                 uint32_t ordinal, iree_vm_function_t function,
                                 iree_vm_stack_frame_t **out_frame) {
  const bytecode_function_t *callee = &module->functions[ordinal];
  iree_host_size_t i32_at = iree_host_align(sizeof(bytecode_frame_t), 16);
  iree_host_size_t ref_at = i32_at + iree_host_align((iree_host_size_t)callee->i32_count * 4, 16);
  iree_host_size_t scratch_at = ref_at + callee->ref_count * sizeof(iree_vm_ref_t);
  IREE_RETURN_IF_ERROR(iree_vm_stack_function_enter(stack, &function, IREE_VM_STACK_FRAME_BYTECODE,
                                                    scratch_at + callee->scratch_size,
                                                    frame_cleanup, out_frame));
  uint8_t *storage = stack_frame_storage(*out_frame);
  memset(storage, 0, scratch_at);
  bytecode_frame_t *data = (bytecode_frame_t *)(void *)storage;
  data->function = callee;
  data->i32 = (int32_t *)(void *)(storage + i32_at);
  data->refs = (iree_vm_ref_t *)(void *)(storage + ref_at);
  data->scratch = storage + scratch_at;
  return iree_ok_status();
}

// Places of arguments in a fresh frame: values from i0 (wide ones in even pairs), refs from r0.
typedef struct entry_registers_t {
  uint32_t i32;
  uint32_t ref;
} entry_registers_t;

static uint16_t next_entry_register(entry_registers_t *next, char letter) {
  if (letter == IREE_VM_CCONV_TYPE_REF) return (uint16_t)next->ref++;
  if (!cconv_is_wide(letter)) return (uint16_t)next->i32++;
  uint32_t reg = (next->i32 + 1) & ~1u;
  next->i32 = reg + 2;
  return (uint16_t)reg;
}

// A call within the module: operands of the caller's list to the callee's first registers.
static iree_status_t enter_internal(bytecode_module_t *module, iree_vm_stack_t *stack,
                                    uint32_t ordinal, registers_t caller, const uint8_t *operands,
                                    const uint8_t *results, iree_vm_stack_frame_t **out_frame) {
  iree_vm_function_t function = {&module->interface, IREE_VM_FUNCTION_LINKAGE_INTERNAL,
                                 (uint16_t)ordinal};
  IREE_RETURN_IF_ERROR(enter_frame(module, stack, ordinal, function, out_frame));
  bytecode_frame_t *data = frame_data(*out_frame);
  data->caller_results = results;
  iree_string_view_t fragment = data->function->arguments;
  entry_registers_t next = {0, 0};
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    char letter = fragment.data[i];
    uint16_t reg = read_u16(operands + 2 + 2 * i), to = next_entry_register(&next, letter);
    if (letter == IREE_VM_CCONV_TYPE_REF) {
      ref_transfer(reg & ISA_MOVE_BIT, &caller.refs[reg & ISA_REF_MASK], &data->refs[to]);
    } else {
      copy_value((uint8_t *)&data->i32[to], &caller.i32[reg], letter);
    }
  }
  return iree_ok_status();
}

// A call from outside: packed arguments to the first registers; the caller keeps its refs.
static void unpack_arguments(bytecode_frame_t *data, uint8_t *area) {
  iree_string_view_t fragment = data->function->arguments;
  iree_host_size_t offset = 0;
  entry_registers_t next = {0, 0};
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    char letter = fragment.data[i];
    offset = iree_host_align(offset, cconv_alignment(letter));
    uint16_t to = next_entry_register(&next, letter);
    if (letter == IREE_VM_CCONV_TYPE_REF) {
      ref_transfer(false, (iree_vm_ref_t *)(void *)(area + offset), &data->refs[to]);
    } else {
      copy_value((uint8_t *)&data->i32[to], area + offset, letter);
    }
    offset += cconv_size(letter);
  }
}

// Returned operands to the caller's result registers.
static void return_internal(const bytecode_frame_t *callee, const bytecode_frame_t *caller,
                            const uint8_t *operands) {
  iree_string_view_t fragment = callee->function->results;
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    uint16_t reg = read_u16(operands + 2 + 2 * i);
    uint16_t to = read_u16(callee->caller_results + 2 + 2 * i);
    if (fragment.data[i] == IREE_VM_CCONV_TYPE_REF) {
      ref_transfer(reg & ISA_MOVE_BIT, &callee->refs[reg & ISA_REF_MASK],
                   &caller->refs[to & ISA_REF_MASK]);
    } else {
      copy_value((uint8_t *)&caller->i32[to], &callee->i32[reg], fragment.data[i]);
    }
  }
}

// ---- Imports -----------------------------------------------------------------------------------

// Releases refs of a register list: all, or those with MOVE.
static void release_listed(const uint8_t *list, iree_vm_ref_t *refs, bool only_moved) {
  uint32_t count = read_u16(list);
  for (uint32_t i = 0; i < count; ++i) {
    uint16_t reg = read_u16(list + 2 + 2 * i);
    uint16_t flags = only_moved ? ISA_REF_BIT | ISA_MOVE_BIT : ISA_REF_BIT;
    if ((reg & flags) == flags) {
      ref_release(&refs[reg & ISA_REF_MASK]);
    }
  }
}

static iree_status_t unresolved_import(const bytecode_module_t *module, uint32_t ordinal) {
  return iree_make_status(IREE_STATUS_NOT_FOUND,
                          "optional import `%.*s` is not there and cannot be called",
                          IREE_SV_ARGS(module->imports[ordinal].full_name));
}

// What follows an import's return, first or after being resumed: then without |moves|.
IREE_ATTRIBUTE_ALWAYS_INLINE static inline iree_status_t finish_import(bytecode_frame_t *data,
                                                                       const moves_t *moves,
                                                                       iree_status_t status) {
  if (IREE_UNLIKELY(!iree_status_is_ok(status))) {
    if (iree_status_is_deferred(status)) return status;
    return iree_status_annotate(status, IREE_SV("while calling import"));
  }
  const bytecode_import_t *import = data->pending;
  data->pending = NULL;
  // What was passed with MOVE goes now, before results may take its registers.
  if (IREE_LIKELY(moves && moves->count <= MAX_MOVES)) {
    for (uint32_t i = 0; i < moves->count; ++i) ref_release(&data->refs[moves->registers[i]]);
  } else {
    release_listed(data->pending_operands, data->refs, true);
  }
  registers_t r = {data->i32, data->refs};
  if (IREE_LIKELY(import->result_plan.is_valid)) {
    unpack_planned(r, &import->result_plan, data->pending_results, data->pending_area);
  } else {
    unpack_results(r, import->results, data->pending_results, data->pending_area);
  }
  return iree_ok_status();
}

// Part of the loop, for which it is always hot.
IREE_ATTRIBUTE_ALWAYS_INLINE static inline iree_status_t begin_import(
    bytecode_frame_t *data, iree_vm_stack_t *stack, const bytecode_import_t *import,
    const uint8_t *segments, const uint8_t *operands, const uint8_t *results, uint32_t next_pc) {
  registers_t r = {data->i32, data->refs};
  moves_t moves;
  iree_host_size_t size;
  if (IREE_LIKELY(import->argument_plan.is_valid)) {
    size = pack_planned(r, &import->argument_plan, segments, operands, data->scratch, &moves);
  } else {
    size = pack_arguments(r, import->arguments, segments, operands, data->scratch);
    moves.count = MAX_MOVES + 1;
  }
  iree_host_size_t results_size = import->results_size;
  data->pending_area = data->scratch + size;
  for (iree_host_size_t i = 0; i < results_size; i += CCONV_AREA_ALIGNMENT) {
    memset(data->pending_area + i, 0, CCONV_AREA_ALIGNMENT);
  }
  data->pending = import;
  data->pending_operands = operands;
  data->pending_results = results;
  data->pending_pc = next_pc;
  iree_byte_span_t arguments = {data->scratch, size};
  iree_byte_span_t packed_results = {data->pending_area, results_size};
  if (import->native.shim) {
    return finish_import(
        data, &moves,
        native_callee_call(&import->native, &import->function, stack, arguments, packed_results));
  }
  iree_vm_function_call_t call = {import->function, arguments, packed_results};
  iree_vm_module_t *module = import->function.module;
  return finish_import(data, &moves, module->begin_call(module->self, stack, call));
}

// Fused only where that is one instruction; else a call would cost more than all the rest, and
// upstream's runtime rounds twice on such machines, too.
#ifdef FP_FAST_FMAF
#define FMA_F32(a, b, c) fmaf(a, b, c)
#else
#define FMA_F32(a, b, c) ((a) * (b) + (c))
#endif
#ifdef FP_FAST_FMA
#define FMA_F64(a, b, c) fma(a, b, c)
#else
#define FMA_F64(a, b, c) ((a) * (b) + (c))
#endif

// ---- Values ------------------------------------------------------------------------------------

static iree_status_t check_ref_type(const iree_vm_ref_t *ref, iree_vm_type_def_t type) {
  if (ref->type == IREE_VM_REF_TYPE_NULL || iree_vm_type_def_is_variant(type)) {
    return iree_ok_status();
  }
  iree_vm_ref_type_t expected = iree_vm_type_def_as_ref(type);
  if (IREE_LIKELY(ref->type == expected)) return iree_ok_status();
  iree_string_view_t want = iree_vm_ref_type_name(expected),
                     have = iree_vm_ref_type_name(ref->type);
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "source ref type mismatch; expected %.*s but have %.*s",
                          IREE_SV_ARGS(want), IREE_SV_ARGS(have));
}

static iree_status_t global_out_of_range(uint32_t offset, uint32_t capacity) {
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "global %u out of range (%u)", offset,
                          capacity);
}

static iree_status_t buffer_element(const iree_vm_ref_t *ref, int64_t index, uint64_t count,
                                    uint32_t element_size, bool for_write, uint8_t **out_data) {
  *out_data = NULL;
  iree_vm_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*ref, &buffer));
  if (IREE_UNLIKELY(for_write && !(buffer->access & IREE_VM_BUFFER_ACCESS_MUTABLE))) {
    return iree_make_status(IREE_STATUS_PERMISSION_DENIED, "buffer is read-only");
  }
  uint64_t elements = buffer->data.data_length / element_size;
  if (IREE_UNLIKELY(!iree_range_is_within((uint64_t)index, count, elements))) {
    return iree_make_status(
        IREE_STATUS_OUT_OF_RANGE,
        "out-of-bounds access (offset=%" PRIu64 ", length=%" PRIu64 ", buffer length=%" PRIhsz ")",
        (uint64_t)index * element_size, count * element_size, buffer->data.data_length);
  }
  *out_data = buffer->data.data + (uint64_t)index * element_size;
  return iree_ok_status();
}

// An element that is there and may be read or written; NULL for buffer_element to say why not.
static inline uint8_t *buffer_at(const iree_vm_ref_t *ref, int64_t index,
                                 iree_host_size_t element_size, iree_vm_buffer_access_t access) {
  const iree_vm_buffer_t *buffer = iree_vm_buffer_deref(*ref);
  if (IREE_UNLIKELY(!buffer || (buffer->access & access) != access ||
                    (uint64_t)index >= buffer->data.data_length / element_size)) {
    return NULL;
  }
  return buffer->data.data + (uint64_t)index * element_size;
}

static iree_status_t fill_elements(const iree_vm_ref_t *ref, int64_t index, int64_t count,
                                   uint32_t element_size, const void *value) {
  uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(buffer_element(ref, index, (uint64_t)count, element_size, true, &data));
  for (int64_t i = 0; i < count; ++i, data += element_size) memcpy(data, value, element_size);
  return iree_ok_status();
}

static iree_status_t list_get(const iree_vm_ref_t *ref, int32_t index, iree_vm_value_type_t type,
                              void *out_value, size_t size) {
  iree_vm_list_t *list = NULL;
  iree_vm_value_t value;
  IREE_RETURN_IF_ERROR(iree_vm_list_check_deref(*ref, &list));
  IREE_RETURN_IF_ERROR(iree_vm_list_get_value_as(list, (uint32_t)index, type, &value));
  memcpy(out_value, value.value_storage, size);
  return iree_ok_status();
}

static iree_status_t list_set(const iree_vm_ref_t *ref, int32_t index, iree_vm_value_t value) {
  iree_vm_list_t *list = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_list_check_deref(*ref, &list));
  return iree_vm_list_set_value(list, (uint32_t)index, &value);
}

// An element of another type than asked for reads as null.
static iree_status_t list_get_ref(const iree_vm_ref_t *ref, int32_t index, iree_vm_type_def_t type,
                                  bool is_move, iree_vm_ref_t *result) {
  iree_vm_list_t *list = NULL;
  iree_vm_variant_t variant;
  IREE_RETURN_IF_ERROR(iree_vm_list_check_deref(*ref, &list));
  IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(list, (uint32_t)index, &variant));
  bool fits =
      iree_vm_variant_is_ref(variant) &&
      (iree_vm_type_def_is_variant(type) || variant.ref.type == iree_vm_type_def_as_ref(type));
  if (fits) return iree_vm_list_get_ref_retain_or_move(list, (uint32_t)index, is_move, result);
  ref_release(result);
  return iree_ok_status();
}

static iree_status_t list_set_ref(const iree_vm_ref_t *ref, int32_t index, bool is_move,
                                  iree_vm_ref_t *value) {
  iree_vm_list_t *list = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_list_check_deref(*ref, &list));
  return is_move ? iree_vm_list_set_ref_move(list, (uint32_t)index, value)
                 : iree_vm_list_set_ref_retain(list, (uint32_t)index, value);
}

static iree_status_t list_size_op(const iree_vm_ref_t *ref, int op, int32_t size,
                                  int32_t *out_size) {
  iree_vm_list_t *list = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_list_check_deref(*ref, &list));
  if (op == ISA_OP_ListReserve) return iree_vm_list_reserve(list, (uint32_t)size);
  if (op == ISA_OP_ListResize) return iree_vm_list_resize(list, (uint32_t)size);
  *out_size = (int32_t)iree_vm_list_size(list);
  return iree_ok_status();
}

static iree_status_t buffer_alloc(int64_t length, int32_t alignment, iree_allocator_t allocator,
                                  iree_vm_ref_t *result) {
  iree_vm_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(
      iree_vm_buffer_create(IREE_VM_BUFFER_ACCESS_MUTABLE | IREE_VM_BUFFER_ACCESS_ORIGIN_GUEST,
                            (uint64_t)length, (uint32_t)alignment, allocator, &buffer));
  return iree_vm_ref_wrap_assign(buffer, iree_vm_buffer_type(), result);
}

static iree_status_t buffer_clone(const iree_vm_ref_t *ref, int64_t offset, int64_t length,
                                  int32_t alignment, iree_allocator_t allocator,
                                  iree_vm_ref_t *result) {
  iree_vm_buffer_t *source = NULL, *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*ref, &source));
  IREE_RETURN_IF_ERROR(iree_vm_buffer_clone(
      IREE_VM_BUFFER_ACCESS_MUTABLE | IREE_VM_BUFFER_ACCESS_ORIGIN_GUEST, source, (uint64_t)offset,
      (uint64_t)length, (uint32_t)alignment, allocator, &buffer));
  return iree_vm_ref_wrap_assign(buffer, iree_vm_buffer_type(), result);
}

static iree_status_t buffer_copy(const iree_vm_ref_t *source_ref, int64_t source_offset,
                                 const iree_vm_ref_t *target_ref, int64_t target_offset,
                                 int64_t length) {
  iree_vm_buffer_t *source = NULL, *target = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*source_ref, &source));
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*target_ref, &target));
  return iree_vm_buffer_copy_bytes(source, (uint64_t)source_offset, target, (uint64_t)target_offset,
                                   (uint64_t)length);
}

static iree_status_t buffer_compare(const iree_vm_ref_t *lhs_ref, int64_t lhs_offset,
                                    const iree_vm_ref_t *rhs_ref, int64_t rhs_offset,
                                    int64_t length, int32_t *out_equal) {
  iree_vm_buffer_t *lhs = NULL, *rhs = NULL;
  bool is_equal = false;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*lhs_ref, &lhs));
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*rhs_ref, &rhs));
  IREE_RETURN_IF_ERROR(iree_vm_buffer_compare_bytes(
      lhs, (uint64_t)lhs_offset, rhs, (uint64_t)rhs_offset, (uint64_t)length, &is_equal));
  *out_equal = is_equal;
  return iree_ok_status();
}

static iree_status_t buffer_hash(const iree_vm_ref_t *ref, int64_t offset, int64_t length,
                                 int64_t *out_hash) {
  iree_vm_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*ref, &buffer));
  return iree_vm_buffer_hash(buffer, (uint64_t)offset, (uint64_t)length, out_hash);
}

static iree_status_t buffer_length(const iree_vm_ref_t *ref, int64_t *out_length) {
  iree_vm_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(*ref, &buffer));
  *out_length = (int64_t)buffer->data.data_length;
  return iree_ok_status();
}

// |code| comes from the program; a failure with OK would be none.
// |told| is the list of a print right before, or NULL: numbers that belong to the message.
static iree_status_t program_failure(int32_t code, const uint8_t *text, const uint8_t *told,
                                     const int32_t *i32) {
  uint32_t known = (uint32_t)code & IREE_STATUS_CODE_MASK;
  if (known == IREE_STATUS_OK) known = IREE_STATUS_UNKNOWN;
  iree_string_view_t message = iree_make_string_view((const char *)text + 2, read_u16(text));
  if (!told) return iree_status_allocate((iree_status_code_t)known, "<vm>", 0, message);
  // Frames are padded to whole pairs, so each even register has one after it.
  int64_t a, b;
  memcpy(&a, &i32[read_u16(told + 2) & ~1u], sizeof(a));
  memcpy(&b, &i32[read_u16(told + 4) & ~1u], sizeof(b));
  return iree_status_allocate_f((iree_status_code_t)known, "<vm>", 0,
                                "%.*s (%" PRId64 " and %" PRId64 ")", (int)message.size,
                                message.data, a, b);
}

static iree_status_t division_by_zero(void) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "integer division by zero");
}

// Rounded to nearest, ties away from zero; out of range saturates, NaN gives 0.
static int32_t round_to_si32(double x) {
  double y = round(x);
  return y != y ? 0 : y <= -2147483648.0 ? INT32_MIN : y >= 2147483647.0 ? INT32_MAX : (int32_t)y;
}
static int32_t round_to_ui32(double x) {
  double y = round(x);
  return (int32_t)(!(y > 0.0) ? 0u : y >= 4294967295.0 ? UINT32_MAX : (uint32_t)y);
}
static int64_t round_to_si64(double x) {
  double y = round(x);
  if (y != y) return 0;
  return y <= -9223372036854775808.0  ? INT64_MIN
         : y >= 9223372036854775808.0 ? INT64_MAX
                                      : (int64_t)y;
}
static int64_t round_to_ui64(double x) {
  double y = round(x);
  return (int64_t)(!(y > 0.0) ? 0u : y >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)y);
}

static double power_integer(double base, int64_t exponent) {
  double result = 1.0;
  uint64_t n = exponent < 0 ? 0 - (uint64_t)exponent : (uint64_t)exponent;
  for (; n; n >>= 1) {
    if (n & 1) result *= base;
    base *= base;
  }
  return exponent < 0 ? 1.0 / result : result;
}

static int32_t leading_zeros_32(uint32_t x) {
  int32_t n = 32;
  while (x) {
    --n;
    x >>= 1;
  }
  return n;
}
static int64_t leading_zeros_64(uint64_t x) {
  return x >> 32 ? leading_zeros_32((uint32_t)(x >> 32)) : 32 + leading_zeros_32((uint32_t)x);
}

// ---- The loop ----------------------------------------------------------------------------------

#define OP_SLOT(number)        \
  ((number) < 0x100 ? (number) \
                    : ((number)&0xFF) + ((number) >> 8 == ISA_PREFIX_F32 ? 0x100 : 0x200))

#if PORT_COMPUTED_GOTO
#define OP(symbol) op_##symbol:
#define NEXT()           \
  do {                   \
    op = p;              \
    PORT_OPAQUE(i32);    \
    goto *targets[*p++]; \
  } while (0)
#define NEXT_EXTENSION(plane) goto *targets[plane + *p++]
#else
#define OP(symbol) case OP_SLOT(ISA_OP_##symbol):
#define NEXT() goto next
#define NEXT_EXTENSION(plane) \
  do {                        \
    slot = (plane) + *p++;    \
    goto extension;           \
  } while (0)
#endif

#define TRY(expr)                                               \
  do {                                                          \
    status = (expr);                                            \
    if (IREE_UNLIKELY(!iree_status_is_ok(status))) goto failed; \
  } while (0)

// Straight code ends by itself; what may not are branches, yields and calls.
#if VM_STEP_BUDGET
#define STEP()                                                                                \
  do {                                                                                        \
    if (!m->stack->steps_left) {                                                              \
      TRY(iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "more than %d branches and calls", \
                           VM_STEP_BUDGET));                                                  \
    }                                                                                         \
    --m->stack->steps_left;                                                                   \
  } while (0)
#else
#define STEP() ((void)0)
#endif

// Operands, in field order. Each moves |p|.
#define U16() (p += 2, read_u16(p - 2))
#define U32() (p += 4, read_u32(p - 4))
#define RI() (i32[U16()])                   // i32 register as an lvalue
#define RR() (&refs[U16() & ISA_REF_MASK])  // ref register
#define ALIGN() (p += (p - m->base) & 1)
#define SKIP_LIST() (p += 2 + 2 * read_u16(p))

#define DEFINE_WIDE(T, suffix)                      \
  static inline T load_##suffix(const int32_t *r) { \
    T value;                                        \
    memcpy(&value, r, sizeof(value));               \
    return value;                                   \
  }                                                 \
  static inline void store_##suffix(int32_t *r, T value) { memcpy(r, &value, sizeof(value)); }
DEFINE_WIDE(int64_t, I)
DEFINE_WIDE(float, f)
DEFINE_WIDE(double, F)
static inline int32_t load_i(const int32_t *r) { return *r; }
static inline void store_i(int32_t *r, int32_t value) { *r = value; }

// T of a bank letter.
#define TYPE_i int32_t
#define TYPE_I int64_t
#define TYPE_f float
#define TYPE_F double
#define READ(bank) load_##bank(&i32[U16()])
#define WRITE(bank, value) store_##bank(&i32[U16()], (value))

#define UNARY(symbol, from, to, expr) \
  OP(symbol) {                        \
    TYPE_##from a = READ(from);       \
    WRITE(to, expr);                  \
    NEXT();                           \
  }
#define BINARY(symbol, left, right, to, expr) \
  OP(symbol) {                                \
    TYPE_##left a = READ(left);               \
    TYPE_##right b = READ(right);             \
    WRITE(to, expr);                          \
    NEXT();                                   \
  }
// A comparison goes straight into the branch that is made of it, as most do.
#define COMPARE(symbol, left, right, expr)                  \
  OP(symbol) {                                              \
    TYPE_##left a = READ(left);                             \
    TYPE_##right b = READ(right);                           \
    uint16_t to = U16();                                    \
    condition = (expr);                                     \
    i32[to] = condition;                                    \
    if (*p == ISA_OP_CondBranch && read_u16(p + 1) == to) { \
      op = p;                                               \
      p += 3;                                               \
      goto branch_on_condition;                             \
    }                                                       \
    NEXT();                                                 \
  }
#define TERNARY(symbol, bank, expr) \
  OP(symbol) {                      \
    TYPE_##bank a = READ(bank);     \
    TYPE_##bank b = READ(bank);     \
    TYPE_##bank c = READ(bank);     \
    WRITE(bank, expr);              \
    NEXT();                         \
  }
#define DIVIDE(symbol, bank, expr)                      \
  OP(symbol) {                                          \
    TYPE_##bank a = READ(bank);                         \
    TYPE_##bank b = READ(bank);                         \
    if (IREE_UNLIKELY(b == 0)) TRY(division_by_zero()); \
    WRITE(bank, expr);                                  \
    NEXT();                                             \
  }
#define SELECT(symbol, bank)    \
  OP(symbol) {                  \
    int32_t c = RI();           \
    TYPE_##bank a = READ(bank); \
    TYPE_##bank b = READ(bank); \
    WRITE(bank, c ? a : b);     \
    NEXT();                     \
  }
#define SWITCH(symbol, bank)                                                         \
  OP(symbol) {                                                                       \
    uint32_t index = (uint32_t)RI();                                                 \
    TYPE_##bank value = READ(bank);                                                  \
    ALIGN();                                                                         \
    if (index < read_u16(p)) value = load_##bank(&i32[read_u16(p + 2 + 2 * index)]); \
    SKIP_LIST();                                                                     \
    WRITE(bank, value);                                                              \
    NEXT();                                                                          \
  }
#define CONST(symbol, bank)           \
  OP(symbol) {                        \
    TYPE_##bank value;                \
    memcpy(&value, p, sizeof(value)); \
    p += sizeof(value);               \
    WRITE(bank, value);               \
    NEXT();                           \
  }
#define CONST_ZERO(symbol, bank) \
  OP(symbol) {                   \
    WRITE(bank, 0);              \
    NEXT();                      \
  }
#define GLOBAL_LOAD(symbol, bank)                             \
  OP(symbol) {                                                \
    TYPE_##bank value;                                        \
    memcpy(&value, m->state->globals + U32(), sizeof(value)); \
    WRITE(bank, value);                                       \
    NEXT();                                                   \
  }
#define GLOBAL_STORE(symbol, bank)                             \
  OP(symbol) {                                                 \
    uint32_t offset = U32();                                   \
    TYPE_##bank value = READ(bank);                            \
    memcpy(m->state->globals + offset, &value, sizeof(value)); \
    NEXT();                                                    \
  }
#define GLOBAL_CHECK(offset, size)                                                 \
  if (IREE_UNLIKELY(!iree_range_is_within(offset, size, m->module->global_bytes))) \
  TRY(global_out_of_range(offset, m->module->global_bytes))
#define GLOBAL_LOAD_INDIRECT(symbol, bank)                     \
  OP(symbol) {                                                 \
    uint32_t offset = (uint32_t)RI();                          \
    TYPE_##bank value;                                         \
    GLOBAL_CHECK(offset, sizeof(value));                       \
    memcpy(&value, m->state->globals + offset, sizeof(value)); \
    WRITE(bank, value);                                        \
    NEXT();                                                    \
  }
#define GLOBAL_STORE_INDIRECT(symbol, bank)                    \
  OP(symbol) {                                                 \
    uint32_t offset = (uint32_t)RI();                          \
    TYPE_##bank value = READ(bank);                            \
    GLOBAL_CHECK(offset, sizeof(value));                       \
    memcpy(m->state->globals + offset, &value, sizeof(value)); \
    NEXT();                                                    \
  }
#define LIST_GET(symbol, bank, value_type)                                              \
  OP(symbol) {                                                                          \
    iree_vm_ref_t *list = RR();                                                         \
    int32_t index = RI();                                                               \
    TYPE_##bank value = 0;                                                              \
    TRY(list_get(list, index, IREE_VM_VALUE_TYPE_##value_type, &value, sizeof(value))); \
    WRITE(bank, value);                                                                 \
    NEXT();                                                                             \
  }
#define LIST_SET(symbol, bank, field)                              \
  OP(symbol) {                                                     \
    iree_vm_ref_t *list = RR();                                    \
    int32_t index = RI();                                          \
    TYPE_##bank value = READ(bank);                                \
    TRY(list_set(list, index, iree_vm_value_make_##field(value))); \
    NEXT();                                                        \
  }
#define BUFFER_LOAD(symbol, T, bank)                                                            \
  OP(symbol) {                                                                                  \
    iree_vm_ref_t *buffer = RR();                                                               \
    int64_t index = READ(I);                                                                    \
    uint8_t *bytes = buffer_at(buffer, index, sizeof(T), 0);                                    \
    T value;                                                                                    \
    if (IREE_UNLIKELY(!bytes)) TRY(buffer_element(buffer, index, 1, sizeof(T), false, &bytes)); \
    memcpy(&value, bytes, sizeof(value));                                                       \
    WRITE(bank, value);                                                                         \
    NEXT();                                                                                     \
  }
#define BUFFER_STORE(symbol, T, bank)                                                          \
  OP(symbol) {                                                                                 \
    iree_vm_ref_t *buffer = RR();                                                              \
    int64_t index = READ(I);                                                                   \
    T value = (T)READ(bank);                                                                   \
    uint8_t *bytes = buffer_at(buffer, index, sizeof(T), IREE_VM_BUFFER_ACCESS_MUTABLE);       \
    if (IREE_UNLIKELY(!bytes)) TRY(buffer_element(buffer, index, 1, sizeof(T), true, &bytes)); \
    memcpy(bytes, &value, sizeof(value));                                                      \
    NEXT();                                                                                    \
  }
#define BUFFER_FILL(symbol, T, bank)                             \
  OP(symbol) {                                                   \
    iree_vm_ref_t *buffer = RR();                                \
    int64_t index = READ(I);                                     \
    int64_t count = READ(I);                                     \
    T value = (T)READ(bank);                                     \
    TRY(fill_elements(buffer, index, count, sizeof(T), &value)); \
    NEXT();                                                      \
  }
#define COMPARE_FLOAT(symbol, bank, relation, unordered)         \
  BINARY(symbol##O, bank, bank, i, (a relation b) && !unordered) \
  BINARY(symbol##U, bank, bank, i, (a relation b) || unordered)

// Copies branch operands pair by pair; returns the position behind them.
static inline const uint8_t *take_branch(const uint8_t *base, const uint8_t *p, registers_t r,
                                         bool is_taken) {
  p += (p - base) & 1;
  uint32_t count = read_u16(p);
  p += 2;
  if (is_taken) {
    for (uint32_t i = 0; i < count; ++i) {
      uint16_t from = read_u16(p + 4 * i), to = read_u16(p + 4 * i + 2);
      if (from & ISA_REF_BIT) {
        ref_transfer(from & ISA_MOVE_BIT, &r.refs[from & ISA_REF_MASK], &r.refs[to & ISA_REF_MASK]);
      } else {
        r.i32[to] = r.i32[from];
      }
    }
  }
  return p + 4 * count;
}

// What a run has besides its registers.
typedef struct run_t {
  bytecode_module_t *module;
  iree_vm_stack_t *stack;
  iree_vm_stack_frame_t *frame;
  iree_byte_span_t call_results;
  bytecode_state_t *state;
  iree_allocator_t allocator;
  bytecode_frame_t *data;
  const uint8_t *base;
  const uint8_t *told, *told_end;  // numbers that a print has for the failure right after it
} run_t;
#define REGISTERS ((registers_t){i32, refs})

// Runs from |frame|->pc until the activation's entry frame returns, fails or defers.
static iree_status_t run(bytecode_module_t *module, iree_vm_stack_t *stack,
                         iree_vm_stack_frame_t *frame, iree_byte_span_t call_results) {
#if PORT_COMPUTED_GOTO
  static const void *const targets[0x300] = {
#define ISA_OP(number, symbol, mnemonic, fields, doc) [OP_SLOT(number)] = &&op_##symbol,
#include "abi/isa.def"
#undef ISA_OP
  };
#else
  uint32_t slot = 0;
#endif
  // In memory, so that the registers are left to what every instruction needs.
  run_t memory = {.module = module,
                  .stack = stack,
                  .frame = frame,
                  .call_results = call_results,
                  .state = (bytecode_state_t *)frame->module_state};
  run_t *m = &memory;
  PORT_OPAQUE(m);
  m->allocator = m->state->allocator;
  iree_status_t status = iree_ok_status();
  int32_t *i32;
  int32_t condition;
  iree_vm_ref_t *refs;
  const uint8_t *p, *op;

#define LOAD_FRAME()                       \
  do {                                     \
    m->data = frame_data(m->frame);        \
    i32 = m->data->i32;                    \
    refs = m->data->refs;                  \
    m->base = m->data->function->bytecode; \
    p = m->base + m->frame->pc;            \
  } while (0)
  LOAD_FRAME();
  op = p;

#if PORT_COMPUTED_GOTO
  NEXT();
#else
next:
  op = p;
  slot = *p++;
extension:
  switch (slot) {
#endif

  OP(Block) { NEXT(); }
  OP(PrefixExtF32) { NEXT_EXTENSION(0x100); }
  OP(PrefixExtF64) { NEXT_EXTENSION(0x200); }

  // Globals and constants.
  GLOBAL_LOAD(GlobalLoadI32, i)
  GLOBAL_LOAD(GlobalLoadI64, I)
  GLOBAL_LOAD(GlobalLoadF32, f)
  GLOBAL_LOAD(GlobalLoadF64, F)
  GLOBAL_STORE(GlobalStoreI32, i)
  GLOBAL_STORE(GlobalStoreI64, I)
  GLOBAL_STORE(GlobalStoreF32, f)
  GLOBAL_STORE(GlobalStoreF64, F)
  GLOBAL_LOAD_INDIRECT(GlobalLoadIndirectI32, i)
  GLOBAL_LOAD_INDIRECT(GlobalLoadIndirectI64, I)
  GLOBAL_LOAD_INDIRECT(GlobalLoadIndirectF32, f)
  GLOBAL_LOAD_INDIRECT(GlobalLoadIndirectF64, F)
  GLOBAL_STORE_INDIRECT(GlobalStoreIndirectI32, i)
  GLOBAL_STORE_INDIRECT(GlobalStoreIndirectI64, I)
  GLOBAL_STORE_INDIRECT(GlobalStoreIndirectF32, f)
  GLOBAL_STORE_INDIRECT(GlobalStoreIndirectF64, F)

  // Ref globals. A MOVE on the result of a load empties the global.
#define GLOBAL_REF_LOAD(ordinal_expr, is_checked)                     \
  {                                                                   \
    uint32_t ordinal = (ordinal_expr);                                \
    iree_vm_type_def_t type = m->module->types[U32()];                \
    uint16_t to = U16();                                              \
    if (is_checked && ordinal >= m->module->global_ref_count)         \
      TRY(global_out_of_range(ordinal, m->module->global_ref_count)); \
    iree_vm_ref_t *global = &m->state->global_refs[ordinal];          \
    TRY(check_ref_type(global, type));                                \
    ref_transfer(to &ISA_MOVE_BIT, global, &refs[to & ISA_REF_MASK]); \
    NEXT();                                                           \
  }
#define GLOBAL_REF_STORE(ordinal_expr, is_checked)                                                 \
  {                                                                                                \
    uint32_t ordinal = (ordinal_expr);                                                             \
    iree_vm_type_def_t type = m->module->types[U32()];                                             \
    uint16_t from = U16();                                                                         \
    if (is_checked && ordinal >= m->module->global_ref_count)                                      \
      TRY(global_out_of_range(ordinal, m->module->global_ref_count));                              \
    TRY(check_ref_type(&refs[from & ISA_REF_MASK], type));                                         \
    ref_transfer(from &ISA_MOVE_BIT, &refs[from & ISA_REF_MASK], &m->state->global_refs[ordinal]); \
    NEXT();                                                                                        \
  }
  OP(GlobalLoadRef)
  GLOBAL_REF_LOAD(U32(), false)
  OP(GlobalLoadIndirectRef)
  GLOBAL_REF_LOAD((uint32_t)RI(), true)
  OP(GlobalStoreRef)
  GLOBAL_REF_STORE(U32(), false) OP(GlobalStoreIndirectRef) GLOBAL_REF_STORE((uint32_t)RI(), true)

      CONST(ConstI32, i) CONST(ConstI64, I) CONST(ConstF32, f) CONST(ConstF64, F)
          CONST_ZERO(ConstI32Zero, i) CONST_ZERO(ConstI64Zero, I) CONST_ZERO(ConstF32Zero, f)
              CONST_ZERO(ConstF64Zero, F) OP(ConstRefZero) {
    ref_release(RR());
    NEXT();
  }
  OP(ConstRefRodata) {
    iree_vm_buffer_t *buffer = m->state->rodata[U32()];
    TRY(iree_vm_ref_wrap_retain(buffer, iree_vm_buffer_type(), RR()));
    NEXT();
  }

  // Lists.
  OP(ListAlloc) {
    iree_vm_type_def_t type = m->module->types[U32()];
    uint32_t capacity = (uint32_t)RI();
    iree_vm_list_t *list = NULL;
    TRY(iree_vm_list_create(type, capacity, m->allocator, &list));
    TRY(iree_vm_ref_wrap_assign(list, iree_vm_list_type(), RR()));
    NEXT();
  }
  OP(ListReserve) {
    iree_vm_ref_t *list = RR();
    TRY(list_size_op(list, ISA_OP_ListReserve, RI(), NULL));
    NEXT();
  }
  OP(ListSize) {
    iree_vm_ref_t *list = RR();
    TRY(list_size_op(list, ISA_OP_ListSize, 0, &RI()));
    NEXT();
  }
  OP(ListResize) {
    iree_vm_ref_t *list = RR();
    TRY(list_size_op(list, ISA_OP_ListResize, RI(), NULL));
    NEXT();
  }
  LIST_GET(ListGetI32, i, I32)
  LIST_GET(ListGetI64, I, I64)
  LIST_GET(ListGetF32, f, F32)
  LIST_GET(ListGetF64, F, F64)
  LIST_SET(ListSetI32, i, i32)
  LIST_SET(ListSetI64, I, i64)
  LIST_SET(ListSetF32, f, f32)
  LIST_SET(ListSetF64, F, f64)
  OP(ListGetRef) {
    iree_vm_ref_t *list = RR();
    int32_t index = RI();
    iree_vm_type_def_t type = m->module->types[U32()];
    uint16_t to = U16();
    TRY(list_get_ref(list, index, type, to & ISA_MOVE_BIT, &refs[to & ISA_REF_MASK]));
    NEXT();
  }
  OP(ListSetRef) {
    iree_vm_ref_t *list = RR();
    int32_t index = RI();
    uint16_t from = U16();
    TRY(list_set_ref(list, index, from & ISA_MOVE_BIT, &refs[from & ISA_REF_MASK]));
    NEXT();
  }

  // Selection.
  SELECT(SelectI32, i)
  SELECT(SelectI64, I)
  SELECT(SelectF32, f)
  SELECT(SelectF64, F)
  SWITCH(SwitchI32, i)
  SWITCH(SwitchI64, I)
  SWITCH(SwitchF32, f)
  SWITCH(SwitchF64, F)
  OP(SelectRef) {
    int32_t is_first = RI();
    iree_vm_type_def_t type = m->module->types[U32()];
    uint16_t a = U16(), b = U16();
    uint16_t to = U16() & ISA_REF_MASK;
    uint16_t taken = is_first ? a : b, other = is_first ? b : a;
    TRY(check_ref_type(&refs[taken & ISA_REF_MASK], type));
    ref_transfer(taken & ISA_MOVE_BIT, &refs[taken & ISA_REF_MASK], &refs[to]);
    other &= (uint16_t)~ISA_REF_BIT;
    if ((other & ISA_MOVE_BIT) && (other & ISA_REF_MASK) != to) {
      ref_release(&refs[other & ISA_REF_MASK]);
    }
    NEXT();
  }
  OP(SwitchRef) {
    uint32_t index = (uint32_t)RI();
    iree_vm_type_def_t type = m->module->types[U32()];
    uint16_t taken = U16();
    ALIGN();
    if (index < read_u16(p)) taken = read_u16(p + 2 + 2 * index);
    SKIP_LIST();
    uint16_t to = U16() & ISA_REF_MASK;
    TRY(check_ref_type(&refs[taken & ISA_REF_MASK], type));
    ref_transfer(taken & ISA_MOVE_BIT, &refs[taken & ISA_REF_MASK], &refs[to]);
    NEXT();
  }
  OP(CastAnyRef) {
    uint16_t from = U16();
    iree_vm_type_def_t type = m->module->types[U32()];
    uint16_t to = U16() & ISA_REF_MASK;
    TRY(check_ref_type(&refs[from & ISA_REF_MASK], type));
    ref_transfer(from & ISA_MOVE_BIT, &refs[from & ISA_REF_MASK], &refs[to]);
    NEXT();
  }
  OP(AssignRef) {
    uint16_t from = U16(), to = U16() & ISA_REF_MASK;
    ref_transfer(from & ISA_MOVE_BIT, &refs[from & ISA_REF_MASK], &refs[to]);
    NEXT();
  }
  OP(DiscardRefs) {
    ALIGN();
    release_listed(p, refs, false);
    SKIP_LIST();
    NEXT();
  }

  // Integers; arithmetic wraps, so it is done unsigned.
  BINARY(AddI32, i, i, i, (int32_t)((uint32_t)a + (uint32_t)b))
  BINARY(SubI32, i, i, i, (int32_t)((uint32_t)a - (uint32_t)b))
  BINARY(MulI32, i, i, i, (int32_t)((uint32_t)a * (uint32_t)b))
  DIVIDE(DivI32S, i, b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b)
  DIVIDE(DivI32U, i, (int32_t)((uint32_t)a / (uint32_t)b))
  DIVIDE(RemI32S, i, b == -1 ? 0 : a % b)
  DIVIDE(RemI32U, i, (int32_t)((uint32_t)a % (uint32_t)b))
  TERNARY(FMAI32, i, (int32_t)((uint32_t)a * (uint32_t)b + (uint32_t)c))
  BINARY(AddI64, I, I, I, (int64_t)((uint64_t)a + (uint64_t)b))
  BINARY(SubI64, I, I, I, (int64_t)((uint64_t)a - (uint64_t)b))
  BINARY(MulI64, I, I, I, (int64_t)((uint64_t)a * (uint64_t)b))
  DIVIDE(DivI64S, I, b == -1 ? (int64_t)(0u - (uint64_t)a) : a / b)
  DIVIDE(DivI64U, I, (int64_t)((uint64_t)a / (uint64_t)b))
  DIVIDE(RemI64S, I, b == -1 ? 0 : a % b)
  DIVIDE(RemI64U, I, (int64_t)((uint64_t)a % (uint64_t)b))
  TERNARY(FMAI64, I, (int64_t)((uint64_t)a * (uint64_t)b + (uint64_t)c))
  UNARY(AbsI32, i, i, a < 0 ? (int32_t)(0u - (uint32_t)a) : a)
  UNARY(AbsI64, I, I, a < 0 ? (int64_t)(0u - (uint64_t)a) : a)
  BINARY(MinI32S, i, i, i, a < b ? a : b)
  BINARY(MinI32U, i, i, i, (uint32_t)a < (uint32_t)b ? a : b)
  BINARY(MaxI32S, i, i, i, a > b ? a : b)
  BINARY(MaxI32U, i, i, i, (uint32_t)a > (uint32_t)b ? a : b)
  BINARY(MinI64S, I, I, I, a < b ? a : b)
  BINARY(MinI64U, I, I, I, (uint64_t)a < (uint64_t)b ? a : b)
  BINARY(MaxI64S, I, I, I, a > b ? a : b)
  BINARY(MaxI64U, I, I, I, (uint64_t)a > (uint64_t)b ? a : b)
  UNARY(NotI32, i, i, ~a)
  BINARY(AndI32, i, i, i, a & b)
  BINARY(OrI32, i, i, i, a | b)
  BINARY(XorI32, i, i, i, a ^ b)
  UNARY(NotI64, I, I, ~a)
  BINARY(AndI64, I, I, I, a & b)
  BINARY(OrI64, I, I, I, a | b)
  BINARY(XorI64, I, I, I, a ^ b)
  BINARY(ShlI32, i, i, i, (int32_t)((uint32_t)a << (b & 31)))
  BINARY(ShrI32S, i, i, i, a >> (b & 31))
  BINARY(ShrI32U, i, i, i, (int32_t)((uint32_t)a >> (b & 31)))
  BINARY(ShlI64, I, i, I, (int64_t)((uint64_t)a << (b & 63)))
  BINARY(ShrI64S, I, i, I, a >> (b & 63))
  BINARY(ShrI64U, I, i, I, (int64_t)((uint64_t)a >> (b & 63)))
  UNARY(CtlzI32, i, i, leading_zeros_32((uint32_t)a))
  UNARY(CtlzI64, I, I, leading_zeros_64((uint64_t)a))
  UNARY(TruncI32I8, i, i, a & 0xFF)
  UNARY(TruncI32I16, i, i, a & 0xFFFF)
  UNARY(TruncI64I32, I, i, (int32_t)a)
  UNARY(ExtI8I32S, i, i, (int8_t)a)
  UNARY(ExtI8I32U, i, i, (uint8_t)a)
  UNARY(ExtI16I32S, i, i, (int16_t)a)
  UNARY(ExtI16I32U, i, i, (uint16_t)a)
  UNARY(ExtI32I64S, i, I, a)
  UNARY(ExtI32I64U, i, I, (uint32_t)a)
  COMPARE(CmpEQI32, i, i, a == b)
  COMPARE(CmpNEI32, i, i, a != b)
  COMPARE(CmpLTI32S, i, i, a < b)
  COMPARE(CmpLTI32U, i, i, (uint32_t)a < (uint32_t)b)
  UNARY(CmpNZI32, i, i, a != 0)
  COMPARE(CmpEQI64, I, I, a == b)
  COMPARE(CmpNEI64, I, I, a != b)
  COMPARE(CmpLTI64S, I, I, a < b)
  COMPARE(CmpLTI64U, I, I, (uint64_t)a < (uint64_t)b)
  UNARY(CmpNZI64, I, i, a != 0)
  OP(CmpEQRef) {
    iree_vm_ref_t *a = RR(), *b = RR();
    RI() = iree_vm_ref_equal(a, b);
    NEXT();
  }
  OP(CmpNERef) {
    iree_vm_ref_t *a = RR(), *b = RR();
    RI() = !iree_vm_ref_equal(a, b);
    NEXT();
  }
  OP(CmpNZRef) {
    iree_vm_ref_t *a = RR();
    RI() = a->ptr != NULL;
    NEXT();
  }

  // Control.
// Targets are markers, which do nothing: execution goes on behind them.
#define JUMP(target)            \
  do {                          \
    STEP();                     \
    p = m->base + (target) + 1; \
    NEXT();                     \
  } while (0)
  OP(Break) OP(Branch) {
    uint32_t target = U32();
    take_branch(m->base, p, REGISTERS, true);
    JUMP(target);
  }
  OP(CondBranch) {
    condition = RI();
  branch_on_condition:;
    uint32_t target = U32();
    p = take_branch(m->base, p, REGISTERS, condition != 0);
    if (!condition) {
      target = U32();
      take_branch(m->base, p, REGISTERS, true);
    }
    JUMP(target);
  }
  OP(CondBreak) {
    (void)RI();
    uint32_t target = U32();
    take_branch(m->base, p, REGISTERS, true);
    JUMP(target);
  }
  OP(BranchTable) {
    uint32_t index = (uint32_t)RI();
    uint32_t target = U32();
    const uint8_t *operands = p;
    p = take_branch(m->base, p, REGISTERS, false);
    uint32_t count = U16();
    for (uint32_t i = 0; i < count && i <= index; ++i) {
      uint32_t case_target = U32();
      if (i == index) {
        target = case_target;
        operands = p;
      }
      p = take_branch(m->base, p, REGISTERS, false);
    }
    take_branch(m->base, operands, REGISTERS, true);
    JUMP(target);
  }
  OP(Yield) {
    STEP();
    uint32_t target = U32();
    take_branch(m->base, p, REGISTERS, true);
    m->frame->pc = target;
    return iree_status_from_code(IREE_STATUS_DEFERRED);
  }
  OP(Fail) {
    int32_t code = RI();
    TRY(program_failure(code, p, m->told_end == op ? m->told : NULL, i32));
    NEXT();
  }
  OP(Trace) OP(Print) {
    bool is_pair = read_u16(p) == 3 && !memcmp(p + 2, "i64", 3);
    p += 2 + read_u16(p);
    ALIGN();
    is_pair = is_pair && read_u16(p) == 2 && !((read_u16(p + 2) | read_u16(p + 4)) & ISA_REF_BIT);
    m->told = is_pair ? p : NULL;
    release_listed(p, refs, true);
    SKIP_LIST();
    m->told_end = p;
    NEXT();
  }
  OP(ImportResolved) {
    uint32_t ordinal = U32() & ~ISA_IMPORT_BIT;
    RI() = m->state->imports[ordinal].function.module != NULL;
    NEXT();
  }

  // Calls. The yieldable forms differ in where execution goes on.
  OP(CallVariadicYieldable) OP(CallYieldable) OP(CallVariadic) OP(Call) {
    bool is_variadic = *op == ISA_OP_CallVariadic || *op == ISA_OP_CallVariadicYieldable;
    bool is_yieldable = *op == ISA_OP_CallYieldable || *op == ISA_OP_CallVariadicYieldable;
    STEP();
    uint32_t callee = U32();
    const uint8_t *segments = NULL;
    ALIGN();
    if (is_variadic) {
      segments = p;
      SKIP_LIST();
      ALIGN();
    }
    const uint8_t *operands = p;
    SKIP_LIST();
    uint32_t next_pc = is_yieldable ? U32() : 0;
    ALIGN();
    const uint8_t *results = p;
    SKIP_LIST();
    if (!is_yieldable) next_pc = (uint32_t)(p - m->base);
    if (callee & ISA_IMPORT_BIT) {
      const bytecode_import_t *import = &m->state->imports[callee & ~ISA_IMPORT_BIT];
      if (!import->function.module) TRY(unresolved_import(m->module, callee & ~ISA_IMPORT_BIT));
      m->frame->pc = op - m->base;
      TRY(begin_import(m->data, m->stack, import, segments, operands, results, next_pc));
      p = m->base + next_pc;
      NEXT();
    }
    m->frame->pc = op - m->base;
    iree_vm_stack_frame_t *callee_frame = NULL;
    TRY(enter_internal(m->module, m->stack, callee, REGISTERS, operands, results, &callee_frame));
    m->frame->pc = next_pc;
    m->frame = callee_frame;
    LOAD_FRAME();
    NEXT();
  }
  OP(Return) {
    ALIGN();
    if (stack_header(m->frame)->is_entry) {
      pack_results(REGISTERS, m->data->function->results, p, m->call_results.data);
      return iree_vm_stack_function_leave(m->stack);
    }
    iree_vm_stack_frame_t *caller = &stack_header(m->frame)->parent->frame;
    return_internal(m->data, frame_data(caller), p);
    TRY(iree_vm_stack_function_leave(m->stack));
    m->frame = caller;
    LOAD_FRAME();
    NEXT();
  }

  // Buffers.
  BUFFER_LOAD(BufferLoadI8U, uint8_t, i)
  BUFFER_LOAD(BufferLoadI8S, int8_t, i)
  BUFFER_LOAD(BufferLoadI16U, uint16_t, i)
  BUFFER_LOAD(BufferLoadI16S, int16_t, i)
  BUFFER_LOAD(BufferLoadI32, int32_t, i)
  BUFFER_LOAD(BufferLoadI64, int64_t, I)
  BUFFER_LOAD(BufferLoadF32, float, f)
  BUFFER_LOAD(BufferLoadF64, double, F)
  BUFFER_STORE(BufferStoreI8, int8_t, i)
  BUFFER_STORE(BufferStoreI16, int16_t, i)
  BUFFER_STORE(BufferStoreI32, int32_t, i)
  BUFFER_STORE(BufferStoreI64, int64_t, I)
  BUFFER_STORE(BufferStoreF32, float, f)
  BUFFER_STORE(BufferStoreF64, double, F)
  BUFFER_FILL(BufferFillI8, int8_t, i)
  BUFFER_FILL(BufferFillI16, int16_t, i)
  BUFFER_FILL(BufferFillI32, int32_t, i)
  BUFFER_FILL(BufferFillI64, int64_t, I)
  BUFFER_FILL(BufferFillF32, float, f)
  BUFFER_FILL(BufferFillF64, double, F)
  OP(BufferAlloc) {
    int64_t length = READ(I);
    int32_t alignment = RI();
    TRY(buffer_alloc(length, alignment, m->allocator, RR()));
    NEXT();
  }
  OP(BufferClone) {
    iree_vm_ref_t *source = RR();
    int64_t offset = READ(I), length = READ(I);
    int32_t alignment = RI();
    TRY(buffer_clone(source, offset, length, alignment, m->allocator, RR()));
    NEXT();
  }
  OP(BufferLength) {
    iree_vm_ref_t *buffer = RR();
    int64_t length = 0;
    TRY(buffer_length(buffer, &length));
    WRITE(I, length);
    NEXT();
  }
  OP(BufferCopy) {
    iree_vm_ref_t *source = RR();
    int64_t source_offset = READ(I);
    iree_vm_ref_t *target = RR();
    int64_t target_offset = READ(I), length = READ(I);
    TRY(buffer_copy(source, source_offset, target, target_offset, length));
    NEXT();
  }
  OP(BufferCompare) {
    iree_vm_ref_t *lhs = RR();
    int64_t lhs_offset = READ(I);
    iree_vm_ref_t *rhs = RR();
    int64_t rhs_offset = READ(I), length = READ(I);
    TRY(buffer_compare(lhs, lhs_offset, rhs, rhs_offset, length, &RI()));
    NEXT();
  }
  OP(BufferHash) {
    iree_vm_ref_t *buffer = RR();
    int64_t offset = READ(I), length = READ(I), hash = 0;
    TRY(buffer_hash(buffer, offset, length, &hash));
    WRITE(I, hash);
    NEXT();
  }

  // Floats.
  BINARY(AddF32, f, f, f, a + b)
  BINARY(SubF32, f, f, f, a - b)
  BINARY(MulF32, f, f, f, a * b)
  BINARY(DivF32, f, f, f, a / b)
  BINARY(RemF32, f, f, f, remainderf(a, b))
  TERNARY(FMAF32, f, FMA_F32(a, b, c))
  UNARY(AbsF32, f, f, fabsf(a))
  UNARY(NegF32, f, f, -a)
  UNARY(CeilF32, f, f, ceilf(a))
  UNARY(FloorF32, f, f, floorf(a))
  UNARY(RoundF32, f, f, roundf(a))
  UNARY(RoundF32Even, f, f, nearbyintf(a))
  BINARY(MinF32, f, f, f, b < a ? b : a)
  BINARY(MaxF32, f, f, f, b > a ? b : a)
  UNARY(AtanF32, f, f, atanf(a))
  BINARY(Atan2F32, f, f, f, atan2f(a, b))
  UNARY(CosF32, f, f, cosf(a))
  UNARY(SinF32, f, f, sinf(a))
  UNARY(ExpF32, f, f, expf(a))
  UNARY(Exp2F32, f, f, exp2f(a))
  UNARY(ExpM1F32, f, f, expm1f(a))
  UNARY(LogF32, f, f, logf(a))
  UNARY(Log10F32, f, f, log10f(a))
  UNARY(Log1pF32, f, f, log1pf(a))
  UNARY(Log2F32, f, f, log2f(a))
  BINARY(PowF32, f, f, f, powf(a, b))
  BINARY(FPowIF32, f, i, f, (float)power_integer((double)a, b))
  UNARY(RsqrtF32, f, f, 1.0f / sqrtf(a))
  UNARY(SqrtF32, f, f, sqrtf(a))
  UNARY(TanhF32, f, f, tanhf(a))
  UNARY(ErfF32, f, f, erff(a))
  COMPARE_FLOAT(CmpEQF32, f, ==, (a != a || b != b))
  COMPARE_FLOAT(CmpNEF32, f, !=, (a != a || b != b))
  COMPARE_FLOAT(CmpLTF32, f, <, (a != a || b != b))
  COMPARE_FLOAT(CmpLTEF32, f, <=, (a != a || b != b))
  UNARY(CmpNaNF32, f, i, a != a)
  UNARY(CastSI32F32, i, f, (float)a)
  UNARY(CastUI32F32, i, f, (float)(uint32_t)a)
  UNARY(CastSI64F32, I, f, (float)a)
  UNARY(CastUI64F32, I, f, (float)(uint64_t)a)
  UNARY(CastF32SI32, f, i, round_to_si32((double)a))
  UNARY(CastF32UI32, f, i, round_to_ui32((double)a))
  UNARY(CastF32SI64, f, I, round_to_si64((double)a))
  UNARY(CastF32UI64, f, I, round_to_ui64((double)a))
  OP(BitcastI32F32) OP(BitcastF32I32) {
    int32_t bits = RI();
    RI() = bits;
    NEXT();
  }
  BINARY(AddF64, F, F, F, a + b)
  BINARY(SubF64, F, F, F, a - b)
  BINARY(MulF64, F, F, F, a * b)
  BINARY(DivF64, F, F, F, a / b)
  BINARY(RemF64, F, F, F, remainder(a, b))
  TERNARY(FMAF64, F, FMA_F64(a, b, c))
  UNARY(AbsF64, F, F, fabs(a))
  UNARY(NegF64, F, F, -a)
  UNARY(CeilF64, F, F, ceil(a))
  UNARY(FloorF64, F, F, floor(a))
  UNARY(RoundF64, F, F, round(a))
  UNARY(RoundF64Even, F, F, nearbyint(a))
  BINARY(MinF64, F, F, F, b < a ? b : a)
  BINARY(MaxF64, F, F, F, b > a ? b : a)
  UNARY(AtanF64, F, F, atan(a))
  BINARY(Atan2F64, F, F, F, atan2(a, b))
  UNARY(CosF64, F, F, cos(a))
  UNARY(SinF64, F, F, sin(a))
  UNARY(ExpF64, F, F, exp(a))
  UNARY(Exp2F64, F, F, exp2(a))
  UNARY(ExpM1F64, F, F, expm1(a))
  UNARY(LogF64, F, F, log(a))
  UNARY(Log10F64, F, F, log10(a))
  UNARY(Log1pF64, F, F, log1p(a))
  UNARY(Log2F64, F, F, log2(a))
  BINARY(PowF64, F, F, F, pow(a, b))
  BINARY(FPowIF64, F, I, F, power_integer(a, b))
  UNARY(RsqrtF64, F, F, 1.0 / sqrt(a))
  UNARY(SqrtF64, F, F, sqrt(a))
  UNARY(TanhF64, F, F, tanh(a))
  UNARY(ErfF64, F, F, erf(a))
  COMPARE_FLOAT(CmpEQF64, F, ==, (a != a || b != b))
  COMPARE_FLOAT(CmpNEF64, F, !=, (a != a || b != b))
  COMPARE_FLOAT(CmpLTF64, F, <, (a != a || b != b))
  COMPARE_FLOAT(CmpLTEF64, F, <=, (a != a || b != b))
  UNARY(CmpNaNF64, F, i, a != a)
  UNARY(TruncF64F32, F, f, (float)a)
  UNARY(ExtF32F64, f, F, (double)a)
  UNARY(CastSI32F64, i, F, (double)a)
  UNARY(CastUI32F64, i, F, (double)(uint32_t)a)
  UNARY(CastSI64F64, I, F, (double)a)
  UNARY(CastUI64F64, I, F, (double)(uint64_t)a)
  UNARY(CastF64SI32, F, i, round_to_si32(a))
  UNARY(CastF64UI32, F, i, round_to_ui32(a))
  UNARY(CastF64SI64, F, I, round_to_si64(a))
  UNARY(CastF64UI64, F, I, round_to_ui64(a))
  OP(BitcastI64F64) OP(BitcastF64I64) {
    int64_t bits = READ(I);
    WRITE(I, bits);
    NEXT();
  }

#if !PORT_COMPUTED_GOTO
}
#endif

failed : if (!iree_status_is_deferred(status)) m->frame->pc = op - m->base;
return status;
}

// ---- Entry points ------------------------------------------------------------------------------

iree_status_t bytecode_begin_call(void *self, iree_vm_stack_t *stack,
                                  iree_vm_function_call_t call) {
  bytecode_module_t *module = self;
  iree_vm_function_t function = call.function;
  const bytecode_function_t *callee = bytecode_function(module, function);
  if (!callee) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "no function %u", function.ordinal);
  }
  uint32_t ordinal = (uint32_t)(callee - module->functions);
  function.linkage = IREE_VM_FUNCTION_LINKAGE_INTERNAL;
  function.ordinal = (uint16_t)ordinal;
  if (call.arguments.data_length < callee->arguments_size ||
      call.results.data_length < callee->results_size) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "arguments or results smaller than the signature %.*s",
                            IREE_SV_ARGS(callee->calling_convention));
  }
  iree_vm_stack_frame_t *frame = NULL;
  IREE_RETURN_IF_ERROR(enter_frame(module, stack, ordinal, function, &frame));
  stack_header(frame)->is_entry = true;
  unpack_arguments(frame_data(frame), call.arguments.data);
  return run(module, stack, frame, call.results);
}

iree_status_t bytecode_resume_call(void *self, iree_vm_stack_t *stack,
                                   iree_byte_span_t call_results) {
  bytecode_module_t *module = self;
  stack_header_t *header = stack->resume_frame;
  if (!header || header->frame.function.module != &module->interface) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "no call to resume");
  }
  // Calls within the module share the activation; its innermost frame is where things stopped.
  while (header->child && header->child->frame.type == IREE_VM_STACK_FRAME_BYTECODE &&
         header->child->frame.function.module == &module->interface && !header->child->is_entry) {
    header = header->child;
  }
  iree_vm_stack_frame_t *frame = &header->frame;
  bytecode_frame_t *data = frame_data(frame);
  if (data->pending) {
    const bytecode_import_t *import = data->pending;
    iree_vm_module_t *callee = import->function.module;
    if (!callee->resume_call) {
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "the import's calls cannot be resumed");
    }
    stack->resume_frame = header->child;
    iree_byte_span_t results = iree_make_byte_span(data->pending_area, import->results_size);
    IREE_RETURN_IF_ERROR(
        finish_import(data, NULL, callee->resume_call(callee->self, stack, results)));
    frame->pc = data->pending_pc;
  }
  return run(module, stack, frame, call_results);
}
