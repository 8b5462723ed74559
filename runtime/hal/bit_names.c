// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the HAL's bit sets, for error texts and flags. One table each, widest rows first.
#include "iree/hal/api.h"

#define ROW(bits, name)              \
  {                                  \
    bits, { name, sizeof(name) - 1 } \
  }

static const iree_bitfield_string_mapping_t memory_types[] = {
    ROW(IREE_HAL_MEMORY_TYPE_OPTIMAL_FOR_HOST, "OPTIMAL_FOR_HOST"),
    ROW(IREE_HAL_MEMORY_TYPE_OPTIMAL_FOR_DEVICE, "OPTIMAL_FOR_DEVICE"),
    ROW(IREE_HAL_MEMORY_TYPE_HOST_LOCAL, "HOST_LOCAL"),
    ROW(IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL, "DEVICE_LOCAL"),
    ROW(IREE_HAL_MEMORY_TYPE_OPTIMAL, "OPTIMAL"),
    ROW(IREE_HAL_MEMORY_TYPE_HOST_VISIBLE, "HOST_VISIBLE"),
    ROW(IREE_HAL_MEMORY_TYPE_HOST_COHERENT, "HOST_COHERENT"),
    ROW(IREE_HAL_MEMORY_TYPE_HOST_CACHED, "HOST_CACHED"),
    ROW(IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE, "DEVICE_VISIBLE"),
};

static const iree_bitfield_string_mapping_t memory_accesses[] = {
    ROW(IREE_HAL_MEMORY_ACCESS_ALL, "ALL"),
    ROW(IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE, "DISCARD_WRITE"),
    ROW(IREE_HAL_MEMORY_ACCESS_READ, "READ"),
    ROW(IREE_HAL_MEMORY_ACCESS_WRITE, "WRITE"),
    ROW(IREE_HAL_MEMORY_ACCESS_DISCARD, "DISCARD"),
    ROW(IREE_HAL_MEMORY_ACCESS_MAY_ALIAS, "MAY_ALIAS"),
    ROW(IREE_HAL_MEMORY_ACCESS_UNALIGNED, "UNALIGNED"),
    ROW(IREE_HAL_MEMORY_ACCESS_ANY, "ANY"),
};

static const iree_bitfield_string_mapping_t buffer_usages[] = {
    ROW(IREE_HAL_BUFFER_USAGE_TRANSFER, "TRANSFER"),
    ROW(IREE_HAL_BUFFER_USAGE_TRANSFER_SOURCE, "TRANSFER_SOURCE"),
    ROW(IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET, "TRANSFER_TARGET"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH, "DISPATCH"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE, "DISPATCH_STORAGE"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE, "DISPATCH_IMAGE"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_INDIRECT_PARAMETERS, "DISPATCH_INDIRECT_PARAMETERS"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_UNIFORM_READ, "DISPATCH_UNIFORM_READ"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE_READ, "DISPATCH_STORAGE_READ"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE_WRITE, "DISPATCH_STORAGE_WRITE"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE_READ, "DISPATCH_IMAGE_READ"),
    ROW(IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE_WRITE, "DISPATCH_IMAGE_WRITE"),
    ROW(IREE_HAL_BUFFER_USAGE_SHARING_EXPORT, "SHARING_EXPORT"),
    ROW(IREE_HAL_BUFFER_USAGE_SHARING_REPLICATE, "SHARING_REPLICATE"),
    ROW(IREE_HAL_BUFFER_USAGE_SHARING_CONCURRENT, "SHARING_CONCURRENT"),
    ROW(IREE_HAL_BUFFER_USAGE_SHARING_IMMUTABLE, "SHARING_IMMUTABLE"),
    ROW(IREE_HAL_BUFFER_USAGE_MAPPING, "MAPPING"),
    ROW(IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED, "MAPPING_SCOPED"),
    ROW(IREE_HAL_BUFFER_USAGE_MAPPING_PERSISTENT, "MAPPING_PERSISTENT"),
    ROW(IREE_HAL_BUFFER_USAGE_MAPPING_OPTIONAL, "MAPPING_OPTIONAL"),
    ROW(IREE_HAL_BUFFER_USAGE_MAPPING_ACCESS_RANDOM, "MAPPING_ACCESS_RANDOM"),
    ROW(IREE_HAL_BUFFER_USAGE_MAPPING_ACCESS_SEQUENTIAL_WRITE, "MAPPING_ACCESS_SEQUENTIAL_WRITE"),
};

static const iree_bitfield_string_mapping_t buffer_compatibilities[] = {
    ROW(IREE_HAL_BUFFER_COMPATIBILITY_ALLOCATABLE, "ALLOCATABLE"),
    ROW(IREE_HAL_BUFFER_COMPATIBILITY_IMPORTABLE, "IMPORTABLE"),
    ROW(IREE_HAL_BUFFER_COMPATIBILITY_EXPORTABLE, "EXPORTABLE"),
    ROW(IREE_HAL_BUFFER_COMPATIBILITY_QUEUE_TRANSFER, "QUEUE_TRANSFER"),
    ROW(IREE_HAL_BUFFER_COMPATIBILITY_QUEUE_DISPATCH, "QUEUE_DISPATCH"),
    ROW(IREE_HAL_BUFFER_COMPATIBILITY_LOW_PERFORMANCE, "LOW_PERFORMANCE"),
};

static const iree_bitfield_string_mapping_t command_buffer_modes[] = {
    ROW(IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT, "ONE_SHOT"),
    ROW(IREE_HAL_COMMAND_BUFFER_MODE_ALLOW_INLINE_EXECUTION, "ALLOW_INLINE_EXECUTION"),
    ROW(IREE_HAL_COMMAND_BUFFER_MODE_UNVALIDATED, "UNVALIDATED"),
    ROW(IREE_HAL_COMMAND_BUFFER_MODE_UNRETAINED, "UNRETAINED"),
    ROW(IREE_HAL_COMMAND_BUFFER_MODE_RETAIN_PROFILE_METADATA, "RETAIN_PROFILE_METADATA"),
    ROW(IREE_HAL_COMMAND_BUFFER_MODE_RETAIN_DISPATCH_METADATA, "RETAIN_DISPATCH_METADATA"),
};

static const iree_bitfield_string_mapping_t command_categories[] = {
    ROW(IREE_HAL_COMMAND_CATEGORY_ANY, "ANY"),
    ROW(IREE_HAL_COMMAND_CATEGORY_TRANSFER, "TRANSFER"),
    ROW(IREE_HAL_COMMAND_CATEGORY_DISPATCH, "DISPATCH"),
};

#define DEFINE_FORMAT(name, type, table)                                                \
  iree_string_view_t name##_format(type value, iree_bitfield_string_temp_t *out_temp) { \
    return iree_bitfield_format_inline(value, IREE_ARRAYSIZE(table), table, out_temp);  \
  }
#define DEFINE_PARSE(name, type, table)                                                    \
  iree_status_t name##_parse(iree_string_view_t value, type *out_value) {                  \
    uint32_t bits = 0;                                                                     \
    *out_value = 0;                                                                        \
    IREE_RETURN_IF_ERROR(iree_bitfield_parse(value, IREE_ARRAYSIZE(table), table, &bits)); \
    *out_value = (type)bits;                                                               \
    return iree_ok_status();                                                               \
  }

DEFINE_FORMAT(iree_hal_memory_type, iree_hal_memory_type_t, memory_types)
DEFINE_PARSE(iree_hal_memory_type, iree_hal_memory_type_t, memory_types)
DEFINE_FORMAT(iree_hal_memory_access, iree_hal_memory_access_t, memory_accesses)
DEFINE_PARSE(iree_hal_memory_access, iree_hal_memory_access_t, memory_accesses)
DEFINE_FORMAT(iree_hal_buffer_usage, iree_hal_buffer_usage_t, buffer_usages)
DEFINE_PARSE(iree_hal_buffer_usage, iree_hal_buffer_usage_t, buffer_usages)
DEFINE_FORMAT(iree_hal_buffer_compatibility, iree_hal_buffer_compatibility_t,
              buffer_compatibilities)
DEFINE_PARSE(iree_hal_buffer_compatibility, iree_hal_buffer_compatibility_t, buffer_compatibilities)
DEFINE_FORMAT(iree_hal_command_buffer_mode, iree_hal_command_buffer_mode_t, command_buffer_modes)
DEFINE_FORMAT(iree_hal_command_category, iree_hal_command_category_t, command_categories)
