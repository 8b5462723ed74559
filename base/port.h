// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the language standard leaves out and this code base uses, each with a portable form.
#ifndef BASE_PORT_H_
#define BASE_PORT_H_

// Labels as values: interpreters jump from each instruction straight to the next. Without them a
// switch does the same work.
#if defined(__GNUC__) && !defined(PORT_NO_COMPUTED_GOTO)
#define PORT_COMPUTED_GOTO 1
#else
#define PORT_COMPUTED_GOTO 0
#endif

// Makes compilers forget what they know of a pointer, so that what it points at stays in memory.
#if defined(__GNUC__)
#define PORT_OPAQUE(pointer) __asm__("" : "+r"(pointer))
#else
#define PORT_OPAQUE(pointer) ((void)0)
#endif

// Internal functions that one library of the shared runtime calls in another (packaging/runtime.map).
#define SHARED_INTERNALLY __attribute__((visibility("default")))

#endif  // BASE_PORT_H_
