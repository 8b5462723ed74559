// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lowered variant to the bytes of an executable: kernels, library, objects, packed ELF.
//
// Kernels are cut into chunks, each an LLVM module in a context of its own, so that threads work
// side by side and time stays linear in the number of kernels. What a chunk adds besides kernels
// (constants, helpers) is local to its object.
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/llvm/describe.h"
#include "compiler/codegen/llvm/elf_pack.h"
#include "compiler/codegen/llvm/emit.h"
#include "compiler/codegen/llvm/library.h"
#include "compiler/codegen/llvm/machine.h"

enum {
  MAX_EXPORTS = 1024,
  // A chunk ends with the kernel that reaches either bound. Bounds are of the program alone: the
  // bytes must not depend on how many threads there are.
  MAX_CHUNK_KERNELS = 64,
  MAX_CHUNK_OPS = 8192,
};

// A run of kernels, in the order of the exports, that becomes one object.
typedef struct {
  llvm_session_t session;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMMemoryBufferRef object, assembly;  // assembly: of intermediates
  char *ir_text;                         // likewise
  size_t first, count;  // in |kernels|
  iree_status_t status;
  const ir_op_t *failed_op;
} chunk_t;

typedef struct {
  size_t ordinal;
  const ir_op_t *func;
} kernel_t;

struct codegen_serializer_t {
  ir_ctx_t *ir;
  ir_op_t *variant, *module_op;
  const char *library_name;  // the executable's
  const codegen_target_t *target;
  const codegen_options_t *options;
  llvm_library_export_t *exports;  // by ordinal
  char **names;
  size_t export_count;
  kernel_t *kernels;  // by position in the variant
  size_t kernel_count;
  // Kernels, then the library; one chunk with both when kernels fill no more than one.
  chunk_t *chunks;
  size_t chunk_count;
};
typedef codegen_serializer_t serializer_t;

static iree_status_t fail(const ir_op_t **failed_op, const ir_op_t *op, const char *what) {
  *failed_op = op;
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%s", what);
}

static bool is_named(const ir_op_t *op, const char *name) {
  return op && strcmp(ir_op_name(op), name) == 0;
}

//===-- plan ---------------------------------------------------------------------------------------

// The function called |name|, looked for from |*at| on: exports and functions stand in one order.
static const ir_op_t *find_function(const serializer_t *s, iree_string_view_t name,
                                    const ir_op_t **at) {
  for (const ir_op_t *op = *at; op; op = op->next) {
    if (!ir_op_has_trait(op, IR_SYMBOL) || !iree_string_view_equal(ir_op_sym_name(op), name))
      continue;
    *at = op->next;
    return op;
  }
  return emit_find_symbol(s->module_op, name);
}

static iree_status_t read_export(serializer_t *s, ir_op_t *op, const ir_op_t **at,
                                 const ir_op_t **failed_op) {
  ir_attr_t layout = ir_op_attr(op, "layout");
  ir_attr_t constants = ir_attr_param(layout, "constants"), bindings = ir_attr_param(layout, "bindings");
  int64_t ordinal = ir_op_int(op, "ordinal", (int64_t)s->export_count);
  if (ordinal < 0 || ordinal >= MAX_EXPORTS)
    return fail(failed_op, op, "has an ordinal outside 0..1023");
  llvm_library_export_t *export = &s->exports[ordinal];
  iree_string_view_t name = ir_op_sym_name(op);
  if (export->name) return fail(failed_op, op, "repeats an ordinal");
  s->names[ordinal] = strndup(name.data, name.size);
  export->name = s->names[ordinal];
  export->constant_count = (uint8_t)(ir_is(constants, IR_A_INT) ? ir_int(constants, 0) : 0);
  export->binding_count = (uint8_t)(bindings ? bindings->n_kids : 0);
  ir_attr_t size = ir_op_attr(op, "workgroup_size");
  for (size_t i = 0; size && i < 3 && i < size->n_kids; ++i) {
    if (ir_is(ir_kid(size, i), IR_A_INT))
      export->workgroup_size[i] = (uint32_t)ir_int(ir_kid(size, i), 0);
  }
  const ir_op_t *func = find_function(s, name, at);
  if (!func) return fail(failed_op, op, "names no function of the executable");
  if ((size_t)ordinal >= s->export_count) s->export_count = (size_t)ordinal + 1;
  s->kernels[s->kernel_count++] = (kernel_t){.ordinal = (size_t)ordinal, .func = func};
  return iree_ok_status();
}

static iree_status_t read_variant(serializer_t *s, const ir_op_t **failed_op) {
  if (!ir_body(s->variant)) return fail(failed_op, s->variant, "is empty");
  for (ir_op_t *op = ir_body(s->variant)->first; op; op = op->next) {
    if (is_named(op, "builtin.module")) s->module_op = op;
  }
  if (!s->module_op) return fail(failed_op, s->variant, "has no module of functions");
  const ir_op_t *at = ir_body(s->module_op) ? ir_body(s->module_op)->first : NULL;
  for (ir_op_t *op = ir_body(s->variant)->first; op; op = op->next) {
    if (is_named(op, "hal.executable.export"))
      IREE_RETURN_IF_ERROR(read_export(s, op, &at, failed_op));
  }
  for (size_t i = 0; i < s->export_count; ++i) {
    if (!s->exports[i].name) return fail(failed_op, s->variant, "lacks an export ordinal");
  }
  return iree_ok_status();
}

static iree_status_t count_op(ir_op_t *op, void *self) {
  (void)op;
  ++*(size_t *)self;
  return iree_ok_status();
}

// Assembly text and the object file of a static library are not cut.
static bool is_whole(const serializer_t *s) {
  return s->options->want_assembly || s->target->link == CODEGEN_LINK_STATIC;
}

static void cut_chunks(serializer_t *s) {
  s->chunks = calloc(s->kernel_count + 2, sizeof(*s->chunks));
  if (!s->chunks) abort();
  size_t ops = 0;
  chunk_t *chunk = NULL;
  for (size_t i = 0; i < s->kernel_count; ++i) {
    if (!chunk) {
      chunk = &s->chunks[s->chunk_count++];
      chunk->first = i;
      ops = 0;
    }
    ++chunk->count;
    iree_status_free(ir_walk((ir_op_t *)s->kernels[i].func, count_op, &ops));
    bool is_full = chunk->count >= MAX_CHUNK_KERNELS || ops >= MAX_CHUNK_OPS;
    if (is_full && !is_whole(s)) chunk = NULL;
  }
  if (s->chunk_count != 1) ++s->chunk_count;  // the library's
}

iree_status_t codegen_serializer_create(ir_ctx_t *ctx, ir_op_t *variant,
                                        const codegen_target_t *target,
                                        const codegen_options_t *options,
                                        codegen_serializer_t **out_serializer,
                                        const ir_op_t **out_failed_op) {
  *out_serializer = NULL;
  *out_failed_op = NULL;
  serializer_t *s = calloc(1, sizeof(*s));
  if (!s) abort();
  *s = (serializer_t){.ir = ctx, .variant = variant, .target = target, .options = options};
  s->exports = calloc(MAX_EXPORTS, sizeof(*s->exports));
  s->names = calloc(MAX_EXPORTS, sizeof(*s->names));
  s->kernels = calloc(MAX_EXPORTS, sizeof(*s->kernels));
  if (!s->exports || !s->names || !s->kernels) abort();
  s->library_name = ir_op_sym_name(ir_op_parent(variant)).data;
  iree_status_t status = read_variant(s, out_failed_op);
  if (!iree_status_is_ok(status)) {
    codegen_serializer_free(s);
    return status;
  }
  cut_chunks(s);
  *out_serializer = s;
  return status;
}

size_t codegen_serializer_chunk_count(const codegen_serializer_t *s) { return s->chunk_count; }

//===-- chunks -------------------------------------------------------------------------------------

static bool has_library(const serializer_t *s, const chunk_t *chunk) {
  return chunk == &s->chunks[s->chunk_count - 1];
}

// A symbol that objects share and the image does not show.
static void share(LLVMValueRef function) {
  LLVMSetLinkage(function, LLVMExternalLinkage);
  LLVMSetVisibility(function, LLVMHiddenVisibility);
}

static iree_status_t emit_kernels(serializer_t *s, chunk_t *chunk, LLVMValueRef *functions) {
  emit_params_t params = {
      .ir = s->ir,
      .target = s->target,
      .module = chunk->module,
      .module_op = s->module_op,
      .allow_contract = s->target->has_fma && !s->options->strict_float,
  };
  for (size_t i = chunk->first; i < chunk->first + chunk->count; ++i) {
    const kernel_t *kernel = &s->kernels[i];
    LLVMValueRef *function = &functions[kernel->ordinal];
    IREE_RETURN_IF_ERROR(emit_kernel(&params, kernel->func, s->exports[kernel->ordinal].name,
                                     function, &chunk->failed_op));
    if (!has_library(s, chunk)) share(*function);
  }
  return iree_ok_status();
}

// Adds the library, which knows kernels of other chunks by name alone.
static iree_status_t emit_library(serializer_t *s, chunk_t *chunk, LLVMValueRef *functions) {
  for (size_t i = 0; i < s->export_count; ++i) {
    if (!functions[i]) {
      functions[i] = LLVMAddFunction(chunk->module, s->exports[i].name,
                                     llvm_kernel_type(chunk->session.context));
      share(functions[i]);
    }
    s->exports[i].function = functions[i];
  }
  bool is_static = s->target->link == CODEGEN_LINK_STATIC;
  char *query = is_static ? codegen_query_symbol(s->library_name) : NULL;
  llvm_library_params_t library = {
      .name = is_static ? s->library_name : s->options->library_name,
      .query_symbol = query,
      .exports = s->exports,
      .export_count = s->export_count,
  };
  iree_status_t status = llvm_library_build(chunk->module, &library);
  free(query);
  return status;
}

static iree_status_t generate(serializer_t *s, chunk_t *chunk, LLVMValueRef *functions) {
  chunk->module = LLVMModuleCreateWithNameInContext("executable", chunk->session.context);
  LLVMSetTarget(chunk->module, s->target->triple);
  LLVMSetDataLayout(chunk->module, s->target->data_layout);
  IREE_RETURN_IF_ERROR(emit_kernels(s, chunk, functions));
  if (has_library(s, chunk)) IREE_RETURN_IF_ERROR(emit_library(s, chunk, functions));
  IREE_RETURN_IF_ERROR(llvm_machine_create(s->target, &chunk->machine));
  if (s->options->keep_intermediates) {
    // Emission changes the module: text is of a copy.
    chunk->ir_text = LLVMPrintModuleToString(chunk->module);
    LLVMModuleRef copy = LLVMCloneModule(chunk->module);
    iree_status_t status = llvm_emit(&chunk->session, chunk->machine, copy, LLVM_OUTPUT_ASSEMBLY, &chunk->assembly);
    LLVMDisposeModule(copy);
    IREE_RETURN_IF_ERROR(status);
  }
  return llvm_emit(&chunk->session, chunk->machine, chunk->module,
                   s->options->want_assembly ? LLVM_OUTPUT_ASSEMBLY : LLVM_OUTPUT_OBJECT,
                   &chunk->object);
}

void codegen_serializer_generate(codegen_serializer_t *s, size_t index) {
  chunk_t *chunk = &s->chunks[index];
  LLVMValueRef *functions = calloc(MAX_EXPORTS, sizeof(*functions));
  if (!functions) abort();
  llvm_session_init(&chunk->session);
  chunk->status = generate(s, chunk, functions);
  if (chunk->machine) LLVMDisposeTargetMachine(chunk->machine);
  if (chunk->module) LLVMDisposeModule(chunk->module);
  llvm_session_deinit(&chunk->session);
  free(functions);
}

//===-- result -------------------------------------------------------------------------------------

// Rows of the note of kernels, by ordinal.
static elf_pack_kernel_t *describe_kernels(const serializer_t *s) {
  elf_pack_kernel_t *rows = calloc(s->export_count + 1, sizeof(*rows));
  const ir_op_t **funcs = calloc(s->export_count + 1, sizeof(*funcs));
  if (!rows || !funcs) abort();
  for (size_t i = 0; i < s->kernel_count; ++i) funcs[s->kernels[i].ordinal] = s->kernels[i].func;
  ir_term_t const *file = NULL;
  for (size_t i = 0; i < s->export_count; ++i) {
    rows[i].name = s->exports[i].name;
    rows[i].description = kernel_describe(funcs[i], s->exports[i].binding_count, &file);
  }
  free(funcs);
  return rows;
}

static iree_status_t pack_objects(const serializer_t *s, codegen_binary_t *out) {
  iree_const_byte_span_t *objects = calloc(s->chunk_count, sizeof(*objects));
  if (!objects) abort();
  for (size_t i = 0; i < s->chunk_count; ++i) {
    LLVMMemoryBufferRef object = s->chunks[i].object;
    objects[i] =
        iree_make_const_byte_span(LLVMGetBufferStart(object), LLVMGetBufferSize(object));
  }
  elf_pack_kernel_t *kernels = NULL;
  if (s->options->describe_kernels) kernels = describe_kernels(s);
  elf_pack_params_t params = {
      .kernels = kernels,
      .kernel_count = kernels ? s->export_count : 0,
      .objects = objects,
      .object_count = s->chunk_count,
      .export_symbol = LLVM_LIBRARY_QUERY_SYMBOL,
      .for_system = s->target->link == CODEGEN_LINK_SYSTEM,
      .processor_words = s->target->processor,
      .processor_word_count = CODEGEN_PROCESSOR_WORDS,
  };
  iree_status_t status = elf_pack(&params, &out->bytes, &out->count);
  for (size_t i = 0; kernels && i < s->export_count; ++i) free((void *)kernels[i].description.data);
  free(kernels);
  free(objects);
  return status;
}

iree_status_t codegen_serializer_finish(codegen_serializer_t *s, codegen_binary_t *out) {
  *out = (codegen_binary_t){0};
  for (size_t i = 0; i < s->chunk_count; ++i) {
    chunk_t *chunk = &s->chunks[i];
    if (iree_status_is_ok(chunk->status)) continue;
    iree_status_t status = chunk->status;
    chunk->status = iree_ok_status();
    out->failed_op = chunk->failed_op;
    return status;
  }
  if (!is_whole(s)) return pack_objects(s, out);
  LLVMMemoryBufferRef text = s->chunks[0].object;
  out->count = LLVMGetBufferSize(text);
  out->bytes = malloc(out->count + 1);
  if (!out->bytes) abort();
  memcpy(out->bytes, LLVMGetBufferStart(text), out->count);
  return iree_ok_status();
}

bool codegen_serializer_intermediate(const codegen_serializer_t *s, size_t chunk, size_t kind, const char **out_suffix,
                                     iree_string_view_t *out_contents) {
  static const char *const suffixes[] = {".codegen.ll", ".s", ".o"};
  const chunk_t *c = &s->chunks[chunk];
  if (kind > 2 || !c->object || !c->assembly || !c->ir_text) return false;
  LLVMMemoryBufferRef buffer = kind == 1 ? c->assembly : c->object;
  *out_suffix = suffixes[kind];
  *out_contents = kind == 0 ? iree_make_cstring_view(c->ir_text) : iree_make_string_view(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  return true;
}

void codegen_serializer_free(codegen_serializer_t *s) {
  if (!s) return;
  for (size_t i = 0; i < s->chunk_count; ++i) {
    if (s->chunks[i].object) LLVMDisposeMemoryBuffer(s->chunks[i].object);
    if (s->chunks[i].assembly) LLVMDisposeMemoryBuffer(s->chunks[i].assembly);
    if (s->chunks[i].ir_text) LLVMDisposeMessage(s->chunks[i].ir_text);
    iree_status_free(s->chunks[i].status);
  }
  for (size_t i = 0; i < MAX_EXPORTS; ++i) free(s->names[i]);
  free(s->chunks);
  free(s->kernels);
  free(s->names);
  free(s->exports);
  free(s);
}
