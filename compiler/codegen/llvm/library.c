// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The query function and its tables. Offsets are those of the 64-bit executable library, version 6.
#include "compiler/codegen/llvm/library.h"

#include <stdio.h>
#include <string.h>

enum {
  LIBRARY_VERSION = 6,
  EXPORTS_PER_FENCE = 32,
  // library v0
  LIBRARY_HEADER = 0,
  EXPORTS_COUNT = 24,
  EXPORTS_POINTERS = 32,
  EXPORTS_ATTRIBUTES = 40,
  EXPORTS_NAMES = 64,
  CONSTANTS_COUNT = 104,
  LIBRARY_SIZE = 128,
  // header
  HEADER_VERSION = 0,
  HEADER_NAME = 8,
  HEADER_SIZE = 24,
  // dispatch attributes
  ATTRIBUTE_FLAGS = 0,
  ATTRIBUTE_COUNTS = 8,  // pages u16, constants u8, bindings u8
  ATTRIBUTE_SIZE_X = 12,
  ATTRIBUTE_SIZE_Y = 16,
  ATTRIBUTE_SIZE_Z = 20,
  ATTRIBUTE_BYTES = 64,
};

// Where code goes: the builder and the address of the zero-filled tables.
typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef base;
} tables_t;

LLVMTypeRef llvm_kernel_type(LLVMContextRef context) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef params[3] = {pointer, pointer, pointer};
  return LLVMFunctionType(LLVMInt32TypeInContext(context), params, 3, 0);
}

static void add_enum_attribute(LLVMValueRef function, LLVMContextRef context, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

void llvm_set_function_attributes(LLVMValueRef function, bool optimize_size) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  add_enum_attribute(function, context, "nounwind");
  if (optimize_size) {
    add_enum_attribute(function, context, "minsize");
    add_enum_attribute(function, context, "optsize");
  }
  static const char no_builtins[] = "no-builtins";
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context, no_builtins, sizeof(no_builtins) - 1, "", 0));
  // One section each, so that the packer can drop and order functions.
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  char section[256];
  snprintf(section, sizeof(section), ".text.%.*s", (int)(length < 200 ? length : 200), name);
  LLVMSetSection(function, section);
}

static LLVMValueRef address(tables_t *tables, uint64_t offset) {
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(tables->context), offset, 0);
  return LLVMBuildInBoundsGEP2(tables->builder, LLVMInt8TypeInContext(tables->context),
                               tables->base, &index, 1, "");
}

static void store_pointer(tables_t *tables, uint64_t offset, LLVMValueRef value) {
  LLVMSetAlignment(LLVMBuildStore(tables->builder, value, address(tables, offset)), 8);
}

// Tables start as zeros, so zero needs no store.
static void store_u32(tables_t *tables, uint64_t offset, uint32_t value) {
  if (value == 0) return;
  LLVMValueRef constant = LLVMConstInt(LLVMInt32TypeInContext(tables->context), value, 0);
  LLVMSetAlignment(LLVMBuildStore(tables->builder, constant, address(tables, offset)), 4);
}

static LLVMValueRef string_constant(tables_t *tables, const char *text) {
  LLVMValueRef bytes = LLVMConstStringInContext2(tables->context, text, strlen(text), 0);
  LLVMValueRef global = LLVMAddGlobal(tables->module, LLVMTypeOf(bytes), "");
  LLVMSetInitializer(global, bytes);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetAlignment(global, 1);
  LLVMSetSection(global, ".rodata.names");
  return global;
}

static void store_export(tables_t *tables, const llvm_library_export_t *export, LLVMValueRef name,
                         uint64_t pointer_at, uint64_t name_at, uint64_t attribute_at) {
  store_pointer(tables, pointer_at, export->function);
  store_pointer(tables, name_at, name);
  store_u32(tables, attribute_at + ATTRIBUTE_FLAGS, export->is_sequential ? 1 : 0);
  store_u32(tables, attribute_at + ATTRIBUTE_COUNTS,
            (uint32_t) export->local_memory_pages | (uint32_t) export->constant_count << 16 |
                (uint32_t) export->binding_count << 24);
  const uint32_t *size = export->workgroup_size;
  // A size of 1 is what zero means to the loader.
  store_u32(tables, attribute_at + ATTRIBUTE_SIZE_X, size[0] > 1 ? size[0] : 0);
  store_u32(tables, attribute_at + ATTRIBUTE_SIZE_Y, size[1] > 1 ? size[1] : 0);
  store_u32(tables, attribute_at + ATTRIBUTE_SIZE_Z, size[2] > 1 ? size[2] : 0);
}

// Stores do not move across this, and it is no code: LLVM's scheduler compares each store with all
// others up to the next such point.
static void fence(tables_t *tables) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(tables->context), NULL, 0, 0);
  static const char clobbers[] = "~{memory}";
  LLVMValueRef assembly = LLVMGetInlineAsm(type, "", 0, clobbers, sizeof(clobbers) - 1, 1, 0,
                                           LLVMInlineAsmDialectATT, 0);
  LLVMBuildCall2(tables->builder, type, assembly, NULL, 0, "");
}

static void fill_tables(tables_t *tables, const llvm_library_params_t *params) {
  uint64_t count = params->export_count;
  uint64_t header = LIBRARY_SIZE;
  uint64_t pointers = header + HEADER_SIZE;
  uint64_t names = pointers + 8 * count;
  uint64_t attributes = names + 8 * count;
  store_pointer(tables, LIBRARY_HEADER, address(tables, header));
  store_u32(tables, EXPORTS_COUNT, (uint32_t)count);
  store_pointer(tables, EXPORTS_POINTERS, address(tables, pointers));
  store_pointer(tables, EXPORTS_ATTRIBUTES, address(tables, attributes));
  store_pointer(tables, EXPORTS_NAMES, address(tables, names));
  store_u32(tables, CONSTANTS_COUNT, params->constant_count);
  store_u32(tables, header + HEADER_VERSION, LIBRARY_VERSION);
  for (uint64_t i = 0; i < count; ++i) {
    if (i && i % EXPORTS_PER_FENCE == 0) fence(tables);
    LLVMValueRef name = string_constant(tables, params->exports[i].name);
    if (i == 0) {
      LLVMValueRef library_name = params->name ? string_constant(tables, params->name) : name;
      store_pointer(tables, header + HEADER_NAME, library_name);
    }
    store_export(tables, &params->exports[i], name, pointers + 8 * i, names + 8 * i,
                 attributes + ATTRIBUTE_BYTES * i);
  }
}

// An address that the code generator cannot fold into each store: one register, short offsets.
static LLVMValueRef opaque_address(LLVMBuilderRef builder, LLVMTypeRef pointer,
                                   LLVMValueRef value) {
  LLVMTypeRef type = LLVMFunctionType(pointer, &pointer, 1, 0);
  LLVMValueRef assembly =
      LLVMGetInlineAsm(type, "", 0, "=r,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, type, assembly, &value, 1, "");
}

static LLVMValueRef add_tables(LLVMModuleRef module, size_t export_count) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  uint64_t size = LIBRARY_SIZE + HEADER_SIZE + (8 + 8 + ATTRIBUTE_BYTES) * (uint64_t)export_count;
  LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(context), size);
  LLVMValueRef tables = LLVMAddGlobal(module, type, "iree_library_tables");
  LLVMSetInitializer(tables, LLVMConstNull(type));
  LLVMSetLinkage(tables, LLVMInternalLinkage);
  LLVMSetAlignment(tables, 8);
  return tables;
}

iree_status_t llvm_library_build(LLVMModuleRef module, const llvm_library_params_t *params) {
  if (params->export_count == 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "executable has no exported kernel");
  }
  for (size_t i = 0; i < params->export_count; ++i) {
    if (!params->exports[i].name || !params->exports[i].name[0]) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "exported kernel %zu has no name", i);
    }
  }
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef param_types[2] = {i32, pointer};
  const char *symbol = params->query_symbol ? params->query_symbol : LLVM_LIBRARY_QUERY_SYMBOL;
  LLVMValueRef query =
      LLVMAddFunction(module, symbol, LLVMFunctionType(pointer, param_types, 2, 0));
  llvm_set_function_attributes(query, true);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, query, "");
  LLVMBasicBlockRef supported = LLVMAppendBasicBlockInContext(context, query, "");
  LLVMBasicBlockRef unsupported = LLVMAppendBasicBlockInContext(context, query, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMValueRef is_supported = LLVMBuildICmp(builder, LLVMIntEQ, LLVMGetParam(query, 0),
                                            LLVMConstInt(i32, LIBRARY_VERSION, 0), "");
  LLVMBuildCondBr(builder, is_supported, supported, unsupported);
  LLVMPositionBuilderAtEnd(builder, unsupported);
  LLVMBuildRet(builder, LLVMConstNull(pointer));
  LLVMPositionBuilderAtEnd(builder, supported);
  LLVMValueRef base = opaque_address(builder, pointer, add_tables(module, params->export_count));
  tables_t tables = {.context = context, .module = module, .builder = builder, .base = base};
  fill_tables(&tables, params);
  LLVMBuildRet(builder, base);
  LLVMDisposeBuilder(builder);
  return iree_ok_status();
}
