// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call stack of one invocation: frames in blocks that never move, so that pointers into a frame
// stay valid while it lives. Blocks are kept for reuse; a warm stack does not allocate. One thread
// at a time.
#ifndef IREE_VM_STACK_H_
#define IREE_VM_STACK_H_

#include "iree/base/api.h"
#include "iree/vm/module.h"
#include "iree/vm/ref.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IREE_VM_STACK_DEFAULT_SIZE (8 * 1024)
#define IREE_VM_STACK_MIN_SIZE (1 * 1024)
// Deepest a stack grows, all blocks together; beyond it calls fail with RESOURCE_EXHAUSTED.
#define IREE_VM_STACK_MAX_SIZE (1 * 1024 * 1024)

typedef uint32_t iree_vm_invocation_flags_t;
enum iree_vm_invocation_flag_bits_t {
  IREE_VM_INVOCATION_FLAG_NONE = 0u,
  IREE_VM_INVOCATION_FLAG_TRACE_EXECUTION = 1u << 0,
  IREE_VM_INVOCATION_FLAG_TRACE_INLINE = 1u << 1,
};

typedef enum iree_vm_stack_frame_type_e {
  IREE_VM_STACK_FRAME_EXTERNAL = 0,
  IREE_VM_STACK_FRAME_NATIVE = 1,
  IREE_VM_STACK_FRAME_BYTECODE = 2,
  IREE_VM_STACK_FRAME_WAIT = 3,
} iree_vm_stack_frame_type_t;

typedef struct iree_vm_stack_frame_t {
  iree_vm_stack_frame_type_t type;
  int32_t depth;
  iree_vm_function_t function;
  iree_vm_module_state_t *module_state;
  // Position in the function; free for native functions to keep their own (0 at the first call).
  iree_vm_source_offset_t pc;
} iree_vm_stack_frame_t;

// Storage behind a frame, |frame_size| bytes, 16-aligned, zeroed.
//   owns:   borrowed from the stack until the frame is left
//   errors: none
IREE_API_EXPORT void *iree_vm_stack_frame_storage(iree_vm_stack_frame_t *frame);

typedef uint8_t iree_vm_wait_type_t;
enum iree_vm_wait_type_e {
  IREE_VM_WAIT_UNTIL = 0,  // a time
  IREE_VM_WAIT_ANY = 1,
  IREE_VM_WAIT_ALL = 2,
};

// What an invocation that returned DEFERRED waits for; the function that entered it fills the
// sources.
typedef struct iree_vm_wait_frame_t {
  iree_vm_wait_type_t wait_type;
  iree_status_t wait_status;  // set by whoever waited, OWNED by the frame
  iree_time_t deadline_ns;
  iree_host_size_t count;
  iree_wait_source_t wait_sources[];
} iree_vm_wait_frame_t;

typedef struct iree_vm_wait_result_t {
  iree_status_t status;
} iree_vm_wait_result_t;

typedef void (*iree_vm_stack_frame_cleanup_fn_t)(iree_vm_stack_frame_t *frame);

// Finds the state of a module in the context that invokes.
typedef struct iree_vm_state_resolver_t {
  void *self;
  iree_status_t (*query_module_state)(void *state_resolver, iree_vm_module_t *module,
                                      iree_vm_module_state_t **out_module_state);
} iree_vm_state_resolver_t;

#define IREE_VM_INLINE_STACK_INITIALIZE(stack, flags, state_resolver, allocator)                \
  uint8_t stack##_storage_[IREE_VM_STACK_DEFAULT_SIZE] iree_alignas(16);                        \
  iree_vm_stack_t *stack = NULL;                                                                \
  IREE_IGNORE_ERROR(                                                                            \
      iree_vm_stack_initialize(iree_make_byte_span(stack##_storage_, sizeof(stack##_storage_)), \
                               (flags), (state_resolver), (allocator), &stack))

// A stack whose first block is |storage| (16-aligned); more blocks come from |allocator|.
//   owns:   |storage| is borrowed until deinitialize
//   errors: INVALID_ARGUMENT  |storage| is smaller than IREE_VM_STACK_MIN_SIZE
IREE_API_EXPORT iree_status_t iree_vm_stack_initialize(iree_byte_span_t storage,
                                                       iree_vm_invocation_flags_t flags,
                                                       iree_vm_state_resolver_t state_resolver,
                                                       iree_allocator_t allocator,
                                                       iree_vm_stack_t **out_stack);
// Drops all frames, running their cleanups.
//   errors: none
IREE_API_EXPORT void iree_vm_stack_reset(iree_vm_stack_t *stack);
IREE_API_EXPORT void iree_vm_stack_deinitialize(iree_vm_stack_t *stack);
// A stack on the heap.
//   owns:   transfers |out_stack| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_vm_stack_allocate(iree_vm_invocation_flags_t flags,
                                                     iree_vm_state_resolver_t state_resolver,
                                                     iree_allocator_t allocator,
                                                     iree_vm_stack_t **out_stack);
IREE_API_EXPORT void iree_vm_stack_free(iree_vm_stack_t *stack);

// What the stack was made with.
//   errors: none
IREE_API_EXPORT iree_allocator_t iree_vm_stack_allocator(const iree_vm_stack_t *stack);
IREE_API_EXPORT iree_vm_invocation_flags_t
iree_vm_stack_invocation_flags(const iree_vm_stack_t *stack);
// The innermost frame of a function (wait frames aside), and the one that called it; NULL when
// empty.
//   owns:   borrowed until the frame is left
//   errors: none
IREE_API_EXPORT iree_vm_stack_frame_t *iree_vm_stack_top(iree_vm_stack_t *stack);
IREE_API_EXPORT iree_vm_stack_frame_t *iree_vm_stack_current_frame(iree_vm_stack_t *stack);
IREE_API_EXPORT iree_vm_stack_frame_t *iree_vm_stack_parent_frame(iree_vm_stack_t *stack);
// State of a module in the invoking context.
//   errors: NOT_FOUND  the module is not in the context
IREE_API_EXPORT iree_status_t iree_vm_stack_query_module_state(
    iree_vm_stack_t *stack, iree_vm_module_t *module, iree_vm_module_state_t **out_module_state);

// Enters a wait on |wait_count| sources, then the function returns DEFERRED; when it is resumed it
// leaves the wait and gets what came of it.
//   errors: RESOURCE_EXHAUSTED  the stack is full;  FAILED_PRECONDITION  (leave) no wait
IREE_API_EXPORT iree_status_t iree_vm_stack_wait_enter(
    iree_vm_stack_t *stack, iree_vm_wait_type_t wait_type, iree_host_size_t wait_count,
    iree_timeout_t timeout, iree_zone_id_t trace_zone, iree_vm_wait_frame_t **out_wait_frame);
IREE_API_EXPORT iree_status_t iree_vm_stack_wait_leave(iree_vm_stack_t *stack,
                                                       iree_vm_wait_result_t *out_wait_result);
// The wait at the top, or NULL.
//   owns:   borrowed until it is left
//   errors: none
IREE_API_EXPORT iree_vm_wait_frame_t *iree_vm_stack_wait_frame(iree_vm_stack_t *stack);

// Pushes and pops frames.
//   errors: RESOURCE_EXHAUSTED  the stack is full, or no memory
IREE_API_EXPORT iree_status_t iree_vm_stack_function_enter(
    iree_vm_stack_t *stack, const iree_vm_function_t *function,
    iree_vm_stack_frame_type_t frame_type, iree_host_size_t frame_size,
    iree_vm_stack_frame_cleanup_fn_t frame_cleanup_fn, iree_vm_stack_frame_t **out_callee_frame);
IREE_API_EXPORT iree_status_t iree_vm_stack_function_leave(iree_vm_stack_t *stack);

// Appends one line per bytecode frame: "[ n] bytecode module.function:pc source".
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_vm_stack_format_backtrace(iree_vm_stack_t *stack,
                                                             iree_string_builder_t *builder);
// Adds the backtrace to a failing status.
//   owns:   takes and transfers |base_status|
//   errors: none of its own
IREE_API_EXPORT IREE_MUST_USE_RESULT iree_status_t
iree_vm_stack_annotate_backtrace(iree_vm_stack_t *stack, iree_status_t base_status);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_STACK_H_
