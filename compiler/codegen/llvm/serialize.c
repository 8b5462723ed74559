// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lowered variant to the bytes of an executable: kernels, library, object, packed ELF.
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/llvm/elf_pack.h"
#include "compiler/codegen/llvm/emit.h"
#include "compiler/codegen/llvm/library.h"
#include "compiler/codegen/llvm/machine.h"

enum { MAX_EXPORTS = 1024 };

typedef struct {
  ir_ctx_t *ir;
  ir_op_t *variant, *module_op;
  const codegen_target_t *target;
  const codegen_options_t *options;
  llvm_session_t session;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  llvm_library_export_t *exports;
  char **names;
  size_t export_count;
  const ir_op_t *failed_op;
} serializer_t;

static iree_status_t fail(serializer_t *s, const ir_op_t *op, const char *what) {
  s->failed_op = op;
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%s", what);
}

static bool is_named(const ir_op_t *op, const char *name) {
  return op && strcmp(ir_op_name(op), name) == 0;
}

// Entry |name| of an attribute written `#d.a<name = value, ...>`.
static ir_attr_t param(ir_attr_t attr, const char *name) {
  for (size_t i = 0; attr && i < attr->n_kids; ++i) {
    ir_attr_t kid = ir_kid(attr, i);
    if (ir_is(kid, IR_A_PARAM) && ir_str_is(ir_kid(kid, 0), name)) return ir_kid(kid, 1);
  }
  return NULL;
}

static iree_status_t read_export(serializer_t *s, ir_op_t *op) {
  ir_attr_t layout = ir_op_attr(op, "layout");
  ir_attr_t constants = param(layout, "constants"), bindings = param(layout, "bindings");
  int64_t ordinal = ir_op_int(op, "ordinal", (int64_t)s->export_count);
  if (ordinal < 0 || ordinal >= MAX_EXPORTS) return fail(s, op, "has an ordinal outside 0..1023");
  llvm_library_export_t *export = &s->exports[ordinal];
  iree_string_view_t name = ir_op_sym_name(op);
  if (export->name) return fail(s, op, "repeats an ordinal");
  s->names[ordinal] = strndup(name.data, name.size);
  export->name = s->names[ordinal];
  export->constant_count = (uint8_t)(ir_is(constants, IR_A_INT) ? ir_int(constants, 0) : 0);
  export->binding_count = (uint8_t)(bindings ? bindings->n_kids : 0);
  ir_attr_t size = ir_op_attr(op, "workgroup_size");
  for (size_t i = 0; size && i < 3 && i < size->n_kids; ++i) {
    if (ir_is(ir_kid(size, i), IR_A_INT))
      export->workgroup_size[i] = (uint32_t)ir_int(ir_kid(size, i), 0);
  }
  ir_op_t *func = emit_find_symbol(s->module_op, name);
  if (!func) return fail(s, op, "names no function of the executable");
  emit_params_t params = {
      .ir = s->ir,
      .target = s->target,
      .module = s->module,
      .module_op = s->module_op,
      .allow_contract = s->target->has_fma && !s->options->strict_float,
  };
  if ((size_t)ordinal >= s->export_count) s->export_count = (size_t)ordinal + 1;
  return emit_kernel(&params, func, export->name, &export->function, &s->failed_op);
}

static iree_status_t build_module(serializer_t *s) {
  s->module = LLVMModuleCreateWithNameInContext("executable", s->session.context);
  LLVMSetTarget(s->module, s->target->triple);
  LLVMSetDataLayout(s->module, s->target->data_layout);
  for (ir_op_t *op = ir_body(s->variant)->first; op; op = op->next) {
    if (is_named(op, "builtin.module")) s->module_op = op;
  }
  if (!s->module_op) return fail(s, s->variant, "has no module of functions");
  for (ir_op_t *op = ir_body(s->variant)->first; op; op = op->next) {
    if (is_named(op, "hal.executable.export")) IREE_RETURN_IF_ERROR(read_export(s, op));
  }
  for (size_t i = 0; i < s->export_count; ++i) {
    if (!s->exports[i].name) return fail(s, s->variant, "lacks an export ordinal");
  }
  llvm_library_params_t library = {
      .name = s->options->library_name,
      .exports = s->exports,
      .export_count = s->export_count,
  };
  return llvm_library_build(s->module, &library);
}

static iree_status_t emit_bytes(serializer_t *s, codegen_binary_t *out) {
  LLVMMemoryBufferRef buffer = NULL;
  bool is_text = s->options->want_assembly;
  IREE_RETURN_IF_ERROR(llvm_machine_create(s->target, &s->machine));
  IREE_RETURN_IF_ERROR(llvm_emit(&s->session, s->machine, s->module,
                                 is_text ? LLVM_OUTPUT_ASSEMBLY : LLVM_OUTPUT_OBJECT, &buffer));
  iree_status_t status = iree_ok_status();
  if (is_text) {
    size_t size = LLVMGetBufferSize(buffer);
    out->bytes = malloc(size + 1);
    if (!out->bytes) abort();
    memcpy(out->bytes, LLVMGetBufferStart(buffer), size);
    out->count = size;
  } else {
    elf_pack_params_t params = {
        .object = (const uint8_t *)LLVMGetBufferStart(buffer),
        .object_bytes = LLVMGetBufferSize(buffer),
        .export_symbol = LLVM_LIBRARY_QUERY_SYMBOL,
        .processor_words = s->target->processor,
        .processor_word_count = CODEGEN_PROCESSOR_WORDS,
    };
    status = elf_pack(&params, &out->bytes, &out->count);
  }
  LLVMDisposeMemoryBuffer(buffer);
  return status;
}

iree_status_t codegen_serialize_variant(ir_ctx_t *ctx, ir_op_t *variant,
                                        const codegen_target_t *target,
                                        const codegen_options_t *options, codegen_binary_t *out) {
  *out = (codegen_binary_t){0};
  serializer_t s = {.ir = ctx, .variant = variant, .target = target, .options = options};
  s.exports = calloc(MAX_EXPORTS, sizeof(*s.exports));
  s.names = calloc(MAX_EXPORTS, sizeof(*s.names));
  if (!s.exports || !s.names) abort();
  llvm_session_init(&s.session);
  iree_status_t status = ir_body(variant) ? build_module(&s) : fail(&s, variant, "is empty");
  if (iree_status_is_ok(status)) status = emit_bytes(&s, out);
  if (!iree_status_is_ok(status)) out->failed_op = s.failed_op;
  if (s.machine) LLVMDisposeTargetMachine(s.machine);
  if (s.module) LLVMDisposeModule(s.module);
  llvm_session_deinit(&s.session);
  for (size_t i = 0; i < MAX_EXPORTS; ++i) free(s.names[i]);
  free(s.names);
  free(s.exports);
  return status;
}
