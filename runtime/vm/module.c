// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls through a module's function table, with what a missing optional function means.
#include "iree/vm/module.h"

iree_status_t iree_vm_module_initialize(iree_vm_module_t *module, void *self) {
  memset(module, 0, sizeof(*module));
  module->self = self;
  iree_atomic_ref_count_init(&module->ref_count);
  return iree_ok_status();
}

void iree_vm_module_retain(iree_vm_module_t *module) {
  if (module) iree_atomic_ref_count_inc(&module->ref_count);
}

void iree_vm_module_release(iree_vm_module_t *module) {
  if (module && iree_atomic_ref_count_dec(&module->ref_count) == 1) module->destroy(module->self);
}

iree_string_view_t iree_vm_module_name(const iree_vm_module_t *module) {
  return module->name(module->self);
}

iree_vm_module_signature_t iree_vm_module_signature(const iree_vm_module_t *module) {
  return module->signature(module->self);
}

iree_status_t iree_vm_module_get_attr(const iree_vm_module_t *module, iree_host_size_t index,
                                      iree_string_pair_t *out_attr) {
  *out_attr = iree_make_string_pair(iree_string_view_empty(), iree_string_view_empty());
  if (!module->get_module_attr) return iree_make_status(IREE_STATUS_OUT_OF_RANGE);
  return module->get_module_attr(module->self, index, out_attr);
}

iree_string_view_t iree_vm_module_lookup_attr_by_name(const iree_vm_module_t *module,
                                                      iree_string_view_t key) {
  iree_string_pair_t attr;
  iree_host_size_t count = iree_vm_module_signature(module).attr_count;
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_status_t status = iree_vm_module_get_attr(module, i, &attr);
    if (!iree_status_is_ok(status)) {
      iree_status_ignore(status);
      break;
    }
    if (iree_string_view_equal(attr.key, key)) return attr.value;
  }
  return iree_string_view_empty();
}

iree_status_t iree_vm_module_enumerate_dependencies(iree_vm_module_t *module,
                                                    iree_vm_module_dependency_callback_t callback,
                                                    void *user_data) {
  if (!module->enumerate_dependencies) return iree_ok_status();
  return module->enumerate_dependencies(module->self, callback, user_data);
}

iree_status_t iree_vm_module_lookup_function_by_name(const iree_vm_module_t *module,
                                                     iree_vm_function_linkage_t linkage,
                                                     iree_string_view_t name,
                                                     iree_vm_function_t *out_function) {
  memset(out_function, 0, sizeof(*out_function));
  return module->lookup_function(module->self, linkage, name, NULL, out_function);
}

iree_status_t iree_vm_module_lookup_function_by_ordinal(const iree_vm_module_t *module,
                                                        iree_vm_function_linkage_t linkage,
                                                        iree_host_size_t ordinal,
                                                        iree_vm_function_t *out_function) {
  memset(out_function, 0, sizeof(*out_function));
  return module->get_function(module->self, linkage, ordinal, out_function, NULL, NULL);
}

iree_status_t iree_vm_module_resolve_source_location(
    const iree_vm_module_t *module, iree_vm_function_t function, iree_vm_source_offset_t pc,
    iree_vm_source_location_t *out_source_location) {
  memset(out_source_location, 0, sizeof(*out_source_location));
  if (!module->resolve_source_location) return iree_status_from_code(IREE_STATUS_UNAVAILABLE);
  return module->resolve_source_location(module->self, function, pc, out_source_location);
}

iree_status_t iree_vm_source_location_format(iree_vm_source_location_t *source_location,
                                             iree_vm_source_location_format_flags_t flags,
                                             iree_string_builder_t *builder) {
  if (!source_location->format) return iree_status_from_code(IREE_STATUS_UNAVAILABLE);
  return source_location->format(source_location->self, source_location->data, flags, builder);
}

iree_string_view_t iree_vm_function_name(const iree_vm_function_t *function) {
  iree_string_view_t name = iree_string_view_empty();
  if (!function->module) return name;
  iree_status_ignore(function->module->get_function(function->module->self, function->linkage,
                                                    function->ordinal, NULL, &name, NULL));
  return name;
}

iree_vm_function_signature_t iree_vm_function_signature(const iree_vm_function_t *function) {
  iree_vm_function_signature_t signature = {iree_string_view_empty()};
  if (!function->module) return signature;
  iree_status_ignore(function->module->get_function(function->module->self, function->linkage,
                                                    function->ordinal, NULL, NULL, &signature));
  return signature;
}

iree_status_t iree_vm_function_get_attr(iree_vm_function_t function, iree_host_size_t index,
                                        iree_string_pair_t *out_attr) {
  *out_attr = iree_make_string_pair(iree_string_view_empty(), iree_string_view_empty());
  if (!function.module || !function.module->get_function_attr) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE);
  }
  return function.module->get_function_attr(function.module->self, function.linkage,
                                            function.ordinal, index, out_attr);
}

iree_string_view_t iree_vm_function_lookup_attr_by_name(const iree_vm_function_t *function,
                                                        iree_string_view_t key) {
  for (iree_host_size_t i = 0;; ++i) {
    iree_string_pair_t attr;
    iree_status_t status = iree_vm_function_get_attr(*function, i, &attr);
    if (!iree_status_is_ok(status)) {
      iree_status_ignore(status);
      return iree_string_view_empty();
    }
    if (iree_string_view_equal(attr.key, key)) return attr.value;
  }
}
