// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upstream shares modules with MLIR's C API here. This compiler has an IR of its own.
#error "iree-c is built without MLIR: pass programs as text or bytecode (ireeCompilerSourceWrapBuffer in embedding_api.h)"
