// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iree::span<T>: std::span where C++20 has it, else what is needed of one.
#ifndef IREE_BASE_INTERNAL_SPAN_H_
#define IREE_BASE_INTERNAL_SPAN_H_
#ifdef __cplusplus

#include <cstddef>
#include <type_traits>
#include <utility>

#if __cplusplus >= 202002L
#include <span>
namespace iree {
template <typename T>
using span = std::span<T>;
}  // namespace iree
#else
namespace iree {

constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <typename T>
class span {
 public:
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using iterator = T *;

  constexpr span() = default;
  constexpr span(T *data, size_type size) : data_(data), size_(size) {}
  template <size_type N>
  constexpr span(T (&array)[N]) : data_(array), size_(N) {}  // NOLINT
  // Of anything with data() and size().
  template <typename C, typename = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
  constexpr span(C &container) : data_(container.data()), size_(container.size()) {}  // NOLINT
  template <typename C, typename = std::enable_if_t<std::is_convertible_v<decltype(std::declval<const C &>().data()), T *>>>
  constexpr span(const C &container) : data_(container.data()), size_(container.size()) {}  // NOLINT

  constexpr T *data() const { return data_; }
  constexpr size_type size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T &operator[](size_type i) const { return data_[i]; }
  constexpr T &front() const { return data_[0]; }
  constexpr T &back() const { return data_[size_ - 1]; }
  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  // |offset| is at most size(); |count| is cut to what follows.
  constexpr span subspan(size_type offset, size_type count = dynamic_extent) const {
    return span(data_ + offset, count < size_ - offset ? count : size_ - offset);
  }

 private:
  T *data_ = nullptr;
  size_type size_ = 0;
};

}  // namespace iree
#endif  // C++20

#endif  // __cplusplus
#endif  // IREE_BASE_INTERNAL_SPAN_H_
