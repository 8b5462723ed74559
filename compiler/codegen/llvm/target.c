// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves target strings: triple to architecture, CPU and feature items to processor bits.
// Every name is checked against config/*.def first, because LLVM prints a warning for what it does
// not know and goes on.
#include "compiler/codegen/target.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/llvm/machine.h"

typedef struct {
  const char *names;  // the arch's spelling in triples, first is canonical
  struct {
    const char *triple, *format;
  } by_link[3];
} arch_row_t;

static const arch_row_t arch_rows[] = {
    [CODEGEN_ARCH_X86_64] = {"x86_64 x86-64 amd64 x64",
                             {{"x86_64-unknown-unknown-eabi-elf", "embedded-elf-x86_64"},
                              {"x86_64-unknown-linux-gnu", "system-elf-x86_64"},
                              {"x86_64-unknown-linux-gnu", "static"}}},
    [CODEGEN_ARCH_ARM_64] = {"aarch64 arm64 arm_64",
                             {{"aarch64-unknown-unknown-eabi-elf", "embedded-elf-arm_64"},
                              {"aarch64-unknown-linux-gnu", "system-elf-arm_64"},
                              {"aarch64-unknown-linux-gnu", "static"}}},
};
enum { ARCH_COUNT = sizeof(arch_rows) / sizeof(arch_rows[0]) };

typedef struct {
  codegen_arch_t arch;
  uint32_t word, bit;
  const char *name, *implies;
} feature_row_t;

static const feature_row_t feature_rows[] = {
#define CPU_FEATURE(arch, word, bit, id, name, implies) \
  {CODEGEN_ARCH_##arch, word, bit, name, implies},
#include "abi/cpu_feature.def"
#undef CPU_FEATURE
};
enum { FEATURE_COUNT = sizeof(feature_rows) / sizeof(feature_rows[0]) };

static const struct {
  codegen_arch_t arch;
  const char *name;
  uint64_t bits;
} cpu_rows[] = {
#define CPU(arch, name, bits) {CODEGEN_ARCH_##arch, name, bits},
#include "compiler/codegen/config/cpu.def"
#undef CPU
};
enum { CPU_COUNT = sizeof(cpu_rows) / sizeof(cpu_rows[0]) };

static const char *const feature_names[] = {
#define CPU_FEATURE_NAMES(arch, names) [CODEGEN_ARCH_##arch] = names,
#include "compiler/codegen/config/cpu_feature_names.def"
#undef CPU_FEATURE_NAMES
};

static codegen_arch_t host_arch(void) {
#if defined(__aarch64__)
  return CODEGEN_ARCH_ARM_64;
#else
  return CODEGEN_ARCH_X86_64;
#endif
}

static bool view_is(iree_string_view_t view, const char *text) {
  return view.size == strlen(text) && memcmp(view.data, text, view.size) == 0;
}

// Takes the part of |rest| before |separator| off its front.
static iree_string_view_t take_item(iree_string_view_t *rest, char separator) {
  const char *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
  iree_host_size_t length = end ? (iree_host_size_t)(end - rest->data) : rest->size;
  iree_string_view_t item = iree_make_string_view(rest->data, length);
  iree_host_size_t used = end ? length + 1 : length;
  *rest = iree_make_string_view(rest->data + used, rest->size - used);
  return item;
}

static bool list_has(const char *list, iree_string_view_t name) {
  iree_string_view_t rest = iree_make_cstring_view(list);
  while (rest.size) {
    iree_string_view_t item = take_item(&rest, ' ');
    if (item.size == name.size && name.size && memcmp(item.data, name.data, name.size) == 0)
      return true;
  }
  return false;
}

static iree_status_t resolve_arch(iree_string_view_t triple, codegen_arch_t *out_arch) {
  *out_arch = host_arch();
  if (triple.size == 0 || view_is(triple, "host")) return iree_ok_status();
  iree_string_view_t rest = triple;
  iree_string_view_t name = take_item(&rest, '-');
  // "x86-64-..." holds the separator itself.
  if (view_is(name, "x86") && rest.size >= 2 && memcmp(rest.data, "64", 2) == 0) {
    *out_arch = CODEGEN_ARCH_X86_64;
    return iree_ok_status();
  }
  for (int i = 0; i < ARCH_COUNT; ++i) {
    if (list_has(arch_rows[i].names, name)) {
      *out_arch = (codegen_arch_t)i;
      return iree_ok_status();
    }
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "target triple '%.*s': architecture '%.*s' has no code generator here; "
                          "use x86_64 or aarch64",
                          (int)triple.size, triple.data, (int)name.size, name.data);
}

// Sets the feature called |name| and all it implies in |words|.
static void set_feature(codegen_arch_t arch, iree_string_view_t name, uint64_t *words) {
  for (int i = 0; i < FEATURE_COUNT; ++i) {
    const feature_row_t *row = &feature_rows[i];
    if (row->arch != arch || !view_is(name, row->name)) continue;
    words[row->word] |= 1ull << row->bit;
    iree_string_view_t rest = iree_make_cstring_view(row->implies);
    while (rest.size) set_feature(arch, take_item(&rest, ','), words);
  }
}

// Clears the feature called |name| and all that imply it.
static void clear_feature(codegen_arch_t arch, iree_string_view_t name, uint64_t *words) {
  uint64_t self[CODEGEN_PROCESSOR_WORDS] = {0};
  bool is_set = false;
  for (int i = 0; i < FEATURE_COUNT; ++i) {
    const feature_row_t *row = &feature_rows[i];
    if (row->arch != arch || !view_is(name, row->name)) continue;
    self[row->word] |= 1ull << row->bit;
    is_set |= words[row->word] >> row->bit & 1;
  }
  if (!is_set) return;  // what implies it would have set it
  for (int i = 0; i < FEATURE_COUNT; ++i) {
    const feature_row_t *row = &feature_rows[i];
    if (row->arch != arch) continue;
    uint64_t closure[CODEGEN_PROCESSOR_WORDS] = {0};
    set_feature(arch, iree_make_cstring_view(row->name), closure);
    for (int w = 0; w < CODEGEN_PROCESSOR_WORDS; ++w) {
      if (closure[w] & self[w]) words[row->word] &= ~(1ull << row->bit);
    }
  }
}

static bool has_feature(const codegen_target_t *target, const char *name) {
  for (int i = 0; i < FEATURE_COUNT; ++i) {
    const feature_row_t *row = &feature_rows[i];
    if (row->arch == target->arch && strcmp(row->name, name) == 0) {
      return (target->processor[row->word] >> row->bit) & 1;
    }
  }
  return false;
}

// Appends one "+name" or "-name" item to |text| (capacity is the caller's promise).
static void append_item(char *text, iree_string_view_t item) {
  size_t length = strlen(text);
  if (length) text[length++] = ',';
  memcpy(text + length, item.data, item.size);
  text[length + item.size] = 0;
}

// Applies the items of |features|, appending what the code generator must be told to |text|.
static iree_status_t apply_features(codegen_target_t *target, iree_string_view_t features,
                                    bool is_host_list, char *text) {
  while (features.size) {
    iree_string_view_t item = take_item(&features, ',');
    if (item.size == 0 || (view_is(item, "host") && !is_host_list)) continue;
    char sign = item.data[0];
    iree_string_view_t name = iree_make_string_view(item.data + 1, item.size - 1);
    if (sign != '+' && sign != '-') {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "CPU feature '%.*s' needs a leading '+' or '-'", (int)item.size,
                              item.data);
    }
    if (!list_has(feature_names[target->arch], name)) {
      // Lists made by other releases name features this code generator has never heard of; leaving
      // one out is harmless, using one is not possible. "64bit" is a mode that the triple gives.
      if (sign == '-' || is_host_list || view_is(name, "64bit")) continue;
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "unknown CPU feature '%.*s' for %s; names are LLVM's, e.g. %s",
                              (int)item.size, item.data, arch_rows[target->arch].by_link[0].format,
                              target->arch == CODEGEN_ARCH_X86_64 ? "+avx2,+fma" : "+dotprod");
    }
    if (sign == '+') {
      set_feature(target->arch, name, target->processor);
    } else {
      clear_feature(target->arch, name, target->processor);
    }
    append_item(text, item);
  }
  return iree_ok_status();
}

// Equal sets of features are spelled alike: one item per name, the last one given, by name. Without
// a CPU to take features away from, '-' says nothing and goes.
static int compare_items(const void *a, const void *b) {
  const iree_string_view_t *x = a, *y = b;
  size_t n = x->size < y->size ? x->size : y->size;
  int c = memcmp(x->data + 1, y->data + 1, n - 1);
  if (c || x->size != y->size) return c ? c : x->size < y->size ? -1 : 1;
  return x->data < y->data ? -1 : x->data > y->data;
}
static iree_status_t canonicalize_features(codegen_target_t *target) {
  size_t length = strlen(target->features), count = 0;
  char *text = calloc(1, length + 1);
  iree_string_view_t *items = calloc(length + 1, sizeof *items);
  if (!text || !items) {
    free(text);
    free(items);
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for CPU features");
  }
  iree_string_view_t rest = iree_make_cstring_view(target->features);
  while (rest.size) {
    iree_string_view_t item = take_item(&rest, ',');
    if (item.size > 1) items[count++] = item;
  }
  qsort(items, count, sizeof *items, compare_items);
  bool is_generic = strcmp(target->cpu, "generic") == 0;
  for (size_t i = 0; i < count; ++i) {
    bool again = i + 1 < count && items[i].size == items[i + 1].size &&
                 !memcmp(items[i].data + 1, items[i + 1].data + 1, items[i].size - 1);
    if (!again && !(is_generic && items[i].data[0] == '-')) append_item(text, items[i]);
  }
  free(items);
  free(target->features);
  target->features = text;
  return iree_ok_status();
}

static bool names_host(iree_string_view_t features) {
  while (features.size) {
    if (view_is(take_item(&features, ','), "host")) return true;
  }
  return false;
}

static iree_status_t resolve_cpu(codegen_target_t *target, iree_string_view_t cpu) {
  for (int i = 0; i < CPU_COUNT; ++i) {
    if (cpu_rows[i].arch != target->arch || !view_is(cpu, cpu_rows[i].name)) continue;
    target->processor[0] |= cpu_rows[i].bits;
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "unknown CPU '%.*s' for %s; use generic, host or one of LLVM's names "
                          "(x86-64-v3, znver4, neoverse-n1, ...)",
                          (int)cpu.size, cpu.data, arch_rows[target->arch].by_link[0].format);
}

static void derive_facts(codegen_target_t *target) {
  target->max_lanes = 256;
  if (target->arch == CODEGEN_ARCH_ARM_64) {
    target->vector_bytes = 16;
    target->vector_registers = 32;
    target->has_fma = true;
    target->has_f16_convert = true;
    target->has_f16_arithmetic = has_feature(target, "fullfp16");
    return;
  }
  bool wide = has_feature(target, "avx512f");
  target->vector_bytes = wide ? 64 : has_feature(target, "avx") ? 32 : 16;
  target->vector_registers = wide ? 32 : 16;
  target->has_fma = has_feature(target, "fma");
  target->has_f16_convert = has_feature(target, "f16c");
  target->has_f16_arithmetic = has_feature(target, "avx512fp16");
}

static iree_status_t read_data_layout(codegen_target_t *target) {
  LLVMTargetMachineRef machine = NULL;
  IREE_RETURN_IF_ERROR(llvm_machine_create(target, &machine));
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *text = LLVMCopyStringRepOfTargetData(layout);
  target->data_layout = strdup(text);
  LLVMDisposeMessage(text);
  LLVMDisposeTargetData(layout);
  LLVMDisposeTargetMachine(machine);
  return iree_ok_status();
}

static iree_status_t fill_target(codegen_target_t *target, const codegen_target_options_t *options,
                                 iree_string_view_t host_cpu, iree_string_view_t host_features) {
  bool is_host_cpu = view_is(options->cpu, "host");
  bool wants_host = is_host_cpu || names_host(options->features);
  if (wants_host && target->arch != host_arch()) {
    return iree_make_status(
        IREE_STATUS_INVALID_ARGUMENT,
        "CPU or features 'host' asked for %s, but this machine is %s; name the CPU",
        arch_rows[target->arch].by_link[0].format, arch_rows[host_arch()].by_link[0].format);
  }
  iree_string_view_t cpu = options->cpu;
  if (cpu.size == 0) cpu = iree_make_cstring_view("generic");
  if (is_host_cpu) cpu = host_cpu;
  target->cpu = strndup(cpu.data, cpu.size);
  size_t capacity = options->features.size + host_features.size + 64;
  target->features = calloc(1, capacity);
  // A host CPU that the table does not know is described by its features alone.
  iree_status_t status = resolve_cpu(target, cpu);
  if (is_host_cpu && !iree_status_is_ok(status)) {
    iree_status_ignore(status);
    status = iree_ok_status();
    free(target->cpu);
    target->cpu = strdup("generic");
  }
  IREE_RETURN_IF_ERROR(status);
  if (wants_host) {
    IREE_RETURN_IF_ERROR(apply_features(target, host_features, true, target->features));
  }
  IREE_RETURN_IF_ERROR(apply_features(target, options->features, false, target->features));
  if (target->arch == CODEGEN_ARCH_ARM_64) {
    // Some hosts own x18; generated code never touches it.
    iree_string_view_t item = iree_make_cstring_view("+reserve-x18");
    if (!strstr(target->features, item.data)) append_item(target->features, item);
  }
  IREE_RETURN_IF_ERROR(canonicalize_features(target));
  derive_facts(target);
  return read_data_layout(target);
}

iree_status_t codegen_target_create(const codegen_target_options_t *options,
                                    codegen_target_t **out_target) {
  *out_target = NULL;
  codegen_arch_t arch;
  IREE_RETURN_IF_ERROR(resolve_arch(options->triple, &arch));
  codegen_target_t *target = calloc(1, sizeof(*target));
  target->arch = arch;
  target->link = options->link;
  target->format = arch_rows[arch].by_link[options->link].format;
  target->triple = strdup(arch_rows[arch].by_link[options->link].triple);
  iree_string_view_t output = options->static_output;  // mostly empty, without data
  target->static_output = strndup(output.size ? output.data : "", output.size);
  char *host_cpu = LLVMGetHostCPUName();
  char *host_features = LLVMGetHostCPUFeatures();
  iree_status_t status = fill_target(target, options, iree_make_cstring_view(host_cpu),
                                     iree_make_cstring_view(host_features));
  LLVMDisposeMessage(host_cpu);
  LLVMDisposeMessage(host_features);
  if (!iree_status_is_ok(status)) {
    codegen_target_free(target);
    return status;
  }
  *out_target = target;
  return iree_ok_status();
}
