// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References in C++: iree::vm::ref<T> owns one reference to a T of a registered type; opaque_ref to
// anything. Included by ref.h.
//
//   vm::ref<iree_hal_buffer_t> buffer;
//   IREE_RETURN_IF_ERROR(iree_hal_allocator_allocate_buffer(..., &buffer));   // takes what is written
//   use(buffer.get());  other = std::move(buffer);  vm::retain_ref(pointer)   // shares
#ifndef IREE_VM_REF_CC_H_
#define IREE_VM_REF_CC_H_

#ifndef __cplusplus
#error "vm::ref is for C++; iree/vm/ref.h has the C form"
#endif

#include <cstddef>
#include <memory>
#include <utility>

#include "iree/vm/ref.h"

namespace iree {
namespace vm {

// The registered type of T: specialised by IREE_VM_DECLARE_TYPE_ADAPTERS.
template <typename T>
struct ref_type_descriptor;

// How a T is counted: through its type, unless IREE_VM_DECLARE_CC_TYPE_ADAPTERS names functions.
template <typename T>
inline void ref_type_retain(T *object) {
  iree_vm_ref_object_retain(object, ref_type_descriptor<T>::type());
}
template <typename T>
inline void ref_type_release(T *object) {
  iree_vm_ref_object_release(object, ref_type_descriptor<T>::type());
}

// Base of C++ classes that are counted: class my_t : public vm::RefObject<my_t>. Starts with one reference.
// The descriptor takes offsetof_counter() and DirectDestroy.
template <typename T>
class RefObject {
 public:
  void AddReference() { iree_atomic_ref_count_inc(&counter_); }
  void ReleaseReference() {
    if (iree_atomic_ref_count_dec(&counter_) == 1) delete static_cast<T *>(this);
  }
  static void DirectDestroy(void *object) { delete static_cast<T *>(object); }
  static constexpr std::size_t offsetof_counter() { return offsetof(T, counter_) / IREE_VM_REF_COUNTER_ALIGNMENT; }

 protected:
  RefObject() { iree_atomic_ref_count_init(&counter_); }
  RefObject(const RefObject &) : RefObject() {}
  RefObject &operator=(const RefObject &) { return *this; }

  iree_atomic_ref_count_t counter_;
};

template <typename T>
class ref {
 public:
  ref() noexcept = default;
  ref(std::nullptr_t) noexcept {}  // NOLINT
  // Takes ownership of a reference.
  ref(T *object) noexcept { ref_.ptr = object; }  // NOLINT
  ref(const ref &other) noexcept {
    ref_.ptr = other.ref_.ptr;
    if (get()) ref_type_retain<T>(get());
  }
  ref(ref &&other) noexcept { ref_.ptr = other.release(); }
  template <typename U>
  ref(ref<U> &&other) noexcept {  // NOLINT
    ref_.ptr = static_cast<T *>(other.release());
  }
  ref &operator=(const ref &) = delete;
  ref &operator=(ref &&other) noexcept {
    if (this != std::addressof(other)) assign(other.release());
    return *this;
  }
  template <typename U>
  ref &operator=(ref<U> &&other) noexcept {
    assign(static_cast<T *>(other.release()));
    return *this;
  }
  ~ref() noexcept { reset(); }

  T *get() const noexcept { return static_cast<T *>(ref_.ptr); }
  T &operator*() const noexcept { return *get(); }
  T *operator->() const noexcept { return get(); }
  explicit operator bool() const noexcept { return ref_.ptr != nullptr; }
  bool operator!() const noexcept { return ref_.ptr == nullptr; }

  void reset() noexcept { assign(nullptr); }
  T *release() noexcept { return static_cast<T *>(std::exchange(ref_.ptr, nullptr)); }
  // Takes ownership of a reference.
  void assign(T *object) noexcept {
    T *old = get();
    ref_.ptr = object;
    if (old) ref_type_release<T>(old);
  }
  void swap(ref &other) noexcept { std::swap(ref_.ptr, other.ref_.ptr); }

  // For C functions that write a reference to an empty one.
  T **operator&() noexcept { return reinterpret_cast<T **>(&ref_.ptr); }  // NOLINT
  iree_vm_ref_type_t type() const noexcept { return get() ? ref_type_descriptor<T>::type() : IREE_VM_REF_TYPE_NULL; }
  operator iree_vm_ref_t *() const noexcept {  // NOLINT
    ref_.type = type();
    return const_cast<iree_vm_ref_t *>(std::addressof(ref_));
  }

 private:
  mutable iree_vm_ref_t ref_ = {nullptr, IREE_VM_REF_TYPE_NULL};
};

template <typename T, typename... Args>
inline ref<T> make_ref(Args &&...args) {
  return ref<T>(new T(std::forward<Args>(args)...));
}
template <typename T>
inline ref<T> retain_ref(T *object) {
  if (object) ref_type_retain<T>(object);
  return ref<T>(object);
}
template <typename T>
inline ref<T> retain_ref(const ref<T> &object) {
  return retain_ref(object.get());
}
template <typename T>
inline ref<T> assign_ref(T *object) {
  return ref<T>(object);
}

template <typename T, typename U>
inline bool operator==(const ref<T> &a, const ref<U> &b) {
  return a.get() == b.get();
}
template <typename T, typename U>
inline bool operator!=(const ref<T> &a, const ref<U> &b) {
  return a.get() != b.get();
}
template <typename T, typename U>
inline bool operator==(const ref<T> &a, U *b) {
  return a.get() == b;
}
template <typename T, typename U>
inline bool operator!=(const ref<T> &a, U *b) {
  return a.get() != b;
}
template <typename T>
inline bool operator<(const ref<T> &a, const ref<T> &b) {
  return a.get() < b.get();
}
template <typename T>
inline void swap(ref<T> &a, ref<T> &b) {
  a.swap(b);
}

// A reference of any type.
class opaque_ref {
 public:
  opaque_ref() = default;
  opaque_ref(const opaque_ref &) = delete;
  opaque_ref(opaque_ref &&other) noexcept { iree_vm_ref_move(&other.value_, &value_); }
  opaque_ref &operator=(const opaque_ref &) = delete;
  opaque_ref &operator=(opaque_ref &&other) noexcept {
    iree_vm_ref_move(&other.value_, &value_);
    return *this;
  }
  ~opaque_ref() { iree_vm_ref_release(&value_); }

  iree_vm_ref_t *get() const noexcept { return &value_; }
  operator iree_vm_ref_t *() const noexcept { return &value_; }  // NOLINT
  iree_vm_ref_t *operator&() noexcept { return &value_; }        // NOLINT
  bool operator!() const noexcept { return !value_.ptr; }

 private:
  mutable iree_vm_ref_t value_ = {nullptr, IREE_VM_REF_TYPE_NULL};
};

}  // namespace vm
}  // namespace iree

// Templates stand outside of `extern "C"`, wherever the macro is used.
#define IREE_VM_DECLARE_CC_TYPE_LOOKUP(name, T)                                                      \
  extern "C++" {                                                                                     \
  namespace iree {                                                                                   \
  namespace vm {                                                                                     \
  template <>                                                                                        \
  struct ref_type_descriptor<T> {                                                                    \
    static inline iree_vm_ref_type_t type() { return name##_type(); }                                \
    static inline const iree_vm_ref_type_descriptor_t *get() { return iree_vm_ref_type_descriptor(type()); } \
  };                                                                                                 \
  }                                                                                                  \
  }                                                                                                  \
  }
#define IREE_VM_DECLARE_CC_TYPE_ADAPTERS(name, T)     \
  extern "C++" {                                      \
  namespace iree {                                    \
  namespace vm {                                      \
  template <>                                         \
  inline void ref_type_retain<T>(T * object) {        \
    name##_retain(object);                            \
  }                                                   \
  template <>                                         \
  inline void ref_type_release<T>(T * object) {       \
    name##_release(object);                           \
  }                                                   \
  }                                                   \
  }                                                   \
  }

#endif  // IREE_VM_REF_CC_H_
