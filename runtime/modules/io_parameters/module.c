// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The io_parameters module: batches are decoded from the program's buffers and given to the provider
// of their scope.
#include "iree/modules/io/parameters/module.h"

#include <string.h>

#include "iree/modules/hal/types.h"
#include "iree/vm/shims.h"

typedef struct parameters_module_t {
  iree_allocator_t host_allocator;
  iree_host_size_t provider_count;
  iree_io_parameter_provider_t *providers[];
} parameters_module_t;

// Contexts keep nothing but where to allocate.
typedef struct parameters_state_t {
  iree_allocator_t host_allocator;
} parameters_state_t;

//===-- batches -------------------------------------------------------------------------------===//

enum { KEY_BYTES = 2 * sizeof(uint32_t), SPAN_BYTES = 3 * sizeof(uint64_t) };

typedef struct batch_t {
  iree_io_parameter_provider_t *provider;
  iree_string_view_t scope;
  iree_hal_device_t *device;
  iree_hal_queue_affinity_t queue_affinity;
  iree_hal_semaphore_list_t wait_list;
  iree_hal_semaphore_list_t signal_list;
  iree_host_size_t count;
  const uint8_t *keys;   // KEY_BYTES each
  const uint8_t *spans;  // SPAN_BYTES each
  iree_const_byte_span_t key_data;
} batch_t;

// Null is none, anything but the type an error.
#define ARG(T, name, ref) \
  T##_t *name = NULL;     \
  IREE_RETURN_IF_ERROR(T##_check_deref(ref, &name))
#define ARG_OR_NULL(T, name, ref) \
  T##_t *name = NULL;             \
  IREE_RETURN_IF_ERROR(T##_check_deref_or_null(ref, &name))

static iree_status_t find_provider(const parameters_module_t *module, iree_string_view_t scope,
                                   iree_io_parameter_provider_t **out_provider) {
  for (iree_host_size_t i = 0; i < module->provider_count; ++i) {
    *out_provider = module->providers[i];
    if (iree_io_parameter_provider_query_support(*out_provider, scope)) return iree_ok_status();
  }
  if (iree_string_view_is_empty(scope)) {
    return iree_make_status(IREE_STATUS_NOT_FOUND,
                            "the program has parameters without a scope, but no file for them was "
                            "given; pass --parameters=FILE (of %" PRIhsz " scopes given none is "
                            "the global one)",
                            module->provider_count);
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND,
                          "the program has parameters of the scope '%.*s', which is none of the "
                          "%" PRIhsz " given; pass --parameters=%.*s=FILE",
                          IREE_SV_ARGS(scope), module->provider_count, IREE_SV_ARGS(scope));
}

static iree_status_t batch_tables(iree_vm_ref_t key_table_ref, iree_vm_ref_t key_data_ref,
                                  iree_vm_ref_t spans_ref, batch_t *batch) {
  ARG(iree_vm_buffer, key_table, key_table_ref);
  ARG(iree_vm_buffer, key_data, key_data_ref);
  ARG(iree_vm_buffer, spans, spans_ref);
  const iree_const_byte_span_t keys = iree_vm_buffer_const_contents(key_table);
  const iree_const_byte_span_t rows = iree_vm_buffer_const_contents(spans);
  batch->count = keys.data_length / KEY_BYTES;
  if (keys.data_length % KEY_BYTES || rows.data_length % SPAN_BYTES ||
      rows.data_length / SPAN_BYTES != batch->count) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "tables of %" PRIhsz " bytes of keys and %" PRIhsz
                            " bytes of spans do not have equally many rows of %d and %d bytes",
                            keys.data_length, rows.data_length, KEY_BYTES, SPAN_BYTES);
  }
  batch->keys = keys.data;
  batch->spans = rows.data;
  batch->key_data = iree_vm_buffer_const_contents(key_data);
  return iree_ok_status();
}

static iree_status_t batch_initialize(const parameters_module_t *module, iree_vm_ref_t device_ref,
                                      int64_t affinity, iree_vm_ref_t wait_ref,
                                      iree_vm_ref_t signal_ref, iree_vm_ref_t scope_ref,
                                      batch_t *out_batch) {
  memset(out_batch, 0, sizeof(*out_batch));
  ARG(iree_hal_device, device, device_ref);
  ARG_OR_NULL(iree_hal_fence, wait_fence, wait_ref);
  ARG_OR_NULL(iree_hal_fence, signal_fence, signal_ref);
  ARG_OR_NULL(iree_vm_buffer, scope, scope_ref);
  out_batch->device = device;
  out_batch->queue_affinity = (iree_hal_queue_affinity_t)affinity;
  out_batch->wait_list = iree_hal_fence_semaphore_list(wait_fence);
  out_batch->signal_list = iree_hal_fence_semaphore_list(signal_fence);
  if (scope) out_batch->scope = iree_vm_buffer_as_string(scope);
  return find_provider(module, out_batch->scope, &out_batch->provider);
}

static iree_status_t enumerate(void *user_data, iree_host_size_t i, iree_string_view_t *out_key,
                               iree_io_parameter_span_t *out_span) {
  const batch_t *batch = (const batch_t *)user_data;
  const uint8_t *key = batch->keys + i * KEY_BYTES;
  const uint8_t *span = batch->spans + i * SPAN_BYTES;
  const uint32_t offset = iree_unaligned_load_le_u32(key);
  const uint32_t length = iree_unaligned_load_le_u32(key + 4);
  if (!iree_range_is_within(offset, length, batch->key_data.data_length)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "key %" PRIhsz " of %u bytes at %u leaves its buffer of %" PRIhsz
                            " bytes",
                            i, length, offset, batch->key_data.data_length);
  }
  *out_key = iree_make_string_view((const char *)batch->key_data.data + offset, length);
  out_span->parameter_offset = iree_unaligned_load_le_u64(span);
  out_span->buffer_offset = iree_unaligned_load_le_u64(span + 8);
  out_span->length = iree_unaligned_load_le_u64(span + 16);
  return iree_ok_status();
}

static iree_status_t emit(void *user_data, iree_host_size_t i, iree_hal_buffer_t *buffer) {
  iree_vm_ref_t ref = iree_hal_buffer_retain_ref(buffer);
  iree_status_t status = iree_vm_list_set_ref_move((iree_vm_list_t *)user_data, i, &ref);
  if (!iree_status_is_ok(status)) iree_vm_ref_release(&ref);
  return status;
}

//===-- functions -----------------------------------------------------------------------------===//

#define PARAMETERS_EXPORT(name, arg_types, ret_types)                           \
  static iree_status_t parameters_##name(                                       \
      iree_vm_stack_t *stack, parameters_module_t *module, parameters_state_t *state, \
      const IREE_VM_ABI_TYPE_NAME(arg_types) * args, IREE_VM_ABI_TYPE_NAME(ret_types) * rets)

PARAMETERS_EXPORT(gather, rIrrrrrrr, v) {
  (void)stack, (void)state, (void)rets;
  batch_t batch;
  ARG(iree_hal_buffer, target, args->r5);
  IREE_RETURN_IF_ERROR(batch_initialize(module, args->r0, args->i1, args->r2, args->r3, args->r4,
                                        &batch));
  IREE_RETURN_IF_ERROR(batch_tables(args->r6, args->r7, args->r8, &batch));
  const iree_io_parameter_enumerator_t enumerator = {enumerate, &batch};
  return iree_io_parameter_provider_gather(batch.provider, batch.device, batch.queue_affinity,
                                           batch.wait_list, batch.signal_list, batch.scope, target,
                                           batch.count, enumerator);
}

PARAMETERS_EXPORT(scatter, rIrrrrrrr, v) {
  (void)stack, (void)state, (void)rets;
  batch_t batch;
  ARG(iree_hal_buffer, source, args->r4);
  IREE_RETURN_IF_ERROR(batch_initialize(module, args->r0, args->i1, args->r2, args->r3, args->r5,
                                        &batch));
  IREE_RETURN_IF_ERROR(batch_tables(args->r6, args->r7, args->r8, &batch));
  const iree_io_parameter_enumerator_t enumerator = {enumerate, &batch};
  return iree_io_parameter_provider_scatter(batch.provider, batch.device, batch.queue_affinity,
                                            batch.wait_list, batch.signal_list, source, batch.scope,
                                            batch.count, enumerator);
}

PARAMETERS_EXPORT(load, rIrrrIiirrr, r) {
  (void)stack;
  batch_t batch;
  IREE_RETURN_IF_ERROR(batch_initialize(module, args->r0, args->i1, args->r2, args->r3, args->r4,
                                        &batch));
  IREE_RETURN_IF_ERROR(batch_tables(args->r8, args->r9, args->r10, &batch));
  const iree_hal_buffer_params_t params = {
      .type = (iree_hal_memory_type_t)args->i6,
      .usage = (iree_hal_buffer_usage_t)args->i7,
      .queue_affinity = (iree_hal_queue_affinity_t)args->i5,
  };
  iree_vm_list_t *buffers = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_list_create(iree_vm_make_ref_type_def(iree_hal_buffer_type()),
                                           batch.count, state->host_allocator, &buffers));
  iree_status_t status = iree_vm_list_resize(buffers, batch.count);
  if (iree_status_is_ok(status)) {
    const iree_io_parameter_enumerator_t enumerator = {enumerate, &batch};
    const iree_io_parameter_emitter_t emitter = {emit, buffers};
    status = iree_io_parameter_provider_load(batch.provider, batch.device, batch.queue_affinity,
                                             batch.wait_list, batch.signal_list, batch.scope,
                                             params, batch.count, enumerator, emitter);
  }
  if (!iree_status_is_ok(status)) {
    iree_vm_list_release(buffers);
    return status;
  }
  rets->r0 = iree_vm_list_move_ref(buffers);
  return iree_ok_status();
}

//===-- the module ----------------------------------------------------------------------------===//

static const iree_vm_native_export_descriptor_t exports[] = {
#define IO_PARAMETERS_IMPORT(name, cconv, arguments, results, doc) \
  {.local_name = {name, sizeof(name) - 1}, .calling_convention = {cconv, sizeof(cconv) - 1}},
#include "abi/io_parameters_imports.def"
#undef IO_PARAMETERS_IMPORT
};

// Row by row as above.
static const iree_vm_native_function_ptr_t functions[] = {
#define FUNCTION(name, arg_types, ret_types)                                              \
  {.shim = (iree_vm_native_function_shim_t)(void *)iree_vm_shim_##arg_types##_##ret_types, \
   .target = (iree_vm_native_function_target_t)(void *)parameters_##name}
    FUNCTION(gather, rIrrrrrrr, v),
    FUNCTION(load, rIrrrIiirrr, r),
    FUNCTION(scatter, rIrrrrrrr, v),
#undef FUNCTION
};
static_assert(IREE_ARRAYSIZE(exports) == IREE_ARRAYSIZE(functions), "the tables go row by row");

static const iree_vm_native_module_descriptor_t descriptor = {
    .name = {"io_parameters", 13},
    .version = 0,
    .export_count = IREE_ARRAYSIZE(exports),
    .exports = exports,
    .function_count = IREE_ARRAYSIZE(functions),
    .functions = functions,
};

static void parameters_module_destroy(void *self) {
  parameters_module_t *module = (parameters_module_t *)self;
  for (iree_host_size_t i = 0; i < module->provider_count; ++i) {
    iree_io_parameter_provider_release(module->providers[i]);
  }
}

static iree_status_t parameters_module_alloc_state(void *self, iree_allocator_t host_allocator,
                                                   iree_vm_module_state_t **out_module_state) {
  (void)self;
  *out_module_state = NULL;
  parameters_state_t *state = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*state), (void **)&state));
  state->host_allocator = host_allocator;
  *out_module_state = (iree_vm_module_state_t *)state;
  return iree_ok_status();
}

static void parameters_module_free_state(void *self, iree_vm_module_state_t *module_state) {
  (void)self;
  iree_allocator_free(((parameters_state_t *)module_state)->host_allocator, module_state);
}

static iree_status_t parameters_module_fork_state(void *self, iree_vm_module_state_t *parent_state,
                                                  iree_allocator_t host_allocator,
                                                  iree_vm_module_state_t **out_child_state) {
  (void)parent_state;
  return parameters_module_alloc_state(self, host_allocator, out_child_state);
}

static iree_status_t parameters_module_notify(void *self, iree_vm_module_state_t *module_state,
                                              iree_vm_signal_t signal) {
  (void)module_state;
  static const iree_io_parameter_provider_signal_t signals[] = {
      [IREE_VM_SIGNAL_RESUME] = IREE_IO_PARAMETER_PROVIDER_SIGNAL_RESUME,
      [IREE_VM_SIGNAL_SUSPEND] = IREE_IO_PARAMETER_PROVIDER_SIGNAL_SUSPEND,
      [IREE_VM_SIGNAL_LOW_MEMORY] = IREE_IO_PARAMETER_PROVIDER_SIGNAL_LOW_MEMORY,
  };
  const parameters_module_t *module = (const parameters_module_t *)self;
  if ((size_t)signal >= IREE_ARRAYSIZE(signals)) return iree_ok_status();
  for (iree_host_size_t i = 0; i < module->provider_count; ++i) {
    IREE_RETURN_IF_ERROR(
        iree_io_parameter_provider_notify(module->providers[i], signals[signal]));
  }
  return iree_ok_status();
}

iree_status_t iree_io_parameters_module_create(iree_vm_instance_t *instance,
                                               iree_host_size_t provider_count,
                                               iree_io_parameter_provider_t *const *providers,
                                               iree_allocator_t host_allocator,
                                               iree_vm_module_t **out_module) {
  *out_module = NULL;
  const iree_host_size_t header_bytes = iree_host_align(iree_vm_native_module_size(), 16);
  uint8_t *block = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_struct_array(
      host_allocator, header_bytes + sizeof(parameters_module_t), provider_count,
      sizeof(providers[0]), (void **)&block));
  parameters_module_t *module = (parameters_module_t *)(void *)(block + header_bytes);
  iree_vm_module_t interface;
  iree_status_t status = iree_vm_module_initialize(&interface, module);
  interface.destroy = parameters_module_destroy;
  interface.alloc_state = parameters_module_alloc_state;
  interface.free_state = parameters_module_free_state;
  interface.fork_state = parameters_module_fork_state;
  interface.notify = parameters_module_notify;
  if (iree_status_is_ok(status)) {
    status = iree_vm_native_module_initialize(&interface, &descriptor, instance, host_allocator,
                                              (iree_vm_module_t *)(void *)block);
  }
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(host_allocator, block);
    return status;
  }
  module->host_allocator = host_allocator;
  for (iree_host_size_t i = 0; i < provider_count; ++i) {
    module->providers[module->provider_count++] = providers[i];
    iree_io_parameter_provider_retain(providers[i]);
  }
  *out_module = (iree_vm_module_t *)(void *)block;
  return iree_ok_status();
}
