// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a module, calls a function and unloads, with the n-th allocation failing, for every n:
//
//   fail_allocations DEVICE FILE[,FILE...] FUNCTION INPUT...
//
// INPUT: 16 or 1x784: ones in f32 of that shape; i32=3: a scalar; --parameters=[scope=]file: none, but
// a file of parameters. Each run has to fail as RESOURCE_EXHAUSTED or as the run without
// failures does, if that fails, or to do without what it could not get, and leave no block behind. Functions that are called
// asynchronously are waited for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iree/io/formats/parser_registry.h"
#include "iree/io/parameter_index_provider.h"
#include "iree/modules/io/parameters/module.h"
#include "iree/runtime/api.h"

typedef struct counter_t {
  long allocations, live, fail_at;
} counter_t;

// Blocks that are left. A worker lets go of what it ran some time after the signal that was waited for.
static long left(const counter_t *counter) {
  for (int i = 0; i < 2000 && __atomic_load_n(&counter->live, __ATOMIC_ACQUIRE); ++i) iree_wait_until(iree_time_now() + 1000000);
  return __atomic_load_n(&counter->live, __ATOMIC_ACQUIRE);
}

static iree_status_t counter_ctl(void *self, iree_allocator_command_t command, const void *params, void **inout_ptr) {
  counter_t *counter = self;
  iree_allocator_t system = iree_allocator_system();
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    if (*inout_ptr) __atomic_sub_fetch(&counter->live, 1, __ATOMIC_RELEASE);
    return system.ctl(system.self, command, params, inout_ptr);
  }
  if (__atomic_add_fetch(&counter->allocations, 1, __ATOMIC_ACQ_REL) == counter->fail_at)
    return iree_status_from_code(IREE_STATUS_RESOURCE_EXHAUSTED);
  int is_new = command != IREE_ALLOCATOR_COMMAND_REALLOC || !*inout_ptr;
  iree_status_t status = system.ctl(system.self, command, params, inout_ptr);
  if (iree_status_is_ok(status) && is_new) __atomic_add_fetch(&counter->live, 1, __ATOMIC_RELAXED);
  return status;
}

static int is_parameters(const char *arg) { return !strncmp(arg, "--parameters=", 13); }

static iree_status_t index_file(iree_string_view_t path, iree_allocator_t allocator, iree_io_parameter_index_t *index) {
  iree_io_file_handle_t *file = NULL;
  IREE_RETURN_IF_ERROR(iree_io_file_handle_open(IREE_IO_FILE_MODE_READ, path, allocator, &file));
  iree_status_t status = iree_io_parse_file_index(path, file, index, allocator);
  iree_io_file_handle_release(file);
  return status;
}

// One module with a provider for each such argument.
static iree_status_t append_parameters(iree_runtime_session_t *session, char **args, iree_allocator_t allocator) {
  iree_io_parameter_provider_t *providers[8] = {NULL};
  iree_vm_module_t *module = NULL;
  iree_host_size_t count = 0;
  iree_status_t status = iree_ok_status();
  for (char **arg = args; *arg && count < 8 && iree_status_is_ok(status); ++arg) {
    if (!is_parameters(*arg)) continue;
    iree_string_view_t scope, path;
    iree_io_parameter_index_t *index = NULL;
    if (iree_string_view_split(iree_make_cstring_view(*arg + 13), '=', &scope, &path) == -1) {
      path = scope;
      scope = iree_string_view_empty();
    }
    status = iree_io_parameter_index_create(allocator, &index);
    if (iree_status_is_ok(status)) status = index_file(path, allocator, index);
    if (iree_status_is_ok(status)) status = iree_io_parameter_index_provider_create(scope, index, 1, allocator, &providers[count]);
    if (iree_status_is_ok(status)) ++count;
    iree_io_parameter_index_release(index);
  }
  if (iree_status_is_ok(status) && count)
    status = iree_io_parameters_module_create(iree_runtime_instance_vm_instance(iree_runtime_session_instance(session)), count, providers, allocator, &module);
  if (module) status = iree_runtime_session_append_module(session, module);
  iree_vm_module_release(module);
  while (count) iree_io_parameter_provider_release(providers[--count]);
  return status;
}

// "4" or "1x784": ones of that shape; "i32=10": a scalar tensor.
static iree_status_t push_input(iree_runtime_session_t *session, iree_runtime_call_t *call, const char *text) {
  iree_hal_dim_t shape[8];
  iree_host_size_t rank = 0, count = 1;
  int is_scalar = !strncmp(text, "i32=", 4);
  for (const char *p = text; !is_scalar && *p && rank < 8; p += strcspn(p, "x"), p += *p == 'x')
    count *= (shape[rank++] = strtoul(p, NULL, 10));
  float *ones = malloc(count * sizeof(float));
  if (!ones) abort();
  for (iree_host_size_t i = 0; i < count; ++i) ones[i] = 1;
  int32_t scalar = is_scalar ? (int32_t)strtol(text + 4, NULL, 10) : 0;
  iree_hal_buffer_view_t *view = NULL;
  iree_status_t status = iree_hal_buffer_view_allocate_buffer_copy(
      iree_runtime_session_device(session), iree_runtime_session_device_allocator(session), rank, shape,
      is_scalar ? IREE_HAL_ELEMENT_TYPE_INT_32 : IREE_HAL_ELEMENT_TYPE_FLOAT_32, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR,
      (iree_hal_buffer_params_t){.type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL, .access = IREE_HAL_MEMORY_ACCESS_ALL, .usage = IREE_HAL_BUFFER_USAGE_DEFAULT},
      is_scalar ? iree_make_const_byte_span(&scalar, 4) : iree_make_const_byte_span(ones, count * sizeof(float)), &view);
  if (iree_status_is_ok(status)) status = iree_runtime_call_inputs_push_back_buffer_view(call, view);
  iree_hal_buffer_view_release(view);
  free(ones);
  return status;
}

// The two fences that an asynchronous function takes: none to wait for, and one to wait on.
static iree_status_t push_fences(iree_runtime_session_t *session, iree_runtime_call_t *call, iree_allocator_t allocator,
                                 iree_hal_fence_t **out_signal) {
  iree_hal_semaphore_t *semaphore = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(iree_runtime_session_device(session), IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                                 IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore));
  iree_status_t status = iree_hal_fence_create_at(semaphore, 1, allocator, out_signal);
  iree_hal_semaphore_release(semaphore);
  iree_vm_ref_t none = iree_vm_ref_null(), signal = iree_hal_fence_retain_ref(*out_signal);
  if (iree_status_is_ok(status)) status = iree_vm_list_push_ref_retain(iree_runtime_call_inputs(call), &none);
  if (iree_status_is_ok(status)) status = iree_vm_list_push_ref_retain(iree_runtime_call_inputs(call), &signal);
  iree_vm_ref_release(&signal);
  return status;
}

static int is_asynchronous(const iree_runtime_call_t *call) {
  iree_string_view_t model = iree_vm_function_lookup_attr_by_name(&call->function, iree_make_cstring_view("iree.abi.model"));
  return iree_string_view_equal(model, iree_make_cstring_view("coarse-fences"));
}

static iree_status_t call_function(iree_runtime_session_t *session, char **args, iree_allocator_t allocator) {
  iree_runtime_call_t call;
  IREE_RETURN_IF_ERROR(iree_runtime_call_initialize_by_name(session, iree_make_cstring_view(args[3]), &call));
  iree_status_t status = iree_ok_status();
  iree_hal_fence_t *signal = NULL;
  for (char **arg = args + 4; *arg && iree_status_is_ok(status); ++arg)
    if (!is_parameters(*arg)) status = push_input(session, &call, *arg);
  if (iree_status_is_ok(status) && is_asynchronous(&call)) status = push_fences(session, &call, allocator, &signal);
  if (iree_status_is_ok(status)) status = iree_runtime_call_invoke(&call, 0);
  if (iree_status_is_ok(status) && signal) status = iree_hal_fence_wait(signal, iree_infinite_timeout(), IREE_ASYNC_WAIT_FLAG_NONE);
  iree_hal_fence_release(signal);
  iree_runtime_call_deinitialize(&call);
  return status;
}

static iree_status_t append_modules(iree_runtime_session_t *session, const char *files) {
  char path[4096];
  iree_status_t status = iree_ok_status();
  for (size_t n; iree_status_is_ok(status) && *files; files += n + (files[n] == ',')) {
    n = strcspn(files, ",");
    if (snprintf(path, sizeof(path), "%.*s", (int)n, files) >= (int)sizeof(path)) abort();
    status = iree_runtime_session_append_bytecode_module_from_file(session, path);
  }
  return status;
}

static iree_status_t load_call_unload(char **args, iree_allocator_t allocator) {
  iree_runtime_instance_options_t options;
  iree_runtime_instance_options_initialize(&options);
  iree_runtime_instance_options_use_all_available_drivers(&options);
  iree_runtime_instance_t *instance = NULL;
  iree_hal_device_t *device = NULL;
  iree_runtime_session_t *session = NULL;
  iree_status_t status = iree_runtime_instance_create(&options, allocator, &instance);
  if (iree_status_is_ok(status))
    status = iree_runtime_instance_try_create_default_device(instance, iree_make_cstring_view(args[1]), &device);
  iree_runtime_session_options_t session_options;
  iree_runtime_session_options_initialize(&session_options);
  if (iree_status_is_ok(status))
    status = iree_runtime_session_create_with_device(instance, &session_options, device, allocator, &session);
  if (iree_status_is_ok(status)) status = append_parameters(session, args, allocator);
  if (iree_status_is_ok(status)) status = append_modules(session, args[2]);
  if (iree_status_is_ok(status)) status = call_function(session, args, allocator);
  iree_runtime_session_release(session);
  iree_hal_device_release(device);
  iree_runtime_instance_release(instance);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  counter_t counter = {0};
  iree_allocator_t allocator = {&counter, counter_ctl};
  iree_status_code_t expected = iree_status_consume_code(load_call_unload(argv, allocator));
  if (left(&counter)) {
    fprintf(stderr, "%ld blocks are left of a run without failures\n", counter.live);
    return 1;
  }
  if (expected != IREE_STATUS_OK) printf("fails in any case, code %d\n", (int)expected);
  long count = counter.allocations, failed = 0;
  for (long n = 1; n <= count; ++n) {
    counter = (counter_t){.fail_at = n};
    iree_status_code_t code = iree_status_consume_code(load_call_unload(argv, allocator));
    failed += code != IREE_STATUS_OK;
    if ((code != IREE_STATUS_RESOURCE_EXHAUSTED && code != expected) || left(&counter)) {
      fprintf(stderr, "failure %ld of %ld: code %d, %ld blocks left\n", n, count, (int)code, counter.live);
      return 1;
    }
  }
  printf("%ld allocations, %ld of them needed\n", count, failed);
  return 0;
}
