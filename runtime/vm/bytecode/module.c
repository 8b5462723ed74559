// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading module files: from the verified FlatBuffer to plain arrays, with every number in it
// checked against what it indexes, and the module interface over them. Strings and bytes stay in
// the file.
#include "iree/vm/bytecode/module.h"

#include "runtime/vm/builtin_types.h"
#include "runtime/vm/bytecode/module_impl.h"
#include "runtime/vm/cconv.h"

static flatbuf_vector_t root_vector(const bytecode_module_t *module, int slot) {
  return flatbuf_vector(module->archive.root, slot);
}

// ---- Loading -----------------------------------------------------------------------------------

static iree_status_t load_versions(bytecode_module_t *module) {
  flatbuf_table_t root = module->archive.root;
  module->name = flatbuf_string(root, VMFB_BytecodeModuleDef_name);
  if (module->name.size == 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "module has no name");
  }
  uint32_t requirements = flatbuf_u32(root, VMFB_BytecodeModuleDef_requirements, 0);
  if (requirements & ~ABI_FEATURE_ALL) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "required module features [%xh] are not available in this runtime; "
                            "have [%xh] while module requires [%xh]",
                            requirements & ~ABI_FEATURE_ALL, ABI_FEATURE_ALL, requirements);
  }
  uint32_t version = flatbuf_u32(root, VMFB_BytecodeModuleDef_bytecode_version, 0);
  if (version >> 16 < ABI_BYTECODE_VERSION_OLDEST_MAJOR || version > ABI_BYTECODE_VERSION) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "bytecode version mismatch; runtime supports %d.0 to %d.%d, module has "
                            "%u.%u; recompile the module with the compiler of release " ABI_RELEASE,
                            ABI_BYTECODE_VERSION_OLDEST_MAJOR, ABI_BYTECODE_VERSION_MAJOR,
                            ABI_BYTECODE_VERSION_MINOR, version >> 16, version & 0xFFFF);
  }
  flatbuf_table_t state = flatbuf_table(root, VMFB_BytecodeModuleDef_module_state);
  int32_t global_bytes = flatbuf_i32(state, VMFB_ModuleStateDef_global_bytes_capacity, 0);
  int32_t global_refs = flatbuf_i32(state, VMFB_ModuleStateDef_global_ref_count, 0);
  if (global_bytes < 0 || global_refs < 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "module has negative global counts");
  }
  module->global_bytes = (uint32_t)global_bytes;
  module->global_ref_count = (uint32_t)global_refs;
  return iree_ok_status();
}

// "i32", "!hal.buffer", "!vm.list<...>", "!vm.opaque".
static iree_status_t resolve_type(bytecode_module_t *module, iree_string_view_t name,
                                  iree_vm_bytecode_module_flags_t flags,
                                  iree_vm_type_def_t *out_type) {
  static const struct {
    const char *name;
    iree_vm_value_type_t type;
  } values[] = {
      {"i8", IREE_VM_VALUE_TYPE_I8},   {"i16", IREE_VM_VALUE_TYPE_I16},
      {"i32", IREE_VM_VALUE_TYPE_I32}, {"i64", IREE_VM_VALUE_TYPE_I64},
      {"f32", IREE_VM_VALUE_TYPE_F32}, {"f64", IREE_VM_VALUE_TYPE_F64},
  };
  *out_type = iree_vm_make_undefined_type_def();
  if (name.size == 0) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "type has no name");
  for (size_t i = 0; i < IREE_ARRAYSIZE(values); ++i) {
    if (iree_string_view_equal(name, iree_make_cstring_view(values[i].name))) {
      *out_type = iree_vm_make_value_type_def(values[i].type);
      return iree_ok_status();
    }
  }
  iree_string_view_t bare = iree_string_view_strip_prefix(name, IREE_SV("!"));
  if (iree_string_view_equal(bare, IREE_SV("vm.opaque"))) return iree_ok_status();
  if (iree_string_view_starts_with(bare, IREE_SV("vm.list<"))) bare = IREE_SV("vm.list");
  iree_vm_ref_type_t type = iree_vm_instance_lookup_type(module->instance, bare);
  if (type == IREE_VM_REF_TYPE_NULL) {
    if (flags & IREE_VM_BYTECODE_MODULE_FLAG_ALLOW_PLACEHOLDER_TYPES) return iree_ok_status();
    return iree_make_status(IREE_STATUS_NOT_FOUND, "no type registered with name '%.*s'",
                            IREE_SV_ARGS(name));
  }
  *out_type = iree_vm_make_ref_type_def(type);
  return iree_ok_status();
}

// An array of |count| elements, NULL when there are none.
static iree_status_t load_array(bytecode_module_t *module, uint32_t count, size_t element_size,
                                void **out_array) {
  if (count == 0) return iree_ok_status();
  return iree_allocator_malloc_array(module->allocator, count, element_size, out_array);
}

static iree_status_t load_types(bytecode_module_t *module, iree_vm_bytecode_module_flags_t flags) {
  flatbuf_vector_t types = root_vector(module, VMFB_BytecodeModuleDef_types);
  IREE_RETURN_IF_ERROR(
      load_array(module, types.count, sizeof(*module->types), (void **)&module->types));
  module->type_count = types.count;
  for (uint32_t i = 0; i < types.count; ++i) {
    iree_string_view_t name =
        flatbuf_string(flatbuf_vector_table(types, i), VMFB_TypeDef_full_name);
    IREE_RETURN_IF_ERROR(resolve_type(module, name, flags, &module->types[i]));
  }
  return iree_ok_status();
}

static iree_status_t load_rodata(bytecode_module_t *module) {
  uint32_t count = root_vector(module, VMFB_BytecodeModuleDef_rodata_segments).count;
  IREE_RETURN_IF_ERROR(
      load_array(module, count, sizeof(*module->rodata), (void **)&module->rodata));
  module->rodata_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    IREE_RETURN_IF_ERROR(vmfb_archive_rodata(&module->archive, i, &module->rodata[i]));
  }
  if (root_vector(module, VMFB_BytecodeModuleDef_rwdata_segments).count) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "module has rwdata segments");
  }
  return iree_ok_status();
}

static iree_status_t load_fragments(iree_string_view_t calling_convention,
                                    iree_string_view_t *out_arguments,
                                    iree_string_view_t *out_results) {
  iree_vm_function_signature_t signature = {calling_convention};
  return iree_vm_function_call_get_cconv_fragments(&signature, out_arguments, out_results);
}

static iree_status_t load_imports(bytecode_module_t *module) {
  flatbuf_vector_t imports = root_vector(module, VMFB_BytecodeModuleDef_imported_functions);
  flatbuf_vector_t dependencies = root_vector(module, VMFB_BytecodeModuleDef_dependencies);
  for (uint32_t i = 0; i < dependencies.count; ++i) {
    iree_string_view_t name =
        flatbuf_string(flatbuf_vector_table(dependencies, i), VMFB_ModuleDependencyDef_name);
    if (name.size == 0) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "dependency %u has no name", i);
    }
  }
  IREE_RETURN_IF_ERROR(
      load_array(module, imports.count, sizeof(*module->imports), (void **)&module->imports));
  module->import_count = imports.count;
  for (uint32_t i = 0; i < imports.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(imports, i);
    bytecode_import_decl_t *import = &module->imports[i];
    import->full_name = flatbuf_string(table, VMFB_ImportFunctionDef_full_name);
    if (import->full_name.size == 0) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "import %u has no name", i);
    }
    import->is_optional =
        flatbuf_u32(table, VMFB_ImportFunctionDef_flags, VMFB_FLAG_REQUIRED) & VMFB_FLAG_OPTIONAL;
    import->calling_convention =
        flatbuf_string(flatbuf_table(table, VMFB_ImportFunctionDef_signature),
                       VMFB_FunctionSignatureDef_calling_convention);
    IREE_RETURN_IF_ERROR(
        load_fragments(import->calling_convention, &import->arguments, &import->results),
        "import `%.*s`", IREE_SV_ARGS(import->full_name));
  }
  return iree_ok_status();
}

static iree_status_t load_function(bytecode_module_t *module, uint32_t ordinal,
                                   const uint8_t *descriptor_data, flatbuf_table_t signature,
                                   iree_const_byte_span_t bytecode) {
  vmfb_function_descriptor_t descriptor;
  memcpy(&descriptor, descriptor_data, sizeof(descriptor));
  bytecode_function_t *function = &module->functions[ordinal];
  if (descriptor.bytecode_offset < 0 || descriptor.bytecode_length <= 0 ||
      !iree_range_is_within((uint32_t)descriptor.bytecode_offset,
                            (uint32_t)descriptor.bytecode_length, bytecode.data_length)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "function %u: bytecode [%d, +%d) leaves the data of %" PRIhsz " bytes",
                            ordinal, descriptor.bytecode_offset, descriptor.bytecode_length,
                            bytecode.data_length);
  }
  if (descriptor.block_count == 0 || descriptor.i32_register_count < 0 ||
      descriptor.ref_register_count < 0 || descriptor.ref_register_count > ISA_MAX_REF_REGISTERS) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "function %u: bad block or register counts (%d blocks, %d i32, %d ref)",
                            ordinal, descriptor.block_count, descriptor.i32_register_count,
                            descriptor.ref_register_count);
  }
  if (descriptor.requirements & ~ABI_FEATURE_ALL) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "function %u: required features [%xh] are not available", ordinal,
                            descriptor.requirements & ~ABI_FEATURE_ALL);
  }
  function->bytecode = bytecode.data + descriptor.bytecode_offset;
  function->length = (uint32_t)descriptor.bytecode_length;
  function->requirements = descriptor.requirements;
  function->block_count = (uint16_t)descriptor.block_count;
  function->i32_count = (uint16_t)descriptor.i32_register_count;
  function->ref_count = (uint16_t)descriptor.ref_register_count;
  function->calling_convention =
      flatbuf_string(signature, VMFB_FunctionSignatureDef_calling_convention);
  IREE_RETURN_IF_ERROR(
      load_fragments(function->calling_convention, &function->arguments, &function->results));
  if (iree_vm_function_call_is_variadic_cconv(function->arguments)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "function %u: only imports can take variadic arguments", ordinal);
  }
  function->arguments_size = cconv_area_size(function->arguments);
  function->results_size = cconv_area_size(function->results);
  return iree_ok_status();
}

static iree_status_t load_functions(bytecode_module_t *module) {
  flatbuf_vector_t descriptors = root_vector(module, VMFB_BytecodeModuleDef_function_descriptors);
  flatbuf_vector_t signatures = root_vector(module, VMFB_BytecodeModuleDef_function_signatures);
  if (descriptors.count != signatures.count || descriptors.count > UINT16_MAX) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "%u function signatures for %u descriptors", signatures.count,
                            descriptors.count);
  }
  IREE_RETURN_IF_ERROR(load_array(module, descriptors.count, sizeof(*module->functions),
                                  (void **)&module->functions));
  module->function_count = descriptors.count;
  iree_const_byte_span_t bytecode =
      flatbuf_bytes(module->archive.root, VMFB_BytecodeModuleDef_bytecode_data);
  for (uint32_t i = 0; i < descriptors.count; ++i) {
    IREE_RETURN_IF_ERROR(load_function(module, i, descriptors.data + 20ull * i,
                                       flatbuf_vector_table(signatures, i), bytecode));
  }
  flatbuf_vector_t exports = root_vector(module, VMFB_BytecodeModuleDef_exported_functions);
  IREE_RETURN_IF_ERROR(load_array(module, exports.count, sizeof(*module->export_ordinals),
                                  (void **)&module->export_ordinals));
  module->export_count = exports.count;
  for (uint32_t i = 0; i < exports.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(exports, i);
    int32_t ordinal = flatbuf_i32(table, VMFB_ExportFunctionDef_internal_ordinal, 0);
    if (flatbuf_string(table, VMFB_ExportFunctionDef_local_name).size == 0) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "export %u has no name", i);
    }
    if (ordinal < 0 || (uint32_t)ordinal >= descriptors.count || i > UINT16_MAX) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "export %u: function ordinal %d out of range (%u functions)", i,
                              ordinal, descriptors.count);
    }
    module->export_ordinals[i] = (uint16_t)ordinal;
  }
  for (uint32_t i = 0; i < descriptors.count; ++i) {
    IREE_RETURN_IF_ERROR(bytecode_verify_function(module, i));
  }
  return iree_ok_status();
}

static iree_status_t load_module(bytecode_module_t *module, iree_const_byte_span_t contents,
                                 iree_vm_bytecode_module_flags_t flags) {
  IREE_RETURN_IF_ERROR(vmfb_archive_open(contents, &module->archive));
  IREE_RETURN_IF_ERROR(load_versions(module));
  IREE_RETURN_IF_ERROR(load_types(module, flags));
  IREE_RETURN_IF_ERROR(load_rodata(module));
  IREE_RETURN_IF_ERROR(load_imports(module));
  return load_functions(module);
}

// ---- Interface ---------------------------------------------------------------------------------

void iree_vm_bytecode_module_destroy(void *self) {
  bytecode_module_t *module = self;
  iree_allocator_t allocator = module->allocator;
  iree_vm_instance_t *instance = module->instance;
  iree_allocator_free(allocator, module->types);
  iree_allocator_free(allocator, module->rodata);
  iree_allocator_free(allocator, module->imports);
  iree_allocator_free(allocator, module->export_ordinals);
  iree_allocator_free(allocator, module->functions);
  iree_allocator_free(module->archive_allocator, (void *)(uintptr_t)module->archive.contents.data);
  iree_allocator_free(allocator, module);
  iree_vm_instance_release(instance);
}

static iree_string_view_t module_name(void *self) { return ((bytecode_module_t *)self)->name; }

static iree_vm_module_signature_t module_signature(void *self) {
  bytecode_module_t *module = self;
  iree_vm_module_signature_t signature = {
      .version = flatbuf_u32(module->archive.root, VMFB_BytecodeModuleDef_version, 0),
      .attr_count = root_vector(module, VMFB_BytecodeModuleDef_attrs).count,
      .import_function_count = module->import_count,
      .export_function_count = root_vector(module, VMFB_BytecodeModuleDef_exported_functions).count,
      .internal_function_count = module->function_count,
  };
  return signature;
}

static iree_status_t module_enumerate_dependencies(void *self,
                                                   iree_vm_module_dependency_callback_t callback,
                                                   void *user_data) {
  bytecode_module_t *module = self;
  flatbuf_vector_t dependencies = root_vector(module, VMFB_BytecodeModuleDef_dependencies);
  for (uint32_t i = 0; i < dependencies.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(dependencies, i);
    iree_vm_module_dependency_t dependency = {
        .name = flatbuf_string(table, VMFB_ModuleDependencyDef_name),
        .minimum_version = flatbuf_u32(table, VMFB_ModuleDependencyDef_minimum_version, 0),
        .flags = flatbuf_u32(table, VMFB_ModuleDependencyDef_flags, VMFB_FLAG_REQUIRED),
    };
    IREE_RETURN_IF_ERROR(callback(user_data, &dependency));
  }
  return iree_ok_status();
}

static iree_status_t attr_at(flatbuf_vector_t attrs, iree_host_size_t index,
                             iree_string_pair_t *out_attr) {
  if (index >= attrs.count) return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  flatbuf_table_t attr = flatbuf_vector_table(attrs, index);
  *out_attr = iree_make_string_pair(flatbuf_string(attr, VMFB_AttrDef_key),
                                    flatbuf_string(attr, VMFB_AttrDef_value));
  return iree_ok_status();
}

static iree_status_t module_get_attr(void *self, iree_host_size_t index,
                                     iree_string_pair_t *out_attr) {
  return attr_at(root_vector(self, VMFB_BytecodeModuleDef_attrs), index, out_attr);
}

static bool is_export(iree_vm_function_linkage_t linkage) {
  return linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT ||
         linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL;
}
static bool is_import(iree_vm_function_linkage_t linkage) {
  return linkage == IREE_VM_FUNCTION_LINKAGE_IMPORT ||
         linkage == IREE_VM_FUNCTION_LINKAGE_IMPORT_OPTIONAL;
}

// Internal ordinal of an exported or internal function.
static iree_status_t internal_ordinal(const bytecode_module_t *module,
                                      iree_vm_function_linkage_t linkage, iree_host_size_t ordinal,
                                      uint32_t *out_ordinal) {
  *out_ordinal = 0;
  iree_host_size_t count = is_export(linkage) ? module->export_count : module->function_count;
  if (ordinal >= count) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "function ordinal %" PRIhsz " out of range (%" PRIhsz " functions)",
                            ordinal, count);
  }
  *out_ordinal = is_export(linkage) ? module->export_ordinals[ordinal] : (uint32_t)ordinal;
  return iree_ok_status();
}

static iree_status_t module_get_function(void *self, iree_vm_function_linkage_t linkage,
                                         iree_host_size_t ordinal, iree_vm_function_t *out_function,
                                         iree_string_view_t *out_name,
                                         iree_vm_function_signature_t *out_signature) {
  bytecode_module_t *module = self;
  if (is_import(linkage)) {
    if (ordinal >= module->import_count) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "import ordinal %" PRIhsz " out of range (%u imports)", ordinal,
                              module->import_count);
    }
    const bytecode_import_decl_t *import = &module->imports[ordinal];
    if (out_function) {
      out_function->module = &module->interface;
      out_function->linkage =
          (uint16_t)(import->is_optional ? IREE_VM_FUNCTION_LINKAGE_IMPORT_OPTIONAL
                                         : IREE_VM_FUNCTION_LINKAGE_IMPORT);
      out_function->ordinal = (uint16_t)ordinal;
    }
    if (out_name) *out_name = import->full_name;
    if (out_signature) out_signature->calling_convention = import->calling_convention;
    return iree_ok_status();
  }
  uint32_t internal = 0;
  IREE_RETURN_IF_ERROR(internal_ordinal(module, linkage, ordinal, &internal));
  if (out_function) {
    out_function->module = &module->interface;
    out_function->linkage = (uint16_t)linkage;
    out_function->ordinal = (uint16_t)ordinal;
  }
  if (out_name && is_export(linkage)) {
    flatbuf_vector_t exports = root_vector(module, VMFB_BytecodeModuleDef_exported_functions);
    *out_name =
        flatbuf_string(flatbuf_vector_table(exports, ordinal), VMFB_ExportFunctionDef_local_name);
  } else if (out_name) {
    *out_name = bytecode_function_name(module, internal);
  }
  if (out_signature) {
    out_signature->calling_convention = module->functions[internal].calling_convention;
  }
  return iree_ok_status();
}

static iree_status_t module_lookup_function(void *self, iree_vm_function_linkage_t linkage,
                                            iree_string_view_t name,
                                            const iree_vm_function_signature_t *expected_signature,
                                            iree_vm_function_t *out_function) {
  bytecode_module_t *module = self;
  (void)expected_signature;
  iree_host_size_t count =
      is_import(linkage)   ? module->import_count
      : is_export(linkage) ? root_vector(module, VMFB_BytecodeModuleDef_exported_functions).count
                           : module->function_count;
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_string_view_t candidate = iree_string_view_empty();
    IREE_RETURN_IF_ERROR(module_get_function(self, linkage, i, out_function, &candidate, NULL));
    if (iree_string_view_equal(candidate, name)) return iree_ok_status();
  }
  memset(out_function, 0, sizeof(*out_function));
  if (linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL) {
    return iree_status_from_code(IREE_STATUS_NOT_FOUND);
  }
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no function `%.*s` exported by module `%.*s`",
                          IREE_SV_ARGS(name), IREE_SV_ARGS(module->name));
}

static iree_status_t module_get_function_attr(void *self, iree_vm_function_linkage_t linkage,
                                              iree_host_size_t ordinal, iree_host_size_t index,
                                              iree_string_pair_t *out_attr) {
  bytecode_module_t *module = self;
  flatbuf_table_t signature = NULL;
  if (is_import(linkage)) {
    flatbuf_vector_t imports = root_vector(module, VMFB_BytecodeModuleDef_imported_functions);
    if (ordinal >= imports.count) return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
    signature =
        flatbuf_table(flatbuf_vector_table(imports, ordinal), VMFB_ImportFunctionDef_signature);
  } else {
    uint32_t internal = 0;
    IREE_RETURN_IF_ERROR(internal_ordinal(module, linkage, ordinal, &internal));
    signature = flatbuf_vector_table(
        root_vector(module, VMFB_BytecodeModuleDef_function_signatures), internal);
  }
  return attr_at(flatbuf_vector(signature, VMFB_FunctionSignatureDef_attrs), index, out_attr);
}

// ---- State -------------------------------------------------------------------------------------

// Places of the parts behind the globals.
static iree_status_t state_layout(const bytecode_module_t *module, iree_host_size_t *out_refs,
                                  iree_host_size_t *out_rodata, iree_host_size_t *out_imports,
                                  iree_host_size_t *out_total) {
  iree_host_size_t size = sizeof(bytecode_state_t);
  bool fits = iree_host_size_checked_add(size, module->global_bytes, &size) &&
              iree_host_size_checked_align(size, 16, out_refs) &&
              iree_host_size_checked_mul_add(*out_refs, module->global_ref_count,
                                             sizeof(iree_vm_ref_t), out_rodata) &&
              iree_host_size_checked_mul_add(*out_rodata, module->rodata_count,
                                             sizeof(iree_vm_buffer_t *), out_imports) &&
              iree_host_size_checked_mul_add(*out_imports, module->import_count,
                                             sizeof(bytecode_import_t), out_total);
  return fits ? iree_ok_status()
              : iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "module state is too large");
}

static void module_free_state(void *self, iree_vm_module_state_t *module_state) {
  (void)self;
  bytecode_state_t *state = (bytecode_state_t *)module_state;
  for (uint32_t i = 0; i < state->global_ref_count; ++i) {
    iree_vm_ref_release(&state->global_refs[i]);
  }
  for (uint32_t i = 0; i < state->rodata_count; ++i) iree_vm_buffer_release(state->rodata[i]);
  iree_allocator_free_aligned(state->allocator, state);
}

static iree_status_t module_alloc_state(void *self, iree_allocator_t allocator,
                                        iree_vm_module_state_t **out_module_state) {
  bytecode_module_t *module = self;
  *out_module_state = NULL;
  iree_host_size_t refs = 0, rodata = 0, imports = 0, total = 0;
  IREE_RETURN_IF_ERROR(state_layout(module, &refs, &rodata, &imports, &total));
  bytecode_state_t *state = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_aligned(allocator, total, 16, 0, (void **)&state));
  state->allocator = allocator;
  state->global_refs = (iree_vm_ref_t *)(void *)((uint8_t *)state + refs);
  state->rodata = (iree_vm_buffer_t **)(void *)((uint8_t *)state + rodata);
  state->imports = (bytecode_import_t *)(void *)((uint8_t *)state + imports);
  state->global_ref_count = module->global_ref_count;
  for (uint32_t i = 0; i < module->rodata_count; ++i) {
    iree_status_t status = iree_vm_buffer_create_view(&module->interface, module->rodata[i],
                                                      allocator, &state->rodata[i]);
    if (!iree_status_is_ok(status)) {
      module_free_state(self, (iree_vm_module_state_t *)state);
      return status;
    }
    ++state->rodata_count;
  }
  *out_module_state = (iree_vm_module_state_t *)state;
  return iree_ok_status();
}

static iree_status_t module_fork_state(void *self, iree_vm_module_state_t *parent_state,
                                       iree_allocator_t allocator,
                                       iree_vm_module_state_t **out_child_state) {
  bytecode_module_t *module = self;
  IREE_RETURN_IF_ERROR(module_alloc_state(self, allocator, out_child_state));
  bytecode_state_t *parent = (bytecode_state_t *)parent_state;
  bytecode_state_t *child = (bytecode_state_t *)*out_child_state;
  memcpy(child->globals, parent->globals, module->global_bytes);
  for (uint32_t i = 0; i < child->global_ref_count; ++i) {
    iree_vm_ref_retain(&parent->global_refs[i], &child->global_refs[i]);
  }
  if (module->import_count) {
    memcpy(child->imports, parent->imports, module->import_count * sizeof(bytecode_import_t));
  }
  return iree_ok_status();
}

static iree_status_t module_resolve_import(void *self, iree_vm_module_state_t *module_state,
                                           iree_host_size_t ordinal,
                                           const iree_vm_function_t *function,
                                           const iree_vm_function_signature_t *signature) {
  bytecode_module_t *module = self;
  bytecode_state_t *state = (bytecode_state_t *)module_state;
  if (ordinal >= module->import_count) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "no import %" PRIhsz, ordinal);
  }
  bytecode_import_t import = {.function = *function};
  IREE_RETURN_IF_ERROR(
      load_fragments(signature->calling_convention, &import.arguments, &import.results));
  if (module->imports[ordinal].calling_convention.size == 0) {
    IREE_RETURN_IF_ERROR(
        bytecode_verify_import_calls(module, (uint32_t)ordinal, import.arguments, import.results));
  }
  import.results_size = cconv_area_size(import.results);
  import.argument_plan = marshal_plan(import.arguments);
  import.result_plan = marshal_plan(import.results);
  import.native = native_callee_resolve(import.function);
  state->imports[ordinal] = import;
  return iree_ok_status();
}

iree_status_t iree_vm_bytecode_module_create(iree_vm_instance_t *instance,
                                             iree_vm_bytecode_module_flags_t flags,
                                             iree_const_byte_span_t archive_contents,
                                             iree_allocator_t archive_allocator,
                                             iree_allocator_t allocator,
                                             iree_vm_module_t **out_module) {
  *out_module = NULL;
  bytecode_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, sizeof(*module), (void **)&module));
  IREE_RETURN_IF_ERROR(iree_vm_module_initialize(&module->interface, module));
  module->allocator = allocator;
  module->instance = instance;
  iree_vm_instance_retain(instance);
  module->archive_allocator = iree_allocator_null();  // the caller's until all is well
  iree_vm_module_t *table = &module->interface;
  table->destroy = iree_vm_bytecode_module_destroy;
  table->name = module_name;
  table->signature = module_signature;
  table->enumerate_dependencies = module_enumerate_dependencies;
  table->get_module_attr = module_get_attr;
  table->lookup_function = module_lookup_function;
  table->get_function = module_get_function;
  table->get_function_attr = module_get_function_attr;
  table->resolve_source_location = bytecode_resolve_source_location;
  table->alloc_state = module_alloc_state;
  table->free_state = module_free_state;
  table->fork_state = module_fork_state;
  table->resolve_import = module_resolve_import;
  table->begin_call = bytecode_begin_call;
  table->resume_call = bytecode_resume_call;
  iree_status_t status = load_module(module, archive_contents, flags);
  if (!iree_status_is_ok(status)) {
    iree_vm_module_release(table);
    return status;
  }
  module->archive_allocator = archive_allocator;
  *out_module = table;
  return iree_ok_status();
}

iree_status_t iree_vm_bytecode_module_query_required_features(
    iree_const_byte_span_t archive_contents, uint32_t *out_required_features) {
  *out_required_features = 0;
  vmfb_archive_t archive;
  IREE_RETURN_IF_ERROR(vmfb_archive_open(archive_contents, &archive));
  *out_required_features = flatbuf_u32(archive.root, VMFB_BytecodeModuleDef_requirements, 0);
  return iree_ok_status();
}
