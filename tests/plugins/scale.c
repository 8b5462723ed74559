// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin with one function. FACTOR tells builds of it apart; it needs no C library.
#include "iree/hal/local/executable_plugin.h"

#ifndef FACTOR
#define FACTOR 3.0f
#endif
#ifndef FUNCTION
#define FUNCTION "scale_workgroup"
#endif
#define GROUP_SIZE 4u

typedef struct scale_t {
  iree_hal_executable_plugin_allocator_t allocator;
  float factor;
} scale_t;

// What the kernel passes: its arguments, then the field that its import asks for.
typedef struct scale_params_t {
  const float *source;
  size_t source_offset;
  float *target;
  size_t target_offset;
  size_t count;
  size_t group;
  uint32_t processor_id;
} scale_params_t;

static int scale_workgroup(void *raw_params, void *context, void *reserved) {
  const scale_params_t *params = (const scale_params_t *)raw_params;
  (void)reserved;
  size_t begin = params->group * GROUP_SIZE;
  size_t end = begin + GROUP_SIZE < params->count ? begin + GROUP_SIZE : params->count;
  for (size_t i = begin; i < end; ++i) {
    params->target[params->target_offset + i] =
        params->source[params->source_offset + i] * ((const scale_t *)context)->factor;
  }
  return 0;
}

static iree_hal_executable_plugin_status_t load(
    const iree_hal_executable_plugin_environment_v0_t *environment, size_t param_count,
    const iree_hal_executable_plugin_string_pair_t *params, void **out_self) {
  (void)param_count, (void)params;
  void *memory = NULL;
  iree_hal_executable_plugin_status_t status = iree_hal_executable_plugin_allocator_malloc(
      environment->host_allocator, sizeof(scale_t), &memory);
  if (!iree_hal_executable_plugin_status_is_ok(status)) return status;
  scale_t *scale = (scale_t *)memory;
  scale->allocator = environment->host_allocator;
  scale->factor = FACTOR;
  *out_self = scale;
  return iree_hal_executable_plugin_ok_status();
}

static void unload(void *self) {
  iree_hal_executable_plugin_allocator_t allocator = ((scale_t *)self)->allocator;
  iree_hal_executable_plugin_allocator_free(allocator, self);
}

static iree_hal_executable_plugin_status_t resolve(
    void *self, const iree_hal_executable_plugin_resolve_params_v0_t *params,
    iree_hal_executable_plugin_resolution_t *out_resolution) {
  bool lacks_required = false;
  *out_resolution = 0;
  for (size_t i = 0; i < params->count; ++i) {
    const char *name = params->symbol_names[i];
    const bool is_optional = iree_hal_executable_plugin_import_is_optional(name);
    if (params->out_fn_ptrs[i]) continue;
    if (iree_hal_executable_plugin_strcmp(name + is_optional, FUNCTION) == 0) {
      params->out_fn_ptrs[i] = (void *)(uintptr_t)&scale_workgroup;
      params->out_fn_contexts[i] = self;
    } else if (is_optional) {
      *out_resolution |= IREE_HAL_EXECUTABLE_PLUGIN_RESOLUTION_MISSING_OPTIONAL;
    } else {
      lacks_required = true;
    }
  }
  return iree_hal_executable_plugin_status_from_code(
      lacks_required ? IREE_HAL_EXECUTABLE_PLUGIN_STATUS_NOT_FOUND
                     : IREE_HAL_EXECUTABLE_PLUGIN_STATUS_OK);
}

IREE_HAL_EXECUTABLE_PLUGIN_EXPORT const iree_hal_executable_plugin_header_t **
iree_hal_executable_plugin_query(iree_hal_executable_plugin_version_t max_version, void *reserved) {
  static const iree_hal_executable_plugin_header_t header = {
      .version = IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST,
      .name = "scale",
      .description = "multiplies by a number",
      .features = IREE_HAL_EXECUTABLE_PLUGIN_FEATURE_STANDALONE,
      .sanitizer = IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND,
  };
  static const iree_hal_executable_plugin_v0_t plugin = {
      .header = &header, .load = load, .unload = unload, .resolve = resolve};
  (void)reserved;
  return max_version >= IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST
             ? (const iree_hal_executable_plugin_header_t **)(uintptr_t)&plugin
             : NULL;
}
