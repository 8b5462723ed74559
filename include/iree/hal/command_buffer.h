// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded device work: recorded once, executed once or many times.
//
//   create -> begin -> commands ... -> end -> device_queue_execute (n times unless ONE_SHOT)
//
// Commands between two execution barriers may run in any order and at once; a barrier orders all
// before it before all after it. A buffer reference with a null buffer names a slot of the binding
// table given at execution, so that one recording serves many sets of buffers.
#ifndef IREE_HAL_COMMAND_BUFFER_H_
#define IREE_HAL_COMMAND_BUFFER_H_

#include "iree/base/api.h"
#include "iree/hal/allocator.h"
#include "iree/hal/buffer.h"
#include "iree/hal/channel.h"
#include "iree/hal/executable.h"
#include "iree/hal/queue.h"
#include "iree/hal/resource.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_command_buffer_t iree_hal_command_buffer_t;

enum iree_hal_command_buffer_mode_bits_t {
  IREE_HAL_COMMAND_BUFFER_MODE_DEFAULT = 0u,
  IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT = 1u << 0,
  IREE_HAL_COMMAND_BUFFER_MODE_ALLOW_INLINE_EXECUTION = 1u << 4,
  IREE_HAL_COMMAND_BUFFER_MODE_UNVALIDATED = 1u << 5,
  IREE_HAL_COMMAND_BUFFER_MODE_UNRETAINED = 1u << 6,
  IREE_HAL_COMMAND_BUFFER_MODE_RETAIN_PROFILE_METADATA = 1u << 7,
  IREE_HAL_COMMAND_BUFFER_MODE_RETAIN_DISPATCH_METADATA = 1u << 8,
};
typedef uint32_t iree_hal_command_buffer_mode_t;

enum iree_hal_command_category_bits_t {
  IREE_HAL_COMMAND_CATEGORY_TRANSFER = 1u << 0,
  IREE_HAL_COMMAND_CATEGORY_DISPATCH = 1u << 1,
  IREE_HAL_COMMAND_CATEGORY_ANY =
      IREE_HAL_COMMAND_CATEGORY_TRANSFER | IREE_HAL_COMMAND_CATEGORY_DISPATCH,
};
typedef uint32_t iree_hal_command_category_t;

// A range of a buffer, or with a null buffer of the buffer in a binding table slot.
typedef struct iree_hal_buffer_ref_t {
  uint32_t reserved : 8;
  uint32_t buffer_slot : 24;
  iree_hal_buffer_t *buffer;
  iree_device_size_t offset;
  iree_device_size_t length;
} iree_hal_buffer_ref_t;

#define IREE_HAL_BUFFER_SLOT_MAX ((1u << 24) - 1)

static inline iree_hal_buffer_ref_t iree_hal_make_buffer_ref(iree_hal_buffer_t *buffer,
                                                             iree_device_size_t offset,
                                                             iree_device_size_t length) {
  iree_hal_buffer_ref_t ref = {0, 0, buffer, offset, length};
  return ref;
}
static inline iree_hal_buffer_ref_t iree_hal_make_indirect_buffer_ref(uint32_t buffer_slot,
                                                                      iree_device_size_t offset,
                                                                      iree_device_size_t length) {
  iree_hal_buffer_ref_t ref = {0, buffer_slot & IREE_HAL_BUFFER_SLOT_MAX, NULL, offset, length};
  return ref;
}

typedef struct iree_hal_buffer_ref_list_t {
  iree_host_size_t count;
  const iree_hal_buffer_ref_t *values;
} iree_hal_buffer_ref_list_t;

static inline iree_hal_buffer_ref_list_t iree_hal_buffer_ref_list_empty(void) {
  iree_hal_buffer_ref_list_t list = {0, NULL};
  return list;
}

enum iree_hal_execution_stage_bits_t {
  IREE_HAL_EXECUTION_STAGE_COMMAND_ISSUE = 1u << 0,
  IREE_HAL_EXECUTION_STAGE_COMMAND_PROCESS = 1u << 1,
  IREE_HAL_EXECUTION_STAGE_DISPATCH = 1u << 2,
  IREE_HAL_EXECUTION_STAGE_TRANSFER = 1u << 3,
  IREE_HAL_EXECUTION_STAGE_COMMAND_RETIRE = 1u << 4,
  IREE_HAL_EXECUTION_STAGE_HOST = 1u << 5,
};
typedef uint32_t iree_hal_execution_stage_t;

enum iree_hal_execution_barrier_flag_bits_t {
  IREE_HAL_EXECUTION_BARRIER_FLAG_NONE = 0,
};
typedef uint64_t iree_hal_execution_barrier_flags_t;

enum iree_hal_access_scope_bits_t {
  IREE_HAL_ACCESS_SCOPE_INDIRECT_COMMAND_READ = 1u << 0,
  IREE_HAL_ACCESS_SCOPE_CONSTANT_READ = 1u << 1,
  IREE_HAL_ACCESS_SCOPE_DISPATCH_READ = 1u << 2,
  IREE_HAL_ACCESS_SCOPE_DISPATCH_WRITE = 1u << 3,
  IREE_HAL_ACCESS_SCOPE_TRANSFER_READ = 1u << 4,
  IREE_HAL_ACCESS_SCOPE_TRANSFER_WRITE = 1u << 5,
  IREE_HAL_ACCESS_SCOPE_HOST_READ = 1u << 6,
  IREE_HAL_ACCESS_SCOPE_HOST_WRITE = 1u << 7,
  IREE_HAL_ACCESS_SCOPE_MEMORY_READ = 1u << 8,
  IREE_HAL_ACCESS_SCOPE_MEMORY_WRITE = 1u << 9,
};
typedef uint32_t iree_hal_access_scope_t;

typedef struct iree_hal_memory_barrier_t {
  iree_hal_access_scope_t source_scope;
  iree_hal_access_scope_t target_scope;
} iree_hal_memory_barrier_t;

typedef struct iree_hal_buffer_barrier_t {
  iree_hal_access_scope_t source_scope;
  iree_hal_access_scope_t target_scope;
  iree_hal_buffer_ref_t buffer_ref;
} iree_hal_buffer_barrier_t;

typedef uint64_t iree_hal_memory_advise_flags_t;
typedef uint64_t iree_hal_fill_flags_t;
typedef uint64_t iree_hal_update_flags_t;
typedef uint64_t iree_hal_copy_flags_t;
#define IREE_HAL_MEMORY_ADVISE_FLAG_NONE 0
#define IREE_HAL_FILL_FLAG_NONE 0
#define IREE_HAL_UPDATE_FLAG_NONE 0
#define IREE_HAL_COPY_FLAG_NONE 0

// Collective operation, packed in one word: kind, reduction, element type.
enum iree_hal_collective_kind_e {
  IREE_HAL_COLLECTIVE_KIND_ALL_GATHER = 0,
  IREE_HAL_COLLECTIVE_KIND_ALL_REDUCE = 1,
  IREE_HAL_COLLECTIVE_KIND_ALL_TO_ALL = 2,
  IREE_HAL_COLLECTIVE_KIND_BROADCAST = 3,
  IREE_HAL_COLLECTIVE_KIND_REDUCE = 4,
  IREE_HAL_COLLECTIVE_KIND_REDUCE_SCATTER = 5,
  IREE_HAL_COLLECTIVE_KIND_SEND = 6,
  IREE_HAL_COLLECTIVE_KIND_RECV = 7,
  IREE_HAL_COLLECTIVE_KIND_SEND_RECV = 8,
};
typedef uint8_t iree_hal_collective_kind_t;
typedef uint8_t iree_hal_collective_reduction_t;
typedef uint8_t iree_hal_collective_element_type_t;
typedef union iree_hal_collective_op_t {
  uint32_t packed;
  struct {
    iree_hal_collective_kind_t kind;
    iree_hal_collective_reduction_t reduction;
    iree_hal_collective_element_type_t element_type;
    uint8_t reserved;
  } fields;
} iree_hal_collective_op_t;

// How a dispatch spreads: workgroup counts, given or read from a buffer (3 x u32). A workgroup size
// of zero is the executable's own.
typedef struct iree_hal_dispatch_config_t {
  uint32_t workgroup_size[3];
  uint32_t workgroup_count[3];
  iree_hal_buffer_ref_t workgroup_count_ref;
  uint32_t dynamic_workgroup_local_memory;
} iree_hal_dispatch_config_t;

static inline iree_hal_dispatch_config_t iree_hal_make_static_dispatch_config(
    uint32_t workgroup_count_x, uint32_t workgroup_count_y, uint32_t workgroup_count_z) {
  iree_hal_dispatch_config_t config = {
      {0, 0, 0},
      {workgroup_count_x, workgroup_count_y, workgroup_count_z},
      {0, 0, NULL, 0, 0},
      0,
  };
  return config;
}

enum iree_hal_dispatch_flag_bits_t {
  IREE_HAL_DISPATCH_FLAG_NONE = 0ull,
  IREE_HAL_DISPATCH_FLAG_DYNAMIC_INDIRECT_PARAMETERS = 1ull << 0,
  IREE_HAL_DISPATCH_FLAG_STATIC_INDIRECT_PARAMETERS = 1ull << 1,
  IREE_HAL_DISPATCH_FLAG_CUSTOM_DIRECT_ARGUMENTS = 1ull << 2,
  IREE_HAL_DISPATCH_FLAG_DYNAMIC_INDIRECT_ARGUMENTS = 1ull << 3,
  IREE_HAL_DISPATCH_FLAG_STATIC_INDIRECT_ARGUMENTS = 1ull << 4,
  IREE_HAL_DISPATCH_FLAG_ALLOW_INLINE_EXECUTION = 1ull << 5,
  IREE_HAL_DISPATCH_FLAG_BORROW_RESOURCE_LIFETIMES = 1ull << 6,
};
typedef uint64_t iree_hal_dispatch_flags_t;

static inline bool iree_hal_dispatch_uses_indirect_parameters(iree_hal_dispatch_flags_t flags) {
  return (flags & (IREE_HAL_DISPATCH_FLAG_STATIC_INDIRECT_PARAMETERS |
                   IREE_HAL_DISPATCH_FLAG_DYNAMIC_INDIRECT_PARAMETERS)) != 0;
}
static inline bool iree_hal_dispatch_uses_custom_arguments(iree_hal_dispatch_flags_t flags) {
  return (flags & (IREE_HAL_DISPATCH_FLAG_CUSTOM_DIRECT_ARGUMENTS |
                   IREE_HAL_DISPATCH_FLAG_DYNAMIC_INDIRECT_ARGUMENTS |
                   IREE_HAL_DISPATCH_FLAG_STATIC_INDIRECT_ARGUMENTS)) != 0;
}

typedef union iree_hal_label_color_t {
  uint32_t value;
  struct {
    uint8_t r, g, b, a;
  } channels;
} iree_hal_label_color_t;

typedef struct iree_hal_label_location_t {
  iree_string_view_t file;
  int line;
} iree_hal_label_location_t;

static inline iree_hal_label_color_t iree_hal_label_color_unspecified(void) {
  iree_hal_label_color_t color = {0};
  return color;
}

// Mode and category bits as text.
//   owns:   the returned view is borrowed from |out_temp|
//   errors: none
IREE_API_EXPORT iree_string_view_t iree_hal_command_buffer_mode_format(
    iree_hal_command_buffer_mode_t value, iree_bitfield_string_temp_t *out_temp);
IREE_API_EXPORT iree_string_view_t iree_hal_command_category_format(
    iree_hal_command_category_t value, iree_bitfield_string_temp_t *out_temp);

// Largest number of bytes that one update command carries.
#define IREE_HAL_COMMAND_BUFFER_MAX_UPDATE_SIZE ((iree_device_size_t)(64 * 1024))

// What fills a slot at execution.
typedef struct iree_hal_buffer_binding_t {
  iree_hal_buffer_t *buffer;
  iree_device_size_t offset;
  iree_device_size_t length;
} iree_hal_buffer_binding_t;

typedef struct iree_hal_buffer_binding_table_t {
  iree_host_size_t count;
  const iree_hal_buffer_binding_t *bindings;
} iree_hal_buffer_binding_table_t;

static inline iree_hal_buffer_binding_table_t iree_hal_buffer_binding_table_empty(void) {
  iree_hal_buffer_binding_table_t table = {0, NULL};
  return table;
}
static inline bool iree_hal_buffer_binding_table_is_empty(
    iree_hal_buffer_binding_table_t binding_table) {
  return binding_table.count == 0;
}

// Finds the buffer range that a reference means with a table.
//   errors: OUT_OF_RANGE      the slot is past the table, or the range leaves the binding
//           INVALID_ARGUMENT  the slot is empty
IREE_API_EXPORT iree_status_t iree_hal_buffer_binding_table_resolve_ref(
    iree_hal_buffer_binding_table_t binding_table, iree_hal_buffer_ref_t buffer_ref,
    iree_hal_buffer_ref_t *out_resolved_ref);

// Makes a command buffer with room for |binding_capacity| slots.
//   owns:   transfers ownership to the caller; recording retains what it uses unless UNRETAINED
//   errors: INVALID_ARGUMENT    ALLOW_INLINE_EXECUTION without ONE_SHOT
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_create(
    iree_hal_device_t *device, iree_hal_command_buffer_mode_t mode,
    iree_hal_command_category_t command_categories, iree_hal_queue_affinity_t queue_affinity,
    iree_host_size_t binding_capacity, iree_hal_command_buffer_t **out_command_buffer);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_command_buffer_retain(iree_hal_command_buffer_t *command_buffer);
IREE_API_EXPORT void iree_hal_command_buffer_release(iree_hal_command_buffer_t *command_buffer);

// Facts about a command buffer.
//   errors: none
IREE_API_EXPORT iree_hal_command_buffer_mode_t
iree_hal_command_buffer_mode(const iree_hal_command_buffer_t *command_buffer);
IREE_API_EXPORT iree_hal_command_category_t
iree_hal_command_buffer_allowed_categories(const iree_hal_command_buffer_t *command_buffer);
IREE_API_EXPORT iree_hal_queue_affinity_t
iree_hal_command_buffer_queue_affinity(const iree_hal_command_buffer_t *command_buffer);

// Recording. Every command checks ranges, access, usage and category of what it names; references
// to slots are checked at submission.
//   units:  bytes
//   thread: one thread at a time
//   errors: FAILED_PRECONDITION  not between begin and end
//           PERMISSION_DENIED    a buffer forbids the use, or the category is not allowed
//           OUT_OF_RANGE         a range leaves its buffer, a slot leaves the capacity
//           INVALID_ARGUMENT     counts that differ from the function's, bad patterns, overlapping
//           copies UNIMPLEMENTED        collectives and custom dispatch arguments on local devices
IREE_API_EXPORT iree_status_t
iree_hal_command_buffer_begin(iree_hal_command_buffer_t *command_buffer);
IREE_API_EXPORT iree_status_t
iree_hal_command_buffer_end(iree_hal_command_buffer_t *command_buffer);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_begin_debug_group(
    iree_hal_command_buffer_t *command_buffer, iree_string_view_t label,
    iree_hal_label_color_t label_color, const iree_hal_label_location_t *location);
IREE_API_EXPORT iree_status_t
iree_hal_command_buffer_end_debug_group(iree_hal_command_buffer_t *command_buffer);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_execution_barrier(
    iree_hal_command_buffer_t *command_buffer, iree_hal_execution_stage_t source_stage_mask,
    iree_hal_execution_stage_t target_stage_mask, iree_hal_execution_barrier_flags_t flags,
    iree_host_size_t memory_barrier_count, const iree_hal_memory_barrier_t *memory_barriers,
    iree_host_size_t buffer_barrier_count, const iree_hal_buffer_barrier_t *buffer_barriers);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_advise_buffer(
    iree_hal_command_buffer_t *command_buffer, iree_hal_buffer_ref_t buffer_ref,
    iree_hal_memory_advise_flags_t flags, uint64_t arg0, uint64_t arg1);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_fill_buffer(
    iree_hal_command_buffer_t *command_buffer, iree_hal_buffer_ref_t target_ref,
    const void *pattern, iree_host_size_t pattern_length, iree_hal_fill_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_update_buffer(
    iree_hal_command_buffer_t *command_buffer, const void *source_buffer,
    iree_host_size_t source_offset, iree_hal_buffer_ref_t target_ref,
    iree_hal_update_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_copy_buffer(
    iree_hal_command_buffer_t *command_buffer, iree_hal_buffer_ref_t source_ref,
    iree_hal_buffer_ref_t target_ref, iree_hal_copy_flags_t flags);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_collective(
    iree_hal_command_buffer_t *command_buffer, iree_hal_channel_t *channel,
    iree_hal_collective_op_t op, uint32_t param, iree_hal_buffer_ref_t send_ref,
    iree_hal_buffer_ref_t recv_ref, iree_device_size_t element_count);
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_dispatch(
    iree_hal_command_buffer_t *command_buffer, iree_hal_executable_t *executable,
    iree_hal_executable_function_t function, const iree_hal_dispatch_config_t config,
    iree_const_byte_span_t constants, const iree_hal_buffer_ref_list_t bindings,
    iree_hal_dispatch_flags_t flags);

// Checks that a table satisfies what was recorded.
//   errors: INVALID_ARGUMENT   a slot in use is missing or empty, or the buffer is still recording
//           OUT_OF_RANGE       a binding is too short
//           PERMISSION_DENIED  a binding's buffer forbids a recorded use
IREE_API_EXPORT iree_status_t iree_hal_command_buffer_validate_submission(
    iree_hal_command_buffer_t *command_buffer, iree_hal_buffer_binding_table_t binding_table);

typedef enum iree_hal_command_buffer_state_e {
  IREE_HAL_COMMAND_BUFFER_STATE_INITIAL = 0,
  IREE_HAL_COMMAND_BUFFER_STATE_RECORDING,
  IREE_HAL_COMMAND_BUFFER_STATE_READY,
} iree_hal_command_buffer_state_t;

// What recorded commands need of a binding table slot.
typedef struct iree_hal_binding_requirement_t {
  iree_hal_buffer_usage_t usage;
  iree_hal_memory_access_t access;
  bool is_used;
  iree_device_size_t minimum_length;  // bytes from the start of the binding
} iree_hal_binding_requirement_t;

// What a kind of command buffer implements; arguments arrive checked.
typedef struct iree_hal_command_buffer_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_command_buffer_t *command_buffer);
  iree_status_t(IREE_API_PTR *begin)(iree_hal_command_buffer_t *command_buffer);
  iree_status_t(IREE_API_PTR *end)(iree_hal_command_buffer_t *command_buffer);
  iree_status_t(IREE_API_PTR *execution_barrier)(iree_hal_command_buffer_t *command_buffer,
                                                 iree_hal_execution_stage_t source_stage_mask,
                                                 iree_hal_execution_stage_t target_stage_mask,
                                                 iree_hal_execution_barrier_flags_t flags);
  iree_status_t(IREE_API_PTR *fill_buffer)(iree_hal_command_buffer_t *command_buffer,
                                           iree_hal_buffer_ref_t target_ref, const void *pattern,
                                           iree_host_size_t pattern_length,
                                           iree_hal_fill_flags_t flags);
  iree_status_t(IREE_API_PTR *update_buffer)(iree_hal_command_buffer_t *command_buffer,
                                             const void *source_buffer,
                                             iree_host_size_t source_offset,
                                             iree_hal_buffer_ref_t target_ref,
                                             iree_hal_update_flags_t flags);
  iree_status_t(IREE_API_PTR *copy_buffer)(iree_hal_command_buffer_t *command_buffer,
                                           iree_hal_buffer_ref_t source_ref,
                                           iree_hal_buffer_ref_t target_ref,
                                           iree_hal_copy_flags_t flags);
  iree_status_t(IREE_API_PTR *dispatch)(iree_hal_command_buffer_t *command_buffer,
                                        iree_hal_executable_t *executable,
                                        iree_hal_executable_function_t function,
                                        const iree_hal_dispatch_config_t *config,
                                        iree_const_byte_span_t constants,
                                        iree_hal_buffer_ref_list_t bindings,
                                        iree_hal_dispatch_flags_t flags);
} iree_hal_command_buffer_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_command_buffer_vtable_t);

struct iree_hal_command_buffer_t {
  iree_hal_resource_t resource;
  iree_hal_command_buffer_mode_t mode;
  iree_hal_command_category_t allowed_categories;
  iree_hal_queue_affinity_t queue_affinity;
  iree_hal_command_buffer_state_t state;
  uint32_t debug_group_depth;
  uint32_t binding_capacity;
  uint32_t binding_count;                        // highest used slot + 1
  iree_hal_binding_requirement_t *requirements;  // [binding_capacity]
};

// Starts the common part; used by implementations.
//   owns:   |requirements| is borrowed until the command buffer is destroyed
//   errors: none
IREE_API_EXPORT void iree_hal_command_buffer_initialize(
    iree_hal_command_buffer_mode_t mode, iree_hal_command_category_t command_categories,
    iree_hal_queue_affinity_t queue_affinity, iree_host_size_t binding_capacity,
    iree_hal_binding_requirement_t *requirements, const iree_hal_command_buffer_vtable_t *vtable,
    iree_hal_command_buffer_t *command_buffer);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_COMMAND_BUFFER_H_
