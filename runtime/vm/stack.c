// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of frames in blocks that never move. Leaving a frame gives its room back; the blocks stay
// for the next call, so that only a deeper call than ever before allocates.
#include "iree/vm/stack.h"

#include "runtime/vm/stack_impl.h"

static void stack_prepare(iree_byte_span_t storage, iree_vm_invocation_flags_t flags,
                          iree_vm_state_resolver_t state_resolver, iree_allocator_t allocator,
                          iree_vm_stack_t *stack) {
  iree_host_size_t head = iree_host_align(sizeof(*stack), 16);
  memset(stack, 0, sizeof(*stack));
  stack->allocator = allocator;
  stack->inline_block.data = storage.data + head;
  stack->inline_block.capacity = storage.data_length - head;
  stack->first_block = stack->block = &stack->inline_block;
  stack->total_capacity = storage.data_length;
  iree_vm_stack_configure(stack, flags, state_resolver);
}

void iree_vm_stack_configure(iree_vm_stack_t *stack, iree_vm_invocation_flags_t flags,
                             iree_vm_state_resolver_t state_resolver) {
  stack->flags = flags;
  stack->state_resolver = state_resolver;
  stack->known_module = NULL;
  stack->trace = NULL;
#if VM_STEP_BUDGET
  stack->steps_left = VM_STEP_BUDGET;
#endif
}

iree_status_t iree_vm_stack_initialize(iree_byte_span_t storage, iree_vm_invocation_flags_t flags,
                                       iree_vm_state_resolver_t state_resolver,
                                       iree_allocator_t allocator, iree_vm_stack_t **out_stack) {
  *out_stack = NULL;
  if (storage.data_length < IREE_VM_STACK_MIN_SIZE ||
      !iree_host_ptr_has_alignment(storage.data, 16)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "stack storage must be 16-aligned and have at least %d bytes",
                            IREE_VM_STACK_MIN_SIZE);
  }
  *out_stack = (iree_vm_stack_t *)(void *)storage.data;
  stack_prepare(storage, flags, state_resolver, allocator, *out_stack);
  return iree_ok_status();
}

iree_status_t iree_vm_stack_allocate(iree_vm_invocation_flags_t flags,
                                     iree_vm_state_resolver_t state_resolver,
                                     iree_allocator_t allocator, iree_vm_stack_t **out_stack) {
  *out_stack = NULL;
  void *storage = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_aligned(allocator, IREE_VM_STACK_DEFAULT_SIZE, 16, 0, &storage));
  stack_prepare(iree_make_byte_span(storage, IREE_VM_STACK_DEFAULT_SIZE), flags, state_resolver,
                allocator, storage);
  *out_stack = storage;
  (*out_stack)->is_on_heap = true;
  return iree_ok_status();
}

void iree_vm_stack_reset(iree_vm_stack_t *stack) {
  while (stack->top) iree_status_ignore(iree_vm_stack_function_leave(stack));
  stack->resume_frame = NULL;
}

void iree_vm_stack_deinitialize(iree_vm_stack_t *stack) {
  iree_vm_stack_reset(stack);
  for (stack_block_t *block = stack->first_block->next; block;) {
    stack_block_t *next = block->next;
    iree_allocator_free_aligned(stack->allocator, block);
    block = next;
  }
  stack->first_block->next = NULL;
}

void iree_vm_stack_free(iree_vm_stack_t *stack) {
  if (!stack) return;
  iree_allocator_t allocator = stack->allocator;
  bool is_on_heap = stack->is_on_heap;
  iree_vm_stack_deinitialize(stack);
  if (is_on_heap) iree_allocator_free_aligned(allocator, stack);
}

iree_allocator_t iree_vm_stack_allocator(const iree_vm_stack_t *stack) { return stack->allocator; }
iree_vm_invocation_flags_t iree_vm_stack_invocation_flags(const iree_vm_stack_t *stack) {
  return stack->flags;
}

void *iree_vm_stack_frame_storage(iree_vm_stack_frame_t *frame) {
  return stack_frame_storage(frame);
}

static stack_header_t *skip_waits(stack_header_t *header) {
  while (header && header->frame.type == IREE_VM_STACK_FRAME_WAIT) header = header->parent;
  return header;
}

iree_vm_stack_frame_t *iree_vm_stack_top(iree_vm_stack_t *stack) {
  stack_header_t *header = skip_waits(stack->top);
  return header ? &header->frame : NULL;
}
iree_vm_stack_frame_t *iree_vm_stack_current_frame(iree_vm_stack_t *stack) {
  return iree_vm_stack_top(stack);
}
iree_vm_stack_frame_t *iree_vm_stack_parent_frame(iree_vm_stack_t *stack) {
  stack_header_t *header = skip_waits(stack->top);
  return header && header->parent ? &header->parent->frame : NULL;
}

iree_status_t iree_vm_stack_query_module_state(iree_vm_stack_t *stack, iree_vm_module_t *module,
                                               iree_vm_module_state_t **out_module_state) {
  if (stack->known_module != module) {
    stack->known_module = NULL;
    IREE_RETURN_IF_ERROR(stack->state_resolver.query_module_state(stack->state_resolver.self,
                                                                  module, &stack->known_state));
    *out_module_state = stack->known_state;
    if (IREE_LIKELY(!stack->trace)) stack->known_module = module;
    return iree_ok_status();
  }
  *out_module_state = stack->known_state;
  return iree_ok_status();
}

// Makes the block after the current one have room for |size| bytes.
static iree_status_t stack_grow(iree_vm_stack_t *stack, iree_host_size_t size) {
  stack_block_t *next = stack->block->next;
  if (next && next->capacity < size) {  // too small for this frame: replace it
    stack->block->next = next->next;
    stack->total_capacity -= next->capacity;
    iree_allocator_free_aligned(stack->allocator, next);
    next = NULL;
  }
  if (!next) {
    iree_host_size_t capacity = iree_max(size, 2 * stack->block->capacity);
    if (stack->total_capacity + capacity > IREE_VM_STACK_MAX_SIZE) capacity = size;
    if (capacity > IREE_VM_STACK_MAX_SIZE ||
        stack->total_capacity + capacity > IREE_VM_STACK_MAX_SIZE) {
      return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                              "stack overflow: calls nest deeper than %d KiB of frames",
                              IREE_VM_STACK_MAX_SIZE / 1024);
    }
    iree_host_size_t head = iree_host_align(sizeof(stack_block_t), 16);
    IREE_RETURN_IF_ERROR(
        iree_allocator_malloc_aligned(stack->allocator, head + capacity, 16, 0, (void **)&next));
    next->data = (uint8_t *)next + head;
    next->capacity = capacity;
    next->next = stack->block->next;
    stack->block->next = next;
    stack->total_capacity += capacity;
  }
  next->used = 0;
  stack->block = next;
  return iree_ok_status();
}

// Makes leaving a traced native frame go the long way.
static void no_cleanup(iree_vm_stack_frame_t *frame) { (void)frame; }

iree_status_t iree_vm_stack_function_enter(iree_vm_stack_t *stack,
                                           const iree_vm_function_t *function,
                                           iree_vm_stack_frame_type_t frame_type,
                                           iree_host_size_t frame_size,
                                           iree_vm_stack_frame_cleanup_fn_t frame_cleanup_fn,
                                           iree_vm_stack_frame_t **out_callee_frame) {
  *out_callee_frame = NULL;
  stack_header_t *caller = stack->top;
  if (IREE_UNLIKELY(frame_size > IREE_VM_STACK_MAX_SIZE)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "a frame of %" PRIhsz " bytes exceeds the stack", frame_size);
  }
  // Calls within a module share its state; others look it up.
  iree_vm_module_state_t *module_state = NULL;
  if (caller && function && caller->frame.function.module == function->module) {
    module_state = caller->frame.module_state;
  } else if (function && function->module) {
    IREE_RETURN_IF_ERROR(iree_vm_stack_query_module_state(stack, function->module, &module_state));
  }
  iree_host_size_t size = STACK_HEADER_SIZE + iree_host_align(frame_size, 16);
  if (IREE_UNLIKELY(stack->trace != NULL)) {
    size += sizeof(stack_trace_t);
    if (!frame_cleanup_fn) frame_cleanup_fn = no_cleanup;
  }
  if (IREE_UNLIKELY(stack->block->capacity - stack->block->used < size)) {
    IREE_RETURN_IF_ERROR(stack_grow(stack, size));
  }
  stack_header_t *header = (stack_header_t *)(void *)(stack->block->data + stack->block->used);
  header->parent = caller;
  header->child = NULL;
  header->block = stack->block;
  header->block_begin = stack->block->used;
  header->cleanup = frame_cleanup_fn;
  header->is_entry = false;
  header->frame.type = frame_type;
  header->frame.depth = caller                                       ? caller->frame.depth + 1
                        : frame_type == IREE_VM_STACK_FRAME_EXTERNAL ? -1
                                                                     : 0;
  static const iree_vm_function_t no_function = {NULL, 0, 0};
  header->frame.function = function ? *function : no_function;
  header->frame.module_state = module_state;
  header->frame.pc = 0;
  // Bytecode frames clear what they need of their storage themselves.
  if (frame_size && frame_type != IREE_VM_STACK_FRAME_BYTECODE) {
    memset((uint8_t *)header + STACK_HEADER_SIZE, 0, size - STACK_HEADER_SIZE);
  }
  stack->block->used += size;
  if (IREE_UNLIKELY(stack->trace != NULL)) stack_trace_of(header)->begin_ns = iree_time_now();
  if (caller) {
    caller->child = header;
  } else {
    stack->bottom = header;
  }
  stack->top = header;
  *out_callee_frame = &header->frame;
  return iree_ok_status();
}

iree_status_t iree_vm_stack_function_leave(iree_vm_stack_t *stack) {
  stack_header_t *header = stack->top;
  if (IREE_UNLIKELY(!header)) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "leaving an empty stack");
  }
  if (IREE_UNLIKELY(stack->trace != NULL)) stack_trace_leave(stack);
  if (header->cleanup) header->cleanup(&header->frame);
  stack->top = header->parent;
  if (header->parent) {
    header->parent->child = NULL;
  } else {
    stack->bottom = NULL;
  }
  header->block->used = header->block_begin;
  if (header->block_begin == 0 && header->parent) {
    stack->block = header->parent->block;
  } else if (!header->parent) {
    stack->block = stack->first_block;
  }
  return iree_ok_status();
}

static void wait_frame_cleanup(iree_vm_stack_frame_t *frame) {
  iree_vm_wait_frame_t *wait = (iree_vm_wait_frame_t *)(void *)stack_frame_storage(frame);
  iree_status_ignore(wait->wait_status);
  wait->wait_status = iree_ok_status();
}

iree_status_t iree_vm_stack_wait_enter(iree_vm_stack_t *stack, iree_vm_wait_type_t wait_type,
                                       iree_host_size_t wait_count, iree_timeout_t timeout,
                                       iree_zone_id_t trace_zone,
                                       iree_vm_wait_frame_t **out_wait_frame) {
  (void)trace_zone;
  *out_wait_frame = NULL;
  iree_host_size_t size = 0;
  if (!iree_host_size_checked_mul_add(sizeof(iree_vm_wait_frame_t), wait_count,
                                      sizeof(iree_wait_source_t), &size)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "too many wait sources");
  }
  iree_vm_stack_frame_t *frame = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_stack_function_enter(stack, NULL, IREE_VM_STACK_FRAME_WAIT, size,
                                                    wait_frame_cleanup, &frame));
  iree_vm_wait_frame_t *wait = (iree_vm_wait_frame_t *)(void *)stack_frame_storage(frame);
  wait->wait_type = wait_type;
  wait->deadline_ns = iree_timeout_as_deadline_ns(timeout);
  wait->count = wait_count;
  *out_wait_frame = wait;
  return iree_ok_status();
}

iree_vm_wait_frame_t *iree_vm_stack_wait_frame(iree_vm_stack_t *stack) {
  if (!stack->top || stack->top->frame.type != IREE_VM_STACK_FRAME_WAIT) return NULL;
  return (iree_vm_wait_frame_t *)(void *)stack_frame_storage(&stack->top->frame);
}

iree_status_t iree_vm_stack_wait_leave(iree_vm_stack_t *stack,
                                       iree_vm_wait_result_t *out_wait_result) {
  out_wait_result->status = iree_ok_status();
  iree_vm_wait_frame_t *wait = iree_vm_stack_wait_frame(stack);
  if (!wait) return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "no wait to leave");
  out_wait_result->status = wait->wait_status;
  wait->wait_status = iree_ok_status();
  return iree_vm_stack_function_leave(stack);
}

// |is_return_address|: pc is where the function goes on, and the call before it is meant.
static iree_status_t format_frame(stack_header_t *header, bool is_return_address,
                                  iree_string_builder_t *builder) {
  iree_vm_stack_frame_t *frame = &header->frame;
  IREE_RETURN_IF_ERROR(
      iree_string_builder_append_format(builder, "\n[%2" PRId32 "] bytecode ", frame->depth));
  iree_string_view_t module_name = iree_vm_module_name(frame->function.module);
  iree_string_view_t name = iree_vm_function_name(&frame->function);
  if (name.size) {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        builder, "%.*s.%.*s", IREE_SV_ARGS(module_name), IREE_SV_ARGS(name)));
  } else {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        builder, "%.*s@%u", IREE_SV_ARGS(module_name), frame->function.ordinal));
  }
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, ":%" PRId64 " ", frame->pc));
  iree_vm_source_location_t location;
  iree_status_t status = iree_vm_module_resolve_source_location(
      frame->function.module, frame->function, frame->pc - is_return_address, &location);
  if (iree_status_is_ok(status)) {
    status = iree_vm_source_location_format(
        &location, IREE_VM_SOURCE_LOCATION_FORMAT_FLAG_SINGLE_LINE, builder);
  }
  if (!iree_status_is_unavailable(status)) return status;
  iree_status_ignore(status);
  return iree_string_builder_append_cstring(builder, "-");
}

iree_status_t iree_vm_stack_format_backtrace(iree_vm_stack_t *stack,
                                             iree_string_builder_t *builder) {
  stack_header_t *callee = NULL;
  for (stack_header_t *header = stack->top; header; callee = header, header = header->parent) {
    // Native functions have named themselves in a note.
    if (header->frame.type != IREE_VM_STACK_FRAME_BYTECODE) continue;
    // Calls inside of a module, as opposed to imports, leave the caller where it goes on.
    const bool is_return_address =
        callee && callee->frame.type == IREE_VM_STACK_FRAME_BYTECODE && !callee->is_entry;
    IREE_RETURN_IF_ERROR(format_frame(header, is_return_address, builder));
  }
  return iree_ok_status();
}

iree_status_t iree_vm_stack_annotate_backtrace(iree_vm_stack_t *stack, iree_status_t base_status) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(stack->allocator, &builder);
  iree_status_t status = iree_vm_stack_format_backtrace(stack, &builder);
  if (iree_status_is_ok(status)) {
    base_status = iree_status_annotate(base_status, iree_string_builder_view(&builder));
  }
  iree_status_ignore(status);
  iree_string_builder_deinitialize(&builder);
  return base_status;
}
