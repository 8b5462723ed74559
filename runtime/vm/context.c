// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts: the modules in registration order, each beside its state. Registration is all or
// nothing: dependencies checked, states made, imports bound, `__init` run; a failure takes all of
// it back.
#include <stdatomic.h>

#include "iree/vm/context.h"

#include "iree/vm/invocation.h"
#include "runtime/vm/context_impl.h"
#include "runtime/vm/stack_impl.h"

typedef struct context_entry_t {
  iree_vm_module_t *module;
  iree_vm_module_state_t *state;
  bool is_initialized;  // `__init` is done, `__deinit` is due
} context_entry_t;

struct iree_vm_context_t {
  iree_atomic_ref_count_t ref_count;
  iree_vm_instance_t *instance;
  iree_allocator_t allocator;
  iree_vm_context_flags_t flags;
  bool is_frozen;
  iree_host_size_t count;
  iree_host_size_t capacity;
  context_entry_t *entries;
  _Atomic(iree_vm_stack_t *) spare_stack;
};

static context_entry_t *context_find(const iree_vm_context_t *context, iree_string_view_t name) {
  for (iree_host_size_t i = context->count; i-- > 0;) {
    if (iree_string_view_equal(iree_vm_module_name(context->entries[i].module), name)) {
      return &context->entries[i];
    }
  }
  return NULL;
}

iree_status_t iree_vm_context_take_stack(iree_vm_context_t *context,
                                         iree_vm_invocation_flags_t flags,
                                         iree_vm_stack_t **out_stack) {
  if (context->flags & IREE_VM_CONTEXT_FLAG_TRACE_EXECUTION) {
    flags |= IREE_VM_INVOCATION_FLAG_TRACE_EXECUTION;
  }
  iree_vm_state_resolver_t resolver = iree_vm_context_state_resolver(context);
  iree_vm_stack_t *stack =
      atomic_exchange_explicit(&context->spare_stack, NULL, memory_order_acquire);
  if (stack) {
    iree_vm_stack_configure(stack, flags, resolver);
  } else {
    IREE_RETURN_IF_ERROR(iree_vm_stack_allocate(flags, resolver, context->allocator, &stack));
  }
  stack->trace = iree_vm_instance_trace_sink(context->instance);
  *out_stack = stack;
  return iree_ok_status();
}

void iree_vm_context_give_stack(iree_vm_context_t *context, iree_vm_stack_t *stack) {
  if (!stack) return;
  iree_vm_stack_reset(stack);
  iree_vm_stack_t *other =
      atomic_exchange_explicit(&context->spare_stack, stack, memory_order_acq_rel);
  iree_vm_stack_free(other);
}

static iree_status_t context_query_state(void *self, iree_vm_module_t *module,
                                         iree_vm_module_state_t **out_module_state) {
  const iree_vm_context_t *context = self;
  for (iree_host_size_t i = 0; i < context->count; ++i) {
    if (context->entries[i].module == module) {
      *out_module_state = context->entries[i].state;
      return iree_ok_status();
    }
  }
  *out_module_state = NULL;
  iree_string_view_t name = iree_vm_module_name(module);
  return iree_make_status(IREE_STATUS_NOT_FOUND, "module `%.*s` is not in this context",
                          IREE_SV_ARGS(name));
}

iree_vm_state_resolver_t iree_vm_context_state_resolver(const iree_vm_context_t *context) {
  iree_vm_state_resolver_t resolver = {(void *)(uintptr_t)context, context_query_state};
  return resolver;
}

iree_status_t iree_vm_context_resolve_module_state(const iree_vm_context_t *context,
                                                   iree_vm_module_t *module,
                                                   iree_vm_module_state_t **out_module_state) {
  return context_query_state((void *)(uintptr_t)context, module, out_module_state);
}

// Runs `__init` or `__deinit` if the module has it.
static iree_status_t context_run_special(iree_vm_context_t *context, iree_vm_module_t *module,
                                         const char *name) {
  iree_vm_function_t function;
  iree_status_t status = iree_vm_module_lookup_function_by_name(
      module, IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL, iree_make_cstring_view(name), &function);
  if (iree_status_is_not_found(status)) return iree_status_ignore(status);
  IREE_RETURN_IF_ERROR(status);
  return iree_vm_invoke(context, function, IREE_VM_INVOCATION_FLAG_NONE, NULL, NULL, NULL,
                        context->allocator);
}

// Drops the entries from |begin| on, the newest first.
static void context_drop_entries(iree_vm_context_t *context, iree_host_size_t begin) {
  for (iree_host_size_t i = context->count; i-- > begin;) {
    context_entry_t *entry = &context->entries[i];
    if (entry->is_initialized) {
      iree_status_ignore(context_run_special(context, entry->module, "__deinit"));
    }
  }
  while (context->count > begin) {
    context_entry_t *entry = &context->entries[--context->count];
    if (entry->state && entry->module->free_state) {
      entry->module->free_state(entry->module->self, entry->state);
    }
    iree_vm_module_release(entry->module);
    memset(entry, 0, sizeof(*entry));
  }
}

static void context_destroy(iree_vm_context_t *context) {
  iree_allocator_t allocator = context->allocator;
  iree_vm_instance_t *instance = context->instance;
  context_drop_entries(context, 0);
  iree_vm_stack_free(atomic_exchange_explicit(&context->spare_stack, NULL, memory_order_acquire));
  iree_allocator_free(allocator, context->entries);
  iree_allocator_free(allocator, context);
  iree_vm_instance_release(instance);
}

iree_status_t iree_vm_context_create(iree_vm_instance_t *instance, iree_vm_context_flags_t flags,
                                     iree_allocator_t allocator, iree_vm_context_t **out_context) {
  *out_context = NULL;
  iree_vm_context_t *context = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, sizeof(*context), (void **)&context));
  iree_atomic_ref_count_init(&context->ref_count);
  context->instance = instance;
  iree_vm_instance_retain(instance);
  context->allocator = allocator;
  context->flags = flags;
  *out_context = context;
  return iree_ok_status();
}

iree_status_t iree_vm_context_create_with_modules(
    iree_vm_instance_t *instance, iree_vm_context_flags_t flags, iree_host_size_t module_count,
    iree_vm_module_t **modules, iree_allocator_t allocator, iree_vm_context_t **out_context) {
  *out_context = NULL;
  iree_vm_context_t *context = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_context_create(instance, flags, allocator, &context));
  iree_status_t status = iree_vm_context_register_modules(context, module_count, modules);
  if (iree_status_is_ok(status)) status = iree_vm_context_freeze(context);
  if (!iree_status_is_ok(status)) {
    iree_vm_context_release(context);
    return status;
  }
  *out_context = context;
  return iree_ok_status();
}

void iree_vm_context_retain(iree_vm_context_t *context) {
  if (context) iree_atomic_ref_count_inc(&context->ref_count);
}
void iree_vm_context_release(iree_vm_context_t *context) {
  if (context && iree_atomic_ref_count_dec(&context->ref_count) == 1) context_destroy(context);
}

iree_vm_instance_t *iree_vm_context_instance(const iree_vm_context_t *context) {
  return context->instance;
}
iree_vm_context_id_t iree_vm_context_id(const iree_vm_context_t *context) {
  return (iree_vm_context_id_t)context;
}
iree_vm_context_flags_t iree_vm_context_flags(const iree_vm_context_t *context) {
  return context->flags;
}
iree_host_size_t iree_vm_context_module_count(const iree_vm_context_t *context) {
  return context->count;
}
iree_vm_module_t *iree_vm_context_module_at(const iree_vm_context_t *context, iree_host_size_t i) {
  return i < context->count ? context->entries[i].module : NULL;
}

static iree_status_t context_check_dependency(void *user_data,
                                              const iree_vm_module_dependency_t *dependency) {
  const iree_vm_context_t *context = user_data;
  const context_entry_t *entry = context_find(context, dependency->name);
  bool is_required = dependency->flags & IREE_VM_MODULE_DEPENDENCY_FLAG_REQUIRED;
  if (!entry) {
    if (!is_required) return iree_ok_status();
    return iree_make_status(IREE_STATUS_NOT_FOUND,
                            "required module '%.*s' not registered on the context",
                            IREE_SV_ARGS(dependency->name));
  }
  uint32_t version = iree_vm_module_signature(entry->module).version;
  if (version < dependency->minimum_version && is_required) {
    return iree_make_status(IREE_STATUS_NOT_FOUND,
                            "required module '%.*s' version mismatch; have %u but require %u",
                            IREE_SV_ARGS(dependency->name), version, dependency->minimum_version);
  }
  return iree_ok_status();
}

// Finds what an import names; null and OK for an optional one that is not there.
static iree_status_t context_find_export(const iree_vm_context_t *context,
                                         iree_string_view_t full_name, bool is_optional,
                                         const iree_vm_function_signature_t *expected,
                                         iree_vm_function_t *out_function) {
  memset(out_function, 0, sizeof(*out_function));
  iree_string_view_t module_name, function_name;
  if (iree_string_view_split(full_name, '.', &module_name, &function_name) < 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "import `%.*s` must be of the form module.function",
                            IREE_SV_ARGS(full_name));
  }
  const context_entry_t *entry = context_find(context, module_name);
  if (!entry) {
    if (is_optional) return iree_ok_status();
    return iree_make_status(
        IREE_STATUS_NOT_FOUND,
        "module `%.*s` required for import `%.*s` not registered on the context",
        IREE_SV_ARGS(module_name), IREE_SV_ARGS(full_name));
  }
  iree_status_t status = entry->module->lookup_function(
      entry->module->self,
      is_optional ? IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL : IREE_VM_FUNCTION_LINKAGE_EXPORT,
      function_name, expected, out_function);
  if (is_optional && iree_status_is_not_found(status)) return iree_status_ignore(status);
  return status;
}

static iree_status_t context_bind_import(iree_vm_context_t *context, context_entry_t *importer,
                                         iree_host_size_t ordinal) {
  iree_vm_module_t *module = importer->module;
  iree_vm_function_t declaration;
  iree_string_view_t full_name;
  iree_vm_function_signature_t expected = {iree_string_view_empty()};
  IREE_RETURN_IF_ERROR(module->get_function(module->self, IREE_VM_FUNCTION_LINKAGE_IMPORT, ordinal,
                                            &declaration, &full_name, &expected));
  bool is_optional = declaration.linkage == IREE_VM_FUNCTION_LINKAGE_IMPORT_OPTIONAL;
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(context_find_export(context, full_name, is_optional, &expected, &function));
  if (!function.module) return iree_ok_status();
  iree_vm_function_signature_t actual = iree_vm_function_signature(&function);
  iree_string_view_t want = expected.calling_convention, have = actual.calling_convention;
  if (want.size && !iree_string_view_equal(want, have)) {
    return iree_make_status(IREE_STATUS_INTERNAL,
                            "import function %.*s signature mismatch; expected %.*s but got %.*s",
                            IREE_SV_ARGS(full_name), IREE_SV_ARGS(want), IREE_SV_ARGS(have));
  }
  return module->resolve_import(module->self, importer->state, ordinal, &function, &actual);
}

static iree_status_t context_bind_imports(iree_vm_context_t *context, context_entry_t *entry) {
  IREE_RETURN_IF_ERROR(
      iree_vm_module_enumerate_dependencies(entry->module, context_check_dependency, context));
  iree_host_size_t count = iree_vm_module_signature(entry->module).import_function_count;
  for (iree_host_size_t i = 0; i < count; ++i) {
    IREE_RETURN_IF_ERROR(context_bind_import(context, entry, i));
  }
  return iree_ok_status();
}

static iree_status_t context_add(iree_vm_context_t *context, iree_vm_module_t *module) {
  if (!module) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "module is NULL");
  iree_string_view_t name = iree_vm_module_name(module);
  IREE_RETURN_IF_ERROR(iree_allocator_grow_array(context->allocator, context->count + 1,
                                                 sizeof(context_entry_t), &context->capacity,
                                                 (void **)&context->entries));
  context_entry_t *entry = &context->entries[context->count];
  entry->module = module;
  if (module->alloc_state) {
    IREE_RETURN_IF_ERROR(module->alloc_state(module->self, context->allocator, &entry->state));
  }
  iree_vm_module_retain(module);
  ++context->count;
  IREE_RETURN_IF_ERROR(context_bind_imports(context, entry), "resolving module '%.*s' imports",
                       IREE_SV_ARGS(name));
  IREE_RETURN_IF_ERROR(context_run_special(context, module, "__init"));
  context->entries[context->count - 1].is_initialized = true;
  return iree_ok_status();
}

iree_status_t iree_vm_context_register_modules(iree_vm_context_t *context,
                                               iree_host_size_t module_count,
                                               iree_vm_module_t **modules) {
  if (context->is_frozen) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "context is frozen; register modules before, or in a new context");
  }
  iree_host_size_t old_count = context->count;
  for (iree_host_size_t i = 0; i < module_count; ++i) {
    iree_status_t status = context_add(context, modules[i]);
    if (!iree_status_is_ok(status)) {
      context_drop_entries(context, old_count);
      return status;
    }
  }
  return iree_ok_status();
}

iree_status_t iree_vm_context_freeze(iree_vm_context_t *context) {
  context->is_frozen = true;
  return iree_ok_status();
}

static iree_status_t context_fork_entries(const iree_vm_context_t *parent,
                                          iree_vm_context_t *child) {
  for (iree_host_size_t i = 0; i < parent->count; ++i) {
    const context_entry_t *source = &parent->entries[i];
    iree_vm_module_t *module = source->module;
    IREE_RETURN_IF_ERROR(iree_allocator_grow_array(child->allocator, child->count + 1,
                                                   sizeof(context_entry_t), &child->capacity,
                                                   (void **)&child->entries));
    context_entry_t *entry = &child->entries[child->count];
    if (source->state) {
      if (!module->fork_state) {
        iree_string_view_t name = iree_vm_module_name(module);
        return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "module `%.*s` cannot fork its state",
                                IREE_SV_ARGS(name));
      }
      IREE_RETURN_IF_ERROR(
          module->fork_state(module->self, source->state, child->allocator, &entry->state));
    }
    entry->module = module;
    entry->is_initialized = true;
    iree_vm_module_retain(module);
    ++child->count;
  }
  return iree_ok_status();
}

iree_status_t iree_vm_context_fork(const iree_vm_context_t *parent_context,
                                   iree_allocator_t allocator,
                                   iree_vm_context_t **out_child_context) {
  *out_child_context = NULL;
  if (!parent_context->is_frozen) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "only frozen contexts can be forked");
  }
  iree_vm_context_t *child = NULL;
  IREE_RETURN_IF_ERROR(
      iree_vm_context_create(parent_context->instance, parent_context->flags, allocator, &child));
  iree_status_t status = context_fork_entries(parent_context, child);
  if (iree_status_is_ok(status)) status = iree_vm_context_notify(child, IREE_VM_SIGNAL_FORK);
  if (!iree_status_is_ok(status)) {
    iree_vm_context_release(child);
    return status;
  }
  child->is_frozen = true;
  *out_child_context = child;
  return iree_ok_status();
}

iree_status_t iree_vm_context_resolve_function(const iree_vm_context_t *context,
                                               iree_string_view_t full_name,
                                               iree_vm_function_t *out_function) {
  return context_find_export(context, full_name, false, NULL, out_function);
}

iree_status_t iree_vm_context_notify(iree_vm_context_t *context, iree_vm_signal_t signal) {
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < context->count; ++i) {
    context_entry_t *entry = &context->entries[i];
    if (!entry->module->notify) continue;
    status =
        iree_status_join(status, entry->module->notify(entry->module->self, entry->state, signal));
  }
  return status;
}
