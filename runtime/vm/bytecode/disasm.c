// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The disassembler: the field strings of abi/isa.def say how to read an instruction, a text form
// says how to print it. The form of most follows from the fields ("$2 = % $0, $1"); the odd ones
// are listed.
//
// Text forms: `%` is "vm." and the mnemonic, `$n` the n-th field, `&n` the n-th field and " = " if
// it is a list with elements, `~n` a space and the n-th field if it has any; the rest is literal.
#include "runtime/vm/bytecode/disasm.h"

#include "runtime/vm/bytecode/instruction.h"
#include "runtime/vm/bytecode/module_impl.h"
#include "runtime/vm/cconv.h"

#define TRY_APPEND(...) IREE_RETURN_IF_ERROR(iree_string_builder_append_format(__VA_ARGS__))

static const char *text_form(uint16_t number) {
  switch (number) {
    case ISA_OP_GlobalLoadI32:
    case ISA_OP_GlobalLoadI64:
    case ISA_OP_GlobalLoadF32:
    case ISA_OP_GlobalLoadF64:
    case ISA_OP_GlobalLoadIndirectI32:
    case ISA_OP_GlobalLoadIndirectI64:
    case ISA_OP_GlobalLoadIndirectF32:
    case ISA_OP_GlobalLoadIndirectF64:
      return "$1 = % .rwdata[$0]";
    case ISA_OP_GlobalStoreI32:
    case ISA_OP_GlobalStoreI64:
    case ISA_OP_GlobalStoreF32:
    case ISA_OP_GlobalStoreF64:
    case ISA_OP_GlobalStoreIndirectI32:
    case ISA_OP_GlobalStoreIndirectI64:
    case ISA_OP_GlobalStoreIndirectF32:
    case ISA_OP_GlobalStoreIndirectF64:
      return "% $1, .rwdata[$0]";
    case ISA_OP_GlobalLoadRef:
    case ISA_OP_GlobalLoadIndirectRef:
      return "$2 = % .refs[$0] : $1";
    case ISA_OP_GlobalStoreRef:
    case ISA_OP_GlobalStoreIndirectRef:
      return "% $2, .refs[$0] : $1";
    case ISA_OP_ListAlloc:
      return "$2 = % $1 : !vm.list<$0>";
    case ISA_OP_ListGetRef:
      return "$3 = % $0, $1 : $2";
    case ISA_OP_SelectI32:
    case ISA_OP_SelectI64:
    case ISA_OP_SelectF32:
    case ISA_OP_SelectF64:
      return "$3 = % $0 ? $1 : $2";
    case ISA_OP_SelectRef:
      return "$4 = % $0 ? $2 : $3 -> $1";
    case ISA_OP_SwitchI32:
    case ISA_OP_SwitchI64:
    case ISA_OP_SwitchF32:
    case ISA_OP_SwitchF64:
      return "$3 = % $0[$2] else $1";
    case ISA_OP_SwitchRef:
      return "$4 = % $0[$3] else $2 -> $1";
    case ISA_OP_CastAnyRef:
      return "$2 = % $0 : !vm.ref<?> -> $1";
    case ISA_OP_BufferStoreI8:
    case ISA_OP_BufferStoreI16:
    case ISA_OP_BufferStoreI32:
    case ISA_OP_BufferStoreI64:
    case ISA_OP_BufferStoreF32:
    case ISA_OP_BufferStoreF64:
      return "% $2, $0, $1";
    case ISA_OP_Branch:
    case ISA_OP_Break:
    case ISA_OP_Yield:
      return "% $0($1)";
    case ISA_OP_CondBranch:
      return "% $0, $1($2), $3($4)";
    case ISA_OP_CondBreak:
      return "% $0, $1($2)";
    case ISA_OP_BranchTable:
      return "% $0 { default: $1($2)$3 }";
    case ISA_OP_Call:
      return "&2% @$0($1)";
    case ISA_OP_CallVariadic:
      return "&3% @$0 segments[$1]($2)";
    case ISA_OP_CallYieldable:
      return "% @$0($1) -> $2($3)";
    case ISA_OP_CallVariadicYieldable:
      return "% @$0 segments[$1]($2) -> $3($4)";
    case ISA_OP_Return:
      return "%~0";
    case ISA_OP_Trace:
    case ISA_OP_Print:
      return "% $0($1)";
    case ISA_OP_ImportResolved:
      return "$1 = % @$0";
    default:
      return NULL;
  }
}

typedef struct disasm_t {
  const bytecode_module_t *module;
  const bytecode_function_t *function;
  uint32_t block_count;
  uint32_t *blocks;  // positions of the markers, ascending
  iree_string_builder_t *builder;
  bytecode_instruction_t at;
} disasm_t;

static iree_status_t print_register(disasm_t *d, char bank, uint16_t reg, bool may_move) {
  if (reg & ISA_REF_BIT) {
    bool is_move = may_move && (reg & ISA_MOVE_BIT);
    return iree_string_builder_append_format(d->builder, is_move ? "%%R%u" : "%%r%u",
                                             reg & ISA_REF_MASK);
  }
  if (bank == 'I' || bank == 'F') {
    return iree_string_builder_append_format(d->builder, "%%i%u:%u", reg, reg + 1);
  }
  return iree_string_builder_append_format(d->builder, "%%i%u", reg);
}

static iree_status_t print_block(disasm_t *d, uint32_t pc) {
  uint32_t low = 0, high = d->block_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (d->blocks[middle] < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return iree_string_builder_append_format(d->builder, "^bb%u", low);
}

static iree_status_t print_remap(disasm_t *d, bytecode_cursor_t *cursor) {
  cursor_align(cursor);
  uint16_t count = cursor_u16(cursor);
  for (uint32_t i = 0; i < count; ++i) {
    if (i) TRY_APPEND(d->builder, ", ");
    IREE_RETURN_IF_ERROR(print_register(d, '*', cursor_u16(cursor), true));
    TRY_APPEND(d->builder, "->");
    IREE_RETURN_IF_ERROR(print_register(d, '*', cursor_u16(cursor), true));
  }
  return iree_ok_status();
}

static iree_status_t print_list(disasm_t *d, char bank, bytecode_cursor_t *cursor) {
  cursor_align(cursor);
  uint16_t count = cursor_u16(cursor);
  for (uint32_t i = 0; i < count; ++i) {
    if (i) TRY_APPEND(d->builder, ", ");
    uint16_t item = cursor_u16(cursor);
    if (bank == 's') {
      TRY_APPEND(d->builder, "%u", item);
    } else {
      IREE_RETURN_IF_ERROR(print_register(d, '*', item, true));
    }
  }
  return iree_ok_status();
}

static iree_status_t print_table(disasm_t *d, bytecode_cursor_t *cursor) {
  uint16_t count = cursor_u16(cursor);
  for (uint32_t i = 0; i < count; ++i) {
    TRY_APPEND(d->builder, ", %u: ", i);
    IREE_RETURN_IF_ERROR(print_block(d, cursor_u32(cursor)));
    TRY_APPEND(d->builder, "(");
    IREE_RETURN_IF_ERROR(print_remap(d, cursor));
    TRY_APPEND(d->builder, ")");
  }
  return iree_ok_status();
}

static iree_status_t print_immediate(disasm_t *d, char bank, bytecode_cursor_t *cursor) {
  uint64_t bits = cursor_take(cursor, bank == 'I' || bank == 'F' ? 8 : 4);
  float f32 = 0.0f;
  double f64 = 0.0;
  switch (bank) {
    case 'i':
      return iree_string_builder_append_format(d->builder, "%" PRId32 "  // 0x%08" PRIX32,
                                               (int32_t)bits, (uint32_t)bits);
    case 'I':
      return iree_string_builder_append_format(d->builder, "%" PRId64 "  // 0x%016" PRIX64,
                                               (int64_t)bits, bits);
    case 'f':
      memcpy(&f32, &bits, sizeof(f32));
      return iree_string_builder_append_format(d->builder, "%.9g", (double)f32);
    default:
      memcpy(&f64, &bits, sizeof(f64));
      return iree_string_builder_append_format(d->builder, "%.17g", f64);
  }
}

static iree_status_t print_callee(disasm_t *d, uint32_t value) {
  const bytecode_module_t *module = d->module;
  if (value & ISA_IMPORT_BIT) {
    iree_string_view_t name = module->imports[value & ~ISA_IMPORT_BIT].full_name;
    return iree_string_builder_append_string(d->builder, name);
  }
  iree_string_view_t name = bytecode_function_name(module, value);
  if (name.size == 0) {
    return iree_string_builder_append_format(d->builder, "%.*s:%u", IREE_SV_ARGS(module->name),
                                             value);
  }
  return iree_string_builder_append_format(d->builder, "%.*s.%.*s", IREE_SV_ARGS(module->name),
                                           IREE_SV_ARGS(name));
}

static iree_status_t print_ordinal(disasm_t *d, char kind, uint32_t value) {
  switch (kind) {
    case 'f':
      return print_callee(d, value);
    case 'd':
      return iree_string_builder_append_format(d->builder, "%u  // %" PRIhsz "b", value,
                                               d->module->rodata[value].data_length);
    case 't': {
      flatbuf_vector_t types =
          flatbuf_vector(d->module->archive.root, VMFB_BytecodeModuleDef_types);
      return iree_string_builder_append_string(
          d->builder, flatbuf_string(flatbuf_vector_table(types, value), VMFB_TypeDef_full_name));
    }
    default:
      return iree_string_builder_append_format(d->builder, "%u", value);
  }
}

static bytecode_cursor_t field_cursor(const disasm_t *d, uint32_t i) {
  return bytecode_instruction_field(&d->at, d->function, i);
}

static iree_status_t print_field(disasm_t *d, uint32_t i) {
  const isa_field_t *field = &d->at.fields[i];
  bytecode_cursor_t cursor = field_cursor(d, i);
  switch (field->kind) {
    case 'r':
      return print_register(d, field->bank, cursor_u16(&cursor), false);
    case 'm':
    case 'w':
      return print_register(d, field->bank, cursor_u16(&cursor), true);
    case '#':
      return print_immediate(d, field->bank, &cursor);
    case '@':
      return print_ordinal(d, field->bank, cursor_u32(&cursor));
    case '>':
      return print_block(d, cursor_u32(&cursor));
    case '~':
      return print_remap(d, &cursor);
    case '[':
    case ']':
      return print_list(d, field->bank, &cursor);
    case '=':
      return print_table(d, &cursor);
    case '$': {
      uint16_t length = cursor_u16(&cursor);
      return iree_string_builder_append_format(d->builder, "\"%.*s\"", length,
                                               (const char *)d->function->bytecode + cursor.pc);
    }
    default:
      return iree_ok_status();
  }
}

static bool list_is_empty(const disasm_t *d, uint32_t i) {
  bytecode_cursor_t cursor = field_cursor(d, i);
  cursor_align(&cursor);
  return cursor_u16(&cursor) == 0;
}

// Results first, then operands in order.
static iree_status_t print_regular(disasm_t *d) {
  for (uint32_t i = 0; i < d->at.field_count; ++i) {
    if (d->at.fields[i].kind != 'w') continue;
    IREE_RETURN_IF_ERROR(print_field(d, i));
    TRY_APPEND(d->builder, " = ");
  }
  TRY_APPEND(d->builder, "vm.%s", d->at.row->mnemonic);
  const char *separator = " ";
  for (uint32_t i = 0; i < d->at.field_count; ++i) {
    if (d->at.fields[i].kind == 'w') continue;
    TRY_APPEND(d->builder, "%s", separator);
    IREE_RETURN_IF_ERROR(print_field(d, i));
    separator = ", ";
  }
  return iree_ok_status();
}

static iree_status_t print_instruction(disasm_t *d) {
  const char *form = text_form(d->at.row->number);
  if (!form) return print_regular(d);
  for (; *form; ++form) {
    switch (*form) {
      case '%':
        TRY_APPEND(d->builder, "vm.%s", d->at.row->mnemonic);
        break;
      case '$':
        IREE_RETURN_IF_ERROR(print_field(d, (uint32_t)(*++form - '0')));
        break;
      case '&':
        if (list_is_empty(d, (uint32_t)(*++form - '0'))) break;
        IREE_RETURN_IF_ERROR(print_field(d, (uint32_t)(*form - '0')));
        TRY_APPEND(d->builder, " = ");
        break;
      case '~':
        if (list_is_empty(d, (uint32_t)(*++form - '0'))) break;
        TRY_APPEND(d->builder, " ");
        IREE_RETURN_IF_ERROR(print_field(d, (uint32_t)(*form - '0')));
        break;
      default:
        TRY_APPEND(d->builder, "%c", *form);
        break;
    }
  }
  return iree_ok_status();
}

static iree_status_t print_function(disasm_t *d, iree_vm_bytecode_disassembly_format_t format) {
  bytecode_cursor_t cursor = {d->function->bytecode, d->function->length, 0, false};
  uint32_t block = 0;
  while (cursor.pc < cursor.length) {
    if (format & IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_BYTECODE_OFFSETS) {
      TRY_APPEND(d->builder, "[%08X]", cursor.pc);
    }
    bytecode_instruction_read(&d->at, &cursor);
    if (d->at.row->number == ISA_OP_Block) {
      TRY_APPEND(d->builder, "^bb%u:\n", block++);
      continue;
    }
    TRY_APPEND(d->builder, "  ");
    IREE_RETURN_IF_ERROR(print_instruction(d));
    TRY_APPEND(d->builder, "\n");
  }
  return iree_ok_status();
}

// Positions of the markers, for block labels.
static iree_status_t find_blocks(disasm_t *d) {
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(d->module->allocator, d->function->block_count,
                                                   sizeof(uint32_t), (void **)&d->blocks));
  bytecode_cursor_t cursor = {d->function->bytecode, d->function->length, 0, false};
  while (cursor.pc < cursor.length) {
    uint32_t pc = cursor.pc;
    bytecode_instruction_read(&d->at, &cursor);
    if (d->at.row->number == ISA_OP_Block) d->blocks[d->block_count++] = pc;
  }
  return iree_ok_status();
}

static iree_status_t as_bytecode_module(iree_vm_module_t *module, bytecode_module_t **out_module) {
  *out_module = NULL;
  if (!bytecode_module_isa(module)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "not a bytecode module");
  }
  *out_module = module->self;
  return iree_ok_status();
}

iree_status_t iree_vm_bytecode_module_disassemble_function(
    iree_vm_module_t *base_module, uint16_t function_ordinal,
    iree_vm_bytecode_disassembly_format_t format, iree_string_builder_t *string_builder) {
  bytecode_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(as_bytecode_module(base_module, &module));
  if (function_ordinal >= module->function_count) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "function %u of %u", function_ordinal,
                            module->function_count);
  }
  disasm_t d = {.module = module,
                .function = &module->functions[function_ordinal],
                .builder = string_builder};
  iree_status_t status = find_blocks(&d);
  if (iree_status_is_ok(status)) status = print_function(&d, format);
  iree_allocator_free(module->allocator, d.blocks);
  return status;
}

// ---- Whole modules -----------------------------------------------------------------------------

static const char *letter_type(char letter) {
  switch (letter) {
    case IREE_VM_CCONV_TYPE_I32:
      return "i32";
    case IREE_VM_CCONV_TYPE_I64:
      return "i64";
    case IREE_VM_CCONV_TYPE_F32:
      return "f32";
    case IREE_VM_CCONV_TYPE_F64:
      return "f64";
    default:
      return "!vm.ref<?>";
  }
}

// "(%i0: i32, %r0: !vm.ref<?>) -> (i64)"; wide values name both registers of their pair.
static iree_status_t print_signature(const bytecode_function_t *function,
                                     iree_string_builder_t *builder) {
  uint32_t i32 = 0, ref = 0;
  TRY_APPEND(builder, "(");
  for (iree_host_size_t i = 0; i < function->arguments.size; ++i) {
    char letter = function->arguments.data[i];
    if (i) TRY_APPEND(builder, ", ");
    if (letter == IREE_VM_CCONV_TYPE_REF) {
      TRY_APPEND(builder, "%%r%u: ", ref++);
    } else if (cconv_is_wide(letter)) {
      i32 = (i32 + 1) & ~1u;
      TRY_APPEND(builder, "%%i%u:%u: ", i32, i32 + 1);
      i32 += 2;
    } else {
      TRY_APPEND(builder, "%%i%u: ", i32++);
    }
    TRY_APPEND(builder, "%s", letter_type(letter));
  }
  TRY_APPEND(builder, ") -> (");
  for (iree_host_size_t i = 0; i < function->results.size; ++i) {
    TRY_APPEND(builder, "%s%s", i ? ", " : "", letter_type(function->results.data[i]));
  }
  TRY_APPEND(builder, ")");
  return iree_ok_status();
}

static iree_status_t print_directives(const bytecode_module_t *module,
                                      iree_string_builder_t *builder) {
  flatbuf_vector_t types = flatbuf_vector(module->archive.root, VMFB_BytecodeModuleDef_types);
  for (uint32_t i = 0; i < types.count; ++i) {
    iree_string_view_t name =
        flatbuf_string(flatbuf_vector_table(types, i), VMFB_TypeDef_full_name);
    TRY_APPEND(builder, "vm.type %.*s\n", IREE_SV_ARGS(name));
  }
  for (uint32_t i = 0; i < module->import_count; ++i) {
    const bytecode_import_decl_t *import = &module->imports[i];
    TRY_APPEND(builder, "vm.import %s@%.*s cconv \"%.*s\"\n",
               import->is_optional ? "optional " : "", IREE_SV_ARGS(import->full_name),
               IREE_SV_ARGS(import->calling_convention));
  }
  for (uint32_t i = 0; i < module->rodata_count; ++i) {
    iree_const_byte_span_t data = module->rodata[i];
    char *hex = NULL;
    TRY_APPEND(builder, "vm.rodata[%u] = ", i);
    IREE_RETURN_IF_ERROR(iree_string_builder_append_inline(builder, 2 * data.data_length, &hex));
    for (iree_host_size_t k = 0; hex && k < data.data_length; ++k) {
      hex[2 * k] = "0123456789ABCDEF"[data.data[k] >> 4];
      hex[2 * k + 1] = "0123456789ABCDEF"[data.data[k] & 15];
    }
    TRY_APPEND(builder, "\n");
  }
  if (types.count || module->import_count || module->rodata_count) TRY_APPEND(builder, "\n");
  return iree_ok_status();
}

static iree_status_t print_exports(const bytecode_module_t *module, uint32_t ordinal,
                                   iree_string_view_t name, iree_string_builder_t *builder) {
  flatbuf_vector_t exports =
      flatbuf_vector(module->archive.root, VMFB_BytecodeModuleDef_exported_functions);
  for (uint32_t i = 0; i < exports.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(exports, i);
    if (flatbuf_u32(table, VMFB_ExportFunctionDef_internal_ordinal, 0) != ordinal) continue;
    iree_string_view_t local_name = flatbuf_string(table, VMFB_ExportFunctionDef_local_name);
    TRY_APPEND(builder, "vm.export @%.*s", IREE_SV_ARGS(local_name));
    if (!iree_string_view_equal(local_name, name)) {
      TRY_APPEND(builder, " = @%.*s", IREE_SV_ARGS(name));
    }
    TRY_APPEND(builder, "\n");
  }
  return iree_ok_status();
}

iree_status_t bytecode_disassemble_module(iree_vm_module_t *base_module,
                                          iree_string_view_t function_filter,
                                          iree_vm_bytecode_disassembly_format_t format,
                                          iree_string_builder_t *builder) {
  bytecode_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(as_bytecode_module(base_module, &module));
  TRY_APPEND(builder, "vm.module @%.*s version %u\n", IREE_SV_ARGS(module->name),
             iree_vm_module_signature(base_module).version);
  IREE_RETURN_IF_ERROR(print_directives(module, builder));
  uint32_t filter_ordinal = UINT32_MAX;
  bool is_ordinal = iree_string_view_atoi_uint32(function_filter, &filter_ordinal);
  bool any = false;
  for (uint32_t i = 0; i < module->function_count; ++i) {
    char unnamed[16];
    snprintf(unnamed, sizeof(unnamed), "fn%u", i);
    iree_string_view_t name = bytecode_function_name(module, i);
    if (name.size == 0) name = iree_make_cstring_view(unnamed);
    bool is_match = function_filter.size == 0 || (is_ordinal && filter_ordinal == i) ||
                    iree_string_view_equal(name, function_filter);
    if (!is_match) continue;
    if (any) TRY_APPEND(builder, "\n");
    any = true;
    IREE_RETURN_IF_ERROR(print_exports(module, i, name, builder));
    TRY_APPEND(builder, "vm.func @%.*s", IREE_SV_ARGS(name));
    IREE_RETURN_IF_ERROR(print_signature(&module->functions[i], builder));
    TRY_APPEND(builder, " {\n");
    IREE_RETURN_IF_ERROR(
        iree_vm_bytecode_module_disassemble_function(base_module, (uint16_t)i, format, builder));
    TRY_APPEND(builder, "}\n");
  }
  if (any || function_filter.size == 0) return iree_ok_status();
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no function `%.*s` in module `%.*s`",
                          IREE_SV_ARGS(function_filter), IREE_SV_ARGS(module->name));
}

// ---- What a program records --------------------------------------------------------------------

typedef struct command_counts_t {
  uint32_t dispatches, copies, fills, updates, submissions;
} command_counts_t;

static void count_call(iree_string_view_t name, command_counts_t *counts) {
  if (!iree_string_view_consume_prefix(&name, IREE_SV("hal."))) {
    if (iree_string_view_equal(name, IREE_SV("hal_loader.executable.dispatch"))) {
      ++counts->dispatches;
    }
    return;
  }
  bool is_queue = iree_string_view_consume_prefix(&name, IREE_SV("device.queue."));
  if (!is_queue && !iree_string_view_consume_prefix(&name, IREE_SV("command_buffer."))) return;
  if (iree_string_view_starts_with(name, IREE_SV("dispatch"))) ++counts->dispatches;
  if (iree_string_view_starts_with(name, IREE_SV("copy"))) ++counts->copies;
  if (iree_string_view_starts_with(name, IREE_SV("fill"))) ++counts->fills;
  if (iree_string_view_starts_with(name, IREE_SV("update"))) ++counts->updates;
  if (iree_string_view_starts_with(name, IREE_SV("execute"))) ++counts->submissions;
}

static command_counts_t count_commands(const bytecode_module_t *module, uint32_t ordinal) {
  command_counts_t counts = {0};
  disasm_t d = {.module = module, .function = &module->functions[ordinal]};
  bytecode_cursor_t cursor = {d.function->bytecode, d.function->length, 0, false};
  while (cursor.pc < cursor.length) {
    bytecode_instruction_read(&d.at, &cursor);
    if (d.at.field_count == 0 || d.at.fields[0].bank != 'f' || d.at.fields[0].kind != '@' ||
        d.at.row->number == ISA_OP_ImportResolved) {
      continue;
    }
    bytecode_cursor_t field = field_cursor(&d, 0);
    uint32_t callee = cursor_u32(&field);
    if (callee & ISA_IMPORT_BIT) {
      count_call(module->imports[callee & ~ISA_IMPORT_BIT].full_name, &counts);
    }
  }
  return counts;
}

iree_status_t bytecode_report_commands(iree_vm_module_t *base_module,
                                       iree_string_builder_t *builder) {
  bytecode_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(as_bytecode_module(base_module, &module));
  command_counts_t total = {0};
  TRY_APPEND(builder,
             "  # | Dispatches | Copies | Fills | Updates | Submissions | Function\n"
             "----+------------+--------+-------+---------+-------------+---------\n");
  for (uint32_t i = 0; i < module->function_count; ++i) {
    command_counts_t c = count_commands(module, i);
    iree_string_view_t name = bytecode_function_name(module, i);
    TRY_APPEND(builder, "%3u | %10u | %6u | %5u | %7u | %11u | %.*s\n", i, c.dispatches, c.copies,
               c.fills, c.updates, c.submissions, IREE_SV_ARGS(name));
    total.dispatches += c.dispatches;
    total.copies += c.copies;
    total.fills += c.fills;
    total.updates += c.updates;
    total.submissions += c.submissions;
  }
  TRY_APPEND(builder, "all | %10u | %6u | %5u | %7u | %11u |\n\nDispatches: %u\n", total.dispatches,
             total.copies, total.fills, total.updates, total.submissions, total.dispatches);
  return iree_ok_status();
}
