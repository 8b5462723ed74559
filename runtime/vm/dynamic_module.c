// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>

#include "iree/vm/dynamic/module.h"

#define TEXT_MAX 4096

// What the system says of a failed dlopen or dlsym.
static const char *reason(void) {
  const char *text = dlerror();
  return text ? text : "no reason given";
}

static iree_status_t load(const char *path, const char *export_name,
                          iree_vm_dynamic_module_create_fn_t *out_create) {
  // Not to be unloaded again: see the header.
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    return iree_make_status(IREE_STATUS_NOT_FOUND, "cannot load module library '%s': %.300s", path, reason());
  void *create = dlsym(library, export_name);
  dlclose(library);
  if (!create)
    return iree_make_status(IREE_STATUS_NOT_FOUND, "module library '%s' does not export '%s'", path, export_name);
  *out_create = (iree_vm_dynamic_module_create_fn_t)(uintptr_t)create;
  return iree_ok_status();
}

iree_status_t iree_vm_dynamic_module_load_from_file(iree_vm_instance_t *instance, iree_string_view_t path,
                                                    iree_string_view_t export_name, iree_host_size_t param_count,
                                                    const iree_string_pair_t *params, iree_allocator_t allocator,
                                                    iree_vm_module_t **out_module) {
  *out_module = NULL;
  if (iree_string_view_is_empty(export_name)) export_name = IREE_SV(IREE_VM_DYNAMIC_MODULE_EXPORT_NAME);
  char path_text[TEXT_MAX], name_text[256];
  if (path.size >= sizeof(path_text) || export_name.size >= sizeof(name_text))
    return iree_make_status(IREE_STATUS_NOT_FOUND, "the name of a module library or of its function is too long");
  iree_string_view_to_cstring(path, path_text, sizeof(path_text));
  iree_string_view_to_cstring(export_name, name_text, sizeof(name_text));
  iree_vm_dynamic_module_create_fn_t create = NULL;
  IREE_RETURN_IF_ERROR(load(path_text, name_text, &create));
  return create(IREE_VM_DYNAMIC_MODULE_VERSION_LATEST, instance, param_count, params, allocator, out_module);
}
