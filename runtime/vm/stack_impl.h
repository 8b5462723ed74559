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

// Gives a stack (of the heap) another invocation's settings.
void iree_vm_stack_configure(iree_vm_stack_t *stack, iree_vm_invocation_flags_t flags,
                             iree_vm_state_resolver_t state_resolver);

#endif  // RUNTIME_VM_STACK_IMPL_H_
