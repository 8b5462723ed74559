// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a dispatch body to machine code.
//
//   executable-sources    func.func per export: hal.interface.binding.subspan,
//   dispatch.tensor.load,
//                         linalg/tensor/arith on tensors, dispatch.tensor.store
//      | schedule.c       per stored tensor: which index runs over vector lanes, how the work is
//      cut into |                  workgroups; loops are built and each element is evaluated
//      (eval.c) inside them
//   executable-targets    the scheduled kernel: scf.for over flat memrefs, vector loads, arith,
//   math;
//                         text that other MLIR tools parse, and that says everything
//      | llvm/emit*.c     one op, one translation
//   hal                   object -> packed ELF (llvm/elf_pack.c); for target "vmvx", which has no
//                         vectors, instructions of the virtual machine (compiler/vm/kernel.h)
//
// Why evaluation by element: a tensor program is a set of equations "element = expression". Asking
// for an element and placing each answer in the outermost loop where its indices are fixed gives
// fusion, recomputation-free broadcasts, softmax and normalisations in one kernel, transposes,
// pads, slices and concatenations as index arithmetic, for any op and type, from one mechanism.
// What it does not do is tile contractions for registers and caches; that is another strategy,
// chosen before this one.
//
// Choice of lanes: every candidate index is tried and the cheapest kernel by a static cost (vector
// parts times trip counts, gathers dear) is kept. Workgroups: as many as the cost pays for, one for
// small work.
#ifndef IREE_COMPILER_CODEGEN_CODEGEN_H_
#define IREE_COMPILER_CODEGEN_CODEGEN_H_

#include "compiler/codegen/target.h"
#include "compiler/ir/ir.h"

// Makes the target that attribute #hal.executable.target<"llvm-cpu", "embedded-elf-...", {...}> or
// <"vmvx", ...> names.
//   owns:    transfers ownership of |out_target| to the caller (codegen_target_free)
//   errors:  INVALID_ARGUMENT  not such an attribute, or its entries are unknown
iree_status_t codegen_target_from_attr(ir_ctx_t *ctx, ir_attr_t attr,
                                       codegen_target_t **out_target);

// Lowers every function of hal.executable.variant |variant| to a scheduled kernel, in place, and
// writes the workgroup counts of its exports.
//   errors:  INVALID_ARGUMENT, UNIMPLEMENTED  with a diagnostic at the op
iree_status_t codegen_lower_variant(ir_ctx_t *ctx, ir_op_t *variant,
                                    const codegen_target_t *target);

typedef struct {
  bool strict_float;         // no fused multiply-add where the program has two operations
  bool want_assembly;        // assembly text instead of an executable
  bool keep_intermediates;   // for codegen_serializer_intermediate
  const char *library_name;  // diagnostic name; NULL: none
  bool describe_kernels;     // say in a note where kernels are, what they touch and come from
} codegen_options_t;

typedef struct {
  uint8_t *bytes;  // free
  size_t count;
  const ir_op_t *failed_op;  // what an error is about; NULL: the variant
} codegen_binary_t;

// The symbol of a static library's query function: |name| as an identifier of C, and a suffix.
//   owns:    the caller frees
char *codegen_query_symbol(const char *name);

// Compiles a lowered variant to the bytes of an executable, in chunks that several threads may
// generate side by side. Reports nothing: the caller turns a failure into a diagnostic.
//
//   create -> generate each chunk, on any thread, once -> finish -> free
typedef struct codegen_serializer_t codegen_serializer_t;

//   owns:      the caller frees |out_serializer| with codegen_serializer_free
//   lifetime:  all arguments outlive the serializer
//   errors:    INVALID_ARGUMENT  |variant|'s exports are not as they should; about |out_failed_op|
iree_status_t codegen_serializer_create(ir_ctx_t *ctx, ir_op_t *variant,
                                        const codegen_target_t *target,
                                        const codegen_options_t *options,
                                        codegen_serializer_t **out_serializer,
                                        const ir_op_t **out_failed_op);

// How many chunks there are; depends on the program alone.
size_t codegen_serializer_chunk_count(const codegen_serializer_t *serializer);

// Generates chunk |index|. Its failure is codegen_serializer_finish's.
void codegen_serializer_generate(codegen_serializer_t *serializer, size_t index);

// Packs the chunks, all generated.
//   owns:    transfers ownership of |out->bytes| to the caller
//   errors:  the first failed chunk's, with |out->failed_op|
iree_status_t codegen_serializer_finish(codegen_serializer_t *serializer, codegen_binary_t *out);

// What lies between a kernel and the executable, per chunk: ".codegen.ll", ".s" and ".o" by |kind| from 0. False past
// the last. Borrowed from |serializer|.
bool codegen_serializer_intermediate(const codegen_serializer_t *serializer, size_t chunk, size_t kind, const char **out_suffix,
                                     iree_string_view_t *out_contents);

void codegen_serializer_free(codegen_serializer_t *serializer);

// Lowers one function (schedule.c). |export_op| may be NULL: one workgroup then.
iree_status_t codegen_schedule_function(ir_ctx_t *ctx, ir_op_t *module, ir_op_t *func,
                                        ir_op_t *export_op, const codegen_target_t *target);

#endif  // IREE_COMPILER_CODEGEN_CODEGEN_H_
