// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inside of stacks, for the parts that push frames and resume calls.
//
//   block: [ header | frame storage | header | frame storage | ... free ... ]
//
// A frame's header precedes its public part. Frames are linked both ways: `parent` towards the
// caller, `child` towards the callee, the latter so that a resumed call can be walked from outside
// in.
#ifndef RUNTIME_VM_STACK_IMPL_H_
#define RUNTIME_VM_STACK_IMPL_H_

#include "iree/vm/stack.h"

// Builds that run hostile modules set how many branches and calls one invocation may take, so that
// each ends; in all others nothing is counted.
#ifndef VM_STEP_BUDGET
#define VM_STEP_BUDGET 0
#endif

typedef struct stack_block_t {
  struct stack_block_t *next;
  iree_host_size_t capacity;
  iree_host_size_t used;
  uint8_t *data;
} stack_block_t;

typedef struct stack_header_t {
  struct stack_header_t *parent;
  struct stack_header_t *child;
  stack_block_t *block;          // that holds this frame
  iree_host_size_t block_begin;  // where in it
  iree_vm_stack_frame_cleanup_fn_t cleanup;
  // First frame of an activation: entered by begin_call rather than by a call within the module.
  bool is_entry;
  iree_alignas(16) iree_vm_stack_frame_t frame;
} stack_header_t;

struct iree_vm_stack_t {
  stack_header_t *bottom;
  stack_header_t *top;
  stack_block_t *block;  // in use; the ones after it are empty
  stack_block_t *first_block;
  iree_host_size_t total_capacity;
  iree_vm_invocation_flags_t flags;
  iree_vm_state_resolver_t state_resolver;
  iree_allocator_t allocator;
  // The module whose state was looked up last, which is mostly the one asked for next.
  iree_vm_module_t *known_module;
  iree_vm_module_state_t *known_state;
  // Entry frame of the activation that resume_call is to go on with.
  stack_header_t *resume_frame;
  bool is_on_heap;
  const iree_trace_sink_t *trace;  // told of each frame that is left; or NULL
#if VM_STEP_BUDGET
  uint32_t steps_left;
#endif
  stack_block_t inline_block;
};

static inline stack_header_t *stack_header(iree_vm_stack_frame_t *frame) {
  return (stack_header_t *)((uint8_t *)frame - offsetof(stack_header_t, frame));
}
#define STACK_HEADER_SIZE (sizeof(stack_header_t))
_Static_assert(sizeof(stack_header_t) % 16 == 0, "frame storage must be 16-aligned");

static inline uint8_t *stack_frame_storage(iree_vm_stack_frame_t *frame) {
  return (uint8_t *)stack_header(frame) + STACK_HEADER_SIZE;
}

// While a stack is traced, each frame has this behind its storage, and the short ways below are
// never taken: no module is known, and native frames have a cleanup.
typedef struct stack_trace_t {
  iree_time_t begin_ns;
  uint64_t padding;
} stack_trace_t;

// Of the innermost frame of its block.
static inline stack_trace_t *stack_trace_of(stack_header_t *header) {
  return (stack_trace_t *)(void *)(header->block->data + header->block->used) - 1;
}

// Tells the sink of the innermost frame, which is about to be left.
void stack_trace_leave(iree_vm_stack_t *stack);

// Enters a frame without storage and cleanup for a call of another module's function. The short way
// is for calls from a frame in the same block whose callee's state was the last one asked for.
static inline iree_status_t stack_enter_leaf(iree_vm_stack_t *stack,
                                             const iree_vm_function_t *function,
                                             iree_vm_stack_frame_t **out_frame) {
  stack_header_t *caller = stack->top;
  stack_block_t *block = stack->block;
  if (IREE_UNLIKELY(!caller || caller->block != block || stack->known_module != function->module ||
                    block->capacity - block->used < STACK_HEADER_SIZE)) {
    return iree_vm_stack_function_enter(stack, function, IREE_VM_STACK_FRAME_NATIVE, 0, NULL,
                                        out_frame);
  }
  stack_header_t *header = (stack_header_t *)(void *)(block->data + block->used);
  header->parent = caller;
  header->child = NULL;
  header->block = block;
  header->block_begin = block->used;
  header->cleanup = NULL;
  header->is_entry = false;
  header->frame.type = IREE_VM_STACK_FRAME_NATIVE;
  header->frame.depth = caller->frame.depth + 1;
  header->frame.function = *function;
  header->frame.module_state = stack->known_state;
  header->frame.pc = 0;
  block->used += STACK_HEADER_SIZE;
  caller->child = header;
  stack->top = header;
  *out_frame = &header->frame;
  return iree_ok_status();
}

static inline iree_status_t stack_leave_leaf(iree_vm_stack_t *stack) {
  stack_header_t *header = stack->top, *caller = header ? header->parent : NULL;
  if (IREE_UNLIKELY(!caller || header->cleanup || caller->block != header->block)) {
    return iree_vm_stack_function_leave(stack);
  }
  header->block->used = header->block_begin;
  caller->child = NULL;
  stack->top = caller;
  return iree_ok_status();
}

// Gives a stack (of the heap) another invocation's settings.
void iree_vm_stack_configure(iree_vm_stack_t *stack, iree_vm_invocation_flags_t flags,
                             iree_vm_state_resolver_t state_resolver);

#endif  // RUNTIME_VM_STACK_IMPL_H_
