// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native modules in C++: a class for what contexts share, a class for what each context has.
//
//   struct my_state { iree::StatusOr<int32_t> Twice(int32_t x) { return x * 2; } };
//   static const iree::vm::NativeFunction<my_state> functions[] = {
//       iree::vm::MakeNativeFunction("twice", &my_state::Twice)};
//   class my_module : public iree::vm::NativeModule<my_state> { ... CreateState, ForkState ... };
//   new my_module("mine", 0, instance, allocator, functions)->interface();   // the caller's reference
//
// A state is used by one thread at a time, a module by many.
#ifndef IREE_VM_NATIVE_MODULE_CC_H_
#define IREE_VM_NATIVE_MODULE_CC_H_

#ifndef __cplusplus
#error "this header is for C++; iree/vm/native_module.h has the C form"
#endif

#include <cstring>
#include <functional>
#include <memory>

#include "iree/base/api.h"
#include "iree/base/internal/span.h"
#include "iree/vm/instance.h"
#include "iree/vm/module.h"
#include "iree/vm/native_module_packing.h"
#include "iree/vm/stack.h"

namespace iree {
namespace vm {

template <typename State>
class NativeModule {
 public:
  // |name| and |dispatch_table| are borrowed for the module's life, |instance| is retained.
  NativeModule(const char *name, uint32_t version, iree_vm_instance_t *instance, iree_allocator_t allocator,
               iree::span<const NativeFunction<State>> dispatch_table)
      : name_(name), version_(version), instance_(instance), allocator_(allocator), table_(dispatch_table) {
    iree_vm_instance_retain(instance);
    IREE_CHECK_OK(iree_vm_module_initialize(&interface_, this));
    interface_.destroy = [](void *self) { delete of(self); };
    interface_.name = [](void *self) { return iree_make_cstring_view(of(self)->name_); };
    interface_.signature = signature;
    interface_.enumerate_dependencies = enumerate_dependencies;
    interface_.lookup_function = lookup_function;
    interface_.get_function = get_function;
    interface_.alloc_state = alloc_state;
    interface_.free_state = [](void *, iree_vm_module_state_t *state) { delete state_of(state); };
    interface_.fork_state = fork_state;
    interface_.notify = notify;
    interface_.begin_call = begin_call;
  }
  virtual ~NativeModule() { iree_vm_instance_release(instance_); }

  iree_vm_instance_t *instance() const { return instance_; }
  iree_vm_module_t *interface() { return &interface_; }

 protected:
  // Calls |callback| with each module that this one needs.
  virtual Status EnumerateDependencies(std::function<Status(const iree_vm_module_dependency_t *)> callback) {
    (void)callback;
    return OkStatus();
  }
  // State for a context.
  virtual StatusOr<std::unique_ptr<State>> CreateState(iree_allocator_t allocator) = 0;
  // State for a copy of a context; shares what can be shared.
  virtual StatusOr<std::unique_ptr<State>> ForkState(State *parent_state, iree_allocator_t allocator) = 0;
  virtual Status Notify(State *state, iree_vm_signal_t signal) {
    (void)state, (void)signal;
    return OkStatus();
  }

 private:
  static NativeModule *of(void *self) { return static_cast<NativeModule *>(self); }
  static State *state_of(iree_vm_module_state_t *state) { return reinterpret_cast<State *>(state); }

  static iree_vm_module_signature_t signature(void *self) {
    iree_vm_module_signature_t out;
    std::memset(&out, 0, sizeof(out));
    out.version = of(self)->version_;
    out.export_function_count = of(self)->table_.size();
    return out;
  }

  static iree_status_t enumerate_dependencies(void *self, iree_vm_module_dependency_callback_t callback, void *user_data) {
    return of(self)->EnumerateDependencies(
        [=](const iree_vm_module_dependency_t *dependency) { return Status(callback(user_data, dependency)); });
  }

  static iree_status_t lookup_function(void *self, iree_vm_function_linkage_t, iree_string_view_t name,
                                       const iree_vm_function_signature_t *, iree_vm_function_t *out_function) {
    std::memset(out_function, 0, sizeof(*out_function));
    const auto &table = of(self)->table_;
    for (size_t i = 0; i < table.size(); ++i)
      if (iree_string_view_equal(name, table[i].name)) return set_function(self, i, out_function);
    return iree_make_status(IREE_STATUS_NOT_FOUND, "module '%s' has no function '%.*s'", of(self)->name_,
                            static_cast<int>(name.size), name.data);
  }
  static iree_status_t get_function(void *self, iree_vm_function_linkage_t, iree_host_size_t ordinal,
                                    iree_vm_function_t *out_function, iree_string_view_t *out_name,
                                    iree_vm_function_signature_t *out_signature) {
    const auto &table = of(self)->table_;
    if (ordinal >= table.size())
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "module '%s' has %zu functions, not one of number %zu",
                              of(self)->name_, static_cast<size_t>(table.size()), static_cast<size_t>(ordinal));
    if (out_name) *out_name = table[ordinal].name;
    if (out_signature) {
      std::memset(out_signature, 0, sizeof(*out_signature));
      out_signature->calling_convention = table[ordinal].cconv;
    }
    return out_function ? set_function(self, ordinal, out_function) : iree_ok_status();
  }
  static iree_status_t set_function(void *self, size_t ordinal, iree_vm_function_t *out_function) {
    std::memset(out_function, 0, sizeof(*out_function));
    out_function->module = of(self)->interface();
    out_function->linkage = IREE_VM_FUNCTION_LINKAGE_EXPORT;
    out_function->ordinal = static_cast<uint16_t>(ordinal);
    return iree_ok_status();
  }

  static iree_status_t give_state(StatusOr<std::unique_ptr<State>> state, iree_vm_module_state_t **out_state) {
    *out_state = nullptr;
    if (!state.ok()) return std::move(state).status();
    *out_state = reinterpret_cast<iree_vm_module_state_t *>(std::move(state).value().release());
    return iree_ok_status();
  }
  static iree_status_t alloc_state(void *self, iree_allocator_t allocator, iree_vm_module_state_t **out_state) {
    return give_state(of(self)->CreateState(allocator), out_state);
  }
  static iree_status_t fork_state(void *self, iree_vm_module_state_t *parent, iree_allocator_t allocator,
                                  iree_vm_module_state_t **out_state) {
    *out_state = nullptr;
    return parent ? give_state(of(self)->ForkState(state_of(parent), allocator), out_state) : iree_ok_status();
  }
  static iree_status_t notify(void *self, iree_vm_module_state_t *state, iree_vm_signal_t signal) {
    return of(self)->Notify(state_of(state), signal);
  }

  static iree_status_t begin_call(void *self, iree_vm_stack_t *stack, iree_vm_function_call_t call) {
    const auto &table = of(self)->table_;
    if (call.function.ordinal >= table.size())
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "module '%s' has no function of number %u", of(self)->name_,
                              static_cast<unsigned>(call.function.ordinal));
    const auto &row = table[call.function.ordinal];
    iree_vm_stack_frame_t *frame = nullptr;
    IREE_RETURN_IF_ERROR(iree_vm_stack_function_enter(stack, &call.function, IREE_VM_STACK_FRAME_NATIVE, 0, nullptr, &frame));
    Status status = row.call(row.ptr, state_of(frame->module_state), stack, call);
    if (status.ok()) return iree_vm_stack_function_leave(stack);
    return iree_status_annotate_f(status.release(), "while invoking C++ function %s.%.*s", of(self)->name_,
                                  static_cast<int>(row.name.size), row.name.data);
  }

  const char *name_;
  uint32_t version_;
  iree_vm_instance_t *instance_;
  const iree_allocator_t allocator_;
  iree_vm_module_t interface_;
  const iree::span<const NativeFunction<State>> table_;
};

}  // namespace vm
}  // namespace iree

#endif  // IREE_VM_NATIVE_MODULE_CC_H_
