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

static iree_status_t parse_params(iree_string_view_t identifier, iree_host_size_t param_count,
                                  const iree_string_pair_t *params, task_topology_t *topology,
                                  task_executor_options_t *options) {
  for (iree_host_size_t i = 0; i < param_count; ++i) {
    uint32_t number = 0;
    if (iree_string_view_equal(params[i].key, IREE_SV("task_topology_group_count"))) {
      IREE_RETURN_IF_ERROR(parse_number(params[i], TASK_TOPOLOGY_MAX_GROUP_COUNT, &number));
      if (number) IREE_RETURN_IF_ERROR(task_topology_from_group_count(number, topology));
    } else if (iree_string_view_equal(params[i].key, IREE_SV("task_topology_cpu_ids"))) {
      IREE_RETURN_IF_ERROR(task_topology_from_processor_ids(params[i].value, topology));
    } else if (iree_string_view_equal(params[i].key, IREE_SV("task_worker_spin_us"))) {
      IREE_RETURN_IF_ERROR(parse_number(params[i], MAX_SPIN_US, &number));
      options->worker_spin_ns = (iree_duration_t)number * 1000;
    } else {
      return local_driver_unknown_param(
          identifier, params[i].key,
          "task_topology_group_count, task_topology_cpu_ids, task_worker_spin_us");
    }
  }
  return iree_ok_status();
}

static iree_status_t create_device(iree_string_view_t identifier, iree_host_size_t param_count,
                                   const iree_string_pair_t *params,
                                   iree_allocator_t host_allocator,
                                   iree_hal_device_t **out_device) {
  task_topology_t topology;
  task_topology_from_machine(&topology);
  task_executor_options_t options;
  task_executor_options_initialize(&options);
  IREE_RETURN_IF_ERROR(parse_params(identifier, param_count, params, &topology, &options));
  task_executor_t *executor = NULL;
  IREE_RETURN_IF_ERROR(task_executor_create(&topology, &options, host_allocator, &executor));
  iree_status_t status = local_device_create_default(identifier, executor, host_allocator, out_device);
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
