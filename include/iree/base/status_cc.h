// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statuses in C++: iree::Status owns an iree_status_t, iree::StatusOr<T> is one or a T.
//
//   iree::StatusOr<int> parse(...);
//   IREE_RETURN_IF_ERROR(c_function(...));          // an iree_status_t becomes either of them
//   IREE_ASSIGN_OR_RETURN(int value, parse(...));
//
// An iree_status_t that is handed to them is theirs; .release() gives it back. Taking the value of a
// failed StatusOr ends the process.
#ifndef IREE_BASE_STATUS_CC_H_
#define IREE_BASE_STATUS_CC_H_

#ifndef __cplusplus
#error "iree::Status is for C++; iree/base/status.h has the C form"
#endif

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "iree/base/status.h"

namespace iree {

enum class StatusCode : uint32_t {
  kOk = IREE_STATUS_OK,
  kCancelled = IREE_STATUS_CANCELLED,
  kUnknown = IREE_STATUS_UNKNOWN,
  kInvalidArgument = IREE_STATUS_INVALID_ARGUMENT,
  kDeadlineExceeded = IREE_STATUS_DEADLINE_EXCEEDED,
  kNotFound = IREE_STATUS_NOT_FOUND,
  kAlreadyExists = IREE_STATUS_ALREADY_EXISTS,
  kPermissionDenied = IREE_STATUS_PERMISSION_DENIED,
  kResourceExhausted = IREE_STATUS_RESOURCE_EXHAUSTED,
  kFailedPrecondition = IREE_STATUS_FAILED_PRECONDITION,
  kAborted = IREE_STATUS_ABORTED,
  kOutOfRange = IREE_STATUS_OUT_OF_RANGE,
  kUnimplemented = IREE_STATUS_UNIMPLEMENTED,
  kInternal = IREE_STATUS_INTERNAL,
  kUnavailable = IREE_STATUS_UNAVAILABLE,
  kDataLoss = IREE_STATUS_DATA_LOSS,
  kUnauthenticated = IREE_STATUS_UNAUTHENTICATED,
  kDeferred = IREE_STATUS_DEFERRED,
  kIncompatible = IREE_STATUS_INCOMPATIBLE,
};

inline const char *StatusCodeToString(StatusCode code) {
  return iree_status_code_string(static_cast<iree_status_code_t>(code));
}

class SourceLocation {
 public:
  constexpr SourceLocation() = default;
  constexpr SourceLocation(std::uint_least32_t line, const char *file_name) : line_(line), file_name_(file_name) {}
  constexpr std::uint_least32_t line() const { return line_; }
  constexpr const char *file_name() const { return file_name_; }

 private:
  std::uint_least32_t line_ = 0;
  const char *file_name_ = nullptr;
};
#define IREE_LOC ::iree::SourceLocation(__LINE__, __FILE__)

class Status final {
 public:
  Status() = default;
  Status(iree_status_t &&status) noexcept : value_(status) { status = code_of(status); }  // NOLINT
  Status(iree_status_code_t code) : value_(iree_status_from_code(code)) {}                // NOLINT
  Status(StatusCode code) : value_(iree_status_from_code(code)) {}                        // NOLINT
  Status(StatusCode code, const char *message) : Status(code, SourceLocation(), message) {}
  Status(StatusCode code, SourceLocation location, const char *message)
      : value_(iree_status_allocate(static_cast<iree_status_code_t>(code), location.file_name(), location.line(),
                                    iree_make_cstring_view(message))) {}
  // What is left of a status that was moved from is its code.
  Status(Status &&other) noexcept : value_(other.take()) {}
  Status(Status &other) noexcept : value_(other.take()) {}
  Status &operator=(Status &&other) noexcept {
    if (this != &other) reset(other.take());
    return *this;
  }
  Status &operator=(const StatusCode &code) { return reset(iree_status_from_code(code)); }
  ~Status() { iree_status_free(value_); }

  IREE_MUST_USE_RESULT bool ok() const { return iree_status_is_ok(value_); }
  IREE_MUST_USE_RESULT StatusCode code() const { return static_cast<StatusCode>(iree_status_code(value_)); }
  IREE_MUST_USE_RESULT std::string ToString() const { return ToString(value_); }
  IREE_MUST_USE_RESULT static std::string ToString(iree_status_t status) {
    std::string text;
    if (iree_status_is_ok(status)) return "OK";
    iree_status_format_to(status, append, &text);
    return text;
  }
  void IgnoreError() { value_ = iree_status_ignore(value_); }

  iree_status_t get() const { return value_; }  // borrowed
  IREE_MUST_USE_RESULT iree_status_t release() { return std::exchange(value_, iree_ok_status()); }
  IREE_MUST_USE_RESULT operator iree_status_t() && { return release(); }

  friend bool operator==(const Status &a, const Status &b) { return a.code() == b.code(); }
  friend bool operator!=(const Status &a, const Status &b) { return a.code() != b.code(); }
  friend bool operator==(const Status &a, StatusCode b) { return a.code() == b; }
  friend bool operator!=(const Status &a, StatusCode b) { return a.code() != b; }
  friend bool operator==(StatusCode a, const Status &b) { return a == b.code(); }
  friend bool operator!=(StatusCode a, const Status &b) { return a != b.code(); }

 private:
  static iree_status_t code_of(iree_status_t status) { return iree_status_from_code(iree_status_code(status)); }
  static bool append(iree_string_view_t text, void *self) {
    static_cast<std::string *>(self)->append(text.data, text.size);
    return true;
  }
  iree_status_t take() { return std::exchange(value_, code_of(value_)); }
  Status &reset(iree_status_t value) {
    iree_status_free(std::exchange(value_, value));
    return *this;
  }

  iree_status_t value_ = iree_ok_status();
};

inline Status OkStatus() { return Status(); }
IREE_MUST_USE_RESULT inline bool IsOk(const Status &status) { return status.ok(); }
IREE_MUST_USE_RESULT inline bool IsOk(const iree_status_t &status) { return iree_status_is_ok(status); }

template <typename T>
class StatusOr final {
 public:
  using element_type = T;

  StatusOr() : status_(StatusCode::kUnknown) {}
  StatusOr(iree_status_t &&status) noexcept : status_(std::move(status)) { check_failed(); }  // NOLINT
  StatusOr(Status &&status) noexcept : status_(std::move(status)) { check_failed(); }         // NOLINT
  StatusOr(StatusCode code) : status_(code) { check_failed(); }                                // NOLINT
  template <typename U = T,
            std::enable_if_t<std::is_convertible_v<U &&, T> && !std::is_same_v<std::decay_t<U>, StatusOr> &&
                                 !std::is_same_v<std::decay_t<U>, Status> &&
                                 !std::is_same_v<std::decay_t<U>, iree_status_t>,
                             int> = 0>
  StatusOr(U &&value) : value_(std::forward<U>(value)) {}  // NOLINT
  template <typename U, std::enable_if_t<!std::is_same_v<U, T> && std::is_convertible_v<U &&, T>, int> = 0>
  StatusOr(StatusOr<U> &&other) : status_(std::move(other.status_)), value_(std::move(other.value_)) {}  // NOLINT
  StatusOr(StatusOr &&) = default;
  StatusOr &operator=(StatusOr &&) = default;

  IREE_MUST_USE_RESULT bool ok() const { return status_.ok(); }
  explicit operator bool() const { return ok(); }
  const Status &status() const & { return status_; }
  Status status() && { return std::move(status_); }

  T &value() & { return *checked(); }
  const T &value() const & { return *checked(); }
  T &&value() && { return std::move(*checked()); }
  T &operator*() & { return *checked(); }
  const T &operator*() const & { return *checked(); }
  T &&operator*() && { return std::move(*checked()); }
  T *operator->() { return checked(); }
  const T *operator->() const { return checked(); }
  template <typename U>
  T value_or(U &&otherwise) && {
    return ok() ? std::move(*value_) : static_cast<T>(std::forward<U>(otherwise));
  }
  void IgnoreError() { status_.IgnoreError(); }

 private:
  template <typename U>
  friend class StatusOr;

  void check_failed() {
    if (IREE_UNLIKELY(ok()))
      iree_status_abort(iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "an OK status is no StatusOr: it lacks a value"));
  }
  T *checked() { return const_cast<T *>(static_cast<const StatusOr *>(this)->checked()); }
  const T *checked() const {
    if (IREE_UNLIKELY(!value_.has_value())) iree_status_abort(iree_status_clone(status_.get()));
    return &*value_;
  }

  Status status_;
  std::optional<T> value_;
};

template <typename T>
IREE_MUST_USE_RESULT inline bool IsOk(const StatusOr<T> &status_or) {
  return status_or.ok();
}

}  // namespace iree

#define IREE_STATUS_CC_JOIN_2_(a, b) a##b
#define IREE_STATUS_CC_JOIN_(a, b) IREE_STATUS_CC_JOIN_2_(a, b)
#define IREE_STATUS_CC_ASSIGN_(result, lhs, expr)                   \
  auto result = (expr);                                             \
  if (IREE_UNLIKELY(!::iree::IsOk(result))) return std::move(result).status(); \
  lhs = std::move(result).value()
#define IREE_ASSIGN_OR_RETURN(lhs, expr) \
  IREE_STATUS_CC_ASSIGN_(IREE_STATUS_CC_JOIN_(iree_status_or_, __LINE__), lhs, expr)

#endif  // IREE_BASE_STATUS_CC_H_
