// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iree_status_t: the result of everything that can fail.
//
// A pointer-sized value; 0 is success. The low 5 bits are the code (abi/status.def), the rest
// points to an optional record {text, file, line, notes} that the holder must pass on, free or
// ignore:
//
//   63                                  5 4    0
//   +------------------------------------+------+
//   | record address >> 5 (0 = no record)| code |
//   +------------------------------------+------+
//
// Printed form: `file:line: CODE; text; note; note`.
#ifndef IREE_BASE_STATUS_H_
#define IREE_BASE_STATUS_H_

#include <stdarg.h>
#include <stdio.h>

#include "iree/base/config.h"
#include "iree/base/string_view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_allocator_t iree_allocator_t;

#define IREE_STATUS_CODE_MASK 0x1Fu
typedef enum iree_status_code_e {
#define IREE_STATUS(value, name, meaning, advice) IREE_STATUS_##name = value,
#include "abi/status.def"
#undef IREE_STATUS
} iree_status_code_t;

typedef struct iree_status_handle_t *iree_status_t;

#define iree_status_from_code(code) \
  ((iree_status_t)((uintptr_t)((iree_status_code_t)(code)) & IREE_STATUS_CODE_MASK))
#define iree_status_code(value) ((iree_status_code_t)(((uintptr_t)(value)) & IREE_STATUS_CODE_MASK))
#define iree_ok_status() iree_status_from_code(IREE_STATUS_OK)
#define iree_status_is_ok(value) IREE_LIKELY((uintptr_t)(value) == IREE_STATUS_OK)
#define iree_status_is_cancelled(value) (iree_status_code(value) == IREE_STATUS_CANCELLED)
#define iree_status_is_unknown(value) (iree_status_code(value) == IREE_STATUS_UNKNOWN)
#define iree_status_is_invalid_argument(value) \
  (iree_status_code(value) == IREE_STATUS_INVALID_ARGUMENT)
#define iree_status_is_deadline_exceeded(value) \
  (iree_status_code(value) == IREE_STATUS_DEADLINE_EXCEEDED)
#define iree_status_is_not_found(value) (iree_status_code(value) == IREE_STATUS_NOT_FOUND)
#define iree_status_is_already_exists(value) (iree_status_code(value) == IREE_STATUS_ALREADY_EXISTS)
#define iree_status_is_permission_denied(value) \
  (iree_status_code(value) == IREE_STATUS_PERMISSION_DENIED)
#define iree_status_is_resource_exhausted(value) \
  (iree_status_code(value) == IREE_STATUS_RESOURCE_EXHAUSTED)
#define iree_status_is_failed_precondition(value) \
  (iree_status_code(value) == IREE_STATUS_FAILED_PRECONDITION)
#define iree_status_is_aborted(value) (iree_status_code(value) == IREE_STATUS_ABORTED)
#define iree_status_is_out_of_range(value) (iree_status_code(value) == IREE_STATUS_OUT_OF_RANGE)
#define iree_status_is_unimplemented(value) (iree_status_code(value) == IREE_STATUS_UNIMPLEMENTED)
#define iree_status_is_internal(value) (iree_status_code(value) == IREE_STATUS_INTERNAL)
#define iree_status_is_unavailable(value) (iree_status_code(value) == IREE_STATUS_UNAVAILABLE)
#define iree_status_is_data_loss(value) (iree_status_code(value) == IREE_STATUS_DATA_LOSS)
#define iree_status_is_unauthenticated(value) \
  (iree_status_code(value) == IREE_STATUS_UNAUTHENTICATED)
#define iree_status_is_deferred(value) (iree_status_code(value) == IREE_STATUS_DEFERRED)
#define iree_status_is_incompatible(value) (iree_status_code(value) == IREE_STATUS_INCOMPATIBLE)

// Selects the one-argument or the formatting form of a macro; up to 20 arguments.
#define IREE_STATUS_IMPL_PICK_(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, \
                               _16, _17, _18, _19, _20, name, ...)                               \
  name
#define IREE_STATUS_IMPL_FORM_(one, many, ...)                                                    \
  IREE_STATUS_IMPL_PICK_(__VA_ARGS__, many, many, many, many, many, many, many, many, many, many, \
                         many, many, many, many, many, many, many, many, many, one, ~)

// iree_make_status(code) or iree_make_status(code, "format", ...): a failing status with its place.
#if IREE_STATUS_MODE == 0
#define IREE_STATUS_IMPL_MAKE_1_(file, line, code) iree_status_from_code(code)
// The text is checked but not evaluated.
int iree_status_impl_unused_text_(const char *format, ...) IREE_PRINTF_ATTRIBUTE(1, 2);
#define IREE_STATUS_IMPL_MAKE_N_(file, line, code, ...) \
  ((void)sizeof(iree_status_impl_unused_text_(__VA_ARGS__)), iree_status_from_code(code))
#else
#define IREE_STATUS_IMPL_MAKE_1_(file, line, code) \
  iree_status_allocate(code, file, line, iree_string_view_empty())
#define IREE_STATUS_IMPL_MAKE_N_(file, line, code, ...) \
  iree_status_allocate_f(code, file, line, __VA_ARGS__)
#endif
#define iree_make_status_with_location(file, line, ...)                                   \
  IREE_STATUS_IMPL_FORM_(IREE_STATUS_IMPL_MAKE_1_, IREE_STATUS_IMPL_MAKE_N_, __VA_ARGS__) \
  (file, line, __VA_ARGS__)
#define iree_make_status(...) iree_make_status_with_location(__FILE__, __LINE__, __VA_ARGS__)

// Returns from the calling function when |expr| fails: (expr) or (expr, "note format", ...).
#define IREE_STATUS_IMPL_RETURN_1_(expr)                                  \
  do {                                                                    \
    iree_status_t iree_status_of_expr_ = (expr);                          \
    if (IREE_UNLIKELY(iree_status_of_expr_)) return iree_status_of_expr_; \
  } while (0)
#define IREE_STATUS_IMPL_RETURN_N_(expr, ...)                           \
  do {                                                                  \
    iree_status_t iree_status_of_expr_ = (expr);                        \
    if (IREE_UNLIKELY(iree_status_of_expr_))                            \
      return iree_status_annotate_f(iree_status_of_expr_, __VA_ARGS__); \
  } while (0)
#define IREE_RETURN_IF_ERROR(...)                                                             \
  IREE_STATUS_IMPL_FORM_(IREE_STATUS_IMPL_RETURN_1_, IREE_STATUS_IMPL_RETURN_N_, __VA_ARGS__) \
  (__VA_ARGS__)
// The same, evaluating |tail_expr| before it returns.
#define IREE_RETURN_AND_EVAL_IF_ERROR(tail_expr, expr) \
  do {                                                 \
    iree_status_t iree_status_of_expr_ = (expr);       \
    if (IREE_UNLIKELY(iree_status_of_expr_)) {         \
      (tail_expr);                                     \
      return iree_status_of_expr_;                     \
    }                                                  \
  } while (0)
// The goto form for functions with something to undo: status_var = expr, then `goto label`.
#define IREE_GOTO_IF_ERROR(label, status_var, expr)                \
  do {                                                             \
    (status_var) = (expr);                                         \
    if (IREE_UNLIKELY(!iree_status_is_ok(status_var))) goto label; \
  } while (0)
#define IREE_IGNORE_ERROR(expr) ((void)iree_status_ignore(expr))
// For samples and tests: prints the status and aborts.
#define IREE_CHECK_OK(expr)                                                           \
  do {                                                                                \
    iree_status_t iree_status_of_expr_ = (expr);                                      \
    if (IREE_UNLIKELY(iree_status_of_expr_)) iree_status_abort(iree_status_of_expr_); \
  } while (0)

// Code of an errno value.
//   errors: none
IREE_API_EXPORT iree_status_code_t iree_status_code_from_errno(int error_number);

// Name of a code, "INVALID_ARGUMENT"; never NULL.
//   owns:   static storage
//   errors: none
IREE_API_EXPORT const char *iree_status_code_string(iree_status_code_t code);

// Makes a status. |file| is kept by pointer and must be static; the text is copied. When memory
// runs out the result has the code alone. Code OK gives OK.
//   errors: none
IREE_API_EXPORT IREE_MUST_USE_RESULT iree_status_t iree_status_allocate(iree_status_code_t code,
                                                                        const char *file,
                                                                        uint32_t line,
                                                                        iree_string_view_t message);
IREE_API_EXPORT IREE_MUST_USE_RESULT IREE_PRINTF_ATTRIBUTE(4, 5) iree_status_t
    iree_status_allocate_f(iree_status_code_t code, const char *file, uint32_t line,
                           const char *format, ...);
IREE_API_EXPORT IREE_MUST_USE_RESULT iree_status_t iree_status_allocate_vf(
    iree_status_code_t code, const char *file, uint32_t line, const char *format, va_list varargs);
// As iree_status_allocate, with |file| copied.
//   errors: none
IREE_API_EXPORT IREE_MUST_USE_RESULT iree_status_t iree_status_allocate_copy(
    iree_status_code_t code, iree_string_view_t file, uint32_t line, iree_string_view_t message);

// A second status that says the same.
//   owns:   transfers ownership to the caller
//   errors: none
IREE_API_EXPORT IREE_MUST_USE_RESULT iree_status_t iree_status_clone(iree_status_t status);

// Keeps a status for long: records own all they need, so this is |status| itself.
//   owns:   takes and transfers |status|
//   errors: none
static inline IREE_MUST_USE_RESULT iree_status_t iree_status_freeze(iree_status_t status) {
  return status;
}

// Releases the record, if any.
//   owns:   takes ownership
//   errors: none
IREE_API_EXPORT void iree_status_free(iree_status_t status);
// Says on purpose that a failure does not matter here; returns OK.
//   owns:   takes ownership
//   errors: none
IREE_API_EXPORT iree_status_t iree_status_ignore(iree_status_t status);
// Frees and returns the code.
//   owns:   takes ownership
//   errors: none
IREE_API_EXPORT iree_status_code_t iree_status_consume_code(iree_status_t status);
// Keeps the first failure; a second one becomes its note.
//   owns:   takes ownership of both, transfers the result to the caller
//   errors: none
IREE_API_EXPORT iree_status_t iree_status_join(iree_status_t base_status, iree_status_t new_status);
// Prints to stderr and aborts the process: for samples and tests.
//   errors: none
IREE_API_EXPORT IREE_ATTRIBUTE_NORETURN void iree_status_abort(iree_status_t status);

// Adds a note to a failing status; OK passes through.
//   owns:   takes ownership, transfers the result to the caller
//   errors: none
IREE_API_EXPORT IREE_MUST_USE_RESULT iree_status_t iree_status_annotate(iree_status_t base_status,
                                                                        iree_string_view_t message);
IREE_API_EXPORT IREE_MUST_USE_RESULT IREE_PRINTF_ATTRIBUTE(2, 3) iree_status_t
    iree_status_annotate_f(iree_status_t base_status, const char *format, ...);

// Writes the printed form, NUL-terminated; |out_buffer_length| is the length without the NUL.
// With a capacity of 0 only measures. False if it does not fit.
//   errors: none
IREE_API_EXPORT bool iree_status_format(iree_status_t status, iree_host_size_t buffer_capacity,
                                        char *buffer, iree_host_size_t *out_buffer_length);
// Hands the printed form to |output_fn|; false as soon as that returns false, or without memory.
//   errors: none
typedef bool (*iree_status_output_fn_t)(iree_string_view_t string, void *user_data);
IREE_API_EXPORT bool iree_status_format_to(iree_status_t status, iree_status_output_fn_t output_fn,
                                           void *user_data);
// The same in memory from |allocator|.
//   owns:   transfers |out_buffer| to the caller
//   errors: none (false when memory runs out)
IREE_API_EXPORT bool iree_status_to_string(iree_status_t status, const iree_allocator_t *allocator,
                                           char **out_buffer, iree_host_size_t *out_buffer_length);
// Writes the printed form and a newline.
//   errors: none
IREE_API_EXPORT void iree_status_fprint(FILE *file, iree_status_t status);

typedef struct iree_status_source_location_t {
  const char *file;
  uint32_t line;
} iree_status_source_location_t;

// Where the status was made and its first text; empty when not recorded.
//   owns:   borrowed from |status| until it is freed
//   errors: none
IREE_API_EXPORT iree_status_source_location_t iree_status_source_location(iree_status_t status);
IREE_API_EXPORT iree_string_view_t iree_status_message(iree_status_t status);

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_STATUS_H_
