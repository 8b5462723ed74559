// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local device with an executor of its own.
#include "runtime/hal/drivers/task/driver.h"

#include "runtime/hal/local/device.h"
#include "runtime/hal/local/driver.h"

#define MAX_SPIN_US 1000000u

static iree_status_t parse_number(iree_string_pair_t param, uint32_t max, uint32_t *out_value) {
  if (iree_string_view_atoi_uint32(param.value, out_value) && *out_value <= max) {
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "device parameter %.*s=%.*s is not a number up to %u",
                          IREE_SV_ARGS(param.key), IREE_SV_ARGS(param.value), max);
}

// What parameters say: which cores, or which processors, or how many workers.
typedef struct task_params_t {
  uint32_t group_count;
  iree_string_view_t processor_ids;
  task_topology_choice_t choice;
  task_executor_options_t options;
} task_params_t;

#define MAX_STACK_BYTES (1u << 30)
#define KNOWN_PARAMS                                                                  \
  "executable_plugin, task_topology_cpu_ids, task_topology_group_count, task_topology_max_group_count, " \
  "task_topology_mode, task_topology_nodes, task_topology_performance_level, "        \
  "task_worker_spin_us, task_worker_stack_size"

static iree_status_t parse_param(iree_string_view_t identifier, iree_string_pair_t param,
                                 task_params_t *out) {
  uint32_t number = 0;
  if (local_driver_is_plugin(param)) return iree_ok_status();
  if (iree_string_view_equal(param.key, IREE_SV("task_topology_group_count"))) {
    return parse_number(param, TASK_TOPOLOGY_MAX_GROUP_COUNT, &out->group_count);
  }
  if (iree_string_view_equal(param.key, IREE_SV("task_topology_max_group_count"))) {
    IREE_RETURN_IF_ERROR(parse_number(param, TASK_TOPOLOGY_MAX_GROUP_COUNT, &number));
    if (number) out->choice.max_group_count = number;
    return iree_ok_status();
  }
  if (iree_string_view_equal(param.key, IREE_SV("task_topology_cpu_ids"))) {
    out->processor_ids = param.value;
    return iree_ok_status();
  }
  if (iree_string_view_equal(param.key, IREE_SV("task_topology_nodes"))) {
    out->choice.nodes = param.value;
    return iree_ok_status();
  }
  if (iree_string_view_equal(param.key, IREE_SV("task_topology_performance_level"))) {
    out->choice.performance_level = param.value;
    return iree_ok_status();
  }
  if (iree_string_view_equal(param.key, IREE_SV("task_topology_mode"))) {
    if (iree_string_view_equal(param.value, IREE_SV("physical_cores"))) return iree_ok_status();
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "topology mode '%.*s' is not physical_cores",
                            IREE_SV_ARGS(param.value));
  }
  if (iree_string_view_equal(param.key, IREE_SV("task_worker_spin_us"))) {
    IREE_RETURN_IF_ERROR(parse_number(param, MAX_SPIN_US, &number));
    out->options.worker_spin_ns = (iree_duration_t)number * 1000;
    return iree_ok_status();
  }
  if (iree_string_view_equal(param.key, IREE_SV("task_worker_stack_size"))) {
    IREE_RETURN_IF_ERROR(parse_number(param, MAX_STACK_BYTES, &number));
    out->options.worker_stack_bytes = number;
    return iree_ok_status();
  }
  return local_driver_unknown_param(identifier, param.key, KNOWN_PARAMS);
}

static iree_status_t choose_topology(const task_params_t *params, task_topology_t *out_topology) {
  if (!iree_string_view_is_empty(params->processor_ids)) {
    return task_topology_from_processor_ids(params->processor_ids, out_topology);
  }
  if (params->group_count) return task_topology_from_group_count(params->group_count, out_topology);
  return task_topology_from_machine(&params->choice, out_topology);
}

static iree_status_t create_device(iree_string_view_t identifier, iree_host_size_t param_count,
                                   const iree_string_pair_t *params,
                                   iree_hal_executable_plugin_manager_t *plugins,
                                   iree_allocator_t host_allocator,
                                   iree_hal_device_t **out_device) {
  task_params_t parsed = {.choice = task_topology_choice_default()};
  task_executor_options_initialize(&parsed.options);
  for (iree_host_size_t i = 0; i < param_count; ++i) {
    IREE_RETURN_IF_ERROR(parse_param(identifier, params[i], &parsed));
  }
  task_topology_t topology;
  IREE_RETURN_IF_ERROR(choose_topology(&parsed, &topology));
  task_executor_t *executor = NULL;
  IREE_RETURN_IF_ERROR(task_executor_create(&topology, &parsed.options, host_allocator, &executor));
  iree_status_t status =
      local_device_create_default(identifier, plugins, executor, host_allocator, out_device);
  task_executor_release(executor);
  return status;
}

static const local_driver_class_t driver_class = {
    .info = {.driver_name = {"local-task", 10},
             .full_name = {"Local execution on a pool of worker threads", 43}},
    .device_name = {"default", 7},
    .create_device = create_device,
};

const iree_hal_driver_factory_t task_driver_factory = {
    .self = (void *)&driver_class,
    .enumerate = local_driver_factory_enumerate,
    .try_create = local_driver_factory_try_create,
};
