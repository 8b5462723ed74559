// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native modules: the function table over static descriptors. What the user's interface sets wins,
// and gets the user's self; the rest is answered from the tables.
#include "iree/vm/native_module.h"

#include "runtime/vm/native_call.h"

typedef struct native_module_t {
  iree_vm_module_t interface;  // must be first: the module pointer is this structure
  iree_vm_module_t user;
  const iree_vm_native_module_descriptor_t *descriptor;
  iree_vm_instance_t *instance;
  iree_allocator_t allocator;
  void *self;  // the user's, else this
} native_module_t;

iree_host_size_t iree_vm_native_module_size(void) { return sizeof(native_module_t); }

static void native_destroy(void *self) {
  native_module_t *module = self;
  iree_allocator_t allocator = module->allocator;
  iree_vm_instance_t *instance = module->instance;
  if (module->user.destroy) module->user.destroy(module->self);
  iree_allocator_free(allocator, module);
  iree_vm_instance_release(instance);
}

static iree_string_view_t native_name(void *self) {
  return ((native_module_t *)self)->descriptor->name;
}

static iree_vm_module_signature_t native_signature(void *self) {
  native_module_t *module = self;
  if (module->user.signature) return module->user.signature(module->self);
  iree_vm_module_signature_t signature = {
      .version = module->descriptor->version,
      .attr_count = module->descriptor->attr_count,
      .import_function_count = module->descriptor->import_count,
      .export_function_count = module->descriptor->export_count,
  };
  return signature;
}

static iree_status_t native_enumerate_dependencies(void *self,
                                                   iree_vm_module_dependency_callback_t callback,
                                                   void *user_data) {
  native_module_t *module = self;
  if (module->user.enumerate_dependencies) {
    return module->user.enumerate_dependencies(module->self, callback, user_data);
  }
  for (iree_host_size_t i = 0; i < module->descriptor->dependency_count; ++i) {
    IREE_RETURN_IF_ERROR(callback(user_data, &module->descriptor->dependencies[i]));
  }
  return iree_ok_status();
}

static iree_status_t native_get_module_attr(void *self, iree_host_size_t index,
                                            iree_string_pair_t *out_attr) {
  native_module_t *module = self;
  if (module->user.get_module_attr) {
    return module->user.get_module_attr(module->self, index, out_attr);
  }
  if (index >= module->descriptor->attr_count) {
    return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  }
  *out_attr = module->descriptor->attrs[index];
  return iree_ok_status();
}

static iree_status_t native_get_function(void *self, iree_vm_function_linkage_t linkage,
                                         iree_host_size_t ordinal, iree_vm_function_t *out_function,
                                         iree_string_view_t *out_name,
                                         iree_vm_function_signature_t *out_signature) {
  native_module_t *module = self;
  const iree_vm_native_module_descriptor_t *descriptor = module->descriptor;
  bool is_import = linkage == IREE_VM_FUNCTION_LINKAGE_IMPORT ||
                   linkage == IREE_VM_FUNCTION_LINKAGE_IMPORT_OPTIONAL;
  iree_host_size_t count = is_import ? descriptor->import_count : descriptor->export_count;
  if (ordinal >= count || ordinal > UINT16_MAX) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "function ordinal %" PRIhsz " out of range (%" PRIhsz " functions)",
                            ordinal, count);
  }
  if (out_function) {
    out_function->module = &module->interface;
    out_function->linkage = (uint16_t)linkage;
    out_function->ordinal = (uint16_t)ordinal;
  }
  if (out_name) {
    *out_name = is_import ? descriptor->imports[ordinal].full_name
                          : descriptor->exports[ordinal].local_name;
  }
  if (out_signature) {
    out_signature->calling_convention =
        is_import ? iree_string_view_empty() : descriptor->exports[ordinal].calling_convention;
  }
  return iree_ok_status();
}

static iree_status_t native_get_function_attr(void *self, iree_vm_function_linkage_t linkage,
                                              iree_host_size_t ordinal, iree_host_size_t index,
                                              iree_string_pair_t *out_attr) {
  native_module_t *module = self;
  if (module->user.get_function_attr) {
    return module->user.get_function_attr(module->self, linkage, ordinal, index, out_attr);
  }
  if (linkage != IREE_VM_FUNCTION_LINKAGE_EXPORT || ordinal >= module->descriptor->export_count ||
      index >= module->descriptor->exports[ordinal].attr_count) {
    return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  }
  *out_attr = module->descriptor->exports[ordinal].attrs[index];
  return iree_ok_status();
}

// The older form `name@release` of an export that has the calling convention, else |ordinal|.
static iree_host_size_t native_form(const iree_vm_native_module_descriptor_t *descriptor,
                                    iree_host_size_t ordinal, iree_string_view_t cconv) {
  const iree_vm_native_export_descriptor_t *exports = descriptor->exports;
  if (!cconv.size || iree_string_view_equal(exports[ordinal].calling_convention, cconv)) {
    return ordinal;
  }
  iree_string_view_t name = exports[ordinal].local_name;
  for (iree_host_size_t i = ordinal + 1; i < descriptor->export_count; ++i) {
    iree_string_view_t candidate = exports[i].local_name;
    if (!iree_string_view_starts_with(candidate, name)) break;
    if (candidate.data[name.size] == '@' &&
        iree_string_view_equal(exports[i].calling_convention, cconv)) {
      return i;
    }
  }
  return ordinal;
}

// Exports are sorted by name: creation has checked it.
static iree_status_t native_lookup_function(void *self, iree_vm_function_linkage_t linkage,
                                            iree_string_view_t name,
                                            const iree_vm_function_signature_t *expected_signature,
                                            iree_vm_function_t *out_function) {
  native_module_t *module = self;
  iree_string_view_t cconv =
      expected_signature ? expected_signature->calling_convention : iree_string_view_empty();
  iree_host_size_t low = 0, high = module->descriptor->export_count;
  while (low < high) {
    iree_host_size_t middle = low + (high - low) / 2;
    int order = iree_string_view_compare(module->descriptor->exports[middle].local_name, name);
    if (order == 0) {
      return native_get_function(self, linkage, native_form(module->descriptor, middle, cconv),
                                 out_function, NULL, NULL);
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL) {
    return iree_status_from_code(IREE_STATUS_NOT_FOUND);
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no function `%.*s` exported by module `%.*s`",
                          IREE_SV_ARGS(name), IREE_SV_ARGS(module->descriptor->name));
}

static iree_status_t native_resolve_source_location(
    void *self, iree_vm_function_t function, iree_vm_source_offset_t pc,
    iree_vm_source_location_t *out_source_location) {
  native_module_t *module = self;
  if (!module->user.resolve_source_location) {
    return iree_status_from_code(IREE_STATUS_UNAVAILABLE);
  }
  return module->user.resolve_source_location(module->self, function, pc, out_source_location);
}

static iree_status_t native_alloc_state(void *self, iree_allocator_t allocator,
                                        iree_vm_module_state_t **out_module_state) {
  native_module_t *module = self;
  *out_module_state = NULL;
  if (!module->user.alloc_state) return iree_ok_status();
  return module->user.alloc_state(module->self, allocator, out_module_state);
}

static void native_free_state(void *self, iree_vm_module_state_t *module_state) {
  native_module_t *module = self;
  if (module->user.free_state) module->user.free_state(module->self, module_state);
}

static iree_status_t native_fork_state(void *self, iree_vm_module_state_t *parent_state,
                                       iree_allocator_t allocator,
                                       iree_vm_module_state_t **out_child_state) {
  native_module_t *module = self;
  *out_child_state = NULL;
  if (module->user.fork_state) {
    return module->user.fork_state(module->self, parent_state, allocator, out_child_state);
  }
  if (!parent_state) return iree_ok_status();
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                          "module `%.*s` has state but cannot fork it; create a new context",
                          IREE_SV_ARGS(module->descriptor->name));
}

static iree_status_t native_resolve_import(void *self, iree_vm_module_state_t *module_state,
                                           iree_host_size_t ordinal,
                                           const iree_vm_function_t *function,
                                           const iree_vm_function_signature_t *signature) {
  native_module_t *module = self;
  if (module->user.resolve_import) {
    return module->user.resolve_import(module->self, module_state, ordinal, function, signature);
  }
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "module `%.*s` does not take imports",
                          IREE_SV_ARGS(module->descriptor->name));
}

static iree_status_t native_notify(void *self, iree_vm_module_state_t *module_state,
                                   iree_vm_signal_t signal) {
  native_module_t *module = self;
  if (!module->user.notify) return iree_ok_status();
  return module->user.notify(module->self, module_state, signal);
}

iree_status_t native_callee_failed(const iree_vm_function_t *function, iree_status_t status) {
  if (iree_status_is_deferred(status)) return status;
  iree_string_view_t module_name = iree_vm_module_name(function->module);
  iree_string_view_t name = iree_vm_function_name(function);
  return iree_status_annotate_f(status, "while invoking native function %.*s.%.*s",
                                IREE_SV_ARGS(module_name), IREE_SV_ARGS(name));
}

static iree_status_t native_begin_call(void *self, iree_vm_stack_t *stack,
                                       iree_vm_function_call_t call) {
  native_module_t *module = self;
  if (module->user.begin_call) return module->user.begin_call(module->self, stack, call);
  if (IREE_UNLIKELY(call.function.ordinal >= module->descriptor->function_count ||
                    (call.function.linkage != IREE_VM_FUNCTION_LINKAGE_EXPORT &&
                     call.function.linkage != IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL))) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "no exported function %u",
                            call.function.ordinal);
  }
  const iree_vm_native_function_ptr_t *function =
      &module->descriptor->functions[call.function.ordinal];
  native_callee_t callee = {function->shim, function->target, module->self};
  return native_callee_call(&callee, &call.function, stack, call.arguments, call.results);
}

native_callee_t native_callee_resolve(iree_vm_function_t function) {
  native_callee_t callee = {NULL, NULL, NULL};
  if (!function.module || function.module->begin_call != native_begin_call) return callee;
  native_module_t *module = function.module->self;
  if (module->user.begin_call || function.ordinal >= module->descriptor->function_count ||
      (function.linkage != IREE_VM_FUNCTION_LINKAGE_EXPORT &&
       function.linkage != IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL)) {
    return callee;
  }
  callee.shim = module->descriptor->functions[function.ordinal].shim;
  callee.target = module->descriptor->functions[function.ordinal].target;
  callee.self = module->self;
  return callee;
}

static iree_status_t native_resume_call(void *self, iree_vm_stack_t *stack,
                                        iree_byte_span_t call_results) {
  native_module_t *module = self;
  if (module->user.resume_call) return module->user.resume_call(module->self, stack, call_results);
  iree_vm_stack_frame_t *frame = iree_vm_stack_top(stack);
  if (!frame || frame->function.module != &module->interface) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "no call to resume");
  }
  const iree_vm_native_function_ptr_t *function =
      &module->descriptor->functions[frame->function.ordinal];
  iree_vm_function_t callee = frame->function;  // the frame may be gone after
  iree_status_t status =
      function->shim(stack, IREE_VM_NATIVE_FUNCTION_CALL_RESUME, iree_byte_span_empty(),
                     call_results, function->target, module->self, frame->module_state);
  if (iree_status_is_ok(status)) return iree_vm_stack_function_leave(stack);
  return native_callee_failed(&callee, status);
}

static iree_status_t native_check_descriptor(const iree_vm_module_t *user,
                                             const iree_vm_native_module_descriptor_t *descriptor) {
  if (!user->begin_call && descriptor->function_count != descriptor->export_count) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "%" PRIhsz " functions for %" PRIhsz " exports",
                            descriptor->function_count, descriptor->export_count);
  }
  for (iree_host_size_t i = 1; i < descriptor->export_count; ++i) {
    iree_string_view_t a = descriptor->exports[i - 1].local_name;
    iree_string_view_t b = descriptor->exports[i].local_name;
    if (iree_string_view_compare(a, b) >= 0) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "exports must be sorted: `%.*s` comes before `%.*s`", IREE_SV_ARGS(a),
                              IREE_SV_ARGS(b));
    }
  }
  return iree_ok_status();
}

iree_status_t iree_vm_native_module_initialize(
    const iree_vm_module_t *module_interface,
    const iree_vm_native_module_descriptor_t *module_descriptor, iree_vm_instance_t *instance,
    iree_allocator_t allocator, iree_vm_module_t *base_module) {
  IREE_RETURN_IF_ERROR(native_check_descriptor(module_interface, module_descriptor));
  native_module_t *module = (native_module_t *)base_module;
  memset(module, 0, sizeof(*module));
  IREE_RETURN_IF_ERROR(iree_vm_module_initialize(&module->interface, module));
  memcpy(&module->user, module_interface, sizeof(module->user));
  module->descriptor = module_descriptor;
  module->allocator = allocator;
  module->instance = instance;
  iree_vm_instance_retain(instance);
  module->self = module_interface->self ? module_interface->self : module;
  iree_vm_module_t *table = &module->interface;
  table->destroy = native_destroy;
  table->name = native_name;
  table->signature = native_signature;
  table->enumerate_dependencies = native_enumerate_dependencies;
  table->get_module_attr = native_get_module_attr;
  table->lookup_function = native_lookup_function;
  table->get_function = native_get_function;
  table->get_function_attr = native_get_function_attr;
  table->resolve_source_location = native_resolve_source_location;
  table->alloc_state = native_alloc_state;
  table->free_state = native_free_state;
  table->fork_state = native_fork_state;
  table->resolve_import = native_resolve_import;
  table->notify = native_notify;
  table->begin_call = native_begin_call;
  table->resume_call = native_resume_call;
  return iree_ok_status();
}

iree_status_t iree_vm_native_module_create(
    const iree_vm_module_t *module_interface,
    const iree_vm_native_module_descriptor_t *module_descriptor, iree_vm_instance_t *instance,
    iree_allocator_t allocator, iree_vm_module_t **out_module) {
  *out_module = NULL;
  native_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, sizeof(*module), (void **)&module));
  iree_status_t status = iree_vm_native_module_initialize(module_interface, module_descriptor,
                                                          instance, allocator, &module->interface);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(allocator, module);
    return status;
  }
  *out_module = &module->interface;
  return iree_ok_status();
}
