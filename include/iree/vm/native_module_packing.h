// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ member functions as functions of native modules: signatures, arguments and results from C++ types.
//
//   C++ parameter or result                  in the signature
//   int32_t uint32_t / int64_t uint64_t      i / I
//   float / double                           f / F
//   vm::ref<T>, T* (borrowed), opaque_ref    r
//   iree_string_view_t, std::string_view     r     parameters only: the contents of a !util.buffer
//   std::array<U, N>, std::tuple<Ts...>      their members, one after the other
//   iree::span<U>                            C..D  parameters only: any number of U
//
// Functions return iree::Status or iree::StatusOr<R>.
#ifndef IREE_VM_NATIVE_MODULE_PACKING_H_
#define IREE_VM_NATIVE_MODULE_PACKING_H_

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "iree/base/api.h"
#include "iree/base/internal/span.h"
#include "iree/base/status_cc.h"
#include "iree/vm/buffer.h"
#include "iree/vm/module.h"
#include "iree/vm/ref.h"
#include "iree/vm/ref_cc.h"
#include "iree/vm/stack.h"

namespace iree {
namespace vm {
namespace packing {

template <typename T>
using plain = std::remove_cv_t<std::remove_reference_t<T>>;

// Walks a packed area. After a failure it reads nothing more.
class reader {
 public:
  explicit reader(iree_byte_span_t area) : at_(area.data), end_(area.data + area.data_length) {}

  // The next |count| members of |size| bytes each; null if they leave the area.
  uint8_t *take(size_t size, size_t alignment, size_t count = 1) {
    uint8_t *begin = reinterpret_cast<uint8_t *>(iree_host_align(reinterpret_cast<uintptr_t>(at_), alignment));
    if (IREE_UNLIKELY(begin > end_ || count > static_cast<size_t>(end_ - begin) / size)) {
      fail(iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "the packed arguments end too early"));
      return nullptr;
    }
    at_ = begin + size * count;
    return begin;
  }
  // The next reference if it is null or of |type|, else null after a failure.
  iree_vm_ref_t *take_ref(iree_vm_ref_type_t type) {
    iree_vm_ref_t *ref = reinterpret_cast<iree_vm_ref_t *>(take(sizeof(iree_vm_ref_t), alignof(iree_vm_ref_t)));
    if (!ref || ref->type == IREE_VM_REF_TYPE_NULL || ref->type == type) return ref;
    iree_string_view_t have = iree_vm_ref_type_name(ref->type), want = iree_vm_ref_type_name(type);
    fail(iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "an argument is a !%.*s where a !%.*s is expected",
                          static_cast<int>(have.size), have.data, static_cast<int>(want.size), want.data));
    return nullptr;
  }
  void fail(iree_status_t status) {
    if (status_.ok()) status_ = Status(std::move(status));
    else iree_status_free(status);
    at_ = end_;
  }
  bool failed() const { return !status_.ok(); }
  Status take_status() { return std::move(status_); }

 private:
  uint8_t *at_, *end_;
  Status status_;
};

// value<T>: letters of T in a signature; `storage` keeps an argument while the function runs; load reads
// it, store writes a result at |at|, which moves past it.
template <typename T, typename = void>
struct value;

template <typename T, char letter>
struct primitive_value {
  using storage = T;
  static void append_letters(std::string &out) { out += letter; }
  static void load(reader &from, T &out) {
    if (const uint8_t *at = from.take(sizeof(T), alignof(T))) std::memcpy(&out, at, sizeof(T));
  }
  static void store(uint8_t *&at, T result) {
    at = reinterpret_cast<uint8_t *>(iree_host_align(reinterpret_cast<uintptr_t>(at), alignof(T)));
    std::memcpy(at, &result, sizeof(T));
    at += sizeof(T);
  }
};
template <>
struct value<int32_t> : primitive_value<int32_t, 'i'> {};
template <>
struct value<uint32_t> : primitive_value<uint32_t, 'i'> {};
template <>
struct value<int64_t> : primitive_value<int64_t, 'I'> {};
template <>
struct value<uint64_t> : primitive_value<uint64_t, 'I'> {};
template <>
struct value<float> : primitive_value<float, 'f'> {};
template <>
struct value<double> : primitive_value<double, 'F'> {};

struct ref_letters {
  static void append_letters(std::string &out) { out += 'r'; }
  static iree_vm_ref_t *next(uint8_t *&at) {
    iree_vm_ref_t *ref = reinterpret_cast<iree_vm_ref_t *>(iree_host_align(reinterpret_cast<uintptr_t>(at), alignof(iree_vm_ref_t)));
    at = reinterpret_cast<uint8_t *>(ref + 1);
    return ref;
  }
};

template <>
struct value<opaque_ref> : ref_letters {
  using storage = opaque_ref;
  static void load(reader &from, opaque_ref &out) {
    if (uint8_t *at = from.take(sizeof(iree_vm_ref_t), alignof(iree_vm_ref_t)))
      iree_vm_ref_retain(reinterpret_cast<iree_vm_ref_t *>(at), &out);
  }
  static void store(uint8_t *&at, opaque_ref result) { iree_vm_ref_move(result.get(), next(at)); }
};

// A reference that the function may keep: shared with the caller's, which stays as it is.
template <typename T>
struct value<ref<T>> : ref_letters {
  using storage = ref<T>;
  static void load(reader &from, ref<T> &out) {
    if (iree_vm_ref_t *ref = from.take_ref(ref_type_descriptor<T>::type())) out = retain_ref(static_cast<T *>(ref->ptr));
  }
  static void store(uint8_t *&at, ref<T> result) {
    iree_vm_ref_t moved = {result.get(), result.type()};
    result.release();
    iree_vm_ref_move(&moved, next(at));
  }
};

// A reference that is borrowed for the call.
template <typename T>
struct value<T *, std::void_t<decltype(ref_type_descriptor<T>::type())>> : ref_letters {
  using storage = T *;
  static void load(reader &from, T *&out) {
    iree_vm_ref_t *ref = from.take_ref(ref_type_descriptor<T>::type());
    out = ref ? static_cast<T *>(ref->ptr) : nullptr;
  }
};

template <>
struct value<iree_string_view_t> : ref_letters {
  using storage = iree_string_view_t;
  static void load(reader &from, iree_string_view_t &out) {
    iree_vm_ref_t *ref = from.take_ref(iree_vm_buffer_type());
    out = iree_string_view_empty();
    if (!ref || !ref->ptr) return;
    iree_byte_span_t data = static_cast<iree_vm_buffer_t *>(ref->ptr)->data;
    out = iree_make_string_view(reinterpret_cast<const char *>(data.data), data.data_length);
  }
};
template <>
struct value<std::string_view> : ref_letters {
  using storage = std::string_view;
  static void load(reader &from, std::string_view &out) {
    iree_string_view_t text;
    value<iree_string_view_t>::load(from, text);
    out = std::string_view(text.data, text.size);
  }
};

template <typename U, size_t N>
struct value<std::array<U, N>> {
  using storage = std::array<typename value<plain<U>>::storage, N>;
  static void append_letters(std::string &out) {
    for (size_t i = 0; i < N; ++i) value<plain<U>>::append_letters(out);
  }
  static void load(reader &from, storage &out) {
    for (auto &member : out) value<plain<U>>::load(from, member);
  }
  static void store(uint8_t *&at, std::array<U, N> result) {
    for (auto &member : result) value<plain<U>>::store(at, std::move(member));
  }
};

template <typename... Ts>
struct value<std::tuple<Ts...>> {
  using storage = std::tuple<typename value<plain<Ts>>::storage...>;
  static void append_letters(std::string &out) { (value<plain<Ts>>::append_letters(out), ...); }
  static void load(reader &from, storage &out) {
    std::apply([&](auto &...members) { (value<plain<Ts>>::load(from, members), ...); }, out);
  }
  static void store(uint8_t *&at, std::tuple<Ts...> result) {
    std::apply([&](auto &...members) { (value<plain<Ts>>::store(at, std::move(members)), ...); }, result);
  }
};

template <typename U>
struct value<iree::span<U>> {
  using member = plain<U>;
  using storage = std::vector<typename value<member>::storage>;
  static void append_letters(std::string &out) {
    out += 'C';
    value<member>::append_letters(out);
    out += 'D';
  }
  static void load(reader &from, storage &out) {
    int32_t count = 0;
    value<int32_t>::load(from, count);
    for (int32_t i = 0; i < count; ++i) {
      // Grows with what is really there: a wrong count ends at the area's end.
      typename value<member>::storage next{};
      value<member>::load(from, next);
      out.push_back(std::move(next));
      if (from.failed()) return;
    }
  }
};

// "0" arguments "_" results; nothing is `v`.
template <typename Results, typename... Params>
iree_string_view_t signature() {
  static const std::string text = [] {
    std::string letters = "0";
    (value<plain<Params>>::append_letters(letters), ...);
    if (sizeof...(Params) == 0) letters += 'v';
    letters += '_';
    if constexpr (std::is_void_v<Results>) letters += 'v';
    else value<plain<Results>>::append_letters(letters);
    return letters;
  }();
  return iree_make_string_view(text.data(), text.size());
}

// An argument as the function takes it: by reference where it asks for one, else moved.
template <typename Param, typename Storage>
decltype(auto) pass(Storage &storage) {
  if constexpr (std::is_lvalue_reference_v<Param>) return (storage);
  else if constexpr (std::is_same_v<plain<Param>, Storage>) return std::move(storage);
  else return plain<Param>(storage.data(), storage.size());  // a span over a vector
}

// Calls |fn| of |self| with the packed arguments.
template <typename Owner, typename Fn, typename... Params>
struct caller {
  using storage = std::tuple<typename value<plain<Params>>::storage...>;

  template <size_t... I>
  static auto apply(Owner *self, Fn fn, storage &arguments, std::index_sequence<I...>) {
    return (self->*fn)(pass<Params>(std::get<I>(arguments))...);
  }
  static Status load(iree_byte_span_t area, storage &arguments) {
    reader from(area);
    std::apply([&](auto &...members) { (value<plain<Params>>::load(from, members), ...); }, arguments);
    return from.take_status();
  }
};

template <typename Owner, typename Results, typename... Params>
Status call(void (Owner::*erased)(), Owner *self, iree_vm_stack_t *, iree_vm_function_call_t call) {
  using Fn = StatusOr<Results> (Owner::*)(Params...);
  using Caller = caller<Owner, Fn, Params...>;
  typename Caller::storage arguments;
  Status status = Caller::load(call.arguments, arguments);
  if (!status.ok()) return status;
  StatusOr<Results> results = Caller::apply(self, reinterpret_cast<Fn>(erased), arguments, std::index_sequence_for<Params...>());
  if (!results.ok()) return std::move(results).status();
  uint8_t *at = call.results.data;
  value<plain<Results>>::store(at, std::move(results).value());
  return OkStatus();
}

template <typename Owner, typename... Params>
Status call_void(void (Owner::*erased)(), Owner *self, iree_vm_stack_t *, iree_vm_function_call_t call) {
  using Fn = Status (Owner::*)(Params...);
  using Caller = caller<Owner, Fn, Params...>;
  typename Caller::storage arguments;
  Status status = Caller::load(call.arguments, arguments);
  if (!status.ok()) return status;
  return Caller::apply(self, reinterpret_cast<Fn>(erased), arguments, std::index_sequence_for<Params...>());
}

}  // namespace packing

// One row of a native module's table.
template <typename Owner>
struct NativeFunction {
  iree_string_view_t name;
  iree_string_view_t cconv;
  void (Owner::*const ptr)();
  Status (*const call)(void (Owner::*ptr)(), Owner *self, iree_vm_stack_t *stack, iree_vm_function_call_t call);
};

template <typename Owner, typename Results, typename... Params>
NativeFunction<Owner> MakeNativeFunction(const char *name, StatusOr<Results> (Owner::*fn)(Params...)) {
  return {iree_make_cstring_view(name), packing::signature<Results, Params...>(),
          reinterpret_cast<void (Owner::*)()>(fn), &packing::call<Owner, Results, Params...>};
}
template <typename Owner, typename... Params>
NativeFunction<Owner> MakeNativeFunction(const char *name, Status (Owner::*fn)(Params...)) {
  return {iree_make_cstring_view(name), packing::signature<void, Params...>(),
          reinterpret_cast<void (Owner::*)()>(fn), &packing::call_void<Owner, Params...>};
}

}  // namespace vm
}  // namespace iree

#endif  // IREE_VM_NATIVE_MODULE_PACKING_H_
